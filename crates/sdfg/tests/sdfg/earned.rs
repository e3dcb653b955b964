//! "Exact" is earned: what control flow reads, what views in scopes show, what nobody can look into. The values
//! are counted by hand along the graphs.

use sdfg::cost::{Costs, Rules};
use sdfg::expr::Bindings;

/// Work, bytes of all accesses and distinct bytes of a graph of the shared cases, each with its certainty;
/// nothing where they are not there.
fn totals(name: &str, sizes: &[(&str, i128)]) -> Option<[(f64, &'static str); 3]> {
    let path = samples::case(&format!("movement/{name}.sdfg"))?;
    let program = sdfg::read(&std::fs::read(path).unwrap()[..], &sdfg::Limits::default()).unwrap();
    let costs = Costs::new(&program, Rules::Exact);
    let mut at = Bindings::default();
    for (name, value) in sizes {
        at.insert((*name).into(), *value);
    }
    let (total, distinct) = (&costs.total, &costs.distinct.total);
    let parts = [
        (&total.work, total.at_most.work),
        (&total.moved, total.at_most.moved),
        (&distinct.bytes, distinct.excess),
    ];
    Some(parts.map(|(expr, excess)| {
        let value = expr.evaluate(&at).map_or(f64::NAN, |value| value.to_f64());
        (value, costs.certainty(expr, excess).name())
    }))
}

#[test]
fn control_flow_reads() {
    // A[i] is read on an edge for each i, and o[i] is written where it is large.
    if let Some([work, moved, distinct]) = totals("read-on-edge", &[("N", 10)]) {
        assert_eq!(work, (0.0, "exact"));
        assert_eq!((moved, distinct), ((160.0, "at most"), (160.0, "at most")));
    }
    // Beside six accesses in states, b twice and h[b] once on edges.
    if let Some([_, moved, _]) = totals("histo-read-on-edge", &[("N", 10)]) {
        assert_eq!(moved, (720.0, "exact"));
    }
    // A[i] in a state and on an edge, i8[i] on the edge.
    if let Some([_, moved, distinct]) = totals("mixed-2.0", &[("N", 10)]) {
        assert_eq!((moved, distinct), ((180.0, "exact"), (140.0, "exact")));
    }
}

#[test]
fn views_and_references_move_what_they_show() {
    if let Some(found) = totals("view-in-map-2.0", &[("N", 3), ("M", 5)]) {
        assert_eq!(found, [(15.0, "exact"), (240.0, "exact"), (240.0, "exact")]);
    }
    if let Some(found) = totals("refs", &[("N", 10)]) {
        assert_eq!(found, [(10.0, "exact"), (160.0, "exact"), (160.0, "exact")]);
    }
}

#[test]
fn vectors_and_cut_tiles_count_as_they_are() {
    // Two operations of four lanes for each four elements.
    if let Some([work, moved, _]) = totals("saxpy_vec4", &[("N", 16)]) {
        assert_eq!((work, moved), ((32.0, "exact"), (384.0, "exact")));
    }
    // Tiles of 4 by 4 are copied, cut at the ends: A once for each of three tiles of columns; B and C each
    // time.
    let sizes = [("N", 10), ("M", 9), ("K", 7)];
    if let Some([work, moved, _]) = totals("mm_tile_local", &sizes) {
        assert_eq!(work, (1260.0, "exact"));
        assert_eq!(moved, ((8 * (70 * 3 + 2 * 630)) as f64, "exact"));
    }
}

/// What code hands to a function of which nothing is known is not known either.
#[test]
fn opaque_code_costs_what_nobody_knows() {
    for name in ["chol.auto", "outer.simple"] {
        if let Some([work, moved, _]) = totals(name, &[("N", 10), ("M", 9)]) {
            assert_eq!([work.1, moved.1], ["unknown"; 2], "{name}");
        }
    }
}
