//! austin's text and MOJO, and mojo2austin and the sums of the text as the measure.

use std::collections::BTreeMap;

use crate::measured::{corpus, folded, metric, profile, read, sample, stacks, text, warnings};
use profile::{FrameId, MetricId, Profile, Timing};

const SAMPLES: [&str; 5] = ["wall", "cpu", "memory", "full", "children"];

/// `P1;T0:2;file:function:line` of each point, without what mojo2austin leaves out.
fn as_text(found: &Profile) -> Vec<String> {
    let rows = found.points.context.iter().enumerate().map(|(row, &context)| {
        let thread = found.threads[found.points.thread(row).unwrap().index()];
        let process = found.processes[thread.process.unwrap().index()];
        let mut path: Vec<_> =
            std::iter::successors(Some(context), |&at| found.contexts.parent(at)).collect();
        path.reverse();
        let mut line = format!("P{};T0:{}", found.text(process.id), found.text(thread.id));
        for frame in path.into_iter().flat_map(|at| found.frames_of(at)).map(FrameId) {
            let name = found.frame_name(frame);
            if !["INVALID", "GC"].contains(&&*name) {
                let number = found.frames.line[frame.index()];
                line.push_str(&format!(";{}:{name}:{number}", found.frame_file(frame)));
            }
        }
        line
    });
    rows.collect()
}

#[test]
fn mojo_is_what_mojo2austin_makes_of_it() {
    for name in SAMPLES {
        let found = sample(&format!("austin/{name}.mojo"));
        let report = text(&format!("austin/reports/{name}.mojo.mojo2austin.txt"));
        let index = if name == "memory" { "memory" } else { found.metrics[0].name.as_str() };
        let index = metric(&found, index);
        let lines: Vec<_> = report.lines().filter(|line| line.starts_with('P')).collect();
        let ours = as_text(&found);
        assert_eq!(ours.len(), lines.len(), "{name}");
        for (row, line) in lines.into_iter().enumerate() {
            let value = found.points.value(row, index);
            assert_eq!(format!("{} {value}", ours[row]), line, "{name}");
        }
    }
}

