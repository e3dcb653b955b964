//! Every access of a nest one by one, for who wants to see them all.

use std::collections::HashMap;

use crate::cache::{Caches, Hierarchy};
use crate::change::run;
use crate::places::{Places, outside};
use crate::{Error, LruStack, Nest, Options, Space};

/// The distance of an access that is the first touch of its line.
pub const COLD: u32 = u32::MAX;

/// No line.
pub const NO_LINE: u32 = u32::MAX;

/// So often it is asked whether to go on.
const ASK_EVERY: usize = 1 << 12;

/// What accesses do, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replay {
    /// By access, its reference.
    pub references: Vec<u32>,
    /// By access, its element: the place of its indices in row-major order, however it stands in memory.
    pub elements: Vec<u32>,
    /// By access, its line.
    pub lines: Vec<u32>,
    /// By access, how many other lines were touched since its line was last; [`COLD`] at first touch. Where
    /// threads have levels of their own, among what its thread touches.
    pub distances: Vec<u32>,
    /// By access, one bit a level from the lowest: whether that level was asked and had not got the line.
    pub missed: Vec<u8>,
    /// By access, the line that it drove out of the first level; [`NO_LINE`] for none.
    pub victims: Vec<u32>,
    /// Accesses at which iterations begin: where any variable of a loop has another value than before.
    pub starts: Vec<u32>,
    /// By iteration, values of all variables of the nest; 0 of those of loops that are not around it.
    pub values: Vec<i64>,
}

impl Replay {
    /// Goes through a nest whose caches are empty at first; of more than so many accesses it is refused.
    /// At most eight levels are told of. Of the options threads count, and `goes_on`, which is asked now and
    /// then with the accesses so far.
    pub fn new(
        nest: &Nest,
        space: &Space,
        caches: &Caches,
        most: u32,
        options: &Options<'_>,
    ) -> Result<Replay, Error> {
        nest.check(space)?;
        caches.check(space.line)?;
        let count = nest.most_touches(space);
        if count > most.into() {
            return Err(Error::TooMany { count, most: most.into() });
        }
        let lines = u32::try_from(space.lines).map_err(|_| Error::Room {
            bytes: u128::from(space.lines) * u128::from(space.line),
            most: u128::from(u32::MAX) * u128::from(space.line),
        })?;
        let threads = options.of_threads(nest.references.len())?;
        let stacks = match caches.private {
            0 => 1,
            _ => threads.iter().max().map_or(1, |&last| last as usize + 1),
        };
        let mut going = Going {
            nest,
            space,
            places: space.containers.iter().map(Places::new).collect::<Result<_, Error>>()?,
            stacks: vec![
                Stack { lines: HashMap::new(), own: LruStack::growing(most as usize) };
                stacks
            ],
            hierarchy: Hierarchy::of_threads(caches, space.line, lines, &threads),
            threads,
            last: vec![],
            done: Replay::default(),
        };
        let mut outcome = Ok(());
        let mut values = vec![0; nest.variables as usize];
        run(&nest.body, &mut values, &mut |number, values| {
            if outcome.is_err() {
                return;
            }
            let so_far = going.done.references.len();
            outcome = if so_far >= most as usize {
                let count = so_far as u128 + 1;
                Err(Error::TooMany { count, most: most.into() })
            } else if so_far % ASK_EVERY == ASK_EVERY - 1 && !(options.goes_on)(so_far as u128) {
                Err(Error::Stopped)
            } else {
                going.access(number, values)
            };
        });
        outcome.map(|()| going.done)
    }
}

/// A stack of those lines alone that are touched, for there may be one for each of many threads.
#[derive(Clone)]
struct Stack {
    /// By line, its number on the stack.
    lines: HashMap<u32, u32>,
    own: LruStack,
}

impl Stack {
    fn touch(&mut self, line: u32) -> u32 {
        let next = self.lines.len() as u32;
        let number = *self.lines.entry(line).or_insert(next);
        if number == next {
            self.own.add_line();
        }
        self.own.touch(number).map_or(COLD, |distance| distance as u32)
    }
}

