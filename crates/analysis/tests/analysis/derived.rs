//! Metrics that formulas define, in every shape, over members too; against values that are worked
//! out stack by stack.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{
    Collapse, Derived, DerivedMetrics, Filter, FilterKind, Filtered, FrameKey, FrameKeys,
    Granularity, GroupPlaces, MemberSums, Merge, NO_VALUE, NodeId, Order, Shape, Tree,
    distinct_names, flat_values,
};
use profile::{Location, LocationId, Metric, MetricId, Profile, ProfileBuilder};
use proptest::prelude::*;

/// Locations from the root, and a value of each of two metrics.
type Sample = (Vec<u8>, i64, i64);

fn profile(samples: &[Sample]) -> Profile {
    let metric = |name: &str| Metric { name: name.into(), ..Metric::default() };
    let mut builder = ProfileBuilder::new(vec![metric("a"), metric("b")]);
    let functions: Vec<_> = (0..5).map(|f| builder.function(&format!("f{f}"), "x.rs", 1)).collect();
    for location in 0..7u32 {
        let frame = |shift: u32| (Some(functions[((location + shift) % 5) as usize]), location, 0);
        let frames = if location % 3 == 0 { vec![frame(0), frame(2)] } else { vec![frame(0)] };
        let address = 0x100 + u64::from(location);
        builder.push_location(Location { address, ..Location::default() }, &frames);
    }
    for (path, a, b) in samples {
        let context = builder.stack(path.iter().map(|&l| LocationId(u32::from(l))));
        builder.points.push(context, profile::LabelSetId(0), &[*a, *b]);
    }
    builder.finish()
}

fn merged(members: &[Vec<Sample>]) -> Arc<Profile> {
    let mut merge = Merge::default();
    for (index, samples) in members.iter().enumerate() {
        merge.add(&format!("m{index}"), &profile(samples));
    }
    Arc::new(merge.finish().profile)
}

fn samples() -> impl Strategy<Value = Vec<Sample>> {
    proptest::collection::vec((proptest::collection::vec(0u8..7, 0..8), 0i64..50, 0i64..50), 1..12)
}

fn members() -> impl Strategy<Value = Vec<Vec<Sample>>> {
    proptest::collection::vec(samples(), 1..6)
}

fn filters() -> impl Strategy<Value = Vec<Filter>> {
    let kind = prop_oneof![
        Just(FilterKind::Focus),
        Just(FilterKind::Hide),
        Just(FilterKind::ShowFrom),
        Just(FilterKind::Ignore),
    ];
    let filter = (kind, "f[0-4]").prop_map(|(kind, pattern)| Filter { kind, pattern });
    proptest::collection::vec(filter, 0..2)
}

fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::TopDown),
        Just(Shape::BottomUp),
        Just(Shape::Flat),
        Just(Shape::AllCallers),
        (0u32..5).prop_map(|key| Shape::Callers(FrameKey(key))),
        (0u32..5).prop_map(|key| Shape::Callees(FrameKey(key))),
    ]
}

/// The formulas as metrics, numbered on from the measured ones.
fn deriving(profile: &Arc<Profile>, filters: &[Filter], formulas: &[&str]) -> Arc<Filtered> {
    let metrics = Arc::new(DerivedMetrics::default());
    for formula in formulas {
        metrics.add(Derived::new("", formula, profile).unwrap());
    }
    Arc::new(Filtered::new(profile.clone(), filters, true).unwrap().deriving(metrics))
}

/// Which recursion is collapsed.
fn collapses() -> impl Strategy<Value = Collapse> {
    prop_oneof![Just(Collapse::None), Just(Collapse::Direct), Just(Collapse::All)]
}

fn tree(
    filtered: &Arc<Filtered>,
    shape: Shape,
    metric: MetricId,
    collapse: Collapse,
) -> Option<Tree> {
    let keys = Arc::new(FrameKeys::new(filtered.profile(), Granularity::Function));
    if let Shape::Callers(key) | Shape::Callees(key) = shape
        && key.index() >= keys.len()
    {
        return None;
    }
    Some(Tree::new(filtered.clone(), keys, shape, metric, Order::Value, collapse))
}