#[test]
fn text_sums_up_as_the_report_says() {
    for name in SAMPLES {
        let found = sample(&format!("austin/{name}.austin"));
        let report = text(&format!("austin/reports/{name}.austin.report.txt"));
        let (_, own) = report.split_once("self: samples, metrics\n").unwrap();
        let mut sums = BTreeMap::<String, Vec<i64>>::new();
        for (row, &context) in found.points.context.iter().enumerate() {
            let leaf = found.frames_of(context).next_back().map(FrameId);
            let leaf = leaf.map_or("(no frames)".to_owned(), |leaf| {
                format!("{}:{}", found.frame_file(leaf), found.frame_name(leaf))
            });
            let values = found.points.row(row);
            let sums = sums.entry(leaf).or_insert_with(|| vec![0; values.len()]);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        let mut compared = 0;
        for line in own.lines().take_while(|line| !line.is_empty()) {
            let count = if name == "full" { 4 } else { 2 };
            let mut words = line.splitn(count + 1, ' ');
            let numbers: Vec<i64> =
                words.by_ref().take(count).map(|w| w.parse().unwrap()).collect();
            let ours = &sums[words.next().unwrap()];
            assert_eq!((ours[ours.len() - 1], ours[0]), (numbers[0], numbers[1]), "{name}: {line}");
            if name == "full" {
                assert_eq!(ours[2], numbers[3], "{line}");
            }
            compared += 1;
        }
        assert!(compared > 5, "{name}");
    }
}

#[test]
fn both_forms_have_the_same_metrics_and_origin() {
    for name in SAMPLES {
        let (text, mojo) =
            (sample(&format!("austin/{name}.austin")), sample(&format!("austin/{name}.mojo")));
        assert_eq!(text.metrics, mojo.metrics);
        assert_eq!(
            (&text.origin.producer, text.origin.period),
            (&mojo.origin.producer, mojo.origin.period)
        );
        assert_eq!(text.processes.len(), mojo.processes.len());
    }
    check_real_files();
}

#[test]
fn lines_with_and_without_a_head() {
    let found = profile(
        "P1;T2;C:\\a b.py:f:3;C:\\a b.py:f.<locals>.g:5;:GC: 10,1,-7\nP1;T1:2 5,0,3\nP1;T2;<x>:h: 1,0,0\n",
    );
    assert_eq!(stacks(&found)[0], ("f;f.<locals>.g;GC".to_owned(), vec![10, 0, -7, 1]));
    assert_eq!(stacks(&found)[1], (String::new(), vec![5, 5, 3, 1]));
    assert_eq!(found.frame_file(FrameId(0)), "C:\\a b.py");
    assert_eq!(found.threads.len(), 2);
    let found = profile("# austin: 3.5.0\n# mode: memory\n\nP1;T2;a:f:1 -99\n# duration: 7\n");
    assert_eq!(
        (found.metrics[0].name.as_str(), found.metric_total(MetricId(0)).0),
        ("memory", -99)
    );
    assert_eq!(found.origin.duration_ns, 7000);
    assert_eq!(
        warnings("# austin: 3.5.0\n# mode: wall\nP1;T2;a:f:1 1,2\nP1;T2;a:f:1 7\nnonsense\n").len(),
        1
    );
}

#[test]
fn every_version_of_mojo() {
    // Strings 5 and 6, frame 7, then samples: all numbers small.
    let common = |mut bytes: Vec<u8>, stack: &[u8], frame_tail: &[u8]| {
        bytes.extend(
            [&b"\x01mode\0wall\0"[..], stack, b"\x0b\x05a.py\0\x0b\x06f\0\x03\x07\x05\x06\x09"]
                .concat(),
        );
        bytes.extend(frame_tail);
        bytes.extend(
            [&b"\x05\x07\x06sys_x\0\x08\x09\x83\x02"[..], stack, b"\x05\x07\x07\x09\x01"].concat(),
        );
        profile(&bytes)
    };
    for (version, stack, tail) in [
        (1, &b"\x02\x01ff\0"[..], &b""[..]),
        (2, b"\x02\x01ff\0", b"\x09\x02\x08"),
        (3, b"\x02\x01\x00ff\0", b"\x09\x02\x08"),
        (4, b"\x02\x01\x00ff\0", b"\x09\x02\x08"),
    ] {
        let found = common(vec![b'M', b'O', b'J', version], stack, tail);
        assert_eq!(folded(&found, MetricId(0)), ["f;GC 1", "f;sys_x 131"]);
        assert_eq!(found.text(found.threads[0].id), "255");
        assert_eq!(found.frames.column[0], if version > 1 { 2 } else { 0 });
    }
    let error = read(b"MOJ\x09").unwrap_err().to_string();
    assert!(error.contains("version 9"), "{error}");
    assert!(!warnings(b"MOJ\x03\x02\x01\x00ff\0\x09").is_empty());
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, mode) in [
        ("python/recurse.mojo", "wall time"),
        ("python/recurse.austin4.mojo", "wall time"),
        ("python/recurse.austin", "wall time"),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        let found = profile(bytes);
        assert!(found.metric_total(metric(&found, mode)).0 > 0, "{path}");
    }
}

/// Rounds of a process are one behind the other; without a head samples may be in any order.
#[test]
fn times_add_up_by_rounds() {
    let lines = "P1;T0:1;a:f:1 8\nP1;T0:2;a:g:1 5\nP1;T0:1;a:f:1 9\nP2;T0:5;a:h:1 3\nP1;T0:2;a:g:1 9\nP2;T0:5;a:h:1 4\n";
    let of = |head: &str| -> Vec<Option<i64>> {
        let found = profile(format!("{head}{lines}"));
        (0..found.points.len()).map(|row| found.points.time(row)).collect()
    };
    let micro = [0, 0, 8, 17, 8, 20].map(|time| Some(time * 1000));
    assert_eq!(of("# austin: 3.7.0\n# mode: wall\n"), micro);
    assert_eq!(of("# austin: 3.7.0\n# mode: cpu\n"), [None; 6]);
    assert_eq!(of(""), [None; 6]);
    let found = profile(format!("# mode: wall\n{lines}"));
    assert_eq!(found.metric(MetricId(0)).timing, Timing::Length);
    assert_eq!(found.timeline.tracks.len(), 5, "two processes and three threads");
    assert_eq!(found.origin.duration_ns, 24_000);
}

/// austin says at the end how long it took: from its own start on.
#[test]
fn times_last_as_long_as_the_recording() {
    for name in ["wall", "full", "children"] {
        for ending in ["austin", "mojo"] {
            let found = sample(&format!("austin/{name}.{ending}"));
            let ends = (0..found.points.len()).map(|row| {
                found.points.time(row).unwrap() + found.points.value(row, MetricId(0)) * 1000
            });
            let (last, whole) = (ends.max().unwrap(), found.origin.duration_ns);
            assert!(last <= whole && last > whole * 9 / 10, "{name}.{ending}: {last} of {whole}");
        }
    }
}
