//! What is meant to take all memory, all time or the stack ends in an error or in an unknown.

use sdfg::compare::Comparison;
use sdfg::cost::{CostPlan, Costs, Rules};
use sdfg::expr::{Bindings, parse};
use sdfg::fusion::rank;
use sdfg::memory::Memory;
use sdfg::model::Program;
use sdfg::network::Network;
use sdfg::{Limits, ReadError, read};

/// All that is asked of a graph.
fn work_out(program: &Program) -> Costs {
    let costs = Costs::new(program, Rules::Exact);
    let plan = CostPlan::new(program, &costs);
    let symbols = plan.free_symbols().iter();
    let at: Bindings = symbols.map(|symbol| (symbol.name.to_string(), 3)).collect();
    plan.values(&at);
    Comparison::new((program, &costs), (program, &costs));
    rank(program, &costs, &at);
    Memory::new(program, &costs, &at);
    Network::new(program, &costs);
    costs
}

fn graph(nodes: &str, edges: &str) -> Result<Program, ReadError> {
    let text = format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g","_arrays":{{"A":{{"type":"Array",
        "attributes":{{"dtype":"float64","shape":["N"]}}}}}}}},"edges":[],
        "nodes":[{{"type":"SDFGState","label":"s","nodes":[{nodes}],"edges":[{edges}]}}]}}"#
    );
    read(text.as_bytes(), &Limits::default())
}

/// Two tasklets, and an edge with this volume.
fn with_volume(volume: &str) -> Result<Program, ReadError> {
    let tasklet = r#"{"type":"Tasklet","label":"t","attributes":{}}"#;
    let edge = format!(
        r#"{{"src":"0","dst":"1","attributes":{{"data":{{"type":"Memlet",
        "attributes":{{"data":"A","volume":"{volume}"}}}}}}}}"#
    );
    graph(&format!("{tasklet},{tasklet}"), &edge)
}

#[test]
fn huge_expressions_are_unknowns() {
    let ten_megabytes = "1+".repeat(5 << 20) + "1";
    let parentheses = "(".repeat(100_000) + "N" + &")".repeat(100_000);
    for text in [&ten_megabytes, &parentheses] {
        assert!(parse(text).is_err());
        let program = with_volume(text).expect("a graph");
        let unread = "an expression that cannot be read stays an unknown";
        assert_eq!(program.warnings.get(unread), Some(&1));
        assert!(!work_out(&program).total.moved.symbols().is_empty());
    }
}

#[test]
fn towers_of_powers_end() {
    let mut sums = "(a+b+c+d)".to_owned();
    let mut numbers = "N".to_owned();
    for _ in 0..12 {
        sums = format!("({sums}+e)**16");
        numbers = format!("9**({numbers})");
    }
    let products: Vec<String> = (0..2000).map(|i| format!("(a{i}+b{i}+c{i})**16")).collect();
    let quotients = "1/(1+".repeat(100) + "N" + &")".repeat(100);
    let long: Vec<String> = (0..60_000).map(|i| format!("x{i}*y{i}")).collect();
    for text in [
        sums,
        numbers,
        quotients,
        "9**9**9**9**9".to_owned(),
        "(N+1)**64*(M+1)**64*(K+1)**64".to_owned(),
        "(N**64)**64".to_owned(),
        products.join("*"),
        long.join("+"),
        format!("Max({})", long[..500].join(",")),
    ] {
        if let Ok(program) = with_volume(&text) {
            work_out(&program);
        }
    }
}

#[test]
fn missing_ends_are_errors() {
    let tasklet = r#"{"type":"Tasklet","label":"t","attributes":{}}"#;
    for (from, to) in
        [("0", "7"), ("-1", "0"), ("", "0"), ("0", "99999999999999999999"), ("x", "0")]
    {
        let edge = format!(r#"{{"src":"{from}","dst":"{to}","attributes":{{}}}}"#);
        let error = graph(tasklet, &edge).expect_err("an end is missing");
        assert!(matches!(error, ReadError::NoSuchNode { .. }), "{error}");
    }
}

fn nodes(kinds: &[&str]) -> String {
    let nodes = kinds.iter().map(|kind| {
        format!(
            r#"{{"type":"{kind}","label":"{kind}","attributes":{{"params":["i"],"range":{{"type":"Range",
            "ranges":[{{"start":"0","end":"N","step":"1","tile":"1"}}]}},"data":"A",
            "code":{{"string_data":"b = a + 1","language":"Python"}}}}}}"#
        )
    });
    nodes.collect::<Vec<_>>().join(",")
}

