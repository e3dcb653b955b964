//! Files that are known but not read, and how to get from them to one that is.

use crate::ReadError;

/// A kind of file: what tells it, and what to do.
struct Known {
    /// How it starts, behind white space; letters of either case.
    starts: &'static [u8],
    /// What else stands near its start.
    holds: &'static [&'static str],
    /// How its name ends; empty where that says nothing.
    ending: &'static str,
    found: &'static str,
    instead: &'static str,
}

/// Of a file so much is looked at.
const NEAR: usize = 4096;

impl Known {
    fn fits(&self, head: &[u8], file_name: &str) -> bool {
        let near = &head[..head.len().min(NEAR)];
        let start = near.trim_ascii_start();
        let starts = |from: &[u8]| {
            from.get(..self.starts.len()).is_some_and(|from| from.eq_ignore_ascii_case(self.starts))
        };
        (starts(near) || starts(start))
            && file_name.to_ascii_lowercase().ends_with(self.ending)
            && self.holds.iter().all(|text| memchr::memmem::find(near, text.as_bytes()).is_some())
    }
}

/// A file that is told by its first bytes.
const fn starts(starts: &'static [u8], found: &'static str, instead: &'static str) -> Known {
    Known { starts, holds: &[], ending: "", found, instead }
}

/// A text that is told by its start and by what it holds.
const fn text(
    starts: &'static str,
    holds: &'static [&'static str],
    found: &'static str,
    instead: &'static str,
) -> Known {
    Known { starts: starts.as_bytes(), holds, ending: "", found, instead }
}

/// A file that is told by its name.
const fn named(ending: &'static str, found: &'static str, instead: &'static str) -> Known {
    Known { starts: b"", holds: &[], ending, found, instead }
}

const PAGE: &str =
    "it was saved in place of the profile, perhaps as a page to log in: fetch the profile itself";
const STACKS: &str = "open what it was made of: the collapsed stacks, or the recording";
const NO_CTF: &str = "record with perf, or with a tool that writes Perfetto's or Trace Event files";
const PICKLE: &str = "pickles can run code, so none is opened";

