//! `docs/json.md` lists every key of the JSON that commands print. It is made of what they print about the
//! samples, so a new key needs a sentence in `keys.tsv`, and one that is gone loses it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{json, sample};
use crate::made::{self, Made};

/// Commands whose JSON is documented: the heading, and the arguments of each run that it is made of. `@` stands
/// for the folder of the samples.
const COMMANDS: &[(&str, &[&str])] = &[
    (
        "info",
        &[
            "info @pprof/cpu.pb.gz",
            "info @time/requests.json.gz",
            "info @memory/exact.memory",
            "info @perf-data/sched.perf.data",
            "info @runs/before-1.pb.gz @runs/before-2.pb.gz",
        ],
    ),
    (
        "show",
        &[
            "show @pprof/cpu.pb.gz",
            "show --metric cpu --metric samples @pprof/cpu.pb.gz",
            "show --granularity name @austin/cpu.austin",
            "show @cpuprofile/main.cpuprofile",
            "show @calls/estimated.calls",
            "show --view top-down --prune 1% @pprof/cpu.pb.gz",
            "show --view top-down @callgrind/cycles.callgrind",
        ],
    ),
    (
        "show --view call-graph",
        &["show --view call-graph @pprof/cpu.pb.gz", "show --view call-graph @v8log/main.v8.log"],
    ),
    ("show --view pairs", &["show --view pairs @ezview/reuse.ezview"]),
    ("show --view spans", &["show --view spans @time/requests.json.gz"]),
    ("show --view longest-spans", &["show --view longest-spans @time/requests.json.gz"]),
    ("show --view gaps", &["show --view gaps @time/requests.json.gz"]),
    ("show --view concurrency", &["show --view concurrency @time/requests.json.gz"]),
    ("show --view states", &["show --view states @perf-data/sched.perf.data"]),
    ("show --view critical-path", &["show --view critical-path @time/requests.json.gz"]),
    ("show --view marks", &["show --view marks @time/feed.json.gz"]),
    ("show --view timeline", &["show --view timeline @time/requests.json.gz"]),
    (
        "diff",
        &[
            "diff @runs/before-1.pb.gz @runs/after-1.pb.gz",
            "diff --metric cpu --metric samples @runs/before-1.pb.gz @runs/after-1.pb.gz",
            "diff --base @runs/before-1.pb.gz @runs/before-2.pb.gz @runs/before-3.pb.gz @runs/before-4.pb.gz \
             @runs/before-5.pb.gz --new @runs/after-1.pb.gz @runs/after-2.pb.gz @runs/after-3.pb.gz \
             @runs/after-4.pb.gz @runs/after-5.pb.gz",
            "diff --base-time ..1s --time 1s.. @time/requests.json.gz",
        ],
    ),
    (
        "diff --view spans",
        &["diff --view spans @time/imports-before.json.gz @time/imports-after.json.gz"],
    ),
    (
        "diff --view timeline",
        &["diff --view timeline @time/imports-before.json.gz @time/imports-after.json.gz"],
    ),
    ("advice", &["advice @pprof/cpu.pb.gz", "advice @time/requests.json.gz"]),
    ("sdfg info", &["sdfg info @sdfg/sharpen.sdfg"]),
    ("sdfg cost", &["sdfg cost @sdfg/sharpen.sdfg"]),
    ("sdfg compare", &["sdfg compare @sdfg/sharpen.sdfg @sdfg/sharpen.fused.sdfg"]),
    ("sdfg fusions", &["sdfg fusions @sdfg/sharpen.sdfg"]),
    ("sdfg memory", &["sdfg memory --set H=16 --set W=16 @sdfg/sharpen.sdfg"]),
    (
        "sdfg simulate",
        &[
            "sdfg simulate --set H=16 --set W=16 @sdfg/sharpen.sdfg",
            "sdfg simulate --set m=8 --set n=8 --set p=8 @jscop/gemm.jscop",
        ],
    ),
    (
        "sdfg simulate --search",
        &["sdfg simulate --search 3 --set m=8 --set n=8 --set p=8 @jscop/gemm.jscop"],
    ),
    ("events summary", &["events summary @perf-data/group.perf.data"]),
    (
        "events compare",
        &[
            "events compare --base @perf-stat/pipeline.counts.csv --new @perf-stat/pipeline.counts.csv",
        ],
    ),
    ("events timeline", &["events timeline @perf-data/group.perf.data"]),
    (
        "events migrations",
        &[
            "events migrations @perf-data/sched.perf.data",
            "events migrations @perf-data/events.perf.data",
        ],
    ),
    ("record show", &["record show RECORDING"]),
    ("experiment plan", &["experiment plan @experiments/plan.toml"]),
    (
        "experiment summary",
        &["experiment summary RESULT", "experiment summary @hotframe/experiment.hotframe"],
    ),
    ("experiment compare", &["experiment compare RESULT --base size=1 --new size=2"]),
    ("experiment history", &["experiment history RESULT"]),
    ("formats", &["formats"]),
];

/// Objects whose keys are names of the user's data.
const MAPS: &[&str] = &["symbols", "kinds", "matched", "by_shared"];

const HEAD: &str = "# JSON

*Made from what the commands print. `UPDATE_GOLDEN=1 cargo test -p hotframe --test cli json_reference` writes it anew.*

With `--format json` a command prints one object; `formats` prints a list. `version` is 1: it grows when a key gets another
name or meaning, or goes. New keys do not change it, so ignore those you do not know. Whole numbers are exact to 64 bits,
except means of several runs. Values are in the unit beside them; keys that end in `_ns` are nanoseconds. A key with *if
any* is left out where there is nothing to say. Any value that was not measured is `null`. `[]` is a list, `*` any name.
";

