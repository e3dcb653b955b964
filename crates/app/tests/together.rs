//! Many profiles as one, run as a person or a script runs them: figures over members, formulas,
//! comparisons of runs.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Runs in an empty folder of its own, so that nobody's settings are found.
fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hotframe"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.path().join("config"))
        .output()
        .unwrap()
}

fn out(folder: &TempDir, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &TempDir, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    serde_json::from_str(&out(folder, &arguments)).unwrap()
}

fn errors(folder: &TempDir, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).unwrap();
}

/// The row of a function in a report.
fn row<'a>(report: &'a Value, function: &str) -> &'a Value {
    let rows = report["rows"].as_array().unwrap();
    rows.iter().find(|row| row["function"] == function).unwrap_or_else(|| panic!("no {function}"))
}

/// Eight snapshots: `leak` grows by 10 each time, `wave` goes up and down, `once` is in one only.
fn snapshots(folder: &TempDir) -> Vec<String> {
    let wave = [5, 9, 4, 7, 5, 9, 4, 8];
    let name = |at: usize| format!("s{at}.folded");
    for (at, wave) in wave.iter().enumerate() {
        let once = if at == 3 { "main;once 100\n" } else { "" };
        let text = format!("main;leak {}\nmain;wave {wave}\n{once}", 10 * (at + 1));
        write(folder, &name(at), &text);
    }
    (0..wave.len()).map(name).collect()
}

