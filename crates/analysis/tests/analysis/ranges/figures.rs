//! Figures of spans in a range.

use std::collections::BTreeMap;

use analysis::{
    ConcurrencyOf, FilterKind, concurrency, concurrency_chart, counted_time, span_gaps,
    span_statistics, track_summaries,
};
use profile::{Metric, Place, Point, ProfileBuilder, Timing};
use proptest::prelude::*;

use super::{Called, UNFINISHED, calls_of, filtered, profile, recording};

/// How many are open in each nanosecond that counts: the most, first when, for how long, how long any is,
/// and the sum.
fn counted(open: impl Fn(i64) -> u64, counts: impl Fn(i64) -> bool) -> (u64, i64, i64, i64, u64) {
    let all: Vec<(i64, u64)> = (0..200).filter(|at| counts(*at)).map(|at| (at, open(at))).collect();
    let most = all.iter().map(|one| one.1).max().unwrap_or(0);
    let at = all.iter().find(|one| one.1 == most).map_or(0, |one| one.0);
    let of_most = all.iter().filter(|one| one.1 == most).count() as i64;
    let busy = all.iter().filter(|one| one.1 > 0).count() as i64;
    (most, at, of_most, busy, all.iter().map(|one| one.1).sum())
}

proptest! {
    #[test]
    fn figures_of_spans_are_of_the_range(recording in recording(), begin in 0..50i64, length in 1..30i64) {
        let profile = profile(&recording);
        let range = format!("{begin}ns..{}ns", begin + length);
        let filtered = filtered(&profile, &[(FilterKind::Time, &range)]);
        let counts = |at: i64| (begin..begin + length).contains(&at);
        let mut sums = BTreeMap::<(String, bool), (u64, i64)>::new();
        let all = calls_of(&recording);
        for (number, track) in all.iter().enumerate() {
            for (path, from, to) in track {
                let inside = (*from..*to).filter(|at| counts(*at)).count() as i64;
                if inside > 0 || from == to && counts(*from) {
                    let key = (format!("f{}", path.last().unwrap()), number >= recording.threads.len());
                    let sum = sums.entry(key).or_default();
                    let ends = path.last() != Some(&UNFINISHED);
                    *sum = (sum.0 + 1, sum.1 + if ends { inside } else { 0 });
                }
            }
        }
        let told: BTreeMap<_, _> = span_statistics(&filtered)
            .into_iter()
            .map(|one| ((profile.text(one.name).to_owned(), one.is_asynchronous), (one.count, one.total)))
            .collect();
        prop_assert_eq!(told, sums);
        let summaries = track_summaries(&filtered);
        for (track, calls) in all.iter().take(recording.threads.len()).enumerate() {
            let busy = (0..200).filter(|at| counts(*at) && calls.iter().any(|(path, from, to)| {
                path.last() != Some(&UNFINISHED) && (*from..*to).contains(at)
            }));
            prop_assert_eq!(summaries[track].busy, busy.count() as i64);
        }
    }

    #[test]
    fn what_is_open_at_once_is_counted(recording in recording(), begin in 0..30i64, length in 1..60i64) {
        let profile = profile(&recording);
        let range = format!("{begin}ns..{}ns", begin + length);
        for filters in [vec![], vec![(FilterKind::Time, &*range)]] {
            let filtered = filtered(&profile, &filters);
            let counts = |at: i64| filters.is_empty() || (begin..begin + length).contains(&at);
            let Some([first, last]) = analysis::recorded_time(&profile) else { continue };
            let whole = (first..last).filter(|at| counts(*at)).count() as i64;
            prop_assert_eq!(counted_time(&filtered), whole);
            let all = calls_of(&recording);
            let is_open = |call: &Called, at: i64| (call.1..call.2).contains(&at);
            let mut expected = BTreeMap::new();
            let busy = |at: i64| -> u64 {
                let threads = all.iter().take(recording.threads.len());
                threads.filter(|calls| calls.iter().any(|call| is_open(call, at))).count() as u64
            };
            expected.insert("process".to_owned(), counted(busy, counts));
            let lane: Vec<Called> = all.iter().skip(recording.threads.len()).flatten().cloned().collect();
            let of_lane = |at: i64| lane.iter().filter(|call| is_open(call, at)).count() as u64;
            expected.insert("lane".to_owned(), counted(of_lane, counts));
            let threads: Vec<Called> = all.iter().take(recording.threads.len()).flatten().cloned().collect();
            for (calls, is_lane) in [(&threads, false), (&lane, true)] {
                for name in 0..4u8 {
                    let open = |at: i64| {
                        let of_name = calls.iter().filter(|call| call.0.last() == Some(&name));
                        of_name.filter(|call| is_open(call, at)).count() as u64
                    };
                    expected.insert(format!("f{name} {is_lane}"), counted(open, counts));
                }
            }
            expected.retain(|_, one| one.0 > 0);
            let mut told = BTreeMap::new();
            for one in concurrency(&filtered) {
                let name = match one.of {
                    ConcurrencyOf::Process(..) => "process".to_owned(),
                    ConcurrencyOf::Lane(_) => "lane".to_owned(),
                    ConcurrencyOf::Name(name, _, is_lane, _) => format!("{} {is_lane}", profile.text(name)),
                };
                let sum = (one.mean * whole as f64).round() as u64;
                told.insert(name, (one.most, one.most_at, one.most_for, one.busy, sum));
                // The same in every nanosecond, and in cells that do not divide the time evenly.
                let fine = concurrency_chart(&filtered, one.of, [0, 200], 500);
                prop_assert_eq!(fine.most.len(), 200);
                prop_assert_eq!(fine.most.iter().sum::<u64>(), sum);
                prop_assert_eq!(fine.most.iter().max(), Some(&one.most));
                prop_assert_eq!(fine.most[one.most_at as usize], one.most);
                let coarse = concurrency_chart(&filtered, one.of, [3, 190], 11);
                for cell in 0..11 {
                    let [from, to] = [3 + 187 * cell / 11, 3 + 187 * (cell + 1) / 11];
                    let part = &fine.most[from..to];
                    prop_assert_eq!(Some(&coarse.most[cell]), part.iter().max());
                    let mean = part.iter().sum::<u64>() as f64 / part.len() as f64;
                    prop_assert!((coarse.mean[cell] - mean).abs() < 1e-9);
                }
            }
            prop_assert_eq!(told, expected);
        }
    }

    #[test]
    fn gaps_are_the_time_between_spans_of_a_name(recording in recording(), begin in 0..30i64, length in 1..60i64) {
        let profile = profile(&recording);
        let range = format!("{begin}ns..{}ns", begin + length);
        for filters in [vec![], vec![(FilterKind::Time, &*range)]] {
            let filtered = filtered(&profile, &filters);
            let counts = |at: i64| filters.is_empty() || (begin..begin + length).contains(&at);
            let mut expected = BTreeMap::<String, Vec<i64>>::new();
            for calls in calls_of(&recording).iter().take(recording.threads.len()) {
                for name in 0..3u8 {
                    // A span counts if any of its nanoseconds does, or if it is an instant that does.
                    let is_left = |call: &&Called| {
                        call.0.last() == Some(&name)
                            && ((call.1..call.2).any(counts) || call.1 == call.2 && counts(call.1))
                    };
                    let mut own: Vec<&Called> = calls.iter().filter(is_left).collect();
                    own.sort_by_key(|call| (call.1, std::cmp::Reverse(call.2)));
                    for (place, next) in own.iter().enumerate().skip(1) {
                        let ended = own[..place].iter().map(|call| call.2).max().unwrap();
                        let is_gap = ended < next.1 && counts(ended) && (ended..next.1).all(counts);
                        if is_gap {
                            expected.entry(format!("f{name}")).or_default().push(next.1 - ended);
                        }
                    }
                }
            }
            let told: BTreeMap<String, _> = span_gaps(&filtered)
                .into_iter()
                .filter(|one| !one.is_asynchronous)
                .map(|one| {
                    let [begin, end] = [one.longest.0, one.longest.0 + one.lengths.longest];
                    let track = &calls_of(&recording)[one.longest.1.index()];
                    assert!(track.iter().any(|call| call.2 == begin) && track.iter().any(|call| call.1 == end));
                    (profile.text(one.name).to_owned(), (one.count, one.total, one.lengths.shortest, one.lengths.longest))
                })
                .collect();
            let expected: BTreeMap<String, _> = expected
                .into_iter()
                .map(|(name, all)| {
                    let [least, most] = [all.iter().min(), all.iter().max()].map(|one| *one.unwrap());
                    (name, (all.len() as u64, all.iter().sum::<i64>(), least, most))
                })
                .collect();
            prop_assert_eq!(told, expected);
        }
    }
}

