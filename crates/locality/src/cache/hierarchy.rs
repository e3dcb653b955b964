//! Levels one behind the other.

use super::level::{Held, Level};
use super::{Cache, Caches, Inclusion};

/// What happened in a level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelCounts {
    /// By reference, how often the level was asked for a line.
    pub accesses: Vec<u64>,
    /// By reference, how often it had not got it.
    pub misses: Vec<u64>,
    /// By the reference whose access drove a line out, then by the one that had touched that line last.
    pub evictions: Vec<Vec<u64>>,
    /// Lines that were written to what is below, by the reference that drove them out.
    pub write_backs: Vec<u64>,
}

/// What happened in all levels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// By level, the nearest first.
    pub levels: Vec<LevelCounts>,
    /// Lines that came from memory.
    pub memory_reads: u64,
    /// Lines (without write-back: writes) that went to memory.
    pub memory_writes: u64,
    /// Lines that were brought before they were asked for.
    pub prefetches: u64,
}

impl Counts {
    /// Counts what there is more than before, so many times again.
    pub(crate) fn repeat(&mut self, before: &Counts, times: u64) {
        let each = |own: &mut u64, old: u64| *own += (*own - old) * times;
        for (own, old) in self.levels.iter_mut().zip(&before.levels) {
            let rows = own.evictions.iter_mut().zip(&old.evictions);
            let all = [
                (&mut own.accesses, &old.accesses),
                (&mut own.misses, &old.misses),
                (&mut own.write_backs, &old.write_backs),
            ];
            for (own, old) in all.into_iter().chain(rows) {
                own.iter_mut().zip(old).for_each(|(own, &old)| each(own, old));
            }
        }
        each(&mut self.memory_reads, before.memory_reads);
        each(&mut self.memory_writes, before.memory_writes);
        each(&mut self.prefetches, before.prefetches);
    }
}

/// Caches with lines in them.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    caches: Caches,
    /// Those of which each thread has its own, level by level and then by thread; behind them those that all
    /// share.
    pub(crate) levels: Vec<Level>,
    pub(crate) counts: Counts,
    /// By reference, which thread it is of.
    threads: Vec<u32>,
    /// How many threads there are.
    count: usize,
    /// One more than the number of the last line.
    lines: u32,
    /// What the last access drove out of the first level.
    driven_out: Option<u32>,
}

impl Hierarchy {
    /// Empty caches for lines of numbers below some and so many references.
    pub fn new(caches: &Caches, line: u64, lines: u32, references: usize) -> Hierarchy {
        Hierarchy::of_threads(caches, line, lines, &vec![0; references])
    }

    /// The same for references of threads, each of which has its own of the levels that are private.
    pub fn of_threads(caches: &Caches, line: u64, lines: u32, threads: &[u32]) -> Hierarchy {
        let level = |cache: &Cache| Level::new(cache, line, lines as usize);
        Hierarchy { lines, ..Hierarchy::empty(caches, threads, level) }
    }

    /// Empty caches for lines that are added one by one.
    pub(crate) fn growing(caches: &Caches, line: u64, references: usize) -> Hierarchy {
        Hierarchy::empty(caches, &vec![0; references], |cache| Level::growing(cache, line))
    }

    fn empty(caches: &Caches, threads: &[u32], level: impl Fn(&Cache) -> Level) -> Hierarchy {
        let references = threads.len();
        let none = LevelCounts {
            accesses: vec![0; references],
            misses: vec![0; references],
            evictions: vec![vec![0; references]; references],
            write_backs: vec![0; references],
        };
        let count = threads.iter().max().map_or(1, |&last| last as usize + 1);
        let own = |(number, cache)| {
            let copies = if number < caches.private { count } else { 1 };
            vec![level(cache); copies]
        };
        Hierarchy {
            levels: caches.levels.iter().enumerate().flat_map(own).collect(),
            counts: Counts { levels: vec![none; caches.levels.len()], ..Counts::default() },
            caches: caches.clone(),
            threads: threads.to_vec(),
            count,
            lines: 0,
            driven_out: None,
        }
    }

    /// Makes room for one more line, which stands in sets by its number in the address space.
    pub(crate) fn add_line(&mut self, number: u64) {
        for level in &mut self.levels {
            level.add_line(number);
        }
    }

    /// What happened.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Where a level that a reference uses is; what is behind the last is behind all.
    fn at(&self, number: usize, reference: u32) -> usize {
        let private = self.caches.private.min(self.caches.levels.len());
        match number.checked_sub(private) {
            Some(shared) => private * self.count + shared,
            None => number * self.count + self.threads[reference as usize] as usize,
        }
    }

    /// The line that the last access drove out of the first level, what was brought before it was asked for
    /// aside.
    pub fn driven_out(&self) -> Option<u32> {
        self.driven_out
    }

    /// A reference reads or writes a line; tells whether the first level had it.
    pub fn access(&mut self, line: u32, is_write: bool, reference: u32) -> bool {
        let next = (line + 1 < self.lines).then(|| line + 1);
        self.access_before(line, next, is_write, reference)
    }

    /// The same where it is known which line is the one behind it, if there is one.
    pub(crate) fn access_before(
        &mut self,
        line: u32,
        next: Option<u32>,
        is_write: bool,
        reference: u32,
    ) -> bool {
        let misses = self.counts.levels.first().map_or(0, |level| level.misses[reference as usize]);
        self.driven_out = None;
        match self.caches.inclusion {
            Inclusion::Exclusive => self.access_one(line, is_write, reference),
            _ => self.access_from(0, line, is_write, reference),
        }
        let has_missed = self
            .counts
            .levels
            .first()
            .is_none_or(|level| level.misses[reference as usize] > misses);
        if let Some(next) = next.filter(|_| has_missed && self.caches.prefetches_next) {
            let driven_out = self.driven_out;
            self.prefetch(next, reference);
            self.driven_out = driven_out;
        }
        !has_missed
    }

