//! What only queues on servers have to do with: outages, versions, keys.
