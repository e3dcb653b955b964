//! Random timelines as traces can hold them.

use profile::{
    Label, LabelSetId, LabelValue, Mark, Metric, Place, PointId, Profile, ProfileBuilder, Span,
    StringId, Timing, Track, TrackId, TrackKind,
};
use proptest::prelude::*;

/// One line of execution as it goes: spans begin, end, time goes on.
#[derive(Debug, Clone)]
pub(crate) enum Happens {
    Begin { name: usize, category: usize, arguments: usize },
    End,
    After(i64),
    Mark(usize),
}

fn happens() -> impl Strategy<Value = Vec<Happens>> {
    let one = prop_oneof![
        4 => (0..NAMES.len(), 0..3usize, 0..4usize)
            .prop_map(|(name, category, arguments)| Happens::Begin { name, category, arguments }),
        4 => Just(Happens::End),
        3 => (0..3000i64).prop_map(Happens::After),
        1 => (0..NAMES.len()).prop_map(Happens::Mark),
    ];
    prop::collection::vec(one, 0..24)
}

const NAMES: [&str; 8] = [
    "main",
    "read",
    "operator()(int, char)",
    "odd (name.py:3)",
    "quotes \" and \\ and\nlines",
    "名前 \u{1f525}",
    "0",
    "null",
];

/// A process's threads and lanes, each lane with several lines, as they go.
pub(crate) type Plan = Vec<(Vec<Vec<Happens>>, Vec<Vec<Vec<Happens>>>)>;

pub(crate) fn plan() -> impl Strategy<Value = Plan> {
    let threads = prop::collection::vec(happens(), 0..3);
    let lanes = prop::collection::vec(prop::collection::vec(happens(), 1..4), 0..3);
    prop::collection::vec((threads, lanes), 1..3)
}

struct Making {
    builder: ProfileBuilder,
    points: std::collections::HashMap<(u32, u32, u32), PointId>,
}

impl Making {
    fn text(&mut self, text: &str) -> StringId {
        self.builder.strings.intern(text)
    }

    fn label(&mut self, key: &str, value: &str) -> Label {
        let (key, value) = (self.text(key), self.text(value));
        Label { key, value: LabelValue::Text(value) }
    }

    fn arguments(&mut self, number: usize) -> LabelSetId {
        let odd = self.label("line", "not a place");
        let text = self.label("data", "\"\u{7f}\u{1}");
        let key = self.text("count");
        let count = Label { key, value: LabelValue::Number(-7, StringId::EMPTY) };
        match number {
            0 => LabelSetId(0),
            1 => self.builder.labels.add(&[count]),
            2 => self.builder.labels.add(&[odd, text]),
            _ => self.builder.labels.add(&[text, count, odd]),
        }
    }

    /// Lets a line of a track happen. Everything has ended at its end.
    fn line(&mut self, track: TrackId, lane: Option<&str>, start: i64, happens: &[Happens]) {
        let thread = self.builder.timeline.tracks[track.index()].thread.unwrap();
        let time_metric = if lane.is_some() { 2 } else { 0 };
        let mut now = start;
        let mut open: Vec<(i64, usize, profile::ContextId, Span, i64)> = vec![];
        let ends = std::iter::repeat_n(&Happens::End, happens.len());
        for one in happens.iter().chain(ends) {
            match *one {
                Happens::Begin { name, category, arguments } => {
                    let around = open.last().map_or(profile::ContextId::ROOT, |open| open.2);
                    let kind = if lane.is_some() {
                        profile::LocationKind::Region
                    } else {
                        profile::LocationKind::Code
                    };
                    let file = if name % 3 == 0 { "a b.c" } else { "" };
                    let line = if name % 3 == 0 { 7 } else { 0 };
                    let function = NAMES[name];
                    let place = Place { function, file, line, kind, ..Place::default() };
                    let location = self.builder.place(&place);
                    let context = self.builder.contexts.child(around, location);
                    let category = match (lane, category) {
                        (Some(lane), _) => lane.to_owned(),
                        (None, 0) => String::new(),
                        (None, number) => format!("category {number}"),
                    };
                    let labels = if category.is_empty() {
                        LabelSetId(0)
                    } else {
                        let label = self.label("category", &category);
                        self.builder.labels.add(&[label])
                    };
                    let arguments = self.arguments(arguments);
                    let builder = &mut self.builder;
                    let key = (thread.0, context.0, labels.0);
                    let point = *self.points.entry(key).or_insert_with(|| {
                        let point = profile::Point {
                            context,
                            labels,
                            thread: Some(thread),
                            ..profile::Point::default()
                        };
                        builder.points.push_point(point, &[0, 0, 0])
                    });
                    builder.points.row_mut(point)[1] += 1;
                    let span = Span { begin: now, point, arguments, ..Span::default() };
                    let place = builder.timeline.spans.push(track, span);
                    open.push((now, place, context, span, 0));
                }
                Happens::End => {
                    let Some((begin, place, _, span, inside)) = open.pop() else { continue };
                    let length = now - begin;
                    self.builder.points.row_mut(span.point)[time_metric] += length - inside;
                    if let Some(around) = open.last_mut() {
                        around.4 += length;
                    }
                    let span = Span { length, ..span };
                    self.builder.timeline.spans.end(place, span);
                }
                Happens::After(time) => now += time,
                Happens::Mark(kind) => {
                    let (kind, fields) = (self.text(NAMES[kind]), self.arguments(kind % 4));
                    self.builder.timeline.mark(Mark { track, time: now, kind, fields });
                }
            }
        }
    }
}

