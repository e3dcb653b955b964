//! `hotframe sdfg compare`.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use session::sdfg::compare::{Comparison, Matches, Sides};
use session::sdfg::cost::{Cost, Costs, Rules};
use session::sdfg::expr::{Bindings, Expr};
use session::sdfg::model::{
    BlockIndex, BlockKind, EdgeIndex, ElementId, NodeIndex, Program, RegionIndex, StateIndex,
};

use super::{ValueJson, free_symbols, open, tell_rest};
use crate::arguments::{InfoFormat, SdfgCompare};
use crate::commands::counted;
use crate::text::Harmless;

/// Tells what a transformation changed.
pub(super) fn compare(arguments: &SdfgCompare) -> Result<()> {
    let base = Graph::open(arguments, &arguments.base)?;
    let new = Graph::open(arguments, &arguments.new)?;
    let told = Comparison::of((&base.program, &base.costs), (&new.program, &new.costs));
    let at: Bindings = arguments.set.iter().cloned().collect();
    let json = compare_json(Sides { base: &base, new: &new }, &told, &at);
    let mut out = std::io::stdout().lock();
    match arguments.format {
        InfoFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &json)?;
            Ok(writeln!(out)?)
        }
        InfoFormat::Text => compare_text(&mut Harmless::new(out), json, arguments.limit),
    }
}

struct Graph {
    program: Program,
    costs: Costs,
}

impl Graph {
    fn open(arguments: &SdfgCompare, path: &std::path::Path) -> Result<Graph> {
        let program = open(path, arguments.max_size)?;
        let costs = Costs::of(&program, Rules::Exact);
        Ok(Graph { program, costs })
    }
}

/// The stable JSON shape of `compare`.
#[derive(Serialize)]
struct CompareJson<'a> {
    /// What is set, and what would have to be.
    symbols: BTreeMap<&'a str, Option<i128>>,
    totals: TotalsJson,
    /// Bytes over the outermost edges, by container.
    containers: Vec<ContainerJson<'a>>,
    /// States and regions.
    blocks: MatchesJson<'a>,
    nodes: MatchesJson<'a>,
    edges: MatchesJson<'a>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct TotalsJson {
    work: SidesJson,
    movement_bytes: SidesJson,
    depth: SidesJson,
    parallelism: SidesJson,
    intensity: SidesJson,
}

#[derive(Serialize)]
struct SidesJson {
    base: ValueJson,
    new: ValueJson,
}

#[derive(Serialize)]
struct ContainerJson<'a> {
    name: &'a str,
    base: ValueJson,
    new: ValueJson,
}

#[derive(Serialize)]
struct MatchesJson<'a> {
    both: Vec<MatchJson<'a>>,
    only_base: Vec<ElementJson<'a>>,
    only_new: Vec<ElementJson<'a>>,
}

#[derive(Serialize)]
struct MatchJson<'a> {
    base: String,
    new: String,
    /// Of the new side.
    label: &'a str,
    kind: &'a str,
    /// Costs are not the same.
    differs: bool,
}

#[derive(Serialize)]
struct ElementJson<'a> {
    id: String,
    label: &'a str,
    kind: &'a str,
}

impl SidesJson {
    fn of(sides: Sides<Option<&Expr>>, at: &Bindings) -> SidesJson {
        SidesJson { base: ValueJson::of(sides.base, at), new: ValueJson::of(sides.new, at) }
    }
}

fn compare_json<'a>(
    graphs: Sides<&'a Graph>,
    told: &'a Comparison,
    at: &Bindings,
) -> CompareJson<'a> {
    let total = |part: &dyn Fn(&Cost) -> Option<Expr>| {
        let (base, new) = (part(&told.total.base), part(&told.total.new));
        SidesJson::of(Sides { base: base.as_ref(), new: new.as_ref() }, at)
    };
    let containers = told.containers.iter().map(|(name, moved)| ContainerJson {
        name,
        base: ValueJson::of(moved.base.as_ref(), at),
        new: ValueJson::of(moved.new.as_ref(), at),
    });
    let sides = [graphs.base, graphs.new];
    let names = sides.iter().flat_map(|side| free_symbols(&side.costs));
    let warnings =
        sides.iter().flat_map(|side| side.program.warnings.iter().chain(&side.costs.notes));
    let mut counts = BTreeMap::<&String, u64>::new();
    for (text, count) in warnings {
        *counts.entry(text).or_default() += count;
    }
    CompareJson {
        symbols: names.map(|name| (name, at.get(name).copied())).collect(),
        totals: TotalsJson {
            work: total(&|cost| Some(cost.work.clone())),
            movement_bytes: total(&|cost| Some(cost.moved.clone())),
            depth: total(&|cost| Some(cost.depth.clone())),
            parallelism: total(&Cost::parallelism),
            intensity: total(&Cost::intensity),
        },
        containers: containers.collect(),
        blocks: matches_json(graphs, &told.blocks, block_json),
        nodes: matches_json(graphs, &told.nodes, node_json),
        edges: matches_json(graphs, &told.edges, edge_json),
        warnings: counts.into_iter().map(|(text, n)| counted(text.clone(), n)).collect(),
    }
}

