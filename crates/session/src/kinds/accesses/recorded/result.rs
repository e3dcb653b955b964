//! What is said of recorded accesses, on the page and on the command line.

use locality::{Affine, Container, Nest, Program, Reference, Regions, Seen};

use super::super::{Accesses, Origin};

/// So many names are told of arrays that are not accessed.
const MOST_NAMES: usize = 8;

/// Arrays as what loops would access: each read, then each written.
pub fn recorded_accesses(arrays: &[Container], notes: Vec<String>) -> Accesses {
    let mut nest = Nest::default();
    let mut origins = vec![];
    for (number, container) in arrays.iter().enumerate() {
        for is_write in [false, true] {
            nest.references.push(Reference {
                container: number as u32,
                element: Affine::constant(0),
                is_write,
                indices: None,
                combines: None,
            });
            let way = if is_write { "writes of" } else { "reads of" };
            origins.push(Origin { text: format!("{way} {}", container.name), edge: None });
        }
    }
    let containers = arrays.to_vec();
    let program = Program { containers, nest, variables: vec![], is_whole: true };
    Accesses { program, origins, threads: vec![], left_out: vec![], notes }
}

/// How accesses were counted.
pub fn seen_notes(seen: &Seen, instructions: u64, has_ended: bool) -> Vec<String> {
    let mut notes = vec![format!(
        "{} accesses to data were recorded, each at its address; {instructions} fetches of instructions are \
         left out",
        seen.accesses
    )];
    if seen.crossing > 0 {
        notes.push(format!(
            "{} accesses touch more than one line; each counts once per line",
            seen.crossing
        ));
    }
    if seen.wide > 0 {
        notes.push(format!(
            "{} accesses touch more than one element; each counts once in sums, and at each element in lists of elements",
            seen.wide
        ));
    }
    if seen.astray > 0 {
        notes.push(format!(
            "{} accesses are partly in an array and partly outside; they count where they begin",
            seen.astray
        ));
    }
    if !has_ended {
        notes.push(
            "at least: the recording does not say how the program ended, and may be cut off"
                .to_owned(),
        );
    }
    notes
}

/// How regions without names were found.
pub(super) fn regions_notes(regions: &Regions) -> Vec<String> {
    let mut notes = vec![];
    if regions.unnamed > 0 {
        notes.push(format!(
            "{} regions have no name and are called by their addresses: what is accessed outside of arrays that \
             are known, parted where nothing is accessed for {} bytes; elements are as wide as most accesses \
             there",
            regions.unnamed, regions.gap
        ));
    }
    if !regions.untouched.is_empty() {
        let names = &regions.untouched[..regions.untouched.len().min(MOST_NAMES)];
        let more = match regions.untouched.len() - names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        notes.push(format!("never accessed, and not shown: {}{more}", names.join(", ")));
    }
    notes
}
