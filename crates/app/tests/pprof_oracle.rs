//! `hotframe` against `go tool pprof`, on every pprof file of `testdata/` and of the corpus.
//!
//! `cargo xtask test` builds pprof and names it in `HOTFRAME_PPROF`.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pprof() -> PathBuf {
    let built = root().join("target/tools/pprof");
    let path = std::env::var_os("HOTFRAME_PPROF").map_or(built, PathBuf::from);
    assert!(path.exists(), "no pprof to compare with: run `cargo xtask setup` first");
    path
}

/// The files to compare on. The corpus may be absent.
fn files() -> Vec<PathBuf> {
    let mut files = vec![];
    for folder in samples::both("pprof").chain(samples::corpus("pprof/series")) {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if [".pb", ".pb.gz", ".prof"].iter().any(|ending| name.ends_with(ending)) {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() >= 7, "the samples of testdata are missing");
    files
}

fn run(mut command: Command) -> String {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    assert!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn run_quiet(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn pprof_text(file: &Path, options: &[&str]) -> String {
    let mut command = Command::new(pprof());
    command.args(["-symbolize=none", "-trim=false", "-nodefraction=0", "-edgefraction=0"]);
    command.args(["-nodecount=10000000"]).args(options).arg(file);
    run(command)
}

fn hotframe(arguments: &[&str], file: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.arg(arguments[0]).arg(file).args(&arguments[1..]);
    run(command)
}

fn hotframe_json(arguments: &[&str], file: &Path) -> Value {
    serde_json::from_str(&hotframe(arguments, file)).unwrap()
}

/// Fails with what differs, not with everything.
fn assert_same<K: Ord + std::fmt::Debug + Clone, V: PartialEq + std::fmt::Debug>(
    ours: &BTreeMap<K, V>,
    theirs: &BTreeMap<K, V>,
    what: &str,
) {
    let keys: std::collections::BTreeSet<&K> = ours.keys().chain(theirs.keys()).collect();
    let different: Vec<_> = keys
        .into_iter()
        .filter(|key| ours.get(key) != theirs.get(key))
        .map(|key| format!("{key:?}: ours {:?}, pprof's {:?}", ours.get(key), theirs.get(key)))
        .collect();
    assert!(different.is_empty(), "{what}:\n{}", different.join("\n"));
}

/// Metrics with the pprof option that prints them in their own unit.
fn metrics(file: &Path) -> Vec<(String, &'static str)> {
    let info = hotframe_json(&["info", "--format", "json"], file);
    let metric = |metric: &Value| {
        let unit = match metric["unit"].as_str().unwrap() {
            "nanoseconds" => "-unit=ns",
            "bytes" => "-unit=B",
            _ => "-unit=count",
        };
        (metric["name"].as_str().unwrap().to_owned(), unit)
    };
    info["metrics"].as_array().unwrap().iter().map(metric).collect()
}

/// `123ns` as a number.
fn number(text: &str) -> i64 {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().unwrap_or_else(|_| panic!("pprof printed the number {text:?}"))
}

/// A name without pprof's remark on inlining.
fn plain(name: &str) -> String {
    let name = name.trim();
    name.trim_end_matches(" (inline)").trim_end_matches(" (partial-inline)").to_owned()
}

type SelfAndTotal = BTreeMap<String, (i64, i64)>;

fn pprof_top(file: &Path, options: &[&str]) -> SelfAndTotal {
    let text = pprof_text(file, &[&["-top"], options].concat());
    let mut lines = text.lines().skip_while(|line| !line.trim_start().starts_with("flat "));
    lines.next();
    let mut top = SelfAndTotal::new();
    for line in lines {
        let mut fields = line.split_whitespace();
        let mut next = || fields.next().unwrap();
        let (own, _, _, total, _) = (number(next()), next(), next(), number(next()), next());
        let name = plain(&fields.collect::<Vec<_>>().join(" "));
        let entry = top.entry(name).or_default();
        *entry = (entry.0 + own, entry.1 + total);
    }
    top.retain(|_, values| *values != (0, 0));
    top
}

/// Our list; unsymbolised places are added up by module, as pprof's list has them.
fn our_top(file: &Path, options: &[&str]) -> SelfAndTotal {
    let by_name = ["show", "--view", "flat", "--granularity", "name", "--format", "json"];
    let arguments = [&by_name, options].concat();
    by_function(&hotframe_json(&arguments, file), |value| value.as_i64().unwrap())
}

fn by_function(json: &Value, number: fn(&Value) -> i64) -> SelfAndTotal {
    let mut top = SelfAndTotal::new();
    for row in json["rows"].as_array().unwrap() {
        let name = row["function"].as_str().unwrap();
        let module = row["module"].as_str().unwrap().rsplit('/').next().unwrap();
        let name = if name.strip_prefix(module).is_some_and(|rest| rest.starts_with("+0x")) {
            format!("[{module}]")
        } else {
            name.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let entry = top.entry(name).or_default();
        entry.0 += number(&row["self"]);
        entry.1 += number(&row["total"]);
    }
    top
}

/// Totals of places do not add up to the total of their module: leave self only.
fn without_module_totals(mut top: SelfAndTotal) -> SelfAndTotal {
    for (name, values) in &mut top {
        if name.starts_with('[') {
            values.1 = 0;
        }
    }
    top.retain(|name, values| !(name.starts_with('[') && values.0 == 0));
    top
}

#[test]
fn flat_agrees_with_top_on_every_file_and_metric() {
    for file in files() {
        for (metric, unit) in metrics(&file) {
            let theirs = pprof_top(&file, &[unit, &format!("-sample_index={metric}")]);
            let ours = our_top(&file, &["--metric", &metric]);
            assert!(!ours.is_empty(), "{}", file.display());
            assert_same(
                &without_module_totals(ours),
                &without_module_totals(theirs),
                &format!("{} {metric}", file.display()),
            );
        }
    }
}

/// What is the same function without being asked is what pprof's `-filefunctions` tells apart.
#[test]
fn functions_agree_with_those_of_pprof_by_name_and_file() {
    for file in files() {
        for (metric, unit) in metrics(&file) {
            let sample_index = format!("-sample_index={metric}");
            let theirs = pprof_top(&file, &[unit, "-filefunctions", &sample_index]);
            let arguments = ["show", "--format", "json", "--metric", &metric];
            let mut json = hotframe_json(&arguments, &file);
            for row in json["rows"].as_array_mut().unwrap() {
                let file = row["file"].as_str().unwrap().to_owned();
                if !file.is_empty() {
                    let name = format!("{} {file}", row["function"].as_str().unwrap());
                    row["function"] = Value::String(name);
                }
            }
            assert_same(
                &without_module_totals(by_function(&json, |value| value.as_i64().unwrap())),
                &without_module_totals(theirs),
                &format!("{} {metric}", file.display()),
            );
        }
    }
}

#[test]
fn unsymbolised_totals_by_module_agree() {
    let file = root().join("testdata/pprof/unsymbolised.pb");
    let theirs = pprof_top(&file, &["-unit=ns"]);
    let json = hotframe_json(&["show", "--granularity", "module", "--format", "json"], &file);
    let rows = json["rows"].as_array().unwrap().iter();
    let ours: SelfAndTotal = rows
        .map(|row| {
            let name = format!("[{}]", row["function"].as_str().unwrap());
            (name, (row["self"].as_i64().unwrap(), row["total"].as_i64().unwrap()))
        })
        .collect();
    assert_same(&ours, &theirs, "by module");
}

#[test]
fn filters_agree_with_pprof() {
    let testdata = root().join("testdata/pprof");
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("cpu.pb.gz", &[("focus", "json")]),
        ("cpu.pb.gz", &[("ignore", "runtime\\.")]),
        ("cpu.pb.gz", &[("hide", "^runtime\\.")]),
        ("cpu.pb.gz", &[("show", "main\\.|json|sort")]),
        ("cpu.pb.gz", &[("show_from", "sort\\.")]),
        ("cpu.pb.gz", &[("show_from", "flate"), ("hide", "archive")]),
        ("cpu.pb.gz", &[("focus", "flate"), ("ignore", "runtime"), ("hide", "encode")]),
        ("cpu.pb.gz", &[("hide", "\\.go")]),
        ("heap.pb.gz", &[("focus", "json|flate")]),
        ("heap.pb.gz", &[("tagfocus", "bytes=1kb:64kb")]),
        ("heap.pb.gz", &[("tagfocus", "64kb:")]),
        ("heap.pb.gz", &[("tagignore", ":512b")]),
        ("labels.pb.gz", &[("tagfocus", "tenant=west")]),
        ("labels.pb.gz", &[("tagfocus", "arch")]),
        ("labels.pb.gz", &[("tagignore", "step=archive,report")]),
        ("labels.pb.gz", &[("tagfocus", "tenant:w,step:.*r")]),
    ];
    let mut narrowed = 0;
    for (name, filters) in cases {
        let file = testdata.join(name);
        for (metric, unit) in metrics(&file) {
            let theirs: Vec<String> = filters.iter().map(|(f, v)| format!("-{f}={v}")).collect();
            let ours: Vec<String> =
                filters.iter().map(|(f, v)| format!("--{}={v}", f.replace('_', "-"))).collect();
            let index = format!("-sample_index={metric}");
            let mut their_options = vec![unit, index.as_str()];
            their_options.extend(theirs.iter().map(String::as_str));
            let mut our_options = vec!["--metric", metric.as_str()];
            our_options.extend(ours.iter().map(String::as_str));
            let kept = our_top(&file, &our_options);
            let theirs = pprof_top(&file, &their_options);
            assert_same(&kept, &theirs, &format!("{name} {metric} {filters:?}"));
            narrowed +=
                usize::from(!kept.is_empty() && kept != our_top(&file, &["--metric", &metric]));
        }
    }
    assert!(narrowed > cases.len() / 2, "most filters keep something and change something");
}

/// By function: callers and callees with the value of the call.
type Calls = BTreeMap<(String, &'static str, String), i64>;

fn pprof_peek(file: &Path, options: &[&str]) -> Calls {
    let text = pprof_text(file, &[&["-peek=."], options].concat());
    let mut calls = Calls::new();
    for block in text
        .split("----------------------------------------------------------+-------------")
        .skip(2)
    {
        let lines: Vec<&str> = block.lines().filter(|line| line.contains('|')).collect();
        let parts = |line: &str| {
            let (numbers, name) = line.split_once('|').unwrap();
            (numbers.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), plain(name))
        };
        // The function's own line is the one with five numbers.
        let Some(own) = lines.iter().position(|line| parts(line).0.len() >= 4) else { continue };
        let function = parts(lines[own]).1;
        for (index, line) in lines.iter().enumerate().filter(|(index, _)| *index != own) {
            let (numbers, name) = parts(line);
            let side = if index < own { "caller" } else { "callee" };
            *calls.entry((function.clone(), side, name)).or_default() += number(&numbers[0]);
        }
    }
    calls.retain(|_, value| *value != 0);
    calls
}

#[test]
fn the_call_graph_agrees_with_peek() {
    for name in ["cpu.pb.gz", "labels.pb.gz", "mutex.pb.gz", "heap.pb.gz"] {
        let file = root().join("testdata/pprof").join(name);
        for (metric, unit) in metrics(&file) {
            let theirs = pprof_peek(&file, &[unit, &format!("-sample_index={metric}")]);
            let arguments =
                ["show", "--view", "call-graph", "--granularity", "name", "--metric", &metric];
            let arguments = [&arguments[..], &["--format", "json"]].concat();
            let json = hotframe_json(&arguments, &file);
            let mut ours = Calls::new();
            for row in json["rows"].as_array().unwrap() {
                for (side, list) in [("caller", &row["callers"]), ("callee", &row["callees"])] {
                    for call in list.as_array().unwrap() {
                        let function = row["function"].as_str().unwrap().to_owned();
                        let other = call["function"].as_str().unwrap().to_owned();
                        ours.insert((function, side, other), call["value"].as_i64().unwrap());
                    }
                }
            }
            ours.retain(|_, value| *value != 0);
            assert!(ours.len() > 4, "{name} {metric}");
            assert_same(&ours, &theirs, &format!("{name} {metric}"));
        }
    }
}

/// What `-raw` prints, with ids replaced by what they stand for and lines in a fixed order.
fn raw(file: &Path) -> Vec<String> {
    let text = pprof_text(file, &["-raw"]);
    let mut section = "";
    let mut locations = BTreeMap::new();
    let mut samples: Vec<(String, String)> = vec![];
    let mut others = vec![];
    let mut last_location = String::new();
    for line in text.lines() {
        match line {
            "Samples:" | "Locations" | "Mappings" => section = line,
            _ if section == "Samples:"
                && line.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-')
                && line.contains(':') =>
            {
                let (values, ids) = line.split_once(':').unwrap();
                samples.push((values.trim().to_owned(), ids.to_owned()));
            }
            // Labels of the sample before, or its types.
            _ if section == "Samples:" => match samples.last_mut() {
                Some((values, _)) => values.push_str(&format!(" {}", line.trim())),
                None => others.push(line.to_owned()),
            },
            _ if section == "Locations" => match line.trim().split_once(": ") {
                Some((id, rest)) if id.parse::<u64>().is_ok() => {
                    last_location = id.to_owned();
                    locations.insert(last_location.clone(), rest.to_owned());
                }
                _ => locations.entry(last_location.clone()).or_default().push_str(line.trim()),
            },
            _ => others.push(line.to_owned()),
        }
    }
    let mut out: Vec<String> = samples
        .into_iter()
        .map(|(values, ids)| {
            let stack = ids.split_whitespace().map(|id| locations[id].clone());
            format!("{values}: {}", stack.collect::<Vec<_>>().join(" / "))
        })
        .collect();
    out.sort();
    others.sort();
    out.extend(others);
    out
}

#[test]
fn what_is_written_reads_the_same_in_pprof() {
    let folder = tempfile::tempdir().unwrap();
    for file in files() {
        let copy = folder.path().join("copy.pb.gz");
        hotframe(&["convert", "-o", copy.to_str().unwrap()], &file);
        assert_eq!(raw(&copy), raw(&file), "{}", file.display());
    }
}

#[test]
fn merges_agree_with_those_of_pprof() {
    let folder = tempfile::tempdir().unwrap();
    let testdata = root().join("testdata/pprof");
    let mut sets = vec![
        vec![testdata.join("cpu.pb.gz"), testdata.join("labels.pb.gz"), testdata.join("cpu.pb.gz")],
        vec![testdata.join("heap.pb.gz"); 2],
    ];
    let series: Vec<_> =
        files().into_iter().filter(|file| file.parent().unwrap().ends_with("series")).collect();
    if !series.is_empty() {
        sets.push(series);
    }
    for (index, set) in sets.iter().enumerate() {
        let [theirs, ours, ours_as_pprof] = ["theirs.pb.gz", "ours.hotframe", "ours.pb.gz"]
            .map(|name| folder.path().join(format!("{index}-{name}")));
        let mut command = Command::new(pprof());
        run_quiet(command.args(["-symbolize=none", "-proto", "-output"]).arg(&theirs).args(set));
        for output in [&ours, &ours_as_pprof] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
            run_quiet(command.arg("convert").args(set).arg("-o").arg(output));
        }
        for (metric, unit) in metrics(&theirs) {
            let what = format!("set {index} {metric}");
            let options = [unit, &format!("-sample_index={metric}")];
            let top = without_module_totals(pprof_top(&theirs, &options));
            assert!(!top.is_empty(), "{what}");
            let our_top = without_module_totals(our_top(&ours, &["--metric", &metric]));
            assert_same(&our_top, &top, &what);
            let written = without_module_totals(pprof_top(&ours_as_pprof, &options));
            assert_same(&written, &top, &format!("{what}, written"));
            assert_same(
                &traces(&ours_as_pprof, unit, &metric),
                &traces(&theirs, unit, &metric),
                &what,
            );
        }
    }
}

#[test]
fn differences_agree_with_those_of_pprof() {
    let testdata = root().join("testdata/pprof");
    let mut pairs = vec![
        [testdata.join("cpu.pb.gz"), testdata.join("labels.pb.gz")],
        [testdata.join("labels.pb.gz"), testdata.join("cpu.pb.gz")],
    ];
    let series: Vec<_> =
        files().into_iter().filter(|file| file.parent().unwrap().ends_with("series")).collect();
    if let (Some(first), Some(last)) = (series.first(), series.last()) {
        pairs.push([first.clone(), last.clone()]);
    }
    for [base, new] in &pairs {
        for (metric, unit) in metrics(new) {
            let what = format!("{} less {}, {metric}", new.display(), base.display());
            let diff_base = format!("-diff_base={}", base.display());
            let theirs = pprof_top(new, &[unit, &format!("-sample_index={metric}"), &diff_base]);
            let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
            command.arg("diff").args([base, new]).args(["--format", "json", "--metric", &metric]);
            command.args(["--granularity", "name"]);
            let json = serde_json::from_str(&run(command)).unwrap();
            let mut ours = by_function(&json, |change| change["difference"].as_i64().unwrap());
            ours.retain(|_, values| *values != (0, 0));
            assert_same(&without_module_totals(ours), &without_module_totals(theirs), &what);
        }
    }
}

/// Stacks, leaf first, with their summed value.
fn traces(file: &Path, unit: &str, metric: &str) -> BTreeMap<String, i64> {
    let text = pprof_text(file, &["-traces", unit, &format!("-sample_index={metric}")]);
    let mut stacks = BTreeMap::new();
    for block in
        text.split("-----------+-------------------------------------------------------").skip(1)
    {
        let mut value = None;
        let mut names = vec![];
        for line in block.lines().filter(|line| !line.trim().is_empty()) {
            match (value, line.trim_start().split_once("   ")) {
                (None, Some((amount, name)))
                    if amount.starts_with(|c: char| c.is_ascii_digit() || c == '-') =>
                {
                    value = Some(number(amount.trim()));
                    names.push(plain(name));
                }
                // Labels come before the first line of a stack.
                (None, _) => {}
                (Some(_), _) => names.push(plain(line)),
            }
        }
        if let Some(value) = value {
            *stacks.entry(names.join(";")).or_default() += value;
        }
    }
    stacks.retain(|_, value| *value != 0);
    stacks
}

#[test]
fn stacks_agree_with_traces() {
    for file in files() {
        for (metric, unit) in metrics(&file) {
            let folder = tempfile::tempdir().unwrap();
            let collapsed = folder.path().join("stacks.collapsed");
            let output = collapsed.to_str().unwrap();
            hotframe(&["convert", "-o", output, "--metric", &metric], &file);
            let text = std::fs::read_to_string(&collapsed).unwrap();
            let mut ours = BTreeMap::<String, i64>::new();
            for line in text.lines() {
                let (stack, value) = line.rsplit_once(' ').unwrap();
                let names: Vec<&str> = stack.split(';').rev().collect();
                // pprof names places without symbols by their module.
                let symbolised = |name: &str| match name.split_once("+0x") {
                    Some((module, _)) => format!("[{module}]"),
                    None => name.to_owned(),
                };
                let names: Vec<String> = names.into_iter().map(symbolised).collect();
                *ours.entry(names.join(";")).or_default() += value.parse::<i64>().unwrap();
            }
            ours.retain(|_, value| *value != 0);
            let theirs = traces(&file, unit, &metric);
            // pprof's listing of places without symbols carries addresses; their sums must agree.
            if theirs.keys().any(|stack| stack.contains('[') || stack.contains("0x")) {
                assert_eq!(ours.values().sum::<i64>(), theirs.values().sum::<i64>());
                continue;
            }
            assert_same(&ours, &theirs, &format!("{} {metric}", file.display()));
        }
    }
}

/// A copy of a profile with `drop_frames` and `keep_frames`: fields may follow in any order, so
/// they and their strings go to the end.
fn with_dropped_frames(file: &Path, folder: &Path, drop: &str, keep: &str) -> PathBuf {
    use std::io::Read as _;
    let packed = std::fs::read(file).unwrap();
    let mut bytes = vec![];
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    let varint = |at: &mut usize| {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = bytes[*at];
            *at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    };
    let (mut at, mut count) = (0, 0u64);
    while at < bytes.len() {
        let tag = varint(&mut at);
        let number = varint(&mut at);
        if tag & 7 == 2 {
            at += number as usize;
        }
        count += u64::from(tag == (6 << 3 | 2));
    }
    assert!((1 << 7..1 << 14).contains(&count), "indices of two bytes");
    for (field, text, index) in [(7u8, drop, count), (8, keep, count + 1)] {
        bytes.extend([6 << 3 | 2, text.len() as u8]);
        bytes.extend(text.as_bytes());
        bytes.extend([field << 3, index as u8 | 0x80, (index >> 7) as u8]);
    }
    let copy = folder.join("dropped.pb");
    std::fs::write(&copy, bytes).unwrap();
    copy
}

#[test]
fn dropped_frames_agree_with_pprof() {
    let folder = tempfile::tempdir().unwrap();
    let file = root().join("testdata/pprof/cpu.pb.gz");
    let plain = our_top(&file, &["--metric", "cpu"]);
    for (drop, keep) in [
        ("runtime\\.mallocgc.*|.*arshal", ""),
        ("runtime\\..*", "runtime\\.mapaccess.*|runtime\\.memclr.*"),
        // Inlined frames, and the outermost function, which stays.
        ("sort\\..*|internal/runtime/maps\\..*|sync\\..*", "sort\\.Slice"),
        ("runtime\\.mallocg", ""),
    ] {
        let copy = with_dropped_frames(&file, folder.path(), drop, keep);
        let ours = our_top(&copy, &["--metric", "cpu"]);
        let theirs = pprof_top(&copy, &["-unit=ns", "-sample_index=cpu"]);
        assert_same(&ours, &theirs, &format!("drop {drop} keep {keep}"));
        let whole_names_only = drop == "runtime\\.mallocg";
        assert_eq!(ours == plain, whole_names_only, "drop {drop}");
        assert_eq!(our_top(&copy, &["--metric", "cpu", "--no-drop-frames"]), plain);
    }
}
