//! Costs as numbers, all at once.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sdfg::cost::{Cost, CostPlan, CostValues, Costs, NodeValues, Rules, SymbolKind};
use sdfg::expr::{Bindings, Expr, Value};
use sdfg::model::{BlockIndex, BlockKind, NodeIndex, NodeKind, Program, RegionIndex, StateIndex};
use sdfg::{Limits, read};

use crate::graphs;

/// Graphs of `testdata` with every kind of element, small enough for many settings.
const OURS: &[&str] = &[
    "dace-1.0.2/glance.expanded",
    "dace-1.0.2/heat",
    "dace-1.0.2/phases",
    "dace-1.0.2/leave",
    "dace-1.0.2/funnel",
    "dace-1.0.2/fade.tiled",
    "dace-1.0.2/product.expanded",
    "dace-1.0.2/nest",
    "dace-2.0.0b1/heat.gpu",
    "dace-2.0.0b1/tally",
    "dace-2.0.0b1/heat.raw",
    "dace-2.0.0b1/lens",
    "dace-2.0.0b1/climb",
];

/// The same of the corpus.
const CORPUS: &[&str] = &[
    "dace-1.0.2/encoder.expanded",
    "dace-1.0.2/hdiff_numpy",
    "dace-1.0.2/many_states_200",
    "dace-1.0.2/regions",
    "dace-1.0.2/stream_consume",
    "dace-1.0.2/tiled_scale",
    "dace-1.0.2/gemm_lib.expanded",
    "dace-2.0.0b1/encoder.gpu",
    "dace-2.0.0b1/histogram",
    "dace-2.0.0b1/jacobi2d.raw",
    "dace-2.0.0b1/views",
    "dace-0.14.4/conv3d",
];

fn same(expr: Option<&Expr>, at: &Bindings, told: f64) -> bool {
    let value = expr.and_then(|expr| expr.evaluate(at).ok()).map_or(f64::NAN, Value::to_f64);
    value == told || value.is_nan() && told.is_nan()
}

fn same_cost(cost: &Cost, at: &Bindings, told: NodeValues) -> bool {
    same(Some(&cost.work), at, told.work)
        && same(Some(&cost.depth), at, told.depth)
        && same(Some(&cost.moved), at, told.moved)
}

#[track_caller]
fn check(program: &Program, costs: &Costs, at: &Bindings, told: &CostValues) {
    assert!(same_cost(&costs.total, at, told.total));
    for (region, cost) in costs.regions.iter().enumerate() {
        assert!(
            same_cost(cost, at, told.regions[region]),
            "{} {} {} {:?} at {at:?}",
            cost.work,
            cost.depth,
            cost.moved,
            told.regions[region]
        );
        assert!(same(costs.times.regions[region].as_ref(), at, told.region_times[region]));
    }
    for (graph, sizes) in costs.allocated.iter().enumerate() {
        for (size, &told) in sizes.iter().zip(&told.containers[graph]) {
            assert!(same(Some(size), at, told));
        }
    }
    for (place, state) in program.states.iter().enumerate() {
        let index = StateIndex(place as u32);
        assert!(same_cost(&costs.states[place], at, told.states[place]));
        assert!(same(costs.times.states[place].as_ref(), at, told.state_times[place]));
        for node in 0..state.nodes.len() {
            assert!(same_cost(&costs.nodes[place][node], at, told.nodes[place][node]));
            let times = costs.times.of_node(program, index, NodeIndex(node as u32));
            assert!(same(times, at, told.node_times[place][node]));
        }
        for (edge, movement) in costs.edges[place].iter().enumerate() {
            let values = told.edges[place][edge];
            assert!(same(movement.as_ref().map(|one| &one.elements), at, values.elements));
            assert!(same(movement.as_ref().map(|one| &one.bytes), at, values.bytes));
            let inside = state.scope_behind(state.edges[edge].source);
            assert!(same(costs.times.inside(index, inside), at, told.edge_times[place][edge]));
        }
    }
}

