//! The methods on dataflow graphs, asked as a page asks them.

use std::collections::HashMap;
use std::io;

use protocol::{
    Answer, BoxFlag, Column, ColumnData, CostQuantity, EdgeQuantity, ErrorCode, GraphBasis,
    GraphColours, GraphCompareParams, GraphCompareResult, GraphDrawingParams, GraphDrawingResult,
    GraphElementParams, GraphElementResult, GraphFusionsParams, GraphFusionsResult, GraphKind,
    GraphMeasureParams, GraphMeasureResult, GraphMemoryParams, GraphMemoryResult,
    GraphOverlayParams, GraphOverlayResult, GraphRequest, GraphRooflineParams, GraphRooflineResult,
    GraphScale, GraphScalingParams, GraphScalingResult, GraphSearchParams, GraphSearchResult,
    GraphShow, GraphSumParams, GraphSumResult, GraphSummaryResult, GraphSvgParams, GraphView,
    NodeQuantity, ProfileRequest, Request, RooflineMachine, SymbolSetting, TextResult,
};
use sdfg::Limits;
use sdfg::cost::{Costs, Rules};
use sdfg::expr::Bindings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
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

const MACHINE: RooflineMachine = RooflineMachine { bandwidth: 40e9, peak: 500e9 };

/// Files as documents 0, 1, ...
fn open(files: &[(&str, Vec<u8>)]) -> Session {
    let held = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone()));
    let session = Session::new(Box::new(Files(held.collect())), ReadOptions::default());
    for (name, _) in files {
        session.add(name);
    }
    session
}

/// A graph of `testdata`, or what is recorded beside it.
fn sample(name: &str) -> Vec<u8> {
    std::fs::read(samples::testdata("sdfg").join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The same in the corpus, where it is.
fn corpus(name: &str) -> Option<Vec<u8>> {
    samples::corpus_bytes(&format!("sdfg/{name}"))
}

/// Graphs of `testdata`, and of the corpus where it is.
fn graphs<'a>(
    ours: &'a [&'a str],
    others: &'a [&'a str],
) -> impl Iterator<Item = (&'a str, Vec<u8>)> {
    let ours = ours.iter().map(|&name| (name, sample(name)));
    ours.chain(others.iter().filter_map(|&name| Some((name, corpus(name)?))))
}

fn ask(session: &Session, request: impl Into<Request>) -> Answer {
    session.answer(request, vec![], &Silent).unwrap()
}

fn get<R: DeserializeOwned>(session: &Session, request: impl Into<Request>) -> R {
    ask(session, request).into_result().unwrap()
}

fn refused(session: &Session, request: impl Into<Request>) -> ErrorCode {
    session.answer(request, vec![], &Silent).unwrap_err().code
}

