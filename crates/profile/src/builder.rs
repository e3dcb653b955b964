//! Making a profile.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::notes;
use crate::timeline::TimelineCheckpoint;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::{
    ContextId, ContextTreeBuilder, Cpu, FrameId, Frames, FunctionId, FunctionTotals, Functions,
    LabelSetsBuilder, Location, LocationId, LocationKind, Locations, Machine, Member, Metric,
    Module, ModuleId, Note, NoteOf, Origin, Points, Process, ProcessId, Profile, RoleId, StringId,
    StringsBuilder, SwitchedOff, Thread, ThreadId, TimelineBuilder,
};

/// Collects the tables of a profile in any order that a file has them.
#[derive(Debug, Default)]
pub struct ProfileBuilder {
    /// Texts.
    pub strings: StringsBuilder,
    /// Modules.
    pub modules: Vec<Module>,
    /// Functions.
    pub functions: Functions,
    /// The calling context tree. It may name locations that are pushed later.
    pub contexts: ContextTreeBuilder,
    /// Label sets.
    pub labels: LabelSetsBuilder,
    /// Metrics.
    pub metrics: Vec<Metric>,
    /// The records.
    pub points: Points,
    /// Totals of functions that the producer stored.
    pub function_totals: FunctionTotals,
    /// Functions whose calls were measured up to some number.
    pub switched_off: Vec<SwitchedOff>,
    /// What is said of places, in any order.
    pub notes: Vec<Note>,
    /// Processes.
    pub processes: Vec<Process>,
    /// Threads.
    pub threads: Vec<Thread>,
    /// The profiles that came as one.
    pub members: Vec<Member>,
    /// The machines that they were measured on.
    pub machines: Vec<Machine>,
    /// Names of roles.
    pub roles: Vec<StringId>,
    /// What happened when.
    pub timeline: TimelineBuilder,
    /// Where it all came from.
    pub origin: Origin,
    locations: Locations,
    frames: Frames,
    found: Found,
}

/// What was interned, by what tells it from others.
#[derive(Debug, Default)]
struct Found {
    modules: HashMap<StringId, ModuleId>,
    functions: HashMap<(StringId, StringId, u32, u32), FunctionId>,
    locations: HashTable<u32>,
    hasher: DefaultHashBuilder,
    processes: HashMap<StringId, ProcessId>,
    threads: HashMap<(Option<ProcessId>, StringId), ThreadId>,
}

/// How many rows the tables of a [`ProfileBuilder`] had at some time.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    modules: usize,
    functions: usize,
    locations: usize,
    contexts: usize,
    label_sets: usize,
    metrics: usize,
    points: usize,
    function_totals: usize,
    switched_off: usize,
    notes: usize,
    processes: usize,
    threads: usize,
    members: usize,
    machines: usize,
    roles: usize,
    timeline: TimelineCheckpoint,
}

/// A place in code as formats without addresses name it: what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place<'a> {
    /// What it is.
    pub kind: LocationKind,
    /// Name of the function.
    pub function: &'a str,
    /// Source file.
    pub file: &'a str,
    /// Line where the function starts.
    pub start_line: u32,
    /// Column where the function starts.
    pub start_column: u32,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Path of the binary or library.
    pub module: &'a str,
    /// Address.
    pub address: u64,
}

/// Bytes of a row of the frames, and of the functions.
const FRAME: usize = 16;
const FUNCTION: usize = 16;

impl ProfileBuilder {
    /// A builder for points with these metrics.
    pub fn new(metrics: Vec<Metric>) -> Self {
        ProfileBuilder { points: Points::new(metrics.len()), metrics, ..ProfileBuilder::default() }
    }

    /// The module of a path, the same for equal paths; none for the empty path.
    pub fn module(&mut self, path: &str) -> Option<ModuleId> {
        if path.is_empty() {
            return None;
        }
        let name = self.strings.intern(path);
        Some(*self.found.modules.entry(name).or_insert_with(|| {
            self.modules.push(Module { name, ..Module::default() });
            ModuleId(self.modules.len() as u32 - 1)
        }))
    }

    /// The function of a name, a file and a first line, without a linker's name; the same for
    /// equal ones.
    pub fn function(&mut self, name: &str, file: &str, start_line: u32) -> FunctionId {
        self.function_at(name, file, start_line, 0)
    }

