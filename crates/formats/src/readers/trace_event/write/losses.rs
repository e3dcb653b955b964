//! What traces do not hold, or hold otherwise.

use profile::{LabelSetId, LabelValue, LocationKind, MetricId, Profile, TrackId, TrackKind};

use super::category_of;
use super::ids::Homes;
use super::samples::{samples, weight_of};
use super::writer::CATEGORY;
use crate::Warnings;
use crate::time::nesting;

pub(super) fn besides(profile: &Profile, losses: &mut Warnings) {
    let mut lose = |count: usize, what: &'static str| {
        if count > 0 {
            losses.add_many(what, count as u64, || what.to_owned());
        }
    };
    let spans = &profile.timeline.spans;
    let samples = samples(profile);
    let mut is_written = vec![false; profile.points.len()];
    (0..spans.len()).for_each(|row| is_written[spans.point(row).index()] = true);
    samples.iter().for_each(|&point| is_written[point] = true);
    let measured = |point: usize| profile.points.row(point).iter().any(|&value| value != 0);
    let untimed = (0..is_written.len()).filter(|&point| !is_written[point] && measured(point));
    lose(untimed.count(), "samples without a time");

    let labelled = samples.iter().filter(|&&point| profile.points.labels(point).0 != 0);
    lose(labelled.count(), "labels of samples");
    tracks(profile, &mut lose);
    metrics(profile, &samples, &mut lose);
    let frames = &profile.locations.kind;
    let is_lost =
        |&&kind: &&LocationKind| !matches!(kind, LocationKind::Code | LocationKind::Region);
    lose(frames.iter().filter(is_lost).count(), "what is a loop or a data object");
}

/// What tracks and what is on them becomes.
fn tracks(profile: &Profile, lose: &mut impl FnMut(usize, &'static str)) {
    let timeline = &profile.timeline;
    let homes = Homes::new(profile);
    let (mut moved, mut misplaced, mut labels, mut units) = (0, 0, 0, 0);
    for (row, track) in timeline.tracks.iter().enumerate() {
        let (id, home) = (TrackId(row as u32), &homes.of_track[row]);
        let rows = timeline.spans.of_track(id);
        let parent = track.parent.map(|parent| timeline.tracks[parent.index()].kind);
        let is_kept = match track.kind {
            TrackKind::Process => parent.is_none() && rows.is_empty(),
            TrackKind::Thread | TrackKind::Lane => {
                parent == Some(TrackKind::Process) || timeline.beside(id).is_some()
            }
            TrackKind::Task | TrackKind::Processor | TrackKind::Queue => false,
        };
        moved += usize::from(!is_kept);
        let is_lane = home.lane.is_some();
        if is_lane || !nesting::is_plain(profile, id) {
            misplaced += nesting::steps(profile, id, is_lane, &mut |_, _| Ok(())).unwrap_or(0);
        }
        for span in rows.map(|row| timeline.spans.get(row)) {
            let set = profile.points.labels(span.point.index());
            let category = category_of(profile, span);
            let is_kept = home.lane.as_deref().is_none_or(|lane| lane == category);
            let other = |label: profile::Label| match label.value {
                LabelValue::Text(text) => {
                    profile.text(label.key) != CATEGORY || profile.text(text) != category
                }
                LabelValue::Number(..) => true,
            };
            labels += usize::from(!is_kept || profile.label_sets.get(set).any(other));
            units += units_of(profile, span.arguments);
        }
        let marks = timeline.marks.of_track(id).map(|row| timeline.marks.get(id, row));
        units += marks.map(|mark| units_of(profile, mark.fields)).sum::<usize>();
    }
    lose(moved, "what tracks are of and stand under, but for threads and lanes of processes");
    lose(misplaced as usize, "what spans stand in, where their times do not say it");
    lose(labels, "labels of spans besides a category, which become arguments");
    lose(units, "units of arguments");
    let is_elsewhere = |track: TrackId| timeline.tracks[track.index()].kind != TrackKind::Process;
    let elsewhere = timeline.counters.iter().filter(|counter| is_elsewhere(counter.track));
    lose(elsewhere.count(), "counters of other tracks than processes, which become the process's");
}

/// Numbers with a unit among labels.
pub(crate) fn units_of(profile: &Profile, set: LabelSetId) -> usize {
    let labels = profile.label_sets.get(set);
    let has_unit = |label: &profile::Label| match label.value {
        LabelValue::Number(_, unit) => !profile.text(unit).is_empty(),
        LabelValue::Text(_) => false,
    };
    labels.filter(has_unit).count()
}

/// Times and calls of spans follow from spans; of samples one metric is kept, as their weight.
pub(crate) fn metrics(
    profile: &Profile,
    samples: &[usize],
    lose: &mut impl FnMut(usize, &'static str),
) {
    let spans = &profile.timeline.spans;
    let weight = if samples.is_empty() { None } else { weight_of(profile) };
    let is_time = |metric: &profile::Metric| metric.unit == "nanoseconds" && metric.decimals == 0;
    let follows = |id: MetricId| {
        let metric = profile.metric(id);
        let of_spans = match &*metric.name {
            "time" | "asynchronous time" => is_time(metric),
            profile::CALLS | profile::CALLS_AT_LEAST => true,
            _ => false,
        };
        let of_samples = metric.name == "sampled time" || metric.name == "time";
        Some(id) == weight
            || (of_spans && !spans.is_empty())
            || (of_samples && is_time(metric) && weight.is_some())
            || profile.points.values(id).all(|value| value == 0)
    };
    lose(
        profile.metric_ids().filter(|&id| !follows(id)).count(),
        "metrics besides times and calls",
    );
    if let Some(weight) = weight.filter(|&id| !matches!(&*profile.metric(id).unit, "" | "count")) {
        let values = profile.points.values(weight).filter(|&value| value != 0);
        lose(values.count(), "the unit of the weights of samples");
    }
    let calls = profile.metric_ids().find(|&id| profile.metric(id).name == "calls");
    let counted = calls.map_or(spans.len() as i64, |calls| profile.metric_total(calls).0);
    let more = counted.abs_diff(spans.len() as i64);
    lose(more as usize, "calls that are not a span of their own, or several");
}
