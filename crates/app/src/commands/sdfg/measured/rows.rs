//! Elements with what runs took in them and what they cost.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sdfg::cost::{AtMost, Cost, Costs, Excess};
use sdfg::expr::{Bindings, Expr};
use sdfg::model::Program;
use sdfg::outline::Element;
use sdfg::report::{Durations, Place, Report};
use serde_json::Number;

use super::columns::{Counted, counter_fields, fields};
use super::runs::{MeasuredElement, Runs};
use crate::arguments::ReportFormat;
use crate::commands::sdfg::files::table;
use crate::commands::sdfg::totals::TotalValue;
use crate::commands::sdfg::value::CostValue;
use crate::report::Section;

/// What runs took, by element.
pub(in crate::commands::sdfg) struct Measured<'a> {
    rows: Vec<Row<'a>>,
    pub(in crate::commands::sdfg) warnings: Vec<String>,
    /// The sizes that costs beside the times are for.
    at: String,
    runs: u64,
    /// Nanoseconds that a run of the whole graph took.
    pub(in crate::commands::sdfg) whole: Option<Number>,
    /// Something ran another number of times than costs are for.
    pub(in crate::commands::sdfg) is_doubtful: bool,
}

/// What runs took in one element.
pub(super) struct Row<'a> {
    pub(super) of: MeasuredElement<'a>,
    pub(super) durations: Option<Durations>,
    /// Nanoseconds of a run.
    pub(super) time: Option<Number>,
    pub(super) counters: Vec<(Arc<str>, Number)>,
    pub(super) work: TotalValue,
    pub(super) bytes: TotalValue,
    pub(super) bandwidth: Option<Number>,
    pub(super) rate: Option<Number>,
}

impl<'a> Measured<'a> {
    /// Lays reports over a graph whose symbols are as told.
    pub(in crate::commands::sdfg) fn new(
        program: &'a Program,
        costs: &Costs,
        at: &Bindings,
        reports: &[Report],
    ) -> Measured<'a> {
        let runs = Runs::new(program, reports);
        let (mut rows, mut unlike) = (vec![], vec![]);
        let mut doubtful = BTreeSet::new();
        for (&place, one) in &runs.measured.elements {
            let told = MeasuredElement::new(program, place);
            let (mut cost, times) = in_all(program, costs, place);
            let is_certain = match place {
                Place::Region(region) => costs.times.regions_are_certain[region.place()],
                Place::State(state) | Place::Node(state, _) => {
                    costs.times.are_certain[state.place()]
                }
            };
            if let (Some(cost), false) = (&mut cost, is_certain) {
                let AtMost { work, depth, moved } = &mut cost.at_most;
                for part in [work, depth, moved] {
                    part.get_or_insert(Excess::DataDecides);
                }
            }
            let times = times.and_then(|times| times.evaluate(at).ok()?.to_integer());
            let work = TotalValue::of_part(costs, cost.as_ref(), at, |cost| {
                (&cost.work, cost.at_most.work)
            });
            let bytes = TotalValue::of_part(costs, cost.as_ref(), at, |cost| {
                (&cost.moved, cost.at_most.moved)
            });
            let row = Row {
                of: told,
                durations: one.durations,
                time: runs.time(place, one),
                counters: runs.counters(place, one),
                work,
                bytes,
                bandwidth: None,
                rate: None,
            };
            let expected = times.and_then(|times| times.checked_mul(runs.by_place[&place].into()));
            match (one.durations, times) {
                (Some(durations), Some(_)) if expected != Some(durations.count.into()) => {
                    unlike.push((row.of.id.clone(), durations.count, expected));
                    let element = element_of(program, place);
                    doubtful.extend(program.containers_of(element));
                    doubtful.insert(element);
                }
                (_, None) => drop(doubtful.insert(element_of(program, place))),
                _ => {}
            }
            rows.push((place, row));
        }
        // What was timed another number of times did not do what was worked out, nor did what it
        // is in.
        let mut is_like = |(place, mut row): (Place, Row<'a>)| {
            let time = row.time.as_ref().and_then(Number::as_f64);
            if let (Some(time), false) = (time, doubtful.contains(&element_of(program, place))) {
                row.bandwidth = per_second(&row.bytes.cost, time);
                row.rate = per_second(&row.work.cost, time);
            }
            row
        };
        let rows = rows.into_iter().map(&mut is_like).collect();
        let mut warnings = runs.warnings();
        warnings.extend(other_counts_message(&unlike, at));
        let whole = runs.whole(program);
        let is_doubtful = !unlike.is_empty();
        Measured { rows, warnings, at: sizes(at), runs: runs.count, whole, is_doubtful }
    }

    /// The tables of elements and of counters.
    pub(in crate::commands::sdfg) fn tables(
        mut self,
        format: ReportFormat,
        most: usize,
        tables: &mut Vec<Section<'a>>,
    ) {
        if format.is_for_people() {
            let time = |row: &Row<'_>| row.time.as_ref().and_then(Number::as_f64).unwrap_or(0.0);
            self.rows.sort_by(|a, b| time(b).total_cmp(&time(a)));
        }
        let runs = match self.runs {
            1 => "measured in one run".to_owned(),
            count => format!("measured, the mean of {count} runs"),
        };
        let counters: Vec<Counted<'a>> = self.rows.iter().flat_map(Counted::all).collect();
        let title = format!(
            "{runs}; what is inside another counts in both; bandwidth of all accesses, and costs \
             of a run, {}",
            self.at
        );
        let report = table(title, fields(format), self.rows, (most, "measured elements"));
        tables.push(Section::new("measured", report));
        if format != ReportFormat::Json && !counters.is_empty() {
            let title = "counters of a run";
            let report = table(title, counter_fields(format), counters, (most, "counters"));
            tables.push(Section::new("counters", report));
        }
    }
}

