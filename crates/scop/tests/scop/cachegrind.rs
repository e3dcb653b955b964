//! Misses of a product in C, as Polly exported it, against cachegrind's of the program itself.

use std::collections::HashMap;

use locality::{Cache, Caches, Options, Placement, Replacement, Space, simulate};
use scop::{Limits, read};

#[test]
fn misses_are_those_of_cachegrind() {
    let bytes = std::fs::read(samples::testdata("jscop/gemm.jscop")).unwrap();
    let scop = read(&bytes, &Limits::default()).unwrap();
    let text = std::fs::read_to_string(samples::testdata("jscop/gemm.cachegrind.txt")).unwrap();
    let mut checked = 0;
    for line in text.lines() {
        let fields: Vec<u64> = line.split([' ', ',']).map(|field| field.parse().unwrap()).collect();
        let [n, m, p, size, ways, bytes] = fields[..6] else { panic!("{line}") };
        let at: HashMap<String, i128> = [("n", n), ("m", m), ("p", p)]
            .map(|(name, value)| (name.to_owned(), value.into()))
            .into();
        let nested = scop.nest(&at, None).unwrap();
        let space = Space::new(nested.containers, Placement::Packed, bytes).unwrap();
        let cache = Cache { size, ways: Some(ways as u32), replacement: Replacement::Lru };
        let caches = Caches::new(vec![cache]);
        let run = simulate(&nested.nest, &space, &caches, &Options::default()).unwrap();
        let level = &run.counts.levels[0];
        let mut found = [[0u64; 4]; 2];
        for (number, origin) in nested.origins.iter().enumerate() {
            let is_write = usize::from(nested.nest.references[number].is_write);
            let own = &mut found[origin.statement as usize];
            own[is_write] += level.accesses[number];
            own[2 + is_write] += level.misses[number];
        }
        assert_eq!(found.concat(), fields[6..], "{line}");
        checked += 1;
    }
    assert_eq!(checked, 6);
}
