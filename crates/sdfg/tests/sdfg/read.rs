//! What the reader makes of files, and of what is none.

use std::time::Instant;

use sdfg::model::{BlockKind, ContainerKind, Library, NodeKind, RegionKind};
use sdfg::{Limits, ReadError, read};

use crate::graphs;

#[test]
fn opens_every_sample() {
    for (name, path) in graphs::files() {
        let started = Instant::now();
        let file = std::fs::File::open(&path).expect(&name);
        let program = read(file, &Limits::default());
        let program = program.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (nodes, edges) = (program.node_count(), program.edge_count());
        let time = started.elapsed();
        println!("{name}: {nodes} nodes, {edges} edges, {time:?}");
        assert!(program.warnings.is_empty(), "{name}: {:?}", program.warnings);
        assert!(nodes > 0 && program.root().is_some());
    }
}

fn read_text(text: &str) -> Result<sdfg::model::Program, ReadError> {
    read(text.as_bytes(), &Limits::default())
}

/// An SDFG of one state.
fn one_state(nodes: &str, edges: &str) -> String {
    format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g","_arrays":{{"A":{{"type":"Array"}}}}}},
        "nodes":[{{"type":"SDFGState","label":"s","nodes":[{nodes}],"edges":[{edges}]}}],"edges":[]}}"#
    )
}

#[test]
fn missing_attributes_have_dace_s_defaults() {
    let edge = r#"{"src":"0","dst":"1","attributes":{"data":{"attributes":{"data":"A"}}}}"#;
    let access = r#"{"type":"AccessNode","label":"A","id":0}"#;
    let program = read_text(&one_state(&[access, access].join(","), edge)).expect("a graph");
    let graph = program.root().expect("a graph");
    let array = &graph.containers["A"];
    assert_eq!(array.kind, ContainerKind::Array);
    assert_eq!((&*array.element.name, array.element.size), ("int32", Some(4)));
    assert!(array.shape.is_empty() && !array.is_transient);
    assert_eq!(&*array.storage, "Default");
    let memlet = program.states[0].edges[0].memlet.as_ref().expect("a memlet");
    assert!(memlet.volume.is_zero() && !memlet.is_dynamic && memlet.wcr.is_none());
    assert_eq!(program.id_of_state(sdfg::model::StateIndex(0)).to_string(), "0/0/-1/-1");
}

#[test]
fn unknown_nodes_are_boxes_with_a_warning() {
    let nodes = r#"{"type":"FancyNode","label":"x"},{"type":"FancyNode"}"#;
    let program = read_text(&one_state(nodes, "")).expect("a graph");
    let is_box = |node: &sdfg::model::Node| matches!(&node.kind, NodeKind::Opaque(name) if name == "FancyNode");
    assert!(program.states[0].nodes.iter().all(is_box));
    assert_eq!(program.warnings.get("unknown node: FancyNode"), Some(&2));
}

