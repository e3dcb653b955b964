//! What else the machine did around a run.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// What else the machine did around a run. What the kernel does not tell is none, and never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostLoad {
    /// Threads that ran or waited for a processor, on average over the minute before the run: the
    /// first number of `/proc/loadavg`. Runs of ours in that minute are part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Threads that ran or waited for a processor right before the run, without the one that looked:
    /// from the fourth field of `/proc/loadavg`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runnable: Option<u64>,
    /// Nanoseconds that all processors of the machine have together in the time of the run: its
    /// length times their number in `/proc/stat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_ns: Option<u64>,
    /// Nanoseconds that processors were busy with other programs: what `/proc/stat` counts as busy,
    /// without the command, all its children that were waited for, the recorder and this program. In
    /// steps of the kernel's accounts, mostly 10 ms for each processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_ns: Option<u64>,
    /// Nanoseconds that other machines on the same hardware had the processors: `steal` of
    /// `/proc/stat`, in the same steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen_ns: Option<u64>,
}

/// Of what one processor could do, others may have so much.
const OTHERS: f64 = 0.25;
/// Accounts are kept in steps of 10 ms for each processor: less than this may be their rounding.
const LEAST: Duration = Duration::from_millis(60);
/// Of what one processor could do, so much may be stolen.
const STOLEN: f64 = 0.05;

impl HostLoad {
    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == HostLoad::default()
    }

    /// Processor time, in nanoseconds, that was counted as that of others and is the run's own.
    pub fn own_too(&mut self, ns: u64) {
        self.others_ns = self.others_ns.map(|others| others.saturating_sub(ns));
    }

    /// Why a run of `wall_ns` nanoseconds is not to be trusted; empty where nothing that was measured
    /// was in the way.
    pub fn disturbed(&self, wall_ns: u64) -> String {
        let share = |ns: u64| ns as f64 / wall_ns.max(1) as f64;
        let is_beyond = |ns: &u64, limit: f64| share(*ns) > limit && *ns > LEAST.as_nanos() as u64;
        let told = |who: &str, ns: u64| {
            format!("{who} had {:.0} % of a processor meanwhile", share(ns) * 100.0)
        };
        if let Some(others) = self.others_ns.filter(|ns| is_beyond(ns, OTHERS)) {
            return told("other programs", others);
        }
        match self.stolen_ns.filter(|ns| is_beyond(ns, STOLEN)) {
            Some(stolen) => told("other machines", stolen),
            None => String::new(),
        }
    }
}

/// What is known before a run.
#[derive(Debug)]
pub(crate) struct Before {
    average: Option<f64>,
    runnable: Option<u64>,
    accounts: Option<Accounts>,
    own: Duration,
    at: Instant,
}

/// The kernel's accounts since it started, in ticks of all processors.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Accounts {
    all: u64,
    busy: u64,
    /// None where the kernel does not tell.
    stolen: Option<u64>,
    processors: u64,
}

impl Before {
    pub(crate) fn now() -> Before {
        let loads = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let (average, runnable) = loads_of(&loads);
        Before { average, runnable, accounts: accounts(), own: own(), at: Instant::now() }
    }

    /// What is known after it, where the run took so much time on processors.
    pub(crate) fn until_now(&self, cpu: Duration) -> HostLoad {
        let ours = cpu + own().saturating_sub(self.own);
        let known = HostLoad { load: self.average, runnable: self.runnable, ..HostLoad::default() };
        let between = self.accounts.zip(accounts());
        let tick = Duration::from_secs(1) / rustix::param::clock_ticks_per_second().max(1) as u32;
        between.map_or(known, |of| between_accounts(known, of, self.at.elapsed(), ours, tick))
    }
}

fn between_accounts(
    known: HostLoad,
    (before, after): (Accounts, Accounts),
    lasted: Duration,
    ours: Duration,
    tick: Duration,
) -> HostLoad {
    // Where accounts stand still, nobody keeps them, or the run was too short for them.
    if after.all <= before.all {
        return known;
    }
    let ns = |from: u64, to: u64| {
        to.saturating_sub(from).saturating_mul(u64::try_from(tick.as_nanos()).unwrap_or(u64::MAX))
    };
    let ours = u64::try_from(ours.as_nanos()).unwrap_or(u64::MAX);
    let lasted = u64::try_from(lasted.as_nanos()).unwrap_or(u64::MAX);
    HostLoad {
        machine_ns: Some(lasted.saturating_mul(after.processors)),
        others_ns: Some(ns(before.busy, after.busy).saturating_sub(ours)),
        stolen_ns: before.stolen.zip(after.stolen).map(|(from, to)| ns(from, to)),
        ..known
    }
}

