//! What tests left out because the corpus is absent.
//!
//! Runners keep what passing tests print, so tests write it to a file besides: a line for each check.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::runner::Runner;
use crate::workspace;

/// The variable by which tests know the file.
const VARIABLE: &str = "HOTFRAME_LEFT_OUT";

/// The file that tests add to while they run.
pub(super) struct LeftOut {
    file: PathBuf,
}

impl LeftOut {
    /// Begins with nothing left out.
    pub(super) fn start() -> anyhow::Result<LeftOut> {
        // Tests run in folders of their own.
        LeftOut::in_file(std::path::absolute(workspace::target().join("left-out.txt"))?)
    }

    fn in_file(file: PathBuf) -> anyhow::Result<LeftOut> {
        fs::write(&file, "").with_context(|| format!("cannot write {}", file.display()))?;
        Ok(LeftOut { file })
    }

    /// A runner whose tests add to the file.
    pub(super) fn reporting(&self, mut runner: Runner) -> Runner {
        runner.command.env(VARIABLE, &self.file);
        runner
    }

    /// How much was left out, for people; none if nothing was.
    pub(super) fn line(&self) -> anyhow::Result<Option<String>> {
        let text = fs::read_to_string(&self.file)
            .with_context(|| format!("cannot read {}", self.file.display()))?;
        // A test may ask for the same file again and again.
        let count = text.lines().collect::<BTreeSet<_>>().len();
        let checks = if count == 1 { "check that needs" } else { "checks that need" };
        let told = || {
            let list = self.file.display();
            format!("left out: {count} {checks} ../shared/corpus (listed in {list})")
        };
        Ok((count > 0).then(told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn checks_that_tests_tell_are_counted_once() {
        let file = std::env::temp_dir().join(format!("left-out-{}.txt", std::process::id()));
        let left_out = LeftOut::in_file(file.clone()).unwrap();
        assert_eq!(left_out.line().unwrap(), None);
        let mut command = Command::new("sh");
        let script = "for one in a b a; do echo $one >> $HOTFRAME_LEFT_OUT; done";
        command.args(["-c", script]);
        let runner =
            Runner { name: "a script", command, report: "none.xml".into(), may_be_empty: false };
        left_out.reporting(runner).run(&mut Vec::new()).unwrap();
        let line = left_out.line().unwrap().unwrap();
        assert!(line.starts_with("left out: 2 checks that need ../shared/corpus"), "{line}");
        fs::remove_file(file).unwrap();
    }
}
