//! The bars of a track's rows in a part of time.

use std::ops::Range;

use analysis::{RowOf, TimeEdge, TrackChart};
use profile::{Clock, ContextId, FrameId, Profile};

/// What part of a track is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LanesView<'a> {
    /// Where times of the track are on the axis.
    pub clock: &'a Clock,
    /// Begin of the wanted part, in nanoseconds of the axis.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Its width in view units.
    pub width: f64,
    /// First wanted row.
    pub first_row: u32,
    /// Number of wanted rows.
    pub rows: u32,
    /// Most bars.
    pub most_bars: usize,
}

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarOf {
    /// A row of the table of spans.
    Span(usize),
    /// A frame of a sample's stack; the sample's point.
    Sample(FrameId, profile::PointId),
}

/// A bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneBar {
    /// Row.
    pub row: u32,
    /// Begin in nanoseconds of the track.
    pub begin: i64,
    /// End in nanoseconds of the track.
    pub end: i64,
    /// Of several in a view unit, the longest.
    pub of: BarOf,
    /// How many stand in it besides.
    pub merged: u32,
}

/// Bars, by row and time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lanes {
    /// The bars of the wanted part.
    pub bars: Vec<LaneBar>,
    /// Rows of spans, and under them those of the samples' deepest stack in the wanted part.
    pub rows: u32,
    /// There are more bars than were wanted.
    pub is_cut: bool,
}

/// How busy a track is within a view unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Activity {
    /// Which view unit.
    pub unit: u32,
    /// The share of it in which anything runs, from 0 to 1.
    pub busy: f64,
    /// What runs longest there: the innermost that takes half of what is around it at least.
    pub of: BarOf,
}

impl LanesView<'_> {
    /// Nanoseconds of the axis that are a view unit.
    fn unit(&self) -> f64 {
        (self.to as f64 - self.from as f64) / self.width.max(1.0)
    }

    /// When the view unit ends in which a time is.
    fn end_of_cell(&self, time: i64, unit: f64) -> i64 {
        let cell = ((self.clock.on_axis(time) as f64 - self.from as f64) / unit).floor();
        let end = self.from.saturating_add(((cell + 1.0) * unit).round() as i64);
        self.clock.own(end).max(time.saturating_add(1))
    }

    /// How many nanoseconds of the axis are between two times.
    fn width_of(&self, [begin, end]: [i64; 2]) -> f64 {
        self.clock.on_axis(end) as f64 - self.clock.on_axis(begin) as f64
    }
}

/// The bars of a track. What is narrower than a view unit is drawn together with what else is in it.
pub fn lanes(profile: &Profile, chart: &TrackChart, view: &LanesView<'_>) -> Lanes {
    let mut lanes = Lanes { rows: chart.rows() as u32, ..Lanes::default() };
    let wanted = view.first_row..view.first_row.saturating_add(view.rows);
    for row in wanted.clone().take_while(|row| (*row as usize) < chart.rows()) {
        let Some(spans) = chart.row(row as usize) else { break };
        for Run { begin, end, at, merged } in Runs::new(profile, spans, view) {
            if lanes.bars.len() >= view.most_bars {
                lanes.is_cut = true;
                return lanes;
            }
            let of = BarOf::Span(spans.span(at).unwrap_or_default());
            lanes.bars.push(LaneBar { row, begin, end, of, merged });
        }
    }
    if let Some(samples) = chart.samples() {
        let first_row = lanes.rows;
        let has_room = lanes.bars.len() < view.most_bars;
        let mut stacks = Stacks { first_row, wanted, has_room, ..Stacks::default() };
        for run in Runs::new(profile, samples, view) {
            stacks.take(profile, samples, run, view);
        }
        stacks.close(0);
        lanes.rows += stacks.rows.len() as u32;
        let room = view.most_bars - lanes.bars.len();
        lanes.is_cut = stacks.count > room;
        lanes.bars.extend(stacks.rows.into_iter().flatten().take(room));
    }
    lanes
}