    /// Like [`ProfileBuilder::function`], for files that tell the column where functions start.
    pub fn function_at(
        &mut self,
        name: &str,
        file: &str,
        start_line: u32,
        start_column: u32,
    ) -> FunctionId {
        let (name, file) = (self.strings.intern(name), self.strings.intern(file));
        let functions = &mut self.functions;
        *(self.found.functions.entry((name, file, start_line, start_column))).or_insert_with(|| {
            let function = functions.push(name, StringId::EMPTY, file, start_line);
            functions.start_column[function.index()] = start_column;
            function
        })
    }

    /// Appends a location with its frames (function, line, column), outermost first: the first is
    /// the function that was called, the others are inlined into it. No frames mean an
    /// unsymbolised place.
    pub fn push_location(
        &mut self,
        location: Location,
        frames: &[(Option<FunctionId>, u32, u32)],
    ) -> LocationId {
        self.locations.push(&mut self.frames, location, frames)
    }

    /// Like [`ProfileBuilder::push_location`], but the same location for equal arguments.
    pub fn location(
        &mut self,
        location: Location,
        frames: &[(Option<FunctionId>, u32, u32)],
    ) -> LocationId {
        let frames = if frames.is_empty() { &[(None, 0, 0)] } else { frames };
        let Found { locations: table, hasher, .. } = &mut self.found;
        let (locations, all) = (&self.locations, &self.frames);
        let hash = hasher.hash_one((location, frames));
        let frames_of = |id: LocationId| {
            let frame = |row: u32| {
                let frame = FrameId(row);
                (all.function(frame), all.line[frame.index()], all.column[frame.index()])
            };
            locations.frames(id).map(frame)
        };
        let is_wanted = |id: LocationId| {
            locations.get(id) == location && frames_of(id).eq(frames.iter().copied())
        };
        if let Some(&found) = table.find(hash, |&id| is_wanted(LocationId(id))) {
            return LocationId(found);
        }
        let id = locations.len() as u32;
        table.insert_unique(hash, id, |&id| {
            let id = LocationId(id);
            hasher.hash_one((locations.get(id), frames_of(id).collect::<Vec<_>>().as_slice()))
        });
        self.locations.push(&mut self.frames, location, frames)
    }

    /// The location of a place with one frame, the same for equal places.
    pub fn place(&mut self, place: &Place<'_>) -> LocationId {
        let module = self.module(place.module);
        let named = !(place.function.is_empty() && place.file.is_empty());
        let function = named.then(|| {
            self.function_at(place.function, place.file, place.start_line, place.start_column)
        });
        let (kind, address) = (place.kind, place.address);
        let location = Location { kind, module, address, ..Location::default() };
        self.location(location, &[(function, place.line, place.column)])
    }

    /// A location with its frames, as [`ProfileBuilder::location`] takes them.
    pub fn place_of(
        &self,
        location: LocationId,
    ) -> (Location, Vec<(Option<FunctionId>, u32, u32)>) {
        let frames = self.locations.frames(location).map(|row| {
            let frame = FrameId(row);
            let (line, column) =
                (self.frames.line[frame.index()], self.frames.column[frame.index()]);
            (self.frames.function(frame), line, column)
        });
        (self.locations.get(location), frames.collect())
    }

    /// The innermost function of a location, if it has one.
    pub fn function_of(&self, location: LocationId) -> Option<FunctionId> {
        let innermost = self.locations.frames(location).next_back()?;
        self.frames.function(FrameId(innermost))
    }

    /// How many locations there are.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// The process of an identifier, the same for equal ones. Its name can be set in `processes`.
    pub fn process(&mut self, id: &str) -> ProcessId {
        let id = self.strings.intern(id);
        *self.found.processes.entry(id).or_insert_with(|| {
            self.processes.push(Process { id, name: StringId::EMPTY });
            ProcessId(self.processes.len() as u32 - 1)
        })
    }

    /// The thread of an identifier in a process, the same for equal ones. Its name can be set in
    /// `threads`.
    pub fn thread(&mut self, process: Option<ProcessId>, id: &str) -> ThreadId {
        let id = self.strings.intern(id);
        *self.found.threads.entry((process, id)).or_insert_with(|| {
            self.threads.push(Thread { process, id, name: StringId::EMPTY });
            ThreadId(self.threads.len() as u32 - 1)
        })
    }

    /// The role of a name, the same for equal names.
    pub fn role(&mut self, name: &str) -> RoleId {
        let name = self.strings.intern(name);
        let known = self.roles.iter().position(|&role| role == name);
        RoleId(known.unwrap_or_else(|| {
            self.roles.push(name);
            self.roles.len() - 1
        }) as u32)
    }

