//! Profiles that become members of one.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use profile::{
    ContextId, Fact, FunctionTotals, Label, LabelSetId, LabelValue, LocationId, Machine, MachineId,
    Member, MemberId, NoteOf, Point, PointId, Points, Process, ProcessId, Profile, ProfileBuilder,
    RoleId, StringId, SwitchedOff, Thread, ThreadId,
};
use work::steps;

use super::again::Recordings;
use super::code::Code;
use super::metrics::{Column, Metrics, Source};
use super::notes::MergeNote;
use super::origin::Origins;
use super::tools::Tools;
use super::totals::Totals;
use super::union::Union;
use super::{timeline, totals};

/// Collects profiles, one by one, that become one whose members they are.
///
/// - Contexts are one if their locations are, from the outermost on: kind, module (by name and
///   build id) and frames (function, file, line, column, inlining). Addresses tell places apart
///   that have no name; those of named places are kept where all inputs agree.
/// - Metrics are one if their names are and their units measure the same: values are told in the
///   finest of the units. What an input does not have is 0.
/// - Threads are one if identifier and name are, theirs and their process's; the member tells whose
///   a point is. Threads of one input are never one.
/// - Points stay as they are, but those without a time and without roles: where all but the values
///   is equal they are added up, and left out where nothing is left. Where a metric of the input
///   does not add up, all stay.
///
/// Sums, by stack or in all, do not depend on the order of inputs.
#[derive(Debug, Default)]
pub struct Merge {
    builder: ProfileBuilder,
    code: Code,
    machines: Union<Machine>,
    processes: Union<Process>,
    threads: Union<Thread>,
    metrics: Metrics,
    inputs: Vec<Input>,
    /// Of the points of all inputs.
    bytes: usize,
    origin: Origins,
    recordings: Recordings,
    tools: Tools,
    zeros: usize,
}

/// Several profiles as one.
#[derive(Debug)]
pub struct Merged {
    /// The profile.
    pub profile: Profile,
    /// How many profiles it is.
    pub inputs: usize,
    /// What was left out or could not be reconciled.
    pub notes: Vec<MergeNote>,
}

/// What is kept of an input: its points with the ids of the merge, its metrics, where their values
/// go.
#[derive(Debug)]
struct Input {
    points: Points,
    sources: Vec<Source>,
    default_metric: Option<Source>,
    default_metric_named: bool,
    /// Stored totals, with the ids of the merge but the input's own metrics.
    totals: FunctionTotals,
}

impl Merge {
    /// The same, which takes functions for one by what they are alone: one without a file stays
    /// apart from one of that name with a file.
    pub fn without_joining_names(mut self) -> Merge {
        self.tools.joins_names = false;
        self
    }

    /// Adds a profile as a member of this name; one that has members itself adds each of them, as
    /// `name / member`. Gives the location of the merge for each of its locations.
    pub fn add(&mut self, name: &str, input: &Profile) -> Vec<LocationId> {
        self.recordings.add(name, input);
        let builder = &mut self.builder;
        let strings: Vec<StringId> = (0..input.strings.len() as u32)
            .map(|id| builder.strings.intern(input.text(StringId(id))))
            .collect();
        let (locations, functions) = self.code.add(builder, input, &strings);
        let mut contexts = Vec::with_capacity(input.contexts.len());
        contexts.push(ContextId::ROOT);
        let rows = input.contexts.parents().iter().enumerate().skip(1);
        for (row, &parent) in steps("merging", rows) {
            let location = input.contexts.location(ContextId(row as u32));
            let location = location.expect("every context but the root has a location");
            let parent = contexts[parent as usize];
            contexts.push(builder.contexts.child(parent, locations[location.index()]));
        }
        let labels = labels(builder, input, &strings);
        let (processes, threads) = self.threads(input, &strings);
        let ids = Ids {
            contexts,
            labels,
            processes,
            threads,
            roles: roles(&mut self.builder, input),
            first_member: self.builder.members.len() as u32,
        };
        let known = &mut self.builder.machines;
        let machines = self.machines.add(input.machines.iter().cloned(), |machine| {
            known.push(machine.clone());
            known.len() as u32 - 1
        });
        self.builder.members.extend(members(name, input, &machines, &strings));
        let OwnPoints { points, zeros, rows } = ids.points(input);
        let first = self.inputs.iter().map(|input| input.points.len()).sum::<usize>() as u32;
        let place = |point: PointId| PointId(first + rows[point.index()]);
        timeline::add(&mut self.builder, input, (&ids, &strings), place);
        self.bytes += points.heap_bytes();
        self.zeros += zeros;
        let sources = self.metrics.add(input, &points);
        self.inputs.push(Input {
            points,
            default_metric: sources.get(input.origin.default_metric.index()).copied(),
            default_metric_named: input.origin.default_metric_named,
            totals: totals::of_input(&input.function_totals, &functions, ids.first_member),
            sources,
        });
        let switched_off = input.switched_off.iter();
        let of_merge = |one: &SwitchedOff| functions[one.function.index()];
        SwitchedOff::add_all(
            &mut self.builder.switched_off,
            switched_off.map(|one| SwitchedOff { function: of_merge(one), ..*one }),
        );
        let notes = input.notes.iter().map(|note| {
            let about = match note.about {
                NoteOf::Context(context) => NoteOf::Context(ids.contexts[context.index()]),
                NoteOf::Function(function) => NoteOf::Function(functions[function.index()]),
                NoteOf::Line(file, line) => NoteOf::Line(strings[file.index()], line),
            };
            note.renumbered(about, |text| strings[text.index()])
        });
        self.builder.notes.extend(notes);
        self.tools.add(&input.origin.format, &functions);
        self.origin.add(&input.origin);
        locations
    }

