//! What edges of a graph tell of simulated accesses.

use super::*;

/// Bytes that edges of a drawing of all of a graph move, as simulated in a cache of so many lines of 64 bytes.
fn simulated(session: &Session, symbols: &[(&str, f64)], lines: f64) -> (Vec<f64>, GraphLegend) {
    simulated_as(session, symbols, lines, false)
}

fn simulated_as(
    session: &Session,
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
        against: None,
    };
    let view = GraphView {
        document: 0,
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
    assert!(legend.note.contains("lines anywhere"), "{}", legend.note);
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
