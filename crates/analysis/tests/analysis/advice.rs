//! Where rules of advice fit: against a reading of every sample by itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::advice::{
    AdviceRule, AdviceRuleError, AllAdvice, Noticed, OfValue, RuleUnit, advice, noted, shipped,
};
use analysis::{Filter, FilterKind, Filtered, FrameKeys, Granularity};
use profile::{
    Combine, Combining, ContextId, FrameId, FunctionId, LabelSetId, Location, LocationId,
    LocationKind, Metric, MetricId, Note, NoteOf, Point, Profile, ProfileBuilder, StringId,
};
use proptest::prelude::*;

/// A frame of a sample: its name, and whether it is a loop.
type Shown = (String, bool);

/// Samples: locations from the root, and a value. Locations 0 to 5 are functions `f0` to `f5`, 6 has `f1`
/// with `f2` inlined, 7 and 8 are loops.
fn profile(samples: &[(Vec<u8>, i64)]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![
        Metric { name: "count".into(), ..Metric::default() },
        Metric { name: "cpu".into(), unit: "nanoseconds".into(), ..Metric::default() },
    ]);
    builder.origin.default_metric = MetricId(1);
    let functions: Vec<_> =
        (0..6).map(|number| builder.function(&format!("f{number}"), "src/x.rs", 1)).collect();
    for &function in &functions {
        builder.push_location(Location::default(), &[(Some(function), 1, 0)]);
    }
    let both = [(Some(functions[1]), 2, 0), (Some(functions[2]), 3, 0)];
    builder.push_location(Location::default(), &both);
    for line in [10, 20] {
        let kind = LocationKind::Loop;
        let name = builder.function(&format!("loop{line}"), "src/x.rs", line);
        builder.push_location(Location { kind, ..Location::default() }, &[(Some(name), line, 0)]);
    }
    for (path, value) in samples {
        let context = builder.stack(path.iter().map(|&place| LocationId(u32::from(place))));
        builder.points.push(context, LabelSetId(0), &[1, *value]);
    }
    Arc::new(builder.finish())
}

fn advice_for(profile: &Arc<Profile>, filters: &[Filter], rules: &[AdviceRule]) -> AllAdvice {
    let filtered = Filtered::new(profile.clone(), filters, true).unwrap();
    let keys = FrameKeys::new(profile, Granularity::Function);
    advice(&filtered, &keys, MetricId(1), rules)
}

/// What is found by name, which no two functions share.
fn found(profile: &Arc<Profile>, all: &AllAdvice) -> BTreeMap<String, i64> {
    let keys = FrameKeys::new(profile, Granularity::Function);
    let named =
        |one: &analysis::advice::Advice| (keys.name(profile, one.key).into_owned(), one.value);
    all.found.iter().map(named).collect()
}

/// The shown frames of every sample from the root, with its value.
fn stacks(filtered: &Filtered) -> Vec<(Vec<Shown>, i64)> {
    let profile = filtered.profile();
    let frames = |context: ContextId| {
        let location = profile.contexts.location(context);
        let is_loop = location
            .is_some_and(|location| profile.locations.get(location).kind == LocationKind::Loop);
        let shown = profile.frames_of(context).filter(move |&frame| filtered.shows(context, frame));
        shown
            .map(|frame| (profile.frame_name(FrameId(frame)).into_owned(), is_loop))
            .collect::<Vec<_>>()
    };
    let of_point = |point: usize| {
        let context = profile.points.context[point];
        let mut path: Vec<ContextId> =
            std::iter::successors(Some(context), |&at| profile.contexts.parent(at)).collect();
        path.reverse();
        (path.into_iter().flat_map(frames).collect(), profile.points.row(point)[1])
    };
    (0..profile.points.len()).filter(|&point| filtered.keeps_point(point)).map(of_point).collect()
}

/// The same as [`advice`] by what its fields say, sample by sample.
fn by_hand(stacks: &[(Vec<Shown>, i64)], rule: &AdviceRule) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (frames, value) in stacks {
        let fits = |at: usize| {
            let (name, is_loop) = &frames[at];
            let around = &frames[..at];
            (rule.name.is_empty() || rule.name.contains(&**name))
                && (rule.below.is_empty() || around.iter().any(|(other, _)| *other == rule.below))
                && (!rule.in_loop || *is_loop || around.iter().any(|(_, is_loop)| *is_loop))
                && (!rule.recursive || around.iter().any(|(other, _)| other == name))
        };
        let mut counted: Vec<&str> = vec![];
        for at in (0..frames.len()).filter(|&at| fits(at)) {
            let name = &*frames[at].0;
            let counts = match rule.of {
                OfValue::Own => at + 1 == frames.len(),
                OfValue::Total => !counted.contains(&name),
            };
            counted.push(name);
            if counts {
                *sums.entry(name.to_owned()).or_insert(0) += value;
            }
        }
    }
    sums.retain(|_, sum| *sum > 0);
    sums
}