    /// The context of a stack, outermost location first.
    pub fn stack(&mut self, locations: impl IntoIterator<Item = LocationId>) -> ContextId {
        locations.into_iter().fold(ContextId::ROOT, |at, l| self.contexts.child(at, l))
    }

    /// How many rows there are, to go back to.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            modules: self.modules.len(),
            functions: self.functions.len(),
            locations: self.locations.len(),
            contexts: self.contexts.len(),
            label_sets: self.labels.len(),
            metrics: self.metrics.len(),
            points: self.points.len(),
            function_totals: self.function_totals.len(),
            switched_off: self.switched_off.len(),
            notes: self.notes.len(),
            processes: self.processes.len(),
            threads: self.threads.len(),
            members: self.members.len(),
            machines: self.machines.len(),
            roles: self.roles.len(),
            timeline: self.timeline.checkpoint(),
        }
    }

    /// Takes back all rows that were added since, so that a part of a file that turns out to be
    /// damaged leaves nothing behind. Texts stay, and so does the origin.
    pub fn rewind(&mut self, to: &Checkpoint) {
        self.modules.truncate(to.modules);
        self.functions.truncate(to.functions);
        self.locations.truncate(&mut self.frames, to.locations);
        self.contexts.truncate(to.contexts);
        self.labels.truncate(to.label_sets);
        // Points have one value for each metric, so there were none before a new metric.
        if self.metrics.len() > to.metrics {
            self.points = Points::new(to.metrics);
        }
        self.metrics.truncate(to.metrics);
        self.points.truncate(to.points);
        self.function_totals.truncate(to.function_totals);
        self.switched_off.truncate(to.switched_off);
        self.notes.truncate(to.notes);
        self.processes.truncate(to.processes);
        self.threads.truncate(to.threads);
        self.members.truncate(to.members);
        self.machines.truncate(to.machines);
        self.roles.truncate(to.roles);
        self.timeline.rewind(&to.timeline);
        self.found = Found::default();
    }

    /// The module of a location, if known.
    pub fn module_of(&self, location: LocationId) -> Option<&Module> {
        self.locations.module(location).map(|module| &self.modules[module.index()])
    }

    /// The functions of a location that are known, outermost first.
    pub fn functions_of(&self, location: LocationId) -> impl Iterator<Item = FunctionId> + '_ {
        self.locations.frames(location).filter_map(|frame| self.frames.function(FrameId(frame)))
    }

    /// Bytes held by what grows with the number of records.
    pub fn heap_bytes(&self) -> usize {
        self.contexts.heap_bytes()
            + self.labels.heap_bytes()
            + self.points.heap_bytes()
            + self.function_totals.heap_bytes()
            + self.timeline.heap_bytes()
            + self.strings.heap_bytes()
            + self.locations.heap_bytes()
            + self.frames.line.capacity() * FRAME
            + self.functions.name.capacity() * FUNCTION
            + self.found.locations.capacity() * 5
            + self.found.functions.capacity() * 24
            + self.found.threads.capacity() * 24
            + (self.threads.capacity() + self.processes.capacity()) * 24
            + self.modules.capacity() * size_of::<Module>()
            + self.members.capacity() * size_of::<Member>()
            + self.notes.capacity() * size_of::<Note>()
            + self.machines.iter().map(|machine| machine.cpus.len() * size_of::<Cpu>()).sum::<usize>()
            // Finishing puts contexts into preorder, next to those from before.
            + self.contexts.finished_bytes()
    }

    /// The finished profile.
    pub fn finish(self) -> Profile {
        let label_sets = self.labels.finish();
        let (contexts, renumbered) = self.contexts.finish();
        let mut points = self.points;
        points.renumber(&renumbered);
        let mut notes = self.notes;
        for note in &mut notes {
            if let NoteOf::Context(context) = &mut note.about {
                *context = renumbered[context.index()];
            }
        }
        drop(renumbered);
        let mut timeline = self.timeline;
        timeline.add_tracks_of_samples(&points, &self.threads, &self.processes);
        Profile {
            strings: self.strings.finish(),
            modules: self.modules,
            functions: self.functions,
            locations: self.locations,
            frames: self.frames,
            contexts,
            label_sets,
            metrics: self.metrics,
            points,
            function_totals: self.function_totals,
            switched_off: self.switched_off,
            notes: notes::sorted(notes),
            processes: self.processes,
            threads: self.threads,
            members: self.members,
            machines: self.machines,
            roles: self.roles,
            timeline: timeline.finish(),
            origin: self.origin,
        }
    }
}
