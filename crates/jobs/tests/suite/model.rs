//! Random sequences of calls, compared with a plain list of jobs.

use std::collections::BTreeMap;
use std::time::Duration;

use jobs::{Beat, Claim, Class, End, Error, Key, MOST_ATTEMPTS, Outcome, Phase, Progress};
use proptest::prelude::*;

use crate::folder::FolderQueue;
use crate::queue::{LEASE, Queue, done, ends, failed, job, retry, worker};

#[derive(Debug, Clone)]
enum Step {
    Add(u64),
    Claim(u8),
    Beat(usize),
    Finish(usize, Kind),
    Cancel(u64),
    Again(u64),
    /// Milliseconds.
    Pass(u64),
    Restart,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Done,
    Failed,
    Retry,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![3 => Just(Kind::Done), 1 => Just(Kind::Failed), 3 => Just(Kind::Retry)];
    let place = 0_u64..8;
    let step = prop_oneof![
        4 => place.clone().prop_map(Step::Add),
        8 => (0_u8..4).prop_map(Step::Claim),
        3 => (0_usize..12).prop_map(Step::Beat),
        6 => (0_usize..12, kind).prop_map(|(claim, kind)| Step::Finish(claim, kind)),
        1 => place.clone().prop_map(Step::Cancel),
        1 => place.prop_map(Step::Again),
        5 => (0_u64..5000).prop_map(Step::Pass),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 1..120)
}

/// A job as the model has it. Times are milliseconds.
#[derive(Debug, Clone, PartialEq)]
enum Is {
    Waiting,
    Delayed(u64),
    Running { holder: usize, until: u64, cancelled: bool },
    Ended(&'static str),
}

struct Model {
    now: u64,
    jobs: BTreeMap<u64, (u32, Is)>,
    /// Places in the order in which they were added.
    added: Vec<u64>,
    /// Every claim that was ever given: place, and whether its attempt was finished by it.
    claims: Vec<(u64, bool)>,
    ends: Vec<(u64, &'static str)>,
}

impl Model {
    fn end(&mut self, place: u64, how: &'static str) {
        self.jobs.get_mut(&place).unwrap().1 = Is::Ended(how);
        self.ends.push((place, how));
    }

    /// What is not tried again, as its leases ended.
    fn overdue(&self) -> Vec<(u64, &'static str)> {
        let mut over = vec![];
        for (place, (attempt, is)) in &self.jobs {
            if let Is::Running { until, cancelled, .. } = is
                && *until <= self.now
            {
                if *cancelled {
                    over.push((*until, *place, "cancelled"));
                } else if *attempt >= MOST_ATTEMPTS {
                    over.push((*until, *place, "given up"));
                }
            }
        }
        let nth = |place| self.added.iter().position(|one| *one == place);
        over.sort_by_key(|(until, place, _)| (*until, nth(*place)));
        over.into_iter().map(|(_, place, how)| (place, how)).collect()
    }

    fn sweep(&mut self) {
        for (place, how) in self.overdue() {
            self.end(place, how);
        }
    }

    fn claim(&mut self) -> Option<(u64, u32)> {
        self.sweep();
        let now = self.now;
        let holder = self.claims.len();
        let (place, (attempt, is)) = self.jobs.iter_mut().find(|(_, (_, is))| match is {
            Is::Waiting => true,
            Is::Delayed(until) | Is::Running { until, .. } => *until <= now,
            Is::Ended(_) => false,
        })?;
        *attempt += 1;
        *is = Is::Running { holder, until: now + millis(LEASE), cancelled: false };
        self.claims.push((*place, false));
        Some((*place, *attempt))
    }

    fn beat(&mut self, holder: usize) -> Option<Beat> {
        let place = self.claims[holder].0;
        match &mut self.jobs.get_mut(&place).unwrap().1 {
            Is::Running { holder: own, until, cancelled } if *own == holder => {
                *until = self.now + millis(LEASE);
                Some(if *cancelled { Beat::Cancelled } else { Beat::GoOn })
            }
            _ => None,
        }
    }

    /// False if it is refused.
    fn finish(&mut self, holder: usize, kind: Kind) -> bool {
        let (place, finished) = self.claims[holder];
        let said_before = finished && self.is_last(holder);
        let (attempt, is) = self.jobs.get_mut(&place).unwrap();
        let cancelled = match *is {
            Is::Running { holder: own, cancelled, .. } if own == holder => cancelled,
            _ => return said_before,
        };
        self.claims[holder].1 = true;
        match kind {
            _ if cancelled => self.end(place, "cancelled"),
            Kind::Done => self.end(place, "done"),
            Kind::Failed => self.end(place, "failed"),
            Kind::Retry if *attempt == MOST_ATTEMPTS => self.end(place, "given up"),
            Kind::Retry => {
                *is = Is::Delayed(self.now + [1000, 4000, 16_000][*attempt as usize - 1])
            }
        }
        true
    }