/// Recordings of several kinds of events tell the length of each in a metric of its own.
#[test]
fn lengths_of_several_kinds_count() {
    let length = |name: &str, unit: &str| {
        let timing = Timing::Length;
        Metric { timing, ..Metric::new(name, unit) }
    };
    let mut builder =
        ProfileBuilder::new(vec![length("lock", "nanoseconds"), length("sleep", "microseconds")]);
    let place = builder.place(&Place { function: "f", ..Place::default() });
    let context = builder.stack([place]);
    for (time, row) in [(0, [10_000, 0]), (20_000, [0, 10]), (40_000, [0, 0])] {
        let point = Point { context, time: Some(time), ..Point::default() };
        builder.points.push_point(point, &row);
    }
    let profile = std::sync::Arc::new(builder.finish());
    let of = |range: &str| {
        let filtered = filtered(&profile, &[(FilterKind::Time, range)]);
        let rows = (0..3).filter(|&point| filtered.keeps_point(point));
        rows.map(|point| filtered.row(point).to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(of("4us..5us"), [[1000, 0]]);
    assert_eq!(of("24us..27us"), [[0, 3]]);
    assert_eq!(of("30us..50us"), [[0, 0]]);
    let charts = analysis::TrackChart::new(&profile, profile::TrackId(0));
    let samples = charts.samples().unwrap();
    let times = [0, 1, 2].map(|at| samples.times(&profile, at));
    assert_eq!(times, [[0, 10_000], [20_000, 30_000], [40_000, 40_000]]);
}

/// What a run has in the mean is less than what one has; it lasts as long.
#[test]
fn means_of_runs_last_as_long_as_they_were_measured() {
    let metric = Metric { timing: Timing::Length, ..Metric::new("wait", "nanoseconds") };
    let mut builder = ProfileBuilder::new(vec![metric]);
    let place = builder.place(&Place { function: "f", ..Place::default() });
    let context = builder.stack([place]);
    let point = Point { context, time: Some(0), ..Point::default() };
    builder.points.push_point(point, &[90_000]);
    let one = builder.finish();
    // As if the base were three runs, of which one has waited.
    let compared = analysis::Comparison::new(&one, &one)
        .scaled([3, 1], &analysis::Normalise::Absolute)
        .unwrap();
    let unit = 10i64.pow(compared.profile.metrics[0].decimals.into());
    let profile = std::sync::Arc::new(compared.profile);
    let of = |range: &str| {
        let filtered = filtered(&profile, &[(FilterKind::Time, range)]);
        let rows = (0..2).filter(|&point| filtered.keeps_point(point));
        let sums = rows.map(|point| filtered.row(point).to_vec());
        let sum = sums.fold([0; 3], |sum, row| [0, 1, 2].map(|column| sum[column] + row[column]));
        sum.map(|value| value / unit)
    };
    assert_eq!(of("0ns..45us"), [15_000, 45_000, 60_000]);
    assert_eq!(of("45us..90us"), [15_000, 45_000, 60_000]);
}
