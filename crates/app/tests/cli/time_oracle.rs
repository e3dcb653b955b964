//! Recordings of `testdata` and the corpus against a script that counts in the files alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use crate::{json as read_json, rows};

/// What the script finds in a file.
#[derive(Deserialize)]
struct Counted {
    file: PathBuf,
    /// Ranges of time, in nanoseconds.
    windows: Vec<[i64; 2]>,
    /// Spans cross, which divides them: only lengths are comparable.
    crosses: bool,
    /// Tracks are told by their numbers; else their figures are compared in any order.
    has_names: bool,
    /// Of its counters only some are shown.
    has_more_counters: bool,
    /// By name and whether asynchronous: how many, how long, how long in each window.
    spans: Figures,
    /// By thread or processor: spans, their length, samples; then the latter two in each window.
    tracks: Figures,
    marks: BTreeMap<String, u64>,
    /// In each window.
    marks_inside: Vec<u64>,
    /// How many values, and their sum.
    counters: BTreeMap<String, (u64, f64)>,
    /// How many, and how long.
    flows: BTreeMap<String, [i64; 2]>,
}

type Figures = BTreeMap<String, Vec<i64>>;

/// The script's lines for all files; nothing where it cannot run.
#[allow(clippy::print_stderr, reason = "a check that is left out says so")]
fn counted(files: &[PathBuf]) -> Vec<Counted> {
    if Command::new("jfr").arg("version").output().is_err() {
        eprintln!("notice: there is no jfr of a JDK, recordings of Java are not compared with it");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/time_oracle");
    let Ok(output) = Command::new("python3").arg("-B").arg(script).args(files).output() else {
        eprintln!("notice: there is no python3, nothing is compared with it");
        return vec![];
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = std::str::from_utf8(&output.stdout).unwrap().lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Files of these folders, and databases, which are folders themselves.
fn files() -> Vec<PathBuf> {
    const FOLDERS: [&str; 14] = [
        "austin",
        "chrome-trace",
        "editor/rust",
        "firefox",
        "firefox-fixtures",
        "hpctoolkit",
        "hpctoolkit-db",
        "jfr",
        "perf-script",
        "perfetto",
        "python",
        "speedscope",
        "time",
        "trace-event",
    ];
    let testdata = FOLDERS.map(samples::testdata).into_iter();
    let corpus = FOLDERS.into_iter().filter_map(samples::corpus);
    let mut files: Vec<PathBuf> = testdata
        .chain(corpus)
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| if path.is_dir() { path.join("trace.db").exists() } else { is_data(path) })
        .collect();
    files.sort();
    files
}

fn is_data(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    !["golden", "md", "sh", "py"].contains(&ending)
}

fn shown(file: &Path, view: &str, window: Option<[i64; 2]>) -> Value {
    let range = window.map(|[begin, end]| format!("{begin}ns..{end}ns"));
    let mut arguments: Vec<&dyn AsRef<OsStr>> =
        vec![&"show", &file, &"--format", &"json", &"--view", &view];
    if let Some(range) = &range {
        arguments.extend([&"--time" as &dyn AsRef<OsStr>, range]);
    }
    read_json(&arguments)
}

fn number(row: &Value, key: &str) -> i64 {
    row[key].as_i64().unwrap()
}

/// The number in brackets behind a track's name, or the name.
fn key_of(track: &str) -> &str {
    let number = track.strip_suffix(')').and_then(|track| track.rsplit_once('('));
    number.map_or(track, |(_, number)| number)
}

/// Adds `values` from a place on.
fn add<const N: usize>(sums: &mut Vec<i64>, at: usize, values: [i64; N]) {
    sums.resize(sums.len().max(at + N), 0);
    sums[at..].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

impl Counted {
    fn windows(&self) -> impl Iterator<Item = (usize, Option<[i64; 2]>)> {
        std::iter::once(None).chain(self.windows.iter().copied().map(Some)).enumerate()
    }

    fn check_spans(&self) {
        let mut ours = Figures::new();
        for (place, window) in self.windows() {
            for row in rows(&shown(&self.file, "spans", window)) {
                let [name, asynchronous] = ["name", "asynchronous"].map(|key| row[key].to_string());
                let sums = ours.entry(format!("[{name}, {asynchronous}]")).or_default();
                match place {
                    0 => add(sums, 0, [number(row, "count"), number(row, "total_ns")]),
                    place => add(sums, 1 + place, [number(row, "total_ns")]),
                }
            }
        }
        let told = self.file.display();
        let names = |all: &Figures| all.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(names(&ours), names(&self.spans), "{told}");
        for (name, mut ours) in ours {
            let theirs = &self.spans[&name];
            ours.resize(theirs.len(), 0);
            assert!(ours[0] == theirs[0] || self.crosses, "{told}: {name}: {ours:?} {theirs:?}");
            for (ours, sum) in ours.iter().zip(theirs).skip(1) {
                // Begin and end are cut to nanoseconds.
                assert!((ours - sum).abs() <= theirs[0], "{told}: {name}: {ours}, not {sum}");
            }
        }
    }

    fn check_tracks(&self) {
        let mut ours = Figures::new();
        let mut marks: Vec<u64> = vec![];
        for (place, window) in self.windows() {
            let told = shown(&self.file, "timeline", window);
            marks.push(rows(&told).iter().map(|row| number(row, "marks") as u64).sum());
            let is_compared = |row: &&Value| row["kind"] == "thread" || row["kind"] == "processor";
            for (number_of_row, row) in rows(&told).iter().enumerate() {
                if !is_compared(&row) {
                    continue;
                }
                // What overlaps on a thread stands on lanes behind it.
                let track = row["track"].as_str().unwrap();
                let (track, _) = track.split_once(", overlapping ").unwrap_or((track, ""));
                let key = if self.has_names {
                    key_of(track).to_owned()
                } else {
                    number_of_row.to_string()
                };
                let [spans, total, samples] =
                    ["spans", "total_ns", "samples"].map(|key| number(row, key));
                let sums = ours.entry(key).or_default();
                match place {
                    0 => add(sums, 0, [spans, total, samples]),
                    place => add(sums, 1 + 2 * place, [total, samples]),
                }
            }
        }
        let told = self.file.display();
        assert_eq!(&marks[1..], self.marks_inside, "{told}");
        let mut ours: Vec<_> = filled(ours);
        let mut theirs: Vec<_> = filled(self.tracks.clone());
        if !self.has_names {
            for all in [&mut ours, &mut theirs] {
                all.iter_mut().for_each(|(key, _)| key.clear());
                all.sort();
            }
        }
        assert_eq!(ours.len(), theirs.len(), "{told}: {ours:?} {theirs:?}");
        for ((track, ours), (key, theirs)) in ours.iter().zip(&theirs) {
            assert_eq!(track, key, "{told}");
            for (place, (own, value)) in ours.iter().zip(theirs).enumerate() {
                let off = match place {
                    0 if self.crosses => continue,
                    1 | 3 | 5 => theirs[0],
                    _ => 0,
                };
                assert!((own - value).abs() <= off, "{told}: {track}: {ours:?}, not {theirs:?}");
            }
        }
    }

    fn check_marks(&self) {
        let told = shown(&self.file, "marks", None);
        let marks: BTreeMap<String, u64> = rows(&told)
            .iter()
            .map(|row| (row["kind"].as_str().unwrap().to_owned(), number(row, "count") as u64))
            .collect();
        assert_eq!(marks, self.marks, "{}", self.file.display());
    }

    fn check_counters_and_flows(&self) {
        let told = self.file.display();
        let info = read_json(&[&"info", &self.file, &"--format", &"json"]);
        let list = |key: &str| info["timeline"][key].as_array().unwrap().clone();
        let mut counters: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        for row in list("counters") {
            let sums = counters.entry(row["name"].as_str().unwrap().to_owned()).or_default();
            sums.0 += row["values"].as_u64().unwrap();
            sums.1 += row["sum"].as_f64().unwrap();
        }
        assert!(self.has_more_counters || counters.len() == self.counters.len(), "{told}");
        for (name, (count, sum)) in counters {
            let theirs = self.counters.get(&name).copied().unwrap_or_default();
            assert_eq!(count, theirs.0, "{told}: {name}");
            // Some are printed with the digits of 32 bits.
            assert!((sum - theirs.1).abs() <= 1e-5 * theirs.1.abs(), "{told}: {name}: {sum}");
        }
        let rows = list("flows");
        assert_eq!(rows.len(), self.flows.len(), "{told}");
        for row in rows {
            let theirs = self.flows[row["name"].as_str().unwrap()];
            assert_eq!(number(&row, "count"), theirs[0], "{told}: {row}");
            let off = number(&row, "total_ns") - theirs[1];
            assert!(off.abs() <= theirs[0], "{told}: {row}");
        }
    }
}

/// Of tracks with anything on them, all figures.
fn filled(tracks: Figures) -> Vec<(String, Vec<i64>)> {
    let some = tracks.into_iter().filter(|(_, row)| row.iter().any(|value| *value != 0));
    let mut all: Vec<_> = some.collect();
    all.iter_mut().for_each(|(_, row)| row.resize(7, 0));
    all
}

#[test]
fn recordings_hold_what_a_script_counts() {
    let all = counted(&files());
    for one in &all {
        one.check_spans();
        one.check_tracks();
        one.check_marks();
        one.check_counters_and_flows();
    }
    assert!(all.len() > 25 || all.is_empty(), "{}", all.len());
    let sum = |of: fn(&Counted) -> u64| all.iter().map(of).sum::<u64>();
    let spans = sum(|one| one.spans.values().map(|row| row[0] as u64).sum());
    let samples = sum(|one| one.tracks.values().map(|row| row[2] as u64).sum());
    let marks = sum(|one| one.marks.values().sum());
    let flows = sum(|one| one.flows.values().map(|row| row[0] as u64).sum());
    let is_much = spans > 5000 && samples > 1000 && marks > 500 && flows > 200;
    assert!(is_much || all.is_empty(), "{spans} {samples} {marks} {flows}");
}
