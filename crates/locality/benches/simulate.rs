//! How long full sizes take: `cargo bench -p locality`.

#![allow(clippy::print_stdout, reason = "a bench prints")]

#[path = "../tests/locality/nests/mod.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "tests use more of it, and fail by panicking")]
mod nests;

use std::time::Instant;

use locality::{
    Affine, Cache, Caches, Container, Loop, Nest, Options, Placement, Program, Replacement,
    Searching, Space, Step, distances, search, simulate,
};

fn main() {
    let (nest, space) = gemm(1024, 4);
    bench("gemm 1024, at most 512 lines", &nest, &space, 512, true);
    bench("gemm 1024, at most 8,192 lines", &nest, &space, 8192, true);
    let (nest, space) = hdiff([256, 256, 160]);
    bench("hdiff 256 x 256 x 160, at most 16,384 lines", &nest, &space, 16_384, true);
    bench("the same, nothing skipped", &nest, &space, 16_384, false);
    bench("the same, every distance", &nest, &space, u64::MAX, false);
    cached("the same in sets", &nest, &space);
    searched("its variants in sets", &nest, &space);
    let (nest, space) = gemm(290, 64);
    bench("gemm 290 of a line an element, every distance", &nest, &space, u64::MAX, false);
    let (nest, space) = gemm(64, 64);
    bench("gemm 64 of a line an element, every distance", &nest, &space, u64::MAX, false);
    listed("the same by a list that is searched", &nest, &space);
    let (nest, space) = gemm(64, 8);
    bench("gemm 64 of doubles, every distance", &nest, &space, u64::MAX, false);
    listed("the same by a list that is searched", &nest, &space);
}

/// Mattson's algorithm (IBM Systems Journal 9, 1970): lines in the order of their last use, searched from the newest.
fn listed(what: &str, nest: &Nest, space: &Space) {
    let all = nests::accesses(nest, space);
    let begin = Instant::now();
    let mut stack: Vec<u64> = vec![];
    let (mut cold, mut capacity) = (0u64, 0u64);
    for (_, line) in all {
        // The newest is last, where it is moved to without moving all others.
        match stack.iter().rposition(|&own| own == line) {
            Some(place) => {
                capacity += u64::from(stack.len() - 1 - place >= 512);
                stack.remove(place);
            }
            None => cold += 1,
        }
        stack.push(line);
    }
    let took = begin.elapsed();
    println!("{what}: {took:.3?}; 512 lines: {cold} cold, {capacity} capacity");
}

/// Misses in 32 KiB of 8 ways before 1 MiB of 16.
fn cached(what: &str, nest: &Nest, space: &Space) {
    let cache = |size, ways| Cache { size, ways: Some(ways), replacement: Replacement::Lru };
    let caches = Caches::new(vec![cache(32 << 10, 8), cache(1 << 20, 16)]);
    let begin = Instant::now();
    let run = simulate(nest, space, &caches, &Options::default()).expect("a nest that is there");
    let took = begin.elapsed();
    let misses: Vec<u64> =
        run.counts.levels.iter().map(|level| level.misses.iter().sum()).collect();
    println!(
        "{what}: {} accesses, {} simulated, {took:.3?}; misses {misses:?}",
        nest.accesses(),
        run.simulated
    );
}

/// Which layouts and orders miss least in 32 KiB of 8 ways.
fn searched(what: &str, nest: &Nest, space: &Space) {
    let program = Program {
        containers: space.containers.clone(),
        nest: nest.clone(),
        variables: ["i", "j", "k"].map(str::to_owned).into(),
        is_whole: true,
    };
    let caches =
        Caches::new(vec![Cache { size: 32 << 10, ways: Some(8), replacement: Replacement::Lru }]);
    let searching = Searching {
        caches: &caches,
        placement: Placement::OwnLines,
        line: 64,
        most: 200,
        goes_on: &|_| true,
    };
    let begin = Instant::now();
    let found = search(&program, &|_| None, &searching).expect("a nest that is there");
    println!(
        "{what}: {:.3?}; {} simulated, {} left; the best misses {:?}",
        begin.elapsed(),
        found.variants.len(),
        found.skipped,
        found.variants[0].misses
    );
}

fn bench(what: &str, nest: &Nest, space: &Space, depth: u64, skips: bool) {
    let begin = Instant::now();
    let options = Options { depth, skips, ..Options::default() };
    let bench = distances(nest, space, &options).expect("a nest that is there");
    let took = begin.elapsed();
    let accesses = nest.accesses();
    let rate = accesses as f64 / took.as_secs_f64() / 1e6;
    let misses = bench.total().misses(512);
    println!(
        "{what}: {accesses} accesses, {} simulated, {took:.3?}, {rate:.0} M/s; 512 lines: {} cold, \
         {} capacity",
        bench.simulated, misses.cold, misses.capacity
    );
}

fn gemm(size: u64, element: u64) -> (Nest, Space) {
    let containers: Vec<Container> =
        ["A", "B", "C"].map(|name| Container::rows(name, element, &[size, size])).into();
    let space = Space::new(containers.clone(), Placement::OwnLines, 64).expect("small");
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [i, j, k] = [0, 1, 2].map(Affine::variable);
    let mut at = |container, one: &Affine, other: &Affine, is_write| {
        nest.refer(&containers, container, &[one.clone(), other.clone()], is_write)
    };
    let scale = vec![at(2, &i, &j, false), at(2, &i, &j, true)];
    let add =
        vec![at(2, &i, &j, false), at(0, &i, &k, false), at(1, &k, &j, false), at(2, &i, &j, true)];
    let count = size as i64;
    let body = vec![
        Step::Loop(Loop::over(1, count, scale)),
        Step::Loop(Loop::over(2, count, vec![Step::Loop(Loop::over(1, count, add))])),
    ];
    nest.body = vec![Step::Loop(Loop::over(0, count, body))];
    (nest, space)
}

fn hdiff([i, j, k]: [i64; 3]) -> (Nest, Space) {
    let sizes = |more: i64| [i + more, j + more, k].map(|size| size as u64);
    let containers = vec![
        Container::rows("in_field", 8, &sizes(4)),
        Container::rows("out_field", 8, &sizes(0)),
        Container::rows("coeff", 8, &sizes(0)),
    ];
    let space = Space::new(containers.clone(), Placement::OwnLines, 64).expect("small");
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [vi, vj, vk] = [0, 1, 2].map(Affine::variable);
    let at = [vi.clone(), vj.clone(), vk.clone()];
    let mut body = vec![nest.refer(&containers, 2, &at, false)];
    for (di, dj) in (0..5).flat_map(|di| (0..5).map(move |dj| (di, dj))) {
        if (di - 2i64).abs() + (dj - 2i64).abs() <= 2 {
            let (di, dj) = (Affine::constant(di), Affine::constant(dj));
            let at = [vi.clone().plus(&di), vj.clone().plus(&dj), vk.clone()];
            body.push(nest.refer(&containers, 0, &at, false));
        }
    }
    body.push(nest.refer(&containers, 1, &at, true));
    for (variable, size) in [(2, k), (1, j), (0, i)] {
        body = vec![Step::Loop(Loop::over(variable, size, body))];
    }
    nest.body = body;
    (nest, space)
}
