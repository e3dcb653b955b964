//! Memory that is alive, and its peak.

use std::collections::{BTreeMap, BTreeSet};

use sdfg::cost::{Certainty, Costs, Excess, Rules};
use sdfg::expr::Bindings;
use sdfg::memory::{Memory, Residence};
use sdfg::model::{Lifetime, NodeKind, Program, StateIndex};
use serde_json::{Value as Json, json};

use crate::graphs;

fn sizes() -> Bindings {
    let names = ["N", "T", "W", "B", "H", "S", "P", "E", "F", "D", "C", "I", "J", "K", "M"];
    names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), 3 + at as i128)).collect()
}

fn memory(program: &Program) -> Memory {
    Memory::new(program, &Costs::new(program, Rules::Exact), &sizes())
}

/// The blocks that the outermost graph runs, one after the other; nothing where it has regions or
/// where data decides.
fn trace(program: &Program) -> Option<Vec<StateIndex>> {
    let region = program.region(program.root()?.region);
    let (mut at, mut block, mut trace) = (sizes(), region.start, vec![]);
    while let Some(here) = block {
        let sdfg::model::BlockKind::State(state) = region.block(here).kind else { return None };
        trace.push(state);
        let mut taken = None;
        for edge in region.edges.iter().filter(|edge| edge.source == here) {
            let holds = match &edge.condition {
                Some(condition) => condition.evaluate(&at).ok()?.to_f64() != 0.0,
                None => true,
            };
            if holds {
                taken = Some(edge);
                break;
            }
        }
        for (name, value) in taken.iter().flat_map(|edge| &edge.assignments) {
            at.insert(name.to_string(), value.evaluate(&at).ok()?.to_integer()?);
        }
        block = taken.map(|edge| edge.target);
        if trace.len() > 20_000 {
            return None;
        }
    }
    Some(trace)
}

/// What each state of the outermost graph accesses, by the names of containers that are not views.
fn accessed(program: &Program) -> BTreeMap<StateIndex, BTreeSet<&str>> {
    let mut all = BTreeMap::new();
    for (place, state) in program.states.iter().enumerate() {
        let name = |node: sdfg::model::NodeIndex| match &state.nodes[node.place()].kind {
            NodeKind::Access { data } => Some(&**data),
            _ => None,
        };
        let names =
            (0..state.nodes.len() as u32).filter_map(|node| name(sdfg::model::NodeIndex(node)));
        all.insert(StateIndex(place as u32), names.collect());
    }
    all
}

/// In a run every container is alive from the first state that accesses it to the last one.
#[test]
fn what_is_alive_is_no_less_than_in_a_run() {
    let (mut compared, mut exact) = (0, 0);
    for (name, text) in graphs::texts() {
        let program = sdfg::read(&text[..], &sdfg::Limits::default()).unwrap();
        let Some(trace) = trace(&program) else { continue };
        let memory = memory(&program);
        let accessed = accessed(&program);
        let at = sizes();
        let mut alive = vec![0.0; trace.len()];
        let mut is_plain = trace.iter().collect::<BTreeSet<_>>().len() == trace.len();
        for one in &memory.containers[0] {
            let uses = |state: &StateIndex| accessed[state].contains(&*one.name);
            let (first, last) = (trace.iter().position(uses), trace.iter().rposition(uses));
            let Some(Ok(bytes)) = one.bytes.as_ref().map(|bytes| bytes.evaluate(&at)) else {
                continue;
            };
            let span = match (&one.residence, first, last) {
                (Residence::Given | Residence::Program | Residence::Graph, ..) => 0..trace.len(),
                (Residence::States(_), Some(first), Some(last)) => first..last + 1,
                _ => continue,
            };
            alive[span].iter_mut().for_each(|sum| *sum += bytes.to_f64());
        }
        // What conditions and views read is none of the accesses.
        is_plain &= !memory.containers[0].iter().any(|one| one.residence == Residence::Shared);
        is_plain &= program.graphs.len() == 1;
        for (state, alive) in trace.iter().zip(&alive) {
            let Some(told) = memory.alive[state.place()].value else { continue };
            assert!(told >= *alive, "{name}: {told} and not {alive}");
            if is_plain && memory.alive[state.place()].certainty == Certainty::Exact {
                assert_eq!(told, *alive, "{name}");
                exact += 1;
            }
            compared += 1;
        }
    }
    assert!(compared > 300 && exact > 20, "{compared} {exact}");
}

/// A container: type, elements, lifetime or storage.
fn container(kind: &str, elements: &str, more: &[(&str, &str)]) -> Json {
    let transient = kind != "argument" && kind != "Other";
    let class = if matches!(kind, "argument" | "transient") { "Array" } else { kind };
    let mut attributes = json!({"dtype": "float64", "shape": [elements], "transient": transient});
    for (key, value) in more {
        attributes[*key] = json!(value);
    }
    json!({"type": class, "attributes": attributes})
}