    /// How many profiles were added.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes() + self.bytes
    }

    /// The profile of all that was added.
    pub fn finish(self) -> Merged {
        let Merge { mut builder, code, metrics, inputs, origin, recordings, tools, zeros, .. } =
            self;
        let mut notes: Vec<MergeNote> = recordings.finish().collect();
        let count = inputs.len();
        let (metrics, columns) = metrics.finish(count, &mut notes);
        builder.origin = origin.finish(&mut notes);
        if let Some(input) = inputs.iter().find(|input| input.default_metric.is_some())
            && let Some(source) = input.default_metric
        {
            builder.origin.default_metric = columns.of(source).metric;
            builder.origin.default_metric_named = input.default_metric_named;
        }
        let mut points = Points::new(metrics.len());
        points.reserve(inputs.iter().map(|input| input.points.len()).sum());
        let mut values = vec![0; metrics.len()];
        let mut totals = Totals::default();
        for input in inputs {
            let columns: Vec<Column> =
                input.sources.iter().map(|&source| columns.of(source)).collect();
            values.fill(0);
            for point in steps("merging points", 0..input.points.len()) {
                for (value, column) in input.points.row(point).iter().zip(&columns) {
                    values[column.metric.index()] = value * column.factor;
                }
                points.push_point(input.points.get(point), &values);
            }
            totals.add(&input.totals, &columns);
        }
        let (function_totals, left_out) = totals.finish();
        builder.function_totals = function_totals;
        builder.metrics = metrics;
        builder.points = points;
        let mut profile = builder.finish();
        notes.extend(tools.finish(&mut profile));
        let some = |count: usize, note: fn(usize) -> MergeNote| (count > 0).then(|| note(count));
        notes.extend(some(code.finish(&mut profile), MergeNote::Addresses));
        notes.extend(some(zeros, MergeNote::Zeros));
        notes.extend(some(left_out, MergeNote::FunctionTotals));
        Merged { profile, inputs: count, notes }
    }

    fn threads(
        &mut self,
        input: &Profile,
        strings: &[StringId],
    ) -> (Vec<ProcessId>, Vec<ThreadId>) {
        let text = |id: StringId| strings[id.index()];
        let known = &mut self.builder.processes;
        let process = |p: &Process| Process { id: text(p.id), name: text(p.name) };
        let processes = self.processes.add(input.processes.iter().map(process), |&process| {
            known.push(process);
            known.len() as u32 - 1
        });
        let known = &mut self.builder.threads;
        let thread = |thread: &Thread| Thread {
            process: thread.process.map(|process| ProcessId(processes[process.index()])),
            id: text(thread.id),
            name: text(thread.name),
        };
        let threads = self.threads.add(input.threads.iter().map(thread), |&thread| {
            known.push(thread);
            known.len() as u32 - 1
        });
        let processes = processes.into_iter().map(ProcessId).collect();
        (processes, threads.into_iter().map(ThreadId).collect())
    }
}

/// What ids of an input are in the merge.
pub(super) struct Ids {
    contexts: Vec<ContextId>,
    pub(super) labels: Vec<LabelSetId>,
    pub(super) processes: Vec<ProcessId>,
    pub(super) threads: Vec<ThreadId>,
    roles: Vec<RoleId>,
    pub(super) first_member: u32,
}

/// The points of an input with the ids of the merge.
struct OwnPoints {
    points: Points,
    /// How many were left out because they measured nothing.
    zeros: usize,
    /// By point of the input, its row in `points`; empty where no span asks for it.
    rows: Vec<u32>,
}

