//! How jobs end, and who is told.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use jobs::{
    BACK_OFF, Class, Cursor, End, Error, Hash, MOST_ATTEMPTS, MOST_FACTS, MOST_OUTPUT, Outcome,
    Phase, Piece, Which,
};

use crate::queue::{
    LEASE, PAST, Queue, beat, claimed, done, ends, failed, is_fenced, job, nothing, only_end,
    phase, retry, worker,
};

pub(crate) fn finishing_twice_is_finishing_once(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let claim = claimed(&*store, "w");
    let piece = Piece { name: "profile".to_owned(), hash: Hash::new(b"p"), length: 1 };
    let outcome = Outcome::Done { result: vec![piece.clone()], facts: vec![0, 255, 7] };
    store.finish(&claim, outcome.clone()).unwrap();
    store.finish(&claim, outcome).unwrap();
    store.finish(&claim, failed("changed its mind")).unwrap();
    assert_eq!(only_end(&*store), End::Done { result: vec![piece], facts: vec![0, 255, 7] });
}

pub(crate) fn trouble_is_tried_again_later(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    for attempt in 1..=MOST_ATTEMPTS {
        let claim = claimed(&*store, "w");
        assert_eq!((claim.job.place, claim.attempt), (1, attempt));
        store.finish(&claim, retry(&format!("trouble {attempt}"))).unwrap();
        store.finish(&claim, retry("said twice")).unwrap();
        is_fenced(beat(&*store, &claim));
        let Some(wait) = BACK_OFF.get(attempt as usize - 1) else { break };
        assert!(matches!(phase(&*store, &claim.job.key), Phase::Delayed { .. }));
        assert_eq!(store.counts("b", Which::All).unwrap().delayed, 1);
        // Meanwhile others get what comes after it.
        if attempt == 1 {
            let other = claimed(&*store, "w2");
            assert_eq!(other.job.place, 2);
            store.finish(&other, done()).unwrap();
        }
        nothing(&*store, "w");
        queue.pass(*wait + Duration::from_millis(400));
    }
    nothing(&*store, "w");
    let ends = ends(&*store, "b");
    assert_eq!(ends.len(), 2);
    let End::Failed { class: Class::Infrastructure, what, .. } = &ends[1].end else {
        panic!("it is given up")
    };
    let expected: Vec<String> = (1..=4).map(|n| format!("attempt {n}: trouble {n}")).collect();
    assert_eq!(*what, expected.join("\n"));
}

pub(crate) fn mistakes_of_users_are_final(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let claim = claimed(&*store, "w");
    let mut output = vec![b'x'; MOST_OUTPUT];
    output.extend(b"ValueError: \xff\x00");
    let partial = Piece { name: "part".to_owned(), hash: Hash::new(b""), length: 0 };
    let outcome = Outcome::Failed {
        class: Class::Timeout,
        what: "took longer than 60 s".to_owned(),
        output: output.clone(),
        result: vec![partial.clone()],
        facts: b"{}".to_vec(),
    };
    store.finish(&claim, outcome).unwrap();
    queue.pass(PAST);
    nothing(&*store, "w");
    let expected = End::Failed {
        class: Class::Timeout,
        what: "took longer than 60 s".to_owned(),
        output: output[output.len() - MOST_OUTPUT..].to_vec(),
        result: vec![partial],
        facts: b"{}".to_vec(),
    };
    assert!(only_end(&*store) == expected);
    let Phase::Ended { end, .. } = phase(&*store, &claim.job.key) else { panic!("it ended") };
    assert!(end == expected);
}

pub(crate) fn large_facts_are_refused(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let claim = claimed(&*store, "w");
    let with = |length| Outcome::Done { result: vec![], facts: vec![200; length] };
    let refused = store.finish(&claim, with(MOST_FACTS + 1));
    assert!(matches!(refused, Err(Error::TooLarge { .. })), "{refused:?}");
    assert!(matches!(phase(&*store, &claim.job.key), Phase::Running { .. }));
    store.finish(&claim, with(MOST_FACTS)).unwrap();
    let End::Done { facts, .. } = only_end(&*store) else { panic!("it is done") };
    assert_eq!(facts.len(), MOST_FACTS);
}

pub(crate) fn ends_are_reported_once(queue: &dyn Queue) {
    const JOBS: u64 = 400;
    let store = queue.open();
    store.add(&(0..JOBS).map(job).collect::<Vec<_>>()).unwrap();
    let over = AtomicBool::new(false);
    let collect = || {
        let store = queue.open();
        let (mut got, mut cursor) = (vec![], Cursor::START);
        loop {
            let is_last = over.load(Ordering::SeqCst);
            let (ended, next) = store.ended("b", cursor).unwrap();
            cursor = next.to_string().parse().unwrap();
            let is_empty = ended.is_empty();
            got.extend(ended);
            if is_empty && is_last {
                return got;
            }
        }
    };
    let work = |name: String| {
        let store = queue.open();
        let mut count = 0;
        while let Some(claim) = store.claim(&worker(&name), LEASE * 20).unwrap() {
            store.finish(&claim, done()).unwrap();
            count += 1;
        }
        count
    };
    let collected = thread::scope(|scope| {
        let collectors = [scope.spawn(collect), scope.spawn(collect)];
        let workers: Vec<_> = (0..8).map(|n| scope.spawn(move || work(format!("w{n}")))).collect();
        let worked: u64 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
        assert_eq!(worked, JOBS);
        over.store(true, Ordering::SeqCst);
        collectors.map(|collector| collector.join().unwrap())
    });
    let [one, other] = collected;
    assert_eq!(one.len() as u64, JOBS);
    assert_eq!(one, other);
    let keys: HashSet<_> = one.iter().map(|end| end.key).collect();
    assert_eq!(keys.len() as u64, JOBS);
    assert!(one.iter().all(|end| end.attempt == 1));
}

pub(crate) fn a_job_can_be_requested_again(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let key = job(1).key;
    assert!(!store.again(&key).unwrap(), "it waits");
    let first = claimed(&*store, "w");
    assert!(!store.again(&key).unwrap(), "it runs");
    store.finish(&first, failed("once")).unwrap();
    assert!(store.again(&key).unwrap());
    assert!(!store.again(&key).unwrap());
    is_fenced(store.finish(&first, done()));
    let second = claimed(&*store, "w");
    assert_eq!((second.attempt, &second.job), (1, &first.job));
    store.finish(&second, done()).unwrap();
    let ends = ends(&*store, "b");
    assert_eq!(ends.len(), 2);
    assert!(matches!(ends[0].end, End::Failed { .. }));
    assert!(matches!(ends[1].end, End::Done { .. }));
    let missing = store.again(&jobs::Key::new(b"none"));
    assert!(matches!(missing, Err(Error::Missing { .. })), "{missing:?}");
}
