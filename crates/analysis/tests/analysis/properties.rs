//! What must hold of the analyses whatever the profile: random trees with recursion, inlined
//! frames, negative values and labels.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{
    Change, Collapse, Comparison, Filter, FilterKind, Filtered, FrameKeys, Granularity, Merge,
    NodeId, Normalise, Order, Pattern, Search, Shape, Side, Tag, Tree, flat_values,
};
use profile::{
    ContextId, FrameId, Label, LabelValue, Location, LocationId, MemberId, Metric, MetricId,
    Profile, ProfileBuilder,
};
use proptest::prelude::*;

/// One sample: locations from the root, value, label.
type Sample = (Vec<u8>, i64, u8);

/// Locations 0 to 9: functions `f0` to `f6`, some shared by two places, some inlined.
fn profile(samples: &[Sample]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![
        Metric { name: "count".into(), ..Metric::default() },
        Metric { name: "value".into(), ..Metric::default() },
    ]);
    builder.origin.default_metric = MetricId(1);
    let names = ["f0", "f1", "f2", "f3", "f4", "f5", "f6"];
    let functions: Vec<_> =
        names.iter().map(|name| builder.function(name, &format!("{name}.rs"), 1)).collect();
    for location in 0..10u32 {
        let outer = (Some(functions[location as usize % 7]), location, 0);
        let inner = (Some(functions[(location as usize + 3) % 7]), location, 0);
        let frames = if location % 3 == 0 { vec![outer, inner] } else { vec![outer] };
        builder.push_location(
            Location { address: 0x100 + u64::from(location), ..Location::default() },
            &frames,
        );
    }
    let key = builder.strings.intern("thread");
    for (path, value, label) in samples {
        let context = builder.stack(path.iter().map(|&l| LocationId(u32::from(l))));
        let text = builder.strings.intern(&format!("t{label}"));
        let labels = builder.labels.add(&[Label { key, value: LabelValue::Text(text) }]);
        builder.points.push(context, labels, &[1, *value]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

fn samples(values: std::ops::Range<i64>) -> impl Strategy<Value = Vec<Sample>> {
    proptest::collection::vec((proptest::collection::vec(0u8..10, 0..12), values, 0u8..3), 1..40)
}

fn filters() -> impl Strategy<Value = Vec<Filter>> {
    let kind = prop_oneof![
        Just(FilterKind::Focus),
        Just(FilterKind::Ignore),
        Just(FilterKind::Hide),
        Just(FilterKind::Show),
        Just(FilterKind::ShowFrom),
    ];
    let frames = (kind, "f[0-6]|f[0-6]").prop_map(|(kind, pattern)| Filter { kind, pattern });
    let labels =
        "thread=t[0-2]".prop_map(|pattern| Filter { kind: FilterKind::LabelFocus, pattern });
    proptest::collection::vec(prop_oneof![4 => frames, 1 => labels], 0..3)
}

fn filtered(profile: &Arc<Profile>, filters: &[Filter]) -> Arc<Filtered> {
    Arc::new(Filtered::new(profile.clone(), filters, true).unwrap())
}

/// Which recursion is collapsed.
fn collapses() -> impl Strategy<Value = Collapse> {
    prop_oneof![Just(Collapse::None), Just(Collapse::Direct), Just(Collapse::All)]
}

/// A path as it is where recursion is collapsed, by deleting what is between two calls of a function for as
/// long as there are two.
fn collapsed(mut path: Vec<String>, collapse: Collapse) -> Vec<String> {
    match collapse {
        Collapse::None => {}
        Collapse::Direct => path.dedup(),
        Collapse::All => {
            let again = |path: &[String]| {
                let last = |at: usize| path.iter().rposition(|name| *name == path[at]);
                (0..path.len()).find_map(|at| last(at).filter(|&end| end > at).map(|end| (at, end)))
            };
            while let Some((first, last)) = again(&path) {
                path.drain(first..last);
            }
        }
    }
    path
}

fn tree(filtered: &Arc<Filtered>, shape: Shape, collapse: Collapse) -> Tree {
    let keys = Arc::new(FrameKeys::new(filtered.profile(), Granularity::Function));
    Tree::new(filtered.clone(), keys, shape, MetricId(1), Order::Value, collapse)
}

/// All nodes, parents first.
fn nodes(tree: &mut Tree) -> Vec<NodeId> {
    let mut all = vec![NodeId::ROOT];
    let mut next = 0;
    while next < all.len() {
        let children = tree.children(all[next]);
        all.extend(children.map(NodeId));
        next += 1;
    }
    all
}

/// Shown stacks from the root with their values, by brute force over the points.
fn stacks(filtered: &Filtered) -> Vec<(Vec<String>, i64)> {
    let profile = filtered.profile();
    (0..profile.points.len())
        .filter(|&point| filtered.keeps_point(point))
        .map(|point| {
            let context = profile.points.context[point];
            let mut path: Vec<ContextId> =
                std::iter::successors(Some(context), |&c| profile.contexts.parent(c)).collect();
            path.reverse();
            let frames = path.into_iter().flat_map(|c| {
                profile.frames_of(c).filter(move |&f| filtered.shows(c, f)).collect::<Vec<_>>()
            });
            let names = frames.map(|f| profile.frame_name(FrameId(f)).into_owned()).collect();
            (names, profile.points.row(point)[1])
        })
        .collect()
}

/// Totals by path prefix, from the shown stacks.
fn prefixes(stacks: &[(Vec<String>, i64)]) -> BTreeMap<Vec<String>, i64> {
    let mut totals = BTreeMap::new();
    for (names, value) in stacks {
        for len in 0..=names.len() {
            *totals.entry(names[..len].to_vec()).or_default() += value;
        }
    }
    totals
}

/// Totals by path, from a tree.
fn paths(tree: &mut Tree) -> BTreeMap<Vec<String>, i64> {
    let all = nodes(tree);
    all.into_iter()
        .map(|node| {
            let path = tree.path(node).into_iter().skip(1).map(|id| tree.name(id).into_owned());
            (path.collect(), tree.node(node).total)
        })
        .collect()
}

proptest! {
    #[test]
    fn top_down_and_bottom_up_are_the_stacks_read_from_either_end(
        samples in samples(-50..100), filters in filters()
    ) {
        let profile = profile(&samples);
        let filtered = filtered(&profile, &filters);
        let mut forward = stacks(&filtered);
        prop_assert_eq!(paths(&mut tree(&filtered, Shape::TopDown, Collapse::None)), with_root(prefixes(&forward)));
        // Inverted twice is where it was.
        forward.iter_mut().for_each(|(names, _)| names.reverse());
        prop_assert_eq!(paths(&mut tree(&filtered, Shape::BottomUp, Collapse::None)), with_root(prefixes(&forward)));
    }

    #[test]
    fn self_values_add_up_to_totals(samples in samples(-50..100), filters in filters(), collapse in collapses()) {
        let profile = profile(&samples);
        let filtered = filtered(&profile, &filters);
        let program = filtered.program_total(MetricId(1));
        for shape in [Shape::TopDown, Shape::BottomUp, Shape::Flat] {
            let mut tree = tree(&filtered, shape, collapse);
            let all = nodes(&mut tree);
            prop_assert_eq!(tree.node(NodeId::ROOT).total, program);
            if shape == Shape::TopDown {
                let selves: i64 = all.iter().map(|&node| tree.self_value(node)).sum();
                prop_assert_eq!(selves, program);
            }
            for node in all {
                for metric in [0, 1].map(MetricId) {
                    let (own, total) = tree.values(node, metric);
                    let below: i64 =
                        tree.children(node).map(|c| tree.values(NodeId(c), metric).1).sum();
                    if shape == Shape::TopDown {
                        prop_assert_eq!(own + below, total);
                    }
                    if let Some(lines) = tree.line_totals(node, metric) {
                        prop_assert_eq!(lines.iter().map(|&(_, value)| value).sum::<i64>(), total);
                    }
                }
            }
        }
    }

    #[test]
    fn flat_counts_each_stack_once(samples in samples(0..100), filters in filters()) {
        let profile = profile(&samples);
        let filtered = filtered(&profile, &filters);
        let keys = FrameKeys::new(&profile, Granularity::Function);
        let flat = flat_values(&filtered, keys.keys(), keys.len(), MetricId(1));
        let stacks = stacks(&filtered);
        for key in keys.all() {
            let name = keys.name(&profile, key).into_owned();
            let own: i64 = stacks.iter().filter(|(s, _)| s.last() == Some(&name)).map(|(_, v)| v).sum();
            let total: i64 = stacks.iter().filter(|(s, _)| s.contains(&name)).map(|(_, v)| v).sum();
            prop_assert_eq!((own, total), flat.of(key));
            // The sandwich starts from the same total.
            for shape in [Shape::Callees(key), Shape::Callers(key)] {
                prop_assert_eq!(tree(&filtered, shape, Collapse::None).node(NodeId::ROOT).total, total);
            }
        }
    }

    #[test]
    fn all_callers_are_functions_with_their_totals_and_who_calls_them(
        samples in samples(-50..100), filters in filters(), collapse in collapses()
    ) {
        let profile = profile(&samples);
        let filtered = filtered(&profile, &filters);
        // Each function of a stack once: what is above where it is outermost, innermost first.
        let mut expected = BTreeMap::new();
        let mut own = BTreeMap::new();
        let all = stacks(&filtered);
        for (names, value) in &all {
            for at in (0..names.len()).filter(|&at| !names[..at].contains(&names[at])) {
                let mut path: Vec<String> = names[..=at].iter().rev().cloned().collect();
                path = collapsed(path, collapse);
                for len in 1..=path.len() {
                    *expected.entry(path[..len].to_vec()).or_default() += value;
                }
            }
            *own.entry(names.last().cloned()).or_insert(0) += value;
        }
        expected.insert(vec![], filtered.program_total(MetricId(1)));
        let mut tree = tree(&filtered, Shape::AllCallers, collapse);
        prop_assert_eq!(paths(&mut tree), expected);
        for node in nodes(&mut tree) {
            let path = tree.path(node);
            let value = match path.len() {
                1 => own.get(&None),
                2 => own.get(&Some(tree.name(node).into_owned())),
                _ => None,
            };
            prop_assert_eq!(tree.self_value(node), value.copied().unwrap_or(0));
            // The samples of a node are those that have it.
            let contains = tree.contains_context(node);
            let points = (0..profile.points.len()).filter(|&point| filtered.keeps_point(point));
            let of_node = points.filter(|&point| contains(profile.points.context[point]));
            let sum: i64 = of_node.map(|point| profile.points.row(point)[1]).sum();
            drop(contains);
            prop_assert_eq!(sum, tree.node(node).total);
        }
    }

    #[test]
    fn search_covers_the_union(samples in samples(0..100), filters in filters()) {
        let profile = profile(&samples);
        let filtered = filtered(&profile, &filters);
        let keys = FrameKeys::new(&profile, Granularity::Function);
        let covered: i64 = stacks(&filtered)
            .iter()
            .filter(|(s, _)| s.iter().any(|name| name == "f1" || name == "f4"))
            .map(|(_, value)| value)
            .sum();
        // Words are found in one frame each, in any order.
        for search in ["f1|f4", "f1|f4 f", "f f1|f4", "f1|f4|f2 f1|f4|f3"] {
            let pattern = Pattern::search(search).unwrap();
            let found = Search::new(&filtered, &keys, &pattern, MetricId(1)).matched;
            prop_assert_eq!(found, covered, "{}", search);
            // A filter that keeps what is found keeps as much.
            let all = self::filtered(&profile, &[]);
            let found = Search::new(&all, &keys, &pattern, MetricId(1)).matched;
            let filter = Filter { kind: FilterKind::Search, pattern: search.to_owned() };
            let kept = stacks(&self::filtered(&profile, &[filter]));
            prop_assert_eq!(kept.iter().map(|(_, value)| value).sum::<i64>(), found, "{}", search);
        }
        let pattern = Pattern::search("f1 f4").unwrap();
        prop_assert_eq!(Search::new(&filtered, &keys, &pattern, MetricId(1)).matched, 0);
    }

    #[test]
    fn collapsed_trees_are_the_stacks_collapsed(
        samples in samples(-50..100), filters in filters(), collapse in collapses()
    ) {
        let profile = profile(&samples);
        let filtered = filtered(&profile, &filters);
        let all = stacks(&filtered);
        let forward: Vec<_> =
            all.iter().map(|(names, value)| (collapsed(names.clone(), collapse), *value)).collect();
        prop_assert_eq!(paths(&mut tree(&filtered, Shape::TopDown, collapse)), with_root(prefixes(&forward)));
        let backward: Vec<_> = all.iter().map(|(names, value)| {
            (collapsed(names.iter().rev().cloned().collect(), collapse), *value)
        }).collect();
        prop_assert_eq!(paths(&mut tree(&filtered, Shape::BottomUp, collapse)), with_root(prefixes(&backward)));
        // Of one function: from its outermost call on, either way.
        let keys = FrameKeys::new(&profile, Granularity::Function);
        for key in keys.all() {
            let name = keys.name(&profile, key).into_owned();
            let of_key = |is_below: bool| {
                let cut = all.iter().filter_map(|(names, value)| {
                    let at = names.iter().position(|one| *one == name)?;
                    let path = if is_below {
                        names[at..].to_vec()
                    } else {
                        names[..=at].iter().rev().cloned().collect()
                    };
                    Some((collapsed(path, collapse)[1..].to_vec(), *value))
                });
                prefixes(&cut.collect::<Vec<_>>())
            };
            // What filters leave nothing of may be there.
            let valued = |mut paths: BTreeMap<Vec<String>, i64>| {
                paths.retain(|_, value| *value != 0);
                paths
            };
            let callees = paths(&mut tree(&filtered, Shape::Callees(key), collapse));
            prop_assert_eq!(valued(callees), valued(of_key(true)));
            let callers = paths(&mut tree(&filtered, Shape::Callers(key), collapse));
            prop_assert_eq!(valued(callers), valued(of_key(false)));
        }
    }

    #[test]
    fn what_leads_to_a_marked_function_has_it_below(samples in samples(0..100), collapse in collapses()) {
        let filtered = filtered(&profile(&samples), &[]);
        let marked = |name: &str| name == "f1" || name == "f4";
        for shape in [Shape::TopDown, Shape::BottomUp] {
            let mut tree = tree(&filtered, shape, collapse);
            let frames = filtered.profile().frames.len() as u32;
            let frames = (0..frames).map(|frame| marked(&filtered.profile().frame_name(FrameId(frame))));
            let marks = tree.mark_frames(frames.collect());
            let all = nodes(&mut tree);
            let mut above = std::collections::BTreeSet::new();
            for &node in &all {
                if node != NodeId::ROOT && marked(&tree.name(node)) {
                    above.extend(tree.path(node).into_iter().filter(|&on_path| on_path != node));
                }
            }
            for node in all {
                prop_assert_eq!(tree.leads_to(node, &marks), above.contains(&node), "{:?}", shape);
            }
        }
    }

    #[test]
    fn located_paths_lead_back(samples in samples(0..100)) {
        let filtered = filtered(&profile(&samples), &[]);
        for shape in [Shape::TopDown, Shape::BottomUp, Shape::Flat, Shape::AllCallers] {
            let mut tree = tree(&filtered, shape, Collapse::None);
            for node in nodes(&mut tree) {
                let keys: Vec<_> =
                    tree.path(node).into_iter().skip(1).map(|id| tree.node(id).key).collect();
                let found = tree.locate(&keys);
                prop_assert_eq!(found.last().copied().unwrap_or(NodeId::ROOT), node);
            }
        }
    }

    #[test]
    fn a_node_holds_the_samples_of_its_total(samples in samples(0..100), filters in filters(), collapse in collapses()) {
        let filtered = filtered(&profile(&samples), &filters);
        for shape in [Shape::TopDown, Shape::BottomUp] {
            let mut tree = tree(&filtered, shape, collapse);
            for node in nodes(&mut tree) {
                let within = tree.contains_context(node);
                let sum: i64 = filtered
                    .self_values()
                    .iter()
                    .filter(|(context, _)| within(*context))
                    .map(|(_, row)| row[1])
                    .sum();
                prop_assert_eq!(sum, tree.node(node).total);
            }
        }
    }
}

/// The whole program is in every tree, even where no sample is left.
fn with_root(mut totals: BTreeMap<Vec<String>, i64>) -> BTreeMap<Vec<String>, i64> {
    totals.entry(vec![]).or_default();
    totals
}

/// Self and total of every node of a tree by its path, in one metric.
fn values(tree: &mut Tree, metric: MetricId) -> BTreeMap<Vec<String>, (i64, i64)> {
    let all = nodes(tree);
    let of = |tree: &mut Tree, node| {
        let path = tree.path(node).into_iter().skip(1).map(|id| tree.name(id).into_owned());
        (path.collect(), tree.values(node, metric))
    };
    all.into_iter().map(|node| of(tree, node)).filter(|(_, values)| *values != (0, 0)).collect()
}

/// What both sides of a comparison have in a shape, by path.
fn sides(comparison: &Comparison, shape: Shape) -> [BTreeMap<Vec<String>, (i64, i64)>; 2] {
    let profile = Arc::new(comparison.profile.clone());
    let filtered = filtered(&profile, &[]);
    let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
    let metric = Side::Both.of(MetricId(1));
    let mut tree = Tree::new(filtered, keys, shape, metric, Order::Value, Collapse::None);
    [Side::Base, Side::New].map(|side| values(&mut tree, side.of(MetricId(1))))
}

proptest! {
    #[test]
    fn each_side_of_a_comparison_is_its_profile(
        base in samples(1..100), new in samples(1..100), shape in 0usize..3
    ) {
        let shape = [Shape::TopDown, Shape::BottomUp, Shape::Flat][shape];
        let alone = [&base, &new].map(|samples| {
            let profile = profile(samples);
            values(&mut tree(&filtered(&profile, &[]), shape, Collapse::None), MetricId(1))
        });
        let [base, new] = [profile(&base), profile(&new)];
        prop_assert_eq!(&sides(&Comparison::new(&base, &new), shape), &alone);
        let [new_side, base_side] = sides(&Comparison::new(&new, &base), shape);
        prop_assert_eq!([base_side, new_side], alone);
    }

    #[test]
    fn changes_mirror(base: i64, new: i64, noise in 0.0..0.5) {
        let mirrored = match (Change { base, new }).tag(noise) {
            Tag::Added => Tag::Deleted,
            Tag::Deleted => Tag::Added,
            Tag::Larger => Tag::Smaller,
            Tag::Smaller => Tag::Larger,
            Tag::Unchanged => Tag::Unchanged,
        };
        prop_assert_eq!((Change { base: new, new: base }).tag(noise), mirrored);
        prop_assert_eq!((Change { base, new: base }).tag(noise), Tag::Unchanged);
    }
}

proptest! {
    /// Every node of a profile against itself is unchanged; against nothing of equal shape, what
    /// normalising makes equal is equal.
    #[test]
    fn nothing_changed_against_itself(one in samples(1..100), runs in 1usize..4, shape in 0usize..3) {
        let shape = [Shape::TopDown, Shape::BottomUp, Shape::Flat][shape];
        let one = profile(&one);
        let same = Comparison::new(&one, &one).scaled([runs, runs], &Normalise::Total).unwrap();
        let [base, new] = sides(&same, shape);
        prop_assert_eq!(base, new);
    }

    #[test]
    fn means_and_totals_are_brought_to_scale(one in samples(1..100), runs in 1usize..5) {
        let one = profile(&one);
        let scaled = Comparison::new(&one, &one).scaled([1, runs], &Normalise::Absolute).unwrap();
        let total = |comparison: &Comparison, side: Side| {
            comparison.profile.metric_total(side.of(MetricId(1))).0 as f64
        };
        let finer = 10f64.powi((scaled.metrics[1].decimals - one.metrics[1].decimals).into());
        let whole = one.metric_total(MetricId(1)).0 as f64 * finer;
        let points = one.points.len() as f64;
        prop_assert_eq!(total(&scaled, Side::Base), whole);
        prop_assert!((total(&scaled, Side::New) - whole / runs as f64).abs() <= points);
        let equal = Comparison::new(&one, &one).scaled([1, runs], &Normalise::Total).unwrap();
        prop_assert!((total(&equal, Side::New) - total(&equal, Side::Base)).abs() <= points);
    }
}

/// A profile of runs: in each, `f1` takes what is given and `f2` something that wavers.
fn runs(values: &[i64]) -> Profile {
    let mut merge = Merge::default();
    for (run, &value) in values.iter().enumerate() {
        let wavers = 1000 + (run as i64 * 37) % 90;
        merge.add(&format!("run {run}"), &profile(&[(vec![1], value, 0), (vec![2], wavers, 0)]));
    }
    merge.finish().profile
}

#[test]
fn runs_tell_change_from_noise() {
    let before = runs(&[500, 510, 505, 520, 498]);
    let after = runs(&[700, 690, 705, 720, 698]);
    let comparison = Comparison::new(&before, &after).scaled([5, 5], &Normalise::Absolute).unwrap();
    let groups = comparison.groups.clone();
    let all =
        |profile: &Profile| (0..profile.members.len() as u32).map(MemberId).collect::<Vec<_>>();
    assert!(groups.can_test(&all(&comparison.profile)));
    let profile = Arc::new(comparison.profile);
    let filtered = filtered(&profile, &[]);
    let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
    for shape in [Shape::TopDown, Shape::BottomUp] {
        let metric = Side::Both.of(MetricId(1));
        let mut tree =
            Tree::new(filtered.clone(), keys.clone(), shape, metric, Order::Value, Collapse::None);
        let tests = groups.significance(&mut tree, MetricId(1)).unwrap();
        let of = |tree: &mut Tree, name: &str| {
            let mut children = tree.children(NodeId::ROOT);
            let node = children.find(|&child| tree.name(NodeId(child)) == name).unwrap();
            tests[&NodeId(node)]
        };
        let grown = of(&mut tree, "f1");
        assert!(grown.is_believed());
        assert!(!of(&mut tree, "f2").is_believed());
    }
    // One run on a side says nothing.
    let single = Comparison::new(&before, &runs(&[700]));
    assert!(!single.groups.can_test(&all(&single.profile)));
}
