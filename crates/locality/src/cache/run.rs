//! A nest through caches.

use super::Caches;
use super::hierarchy::{Counts, Hierarchy};
use super::level::{Level, Snapshot};
use crate::walk::{Repeating, Sink, Touch, Turn, Walk, gcd};
use crate::warp::{Moves, Repeats, Warps};
use crate::{Error, Method, Nest, Options, Space};

/// More references are refused: who drives out whom is counted for each pair of them.
const MOST_REFERENCES: usize = 2048;

/// So often it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 16;

/// What a nest does in caches.
#[derive(Debug, Clone)]
pub struct CacheRun {
    /// By level and reference.
    pub counts: Counts,
    /// How it came about.
    pub method: Method,
    /// Touches that were simulated one by one.
    pub simulated: u64,
}

/// Runs a nest through caches that are empty.
pub fn simulate(
    nest: &Nest,
    space: &Space,
    caches: &Caches,
    options: &Options<'_>,
) -> Result<CacheRun, Error> {
    caches.check(space.line)?;
    let count = nest.references.len();
    if count > MOST_REFERENCES {
        return Err(Error::References { count, most: MOST_REFERENCES });
    }
    let threads = options.of_threads(count)?;
    let walk = Walk::new(nest, space)?;
    let lines = space.lines.min(u32::MAX.into()) as u32;
    let mut run = Run {
        state: State {
            hierarchy: Hierarchy::of_threads(caches, space.line, lines, &threads),
            simulated: 0,
        },
        writes: nest.references.iter().map(|reference| reference.is_write).collect(),
        // Writes that go through are not hits.
        collapses: caches.is_write_back,
        // The line behind the last of a container is another container's.
        warps: (options.skips && !caches.prefetches_next).then(|| Warps::new(space)),
        accesses: 0,
        ask_at: ASK_EVERY,
        goes_on: options.goes_on,
        most_misses: options.most_misses,
    };
    walk.run(&mut run)?;
    let has_skipped = run.warps.as_ref().is_some_and(Warps::has_skipped);
    Ok(CacheRun {
        counts: run.state.hierarchy.counts,
        method: if has_skipped { Method::Skipped } else { Method::Exact },
        simulated: run.state.simulated,
    })
}

struct Run<'a> {
    state: State,
    /// By reference.
    writes: Vec<bool>,
    collapses: bool,
    warps: Option<Warps<Saved>>,
    accesses: u128,
    ask_at: u64,
    goes_on: &'a dyn Fn(u128) -> bool,
    most_misses: u64,
}

struct State {
    hierarchy: Hierarchy,
    simulated: u64,
}

struct Saved {
    levels: Vec<Snapshot>,
    counts: Counts,
}

impl Sink for Run<'_> {
    fn touch(&mut self, touches: &[Touch], times: u64) -> Result<(), Error> {
        let State { hierarchy, simulated } = &mut self.state;
        let mut done = 0;
        while done < times {
            let mut are_hits = true;
            for &Touch { reference, line } in touches {
                are_hits &= hierarchy.access(line, self.writes[reference as usize], reference);
            }
            done += 1;
            *simulated += touches.len() as u64;
            if *simulated >= self.ask_at {
                self.ask_at = *simulated + ASK_EVERY;
                if !(self.goes_on)(self.accesses) {
                    return Err(Error::Stopped);
                }
                let first = hierarchy.counts.levels.first();
                let misses = first.map_or(0, |level| level.misses.iter().sum::<u64>());
                if misses > self.most_misses {
                    return Err(Error::Beyond(self.most_misses));
                }
            }
            // Where all are hits, nothing changes, and all are again.
            if are_hits && self.collapses && done < times {
                if let Some(level) = hierarchy.counts.levels.first_mut() {
                    for touch in touches {
                        level.accesses[touch.reference as usize] += times - done;
                    }
                }
                break;
            }
        }
        self.accesses += touches.len() as u128 * u128::from(times);
        Ok(())
    }

    fn enter(&mut self, turn: &Turn<'_>) -> Result<u64, Error> {
        match &mut self.warps {
            Some(warps) => Ok(warps.enter(turn, &mut self.state)),
            None => Ok(0),
        }
    }
}

impl Repeats for State {
    type Saved = Saved;

    fn save(&self) -> Saved {
        Saved {
            levels: self.hierarchy.levels.iter().map(|level| level.save()).collect(),
            counts: self.hierarchy.counts.clone(),
        }
    }

    fn size(&self) -> u64 {
        self.hierarchy.levels.iter().map(|level| level.size()).sum()
    }

    fn simulated(&self) -> u64 {
        self.simulated
    }

    fn multiple(&self, repeating: &Repeating) -> u64 {
        multiple_of(self.hierarchy.levels.iter().map(Level::sets), repeating)
    }

    fn skip(
        &mut self,
        by: &Moves<'_>,
        saved: &Saved,
        periods: u64,
        _around: &mut [&mut Saved],
    ) -> u64 {
        let Hierarchy { levels, counts, .. } = &mut self.hierarchy;
        let now: Vec<Snapshot> = levels.iter().map(|level| level.save()).collect();
        let is_same = levels
            .iter()
            .zip(&saved.levels)
            .zip(&now)
            .all(|((level, old), now)| old.moved(by, 1, level.sets()) == *now);
        if !is_same || periods == 0 {
            return 0;
        }
        counts.repeat(&saved.counts, periods);
        for (level, now) in levels.iter_mut().zip(&now) {
            let moved = now.moved(by, periods as i64, level.sets());
            level.restore(&moved);
        }
        periods
    }
}

/// After how many periods all containers turn the sets of all levels by as much.
pub(super) fn multiple_of(sets: impl Iterator<Item = u64>, repeating: &Repeating) -> u64 {
    let first = repeating.lines.first().copied().unwrap_or(0);
    let mut multiple = 1u64;
    for sets in sets {
        for lines in &repeating.lines {
            let apart = (lines - first).unsigned_abs();
            let own = sets / gcd(sets, apart % sets);
            multiple = (multiple / gcd(multiple, own)).saturating_mul(own);
        }
    }
    multiple
}
