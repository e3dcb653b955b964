//! What may run otherwise than it is told says so: on small programs that are written for it.

use sdfg::cost::{Certainty, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::memory::Memory;
use sdfg::model::Program;
use serde_json::{Value as Json, json};

/// A state with a map over `0:end` that reads and writes an element in each iteration.
fn state(label: &str, end: &str) -> Json {
    let range = json!({"type": "Range", "ranges": [
        {"start": "0", "end": format!("{end} - 1"), "step": "1", "tile": "1"}]});
    let memlet = |data: &str| {
        let subset = json!({"type": "Range", "ranges": [
            {"start": "j", "end": "j", "step": "1", "tile": "1"}]});
        json!({"data": {"type": "Memlet", "attributes": {"data": data, "subset": subset,
            "volume": "1"}}})
    };
    let edge = |ends: [u32; 2], from: Json, to: Json, data: &str| {
        json!({"src": ends[0].to_string(), "dst": ends[1].to_string(), "src_connector": from,
            "dst_connector": to, "attributes": memlet(data)})
    };
    let none = Json::Null;
    json!({"type": "SDFGState", "label": label, "nodes": [
        {"type": "AccessNode", "attributes": {"data": "A"}},
        {"type": "MapEntry", "label": "m", "attributes": {"params": ["j"], "range": range}},
        {"type": "Tasklet", "label": "t", "scope_entry": "1", "attributes": {"code":
            {"string_data": "b = a + 1", "language": "Python"}}},
        {"type": "MapExit", "label": "m", "scope_entry": "1", "attributes": {}},
        {"type": "AccessNode", "attributes": {"data": "B"}},
    ], "edges": [
        edge([0, 1], none.clone(), json!("IN_A"), "A"), edge([1, 2], json!("OUT_A"), json!("a"), "A"),
        edge([2, 3], json!("b"), json!("IN_B"), "B"), edge([3, 4], json!("OUT_B"), none, "B"),
    ]})
}

fn edge(from: usize, to: usize, condition: &str, assignments: &[(&str, &str)]) -> Json {
    let assignments: serde_json::Map<String, Json> =
        assignments.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    json!({"src": from.to_string(), "dst": to.to_string(), "attributes": {"data": {
        "type": "InterstateEdge", "attributes": {"assignments": assignments,
        "condition": {"string_data": condition, "language": "Python"}}}}})
}

fn program(blocks: &[Json], edges: &[Json]) -> Program {
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["9000"]}});
    let graph = json!({"type": "SDFG", "attributes": {"name": "g", "symbols": {"N": "int64",
        "K": "int64"}, "_arrays": {"A": array, "B": array}}, "nodes": blocks, "edges": edges,
        "start_block": 0});
    sdfg::read(graph.to_string().as_bytes(), &sdfg::Limits::default()).unwrap()
}

fn region(label: &str, blocks: &[Json], edges: &[Json]) -> Json {
    json!({"type": "ControlFlowRegion", "label": label, "nodes": blocks, "edges": edges,
        "start_block": 0})
}

fn choice(branches: &[(Option<&str>, Json)]) -> Json {
    let branches: Vec<Json> =
        branches.iter().map(|(condition, branch)| json!([condition, branch])).collect();
    json!({"type": "ConditionalBlock", "label": "c", "branches": branches})
}

fn loop_of(blocks: &[Json], edges: &[Json]) -> Json {
    let code = |text: &str| json!({"string_data": text, "language": "Python"});
    json!({"type": "LoopRegion", "label": "l", "nodes": blocks, "edges": edges, "start_block": 0,
        "attributes": {"loop_variable": "i", "init_statement": code("i = 0"),
        "loop_condition": code("i < N"), "update_statement": code("i = i + 1")}})
}

