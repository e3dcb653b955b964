//! Which maps are worth fusing: against what DaCe makes of them, and on small programs.

use sdfg::cost::{Certainty, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::fusion::{Fusion, Obstacle, Ranges, rank};
use sdfg::model::Program;
use serde_json::{Value as Json, json};

use crate::graphs;

/// Sizes for all symbols of these graphs: sequences are long.
fn sizes() -> Bindings {
    let names = ["N", "T", "W", "B", "H", "S", "P", "E", "F", "D", "C", "I", "J", "K", "M"];
    let all = names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), 20 + 7 * at as i128));
    let longest = [("T", 512), ("S", 512)].map(|(name, size)| (name.to_owned(), size));
    all.chain(longest).collect()
}

fn ranked(program: &Program) -> Vec<Fusion> {
    rank(program, &Costs::new(program, Rules::Exact), &sizes())
}

/// Container, bytes saved each time, and what speaks against it.
fn line(fusion: &Fusion) -> String {
    let between: Vec<&str> = fusion.between.iter().map(|one| &*one.data).collect();
    let obstacle = fusion.obstacle.map_or("fused".to_owned(), |why| format!("{why:?}"));
    format!("{} {:?} {} {obstacle}", between.join("+"), fusion.ranges, fusion.saved.bytes)
}

#[track_caller]
fn check_saved(before: &Program, after: &Program) {
    let at = sizes();
    let moved = |program: &Program| {
        let total = Costs::new(program, Rules::Exact).total.moved;
        total.evaluate(&at).unwrap().to_f64()
    };
    // DaCe fuses only what nothing else uses.
    let all = ranked(before).into_iter().filter(|one| {
        one.obstacle.is_none() && one.between.iter().all(|between| between.is_private)
    });
    let saved: f64 = all.map(|one| one.saved_in_all.unwrap().value.unwrap()).sum();
    assert!(saved > 0.0);
    assert_eq!(moved(before) - moved(after), saved);
}

#[test]
fn all_fusions_save_what_daces_fusions_save() {
    check_saved(&graphs::ours("sharpen"), &graphs::ours("sharpen.fused"));
    let ours = [
        ("dace-1.0.2/heat", "dace-1.0.2/heat.mapfusion"),
        ("dace-1.0.2/glance.expanded", "dace-1.0.2/glance.mapfusion"),
        ("dace-2.0.0b1/glance.expanded", "dace-2.0.0b1/glance.mapfusion"),
    ];
    let corpus = [
        ("dace-1.0.2/encoder.expanded", "dace-1.0.2/encoder.mapfusion"),
        ("dace-1.0.2/hdiff_numpy", "dace-1.0.2/hdiff_numpy.mapfusion"),
    ];
    for (folder, names) in graphs::folders().iter().zip([&ours[..], &corpus[..]]) {
        for (before, after) in names {
            check_saved(&graphs::open(folder, before), &graphs::open(folder, after));
        }
    }
}

/// The softmax of an encoder: its difference and its exponential are worth the most, the sum of the
/// exponentials comes between these and the quotient.
#[test]
fn the_steps_of_a_softmax_come_first() {
    for version in ["dace-1.0.2", "dace-2.0.0b1"] {
        let program = graphs::ours(&format!("{version}/glance"));
        let all = ranked(&program);
        assert!(line(&all[0]).ends_with("Equal 8*B*H*T**2 fused"), "{}", line(&all[0]));
        let [first, second] = all[0].labels(&program);
        assert!(first.starts_with("_Sub_") && second.starts_with("_numpy_exp_"));
        assert_eq!(all[0].saved.certainty, Certainty::Exact);
        let quotient = all.iter().find(|one| one.labels(&program)[1].starts_with("_Div_"));
        assert_eq!(quotient.unwrap().obstacle, Some(Obstacle::Between));
    }
    for (_, program) in graphs::all(&[], &["dace-1.0.2/encoder", "dace-2.0.0b1/encoder"]) {
        let all = ranked(&program);
        assert!(line(&all[0]).ends_with("Equal 8*B*H*S**2 fused"), "{}", line(&all[0]));
        let [first, second] = all[0].labels(&program);
        assert!(first.starts_with("softmax") && second.starts_with("_numpy_exp_"));
        let nested = all.iter().find(|one| one.ranges == Ranges::Nested { common: 2 });
        assert_eq!(nested.unwrap().obstacle, Some(Obstacle::Ranges));
    }
}

