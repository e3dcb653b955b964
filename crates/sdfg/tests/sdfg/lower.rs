//! Programs as loops and accesses, against what is known of them.

use std::collections::BTreeMap;

use locality::{Change, Histogram, Options, Placement, Program, Space, apply, distances, elements};
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, Lowered, Part, Wanted, lower};
use sdfg::{Limits, read};
use serde_json::{Value, json};

fn lowered(bytes: &[u8], part: &str, at: &Bindings, combining: Combining) -> Lowered {
    let program = read(bytes, &Limits::default()).unwrap();
    let part = Part::new(&program, part).unwrap();
    let wanted = Wanted { at: at.clone(), combining };
    lower(&program, part, &wanted).unwrap()
}

/// Distances by container; -1 for first touches.
fn by_container(own: &Lowered, line: u64) -> BTreeMap<String, BTreeMap<i64, u64>> {
    of_program(&own.program(), line)
}

fn of_program(own: &Program, line: u64) -> BTreeMap<String, BTreeMap<i64, u64>> {
    let space = Space::new(own.containers.clone(), Placement::OwnLines, line).unwrap();
    let told = distances(&own.nest, &space, &Options::default()).unwrap();
    let mut all: BTreeMap<String, Histogram> = BTreeMap::new();
    for (reference, histogram) in own.nest.references.iter().zip(&told.by_reference) {
        let name = &own.containers[reference.container as usize].name;
        all.entry(name.clone()).or_default().merge(histogram);
    }
    let counts = |histogram: &Histogram| {
        let near = histogram.counts().map(|(distance, count)| (distance as i64, count));
        near.chain([(-1, histogram.cold)]).collect()
    };
    all.iter().map(|(name, histogram)| (name.clone(), counts(histogram))).collect()
}

/// The truth tables, worked out by a list in Python from the programs' definitions.
#[test]
fn all_truth_tables_are_met() {
    let Some(truth) = samples::corpus_bytes("sdfg/truth/local_view.json") else { return };
    let truth: Value = serde_json::from_slice(&truth).unwrap();
    let mut checked = 0;
    for (case, known) in truth["cases"].as_object().unwrap() {
        // The files have elements of 4 bytes in their products.
        let name = case.split('.').next().unwrap();
        if case.contains("elem8") {
            continue;
        }
        let combining = match known["params"]["wcr"].as_i64() {
            Some(2) => Combining::ReadWrite,
            _ => Combining::Write,
        };
        let at: Bindings = known["params"]
            .as_object()
            .unwrap()
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.as_i64()?.into())))
            .collect();
        for version in ["dace-0.14.4", "dace-1.0.2", "dace-2.0.0b1"] {
            let path = format!("sdfg/{version}/{name}.sdfg");
            let Some(bytes) = samples::corpus_bytes(&path) else { continue };
            let own = lowered(&bytes, "", &at, combining);
            assert_eq!(own.left_out, [], "{path}");
            let told = by_container(&own, known["line_bytes"].as_u64().unwrap());
            let arrays = known["arrays"].as_object().unwrap();
            assert_eq!(told.len(), arrays.len(), "{path}");
            for (array, known) in arrays {
                let known: BTreeMap<i64, u64> = known["distance_histogram"]
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(distance, count)| (distance.parse().unwrap(), count.as_u64().unwrap()))
                    .collect();
                assert_eq!(told[array], known, "{case}: {array} in {path}");
                checked += 1;
            }
            by_element(&own, known, &format!("{case} in {path}"));
        }
    }
    assert!(checked >= 60, "{checked} containers");
}

