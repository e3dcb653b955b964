//! Traces of `testdata` and the corpus against a script that counts in their JSON alone.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{json as read_json, rows};

/// By name and whether asynchronous: how many spans, how long in all, how long in the window.
type Spans = BTreeMap<String, [i64; 3]>;

fn show(file: &Path, more: &[&str]) -> Value {
    let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"show", &file, &"--format", &"json"];
    arguments.extend(more.iter().map(|one| one as &dyn AsRef<OsStr>));
    read_json(&arguments)
}

fn spans(file: &Path, window: [i64; 2]) -> Spans {
    let mut all = Spans::new();
    let key = |row: &Value| {
        let [name, is_asynchronous] = ["name", "asynchronous"].map(|key| row[key].to_string());
        format!("[{name}, {is_asynchronous}]")
    };
    for row in rows(&show(file, &["--view", "spans"])) {
        let sums = all.entry(key(row)).or_default();
        sums[0] += row["count"].as_i64().unwrap();
        sums[1] += row["total_ns"].as_i64().unwrap();
    }
    if window[0] < window[1] {
        let range = format!("{}ns..{}ns", window[0], window[1]);
        for row in rows(&show(file, &["--view", "spans", "--time", &range])) {
            all.entry(key(row)).or_default()[2] += row["total_ns"].as_i64().unwrap();
        }
    }
    all
}

/// What the script finds; nothing for files without spans.
#[allow(clippy::print_stderr, reason = "a check that is left out says so")]
fn counted(file: &Path) -> Option<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/time_oracle.py");
    let output = match Command::new("python3").arg(script).arg(file).output() {
        Ok(output) => output,
        Err(_) => {
            eprintln!("notice: there is no python3, nothing is compared with it");
            return None;
        }
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", file.display());
    (!output.stdout.is_empty()).then(|| serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn spans_and_marks_are_those_that_a_script_counts() {
    let folders = ["trace-event", "chrome-trace", "speedscope"].into_iter();
    let files = folders.flat_map(samples::both).flat_map(|folder| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
        files.sort();
        files
    });
    let mut compared = 0;
    for file in files {
        let Some(counted) = counted(&file) else { continue };
        let theirs: Spans = serde_json::from_value(counted["spans"].clone()).unwrap();
        let window: [i64; 2] = serde_json::from_value(counted["window"].clone()).unwrap();
        let ours = spans(&file, window);
        let told = file.display();
        assert_eq!(ours.len(), theirs.len(), "{told}");
        for (name, ours) in ours {
            let theirs = theirs[&name];
            // Spans that cross are divided.
            assert!(ours[0] == theirs[0] || counted["crosses"] == true, "{told}: {name}");
            for (ours, sum) in ours.into_iter().zip(theirs).skip(1) {
                // Begin and end are cut to nanoseconds.
                assert!((ours - sum).abs() <= theirs[0], "{told}: {name}: {ours}, not {sum}");
            }
            compared += 1;
        }
        let mut marks = BTreeMap::<String, u64>::new();
        for row in rows(&show(&file, &["--view", "marks"])) {
            marks.insert(row["kind"].as_str().unwrap().to_owned(), row["count"].as_u64().unwrap());
        }
        let theirs: BTreeMap<String, u64> =
            serde_json::from_value(counted["marks"].clone()).unwrap();
        assert_eq!(marks, theirs, "{told}");
    }
    assert!(compared > 150 || compared == 0, "{compared}");
}
