//! [`protocol::Request::Tracks`] and [`protocol::Request::Lanes`].

use std::collections::{BTreeMap, HashMap};

use analysis::{Filter, Filtered, FrameKey, Granularity, Pattern, shown_tracks, track_summaries};
use layout::{Activity, BarOf, LanesView};
use profile::{Clock, Counter, PointId, Profile, TrackId};
use protocol::{
    CounterInfo, ErrorCode, FlameFlag, LanesColumns, LanesParams, LanesResult, ListKind,
    ProtocolError, Reply, TrackInfo, TracksResult,
};
use work::long_steps;

use super::only::Only;
use crate::ProfileDocument;
use crate::kinds::pattern_error;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::track_titles::{recording, track_name};
use crate::kinds::profile::lists::lists_of;
use crate::kinds::profile::pictures::appearance::appearance;
use crate::kinds::profile::pictures::charts::{Innermost, chart_of_track, extent};
use crate::kinds::profile::trees::views::{filtered_profile, frame_keys};

/// Most tracks in an answer.
const MOST_TRACKS: usize = 10_000;
/// Most bars in an answer: what a page draws at 60 frames a second without a GPU.
const MOST_BARS: usize = 30_000;
/// Most view units that anything is worked out for.
const MOST_WIDTH: f64 = 20_000.0;

/// The error of a document that has no timestamps.
pub(crate) fn untimed(document: &ProfileDocument) -> ProtocolError {
    let message = format!("{} has no timestamps", document.title());
    ProtocolError::new(ErrorCode::BadRequest, message)
}

pub(crate) fn tracks(document: &ProfileDocument) -> Result<TracksResult, ProtocolError> {
    let profile = document.profile();
    let [origin, end] = extent(document).ok_or_else(|| untimed(document))?;
    let filtered = filtered_profile(document, &[], false).map_err(convert::filter_error)?;
    let summaries = track_summaries(&filtered);
    let shown = shown_tracks(profile);
    let only = Only::of_document(document);
    let own_length = |member| {
        let clock = profile.timeline.clock(member);
        clock.own(end).saturating_sub(clock.own(origin)).max(1) as f64
    };
    let tracks = shown.iter().take(MOST_TRACKS).map(|&(track, depth)| {
        let of = &profile.timeline.tracks[track.index()];
        let summary = &summaries[track.index()];
        TrackInfo {
            track: track.0,
            name: track_name(document, track),
            recording: match recording(document, of.member) {
                Some(name) if depth == 0 => name.to_owned(),
                _ => String::new(),
            },
            kind: of.kind.name().to_owned(),
            depth,
            spans: summary.spans as f64,
            busy: summary.busy as f64,
            busy_share: summary.busy as f64 / own_length(of.member),
            marks: summary.marks as f64,
            samples: summary.samples as f64,
            only: only.of_track(profile, track),
        }
    });
    let counters = profile.timeline.counters.iter().map(|counter| CounterInfo {
        track: counter.track.0,
        name: profile.text(counter.name).to_owned(),
        unit: profile.text(counter.unit).to_owned(),
        least: counter.values.iter().copied().fold(f64::INFINITY, f64::min),
        most: counter.values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    });
    Ok(TracksResult {
        origin: origin as f64,
        length: end.saturating_sub(origin) as f64,
        tracks: tracks.collect(),
        more: shown.len().saturating_sub(MOST_TRACKS) as u32,
        counters: counters.collect(),
        lists: lists_of(document).into_iter().filter(|one| one.list != ListKind::Tracks).collect(),
    })
}

pub(crate) fn lanes(
    document: &ProfileDocument,
    params: &LanesParams,
) -> Result<Reply<LanesResult, LanesColumns>, ProtocolError> {
    lanes_kept(document, params, convert::filters(&params.view.filters))
}

