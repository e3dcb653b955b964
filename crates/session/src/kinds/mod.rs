//! The kinds of documents: how each is known, read and asked.
//!
//! A kind is a folder here and a line in [`KINDS`]; its methods are a group of the protocol's table.

pub(crate) mod accesses;
mod all;
pub(crate) mod graph;
mod kind;
pub(crate) mod profile;

pub(crate) use all::{HAS_GRAPHS, KINDS};
pub use kind::Kind;
pub use kind::KindOf;
pub use kind::OpenDocument;
pub(crate) use kind::downcast;
pub(crate) use kind::expect;
pub(crate) use kind::left_out;
pub(crate) use kind::pattern_error;
