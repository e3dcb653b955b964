//! How often levels miss, and nothing else: who searches asks that of hundreds of programs.

use super::{Caches, Inclusion, Replacement, simulate};
use crate::cache::run::multiple_of;
use crate::walk::{Repeating, Sink, Touch, Turn, Walk};
use crate::warp::{Moves, Repeats, Warps};
use crate::{Error, Nest, Options, Space};

/// No line.
const NONE: u32 = u32::MAX;

/// So often it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 16;

/// Misses of each level of caches that are empty at first: those that [`simulate`] counts by reference. Where
/// it is known how many lines are touched in all, each of which is missed once, it is known sooner that there
/// are more misses than wanted.
pub fn misses(
    nest: &Nest,
    space: &Space,
    caches: &Caches,
    options: &Options<'_>,
    lines: Option<u64>,
) -> Result<Vec<u64>, Error> {
    caches.check(space.line)?;
    if !is_plain(caches) {
        let run = simulate(nest, space, caches, options)?;
        return Ok(run.counts.levels.iter().map(|level| level.misses.iter().sum()).collect());
    }
    let walk = Walk::new(nest, space)?;
    let level = |cache: &super::Cache| {
        let lines = (cache.size / space.line) as usize;
        let ways = cache.ways.map_or(lines, |ways| ways as usize);
        Level { sets: lines / ways, ways, lines: vec![NONE; lines], misses: 0 }
    };
    let mut run = Run {
        state: State {
            levels: caches.levels.iter().map(level).collect(),
            simulated: 0,
            touched: lines.map(|_| vec![0; space.lines.div_ceil(64) as usize]),
            again: 0,
        },
        warps: options.skips.then(|| Warps::new(space)),
        accesses: 0,
        ask_at: ASK_EVERY,
        goes_on: options.goes_on,
        most_again: options.most_misses.saturating_sub(lines.unwrap_or(0)),
        most_misses: options.most_misses,
    };
    walk.run(&mut run)?;
    Ok(run.state.levels.iter().map(|level| level.misses).collect())
}

/// Whether a level is asked for what the one before misses and for nothing else, and keeps what was used last
/// in few ways: then what is read or written, and by whom, does not matter.
fn is_plain(caches: &Caches) -> bool {
    caches.levels.iter().all(|cache| {
        cache.replacement == Replacement::Lru && cache.ways.is_some_and(|ways| ways <= 64)
    }) && caches.inclusion == Inclusion::None
        && caches.is_write_back
        && caches.is_write_allocate
        && !caches.prefetches_next
        && caches.private == 0
}

/// Sets of lines, in each those that were used last first.
struct Level {
    sets: usize,
    ways: usize,
    lines: Vec<u32>,
    misses: u64,
}

impl Level {
    /// Uses a line; tells whether it was there.
    #[inline]
    fn access(&mut self, line: u32) -> bool {
        let set = if self.sets.is_power_of_two() {
            line as usize & (self.sets - 1)
        } else {
            line as usize % self.sets
        };
        let own = &mut self.lines[set * self.ways..(set + 1) * self.ways];
        if own[0] == line {
            return true;
        }
        // Each goes one back, up to where it was.
        let mut next = line;
        for held in own {
            std::mem::swap(held, &mut next);
            if next == line {
                return true;
            }
        }
        self.misses += 1;
        false
    }
}

struct State {
    levels: Vec<Level>,
    simulated: u64,
    /// A bit a line: whether it was missed already; none where nobody asks.
    touched: Option<Vec<u64>>,
    /// Misses of the first level of lines that were missed before, as far as none were skipped.
    again: u64,
}

impl State {
    /// Tells whether the first level had it.
    fn access(&mut self, line: u32) -> bool {
        let level = self.levels.iter_mut().position(|level| level.access(line));
        if level != Some(0)
            && let Some(touched) = &mut self.touched
        {
            let (word, bit) = (line as usize / 64, 1u64 << (line % 64));
            self.again += u64::from(touched[word] & bit != 0);
            touched[word] |= bit;
        }
        level == Some(0)
    }
}

struct Run<'a> {
    state: State,
    warps: Option<Warps<Saved>>,
    accesses: u128,
    ask_at: u64,
    goes_on: &'a dyn Fn(u128) -> bool,
    most_misses: u64,
    /// The same of lines that were missed before.
    most_again: u64,
}

struct Saved {
    /// By level.
    lines: Vec<Vec<u32>>,
    misses: Vec<u64>,
}

impl Sink for Run<'_> {
    fn touch(&mut self, touches: &[Touch], times: u64) -> Result<(), Error> {
        let state = &mut self.state;
        for _ in 0..times {
            let (mut are_hits, mut last) = (true, NONE);
            for touch in touches {
                // The one that was touched last is there.
                if touch.line == last {
                    continue;
                }
                last = touch.line;
                are_hits &= state.access(touch.line);
            }
            state.simulated += touches.len() as u64;
            // Where all are hits, they are in the same order again.
            if are_hits {
                break;
            }
        }
        self.accesses += touches.len() as u128 * u128::from(times);
        if state.simulated >= self.ask_at {
            self.ask_at = state.simulated + ASK_EVERY;
            if !(self.goes_on)(self.accesses) {
                return Err(Error::Stopped);
            }
            let misses = state.levels.first().map_or(0, |level| level.misses);
            if misses > self.most_misses || state.again > self.most_again {
                return Err(Error::Beyond(self.most_misses));
            }
        }
        Ok(())
    }

    fn enter(&mut self, turn: &Turn<'_>) -> Result<u64, Error> {
        match &mut self.warps {
            Some(warps) => Ok(warps.enter(turn, &mut self.state)),
            None => Ok(0),
        }
    }
}

impl Level {
    /// Its lines so many periods further on; sets turn with them.
    fn moved(&self, lines: &[u32], by: &Moves<'_>, periods: i64) -> Vec<u32> {
        let turn = (by.first() * periods).rem_euclid(self.sets as i64) as usize;
        let mut moved = vec![NONE; lines.len()];
        for set in 0..self.sets {
            let to = (set + turn) % self.sets;
            for way in 0..self.ways {
                let line = lines[set * self.ways + way];
                if line != NONE {
                    let further = i64::from(line) + by.of(line) * periods;
                    moved[to * self.ways + way] = further as u32;
                }
            }
        }
        moved
    }
}

impl Repeats for State {
    type Saved = Saved;

    fn save(&self) -> Saved {
        Saved {
            lines: self.levels.iter().map(|level| level.lines.clone()).collect(),
            misses: self.levels.iter().map(|level| level.misses).collect(),
        }
    }

    fn size(&self) -> u64 {
        self.levels.iter().map(|level| level.lines.len() as u64).sum()
    }

    fn simulated(&self) -> u64 {
        self.simulated
    }

    fn multiple(&self, repeating: &Repeating) -> u64 {
        multiple_of(self.levels.iter().map(|level| level.sets as u64), repeating)
    }

    fn skip(
        &mut self,
        by: &Moves<'_>,
        saved: &Saved,
        periods: u64,
        _around: &mut [&mut Saved],
    ) -> u64 {
        let mut pairs = self.levels.iter().zip(&saved.lines);
        if periods == 0 || !pairs.all(|(level, old)| level.moved(old, by, 1) == level.lines) {
            return 0;
        }
        for (level, before) in self.levels.iter_mut().zip(&saved.misses) {
            level.misses += (level.misses - before) * periods;
            level.lines = level.moved(&level.lines, by, periods as i64);
        }
        periods
    }
}