/// The load that `/proc/loadavg` tells: the average of the last minute, and how many threads are
/// runnable besides the one that reads.
fn loads_of(text: &str) -> (Option<f64>, Option<u64>) {
    let mut fields = text.split_whitespace();
    let average = fields.next().and_then(|field| field.parse().ok());
    let runnable = fields.nth(2).and_then(|field| field.split_once('/')?.0.parse::<u64>().ok());
    (average, runnable.map(|all| all.saturating_sub(1)))
}

fn accounts() -> Option<Accounts> {
    accounts_of(&std::fs::read_to_string("/proc/stat").ok()?)
}

/// From `/proc/stat`: user nice system idle iowait irq softirq steal, in ticks. Guests are part of
/// user and nice.
fn accounts_of(text: &str) -> Option<Accounts> {
    let mut lines = text.lines();
    let first = lines.next()?.strip_prefix("cpu ")?;
    let fields: Vec<u64> = first.split_whitespace().map_while(|n| n.parse().ok()).collect();
    let [user, nice, system, idle, ..] = fields[..] else { return None };
    let field = |at: usize| fields.get(at).copied();
    let busy = user + nice + system + field(5).unwrap_or(0) + field(6).unwrap_or(0);
    let stolen = field(7);
    let all = busy + idle + field(4).unwrap_or(0) + stolen.unwrap_or(0);
    let of_one = |line: &&str| {
        line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let processors = lines.take_while(of_one).count() as u64;
    (processors > 0).then_some(Accounts { all, busy, stolen, processors })
}

/// What this process took on processors.
fn own() -> Duration {
    let own = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(own.tv_sec as u64, own.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const TICK: Duration = Duration::from_millis(10);

    fn at(user: u64, idle: u64, stolen: u64) -> Accounts {
        let text = format!("cpu  {user} 0 10 {idle} 5 0 0 {stolen} 0 0\ncpu0 1 1 1\ncpu1 1 1 1\n");
        accounts_of(&text).unwrap()
    }

    fn between(after: Accounts, lasted: Duration, ours: Duration) -> HostLoad {
        between_accounts(HostLoad::default(), (at(100, 900, 0), after), lasted, ours, TICK)
    }

    #[test]
    fn reports_what_others_do() {
        let told = |after, lasted: Duration, ours| {
            between(after, lasted, ours).disturbed(lasted.as_nanos() as u64)
        };
        // Its own second, and half of one of somebody else.
        assert_eq!(told(at(200, 1000, 0), SECOND, SECOND), "");
        let other = told(at(250, 950, 0), SECOND, SECOND);
        assert_eq!(other, "other programs had 50 % of a processor meanwhile");
        assert_eq!(told(at(250, 950, 0), SECOND, SECOND * 3 / 2), "");
        let stolen = told(at(200, 990, 10), SECOND, SECOND);
        assert_eq!(stolen, "other machines had 10 % of a processor meanwhile");
        // A tick that is counted late is nobody's.
        assert_eq!(told(at(104, 916, 0), SECOND / 10, Duration::ZERO), "");
        let mut busy = between(at(250, 950, 0), SECOND, SECOND);
        assert_eq!((busy.others_ns, busy.machine_ns), (Some(500_000_000), Some(2_000_000_000)));
        busy.own_too(400_000_000);
        assert_eq!(busy.others_ns, Some(100_000_000));
    }

    #[test]
    fn what_is_not_measured_is_none() {
        assert_eq!(accounts_of(""), None);
        assert_eq!(accounts_of("cpu  1 2\ncpu0 1 2\n"), None);
        assert_eq!(accounts_of("intr 1 2 3 4 5\n"), None);
        // A kernel of long ago tells of no steal.
        let old = accounts_of("cpu  1 2 3 4\ncpu0 1 2 3 4\n").unwrap();
        assert_eq!((old.busy, old.stolen, old.processors), (6, None, 1));
        // Accounts that nobody keeps, or a run that is shorter than a tick.
        let still = between(at(100, 900, 0), SECOND, SECOND);
        assert!(still.is_unknown());
        assert_eq!(still.disturbed(1_000_000_000), "");
        let mut still = still;
        still.own_too(7);
        assert_eq!(still.others_ns, None);
        assert_eq!(loads_of(""), (None, None));
        assert_eq!(loads_of("0.50 0.40 0.30 3/120 77\n"), (Some(0.5), Some(2)));
    }

    #[test]
    fn a_run_knows_what_the_machine_did() {
        let before = Before::now();
        std::thread::sleep(Duration::from_millis(60));
        let load = before.until_now(Duration::ZERO);
        // A system that tells nothing leaves nothing; one that does tells all of it.
        assert_eq!(load.others_ns.is_some(), load.machine_ns.is_some());
        assert!(load.machine_ns.is_none_or(|ns| ns >= 60_000_000), "{load:?}");
    }
}
