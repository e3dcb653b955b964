//! Runs on both sides of a comparison: chance is not taken for change.

use std::sync::Arc;

use analysis::{
    Collapse, Comparison, Filtered, FrameKeys, Granularity, Merge, Normalise, Order, Shape, Side,
    Significance, Tree,
};
use profile::{MemberId, Metric, MetricId, Place, Profile, ProfileBuilder};
use proptest::prelude::*;

/// `main` with two functions, in points of so many samples each.
fn run(values: [i64; 2], points: i64) -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
    let mut place = |function| builder.place(&Place { function, ..Place::default() });
    let (main, f, g) = (place("main"), place("f"), place("g"));
    for (function, value) in [(f, values[0]), (g, values[1])] {
        let context = builder.stack([main, function]);
        for point in 0..points {
            let part = value / points + i64::from(point < value % points);
            let key = builder.strings.intern("part");
            let text = builder.strings.intern(&point.to_string());
            let value = profile::LabelValue::Text(text);
            let labels = builder.labels.add(&[profile::Label { key, value }]);
            builder.points.push(context, labels, &[part]);
        }
    }
    builder.finish()
}

fn merged(runs: &[[i64; 2]], points: i64) -> Profile {
    let mut merge = Merge::default();
    for (index, values) in runs.iter().enumerate() {
        merge.add(&format!("run {index}"), &run(*values, points));
    }
    merge.finish().profile
}

