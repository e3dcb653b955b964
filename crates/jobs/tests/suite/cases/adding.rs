//! Jobs that are added.

use jobs::{Counts, Error, Key, MOST_BODY, Phase, Which};

use crate::queue::{Queue, claimed, done, ends, job, job_of};

pub(crate) fn added_jobs_are_there_once(queue: &dyn Queue) {
    let store = queue.open();
    assert_eq!(store.add(&[job(1), job(2), job(1)]).unwrap(), 2);
    assert_eq!(store.add(&[job(2), job(3)]).unwrap(), 1);
    // The same job asked for by another experiment is the same job.
    let mut other = job(3);
    other.batch = "other".to_owned();
    assert_eq!(queue.open().add(&[other]).unwrap(), 0);
    assert_eq!(store.counts("b", Which::All).unwrap(), Counts { waiting: 3, ..Counts::default() });
    assert_eq!(store.counts("other", Which::All).unwrap(), Counts::default());
    let measured = jobs::Job { measured: true, ..job_of("two", 1) };
    store.add(&[job_of("two", 0), measured]).unwrap();
    let counts = [Which::All, Which::Measured].map(|which| store.counts("two", which).unwrap());
    assert_eq!(counts.map(|counts| counts.waiting), [2, 1]);
    let claim = claimed(&*store, "w");
    store.finish(&claim, done()).unwrap();
    assert_eq!(store.add(&[job(1)]).unwrap(), 0, "what ended is not run again by adding it");
    let places: Vec<u64> = store.jobs("b").unwrap().iter().map(|job| job.place).collect();
    assert_eq!(places, [1, 2, 3]);
    assert_eq!(store.job(&Key::new(b"none")).unwrap(), None);
    assert_eq!(store.jobs("none").unwrap(), []);
    let status = store.job(&job(2).key).unwrap().unwrap();
    assert_eq!((status.attempt, status.phase), (0, Phase::Waiting));
}

pub(crate) fn large_bodies_are_refused(queue: &dyn Queue) {
    let store = queue.open();
    let (mut largest, mut larger) = (job(1), job(2));
    largest.body = (0..MOST_BODY).map(|at| (at % 251) as u8).collect();
    larger.body = vec![7; MOST_BODY + 1];
    let refused = store.add(&[largest.clone(), larger]);
    assert!(matches!(refused, Err(Error::TooLarge { .. })), "{refused:?}");
    assert_eq!(store.counts("b", Which::All).unwrap().all(), 0);
    assert_eq!(store.add(&[largest.clone()]).unwrap(), 1);
    assert!(claimed(&*store, "w").job == largest);
}

pub(crate) fn ten_thousand_jobs(queue: &dyn Queue) {
    let store = queue.open();
    let jobs: Vec<_> = (0..10_000).map(|place| job_of("many", place)).collect();
    assert_eq!(store.add(&jobs).unwrap(), 10_000);
    assert_eq!(store.add(&jobs[9_000..]).unwrap(), 0);
    assert_eq!(store.counts("many", Which::All).unwrap().waiting, 10_000);
    for job in &jobs[..10] {
        let claim = claimed(&*store, "w");
        assert_eq!(claim.job, *job);
        store.finish(&claim, done()).unwrap();
    }
    assert_eq!(store.cancel_batch("many").unwrap(), 9_990);
    let counts = store.counts("many", Which::All).unwrap();
    assert_eq!(counts, Counts { done: 10, cancelled: 9_990, ..Counts::default() });
    let ends = ends(&*store, "many");
    assert_eq!(ends.len(), 10_000);
    assert!(ends[..10].iter().zip(&jobs).all(|(end, job)| end.key == job.key));
    assert_eq!(store.jobs("many").unwrap().len(), 10_000);
    store.add(&[job(1)]).unwrap();
    assert_eq!(claimed(&*store, "w").job, job(1), "behind thousands that were cancelled");
}
