//! What is asked of every document of a test: its requests are all that take plain parameters.

use serde_json::{Value, json};

use crate::page::upload;

/// A request: its method and parameters.
pub(crate) type TestCall = (&'static str, Value);

const SHAPES: [&str; 4] = ["top_down", "bottom_up", "all_callers", "flat"];
const GRANULARITIES: [&str; 6] = ["function", "name", "file", "line", "module", "address"];

/// What is asked of every document; what means nothing to its kind is an error everywhere.
pub(crate) fn requests() -> Vec<TestCall> {
    let mut all = vec![
        ("upload", upload(1, "replaced")),
        ("documents", json!({})),
        ("wait", document()),
        ("documents", json!({})),
    ];
    all.extend(trees());
    all.extend(functions());
    all.extend(times());
    all.extend(statistics());
    all.extend(exports());
    all.extend(experiments());
    all.extend(graphs());
    all.extend(accesses());
    all.extend(together());
    all
}

fn document() -> Value {
    json!({ "document": 0 })
}

fn view_of(document: u32, shape: Value, granularity: &str) -> Value {
    json!({ "document": document, "metric": 0, "shape": shape, "granularity": granularity,
        "filters": [], "order": "value", "collapse_recursion": "none" })
}

fn shaped(shape: &str, granularity: &str) -> Value {
    view_of(0, json!({ "kind": shape }), granularity)
}

fn view() -> Value {
    shaped("top_down", "function")
}

fn flame(view: Value) -> TestCall {
    let params = json!({ "view": view, "instance": null, "root": 0, "from": 0.0, "to": 1.0,
        "width": 1200.0, "first_row": 0, "rows": 40, "search": "a", "labels": "function" });
    ("flame", params)
}

fn sort() -> Value {
    json!({ "by": "total_value", "metric": 0, "reverse": false })
}

fn rows_of(view: Value) -> Value {
    json!({ "view": view, "instance": null, "root": 0, "expanded": [0, 1, 2, 3], "sort": sort(),
        "filter": "", "first": 0, "count": 60 })
}

/// Trees of every shape and granularity, and what is asked of their nodes.
fn trees() -> Vec<TestCall> {
    let mut all = vec![("summary", document())];
    for shape in SHAPES {
        all.push(flame(shaped(shape, "function")));
        all.push(("rows", rows_of(shaped(shape, "function"))));
    }
    all.extend(GRANULARITIES.map(|granularity| ("rows", rows_of(shaped("top_down", granularity)))));
    for shape in ["callees", "callers"] {
        all.push(flame(view_of(0, json!({ "kind": shape, "key": 1 }), "function")));
    }
    let node = || json!({ "view": view(), "instance": null, "node": 1 });
    let mut filtered = view();
    filtered["filters"] = json!([{ "kind": "focus", "pattern": "e" },
        { "kind": "hide", "pattern": "^_" }]);
    filtered["order"] = json!("name");
    filtered["collapse_recursion"] = json!("all");
    all.extend([
        flame(filtered.clone()),
        ("filters", json!({ "view": filtered })),
        ("hottest_path", node()),
        ("details", node()),
        ("distribution", node()),
        ("locate", json!({ "view": view(), "path": [1, 2] })),
        ("search", json!({ "view": view(), "pattern": "e" })),
        ("search", json!({ "view": view(), "pattern": "(" })),
        (
            "find",
            json!({ "view": view(), "instance": null, "root": 0, "pattern": "e", "limit": 20 }),
        ),
        (
            "treemap",
            json!({ "view": view(), "instance": null, "root": 0, "width": 900.0,
                "height": 600.0, "least": 4.0, "search": "a", "labels": "module" }),
        ),
        (
            "call_graph",
            json!({ "view": view(), "least_node": 0.005, "least_edge": 0.001, "most": 80 }),
        ),
        ("pairs", json!({ "view": view(), "first": 0, "second": 1, "count": 20 })),
    ]);
    all
}

fn functions_of(view: Value) -> Value {
    json!({ "view": view, "metrics": [0], "sort": sort(), "filter": "", "direction": null,
        "first": 0, "count": 100 })
}

fn functions() -> Vec<TestCall> {
    vec![
        ("functions", functions_of(view())),
        ("functions", functions_of(shaped("flat", "line"))),
        ("bars", functions_of(view())),
        ("estimates", json!({ "view": view() })),
        ("scatter", json!({ "view": view(), "of": "total_value", "most": 500 })),
        ("scatter", json!({ "view": view(), "of": "own_value", "most": 500 })),
        ("source_lines", json!({ "view": view(), "file": "main.c" })),
        ("instructions", json!({ "view": view(), "instance": null, "node": 0 })),
        ("define_metric", json!({ "document": 0, "name": "twice", "formula": "2 * samples" })),
    ]
}

fn lanes() -> Value {
    let tracks: Vec<Value> = (0..4)
        .map(|track| json!({ "track": track, "first_row": 0, "rows": 8, "group": false }))
        .collect();
    json!({ "view": view(), "from": 0.0, "to": 1e12, "width": 900.0, "search": "",
        "tracks": tracks })
}

/// What happened when.
fn times() -> Vec<TestCall> {
    vec![
        ("tracks", document()),
        ("lanes", lanes()),
        ("idle", json!({ "document": 0, "tracks": [0, 1, 2, 3], "limit": 20 })),
        ("span", json!({ "view": view(), "span": 0 })),
        (
            "find_span",
            json!({ "view": view(), "search": "e", "from": 0.0, "span": 0, "back": false }),
        ),
        ("heat", json!({ "view": view(), "from": 0.0, "cell": 1e7, "cells": 200 })),
        ("events", json!({ "view": view(), "by": "function", "event": null, "sets": "" })),
        (
            "event_bins",
            json!({ "view": view(), "by": "thread", "event": null, "bins": 50,
                "is_progress": false, "sets": "", "groups": 8 }),
        ),
        ("migrations", json!({ "view": view(), "most": 20, "sets": "" })),
        ("sampled_frame", json!({ "view": view(), "point": 0, "depth": 0 })),
        (
            "find_mark",
            json!({ "view": view(), "kind": "", "behind": null, "from": 0.0, "back": false }),
        ),
        concurrency_of("threads 0"),
        concurrency_of("threads 0 0"),
    ]
}

fn concurrency_of(row: &str) -> TestCall {
    let params = json!({ "view": view(), "row": row, "from": 0.0, "to": 1e10, "cells": 100 });
    ("concurrency_chart", params)
}

fn statistics() -> Vec<TestCall> {
    let listed = |list: &str, sort: Option<&str>| {
        let params = json!({ "view": view(), "list": list, "filter": "", "sort": sort,
            "reverse": true, "limit": 50, "reader": "page" });
        ("list", params)
    };
    vec![
        listed("spans", None),
        listed("spans", Some("p95_ns")),
        listed("longest_spans", Some("self_ns")),
        listed("marks", Some("count")),
        listed("gaps", Some("total_ns")),
        listed("concurrency", Some("mean")),
        listed("thread_states", Some("time_ns")),
        listed("critical_path", None),
        listed("tracks", None),
        ("critical_path", json!({ "view": view() })),
        ("critical_path", json!({ "view": view(), "span": 0 })),
        ("thread_bars", json!({ "view": view(), "filter": "" })),
    ]
}

fn exports() -> Vec<TestCall> {
    let svg = |shape: &str, colour: &str| {
        json!({ "view": shaped(shape, "function"), "instance": null, "root": 0, "width": 1000.0,
            "theme": "light", "colour": colour, "search": "a", "labels": "function" })
    };
    let timeline =
        json!({ "lanes": lanes(), "theme": "dark", "colour": "function", "upwards": false });
    let tree =
        |shape: &str| json!({ "view": shaped(shape, "line"), "most": 2000, "members_of": 0 });
    vec![
        ("profile_tables", document()),
        ("write_profile", document()),
        ("tree_table", tree("top_down")),
        ("tree_table", tree("bottom_up")),
        ("export_svg", svg("top_down", "module")),
        ("export_svg", svg("bottom_up", "self_share")),
        ("export_timeline_svg", timeline),
        ("export_calls_csv", json!({ "view": view() })),
        ("export_spans_csv", json!({ "view": view() })),
        ("export_csv", rows_of(view())),
        ("export_functions_csv", functions_of(view())),
    ]
}

fn experiments() -> Vec<TestCall> {
    let quantity = || json!({ "view": view(), "quantity": { "kind": "metric" } });
    vec![
        ("experiment", json!({ "document": 0, "first": 0, "count": 20 })),
        ("experiment_matrix", quantity()),
        ("experiment_effects", quantity()),
        (
            "experiment_differences",
            json!({ "view": view(), "quantity": { "kind": "metric" }, "base": [0], "new": [1],
                "total": true, "count": 20 }),
        ),
        (
            "experiment_history",
            json!({ "view": view(), "quantity": { "kind": "metric" }, "factor": null }),
        ),
    ]
}

fn caches() -> Value {
    json!({ "levels": [{ "size": 32768, "ways": 8 }], "replacement": "lru", "inclusion": "none",
        "writes_through": false, "writes_around": false, "prefetches_next": false, "private": 0 })
}

fn graphs() -> Vec<TestCall> {
    let drawn = || {
        json!({ "document": 0, "depth": null, "opened": [], "closed": [], "hidden": [],
            "aspect": 1 })
    };
    let show = |nodes: &str, edges: &str| {
        json!({ "symbols": [], "nodes": { "kind": nodes }, "edges": edges, "simulation": null,
            "basis": "whole", "in_bytes": true, "scale": "median", "colours": "heat",
            "against": null })
    };
    let sized = || json!({ "document": 0, "symbols": [] });
    let scaled = |quantity: &str| {
        json!({ "document": 0, "element": null, "quantity": quantity, "symbols": [],
            "symbol": "N", "from": 1, "to": 100 })
    };
    vec![
        ("graph_summary", document()),
        ("graph_drawing", json!({ "view": drawn() })),
        ("graph_overlay", json!({ "view": drawn(), "show": show("work", "movement") })),
        ("graph_overlay", json!({ "view": drawn(), "show": show("intensity", "none") })),
        (
            "graph_element",
            json!({ "document": 0, "element": 1, "show": show("depth", "movement") }),
        ),
        ("graph_search", json!({ "document": 0, "text": "a", "limit": 20 })),
        ("graph_scaling", scaled("work")),
        ("graph_scaling", scaled("intensity")),
        ("graph_sum", json!({ "document": 0, "elements": [1, 2, 3], "symbols": [] })),
        ("graph_memory", sized()),
        ("graph_fusions", json!({ "document": 0, "symbols": [], "limit": 20 })),
        (
            "graph_roofline",
            json!({ "view": drawn(), "symbols": [], "limit": 20,
                "machine": { "bandwidth": 1e10, "peak": 1e11 } }),
        ),
        ("graph_svg", json!({ "view": drawn(), "show": show("work", "movement"), "dark": false })),
    ]
}

fn accesses() -> Vec<TestCall> {
    let program = || {
        json!({ "document": 0, "element": null, "ranges": [], "symbols": [], "changes": [],
            "schedule": "", "combining_reads": false, "packed": false, "line": 64 })
    };
    vec![
        ("accesses_sizes", json!({ "document": 0, "element": null })),
        (
            "accesses_run",
            json!({ "program": program(), "caches": caches(), "each": 4096, "depth": 0 }),
        ),
        (
            "accesses_elements",
            json!({ "program": program(), "container": 0, "lines": 64, "bins": [8, 8] }),
        ),
        ("accesses_text", json!({ "program": program(), "language": "c" })),
    ]
}

/// What is made of several documents: the profile against a part of itself, and with itself.
fn together() -> Vec<TestCall> {
    let by_focus = [json!([]), json!([{ "kind": "focus", "pattern": "a" }])];
    let compared = |shape: &str| view_of(1, json!({ "kind": shape }), "function");
    let changes = json!({ "view": compared("top_down"), "list": "span_changes", "filter": "",
        "sort": "change", "reverse": true, "limit": 50, "reader": "programs" });
    vec![
        (
            "compare",
            json!({ "base": [0], "new": [0], "by_age": false,
                "normalise": { "kind": "absolute" }, "noise": 0.0, "filters": by_focus }),
        ),
        flame(compared("top_down")),
        flame(compared("bottom_up")),
        ("functions", functions_of(compared("top_down"))),
        ("list", changes),
        ("swap", json!({ "document": 1 })),
        ("merge", json!({ "documents": [0, 0] })),
        ("summary", json!({ "document": 2 })),
        ("split_members", json!({ "document": 0, "by": "thread" })),
        ("close", document()),
        ("documents", json!({})),
    ]
}
