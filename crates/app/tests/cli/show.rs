//! `hotframe show`: its rows in every format and shape.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use serde_json::Value;
use tempfile::TempDir;

use super::parse::parse_csv;
use super::{
    VIEWS, additive_samples, assert_close, fail, hostile, json, keys, number, rows, sample, stdout,
    write,
};

#[test]
fn show_as_json_adds_up() {
    for path in additive_samples() {
        let info = json(&[&"info", &path, &"--format", &"json"]);
        for view in VIEWS {
            let what = format!("{view} of {}", path.display());
            let report = json(&[&"show", &path, &"--view", &view, &"--format", &"json"]);
            let wanted =
                ["version", "profile", "metric", "total", "metrics", "warnings", "view", "rows"];
            assert_eq!(keys(&report), BTreeSet::from(wanted), "{what}");
            assert_eq!(report["metrics"][0]["total"], report["total"], "{what}");
            assert_eq!(report["warnings"], info["warnings"], "{what}");
            let wanted = ["title", "format", "filtered_total"];
            assert_eq!(keys(&report["profile"]), BTreeSet::from(wanted), "{what}");
            assert_eq!(report["view"], view);
            let metrics = info["metrics"].as_array().unwrap();
            let metric = metrics.iter().find(|m| m["name"] == report["metric"]["name"]).unwrap();
            assert_eq!(report["metric"]["unit"], metric["unit"], "{what}");
            assert_eq!(report["total"], metric["total"], "{what}");
            assert_eq!(report["profile"]["filtered_total"], report["total"], "{what}");
            check_rows(&report, view, &what);
        }
    }
}

/// Checks rows against each other and against the total of what filters keep.
fn check_rows(report: &Value, view: &str, what: &str) {
    let total = number(&report["profile"]["filtered_total"]);
    let wanted = ["function", "file", "line", "module", "self", "total", "depth", "path"];
    // Total of the row and of its children, and the same for the rows above it.
    let mut open: Vec<(Vec<String>, f64, f64, f64)> = vec![];
    let mut root_sum = 0.0;
    let mut self_sum = 0.0;
    let close = |(path, own, row_total, children): (Vec<String>, f64, f64, f64)| {
        let parts = children + if view == "top-down" { own } else { 0.0 };
        assert!(parts <= row_total * (1.0 + 1e-9), "{what}: {path:?} has {parts} of {row_total}");
        if view == "top-down" {
            assert_close(parts, row_total, &format!("{what}: {path:?}"));
        }
    };
    assert!(!rows(report).is_empty(), "{what}");
    for row in rows(report) {
        assert_eq!(keys(row), BTreeSet::from(wanted), "{what}");
        assert!(row["file"].is_string() && row["module"].is_string() && row["line"].is_u64());
        let path: Vec<String> = serde_json::from_value(row["path"].clone()).unwrap();
        let depth = row["depth"].as_u64().unwrap() as usize;
        assert_eq!(path.len(), depth + 1, "{what}: {row}");
        assert_eq!(path.last().unwrap(), row["function"].as_str().unwrap(), "{what}");
        let (own, row_total) = (number(&row["self"]), number(&row["total"]));
        assert!(own <= row_total && row_total <= total, "{what}: {row}");
        self_sum += own;
        while open.len() > depth {
            close(open.pop().unwrap());
        }
        assert_eq!(open.len(), depth, "{what}: {row} follows no parent");
        match open.last_mut() {
            Some((parent, _, parent_total, children)) => {
                assert_eq!(parent[..], path[..depth], "{what}");
                assert!(row_total <= *parent_total, "{what}: {row} exceeds its parent");
                *children += row_total;
            }
            None => root_sum += row_total,
        }
        if view == "flat" {
            assert_eq!(depth, 0, "{what}: {row}");
        } else {
            open.push((path, own, row_total, 0.0));
        }
    }
    open.into_iter().rev().for_each(close);
    match view {
        "flat" => assert_close(self_sum, total, what),
        _ => assert_close(root_sum, total, what),
    }
    if view == "top-down" {
        assert_close(self_sum, total, what);
    }
}

