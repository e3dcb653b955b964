//! What builds leave out: readers of formats that are rarely met, what unpacks zstd (`container`), and all writers but one. Files of such
//! formats are known wherever they come from, and who would read them is told so.
//!
//! Nothing is compiled otherwise for it: what no table names is not a part of a program.

use profile::Profile;

use crate::input::stream::Stream;
use crate::{Folder, FolderReader, Format, ReadError, ReadOptions, Reader, Warnings, Writer};

/// The format that every build writes: profiles are handed over in it.
const OWN: &str = "hotframe";

/// The formats that every build reads, by name: those of a page before it needs more.
const USUAL: [&str; 11] = [
    "hotframe",
    "pprof",
    "callgrind",
    "pstats",
    "perf-script",
    "collapsed",
    "cpuprofile",
    "trace-event",
    "chrome-trace",
    "gecko",
    "speedscope",
];

impl Format {
    /// Whether every build reads it.
    pub const fn is_usual(&self) -> bool {
        let mut at = 0;
        while at < USUAL.len() {
            if is_same(self.name.as_bytes(), USUAL[at].as_bytes()) {
                return true;
            }
            at += 1;
        }
        false
    }
}

/// The formats as this build has them.
pub(crate) const fn built<const COUNT: usize>(mut formats: [Format; COUNT]) -> [Format; COUNT] {
    let mut at = 0;
    while at < COUNT {
        formats[at] = as_built(formats[at]);
        at += 1;
    }
    formats
}

const fn as_built(mut format: Format) -> Format {
    if let Some(writer) = format.writer
        && !cfg!(feature = "writers")
        && !is_same(format.name.as_bytes(), OWN.as_bytes())
    {
        format.writer = Some(Writer { parts: &[], ..writer });
    }
    if format.is_usual() || cfg!(feature = "rare") {
        return format;
    }
    if let Some(reader) = format.reader {
        format.reader = Some(Reader { read: no_file, ..reader });
    }
    if let Some(folder) = format.folder {
        format.folder = Some(FolderReader { read: no_folder, ..folder });
    }
    format
}

fn no_file(_: Stream, _: &ReadOptions, _: &mut Warnings) -> Result<Profile, ReadError> {
    Err(ReadError::LeftOut)
}

fn no_folder(_: &dyn Folder, _: &ReadOptions, _: &mut Warnings) -> Result<Profile, ReadError> {
    Err(ReadError::LeftOut)
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
