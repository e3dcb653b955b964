//! Functions by their calls, asked for as a page asks for them.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::io;

use protocol::{
    Answer, Column, ColumnData, ErrorCode, ProtocolError, Request, ScatterResult, TextResult,
    UploadResult,
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
    let column = Column { name: "bytes".to_owned(), data: ColumnData::U8(bytes) };
    let upload = json!({"method": "upload", "params": {"upload": 1, "name": name,
        "offset": 0.0, "last": true, "format": null}});
    let request: Request = serde_json::from_value(upload).unwrap();
    let answer = session.answer(request, vec![column], &Silent).unwrap();
    let result: UploadResult = answer.into_result().unwrap();
    (session, result.document.unwrap())
}

fn sample(path: &str) -> (Session, u32) {
    open(path, std::fs::read(samples::testdata(path)).unwrap())
}

fn view(document: u32, metric: u32) -> Value {
    json!({"document": document, "metric": metric, "shape": {"kind": "top_down"},
        "granularity": "function", "filters": [], "order": "value", "collapse_recursion": false})
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
    let truth = std::fs::read(samples::testdata("calls/recurse.pstats.json")).unwrap();
    let truth: BTreeMap<String, [i64; 2]> = serde_json::from_slice(&truth).unwrap();
    let trace = sample("calls/recurse.trace.json");
    let found = scatter(&trace, 0, "total_value").unwrap();
    assert_eq!(counts(&found), truth);
    assert_eq!(found.0.primitive_unknown, None);
}

#[test]
fn marks_stand_where_their_figures_are() {
    let trace = sample("calls/recurse.trace.json");
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
    let (result, columns) = scatter(&sample("pstats/cprofile.prof"), 0, "total_value").unwrap();
    assert!(result.primitive_unknown.unwrap().contains("which calls were recursive"));
    assert_eq!(result.of, protocol::ScatterOf::OwnValue);
    assert!(whole(&columns, "primitive").iter().all(|&calls| calls == i64::MIN));
    assert!(whole(&columns, "calls").iter().sum::<i64>() > 0);
}

#[test]
fn samples_are_no_calls() {
    let error = scatter(&sample("collapsed/perf.collapsed"), 0, "own_value").unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest);
    assert_eq!(error.message, "Nothing in this profile counts calls.");
    // Calls a call are nothing to look at.
    let error = scatter(&sample("calls/recurse.trace.json"), 1, "own_value").unwrap_err();
    assert_eq!(error.message, "calls cannot be divided by itself.");
}

#[test]
fn what_is_not_placed_is_told() {
    let (session, document) = sample("calls/recurse.trace.json");
    let params = json!({"view": view(document, 0), "of": "own_value", "most": 3});
    let Answer { result, columns } = ask(&session, "scatter", &params).unwrap();
    let result: ScatterResult = serde_json::from_value(result).unwrap();
    assert_eq!((result.rows.len(), result.total_rows), (3, 9));
    let [program, rest, _] = whole(&columns, "scale")[..] else { panic!("three entries") };
    assert_eq!(whole(&columns, "self_value").iter().sum::<i64>() + rest, program);
}

#[test]
fn the_table_has_all_figures() {
    let (session, document) = sample("calls/recurse.trace.json");
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
