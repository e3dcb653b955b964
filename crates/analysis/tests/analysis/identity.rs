//! What the same function is, in tables, trees and comparisons.

use analysis::{
    Comparison, Filtered, FrameKeys, Granularity, MembersBy, Merge, Side, flat_values, members_by,
    order_members_by_time,
};
use profile::{Combine, Combining, Metric, MetricId, Place, Point, Profile, ProfileBuilder};
use std::sync::Arc;

/// Functions as (name, file, module, line, column), each a sample of the value under `main`.
fn profile(functions: &[(&str, &str, &str, u32, u32)]) -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
    let main = builder.place(&Place { function: "main", file: "/p/main.c", ..Place::default() });
    for (index, &(function, file, module, start_line, start_column)) in functions.iter().enumerate()
    {
        let place = Place { function, file, module, start_line, start_column, ..Place::default() };
        let place = builder.place(&place);
        let context = builder.stack([main, place]);
        builder.points.push(context, profile::LabelSetId(0), &[1 << index]);
    }
    builder.finish()
}

/// Labels with self values, largest first.
fn rows(profile: &Profile, granularity: Granularity) -> Vec<(String, i64)> {
    let filtered = Filtered::new(Arc::new(profile.clone()), &[], true).unwrap();
    let keys = FrameKeys::new(profile, granularity);
    let flat = flat_values(&filtered, keys.keys(), keys.len(), MetricId(0));
    let mut rows: Vec<_> = keys
        .all()
        .map(|key| (keys.label(profile, key).into_owned(), flat.of(key).0))
        .filter(|(_, value)| *value != 0)
        .collect();
    rows.sort_by_key(|(_, value)| -value);
    rows
}

fn owned(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

#[test]
fn functions_are_distinguished_by_file_module_and_start() {
    let profile = profile(&[
        ("<module>", "/usr/lib/python3.11/json/decoder.py", "", 1, 0),
        ("<module>", "/p/lib/a.py", "", 1, 0),
        ("(anonymous)", "/p/app.js", "", 1, 10),
        ("(anonymous)", "/p/app.js", "", 1, 90),
        ("helper", "", "/lib/a.so", 0, 0),
        ("helper", "", "/lib/b.so", 0, 0),
        ("only", "/p/lib/a.py", "", 7, 0),
    ]);
    assert_eq!(
        rows(&profile, Granularity::Function),
        owned(&[
            ("only", 64),
            ("helper [b.so]", 32),
            ("helper [a.so]", 16),
            ("(anonymous) app.js:1:90", 8),
            ("(anonymous) app.js:1:10", 4),
            ("<module> lib/a.py", 2),
            ("<module> json/decoder.py", 1),
        ])
    );
    assert_eq!(
        rows(&profile, Granularity::Name),
        owned(&[("only", 64), ("helper", 48), ("(anonymous)", 12), ("<module>", 3)])
    );
    let keys = FrameKeys::new(&profile, Granularity::Name);
    let files: Vec<usize> = keys.all().map(|key| keys.file_count(&profile, key)).collect();
    assert_eq!(files, [1, 2, 1, 0, 1]);
}

#[test]
fn reports_functions_without_a_name_by_their_place() {
    let profile = profile(&[
        ("(anonymous)", "/p/app.js", "", 12, 3),
        ("<lambda>", "/p/lib/a.py", "", 7, 0),
        ("<lambda>", "", "", 0, 0),
        ("named", "/p/lib/a.py", "", 9, 0),
    ]);
    assert_eq!(
        rows(&profile, Granularity::Function),
        owned(&[
            ("named", 8),
            ("<lambda>", 4),
            ("<lambda> lib/a.py:7", 2),
            ("(anonymous) app.js:12", 1),
        ])
    );
}

#[test]
fn one_function_of_two_builds_is_one() {
    // Other folders, other versions of a package, other lines.
    let base = profile(&[
        ("f", "/home/a/project/src/f.c", "", 10, 0),
        ("g", "/v1/lib/python3.11/site-packages/x/g.py", "", 5, 0),
    ]);
    let new = profile(&[
        ("f", "/tmp/b/src/f.c", "", 12, 0),
        ("g", "/v2/lib/python3.12/site-packages/x/g.py", "", 5, 0),
    ]);
    let comparison = Comparison::new(&base, &new);
    let profile = Arc::new(comparison.profile);
    let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
    let keys = FrameKeys::new(&profile, Granularity::Function);
    let side = |side: Side| {
        flat_values(&filtered, keys.keys(), keys.len(), side.of(MetricId(0))).self_value
    };
    let (base, new) = (side(Side::Base), side(Side::New));
    let mut rows: Vec<_> = keys
        .all()
        .map(|key| (keys.name(&profile, key).into_owned(), base[key.index()], new[key.index()]))
        .collect();
    rows.sort();
    let row = |name: &str, value| (name.to_owned(), value, value);
    assert_eq!(rows, [row("f", 1), row("g", 2), row("main", 0)]);
}

#[test]
fn versions_of_a_function_are_one_and_repeated_names_are_not() {
    let one = |line| profile(&[("f", "/p/f.c", "", line, 0)]);
    let mut merge = Merge::default();
    merge.add("a", &one(10));
    merge.add("b", &one(20));
    assert_eq!(rows(&merge.finish().profile, Granularity::Function), owned(&[("f", 2)]));

    let mut merge = Merge::default();
    merge.add("a", &profile(&[("f", "/p/f.c", "", 10, 0), ("f", "/p/f.c", "", 20, 0)]));
    merge.add("b", &one(10));
    assert_eq!(
        rows(&merge.finish().profile, Granularity::Function),
        owned(&[("f f.c:10", 2), ("f f.c:20", 2)])
    );
}

#[test]
fn threads_ranks_and_labels_become_members() {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "seconds")]);
    let main = builder.place(&Place { function: "main", ..Place::default() });
    let context = builder.stack([main]);
    for (rank, value) in [("0", 10), ("1", 30), ("0", 5)] {
        let process = builder.process(rank);
        let thread = Some(builder.thread(Some(process), "t"));
        builder.points.push_point(Point { context, thread, ..Point::default() }, &[value]);
    }
    builder.points.push_point(Point { context, ..Point::default() }, &[7]);
    let profile = builder.finish();
    let by = |what: &str| members_by(&profile, &what.parse::<MembersBy>().unwrap());
    let ranks = by("rank").unwrap();
    assert_eq!(ranks.check(), []);
    let names: Vec<_> = ranks.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["0", "1", "(no process)"]);
    assert_eq!(analysis::member_totals(&ranks), [[15], [30], [7]]);
    assert!(by("cpu").is_none() && by("request").is_none());
    assert_eq!(MembersBy::choices(&profile), [MembersBy::Process, MembersBy::Thread]);
}

