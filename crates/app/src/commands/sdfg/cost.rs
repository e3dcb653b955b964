//! `hotframe sdfg cost`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::{Result, bail};
use sdfg::cost::{Costs, Unknown};
use sdfg::expr::{Bindings, Expr};
use sdfg::model::{EdgeIndex, NodeIndex, Program, StateIndex};
use serde::Serialize;

use super::measured::{Measured, read_reports};
use super::totals::{self, Totals};
use super::value::{CostValue, add_cost, free_symbols, named};
use super::verdict;
use crate::arguments::{ReportFormat, SdfgCost};
use crate::commands::notes::counted;
use crate::commands::sdfg::files::{limit, open, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Section, Sections};

/// What moves over an edge.
struct EdgeRow<'a> {
    id: String,
    data: &'a str,
    elements: CostValue,
    bytes: CostValue,
    /// Counts for the movement of the whole.
    is_outermost: bool,
    at_most: Option<String>,
}

/// What a node computes.
struct NodeRow<'a> {
    id: String,
    label: &'a str,
    kind: &'a str,
    work: CostValue,
    depth: CostValue,
    intensity: CostValue,
    at_most: Option<String>,
}

/// A bound is none where there is none.
#[derive(Serialize)]
struct UnknownJson<'a> {
    why: &'a str,
    least: Option<CostValue>,
    most: Option<CostValue>,
}

/// Tells what a graph moves and computes.
pub(super) fn cost(arguments: &SdfgCost) -> Result<ExitCode> {
    let output = &arguments.graph.output;
    let program = open(&arguments.graph.file, output.max_size)?;
    let costs = Costs::new(&program, arguments.operations.rules());
    let at: Bindings = arguments.set.iter().cloned().collect();
    check_symbols(&program, &costs, &at)?;
    let measured = match &arguments.measured[..] {
        [] => None,
        reports => Some(Measured::new(&program, &costs, &at, &read_reports(reports, output)?)),
    };
    let totals = Totals::new(&costs, &at, measured.as_ref());
    let symbols: BTreeMap<&str, Option<i128>> =
        free_symbols(&costs).into_iter().map(|name| (name, at.get(name).copied())).collect();
    let unknowns: BTreeMap<&str, UnknownJson<'_>> =
        costs.unknowns.iter().map(|(name, unknown)| (&**name, bounds(unknown, &at))).collect();
    let warnings = program.warnings.iter().chain(&costs.notes);
    let of_reports = measured.iter().flat_map(|measured| &measured.warnings).cloned();
    let warnings: Vec<String> =
        warnings.map(|(text, &count)| counted(text.clone(), count)).chain(of_reports).collect();

    let (format, most) = (output.format, limit(output.format, arguments.limit));
    let mut tables = vec![];
    if format != ReportFormat::Json {
        let report = table("totals", totals::fields(format), totals.rows(), (usize::MAX, ""));
        tables.push(Section::new("totals", report));
    }
    if let Some(measured) = measured {
        measured.tables(format, most, &mut tables);
    }
    let title = "outermost edges, bytes each time that their state runs";
    let edges = edge_rows(&program, &costs, &at, format.is_for_people());
    let edges = table(title, edge_fields(format), edges, (most, "edges"));
    tables.push(Section::new("edges", edges));
    let title = "nodes, operations each time that their state reaches them";
    let nodes = node_rows(&program, &costs, &at, format.is_for_people());
    let nodes = table(title, node_fields(format), nodes, (most, "nodes"));
    tables.push(Section::new("nodes", nodes));
    let sections = Sections {
        members: Members::default().with("symbols", &symbols)?.with("totals", &totals)?,
        tables,
        notes: notes(&symbols, &unknowns, &warnings),
        more: Members::default().with("unknowns", &unknowns)?.with("warnings", &warnings)?,
    };
    write(sections, output)?;
    verdict::tell(&arguments.fail_if, format, |threshold| totals.judged(threshold))
}

/// Values are for symbols that there are, and sizes are not below 0.
pub(super) fn check_symbols(program: &Program, costs: &Costs, at: &Bindings) -> Result<()> {
    let root = program.root().map(|root| root.symbols.keys().map(|name| &**name));
    let mut known: BTreeSet<&str> = root.into_iter().flatten().collect();
    known.extend(free_symbols(costs));
    for (name, value) in at {
        if !known.contains(&**name) {
            let known: Vec<&str> = known.into_iter().collect();
            bail!("the graph has no symbol {name}; it has {}", known.join(", "));
        }
        if *value < 0 {
            bail!("{name} cannot be {value}: sizes are at least 0");
        }
    }
    Ok(())
}

/// The edges that move something; for people the outermost, those that move most first.
fn edge_rows<'a>(
    program: &'a Program,
    costs: &Costs,
    at: &Bindings,
    for_people: bool,
) -> Vec<EdgeRow<'a>> {
    let mut rows = vec![];
    for (place, state) in program.states.iter().enumerate() {
        let id = program.id_of_state(StateIndex(place as u32));
        for (index, (edge, movement)) in state.edges.iter().zip(&costs.edges[place]).enumerate() {
            let (Some(memlet), Some(movement)) = (&edge.memlet, movement) else { continue };
            rows.push(EdgeRow {
                id: id.with_edge(EdgeIndex(index as u32)).to_string(),
                data: &memlet.data,
                elements: CostValue::new(Some(&movement.elements), at),
                bytes: CostValue::new(Some(&movement.bytes), at),
                is_outermost: movement.is_outermost,
                at_most: movement.excess.map(|excess| excess.to_string()),
            });
        }
    }
    if for_people {
        rows.retain(|edge| edge.is_outermost);
        rows.sort_by(|a, b| b.bytes.order().total_cmp(&a.bytes.order()));
    }
    rows
}