fn edges(ends: &[(usize, usize)]) -> String {
    let edges = ends.iter().map(|(from, to)| {
        format!(
            r#"{{"src":"{from}","dst":"{to}","attributes":{{"data":{{"type":"Memlet",
            "attributes":{{"data":"A","volume":"N"}}}}}}}}"#
        )
    });
    edges.collect::<Vec<_>>().join(",")
}

#[test]
fn scopes_that_do_not_close_and_cycles_are_no_danger() {
    let (entry, exit, tasklet) = ("MapEntry", "MapExit", "Tasklet");
    for (kinds, ends) in [
        (&[entry, tasklet][..], &[(0, 1)][..]),
        (&[exit, tasklet], &[(0, 1)]),
        (&[entry, entry, tasklet, exit], &[(0, 1), (1, 2), (2, 3)]),
        (&[entry, tasklet, exit, exit, exit], &[(0, 1), (1, 2), (2, 3), (3, 4)]),
        (&[entry, exit, tasklet], &[(0, 1), (0, 2), (2, 0)]),
        (&[tasklet, entry, exit], &[(0, 1), (1, 2), (2, 1)]),
        (&[entry, tasklet], &[(0, 0), (0, 1), (1, 1)]),
        (&["ConsumeEntry", tasklet, exit], &[(0, 1), (1, 2)]),
        (&[entry, tasklet, "ConsumeExit", tasklet], &[(0, 1), (1, 2), (1, 3)]),
        (&[entry, entry, tasklet, exit, exit], &[(0, 2), (1, 2), (2, 3), (2, 4)]),
    ] {
        let program = graph(&nodes(kinds), &edges(ends)).expect("a graph");
        work_out(&program);
    }
}

#[test]
fn many_scopes_in_each_other_end() {
    let depth = 600;
    let mut kinds = vec!["MapEntry"; depth];
    kinds.push("Tasklet");
    kinds.extend(vec!["MapExit"; depth]);
    let ends: Vec<(usize, usize)> = (1..kinds.len()).map(|to| (to - 1, to)).collect();
    work_out(&graph(&nodes(&kinds), &edges(&ends)).expect("a graph"));
}