    /// Levels of which none or all have what those before them have.
    fn access_from(&mut self, number: usize, line: u32, is_write: bool, reference: u32) {
        let Caches { is_write_back, is_write_allocate, .. } = self.caches;
        let at = self.at(number, reference);
        let Some(level) = self.levels.get_mut(at) else {
            self.counts.memory_reads += u64::from(!is_write);
            self.counts.memory_writes += u64::from(is_write);
            return;
        };
        let counts = &mut self.counts.levels[number];
        counts.accesses[reference as usize] += 1;
        let is_hit = level.hit(line, is_write && is_write_back, reference);
        if !is_hit {
            counts.misses[reference as usize] += 1;
            if !is_write || is_write_allocate {
                self.access_from(number + 1, line, false, reference);
                self.bring(number, line, is_write && is_write_back, reference);
            }
        }
        let goes_on = is_write && (!is_write_back || !(is_hit || is_write_allocate));
        if goes_on {
            self.access_from(number + 1, line, true, reference);
        }
    }

    /// Brings a line to a level; what gives way is written to what is below, if it was written to.
    fn bring(&mut self, number: usize, line: u32, is_dirty: bool, reference: u32) {
        let at = self.at(number, reference);
        let Some(mut victim) = self.levels[at].bring(Held { line, is_dirty, reference }) else {
            return;
        };
        if number == 0 {
            self.driven_out = Some(victim.line);
        }
        if self.caches.inclusion == Inclusion::Inclusive {
            let is_private = number < self.caches.private;
            for nearer in 0..at {
                // Of one that all share, what any thread has goes.
                if !is_private || nearer % self.count == at % self.count {
                    let own = self.levels[nearer].take(victim.line);
                    victim.is_dirty |= own.is_some_and(|own| own.is_dirty);
                }
            }
        }
        let counts = &mut self.counts.levels[number];
        counts.evictions[reference as usize][victim.reference as usize] += 1;
        if victim.is_dirty {
            counts.write_backs[reference as usize] += 1;
            // It goes to the next level that has it.
            let further = number + 1..self.caches.levels.len();
            let has_it = further.into_iter().any(|next| {
                let at = self.at(next, reference);
                self.levels[at].dirty(victim.line)
            });
            self.counts.memory_writes += u64::from(!has_it);
        }
    }

    /// Levels of which one has a line.
    fn access_one(&mut self, line: u32, is_write: bool, reference: u32) {
        let Caches { is_write_back, is_write_allocate, .. } = self.caches;
        let stays = is_write && is_write_back;
        let mut found = None;
        for (number, level) in self.levels.iter_mut().enumerate() {
            let counts = &mut self.counts.levels[number];
            counts.accesses[reference as usize] += 1;
            if level.has(line) {
                found = Some(number);
                break;
            }
            counts.misses[reference as usize] += 1;
        }
        if is_write && !is_write_back {
            self.counts.memory_writes += 1;
        }
        match found {
            Some(0) => {
                self.levels[0].hit(line, stays, reference);
            }
            None if is_write && !is_write_allocate => {
                self.counts.memory_writes += u64::from(is_write_back);
            }
            // What is written to where it is does not come nearer.
            Some(number) if is_write && !is_write_allocate => {
                self.levels[number].hit(line, stays, reference);
            }
            found => {
                let old = found.and_then(|number| self.levels[number].take(line));
                self.counts.memory_reads += u64::from(old.is_none());
                let is_dirty = stays || old.is_some_and(|old| old.is_dirty);
                self.bring_one(Held { line, is_dirty, reference }, reference);
            }
        }
    }

    /// Brings a line to the first level; what gives way goes one level on.
    fn bring_one(&mut self, held: Held, reference: u32) {
        let mut next = held;
        let levels = self.levels.iter_mut().zip(&mut self.counts.levels);
        for (number, (level, counts)) in levels.enumerate() {
            let Some(victim) = level.bring(next) else { return };
            if number == 0 {
                self.driven_out = Some(victim.line);
            }
            counts.evictions[reference as usize][victim.reference as usize] += 1;
            counts.write_backs[reference as usize] += u64::from(victim.is_dirty);
            next = victim;
        }
        self.counts.memory_writes += u64::from(next.is_dirty);
    }

    /// Brings the line behind one that missed, if no level has it.
    fn prefetch(&mut self, next: u32, reference: u32) {
        let count = self.caches.levels.len();
        let mut at = (0..count).map(|number| self.at(number, reference));
        let without = at.position(|at| self.levels[at].has(next));
        if count == 0 || without == Some(0) {
            return;
        }
        self.counts.prefetches += 1;
        self.counts.memory_reads += u64::from(without.is_none());
        if self.caches.inclusion == Inclusion::Exclusive {
            let old = without.and_then(|number| self.levels[number].take(next));
            let is_dirty = old.is_some_and(|old| old.is_dirty);
            self.bring_one(Held { line: next, is_dirty, reference }, reference);
            return;
        }
        // From the furthest level that has not got it to the first.
        for number in (0..without.unwrap_or(count)).rev() {
            self.bring(number, next, false, reference);
        }
    }
}