/// `at N = 1000, T = 2`.
fn sizes(at: &Bindings) -> String {
    if at.is_empty() {
        return "with no size set".to_owned();
    }
    let at: BTreeMap<&String, &i128> = at.iter().collect();
    let all: Vec<String> = at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("at {}", all.join(", "))
}

/// What was timed another number of times than costs are for.
fn other_counts_message(unlike: &[(String, u64, Option<i128>)], at: &Bindings) -> Option<String> {
    let (id, count, expected) = unlike.first()?;
    let expected = expected.map_or("too many".to_owned(), |times| times.to_string());
    let more = match unlike.len() {
        1 => String::new(),
        count => format!(" and {} others likewise", count - 1),
    };
    Some(format!(
        "{id} was timed {count} times and {} is reached {expected} times{more}: no bandwidth and \
         rate of these and of what they are in; are the sizes those of the run?",
        sizes(at)
    ))
}

/// As outlines name elements.
fn element_of(program: &Program, place: Place) -> Element {
    match place {
        Place::Region(region) => program.element_of_region(region),
        Place::State(state) => {
            let state = program.state(state);
            Element::Block(state.region, state.block)
        }
        Place::Node(state, node) => Element::Node(state, node),
    }
}

/// What an element costs in the whole run, and how often it is reached.
fn in_all<'c>(
    program: &Program,
    costs: &'c Costs,
    place: Place,
) -> (Option<Cost>, Option<&'c Expr>) {
    match place {
        Place::Region(region) => {
            (costs.region_in_all(region), costs.times.regions[region.place()].as_ref())
        }
        Place::State(state) => {
            (costs.state_in_all(state), costs.times.states[state.place()].as_ref())
        }
        Place::Node(state, node) => {
            (costs.node_in_all(program, state, node), costs.times.of_node(program, state, node))
        }
    }
}

/// A cost each second, where it took so many nanoseconds.
pub(in crate::commands::sdfg) fn per_second(cost: &CostValue, time: f64) -> Option<Number> {
    (time > 0.0).then(|| Number::from_f64(cost.number()? / time * 1e9)).flatten()
}
