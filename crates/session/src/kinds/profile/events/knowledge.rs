//! What is known of events and of the metrics that are made of them: `knowledge.json`, whose words
//! are those of perf's own tables of metrics.

use std::sync::LazyLock;

use serde::Deserialize;

/// Which way a count or a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither is.
    Neutral,
}

impl Better {
    /// As `knowledge.json` has it.
    pub fn name(self) -> &'static str {
        match self {
            Better::Lower => "lower",
            Better::Higher => "higher",
            Better::Neutral => "neutral",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct KnownEvent {
    event_name: String,
    aliases: Vec<String>,
    pub(super) better: Better,
    pub(super) brief_description: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct KnownMetric {
    pub(super) metric_name: String,
    /// A formula over the names of events.
    pub(super) metric_expr: String,
    #[serde(default)]
    pub(super) metric_constraint: Option<Constraint>,
    pub(super) better: Better,
    pub(super) brief_description: String,
}

/// When a metric cannot be told though its events are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Constraint {
    /// If time of processors counts on which nothing ran.
    #[serde(rename = "NO_IDLE_TIME")]
    NoIdleTime,
}

/// A figure over groups, for which there is no formula over events.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct KnownFigure {
    metric_name: String,
    pub(super) better: Better,
    pub(super) brief_description: String,
}

#[derive(Debug, Deserialize)]
struct Knowledge {
    events: Vec<KnownEvent>,
    metrics: Vec<KnownMetric>,
    figures: Vec<KnownFigure>,
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    serde_json::from_str(include_str!("knowledge.json")).expect("a test reads the table")
});

/// The metrics that are made of events.
pub(super) fn metrics() -> &'static [KnownMetric] {
    &KNOWLEDGE.metrics
}

/// What is known of a figure over groups.
pub(super) fn figure(name: &str) -> Option<&'static KnownFigure> {
    KNOWLEDGE.figures.iter().find(|figure| figure.metric_name == name)
}

/// What is known of an event of this name.
pub(super) fn event(name: &str) -> Option<&'static KnownEvent> {
    // Terms such as `/period=8/` say how it was sampled; what stands before those of a unit
    // (`cpu_core/cycles/`) is not an event.
    let plain = split(name).0;
    let plain = plain.split_once('/').map_or(plain, |(event, _)| event);
    let is_called = |event: &&KnownEvent| {
        event.event_name == plain || event.aliases.iter().any(|alias| alias == plain)
    };
    KNOWLEDGE.events.iter().find(is_called)
}

/// The name that formulas have for an event; its own where nothing is known of it. Events of one unit
/// of a hybrid machine (`cpu_core/cycles/`) keep theirs: those of two are never added.
pub(super) fn canonical(name: &str) -> &str {
    event(name).map_or(split(name).0, |event| &event.event_name)
}

/// Of which modes of the processor an event counts, such as `u` (the program) or `k` (the kernel), in
/// the order of the alphabet; empty if it counts in all.
pub(super) fn mode(name: &str) -> String {
    let mut modes: Vec<char> = split(name).1.chars().filter(|c| "ukhGH".contains(*c)).collect();
    modes.sort_unstable();
    modes.into_iter().collect()
}

/// The name without the number that tells events of one name apart, `cpu-clock (2)`.
pub(super) fn unnumbered(name: &str) -> &str {
    let number = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    number.filter(|(_, number)| number.parse::<u32>().is_ok()).map_or(name, |(name, _)| name)
}

/// The name without the modifiers at its end, and these, such as `u` or `ppp`.
fn split(name: &str) -> (&str, &str) {
    let name = unnumbered(name);
    let is_all = |modifiers: &str| modifiers.chars().all(|c| "ukhGHpPSDIeW".contains(c));
    let after_terms = name.rsplit_once('/').filter(|(_, modifiers)| !modifiers.is_empty());
    match name.rsplit_once(':').or(after_terms) {
        Some((_, modifiers)) if !modifiers.is_empty() && is_all(modifiers) => {
            let end = name.len() - modifiers.len();
            (name[..end].trim_end_matches(':'), modifiers)
        }
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use analysis::formula::Formula;
    use profile::Metric;

    use super::*;

    #[test]
    fn formulas_are_over_events_that_are_known() {
        let metric = |event: &KnownEvent| {
            let is_time = ["-clock", " time"].iter().any(|end| event.event_name.ends_with(end));
            Metric::new(&event.event_name, if is_time { "nanoseconds" } else { "count" })
        };
        let events = KNOWLEDGE.events.iter().map(metric);
        let events: Vec<Metric> = events.chain(super::super::machine::variables()).collect();
        for known in metrics() {
            Formula::new(&known.metric_expr, &events).expect(&known.metric_name);
            assert!(!known.brief_description.is_empty());
        }
    }

    #[test]
    fn names_are_unique() {
        let mut seen = std::collections::HashSet::new();
        for event in &KNOWLEDGE.events {
            for name in [&event.event_name].into_iter().chain(&event.aliases) {
                assert!(seen.insert(name), "{name} is there twice");
            }
        }
    }

    #[test]
    fn modifiers_and_aliases_are_of_one_event() {
        assert_eq!(canonical("cpu-cycles:u"), "cycles");
        assert_eq!(canonical("branches"), "branch-instructions");
        assert_eq!(canonical("page-faults/period=8/u"), "page-faults");
        assert_eq!(mode("page-faults/period=8/u"), "u");
        assert_eq!(mode("cycles:Pku"), "ku");
        assert_eq!(mode("cycles:P"), "");
        assert_eq!(mode("sched:sched_switch"), "");
        assert_eq!(canonical("cpu_atom/cycles/"), "cpu_atom/cycles/");
        assert_eq!(canonical("sched:sched_switch"), "sched:sched_switch");
    }
}
