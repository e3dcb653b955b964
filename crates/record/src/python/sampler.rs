//! The thread that takes samples.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use rustix::time::{ClockId, clock_gettime};

use super::account::{Account, Manner};
use super::points::{Finished, Points};
use super::processes::{Processes, State};
use super::rounds::Rounds;

/// What is to be sampled, and how.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) pid: u32,
    pub(super) with_children: bool,
    pub(super) manner: Manner,
    /// Ends by itself after so long.
    pub(super) duration: Option<Duration>,
}

/// A thread that samples until it is stopped, or there is nothing more to be sampled.
pub(super) struct Sampler {
    is_stopped: Arc<AtomicBool>,
    thread: JoinHandle<Sampled>,
}

/// What came of it.
pub(super) struct Sampled {
    pub(super) finished: Finished,
    pub(super) account: Account,
    /// When it began: nanoseconds since 1970, and of the monotonic clock.
    pub(super) began_ns: (i64, i64),
    pub(super) lasted: Duration,
    /// What sampling took on processors.
    pub(super) own_cpu: Duration,
}

/// Why a thread has no sample.
const TORN: &str = "a stack changed while it was read, and again each time after that";

/// Nobody waits longer for the end.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

impl Sampler {
    pub(super) fn start(wanted: Wanted) -> Sampler {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        Sampler { is_stopped, thread: thread::spawn(move || sample(&wanted, &stopped)) }
    }

    /// Whether it came to an end by itself.
    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Ends it. None where it failed.
    pub(super) fn finish(self) -> Option<Sampled> {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.thread.join().ok()
    }
}

fn sample(wanted: &Wanted, is_stopped: &AtomicBool) -> Sampled {
    let period = 1_000_000_000 / u64::from(wanted.manner.frequency.max(1));
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let began_ns = (since_1970.as_nanos() as i64, nanoseconds(ClockId::Monotonic));
    let start = Instant::now();
    let now = || start.elapsed().as_nanos() as u64;
    let mut run = Run {
        processes: Processes::new(wanted.pid, wanted.with_children, wanted.manner.is_pausing),
        points: Points::new(period),
        account: Account { manner: wanted.manner.clone(), ..Account::default() },
    };
    let mut rounds = Rounds::new(period, began_ns.0 as u64);
    // No higher priority: each round would take the processor from the program, which waits for another one then.
    // Otherwise the kernel wakes who sleeps 50 µs late, to wake several at once.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let is_over = || {
        is_stopped.load(Ordering::Relaxed)
            || wanted.duration.is_some_and(|most| start.elapsed() >= most)
    };
    while !is_over() {
        run.look();
        if run.processes.readable().next().is_none() {
            if !run.processes.is_there() {
                break;
            }
            thread::sleep(Duration::from_micros(500));
            rounds.begin(now());
            continue;
        }
        if run.account.rounds == 0 {
            rounds.begin(now());
        }
        let planned = rounds.plan(now());
        let mut left = planned.at.saturating_sub(now());
        while left > 0 && !is_over() {
            thread::sleep(Duration::from_nanos(left).min(LONGEST_SLEEP));
            left = planned.at.saturating_sub(now());
        }
        if left > 0 {
            break;
        }
        let at = now();
        let period = rounds.take(planned, at);
        if run.account.lateness.is_in_time(at - planned.at) {
            run.take(period);
        }
    }
    run.account.missed = rounds.missed();
    run.finish(began_ns, start.elapsed())
}

/// Samples that are being taken.
struct Run {
    processes: Processes,
    points: Points,
    account: Account,
}

impl Run {
    fn look(&mut self) {
        for (pid, version) in self.processes.look() {
            *self.account.versions.entry(version).or_default() += 1;
            self.points.name_process(pid, &super::processes::name(pid));
        }
    }

    /// One round.
    fn take(&mut self, period: u64) {
        let Run { processes, points, account } = self;
        account.rounds += 1;
        for (pid, process) in processes.readable() {
            let State::Read(stacks) = &mut process.state else { continue };
            match stacks.read() {
                Ok(read) => {
                    account.reading.add(read.took);
                    for _ in 0..read.torn {
                        account.reject(TORN.to_owned());
                    }
                    for why in process.failed.drain(..) {
                        account.reject(why);
                    }
                    for seen in read.threads {
                        points.add(period, pid, seen);
                    }
                }
                Err(why) => process.fails(pid, why),
            }
        }
    }

    fn finish(mut self, began_ns: (i64, i64), lasted: Duration) -> Sampled {
        for (name, why) in self.processes.left_out() {
            *self.account.left_out.entry((name.to_owned(), why.to_owned())).or_default() += 1;
        }
        self.account.obstacle = self.processes.obstacle().map(str::to_owned);
        self.account.unknown_threads = self.points.unknown_threads();
        Sampled {
            finished: self.points.finish(),
            account: self.account,
            began_ns,
            lasted,
            own_cpu: Duration::from_nanos(nanoseconds(ClockId::ThreadCPUTime) as u64),
        }
    }
}

fn nanoseconds(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}