fn rule() -> impl Strategy<Value = AdviceRule> {
    let name = prop_oneof![Just(String::new()), Just("f1|f2|f4".to_owned())];
    let below = prop_oneof![2 => Just(String::new()), 1 => "f[0-5]"];
    (name, below, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(name, below, in_loop, recursive, own)| AdviceRule {
            title: "title".into(),
            text: "text".into(),
            name: if name.is_empty() && below.is_empty() { "f1|f2|f4".into() } else { name },
            below,
            in_loop,
            recursive,
            of: if own { OfValue::Own } else { OfValue::Total },
            ..AdviceRule::default()
        },
    )
}

proptest! {
    #[test]
    fn values_are_those_of_the_samples(
        samples in proptest::collection::vec(
            (proptest::collection::vec(0u8..9, 1..12), 0i64..1000), 1..40),
        rule in rule(),
        hide in prop_oneof![2 => Just(String::new()), 1 => "f[0-5]"],
    ) {
        let profile = profile(&samples);
        let kind = FilterKind::Hide;
        let filters: Vec<Filter> =
            Some(hide).filter(|hide| !hide.is_empty()).map(|pattern| Filter { kind, pattern }).into_iter().collect();
        let filtered = Filtered::new(profile.clone(), &filters, true).unwrap();
        let all = advice_for(&profile, &filters, std::slice::from_ref(&rule));
        prop_assert_eq!(&all.left_out, &vec![]);
        prop_assert_eq!(found(&profile, &all), by_hand(&stacks(&filtered), &rule));
    }
}

fn simple(name: &str) -> AdviceRule {
    AdviceRule {
        title: "title".into(),
        name: name.into(),
        text: "text".into(),
        ..AdviceRule::default()
    }
}

#[test]
fn shares_formulas_units_and_metrics_decide() {
    // f0 > f1: 70, f0 > f2: 30
    let profile = profile(&[(vec![0, 1], 70), (vec![0, 2], 30)]);
    let names = |rule: AdviceRule| {
        let all = advice_for(&profile, &[], &[rule]);
        assert_eq!(all.left_out, []);
        found(&profile, &all).into_keys().collect::<Vec<_>>()
    };
    assert_eq!(names(AdviceRule { share: 40.0, ..simple("f") }), ["f0", "f1"]);
    assert_eq!(names(AdviceRule { share: 40.0, of: OfValue::Own, ..simple("f") }), ["f1"]);
    assert_eq!(names(AdviceRule { when: "self(cpu) > 20 ns".into(), ..simple("f") }), ["f1", "f2"]);
    assert_eq!(names(AdviceRule { when: "total(cpu) < 50 ns".into(), ..simple("f") }), ["f2"]);
    // By counts both leaves have half of the samples.
    assert_eq!(
        names(AdviceRule { metric: "Count".into(), share: 50.0, ..simple("f[12]") }),
        ["f1", "f2"]
    );
    let unit = |unit| AdviceRule { unit: Some(unit), ..simple("f2") };
    assert_eq!(names(unit(RuleUnit::Time)), ["f2"]);
    assert_eq!(names(unit(RuleUnit::Bytes)), [""; 0]);
    assert_eq!(names(AdviceRule { file: "^src/".into(), ..simple("") }).len(), 3);
    assert_eq!(names(AdviceRule { file: "^lib/".into(), ..simple("") }).len(), 0);
}

#[test]
fn reports_what_a_profile_does_not_have() {
    let profile = profile(&[(vec![0, 1], 70)]);
    let rules = [
        AdviceRule { metric: "bytes".into(), ..simple("f") },
        AdviceRule { when: "misses / cpu > 1".into(), ..simple("f") },
        simple("f1"),
    ];
    let all = advice_for(&profile, &[], &rules);
    assert_eq!(all.found.len(), 1);
    assert_eq!((all.found[0].rule, all.found[0].value), (2, 70));
    let why: Vec<(usize, &str)> =
        all.left_out.iter().map(|one| (one.rule, one.why.as_str())).collect();
    assert_eq!(why[0], (0, "metric: the profile has no metric bytes"));
    assert_eq!(why[1].0, 1);
    assert!(why[1].1.starts_with("when: ") && why[1].1.contains("misses"), "{why:?}");
}

