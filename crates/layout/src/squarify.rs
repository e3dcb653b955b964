//! Rectangles in a rectangle, each as near to a square as its neighbours let it.
//!
//! ```text
//! +-----+---+-+
//! |  A  | C | |     A and B fill a strip along the shorter side, then C to F what is left, and so
//! +-----+---+E|     on: a strip takes what does not make the worst of it longer (Bruls, Huizing
//! |  B  | D |F|     and van Wijk, Squarified Treemaps, 2000).
//! +-----+---+-+
//! ```

/// A rectangle, in view units from the upper left corner of all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width, not below 0.
    pub width: f64,
    /// Height, not below 0.
    pub height: f64,
}

impl Rect {
    /// Its area, in square view units.
    pub fn area(&self) -> f64 {
        self.width * self.height
    }
}

/// Fills `room` with a rectangle for each weight, whose areas are in proportion to them. Weights are
/// above 0, the largest first: in another order strips are longer.
pub fn squarify(weights: &[f64], room: Rect) -> Vec<Rect> {
    let whole: f64 = weights.iter().sum();
    let mut places = Vec::with_capacity(weights.len());
    if whole <= 0.0 || room.area() <= 0.0 {
        places.resize(weights.len(), Rect { width: 0.0, height: 0.0, ..room });
        return places;
    }
    let scale = room.area() / whole;
    let mut left = room;
    let mut rest = weights;
    while !rest.is_empty() {
        let count = strip_length(rest, left.width.min(left.height), scale);
        let (strip, further) = rest.split_at(count);
        fill(strip, further.is_empty(), scale, &mut left, &mut places);
        rest = further;
    }
    places
}

/// How many of `weights` stand in one strip along a side.
fn strip_length(weights: &[f64], side: f64, scale: f64) -> usize {
    let (mut sum, mut worst) = (0.0, f64::INFINITY);
    // The largest and the smallest of a strip are the longest of it.
    for (index, &weight) in weights.iter().enumerate() {
        sum += weight * scale;
        let square = (side / sum).powi(2);
        let (most, least) = (weights[0] * scale, weight * scale);
        let longest = (square * most).max(1.0 / (square * least));
        if longest > worst {
            return index;
        }
        worst = longest;
    }
    weights.len()
}

/// Places a strip along the shorter side of what is left, and takes it from there.
fn fill(weights: &[f64], is_last: bool, scale: f64, left: &mut Rect, places: &mut Vec<Rect>) {
    let sum: f64 = weights.iter().sum();
    let is_upright = left.width >= left.height;
    let (side, room) =
        if is_upright { (left.height, left.width) } else { (left.width, left.height) };
    // What rounding leaves over belongs to the last ones.
    let depth = if is_last { room } else { (sum * scale / side).min(room) };
    let mut at = 0.0;
    for (index, weight) in weights.iter().enumerate() {
        let is_end = index + 1 == weights.len();
        let length = if is_end { (side - at).max(0.0) } else { weight / sum * side };
        places.push(if is_upright {
            Rect { x: left.x, y: left.y + at, width: depth, height: length }
        } else {
            Rect { x: left.x + at, y: left.y, width: length, height: depth }
        });
        at += length;
    }
    if is_upright {
        left.x += depth;
        left.width -= depth;
    } else {
        left.y += depth;
        left.height -= depth;
    }
}