fn matches_json<'a, I: Copy>(
    graphs: Sides<&'a Graph>,
    matches: &Matches<I>,
    element: fn(&'a Program, I) -> ElementJson<'a>,
) -> MatchesJson<'a> {
    let all = |graph: &'a Graph, elements: &[I]| {
        elements.iter().map(|&one| element(&graph.program, one)).collect()
    };
    let both = matches.both.iter().map(|one| {
        let base = element(&graphs.base.program, one.at.base);
        let ElementJson { id, label, kind } = element(&graphs.new.program, one.at.new);
        MatchJson { base: base.id, new: id, label, kind, differs: one.differs }
    });
    MatchesJson {
        both: both.collect(),
        only_base: all(graphs.base, &matches.only_base),
        only_new: all(graphs.new, &matches.only_new),
    }
}

fn block_json(program: &Program, (region, block): (RegionIndex, BlockIndex)) -> ElementJson<'_> {
    let id = program.id_of_block(region, block);
    let block = program.region(region).block(block);
    let kind = match &block.kind {
        BlockKind::State(_) => "state",
        BlockKind::Region(_) => "region",
        BlockKind::Conditional { .. } => "conditional",
        BlockKind::Break => "break",
        BlockKind::Continue => "continue",
        BlockKind::Return => "return",
        BlockKind::Opaque(name) => name,
    };
    ElementJson { id: id.to_string(), label: &block.label, kind }
}

fn node_json(program: &Program, (state, node): (StateIndex, NodeIndex)) -> ElementJson<'_> {
    let id: ElementId = program.id_of_state(state).with_node(node);
    let node = &program.state(state).nodes[node.place()];
    ElementJson { id: id.to_string(), label: &node.label, kind: node.kind.name() }
}

fn edge_json(program: &Program, (state, edge): (StateIndex, EdgeIndex)) -> ElementJson<'_> {
    let id: ElementId = program.id_of_state(state).with_edge(edge);
    let edge = &program.state(state).edges[edge.place()];
    let (label, kind) = match &edge.memlet {
        Some(memlet) => (&*memlet.data, "memlet"),
        None => ("", "order"),
    };
    ElementJson { id: id.to_string(), label, kind }
}

fn compare_text(out: &mut impl Write, mut told: CompareJson<'_>, limit: usize) -> Result<()> {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let totals = &told.totals;
    for (name, SidesJson { base, new }) in [
        ("work (operations)", &totals.work),
        ("movement (bytes)", &totals.movement_bytes),
        ("depth (operations)", &totals.depth),
        ("average parallelism", &totals.parallelism),
        ("intensity (operations/byte)", &totals.intensity),
    ] {
        writeln!(out, "{name:<28} {}", change(base, new))?;
    }
    let unset = told.symbols.iter().filter(|(_, value)| value.is_none());
    let unset: Vec<&str> = unset.map(|(name, _)| *name).collect();
    if !unset.is_empty() {
        writeln!(out, "not set: {}", unset.join(", "))?;
    }
    told.containers.retain(|one| one.base.expression != one.new.expression);
    told.containers.sort_by(|a, b| difference(b).total_cmp(&difference(a)));
    writeln!(out, "\ncontainers with other movement, bytes over outermost edges")?;
    for one in told.containers.iter().take(limit) {
        writeln!(out, "  {:<20} {}", one.name, change(&one.base, &one.new))?;
    }
    tell_rest(out, told.containers.len(), limit)?;
    for (name, matches) in
        [("states and regions", &told.blocks), ("nodes", &told.nodes), ("edges", &told.edges)]
    {
        let differ = matches.both.iter().filter(|one| one.differs).count();
        let (base, new) = (matches.only_base.len(), matches.only_new.len());
        let both = matches.both.len();
        writeln!(
            out,
            "\n{name}: {both} on both sides, {differ} of them with other costs; {base} only in the base, {new} only in the new"
        )?;
        let gone = matches.only_base.iter().map(|one| ('-', one));
        let all = gone.chain(matches.only_new.iter().map(|one| ('+', one)));
        for (sign, one) in all.take(limit) {
            writeln!(out, "  {sign} {:<14} {:<14} {}", one.id, one.kind, one.label)?;
        }
        tell_rest(out, base + new, limit)?;
    }
    for warning in &told.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}

/// `4000 -> 1000 (-75.0 %)`, or the expressions where there is no value.
fn change(base: &ValueJson, new: &ValueJson) -> String {
    let side = |one: &ValueJson| match (&one.value, &one.expression) {
        (Some(value), _) => value.to_string(),
        (None, Some(expression)) => expression.clone(),
        (None, None) => "-".to_owned(),
    };
    let (left, right) = (side(base), side(new));
    if left == right {
        return left;
    }
    let number = |one: &ValueJson| one.value.as_ref().and_then(serde_json::Number::as_f64);
    let percent = match (number(base), number(new)) {
        (Some(base), Some(new)) if base != 0.0 => {
            format!(" ({:+.1} %)", (new - base) / base * 100.0)
        }
        _ => String::new(),
    };
    format!("{left} -> {right}{percent}")
}

/// Without a sign; what has no value comes first.
fn difference(container: &ContainerJson<'_>) -> f64 {
    let number = |one: &ValueJson| match &one.expression {
        Some(_) => one.order(),
        None => 0.0,
    };
    let difference = (number(&container.new) - number(&container.base)).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}
