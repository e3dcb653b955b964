//! Track events.

use profile::{
    Label, LabelSetId, LabelValue, LocationId, Mark, Place, ProfileBuilder, StringId, TrackId,
};

use super::arguments;
use super::fields::{double, fixed, message, number, text_of};
use super::lines::{FlowStep, Key, OLDER, Operation};
use super::sequence::{Source, source};
use super::trace::{Packet, Trace};
use crate::Warnings;
use crate::readers::perfetto::schema::{event, interned};
use crate::time::span_records::Begin;
use crate::time::span_tracks::{Happening, Record};
use crate::wire::{Fields, WireError, repeated};

/// What of an event is read.
#[derive(Default)]
struct Event<'a> {
    kind: u64,
    name: StringId,
    category: StringId,
    track: Option<u64>,
    value: Option<f64>,
    /// Tracks and values of other counters: whole ones, and others.
    extra: [(Vec<u64>, Vec<f64>); 2],
    annotations: Vec<&'a [u8]>,
    /// Flows, and whether they end here.
    flows: Vec<(u64, bool)>,
    legacy: Option<Legacy>,
    source: Source,
    /// The older way to tell times, in microseconds.
    time_us: Option<(i64, bool)>,
}

/// What Chrome's older events tell.
#[derive(Default, Clone, Copy)]
struct Legacy {
    name: Option<u64>,
    phase: u8,
    duration_us: i64,
    /// The kind of its identifier, and itself.
    id: (u64, u64),
    scope: StringId,
    bind: Option<u64>,
    direction: u64,
    instant_scope: u64,
    pid: Option<i64>,
    tid: Option<i64>,
}

impl Trace {
    pub(super) fn track_event(
        &mut self,
        packet: &Packet<'_>,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let event = self.read_event(packet.sequence, bytes, warnings)?;
        let Some(time) = self.time_of(packet, event.time_us, warnings) else { return Ok(()) };
        let key = self.key_of(packet.sequence, &event);
        self.values(packet.sequence, &event, time);
        let legacy = event.legacy.unwrap_or_default();
        let phase = match event.kind {
            1 => b'B',
            2 => b'E',
            3 => b'i',
            4 => return Ok(()),
            0 => legacy.phase,
            _ => 0,
        };
        let sequences = &self.sequences;
        let tables = sequences.get(&packet.sequence).map(|sequence| &sequence.tables);
        let arguments = match tables {
            Some(tables) => {
                arguments::labels(&event.annotations, tables, &mut self.builder, warnings)?
            }
            None => LabelSetId(0),
        };
        let is_async = matches!(phase, b'b' | b'e' | b'S' | b'F' | b'n' | b'T' | b'p');
        let key = if is_async {
            let (kind, id) = legacy.id;
            let operation = Operation::Legacy(kind, legacy.scope, id);
            // Only local identifiers are of a process; others are where they were met first.
            let mut pid = self.process_of(key);
            if kind != LOCAL_ID {
                pid = *self.lines.homes.entry((event.category, operation)).or_insert(pid);
            }
            Key::Async(pid, event.category, operation)
        } else if matches!(phase, b'i' | b'I' | b'R') && matches!(legacy.instant_scope, 1 | 2) {
            Key::Process(self.process_of(key))
        } else {
            key
        };
        let happening = match phase {
            b'B' | b'b' | b'S' => Happening::Begin,
            b'E' | b'e' | b'F' => Happening::End,
            b'X' => Happening::Complete(legacy.duration_us.saturating_mul(1000)),
            b'i' | b'I' | b'R' | b'n' | b'T' | b'p' => {
                let mark = Mark { track: TrackId(0), time, kind: event.name, fields: arguments };
                self.lines.mark(key, mark);
                self.flows(&event, key, time);
                return Ok(());
            }
            b's' | b't' | b'f' => {
                let step = (OLDER + legacy.id.0, legacy.id.1);
                self.flow_step(step, key, (time, phase == b'f'), event.name);
                return Ok(());
            }
            _ => {
                warnings.add("phases", || "track events of other kinds are not shown".to_owned());
                return Ok(());
            }
        };
        let (location, labels) = match happening {
            Happening::End => (LocationId(0), LabelSetId(0)),
            _ => (self.location(&event), self.category(event.category)),
        };
        let name = event.name;
        // In this format an end is of what is innermost, but for operations that name it.
        let name = if happening == Happening::End && !is_async { StringId::EMPTY } else { name };
        let begin = Begin { location, name, labels };
        self.lines.push(key, Record { time, happening, begin, arguments });
        if phase == b'S' {
            self.lines.does_not_nest(key);
        }
        self.flows(&event, key, time);
        Ok(())
    }

