//! What happened when: tables of their own, read and written.

use std::io::Write;

use profile::{
    Flow, FlowEnd, LabelSetId, Mark, MemberId, PointId, ProcessId, Span, ThreadId, Timeline, Track,
    TrackId, TrackKind,
};

use super::columns::{Columns, Fault, check_count, fault, narrow, optional_row, row};
use super::read::Tables;
use super::schema::{block, counter_values, counters, flows, marks, spans, tracks};
use super::write::{chunks, column, deltas, plus_1, put_block};
use crate::WriteError;
use crate::wire::{MessageWriter, unzigzag, zigzag};

pub(super) fn write(timeline: &Timeline, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut message = MessageWriter::default();
    for rows in chunks(0, timeline.tracks.len()) {
        message.bytes(block::TRACKS, &tracks_of(&timeline.tracks[rows]).bytes);
        put_block(&mut message, out)?;
    }
    let all = (0..timeline.tracks.len() as u32).map(TrackId);
    let places: Vec<(TrackId, std::ops::Range<usize>)> =
        all.map(|track| (track, timeline.spans.of_track(track))).collect();
    for (track, rows) in places {
        for rows in chunks(rows.start, rows.end) {
            let rows: Vec<Span> = rows.map(|row| timeline.spans.get(row)).collect();
            message.bytes(block::SPANS, &spans_of(track, &rows).bytes);
            put_block(&mut message, out)?;
        }
        let rows = timeline.marks.of_track(track);
        for rows in chunks(rows.start, rows.end) {
            let rows: Vec<Mark> = rows.map(|row| timeline.marks.get(track, row)).collect();
            message.bytes(block::MARKS, &marks_of(&rows).bytes);
            put_block(&mut message, out)?;
        }
    }
    for rows in chunks(0, timeline.counters.len()) {
        let table = &timeline.counters[rows.clone()];
        let mut inner = MessageWriter::default();
        inner.integer(counters::COUNT, table.len() as u64);
        column(&mut inner, counters::TRACK, table.iter().map(|one| one.track.0.into()));
        column(&mut inner, counters::NAME, table.iter().map(|one| one.name.0.into()));
        column(&mut inner, counters::UNIT, table.iter().map(|one| one.unit.0.into()));
        message.bytes(block::COUNTERS, &inner.bytes);
        put_block(&mut message, out)?;
    }
    for (number, counter) in timeline.counters.iter().enumerate() {
        for rows in chunks(0, counter.times.len()) {
            let mut inner = MessageWriter::default();
            inner.integer(counter_values::COUNT, rows.len() as u64);
            let numbers = rows.clone().map(|_| number as i64);
            column(&mut inner, counter_values::COUNTER_DELTA, deltas(numbers));
            let times = counter.times[rows.clone()].iter().copied();
            column(&mut inner, counter_values::TIME_DELTA, deltas(times));
            let values = counter.values[rows].iter().flat_map(|value| value.to_le_bytes());
            inner.bytes(counter_values::VALUE, &values.collect::<Vec<u8>>());
            message.bytes(block::COUNTER_VALUES, &inner.bytes);
            put_block(&mut message, out)?;
        }
    }
    for rows in chunks(0, timeline.flows.len()) {
        message.bytes(block::FLOWS, &flows_of(&timeline.flows[rows]).bytes);
        put_block(&mut message, out)?;
    }
    Ok(())
}

fn tracks_of(table: &[Track]) -> MessageWriter {
    let mut message = MessageWriter::default();
    message.integer(tracks::COUNT, table.len() as u64);
    column(&mut message, tracks::KIND, table.iter().map(|track| track.kind as u64));
    column(&mut message, tracks::NAME, table.iter().map(|track| track.name.0.into()));
    let parents = table.iter().map(|track| plus_1(track.parent.map(|parent| parent.0)));
    column(&mut message, tracks::PARENT_PLUS_1, parents);
    column(&mut message, tracks::ORDER, table.iter().map(|track| zigzag(track.order)));
    let processes = table.iter().map(|track| plus_1(track.process.map(|process| process.0)));
    column(&mut message, tracks::PROCESS_PLUS_1, processes);
    let threads = table.iter().map(|track| plus_1(track.thread.map(|thread| thread.0)));
    column(&mut message, tracks::THREAD_PLUS_1, threads);
    column(&mut message, tracks::CPU_PLUS_1, table.iter().map(|track| plus_1(track.cpu)));
    column(&mut message, tracks::MEMBER, table.iter().map(|track| track.member.0.into()));
    message
}