fn state(label: &str, accesses: &[&str]) -> Json {
    let node = |data: &&str| json!({"type": "AccessNode", "attributes": {"data": data}});
    let nodes: Vec<Json> = accesses.iter().map(node).collect();
    json!({"type": "SDFGState", "label": label, "nodes": nodes, "edges": []})
}

fn edge(from: usize, to: usize, condition: &str) -> Json {
    json!({"src": from.to_string(), "dst": to.to_string(), "attributes": {"data": {
        "type": "InterstateEdge", "attributes": {"assignments": {}, "condition": condition}}}})
}

fn graph(containers: &[(&str, Json)], blocks: &[Json], edges: &[Json]) -> Json {
    let containers: BTreeMap<&str, &Json> =
        containers.iter().map(|(name, one)| (*name, one)).collect();
    json!({"type": "SDFG", "attributes": {"name": "g", "_arrays": containers},
        "nodes": blocks, "edges": edges})
}

fn read(graph: &Json) -> Program {
    sdfg::read(graph.to_string().as_bytes(), &sdfg::Limits::default()).unwrap()
}

/// Bytes of each state, `*` where they are the most, with the peak's label.
#[track_caller]
fn check(graph: &Json, alive: &[&str], peak: &str) {
    let program = read(graph);
    let memory = memory(&program);
    let told: Vec<String> = memory
        .alive
        .iter()
        .map(|one| {
            let mark = match one.certainty {
                Certainty::Exact => "",
                Certainty::AtMost(Excess::Branches) => " at most",
                _ => " unknown",
            };
            format!("{}{mark}", one.bytes)
        })
        .collect();
    assert_eq!(told, alive);
    assert_eq!(&*program.state(memory.peak.unwrap()).label, peak);
}

/// `A` is given, `s` is as long, `l` is longer.
fn three() -> Vec<(&'static str, Json)> {
    let transient = |elements| container("transient", elements, &[]);
    vec![("A", container("argument", "N", &[])), ("s", transient("N")), ("l", transient("N + 1"))]
}

#[test]
fn transients_live_from_the_first_use_to_the_last() {
    let states = [
        state("a", &["A"]),
        state("b", &["A", "s"]),
        state("c", &[]),
        state("d", &["s", "l"]),
        state("e", &["l"]),
    ];
    let edges: Vec<Json> = (1..5).map(|to| edge(to - 1, to, "1")).collect();
    let chain = graph(&three(), &states, &edges);
    check(&chain, &["8*N", "16*N", "16*N", "8*(3*N + 1)", "8*(2*N + 1)"], "d");
    let program = read(&chain);
    let of = |name: &str| {
        let all = memory(&program).containers.remove(0);
        all.into_iter().find(|one| &*one.name == name).unwrap()
    };
    let states = |all: &[u32]| Residence::States(all.iter().map(|&one| StateIndex(one)).collect());
    assert_eq!(of("A").residence, Residence::Given);
    assert_eq!(of("s").residence, states(&[1, 2, 3]));
    assert_eq!(of("l").residence, states(&[3, 4]));
    // A condition uses it as well.
    let edges = [edge(0, 1, "1"), edge(1, 2, "1"), edge(2, 3, "1"), edge(3, 4, "l[0] > 0")];
    let blocks =
        [state("a", &["l"]), state("b", &[]), state("c", &[]), state("d", &[]), state("e", &[])];
    let (l, most) = ("8*(2*N + 1)", "8*(2*N + 1) at most");
    check(&graph(&three(), &blocks, &edges), &[l, most, most, most, "8*N"], "a");
}

