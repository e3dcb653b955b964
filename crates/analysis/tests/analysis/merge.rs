//! What must hold of merges, whatever is merged: random profiles whose functions, units, labels,
//! threads and times overlap.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{Filter, FilterKind, Filtered, Merge, MergeNote, Merged};
use profile::unit_scale;
use profile::{
    ContextId, Fact, FactKind, FactValue, Flow, FlowEnd, FrameId, Label, LabelSetId, LabelValue,
    LaterEstimate, Location, LocationId, LocationKind, Mark, Member, Metric, MetricId, Module,
    ModuleId, Place, Point, PointId, Process, Profile, ProfileBuilder, Span, StringId, SwitchedOff,
    Thread, ThreadId, TimelineBuilder, Track, TrackId, TrackKind,
};
use proptest::prelude::*;

/// Locations from the root, value, label, thread, time.
type Sample = (Vec<u8>, i64, u8, Option<u8>, Option<i64>);

/// The second metric, and samples.
type Run = (usize, Vec<Sample>);

const METRICS: [(&str, &str, u8); 7] = [
    ("cpu", "milliseconds", 0),
    ("cpu", "nanoseconds", 0),
    ("cpu", "s", 3),
    ("cpu", "samples", 2),
    ("heap", "bytes", 0),
    ("heap", "kilobytes", 1),
    ("heap", "bytes", 3),
];

fn metric(name: &str, unit: &str, decimals: u8) -> Metric {
    Metric { name: name.into(), unit: unit.into(), decimals, ..Metric::default() }
}

