//! DHAT's files: their oddities, and the totals that DHAT prints as the measure.

use crate::measured::{folded, metric, profile, read, sample, text};
use profile::{FrameId, MetricId};

#[test]
fn totals_are_those_that_dhat_prints() {
    let mut compared = 0;
    for (name, report) in [
        ("heap", "heap.valgrind"),
        ("heap-shallow", "heap-shallow.valgrind"),
        ("copy", "copy.valgrind"),
        ("ad-hoc", "ad-hoc.valgrind"),
        ("jars", "jars.valgrind"),
        ("rust", "rust.dhat-crate"),
    ] {
        let found = sample(&format!("dhat/{name}.dhat.json"));
        let report = text(&format!("dhat/reports/{report}.txt"));
        for line in report.lines() {
            let line = line.rsplit("==").next().unwrap().trim();
            let line = line.strip_prefix("dhat: ").unwrap_or(line);
            let Some((what, rest)) = line.split_once(':') else { continue };
            let number =
                |word: Option<&str>| word.unwrap().replace(',', "").parse::<i64>().unwrap();
            let words: Vec<_> = rest.split_whitespace().collect();
            if words.len() < 2 || !words[0].starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let total = |name: &str| found.metric_total(metric(&found, name)).0;
            match what {
                "Total" => {
                    assert_eq!(
                        total(&format!("total {}", words[1])),
                        number(words.first().copied()),
                        "{name}"
                    );
                    let blocks = if words.len() > 4 { words[4] } else { continue };
                    assert_eq!(
                        total(&format!("total {blocks}")),
                        number(words.get(3).copied()),
                        "{name}"
                    );
                }
                "At t-gmax" | "At t-end" => {
                    let when = what.trim_start_matches("At ");
                    assert_eq!(
                        total(&format!("bytes at {when}")),
                        number(words.first().copied()),
                        "{name}"
                    );
                    assert_eq!(
                        total(&format!("blocks at {when}")),
                        number(words.get(3).copied()),
                        "{name}"
                    );
                }
                "Reads" => assert_eq!(total("reads"), number(words.first().copied()), "{name}"),
                "Writes" => assert_eq!(total("writes"), number(words.first().copied()), "{name}"),
                _ => continue,
            }
            compared += 1;
        }
    }
    assert!(compared >= 12, "only {compared} totals were compared");
}

#[test]
fn frames_at_one_address_are_inlined_but_recursion_is_not() {
    let found = profile(
        r#"{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":false,"tu":"instrs",
        "cmd":"./a b","te":9,"pps":[{"tb":8,"tbk":1,"tl":5,"mb":8,"mbk":1,"gb":8,"gbk":1,"eb":0,"ebk":0,"fs":[1,2,3,3,4]}],
        "ftbl":["[root]","0x10: malloc (in /lib/m.so)","0x20: inner (a.c:3)","0x20: outer (b.rs:4:7)","0x30: ???"]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), ["0x30;outer;outer;inner;malloc 8"]);
    let inlined: Vec<_> = (0..found.frames.len() as u32)
        .map(FrameId)
        .filter(|&frame| found.is_inlined(frame))
        .map(|frame| found.frame_name(frame))
        .collect();
    assert_eq!(inlined, ["inner"]);
    assert_eq!(found.origin.comments, ["./a b"]);
    assert_eq!(found.metrics[metric(&found, "lifetimes").index()].unit, "instrs");
}

#[test]
fn later_versions_are_refused() {
    let error = read(r#"{"dhatFileVersion":9,"pps":[]}"#).unwrap_err().to_string();
    assert!(error.contains("version 9"), "{error}");
}