/// Work at N = 7 and K = 9 with what is said of it and of distinct bytes.
fn work_and_certainty(program: &Program) -> (Option<f64>, &'static str, &'static str) {
    let costs = Costs::new(program, Rules::Exact);
    let at: Bindings = [("N".to_owned(), 7), ("K".to_owned(), 9)].into();
    let work = costs.total.work.evaluate(&at).ok().map(|value| value.to_f64());
    let certainty = costs.certainty(&costs.total.work, costs.total.at_most.work);
    let distinct = &costs.distinct.total;
    (work, certainty.name(), costs.certainty(&distinct.bytes, distinct.excess).name())
}

#[test]
fn a_branch_of_data_without_else_may_not_run() {
    let only = |condition| choice(&[(Some(condition), region("b", &[state("x", "N")], &[]))]);
    assert_eq!(
        work_and_certainty(&program(&[only("A[0] > 0")], &[])),
        (Some(7.0), "at most", "at most")
    );
    assert_eq!(work_and_certainty(&program(&[only("N > 3")], &[])).1, "exact");
    let both = choice(&[
        (Some("A[0] > 0"), region("b", &[state("x", "N")], &[])),
        (None, region("c", &[state("y", "N")], &[])),
    ]);
    assert_eq!(work_and_certainty(&program(&[both], &[])).1, "exact");
    let in_loop = loop_of(&[only("A[0] > 0")], &[]);
    assert_eq!(work_and_certainty(&program(&[in_loop], &[])), (Some(49.0), "at most", "at most"));
}

#[test]
fn a_program_may_end_where_no_condition_holds() {
    let states = [state("a", "N"), state("b", "N")];
    let by = |condition| work_and_certainty(&program(&states, &[edge(0, 1, condition, &[])])).1;
    assert_eq!([by("A[0] > 3"), by("N > 3"), by("1")], ["at most", "exact", "exact"]);
    // A return by data keeps what is behind it from running, of distinct bytes too.
    let returns = choice(&[(
        Some("A[0] > 0"),
        region("r", &[json!({"type": "ReturnBlock", "label": "r"})], &[]),
    )]);
    let behind = program(&[returns, state("x", "N")], &[edge(0, 1, "1", &[])]);
    assert_eq!(work_and_certainty(&behind), (Some(7.0), "at most", "at most"));
}

/// `while i < N`, with a body of two states, and what is set between them and behind.
fn guard(between: &[(&str, &str)], back: &[(&str, &str)], second: &str) -> Program {
    let states = [state("g", "1"), state("a", "i"), state("b", second), state("end", "1")];
    let edges = [
        edge(0, 1, "i < N", &[]),
        edge(1, 2, "1", between),
        edge(2, 0, "1", back),
        edge(0, 3, "not (i < N)", &[]),
    ];
    let mut states = states.to_vec();
    states.insert(0, state("first", "1"));
    let moved = |edge: &Json| {
        let mut edge = edge.clone();
        for end in ["src", "dst"] {
            let place: u32 = edge[end].as_str().unwrap().parse().unwrap();
            edge[end] = json!((place + 1).to_string());
        }
        edge
    };
    let mut all: Vec<Json> = edges.iter().map(moved).collect();
    all.push(edge(0, 1, "1", &[("i", "0")]));
    program(&states, &all)
}

#[test]
fn loops_between_blocks_are_known_by_what_changes_in_them() {
    // First, the guard eight times, the end; 0 to 6, and seven twice.
    let plain = guard(&[], &[("i", "i + 1")], "2");
    assert_eq!(work_and_certainty(&plain).0, Some(1.0 + 8.0 + 1.0 + 21.0 + 14.0));
    assert_eq!(work_and_certainty(&plain).1, "exact");
    // Behind an increment in the middle nothing that depends on it is told.
    assert_eq!(work_and_certainty(&guard(&[("i", "i + 1")], &[], "2")).0, Some(45.0));
    assert_eq!(work_and_certainty(&guard(&[("i", "i + 1")], &[], "i")).1, "unknown");
    // The bound changes inside.
    assert_eq!(work_and_certainty(&guard(&[("N", "N - 1")], &[("i", "i + 1")], "2")).1, "unknown");
}

