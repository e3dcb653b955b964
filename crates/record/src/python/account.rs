//! What a recording knows of its own errors: told in the manifest and in the file.

use std::collections::BTreeMap;

use super::durations::{Durations, text};
use super::lateness::Lateness;
use super::points::Observed;
use super::stacks::Hold;
use crate::Finding;

/// How sampling went.
#[derive(Debug, Default)]
pub(crate) struct Account {
    pub(super) manner: Manner,
    /// Rounds that were taken.
    pub(super) rounds: u64,
    /// Periods without one.
    pub(super) missed: u64,
    /// How long after its time each round was.
    pub(super) lateness: Lateness,
    /// How long reading a process took; while it is held, it stands still for as long at most.
    pub(super) reading: Durations,
    /// ReadRecording that failed, by reason.
    pub(super) rejected: BTreeMap<String, u64>,
    /// Processes that were never read, by name and reason.
    pub(crate) left_out: BTreeMap<(String, String), u64>,
    /// Why the first process was never read; none if it was.
    pub(crate) obstacle: Option<String>,
    /// Processes that were stopped, though nobody asked for it.
    pub(super) stopped: u64,
    /// Interpreters that were read.
    pub(super) versions: BTreeMap<String, u64>,
    /// Threads of which it is not known whether they run.
    pub(super) unknown_threads: u64,
}

/// How it was to go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manner {
    pub(crate) frequency: u32,
    pub(crate) hold: Hold,
}

/// More failed readings or time that was not observed than this are a warning.
const MANY: f64 = 0.05;
/// Less is not worth a word.
const FEW: f64 = 0.005;
/// A program that stands still for more than this is told of.
const STILL: f64 = 0.05;
/// Where fewer rounds than this came, functions that run for short are seen seldom.
const ENOUGH_ROUNDS: f64 = 0.5;
/// Processes that are named in a sentence, and in the file.
const TOLD: usize = 3;
const MOST_TOLD: usize = 100;
/// Of less time nothing is said: an interpreter takes that long to be there.
const ENOUGH_NS: u64 = 200_000_000;

impl Account {
    fn planned(&self) -> u64 {
        self.rounds + self.missed + self.lateness.left_out
    }

