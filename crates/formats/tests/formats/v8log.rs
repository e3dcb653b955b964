//! Logs of V8, and `node --prof-process` as the measure.

use std::collections::BTreeMap;

use crate::measured::{both, corpus, folded, profile, sample, stacks, text, warnings};
use profile::{FrameId, LabelValue, MetricId, Profile};

/// Rows of a section of the report: ticks and name.
fn section(report: &str, title: &str) -> BTreeMap<String, i64> {
    let section = report.split(&format!(" [{title}]:\n")).nth(1).unwrap_or("");
    let rows = section.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let mut sums = BTreeMap::new();
    for line in rows {
        let ticks = line.split_whitespace().next().unwrap().parse::<i64>().unwrap();
        let name = line.rsplit_once("%  ").unwrap().1.trim().to_owned();
        *sums.entry(name).or_default() += ticks;
    }
    sums
}

fn label(found: &Profile, row: usize, key: &str) -> String {
    let labels = found.label_sets.get(found.points.labels(row));
    labels
        .filter(|label| found.text(label.key) == key)
        .map(|label| match label.value {
            LabelValue::Text(text) => found.text(text).to_owned(),
            LabelValue::Number(..) => String::new(),
        })
        .next()
        .unwrap_or_default()
}

#[test]
fn ticks_are_those_of_prof_process() {
    for name in ["main", "worker", "both"] {
        let found = sample(&format!("v8log/{name}.v8.log"));
        let report = text(&format!("v8log/reports/{name}.v8.log.prof-process.txt"));
        let count: i64 =
            report.split_once(", (").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(found.metric_total(MetricId(0)).0, count, "{name}");
        let mut scripts = BTreeMap::<String, i64>::new();
        let mut garbage = 0;
        for (row, &context) in found.points.context.iter().enumerate() {
            garbage += i64::from(label(&found, row, "state") == "GC");
            let leaf = FrameId(found.frames_of(context).start);
            let mark = match &*label(&found, row, "code") {
                "interpreted" => "~",
                "baseline" => "^",
                "optimised" => "*",
                _ => continue,
            };
            let function = found.frame_name(leaf).replace("(anonymous)", "<anonymous>");
            let (line, column) =
                (found.frames.line[leaf.index()], found.frames.column[leaf.index()]);
            let key = format!("JS: {mark}{function} {}:{line}:{column}", found.frame_file(leaf));
            *scripts.entry(key).or_default() += 1;
        }
        let expected: BTreeMap<_, _> = section(&report, "JavaScript")
            .into_iter()
            .filter(|(name, _)| name.starts_with("JS: "))
            .collect();
        assert_eq!(scripts, expected, "{name}");
        assert_eq!(Some(&garbage), section(&report, "Summary").get("GC"), "{name}");
    }
}

#[test]
fn libraries_are_modules() {
    let found = sample("v8log/main.v8.log");
    let report = text("v8log/reports/main.v8log.json.prof-process.txt");
    let mut libraries = BTreeMap::<String, i64>::new();
    for &context in &found.points.context {
        let leaf = FrameId(found.frames_of(context).start);
        *libraries.entry(found.frame_module(leaf).to_owned()).or_default() += 1;
    }
    for (name, ticks) in section(&report, "Shared libraries") {
        assert_eq!(libraries.get(&name), Some(&ticks), "{name}");
    }
}