#[test]
fn rules_that_are_none_are_refused() {
    let error = |rule: AdviceRule| rule.check().unwrap_err();
    assert_eq!(error(AdviceRule { title: " ".into(), ..simple("f") }), AdviceRuleError::NoTitle);
    assert_eq!(error(AdviceRule { text: String::new(), ..simple("f") }), AdviceRuleError::NoText);
    assert_eq!(error(simple("")), AdviceRuleError::FitsAll);
    assert_eq!(error(AdviceRule { share: f64::NAN, ..simple("f") }), AdviceRuleError::Share);
    let link = "javascript:alert(1)".to_owned();
    assert_eq!(error(AdviceRule { link, ..simple("f") }), AdviceRuleError::Link);
    let told = error(AdviceRule { below: "(".into(), ..simple("f") }).to_string();
    assert!(told.starts_with("below: "), "{told}");
}

#[test]
fn shipped_rules_are_silent_about_what_is_well() {
    let profile = profile(&[(vec![0, 1], 70), (vec![0, 7, 2], 30)]);
    let all = advice_for(&profile, &[], &shipped());
    assert_eq!(all.found, []);
}

/// Value of the samples with a frame on their stack, each once.
fn value_where(filtered: &Filtered, holds: impl Fn(ContextId, FrameId) -> bool) -> i64 {
    let profile = filtered.profile();
    let is_on = |point: usize| {
        let mut path = std::iter::successors(Some(profile.points.context[point]), |&at| {
            profile.contexts.parent(at)
        });
        path.any(|at| {
            let mut shown = profile.frames_of(at).filter(|&frame| filtered.shows(at, frame));
            shown.any(|frame| holds(at, FrameId(frame)))
        })
    };
    let points = (0..profile.points.len()).filter(|&point| filtered.keeps_point(point));
    points.filter(|&point| is_on(point)).map(|point| profile.points.row(point)[1]).sum()
}

proptest! {
    #[test]
    fn notes_have_the_values_of_what_they_are_about(
        samples in proptest::collection::vec(
            (proptest::collection::vec(0u8..9, 1..8), 0i64..1000), 1..30),
        about in proptest::collection::vec((0u8..3, any::<prop::sample::Index>()), 1..12),
        keep in prop_oneof![2 => Just(String::new()), 1 => "f[0-5]"],
    ) {
        let mut profile = profile(&samples);
        let all = Arc::get_mut(&mut profile).unwrap();
        let file = all.functions.file[0];
        for (number, (kind, index)) in about.iter().enumerate() {
            let about = match kind {
                0 => NoteOf::Context(ContextId(index.index(all.contexts.len()) as u32)),
                1 => NoteOf::Function(FunctionId(index.index(all.functions.len()) as u32)),
                // Lines are 1, 2, 3, 10 and 20, and others nowhere.
                _ => NoteOf::Line(file, index.index(21) as u32 + 1),
            };
            let text = StringId(number as u32 % all.strings.len() as u32);
            all.notes.push(Note { about, title: text, text, link: StringId::EMPTY });
        }
        let kind = FilterKind::Focus;
        let filters: Vec<Filter> =
            Some(keep).filter(|keep| !keep.is_empty()).map(|pattern| Filter { kind, pattern }).into_iter().collect();
        let filtered = Filtered::new(profile.clone(), &filters, true).unwrap();
        let keys = FrameKeys::new(&profile, Granularity::Function);
        let told = noted(&filtered, &keys, MetricId(1));
        prop_assert_eq!(told.len(), about.len());
        prop_assert!(told.is_sorted_by(|one, next| one.share >= next.share));
        let function = |frame| profile.frames.function(frame);
        let has_points = |context: ContextId| {
            let inside = profile.contexts.subtree(context);
            profile.points.context.iter().any(|at| inside.contains(&at.0))
        };
        let contexts = (0..profile.contexts.len() as u32).map(ContextId);
        let used: Vec<FrameId> = contexts
            .filter(|&context| has_points(context))
            .flat_map(|context| profile.frames_of(context).map(FrameId))
            .collect();
        let all_frames = || used.iter().copied();
        for one in told {
            let is_function = |about| all_frames().any(|frame| function(frame) == Some(about));
            let is_line = |line| all_frames().any(|frame| profile.frames.line[frame.index()] == line);
            let is_measured = match profile.notes[one.note].about {
                NoteOf::Context(context) => context == ContextId::ROOT || has_points(context),
                NoteOf::Function(about) => is_function(about),
                NoteOf::Line(_, line) => is_line(line),
            };
            let value = match profile.notes[one.note].about {
                NoteOf::Context(ContextId::ROOT) => filtered.program_total(MetricId(1)),
                NoteOf::Context(context) => {
                    let inside = profile.contexts.subtree(context);
                    let points = (0..profile.points.len()).filter(|&point| {
                        filtered.keeps_point(point)
                            && inside.contains(&profile.points.context[point].0)
                    });
                    points.map(|point| profile.points.row(point)[1]).sum()
                }
                NoteOf::Function(about) => value_where(&filtered, |_, frame| function(frame) == Some(about)),
                NoteOf::Line(_, line) => {
                    value_where(&filtered, |_, frame| profile.frames.line[frame.index()] == line)
                }
            };
            // Of nothing nothing is a share.
            let whole = filtered.program_total(MetricId(1));
            let share = (is_measured && whole != 0).then(|| value as f64 / whole as f64);
            let value = if is_measured { Noticed::Value(value) } else { Noticed::NotMeasured };
            prop_assert_eq!(one.value, value, "{:?}", profile.notes[one.note]);
            prop_assert_eq!(one.share, share);
        }
    }
}

