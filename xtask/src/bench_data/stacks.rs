//! Stacks through the made-up program.
//!
//! The upper part of a stack, towards the root, is one of some hundred paths that
//! branch off each other, so that a flame graph of them has wide and narrow towers
//! like a real one. The lower part wanders through the call graph, so that nearly
//! every sample adds some contexts that no other sample has.

use super::program::{Location, Program};
use super::protobuf::Message;
use super::random::Random;

const PATHS: usize = 400;
const UPPER_DEPTH: std::ops::RangeInclusive<usize> = 11..=66;
const LOWER_DEPTH: std::ops::RangeInclusive<usize> = 8..=9;

/// The upper part of a stack.
struct Path {
    /// The location that calls into the lower part.
    end: Location,
    /// Location ids as they stand in a sample: encoded, leaf first.
    encoded: Vec<u8>,
}

/// All upper parts; the first ones are hot.
pub(super) struct Paths {
    paths: Vec<Path>,
}

impl Paths {
    pub(super) fn new(program: &Program) -> Self {
        let mut random = Random::new(2);
        let mut walks: Vec<Vec<Location>> = Vec::with_capacity(PATHS);
        while walks.len() < PATHS {
            let walk = branch_off(&walks, program, &mut random);
            walks.push(walk);
        }
        let paths = walks.iter().map(|walk| encode_path(walk)).collect();
        Self { paths }
    }

    /// Picks a path, hot ones more often.
    pub(super) fn pick(&self, random: &mut Random) -> usize {
        random.skewed(self.paths.len())
    }

    /// Appends to `ids` the location ids, leaf first, of a stack that goes through `path`.
    pub(super) fn stack(
        &self,
        path: usize,
        program: &Program,
        random: &mut Random,
        ids: &mut Message,
    ) {
        let path = &self.paths[path];
        let mut lower = [0; *LOWER_DEPTH.end()];
        let depth = random.between(*LOWER_DEPTH.start(), *LOWER_DEPTH.end());
        let mut caller = path.end;
        for location in &mut lower[..depth] {
            *location = program.any_callee(caller, random);
            caller = *location;
        }
        for &location in lower[..depth].iter().rev() {
            ids.element(u64::from(location) + 1);
        }
        ids.elements(&path.encoded);
    }
}

/// A walk from a root; most begin with a part of an earlier walk.
fn branch_off(walks: &[Vec<Location>], program: &Program, random: &mut Random) -> Vec<Location> {
    // The middle of three is likelier to be in the middle: real depths are bell-shaped.
    let mut depths = [0; 3].map(|_| random.between(*UPPER_DEPTH.start(), *UPPER_DEPTH.end()));
    depths.sort_unstable();
    let depth = depths[1];
    let mut walk = Vec::with_capacity(depth);
    if walks.len() < 4 {
        walk.push(program.entry(random));
    } else {
        let earlier = &walks[random.skewed(walks.len())];
        let shared = random.between(1, earlier.len() * 4 / 5).min(depth);
        walk.extend_from_slice(&earlier[..shared]);
    }
    while walk.len() < depth {
        let caller = walk[walk.len() - 1];
        walk.push(program.usual_callee(caller, random));
    }
    walk
}

fn encode_path(walk: &[Location]) -> Path {
    let mut encoded = Message::default();
    for &location in walk.iter().rev() {
        encoded.element(u64::from(location) + 1);
    }
    Path { end: walk[walk.len() - 1], encoded: encoded.bytes().to_vec() }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The ids of a packed list.
    fn decode(bytes: &[u8]) -> Vec<u64> {
        let mut ids = vec![];
        let (mut id, mut shift) = (0, 0);
        for &byte in bytes {
            id |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                ids.push(id);
                (id, shift) = (0, 0);
            }
        }
        ids
    }

    #[test]
    fn stacks_are_as_deep_and_as_different_as_those_of_servers() {
        let program = Program::new();
        let paths = Paths::new(&program);
        let mut random = Random::new(3);
        let mut contexts = HashSet::new();
        let samples = 25_000;
        let mut locations = 0;
        for _ in 0..samples {
            let mut ids = Message::default();
            paths.stack(paths.pick(&mut random), &program, &mut random, &mut ids);
            let ids = decode(ids.bytes());
            assert!((18..=74).contains(&ids.len()), "{} locations", ids.len());
            locations += ids.len();
            let mut context = 0u64;
            for &id in ids.iter().rev() {
                // A context is known by its frame and its parent: hash both.
                context = Random::new(context ^ id).next();
                contexts.insert(context);
            }
        }
        let mean_depth = locations as f64 / samples as f64;
        assert!((42.0..50.0).contains(&mean_depth), "mean depth {mean_depth}");
        let new_contexts = contexts.len() as f64 / samples as f64;
        assert!((7.0..9.0).contains(&new_contexts), "{new_contexts} contexts a sample");
    }
}
