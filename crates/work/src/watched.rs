//! Work that is watched.

use std::cell::RefCell;
use std::iter::FusedIterator;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

/// Sees how far work is, and says whether it is still wanted.
pub trait Watch: Send + Sync {
    /// Whether nobody wants the result any more.
    fn is_stopped(&self) -> bool;
    /// A part of the work has come so far. Called often.
    fn see(&self, progress: Progress);
}

/// How far a part of some work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, for people: `adding up`.
    pub phase: &'static str,
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// The work was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

thread_local! {
    static WATCH: RefCell<Option<Arc<dyn Watch>>> = const { RefCell::new(None) };
}

/// Runs work that `watch` sees and may stop, on this thread. Work inside of other watched work is
/// seen by the innermost watch.
///
/// # Errors
/// The watch stopped it.
pub fn watched<T>(watch: Arc<dyn Watch>, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let before = WATCH.replace(Some(watch));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    WATCH.set(before);
    match result {
        Ok(result) => Ok(result),
        Err(payload) if payload.is::<Stopped>() => Err(Stopped),
        Err(payload) => panic::resume_unwind(payload),
    }
}

/// The watch of this thread, for work that goes on elsewhere.
pub fn watch() -> Option<Arc<dyn Watch>> {
    WATCH.with_borrow(Clone::clone)
}

/// How many steps go by between two looks at the watch: a look costs as much as a few hundred.
const BETWEEN_LOOKS: usize = 1 << 14;

/// The items one by one, each a step of what `phase` says.
pub fn steps<I: IntoIterator<IntoIter: ExactSizeIterator>>(
    phase: &'static str,
    items: I,
) -> Steps<I::IntoIter> {
    let items = items.into_iter();
    Steps { phase, total: items.len(), done: 0, between_looks: BETWEEN_LOOKS, items }
}

/// The same for steps that take long each: every one is looked at.
pub fn long_steps<I: IntoIterator<IntoIter: ExactSizeIterator>>(
    phase: &'static str,
    items: I,
) -> Steps<I::IntoIter> {
    Steps { between_looks: 1, ..steps(phase, items) }
}

/// Items whose taking is seen.
#[derive(Debug, Clone)]
pub struct Steps<I> {
    phase: &'static str,
    items: I,
    done: usize,
    total: usize,
    between_looks: usize,
}

impl<I: ExactSizeIterator> Iterator for Steps<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if self.done > 0 && self.done.is_multiple_of(self.between_looks) {
            see(Progress { phase: self.phase, done: self.done, total: self.total });
        }
        let item = self.items.next()?;
        self.done += 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Steps<I> {}
impl<I: ExactSizeIterator + FusedIterator> FusedIterator for Steps<I> {}

/// Tells the watch of this thread, if there is one, and ends the work where it is to stop. For loops that
/// [`steps`] cannot go through.
pub fn see(progress: Progress) {
    let Some(watch) = watch() else { return };
    if watch.is_stopped() && cfg!(panic = "unwind") {
        panic::resume_unwind(Box::new(Stopped));
    }
    watch.see(progress);
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Seen {
        stop_after: Option<usize>,
        seen: Mutex<Vec<Progress>>,
    }

    impl Watch for Seen {
        fn is_stopped(&self) -> bool {
            self.stop_after.is_some_and(|most| self.seen.lock().unwrap().len() >= most)
        }

        fn see(&self, progress: Progress) {
            self.seen.lock().unwrap().push(progress);
        }
    }

    fn count(to: usize) -> usize {
        steps("counting", 0..to).filter(|number| number % 2 == 0).count()
    }

    #[test]
    fn work_that_nobody_watches_is_done() {
        assert_eq!(count(100_000), 50_000);
    }

    #[test]
    fn watched_work_is_seen_and_gives_the_same() {
        let watch = Arc::new(Seen::default());
        assert_eq!(watched(watch.clone(), || count(100_000)), Ok(50_000));
        let seen = watch.seen.lock().unwrap();
        assert_eq!(seen.len(), 100_000 / BETWEEN_LOOKS);
        assert!(seen.iter().all(|one| one.phase == "counting" && one.total == 100_000));
        assert!(seen.is_sorted_by(|a, b| a.done < b.done));
    }

    #[test]
    fn stopped_work_ends_there() {
        let watch = Arc::new(Seen { stop_after: Some(2), ..Seen::default() });
        assert_eq!(watched(watch.clone(), || count(usize::MAX)), Err(Stopped));
        assert_eq!(watch.seen.lock().unwrap().len(), 2);
        // What comes after is not watched.
        assert_eq!(count(100_000), 50_000);
        assert_eq!(watch.seen.lock().unwrap().len(), 2);
    }

    #[test]
    fn long_steps_are_each_looked_at() {
        let watch = Arc::new(Seen { stop_after: Some(3), ..Seen::default() });
        let mut begun = 0;
        let stopped = watched(watch, || long_steps("drawing", 0..9).for_each(|_| begun += 1));
        assert_eq!((stopped, begun), (Err(Stopped), 4));
        let watch = Arc::new(Seen::default());
        watched(watch.clone(), || long_steps("drawing", 0..3).for_each(drop)).unwrap();
        let done: Vec<usize> = watch.seen.lock().unwrap().iter().map(|one| one.done).collect();
        assert_eq!(done, [1, 2, 3]);
    }

    #[test]
    fn the_innermost_watch_stops_its_own_work_only() {
        let outer = Arc::new(Seen::default());
        let inner = Arc::new(Seen { stop_after: Some(1), ..Seen::default() });
        let both = || (watched(inner.clone(), || count(usize::MAX)), count(20_000));
        assert_eq!(watched(outer.clone(), both), Ok((Err(Stopped), 10_000)));
        assert_eq!(outer.seen.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_fault_is_no_stop() {
        let fault = panic::catch_unwind(|| {
            watched(Arc::new(Seen::default()), || panic::panic_any("a fault"))
        });
        assert_eq!(fault.unwrap_err().downcast_ref::<&str>(), Some(&"a fault"));
    }
}
