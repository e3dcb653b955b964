//! Graphs before and after transformations.

use std::path::{Path, PathBuf};

use sdfg::compare::{Comparison, Matches, Sides};
use sdfg::cost::{Costs, Rules};
use sdfg::expr::{Bindings, Expr, Value};
use sdfg::model::Program;
use sdfg::{Limits, read};
use serde_json::Value as Json;

use crate::graphs;

/// Before and after, in `testdata`.
const OURS: &[(&str, &str)] = &[
    ("dace-1.0.2/heat", "dace-1.0.2/heat.mapfusion"),
    ("dace-1.0.2/heat.raw", "dace-1.0.2/heat"),
    ("dace-1.0.2/heat.raw", "dace-1.0.2/heat.autoopt"),
    ("dace-1.0.2/glance", "dace-1.0.2/glance.mapfusion"),
    ("dace-1.0.2/glance.expanded", "dace-1.0.2/glance.mapfusion"),
    ("dace-1.0.2/fade", "dace-1.0.2/fade.tiled"),
    ("dace-1.0.2/phases", "dace-1.0.2/phases.long"),
    ("dace-2.0.0b1/leave", "dace-2.0.0b1/heat.raw"),
    ("dace-1.0.2/loops", "dace-2.0.0b1/comb"),
];

/// The same in the corpus.
const CORPUS: &[(&str, &str)] = &[
    ("dace-1.0.2/encoder", "dace-1.0.2/encoder.mapfusion"),
    ("dace-1.0.2/encoder.expanded", "dace-1.0.2/encoder.mapfusion"),
    ("dace-1.0.2/hdiff_numpy", "dace-1.0.2/hdiff_numpy.mapfusion"),
    ("dace-1.0.2/hdiff_numpy.raw", "dace-1.0.2/hdiff_numpy"),
    ("dace-1.0.2/jacobi2d.raw", "dace-1.0.2/jacobi2d.autoopt"),
    ("dace-2.0.0b1/regions", "dace-2.0.0b1/jacobi2d.raw"),
    ("dace-1.0.2/many_states_200", "dace-1.0.2/many_states_600"),
    ("dace-0.14.4/hdiff_fused", "dace-2.0.0b1/hdiff_reordered"),
];

struct Graph {
    program: Program,
    costs: Costs,
}

impl Graph {
    fn new(program: Program) -> Graph {
        let costs = Costs::new(&program, Rules::Exact);
        Graph { program, costs }
    }

    fn open(folder: &Path, name: &str) -> Graph {
        Graph::new(graphs::open(folder, name))
    }

    fn against(&self, new: &Graph) -> Comparison {
        Comparison::new((&self.program, &self.costs), (&new.program, &new.costs))
    }
}

fn swapped<I: Copy + Ord>(matches: &Matches<I>) -> Matches<I> {
    let mut swapped = matches.clone();
    for one in &mut swapped.both {
        one.at = Sides { base: one.at.new, new: one.at.base };
    }
    swapped.both.sort_by_key(|one| one.at.base);
    std::mem::swap(&mut swapped.only_base, &mut swapped.only_new);
    swapped
}

fn is_all_the_same<I>(matches: &Matches<I>) -> bool {
    matches.only_base.is_empty()
        && matches.only_new.is_empty()
        && matches.both.iter().all(|one| !one.differs)
}

fn value(expr: &Expr, at: &Bindings) -> Option<i128> {
    expr.evaluate(at).ok().and_then(Value::to_integer)
}

fn at(symbols: &[(&str, i128)]) -> Bindings {
    symbols.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
}

/// The pairs, each with its folder.
fn pairs() -> impl Iterator<Item = (PathBuf, &'static str, &'static str)> {
    graphs::folders().into_iter().zip([OURS, CORPUS]).flat_map(|(folder, pairs)| {
        pairs.iter().map(move |(base, new)| (folder.clone(), *base, *new))
    })
}

#[test]
fn a_graph_is_as_itself() {
    for (folder, base, new) in pairs() {
        for name in [base, new] {
            let graph = Graph::open(&folder, name);
            let told = graph.against(&graph);
            assert!(is_all_the_same(&told.blocks), "{name}");
            assert!(is_all_the_same(&told.nodes), "{name}");
            assert!(is_all_the_same(&told.edges), "{name}");
            assert!(told.nodes.both.iter().all(|one| one.at.base == one.at.new), "{name}");
            assert_eq!(told.nodes.both.len(), graph.program.node_count(), "{name}");
            assert_eq!(told.total.base, told.total.new, "{name}");
            assert!(told.containers.values().all(|one| one.base == one.new), "{name}");
        }
    }
}

#[test]
fn swapped_graphs_have_swapped_matches() {
    for (folder, base, new) in pairs() {
        let (base_graph, new_graph) = (Graph::open(&folder, base), Graph::open(&folder, new));
        let told = base_graph.against(&new_graph);
        let back = new_graph.against(&base_graph);
        assert_eq!(swapped(&told.blocks), back.blocks, "{base} {new}");
        assert_eq!(swapped(&told.nodes), back.nodes, "{base} {new}");
        assert_eq!(swapped(&told.edges), back.edges, "{base} {new}");
        assert_eq!(told.total.base, back.total.new);
        let nodes = &told.nodes;
        assert_eq!(nodes.both.len() + nodes.only_base.len(), base_graph.program.node_count());
        assert_eq!(nodes.both.len() + nodes.only_new.len(), new_graph.program.node_count());
    }
}

