//! A queue on a NATS server with JetStream, which many machines reach.
//!
//! Streams say what is next (`jobs`, a work queue with a consumer for each set of needs), what ended
//! (`ends`) and what was printed (`logs`); buckets hold what a job is (`about`), where it is (`state`,
//! changed only by who has seen the last revision), what its worker said (`progress`), who works
//! (`workers`, forgotten after ten minutes) and what jobs need (`needs`). Blobs are objects.
//!
//! All methods wait, so that they must not be called where something asynchronous runs.

mod adding;
mod blobs;
mod claims;
mod connect;
mod entries;
mod link;
mod logs;
mod names;
mod store;
mod trouble;
mod views;
mod workers;

pub use store::NatsStore;