impl Ids {
    fn points(&self, input: &Profile) -> OwnPoints {
        let old = &input.points;
        let has_spans = !input.timeline.spans.is_empty();
        let mut rows = vec![];
        let mut points = Points::new(old.metrics());
        let mut zeros = 0;
        let mut links = vec![];
        let hasher = DefaultHashBuilder::default();
        let hash =
            |p: &Point<'_>| hasher.hash_one((p.context, p.labels, p.thread, p.cpu, p.member));
        let adds_up = input.metrics.iter().all(|metric| metric.combining.is_sum());
        let summed = if old.has_times() { 0 } else { old.len() };
        let mut sums = HashTable::<u32>::with_capacity(summed);
        for row in 0..old.len() {
            let point = old.get(row);
            links.clear();
            links.extend(point.links.iter().map(|&(role, context)| {
                (self.roles[role.index()], self.contexts[context.index()])
            }));
            let point = Point {
                context: self.contexts[point.context.index()],
                labels: self.labels[point.labels.index()],
                thread: point.thread.map(|thread| self.threads[thread.index()]),
                member: MemberId(self.first_member + point.member.0),
                links: &links,
                ..point
            };
            let values = old.row(row);
            if point.time.is_some() || !links.is_empty() || !adds_up {
                let id = points.push_point(point, values);
                rows.extend(has_spans.then_some(id.0));
                continue;
            }
            if !has_spans && values.iter().all(|&value| value == 0) {
                zeros += 1;
                continue;
            }
            let hash_of_point = hash(&point);
            let is_same = |&known: &u32| points.get(known as usize) == point;
            match sums.find(hash_of_point, is_same).copied() {
                // Sums that leave 64 bits stay two points.
                Some(known) if add_exactly(points.row_mut(PointId(known)), values) => {
                    rows.extend(has_spans.then_some(known));
                }
                known => {
                    let id = points.push_point(point, values);
                    rows.extend(has_spans.then_some(id.0));
                    if known.is_none() {
                        let hash = |&id: &u32| hash(&points.get(id as usize));
                        sums.insert_unique(hash_of_point, id.0, hash);
                    }
                }
            }
        }
        OwnPoints { points, zeros, rows }
    }
}

/// Adds `values` to `sums`, all or none; whether they fit.
fn add_exactly(sums: &mut [i64], values: &[i64]) -> bool {
    let fits = sums.iter().zip(values).all(|(sum, value)| sum.checked_add(*value).is_some());
    if fits {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    fits
}

fn labels(builder: &mut ProfileBuilder, input: &Profile, strings: &[StringId]) -> Vec<LabelSetId> {
    let text = |id: StringId| strings[id.index()];
    let label = |label: Label| Label {
        key: text(label.key),
        value: match label.value {
            LabelValue::Text(value) => LabelValue::Text(text(value)),
            LabelValue::Number(number, unit) => LabelValue::Number(number, text(unit)),
        },
    };
    let mut set = vec![];
    let mut add = |id: u32| {
        set.clear();
        set.extend(input.label_sets.get(LabelSetId(id)).map(label));
        builder.labels.add(&set)
    };
    (0..input.label_sets.len() as u32).map(&mut add).collect()
}

fn roles(builder: &mut ProfileBuilder, input: &Profile) -> Vec<RoleId> {
    input.roles.iter().map(|&role| builder.role(input.text(role))).collect()
}

/// The members that an input is.
fn members(name: &str, input: &Profile, machines: &[u32], strings: &[StringId]) -> Vec<Member> {
    let origin = &input.origin;
    if input.members.is_empty() {
        return vec![Member {
            name: name.to_owned(),
            producer: origin.producer.clone(),
            host: input.machines.first().map(|machine| machine.name.clone()).unwrap_or_default(),
            machine: machines.first().copied().map(MachineId),
            time_ns: origin.time_ns,
            duration_ns: origin.duration_ns,
            ..Member::default()
        }];
    }
    let of_merge = |fact: &Fact| fact.with_strings(|text| strings[text.index()]);
    let member = |member: &Member| Member {
        // Without a name of its own the input is but its members, and a member without one the input.
        name: match (name, member.name.as_str()) {
            ("", own) => own.to_owned(),
            (name, "") => name.to_owned(),
            (name, own) => format!("{name} / {own}"),
        },
        producer: match member.producer.as_str() {
            "" => origin.producer.clone(),
            producer => producer.to_owned(),
        },
        machine: member.machine.map(|machine| MachineId(machines[machine.index()])),
        facts: member.facts.iter().map(of_merge).collect(),
        ..member.clone()
    };
    input.members.iter().map(member).collect()
}
