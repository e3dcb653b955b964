//! The commands of `hotframe`, run as a person or a script runs them.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const VIEWS: [&str; 3] = ["flat", "top-down", "bottom-up"];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// The samples of a folder that have a golden file, with its lines.
fn samples(folder: &str) -> Vec<(PathBuf, Vec<String>)> {
    let mut found = vec![];
    for entry in std::fs::read_dir(sample(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        if let Some(data) = name.strip_suffix(".golden") {
            let golden = std::fs::read_to_string(&path).unwrap();
            found.push((PathBuf::from(data), golden.lines().map(str::to_owned).collect()));
        }
    }
    found.sort();
    assert!(found.len() >= 7, "the samples of {folder} are missing");
    found
}

/// Samples whose values add up: none is negative or beyond 64 bits.
fn additive_samples() -> Vec<PathBuf> {
    let all = samples("pprof").into_iter().chain(samples("collapsed"));
    all.map(|(path, _)| path)
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            !["bad-lines.collapsed", "huge-counts.collapsed"].contains(&name.as_str())
        })
        .collect()
}

fn command(arguments: &[&dyn AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    command
}

/// Standard output and standard error of a run that succeeds.
fn succeed(arguments: &[&dyn AsRef<OsStr>]) -> (String, String) {
    let mut command = command(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{command:?} failed: {err}");
    (out, err)
}

fn stdout(arguments: &[&dyn AsRef<OsStr>]) -> String {
    succeed(arguments).0
}

fn json(arguments: &[&dyn AsRef<OsStr>]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// Standard error of a run that ends with `code`.
fn fail(code: i32, arguments: &[&dyn AsRef<OsStr>]) -> String {
    let mut command = command(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {err}");
    assert!(!err.contains("panicked"), "{command:?}: {err}");
    assert!(!err.trim().is_empty(), "{command:?} failed without a word");
    err
}

fn texts(output: &Output) -> (String, String) {
    (
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn assert_close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{what}: {a} and {b}");
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn rows(report: &Value) -> &Vec<Value> {
    report["rows"].as_array().unwrap()
}

fn write(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Names that try to break out of whatever they are written into, and one of 5,000 characters.
fn hostile(folder: &TempDir) -> (PathBuf, Vec<String>) {
    let names = vec![
        "<script>&\"".to_owned(),
        "</text></svg><!--".to_owned(),
        "=HYPERLINK(1),2".to_owned(),
        "\u{1b}[31mred\u{7}".to_owned(),
        "]]>'\\ é 漢 🦀".to_owned(),
        "n".repeat(5_000),
    ];
    let lines: String = names.iter().map(|name| format!("main;{name} 3\n")).collect();
    (write(folder, "hostile.collapsed", lines), names)
}

const DEEP: usize = 100_000;

fn deep(folder: &TempDir) -> PathBuf {
    let names: Vec<String> = (0..DEEP).map(|depth| format!("f{depth}")).collect();
    write(folder, "deep.collapsed", format!("{} 7\n", names.join(";")))
}

/// Records of comma-separated values as RFC 4180 has them.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![];
    let mut record = vec![];
    let mut field = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (true, '"') if chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            (true, '"') => {
                quoted = false;
                assert!(matches!(chars.peek(), None | Some(',' | '\r')), "text after a quote");
            }
            (true, c) => field.push(c),
            (false, '"') => {
                assert!(field.is_empty(), "a quote inside a bare field");
                quoted = true;
            }
            (false, ',') => record.push(std::mem::take(&mut field)),
            (false, '\r') => {
                assert_eq!(chars.next(), Some('\n'), "a bare carriage return");
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            (false, '\n') => panic!("a bare line feed"),
            (false, c) => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && record.is_empty(), "the last record has no end");
    records
}

/// Fails where a document is not well-formed; gives its texts, unescaped, by element.
fn parse_xml(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut open: Vec<String> = vec![];
    let mut rest = text;
    while !rest.is_empty() {
        let Some(inner) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            let content = unescape(&rest[..end]);
            match open.last() {
                Some(element) => texts.entry(element.clone()).or_default().push(content),
                None => assert!(content.trim().is_empty(), "text outside: {content:?}"),
            }
            rest = &rest[end..];
            continue;
        };
        let end = inner.find('>').expect("a tag that does not end");
        let tag = &inner[..end];
        rest = &inner[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closing tags cross");
            continue;
        }
        let (tag, is_empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        assert!(!name.is_empty() && name.chars().all(char::is_alphanumeric), "element {name:?}");
        let parts: Vec<&str> = attributes.split('"').collect();
        assert!(parts.len() % 2 == 1 && parts.last().unwrap().trim().is_empty(), "{tag:?}");
        for pair in parts.chunks_exact(2) {
            assert!(pair[0].ends_with('='), "an attribute without a value: {tag:?}");
            unescape(pair[1]);
        }
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    texts
}

fn unescape(text: &str) -> String {
    let control = |c: char| c < ' ' && !['\t', '\n', '\r'].contains(&c);
    assert!(!text.contains(control), "a character that XML cannot hold in {text:?}");
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("a bare ampersand");
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => panic!("unknown entity {entity}"),
        });
        out.push_str(after);
    }
    out
}

#[test]
fn info_tells_what_the_golden_files_hold() {
    for (path, golden) in samples("pprof").into_iter().chain(samples("collapsed")) {
        let info = json(&[&"info", &path, &"--format", &"json"]);
        let name = path.display();
        let wanted = [
            "format",
            "producer",
            "duration_ns",
            "metrics",
            "contexts",
            "frames",
            "functions",
            "samples",
            "threads",
            "warnings",
        ];
        assert_eq!(keys(&info), BTreeSet::from(wanted), "{name}");
        assert!(info["producer"].is_string() && info["duration_ns"].is_i64(), "{name}");
        assert!(info["threads"].is_u64(), "{name}");
        assert!(info["warnings"].as_array().unwrap().iter().all(Value::is_string), "{name}");
        let format = golden[0].split(' ').nth(1).unwrap();
        assert_eq!(info["format"], format, "{name}");

        let metrics = info["metrics"].as_array().unwrap();
        let known: Vec<&String> =
            golden.iter().filter(|line| line.starts_with("metric ")).collect();
        assert_eq!(metrics.len(), known.len(), "{name}");
        for (metric, line) in metrics.iter().zip(known) {
            assert_eq!(keys(metric), BTreeSet::from(["name", "unit", "total"]), "{name}");
            let (head, total) = line.split_once(" total ").unwrap();
            let (head, decimals) = head.rsplit_once(" e-").unwrap();
            let own = format!(
                "metric {} {}",
                metric["name"].as_str().unwrap(),
                metric["unit"].as_str().unwrap()
            );
            assert_eq!(head.trim_end(), own.trim_end(), "{name}");
            let total: f64 = total.split(' ').next().unwrap().parse().unwrap();
            let scale = 10f64.powi(decimals.parse().unwrap());
            assert_close(number(&metric["total"]), total / scale, &name.to_string());
        }

        let counts = golden.iter().find(|line| line.starts_with("contexts ")).unwrap();
        let count = |word: &str| -> u64 {
            let at = counts.find(&format!("{word} ")).unwrap() + word.len() + 1;
            counts[at..].split(' ').next().unwrap().parse().unwrap()
        };
        // The golden files count the root.
        assert_eq!(info["contexts"], count("contexts") - 1, "{name}");
        assert_eq!(info["frames"], count("frames"), "{name}");
        assert_eq!(info["functions"], count("functions"), "{name}");
        assert_eq!(info["samples"], count("points"), "{name}");
    }
}

#[test]
fn info_as_text_names_format_metrics_and_warnings() {
    let path = sample("pprof/heap.pb.gz");
    let text = stdout(&[&"info", &path]);
    let info = json(&[&"info", &path, &"--format", &"json"]);
    assert_eq!(text.lines().next(), Some("heap.pb.gz"));
    assert!(text.lines().any(|line| line.split_whitespace().eq(["format", "pprof"])), "{text}");
    let metrics = info["metrics"].as_array().unwrap();
    assert!(metrics.len() > 1);
    for metric in metrics {
        let name = metric["name"].as_str().unwrap();
        let unit = metric["unit"].as_str().unwrap();
        let is_line = |line: &str| line.split_whitespace().take(2).eq([name, unit]);
        assert!(text.lines().any(is_line), "{name} is missing in {text}");
    }
    assert_eq!(text.matches("(default)").count(), 1, "{text}");

    let path = sample("collapsed/bad-lines.collapsed");
    let text = stdout(&[&"info", &path]);
    let info = json(&[&"info", &path, &"--format", &"json"]);
    let warnings = info["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty());
    for warning in warnings {
        assert!(text.contains(warning.as_str().unwrap()), "{warning} is missing in {text}");
    }
    let text = stdout(&[&"info", &sample("pprof/labels.pb.gz")]);
    let labels = text.lines().find(|line| line.starts_with("  labels")).unwrap();
    assert!(["batch", "step", "tenant"].iter().all(|key| labels.contains(key)), "{labels}");
}

#[test]
fn show_as_json_adds_up() {
    for path in additive_samples() {
        let info = json(&[&"info", &path, &"--format", &"json"]);
        for view in VIEWS {
            let what = format!("{view} of {}", path.display());
            let report = json(&[&"show", &path, &"--view", &view, &"--format", &"json"]);
            let wanted = ["profile", "metric", "total", "metrics", "warnings", "view", "rows"];
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
                let guarded = match function.starts_with(['=', '+', '-', '@']) {
                    true => format!("'{function}"),
                    false => function.to_owned(),
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
fn standard_input_gives_the_same_as_the_file() {
    for name in ["pprof/cpu.pb.gz", "pprof/unsymbolised.pb", "collapsed/perf.collapsed"] {
        let path = sample(name);
        for view in VIEWS {
            let mut command = command(&[&"show", &"-", &"--view", &view, &"--format", &"json"]);
            let output = command.stdin(std::fs::File::open(&path).unwrap()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", texts(&output).1);
            let mut piped: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(piped["profile"]["title"], "standard input");
            let named = json(&[&"show", &path, &"--view", &view, &"--format", &"json"]);
            piped["profile"]["title"] = named["profile"]["title"].clone();
            assert!(piped == named, "{view} of {name} differs");
        }
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = TempDir::new().unwrap();
    // More than any pipe holds.
    let lines: String = (0..50_000).map(|index| format!("main;function{index} 1\n")).collect();
    let path = write(&folder, "many.collapsed", lines);
    for format in ["text", "json", "csv"] {
        let mut child = command(&[&"show", &path, &"--limit", &"0", &"--format", &format])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
        let mut start = vec![];
        match format {
            "json" => out.by_ref().take(32).read_to_end(&mut start).unwrap(),
            _ => out.read_until(b'\n', &mut start).unwrap(),
        };
        assert!(!start.is_empty());
        drop(out);
        let output = child.wait_with_output().unwrap();
        let (_, err) = texts(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{format}");
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    let path = sample("pprof/cpu.pb.gz");
    fail(2, &[]);
    assert!(fail(2, &[&"show"]).contains("FILE"));
    assert!(fail(2, &[&"show", &path, &"--limit", &"many"]).contains("--limit"));
    assert!(fail(2, &[&"show", &path, &"--view", &"sideways"]).contains("top-down"));
    assert!(fail(2, &[&"info", &path, &"--format", &"yaml"]).contains("json"));
    assert!(fail(2, &[&"info", &path, &"--max-size", &"big"]).contains("--max-size"));
    assert!(fail(2, &[&"info", &path, &"--nonsense"]).contains("--nonsense"));
    assert!(fail(2, &[&"convert", &path]).contains("--output"));
    assert!(fail(2, &[&"open", &path, &"--port", &"70000"]).contains("--port"));
}

#[test]
fn bad_input_ends_with_one_and_names_the_file() {
    let folder = TempDir::new().unwrap();
    let packed = std::fs::read(sample("pprof/cpu.pb.gz")).unwrap();
    let garbage: Vec<u8> =
        (0..4_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let big = folder.path().join("big.pb");
    std::fs::File::create(&big).unwrap().set_len(5 << 30).unwrap();
    let subfolder = folder.path().join("subfolder");
    std::fs::create_dir(&subfolder).unwrap();
    let mut cases = vec![
        (folder.path().join("missing.pb.gz"), "No such file"),
        (subfolder, "folder"),
        (write(&folder, "empty.pb.gz", ""), "empty"),
        (write(&folder, "garbage.pb.gz", [b"\0\xff".as_slice(), &garbage].concat()), "format"),
        (write(&folder, "cut.pb.gz", &packed[..packed.len() / 2]), "cut short"),
        (big, "--max-size"),
    ];
    #[cfg(unix)]
    {
        let dangling = folder.path().join("dangling.pb.gz");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &dangling).unwrap();
        cases.push((dangling, "No such file"));
    }
    let output = folder.path().join("out.svg");
    for (path, reason) in cases {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for err in [
            fail(1, &[&"info", &path]),
            fail(1, &[&"show", &path]),
            fail(1, &[&"convert", &path, &"--to", &"collapsed", &"-o", &output]),
            fail(1, &[&"export", &path, &"-o", &output]),
        ] {
            assert!(err.contains(&name), "{name} is not named: {err}");
            assert!(err.contains(reason), "{name}: no word of {reason}: {err}");
        }
        assert!(!output.exists(), "{name} left an output");
    }
}

#[test]
fn limits_hold_for_what_is_unpacked() {
    let path = sample("pprof/cpu.pb.gz");
    let size = std::fs::metadata(&path).unwrap().len();
    // The packed file fits, what it unpacks to does not.
    let err = fail(1, &[&"info", &path, &"--max-size", &(size + 1).to_string()]);
    assert!(err.contains("--max-size") && err.contains("cpu.pb.gz"), "{err}");
    let err = fail(1, &[&"info", &path, &"--max-memory", &"1K"]);
    assert!(err.contains("--max-memory") && err.contains("cpu.pb.gz"), "{err}");
    succeed(&[&"info", &path, &"--max-size", &"1G", &"--max-memory", &"1G"]);
}

/// The report of a file without its title.
fn report(path: &Path, view: &str, metric: &str) -> Value {
    let arguments: [&dyn AsRef<OsStr>; 8] =
        [&"show", &path, &"--view", &view, &"--metric", &metric, &"--format", &"json"];
    let mut report = json(&arguments);
    report["profile"]["title"] = Value::Null;
    report
}

#[test]
fn pprof_survives_a_conversion_to_itself() {
    let folder = TempDir::new().unwrap();
    for (path, _) in samples("pprof") {
        for name in ["out.pb.gz", "out.pb"] {
            let output = folder.path().join(name);
            let (_, err) = succeed(&[&"convert", &path, &"-o", &output]);
            assert_eq!(err, "", "{}", path.display());
            let packed = std::fs::read(&output).unwrap().starts_with(&[0x1f, 0x8b]);
            assert_eq!(packed, name.ends_with(".gz"));
            let info = json(&[&"info", &path, &"--format", &"json"]);
            assert_eq!(json(&[&"info", &output, &"--format", &"json"]), info);
            for metric in info["metrics"].as_array().unwrap() {
                let metric = metric["name"].as_str().unwrap();
                for view in VIEWS {
                    let same = report(&path, view, metric) == report(&output, view, metric);
                    assert!(same, "{view} of {metric} of {} differs", path.display());
                }
            }
        }
    }
}

#[test]
fn collapsed_stacks_come_back_from_pprof() {
    let folder = TempDir::new().unwrap();
    // Lines of equal stacks may be one or several.
    let stacks = |path: &Path| -> BTreeMap<String, i64> {
        let mut stacks = BTreeMap::new();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let (stack, count) = line.rsplit_once(' ').unwrap();
            *stacks.entry(stack.to_owned()).or_default() += count.parse::<i64>().unwrap();
        }
        stacks
    };
    for (name, metric) in [("pprof/cpu.pb.gz", "samples"), ("collapsed/perf.collapsed", "samples")]
    {
        let path = sample(name);
        let first = folder.path().join("first.collapsed");
        let middle = folder.path().join("middle.pb.gz");
        let second = folder.path().join("second.collapsed");
        succeed(&[&"convert", &path, &"-o", &first, &"--metric", &metric]);
        succeed(&[&"convert", &first, &"-o", &middle]);
        succeed(&[&"convert", &middle, &"-o", &second]);
        assert!(stacks(&first).len() > 10);
        assert!(stacks(&first) == stacks(&second), "{name} changed on its way");
        let total = |path: &Path| report(path, "flat", metric)["total"].clone();
        assert_eq!(total(&path), total(&second));
    }
}

#[test]
fn a_conversion_tells_what_it_loses() {
    let folder = TempDir::new().unwrap();
    let path = sample("pprof/labels.pb.gz");
    let collapsed = folder.path().join("out.collapsed");
    let (_, err) = succeed(&[&"convert", &path, &"-o", &collapsed, &"--metric", &"samples"]);
    assert!(err.contains("labels") && err.contains("default one: cpu"), "{err}");
    let speedscope = folder.path().join("out.speedscope.json");
    let (_, err) = succeed(&[&"convert", &path, &"-o", &speedscope]);
    assert!(err.contains("labels") && err.contains("modules"), "{err}");
    let (_, err) = succeed(&[&"convert", &path, &"-o", &folder.path().join("out.pb.gz")]);
    assert_eq!(err, "");
    let (_, err) =
        succeed(&[&"convert", &path, &"-o", &folder.path().join("a.hotframe"), &"--strict"]);
    assert_eq!(err, "");
}

#[test]
fn a_strict_conversion_writes_all_or_nothing() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("out.collapsed");
    let path = sample("pprof/labels.pb.gz");
    let err = fail(1, &[&"convert", &path, &"-o", &target, &"--strict"]);
    assert!(err.contains("labels") && err.contains("--strict"), "{err}");
    assert!(!target.exists());
}

#[test]
fn speedscope_files_hold_every_metric() {
    for name in ["pprof/labels.pb.gz", "pprof/heap.pb.gz", "collapsed/py-spy.collapsed"] {
        let path = sample(name);
        let file = json(&[&"convert", &path, &"--to", &"speedscope", &"-o", &"-"]);
        assert!(file["$schema"].as_str().unwrap().contains("speedscope"), "{name}");
        let frames = file["shared"]["frames"].as_array().unwrap();
        let info = json(&[&"info", &path, &"--format", &"json"]);
        let metrics = info["metrics"].as_array().unwrap();
        let profiles = file["profiles"].as_array().unwrap();
        assert_eq!(profiles.len(), metrics.len(), "{name}");
        assert!(frames.iter().all(|frame| frame["name"].is_string()), "{name}");
        for (profile, metric) in profiles.iter().zip(metrics) {
            assert_eq!(profile["type"], "sampled", "{name}");
            let samples = profile["samples"].as_array().unwrap();
            let weights = profile["weights"].as_array().unwrap();
            assert_eq!(samples.len(), weights.len(), "{name}");
            let indexes = samples.iter().flat_map(|sample| sample.as_array().unwrap());
            let mut indexes = indexes.map(|index| index.as_u64().unwrap() as usize);
            assert!(indexes.all(|index| index < frames.len()), "{name}");
            let sum: f64 = weights.iter().map(number).sum();
            let extent = number(&profile["endValue"]) - number(&profile["startValue"]);
            assert_close(sum, extent, name);
            // speedscope knows a few units; bytes, counts and nanoseconds are among them.
            assert_close(sum, number(&metric["total"]), name);
        }
    }
}

#[test]
fn conversions_that_cannot_be_are_refused() {
    let folder = TempDir::new().unwrap();
    let bytes = std::fs::read(sample("pprof/cpu.pb.gz")).unwrap();
    let path = write(&folder, "same.pb.gz", &bytes);
    let output = folder.path().join("out.xyz");
    let err = fail(1, &[&"convert", &path, &"-o", &output, &"--to", &"nonsense"]);
    for word in ["nonsense", "pprof", "collapsed", "speedscope"] {
        assert!(err.contains(word), "no {word} in {err}");
    }
    let err = fail(1, &[&"convert", &path, &"-o", &output]);
    assert!(err.contains("out.xyz") && err.contains("--to"), "{err}");
    let err = fail(1, &[&"convert", &path, &"-o", &output, &"--to", &"pprof", &"--metric", &"no"]);
    assert!(err.contains("cpu") && err.contains("samples"), "{err}");
    let nowhere = folder.path().join("nowhere/out.pb.gz");
    assert!(fail(1, &[&"convert", &path, &"-o", &nowhere]).contains("out.pb.gz"));

    let mut same = vec![path.clone(), folder.path().join("./same.pb.gz")];
    #[cfg(unix)]
    {
        let link = folder.path().join("link.pb.gz");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        same.push(link);
    }
    for output in same {
        let err = fail(1, &[&"convert", &path, &"-o", &output]);
        assert!(err.contains(output.file_name().unwrap().to_str().unwrap()), "{err}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "the input was touched");
    let left = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name());
    let left: BTreeSet<_> = left.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(left.is_subset(&["same.pb.gz", "link.pb.gz"].map(str::to_owned).into()), "{left:?}");
}

/// Self and total by function and module.
fn values(report: &Value) -> BTreeMap<(String, String), (f64, f64)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |row: &Value| {
        let key = (text(&row["function"]), text(&row["module"]));
        (key, (number(&row["self"]), number(&row["total"])))
    };
    rows(report).iter().map(row).filter(|(_, values)| *values != (0.0, 0.0)).collect()
}

fn members(info: &Value) -> Vec<(&str, Vec<f64>)> {
    let member = |member: &'_ Value| -> Vec<f64> {
        member["totals"].as_array().unwrap().iter().map(number).collect()
    };
    let list = info["members"].as_array().unwrap();
    list.iter().map(|m| (m["name"].as_str().unwrap(), member(m))).collect()
}

#[test]
fn many_profiles_become_members_of_one() {
    let folder = TempDir::new().unwrap();
    let paths = ["cpu", "labels", "heap"].map(|name| sample(&format!("pprof/{name}.pb.gz")));
    let output = folder.path().join("all.hotframe");
    let (out, err) = succeed(&[&"merge", &paths[0], &paths[1], &paths[2], &"-o", &output]);
    assert_eq!(out, "");
    assert!(err.contains("3 profiles are one: 3 members, 6 metrics (0 in every profile)"), "{err}");
    assert!(err.contains("1 of 3 profiles do not have the metric cpu"), "{err}");

    let info = json(&[&"info", &output, &"--format", &"json"]);
    let metrics = info["metrics"].as_array().unwrap();
    let mut sums = vec![0.0; metrics.len()];
    for (path, (name, totals)) in paths.iter().zip(members(&info)) {
        assert_eq!(path.file_name().unwrap(), name);
        let own = json(&[&"info", path, &"--format", &"json"]);
        let own = own["metrics"].as_array().unwrap();
        for ((metric, total), sum) in metrics.iter().zip(totals).zip(&mut sums) {
            let own = own.iter().find(|own| own["name"] == metric["name"]);
            assert_close(total, own.map_or(0.0, |own| number(&own["total"])), name);
            *sum += total;
        }
        let own_rows = report(path, "flat", "0");
        let metric = own_rows["metric"]["name"].as_str().unwrap();
        let filter = format!("member=^{}$", name.replace('.', "\\."));
        let filtered = json(&[
            &"show",
            &output,
            &"--metric",
            &metric,
            &"--label-focus",
            &filter,
            &"--format",
            &"json",
        ]);
        assert!(values(&filtered) == values(&own_rows), "{name}");
    }
    for (metric, sum) in metrics.iter().zip(sums) {
        assert_close(number(&metric["total"]), sum, "the members add up");
    }

    // Several inputs mean the same wherever they stand.
    let converted = folder.path().join("converted.hotframe");
    succeed(&[&"convert", &paths[0], &paths[1], &paths[2], &"-o", &converted]);
    assert!(std::fs::read(&output).unwrap() == std::fs::read(&converted).unwrap());
    let direct = json(&[&"info", &paths[0], &paths[1], &paths[2], &"--format", &"json"]);
    assert_eq!(direct["members"], info["members"]);
    let direct = stdout(&[&"show", &paths[0], &paths[1], &paths[2], &"--metric", &"cpu"]);
    let merged = stdout(&[&"show", &output, &"--metric", &"cpu"]);
    assert_eq!(
        direct.lines().skip(1).collect::<Vec<_>>(),
        merged.lines().skip(1).collect::<Vec<_>>()
    );
    assert!(direct.starts_with("cpu.pb.gz and 2 more  cpu"), "{direct}");
    let text = stdout(&[&"info", &output]);
    assert!(text.contains("3 members (cpu)\n    cpu.pb.gz "), "{text}");
}

#[test]
fn a_folder_of_profiles_is_all_of_them() {
    let folder = TempDir::new().unwrap();
    let runs = folder.path().join("runs");
    std::fs::create_dir_all(runs.join("late")).unwrap();
    std::fs::write(runs.join("b.collapsed"), "main;f 2\n").unwrap();
    std::fs::write(runs.join("late/a.collapsed"), "main;f 3\nmain;g 4\n").unwrap();
    std::fs::write(runs.join("readme.bin"), b"\0\0").unwrap();
    let info = json(&[&"info", &runs, &"--format", &"json"]);
    let named = [("runs/b.collapsed", vec![2.0]), ("runs/late/a.collapsed", vec![7.0])];
    assert_eq!(members(&info), named);
    assert!(info["warnings"][0].as_str().unwrap().contains("readme.bin"), "{info}");
    let single = write(&folder, "c.collapsed", "main 1\n");
    let output = folder.path().join("out.collapsed");
    let (_, err) = succeed(&[&"merge", &runs, &single, &"-o", &output]);
    assert!(err.contains("cannot hold: which of several profiles"), "{err}");
    let mut lines: Vec<_> =
        std::fs::read_to_string(&output).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["main 1", "main;f 5", "main;g 4"]);

    // Names that folders tell apart keep them.
    let other = folder.path().join("b.collapsed");
    std::fs::write(&other, "main 5\n").unwrap();
    let info = json(&[&"info", &runs.join("b.collapsed"), &other, &"--format", &"json"]);
    assert_eq!(members(&info)[1], (other.to_str().unwrap(), vec![5.0]));
}

#[test]
fn merges_that_cannot_be_are_refused() {
    let folder = TempDir::new().unwrap();
    let paths = [write(&folder, "a.collapsed", "main 1\n"), write(&folder, "b.collapsed", "f 2\n")];
    let err = fail(1, &[&"merge", &paths[0], &paths[1], &"-o", &folder.path()]);
    assert!(err.contains("is a folder"), "{err}");
    let err = fail(1, &[&"merge", &paths[0], &paths[1], &"-o", &paths[1]]);
    assert!(err.contains("b.collapsed is input and output"), "{err}");
    let output = folder.path().join("out.collapsed");
    let err = fail(1, &[&"merge", &paths[0], &paths[1], &"-o", &output, &"--strict"]);
    assert!(err.contains("--strict") && !output.exists(), "{err}");
    let err = fail(1, &[&"merge", &paths[0], &folder.path().join("no"), &"-o", &output]);
    assert!(err.contains("no") && !output.exists(), "{err}");
    let err = fail(1, &[&"info", &paths[0], &paths[1], &"--max-memory", &"1"]);
    assert!(err.contains("--max-memory"), "{err}");
    // Into a folder each is written by itself.
    succeed(&[&"convert", &paths[0], &paths[1], &"-o", &folder.path(), &"--to", &"pprof"]);
    assert_eq!(members_of(&folder.path().join("b.pb.gz")), 0);
}

fn members_of(path: &Path) -> usize {
    let info = json(&[&"info", &path, &"--format", &"json"]);
    info["members"].as_array().map_or(0, Vec::len)
}

#[test]
fn pictures_are_well_formed_whatever_names_hold() {
    let folder = TempDir::new().unwrap();
    let (path, names) = hostile(&folder);
    let output = folder.path().join("out.svg");
    for view in VIEWS {
        for colour in ["module", "file", "function", "self-share"] {
            succeed(&[
                &"export",
                &path,
                &"-o",
                &output,
                &"--view",
                &view,
                &"--colour",
                &colour,
                &"--search",
                &"script",
            ]);
            let svg = std::fs::read_to_string(&output).unwrap();
            assert!(svg.starts_with("<svg ") && !svg.contains("<script"), "{view}");
            let texts = parse_xml(&svg);
            let titles = &texts["title"];
            for name in names.iter().filter(|name| !name.contains('\u{1b}')) {
                assert!(
                    titles.iter().any(|title| title.lines().next() == Some(name)),
                    "{view}: no title {name}"
                );
            }
            assert!(texts["text"].iter().any(|text| text == "<script>&\""), "{view}");
        }
    }
    for name in ["pprof/cpu.pb.gz", "pprof/heap.pb.gz", "collapsed/perf.collapsed"] {
        succeed(&[&"export", &sample(name), &"-o", &output, &"--dark", &"--width", &"700"]);
        let texts = parse_xml(&std::fs::read_to_string(&output).unwrap());
        assert!(texts["text"].len() > 5, "{name} is an empty picture");
        let name = Path::new(name).file_name().unwrap().to_str().unwrap();
        assert!(texts["text"].iter().any(|text| text == name), "{name} has no heading");
    }
}

#[test]
fn exported_tables_are_those_of_show() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("out.csv");
    let path = sample("pprof/cpu.pb.gz");
    for view in VIEWS {
        succeed(&[&"export", &path, &"-o", &output, &"--view", &view]);
        let text = std::fs::read_to_string(&output).unwrap();
        assert!(parse_csv(&text).len() > 10);
        assert_eq!(text, stdout(&[&"show", &path, &"--view", &view, &"--format", &"csv"]));
    }
    let err = fail(1, &[&"export", &path, &"-o", &folder.path().join("out.png")]);
    assert!(err.contains("out.png") && err.contains(".svg") && err.contains(".csv"), "{err}");
}

#[test]
fn piped_output_has_no_escape_codes() {
    let path = sample("pprof/cpu.pb.gz");
    let runs: [&[&dyn AsRef<OsStr>]; 6] = [
        &[&"info", &path],
        &[&"show", &path],
        &[&"show", &path, &"--view", &"top-down"],
        &[&"show", &path, &"--peek", &"runtime"],
        &[&"formats"],
        &[&"info", &"missing"],
    ];
    for arguments in runs {
        for no_color in [None, Some("1")] {
            let mut command = command(arguments);
            command.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR").env("TERM", "xterm");
            command.envs(no_color.map(|value| ("NO_COLOR", value)));
            let (out, err) = texts(&command.stdin(Stdio::null()).output().unwrap());
            assert!(!(out.is_empty() && err.is_empty()));
            assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{command:?}");
        }
    }
}

#[test]
fn a_bad_pattern_is_named() {
    let folder = TempDir::new().unwrap();
    let path = sample("pprof/labels.pb.gz");
    let output = folder.path().join("out.svg");
    let pattern = "or[der";
    for option in ["--focus", "--ignore", "--hide", "--show", "--show-from", "--peek"] {
        let err = fail(1, &[&"show", &path, &option, &pattern]);
        assert!(err.contains(pattern), "{option}: {err}");
    }
    for option in ["--label-focus", "--label-ignore"] {
        let err = fail(1, &[&"show", &path, &option, &"tenant=or[der"]);
        assert!(err.contains(pattern), "{option}: {err}");
    }
    let err = fail(1, &[&"export", &path, &"-o", &output, &"--search", &pattern]);
    assert!(err.contains(pattern) && !output.exists(), "{err}");
}

#[test]
fn the_documentation_of_formats_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let written = std::fs::read_to_string(path).unwrap();
    let fresh = stdout(&[&"formats", &"--format", &"markdown"]);
    assert!(written == fresh, "`cargo xtask codegen` refreshes docs/formats.md");
}

#[test]
fn formats_are_listed() {
    let text = stdout(&[&"formats"]);
    let line = |name: &str| -> Vec<&str> {
        let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        lines.find(|words| words.first() == Some(&name)).unwrap_or_else(|| panic!("no {name}"))
    };
    for name in ["pprof", "collapsed"] {
        assert_eq!(line(name)[1..3], ["yes", "yes"], "{name}");
    }
    assert_eq!(line("speedscope")[2], "yes");
    assert!(text.contains("*.pb.gz") && text.contains("checked against: callgrind_annotate"));
}

#[test]
fn a_stack_of_100_000_frames_is_shown() {
    let folder = TempDir::new().unwrap();
    let path = deep(&folder);
    let info = json(&[&"info", &path, &"--format", &"json"]);
    assert_eq!((&info["contexts"], &info["samples"]), (&DEEP.into(), &1.into()));
    let flat = json(&[&"show", &path, &"--format", &"json"]);
    assert_eq!(rows(&flat).len(), DEEP);
    assert_eq!(rows(&flat)[0]["function"], format!("f{}", DEEP - 1));
    assert!(rows(&flat).iter().all(|row| row["total"] == 7));
    for (view, first, last) in [
        ("top-down", "f0".to_owned(), format!("f{}", DEEP - 1)),
        ("bottom-up", format!("f{}", DEEP - 1), "f0".to_owned()),
    ] {
        let text = stdout(&[&"show", &path, &"--view", &view, &"--limit", &"0"]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 + DEEP, "{view}");
        assert!(lines[2].ends_with(&first), "{view}: {}", lines[2]);
        assert!(lines[DEEP + 1].ends_with(&last), "{view}: {}", lines[DEEP + 1]);
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(longest < 200, "{view}: a line of {longest} characters");
    }
}

#[test]
fn a_stack_of_100_000_frames_is_drawn_and_converted() {
    let folder = TempDir::new().unwrap();
    let path = deep(&folder);
    let output = folder.path().join("out.svg");
    for (view, outermost) in [("top-down", "f0"), ("bottom-up", "f99999")] {
        succeed(&[&"export", &path, &"-o", &output, &"--view", &view]);
        let texts = parse_xml(&std::fs::read_to_string(&output).unwrap());
        assert!(texts["text"].iter().any(|text| text == outermost), "{view} lacks {outermost}");
        assert!(texts["text"].iter().any(|text| text.contains("rows left out")), "{view}");
    }
    succeed(&[&"export", &path, &"-o", &output, &"--view", &"flat"]);
    parse_xml(&std::fs::read_to_string(&output).unwrap());
    let packed = folder.path().join("deep.pb.gz");
    succeed(&[&"convert", &path, &"-o", &packed]);
    let back = stdout(&[&"convert", &packed, &"--to", &"collapsed", &"-o", &"-"]);
    assert!(back == std::fs::read_to_string(&path).unwrap(), "the stack changed on its way");
}

#[test]
fn a_name_of_a_file_is_not_a_command() {
    // `hotframe FILE` is short for `hotframe open FILE`, which fails before it serves.
    let err = fail(1, &[&"missing.pb.gz"]);
    assert!(err.contains("missing.pb.gz"), "{err}");
    let mut child =
        command(&[&"info", &"-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"main;load 3\n").unwrap();
    let (out, _) = texts(&child.wait_with_output().unwrap());
    assert_eq!(out.lines().next(), Some("standard input"));
}

#[test]
fn a_comparison_tells_what_changed_in_every_shape() {
    let folder = TempDir::new().unwrap();
    let base = "main;work 60\nmain;old 30\nmain;same 10\nmain;near 1000\n";
    let new = "main;work 90\nmain;fresh 5\nmain;same 10\nmain;near 1001\n";
    let base = write(&folder, "base.folded", base);
    let new = write(&folder, "new.folded", new);
    let changes = |report: &Value, view: &str| -> BTreeMap<String, String> {
        let told = |row: &Value| {
            let total = &row["total"];
            let name = row["function"].as_str().unwrap().to_owned();
            (name, format!("{} {}", total["tag"].as_str().unwrap(), total["difference"]))
        };
        let is_told = |row: &&Value| view != "bottom-up" || row["depth"] == 0;
        rows(report).iter().filter(is_told).map(told).collect()
    };
    let expected = BTreeMap::from(
        [
            ("main", "[=] 6"),
            ("work", "[+] 30"),
            ("old", "[D] -30"),
            ("fresh", "[A] 5"),
            ("same", "[=] 0"),
            ("near", "[=] 1"),
        ]
        .map(|(name, change)| (name.to_owned(), change.to_owned())),
    );
    for view in ["flat", "top-down", "bottom-up"] {
        let report = json(&[
            &"diff",
            &base,
            &new,
            &"--view",
            &view,
            &"--format",
            &"json",
            &"--noise",
            &"1%",
        ]);
        let mut expected = expected.clone();
        if view == "bottom-up" {
            // Its own value is 0, so no stack ends in it.
            expected.remove("main");
        }
        assert_eq!(changes(&report, view), expected, "{view}");
        let total = &report["total"];
        assert_eq!([&total["base"], &total["new"], &total["difference"]], [1100, 1106, 6]);
    }
    let text = stdout(&[&"diff", &base, &new, &"--view", &"top-down"]);
    assert!(text.contains("[D]") && text.contains("-100.0 %"), "{text}");
    let markdown = stdout(&[&"diff", &base, &new, &"--format", &"markdown", &"--limit", &"2"]);
    assert!(markdown.contains("| [+] | work |"), "{markdown}");
    assert!(markdown.contains("4 more functions"), "{markdown}");
}

#[test]
fn a_comparison_tells_which_functions_have_another_name() {
    let folder = TempDir::new().unwrap();
    let base =
        "main;sort<int> 30\nmain;load.part.0 10\nmain;word_count 5\nmain;word_count;add 20\n";
    let new =
        "main;sort<long> 40\nmain;load.part.1 10\nmain;count_words 6\nmain;count_words;add 20\n";
    let base = write(&folder, "base.folded", base);
    let new = write(&folder, "new.folded", new);
    let told = |rules: &'static str| {
        let report = json(&[&"diff", &base, &new, &"--format", &"json", &"--match", &rules]);
        let told = |row: &Value| {
            let matched = &row["matched"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let function = text(&row["function"]);
            let tag = text(&row["total"]["tag"]);
            format!("{tag} {function} {} {}", text(&matched["was"]), text(&matched["rule"]))
        };
        let mut rows: Vec<String> = rows(&report).iter().map(told).collect();
        rows.sort();
        (rows, report["matched"].clone())
    };
    let (rows, counts) = told("exact,clone,template,renamed");
    let expected = [
        "[+] count_words word_count renamed",
        "[+] main  ",
        "[+] sort<long> sort<int> template",
        "[=] add  ",
        "[=] load.part.1 load.part.0 clone",
    ];
    assert_eq!(rows, expected);
    assert_eq!([&counts["exact"], &counts["clone"], &counts["moved"]], [2, 1, 0]);
    let (rows, _) = told("exact");
    assert_eq!(rows.iter().filter(|row| row.contains("[D]")).count(), 3, "{rows:?}");
    let text = stdout(&[&"diff", &base, &new, &"--match", &"renamed"]);
    assert!(text.contains("count_words  was word_count (renamed)"), "{text}");
    let markdown = stdout(&[&"diff", &base, &new, &"--format", &"markdown"]);
    assert!(markdown.contains(r"sort\<long\> was sort\<int\> (template)"), "{markdown}");
    let errors = fail(2, &[&"diff", &base, &new, &"--match", &"guess"]);
    assert!(errors.contains("renamed"), "{errors}");
}

#[test]
fn a_renamed_function_is_found_in_every_pair_of_runs() {
    let rules = "exact,line,moved,clone,template,renamed";
    for run in 1..=5 {
        let [base, new] =
            ["before", "after"].map(|side| sample("runs").join(format!("{side}-{run}.pb.gz")));
        let report = json(&[&"diff", &base, &new, &"--format", &"json", &"--match", &rules]);
        let renamed = rows(&report).iter().filter(|row| row["matched"]["rule"] == "renamed");
        let renamed: Vec<_> =
            renamed.map(|row| (&row["function"], &row["matched"]["was"])).collect();
        assert_eq!(renamed, [(&"main.parseRequest".into(), &"main.splitLine".into())], "{run}");
    }
}

#[test]
fn a_comparison_gates_by_its_exit_code() {
    let folder = TempDir::new().unwrap();
    let base = write(&folder, "base.folded", "main;work 60\nmain;rest 40\n");
    let new = write(&folder, "new.folded", "main;work 70\nmain;rest 40\n");
    let gate = |growth: &'static str| vec!["--fail-if", growth];
    let run = |arguments: Vec<&str>| {
        let output = command(&[&"diff", &base, &new]).args(arguments).output().unwrap();
        let (_, errors) = texts(&output);
        (output.status.code().unwrap(), errors)
    };
    assert_eq!(run(gate("self > 10%")).0, 0);
    let (code, errors) = run(gate("total>9.5 %"));
    assert_eq!(code, 3);
    assert!(errors.contains("work") && errors.contains("main"), "{errors}");
    assert_eq!(run(gate("self > 9%")).0, 3);
    assert_eq!(run(gate("self < 9%")).0, 2);
    let swapped = command(&[&"diff", &new, &base]).args(gate("self > 0%")).output().unwrap();
    assert_eq!(swapped.status.code(), Some(0), "what shrinks passes");
}

#[test]
fn a_comparison_tells_what_its_readers_skipped() {
    let folder = TempDir::new().unwrap();
    let base = write(&folder, "base.folded", "main;work 60\nmain;other 1\nno count\n");
    let new = write(&folder, "new.folded", "main;work 60\nmain;other 1\n");
    let (_, errors) = succeed(&[&"diff", &base, &new]);
    assert!(errors.contains("base.folded: line 3"), "{errors}");
    assert!(!errors.contains("new.folded:"), "{errors}");
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