    fn rejections(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Rounds a second that were reached.
    fn reached(&self) -> f64 {
        f64::from(self.manner.frequency) * share(self.rounds, self.planned())
    }

    /// A reading of stacks failed.
    pub(super) fn reject(&mut self, why: String) {
        *self.rejected.entry(why).or_default() += 1;
    }

    /// What is to be known of it, worst first.
    pub(super) fn findings(&self, samples: u64, untimed: u64, observed: Observed) -> Vec<Finding> {
        if samples == 0 {
            return vec![Finding::error(
                "there is no sample in it",
                "let the program run longer, or raise --frequency",
            )];
        }
        let mut findings = vec![];
        findings.extend(self.not_observed(observed));
        if share(self.rounds, self.planned()) < ENOUGH_ROUNDS {
            let what = format!(
                "{:.0} samples a second were taken, {} were requested: each stands for that much more time",
                self.reached(),
                self.manner.frequency
            );
            let advice = "let it run for longer, or look for what keeps the processors busy";
            findings.push(Finding::note(what, advice));
        }
        findings.extend(self.rejection());
        if self.manner.hold != Hold::Free {
            let sampled = self.planned() * 1_000_000_000 / u64::from(self.manner.frequency.max(1));
            let still = share(self.reading.total, sampled);
            if still > STILL {
                let what = format!(
                    "sampling paused the program for up to {:.1} % of the time, {} per sample (99 %: {})",
                    still * 100.0,
                    text(self.reading.quantile(0.5)),
                    text(self.reading.quantile(0.99))
                );
                let advice = "lower --frequency";
                findings.push(Finding::warning(what, advice));
            }
        }
        if !self.left_out.is_empty() {
            let texts = self.left_out_texts();
            let more = match texts.len().saturating_sub(TOLD) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let messages = texts[..texts.len().min(TOLD)].join("; ");
            findings.push(Finding::note(format!("not sampled: {messages}{more}"), ""));
        }
        if self.unknown_threads > 0 {
            let what = format!(
                "it is not known whether {} threads ran: their CPU time is too high",
                self.unknown_threads
            );
            findings.push(Finding::note(what, "use Python 3.11 or later to sample its threads"));
        }
        if untimed > 0 {
            let what = format!("{untimed} samples have no time: there are too many to keep it");
            findings.push(Finding::note(what, "record for a shorter time, or lower --frequency"));
        }
        findings
    }

    fn rejection(&self) -> Option<Finding> {
        let all = self.rejections();
        let share = share(all, self.reading.len() + all);
        let (why, _) = self.rejected.iter().max_by_key(|(_, count)| **count)?;
        let what =
            format!("{all} readings of stacks failed ({:.2} %), mostly: {why}", share * 100.0);
        let advice = "this time is '(not observed)'; --pause always stops the program meanwhile";
        if share > MANY {
            return Some(Finding::warning(what, advice));
        }
        (share > FEW).then(|| Finding::note(what, advice))
    }

    /// Time that no sample tells of.
    fn not_observed(&self, observed: Observed) -> Option<Finding> {
        let Observed { wall, lost_wall, cpu, lost_cpu } = observed;
        let of_wall = share(lost_wall, wall + lost_wall);
        let of_cpu = share(lost_cpu, cpu + lost_cpu);
        let worst = if lost_wall.max(lost_cpu) < ENOUGH_NS { 0.0 } else { of_wall.max(of_cpu) };
        if worst <= FEW {
            return None;
        }
        let what = format!(
            "{} of wall time ({:.1} %) and {} of CPU time ({:.1} %) were not observed: they are \
             '(not observed)'",
            text(lost_wall),
            of_wall * 100.0,
            text(lost_cpu),
            of_cpu * 100.0
        );
        let advice = "this is the start and end of interpreters, time outside of Python, and what the sampler missed";
        Some(if worst > MANY {
            Finding::warning(what, advice)
        } else {
            Finding::note(what, advice)
        })
    }

    fn left_out_texts(&self) -> Vec<String> {
        let text = |((name, why), count): (&(String, String), &u64)| match count {
            1 => format!("{name} ({why})"),
            _ => format!("{name} ({why}, {count} times)"),
        };
        self.left_out.iter().map(text).collect()
    }

    /// What the file says of itself.
    pub(super) fn comments(&self) -> Vec<String> {
        let Manner { frequency, hold } = &self.manner;
        let held = match hold {
            Hold::Stop => "The program was stopped while its stacks were read",
            Hold::Displace { .. } => {
                "Stacks were read on the program's processor, so that it stood still meanwhile"
            }
            Hold::Free => "The program went on while its stacks were read",
        };
        let versions: Vec<String> = self
            .versions
            .iter()
            .map(|(version, count)| match count {
                1 => format!("Python {version}"),
                _ => format!("Python {version} ({count} processes)"),
            })
            .collect();
        let mut comments = vec![
            "Wall time, CPU time and GIL time of functions are estimates: each sample stands for the time since the \
             one before it. Sums of CPU time are the kernel's; GIL time is that of samples that held the \
             interpreter's lock. '(not observed)' is the time without samples."
                .to_owned(),
            format!("Read from outside: {}", versions.join(", ")),
            format!(
                "{frequency} samples a second were requested, {:.1} were reached: {} rounds, {} missed, {} \
                 left out because they came late",
                self.reached(),
                self.rounds,
                self.missed,
                self.lateness.left_out
            ),
            held.to_owned(),
            format!("A process was read in {}", spread(&self.reading)),
            format!("Rounds were late by {}", spread(&self.lateness.all)),
            format!("{} readings failed; their time is not observed", self.rejections()),
        ];
        if self.stopped > 0 {
            comments.push(format!(
                "{} processes were stopped while their stacks were read: this kernel does not let the sampler \
                 run on their processors",
                self.stopped
            ));
        }
        comments.extend(self.rejected.iter().map(|(why, count)| format!("  {count}: {why}")));
        let left_out = self.left_out_texts().into_iter().take(MOST_TOLD);
        comments.extend(left_out.map(|messages| format!("Not sampled: {messages}")));
        comments
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn spread(durations: &Durations) -> String {
    let [half, most] = [0.5, 0.99].map(|share| text(durations.quantile(share)));
    format!("{half} (median), {most} (99 %), {} at most", text(durations.longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Observed = Observed {
        wall: 10_000_000_000,
        lost_wall: 40_000_000,
        cpu: 10_000_000_000,
        lost_cpu: 30_000_000,
    };

    /// Ten seconds at a hundred samples a second.
    fn messages(
        samples: u64,
        observed: Observed,
        change: impl FnOnce(&mut Account),
    ) -> Vec<String> {
        let mut account = Account { rounds: 1000, ..Account::default() };
        account.manner.frequency = 100;
        (0..1000).for_each(|_| account.reading.add(100_000));
        change(&mut account);
        let findings = account.findings(samples, 0, observed);
        findings.iter().map(|f| format!("{}: {}", f.severity.name(), f.what)).collect()
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Account), expected: &str) {
        assert_eq!(messages(1000, ALL, change).concat(), expected);
    }

    #[test]
    fn a_good_recording_is_not_talked_of() {
        check(|_| {}, "");
        check(|account| account.manner.hold = Hold::Stop, "");
        assert_eq!(messages(0, ALL, |_| {}), ["error: there is no sample in it"]);
    }

    #[test]
    fn reports_errors_of_sampling() {
        let short = "note: 48 samples a second were taken, 100 were requested: each stands for that much more time";
        check(|account| account.missed = 1100, short);
        check(
            |account| (0..20).for_each(|_| account.reject("torn".to_owned())),
            "note: 20 readings of stacks failed (1.96 %), mostly: torn",
        );
        let still = |account: &mut Account| {
            account.manner.hold = Hold::default();
            (0..1000).for_each(|_| account.reading.add(900_000));
        };
        let messages = messages(1000, ALL, still);
        assert!(
            messages[0].starts_with("warning: sampling paused the program for up to 10.0 %"),
            "{messages:?}"
        );
    }

    #[test]
    fn reports_what_was_not_observed() {
        let lost = |lost_cpu| messages(1000, Observed { lost_cpu, ..ALL }, |_| {});
        assert_eq!(
            lost(300_000_000),
            [
                "note: 40.0 ms of wall time (0.4 %) and 300.0 ms of CPU time (2.9 %) were not observed: they are \
              '(not observed)'"
            ]
        );
        assert!(
            lost(30_000_000_000)[0]
                .starts_with("warning: 40.0 ms of wall time (0.4 %) and 30.00 s")
        );
    }
}
