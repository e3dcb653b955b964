//! Queues in folders, with time that passes when a test says so.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jobs::{Clock, FolderStore, JobStore, Moment, SystemClock};
use tempfile::TempDir;

use crate::queue::Queue;

/// A clock that is set by hand, from what the machine's said at first.
#[derive(Clone)]
pub(crate) struct TestClock(Arc<Mutex<Moment>>);

impl TestClock {
    pub(crate) fn new() -> TestClock {
        TestClock(Arc::new(Mutex::new(SystemClock::new().now())))
    }

    pub(crate) fn pass(&self, time: Duration) {
        let mut now = self.0.lock().unwrap();
        now.up += time;
        now.wall += i64::try_from(time.as_nanos()).unwrap();
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Moment)) {
        change(&mut self.0.lock().unwrap());
    }
}

impl Clock for TestClock {
    fn now(&self) -> Moment {
        self.0.lock().unwrap().clone()
    }
}

/// A queue in a folder of its own.
pub(crate) struct FolderQueue {
    pub(crate) folder: TempDir,
    pub(crate) clock: TestClock,
}

impl FolderQueue {
    pub(crate) fn new() -> FolderQueue {
        FolderQueue { folder: tempfile::tempdir().unwrap(), clock: TestClock::new() }
    }
}

impl Queue for FolderQueue {
    fn open(&self) -> Box<dyn JobStore> {
        let clock = Arc::new(self.clock.clone());
        Box::new(FolderStore::with_clock(self.folder.path(), clock).unwrap())
    }

    fn pass(&self, time: Duration) {
        self.clock.pass(time);
    }

    fn address(&self) -> String {
        self.folder.path().to_str().unwrap().to_owned()
    }
}
