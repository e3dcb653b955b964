//! Recording a command for a client, where whoever started the server allows it.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

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
    /// The words of the command line, and the file that is written, which is there from now on: below
    /// `folder`.
    pub(super) fn words(&self, folder: &Path) -> Result<(Vec<OsString>, Reserved), String> {
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
        let file = match &self.output {
            Some(name) => own_file(folder, name)?,
            None => free_file(folder, ending)?,
        };
        let mut words: Vec<OsString> = words.iter().map(OsString::from).collect();
        words.extend(["--no-open".into(), format!("--output={}", file.name).into(), "--".into()]);
        words.extend(self.command.iter().map(OsString::from));
        Ok((words, file))
    }
}

/// A file that nobody else writes: it is there, empty until something is recorded, and gone if nothing is.
#[derive(Debug)]
pub(super) struct Reserved {
    /// As it is told, from the first root.
    pub(super) name: String,
    path: PathBuf,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

impl Reserved {
    fn new(folder: &Path, name: &str) -> io::Result<Reserved> {
        let path = folder.join(name);
        // Fails where anything is, a link too.
        OpenOptions::new().write(true).create_new(true).open(&path)?;
        Ok(Reserved { name: name.to_owned(), path, made: vec![] })
    }

    /// Whether something was recorded.
    pub(super) fn is_written(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|file| file.is_file() && file.len() > 0)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if !self.is_written() {
            let _ = fs::remove_file(&self.path);
            // What others put there keeps its folder.
            self.made.iter().take_while(|folder| fs::remove_dir(folder).is_ok()).count();
        }
    }
}

/// The file of a name that the client wants, where nothing is yet.
fn own_file(folder: &Path, name: &str) -> Result<Reserved, String> {
    let outside = || format!("{name} is not a file below {}", folder.display());
    let path = Path::new(name);
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain || name.is_empty() {
        return Err(outside());
    }
    // Links lead wherever they want.
    let parent = folder.join(path.parent().unwrap_or(Path::new("")));
    let known = parent.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    if !known.is_some_and(|known| known.starts_with(folder)) {
        return Err(outside());
    }
    let is_new = |ancestor: &&Path| !ancestor.exists();
    let made = parent.ancestors().take_while(is_new).map(Path::to_path_buf).collect();
    fs::create_dir_all(&parent).map_err(|error| format!("{name}: {error}"))?;
    let mut reserved = Reserved::new(folder, name).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{name} exists already: choose another name"),
        _ => format!("{name}: {error}"),
    })?;
    reserved.made = made;
    Ok(reserved)
}

fn free_file(folder: &Path, ending: &str) -> Result<Reserved, String> {
    for number in 1.. {
        let name = format!("recording-{number}.{ending}");
        match Reserved::new(folder, &name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            reserved => return reserved.map_err(|error| format!("{name}: {error}")),
        }
    }
    Err("all names are taken".to_owned())
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
        let root = folder.path().canonicalize().unwrap();
        let file = |output| record(output).words(&root).map(|(_, file)| file);
        let first = file(None).unwrap();
        assert_eq!(first.name, "recording-1.hotframe");
        // Also while the other one is not written yet.
        let second = file(None).unwrap();
        assert_eq!(second.name, "recording-2.hotframe");
        assert_eq!(file(Some("new/b/a.hotframe")).unwrap().name, "new/b/a.hotframe");
        assert!(!root.join("new").exists(), "what was made for it is gone with it");
        fs::write(root.join("recording-1.hotframe"), "x").unwrap();
        drop((first, second));
        assert!(root.join("recording-1.hotframe").exists());
        assert!(!root.join("recording-2.hotframe").exists(), "nothing was recorded");
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join("link")).unwrap();
        for wrong in ["recording-1.hotframe", "../a", "/tmp/a", "", "link/a", "link"] {
            assert!(file(Some(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }

    #[test]
    fn arguments_of_the_command_are_not_our_options() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (words, _) = record(Some("a")).words(&root).unwrap();
        let at = words.iter().position(|word| word == "--").unwrap();
        assert_eq!(words[at + 1..], ["python3", "--version"]);
        let other = Record { recorder: Some("x".to_owned()), ..record(None) };
        assert!(other.words(&root).unwrap_err().starts_with("there is no recorder x"));
    }
}