fn edge_fields<'a>(format: ReportFormat) -> Fields<'a, EdgeRow<'a>> {
    let mut fields = Fields::<EdgeRow<'_>>::new(format);
    fields.add(Column::exact("id", Kind::Text), |edge, _| Cell::text(&edge.id));
    fields.add(Column::exact("data", Kind::Text), |edge, _| Cell::text(edge.data));
    add_cost(&mut fields, ["elements", "elements", "elements expression"], |edge| &edge.elements);
    add_cost(&mut fields, ["bytes", "bytes", "bytes expression"], |edge| &edge.bytes);
    fields.add(Column::exact("outermost", Kind::Flag), |edge, _| Cell::Is(edge.is_outermost));
    fields.add(Column::exact("at_most", Kind::Text).left_out(), |edge, _| {
        Cell::maybe(edge.at_most.as_deref(), Cell::text)
    });
    fields.add(Column::shown("bytes", Kind::Value).wide(18), |edge, _| edge.bytes.cell());
    fields.add(Column::shown("data", Kind::Name), |edge, _| {
        named(edge.data, &edge.id, &edge.bytes, at_most(&edge.at_most).as_deref())
    });
    fields
}

/// The nodes; for people those that compute, the one that computes most first.
fn node_rows<'a>(
    program: &'a Program,
    costs: &Costs,
    at: &Bindings,
    for_people: bool,
) -> Vec<NodeRow<'a>> {
    let mut rows = vec![];
    for (place, state) in program.states.iter().enumerate() {
        let id = program.id_of_state(StateIndex(place as u32));
        for (index, (node, cost)) in state.nodes.iter().zip(&costs.nodes[place]).enumerate() {
            rows.push(NodeRow {
                id: id.with_node(NodeIndex(index as u32)).to_string(),
                label: &node.label,
                kind: node.kind.name(),
                work: CostValue::new(Some(&cost.work), at),
                depth: CostValue::new(Some(&cost.depth), at),
                intensity: CostValue::new(cost.intensity().as_ref(), at),
                at_most: cost.at_most.work.map(|excess| excess.to_string()),
            });
        }
    }
    if for_people {
        rows.retain(|node| node.work.order() > 0.0);
        rows.sort_by(|a, b| b.work.order().total_cmp(&a.work.order()));
    }
    rows
}

fn node_fields<'a>(format: ReportFormat) -> Fields<'a, NodeRow<'a>> {
    let mut fields = Fields::<NodeRow<'_>>::new(format);
    fields.add(Column::exact("id", Kind::Text), |node, _| Cell::text(&node.id));
    fields.add(Column::exact("label", Kind::Text), |node, _| Cell::text(node.label));
    fields.add(Column::exact("kind", Kind::Text), |node, _| Cell::text(node.kind));
    add_cost(&mut fields, ["work", "work", "work expression"], |node| &node.work);
    add_cost(&mut fields, ["depth", "depth", "depth expression"], |node| &node.depth);
    let intensity = ["intensity", "intensity", "intensity expression"];
    add_cost(&mut fields, intensity, |node| &node.intensity);
    fields.add(Column::exact("at_most", Kind::Text).left_out(), |node, _| {
        Cell::maybe(node.at_most.as_deref(), Cell::text)
    });
    fields.add(Column::shown("operations", Kind::Value).wide(18), |node, _| node.work.cell());
    fields.add(Column::shown("node", Kind::Name), |node, _| {
        named(node.label, &node.id, &node.work, at_most(&node.at_most).as_deref())
    });
    fields
}

fn at_most(why: &Option<String>) -> Option<String> {
    why.as_ref().map(|why| format!("at most: {why}"))
}

fn bounds<'a>(unknown: &'a Unknown, at: &Bindings) -> UnknownJson<'a> {
    let bound = |bound: &Option<Expr>| bound.as_ref().map(|bound| CostValue::new(Some(bound), at));
    UnknownJson { why: &unknown.why, least: bound(&unknown.least), most: bound(&unknown.most) }
}

/// What is told to people beside the tables.
fn notes(
    symbols: &BTreeMap<&str, Option<i128>>,
    unknowns: &BTreeMap<&str, UnknownJson<'_>>,
    warnings: &[String],
) -> Vec<String> {
    let unset = symbols.iter().filter(|(_, value)| value.is_none());
    let unset: Vec<&str> = unset.map(|(name, _)| *name).collect();
    let mut notes = vec![];
    if !unset.is_empty() {
        notes.push(format!("not set: {}", unset.join(", ")));
    }
    for (name, UnknownJson { why, least, most }) in unknowns {
        let mut text = format!("unknown {name}: {why}");
        for (bound, value) in [("at least", least), ("at most", most)] {
            if let Some(value) = value {
                text.push_str(&format!("; {bound} {}", value.shown()));
            }
        }
        notes.push(text);
    }
    notes.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
    notes
}
