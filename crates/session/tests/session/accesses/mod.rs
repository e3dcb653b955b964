//! The methods on accesses, asked as a page asks them.

mod edges;
mod recorded;

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
        ranges: vec![],
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
type ElementCounts = (AccessesRunResult, HashMap<String, ColumnData>);

fn run(
    session: &Session,
    program: AccessesProgram,
    each: u32,
) -> Result<ElementCounts, ProtocolError> {
    let caches = caches(&[(640.0, None)]);
    let request =
        AccessesRequest::AccessesRun(AccessesRunParams { program, caches, each, depth: 0 });
    let answer = session.answer(request, vec![], &Silent)?;
    let columns = answer.columns.iter().map(|one| (one.name.clone(), one.data.clone())).collect();
    Ok((answer.into_result().unwrap(), columns))
}

/// What elements of a container do in a cache of so many lines, each by itself.
fn elements_of(
    session: &Session,
    program: AccessesProgram,
    container: u32,
    lines: f64,
) -> Result<(AccessesElementsResult, HashMap<String, ColumnData>), ProtocolError> {
    let params = AccessesElementsParams { program, container, lines, bins: vec![] };
    let request = AccessesRequest::AccessesElements(params);
    let answer = session.answer(request, vec![], &Silent)?;
    let columns = answer.columns.iter().map(|one| (one.name.clone(), one.data.clone())).collect();
    Ok((answer.into_result().unwrap(), columns))
}

fn u32s<'a>(told: &'a ElementCounts, name: &str) -> &'a [u32] {
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
        let told: ElementCounts = (answer.into_result().unwrap(), columns);
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
fn changes_are_of_layouts_and_loops_and_what_forbids_them_is_reported() {
    let session = sample("jscop/gemm.jscop");
    let plain = run(&session, program(&[], &[]), 0).unwrap().0;
    let name = plain.containers[0].name.clone();
    let turned = run(&session, program(&[], &[&format!("permute {name} 1,0")]), 0).unwrap().0;
    assert_eq!(turned.containers[0].strides[0], 1.0);
    assert_eq!(turned.totals.accesses, plain.totals.accesses);
    for (change, said) in [("sing", "'sing' is not a change"), ("permute nothing 1,0", "nothing")] {
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

/// With levels of their own, threads have distances of their own: single accesses, the histogram and sums agree,
/// and what is said of it is said.
#[test]
fn levels_of_each_thread_are_reported_one_by_one_as_in_sum() {
    let session = sample("jscop/gemm.jscop");
    let of = |private: u32| {
        let sizes = [("m", 8.0), ("n", 8.0), ("p", 8.0)];
        let program = AccessesProgram { schedule: "static:4".to_owned(), ..program(&sizes, &[]) };
        let caches = AccessesCaches { private, ..caches(&[(640.0, None)]) };
        let request = AccessesRunParams { program, caches, each: 1 << 18, depth: 1 << 20 };
        let request = AccessesRequest::AccessesRun(request);
        let answer = session.answer(request, vec![], &Silent).unwrap();
        let columns =
            answer.columns.iter().map(|one| (one.name.clone(), one.data.clone())).collect();
        let told: ElementCounts = (answer.into_result().unwrap(), columns);
        let distances = u32s(&told, "distance");
        let cold = distances.iter().filter(|&&one| one == u32::MAX).count();
        let far = distances.iter().filter(|&&one| (10..u32::MAX).contains(&one)).count();
        assert_eq!(told.0.totals.cold, cold as f64, "{private}");
        assert_eq!(told.0.totals.capacity, far as f64, "{private}");
        let ColumnData::U8(missed) = &told.1["missed"] else { panic!("bits are bytes") };
        let missed = missed.iter().filter(|&&bits| bits & 1 == 1).count() as f64;
        let AccessTotals { cold, capacity, conflict, .. } = told.0.totals;
        assert_eq!(cold + capacity + conflict, missed, "{private}");
        let ColumnData::F64(counts) = &told.1["histogram_count"] else { panic!("numbers") };
        let ColumnData::F64(at) = &told.1["histogram_distance"] else { panic!("numbers") };
        let in_histogram = at.iter().zip(counts).filter(|(at, _)| at.is_infinite());
        assert_eq!(in_histogram.map(|(_, count)| count).sum::<f64>(), cold, "{private}");
        (told.0.totals, told.0.notes.join("; "))
    };
    let (shared, said) = of(0);
    assert_eq!(shared.cold, 24.0);
    assert!(said.contains("share every level"), "{said}");
    // Every thread brings all 8 lines of the second operand for itself.
    let (own, said) = of(1);
    assert_eq!((own.cold, own.capacity), (48.0, 32.0));
    assert!(said.contains("their own first level"), "{said}");
}

/// Threads are not part of what is written, and none of what a search simulates.
#[test]
fn a_schedule_is_of_a_run_and_of_nothing_else() {
    let session = sample("jscop/gemm.jscop");
    let own = |schedule: &str| AccessesProgram {
        schedule: schedule.to_owned(),
        ..program(&[("m", 8.0)], &["permute MemRef_B 1,0"])
    };
    let text = |schedule: &str| {
        let params = AccessesTextParams { program: own(schedule), language: AccessesText::C };
        let answer =
            session.answer(AccessesRequest::AccessesText(params), vec![], &Silent).unwrap();
        answer.into_result::<TextResult>().unwrap().text
    };
    assert_eq!(text("static:4"), text(""));
    let params = AccessesSearchParams {
        program: own("static:4"),
        caches: caches(&[(640.0, None)]),
        most: 10,
    };
    let request = AccessesRequest::AccessesSearch(params);
    let error = session.answer(request, vec![], &Silent).unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest);
    assert!(error.message.contains("without a schedule"), "{error:?}");
}

/// What cells tell at sizes and in caches that are not as suggested is what single accesses tell there.
#[test]
fn cells_are_of_the_sizes_and_lines_that_are_requested() {
    let session = sample("jscop/gemm.jscop");
    for (rows, lines) in [(5.0, 3.0), (9.0, 12.0)] {
        let at = [("m", rows), ("n", 6.0), ("p", 7.0)];
        let told = run(&session, program(&at, &[]), 1 << 18).unwrap();
        for (number, container) in told.0.containers.iter().enumerate() {
            let count = container.shape.iter().product::<f64>() as usize;
            let mut misses = vec![0.0; count];
            for (access, &reference) in u32s(&told, "reference").iter().enumerate() {
                let is_miss = f64::from(u32s(&told, "distance")[access]) >= lines;
                if told.0.references[reference as usize].container as usize == number && is_miss {
                    misses[u32s(&told, "element")[access] as usize] += 1.0;
                }
            }
            let params = AccessesElementsParams {
                program: program(&at, &[]),
                container: number as u32,
                lines,
                bins: vec![],
            };
            let request = AccessesRequest::AccessesElements(params);
            let answer = session.answer(request, vec![], &Silent).unwrap();
            let column = |name: &str| match &answer.columns.iter().find(|one| one.name == name) {
                Some(Column { data: ColumnData::F64(all), .. }) => all.clone(),
                _ => panic!("{name} is numbers"),
            };
            let (cold, capacity) = (column("cold"), column("capacity"));
            let sums: Vec<f64> =
                cold.iter().zip(&capacity).map(|(one, other)| one + other).collect();
            assert_eq!(sums, misses, "{rows} rows, {lines} lines: {}", container.name);
        }
    }
}