#[test]
fn loops_whose_body_changes_their_header_are_unknown() {
    let body = |set: &[(&str, &str)]| {
        let states = [state("a", "N"), state("b", "1")];
        work_and_certainty(&program(&[loop_of(&states, &[edge(0, 1, "1", set)])], &[])).1
    };
    assert_eq!([body(&[]), body(&[("q", "3")])], ["exact", "exact"]);
    assert_eq!([body(&[("i", "i + 1")]), body(&[("N", "N - 1")])], ["unknown", "unknown"]);
}

#[test]
fn symbols_have_their_value_only_behind_where_it_is_set() {
    let set = |first: &str, set: (&str, &str)| {
        let states = [state("a", first), state("b", "K")];
        work_and_certainty(&program(&states, &[edge(0, 1, "1", &[set])]))
    };
    assert_eq!(set("N", ("K", "5")), (Some(12.0), "exact", "exact"));
    // Before it is 9, or whatever it is given.
    assert_eq!(set("K", ("K", "5")).1, "unknown");
    let states = [state("a", "1"), state("yes", "1"), state("join", "K")];
    let skips =
        [edge(0, 1, "N > 3", &[("K", "2")]), edge(0, 2, "not (N > 3)", &[]), edge(1, 2, "1", &[])];
    assert_eq!(work_and_certainty(&program(&states, &skips)).1, "unknown");
}

/// Each condition excludes those before: the whole does not double with each of them.
#[test]
fn long_chains_of_branches_stay_small() {
    let conditions: Vec<String> = (0..30).map(|number| format!("N == {number}")).collect();
    let mut branches: Vec<(Option<&str>, Json)> = conditions
        .iter()
        .enumerate()
        .map(|(number, condition)| {
            let inside = state("x", &(number + 1).to_string());
            (Some(&**condition), region("b", &[inside], &[]))
        })
        .collect();
    branches.push((None, region("else", &[state("x", "1000")], &[])));
    assert_eq!(work_and_certainty(&program(&[choice(&branches)], &[])).0, Some(8.0));
    // State k leads to the next one or skips it.
    let states: Vec<Json> = (0..40).map(|number| state(&format!("s{number}"), "1")).collect();
    let mut edges = vec![];
    for number in 0..38 {
        let condition = format!("N > {number}");
        edges.push(edge(number, number + 1, &condition, &[]));
        edges.push(edge(number, number + 2, &format!("not ({condition})"), &[]));
    }
    edges.push(edge(38, 39, "1", &[]));
    let (work, certainty, _) = work_and_certainty(&program(&states, &edges));
    assert!(work.unwrap() <= 40.0 && certainty == "at most", "{work:?} {certainty}");
}

#[test]
fn a_peak_is_known_if_all_that_may_be_more_is() {
    let peak = |second: &str, data: bool| {
        let array = |size: &str, transient: bool| {
            json!({"type": "Array", "attributes": {"dtype": "float64", "shape": [size],
                "transient": transient}})
        };
        let access = |label: &str, names: &[&str]| {
            let nodes: Vec<Json> = names
                .iter()
                .map(|name| json!({"type": "AccessNode", "attributes": {"data": name}}))
                .collect();
            json!({"type": "SDFGState", "label": label, "nodes": nodes, "edges": []})
        };
        let condition = if data { "A[0] > 0" } else { "N > 3" };
        let graph = json!({"type": "SDFG", "attributes": {"name": "g", "_arrays": {
            "A": array("N", false), "s": array("N", true), "l": array(second, true)}},
            "nodes": [access("a", &["A", "s"]), access("b", &["l"])],
            "edges": [edge(0, 1, condition, &[])], "start_block": 0});
        let program = sdfg::read(graph.to_string().as_bytes(), &sdfg::Limits::default()).unwrap();
        let costs = Costs::new(&program, Rules::Exact);
        let memory = Memory::new(&program, &costs, &[("N".to_owned(), 7)].into());
        (memory.peak.map(|state| state.place()), memory.peak_certainty)
    };
    assert_eq!(peak("2*N", false), (Some(1), Certainty::Exact));
    assert!(matches!(peak("2*N", true), (Some(1), Certainty::AtMost(_))));
    assert_eq!(peak("N", true), (Some(0), Certainty::Exact));
    assert_eq!(peak("q", false), (Some(0), Certainty::Unknown));
}

