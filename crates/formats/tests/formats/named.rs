//! `--from FORMAT` with files of other formats: they are refused, not read as nothing.

use formats::{FORMATS, Opened, ReadError, ReadOptions, Source, format_named};

use crate::samples::{files, unpacked};

fn read_as(bytes: &[u8], name: &str, format: &str) -> Result<Opened, ReadError> {
    let options = ReadOptions { from: format_named(format), ..ReadOptions::default() };
    formats::read(Source { bytes: Box::new(bytes), file_name: name }, &options)
}

/// Pairs that do read, of a sample's format and the one it is taken for, and why that is right.
const READ_ALL_THE_SAME: &[(&str, &str, &str)] =
    &[("austin", "collapsed", "austin's text is stacks, each with a number behind it")];

#[test]
fn files_of_other_formats_are_refused() {
    let mut taken = vec![];
    for sample in files() {
        let bytes = sample.bytes();
        // Longer ones hold nothing else.
        if bytes.len() > 64 << 10 {
            continue;
        }
        let claimed = formats::claims(&unpacked(&bytes)[..], "");
        for format in FORMATS.iter().filter(|format| format.reads()) {
            if format.name == sample.format || claimed.contains(&format.name) {
                continue;
            }
            let allowed = READ_ALL_THE_SAME
                .iter()
                .any(|&(of, taken_for, _)| (of, taken_for) == (sample.format, format.name));
            match read_as(&bytes, sample.name(), format.name) {
                Ok(opened) if !allowed => taken.push(format!(
                    "{} {} as {}: {} points, {} warnings {}",
                    sample.format,
                    sample.name(),
                    format.name,
                    opened.profile.points.len(),
                    opened.warnings.iter().len(),
                    opened.warnings.iter().next().map_or("", |w| &w.message),
                )),
                _ => {}
            }
        }
    }
    assert!(taken.is_empty(), "{} are read:\n{}", taken.len(), taken.join("\n"));
}

#[test]
fn a_refusal_says_what_is_missing_and_what_was_requested() {
    for (bytes, format, missing) in [
        (&b"{\"hello\": 1}"[..], "gecko", "\"threads\""),
        (b"{\"hello\": 1}", "firefox", "\"threads\""),
        (b"{\"hello\": 1}", "dhat", "\"pps\""),
        (b"{\"hello\": 1}", "safari", "\"recording\""),
        (b"{\"hello\": 1}", "pyinstrument", "\"frame_records\""),
        (b"{\"hello\": 1}", "gprof2dot-json", "\"events\""),
        (b"{\"hello\": 1}", "heapprofile", "\"head\""),
        (b"{\"hello\": 1}", "trace-event", "\"traceEvents\""),
        (b"{\"hello\": 1}", "stackprof", "\"frames\""),
        (b"{\"hello\": 1}", "scalene", "\"files\""),
        (b"{\"samples\": [1, 2]}", "cpuprofile", "\"nodes\""),
        (b"main;f 5\nmain;g 6\n", "perf-script", "event, time"),
        (b"main;f 5\nmain;g 6\n", "gprof", "flat profile"),
        (b"a,b,c\n1,2,3\n", "memray", "allocator,num_allocations"),
    ] {
        let error = read_as(bytes, "", format).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(missing), "{format}: {text}");
        assert!(text.contains(&format!("--from {format}")), "{format}: {text}");
        assert!(error.hint().contains("--from"), "{}", error.hint());
    }
    let error = read_as(b"main;f 5\nmain;g 6\n", "", "gprof").unwrap_err();
    assert!(error.hint().contains("collapsed"), "{}", error.hint());
}

#[test]
fn lines_that_are_mostly_no_rows_are_refused() {
    let head = "allocator,num_allocations,size,tid,thread_name,stack_trace\n";
    let rows = "MALLOC,1,2,3,main,f;a.py;1\n";
    let junk = "what,else\n".repeat(4);
    let memray = format!("{head}{rows}{junk}");
    let tau = format!(
        "5 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl\n\
         \"main\" 1 0 5 5 0 GROUP=\"X\"\n{}",
        "no row at all\n".repeat(4)
    );
    for text in [memray, tau] {
        let bytes = Box::new(text.as_bytes());
        let source = Source { bytes, file_name: "" };
        let error = formats::read(source, &ReadOptions::default()).unwrap_err();
        assert!(matches!(error, ReadError::MostlySkipped { .. }), "{error}");
    }
}
