//! What edges of a graph tell of simulated accesses.

use super::*;

/// Bytes that edges of a drawing of all of a graph move, as simulated in a cache of so many lines of 64 bytes.
fn simulated(session: &Session, symbols: &[(&str, f64)], lines: f64) -> (Vec<f64>, GraphLegend) {
    laid(session, (0, None), symbols, lines, false)
}

fn simulated_as(
    session: &Session,
    symbols: &[(&str, f64)],
    lines: f64,
    combining_reads: bool,
) -> (Vec<f64>, GraphLegend) {
    laid(session, (0, None), symbols, lines, combining_reads)
}

/// The same of a document, less another.
fn laid(
    session: &Session,
    (document, against): (u32, Option<u32>),
    symbols: &[(&str, f64)],
    lines: f64,
    combining_reads: bool,
) -> (Vec<f64>, GraphLegend) {
    let show = GraphShow {
        symbols: program(symbols, &[]).symbols,
        nodes: NodeQuantity::None {},
        edges: EdgeQuantity::Simulated,
        simulation: Some(GraphSimulation {
            caches: caches(&[(lines * 64.0, None)]),
            line: 64,
            packed: false,
            combining_reads,
        }),
        basis: GraphBasis::Whole,
        in_bytes: true,
        scale: GraphScale::Mean,
        colours: GraphColours::Viridis,
        against,
    };
    let view = GraphView {
        document,
        depth: Some(9),
        opened: vec![],
        closed: vec![],
        hidden: vec![],
        aspect: Some(100),
    };
    let request = GraphRequest::GraphOverlay(GraphOverlayParams { view, show });
    let answer = session.answer(request, vec![], &Silent).unwrap();
    let values = answer.columns.iter().find(|one| one.name == "edge_value").unwrap();
    let ColumnData::F64(values) = values.data.clone() else { panic!("values are numbers") };
    let result: GraphOverlayResult = answer.into_result().unwrap();
    (values, result.edges.unwrap())
}

#[test]
fn edges_of_a_graph_tell_what_a_simulation_moves() {
    let session = sample("sdfg/square.sdfg");
    let symbols: Vec<(String, f64)> =
        sizes(&session, None).symbols.into_iter().map(|one| (one.name, one.small)).collect();
    let at: Vec<(&str, f64)> = symbols.iter().map(|(name, value)| (&**name, *value)).collect();
    let told = run(&session, program(&at, &[]), 0).unwrap().0;
    let (values, legend) = simulated(&session, &at, 10.0);
    assert!(legend.note.contains("fully associative"), "{}", legend.note);
    assert_eq!(legend.unit, "bytes");
    // Edges within the scope, and those around it, tell all of it once each.
    let sum: f64 = values.iter().filter(|value| value.is_finite()).sum();
    assert_eq!(sum, 2.0 * told.totals.bytes);

    // What cannot be simulated says why, and has no number.
    let huge: Vec<(&str, f64)> = at.iter().map(|(name, _)| (*name, 1e9)).collect();
    let (values, legend) = simulated(&session, &huge, 10.0);
    assert!(values.iter().all(|value| value.is_nan()));
    assert!(legend.note.contains("at most") || legend.note.contains("most"), "{}", legend.note);
}

#[test]
fn edges_around_a_scope_move_what_its_own_miss() {
    let Some(bytes) = samples::corpus_bytes("sdfg/dace-1.0.2/hdiff_fused.sdfg") else {
        eprintln!("the corpus is absent: nothing is compared");
        return;
    };
    let session = open("hdiff_fused.sdfg", bytes);
    let (values, _) = simulated(&session, &[("I", 8.0), ("J", 8.0), ("K", 5.0)], 10.0);
    // The truth tables: 3196 misses of in_field and 320 of each of the others, in and out.
    let count = |bytes: f64| values.iter().filter(|value| **value == bytes).count();
    assert_eq!(count(3196.0 * 64.0), 1, "{values:?}");
    assert!(count(320.0 * 64.0) >= 4, "{values:?}");
}

/// A sum that is read before it is written goes over the edges of what is written, inside and outside.
#[test]
fn what_a_combining_write_reads_goes_its_way() {
    let Some(bytes) = samples::corpus_bytes("sdfg/dace-1.0.2/matmul_bcol.sdfg") else {
        eprintln!("the corpus is absent: nothing is compared");
        return;
    };
    let session = open("matmul_bcol.sdfg", bytes);
    let sizes = [("M", 9.0), ("N", 15.0), ("K", 10.0)];
    for combining_reads in [false, true] {
        let own = AccessesProgram { combining_reads, ..program(&sizes, &[]) };
        let told = run(&session, own, 0).unwrap().0;
        let (values, _) = simulated_as(&session, &sizes, 10.0, combining_reads);
        let sum: f64 = values.iter().filter(|value| value.is_finite()).sum();
        assert_eq!(sum, 2.0 * told.totals.bytes, "{combining_reads}: {values:?}");
    }
}

const SQUARE: &str = "sdfg/square.sdfg";

fn square() -> Value {
    let bytes = std::fs::read(samples::testdata(SQUARE)).unwrap();
    let mut graph: Value = serde_json::from_slice(&bytes).unwrap();
    // One element each time.
    let one = serde_json::json!({"start": "i", "end": "i", "step": "1", "tile": "1"});
    for edge in [1, 2] {
        let memlet = &mut graph["nodes"][0]["edges"][edge]["attributes"]["data"]["attributes"];
        memlet["subset"] = serde_json::json!({"type": "Range", "ranges": [one]});
    }
    graph
}