/// The profile of a plan. Spans that are equal in begin and length stand as they were begun.
pub(crate) fn made(plan: &Plan, start: i64) -> Profile {
    let calls = Metric { timing: Timing::Begins, ..Metric::new("calls", "count") };
    let [time, lanes] = ["time", "asynchronous time"].map(|name| Metric::new(name, "nanoseconds"));
    let builder = ProfileBuilder::new(vec![time, calls, lanes]);
    let mut making = Making { builder, points: std::collections::HashMap::new() };
    let mut all = vec![];
    for (number, (threads, lanes)) in plan.iter().enumerate() {
        let process = making.builder.process(&format!("{}", number + 10));
        if number == 0 {
            making.builder.processes[process.index()].name =
                making.builder.strings.intern("app \"x\"");
        }
        let track = Track {
            kind: TrackKind::Process,
            process: Some(process),
            order: -(number as i64),
            ..Track::default()
        };
        let parent = making.builder.timeline.track(track);
        let count = threads.len();
        for row in 0..count + lanes.len() {
            let lane = (row >= count).then(|| format!("lane {row}"));
            let id = match &lane {
                Some(lane) => format!("asynchronous: {lane}"),
                None => format!("{}", 20 + row),
            };
            let thread = making.builder.thread(Some(process), &id);
            if row == 1 && lane.is_none() {
                making.builder.threads[thread.index()].name = making.text("worker");
            }
            let track = making.builder.timeline.track(Track {
                kind: if lane.is_some() { TrackKind::Lane } else { TrackKind::Thread },
                parent: Some(parent),
                order: row as i64 % 2,
                process: Some(process),
                thread: Some(thread),
                ..Track::default()
            });
            // A lane is one by what is on it.
            let is_told = |line: &Vec<Happens>| {
                line.iter().any(|one| matches!(one, Happens::Begin { .. } | Happens::Mark(_)))
            };
            if lane.is_none() || lanes[row - count].iter().any(is_told) {
                all.push(track);
            }
            match &lane {
                None => making.line(track, None, start, &threads[row]),
                Some(lane) => {
                    for (number, line) in lanes[row - count].iter().enumerate() {
                        making.line(track, Some(lane), start + number as i64 * 999, line);
                    }
                }
            }
        }
        let (name, unit) =
            (making.text("heap"), making.text(if number == 0 { "bytes" } else { "" }));
        for (time, value) in [(0, 0.1), (5, -0.0), (2, 1e300), (7, 5e-324)] {
            making.builder.timeline.counter(parent, name, unit).push(start + time, value);
        }
    }
    let name = making.text("wake");
    for pair in all.windows(2) {
        let from = profile::FlowEnd { track: pair[0], time: start + 4 };
        let to = profile::FlowEnd { track: pair[1], time: start + 1 };
        making.builder.timeline.flows.push(profile::Flow { name, from, to });
        making.builder.timeline.flows.push(profile::Flow { name, from: to, to: from });
    }
    making.builder.finish()
}
