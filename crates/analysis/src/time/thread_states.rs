//! What threads did when: ran, could have run, waited for what.
//!
//! ```text
//! processor 0   |-- a: then sleeping --|-- b -------|-- a ---
//! wake-up                                  \------->
//! a             |   running            | sleeping | runnable | running
//! ```
//! Formats that tell what ran on processors (the kernel's switches) have the whole of it: from one run of
//! a thread to its next, it was as the label `then` of the former says; where it slept, until the first
//! wake-up that arrives where it runs next, and from then on it could have run. A run without that label
//! leaves open what the thread did. Of runs of which the recording has one end alone nothing is known on
//! the other side; where there are such between others, a processor's switches were not all recorded, and
//! what a thread did behind its last run is not known either. Other formats tell of waits alone, as Java does of monitors, parking,
//! sleep and input: the innermost of those on the track of a thread counts, the rest was not measured.

use std::collections::{BTreeMap, HashMap};

use profile::{LabelValue, MemberId, Profile, Span, StringId, ThreadId, TrackId, TrackKind};
use work::steps;

use super::span_statistics::key_of;
use super::{Window, recorded_times};
use crate::Filtered;

/// What a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreadState {
    /// It runs on a processor.
    Running,
    /// It could run, but something else does.
    Runnable,
    /// It waits: in the words of the scheduler, such as `sleeping`.
    Waiting(StringId),
    /// It waits in an event, such as `jdk.ThreadPark`, for something of a class, which may be empty.
    Blocked(StringId, StringId),
    /// It is on no processor; it is not told why.
    OffProcessor,
    /// Nothing is known.
    NotMeasured,
}

/// How long a thread was in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadStateTime {
    /// The thread.
    pub thread: ThreadId,
    /// The member that it is told by; each begins anew.
    pub member: MemberId,
    /// The state.
    pub state: ThreadState,
    /// Nanoseconds of the time that counts.
    pub time: i64,
    /// In how many stretches; a thread that goes on on another processor begins a new one.
    pub count: u64,
    /// The longest of them: its length and its begin.
    pub longest: [i64; 2],
}

/// The label that says what became of a thread.
const THEN: &str = "then";
/// Its value for one that could have gone on.
const RUNNABLE: &str = "runnable";

/// The label of a run of which the recording has one end alone, and its value for the begin.
const RECORDED: &str = "recorded";
const BEGIN_ALONE: &str = "begin alone";

/// Events that are waits, and the field that says of what.
const WAITS: [(&str, &str); 11] = [
    ("jdk.JavaMonitorEnter", "monitorClass"),
    ("jdk.JavaMonitorWait", "monitorClass"),
    ("jdk.ThreadPark", "parkedClass"),
    ("jdk.ThreadSleep", ""),
    ("jdk.VirtualThreadPinned", "blockingOperation"),
    ("jdk.FileRead", ""),
    ("jdk.FileWrite", ""),
    ("jdk.FileForce", ""),
    ("jdk.SocketRead", ""),
    ("jdk.SocketWrite", ""),
    ("jdk.ZAllocationStall", ""),
];

/// Of the threads of which anything is told and a point counts, in their order, the states of each by
/// time, in a window or all of the recording. With what was not measured they add up to that. Filters of
/// time are for the window to know: what a thread does goes by what it did before.
pub fn thread_states(filtered: &Filtered, window: Option<&Window>) -> Vec<ThreadStateTime> {
    let profile = filtered.profile();
    let recorded = recorded_times(profile);
    let all = Threads::new(filtered);
    let wakes = wakes_of(profile);
    let mut told = vec![];
    for ((member, thread), of) in all.of {
        let extent = recorded.get(member.index()).copied().flatten();
        let Some(extent) = extent.filter(|_| of.counts) else { continue };
        let mut states = Collected { window, thread, member, times: BTreeMap::new() };
        if of.runs.is_empty() {
            states.waits(&of.waits, extent);
        } else {
            states.runs(of.runs, &wakes, extent, all.are_whole);
        }
        let mut own: Vec<ThreadStateTime> = states.times.into_values().collect();
        if own.iter().all(|one| one.state == ThreadState::NotMeasured) {
            continue;
        }
        own.sort_by_key(|one| (std::cmp::Reverse(one.time), one.state));
        told.extend(own);
    }
    told
}

/// Whether a recording can tell of states: it has runs on processors, or spans of a name that is a wait.
pub fn tells_states(profile: &Profile) -> bool {
    let timeline = &profile.timeline;
    let has_runs = (0..).map(TrackId).zip(&timeline.tracks).any(|(track, of)| {
        of.kind == TrackKind::Processor && !timeline.spans.of_track(track).is_empty()
    });
    has_runs || !timeline.spans.is_empty() && !Waits::new(profile).names.is_empty()
}

