//! What accesses do in caches, misses told apart by why they are.

use crate::cache::{CacheRun, Caches, simulate};
use crate::distances::{Distances, distances};
use crate::histogram::Histogram;
use crate::nest::{Loop, Step};
use crate::{Error, Method, Nest, Options, Space};

/// Accesses of a level, and why it misses (the three C of Hill and Smith, 1989).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Split {
    /// How often the level was asked.
    pub accesses: u64,
    /// First touches of a line in the whole run; in a level that each thread has of its own, first touches by
    /// a thread.
    pub cold: u64,
    /// What a cache of as many lines misses besides, whose lines may stand anywhere and that gives way to
    /// what was used least recently.
    pub capacity: u64,
    /// What is missed more; below 0 where sets (or another way of replacing) keep what that one would not.
    pub conflict: i64,
}

impl Split {
    /// All misses.
    pub fn misses(&self) -> u64 {
        (self.cold + self.capacity).saturating_add_signed(self.conflict)
    }

    /// Both.
    pub fn and(&self, other: &Split) -> Split {
        Split {
            accesses: self.accesses + other.accesses,
            cold: self.cold + other.cold,
            capacity: self.capacity + other.capacity,
            conflict: self.conflict + other.conflict,
        }
    }
}

/// Distances, and what happens in caches.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Stack distances.
    pub distances: Distances,
    /// Of caches that distances alone do not tell of.
    pub run: Option<CacheRun>,
    /// By level, its lines.
    lines: Vec<u64>,
    /// How many levels each thread has of its own, and by reference distances among what its thread touches.
    own: (usize, Vec<Histogram>),
}

impl Outcome {
    /// Works out what a nest does in caches that are empty.
    pub fn new(
        nest: &Nest,
        space: &Space,
        caches: &Caches,
        options: &Options<'_>,
    ) -> Result<Outcome, Error> {
        caches.check(space.line)?;
        let lines: Vec<u64> = caches.levels.iter().map(|cache| cache.size / space.line).collect();
        let depth = options.depth.max(lines.iter().copied().max().unwrap_or(0));
        let distances = distances(nest, space, &Options { depth, ..*options })?;
        let run = if caches.has_stack_distances() {
            None
        } else {
            Some(simulate(nest, space, caches, options)?)
        };
        let own = match caches.private {
            0 => vec![],
            _ => of_threads(nest, space, &Options { depth, ..*options })?,
        };
        Ok(Outcome { distances, run, lines, own: (caches.private, own) })
    }

    /// What is known already.
    pub(crate) fn from(
        distances: Distances,
        run: Option<CacheRun>,
        caches: &Caches,
        line: u64,
    ) -> Outcome {
        let lines = caches.levels.iter().map(|cache| cache.size / line).collect();
        Outcome { distances, run, lines, own: (0, vec![]) }
    }

    /// Distances of a reference as a level sees them: among what its thread touches, where each thread has the
    /// level of its own.
    pub fn histogram(&self, level: usize, reference: usize) -> &Histogram {
        match &self.own {
            (private, own) if level < *private => &own[reference],
            _ => &self.distances.by_reference[reference],
        }
    }

    /// What a reference does in a level.
    pub fn split(&self, level: usize, reference: usize) -> Split {
        let histogram = self.histogram(level, reference);
        let known = histogram.misses(self.lines[level]);
        let (accesses, misses) = match &self.run {
            None => (histogram.total(), known.all()),
            Some(run) => {
                let own = &run.counts.levels[level];
                (own.accesses[reference], own.misses[reference])
            }
        };
        Split {
            accesses,
            cold: known.cold,
            capacity: known.capacity,
            conflict: misses as i64 - known.all() as i64,
        }
    }

    /// What some references do in a level.
    pub fn sum(&self, level: usize, references: impl Iterator<Item = usize>) -> Split {
        references.fold(Split::default(), |sum, one| sum.and(&self.split(level, one)))
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.lines.len()
    }

    /// Touches that were simulated one by one.
    pub fn simulated(&self) -> u64 {
        self.distances.simulated + self.run.as_ref().map_or(0, |run| run.simulated)
    }

    /// How it came about.
    pub fn method(&self) -> Method {
        let of_run = self.run.as_ref().map(|run| run.method);
        if of_run == Some(Method::Skipped) { Method::Skipped } else { self.distances.method }
    }
}

/// By reference, distances among what its thread touches: of caches of its own, other threads are not there.
fn of_threads(nest: &Nest, space: &Space, options: &Options<'_>) -> Result<Vec<Histogram>, Error> {
    let threads = options.of_threads(nest.references.len())?;
    let mut all = vec![Histogram::default(); threads.len()];
    for thread in 0..=threads.iter().copied().max().unwrap_or(0) {
        let own = Nest { body: steps_of(&nest.body, &threads, thread), ..nest.clone() };
        let told = distances(&own, space, options)?;
        for (reference, histogram) in told.by_reference.into_iter().enumerate() {
            if threads[reference] == thread {
                all[reference] = histogram;
            }
        }
    }
    Ok(all)
}

/// What a thread does of some steps.
fn steps_of(steps: &[Step], threads: &[u32], thread: u32) -> Vec<Step> {
    let own = |step: &Step| match step {
        Step::Access(reference) => {
            (threads[*reference as usize] == thread).then_some(Step::Access(*reference))
        }
        Step::Loop(one) => {
            let body = steps_of(&one.body, threads, thread);
            (!body.is_empty()).then(|| Step::Loop(Loop { body, ..one.clone() }))
        }
    };
    steps.iter().filter_map(own).collect()
}
