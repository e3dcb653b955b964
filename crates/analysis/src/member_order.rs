//! What the members of a profile are, and in which order.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;

use crate::span_labels;
use profile::{
    Combine, FunctionTotals, Label, LabelSetId, LabelValue, Member, MemberId, Points, Profile,
    StringId, Timeline,
};

/// What to make members of, so that figures over members are over threads, ranks or labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MembersBy {
    /// Processes, or ranks.
    Process,
    /// Threads.
    Thread,
    /// Processors.
    Processor,
    /// Values of a label.
    Label(String),
}

impl FromStr for MembersBy {
    type Err = std::convert::Infallible;

    /// `process` (or `rank`), `thread`, `cpu`; anything else is the key of a label, also as
    /// `label:KEY`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "process" | "rank" => MembersBy::Process,
            "thread" => MembersBy::Thread,
            "cpu" | "processor" => MembersBy::Processor,
            key => MembersBy::Label(key.strip_prefix("label:").unwrap_or(key).to_owned()),
        })
    }
}

impl MembersBy {
    /// What some point of a profile has, so that [`members_by`] can make members of it.
    pub fn choices(profile: &Profile) -> Vec<MembersBy> {
        let points = &profile.points;
        let count = points.len();
        let thread = |point: usize| points.thread(point).map(|thread| thread.index());
        let has_threads = (0..count).any(|point| thread(point).is_some());
        let has_processes = has_threads
            && (0..count)
                .filter_map(thread)
                .any(|thread| profile.threads[thread].process.is_some());
        let has_processors = (0..count).any(|point| points.cpu(point).is_some());
        let mut keys: Vec<StringId> = vec![];
        let mut seen = HashSet::new();
        let mut is_used = vec![false; profile.label_sets.len()];
        let of_points = (0..count).map(|point| points.labels(point));
        let of_spans = profile.timeline.spans.all_arguments();
        of_points.chain(of_spans).for_each(|set| is_used[set.index()] = true);
        let sets = (0..is_used.len() as u32).map(LabelSetId).filter(|set| is_used[set.index()]);
        for label in sets.flat_map(|set| profile.label_sets.get(set)) {
            if seen.insert(label.key) {
                keys.push(label.key);
            }
        }
        let mut keys: Vec<&str> = keys.into_iter().map(|key| profile.text(key)).collect();
        keys.sort_unstable();
        let numbered = [
            (has_processes, MembersBy::Process),
            (has_threads, MembersBy::Thread),
            (has_processors, MembersBy::Processor),
        ];
        let numbered = numbered.into_iter().filter(|(has, _)| *has).map(|(_, by)| by);
        numbered.chain(keys.into_iter().map(|key| MembersBy::Label(key.to_owned()))).collect()
    }

    /// What [`MembersBy::from_str`] reads as this.
    pub fn argument(&self) -> String {
        match self {
            MembersBy::Process => "process".to_owned(),
            MembersBy::Thread => "thread".to_owned(),
            MembersBy::Processor => "cpu".to_owned(),
            MembersBy::Label(key) => match key.parse::<MembersBy>() {
                Ok(by) if by == *self => key.clone(),
                _ => format!("label:{key}"),
            },
        }
    }
}

impl fmt::Display for MembersBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MembersBy::Process => f.write_str("process"),
            MembersBy::Thread => f.write_str("thread"),
            MembersBy::Processor => f.write_str("cpu"),
            MembersBy::Label(key) => write!(f, "label {key}"),
        }
    }
}

/// What tells the members to be apart, in the order that they will have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Of what is numbered: the member that it is of, its row, and its name.
    Row(MemberId, u32, String),
    Number(i64, String),
    Text(String),
    /// Points that have none.
    Without,
}