/// How busy a track is, by view unit; none for those in which nothing runs.
pub fn activity(profile: &Profile, chart: &TrackChart, view: &LanesView<'_>) -> Vec<Activity> {
    let outermost = chart.row(0).or_else(|| chart.samples());
    let Some(outermost) = outermost else { return vec![] };
    let mut all = vec![];
    let unit = view.unit();
    let edge = |cell: u32, known: Option<TimeEdge>| {
        let edge = view.from.saturating_add((f64::from(cell) * unit).round() as i64);
        outermost.edge(profile, view.clock.own(edge.min(view.to)), known)
    };
    let mut next = edge(0, None);
    // By row, where the last cell began.
    let mut known = vec![0; chart.rows().max(1)];
    for cell in 0..view.width.ceil() as u32 {
        let edges = [next, edge(cell + 1, Some(next))];
        next = edges[1];
        let [begin, end] = edges.map(TimeEdge::time);
        if end <= begin {
            continue;
        }
        let covered = chart.covered([begin, end]);
        // Rows of a lane stand beside each other: the longest of all.
        let beside = if covered.is_some() { 1..chart.rows() } else { 0..0 };
        let mut found = outermost.busy(profile, &mut known[0], edges).map(|busy| (busy, 0));
        for row in beside.clone() {
            let busy = chart.row(row).and_then(|of| of.busy(profile, &mut known[row], edges));
            if let Some(busy) = busy
                && found.is_none_or(|(longest, _)| busy.length > longest.length)
            {
                found = Some((busy, row));
            }
        }
        let Some((mut busy, mut row)) = found else { continue };
        let mut in_row = chart.row(row).unwrap_or(outermost);
        let mut inside = edges;
        let all_of_it = covered.unwrap_or(busy.all);
        // What is inside the longest, as long as one takes half of it.
        let goes_inside = covered.is_none() && in_row.span(0).is_some();
        let mut core = None;
        while let Some(inner) = chart.row(row + 1).filter(|_| goes_inside) {
            // Of one that is here as a whole it is known.
            if busy.length == in_row.length(profile, busy.longest) {
                core = in_row.span(busy.longest).and_then(|span| chart.core(span));
            }
            if core.is_some() {
                break;
            }
            inside = in_row.edges_inside(profile, busy.longest, inside);
            let [from, to] = inside.map(TimeEdge::time);
            match inner.busy(profile, &mut known[row + 1], inside) {
                Some(next)
                    if next.length.saturating_mul(2) >= to.saturating_sub(from)
                        && next.length > 0 =>
                {
                    (busy, in_row, row) = (next, inner, row + 1);
                }
                _ => break,
            }
        }
        let of = match core.or_else(|| in_row.span(busy.longest)) {
            Some(span) => BarOf::Span(span),
            None => {
                let point = in_row.point(profile, busy.longest);
                let context = profile.points.context[point.index()];
                let Some(frame) = profile.frames_of(context).next_back() else { continue };
                BarOf::Sample(FrameId(frame), point)
            }
        };
        let share = all_of_it as f64 / (end as f64 - begin as f64);
        all.push(Activity { unit: cell, busy: share.min(1.0), of });
    }
    all
}

/// What is drawn as one: an item alone, or several in a view unit.
#[derive(Debug, Clone, Copy)]
struct Run {
    begin: i64,
    end: i64,
    at: usize,
    merged: u32,
}

struct Runs<'a> {
    profile: &'a Profile,
    row: RowOf<'a>,
    view: &'a LanesView<'a>,
    /// End of the wanted part on the track.
    to: i64,
    unit: f64,
    /// The last edge that was found.
    edge: TimeEdge,
    next: usize,
}

