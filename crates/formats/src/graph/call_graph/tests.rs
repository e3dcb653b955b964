use hashbrown::HashMap;
use profile::{ContextId, Metric, Place, Point, Profile, ProfileBuilder};

use super::graph::{CallGraph, add};
use super::split::Split;
use crate::Warnings;

#[test]
fn every_division_is_exact_and_all_add_up_to_the_weights() {
    let mut split = Split::new(vec![10, 0, 1, 89]);
    let mut sums = vec![0; 4];
    for amount in [1, 1, 7, 41, 50] {
        let parts = split.next(amount);
        assert_eq!(parts.iter().sum::<i64>(), amount);
        assert!(parts.iter().all(|&part| part >= 0), "{parts:?}");
        add(&mut sums, &parts);
    }
    assert_eq!(sums, [10, 0, 1, 89]);
}

/// Functions by name with self cost; calls with count and inclusive cost. Gives the stacks.
fn stacks(functions: &[(&str, i64)], calls: &[(&str, &str, i64, i64)]) -> Vec<String> {
    let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
    let mut builder = ProfileBuilder::new(vec![metric("cost"), metric("calls")]);
    let mut graph = CallGraph::new(1);
    let mut nodes = HashMap::new();
    for &(name, cost) in functions {
        let at = builder.place(&Place { function: name, ..Place::default() });
        let node = graph.function(at);
        graph.add_self(node, at, &[cost]);
        nodes.insert(name, (node, at));
    }
    for &(caller, callee, count, cost) in calls {
        let (from, site) = nodes[caller];
        graph.add_calls(from, site, nodes[callee].0, count, &[cost]);
    }
    graph.estimate(&mut builder, Point::default(), &mut Warnings::default());
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    let mut found = std::collections::BTreeMap::<String, (i64, i64)>::new();
    for (row, &context) in profile.points.context.iter().enumerate() {
        let entry = found.entry(path(&profile, context)).or_default();
        entry.0 += profile.points.row(row)[0];
        entry.1 += profile.points.row(row)[1];
    }
    found.into_iter().map(|(path, (cost, calls))| format!("{path} {cost} {calls}")).collect()
}

fn path(profile: &Profile, context: ContextId) -> String {
    let up = std::iter::successors(Some(context), |&at| profile.contexts.parent(at));
    let mut names: Vec<_> = up
        .flat_map(|at| profile.frames_of(at))
        .map(|frame| profile.frame_name(profile::FrameId(frame)).into_owned())
        .collect();
    names.reverse();
    names.join(";")
}

#[test]
fn shared_callees_are_divided_in_proportion() {
    let found = stacks(
        &[("main", 10), ("a", 20), ("b", 30), ("leaf", 40)],
        &[("main", "a", 1, 50), ("main", "b", 1, 40), ("a", "leaf", 3, 30), ("b", "leaf", 1, 10)],
    );
    let expected =
        ["main 10 0", "main;a 20 1", "main;a;leaf 30 3", "main;b 30 1", "main;b;leaf 10 1"];
    assert_eq!(found, expected);
}

#[test]
fn recursion_ends_and_self_values_stay() {
    let found = stacks(
        &[("main", 1), ("even", 10), ("odd", 5)],
        &[
            ("main", "even", 1, 15),
            ("even", "odd", 5, 14),
            ("odd", "even", 4, 12),
            ("even", "even", 2, 3),
        ],
    );
    assert_eq!(found, ["main 1 0", "main;even 10 7", "main;even;odd 5 5"]);
}

#[test]
fn what_callers_do_not_explain_is_a_root() {
    let found = stacks(&[("main", 1), ("signal", 100)], &[("main", "signal", 1, 40)]);
    assert_eq!(found, ["main 1 0", "main;signal 40 1", "signal 60 0"]);
}

#[test]
fn a_graph_of_countless_paths_stops_and_keeps_the_sum() {
    let names: Vec<String> = (0..200).map(|row| format!("f{row}")).collect();
    let functions: Vec<_> = names.iter().map(|name| (name.as_str(), 1_000_000)).collect();
    let mut calls = vec![];
    for level in (0..198).step_by(2) {
        for (from, to) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
            let (from, to) = (&names[level + from], &names[level + to]);
            calls.push((from.as_str(), to.as_str(), 1, 1_000_000));
        }
    }
    let found = stacks(&functions, &calls);
    let sum: i64 =
        (found.iter()).map(|line| line.rsplit(' ').nth(1).unwrap().parse::<i64>().unwrap()).sum();
    assert_eq!(sum, 200_000_000);
    assert!(found.iter().any(|line| line.starts_with("(paths not estimated);")));
}

#[test]
fn weights_of_any_sign_and_size_are_divided_at_once() {
    for weights in [vec![i64::MIN, 1], vec![i64::MAX; 40], vec![-5, i64::MAX, 0, i64::MIN]] {
        let mut split = Split::new(weights.clone());
        for amount in [i64::MIN, -3, 1, i64::MAX, i64::MAX] {
            assert_eq!(split.next(amount).len(), weights.len());
        }
    }
}
