//! Keeping what was sent.

use std::fs;

use protocol::{ProtocolError, RunListParams, RunListResult, RunSummary, RunUpload};

use super::errors::{failed, refused};
use super::places::{AboutUpload, RunId, UploadId, about, now_s, tell};
use super::runner::Experiments;
use super::scripts::scripts;
use super::unpack::unpack;

/// Most uploads that are kept, and that are told at once.
const MOST_KEPT: usize = 1000;
const MOST_TOLD: usize = 100;
/// Most bytes of a name.
const MOST_NAME: usize = 200;

impl Experiments {
    /// Keeps a file by its name and content; what is there already stays.
    pub(super) fn kept(&self, name: &str, bytes: &[u8]) -> Result<RunUpload, ProtocolError> {
        if name.is_empty() || name.len() > MOST_NAME {
            return Err(refused("the file has no name, or its name is too long", "Rename it."));
        }
        let id = UploadId::new(name, bytes);
        let folder = id.folder(&self.folders);
        if about::<AboutUpload>(&folder).is_some() {
            return self.upload_result(&id);
        }
        let uploads = self.folders.uploads();
        fs::create_dir_all(&uploads).map_err(|error| failed(&error))?;
        if self.ids().len() >= MOST_KEPT {
            let hint = format!("Remove folders that are not needed: {}", uploads.display());
            return Err(refused("too many programs are kept", &hint));
        }
        // Beside the others, and one of them only when it is whole.
        let partial = tempfile::Builder::new().prefix(".").tempdir_in(&uploads);
        let partial = partial.map_err(|error| failed(&error))?;
        let source = partial.path().join("source");
        fs::create_dir(&source).map_err(|error| failed(&error))?;
        let unpacked = unpack(name, bytes, &source)?;
        let upload_result = AboutUpload {
            name: name.to_owned(),
            bytes: unpacked.bytes,
            files: unpacked.files,
            added_s: now_s(),
            notes: unpacked.notes,
        };
        tell(partial.path(), &upload_result)?;
        // Another page may have sent the same meanwhile.
        if fs::rename(partial.path(), &folder).is_err() && !folder.is_dir() {
            return Err(failed(&format!("cannot write {}", folder.display())));
        }
        self.upload_result(&id)
    }

    pub(super) fn ids(&self) -> Vec<UploadId> {
        let entries = fs::read_dir(self.folders.uploads()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| UploadId::read(&name).ok()).collect()
    }

    /// What is known of an upload.
    pub(super) fn upload_result(&self, id: &UploadId) -> Result<RunUpload, ProtocolError> {
        let found: Option<AboutUpload> = about(&id.folder(&self.folders));
        let Some(found) = found else {
            return Err(refused("there is no such upload", "Send the file again."));
        };
        let mut runs: Vec<_> =
            RunId::all(id, &self.folders).iter().filter_map(|run| self.summary(run).ok()).collect();
        runs.sort_by(|a, b| b.begun_s.total_cmp(&a.begun_s));
        Ok(RunUpload {
            id: id.to_string(),
            name: found.name,
            bytes: found.bytes as f64,
            files: found.files,
            added_s: found.added_s,
            scripts: scripts(&id.source(&self.folders)),
            notes: found.notes,
            runs,
        })
    }

    /// Uploads that are asked for, with those of their experiments that are.
    pub(super) fn found(&self, asked: &RunListParams) -> RunListResult {
        let search = asked.search.to_lowercase();
        let is_then = |time: f64| {
            asked.from_s.is_none_or(|from| time >= from) && asked.to_s.is_none_or(|to| time < to)
        };
        let is_wanted = |run: &RunSummary| {
            asked.phase.is_none_or(|phase| phase == run.phase) && is_then(run.begun_s)
        };
        let is_like = |one: &RunUpload| {
            let mut texts = format!("{} {}", one.name, one.id);
            for run in &one.runs {
                texts = format!("{texts} {} {} {}", run.name, run.what, run.recorder);
            }
            let texts = texts.to_lowercase();
            search.split_whitespace().all(|word| texts.contains(word))
        };
        let narrowed = |mut one: RunUpload| {
            let was_sent = asked.phase.is_none() && is_then(one.added_s);
            one.runs.retain(is_wanted);
            (was_sent || !one.runs.is_empty()).then_some(one)
        };
        let mut uploads: Vec<RunUpload> = self
            .ids()
            .iter()
            .filter_map(|id| self.upload_result(id).ok())
            .filter(is_like)
            .filter_map(narrowed)
            .collect();
        let newest = |one: &RunUpload| one.runs.first().map_or(one.added_s, |run| run.begun_s);
        uploads.sort_by(|a, b| newest(b).total_cmp(&newest(a)));
        let left_out = uploads.len().saturating_sub(MOST_TOLD) as u32;
        uploads.truncate(MOST_TOLD);
        RunListResult { uploads, left_out }
    }
}