impl<'a> Runs<'a> {
    fn new(profile: &'a Profile, row: RowOf<'a>, view: &'a LanesView<'a>) -> Runs<'a> {
        let edge = row.edge(profile, view.clock.own(view.from), None);
        let next = row.first_behind(profile, 0, edge);
        Runs { profile, row, view, to: view.clock.own(view.to), unit: view.unit(), edge, next }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let Runs { profile, row, view, to, unit, edge, next } = *self;
        if next >= row.len() {
            return None;
        }
        let is_wide = |times: [i64; 2]| view.width_of(times) >= unit;
        let [begin, end] = row.times(profile, next);
        if begin >= to {
            return None;
        }
        if is_wide([begin, end]) {
            self.next += 1;
            return Some(Run { begin, end, at: next, merged: 0 });
        }
        self.edge = row.edge(profile, view.end_of_cell(begin, unit), Some(edge));
        let mut behind = row.first_from(next + 1, self.edge);
        // The last one may be wide: it is a bar of its own.
        if behind > next + 1 && is_wide(row.times(profile, behind - 1)) {
            behind -= 1;
        }
        self.next = behind;
        let at = row.longest(profile, next..behind).unwrap_or(next);
        let end = row.times(profile, behind - 1)[1];
        Some(Run { begin, end, at, merged: (behind - next - 1) as u32 })
    }
}

/// Samples in time order become bars of their stacks: frames that neighbours share are one.
#[derive(Default)]
struct Stacks {
    first_row: u32,
    wanted: Range<u32>,
    /// Whether any bar is wanted; else they are counted.
    has_room: bool,
    /// Bars that are not ended.
    open: Vec<LaneBar>,
    /// The contexts of the sample before, outermost first, each with the number of frames up to it. Parents
    /// have smaller numbers.
    contexts: Vec<(ContextId, usize)>,
    /// Where the sample before ends.
    end: i64,
    /// By depth, the bars that are wanted, by time.
    rows: Vec<Vec<LaneBar>>,
    /// How many are wanted.
    count: usize,
}

impl Stacks {
    fn take(&mut self, profile: &Profile, samples: RowOf<'_>, run: Run, view: &LanesView<'_>) {
        let point = samples.point(profile, run.at);
        // A gap that one does not see is none.
        if !self.open.is_empty() && view.width_of([self.end, run.begin]) > view.unit() / 2.0 {
            self.close(0);
            self.contexts.clear();
        }
        let mut own = vec![];
        let mut context = Some(profile.points.context[point.index()]);
        while let Some(one) = context {
            while self.contexts.last().is_some_and(|(last, _)| *last > one) {
                self.contexts.pop();
            }
            if self.contexts.last().is_some_and(|(last, _)| *last == one) {
                break;
            }
            own.push(one);
            context = profile.contexts.parent(one);
        }
        let same = |one: FrameId, other: FrameId| {
            one == other
                || profile.frames.function(one).is_some()
                    && profile.frames.function(one) == profile.frames.function(other)
        };
        let mut depth = self.contexts.last().map_or(0, |(_, depth)| *depth);
        for context in own.into_iter().rev() {
            for frame in profile.frames_of(context).map(FrameId) {
                let known = self.open.get(depth).map(|bar| bar.of);
                if !matches!(known, Some(BarOf::Sample(other, _)) if same(frame, other)) {
                    self.close(depth);
                    self.open.push(LaneBar {
                        row: self.first_row.saturating_add(depth as u32),
                        begin: run.begin,
                        end: run.end,
                        of: BarOf::Sample(frame, point),
                        merged: 0,
                    });
                }
                depth += 1;
            }
            self.contexts.push((context, depth));
        }
        self.close(depth);
        self.end = run.end;
        if self.rows.len() < depth {
            self.rows.resize_with(depth, Vec::new);
        }
        if let Some(innermost) = self.open.last_mut() {
            innermost.merged = innermost.merged.saturating_add(run.merged);
        }
    }

    /// Ends the bars from a depth on where the sample before ends.
    fn close(&mut self, depth: usize) {
        for (bar, row) in self.open.drain(depth.min(self.open.len())..).zip(depth..) {
            if self.wanted.contains(&bar.row) {
                self.count += 1;
                if self.has_room {
                    self.rows[row].push(LaneBar { end: self.end, ..bar });
                }
            }
        }
    }
}