#[test]
fn errors_say_what_and_where() {
    let check = |text: &str, expected: &str| {
        let error = read_text(text).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("", "the file is empty");
    check("[1, 2]", "line 1 column");
    check("{\"type\": \"SDFG\", \"nodes\": [", "EOF");
    check(r#"{"type":"Profile"}"#, "\"Profile\" where an SDFG should be");
    check(r#"{"nodes":[]}"#, "missing field `type`");
    check(r#"{"type":"SDFG","cfg_list_id":99999999999999999999999}"#, "invalid type");
    check(
        &one_state(r#"{"type":"MapExit"}"#, r#"{"src":"0","dst":"7"}"#),
        "edge 0 of \"s\" goes to \"7\", and there are 1 nodes",
    );
    check(&one_state("", r#"{"src":"-1","dst":"0"}"#), "comes from \"-1\"");
    check(&one_state("", r#"{"src":null,"dst":"0"}"#), "comes from \"None\"");
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [
        ("[", "]"),
        (r#"{"type":"SDFG","nodes":["#, "]}"),
        (r#"{"type":"SDFG","attributes":{"sdfg":"#, "}}"),
        (r#"{"type":"SDFG","branches":[[null,"#, "]]}"),
    ] {
        let text = open.repeat(100_000) + &close.repeat(100_000);
        let error = read_text(&text).expect_err("too deep");
        assert!(matches!(error, ReadError::Json { .. }), "{error}");
    }
    // As deep as DaCe writes programs that call programs, and deeper.
    for levels in [9, 60] {
        let mut graph = r#"{"type":"SDFG","attributes":{"name":"g"},"nodes":[]}"#.to_owned();
        for _ in 0..levels {
            graph = one_state(
                &format!(r#"{{"type":"NestedSDFG","label":"n","attributes":{{"sdfg":{graph}}}}}"#),
                "",
            );
        }
        let program = read_text(&graph).expect("a graph");
        assert_eq!(program.graphs.len(), levels + 1);
    }
    // What nobody looks at may be as deep as it likes.
    let skipped = "[".repeat(100_000) + &"]".repeat(100_000);
    let text = format!(r#"{{"type":"SDFG","_meta":{skipped}}}"#);
    read_text(&text).expect("a graph");
}

#[test]
fn graphs_in_texts_are_read_and_bounded() {
    let mut graph = r#"{"type":"SDFG","nodes":[]}"#.to_owned();
    for level in 0..10 {
        let text = serde_json::to_string(&graph).expect("a text");
        let node = format!(r#"{{"type":"NestedSDFG","label":"n","attributes":{{"sdfg":{text}}}}}"#);
        graph = one_state(&node, "");
        let result = read_text(&graph);
        if level < 8 {
            assert_eq!(result.expect("a graph").graphs.len(), level + 2)
        } else {
            assert!(matches!(result, Err(ReadError::TooDeep { .. })))
        }
    }
}

#[test]
fn packed_files_are_known_by_their_bytes() {
    use std::io::Write as _;
    let plain = one_state(r#"{"type":"MapExit","label":"x"}"#, "");
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).expect("packed");
    let packed = gzip.finish().expect("packed");
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut base64 = vec![];
    for three in packed.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let held = at(0) << 16 | at(1) << 8 | at(2);
        let sixes = (0..=three.len()).map(|six| digits[(held >> (18 - 6 * six)) as usize & 63]);
        base64.extend(sixes);
    }
    for bytes in [plain.as_bytes(), &packed, &base64] {
        let program = read(bytes, &Limits::default()).expect("a graph");
        assert_eq!(program.node_count(), 1);
    }
    let limits = Limits { max_size: 100 };
    assert!(matches!(read(&packed[..], &limits), Err(ReadError::TooLarge { limit: 100 })));
    let cut = read(&packed[..packed.len() / 2], &Limits::default());
    assert!(matches!(cut, Err(ReadError::Gzip(_))));
}

#[test]
fn cycles_in_a_state_are_warned_of() {
    let entry = r#"{"type":"MapEntry","attributes":{"params":["i"],"range":{"ranges":[{"start":"0","end":"N-1"}]}}}"#;
    let tasklet =
        r#"{"type":"Tasklet","label":"t","attributes":{"code":{"string_data":"b = a + 1"}}}"#;
    let edges = r#"{"src":"0","dst":"1"},{"src":"1","dst":"0"},{"src":"1","dst":"1"}"#;
    let program = read_text(&one_state(&[entry, tasklet].join(","), edges)).expect("a graph");
    assert_eq!(program.warnings.len(), 1);
    let costs = sdfg::cost::Costs::new(&program, sdfg::cost::Rules::Exact);
    assert!(costs.total.work.is_zero());
}

#[test]
fn regions_nest_as_the_file_says() {
    let is_loop = |kind: &RegionKind| matches!(kind, RegionKind::Loop(_));
    let leave = graphs::ours("dace-2.0.0b1/leave");
    let root = leave.region(leave.root().expect("a graph").region);
    assert!(matches!(root.blocks[2].kind, BlockKind::Return));
    // The graph, its two loops, and the two branches in the inner one.
    assert_eq!(leave.regions.iter().filter(|one| is_loop(&one.kind)).count(), 2);
    assert_eq!(leave.regions.len(), 5);

    let Some(folder) = samples::corpus("sdfg") else { return };
    let program = graphs::open(&folder, "dace-2.0.0b1/regions");
    let root = program.region(program.root().expect("a graph").region);
    assert!(matches!(root.blocks[1].kind, BlockKind::Return));
    assert_eq!(program.regions.iter().filter(|one| is_loop(&one.kind)).count(), 2);
    assert_eq!(program.regions.len(), 6);
}

/// Every sample's costs have values where all symbols do, and broken samples break nothing.
#[test]
fn broken_samples_are_no_danger() {
    let ours = [
        "dace-1.0.2/fade.tiled",
        "dace-1.0.2/kinds",
        "dace-1.0.2/funnel",
        "dace-2.0.0b1/leave",
        "dace-2.0.0b1/kinds",
        "dace-2.0.0b1/product.expanded",
    ];
    let corpus = [
        "dace-1.0.2/time_loop",
        "dace-1.0.2/tiled_scale",
        "dace-2.0.0b1/regions",
        "dace-2.0.0b1/gemm_lib.expanded",
        "dace-0.14.4/stream_consume",
        "dace-1.0.2/dtypes_zoo",
    ];
    let files = graphs::folders().into_iter().zip([ours, corpus]);
    let files = files
        .flat_map(|(folder, names)| names.map(|name| (name, folder.join(format!("{name}.sdfg")))));
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below
    };
    let (mut read_well, mut refused) = (0, 0);
    let at = ["N", "M", "K", "H", "W", "T"].map(|name| (name.to_owned(), 5)).into();
    for (name, path) in files {
        let sample = std::fs::read(path).expect(name);
        for _ in 0..300 {
            let mut bytes = sample.clone();
            for _ in 0..=next(4) {
                let (from, to) = (next(bytes.len()), next(bytes.len()));
                match next(4) {
                    0 => bytes[from] = b"0123456789-/*()[]{}\",:NMaz"[next(26)],
                    1 => bytes[from] = bytes[to],
                    2 => drop(bytes.drain(from..(from + next(40)).min(bytes.len()))),
                    _ => {
                        let piece = bytes[from..(from + next(40)).min(bytes.len())].to_vec();
                        bytes.splice(to..to, piece);
                    }
                }
            }
            match read(&bytes[..], &Limits::default()) {
                Ok(program) => {
                    read_well += 1;
                    let costs = sdfg::cost::Costs::new(&program, sdfg::cost::Rules::Every);
                    sdfg::fusion::rank(&program, &costs, &at);
                    sdfg::memory::Memory::new(&program, &costs, &at);
                    sdfg::network::Network::new(&program, &costs);
                }
                Err(_) => refused += 1,
            }
        }
    }
    println!("{read_well} read, {refused} refused");
    assert!(read_well > 50 && refused > 50);
}

#[test]
fn costs_of_every_sample_have_values() {
    for (name, path) in graphs::files() {
        let file = std::fs::File::open(&path).expect(&name);
        let program = read(file, &Limits::default()).expect(&name);
        let started = Instant::now();
        let costs = sdfg::cost::Costs::new(&program, sdfg::cost::Rules::Exact);
        let time = started.elapsed();
        let total = &costs.total;
        let mut at = sdfg::expr::Bindings::new();
        let cost =
            |cost: &sdfg::cost::Cost| [&cost.work, &cost.depth, &cost.moved].map(|one| one.clone());
        let nodes = costs.nodes.iter().flatten().flat_map(cost);
        let edges = costs.edges.iter().flatten().flatten();
        let edges = edges.flat_map(|one| [one.elements.clone(), one.bytes.clone()]);
        let all: Vec<_> = cost(total).into_iter().chain(nodes).chain(edges).collect();
        for symbol in all.iter().flat_map(|one| one.symbols()) {
            at.insert(symbol.to_owned(), 64);
        }
        let started = Instant::now();
        for one in &all {
            let value = one.evaluate(&at);
            assert!(value.is_ok(), "{name}: {one}: {value:?}");
        }
        let evaluated = started.elapsed();
        println!(
            "{name}: {time:?}, {evaluated:?} for {} values; work {}; unknown {:?}; notes {:?}",
            all.len(),
            total.work.to_string().chars().take(100).collect::<String>(),
            costs.unknowns.keys(),
            costs.notes
        );
    }
}

fn libraries(program: &sdfg::model::Program) -> Vec<&Library> {
    let nodes = program.states.iter().flat_map(|state| &state.nodes);
    let libraries = nodes.filter_map(|node| match &node.kind {
        NodeKind::Library(library) => Some(&**library),
        _ => None,
    });
    libraries.collect()
}

#[test]
fn reductions_and_transpositions_keep_their_axes() {
    for version in ["dace-1.0.2", "dace-2.0.0b1"] {
        let program = graphs::ours(&format!("{version}/glance"));
        let mut found: Vec<(&str, Option<&[i64]>, Option<f64>)> = libraries(&program)
            .into_iter()
            .filter(|library| library.class() != "MatMul")
            .map(|library| {
                let identity =
                    library.identity.as_ref().map(|text| text.parse().expect("a number"));
                (library.class(), library.axes.as_deref(), identity)
            })
            .collect();
        found.sort_by(|a, b| a.partial_cmp(b).expect("an order"));
        let lowest = found[0].2.take().expect("a number");
        assert!((lowest / f64::from(f32::MIN) - 1.0).abs() < 1e-14, "{lowest}");
        let expected: [(&str, Option<&[i64]>, Option<f64>); 3] = [
            ("Reduce", Some(&[2]), None),
            ("Reduce", Some(&[2]), Some(0.0)),
            ("TensorTranspose", Some(&[0, 2, 1]), None),
        ];
        assert_eq!(found, expected, "{version}");
    }
}

#[test]
fn axes_are_read_as_numbers_or_not_at_all() {
    let library = |attributes: &str| {
        let node = format!(
            r#"{{"type":"LibraryNode","classpath":"x.Reduce","attributes":{{{attributes}}}}}"#
        );
        let program = read_text(&one_state(&node, "")).expect("a graph");
        let library = libraries(&program)[0].clone();
        (library, program.warnings.len())
    };
    let (plain, warnings) = library(r#""axes":null,"identity":"None","transB":true"#);
    assert_eq!((plain.axes, plain.identity, warnings), (None, None, 0));
    assert!(plain.is_second_transposed && !plain.is_transposed);
    let (texts, warnings) = library(r#""axes":["1","-1"],"identity":0"#);
    assert_eq!((texts.axes, warnings), (Some(vec![1, -1]), 0));
    assert_eq!(texts.identity.as_deref(), Some("0"));
    let (odd, warnings) = library(r#""axes":["k"]"#);
    assert_eq!((odd.axes, warnings), (None, 1));
}
