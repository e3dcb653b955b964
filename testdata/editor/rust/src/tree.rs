//! A tree that halves the map, once by its width and once by its height.

use crate::places::Place;

/// Places in the order of a balanced tree: the middle of a range is its root.
pub struct Tree {
    places: Vec<Place>,
}

/// The nearest place so far.
struct Best<'a> {
    place: Option<&'a Place>,
    square: f64,
}

impl Tree {
    pub fn build(mut places: Vec<Place>) -> Tree {
        order(&mut places, 0);
        Tree { places }
    }

    pub fn nearest(&self, point: [f64; 2]) -> Option<&Place> {
        let mut best = Best { place: None, square: f64::INFINITY };
        search(&self.places, 0, point, &mut best);
        best.place
    }
}

fn order(places: &mut [Place], axis: usize) {
    if places.len() < 2 {
        return;
    }
    let middle = places.len() / 2;
    places.select_nth_unstable_by(middle, |a, b| a.at[axis].total_cmp(&b.at[axis]));
    let (before, after) = places.split_at_mut(middle);
    order(before, 1 - axis);
    order(&mut after[1..], 1 - axis);
}

fn search<'a>(places: &'a [Place], axis: usize, point: [f64; 2], best: &mut Best<'a>) {
    let middle = places.len() / 2;
    let Some(place) = places.get(middle) else { return };
    let square = square_distance(place.at, point);
    if square < best.square {
        *best = Best { place: Some(place), square };
    }
    let away = point[axis] - place.at[axis];
    let (before, after) = (&places[..middle], &places[middle + 1..]);
    let (near, far) = if away < 0.0 { (before, after) } else { (after, before) };
    search(near, 1 - axis, point, best);
    if away * away < best.square {
        search(far, 1 - axis, point, best);
    }
}

fn square_distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    x * x + y * y
}
