//! Finds the places nearest to points on a map.

mod names;
mod places;
mod tree;

use places::Place;
use tree::Tree;

const PLACES: usize = 300_000;
const QUERIES: u64 = 1_200_000;

fn main() {
    let places = places::made_up(PLACES);
    let tree = Tree::build(places);
    let found = nearest_of_many(&tree);
    println!("{} names, {} characters", names::distinct(&found), names::characters(&found));
}

/// Asks for the place nearest to each of many points.
fn nearest_of_many(tree: &Tree) -> Vec<&Place> {
    let mut found = Vec::new();
    for number in 0..QUERIES {
        let point = places::scattered(number);
        if let Some(place) = tree.nearest(point) {
            found.push(place);
        }
    }
    found
}
