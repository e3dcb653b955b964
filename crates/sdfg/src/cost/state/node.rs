//! Work and depth of a node.

use crate::cost::adjacency::Adjacency;
use crate::cost::analysis::Analysis;
use crate::cost::certainty::{AtMost, Excess};
use crate::cost::costs::Cost;
use crate::cost::library::{library_depth, library_work};
use crate::cost::rules::Rules;
use crate::cost::unknown::Unknown;
use crate::cost::{cpp, python};
use crate::expr::{Expr, TooLarge};
use crate::model::{Code, EdgeIndex, Language, Node, NodeIndex, NodeKind, State, StateIndex};

impl<'p> Analysis<'p> {
    pub(super) fn node(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        adjacency: &Adjacency,
    ) -> Result<Cost, TooLarge> {
        let program = self.program;
        let state = program.state(index);
        let Node { kind, label, .. } = &state.nodes[node.place()];
        match kind {
            NodeKind::Access { .. }
            | NodeKind::MapEntry(_)
            | NodeKind::MapExit
            | NodeKind::ConsumeEntry(_)
            | NodeKind::ConsumeExit => Ok(Cost::default()),
            NodeKind::Tasklet(code) => {
                let lanes = state.nodes[node.place()].lanes;
                let outgoing = &adjacency.outgoing[node.place()];
                self.tasklet(state, code, (label, lanes), outgoing)
            }
            NodeKind::Nested { graph: None, .. } => Ok(Cost::default()),
            NodeKind::Nested { graph: Some(graph), symbol_mapping } => {
                let inner = &self.costs.regions[program.graph(*graph).region.place()];
                inner.each(|part| {
                    part.substituted(&|name| {
                        symbol_mapping.get(name).map(|value| (**value).clone())
                    })
                })
            }
            NodeKind::Library(library) => {
                let memlet = |connector: &str, edges: &[EdgeIndex], is_input: bool| {
                    let found = edges.iter().map(|edge| &state.edges[edge.place()]).find(|edge| {
                        let own =
                            if is_input { &edge.target_connector } else { &edge.source_connector };
                        own.as_deref() == Some(connector)
                    });
                    found.and_then(|edge| edge.memlet.as_deref())
                };
                let incoming = &adjacency.incoming[node.place()];
                let outgoing = &adjacency.outgoing[node.place()];
                let only = match incoming[..] {
                    [edge] => state.edges[edge.place()].memlet.as_deref(),
                    _ => None,
                };
                let around = crate::cost::library::Around {
                    input: &|name| memlet(name, incoming, true),
                    output: &|name| memlet(name, outgoing, false),
                    only_input: only,
                };
                let why = Unknown::count(crate::cost::library::why_unknown(library, &around));
                let work = match library_work(library, &around, self.rules)? {
                    Some(work) => work,
                    None => self.unknown(&format!("{label}_work"), why.clone()),
                };
                let depth = match library_depth(library, &around, self.rules, &work)? {
                    Some(depth) => depth,
                    None => self.unknown(&format!("{label}_depth"), why),
                };
                Ok(Cost { work, depth, ..Cost::default() })
            }
            NodeKind::Opaque(name) => {
                let why = format!("operations of a node of the unknown kind {name}");
                let why = Unknown::count(why);
                Ok(Cost {
                    work: self.unknown_of(&format!("{label}_work"), name, why.clone()),
                    depth: self.unknown_of(&format!("{label}_depth"), name, why),
                    ..Cost::default()
                })
            }
        }
    }

    /// Whether a node is code that calls what may do anything.
    pub(super) fn is_opaque(&self, node: &Node) -> bool {
        let NodeKind::Tasklet(code) = &node.kind else { return false };
        let counted = match &code.language {
            Language::Python => python::count_statements(&code.text, self.rules),
            Language::Cpp => cpp::count_cpp(&code.text, self.rules),
            Language::Other(_) => None,
        };
        counted.is_some_and(|operations| operations.is_opaque)
    }

    fn tasklet(
        &mut self,
        state: &State,
        code: &Code,
        (label, lanes): (&str, u32),
        outgoing: &[EdgeIndex],
    ) -> Result<Cost, TooLarge> {
        let counted = match (&code.language, self.rules) {
            (Language::Python, rules) => python::count_statements(&code.text, rules),
            (Language::Cpp, Rules::Exact | Rules::Every) => cpp::count_cpp(&code.text, self.rules),
            (Language::Cpp, Rules::Dace1) => {
                let first =
                    outgoing.first().and_then(|edge| state.edges[edge.place()].memlet.as_ref());
                let work = first.map_or(Expr::integer(1), |memlet| (*memlet.volume).clone());
                return self.with_conflicts(
                    Cost { depth: work.clone(), work, ..Cost::default() },
                    state,
                    outgoing,
                );
            }
            (_, Rules::Dace1 | Rules::Dace2) => {
                Some(python::Operations { count: 1, depth: 1, ..python::Operations::default() })
            }
            (Language::Other(_), Rules::Exact | Rules::Every) => None,
        };
        let cost = match counted {
            Some(operations) if operations.is_opaque && self.rules.is_exact() => {
                let why = "code calls an unknown function";
                let why = Unknown::count(why);
                let more = |analysis: &mut Self, what: &str, known: i128| {
                    let more =
                        analysis.unknown_of(&format!("{label}_{what}"), &code.text, why.clone());
                    more.plus(&Expr::integer(known))
                };
                Cost {
                    work: more(self, "work", i128::from(operations.count) * i128::from(lanes))?,
                    depth: more(self, "depth", operations.depth.into())?,
                    ..Cost::default()
                }
            }
            Some(operations) => {
                let lanes = if self.rules.is_exact() { lanes } else { 1 };
                Cost {
                    work: Expr::integer(i128::from(operations.count) * i128::from(lanes)),
                    depth: Expr::integer(operations.depth.into()),
                    at_most: AtMost {
                        work: operations.may_be_less.then_some(Excess::Code),
                        depth: operations.may_be_shallower.then_some(Excess::Code),
                        moved: None,
                    },
                    ..Cost::default()
                }
            }
            None => {
                let why = "code with loops, in another language, or that cannot be read";
                let why = Unknown::count(why);
                Cost {
                    work: self.unknown_of(&format!("{label}_work"), &code.text, why.clone()),
                    depth: self.unknown_of(&format!("{label}_depth"), &code.text, why),
                    ..Cost::default()
                }
            }
        };
        self.with_conflicts(cost, state, outgoing)
    }

    /// Adds what combining writes costs.
    fn with_conflicts(
        &mut self,
        mut cost: Cost,
        state: &State,
        outgoing: &[EdgeIndex],
    ) -> Result<Cost, TooLarge> {
        let memlets = outgoing.iter().filter_map(|edge| state.edges[edge.place()].memlet.as_ref());
        for wcr in memlets.filter_map(|memlet| memlet.wcr.as_ref()) {
            match python::count_expression(wcr, self.rules) {
                Some(operations) => {
                    if operations.may_be_less {
                        cost.at_most.work = cost.at_most.work.or(Some(Excess::Code));
                    }
                    cost.work = cost.work.plus(&Expr::integer(operations.count.into()))?;
                }
                None => self.note("write conflicts that cannot be read count as no operation"),
            }
        }
        Ok(cost)
    }
}
