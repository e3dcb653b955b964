//! How long it takes to work out all costs of a graph for other sizes:
//! `cargo bench -p sdfg --bench values`. Prints the median of 21, in milliseconds, for the file that
//! `HOTFRAME_SDFG` names, or for a graph of 500 states with 10 maps each.

#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::fs::File;
use std::io::{Cursor, Read};
use std::time::Instant;

use sdfg::cost::{CostPlan, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::{Limits, read};

const STATES: usize = 500;
const MAPS: usize = 10;

fn main() {
    let bytes: Box<dyn Read> = match std::env::var_os("HOTFRAME_SDFG") {
        Some(path) => Box::new(File::open(path).expect("a file")),
        None => Box::new(Cursor::new(graph())),
    };
    let started = Instant::now();
    let program = read(bytes, &Limits::default()).expect("a graph");
    let read = since(started);
    let started = Instant::now();
    let costs = Costs::new(&program, Rules::Exact);
    let analysed = since(started);
    let started = Instant::now();
    let plan = CostPlan::new(&program, &costs);
    let planned = since(started);
    let mut times = vec![];
    for size in 10..31 {
        let symbols = plan.free_symbols().iter();
        let at: Bindings = symbols.map(|symbol| (symbol.name.to_string(), size)).collect();
        let started = Instant::now();
        let values = plan.values(&at);
        times.push(since(started));
        assert!(!values.total.work.is_nan(), "all symbols are set");
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{} nodes, {} edges: read {read:.0} ms, costs {analysed:.0} ms, plan {planned:.1} ms, \
         values {:.2} ms (slowest {:.2} ms)",
        program.node_count(),
        program.edge_count(),
        times[10],
        times[20]
    );
}

fn since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

/// A chain of states, each with maps from one container to the next.
fn graph() -> String {
    let states: Vec<String> = (0..STATES).map(state).collect();
    let edges: Vec<String> = (1..STATES)
        .map(|to| format!(r#"{{"src":"{}","dst":"{to}","attributes":{{"data":{{}}}}}}"#, to - 1))
        .collect();
    let container = r#"{"type":"Array","attributes":{"dtype":"float64","shape":["N","M"]}}"#;
    format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g","_arrays":{{"A":{container}}}}},
        "nodes":[{}],"edges":[{}]}}"#,
        states.join(","),
        edges.join(",")
    )
}

fn state(index: usize) -> String {
    let (mut nodes, mut edges) = (vec![], vec![]);
    for map in 0..MAPS {
        let first = nodes.len();
        let step = 1 + (index * MAPS + map) % 100;
        nodes.push(r#"{"type":"AccessNode","attributes":{"data":"A"}}"#.to_owned());
        nodes.push(format!(
            r#"{{"type":"MapEntry","attributes":{{"params":["i","j"],"range":{{"type":"Range",
            "ranges":[{{"start":"0","end":"N-1","step":"{step}","tile":"1"}},
            {{"start":"0","end":"M-1","step":"1","tile":"1"}}]}}}}}}"#
        ));
        nodes.push(
            r#"{"type":"Tasklet","attributes":{"code":{"string_data":"b = a * 2 + 1",
            "language":"Python"}}}"#
                .to_owned(),
        );
        nodes.push(r#"{"type":"MapExit","attributes":{}}"#.to_owned());
        let volumes = [format!("M*ceiling(N/{step})"), "1".to_owned(), "1".to_owned()];
        for (from, volume) in volumes.iter().enumerate() {
            edges.push(format!(
                r#"{{"src":"{}","dst":"{}","attributes":{{"data":{{"type":"Memlet",
                "attributes":{{"data":"A","volume":"{volume}"}}}}}}}}"#,
                first + from,
                first + from + 1
            ));
        }
    }
    format!(
        r#"{{"type":"SDFGState","label":"s{index}","nodes":[{}],"edges":[{}]}}"#,
        nodes.join(","),
        edges.join(",")
    )
}
