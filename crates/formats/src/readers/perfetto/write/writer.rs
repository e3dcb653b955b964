//! Packets, one after the other.

use std::io::Write;

use hashbrown::HashMap;
use profile::{LabelSetId, LabelValue, Profile, Span, TrackId, TrackKind};

use super::losses;
use super::tables::Tables;
use super::tracks::{Numbers, descriptor, line_uuid, uuid};
use crate::readers::perfetto::schema::{event, interned, packet, track};
use crate::readers::trace_event::{category_of, frame_of, is_category};
use crate::time::nesting;
use crate::time::nesting::Step;
use crate::wire::MessageWriter;
use crate::{Carries, Feature, WriteError};

pub(in crate::readers::perfetto) const CARRIES: Carries = Carries {
    kept: &[
        Feature::Nanoseconds,
        Feature::Fractions,
        Feature::Negatives,
        Feature::Stackless,
        Feature::Times,
        Feature::Threads,
        Feature::Files,
        Feature::Lines,
        Feature::Separators,
        Feature::CallPaths,
        Feature::Timeline,
        // As far as `losses` says.
        Feature::Labels,
        Feature::Kinds,
        Feature::Metrics,
        Feature::Units,
    ],
    as_labels: &[],
    besides: losses::besides,
};

const BEGIN: u64 = 1;

const END: u64 = 2;

const INSTANT: u64 = 3;

const VALUE: u64 = 4;

/// The clock since the boot, which readers take where none is told.
const BOOTTIME: u64 = 6;

/// Nanoseconds since 1970.
const REALTIME: u64 = 1;

pub(in crate::readers::perfetto) fn write(
    profile: &Profile,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut writer = Writer {
        profile,
        out,
        numbers: Numbers::new(profile),
        tables: Tables::default(),
        start: start(profile),
    };
    writer.head()?;
    for row in 0..profile.timeline.tracks.len() {
        let id = TrackId(row as u32);
        writer.descriptor(id, 0)?;
    }
    for row in 0..profile.timeline.tracks.len() {
        let id = TrackId(row as u32);
        writer.spans(id)?;
        writer.marks(id)?;
    }
    writer.counters()?;
    writer.flows()
}

/// What is added to times: what the clock showed at their start, or what makes the first one 0 where
/// they would leave the range of the format.
pub(super) fn start(profile: &Profile) -> i128 {
    let clock = i128::from(profile.origin.clock_ns);
    let [first, last] = profile.timeline.extent().unwrap_or([0, 0]).map(i128::from);
    let fits = clock + first >= 0 && clock + last <= i64::MAX.into();
    if fits { clock } else { -first }
}

struct Writer<'a> {
    profile: &'a Profile,
    out: &'a mut dyn Write,
    numbers: Numbers,
    tables: Tables,
    start: i128,
}

/// An integer field, be it 0.
pub(super) fn put(message: &mut MessageWriter, field: u64, value: u64) {
    message.put_varint(field << 3);
    message.put_varint(value);
}

