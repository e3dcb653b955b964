//! Who gets which job, for how long.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use jobs::{
    ARCHITECTURE, Beat, Class, Connect, End, INTERPRETER, Needs, Offers, Phase, Progress, Which,
    open,
};

use crate::queue::{
    LEASE, PAST, Queue, beat, claimed, done, ends, failed, is_fenced, job, job_of, nothing,
    only_end, phase, retry, worker,
};

pub(crate) fn jobs_come_in_order(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(7), job(2), job(u64::MAX), job(0)]).unwrap();
    store.add(&[job_of("later", 1), job_of("later", 0)]).unwrap();
    let mut got = vec![];
    while let Some(claim) = store.claim(&worker("w"), LEASE).unwrap() {
        assert_eq!(claim.job, job_of(&claim.job.batch, claim.job.place));
        got.push((claim.job.batch.clone(), claim.job.place));
        store.finish(&claim, done()).unwrap();
    }
    let expected = [("b", 0), ("b", 2), ("b", 7), ("b", u64::MAX), ("later", 0), ("later", 1)];
    assert_eq!(got, expected.map(|(batch, place)| (batch.to_owned(), place)));
}

pub(crate) fn workers_get_what_they_can_do(queue: &dyn Queue) {
    let store = queue.open();
    let odd = "3.12 (main, *.>) ä\u{0}/";
    let with = |place, needs| jobs::Job { needs, ..job(place) };
    let x86 = Needs::none().with(ARCHITECTURE, "x86_64");
    let jobs = [
        with(1, x86.clone().with(INTERPRETER, odd)),
        with(2, x86.clone()),
        with(3, Needs::none().with("", "")),
        with(4, Needs::none()),
    ];
    store.add(&jobs).unwrap();
    let gets = |offers: Offers| {
        let worker = jobs::Worker { offers, ..worker("w") };
        let claim = store.claim(&worker, LEASE).unwrap();
        claim.map(|claim| {
            store.finish(&claim, done()).unwrap();
            claim.job.place
        })
    };
    let arm = Offers::none().with(ARCHITECTURE, "aarch64").with(INTERPRETER, odd);
    assert_eq!(gets(arm.clone()), Some(4));
    assert_eq!(gets(arm), None);
    let both = Offers::none().with(ARCHITECTURE, "x86_64").with(INTERPRETER, "3.13");
    assert_eq!(gets(both.clone()), Some(2));
    assert_eq!(gets(both.clone()), None);
    assert_eq!(gets(both.with(INTERPRETER, odd)), Some(1));
    assert_eq!(gets(Offers::none().with("", "")), Some(3));
    assert_eq!(ends(&*store, "b").len(), 4);
}

pub(crate) fn a_lease_ends_and_the_job_goes_on(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    let first = claimed(&*store, "a");
    assert_eq!((first.attempt, first.job.place), (1, 1));
    let second = claimed(&*store, "b");
    assert_eq!(second.job.place, 2);
    store.finish(&second, done()).unwrap();
    nothing(&*store, "b");
    queue.pass(PAST);
    let again = claimed(&*store, "b");
    assert_eq!((again.attempt, &again.job), (2, &first.job));
    assert!(again.fence > first.fence);
    store.finish(&again, done()).unwrap();
    let ends = ends(&*store, "b");
    let told: Vec<_> = ends.iter().map(|end| (end.place, end.attempt)).collect();
    assert_eq!(told, [(2, 1), (1, 2)]);
    assert_eq!(ends[1].worker.as_deref(), Some("b"));
    let status = store.job(&again.job.key).unwrap().unwrap();
    assert!(status.troubles[0].contains("attempt 1: lost contact with a"), "{:?}", status.troubles);
}

pub(crate) fn a_beat_makes_the_lease_longer(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let claim = claimed(&*store, "a");
    let progress = Progress { fraction: Some(0.25), line: "run 1 of 4".to_owned() };
    for _ in 0..3 {
        queue.pass(LEASE / 2);
        assert_eq!(store.beat(&claim, &progress).unwrap(), Beat::GoOn);
    }
    nothing(&*store, "b");
    let Phase::Running { worker, progress: shown, cancelled: false, .. } =
        phase(&*store, &claim.job.key)
    else {
        panic!("it runs")
    };
    assert_eq!((worker.as_str(), shown), ("a", progress));
    queue.pass(PAST);
    assert_eq!(claimed(&*store, "b").attempt, 2);
}

pub(crate) fn late_writers_are_refused(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let late = claimed(&*store, "a");
    store.log(&late, b"first").unwrap();
    queue.pass(PAST);
    let taken = claimed(&*store, "b");
    let refused = || {
        is_fenced(beat(&*store, &late));
        is_fenced(store.log(&late, b"LATE"));
        is_fenced(store.finish(&late, done()));
        is_fenced(store.finish(&late, failed("LATE")));
        is_fenced(store.finish(&late, retry("LATE")));
    };
    refused();
    assert_eq!(beat(&*store, &taken).unwrap(), Beat::GoOn);
    store.log(&taken, b", second").unwrap();
    store.finish(&taken, failed("in time")).unwrap();
    refused();
    let End::Failed { what, .. } = only_end(&*store) else { panic!("it failed") };
    assert_eq!(what, "in time");
    assert_eq!(store.read_log(&late.job.key, 0).unwrap().bytes, b"first, second");
    // The end of its own attempt is also the end of logs.
    is_fenced(beat(&*store, &taken));
    is_fenced(store.log(&taken, b"more"));
}