/// The same with other filters than those of the view.
pub(super) fn lanes_kept(
    document: &ProfileDocument,
    params: &LanesParams,
    filters: Vec<Filter>,
) -> Result<Reply<LanesResult, LanesColumns>, ProtocolError> {
    let sound = [params.from, params.to, params.width].iter().all(|x| x.is_finite());
    if !sound || params.to <= params.from || params.width < 1.0 {
        let message = "a part of time needs a begin, a later end and a width";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let profile = document.profile();
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let at = |time: f64| origin.saturating_add(time.round() as i64);
    let from = at(params.from);
    let view = LanesView {
        clock: Clock::even(),
        from,
        to: at(params.to).max(from.saturating_add(1)),
        width: params.width.min(MOST_WIDTH),
        first_row: 0,
        rows: 0,
        most_bars: MOST_BARS,
    };
    let mut answer = Answer::new(document, &params.search, filters, origin)?;
    let mut rows = vec![];
    let mut is_cut = false;
    for (of, wanted) in (0u32..).zip(&params.tracks) {
        let track = known_track(profile, wanted.track)?;
        let view = LanesView { clock: clock_of(profile, track), ..view };
        let chart = chart_of_track(document, track);
        if wanted.rows > 0 {
            let most_bars = MOST_BARS.saturating_sub(answer.columns.bar_of.len());
            let view =
                LanesView { first_row: wanted.first_row, rows: wanted.rows, most_bars, ..view };
            let lanes = layout::lanes(profile, &chart, &view);
            is_cut |= lanes.is_cut || chart.left_out() > 0;
            rows.push(lanes.rows);
            let samples_from = chart.rows() as u32;
            lanes.bars.iter().for_each(|bar| answer.bar(of, bar, samples_from, view.clock));
        } else {
            rows.push(chart.rows() as u32);
        }
        let all = if wanted.group {
            group_activity(document, track, &view)
        } else {
            layout::activity(profile, &chart, &view)
        };
        for one in all {
            let (key, _) = answer.key_of(one.of);
            let (name, colours) = answer.look_of(key);
            let columns = &mut answer.columns;
            columns.busy_of.push(of);
            columns.busy_unit.push(one.unit);
            columns.busy_share.push(one.busy);
            columns.busy_name.push(name);
            columns.busy_colours.push(colours);
        }
        answer.marks(of, track, &view);
        for (number, counter) in (0u32..).zip(&profile.timeline.counters) {
            if counter.track == track {
                answer.values(number, counter, &view);
            }
        }
    }
    let result = LanesResult { names: answer.names.list, rows, is_cut };
    Ok(Reply { result, columns: answer.columns })
}

/// Where times of a track are on the axis.
fn clock_of(profile: &Profile, track: TrackId) -> &Clock {
    profile.timeline.clock(profile.timeline.tracks[track.index()].member)
}

/// A track of that number.
pub(super) fn known_track(profile: &Profile, number: u32) -> Result<TrackId, ProtocolError> {
    let track = TrackId(number);
    if track.index() >= profile.timeline.tracks.len() {
        let message = format!("there is no track {number}");
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    Ok(track)
}

/// How busy a track and those under it are, by view unit: the mean over those that have spans or
/// samples. What runs is what runs on the busiest of them.
fn group_activity(
    document: &ProfileDocument,
    group: TrackId,
    view: &LanesView<'_>,
) -> Vec<Activity> {
    let profile = document.profile();
    let tracks = &profile.timeline.tracks;
    let is_under = |mut track: TrackId| loop {
        if track == group {
            return true;
        }
        match tracks[track.index()].parent {
            Some(parent) => track = parent,
            None => return false,
        }
    };
    let mut all: BTreeMap<u32, (f64, Activity)> = BTreeMap::new();
    let mut count = 0u32;
    let ids: Vec<TrackId> =
        (0..tracks.len() as u32).map(TrackId).filter(|&track| is_under(track)).collect();
    for track in long_steps("adding up tracks", ids) {
        let chart = chart_of_track(document, track);
        if chart.rows() == 0 && chart.samples().is_none() {
            continue;
        }
        count += 1;
        let view = LanesView { clock: clock_of(profile, track), ..*view };
        for one in layout::activity(profile, &chart, &view) {
            let (sum, busiest) = all.entry(one.unit).or_insert((0.0, one));
            *sum += one.busy;
            if one.busy > busiest.busy {
                *busiest = one;
            }
        }
    }
    let mean = |(sum, one): (f64, Activity)| Activity { busy: sum / f64::from(count), ..one };
    all.into_values().map(mean).collect()
}

/// Names in the order of first use.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    known: HashMap<String, u32>,
}

impl Names {
    fn index(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        self.list.push(name.to_owned());
        self.known.insert(name.to_owned(), self.list.len() as u32 - 1);
        self.list.len() as u32 - 1
    }
}

/// An answer that is being made.
struct Answer<'a> {
    document: &'a ProfileDocument,
    /// What filters leave, whatever the time.
    filtered: std::sync::Arc<Filtered>,
    keys: std::sync::Arc<analysis::FrameKeys>,
    innermost: std::sync::Arc<Innermost>,
    /// By key, whether it is searched for; empty where nothing is.
    matching: Vec<bool>,
    origin: i64,
    names: Names,
    /// By key, its name and its colours.
    looks: Vec<Option<(u32, u32)>>,
    columns: LanesColumns,
}