/// A run, or a wait of a thread.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    track: TrackId,
    span: Span,
    state: ThreadState,
    /// Whether the recording has the begin, and the end.
    ends: [bool; 2],
}

/// What is told of a thread.
#[derive(Default)]
struct OfThread {
    /// Runs; their state is what became of the thread then.
    runs: Vec<Stretch>,
    waits: Vec<Stretch>,
    /// Whether a point of these counts.
    counts: bool,
}

struct Threads {
    of: BTreeMap<(MemberId, ThreadId), OfThread>,
    /// Whether all switches of processors were recorded from their first to their last.
    are_whole: bool,
}

impl Threads {
    fn new(filtered: &Filtered) -> Threads {
        let profile = filtered.profile();
        let spans = &profile.timeline.spans;
        let waits = Waits::new(profile);
        let mut all = Threads { of: BTreeMap::new(), are_whole: true };
        for (number, of) in profile.timeline.tracks.iter().enumerate() {
            let track = TrackId(number as u32);
            if of.kind != TrackKind::Processor && waits.names.is_empty() {
                continue;
            }
            let rows = spans.of_track(track);
            for row in steps("looking at threads", rows.clone()) {
                let span = spans.get(row);
                let thread = profile.points.thread(span.point.index());
                let state = match of.kind {
                    TrackKind::Processor => Some(waits.after(profile, &span)),
                    _ => waits.during(profile, row, &span),
                };
                let (Some(thread), Some(state)) = (thread, state) else { continue };
                let known = all.of.entry((of.member, thread)).or_default();
                let is_run = of.kind == TrackKind::Processor;
                let ends = if is_run { waits.ends(profile, &span) } else { [true; 2] };
                // Before a processor's first switch and behind its last one nothing was to be recorded.
                let edges = [spans.begin(rows.start), spans.begin(rows.end - 1)];
                let is_outermost = match ends {
                    [false, _] => span.begin == edges[0],
                    _ => span.begin == edges[1],
                };
                all.are_whole &= ends == [true; 2] || is_outermost;
                let stretches = if is_run { &mut known.runs } else { &mut known.waits };
                stretches.push(Stretch { track, span, state, ends });
                known.counts |= filtered.keeps_span(row, &span);
            }
        }
        all
    }
}

/// Names of waits, by those that the profile has.
struct Waits {
    then: Option<StringId>,
    runnable: Option<StringId>,
    recorded: Option<StringId>,
    begin_alone: Option<StringId>,
    names: HashMap<StringId, StringId>,
}

impl Waits {
    fn new(profile: &Profile) -> Waits {
        let ids: HashMap<&str, StringId> = (0..profile.strings.len() as u32)
            .map(|id| (profile.text(StringId(id)), StringId(id)))
            .filter(|(text, _)| {
                [THEN, RUNNABLE, RECORDED, BEGIN_ALONE].contains(text)
                    || WAITS.iter().any(|(name, field)| text == name || text == field)
            })
            .collect();
        let id = |text: &str| ids.get(text).copied();
        let field = |field: &str| id(field).unwrap_or(StringId::EMPTY);
        let names = WAITS.iter().filter_map(|(name, of)| Some((id(name)?, field(of))));
        Waits {
            then: id(THEN),
            runnable: id(RUNNABLE),
            recorded: id(RECORDED),
            begin_alone: id(BEGIN_ALONE),
            names: names.collect(),
        }
    }

    /// Whether the recording has the begin of a run, and its end.
    fn ends(&self, profile: &Profile, span: &Span) -> [bool; 2] {
        match text_of(profile, span, self.recorded) {
            None => [true; 2],
            Some(text) if Some(text) == self.begin_alone => [true, false],
            Some(_) => [false, true],
        }
    }

    /// What became of a thread behind a run.
    fn after(&self, profile: &Profile, span: &Span) -> ThreadState {
        match text_of(profile, span, self.then) {
            Some(text) if Some(text) == self.runnable => ThreadState::Runnable,
            Some(text) => ThreadState::Waiting(text),
            None => ThreadState::OffProcessor,
        }
    }

    /// What a thread waits for in a span, if that is a wait.
    fn during(&self, profile: &Profile, row: usize, span: &Span) -> Option<ThreadState> {
        let (name, ..) = key_of(profile, row, false);
        let field = *self.names.get(&name)?;
        let by = text_of(profile, span, Some(field).filter(|&field| field != StringId::EMPTY));
        Some(ThreadState::Blocked(name, by.unwrap_or(StringId::EMPTY)))
    }
}

