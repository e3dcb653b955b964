//! The methods on accesses, asked as a page asks them.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::HashMap;
use std::io;

use protocol::*;
use serde_json::Value;
use session::{Host, Input, ReadOptions, Session, Silent};

/// Files in memory.
struct Files(HashMap<String, Vec<u8>>);

impl Host for Files {
    fn open(&self, name: &str) -> io::Result<Input> {
        let bytes = self.0.get(name).cloned().ok_or(io::ErrorKind::NotFound)?;
        let size = bytes.len() as u64;
        Ok(Input::File(Box::new(io::Cursor::new(bytes)), Some(size)))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

fn open(name: &str, bytes: Vec<u8>) -> Session {
    let files = Files(HashMap::from([(name.to_owned(), bytes)]));
    let session = Session::new(Box::new(files), ReadOptions::default());
    session.add(name);
    session
}

fn sample(name: &str) -> Session {
    open(name, std::fs::read(samples::testdata(name)).unwrap_or_else(|e| panic!("{name}: {e}")))
}

fn sizes(session: &Session, element: Option<u32>) -> AccessesSizesResult {
    let params = AccessesSizesParams { document: 0, element };
    let answer = session.answer(AccessesRequest::AccessesSizes(params), vec![], &Silent).unwrap();
    answer.into_result().unwrap()
}

fn program(symbols: &[(&str, f64)], changes: &[&str]) -> AccessesProgram {
    let symbol = |&(name, value): &(&str, f64)| SymbolSetting { name: name.to_owned(), value };
    AccessesProgram {
        document: 0,
        element: None,
        symbols: symbols.iter().map(symbol).collect(),
        changes: changes.iter().map(|&change| change.to_owned()).collect(),
        schedule: String::new(),
        combining_reads: false,
        packed: false,
        line: 64,
    }
}

fn caches(levels: &[(f64, Option<u32>)]) -> AccessesCaches {
    AccessesCaches {
        levels: levels.iter().map(|&(size, ways)| CacheLevel { size, ways }).collect(),
        replacement: LineReplacement::Lru,
        inclusion: LevelInclusion::None,
        writes_through: false,
        writes_around: false,
        prefetches_next: false,
        private: 0,
    }
}

/// The result, and columns by name.
type Told = (AccessesRunResult, HashMap<String, ColumnData>);

fn run(session: &Session, program: AccessesProgram, each: u32) -> Result<Told, ProtocolError> {
    let caches = caches(&[(640.0, None)]);
    let request =
        AccessesRequest::AccessesRun(AccessesRunParams { program, caches, each, depth: 0 });
    let answer = session.answer(request, vec![], &Silent)?;
    let columns = answer.columns.iter().map(|one| (one.name.clone(), one.data.clone())).collect();
    Ok((answer.into_result().unwrap(), columns))
}

fn u32s<'a>(told: &'a Told, name: &str) -> &'a [u32] {
    match &told.1[name] {
        ColumnData::U32(all) => all,
        other => panic!("{name} is {:?}", other.kind()),
    }
}

