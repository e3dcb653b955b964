//! Iterations of a loop that do the same as those before, some lines further on, are not simulated.
//!
//! If after an iteration the state of a simulation is that of the iteration before, each container's lines
//! moved by as much as the accesses of the loop move, then so is everything that follows (warping: Morelli
//! and Reineke, PLDI 2022).

use crate::Space;
use crate::walk::{Repeating, Turn};

/// A simulation that can tell whether it repeats.
pub(crate) trait Repeats {
    /// What it was at some time, and what happened since.
    type Saved;

    /// What is saved now.
    fn save(&self) -> Self::Saved;

    /// How much comparing takes, in touches.
    fn size(&self) -> u64;

    /// How many touches were simulated.
    fn simulated(&self) -> u64;

    /// After how many periods accesses meet the same again at the soonest.
    fn multiple(&self, repeating: &Repeating) -> u64;

    /// Skips up to so many periods, if the last (that since something was saved) was as the one before;
    /// tells how many. What was saved of loops around is told what happens.
    fn skip(
        &mut self,
        by: &Moves<'_>,
        saved: &Self::Saved,
        periods: u64,
        around: &mut [&mut Self::Saved],
    ) -> u64;
}

/// By how many lines a period moves lines.
pub(crate) struct Moves<'a> {
    containers: &'a [(u64, usize)],
    lines: Vec<i64>,
}

impl Moves<'_> {
    /// Of a line.
    pub(crate) fn of(&self, line: u32) -> i64 {
        let next = self.containers.partition_point(|(first, _)| *first <= u64::from(line));
        next.checked_sub(1).map_or(0, |at| self.lines[self.containers[at].1])
    }

    /// Of the first container.
    pub(crate) fn first(&self) -> i64 {
        self.lines.first().copied().unwrap_or(0)
    }
}

/// Loops with fewer periods are gone through: two are, until it is known that they are alike, and the last.
const LEAST_PERIODS: u64 = 4;

/// What is left has so many more touches than what is compared has lines, for that takes time, too.
const WORTH: u64 = 4;

/// Loops that are watched.
pub(crate) struct Warps<S> {
    /// First line and container, in order; what is before the first is of none.
    containers: Vec<(u64, usize)>,
    watched: Vec<Watched<S>>,
    has_skipped: bool,
}

/// A loop that goes on.
struct Watched<S> {
    number: usize,
    /// Iterations of a period.
    period: u64,
    /// When it is looked at next, in iterations.
    next: u64,
    /// How many touches were simulated when its period before began.
    before: u64,
    /// What there was when the period began that is compared.
    saved: Option<S>,
}

impl<S> Warps<S> {
    pub(crate) fn new(space: &Space) -> Warps<S> {
        let begin = |(number, base): (usize, &i64)| {
            let container = &space.containers[number];
            let [first, last] = container.extent()?;
            let first = i128::from(*base) + first * i128::from(container.element);
            (last >= first.min(0)).then(|| ((first.max(0) as u64) / space.line, number))
        };
        let mut containers: Vec<(u64, usize)> =
            space.bases.iter().enumerate().filter_map(begin).collect();
        containers.sort_unstable();
        Warps { containers, watched: vec![], has_skipped: false }
    }

    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// What was saved of loops that go on.
    pub(crate) fn saved(&mut self) -> impl Iterator<Item = &mut S> {
        self.watched.iter_mut().filter_map(|watched| watched.saved.as_mut())
    }

    /// Before an iteration: how many are skipped, with the state as it is behind them.
    pub(crate) fn enter(&mut self, turn: &Turn<'_>, state: &mut impl Repeats<Saved = S>) -> u64 {
        let Some(repeating) = turn.repeating else { return 0 };
        if turn.done == 0 {
            self.watched.retain(|watched| watched.number != turn.number);
            if turn.count / repeating.period < LEAST_PERIODS {
                return 0;
            }
            let period = repeating.period.saturating_mul(state.multiple(repeating));
            if turn.count / period >= LEAST_PERIODS {
                let before = state.simulated();
                let number = turn.number;
                self.watched.push(Watched { number, period, next: period, before, saved: None });
            }
            return 0;
        }
        let Some(at) = self.watched.iter().position(|watched| watched.number == turn.number) else {
            return 0;
        };
        let watched = &mut self.watched[at];
        let period = watched.period;
        if !turn.done.is_multiple_of(period) {
            return 0;
        }
        let periods = (turn.count - turn.done) / period;
        let simulated = state.simulated() - watched.before;
        watched.before = state.simulated();
        if turn.done < watched.next {
            return 0;
        }
        let Some(saved) = watched.saved.take() else {
            let left = simulated.saturating_mul(periods.saturating_sub(2));
            if left >= state.size().saturating_mul(WORTH) {
                watched.saved = Some(state.save());
                watched.next = turn.done + period;
            } else {
                watched.next = turn.done * 2;
            }
            return 0;
        };
        watched.next = turn.done * 2;
        let times = (period / repeating.period) as i64;
        let lines = repeating.lines.iter().map(|lines| lines * times).collect();
        let by = Moves { containers: &self.containers, lines };
        let mut around: Vec<&mut S> =
            self.watched.iter_mut().filter_map(|watched| watched.saved.as_mut()).collect();
        // The last period is gone through, which finds what leaves its container.
        let skipped = state.skip(&by, &saved, periods.saturating_sub(1), &mut around);
        self.has_skipped |= skipped > 0;
        skipped * period
    }
}