/// What is known of a key.
#[derive(Default)]
struct Key {
    kinds: BTreeSet<&'static str>,
    /// In how many objects it is.
    count: usize,
}

/// The keys of answers, by path, and how many objects there are at each path.
#[derive(Default)]
struct Shape {
    keys: BTreeMap<String, Key>,
    objects: BTreeMap<String, usize>,
}

impl Shape {
    fn add(&mut self, value: &Value, path: &str) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        };
        if !path.is_empty() {
            let key = self.keys.entry(path.to_owned()).or_default();
            key.kinds.insert(kind);
            key.count += 1;
        }
        match value {
            Value::Array(rows) => rows.iter().for_each(|row| self.add(row, &format!("{path}[]"))),
            Value::Object(members) => {
                *self.objects.entry(path.to_owned()).or_default() += 1;
                let is_map = MAPS.contains(&path);
                for (name, member) in members {
                    let name = if is_map { "*" } else { name };
                    let dot = if path.is_empty() { "" } else { "." };
                    self.add(member, &format!("{path}{dot}{name}"));
                }
            }
            _ => {}
        }
    }

    /// What a key holds: `text`, `list of text or null`.
    fn kinds(&self, path: &str) -> String {
        let of = |path: &str| {
            let kinds =
                self.keys.get(path).map(|key| key.kinds.iter().copied().collect::<Vec<_>>());
            kinds.unwrap_or_default().join(" or ")
        };
        let inside = of(&format!("{path}[]"));
        let own = of(path);
        if inside.is_empty() { own } else { own.replace("list", &format!("list of {inside}")) }
    }

    /// Whether some objects at its path lack a key.
    fn is_left_out(&self, path: &str) -> bool {
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        name != "*" && self.keys[path].count < self.objects[parent]
    }
}

/// The sentences, by command and path, or by the end of a path.
fn sentences(text: &str) -> BTreeMap<&str, &str> {
    text.lines().map(|line| line.split_once('\t').unwrap()).collect()
}

/// The sentence for a key: that of the command and path, else that of the longest end of the path.
fn sentence<'s>(
    all: &BTreeMap<&'s str, &'s str>,
    command: &str,
    path: &str,
    used: &mut BTreeSet<&'s str>,
) -> Option<&'s str> {
    let plain = path.replace("[]", "");
    let plain = plain.trim_start_matches('.');
    let whole = format!("{command}: {plain}");
    let ends = plain.match_indices('.').map(|(at, _)| &plain[at + 1..]);
    let mut names = [whole.as_str(), plain].into_iter().chain(ends);
    let (name, text) = names.find_map(|name| all.get_key_value(name))?;
    used.insert(name);
    Some(text)
}

fn shape_of(runs: &[&str], result: &Path) -> Shape {
    let recording =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/json_reference/recording.json");
    let mut shape = Shape::default();
    for run in runs {
        let word = |word: &str| match (word, word.strip_prefix('@')) {
            ("RESULT", _) => result.to_owned(),
            ("RECORDING", _) => recording.clone(),
            (_, Some(name)) => sample(name),
            (word, None) => PathBuf::from(word),
        };
        let words: Vec<PathBuf> = run.split_whitespace().map(word).collect();
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![];
        for word in &words {
            arguments.push(word);
        }
        arguments.extend([&"--format" as &dyn AsRef<std::ffi::OsStr>, &"json"]);
        let answer = json(&arguments);
        assert!(answer.is_array() || answer["version"] == 1, "{run}: {answer}");
        shape.add(&answer, "");
    }
    shape
}

/// A result of four runs, of two sizes.
fn write_result(file: &Path) {
    let run = |size: u32, number: i64| Made {
        factors: vec![("size", size.to_string())],
        wall_ns: i64::from(size) * 1_000_000 + number,
        functions: vec![("solve", i64::from(size) * 900_000 + number), ("load", 100_000)],
        ..Made::default()
    };
    let runs: Vec<Made> =
        [1, 2].into_iter().flat_map(|size| (0..4).map(move |n| run(size, n))).collect();
    made::write(file, &runs);
}

#[test]
fn every_key_is_documented() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("sizes.hotframe");
    write_result(&result);
    let text = include_str!("keys.tsv");
    let all = sentences(text);
    let (mut used, mut missing) = (BTreeSet::new(), vec![]);
    let mut out = HEAD.to_owned();
    for (command, runs) in COMMANDS {
        let shape = shape_of(runs, &result);
        write!(out, "\n## {command}\n\n| key | is | |\n|---|---|---|\n").unwrap();
        for path in shape.keys.keys().filter(|path| !path.ends_with("[]")) {
            let Some(said) = sentence(&all, command, path, &mut used) else {
                missing.push(format!("{command}: {path}"));
                continue;
            };
            let left_out = if shape.is_left_out(path) { ", if any" } else { "" };
            writeln!(out, "| `{path}` | {}{left_out} | {said} |", shape.kinds(path)).unwrap();
        }
    }
    assert_eq!(missing, [""; 0], "keys without a sentence in keys.tsv");
    let unused: Vec<&&str> = all.keys().filter(|name| !used.contains(**name)).collect();
    assert!(unused.is_empty(), "sentences of keys that are gone: {unused:?}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &out).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap();
    assert!(known == out, "docs/json.md is out of date: run this test with UPDATE_GOLDEN=1");
}
