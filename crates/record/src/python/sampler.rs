//! The thread that takes samples.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use rustix::time::ClockId;

use super::account::Account;
pub(crate) use super::account::Manner;
use super::beside::{Beside, wake_promptly};
use super::processes::{self, Processes, State};
use super::rounds::Rounds;
use super::stacks::{Hold, Seen};
use crate::clock::{monotonic, nanoseconds};

/// What is to be sampled, and how.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) pid: u32,
    pub(crate) with_children: bool,
    /// When it was started, by the monotonic clock, to be recorded from there on; none where it ran before.
    pub(crate) began_ns: Option<i64>,
    pub(crate) manner: Manner,
    /// Ends by itself after so long.
    pub(crate) duration: Option<Duration>,
}

/// What becomes of samples.
pub(crate) trait Keep: Send + 'static {
    /// How a process is called that is read from now on, for the first time or again.
    fn process(&mut self, pid: u32, name: &str, since: Since);

    /// A process as it was at a moment.
    fn add(&mut self, moment: Moment, pid: u32, threads: Vec<Seen>);

    /// Its stacks could not be read then: nanoseconds from the start.
    fn fail(&mut self, at: u64, pid: u32);

    /// It ended, or sampling did.
    fn end(&mut self, at: u64, pid: u32);
}

/// When a process began: nanoseconds from the start.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Since {
    /// While it was recorded: its time counts from there on.
    Began(u64),
    /// Before; what it did until now does not count.
    Before(u64),
}

/// When a process was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// Nanoseconds from the start to before the stacks were read.
    pub(crate) at: u64,
    /// Nanoseconds that reading took.
    pub(crate) took: u64,
    /// What the process had of processors, nanoseconds.
    pub(crate) cpu_ns: Option<u64>,
}

/// A thread that samples until it is stopped, or there is nothing more to be sampled.
pub(crate) struct Sampler<K> {
    is_stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    sampled: Receiver<Sampled<K>>,
}

/// What came of it.
pub(crate) struct Sampled<K> {
    pub(crate) kept: K,
    pub(crate) account: Account,
    /// The first process.
    pub(crate) first: u32,
    /// From when on times count: nanoseconds since 1970, and of the monotonic clock.
    pub(crate) began_ns: (i64, i64),
    /// Nanoseconds from there to the end of sampling.
    pub(crate) lasted_ns: u64,
    /// What sampling took on processors.
    pub(crate) own_cpu: Duration,
}

/// Why a thread has no sample.
const TORN: &str = "a stack changed while it was read, and again each time after that";

/// Whoever was told to end is waited for so long.
const LONGEST_END: Duration = Duration::from_secs(30);
/// Nobody waits longer for the end.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

impl<K: Keep> Sampler<K> {
    /// Begins; `keep` gets the length of a period in nanoseconds.
    pub(crate) fn start(wanted: Wanted, keep: fn(u64) -> K) -> Sampler<K> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        let (sender, sampled) = channel();
        let thread = thread::spawn(move || {
            // Nobody listens any more where it took too long.
            let _ = sender.send(sample(&wanted, keep, &stopped));
        });
        Sampler { is_stopped, thread, sampled }
    }
}

impl<K> Sampler<K> {
    /// Whether it came to an end by itself.
    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Ends it. None where it failed, or does not end: what it opens is the program's, which may have put
    /// something in its place that nobody can open.
    pub(crate) fn finish(self) -> Option<Sampled<K>> {
        self.finish_within(LONGEST_END)
    }

    fn finish_within(self, patience: Duration) -> Option<Sampled<K>> {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.sampled.recv_timeout(patience).ok()
    }
}

fn sample<K: Keep>(wanted: &Wanted, keep: fn(u64) -> K, is_stopped: &AtomicBool) -> Sampled<K> {
    let period = 1_000_000_000 / u64::from(wanted.manner.frequency.max(1));
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (here_ns, booted_ns) = (monotonic(), nanoseconds(ClockId::Boottime));
    // Where processors are busy, this thread begins long after the program.
    let start_ns = wanted.began_ns.unwrap_or(here_ns);
    let before = here_ns - start_ns;
    let began_ns = (since_1970.as_nanos() as i64 - before, start_ns);
    let now = || (monotonic() - start_ns) as u64;
    let mut run = Run {
        processes: Processes::new(wanted.pid, wanted.with_children, wanted.manner.hold),
        kept: keep(period),
        account: Account { manner: wanted.manner.clone(), ..Account::default() },
        beside: Beside::new(),
        first: wanted.began_ns.map(|_| wanted.pid),
        booted_ns: booted_ns - before,
        start_ns,
    };
    let mut rounds = Rounds::new(period, began_ns.0 as u64);
    // No higher priority: each round would take the processor from the program, which waits for another one then.
    // Otherwise the kernel wakes who sleeps 50 µs late, to wake several at once.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    // Whoever stops a program has to be done soon, and not to be sent away.
    if wanted.manner.hold != Hold::Stop {
        wake_promptly();
    }
    let is_over = || {
        is_stopped.load(Ordering::Relaxed)
            || wanted.duration.is_some_and(|most| Duration::from_nanos(now()) >= most)
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
        rounds.take(planned, at);
        if run.account.lateness.is_taken(at - planned.at) {
            run.take();
        }
    }
    if run.processes.readable().next().is_some() {
        // The last sample stands for what is left.
        run.take();
    }
    run.account.missed = rounds.missed();
    run.finish(wanted.pid, began_ns)
}

