//! Formulas of metrics, over the events of a recording.

use std::collections::BTreeSet;

use analysis::formula::Formula;
use profile::Metric;

use super::knowledge::{self, Constraint, KnownMetric};
use super::machine::variables;

/// Of samples that count idle processors.
pub(super) const IDLE: &str = "how busy processors were is not told, for time counts in which they had nothing to run: \
                    leave it out with --label-ignore 'thread=^swapper'";

/// Of counts that do.
pub(super) const IDLE_COUNTED: &str = "how busy processors were is not told, for clocks of processors were counted, \
                    which go on where nothing runs";

/// A metric: what it is called, what is known of it, and its formula.
pub(super) type Made = (String, &'static KnownMetric, Formula);

/// Metrics whose events are there, each with what it is called: behind a colon the modes of the
/// processor in which all of its events count.
pub(super) struct Formulas(pub(super) Vec<Made>, Option<&'static str>);

impl Formulas {
    /// Those over events alone.
    pub(super) fn over(events: &[Metric]) -> Formulas {
        Formulas::with(events, &[], None)
    }

    /// Those over events and [`variables`], which stand behind the events.
    /// `idle` says why time counts in which nothing ran, if it does.
    pub(super) fn with_machines(events: &[Metric], idle: Option<&'static str>) -> Formulas {
        Formulas::with(events, &variables(), idle)
    }

    /// Why some are not told though their events are there.
    pub(super) fn note(&self) -> Option<String> {
        self.1.map(str::to_owned)
    }

    fn with(events: &[Metric], variables: &[Metric], idle: Option<&'static str>) -> Formulas {
        let modes: BTreeSet<String> =
            events.iter().map(|event| knowledge::mode(&event.name)).collect();
        let mut made: Vec<Made> = vec![];
        let mut note = None;
        for mode in modes {
            // Cycles of the program and instructions of all make no ratio. What is of another mode
            // keeps a name that no formula has.
            let named = |event: &Metric| Metric {
                name: if knowledge::mode(&event.name) == mode {
                    knowledge::canonical(&event.name).to_owned()
                } else {
                    format!("{} ", event.name)
                },
                ..event.clone()
            };
            let named: Vec<Metric> =
                events.iter().map(named).chain(variables.iter().cloned()).collect();
            // An event that is there twice is none that a formula can mean.
            let is_unique = |formula: &Formula| {
                formula.metrics().iter().all(|id| {
                    let name = &named[id.index()].name;
                    named.iter().filter(|other| other.name == *name).count() == 1
                })
            };
            for known in knowledge::metrics() {
                let Ok(formula) = Formula::new(&known.metric_expr, &named) else { continue };
                let name = match &*mode {
                    "" => known.metric_name.clone(),
                    mode => format!("{}:{mode}", known.metric_name),
                };
                // Of several formulas for one metric the first is the surest.
                if !is_unique(&formula) || made.iter().any(|(other, ..)| *other == name) {
                    continue;
                }
                if idle.is_some() && known.metric_constraint == Some(Constraint::NoIdleTime) {
                    note = idle;
                    continue;
                }
                made.push((name, known, formula));
            }
        }
        Formulas(made, note)
    }
}