#[test]
fn notes_where_values_do_not_add_up_have_none() {
    let mut profile = profile(&[(vec![0, 1], 70)]);
    let all = Arc::get_mut(&mut profile).unwrap();
    all.metrics[1].combining = Combining::everywhere(Combine::Maximum);
    let about = NoteOf::Function(FunctionId(1));
    all.notes.push(Note { about, title: StringId(1), text: StringId(1), link: StringId::EMPTY });
    let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
    let keys = FrameKeys::new(&profile, Granularity::Function);
    let told = noted(&filtered, &keys, MetricId(1));
    assert_eq!((told[0].value, told[0].share), (Noticed::DoesNotAddUp, None));
}

/// Two points: something used at f0 > f1 and again at f0 > f2, of 60; used at f3 and again at f4, of 40.
fn reuses() -> Arc<Profile> {
    let mut profile = Arc::into_inner(profile(&[])).unwrap();
    let mut builder = ProfileBuilder::new(std::mem::take(&mut profile.metrics));
    let places: Vec<_> = (0..5)
        .map(|number| {
            let function = builder.function(&format!("f{number}"), "src/x.rs", 1);
            builder.push_location(Location::default(), &[(Some(function), 1, 0)])
        })
        .collect();
    let (used, again) = (builder.role("use"), builder.role("reuse"));
    for (stacks, value) in
        [([&places[..2], &[places[0], places[2]]], 60), ([&places[3..4], &places[4..]], 40)]
    {
        let [one, two] = stacks.map(|stack| builder.stack(stack.iter().copied()));
        let links = [(used, one), (again, two)];
        builder
            .points
            .push_point(Point { context: one, links: &links, ..Point::default() }, &[1, value]);
    }
    Arc::new(builder.finish())
}

#[test]
fn a_rule_on_a_role_is_about_the_contexts_that_have_it() {
    let profile = reuses();
    let rule = |role: &str, of| AdviceRule { role: role.into(), of, ..simple("") };
    let all = |rule| {
        let all = advice_for(&profile, &[], &[rule]);
        assert_eq!(all.left_out, []);
        found(&profile, &all)
    };
    let named = |all: &[(&str, i64)]| -> BTreeMap<String, i64> {
        all.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
    };
    assert_eq!(all(rule("reuse", OfValue::Own)), named(&[("f2", 60), ("f4", 40)]));
    assert_eq!(all(rule("Reuse", OfValue::Total)), named(&[("f0", 60), ("f2", 60), ("f4", 40)]));
    assert_eq!(all(rule("use", OfValue::Own)), named(&[("f1", 60), ("f3", 40)]));
    let below = AdviceRule { below: "f0".into(), ..rule("reuse", OfValue::Total) };
    assert_eq!(all(below), named(&[("f2", 60)]));
    let unknown = advice_for(&profile, &[], &[rule("race", OfValue::Own)]);
    assert_eq!(unknown.left_out[0].why, "role: no points of the profile link contexts as race");
    // What comes along says so, too.
    let shipped = advice_for(&profile, &[], &shipped());
    let titles = |one: &analysis::advice::Advice| shipped_title(one.rule);
    assert_eq!(shipped.found.iter().map(titles).collect::<Vec<_>>(), ["Data is used again"; 2]);
}

fn shipped_title(rule: usize) -> String {
    shipped()[rule].title.clone()
}

#[test]
fn a_block_that_is_called_like_its_function_is_no_recursion() {
    let profile = Arc::into_inner(profile(&[])).unwrap();
    let mut builder = ProfileBuilder::new(profile.metrics);
    let function = builder.function("f", "src/x.rs", 1);
    let mut place = |kind| {
        let location = Location { kind, ..Location::default() };
        builder.push_location(location, &[(Some(function), 1, 0)])
    };
    let [code, block] = [LocationKind::Code, LocationKind::Block].map(&mut place);
    let inside = builder.stack([code, block]);
    let again = builder.stack([code, block, code]);
    builder.points.push(inside, LabelSetId(0), &[1, 40]);
    builder.points.push(again, LabelSetId(0), &[1, 60]);
    let profile = Arc::new(builder.finish());
    let all = advice_for(&profile, &[], &[AdviceRule { recursive: true, ..simple("f") }]);
    assert_eq!(found(&profile, &all), BTreeMap::from([("f".to_owned(), 60)]));
}
