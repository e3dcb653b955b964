//! Reading how many tests passed and failed from what test runners print.

use std::ops::AddAssign;

/// Passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    /// No test failed. No test at all is a failure: then something is set up wrongly.
    pub(crate) fn is_success(self) -> bool {
        self.failed == 0 && self.passed > 0
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// How a test runner reports its count.
#[derive(Clone, Copy)]
pub(crate) enum Dialect {
    /// `test result: ok. 3 passed; 0 failed; ...` for every test binary.
    Cargo,
    /// `Tests  1 failed | 11 passed (12)`.
    Vitest,
    /// `ℹ pass 3`, `ℹ fail 0`, or the same after `#`, each on its own line.
    Node,
}

impl Dialect {
    /// What this line adds to the count, if it is about that.
    pub(super) fn read(self, line: &str) -> Option<Count> {
        let line = without_colours(line);
        let line = line.trim();
        match self {
            Self::Cargo => read_cargo(line),
            Self::Vitest => read_vitest(line),
            Self::Node => read_node(line),
        }
    }

    /// The name of a test that this line says has failed.
    pub(super) fn failed(self, line: &str) -> Option<String> {
        let line = without_colours(line);
        let line = line.trim();
        let name = match self {
            Self::Cargo => line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?,
            Self::Vitest => line.strip_prefix("FAIL ")?.trim(),
            Self::Node => line.strip_prefix("not ok ")?.split_once(" - ")?.1,
        };
        Some(name.to_owned())
    }

    /// The name of the failed test that the lines after this one are about.
    pub(super) fn explained(self, line: &str) -> Option<String> {
        match self {
            Self::Cargo => {
                let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
                Some(name.trim_end_matches(" stdout").to_owned())
            }
            Self::Vitest | Self::Node => self.failed(line),
        }
    }
}

fn read_cargo(line: &str) -> Option<Count> {
    let (_verdict, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    Some(numbers_before(counts.split(';')))
}

fn read_vitest(line: &str) -> Option<Count> {
    let counts = line.strip_prefix("Tests ")?;
    Some(numbers_before(counts.split('|')))
}

fn read_node(line: &str) -> Option<Count> {
    let line = line.strip_prefix(['ℹ', '#'])?.trim();
    let (what, number) = line.split_once(' ')?;
    let number = number.parse().ok()?;
    match what {
        "pass" => Some(Count { passed: number, failed: 0 }),
        // A cancelled test began and never came to an end.
        "fail" | "cancelled" => Some(Count { passed: 0, failed: number }),
        _ => None,
    }
}

/// Reads `3 passed`, `1 failed` and the like.
fn numbers_before<'a>(parts: impl Iterator<Item = &'a str>) -> Count {
    let mut count = Count::default();
    for part in parts {
        let mut words = part.split_whitespace();
        let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        match what {
            "passed" => count.passed += number,
            "failed" => count.failed += number,
            _ => {}
        }
    }
    count
}

/// The line without the escape sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut pieces = line.split("\x1b[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| c.is_ascii_alphabetic()).map_or(piece.len(), |at| at + 1);
        plain.push_str(&piece[end..]);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Count, Dialect};

    #[track_caller]
    fn check(dialect: Dialect, output: &str, passed: u64, failed: u64) {
        let mut count = Count::default();
        output.lines().filter_map(|line| dialect.read(line)).for_each(|part| count += part);
        assert_eq!(count, Count { passed, failed });
    }

    #[test]
    fn reads_cargo() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\
            test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        check(Dialect::Cargo, output, 7, 2);
    }

    #[test]
    fn reads_vitest() {
        check(Dialect::Vitest, " Test Files  2 passed (2)\n      Tests  12 passed (12)\n", 12, 0);
        check(Dialect::Vitest, "Tests  1 failed | 11 passed | 2 skipped (14)", 11, 1);
        check(
            Dialect::Vitest,
            "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m4 passed\x1b[39m (4)",
            4,
            0,
        );
    }

    #[test]
    fn reads_node() {
        let output = "✔ opens (12ms)\nℹ tests 4\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        check(Dialect::Node, output, 2, 2);
        check(Dialect::Node, "# tests 1\n# pass 1\n# fail 0\n", 1, 0);
    }

    #[test]
    fn failed_tests_have_names() {
        let failed = |dialect: Dialect, line: &str| dialect.failed(line);
        assert_eq!(failed(Dialect::Cargo, "test a::b ... FAILED").as_deref(), Some("a::b"));
        assert_eq!(failed(Dialect::Cargo, "test a::b ... ok"), None);
        let line = " \x1b[31mFAIL\x1b[39m  src/a.test.ts > adds";
        assert_eq!(failed(Dialect::Vitest, line).as_deref(), Some("src/a.test.ts > adds"));
        assert_eq!(failed(Dialect::Node, "    not ok 3 - opens").as_deref(), Some("opens"));
        assert_eq!(failed(Dialect::Node, "ok 3 - opens"), None);
    }

    #[test]
    fn no_test_is_no_success() {
        assert!(!Count::default().is_success());
        assert!(Count { passed: 1, failed: 0 }.is_success());
        assert!(!Count { passed: 1, failed: 1 }.is_success());
    }
}