/// The first that fits is it.
const KNOWN: &[Known] = &[
    starts(
        b"gmon",
        "gmon.out, gprof's raw data,",
        "`gprof PROGRAM gmon.out > profile.txt` makes a text that is",
    ),
    starts(
        b"HPCTOOLKIT",
        "a file of an HPCToolkit database by itself",
        "open the folder that holds it together with meta.db and profile.db",
    ),
    starts(
        b"memray",
        "memray's raw capture",
        "`pip install memray` for python3 lets Hotframe convert it; or `memray transform csv FILE` \
         makes a file that is (with --leaks, what was never freed)",
    ),
    starts(
        b"\x04\"M\x18",
        "data packed with LZ4, as memray's raw captures are,",
        "`pip install memray` for python3 lets Hotframe convert those, or `memray transform csv FILE` \
         makes a file that is; `lz4 -d` unpacks others",
    ),
    starts(
        b"HCAT",
        "the binary file of Python's profiling.sampling",
        "`python -m profiling.sampling replay --pstats FILE` makes one that is",
    ),
    starts(
        b"\x10\0\x04FxT\x16\0",
        "Fuchsia's trace (.fxt)",
        "Fuchsia's `trace2json` makes a JSON file that is",
    ),
    starts(b"/* CTF ", "a trace in the Common Trace Format (CTF)", NO_CTF),
    starts(b"\x57\x1d\xd1\x75", "a trace in the Common Trace Format (CTF)", NO_CTF),
    starts(b"\xc1\x1f\xfc\xc1", "a stream of the Common Trace Format (CTF)", NO_CTF),
    starts(b"PeriodType:", "the text of `pprof -raw`", "open the profile that pprof was given"),
    starts(
        b"\x04\x08",
        "Ruby's marshalled data",
        "`stackprof --json FILE` makes a JSON file that is",
    ),
    starts(b"\x80\x03}", "a Python pickle", PICKLE),
    starts(b"\x80\x04\x95", "a Python pickle", PICKLE),
    starts(b"\x80\x05\x95", "a Python pickle", PICKLE),
    starts(b"\x7fELF", "a program or library", "record a profile of it first"),
    starts(b"MZ", "a Windows program or library", "record a profile of it first"),
    starts(
        b"SQLite format 3\0",
        "a SQLite database",
        "export the profile with the tool that wrote it",
    ),
    starts(
        b"bplist00",
        "a binary property list",
        "export the trace from Instruments as deep copy text",
    ),
    text("<!doctype html", &[], "an HTML page", PAGE),
    text("<html", &[], "an HTML page", PAGE),
    text(
        "version https://git-lfs",
        &[],
        "a Git LFS pointer in place of the file,",
        "`git lfs pull` fetches the file",
    ),
    text("<?xml", &["<svg"], "a picture (SVG)", STACKS),
    text("<svg", &[], "a picture (SVG)", STACKS),
    starts(b"\x89PNG", "a picture (PNG)", STACKS),
    starts(b"\xff\xd8\xff", "a picture (JPEG)", STACKS),
    starts(b"%PDF-", "a PDF", STACKS),
    starts(b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip", "`7z x FILE` unpacks it"),
    starts(b"Rar!", "a RAR archive", "`unrar x FILE` unpacks it"),
    text(
        "{",
        &["\"snapshot\"", "\"node_fields\""],
        "a heap snapshot of V8, which holds objects and no call stacks,",
        "record an allocation profile in DevTools (Memory, Allocation sampling): its .heapprofile is",
    ),
    starts(
        b"JAVA PROFILE ",
        "a heap dump of Java (hprof), which holds objects and no call stacks,",
        "record with `jcmd PID JFR.start`: .jfr files are",
    ),
    starts(
        b"Nettrace",
        "a trace of .NET (.nettrace)",
        "`dotnet-trace convert --format Speedscope FILE` makes a JSON file that is",
    ),
    named(".etl", "a trace of Windows (ETW)", "`samply import FILE` makes a JSON file that is"),
    named(".otf2", "a trace in OTF2", NO_CTF),
    text(
        "go 1.",
        &[" trace\0"],
        "an execution trace of Go",
        "`go tool trace -pprof=sched FILE` (or net, sync, syscall) makes a pprof file that is",
    ),
    text(
        "# To display the perf.data",
        &[],
        "the report of `perf report`",
        "open perf.data itself, or the text of `perf script`",
    ),
    text(
        "# Samples:",
        &["Overhead"],
        "the report of `perf report`",
        "open perf.data itself, or the text of `perf script`",
    ),
    text(
        "Performance counter stats for",
        &[],
        "the table of `perf stat`",
        "`perf stat -x, -I 1000 -o FILE` writes a file that is",
    ),
    text(
        "{\"counter-value\"",
        &[],
        "the JSON of `perf stat -j`",
        "`perf stat -x, -I 1000 -o FILE` writes a file that is",
    ),
    text(
        "{\"linux-perf-json-version\"",
        &[],
        "the JSON of `perf data convert`",
        "open perf.data itself",
    ),
    text(
        "",
        &["flat%", "cum%", "sum%"],
        "the report of `pprof -top`",
        "open the profile that pprof was given",
    ),
    text(
        "",
        &[" function calls", "Ordered by:", "ncalls"],
        "the report of Python's pstats",
        "`python -m cProfile -o FILE PROGRAM` writes a file that is",
    ),
    text(
        "rbspy0",
        &[],
        "the raw data of rbspy",
        "`rbspy report -f speedscope -i FILE -o out.json` makes a JSON file that is",
    ),
    text(
        "Attaching ",
        &["@["],
        "the output of bpftrace",
        "FlameGraph's `stackcollapse-bpftrace.pl FILE` makes collapsed stacks, which are",
    ),
    text(
        "CPU ",
        &[" ID ", "FUNCTION:NAME"],
        "the output of dtrace",
        "FlameGraph's `stackcollapse.pl FILE` makes collapsed stacks, which are",
    ),
    text(
        "Analysis of sampling ",
        &[],
        "the report of macOS's `sample`",
        "FlameGraph's `stackcollapse-sample.awk FILE` makes collapsed stacks, which are",
    ),
    text(
        "# tracer:",
        &[],
        "the text of ftrace, as systrace has it,",
        "record with Perfetto, or with `perf sched record` and `perf script`",
    ),
    text(
        "desc:",
        &["cmd:", "time_unit:"],
        "the file of Valgrind's massif",
        "`valgrind --tool=dhat PROGRAM` writes a file that is",
    ),
    text(
        "heap_v2/",
        &[],
        "the heap profile of jemalloc",
        "`jeprof --collapsed PROGRAM FILE` makes collapsed stacks, which are",
    ),
    text(
        "JOB \"",
        &["SAMPLE_UNIT"],
        "the heap profile of GHC (.hp)",
        "`PROGRAM +RTS -p` or `-pj` writes a profile of time and allocation that is",
    ),
    text(
        "{",
        &["\"resourceProfiles\""],
        "a profile of OpenTelemetry as JSON",
        "have the collector write protobuf (`format: proto`), which is",
    ),
    text(
        "{",
        &["\"CpuSamples\"", "\"samplePeriod\""],
        "the CPU samples of Dart's VM service",
        "export a timeline from DevTools, which is a Trace Event file",
    ),
    text(
        "{",
        &["\"platform\"", "\"profile\"", "\"stack_id\""],
        "a profile of Sentry",
        "record with the profiler of the language, such as py-spy or Node's --cpu-prof",
    ),
    text(
        "{\"type\":\"meta\"",
        &["\"sample_interval_usec\""],
        "the JSON lines of Python's profiling.sampling",
        "its --collapsed, --gecko and --pstats write files that are",
    ),
    text(
        "Version: ",
        &["File format: ", "TRACE START"],
        "a trace of xdebug",
        "`xdebug.mode=profile` writes cachegrind.out files, which are",
    ),
    text(
        "{",
        &["\"result\"", "\"profile\"", "\"callFrame\""],
        "an answer of the DevTools protocol with a profile inside",
        "save the profile alone: `jq .result.profile FILE > a.cpuprofile`",
    ),
    text("{", &["\"name\"", "\"value\"", "\"children\""], "the data of d3-flame-graph", STACKS),
    text(
        "Time (%),Total Time (ns",
        &[],
        "the report of `nsys stats`",
        "record a Trace Event or Perfetto file, such as PyTorch's profiler writes",
    ),
    text(
        "\"Name\",\"Calls\",\"TotalDur",
        &[],
        "the report of `rocprof --stats`",
        "the results.json that `rocprof --hip-trace` writes is",
    ),
];

/// The error for a file of a kind that is known but not read.
pub(crate) fn recognise(head: &[u8], file_name: &str) -> Option<ReadError> {
    let known = KNOWN.iter().find(|known| known.fits(head, file_name))?;
    Some(ReadError::Unsupported { found: known.found.to_owned(), instead: known.instead })
}