#[test]
fn cycles_of_states_without_an_end_are_unknown() {
    let states = vec![r#"{"type":"SDFGState","label":"s","nodes":[],"edges":[]}"#; 50].join(",");
    let every: Vec<(usize, usize)> =
        (0..50).flat_map(|from| (0..50).map(move |to| (from, to))).collect();
    let edges: Vec<String> = every
        .iter()
        .map(|(from, to)| format!(r#"{{"src":"{from}","dst":"{to}","attributes":{{}}}}"#))
        .collect();
    let text = format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g"}},"nodes":[{states}],"edges":[{}]}}"#,
        edges.join(",")
    );
    let program = read(text.as_bytes(), &Limits::default()).expect("a graph");
    let costs = work_out(&program);
    assert!(!costs.unknowns.is_empty());
}

/// As [`work_out`], and everything printed and evaluated.
fn tell(program: &Program) -> String {
    let costs = work_out(program);
    let at = [("N", 40), ("M", 7)].map(|(name, value)| (name.to_owned(), value)).into();
    let mut told = String::new();
    for part in [&costs.total.work, &costs.total.depth, &costs.total.moved] {
        told.push_str(&format!("{part} = {:?}\n", part.evaluate(&at)));
    }
    for movement in costs.edges.iter().flatten().flatten() {
        told.push_str(&movement.bytes.to_string());
    }
    told
}

/// Loops in each other that begin where the one around is, up to `N + M`.
fn triangle(depth: usize) -> String {
    let code = r#"{"string_data":"b = a + a","language":"Python"}"#;
    let tasklet = format!(r#"{{"type":"Tasklet","label":"t","attributes":{{"code":{code}}}}}"#);
    let mut inner = format!(r#"{{"type":"SDFGState","label":"s","nodes":[{tasklet}],"edges":[]}}"#);
    for level in (0..depth).rev() {
        let first = if level == 0 { "0".to_owned() } else { format!("i{}", level - 1) };
        inner = format!(
            r#"{{"type":"LoopRegion","label":"l{level}","attributes":{{"loop_variable":"i{level}",
            "init_statement":"i{level} = {first}","loop_condition":"i{level} < N + M",
            "update_statement":"i{level} = i{level} + 1"}},"nodes":[{inner}],"edges":[]}}"#
        );
    }
    format!(r#"{{"type":"SDFG","attributes":{{"name":"g"}},"nodes":[{inner}],"edges":[]}}"#)
}

#[test]
fn triangles_of_loops_are_printed_in_time() {
    for depth in [1, 5, 8, 11] {
        let program = read(triangle(depth).as_bytes(), &Limits::default()).expect("a graph");
        let told = tell(&program);
        assert!(told.len() < 1 << 20, "{}", told.len());
    }
    let program = read(triangle(2).as_bytes(), &Limits::default()).expect("a graph");
    let told = tell(&program);
    assert!(told.contains("numer: 1128, denom: 1"), "{told}");
}

#[test]
fn long_sums_and_products_are_printed() {
    let sums: Vec<String> = (0..12).map(|i| format!("(a{i} + b{i})")).collect();
    let shared: Vec<String> = (0..600).map(|i| format!("N*v{i}")).collect();
    let nested = (0..100).fold("N".to_owned(), |text, i| format!("floor(({text} + v{i})/3)"));
    let largest: Vec<String> = (0..3000).map(|i| format!("v{i} + {i}*N")).collect();
    for text in [sums.join("*"), shared.join(" + "), nested, format!("Max({})", largest.join(", "))]
    {
        let program = with_volume(&text).expect("a graph");
        assert!(!tell(&program).is_empty());
    }
    // One edge for each, all of which share a symbol.
    let memlets: Vec<String> = (0..600)
        .map(|i| {
            format!(
                r#"{{"src":"0","dst":"1","attributes":{{"data":{{"type":"Memlet",
                "attributes":{{"data":"A","volume":"N*v{i}"}}}}}}}}"#
            )
        })
        .collect();
    let program = graph(&nodes(&["AccessNode", "Tasklet"]), &memlets.join(",")).expect("a graph");
    assert!(tell(&program).contains("N*("));
}

/// How many pairs are found where each of some maps writes what each of others reads.
fn neighbours(writers: usize, readers: usize) -> usize {
    let mut nodes = vec![r#"{"type":"AccessNode","label":"A"}"#.to_owned()];
    let mut edges = vec![];
    let memlet = r#""attributes":{"data":{"type":"Memlet","attributes":{"data":"A","volume":"1",
        "subset":{"type":"Range","ranges":[{"start":"0","end":"0"}]}}}}"#;
    for number in 0..writers + readers {
        let entry = nodes.len();
        nodes.push(
            r#"{"type":"MapEntry","label":"m","attributes":{"params":["i"],
            "range":{"type":"Range","ranges":[{"start":"0","end":"N"}]}}}"#
                .to_owned(),
        );
        nodes.push(r#"{"type":"MapExit","label":"m"}"#.to_owned());
        edges.push(format!(
            r#"{{"src":"{entry}","dst":"{}","attributes":{{"data":{{"attributes":{{}}}}}}}}"#,
            entry + 1
        ));
        let (from, to) = if number < writers { (entry + 1, 0) } else { (0, entry) };
        edges.push(format!(r#"{{"src":"{from}","dst":"{to}",{memlet}}}"#));
    }
    let program = graph(&nodes.join(","), &edges.join(",")).expect("a graph");
    let costs = Costs::new(&program, Rules::Exact);
    rank(&program, &costs, &Bindings::new()).len()
}

#[test]
fn many_neighbours_end() {
    assert_eq!(neighbours(2, 1000), 2000);
    assert_eq!(neighbours(1000, 1000), 0);
}
