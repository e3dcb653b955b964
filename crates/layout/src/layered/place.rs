//! Where slots stand within their layers.

use work::long_steps;

use super::cut::Cut;

/// Sweeps down and up.
const SWEEPS: usize = 10;
/// How much more a piece of a long edge wants to be straight than others.
const STRAIGHTNESS: f64 = 8.0;

/// How much less the first and last pieces of long edges want to be straight, so that they do not
/// pull chains of boxes to their side.
const TURNING: f64 = 0.1;

/// The middle of every slot. Slots of a layer keep their order and `gap` between them.
pub(super) fn places(cut: &Cut, layers: &[Vec<u32>], gap: f64) -> Vec<f64> {
    let mut x = vec![0.0; cut.slots.len()];
    for layer in layers {
        let offsets = offsets(cut, layer, gap);
        // Layers begin around the same middle.
        let middle = offsets.last().copied().unwrap_or(0.0) / 2.0;
        for (&slot, offset) in layer.iter().zip(offsets) {
            x[slot as usize] = offset - middle;
        }
    }
    for sweep in long_steps("placing boxes", 0..SWEEPS) {
        let goes_down = sweep % 2 == 0;
        for step in 1..layers.len() {
            let layer = if goes_down { step } else { layers.len() - 1 - step };
            let beside = if goes_down { &cut.above } else { &cut.below };
            settle(cut, &layers[layer], beside, gap, &mut x);
        }
    }
    x
}

/// Moves the slots of a layer as near as can be to the middle of their neighbours in the layer
/// beside: the sum of weighted squares of what is missed is least. With distances taken out, the
/// places must not fall, which pooling adjacent violators solves exactly (Ayer et al. 1955).
fn settle(cut: &Cut, layer: &[u32], beside: &[Vec<u32>], gap: f64, x: &mut [f64]) {
    /// Slots that stand as close as they may.
    struct Pool {
        sum: f64,
        weight: f64,
        count: usize,
    }
    let offsets = offsets(cut, layer, gap);
    let mut pools: Vec<Pool> = vec![];
    for (&slot, offset) in layer.iter().zip(&offsets) {
        let (wanted, weight) = wish(cut, slot, beside, x);
        let mut pool = Pool { sum: (wanted - offset) * weight, weight, count: 1 };
        while let Some(last) = pools.last()
            && last.sum / last.weight > pool.sum / pool.weight
        {
            pool.sum += last.sum;
            pool.weight += last.weight;
            pool.count += last.count;
            pools.pop();
        }
        pools.push(pool);
    }
    let mut slots = layer.iter().zip(&offsets);
    for pool in pools {
        let place = pool.sum / pool.weight;
        for (&slot, offset) in slots.by_ref().take(pool.count) {
            x[slot as usize] = place + offset;
        }
    }
}

/// The middles of the slots of a layer that stand as close as they may, from that of the first.
fn offsets(cut: &Cut, layer: &[u32], gap: f64) -> Vec<f64> {
    let mut offset = 0.0;
    let mut offsets = vec![];
    for (at, &next) in layer.iter().enumerate() {
        if let Some(before) = at.checked_sub(1) {
            offset += cut.distance(layer[before], next, gap);
        }
        offsets.push(offset);
    }
    offsets
}

/// Where a slot would like to be, and how much.
fn wish(cut: &Cut, slot: u32, beside: &[Vec<u32>], x: &[f64]) -> (f64, f64) {
    /// Slots without neighbours stay, unless they are in the way.
    const STAYING: f64 = 0.01;
    let is_bend = |slot: u32| cut.slots[slot as usize].is_bend;
    let (mut sum, mut weights) = (0.0, 0.0);
    for &other in &beside[slot as usize] {
        let weight = match (is_bend(slot), is_bend(other)) {
            (true, true) => STRAIGHTNESS,
            (false, false) => 1.0,
            _ => TURNING,
        };
        sum += x[other as usize] * weight;
        weights += weight;
    }
    if weights > 0.0 { (sum / weights, weights) } else { (x[slot as usize], STAYING) }
}