/// Thousands of blocks, each with a decision, a value or a way out: it ends, and soon.
#[test]
fn wide_control_flow_ends() {
    const COUNT: usize = 2000;
    let empty = |number: usize| json!({"type": "SDFGState", "label": format!("s{number}"), "nodes": [], "edges": []});
    let states: Vec<Json> = (0..COUNT).map(empty).collect();
    let check = |blocks: &[Json], edges: &[Json]| {
        assert_eq!(work_and_certainty(&program(blocks, edges)).0, Some(0.0));
    };
    let last = COUNT - 1;
    let exits = (0..last - 1).flat_map(|number| {
        let condition = format!("A[{number}] > 0");
        let other = format!("not ({condition})");
        [edge(number, number + 1, &condition, &[]), edge(number, last, &other, &[])]
    });
    check(&states, &exits.collect::<Vec<Json>>());
    let values = (0..last).map(|number| {
        let (name, value) = (format!("v{number}"), format!("N + {number}"));
        edge(number, number + 1, "1", &[(&name, &value)])
    });
    check(&states, &values.collect::<Vec<Json>>());
    let mut steps: Vec<Json> = (1..last - 1)
        .map(|number| {
            let name = format!("v{number}");
            edge(number, number + 1, "1", &[(&name, &format!("{name} + 1"))])
        })
        .collect();
    steps.push(edge(0, 1, "1", &[("i", "0")]));
    steps.push(edge(last - 1, 1, "i < N", &[("i", "i + 1")]));
    steps.push(edge(last - 1, last, "not (i < N)", &[]));
    check(&states, &steps);
    let mut returns = states.clone();
    returns[1] = json!({"type": "ReturnBlock", "label": "r"});
    let mut ways: Vec<Json> = (2..last).map(|number| edge(number, number + 1, "1", &[])).collect();
    ways.extend([edge(0, 1, "A[0] > 0", &[]), edge(0, 2, "not (A[0] > 0)", &[])]);
    check(&returns, &ways);
    let conditions: Vec<String> = (0..COUNT).map(|number| format!("N == {number}")).collect();
    let branches: Vec<(Option<&str>, Json)> = conditions
        .iter()
        .enumerate()
        .map(|(number, condition)| (Some(&**condition), region("b", &[empty(number)], &[])))
        .collect();
    check(&[choice(&branches)], &[]);
}

/// `while i < N` as a region, with what moves `i`, and a block behind that.
fn while_region(moves: &str, behind: Json) -> Program {
    let condition = json!({"string_data": "i < N", "language": "Python"});
    let body = json!({"type": "LoopRegion", "label": "w", "start_block": 0,
        "attributes": {"loop_condition": condition}, "nodes": [state("x", "i"), behind],
        "edges": [edge(0, 1, "1", &[("i", moves)])]});
    program(&[state("a", "0"), body], &[edge(0, 1, "1", &[("i", "1")])])
}

#[test]
fn a_while_loop_runs_as_often_as_its_body_lets_it() {
    let empty = || json!({"type": "SDFGState", "label": "e", "nodes": [], "edges": []});
    // 1, 3 and 5.
    assert_eq!(work_and_certainty(&while_region("i + 2", empty())), (Some(9.0), "exact", "exact"));
    // What is behind the increment depends on it.
    assert_eq!(work_and_certainty(&while_region("i + 2", state("y", "i"))).1, "unknown");
    // Elements that a loop names in no way that is understood may be all.
    let doubling = while_region("2*i", empty());
    assert_eq!(
        (work_and_certainty(&doubling).1, work_and_certainty(&doubling).2),
        ("unknown", "at most")
    );
    let most = Costs::new(&doubling, Rules::Exact).distinct.total.bytes;
    assert_eq!(most.to_string(), "144000");
    let leaves = json!({"type": "BreakBlock", "label": "b"});
    assert_eq!(work_and_certainty(&while_region("i + 2", leaves)).1, "unknown");
}

