//! Iterations of a loop that do the same as those before, some lines further on, are not simulated.
//!
//! If after an iteration the stack of lines is that of the iteration before, each container's lines moved
//! by as much as the accesses of the loop move, then so is everything that follows (warping: Morelli and
//! Reineke, PLDI 2022). What was touched before at all is no part of the stack: so lines are gone through
//! for each iteration that is skipped, whether those are new which ought to be.

use crate::Space;
use crate::histogram::Histogram;
use crate::stack::LruStack;
use crate::walk::{Repeating, Turn};

/// What a simulation has.
pub(crate) struct State {
    pub(crate) stack: LruStack,
    /// A bit a line: whether it was touched.
    pub(crate) touched: Vec<u64>,
    /// By reference.
    pub(crate) histograms: Vec<Histogram>,
    /// Touches that were simulated.
    pub(crate) simulated: u64,
}

/// Loops with fewer periods left are gone through.
const LEAST_PERIODS: u64 = 8;

/// A period has touches for this part of the stack at least, for comparing stacks costs time, too.
const PART: u64 = 8;

/// Loops that are watched.
pub(crate) struct Warps {
    /// First line and container, in order; what is before the first is of none.
    containers: Vec<(u64, usize)>,
    watched: Vec<Watched>,
    has_skipped: bool,
}

/// A loop that goes on.
struct Watched {
    number: usize,
    /// When it is looked at next, in iterations.
    next: u64,
    /// How many touches were simulated when its period before began.
    before: u64,
    /// What there was when the period began that is compared.
    snapshot: Option<Snapshot>,
}

struct Snapshot {
    lines: Vec<u32>,
    histograms: Vec<Histogram>,
    /// Lines that were touched since, once each, and whether they were new.
    seen: Vec<(u32, bool)>,
    /// A bit a line of those.
    marks: Vec<u64>,
}

impl Snapshot {
    fn mark(&mut self, line: u32, is_new: bool) {
        let (word, bit) = (line as usize / 64, 1u64 << (line % 64));
        if self.marks[word] & bit == 0 {
            self.marks[word] |= bit;
            self.seen.push((line, is_new));
        }
    }
}

impl Warps {
    pub(crate) fn new(space: &Space) -> Warps {
        let begin = |(number, base): (usize, &i64)| {
            let container = &space.containers[number];
            let [first, last] = container.extent()?;
            let first = i128::from(*base) + first * i128::from(container.element);
            (last >= 0 || first >= 0).then(|| ((first as u64) / space.line, number))
        };
        let mut containers: Vec<(u64, usize)> =
            space.bases.iter().enumerate().filter_map(begin).collect();
        containers.sort_unstable();
        Warps { containers, watched: vec![], has_skipped: false }
    }

    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// A line is touched.
    pub(crate) fn tell(&mut self, line: u32, is_new: bool) {
        for watched in &mut self.watched {
            if let Some(snapshot) = &mut watched.snapshot {
                snapshot.mark(line, is_new);
            }
        }
    }

    /// Before an iteration: how many are skipped, with the state as it is behind them.
    pub(crate) fn enter(&mut self, turn: &Turn<'_>, state: &mut State) -> u64 {
        let Some(repeating) = turn.repeating else { return 0 };
        let period = repeating.period;
        if turn.done == 0 {
            self.watched.retain(|watched| watched.number != turn.number);
            if turn.count / period >= 2 * LEAST_PERIODS {
                self.watched.push(Watched {
                    number: turn.number,
                    next: period,
                    before: state.simulated,
                    snapshot: None,
                });
            }
            return 0;
        }
        if !turn.done.is_multiple_of(period) {
            return 0;
        }
        let Some(at) = self.watched.iter().position(|watched| watched.number == turn.number) else {
            return 0;
        };
        let periods = (turn.count - turn.done) / period;
        let watched = &mut self.watched[at];
        let simulated = state.simulated - watched.before;
        watched.before = state.simulated;
        if turn.done < watched.next {
            return 0;
        }
        if let Some(snapshot) = watched.snapshot.take() {
            // Twice as late as this one.
            watched.next = turn.done * 2 - turn.done % period;
            // The last period is gone through, which finds what leaves its container.
            let skipped = self.skip(repeating, &snapshot, periods.saturating_sub(1), state);
            if skipped == 0 && periods < LEAST_PERIODS {
                self.watched.remove(at);
            }
            self.has_skipped |= skipped > 0;
            return skipped * period;
        }
        if simulated >= state.stack.len() as u64 / PART && periods > LEAST_PERIODS {
            watched.snapshot = Some(Snapshot {
                lines: state.stack.lines().collect(),
                histograms: state.histograms.clone(),
                seen: vec![],
                marks: vec![0; state.touched.len()],
            });
            watched.next = turn.done + period;
        } else {
            watched.next = turn.done * 2;
        }
        0
    }

    /// Skips periods, if the last was as the one before; tells how many.
    fn skip(
        &mut self,
        repeating: &Repeating,
        snapshot: &Snapshot,
        periods: u64,
        state: &mut State,
    ) -> u64 {
        let now: Vec<u32> = state.stack.lines().collect();
        let by = |line: u32| self.moves(repeating, line);
        let is_moved = |(&old, &new): (&u32, &u32)| i64::from(old) + by(old) == i64::from(new);
        let is_same =
            now.len() == snapshot.lines.len() && snapshot.lines.iter().zip(&now).all(is_moved);
        if !is_same || periods == 0 {
            return 0;
        }
        // What does not move was touched and stays so.
        let moving: Vec<(u32, i64, bool)> = snapshot
            .seen
            .iter()
            .map(|&(line, is_new)| (line, by(line), is_new))
            .filter(|(_, by, is_new)| *by != 0 || *is_new)
            .collect();
        let mut skipped = 0;
        while skipped < periods {
            let to = |&(line, by, is_new): &(u32, i64, bool)| {
                let line = (i64::from(line) + by * (skipped as i64 + 1)) as usize;
                (line, is_new)
            };
            let is_as_before = moving.iter().map(to).all(|(line, is_new)| {
                state.touched[line / 64] >> (line % 64) & 1 == u64::from(!is_new)
            });
            if !is_as_before {
                break;
            }
            for (line, is_new) in moving.iter().map(to) {
                state.touched[line / 64] |= 1 << (line % 64);
                self.tell(line as u32, is_new);
            }
            skipped += 1;
        }
        if skipped == 0 {
            return 0;
        }
        for (own, before) in state.histograms.iter_mut().zip(&snapshot.histograms) {
            own.repeat(before, skipped);
        }
        let behind = now
            .iter()
            .map(|&line| (i64::from(line) + self.moves(repeating, line) * skipped as i64) as u32);
        state.stack.restore(&behind.collect::<Vec<u32>>());
        skipped
    }

    /// By how many lines a period moves one.
    fn moves(&self, repeating: &Repeating, line: u32) -> i64 {
        let next = self.containers.partition_point(|(first, _)| *first <= u64::from(line));
        match next.checked_sub(1) {
            Some(at) => repeating.lines[self.containers[at].1],
            None => 0,
        }
    }
}