    fn flows(&mut self, event: &Event<'_>, key: Key, time: i64) {
        for &(id, is_last) in &event.flows {
            self.flow_step((0, id), key, (time, is_last), event.name);
        }
        if let Some(Legacy { bind: Some(bind), direction: 1.., .. }) = event.legacy {
            self.flow_step((1, bind), key, (time, false), event.name);
        }
    }

    fn flow_step(
        &mut self,
        id: (u64, u64),
        key: Key,
        (time, is_last): (i64, bool),
        name: StringId,
    ) {
        let line = self.lines.line(key);
        self.lines.list[line].is_used = true;
        self.lines.flows.push(FlowStep { id, time, line, is_last, name });
    }

    /// The track of an event: its own, the default one, or that of the sequence's thread.
    fn key_of(&self, sequence: u32, event: &Event<'_>) -> Key {
        let sequence = self.sequences.get(&sequence);
        if let Some(Legacy { tid: Some(tid), pid, .. }) = event.legacy {
            let own = sequence.and_then(|sequence| sequence.thread).map_or(0, |(pid, _)| pid);
            return Key::Thread(pid.unwrap_or(own), tid);
        }
        let default = || sequence.and_then(|sequence| sequence.defaults.track);
        match (event.track.or_else(default), sequence.and_then(|sequence| sequence.thread)) {
            (Some(track), _) => Key::Track(track),
            (None, Some((pid, tid))) => Key::Thread(pid, tid),
            (None, None) => Key::Track(0),
        }
    }

    /// The process of a track; 0 if it is not known.
    pub(super) fn process_of(&self, key: Key) -> i64 {
        match key {
            Key::Thread(pid, _) | Key::Process(pid) | Key::Async(pid, ..) => pid,
            Key::Task(tid) => self.lines.process_of.get(&tid).copied().unwrap_or(0),
            Key::Processor(_) | Key::Queue(_) => 0,
            Key::Track(mut uuid) => {
                /// Tracks under tracks; deeper ones are of no process.
                const DEEPEST: usize = 64;
                for _ in 0..DEEPEST {
                    let Some(known) = self.lines.descriptors.get(&uuid) else { break };
                    if let Some(pid) = known.process.or(known.thread.map(|(pid, _)| pid)) {
                        return pid;
                    }
                    uuid = known.parent;
                }
                0
            }
        }
    }

    /// Values of counters that an event tells.
    fn values(&mut self, sequence: u32, event: &Event<'_>, time: i64) {
        let defaults = self.sequences.get(&sequence).map(|sequence| sequence.defaults.clone());
        let defaults = defaults.unwrap_or_default();
        let mut told = vec![];
        if let Some(value) = event.value {
            told.extend(event.track.or(defaults.track).map(|track| (track, value)));
        }
        let default_tracks = [&defaults.extra_tracks, &defaults.extra_double_tracks];
        for (row, default) in default_tracks.into_iter().enumerate() {
            let own = &event.extra[row].0;
            let tracks = if own.is_empty() { default } else { own };
            told.extend(tracks.iter().copied().zip(event.extra[row].1.iter().copied()));
        }
        for (uuid, mut value) in told {
            let known = self.lines.descriptors.get(&uuid).copied().unwrap_or_default();
            let counter = known.counter.unwrap_or_default();
            if counter.is_incremental {
                let sequence = self.sequences.entry(sequence).or_default();
                let last = sequence.last_values.entry(uuid).or_default();
                *last += value;
                value = *last;
            }
            if counter.multiplier > 1 {
                value *= counter.multiplier as f64;
            }
            if value.is_finite() {
                let names = [known.name, counter.unit];
                self.lines.value(Key::Track(uuid), names, time, value);
            } else {
                self.not_finite += 1;
            }
        }
    }

    fn category(&mut self, category: StringId) -> LabelSetId {
        if category == StringId::EMPTY {
            return LabelSetId(0);
        }
        let key = self.builder.strings.intern("category");
        self.builder.labels.add(&[Label { key, value: LabelValue::Text(category) }])
    }

    fn location(&mut self, event: &Event<'_>) -> LocationId {
        let Source { file, function, line } = event.source;
        let name = if event.name == StringId::EMPTY { function } else { event.name };
        let key = (name, file, line);
        if let Some(&known) = self.places.get(&key) {
            return known;
        }
        let [name, file] = [name, file].map(|id| self.builder.strings.get(id).to_owned());
        let function = if name.is_empty() { "(unnamed)" } else { &name };
        let place = Place { function, file: &file, line, ..Place::default() };
        let location = self.builder.place(&place);
        self.places.insert(key, location);
        location
    }