impl Part {
    /// Of a point; `of_spans` is the label that its spans have.
    fn new(
        profile: &Profile,
        points: &Points,
        point: usize,
        by: &MembersBy,
        of_spans: Option<Label>,
    ) -> Option<Part> {
        // Threads of several recordings are never one, whatever they are called.
        let row = |row: u32, name: String| match &profile.members[..] {
            [] | [_] => Part::Row(MemberId(0), row, name),
            members => {
                let member = points.member(point);
                Part::Row(member, row, format!("{} / {name}", members[member.index()].name))
            }
        };
        match by {
            MembersBy::Process => points.thread(point).and_then(|thread| {
                let process = profile.threads[thread.index()].process?;
                Some(row(process.0, profile.process_name(process)))
            }),
            MembersBy::Thread => {
                points.thread(point).map(|thread| row(thread.0, profile.thread_name(thread)))
            }
            MembersBy::Processor => {
                points.cpu(point).map(|cpu| Part::Number(cpu.into(), format!("cpu {cpu}")))
            }
            MembersBy::Label(key) => {
                let label = match of_spans {
                    Some(of_spans) => of_spans,
                    None => {
                        let mut labels = profile.label_sets.get(points.labels(point));
                        labels.find(|label| profile.text(label.key) == key)?
                    }
                };
                Some(match label.value {
                    LabelValue::Text(text) => Part::Text(profile.text(text).to_owned()),
                    LabelValue::Number(number, unit) => Part::Number(
                        number,
                        format!("{number} {}", profile.text(unit)).trim().into(),
                    ),
                })
            }
        }
    }
}

/// The profile with other members; none if no point has what they are made of. What was one member
/// or another before is not told any more. Points without it are a member of their own. A point whose
/// spans differ in a label becomes several.
///
/// Threads and ranks do not follow each other, so a metric of which the last member counts has no
/// value over them.
pub fn members_by(profile: &Profile, by: &MembersBy) -> Option<Profile> {
    let split = match by {
        MembersBy::Label(key) => span_labels::split_points(profile, key),
        _ => None,
    };
    let (points, of_spans) = match &split {
        Some(split) => (&split.points, &split.labels[..]),
        None => (&profile.points, &[][..]),
    };
    let parts: Vec<Part> = (0..points.len())
        .map(|point| {
            let label = of_spans.get(point).copied().flatten();
            Part::new(profile, points, point, by, label).unwrap_or(Part::Without)
        })
        .collect();
    if parts.iter().all(|part| *part == Part::Without) {
        return None;
    }
    let mut numbers: BTreeMap<&Part, u32> = parts.iter().map(|part| (part, 0)).collect();
    for (number, entry) in (0..).zip(numbers.values_mut()) {
        *entry = number;
    }
    let of_all: HashSet<_> = (0..profile.members.len().max(1) as u32)
        .map(|member| profile.machine_of(MemberId(member)))
        .collect();
    let machine_of = |part: &Part| match part {
        Part::Row(member, ..) => profile.machine_of(*member),
        // Of several machines it may be any.
        _ if of_all.len() > 1 => None,
        _ => profile.machine_of(MemberId(0)),
    };
    let members = numbers.keys().map(|part| Member {
        name: match part {
            Part::Row(_, _, name) | Part::Number(_, name) | Part::Text(name) => name.clone(),
            Part::Without => format!("(no {by})"),
        },
        machine: machine_of(part),
        ..Member::default()
    });
    let members = members.collect();
    let of_points: Vec<MemberId> = parts.iter().map(|part| MemberId(numbers[part])).collect();
    let points = points.clone();
    let mut profile = profile.clone();
    profile.points = points;
    profile.members = members;
    profile.points.set_members(&of_points);
    for metric in &mut profile.metrics {
        if metric.combining.members == Combine::Last {
            metric.combining.members = Combine::None;
        }
    }
    profile.origin.members_are_parts = true;
    // They are of whole members.
    profile.function_totals = FunctionTotals::default();
    profile.timeline = Timeline::default();
    Some(profile)
}

/// Puts members into the order in which they were recorded, if all of them know when.
pub fn order_members_by_time(profile: &mut Profile) {
    let members = &profile.members;
    if members.iter().any(|member| member.time_ns == 0)
        || members.is_sorted_by_key(|member| member.time_ns)
    {
        return;
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&member| members[member].time_ns);
    let mut place = vec![MemberId(0); members.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = MemberId(new as u32);
    }
    profile.members = order.iter().map(|&old| profile.members[old].clone()).collect();
    let points = &profile.points;
    let of_points: Vec<MemberId> =
        (0..points.len()).map(|point| place[points.member(point).index()]).collect();
    profile.points.set_members(&of_points);
    for member in &mut profile.function_totals.member {
        *member = place[member.index()];
    }
    for track in &mut profile.timeline.tracks {
        track.member = place[track.member.index()];
    }
}
