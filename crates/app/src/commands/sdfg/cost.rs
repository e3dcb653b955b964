//! `hotframe sdfg cost`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use sdfg::cost::{AtMost, Certainty, Cost, Costs, Excess, Rules, Unknown};
use sdfg::expr::{Bindings, Expr};
use sdfg::model::{EdgeIndex, NodeIndex, Program, StateIndex};
use serde::Serialize;

use super::value::{CostValue, add_cost, free_symbols, named};
use super::{is_for_people, limit, open, table, write};
use crate::arguments::{ReportFormat, SdfgCost};
use crate::commands::counted;
use crate::report::{Cell, Column, Fields, Kind, Members, Section, Sections};

/// What the whole costs, and what can be said of each number.
#[derive(Serialize)]
struct Totals {
    work: TotalValue,
    movement_bytes: TotalValue,
    distinct_bytes: TotalValue,
    depth: TotalValue,
    parallelism: TotalValue,
    intensity: TotalValue,
    /// Operations for each byte if every element moved once.
    intensity_of_distinct: TotalValue,
}

#[derive(Clone, Serialize)]
struct TotalValue {
    #[serde(flatten)]
    cost: CostValue,
    /// `exact`, `at most`, `unknown`; of a quotient with a bound below the line, `estimated`.
    certainty: &'static str,
    why: Option<String>,
}

impl TotalValue {
    fn of(costs: &Costs, expr: &Expr, excess: Option<Excess>, at: &Bindings) -> TotalValue {
        let certainty = costs.certainty(expr, excess);
        let why = match certainty {
            Certainty::AtMost(excess) => Some(excess.to_string()),
            Certainty::Exact | Certainty::Unknown => None,
        };
        TotalValue { cost: CostValue::of(Some(expr), at), certainty: certainty.name(), why }
    }

    /// `above / below`.
    fn quotient(
        costs: &Costs,
        expr: Option<Expr>,
        [above, below]: [Option<Excess>; 2],
        at: &Bindings,
    ) -> TotalValue {
        let Some(expr) = expr else {
            let cost = CostValue::of(None, at);
            return TotalValue {
                cost,
                certainty: "unknown",
                why: Some("nothing below the line".into()),
            };
        };
        let mut told = TotalValue::of(costs, &expr, above, at);
        if let (Some(below), "exact" | "at most") = (below, told.certainty) {
            (told.certainty, told.why) = ("estimated", Some(below.to_string()));
        }
        told
    }

    /// What is said beside the number where it is not exact.
    fn remark(&self) -> Option<String> {
        match (self.certainty, &self.why) {
            ("exact", _) => None,
            (certainty, Some(why)) => Some(format!("{certainty}: {why}")),
            (certainty, None) => Some(certainty.to_owned()),
        }
    }
}

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
pub(super) fn cost(arguments: &SdfgCost) -> Result<()> {
    let output = &arguments.graph.output;
    let program = open(&arguments.graph.file, output.max_size)?;
    let costs = Costs::of(&program, Rules::Exact);
    let at: Bindings = arguments.set.iter().cloned().collect();
    check_symbols(&program, &costs, &at)?;
    let total = &costs.total;
    let AtMost { work, depth, moved } = total.at_most;
    let distinct = &costs.distinct.total;
    let of = |expr: &Expr, excess| TotalValue::of(&costs, expr, excess, &at);
    let quotient = |expr, parts| TotalValue::quotient(&costs, expr, parts, &at);
    let of_distinct = Cost { moved: distinct.bytes.clone(), ..total.clone() }.intensity();
    let totals = Totals {
        work: of(&total.work, work),
        movement_bytes: of(&total.moved, moved),
        distinct_bytes: of(&distinct.bytes, distinct.excess),
        depth: of(&total.depth, depth),
        parallelism: quotient(total.parallelism(), [work, depth]),
        intensity: quotient(total.intensity(), [work, moved]),
        intensity_of_distinct: quotient(of_distinct, [work, distinct.excess]),
    };
    let symbols: BTreeMap<&str, Option<i128>> =
        free_symbols(&costs).into_iter().map(|name| (name, at.get(name).copied())).collect();
    let unknowns: BTreeMap<&str, UnknownJson<'_>> =
        costs.unknowns.iter().map(|(name, unknown)| (&**name, bounds(unknown, &at))).collect();
    let warnings = program.warnings.iter().chain(&costs.notes);
    let warnings: Vec<String> =
        warnings.map(|(text, &count)| counted(text.clone(), count)).collect();

    let (format, most) = (output.format, limit(output.format, arguments.limit));
    let mut tables = vec![];
    if format != ReportFormat::Json {
        let rows = totals.rows();
        tables.push(Section::new("totals", table("totals", total_fields(format), rows, (9, ""))));
    }
    let title = "outermost edges, bytes each time that their state runs";
    let edges = edge_rows(&program, &costs, &at, is_for_people(format));
    let edges = table(title, edge_fields(format), edges, (most, "edges"));
    tables.push(Section::new("edges", edges));
    let title = "nodes, operations each time that their state reaches them";
    let nodes = node_rows(&program, &costs, &at, is_for_people(format));
    let nodes = table(title, node_fields(format), nodes, (most, "nodes"));
    tables.push(Section::new("nodes", nodes));
    let sections = Sections {
        members: Members::default().with("symbols", &symbols)?.with("totals", &totals)?,
        tables,
        notes: notes(&symbols, &unknowns, &warnings),
        more: Members::default().with("unknowns", &unknowns)?.with("warnings", &warnings)?,
    };
    write(sections, output)
}