#[test]
fn filters_keep_what_their_report_says() {
    let path = sample("pprof/labels.pb.gz");
    let whole = number(&json(&[&"show", &path, &"--format", &"json"])["total"]);
    let kept = |option: &str, pattern: &str| {
        for view in VIEWS {
            let report =
                json(&[&"show", &path, &"--view", &view, &"--format", &"json", &option, &pattern]);
            assert_eq!(number(&report["total"]), whole);
            check_rows(&report, view, &format!("{view} with {option} {pattern}"));
        }
        let report = json(&[&"show", &path, &"--format", &"json", &option, &pattern]);
        number(&report["profile"]["filtered_total"])
    };
    let with = kept("--focus", r"archive\.Pack");
    let without = kept("--ignore", r"archive\.Pack");
    assert!(with > 0.0 && without > 0.0);
    assert_close(with + without, whole, "focus and ignore");
    let with = kept("--label-focus", "tenant=west");
    let without = kept("--label-ignore", "tenant=west");
    assert!(with > 0.0 && without > 0.0);
    assert_close(with + without, whole, "label-focus and label-ignore");
    // Samples keep their value while a frame of theirs is left.
    assert_close(kept("--hide", r"archive\.Pack"), whole, "hide");
}

#[test]
fn a_limit_tells_how_much_it_leaves_out() {
    let path = sample("pprof/cpu.pb.gz");
    let all = json(&[&"show", &path, &"--format", &"json"]);
    let text = stdout(&[&"show", &path, &"--limit", &"7"]);
    // Title, header, rows, what is left.
    assert_eq!(text.lines().count(), 2 + 7 + 1, "{text}");
    let left = rows(&all).len() - 7;
    let last = text.lines().last().unwrap();
    assert!(last.contains(&format!("{left} more")) && last.contains("--limit 0"), "{last}");
    let limited = json(&[&"show", &path, &"--format", &"json", &"--limit", &"7"]);
    assert_eq!(rows(&limited)[..], rows(&all)[..7]);
    let text = stdout(&[&"show", &path, &"--limit", &"0"]);
    assert_eq!(text.lines().count(), 2 + rows(&all).len());

    for view in ["top-down", "bottom-up"] {
        let all = json(&[&"show", &path, &"--view", &view, &"--format", &"json"]);
        let at = |depth: u64| rows(&all).iter().filter(move |row| row["depth"] == depth);
        let first = &rows(&all)[0];
        let text = stdout(&[&"show", &path, &"--view", &view, &"--limit", &"1"]);
        let more: Vec<&str> = text.lines().filter(|line| line.contains(" more")).collect();
        let children = at(1).filter(|row| row["path"][0] == first["function"]).count();
        let wanted: Vec<String> = [children, at(0).count() - 1]
            .iter()
            .filter(|count| **count > 0)
            .map(|count| format!("… {count} more"))
            .collect();
        assert_eq!(more.len(), wanted.len(), "{text}");
        for (line, wanted) in more.iter().zip(&wanted) {
            assert!(line.ends_with(wanted.as_str()), "{line:?} does not say {wanted}");
        }
        assert!(text.contains("--limit 0"), "{text}");
        let text = stdout(&[&"show", &path, &"--view", &view, &"--limit", &"0"]);
        assert_eq!(text.lines().count(), 2 + rows(&all).len());
    }
}