struct Going<'a> {
    nest: &'a Nest,
    space: &'a Space,
    /// By container.
    places: Vec<Places<'a>>,
    /// By thread where threads have levels of their own; one else.
    stacks: Vec<Stack>,
    /// By reference, its thread.
    threads: Vec<u32>,
    hierarchy: Hierarchy,
    /// Values of the iteration that goes on.
    last: Vec<i64>,
    done: Replay,
}

impl Going<'_> {
    fn access(&mut self, number: u32, values: &[i64]) -> Result<(), Error> {
        let reference = &self.nest.references[number as usize];
        let container = reference.container as usize;
        let own = &self.space.containers[container];
        let element = reference.element.value(values);
        let at = self.space.bases[container] + element * own.element as i64;
        let place = self.places[container]
            .of_access(reference.indices.as_deref(), values, element)
            .ok_or_else(|| outside(own, element))?;
        let done = &mut self.done;
        if done.starts.is_empty() || self.last != values {
            done.starts.push(done.references.len() as u32);
            done.values.extend_from_slice(values);
            self.last = values.to_vec();
        }
        let [first, last] = self.space.lines_of(container, at);
        for line in first..=last {
            let line = u32::try_from(line)
                .ok()
                .filter(|line| u64::from(*line) < self.space.lines)
                .ok_or_else(|| outside(own, element))?;
            self.touch(number, place, line);
        }
        Ok(())
    }

    /// An access to a line of an element.
    fn touch(&mut self, number: u32, place: usize, line: u32) {
        let is_write = self.nest.references[number as usize].is_write;
        let misses = |hierarchy: &Hierarchy| -> Vec<u64> {
            let levels = hierarchy.counts().levels.iter();
            levels.map(|level| level.misses[number as usize]).collect()
        };
        let before = misses(&self.hierarchy);
        self.hierarchy.access(line, is_write, number);
        let done = &mut self.done;
        let missed = misses(&self.hierarchy).iter().zip(&before).take(8).enumerate().fold(
            0u8,
            |bits, (level, (now, before))| if now > before { bits | 1 << level } else { bits },
        );
        done.references.push(number);
        done.elements.push(place as u32);
        done.lines.push(line);
        let thread = self.threads[number as usize] as usize;
        let stack = thread.min(self.stacks.len() - 1);
        done.distances.push(self.stacks[stack].touch(line));
        done.missed.push(missed);
        done.victims.push(self.hierarchy.driven_out().unwrap_or(NO_LINE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Affine, Cache, Container, Loop, Options, Outcome, Placement, Replacement, Step, elements,
    };

    /// Each row of a matrix against one column of another, in a cache that is too small.
    fn product() -> (Nest, Space) {
        let containers = vec![Container::rows("a", 8, &[6, 8]), Container::rows("b", 8, &[8, 6])];
        let mut nest = Nest { variables: 3, ..Nest::default() };
        let [i, j, k] = [0, 1, 2].map(Affine::variable);
        let own = nest.refer(&containers, 0, &[i, k.clone()], false);
        let other = nest.refer(&containers, 1, &[k, j], true);
        let inner = Step::Loop(Loop::over(2, 8, vec![own, other]));
        let middle = Step::Loop(Loop::over(1, 6, vec![inner]));
        nest.body = vec![Step::Loop(Loop::over(0, 6, vec![middle]))];
        (nest, Space::new(containers, Placement::OwnLines, 32).expect("it fits"))
    }

    #[test]
    fn each_access_is_what_sums_are_made_of() {
        let (nest, space) = product();
        let cache = |size, ways| Cache { size, ways, replacement: Replacement::Lru };
        let caches = Caches::new(vec![cache(256, Some(2)), cache(1024, None)]);
        let replay =
            Replay::new(&nest, &space, &caches, 1000, &Options::default()).expect("it is small");
        let options = Options { depth: 1 << 10, ..Options::default() };
        let outcome = Outcome::new(&nest, &space, &caches, &options).expect("it is small");
        assert_eq!(replay.references.len(), 6 * 6 * 8 * 2);
        assert_eq!(replay.starts.len(), 6 * 6 * 8);
        assert_eq!(replay.values[3 * 9..3 * 10], [0, 1, 1]);
        for level in 0..2 {
            let missed = replay.missed.iter().filter(|bits| **bits >> level & 1 == 1).count();
            assert_eq!(missed as u64, outcome.sum(level, 0..2).misses(), "level {level}");
        }
        let driven = replay.victims.iter().filter(|line| **line != NO_LINE).count() as u64;
        let run = outcome.run.expect("sets are simulated");
        let evictions: u64 = run.counts.levels[0].evictions.iter().flatten().sum();
        assert!(evictions > 0);
        assert_eq!(driven, evictions);
        for container in 0..2 {
            let told = elements(&nest, &space, container, 4, &|_| true).expect("it is small");
            for (element, told) in told.iter().enumerate() {
                let own = || {
                    (0..replay.references.len()).filter(|&at| {
                        replay.references[at] == container
                            && replay.elements[at] as usize == element
                    })
                };
                assert_eq!(own().count() as u64, told.accesses);
                let cold = own().filter(|&at| replay.distances[at] == COLD).count();
                assert_eq!(cold as u64, told.cold);
                let far = own().filter(|&at| (4..COLD).contains(&replay.distances[at])).count();
                assert_eq!(far as u64, told.capacity);
            }
        }
    }

    /// Each thread goes twice over a line of its own, with another's in between: with a level of its own it
    /// finds it at once, and what all share has one other line in between.
    #[test]
    fn threads_with_levels_of_their_own_have_distances_of_their_own() {
        let containers = vec![Container::rows("a", 8, &[8])];
        let mut nest = Nest { variables: 1, ..Nest::default() };
        let [own, other] =
            [0, 4].map(|at| nest.refer(&containers, 0, &[Affine::constant(at)], false));
        nest.body = vec![Step::Loop(Loop::over(0, 3, vec![own, other]))];
        let space = Space::new(containers, Placement::OwnLines, 32).expect("it fits");
        let level = Cache { size: 32, ways: None, replacement: Replacement::Lru };
        let options = Options { threads: &[0, 1], ..Options::default() };
        let of = |private| {
            let caches = Caches { private, ..Caches::new(vec![level]) };
            let replay = Replay::new(&nest, &space, &caches, 100, &options).expect("it is small");
            let outcome = Outcome::new(&nest, &space, &caches, &options).expect("it is small");
            let missed = replay.missed.iter().filter(|&&bits| bits == 1).count() as u64;
            assert_eq!(missed, outcome.sum(0, 0..2).misses());
            let told: u64 = (0..2).map(|one| outcome.histogram(0, one).misses(1).all()).sum();
            assert_eq!(told, missed);
            replay.distances
        };
        assert_eq!(of(0), [COLD, COLD, 1, 1, 1, 1]);
        assert_eq!(of(1), [COLD, COLD, 0, 0, 0, 0]);
    }

    fn run_long(goes_on: &dyn Fn(u128) -> bool) -> Result<(), Error> {
        let own = Container::rows("a", 8, &[2]);
        let mut nest = Nest { variables: 1, ..Nest::default() };
        let step = nest.refer(std::slice::from_ref(&own), 0, &[Affine::constant(1)], false);
        nest.body = vec![Step::Loop(Loop::over(0, 10_000, vec![step]))];
        let space = Space::new(vec![own], Placement::OwnLines, 64)?;
        let options = Options { goes_on, ..Options::default() };
        Replay::new(&nest, &space, &Caches::new(vec![]), 1 << 20, &options).map(|_| ())
    }

    #[test]
    fn more_than_wanted_is_refused_and_a_stop_is_one() {
        let (nest, space) = product();
        let caches =
            Caches::new(vec![Cache { size: 256, ways: None, replacement: Replacement::Lru }]);
        let options = Options::default();
        let of = |most| Replay::new(&nest, &space, &caches, most, &options).map(|_| ());
        assert_eq!(of(575), Err(Error::TooMany { count: 576, most: 575 }));
        assert_eq!(of(576), Ok(()));
        let stopped = run_long(&|_| false);
        assert_eq!(stopped, Err(Error::Stopped));
    }
}
