//! What analyses say of functions, and that they say nothing where there is nothing to say.

use std::sync::Arc;

use analysis::notes::{Function, Note, notes};
use analysis::{Filtered, FrameKeys, Granularity, GroupPlaces, Merge};
use profile::{FrameId, Location, LocationId, Metric, MetricId, Profile, ProfileBuilder};
use proptest::prelude::*;

const NAMES: [&str; 6] = ["main", "load", "parse", "check", "get_*", "other"];

/// Samples: names from the root, and a value.
fn profile(samples: &[(&[usize], i64)]) -> Profile {
    let mut builder =
        ProfileBuilder::new(vec![Metric { name: "value".into(), ..Metric::default() }]);
    for name in NAMES {
        let function = builder.function(name, "x.rs", 1);
        builder.push_location(Location::default(), &[(Some(function), 1, 0)]);
    }
    for (path, value) in samples {
        let context = builder.stack(path.iter().map(|&place| LocationId(place as u32)));
        builder.points.push(context, profile::LabelSetId(0), &[*value]);
    }
    builder.finish()
}

/// The notes of the function with a name.
fn notes_of(profile: Profile, name: &str) -> Vec<Note> {
    let profile = Arc::new(profile);
    let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
    let keys = FrameKeys::new(&profile, Granularity::Function);
    let places = GroupPlaces::new(&filtered, keys.keys(), keys.len());
    let frames = (0..profile.frames.len() as u32).map(FrameId);
    let frame = frames.into_iter().find(|&frame| profile.frame_name(frame) == name);
    let Some(frame) = frame else { return vec![] };
    let key = keys.key(frame);
    notes(&Function { filtered: &filtered, keys: &keys, places: &places, key, metric: MetricId(0) })
}

fn texts(notes: &[Note]) -> Vec<&str> {
    notes.iter().map(|note| note.text.as_str()).collect()
}

#[test]
fn reports_the_path_that_most_comes_through() {
    // main > load > parse > get_*, main > check > parse > get_*, main > other
    let samples: [(&[usize], i64); 3] = [(&[0, 1, 2, 4], 89), (&[0, 3, 2, 4], 11), (&[0, 5], 200)];
    let of = |name| notes_of(profile(&samples), name);
    let get = of("get_*");
    assert_eq!(texts(&get), ["89 % of the total comes through load."]);
    assert_eq!(get[0].title, "Hottest path");
    // It is the caller itself, or all comes through it, or nothing calls it.
    for name in ["parse", "load", "main", "other"] {
        assert_eq!(of(name), [], "{name}");
    }
}

#[test]
fn names_are_escaped_and_recursion_counts_once() {
    // get_* > load > get_* > parse: the path from the outer one.
    let samples: [(&[usize], i64); 3] = [(&[4, 1, 4, 1, 2], 80), (&[3, 1, 2], 20), (&[5], 100)];
    assert_eq!(
        texts(&notes_of(profile(&samples), "parse")),
        [r"80 % of the total comes through get\_\*."]
    );
}

#[test]
fn what_most_of_the_program_goes_through_is_no_news() {
    let samples: [(&[usize], i64); 3] = [(&[0, 1, 2], 90), (&[3, 1, 2], 10), (&[0, 5], 10)];
    assert_eq!(notes_of(profile(&samples), "parse"), []);
}

fn members(values: &[i64]) -> Profile {
    let mut merge = Merge::default();
    for (place, &value) in values.iter().enumerate() {
        merge.add(&format!("m{place}"), &profile(&[(&[0, 1], value), (&[0, 5], 1000)]));
    }
    merge.finish().profile
}

#[test]
fn reports_a_trend_over_members() {
    let rising = notes_of(members(&[10, 20, 30, 40, 50, 60]), "load");
    assert_eq!(
        texts(&rising),
        ["Rises with every one of 6 members, by 28.6 % of its mean a member."]
    );
    let falling = notes_of(members(&[60, 50, 40, 45, 20, 10, 5, 4]), "load");
    assert!(falling[0].text.starts_with("Falls (p = "), "{falling:?}");
    assert!(falling[0].text.contains(") over 8 members, by "), "{falling:?}");
    for values in [&[10, 60, 20, 50, 30][..], &[7], &[10, 20], &[5, 5, 5, 5, 5, 5]] {
        assert_eq!(notes_of(members(values), "load"), [], "{values:?}");
    }
}

#[test]
fn memory_that_is_never_given_back_is_reported_even_where_it_falls() {
    let of = |unit: &str, name: &str, values: &[i64]| {
        let mut profile = members(values);
        let metric = profile.metrics[0].clone();
        profile.metrics[0] = Metric { unit: unit.into(), name: name.into(), ..metric };
        let notes = notes_of(profile, "load");
        notes.into_iter().filter(|note| note.title == "Never given back").collect::<Vec<_>>()
    };
    let falling = [10, 90, 100, 99, 98, 97, 96, 95];
    assert_eq!(
        texts(&of("bytes", "inuse_space", &falling)),
        ["High since member 2 of 8 and never below 90 % of its highest value after that."]
    );
    // Time is always kept; what was allocated in all only rises.
    assert_eq!(of("nanoseconds", "cpu", &falling), []);
    assert_eq!(of("bytes", "alloc_space", &[10, 20, 30, 40, 50, 60, 70, 80]), []);
    assert_eq!(of("bytes", "inuse_space", &[10, 90, 100, 99, 98, 20, 10, 5]), []);
}

proptest! {
    /// Notes are short, say shares of 50 to 99 per cent, and no profile is too odd.
    #[test]
    fn no_profile_is_too_odd(
        samples in proptest::collection::vec(
            (proptest::collection::vec(0usize..6, 0..8), -5i64..100), 1..20),
    ) {
        let samples: Vec<(&[usize], i64)> =
            samples.iter().map(|(path, value)| (&path[..], *value)).collect();
        for name in NAMES {
            for note in notes_of(profile(&samples), name) {
                let share: i64 = note.text.split(' ').next().unwrap().parse().unwrap();
                prop_assert!((50..100).contains(&share), "{note:?}");
            }
        }
    }
}
