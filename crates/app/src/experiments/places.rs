//! Where things are, by names that cannot lead anywhere else.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use experiment::{Experiment, Folders, batch_of};
use protocol::ProtocolError;
use serde::{Deserialize, Serialize};

use super::errors::{failed, refused};

/// Digits of an upload's id, and of a plan's.
const UPLOAD_DIGITS: usize = 16;
const PLAN_DIGITS: usize = 12;

/// A program that was sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UploadId(String);

/// A plan of an upload: all plans by which runs can be compared are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunId {
    pub(super) upload: UploadId,
    plan: String,
}

impl fmt::Display for UploadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.upload, self.plan)
    }
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

impl UploadId {
    /// By name and content.
    pub(super) fn new(name: &str, bytes: &[u8]) -> UploadId {
        let told = [name.as_bytes(), b"\0", bytes].concat();
        UploadId(jobs::Key::new(&told).to_string()[..UPLOAD_DIGITS].to_owned())
    }

    /// One that a page names.
    pub(super) fn read(text: &str) -> Result<UploadId, ProtocolError> {
        if is_hex(text, UPLOAD_DIGITS) {
            return Ok(UploadId(text.to_owned()));
        }
        Err(refused("that is not an id of an upload", "Ids have 16 hexadecimal digits."))
    }

    pub(super) fn folder(&self, folders: &Folders) -> PathBuf {
        folders.uploads().join(&self.0)
    }

    /// The folder of its files.
    pub(super) fn source(&self, folders: &Folders) -> PathBuf {
        self.folder(folders).join("source")
    }
}

impl RunId {
    /// That of an experiment whose source is the upload's.
    pub(super) fn new(upload: &UploadId, experiment: &Experiment) -> RunId {
        let batch = batch_of(experiment);
        let plan = &batch[batch.len() - PLAN_DIGITS..];
        RunId { upload: upload.clone(), plan: plan.to_owned() }
    }

    /// One that a page, or a folder, names.
    pub(super) fn read(text: &str) -> Result<RunId, ProtocolError> {
        let parts = text.split_once('-');
        let parts = parts.filter(|(_, plan)| is_hex(plan, PLAN_DIGITS));
        let Some((upload, plan)) = parts else {
            return Err(refused("that is not an experiment", "Look for it in the list."));
        };
        Ok(RunId { upload: UploadId::read(upload)?, plan: plan.to_owned() })
    }

    pub(super) fn folder(&self, folders: &Folders) -> PathBuf {
        self.upload.folder(folders).join("runs").join(&self.plan)
    }

    /// All of an upload.
    pub(super) fn all(upload: &UploadId, folders: &Folders) -> Vec<RunId> {
        let entries = fs::read_dir(upload.folder(folders).join("runs")).into_iter().flatten();
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|plan| RunId::read(&format!("{upload}-{plan}")).ok()).collect()
    }
}

/// What is kept of an upload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AboutUpload {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) files: u32,
    pub(super) added_s: f64,
    pub(super) notes: Vec<String>,
}

/// What is kept of an experiment besides its plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AboutRun {
    /// The plan's name, after which the result is called.
    pub(super) name: String,
    pub(super) recorder: String,
    /// What tells it from others of the same program.
    #[serde(default)]
    pub(super) what: String,
    /// How many runs its plan has.
    #[serde(default)]
    pub(super) runs: u32,
    /// What the queue calls it.
    pub(super) batch: String,
    pub(super) begun_s: f64,
    /// Why it failed as a whole; empty where it did not.
    pub(super) problem: String,
}

impl AboutRun {
    /// The result, in the folder of its experiment.
    pub(super) fn result(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.hotframe", self.name))
    }
}

const ABOUT: &str = "about.json";

/// What a folder says of itself; none where it does not.
pub(super) fn about<T: serde::de::DeserializeOwned>(folder: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(folder.join(ABOUT)).ok()?).ok()
}

/// Writes what a folder says of itself, whole or not at all.
pub(super) fn tell<T: Serialize>(folder: &Path, about: &T) -> Result<(), ProtocolError> {
    let text = serde_json::to_vec(about).map_err(|error| failed(&error))?;
    write(&folder.join(ABOUT), &text)
}

/// Writes a file, whole or not at all.
pub(super) fn write(path: &Path, text: &[u8]) -> Result<(), ProtocolError> {
    let partial = path.with_extension("partial");
    let wrote = fs::write(&partial, text).and_then(|()| fs::rename(&partial, path));
    wrote.map_err(|error| failed(&format!("cannot write {}: {error}", path.display())))
}

/// Seconds since 1970.
pub(super) fn now_s() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
