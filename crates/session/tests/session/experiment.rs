//! What a page asks of an experiment, against the facts and the samples of a recorded one.

use std::collections::BTreeMap;
use std::io;

use formats::Source;
use profile::{FactKind, FactValue, Profile};
use protocol::{Answer, Column, ColumnData, ProtocolError, Request};
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

/// Two lengths by two interpreters, four runs each.
fn sample() -> Vec<u8> {
    std::fs::read(samples::testdata("hotframe/experiment.hotframe")).unwrap()
}

fn profile() -> Profile {
    let bytes = sample();
    let source = Source { bytes: Box::new(io::Cursor::new(bytes)), file_name: "e.hotframe" };
    formats::read(source, &ReadOptions::default()).unwrap().profile
}

fn open() -> Session {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let column = Column { name: "bytes".to_owned(), data: ColumnData::U8(sample()) };
    let upload = json!({"method": "upload", "params": {"upload": 1, "name": "e.hotframe",
        "offset": 0.0, "last": true, "format": null}});
    let request: Request = serde_json::from_value(upload).unwrap();
    session.answer(request, vec![column], &Silent).unwrap();
    session
}

fn view(document: u32) -> Value {
    json!({"document": document, "metric": 0, "shape": {"kind": "top_down"},
        "granularity": "function", "filters": [], "order": "value", "collapse_recursion": "none"})
}

fn try_ask(session: &Session, method: &str, params: &Value) -> Result<Answer, ProtocolError> {
    let request = json!({"method": method, "params": params});
    let request: Request = serde_json::from_value(request).unwrap();
    session.answer(request, vec![], &Silent)
}

fn ask(session: &Session, method: &str, params: &Value) -> Value {
    try_ask(session, method, params).unwrap().result
}

fn experiment(session: &Session) -> Value {
    ask(session, "experiment", &json!({"document": 0, "first": 0, "count": 100}))
}

fn near(found: &Value, want: f64) {
    let found = found.as_f64().unwrap_or(f64::NAN);
    assert!((found - want).abs() <= 1e-6 * want.abs(), "{found} is not {want}");
}

