//! Statistics: what numpy and scipy say of the same numbers (`record/statistics.py` asks them), and
//! what must hold of any numbers.

use analysis::statistics::{
    Bins, Centre, Direction, Fences, Figure, Histogram, Method, Sample, Times, bootstrap,
    false_discovery, mann_whitney, permutation,
};
use proptest::prelude::*;

/// The lists of numbers of each record of a question.
fn records(question: &str) -> Vec<Vec<Vec<f64>>> {
    let numbers = |list: &str| list.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let records: Vec<_> = include_str!("record/statistics.txt")
        .lines()
        .filter_map(|line| line.split_once('|').filter(|(word, _)| *word == question))
        .map(|(_, lists)| lists.split('|').map(numbers).collect())
        .collect();
    assert!(!records.is_empty(), "no record of {question}");
    records
}

fn whole(values: &[f64]) -> Vec<i64> {
    values.iter().map(|&value| value as i64).collect()
}

fn assert_near(found: f64, expected: f64, what: &str) {
    let room = 1e-11 * expected.abs().max(f64::MIN_POSITIVE);
    assert!((found - expected).abs() <= room, "{what}: {found} is not {expected}");
}

fn centre(lists: &[Vec<f64>]) -> Centre {
    if lists[2][0] == 0.0 { Centre::Mean } else { Centre::Median }
}

#[test]
fn summaries_are_those_of_numpy() {
    for lists in records("summary") {
        let [values, expected] = &lists[..] else { panic!() };
        let summary = Sample::new(whole(values), 0).summary().unwrap();
        let found = [
            summary.len as f64,
            summary.present as f64,
            summary.sum as f64,
            summary.min as f64,
            summary.max as f64,
            summary.mean,
            summary.median,
        ];
        for (found, expected) in found.iter().chain(&summary.deviation).zip(expected) {
            assert_near(*found, *expected, "summary");
        }
        assert_eq!(summary.deviation.is_some(), expected.len() == 8);
    }
}

#[test]
fn percentiles_are_those_of_numpy() {
    for lists in records("percentiles") {
        let sample = Sample::new(whole(&lists[0]), 0);
        for (&percent, &expected) in lists[1].iter().zip(&lists[2]) {
            assert_near(sample.percentile(percent).unwrap(), expected, "percentile");
        }
    }
}

#[test]
fn histograms_are_those_of_numpy() {
    for lists in records("histogram") {
        let bins = Bins::Number(lists[1][0] as usize);
        let histogram = Histogram::new(&Sample::new(whole(&lists[0]), 0), bins).unwrap();
        assert_eq!(histogram.counts.len() + 1, histogram.edges.len());
        for (found, expected) in histogram.edges.iter().zip(&lists[2]) {
            assert!((found - expected).abs() <= 1e-9 * lists[2][0].abs().max(1.0));
        }
        let counts: Vec<f64> = histogram.counts.iter().map(|&count| count as f64).collect();
        assert_eq!(counts, lists[3]);
    }
    for lists in records("automatic") {
        let histogram = Histogram::new(&Sample::new(whole(&lists[0]), 0), Bins::Automatic).unwrap();
        assert_eq!(histogram.counts.len() as f64, lists[1][0]);
    }
}

#[test]
fn fences_are_those_of_numpy() {
    for lists in records("fences") {
        let fences = Fences::new(&Sample::new(whole(&lists[0]), 0)).unwrap();
        assert_near(fences.low, lists[1][0], "low");
        assert_near(fences.high, lists[1][1], "high");
        for index in fences.outliers(&whole(&lists[0])) {
            let value = lists[0][index];
            assert!(value < fences.low || value > fences.high);
        }
    }
}

