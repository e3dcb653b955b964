//! Profiles of what filters leave.

use std::sync::Arc;

use analysis::{FilterKind, Filtered, span_statistics};
use proptest::prelude::*;

use super::{filtered, marked, recording, values};

proptest! {
    /// As a profile of its own, what filters leave has the values that it has under them.
    #[test]
    fn what_is_kept_is_what_filters_leave(
        recording in recording(),
        marks in prop::collection::vec((0..4u8, 0..60u8, 0..2u8), 0..6),
        begin in 0..30i64,
        length in 1..40i64,
        name in 0..3u8,
        which in 0..5usize,
    ) {
        let profile = marked(&recording, &marks);
        let (name, near) = (format!("^f{name}$"), format!("GC={length}ns"));
        let range = format!("{begin}ns..{}ns", begin + length);
        let filters = match which {
            0 => vec![(FilterKind::Time, &*range)],
            1 => vec![(FilterKind::During, &*name)],
            2 => vec![(FilterKind::Around, &*near)],
            3 => vec![(FilterKind::Focus, &*name), (FilterKind::Time, &*range)],
            _ => vec![(FilterKind::LabelFocus, "thread=0")],
        };
        let under = filtered(&profile, &filters);
        let kept = Arc::new(under.kept());
        prop_assert_eq!(kept.check(), []);
        let alone = Filtered::new(kept.clone(), &[], false).unwrap();
        prop_assert_eq!(values(&alone), values(&under));
        let sums = |of: &Filtered| -> Vec<(String, i64)> {
            let all = span_statistics(of).into_iter();
            let mut all: Vec<_> = all.map(|one| (profile.text(one.name).to_owned(), one.total)).collect();
            all.sort();
            all
        };
        prop_assert_eq!(sums(&alone), sums(&under));
        let times = kept.timeline.marks.times().count();
        let all = (0..4).map(profile::TrackId).flat_map(|track| {
            let rows = profile.timeline.marks.of_track(track);
            rows.map(move |row| (track, row))
        });
        let left = all.filter(|&(track, row)| {
            let mark = profile.timeline.marks.get(track, row);
            under.keeps_time(&profile.timeline.tracks[track.index()], mark.time)
        });
        prop_assert_eq!(times, left.count());
    }
}
