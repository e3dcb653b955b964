//! What a call is to those who answer it.

use std::sync::Arc;

use protocol::Progress;

/// What a request may use while it runs.
pub trait Call: Sync {
    /// Tells the caller how far the request is.
    fn progress(&self, progress: Progress);
    /// Whether the caller has lost interest.
    fn is_cancelled(&self) -> bool;
    /// A number of the page that calls, for what belongs to one page; see
    /// [`crate::Session::forget_caller`].
    fn caller(&self) -> u64 {
        0
    }
    /// The call as long work sees it; none where nobody can watch or stop it meanwhile.
    fn watch(&self) -> Option<Arc<dyn work::Watch>> {
        None
    }
}

/// A call that nobody watches.
pub struct Silent;

impl Call for Silent {
    fn progress(&self, _: Progress) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}