#[test]
fn trends_are_those_of_scipy() {
    for lists in records("trend") {
        let times = Times::new(&whole(&lists[0])).unwrap();
        let present: Vec<(u32, f64)> = (0..).zip(lists[1].iter().copied()).collect();
        let trend = times.trend(&present).unwrap();
        let [slope, score, p_value, theil_sen] = lists[2][..] else { panic!() };
        assert!((trend.slope - slope).abs() <= 1e-11 * slope.abs().max(1e-3));
        assert_eq!(trend.score as f64, score);
        assert_near(trend.p_value, p_value, "p");
        assert_near(times.theil_sen(&lists[1]).unwrap(), theil_sen, "median slope");
        let sparse: Vec<_> = present.into_iter().filter(|(_, value)| *value != 0.0).collect();
        assert_eq!(times.trend(&sparse), Some(trend));
    }
}

#[test]
fn mann_whitney_is_that_of_scipy() {
    for lists in records("mann_whitney") {
        let method = [Method::Automatic, Method::Exact, Method::Normal][lists[2][0] as usize];
        let found = mann_whitney(&lists[0], &lists[1], method).unwrap();
        assert_eq!(found.u, lists[3][0]);
        assert_near(found.p_value, lists[3][1], "p");
    }
    let same = mann_whitney(&[5.0, 5.0], &[5.0], Method::Automatic).unwrap();
    assert_eq!((same.p_value, same.delta), (1.0, 0.0));
}

#[test]
fn permutations_are_all_looked_at() {
    for lists in records("permutation") {
        let exact = permutation(&lists[0], &lists[1], centre(&lists), 10_000, 1).unwrap();
        assert!(exact.exact);
        assert!((exact.difference - lists[3][0]).abs() < 1e-9);
        assert_near(exact.p_value, lists[3][1], "p");
        let drawn = permutation(&lists[0], &lists[1], centre(&lists), 1, 1).unwrap();
        assert!(!drawn.exact && drawn.p_value >= 0.5);
    }
    let (first, second) = ([1.0, 5.0, 3.0, 9.0, 7.0, 2.0], [4.0, 8.0, 12.0, 6.0, 11.0, 10.0]);
    let exact = permutation(&first, &second, Centre::Mean, 924, 1).unwrap();
    let drawn = permutation(&first, &second, Centre::Mean, 923, 1).unwrap();
    assert!(exact.exact && !drawn.exact);
    assert!((exact.p_value - drawn.p_value).abs() < 0.03);
}

#[test]
fn adjusted_p_values_are_those_of_scipy() {
    for lists in records("false_discovery") {
        for (found, expected) in false_discovery(&lists[0]).iter().zip(&lists[1]) {
            assert_near(*found, *expected, "adjusted p");
        }
    }
    assert_eq!(false_discovery(&[f64::NAN, -1.0, 7.0]), [1.0, 0.0, 1.0]);
}

#[test]
fn bootstrap_comes_near_that_of_scipy() {
    for lists in records("bootstrap") {
        let found = bootstrap(&lists[0], &lists[1], centre(&lists), 0.9, 20_000, 7).unwrap();
        let [estimate, low, high, error] = lists[3][..] else { panic!() };
        assert!((found.estimate - estimate).abs() < 1e-9);
        assert!((found.low - low).abs() < 0.1 * error, "{found:?}, scipy {low}");
        assert!((found.high - high).abs() < 0.1 * error, "{found:?}, scipy {high}");
        assert_eq!(bootstrap(&lists[0], &lists[1], centre(&lists), 0.9, 20_000, 7), Some(found));
    }
}

