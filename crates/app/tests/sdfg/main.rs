//! `hotframe sdfg`, run as a person or a script runs it.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail by panicking")]

mod from_source;
mod gates;
mod measured;
mod movement;
mod outputs;
mod plans;
mod simulations;
mod traces;

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// `C[i] = A[i] * A[i]` for `i < N`, of doubles.
fn graph() -> String {
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N"]}});
    let node = |kind: &str, label: &str, attributes: Value| json!({"type": kind, "label": label, "attributes": attributes});
    let edge = |from: u32, to: u32, data: &str, volume: &str| {
        let memlet = json!({"type": "Memlet", "attributes": {"data": data, "volume": volume}});
        json!({"src": from.to_string(), "dst": to.to_string(), "attributes": {"data": memlet}})
    };
    let range = json!({"ranges": [{"start": "0", "end": "N - 1", "step": "1", "tile": "1"}]});
    json!({
        "type": "SDFG", "dace_version": "1.0.2", "cfg_list_id": 0,
        "attributes": {"name": "square", "_arrays": {"A": array, "C": array}, "symbols": {"N": "int64"}},
        "nodes": [{"type": "SDFGState", "label": "s", "nodes": [
            node("AccessNode", "A", json!({"data": "A"})),
            node("MapEntry", "m", json!({"params": ["i"], "range": range})),
            node("Tasklet", "t", json!({"code": {"string_data": "c = a * a", "language": "Python"}})),
            node("MapExit", "m", json!({})),
            node("AccessNode", "C", json!({"data": "C"})),
        ], "edges": [
            edge(0, 1, "A", "N"), edge(1, 2, "A", "1"), edge(2, 3, "C", "1"), edge(3, 4, "C", "N"),
        ]}],
        "edges": []
    })
    .to_string()
}

/// Exit code, standard output and standard error.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // What fails early does not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn succeed(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments, &graph());
    assert_eq!(code, Some(0), "{err}");
    out
}

#[test]
fn costs_as_json() {
    let out = succeed(&["sdfg", "cost", "-", "--set", "N=100", "--format", "json"]);
    let cost: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(cost["symbols"], json!({"N": 100}));
    for (name, expression, value) in [
        ("work", "N", 100),
        ("movement_bytes", "16*N", 1600),
        ("distinct_bytes", "16*N", 1600),
        ("depth", "1", 1),
        ("parallelism", "N", 100),
    ] {
        let told = &cost["totals"][name];
        assert_eq!((&told["expression"], &told["value"]), (&json!(expression), &json!(value)));
        let is_exact = name != "distinct_bytes";
        assert_eq!(told["certainty"], if is_exact { "exact" } else { "at most" }, "{name}");
    }
    assert_eq!(cost["totals"]["intensity"]["value"], json!(0.0625));
    let edges = cost["edges"].as_array().unwrap();
    assert_eq!(edges.len(), 4);
    assert_eq!(edges[0]["id"], "0/0/-1/0");
    assert_eq!(edges[0]["data"], "A");
    assert_eq!(edges[0]["elements"], json!({"expression": "N", "value": 100}));
    assert_eq!(edges[0]["bytes"], json!({"expression": "8*N", "value": 800}));
    let tasklet = &cost["nodes"][2];
    assert_eq!((&tasklet["id"], &tasklet["kind"]), (&json!("0/0/2/-1"), &json!("tasklet")));
    assert_eq!(tasklet["work"]["value"], 1);
    assert_eq!(tasklet["intensity"]["value"], json!(0.0625));
}

#[test]
fn values_of_unset_symbols_are_null() {
    let out = succeed(&["sdfg", "cost", "-", "--format", "json"]);
    let cost: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(cost["symbols"], json!({"N": null}));
    let work = &cost["totals"]["work"];
    assert_eq!((&work["expression"], &work["value"]), (&json!("N"), &json!(null)));
    assert_eq!(cost["totals"]["depth"]["value"], 1);
}

#[test]
fn costs_as_text() {
    let out = succeed(&["sdfg", "cost", "-", "--set", "N=100", "--limit", "1"]);
    let moved = out.lines().find(|line| line.contains("movement (bytes of")).unwrap();
    assert_eq!(moved.trim_start(), "1,600  movement (bytes of all accesses)  = 16*N");
    assert!(out.contains("… 1 more edges (--limit 0 shows all)"), "{out}");
    assert!(succeed(&["sdfg", "cost", "-"]).contains("not set: N"));
}

#[test]
fn costs_as_csv_and_markdown() {
    let table = |table: &str| {
        succeed(&["sdfg", "cost", "-", "--set", "N=100", "--format", "csv", "--table", table])
    };
    let totals = "name,value,expression,certainty\r\nwork (operations),100,N,exact\r\nmovement (bytes of all accesses),1600,16*N,exact\r\n";
    assert!(table("totals").starts_with(totals), "{}", table("totals"));
    let edges = table("edges");
    let mut lines = edges.lines();
    let head = "id,data,elements,elements expression,bytes,bytes expression,outermost,at_most";
    assert_eq!(lines.next(), Some(head));
    assert_eq!(lines.next(), Some("0/0/-1/0,A,100,N,800,8*N,true,"));
    assert_eq!(lines.count(), 3);
    let (code, _, err) = run(&["sdfg", "cost", "-", "--format", "csv"], &graph());
    assert!(code == Some(1) && err.contains("--table (totals, edges, nodes)"), "{err}");
    let page = succeed(&["sdfg", "cost", "-", "--set", "N=100", "--format", "markdown"]);
    assert!(page.contains("| movement (bytes of all accesses) \\= 16\\*N | 1,600 |"), "{page}");
}

