//! Single spans, the longest first.

use analysis::{Filter, FilterKind, Filtered, longest_spans};
use proptest::prelude::*;

use crate::critical_path::{nested, profile};

proptest! {
    /// Nanosecond by nanosecond: a span is as long as the filters keep of it, and its own time is that in
    /// which it is the innermost.
    #[test]
    fn spans_have_the_lengths_that_counting_finds(
        spans in prop::collection::vec((0..3u32, 0..60i64, 0..40i64), 1..20),
        range in prop::option::of((0..80i64, 1..40i64)),
    ) {
        let nested = nested(spans);
        let found = profile(3, &nested, &[]);
        let kept = range.map_or(0..200, |(from, length)| from..from + length);
        let filters: Vec<Filter> = range
            .map(|_| Filter {
                kind: FilterKind::Time,
                pattern: format!("{}ns..{}ns", kept.start, kept.end),
            })
            .into_iter()
            .collect();
        let filtered = Filtered::new(found.clone(), &filters, false).unwrap();
        let all = longest_spans(&filtered);
        for pair in all.windows(2) {
            prop_assert!(pair[0].length >= pair[1].length);
        }
        for one in &all {
            let rows = found.timeline.spans.of_track(one.track);
            let is_open = |row: usize, time: i64| {
                let span = found.timeline.spans.get(row);
                span.begin <= time && time < span.end()
            };
            let of_track = |time: &i64| rows.clone().rfind(|&row| is_open(row, *time));
            let length = kept.clone().filter(|&time| is_open(one.row, time)).count() as i64;
            let own = kept.clone().filter(|time| of_track(time) == Some(one.row)).count() as i64;
            prop_assert_eq!((one.length, one.self_time), (Some(length), Some(own)));
        }
        // Each is there once, and all that have time in the range are there.
        let mut rows: Vec<usize> = all.iter().map(|one| one.row).collect();
        rows.sort_unstable();
        rows.dedup();
        prop_assert_eq!(rows.len(), all.len());
        let spans = &found.timeline.spans;
        for row in (0..nested.len()).filter(|row| !rows.contains(row)) {
            let span = spans.get(row);
            prop_assert!(kept.clone().all(|time| time < span.begin || time >= span.end()));
        }
    }
}
