//! Recording a command for a client, where whoever started the server allows it.

use std::ffi::OsString;
use std::path::Path;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// What to run and measure.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Record {
    /// The command with its arguments; no shell comes in between.
    pub(super) command: Vec<String>,
    /// `python` (samples of a Python program; default), `python-trace` (every call), `python-counts`
    /// (sums by function), `python-memory` (allocations) or `perf` (Linux perf, any program).
    pub(super) recorder: Option<String>,
    /// File to write, below the first folder that may be read. Default: a new name.
    pub(super) output: Option<String>,
}

impl Record {
    /// The words of the command line, and the file that is written: told from `folder`.
    pub(super) fn words(&self, folder: &Path) -> Result<(Vec<OsString>, String), String> {
        if self.command.is_empty() {
            return Err("no command is named".to_owned());
        }
        let (words, ending): (&[&str], _) = match self.recorder.as_deref().unwrap_or("python") {
            "python" => (&["record", "python"], "hotframe"),
            "python-trace" => (&["record", "python", "--trace"], "calls"),
            "python-counts" => (&["record", "python", "--counts"], "prof"),
            "python-memory" => (&["record", "python", "--memory"], "memory"),
            "perf" => (&["record"], "perf.data"),
            other => {
                let known = "python, python-trace, python-counts, python-memory, perf";
                return Err(format!("there is no recorder {other}, there are {known}"));
            }
        };
        let name = match &self.output {
            Some(name) => own_name(folder, name)?,
            None => free_name(folder, ending),
        };
        let mut words: Vec<OsString> = words.iter().map(OsString::from).collect();
        words.extend(["--no-open".into(), format!("--output={name}").into(), "--".into()]);
        words.extend(self.command.iter().map(OsString::from));
        Ok((words, name))
    }
}

/// A name that the client wants, where nothing is yet.
fn own_name(folder: &Path, name: &str) -> Result<String, String> {
    let is_plain =
        Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_plain || name.is_empty() {
        return Err(format!("{name} is no file below {}", folder.display()));
    }
    if std::fs::symlink_metadata(folder.join(name)).is_ok() {
        return Err(format!("{name} is there already: choose another name"));
    }
    Ok(name.to_owned())
}

fn free_name(folder: &Path, ending: &str) -> String {
    let names = (1..).map(|number| format!("recording-{number}.{ending}"));
    let mut free = names.filter(|name| std::fs::symlink_metadata(folder.join(name)).is_err());
    free.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(output: Option<&str>) -> Record {
        let command = ["python3", "--version"].map(str::to_owned).to_vec();
        Record { command, recorder: None, output: output.map(str::to_owned) }
    }

    #[test]
    fn recordings_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let name = |output| record(output).words(folder.path()).map(|(_, name)| name);
        assert_eq!(name(None).unwrap(), "recording-1.hotframe");
        std::fs::write(folder.path().join("recording-1.hotframe"), "").unwrap();
        assert_eq!(name(None).unwrap(), "recording-2.hotframe");
        assert_eq!(name(Some("new/a.hotframe")).unwrap(), "new/a.hotframe");
        for wrong in ["recording-1.hotframe", "../a", "/tmp/a", ""] {
            assert!(name(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_the_command_is_told_is_no_option_of_ours() {
        let (words, _) = record(Some("a")).words(Path::new("")).unwrap();
        let at = words.iter().position(|word| word == "--").unwrap();
        assert_eq!(words[at + 1..], ["python3", "--version"]);
        let other = Record { recorder: Some("x".to_owned()), ..record(None) };
        assert!(other.words(Path::new("")).unwrap_err().starts_with("there is no recorder x"));
    }
}