#[test]
fn what_members_are_made_of_is_read_as_it_is_written() {
    let label = |key: &str| MembersBy::Label(key.to_owned());
    for (by, argument) in [
        (MembersBy::Process, "process"),
        (MembersBy::Thread, "thread"),
        (MembersBy::Processor, "cpu"),
        (label("request"), "request"),
        (label("thread"), "label:thread"),
        (label("rank"), "label:rank"),
        (label("label:x"), "label:label:x"),
    ] {
        assert_eq!(by.argument(), argument);
        assert_eq!(argument.parse(), Ok(by));
    }
}

#[test]
fn threads_have_no_last_one_as_members() {
    let combining = Combining { members: Combine::Last, ..Combining::default() };
    let metric = Metric { combining, ..Metric::new("objects", "count") };
    let mut builder = ProfileBuilder::new(vec![metric]);
    let main = builder.place(&Place { function: "main", ..Place::default() });
    let context = builder.stack([main]);
    for name in ["a", "b"] {
        let thread = Some(builder.thread(None, name));
        builder.points.push_point(Point { context, thread, ..Point::default() }, &[5]);
    }
    let threads = members_by(&builder.finish(), &MembersBy::Thread).unwrap();
    assert_eq!(threads.metrics[0].combining.members, Combine::None);
}

#[test]
fn profiles_of_two_tools_join_where_a_name_is_unique_and_say_so() {
    let of = |format: &str, functions: &[(&str, &str, &str, u32, u32)]| {
        let mut one = profile(functions);
        one.origin.format = format.to_owned();
        one
    };
    let mut merge = Merge::default();
    merge.add("a", &of("pprof", &[("f", "/p/f.c", "", 10, 0), ("g", "/p/f.c", "", 20, 0)]));
    merge.add("b", &of("perf-script", &[("f", "", "app", 0, 0), ("h", "", "app", 0, 0)]));
    let merged = merge.finish();
    assert_eq!(merged.profile.check(), []);
    let told_rows = rows(&merged.profile, Granularity::Function);
    assert_eq!(told_rows, owned(&[("f", 2), ("g", 2), ("h", 2)]));
    let notes: Vec<String> = merged.notes.iter().map(ToString::to_string).collect();
    // They share `main` too, by its file.
    assert!(notes[0].contains("join at 2 functions"), "{notes:?}");
    assert!(notes[0].contains("; 1 by name alone") && notes[0].ends_with(": f"), "{notes:?}");

    // Two functions of one name: which of them the other tool means is not known.
    let mut merge = Merge::default();
    merge.add("a", &of("pprof", &[("f", "/p/f.c", "", 10, 0), ("f", "/p/g.c", "", 20, 0)]));
    merge.add("b", &of("perf-script", &[("f", "", "app", 0, 0)]));
    let merged = merge.finish();
    assert_eq!(rows(&merged.profile, Granularity::Function).len(), 3);
    assert!(merged.notes[0].to_string().contains("join at 1 function that"));
}

#[test]
fn members_stand_in_the_order_of_their_times() {
    let mut merge = Merge::default();
    for (name, time) in [("late", 30), ("early", 10), ("middle", 20)] {
        let mut one = profile(&[("f", "", "", 0, 0)]);
        one.origin.time_ns = time;
        let row = one.points.row_mut(profile::PointId(0));
        row[0] = time;
        merge.add(name, &one);
    }
    let mut merged = merge.finish().profile;
    order_members_by_time(&mut merged);
    let names: Vec<_> = merged.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["early", "middle", "late"]);
    assert_eq!(analysis::member_totals(&merged), [[10], [20], [30]]);
}