pub(crate) fn who_is_late_and_alone_may_finish(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    let (claim, beaten) = (claimed(&*store, "a"), claimed(&*store, "a2"));
    queue.pass(PAST);
    store.finish(&claim, done()).unwrap();
    assert_eq!(beat(&*store, &beaten).unwrap(), Beat::GoOn);
    nothing(&*store, "b");
    store.finish(&beaten, done()).unwrap();
    assert_eq!(ends(&*store, "b").len(), 2);
}

pub(crate) fn nobody_tries_for_ever(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let mut last = None;
    for attempt in 1..=jobs::MOST_ATTEMPTS {
        let claim = claimed(&*store, "w");
        assert_eq!(claim.attempt, attempt);
        last = Some(claim);
        queue.pass(PAST);
    }
    nothing(&*store, "w");
    let End::Failed { class: Class::Infrastructure, what, .. } = only_end(&*store) else {
        panic!("it is given up")
    };
    assert_eq!(what.lines().count(), 4, "{what}");
    is_fenced(store.finish(&last.unwrap(), done()));
}

pub(crate) fn workers_are_seen(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1)]).unwrap();
    let offers = Offers::none().with(INTERPRETER, "3.12").with(INTERPRETER, "3.13");
    let busy = jobs::Worker { offers, ..worker("busy") };
    let claim = store.claim(&busy, LEASE).unwrap().unwrap();
    nothing(&*store, "idle");
    let seen = queue.open().workers().unwrap();
    let told: Vec<_> = seen.iter().map(|one| (one.name.as_str(), one.runs)).collect();
    assert_eq!(told, [("busy", Some(claim.job.key)), ("idle", None)]);
    assert_eq!((&*seen[0].machine, &seen[0].offers), ("m", &busy.offers));
    store.finish(&claim, done()).unwrap();
    assert_eq!(store.workers().unwrap()[0].runs, None);
    let ages = seen.iter().map(|one| one.seen - seen[0].seen);
    assert!(ages.into_iter().all(|age| age.unsigned_abs() < 60_000_000_000));
}

pub(crate) fn many_workers_lose_nothing(queue: &dyn Queue) {
    const JOBS: u64 = 90;
    // By the clock of the machine: a test's own would run ahead of those who work.
    let open = || open(&queue.address(), &Connect::default()).unwrap();
    let store = open();
    store.add(&(0..JOBS).map(job).collect::<Vec<_>>()).unwrap();
    let late = Mutex::new(vec![]);
    let work = |name: &str| {
        let store = open();
        while store.counts("b", Which::All).unwrap().ended() < JOBS {
            let Some(claim) = store.claim(&worker(name), LEASE * 2).unwrap() else {
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            match (claim.job.place % 5, claim.attempt) {
                // Its worker is silent, and comes back when all is over.
                (0, 1) => late.lock().unwrap().push(claim),
                (1, 1) => store.finish(&claim, retry("trouble")).unwrap(),
                (2, 1) => {
                    // Whoever cancels does not know what it is at.
                    store.cancel(&claim.job.key).unwrap();
                    assert_eq!(beat(&*store, &claim).unwrap(), Beat::Cancelled);
                    store.finish(&claim, done()).unwrap();
                }
                (3, _) => store.finish(&claim, failed("wrong")).unwrap(),
                _ => {
                    assert_eq!(beat(&*store, &claim).unwrap(), Beat::GoOn);
                    store.log(&claim, name.as_bytes()).unwrap();
                    store.finish(&claim, done()).unwrap();
                }
            }
        }
    };
    thread::scope(|scope| {
        for name in ["w1", "w2", "w3", "w4", "w5", "w6"] {
            scope.spawn(move || work(name));
        }
    });
    let late = late.into_inner().unwrap();
    assert_eq!(late.len(), 18);
    for claim in late {
        is_fenced(store.finish(&claim, failed("LATE")));
    }
    let mut ends = ends(&*store, "b");
    ends.sort_by_key(|end| end.place);
    let places: Vec<u64> = ends.iter().map(|end| end.place).collect();
    assert_eq!(places, (0..JOBS).collect::<Vec<_>>());
    for end in ends {
        let attempt = if end.place % 5 < 2 { 2 } else { 1 };
        assert_eq!(end.attempt, attempt, "{end:?}");
        match (end.place % 5, end.end) {
            (2, End::Cancelled) | (3, End::Failed { .. }) | (0 | 1 | 4, End::Done { .. }) => {}
            (_, end) => panic!("{end:?}"),
        }
    }
}
