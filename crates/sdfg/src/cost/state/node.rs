//! Work and depth of a node.

use crate::cost::adjacency::Adjacency;
use crate::cost::certainty::{AtMost, Excess};
use crate::cost::context::Context;
use crate::cost::costs::Cost;
use crate::cost::library::{Around, library_depth, library_work, why_unknown};
use crate::cost::rules::Rules;
use crate::cost::unknown::Unknown;
use crate::cost::{cpp, python};
use crate::expr::{Expr, TooLarge};
use crate::model::{
    Code, EdgeIndex, Language, Library, Node, NodeIndex, NodeKind, State, StateIndex,
};

/// What a node that is no scope does.
pub(super) fn node_cost(
    context: &mut Context<'_, '_>,
    regions: &[Cost],
    index: StateIndex,
    node: NodeIndex,
    adjacency: &Adjacency,
) -> Result<Cost, TooLarge> {
    let program = context.known.program;
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
            tasklet(context, state, code, (label, lanes), outgoing)
        }
        NodeKind::Nested { graph: None, .. } => Ok(Cost::default()),
        NodeKind::Nested { graph: Some(graph), symbol_mapping } => {
            let inner = &regions[program.graph(*graph).region.place()];
            inner.each(|part| {
                part.substituted(&|name| symbol_mapping.get(name).map(|value| (**value).clone()))
            })
        }
        NodeKind::Library(library) => {
            library_cost(context, library, (label, node), state, adjacency)
        }
        NodeKind::Opaque(name) => {
            let why = format!("operations of a node of the unknown kind {name}");
            let why = Unknown::count(why);
            Ok(Cost {
                work: context.report.unknown_of(&format!("{label}_work"), name, why.clone()),
                depth: context.report.unknown_of(&format!("{label}_depth"), name, why),
                ..Cost::default()
            })
        }
    }
}

/// What a library node does, by its class and what is connected to it.
fn library_cost(
    context: &mut Context<'_, '_>,
    library: &Library,
    (label, node): (&str, NodeIndex),
    state: &State,
    adjacency: &Adjacency,
) -> Result<Cost, TooLarge> {
    let memlet = |connector: &str, edges: &[EdgeIndex], is_input: bool| {
        let found = edges.iter().map(|edge| &state.edges[edge.place()]).find(|edge| {
            let own = if is_input { &edge.target_connector } else { &edge.source_connector };
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
    let around = Around {
        input: &|name| memlet(name, incoming, true),
        output: &|name| memlet(name, outgoing, false),
        only_input: only,
    };
    let why = Unknown::count(why_unknown(library, &around));
    let work = match library_work(library, &around, context.known.rules)? {
        Some(work) => work,
        None => context.report.unknown(&format!("{label}_work"), why.clone()),
    };
    let depth = match library_depth(library, &around, context.known.rules, &work)? {
        Some(depth) => depth,
        None => context.report.unknown(&format!("{label}_depth"), why),
    };
    Ok(Cost { work, depth, ..Cost::default() })
}

/// Whether a node is code that calls what may do anything.
pub(super) fn is_opaque(rules: Rules, node: &Node) -> bool {
    let NodeKind::Tasklet(code) = &node.kind else { return false };
    let counted = match &code.language {
        Language::Python => python::count_statements(&code.text, rules),
        Language::Cpp => cpp::count_cpp(&code.text, rules),
        Language::Other(_) => None,
    };
    counted.is_some_and(|operations| operations.is_opaque)
}

fn tasklet(
    context: &mut Context<'_, '_>,
    state: &State,
    code: &Code,
    (label, lanes): (&str, u32),
    outgoing: &[EdgeIndex],
) -> Result<Cost, TooLarge> {
    let counted = match (&code.language, context.known.rules) {
        (Language::Python, rules) => python::count_statements(&code.text, rules),
        (Language::Cpp, Rules::Exact | Rules::Every) => {
            cpp::count_cpp(&code.text, context.known.rules)
        }
        (Language::Cpp, Rules::Dace1) => {
            let first = outgoing.first().and_then(|edge| state.edges[edge.place()].memlet.as_ref());
            let work = first.map_or(Expr::integer(1), |memlet| (*memlet.volume).clone());
            return with_conflicts(
                context,
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
        Some(operations) if operations.is_opaque && context.known.rules.is_exact() => {
            let why = "code calls an unknown function";
            let why = Unknown::count(why);
            let mut more = |what: &str, known: i128| {
                let more =
                    context.report.unknown_of(&format!("{label}_{what}"), &code.text, why.clone());
                more.plus(&Expr::integer(known))
            };
            Cost {
                work: more("work", i128::from(operations.count) * i128::from(lanes))?,
                depth: more("depth", operations.depth.into())?,
                ..Cost::default()
            }
        }
        Some(operations) => {
            let lanes = if context.known.rules.is_exact() { lanes } else { 1 };
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
                work: context.report.unknown_of(&format!("{label}_work"), &code.text, why.clone()),
                depth: context.report.unknown_of(&format!("{label}_depth"), &code.text, why),
                ..Cost::default()
            }
        }
    };
    with_conflicts(context, cost, state, outgoing)
}

/// Adds what combining writes costs.
fn with_conflicts(
    context: &mut Context<'_, '_>,
    mut cost: Cost,
    state: &State,
    outgoing: &[EdgeIndex],
) -> Result<Cost, TooLarge> {
    let memlets = outgoing.iter().filter_map(|edge| state.edges[edge.place()].memlet.as_ref());
    for wcr in memlets.filter_map(|memlet| memlet.wcr.as_ref()) {
        match python::count_expression(wcr, context.known.rules) {
            Some(operations) => {
                if operations.may_be_less {
                    cost.at_most.work = cost.at_most.work.or(Some(Excess::Code));
                }
                cost.work = cost.work.plus(&Expr::integer(operations.count.into()))?;
            }
            None => {
                context.report.note("write conflicts that cannot be read count as no operation")
            }
        }
    }
    Ok(cost)
}
