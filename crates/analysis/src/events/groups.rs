//! Where events were.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use profile::{ContextId, MachineId, MemberId, Profile, Shared, ThreadId};
use work::{parts, steps};

use super::frames::ContextGroups;
use super::index::{Kept, Segment, Source};
use crate::Granularity;

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
    #[error("its processor is not known: record with --sample-cpu, or count with --by-cpu")]
    Processors,
    /// No file tells what processors share.
    #[error("no file says which processors share a {0}")]
    Topology(&'static str),
    /// No sample has a thread.
    #[error("the samples have no threads")]
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
pub(super) struct Groups<'a> {
    pub(super) names: Vec<String>,
    /// The machine and the number of those that are places.
    pub(super) places: Vec<Option<(Option<MachineId>, u32)>>,
    /// Which of them have nothing of a run, whatever happened there.
    pub(super) elsewhere: Elsewhere,
    pub(super) grouping: Grouping<'a>,
}

/// Runs that have nothing of a place: they are of another machine, or it was not recorded.
#[derive(Debug, Clone, Default)]
pub(super) struct Elsewhere {
    groups: usize,
    /// By member, then group; empty where no group is a place.
    all: Vec<bool>,
}

impl Elsewhere {
    fn new(
        profile: &Profile,
        level: Shared,
        same: &[MachineId],
        places: &[Option<(Option<MachineId>, u32)>],
    ) -> Elsewhere {
        let members = (0..profile.members.len().max(1)).map(|row| MemberId(row as u32));
        let machines = members.map(|member| profile.machine_of(member));
        let is_elsewhere = |machine: Option<MachineId>, (at, place): (Option<MachineId>, u32)| {
            machine.map(|machine| same[machine.index()]) != at
                || machine.is_some_and(|id| profile.machine(id).leaves_out(level, place))
        };
        let all = machines.flat_map(|machine| {
            let of_group = move |place: &Option<(Option<MachineId>, u32)>| {
                place.is_some_and(|place| is_elsewhere(machine, place))
            };
            places.iter().map(of_group)
        });
        Elsewhere { groups: places.len(), all: all.collect() }
    }

    pub(super) fn is(&self, group: usize, member: MemberId) -> bool {
        self.all.get(member.index() * self.groups + group).copied().unwrap_or(false)
    }
}

/// What is in which group.
pub(super) struct Grouping<'a> {
    /// The segments that count, each with its group; none where contexts decide.
    segments: Vec<(Kept<'a>, Option<u32>)>,
    /// By point, 1 more than its group; 0 for those that filters drop and those of segments. Empty where
    /// no point is looked at by itself.
    of_rest: Vec<u32>,
    of_context: Option<ContextGroups>,
}

