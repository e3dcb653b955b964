//! Metrics that do not add up: every figure is what a walk over all points says.

use std::sync::Arc;

use analysis::{
    Collapse, Comparison, Filtered, FrameKeys, Granularity, Merge, NO_VALUE, NodeId, Order, Shape,
    Side, Tree, flat_values, member_totals, refine_means,
};
use profile::{
    Combine, Combining, ContextId, FrameId, MemberId, Metric, MetricId, Place, Point, Profile,
    ProfileBuilder,
};
use proptest::prelude::*;

/// A stack, a member, a time, and a value of each metric.
type Record = (Vec<u8>, u32, i64, [i64; 2]);

/// Metric 0 weights, metric 1 combines.
fn profile(records: &[Record], combining: Combining) -> Profile {
    let weight = Metric::new("weight", "count");
    let mut builder =
        ProfileBuilder::new(vec![weight, Metric { combining, ..Metric::new("value", "bytes") }]);
    for name in ["a", "b"] {
        builder.members.push(profile::Member { name: name.into(), ..Default::default() });
    }
    for (stack, member, time, values) in records {
        let places: Vec<_> = stack
            .iter()
            .map(|name| {
                let function = ["main", "f", "g"][usize::from(*name)];
                builder.place(&Place { function, ..Place::default() })
            })
            .collect();
        let context = builder.stack(places);
        let (member, time) = (MemberId(*member), Some(*time));
        builder.points.push_point(Point { context, member, time, ..Point::default() }, values);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    profile
}

/// What the points of some contexts are together: over the points of a context, over contexts, over
/// members, each in the plainest way.
fn expected(profile: &Profile, contexts: &dyn Fn(ContextId) -> bool) -> i64 {
    let combining = profile.metrics[1].combining;
    let points = &profile.points;
    let mut of_members = vec![];
    for member in 0..2 {
        let mut of_contexts = vec![];
        for context in (0..profile.contexts.len() as u32).map(ContextId).filter(|c| contexts(*c)) {
            let own = (0..points.len())
                .filter(|&p| points.context[p] == context && points.member(p).0 == member)
                .map(|p| (points.row(p)[1], points.row(p)[0], points.time(p).unwrap()))
                .collect();
            // Means of means are means of all.
            if combining.contexts == Combine::Mean && combining.time == Combine::Mean {
                of_contexts.extend(own)
            } else {
                of_contexts.extend(together(combining.time, own))
            }
        }
        let one = together(combining.contexts, of_contexts);
        of_members.extend(one.map(|(value, weight, _)| (value, weight, i64::from(member))));
    }
    together(combining.members, of_members).map_or(NO_VALUE, |(value, ..)| value)
}

/// Value, weight and time of several.
fn together(combine: Combine, mut all: Vec<(i64, i64, i64)>) -> Option<(i64, i64, i64)> {
    all.retain(
        |&(value, weight, _)| if combine == Combine::Mean { weight > 0 } else { value != 0 },
    );
    let weight = all.iter().map(|&(_, weight, _)| weight).sum();
    let last = all.iter().copied().max_by_key(|&(.., time)| time)?;
    let values = || all.iter().map(|&(value, ..)| value);
    let value = match combine {
        Combine::Sum => values().sum(),
        Combine::Maximum => values().max()?,
        Combine::Minimum => values().min()?,
        Combine::Last => last.0,
        Combine::None => Some(values().next()?).filter(|_| all.len() == 1)?,
        Combine::Mean => {
            let sum: i64 = all.iter().map(|&(value, weight, _)| value * weight).sum();
            (sum as f64 / weight as f64).round() as i64
        }
    };
    Some((value, weight, last.2))
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let stack = proptest::collection::vec(0u8..3, 1..5);
    let record = (stack, 0u32..2, (1i64..100, 0i64..50));
    proptest::collection::vec(record, 1..10).prop_map(|list| {
        let mut time = 0;
        list.into_iter()
            .map(|(stack, member, (value, weight))| {
                time += 1;
                (stack, member, time, [weight, value])
            })
            .collect()
    })
}

fn combine() -> impl Strategy<Value = Combine> {
    proptest::sample::select(Combine::ALL.to_vec())
}

fn names(profile: &Profile, context: ContextId) -> Vec<String> {
    let mut names = vec![];
    let mut at = Some(context);
    while let Some(context) = at {
        let frames = profile.frames_of(context).rev();
        names.extend(frames.map(|frame| profile.frame_name(FrameId(frame)).into_owned()));
        at = profile.contexts.parent(context);
    }
    names.reverse();
    names
}

proptest! {
    #[test]
    fn every_node_says_what_its_points_are_together(
        records in records(),
        contexts in combine(),
        time in combine(),
        members in combine(),
        weighted in any::<bool>(),
    ) {
        // The mean of figures that are not means has no weight to speak of.
        prop_assume!(members != Combine::Mean || contexts == Combine::Mean && time == Combine::Mean);
        prop_assume!(contexts != Combine::Mean || time == Combine::Mean);
        prop_assume!(weighted || [contexts, time, members].iter().all(|c| *c != Combine::Mean));
        let combining = Combining { contexts, time, members, weight: weighted.then_some(MetricId(0)) };
        // A context whose own points do not combine counts as one that has a value.
        prop_assume!(contexts != Combine::None || time != Combine::None);
        // Where nothing was measured a sum is 0 and all else is nothing.
        prop_assume!(!combining.is_sum());
        let profile = Arc::new(profile(&records, combining));
        let filtered = Arc::new(Filtered::new(profile.clone(), &[], true).unwrap());
        let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
        let alone = contexts == Combine::None;
        // Means over members are of the members' means, which are rounded.
        let rounding = i64::from(members == Combine::Mean);
        let is_same = |a: i64, b: i64| a == b || a.abs_diff(b) <= rounding.unsigned_abs();

        let mut tree = Tree::new(filtered.clone(), keys.clone(), Shape::TopDown, MetricId(1), Order::Value, Collapse::None);
        let mut open = vec![NodeId::ROOT];
        while let Some(node) = open.pop() {
            open.extend(tree.children(node).map(NodeId));
            let path: Vec<String> =
                tree.path(node).into_iter().skip(1).map(|id| tree.name(id).into_owned()).collect();
            let own = expected(&profile, &|context| names(&profile, context) == path);
            let total = expected(&profile, &|context| names(&profile, context).starts_with(&path));
            let total = if alone { NO_VALUE } else { total };
            let found = tree.values(node, MetricId(1));
            prop_assert!(node == NodeId::ROOT || is_same(found.0, own), "{path:?} {found:?} {own}");
            prop_assert!(is_same(found.1, total), "{path:?} {found:?} {total}");
        }

        let mut tree = Tree::new(filtered.clone(), keys.clone(), Shape::BottomUp, MetricId(1), Order::Value, Collapse::None);
        let mut open: Vec<NodeId> = tree.children(NodeId::ROOT).map(NodeId).collect();
        while let Some(node) = open.pop() {
            open.extend(tree.children(node).map(NodeId));
            let mut path: Vec<String> =
                tree.path(node).into_iter().skip(1).map(|id| tree.name(id).into_owned()).collect();
            path.reverse();
            let total = expected(&profile, &|context| names(&profile, context).ends_with(&path));
            let total = if alone { NO_VALUE } else { total };
            let found = tree.values(node, MetricId(1)).1;
            prop_assert!(is_same(found, total), "{path:?} {found} {total}");
        }

        let flat = flat_values(&filtered, keys.keys(), keys.len(), MetricId(1));
        for key in keys.all() {
            let name = keys.name(&profile, key).into_owned();
            let own = expected(&profile, &|context| names(&profile, context).last() == Some(&name));
            let total = expected(&profile, &|context| names(&profile, context).contains(&name));
            let total = if alone { NO_VALUE } else { total };
            let found = flat.of(key);
            prop_assert!(is_same(found.0, own) && is_same(found.1, total), "{name} {found:?} {own} {total}");
        }
        let total = if alone { NO_VALUE } else { expected(&profile, &|_| true) };
        let found = filtered.program_total(MetricId(1));
        prop_assert!(is_same(found, total), "{found} {total}");
    }
}

#[test]
fn one_name_that_combines_in_two_ways_is_two_metrics() {
    let one = |combine| profile(&[(vec![0], 0, 1, [1, 5])], Combining::everywhere(combine));
    let mut merge = Merge::default();
    merge.add("a", &one(Combine::Sum));
    merge.add("b", &one(Combine::Maximum));
    let merged = merge.finish();
    let names: Vec<_> = merged.profile.metrics.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["weight", "value", "value"]);
    let notes: Vec<_> = merged.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "values of the metric value do not combine alike in all profiles (sum, maximum): each way \
          is a metric of its own"
        ]
    );
}

