//! The bars of a track's rows in a part of time.

use analysis::{RowOf, TrackChart};
use profile::{Clock, FrameId, Profile};

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
    fn end_of_cell(&self, time: i64) -> i64 {
        let unit = self.unit();
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
        let mut stacks =
            Stacks { first_row: lanes.rows, open: vec![], deepest: 0, lanes: &mut lanes };
        for run in Runs::new(profile, samples, view) {
            stacks.take(profile, samples, run, view);
        }
        stacks.close(0);
        let deepest = stacks.deepest as u32;
        lanes.bars.retain(|bar| wanted.contains(&bar.row));
        lanes.bars.sort_by_key(|bar| (bar.row, bar.begin));
        lanes.rows += deepest;
        if lanes.bars.len() > view.most_bars {
            lanes.bars.truncate(view.most_bars);
            lanes.is_cut = true;
        }
    }
    lanes
}

/// How busy a track is, by view unit; none for those in which nothing runs.
pub fn activity(profile: &Profile, chart: &TrackChart, view: &LanesView<'_>) -> Vec<Activity> {
    let outermost = chart.row(0).or_else(|| chart.samples());
    let Some(outermost) = outermost else { return vec![] };
    let mut all = vec![];
    let unit = view.unit();
    let edge = |cell: u32| {
        let edge = view.from.saturating_add((f64::from(cell) * unit).round() as i64);
        view.clock.own(edge.min(view.to))
    };
    // By row, where the last cell began.
    let mut known = vec![0; chart.rows().max(1)];
    for cell in 0..view.width.ceil() as u32 {
        let [begin, end] = [edge(cell), edge(cell + 1)];
        if end <= begin {
            continue;
        }
        let covered = chart.covered([begin, end]);
        // Rows of a lane stand beside each other: the longest of all.
        let beside = if covered.is_some() { 1..chart.rows() } else { 0..0 };
        let mut found = outermost.busy(profile, &mut known[0], [begin, end]).map(|busy| (busy, 0));
        for row in beside.clone() {
            let busy =
                chart.row(row).and_then(|of| of.busy(profile, &mut known[row], [begin, end]));
            if let Some(busy) = busy
                && found.is_none_or(|(longest, _)| busy.length > longest.length)
            {
                found = Some((busy, row));
            }
        }
        let Some((mut busy, mut row)) = found else { continue };
        let mut in_row = chart.row(row).unwrap_or(outermost);
        let [mut from, mut to] = [begin, end];
        let all_of_it = covered.unwrap_or(busy.all);
        // What is inside the longest, as long as one takes half of it.
        let goes_inside = covered.is_none() && in_row.span(0).is_some();
        while let Some(inner) = chart.row(row + 1).filter(|_| goes_inside) {
            let [first, last] = in_row.times(profile, busy.longest);
            (from, to) = (first.max(from), last.min(to));
            match inner.busy(profile, &mut known[row + 1], [from, to]) {
                Some(next)
                    if next.length.saturating_mul(2) >= to.saturating_sub(from)
                        && next.length > 0 =>
                {
                    (busy, in_row, row) = (next, inner, row + 1);
                }
                _ => break,
            }
        }
        let of = match in_row.span(busy.longest) {
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
    next: usize,
}

impl<'a> Runs<'a> {
    fn new(profile: &'a Profile, row: RowOf<'a>, view: &'a LanesView<'a>) -> Runs<'a> {
        let next = row.first_behind(profile, 0..row.len(), view.clock.own(view.from));
        Runs { profile, row, view, to: view.clock.own(view.to), next }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let Runs { profile, row, view, to, next } = *self;
        if next >= row.len() {
            return None;
        }
        let is_wide = |times: [i64; 2]| view.width_of(times) >= view.unit();
        let [begin, end] = row.times(profile, next);
        if begin >= to {
            return None;
        }
        if is_wide([begin, end]) {
            self.next += 1;
            return Some(Run { begin, end, at: next, merged: 0 });
        }
        let cell_end = view.end_of_cell(begin);
        let mut behind = row.first_from(profile, next + 1..row.len(), cell_end);
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
struct Stacks<'a> {
    first_row: u32,
    open: Vec<LaneBar>,
    deepest: usize,
    lanes: &'a mut Lanes,
}

impl Stacks<'_> {
    fn take(&mut self, profile: &Profile, samples: RowOf<'_>, run: Run, view: &LanesView<'_>) {
        let point = samples.point(profile, run.at);
        let mut contexts = vec![];
        let mut context = Some(profile.points.context[point.index()]);
        while let Some(one) = context {
            contexts.push(one);
            context = profile.contexts.parent(one);
        }
        let frames =
            contexts.iter().rev().flat_map(|context| profile.frames_of(*context)).map(FrameId);
        // A gap that one does not see is none.
        let gap = |last: &LaneBar| view.width_of([last.end, run.begin]) > view.unit() / 2.0;
        if self.open.first().is_some_and(gap) {
            self.close(0);
        }
        let same = |one: FrameId, other: FrameId| {
            one == other
                || profile.frames.function(one).is_some()
                    && profile.frames.function(one) == profile.frames.function(other)
        };
        let mut depth = 0;
        for frame in frames {
            let known = self.open.get(depth).map(|bar| bar.of);
            match known {
                Some(BarOf::Sample(other, _)) if same(frame, other) => {
                    self.open[depth].end = run.end
                }
                _ => {
                    self.close(depth);
                    self.open.push(LaneBar {
                        row: self.first_row.saturating_add(depth as u32),
                        begin: run.begin,
                        end: run.end,
                        of: BarOf::Sample(frame, point),
                        merged: 0,
                    });
                }
            }
            depth += 1;
        }
        self.close(depth);
        self.deepest = self.deepest.max(depth);
        if let Some(innermost) = self.open.last_mut() {
            innermost.merged = innermost.merged.saturating_add(run.merged);
        }
    }

    /// Ends the bars from a depth on.
    fn close(&mut self, depth: usize) {
        let ended = self.open.split_off(depth.min(self.open.len()));
        self.lanes.bars.extend(ended);
    }
}
