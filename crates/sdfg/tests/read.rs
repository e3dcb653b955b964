//! What the reader makes of files, and of what is none.

mod corpus;

use std::time::Instant;

use sdfg::model::{BlockKind, ContainerKind, NodeKind, RegionKind};
use sdfg::{Limits, ReadError, read};

#[test]
fn opens_every_sample() {
    let Some(folder) = corpus::folder() else { return };
    for version in ["dace-0.14.4", "dace-0.16.1", "dace-1.0.2", "dace-2.0.0b1", "synthetic"] {
        for entry in std::fs::read_dir(folder.join(version)).expect(version) {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let started = Instant::now();
            let file = std::fs::File::open(&path).expect(&name);
            let program = read(file, &Limits::default());
            let program = program.unwrap_or_else(|error| panic!("{version}/{name}: {error}"));
            let (nodes, edges) = (program.node_count(), program.edge_count());
            let time = started.elapsed();
            println!("{version}/{name}: {nodes} nodes, {edges} edges, {time:?}");
            assert!(program.warnings.is_empty(), "{version}/{name}: {:?}", program.warnings);
            assert!(nodes > 0 && program.root().is_some());
        }
    }
}