fn spans_of(track: TrackId, table: &[Span]) -> MessageWriter {
    let mut message = MessageWriter::default();
    message.integer(spans::COUNT, table.len() as u64);
    let on = table.iter().map(|_| track.0.into());
    column(&mut message, spans::TRACK_DELTA, deltas(on));
    let begins = table.iter().map(|span| span.begin);
    column(&mut message, spans::BEGIN_DELTA, deltas(begins));
    column(&mut message, spans::LENGTH, table.iter().map(|span| span.length as u64));
    let points = table.iter().map(|span| span.point.0.into());
    column(&mut message, spans::POINT_DELTA, deltas(points));
    column(&mut message, spans::ARGUMENTS, table.iter().map(|span| span.arguments.0.into()));
    column(&mut message, spans::UNFINISHED, table.iter().map(|span| span.is_unfinished.into()));
    column(&mut message, spans::OPERATION, table.iter().map(|span| span.operation.into()));
    message
}

fn marks_of(table: &[Mark]) -> MessageWriter {
    let mut message = MessageWriter::default();
    message.integer(marks::COUNT, table.len() as u64);
    let on = table.iter().map(|mark| mark.track.0.into());
    column(&mut message, marks::TRACK_DELTA, deltas(on));
    column(&mut message, marks::TIME_DELTA, deltas(table.iter().map(|mark| mark.time)));
    column(&mut message, marks::KIND, table.iter().map(|mark| mark.kind.0.into()));
    column(&mut message, marks::FIELDS, table.iter().map(|mark| mark.fields.0.into()));
    message
}

fn flows_of(table: &[Flow]) -> MessageWriter {
    let mut message = MessageWriter::default();
    message.integer(flows::COUNT, table.len() as u64);
    column(&mut message, flows::NAME, table.iter().map(|flow| flow.name.0.into()));
    column(&mut message, flows::FROM_TRACK, table.iter().map(|flow| flow.from.track.0.into()));
    let times = table.iter().map(|flow| flow.from.time);
    column(&mut message, flows::FROM_TIME_DELTA, deltas(times));
    column(&mut message, flows::TO_TRACK, table.iter().map(|flow| flow.to.track.0.into()));
    let durations = table.iter().map(|flow| zigzag(flow.to.time.wrapping_sub(flow.from.time)));
    column(&mut message, flows::DURATION, durations);
    message
}

/// The sums of differences.
#[derive(Default)]
struct Running(i64);

impl Running {
    fn add(&mut self, delta: u64) -> i64 {
        self.0 = self.0.wrapping_add(unzigzag(delta));
        self.0
    }
}