fn nodes(tree: &mut Tree) -> Vec<NodeId> {
    let mut all = vec![NodeId::ROOT];
    let mut next = 0;
    while next < all.len() {
        all.extend(tree.children(all[next]).map(NodeId));
        next += 1;
    }
    all
}

/// What every node has in a metric, by the names that lead to it.
fn by_path(tree: &mut Tree, metric: MetricId) -> BTreeMap<Vec<String>, (i64, i64)> {
    let all = nodes(tree);
    let path = |tree: &Tree, node| -> Vec<String> {
        tree.path(node).into_iter().skip(1).map(|id| tree.name(id).into_owned()).collect()
    };
    all.into_iter().map(|node| (path(tree, node), tree.values(node, metric))).collect()
}

/// What 1 is in a derived metric.
fn one(filtered: &Filtered, metric: MetricId) -> i64 {
    10i64.pow(filtered.derived(metric).unwrap().metric().decimals.into())
}

/// Small values keep many digits, large ones stay within 64 bits.
#[test]
fn formulas_have_the_digits_that_their_values_leave_room_for() {
    for (value, decimals) in [(3, 9), (4_000_000_000, 3), (5_000_000_000_000_000, 3)] {
        let filtered = deriving(&merged(&[vec![(vec![1], value, 1)]]), &[], &["a / 3", "a / b"]);
        assert_eq!(filtered.derived(MetricId(2)).unwrap().metric().decimals, decimals, "{value}");
    }
    let filtered = deriving(&merged(&[vec![(vec![1], 1, 1000)]]), &[], &["a / 1000000"]);
    assert_eq!(filtered.program_total(MetricId(2)), one(&filtered, MetricId(2)) / 1_000_000);
}

/// However small the values are, each has digits that tell it from others.
#[test]
fn small_values_of_formulas_keep_their_digits() {
    let samples = vec![(vec![1], 2, 12_000_000_000), (vec![2], 3, 4_000_000_000)];
    let formulas = ["a / b", "1000 * a / b", "a / b - b / a"];
    let filtered = deriving(&merged(&[samples]), &[], &formulas);
    // What is large as well as small stays within 64 bits.
    for (metric, wanted) in [(2, 5.0 / 16e9), (3, 5e3 / 16e9), (4, 5.0 / 16e9 - 16e9 / 5.0)] {
        let metric = MetricId(metric);
        let told = filtered.program_total(metric) as f64 / one(&filtered, metric) as f64;
        assert!((told / wanted - 1.0).abs() < 1e-7, "{told} {wanted}");
    }
}

/// Neither do large values leave 64 bits.
#[test]
fn large_values_of_formulas_have_room() {
    let member = |value| vec![(vec![1], value, 7)];
    for (formula, wanted) in [
        ("a * a", 9e16),
        ("a * 1000000000", 3e17),
        ("mean_of(a) * 100000000", 1e16),
        ("a / b * 10000000000", 3e18 / 21.0),
    ] {
        let members = [member(100_000_000), member(100_000_001), member(99_999_999)];
        let filtered = deriving(&merged(&members), &[], &[formula]);
        let told = filtered.program_total(MetricId(2)) as f64 / one(&filtered, MetricId(2)) as f64;
        assert!((told / wanted - 1.0).abs() < 1e-7, "{formula}: {told} {wanted}");
    }
}

/// What members spread and grow by has digits of its own, also where the whole does not grow.
#[test]
fn small_figures_over_members_keep_their_digits() {
    const MOVED: i64 = 40_000_000_000;
    let member = |index: i64| vec![(vec![1], index, MOVED), (vec![2], 9 - index, MOVED)];
    let members: Vec<_> = (0..9).map(member).collect();
    let formulas = ["rise_of(a / b)", "deviation_of(a / b)", "(total(a) - self(a)) / total(b)"];
    let filtered = deriving(&merged(&members), &[], &formulas);
    let value = |metric: u32| -> f64 {
        let metric = MetricId(metric);
        let mut tree = tree(&filtered, Shape::TopDown, metric, Collapse::None).unwrap();
        let values = by_path(&mut tree, metric).into_values().map(|(_, total)| total);
        values.max().unwrap() as f64 / one(&filtered, metric) as f64
    };
    // Nine values from 0 to 8.
    let deviation = 7.5f64.sqrt();
    for (metric, wanted) in [(2, 1.0), (3, deviation)] {
        let told = value(metric);
        assert!((told / (wanted / MOVED as f64) - 1.0).abs() < 1e-6, "{metric}: {told}");
    }
}

