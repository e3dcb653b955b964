//! Moving the clocks of members.

use crate::{MemberId, Profile, TrackId};

impl Profile {
    /// Moves all times of each member by so many nanoseconds: of points, spans, marks, counters and
    /// flows. Times that would leave 64 bits stay at the limit; lengths stay. Members beyond `by` stay.
    pub fn shift_members(&mut self, by: &[i64]) {
        let of = |member: MemberId| by.get(member.index()).copied().unwrap_or(0);
        for (member, by) in self.members.iter_mut().zip(by) {
            member.moved_ns = member.moved_ns.saturating_add(*by);
        }
        self.points.shift_times_of(of);
        let timeline = &mut self.timeline;
        let of_track: Vec<i64> = timeline.tracks.iter().map(|track| of(track.member)).collect();
        timeline.spans.shift(&of_track);
        for (number, &by) in of_track.iter().enumerate().filter(|(_, by)| **by != 0) {
            let track = TrackId(number as u32);
            timeline.marks.shift(track, by);
        }
        for counter in &mut timeline.counters {
            let by = of_track[counter.track.index()];
            counter.times.iter_mut().for_each(|time| *time = time.saturating_add(by));
        }
        for flow in &mut timeline.flows {
            for end in [&mut flow.from, &mut flow.to] {
                end.time = end.time.saturating_add(of_track[end.track.index()]);
            }
        }
    }
}
