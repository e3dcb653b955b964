//! [`protocol::ProfileRequest::Idle`].

use profile::TrackId;
use protocol::{IdleParams, IdleResult, ProtocolError};
use work::{long_steps, steps};

use super::lanes::{known_track, untimed};
use crate::ProfileDocument;
use crate::kinds::profile::pictures::charts::{chart_of_track, extent};

pub(crate) fn idle(
    document: &ProfileDocument,
    params: &IdleParams,
) -> Result<IdleResult, ProtocolError> {
    let profile = document.profile();
    let [origin, end] = extent(document).ok_or_else(|| untimed(document))?;
    let mut busy: Vec<[i64; 2]> = vec![];
    for &track in long_steps("looking for idle time", &params.tracks) {
        busy.extend(busy_of(document, known_track(profile, track)?));
    }
    busy.sort_unstable();
    let mut stretches: Vec<[i64; 2]> = vec![];
    let mut until = origin;
    for [begin, behind] in busy.into_iter().chain([[end, end]]) {
        if begin > until {
            stretches.push([until, begin]);
        }
        until = until.max(behind);
    }
    stretches.sort_by_key(|[begin, end]| std::cmp::Reverse(end.saturating_sub(*begin)));
    stretches.truncate(params.limit as usize);
    stretches.sort_unstable();
    let after = |time: i64| (i128::from(time) - i128::from(origin)) as f64;
    Ok(IdleResult { stretches: stretches.into_iter().map(|ends| ends.map(after)).collect() })
}

/// When anything is on a track, on the axis: stretches that touch are one.
fn busy_of(document: &ProfileDocument, track: TrackId) -> Vec<[i64; 2]> {
    let profile = document.profile();
    let timeline = &profile.timeline;
    let mut busy: Vec<[i64; 2]> = vec![];
    let mut add = |begin: i64, end: i64| match busy.last_mut() {
        Some(last) if (last[0]..=last[1]).contains(&begin) => last[1] = last[1].max(end),
        _ => busy.push([begin, end]),
    };
    for row in steps("looking at spans", timeline.spans.of_track(track)) {
        let span = timeline.spans.get(row);
        add(span.begin, span.end());
    }
    let chart = chart_of_track(document, track);
    if let Some(samples) = chart.samples() {
        for at in steps("looking at samples", 0..samples.len()) {
            let [begin, end] = samples.times(profile, at);
            add(begin, end);
        }
    }
    for row in timeline.marks.of_track(track) {
        let time = timeline.marks.get(track, row).time;
        add(time, time);
    }
    let member = timeline.tracks[track.index()].member;
    if timeline.clocks.get(member.index()).is_some() {
        let on_axis = |time: &mut i64| *time = timeline.on_axis(member, *time);
        busy.iter_mut().flatten().for_each(on_axis);
    }
    busy
}