/// Counts, distances and misses of every access, added up by element, are the tables of the corpus.
#[test]
fn every_access_adds_up_to_the_truth_tables() {
    let Some(truth) = samples::corpus_bytes("sdfg/truth/local_view.json") else {
        eprintln!("the corpus is absent: nothing is compared");
        return;
    };
    let truth: Value = serde_json::from_slice(&truth).unwrap();
    let mut checked = 0;
    for (case, known) in truth["cases"].as_object().unwrap() {
        let name = case.split('.').next().unwrap();
        let path = format!("sdfg/dace-1.0.2/{name}.sdfg");
        let Some(bytes) = samples::corpus_bytes(&path).filter(|_| !case.contains("elem8")) else {
            continue;
        };
        let session = open(&path, bytes);
        let own: Vec<(&str, f64)> = known["params"]
            .as_object()
            .unwrap()
            .iter()
            .filter_map(|(name, value)| Some((&**name, value.as_f64()?)))
            .collect();
        let mut program = program(&own, &[]);
        program.line = known["line_bytes"].as_u64().unwrap() as u32;
        program.combining_reads = known["params"]["wcr"].as_i64() == Some(2);
        let caches = caches(&[(f64::from(program.line) * 10.0, None)]);
        let params = AccessesRunParams { program, caches, each: 1 << 18, depth: 1 << 20 };
        let request = AccessesRequest::AccessesRun(params);
        let answer = session.answer(request, vec![], &Silent).unwrap();
        let columns =
            answer.columns.iter().map(|one| (one.name.clone(), one.data.clone())).collect();
        let told: Told = (answer.into_result().unwrap(), columns);
        assert_eq!(told.0.totals.accesses, known["total_accesses"].as_f64().unwrap(), "{case}");
        for (number, container) in told.0.containers.iter().enumerate() {
            let known = &known["arrays"][&container.name];
            let count = container.shape.iter().product::<f64>() as usize;
            let mut accesses = vec![0u64; count];
            let mut misses = 0;
            for (at, &reference) in u32s(&told, "reference").iter().enumerate() {
                if told.0.references[reference as usize].container as usize == number {
                    accesses[u32s(&told, "element")[at] as usize] += 1;
                    misses += u64::from(u32s(&told, "distance")[at] >= 10);
                }
            }
            let table: Vec<u64> =
                serde_json::from_value(known["access_count_row_major"].clone()).unwrap();
            assert_eq!(accesses, table, "{case}: {}", container.name);
            assert_eq!(known["misses_by_capacity_lines"]["10"], misses, "{case}");
            let AccessTotals { cold, capacity, .. } = container.totals;
            assert_eq!(cold + capacity, misses as f64, "{case}: {}", container.name);
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked} containers");
}

#[test]
fn loops_of_c_are_a_document_that_is_looked_at_small_first() {
    let session = sample("jscop/gemm.jscop");
    let sizes = sizes(&session, None);
    assert!(sizes.element.is_none());
    for symbol in &sizes.symbols {
        assert!(symbol.small < symbol.whole, "{symbol:?}");
    }
    let told = run(&session, program(&[], &[]), 1 << 18).unwrap();
    assert!(told.0.has_each);
    let count = u32s(&told, "reference").len();
    assert_eq!(told.0.totals.accesses, count as f64);
    assert_eq!(u32s(&told, "start")[0], 0);
    let iterations = u32s(&told, "start").len();
    let ColumnData::F64(values) = &told.1["value"] else { panic!("values are numbers") };
    assert_eq!(values.len(), iterations * told.0.variables.len());
    for reference in &told.0.references {
        assert!(!reference.loops.is_empty() && reference.edge.is_none(), "{reference:?}");
    }
    // Sums alone where each is not asked for, and the same.
    let sums = run(&session, program(&[], &[]), 0).unwrap();
    assert!(!sums.0.has_each && u32s(&sums, "reference").is_empty());
    assert_eq!(sums.0.totals, told.0.totals);
}

#[test]
fn changes_are_of_layouts_and_loops_and_what_forbids_them_is_told() {
    let session = sample("jscop/gemm.jscop");
    let plain = run(&session, program(&[], &[]), 0).unwrap().0;
    let name = plain.containers[0].name.clone();
    let turned = run(&session, program(&[], &[&format!("permute {name} 1,0")]), 0).unwrap().0;
    assert_eq!(turned.containers[0].strides[0], 1.0);
    assert_eq!(turned.totals.accesses, plain.totals.accesses);
    for (change, said) in [("sing", "'sing' is no change"), ("permute nothing 1,0", "nothing")] {
        let error = run(&session, program(&[], &[change]), 0).unwrap_err();
        assert_eq!(error.code, ErrorCode::BadRequest, "{change}");
        assert!(error.message.contains(said), "{error:?}");
    }
}

#[test]
fn a_part_of_a_graph_has_its_edges_and_the_symbols_that_it_needs() {
    let session = sample("sdfg/square.sdfg");
    let whole = sizes(&session, None);
    let told = run(&session, program(&[], &[]), 1 << 18).unwrap().0;
    assert_eq!(whole.part, "the whole program");
    let edge = told.references[0].edge.unwrap();
    // The part around an edge is the scope that it is in.
    let inside = sizes(&session, Some(edge));
    let element = inside.element.unwrap();
    assert_eq!(sizes(&session, Some(element)).element, Some(element));
    let part = AccessesProgram { element: Some(element), ..program(&[], &[]) };
    let own = run(&session, part, 1 << 18).unwrap().0;
    assert!(own.totals.accesses <= told.totals.accesses && own.totals.accesses > 0.0);
}

#[test]
fn what_is_too_large_is_refused_with_how_large_it_is() {
    let session = sample("jscop/gemm.jscop");
    let names: Vec<String> =
        sizes(&session, None).symbols.into_iter().map(|one| one.name).collect();
    let huge: Vec<(&str, f64)> = names.iter().map(|name| (&**name, 1e12)).collect();
    let error = run(&session, program(&huge, &[]), 0).unwrap_err();
    assert!(error.message.contains("large") || error.code == ErrorCode::Limit, "{error:?}");
    let profile = open("a.collapsed", b"main;f 3\n".to_vec());
    let error = run(&profile, program(&[], &[]), 0).unwrap_err();
    assert_eq!(error.code, ErrorCode::WrongKind);
}

/// Cells are sums of what single accesses tell.
#[test]
fn cells_add_up_elements() {
    let session = sample("jscop/gemm.jscop");
    let told = run(&session, program(&[], &[]), 1 << 18).unwrap();
    let container = &told.0.containers[0];
    let count = container.shape.iter().product::<f64>();
    let ask = |bins: &[u32]| {
        let params = AccessesElementsParams {
            program: program(&[], &[]),
            container: 0,
            lines: 10.0,
            bins: bins.to_vec(),
        };
        let request = AccessesRequest::AccessesElements(params);
        let answer = session.answer(request, vec![], &Silent).unwrap();
        let sum: f64 = answer
            .columns
            .iter()
            .filter(|one| one.name == "accesses")
            .map(|one| match &one.data {
                ColumnData::F64(all) => all.iter().sum::<f64>(),
                _ => panic!("counts are numbers"),
            })
            .sum();
        (answer.into_result::<AccessesElementsResult>().unwrap(), sum)
    };
    let (each, sum) = ask(&[]);
    assert_eq!((each.elements, sum), (count, container.totals.accesses));
    assert_eq!(each.cells, container.shape);
    let (few, sum) = ask(&[1000, 3]);
    assert_eq!(few.cells, [1.0, (container.shape[1] / 3.0).ceil()]);
    assert_eq!(sum, container.totals.accesses);
}

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
