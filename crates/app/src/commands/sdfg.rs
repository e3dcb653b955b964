//! `hotframe sdfg`.

mod compare;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use session::sdfg::cost::{Costs, Excess, Rules, Unknown};
use session::sdfg::expr::{Bindings, Expr, Value};
use session::sdfg::model::{EdgeIndex, NodeIndex, Program, StateIndex};
use session::sdfg::{Limits, read};

use super::counted;
use crate::arguments::{InfoFormat, Sdfg, SdfgCommand, SdfgCost, SdfgFile};
use crate::text::Harmless;

/// Tells what graphs hold or cost.
pub(crate) fn sdfg(arguments: &Sdfg) -> Result<()> {
    match &arguments.command {
        SdfgCommand::Info(arguments) => info(arguments),
        SdfgCommand::Cost(arguments) => cost(arguments),
        SdfgCommand::Compare(arguments) => compare::compare(arguments),
        SdfgCommand::Draw(arguments) => super::draw::draw(arguments),
    }
}

fn open(path: &Path, max_size: u64) -> Result<Program> {
    let limits = Limits { max_size };
    let bytes: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path);
        Box::new(file.with_context(|| format!("cannot open {}", path.display()))?)
    };
    let hint = |error: &session::sdfg::ReadError| match error {
        session::sdfg::ReadError::TooLarge { .. } => " (--max-size lifts the limit)",
        _ => "",
    };
    read(bytes, &limits).map_err(|error| {
        let hint = hint(&error);
        anyhow::Error::new(error).context(format!("cannot read {}{hint}", path.display()))
    })
}

/// The stable JSON shape of `info`.
#[derive(Serialize)]
struct InfoJson<'a> {
    name: &'a str,
    dace_version: Option<&'a str>,
    graphs: usize,
    regions: usize,
    states: usize,
    nodes: usize,
    edges: usize,
    kinds: BTreeMap<&'a str, usize>,
    symbols: BTreeMap<&'a str, &'a str>,
    containers: Vec<ContainerJson<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct ContainerJson<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    element: &'a str,
    shape: Vec<String>,
    transient: bool,
    storage: &'a str,
}

fn info(arguments: &SdfgFile) -> Result<()> {
    let program = open(&arguments.file, arguments.max_size)?;
    let root = program.root().context("the file holds no graph")?;
    let mut kinds = BTreeMap::new();
    for node in program.states.iter().flat_map(|state| &state.nodes) {
        *kinds.entry(node.kind.name()).or_default() += 1;
    }
    let containers = root.containers.iter().map(|(name, container)| ContainerJson {
        name,
        element: &container.element.name,
        shape: container.shape.iter().map(|size| size.to_string()).collect(),
        transient: container.is_transient,
        storage: &container.storage,
    });
    let symbols = root.symbols.iter().map(|(name, element)| (&**name, &*element.name));
    let json = InfoJson {
        name: &root.name,
        dace_version: program.dace_version.as_deref(),
        graphs: program.graphs.len(),
        regions: program.regions.len(),
        states: program.states.len(),
        nodes: program.node_count(),
        edges: program.edge_count(),
        kinds,
        symbols: symbols.collect(),
        containers: containers.collect(),
        warnings: program.warnings.iter().map(|(text, &n)| counted(text.clone(), n)).collect(),
    };
    let mut out = std::io::stdout().lock();
    match arguments.format {
        InfoFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &json)?;
            Ok(writeln!(out)?)
        }
        InfoFormat::Text => info_text(&mut Harmless::new(out), &json),
    }
}

fn info_text(out: &mut impl Write, info: &InfoJson<'_>) -> Result<()> {
    let version = info.dace_version.unwrap_or("of an unknown version");
    writeln!(out, "{}: SDFG of DaCe {version}", info.name)?;
    writeln!(
        out,
        "{} graphs, {} regions, {} states, {} nodes, {} edges",
        info.graphs, info.regions, info.states, info.nodes, info.edges
    )?;
    let kinds: Vec<String> = info.kinds.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    writeln!(out, "nodes: {}", kinds.join(", "))?;
    let symbols: Vec<&str> = info.symbols.keys().copied().collect();
    writeln!(out, "symbols: {}", symbols.join(", "))?;
    for container in &info.containers {
        let ContainerJson { name, element, shape, .. } = container;
        let transient = if container.transient { " transient" } else { "" };
        writeln!(out, "  {name}: {element}[{}]{transient}", shape.join(", "))?;
    }
    for warning in &info.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}