/// Locations 0 to 9: `f0` to `f6`, some of several frames, two at one address without a name.
fn profile((kind, samples): &Run) -> Profile {
    let (name, unit, decimals) = METRICS[*kind];
    let mut builder =
        ProfileBuilder::new(vec![metric("samples", "count", 0), metric(name, unit, decimals)]);
    builder.origin.default_metric = MetricId(1);
    builder.origin.duration_ns = 5;
    builder.origin.time_ns = 100 + *kind as i64;
    // Every input has its functions in another order.
    let order = |index: u32| (index + *kind as u32) % 7;
    let functions: Vec<_> =
        (0..7).map(|i| builder.function(&format!("f{}", order(i)), "f.rs", order(i))).collect();
    let function = |wanted: u32| functions.iter().zip(0..).find(|(_, i)| order(*i) == wanted % 7);
    let module = builder.module("/bin/demo");
    for location in 0..10u32 {
        let outer = (function(location).map(|(f, _)| *f), location, 0);
        let inner = (function(location + 3).map(|(f, _)| *f), location, 1);
        let frames = match location {
            9 => vec![],
            location if location % 3 == 0 => vec![outer, inner],
            _ => vec![outer],
        };
        let address = 0x100 + u64::from(location);
        builder.push_location(Location { module, address, ..Location::default() }, &frames);
    }
    let key = builder.strings.intern("tenant");
    for (path, value, label, thread, time) in samples {
        let context = builder.stack(path.iter().map(|&l| LocationId(u32::from(l))));
        let text = builder.strings.intern(&format!("t{label}"));
        let labels = builder.labels.add(&[Label { key, value: LabelValue::Text(text) }]);
        let thread = thread.map(|thread| {
            let process = builder.process("1");
            builder.thread(Some(process), &thread.to_string())
        });
        let point = Point { context, labels, thread, time: *time, ..Point::default() };
        builder.points.push_point(point, &[1, *value]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    profile
}

fn run() -> impl Strategy<Value = Run> {
    let path = proptest::collection::vec(0u8..10, 0..8);
    let thread = proptest::option::of(0u8..3);
    let time = prop_oneof![4 => Just(None), 1 => (0i64..5).prop_map(Some)];
    let sample = (path, -50i64..1000, 0u8..3, thread, time);
    (0..METRICS.len(), proptest::collection::vec(sample, 0..30))
}

fn runs() -> impl Strategy<Value = Vec<Run>> {
    proptest::collection::vec(run(), 1..6)
}

fn merged(named: &[(&str, &Profile)]) -> Merged {
    let mut merge = Merge::default();
    for (name, profile) in named {
        merge.add(name, profile);
    }
    let merged = merge.finish();
    assert_eq!(merged.profile.check(), []);
    merged
}

fn merged_runs(profiles: &[Profile]) -> Merged {
    let names: Vec<String> = (0..profiles.len()).map(|index| format!("run {index}")).collect();
    let named = names.iter().map(String::as_str).zip(profiles);
    merged(&named.collect::<Vec<_>>())
}

/// What tells points apart, in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    member: String,
    stack: Vec<String>,
    labels: Vec<String>,
    thread: Option<String>,
    time: Option<i64>,
}

/// Values by metric name, in 10^-9 of nanoseconds, bytes or other units.
type Content = BTreeMap<Key, BTreeMap<String, i128>>;

fn frame(profile: &Profile, frame: FrameId) -> String {
    let row = frame.index();
    let location = profile.frames.location[row];
    let function = profile.frames.function(frame);
    let start = function.map(|function| profile.functions.start_line[function.index()]);
    format!(
        "{} {} {}:{}:{} {start:?} {:?} {}",
        profile.frame_name(frame),
        profile.frame_module(frame),
        profile.frame_file(frame),
        profile.frames.line[row],
        profile.frames.column[row],
        profile.locations.kind[location.index()],
        profile.is_inlined(frame),
    )
}

fn key(profile: &Profile, point: usize) -> Key {
    let points = &profile.points;
    let mut path: Vec<ContextId> =
        std::iter::successors(Some(points.context[point]), |&c| profile.contexts.parent(c))
            .collect();
    path.reverse();
    let frames = path.into_iter().flat_map(|context| profile.frames_of(context));
    let label = |label: Label| match label.value {
        LabelValue::Text(text) => format!("{}={}", profile.text(label.key), profile.text(text)),
        LabelValue::Number(number, _) => format!("{}={number}", profile.text(label.key)),
    };
    let member = profile.members.get(points.member(point).index());
    Key {
        member: member.map_or_else(String::new, |member| member.name.clone()),
        stack: frames.map(|row| frame(profile, FrameId(row))).collect(),
        labels: profile.label_sets.get(points.labels(point)).map(label).collect(),
        thread: points.thread(point).map(|thread| profile.thread_name(thread)),
        time: points.time(point),
    }
}

fn values(profile: &Profile, row: &[i64]) -> BTreeMap<String, i128> {
    let mut values = BTreeMap::new();
    for (metric, &value) in profile.metrics.iter().zip(row) {
        let (scale, kind) = unit_scale(&metric.unit);
        let value = i128::from(value) * i128::from(scale) * 10i128.pow(9);
        assert_eq!(value % 10i128.pow(metric.decimals.into()), 0);
        let name = format!("{} {kind:?}", metric.name).replace("\"sample\"", "\"count\"");
        *values.entry(name).or_default() += value / 10i128.pow(metric.decimals.into());
    }
    values.retain(|_, value| *value != 0);
    values
}

/// The points, added up by all that tells them apart, members left out unless they are wanted.
fn content(profile: &Profile, with_members: bool) -> Content {
    let mut content = Content::new();
    for point in 0..profile.points.len() {
        let mut key = key(profile, point);
        if !with_members {
            key.member.clear();
        }
        let sums = content.entry(key).or_default();
        for (name, value) in values(profile, profile.points.row(point)) {
            *sums.entry(name).or_default() += value;
        }
    }
    content.values_mut().for_each(|values| values.retain(|_, value| *value != 0));
    content.retain(|_, values| !values.is_empty());
    content
}

fn sum(contents: impl IntoIterator<Item = Content>) -> Content {
    let mut sums = Content::new();
    for (key, values) in contents.into_iter().flatten() {
        let entry = sums.entry(key).or_default();
        for (name, value) in values {
            *entry.entry(name).or_default() += value;
        }
    }
    sums.values_mut().for_each(|values| values.retain(|_, value| *value != 0));
    sums.retain(|_, values| !values.is_empty());
    sums
}

proptest! {
    #[test]
    fn a_merge_of_one_is_itself(run in run()) {
        let profile = profile(&run);
        let merged = merged_runs(std::slice::from_ref(&profile));
        prop_assert_eq!(content(&merged.profile, false), content(&profile, false));
        prop_assert_eq!(&merged.profile.metrics, &profile.metrics);
        prop_assert_eq!(merged.profile.contexts.len(), profile.contexts.len());
        for metric in profile.metric_ids() {
            prop_assert_eq!(merged.profile.metric_total(metric), profile.metric_total(metric));
        }
        let mut addresses = merged.profile.locations.address.clone();
        addresses.sort_unstable();
        prop_assert_eq!(&addresses, &profile.locations.address);
        prop_assert_eq!(merged.profile.members.len(), 1);
    }

    #[test]
    fn a_merge_is_the_sum_of_its_inputs(runs in runs()) {
        let profiles: Vec<_> = runs.iter().map(profile).collect();
        let merged = merged_runs(&profiles).profile;
        let each = profiles.iter().map(|profile| content(profile, false));
        prop_assert_eq!(content(&merged, false), sum(each));
        let default = merged.metric(merged.origin.default_metric);
        prop_assert_eq!(&default.name, METRICS[runs[0].0].0);
        prop_assert_eq!(merged.origin.duration_ns, 5 * runs.len() as i64);
    }

    #[test]
    fn each_member_is_what_it_was(runs in runs()) {
        let profiles: Vec<_> = runs.iter().map(profile).collect();
        let merged = Arc::new(merged_runs(&profiles).profile);
        for (index, original) in profiles.iter().enumerate() {
            let pattern = format!("member=^run {index}$");
            let filter = Filter { kind: FilterKind::LabelFocus, pattern };
            let filtered = Filtered::new(merged.clone(), &[filter], true).unwrap();
            let totals: Vec<i64> =
                merged.metric_ids().map(|metric| filtered.program_total(metric)).collect();
            let own: Vec<i64> = original.metric_ids().map(|metric| original.metric_total(metric).0).collect();
            prop_assert_eq!(values(&merged, &totals), values(original, &own));
            prop_assert_eq!(merged.members[index].time_ns, original.origin.time_ns);
        }
    }

    #[test]
    fn the_order_does_not_matter(runs in runs()) {
        let mut profiles: Vec<_> = runs.iter().map(profile).collect();
        let forward = merged_runs(&profiles).profile;
        profiles.reverse();
        let backward = merged_runs(&profiles).profile;
        prop_assert_eq!(content(&forward, false), content(&backward, false));
        prop_assert_eq!(forward.contexts.len(), backward.contexts.len());
        let totals = [forward, backward].map(|profile| {
            let totals = profile.metric_ids().map(|metric| profile.metric_total(metric).0);
            values(&profile, &totals.collect::<Vec<_>>())
        });
        prop_assert_eq!(&totals[0], &totals[1]);
    }

    /// What happened in an input stays, at its times, with the stacks, labels and threads that it had.
    #[test]
    fn timelines_stay_as_they_are(runs in runs()) {
        let inputs: Vec<Profile> = runs.iter().map(timed).collect();
        let merged = merged_runs(&inputs).profile;
        for (number, input) in inputs.iter().enumerate() {
            let name = format!("run {number}");
            prop_assert_eq!(happened(&merged, Some(&name)), happened(input, None));
        }
    }

    #[test]
    fn a_merge_of_merges_is_one(runs in proptest::collection::vec(run(), 3)) {
        let profiles: Vec<_> = runs.iter().map(profile).collect();
        let named: Vec<_> = ["a", "b", "c"].into_iter().zip(&profiles).collect();
        let left = merged(&[("ab", &merged(&named[..2]).profile), named[2]]).profile;
        let right = merged(&[named[0], ("bc", &merged(&named[1..]).profile)]).profile;
        let flat = merged(&named).profile;
        prop_assert_eq!(content(&left, false), content(&flat, false));
        prop_assert_eq!(content(&right, false), content(&flat, false));
        let names: Vec<_> = right.members.iter().map(|member| member.name.as_str()).collect();
        prop_assert_eq!(names, ["a", "bc / b", "bc / c"]);
        let names: Vec<_> = left.members.iter().map(|member| member.name.as_str()).collect();
        prop_assert_eq!(names, ["ab / a", "ab / b", "c"]);
    }
}

/// A profile of one metric and one stack of one function.
/// With a track for each thread, on which each point is a span, and other things that happened.
fn timed(run: &Run) -> Profile {
    let mut profile = profile(run);
    let mut builder = TimelineBuilder::default();
    let process = builder.track(Track { kind: TrackKind::Process, order: 3, ..Track::default() });
    let mut tracks = vec![process];
    for thread in 0..profile.threads.len() as u32 {
        let thread = Some(ThreadId(thread));
        let track = Track { parent: Some(process), thread, ..Track::default() };
        tracks.push(builder.track(track));
    }
    let points = &profile.points;
    let is_loose = |row| points.time(row).is_some() && points.thread(row).is_none();
    if (0..points.len()).any(is_loose) {
        builder.track(Track::default());
    }
    for row in 0..profile.points.len() {
        let place = profile.points.thread(row).map_or(0, |thread| thread.index() + 1);
        let (begin, labels) = (row as i64 % 7, profile.points.labels(row));
        let point = PointId(row as u32);
        let is_unfinished = row % 3 == 1;
        let (length, operation) = (row as i64, row as u32 % 4);
        let span = Span { begin, length, point, arguments: labels, operation, is_unfinished };
        builder.spans.push(tracks[place], span);
        let kind = profile.label_sets.get(labels).next().unwrap().key;
        let track = tracks[place];
        builder.mark(Mark { track, time: begin, kind, fields: labels });
        builder.counter(track, kind, kind).push(begin, row as f64);
        let [from, to] = [process, track].map(|track| FlowEnd { track, time: begin });
        builder.flows.push(Flow { name: kind, from, to });
    }
    profile.timeline = builder.finish();
    assert_eq!(profile.check(), []);
    profile
}

/// All that a timeline tells of a member, in words, without what tells points apart by member.
fn happened(profile: &Profile, member: Option<&str>) -> Vec<String> {
    let timeline = &profile.timeline;
    let is_of = |track: TrackId| {
        let of = timeline.tracks[track.index()].member;
        member.is_none_or(|name| profile.members[of.index()].name == name)
    };
    let place = |track: TrackId| {
        let track = &timeline.tracks[track.index()];
        let parent = track.parent.map(|parent| timeline.tracks[parent.index()].kind);
        let thread = track.thread.map(|thread| profile.thread_name(thread));
        format!("{:?} {parent:?} {thread:?} {}", track.kind, track.order)
    };
    let labels = |set: LabelSetId| format!("{} labels", profile.label_sets.get(set).count());
    let mut all = vec![];
    for track in (0..timeline.tracks.len() as u32).map(TrackId).filter(|track| is_of(*track)) {
        all.push(place(track));
        for row in timeline.spans.of_track(track) {
            let span = timeline.spans.get(row);
            let Span { begin, length, point, arguments, operation, is_unfinished } = span;
            let Key { stack, labels: own, thread, .. } = key(profile, point.index());
            let told = (stack, own, thread, labels(arguments), operation, is_unfinished);
            all.push(format!("{} span {begin} {length} {told:?}", place(track)));
        }
        for row in timeline.marks.of_track(track) {
            let mark = timeline.marks.get(track, row);
            let kind = profile.text(mark.kind);
            all.push(format!("{} mark {} {kind} {}", place(track), mark.time, labels(mark.fields)));
        }
    }
    for counter in timeline.counters.iter().filter(|counter| is_of(counter.track)) {
        let (name, track) = (profile.text(counter.name), place(counter.track));
        all.push(format!("{track} counter {name} {:?} {:?}", counter.times, counter.values));
    }
    for flow in timeline.flows.iter().filter(|flow| is_of(flow.from.track)) {
        let (from, to) = (place(flow.from.track), place(flow.to.track));
        let name = profile.text(flow.name);
        all.push(format!("flow {name} {from} {} {to} {}", flow.from.time, flow.to.time));
    }
    all.sort();
    all
}

fn simple(metric: Metric, values: &[i64]) -> Profile {
    let mut builder = ProfileBuilder::new(vec![metric]);
    let main = builder.place(&Place { function: "main", ..Place::default() });
    let context = builder.stack([main]);
    for &value in values {
        builder.points.push(context, profile::LabelSetId(0), &[value]);
    }
    builder.finish()
}

fn rows(profile: &Profile) -> Vec<&[i64]> {
    (0..profile.points.len()).map(|point| profile.points.row(point)).collect()
}

#[test]
fn reports_values_in_the_finest_unit() {
    let seconds = simple(metric("cpu", "seconds", 3), &[1_500]);
    let micro = simple(metric("cpu", "us", 0), &[7]);
    let nano = simple(metric("cpu", "microseconds", 1), &[25]);
    let merged = merged(&[("a", &seconds), ("b", &micro), ("c", &nano)]);
    assert_eq!(merged.notes, []);
    assert_eq!(merged.profile.metrics, [metric("cpu", "us", 1)]);
    assert_eq!(rows(&merged.profile), [[15_000_000], [70], [25]]);
}

#[test]
fn decimals_grow_no_further_than_they_must() {
    let kilo = simple(metric("heap", "kB", 1), &[15]);
    let bytes = simple(metric("heap", "bytes", 0), &[3]);
    let merged = merged(&[("a", &kilo), ("b", &bytes)]);
    assert_eq!(merged.profile.metrics, [metric("heap", "bytes", 1)]);
    assert_eq!(rows(&merged.profile), [[15 * 1024], [30]]);
}

#[test]
fn what_is_too_large_for_one_unit_keeps_its_own() {
    let hours = simple(metric("wall", "hours", 0), &[i64::MAX / 2]);
    let nano = simple(metric("wall", "ns", 0), &[1]);
    let merged = merged(&[("a", &hours), ("b", &nano)]);
    let units = vec!["hours".to_owned(), "ns".to_owned()];
    assert_eq!(merged.notes, [MergeNote::Units { metric: "wall".into(), units }]);
    assert_eq!(rows(&merged.profile), [[i64::MAX / 2, 0], [0, 1]]);
}

#[test]
fn metrics_of_different_things_stay_apart() {
    let time = simple(metric("cpu", "ms", 0), &[1]);
    let count = simple(metric("cpu", "count", 0), &[2]);
    let other = simple(metric("cpu", "samples", 0), &[3]);
    let merged = merged(&[("a", &time), ("b", &count), ("c", &other)]);
    assert_eq!(merged.profile.metrics, [metric("cpu", "ms", 0), metric("cpu", "count", 0)]);
    assert_eq!(rows(&merged.profile), [[1, 0], [0, 2], [0, 3]]);
    let absent =
        |metric: &str, without| MergeNote::Absent { metric: metric.into(), without, of: 3 };
    assert_eq!(merged.notes, [absent("cpu (ms)", 2), absent("cpu (count)", 1)]);
}

#[test]
fn points_of_a_member_are_added_up_where_nothing_is_lost() {
    let input = simple(metric("n", "", 0), &[1, 2, 0, i64::MAX, -3]);
    let merged = merged(&[("a", &input)]);
    // The fourth does not fit the sum of the others.
    assert_eq!(rows(&merged.profile), [[0], [i64::MAX]]);
    assert_eq!(merged.notes, [MergeNote::Zeros(1)]);
}

#[test]
fn a_module_loaded_elsewhere_is_the_same() {
    let run = |start: u64, build_id: &str| {
        let mut builder = ProfileBuilder::new(vec![metric("n", "count", 0)]);
        let [name, build_id] = ["/lib/libm.so", build_id].map(|text| builder.strings.intern(text));
        let mapping = |offset: u64| Module {
            name,
            build_id,
            memory_start: start + offset,
            memory_limit: start + offset + 0x1000,
            file_offset: offset,
            ..Module::default()
        };
        builder.modules = vec![mapping(0x1000), mapping(0)];
        let at = |module: u32, offset: u64| Location {
            module: Some(ModuleId(module)),
            address: start + offset,
            ..Location::default()
        };
        let sin = builder.function("sin", "m.c", 3);
        let stack = [
            builder.push_location(at(0, 0x1010), &[]),
            builder.push_location(at(0, 0x1020), &[(Some(sin), 4, 0)]),
            builder.push_location(at(1, 0x30), &[]),
        ];
        let context = builder.stack(stack);
        builder.points.push(context, profile::LabelSetId(0), &[1]);
        builder.finish()
    };
    let (first, second, other) = (run(0x7000, "id"), run(0x5_0000, "id"), run(0x7000, "new"));
    let merged_two = merged(&[("a", &first), ("b", &second)]);
    assert_eq!(merged_two.notes, []);
    assert_eq!(merged_two.profile.contexts.len(), 4);
    assert_eq!(merged_two.profile.locations.address, [0x8010, 0x8020, 0x7030]);
    let modules = &merged_two.profile.modules;
    assert_eq!(modules.len(), 1);
    assert_eq!((modules[0].memory_start, modules[0].memory_limit), (0x7000, 0x9000));
    assert_eq!(modules[0].file_offset, 0);
    assert_eq!(merged(&[("a", &first), ("b", &other)]).profile.contexts.len(), 7);
}

#[test]
fn named_places_are_one_whatever_their_address() {
    let run = |address: u64| {
        let mut builder = ProfileBuilder::new(vec![metric("n", "count", 0)]);
        let place = builder.place(&Place { function: "f", line: 3, address, ..Place::default() });
        let data = builder.place(&Place {
            function: "f",
            line: 3,
            kind: LocationKind::Data,
            ..Place::default()
        });
        for place in [place, data] {
            let context = builder.stack([place]);
            builder.points.push(context, profile::LabelSetId(0), &[1]);
        }
        builder.finish()
    };
    let merged = merged(&[("a", &run(0x10)), ("b", &run(0x20)), ("c", &run(0))]);
    assert_eq!(merged.profile.contexts.len(), 3);
    assert_eq!(merged.profile.locations.address, [0, 0]);
    assert_eq!(merged.notes, [MergeNote::Addresses(1)]);
}

#[test]
fn threads_are_one_if_nothing_tells_them_apart() {
    let run = |names: &[&str]| {
        let mut builder = ProfileBuilder::new(vec![metric("n", "count", 0)]);
        let process = builder.process("1");
        builder.processes[0] = Process { id: builder.strings.intern("1"), name: StringId::EMPTY };
        for name in names {
            let name = builder.strings.intern(name);
            let id = builder.strings.intern("7");
            builder.threads.push(Thread { process: Some(process), id, name });
        }
        let place = builder.place(&Place { function: "f", ..Place::default() });
        let context = builder.stack([place]);
        for thread in 0..names.len() {
            let thread = Some(profile::ThreadId(thread as u32));
            builder.points.push_point(Point { context, thread, ..Point::default() }, &[1]);
        }
        builder.finish()
    };
    let (twice, once) = (run(&["main", "main"]), run(&["main", "other"]));
    let merged = merged(&[("a", &twice), ("b", &once)]).profile;
    assert_eq!(merged.processes.len(), 1);
    assert_eq!(merged.threads.len(), 3);
    let threads = (0..4).map(|point| merged.points.thread(point).unwrap().0);
    assert_eq!(threads.collect::<Vec<_>>(), [0, 1, 0, 2]);
}

#[test]
fn roles_and_facts_come_along() {
    let run = |roles: [&str; 2], comment: &str, drop: &str| {
        let mut builder = ProfileBuilder::new(vec![metric("n", "count", 0)]);
        let places = ["a", "b"]
            .map(|function| builder.place(&Place { function, ..Place::default() }))
            .map(|place| builder.stack([place]));
        let links = [0, 1].map(|index| (builder.role(roles[index]), places[index]));
        let point = Point { context: places[1], links: &links, ..Point::default() };
        builder.points.push_point(point, &[0]);
        builder.origin.format = "pprof".into();
        builder.origin.comments = vec!["same".into(), comment.into()];
        builder.origin.drop_frames = drop.into();
        builder.origin.estimated_paths = comment == "two";
        builder.finish()
    };
    let first = run(["use", "reuse"], "one", "malloc");
    let second = run(["reuse", "use"], "two", "free");
    let Merged { profile, notes, .. } = merged(&[("a", &first), ("b", &second)]);
    let roles: Vec<_> = profile.roles.iter().map(|&role| profile.text(role)).collect();
    assert_eq!(roles, ["use", "reuse"]);
    assert_eq!(profile.points.links(1)[0].0, profile.points.links(0)[1].0);
    assert_eq!(profile.origin.comments, ["same", "one", "two"]);
    assert_eq!((profile.origin.format.as_str(), profile.origin.estimated_paths), ("pprof", true));
    assert_eq!(profile.origin.drop_frames, "");
    assert!(matches!(notes[..], [MergeNote::Differs(_)]));
}

/// A function that is one in the merge is exact up to the least of its calls, and what was estimated of it adds up.
#[test]
fn what_is_exact_up_to_some_call_stays_so() {
    let input = |functions: [&str; 2], exact_calls, estimate| {
        let mut builder = ProfileBuilder::new(vec![metric("time", "nanoseconds", 0)]);
        let all = functions.map(|name| builder.function(name, "p.py", 3));
        let one = SwitchedOff { function: all[1], exact_calls, estimate, is_partial: false };
        builder.switched_off.push(one);
        builder.finish()
    };
    let estimate = |time_ns| Some(LaterEstimate { time_ns, samples: 5, of_samples: 9 });
    let [a, b, c] = [
        input(["f", "g"], 30, estimate(100)),
        input(["g", "f"], 20, estimate(7)),
        input(["f", "g"], 40, None),
    ];
    let merged = merged(&[("a", &a), ("b", &b), ("c", &c)]).profile;
    assert!(merged.check().is_empty(), "{:?}", merged.check());
    let told = |one: &SwitchedOff| {
        let name = merged.text(merged.functions.name[one.function.index()]).to_owned();
        (name, one.exact_calls, one.estimate.map(|one| (one.time_ns, one.samples)), one.is_partial)
    };
    let told: Vec<_> = merged.switched_off.iter().map(told).collect();
    let f = ("f".to_owned(), 20, Some((7, 5)), false);
    let g = ("g".to_owned(), 30, Some((100, 5)), true);
    assert_eq!(told, [f, g]);
}

/// What is known of members stays with them, whatever numbers their texts had.
#[test]
fn facts_stay_with_their_members() {
    let input = |texts: [&str; 4]| {
        let mut builder = ProfileBuilder::new(vec![metric("time", "nanoseconds", 0)]);
        let [name, value, measure, unit] = texts.map(|text| builder.strings.intern(text));
        let facts = vec![
            Fact { name, kind: FactKind::Factor, value: FactValue::Text(value) },
            Fact { name: measure, kind: FactKind::Measure, value: FactValue::Number(7, unit) },
        ];
        builder.members.push(Member { name: "run".into(), facts, ..Member::default() });
        builder.finish()
    };
    let a = input(["python", "3.12", "wall time", "nanoseconds"]);
    let b = input(["wall time", "3.12", "python", "bytes"]);
    let merged = merged(&[("a", &a), ("b", &b)]).profile;
    let told = |member| {
        let told = merged.members[member as usize].facts.iter().map(|fact| match fact.value {
            FactValue::Text(text) => format!("{}={}", merged.text(fact.name), merged.text(text)),
            FactValue::Number(number, unit) => {
                format!("{}={number} {}", merged.text(fact.name), merged.text(unit))
            }
        });
        told.collect::<Vec<_>>()
    };
    assert_eq!(told(0), ["python=3.12", "wall time=7 nanoseconds"]);
    assert_eq!(told(1), ["wall time=3.12", "python=7 bytes"]);
}

#[test]
fn nothing_merges_to_nothing() {
    let merged = merged(&[]);
    assert_eq!((merged.profile.points.len(), merged.profile.contexts.len()), (0, 1));
    assert_eq!(merged.notes, []);
}

#[test]
fn memory_does_not_grow_with_members_times_contexts() {
    let mut wide = ProfileBuilder::new(vec![metric("n", "count", 0)]);
    for index in 0..1_000u64 {
        let place = wide.place(&Place { address: 1 + index, ..Place::default() });
        let context = wide.stack([place]);
        wide.points.push(context, profile::LabelSetId(0), &[i64::from(index == 7)]);
    }
    let wide = wide.finish();
    let mut merge = Merge::default();
    merge.add("first", &wide);
    let one = merge.heap_bytes();
    for run in 0..100 {
        merge.add(&format!("run {run}"), &wide);
    }
    assert!(merge.heap_bytes() < one + 100 * 256, "{one} became {}", merge.heap_bytes());
}
