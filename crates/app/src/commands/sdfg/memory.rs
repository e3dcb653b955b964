//! `hotframe sdfg memory`.

use anyhow::Result;
use sdfg::cost::{Certainty, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::memory::{Allocation, Memory, Residence};
use sdfg::model::{GraphIndex, Program, StateIndex};
use serde::Serialize;

use super::cost::check_symbols;
use super::value::{CostValue, add_cost, named};
use crate::arguments::{ReportFormat, SdfgSizes};
use crate::commands::sdfg::files::{limit, open, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Section, Sections};

/// Memory while a state runs.
struct StateRow<'a> {
    id: String,
    label: &'a str,
    alive: CostValue,
    certainty: Certainty,
    iteration: CostValue,
    may_run: bool,
    is_peak: bool,
}

/// The memory of a container.
struct ContainerRow<'a> {
    graph: &'a str,
    name: &'a str,
    bytes: CostValue,
    when: String,
}

/// Where most memory is alive.
#[derive(Serialize)]
struct Peak {
    state: String,
    bytes: CostValue,
    certainty: &'static str,
}

/// Tells how much memory a graph has alive, and when.
pub(super) fn memory(arguments: &SdfgSizes) -> Result<()> {
    let output = &arguments.graph.output;
    let program = open(&arguments.graph.file, output.max_size)?;
    let costs = Costs::new(&program, Rules::Exact);
    let at: Bindings = arguments.set.iter().cloned().collect();
    check_symbols(&program, &costs, &at)?;
    let memory = Memory::new(&program, &costs, &at);
    let states: Vec<StateRow<'_>> = (0..program.states.len() as u32)
        .map(|place| state_row(&program, &memory, StateIndex(place), &at))
        .collect();
    let peak = states.iter().find(|state| state.is_peak).map(|state| Peak {
        state: state.id.clone(),
        bytes: state.alive.clone(),
        certainty: memory.peak_certainty.name(),
    });
    let notes = match &peak {
        Some(_) => vec![],
        None => vec!["the peak is not known at these sizes".to_owned()],
    };
    let most = limit(output.format, arguments.limit);
    let states =
        table("bytes alive, by state", state_fields(output.format), states, (most, "states"));
    let containers = container_rows(&program, &memory, &at);
    let title = "containers, with the states that their memory is alive in";
    let containers =
        table(title, container_fields(output.format), containers, (most, "containers"));
    let tables = vec![Section::new("states", states), Section::new("containers", containers)];
    let members = Members::default().with("peak", &peak)?;
    write(Sections { members, tables, notes, more: Members::default() }, output)
}

fn state_row<'a>(
    program: &'a Program,
    memory: &Memory,
    state: StateIndex,
    at: &Bindings,
) -> StateRow<'a> {
    let alive = &memory.alive[state.place()];
    StateRow {
        id: program.id_of_state(state).to_string(),
        label: &program.state(state).label,
        alive: CostValue::new(Some(&alive.bytes), at),
        certainty: alive.certainty,
        iteration: CostValue::new(Some(&alive.iteration), at),
        may_run: alive.may_run,
        is_peak: memory.peak == Some(state),
    }
}

fn container_rows<'a>(
    program: &'a Program,
    memory: &'a Memory,
    at: &Bindings,
) -> Vec<ContainerRow<'a>> {
    let mut rows = vec![];
    for (place, containers) in memory.containers.iter().enumerate() {
        let graph: &str = &program.graph(GraphIndex(place as u32)).name;
        for Allocation { name, bytes, residence } in containers {
            rows.push(ContainerRow {
                graph,
                name,
                bytes: CostValue::new(bytes.as_ref(), at),
                when: when(program, residence),
            });
        }
    }
    rows
}

fn when(program: &Program, residence: &Residence) -> String {
    let label = |state: &StateIndex| program.state(*state).label.to_string();
    match residence {
        Residence::Given => "given from outside".to_owned(),
        Residence::Shared => "another one's memory".to_owned(),
        Residence::Uncounted => "not counted".to_owned(),
        Residence::Program => "whole run".to_owned(),
        Residence::Graph => "while its graph runs".to_owned(),
        Residence::Iteration => "each iteration has its own".to_owned(),
        Residence::States(states) => match &states[..] {
            [] => "unused".to_owned(),
            [state] => label(state),
            [first, last] => format!("{}, {}", label(first), label(last)),
            [first, .., last] => {
                format!("{} to {} ({} states)", label(first), label(last), states.len())
            }
        },
    }
}

fn state_fields<'a>(format: ReportFormat) -> Fields<'a, StateRow<'a>> {
    let mut fields = Fields::<StateRow<'_>>::new(format);
    fields.add(Column::exact("id", Kind::Text), |state, _| Cell::text(&state.id));
    fields.add(Column::exact("label", Kind::Text), |state, _| Cell::text(state.label));
    let alive = ["alive_bytes", "alive bytes", "alive bytes expression"];
    add_cost(&mut fields, alive, |state| &state.alive);
    fields
        .add(Column::exact("certainty", Kind::Text), |state, _| Cell::text(state.certainty.name()));
    let own = [
        "most_bytes_of_an_iteration",
        "most bytes of an iteration",
        "most bytes of an iteration expression",
    ];
    add_cost(&mut fields, own, |state| &state.iteration);
    fields.add(Column::exact("may_run", Kind::Flag), |state, _| Cell::Is(state.may_run));
    fields.add(Column::exact("peak", Kind::Flag), |state, _| Cell::Is(state.is_peak));
    fields.add(Column::shown("bytes", Kind::Value).wide(18), |state, _| state.alive.cell());
    fields.add(Column::shown("state", Kind::Name), |state, _| {
        let certainty = match state.certainty {
            Certainty::Exact => None,
            Certainty::AtMost(excess) => Some(format!("at most: {excess}")),
            Certainty::Unknown => Some("unknown".to_owned()),
        };
        let peak = state.is_peak.then(|| "peak".to_owned());
        let own = match state.iteration.expression.as_deref() {
            Some("0") | None => None,
            Some(own) => Some(format!("and at most {own} for each iteration")),
        };
        let idle = (!state.may_run).then(|| "does not run at these sizes".to_owned());
        let said: Vec<String> = [peak, idle, certainty, own].into_iter().flatten().collect();
        let said = (!said.is_empty()).then(|| said.join("; "));
        named(state.label, &state.id, &state.alive, said.as_deref())
    });
    fields
}

fn container_fields<'a>(format: ReportFormat) -> Fields<'a, ContainerRow<'a>> {
    let mut fields = Fields::<ContainerRow<'_>>::new(format);
    fields.add(Column::exact("graph", Kind::Text), |one, _| Cell::text(one.graph));
    fields.add(Column::exact("name", Kind::Text), |one, _| Cell::text(one.name));
    add_cost(&mut fields, ["bytes", "bytes", "bytes expression"], |one| &one.bytes);
    fields.add(Column::exact("alive", Kind::Text), |one, _| Cell::text(&one.when));
    fields.add(Column::shown("bytes", Kind::Value).wide(18), |one, _| one.bytes.cell());
    fields.add(Column::shown("container", Kind::Name), |one, _| {
        named(one.name, one.graph, &one.bytes, Some(&one.when))
    });
    fields
}