#[test]
fn csv_holds_the_rows_of_json() {
    let folder = TempDir::new().unwrap();
    let minified = sample("cpuprofile/main.cpuprofile");
    let estimated = sample("callgrind/plain.callgrind");
    for path in [sample("pprof/cpu.pb.gz"), hostile(&folder).0, minified, estimated] {
        for view in VIEWS {
            let text = stdout(&[&"show", &path, &"--view", &view, &"--format", &"csv"]);
            let report = json(&[&"show", &path, &"--view", &view, &"--format", &"json"]);
            let records = parse_csv(&text);
            let head = [
                "function",
                "file",
                "line",
                "column",
                "module",
                "self",
                "total",
                "depth",
                "path",
                "estimated",
            ];
            assert_eq!(records[0], head);
            assert_eq!(records.len() - 1, rows(&report).len());
            for (record, row) in records[1..].iter().zip(rows(&report)) {
                assert_eq!(record.len(), head.len());
                let function = row["function"].as_str().unwrap();
                // A field that a spreadsheet would take for a formula gets a quote mark.
                let guarded = if function.starts_with(['=', '+', '-', '@']) {
                    format!("'{function}")
                } else {
                    function.to_owned()
                };
                assert_eq!(record[0], guarded);
                assert_eq!(record[1], row["file"].as_str().unwrap());
                let line: u64 = if record[2].is_empty() { 0 } else { record[2].parse().unwrap() };
                assert_eq!(row["line"], line);
                for (field, key) in [(5, "self"), (6, "total"), (7, "depth")] {
                    assert_close(record[field].parse().unwrap(), number(&row[key]), key);
                }
                assert!(record[8].ends_with(function), "{record:?}");
                let column = row["column"].as_u64().map_or(String::new(), |at| at.to_string());
                assert_eq!(record[3], column);
                assert_eq!(record[9] == "true", row["estimated"] == true, "{record:?}");
            }
        }
    }
}

#[test]
fn markdown_is_one_table_whatever_names_say() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "odd.collapsed", "main;f<a|b>\\x 3\nmain;*g*;h_ 5\n");
    for view in ["flat", "top-down", "bottom-up", "call-graph"] {
        let arguments: [&dyn AsRef<OsStr>; 6] =
            [&"show", &path, &"--view", &view, &"--format", &"markdown"];
        let text = stdout(&arguments);
        assert!(text.starts_with("### odd.collapsed\n\nsamples"), "{text}");
        assert!(text.contains(r"f\<a\|b\>\\x") && text.contains(r"\*g\*"), "{text}");
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        let cells = |line: &str| line.replace(r"\|", "").matches('|').count();
        assert!(table.len() > 5 && table[1].starts_with("|---|---:|"), "{text}");
        assert!(table.iter().all(|line| cells(line) == cells(table[0])), "{text}");
    }
    let limited = stdout(&[&"show", &path, &"--format", &"markdown", &"-n", &"1"]);
    assert!(limited.contains("\n3 more functions are not listed.\n"), "{limited}");
}

#[test]
fn pairs_of_linked_contexts() {
    let file = sample("ezview/reuse.ezview");
    let pairs = |more: &[&str]| {
        let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"show", &file, &"--view", &"pairs"];
        arguments.extend(more.iter().map(|argument| argument as &dyn AsRef<OsStr>));
        stdout(&arguments)
    };
    let text = pairs(&["--limit", "1"]);
    for expected in ["pairs of use and reuse", "sweep  grid.cc:41", "relax  grid.cc:58"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains("below  main  grid.cc:12") && text.contains("2 more pairs"), "{text}");
    let csv = pairs(&["--format", "csv", "--role", "allocation", "--role", "reuse"]);
    assert!(csv.starts_with("allocation function,allocation file,allocation line,"), "{csv}");
    let json: Value = serde_json::from_str(&pairs(&["--format", "json"])).unwrap();
    assert_eq!(json["rows"][0]["ancestor"]["function"], "main");
    let values = json["rows"].as_array().unwrap().iter().map(|row| row["value"].as_i64().unwrap());
    assert_eq!(values.sum::<i64>(), json["total"].as_i64().unwrap());

    let used = stdout(&[&"show", &file, &"--role", &"use"]);
    assert!(used.lines().nth(2).unwrap().contains("sweep"), "{used}");
    let error = fail(1, &[&"show", &file, &"--role", &"owner"]);
    assert!(error.contains("allocation, use, reuse"), "{error}");
    let error = fail(1, &[&"show", &file, &"--view", &"pairs", &"--role", &"use"]);
    assert!(error.contains("--role twice"), "{error}");
    let other = sample("pprof/cpu.pb.gz");
    let error = fail(1, &[&"show", &other, &"--view", &"pairs"]);
    assert!(error.contains("no points that join contexts"), "{error}");
}
