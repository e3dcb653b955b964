//! A queue under test, and short words for what cases do with it.

use std::time::Duration;

use jobs::{
    Claim, Class, Cursor, End, Ended, Error, Job, JobStore, Key, Needs, Offers, Outcome, Phase,
    Progress, Worker,
};

/// A queue of its own for a test.
pub(crate) trait Queue: Sync {
    /// Opens it, once more if it is open.
    fn open(&self) -> Box<dyn JobStore>;

    /// Lets time pass.
    fn pass(&self, time: Duration);

    /// How another process opens it.
    fn address(&self) -> String;
}

/// A lease that ends within a test.
pub(crate) const LEASE: Duration = Duration::from_secs(2);
/// A little more than that.
pub(crate) const PAST: Duration = Duration::from_millis(2600);

/// A job of the batch `b`, whose key and body follow from its place.
pub(crate) fn job(place: u64) -> Job {
    job_of("b", place)
}

pub(crate) fn job_of(batch: &str, place: u64) -> Job {
    let body = format!("{batch}/{place}").into_bytes();
    Job {
        key: Key::new(&body),
        batch: batch.to_owned(),
        place,
        needs: Needs::none(),
        body,
        measured: false,
    }
}

pub(crate) fn worker(name: &str) -> Worker {
    Worker { name: name.to_owned(), machine: "m".to_owned(), offers: Offers::none() }
}

pub(crate) fn done() -> Outcome {
    Outcome::Done { result: vec![], facts: vec![] }
}

pub(crate) fn failed(what: &str) -> Outcome {
    Outcome::Failed {
        class: Class::User,
        what: what.to_owned(),
        output: vec![],
        result: vec![],
        facts: vec![],
    }
}

pub(crate) fn retry(what: &str) -> Outcome {
    Outcome::Retry { what: what.to_owned() }
}

/// A claim that must be had.
#[track_caller]
pub(crate) fn claimed(store: &dyn JobStore, name: &str) -> Claim {
    store.claim(&worker(name), LEASE).unwrap().expect("there is a job")
}

/// No claim is to be had.
#[track_caller]
pub(crate) fn nothing(store: &dyn JobStore, name: &str) {
    assert_eq!(store.claim(&worker(name), LEASE).unwrap(), None);
}

pub(crate) fn beat(store: &dyn JobStore, claim: &Claim) -> Result<jobs::Beat, Error> {
    store.beat(claim, &Progress::default())
}

#[track_caller]
pub(crate) fn is_fenced<T: std::fmt::Debug>(answer: Result<T, Error>) {
    assert!(matches!(answer, Err(Error::Fenced { .. })), "{answer:?}");
}

/// All ends of a batch, from the start.
pub(crate) fn ends(store: &dyn JobStore, batch: &str) -> Vec<Ended> {
    let (mut all, mut cursor) = (vec![], Cursor::START);
    loop {
        let (ended, next) = store.ended(batch, cursor).unwrap();
        if ended.is_empty() {
            assert_eq!(next, cursor);
            return all;
        }
        all.extend(ended);
        cursor = next;
    }
}

/// The end of the only job of the batch `b` that has ended.
#[track_caller]
pub(crate) fn only_end(store: &dyn JobStore) -> End {
    let mut ends = ends(store, "b");
    assert_eq!(ends.len(), 1, "{ends:?}");
    ends.remove(0).end
}

#[track_caller]
pub(crate) fn phase(store: &dyn JobStore, key: &Key) -> Phase {
    store.job(key).unwrap().expect("the job is there").phase
}
