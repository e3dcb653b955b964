//! Failed tests of the page, run again when nothing else keeps the machine busy.

use std::io;
use std::process::Command;

use super::count::{Count, Dialect};
use super::runner::{Failed, Outcome, Runner};

/// More failures than this have a cause of their own.
const MOST: usize = 3;

/// Runs failed tests of a runner once more, each alone. One that passes then depended on time: it
/// counts as passed, and is told as unstable, with what it said when it failed.
///
/// `command` runs the tests of a file whose name it gets, by a pattern of their names.
pub(super) fn alone(
    sum: &mut Outcome,
    runner: &str,
    command: impl Fn(&str, &str) -> Command,
) -> anyhow::Result<()> {
    let ours = sum.failed.iter().filter(|failed| failed.runner == runner).count();
    if ours > MOST {
        return Ok(());
    }
    let mut kept = vec![];
    for failed in std::mem::take(&mut sum.failed) {
        let file = file_of(&failed).filter(|_| failed.runner == runner);
        if let Some(file) = file {
            let command = command(file, &pattern(&failed.test));
            let runner = Runner { name: "again, alone", command, dialect: Dialect::Node };
            let outcome = runner.run("again: ", &mut io::stdout())?;
            if outcome.count.is_success() {
                sum.count.failed -= 1;
                sum.count += Count { passed: 1, failed: 0 };
                sum.unstable.push(failed);
                continue;
            }
        }
        kept.push(failed);
    }
    sum.failed = kept;
    Ok(())
}

/// The file that a failed test of Node's runner stands in.
fn file_of(failed: &Failed) -> Option<&str> {
    let told = failed.reason.iter().find_map(|line| line.trim().strip_prefix("location: '"))?;
    let (file, _line) = told.trim_end_matches('\'').rsplit_once(':')?.0.rsplit_once(':')?;
    Some(file)
}

/// A pattern for a name and nothing else.
fn pattern(name: &str) -> String {
    let mut pattern = "^".to_owned();
    for sign in name.chars() {
        if r"\^$.|?*+()[]{}/".contains(sign) {
            pattern.push('\\');
        }
        pattern.push(sign);
    }
    pattern + "$"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(runner: &'static str, location: &str) -> Outcome {
        let reason = vec!["  ---".to_owned(), format!("  location: '{location}'")];
        let failed = Failed { runner, test: "opens (all)".to_owned(), reason };
        let count = Count { passed: 4, failed: 1 };
        Outcome { count, failed: vec![failed], ..Outcome::default() }
    }

    #[track_caller]
    fn check(mut sum: Outcome, script: &str, passed: u64, unstable: usize) {
        let command = |file: &str, pattern: &str| {
            assert_eq!((file, pattern), ("/x/a.test.ts", r"^opens \(all\)$"));
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        alone(&mut sum, "browser", command).unwrap();
        assert_eq!(sum.count, Count { passed, failed: 5 - passed });
        assert_eq!(sum.unstable.len(), unstable);
        assert_eq!(sum.failed.len(), 1 - unstable);
    }

    #[test]
    fn what_passes_alone_is_unstable() {
        check(outcome("browser", "/x/a.test.ts:3:1"), "echo '# pass 1'", 5, 1);
    }

    #[test]
    fn what_fails_again_or_is_not_found_again_has_failed() {
        check(outcome("browser", "/x/a.test.ts:3:1"), "echo '# fail 1'; exit 1", 4, 0);
        check(outcome("browser", "/x/a.test.ts:3:1"), "echo '# pass 0'", 4, 0);
    }

    #[test]
    fn others_are_left() {
        check(outcome("Rust", "/x/a.test.ts:3:1"), "echo '# pass 1'", 4, 0);
        check(outcome("browser", "nowhere"), "echo '# pass 1'", 4, 0);
    }
}
