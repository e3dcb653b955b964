//! Stack distances against a list that is gone through, and against published counts.

use std::collections::HashSet;

use locality::{Affine, Container, Loop, Method, Nest, Options, Placement, Space, Step, distances};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::known::{IJK, KIJ, gemm, hdiff};
use crate::nests::{accesses, nests, nests_across_lines};

/// By reference: distances in the order of its accesses, none of a first touch.
fn by_list(nest: &Nest, space: &Space) -> Vec<Vec<Option<u64>>> {
    let mut stack: Vec<u64> = vec![];
    let mut out = vec![vec![]; nest.references.len()];
    for (reference, line) in accesses(nest, space) {
        let place = stack.iter().position(|&own| own == line);
        out[reference].push(place.map(|place| place as u64));
        if let Some(place) = place {
            stack.remove(place);
        }
        stack.insert(0, line);
    }
    out
}

fn same_as_list(nest: &Nest, space: &Space, depth: u64) {
    let list = by_list(nest, space);
    for skips in [false, true] {
        let options = Options { depth, skips, ..Options::default() };
        let told = distances(nest, space, &options).unwrap();
        for (own, expected) in told.by_reference.iter().zip(&list) {
            assert_eq!(own.total(), expected.len() as u64);
            assert_eq!(own.cold, expected.iter().filter(|one| one.is_none()).count() as u64);
            let far = expected.iter().flatten().filter(|distance| **distance >= depth).count();
            assert_eq!(own.far, far as u64, "beyond {depth}");
            let mut near: Vec<u64> =
                expected.iter().flatten().copied().filter(|one| *one < depth).collect();
            near.sort_unstable();
            let mut counts: Vec<(u64, u64)> = own.counts().collect();
            counts.sort_unstable();
            let flat: Vec<u64> = counts
                .iter()
                .flat_map(|&(distance, count)| std::iter::repeat_n(distance, count as usize))
                .collect();
            assert_eq!(flat, near);
        }
        let distinct: HashSet<u64> =
            accesses(nest, space).into_iter().map(|(_, line)| line).collect();
        assert_eq!(told.lines.iter().sum::<u64>(), distinct.len() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn distances_are_those_of_a_list((nest, space, depth) in nests_across_lines()) {
        // A list takes long where there are many.
        prop_assume!(nest.accesses() < 60_000);
        same_as_list(&nest, &space, depth);
        same_as_list(&nest, &space, 1 << 20);
    }
}

#[test]
fn the_published_counts_of_haystack_are_met() {
    let (nest, space) = gemm(1024, 4);
    assert_eq!(nest.accesses(), 4_297_064_448);
    let depth = 512 * 1024 / 64;
    let told = distances(&nest, &space, &Options { depth, ..Options::default() }).unwrap();
    let all = told.total();
    assert_eq!(all.total(), 4_297_064_448);
    assert_eq!(told.method, Method::Skipped);
    for bytes in [32, 512] {
        let misses = all.misses(bytes * 1024 / 64);
        assert_eq!((misses.cold, misses.capacity), (196_608, 67_043_328), "{bytes} KiB");
    }
    assert!(told.simulated < 40_000_000, "{}", told.simulated);
}

#[test]
fn small_hdiff_has_the_known_misses() {
    let variants = [
        (
            IJK,
            [IJK, IJK],
            1,
            [(4, 3200), (8, 3200), (16, 268), (24, 268), (32, 244), (48, 86), (128, 86)],
        ),
        (
            IJK,
            [KIJ, IJK],
            1,
            [(4, 1920), (8, 1920), (16, 1920), (24, 1920), (32, 1242), (48, 90), (128, 90)],
        ),
        (
            KIJ,
            [KIJ, IJK],
            1,
            [(4, 1920), (8, 630), (16, 90), (24, 90), (32, 90), (48, 90), (128, 90)],
        ),
        (
            KIJ,
            [KIJ, IJK],
            8,
            [(4, 1920), (8, 925), (16, 169), (24, 120), (32, 120), (48, 120), (128, 120)],
        ),
    ];
    for (order, layouts, row, expected) in variants {
        let (nest, space) = hdiff([8, 8, 5], order, layouts, row);
        assert_eq!(nest.accesses(), 4800);
        let told = distances(&nest, &space, &Options::default()).unwrap();
        for (lines, misses) in expected {
            assert_eq!(told.misses_of(&nest, 0, lines).all(), misses, "{order:?} {row} {lines}");
        }
    }
}

#[test]
fn full_hdiff_has_the_known_misses() {
    // In millions: of the field in 512 lines, of all in 512 lines and in 16,384.
    let variants = [
        (IJK, [IJK, IJK], 1, [6.59, 9.22, 9.22]),
        (IJK, [KIJ, IJK], 1, [62.91, 65.54, 9.28]),
        (KIJ, [KIJ, IJK], 1, [6.66, 27.63, 22.32]),
        (KIJ, [KIJ, KIJ], 1, [1.35, 3.97, 3.97]),
    ];
    for (order, layouts, row, expected) in variants {
        let (nest, space) = hdiff([256, 256, 160], order, layouts, row);
        let options = Options { depth: 16_384, ..Options::default() };
        let told = distances(&nest, &space, &options).unwrap();
        let all = told.total();
        let own =
            [told.misses_of(&nest, 0, 512).all(), all.misses(512).all(), all.misses(16_384).all()];
        let millions = own.map(|misses| (misses as f64 / 1e4).round() / 100.0);
        assert_eq!(millions, expected, "{order:?} {layouts:?}");
    }
}

#[test]
fn a_stop_is_heeded_and_sizes_are_refused() {
    let (nest, space) = gemm(512, 8);
    let options = Options { skips: false, goes_on: &|_| false, ..Options::default() };
    assert_eq!(distances(&nest, &space, &options).unwrap_err(), locality::Error::Stopped);
    let (nest, _) = gemm(1 << 13, 8);
    assert_eq!(nest.accesses(), 4 * (1u128 << 39) + 2 * (1 << 26));
}

/// Steps that no element is as far away as are those of loops that are done once.
#[test]
fn huge_steps_are_done_once() {
    let own = [Container::rows("a", 8, &[11, 11])];
    for step in [i64::MAX, 1 << 62, -i64::MAX, i64::MIN, -(1 << 61)] {
        let mut nest = Nest { variables: 2, ..Nest::default() };
        let at = [Affine::variable(0), Affine::variable(1)];
        let access = nest.refer(&own, 0, &at, false);
        let inner = Loop {
            begin: vec![Affine::variable(0)],
            end: vec![Affine::variable(0).plus(&Affine::constant(step.signum()))],
            step,
            ..Loop::over(1, 0, vec![access])
        };
        nest.body = vec![Step::Loop(Loop::over(0, 11, vec![Step::Loop(inner)]))];
        let space = Space::new(own.to_vec(), Placement::OwnLines, 64).unwrap();
        let told = distances(&nest, &space, &Options::default()).unwrap().total();
        // The diagonal of 11 x 11 elements of 8 bytes: 96 bytes from one to the next.
        assert_eq!((told.total(), told.cold), (11, 11), "{step}");
    }
}

#[test]
fn random_nests_do_repeat() {
    let mut runner = TestRunner::deterministic();
    let mut skipped = 0;
    for _ in 0..200 {
        let (nest, space, depth) = nests().new_tree(&mut runner).unwrap().current();
        if nest.accesses() < 400_000 {
            let options = Options { depth, ..Options::default() };
            let told = distances(&nest, &space, &options).unwrap();
            skipped += usize::from(told.method == Method::Skipped);
        }
    }
    assert!(skipped > 10, "{skipped} of 200 have something to skip");
}
