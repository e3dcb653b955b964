//! A cache of a level, whatever it is.

use super::full::Full;
use super::sets::Sets;
use super::{Cache, Replacement};
use crate::warp::Moves;

/// A line that a cache has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) line: u32,
    /// Whether it was written to since it came from below.
    pub(crate) is_dirty: bool,
    /// Which reference touched it last.
    pub(crate) reference: u32,
}

/// Lines of a level.
#[derive(Debug, Clone)]
pub(crate) enum Level {
    Sets(Sets),
    Full(Full),
}

/// What a level had at some time, to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// By set, then way.
    held: Vec<Option<Held>>,
    /// By set, where a tree points.
    trees: Vec<u64>,
}

impl Level {
    /// A cache without lines, for lines of numbers below some.
    pub(crate) fn new(cache: &Cache, line: u64, lines: usize) -> Level {
        let own = (cache.size / line) as usize;
        match ways_of(cache, own) {
            Some(ways) => Level::Sets(Sets::new(own / ways, ways, cache.replacement)),
            None => Level::Full(Full::new(lines, own)),
        }
    }

    /// The same for lines that are added one by one.
    pub(crate) fn growing(cache: &Cache, line: u64) -> Level {
        let own = (cache.size / line) as usize;
        match ways_of(cache, own) {
            Some(ways) => Level::Sets(Sets::growing(own / ways, ways, cache.replacement)),
            None => Level::Full(Full::growing(own)),
        }
    }

    /// One more line, of a number in the address space.
    pub(crate) fn add_line(&mut self, number: u64) {
        match self {
            Level::Sets(sets) => sets.add_line(number),
            Level::Full(full) => full.add_line(),
        }
    }

    /// Uses a line, if it is there.
    pub(crate) fn hit(&mut self, line: u32, is_write: bool, reference: u32) -> bool {
        match self {
            Level::Sets(sets) => sets.hit(line, is_write, reference),
            Level::Full(full) => full.hit(line, is_write, reference),
        }
    }

    /// Whether a line is there, which is not used by that.
    pub(crate) fn has(&self, line: u32) -> bool {
        match self {
            Level::Sets(sets) => sets.has(line),
            Level::Full(full) => full.has(line),
        }
    }

    /// Writes to a line that is there, without using it.
    pub(crate) fn dirty(&mut self, line: u32) -> bool {
        match self {
            Level::Sets(sets) => sets.dirty(line),
            Level::Full(full) => full.dirty(line),
        }
    }

    /// Brings a line that is not there; tells which gave way.
    pub(crate) fn bring(&mut self, held: Held) -> Option<Held> {
        match self {
            Level::Sets(sets) => sets.bring(held),
            Level::Full(full) => full.bring(held),
        }
    }

    /// Takes a line away, if it is there.
    pub(crate) fn take(&mut self, line: u32) -> Option<Held> {
        match self {
            Level::Sets(sets) => sets.take(line),
            Level::Full(full) => full.take(line),
        }
    }

    /// How many lines it may have.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Level::Sets(sets) => sets.size() as u64,
            Level::Full(full) => full.size() as u64,
        }
    }

    /// How many sets it has.
    pub(crate) fn sets(&self) -> u64 {
        match self {
            Level::Sets(sets) => sets.count() as u64,
            Level::Full(_) => 1,
        }
    }

    pub(crate) fn save(&self) -> Snapshot {
        let (held, trees) = match self {
            Level::Sets(sets) => sets.save(),
            Level::Full(full) => (full.save(), vec![]),
        };
        Snapshot { held, trees }
    }

    /// Puts back what was saved.
    pub(crate) fn restore(&mut self, saved: &Snapshot) {
        match self {
            Level::Sets(sets) => sets.restore(&saved.held, &saved.trees),
            Level::Full(full) => full.restore(&saved.held),
        }
    }
}

/// Ways of a cache that is simulated set by set: few ways are gone through faster than a stack.
fn ways_of(cache: &Cache, lines: usize) -> Option<usize> {
    let ways = cache.ways? as usize;
    let is_stack = ways == lines && ways > 64 && cache.replacement == Replacement::Lru;
    (!is_stack).then_some(ways)
}

impl Snapshot {
    /// The same, each line so many periods further on; sets turn with their lines.
    pub(crate) fn moved(&self, by: &Moves<'_>, periods: i64, sets: u64) -> Snapshot {
        let ways = self.held.len() / sets as usize;
        let line = |held: &Held| {
            let line = i64::from(held.line) + by.of(held.line) * periods;
            Held { line: line as u32, ..*held }
        };
        // All containers turn sets by as much: what any of its lines does.
        let turn = (by.first() * periods).rem_euclid(sets as i64) as usize;
        let (mut held, mut trees) = (self.held.clone(), self.trees.clone());
        for set in 0..sets as usize {
            let to = (set + turn) % sets as usize;
            for way in 0..ways {
                held[to * ways + way] = self.held[set * ways + way].as_ref().map(line);
            }
            if !trees.is_empty() {
                trees[to] = self.trees[set];
            }
        }
        Snapshot { held, trees }
    }
}
