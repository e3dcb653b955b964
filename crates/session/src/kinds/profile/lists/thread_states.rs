//! What threads did.

use std::collections::{BTreeMap, HashMap};

use analysis::{Filtered, ThreadState, ThreadStateTime, tells_states};
use profile::{MemberId, ThreadId, TrackId, TrackKind};
use protocol::{
    ListKind, ProtocolError, RowName, StateKind, StatePart, Table, ThreadBar, ThreadBarsParams,
    ThreadBarsResult,
};

use super::super::{ProfileDocument, ViewOptions, convert};
use super::kept::made;
use super::list::ProfileList;
use super::places::{matcher, origin_of, place_of};
use crate::kinds::profile::document::track_titles::of_recording;
use crate::kinds::profile::trees::views::{filtered_by, view_options};
use crate::table::{Columns, ListOptions};

/// Most threads with a bar.
const MOST_THREADS: usize = 200;

/// All kinds, in their order.
const KINDS: [StateKind; 6] = [
    StateKind::Running,
    StateKind::Runnable,
    StateKind::Waiting,
    StateKind::Blocked,
    StateKind::OffProcessor,
    StateKind::NotMeasured,
];

/// A thread of a recording.
type Thread = (MemberId, ThreadId);

/// A state of a thread, with its words.
struct Row<'a> {
    of: &'a ThreadStateTime,
    /// The thread, with the recording where there are several.
    thread: String,
    /// `running`, `runnable`, what the scheduler calls it, `blocked`, `off processor` or `not measured`.
    state: &'a str,
    /// The event that is a wait. Empty for other states.
    event: &'a str,
    /// The class of what it waits for. May be empty.
    by: &'a str,
}

impl Row<'_> {
    fn thread_id(&self) -> Thread {
        (self.of.member, self.of.thread)
    }

    /// The state with its event and what is waited for.
    fn text(&self) -> String {
        match (self.event, self.by) {
            ("", _) => self.state.to_owned(),
            (event, "") => format!("{} in {event}", self.state),
            (event, by) => format!("{} in {event} by {by}", self.state),
        }
    }
}

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::ThreadStates,
    stands_for: None,
    name: "states",
    label: "States",
    title: "states of threads",
    help: "What threads did: for how long they ran, could have run, and waited for what",
    filter: "Filter by thread or state",
    row: "State of a thread",
    empty: "No thread states: the recording has no context switches and no waits, or the filters keep none.",
    has: |document| tells_states(document.profile()),
    rows: thread_states,
};

fn thread_states(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    let profile = document.profile();
    let origin = origin_of(document)?;
    let all = made(document, view, |filtered| measured(document, view, filtered))?;
    let rows = matching(document, &all, options.filter)?;
    let counted = counted_by_thread(&all);
    let tracks = tracks_of_threads(document);
    let track_of = |row: &Row<'_>| tracks.get(&row.thread_id()).copied();

    let mut columns = Columns::<Row<'_>>::new();
    columns.text("thread", |row| row.thread.clone());
    columns.text("state", |row| row.state.to_owned());
    columns.text("event", |row| row.event.to_owned());
    columns.text("by", |row| row.by.to_owned());
    columns
        .words("state", "state", Row::text)
        .help("What the thread did, in the words of the recording.");
    columns.time("time_ns", "time", |row| Some(row.of.time)).help("How long in all.");
    columns
        .share("share", "share", |row| share(row.of.time, counted.get(&row.thread_id())))
        .help("Of the time that counts on this thread.");
    columns.count("count", "count", |row| row.of.count).help("How often.");
    columns
        .time("longest_ns", "longest", |row| Some(row.of.longest[0]))
        .help("The longest time without a change of state.");
    columns
        .instant("longest_at_ns", "at", |row| {
            Some(profile.timeline.on_axis(row.of.member, row.of.longest[1]))
        })
        .unsorted()
        .help("When the longest begins.");
    columns
        .place("longest", |row| {
            let [length, begin] = row.of.longest;
            let extent = [begin, begin.saturating_add(length)];
            place_of(document, origin, (row.of.member, track_of(row), None), extent)
        })
        .help("To the longest time in this state");
    columns.name("thread", |row| RowName {
        text: row.thread.clone(),
        detail: row.text(),
        kind: kind_name(kind_of(row.of.state)).to_owned(),
        ..RowName::default()
    });
    columns.table("row", rows, options, |row| {
        let (MemberId(member), ThreadId(thread)) = row.thread_id();
        let kind = kind_name(kind_of(row.of.state));
        format!("{member} {thread} {kind} {:?} {:?} {:?}", row.state, row.event, row.by)
    })
}

