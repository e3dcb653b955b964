//! Events, one after the other.

use std::io::Write;

use profile::{FrameId, Label, LabelValue, Profile, Span, TrackId, TrackKind};

use super::event::{Events, frame_of};
use super::ids::{Home, Homes};
use super::{losses, samples};
use crate::time::nesting;
use crate::time::nesting::Step;
use crate::{Carries, Feature, WriteError};

pub(in crate::readers::trace_event) const CARRIES: Carries = Carries {
    kept: &[
        Feature::Nanoseconds,
        Feature::Fractions,
        Feature::Negatives,
        Feature::Stackless,
        Feature::Times,
        Feature::Threads,
        Feature::Processors,
        Feature::Files,
        Feature::Lines,
        Feature::Columns,
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

pub(in crate::readers::trace_event) fn write(
    profile: &Profile,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut homes = Homes::new(profile);
    write!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
    let mut events = Events::new(profile, out);
    names(&mut events, &mut homes)?;
    for row in 0..profile.timeline.tracks.len() {
        let (track, home) = (TrackId(row as u32), &homes.of_track[row]);
        spans(&mut events, track, home)?;
        marks(&mut events, track, home)?;
    }
    counters(&mut events, &homes)?;
    flows(&mut events, &homes)?;
    write!(events.out, "\n]")?;
    samples::write(profile, &homes, events.out)?;
    writeln!(out, "}}")?;
    Ok(())
}

/// When something happened, by the clock of whoever recorded it.
pub(super) fn absolute(profile: &Profile, time: i64) -> i128 {
    i128::from(profile.origin.clock_ns) + i128::from(time)
}

/// Names and order of processes and threads, in the order of the tracks.
fn names(events: &mut Events<'_>, homes: &mut Homes<'_>) -> Result<(), WriteError> {
    let profile = events.profile;
    let tracks = &profile.timeline.tracks;
    let mut named = vec![false; profile.processes.len()];
    // Lanes stand behind all threads, if nothing else is said.
    let last = tracks.iter().rposition(|track| track.kind != TrackKind::Lane).unwrap_or(0);
    for (row, track) in tracks.iter().enumerate() {
        if profile.timeline.beside(TrackId(row as u32)).is_some() {
            continue;
        }
        let home = &homes.of_track[row];
        let process = Home { pid: home.pid.clone(), tid: String::new(), lane: None };
        if let Some(id) =
            track.process.filter(|id| !std::mem::replace(&mut named[id.index()], true))
        {
            let name = profile.text(profile.processes[id.index()].name);
            metadata_name(events, &process, "process_name", name)?;
        }
        if track.kind == TrackKind::Process {
            if track.order != 0 {
                metadata_order(events, &process, "process_sort_index", track.order)?;
            }
            continue;
        }
        let name = track.thread.map_or("", |id| profile.text(profile.threads[id.index()].name));
        metadata_name(events, home, "thread_name", name)?;
        if track.order != 0 || row < last || track.kind != TrackKind::Lane {
            metadata_order(events, home, "thread_sort_index", track.order)?;
        }
    }
    for (id, home) in homes.add_threads() {
        let thread = profile.threads[id.index()];
        let process = Home { pid: home.pid.clone(), tid: String::new(), lane: None };
        if let Some(id) =
            thread.process.filter(|id| !std::mem::replace(&mut named[id.index()], true))
        {
            let name = profile.text(profile.processes[id.index()].name);
            metadata_name(events, &process, "process_name", name)?;
        }
        metadata_name(events, home, "thread_name", profile.text(thread.name))?;
    }
    Ok(())
}

fn metadata_name(
    events: &mut Events<'_>,
    home: &Home,
    kind: &str,
    name: &str,
) -> Result<(), WriteError> {
    if name.is_empty() {
        return Ok(());
    }
    events.begin('M', home)?;
    events.text("name", kind)?;
    events.argument("name", |events| events.json(name))?;
    events.end()
}

fn metadata_order(
    events: &mut Events<'_>,
    home: &Home,
    kind: &str,
    order: i64,
) -> Result<(), WriteError> {
    events.begin('M', home)?;
    events.text("name", kind)?;
    events.argument("sort_index", |events| Ok(write!(events.out, "{order}")?))?;
    events.end()
}

/// Complete events where their times say what stands in what; else begins and ends in order.
fn spans(events: &mut Events<'_>, track: TrackId, home: &Home) -> Result<(), WriteError> {
    let profile = events.profile;
    let spans = &profile.timeline.spans;
    let is_lane = home.lane.is_some();
    if !is_lane && nesting::is_plain(profile, track) {
        for row in spans.of_track(track) {
            let span = spans.get(row);
            begin(events, if span.is_unfinished { 'B' } else { 'X' }, home, span)?;
            if !span.is_unfinished {
                events.time("dur", span.length.into())?;
            }
            arguments(events, span)?;
            events.end()?;
        }
        return Ok(());
    }
    let (first, last) = if is_lane { ('b', 'e') } else { ('B', 'E') };
    let mut each = |step, time| {
        let (row, line, is_begin) = match step {
            Step::Begin { row, line } => (row, line, true),
            Step::End { row, line } => (row, line, false),
        };
        let span = spans.get(row);
        if !is_begin && span.is_unfinished {
            return Ok(());
        }
        if is_begin {
            begin(events, first, home, span)?;
        } else {
            events.begin(last, home)?;
            events.time("ts", absolute(profile, time))?;
            name_and_category(events, home, span)?;
        }
        if is_lane {
            write!(events.out, ",\"id\":\"{:#x}\"", lane_id(track, line))?;
        }
        if is_begin {
            arguments(events, span)?;
        }
        events.end()
    };
    nesting::steps(profile, track, is_lane, &mut each).map(drop)
}

/// Each line of a lane has an identifier of its own; line 0 is nothing's but that of marks.
fn lane_id(track: TrackId, line: u64) -> u64 {
    u64::from(track.0) << 32 | (line & u64::from(u32::MAX))
}

fn begin(events: &mut Events<'_>, phase: char, home: &Home, span: Span) -> Result<(), WriteError> {
    events.begin(phase, home)?;
    events.time("ts", absolute(events.profile, span.begin))?;
    name_and_category(events, home, span)
}

fn name_and_category(events: &mut Events<'_>, home: &Home, span: Span) -> Result<(), WriteError> {
    let profile = events.profile;
    let frame = span_frame(profile, span);
    events.text("name", &frame.map_or("".into(), |frame| profile.frame_name(frame)))?;
    let category = match &home.lane {
        Some(lane) => lane,
        None => category_of(profile, span),
    };
    if category.is_empty() { Ok(()) } else { events.text("cat", category) }
}

/// Its arguments, labels besides the category, and where its code is.
fn arguments(events: &mut Events<'_>, span: Span) -> Result<(), WriteError> {
    if let Some(frame) = span_frame(events.profile, span) {
        events.place(frame, span.arguments)?;
    }
    events.labels(events.profile.points.labels(span.point.index()), Some(CATEGORY))?;
    events.labels(span.arguments, None)
}

fn span_frame(profile: &Profile, span: Span) -> Option<FrameId> {
    frame_of(profile, profile.points.context[span.point.index()])
}

/// The label that is an event's category.
pub(super) const CATEGORY: &str = "category";

/// The category of a span; may be empty.
pub(crate) fn category_of(profile: &Profile, span: Span) -> &str {
    let mut labels = profile.label_sets.get(profile.points.labels(span.point.index()));
    let category = labels.find_map(|label| match label.value {
        LabelValue::Text(text) if is_category(profile, &label) => Some(text),
        _ => None,
    });
    category.map_or("", |text| profile.text(text))
}

/// Whether a label is a category.
pub(crate) fn is_category(profile: &Profile, label: &Label) -> bool {
    matches!(label.value, LabelValue::Text(_)) && profile.text(label.key) == CATEGORY
}

fn marks(events: &mut Events<'_>, track: TrackId, home: &Home) -> Result<(), WriteError> {
    let profile = events.profile;
    let marks = &profile.timeline.marks;
    for row in marks.of_track(track) {
        let mark = marks.get(track, row);
        events.begin(if home.lane.is_some() { 'n' } else { 'i' }, home)?;
        events.time("ts", absolute(profile, mark.time))?;
        events.text("name", profile.text(mark.kind))?;
        match &home.lane {
            Some(lane) => {
                if !lane.is_empty() {
                    events.text("cat", lane)?;
                }
                write!(events.out, ",\"id\":\"{:#x}\"", lane_id(track, 0))?;
            }
            None => {
                let is_process = profile.timeline.tracks[track.index()].kind == TrackKind::Process;
                events.text("s", if is_process { "p" } else { "t" })?;
            }
        }
        events.labels(mark.fields, None)?;
        events.end()?;
    }
    Ok(())
}

/// Series are of processes there; one of another track has the track as its identifier.
fn counters(events: &mut Events<'_>, homes: &Homes<'_>) -> Result<(), WriteError> {
    let profile = events.profile;
    for counter in &profile.timeline.counters {
        let home = &homes.of_track[counter.track.index()];
        let process = Home { pid: home.pid.clone(), tid: String::new(), lane: None };
        let key = match profile.text(counter.unit) {
            "" => "value".to_owned(),
            unit => format!("value ({unit})"),
        };
        for (&time, &value) in counter.times.iter().zip(&counter.values) {
            events.begin('C', &process)?;
            events.time("ts", absolute(profile, time))?;
            events.text("name", profile.text(counter.name))?;
            if profile.timeline.tracks[counter.track.index()].kind != TrackKind::Process {
                events.text("id", &home.tid)?;
            }
            events.argument(&key, |events| Ok(write!(events.out, "{value:?}")?))?;
            events.end()?;
        }
    }
    Ok(())
}

fn flows(events: &mut Events<'_>, homes: &Homes<'_>) -> Result<(), WriteError> {
    let profile = events.profile;
    for (number, flow) in profile.timeline.flows.iter().enumerate() {
        for (phase, end) in [('s', flow.from), ('f', flow.to)] {
            let home = &homes.of_track[end.track.index()];
            events.begin(phase, home)?;
            events.time("ts", absolute(profile, end.time))?;
            events.text("name", profile.text(flow.name))?;
            write!(events.out, ",\"cat\":\"flow\",\"id\":{number}")?;
            if phase == 'f' {
                write!(events.out, ",\"bp\":\"e\"")?;
            }
            events.end()?;
        }
    }
    Ok(())
}
