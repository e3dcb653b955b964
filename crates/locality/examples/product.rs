//! Misses of a product of matrices in a cache of 32 KiB, before and after two loops are exchanged:
//! `cargo run --example product`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use locality::{
    Affine, Cache, Caches, Container, Loop, Nest, Options, Placement, Replacement, Space, Step,
    simulate,
};

/// `C[i, j] += A[i, k] * B[k, j]`, with loops over these variables, the outermost first.
fn product(size: u64, loops: [u32; 3]) -> Result<(Nest, Space), locality::Error> {
    let containers: Vec<Container> =
        ["A", "B", "C"].map(|name| Container::rows(name, 8, &[size, size])).into();
    let space = Space::new(containers.clone(), Placement::OwnLines, 64)?;
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [i, j, k] = [0, 1, 2].map(Affine::variable);
    let mut at = |container, row: &Affine, column: &Affine, is_write| {
        nest.refer(&containers, container, &[row.clone(), column.clone()], is_write)
    };
    let mut body =
        vec![at(0, &i, &k, false), at(1, &k, &j, false), at(2, &i, &j, false), at(2, &i, &j, true)];
    for variable in loops.into_iter().rev() {
        body = vec![Step::Loop(Loop::over(variable, size as i64, body))];
    }
    nest.body = body;
    Ok((nest, space))
}

fn main() -> Result<(), locality::Error> {
    let cache = Cache { size: 32 << 10, ways: Some(8), replacement: Replacement::Lru };
    let caches = Caches::new(vec![cache]);
    for (name, loops) in [("i, j, k", [0, 1, 2]), ("i, k, j", [0, 2, 1])] {
        let (nest, space) = product(256, loops)?;
        let run = simulate(&nest, &space, &caches, &Options::default())?;
        println!(
            "{name}: {} accesses, {} lines from memory",
            nest.accesses(),
            run.counts.memory_reads
        );
    }
    Ok(())
}
