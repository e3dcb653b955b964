//! The time near marks.

use std::collections::BTreeMap;

use analysis::FilterKind;
use proptest::prelude::*;

use super::{TIME, by_path, calls_of, filtered, marked, recording, self_times};

proptest! {
    #[test]
    fn around_marks_is_the_time_near_them(
        recording in recording(),
        marks in prop::collection::vec((0..4u8, 0..60u8, 0..2u8), 0..6),
        margin in 1..9i64,
    ) {
        let profile = marked(&recording, &marks);
        let filtered = filtered(&profile, &[(FilterKind::Around, &format!("^GC$={margin}ns"))]);
        let mut expected = BTreeMap::<Vec<u8>, i64>::new();
        // Tracks 0 and 1 are threads of one process, 2 is its lane, which has a thread, 3 the process.
        let recorded = recording.threads.len();
        for (track, calls) in calls_of(&recording).iter().enumerate() {
            let thread = track.min(recorded);
            let counts = |at: i64| {
                marks.iter().any(|&(on, time, kind)| {
                    let time = i64::from(time);
                    let on = usize::from(on);
                    kind == 0 && (on == thread || on >= recorded)
                        && (time - margin..time + margin).contains(&at)
                })
            };
            if track < recorded {
                for (path, time) in self_times(calls, counts) {
                    *expected.entry(path).or_default() += time;
                }
            }
        }
        // Operations of the lane overlap: each on its own.
        for calls in calls_of(&recording).iter().skip(recorded) {
            let counts = |at: i64| {
                marks.iter().any(|&(on, time, kind)| {
                    let time = i64::from(time);
                    kind == 0 && usize::from(on) >= recorded
                        && (time - margin..time + margin).contains(&at)
                })
            };
            for (path, time) in self_times(calls, counts) {
                *expected.entry(path).or_default() += time;
            }
        }
        if recording.operations.len() < 2 {
            prop_assert_eq!(by_path(&filtered, TIME), expected);
        }
    }
}