impl<'a> Answer<'a> {
    fn new(
        document: &'a ProfileDocument,
        search: &str,
        mut filters: Vec<Filter>,
        origin: i64,
    ) -> Result<Answer<'a>, ProtocolError> {
        filters.retain(|one| !one.kind.is_of_time());
        let filtered = filtered_profile(document, &filters, true).map_err(convert::filter_error)?;
        let keys = frame_keys(document, Granularity::Function);
        let matching = match search {
            "" => vec![],
            text => {
                let pattern = Pattern::search(text).map_err(pattern_error)?;
                analysis::matching_keys(&keys, &analysis::matching_frames(&filtered, &pattern))
            }
        };
        let (names, looks) = (Names::default(), vec![None; keys.len()]);
        let columns = LanesColumns::default();
        let innermost = Innermost::new(document, &keys);
        Ok(Answer { document, filtered, keys, innermost, matching, origin, names, looks, columns })
    }

    fn time(&self, time: i64) -> f64 {
        (i128::from(time) - i128::from(self.origin)) as f64
    }

    /// What it is called by, and the point that counts it.
    fn key_of(&self, of: BarOf) -> (Option<FrameKey>, PointId) {
        let profile = self.document.profile();
        match of {
            BarOf::Sample(frame, point) => (Some(self.keys.key(frame)), point),
            BarOf::Span(span) => {
                let point = profile.timeline.spans.point(span);
                let context = profile.points.context[point.index()];
                (self.innermost.key(context), point)
            }
        }
    }

    /// Name and colours.
    fn look_of(&mut self, key: Option<FrameKey>) -> (u32, u32) {
        let Some(key) = key else { return (self.names.index(""), 0) };
        if let Some(known) = self.looks[key.index()] {
            return known;
        }
        let profile = self.document.profile();
        let look = appearance(self.document).of_key(profile, &self.keys, key);
        let look = (self.names.index(&self.keys.name(profile, key)), look.0);
        self.looks[key.index()] = Some(look);
        look
    }

    /// Frames of samples stand in the rows from `samples_from` on.
    fn bar(&mut self, of: u32, bar: &layout::LaneBar, samples_from: u32, clock: &Clock) {
        let (key, point) = self.key_of(bar.of);
        let (name, colours) = self.look_of(key);
        let matches =
            key.is_some_and(|key| self.matching.get(key.index()).copied().unwrap_or(false));
        let mut flags = if matches { FlameFlag::MATCHES } else { 0 };
        let is_kept = match bar.of {
            BarOf::Span(row) => {
                self.filtered.keeps_span(row, &self.document.profile().timeline.spans.get(row))
            }
            _ => self.filtered.keeps_point(point.index()),
        };
        if !is_kept {
            flags |= FlameFlag::PALE;
        }
        if let BarOf::Span(row) = bar.of
            && self.document.profile().timeline.spans.is_unfinished(row)
        {
            flags |= FlameFlag::UNFINISHED;
        }
        let [begin, end] = [bar.begin, bar.end].map(|time| self.time(clock.on_axis(time)));
        let length = (i128::from(bar.end) - i128::from(bar.begin)) as f64;
        let columns = &mut self.columns;
        columns.bar_of.push(of);
        columns.bar_row.push(bar.row);
        columns.bar_begin.push(begin);
        columns.bar_end.push(end);
        columns.bar_length.push(length);
        columns.bar_name.push(name);
        let [span, point, depth] = match bar.of {
            BarOf::Span(row) => [row as u32 + 1, 0, 0],
            BarOf::Sample(..) => {
                [0, point.0.saturating_add(1), bar.row.saturating_sub(samples_from)]
            }
        };
        columns.bar_span.push(span);
        columns.bar_point.push(point);
        columns.bar_depth.push(depth);
        columns.bar_merged.push(bar.merged);
        columns.bar_flags.push(flags);
        columns.bar_colours.push(colours);
    }

    fn marks(&mut self, of: u32, track: TrackId, view: &LanesView<'_>) {
        let profile = self.document.profile();
        let marks = &profile.timeline.marks;
        let rows = marks.of_track(track);
        let unit = (view.to as f64 - view.from as f64) / view.width;
        let from = |time: i64, rows: std::ops::Range<usize>| {
            let (mut first, mut end) = (rows.start, rows.end);
            while first < end {
                let middle = first + (end - first) / 2;
                if marks.get(track, middle).time < time { first = middle + 1 } else { end = middle }
            }
            first
        };
        let mut next = from(view.clock.own(view.from), rows.clone());
        while next < rows.end {
            let mark = marks.get(track, next);
            let time = view.clock.on_axis(mark.time);
            if time >= view.to {
                break;
            }
            let cell = ((time as f64 - view.from as f64) / unit).floor() + 1.0;
            let edge = view.from.saturating_add((cell * unit).round() as i64);
            let edge = view.clock.own(edge).max(mark.time.saturating_add(1));
            let behind = from(edge, next..rows.end);
            let (name, time) = (self.names.index(profile.text(mark.kind)), self.time(time));
            self.columns.mark_of.push(of);
            self.columns.mark_time.push(time);
            self.columns.mark_name.push(name);
            self.columns.mark_merged.push((behind - next - 1) as u32);
            next = behind;
        }
    }

    /// The values of a series, by view unit: those of units in which it does not change are those
    /// before.
    fn values(&mut self, number: u32, counter: &Counter, view: &LanesView<'_>) {
        let unit = (view.to as f64 - view.from as f64) / view.width;
        let from = view.clock.own(view.from);
        let mut next = counter.times.partition_point(|&time| time < from);
        let mut before = next.checked_sub(1).map(|at| counter.values[at]);
        for cell in 0..view.width.ceil() as u32 {
            let edge = view.from.saturating_add((f64::from(cell + 1) * unit).round() as i64);
            let edge = view.clock.own(edge);
            let (mut least, mut most) =
                before.map_or((f64::INFINITY, f64::NEG_INFINITY), |value| (value, value));
            let first = next;
            while next < counter.times.len() && counter.times[next] < edge {
                (least, most) = (least.min(counter.values[next]), most.max(counter.values[next]));
                next += 1;
            }
            if next > first {
                before = Some(counter.values[next - 1]);
            }
            if least <= most && (next > first || cell == 0) {
                self.columns.value_of.push(number);
                self.columns.value_unit.push(cell);
                self.columns.value_least.push(least);
                self.columns.value_most.push(most);
            }
        }
    }
}