    fn read_event<'a>(
        &mut self,
        sequence: u32,
        bytes: &'a [u8],
        warnings: &mut Warnings,
    ) -> Result<Event<'a>, WireError> {
        let empty = Default::default();
        let tables = self.sequences.get(&sequence).map_or(&empty, |sequence| &sequence.tables);
        let builder = &mut self.builder;
        let mut event = Event::default();
        let mut categories = vec![];
        let mut unknown = 0;
        let mut name_told = false;
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let mut named = |table: u64, id: u64| {
                let known = tables.string(table, id);
                unknown += u64::from(known.is_none());
                known.unwrap_or_default()
            };
            match field {
                event::TYPE => event.kind = number(payload),
                event::TRACK => event.track = Some(number(payload)),
                event::NAME_ID => {
                    name_told = true;
                    event.name = named(interned::EVENT_NAMES, number(payload));
                }
                event::NAME => {
                    name_told = true;
                    event.name = builder.strings.intern(&text_of(payload).unwrap_or_default());
                }
                event::CATEGORY_IDS => {
                    repeated(payload, |id| categories.push(named(interned::CATEGORIES, id)))?;
                }
                event::CATEGORIES => {
                    categories.push(builder.strings.intern(&text_of(payload).unwrap_or_default()));
                }
                event::ANNOTATIONS => event.annotations.push(message(payload)),
                event::COUNTER_VALUE => event.value = Some(number(payload) as i64 as f64),
                event::DOUBLE_VALUE => event.value = Some(double(payload)),
                event::EXTRA_VALUES => {
                    repeated(payload, |value| event.extra[0].1.push(value as i64 as f64))?;
                }
                event::EXTRA_DOUBLES => {
                    fixed(payload, |bits| event.extra[1].1.push(f64::from_bits(bits)));
                }
                event::EXTRA_TRACKS => repeated(payload, |id| event.extra[0].0.push(id))?,
                event::EXTRA_DOUBLE_TRACKS => {
                    repeated(payload, |id| event.extra[1].0.push(id))?;
                }
                event::FLOWS => fixed(payload, |id| event.flows.push((id, false))),
                event::LAST_FLOWS => fixed(payload, |id| event.flows.push((id, true))),
                event::OLD_FLOWS => repeated(payload, |id| event.flows.push((id, false)))?,
                event::OLD_LAST_FLOWS => repeated(payload, |id| event.flows.push((id, true)))?,
                event::LEGACY => event.legacy = Some(legacy(message(payload), builder)?),
                event::SOURCE_LOCATION => event.source = source(message(payload), builder)?.1,
                event::SOURCE_LOCATION_ID => {
                    event.source = tables.source(number(payload)).unwrap_or_default();
                }
                event::DELTA_US => event.time_us = Some((number(payload) as i64, false)),
                event::ABSOLUTE_US => event.time_us = Some((number(payload) as i64, true)),
                _ => {}
            }
        }
        if let Some(Legacy { name: Some(name), .. }) = event.legacy
            && !name_told
        {
            let known = tables.string(interned::EVENT_NAMES, name);
            unknown += u64::from(known.is_none());
            event.name = known.unwrap_or_default();
        }
        event.category = joined(&categories, builder);
        if unknown > 0 {
            warnings.add_many("names", unknown, || {
                "names and categories that no packet has are empty".to_owned()
            });
        }
        Ok(event)
    }
}

/// Categories as one text, with commas between them.
fn joined(categories: &[StringId], builder: &mut ProfileBuilder) -> StringId {
    match categories {
        [] => StringId::EMPTY,
        [one] => *one,
        several => {
            let texts: Vec<&str> = several.iter().map(|&id| builder.strings.get(id)).collect();
            let text = texts.join(",");
            builder.strings.intern(&text)
        }
    }
}

/// The field of an identifier that is one of its process.
const LOCAL_ID: u64 = 10;

fn legacy(bytes: &[u8], builder: &mut ProfileBuilder) -> Result<Legacy, WireError> {
    let mut read = Legacy::default();
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        let value = number(payload);
        match field {
            1 => read.name = Some(value),
            2 => read.phase = u8::try_from(value).unwrap_or(0),
            3 => read.duration_us = value as i64,
            6 | 10 | 11 => read.id = (field, value),
            7 => read.scope = builder.strings.intern(&text_of(payload).unwrap_or_default()),
            8 => read.bind = Some(value),
            13 => read.direction = value,
            14 => read.instant_scope = value,
            18 => read.pid = Some(value as i64),
            19 => read.tid = Some(value as i64),
            _ => {}
        }
    }
    Ok(read)
}
