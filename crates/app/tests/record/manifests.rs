//! Manifests: resumed, merged, edited, and read back strictly.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::fake::Fake;
use crate::names;

const START: [&str; 5] = ["perf", "--name", "x", "-e", "cpu-cycles"];

fn record(fake: &Fake, more: &[&str], command: &[&str]) -> (String, String) {
    fake.succeed(&[&START[..], more, &["--"], command].concat())
}

/// Edits a manifest.
fn edit(fake: &Fake, name: &str, change: impl FnOnce(&mut Value)) {
    let mut manifest = fake.manifest(name);
    change(&mut manifest);
    fake.set(&format!("work/{name}"), &manifest.to_string());
}

#[test]
fn what_is_complete_is_not_run_again() {
    let fake = Fake::new();
    let command = ["sh", "-c", "echo x >>times"];
    let times = || fs::read_to_string(fake.work().join("times")).unwrap().lines().count();
    record(&fake, &["--runs", "3"], &command);
    assert_eq!(times(), 3);
    // Nothing is missing.
    record(&fake, &["--runs", "3", "--resume"], &command);
    assert_eq!(times(), 3);
    // A file is gone, another is not what it was, one run was stopped.
    fs::remove_file(fake.work().join("x-1.perf.data")).unwrap();
    record(&fake, &["--runs", "3", "--resume"], &command);
    assert_eq!(times(), 4);
    fake.set("work/x-2.perf.data", "cut");
    edit(&fake, "x.json", |manifest| {
        manifest["experiments"][0]["runs"][2]["course"]["is_stopped"] = json!(true);
    });
    record(&fake, &["--runs", "3", "--resume"], &command);
    assert_eq!(times(), 6);
    let runs = fake.manifest("x.json")["experiments"][0]["runs"].clone();
    let numbers: Vec<&Value> = runs.as_array().unwrap().iter().map(|run| &run["number"]).collect();
    assert_eq!(numbers, [1, 2, 3]);
    // More are asked for, and one in between is gone.
    fs::remove_file(fake.work().join("x-2.perf.data")).unwrap();
    record(&fake, &["--runs", "5", "--resume"], &command);
    assert_eq!(times(), 9);
    let runs = fake.manifest("x.json")["experiments"][0]["runs"].clone();
    let numbers: Vec<&Value> = runs.as_array().unwrap().iter().map(|run| &run["number"]).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    let err = fake.fail(1, &[&START[..], &["--resume", "--"], &command].concat());
    assert!(err.contains("was recorded with other options"), "{err}");
    record(&fake, &["--replace"], &command);
    assert_eq!(fake.manifest("x.json")["experiments"][0]["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_recording_that_was_made_before_joins() {
    let fake = Fake::new();
    fs::copy(fake.path("canned"), fake.work().join("old.data")).unwrap();
    record(&fake, &["--add", "old.data"], &["sh", "-c", ":"]);
    let runs = fake.manifest("x.json")["experiments"][0]["runs"].clone();
    assert_eq!([&runs[0]["number"], &runs[1]["number"]], [1, 2]);
    assert_eq!(runs[1]["kind"], "added");
    assert_eq!(runs[1]["file"], "old.data");
    let samples: u64 = runs[1]["holds"]["samples"]
        .as_object()
        .unwrap()
        .values()
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(samples, 50);
    let err = fake.fail(1, &[&START[..], &["--replace", "--add", "none", "--", "true"]].concat());
    assert!(err.contains("cannot read none"), "{err}");
}

#[test]
fn recordings_alone_make_a_manifest() {
    let fake = Fake::new();
    for name in ["a.perf.data", "b.perf.data"] {
        fs::copy(fake.path("canned"), fake.work().join(name)).unwrap();
    }
    fake.succeed(&["perf", "--add", "a.perf.data"]);
    fake.succeed(&["perf", "--name", "a", "--add", "b.perf.data", "--add", "a.perf.data"]);
    let experiment = fake.manifest("a.json")["experiments"][0].clone();
    let files: Vec<&Value> =
        experiment["runs"].as_array().unwrap().iter().map(|run| &run["file"]).collect();
    assert_eq!(files, ["a.perf.data", "b.perf.data"]);
    assert_eq!(experiment["events"]["opened"][0]["sampling"]["frequency"], 997);
    assert_eq!(experiment["runs"][1]["holds"]["threads"], 1);
    // Nobody asked perf anything.
    assert_eq!(fs::read_to_string(fake.path("log")).unwrap(), "");
    let shown = fake.succeed(&["show", "a.json", "--format", "json"]).0;
    assert!(shown.contains("\"kind\":\"added\""), "{shown}");
    fake.set("c.perf.data", "no recording");
    let err = fake.fail(1, &["perf", "--add", "../c.perf.data"]);
    assert!(err.contains("c.perf.data"), "{err}");
}

#[test]
fn manifests_are_merged_with_files_where_they_are() {
    let fake = Fake::new();
    for folder in ["a", "b"] {
        record(&fake, &["--output", folder], &["sh", "-c", ":"]);
    }
    fake.succeed(&["merge", "a/x.json", "b/x.json", "-o", "all.json"]);
    let merged = fake.manifest("all.json");
    let told = |place: usize| {
        let experiment = &merged["experiments"][place];
        (experiment["name"].clone(), experiment["runs"][0]["file"].clone())
    };
    assert_eq!(told(0), (json!("x"), json!("a/x-1.perf.data")));
    assert_eq!(told(1), (json!("x (2)"), json!("b/x-1.perf.data")));
    // Merged manifests are manifests, also of other folders.
    fake.succeed(&["merge", "all.json", "a/x.json", "-o", "a/more.json"]);
    let more = fake.manifest("a/more.json");
    assert_eq!(more["experiments"][0]["runs"][0]["file"], "x-1.perf.data");
    let outside = more["experiments"][1]["runs"][0]["file"].as_str().unwrap();
    assert!(fs::metadata(outside).unwrap().is_file(), "{outside}");
    assert_eq!(names(&fake.work()), ["a", "all.json", "b"]);
}

#[test]
fn people_may_drop_runs_and_events_and_change_names() {
    let fake = Fake::new();
    fake.succeed(&[
        "perf",
        "--name",
        "x",
        "--runs",
        "2",
        "-e",
        "cpu-cycles,instructions",
        "--",
        "true",
    ]);
    edit(&fake, "x.json", |manifest| {
        let experiment = &mut manifest["experiments"][0];
        experiment["name"] = json!("pinned, second try");
        experiment["runs"].as_array_mut().unwrap().remove(0);
        experiment["events"]["opened"].as_array_mut().unwrap().remove(1);
    });
    let (out, _) = fake.succeed(&["show", "x.json", "--format", "csv", "--table", "runs"]);
    let expected = "\"pinned, second try\",2,sampled,exit 0,";
    assert!(out.lines().nth(1).unwrap().starts_with(expected), "{out}");
    assert_eq!(out.lines().count(), 2);
}

#[test]
fn reports_what_cannot_be_with_its_place() {
    let fake = Fake::new();
    record(&fake, &[], &["sh", "-c", ":"]);
    let whole = fs::read_to_string(fake.work().join("x.json")).unwrap();
    let check = |change: &dyn Fn(&mut Value), words: &[&str]| {
        fake.set("work/x.json", &whole);
        edit(&fake, "x.json", change);
        let err = fake.fail(1, &["show", "x.json"]);
        for word in words.iter().chain(&["x.json: "]) {
            assert!(err.contains(word), "no '{word}' in {err}");
        }
    };
    check(&|m| m["hotframe_recording"] = json!(2), &["hotframe_recording: version 2"]);
    check(
        &|m| m["experiments"][0]["nmae"] = json!("x"),
        &["experiments[0]", "unknown field `nmae`"],
    );
    check(&|m| m["experiments"][0]["name"] = json!(" "), &["experiments[0].name: it is empty"]);
    let status = |m: &mut Value| m["experiments"][0]["runs"][0]["status"] = json!("fine");
    check(&status, &["experiments[0].runs[0].status"]);
    let number = |m: &mut Value| m["experiments"][0]["runs"][0]["number"] = json!(0);
    check(&number, &["experiments[0].runs[0].number: runs are numbered from 1"]);
    let file = |m: &mut Value| {
        m["experiments"][0]["runs"][0].as_object_mut().unwrap().remove("file");
    };
    check(&file, &["experiments[0].runs[0].file: a run of this kind has one"]);
    let event = |m: &mut Value| m["experiments"][0]["events"]["opened"][0]["name"] = json!("y");
    check(&event, &["experiments[0].events.opened[0].name: no run measured 'y'"]);
    let twice = |m: &mut Value| {
        let experiments = m["experiments"].as_array_mut().unwrap();
        experiments.push(experiments[0].clone());
    };
    check(&twice, &["experiments[1].name: another experiment is called 'x', too"]);
    fake.set("work/x.json", &whole[..whole.len() / 2]);
    assert!(fake.fail(1, &["show", "x.json"]).contains("EOF"));
    fake.set("work/x.json", &format!("{whole} x"));
    assert!(fake.fail(1, &["show", "x.json"]).contains("trailing characters"));
}

#[test]
fn a_manifest_is_shown_in_every_format() {
    let fake = Fake::new();
    fake.opens(&["cpu-cycles"]);
    fake.succeed(&["perf", "--name", "x", "-e", "cpu-cycles,bus-cycles", "--", "true"]);
    let shown = |more: &[&str]| fake.succeed(&[&["show", "x.json"], more].concat()).0;
    for format in ["text", "markdown"] {
        let shown = shown(&["--format", format]);
        assert!(shown.contains("not measured: bus-cycles"), "{shown}");
    }
    let json: Value = serde_json::from_str(&shown(&["--format", "json"])).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["costs", "counts", "events", "findings", "runs", "version"]);
    assert_eq!(json["runs"][0]["samples"], 50);
    assert!(shown(&["--format", "csv", "--table", "events"]).starts_with("experiment,event,"));
    assert!(fake.fail(1, &["show", "x.json", "--format", "csv"]).contains("--table"));
}

/// `hotframe events summary` of a manifest: its table as JSON.
fn summary(fake: &Fake, more: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(["events", "summary", "x.json", "--format", "json"]).args(more);
    let output = command.current_dir(fake.work()).output().unwrap();
    let (out, err) = crate::texts(&output);
    assert!(output.status.success(), "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn a_manifest_opens_as_its_runs_with_what_was_edited() {
    let fake = Fake::new();
    record(&fake, &["--runs", "3", "--thread-name", "^comm=workers"], &["true"]);
    // The same recording three times would be one run.
    for (run, samples) in [(2, 60), (3, 70)] {
        let file = fake.work().join(format!("x-{run}.perf.data"));
        fs::write(file, crate::canned::recording(samples)).unwrap();
    }
    let names = |found: &Value| found["runs"].to_string();
    let groups = |found: &Value| {
        let rows = found["rows"].as_array().unwrap();
        rows.iter().map(|row| row["group"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let whole = summary(&fake, &["--by", "thread"]);
    assert_eq!(whole["runs"].as_array().unwrap().len(), 3, "{}", names(&whole));
    assert!(groups(&whole).iter().all(|group| group == "workers"), "{:?}", groups(&whole));
    // A run is dropped, the experiment has another name, a thread is called by the log.
    edit(&fake, "x.json", |manifest| {
        let experiment = &mut manifest["experiments"][0];
        experiment["name"] = json!("as Linux likes");
        experiment["runs"].as_array_mut().unwrap().remove(1);
        for run in experiment["runs"].as_array_mut().unwrap() {
            run["threads"] = json!([[40, "sink"]]);
        }
    });
    let edited = summary(&fake, &["--by", "thread"]);
    let runs: Vec<&str> =
        edited["runs"].as_array().unwrap().iter().map(|run| run.as_str().unwrap()).collect();
    assert!(
        runs[0].contains("as Linux likes-1") && runs[1].contains("as Linux likes-3"),
        "{runs:?}"
    );
    assert_eq!(runs.len(), 2);
    assert!(groups(&edited).iter().all(|group| group == "sink"), "{:?}", groups(&edited));
}

/// By event of a table, the values of its runs.
fn values(found: &Value) -> Vec<(String, String)> {
    let rows = found["rows"].as_array().unwrap().iter();
    let events = rows.filter(|row| !row["unit"].is_null());
    let told = |row: &Value| {
        let values = row["values"].as_array().unwrap().iter().map(|run| run["value"].to_string());
        (row["event"].as_str().unwrap().to_owned(), values.collect::<Vec<_>>().join(" "))
    };
    events.map(told).collect()
}

/// Takes an event out of what was opened.
fn drop_event(fake: &Fake, name: &str) {
    edit(fake, "x.json", |manifest| {
        let opened = manifest["experiments"][0]["events"]["opened"].as_array_mut().unwrap();
        opened.retain(|event| event["name"] != name);
    });
}

#[test]
fn counts_open_as_runs_without_the_events_that_were_taken_out() {
    let fake = Fake::new();
    let arguments = ["perf", "--name", "x", "--count", "--runs", "2"];
    fake.succeed(&[&arguments[..], &["-e", "cpu-cycles,page-faults", "--", "true"]].concat());
    let counts = "# started on Tue\n\n 0.100000000;30;;cpu-cycles;9;100.00;;\n\
                  0.100000000;4;;page-faults;9;100.00;;\n 0.150000000;12;;cpu-cycles;9;100.00;;\n";
    fake.set("work/x-1.counts.csv", counts);
    // What is at the same nanoseconds is the same recording.
    let other = counts.replace(";30;", ";50;").replace("0.1", "0.2");
    fake.set("work/x-2.counts.csv", &other);
    let whole = summary(&fake, &[]);
    assert_eq!(whole["lengths_ns"], json!([150_000_000, 250_000_000]));
    let told = [("cpu-cycles", "42.0 62.0"), ("page-faults", "4.0 4.0")];
    assert_eq!(values(&whole), told.map(|(name, of)| (name.to_owned(), of.to_owned())));
    drop_event(&fake, "cpu-cycles");
    assert_eq!(values(&summary(&fake, &[])), [("page-faults".to_owned(), "4.0 4.0".to_owned())]);
}

#[test]
fn an_event_that_was_taken_out_is_in_no_table() {
    let fake = Fake::new();
    let clock = fs::read(samples::testdata("perf-data/events.perf.data")).unwrap();
    fs::write(fake.path("canned"), clock).unwrap();
    fake.succeed(&["perf", "--name", "x", "-e", "cpu-clock,page-faults", "--", "true"]);
    let names = |found: &Value| values(found).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let whole = names(&summary(&fake, &[]));
    assert!(whole.contains(&"page-faults".to_owned()), "{whole:?}");
    drop_event(&fake, "page-faults");
    let left: Vec<String> = whole.into_iter().filter(|name| name != "page-faults").collect();
    assert_eq!(names(&summary(&fake, &[])), left);
}

/// Two experiments of three runs each: other programs had that share of the machine, and runs of the
/// second one ended so.
fn two_sides(shares: [f64; 2], codes: [i32; 3]) -> Fake {
    let fake = Fake::new();
    for (name, share) in ["a", "b"].into_iter().zip(shares) {
        let start = ["perf", "--name", name, "-e", "cpu-cycles", "--runs", "3", "--"];
        fake.succeed(&[&start[..], &["sh", "-c", ":"]].concat());
        edit(&fake, &format!("{name}.json"), |manifest| {
            for (number, &code) in codes.iter().enumerate() {
                let run = &mut manifest["experiments"][0]["runs"][number];
                let others = (share * 2e9) as u64 + number as u64 * 10_000_000;
                run["course"]["host"] = json!({
                    "load": 1.0, "runnable": 0, "machine_ns": 2_000_000_000_u64,
                    "others_ns": others, "stolen_ns": 0,
                });
                run["status"] = json!({ "exit": if name == "b" { code } else { 0 } });
            }
        });
    }
    fake
}

fn hotframe(fake: &Fake, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output = command.args(arguments).current_dir(fake.work()).output().unwrap();
    let (out, err) = crate::texts(&output);
    (output.status.code(), out, err)
}

const FILES: [&str; 8] = [
    "--base",
    "a-1.perf.data",
    "a-2.perf.data",
    "a-3.perf.data",
    "--new",
    "b-1.perf.data",
    "b-2.perf.data",
    "b-3.perf.data",
];

#[test]
fn recordings_that_are_compared_tell_who_else_had_the_machine_and_leave_out_what_failed() {
    let fake = two_sides([0.38, 0.02], [0, 3, 0]);
    // Folders of recordings have their manifests in them.
    for name in ["a", "b"] {
        fs::create_dir(fake.work().join(name)).unwrap();
        for file in names(&fake.work()).iter().filter(|file| file.starts_with(name)) {
            let _ = fs::copy(fake.work().join(file), fake.work().join(name).join(file));
        }
    }
    let ways: [&[&str]; 5] = [
        &["diff", "a.json", "b.json"],
        &[&["diff"][..], &FILES].concat(),
        &["diff", "a", "b"],
        &["events", "compare", "--base", "a.json", "--new", "b.json"],
        &[&["events", "compare"][..], &FILES].concat(),
    ];
    for way in ways {
        let (code, out, err) = hotframe(&fake, &[way, &["--format", "json"]].concat());
        assert_eq!(code, Some(0), "{way:?}: {err}");
        for words in [
            "new: 1 of 3 runs failed and is left out: it ended with code 3",
            "the runs of base had less processor time: other programs used 3",
            "of the machine during base and 2 % during new",
        ] {
            assert!(err.contains(words), "{way:?}: {err}");
            assert!(out.contains(words), "{way:?}: {out}");
        }
    }
    let gate = ["diff", "a.json", "b.json", "--format", "markdown", "--fail-if", "total > 5%"];
    let (code, out, err) = hotframe(&fake, &gate);
    assert_eq!(code, Some(0), "{err}");
    let judged = out.split_once("grown by more than").unwrap().1;
    assert!(judged.contains("Warning: the runs of base had less processor time"), "{out}");
}

#[test]
fn a_side_of_which_all_runs_failed_is_an_error() {
    let fake = two_sides([0.1, 0.1], [3, 3, 3]);
    let told = "all 3 runs of new failed: it ended with code 3 (3)";
    for way in [&["diff"][..], &["events", "compare"]] {
        let (code, _, err) = hotframe(&fake, &[way, &FILES].concat());
        assert!(code == Some(1) && err.contains(told), "{way:?}: {err}");
        let (code, _, err) = hotframe(&fake, &[way, &FILES, &["--with-failed"]].concat());
        assert_eq!(code, Some(0), "{way:?}: {err}");
        assert!(!err.contains("failed") && !err.contains("processor time"), "{way:?}: {err}");
    }
    // One recording alone is looked at as always.
    let (code, _, err) = hotframe(&fake, &["info", "b.json"]);
    assert!(code == Some(0) && !err.contains("failed"), "{err}");
}

/// A manifest is of the file as it was when it was written.
#[test]
fn a_manifest_tells_nothing_of_another_file() {
    let fake = two_sides([0.38, 0.02], [3, 3, 3]);
    for number in 1..=3 {
        let file = format!("work/b-{number}.perf.data");
        fs::write(fake.path(&file), crate::canned::recording(60)).unwrap();
    }
    let (code, _, err) = hotframe(&fake, &[&["diff"][..], &FILES].concat());
    assert_eq!(code, Some(0), "{err}");
    assert!(!err.contains("failed"), "{err}");
    assert!(err.contains("during the runs of new was not measured"), "{err}");
}

#[test]
fn runs_keep_what_else_the_machine_did() {
    let fake = Fake::new();
    record(&fake, &[], &["sh", "-c", "sleep 0.1"]);
    let host = fake.manifest("x.json")["experiments"][0]["runs"][0]["course"]["host"].clone();
    // A kernel that tells nothing leaves nothing; one that does tells of all processors.
    if fs::read_to_string("/proc/stat").is_ok_and(|text| text.starts_with("cpu ")) {
        assert!(host["machine_ns"].as_u64().is_none_or(|ns| ns >= 100_000_000), "{host}");
        assert_eq!(host["machine_ns"].is_null(), host["others_ns"].is_null(), "{host}");
        assert!(host["load"].is_number() && host["runnable"].is_number(), "{host}");
    }
}
