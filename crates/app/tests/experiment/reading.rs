//! `hotframe experiment summary`, `compare` and `history` on results whose every number is known.

use std::process::Command;

use serde_json::Value;

use super::made::{Made, write};
use super::{Trial, said};

/// How much longer each round takes than the first, in ns.
const ROUNDS: [i64; 4] = [0, 3_000, 1_000, 2_000];

/// Two interpreters by two sizes, four runs each: 3.12 takes 20 % less, the second size twice as
/// long; all of the difference is in `work`.
fn runs() -> Vec<Made> {
    let mut runs = vec![];
    for round in ROUNDS {
        for (interpreter, percent) in [("3.11", 100), ("3.12", 80)] {
            for (size, times) in [("1", 1), ("2", 2)] {
                let work = 1_000_000 * percent / 100 * times + round;
                let factors =
                    vec![("interpreter", interpreter.to_owned()), ("size", size.to_owned())];
                runs.push(Made {
                    factors,
                    wall_ns: work + 500_000,
                    functions: vec![("work", work), ("rest", 500_000 + round)],
                    ..Made::default()
                });
            }
        }
    }
    runs
}

fn is(run: &Made, factor: &str, level: &str) -> bool {
    run.factors.iter().any(|(name, text)| *name == factor && text == level)
}

/// A trial with a result, which arguments call `r`.
fn trial(test: &str, runs: &[Made]) -> Trial {
    let trial = Trial::new(test);
    write(&trial.path("r.hotframe"), runs);
    trial
}

