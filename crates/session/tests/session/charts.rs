//! Charts of functions, asked for as a page asks for them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use protocol::{
    Answer, BarsResult, CallGraphResult, Column, ColumnData, ErrorCode, FlameFlag, FlameResult,
    FunctionsResult, OpenedResult, ProtocolError, Request, ScatterResult, SummaryResult,
    TextResult, UploadResult,
};
use serde_json::{Value, json};
use session::{Host, Input, ReadOptions, Session, Silent};

struct Nothing;

impl Host for Nothing {
    fn open(&self, _: &str) -> io::Result<Input> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

fn open(name: &str, bytes: Vec<u8>) -> (Session, u32) {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let document = upload(&session, name, bytes);
    (session, document)
}

fn upload(session: &Session, name: &str, bytes: Vec<u8>) -> u32 {
    let column = Column { name: "bytes".to_owned(), data: ColumnData::U8(bytes) };
    let upload = json!({"method": "upload", "params": {"upload": 1, "name": name,
        "offset": 0.0, "last": true, "format": null}});
    let request: Request = serde_json::from_value(upload).unwrap();
    let answer = session.answer(request, vec![column], &Silent).unwrap();
    let result: UploadResult = answer.into_result().unwrap();
    result.document.unwrap()
}

fn sample(path: &str) -> (Session, u32) {
    open(path, std::fs::read(samples::testdata(path)).unwrap())
}

fn view(document: u32, metric: u32) -> Value {
    json!({"document": document, "metric": metric, "shape": {"kind": "top_down"},
        "granularity": "function", "filters": [], "order": "value", "collapse_recursion": "none"})
}

fn ask(session: &Session, method: &str, params: &Value) -> Result<Answer, ProtocolError> {
    let request = json!({"method": method, "params": params});
    let request: Request = serde_json::from_value(request).unwrap();
    session.answer(request, vec![], &Silent)
}

fn scatter(
    (session, document): &(Session, u32),
    metric: u32,
    of: &str,
) -> Result<(ScatterResult, Vec<Column>), ProtocolError> {
    let params = json!({"view": view(*document, metric), "of": of, "most": 5000});
    let Answer { result, columns } = ask(session, "scatter", &params)?;
    Ok((serde_json::from_value(result).unwrap(), columns))
}

fn whole(columns: &[Column], name: &str) -> Vec<i64> {
    match &columns.iter().find(|column| column.name == name).unwrap().data {
        ColumnData::I64(values) => values.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

fn real(columns: &[Column], name: &str) -> Vec<f64> {
    match &columns.iter().find(|column| column.name == name).unwrap().data {
        ColumnData::F64(values) => values.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

/// Primitive and all calls by name.
fn counts((result, columns): &(ScatterResult, Vec<Column>)) -> BTreeMap<String, [i64; 2]> {
    let counts = whole(columns, "primitive").into_iter().zip(whole(columns, "calls"));
    let names = result.rows.iter().map(|row| row.name.clone());
    names.zip(counts.map(|(primitive, all)| [primitive, all])).collect()
}

#[test]
fn calls_of_a_trace_are_those_of_pstats() {
    let truth = std::fs::read(samples::testdata("recursion/recurse.pstats.json")).unwrap();
    let truth: BTreeMap<String, [i64; 2]> = serde_json::from_slice(&truth).unwrap();
    let trace = sample("recursion/recurse.trace.json");
    let found = scatter(&trace, 0, "total_value").unwrap();
    assert_eq!(counts(&found), truth);
    assert_eq!(found.0.primitive_unknown, None);
}

#[test]
fn marks_stand_where_their_figures_are() {
    let trace = sample("recursion/recurse.trace.json");
    for (of, value, calls) in
        [("own_value", "self_value", "calls"), ("total_value", "total_value", "primitive")]
    {
        let (result, columns) = scatter(&trace, 0, of).unwrap();
        let (x, y, mean) = (real(&columns, "x"), real(&columns, "y"), real(&columns, "mean"));
        let at = |[from, to]: [f64; 2], value: f64| (value / from).ln() / (to / from).ln();
        let figures = whole(&columns, calls).into_iter().zip(whole(&columns, value));
        for (mark, (calls, value)) in figures.enumerate() {
            let expected = value as f64 / calls as f64;
            assert!((mean[mark] - expected).abs() < 1e-6, "{} is not {expected}", mean[mark]);
            assert!((x[mark] - at(result.across, calls as f64)).abs() < 1e-9);
            assert!((y[mark] - at(result.up, expected)).abs() < 1e-9);
        }
        let totals = whole(&columns, "total_value");
        assert!(totals.is_sorted_by(|a, b| a >= b), "{totals:?} begins with the largest");
    }
}

#[test]
fn files_without_paths_tell_calls_but_no_recursion() {
    let (result, columns) =
        scatter(&sample("callgrind/plain.callgrind"), 0, "total_value").unwrap();
    assert!(result.primitive_unknown.unwrap().contains("which calls were recursive"));
    assert_eq!(result.of, protocol::ScatterOf::OwnValue);
    assert!(whole(&columns, "primitive").iter().all(|&calls| calls == i64::MIN));
    assert!(whole(&columns, "calls").iter().sum::<i64>() > 0);
    // Some count what began outside of itself.
    let (result, columns) = scatter(&sample("pstats/cprofile.prof"), 0, "total_value").unwrap();
    assert_eq!((result.primitive_unknown, result.of), (None, protocol::ScatterOf::TotalValue));
    let [calls, primitive] = ["calls", "primitive"].map(|column| whole(&columns, column));
    let pairs = || calls.iter().zip(&primitive);
    assert!(pairs().all(|(all, primitive)| 0 <= *primitive && primitive <= all));
    assert!(pairs().any(|(all, primitive)| primitive < all));
}

#[test]
fn samples_are_no_calls() {
    let error = scatter(&sample("collapsed/perf.collapsed"), 0, "own_value").unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest);
    assert_eq!(error.message, "No call counts.");
    // Calls a call are nothing to look at.
    let error = scatter(&sample("recursion/recurse.trace.json"), 1, "own_value").unwrap_err();
    assert_eq!(error.message, "calls cannot be divided by itself.");
}

#[test]
fn reports_what_is_not_placed() {
    let (session, document) = sample("recursion/recurse.trace.json");
    let params = json!({"view": view(document, 0), "of": "own_value", "most": 3});
    let Answer { result, columns } = ask(&session, "scatter", &params).unwrap();
    let result: ScatterResult = serde_json::from_value(result).unwrap();
    assert_eq!((result.rows.len(), result.total_rows), (3, 9));
    let [program, rest, _] = whole(&columns, "scale")[..] else { panic!("three entries") };
    assert_eq!(whole(&columns, "self_value").iter().sum::<i64>() + rest, program);
}

#[test]
fn the_table_has_all_figures() {
    let (session, document) = sample("recursion/recurse.trace.json");
    let params = json!({"view": view(document, 0)});
    let answer = ask(&session, "export_calls_csv", &params).unwrap();
    let TextResult { text, .. } = answer.into_result().unwrap();
    let head = text.lines().next().unwrap();
    assert_eq!(
        head,
        "function,file,line,module,calls,primitive calls,time self (nanoseconds),\
         time total (nanoseconds),time self a call (nanoseconds),\
         time total a primitive call (nanoseconds)"
    );
    let fib = text.lines().find(|line| line.starts_with("fib:16")).unwrap();
    assert!(fib.contains(",40,10,"), "{fib}");
    assert_eq!(text.lines().count(), 10);
}

fn list(document: u32, metric: u32, count: u32) -> Value {
    json!({"view": view(document, metric), "metrics": [metric],
        "sort": {"by": "self_value", "metric": metric, "reverse": false},
        "filter": "", "direction": null, "first": 0, "count": count})
}

/// Self and total by name, as the list of functions tells them.
fn listed(session: &Session, document: u32) -> BTreeMap<String, [i64; 2]> {
    let Answer { result, columns } = ask(session, "functions", &list(document, 0, 1000)).unwrap();
    let result: FunctionsResult = serde_json::from_value(result).unwrap();
    let (own, total) = (whole(&columns, "self_value"), whole(&columns, "total_value"));
    let values = own.into_iter().zip(total).map(|(own, total)| [own, total]);
    result.rows.into_iter().map(|row| row.name).zip(values).collect()
}

/// Five runs as documents of one session.
fn runs() -> (Session, Vec<u32>) {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let bytes =
        |run: u32| std::fs::read(samples::testdata(format!("runs/before-{run}.pb.gz"))).unwrap();
    let documents = (1..=5).map(|run| upload(&session, &format!("{run}"), bytes(run))).collect();
    (session, documents)
}

/// Bars of means have the lengths and spreads that the runs by themselves tell.
fn assert_means(session: &Session, asked: &Value, alone: &[BTreeMap<String, [i64; 2]>]) {
    // Means of a comparison are told more finely than what was measured.
    let document = json!({"document": asked["view"]["document"]});
    let summary: SummaryResult = ask(session, "summary", &document).unwrap().into_result().unwrap();
    let metric = &summary.metrics[asked["metrics"][0].as_u64().unwrap() as usize];
    let scale = 10f64.powi(metric.decimals as i32);
    let Answer { result, columns } = ask(session, "bars", asked).unwrap();
    let result: BarsResult = serde_json::from_value(result).unwrap();
    assert_eq!(result.members, Some(alone.len() as u32));
    assert!(!result.rows.is_empty());
    for (row, info) in result.rows.iter().enumerate() {
        for (side, which) in ["self", "total"].into_iter().enumerate() {
            let of = |run: &BTreeMap<String, [i64; 2]>| {
                run.get(&info.name).map_or(0.0, |values| values[side] as f64)
            };
            let values: Vec<f64> = alone.iter().map(of).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(0.0, f64::max);
            for (end, expected) in [("length", mean), ("least", least), ("most", most)] {
                let found = real(&columns, &format!("{which}_{end}"))[row] / scale;
                let off = (found - expected).abs();
                assert!(
                    off <= 1e-6 * most.max(1.0),
                    "{} {which} {end}: {found} is not {expected}",
                    info.name
                );
            }
            assert!(most * scale <= *result.ticks.last().unwrap());
        }
    }
}

#[test]
fn bars_of_several_runs_are_means_with_the_least_and_the_most() {
    let (session, documents) = runs();
    let alone: Vec<_> = documents.iter().map(|&document| listed(&session, document)).collect();
    let answer = ask(&session, "merge", &json!({"documents": documents})).unwrap();
    let merged: OpenedResult = answer.into_result().unwrap();
    assert_means(&session, &list(merged.document, 0, 1000), &alone);
}

#[test]
fn bars_of_one_side_are_of_its_runs() {
    let (session, documents) = runs();
    let alone: Vec<_> = documents.iter().map(|&document| listed(&session, document)).collect();
    let (base, new) = documents.split_at(2);
    let params = json!({"base": base, "new": new, "by_age": false,
        "normalise": {"kind": "absolute"}, "noise": 0.0});
    let compared: OpenedResult = ask(&session, "compare", &params).unwrap().into_result().unwrap();
    assert_means(&session, &list(compared.document, 0, 1000), &alone[..2]);
    assert_means(&session, &list(compared.document, 1, 1000), &alone[2..]);
    // Both sides together are not runs.
    let Answer { result, .. } = ask(&session, "bars", &list(compared.document, 2, 9)).unwrap();
    assert_eq!(serde_json::from_value::<BarsResult>(result).unwrap().members, None);
}

#[test]
fn bars_of_one_profile_are_its_values() {
    let (session, document) = sample("recursion/recurse.trace.json");
    let Answer { result, columns } = ask(&session, "bars", &list(document, 0, 4)).unwrap();
    let result: BarsResult = serde_json::from_value(result).unwrap();
    assert_eq!((result.rows.len(), result.total_rows, result.members), (4, 9, None));
    let own = whole(&columns, "self_value");
    assert!(own.is_sorted_by(|a, b| a >= b), "{own:?} begins with the largest");
    let lengths = real(&columns, "self_length");
    assert!(own.iter().zip(lengths).all(|(&value, length)| value as f64 == length));
    let [program, rest] = whole(&columns, "scale")[..] else { panic!("two entries") };
    assert_eq!(own.iter().sum::<i64>() + rest, program);
}

fn treemap(document: u32, shape: &str, least: f64) -> Value {
    let mut view = view(document, 0);
    view["shape"] = json!({"kind": shape});
    json!({"view": view, "instance": null, "root": 0, "width": 900.0, "height": 600.0,
        "least": least, "search": "fib", "labels": "function"})
}

#[test]
fn boxes_of_a_treemap_are_functions_in_files_in_modules() {
    let (session, document) = sample("recursion/recurse.trace.json");
    let asked = treemap(document, "flat", 0.0);
    let Answer { result, columns } = ask(&session, "treemap", &asked).unwrap();
    let result: FlameResult = serde_json::from_value(result).unwrap();
    let own = whole(&columns, "self_value");
    let numbers = |name: &str| match &columns.iter().find(|one| one.name == name).unwrap().data {
        ColumnData::U32(values) => values.clone(),
        other => panic!("{name} is {other:?}"),
    };
    let (rows, names, flags) = (numbers("row"), numbers("name"), numbers("flags"));
    let mut sums = BTreeMap::<String, i64>::new();
    for at in (0..own.len()).filter(|&at| rows[at] == 3) {
        *sums.entry(result.names[names[at] as usize].clone()).or_default() += own[at];
    }
    let expected = listed(&session, document).into_iter().map(|(name, [own, _])| (name, own));
    assert_eq!(sums, expected.filter(|&(_, own)| own > 0).collect());
    // Every level is the whole, and boxes stand in the picture.
    let of_row = |row: u32| (0..own.len()).filter(|&at| rows[at] == row).map(|at| own[at]).sum();
    let levels: Vec<i64> = (1..=3).map(of_row).collect();
    assert!(levels.iter().all(|&sum| sum == whole(&columns, "scale")[0]), "{levels:?}");
    let (y, height) = (real(&columns, "y"), real(&columns, "height"));
    assert!(y.iter().zip(&height).all(|(y, height)| *y >= 0.0 && y + height <= 600.0 + 1e-6));
    let found = flags.iter().filter(|&&flags| flags & FlameFlag::MATCHES != 0).count();
    assert!(found > 0, "the search finds fib");
}

#[test]
fn what_is_small_in_a_treemap_is_reported_together() {
    let (session, document) = sample("pprof/cpu.pb.gz");
    for shape in ["top_down", "bottom_up", "flat"] {
        let asked = treemap(document, shape, 0.05);
        let Answer { result, .. } = ask(&session, "treemap", &asked).unwrap();
        let result: FlameResult = serde_json::from_value(result).unwrap();
        assert!(result.merged_frames > 0.0, "{shape} has boxes below a twentieth");
        assert!((result.narrowest - 0.05).abs() < 1e-9);
    }
    let error = ask(&session, "treemap", &treemap(document, "flat", 2.0)).unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest);
}

fn call_graph(document: u32, least: [f64; 2], most: u32) -> Value {
    json!({"view": view(document, 0), "least_node": least[0], "least_edge": least[1],
        "most": most})
}

fn places(columns: &[Column], name: &str) -> Vec<usize> {
    match &columns.iter().find(|column| column.name == name).unwrap().data {
        ColumnData::U32(values) => values.iter().map(|&at| at as usize).collect(),
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn a_call_graph_has_the_functions_and_their_recursion() {
    let (session, document) = sample("recursion/recurse.trace.json");
    let asked = call_graph(document, [0.0, 0.0], 80);
    let Answer { result, columns } = ask(&session, "call_graph", &asked).unwrap();
    let result: CallGraphResult = serde_json::from_value(result).unwrap();
    let (own, total) = (whole(&columns, "self_value"), whole(&columns, "total_value"));
    let values = own.iter().zip(&total).map(|(&own, &total)| [own, total]);
    let names: Vec<String> = result.rows.iter().map(|row| row.name.clone()).collect();
    let found: BTreeMap<_, _> = names.iter().cloned().zip(values).collect();
    assert_eq!(found, listed(&session, document));
    assert_eq!((result.below, result.beyond, result.calls_below, result.calls_apart), (0, 0, 0, 0));
    // fib calls itself, and what it has below itself counts once.
    let fib = names.iter().position(|name| name.starts_with("fib")).unwrap();
    let (callers, callees) = (places(&columns, "caller"), places(&columns, "callee"));
    let value = whole(&columns, "value");
    let of = |at: usize| (callers[at], callees[at]);
    let itself = (0..value.len()).find(|&at| of(at) == (fib, fib)).unwrap();
    assert!(value[itself] > 0 && value[itself] <= total[fib]);
    for at in 0..value.len() {
        assert!(value[at] <= total[callers[at]].min(total[callees[at]]), "{:?}", of(at));
    }
}

#[test]
fn reports_what_a_call_graph_leaves_out() {
    let (session, document) = sample("pprof/cpu.pb.gz");
    let ask = |least, most| {
        let Answer { result, columns } =
            ask(&session, "call_graph", &call_graph(document, least, most)).unwrap();
        (serde_json::from_value::<CallGraphResult>(result).unwrap(), columns)
    };
    let (all, _) = ask([0.0, 0.0], 300);
    for (least, most) in [([0.0, 0.0], 300), ([0.05, 0.01], 300), ([0.005, 0.001], 12)] {
        let (result, columns) = ask(least, most);
        let [program, below, beyond] = whole(&columns, "scale")[..] else { panic!("three") };
        let own = whole(&columns, "self_value");
        assert_eq!(own.iter().sum::<i64>() + below + beyond, program);
        let shown = result.rows.len() as u32;
        assert_eq!(shown + result.below + result.beyond, all.total_rows);
        assert!(shown <= most);
        let least_total = program as f64 * least[0];
        assert!(whole(&columns, "total_value").iter().all(|&total| total as f64 >= least_total));
        let least_call = program as f64 * least[1];
        assert!(whole(&columns, "value").iter().all(|&value| value as f64 >= least_call));
        let ends = places(&columns, "route_end");
        assert_eq!(ends.last().copied(), Some(real(&columns, "route_x").len()));
    }
}

/// Self, total and calls of stacks as text, each stack counted once for everything on it.
type Walked = (BTreeMap<String, [i64; 2]>, BTreeMap<[String; 2], i64>);

fn walked(text: &str) -> Walked {
    let (mut functions, mut calls) = Walked::default();
    for line in text.lines() {
        let (stack, value) = line.rsplit_once(' ').unwrap();
        let value: i64 = value.parse().unwrap();
        let names: Vec<&str> = stack.split(';').collect();
        functions.entry(names.last().unwrap().to_string()).or_default()[0] += value;
        for name in names.iter().collect::<BTreeSet<_>>() {
            functions.entry(name.to_string()).or_default()[1] += value;
        }
        for pair in names.windows(2).collect::<BTreeSet<_>>() {
            *calls.entry([pair[0].to_owned(), pair[1].to_owned()]).or_default() += value;
        }
    }
    (functions, calls)
}

#[test]
fn a_call_graph_is_that_of_the_stacks_of_its_file() {
    // One function calls itself, two call each other.
    let text = "a;f;f;f 5\na;f;g;f;g 7\na;g 11\nb 13\nb;a;g;g;f 17\n";
    let recorded = std::fs::read_to_string(samples::testdata("collapsed/perf.collapsed")).unwrap();
    for text in [text, &recorded] {
        let (session, document) = open("stacks.collapsed", text.as_bytes().to_vec());
        let mut asked = call_graph(document, [0.0, 0.0], 300);
        asked["view"]["granularity"] = json!("name");
        let Answer { result, columns } = ask(&session, "call_graph", &asked).unwrap();
        let result: CallGraphResult = serde_json::from_value(result).unwrap();
        let names: Vec<&String> = result.rows.iter().map(|row| &row.name).collect();
        let (own, total) = (whole(&columns, "self_value"), whole(&columns, "total_value"));
        let values = own.iter().zip(&total).map(|(&own, &total)| [own, total]);
        let functions = names.iter().map(|name| name.to_string()).zip(values).collect();
        let (callers, callees) = (places(&columns, "caller"), places(&columns, "callee"));
        let ends = callers.iter().zip(&callees);
        let ends = ends.map(|(&from, &to)| [names[from].clone(), names[to].clone()]);
        let calls = ends.zip(whole(&columns, "value")).collect();
        let (mut expected, expected_calls) = walked(text);
        assert!(expected.len() <= 300, "all functions are drawn");
        expected.retain(|_, values| *values != [0, 0]);
        assert_eq!((functions, calls), (expected, expected_calls));
    }
}
