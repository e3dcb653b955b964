//! A profile without some of its members.

use profile::{
    Counter, Flow, FlowEnd, FunctionTotals, Mark, MemberId, Points, Profile, Span, Timeline,
    TimelineBuilder, Track, TrackId,
};
use work::steps;

/// The profile without members that are left out: their points, what happened when in them, and
/// totals that were stored for them. `is_left_out` has an entry for each member, and not all of them
/// are left out.
pub fn without_members(profile: &Profile, is_left_out: &[bool]) -> Profile {
    // By member, what its number is now.
    let mut numbers = Vec::with_capacity(is_left_out.len());
    let mut kept = 0;
    for &is_left_out in is_left_out {
        numbers.push((!is_left_out).then_some(MemberId(kept)));
        kept += u32::from(!is_left_out);
    }
    let number = |member: MemberId| numbers.get(member.index()).copied().flatten();
    let mut points = Points::new(profile.points.metrics());
    let mut places = vec![None; profile.points.len()];
    for (row, place) in steps("leaving runs out", places.iter_mut().enumerate()) {
        let point = profile.points.get(row);
        if let Some(member) = number(point.member) {
            let point = profile::Point { member, ..point };
            *place = Some(points.push_point(point, profile.points.row(row)));
        }
    }
    let old = &profile.function_totals;
    let mut function_totals = FunctionTotals::new(old.metrics.clone());
    let width = old.metrics.len();
    for (row, (&function, &member)) in old.function.iter().zip(&old.member).enumerate() {
        if let Some(member) = number(member) {
            function_totals.push(function, member, &old.values[row * width..][..width]);
        }
    }
    let members = profile.members.iter().zip(is_left_out);
    let members = members.filter(|(_, is_left_out)| !**is_left_out).map(|(one, _)| one.clone());
    let members = members.collect();
    let timeline = timeline_of(&profile.timeline, number, &places);
    Profile { points, function_totals, members, timeline, ..profile.clone() }
}

fn timeline_of(
    from: &Timeline,
    number: impl Fn(MemberId) -> Option<MemberId>,
    places: &[Option<profile::PointId>],
) -> Timeline {
    let mut timeline = TimelineBuilder::default();
    // By track, what its number is now; a parent is of the same member.
    let mut tracks: Vec<Option<TrackId>> = Vec::with_capacity(from.tracks.len());
    for track in &from.tracks {
        let own = number(track.member).map(|member| {
            let parent = track.parent.and_then(|parent| tracks[parent.index()]);
            timeline.track(Track { member, parent, ..*track })
        });
        tracks.push(own);
    }
    for (old, track) in (0..).map(TrackId).zip(&tracks) {
        let Some(track) = *track else { continue };
        for row in steps("leaving runs out", from.spans.of_track(old)) {
            let span = from.spans.get(row);
            if let Some(point) = places[span.point.index()] {
                timeline.spans.push(track, Span { point, ..span });
            }
        }
        for row in from.marks.of_track(old) {
            timeline.mark(Mark { track, ..from.marks.get(old, row) });
        }
    }
    for counter in &from.counters {
        if let Some(track) = tracks[counter.track.index()] {
            timeline.counters.push(Counter { track, ..counter.clone() });
        }
    }
    for flow in &from.flows {
        let end = |end: FlowEnd| Some(FlowEnd { track: tracks[end.track.index()]?, ..end });
        if let (Some(from), Some(to)) = (end(flow.from), end(flow.to)) {
            timeline.flows.push(Flow { from, to, ..*flow });
        }
    }
    let kept =
        (0..).map(MemberId).zip(&from.clocks).filter(|(member, _)| number(*member).is_some());
    let clocks = kept.map(|(_, clock)| clock.clone()).collect();
    Timeline { clocks, ..timeline.finish() }
}
