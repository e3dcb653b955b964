//! Recorded accesses against their definition: lists that are gone through for each access.

use locality::{
    Access, AtElement, Cache, Caches, Container, EachTraced, Inclusion, Options, Outcome,
    Placement, Replacement, Space, Split, Traced, Tracing, Wanted, elements,
};
use proptest::prelude::*;

use crate::nests::{accesses, nests_across_lines};

/// Addresses far apart, so that numbers of lines say nothing of sets.
const FAR: u64 = 0x1f_ff00_0000;

fn ranges() -> Vec<Container> {
    let own = |name, base, element, shape: &[u64]| Container {
        base: Some(base),
        ..Container::rows(name, element, shape)
    };
    vec![own("a", 0x4038, 8, &[5, 9]), own("b", FAR + 0x24, 4, &[100]), own("c", 0x41a0, 24, &[3])]
}

fn trace() -> impl Strategy<Value = Vec<Access>> {
    let near = prop_oneof![0x4000u64..0x4300, FAR..FAR + 0x300];
    let bytes = prop::sample::select(vec![1u32, 4, 8, 16, 32, 200]);
    let own = (near, bytes, any::<bool>());
    let one = own.prop_map(|(address, bytes, is_write)| Access { address, bytes, is_write });
    prop::collection::vec(one, 1..300)
}

fn through(trace: &[Access], caches: &Caches, line: u64, watched: Option<usize>) -> Traced {
    let mut tracing =
        Tracing::new(&ranges(), line, caches, Wanted { watched, ..Wanted::default() }).unwrap();
    for &access in trace {
        tracing.access(access).unwrap();
    }
    tracing.finish(line)
}

/// Lines that are touched, in order, each with its range.
fn touches(trace: &[Access], line: u64) -> Vec<(usize, bool, u64)> {
    let all = ranges();
    let within = |address: u64| {
        let holds = |one: &Container| {
            let bytes = one.shape.iter().product::<u64>() * one.element;
            (one.base.unwrap()..one.base.unwrap() + bytes).contains(&address)
        };
        all.iter().position(holds).unwrap_or(all.len())
    };
    let mut out = vec![];
    for one in trace {
        let mut last = None;
        for byte in one.address..one.address + u64::from(one.bytes) {
            if last != Some(byte / line) {
                last = Some(byte / line);
                out.push((within(one.address), one.is_write, byte / line));
            }
        }
    }
    out
}

/// Misses of sets that give way to what was used least recently, by going through lists.
fn missed(touches: &[(usize, bool, u64)], sets: u64, ways: usize) -> Vec<bool> {
    let mut lists: Vec<Vec<u64>> = vec![vec![]; sets as usize];
    let one = |&(_, _, line): &(usize, bool, u64)| {
        let list = &mut lists[(line % sets) as usize];
        let at = list.iter().position(|&own| own == line);
        if let Some(at) = at {
            list.remove(at);
        }
        list.insert(0, line);
        list.truncate(ways);
        at.is_none()
    };
    touches.iter().map(one).collect()
}

