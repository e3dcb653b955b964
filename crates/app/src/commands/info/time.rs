//! What a recording tells of time.

use std::collections::BTreeMap;

use serde::Serialize;
use session::{ProfileDocument, track_name};

use crate::text::count;

/// The stable JSON shape.
#[derive(Serialize)]
pub(super) struct TimelineJson {
    tracks: usize,
    spans: usize,
    marks: usize,
    counters: Vec<CounterJson>,
    flows: Vec<FlowJson>,
}

#[derive(Serialize)]
struct CounterJson {
    track: String,
    name: String,
    unit: String,
    /// How many values.
    values: usize,
    sum: f64,
}

#[derive(Serialize)]
struct FlowJson {
    name: String,
    count: u64,
    /// How long they took, together.
    total_ns: i64,
}

/// What a profile holds of time, if anything.
pub(super) fn json(document: &ProfileDocument) -> Option<TimelineJson> {
    let profile = document.profile();
    let timeline = &profile.timeline;
    if timeline.is_empty() {
        return None;
    }
    let counters = timeline.counters.iter().map(|counter| CounterJson {
        track: track_name(document, counter.track),
        name: profile.text(counter.name).to_owned(),
        unit: profile.text(counter.unit).to_owned(),
        values: counter.values.len(),
        sum: counter.values.iter().sum(),
    });
    let mut flows: BTreeMap<&str, (u64, i64)> = BTreeMap::new();
    for flow in &timeline.flows {
        let (times, total) = flows.entry(profile.text(flow.name)).or_default();
        *times += 1;
        *total = total.saturating_add(flow.to.time.saturating_sub(flow.from.time));
    }
    let flows = flows.into_iter().map(|(name, (count, total))| FlowJson {
        name: name.to_owned(),
        count,
        total_ns: total,
    });
    Some(TimelineJson {
        tracks: timeline.tracks.len(),
        spans: timeline.spans.len(),
        marks: timeline.marks.len(),
        counters: counters.collect(),
        flows: flows.collect(),
    })
}

/// The same in a line, of what there is.
pub(super) fn line(document: &ProfileDocument) -> Option<String> {
    let timeline = &document.profile().timeline;
    let all = [
        (timeline.tracks.len(), "tracks"),
        (timeline.spans.len(), "spans"),
        (timeline.marks.len(), "marks"),
        (timeline.counters.len(), "counters"),
        (timeline.flows.len(), "flows"),
    ];
    let present = all.into_iter().filter(|(number, _)| *number > 0);
    let words: Vec<String> =
        present.map(|(number, word)| format!("{} {word}", count(number as u64))).collect();
    (!words.is_empty()).then(|| words.join(", "))
}
