//! What is counted about the names of places.

use std::collections::HashSet;

use crate::places::Place;

/// How many names there are, whatever their case.
pub fn distinct(places: &[&Place]) -> usize {
    let mut names = HashSet::new();
    for place in places {
        names.insert(place.name.to_lowercase());
    }
    names.len()
}

/// How long all names are together.
pub fn characters(places: &[&Place]) -> usize {
    places.iter().map(|place| place.name.chars().count()).sum()
}