#[test]
fn whole_loops_keep_what_they_use() {
    // first, guard, body, tail of the body, last
    let states = [
        state("first", &["A"]),
        state("guard", &[]),
        state("body", &["s"]),
        state("tail", &["l"]),
        state("last", &["A"]),
    ];
    let edges = [
        edge(0, 1, "1"),
        edge(1, 2, "(i < N)"),
        edge(2, 3, "1"),
        edge(3, 1, "1"),
        edge(1, 4, "(not (i < N))"),
    ];
    let all = "8*(3*N + 1)";
    // Nothing sets `i`: the body may never run.
    let most = format!("{all} at most");
    check(&graph(&three(), &states, &edges), &["8*N", &most, &most, &most, "8*N"], "guard");
    let body = json!({"type": "LoopRegion", "label": "l", "attributes": {"loop_variable": "i",
        "init_statement": "i = 0", "loop_condition": "i < N", "update_statement": "i = i + 1"},
        "nodes": [state("body", &["s"]), state("tail", &["l"])], "edges": [edge(0, 1, "1")]});
    let blocks = [state("first", &["A"]), body, state("last", &["s"])];
    let region = graph(&three(), &blocks, &[edge(0, 1, "1"), edge(1, 2, "1")]);
    let program = read(&region);
    let memory = memory(&program);
    let by_label = |label: &str| {
        let place = program.states.iter().position(|state| &*state.label == label).unwrap();
        memory.alive[place].bytes.to_string()
    };
    assert_eq!(["first", "body", "tail", "last"].map(by_label), ["8*N", all, all, "16*N"]);
    // For known sizes it is known that the loop has iterations.
    let certainty = |at: &Bindings| {
        let memory = Memory::new(&program, &Costs::new(&program, Rules::Exact), at);
        let tail = program.states.iter().position(|state| &*state.label == "tail").unwrap();
        memory.alive[tail].certainty
    };
    let most = Certainty::AtMost(Excess::Branches);
    assert_eq!([certainty(&sizes()), certainty(&Bindings::new())], [Certainty::Exact, most]);
    assert_eq!(certainty(&[("N".to_owned(), 0)].into()), most);
}

#[test]
fn sizes_below_zero_take_no_memory() {
    let transient = |elements| container("transient", elements, &[]);
    let containers = [("A", container("argument", "N", &[])), ("s", transient("N - 10"))];
    check(&graph(&containers, &[state("a", &["A", "s"])], &[]), &["8*(N + Max(0, N - 10))"], "a");
}

/// A view may be of one container here and of another one there.
#[test]
fn views_are_of_what_each_state_binds_them_to() {
    let transient = |elements| container("transient", elements, &[]);
    let containers =
        [("s", transient("N")), ("l", transient("M")), ("v", container("ArrayView", "N", &[]))];
    let binding = |label: &str, of: &str| {
        let mut one = state(label, &[of, "v"]);
        one["edges"] = json!([{"src": "0", "dst": "1", "dst_connector": "views", "attributes": {
            "data": {"type": "Memlet", "attributes": {"data": of, "volume": "N"}}}}]);
        one
    };
    let states = [state("a", &["s"]), binding("b", "s"), binding("c", "l"), state("d", &["l"])];
    let edges: Vec<Json> = (1..4).map(|to| edge(to - 1, to, "1")).collect();
    check(&graph(&containers, &states, &edges), &["8*N", "8*N", "8*M", "8*M"], "c");
}

#[test]
fn branches_that_exclude_each_other_are_at_most() {
    let states = [
        state("ask", &["A"]),
        state("yes", &["s", "l"]),
        state("no", &["s"]),
        state("join", &[]),
        state("last", &["l", "s"]),
    ];
    let edges = [
        edge(0, 1, "(N > 3)"),
        edge(0, 2, "(not (N > 3))"),
        edge(1, 3, "1"),
        edge(2, 3, "1"),
        edge(3, 4, "1"),
    ];
    let all = "8*(3*N + 1)";
    let most = format!("{all} at most");
    check(&graph(&three(), &states, &edges), &["8*N", all, "16*N", &most, all], "join");
}

#[test]
fn lifetimes_and_kinds_of_memory_differ() {
    let states = [state("a", &["p", "g", "e", "r", "q", "v", "s"]), state("b", &[])];
    let containers = [
        ("p", container("transient", "N", &[("lifetime", "Persistent")])),
        ("g", container("transient", "10*N", &[("lifetime", "SDFG")])),
        ("e", container("transient", "100*N", &[("lifetime", "External")])),
        ("s", container("transient", "1000*N", &[("lifetime", "State")])),
        ("r", container("transient", "9*N", &[("storage", "Register")])),
        ("q", container("Stream", "9*N", &[])),
        ("v", container("ArrayView", "9*N", &[])),
        ("unused", container("transient", "9*N", &[])),
    ];
    let text = graph(&containers, &states, &[edge(0, 1, "1")]);
    check(&text, &["8888*N", "888*N"], "a");
    let program = read(&text);
    let lifetime = |name: &str| program.graphs[0].containers[name].lifetime.clone();
    assert_eq!(
        [lifetime("p"), lifetime("g"), lifetime("q")],
        [Lifetime::Persistent, Lifetime::Graph, Lifetime::Scope]
    );
    let residences: Vec<Residence> =
        memory(&program).containers.remove(0).into_iter().map(|one| one.residence).collect();
    use Residence::{Given, Graph, Program, Shared, States, Uncounted};
    let own = States(vec![StateIndex(0)]);
    assert_eq!(
        residences,
        [Given, Graph, Program, Uncounted, Uncounted, own, States(vec![]), Shared]
    );
}

