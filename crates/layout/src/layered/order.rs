//! The order of each layer, so that few edges cross.

use work::long_steps;

use super::cut::Cut;

/// Sweeps down and up; most graphs are at rest before.
const MOST_SWEEPS: usize = 12;
/// Sweeps without fewer crossings, after which the best order stands.
const PATIENCE: usize = 3;

/// The slots of each layer from left to right.
pub(super) fn ordered(cut: &Cut) -> Vec<Vec<u32>> {
    let mut layers = first_order(cut);
    let mut place = vec![0u32; cut.slots.len()];
    number(&layers, &mut place);
    let mut best = layers.clone();
    let mut fewest = crossings(cut, &layers, &place);
    let mut waited = 0;
    for sweep in long_steps("ordering boxes", 0..MOST_SWEEPS) {
        if fewest == 0 || waited >= PATIENCE {
            break;
        }
        let goes_down = sweep % 2 == 0;
        let order: Vec<usize> = if goes_down {
            (1..layers.len()).collect()
        } else {
            (0..layers.len().saturating_sub(1)).rev().collect()
        };
        for layer in order {
            let beside = if goes_down { &cut.above } else { &cut.below };
            sort_by_median(&mut layers[layer], beside, &place);
            for (at, &slot) in layers[layer].iter().enumerate() {
                place[slot as usize] = at as u32;
            }
        }
        let now = crossings(cut, &layers, &place);
        if now < fewest {
            (fewest, waited) = (now, 0);
            best.clone_from(&layers);
        } else {
            waited += 1;
        }
    }
    best
}

/// In the order in which a walk along the edges comes by, so that what is joined is together.
fn first_order(cut: &Cut) -> Vec<Vec<u32>> {
    let count = cut.layer_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut layers = vec![vec![]; count];
    let mut seen = vec![false; cut.slots.len()];
    let mut starts: Vec<u32> = (0..cut.slots.len() as u32).collect();
    starts.sort_by_key(|&slot| cut.layer_of[slot as usize]);
    for start in starts {
        let mut open = vec![start];
        while let Some(slot) = open.pop() {
            if std::mem::replace(&mut seen[slot as usize], true) {
                continue;
            }
            layers[cut.layer_of[slot as usize] as usize].push(slot);
            open.extend(cut.below[slot as usize].iter().rev());
        }
    }
    layers
}

fn number(layers: &[Vec<u32>], place: &mut [u32]) {
    for layer in layers {
        for (at, &slot) in layer.iter().enumerate() {
            place[slot as usize] = at as u32;
        }
    }
}

/// Sorts a layer by the median place of each slot's neighbours in the layer beside; those without
/// neighbours stay where they are.
fn sort_by_median(layer: &mut [u32], beside: &[Vec<u32>], place: &[u32]) {
    let mut places = vec![];
    let mut median = |slot: u32| {
        places.clear();
        places.extend(beside[slot as usize].iter().map(|&other| place[other as usize]));
        places.sort_unstable();
        match places.len() {
            0 => None,
            len if len % 2 == 1 => Some(f64::from(places[len / 2])),
            len => Some(f64::midpoint(f64::from(places[len / 2 - 1]), f64::from(places[len / 2]))),
        }
    };
    let keys: Vec<(usize, Option<f64>, u32)> =
        layer.iter().enumerate().map(|(at, &slot)| (at, median(slot), slot)).collect();
    let mut moving: Vec<(f64, u32)> =
        keys.iter().filter_map(|&(_, key, slot)| Some((key?, slot))).collect();
    moving.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut moving = moving.into_iter();
    for (at, key, _) in keys {
        if key.is_some()
            && let Some((_, slot)) = moving.next()
        {
            layer[at] = slot;
        }
    }
}

/// How many pairs of edges cross, counted with a tree of sums (Barth, Jünger and Mutzel 2002).
fn crossings(cut: &Cut, layers: &[Vec<u32>], place: &[u32]) -> u64 {
    let mut all = 0;
    let mut ends = vec![];
    for pair in layers.windows(2) {
        let width = pair[1].len();
        let mut tree = vec![0u64; width + 1];
        let mut so_far = 0u64;
        for &slot in &pair[0] {
            ends.clear();
            ends.extend(cut.below[slot as usize].iter().map(|&other| place[other as usize]));
            ends.sort_unstable();
            // Those of one slot do not cross each other.
            for &end in &ends {
                let mut left = 0;
                let mut at = end as usize + 1;
                while at > 0 {
                    left += tree[at];
                    at &= at - 1;
                }
                all += so_far - left;
            }
            for &end in &ends {
                so_far += 1;
                let mut at = end as usize + 1;
                while at <= width {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
        }
    }
    all
}
