//! What samples of a process saw, as functions of its trace.

use calltrace::{Function, FunctionKind, Node, Rounds, Seen, SeenRun, Stacks};
use hashbrown::HashMap;

use super::functions::Functions;

/// Samples of a process as the file has them.
#[derive(Debug, Default)]
pub(super) struct Samples {
    texts: Vec<String>,
    nodes: Vec<Node>,
    period_ns: u64,
    slack_ns: u64,
    /// When each round was.
    times_us: Vec<u64>,
    /// By the system's number.
    threads: HashMap<u64, Vec<SeenRun>>,
}

impl Samples {
    /// Takes stacks in and gives the bytes that they need, about.
    pub(super) fn stacks(&mut self, stacks: Stacks) -> usize {
        let held = stacks.texts.iter().map(|text| 32 + text.len()).sum::<usize>();
        let held = held + stacks.nodes.len() * (size_of::<Node>() + 32);
        self.texts.extend(stacks.texts);
        self.nodes.extend(stacks.nodes);
        held
    }

    /// The same of rounds.
    pub(super) fn rounds(&mut self, rounds: Rounds) -> usize {
        let held = rounds.times_us.len() * 16;
        (self.period_ns, self.slack_ns) = (rounds.period_ns, rounds.slack_ns);
        let last = self.times_us.last().copied().unwrap_or(0);
        self.times_us.extend(rounds.times_us.into_iter().filter(|&time| time >= last));
        held
    }

    /// The same of a thread.
    pub(super) fn seen(&mut self, seen: Seen) -> usize {
        let held = 64 + seen.runs.len() * size_of::<SeenRun>();
        let runs = self.threads.entry(seen.thread).or_default();
        // A thread does one thing at a time.
        let mut end = runs.last().map_or(0, |last| last.begin + last.rounds);
        for run in seen.runs {
            if run.begin >= end && run.rounds > 0 {
                end = run.begin + run.rounds;
                runs.push(run);
            }
        }
        held
    }

    pub(super) fn is_empty(&self) -> bool {
        self.threads.is_empty() || self.times_us.is_empty()
    }

    /// How far from its time a stack may have been read, nanoseconds.
    pub(super) fn slack(&self) -> i64 {
        self.slack_ns.min(1_000_000_000) as i64
    }

    /// Samples of a thread in the order of time, in nanoseconds after `zero`.
    pub(super) fn of_thread(&self, id: u64, zero: i64) -> Cursor<'_> {
        let runs = self.threads.get(&id).map_or(&[][..], |runs| runs);
        Cursor { samples: self, runs, within: 0, zero }
    }

    fn time(&self, round: usize, zero: i64) -> Option<i64> {
        let time = i64::try_from(self.times_us.get(round)?.saturating_mul(1000)).ok()?;
        Some(time.saturating_sub(zero))
    }
}

/// Samples of a thread that were not looked at yet.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    samples: &'a Samples,
    runs: &'a [SeenRun],
    within: u32,
    zero: i64,
}

/// A thread at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) at: i64,
    /// What it stands for: up to half the way to the round before, and to the one behind. A round that was not
    /// taken is made up for so.
    pub(super) begin: i64,
    pub(super) end: i64,
    /// The innermost frame.
    pub(super) node: u32,
}

impl Cursor<'_> {
    /// The next sample.
    pub(super) fn peek(&self) -> Option<Sample> {
        let run = self.runs.first()?;
        let round = run.begin as usize + self.within as usize;
        let time = |round: usize| self.samples.time(round, self.zero);
        let at = time(round)?;
        let half = (self.samples.period_ns.min(1_000_000_000) / 2) as i64;
        let before = round.checked_sub(1).and_then(time);
        let begin = before.map_or(at.saturating_sub(half), |before| before + (at - before) / 2);
        let end = time(round + 1).map_or(at.saturating_add(half), |after| at + (after - at) / 2);
        Some(Sample { at, begin, end, node: run.stack })
    }

    pub(super) fn pass(&mut self) {
        self.within += 1;
        if self.runs.first().is_some_and(|run| self.within >= run.rounds) {
            (self.runs, self.within) = (&self.runs[1..], 0);
        }
    }
}

/// Stacks of functions, whatever their lines are.
#[derive(Debug, Default)]
pub(super) struct FunctionStacks {
    /// The stack around, and the function; [`NONE`] where there is none.
    all: Vec<(u32, u32)>,
    /// By the number of the frame in the file.
    of_node: Vec<u32>,
}

pub(super) const NONE: u32 = u32::MAX;

impl FunctionStacks {
    pub(super) fn new(
        samples: &Samples,
        known: &HashMap<u32, Function>,
        functions: &Functions,
    ) -> FunctionStacks {
        let mut by_name: HashMap<(&str, &str), Vec<(u32, bool, u32)>> = HashMap::new();
        for function in known.values().filter(|function| function.kind != FunctionKind::C) {
            let is_switched_off = functions.met(function.number).is_demoted();
            by_name.entry((&function.file, last_name(&function.name))).or_default().push((
                function.line,
                is_switched_off,
                function.number,
            ));
        }
        // Of the same code twice, the one that was switched off is meant.
        by_name.values_mut().for_each(|all| all.sort_unstable());
        let text = |at: u32| samples.texts.get(at as usize).map(String::as_str);
        let number = |node: &Node| {
            let all = by_name.get(&(text(node.file)?, last_name(text(node.name)?)))?;
            let behind = match (node.line, &all[..]) {
                (0, [_]) => 1,
                (line, all) => all.partition_point(|&(start, ..)| start <= line),
            };
            Some(all.get(behind.checked_sub(1)?)?.2)
        };
        let mut stacks = FunctionStacks::default();
        let mut interned: HashMap<(u32, u32), u32> = HashMap::new();
        for node in &samples.nodes {
            let around = match node.around {
                None => NONE,
                // One that does not come before is none that there is.
                Some(around) => stacks.of_node.get(around as usize).copied().unwrap_or(NONE),
            };
            let key = (around, number(node).unwrap_or(NONE));
            let next = stacks.all.len() as u32;
            let stack = *interned.entry(key).or_insert(next);
            if stack == next {
                stacks.all.push(key);
            }
            stacks.of_node.push(stack);
        }
        stacks
    }

    /// The stack of a frame in the file.
    pub(super) fn of_node(&self, node: u32) -> u32 {
        self.of_node.get(node as usize).copied().unwrap_or(NONE)
    }

    /// The functions of a stack, innermost first; [`NONE`] for one that the trace does not know.
    pub(super) fn functions(&self, stack: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let mut at = stack;
        std::iter::from_fn(move || {
            let &(around, function) = self.all.get(at as usize)?;
            at = around;
            Some(function)
        })
    }
}

/// A name without its class: not all interpreters tell that.
fn last_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
