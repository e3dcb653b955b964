//! Formulas of metrics, over the events of a recording.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use analysis::formula::Formula;
use profile::Metric;

use super::knowledge::{self, Constraint, KnownMetric};
use super::machine::variables;

/// Of samples that count idle processors.
pub(super) const IDLE: &str = "how busy processors were is not known: idle time counts, too. Leave it out with --label-ignore 'thread=^swapper'";

/// Of counts that do.
pub(super) const IDLE_COUNTED: &str = "how busy processors were is not known: clocks of processors were counted, which go on while idle";

/// A metric: what it is called, what is known of it, and its formula.
pub(super) type Made = (String, &'static KnownMetric, Formula);

/// Metrics whose events are there, each with what it is called: behind a colon the modes of the
/// processor in which all of its events count.
pub(super) struct Formulas(pub(super) Vec<Made>, Vec<String>);

/// What time on processors is told by that no stack tells of: where each thread ran, by the scheduler.
const WITHOUT_STACKS: &str = "run time";

/// What events are counted of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scope {
    /// Why time of processors counts on which nothing ran, if it does.
    pub(super) idle: Option<&'static str>,
    /// Whether they are added up by frames, so that an event without stacks says nothing.
    pub(super) is_of_frames: bool,
}

impl Formulas {
    /// Why some are not told though their events are there.
    pub(super) fn notes(&self) -> &[String] {
        &self.1
    }

    /// Those over events and [`variables`], which stand behind the events.
    pub(super) fn new(events: &[Metric], scope: Scope) -> Formulas {
        let modes: BTreeSet<String> =
            events.iter().map(|event| knowledge::mode(&event.name)).collect();
        let mut made: Vec<Made> = vec![];
        let mut notes = vec![];
        // Metrics that an event which is there twice keeps from being told, and the event.
        let mut unclear: Vec<(String, String)> = vec![];
        for mode in modes {
            // Cycles of the program and instructions of all make no ratio. What is of another mode
            // keeps a name that no formula has.
            let named = |event: &Metric| Metric {
                name: if knowledge::mode(&event.name) == mode
                    && !(scope.is_of_frames && event.name == WITHOUT_STACKS)
                {
                    knowledge::canonical(&event.name).to_owned()
                } else {
                    format!("{} ", event.name)
                },
                ..event.clone()
            };
            let mut named: Vec<Metric> = events.iter().map(named).chain(variables()).collect();
            // An event that is there twice is none that a formula can mean.
            let mut known_names: HashSet<String> = HashSet::new();
            let mut twice: HashSet<String> = HashSet::new();
            for (number, metric) in named.iter_mut().enumerate() {
                if !known_names.insert(metric.name.clone()) {
                    twice.insert(metric.name.clone());
                    metric.name = format!("{} {number}", metric.name);
                }
            }
            let unclear_event = |formula: &Formula| {
                let mut names = formula.metrics().into_iter().map(|id| &named[id.index()].name);
                names.find(|name| twice.contains(*name)).cloned()
            };
            for known in knowledge::metrics() {
                let Ok(formula) = Formula::new(&known.metric_expr, &named) else { continue };
                let name = match &*mode {
                    "" => known.metric_name.clone(),
                    mode => format!("{}:{mode}", known.metric_name),
                };
                // Of several formulas for one metric the first is the surest.
                if made.iter().any(|(other, ..)| *other == name) {
                    continue;
                }
                if let Some(event) = unclear_event(&formula) {
                    unclear.push((name, event));
                    continue;
                }
                if let Some(idle) = scope.idle
                    && known.metric_constraint == Some(Constraint::NoIdleTime)
                {
                    notes = vec![idle.to_owned()];
                    continue;
                }
                made.push((name, known, formula));
            }
        }
        let mut of_event: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, event) in unclear {
            if made.iter().all(|(other, ..)| *other != name) {
                of_event.entry(event).or_default().insert(name);
            }
        }
        notes.extend(of_event.into_iter().map(|(event, metrics)| {
            let metrics: Vec<String> = metrics.into_iter().collect();
            format!(
                "{} has no value: there are several events {event}, and it is unclear which one to take",
                metrics.join(", ")
            )
        }));
        Formulas(made, notes)
    }
}