proptest! {
    #[test]
    fn members_add_up_to_the_node(
        members in members(), filters in filters(), shape in shapes(), collapse in collapses()
    ) {
        let filtered = deriving(&merged(&members), &filters, &[]);
        let Some(mut tree) = tree(&filtered, shape, MetricId(0), collapse) else { return Ok(()) };
        for node in nodes(&mut tree) {
            let sums = tree.member_sums(node, &[MetricId(0), MetricId(1)]);
            prop_assert_eq!(sums.total.len(), 2 * members.len());
            for metric in [0, 1].map(MetricId) {
                let of = |values: &[i64]| -> i64 { values.iter().skip(metric.index()).step_by(2).sum() };
                prop_assert_eq!((of(&sums.own), of(&sums.total)), tree.values(node, metric));
            }
        }
    }

    #[test]
    fn a_member_has_what_it_has_alone(
        members in members(), filters in filters(), shape in shapes(), which: usize
    ) {
        let which = which % members.len();
        let profile = merged(&members);
        // A profile that came alone is not a member of anything.
        prop_assume!(members.len() > 1);
        let all = deriving(&profile, &filters, &[]);
        let only = Filter { kind: FilterKind::LabelFocus, pattern: format!("member=^m{which}$") };
        let alone = deriving(&profile, &[filters, vec![only]].concat(), &[]);
        let (Some(mut all), Some(mut alone)) = (tree(&all, shape, MetricId(0), Collapse::None), tree(&alone, shape, MetricId(0), Collapse::None))
        else { return Ok(()) };
        let alone = by_path(&mut alone, MetricId(0));
        for node in nodes(&mut all) {
            let path: Vec<String> =
                all.path(node).into_iter().skip(1).map(|id| all.name(id).into_owned()).collect();
            let MemberSums { own, total } = all.member_sums(node, &[MetricId(0)]);
            prop_assert_eq!(own.len(), members.len());
            let expected = alone.get(&path).copied().unwrap_or_default();
            prop_assert_eq!((own[which], total[which]), expected, "{:?}", path);
        }
    }

    /// Trees by a formula are those by a metric: the same nodes, whose values are worked out from
    /// theirs.
    #[test]
    fn formulas_stand_on_the_values_of_the_node(
        members in members(), filters in filters(), shape in shapes(), collapse in collapses()
    ) {
        let formulas = [
            "a + b", "a / b", "max_of(a)", "count_of(a)", "sum_of(a) - a", "self(a)",
            "total(b) - self(a)", "sum_of(self(a)) - self(a)", "max_of(self(b))",
        ];
        let filtered = deriving(&merged(&members), &filters, &formulas);
        let Some(mut plain) = tree(&filtered, shape, MetricId(0), collapse) else { return Ok(()) };
        let column = |tree: &mut Tree, metric: MetricId| by_path(tree, metric);
        let (a, b) = (column(&mut plain, MetricId(0)), column(&mut plain, MetricId(1)));
        for (place, formula) in formulas.iter().enumerate() {
            let metric = MetricId(2 + place as u32);
            let one = one(&filtered, metric);
            let mut tree = tree(&filtered, shape, metric, collapse).unwrap();
            let values = by_path(&mut tree, metric);
            // Lists leave out what has nothing in their own metrics.
            let is_list = shape == Shape::Flat;
            prop_assert!(is_list || values.keys().eq(a.keys()));
            for (path, value) in by_path(&mut plain, metric) {
                prop_assert_eq!(values.get(&path).copied().unwrap_or(value), value, "{}", formula);
            }
            let in_both = values.into_iter().filter(|(path, _)| a.contains_key(path));
            for (path, value) in in_both {
                // The program has all self values as its own.
                let is_program = path.is_empty()
                    && !matches!(shape, Shape::Callers(_) | Shape::Callees(_));
                let (a_self, b_total) = (a[&path].0, b[&path].1);
                let of = |pick: fn(&(i64, i64)) -> i64| -> Option<i64> {
                    let (a, b) = (pick(&a[&path]), pick(&b[&path]));
                    match *formula {
                        "a + b" => Some((a + b) * one),
                        "a / b" if b == 0 => Some(NO_VALUE),
                        "a / b" => Some((a as f64 / b as f64 * one as f64).round() as i64),
                        "sum_of(a) - a" | "sum_of(self(a)) - self(a)" => Some(0),
                        "self(a)" if !is_program => Some(a_self * one),
                        "total(b) - self(a)" if !is_program => Some((b_total - a_self) * one),
                        _ => None,
                    }
                };
                let (own, total) = value;
                prop_assert!(of(|v| v.0).is_none_or(|expected| expected == own), "{} {:?}", formula, path);
                prop_assert!(of(|v| v.1).is_none_or(|expected| expected == total), "{} {:?}", formula, path);
            }
        }
    }

    #[test]
    fn flat_values_of_formulas_are_those_of_functions(members in members(), filters in filters()) {
        let filtered = deriving(&merged(&members), &filters, &["max_of(a)", "b - a"]);
        let keys = FrameKeys::new(filtered.profile(), Granularity::Function);
        let places = GroupPlaces::new(&filtered, keys.keys(), keys.len());
        let flat = |metric| flat_values(&filtered, keys.keys(), keys.len(), MetricId(metric));
        let (a, b, most, less) = (flat(0), flat(1), flat(2), flat(3));
        for key in keys.all() {
            let sums = places.sums(&filtered, key, &[MetricId(0)]);
            let largest = |values: &[i64]| values.iter().max().unwrap() * one(&filtered, MetricId(2));
            prop_assert_eq!(sums.own.iter().sum::<i64>(), a.self_value[key.index()]);
            prop_assert_eq!(sums.total.iter().sum::<i64>(), a.total_value[key.index()]);
            prop_assert_eq!(most.self_value[key.index()], largest(&sums.own));
            prop_assert_eq!(most.total_value[key.index()], largest(&sums.total));
            let difference = b.self_value[key.index()] - a.self_value[key.index()];
            prop_assert_eq!(less.self_value[key.index()], difference * one(&filtered, MetricId(3)));
        }
    }

    /// The order of members makes no difference to figures that know none.
    #[test]
    fn order_of_members_does_not_matter(members in members(), shape in shapes()) {
        let formulas = ["mean_of(a)", "median_of(a)", "deviation_of(b)", "percentile_of(a, 95)"];
        let turned: Vec<_> = members.iter().rev().cloned().collect();
        let filtered = [members, turned].map(|members| deriving(&merged(&members), &[], &formulas));
        // Keys of functions are numbered as they come.
        prop_assume!(!matches!(shape, Shape::Callers(_) | Shape::Callees(_)));
        for metric in (2..2 + formulas.len() as u32).map(MetricId) {
            let [there, back] =
                [0, 1].map(|side| by_path(&mut tree(&filtered[side], shape, metric, Collapse::None).unwrap(), metric));
            for ((path, there), (other, back)) in there.iter().zip(&back) {
                prop_assert_eq!(path, other);
                // Sums in another order round differently.
                prop_assert!((there.0 - back.0).abs() <= 1 && (there.1 - back.1).abs() <= 1);
            }
        }
    }
}

