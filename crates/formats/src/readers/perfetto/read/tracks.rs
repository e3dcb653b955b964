//! The tracks that lines come to stand on.

use std::collections::HashMap;

use profile::{ProcessId, ProfileBuilder, StringId, ThreadId, Track, TrackId, TrackKind};

use super::lines::{Key, Lines, Operation};
use crate::readers::trace_event::lane_name;

/// What a track stands for. Lanes of one name under one track are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Process(i64),
    Thread(Option<i64>, i64),
    /// Beside a thread, by the identifier of its track.
    Apart(u64),
    Processor(u32),
    Lane(Option<TrackId>, StringId),
}

#[derive(Default)]
pub(super) struct Tracks {
    made: HashMap<Place, TrackId>,
    of: HashMap<Key, TrackId>,
}

/// Tracks under tracks; what is deeper stands under nothing.
const DEEPEST: usize = 64;

impl Tracks {
    /// The track of a line.
    pub(super) fn of(&mut self, key: Key, lines: &Lines, builder: &mut ProfileBuilder) -> TrackId {
        // From the line to what it stands under, and back.
        let mut way = vec![key];
        while let Some(around) = way.last().and_then(|&key| parent(key, lines))
            && !way.contains(&around)
            && way.len() < DEEPEST
        {
            way.push(around);
        }
        let mut track = None;
        for key in way.into_iter().rev() {
            track = Some(match self.of.get(&key) {
                Some(&known) => known,
                None => {
                    let made = self.make(key, track, lines, builder);
                    self.of.insert(key, made);
                    made
                }
            });
        }
        track.unwrap_or_default()
    }

    fn make(
        &mut self,
        key: Key,
        around: Option<TrackId>,
        lines: &Lines,
        builder: &mut ProfileBuilder,
    ) -> TrackId {
        let place = self.place(key, around, lines, builder);
        if let (Place::Lane(Some(parent), StringId::EMPTY), Key::Track(uuid)) = (place, key)
            && lines.descriptors.get(&uuid).is_some_and(|known| known.counter.is_some())
        {
            // A counter stands on what it is under.
            return parent;
        }
        if let Some(&made) = self.made.get(&place) {
            return made;
        }
        let name_of = |key: Key| lines.names.get(&key).copied().unwrap_or_default();
        let mut track = Track { parent: around, ..Track::default() };
        match place {
            Place::Process(pid) => {
                let (name, order) = name_of(Key::Process(pid));
                let process = builder.process(&pid.to_string());
                builder.processes[process.index()].name = name;
                track.kind = TrackKind::Process;
                (track.process, track.order) = (Some(process), order);
            }
            Place::Thread(pid, tid) => {
                let (own, order) = name_of(Key::Thread(pid.unwrap_or(0), tid));
                let name = if own == StringId::EMPTY { name_of(Key::Task(tid)).0 } else { own };
                let process = pid.map(|pid| builder.process(&pid.to_string()));
                let thread = builder.thread(process, &tid.to_string());
                if name != StringId::EMPTY {
                    builder.threads[thread.index()].name = name;
                }
                (track.process, track.thread, track.order) = (process, Some(thread), order);
            }
            Place::Apart(_) => {
                // As what else is on several tracks of one thread.
                let thread = around.map(|id| builder.timeline.tracks[id.index()]);
                let thread = thread.unwrap_or_default();
                (track.process, track.thread) = (thread.process, thread.thread);
                track.name = builder.strings.intern("track events");
            }
            Place::Processor(number) => {
                track.kind = TrackKind::Processor;
                track.name = builder.strings.intern(&format!("processor {number}"));
                (track.cpu, track.order) = (Some(number), number.into());
            }
            Place::Lane(_, name) => {
                track.kind = TrackKind::Lane;
                track.name = name;
                track.process = around.and_then(|id| builder.timeline.tracks[id.index()].process);
                if let Key::Track(uuid) = key {
                    track.order = lines.descriptors.get(&uuid).map_or(0, |known| known.order);
                }
            }
        }
        let made = builder.timeline.track(track);
        self.made.insert(place, made);
        made
    }

    fn place(
        &self,
        key: Key,
        around: Option<TrackId>,
        lines: &Lines,
        builder: &mut ProfileBuilder,
    ) -> Place {
        match key {
            Key::Process(pid) => Place::Process(pid),
            Key::Thread(pid, tid) => Place::Thread(Some(pid), tid),
            Key::Task(tid) => Place::Thread(lines.process_of.get(&tid).copied(), tid),
            Key::Processor(number) => Place::Processor(number),
            Key::Queue(name) => Place::Lane(None, name),
            Key::Async(_, category, Operation::Legacy(..)) => {
                let name = lane_name(builder.strings.get(category));
                Place::Lane(around, builder.strings.intern(&name))
            }
            Key::Async(_, name, _) => Place::Lane(around, name),
            Key::Track(uuid) => match lines.descriptors.get(&uuid) {
                Some(known) if lines.apart(known).is_some() => Place::Apart(uuid),
                Some(known) => match (known.process, known.thread) {
                    (_, Some((pid, tid))) => Place::Thread(Some(pid), tid),
                    (Some(pid), None) => Place::Process(pid),
                    (None, None) if known.counter.is_some() && around.is_some() => {
                        Place::Lane(around, StringId::EMPTY)
                    }
                    (None, None) => match processor(builder.strings.get(known.name)) {
                        Some(number) if around.is_none() => Place::Processor(number),
                        _ => Place::Lane(around, known.name),
                    },
                },
                None if uuid == 0 => Place::Lane(None, builder.strings.intern("global")),
                None => Place::Lane(None, builder.strings.intern(&format!("track {uuid}"))),
            },
        }
    }

    /// The thread whose points count what a track has.
    pub(super) fn thread(track: TrackId, builder: &mut ProfileBuilder) -> Option<ThreadId> {
        let own = builder.timeline.tracks[track.index()];
        if own.thread.is_some() {
            return own.thread;
        }
        let (process, name): (Option<ProcessId>, String) = match own.kind {
            TrackKind::Process => (own.process, "process".to_owned()),
            _ => (own.process, builder.strings.get(own.name).to_owned()),
        };
        let thread = builder.thread(process, &name);
        if own.kind == TrackKind::Lane {
            builder.timeline.tracks[track.index()].thread = Some(thread);
        }
        Some(thread)
    }
}

/// The number in `processor 3`, as tracks of processors are called that stand under nothing.
fn processor(name: &str) -> Option<u32> {
    let number = name.strip_prefix("processor ")?;
    number.parse().ok().filter(|known: &u32| known.to_string() == number)
}

/// What a line stands under.
fn parent(key: Key, lines: &Lines) -> Option<Key> {
    match key {
        Key::Process(_) | Key::Processor(_) | Key::Queue(_) => None,
        Key::Thread(pid, _) | Key::Async(pid, ..) => Some(Key::Process(pid)),
        Key::Task(tid) => lines.process_of.get(&tid).map(|&pid| Key::Process(pid)),
        Key::Track(uuid) => {
            let known = lines.descriptors.get(&uuid)?;
            if let Some((pid, tid)) = lines.apart(known) {
                return Some(Key::Thread(pid, tid));
            }
            match (known.process, known.thread) {
                (_, Some((pid, _))) => Some(Key::Process(pid)),
                (Some(_), None) => None,
                (None, None) => (known.parent != 0).then_some(Key::Track(known.parent)),
            }
        }
    }
}