#[test]
fn conditions_on_sizes_decide_sizes() {
    // K - N is 2, N is 7.
    let sets = |value: &str| {
        let blocks = [state("x", "0"), state("y", "0")];
        region("b", &blocks, &[edge(0, 1, "1", &[("k", value)])])
    };
    let decided = |condition: &str| {
        let both = choice(&[(Some(condition), sets("K - N")), (None, sets("N"))]);
        work_and_certainty(&program(&[both, state("z", "k")], &[edge(0, 1, "1", &[])]))
    };
    assert_eq!(decided("N < K"), (Some(2.0), "exact", "at most"));
    assert_eq!(decided("K < N"), (Some(7.0), "exact", "at most"));
    assert_eq!(decided("A[0] < N").1, "unknown");
    // One after the other: it is another one at each place.
    let states = [state("a", "0"), state("b", "k"), state("c", "k")];
    let after = [edge(0, 1, "1", &[("k", "N")]), edge(1, 2, "1", &[("k", "k + 1")])];
    let costs = Costs::new(&program(&states, &after), Rules::Exact);
    assert_eq!(costs.certainty(&costs.total.work, None), Certainty::Unknown);
    assert!(costs.unknowns["k"].why.contains("changes as the program runs"));
    // In both branches the same.
    let both = choice(&[(Some("N < K"), sets("N")), (None, sets("N"))]);
    let same = program(&[both, state("z", "k")], &[edge(0, 1, "1", &[])]);
    assert_eq!(work_and_certainty(&same), (Some(7.0), "exact", "exact"));
}

#[test]
fn nothing_moves_of_a_part_without_indices() {
    let span = |last: &str| json!({"start": "1", "end": last, "step": "1", "tile": "1"});
    let subset = json!({"type": "Range", "ranges": [span("N - 2"), span("K - 2")]});
    let copy = json!({"type": "SDFGState", "label": "c", "nodes": [
        {"type": "AccessNode", "attributes": {"data": "A"}},
        {"type": "AccessNode", "attributes": {"data": "B"}},
    ], "edges": [{"src": "0", "dst": "1", "src_connector": null, "dst_connector": null,
        "attributes": {"data": {"type": "Memlet", "attributes": {"data": "A", "subset": subset,
        "volume": "(K - 2)*(N - 2)"}}}}]});
    let costs = Costs::new(&program(&[copy], &[]), Rules::Exact);
    assert_eq!(costs.total.moved.to_string(), "8*Max(0, K - 2)*Max(0, N - 2)");
    for (n, k, bytes) in [(1, 9, 0), (1, 1, 0), (9, 1, 0), (4, 5, 48)] {
        let at: Bindings = [("N".to_owned(), n), ("K".to_owned(), k)].into();
        let moved = costs.total.moved.evaluate(&at).unwrap().to_integer();
        assert_eq!(moved, Some(bytes), "{n} {k}");
    }
}

/// A loop over `i` with this header and body.
fn header(init: &str, condition: &str, update: &str, blocks: &[Json], edges: &[Json]) -> Json {
    let code = |text: &str| json!({"string_data": text, "language": "Python"});
    json!({"type": "LoopRegion", "label": "l", "nodes": blocks, "edges": edges, "start_block": 0,
        "attributes": {"loop_variable": "i", "init_statement": code(init),
        "loop_condition": code(condition), "update_statement": code(update)}})
}

/// `while CONDITION` with a body.
fn while_loop(condition: &str, blocks: &[Json], edges: &[Json]) -> Json {
    json!({"type": "LoopRegion", "label": "w", "start_block": 0,
        "attributes": {"loop_condition": {"string_data": condition, "language": "Python"}},
        "nodes": blocks, "edges": edges})
}

fn empty(label: &str) -> Json {
    json!({"type": "SDFGState", "label": label, "nodes": [], "edges": []})
}

