//! Exact stack distances of a nest.

use crate::histogram::{Histogram, Misses};
use crate::state::{Saved, State};
use crate::walk::{Sink, Touch, Turn, Walk};
use crate::warp::Warps;
use crate::{Error, Nest, Space};

/// More lines are refused: each takes some 5 bytes while it is simulated.
const MOST_LINES: u64 = 1 << 29;

/// More references are refused: each has 8 KiB of counts.
const MOST_REFERENCES: usize = 1 << 14;

/// So often it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 16;

/// How far and how long is simulated.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Distances are followed up to so many lines, which is the largest cache that can be asked for.
    pub depth: u64,
    /// Whether iterations that do the same elsewhere are skipped, which changes no count.
    pub skips: bool,
    /// Asked now and then, with the accesses so far; false stops.
    pub goes_on: &'a dyn Fn(u128) -> bool,
    /// By reference, which thread it is of, from 0; empty if there is one thread.
    pub threads: &'a [u32],
    /// Stops once more than so many misses are known: of the first level, or at distances beyond the depth.
    pub most_misses: u64,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            depth: 1 << 20,
            skips: true,
            goes_on: &|_| true,
            threads: &[],
            most_misses: u64::MAX,
        }
    }
}

impl Options<'_> {
    /// The threads of so many references.
    pub(crate) fn of_threads(&self, references: usize) -> Result<Vec<u32>, Error> {
        match self.threads.len() {
            0 => Ok(vec![0; references]),
            count if count == references => Ok(self.threads.to_vec()),
            count => Err(Error::Missing(format!("reference {}", count.min(references)))),
        }
    }
}

/// How numbers came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Each access, or each group of iterations that touch the same lines, was simulated.
    Exact,
    /// The same, and iterations that repeat others elsewhere were counted and not simulated; as exact.
    Skipped,
}

/// Stack distances by reference.
#[derive(Debug, Clone)]
pub struct Distances {
    /// By reference.
    pub by_reference: Vec<Histogram>,
    /// Distances up to here were followed, in lines.
    pub depth: u64,
    /// How it came about.
    pub method: Method,
    /// Touches that were simulated one by one.
    pub simulated: u64,
    /// Lines that were touched, by container.
    pub lines: Vec<u64>,
}

impl Distances {
    /// All references together.
    pub fn total(&self) -> Histogram {
        let mut all = Histogram::default();
        for one in &self.by_reference {
            all.merge(one);
        }
        all
    }

    /// Misses of a container in a cache of so many lines.
    pub fn misses_of(&self, nest: &Nest, container: u32, lines: u64) -> Misses {
        let own = nest.references.iter().zip(&self.by_reference);
        own.filter(|(reference, _)| reference.container == container).fold(
            Misses::default(),
            |sum, (_, histogram)| {
                let Misses { cold, capacity } = histogram.misses(lines);
                Misses { cold: sum.cold + cold, capacity: sum.capacity + capacity }
            },
        )
    }
}

/// Stack distances of all accesses of a nest.
pub fn distances(nest: &Nest, space: &Space, options: &Options<'_>) -> Result<Distances, Error> {
    if space.lines > MOST_LINES {
        let line = u128::from(space.line);
        let bytes = u128::from(space.lines) * line;
        return Err(Error::Room { bytes, most: u128::from(MOST_LINES) * line });
    }
    let count = nest.references.len();
    if count > MOST_REFERENCES {
        return Err(Error::References { count, most: MOST_REFERENCES });
    }
    let walk = Walk::new(nest, space)?;
    let depth = usize::try_from(options.depth).unwrap_or(usize::MAX);
    let state = State::new(space.lines as usize, depth, nest.references.len());
    let mut simulation = Simulation {
        state,
        warps: options.skips.then(|| Warps::new(space)),
        pattern: Pattern::default(),
        accesses: 0,
        ask_at: ASK_EVERY,
        goes_on: options.goes_on,
        most_misses: options.most_misses,
    };
    walk.run(&mut simulation)?;
    let Simulation { state, warps, .. } = simulation;
    let has_skipped = warps.as_ref().is_some_and(Warps::has_skipped);
    let mut lines = vec![0; space.containers.len()];
    for (reference, histogram) in nest.references.iter().zip(&state.histograms) {
        lines[reference.container as usize] += histogram.cold;
    }
    Ok(Distances {
        by_reference: state.histograms,
        depth: options.depth,
        method: if has_skipped { Method::Skipped } else { Method::Exact },
        simulated: state.simulated,
        lines,
    })
}

struct Simulation<'a> {
    state: State,
    warps: Option<Warps<Saved>>,
    pattern: Pattern,
    accesses: u128,
    ask_at: u64,
    goes_on: &'a dyn Fn(u128) -> bool,
    most_misses: u64,
}

impl Sink for Simulation<'_> {
    fn touch(&mut self, touches: &[Touch], times: u64) -> Result<(), Error> {
        for &touch in touches {
            let is_new = self.state.touch(touch).is_new;
            for saved in self.warps.iter_mut().flat_map(Warps::saved) {
                saved.mark(touch.line, is_new);
            }
        }
        if times > 1 {
            let depth = self.state.stack.depth() as u64;
            for (touch, &distance) in touches.iter().zip(self.pattern.of(touches)) {
                let histogram = &mut self.state.histograms[touch.reference as usize];
                if distance < depth {
                    histogram.add(distance, times - 1);
                } else {
                    // The stack is not as deep as one iteration goes.
                    histogram.far += times - 1;
                }
            }
        }
        let simulated = &mut self.state.simulated;
        *simulated += touches.len() as u64;
        self.accesses += touches.len() as u128 * u128::from(times);
        if *simulated >= self.ask_at {
            self.ask_at = *simulated + ASK_EVERY;
            if !(self.goes_on)(self.accesses) {
                return Err(Error::Stopped);
            }
            let misses = self.state.histograms.iter().map(|own| own.cold + own.far).sum::<u64>();
            if misses > self.most_misses {
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

/// Distances within an iteration whose lines are those of the one before: how many others are between two
/// touches of a line, around the end.
#[derive(Debug, Default)]
struct Pattern {
    /// Of the touches before, the place of the first touch of the same line.
    firsts: Vec<u32>,
    distances: Vec<u64>,
    scratch: Vec<u32>,
}

impl Pattern {
    fn of(&mut self, touches: &[Touch]) -> &[u64] {
        self.scratch.clear();
        for (place, touch) in touches.iter().enumerate() {
            let first = touches[..place].iter().position(|one| one.line == touch.line);
            self.scratch.push(first.unwrap_or(place) as u32);
        }
        if self.scratch != self.firsts || self.distances.is_empty() {
            std::mem::swap(&mut self.scratch, &mut self.firsts);
            self.distances = (0..touches.len()).map(|place| self.distance(place)).collect();
        }
        &self.distances
    }

    fn distance(&self, place: usize) -> u64 {
        let all = self.firsts.len();
        let mut seen = vec![];
        for back in 1..=all {
            let other = self.firsts[(place + all - back) % all];
            if other == self.firsts[place] {
                break;
            }
            if !seen.contains(&other) {
                seen.push(other);
            }
        }
        seen.len() as u64
    }
}