/// The stable JSON shape of `cost`.
#[derive(Serialize)]
struct CostJson<'a> {
    /// What is set, and what would have to be.
    symbols: BTreeMap<&'a str, Option<i128>>,
    totals: TotalsJson,
    edges: Vec<EdgeJson<'a>>,
    nodes: Vec<NodeJson<'a>>,
    /// Symbols that stand for what data decides.
    unknowns: BTreeMap<&'a str, UnknownJson<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct TotalsJson {
    work: ValueJson,
    movement_bytes: ValueJson,
    depth: ValueJson,
    parallelism: ValueJson,
    intensity: ValueJson,
}

#[derive(Serialize)]
struct EdgeJson<'a> {
    id: String,
    data: &'a str,
    elements: ValueJson,
    bytes: ValueJson,
    /// Counts for the movement of the whole.
    outermost: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<&'static str>,
}

/// A bound is none where there is none.
#[derive(Serialize)]
struct UnknownJson<'a> {
    why: &'a str,
    least: Option<ValueJson>,
    most: Option<ValueJson>,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    id: String,
    label: &'a str,
    kind: &'a str,
    work: ValueJson,
    depth: ValueJson,
    intensity: ValueJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<&'static str>,
}

/// `value` is none where a symbol is unset, or where there is none, such as behind a division by 0.
#[derive(Serialize, Default)]
struct ValueJson {
    expression: Option<String>,
    value: Option<serde_json::Number>,
}

impl ValueJson {
    fn of(expr: Option<&Expr>, at: &Bindings) -> ValueJson {
        let Some(expr) = expr else { return ValueJson::default() };
        let value = expr.evaluate(at).ok().and_then(|value| {
            let whole = value.to_integer().and_then(serde_json::Number::from_i128);
            whole.or_else(|| serde_json::Number::from_f64(Value::to_f64(value)))
        });
        ValueJson { expression: Some(expr.to_string()), value }
    }

    /// For people: the value, or what it depends on.
    fn shown(&self) -> String {
        match (&self.value, &self.expression) {
            (Some(value), Some(expression)) if *expression != value.to_string() => {
                format!("{value} = {expression}")
            }
            (_, Some(expression)) => expression.clone(),
            (_, None) => "-".to_owned(),
        }
    }

    /// What is not known is taken for the largest.
    fn order(&self) -> f64 {
        self.value.as_ref().and_then(serde_json::Number::as_f64).unwrap_or(f64::INFINITY)
    }
}

fn cost(arguments: &SdfgCost) -> Result<()> {
    let program = open(&arguments.graph.file, arguments.graph.max_size)?;
    let costs = Costs::of(&program, Rules::Exact);
    let at: Bindings = arguments.set.iter().cloned().collect();
    let mut json = cost_json(&program, &costs, &at);
    let mut out = std::io::stdout().lock();
    match arguments.graph.format {
        InfoFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &json)?;
            Ok(writeln!(out)?)
        }
        InfoFormat::Text => cost_text(&mut Harmless::new(out), &mut json, arguments.limit),
    }
}

fn cost_json<'a>(program: &'a Program, costs: &'a Costs, at: &Bindings) -> CostJson<'a> {
    let value = |expr: Option<&Expr>| ValueJson::of(expr, at);
    let total = &costs.total;
    let (mut edges, mut nodes) = (vec![], vec![]);
    for (place, state) in program.states.iter().enumerate() {
        let id = program.id_of_state(StateIndex(place as u32));
        for (index, (edge, movement)) in state.edges.iter().zip(&costs.edges[place]).enumerate() {
            let (Some(memlet), Some(movement)) = (&edge.memlet, movement) else { continue };
            edges.push(EdgeJson {
                id: id.with_edge(EdgeIndex(index as u32)).to_string(),
                data: &memlet.data,
                elements: value(Some(&movement.elements)),
                bytes: value(Some(&movement.bytes)),
                outermost: movement.is_outermost,
                at_most: movement.excess.map(why),
            });
        }
        for (index, (node, cost)) in state.nodes.iter().zip(&costs.nodes[place]).enumerate() {
            nodes.push(NodeJson {
                id: id.with_node(NodeIndex(index as u32)).to_string(),
                label: &node.label,
                kind: node.kind.name(),
                work: value(Some(&cost.work)),
                depth: value(Some(&cost.depth)),
                intensity: value(cost.intensity().as_ref()),
                at_most: cost.has_partial_tiles.then(|| why(Excess::PartialTiles)),
            });
        }
    }
    let warnings = program.warnings.iter().chain(&costs.notes);
    CostJson {
        symbols: free_symbols(costs)
            .into_iter()
            .map(|name| (name, at.get(name).copied()))
            .collect(),
        totals: TotalsJson {
            work: value(Some(&total.work)),
            movement_bytes: value(Some(&total.moved)),
            depth: value(Some(&total.depth)),
            parallelism: value(total.parallelism().as_ref()),
            intensity: value(total.intensity().as_ref()),
        },
        edges,
        nodes,
        unknowns: costs
            .unknowns
            .iter()
            .map(|(name, unknown)| (&**name, unknown_json(unknown, at)))
            .collect(),
        warnings: warnings.map(|(text, &n)| counted(text.clone(), n)).collect(),
    }
}