/// A container that the tasklet reads besides, through an edge of its own into the map.
fn with_operand(mut graph: Value, name: &str) -> Value {
    if graph["attributes"]["_arrays"][name].is_null() {
        let like = graph["attributes"]["_arrays"]["A"].clone();
        graph["attributes"]["_arrays"][name] = like;
    }
    let state = &mut graph["nodes"][0];
    let number = state["nodes"].as_array().unwrap().len();
    let mut node = state["nodes"][0].clone();
    node["label"] = name.into();
    node["id"] = number.into();
    node["attributes"]["data"] = name.into();
    state["nodes"].as_array_mut().unwrap().push(node);
    for (edge, connector) in [(0, "dst_connector"), (1, "src_connector")] {
        let mut own = state["edges"][edge].clone();
        let way = if edge == 0 { "IN" } else { "OUT" };
        own[connector] = format!("{way}_{name}_2").into();
        if edge == 0 {
            own["src"] = number.to_string().into();
        } else {
            own["dst_connector"] = "b".into();
        }
        own["attributes"]["data"]["attributes"]["data"] = name.into();
        state["edges"].as_array_mut().unwrap().push(own);
    }
    graph
}

fn session_of(graphs: &[&Value]) -> Session {
    let files = graphs.iter().enumerate();
    let files = files.map(|(number, one)| (format!("{number}.sdfg"), one.to_string().into_bytes()));
    let session = Session::new(Box::new(Files(files.collect())), ReadOptions::default());
    for number in 0..graphs.len() {
        session.add(&format!("{number}.sdfg"));
    }
    session
}

/// Values that there are, sorted.
fn finite(values: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    all
}

const AT: [(&str, f64); 1] = [("N", 40.0)];
/// Misses of 40 elements of 8 bytes, one after the other, in bytes of lines.
const EACH: f64 = 5.0 * 64.0;

#[test]
fn edges_of_several_containers_into_one_map_tell_each_its_own() {
    let session = session_of(&[&with_operand(square(), "B")]);
    let (values, _) = simulated(&session, &AT, 10.0);
    // A, B and C: each within the map and around it.
    assert_eq!(finite(&values), [EACH; 6], "{values:?}");
}

/// What is read through two edges into a map is of either: what goes in tells no number, and each access its own.
#[test]
fn two_edges_of_one_container_into_one_map_are_not_distinguished_around_it() {
    let session = session_of(&[&with_operand(square(), "A")]);
    let (values, _) = simulated(&session, &AT, 10.0);
    // The second read of an element finds what the first has brought.
    assert_eq!(finite(&values), [0.0, EACH, EACH, EACH], "{values:?}");
    assert_eq!(values.len(), 6);
    let told = run(&session, program(&AT, &[]), 0).unwrap().0;
    assert_eq!(told.totals.bytes, 2.0 * EACH, "nothing is counted twice");
}

#[test]
fn edges_of_two_graphs_tell_what_one_moves_more() {
    let plain = square();
    let mut far = square();
    // Each element on a line of its own.
    let own = &mut far["attributes"]["_arrays"]["A"]["attributes"];
    own["strides"] = vec![Value::from("8")].into();
    own["total_size"] = "8*N".into();
    let session = session_of(&[&plain, &far]);
    let (less, legend) = laid(&session, (1, Some(0)), &AT, 10.0, false);
    let more = 40.0 * 64.0 - EACH;
    assert_eq!(finite(&less), [0.0, 0.0, more, more], "{less:?}");
    assert!(legend.title.ends_with("less 0.sdfg"), "{}", legend.title);
    assert!(!legend.note.contains("0.sdfg"), "one note has both: {}", legend.note);
    let (turned, _) = laid(&session, (0, Some(1)), &AT, 10.0, false);
    assert_eq!(finite(&turned), [-more, -more, 0.0, 0.0]);
    let (same, _) = laid(&session, (1, Some(1)), &AT, 10.0, false);
    assert_eq!(finite(&same), [0.0; 4]);
}

/// Edges that the other graph has not are told whole; and why there are no differences is said of whichever has
/// no numbers.
#[test]
fn reports_what_the_other_graph_lacks() {
    let mut other = square();
    other["attributes"]["symbols"]["M"] = "int64".into();
    other["attributes"]["_arrays"]["A"]["attributes"]["shape"] = vec![Value::from("M")].into();
    let range = other["nodes"][0]["nodes"][1]["attributes"]["range"]["ranges"].as_array_mut();
    range.unwrap()[0]["end"] = "M - 1".into();
    let session = session_of(&[&square(), &other, &with_operand(square(), "B")]);
    let (values, legend) = laid(&session, (0, Some(1)), &AT, 10.0, false);
    assert_eq!(finite(&values), [] as [f64; 0], "{values:?}");
    assert!(legend.note.contains("; 1.sdfg: ") && legend.note.contains('M'), "{}", legend.note);
    let (values, _) = laid(&session, (2, Some(0)), &AT, 10.0, false);
    assert_eq!(finite(&values), [0.0, 0.0, 0.0, 0.0, EACH, EACH], "B is new: {values:?}");
}