#[test]
fn where_there_is_nothing_to_say_nothing_is_said() {
    let empty = Sample::default();
    assert_eq!(empty.summary(), None);
    assert_eq!(empty.percentile(50.0), None);
    assert_eq!(Histogram::new(&empty, Bins::Automatic), None);
    assert_eq!(Fences::new(&empty), None);
    let one = Sample::new(vec![3], 0);
    assert_eq!((one.deviation(), one.mean(), one.percentile(99.0)), (None, Some(3.0), Some(3.0)));
    assert_eq!((one.percentile(f64::NAN), one.percentile(101.0)), (None, None));
    assert_eq!(Times::new(&[]), None);
    assert_eq!(Times::new(&[2, 1]), None);
    assert_eq!(Times::new(&[2, 2]), None);
    assert_eq!(Times::of_order(1), None);
    let times = Times::of_order(3).unwrap();
    assert_eq!(times.trend(&[(3, 1.0)]), None);
    assert_eq!(times.trend(&[(1, 1.0), (0, 1.0)]), None);
    assert_eq!(times.trend(&[(1, f64::NAN)]), None);
    assert_eq!(times.theil_sen(&[1.0]), None);
    assert_eq!(times.theil_sen(&[f64::MAX, 0.0, f64::MIN]), Some(-f64::MAX));
    assert_eq!(times.trend(&[]).unwrap().direction(0.05), Direction::Steady);
    assert_eq!(mann_whitney(&[], &[1.0], Method::Automatic), None);
    assert_eq!(mann_whitney(&[f64::INFINITY], &[1.0], Method::Automatic), None);
    assert_eq!(permutation(&[1.0], &[], Centre::Mean, 9, 1), None);
    assert_eq!(permutation(&[f64::MAX], &[f64::MIN], Centre::Mean, 9, 1), None);
    assert_eq!(bootstrap(&[1.0], &[2.0], Centre::Mean, 0.95, 0, 1), None);
    assert_eq!(bootstrap(&[1.0], &[2.0], Centre::Mean, 1.0, 9, 1), None);
    assert_eq!(bootstrap(&[f64::MAX], &[f64::MIN], Centre::Mean, 0.5, 9, 1), None);
    assert_eq!(false_discovery(&[]), [0.0; 0]);
}

#[test]
fn huge_values_stay_exact() {
    let sample = Sample::new(vec![i64::MAX; 1000], 0);
    assert_eq!(sample.sum(), i128::from(i64::MAX) * 1000);
    assert_eq!(sample.deviation(), Some(0.0));
    let close = Sample::new(vec![i64::MAX, i64::MAX - 1, i64::MAX - 2], 0);
    assert_eq!(close.deviation(), Some(1.0));
    let wide = Sample::new(vec![i64::MIN, i64::MAX], 1);
    let histogram = Histogram::new(&wide, Bins::Number(4)).unwrap();
    assert_eq!(histogram.counts, [1, 0, 1, 1]);
    assert!(Histogram::new(&wide, Bins::Number(usize::MAX)).is_some());
    let zeros = Sample::new(vec![], usize::MAX);
    assert_eq!(
        (zeros.mean(), zeros.deviation(), zeros.median()),
        (Some(0.0), Some(0.0), Some(0.0))
    );
    let most = Sample::new(vec![1, 2], usize::MAX);
    assert_eq!((most.len(), most.max(), most.percentile(100.0)), (usize::MAX, Some(2), Some(2.0)));
}

#[test]
fn a_leak_rises_and_noise_does_not() {
    let times = Times::of_order(245).unwrap();
    let noise = |member: u32| f64::from(member.wrapping_mul(2_654_435_761) >> 24);
    let of = |value: &dyn Fn(u32) -> f64| {
        let values: Vec<_> = (0..245).map(|member| (member, value(member))).collect();
        times.trend(&values).unwrap().direction(0.01)
    };
    assert_eq!(of(&|member| 10.0 * f64::from(member) + noise(member)), Direction::Rising);
    assert_eq!(of(&|member| -10.0 * f64::from(member) + noise(member)), Direction::Falling);
    assert_eq!(of(&noise), Direction::Steady);
    let many = Times::of_order(5000).unwrap();
    let values: Vec<f64> = (0..5000).map(|member| 3.0 * f64::from(member)).collect();
    assert_eq!(many.theil_sen(&values), Some(3.0));
}