#[test]
fn views_keep_what_they_are_of() {
    let containers =
        [("s", container("transient", "N", &[])), ("v", container("ArrayView", "N", &[]))];
    let mut binding = state("b", &["s", "v"]);
    binding["edges"] = json!([{"src": "0", "dst": "1", "dst_connector": "views", "attributes": {"data":
        {"type": "Memlet", "attributes": {"data": "s", "volume": "N"}}}}]);
    let states = [state("a", &["s"]), binding, state("c", &["v"]), state("d", &[])];
    let edges: Vec<Json> = (1..4).map(|to| edge(to - 1, to, "1")).collect();
    check(&graph(&containers, &states, &edges), &["8*N", "8*N", "8*N", "0"], "a");
}

#[test]
fn inner_graphs_have_their_memory_while_they_run() {
    let containers =
        [("A", container("argument", "M", &[])), ("t", container("transient", "M", &[]))];
    let inner =
        graph(&containers, &[state("in", &["A", "t"]), state("out", &["A"])], &[edge(0, 1, "1")]);
    let nested = |scope: bool| {
        let mut one = state("s", &["A"]);
        let memlet = json!({"data": {"type": "Memlet", "attributes": {"data": "A", "volume": "N",
            "subset": {"type": "Range", "ranges": [{"start": "0", "end": "N - 1"}]}}}});
        let node = json!({"type": "NestedSDFG", "label": "n", "attributes": {"sdfg": inner,
            "symbol_mapping": {"M": "2*N"}}});
        let map = json!({"type": "MapEntry", "label": "m", "attributes": {"params": ["i"],
            "range": {"type": "Range", "ranges": [{"start": "0", "end": "3"}]}}});
        let nodes = one["nodes"].as_array_mut().unwrap();
        nodes.push(node);
        let edge = |src: &str, dst: &str, from: Option<&str>, to: &str| json!({"src": src, "dst": dst, "src_connector": from, "dst_connector": to, "attributes": memlet});
        if scope {
            nodes.push(map);
            nodes.push(json!({"type": "MapExit", "label": "m", "attributes": {}}));
            let order = json!({"src": "1", "dst": "3", "attributes": {"data": {"attributes": {}}}});
            one["edges"] =
                json!([edge("0", "2", None, "IN_A"), edge("2", "1", Some("OUT_A"), "A"), order]);
        } else {
            one["edges"] = json!([edge("0", "1", None, "A")]);
        }
        graph(&[("A", container("argument", "N", &[]))], &[one], &[])
    };
    check(&nested(false), &["8*N", "24*N", "8*N"], "in");
    let program = read(&nested(false));
    assert_eq!(memory(&program).alive[0].most, StateIndex(1));
    // In a scope each iteration has its own.
    let program = read(&nested(true));
    let memory = memory(&program);
    assert_eq!(memory.alive[0].bytes.to_string(), "8*N");
    assert_eq!(memory.alive[0].iteration.to_string(), "16*N");
    let inner: Vec<&Residence> = memory.containers[1].iter().map(|one| &one.residence).collect();
    assert_eq!(inner, [&Residence::Shared, &Residence::Iteration]);
}

#[test]
fn types_without_a_size_leave_it_unknown() {
    let mut odd = container("transient", "N", &[]);
    odd["attributes"]["dtype"] = json!("mystery");
    let text = graph(&[("t", odd)], &[state("a", &["t"]), state("b", &[])], &[edge(0, 1, "1")]);
    check(&text, &["0 unknown", "0"], "a");
}

#[test]
fn recorded_transients_are_persistent_where_dace_made_them_so() {
    for version in ["dace-1.0.2", "dace-2.0.0b1"] {
        let program = graphs::ours(&format!("{version}/glance.autoopt"));
        let memory = memory(&program);
        let mut seen = 0;
        for (graph, all) in program.graphs.iter().zip(&memory.containers) {
            for (container, one) in graph.containers.values().zip(all) {
                if container.lifetime == Lifetime::Persistent {
                    assert_eq!(one.residence, Residence::Program, "{}", one.name);
                    seen += 1;
                }
            }
        }
        assert!(seen > 0, "{version}");
        // One state, so that all of its transients are there at once.
        let plain = graphs::ours(&format!("{version}/glance"));
        let whole = self::memory(&plain);
        let peak = &whole.alive[whole.peak.unwrap().place()];
        assert_eq!(peak.certainty, Certainty::Exact);
        let sum = whole.containers[0].iter().filter(|one| one.residence != Residence::Shared);
        let sum = sdfg::expr::Expr::sum(sum.map(|one| one.bytes.clone().unwrap())).unwrap();
        assert_eq!(peak.bytes, sum);
    }
}