fn unknown_json<'a>(unknown: &'a Unknown, at: &Bindings) -> UnknownJson<'a> {
    let bound = |bound: &Option<Expr>| bound.as_ref().map(|bound| ValueJson::of(Some(bound), at));
    UnknownJson { why: &unknown.why, least: bound(&unknown.least), most: bound(&unknown.most) }
}

fn why(excess: Excess) -> &'static str {
    match excess {
        Excess::DataDecides => "data decides how much moves",
        Excess::Unbounded => "data decides how much moves, and nothing bounds it",
        Excess::PartialTiles => "partial tiles count as whole ones",
    }
}

fn at_most(why: Option<&str>) -> String {
    why.map(|why| format!(" (at most: {why})")).unwrap_or_default()
}

/// What totals, edges and nodes depend on.
fn free_symbols(costs: &Costs) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for cost in std::iter::once(&costs.total).chain(costs.nodes.iter().flatten()) {
        for part in [&cost.work, &cost.depth, &cost.moved] {
            names.extend(part.symbols());
        }
    }
    for movement in costs.edges.iter().flatten().flatten() {
        names.extend(movement.elements.symbols());
    }
    names
}

fn cost_text(out: &mut impl Write, cost: &mut CostJson<'_>, limit: usize) -> Result<()> {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let totals = &cost.totals;
    for (name, value) in [
        ("work (operations)", &totals.work),
        ("movement (bytes)", &totals.movement_bytes),
        ("depth (operations)", &totals.depth),
        ("average parallelism", &totals.parallelism),
        ("intensity (operations/byte)", &totals.intensity),
    ] {
        writeln!(out, "{name:<28} {}", value.shown())?;
    }
    let unset = cost.symbols.iter().filter(|(_, value)| value.is_none());
    let unset: Vec<&str> = unset.map(|(name, _)| *name).collect();
    if !unset.is_empty() {
        writeln!(out, "not set: {}", unset.join(", "))?;
    }
    cost.edges.retain(|edge| edge.outermost);
    cost.edges.sort_by(|a, b| b.bytes.order().total_cmp(&a.bytes.order()));
    writeln!(out, "\noutermost edges, bytes each time that their state runs")?;
    for edge in cost.edges.iter().take(limit) {
        let excess = at_most(edge.at_most);
        writeln!(out, "  {:<14} {:<20} {}{excess}", edge.id, edge.data, edge.bytes.shown())?;
    }
    tell_rest(out, cost.edges.len(), limit)?;
    cost.nodes.retain(|node| node.work.order() > 0.0);
    cost.nodes.sort_by(|a, b| b.work.order().total_cmp(&a.work.order()));
    writeln!(out, "\nnodes, operations each time that their state reaches them")?;
    for node in cost.nodes.iter().take(limit) {
        let excess = at_most(node.at_most);
        writeln!(out, "  {:<14} {:<20} {}{excess}", node.id, node.label, node.work.shown())?;
    }
    tell_rest(out, cost.nodes.len(), limit)?;
    for (name, UnknownJson { why, least, most }) in &cost.unknowns {
        write!(out, "unknown {name}: {why}")?;
        for (bound, value) in [("at least", least), ("at most", most)] {
            if let Some(value) = value {
                write!(out, "; {bound} {}", value.shown())?;
            }
        }
        writeln!(out)?;
    }
    for warning in &cost.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}

fn tell_rest(out: &mut impl Write, all: usize, limit: usize) -> Result<()> {
    if all > limit {
        writeln!(out, "  ... {} more (--limit 0 prints all)", all - limit)?;
    }
    Ok(())
}
