//! A request under way, as the session and its long work see it.

use std::sync::{Arc, Mutex, PoisonError};

use protocol::{Frame, Header, Progress};
use session::Call;

use crate::Page;

/// Seconds after which a page is told how far an answer is, and between two such times.
const UNTIL_PROGRESS_S: f64 = 0.4;
const BETWEEN_PROGRESS_S: f64 = 0.1;

/// The call of a page. Nothing stops it: who does not want to wait any longer ends the worker.
pub(crate) struct PageCall<P>(Arc<PageProgress<P>>);

struct PageProgress<P> {
    page: Arc<P>,
    id: u32,
    /// When the page is told next how far long work is, in its seconds.
    next_s: Mutex<f64>,
}

impl<P: Page> PageCall<P> {
    pub(crate) fn new(page: Arc<P>, id: u32) -> PageCall<P> {
        let next_s = Mutex::new(page.seconds() + UNTIL_PROGRESS_S);
        PageCall(Arc::new(PageProgress { page, id, next_s }))
    }
}

impl<P: Page> PageProgress<P> {
    fn tell(&self, progress: Progress) {
        let header = Header::Progress { id: self.id, progress };
        self.page.send(&protocol::encode(&Frame { header, columns: vec![] }));
    }
}

impl<P: Page + 'static> Call for PageCall<P> {
    fn progress(&self, progress: Progress) {
        self.0.tell(progress);
    }

    fn is_cancelled(&self) -> bool {
        false
    }

    fn watch(&self) -> Option<Arc<dyn work::Watch>> {
        Some(self.0.clone())
    }
}

impl<P: Page> work::Watch for PageProgress<P> {
    fn is_stopped(&self) -> bool {
        false
    }

    fn see(&self, progress: work::Progress) {
        let now_s = self.page.seconds();
        let mut next_s = self.next_s.lock().unwrap_or_else(PoisonError::into_inner);
        if now_s < *next_s {
            return;
        }
        *next_s = now_s + BETWEEN_PROGRESS_S;
        self.tell(Progress {
            phase: progress.phase.to_owned(),
            done: progress.done as f64,
            total: progress.total as f64,
        });
    }
}
