//! `--format parquet`, as pyarrow reads it: the cells of CSV, and around them what JSON has around its rows.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::parse::parse_csv;
use super::{fail, sample};

/// The bytes that a command prints.
fn printed(arguments: &[&str]) -> Vec<u8> {
    let arguments: Vec<&dyn AsRef<OsStr>> =
        arguments.iter().map(|word| word as &dyn AsRef<OsStr>).collect();
    let output = super::command(&arguments).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// What pyarrow reads from the output of commands: names and types of columns, rows, metadata.
fn read_by_pyarrow(python: &OsStr, commands: &[Vec<&str>]) -> Vec<Value> {
    let folder = TempDir::new().unwrap();
    let paths: Vec<PathBuf> =
        (0..commands.len()).map(|at| folder.path().join(format!("{at}.parquet"))).collect();
    for (command, path) in commands.iter().zip(&paths) {
        std::fs::write(path, printed(&[&command[..], &["--format", "parquet"]].concat())).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/parquet.py");
    let output = Command::new(python).arg(script).args(&paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether a cell of Parquet is that of CSV, where texts are guarded against formulas.
fn is_same(parquet: &Value, csv: &str) -> bool {
    match parquet {
        Value::Null => csv.is_empty(),
        Value::Bool(flag) => csv == flag.to_string(),
        Value::Number(number) => csv == number.to_string(),
        Value::String(text) if csv == text || csv.strip_prefix('\'') == Some(text) => true,
        Value::String(double) => {
            double.parse::<f64>().is_ok_and(|number| csv.parse::<f64>() == Ok(number))
        }
        _ => false,
    }
}

#[test]
fn parquet_has_the_cells_of_csv() {
    let Some(python) = std::env::var_os("HOTFRAME_SCIENCE_PYTHON") else {
        eprintln!("notice: no Python with pyarrow here (HOTFRAME_SCIENCE_PYTHON): left out");
        return;
    };
    let file = |name: &str| sample(name).to_str().unwrap().to_owned();
    let [cpu, heap] = ["pprof/cpu.pb.gz", "pprof/heap.pb.gz"].map(file);
    let trace = file("chrome-trace/object.trace.json");
    let events = file("perf-data/events.perf.data");
    let graph = file("sdfg/square.sdfg");
    let commands = [
        vec!["show", &cpu],
        vec!["show", &heap, "--view", "top-down"],
        vec!["show", &cpu, "--view", "call-graph"],
        vec!["show", &cpu, "--ignore", "."],
        vec!["show", &trace, "--view", "spans"],
        vec!["show", &trace, "--view", "concurrency"],
        vec!["show", &trace, "--view", "timeline"],
        vec!["diff", &cpu, &cpu, "--view", "top-down"],
        vec!["advice", &heap],
        vec!["events", "summary", &events],
        vec!["sdfg", "cost", &graph, "--table", "nodes"],
    ];
    let mut cells = 0;
    for (command, read) in commands.iter().zip(read_by_pyarrow(&python, &commands)) {
        let in_format = |format| printed(&[&command[..], &["--format", format]].concat());
        let csv = parse_csv(&String::from_utf8(in_format("csv")).unwrap());
        let names: Vec<&str> = read["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one[0].as_str().unwrap())
            .collect();
        let headings: Vec<&str> =
            csv[0].iter().map(|text| text.strip_prefix('\'').unwrap_or(text)).collect();
        assert_eq!(names, headings, "{command:?}");
        let rows = read["rows"].as_array().unwrap();
        assert_eq!(rows.len(), csv.len() - 1, "{command:?}");
        for (row, of_csv) in rows.iter().zip(&csv[1..]) {
            for (cell, text) in row.as_array().unwrap().iter().zip(of_csv) {
                assert!(is_same(cell, text), "{command:?}: {cell} is not {text:?}");
                cells += 1;
            }
        }
        // What stands around the rows is that of JSON.
        let json: Value = serde_json::from_slice(&in_format("json")).unwrap();
        for (key, value) in read["metadata"].as_object().unwrap() {
            assert_eq!(&json[key], value, "{command:?}: {key}");
        }
    }
    assert!(cells > 5_000, "{cells} cells were compared");
}

#[test]
fn types_do_not_depend_on_the_rows() {
    let Some(python) = std::env::var_os("HOTFRAME_SCIENCE_PYTHON") else {
        eprintln!("notice: no Python with pyarrow here (HOTFRAME_SCIENCE_PYTHON): left out");
        return;
    };
    let file = |name: &str| sample(name).to_str().unwrap().to_owned();
    let [cpu, memory] = ["pprof/cpu.pb.gz", "scalene/memory.scalene.json"].map(file);
    let trace = file("chrome-trace/object.trace.json");
    let events = file("perf-data/events.perf.data");
    let [before, after] = ["runs/before-1.pb.gz", "runs/after-1.pb.gz"].map(file);
    let nothing = ["--ignore", "."];
    let show = |file, view| vec!["show", file, "--view", view];
    let commands: [(Vec<&str>, &[&str]); 7] = [
        (show(&cpu, "flat"), &nothing),
        // Its values have decimals.
        (show(&memory, "flat"), &nothing),
        (show(&trace, "concurrency"), &["--time", "99s..100s"]),
        (show(&trace, "spans"), &["--time", "99s..100s"]),
        (vec!["advice", &cpu], &nothing),
        (vec!["events", "summary", &events], &nothing),
        (vec!["diff", &before, &after], &nothing),
    ];
    let both: Vec<Vec<&str>> = commands
        .iter()
        .flat_map(|(command, less)| [command.clone(), [command, *less].concat()])
        .collect();
    let read = read_by_pyarrow(&python, &both);
    for (pair, (command, _)) in read.chunks(2).zip(&commands) {
        assert_eq!(pair[0]["columns"], pair[1]["columns"], "{command:?}");
        let [some, less] = [0, 1].map(|at| pair[at]["rows"].as_array().unwrap().len());
        assert!(less < some, "{command:?}: {less} of {some} rows are left");
    }
    for (name, kind) in [("function", "string"), ("self", "int64"), ("estimated", "bool")] {
        assert!(read[0]["columns"].as_array().unwrap().contains(&serde_json::json!([name, kind])));
    }
}

#[test]
fn several_tables_need_the_name_of_one() {
    let graph = sample("sdfg/square.sdfg");
    let error = fail(1, &[&"sdfg", &"cost", &graph, &"--format", &"parquet"]);
    assert!(error.contains("Parquet has room for one table: choose one with --table"), "{error}");
    let Some(python) = std::env::var_os("HOTFRAME_SCIENCE_PYTHON") else { return };
    let graph = graph.to_str().unwrap();
    let command = vec!["sdfg", "cost", graph, "--table", "nodes"];
    let read = read_by_pyarrow(&python, std::slice::from_ref(&command));
    let json = printed(&[&command[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(read[0]["metadata"]["symbols"], json["symbols"]);
    assert!(json["symbols"].is_array() || json["symbols"].is_object(), "{json}");
}