#[test]
fn values_are_those_of_the_expressions() {
    for (name, program) in graphs::all(OURS, CORPUS) {
        let costs = Costs::new(&program, Rules::Exact);
        let plan = CostPlan::new(&program, &costs);
        let names: Vec<String> =
            plan.free_symbols().iter().map(|one| one.name.to_string()).collect();
        let value = prop_oneof![-3i128..100, 0..1i128 << 20, 0..1i128 << 62];
        let settings =
            proptest::collection::vec(proptest::option::weighted(0.95, value), names.len());
        let mut runner = TestRunner::new(Config { cases: 16, ..Config::default() });
        let outcome = runner.run(&settings, |settings| {
            let set = names.iter().cloned().zip(settings);
            let at: Bindings = set.filter_map(|(name, value)| Some((name, value?))).collect();
            check(&program, &costs, &at, &plan.values(&at));
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Where nothing branches, what runs adds up to the whole.
#[test]
fn what_runs_adds_up() {
    let ours = [
        "dace-1.0.2/glance.expanded",
        "dace-1.0.2/glance.mapfusion",
        "dace-1.0.2/heat.autoopt",
        "dace-1.0.2/nest",
        "dace-1.0.2/fade.tiled",
        "dace-1.0.2/heat",
        "dace-2.0.0b1/heat",
        "dace-2.0.0b1/comb",
    ];
    let corpus = [
        "dace-1.0.2/encoder.expanded",
        "dace-1.0.2/encoder.mapfusion",
        "dace-1.0.2/hdiff_numpy.autoopt",
        "dace-1.0.2/deep_nest_6",
        "dace-1.0.2/many_states_200",
        "dace-1.0.2/conv3d",
        "dace-0.14.4/jacobi2d",
        "dace-2.0.0b1/jacobi2d",
        "dace-2.0.0b1/strided_maps",
    ];
    for (name, program) in graphs::all(&ours, &corpus) {
        let costs = Costs::new(&program, Rules::Exact);
        let plan = CostPlan::new(&program, &costs);
        let symbols = plan.free_symbols().iter().filter(|one| one.kind != SymbolKind::Inside);
        let at: Bindings = symbols.map(|one| (one.name.to_string(), 12)).collect();
        let values = plan.values(&at);
        let (mut work, mut moved) = (0.0, 0.0);
        for (place, state) in program.states.iter().enumerate() {
            for (node, one) in state.nodes.iter().enumerate() {
                let has_own = matches!(one.kind, NodeKind::Tasklet(_) | NodeKind::Library(_));
                if has_own && values.nodes[place][node].work != 0.0 {
                    work += values.nodes[place][node].work * values.node_times[place][node];
                }
            }
            let graph = program.region(state.region).graph;
            if program.graph(graph).holder.is_none() {
                moved += values.states[place].moved * values.state_times[place];
            }
        }
        assert_eq!(work, values.total.work, "{name}");
        assert_eq!(moved, values.total.moved, "{name}");
    }
}

#[test]
fn iterations_that_differ_are_summed() {
    let inner = r#"{"type":"SDFGState","label":"s","nodes":[
        {"type":"MapEntry","attributes":{"params":["i","j"],"range":{"type":"Range","ranges":[
            {"start":"0","end":"k","step":"1","tile":"1"},
            {"start":"0","end":"i","step":"1","tile":"1"}]}}},
        {"type":"Tasklet","label":"t","attributes":{"code":{"string_data":"b = a + 1",
            "language":"Python"}}},
        {"type":"MapExit","attributes":{}}],
        "edges":[{"src":"0","dst":"1","attributes":{"data":{"type":"Memlet","attributes":{}}}},
        {"src":"1","dst":"2","attributes":{"data":{"type":"Memlet","attributes":{}}}}]}"#;
    let text = format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g"}},"edges":[],"nodes":[
        {{"type":"LoopRegion","label":"l","attributes":{{"loop_variable":"k",
        "init_statement":"k = 0","loop_condition":"k < N","update_statement":"k = k + 1"}},
        "nodes":[{inner}],"edges":[]}}]}}"#
    );
    let program = read(text.as_bytes(), &Limits::default()).expect("a graph");
    let costs = Costs::new(&program, Rules::Exact);
    let plan = CostPlan::new(&program, &costs);
    let kinds: Vec<(&str, SymbolKind)> =
        plan.free_symbols().iter().map(|one| (&*one.name, one.kind)).collect();
    assert_eq!(kinds, [("N", SymbolKind::Given), ("k", SymbolKind::Inside)]);
    let values = plan.values(&Bindings::from([("N".to_owned(), 10)]));
    let tetrahedral: usize = (0..10).map(|k| (0..=k).map(|i| i + 1).sum::<usize>()).sum();
    assert_eq!(values.state_times, [10.0]);
    assert_eq!(values.node_times, [[10.0, tetrahedral as f64, 10.0]]);
    assert_eq!(values.edge_times, [[tetrahedral as f64; 2]]);
    assert_eq!(values.total.work, tetrahedral as f64);
    assert!(values.states[0].work.is_nan(), "one run of the state depends on k");
    let state = StateIndex(0);
    assert_eq!(values.state_in_all(state).work, tetrahedral as f64);
    assert_eq!(values.node_in_all(state, NodeIndex(0)).work, tetrahedral as f64);
    assert_eq!(values.node_in_all(state, NodeIndex(1)).work, tetrahedral as f64);
    let told = costs.state_in_all(state).expect("a sum").work;
    assert!(same(Some(&told), &Bindings::from([("N".to_owned(), 10)]), tetrahedral as f64));
    assert!(values.edges[0][0].bytes.is_nan(), "an edge that orders moves nothing");
}

fn at_seven() -> Bindings {
    Bindings::from([("N".to_owned(), 7)])
}

#[test]
fn branches_are_reached_as_often_as_the_condition() {
    let ours = ["dace-2.0.0b1/leave", "dace-2.0.0b1/choose"];
    for (name, program) in graphs::all(&ours, &["dace-2.0.0b1/regions"]) {
        let costs = Costs::new(&program, Rules::Exact);
        let values = CostPlan::new(&program, &costs).values(&at_seven());
        let mut branches = 0;
        for (place, region) in program.regions.iter().enumerate() {
            for (at, block) in region.blocks.iter().enumerate() {
                let BlockKind::Conditional { branches: all, .. } = &block.kind else { continue };
                let times: Vec<f64> =
                    all.iter().map(|(_, one)| values.region_times[one.place()]).collect();
                let index = RegionIndex(place as u32);
                let asked = &costs.differing.conditionals[&(index, BlockIndex(at as u32))].times;
                let asked = asked.as_ref().unwrap().evaluate(&at_seven()).unwrap().to_f64();
                let has_else = all.iter().any(|(condition, _)| condition.is_none());
                let sum: f64 = times.iter().sum();
                let is_known = costs.times.regions_are_certain[all[0].1.place()];
                let is_right = match (is_known, has_else) {
                    (true, true) => sum == asked,
                    (true, false) => sum <= asked,
                    // Data decides, or may leave before: each at most as often as it is asked.
                    (false, _) => times.iter().all(|one| *one <= asked),
                };
                assert!(is_right, "{name}: {times:?} of {asked}, known: {is_known}");
                branches += times.len();
            }
        }
        assert!(branches > 1, "{name}");
    }
}