/// What runs of a cell, by its title, were by a measure.
fn measured(profile: &Profile, measure: &str) -> BTreeMap<String, Vec<f64>> {
    let mut found: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for member in &profile.members {
        let (mut levels, mut number) = (vec![], None);
        for fact in &member.facts {
            match fact.value {
                FactValue::Text(text) if fact.kind == FactKind::Factor => {
                    levels.push(format!("{}={}", profile.text(fact.name), profile.text(text)));
                }
                FactValue::Number(value, _) if profile.text(fact.name) == measure => {
                    number = Some(value as f64);
                }
                _ => {}
            }
        }
        found.entry(levels.join(" ")).or_default().push(number.unwrap());
    }
    found
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn cells_have_the_means_of_their_runs_and_say_how_far_they_are_from_the_least() {
    let session = open();
    let summary = ask(&session, "summary", &json!({"document": 0}));
    assert_eq!(summary["is_experiment"], true);
    let told = experiment(&session);
    assert_eq!(told["total_runs"], 16);
    assert_eq!(told["runs"].as_array().unwrap().len(), 16);
    let params = json!({"view": view(0), "quantity": {"kind": "measure", "name": "wall time"}});
    let matrix = ask(&session, "experiment_matrix", &params);
    let walls = measured(&profile(), "wall time");
    let least = walls.values().map(|runs| mean(runs)).fold(f64::INFINITY, f64::min);
    let cells = told["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 4);
    for (cell, value) in cells.iter().zip(matrix["cells"].as_array().unwrap()) {
        let runs = &walls[cell["title"].as_str().unwrap()];
        near(&value["mean"]["value"], mean(runs));
        near(&value["to_best"], mean(runs) / least);
        assert_eq!(value["runs"].as_u64().unwrap() as usize, runs.len());
        let [low, high] = ["low", "high"].map(|end| value["mean"][end].as_f64().unwrap());
        assert!(low < mean(runs) && mean(runs) < high);
    }
}

#[test]
fn groups_differ_by_what_their_cells_do_whatever_is_requested() {
    let session = open();
    let told = experiment(&session);
    let cells = told["cells"].as_array().unwrap();
    let with = |level: &str| -> Vec<usize> {
        (0..4).filter(|&cell| cells[cell]["title"].as_str().unwrap().contains(level)).collect()
    };
    let (base, new) = (with("seconds=0.2"), with("seconds=0.4"));
    let params = json!({"view": view(0), "quantity": {"kind": "measure", "name": "wall time"},
        "base": base, "new": new, "total": false, "count": 2});
    let differences = ask(&session, "experiment_differences", &params);
    let rows = differences["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(differences["total_rows"].as_u64().unwrap() > 2);
    // What stands first is more than chance, and its key asks for the same function.
    assert_eq!(rows[0]["believed"], true);
    let quantity = json!({"kind": "function", "key": rows[0]["key"], "total": false});
    let params = json!({"view": view(0), "quantity": quantity});
    let of_function = ask(&session, "experiment_matrix", &params);
    let side = |cells: &[usize]| {
        let value = |&cell: &usize| of_function["cells"][cell]["mean"]["value"].as_f64().unwrap();
        mean(&cells.iter().map(value).collect::<Vec<f64>>())
    };
    near(&rows[0]["difference"]["value"], side(&new) - side(&base));
    // An effect names its levels, so that the page knows the cells.
    let effects = ask(&session, "experiment_effects", &params);
    let levels: Vec<&Value> =
        effects["single"].as_array().unwrap().iter().map(|one| &one["levels"]).collect();
    assert_eq!(levels, [&json!([[0, 1]]), &json!([[1, 1]])]);
    // What there is not is refused.
    let params = json!({"view": view(0), "quantity": {"kind": "metric"}, "base": [9], "new": [0],
        "total": false, "count": 2});
    let error = try_ask(&session, "experiment_differences", &params).unwrap_err();
    assert!(error.message.contains("4 cells, not number 9"), "{}", error.message);
}

#[test]
fn a_history_goes_by_level_apart_for_the_others() {
    let session = open();
    let params = json!({"view": view(0), "quantity": {"kind": "measure", "name": "wall time"},
        "factor": "seconds"});
    let history = ask(&session, "experiment_history", &params);
    assert_eq!(history["unit"], "nanoseconds");
    let lines = history["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    let walls = measured(&profile(), "wall time");
    for line in lines {
        let steps = line["steps"].as_array().unwrap();
        assert_eq!([&steps[0]["level"], &steps[1]["level"]], ["0.2", "0.4"]);
        for step in steps {
            let (level, rest) = (step["level"].as_str().unwrap(), line["title"].as_str().unwrap());
            near(&step["mean"]["value"], mean(&walls[&format!("seconds={level} {rest}")]));
        }
        assert_eq!(line["changes"][0]["step"], 1);
    }
}

#[test]
fn parts_that_are_cells_compare_as_means_of_their_runs() {
    let session = open();
    let told = experiment(&session);
    let profile = profile();
    // One cell against two, so that sums and means are far apart.
    let filter = |cells: &[usize]| -> Value {
        let patterns: Vec<&str> = (cells.iter())
            .map(|&cell| told["cells"][cell]["pattern"].as_str().unwrap())
            .map(|pattern| pattern.strip_prefix("member=").unwrap())
            .collect();
        json!([{"kind": "label_focus", "pattern": format!("member={}", patterns.join(","))}])
    };
    let (base, new) = ([0], [1, 2]);
    let params = json!({"base": [0], "new": [0], "by_age": false, "noise": 0.0,
        "normalise": {"kind": "absolute"}, "filters": [filter(&base), filter(&new)]});
    let document = ask(&session, "compare", &params)["document"].as_u64().unwrap() as u32;
    let Answer { result, columns } =
        try_ask(&session, "summary", &json!({"document": document})).unwrap();
    let ColumnData::I64(totals) = &columns[0].data else { panic!("totals are whole numbers") };
    let metric = &result["comparison"]["metrics"][0];
    let sum = |cell: usize| -> f64 {
        let title = &told["cells"][cell]["title"];
        let is_of = |member: usize| {
            let name = &profile.members[member].name;
            name.rsplit_once(" #").is_some_and(|(cell, _)| title == cell)
        };
        let points = 0..profile.points.len();
        let own = points.filter(|&point| is_of(profile.points.member(point).index()));
        own.map(|point| profile.points.row(point)[0] as f64).sum()
    };
    let info = &result["metrics"][metric["base"].as_u64().unwrap() as usize];
    let decimals = info["decimals"].as_u64().unwrap() as i32;
    let side = |side: &str, cells: &[usize]| {
        let total = totals[metric[side].as_u64().unwrap() as usize] as f64;
        let runs = 4.0 * cells.len() as f64;
        let want = cells.iter().map(|&cell| sum(cell)).sum::<f64>() / runs;
        let found = total / 10f64.powi(decimals);
        assert!((found - want).abs() < 1e-3 * want, "{side}: {found} is not {want}");
    };
    side("base", &base);
    side("new", &new);
}
