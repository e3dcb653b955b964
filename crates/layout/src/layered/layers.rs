//! Which way edges go, and on which layer nodes are.

use std::collections::BTreeMap;

use super::cut::Down;
use super::simplex::{Link, shortened};

/// The edges so that none closes a cycle: those that lead back to a node which a search from the
/// first nodes is still below are turned round. Edges from a node to itself are none.
pub(super) fn turned_down(count: usize, edges: &[(u32, u32)]) -> Vec<Option<Down>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Above,
        Done,
    }
    let mut out = vec![vec![]; count];
    let mut has_entry = vec![false; count];
    for (number, &(from, to)) in edges.iter().enumerate() {
        if from != to {
            out[from as usize].push(number as u32);
            has_entry[to as usize] = true;
        }
    }
    let mut seen = vec![Seen::Not; count];
    let mut is_turned = vec![false; edges.len()];
    // Nodes that nothing leads to come first, so that a drawing begins with them.
    let entries = (0..count as u32).filter(|&node| !has_entry[node as usize]);
    for start in entries.chain(0..count as u32) {
        if seen[start as usize] != Seen::Not {
            continue;
        }
        seen[start as usize] = Seen::Above;
        let mut open = vec![(start, 0)];
        while let Some((node, next)) = open.last_mut() {
            let Some(&edge) = out[*node as usize].get(*next) else {
                seen[*node as usize] = Seen::Done;
                open.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge as usize].1;
            match seen[to as usize] {
                Seen::Not => {
                    seen[to as usize] = Seen::Above;
                    open.push((to, 0));
                }
                Seen::Above => is_turned[edge as usize] = true,
                Seen::Done => {}
            }
        }
    }
    let turn = |(&(from, to), is_turned): (&(u32, u32), bool)| match (from == to, is_turned) {
        (true, _) => None,
        (_, true) => Some(Down { from: to, to: from, is_turned }),
        (_, false) => Some(Down { from, to, is_turned }),
    };
    edges.iter().zip(is_turned).map(turn).collect()
}

/// Nodes and links that are looked at for the best layers.
const MOST_STEPS: u64 = 20_000_000;

/// A layer for every node, from 0, so that every edge goes down and the sum of their lengths is as
/// small as can be; nodes that may stand on several layers for that are where few others are.
/// `first` and `last` are alone on theirs.
pub(super) fn layers(
    count: usize,
    down: &[Option<Down>],
    first: Option<u32>,
    last: Option<u32>,
) -> Vec<u32> {
    let links = links(count, down, first, last);
    let mut below = vec![vec![]; count];
    let mut above = vec![vec![]; count];
    for link in &links {
        below[link.from as usize].push(link.to);
        above[link.to as usize].push(link.from);
    }
    let order = in_order(&below, &above);
    let mut ranks = vec![0i64; count];
    for &node in &order {
        for &next in &below[node as usize] {
            ranks[next as usize] = ranks[next as usize].max(ranks[node as usize] + 1);
        }
    }
    let ranks = from_zero(shortened(ranks, &links, MOST_STEPS), &below, &above);
    let mut layer: Vec<u32> = ranks.into_iter().map(|rank| rank as u32).collect();
    spread(&mut layer, &links, &order, [first, last]);
    layer
}

/// The edges, those that join the same nodes as one that weighs more. What stands at an end of the
/// drawing is joined to `first` and `last` without weight.
fn links(count: usize, down: &[Option<Down>], first: Option<u32>, last: Option<u32>) -> Vec<Link> {
    let mut weights: BTreeMap<(u32, u32), i64> = BTreeMap::new();
    let (mut has_above, mut has_below) = (vec![false; count], vec![false; count]);
    for edge in down.iter().flatten() {
        *weights.entry((edge.from, edge.to)).or_default() += 1;
        has_above[edge.to as usize] = true;
        has_below[edge.from as usize] = true;
    }
    for node in 0..count as u32 {
        if let Some(first) = first
            && node != first
            && !has_above[node as usize]
        {
            weights.entry((first, node)).or_default();
        }
        if let Some(last) = last
            && node != last
            && first != Some(node)
            && !has_below[node as usize]
        {
            weights.entry((node, last)).or_default();
        }
    }
    let links = weights.into_iter();
    links.map(|((from, to), weight)| Link { from, to, least: 1, weight }).collect()
}

/// The same ranks with every connected part beginning at 0.
fn from_zero(mut ranks: Vec<i64>, below: &[Vec<u32>], above: &[Vec<u32>]) -> Vec<i64> {
    let mut seen = vec![false; ranks.len()];
    for start in 0..ranks.len() as u32 {
        let mut part = vec![];
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                part.push(node as usize);
                open.extend(below[node as usize].iter().chain(&above[node as usize]));
            }
        }
        let lowest = part.iter().map(|&node| ranks[node]).min().unwrap_or(0);
        part.into_iter().for_each(|node| ranks[node] -= lowest);
    }
    ranks
}

/// Moves nodes that as much leads into as out of to the layers with the fewest nodes that they may
/// stand on; no edge becomes longer by that than another becomes shorter.
fn spread(layer: &mut [u32], links: &[Link], order: &[u32], fixed: [Option<u32>; 2]) {
    let depth = layer.iter().max().map_or(0, |&last| last as usize + 1);
    let mut crowd = vec![0u32; depth];
    layer.iter().for_each(|&layer| crowd[layer as usize] += 1);
    let mut balance = vec![0; layer.len()];
    let mut at = vec![vec![]; layer.len()];
    for link in links {
        balance[link.from as usize] += link.weight;
        balance[link.to as usize] -= link.weight;
        at[link.from as usize].push(*link);
        at[link.to as usize].push(*link);
    }
    for &node in order {
        let links = &at[node as usize];
        if balance[node as usize] != 0 || links.is_empty() || fixed.contains(&Some(node)) {
            continue;
        }
        let above = links.iter().filter(|link| link.to == node);
        let below = links.iter().filter(|link| link.from == node);
        let (Some(highest), Some(lowest)) = (
            above.map(|link| layer[link.from as usize] + 1).max(),
            below.map(|link| layer[link.to as usize] - 1).min(),
        ) else {
            continue;
        };
        let own = layer[node as usize];
        let crowd_at = |place: u32| crowd[place as usize] - u32::from(place == own);
        // Where it is, if that is as good.
        let best = (highest..=lowest).min_by_key(|&place| (crowd_at(place), place != own));
        if let Some(best) = best {
            crowd[own as usize] -= 1;
            crowd[best as usize] += 1;
            layer[node as usize] = best;
        }
    }
}

/// The nodes so that every one comes after those above it.
fn in_order(below: &[Vec<u32>], above: &[Vec<u32>]) -> Vec<u32> {
    let mut waits_for: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut order: Vec<u32> =
        (0..below.len() as u32).filter(|&node| waits_for[node as usize] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &to in &below[node as usize] {
            waits_for[to as usize] -= 1;
            if waits_for[to as usize] == 0 {
                order.push(to);
            }
        }
    }
    order
}
