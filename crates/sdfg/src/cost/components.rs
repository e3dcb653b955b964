//! Graphs of blocks by their numbers: what is reached, and strong components.

use crate::model::BlockIndex;

pub(super) fn reached_from(start: Option<BlockIndex>, successors: &[Vec<usize>]) -> Vec<usize> {
    let mut is_reached = vec![false; successors.len()];
    let mut open: Vec<usize> = start.map(BlockIndex::place).into_iter().collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut is_reached[block], true) {
            open.extend(&successors[block]);
        }
    }
    (0..successors.len()).filter(|&block| is_reached[block]).collect()
}

/// Tarjan's algorithm without recursion: each component sorted, what is reached before what leads
/// there.
pub(crate) fn strong_components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let (mut number, mut lowest) = (vec![UNSEEN; count], vec![0; count]);
    let (mut stack, mut is_stacked) = (vec![], vec![false; count]);
    let mut components = vec![];
    let mut next_number = 0;
    for root in 0..count {
        if number[root] != UNSEEN {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, edge)) = open.pop() {
            if edge == 0 {
                (number[node], lowest[node]) = (next_number, next_number);
                next_number += 1;
                stack.push(node);
                is_stacked[node] = true;
            }
            if let Some(&next) = successors[node].get(edge) {
                open.push((node, edge + 1));
                if number[next] == UNSEEN {
                    open.push((next, 0));
                } else if is_stacked[next] {
                    lowest[node] = lowest[node].min(number[next]);
                }
                continue;
            }
            if lowest[node] == number[node] {
                let from = stack.iter().rposition(|&one| one == node).unwrap_or(0);
                let mut component = stack.split_off(from);
                component.iter().for_each(|&one| is_stacked[one] = false);
                component.sort_unstable();
                components.push(component);
            }
            if let Some(&(parent, _)) = open.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
        }
    }
    components
}
