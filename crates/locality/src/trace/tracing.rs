//! A trace as it is taken, line by line.

use rustc_hash::FxHashMap;

use super::at_elements::{Watched, Watching};
use super::each::{EachTraced, Following};
use super::ranges::Ranges;
use crate::cache::{CacheRun, Caches, Hierarchy};
use crate::distances::{Distances, Method};
use crate::outcome::Outcome;
use crate::state::State;
use crate::walk::Touch;
use crate::{Container, Error};

/// More lines are refused: each takes some 30 bytes while it is simulated.
const MOST_LINES: u32 = 1 << 27;

/// More ranges are refused: who drives out whom is counted for each pair of them.
pub const MOST_RANGES: usize = 1000;

/// An access to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Its first byte.
    pub address: u64,
    /// How many bytes.
    pub bytes: u32,
    /// Whether it writes.
    pub is_write: bool,
}

/// What was seen of accesses besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// Accesses.
    pub accesses: u64,
    /// Those that touch more lines than one; each counts once a line.
    pub crossing: u64,
    /// Those that touch more elements of their range than one.
    pub wide: u64,
    /// Those that begin in a range and end outside of it, or begin outside and end in one; they count where
    /// they begin.
    pub astray: u64,
}

/// What is told of recorded accesses besides sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of this range, by its number, what each element does in a cache of as many lines as the first level has.
    pub watched: Option<usize>,
    /// Distances are followed up to so many lines, and to the largest cache.
    pub depth: u64,
    /// Whether every access is told, too.
    pub is_each: bool,
}

/// Recorded accesses on their way through caches.
pub struct Tracing {
    shift: u32,
    ranges: Ranges,
    state: State,
    hierarchy: Option<Hierarchy>,
    prefetches: bool,
    lines: FxHashMap<u64, u32>,
    /// The line that was touched last.
    last: (u64, u32),
    watching: Option<Watching>,
    following: Option<Following>,
    /// Distances are told up to so many lines, and may be beyond.
    depth: u64,
    seen: Seen,
    caches: Caches,
}

/// What recorded accesses do in caches.
pub struct Traced {
    /// Distances and misses, by reference: the reads and then the writes of each range, in their order, and
    /// at the end those of everything else.
    pub outcome: Outcome,
    /// What was seen besides.
    pub seen: Seen,
    /// At the elements of the range that was watched.
    pub watched: Option<Watched>,
    /// Every access, if that was wanted.
    pub each: Option<EachTraced>,
}

impl Tracing {
    /// Caches that are empty. Ranges are containers with a base, none of which overlap.
    pub fn new(
        ranges: &[Container],
        line: u64,
        caches: &Caches,
        wanted: Wanted,
    ) -> Result<Tracing, Error> {
        let Wanted { watched, is_each, .. } = wanted;
        if !line.is_power_of_two() || line > 1 << 16 {
            return Err(Error::Line(line));
        }
        caches.check(line)?;
        if ranges.len() > MOST_RANGES {
            return Err(Error::References { count: ranges.len(), most: MOST_RANGES });
        }
        let references = ranges.len() * 2 + 2;
        let sizes = caches.levels.iter().map(|cache| cache.size / line);
        let depth = sizes.clone().max().unwrap_or(1).max(wanted.depth).min(u32::MAX.into());
        // Distances of elements and of single accesses are told however far they are.
        let followed = if watched.is_some() || is_each { u64::from(u32::MAX) } else { depth };
        let first = sizes.clone().next().unwrap_or(1);
        let watching = match watched {
            Some(number) => {
                let range = ranges
                    .get(number)
                    .ok_or_else(|| Error::Missing(format!("container {number}")))?;
                Some(Watching::new(number, range, first)?)
            }
            None => None,
        };
        Ok(Tracing {
            shift: line.trailing_zeros(),
            ranges: Ranges::new(ranges)?,
            state: State::growing(followed as usize, references),
            hierarchy: (is_each || !caches.has_stack_distances())
                .then(|| Hierarchy::growing(caches, line, references)),
            prefetches: caches.prefetches_next,
            lines: FxHashMap::default(),
            last: (u64::MAX, 0),
            watching,
            following: is_each.then(Following::default),
            depth,
            seen: Seen::default(),
            caches: caches.clone(),
        })
    }

