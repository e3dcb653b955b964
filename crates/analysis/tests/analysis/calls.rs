//! Calls of functions, all and primitive, against a walk over every call.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{
    Filter, FilterKind, Filtered, FrameKeys, Granularity, counts_calls, counts_primitive_calls,
    function_calls,
};
use profile::{FrameId, Location, LocationId, Metric, MetricId, Profile, ProfileBuilder};
use proptest::prelude::*;

/// Functions `f0` to `f4`; every third place has `f4` inlined into it.
fn profile(stacks: &[(Vec<u8>, i64)]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![
        Metric::new("time", "nanoseconds"),
        Metric::new("calls", "count"),
    ]);
    let names = ["f0", "f1", "f2", "f3", "f4"];
    let functions: Vec<_> =
        names.iter().map(|name| builder.function(name, &format!("{name}.rs"), 1)).collect();
    for location in 0..6u32 {
        let outer = (Some(functions[location as usize % 5]), location, 0);
        let inner = (Some(functions[4]), location, 0);
        let frames = if location % 3 == 2 { vec![outer, inner] } else { vec![outer] };
        let address = 0x100 + u64::from(location);
        builder.push_location(Location { address, ..Location::default() }, &frames);
    }
    for (path, calls) in stacks {
        let context = builder.stack(path.iter().map(|&at| LocationId(at.into())));
        let labels = builder.labels.add(&[]);
        builder.points.push(context, labels, &[1, *calls]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

fn calls_metric(profile: &Profile) -> MetricId {
    profile.metric_ids().find(|&id| counts_calls(profile, profile.metric(id))).unwrap()
}

/// All and primitive calls by name, one point after the other.
fn counted(filtered: &Filtered) -> BTreeMap<String, [i64; 2]> {
    let profile = filtered.profile();
    let metric = calls_metric(profile);
    let mut counts = BTreeMap::<String, [i64; 2]>::new();
    for point in (0..profile.points.len()).filter(|&point| filtered.keeps_point(point)) {
        let own = profile.points.context[point];
        let above = std::iter::successors(Some(own), |&at| profile.contexts.parent(at));
        let mut frames: Vec<_> = above
            .flat_map(|at| profile.frames_of(at).rev().map(move |frame| (at, frame)))
            .collect();
        if frames.is_empty() {
            continue;
        }
        let (at, frame) = frames.remove(0);
        if !filtered.shows(at, frame) {
            continue;
        }
        let name = |frame| profile.frame_name(FrameId(frame)).into_owned();
        let shown = frames.iter().filter(|&&(at, frame)| filtered.shows(at, frame));
        let is_recursive = shown.map(|&(_, frame)| name(frame)).any(|one| one == name(frame));
        let calls = filtered.row(point)[metric.index()];
        let sums = counts.entry(name(frame)).or_default();
        sums[0] += calls;
        sums[1] += if is_recursive { 0 } else { calls };
    }
    counts.retain(|_, sums| *sums != [0, 0]);
    counts
}

fn found(filtered: &Filtered) -> BTreeMap<String, [i64; 2]> {
    let profile = filtered.profile();
    let keys = FrameKeys::new(profile, Granularity::Name);
    let metric = calls_metric(profile);
    let calls = function_calls(filtered, keys.keys(), keys.len(), metric, None);
    let primitive = calls.primitive.unwrap();
    let sums = |key: analysis::FrameKey| {
        let sums = [calls.all[key.index()], primitive[key.index()]];
        (keys.name(profile, key).into_owned(), sums)
    };
    keys.all().map(sums).filter(|(_, sums)| *sums != [0, 0]).collect()
}

proptest! {
    #[test]
    fn calls_are_those_of_a_walk_over_every_stack(
        stacks in proptest::collection::vec(
            (proptest::collection::vec(0u8..6, 0..9), 0..20i64), 1..40,
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
        prop_assert_eq!(found(&filtered), counted(&filtered));
    }
}

#[test]
fn recursion_is_distinguished_from_calls_from_outside() {
    // f0 calls itself twice below one call; f1 is called twice, and once below itself through f0.
    let profile = profile(&[
        (vec![0], 1),
        (vec![0, 0], 2),
        (vec![1], 2),
        (vec![1, 0], 3),
        (vec![1, 0, 1], 1),
    ]);
    let filtered = Filtered::new(profile, &[], true).unwrap();
    let expected = [("f0".to_owned(), [6, 4]), ("f1".to_owned(), [3, 2])];
    assert_eq!(found(&filtered), BTreeMap::from(expected));
}

#[test]
fn estimated_paths_tell_recursion_only_where_the_file_counts_it() {
    let metrics = [profile::CALLS, profile::PRIMITIVE_CALLS];
    let mut builder = ProfileBuilder::new(metrics.map(|name| Metric::new(name, "count")).to_vec());
    builder.origin.estimated_paths = true;
    let function = builder.function("f", "f.py", 1);
    builder.push_location(Location::default(), &[(Some(function), 1, 0)]);
    let context = builder.stack([LocationId(0)]);
    let labels = builder.labels.add(&[]);
    builder.points.push(context, labels, &[3, 1]);
    let profile = Arc::new(builder.finish());
    let stored = profile.metric_ids().find(|&id| {
        counts_primitive_calls(&profile, profile.metric(id)) && id != calls_metric(&profile)
    });
    let keys = FrameKeys::new(&profile, Granularity::Function);
    let metric = calls_metric(&profile);
    let filtered = Filtered::new(profile, &[], true).unwrap();
    let calls = function_calls(&filtered, keys.keys(), keys.len(), metric, None);
    assert_eq!(calls.all.iter().sum::<i64>(), 3);
    assert_eq!(calls.primitive, None);
    let calls = function_calls(&filtered, keys.keys(), keys.len(), metric, stored);
    assert_eq!(calls.primitive.map(|calls| calls.iter().sum::<i64>()), Some(1));
}
