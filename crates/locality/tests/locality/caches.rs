//! Caches against a twin that is written down as they are described, and against stack distances.

use locality::{
    Cache, CacheRun, Caches, Hierarchy, Inclusion, Method, Nest, Options, Replacement, Space,
    distances, misses, simulate,
};
use proptest::prelude::*;

use crate::known::{IJK, KIJ, hdiff, matmul};
use crate::nests::{accesses, nests, nests_across_lines};

/// A line of the twin: when it came, when it was used last.
#[derive(Debug, Clone)]
struct Own {
    line: u32,
    way: usize,
    came: u64,
    used: u64,
    is_dirty: bool,
}

/// A level of the twin: a list of lines.
#[derive(Debug, Clone)]
struct Twin {
    sets: u32,
    ways: usize,
    replacement: Replacement,
    lines: Vec<Own>,
    /// By set and way, in the order of their last uses, for the tree.
    uses: Vec<Vec<usize>>,
    now: u64,
}

impl Twin {
    fn new(cache: &Cache) -> Twin {
        let lines = (cache.size / 64) as u32;
        let ways = cache.ways.unwrap_or(lines);
        Twin {
            sets: lines / ways,
            ways: ways as usize,
            replacement: cache.replacement,
            lines: vec![],
            uses: vec![vec![]; (lines / ways) as usize],
            now: 0,
        }
    }

    fn place(&self, line: u32) -> Option<usize> {
        self.lines.iter().position(|own| own.line == line)
    }

    fn use_it(&mut self, line: u32, is_write: bool) -> bool {
        let Some(place) = self.place(line) else { return false };
        self.now += 1;
        self.lines[place].used = self.now;
        self.lines[place].is_dirty |= is_write;
        let way = self.lines[place].way;
        self.uses[(line % self.sets) as usize].push(way);
        true
    }

    /// Where the tree points: in each half away from the one that was used last.
    fn pointed_at(&self, set: u32) -> usize {
        let (mut low, mut high) = (0, self.ways);
        while high - low > 1 {
            let middle = (low + high) / 2;
            let inside = |way: &&usize| (low..high).contains(way);
            let last = self.uses[set as usize].iter().rev().find(inside);
            match last {
                // Away from it; to the lower where none was used.
                Some(&way) if way < middle => low = middle,
                _ => high = middle,
            }
        }
        low
    }

    fn bring(&mut self, line: u32, is_dirty: bool) -> Option<Own> {
        let set = line % self.sets;
        let own: Vec<&Own> = self.lines.iter().filter(|own| own.line % self.sets == set).collect();
        let free = (0..self.ways).find(|way| own.iter().all(|own| own.way != *way));
        let victim = match (free, self.replacement) {
            (Some(_), _) => None,
            (None, Replacement::Lru) => own.iter().min_by_key(|own| own.used).map(|own| own.line),
            (None, Replacement::Fifo) => own.iter().min_by_key(|own| own.came).map(|own| own.line),
            (None, Replacement::Plru) => {
                let way = self.pointed_at(set);
                own.iter().find(|own| own.way == way).map(|own| own.line)
            }
        };
        let victim = victim.and_then(|line| self.take(line));
        let way = free.or(victim.as_ref().map(|own| own.way)).unwrap();
        self.now += 1;
        self.uses[set as usize].push(way);
        self.lines.push(Own { line, way, came: self.now, used: self.now, is_dirty });
        victim
    }

    fn take(&mut self, line: u32) -> Option<Own> {
        self.place(line).map(|place| self.lines.remove(place))
    }
}

/// Accesses and misses by level, lines from and to memory, written back by level, prefetched.
#[derive(Debug, Default, PartialEq, Eq)]
struct RunCounts {
    accesses: Vec<u64>,
    misses: Vec<u64>,
    write_backs: Vec<u64>,
    reads: u64,
    writes: u64,
    prefetches: u64,
}

struct Twins {
    caches: Caches,
    levels: Vec<Twin>,
    counts_of_run: RunCounts,
    lines: u32,
    /// What other threads have of their own.
    others: Vec<Vec<Twin>>,
    thread: usize,
}

impl Twins {
    fn new(caches: &Caches, lines: u32, threads: usize) -> Twins {
        let zero = || vec![0; caches.levels.len()];
        let levels: Vec<Twin> = caches.levels.iter().map(Twin::new).collect();
        Twins {
            others: vec![levels[..caches.private].to_vec(); threads],
            levels,
            counts_of_run: RunCounts {
                accesses: zero(),
                misses: zero(),
                write_backs: zero(),
                ..RunCounts::default()
            },
            caches: caches.clone(),
            lines,
            thread: 0,
        }
    }

