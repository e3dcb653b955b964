//! Nested graphs: what their names are of the containers around them.

use locality::{Error, Options, Placement, Space, distances};
use sdfg::cost::{Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::lower::{Lowered, Part, Wanted, lower};
use sdfg::model::Program;
use sdfg::{Limits, read};
use serde_json::{Value, json};

fn range(spans: &[[&str; 3]]) -> Value {
    let ranges = spans
        .iter()
        .map(|[start, end, step]| json!({"start": start, "end": end, "step": step, "tile": "1"}));
    json!({"type": "Range", "ranges": ranges.collect::<Vec<Value>>()})
}

fn edge(from: (&str, &str), to: (&str, &str), data: &str, subset: &Value, volume: &str) -> Value {
    let connector = |name: &str| if name.is_empty() { Value::Null } else { json!(name) };
    json!({"src": from.0, "dst": to.0, "src_connector": connector(from.1),
        "dst_connector": connector(to.1), "attributes": {"data": {"type": "Memlet", "attributes":
            {"data": data, "subset": subset, "volume": volume}}}})
}

fn array(shape: &[&str]) -> Value {
    json!({"type": "Array", "attributes": {"dtype": "float32", "shape": shape}})
}

fn state(nodes: Value, edges: Value) -> Value {
    json!({"type": "SDFGState", "label": "s", "nodes": nodes, "edges": edges})
}

fn tasklet() -> Value {
    json!({"type": "Tasklet", "label": "t", "attributes": {"code":
        {"string_data": "b = a", "language": "Python"}}})
}

fn graph(symbols: &[&str], arrays: Value, states: Value, edges: Value) -> Value {
    let symbols: serde_json::Map<String, Value> =
        symbols.iter().map(|name| ((*name).to_owned(), json!("int64"))).collect();
    json!({"type": "SDFG", "attributes": {"name": "g", "symbols": symbols, "_arrays": arrays},
        "nodes": states, "edges": edges, "start_block": 0})
}

/// A map over all of `img` around a graph that reads an element of it, which it has as an array of some shape
/// with an index.
fn each_element(version: &str, shape: &[&str], index: &[[&str; 3]]) -> Program {
    let whole = range(&[["0", "N - 1", "1"], ["0", "M - 1", "1"]]);
    let one = range(&[["i", "i", "1"], ["j", "j", "1"]]);
    let inner = graph(
        &["N", "M", "i", "j"],
        json!({"x": array(shape)}),
        json!([state(
            json!([{"type": "AccessNode", "attributes": {"data": "x"}}, tasklet()]),
            json!([edge(("0", ""), ("1", "a"), "x", &range(index), "1")])
        )]),
        json!([]),
    );
    let nodes = json!([
        {"type": "AccessNode", "attributes": {"data": "img"}},
        {"type": "MapEntry", "attributes": {"params": ["i", "j"], "range": whole}},
        {"type": "NestedSDFG", "label": "n", "scope_entry": "1", "attributes": {"sdfg": inner,
            "symbol_mapping": {"N": "N", "M": "M", "i": "i", "j": "j"}}},
        {"type": "MapExit", "scope_entry": "1", "attributes": {}},
    ]);
    let edges = json!([
        edge(("0", ""), ("1", "IN_img"), "img", &whole, "N*M"),
        edge(("1", "OUT_img"), ("2", "x"), "img", &one, "1"),
    ]);
    let arrays = json!({"img": array(&["N", "M"])});
    let mut root = graph(&["N", "M"], arrays, json!([state(nodes, edges)]), json!([]));
    root["dace_version"] = json!(version);
    read(root.to_string().as_bytes(), &Limits::default()).unwrap()
}

fn lowered(program: &Program, at: &[(&str, i128)]) -> Lowered {
    let at: Bindings = at.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    lower(program, Part::Whole, &Wanted { at, ..Wanted::default() }).unwrap()
}

/// Accesses, and lines that are touched.
fn touched(own: &Lowered) -> Result<(u128, u64), Error> {
    let space = Space::new(own.containers.clone(), Placement::OwnLines, 64)?;
    let told = distances(&own.nest, &space, &Options::default())?;
    Ok((own.nest.accesses(), told.total().cold))
}

const WHOLE: [&str; 2] = ["N", "M"];
const OWN: [[&str; 3]; 2] = [["i", "i", "1"], ["j", "j", "1"]];

#[test]
fn from_the_first_beta_of_2_on_names_are_whole_containers() {
    let at = [("N", 9), ("M", 32)];
    for version in ["2.0.0b1", "2.0.0rc1", "2.0.0", "2.0.1a3", "2.1.0", "3.0"] {
        let own = lowered(&each_element(version, &WHOLE, &OWN), &at);
        assert_eq!(own.left_out, []);
        assert_eq!(touched(&own), Ok((9 * 32, 9 * 2)), "{version}");
        let indices = own.nest.references[0].indices.as_ref().unwrap();
        assert_eq!(indices.len(), 2, "changes of the layout know them");
    }
}

#[test]
fn before_names_begin_where_the_part_begins() {
    let at = [("N", 9), ("M", 32)];
    for version in ["0.14.4", "1.0.2", "2.0.0a6", "something"] {
        let own = lowered(&each_element(version, &["1"], &[["0", "0", "1"]]), &at);
        assert_eq!(touched(&own), Ok((9 * 32, 9 * 2)), "{version}");
        // Indices of the container are not indices of the part.
        let own = lowered(&each_element(version, &WHOLE, &OWN), &at);
        assert!(matches!(touched(&own), Err(Error::Outside { .. })), "{version}");
    }
}

/// A tool may still hand on parts, whose sizes are their own.
#[test]
fn a_part_of_another_shape_is_one_in_any_version() {
    let own = lowered(&each_element("2.0.0b1", &["1"], &[["0", "0", "1"]]), &[("N", 9), ("M", 32)]);
    assert_eq!(touched(&own), Ok((9 * 32, 9 * 2)));
}

#[test]
fn distinct_bytes_are_of_the_elements_that_whole_names_touch() {
    let at = Bindings::from([("N".to_owned(), 9), ("M".to_owned(), 32)]);
    let bytes = |version: &str, index: &[[&str; 3]]| {
        let costs = Costs::new(&each_element(version, &WHOLE, index), Rules::Exact);
        assert_eq!(costs.distinct.total.excess, None);
        costs.distinct.total.bytes.evaluate(&at).unwrap().to_integer()
    };
    assert_eq!(bytes("2.0.0b1", &OWN), Some(9 * 32 * 4));
    // The same element each time.
    assert_eq!(bytes("2.0.0b1", &[["3", "3", "1"], ["4", "4", "1"]]), Some(4));
    assert_eq!(bytes("1.0.2", &[["3", "3", "1"], ["4", "4", "1"]]), Some(9 * 32 * 4));
}

/// Programs of one source, written by two versions, touch the same.
#[test]
fn both_versions_of_a_program_touch_the_same() {
    let sizes =
        [("B", 2), ("S", 3), ("H", 2), ("P", 4), ("E", 8), ("F", 16), ("N", 200), ("M", 300)];
    for name in ["histogram.raw", "histogram.autoopt", "encoder.raw", "encoder.autoopt"] {
        let mut known = None;
        for folder in ["dace-1.0.2", "dace-2.0.0b1"] {
            let of =
                |ending: &str| samples::corpus_bytes(&format!("sdfg/{folder}/{name}.{ending}"));
            let Some(bytes) = of("sdfg").or_else(|| of("sdfgz")) else { continue };
            let own = lowered(&read(&bytes[..], &Limits::default()).unwrap(), &sizes);
            let told = touched(&own).unwrap_or_else(|error| panic!("{folder}/{name}: {error}"));
            assert_eq!(told, *known.get_or_insert(told), "{folder}/{name}");
        }
    }
}

/// A graph that touches nothing of every second element of a row, as often as a symbol says that is set twice.
#[test]
fn what_touches_nothing_of_a_part_with_gaps_is_nothing() {
    let inner = graph(
        &[],
        json!({"x": array(&["9000"]), "y": array(&["9000"])}),
        json!([state(
            json!([{"type": "AccessNode", "attributes": {"data": "x"}},
                {"type": "AccessNode", "attributes": {"data": "y"}}]),
            json!([edge(("0", ""), ("1", ""), "x", &range(&[["0", "-1", "1"]]), "0")])
        )]),
        json!([]),
    );
    let part = range(&[["p", "p + 2000", "2"]]);
    let nodes = json!([
        {"type": "AccessNode", "attributes": {"data": "A"}},
        {"type": "MapEntry", "attributes": {"params": ["p"], "range": range(&[["0", "t - 2", "1"]])}},
        {"type": "NestedSDFG", "label": "n", "scope_entry": "1",
            "attributes": {"sdfg": inner, "symbol_mapping": {}}},
        {"type": "MapExit", "scope_entry": "1", "attributes": {}},
        {"type": "AccessNode", "attributes": {"data": "A"}},
    ]);
    let edges = json!([
        edge(("0", ""), ("1", "IN_A"), "A", &part, "1001"),
        edge(("1", "OUT_A"), ("2", "x"), "A", &part, "1001"),
        edge(("2", "y"), ("3", "IN_A"), "A", &part, "1001"),
        edge(("3", "OUT_A"), ("4", ""), "A", &part, "1001"),
    ]);
    let empty = || state(json!([]), json!([]));
    let next = |from: &str, to: &str, value: &str| {
        json!({"src": from, "dst": to, "attributes": {"data": {"type": "InterstateEdge",
            "attributes": {"assignments": {"t": value}}}}})
    };
    let root = graph(
        &["N"],
        json!({"A": array(&["9000"])}),
        json!([empty(), empty(), state(nodes, edges)]),
        json!([next("0", "1", "N"), next("1", "2", "t + 1")]),
    );
    let program = read(root.to_string().as_bytes(), &Limits::default()).unwrap();
    let costs = Costs::new(&program, Rules::Exact);
    assert!(costs.total.moved.is_zero(), "{}", costs.total.moved);
    let at = Bindings::from([("N".to_owned(), 5)]);
    let distinct = &costs.distinct.total.bytes;
    assert_eq!(distinct.evaluate(&at).unwrap().to_integer(), Some(0), "{distinct}");
}