impl<'a> Grouping<'a> {
    /// By contexts.
    pub(super) fn of_contexts(source: &'a Source<'_>, groups: ContextGroups) -> Grouping<'a> {
        let segments = source.segments().into_iter().map(|kept| (kept, None)).collect();
        Grouping { segments, of_rest: vec![], of_context: Some(groups) }
    }

    pub(super) fn segments(&self) -> &[(Kept<'a>, Option<u32>)] {
        &self.segments
    }

    /// Whether contexts decide.
    pub(super) fn is_of_contexts(&self) -> bool {
        self.of_context.is_some()
    }

    /// The groups of a context, where contexts decide.
    #[inline]
    pub(super) fn of_context(&self, context: u32) -> &[u32] {
        self.of_context.as_ref().map_or(&[], |groups| groups.get(ContextId(context)))
    }

    /// One of the groups of a point that is looked at by itself.
    #[inline]
    pub(super) fn of_point(&self, point: usize, context: ContextId, number: usize) -> Option<u32> {
        match &self.of_context {
            Some(groups) => groups.get(context).get(number).copied(),
            None if number == 0 => self.of_rest[point].checked_sub(1),
            None => None,
        }
    }

    /// In how many groups anything is at most.
    pub(super) fn most(&self) -> usize {
        self.of_context.as_ref().map_or(1, ContextGroups::most)
    }
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
    pub(super) fn groups<'a>(self, source: &'a Source<'_>) -> Result<Groups<'a>, NoGroups> {
        if let EventsBy::Frames(_) = self {
            return Err(NoGroups::Frames);
        }
        let filtered = source.filtered();
        let profile = filtered.profile();
        let points = &profile.points;
        let same = profile.same_machines();
        let machine_of = |member| profile.machine_of(member).map(|machine| same[machine.index()]);
        let of_rest = steps("looking where samples were", source.rest());
        let of_rest: Vec<Option<Raw>> = of_rest
            .map(|point| {
                let machine = machine_of(points.member(point));
                let place = (machine, points.thread(point), points.cpu(point));
                filtered.keeps_point(point).then(|| self.raw(profile, place))
            })
            .collect();
        let mut segments = source.segments();
        let keeps = parts(segments.len(), source.looks(), |range| {
            segments[range].iter().map(Kept::keeps_any).collect::<Vec<bool>>()
        });
        let mut keeps = keeps.into_iter().flatten();
        segments.retain(|_| keeps.next().unwrap_or(false));
        let of_segment = |kept: Kept<'a>| {
            let Segment { member, thread, cpu, .. } = kept.place;
            (kept, self.raw(profile, (machine_of(member), thread, cpu)))
        };
        let segments: Vec<(Kept<'a>, Raw)> = segments.into_iter().map(of_segment).collect();
        let distinct: HashSet<Raw> =
            of_rest.iter().flatten().chain(segments.iter().map(|(_, raw)| raw)).copied().collect();
        let keys: HashMap<Raw, Key> =
            distinct.into_iter().map(|raw| (raw, self.key(profile, raw))).collect();
        let mut numbers: BTreeMap<&Key, u32> = keys.values().map(|key| (key, 0)).collect();
        for (number, entry) in (0..).zip(numbers.values_mut()) {
            *entry = number;
        }
        if !numbers.is_empty() && numbers.keys().all(|key| **key == Key::Rest) {
            return Err(self.missing(profile));
        }
        let machines = profile.machine_names();
        let are_several = machines.iter().any(|name| *name != machines[0]);
        let told = if are_several { &machines[..] } else { &[] };
        let names = numbers.keys().map(|key| self.name(told, key)).collect();
        let of_raw: HashMap<Raw, u32> =
            keys.iter().map(|(raw, key)| (*raw, numbers[key])).collect();
        let place = |key: &&Key| match **key {
            Key::Place(machine, place) => Some((machine, place)),
            _ => None,
        };
        let segments = segments.into_iter().map(|(kept, raw)| (kept, Some(of_raw[&raw])));
        let mut by_point = vec![0; if of_rest.is_empty() { 0 } else { points.len() }];
        for (point, raw) in source.rest().zip(&of_rest) {
            by_point[point] = raw.map_or(0, |raw| of_raw[&raw] + 1);
        }
        let places: Vec<_> = numbers.keys().map(place).collect();
        let elsewhere = match self {
            EventsBy::Place(level) => Elsewhere::new(profile, level, &same, &places),
            _ => Elsewhere::default(),
        };
        Ok(Groups {
            names,
            places,
            elsewhere,
            grouping: Grouping {
                segments: segments.collect(),
                of_rest: by_point,
                of_context: None,
            },
        })
    }

    /// What something on a machine, a thread and a processor has of it, as numbers.
    fn raw(
        self,
        profile: &Profile,
        (machine, thread, cpu): (Option<MachineId>, Option<ThreadId>, Option<u32>),
    ) -> Raw {
        match self {
            EventsBy::Total | EventsBy::Frames(_) => Some((None, 0)),
            EventsBy::Place(level) => cpu.and_then(|cpu| {
                let place = match (level, machine) {
                    (Shared::Cpu, _) => Some(cpu),
                    (_, None) => None,
                    (level, Some(machine)) => profile.machine(machine).cpu(cpu)?.place(level),
                };
                place.map(|place| (machine, place))
            }),
            EventsBy::Thread => thread.map(|thread| (None, thread.0)),
            EventsBy::Process => {
                let process = thread.and_then(|thread| profile.threads[thread.index()].process);
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

    fn name(self, machines: &[String], key: &Key) -> String {
        match key {
            Key::Total => "total".to_owned(),
            Key::Name(name) => name.clone(),
            Key::Rest => "(elsewhere)".to_owned(),
            Key::Place(machine, place) => {
                let place = format!("{self} {place}");
                match machine.and_then(|machine| machines.get(machine.index())) {
                    None => place,
                    Some(name) => format!("{name} {place}"),
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