    /// Another thread goes on, with its own caches.
    fn turn_to(&mut self, thread: usize) {
        let private = self.caches.private;
        self.others[self.thread] = self.levels[..private].to_vec();
        self.levels.splice(..private, std::mem::take(&mut self.others[thread]));
        self.thread = thread;
    }

    fn access(&mut self, line: u32, is_write: bool) {
        let misses = self.counts_of_run.misses[0];
        if self.caches.inclusion == Inclusion::Exclusive {
            self.exclusive(line, is_write);
        } else {
            self.from(0, line, is_write);
        }
        let next = line + 1;
        if self.caches.prefetches_next
            && self.counts_of_run.misses[0] > misses
            && next < self.lines
            && self.levels[0].place(next).is_none()
        {
            self.counts_of_run.prefetches += 1;
            let found = self.levels.iter().position(|level| level.place(next).is_some());
            self.counts_of_run.reads += u64::from(found.is_none());
            if self.caches.inclusion == Inclusion::Exclusive {
                let old = found.and_then(|level| self.levels[level].take(next));
                self.cascade(next, old.is_some_and(|old| old.is_dirty));
            } else {
                for level in (0..found.unwrap_or(self.levels.len())).rev() {
                    self.bring(level, next, false);
                }
            }
        }
    }

    fn from(&mut self, number: usize, line: u32, is_write: bool) {
        if number == self.levels.len() {
            if is_write {
                self.counts_of_run.writes += 1;
            } else {
                self.counts_of_run.reads += 1;
            }
            return;
        }
        let back = self.caches.is_write_back;
        self.counts_of_run.accesses[number] += 1;
        let is_there = self.levels[number].use_it(line, is_write && back);
        if !is_there {
            self.counts_of_run.misses[number] += 1;
        }
        let comes = !is_there && (!is_write || self.caches.is_write_allocate);
        if comes {
            self.from(number + 1, line, false);
            self.bring(number, line, is_write && back);
        }
        if is_write && (!back || !(is_there || comes)) {
            self.from(number + 1, line, true);
        }
    }

    fn bring(&mut self, number: usize, line: u32, is_dirty: bool) {
        let Some(mut victim) = self.levels[number].bring(line, is_dirty) else { return };
        if self.caches.inclusion == Inclusion::Inclusive {
            for level in &mut self.levels[..number] {
                victim.is_dirty |= level.take(victim.line).is_some_and(|own| own.is_dirty);
            }
            if number >= self.caches.private {
                for level in self.others.iter_mut().flatten() {
                    victim.is_dirty |= level.take(victim.line).is_some_and(|own| own.is_dirty);
                }
            }
        }
        if victim.is_dirty {
            self.counts_of_run.write_backs[number] += 1;
            for level in &mut self.levels[number + 1..] {
                if let Some(place) = level.place(victim.line) {
                    level.lines[place].is_dirty = true;
                    return;
                }
            }
            self.counts_of_run.writes += 1;
        }
    }

    fn exclusive(&mut self, line: u32, is_write: bool) {
        let (back, allocate) = (self.caches.is_write_back, self.caches.is_write_allocate);
        let found = self.levels.iter().position(|level| level.place(line).is_some());
        for number in 0..=found.unwrap_or(self.levels.len() - 1) {
            self.counts_of_run.accesses[number] += 1;
            self.counts_of_run.misses[number] += u64::from(Some(number) != found);
        }
        self.counts_of_run.writes +=
            u64::from(is_write && (!back || (found.is_none() && !allocate)));
        if let Some(number) = found.filter(|number| *number == 0 || (is_write && !allocate)) {
            self.levels[number].use_it(line, is_write && back);
        } else if found.is_some() || !is_write || allocate {
            let old = found.and_then(|number| self.levels[number].take(line));
            self.counts_of_run.reads += u64::from(old.is_none());
            self.cascade(line, (is_write && back) || old.is_some_and(|old| old.is_dirty));
        }
    }

