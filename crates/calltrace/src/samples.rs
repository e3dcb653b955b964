//! What samples of a process saw, for functions that are no longer traced.
//!
//! ```text
//! rounds     0    1    2    3    4       of the process: when its stacks were read
//! thread 7   a    a    b    -    b       runs: a in 2 rounds from 0, b in 1 from 2, b in 1 from 4
//! ```
//! Two bytes a round, and four a run: a thread that waits costs nothing.

use crate::varint;

/// Stacks as a tree, numbered as they come, what is around something before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stacks {
    /// Names and files; those of further sections are numbered on.
    pub texts: Vec<String>,
    /// Frames.
    pub nodes: Vec<Node>,
}

/// A frame; the stack that it stands for is that of what is around it, and itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Node {
    /// The frame that called it.
    pub around: Option<u32>,
    /// The function's name, as a text.
    pub name: u32,
    /// Its file, as a text.
    pub file: u32,
    /// The line that runs; 0 if unknown.
    pub line: u32,
}

/// When samples were taken, one of all threads each time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rounds {
    /// How often one was meant to be taken, in nanoseconds.
    pub period_ns: u64,
    /// How far from its time a stack may have been read, in nanoseconds.
    pub slack_ns: u64,
    /// Microseconds of the system's monotonic clock, in order; those of further sections are numbered on.
    pub times_us: Vec<u64>,
}

/// What a thread did, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// The system's number.
    pub thread: u64,
    /// Stacks and when.
    pub runs: Vec<SeenRun>,
}

/// The same stack in rounds that follow each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeenRun {
    /// The first round.
    pub begin: u32,
    /// How many.
    pub rounds: u32,
    /// The innermost frame.
    pub stack: u32,
}

impl Stacks {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        varint::put(bytes, self.texts.len() as u64);
        for text in &self.texts {
            varint::put(bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
        varint::put(bytes, self.nodes.len() as u64);
        for node in &self.nodes {
            let around = node.around.map_or(0, |around| u64::from(around) + 1);
            for value in [around, node.name.into(), node.file.into(), node.line.into()] {
                varint::put(bytes, value);
            }
        }
    }

    pub(crate) fn take(rest: &mut &[u8]) -> Option<Stacks> {
        let texts = all(rest, |rest| {
            let length = usize::try_from(varint::take(rest)?).ok()?;
            let (text, behind) = rest.split_at_checked(length)?;
            *rest = behind;
            Some(String::from_utf8_lossy(text).into_owned())
        })?;
        let nodes = all(rest, |rest| {
            let around = varint::take(rest)?;
            let around = around.checked_sub(1).map(u32::try_from).transpose().ok()?;
            Some(Node { around, name: small(rest)?, file: small(rest)?, line: small(rest)? })
        })?;
        Some(Stacks { texts, nodes })
    }
}

impl Rounds {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        varint::put(bytes, self.period_ns);
        varint::put(bytes, self.slack_ns);
        varint::put(bytes, self.times_us.len() as u64);
        let mut last = 0;
        for &time in &self.times_us {
            varint::put(bytes, time.saturating_sub(last));
            last = last.max(time);
        }
    }

    pub(crate) fn take(rest: &mut &[u8]) -> Option<Rounds> {
        let (period_ns, slack_ns) = (varint::take(rest)?, varint::take(rest)?);
        let mut last = 0u64;
        let times_us = all(rest, |rest| {
            last = last.checked_add(varint::take(rest)?)?;
            Some(last)
        })?;
        Some(Rounds { period_ns, slack_ns, times_us })
    }
}

impl Seen {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        varint::put(bytes, self.thread);
        varint::put(bytes, self.runs.len() as u64);
        let mut end = 0;
        for run in &self.runs {
            for value in [run.begin.saturating_sub(end), run.rounds, run.stack] {
                varint::put(bytes, value.into());
            }
            end = run.begin.saturating_add(run.rounds);
        }
    }

    pub(crate) fn take(rest: &mut &[u8]) -> Option<Seen> {
        let thread = varint::take(rest)?;
        let mut end = 0u32;
        let runs = all(rest, |rest| {
            let begin = end.checked_add(small(rest)?)?;
            let (rounds, stack) = (small(rest)?, small(rest)?);
            end = begin.checked_add(rounds)?;
            Some(SeenRun { begin, rounds, stack })
        })?;
        Some(Seen { thread, runs })
    }
}

fn small(rest: &mut &[u8]) -> Option<u32> {
    varint::take(rest)?.try_into().ok()
}

/// As many as a number in front says; none where they are not there.
fn all<T>(rest: &mut &[u8], mut one: impl FnMut(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let count = varint::take(rest)?;
    let all: Vec<T> = (0..count).map_while(|_| one(rest)).collect();
    (all.len() as u64 == count).then_some(all)
}