impl Tables {
    pub(super) fn tracks(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names = [
            (tracks::KIND, "kind"),
            (tracks::NAME, "name"),
            (tracks::PARENT_PLUS_1, "parent_plus_1"),
            (tracks::ORDER, "order"),
            (tracks::PROCESS_PLUS_1, "process_plus_1"),
            (tracks::THREAD_PLUS_1, "thread_plus_1"),
            (tracks::CPU_PLUS_1, "cpu_plus_1"),
            (tracks::MEMBER, "member"),
        ];
        expect(columns, &names)?;
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let own = self.builder.timeline.tracks.len();
            let Some(&kind) = TrackKind::ALL.get(get(tracks::KIND) as usize) else {
                return fault(format!("the kind of a track is {}", get(tracks::KIND)));
            };
            let (processes, threads) = (self.builder.processes.len(), self.builder.threads.len());
            let process = optional_row(get(tracks::PROCESS_PLUS_1), processes, "processes")?;
            let thread = optional_row(get(tracks::THREAD_PLUS_1), threads, "threads")?;
            let cpu = match get(tracks::CPU_PLUS_1) {
                0 => None,
                plus_1 => Some(narrow(plus_1 - 1, "processor")?),
            };
            let members = self.builder.members.len().max(1);
            let track = Track {
                kind,
                name: self.string(get(tracks::NAME))?,
                parent: optional_row(get(tracks::PARENT_PLUS_1), own, "tracks")?.map(TrackId),
                order: unzigzag(get(tracks::ORDER)),
                process: process.map(ProcessId),
                thread: thread.map(ThreadId),
                cpu,
                member: MemberId(row(get(tracks::MEMBER), members, "members")?),
            };
            self.builder.timeline.track(track);
        }
        Ok(())
    }

    pub(super) fn spans(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names = [
            (spans::TRACK_DELTA, "track_delta"),
            (spans::BEGIN_DELTA, "begin_delta"),
            (spans::LENGTH, "length"),
            (spans::POINT_DELTA, "point_delta"),
            (spans::ARGUMENTS, "arguments"),
            (spans::UNFINISHED, "unfinished"),
            (spans::OPERATION, "operation"),
        ];
        expect(columns, &names)?;
        let [mut track, mut begin, mut point] = [0; 3].map(Running);
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let on = self.track(track.add(get(spans::TRACK_DELTA)))?;
            let Ok(length) = i64::try_from(get(spans::LENGTH)) else {
                return fault(format!("a span of {} nanoseconds", get(spans::LENGTH)));
            };
            let points = self.builder.points.len();
            let counted = row(point.add(get(spans::POINT_DELTA)) as u64, points, "points")?;
            let begin = begin.add(get(spans::BEGIN_DELTA));
            let arguments = self.labels(get(spans::ARGUMENTS))?;
            let is_unfinished = get(spans::UNFINISHED) != 0;
            let Ok(operation) = u32::try_from(get(spans::OPERATION)) else {
                return fault(format!("an operation {}", get(spans::OPERATION)));
            };
            let point = PointId(counted);
            let span = Span { begin, length, point, arguments, operation, is_unfinished };
            self.builder.timeline.spans.push(on, span);
        }
        Ok(())
    }

    pub(super) fn marks(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names = [
            (marks::TRACK_DELTA, "track_delta"),
            (marks::TIME_DELTA, "time_delta"),
            (marks::KIND, "kind"),
            (marks::FIELDS, "fields"),
        ];
        expect(columns, &names)?;
        let [mut track, mut time] = [0; 2].map(Running);
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let on = self.track(track.add(get(marks::TRACK_DELTA)))?;
            let time = time.add(get(marks::TIME_DELTA));
            let (kind, fields) = (self.string(get(marks::KIND))?, self.labels(get(marks::FIELDS))?);
            self.builder.timeline.mark(Mark { track: on, time, kind, fields });
        }
        Ok(())
    }

    pub(super) fn counters(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names =
            [(counters::TRACK, "track"), (counters::NAME, "name"), (counters::UNIT, "unit")];
        expect(columns, &names)?;
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let track = self.track(get(counters::TRACK) as i64)?;
            let (name, unit) =
                (self.string(get(counters::NAME))?, self.string(get(counters::UNIT))?);
            let before = self.builder.timeline.counters.len();
            self.builder.timeline.counter(track, name, unit);
            if self.builder.timeline.counters.len() == before {
                return fault("two counters of one track have one name and unit");
            }
        }
        Ok(())
    }

    pub(super) fn counter_values(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names = [
            (counter_values::COUNTER_DELTA, "counter_delta"),
            (counter_values::TIME_DELTA, "time_delta"),
            (counter_values::VALUE, "value"),
        ];
        expect(columns, &names)?;
        let [mut counter, mut time] = [0; 2].map(Running);
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let counters = &mut self.builder.timeline.counters;
            let of = counter.add(get(counter_values::COUNTER_DELTA)) as u64;
            let of = row(of, counters.len(), "counters")?;
            let value = f64::from_bits(get(counter_values::VALUE));
            if !value.is_finite() {
                return fault(format!("a counter has the value {value}"));
            }
            counters[of as usize].push(time.add(get(counter_values::TIME_DELTA)), value);
        }
        Ok(())
    }

    pub(super) fn flows(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names = [
            (flows::NAME, "name"),
            (flows::FROM_TRACK, "from_track"),
            (flows::FROM_TIME_DELTA, "from_time_delta"),
            (flows::TO_TRACK, "to_track"),
            (flows::DURATION, "duration"),
        ];
        expect(columns, &names)?;
        let mut time = Running::default();
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let name = self.string(get(flows::NAME))?;
            let leaves = time.add(get(flows::FROM_TIME_DELTA));
            let from = FlowEnd { track: self.track(get(flows::FROM_TRACK) as i64)?, time: leaves };
            let arrives = leaves.wrapping_add(unzigzag(get(flows::DURATION)));
            let to = FlowEnd { track: self.track(get(flows::TO_TRACK) as i64)?, time: arrives };
            self.builder.timeline.flows.push(Flow { name, from, to });
        }
        Ok(())
    }

    fn track(&self, number: i64) -> Result<TrackId, Fault> {
        row(number as u64, self.builder.timeline.tracks.len(), "tracks").map(TrackId)
    }

    fn labels(&self, number: u64) -> Result<LabelSetId, Fault> {
        row(number, self.label_set_count(), "label sets").map(LabelSetId)
    }
}

/// Columns that are as long as the table, and a count that they bear out.
fn expect(columns: &Columns, names: &[(u64, &str)]) -> Result<(), Fault> {
    for (field, name) in names {
        columns.expect(*field, columns.count, name)?;
    }
    check_count(columns)
}