/// With equal values: all divisions, by hand, of three and three.
#[test]
fn few_runs_with_equal_values_are_judged_exactly() {
    let test =
        |first: &[f64], second: &[f64]| mann_whitney(first, second, Method::Divisions).unwrap();
    // Ranks 1.5 1.5 3 against 4 5.5 5.5: only the division itself and its mirror are as far.
    let apart = test(&[1.0, 1.0, 2.0], &[3.0, 4.0, 4.0]);
    assert!(apart.exact && (apart.p_value - 2.0 / 20.0).abs() < 1e-12, "{apart:?}");
    // Where nothing differs every division is as far.
    assert_eq!(test(&[7.0; 5], &[7.0; 5]).p_value, 1.0);
    // Without equal values it is the exact one.
    let (first, second) = ([1.0, 2.0, 9.0, 4.0], [3.0, 8.0, 10.0, 11.0]);
    assert_eq!(test(&first, &second), mann_whitney(&first, &second, Method::Exact).unwrap());
    // Where there are too many ways, it is the normal distribution.
    let many: Vec<f64> = (0..30).map(|value| f64::from(value / 2)).collect();
    assert!(!test(&many[..15], &many[15..]).exact);
}

fn integers() -> impl Strategy<Value = Vec<i64>> {
    let value = prop_oneof![Just(0), -5i64..5, any::<i64>()];
    proptest::collection::vec(value, 1..60)
}

fn numbers(most: usize) -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![
        4 => (-9i32..9).prop_map(f64::from),
        4 => -1e9..1e9,
        1 => any::<f64>().prop_filter("finite", |value| value.is_finite()),
    ];
    proptest::collection::vec(value, 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn figures_lie_within_the_values(mut values in integers(), zeros in 0usize..50, percent in 0f64..100.0) {
        let sample = Sample::new(values.clone(), zeros);
        let all = [values.clone(), vec![0; zeros]].concat();
        prop_assert_eq!(&sample, &Sample::new(all.clone(), 0));
        values.reverse();
        prop_assert_eq!(&sample, &Sample::new(values, zeros));
        let summary = sample.summary().unwrap();
        let (min, max) = (summary.min as f64, summary.max as f64);
        prop_assert_eq!(summary.len, all.len());
        prop_assert_eq!(summary.sum, all.iter().map(|&value| i128::from(value)).sum::<i128>());
        prop_assert!(min <= summary.mean && summary.mean <= max);
        prop_assert!(min <= summary.median && summary.median <= max);
        prop_assert!(summary.deviation.is_none_or(|deviation| deviation >= 0.0 && deviation.is_finite()));
        let (at, above) = (sample.percentile(percent).unwrap(), sample.percentile((percent + 3.0).min(100.0)).unwrap());
        prop_assert!(min <= at && at <= above && above <= max);
    }

    #[test]
    fn every_value_is_in_a_bin(values in integers(), zeros in 0usize..50, bins in prop_oneof![Just(Bins::Automatic), (0usize..30).prop_map(Bins::Number)]) {
        let sample = Sample::new(values, zeros);
        let histogram = Histogram::new(&sample, bins).unwrap();
        prop_assert_eq!(histogram.counts.iter().sum::<usize>(), sample.len());
        prop_assert_eq!(histogram.counts.len() + 1, histogram.edges.len());
        prop_assert!(histogram.edges.is_sorted());
        prop_assert!(histogram.counts.len() <= Histogram::MAX_BINS);
        let fences = Fences::new(&sample).unwrap();
        prop_assert!(fences.low <= sample.median().unwrap() && sample.median().unwrap() <= fences.high);
    }

    #[test]
    fn trends_turn_with_the_values(values in numbers(80)) {
        prop_assume!(values.len() > 1);
        let times = Times::of_order(values.len()).unwrap();
        let present = |values: &[f64]| (0..).zip(values.iter().copied()).collect::<Vec<(u32, f64)>>();
        let Some(trend) = times.trend(&present(&values)) else { return Ok(()) };
        let mut score = 0;
        for later in 0..values.len() {
            for earlier in 0..later {
                score += i64::from(values[later] > values[earlier]) - i64::from(values[later] < values[earlier]);
            }
        }
        prop_assert_eq!(trend.score, score);
        prop_assert!((0.0..=1.0).contains(&trend.p_value));
        prop_assert!((-1.0..=1.0).contains(&trend.tau));
        let negated: Vec<f64> = values.iter().map(|value| -value).collect();
        let turned = times.trend(&present(&negated)).unwrap();
        prop_assert_eq!((turned.score, turned.p_value), (-trend.score, trend.p_value));
        let ends = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (low.min(v), high.max(v)));
        if let Some(slope) = times.theil_sen(&values) {
            prop_assert!(slope.abs() <= ends.1 - ends.0);
        }
    }

    #[test]
    fn groups_may_be_swapped(first in numbers(20), second in numbers(20), median in any::<bool>(), seed in any::<u64>()) {
        for method in [Method::Automatic, Method::Exact, Method::Normal] {
            let one = mann_whitney(&first, &second, method).unwrap();
            let other = mann_whitney(&second, &first, method).unwrap();
            prop_assert_eq!(one.u + other.u, (first.len() * second.len()) as f64);
            prop_assert_eq!(one.p_value, other.p_value);
            prop_assert!((0.0..=1.0).contains(&one.p_value));
            prop_assert!((one.delta + other.delta).abs() < 1e-12 && one.delta.abs() <= 1.0);
            let mut reversed = first.clone();
            reversed.reverse();
            prop_assert_eq!(mann_whitney(&reversed, &second, method), Some(one));
        }
        let centre = if median { Centre::Median } else { Centre::Mean };
        if let Some(found) = permutation(&first, &second, centre, 200, seed) {
            prop_assert!(found.p_value > 0.0 && found.p_value <= 1.0);
            if found.exact {
                let swapped = permutation(&second, &first, centre, 200, seed).unwrap();
                prop_assert_eq!(swapped.p_value, found.p_value);
            }
        }
        if let Some(interval) = bootstrap(&first, &second, centre, 0.9, 100, seed) {
            prop_assert!(interval.low <= interval.high);
            if let Some(wider) = bootstrap(&first, &second, centre, 0.99, 100, seed) {
                prop_assert!(wider.low <= interval.low && interval.high <= wider.high);
            }
        }
    }

    #[test]
    fn adjusting_keeps_the_order(p_values in proptest::collection::vec(0f64..=1.0, 0..50)) {
        let adjusted = false_discovery(&p_values);
        for (a, p) in adjusted.iter().zip(&p_values) {
            prop_assert!(p <= a && *a <= 1.0);
            for (b, q) in adjusted.iter().zip(&p_values) {
                prop_assert!(p > q || a <= b);
            }
        }
    }
}

