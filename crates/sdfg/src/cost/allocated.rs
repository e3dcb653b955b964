//! How many elements containers have, in terms of the outermost graph's symbols.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cost::analysis::Analysis;
use crate::expr::{Expr, TooLarge};
use crate::model::{Container, GraphIndex, NodeKind};

impl Analysis<'_> {
    /// See [`super::Costs::allocated`].
    pub(super) fn allocated(&mut self, outside: &[HashMap<Arc<str>, Expr>]) -> Vec<Vec<Expr>> {
        let program = self.program;
        let mut all = vec![];
        for (place, (graph, names)) in program.graphs.iter().zip(outside).enumerate() {
            let told = |analysis: &Self, size: &Expr| {
                let size = analysis.resolved(size, GraphIndex(place as u32))?;
                let size = size.substituted(&|name| names.get(name).cloned())?;
                analysis.facts.at_least_zero(&size)
            };
            let mut of_graph = vec![];
            for (name, container) in &graph.containers {
                let elements = self.elements(container, told);
                of_graph.push(self.or_unknown(elements, &format!("{name}_size")));
            }
            all.push(of_graph);
        }
        all
    }

    /// No side is shorter than 0.
    fn elements(
        &self,
        container: &Container,
        told: impl Fn(&Self, &Expr) -> Result<Expr, TooLarge>,
    ) -> Result<Expr, TooLarge> {
        match &container.total_size {
            Some(size) if container.element_count().as_ref() != Ok(&**size) => told(self, size),
            _ => container
                .shape
                .iter()
                .try_fold(Expr::integer(1), |count, size| count.times(&told(self, size)?)),
        }
    }

    /// By graph: its symbols in terms of the outermost graph's.
    pub(super) fn outside_names(&self) -> Vec<HashMap<Arc<str>, Expr>> {
        let mut all: Vec<HashMap<Arc<str>, Expr>> = vec![];
        for graph in &self.program.graphs {
            let mut names = HashMap::new();
            if let Some((state, node)) = graph.holder {
                let holder = self.program.region(self.program.state(state).region).graph;
                let around = &all[holder.place()];
                if let NodeKind::Nested { symbol_mapping, .. } =
                    &self.program.state(state).nodes[node.place()].kind
                {
                    for (name, value) in symbol_mapping {
                        let value = self.resolved(value, holder);
                        let value = value
                            .and_then(|value| value.substituted(&|name| around.get(name).cloned()));
                        if let Ok(value) = value {
                            names.insert(name.clone(), value);
                        }
                    }
                }
            }
            all.push(names);
        }
        all
    }
}
