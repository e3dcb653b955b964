//! Which functions of a base are which of a new profile: rule by rule on names as compilers write
//! them, and what must hold whatever the profiles.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{
    Collapse, Comparison, Filtered, FrameKeys, Granularity, Match, NodeId, Order, Rule, Rules,
    Shape, Side, Tree, flat_values,
};
use profile::{LabelSetId, Location, Metric, MetricId, Profile, ProfileBuilder};
use proptest::prelude::*;

/// A frame: function, file, first line; its line is five below that.
type Frame<'a> = (&'a str, &'a str, u32);

fn profile<'a>(stacks: &[(&[Frame<'a>], i64)]) -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric { name: "cpu".into(), ..Metric::default() }]);
    for (frames, value) in stacks {
        let locations: Vec<_> = frames
            .iter()
            .map(|&(name, file, start)| {
                let function = builder.function(name, file, start);
                let line = if start == 0 { 0 } else { start + 5 };
                builder.location(Location::default(), &[(Some(function), line, 0)])
            })
            .collect();
        let context = builder.stack(locations);
        builder.points.push(context, LabelSetId(0), &[*value]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    profile
}

/// Functions that `main` calls, each with its value.
fn called(functions: &[(&str, i64)]) -> Profile {
    let stacks: Vec<Vec<Frame<'_>>> = functions
        .iter()
        .map(|(name, _)| vec![("main", "main.c", 1), (name, "code.c", 9)])
        .collect();
    let stacks: Vec<_> =
        stacks.iter().zip(functions).map(|(stack, &(_, value))| (&stack[..], value)).collect();
    profile(&stacks)
}

/// Matches by a rule, as names of base and new.
fn by(matches: &[Match], rule: Rule) -> Vec<(&str, &str)> {
    let of_rule = matches.iter().filter(|found| found.rule == rule);
    of_rule.map(|found| (found.base.name.as_str(), found.new.name.as_str())).collect()
}

fn matches(base: &Profile, new: &Profile, rules: impl IntoIterator<Item = Rule>) -> Vec<Match> {
    let rules = Rules::new(rules);
    let comparison = Comparison::matched(base, new, rules);
    assert_eq!(comparison.profile.check(), []);
    let mut swapped = Comparison::matched(new, base, rules).matches;
    for found in &mut swapped {
        std::mem::swap(&mut found.base, &mut found.new);
    }
    let sorted = |mut list: Vec<Match>| {
        list.sort_by(|a, b| (&a.base, &a.new).cmp(&(&b.base, &b.new)));
        list
    };
    assert_eq!(sorted(comparison.matches.clone()), sorted(swapped), "swapped profiles");
    comparison.matches
}

/// Asserts that one function of each profile is matched by `rule`, and not without it.
#[track_caller]
fn one_is(base: &str, new: &str, rule: Rule) {
    let (old, fresh) = (called(&[(base, 5)]), called(&[(new, 5)]));
    assert_eq!(by(&matches(&old, &fresh, Rule::ALL), rule), [(base, new)]);
    assert_eq!(by(&matches(&old, &fresh, [rule]), rule), [(base, new)]);
    let others = Rule::ALL.into_iter().filter(|&other| other != rule);
    let found = matches(&old, &fresh, others);
    assert!(found.iter().all(|found| found.rule != rule));
}

#[track_caller]
fn none_is(base: &[&str], new: &[&str], rule: Rule) {
    let of = |names: &[&str]| called(&names.iter().map(|&name| (name, 5)).collect::<Vec<_>>());
    assert_eq!(by(&matches(&of(base), &of(new), [rule]), rule), [] as [(&str, &str); 0]);
}

#[test]
fn clones_of_every_compiler() {
    for (base, new) in [
        ("ggc_internal_alloc.part.0", "ggc_internal_alloc.part.1"),
        ("df_worklist_dataflow.isra.3", "df_worklist_dataflow.constprop.0"),
        ("htab_find_slot_with_hash", "htab_find_slot_with_hash.constprop.2"),
        ("_ZN4llvm3sys4PathC2Ev.llvm.13495293948272726193", "_ZN4llvm3sys4PathC2Ev.llvm.77"),
        ("simplify_rtx(rtx_def*) [clone .part.1]", "simplify_rtx(rtx_def*) [clone .cold]"),
        (
            "<alloc::vec::Vec<T> as core::clone::Clone>::clone::h0123456789abcdef",
            "<alloc::vec::Vec<T> as core::clone::Clone>::clone::hfedcba9876543210",
        ),
        (
            "<core[4ae1a0b5f0c1b2d3]::fmt::Formatter>::pad",
            "<core[9b1d5f7e2a3c4d6e]::fmt::Formatter>::pad",
        ),
        ("main.(*server).handle.func2", "main.(*server).handle.func1"),
        ("runtime.systemstack.func1.2", "runtime.systemstack.func3.1"),
        (
            "org.app.Main$$Lambda$14/0x0000000800c03000.apply",
            "org.app.Main$$Lambda$27/0x0000000800d1a440.apply",
        ),
        (
            "org.app.Main$$Lambda/0x00007f12a8003a00.run",
            "org.app.Main$$Lambda/0x00007fe3b4001c60.run",
        ),
        ("org.app.Main.lambda$main$0", "org.app.Main.lambda$main$1"),
        ("org.app.MainKt.load$lambda$12", "org.app.MainKt.load$lambda$14"),
    ] {
        one_is(base, new, Rule::Clone);
    }
    none_is(&["main._omp_fn.0"], &["main._omp_fn.1"], Rule::Clone);
    none_is(&["module.func1"], &["module.func2"], Rule::Clone);
}

#[test]
fn several_clones_are_paired_by_number_or_not_at_all() {
    let base = called(&[("f.part.0", 1), ("f.cold.4", 9)]);
    let new = called(&[("f.part.2", 9), ("f.cold.8", 1)]);
    let pairs = [("f.cold.4", "f.cold.8"), ("f.part.0", "f.part.2")];
    assert_eq!(by(&matches(&base, &new, Rule::ALL), Rule::Clone), pairs);
    none_is(&["f.part.0", "f.part.1"], &["f.part.2"], Rule::Clone);
    // `func1` kept its number, so `func3` need not be `func2`.
    none_is(&["m.f.func1", "m.f.func3"], &["m.f.func1", "m.f.func2"], Rule::Clone);
    // A clone of a function that is there on both sides is not that function.
    none_is(&["f", "f.part.0"], &["f"], Rule::Clone);
}

#[test]
fn instances_of_templates_and_generics() {
    for (base, new) in [
        ("void std::sort<int*>(int*, int*)", "void std::sort<long*>(long*, long*)"),
        (
            "std::vector<int, std::allocator<int> >::push_back(int const&)",
            "std::vector<long, std::allocator<long> >::push_back(long const&)",
        ),
        (
            "std::_Function_handler<void (int), Job>::_M_invoke(std::_Any_data const&, int&&)",
            "std::_Function_handler<void (long), Job>::_M_invoke(std::_Any_data const&, long&&)",
        ),
        ("core::ptr::drop_in_place<alloc::string::String>", "core::ptr::drop_in_place<app::Line>"),
        (
            "<alloc::vec::Vec<u8> as core::ops::drop::Drop>::drop",
            "<alloc::vec::Vec<u32> as core::ops::drop::Drop>::drop",
        ),
        ("app::parse::<u8>::h0123456789abcdef", "app::parse::<u16>::hfedcba9876543210"),
        ("main.Map[go.shape.int]", "main.Map[go.shape.string]"),
        ("main.(*List[int]).Push", "main.(*List[...]).Push"),
        ("app.sum", "app.sum[...]"),
    ] {
        let (old, fresh) = (called(&[(base, 5)]), called(&[(new, 5)]));
        let found = matches(&old, &fresh, Rule::ALL);
        assert_eq!(by(&found, Rule::Template), [(base, new)]);
    }
    none_is(&["draw(int)"], &["draw(long)"], Rule::Template);
    none_is(&["<A as T>::f"], &["<B as T>::f"], Rule::Template);
    none_is(&["run.<locals>.<lambda>"], &["run.<locals>.<listcomp>"], Rule::Template);
}

#[test]
fn several_instances_are_paired_by_value_or_not_at_all() {
    let base = called(&[("sort<int>", 1), ("sort<char>", 50)]);
    let new = called(&[("sort<A>", 40), ("sort<B>", 2)]);
    let pairs = [("sort<char>", "sort<A>"), ("sort<int>", "sort<B>")];
    assert_eq!(by(&matches(&base, &new, Rule::ALL), Rule::Template), pairs);
    none_is(&["sort<int>", "sort<char>"], &["sort<A>"], Rule::Template);
}

#[test]
fn other_lines_and_other_files() {
    let base = profile(&[(&[("main", "a.c", 1), ("work", "a.c", 10), ("load", "a.c", 40)], 3)]);
    let new = profile(&[(&[("main", "a.c", 1), ("work", "a.c", 12), ("load", "b.c", 5)], 4)]);
    let found = matches(&base, &new, Rule::ALL);
    assert_eq!(by(&found, Rule::Exact), [("main", "main")]);
    assert_eq!(by(&found, Rule::Line), [("work", "work")]);
    assert_eq!(by(&found, Rule::Moved), [("load", "load")]);
    assert_eq!((&*found[2].base.place, &*found[2].new.place), ("a.c", "b.c"));
    // Lines are told from where the function starts.
    let lines = |rules: Rules| changes(&Comparison::matched(&base, &new, rules), Granularity::Line);
    assert_eq!(
        lines(Rules::default()),
        BTreeMap::from([
            ("main a.c:6".to_owned(), (3, 4)),
            ("work a.c:17".to_owned(), (3, 4)),
            ("load b.c:10".to_owned(), (3, 4)),
        ])
    );
    assert_eq!(lines(Rules::new([])).len(), 5);
    // Two of a name: nobody knows which one moved.
    let twice =
        profile(&[(&[("main", "a.c", 1), ("load", "x.c", 1)], 1), (&[("load", "y.c", 1)], 1)]);
    assert_eq!(by(&matches(&base, &twice, Rule::ALL), Rule::Moved), []);
}

/// `main` calls `outer`, which calls `name`, which calls `left` and `right`.
fn around(name: &str, value: i64) -> Profile {
    let stack = |inner: &[&'static str]| {
        let mut frames: Vec<Frame<'_>> = vec![("main", "a.c", 1), ("outer", "a.c", 9)];
        frames.push((name, "a.c", 30));
        frames.extend(inner.iter().map(|&name| (name, "lib.c", 1)));
        frames
    };
    let stacks = [(stack(&[]), value), (stack(&["left"]), 20), (stack(&["right"]), 10)];
    profile(&stacks.each_ref().map(|(frames, value)| (&frames[..], *value)))
}

#[test]
fn a_new_name_at_the_same_place() {
    // Another name altogether, and about the same values.
    let found = matches(&around("word_count", 50), &around("tally", 45), Rule::ALL);
    assert_eq!(by(&found, Rule::Renamed), [("word_count", "tally")]);
    assert!(found.iter().all(|found| found.score > 0.6 && found.score <= 1.0));
    // Other values, but a name that is alike.
    let found = matches(&around("word_count", 500), &around("count_words", 5), Rule::ALL);
    assert_eq!(by(&found, Rule::Renamed), [("word_count", "count_words")]);
    // Neither: no match. Nor where nobody asked.
    let found = matches(&around("word_count", 9000), &around("tally", 5), Rule::ALL);
    assert_eq!(by(&found, Rule::Renamed), []);
    let found = Comparison::new(&around("word_count", 50), &around("tally", 45)).matches;
    assert_eq!(by(&found, Rule::Renamed), []);
}

#[test]
fn no_guess_between_two() {
    let base = called(&[("load_a", 50)]);
    let new = called(&[("load_b", 50), ("load_c", 50)]);
    assert_eq!(by(&matches(&base, &new, Rule::ALL), Rule::Renamed), []);
    let new = called(&[("load_b", 50)]);
    assert_eq!(by(&matches(&base, &new, Rule::ALL), Rule::Renamed), [("load_a", "load_b")]);
    // One caller in common is not evidence for names that differ.
    let new = called(&[("store", 50)]);
    assert_eq!(by(&matches(&base, &new, Rule::ALL), Rule::Renamed), []);
}

#[test]
fn what_is_found_helps_to_find_more() {
    let chain = |names: [&'static str; 2]| {
        let frames: Vec<Frame<'_>> =
            ["main", names[0], names[1], "leaf"].map(|name| (name, "a.c", 1)).to_vec();
        profile(&[(&frames, 10), (&frames[..3], 5), (&frames[..2], 3)])
    };
    let found =
        matches(&chain(["read_all", "read_one"]), &chain(["load_all", "load_one"]), Rule::ALL);
    assert_eq!(by(&found, Rule::Renamed), [("read_all", "load_all"), ("read_one", "load_one")]);
}

/// Totals of both sides by name.
fn changes(comparison: &Comparison, granularity: Granularity) -> BTreeMap<String, (i64, i64)> {
    let profile = Arc::new(comparison.profile.clone());
    let filtered = Filtered::new(profile.clone(), &[], true).unwrap();
    let keys = FrameKeys::new(&profile, granularity);
    let [base, new] = [Side::Base, Side::New].map(|side| {
        flat_values(&filtered, keys.keys(), keys.len(), side.of(MetricId(0))).total_value
    });
    keys.all()
        .map(|key| (keys.label(&profile, key).into_owned(), (base[key.index()], new[key.index()])))
        .filter(|(_, change)| *change != (0, 0))
        .collect()
}

fn tree(comparison: &Comparison, shape: Shape) -> Tree {
    let profile = Arc::new(comparison.profile.clone());
    let filtered = Arc::new(Filtered::new(profile.clone(), &[], true).unwrap());
    let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
    Tree::new(filtered, keys, shape, Side::Both.of(MetricId(0)), Order::Value, Collapse::None)
}

/// Names that rules of every kind bring together, in two files, at lines that differ.
fn frame() -> impl Strategy<Value = Frame<'static>> {
    let names = proptest::sample::select(vec![
        "main",
        "run",
        "load",
        "f",
        "f.part.0",
        "f.cold",
        "g<int>",
        "g<long>",
        "g<A>",
        "h::h0123456789abcdef",
        "h::hfedcba9876543210",
        "m.c.func1",
        "m.c.func2",
        "m.c.func3",
        "word_count",
        "count_words",
    ]);
    let files = proptest::sample::select(vec!["a.c", "b.c", ""]);
    (names, files, 1u32..4).prop_map(|(name, file, line)| (name, file, 10 * line))
}

