//! Every figure that gprof prints of a function, to its last digit: of a recorded report, and of a
//! program that is compiled and run where gcc and gprof are.

#![allow(clippy::print_stderr, reason = "notices go to standard error")]

use std::path::Path;
use std::process::Command;

use crate::measured::{profile, self_values, stored_totals, testdata, text, warnings};
use profile::MetricId;

/// Hundredths of seconds in nanoseconds.
const HUNDREDTH: i64 = 10_000_000;

fn hundredths(word: &str) -> i64 {
    let (whole, rest) = word.split_once('.').unwrap();
    assert_eq!(rest.len(), 2, "{word}");
    (whole.parse::<i64>().unwrap() * 100 + rest.parse::<i64>().unwrap()) * HUNDREDTH
}

/// Compares a report of `gprof -b` with what is read of it; gives how many figures there were.
fn compare(report: &str) -> usize {
    let found = profile(report);
    assert!(!warnings(report).iter().any(|warning| warning.contains("is skipped")));
    let (own, calls) = (self_values(&found, MetricId(0)), self_values(&found, MetricId(1)));
    let totals = stored_totals(&found, MetricId(0));
    let (mut figures, mut sum, mut cumulative, mut functions) = (0, 0, 0, 0);
    let (flat, graph) = report.split_once("Call graph").unwrap();
    let mut of_themselves = std::collections::BTreeMap::new();
    for line in graph.lines().filter(|line| line.starts_with('[')) {
        if line.contains("as a whole") {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = words
            .iter()
            .rev()
            .find(|word| !word.starts_with(['[', '<', '+']) && !word.ends_with('>'));
        let name = (*name.unwrap()).to_owned();
        // A function without any cost has no sample.
        let self_time = own.get(&name).copied().unwrap_or(0);
        assert_eq!(self_time, hundredths(words[2]), "self of {name}");
        let total = hundredths(words[2]) + hundredths(words[3]);
        assert_eq!(totals[&(String::new(), name.clone())], total, "self and children of {name}");
        figures += 2;
        // A function that nobody calls has no number of calls.
        if words[4].starts_with(|c: char| c.is_ascii_digit()) {
            let (others, itself) = words[4].split_once('+').unwrap_or((words[4], "0"));
            let (others, itself): (i64, i64) = (others.parse().unwrap(), itself.parse().unwrap());
            assert_eq!(calls[&name], others + itself, "calls of {name}");
            of_themselves.insert(name, itself);
            figures += 1;
        }
    }
    for line in flat.lines().skip_while(|line| !line.ends_with("name    ")).skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (true, Some(&name)) = (words.len() >= 4, words.last()) else { continue };
        assert_eq!(own[name], hundredths(words[2]), "self seconds of {name}");
        figures += 1;
        if words.len() == 7 {
            let expected = calls[name] - of_themselves.get(name).unwrap_or(&0);
            assert_eq!(words[3].parse::<i64>().unwrap(), expected, "calls of {name}");
            // Times of a call are divided before they are rounded, so the last digit of the
            // seconds is as far as they agree.
            let unit = match report {
                report if report.contains("ms/call") => 1e6,
                report if report.contains("us/call") => 1e3,
                report if report.contains("ns/call") => 1.0,
                _ => 1e9,
            };
            let seconds = words[4].parse::<f64>().unwrap() * unit * expected as f64;
            let digit = 0.005 * unit * expected as f64 + HUNDREDTH as f64 / 2.0;
            assert!((own[name] as f64 - seconds).abs() <= digit, "self of a call of {name}");
            figures += 2;
        }
        sum += own[name];
        cumulative = hundredths(words[1]);
        functions += 1;
    }
    // gprof adds up before it rounds.
    assert!((sum - cumulative).abs() <= functions * HUNDREDTH / 2 + 1, "{sum} {cumulative}");
    assert!(functions > 3);
    figures
}

#[test]
fn figures_are_those_of_gprof_to_the_last_digit() {
    for name in ["mill", "brief"] {
        let figures = compare(&text(&format!("gprof/{name}.gprof.txt")));
        assert!(figures > 20, "{figures}");
    }
}

#[test]
fn figures_are_those_of_the_installed_gprof() {
    let folder = std::env::temp_dir().join(format!("hotframe-gprof-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let report = recorded(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
    let Some(report) = report else {
        eprintln!("notice: there is no gcc or no gprof, the figures are those that were recorded");
        return;
    };
    let figures = compare(&report);
    assert!(figures > 20, "{figures}");
}

/// What gprof prints of a program that is compiled and run now.
fn recorded(folder: &Path) -> Option<String> {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let source = testdata("gprof/record/mill.c").canonicalize().unwrap();
    run("gcc", &["-O1", "-pg", "-fno-optimize-sibling-calls", "-o", "mill", source.to_str()?])?;
    run("./mill", &["2000"])?;
    run("gprof", &["-b", "mill", "gmon.out"])
}
