//! What was measured, laid over the graph.
//!
//! DaCe's reports name elements themselves. Other profiles are joined by what they have, the surest
//! first: functions whose names end in an element's ids, as DaCe's generated code has them;
//! functions that are called like one element alone; source lines.

use std::collections::{BTreeMap, HashMap, HashSet};

use profile::MetricId;
use protocol::{
    GraphCost, GraphMeasureResult, GraphMeasurement, GraphMetric, ProtocolError, Reply,
};
use sdfg::expr::Bindings;
use sdfg::model::{BlockIndex, NodeIndex, RegionIndex, StateIndex};
use sdfg::outline::Element;
use sdfg::report::{Measured, Place, Report};

use super::{GraphDocument, costs, wording};
use crate::kinds::graph::joined::Joined;
use crate::kinds::profile::{flat_report, source_index};

use crate::{ProfileDocument, ViewOptions, lock};

/// Metrics of a profile that are joined; more make no list that anyone reads.
const MOST_METRICS: usize = 16;

/// Joins a report or a profile to a graph.
pub(crate) fn measure(
    document: &GraphDocument,
    of: (u32, &str),
    measured: Result<&Report, &ProfileDocument>,
) -> Result<Reply<GraphMeasureResult>, ProtocolError> {
    let joined = match measured {
        Ok(report) => joined_report(document, of, report),
        Err(profile) => joined_profile(document, of, profile)?,
    };
    let measurement = joined.measurement();
    let mut all = lock(&document.measurements);
    // A file that is joined again is not another run.
    all.retain(|one| one.title != joined.title);
    all.push(joined);
    Ok(Reply::from(GraphMeasureResult { measurement }))
}

fn joined_report(
    document: &GraphDocument,
    (number, title): (u32, &str),
    report: &Report,
) -> Joined {
    let measured = Measured::new(&document.program, [report]);
    let counters = measured.elements.values().flat_map(|one| one.counters.keys());
    let counters: std::collections::BTreeSet<_> = counters.cloned().collect();
    let metric = |name: &str, unit: &str| GraphMetric { name: name.into(), unit: unit.into() };
    let mut metrics = vec![metric("time", "nanoseconds")];
    metrics.extend(counters.iter().map(|name| metric(name, "count")));
    let (mut notes, mut counts) = (HashMap::new(), HashMap::new());
    let mut warnings = measured.warnings;
    let mut values: HashMap<Element, Vec<f64>> = HashMap::new();
    for (place, one) in &measured.elements {
        let element = document.element_of(*place);
        let time = one.durations.map_or(f64::NAN, |durations| durations.sum as f64);
        // A graph and the node that it is in are one element.
        if let Some(known) = values.get(&element) {
            let message = "elements that two timers measured, a node and the graph in it: the \
                        longer time counts";
            *warnings.entry(message.to_owned()).or_default() += 1;
            if known[0] >= time {
                continue;
            }
            notes.remove(&element);
        }
        counts.extend(one.durations.map(|durations| (element, durations.count)));
        if let Some(durations) = one.durations.filter(|durations| durations.count > 1) {
            let message = format!(
                "{} times: {} to {} ns, {} in the middle",
                durations.count, durations.min, durations.max, durations.median
            );
            notes.insert(element, message);
        }
        let counters = counters
            .iter()
            .map(|name| one.counters.get(name).map_or(f64::NAN, |&value| value as f64));
        values.insert(element, std::iter::once(time).chain(counters).collect());
    }
    Joined { number, title: title.to_owned(), metrics, values, notes, counts, warnings }
}

fn joined_profile(
    document: &GraphDocument,
    (number, title): (u32, &str),
    profile: &ProfileDocument,
) -> Result<Joined, ProtocolError> {
    let metrics: Vec<profile::Metric> = profile.profile().metrics.to_vec();
    let metrics = &metrics[..metrics.len().min(MOST_METRICS)];
    let mut joined = Joined {
        number,
        title: title.to_owned(),
        metrics: metrics
            .iter()
            .map(|metric| GraphMetric { name: metric.name.clone(), unit: metric.unit.clone() })
            .collect(),
        values: HashMap::new(),
        notes: HashMap::new(),
        counts: HashMap::new(),
        warnings: BTreeMap::new(),
    };
    for (id, metric) in (0..).map(MetricId).zip(metrics) {
        let scale = 10f64.powi(-i32::from(metric.decimals));
        let mut found: HashMap<Element, (f64, String)> = HashMap::new();
        by_line(&mut joined, document, profile, id, &mut found)?;
        by_name(document, profile, id, &mut found)?;
        for (element, (value, note)) in found {
            let none = || vec![f64::NAN; metrics.len()];
            joined.values.entry(element).or_insert_with(none)[id.index()] = value * scale;
            joined.notes.insert(element, note);
        }
    }
    if joined.values.is_empty() {
        let why = "no function is called like an element, and no line is one that the graph \
                   was written in";
        joined.warnings.insert(why.to_owned(), 1);
    }
    Ok(joined)
}