/// Counts and distances of each element are those of the tables.
fn by_element(own: &Lowered, known: &Value, what: &str) {
    let line = known["line_bytes"].as_u64().unwrap();
    let space = Space::new(own.containers.clone(), Placement::OwnLines, line).unwrap();
    for (array, known) in known["arrays"].as_object().unwrap() {
        let at = own.containers.iter().position(|one| one.name == *array).unwrap();
        for lines in ["1", "10", "32"] {
            let told =
                elements(&own.nest, &space, at as u32, lines.parse().unwrap(), &|_| true).unwrap();
            let misses: u64 = told.iter().map(|one| one.cold + one.capacity).sum();
            assert_eq!(Some(misses), known["misses_by_capacity_lines"][lines].as_u64(), "{what}");
            let counts: Vec<u64> = told.iter().map(|one| one.accesses).collect();
            assert_eq!(json!(counts), known["access_count_row_major"], "{what}: {array}");
            for (which, name) in ["min", "median", "max"].into_iter().enumerate() {
                let column = known[format!("{name}_distance_row_major")].as_array().unwrap();
                assert_eq!(told.len(), column.len(), "{what}: {array}");
                for (element, (told, known)) in told.iter().zip(column).enumerate() {
                    let told = told.distances.map(|distances| distances[which]);
                    // Tables have the mean of the two in the middle; the lower one is not above it.
                    let is_it = match (told, known.as_f64()) {
                        (Some(told), Some(known)) if known.fract() == 0.0 && which != 1 => {
                            told as f64 == known
                        }
                        (Some(told), Some(known)) => told as f64 <= known,
                        (told, known) => told.is_none() && known.is_none(),
                    };
                    assert!(is_it, "{what}: {name} of {array} {element}: {told:?}, {known}");
                }
            }
        }
    }
}

#[test]
fn our_own_sample_is_lowered_whole() {
    let bytes = std::fs::read(samples::testdata("sdfg/sharpen.fused.sdfg")).unwrap();
    let program = read(&bytes[..], &Limits::default()).unwrap();
    let root = program.root().unwrap();
    let at: Bindings = root.symbols.keys().map(|name| (name.to_string(), 12)).collect();
    let own = lower(&program, Part::Whole, &Wanted { at, ..Wanted::default() }).unwrap();
    assert_eq!(own.left_out, []);
    let space = Space::new(own.containers.clone(), Placement::OwnLines, 64).unwrap();
    let told = distances(&own.nest, &space, &Options::default()).unwrap();
    assert_eq!(u128::from(told.total().total()), own.nest.accesses());
    assert!(own.nest.accesses() > 100);
}

#[test]
fn what_has_no_value_is_named() {
    let bytes = std::fs::read(samples::testdata("sdfg/sharpen.fused.sdfg")).unwrap();
    let program = read(&bytes[..], &Limits::default()).unwrap();
    let refused = lower(&program, Part::Whole, &Wanted::default()).unwrap_err();
    assert!(refused.to_string().contains("has no value: --set"), "{refused}");
    assert!(Part::new(&program, "nothing").unwrap_err().to_string().contains("nothing"));
}

