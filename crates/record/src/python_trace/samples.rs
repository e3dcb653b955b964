//! What functions do that are no longer traced: samples from outside, for the file of a trace.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use calltrace::{Node, Rounds, Section, Seen, SeenRun, Stacks};
use py_spy::Frame;

use crate::python::durations::Durations;
use crate::python::sampler::{Keep, Manner, Moment, Sampled, Sampler, Since, Wanted};
use crate::python::stacks::{self, Hold, ThreadKey};

/// Samples a second: a prime, so that they keep no step with what is regular. A reading takes 50 µs of another
/// processor.
const FREQUENCY: u32 = 199;

/// No more are kept, 12 bytes each.
const MOST_RUNS: usize = 20_000_000;

/// Of a section, so that none is too long.
const MOST_IN_SECTION: usize = 1 << 20;

/// Clocks were read so much apart, nanoseconds.
const CLOCKS: u64 = 5_000;

/// Begins to sample a command and what it starts. Nothing is held: the trace's times would have that in them.
pub(super) fn start(pid: u32, began_ns: i64) -> Sampler<Samples> {
    let manner = Manner { frequency: FREQUENCY, hold: Hold::Free };
    let wanted =
        Wanted { pid, with_children: true, began_ns: Some(began_ns), manner, duration: None };
    Sampler::start(wanted, |period_ns| Samples { period_ns, ..Samples::default() })
}

/// Why a process has no samples.
pub(super) fn obstacle(sampled: Option<&Sampled<Samples>>) -> String {
    let Some(sampled) = sampled else { return "sampling failed".to_owned() };
    let left_out = sampled.account.left_out.keys().next().map(|(_, why)| why.clone());
    let why = sampled.account.obstacle.clone().or(left_out);
    why.unwrap_or_else(|| "it ended before it could be read".to_owned())
}

/// Samples of processes.
#[derive(Default)]
pub(super) struct Samples {
    period_ns: u64,
    processes: HashMap<u32, Process>,
    runs: usize,
}

#[derive(Default)]
struct Process {
    /// Nanoseconds from the start.
    rounds: Vec<u64>,
    reading: Durations,
    texts: HashMap<String, u32>,
    nodes: HashMap<Node, u32>,
    stacks: Stacks,
    threads: HashMap<u64, Thread>,
}

#[derive(Default)]
struct Thread {
    /// Of the last sample, innermost first.
    frames: Vec<Frame>,
    runs: Vec<SeenRun>,
}

impl Keep for Samples {
    fn process(&mut self, _: u32, _: &str, _: Since) {}

    fn fail(&mut self, _: u64, _: u32) {}

    fn end(&mut self, _: u64, _: u32) {}

    fn add(&mut self, moment: Moment, pid: u32, threads: Vec<stacks::Seen>) {
        if self.runs >= MOST_RUNS {
            return;
        }
        let process = self.processes.entry(pid).or_default();
        let Ok(round) = u32::try_from(process.rounds.len()) else { return };
        process.rounds.push(moment.at + moment.took / 2);
        process.reading.add(moment.took);
        for seen in threads {
            // What the kernel does not know is not a thread of the trace.
            if let ThreadKey::Number(thread) = seen.thread
                && !seen.is_torn
                && !seen.frames.is_empty()
            {
                self.runs += usize::from(process.see(thread.into(), round, seen.frames));
            }
        }
    }
}

impl Process {
    /// Whether it is another run.
    fn see(&mut self, thread: u64, round: u32, frames: Vec<Frame>) -> bool {
        let thread = self.threads.entry(thread).or_default();
        if thread.frames == frames
            && let Some(last) = thread.runs.last_mut()
        {
            if last.begin + last.rounds == round {
                last.rounds += 1;
                return false;
            }
            let stack = last.stack;
            thread.runs.push(SeenRun { begin: round, rounds: 1, stack });
            return true;
        }
        let mut around = None;
        for frame in frames.iter().rev() {
            let mut text = |text: &str| match self.texts.get(text) {
                Some(&known) => known,
                None => {
                    let number = self.stacks.texts.len() as u32;
                    self.stacks.texts.push(text.to_owned());
                    self.texts.insert(text.to_owned(), number);
                    number
                }
            };
            let (name, file) = (text(&frame.name), text(&frame.filename));
            let node = Node { around, name, file, line: u32::try_from(frame.line).unwrap_or(0) };
            around = Some(match self.nodes.entry(node) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    self.stacks.nodes.push(node);
                    *new.insert(self.stacks.nodes.len() as u32 - 1)
                }
            });
        }
        let Some(stack) = around else { return false };
        thread.runs.push(SeenRun { begin: round, rounds: 1, stack });
        thread.frames = frames;
        true
    }
}

impl Samples {
    /// What a file has of a process; `began_ns` is when sampling did, of the monotonic clock.
    pub(super) fn sections(&self, pid: u32, began_ns: i64) -> Vec<Section> {
        let Some(process) = self.processes.get(&pid) else { return vec![] };
        let mut sections = vec![];
        let Stacks { texts, nodes } = &process.stacks;
        let mut rest = texts.clone();
        for nodes in nodes.chunks(MOST_IN_SECTION) {
            let texts = std::mem::take(&mut rest);
            sections.push(Section::Stacks(Stacks { texts, nodes: nodes.to_vec() }));
        }
        let began = u64::try_from(began_ns).unwrap_or(0);
        let slack_ns = process.reading.quantile(0.95) / 2 + CLOCKS;
        for rounds in process.rounds.chunks(MOST_IN_SECTION) {
            let times_us = rounds.iter().map(|at| (began + at) / 1000).collect();
            let period_ns = self.period_ns;
            sections.push(Section::Rounds(Rounds { period_ns, slack_ns, times_us }));
        }
        let mut threads: Vec<_> = process.threads.iter().collect();
        threads.sort_by_key(|(thread, _)| **thread);
        for (&thread, seen) in threads {
            let runs = seen.runs.chunks(MOST_IN_SECTION);
            sections.extend(runs.map(|runs| Section::Seen(Seen { thread, runs: runs.to_vec() })));
        }
        sections
    }
}