/// The text that a span has under a key.
fn text_of(profile: &Profile, span: &Span, key: Option<StringId>) -> Option<StringId> {
    let key = key?;
    let mut labels = profile.label_sets.get(span.arguments);
    labels.find_map(|label| match label.value {
        LabelValue::Text(text) if label.key == key => Some(text),
        _ => None,
    })
}

/// Wake-ups: where and when they arrive, and when they leave.
fn wakes_of(profile: &Profile) -> Vec<(TrackId, i64, i64)> {
    let timeline = &profile.timeline;
    let is_processor = |track: TrackId| timeline.tracks[track.index()].kind == TrackKind::Processor;
    let flows = (timeline.flows.iter())
        .filter(|flow| is_processor(flow.to.track) && !flow.is_migration(profile));
    let mut all: Vec<_> = flows.map(|flow| (flow.to.track, flow.to.time, flow.from.time)).collect();
    all.sort_unstable();
    all
}

/// The states of a thread.
struct Collected<'a> {
    window: Option<&'a Window>,
    member: MemberId,
    thread: ThreadId,
    times: BTreeMap<ThreadState, ThreadStateTime>,
}

impl Collected<'_> {
    fn add(&mut self, state: ThreadState, begin: i64, end: i64) {
        let whole = [[begin, end]];
        let (thread, member) = (self.thread, self.member);
        let mut take = |[begin, end]: [i64; 2]| {
            let length = end.saturating_sub(begin);
            if length <= 0 {
                return;
            }
            let known = self.times.entry(state).or_insert(ThreadStateTime {
                thread,
                member,
                state,
                time: 0,
                count: 0,
                longest: [0, begin],
            });
            known.time = known.time.saturating_add(length);
            known.count += 1;
            if length > known.longest[0] {
                known.longest = [length, begin];
            }
        };
        match self.window {
            None => whole.into_iter().for_each(&mut take),
            Some(window) => window.of(member, Some(thread)).between(begin, end).for_each(&mut take),
        }
    }

    fn runs(
        &mut self,
        mut runs: Vec<Stretch>,
        wakes: &[(TrackId, i64, i64)],
        [first, last]: [i64; 2],
        are_whole: bool,
    ) {
        runs.sort_by_key(|run| (run.span.begin, run.span.end()));
        let (mut at, mut state) = (first, ThreadState::NotMeasured);
        for Stretch { track, span, state: then, ends: [has_begin, has_end] } in runs {
            if !has_begin {
                self.add(ThreadState::NotMeasured, at, span.begin);
                (at, state) = (span.begin.max(at), then);
                continue;
            }
            // Two processors at once would be an error of the recording.
            let begin = span.begin.max(at);
            let places =
                wakes.partition_point(|&(of, to, from)| (of, to, from) < (track, span.begin, at));
            let woken = wakes.get(places).filter(|&&(of, to, _)| (of, to) == (track, span.begin));
            let woken = woken.map(|&(.., from)| from).filter(|&from| from < begin);
            match (state, woken) {
                (ThreadState::Runnable, _) | (_, None) => self.add(state, at, begin),
                (_, Some(woken)) => {
                    self.add(state, at, woken);
                    self.add(ThreadState::Runnable, woken, begin);
                }
            }
            let end = span.end();
            if end < at {
                continue;
            }
            self.add(ThreadState::Running, begin, end);
            let then = if has_end { then } else { ThreadState::NotMeasured };
            (at, state) = (end.max(begin), then);
        }
        let is_known = are_whole && state != ThreadState::OffProcessor;
        self.add(if is_known { state } else { ThreadState::NotMeasured }, at, last);
    }

    /// Of waits at one time the one that began last counts: the innermost where they nest.
    fn waits(&mut self, waits: &[Stretch], [first, last]: [i64; 2]) {
        let mut order: Vec<&Stretch> = waits.iter().collect();
        order.sort_by_key(|wait| (wait.span.begin, std::cmp::Reverse(wait.span.end())));
        let mut open: Vec<(i64, ThreadState)> = vec![(last, ThreadState::NotMeasured)];
        let mut at = first;
        let mut close = |states: &mut Self, open: &mut Vec<(i64, ThreadState)>, until: i64| {
            while let Some(&(end, state)) = open.last() {
                let to = end.min(until).max(at);
                states.add(state, at, to);
                at = to;
                if end > until || open.len() == 1 {
                    break;
                }
                open.pop();
            }
        };
        for Stretch { span, state, .. } in order {
            close(self, &mut open, span.begin);
            open.push((span.end().min(last), *state));
        }
        close(self, &mut open, last);
    }
}
