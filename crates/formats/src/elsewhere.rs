//! Files that are known but not read, and how to get from them to one that is.

use crate::ReadError;

/// How a file starts, what it is, what to do.
const KNOWN: &[(&[u8], &str, &str)] = &[
    (
        b"gmon",
        "gmon.out, gprof's raw data,",
        "`gprof PROGRAM gmon.out > profile.txt` makes a text that is",
    ),
    (
        b"HPCTOOLKIT",
        "a file of an HPCToolkit database by itself",
        "open the folder that holds it together with meta.db and profile.db",
    ),
    (
        b"memray",
        "memray's raw capture",
        "`pip install memray` for python3 lets Hotframe convert it; or `memray transform csv FILE` \
         makes a file that is (with --leaks, what was never freed)",
    ),
    (
        b"\x04\"M\x18",
        "data packed with LZ4, as memray's raw captures are,",
        "`pip install memray` for python3 lets Hotframe convert those, or `memray transform csv FILE` \
         makes a file that is; `lz4 -d` unpacks others",
    ),
    (
        b"HCAT",
        "the binary file of Python's profiling.sampling",
        "`python -m profiling.sampling replay --pstats FILE` makes one that is",
    ),
    (
        b"\x10\0\x04FxT\x16\0",
        "Fuchsia's trace (.fxt)",
        "Fuchsia's `trace2json` makes a JSON file that is",
    ),
    (
        b"/* CTF ",
        "a trace in the Common Trace Format (CTF)",
        "record with perf, or with a tool that writes Perfetto's or Trace Event files",
    ),
    (
        b"\x57\x1d\xd1\x75",
        "a trace in the Common Trace Format (CTF)",
        "record with perf, or with a tool that writes Perfetto's or Trace Event files",
    ),
    (
        b"\xc1\x1f\xfc\xc1",
        "a stream of the Common Trace Format (CTF)",
        "record with perf, or with a tool that writes Perfetto's or Trace Event files",
    ),
    (b"PeriodType:", "the text of `pprof -raw`", "open the profile that pprof was given"),
    (b"\x04\x08", "Ruby's marshalled data", "`stackprof --json FILE` makes a JSON file that is"),
    (b"\x80\x03}", "a Python pickle", "pickles can run code, so none is opened"),
    (b"\x80\x04\x95", "a Python pickle", "pickles can run code, so none is opened"),
    (b"\x80\x05\x95", "a Python pickle", "pickles can run code, so none is opened"),
    (b"\x7fELF", "a program or library", "record a profile of it first"),
    (b"MZ", "a Windows program or library", "record a profile of it first"),
    (b"SQLite format 3\0", "a SQLite database", "export the profile with the tool that wrote it"),
    (b"bplist00", "a binary property list", "export the trace from Instruments as deep copy text"),
];

/// The error for a file of a kind that is known but not read.
pub(crate) fn recognise(head: &[u8]) -> Option<ReadError> {
    let &(_, found, instead) = KNOWN.iter().find(|(start, ..)| head.starts_with(start))?;
    Some(ReadError::Unsupported { found: found.to_owned(), instead })
}