impl Totals {
    fn rows(&self) -> Vec<(&'static str, TotalValue)> {
        vec![
            ("work (operations)", self.work.clone()),
            ("movement (bytes of all accesses)", self.movement_bytes.clone()),
            ("distinct (bytes, each once)", self.distinct_bytes.clone()),
            ("depth (operations)", self.depth.clone()),
            ("average parallelism", self.parallelism.clone()),
            ("intensity (operations/byte)", self.intensity.clone()),
            ("intensity of distinct bytes", self.intensity_of_distinct.clone()),
        ]
    }
}

fn total_fields<'a>(format: ReportFormat) -> Fields<'a, (&'static str, TotalValue)> {
    let mut fields = Fields::<(&'static str, TotalValue)>::new(format);
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(row.0));
    add_cost(&mut fields, ["total", "value", "expression"], |row| &row.1.cost);
    fields.add(Column::exact("certainty", Kind::Text), |row, _| Cell::text(row.1.certainty));
    fields.add(Column::shown("value", Kind::Value).wide(18), |row, _| row.1.cost.cell());
    fields.add(Column::shown("of the whole", Kind::Name), |row, _| {
        named(row.0, "", &row.1.cost, row.1.remark().as_deref())
    });
    fields
}

/// Values are for symbols that there are, and sizes are not below 0.
fn check_symbols(program: &Program, costs: &Costs, at: &Bindings) -> Result<()> {
    let root = program.root().map(|root| root.symbols.keys().map(|name| &**name));
    let mut known: BTreeSet<&str> = root.into_iter().flatten().collect();
    known.extend(free_symbols(costs));
    for (name, value) in at {
        if !known.contains(&**name) {
            let known: Vec<&str> = known.into_iter().collect();
            bail!("the graph has no symbol {name}; it has {}", known.join(", "));
        }
        if *value < 0 {
            bail!("{name} cannot be {value}: costs are told for sizes of at least 0");
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
                elements: CostValue::of(Some(&movement.elements), at),
                bytes: CostValue::of(Some(&movement.bytes), at),
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
    fields.add(Column::exact("outermost", Kind::Text), |edge, _| Cell::Is(edge.is_outermost));
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
                work: CostValue::of(Some(&cost.work), at),
                depth: CostValue::of(Some(&cost.depth), at),
                intensity: CostValue::of(cost.intensity().as_ref(), at),
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
    let bound = |bound: &Option<Expr>| bound.as_ref().map(|bound| CostValue::of(Some(bound), at));
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
