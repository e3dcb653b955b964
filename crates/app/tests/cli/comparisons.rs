//! `hotframe diff`.

use std::collections::BTreeMap;

use serde_json::Value;
use tempfile::TempDir;

use super::{command, fail, json, rows, sample, stdout, succeed, texts, write};

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

/// A recording of one sample, in a unit.
fn of_unit(unit: &str) -> String {
    format!(
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\
         \"shared\":{{\"frames\":[{{\"name\":\"main\"}}]}},\"profiles\":[{{\"type\":\"sampled\",\
         \"name\":\"x\",\"unit\":\"{unit}\",\"startValue\":0,\"endValue\":7,\"samples\":[[0]],\
         \"weights\":[7]}}]}}"
    )
}

#[test]
fn the_base_says_which_metric_is_compared() {
    let folder = TempDir::new().unwrap();
    let [time, bytes] = ["milliseconds", "bytes"]
        .map(|unit| write(&folder, &format!("{unit}.speedscope.json"), of_unit(unit)));
    // A metric is compared with itself alone: nothing is not a measured 0.
    for (base, new) in [(&time, &bytes), (&bytes, &time)] {
        let told = fail(1, &[&"diff", base, new, &"--fail-if", &"self > 5%"]);
        assert!(told.contains("no metric in common"), "{told}");
        assert!(told.contains("milliseconds") && told.contains("bytes"), "{told}");
    }
    // What both have is compared, and what one has alone is told.
    let (base, new) = (sample("pprof/cpu.pb.gz"), sample("collapsed/perf.collapsed"));
    let (out, err) = succeed(&[&"diff", &base, &new, &"--format", &"json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["metric"], "samples");
    assert!(err.contains("only one side has cpu: not compared"), "{err}");
    let told = fail(1, &[&"diff", &base, &new, &"--metric", &"cpu"]);
    assert!(told.contains("only one side has cpu"), "{told}");
}

#[test]
fn reports_what_cannot_be_brought_to_scale() {
    let folder = TempDir::new().unwrap();
    let base = write(&folder, "base.folded", "main;work 60\n");
    let new = write(&folder, "new.folded", "main;work 30\nmain;fresh 4\n");
    let told = |how: &str| succeed(&[&"diff", &base, &new, &"--normalise", &how]).1;
    for (how, is_told) in
        [("frame=fresh", true), ("frame=work", false), ("total", false), ("absolute", false)]
    {
        assert_eq!(told(how).contains("values of samples are as they are"), is_told, "{how}");
    }
    let error = fail(1, &[&"diff", &base, &new, &"--normalise", &"frame=none"]);
    assert!(error.contains("--normalise: no function matches none"), "{error}");
}

#[test]
fn ratios_have_no_shares_and_what_is_gone_is_gone() {
    let folder = TempDir::new().unwrap();
    let base = write(&folder, "base.folded", "main;work 60\nmain;gone 4\n");
    let new = write(&folder, "new.folded", "main;work 30\nmain;fresh 4\n");
    for how in ["absolute", "total"] {
        let ratio = "samples / samples";
        let report = json(&[
            &"diff",
            &base,
            &new,
            &"--metric",
            &ratio,
            &"--normalise",
            &how,
            &"--format",
            &"json",
        ]);
        let tag = |name: &str| {
            let row = rows(&report).iter().find(|row| row["function"] == name);
            row.unwrap()["total"]["tag"].as_str().unwrap().to_owned()
        };
        assert_eq!([tag("gone"), tag("fresh"), tag("main")], ["[D]", "[A]", "[=]"], "{how}");
        assert!(rows(&report).iter().all(|row| row["total"]["share"].is_null()), "{report}");
    }
}

/// Names of metrics are anything, and no formulas.
#[test]
fn metrics_with_odd_names_are_compared() {
    let folder = TempDir::new().unwrap();
    for name in ["m".repeat(33_000), "a/b".to_owned(), "`".to_owned(), "self(x".to_owned()] {
        let file = write(&folder, "odd.callgrind", format!("events: {name}\nfn=main\n1 5\n"));
        for view in ["flat", "top-down"] {
            succeed(&[&"diff", &file, &file, &"--view", &view]);
        }
    }
}

/// Five runs a side of `f` and `g`, as files.
fn sides(folder: &TempDir, base: &[i64], new: &[i64]) -> [Vec<std::path::PathBuf>; 2] {
    let side = |name: &str, values: &[i64]| {
        let file = |(run, value): (usize, &i64)| {
            write(folder, &format!("{name}{run}.folded"), format!("main;f {value}\nmain;g 50\n"))
        };
        values.iter().enumerate().map(file).collect()
    };
    [side("base", base), side("new", new)]
}

fn between(sides: &[Vec<std::path::PathBuf>; 2], more: &[&str]) -> (Option<i32>, String, String) {
    let mut command = command(&[&"diff", &"--base"]);
    command.args(&sides[0]).arg("--new").args(&sides[1]).args(more);
    let output = command.output().unwrap();
    let (out, err) = texts(&output);
    (output.status.code(), out, err)
}

/// A run that something disturbed turns the means round, and not what is said.
#[test]
fn a_sign_is_that_of_the_verdict() {
    let folder = TempDir::new().unwrap();
    let disturbed =
        sides(&folder, &[1000, 1001, 1002, 1003, 9000], &[1200, 1201, 1202, 1203, 1204]);
    let (code, out, err) = between(&disturbed, &["--format", "json", "--fail-if", "self > 1%"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let f = &rows(&report)[0];
    assert_eq!((&f["function"], &f["total"]["tag"]), (&"f".into(), &"[+]".into()));
    assert_eq!((&f["test"]["verdict"], &report["test"]["left_out"]), (&"more".into(), &1.into()));
    let end = |key: &str| f["test"][key].as_f64().unwrap();
    assert!(end("low") < 200.0 && end("high") > 200.0 && end("high") < 210.0, "{f}");
    assert_eq!(code, Some(3));
    assert!(err.contains("f: +200"), "{err}");
}

#[test]
fn a_gate_judges_the_total_and_says_what_it_cannot_judge() {
    let folder = TempDir::new().unwrap();
    let grown = sides(&folder, &[1000, 1001, 1002], &[1200, 1201, 1202]);
    let (code, _, err) = between(&grown, &["--fail-if", "total > 5%"]);
    assert!(code == Some(3) && err.contains("The total grew by more than 5% of"), "{err}");
    assert!(err.ends_with("--fail-if 'total > 5%' failed (exit code 3)\n"), "{err}");
    let (code, _, err) = between(&grown, &["--fail-if", "total > 30%"]);
    assert_eq!((code, err.as_str()), (Some(0), "hotframe: --fail-if 'total > 30%' passed\n"));
    // The program alone.
    let (code, _, err) = between(&grown, &["--fail-if", "program > 5%"]);
    assert!(code == Some(3) && err.contains("The total grew") && !err.contains("- f"), "{err}");
    // What is the same on both sides did not grow, whatever is unknown.
    let (code, _, err) = between(&grown, &["--fail-if", "self > 40%", "--unknown", "fail"]);
    assert_eq!(code, Some(0), "{err}");
    // Of nothing, and of less than nothing, there is no share.
    let below = sides(&folder, &[-1000, -1001, -1002], &[-500, -501, -502]);
    let (code, _, err) = between(&below, &["--fail-if", "total > 5%"]);
    assert!(code == Some(1) && err.contains("there is no share"), "{err}");
    let (code, _, _) = between(&below, &["--fail-if", "total > 100 samples"]);
    assert_eq!(code, Some(3));
    // What cannot grow is not judged.
    let (code, _, err) = between(&grown, &["--normalise", "total", "--fail-if", "program > 5%"]);
    assert!(code == Some(1) && err.contains("makes both totals equal"), "{err}");
    let peaks = sample("scalene/memory.scalene.json");
    let options = ["--metric", "peak", "--fail-if", "program > 1B"];
    let (code, _, err) = between(&[vec![peaks.clone()], vec![peaks]], &options);
    assert!(code == Some(1) && err.contains("peak has no total"), "{err}");
}