type Stacks = Vec<(Vec<Frame<'static>>, i64)>;

fn stacks() -> impl Strategy<Value = Stacks> {
    proptest::collection::vec((proptest::collection::vec(frame(), 0..6), 1i64..50), 1..12)
}

fn of(stacks: &Stacks) -> Profile {
    profile(&stacks.iter().map(|(frames, value)| (&frames[..], *value)).collect::<Vec<_>>())
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    proptest::sample::subsequence(Rule::ALL.to_vec(), 0..=Rule::ALL.len())
}

/// Self and total of both sides by path, where the new side has any.
fn new_side(comparison: &Comparison, shape: Shape) -> BTreeMap<Vec<String>, Vec<(i64, i64)>> {
    let mut tree = tree(comparison, shape);
    let mut nodes = vec![NodeId::ROOT];
    let mut found = BTreeMap::<_, Vec<_>>::new();
    while let Some(node) = nodes.pop() {
        nodes.extend(tree.children(node).map(NodeId));
        let path = tree.path(node).into_iter().skip(1).map(|id| tree.name(id).into_owned());
        let path = path.collect();
        let values = tree.values(node, Side::New.of(MetricId(0)));
        if values != (0, 0) {
            found.entry(path).or_default().push(values);
        }
    }
    // Functions of one name at several places have one path of names.
    found.values_mut().for_each(|values| values.sort_unstable());
    found
}

proptest! {
    #[test]
    fn a_profile_is_itself(stacks in stacks(), rules in rules()) {
        let profile = of(&stacks);
        let comparison = Comparison::matched(&profile, &profile, Rules::new(rules));
        prop_assert!(comparison.matches.iter().all(|found| found.rule == Rule::Exact && found.base == found.new));
        for granularity in [Granularity::Function, Granularity::File, Granularity::Line] {
            for (name, (base, new)) in changes(&comparison, granularity) {
                prop_assert_eq!(base, new, "{}", name);
            }
        }
    }

    #[test]
    fn swapped_profiles_have_swapped_matches(base in stacks(), new in stacks(), rules in rules()) {
        let (base, new) = (of(&base), of(&new));
        matches(&base, &new, rules.iter().copied());
        let rules = Rules::new(rules);
        let sorted = |comparison: Comparison, swap: bool| {
            let values = changes(&comparison, Granularity::Function).into_values();
            let mut values: Vec<_> = values.map(|(a, b)| if swap { (b, a) } else { (a, b) }).collect();
            values.sort_unstable();
            values
        };
        prop_assert_eq!(
            sorted(Comparison::matched(&base, &new, rules), false),
            sorted(Comparison::matched(&new, &base, rules), true)
        );
    }

    #[test]
    fn no_value_changes_by_matching(base in stacks(), new in stacks(), rules in rules()) {
        let (base, new) = (of(&base), of(&new));
        let unmatched = Comparison::matched(&base, &new, Rules::new([]));
        let matched = Comparison::matched(&base, &new, Rules::new(rules));
        for side in [Side::Base, Side::New, Side::Both] {
            prop_assert_eq!(matched.profile.metric_total(side.of(MetricId(0))), unmatched.profile.metric_total(side.of(MetricId(0))));
        }
        // Names are those of the new profile, so its side is as if nothing had been matched.
        for shape in [Shape::TopDown, Shape::BottomUp, Shape::Flat] {
            prop_assert_eq!(new_side(&matched, shape), new_side(&unmatched, shape));
        }
    }

    #[test]
    fn any_names_are_compared(
        base in r"([<>()\[\]{}:. ,a-c0-9$#&*=äß-]|operator|::<|\$\$Lambda|\.part\.|\.func){1,12}",
        new in r"([<>()\[\]{}:. ,a-c0-9$#&*=äß-]|operator|::<|\$\$Lambda|\.part\.|\.func){1,12}",
    ) {
        matches(&called(&[(&base, 5)]), &called(&[(&new, 5)]), Rule::ALL);
    }

    #[test]
    fn a_function_is_matched_once(base in stacks(), new in stacks(), rules in rules()) {
        let found = Comparison::matched(&of(&base), &of(&new), Rules::new(rules)).matches;
        let mut base: Vec<_> = found.iter().map(|found| &found.base).collect();
        let mut new: Vec<_> = found.iter().map(|found| &found.new).collect();
        for side in [&mut base, &mut new] {
            side.sort_unstable();
            prop_assert!(side.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