#[test]
fn merging_and_comparing_keep_how_metrics_combine() {
    let maximum = Combining::everywhere(Combine::Maximum);
    let mean = Combining { weight: Some(MetricId(0)), ..Combining::everywhere(Combine::Mean) };
    for (combining, [base, new, both]) in [(maximum, [30, 70, 70]), (mean, [14, 58, 36])] {
        let one = |values: &[[i64; 2]]| {
            let record = |(at, values): (usize, &[i64; 2])| (vec![0], 0, at as i64, *values);
            profile(&values.iter().enumerate().map(record).collect::<Vec<_>>(), combining)
        };
        // Weights 4 and 1: (4 * 10 + 1 * 30) / 5 = 14; 2 and 3: (2 * 40 + 3 * 70) / 5 = 58.
        let (a, b) = (one(&[[4, 10], [1, 30]]), one(&[[2, 40], [3, 70]]));
        let mut merge = Merge::default();
        merge.add("a", &a);
        merge.add("b", &b);
        let merged = merge.finish().profile;
        assert_eq!(merged.metrics[1].combining, combining);
        // Each input has two members, of which one has points.
        let totals: Vec<i64> = member_totals(&merged).into_iter().map(|row| row[1]).collect();
        assert_eq!(totals, [base, NO_VALUE, new, NO_VALUE]);

        let comparison = Comparison::new(&a, &b);
        let profile = Arc::new(comparison.profile);
        let filtered = Filtered::new(profile, &[], true).unwrap();
        let total = |side: Side| filtered.program_total(side.of(MetricId(1)));
        // The mean of both: (14 * 5 + 58 * 5) / 10 = 36.
        assert_eq!([Side::Base, Side::New, Side::Both].map(total), [base, new, both]);
    }
}

#[test]
fn means_get_decimals_once() {
    let combining = Combining { weight: Some(MetricId(0)), ..Combining::everywhere(Combine::Mean) };
    let mut profile = profile(&[(vec![0], 0, 1, [1, 5])], combining);
    for _ in 0..3 {
        refine_means(&mut profile);
        assert_eq!(profile.metrics[1].decimals, 3);
        assert_eq!(profile.points.row(0), [1, 5000]);
    }
}