#[test]
fn figures_over_members_are_metrics() {
    let folder = TempDir::new().unwrap();
    let names = snapshots(&folder);
    let show = |metric: &str, view: &str| {
        let mut arguments = vec!["show", "--metric", metric, "--view", view];
        arguments.extend(names.iter().map(String::as_str));
        json(&folder, &arguments)
    };
    for view in ["flat", "top-down"] {
        let total = |metric: &str, function: &str| {
            let report = show(metric, view);
            row(&report, function)["total"].as_f64().unwrap()
        };
        assert_eq!(total("mean_of(samples)", "leak"), 45.0, "{view}");
        assert_eq!(total("max_of(samples)", "once"), 100.0);
        assert_eq!(total("min_of(samples)", "wave"), 4.0);
        assert_eq!(total("median_of(samples)", "leak"), 45.0);
        assert_eq!(total("count_of(samples)", "once"), 1.0);
        assert_eq!(total("percentile_of(samples, 50)", "leak"), 45.0);
        assert_eq!(total("slope_of(samples)", "leak"), 10.0);
        // What keeps growing comes first, alone: the rest is nothing.
        let rise = show("rise_of(samples)", view);
        let names: Vec<&str> = (rise["rows"].as_array().unwrap().iter())
            .filter(|row| row["total"].as_f64() > Some(0.0) && row["function"] != "main")
            .map(|row| row["function"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["leak"]);
    }
}

#[test]
fn formulas_are_metrics_and_no_value_is_null() {
    let folder = TempDir::new().unwrap();
    write(&folder, "callgrind.out.1", TWO_METRICS);
    let file = "callgrind.out.1";
    let ratio = json(&folder, &["show", file, "--metric", "self(cycles) / self(instructions)"]);
    assert_eq!(row(&ratio, "a")["self"], 2.5);
    // There are no instructions in it.
    let none =
        json(&folder, &["show", file, "--metric", "cycles / instructions", "--view", "top-down"]);
    assert_eq!(row(&none, "b")["self"], Value::Null);
    assert_eq!(none["metric"]["name"], "cycles / instructions");
    let csv = out(
        &folder,
        &[
            "show",
            file,
            "--metric",
            "cycles / instructions",
            "--format",
            "csv",
            "--view",
            "top-down",
        ],
    );
    assert!(csv.lines().any(|line| line.starts_with("b,") && line.contains(",,,")), "{csv}");
    let text =
        out(&folder, &["show", file, "--metric", "cycles / instructions", "--view", "top-down"]);
    assert!(text.contains('–') && !text.contains("-9223372036854775808"), "{text}");

    let wrong = errors(&folder, &["show", file, "--metric", "cycles / instrctions"]);
    assert!(wrong.contains("did you mean instructions?"), "{wrong}");
    let wrong = errors(&folder, &["show", file, "--metric", "cycles +"]);
    assert!(wrong.contains("at byte"), "{wrong}");
    assert!(errors(&folder, &["show", file, "--metric", "cyles"]).contains("it has: "));
}

/// Values of formulas do not add up, and calls have no self value: what stands beside them is told
/// in what was measured, or not at all.
#[test]
fn nothing_is_summed_over_values_of_formulas() {
    let folder = TempDir::new().unwrap();
    write(&folder, "p.folded", "main;a;b 10\nmain;a 5\nmain;c 7\nmain;d 3\n");
    const TENTH: &[&str] = &["show", "p.folded", "--metric", "samples / 10", "--view"];
    let report = json(&folder, &[TENTH, &["call-graph"]].concat());
    assert_eq!(row(&report, "a")["total"], 1.5);
    assert_eq!(row(&report, "a")["callers"][0]["value"], 15);
    assert_eq!(report["calls_metric"]["name"], "samples");
    let calls = out(&folder, &[TENTH, &["call-graph", "--format", "csv"]].concat());
    assert!(calls.contains("main,a,15,\r\n"), "{calls}");
    let text = out(&folder, &[TENTH, &["top-down", "--limit", "2"]].concat());
    let more: Vec<&str> = text.lines().filter(|line| line.contains("… 2 more")).collect();
    assert!(more.len() == 1 && more[0].trim_start().starts_with('–'), "{text}");

    let picture = ["export", "p.folded", "--metric", "samples / 0", "-o", "p.svg"];
    out(&folder, &picture);
    let picture = std::fs::read_to_string(folder.path().join("p.svg")).unwrap();
    assert!(!picture.contains(" %)"), "{picture}");
}

/// `a` has both metrics, `b` only cycles.
const TWO_METRICS: &str = "# callgrind format\nversion: 1\nevents: cycles instructions\n\
                           fl=x.c\nfn=a\n1 25 10\nfn=b\n1 5 0\n";

#[test]
fn formulas_are_kept_with_the_profile_and_in_settings() {
    let folder = TempDir::new().unwrap();
    write(&folder, "p.folded", "main;work 60\nmain;rest 40\n");
    let define = ["--define", "twice = samples * 2"];
    out(&folder, &[&["convert", "p.folded", "-o", "p.hotframe"][..], &define].concat());
    let info = json(&folder, &["info", "p.hotframe"]);
    assert_eq!(info["metrics"][1]["name"], "twice");
    assert_eq!(info["metrics"][1]["total"], 200.0);
    assert_eq!(info["metrics"][1]["formula"], "samples * 2");
    let shown = json(&folder, &["show", "p.hotframe", "--metric", "twice"]);
    assert_eq!(row(&shown, "work")["self"], 120.0);
    // A format that cannot hold them says so.
    let lost = run(&folder, &["convert", "p.hotframe", "-o", "q.folded"]);
    assert!(String::from_utf8_lossy(&lost.stderr).contains("metrics by formula"));

    // Settings are for all profiles: what does not fit one is none of its business.
    write(
        &folder,
        "hotframe.json",
        r#"{"metrics":[{"name":"half","formula":"samples / 2"},{"formula":"cycles / instructions"}]}"#,
    );
    let info = json(&folder, &["info", "p.folded"]);
    let names: Vec<&Value> =
        info["metrics"].as_array().unwrap().iter().map(|metric| &metric["name"]).collect();
    assert_eq!(names, ["samples", "half"]);
    assert_eq!(info["warnings"], Value::Array(vec![]));
    write(&folder, "hotframe.json", r#"{"metrics":[{"formula":"samples +"}]}"#);
    let info = json(&folder, &["info", "p.folded"]);
    assert!(info["warnings"][0].as_str().unwrap().contains("samples +"), "{info}");
    write(&folder, "hotframe.json", "{");
    assert!(errors(&folder, &["info", "p.folded"]).contains("hotframe.json"));
}

/// Five runs of a side: `work` takes `work` and a little more each time, `noise` wavers.
fn runs(folder: &TempDir, side: &str, work: i64) -> Vec<String> {
    let wavers = [100, 140, 90, 130, 110];
    let name = |run: usize| format!("{side}{run}.folded");
    for (run, wavers) in wavers.iter().enumerate() {
        let work = work + run as i64;
        write(folder, &name(run), &format!("main;work {work}\nmain;noise {wavers}\n"));
    }
    (0..wavers.len()).map(name).collect()
}

#[test]
fn runs_are_compared_by_their_means_and_tested() {
    let folder = TempDir::new().unwrap();
    let sides = [runs(&folder, "base", 500), runs(&folder, "new", 700)];
    let mut arguments = vec!["diff", "--base"];
    arguments.extend(sides[0].iter().map(String::as_str));
    arguments.push("--new");
    arguments.extend(sides[1].iter().map(String::as_str));
    for view in ["flat", "top-down", "bottom-up"] {
        let report = json(&folder, &[&arguments[..], &["--view", view]].concat());
        let work = row(&report, "work");
        assert_eq!((&work["total"]["base"], &work["total"]["new"]), (&502.0.into(), &702.0.into()));
        assert_eq!(work["total"]["tag"], "[+]", "{view}");
        assert_eq!(work["test"]["verdict"], "more", "{view}");
        // scipy.stats.ttest_ind of the logarithms.
        let p = work["test"]["p_value"].as_f64().unwrap();
        assert!((p / 5.659_745_361_230_081e-16 - 1.0).abs() < 1e-6, "{p}");
        let noise = row(&report, "noise");
        assert_eq!(noise["total"]["tag"], "[=]", "{view}");
        // The means are equal, but these runs would be for a change of a fifth, too.
        assert_eq!(noise["test"]["verdict"], "unknown", "{view}");
        assert_eq!(noise["test"]["reason"], "too noisy, or too few runs");
    }
    // A gate that noise does not trip.
    let gated = |growth: &str| {
        run(&folder, &[&arguments[..], &["--fail-if", growth]].concat()).status.code()
    };
    assert_eq!(gated("self > 5%"), Some(3));
    assert_eq!(gated("self > 60%"), Some(0));
    // Folders are runs too.
    for (side, files) in ["before", "after"].iter().zip(&sides) {
        std::fs::create_dir(folder.path().join(side)).unwrap();
        for file in files {
            let to: PathBuf = folder.path().join(side).join(file);
            std::fs::copy(folder.path().join(file), to).unwrap();
        }
    }
    let by_folder = json(&folder, &["diff", "before", "after"]);
    assert_eq!(row(&by_folder, "work")["test"], row(&json(&folder, &arguments), "work")["test"]);
}

/// What a function took from those that it calls is growth of its self value.
#[test]
fn growth_of_self_values_is_tested_by_self_values() {
    let folder = TempDir::new().unwrap();
    for (side, own) in [("before", 100), ("after", 300)] {
        std::fs::create_dir(folder.path().join(side)).unwrap();
        for run in 0..5 {
            let text = format!("main;work {}\nmain;work;part {}\n", own + run, 500 - own - run);
            write(&folder, &format!("{side}/{run}.folded"), &text);
        }
    }
    let gated = |growth: &str| {
        run(&folder, &["diff", "before", "after", "--fail-if", growth]).status.code()
    };
    assert_eq!((gated("self > 5%"), gated("total > 5%")), (Some(3), Some(0)));
    let report = json(&folder, &["diff", "before", "after"]);
    let work = row(&report, "work");
    assert_eq!((&work["self"]["tag"], &work["total"]["tag"]), (&"[+]".into(), &"[=]".into()));
}

#[test]
fn means_of_many_runs_are_not_rounded_away() {
    let folder = TempDir::new().unwrap();
    for side in ["before", "after"] {
        std::fs::create_dir(folder.path().join(side)).unwrap();
        for run in 0..300 {
            write(&folder, &format!("{side}/{run}.folded"), "main;a 1\nmain;b 3\n");
        }
    }
    let report = json(&folder, &["diff", "before", "after"]);
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 0.001;
    assert!(near(&report["total"]["base"], 4.0), "{report}");
    assert!(near(&row(&report, "a")["total"]["new"], 1.0), "{report}");
}

#[test]
fn formulas_and_several_metrics_are_compared() {
    let folder = TempDir::new().unwrap();
    write(&folder, "base.folded", "main;a 6\nmain;b 1\n");
    write(&folder, "new.folded", "main;a 9\nmain;b 1\n");
    let diff = ["diff", "base.folded", "new.folded", "--define", "twice = samples * 2"];
    let metrics = ["--metric", "twice", "--metric", "samples", "--metric", "samples / 3"];
    let report = json(&folder, &[&diff[..], &metrics].concat());
    assert_eq!((&report["metric"], &report["total"]["difference"]), (&"twice".into(), &6.0.into()));
    let a = row(&report, "a");
    assert_eq!((&a["total"]["base"], &a["total"]["new"]), (&12.0.into(), &18.0.into()));
    let names: Vec<_> = report["metrics"].as_array().unwrap().iter().map(|m| &m["name"]).collect();
    assert_eq!(names, ["samples", "samples / 3"]);
    let more = &a["metrics"];
    assert_eq!((&more[0]["total"]["base"], &more[0]["self"]["new"]), (&6.into(), &9.into()));
    assert_eq!(
        (&more[1]["total"]["difference"], &more[1]["total"]["tag"]),
        (&1.0.into(), &"[+]".into())
    );
    let wrong = errors(&folder, &["diff", "base.folded", "new.folded", "--metric", "cycles / 2"]);
    assert!(wrong.contains("samples"), "{wrong}");
}

#[test]
fn values_are_brought_to_equal_totals() {
    let folder = TempDir::new().unwrap();
    write(&folder, "base.folded", "main;a 60\nmain;b 40\n");
    write(&folder, "new.folded", "main;a 120\nmain;b 80\n");
    let by = |normalise: &str| {
        let report =
            json(&folder, &["diff", "base.folded", "new.folded", "--normalise", normalise]);
        row(&report, "a")["total"]["new"].as_f64().unwrap()
    };
    assert_eq!(by("absolute"), 120.0);
    assert_eq!(by("total"), 60.0);
    // Of equal totals nothing is left but rounding, of which there are no shares.
    write(&folder, "new.folded", "main;a 31\nmain;b 16\nmain;c 12\n");
    let report = json(&folder, &["diff", "base.folded", "new.folded", "--normalise", "total"]);
    assert_eq!(report["total"]["tag"], "[=]", "{}", report["total"]);
    let share = &row(&report, "c")["total"]["share"];
    assert!(share.is_null(), "{share}");
    // As it is, one of many is a change.
    write(&folder, "one.folded", "main;a 3000000000\n");
    write(&folder, "more.folded", "main;a 3000000001\n");
    let report = json(&folder, &["diff", "one.folded", "more.folded"]);
    assert_eq!(report["total"]["tag"], "[+]", "{}", report["total"]);
    assert_eq!(report["total"]["difference"], 1.0);
    // `b` is the measure of both.
    write(&folder, "new.folded", "main;a 120\nmain;b 160\n");
    assert_eq!(by("frame=^b$"), 30.0);
    let usage = run(&folder, &["diff", "base.folded", "new.folded", "--normalise", "frame="]);
    assert_eq!(usage.status.code(), Some(2));
    let bad = errors(
        &folder,
        &["diff", "base.folded", "new.folded", "--normalise", "frame=(\\w{1000}){1000}"],
    );
    assert!(bad.contains("size limit"), "{bad}");
}