#[test]
fn code_comes_moves_and_goes() {
    let found = profile(
        "v8-version,11,3,244,8,,0\nshared-library,/bin/node,0x1000,0x2000,0\nprofiler,begin,1000\n\
         code-creation,JS,10,5,0x100,16,f\\x2Cg /a.js:3:7,0x9,~\ncode-creation,Builtin,2,5,0x200,16,ArrayMap\n\
         tick,0x104,7,0,0x0,0,0x204,0x1800,overflow\ncode-move,0x100,0x300\ntick,0x304,8,0,0x0,0,-0x100\n\
         code-creation,JS,10,9,0x308,16, /a.js:1:1,0x9,*\ntick,0x304,10,0,0x0,1\ntick,0x30a,11,1,0x204,0,+0x1604\n\
         tick,0x1801,12,0,0x308,6\ncode-delete,0x308\ntick,0x309,13,0,0x0,0\n",
    );
    let stacks: Vec<_> = stacks(&found).into_iter().map(|(stack, _)| stack).collect();
    assert_eq!(
        stacks,
        [
            "node+0x1800;Builtin: ArrayMap;f,g",
            "Builtin: ArrayMap;f,g",
            "0x304",
            "node+0x1808;Builtin: ArrayMap",
            "(anonymous);node+0x1801",
            "0x309"
        ]
    );
    assert_eq!(found.points.time(0), Some(7000));
    assert_eq!(
        (label(&found, 0, "code"), label(&found, 0, "state")),
        ("interpreted".to_owned(), "JS".to_owned())
    );
    assert_eq!(label(&found, 4, "state"), "external");
    assert_eq!(found.origin.period, 1_000_000);
}

#[test]
fn old_and_broken_lines() {
    let found = profile(
        "v8-version,6,0,287,53,0\nshared-library,\"/a \"\"b\"\"\",0x1000,0x2000,0\n\
         code-creation,LazyCompile,0,0x100,16,\"f file.js:8:11\",0x9,*\ntick,0x104,7,0,0x0,7\ntick,0x1004,8,0,0x0,4\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["a \"b\"+0x1004 1", "f 1"]);
    assert_eq!(label(&found, 0, "state"), "idle");
    let told = warnings(
        "v8-version,6,0,287,53,0\ntick,0x1\nti0x5,ck\nheap-capacity,9\ntick,0x104,7,0,0x0,7\n",
    );
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn real_files_open() {
    for (path, bytes) in both(&["v8log/main.v8.log"], &["v8log/isolate.log"]) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let found = profile(bytes);
        let ticks = text.lines().filter(|line| line.starts_with("tick,")).count();
        assert_eq!(found.metric_total(MetricId(0)).0, ticks as i64, "{path}");
    }
    let Some(bytes) = corpus("v8log/isolate.log") else { return };
    let found = profile(bytes);
    let totals = crate::measured::total_values(&found, MetricId(0));
    assert!(totals["a"] > 0 && totals["b"] > 0, "{totals:?}");
}

#[test]
fn preprocessed_logs_have_the_ticks_of_their_log() {
    let found = crate::measured::sample("v8log/main.v8log.json");
    let report = crate::measured::text("v8log/reports/main.v8log.json.prof-process.txt");
    assert!(report.starts_with(&format!(
        "Statistical profiling result from main.v8.log, ({} ticks",
        found.metric_total(MetricId(0)).0
    )));
    let own = crate::measured::self_values(&found, MetricId(0));
    assert_eq!(own["fibonacci"], 5 + interpreted(&found, "fibonacci"));
    let gc = (0..found.points.len())
        .filter(|&row| {
            let labels = found.label_sets.get(found.points.labels(row));
            labels
                .into_iter()
                .any(|label| label.value == profile::LabelValue::Text(text_id(&found, "GC")))
        })
        .count();
    assert!(report.contains(&format!("     {gc}    6.4%    8.7%  GC")), "{gc}");
}

/// Ticks in code of a function that was not optimised, which the report tells apart.
fn interpreted(found: &profile::Profile, name: &str) -> i64 {
    let optimised = text_id(found, "optimised");
    let is_other = |row: usize| {
        let mut labels = found.label_sets.get(found.points.labels(row));
        !labels.any(|label| label.value == profile::LabelValue::Text(optimised))
    };
    let is_leaf = |row: usize| {
        let names = crate::measured::names(found, found.points.context[row]);
        names.last().is_some_and(|leaf| leaf == name)
    };
    (0..found.points.len()).filter(|&row| is_leaf(row) && is_other(row)).count() as i64
}

fn text_id(found: &profile::Profile, text: &str) -> profile::StringId {
    let ids = (0..found.strings.len() as u32).map(profile::StringId);
    ids.into_iter().find(|&id| found.text(id) == text).unwrap()
}