fn json(trial: &Trial, arguments: &[&str]) -> Value {
    let output = trial.run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn near(found: &Value, want: f64) {
    let found = found.as_f64().unwrap_or(f64::NAN);
    assert!((found - want).abs() <= 1e-6 * want.abs(), "{found} is not {want}");
}

#[test]
fn a_summary_tells_the_means_of_runs() {
    let runs = runs();
    let trial = trial("summary", &runs);
    let told = json(&trial, &["experiment", "summary", "r.hotframe", "--format", "json"]);
    let cells = told["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 4);
    for cell in cells {
        let name = cell["cell"].as_str().unwrap();
        let own = |run: &&Made| {
            let [a, b] = [0, 1].map(|at| format!("{}={}", run.factors[at].0, run.factors[at].1));
            name == format!("{a} {b}")
        };
        let walls: Vec<f64> = runs.iter().filter(own).map(|run| run.wall_ns as f64).collect();
        assert_eq!(walls.len(), 4);
        let mean = walls.iter().sum::<f64>() / 4.0;
        near(&cell["mean"], mean);
        assert_eq!(cell["runs"], 4);
        // Student's t of 3 degrees of freedom.
        let squares: f64 = walls.iter().map(|wall| (wall - mean).powi(2)).sum();
        let half = 3.182_446_305 * (squares / 3.0 / 4.0).sqrt();
        near(&cell["low"], mean - half);
        near(&cell["high"], mean + half);
    }
}

#[test]
fn a_comparison_tells_the_whole_and_the_function_that_makes_it() {
    let runs = runs();
    let trial = trial("compare", &runs);
    let words = ["r.hotframe", "interpreter=3.11", "--", "interpreter=3.12"];
    let start = ["experiment", "compare", "--format", "json", "--metric", "time"];
    let told = json(&trial, &[&start[..], &words].concat());
    let total = |run: &Made| run.functions.iter().map(|(_, value)| *value as f64).sum::<f64>();
    let mean = |interpreter: &str, of: &dyn Fn(&Made) -> f64| {
        let own = runs.iter().filter(|run| is(run, "interpreter", interpreter));
        own.map(of).sum::<f64>() / 8.0
    };
    near(&told["whole"]["base"], mean("3.11", &total));
    near(&told["whole"]["new"], mean("3.12", &total));
    assert_eq!(told["pairs"], 2);
    let functions = told["functions"].as_array().unwrap();
    let first = &functions[0];
    assert_eq!((&first["function"], &first["believed"]), (&"work".into(), &true.into()));
    let work = |run: &Made| run.functions[0].1 as f64;
    near(&first["base"], mean("3.11", &work));
    near(&first["new"], mean("3.12", &work));
    let rest = functions.iter().find(|row| row["function"] == "rest").unwrap();
    assert_eq!(rest["believed"], false);
    // A filter says nothing of measures, and a note says so.
    let told = json(
        &trial,
        &[&["experiment", "compare", "--format", "json"][..], &["--focus", "work"], &words]
            .concat(),
    );
    assert!(told["notes"].to_string().contains("filters do not apply"), "{}", told["notes"]);
    near(&told["whole"]["base"], mean("3.11", &|run| run.wall_ns as f64));
}

#[test]
fn a_gate_fails_above_its_limit_only_and_judges_functions_and_no_single_runs() {
    let mut runs = runs();
    let trial = trial("gate", &runs);
    // 3.11 takes a seventh more than 3.12 in all, `work` a quarter more.
    let gate = |limit: &str, more: &[&str]| {
        let limit = format!("total > {limit}");
        let start = ["experiment", "compare", "--fail-if", &limit];
        let words = ["r.hotframe", "interpreter=3.12", "--", "interpreter=3.11"];
        let output = trial.run(&[&start[..], more, &words].concat());
        (output.status.code(), said(&output))
    };
    assert_eq!(gate("10%", &[]).0, Some(3), "{}", gate("10%", &[]).1);
    assert_eq!(gate("22%", &[]).0, Some(0), "{}", gate("22%", &[]).1);
    let (code, told) = gate("22", &[]);
    assert!(code == Some(2) && told.contains("Write a unit"), "{told}");
    assert_eq!(gate("22%", &["--function", "work"]).0, Some(3));
    assert_eq!(gate("10%", &["--function", "rest"]).0, Some(0));
    runs.truncate(4);
    write(&trial.path("r.hotframe"), &runs);
    // One run a cell shows nothing: the measured change decides, unless somebody says otherwise.
    for (more, expected) in
        [(&[][..], Some(3)), (&["--unknown", "pass"], Some(0)), (&["--unknown", "fail"], Some(3))]
    {
        let (code, told) = gate("10%", more);
        assert_eq!(code, expected, "{more:?}: {told}");
        assert!(told.contains("a cell ran once only"), "{told}");
    }
    assert_eq!(gate("90%", &[]).0, Some(0));
    assert_eq!(gate("90%", &["--unknown", "fail"]).0, Some(3));
}

#[test]
fn a_gate_fails_on_a_function_that_grew_from_nothing() {
    let mut runs = runs();
    // New in 3.12: in one cell always, in the other now and then.
    for (number, run) in runs.iter_mut().enumerate() {
        if is(run, "interpreter", "3.12") {
            let rare = if number < 4 { 900_000 } else { 0 };
            run.functions.extend([("added", 40_000 + number as i64), ("rare", rare)]);
        }
    }
    let trial = trial("gate-nothing", &runs);
    let gate = |function: &str, words: [&str; 2]| {
        let start = ["experiment", "compare", "--fail-if", "total > 5%", "--function", function];
        let output = trial.run(&[&start[..], &["r.hotframe", words[0], "--", words[1]]].concat());
        (output.status.code(), said(&output))
    };
    let (old, new) = ("interpreter=3.11", "interpreter=3.12");
    let (code, told) = gate("added", [old, new]);
    assert_eq!(code, Some(3), "{told}");
    assert!(
        told.contains("self time of added grew from nothing, or was not recorded in the base"),
        "{told}"
    );
    // What is gone is not growth; what is there in one of four runs is within the scatter.
    let (code, told) = gate("added", [new, old]);
    assert_eq!(code, Some(0), "{told}");
    // Which is not shown to be no growth either.
    let (code, told) = gate("rare", [old, new]);
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("may be more than 5 % above the base"), "{told}");
}

#[test]
fn levels_with_bars_and_factors_with_equals_signs_are_chosen_by_backslashes() {
    let level = |text: &str| vec![("CFLAGS=", text.to_owned())];
    let mut runs = vec![];
    for round in ROUNDS {
        for (text, times) in [("-O1|-g", 1), ("a\\|b", 2), ("c:\\d", 4)] {
            let wall_ns = 1_000_000 * times + round;
            runs.push(Made { factors: level(text), wall_ns, ..Made::default() });
        }
    }
    let trial = trial("escapes", &runs);
    let base = |level: &str| {
        let words = ["experiment", "compare", "--format", "json", "r.hotframe", level, "--"];
        let told = json(&trial, &[&words[..], &["CFLAGS\\==c:\\d"]].concat());
        near(&told["whole"]["new"], 4_001_500.0);
        told["whole"]["base"].as_f64().unwrap()
    };
    assert_eq!(base("CFLAGS\\==-O1\\|-g"), 1_001_500.0);
    assert_eq!(base("CFLAGS\\==a\\\\\\|b"), 2_001_500.0);
    assert_eq!(base("CFLAGS\\==-O1\\|-g|a\\\\\\|b"), 1_501_500.0);
    // What there is is told as it is to be written.
    let words = ["experiment", "compare", "r.hotframe", "CFLAGS\\==-O1|-g", "--", "CFLAGS\\==x"];
    let told = said(&trial.run(&words));
    assert!(told.contains(r"'CFLAGS\=' is never '-O1', it is -O1\|-g, a\\\|b, c:\\d"), "{told}");
}

#[test]
fn where_base_and_new_do_not_divide_a_line_says_so() {
    let trial = trial("ratios", &runs());
    let told = |format: &str, sides: [&str; 2]| {
        let start = ["experiment", "compare", "--metric", "time", "--format", format, "r.hotframe"];
        said(&trial.run(&[&start[..], &[sides[0], "--", sides[1]]].concat()))
    };
    let note = "geometric mean over pairs of cells";
    for format in ["text", "markdown"] {
        let several = told(format, ["interpreter=3.11", "interpreter=3.12"]);
        let (table, rest) = several.split_once("work").unwrap();
        assert!(!table.contains(note) && rest.contains(note), "{several}");
        // One cell on either side.
        let start = ["experiment", "compare", "--format", format, "r.hotframe"];
        let one = [&start[..], &["--base", "interpreter=3.11", "--base", "size=1"]].concat();
        let one = [&one[..], &["--new", "interpreter=3.12", "--new", "size=1"]].concat();
        let one = said(&trial.run(&one));
        assert!(one.contains("work") && !one.contains(note), "{one}");
    }
}

#[test]
fn intervals_of_times_are_shown_from_0_on_and_are_whole_for_programs() {
    let mut runs = runs();
    runs[0].wall_ns = 90_000_000;
    let trial = trial("below-0", &runs);
    let summary = ["experiment", "summary", "r.hotframe"];
    let told = json(&trial, &[&summary[..], &["--format", "json"]].concat());
    assert!(told["cells"][0]["low"].as_f64().unwrap() < 0.0, "{told}");
    let text = said(&trial.run(&summary));
    let row = text.lines().find(|line| line.ends_with("interpreter=3.11 size=1")).unwrap();
    assert!(row.contains(" 0 to "), "{text}");
    assert!(!row.contains('-'), "{text}");
}

#[test]
fn reports_what_else_differs() {
    let mut runs = runs();
    for run in &mut runs {
        let is_new = is(run, "interpreter", "3.12");
        let text = |base: &str, new: &str| if is_new { new } else { base }.to_owned();
        run.notes = vec![
            ("packages", text("numpy 1.26.4, six 1.16", "numpy 2.2.0, six 1.16")),
            ("host", text("one", "other")),
            ("kernel", "6.1".to_owned()),
            ("interpreter build", text("GCC 12; pgo", "GCC 12; no pgo")),
        ];
    }
    let trial = trial("notes", &runs);
    let words = ["experiment", "compare", "--format", "json", "r.hotframe"];
    let notes =
        |sides: [&str; 3]| json(&trial, &[&words[..], &sides].concat())["notes"].to_string();
    let told = notes(["interpreter=3.11", "--", "interpreter=3.12"]);
    assert!(told.contains("numpy 1.26.4 against 2.2.0"), "{told}");
    assert!(told.contains("machines differ, too: one against other"), "{told}");
    assert!(told.contains("were also built differently"), "{told}");
    assert!(!told.contains("six") && !told.contains("kernel"), "{told}");
    let told = notes(["size=1", "--", "size=2"]);
    assert_eq!(told, "[]");
}

#[test]
fn failed_and_disturbed_runs_are_listed_and_left_out() {
    let mut runs = runs();
    // Of 3.11 and 1: the first and the second round.
    runs[0].notes = vec![("failure", "exit code".to_owned()), ("failed", "exit 7".to_owned())];
    runs[0].wall_ns = 1;
    runs[4].notes = vec![("disturbed", "others ran".to_owned())];
    runs[4].wall_ns = 900_000_000;
    let trial = trial("left-out", &runs);
    let told = json(&trial, &["experiment", "summary", "r.hotframe", "--format", "json"]);
    let cell = &told["cells"][0];
    assert_eq!((&cell["runs"], &cell["left_out"]), (&2.into(), &2.into()));
    near(&cell["mean"], (runs[8].wall_ns + runs[12].wall_ns) as f64 / 2.0);
    let all = told.to_string();
    assert!(all.contains("exit 7") && all.contains("others ran"), "{all}");
}

/// What else the machine did: the share that other programs had, in percent.
fn shared(percent: i64) -> Vec<(&'static str, i64)> {
    vec![
        ("machine's processor time", 2_000_000_000),
        ("other programs' processor time", 20_000_000 * percent),
    ]
}

#[test]
fn sides_that_had_the_machine_otherwise_are_reported_beside_what_differs() {
    let mut runs = runs();
    let trial = trial("shared", &runs);
    let gate = ["experiment", "compare", "--fail-if", "total > 5%"];
    let words = ["r.hotframe", "interpreter=3.11", "--", "interpreter=3.12"];
    let json_of = |trial: &Trial| {
        let told =
            json(trial, &[&["experiment", "compare", "--format", "json"][..], &words].concat());
        told["notes"].to_string()
    };
    // Where nothing was measured, nothing is said.
    assert!(!json_of(&trial).contains("processor time"), "{}", json_of(&trial));
    for (at, run) in runs.iter_mut().enumerate() {
        let is_base = run.factors[0].1 == "3.11";
        // By turns, so that runs differ and means are whole.
        let more = [-1, 1][at / 4 % 2];
        run.numbers = shared(if is_base { 38 } else { 2 } + more);
    }
    write(&trial.path("r.hotframe"), &runs);
    let sentence = "the runs of base had less processor time: other programs used 38 % of the machine \
                    during base and 2 % during new";
    assert!(json_of(&trial).contains(sentence), "{}", json_of(&trial));
    let output = trial.run(&[&gate[..], &words].concat());
    let [told, judged] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(told.contains("less processor time"), "{told}");
    assert!(judged.contains(sentence), "{judged}");
    runs.iter_mut().for_each(|run| run.numbers = shared(38));
    write(&trial.path("r.hotframe"), &runs);
    assert!(!json_of(&trial).contains("processor time"), "{}", json_of(&trial));
    for run in runs.iter_mut().filter(|run| is(run, "interpreter", "3.12")) {
        run.numbers.clear();
    }
    write(&trial.path("r.hotframe"), &runs);
    assert!(json_of(&trial).contains("during the runs of new was not measured"));
}

#[test]
fn runs_that_failed_enter_no_comparison_silently() {
    let mut runs = runs();
    let failure =
        || vec![("failure", "user".to_owned()), ("failed", "it ended with code 7".to_owned())];
    runs[0].notes = failure();
    runs[0].wall_ns = 1;
    let trial = trial("failed-side", &runs);
    let words = ["r.hotframe", "interpreter=3.11", "--", "interpreter=3.12"];
    let compare = ["experiment", "compare", "--format", "json"];
    let told = json(&trial, &[&compare[..], &words].concat());
    let notes = told["notes"].to_string();
    assert!(
        notes.contains("base: 1 of 8 runs failed and is left out: it ended with code 7"),
        "{notes}"
    );
    let base = |size: &str| {
        let own = runs.iter().skip(1).filter(|run| is(run, "interpreter", "3.11"));
        let walls: Vec<f64> =
            own.filter(|run| is(run, "size", size)).map(|run| run.wall_ns as f64).collect();
        walls.iter().sum::<f64>() / walls.len() as f64
    };
    near(&told["whole"]["base"], f64::midpoint(base("1"), base("2")));
    for run in runs.iter_mut().filter(|run| run.factors[0].1 == "3.12") {
        run.notes = failure();
    }
    write(&trial.path("r.hotframe"), &runs);
    let output = trial.run(&[&compare[..], &words].concat());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("all 8 runs of new failed: it ended with code 7 (8)"));
    // A result is a profile, and is compared as one without them, too.
    let diff = trial.run(&["diff", "r.hotframe", "r.hotframe", "--format", "json"]);
    let told = said(&diff);
    assert!(told.contains("base: 9 of 16 runs failed and are left out"), "{told}");
}

