//! Reports of DaCe, and what runs of a graph took.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use sdfg::model::{ElementId, Program};
use sdfg::report::{Measurement, Place, Report};
use serde_json::Number;

use crate::arguments::SdfgOutput;
use crate::commands::notes::counted;
use crate::commands::sdfg::files::read_as;
use crate::report::{Cell, Name};

/// An element of a graph.
#[derive(Clone)]
pub(in crate::commands::sdfg) struct MeasuredElement<'a> {
    pub(in crate::commands::sdfg) id: String,
    pub(in crate::commands::sdfg) label: &'a str,
    pub(in crate::commands::sdfg) kind: &'a str,
}

impl<'a> MeasuredElement<'a> {
    pub(in crate::commands::sdfg) fn new(
        program: &'a Program,
        place: Place,
    ) -> MeasuredElement<'a> {
        let (id, label, kind): (ElementId, &str, &str) = match place {
            Place::Region(region) => {
                let is_graph = program.graphs.iter().any(|graph| graph.region == region);
                let (kind, region) =
                    (if is_graph { "graph" } else { "region" }, program.region(region));
                (ElementId::region(region.list_id), &region.label, kind)
            }
            Place::State(state) => {
                (program.id_of_state(state), &program.state(state).label, "state")
            }
            Place::Node(state, node) => {
                let id = program.id_of_state(state).with_node(node);
                let node = &program.state(state).nodes[node.place()];
                (id, &node.label, node.kind.name())
            }
        };
        MeasuredElement { id: id.to_string(), label, kind }
    }

    pub(in crate::commands::sdfg) fn name(&self, remark: String) -> Cell<'_> {
        let at = Cow::from(&*self.id);
        Name { text: self.label.into(), at, remark: remark.into(), ..Name::default() }.into()
    }
}

/// Reads reports of DaCe.
pub(in crate::commands::sdfg) fn read_reports(
    paths: &[PathBuf],
    output: &SdfgOutput,
) -> Result<Vec<Report>> {
    let mut known = BTreeSet::new();
    let mut reports = vec![];
    for path in paths {
        if !known.insert(path) {
            bail!("{} is given twice: a run counts once", path.display());
        }
        let report = read_as(path, output.max_size, Report::read)?;
        if !report.names_elements() {
            bail!("{} names no elements of a graph: it is not a report of DaCe", path.display());
        }
        reports.push(report);
    }
    Ok(reports)
}

/// What several runs measured, and how many of them each element has.
pub(in crate::commands::sdfg) struct Runs {
    pub(in crate::commands::sdfg) measured: sdfg::report::Measured,
    /// By element; a report in which the whole graph was timed several times is as many runs.
    pub(in crate::commands::sdfg) by_place: BTreeMap<Place, u64>,
    pub(in crate::commands::sdfg) count: u64,
}

impl Runs {
    pub(in crate::commands::sdfg) fn new(program: &Program, reports: &[Report]) -> Runs {
        let root = program.root().map(|root| Place::Region(root.region));
        let (mut by_place, mut count) = (BTreeMap::<Place, u64>::new(), 0);
        for report in reports {
            let one = sdfg::report::Measured::new(program, [report]);
            let whole = root.and_then(|root| one.elements.get(&root)?.durations);
            let runs = whole.map_or(1, |durations| durations.count);
            count += runs;
            for place in one.elements.keys() {
                *by_place.entry(*place).or_default() += runs;
            }
        }
        Runs { measured: sdfg::report::Measured::new(program, reports), by_place, count }
    }

    /// Nanoseconds of a run of the whole graph.
    pub(in crate::commands::sdfg) fn whole(&self, program: &Program) -> Option<Number> {
        let root = Place::Region(program.root()?.region);
        self.time(root, self.measured.elements.get(&root)?)
    }

    /// The warnings of the reports, and that nothing belongs to the graph.
    pub(in crate::commands::sdfg) fn warnings(&self) -> Vec<String> {
        let warnings = self.measured.warnings.iter();
        let mut warnings: Vec<String> =
            warnings.map(|(text, &count)| counted(format!("reports: {text}"), count)).collect();
        if self.measured.elements.is_empty() {
            warnings.push("nothing that was measured belongs to an element of the graph".into());
        }
        warnings
    }

    /// Nanoseconds of a run.
    pub(in crate::commands::sdfg) fn time(
        &self,
        place: Place,
        one: &Measurement,
    ) -> Option<Number> {
        Some(mean(one.durations?.sum, self.by_place[&place]))
    }

    /// Counters of a run.
    pub(in crate::commands::sdfg) fn counters(
        &self,
        place: Place,
        one: &Measurement,
    ) -> Vec<(Arc<str>, Number)> {
        let counters = one.counters.iter();
        counters.map(|(name, &sum)| (name.clone(), mean(sum, self.by_place[&place]))).collect()
    }
}

/// A sum over runs for each of them.
fn mean(sum: u64, runs: u64) -> Number {
    let runs = runs.max(1);
    let real = || Number::from_f64(sum as f64 / runs as f64);
    if sum.is_multiple_of(runs) { (sum / runs).into() } else { real().unwrap_or(0.into()) }
}