    /// Nobody claimed the job after this one.
    fn is_last(&self, holder: usize) -> bool {
        let place = self.claims[holder].0;
        self.claims[holder + 1..].iter().all(|(other, _)| *other != place)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap()
}

fn how(end: &End) -> &'static str {
    match end {
        End::Done { .. } => "done",
        End::Failed { class: Class::Infrastructure, .. } => "given up",
        End::Failed { .. } => "failed",
        End::Cancelled => "cancelled",
    }
}

fn outcome(kind: Kind) -> Outcome {
    match kind {
        Kind::Done => done(),
        Kind::Failed => failed("wrong"),
        Kind::Retry => retry("trouble"),
    }
}

fn run(steps: Vec<Step>) {
    let queue = FolderQueue::new();
    let mut store = queue.open();
    let mut model =
        Model { now: 0, jobs: BTreeMap::new(), added: vec![], claims: vec![], ends: vec![] };
    let mut claims: Vec<Claim> = vec![];
    for step in steps {
        match step {
            Step::Add(place) => {
                let is_new = !model.jobs.contains_key(&place);
                if is_new {
                    model.jobs.insert(place, (0, Is::Waiting));
                    model.added.push(place);
                }
                assert_eq!(store.add(&[job(place)]).unwrap(), u64::from(is_new));
            }
            Step::Claim(who) => {
                let got = store.claim(&worker(&format!("w{who}")), LEASE).unwrap();
                let told = got.as_ref().map(|claim| (claim.job.place, claim.attempt));
                assert_eq!(told, model.claim());
                claims.extend(got);
            }
            Step::Beat(nth) if !claims.is_empty() => {
                let holder = claims.len() - 1 - nth % claims.len();
                let beat = store.beat(&claims[holder], &Progress::default());
                match model.beat(holder) {
                    Some(expected) => assert_eq!(beat.unwrap(), expected),
                    None => assert!(matches!(beat, Err(Error::Fenced { .. })), "{beat:?}"),
                }
            }
            Step::Finish(nth, kind) if !claims.is_empty() => {
                let holder = claims.len() - 1 - nth % claims.len();
                let finished = store.finish(&claims[holder], outcome(kind));
                if model.finish(holder, kind) {
                    finished.unwrap();
                } else {
                    assert!(matches!(finished, Err(Error::Fenced { .. })), "{finished:?}");
                }
            }
            Step::Cancel(place) if model.jobs.contains_key(&place) => {
                let changed = match &mut model.jobs.get_mut(&place).unwrap().1 {
                    Is::Waiting | Is::Delayed(_) => {
                        model.end(place, "cancelled");
                        true
                    }
                    Is::Running { cancelled, .. } => !std::mem::replace(cancelled, true),
                    Is::Ended(_) => false,
                };
                assert_eq!(store.cancel(&job(place).key).unwrap(), changed);
            }
            Step::Again(place) if model.jobs.contains_key(&place) => {
                let one = model.jobs.get_mut(&place).unwrap();
                let is_over = matches!(one.1, Is::Ended(_));
                if is_over {
                    *one = (0, Is::Waiting);
                    // Whoever finished it before is refused from now on.
                    model
                        .claims
                        .iter_mut()
                        .filter(|(of, _)| *of == place)
                        .for_each(|one| one.1 = false);
                }
                assert_eq!(store.again(&job(place).key).unwrap(), is_over);
            }
            Step::Pass(time) => {
                model.now += time;
                queue.pass(Duration::from_millis(time));
            }
            Step::Restart => store = queue.open(),
            _ => {}
        }
    }
    // Somebody patient does the rest.
    for _ in 0..1000 {
        let got = store.claim(&worker("last"), LEASE).unwrap();
        assert_eq!(got.as_ref().map(|claim| (claim.job.place, claim.attempt)), model.claim());
        let Some(claim) = got else {
            if model.jobs.values().all(|(_, is)| matches!(is, Is::Ended(_))) {
                break;
            }
            model.now += 1000;
            queue.pass(Duration::from_secs(1));
            continue;
        };
        store.finish(&claim, done()).unwrap();
        model.finish(model.claims.len() - 1, Kind::Done);
    }
    let told: Vec<_> = ends(&*store, "b").iter().map(|end| (end.place, how(&end.end))).collect();
    assert_eq!(told, model.ends);
    assert!(model.jobs.values().all(|(_, is)| matches!(is, Is::Ended(_))));
    for place in model.jobs.keys() {
        let key: Key = job(*place).key;
        let phase = store.job(&key).unwrap().unwrap().phase;
        assert!(matches!(phase, Phase::Ended { .. }), "{phase:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_queue_does_what_a_list_of_jobs_does(steps in steps()) {
        run(steps);
    }
}