/// Every program of the corpus is lowered without a panic, and what is counted stays in its containers.
#[test]
fn programs_of_the_corpus_are_lowered_or_say_what_is_left_out() {
    let Some(folder) = samples::corpus("sdfg/dace-1.0.2") else { return };
    let mut whole = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let size = path.metadata().unwrap().len();
        if path.extension().is_none_or(|ending| ending != "sdfg") || size > 2 << 20 {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let Ok(program) = read(&bytes[..], &Limits::default()) else { continue };
        let symbols = program.graphs.iter().flat_map(|graph| graph.symbols.keys());
        let at: Bindings = symbols.map(|name| (name.to_string(), 6)).collect();
        let Ok(own) = lower(&program, Part::Whole, &Wanted { at, ..Wanted::default() }) else {
            continue;
        };
        let space = Space::new(own.containers.clone(), Placement::OwnLines, 64).unwrap();
        let options = Options { depth: 4096, ..Options::default() };
        match distances(&own.nest, &space, &options) {
            Ok(told) => assert_eq!(u128::from(told.total().total()), own.nest.accesses()),
            // Sizes of 6 are not sizes of every program.
            Err(locality::Error::Outside { .. }) => continue,
            Err(other) => panic!("{}: {other}", path.display()),
        }
        if own.left_out.is_empty() && own.nest.accesses() > 0 {
            whole.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    assert!(whole.len() >= 15, "lowered whole: {whole:?}");
}

/// What the product says of a change is what DaCe's own changed graph has.
#[test]
fn changes_are_those_of_the_changed_graphs() {
    let at: Bindings =
        [("I", 8), ("J", 8), ("K", 5)].map(|(name, size)| (name.to_owned(), size)).into();
    for (changes, changed) in [
        (&["permute in_field 2,0,1"][..], "hdiff_reshaped"),
        (&["permute in_field 2,0,1", "order k,i,j"], "hdiff_reordered"),
        (&["permute in_field 2,0,1", "order k,i,j", "pad in_field 8"], "hdiff_padded"),
    ] {
        let of = |name: &str| samples::corpus_bytes(&format!("sdfg/dace-1.0.2/{name}.sdfg"));
        let (Some(plain), Some(changed)) = (of("hdiff_fused"), of(changed)) else { return };
        let program = read(&plain[..], &Limits::default()).unwrap();
        let wanted = Wanted { at: at.clone(), ..Wanted::default() };
        let own = lower(&program, Part::Whole, &wanted).unwrap().program();
        let changes: Vec<Change> = changes.iter().map(|one| one.parse().unwrap()).collect();
        let own = apply(&own, &|_| None, &changes).unwrap().program;
        let theirs = lowered(&changed, "", &at, Combining::Write);
        assert_eq!(of_program(&own, 64), by_container(&theirs, 64), "{changes:?}");
    }
}

#[test]
fn changes_that_cannot_be_are_refused() {
    let bytes = std::fs::read(samples::testdata("sdfg/sharpen.fused.sdfg")).unwrap();
    let program = read(&bytes[..], &Limits::default()).unwrap();
    let symbols = program.root().unwrap().symbols.keys();
    let at: Bindings = symbols.map(|name| (name.to_string(), 12)).collect();
    let container = program.root().unwrap().containers.keys().next().unwrap();
    for change in
        ["pad nothing 8".to_owned(), "order x,y,z".to_owned(), format!("permute {container} 7,7")]
    {
        let own = lower(&program, Part::Whole, &Wanted { at: at.clone(), ..Wanted::default() });
        let refused = apply(&own.unwrap().program(), &|_| None, &[change.parse().unwrap()]);
        assert!(refused.is_err(), "{change}");
    }
}

#[test]
fn products_and_reductions_by_name_are_their_loops() {
    let at: Bindings =
        [("M", 10), ("N", 14), ("K", 12)].map(|(name, size)| (name.to_owned(), size)).into();
    let Some(bytes) = samples::corpus_bytes("sdfg/dace-1.0.2/gemm_lib.sdfg") else { return };
    let own = lowered(&bytes, "", &at, Combining::Write);
    assert_eq!(own.left_out, []);
    let product = own.origins.iter().zip(&own.nest.references);
    let product: Vec<&str> = product
        .filter(|(origin, _)| ["A", "Bm"].contains(&&*origin.data))
        .map(|(origin, _)| &*origin.data)
        .collect();
    assert_eq!(product, ["A", "Bm"], "both operands are read in one loop");
    let told = by_container(&own, 64);
    let touches = |name: &str| told[name].values().sum::<u64>();
    let sizes = own.containers.iter().find(|one| one.name == "A").unwrap().shape.clone();
    let columns = own.containers.iter().find(|one| one.name == "Bm").unwrap().shape[1];
    assert_eq!(touches("A"), sizes[0] * sizes[1] * columns);
    assert_eq!(touches("Bm"), sizes[0] * sizes[1] * columns);
    let Some(bytes) = samples::corpus_bytes("sdfg/dace-1.0.2/reduce_consts.sdfg") else { return };
    let own = lowered(&bytes, "", &at, Combining::Write);
    assert_eq!(own.left_out, []);
}

#[test]
fn views_are_where_what_they_show_is() {
    let Some(bytes) = samples::corpus_bytes("sdfg/dace-1.0.2/views.sdfg") else { return };
    let at: Bindings =
        [("M", 6), ("N", 8), ("K", 4)].map(|(name, size)| (name.to_owned(), size)).into();
    let own = lowered(&bytes, "", &at, Combining::Write);
    assert_eq!(own.left_out, []);
    assert!(own.nest.accesses() > 0);
    assert!(own.containers.iter().all(|one| one.name != "V"), "a view has no memory");
}

/// A loop region that does the same each time is one loop, however often it runs.
#[test]
fn iterations_that_are_the_same_are_a_loop() {
    let range = |end: &str| json!({"type": "Range", "ranges": [{"start": "0", "end": end, "step": "1", "tile": "1"}]});
    let at_j =
        json!({"type": "Range", "ranges": [{"start": "j", "end": "j", "step": "1", "tile": "1"}]});
    let edge = |from: &str, to: &str, data: &str| {
        let memlet = json!({"data": data, "subset": at_j, "volume": "1"});
        json!({"src": from, "dst": to, "attributes": {"data": {"type": "Memlet", "attributes": memlet}}})
    };
    let state = json!({"type": "SDFGState", "label": "s", "nodes": [
        {"type": "AccessNode", "attributes": {"data": "A"}},
        {"type": "MapEntry", "attributes": {"params": ["j"], "range": range("N - 1")}},
        {"type": "Tasklet", "label": "t", "scope_entry": "1", "attributes": {"code":
            {"string_data": "b = a", "language": "Python"}}},
        {"type": "MapExit", "scope_entry": "1", "attributes": {}},
        {"type": "AccessNode", "attributes": {"data": "B"}},
    ], "edges": [edge("0", "1", "A"), edge("1", "2", "A"), edge("2", "3", "B"), edge("3", "4", "B")]});
    let code = |text: &str| json!({"string_data": text, "language": "Python"});
    let region = json!({"type": "LoopRegion", "label": "l", "nodes": [state], "edges": [],
        "start_block": 0, "attributes": {"loop_variable": "t", "init_statement": code("t = 0"),
        "loop_condition": code("t < T"), "update_statement": code("t = t + 1")}});
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N"]}});
    let graph = json!({"type": "SDFG", "attributes": {"name": "g", "symbols": {"N": "int64",
        "T": "int64"}, "_arrays": {"A": array, "B": array}}, "nodes": [region], "edges": [],
        "start_block": 0});
    for times in [1, 7, 5000] {
        let at: Bindings = [("N".to_owned(), 40), ("T".to_owned(), times)].into();
        let own = lowered(graph.to_string().as_bytes(), "", &at, Combining::Write);
        assert_eq!(own.left_out, []);
        assert_eq!(own.nest.references.len(), 2, "{times}");
        assert_eq!(own.nest.accesses(), 2 * 40 * times as u128);
    }
}

/// Guard states and loop regions of the same program are the same loops, in few places that access.
#[test]
fn loops_between_states_are_loops() {
    let at: Bindings = [("N", 12), ("T", 9), ("TSTEPS", 9), ("M", 7)]
        .map(|(name, size)| (name.to_owned(), size))
        .into();
    let mut checked = 0;
    for name in ["jacobi2d", "jacobi2d.raw", "jacobi2d.autoopt"] {
        let mut known: Option<(u128, BTreeMap<String, BTreeMap<i64, u64>>)> = None;
        for version in ["dace-0.14.4", "dace-1.0.2", "dace-2.0.0b1"] {
            let path = format!("sdfg/{version}/{name}.sdfg");
            let Some(bytes) = samples::corpus_bytes(&path) else { continue };
            let program = read(&bytes[..], &Limits::default()).unwrap();
            let wanted = Wanted { at: at.clone(), ..Wanted::default() };
            let Ok(own) = lower(&program, Part::Whole, &wanted) else { continue };
            let more = at.iter().map(|(name, value)| (name.clone(), value + 20)).collect();
            let more = Wanted { at: more, ..Wanted::default() };
            let more = lower(&program, Part::Whole, &more).unwrap();
            assert_eq!(own.nest.references.len(), more.nest.references.len(), "{path}");
            assert!(more.nest.accesses() > own.nest.accesses(), "{path}");
            if own.left_out.is_empty() {
                let told = (own.nest.accesses(), by_container(&own, 64));
                if let Some(known) = &known {
                    assert_eq!(known.0, told.0, "{path}");
                }
                known.get_or_insert(told);
            }
            checked += 1;
        }
    }
    assert!(checked != 1, "none without the corpus, or several");
}

/// for i in range(2, N, 3): for j in range(i): A[i, j], between states.
#[test]
fn iterations_that_go_on_evenly_are_a_loop() {
    let state = |label: &str, nodes: Value, edges: Value| json!({"type": "SDFGState", "label": label, "nodes": nodes, "edges": edges});
    let one = |at: &str| json!({"start": at, "end": at, "step": "1", "tile": "1"});
    let memlet = json!({"type": "Memlet", "attributes": {"data": "A", "volume": "1",
        "subset": {"type": "Range", "ranges": [one("i"), one("j")]}}});
    let body = state(
        "body",
        json!([
            {"type": "Tasklet", "label": "t", "attributes": {"code":
                {"string_data": "a = 1", "language": "Python"}}},
            {"type": "AccessNode", "attributes": {"data": "A"}},
        ]),
        json!([{"src": "0", "dst": "1", "attributes": {"data": memlet}}]),
    );
    let edge = |from: &str, to: &str, condition: &str, assignments: Value| {
        json!({"src": from, "dst": to, "attributes": {"data": {"type": "InterstateEdge",
            "attributes": {"condition": {"string_data": condition, "language": "Python"},
            "assignments": assignments}}}})
    };
    let empty = |label: &str| state(label, json!([]), json!([]));
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N", "N"]}});
    let graph = json!({"type": "SDFG", "attributes": {"name": "g", "symbols": {"N": "int64",
            "i": "int64", "j": "int64"}, "_arrays": {"A": array}},
        "nodes": [empty("init"), empty("outer"), empty("inner"), body, empty("end")],
        "edges": [
            edge("0", "1", "1", json!({"i": "2"})),
            edge("1", "2", "i < N", json!({"j": "0"})),
            edge("1", "4", "not (i < N)", json!({})),
            edge("2", "3", "j < i", json!({})),
            edge("2", "1", "not (j < i)", json!({"i": "i + 3"})),
            edge("3", "2", "1", json!({"j": "j + 1"})),
        ], "start_block": 0});
    for size in [2, 3, 6, 40] {
        let at: Bindings = [("N".to_owned(), size)].into();
        let own = lowered(graph.to_string().as_bytes(), "", &at, Combining::Write);
        assert_eq!(own.left_out, []);
        assert_eq!(own.nest.accesses(), (2..size as u128).step_by(3).sum::<u128>());
        if size > 10 {
            assert_eq!(own.nest.references.len(), 1);
            // By the variables that the program has.
            let locality::Step::Loop(outer) = &own.nest.body[0] else { panic!("{:?}", own.nest) };
            assert_eq!(own.variables[outer.variable as usize], "i");
            assert_eq!((outer.begin[0].constant, outer.step), (2, 3));
            let locality::Step::Loop(inner) = &outer.body[0] else { panic!("{:?}", own.nest) };
            assert_eq!(own.variables[inner.variable as usize], "j");
        }
        // What depends on what is known of them, too.
        let told = own.program();
        if size > 10 {
            let space = Space::new(told.containers, Placement::OwnLines, 64).unwrap();
            let told = distances(&told.nest, &space, &Options::default()).unwrap();
            assert_eq!(u128::from(told.total().total()), own.nest.accesses());
        }
    }
}

/// A size that happens to be 1 is a dimension still: an operation by name has the same loops, of one turn.
#[test]
fn operations_by_name_have_their_loops_at_sizes_of_1() {
    let files = ["encoder.sdfg", "gemm_lib.sdfg"];
    for file in files {
        let Some(bytes) = samples::corpus_bytes(&format!("sdfg/dace-1.0.2/{file}")) else { return };
        let program = read(&bytes[..], &Limits::default()).unwrap();
        let names = || program.root().unwrap().symbols.keys().map(ToString::to_string);
        let sizes = |one: &str| -> Bindings {
            let size = |name: &String| if name == one { 1 } else { 3 };
            names().map(|name| (name.clone(), size(&name))).collect()
        };
        let plain = lowered(&bytes, "", &sizes(""), Combining::Write);
        let mut of_one = 0;
        for name in names() {
            let own = lowered(&bytes, "", &sizes(&name), Combining::Write);
            assert_eq!(own.left_out, plain.left_out, "{file} at {name} = 1");
            assert_eq!(own.nest.references.len(), plain.nest.references.len(), "{name} = 1");
            of_one += 1;
        }
        assert!(of_one > 2, "{file} has {of_one} sizes");
        // Where all of them are, transients of one element are registers, which is another matter.
        let all = names().map(|name| (name, 1)).collect();
        let own = lowered(&bytes, "", &all, Combining::Write);
        let odd = own.left_out.iter().find(|(_, why)| why.contains("sizes"));
        assert_eq!(odd, None, "{file}");
    }
    let at = |m, k, n| [("M", m), ("K", k), ("N", n)].map(|(name, size)| (name.to_owned(), size));
    let Some(bytes) = samples::corpus_bytes("sdfg/dace-1.0.2/gemm_lib.sdfg") else { return };
    // With all of them 1 operands are registers, and the product is left out, which is told.
    for (m, k, n) in [(1, 4, 5), (4, 1, 5), (4, 5, 1)] {
        let own = lowered(&bytes, "", &at(m, k, n).into(), Combining::Write);
        let told = by_container(&own, 64);
        let touches = |name: &str| {
            let of = told
                .get(name)
                .unwrap_or_else(|| panic!("no {name} at {m} {k} {n}: {:?}", own.left_out));
            i128::from(of.values().sum::<u64>())
        };
        assert_eq!([touches("A"), touches("Bm")], [m * k * n; 2], "{m} {k} {n}");
    }
}
