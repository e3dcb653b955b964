//! Experiments that are begun from the page, where that is allowed: what was sent is kept by its hash,
//! plans are checked, and what they ask for is run isolated, one after the other.
//!
//! ```text
//! uploads/ID/about.json             what was sent, and when
//!            source/                its files
//!            runs/PLAN/plan.toml    a plan as it was begun last
//!                      about.json   what the queue calls it
//!                      NAME.hotframe
//! ```

mod allowed;
mod form;
mod host;
mod listing;
mod places;
mod queue;
mod scripts;
mod status;
mod unpack;
mod uploads;
mod work;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use experiment::{Folders, Interpreter, find_interpreters};
use jobs::{Connect, JobStore};
use protocol::{ErrorCode, ProtocolError};

use places::RunId;
use work::{Run, Turns};

/// Most runs of a plan.
const MOST_RUNS: u32 = 1000;
/// Most seconds that a run may take.
const MOST_SECONDS: f64 = 3600.0;
/// Most bytes of a file that is sent.
const MOST_UPLOAD_BYTES: u64 = 64 << 20;

/// Who runs experiments for the page.
pub(crate) struct Experiments {
    folders: Folders,
    store: Box<dyn JobStore>,
    /// Those that were begun by this process.
    runs: Mutex<BTreeMap<RunId, Arc<Run>>>,
    turns: Turns,
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

    fn lock(&self) -> MutexGuard<'_, BTreeMap<RunId, Arc<Run>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All interpreters; asked anew, since one may have been installed.
fn interpreters() -> Vec<Interpreter> {
    find_interpreters()
}

/// How a plan names an interpreter so that no other is meant.
fn level_of(one: &Interpreter, all: &[Interpreter]) -> String {
    let same = all.iter().filter(|other| other.version == one.version).count();
    if same == 1 { one.version.clone() } else { one.program.to_string_lossy().into_owned() }
}

/// What was asked for makes no sense, or is not allowed.
fn refused(message: impl Into<String>, hint: &str) -> ProtocolError {
    ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
}

/// This machine's trouble.
fn failed(error: &dyn std::fmt::Display) -> ProtocolError {
    let text = error.to_string();
    let (message, hint) = text.split_once('\n').unwrap_or((&text, ""));
    ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
}