impl Writer<'_> {
    fn packet(
        &mut self,
        parts: &[(u64, &MessageWriter)],
        time: Option<i64>,
    ) -> Result<(), WriteError> {
        let mut message = MessageWriter::default();
        if let Some(time) = time {
            put(&mut message, packet::TIMESTAMP, (i128::from(time) + self.start).max(0) as u64);
        }
        put(&mut message, packet::SEQUENCE, 1);
        put(&mut message, packet::SEQUENCE_FLAGS, 2);
        if !self.tables.told.bytes.is_empty() {
            message.bytes(packet::INTERNED_DATA, &self.tables.told.bytes);
            self.tables.told.clear();
        }
        for (field, part) in parts {
            message.bytes(*field, &part.bytes);
        }
        self.outer(&message)
    }

    fn outer(&mut self, message: &MessageWriter) -> Result<(), WriteError> {
        let mut head = MessageWriter::default();
        head.put_varint(1 << 3 | 2);
        head.put_varint(message.bytes.len() as u64);
        self.out.write_all(&head.bytes)?;
        self.out.write_all(&message.bytes)?;
        Ok(())
    }

    /// The first packet: the sequence begins, and its clock is that of the boot; when it was by the
    /// calendar, where that is known.
    fn head(&mut self) -> Result<(), WriteError> {
        let (mut message, mut snapshot, mut clock) =
            (MessageWriter::default(), MessageWriter::default(), MessageWriter::default());
        let now = u64::try_from(self.start).unwrap_or(0);
        put(&mut clock, 1, BOOTTIME);
        put(&mut clock, 2, now);
        snapshot.bytes(1, &clock.bytes);
        if let Ok(date @ 1..) = u64::try_from(self.profile.origin.time_ns)
            && self.start >= 0
        {
            let mut clock = MessageWriter::default();
            put(&mut clock, 1, REALTIME);
            put(&mut clock, 2, date);
            snapshot.bytes(1, &clock.bytes);
        }
        put(&mut snapshot, 2, BOOTTIME);
        put(&mut message, packet::SEQUENCE, 1);
        put(&mut message, packet::SEQUENCE_FLAGS, 1);
        message.bytes(packet::CLOCK_SNAPSHOT, &snapshot.bytes);
        self.outer(&message)
    }

    fn descriptor(&mut self, id: TrackId, line: u64) -> Result<(), WriteError> {
        let told = descriptor(self.profile, &self.numbers, id, line);
        self.packet(&[(packet::TRACK_DESCRIPTOR, &told)], None)
    }

    fn event(&mut self, told: &MessageWriter, time: i64) -> Result<(), WriteError> {
        self.packet(&[(packet::TRACK_EVENT, told)], Some(time))
    }

    /// Begins and ends in order. What overlaps is on lines of its own, which are used again.
    fn spans(&mut self, id: TrackId) -> Result<(), WriteError> {
        let profile = self.profile;
        let is_lane = profile.timeline.tracks[id.index()].kind == TrackKind::Lane;
        let overlaps = is_lane || !nesting::nests(profile, id);
        // By line: what tells it, how much is open, and how much of it ends.
        let mut open: HashMap<u64, (u64, usize, usize)> = HashMap::new();
        let ends = |row: usize| usize::from(!profile.timeline.spans.is_unfinished(row));
        let (mut free, mut used) = (vec![], 0);
        nesting::steps(profile, id, overlaps, &mut |step, time| match step {
            Step::Begin { row, line } => {
                let (place, depth, whole) = match open.get(&line) {
                    Some(&known) => known,
                    None => match free.pop() {
                        Some(place) => (place, 0, 0),
                        None => {
                            used += 1;
                            if used > 1 {
                                self.descriptor(id, used - 1)?;
                            }
                            (used - 1, 0, 0)
                        }
                    },
                };
                open.insert(line, (place, depth + 1, whole + ends(row)));
                let span = profile.timeline.spans.get(row);
                let told = self.begin(line_uuid(id, place), span);
                self.event(&told, time)
            }
            Step::End { row, line } => {
                let Some((place, depth, whole)) = open.remove(&line) else { return Ok(()) };
                if depth > 1 {
                    open.insert(line, (place, depth - 1, whole - ends(row)));
                }
                // An end has no name, so what never ends has one where something ends around it. Else
                // its line has nothing more, and is not used again.
                if whole == 0 {
                    return Ok(());
                }
                if depth == 1 {
                    free.push(place);
                }
                let mut told = MessageWriter::default();
                put(&mut told, event::TYPE, END);
                put(&mut told, event::TRACK, line_uuid(id, place));
                self.event(&told, time)
            }
        })
        .map(drop)
    }

    fn begin(&mut self, uuid: u64, span: Span) -> MessageWriter {
        let profile = self.profile;
        let mut told = MessageWriter::default();
        put(&mut told, event::TYPE, BEGIN);
        put(&mut told, event::TRACK, uuid);
        let category = category_of(profile, span);
        if !category.is_empty() {
            let number = self.tables.string(interned::CATEGORIES, category);
            put(&mut told, event::CATEGORY_IDS, number);
        }
        if let Some(frame) = frame_of(profile, profile.points.context[span.point.index()]) {
            let name = self.tables.string(interned::EVENT_NAMES, &profile.frame_name(frame));
            put(&mut told, event::NAME_ID, name);
            if let Some(source) = self.tables.source(profile, frame) {
                put(&mut told, event::SOURCE_LOCATION_ID, source);
            }
        }
        self.labels(profile.points.labels(span.point.index()), true, &mut told);
        self.labels(span.arguments, false, &mut told);
        told
    }

    /// Labels as annotations, but for the category.
    fn labels(&mut self, set: LabelSetId, are_of_point: bool, told: &mut MessageWriter) {
        let profile = self.profile;
        for label in profile.label_sets.get(set) {
            if are_of_point && is_category(profile, &label) {
                continue;
            }
            let mut note = MessageWriter::default();
            let name = self.tables.string(interned::ANNOTATION_NAMES, profile.text(label.key));
            put(&mut note, 1, name);
            match label.value {
                LabelValue::Number(number, _) => put(&mut note, 4, number as u64),
                LabelValue::Text(text) => note.bytes(6, profile.text(text).as_bytes()),
            }
            told.bytes(event::ANNOTATIONS, &note.bytes);
        }
    }

    fn marks(&mut self, id: TrackId) -> Result<(), WriteError> {
        let profile = self.profile;
        let marks = &profile.timeline.marks;
        for mark in marks.of_track(id).map(|row| marks.get(id, row)) {
            let mut told = MessageWriter::default();
            put(&mut told, event::TYPE, INSTANT);
            put(&mut told, event::TRACK, uuid(id));
            let name = self.tables.string(interned::EVENT_NAMES, profile.text(mark.kind));
            put(&mut told, event::NAME_ID, name);
            self.labels(mark.fields, false, &mut told);
            self.event(&told, mark.time)?;
        }
        Ok(())
    }

    fn counters(&mut self) -> Result<(), WriteError> {
        let profile = self.profile;
        for (row, counter) in profile.timeline.counters.iter().enumerate() {
            // Behind all tracks and lines.
            let own = (1 << 63) | row as u64;
            let (mut told, mut inner) = (MessageWriter::default(), MessageWriter::default());
            put(&mut told, track::UUID, own);
            put(&mut told, track::PARENT, uuid(counter.track));
            told.text(track::NAME, profile.text(counter.name));
            match profile.text(counter.unit) {
                "nanoseconds" => put(&mut inner, 3, 1),
                "count" => put(&mut inner, 3, 2),
                "bytes" => put(&mut inner, 3, 3),
                unit => inner.text(6, unit),
            }
            told.bytes(track::COUNTER, &inner.bytes);
            self.packet(&[(packet::TRACK_DESCRIPTOR, &told)], None)?;
            for (&time, &value) in counter.times.iter().zip(&counter.values) {
                let mut told = MessageWriter::default();
                put(&mut told, event::TYPE, VALUE);
                put(&mut told, event::TRACK, own);
                told.fixed64(event::DOUBLE_VALUE, value.to_bits());
                self.event(&told, time)?;
            }
        }
        Ok(())
    }

    /// Flows as the older events tell them, which need no slice.
    fn flows(&mut self) -> Result<(), WriteError> {
        let profile = self.profile;
        for (number, flow) in profile.timeline.flows.iter().enumerate() {
            for (phase, end) in [(b's', flow.from), (b'f', flow.to)] {
                let (mut told, mut legacy) = (MessageWriter::default(), MessageWriter::default());
                put(&mut told, event::TRACK, uuid(end.track));
                let name = self.tables.string(interned::EVENT_NAMES, profile.text(flow.name));
                put(&mut legacy, 1, name);
                put(&mut legacy, 2, phase.into());
                put(&mut legacy, 6, number as u64);
                if phase == b'f' {
                    put(&mut legacy, 12, 1);
                }
                told.bytes(event::LEGACY, &legacy.bytes);
                self.event(&told, end.time)?;
            }
        }
        Ok(())
    }
}
