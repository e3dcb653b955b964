//! Traces of calls as files: what the tracer of Python writes while a program runs, and what
//! reading them gives; and accounts of memory in files of the same form ([`memory`]). No files are opened and
//! nothing is compressed here: bytes go in and out.
//!
//! ```text
//! file     = process, process, ...            files of several processes are put together by `cat`
//! process  = MAGIC section section ...        or MEMORY_MAGIC
//! section  = kind: u8, length: u32, payload   little-endian; one write each, so that a file is
//!                                             readable up to where its writer was killed
//! ```
//! Events are kept in memory as words of eight bytes ([`Word`]) and on disk in two columns, what
//! happened and when ([`pack`], [`Unpacker`]), which compress to one or two bytes a call. What samples of
//! the process saw ([`Stacks`], [`Rounds`], [`Seen`]) comes behind its own sections, from who recorded it.

pub mod counts;
mod facts;
mod logged;
pub mod memory;
mod pack;
pub mod pstats;
mod samples;
mod section;
mod section_reader;
mod unpack;
mod varint;
mod word;

pub use facts::{Cost, Facts, Function, FunctionKind};
pub use logged::Logged;
pub use pack::{Packed, Packer};
pub use samples::{Node, Rounds, Seen, SeenRun, Stacks};
pub use section::{Anchor, Demotion, Gap, MAGIC, MEMORY_MAGIC, REPLACED, Section};
pub use section_reader::{MOST_PAYLOAD, SectionError, SectionReader};
pub use unpack::{Event, UnpackError, Unpacker};
pub use word::{Happened, MOST_FUNCTIONS, Word};
