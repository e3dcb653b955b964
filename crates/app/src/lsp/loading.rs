//! Reading a file while the editor goes on.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

use protocol::Progress;
use session::{Call, GraphDocument, Session, Silent};

use super::events::{Event, Loaded};
use super::graphs::Graph;
use super::profiles::{Profile, Stamp, stamp};
use super::settings::Settings;

/// A file that is being read.
pub(super) struct Loading {
    pub(super) path: PathBuf,
    /// Its number in the session.
    pub(super) document: u32,
    /// Of the file when reading began.
    pub(super) stamp: Stamp,
    pub(super) started: Instant,
    /// Whether the editor shows how far it is.
    pub(super) is_shown: bool,
    cancelled: Arc<AtomicBool>,
}

impl Loading {
    /// Starts to read a document of the session; its end is an event.
    pub(super) fn start(
        session: &Arc<Session>,
        path: &Path,
        document: u32,
        settings: &Settings,
        events: &SyncSender<Event>,
    ) -> Loading {
        let cancelled = Arc::new(AtomicBool::new(false));
        let stamp = stamp(path);
        let loading = Loading {
            path: path.to_owned(),
            document,
            stamp,
            started: Instant::now(),
            is_shown: false,
            cancelled: cancelled.clone(),
        };
        let call = ProgressReport { document, events: events.clone(), cancelled };
        let (session, path, settings) = (session.clone(), path.to_owned(), settings.clone());
        thread::spawn(move || {
            let read = || {
                session.load_with_progress(document, &call);
                match session.ready::<GraphDocument>(document, &Silent) {
                    Ok(graph) => {
                        let graph = Graph::new(&path, stamp, document, graph, &settings);
                        Ok(Loaded::Graph(Box::new(graph)))
                    }
                    // It is a profile, or the reason why it is neither comes once more.
                    Err(_) => {
                        let read = session.ready(document, &Silent)?;
                        let profile = Profile::new(&path, stamp, document, read, &settings)?;
                        anyhow::Ok(Loaded::Profile(Box::new(profile)))
                    }
                }
            };
            // Everything waits for this answer, so it comes even if a reader has a fault.
            let read = match panic::catch_unwind(AssertUnwindSafe(read)) {
                Ok(read) => read.map_err(|error| format!("{error:#}")),
                Err(_) => Err("the engine failed on it".to_owned()),
            };
            // A server that is gone needs no profile.
            let _ = call.events.send(Event::Loaded { document, read });
        });
        loading
    }

    /// Whether somebody stopped it.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Stops reading.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Tells the server how far reading is.
struct ProgressReport {
    document: u32,
    events: SyncSender<Event>,
    cancelled: Arc<AtomicBool>,
}

impl Call for ProgressReport {
    fn progress(&self, progress: Progress) {
        // Progress that finds the server busy may be missed.
        let _ = self.events.try_send(Event::Progress { document: self.document, progress });
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
