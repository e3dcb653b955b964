//! What the order of iterations depends on beside accesses.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::lowering::Lowering;
use crate::model::{GraphIndex, NodeIndex, NodeKind, StateIndex};

impl Lowering<'_> {
    /// Data in a register is written.
    pub(super) fn unseen(&mut self, data: &Arc<str>, leaves_a_scope: bool) {
        self.unseen.push((data.clone(), leaves_a_scope));
    }

    /// What a map hands on in registers; what stays in it is of each iteration.
    pub(super) fn leave_map(&mut self, before: usize) -> Vec<Arc<str>> {
        let inside = self.unseen.split_off(before.min(self.unseen.len()));
        let inside: BTreeSet<Arc<str>> =
            inside.into_iter().filter(|(_, leaves)| *leaves).map(|(name, _)| name).collect();
        self.unseen.extend(inside.iter().map(|name| (name.clone(), true)));
        inside.into_iter().collect()
    }

    /// Names of registers that were written since, each once.
    pub(super) fn unseen_since(&mut self, before: usize) -> Vec<Arc<str>> {
        let inside: BTreeSet<(Arc<str>, bool)> =
            self.unseen.split_off(before.min(self.unseen.len())).into_iter().collect();
        let mut names: Vec<Arc<str>> = inside.iter().map(|(name, _)| name.clone()).collect();
        names.dedup();
        self.unseen.extend(inside);
        names
    }

    /// References since some combine in a way.
    pub(super) fn combine(&mut self, first: usize, way: &str) {
        let known = self.combining.iter().position(|own| own == way);
        let number = known.unwrap_or_else(|| {
            self.combining.push(way.to_owned());
            self.combining.len() - 1
        });
        for reference in &mut self.done.nest.references[first..] {
            reference.combines = Some(number as u32);
        }
    }

    /// Containers that references since some access and that each iteration of a map has of its own:
    /// transients that nothing outside of the map names.
    pub(super) fn private(
        &self,
        (index, entry): (StateIndex, NodeIndex),
        first: usize,
    ) -> Vec<u32> {
        let program = self.program;
        let references = &self.done.nest.references[first..];
        let own: BTreeSet<u32> = references.iter().map(|one| one.container).collect();
        let graph = program.region(program.state(index).region).graph;
        let keys = self.known.iter().filter(|(_, number)| own.contains(number));
        let private = keys.filter(|((owner, name), _)| {
            let owner = GraphIndex(*owner as u32);
            let containers = &program.graph(owner).containers;
            let is_transient = containers.get(name).is_some_and(|one| one.is_transient);
            // What a graph within the map has besides is made anew for each of its runs.
            is_transient && (owner != graph || self.is_within(index, entry, name))
        });
        let mut private: Vec<u32> = private.map(|(_, number)| *number).collect();
        private.sort_unstable();
        private
    }

    /// Whether all nodes of a name in a graph are in a scope.
    fn is_within(&self, index: StateIndex, entry: NodeIndex, name: &Arc<str>) -> bool {
        let program = self.program;
        let graph = program.region(program.state(index).region).graph;
        program.states.iter().enumerate().all(|(place, state)| {
            program.region(state.region).graph != graph
                || state.nodes.iter().all(|node| {
                    let is_of_it = matches!(&node.kind, NodeKind::Access { data } if data == name);
                    let mut around = node.scope;
                    while let Some(scope) = around.filter(|scope| *scope != entry) {
                        around = state.nodes[scope.place()].scope;
                    }
                    !is_of_it || (place == index.place() && around == Some(entry))
                })
        })
    }
}