    /// Takes the next access.
    pub fn access(&mut self, access: Access) -> Result<(), Error> {
        let Access { address, bytes, is_write } = access;
        let last = address.saturating_add(u64::from(bytes.max(1)) - 1);
        let range = self.ranges.of(address);
        let at_end = if last == address { range } else { self.ranges.of(last) };
        let number = range.unwrap_or(self.ranges.count());
        let reference = (number * 2 + usize::from(is_write)) as u32;
        self.seen.accesses += 1;
        self.seen.astray += u64::from(range != at_end);
        let elements = range.map(|range| self.ranges.elements(range, address, last));
        let is_wide = elements.flatten().is_some_and(|[first, last]| first != last);
        self.seen.wide += u64::from(is_wide);
        let (first, end) = (address >> self.shift, last >> self.shift);
        self.seen.crossing += u64::from(first != end);
        for line in first..=end {
            let own = self.number(line)?;
            let next = match self.prefetches.then(|| line.checked_add(1)).flatten() {
                Some(next) if self.hierarchy.is_some() => Some(self.number(next)?),
                _ => None,
            };
            self.state.simulated += 1;
            let touch = Touch { reference, line: own };
            let distance = self.state.touch(touch).distance;
            if let Some(hierarchy) = &mut self.hierarchy {
                if let Some(following) = &mut self.following {
                    following.before(reference, hierarchy);
                }
                hierarchy.access_before(own, next, is_write, reference);
            }
            let Some(range) = range else { continue };
            if self.watching.is_none() && self.following.is_none() {
                continue;
            }
            let begin = (line << self.shift).max(address);
            let end = (line << self.shift | ((1 << self.shift) - 1)).min(last);
            let elements = self.ranges.elements(range, begin, end);
            if let (Some(watching), Some(elements)) = (&mut self.watching, elements) {
                watching.touch(range, elements, distance)?;
            }
            if let (Some(following), Some(hierarchy)) = (&mut self.following, &self.hierarchy) {
                following.touch(touch, elements, distance, hierarchy);
            }
        }
        Ok(())
    }

    /// Accesses from here on are another step than those before, to who goes through them one by one.
    pub fn begin_step(&mut self) {
        if let Some(following) = &mut self.following {
            following.begin_step();
        }
    }

    /// The number of a line of the address space.
    fn number(&mut self, line: u64) -> Result<u32, Error> {
        if self.last.0 == line {
            return Ok(self.last.1);
        }
        let count = self.lines.len() as u32;
        let own = *self.lines.entry(line).or_insert(count);
        if own == count {
            if count == MOST_LINES {
                let [bytes, most] =
                    [count + 1, MOST_LINES].map(|lines| u128::from(lines) << self.shift);
                return Err(Error::Room { bytes, most });
            }
            self.state.add_line();
            if let Some(following) = &mut self.following {
                following.add_line(line);
            }
            if let Some(hierarchy) = &mut self.hierarchy {
                hierarchy.add_line(line);
            }
        }
        self.last = (line, own);
        Ok(own)
    }

    /// What came of it.
    pub fn finish(self, line: u64) -> Traced {
        let State { histograms, simulated, .. } = self.state;
        let lines = histograms.chunks(2).map(|own| own.iter().map(|one| one.cold).sum());
        let distances = Distances {
            lines: lines.collect(),
            by_reference: histograms,
            depth: self.depth,
            method: Method::Exact,
            simulated,
        };
        let run = self.hierarchy.filter(|_| !self.caches.has_stack_distances()).map(|hierarchy| {
            CacheRun { counts: hierarchy.counts, method: Method::Exact, simulated }
        });
        Traced {
            outcome: Outcome::from(distances, run, &self.caches, line),
            seen: self.seen,
            watched: self.watching.map(Watching::finish),
            each: self.following.map(Following::finish),
        }
    }
}
