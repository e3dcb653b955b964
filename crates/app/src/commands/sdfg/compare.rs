//! `hotframe sdfg compare`.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::slice;

use anyhow::{Result, bail};
use sdfg::compare::{Comparison, Matches, Sides};
use sdfg::cost::Costs;
use sdfg::expr::{Bindings, Expr};
use sdfg::model::{
    BlockIndex, BlockKind, EdgeIndex, ElementId, NodeIndex, Program, RegionIndex, StateIndex,
};
use serde::Serialize;

use super::measured::{MeasuredSides, read_reports};
use super::total_sides::TotalSides;
use super::value::{CostValue, add_cost, free_symbols};
use super::verdict;
use crate::arguments::{ReportFormat, SdfgCompare};
use crate::commands::notes::counted;
use crate::commands::sdfg::files::{limit, open, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Name, Report, Section, Sections};

pub(super) struct Graph {
    program: Program,
    pub(super) costs: Costs,
}

impl Graph {
    fn open(arguments: &SdfgCompare, path: &std::path::Path) -> Result<Graph> {
        let program = open(path, arguments.output.max_size)?;
        let costs = Costs::new(&program, arguments.operations.rules());
        Ok(Graph { program, costs })
    }
}

#[derive(Clone, Serialize)]
pub(super) struct SidesJson {
    pub(super) base: CostValue,
    pub(super) new: CostValue,
}

/// A cost of either side, and what it is of.
pub(super) struct Compared<'a> {
    pub(super) name: &'a str,
    pub(super) sides: SidesJson,
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

#[derive(Clone, Serialize)]
struct ElementJson<'a> {
    id: String,
    label: &'a str,
    kind: &'a str,
}

impl SidesJson {
    fn new(sides: Sides<Option<&Expr>>, at: &Bindings) -> SidesJson {
        SidesJson { base: CostValue::new(sides.base, at), new: CostValue::new(sides.new, at) }
    }
}

/// Tells what a transformation changed.
pub(super) fn compare(arguments: &SdfgCompare) -> Result<ExitCode> {
    let base_graph = Graph::open(arguments, &arguments.base)?;
    let new_graph = Graph::open(arguments, &arguments.new)?;
    let told = Comparison::new(
        (&base_graph.program, &base_graph.costs),
        (&new_graph.program, &new_graph.costs),
    );
    let at: Bindings = arguments.set.iter().cloned().collect();
    let graphs = Sides { base: &base_graph, new: &new_graph };
    let sides = [graphs.base, graphs.new];
    let names = sides.iter().flat_map(|side| free_symbols(&side.costs));
    let symbols: BTreeMap<&str, Option<i128>> =
        names.map(|name| (name, at.get(name).copied())).collect();
    let measured = match &arguments.measured[..] {
        [] => None,
        [_, _] => {
            let reports = read_reports(&arguments.measured, &arguments.output)?;
            let [base, new] = &reports[..] else { bail!("two reports are needed") };
            let reports = Sides { base: slice::from_ref(base), new: slice::from_ref(new) };
            let programs = Sides { base: &base_graph.program, new: &new_graph.program };
            Some(MeasuredSides::new(programs, reports, &told))
        }
        paths => bail!(
            "--measured takes two reports, that of the base and that of the new graph, and got {}",
            paths.len()
        ),
    };
    let whole = measured.as_ref().map(|measured| &measured.whole);
    let totals = TotalSides::new(graphs, &at, whole);
    let blocks = matches_json(graphs, &told.blocks, block_json);
    let nodes = matches_json(graphs, &told.nodes, node_json);
    let edges = matches_json(graphs, &told.edges, edge_json);
    let mut warnings = warnings(sides);
    warnings.extend(measured.iter().flat_map(|measured| &measured.warnings).cloned());

    let format = arguments.output.format;
    let most = limit(format, arguments.limit);
    let mut tables = vec![];
    if format != ReportFormat::Json {
        let report = table("totals", side_fields(format), totals.rows(), (usize::MAX, ""));
        tables.push(Section::new("totals", report));
    }
    tables.extend(measured.map(|measured| measured.section(format, most)));
    let containers = container_rows(&told, &at, format.is_for_people());
    let title = "containers with other movement, bytes of all accesses";
    let containers = table(title, side_fields(format), containers, (most, "containers"));
    tables.push(Section::new("containers", containers));
    if format != ReportFormat::Json {
        tables
            .push(Section::new("blocks", match_table("states and regions", &blocks, format, most)));
        tables.push(Section::new("nodes", match_table("nodes", &nodes, format, most)));
        tables.push(Section::new("edges", match_table("edges", &edges, format, most)));
    }
    let unset: Vec<&str> =
        symbols.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
    let unset = (!unset.is_empty()).then(|| format!("not set: {}", unset.join(", ")));
    let warned = warnings.iter().map(|warning| format!("warning: {warning}"));
    let sections = Sections {
        members: Members::default().with("symbols", &symbols)?.with("totals", &totals.json())?,
        tables,
        notes: unset.into_iter().chain(warned).collect(),
        more: Members::default()
            .with("blocks", &blocks)?
            .with("nodes", &nodes)?
            .with("edges", &edges)?
            .with("warnings", &warnings)?,
    };
    write(sections, &arguments.output)?;
    verdict::tell(&arguments.fail_if, format, |threshold| totals.judged(threshold))
}

