//! [`protocol::ProfileRequest::ThreadStates`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use analysis::{ThreadState, ThreadStateTime};
use profile::{MemberId, ThreadId, TrackId, TrackKind};
use protocol::{
    ProtocolError, StateKind, StatePart, StateSort, ThreadBar, ThreadStateRow, ThreadStatesParams,
    ThreadStatesResult,
};

use super::lanes::untimed;
use super::listing::{place_of, taken, wanted};
use crate::ProfileDocument;
use crate::kinds::profile::states_report::StateRow;

/// Most threads that are told as a whole.
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

pub(crate) fn thread_states(
    document: &ProfileDocument,
    params: &ThreadStatesParams,
) -> Result<ThreadStatesResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let options = document.options(&params.view)?;
    let all = document.charts().states.of(&options.filters, || document.thread_states(&options))?;
    let is_wanted = wanted(&params.filter)?;
    let mut found: Vec<(&ThreadStateTime, StateRow)> = all
        .iter()
        .map(|one| (one, document.state_row(one)))
        .filter(|(_, row)| {
            [&row.thread, &row.state, &row.event, &row.by].iter().any(|text| is_wanted(text))
        })
        .collect();
    let mut threads: Vec<(MemberId, ThreadId)> =
        found.iter().map(|(one, _)| (one.member, one.thread)).collect();
    threads.dedup();
    match params.sort {
        // They are in this order.
        StateSort::Thread => {}
        StateSort::Name => found.sort_by(|(_, a), (_, b)| a.thread.cmp(&b.thread)),
        StateSort::State => found.sort_by(|(_, a), (_, b)| {
            (&a.state, &a.event, &a.by).cmp(&(&b.state, &b.event, &b.by))
        }),
        StateSort::Time => found.sort_by_key(|(one, _)| Reverse(one.time)),
        StateSort::Count => found.sort_by_key(|(one, _)| Reverse(one.count)),
        StateSort::Longest => found.sort_by_key(|(one, _)| Reverse(one.longest[0])),
    }
    let timeline = &profile.timeline;
    let tracks: HashMap<(MemberId, ThreadId), TrackId> = (0..)
        .map(TrackId)
        .zip(&timeline.tracks)
        .filter(|(_, track)| track.kind == TrackKind::Thread)
        .filter_map(|(id, track)| Some(((track.member, track.thread?), id)))
        .collect();
    // All states of a thread add up to the time that counts there.
    let mut whole: BTreeMap<(MemberId, ThreadId), Vec<&ThreadStateTime>> = BTreeMap::new();
    for one in all.iter() {
        whole.entry((one.member, one.thread)).or_default().push(one);
    }
    let share = |time: i64, of: (MemberId, ThreadId)| {
        let sum: i64 = whole.get(&of).map_or(0, |all| all.iter().map(|one| one.time).sum());
        if sum > 0 { time as f64 / sum as f64 } else { 0.0 }
    };
    let bars = threads.iter().take(MOST_THREADS).filter_map(|of| {
        let states = whole.get(of)?;
        let part = |kind: StateKind| {
            let own = states.iter().filter(|one| kind_of(one.state) == kind);
            let time = own.map(|one| one.time).sum::<i64>();
            StatePart { kind, time: time as f64, share: share(time, *of) }
        };
        Some(ThreadBar {
            thread: document.state_row(states.first()?).thread,
            track: tracks.get(of).map(|track| track.0),
            parts: KINDS.map(part).into_iter().filter(|part| part.time > 0.0).collect(),
        })
    });
    let bars = bars.collect();
    let total = found.len() as u32;
    let rows = taken(found, params.reverse, params.limit).into_iter().map(|(one, row)| {
        let of = (one.member, one.thread);
        let [length, begin] = one.longest;
        let extent = [begin, begin.saturating_add(length)];
        ThreadStateRow {
            thread: row.thread,
            kind: kind_of(one.state),
            state: row.state,
            event: row.event,
            by: row.by,
            time: one.time as f64,
            share: share(one.time, of),
            count: one.count as f64,
            longest: length as f64,
            place: place_of(document, origin, (one.member, tracks.get(&of).copied(), None), extent),
        }
    });
    let rows = rows.collect();
    Ok(ThreadStatesResult { rows, total, threads: bars, all_threads: threads.len() as u32 })
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