/// Nodes that were written in a line which was measured.
fn by_line(
    joined: &mut Joined,
    document: &GraphDocument,
    profile: &ProfileDocument,
    metric: MetricId,
    found: &mut HashMap<Element, (f64, String)>,
) -> Result<(), ProtocolError> {
    let index = source_index(profile, metric)?;
    let mut on_line: BTreeMap<(String, u32), Vec<Element>> = BTreeMap::new();
    for element in document.nodes() {
        if let Some(source) = wording::source(&document.program, element) {
            on_line.entry((source.file, source.line)).or_default().push(element);
        }
    }
    for ((file, line), elements) in on_line {
        let Some(number) = same_file(index.files(), &file) else { continue };
        let Some(measured) = index.line(number, line) else { continue };
        let note = match elements.len() {
            1 => format!("by line {line} of {file}"),
            count => format!("line {line} of {file}, which {count} elements share"),
        };
        if elements.len() > 1 && metric == MetricId(0) {
            let why = "lines with several elements: each shows the whole value";
            *joined.warnings.entry(why.to_owned()).or_default() += 1;
        }
        for element in elements {
            found.insert(element, (measured.total_value as f64, note.clone()));
        }
    }
    Ok(())
}

/// Elements that a function is called like. What is found so replaces what lines tell.
fn by_name(
    document: &GraphDocument,
    profile: &ProfileDocument,
    metric: MetricId,
    found: &mut HashMap<Element, (f64, String)>,
) -> Result<(), ProtocolError> {
    let options = ViewOptions { metric, ..ViewOptions::default() };
    let (rows, _) = flat_report(profile, &options, usize::MAX)?;
    let names = document.names();
    let mut named: HashMap<Element, (f64, String)> = HashMap::new();
    for row in &rows {
        let name = plain_name(&row.name);
        let element = document.by_ids(name).or_else(|| match names.get(name)?[..] {
            [one] => Some(one),
            _ => None,
        });
        if let Some(element) = element {
            let entry = named.entry(element).or_insert_with(|| (0.0, String::new()));
            entry.0 += row.total_value as f64;
            entry.1 = format!("by the function {}", row.name);
        }
    }
    found.extend(named);
    Ok(())
}

/// Elements that ran another number of times than they do at some sizes, with those around them: what
/// was measured is not of the costs at these sizes.
#[derive(Debug, Default)]
pub(super) struct Unlike {
    elements: HashSet<Element>,
    /// How many of them were timed themselves.
    timed: usize,
}

impl Unlike {
    pub(super) fn new(document: &GraphDocument, at: &Bindings) -> Unlike {
        let all = lock(&document.measurements);
        let mut unlike = Unlike::default();
        let mut seen = HashSet::new();
        for (&element, &count) in all.iter().flat_map(|one| &one.counts) {
            let times = super::element::times(document, element);
            let times = times.and_then(|times| times.evaluate(at).ok()?.to_integer());
            if times != Some(count.into()) && seen.insert(element) {
                unlike.elements.insert(element);
                unlike.elements.extend(document.program.containers_of(element));
            }
        }
        unlike.timed = seen.len();
        unlike
    }

    pub(super) fn has(&self, element: Element) -> bool {
        self.elements.contains(&element)
    }

    /// Nothing where there are none.
    pub(super) fn message(&self) -> String {
        let are = match self.timed {
            0 => return String::new(),
            1 => "1 element was".to_owned(),
            count => format!("{count} elements were"),
        };
        format!(
            "{are} timed another number of times than at these sizes: rates and times of what they \
             are in are left out; are the sizes those of the run?"
        )
    }
}

impl GraphDocument {
    /// What was joined, in the protocol's words.
    /// The documents that were joined, each with its title.
    pub(crate) fn measured_by(&self) -> Vec<(u32, String)> {
        lock(&self.measurements).iter().map(|one| (one.number, one.title.clone())).collect()
    }

    pub(super) fn to_measurements(&self) -> Vec<GraphMeasurement> {
        lock(&self.measurements).iter().map(Joined::measurement).collect()
    }

