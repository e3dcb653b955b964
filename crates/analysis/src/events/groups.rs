//! Where events were.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use profile::{MachineId, Profile, Shared};

use crate::{Filtered, Granularity};

/// What events are added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventsBy {
    /// All together.
    Total,
    /// Processors, or what they share.
    Place(Shared),
    /// Threads, by name.
    Thread,
    /// Processes, by name.
    Process,
    /// Functions, or what else frames are told apart by.
    Frames(FramesBy),
}

/// What samples of frames are added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FramesBy {
    /// What makes two frames the same.
    pub granularity: Granularity,
    /// Whether a sample counts once in each group that has a frame anywhere on its stack, and not in
    /// that of its innermost frame alone.
    pub is_total: bool,
}

/// No point of the profile has what events are to be added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoGroups {
    /// No sample has a processor.
    #[error("no sample tells its processor: record with --sample-cpu")]
    Processors,
    /// No file tells what processors share.
    #[error("no file tells which processors share a {0}")]
    Topology(&'static str),
    /// No sample has a thread.
    #[error("no sample tells its thread")]
    Threads,
    /// More bins of groups than memory should be taken for.
    #[error(
        "these are {0} bins of groups: choose wider ones, fewer runs, or some of the threads, \
         processors or functions"
    )]
    TooMany(usize),
    /// Frames are told by [`crate::EventTable::of_frames`] and [`crate::EventBins::of_frames`].
    #[error("functions, lines, files and modules are groups of frames")]
    Frames,
}

const NAMES: [(&str, EventsBy); 12] = [
    ("total", EventsBy::Total),
    ("cpu", EventsBy::Place(Shared::Cpu)),
    ("core", EventsBy::Place(Shared::Core)),
    ("cache", EventsBy::Place(Shared::Cache)),
    ("node", EventsBy::Place(Shared::Node)),
    ("socket", EventsBy::Place(Shared::Socket)),
    ("thread", EventsBy::Thread),
    ("process", EventsBy::Process),
    ("function", own(Granularity::Function)),
    ("line", own(Granularity::Line)),
    ("file", own(Granularity::File)),
    ("module", own(Granularity::Module)),
];

const fn own(granularity: Granularity) -> EventsBy {
    EventsBy::Frames(FramesBy { granularity, is_total: false })
}

impl EventsBy {
    /// All that can be asked for, as [`EventsBy::from_str`] reads it.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|&(name, _)| name)
    }

    /// The same of whole stacks: see [`FramesBy::is_total`].
    pub fn total(self) -> EventsBy {
        match self {
            EventsBy::Frames(by) => EventsBy::Frames(FramesBy { is_total: true, ..by }),
            other => other,
        }
    }
}

impl fmt::Display for EventsBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match *self {
            EventsBy::Frames(by) => own(by.granularity),
            other => other,
        };
        let name = NAMES.iter().find(|(_, by)| *by == plain).map_or("machine", |(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for EventsBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(name, _)| *name == text).map(|&(_, by)| by);
        found.ok_or_else(|| {
            let names: Vec<&str> = EventsBy::names().collect();
            format!("{text} is none of {}", names.join(", "))
        })
    }
}

/// Groups in their order.
pub(super) struct Groups {
    pub(super) names: Vec<String>,
    /// The machine and the number of those that are places.
    pub(super) places: Vec<Option<(Option<MachineId>, u32)>>,
    /// By point the group it is in; none for points that filters drop.
    pub(super) of_point: Vec<Option<u32>>,
}

/// The machine and the number of a place, or the row of a thread or process; none where a point tells
/// none.
type Raw = Option<(Option<MachineId>, u32)>;

/// What tells groups apart, in the order that they have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Total,
    Place(Option<MachineId>, u32),
    Name(String),
    /// What is in none of the others.
    Rest,
}