/// A repository of five commits; their hashes, oldest first.
fn repository(trial: &Trial) -> Vec<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(trial.path("")).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q"]);
    (0..5)
        .map(|number| {
            git(&["commit", "-q", "--allow-empty", "-m", &format!("step {number}")]);
            git(&["rev-parse", "HEAD"])
        })
        .collect()
}

#[test]
fn a_history_names_the_commit_in_the_middle() {
    let trial = Trial::new("history");
    let commits = repository(&trial);
    let with = |ends: [&str; 2]| {
        let mut runs = vec![];
        for round in ROUNDS {
            for (at, commit) in ends.into_iter().enumerate() {
                runs.push(Made {
                    factors: vec![("revision", ["old", "new"][at].to_owned())],
                    notes: vec![("commit", commit.to_owned())],
                    commit_time: Some(1_000 + at as i64),
                    wall_ns: 1_000_000 * (at as i64 + 1) + round,
                    ..Made::default()
                });
            }
        }
        // Whichever ran first, older commits stand first.
        runs.reverse();
        write(&trial.path("r.hotframe"), &runs);
    };
    let history = |repository: &str| {
        let start = ["experiment", "history", "r.hotframe", "--format", "json"];
        let told = json(&trial, &[&start[..], &["--repository", repository]].concat());
        assert_eq!(told["by_commit_time"], true);
        let levels: Vec<&str> = (told["steps"].as_array().unwrap().iter())
            .map(|step| step["level"].as_str().unwrap())
            .collect();
        assert_eq!(levels, ["old", "new"]);
        let [change] = &told["changes"].as_array().unwrap()[..] else { panic!("{told}") };
        assert_eq!((&change["from"], &change["to"]), (&"old".into(), &"new".into()));
        near(&change["before"], 1_001_500.0);
        near(&change["after"], 2_001_500.0);
        (change["between"].clone(), change["run_next"].clone())
    };
    with([&commits[0], &commits[4]]);
    assert_eq!(history("."), (3.into(), commits[2].as_str().into()));
    // Nothing is there that git knows, or git knows nothing of them.
    assert_eq!(history("/"), (Value::Null, Value::Null));
    with([&"a".repeat(40), &"b".repeat(40)]);
    assert_eq!(history("."), (Value::Null, Value::Null));
    with(["--output=x", "HEAD"]);
    assert_eq!(history("."), (Value::Null, Value::Null));
    assert!(!trial.path("x").exists());
    with([&commits[1], &commits[2]]);
    assert_eq!(history("."), (0.into(), Value::Null));
}