    /// A measured metric of an element in a run: the mean over the runs that have it.
    pub(super) fn measured(&self, element: Element, metric: &str) -> Option<f64> {
        let all = lock(&self.measurements);
        let values: Vec<f64> = all.iter().filter_map(|one| one.value(element, metric)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    pub(super) fn measured_unit(&self, metric: &str) -> String {
        let all = lock(&self.measurements);
        let mut metrics = all.iter().flat_map(|one| &one.metrics);
        metrics.find(|one| one.name == metric).map(|one| one.unit.clone()).unwrap_or_default()
    }

    /// Seconds measured in a run, by the first metric that counts time and has the element.
    pub(super) fn measured_seconds(&self, element: Element) -> Option<f64> {
        let times: Vec<(String, f64)> = {
            let all = lock(&self.measurements);
            let metrics = all.iter().flat_map(|one| &one.metrics);
            metrics
                .filter_map(|one| Some((one.name.clone(), units_in_second(&one.unit)?)))
                .collect()
        };
        let mut times = times.into_iter();
        times.find_map(|(name, second)| Some(self.measured(element, &name)? / second))
    }

    /// All that was measured of an element.
    pub(super) fn measured_costs(&self, element: Element) -> Vec<GraphCost> {
        let metrics: Vec<(GraphMetric, String)> = {
            let all = lock(&self.measurements);
            let mut known: Vec<(GraphMetric, String)> = vec![];
            for one in all.iter() {
                let note = one.notes.get(&element).cloned().unwrap_or_default();
                for metric in &one.metrics {
                    if known.iter().all(|(other, _)| other.name != metric.name) {
                        known.push((metric.clone(), note.clone()));
                    }
                }
            }
            known
        };
        let message = metrics.into_iter().filter_map(|(metric, note)| {
            let value = self.measured(element, &metric.name)?;
            Some(costs::measured(&metric.name, &metric.unit, value, note))
        });
        message.collect()
    }

    fn element_of(&self, place: Place) -> Element {
        match place {
            Place::Region(region) => self.program.element_of_region(region),
            Place::State(state) => {
                let state = self.program.state(state);
                Element::Block(state.region, state.block)
            }
            Place::Node(state, node) => Element::Node(state, node),
        }
    }

    fn nodes(&self) -> impl Iterator<Item = Element> {
        self.program.states.iter().enumerate().flat_map(|(place, state)| {
            let state_index = StateIndex(place as u32);
            let nodes = 0..state.nodes.len() as u32;
            nodes.map(move |node| Element::Node(state_index, NodeIndex(node)))
        })
    }

    /// What has a name: nodes that compute, states, graphs.
    fn names(&self) -> HashMap<String, Vec<Element>> {
        use protocol::GraphKind::{Access, ConsumeExit, MapExit, Stream};
        let mut names: HashMap<String, Vec<Element>> = HashMap::new();
        let regions = self.program.regions.iter().enumerate();
        let blocks = regions.flat_map(|(place, region)| {
            let index = RegionIndex(place as u32);
            let blocks = 0..region.blocks.len() as u32;
            blocks.map(move |block| Element::Block(index, BlockIndex(block)))
        });
        let root = self.program.root().map(|root| Element::Region(root.region));
        for element in root.into_iter().chain(blocks).chain(self.nodes()) {
            let kind = wording::kind(&self.program, element);
            if !matches!(kind, Access | Stream | MapExit | ConsumeExit) {
                names.entry(wording::label(&self.program, element)).or_default().push(element);
            }
        }
        names
    }

    /// The element of a name like `scale_0_2_5`: label, graph, state, node.
    fn by_ids(&self, name: &str) -> Option<Element> {
        let mut parts = name.rsplitn(4, '_');
        let mut number = || parts.next()?.parse::<u32>().ok();
        let (node, state, list_id) = (number()?, number()?, number()?);
        let label = parts.next()?;
        let region = self.program.regions.iter();
        let region = region.into_iter().position(|one| one.list_id == i64::from(list_id))?;
        let block = self.program.regions[region].blocks.get(state as usize)?;
        let sdfg::model::BlockKind::State(state) = block.kind else { return None };
        let found = self.program.state(state).nodes.get(node as usize)?;
        let own = found.label.split('[').next().unwrap_or(&found.label);
        let element = Element::Node(state, NodeIndex(node));
        (!own.is_empty() && label.ends_with(own)).then_some(element)
    }
}

/// A name without its arguments and the namespaces around it.
fn plain_name(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name).trim()
}

/// The file of a profile that is the one of a graph: the same path, or the longest common end.
fn same_file(files: &[String], wanted: &str) -> Option<u32> {
    let ends = |file: &str| {
        let pairs = file.rsplit(['/', '\\']).zip(wanted.rsplit(['/', '\\']));
        pairs.take_while(|(a, b)| a == b).count()
    };
    let common: Vec<usize> = files.iter().map(|file| ends(file)).collect();
    let most = common.iter().copied().max().filter(|&most| most > 0)?;
    let mut best = common.iter().enumerate().filter(|&(_, &count)| count == most);
    match (best.next(), best.next()) {
        (Some((place, _)), None) => Some(place as u32),
        _ => None,
    }
}

fn units_in_second(unit: &str) -> Option<f64> {
    match unit {
        "nanoseconds" | "ns" => Some(1e9),
        "microseconds" | "us" | "µs" | "\u{3bc}s" => Some(1e6),
        "milliseconds" | "ms" => Some(1e3),
        "seconds" | "s" => Some(1.0),
        _ => None,
    }
}