    fn cascade(&mut self, line: u32, is_dirty: bool) {
        let (mut line, mut is_dirty) = (line, is_dirty);
        for number in 0..self.levels.len() {
            let Some(victim) = self.levels[number].bring(line, is_dirty) else { return };
            self.counts_of_run.write_backs[number] += u64::from(victim.is_dirty);
            (line, is_dirty) = (victim.line, victim.is_dirty);
        }
        self.counts_of_run.writes += u64::from(is_dirty);
    }
}

/// The same of caches that are looked at.
fn counts_of_run(counts: &locality::Counts) -> RunCounts {
    let of = |pick: fn(&locality::LevelCounts) -> &[u64]| {
        counts.levels.iter().map(|level| pick(level).iter().sum()).collect()
    };
    RunCounts {
        accesses: of(|level| &level.accesses),
        misses: of(|level| &level.misses),
        write_backs: of(|level| &level.write_backs),
        reads: counts.memory_reads,
        writes: counts.memory_writes,
        prefetches: counts.prefetches,
    }
}

fn replacements() -> impl Strategy<Value = Replacement> {
    prop::sample::select(vec![Replacement::Lru, Replacement::Plru, Replacement::Fifo])
}

fn hierarchies() -> impl Strategy<Value = Caches> {
    let level = (1u64..5, prop::sample::select(vec![0u32, 1, 2, 4, 8]), replacements());
    let inclusion =
        prop::sample::select(vec![Inclusion::None, Inclusion::Inclusive, Inclusion::Exclusive]);
    (prop::collection::vec(level, 1..4), inclusion, any::<[bool; 3]>()).prop_map(
        |(levels, inclusion, [is_write_back, is_write_allocate, prefetches_next])| {
            let mut size = 64;
            let levels = levels.into_iter().map(|(sets, ways, replacement)| {
                size *= 2;
                match ways {
                    0 => Cache { size: size * sets, ways: None, replacement: Replacement::Lru },
                    ways => {
                        Cache { size: 64 * sets * u64::from(ways), ways: Some(ways), replacement }
                    }
                }
            });
            let levels = levels.collect();
            let plain = Caches::new(levels);
            Caches { inclusion, is_write_back, is_write_allocate, prefetches_next, ..plain }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn caches_are_those_of_the_twin(
        caches in hierarchies(),
        trace in prop::collection::vec((0u32..40, any::<bool>()), 1..400),
    ) {
        caches.check(64).unwrap();
        let mut own = Hierarchy::new(&caches, 64, 40, 1);
        let mut twins = Twins::new(&caches, 40, 1);
        for &(line, is_write) in &trace {
            own.access(line, is_write, 0);
            twins.access(line, is_write);
        }
        prop_assert_eq!(counts_of_run(own.counts()), twins.counts_of_run);
    }

    /// Each thread has some levels of its own.
    #[test]
    fn caches_of_threads_are_those_of_the_twin(
        (caches, private) in (hierarchies(), 0usize..4),
        trace in prop::collection::vec((0u32..40, any::<bool>(), 0u32..3), 1..400),
    ) {
        prop_assume!(caches.inclusion != Inclusion::Exclusive);
        let caches = Caches { private: private.min(caches.levels.len()), ..caches };
        caches.check(64).unwrap();
        let mut own = Hierarchy::of_threads(&caches, 64, 40, &[0, 1, 2]);
        let mut twins = Twins::new(&caches, 40, 3);
        for &(line, is_write, thread) in &trace {
            own.access(line, is_write, thread);
            twins.turn_to(thread as usize);
            twins.access(line, is_write);
        }
        prop_assert_eq!(counts_of_run(own.counts()), twins.counts_of_run);
    }

    /// Who asks for misses alone is told the same.
    #[test]
    fn misses_alone_are_the_same(
        (nest, space, _) in nests(),
        caches in hierarchies(),
        is_plain in any::<bool>(),
    ) {
        prop_assume!(nest.accesses() < 400_000);
        let caches = if is_plain { Caches::new(caches.levels) } else { caches };
        let run = simulate(&nest, &space, &caches, &Options::default()).unwrap();
        let all: Vec<u64> =
            run.counts.levels.iter().map(|level| level.misses.iter().sum()).collect();
        for skips in [false, true] {
            let options = Options { skips, ..Options::default() };
            prop_assert_eq!(&misses(&nest, &space, &caches, &options, None).unwrap(), &all);
            // As many as there are, or fewer: told, or refused.
            let lines = distances(&nest, &space, &options).unwrap().total().cold;
            for most_misses in [all[0], all[0] / 2] {
                let options = Options { most_misses, ..options };
                match misses(&nest, &space, &caches, &options, Some(lines)) {
                    Ok(counts_of_run) => prop_assert_eq!(&counts_of_run, &all),
                    Err(error) => {
                        prop_assert_eq!(error, locality::Error::Beyond(most_misses));
                        prop_assert!(all[0] > most_misses);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_skipped_changes_nothing(
        (nest, space, _) in nests(),
        (caches, private) in (hierarchies(), 0usize..3),
    ) {
        prop_assume!(nest.accesses() < 400_000);
        let private = if caches.inclusion == Inclusion::Exclusive { 0 } else { private };
        let caches = Caches { private: private.min(caches.levels.len()), ..caches };
        let threads: Vec<u32> = (0..nest.references.len() as u32).map(|own| own % 2).collect();
        let run = |skips| {
            let options = Options { skips, threads: &threads, ..Options::default() };
            simulate(&nest, &space, &caches, &options)
        };
        let (all, some) = (run(false).unwrap(), run(true).unwrap());
        prop_assert_eq!(&all.counts, &some.counts);
        // One access after the other.
        let lines = space.lines as u32;
        let mut plain = Hierarchy::of_threads(&caches, space.line, lines, &threads);
        if nest.accesses() < 60_000 {
            for (reference, line) in accesses(&nest, &space) {
                let is_write = nest.references[reference].is_write;
                plain.access(line as u32, is_write, reference as u32);
            }
            prop_assert_eq!(plain.counts(), &all.counts);
        }
    }

    #[test]
    fn lru_misses_are_those_of_distances((nest, space, lines) in nests_across_lines()) {
        prop_assume!(nest.accesses() < 100_000);
        let cache = Cache { size: lines * space.line, ways: None, replacement: Replacement::Lru };
        let run = simulate(&nest, &space, &Caches::new(vec![cache]), &Options::default()).unwrap();
        let counts_of_run = distances(&nest, &space, &Options::default()).unwrap();
        for (number, histogram) in counts_of_run.by_reference.iter().enumerate() {
            prop_assert_eq!(run.counts.levels[0].misses[number], histogram.misses(lines).all());
        }
    }
}

/// 32 KiB of 8 ways before 1 MiB of 16.
fn two_levels(nest: &Nest, space: &Space) -> CacheRun {
    let cache = |size, ways| Cache { size, ways: Some(ways), replacement: Replacement::Lru };
    let caches = Caches::new(vec![cache(32 << 10, 8), cache(1 << 20, 16)]);
    simulate(nest, space, &caches, &Options::default()).unwrap()
}

fn millions(run: &CacheRun) -> [f64; 2] {
    [0, 1].map(|level| {
        let misses: u64 = run.counts.levels[level].misses.iter().sum();
        (misses as f64 / 1e4).round() / 100.0
    })
}

#[test]
fn full_hdiff_has_the_known_misses_of_sets() {
    let variants = [
        (IJK, [KIJ, IJK], [65.54, 9.28]),
        (IJK, [IJK, IJK], [9.22, 9.22]),
        (KIJ, [KIJ, KIJ], [3.97, 3.97]),
    ];
    // The one that differs by level first.
    for (order, layouts, expected) in variants.into_iter().take(samples::cases(1, 3) as usize) {
        let (nest, space) = hdiff([256, 256, 160], order, layouts, 1);
        let run = two_levels(&nest, &space);
        assert_eq!(millions(&run), expected, "{order:?} {layouts:?}");
    }
}

#[test]
fn a_cache_alone_skips_what_repeats() {
    let (nest, space) = hdiff([256, 256, 160], IJK, [IJK, IJK], 1);
    let cache = Cache { size: 32 << 10, ways: Some(8), replacement: Replacement::Lru };
    let run = simulate(&nest, &space, &Caches::new(vec![cache]), &Options::default()).unwrap();
    assert_eq!(run.method, Method::Skipped);
    assert!(run.simulated < 3_000_000, "{}", run.simulated);
    assert_eq!(run.counts.levels[0].misses.iter().sum::<u64>() / 10_000, 921);
}

#[test]
fn matmul_has_the_known_conflicts() {
    for (padding, expected) in [(0, 16.87), (8, 2.11)] {
        let (nest, space) = matmul(256, padding);
        let run = two_levels(&nest, &space);
        assert_eq!(millions(&run)[0], expected, "padded by {padding}");
    }
}