fn numbers(columns: &[Column], name: &str) -> Vec<u32> {
    match &columns.iter().find(|column| column.name == name).unwrap().data {
        ColumnData::U32(all) => all.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

fn reals(columns: &[Column], name: &str) -> Vec<f64> {
    match &columns.iter().find(|column| column.name == name).unwrap().data {
        ColumnData::F64(all) => all.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

fn view(depth: Option<u32>) -> GraphView {
    GraphView { document: 0, depth, opened: vec![], closed: vec![], hidden: vec![], aspect: None }
}

fn settings(symbols: &[(&str, i128)]) -> Vec<SymbolSetting> {
    let setting = |&(name, value): &(&str, i128)| SymbolSetting {
        name: name.to_owned(),
        value: value as f64,
    };
    symbols.iter().map(setting).collect()
}

fn show(symbols: &[(&str, i128)], nodes: NodeQuantity) -> GraphShow {
    GraphShow {
        symbols: settings(symbols),
        nodes,
        edges: EdgeQuantity::Movement,
        simulation: None,
        basis: GraphBasis::Whole,
        in_bytes: true,
        scale: GraphScale::Mean,
        colours: GraphColours::Heat,
        against: None,
    }
}

fn node(kind: &str, label: &str, attributes: Value) -> Value {
    json!({"type": kind, "label": label, "attributes": attributes})
}

fn edge(from: usize, to: usize, data: &str, volume: &str) -> Value {
    let memlet = json!({"type": "Memlet", "attributes": {"data": data, "volume": volume}});
    json!({"src": from.to_string(), "dst": to.to_string(), "attributes": {"data": memlet}})
}

fn range(end: &str) -> Value {
    json!({"type": "Range", "ranges": [{"start": "0", "end": end, "step": "1", "tile": "1"}]})
}

fn program(states: Vec<Value>, edges: Vec<Value>) -> Vec<u8> {
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N"]}});
    json!({
        "type": "SDFG", "dace_version": "1.0.2", "cfg_list_id": 0,
        "attributes": {
            "name": "square",
            "_arrays": {"A": array, "T": array, "C": array},
            "symbols": {"N": "int64"}
        },
        "nodes": states, "edges": edges
    })
    .to_string()
    .into_bytes()
}

/// `C[i] = A[i] * A[i]` for `i < N`, over a container in between.
fn square() -> Vec<u8> {
    let tasklet = json!({"code": {"string_data": "c = a * a", "language": "Python"}});
    let debug = json!({
        "data": "A",
        "debuginfo": {"type": "DebugInfo", "filename": "/src/square.py", "start_line": 7,
                      "end_line": 7, "start_column": 0, "end_column": 1}
    });
    let state = json!({
        "type": "SDFGState", "label": "s", "id": 0, "nodes": [
            node("AccessNode", "A", debug),
            node("MapEntry", "work[i=0:N]", json!({"params": ["i"], "range": range("N - 1")})),
            node("Tasklet", "multiply", tasklet),
            node("MapExit", "work[i=0:N]", json!({})),
            node("AccessNode", "T", json!({"data": "T"})),
            node("AccessNode", "C", json!({"data": "C"})),
        ], "edges": [
            edge(0, 1, "A", "N"), edge(1, 2, "A", "1"), edge(2, 3, "T", "1"), edge(3, 4, "T", "N"),
            edge(4, 5, "T", "N"),
        ]
    });
    program(vec![state], vec![])
}

struct Drawn {
    result: GraphDrawingResult,
    columns: Vec<Column>,
}

impl Drawn {
    fn new(session: &Session, view: &GraphView) -> Drawn {
        let params = GraphDrawingParams { view: view.clone() };
        let answer = ask(session, GraphRequest::GraphDrawing(params));
        let columns = answer.columns.clone();
        Drawn { result: answer.into_result().unwrap(), columns }
    }

    fn labels(&self) -> Vec<&str> {
        let texts = numbers(&self.columns, "label").into_iter();
        texts.map(|text| self.result.texts[text as usize].as_str()).collect()
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let from = numbers(&self.columns, "edge_from").into_iter();
        from.zip(numbers(&self.columns, "edge_to")).collect()
    }

    fn place(&self, label: &str) -> usize {
        self.labels().iter().position(|&one| one == label).unwrap()
    }

    fn element(&self, label: &str) -> u32 {
        numbers(&self.columns, "element")[self.place(label)]
    }
}

#[test]
fn containers_open_by_depth_and_by_name() {
    let session = open(&[("square.sdfg", square())]);
    let all = Drawn::new(&session, &view(None));
    assert_eq!(all.labels(), ["square", "s", "A", "work", "multiply", "work", "T", "C"]);
    assert_eq!(all.edges(), [(2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]);
    let closed = Drawn::new(&session, &view(Some(2)));
    assert_eq!(closed.labels(), ["square", "s", "A", "work", "T", "C"]);
    // The edges of the scope's end are those of the closed scope.
    assert_eq!(closed.edges(), [(2, 3), (3, 4), (4, 5)]);
    let work = all.element("work");
    assert_eq!(closed.element("work"), work);
    let opened = GraphView { opened: vec![work], ..view(Some(2)) };
    assert_eq!(Drawn::new(&session, &opened).labels(), all.labels());
    let folded = GraphView { closed: vec![work], ..view(None) };
    assert_eq!(Drawn::new(&session, &folded).labels(), closed.labels());
    assert_eq!(Drawn::new(&session, &view(Some(0))).labels(), ["square", "s"]);
}

#[test]
fn edges_go_on_past_what_is_hidden() {
    let session = open(&[("square.sdfg", square())]);
    let hidden = GraphView { hidden: vec![GraphKind::Access, GraphKind::Tasklet], ..view(None) };
    let drawn = Drawn::new(&session, &hidden);
    assert_eq!(drawn.labels(), ["square", "s", "work", "work"]);
    assert_eq!(drawn.edges(), [(2, 3)]);
    assert_eq!((drawn.result.hidden, drawn.result.lost_edges), (4.0, 2.0));
}

/// `A` is read by the first and by the last of so many operations in a row; `writes_back` says
/// whether the last one writes it.
fn chain(length: usize, writes_back: bool) -> Vec<u8> {
    let data = |name: &str| node("AccessNode", name, json!({ "data": name }));
    let mut nodes = vec![data("A")];
    let mut edges = vec![edge(0, 1, "A", "N"), edge(0, length, "A", "N")];
    for number in 1..=length {
        nodes.push(node("Tasklet", &format!("t{number}"), json!({})));
        edges.extend((number > 1).then(|| edge(number - 1, number, "T", "1")));
    }
    nodes.push(data(if writes_back { "A" } else { "C" }));
    edges.push(edge(length, length + 1, "C", "N"));
    let state = json!({
        "type": "SDFGState", "label": "s", "id": 0, "nodes": nodes, "edges": edges
    });
    program(vec![state], vec![])
}

#[test]
fn data_that_is_only_read_stands_near_each_use() {
    let far = open(&[("far.sdfg", chain(6, false))]);
    let drawn = Drawn::new(&far, &view(None));
    assert_eq!(drawn.labels()[..5], ["square", "s", "A", "A (copy)", "t1"]);
    let [first, copy, last] = ["A", "A (copy)", "t6"].map(|label| drawn.place(label) as u32);
    assert_eq!(drawn.element("A"), drawn.element("A (copy)"));
    let flags = numbers(&drawn.columns, "flags");
    let is_copy = |place: u32| flags[place as usize] & BoxFlag::COPY != 0;
    assert!(is_copy(copy) && !is_copy(first));
    assert!(drawn.edges().contains(&(first, copy + 1)) && drawn.edges().contains(&(copy, last)));
    // What is drawn twice counts once.
    let show = show(&[("N", 10)], NodeQuantity::Memory {});
    let params = GraphOverlayParams { view: view(None), show };
    let over: GraphOverlayResult = get(&far, GraphRequest::GraphOverlay(params));
    assert_eq!(over.nodes.unwrap().values, 2);
    // Near uses share a box, and what is written is in one place at a time.
    for bytes in [chain(5, false), chain(6, true)] {
        let session = open(&[("near.sdfg", bytes)]);
        let labels = Drawn::new(&session, &view(None)).labels().join(" ");
        assert!(!labels.contains("copy"), "{labels}");
    }
}

#[test]
fn tall_drawings_fill_their_place() {
    let session = open(&[("long.sdfg", chain(80, false))]);
    let size = |aspect: Option<u32>| {
        let result = Drawn::new(&session, &GraphView { aspect, ..view(None) }).result;
        result.width / result.height
    };
    assert!(size(None) < 0.1);
    for (aspect, wanted) in [(50, 0.5), (150, 1.5), (300, 3.0)] {
        let got = size(Some(aspect));
        assert!((wanted / 1.6..wanted * 1.6).contains(&got), "{got} for {wanted}");
    }
}

/// Boxes are in their boxes; every edge's points are its own.
#[test]
fn samples_are_drawn_in_order() {
    let ours = ["dace-1.0.2/glance.expanded.sdfgz", "dace-2.0.0b1/heat.gpu.sdfgz"];
    let others = ["dace-1.0.2/encoder.expanded.sdfgz", "dace-2.0.0b1/hdiff_numpy.gpu.sdfg"];
    for (name, bytes) in graphs(&ours, &others) {
        let session = open(&[(name, bytes)]);
        let drawn = Drawn::new(&session, &view(Some(50)));
        let column = |name: &str| reals(&drawn.columns, name);
        let (x, y, width, height) = (column("x"), column("y"), column("width"), column("height"));
        let parents = numbers(&drawn.columns, "parent");
        assert!(parents.len() > 60, "{}", parents.len());
        for place in 1..parents.len() {
            let around = parents[place] as usize;
            assert!(around < place);
            let is_in = x[place] >= x[around] - 1e-6
                && y[place] >= y[around] - 1e-6
                && x[place] + width[place] <= x[around] + width[around] + 1e-6
                && y[place] + height[place] <= y[around] + height[around] + 1e-6;
            assert!(is_in, "{name}: {place} is not in {around}");
        }
        let first = numbers(&drawn.columns, "edge_first_point");
        assert!(first.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!(column("point_x").len(), column("point_y").len());
    }
}

#[test]
fn overlays_tell_what_the_analysis_says() {
    let session = open(&[("square.sdfg", square())]);
    let ask_for = |nodes: NodeQuantity| {
        let params = GraphOverlayParams { view: view(Some(2)), show: show(&[("N", 100)], nodes) };
        ask(&session, GraphRequest::GraphOverlay(params))
    };
    let answer = ask_for(NodeQuantity::Work {});
    let value = reals(&answer.columns, "node_value");
    // square, s, A, work, T, C
    assert_eq!(value[..2], [100.0, 100.0]);
    assert!(value[2].is_nan() && value[3] == 100.0 && value[4].is_nan());
    assert_eq!(reals(&answer.columns, "edge_value"), [800.0, 800.0, 800.0]);
    assert_eq!(reals(&answer.columns, "edge_position"), [0.5, 0.5, 0.5]);
    let result: GraphOverlayResult = answer.into_result().unwrap();
    let edges = result.edges.unwrap();
    assert_eq!((edges.unit.as_str(), edges.values, edges.without), ("bytes", 3, 0));
    assert!(result.unset.is_empty());
    let movement = result.totals.iter().find(|cost| cost.name == "movement").unwrap();
    assert_eq!((movement.exact.as_deref(), movement.value), (Some("2400"), Some(2400.0)));

    let memory = reals(&ask_for(NodeQuantity::Memory {}).columns, "node_value");
    assert_eq!((memory[2], memory[4]), (800.0, 800.0));
    let elements = GraphShow { in_bytes: false, ..show(&[("N", 100)], NodeQuantity::Movement {}) };
    let params = GraphOverlayParams { view: view(None), show: elements };
    let moved = reals(&ask(&session, GraphRequest::GraphOverlay(params)).columns, "node_value");
    // square (a graph, told in bytes only), s, A, work, multiply, its end, T, C
    assert!(moved[0].is_nan() && moved[5].is_nan());
    assert_eq!(moved[1..5], [300.0, 100.0, 200.0, 200.0]);
    assert_eq!(moved[6..], [200.0, 100.0]);
    let unset = GraphOverlayParams { view: view(Some(2)), show: show(&[], NodeQuantity::Work {}) };
    let answer = ask(&session, GraphRequest::GraphOverlay(unset));
    assert!(reals(&answer.columns, "node_value").iter().all(|value| value.is_nan()));
    assert_eq!(answer.into_result::<GraphOverlayResult>().unwrap().unset, ["N"]);
}

/// `i` changes while the program runs; a page sets it like any symbol, for what is told each time.
#[test]
fn the_whole_run_is_a_sum_where_iterations_differ() {
    let state = json!({
        "type": "SDFGState", "label": "s", "nodes": [
            node("AccessNode", "A", json!({"data": "A"})),
            node("AccessNode", "C", json!({"data": "C"})),
        ], "edges": [edge(0, 1, "A", "N - i")]
    });
    let header = json!({
        "loop_variable": "i", "init_statement": "i = 0", "loop_condition": "i < N",
        "update_statement": "i = i + 1"
    });
    let around = json!({
        "type": "LoopRegion", "label": "l", "attributes": header, "nodes": [state], "edges": []
    });
    let session = open(&[("triangle.sdfg", program(vec![around], vec![]))]);
    let told = |basis: GraphBasis| {
        let show = show(&[("N", 10), ("i", 10)], NodeQuantity::Movement {});
        let params = GraphOverlayParams { view: view(None), show: GraphShow { basis, ..show } };
        let answer = ask(&session, GraphRequest::GraphOverlay(params));
        let [nodes, edges] = ["node_value", "edge_value"].map(|n| reals(&answer.columns, n));
        (nodes, edges)
    };
    // The program, its loop, the state, A, C; ten numbers from 10 to 1, of 8 bytes.
    assert_eq!(told(GraphBasis::Whole), (vec![440.0; 5], vec![440.0]));
    assert_eq!(told(GraphBasis::Each), (vec![440.0, 440.0, 0.0, 0.0, 0.0], vec![0.0]));
    let drawn = Drawn::new(&session, &view(None));
    let params = GraphElementParams {
        document: 0,
        element: drawn.element("s"),
        show: show(&[("N", 10), ("i", 10)], NodeQuantity::None {}),
    };
    let told: GraphElementResult = get(&session, GraphRequest::GraphElement(params));
    let moved = told.whole.iter().find(|cost| cost.name == "movement").unwrap();
    assert_eq!((moved.value, moved.expression.as_str()), (Some(440.0), "4*N*(N + 1)"));
}

/// The movement of the whole is the sum over the outermost edges that the picture shows.
#[test]
fn outermost_edges_add_up_to_the_total() {
    let truth: Value = serde_json::from_slice(&sample("truth/dace-1.0.2.json")).unwrap();
    for case in ["glance", "glance.mapfusion"] {
        let truth = &truth["cases"][case];
        let symbols = truth["symbols"].as_object().unwrap().iter();
        let at: Vec<(&str, i128)> =
            symbols.map(|(name, value)| (name.as_str(), value.as_i64().unwrap().into())).collect();
        let bytes = |name: &str| truth[name].as_f64().unwrap();
        // Of the graphs in the nodes of the fused one DaCe's outer edges have each element once.
        let expected = bytes("outermost_bytes") - bytes("view_bytes");
        let expected = (case == "glance").then_some(expected);
        check_outermost_edges(sample(&format!("dace-1.0.2/{case}.sdfgz")), &at, expected);
    }
    let at = [("B", 8), ("H", 16), ("P", 64), ("S", 512), ("E", 1024), ("F", 4096)];
    let Some(bytes) = corpus("dace-1.0.2/encoder.sdfg") else { return };
    check_outermost_edges(bytes, &at, Some(3_540_844_544.0));
}

fn check_outermost_edges(bytes: Vec<u8>, at: &[(&str, i128)], expected: Option<f64>) {
    let program = sdfg::read(&bytes[..], &Limits::default()).unwrap();
    let costs = Costs::new(&program, Rules::Exact);
    let bindings: Bindings = at.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let total = costs.total.moved.evaluate(&bindings).unwrap().to_f64();
    let session = open(&[("graph.sdfg", bytes)]);
    let drawn = Drawn::new(&session, &view(Some(9)));
    let params = GraphOverlayParams { view: view(Some(9)), show: show(at, NodeQuantity::None {}) };
    let answer = ask(&session, GraphRequest::GraphOverlay(params));
    let values = reals(&answer.columns, "edge_value");
    let flags = numbers(&drawn.columns, "edge_flags");
    let outermost =
        values.iter().zip(flags).filter(|(value, flags)| flags & 16 != 0 && value.is_finite());
    let sum: f64 = outermost.map(|(value, _)| value).sum();
    assert_eq!(sum, total);
    assert!(expected.is_none_or(|expected| total == expected), "{total} {expected:?}");
}

#[test]
fn an_element_tells_all_about_itself() {
    let session = open(&[("square.sdfg", square())]);
    let drawn = Drawn::new(&session, &view(None));
    let about = |element: u32| {
        let show = show(&[("N", 100)], NodeQuantity::None {});
        GraphRequest::GraphElement(GraphElementParams { document: 0, element, show })
    };
    let work: GraphElementResult = get(&session, about(drawn.element("work")));
    assert_eq!((work.id.as_str(), work.kind), ("0/0/1/-1", Some(GraphKind::Map)));
    let path: Vec<&str> = work.path.iter().map(|step| step.label.as_str()).collect();
    assert_eq!(path, ["square", "s"]);
    assert!(work.properties.iter().any(|one| one.name == "range" && one.value == "i=0:N"));
    assert_eq!(work.whole[0].exact.as_deref(), Some("100"));
    let neighbours: Vec<(bool, &str)> =
        work.neighbours.iter().map(|one| (one.comes_in, one.label.as_str())).collect();
    assert_eq!(neighbours, [(true, "A"), (false, "multiply")]);
    let tasklet: GraphElementResult = get(&session, about(drawn.element("multiply")));
    assert_eq!(tasklet.code.unwrap().text, "c = a * a");
    assert_eq!(tasklet.times.exact.as_deref(), Some("100"));
    let data: GraphElementResult = get(&session, about(drawn.element("A")));
    let source = data.source.unwrap();
    assert_eq!((source.file.as_str(), source.line), ("/src/square.py", 7));
    let first_edge = numbers(&drawn.columns, "edge_element")[0];
    let moved: GraphElementResult = get(&session, about(first_edge));
    assert_eq!((moved.kind, moved.id.as_str()), (None, "0/0/-1/0"));
    assert_eq!(moved.whole[0].exact.as_deref(), Some("800"));
    assert_eq!(refused(&session, about(1_000_000)), ErrorCode::BadRequest);
}

#[test]
fn searches_find_labels_kinds_and_data() {
    let session = open(&[("square.sdfg", square())]);
    let find = |text: &str| -> Vec<String> {
        let params = GraphSearchParams { document: 0, text: text.to_owned(), limit: 10 };
        let found: GraphSearchResult = get(&session, GraphRequest::GraphSearch(params));
        assert_eq!(found.total as usize, found.matches.len());
        found.matches.into_iter().map(|found| found.id).collect()
    };
    assert_eq!(find("multi"), ["0/0/2/-1"]);
    assert_eq!(find("(?-i)multi"), ["0/0/2/-1"]);
    assert!(find("MULTI").is_empty(), "capitals are meant");
    assert_eq!(find("kind:access"), ["0/0/0/-1", "0/0/4/-1", "0/0/5/-1"]);
    assert_eq!(find("kind:data"), find("kind:access"));
    assert_eq!(find("kind:edge data:a"), ["0/0/-1/0", "0/0/-1/1"]);
    assert_eq!(find("nothing like it"), [""; 0]);
    assert_eq!(find("  "), [""; 0]);
    let drawn = Drawn::new(&session, &view(None));
    let params = GraphSearchParams { document: 0, text: "multiply".to_owned(), limit: 1 };
    let found: GraphSearchResult = get(&session, GraphRequest::GraphSearch(params));
    let around = ["square", "s", "work"].map(|label| drawn.element(label));
    assert_eq!(found.matches[0].path, around);
}

#[test]
fn costs_grow_as_their_largest_term() {
    let session = open(&[("square.sdfg", square())]);
    let params = GraphScalingParams {
        document: 0,
        element: None,
        quantity: CostQuantity::Movement,
        symbols: settings(&[("N", 64)]),
        symbol: "N".to_owned(),
        from: 1.0,
        to: 1e6,
    };
    let answer = ask(&session, GraphRequest::GraphScaling(params.clone()));
    let (at, cost) = (reals(&answer.columns, "at"), reals(&answer.columns, "cost"));
    assert!(at.iter().zip(&cost).all(|(n, cost)| *cost == 24.0 * n));
    let result: GraphScalingResult = answer.into_result().unwrap();
    assert!((result.exponent.unwrap() - 1.0).abs() < 1e-9);
    assert_eq!((result.ranking[0].name.as_str(), result.ranking[0].doubled), ("N", 2.0));
    let none = GraphScalingParams { symbol: String::new(), ..params };
    assert!(reals(&ask(&session, GraphRequest::GraphScaling(none)).columns, "at").is_empty());
}

#[test]
fn a_graph_is_equal_to_itself_and_less_than_before_its_fusion() {
    let session = open(&[("a.sdfg", square()), ("b.sdfg", square())]);
    let same: GraphCompareResult = get(
        &session,
        GraphRequest::GraphCompare(GraphCompareParams {
            document: 0,
            base: 1,
            symbols: settings(&[("N", 9)]),
        }),
    );
    assert_eq!((same.changed_count, same.added_count, same.removed_count), (0.0, 0.0, 0.0));
    assert!(same.matched > 10.0);
    let against = GraphShow { against: Some(1), ..show(&[("N", 9)], NodeQuantity::Work {}) };
    let params = GraphOverlayParams { view: view(None), show: against };
    let answer = ask(&session, GraphRequest::GraphOverlay(params));
    let finite = reals(&answer.columns, "edge_value").into_iter().filter(|value| value.is_finite());
    assert!(finite.clone().all(|change| change == 0.0) && finite.count() == 5);

    let at = [("B", 2), ("C", 16), ("D", 24), ("H", 3), ("T", 20)];
    let before = "dace-1.0.2/glance.expanded.sdfgz";
    check_fusion(sample(before), sample("dace-1.0.2/glance.mapfusion.sdfgz"), &at);
    check_fusion(sample("sharpen.sdfg"), sample("sharpen.fused.sdfg"), &[("H", 10), ("W", 20)]);
    let at = [("B", 8), ("H", 16), ("P", 64), ("S", 512), ("E", 1024), ("F", 4096)];
    let pair = ["dace-1.0.2/encoder.sdfg", "dace-1.0.2/encoder.mapfusion.sdfgz"].map(corpus);
    if let [Some(base), Some(new)] = pair {
        // Its products are expanded into loops: only distinct bytes are fewer.
        let distinct = |costs: &GraphCompareResult| {
            let one = costs.totals.iter().find(|cost| cost.name == "distinct").unwrap();
            (one.base.unwrap(), one.new.unwrap())
        };
        let (base, new) = distinct(&compared(base, new, &at));
        assert!(new < base, "{new} {base}");
    }
}

fn compared(base: Vec<u8>, new: Vec<u8>, at: &[(&str, i128)]) -> GraphCompareResult {
    let session = open(&[("fused.sdfgz", new), ("before.sdfg", base)]);
    let symbols = settings(at);
    let params = GraphCompareParams { document: 0, base: 1, symbols };
    get(&session, GraphRequest::GraphCompare(params))
}

fn check_fusion(base: Vec<u8>, new: Vec<u8>, at: &[(&str, i128)]) {
    let compared = compared(base, new, at);
    let movement = compared.totals.iter().find(|cost| cost.name == "movement").unwrap();
    assert!(movement.new.unwrap() < movement.base.unwrap(), "{movement:?}");
    assert!(compared.removed_count > 0.0);
}

/// Times of the report, by its own text, are those of the boxes.
#[test]
fn a_report_is_laid_over_its_graph() {
    let plate = [("N", 200), ("T", 2)];
    let [graph, report] = ["dace-1.0.2/heat.timed.sdfgz", "reports/heat.timed-0.json"].map(sample);
    check_report(graph.clone(), report.clone(), &plate);
    check_other_sizes(graph, report, &plate[..1]);
    let pair = ["reports/hdiff_numpy_prof.sdfg", "reports/hdiff_numpy_prof.report-0.json"];
    if let [Some(graph), Some(report)] = pair.map(corpus) {
        check_report(graph, report, &[("I", 256), ("J", 256), ("K", 160)]);
    }
}

/// What ran twice was no run of three steps: no rates of it, and that is said. Without a value nothing
/// has a place under a roof, and that is said, too.
fn check_other_sizes(graph: Vec<u8>, report: Vec<u8>, sizes: &[(&str, i128)]) {
    let session = open(&[("graph.sdfg", graph), ("report.json", report)]);
    ask(&session, GraphRequest::GraphMeasure(GraphMeasureParams { document: 0, measured: 1 }));
    let roof = |at: &[(&str, i128)]| -> GraphRooflineResult {
        let params = GraphRooflineParams {
            view: view(Some(2)),
            symbols: settings(at),
            limit: 50,
            machine: MACHINE,
        };
        get(&session, GraphRequest::GraphRoofline(params))
    };
    let legend = |at: &[(&str, i128)]| {
        let show = show(at, NodeQuantity::Rate {});
        let params = GraphOverlayParams { view: view(Some(2)), show };
        let told: GraphOverlayResult = get(&session, GraphRequest::GraphOverlay(params));
        told.nodes.unwrap()
    };
    let at = |steps: i128| [sizes, &[("T", steps)]].concat();
    let (own, other, unset) = (roof(&at(2)), roof(&at(3)), roof(sizes));
    let measured = |roof: &GraphRooflineResult| {
        roof.points.iter().filter(|point| point.time_s.is_some()).count()
            + roof.states.iter().filter(|state| state.time_s.is_some()).count()
    };
    assert!(measured(&own) > 5 && own.note.is_empty() && own.without_value == 0);
    assert_eq!(measured(&other), 0);
    assert!(other.note.starts_with("12 elements were timed another number"), "{}", other.note);
    assert!(unset.without_value > 0 && unset.points.len() < own.points.len(), "{unset:?}");
    let (own, other) = (legend(&at(2)), legend(&at(3)));
    assert!(own.values > 3 && own.note.is_empty());
    assert!(other.values == 0 && other.note.starts_with("12 elements"), "{other:?}");
}

fn check_report(graph: Vec<u8>, report: Vec<u8>, at: &[(&str, i128)]) {
    let told: Value = serde_json::from_slice(&report).unwrap();
    let mut expected: HashMap<String, f64> = HashMap::new();
    for event in told["traceEvents"].as_array().unwrap() {
        let id = |name: &str| event["args"][name].as_i64().unwrap_or(-1);
        let id = format!("{}/{}/{}/-1", id("cfg_id"), id("state_id"), id("id"));
        *expected.entry(id).or_default() += event["dur"].as_f64().unwrap() * 1000.0;
    }
    let session = open(&[("graph.sdfg", graph), ("report.json", report)]);
    let params = GraphMeasureParams { document: 0, measured: 1 };
    let joined: GraphMeasureResult = get(&session, GraphRequest::GraphMeasure(params.clone()));
    assert_eq!(joined.measurement.metrics[0].name, "time");
    // Joined once more it is the same run.
    ask(&session, GraphRequest::GraphMeasure(params));
    let summary: GraphSummaryResult =
        get(&session, GraphRequest::GraphSummary(protocol::DocumentParams { document: 0 }));
    assert_eq!(summary.measurements.len(), 1);
    let drawn = Drawn::new(&session, &view(Some(9)));
    let time = NodeQuantity::Measured { name: "time".to_owned() };
    let params = GraphOverlayParams { view: view(Some(9)), show: show(&[], time) };
    let answer = ask(&session, GraphRequest::GraphOverlay(params));
    let values = reals(&answer.columns, "node_value");
    let elements = numbers(&drawn.columns, "element");
    let mut found = 0;
    for (element, &value) in
        elements.into_iter().zip(&values).filter(|(_, value)| value.is_finite())
    {
        let show = show(&[], NodeQuantity::None {});
        let about: GraphElementResult = get(
            &session,
            GraphRequest::GraphElement(GraphElementParams { document: 0, element, show }),
        );
        let Some(expected) = expected.get(&about.id) else { panic!("{} has no event", about.id) };
        assert_eq!(value, *expected, "{}", about.id);
        found += 1;
    }
    assert!(found > 10 && found == expected.len(), "{found} of {}", expected.len());
    let params = GraphRooflineParams {
        view: view(Some(2)),
        symbols: settings(at),
        limit: 5,
        machine: MACHINE,
    };
    let roof: GraphRooflineResult = get(&session, GraphRequest::GraphRoofline(params));
    assert!(roof.points.iter().all(|point| point.intensity == point.work / point.bytes));
    assert_eq!(roof.ridge, 12.5);
    let below = roof.points.iter().filter(|point| point.intensity < 12.5).count();
    assert_eq!((roof.memory_bound + roof.between) as usize, below);
    for point in &roof.points {
        let attainable = (point.intensity * MACHINE.bandwidth).min(MACHINE.peak);
        let expected = point.time_s.map_or(attainable, |time| point.work / time);
        assert_eq!(point.rate, expected, "{}", point.label);
    }
    for machine in [
        RooflineMachine { bandwidth: 0.0, ..MACHINE },
        RooflineMachine { peak: f64::NAN, ..MACHINE },
    ] {
        let view = view(Some(2));
        let params = GraphRooflineParams { view, symbols: settings(at), limit: 5, machine };
        assert_eq!(refused(&session, GraphRequest::GraphRoofline(params)), ErrorCode::BadRequest);
    }
    assert!(roof.points.iter().any(|point| point.time_s.is_some_and(|time| time > 0.0)));
    // With all maps open their tasklets have no time: the maps have it still, and their colour.
    let params = GraphRooflineParams {
        view: view(Some(9)),
        symbols: settings(at),
        limit: 500,
        machine: MACHINE,
    };
    let open: GraphRooflineResult = get(&session, GraphRequest::GraphRoofline(params));
    assert!(open.points.len() > 10 && open.points.iter().all(|point| point.time_s.is_some()));
    let positions = reals(&answer.columns, "node_position");
    let maps = numbers(&drawn.columns, "kind").into_iter().zip(&values).zip(positions);
    let maps =
        maps.filter(|((kind, value), _)| *kind == GraphKind::Map as u32 && value.is_finite());
    assert!(maps.clone().count() > 10 && maps.clone().all(|(_, position)| position.is_finite()));
}

/// A product of matrices reads each element often: whether memory is its limit depends on what is
/// reused.
#[test]
fn a_roofline_is_a_range_between_both_movements() {
    let session = open(&[("product.sdfg", sample("dace-2.0.0b1/product.expanded.sdfg"))]);
    let at = &[("N", 1024), ("M", 1024), ("K", 1024)];
    let params = GraphRooflineParams {
        view: view(Some(1)),
        symbols: settings(at),
        limit: 50,
        machine: MACHINE,
    };
    let roof: GraphRooflineResult = get(&session, GraphRequest::GraphRoofline(params));
    assert_eq!((roof.memory_bound, roof.between), (0, 1), "{:?}", roof.points);
    let (n, point) = (1024f64, &roof.points[0]);
    assert_eq!(point.work, n * n * (2.0 * n + 1.0));
    // Three matrices of 8 bytes an element, the result is written and read again.
    let best = point.intensity_of_distinct.unwrap();
    assert!((n / 16.0..=n / 12.0).contains(&best), "{best}");
    assert_eq!(point.most_rate, Some(MACHINE.peak));
    let time = point.predicted_s;
    assert_eq!(time.least, Some(point.work / MACHINE.peak));
    assert_eq!(time.most, point.bytes / MACHINE.bandwidth);
    let all: Vec<f64> = roof.states.iter().map(|state| state.predicted_s.most).collect();
    // The whole under one roof takes no longer than its states one after the other.
    let whole = roof.predicted_s.unwrap();
    assert!(whole.most <= all.iter().sum::<f64>() && whole.least.unwrap() <= whole.most);
    assert_eq!(whole.least, Some(point.work / MACHINE.peak));
    assert!(all.is_sorted_by(|a, b| a >= b), "{all:?}");
}

#[test]
fn costs_say_how_certain_they_are() {
    use protocol::CostCertainty::{AtMost, Estimated, Exact, Unknown};
    let files = ["product.sdfg", "leave.sdfg", "sparse.sdfgz"];
    let expected = [
        [("work", Exact), ("movement", Exact), ("depth", Exact), ("intensity", Exact)],
        // It may end early.
        [("work", AtMost), ("movement", AtMost), ("distinct", AtMost), ("intensity", Estimated)],
        // Data decides how long rows are.
        [("work", Unknown), ("movement", Unknown), ("depth", Exact), ("intensity", Unknown)],
    ];
    for (file, expected) in files.iter().zip(expected) {
        let session = open(&[(file, sample(&format!("dace-2.0.0b1/{file}")))]);
        let params =
            GraphOverlayParams { view: view(None), show: show(&[], NodeQuantity::None {}) };
        let told: GraphOverlayResult = get(&session, GraphRequest::GraphOverlay(params));
        for (name, certainty) in expected {
            let cost = told.totals.iter().find(|cost| cost.name == name).unwrap();
            assert_eq!(cost.certainty, certainty, "{file}: {name}: {}", cost.note);
        }
    }
}

/// A rectifier is `max(x, 0)`: no operation as DaCe counts.
#[test]
fn operations_that_count_are_chosen() {
    use protocol::{CountedOperations, GraphCountingParams, OpenedResult};
    let session = open(&[("rectified.sdfgz", sample("dace-2.0.0b1/rectified.sdfgz"))]);
    let count = |document: u32, operations| -> u32 {
        let request = GraphRequest::GraphCounting(GraphCountingParams { document, operations });
        get::<OpenedResult>(&session, request).document
    };
    let work = |document: u32| {
        let view = GraphView { document, ..view(None) };
        let show = show(&[], NodeQuantity::Work {});
        let told: GraphOverlayResult =
            get(&session, GraphRequest::GraphOverlay(GraphOverlayParams { view, show }));
        told.totals.into_iter().find(|cost| cost.name == "work").unwrap().expression
    };
    let every = count(0, CountedOperations::Every);
    assert_ne!(every, 0);
    assert_ne!(work(every), work(0));
    assert_eq!(count(0, CountedOperations::Every), every);
    assert_eq!(count(every, CountedOperations::Dace), 0);
    assert_eq!(count(every, CountedOperations::Every), every);
    // What is compared counts the same on both sides.
    let params = GraphCompareParams { document: every, base: 0, symbols: vec![] };
    let same: GraphCompareResult = get(&session, GraphRequest::GraphCompare(params));
    assert_eq!(same.changed_count, 0.0);
    let summary = GraphRequest::GraphSummary(protocol::DocumentParams { document: every });
    let summary: GraphSummaryResult = get(&session, summary);
    assert_eq!(summary.operations, CountedOperations::Every);
    assert_eq!(summary.title, "rectified.sdfgz, every operation");
}

/// Lifetimes cover the states whose bytes they are part of.
#[test]
fn memory_is_reported_along_the_states() {
    let files = ["dace-1.0.2/heat.raw.sdfgz", "dace-2.0.0b1/glance.raw.sdfgz"];
    let corpus = ["dace-1.0.2/hdiff_numpy.raw.sdfg", "dace-2.0.0b1/jacobi2d.raw.sdfg"];
    for (name, bytes) in graphs(&files, &corpus) {
        let session = open(&[(name, bytes)]);
        let summary: GraphSummaryResult =
            get(&session, GraphRequest::GraphSummary(protocol::DocumentParams { document: 0 }));
        let at: Vec<(&str, i128)> = summary.symbols.iter().map(|one| (&*one.name, 64)).collect();
        let params = GraphMemoryParams { document: 0, symbols: settings(&at) };
        let told: GraphMemoryResult = get(&session, GraphRequest::GraphMemory(params));
        let peak = told.peak.unwrap().alive.value.unwrap();
        let all = told.states.iter().filter_map(|state| state.alive.value);
        assert!(told.states.len() > 1 && all.fold(0.0, f64::max) >= peak, "{name}");
        for (place, state) in (0u32..).zip(&told.states) {
            let covers = |one: &&protocol::ContainerMemory| {
                one.spans.iter().any(|[first, last]| (first..=last).contains(&&place))
            };
            let most: f64 =
                told.containers.iter().filter(covers).filter_map(|one| one.bytes.value).sum();
            let least = state.alive.value.unwrap();
            let given: f64 = (told.containers.iter())
                .filter(|one| one.alive == "given from outside")
                .filter_map(|one| one.bytes.value)
                .sum();
            assert!(least >= given, "{name} {}", state.label);
            // Inner graphs of a state run one after the other.
            assert!(most >= least, "{name} {}: {most} {least}", state.label);
            assert!(
                summary.graphs > 1.0 || most == least,
                "{name} {}: {most} {least}",
                state.label
            );
        }
    }
    let session = open(&[("square.sdfg", square())]);
    let params = GraphMemoryParams { document: 0, symbols: vec![] };
    let told: GraphMemoryResult = get(&session, GraphRequest::GraphMemory(params));
    assert!(told.peak.is_none() && told.states.len() == 1);
}

/// A state that sends 100 doubles, in a loop of five.
fn sender() -> Vec<u8> {
    let range = json!({"ranges": [{"start": "0", "end": "N - 1", "step": "1", "tile": "1"}], "type": "Range"});
    let memlet =
        json!({"type": "Memlet", "attributes": {"data": "A", "volume": "N", "subset": range}});
    let state = json!({"type": "SDFGState", "label": "send", "nodes": [
        {"type": "AccessNode", "label": "A", "attributes": {"data": "A"}},
        {"type": "LibraryNode", "label": "n", "classpath": "dace.libraries.mpi.nodes.send.Send"},
    ], "edges": [
        {"src": "0", "dst": "1", "dst_connector": "_buffer", "attributes": {"data": memlet}},
    ]});
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N"]}});
    let region = json!({"type": "LoopRegion", "label": "l", "attributes": {
        "loop_variable": "i", "init_statement": {"string_data": "i = 0", "language": "Python"},
        "loop_condition": {"string_data": "i < 5", "language": "Python"},
        "update_statement": {"string_data": "i = i + 1", "language": "Python"}},
        "nodes": [state], "edges": []});
    json!({"type": "SDFG", "attributes": {"name": "g", "_arrays": {"A": array}, "symbols": {"N": "int64"}},
        "nodes": [region], "edges": []})
    .to_string()
    .into_bytes()
}

#[test]
fn reports_payload_of_the_network() {
    let session = open(&[("send.sdfg", sender())]);
    let at = [("N", 100)];
    let overlay = |basis: GraphBasis| {
        let show = GraphShow { basis, ..show(&at, NodeQuantity::Network {}) };
        ask(&session, GraphRequest::GraphOverlay(GraphOverlayParams { view: view(Some(9)), show }))
    };
    let drawn = Drawn::new(&session, &view(Some(9)));
    let kinds = numbers(&drawn.columns, "kind");
    let of = |answer: &Answer, kind: GraphKind| {
        let values = reals(&answer.columns, "node_value");
        kinds.iter().zip(values).find(|(one, _)| **one == kind as u32).unwrap().1
    };
    let whole = overlay(GraphBasis::Whole);
    let payload = 100.0 * 8.0;
    for kind in [GraphKind::Library, GraphKind::State, GraphKind::Loop, GraphKind::Graph] {
        assert_eq!(of(&whole, kind), 5.0 * payload, "{kind:?}");
    }
    let each = overlay(GraphBasis::Each);
    assert_eq!(of(&each, GraphKind::Library), payload);
    assert!(of(&each, GraphKind::Loop).is_nan() && of(&whole, GraphKind::Access).is_nan());
    let totals: GraphOverlayResult = whole.into_result().unwrap();
    let total = totals.totals.iter().find(|cost| cost.name == "network").unwrap();
    assert_eq!(total.value, Some(5.0 * payload));
    // A graph that does not communicate says nothing of it.
    let session = open(&[("square.sdfg", square())]);
    let show = show(&at, NodeQuantity::None {});
    let params = GraphOverlayParams { view: view(None), show };
    let told: GraphOverlayResult = get(&session, GraphRequest::GraphOverlay(params));
    assert!(told.totals.iter().all(|cost| cost.name != "network"));
}

/// A loop that may end early: what is in it runs at most so often.
#[test]
fn what_may_not_run_is_no_exact_cost() {
    use protocol::CostCertainty::{AtMost, Exact};
    let movement = |costs: &[protocol::GraphCost]| {
        costs.iter().find(|cost| cost.name == "movement").unwrap().certainty
    };
    for (file, expected) in [("leave.sdfg", AtMost), ("ladder.sdfg", Exact)] {
        let session = open(&[(file, sample(&format!("dace-2.0.0b1/{file}")))]);
        let drawn = Drawn::new(&session, &view(Some(50)));
        let mut found = 0;
        for element in numbers(&drawn.columns, "element") {
            let show = show(&[("N", 20), ("M", 20)], NodeQuantity::None {});
            let params = GraphElementParams { document: 0, element, show };
            let told: GraphElementResult = get(&session, GraphRequest::GraphElement(params));
            if told.kind != Some(GraphKind::State) {
                continue;
            }
            found += 1;
            let label = &told.label;
            // Behind the loop whatever ended it, and before the return.
            let expected = if label == "close" { Exact } else { expected };
            assert_eq!(movement(&told.each), Exact, "{label}");
            assert_eq!(told.times.certainty, expected, "{label}: {}", told.times.note);
            assert_eq!(movement(&told.whole), expected, "{label}");
            let params = GraphSumParams { document: 0, elements: vec![element], symbols: vec![] };
            let sum: GraphSumResult = get(&session, GraphRequest::GraphSum(params));
            assert_eq!(movement(&sum.whole), expected, "{label}");
        }
        assert!(found > 0, "{file}");
    }
}

#[test]
fn fusions_are_ranked_by_what_they_save() {
    let files = ["dace-1.0.2/glance.sdfgz", "dace-2.0.0b1/glance.sdfgz"];
    let encoders = ["dace-1.0.2/encoder.sdfg", "dace-2.0.0b1/encoder.sdfg"];
    for (name, bytes) in graphs(&files, &encoders) {
        let session = open(&[(name, bytes)]);
        let summary: GraphSummaryResult =
            get(&session, GraphRequest::GraphSummary(protocol::DocumentParams { document: 0 }));
        let at: Vec<(&str, i128)> = summary.symbols.iter().map(|one| (&*one.name, 64)).collect();
        let ask_for = |limit: u32| -> GraphFusionsResult {
            let params = GraphFusionsParams { document: 0, symbols: settings(&at), limit };
            get(&session, GraphRequest::GraphFusions(params))
        };
        let all = ask_for(1000);
        let of = |is_able: bool| -> Vec<f64> {
            let some = all.fusions.iter().filter(|one| one.obstacle.is_empty() == is_able);
            some.map(|one| one.saved.value.unwrap()).collect()
        };
        assert!(!of(true).is_empty(), "{name}");
        for values in [of(true), of(false)] {
            assert!(values.is_sorted_by(|a, b| a >= b) && values.iter().all(|&v| v > 0.0));
        }
        if name.contains("encoder") {
            let first = &all.fusions[0];
            let maps = [&*first.first.label, &*first.second.label];
            assert_eq!(maps, ["softmax4_33", "_numpy_exp__map"], "{name}");
        }
        let few = ask_for(1);
        assert_eq!(few.fusions[..], all.fusions[..1]);
        assert_eq!(few.left_out as usize, all.fusions.len() - 1);
    }
}

/// What is in another element, or at it, is in its costs already.
#[test]
fn elements_are_added_up_once() {
    let session = open(&[("glance.sdfgz", sample("dace-2.0.0b1/glance.sdfgz"))]);
    let summary: GraphSummaryResult =
        get(&session, GraphRequest::GraphSummary(protocol::DocumentParams { document: 0 }));
    let at: Vec<(&str, i128)> =
        summary.symbols.iter().map(|symbol| (&*symbol.name, symbol.suggested as i128)).collect();
    let drawn = Drawn::new(&session, &view(Some(50)));
    let elements = numbers(&drawn.columns, "element");
    let kinds = numbers(&drawn.columns, "kind");
    let of_kind = |kind: GraphKind| {
        let all = elements.iter().zip(&kinds).filter(move |(_, one)| **one == kind as u32);
        all.map(|(element, _)| *element).collect::<Vec<u32>>()
    };
    let sum = |elements: Vec<u32>| -> GraphSumResult {
        let params = GraphSumParams { document: 0, elements, symbols: settings(&at) };
        get(&session, GraphRequest::GraphSum(params))
    };
    let value = |result: &GraphSumResult, name: &str| {
        let cost = result.whole.iter().find(|cost| cost.name == name).unwrap();
        (cost.value.unwrap(), cost.certainty)
    };
    let mut maps = of_kind(GraphKind::Map);
    maps.dedup();
    assert!(maps.len() > 2, "{maps:?}");
    let alone: Vec<(f64, f64)> = maps
        .iter()
        .map(|&map| {
            let one = sum(vec![map]);
            (value(&one, "work").0, value(&one, "movement").0)
        })
        .collect();
    let together = sum(maps.clone());
    let outer: Vec<u32> = together.counted.iter().map(|one| one.element).collect();
    let expected = |part: fn(&(f64, f64)) -> f64| {
        let counted = maps.iter().zip(&alone).filter(|(map, _)| outer.contains(map));
        counted.map(|(_, one)| part(one)).sum::<f64>()
    };
    assert_eq!(value(&together, "work").0, expected(|one| one.0));
    assert_eq!(value(&together, "movement").0, expected(|one| one.1));
    // Twice the same, and what is inside, add nothing.
    let tasklets = of_kind(GraphKind::Tasklet);
    let more = [maps.clone(), maps.clone(), tasklets.clone()].concat();
    let more = sum(more);
    assert_eq!(value(&more, "work").0, value(&together, "work").0);
    assert!(!more.left_out.is_empty());
    // An edge between two counts at both.
    let access = of_kind(GraphKind::Access);
    let both = sum([outer.clone(), access].concat());
    assert_eq!(value(&both, "movement").1, protocol::CostCertainty::AtMost);
    assert!(value(&both, "movement").0 > value(&together, "movement").0);
    assert_eq!(sum(vec![]).counted.len(), 0);
    let wrong = GraphSumParams { document: 0, elements: vec![u32::MAX], symbols: vec![] };
    assert_eq!(refused(&session, GraphRequest::GraphSum(wrong)), ErrorCode::BadRequest);
}

#[test]
fn a_profile_is_joined_by_names_and_ids() {
    let profile = b"main;square;work 30\nmain;square;outer_work_0_0_1(double*) 12\nmain;other 5\n";
    let session = open(&[("square.sdfg", square()), ("run.collapsed", profile.to_vec())]);
    let params = GraphMeasureParams { document: 0, measured: 1 };
    let joined: GraphMeasureResult = get(&session, GraphRequest::GraphMeasure(params));
    let metric = joined.measurement.metrics[0].name.clone();
    let params = GraphOverlayParams {
        view: view(Some(2)),
        show: show(&[], NodeQuantity::Measured { name: metric }),
    };
    let values = reals(&ask(&session, GraphRequest::GraphOverlay(params)).columns, "node_value");
    // The graph by its name, the map by its name and by its ids.
    assert_eq!((values[0], values[3]), (42.0, 42.0));
    assert!(values[1].is_nan());
}

#[test]
fn methods_tell_graphs_from_profiles() {
    let session = open(&[("g.sdfg", square()), ("p.collapsed", b"a;b 1\n".to_vec())]);
    let of = |document: u32| protocol::DocumentParams { document };
    assert_eq!(refused(&session, ProfileRequest::Summary(of(0))), ErrorCode::WrongKind);
    assert_eq!(refused(&session, GraphRequest::GraphSummary(of(1))), ErrorCode::WrongKind);
    let summary: GraphSummaryResult = get(&session, GraphRequest::GraphSummary(of(0)));
    assert_eq!((summary.name.as_str(), summary.nodes, summary.depth), ("square", 6.0, 3));
    assert_eq!(summary.symbols.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["N"]);
    let broken = open(&[("broken.sdfg", b"{\"type\": \"SDFG\", ".to_vec())]);
    assert_eq!(refused(&broken, GraphRequest::GraphSummary(of(0))), ErrorCode::Unreadable);
}

/// Whatever it is called.
#[test]
fn graphs_are_known_by_their_beginning() {
    let ours = ["dace-1.0.2/lens.sdfg", "dace-1.0.2/glance.raw.sdfgz", "dace-2.0.0b1/lens.sdfg"];
    let others =
        ["dace-0.14.4/views.sdfg", "dace-1.0.2/encoder.raw.sdfgz", "dace-2.0.0b1/views.sdfg"];
    for (name, bytes) in graphs(&ours, &others) {
        let session = open(&[("x", bytes)]);
        let of = protocol::DocumentParams { document: 0 };
        let summary: GraphSummaryResult = get(&session, GraphRequest::GraphSummary(of));
        assert!(summary.nodes > 2.0, "{name}");
        assert!(name.contains(&summary.dace_version) && !summary.dace_version.is_empty());
    }
}

#[test]
fn pictures_are_well_formed() {
    let mut hostile = String::from_utf8(square()).unwrap();
    hostile = hostile.replace("multiply", "a<b&\\\"c\\\">");
    let session = open(&[("square.sdfg", hostile.into_bytes())]);
    for dark in [false, true] {
        let params = GraphSvgParams {
            view: view(None),
            show: show(&[("N", 100)], NodeQuantity::Work {}),
            dark,
        };
        let picture: TextResult = get(&session, GraphRequest::GraphSvg(params));
        assert_eq!(picture.file_name, "square.sdfg.svg");
        let text = &picture.text;
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert!(text.contains("a&lt;b&amp;") && !text.contains("a<b"), "{text}");
        assert!(text.contains(">800 B</text>"));
        assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
    }
}

/// Scopes in scopes in scopes, and two graphs' worth of blocks: nothing recurses without bound.
#[test]
fn deep_nests_and_long_chains_are_drawn() {
    const DEEP: usize = 3000;
    let mut nodes = vec![node("AccessNode", "A", json!({"data": "A"}))];
    let mut edges = vec![];
    for scope in 0..DEEP {
        nodes.push(node(
            "MapEntry",
            "m",
            json!({"params": [format!("i{scope}")], "range": range("3")}),
        ));
        edges.push(edge(scope, scope + 1, "A", "1"));
    }
    for scope in 0..DEEP {
        nodes.push(node("MapExit", "m", json!({})));
        edges.push(edge(DEEP + scope, DEEP + scope + 1, "A", "1"));
    }
    let state = json!({"type": "SDFGState", "label": "s", "nodes": nodes, "edges": edges});
    let session = open(&[("deep.sdfg", program(vec![state], vec![]))]);
    let drawn = Drawn::new(&session, &view(Some(u32::MAX)));
    assert!(drawn.labels().len() > 150 && drawn.labels().len() < 350, "{}", drawn.labels().len());

    let states: Vec<Value> =
        (0..2000).map(|_| json!({"type": "SDFGState", "label": "s"})).collect();
    let chain = (1..2000).map(|to| {
        let data = json!({"type": "InterstateEdge", "attributes": {}});
        json!({"src": (to - 1).to_string(), "dst": to.to_string(), "attributes": {"data": data}})
    });
    let session = open(&[("long.sdfg", program(states, chain.collect()))]);
    assert_eq!(Drawn::new(&session, &view(None)).labels().len(), 2001);
}
