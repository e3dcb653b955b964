//! Caches of sets against cachegrind, on a program in C that does the same.

use locality::{
    Affine, Cache, Caches, Container, Loop, Nest, Options, Placement, Replacement, Space, Step,
    simulate,
};

/// `c[i][j] += a[i][k] * b[k][j]`: reads of a, b and c, then the write.
fn product(row: i64) -> (Nest, Space) {
    let container = |name| Container::rows(name, 8, &[64, row as u64]);
    let containers: Vec<Container> = ["a", "b", "c"].map(container).into();
    let space = Space::new(containers.clone(), Placement::Packed, 64).unwrap();
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [i, j, k] = [0, 1, 2].map(Affine::variable);
    let mut at = |container, one: &Affine, other: &Affine, is_write| {
        nest.refer(&containers, container, &[one.clone(), other.clone()], is_write)
    };
    let accesses =
        vec![at(0, &i, &k, false), at(1, &k, &j, false), at(2, &i, &j, false), at(2, &i, &j, true)];
    nest.body = (0..3u32)
        .rev()
        .fold(accesses, |body, variable| vec![Step::Loop(Loop::over(variable, 64, body))]);
    (nest, space)
}

#[test]
fn misses_are_those_of_cachegrind() {
    let path = samples::testdata("locality/product.cachegrind.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut checked = 0;
    for line in text.lines() {
        let fields: Vec<u64> = line.split([' ', ',']).map(|field| field.parse().unwrap()).collect();
        let [row, size, ways, line, reads, writes, read_misses, write_misses] = fields[..] else {
            panic!("{line}")
        };
        assert_eq!(line, 64);
        let (nest, space) = product(row as i64);
        let cache = Cache { size, ways: Some(ways as u32), replacement: Replacement::Lru };
        let run = simulate(&nest, &space, &Caches::new(vec![cache]), &Options::default()).unwrap();
        let level = &run.counts.levels[0];
        let told = |of: &[u64]| [of[..3].iter().sum::<u64>(), of[3]];
        assert_eq!(told(&level.accesses), [reads, writes]);
        assert_eq!(told(&level.misses), [read_misses, write_misses], "{line}");
        checked += 1;
    }
    assert_eq!(checked, 6);
}
