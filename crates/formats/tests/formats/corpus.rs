//! Every sample, and every real file that stands beside the repository on some machines, opens as
//! what it is, and one format alone claims it.

use std::path::{Path, PathBuf};

use crate::folders::HeldFolder;
use formats::{FORMATS, ReadError, ReadOptions, SNIFF_BYTES, Source};

/// What should become of a file.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// It opens as this format.
    Opens(&'static str),
    /// It is known, and the error says what to do.
    Elsewhere,
    /// It is not a profile that we know.
    Unknown,
    /// It is of a format that is read, and nothing of it could be.
    Nothing,
    /// It is read with its folder.
    InFolder,
}

fn expected(path: &str) -> Outcome {
    use Outcome::{Elsewhere, InFolder, Nothing, Opens, Unknown};
    let (folder, name) = path.split_once('/').unwrap();
    let ends = |end: &str| name.ends_with(end);
    match folder {
        // In pprof's layout: a series of snapshots.
        "ezview" if name.starts_with("fig4") => Opens("pprof"),
        "caliper" | "callgrind" | "collapsed" | "cpuprofile" | "ezview" | "ghc" | "gprof2dot"
        | "heapprofile" | "jfr" | "perf-script" | "pprof" | "pyinstrument" | "safari"
        | "scalene" | "speedscope" | "stackprof" | "trace-event" | "v8log" | "chrome-trace"
        | "tau" => Opens(FORMATS.iter().find(|format| format.name == folder).unwrap().name),
        "cprofile" => Opens("pstats"),
        "firefox" => Opens("gecko"),
        "firefox-fixtures" => Opens(match name {
            "chrome-trace-issue-5429.json.gz" => "chrome-trace",
            "dhat.json.gz" => "dhat",
            "gecko-1.json" => "gecko",
            "processed-1.json" => "firefox",
            "simpleperf-cpu-clock.trace.gz" => "simpleperf",
            "test.perf.gz" => "perf-script",
            _ if ends(".cpuprofile") => "cpuprofile",
            _ => panic!("{path} is new: say here what it is"),
        }),
        // The texts of `pprof -raw` that its tests compare with.
        "gperftools" if ends(".string") => Elsewhere,
        "gperftools" => Opens("gperftools"),
        "hpctoolkit-db" | "hpctoolkit-xml" => InFolder,
        "perf-data" => Opens("perf-data"),
        "python" => match name.trim_start_matches("recurse.") {
            "austin" | "mojo" | "austin4.mojo" => Opens("austin"),
            "pyspy.raw" | "tachyon.collapsed.txt" => Opens("collapsed"),
            "gprof2dot.dot" => Opens("gprof2dot"),
            "yappi.callgrind" => Opens("callgrind"),
            "yappi.pstat" | "tachyon.pstats" => Opens("pstats"),
            "scalene.json" => Opens("scalene"),
            "viztracer.json" => Opens("trace-event"),
            "tachyon.gecko.json" => Opens("firefox"),
            "pyinstrument.json" | "pyinstrument.pyisession" => Opens("pyinstrument"),
            "lprof" | "tachyon.bin" | "tachyon.jsonl" | "memray.native-aggregate.bin" => Elsewhere,
            "py" | "vprof-c.json" | "vprof-p.json" => Unknown,
            rest if rest.ends_with("prof") => Opens("pstats"),
            _ => panic!("{path} is new: say here what it is"),
        },
        "cases" => Opens(match name {
            "callgrind-neg.out" | "cg-min1.callgrind" => "callgrind",
            "negative-values.pb.gz" => "pprof",
            // It is cut before its first stack is whole.
            "panic-stackprof.json" => return Nothing,
            "stackprof-hang.json" => "stackprof",
            "panic-trace-event-min.json" => "trace-event",
            "pstats-hang.prof" => "pstats",
            _ if ends(".speedscope.json") => "speedscope",
            _ if ends(".folded") => "collapsed",
            "issue.txt" => return Unknown,
            _ => panic!("{path} is new: say here what it is"),
        }),
        // Recordings of perf itself, with programs and texts beside them.
        "perf" => InFolder,
        "sdfg" if name.contains("_prof.report-") => Opens("trace-event"),
        "sdfg" => Unknown,
        _ => panic!("{path} is new: say here what it is"),
    }
}

/// Every file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn every_file_opens_as_what_it_is() {
    let mut found: Vec<(PathBuf, String, Outcome)> = crate::samples::files()
        .into_iter()
        .map(|sample| {
            let name = format!("testdata/{}/{}", sample.format, sample.name());
            (sample.path, name, Outcome::Opens(sample.format))
        })
        .collect();
    let ours = found.len();
    if let Some(root) = ::samples::corpus("") {
        let mut paths = vec![];
        files(&root, &mut paths);
        paths.sort();
        for path in paths.into_iter().filter(|path| !path.ends_with("README.md")) {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let expected = expected(&name);
            found.push((path, name, expected));
        }
    }
    assert!(ours > 50, "samples are missing");
    let mut wrong = vec![];
    for (path, name, expected) in &found {
        let bytes = std::fs::read(path).unwrap();
        if *expected == Outcome::InFolder {
            continue;
        }
        for file_name in [path.file_name().unwrap().to_str().unwrap(), ""] {
            let source = Source { bytes: Box::new(&bytes[..]), file_name };
            let outcome = match formats::read(source, &ReadOptions::default()) {
                Ok(opened) => {
                    assert_eq!(opened.profile.check(), [], "{name}");
                    // What our samples hold, which may be nothing, stands in their golden dumps.
                    let is_empty = name.starts_with("testdata/");
                    assert!(is_empty || !opened.profile.points.is_empty(), "{name} has no points");
                    let format = opened.profile.origin.format.as_str();
                    Outcome::Opens(FORMATS.iter().find(|f| f.name == format).unwrap().name)
                }
                Err(ReadError::Unsupported { .. }) => Outcome::Elsewhere,
                Err(ReadError::UnknownFormat { .. }) => Outcome::Unknown,
                Err(ReadError::Nothing { .. }) => Outcome::Nothing,
                Err(error) => panic!("{name}: {error}"),
            };
            if outcome != *expected {
                wrong.push(format!("{name} as {file_name:?}: {outcome:?}, not {expected:?}"));
            }
            let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
            let claims = formats::claims(head, file_name);
            if claims.len() > 1 {
                wrong.push(format!("{name} as {file_name:?} is claimed by {claims:?}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn folders_open_whole() {
    let ours = [
        ("hpctoolkit/field", "hpctoolkit"),
        ("hpctoolkit/database", "hpctoolkit"),
        ("tau/field", "tau"),
    ];
    let ours = ours.map(|(folder, format)| (Some(::samples::testdata(folder)), format));
    let real = [
        ("hpctoolkit-xml/cpi", "hpctoolkit"),
        ("hpctoolkit-db/issue-328", "hpctoolkit"),
        ("tau/cpi", "tau"),
    ];
    let real = real.map(|(folder, format)| (::samples::corpus(folder), format));
    for (path, format) in ours.into_iter().chain(real) {
        let Some(path) = path else { continue };
        let opened =
            formats::read_folder(&HeldFolder::new(&path), &ReadOptions::default()).unwrap();
        assert_eq!(opened.profile.origin.format, format);
        assert_eq!(opened.profile.check(), []);
        assert!(!opened.profile.points.is_empty());
    }
}
