//! [`protocol::Request::Span`] and [`protocol::Request::FindSpan`].

use analysis::{Pattern, matching_frames};
use profile::{
    ContextId, FrameId, Label, LabelSetId, LabelValue, Profile, Span, TrackId, TrackKind,
};
use protocol::{
    ErrorCode, FindSpanParams, FindSpanResult, FlowInfo, ProtocolError, SampledFrameParams,
    SampledFrameResult, Shape, SpanParams, SpanResult, ViewSpec,
};
use work::steps;

use super::lanes::untimed;
use crate::ProfileDocument;
use crate::kinds::pattern_error;
use crate::kinds::profile::convert;
use crate::kinds::profile::pictures::charts::{chart_of_track, extent, found_spans};
use crate::kinds::profile::trees::views::{filtered_profile, frame_keys};

/// Most arguments that are told.
const MOST_ARGUMENTS: usize = 64;
/// Most arrows.
const MOST_FLOWS: usize = 256;

pub(crate) fn span(
    document: &ProfileDocument,
    params: &SpanParams,
) -> Result<SpanResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let row = params.span as usize;
    let Some(track) = track_of(profile, row) else {
        let message = format!("there is no span {row}");
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    };
    let of = &profile.timeline.tracks[track.index()];
    let span = profile.timeline.spans.get(row);
    let context = profile.points.context[span.point.index()];
    let frame = profile.frames_of(context).next_back().map(FrameId);
    let function = frame.and_then(|frame| profile.frames.function(frame));
    let time =
        |track: TrackId, time: i64| after(origin, profile.timeline.track_on_axis(track, time));
    let flows: Vec<FlowInfo> = (profile.timeline.flows.iter())
        .filter(|flow| {
            let is_at = |track: TrackId, time: i64| {
                let at = &profile.timeline.tracks[track.index()];
                (at.thread, at.member) == (of.thread, of.member)
                    && (span.begin..=span.end()).contains(&time)
            };
            is_at(flow.from.track, flow.from.time) || is_at(flow.to.track, flow.to.time)
        })
        .map(|flow| FlowInfo {
            name: profile.text(flow.name).to_owned(),
            tracks: [flow.from.track.0, flow.to.track.0],
            times: [flow.from, flow.to].map(|end| time(end.track, end.time)),
        })
        .collect();
    let path = path_of(document, &params.view, context);
    Ok(SpanResult {
        name: frame.map_or_else(String::new, |frame| profile.frame_name(frame).into_owned()),
        file: function.map_or_else(String::new, |function| {
            profile.text(profile.functions.file[function.index()]).to_owned()
        }),
        line: frame.map_or(0, |frame| profile.place_line(frame)),
        track: track.0,
        begin: time(track, span.begin),
        end: time(track, span.end()),
        length: span.length as f64,
        is_unfinished: span.is_unfinished,
        self_time: (of.kind != TrackKind::Lane && !span.is_unfinished)
            .then(|| self_time(profile, track, row) as f64),
        arguments: arguments(profile, &span),
        more_flows: flows.len().saturating_sub(MOST_FLOWS) as u32,
        flows: flows.into_iter().take(MOST_FLOWS).collect(),
        path,
    })
}

/// Keys of a call path from below the whole program, where the view is from the top down.
fn path_of(document: &ProfileDocument, view: &ViewSpec, context: ContextId) -> Vec<u32> {
    let profile = document.profile();
    let keys = frame_keys(document, convert::granularity(view.granularity));
    let mut path = vec![];
    let mut at = Some(context).filter(|_| matches!(view.shape, Shape::TopDown {}));
    while let Some(context) = at {
        path.extend(profile.frames_of(context).rev().map(|frame| keys.key(FrameId(frame)).0));
        at = profile.contexts.parent(context);
    }
    path.reverse();
    path
}

pub(crate) fn sampled_frame(
    document: &ProfileDocument,
    params: &SampledFrameParams,
) -> Result<SampledFrameResult, ProtocolError> {
    let profile = document.profile();
    let point = params.point as usize;
    let missing = |what: String| ProtocolError::new(ErrorCode::BadRequest, what);
    let Some(&context) = profile.points.context.get(point) else {
        return Err(missing(format!("there is no sample {point}")));
    };
    let mut contexts = vec![];
    let mut at = Some(context);
    while let Some(context) = at {
        contexts.push(context);
        at = profile.contexts.parent(context);
    }
    let mut frames =
        contexts.iter().rev().flat_map(|context| profile.frames_of(*context)).map(FrameId);
    let Some(frame) = frames.nth(params.depth as usize) else {
        let message = format!("the stack of sample {point} has no frame {}", params.depth);
        return Err(missing(message));
    };
    let function = profile.frames.function(frame);
    let mut path = path_of(document, &params.view, context);
    path.truncate((params.depth as usize).saturating_add(1));
    let labels = LabelSetId(profile.points.labels(point).0);
    let (thread, member) = (profile.points.thread(point), profile.points.member(point));
    let track = profile.timeline.tracks.iter().position(|track| {
        track.kind == TrackKind::Thread && track.thread == thread && track.member == member
    });
    let origin = extent(document).map_or(0, |[origin, _]| origin);
    let after = |time: i64| after(origin, profile.timeline.on_axis(member, time));
    Ok(SampledFrameResult {
        name: profile.frame_name(frame).into_owned(),
        file: function.map_or_else(String::new, |function| {
            profile.text(profile.functions.file[function.index()]).to_owned()
        }),
        line: profile.place_line(frame),
        track: track.map(|track| track as u32),
        time: profile.points.time(point).map(after),
        labels: texts(profile, profile.label_sets.get(labels)),
        path,
    })
}

