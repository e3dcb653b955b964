//! Recordings of Linux' perf (`perf.data`), record by record: files and pipes of either byte order,
//! compressed or not, and folders of `perf record --threads`. No file is opened, no name looked up.
//!
//! ```text
//! bytes --- Arena --- Queue, by rounds --- Record, with the Head as far as it is known
//!             |           |
//!             +- zstd ----+
//! ```
//! Layouts are those of `include/uapi/linux/perf_event.h` of the kernel and of
//! `tools/perf/Documentation/perf.data-file-format.txt`. What is not known is counted and passed
//! over; nothing in a file makes the reader take more than some 64 MiB.

mod arena;
pub mod attr;
mod bytes;
mod error;
mod feature;
mod folder;
mod head;
mod open;
mod queue;
mod reader;
mod record;
mod sample;
mod tracepoint;
mod unpack;
pub mod write;

pub use attr::{Attr, SampleFields};
pub use bytes::ByteOrder;
pub use error::Error;
pub use feature::{
    BuildId, Cache, ClockData, CpuPlace, CpuTopology, Features, Group, MemoryBlocks, NumaNode, Pmu,
};
pub use folder::Parts;
pub use head::{Counts, Event, Head};
pub use open::is_recording;
pub use reader::Reader;
pub use record::{Body, Map, Record, Stat, Switch, record_name, text};
pub use sample::{
    Branch, Branches, CallChain, Counter, Link, Mode, Read, Registers, Sample, SampleId, Thread,
};
pub use tracepoint::{Field, Format, Names, TracingData, Value};
