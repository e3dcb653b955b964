//! DaCe's instrumentation reports, and which parts of a graph they measured.
//!
//! A report is a Chrome trace: `X` events with durations in microseconds, `C` events with counters.
//! Their `args` name the element by `cfg_id` (since DaCe 1.0; `sdfg_id` before), `state_id` and
//! `id`; what does not apply is -1, null or not there.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::Value as Json;

use crate::model::{BlockKind, NodeIndex, Program, Region, RegionIndex, StateIndex};
use crate::read::{Limits, ReadError, beginning, read_text};

/// What one run measured, by the numbers that elements have in DaCe.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// DaCe's fingerprint of the graph that ran.
    pub hash: Option<String>,
    elements: BTreeMap<Key, Samples>,
    skipped: BTreeMap<String, u64>,
}

/// An element as events name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    region: Option<i64>,
    block: Option<i64>,
    node: Option<i64>,
}

#[derive(Debug, Clone, Default)]
struct Samples {
    /// In nanoseconds.
    durations: Vec<u64>,
    counters: BTreeMap<Arc<str>, u64>,
    /// By the name of the event.
    names: BTreeMap<Arc<str>, u64>,
}

/// What reports measured of a graph.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// By element.
    pub elements: BTreeMap<Place, Measurement>,
    /// Events that belong to no element of the graph, and what is odd about others, with how often.
    pub warnings: BTreeMap<String, u64>,
}

/// A part of a graph that can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A whole graph, or a region of it.
    Region(RegionIndex),
    /// A state.
    State(StateIndex),
    /// A node of a state; a map as a whole at its entry.
    Node(StateIndex, NodeIndex),
}

/// What was measured of one element, over all reports, threads and times that it ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Measurement {
    /// How long it took; nothing where it was counted only.
    pub durations: Option<Durations>,
    /// Sums by the counters' names, such as `PAPI_TOT_INS`.
    pub counters: BTreeMap<Arc<str>, u64>,
}

/// Durations in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Durations {
    /// How many there are.
    pub count: u64,
    /// All of them together, held at the largest number.
    pub sum: u64,
    /// The shortest.
    pub min: u64,
    /// The one in the middle; of an even number the mean of two, rounded down.
    pub median: u64,
    /// The longest.
    pub max: u64,
}

/// Whether a file may be a report, by its first few thousand bytes: it is a trace that names graphs.
pub fn is_report(head: &[u8]) -> bool {
    let text = beginning(head);
    text.contains("\"traceEvents\"")
        && (text.contains("\"cfg_id\"") || text.contains("\"sdfg_id\""))
}

impl Report {
    /// Reads a report, plain or packed.
    pub fn read(bytes: impl Read, limits: &Limits) -> Result<Report, ReadError> {
        let text = read_text(bytes, limits)?;
        let file: File = serde_json::from_slice(&text).map_err(ReadError::Report)?;
        let mut report = file.events;
        report.hash = file.hash.and_then(|hash| hash.as_str().map(str::to_owned));
        Ok(report)
    }

    /// Whether it measured elements of a graph: any other trace names none.
    pub fn names_elements(&self) -> bool {
        self.elements.keys().any(|key| key.region.is_some())
    }

    fn add(&mut self, event: &Json, names: &mut HashMap<Box<str>, Arc<str>>) {
        let mut name_of = |text: &str| match names.get(text) {
            Some(known) => known.clone(),
            None => names.entry(text.into()).or_insert_with(|| text.into()).clone(),
        };
        let arguments = &event["args"];
        let key = Key {
            region: index_of(&arguments["cfg_id"]).or_else(|| index_of(&arguments["sdfg_id"])),
            block: index_of(&arguments["state_id"]),
            node: index_of(&arguments["id"]),
        };
        match event["ph"].as_str() {
            Some("X") => match nanoseconds(&event["dur"]) {
                Some(duration) => {
                    let samples = self.elements.entry(key).or_default();
                    samples.durations.push(duration);
                    let name = name_of(event["name"].as_str().unwrap_or(""));
                    *samples.names.entry(name).or_default() += 1;
                }
                None => self.skip("events without a duration"),
            },
            Some("C") => {
                let of_event = arguments.as_object().into_iter().flatten();
                let counters = of_event.filter(|(name, _)| !IDS.contains(&name.as_str()));
                for (name, value) in counters {
                    match value.as_u64() {
                        Some(value) => {
                            let samples = self.elements.entry(key).or_default();
                            let sum = samples.counters.entry(name_of(name)).or_default();
                            *sum = sum.saturating_add(value);
                        }
                        None => self.skip("counters that are not a whole number"),
                    }
                }
            }
            _ => self.skip("events that are neither durations nor counters"),
        }
    }

    fn skip(&mut self, why: &str) {
        *self.skipped.entry(why.to_owned()).or_default() += 1;
    }
}

/// Keys of `args` that are not counters.
const IDS: [&str; 4] = ["cfg_id", "sdfg_id", "state_id", "id"];

