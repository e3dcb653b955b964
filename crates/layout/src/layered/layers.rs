//! Which way edges go, and on which layer nodes are.

use super::Down;

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

/// A layer for every node, from 0, so that every edge goes down; nodes stand as near to what they
/// lead to as that allows. `first` and `last` are alone on theirs.
pub(super) fn layers(
    count: usize,
    down: &[Option<Down>],
    first: Option<u32>,
    last: Option<u32>,
) -> Vec<u32> {
    let mut below = vec![vec![]; count];
    let mut above = vec![vec![]; count];
    for edge in down.iter().flatten() {
        below[edge.from as usize].push(edge.to);
        above[edge.to as usize].push(edge.from);
    }
    let order = in_order(&below, &above);
    // As high as they can be.
    let mut layer = vec![0u32; count];
    for &node in &order {
        for &next in &below[node as usize] {
            layer[next as usize] = layer[next as usize].max(layer[node as usize] + 1);
        }
    }
    // A node that more leads out of than into shortens its edges by moving down, to just above the
    // nearest of what it leads to.
    for &node in order.iter().rev() {
        let node = node as usize;
        let lowest = below[node].iter().map(|&next| layer[next as usize] - 1).min();
        if let Some(lowest) = lowest
            && below[node].len() > above[node].len()
        {
            layer[node] = lowest;
        }
    }
    let is_other = |node: u32| first != Some(node) && last != Some(node);
    if let Some(first) = first {
        if (0..count as u32).any(|node| is_other(node) && layer[node as usize] == 0) {
            layer.iter_mut().for_each(|layer| *layer += 1);
        }
        layer[first as usize] = 0;
    }
    if let Some(last) = last {
        let others = (0..count as u32).filter(|&node| node != last);
        layer[last as usize] = others.map(|node| layer[node as usize] + 1).max().unwrap_or(0);
    }
    layer
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
