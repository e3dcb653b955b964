//! DHAT's figures as its own page shows them: `reports/*.dh_view.txt`, which
//! `record/dh_view_report.cjs` prints with the page's code. Each line is a node of the page's tree,
//! from where blocks are allocated to their callers.

#![allow(clippy::print_stderr, reason = "notices go to standard error")]

use std::process::Command;

use crate::measured::{sample, testdata, text};
use profile::{ContextId, FrameId, MetricId, Profile};

const SAMPLES: [&str; 6] = ["heap", "heap-shallow", "copy", "ad-hoc", "rust", "jars"];

/// A number as the page prints it: groups of three digits, two after the point at most.
fn printed(number: i64, divisor: i64) -> String {
    let (number, divisor) = (i128::from(number) * 100, i128::from(divisor.max(1)));
    let hundredths = (number * 2 + divisor) / (divisor * 2);
    let (whole, rest) = ((hundredths / 100).to_string(), format!("{:02}", hundredths % 100));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match rest.trim_end_matches('0') {
        "" => grouped,
        rest => format!("{grouped}.{rest}"),
    }
}

/// The addresses of a point's frames with their names, innermost first, as the page has them.
fn stack(profile: &Profile, context: ContextId) -> Vec<(u64, String)> {
    let contexts = std::iter::successors(Some(context), |&at| profile.contexts.parent(at));
    let frames = contexts.flat_map(|at| profile.frames_of(at).rev());
    frames
        .map(|frame| {
            let frame = FrameId(frame);
            let location = profile.frames.location[frame.index()];
            let function = profile.frames.function(frame).and_then(|f| profile.function_name(f));
            let name = function.unwrap_or("???").to_owned();
            (profile.locations.address[location.index()], name)
        })
        .collect()
}

/// An address and a name out of `0x1092C1: main (jars.c:16)`.
fn frame(text: &str) -> (u64, String) {
    let (address, rest) = text.split_once(": ").unwrap();
    let name = rest.rsplit_once(" (").map_or(rest, |(name, _)| name);
    (u64::from_str_radix(address.trim_start_matches("0x"), 16).unwrap(), name.to_owned())
}

#[test]
fn figures_are_those_of_dhats_page_to_the_last_digit() {
    let mut compared = 0;
    for name in SAMPLES {
        let profile = sample(&format!("dhat/{name}.dhat.json"));
        let stacks: Vec<_> =
            profile.points.context.iter().map(|&context| stack(&profile, context)).collect();
        for line in text(&format!("dhat/reports/{name}.dh_view.txt")).lines() {
            let (path, figures) = line.split_once('\t').unwrap();
            let path: Vec<_> = match path {
                "" => vec![],
                path => path.rsplit(" < ").map(frame).collect(),
            };
            let sum = |metric: usize| -> i64 {
                let rows = stacks.iter().zip(profile.points.values(MetricId(metric as u32)));
                rows.filter(|(stack, _)| stack.starts_with(&path)).map(|(_, value)| value).sum()
            };
            let named = |start: &str, nth: usize| {
                let named = profile.metrics.iter().enumerate();
                let mut named = named.filter(|(_, metric)| metric.name.starts_with(start));
                named.nth(nth).map(|(index, _)| index)
            };
            let share = |metric: usize| {
                let all = profile.metric_total(MetricId(metric as u32)).0;
                format!("{} ({}%", printed(sum(metric), 1), printed(sum(metric) * 100, all))
            };
            let (bytes, blocks) = (named("total ", 0).unwrap(), named("total ", 1).unwrap());
            let average = |metric: usize, by: usize| printed(sum(metric), sum(by));
            for (at, figure) in figures.split('\t').enumerate() {
                let start = figure.find(|c: char| c.is_ascii_digit()).unwrap();
                let (words, rest) = (figure[..start].trim(), &figure[start..]);
                let expected = match (at, words) {
                    (0, "") => share(bytes),
                    (1, "") => share(blocks),
                    (_, "avg size") => average(bytes, blocks),
                    (_, "avg lifetime") => average(named("lifetimes", 0).unwrap(), blocks),
                    (4, "t-gmax") => share(named("bytes at t-gmax", 0).unwrap()),
                    (5, "in") => share(named("blocks at t-gmax", 0).unwrap()),
                    (6, "t-end") => share(named("bytes at t-end", 0).unwrap()),
                    (7, "in") => share(named("blocks at t-end", 0).unwrap()),
                    (_, "reads") => share(named("reads", 0).unwrap()),
                    (9, "per byte") => average(named("reads", 0).unwrap(), bytes),
                    (_, "writes") => share(named("writes", 0).unwrap()),
                    (_, "per byte") => average(named("writes", 0).unwrap(), bytes),
                    (at, words) => panic!("{name}: {at} {words}"),
                };
                // Rates per million instructions are the page's own.
                let (number, share) = rest.split_once(' ').unwrap_or((rest, ""));
                let number = number.split('/').next().unwrap();
                let found = match share.split_once('(') {
                    Some((_, percent)) => {
                        format!("{number} ({}%", percent.split('%').next().unwrap())
                    }
                    None => number.to_owned(),
                };
                assert_eq!(expected, found, "{name}: {words} of {path:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn the_recorded_figures_are_those_that_the_page_shows() {
    let page = std::path::Path::new("/usr/libexec/valgrind/dh_view.js");
    if !page.exists() {
        eprintln!("notice: there is no dh_view.js, its figures are those that were recorded");
        return;
    }
    for name in SAMPLES {
        let report = Command::new("node")
            .arg(testdata("dhat/record/dh_view_report.cjs"))
            .arg(page)
            .arg(testdata(&format!("dhat/{name}.dhat.json")))
            .env("LC_ALL", "C")
            .output();
        let Ok(report) = report else {
            eprintln!("notice: there is no node to run dh_view.js with");
            return;
        };
        assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
        let recorded = text(&format!("dhat/reports/{name}.dh_view.txt"));
        assert_eq!(String::from_utf8_lossy(&report.stdout), recorded, "{name}");
    }
}