impl Measured {
    /// Finds the elements of a graph that reports measured, and puts all reports together.
    pub fn new<'r>(program: &Program, reports: impl IntoIterator<Item = &'r Report>) -> Measured {
        let regions = regions_by_id(program);
        let mut measured = Measured::default();
        let mut durations = BTreeMap::<Place, Vec<u64>>::new();
        for report in reports {
            let mut others = 0;
            for (why, count) in &report.skipped {
                measured.warn(why, *count);
            }
            for (key, samples) in &report.elements {
                let place = match place_of(program, &regions, *key) {
                    Ok(place) => place,
                    Err(why) => {
                        measured.warn(why, samples.event_count());
                        continue;
                    }
                };
                let label = label_of(program, place);
                let unlike = samples.names.iter().filter(|(name, _)| !is_named(name, label));
                others += unlike.map(|(_, count)| count).sum::<u64>();
                durations.entry(place).or_default().extend(&samples.durations);
                let element = measured.elements.entry(place).or_default();
                for (name, value) in &samples.counters {
                    let sum = element.counters.entry(name.clone()).or_default();
                    *sum = sum.saturating_add(*value);
                }
            }
            measured.warn("events with another name than their element", others);
            if others > 0 {
                measured.check_hash(program, report);
            }
        }
        for (place, all) in durations {
            measured.elements.entry(place).or_default().durations = Durations::new(all);
        }
        measured
    }

    fn warn(&mut self, what: &str, count: u64) {
        if count > 0 {
            *self.warnings.entry(what.to_owned()).or_default() += count;
        }
    }

    /// DaCe's fingerprint in a report is that of the graph as it was compiled, which a saved graph
    /// rarely has: it is an explanation for names that differ, and says nothing alone.
    fn check_hash(&mut self, program: &Program, report: &Report) {
        let graph = program.root().and_then(|root| root.hash.as_ref());
        if let (Some(graph), Some(run)) = (graph, &report.hash)
            && graph != run
        {
            self.warn(
                "reports whose fingerprint is not the graph's: another version of it may have run",
                1,
            );
        }
    }
}

impl Samples {
    fn event_count(&self) -> u64 {
        self.durations.len().max(self.counters.len()) as u64
    }
}

impl Durations {
    /// Nothing where there are none.
    fn new(mut all: Vec<u64>) -> Option<Durations> {
        all.sort_unstable();
        let (&min, &max) = (all.first()?, all.last()?);
        let (below, above) = (all[(all.len() - 1) / 2], all[all.len() / 2]);
        let sum = all.iter().fold(0u64, |sum, one| sum.saturating_add(*one));
        let median = below + (above - below) / 2;
        Some(Durations { count: all.len() as u64, sum, min, median, max })
    }
}

/// Nothing for a number that several have.
fn regions_by_id(program: &Program) -> HashMap<i64, Option<RegionIndex>> {
    let mut regions = HashMap::new();
    for (place, Region { list_id, .. }) in program.regions.iter().enumerate() {
        if *list_id >= 0 {
            let index = Some(RegionIndex(place as u32));
            regions.entry(*list_id).and_modify(|known| *known = None).or_insert(index);
        }
    }
    regions
}

fn place_of(
    program: &Program,
    regions: &HashMap<i64, Option<RegionIndex>>,
    key: Key,
) -> Result<Place, &'static str> {
    let list_id = key.region.ok_or("events that name no graph")?;
    let known = regions.get(&list_id).ok_or("events of a graph or region that is not there")?;
    let region = known.ok_or("events of a graph or region whose number several have")?;
    let Some(block) = key.block else {
        return match key.node {
            Some(_) => Err("events that name a node without its state"),
            None => Ok(Place::Region(region)),
        };
    };
    let missing = "events of a state that is not there";
    let blocks = &program.region(region).blocks;
    let block = usize::try_from(block).ok().and_then(|block| blocks.get(block)).ok_or(missing)?;
    let state = match block.kind {
        BlockKind::State(state) => state,
        BlockKind::Region(inner) if key.node.is_none() => return Ok(Place::Region(inner)),
        _ => return Err(missing),
    };
    let Some(node) = key.node else { return Ok(Place::State(state)) };
    match u32::try_from(node)
        .ok()
        .filter(|&node| (node as usize) < program.state(state).nodes.len())
    {
        Some(node) => Ok(Place::Node(state, NodeIndex(node))),
        None => Err("events of a node that is not there"),
    }
}

fn label_of(program: &Program, place: Place) -> &str {
    match place {
        Place::Region(region) => &program.region(region).label,
        Place::State(state) => &program.state(state).label,
        Place::Node(state, node) => &program.state(state).nodes[node.place()].label,
    }
}

/// Whether an event's name speaks of a label: `Map work` of `work[i=0:N]`. DaCe cuts names to 63
/// bytes.
fn is_named(name: &str, label: &str) -> bool {
    const LONGEST: usize = 63;
    let label = label.split('[').next().unwrap_or(label);
    name.is_empty()
        || name.contains(label)
        || name.len() >= LONGEST
            && name.rsplit(' ').next().is_some_and(|end| label.starts_with(end))
}

/// A number that is at least 0.
fn index_of(value: &Json) -> Option<i64> {
    value.as_i64().filter(|number| *number >= 0)
}

/// Of microseconds, which may have a fraction.
fn nanoseconds(value: &Json) -> Option<u64> {
    const MICROSECOND: u64 = 1000;
    /// Where floats stop to tell whole numbers apart.
    const MOST: f64 = 9e15;
    if let Some(whole) = value.as_u64() {
        return whole.checked_mul(MICROSECOND);
    }
    let nanoseconds = value.as_f64()? * MICROSECOND as f64;
    (0.0..MOST).contains(&nanoseconds).then(|| nanoseconds.round() as u64)
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "traceEvents")]
    events: Report,
    #[serde(rename = "sdfgHash")]
    hash: Option<Json>,
}

impl<'de> Deserialize<'de> for Report {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Report, D::Error> {
        struct Events;
        impl<'de> Visitor<'de> for Events {
            type Value = Report;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "a list of events")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<Report, A::Error> {
                let (mut report, mut names) = (Report::default(), HashMap::new());
                while let Some(event) = events.next_element::<Json>()? {
                    report.add(&event, &mut names);
                }
                Ok(report)
            }
        }
        from.deserialize_seq(Events)
    }
}
