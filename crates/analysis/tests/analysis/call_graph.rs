//! Calls between functions, against a walk over every stack.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use analysis::{
    CallGraph, Filter, FilterKind, Filtered, FrameKey, FrameKeys, Granularity, flat_values,
};
use profile::{FrameId, Location, LocationId, Metric, MetricId, Profile, ProfileBuilder};
use proptest::prelude::*;

type Values<K> = BTreeMap<K, i64>;

/// Functions `f0` to `f4`; every third place has `f4` inlined into it.
fn profile(stacks: &[(Vec<u8>, i64)]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    let functions: Vec<_> =
        (0..5).map(|at| builder.function(&format!("f{at}"), &format!("f{at}.rs"), 1)).collect();
    for location in 0..6u32 {
        let outer = (Some(functions[location as usize % 5]), location, 0);
        let inner = (Some(functions[4]), location, 0);
        let frames = if location % 3 == 2 { vec![outer, inner] } else { vec![outer] };
        let address = 0x100 + u64::from(location);
        builder.push_location(Location { address, ..Location::default() }, &frames);
    }
    for (path, value) in stacks {
        let context = builder.stack(path.iter().map(|&at| LocationId(at.into())));
        let labels = builder.labels.add(&[]);
        builder.points.push(context, labels, &[*value]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

/// The names that a point shows, from the outermost in.
fn shown(filtered: &Filtered, point: usize) -> Vec<String> {
    let profile = filtered.profile();
    let own = profile.points.context[point];
    let above = std::iter::successors(Some(own), |&at| profile.contexts.parent(at));
    let frames = above.flat_map(|at| profile.frames_of(at).rev().map(move |frame| (at, frame)));
    let shown = frames.filter(|&(at, frame)| filtered.shows(at, frame));
    let mut names: Vec<String> =
        shown.map(|(_, frame)| profile.frame_name(FrameId(frame)).into_owned()).collect();
    names.reverse();
    names
}

/// Totals of functions and values of calls, one stack after the other, each counted once for
/// everything on it.
fn walked(filtered: &Filtered) -> (Values<String>, Values<(String, String)>) {
    let (mut totals, mut calls) = (Values::new(), Values::new());
    for point in (0..filtered.profile().points.len()).filter(|&at| filtered.keeps_point(at)) {
        let value = filtered.row(point)[0];
        let names = shown(filtered, point);
        for name in names.iter().collect::<BTreeSet<_>>() {
            *totals.entry(name.clone()).or_default() += value;
        }
        let pairs = names.windows(2).map(|pair| (pair[0].clone(), pair[1].clone()));
        for pair in pairs.collect::<BTreeSet<_>>() {
            *calls.entry(pair).or_default() += value;
        }
    }
    (without_zeros(totals), without_zeros(calls))
}

fn found(filtered: &Filtered) -> (Values<String>, Values<(String, String)>) {
    let keys = FrameKeys::new(filtered.profile(), Granularity::Name);
    let flat = flat_values(filtered, keys.keys(), keys.len(), MetricId(0));
    let name = |key: FrameKey| keys.name(filtered.profile(), key).into_owned();
    let totals = keys.all().map(|key| (name(key), flat.of(key).1)).collect();
    let graph = CallGraph::new(filtered, &keys, MetricId(0), None);
    let calls = graph.edges().iter();
    let calls = calls.map(|edge| ((name(edge.caller), name(edge.callee)), edge.value)).collect();
    (without_zeros(totals), without_zeros(calls))
}

fn without_zeros<K: Ord>(mut values: Values<K>) -> Values<K> {
    values.retain(|_, value| *value != 0);
    values
}

proptest! {
    #[test]
    fn calls_are_those_of_every_stack(
        stacks in proptest::collection::vec(
            (proptest::collection::vec(0u8..6, 0..9), 1..50i64), 1..40,
        ),
        hidden in proptest::option::of("f[0-4]"),
        focused in proptest::option::of("f[0-4]"),
    ) {
        let profile = profile(&stacks);
        let filter = |kind| move |pattern| Filter { kind, pattern };
        let filters: Vec<Filter> = hidden
            .map(filter(FilterKind::Hide))
            .into_iter()
            .chain(focused.map(filter(FilterKind::Focus)))
            .collect();
        let filtered = Filtered::new(profile, &filters, true).unwrap();
        prop_assert_eq!(found(&filtered), walked(&filtered));
    }
}

#[test]
fn a_call_counts_once_on_a_stack() {
    // f0 calls itself three deep, and f0 and f1 call each other.
    let profile = profile(&[(vec![0, 0, 0], 5), (vec![0, 1, 0, 1], 7)]);
    let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
    let (totals, calls) = found(&filtered);
    let name = |at: u8| format!("f{at}");
    assert_eq!(totals, Values::from([(name(0), 12), (name(1), 7)]));
    let expected = [((name(0), name(0)), 5), ((name(0), name(1)), 7), ((name(1), name(0)), 7)];
    assert_eq!(calls, Values::from(expected));
    // What calls itself is none of its own callers.
    let keys = FrameKeys::new(&profile, Granularity::Name);
    let graph = CallGraph::new(&filtered, &keys, MetricId(0), None);
    for key in keys.all() {
        assert!(graph.callers(key).all(|edge| edge.caller != key));
        assert!(graph.callees(key).all(|edge| edge.callee != key));
    }
}
