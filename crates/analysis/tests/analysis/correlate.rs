//! What must hold of linked contexts: role views, pairs and least common ancestors.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{
    Collapse, Filter, FilterKind, Filtered, FrameKey, FrameKeys, Granularity, LinkedRole, Order,
    Shape, Tree, common_ancestor, linked_pairs, linked_roles, meeting, merged_pairs, path_groups,
    unlisted_links,
};
use profile::{
    ContextId, Location, LocationId, Metric, MetricId, Point, Profile, ProfileBuilder, RoleId,
};
use proptest::prelude::*;

/// A point: value, and a role with locations from the root for each of its contexts.
type Joined = (i64, Vec<(u8, Vec<u8>)>);

const ROLES: [&str; 3] = ["allocation", "use", "reuse"];

/// Locations 0 to 7 are functions `f0` to `f3`, each at two lines.
fn profile(points: &[Joined]) -> Arc<Profile> {
    let mut builder =
        ProfileBuilder::new(vec![Metric { name: "value".into(), ..Metric::default() }]);
    for location in 0..8u32 {
        let function = builder.function(&format!("f{}", location % 4), "f.rs", 1);
        builder.push_location(Location::default(), &[(Some(function), location + 1, 0)]);
    }
    let roles = ROLES.map(|name| builder.role(name));
    for (value, contexts) in points {
        let links: Vec<_> = contexts
            .iter()
            .map(|(role, path)| {
                let path = path.iter().map(|&location| LocationId(location.into()));
                (roles[usize::from(*role)], builder.stack(path))
            })
            .collect();
        let context = links.first().map_or(ContextId::ROOT, |&(_, context)| context);
        builder.points.push_point(Point { context, links: &links, ..Point::default() }, &[*value]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

/// Points whose contexts have any roles, some more than once, some none at all.
fn points(values: std::ops::Range<i64>) -> impl Strategy<Value = Vec<Joined>> {
    let path = proptest::collection::vec(0u8..8, 0..6);
    let contexts = proptest::collection::vec((0u8..3, path), 0..5);
    proptest::collection::vec((values, contexts), 1..30)
}

fn linked(profile: &Arc<Profile>, filters: &[Filter]) -> Filtered {
    Filtered::linked(profile.clone(), filters, true).unwrap()
}

fn tree(filtered: Filtered, shape: Shape) -> Tree {
    let keys = Arc::new(FrameKeys::new(filtered.profile(), Granularity::Function));
    Tree::new(Arc::new(filtered), keys, shape, MetricId(0), Order::Value, Collapse::None)
}

fn has(profile: &Profile, point: usize, role: LinkedRole) -> bool {
    role.of(profile.points.links(point)).is_some()
}

/// Sum over the points that fulfil a condition.
fn sum(profile: &Profile, keep: impl Fn(usize) -> bool) -> i64 {
    let points = (0..profile.points.len()).filter(|&point| keep(point));
    points.map(|point| profile.points.row(point)[0]).sum()
}

const SHAPES: [Shape; 3] = [Shape::TopDown, Shape::BottomUp, Shape::Flat];

proptest! {
    #[test]
    fn a_role_view_counts_each_point_with_the_role_once(points in points(-50..100)) {
        let profile = profile(&points);
        for role in linked_roles(&profile) {
            let expected = sum(&profile, |point| has(&profile, point, role));
            for shape in SHAPES {
                let view = linked(&profile, &[]).at_role(role, &[]);
                prop_assert_eq!(view.program_total(MetricId(0)), expected);
                let tree = tree(view, shape);
                prop_assert_eq!(tree.node(analysis::NodeId::ROOT).total, expected);
            }
        }
    }

    #[test]
    fn choosing_narrows_to_the_points_below_the_node(points in points(0..100), pick: prop::sample::Index) {
        let profile = profile(&points);
        let roles = linked_roles(&profile);
        for shape in SHAPES {
            for &role in &roles {
                let base = linked(&profile, &[]);
                let mut from = tree(base.at_role(role, &[]), shape);
                let count = from.children(analysis::NodeId::ROOT);
                if count.is_empty() {
                    continue;
                }
                let node = analysis::NodeId(count.start + pick.index(count.len()) as u32);
                let total = from.node(node).total;
                let holds = from.contains_context(node);
                for &other in roles.iter().filter(|&&other| other != role) {
                    let whole = base.at_role(other, &[]);
                    let view = base.at_role(other, &[(role, &*holds)]);
                    let expected = sum(&profile, |point| {
                        let links = profile.points.links(point);
                        role.of(links).is_some_and(&holds) && other.of(links).is_some()
                    });
                    prop_assert_eq!(view.program_total(MetricId(0)), expected);
                    prop_assert!(expected <= total, "no more than what was chosen");
                    let (totals, all) = (view.totals(MetricId(0)), whole.totals(MetricId(0)));
                    for context in (0..profile.contexts.len() as u32).map(ContextId) {
                        prop_assert!(totals.total(context) <= all.total(context));
                    }
                }
            }
        }
    }

    #[test]
    fn choosing_in_two_roles_is_what_both_leave(points in points(0..100)) {
        let profile = profile(&points);
        let roles = linked_roles(&profile);
        let Some(&[first, second, third]) = roles.get(..3) else { return Ok(()) };
        let base = linked(&profile, &[]);
        let odd = |context: ContextId| context.0 % 2 == 1;
        let early = |context: ContextId| context.0 < 8;
        let both = base.at_role(third, &[(first, &odd), (second, &early)]);
        let one = base.at_role(third, &[(first, &odd)]);
        let other = base.at_role(third, &[(second, &early)]);
        for point in 0..profile.points.len() {
            prop_assert_eq!(both.keeps_point(point), one.keeps_point(point) && other.keeps_point(point));
        }
    }

    #[test]
    fn pairs_add_up_to_the_points_that_have_both_roles(points in points(0..100)) {
        let profile = profile(&points);
        let roles = linked_roles(&profile);
        for &first in &roles {
            for &second in roles.iter().filter(|&&second| second != first) {
                let pairs = linked_pairs(&linked(&profile, &[]), [first, second], MetricId(0));
                let both = |point| has(&profile, point, first) && has(&profile, point, second);
                prop_assert_eq!(pairs.iter().map(|pair| pair.values[0]).sum::<i64>(), sum(&profile, both));
                let joined = (0..profile.points.len()).filter(|&point| both(point)).count() as u64;
                prop_assert_eq!(pairs.iter().map(|pair| pair.points).sum::<u64>(), joined);
                prop_assert!(pairs.is_sorted_by(|a, b| a.values[0] >= b.values[0]));
                let mut seen = BTreeMap::new();
                for pair in &pairs {
                    prop_assert_eq!(seen.insert(pair.contexts, ()), None);
                }
            }
        }
    }

    #[test]
    fn merged_pairs_are_those_of_equal_paths(points in points(0..100), which in 0usize..3) {
        let profile = profile(&points);
        let filtered = linked(&profile, &[]);
        let keys = FrameKeys::new(&profile, Granularity::Function);
        let collapse = [Collapse::None, Collapse::Direct, Collapse::All][which];
        let groups = path_groups(&filtered, &keys, collapse);
        let path = |context: ContextId| {
            let mut at = Some(context);
            let path: Vec<FrameKey> = std::iter::from_fn(|| {
                let here = at?;
                at = profile.contexts.parent(here);
                Some(profile.frames_of(here).rev().map(|frame| keys.keys()[frame as usize]).collect::<Vec<_>>())
            }).flatten().collect();
            let mut collapsed = vec![];
            path.into_iter().rev().for_each(|key| collapse.extend(&mut collapsed, key));
            collapsed
        };
        for a in (0..profile.contexts.len() as u32).map(ContextId) {
            for b in (0..profile.contexts.len() as u32).map(ContextId) {
                prop_assert_eq!(groups[a.index()] == groups[b.index()], path(a) == path(b));
            }
        }
        let roles = linked_roles(&profile);
        let Some(&[first, second]) = roles.get(..2) else { return Ok(()) };
        let pairs = linked_pairs(&filtered, [first, second], MetricId(0));
        let mut sums = BTreeMap::<_, (i64, u64)>::new();
        for pair in &pairs {
            let sum = sums.entry(pair.contexts.map(path)).or_default();
            *sum = (sum.0 + pair.values[0], sum.1 + 1);
        }
        let merged = merged_pairs(pairs, &groups, MetricId(0));
        prop_assert!(merged.is_sorted_by(|a, b| a.values[0] >= b.values[0]));
        let found: BTreeMap<_, _> =
            merged.iter().map(|pair| (pair.contexts.map(path), (pair.values[0], pair.merged))).collect();
        prop_assert_eq!(found, sums);
    }

    #[test]
    fn the_least_common_ancestor_holds_both_and_none_of_its_children_does(
        points in points(0..2), a: prop::sample::Index, b: prop::sample::Index,
    ) {
        let profile = profile(&points);
        let contexts = &profile.contexts;
        let [a, b] = [a, b].map(|pick| ContextId(pick.index(contexts.len()) as u32));
        let ancestor = common_ancestor(contexts, a, b);
        let holds = |of: ContextId| contexts.subtree(of).contains(&a.0) && contexts.subtree(of).contains(&b.0);
        prop_assert!(holds(ancestor));
        prop_assert!(!contexts.children(ancestor).any(holds));
        prop_assert_eq!(ancestor, common_ancestor(contexts, b, a));
        let filtered = linked(&profile, &[]);
        let met = meeting(&filtered, a, b);
        prop_assert_eq!(met.ancestor, ancestor);
        if let Some([on_a, on_b]) = met.frames {
            prop_assert_eq!(profile.frame_name(on_a), profile.frame_name(on_b));
        }
    }

    #[test]
    fn every_link_has_a_view_or_is_counted(points in points(0..2)) {
        let profile = profile(&points);
        let roles = linked_roles(&profile);
        let shown: usize = (0..profile.points.len())
            .map(|point| roles.iter().filter(|&&role| has(&profile, point, role)).count())
            .sum();
        let all: usize = (0..profile.points.len()).map(|point| profile.points.links(point).len()).sum();
        prop_assert_eq!(shown as u64 + unlisted_links(&profile, &roles), all as u64);
    }
}

/// One point: allocated in f0 > f1, used in f0 > f2:3 > f3, reused in f0 > f2:7.
fn reuse() -> Arc<Profile> {
    profile(&[
        (7, vec![(0, vec![0, 1]), (1, vec![0, 2, 3]), (2, vec![0, 6])]),
        (2, vec![(0, vec![0, 1]), (1, vec![3]), (2, vec![1])]),
    ])
}

fn role(role: u32) -> LinkedRole {
    LinkedRole { role: RoleId(role), nth: 0 }
}

#[test]
fn paths_part_in_the_function_that_both_go_through() {
    let profile = reuse();
    let filtered = linked(&profile, &[]);
    let pairs = linked_pairs(&filtered, [role(1), role(2)], MetricId(0));
    let [used, reused] = pairs[0].contexts;
    let met = meeting(&filtered, used, reused);
    let [on_use, on_reuse] = met.frames.unwrap();
    assert_eq!(profile.frame_name(on_use), "f2");
    let lines = [on_use, on_reuse].map(|frame| profile.place_line(frame));
    assert_eq!(lines, [3, 7], "the least common ancestor is f0, but both are in f2");
    let [used, reused] = pairs[1].contexts;
    assert_eq!(meeting(&filtered, used, reused).frames, None, "nothing in common");
}

#[test]
fn filters_look_at_all_contexts_of_a_point() {
    let profile = reuse();
    let only = |pattern: &str| {
        let filter = Filter { kind: FilterKind::Focus, pattern: pattern.to_owned() };
        linked(&profile, &[filter])
    };
    assert_eq!(only("f2").at_role(role(0), &[]).program_total(MetricId(0)), 7);
    assert_eq!(only("f3").at_role(role(2), &[]).program_total(MetricId(0)), 9);
    assert_eq!(only("f1").at_role(role(1), &[]).program_total(MetricId(0)), 9);
}

#[test]
fn several_contexts_of_a_role_are_distinguished() {
    let profile = profile(&[(5, vec![(1, vec![0]), (1, vec![1]), (0, vec![2])])]);
    let roles = linked_roles(&profile);
    let names: Vec<_> = roles.iter().map(|role| role.name(&profile)).collect();
    assert_eq!(names, ["allocation", "use", "use 2"]);
    for role in roles {
        assert_eq!(linked(&profile, &[]).at_role(role, &[]).program_total(MetricId(0)), 5);
    }
}