#[test]
fn loops_by_factors_and_with_several_conditions_are_known() {
    // N = 7 and K = 9, five operations in each iteration.
    for (init, condition, update, iterations) in [
        ("i = 1", "i < N", "i = i * 2", 3.0),
        ("i = 1", "i <= N", "i *= 3", 2.0),
        ("i = 7", "i < N", "i *= 2", 0.0),
        ("i = 2", "i < 4*N", "i = 2*i", 4.0),
        ("i = N", "i > 0", "i = i // 2", 3.0),
        ("i = K", "i >= 2", "i //= 3", 2.0),
        ("i = 0", "i < N and i < K", "i = i + 1", 7.0),
        ("i = 0", "i < N + 3 and i <= K - 5", "i = i + 2", 3.0),
        ("i = K", "i > 2 and i > N - 2", "i = i - 1", 4.0),
    ] {
        let loops = header(init, condition, update, &[state("x", "5")], &[]);
        let (work, certainty, _) = work_and_certainty(&program(&[loops], &[]));
        assert_eq!(
            (work, certainty),
            (Some(5.0 * iterations), "exact"),
            "{init} {condition} {update}"
        );
    }
    // What depends on the variable has no sum, and where a loop ends that never does, none is told.
    for (init, condition, update, end) in [
        ("i = 1", "i < N", "i = i * 2", "i"),
        ("i = K", "i < N", "i = i * 2", "5"),
        ("i = N", "i >= 0", "i = i // 2", "5"),
        ("i = 1", "i > 0", "i = i * 2", "5"),
        ("i = 0", "i < N and i != K", "i = i + 1", "5"),
        ("i = 0", "i < N and A[i] > 0", "i = i + 1", "5"),
    ] {
        let loops = header(init, condition, update, &[state("x", end)], &[]);
        assert_eq!(
            work_and_certainty(&program(&[loops], &[])).1,
            "unknown",
            "{init} {condition} {update}"
        );
    }
}

#[test]
fn while_loops_in_while_loops_are_known() {
    for (condition, work) in [("j < K", 63.0), ("j < i", 21.0), ("j < i and j < 3", 15.0)] {
        let ahead = [edge(0, 1, "1", &[("j", "j + 1")])];
        let inner = while_loop(condition, &[state("x", "1"), empty("e")], &ahead);
        let blocks = [empty("a"), inner, empty("b"), empty("c")];
        let edges = [
            edge(0, 1, "1", &[("j", "0")]),
            edge(1, 2, "1", &[]),
            edge(2, 3, "1", &[("i", "i + 1")]),
        ];
        let outer = while_loop("i < N", &blocks, &edges);
        let program = program(&[empty("s"), outer], &[edge(0, 1, "1", &[("i", "0")])]);
        assert_eq!(
            (work_and_certainty(&program).0, work_and_certainty(&program).1),
            (Some(work), "exact"),
            "{condition}"
        );
    }
}

/// `q = 0`, a loop that moves it by a step, and what is behind.
fn moving(inside: &str, step: &str, behind: &str) -> Program {
    let body = [state("x", inside), empty("e")];
    let loops = header("i = 0", "i < N", "i = i + 1", &body, &[edge(0, 1, "1", &[("q", step)])]);
    let edges = [edge(0, 1, "1", &[("q", "0")]), edge(1, 2, "1", &[])];
    program(&[empty("s"), loops, state("y", behind)], &edges)
}

#[test]
fn symbols_that_loops_move_are_known() {
    assert_eq!(
        work_and_certainty(&moving("1", "q + K", "q")),
        (Some(7.0 + 63.0), "exact", "exact")
    );
    assert_eq!(work_and_certainty(&moving("q", "q + K", "1")).0, Some(9.0 * 21.0 + 1.0));
    assert_eq!(work_and_certainty(&moving("q", "q + K", "1")).1, "exact");
    // One value for two places, steps that change, and steps by factors are not told.
    for (inside, step, behind) in [("q", "q + K", "q"), ("q", "q + i", "1"), ("q", "2*q", "1")] {
        assert_eq!(
            work_and_certainty(&moving(inside, step, behind)).1,
            "unknown",
            "{inside} {step} {behind}"
        );
    }
}
