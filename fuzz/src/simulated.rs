//! Graphs and loops as accesses, and accesses through caches: nothing goes on for ever, and sums add up.

use locality::{
    Cache, Caches, Error, Inclusion, Options, Outcome, Placement, Program, Replacement, Space,
    Split, distances, elements,
};
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, Part, Wanted, lower};
use sdfg::model::{NodeIndex, NodeKind, RegionIndex, StateIndex};

/// So many accesses are simulated.
const MOST: u128 = 40_000;

/// So many parts of each kind are looked at.
const PARTS: usize = 4;

/// Values of symbols.
const SMALL: [i128; 4] = [4, 7, 0, -3];

/// Values at which nothing can be simulated.
const HUGE: [i128; 2] = [1 << 40, i128::MAX];

/// Lowers parts of a graph at small sizes and at impossible ones.
pub(crate) fn check_graph(graph: &sdfg::model::Program) {
    let states = graph.states.iter().enumerate();
    let entries = states.flat_map(|(place, state)| {
        let own = state.nodes.iter().enumerate().filter(|(_, node)| {
            matches!(node.kind, NodeKind::MapEntry(_) | NodeKind::Nested { .. })
        });
        own.map(move |(node, _)| Part::Node(StateIndex(place as u32), NodeIndex(node as u32)))
    });
    let states = (0..graph.states.len()).map(|place| Part::State(StateIndex(place as u32)));
    let regions = (0..graph.regions.len()).map(|place| Part::Region(RegionIndex(place as u32)));
    let parts = [Part::Whole].into_iter().chain(entries.take(PARTS)).chain(states.take(PARTS));
    for part in parts.chain(regions.take(PARTS)) {
        // That these are refused is known of the whole; it is followed for a while before that.
        let huge = if part == Part::Whole { &HUGE[..] } else { &[] };
        let names = symbols(graph, part, SMALL[0]);
        for value in SMALL.iter().chain(huge).copied() {
            let at: Bindings = names.keys().map(|name| (name.clone(), value)).collect();
            let ways = [Combining::Write, Combining::ReadWrite];
            for combining in ways.into_iter().take(if value < 8 { 2 } else { 1 }) {
                let Ok(own) = lower(graph, part, &Wanted { at: at.clone(), combining }) else {
                    continue;
                };
                assert_eq!(own.origins.len(), own.nest.references.len());
                check(&own.program());
            }
        }
    }
}

/// All symbols that a part wants, each with the same value.
fn symbols(graph: &sdfg::model::Program, part: Part, value: i128) -> Bindings {
    let mut at = Bindings::default();
    for _ in 0..32 {
        let wanted = Wanted { at: at.clone(), combining: Combining::Write };
        match lower(graph, part, &wanted) {
            Err(sdfg::lower::LowerError::Unset(name)) => {
                if at.insert(name, value).is_some() {
                    break;
                }
            }
            _ => break,
        }
    }
    at
}

/// Simulates loops, if there are not too many accesses.
pub(crate) fn check(program: &Program) {
    let nest = &program.nest;
    assert!(nest.references.iter().all(|one| (one.container as usize) < program.containers.len()));
    for placement in [Placement::OwnLines, Placement::Packed] {
        let Ok(space) = Space::new(program.containers.clone(), placement, 64) else { continue };
        let count = nest.most_touches(&space);
        if count > MOST || space.lines > 1 << 24 {
            // Whoever stops it gets it stopped.
            let options = Options { goes_on: &|_| false, depth: 8, ..Options::default() };
            if space.lines <= 1 << 24 {
                let _ = distances(nest, &space, &options);
            }
            continue;
        }
        let options = Options { depth: 1 << 20, ..Options::default() };
        let Ok(told) = distances(nest, &space, &options) else { continue };
        let total = told.total();
        // An element that crosses lines is accessed in each.
        let touched = u128::from(total.total());
        assert!((nest.accesses()..=count).contains(&touched), "{touched} of {count}");
        assert_eq!(told.lines.iter().sum::<u64>(), total.cold);
        let level = |size, ways| Cache { size, ways, replacement: Replacement::Lru };
        let levels = vec![level(512, Some(2)), level(4096, None)];
        for inclusion in [Inclusion::None, Inclusion::Inclusive, Inclusion::Exclusive] {
            let caches = Caches { inclusion, ..Caches::new(levels.clone()) };
            let outcome = match Outcome::new(nest, &space, &caches, &options) {
                Ok(outcome) => outcome,
                Err(Error::References { .. }) => continue,
                Err(error) => panic!("distances are known, and then: {error}"),
            };
            sums(program, &outcome, touched);
        }
        for container in 0..program.containers.len() as u32 {
            let Ok(all) = elements(nest, &space, container, 8, &|_| true) else { continue };
            let misses = told.misses_of(nest, container, 8);
            assert_eq!(all.iter().map(|one| one.cold).sum::<u64>(), misses.cold);
            assert_eq!(all.iter().map(|one| one.capacity).sum::<u64>(), misses.capacity);
        }
    }
}

fn sums(program: &Program, outcome: &Outcome, count: u128) {
    let all = 0..program.nest.references.len();
    let of: Vec<Split> =
        (0..outcome.levels()).map(|level| outcome.sum(level, all.clone())).collect();
    assert_eq!(u128::from(of[0].accesses), count);
    assert_eq!(of[1].accesses, of[0].misses());
    for (one, level) in of.iter().zip(0..) {
        assert!(one.misses() <= one.accesses, "level {level}");
        assert!(one.cold <= one.misses(), "what is new is in no cache");
        let parts: Split = all
            .clone()
            .map(|reference| outcome.split(level, reference))
            .fold(Split::default(), |sum, split| sum.and(&split));
        assert_eq!(parts, *one);
    }
}
