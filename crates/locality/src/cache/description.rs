//! What caches are built of.

use crate::Error;

/// Which line gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Replacement {
    /// The one that was used least recently.
    #[default]
    Lru,
    /// What a tree of bits points at, each bit away from what was used last (tree-PLRU); ways are a power
    /// of two.
    Plru,
    /// The one that came first.
    Fifo,
}

/// A cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cache {
    /// Its bytes.
    pub size: u64,
    /// Ways of a set; none if any line may stand anywhere, which is for LRU.
    pub ways: Option<u32>,
    /// Which line gives way.
    pub replacement: Replacement,
}

/// What levels have of each other's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inclusion {
    /// Whatever was not replaced.
    #[default]
    None,
    /// A level has all lines of those before it: what it replaces goes from them, too.
    Inclusive,
    /// A line is in one level; what a level replaces goes to the next.
    Exclusive,
}

/// Caches one behind the other, the nearest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caches {
    /// The levels.
    pub levels: Vec<Cache>,
    /// What levels have of each other's lines.
    pub inclusion: Inclusion,
    /// Whether writes stay in a level until their line is replaced; else each goes through to memory.
    pub is_write_back: bool,
    /// Whether a write that misses brings its line; else it goes to the next level alone.
    pub is_write_allocate: bool,
    /// Whether a miss of the first level brings the next line, too.
    pub prefetches_next: bool,
    /// So many levels, the nearest, each thread has of its own. They are not kept coherent: what a thread
    /// writes stays as it is in the caches of others.
    pub private: usize,
}

impl Caches {
    /// Levels that write back, allocate on writes and have nothing else.
    pub fn new(levels: Vec<Cache>) -> Caches {
        Caches {
            levels,
            inclusion: Inclusion::None,
            is_write_back: true,
            is_write_allocate: true,
            prefetches_next: false,
            private: 0,
        }
    }

    /// Whether stack distances tell all that they miss: one level whose lines stand anywhere.
    pub fn has_stack_distances(&self) -> bool {
        matches!(self.levels[..], [one] if one.ways.is_none() && one.replacement == Replacement::Lru)
            && self.inclusion == Inclusion::None
            && self.is_write_allocate
            && !self.prefetches_next
    }

    /// Refuses what cannot be built with lines of so many bytes.
    pub fn check(&self, line: u64) -> Result<(), Error> {
        if self.private > self.levels.len() {
            let why = "it is to be of each thread, and there is no such level".to_owned();
            return Err(Error::Cache { level: self.private, why });
        }
        if self.private > 0 && self.inclusion == Inclusion::Exclusive {
            let why = "a line is in one level, which levels of threads cannot know of each other";
            return Err(Error::Cache { level: self.private, why: why.to_owned() });
        }
        for (number, cache) in self.levels.iter().enumerate() {
            let bad = |why: &str| Err(Error::Cache { level: number + 1, why: why.to_owned() });
            let lines = cache.size / line;
            if lines == 0 || !cache.size.is_multiple_of(line) {
                return bad("its size is not a multiple of a line");
            }
            if lines > 1 << 28 {
                return bad("it has too many lines");
            }
            match cache.ways {
                None if cache.replacement != Replacement::Lru => {
                    return bad("without ways it is LRU");
                }
                Some(0) => return bad("it has no ways"),
                Some(ways) if !lines.is_multiple_of(ways.into()) => {
                    return bad("its lines are not a multiple of its ways");
                }
                Some(ways)
                    if cache.replacement == Replacement::Plru
                        && (!ways.is_power_of_two() || ways > 64) =>
                {
                    return bad("a tree of bits has 1, 2, 4 to 64 ways");
                }
                _ => {}
            }
        }
        Ok(())
    }
}
