//! pprof's `profile.proto`, as specified by `proto/profile.proto` of google/pprof.

mod read;
mod schema;
mod sniff;
mod stacks;
mod wire;
mod write;

use crate::{Format, Reader};

pub(crate) const FORMAT: Format = Format {
    name: "pprof",
    title: "pprof profile.proto, plain or gzip",
    extensions: &["pb.gz", "pb", "pprof", "prof"],
    reader: Some(Reader { sniff: sniff::sniff, read: read::read }),
    writer: Some(write::write),
};