/// What is moved before and after, which is all that containers lose and gain.
fn check_fusion(folder: &Path, [base, new]: [&str; 2], at: &Bindings) -> [Option<i128>; 2] {
    let told = Graph::open(folder, base).against(&Graph::open(folder, new));
    let moved = [&told.total.base, &told.total.new].map(|one| value(&one.moved, at));
    let sum = |side: fn(&Sides<Option<Expr>>) -> &Option<Expr>| {
        let bytes = told.containers.values().filter_map(|one| side(one).as_ref());
        bytes.map(|bytes| value(bytes, at)).sum::<Option<i128>>()
    };
    assert_eq!([sum(|one| &one.base), sum(|one| &one.new)], moved, "{base}");
    assert!(told.containers.values().any(|one| one.new.is_none()), "{base}: nothing is fused");
    assert!(!told.nodes.only_base.is_empty(), "{base}");
    assert!(told.nodes.both.len() * 2 > told.nodes.only_base.len(), "{base}");
    moved
}

#[test]
fn fusion_moves_less() {
    let folder = samples::testdata("sdfg");
    for version in ["dace-1.0.2", "dace-2.0.0b1"] {
        // What the edges outside of maps move, by DaCe's volumes.
        let truth = std::fs::read(folder.join(format!("truth/{version}.json"))).expect("the truth");
        let truth: Json = serde_json::from_slice(&truth).expect("JSON");
        {
            let (base, new) = ("heat", "heat.mapfusion");
            let told = [base, new].map(|case| &truth["cases"][case]);
            let symbols = told[0]["symbols"].as_object().expect("symbols").iter();
            let at: Bindings = symbols
                .map(|(name, value)| (name.clone(), value.as_i64().expect("a number").into()))
                .collect();
            let names = [base, new].map(|name| format!("{version}/{name}"));
            let moved = check_fusion(&folder, [&names[0], &names[1]], &at);
            let bytes = |case: &Json, name: &str| case[name].as_i64().map(i128::from);
            let expected =
                told.map(|one| Some(bytes(one, "outermost_bytes")? - bytes(one, "view_bytes")?));
            assert_eq!(moved, expected, "{version} {base}");
            assert!(moved[1] < moved[0], "{version} {base}");
        }
    }

    let Some(folder) = samples::corpus("sdfg") else { return };
    let encoder = at(&[("B", 8), ("H", 16), ("S", 512), ("P", 64), ("E", 1024), ("F", 4096)]);
    let hdiff = at(&[("I", 256), ("J", 256), ("K", 160)]);
    for (base, new, at, megabytes) in [
        // There, products are expanded into loops, which access each element again and again.
        ("dace-1.0.2/encoder", "dace-1.0.2/encoder.mapfusion", &encoder, [3541, 672_935]),
        ("dace-1.0.2/hdiff_numpy", "dace-1.0.2/hdiff_numpy.mapfusion", &hdiff, [4514, 2446]),
    ] {
        let moved = check_fusion(&folder, [base, new], at);
        let rounded = moved.map(|bytes| bytes.map(|bytes| (bytes + 500_000) / 1_000_000));
        assert_eq!(rounded, megabytes.map(Some), "{base}");
    }
}

fn chain(guids: [&str; 2], labels: [&str; 2], volume: &str) -> Graph {
    let node = |guid: &str, label: &str| {
        format!(
            r#"{{"type":"Tasklet","label":"{label}","attributes":{{"guid":"{guid}",
            "code":{{"string_data":"b = a","language":"Python"}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g","_arrays":{{"A":{{"type":"Array",
        "attributes":{{"dtype":"float64","shape":["N"]}}}}}}}},"edges":[],"nodes":[
        {{"type":"SDFGState","label":"s","nodes":[{},{}],"edges":[{{"src":"0","dst":"1",
        "attributes":{{"data":{{"type":"Memlet","attributes":{{"data":"A",
        "volume":"{volume}"}}}}}}}}]}}]}}"#,
        node(guids[0], labels[0]),
        node(guids[1], labels[1]),
    );
    Graph::new(read(text.as_bytes(), &Limits::default()).expect("a graph"))
}

#[test]
fn guids_come_before_labels() {
    let base = chain(["1", "2"], ["x", "y"], "N");
    let places = |new: &Graph| -> Vec<[u32; 2]> {
        let told = base.against(new);
        told.nodes.both.iter().map(|one| [one.at.base.1.0, one.at.new.1.0]).collect()
    };
    assert_eq!(places(&chain(["2", "1"], ["x", "y"], "N")), [[0, 1], [1, 0]]);
    assert_eq!(places(&chain(["3", "3"], ["y", "x"], "N")), [[0, 1], [1, 0]]);
    assert_eq!(places(&chain(["1", "1"], ["x", "z"], "N")), [[0, 0]]);
}

#[test]
fn edges_that_move_something_else_differ() {
    let base = chain(["1", "2"], ["x", "y"], "N");
    let differ = |new: &Graph| base.against(new).edges.both.iter().map(|one| one.differs).collect();
    let (same, other): (Vec<bool>, Vec<bool>) = (
        differ(&chain(["1", "2"], ["x", "y"], "N")),
        differ(&chain(["1", "2"], ["x", "y"], "2*N")),
    );
    assert_eq!((same, other), (vec![false], vec![true]));
}
