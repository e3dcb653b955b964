//! Jobs that somebody no longer wants.

use jobs::{Beat, Counts, End, Error, Key, Phase, Which};

use crate::queue::{
    PAST, Queue, beat, claimed, done, ends, job, job_of, nothing, only_end, phase, retry,
};

pub(crate) fn what_waits_ends_at_once(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let key = job(1).key;
    assert!(store.cancel(&key).unwrap());
    assert!(!store.cancel(&key).unwrap());
    nothing(&*store, "w");
    assert_eq!(only_end(&*store), End::Cancelled);
    assert_eq!(ends(&*store, "b")[0].attempt, 0);
    assert!(store.again(&key).unwrap());
    let claim = claimed(&*store, "w");
    assert_eq!(claim.attempt, 1);
    store.finish(&claim, retry("trouble")).unwrap();
    assert!(store.cancel(&key).unwrap(), "what waits to be tried again waits");
    queue.pass(PAST);
    nothing(&*store, "w");
    assert_eq!(ends(&*store, "b").len(), 2);
    let missing = store.cancel(&Key::new(b"none"));
    assert!(matches!(missing, Err(Error::Missing { .. })), "{missing:?}");
}

pub(crate) fn reports_what_runs(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    for outcome in [done(), retry("stopped")] {
        let claim = claimed(&*store, "w");
        assert_eq!(beat(&*store, &claim).unwrap(), Beat::GoOn);
        assert!(queue.open().cancel(&claim.job.key).unwrap());
        assert!(!store.cancel(&claim.job.key).unwrap());
        assert!(matches!(phase(&*store, &claim.job.key), Phase::Running { cancelled: true, .. }));
        assert_eq!(beat(&*store, &claim).unwrap(), Beat::Cancelled);
        store.log(&claim, b"stopping").unwrap();
        store.finish(&claim, outcome).unwrap();
        store.finish(&claim, done()).unwrap();
    }
    nothing(&*store, "w");
    let ends: Vec<_> = ends(&*store, "b").into_iter().map(|end| end.end).collect();
    assert_eq!(ends, [End::Cancelled, End::Cancelled]);
}

pub(crate) fn who_was_reported_and_died_is_cancelled(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let claim = claimed(&*store, "w");
    store.cancel(&claim.job.key).unwrap();
    queue.pass(PAST);
    nothing(&*store, "other");
    assert_eq!(only_end(&*store), End::Cancelled);
}

pub(crate) fn a_batch_is_cancelled(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&(0..5).map(job).collect::<Vec<_>>()).unwrap();
    store.add(&[job_of("other", 9)]).unwrap();
    let ended = claimed(&*store, "w");
    store.finish(&ended, done()).unwrap();
    let runs = claimed(&*store, "w");
    assert_eq!(store.cancel_batch("b").unwrap(), 4);
    assert_eq!(store.cancel_batch("b").unwrap(), 0);
    let counts = store.counts("b", Which::All).unwrap();
    assert_eq!(counts, Counts { running: 1, done: 1, cancelled: 3, ..Counts::default() });
    assert_eq!(beat(&*store, &runs).unwrap(), Beat::Cancelled);
    assert_eq!(claimed(&*store, "w2").job.batch, "other");
}
