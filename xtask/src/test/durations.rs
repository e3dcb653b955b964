//! How long tests take, by commit.
//!
//! A folder holds a file a commit: a line a test with its suite, its name and its seconds. The folder is
//! `target/durations`, or the one that `HOTFRAME_DURATIONS` names, which outlives a clone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::results::Test;
use crate::{command, workspace};

/// Tests that took less before are not compared: their times are those of starting a process.
const SHORT_SECONDS: f64 = 1.0;
/// What a test may take by what it took, beyond what all tests together did.
const SLOWER: f64 = 1.2;
/// How many of the slowest tests are listed.
const SLOWEST: usize = 15;
/// How many commits back an earlier file is looked for.
const COMMITS: &str = "--max-count=200";

/// The lines to print: seconds by suite, the slowest tests, and those that became slower.
pub(crate) fn table(tests: &[Test]) -> String {
    let mut suites: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for test in tests {
        let (count, seconds) = suites.entry(test.suite).or_default();
        *count += 1;
        *seconds += test.seconds;
    }
    let mut text = String::from("seconds   tests  suite\n");
    for (suite, (count, seconds)) in suites {
        let _ = writeln!(text, "{seconds:7.1} {count:7}  {suite}");
    }
    let mut slowest: Vec<&Test> = tests.iter().collect();
    slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let _ = writeln!(text, "\nslowest tests");
    for test in slowest.into_iter().take(SLOWEST) {
        let _ = writeln!(text, "{:7.1}  {}: {}", test.seconds, test.suite, test.name);
    }
    text
}

/// Keeps the times of this commit, and compares them with those of the last commit that has some.
/// Returns the lines to print.
pub(crate) fn keep(tests: &[Test]) -> anyhow::Result<String> {
    let folder = folder();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let log = command::in_root("git", &["log", "--format=%H", COMMITS]).output();
    let log = log.ok().filter(|output| output.status.success());
    let log = log.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let mut commits = log.lines();
    let Some(commit) = commits.next() else {
        return Ok("no commit to keep durations for\n".to_owned());
    };
    let file = |commit: &str| folder.join(format!("{commit}.tsv"));
    let earlier = commits.map(file).find_map(|file| fs::read_to_string(file).ok());
    let text = earlier.map(|text| slower(&parse(&text), tests)).unwrap_or_default();
    let lines: String = tests
        .iter()
        .map(|test| format!("{}\t{}\t{:.3}\n", test.suite, flat(&test.name), test.seconds))
        .collect();
    let file = file(commit);
    fs::write(&file, lines).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(format!("{text}durations: {}\n", file.display()))
}

fn folder() -> PathBuf {
    let named = std::env::var_os("HOTFRAME_DURATIONS").map(PathBuf::from);
    named.unwrap_or_else(|| workspace::target().join(Path::new("durations")))
}

/// A name on one line, without tabs.
fn flat(name: &str) -> String {
    name.replace(['\t', '\n', '\r'], " ")
}

/// Seconds by suite and name.
type Seconds = BTreeMap<(String, String), f64>;

fn parse(text: &str) -> Seconds {
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let key = (parts.next()?.to_owned(), parts.next()?.to_owned());
        Some((key, parts.next()?.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Tests that take more than a fifth longer, beyond what the machine does: half of all tests changed by
/// more than that, and half by less.
fn slower(before: &Seconds, tests: &[Test]) -> String {
    let mut ratios: Vec<(f64, f64, &Test)> = vec![];
    for test in tests {
        let key = (test.suite.to_owned(), flat(&test.name));
        if let Some(&seconds) = before.get(&key).filter(|seconds| **seconds >= SHORT_SECONDS) {
            ratios.push((test.seconds / seconds, seconds, test));
        }
    }
    ratios.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some(&(median, ..)) = ratios.get(ratios.len() / 2) else { return String::new() };
    let mut text = String::new();
    for (ratio, seconds, test) in ratios.iter().filter(|(ratio, ..)| *ratio > SLOWER * median) {
        let _ = writeln!(
            text,
            "slower: {}: {}: {seconds:.1} s, now {:.1} s ({ratio:.2} times; the median test {median:.2})",
            test.suite, test.name, test.seconds
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::results::Outcome;

    fn test(name: &str, seconds: f64) -> Test {
        let (name, message) = (name.to_owned(), String::new());
        Test { suite: "s", name, seconds, outcome: Outcome::Passed, message }
    }

    #[test]
    fn names_tests_that_became_slower_than_the_others() {
        let before = parse("s\ta\t2.0\ns\tb\t2.0\ns\tc\t2.0\ns\tshort\t0.1\nbroken\n");
        // The machine is half as fast: twice the time is not a change.
        let tests = [test("a", 4.0), test("b", 4.1), test("c", 9.0), test("short", 3.0)];
        let text = slower(&before, &tests);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("slower: s: c: 2.0 s, now 9.0 s (4.50 times"), "{text}");
    }

    #[test]
    fn adds_up_suites() {
        let text = table(&[test("a", 1.25), test("b", 2.0)]);
        assert!(text.starts_with("seconds   tests  suite\n    3.2       2  s\n"), "{text}");
        assert!(text.contains("\nslowest tests\n    2.0  s: b\n"), "{text}");
    }
}
