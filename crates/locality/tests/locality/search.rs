//! Searches find what is known to be best.

use std::cell::Cell;

use locality::{
    Cache, Caches, Change, Nest, Placement, Program, Replacement, Searching, Space, apply, search,
    simulate,
};

use crate::known::{IJK, KIJ, hdiff, matmul};

fn program((nest, space): (Nest, Space), names: &[&str]) -> Program {
    Program {
        containers: space.containers,
        nest,
        variables: names.iter().map(|&name| name.to_owned()).collect(),
        is_whole: true,
    }
}

fn cache(size: u64, ways: Option<u32>) -> Caches {
    Caches::new(vec![Cache { size, ways, replacement: Replacement::Lru }])
}

fn searching(caches: &Caches, most: usize) -> Searching<'_> {
    Searching { caches, placement: Placement::OwnLines, line: 64, most, goes_on: &|_| true }
}

fn change_names(changes: &[Change]) -> Vec<String> {
    changes.iter().map(Change::to_string).collect()
}

/// As at full size, rows of five neighbours fit into the cache, and planes do not.
#[test]
fn the_tuned_diffusion_is_found() {
    let best =
        ["permute in_field 2,0,1", "permute out_field 2,0,1", "permute coeff 2,0,1", "order k,i,j"];
    for caches in [cache(4 << 10, None), cache(4 << 10, Some(8))] {
        let own = program(hdiff([32, 32, 24], IJK, [IJK, IJK], 1), &["i", "j", "k"]);
        let found = search(&own, &|_| None, &searching(&caches, 200)).unwrap();
        let first = &found.variants[0];
        assert_eq!(change_names(&first.changes), best);
        let (nest, space) = hdiff([32, 32, 24], KIJ, [KIJ, KIJ], 1);
        let run = simulate(&nest, &space, &caches, &Default::default()).unwrap();
        assert_eq!(first.misses, [run.counts.levels[0].misses.iter().sum::<u64>()]);
        assert!(first.misses[0] < found.plain.misses[0]);
        let tried = found.variants.len() + found.skipped;
        assert!(found.has_ended && tried > 40 && found.variants.len() <= 201);
        // Each is what its changes make of the program, in the order of misses.
        assert!(found.variants.windows(2).all(|pair| pair[0].misses <= pair[1].misses));
        for variant in found.variants.iter().step_by(17) {
            let done = apply(&own, &|_| None, &variant.changes).unwrap().program;
            let space = Space::new(done.containers, Placement::OwnLines, 64).unwrap();
            let run = simulate(&done.nest, &space, &caches, &Default::default()).unwrap();
            assert_eq!(variant.misses, [run.counts.levels[0].misses.iter().sum::<u64>()]);
        }
        assert_eq!(search(&own, &|_| None, &searching(&caches, 200)), Ok(found));
    }
}

#[test]
fn paddings_are_found_where_sets_conflict() {
    let own = program(matmul(64, 0), &["i", "j", "k"]);
    let caches = cache(8 << 10, Some(2));
    let found = search(&own, &|_| None, &searching(&caches, 300)).unwrap();
    let pads = |changes: &[Change]| changes.iter().any(|one| matches!(one, Change::Pad { .. }));
    let without = found.variants.iter().find(|one| !pads(&one.changes)).unwrap();
    assert!(found.variants[0].misses <= without.misses);
    assert!(found.variants.iter().any(|one| pads(&one.changes)));
    // Two dimensions, three loops.
    assert!(without.misses[0] * 2 < found.plain.misses[0]);
}

#[test]
fn searches_are_bounded_and_can_be_stopped() {
    let own = program(matmul(16, 0), &["i", "j", "k"]);
    let caches = cache(1 << 10, None);
    let found = search(&own, &|_| None, &searching(&caches, 5)).unwrap();
    assert!(!found.has_ended && found.variants.len() <= 6, "{}", found.variants.len());
    let asked = Cell::new(0);
    let goes_on = |_| {
        asked.set(asked.get() + 1);
        asked.get() < 4
    };
    let stopped = Searching { goes_on: &goes_on, ..searching(&caches, 200) };
    let found = search(&own, &|_| None, &stopped).unwrap();
    assert!(!found.has_ended && found.variants.len() == 4);
}

/// The best known variant of the full size, as it was counted elsewhere (3.97 million misses).
#[test]
fn the_tuned_diffusion_is_found_at_full_size() {
    let own = program(hdiff([256, 256, 160], IJK, [IJK, IJK], 1), &["i", "j", "k"]);
    let caches = cache(32 << 10, None);
    let found = search(&own, &|_| None, &searching(&caches, 200)).unwrap();
    let first = &found.variants[0];
    let best = ["permute in_field 2,0,1", "permute out_field 2,0,1", "permute coeff 2,0,1"];
    assert_eq!(change_names(&first.changes)[..3], best);
    assert_eq!(change_names(&first.changes)[3..], ["order k,i,j"]);
    assert_eq!((first.misses[0], found.plain.misses[0]), (3_973_440, 9_216_000));
}

/// Tiles and paddings of a full size, which were counted elsewhere (in millions, a 32 KiB cache of 8 ways).
#[test]
fn tiles_of_full_sizes_miss_what_is_known() {
    let own = program(matmul(256, 0), &["i", "j", "k"]);
    let cache = Cache { size: 32 << 10, ways: Some(8), replacement: Replacement::Lru };
    for (changes, known) in [
        (&["tile i,j,k 32,32,32"][..], 16.97),
        (&["pad A 264", "pad B 264", "pad C 264", "tile i,j,k 32,32,32"], 0.15),
        (&["permute B 1,0"], 2.11),
    ] {
        // As small as it has to be to see what depends on what.
        let changes: Vec<Change> = changes.iter().map(|one| one.parse().unwrap()).collect();
        let small = |most| {
            let small = program(matmul(40, 0), &["i", "j", "k"]);
            (small.nest.accesses() <= most).then_some(small)
        };
        let done = apply(&own, &small, &changes).unwrap().program;
        let space = Space::new(done.containers, Default::default(), 64).unwrap();
        let caches = Caches::new(vec![cache]);
        let run = simulate(&done.nest, &space, &caches, &Default::default()).unwrap();
        let misses = run.counts.levels[0].misses.iter().sum::<u64>() as f64 / 1e6;
        assert!((misses - known).abs() < 0.006, "{changes:?}: {misses}");
    }
}
