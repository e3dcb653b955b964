//! What is behind an address.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::{self, kv, object_store, stream};

use super::names::Names;

/// What is behind an address.
pub(super) struct Link {
    pub(super) client: Client,
    pub(super) jetstream: jetstream::Context,
    /// The address, for people.
    pub(super) place: String,
    pub(super) patience: Duration,
    pub(super) names: Names,
    pub(super) buckets: Buckets,
    pub(super) streams: Streams,
    pub(super) blobs: object_store::ObjectStore,
}

pub(super) struct Buckets {
    pub(super) about: kv::Store,
    pub(super) state: kv::Store,
    pub(super) progress: kv::Store,
    pub(super) workers: kv::Store,
    pub(super) needs: kv::Store,
}

pub(super) struct Streams {
    pub(super) jobs: stream::Stream,
    pub(super) ends: stream::Stream,
    pub(super) logs: stream::Stream,
}