impl EventsBy {
    pub(super) fn groups(self, filtered: &Filtered) -> Result<Groups, NoGroups> {
        if let EventsBy::Frames(_) = self {
            return Err(NoGroups::Frames);
        }
        let profile = filtered.profile();
        let raw: Vec<Option<Raw>> = (0..profile.points.len())
            .map(|point| filtered.keeps_point(point).then(|| self.raw(profile, point)))
            .collect();
        let distinct: HashSet<Raw> = raw.iter().flatten().copied().collect();
        let keys: HashMap<Raw, Key> =
            distinct.into_iter().map(|raw| (raw, self.key(profile, raw))).collect();
        let mut numbers: BTreeMap<&Key, u32> = keys.values().map(|key| (key, 0)).collect();
        for (number, entry) in (0..).zip(numbers.values_mut()) {
            *entry = number;
        }
        if !numbers.is_empty() && numbers.keys().all(|key| **key == Key::Rest) {
            return Err(self.missing(profile));
        }
        let names = numbers.keys().map(|key| self.name(profile, key)).collect();
        let of_raw: HashMap<Raw, u32> =
            keys.iter().map(|(raw, key)| (*raw, numbers[key])).collect();
        let place = |key: &&Key| match **key {
            Key::Place(machine, place) => Some((machine, place)),
            _ => None,
        };
        Ok(Groups {
            names,
            places: numbers.keys().map(place).collect(),
            of_point: raw.iter().map(|raw| raw.map(|raw| of_raw[&raw])).collect(),
        })
    }

    /// What a point has of it, as numbers.
    fn raw(self, profile: &Profile, point: usize) -> Raw {
        let points = &profile.points;
        match self {
            EventsBy::Total | EventsBy::Frames(_) => Some((None, 0)),
            EventsBy::Place(level) => points.cpu(point).and_then(|cpu| {
                let machine = profile.machine_of(points.member(point));
                let place = match (level, machine) {
                    (Shared::Cpu, _) => Some(cpu),
                    (_, None) => None,
                    (level, Some(machine)) => profile.machine(machine).cpu(cpu)?.place(level),
                };
                place.map(|place| (machine, place))
            }),
            EventsBy::Thread => points.thread(point).map(|thread| (None, thread.0)),
            EventsBy::Process => {
                let process = points.thread(point).and_then(|t| profile.threads[t.index()].process);
                process.map(|process| (None, process.0))
            }
        }
    }

    fn key(self, profile: &Profile, raw: Raw) -> Key {
        let Some((machine, number)) = raw else { return Key::Rest };
        let row = number as usize;
        match self {
            EventsBy::Total | EventsBy::Frames(_) => Key::Total,
            EventsBy::Place(_) => Key::Place(machine, number),
            EventsBy::Thread => named(profile, profile.threads[row].name, profile.threads[row].id),
            EventsBy::Process => {
                named(profile, profile.processes[row].name, profile.processes[row].id)
            }
        }
    }

    fn name(self, profile: &Profile, key: &Key) -> String {
        match key {
            Key::Total => "total".to_owned(),
            Key::Name(name) => name.clone(),
            Key::Rest => "(elsewhere)".to_owned(),
            Key::Place(machine, place) => {
                let place = format!("{self} {place}");
                match machine.filter(|_| profile.machines.len() > 1) {
                    None => place,
                    Some(machine) => {
                        let name = match &*profile.machine(machine).name {
                            "" => format!("machine {}", machine.0 + 1),
                            name => name.to_owned(),
                        };
                        format!("{name} {place}")
                    }
                }
            }
        }
    }

    fn missing(self, profile: &Profile) -> NoGroups {
        match self {
            EventsBy::Place(level) if profile.points.has_cpus() => {
                NoGroups::Topology(match level {
                    Shared::Core => "core",
                    Shared::Cache => "last-level cache",
                    Shared::Node => "node of memory",
                    _ => "socket",
                })
            }
            EventsBy::Place(_) => NoGroups::Processors,
            _ => NoGroups::Threads,
        }
    }
}

fn named(profile: &Profile, name: profile::StringId, id: profile::StringId) -> Key {
    match profile.text(name) {
        "" => Key::Name(profile.text(id).to_owned()),
        name => Key::Name(name.to_owned()),
    }
}