/// Bytes by container; for people of those that differ, the largest difference first.
fn container_rows<'a>(told: &'a Comparison, at: &Bindings, for_people: bool) -> Vec<Compared<'a>> {
    let rows = told.containers.iter().map(|(name, moved)| {
        let moved = Sides { base: moved.base.as_ref(), new: moved.new.as_ref() };
        Compared { name, sides: SidesJson::new(moved, at) }
    });
    let mut rows: Vec<Compared<'a>> = rows.collect();
    if for_people {
        rows.retain(|one| one.sides.base.expression != one.sides.new.expression);
        rows.sort_by(|a, b| difference(&b.sides).total_cmp(&difference(&a.sides)));
    }
    rows
}

fn side_fields<'a>(format: ReportFormat) -> Fields<'a, Compared<'a>> {
    let mut fields = Fields::<Compared<'_>>::new(format);
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(row.name));
    add_cost(&mut fields, ["base", "base", "base expression"], |row| &row.sides.base);
    add_cost(&mut fields, ["new", "new", "new expression"], |row| &row.sides.new);
    fields.add(Column::shown("base", Kind::Value).wide(18), |row, _| row.sides.base.cell());
    fields.add(Column::shown("new", Kind::Value).wide(18), |row, _| row.sides.new.cell());
    fields.add(Column::shown("change", Kind::Change), |row, _| {
        Cell::maybe(growth(&row.sides), Cell::Growth)
    });
    fields.add(Column::shown("of", Kind::Name), |row, _| {
        let remark = expressions(&row.sides).into();
        Name { text: row.name.into(), remark, ..Name::default() }.into()
    });
    fields
}

/// New to base, where that is not the same.
fn growth(sides: &SidesJson) -> Option<f64> {
    let (base, new) = (sides.base.number()?, sides.new.number()?);
    (base != 0.0 && base != new).then(|| new / base)
}

/// The expressions, where the numbers do not say them.
fn expressions(sides: &SidesJson) -> String {
    let (base, new) = (sides.base.formula(), sides.new.formula());
    match (base.is_empty(), new.is_empty()) {
        (true, true) => String::new(),
        _ if base == new => base,
        _ => {
            let plain = |side: &CostValue| side.expression.clone().unwrap_or("-".to_owned());
            format!("{} -> {}", plain(&sides.base), plain(&sides.new))
        }
    }
}

/// Without a sign; what has no value comes first.
fn difference(sides: &SidesJson) -> f64 {
    let number = |one: &CostValue| match &one.expression {
        Some(_) => one.order(),
        None => 0.0,
    };
    let difference = (number(&sides.new) - number(&sides.base)).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// The elements that one side has.
fn match_table<'a>(
    what: &'static str,
    matches: &MatchesJson<'a>,
    format: ReportFormat,
    most: usize,
) -> Report<'a> {
    let differ = matches.both.iter().filter(|one| one.differs).count();
    let (base, new) = (matches.only_base.len(), matches.only_new.len());
    let both = matches.both.len();
    let title = format!(
        "{what}: {both} on both sides, {differ} of them with other costs; {base} only in the base, {new} only in the new"
    );
    let gone = matches.only_base.iter().map(|one| ("-", one.clone()));
    let rows = gone.chain(matches.only_new.iter().map(|one| ("+", one.clone()))).collect();
    let mut fields = Fields::<(&'static str, ElementJson<'a>)>::new(format);
    fields.add(Column::exact("side", Kind::Text), |row, _| {
        Cell::text(if row.0 == "-" { "base" } else { "new" })
    });
    fields.add(Column::exact("id", Kind::Text), |row, _| Cell::text(&row.1.id));
    fields.add(Column::exact("kind", Kind::Text), |row, _| Cell::text(row.1.kind));
    fields.add(Column::exact("label", Kind::Text), |row, _| Cell::text(row.1.label));
    fields.add(Column::shown("", Kind::Mark).wide(1), |row, _| Cell::text(row.0));
    fields.add(Column::shown("element", Kind::Name), |row, _| {
        let (text, at) = (row.1.label.into(), row.1.id.as_str().into());
        Name { text, at, remark: row.1.kind.into(), ..Name::default() }.into()
    });
    table(title, fields, rows, (most, what))
}

fn warnings(sides: [&Graph; 2]) -> Vec<String> {
    let all = sides.iter().flat_map(|side| side.program.warnings.iter().chain(&side.costs.notes));
    let mut counts = BTreeMap::<&String, u64>::new();
    for (text, count) in all {
        *counts.entry(text).or_default() += count;
    }
    counts.into_iter().map(|(text, count)| counted(text.clone(), count)).collect()
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