/// The tests of all nodes of the tree.
fn tests(base: &[[i64; 2]], new: &[[i64; 2]], how: &Normalise, points: i64) -> Vec<Significance> {
    let comparison = Comparison::new(&merged(base, points), &merged(new, points));
    let comparison = comparison.scaled([base.len(), new.len()], how).unwrap();
    let profile = Arc::new(comparison.profile);
    let filtered = Arc::new(Filtered::new(profile.clone(), &[], true).unwrap());
    let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
    let both = Side::Both.of(MetricId(0));
    let mut tree = Tree::new(filtered, keys, Shape::TopDown, both, Order::Value, Collapse::None);
    comparison.groups.significance(&mut tree, MetricId(0)).unwrap().into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn constants_never_differ_whatever_the_numbers_of_runs(
        values in [1i64..100_000, 1i64..100_000],
        (base, new) in (2usize..40, 2usize..40),
        points in 1i64..40,
        total in any::<bool>(),
    ) {
        let how = if total { Normalise::Total } else { Normalise::Absolute };
        let found = tests(&vec![values; base], &vec![values; new], &how, points);
        prop_assert!(!found.is_empty());
        for test in found {
            prop_assert!(!test.is_believed() && test.shift.p_value > 0.99, "{test:?}");
        }
    }

    #[test]
    fn small_differences_of_constants_are_found(
        value in 1_000i64..100_000,
        (base, new) in (5usize..12, 5usize..12),
    ) {
        let found = tests(&vec![[value, 7]; base], &vec![[value + 1, 7]; new], &Normalise::Absolute, 3);
        prop_assert!(found.iter().any(Significance::is_believed), "{found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Sides the other way round: the same frames, runs and numbers.
    #[test]
    fn swapped_sides_have_the_same_numbers(
        base in prop::collection::vec([0i64..50, 0i64..50], 1..4),
        new in prop::collection::vec([0i64..50, 0i64..50], 1..4),
        points in 1i64..3,
        more in any::<bool>(),
    ) {
        let (base, mut new) = (merged(&base, points), merged(&new, points));
        if more {
            // One function less, and one name that is not in the base.
            new.functions.name[1] = new.functions.name[0];
        }
        let (one, other) = (Comparison::new(&base, &new), Comparison::new(&new, &base));
        prop_assert_eq!(one.groups.members[0], other.groups.members[1]);
        let (one, other) = (Arc::new(one.profile), Arc::new(other.profile));
        let mut names: Vec<_> = other.members.iter().map(|member| member.name.clone()).collect();
        names.rotate_left(new.members.len());
        let sided = |name: &String| name.replace("base", "?").replace("new", "base").replace('?', "new");
        let expected: Vec<String> = one.members.iter().map(|member| sided(&member.name)).collect();
        prop_assert_eq!(names, expected);
        let flat = |profile: &Arc<Profile>, side: Side| {
            let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
            let keys = FrameKeys::new(profile, Granularity::Function);
            let flat = analysis::flat_values(&filtered, keys.keys(), keys.len(), side.of(MetricId(0)));
            keys.all()
                .map(|key| (key, keys.name(profile, key).into_owned(), flat.of(key)))
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(flat(&one, Side::Base), flat(&other, Side::New));
        prop_assert_eq!(flat(&one, Side::New), flat(&other, Side::Base));
    }

    /// A view of some runs is the comparison of these alone.
    #[test]
    fn means_are_those_of_the_runs_that_filters_leave(
        base in prop::collection::vec(([0i64..5_000, 0i64..50], any::<bool>()), 1..9),
        new in prop::collection::vec(([0i64..5_000, 0i64..50], any::<bool>()), 1..9),
        points in 1i64..5,
    ) {
        let of = |side: &[([i64; 2], bool)], chosen: bool| -> Vec<[i64; 2]> {
            side.iter().filter(|(_, is)| !chosen || *is).map(|(values, _)| *values).collect()
        };
        prop_assume!(!of(&base, true).is_empty() && !of(&new, true).is_empty());
        let compared = |chosen: bool| {
            let (base, new) = (of(&base, chosen), of(&new, chosen));
            let comparison = Comparison::new(&merged(&base, points), &merged(&new, points));
            comparison.scaled([base.len(), new.len()], &Normalise::Absolute).unwrap()
        };
        let (all, alone) = (compared(false), compared(true));
        let kept = base.iter().chain(&new).map(|(_, is)| *is).enumerate();
        let parts: Vec<MemberId> =
            kept.filter(|(_, is)| *is).map(|(member, _)| MemberId(member as u32)).collect();
        let mut viewed = analysis::means_of(&all.profile, &all.groups, &parts)
            .unwrap_or_else(|| all.profile.clone());
        let mut left = profile::Points::new(viewed.points.metrics());
        for point in (0..viewed.points.len()).filter(|&point| parts.contains(&viewed.points.member(point))) {
            left.push_point(viewed.points.get(point), viewed.points.row(point));
        }
        viewed.points = left;
        let told = |profile: Profile| {
            let profile = Arc::new(profile);
            let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
            let keys = FrameKeys::new(&profile, Granularity::Function);
            [Side::Base, Side::New].map(|side| {
                let metric = side.of(MetricId(0));
                let unit = 10f64.powi(profile.metrics[metric.index()].decimals.into());
                let flat = analysis::flat_values(&filtered, keys.keys(), keys.len(), metric);
                let mut values: Vec<(String, i64)> = (keys.all())
                    .map(|key| {
                        let value = flat.of(key).1 as f64 / unit;
                        (keys.name(&profile, key).into_owned(), (value * 1e4).round() as i64)
                    })
                    .collect();
                values.sort();
                values
            })
        };
        prop_assert_eq!(told(viewed), told(alone.profile));
        // What one run had is whole again.
        let tested = &all.groups;
        let one = 10i64.pow(tested.finer[0].into());
        let first = parts[0].index();
        let raw = base.iter().chain(&new).nth(first).unwrap().0[0];
        let share = raw as f64 * one as f64 / tested.kept(&parts)[usize::from(first >= base.len())] as f64;
        let told = tested.of_runs(&parts, MetricId(0), &vec![share.round() as i64; parts.len()]);
        prop_assert_eq!(told[0], raw * one);
    }
}

/// Means of equal runs are equal to the last digit, whatever their numbers, and what does not add
/// up is not divided.
#[test]
fn means_of_equal_runs_are_equal() {
    use profile::{Combine, Combining};
    for (base, new) in [(1, 6), (3, 1), (7, 2), (2, 9), (6, 10)] {
        let sides = [base, new].map(|runs| merged(&vec![[7, 1]; runs], 1));
        for combine in [Combine::Sum, Combine::Maximum, Combine::Mean, Combine::Last] {
            let sides = sides.clone().map(|mut side| {
                side.metrics[0].combining = Combining::everywhere(combine);
                side
            });
            let comparison = Comparison::new(&sides[0], &sides[1]);
            let comparison = comparison.scaled([base, new], &Normalise::Absolute).unwrap();
            let profile = Arc::new(comparison.profile);
            let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
            let keys = FrameKeys::new(&profile, Granularity::Function);
            let of = |side: Side| {
                analysis::flat_values(&filtered, keys.keys(), keys.len(), side.of(MetricId(0)))
            };
            let (of_base, of_new) = (of(Side::Base), of(Side::New));
            assert_eq!(of_base, of_new, "{base} and {new} runs, {combine:?}");
            let one = 10i64.pow(profile.metrics[0].decimals.into());
            let f = keys.all().find(|&key| keys.name(&profile, key) == "f").unwrap();
            assert_eq!(of_new.of(f).0, 7 * one, "{base} and {new} runs, {combine:?}");
        }
    }
}

/// Of comparisons of runs that are all of one kind no more than the chosen share finds anything.
#[test]
fn runs_of_one_kind_rarely_differ() {
    // Marsaglia's xorshift: numbers that are the same in every run of the test.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below) as i64
    };
    const TRIES: usize = 400;
    for (base, new) in [(6, 10), (4, 15), (12, 12)] {
        let mut found = 0;
        for _ in 0..TRIES {
            let mut side =
                |runs| (0..runs).map(|_| [random(50) + 500, random(9) + 30]).collect::<Vec<_>>();
            let (base, new): (Vec<_>, Vec<_>) = (side(base), side(new));
            let tests = tests(&base, &new, &Normalise::Absolute, 2);
            found += usize::from(tests.iter().any(Significance::is_believed));
        }
        // 5 % of 400 are 20; three standard deviations more are 33.
        assert!(found <= 33, "{base} and {new} runs: {found} of {TRIES}");
    }
}