#[test]
fn lists_have_what_any_metric_of_a_formula_has() {
    // f1 is in a only, f2 in b only.
    let filtered = deriving(&merged(&[vec![(vec![1], 3, 0), (vec![2], 0, 5)]]), &[], &["a - b"]);
    let values = by_path(
        &mut tree(&filtered, Shape::Flat, MetricId(2), Collapse::None).unwrap(),
        MetricId(2),
    );
    let of = |name: &str| values[&["[no module]", "x.rs", name].map(str::to_owned).to_vec()];
    let [three, five] = [3, -5].map(|value| value * one(&filtered, MetricId(2)));
    assert_eq!((of("f1"), of("f2")), ((three, three), (five, five)));
}

#[test]
fn growing_memory_is_distinguished_from_steady_memory() {
    // Ten snapshots: f1 leaks, f2 goes up and down, f3 stays.
    let noise = [5, 9, 4, 7, 5, 9, 4, 8, 5, 6];
    let snapshots: Vec<Vec<Sample>> = (0..10)
        .map(|at| {
            vec![(vec![1], 10 * at + 3, 0), (vec![2], noise[at as usize], 0), (vec![3 + 1], 70, 0)]
        })
        .collect();
    let filtered = deriving(&merged(&snapshots), &[], &["rise_of(a)", "slope_of(a)"]);
    let values = by_path(
        &mut tree(&filtered, Shape::TopDown, MetricId(2), Collapse::None).unwrap(),
        MetricId(2),
    );
    let of = |name: &str| values[&vec![name.to_owned()]].1;
    assert_eq!((of("f1"), of("f2"), of("f4")), (10 * one(&filtered, MetricId(2)), 0, 0));
    // The largest comes first.
    let mut tree = tree(&filtered, Shape::TopDown, MetricId(2), Collapse::None).unwrap();
    let first = NodeId(tree.children(NodeId::ROOT).start);
    assert_eq!(tree.name(first), "f1");
}