/// Nanoseconds behind the begin.
fn after(origin: i64, time: i64) -> f64 {
    (i128::from(time) - i128::from(origin)) as f64
}

fn track_of(profile: &Profile, row: usize) -> Option<TrackId> {
    let timeline = &profile.timeline;
    let tracks = (0..timeline.tracks.len() as u32).map(TrackId);
    tracks.into_iter().find(|track| timeline.spans.of_track(*track).contains(&row))
}

/// Nanoseconds of a span in which none inside it ran; those that never end count as none.
pub(super) fn self_time(profile: &Profile, track: TrackId, row: usize) -> i64 {
    let spans = &profile.timeline.spans;
    let end = spans.get(row).end();
    let (mut own, mut busy_until) = (spans.length(row), i64::MIN);
    for inner in row + 1..spans.of_track(track).end {
        let span = spans.get(inner);
        if span.begin >= end {
            break;
        }
        if span.begin >= busy_until && !span.is_unfinished {
            own = own.saturating_sub(span.length);
            busy_until = span.end();
        }
    }
    own
}

pub(super) fn arguments(profile: &Profile, span: &Span) -> Vec<[String; 2]> {
    let own = profile.label_sets.get(span.arguments);
    let labels = profile.points.labels(span.point.index());
    let more = profile.label_sets.get(LabelSetId(labels.0));
    texts(profile, own.chain(more))
}

fn texts(profile: &Profile, labels: impl Iterator<Item = Label>) -> Vec<[String; 2]> {
    labels
        .take(MOST_ARGUMENTS)
        .map(|label| {
            let value = match label.value {
                LabelValue::Text(text) => profile.text(text).to_owned(),
                LabelValue::Number(number, unit) => {
                    format!("{number} {}", profile.text(unit)).trim_end().to_owned()
                }
            };
            [profile.text(label.key).to_owned(), value]
        })
        .collect()
}

pub(crate) fn find_span(
    document: &ProfileDocument,
    params: &FindSpanParams,
) -> Result<FindSpanResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let pattern = Pattern::search(&params.search).map_err(pattern_error)?;
    let spans = &profile.timeline.spans;
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    let is_even = profile.timeline.clocks.is_empty();
    let begin = |row: u32| {
        let begin = spans.begin(row as usize);
        let track = (!is_even).then(|| track_of(profile, row as usize)).flatten();
        track.map_or(begin, |track| profile.timeline.track_on_axis(track, begin))
    };
    let found = found_spans(document, &params.search, || {
        let frames = matching_frames(&filtered, &pattern);
        let matches = |row: &usize| {
            let context = profile.points.context[spans.point(*row).index()];
            profile.frames_of(context).next_back().is_some_and(|frame| frames[frame as usize])
        };
        let mut found: Vec<u32> =
            steps("finding spans", 0..spans.len()).filter(matches).map(|row| row as u32).collect();
        found.sort_by_cached_key(|&row| (begin(row), row));
        found
    });
    let known = params.span.checked_sub(1).and_then(|row| found.iter().position(|one| *one == row));
    let count = found.len();
    let next = match (known, params.back) {
        (Some(at), false) => (at + 1) % count.max(1),
        (Some(at), true) => (at + count - 1) % count.max(1),
        (None, back) => {
            let from = origin.saturating_add(params.from.round() as i64);
            let behind = found.partition_point(|&row| begin(row) < from);
            let at = if back { (behind + count).saturating_sub(1) } else { behind };
            at % count.max(1)
        }
    };
    let Some(&row) = found.get(next) else {
        let (count, at, begin, length) = (0.0, 0.0, 0.0, 0.0);
        return Ok(FindSpanResult { count, span: 0, at, track: 0, row: 0, begin, length });
    };
    let track = track_of(profile, row as usize).unwrap_or_default();
    let span = spans.get(row as usize);
    let chart = chart_of_track(document, track);
    let on_axis = |time: i64| profile.timeline.track_on_axis(track, time);
    Ok(FindSpanResult {
        count: count as f64,
        span: row + 1,
        at: next as f64,
        track: track.0,
        row: chart.row_of(row as usize).unwrap_or(0) as u32,
        begin: after(origin, on_axis(span.begin)),
        length: (i128::from(on_axis(span.end())) - i128::from(on_axis(span.begin))) as f64,
    })
}