#[test]
fn reports_unknowns_with_their_bounds() {
    // A copy of as much of A as data says.
    let mut graph: Value = serde_json::from_str(&graph()).unwrap();
    let memlet =
        json!({"type": "Memlet", "attributes": {"data": "A", "volume": "0", "dynamic": true}});
    let copy = json!([{"src": "0", "dst": "4", "attributes": {"data": memlet}}]);
    graph["nodes"][0]["edges"] = copy;
    let cost = |format: &str| {
        let arguments = ["sdfg", "cost", "-", "--set", "N=100", "--format", format];
        let (code, out, err) = run(&arguments, &graph.to_string());
        assert_eq!(code, Some(0), "{err}");
        out
    };
    let told: Value = serde_json::from_str(&cost("json")).unwrap();
    let why = "data decides how many elements move";
    let least = json!({"expression": "0", "value": 0});
    let most = json!({"expression": "N", "value": 100});
    let expected = json!({"A_elements": {"why": why, "least": least, "most": most}});
    assert_eq!(told["unknowns"], expected);
    let line = "unknown A_elements: data decides how many elements move; at least 0; at most 100";
    assert!(cost("text").contains(line));
}

#[test]
fn info_tells_what_is_there() {
    let text = succeed(&["sdfg", "info", "-"]);
    assert!(text.contains("square: SDFG of DaCe 1.0.2"), "{text}");
    assert!(text.contains("A: float64[N]"), "{text}");
    let json: Value =
        serde_json::from_str(&succeed(&["sdfg", "info", "-", "--format", "json"])).unwrap();
    assert_eq!((&json["nodes"], &json["edges"]), (&json!(5), &json!(4)));
    assert_eq!(json["kinds"]["tasklet"], 1);
}

#[test]
fn errors_say_what_to_do() {
    let (code, _, err) = run(&["sdfg", "info", "-"], "{}");
    assert_eq!(code, Some(1));
    assert!(err.contains("cannot read -: no SDFG: missing field `type`"), "{err}");
    let (_, _, err) = run(&["sdfg", "info", "-", "--max-size", "10"], &graph());
    assert!(err.contains("--max-size"), "{err}");
    let (code, _, err) = run(&["sdfg", "cost", "-", "--set", "N"], &graph());
    assert!(code == Some(2) && err.contains("NAME=NUMBER"), "{err}");
    let (code, _, err) = run(&["sdfg", "info", "there-is-no-such-file.sdfg"], "");
    assert!(code == Some(1) && err.contains("cannot open there-is-no-such-file.sdfg"), "{err}");
}

#[test]
fn compares_two_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let [base, new] = ["base.sdfg", "new.sdfg"].map(|name| folder.path().join(name));
    std::fs::write(&base, graph()).unwrap();
    std::fs::write(&new, graph().replace("float64", "float32")).unwrap();
    let [base, new] = [&base, &new].map(|path| path.to_str().unwrap());
    let out = succeed(&["sdfg", "compare", base, new, "--set", "N=100", "--format", "json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let bytes = |expression: &str, value: u32| json!({"expression": expression, "value": value});
    let moved = &told["totals"]["movement_bytes"];
    assert_eq!(*moved, json!({"base": bytes("16*N", 1600), "new": bytes("8*N", 800)}));
    let array =
        |name: &str| json!({"name": name, "base": bytes("8*N", 800), "new": bytes("4*N", 400)});
    assert_eq!(told["containers"], json!([array("A"), array("C")]));
    let differ = |what: &str| {
        let both = told[what]["both"].as_array().unwrap();
        both.iter().map(|one| one["differs"].as_bool().unwrap()).collect::<Vec<bool>>()
    };
    assert_eq!(differ("edges"), [true; 4]);
    assert_eq!(differ("nodes"), [true; 5]);
    let text = succeed(&["sdfg", "compare", base, new, "--set", "N=100"]);
    let moved = text.lines().find(|line| line.contains("movement (bytes of")).unwrap();
    let words: Vec<&str> = moved.split_whitespace().collect();
    assert_eq!(words.join(" "), "1,600 800 -50.0 % movement (bytes of all accesses) 16*N -> 8*N");
    let same = succeed(&["sdfg", "compare", base, "-", "--set", "N=100"]);
    assert!(same.contains("nodes: 5 on both sides, 0 of them with other costs"), "{same}");
}

#[test]
fn symbols_that_are_not_there_and_sizes_below_0_are_refused() {
    for (set, said) in [
        ("M=3", "the graph has no symbol M; it has N"),
        ("N=-1", "N cannot be -1: sizes are at least 0"),
    ] {
        let (code, _, err) = run(&["sdfg", "cost", "-", "--set", set], &graph());
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains(said), "{err}");
    }
}
