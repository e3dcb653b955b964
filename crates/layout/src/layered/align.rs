//! Where slots stand so that edges go across as little as can be.

use super::Cut;
use super::simplex::{Link, shortened};

/// Nodes and links that are looked at.
const MOST_STEPS: u64 = 20_000_000;

/// The middle of every slot, from where slots stand already: the sum of the ways that edges go
/// across is least, pieces of long edges counting most, so that these are straight. After
/// Gansner et al. (1993), every piece of an edge is a node of its own that stands left of both of
/// its ends.
pub(super) fn aligned(cut: &Cut, layers: &[Vec<u32>], x: Vec<f64>, gap: f64) -> Vec<f64> {
    let mut ranks: Vec<i64> = x.iter().map(|x| x.round() as i64).collect();
    let mut links = vec![];
    for layer in layers {
        for pair in layer.windows(2) {
            let least = cut.distance(pair[0], pair[1], gap).ceil() as i64;
            links.push(Link { from: pair[0], to: pair[1], least, weight: 0 });
            let free = ranks[pair[0] as usize] + least;
            let right = &mut ranks[pair[1] as usize];
            *right = free.max(*right);
        }
    }
    for (upper, below) in cut.below.iter().enumerate() {
        for &lower in below {
            let ends = [upper as u32, lower];
            let piece = ranks.len() as u32;
            ranks.push(ends.map(|slot| ranks[slot as usize]).into_iter().min().unwrap_or(0));
            let weight = weight(ends.map(|slot| cut.slots[slot as usize].is_bend));
            links.extend(ends.map(|to| Link { from: piece, to, least: 0, weight }));
        }
    }
    let ranks = shortened(ranks, &links, MOST_STEPS);
    ranks[..x.len()].iter().map(|&rank| rank as f64).collect()
}

/// How much a piece with these ends, bends or boxes, wants to be straight. What turns off to a long
/// edge does not pull boxes to its side.
fn weight(is_bend: [bool; 2]) -> i64 {
    match is_bend {
        [true, true] => 16,
        [false, false] => 4,
        _ => 1,
    }
}