proptest! {
    #[test]
    fn misses_are_those_of_lists(
        trace in trace(),
        (sets, ways) in (1u64..7, 1usize..5),
        line in prop::sample::select(vec![16u64, 64]),
    ) {
        let own = |ways: Option<u32>, lines: u64| {
            Cache { size: lines * line, ways, replacement: Replacement::Lru }
        };
        let lines = sets * ways as u64;
        let caches = Caches::new(vec![own(Some(ways as u32), lines)]);
        let Traced { outcome, seen, .. } = through(&trace, &caches, line, None);
        let all = touches(&trace, line);
        let (told, anywhere) = (missed(&all, sets, ways), missed(&all, 1, lines as usize));
        let cold = missed(&all, 1, usize::MAX);
        for (number, is_write) in (0..4).flat_map(|number| [(number, false), (number, true)]) {
            let of = |missed: &[bool]| {
                let its = |(one, _): &(&(usize, bool, u64), &bool)| (one.0, one.1) == (number, is_write);
                all.iter().zip(missed).filter(its).filter(|(_, missed)| **missed).count() as u64
            };
            let accesses = all.iter().filter(|one| (one.0, one.1) == (number, is_write)).count();
            let split = Split {
                accesses: accesses as u64,
                cold: of(&cold),
                capacity: of(&anywhere) - of(&cold),
                conflict: of(&told) as i64 - of(&anywhere) as i64,
            };
            prop_assert_eq!(outcome.split(0, number * 2 + usize::from(is_write)), split);
        }
        prop_assert_eq!(seen.accesses, trace.len() as u64);
        // The same where lines may stand anywhere, which no caches are asked for.
        let caches = Caches::new(vec![own(None, lines)]);
        let Traced { outcome, .. } = through(&trace, &caches, line, None);
        let missed = anywhere.iter().filter(|one| **one).count() as u64;
        prop_assert_eq!(outcome.sum(0, 0..8).misses(), missed);
        let distinct: std::collections::HashSet<u64> = all.iter().map(|one| one.2).collect();
        prop_assert_eq!(outcome.distances.lines.iter().sum::<u64>(), distinct.len() as u64);
    }

    /// Each access by itself says what lists say, and is no other than what sums are made of.
    #[test]
    fn each_access_is_that_of_lists(
        trace in trace(),
        (sets, ways) in (1u64..7, prop::option::of(1u32..5)),
        line in prop::sample::select(vec![16u64, 64]),
    ) {
        let lines = sets * u64::from(ways.unwrap_or(1));
        let level = Cache { size: lines * line, ways, replacement: Replacement::Lru };
        let caches = Caches::new(vec![level]);
        let wanted = Wanted { is_each: true, watched: Some(0), depth: 0 };
        let mut tracing = Tracing::new(&ranges(), line, &caches, wanted).unwrap();
        for &access in &trace {
            tracing.begin_step();
            tracing.access(access).unwrap();
        }
        let traced = tracing.finish(line);
        let EachTraced { replay, counts: wide, lines: told } = traced.each.unwrap();
        let all = touches(&trace, line);
        let number = |&(range, is_write, _): &(usize, bool, u64)| (range * 2 + usize::from(is_write)) as u32;
        // What begins in no range is not told one by one: recordings have ranges everywhere.
        let is_told: Vec<bool> = all.iter().map(|one| one.0 < 3).collect();
        let kept = |all: Vec<u64>| -> Vec<u64> {
            all.into_iter().zip(&is_told).filter(|(_, told)| **told).map(|(one, _)| one).collect()
        };
        let own = |all: &[u32]| -> Vec<u64> { all.iter().map(|&one| one.into()).collect() };
        prop_assert_eq!(own(&replay.references), kept(all.iter().map(|one| number(one).into()).collect()));
        let lines_told: Vec<u64> = replay.lines.iter().map(|&one| told[one as usize]).collect();
        prop_assert_eq!(lines_told, kept(all.iter().map(|one| one.2).collect()));
        let missed = match ways {
            Some(ways) => missed(&all, sets, ways as usize),
            None => missed(&all, 1, lines as usize),
        };
        let bits: Vec<u64> = replay.missed.iter().map(|&bits| bits.into()).collect();
        prop_assert_eq!(bits, kept(missed.iter().map(|&one| one.into()).collect()));
        // The sums are those without.
        let plain = through(&trace, &caches, line, None).outcome;
        for number in 0..8 {
            prop_assert_eq!(traced.outcome.split(0, number), plain.split(0, number));
        }
        // Elements are touched as often as accesses say that touch one or several.
        let mut counts = vec![0; 45];
        for at in (0..wide.len()).filter(|&at| replay.references[at] < 2) {
            for place in replay.elements[at]..replay.elements[at] + wide[at] {
                counts[place as usize] += 1;
            }
        }
        let elements = traced.watched.unwrap().elements;
        prop_assert_eq!(elements.iter().map(|one| one.accesses).collect::<Vec<u64>>(), counts);
        prop_assert!(replay.starts.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(replay.starts.len() <= trace.len());
    }

    /// What touches one element each time says of elements what loops say that do the same, and no cache
    /// knows them apart.
    #[test]
    fn accesses_of_a_nest_are_as_the_nest(
        (nest, space, _) in nests_across_lines(),
        levels in prop::collection::vec((1u64..5, 1u32..4, 0usize..3), 1..3),
        (inclusion, prefetches) in (0usize..3, any::<bool>()),
    ) {
        prop_assume!(nest.accesses() < 20_000);
        // The line behind the last is there for what is recorded, and so for the nest.
        let behind = Container::rows("behind", 64, &[4]);
        let all = [space.containers.clone(), vec![behind]].concat();
        let placement = if space.is_apart { Placement::OwnLines } else { Placement::Packed };
        let space = Space::new(all, placement, 64).unwrap();
        let levels = levels.into_iter().map(|(sets, ways, replacement)| Cache {
            size: sets * u64::from(ways.next_power_of_two()) * 64,
            ways: Some(ways.next_power_of_two()),
            replacement: [Replacement::Lru, Replacement::Plru, Replacement::Fifo][replacement],
        });
        let caches = Caches {
            inclusion: [Inclusion::None, Inclusion::Inclusive, Inclusion::Exclusive][inclusion],
            prefetches_next: prefetches,
            ..Caches::new(levels.collect())
        };
        let own = |(number, base): (usize, &i64)| {
            // Padded rows have more elements than are accessed.
            let container = &space.containers[number];
            let elements = container.extent().unwrap()[1] as u64 + 1;
            let rows = Container::rows(&container.name, container.element, &[elements]);
            Container { base: Some(*base as u64), ..rows }
        };
        let placed: Vec<Container> = space.bases.iter().enumerate().map(own).collect();
        let mut tracing = Tracing::new(&placed, 64, &caches, Wanted { watched: Some(1), ..Wanted::default() }).unwrap();
        let mut values = vec![0; nest.variables as usize];
        let mut count = 0;
        run(&nest.body, &nest, &mut values, &mut |number, element| {
            count += 1;
            let reference = &nest.references[number];
            let bytes = placed[reference.container as usize].element;
            let base = placed[reference.container as usize].base.unwrap();
            let (address, bytes) = (base + element as u64 * bytes, bytes as u32);
            tracing.access(Access { address, bytes, is_write: reference.is_write }).unwrap();
        });
        let traced = tracing.finish(64);
        let options = Options { depth: 0, ..Options::default() };
        let outcome = Outcome::new(&nest, &space, &caches, &options).unwrap();
        for level in 0..caches.levels.len() {
            for container in 0..3usize {
                let of = |is_write: bool| {
                    let its = nest.references.iter().enumerate().filter(|(_, one)| {
                        one.container as usize == container && one.is_write == is_write
                    });
                    outcome.sum(level, its.map(|(number, _)| number).collect::<Vec<_>>().into_iter())
                };
                let [reads, writes] = [0, 1].map(|way| traced.outcome.split(level, container * 2 + way));
                prop_assert_eq!([reads, writes], [of(false), of(true)]);
            }
        }
        prop_assert_eq!(count, traced.seen.accesses);
        let touched = traced.outcome.sum(0, 0..8).accesses;
        prop_assert_eq!(accesses(&nest, &space).len() as u64, touched);
        let (first, line) = (caches.levels[0].size / 64, &|_| true);
        let flat = elements(&nest, &space, 1, first, line).unwrap();
        let sorted = |mut all: Vec<AtElement>| {
            all.retain(|one| one.accesses > 0);
            all.sort_by_key(|one| (one.accesses, one.cold, one.capacity, one.distances));
            all
        };
        prop_assert_eq!(sorted(traced.watched.unwrap().elements), sorted(flat));
    }

    /// Elements and their range have the same misses, however wide accesses are.
    #[test]
    fn misses_of_elements_are_those_of_their_range(trace in trace(), lines in 1u64..9) {
        let cache = Cache { size: lines * 64, ways: None, replacement: Replacement::Lru };
        for watched in 0..3 {
            let traced = through(&trace, &Caches::new(vec![cache]), 64, Some(watched));
            let split = traced.outcome.sum(0, watched * 2..watched * 2 + 2);
            let all = traced.watched.unwrap().elements;
            // What goes on behind the end of its range touches lines in which it has no element.
            let astray = trace.iter().any(|one| one.bytes == 200) || traced.seen.astray > 0;
            let misses: u64 = all.iter().map(|one| one.cold + one.capacity).sum();
            if astray {
                prop_assert!(misses <= split.misses());
            } else {
                prop_assert_eq!(misses, split.misses());
            }
        }
    }
}

fn run(
    steps: &[locality::Step],
    nest: &locality::Nest,
    values: &mut Vec<i64>,
    told: &mut impl FnMut(usize, i64),
) {
    for step in steps {
        match step {
            locality::Step::Access(number) => {
                told(*number as usize, nest.references[*number as usize].element.value(values));
            }
            locality::Step::Loop(one) => {
                let begin = one.begin.iter().map(|bound| bound.value(values)).max().unwrap();
                let end = one.end.iter().map(|bound| bound.value(values)).min().unwrap();
                let old = values[one.variable as usize];
                let mut at = begin;
                while at < end {
                    values[one.variable as usize] = at;
                    run(&one.body, nest, values, told);
                    at += one.step;
                }
                values[one.variable as usize] = old;
            }
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let cache = |size| Cache { size, ways: None, replacement: Replacement::Lru };
    let of = |line, size| {
        Tracing::new(&ranges(), line, &Caches::new(vec![cache(size)]), Wanted::default()).err()
    };
    assert_eq!(of(48, 4800), Some(locality::Error::Line(48)));
    assert!(matches!(of(64, 100), Some(locality::Error::Cache { level: 1, .. })));
    let twice = [ranges(), ranges()].concat();
    let caches = Caches::new(vec![cache(6400)]);
    assert!(matches!(
        Tracing::new(&twice, 64, &caches, Wanted::default()).err(),
        Some(locality::Error::Overlap { .. })
    ));
    assert!(
        Tracing::new(&ranges(), 64, &caches, Wanted { watched: Some(3), ..Wanted::default() })
            .is_err()
    );
    // The last addresses that there are.
    let mut tracing = Tracing::new(&ranges(), 64, &caches, Wanted::default()).unwrap();
    tracing.access(Access { address: u64::MAX, bytes: 4096, is_write: true }).unwrap();
    assert_eq!(tracing.finish(64).outcome.sum(0, 0..8).cold, 1);
}
