//! Which scope each node is in, from the edges alone: what files say of it may be missing.

use crate::model::{Edge, Node, NodeIndex};

/// Sets [`Node::scope`]. Gives how many nodes stand on a cycle or behind one; they have no scope.
pub(super) fn find_scopes(nodes: &mut [Node], edges: &[Edge]) -> usize {
    let mut targets: Vec<Vec<NodeIndex>> = vec![vec![]; nodes.len()];
    let mut waiting = vec![0u32; nodes.len()];
    for edge in edges {
        targets[edge.source.place()].push(edge.target);
        waiting[edge.target.place()] += 1;
    }
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|&node| waiting[node] == 0).collect();
    let mut found = vec![false; nodes.len()];
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        let inside = scope_behind(nodes, node);
        for &target in &targets[node] {
            let place = target.place();
            if !found[place] {
                found[place] = true;
                nodes[place].scope = inside;
            }
            waiting[place] -= 1;
            if waiting[place] == 0 {
                ready.push(place);
            }
        }
    }
    if done < nodes.len() {
        for (node, _) in nodes.iter_mut().zip(&waiting).filter(|(_, waiting)| **waiting > 0) {
            node.scope = None;
        }
    }
    nodes.len() - done
}

/// The scope of what follows a node.
fn scope_behind(nodes: &[Node], node: usize) -> Option<NodeIndex> {
    let one = &nodes[node];
    match &one.kind {
        kind if kind.is_entry() => Some(NodeIndex(node as u32)),
        kind if kind.is_exit() => one.scope.and_then(|entry| nodes[entry.place()].scope),
        _ => one.scope,
    }
}
