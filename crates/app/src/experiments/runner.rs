//! Who runs experiments for the page.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use experiment::Folders;
use jobs::{Connect, JobStore};

use super::places::RunId;
use super::work::{Run, Turns};

/// Who runs experiments for the page.
pub(crate) struct Experiments {
    pub(super) folders: Folders,
    pub(super) store: Box<dyn JobStore>,
    /// Those that were begun by this process.
    runs: Mutex<BTreeMap<RunId, Arc<Run>>>,
    pub(super) turns: Turns,
}

impl Experiments {
    /// With the folders of the user, and a thread that runs what is begun.
    pub(crate) fn new() -> Result<Arc<Experiments>> {
        let folders = Folders::of_user()?;
        let store = jobs::open(&folders.queue().to_string_lossy(), &Connect::default())?;
        let made = Arc::new(Experiments {
            folders,
            store,
            runs: Mutex::default(),
            turns: Turns::default(),
        });
        let working = Arc::clone(&made);
        std::thread::spawn(move || working.work());
        Ok(made)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<RunId, Arc<Run>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