proptest! {
    /// What formulas say of members is what the sample says, which numpy and scipy are asked about.
    #[test]
    fn figures_are_those_of_the_sample(values in proptest::collection::vec(-1000i64..1000, 1..40)) {
        let sample = Sample::new(values.clone(), 0);
        let summary = sample.summary().unwrap();
        let floats: Vec<Option<f64>> = values.iter().map(|&value| Some(value as f64)).collect();
        let of = |figure: Figure| figure.of(&floats, None);
        let near = |figure: Figure, expected: Option<f64>| match (of(figure), expected) {
            (Some(found), Some(expected)) => (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
            (found, expected) => found == expected,
        };
        prop_assert!(near(Figure::Sum, Some(summary.sum as f64)));
        prop_assert!(near(Figure::Mean, Some(summary.mean)));
        prop_assert!(near(Figure::Min, Some(summary.min as f64)));
        prop_assert!(near(Figure::Max, Some(summary.max as f64)));
        prop_assert!(near(Figure::Median, Some(summary.median)));
        prop_assert!(near(Figure::Deviation, summary.deviation));
        prop_assert!(near(Figure::Percentile(95.0), sample.percentile(95.0)));
        prop_assert!(near(Figure::Count, Some(summary.present as f64)));
        prop_assert!(near(Figure::First, Some(values[0] as f64)));
        prop_assert!(near(Figure::Last, values.last().map(|&value| value as f64)));
        // What has no value is not zero.
        let gaps = [floats.clone(), vec![None; 3]].concat();
        prop_assert_eq!(Figure::Mean.of(&gaps, None), of(Figure::Mean));
        prop_assert_eq!(Figure::Slope.of(&gaps, Times::of_order(gaps.len()).as_ref()), None);
    }
}