/// What threads did, one bar per thread.
pub(crate) fn thread_bars(
    document: &ProfileDocument,
    params: &ThreadBarsParams,
) -> Result<ThreadBarsResult, ProtocolError> {
    origin_of(document)?;
    let view = view_options(document, &params.view)?;
    let all = made(document, &view, |filtered| measured(document, &view, filtered))?;
    let mut threads: Vec<(Thread, String)> = matching(document, &all, &params.filter)?
        .into_iter()
        .map(|row| (row.thread_id(), row.thread))
        .collect();
    threads.dedup_by_key(|(thread, _)| *thread);
    let counted = counted_by_thread(&all);
    let tracks = tracks_of_threads(document);
    let mut states = BTreeMap::<Thread, Vec<&ThreadStateTime>>::new();
    for one in all.iter() {
        states.entry((one.member, one.thread)).or_default().push(one);
    }
    let total = threads.len() as u32;
    threads.truncate(MOST_THREADS);
    let bar = |(thread, name): (Thread, String)| {
        let part = |kind: StateKind| {
            let own = states[&thread].iter().filter(|one| kind_of(one.state) == kind);
            let time = own.map(|one| one.time).fold(0i64, i64::saturating_add);
            let share = share(time, counted.get(&thread)).unwrap_or(0.0);
            StatePart { kind, time: time as f64, share }
        };
        ThreadBar {
            thread: name,
            track: tracks.get(&thread).map(|track| track.0),
            parts: KINDS.map(part).into_iter().filter(|part| part.time > 0.0).collect(),
        }
    };
    Ok(ThreadBarsResult { threads: threads.into_iter().map(bar).collect(), total })
}

fn measured(
    document: &ProfileDocument,
    view: &ViewOptions,
    chosen: &Filtered,
) -> Result<Vec<ThreadStateTime>, ProtocolError> {
    let mut timeless = view.clone();
    timeless.filters.retain(|filter| !filter.kind.is_of_time());
    let filtered = filtered_by(document, &timeless).map_err(convert::filter_error)?;
    Ok(analysis::thread_states(&filtered, chosen.window()))
}

/// The states whose words match.
fn matching<'a>(
    document: &'a ProfileDocument,
    all: &'a [ThreadStateTime],
    filter: &str,
) -> Result<Vec<Row<'a>>, ProtocolError> {
    let profile = document.profile();
    let matches = matcher(filter)?;
    let row = |of: &'a ThreadStateTime| {
        let (state, event, by) = match of.state {
            ThreadState::Running => ("running", "", ""),
            ThreadState::Runnable => ("runnable", "", ""),
            ThreadState::Waiting(text) => (profile.text(text), "", ""),
            ThreadState::Blocked(event, by) => ("blocked", profile.text(event), profile.text(by)),
            ThreadState::OffProcessor => ("off processor", "", ""),
            ThreadState::NotMeasured => ("not measured", "", ""),
        };
        let thread = of_recording(document, profile.thread_name(of.thread), of.member);
        Row { of, thread, state, event, by }
    };
    let rows = all.iter().map(row);
    Ok(rows
        .filter(|row| [&row.thread, row.state, row.event, row.by].iter().any(|text| matches(text)))
        .collect())
}

/// By thread, the time that counts: all of its states together.
fn counted_by_thread(all: &[ThreadStateTime]) -> HashMap<Thread, i64> {
    let mut counted = HashMap::<Thread, i64>::new();
    for one in all {
        let sum = counted.entry((one.member, one.thread)).or_default();
        *sum = sum.saturating_add(one.time);
    }
    counted
}

fn share(time: i64, counted: Option<&i64>) -> Option<f64> {
    let counted = *counted.filter(|&&counted| counted > 0)?;
    Some(time as f64 / counted as f64)
}

fn tracks_of_threads(document: &ProfileDocument) -> HashMap<Thread, TrackId> {
    (0..)
        .map(TrackId)
        .zip(&document.profile().timeline.tracks)
        .filter(|(_, track)| track.kind == TrackKind::Thread)
        .filter_map(|(id, track)| Some(((track.member, track.thread?), id)))
        .collect()
}

fn kind_of(state: ThreadState) -> StateKind {
    match state {
        ThreadState::Running => StateKind::Running,
        ThreadState::Runnable => StateKind::Runnable,
        ThreadState::Waiting(_) => StateKind::Waiting,
        ThreadState::Blocked(..) => StateKind::Blocked,
        ThreadState::OffProcessor => StateKind::OffProcessor,
        ThreadState::NotMeasured => StateKind::NotMeasured,
    }
}

fn kind_name(kind: StateKind) -> &'static str {
    match kind {
        StateKind::Running => "running",
        StateKind::Runnable => "runnable",
        StateKind::Waiting => "waiting",
        StateKind::Blocked => "blocked",
        StateKind::OffProcessor => "off_processor",
        StateKind::NotMeasured => "not_measured",
    }
}
