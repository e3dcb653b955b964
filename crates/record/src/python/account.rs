//! What a recording knows of its own errors: told in the manifest and in the file.

use std::collections::BTreeMap;

use super::durations::{Durations, text};
use super::lateness::Lateness;
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
    /// Readings that failed, by reason.
    pub(super) rejected: BTreeMap<String, u64>,
    /// Processes that were never read, by name and reason.
    pub(crate) left_out: BTreeMap<(String, String), u64>,
    /// Why the first process was never read; none if it was.
    pub(crate) obstacle: Option<String>,
    /// Interpreters that were read.
    pub(super) versions: BTreeMap<String, u64>,
    /// Threads of which it is not known whether they run.
    pub(super) unknown_threads: u64,
}

/// How it was to go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manner {
    pub(crate) frequency: u32,
    pub(crate) is_pausing: bool,
    /// Why, where nobody asked for it.
    pub(crate) why: String,
}

/// Processor time, as samples and as the kernel tell it, nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct CpuTime {
    pub(super) sampled_ns: u64,
    pub(super) kernel_ns: u64,
}

/// More failed readings or missed rounds than this are a warning.
const MANY: f64 = 0.05;
/// Fewer are not worth a word.
const FEW: f64 = 0.005;
/// A program that stands still for more than this is told of.
const STILL: f64 = 0.05;
/// Time on processors that differs by more than this is told.
const APART: f64 = 0.1;
/// Less than this of the time on processors is hardly a recording.
const MOST_MISSING: f64 = 0.5;
/// Processes that are named in a sentence, and in the file.
const TOLD: usize = 3;
const MOST_TOLD: usize = 100;
/// Of less time on processors nothing is said.
const ENOUGH_NS: u64 = 500_000_000;

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
    pub(super) fn findings(&self, samples: u64, untimed: u64, cpu: CpuTime) -> Vec<Finding> {
        if samples == 0 {
            return vec![Finding::error(
                "there is no sample in it",
                "let the program run longer, or raise --frequency",
            )];
        }
        let mut findings = vec![];
        let missed = share(self.missed + self.lateness.left_out, self.planned());
        if missed > FEW {
            let what = format!(
                "{:.0} rounds of samples a second were taken, {} were asked for: {:.1} % of the \
                 time has no sample, and times are that much too short{}",
                self.reached(),
                self.manner.frequency,
                missed * 100.0,
                // They are missed where the program keeps the processors, and so not anywhere.
                if missed > MANY { "; shares of functions may be off by as much" } else { "" }
            );
            let advice = "lower --frequency, or look for what keeps the processors busy";
            findings.push(if missed > MANY {
                Finding::warning(what, advice)
            } else {
                Finding::note(what, advice)
            });
        }
        findings.extend(self.rejection());
        if self.manner.is_pausing {
            let sampled = self.planned() * 1_000_000_000 / u64::from(self.manner.frequency.max(1));
            let still = share(self.reading.total, sampled);
            if still > STILL {
                let what = format!(
                    "the program was held for up to {:.1} % of the time, {} a sample (99 %: {})",
                    still * 100.0,
                    text(self.reading.quantile(0.5)),
                    text(self.reading.quantile(0.99))
                );
                let advice = "lower --frequency, or do not hold it: --pause never";
                findings.push(Finding::warning(what, advice));
            }
        }
        if !self.manner.why.is_empty() {
            findings
                .push(Finding::note(self.manner.why.clone(), "--pause always or never decides"));
        }
        if !self.left_out.is_empty() {
            let texts = self.left_out_texts();
            let more = match texts.len().saturating_sub(TOLD) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let told = texts[..texts.len().min(TOLD)].join("; ");
            findings.push(Finding::note(format!("not sampled: {told}{more}"), ""));
        }
        if self.unknown_threads > 0 {
            let what = format!(
                "of {} threads it is not known whether they ran: their CPU time is too long",
                self.unknown_threads
            );
            findings.push(Finding::note(what, "a Python of 3.11 or later tells its threads"));
        }
        if untimed > 0 {
            let what = format!("{untimed} samples have no time: there are too many to keep it");
            findings.push(Finding::note(what, "record for less long, or lower --frequency"));
        }
        findings.extend(self.cpu(cpu));
        findings
    }

    fn rejection(&self) -> Option<Finding> {
        let all = self.rejections();
        let share = share(all, self.reading.len() + all);
        let (why, _) = self.rejected.iter().max_by_key(|(_, count)| **count)?;
        let what =
            format!("{all} readings of stacks failed ({:.2} %), mostly: {why}", share * 100.0);
        let advice = "stacks that changed while they were read are left out; --pause always holds the \
                      program meanwhile";
        if share > MANY {
            return Some(Finding::warning(what, advice));
        }
        (share > FEW).then(|| Finding::note(what, advice))
    }

    /// Only where all was sampled can sums be compared; that most is missing is a warning in any case.
    fn cpu(&self, cpu: CpuTime) -> Option<Finding> {
        if cpu.kernel_ns < ENOUGH_NS {
            return None;
        }
        let ratio = cpu.sampled_ns as f64 / cpu.kernel_ns as f64;
        if ratio < MOST_MISSING {
            let what = format!(
                "samples tell {} of CPU time, the kernel {}: most of what ran is not in the recording",
                text(cpu.sampled_ns),
                text(cpu.kernel_ns)
            );
            let advice = "see what was not sampled; a program has to run for a while to be read";
            return Some(Finding::warning(what, advice));
        }
        if !self.left_out.is_empty() || self.unknown_threads > 0 {
            return None;
        }
        ((ratio - 1.0).abs() > APART).then(|| {
            let what = format!(
                "samples tell {} of CPU time, the kernel {}",
                text(cpu.sampled_ns),
                text(cpu.kernel_ns)
            );
            let advice = if ratio > 1.0 {
                "threads that wait for a processor count as running: measure while the machine does \
                 little else"
            } else {
                "the beginning of a process, missed rounds and threads without Python are not sampled"
            };
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
        let Manner { frequency, is_pausing, why } = &self.manner;
        let held = if *is_pausing { "held" } else { "not held" };
        let versions: Vec<String> = self
            .versions
            .iter()
            .map(|(version, count)| match count {
                1 => format!("Python {version}"),
                _ => format!("Python {version} ({count} processes)"),
            })
            .collect();
        let mut comments = vec![
            "Wall time, CPU time and GIL time are estimates: each sample stands for one period. CPU time is \
             that of threads that ran or could, GIL time that of threads that held it."
                .to_owned(),
            format!("Read from outside: {}", versions.join(", ")),
            format!(
                "{frequency} samples a second were asked for, {:.1} were reached: {} rounds, {} missed, \
                 {} left out because they came late",
                self.reached(),
                self.rounds,
                self.missed,
                self.lateness.left_out
            ),
            if why.is_empty() {
                format!("The program was {held} while its stacks were read")
            } else {
                why.clone()
            },
            format!("A process was read in {}", spread(&self.reading)),
            format!("Rounds were late by {}", spread(&self.lateness.all)),
            format!("{} readings failed and are left out", self.rejections()),
        ];
        comments.extend(self.rejected.iter().map(|(why, count)| format!("  {count}: {why}")));
        let left_out = self.left_out_texts().into_iter().take(MOST_TOLD);
        comments.extend(left_out.map(|told| format!("Not sampled: {told}")));
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

    const CPU: CpuTime = CpuTime { sampled_ns: 10_000_000_000, kernel_ns: 10_000_000_000 };

    /// Ten seconds at a hundred samples a second.
    fn told(samples: u64, cpu: CpuTime, change: impl FnOnce(&mut Account)) -> Vec<String> {
        let mut account = Account { rounds: 1000, ..Account::default() };
        account.manner.frequency = 100;
        (0..1000).for_each(|_| account.reading.add(100_000));
        change(&mut account);
        let findings = account.findings(samples, 0, cpu);
        findings.iter().map(|f| format!("{}: {}", f.severity.name(), f.what)).collect()
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Account), expected: &str) {
        assert_eq!(told(1000, CPU, change).concat(), expected);
    }

    #[test]
    fn a_good_recording_is_not_talked_of() {
        check(|_| {}, "");
        check(|account| account.manner.is_pausing = true, "");
        assert_eq!(told(0, CPU, |_| {}), ["error: there is no sample in it"]);
    }

    #[test]
    fn errors_of_sampling_are_told() {
        let short = "50 rounds of samples a second were taken, 100 were asked for: 50.0 % of the \
                     time has no sample, and times are that much too short; shares of functions may be off by as much";
        let missed =
            |account: &mut Account| (account.missed, account.lateness.left_out) = (600, 400);
        check(missed, &format!("warning: {short}"));
        check(
            |account| (0..20).for_each(|_| account.reject("torn".to_owned())),
            "note: 20 readings of stacks failed (1.96 %), mostly: torn",
        );
        let held = |account: &mut Account| {
            account.manner.is_pausing = true;
            (0..1000).for_each(|_| account.reading.add(900_000));
        };
        let told = told(1000, CPU, held);
        assert!(told[0].starts_with("warning: the program was held for up to 10.0 %"), "{told:?}");
    }

    #[test]
    fn what_the_kernel_tells_of_processors_is_compared() {
        let of = |sampled_ns| told(1000, CpuTime { sampled_ns, ..CPU }, |_| {});
        assert_eq!(of(10_500_000_000), [""; 0]);
        assert_eq!(
            of(13_000_000_000),
            ["note: samples tell 13.00 s of CPU time, the kernel 10.00 s"]
        );
        // Also where it is known that something is missing.
        let other = |account: &mut Account| {
            account.left_out.insert(("make".to_owned(), "no Python".to_owned()), 1);
        };
        let told = told(1000, CpuTime { sampled_ns: 4_000_000, ..CPU }, other);
        assert!(told[1].starts_with("warning: samples tell 4.0 ms of CPU time"), "{told:?}");
    }
}