/// Samples that are being taken.
struct Run<K> {
    processes: Processes,
    kept: K,
    account: Account,
    beside: Beside,
    /// The process that was started to be recorded.
    first: Option<u32>,
    /// How long the machine had run when sampling began, nanoseconds.
    booted_ns: i64,
    /// From when on times count, by the monotonic clock.
    start_ns: i64,
}

impl<K: Keep> Run<K> {
    /// Nanoseconds from the start.
    fn now(&self) -> u64 {
        (monotonic() - self.start_ns) as u64
    }

    fn look(&mut self) {
        for (pid, version) in self.processes.look() {
            *self.account.versions.entry(version).or_default() += 1;
            let since = self.since(pid);
            self.kept.process(pid, &processes::name(pid), since);
        }
    }

    fn since(&self, pid: u32) -> Since {
        if self.first == Some(pid) {
            return Since::Began(0);
        }
        /// Half of the step in which the kernel tells it.
        const HALF_STEP: i64 = 5_000_000;
        let now = self.now();
        let began = processes::began(pid)
            .and_then(|began| i64::try_from(began).ok()?.checked_add(HALF_STEP));
        let after = began.map(|began| began.saturating_sub(self.booted_ns));
        match after.map(u64::try_from) {
            Some(Ok(after)) => Since::Began(after.min(now)),
            // The kernel tells when in steps, and nothing of a program began before it.
            Some(Err(_)) if self.first.is_some() => Since::Began(0),
            // What it started has its time from there on.
            _ => Since::Before(now),
        }
    }

    /// One round.
    fn take(&mut self) {
        let Run { processes, kept, account, beside, start_ns, .. } = self;
        let after_start = |at: i64| (at - *start_ns) as u64;
        let now = || after_start(monotonic());
        account.rounds += 1;
        for (pid, process) in processes.readable() {
            let State::Read(stacks) = &mut process.state else { continue };
            match stacks.read(beside) {
                Ok(read) => {
                    account.reading.add(read.took);
                    account.stopped += u64::from(read.is_stopped_now);
                    for _ in read.threads.iter().filter(|seen| seen.is_torn) {
                        account.reject(TORN.to_owned());
                    }
                    for why in process.failed.drain(..) {
                        account.reject(why);
                    }
                    // Who waits for a processor after it would find a later moment, maybe one after the program's end.
                    let at = after_start(read.began_ns);
                    kept.add(
                        Moment { at, took: read.took, cpu_ns: read.cpu_ns },
                        pid,
                        read.threads,
                    );
                }
                Err(why) => {
                    kept.fail(now(), pid);
                    process.fails(pid, why);
                    if matches!(process.state, State::Gone) {
                        kept.end(now(), pid);
                    }
                }
            }
        }
    }

    fn finish(mut self, first: u32, began_ns: (i64, i64)) -> Sampled<K> {
        for (name, why) in self.processes.left_out() {
            *self.account.left_out.entry((name.to_owned(), why.to_owned())).or_default() += 1;
        }
        self.account.obstacle = self.processes.obstacle().map(str::to_owned);
        let lasted_ns = self.now();
        for pid in self.processes.numbers() {
            self.kept.end(lasted_ns, pid);
        }
        Sampled {
            kept: self.kept,
            account: self.account,
            first,
            began_ns,
            lasted_ns,
            own_cpu: super::opened::processor_time(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_does_not_end_is_not_waited_for() {
        let (sender, sampled) = channel::<Sampled<()>>();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_secs(3600));
            drop(sender);
        });
        let sampler = Sampler { is_stopped: Arc::default(), thread, sampled };
        assert!(!sampler.thread.is_finished());
        assert!(sampler.finish_within(Duration::ZERO).is_none());
    }
}