#[test]
fn a_frame_is_as_wide_as_its_parts_where_they_cancel() {
    // f1 calls f2, which grew, and f3, which fell as much: f1 did not change.
    let filtered = deriving(
        &merged(&[vec![(vec![1, 2], 0, 6), (vec![1, 3], 6, 0), (vec![4], 1, 1)]]),
        &[],
        &["b - a", "a"],
    );
    let one = one(&filtered, MetricId(2));
    for (shape, collapse) in
        [Collapse::None, Collapse::Direct, Collapse::All].map(|collapse| (Shape::TopDown, collapse))
    {
        let mut tree = tree(&filtered, shape, MetricId(2), collapse).unwrap();
        let weight_of = |tree: &mut Tree, name: &str| {
            let found = nodes(tree).into_iter().find(|&node| tree.name(node) == name);
            tree.node(found.unwrap()).weight
        };
        assert_eq!(weight_of(&mut tree, "f1"), 0);
        tree.widen();
        assert_eq!(tree.node(NodeId::ROOT).weight, 12 * one);
        assert_eq!(weight_of(&mut tree, "f1"), 12 * one);
        assert_eq!((weight_of(&mut tree, "f2"), weight_of(&mut tree, "f3")), (6 * one, 6 * one));
        assert_eq!(weight_of(&mut tree, "f4"), 0);
    }
}

proptest! {
    #[test]
    fn widths_of_parts_fit_into_their_whole(
        members in members(), filters in filters(), shape in shapes(), collapse in collapses(),
    ) {
        let filtered = deriving(&merged(&members), &filters, &["b - a", "rise_of(a)", "slope_of(b)"]);
        for metric in (2..5).map(MetricId) {
            let Some(mut tree) = tree(&filtered, shape, metric, collapse) else { continue };
            let before: Vec<(NodeId, i64)> =
                nodes(&mut tree).into_iter().map(|node| (node, tree.node(node).weight)).collect();
            tree.widen();
            for (node, weight) in before {
                let parts: i64 =
                    tree.children(node).map(|child| tree.node(NodeId(child)).weight).sum();
                prop_assert!(tree.node(node).weight >= parts.max(weight));
            }
        }
    }
}

#[test]
fn one_name_for_several_metrics_is_distinguished() {
    let metric = |name: &str, unit: &str| Metric {
        name: name.into(),
        unit: unit.into(),
        ..Metric::default()
    };
    let metrics = [metric("t", "ns"), metric("t", "ms"), metric("t", "ns"), metric("u", "ns")];
    let names: Vec<String> = distinct_names(&metrics).into_iter().map(|m| m.name).collect();
    assert_eq!(names, ["t (ns)", "t (ms)", "t (ns) 2", "u"]);
}