/// `i=0:N, j=0:M`: ranges whose last is left out.
fn ranges(text: &str, separator: char) -> (Vec<&str>, Vec<Json>) {
    let mut names = vec![];
    let mut all = vec![];
    for part in text.split(", ") {
        let (name, range) = part.split_once(separator).unwrap_or(("", part));
        names.push(name);
        all.push(match range.split_once(':') {
            Some((start, end)) => {
                json!({"start": start, "end": format!("{end} - 1"), "step": "1", "tile": "1"})
            }
            None => json!({"start": range, "end": range, "step": "1", "tile": "1"}),
        });
    }
    (names, all)
}

fn memlet(data: &str, subset: &[Json]) -> Json {
    let wcr = data.strip_prefix('+').map(|_| "lambda x, y: x + y");
    let volume: Vec<String> = subset
        .iter()
        .map(|one| {
            format!("({} + 1 - ({}))", one["end"].as_str().unwrap(), one["start"].as_str().unwrap())
        })
        .collect();
    let subset = json!({"type": "Range", "ranges": subset});
    json!({"data": {"type": "Memlet", "attributes": {"data": data.trim_start_matches('+'),
        "subset": subset, "volume": volume.join("*"), "wcr": wcr}}})
}

/// A map: its range, its schedule, and what each iteration reads and writes: `A[i, 0:N]`, `+B[j]` where
/// writes add up.
type Text<'t> = (&'t str, &'t str, &'t [&'t str], &'t [&'t str]);

/// Maps one after the other, with one access node for each container that some write, and others for
/// what is only read.
fn graph(maps: &[Text<'_>]) -> Json {
    let transient = |name: &str| name.starts_with('t');
    let mut containers = serde_json::Map::new();
    let (mut nodes, mut edges) = (vec![], vec![]);
    let mut accesses: Vec<(String, usize)> = vec![];
    let edge = |ends: (usize, usize), from: Option<String>, to: Option<String>, memlet: Json| {
        json!({"src": ends.0.to_string(), "dst": ends.1.to_string(), "src_connector": from,
            "dst_connector": to, "attributes": memlet})
    };
    let access = |nodes: &mut Vec<Json>, data: &str| {
        nodes.push(json!({"type": "AccessNode", "attributes": {"data": data}}));
        nodes.len() - 1
    };
    let label = |at: usize| format!("m{at}");
    for (at, (range, schedule, reads, writes)) in maps.iter().enumerate() {
        let (params, range) = ranges(range, '=');
        let entry = nodes.len();
        nodes.push(json!({"type": "MapEntry", "label": label(at), "attributes": {"params": params,
            "range": {"type": "Range", "ranges": range}, "schedule": schedule}}));
        nodes.push(json!({"type": "Tasklet", "label": "t", "attributes": {"code": "pass"}}));
        nodes.push(json!({"type": "MapExit", "label": label(at), "attributes": {}}));
        let both = [(reads, false), (writes, true)];
        for (text, is_write) in
            both.iter().flat_map(|(all, write)| all.iter().map(|one| (one, *write)))
        {
            let (data, subset) = text.trim_end_matches(']').split_once('[').unwrap();
            let (_, subset) = ranges(subset, '=');
            let name = data.trim_start_matches('+');
            let shape: Vec<&str> = subset.iter().map(|_| "N").collect();
            containers.insert(
                name.to_owned(),
                json!({"type": "Array", "attributes":
                {"dtype": "float64", "shape": shape, "transient": transient(name)}}),
            );
            let memlet = memlet(data, &subset);
            let known = accesses.iter().rev().find(|(known, _)| known == name).map(|(_, at)| *at);
            if is_write {
                let target = access(&mut nodes, name);
                accesses.push((name.to_owned(), target));
                edges.push(edge(
                    (entry + 1, entry + 2),
                    Some(name.into()),
                    Some(format!("IN_{name}")),
                    memlet.clone(),
                ));
                edges.push(edge((entry + 2, target), Some(format!("OUT_{name}")), None, memlet));
            } else {
                let source = known.unwrap_or_else(|| access(&mut nodes, name));
                let is_first = !edges.iter().any(|edge: &Json| {
                    edge["dst"].as_str() == Some(&*entry.to_string())
                        && edge["dst_connector"] == format!("IN_{name}")
                });
                if is_first {
                    edges.push(edge(
                        (source, entry),
                        None,
                        Some(format!("IN_{name}")),
                        memlet.clone(),
                    ));
                }
                edges.push(edge(
                    (entry, entry + 1),
                    Some(format!("OUT_{name}")),
                    Some(format!("{name}{}", edges.len())),
                    memlet,
                ));
            }
        }
    }
    let state = json!({"type": "SDFGState", "label": "s", "nodes": nodes, "edges": edges});
    json!({"type": "SDFG", "attributes": {"name": "g", "_arrays": containers},
        "nodes": [state], "edges": []})
}

fn read(graph: &Json) -> Program {
    sdfg::read(graph.to_string().as_bytes(), &sdfg::Limits::default()).unwrap()
}

#[track_caller]
fn check(maps: &[Text<'_>], expected: &[&str]) {
    let found: Vec<String> = ranked(&read(&graph(maps))).iter().map(line).collect();
    assert_eq!(found, expected);
}

#[test]
fn elements_of_the_same_iteration_are_handed_over() {
    let first: Text<'_> = ("i=0:N, j=0:N", "", &["A[i, j]"], &["t[i, j]"]);
    check(&[first, ("a=0:N, b=0:N", "", &["t[a, b]"], &["B[a, b]"])], &["t Equal 16*N**2 fused"]);
    check(
        &[first, ("a=0:N, b=0:N", "", &["t[b, a]"], &["B[a, b]"])],
        &["t Permuted 16*N**2 fused"],
    );
    let boxes: Text<'_> = ("i=0:N", "", &["A[i]"], &["t[i, 0:N]"]);
    check(&[boxes, ("k=0:N", "", &["t[k, 0:N]"], &["B[k]"])], &["t Equal 16*N**2 fused"]);
    let shifted: Text<'_> = ("i=0:N", "", &["A[i]"], &["t[N - 1 - i]"]);
    check(&[shifted, ("i=0:N", "", &["t[N - 1 - i]"], &["B[i]"])], &["t Equal 16*N fused"]);
}

#[test]
fn several_containers_between_two_maps_are_one_fusion() {
    let first: Text<'_> = ("i=0:N", "", &["A[i]"], &["t1[i]", "t2[i]", "C[i]"]);
    let second: Text<'_> = ("i=0:N", "", &["t1[i]", "t1[i]", "t2[i]", "C[i]"], &["B[i]"]);
    // Three accesses and two; what others see of the argument is still written.
    check(&[first, second], &["t1+t2+C Equal 48*N fused"]);
}

#[test]
fn other_elements_are_an_obstacle() {
    let first: Text<'_> = ("i=1:N", "", &["A[i]"], &["t[i]"]);
    let stencil: Text<'_> = ("i=1:N", "", &["t[i]", "t[i - 1]"], &["B[i]"]);
    check(&[first, stencil], &["t Equal 24*Max(0, N - 1) Elements"]);
    // All iterations write the same element: only the last one stays.
    let same: Text<'_> = ("i=0:N, j=0:N", "", &["A[i, j]"], &["t[i]"]);
    check(&[same, ("i=0:N, j=0:N", "", &["t[i]"], &["B[i, j]"])], &["t Equal 16*N**2 Elements"]);
    let overlapping: Text<'_> = ("i=0:N", "", &["A[i]"], &["t[i:i + 2]"]);
    check(&[overlapping, ("i=0:N", "", &["t[i:i + 2]"], &["B[i]"])], &["t Equal 32*N Elements"]);
    // The second overwrites what other iterations of the first still read.
    let reads: Text<'_> = ("i=1:N", "", &["A[i - 1]"], &["t[i]"]);
    check(&[reads, ("i=1:N", "", &["t[i]"], &["A[i]"])], &["t Equal 16*Max(0, N - 1) Elements"]);
}

/// Two arguments of an inner graph that are one container outside.
#[test]
fn other_names_of_the_same_memory_are_an_obstacle() {
    let inner =
        graph(&[("i=1:N", "", &["X[i - 1]"], &["t[i]"]), ("i=1:N", "", &["t[i]"], &["Y[i]"])]);
    let found = |other: &str| {
        let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N"]}});
        let access = |data: &str| json!({"type": "AccessNode", "attributes": {"data": data}});
        let node = json!({"type": "NestedSDFG", "label": "n", "attributes": {"sdfg": inner,
            "symbol_mapping": {"N": "N"}}});
        let (_, whole) = ranges("0:N", '=');
        let edges = json!([
            {"src": "0", "dst": "1", "dst_connector": "X", "attributes": memlet("A", &whole)},
            {"src": "1", "dst": "2", "src_connector": "Y", "attributes": memlet(other, &whole)},
        ]);
        let state = json!({"type": "SDFGState", "label": "s", "edges": edges,
            "nodes": [access("A"), node, access(other)]});
        let text = json!({"type": "SDFG", "attributes": {"name": "outer",
            "_arrays": {"A": array, "B": array}}, "nodes": [state], "edges": []});
        ranked(&read(&text)).iter().map(line).collect::<Vec<String>>()
    };
    assert_eq!(found("B"), ["t Equal 16*Max(0, N - 1) fused"]);
    assert_eq!(found("A"), ["t Equal 16*Max(0, N - 1) Elements"]);
}

/// What the second reads may be of memory, or of another iteration, in ways that no box tells.
#[test]
fn what_a_box_does_not_tell_is_an_obstacle() {
    let maps: [Text<'_>; 2] =
        [("i=0:N", "", &["A[i]"], &["t[i]"]), ("i=0:N", "", &["t[i]"], &["B[i]"])];
    let found = |change: &dyn Fn(&mut Json)| {
        let mut text = graph(&maps);
        change(&mut text);
        ranked(&read(&text)).iter().map(line).collect::<Vec<String>>()
    };
    assert_eq!(found(&|_| ()), ["t Equal 16*N fused"]);
    let edge_into_exit = |text: &mut Json, change: &dyn Fn(&mut Json)| {
        let edges = text["nodes"][0]["edges"].as_array_mut().unwrap();
        let edge = edges.iter_mut().find(|edge| edge["dst_connector"] == "IN_t").unwrap();
        change(&mut edge["attributes"]["data"]["attributes"]);
    };
    // Half of the iterations write at least.
    let half = found(&|text| {
        edge_into_exit(text, &|memlet| memlet["volume"] = json!("Max(0, 1 - i)"));
    });
    assert!(half[0].ends_with(" Partial"), "{half:?}");
    // Data decides.
    let dynamic = found(&|text| edge_into_exit(text, &|memlet| memlet["dynamic"] = json!(true)));
    assert_eq!(dynamic, ["t Equal 16*N Elements"]);
    // An access node in the scope of the second writes what the first reads.
    let direct = found(&|text| {
        let (_, subset) = ranges("i + 1", '=');
        let state = &mut text["nodes"][0];
        let nodes = state["nodes"].as_array_mut().unwrap();
        let node = |kind: &str, nodes: &[Json]| {
            nodes.iter().rposition(|node| node["type"] == kind).unwrap()
        };
        let (entry, tasklet) = (node("MapEntry", nodes), node("Tasklet", nodes));
        nodes[tasklet]["scope_entry"] = json!(entry.to_string());
        nodes.push(json!({"type": "AccessNode", "attributes": {"data": "A"},
            "scope_entry": entry.to_string()}));
        let access = (nodes.len() - 1).to_string();
        state["edges"].as_array_mut().unwrap().push(json!({"src": tasklet.to_string(),
            "dst": access, "src_connector": "o", "attributes": memlet("A", &subset)}));
    });
    assert_eq!(direct, ["t Equal 16*N Elements"]);
    // A reference stands for any container.
    let reference =
        found(&|text| text["attributes"]["_arrays"]["B"]["type"] = json!("ArrayReference"));
    assert_eq!(reference, ["t Equal 16*N Elements"]);
}

/// Both ranges are `0:n`, and `n` is read from other data.
#[test]
fn ranges_that_data_decides_are_not_the_same() {
    let first: Text<'_> = ("i=0:n", "", &["A[i]"], &["t[i]"]);
    let mut text = graph(&[first, ("i=0:n", "", &["t[i]"], &["B[i]"])]);
    for (data, entry) in [("x", "m0"), ("y", "m1")] {
        text["attributes"]["_arrays"][data] =
            json!({"type": "Scalar", "attributes": {"dtype": "int64", "shape": ["1"]}});
        let state = &mut text["nodes"][0];
        let nodes = state["nodes"].as_array_mut().unwrap();
        let is_entry = |node: &Json| node["type"] == "MapEntry" && node["label"] == entry;
        let target = nodes.iter().position(is_entry).unwrap().to_string();
        nodes.push(json!({"type": "AccessNode", "attributes": {"data": data}}));
        let source = (nodes.len() - 1).to_string();
        let (_, subset) = ranges("0", '=');
        state["edges"].as_array_mut().unwrap().push(json!({"src": source, "dst": target,
            "dst_connector": "n", "attributes": memlet(data, &subset)}));
    }
    let found = ranked(&read(&text));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].obstacle, Some(Obstacle::Ranges), "{}", line(&found[0]));
}

#[test]
fn reports_other_obstacles() {
    let first: Text<'_> = ("i=0:N", "", &["A[i]"], &["t[i]"]);
    check(
        &[first, ("i=1:N", "", &["t[i]"], &["B[i]"])],
        &["t Different 8*(N + Max(0, N - 1)) Ranges"],
    );
    check(&[first, ("i=0:N", "GPU_Device", &["t[i]"], &["B[i]"])], &["t Equal 16*N Schedule"]);
    let sum: Text<'_> = ("i=0:N, j=0:N", "", &["A[i, j]"], &["+t[i]"]);
    check(&[sum, ("i=0:N, j=0:N", "", &["t[i]"], &["B[i, j]"])], &["t Equal 16*N**2 Reduction"]);
    let more: Text<'_> = ("i=0:N, j=0:M", "", &["t[i]"], &["B[i, j]"]);
    check(&[first, more], &["t Nested { common: 1 } 8*N*(M + 1) Ranges"]);
    // What the second reads needs all of the first.
    let middle: Text<'_> = ("i=0:N", "", &["t[i]"], &["+t2[0]"]);
    let last: Text<'_> = ("i=0:N", "", &["t[i]", "t2[0]"], &["B[i]"]);
    check(
        &[first, middle, last],
        &["t Equal 8*N fused", "t2 Equal 16*N Reduction", "t Equal 8*N Between"],
    );
}

#[test]
fn nothing_saves_more_than_moves() {
    let mut seen = 0;
    for (name, text) in graphs::texts() {
        let program = sdfg::read(&text[..], &sdfg::Limits::default()).unwrap();
        let costs = Costs::new(&program, Rules::Exact);
        let Ok(moved) = costs.total.moved.evaluate(&sizes()) else { continue };
        for fusion in rank(&program, &costs, &sizes()) {
            let saved = fusion.saved_in_all.and_then(|saved| saved.value).unwrap_or(0.0);
            assert!((0.0..=moved.to_f64()).contains(&saved), "{name}: {saved} of {moved:?}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
