//! `hotframe record perf`: which runs come of what is asked for.

use std::fs;

use crate::fake::Fake;
use crate::names;

/// Events of each call of perf that recorded something, with how they are sampled.
fn events(fake: &Fake) -> Vec<String> {
    let of_call = |call: &String| {
        let (options, _) = call.split_once("<--><").unwrap();
        let words: Vec<&str> = options.trim_matches(['<', '>']).split("><").collect();
        let pairs = words.windows(2).filter(|pair| ["-e", "-F", "-c"].contains(&pair[0]));
        pairs.map(|pair| pair.join(" ").replace("-e ", "")).collect::<Vec<_>>().join(" ")
    };
    fake.recorded().iter().map(of_call).collect()
}

#[test]
fn visperf_s_events_are_the_default_and_those_that_do_not_open_are_left_out() {
    let fake = Fake::new();
    fake.opens(&["cpu-cycles", "instructions", "branch-misses"]);
    let (_, err) = fake.succeed(&["perf", "--name", "a b", "--", "sh", "-c", ":"]);
    assert!(err.contains("left out: LLC-loads: not supported by this processor"), "{err}");
    assert_eq!(events(&fake), ["-F 997 cpu-cycles instructions branch-misses"]);
    assert_eq!(names(&fake.work()), ["a b-1.perf.data", "a b.json"]);
    let experiment = &fake.manifest("a b.json")["experiments"][0];
    assert_eq!(experiment["events"]["not_supported"].as_array().unwrap().len(), 13);
    assert_eq!(experiment["runs"][0]["file"], "a b-1.perf.data");
}

#[test]
fn what_counts_and_cannot_be_sampled_is_left_out() {
    let fake = Fake::new();
    fake.set("unsampled", "bus-cycles\n");
    let list = "cpu-cycles,bus-cycles";
    let (_, err) = fake.succeed(&["perf", "--name", "x", "-e", list, "--", "sh", "-c", ":"]);
    assert!(err.contains("left out: bus-cycles: it can be counted, not sampled"), "{err}");
    assert_eq!(events(&fake), ["-F 997 cpu-cycles"]);
}

#[test]
fn events_come_from_files_with_groups_and_periods() {
    let fake = Fake::new();
    let list = "cpu-cycles\n# none\n{cache-misses,cache-references}\npage-faults\n\
                context-switches/period=3/\n";
    fake.set("work/events.txt", list);
    fake.succeed(&["perf", "--name", "x", "-e", "events.txt", "--", "sh", "-c", ":"]);
    let expected = "-F 997 cpu-cycles {cache-misses,cache-references} \
                    page-faults/period=8,name=page-faults/ context-switches/period=3/";
    assert_eq!(events(&fake), [expected]);
    let opened = fake.manifest("x.json")["experiments"][0]["events"]["opened"].clone();
    let sampling: Vec<String> =
        opened.as_array().unwrap().iter().map(|e| e["sampling"].to_string()).collect();
    let (often, each) = ("{\"frequency\":997}", |n: u32| format!("{{\"period\":{n}}}"));
    assert_eq!(sampling, [often, often, often, &each(8), &each(3)]);
}

#[test]
fn one_period_is_for_all_events() {
    let fake = Fake::new();
    let list = "cpu-cycles,page-faults";
    fake.succeed(&["perf", "--name", "x", "-e", list, "--period", "5", "--", "sh", "-c", ":"]);
    assert_eq!(events(&fake), ["-c 5 cpu-cycles page-faults"]);
}

#[test]
fn events_that_have_no_counter_get_runs_of_their_own() {
    let fake = Fake::new();
    let list = "cpu-cycles,cache-misses,cache-references,instructions,page-faults,branch-misses";
    let arguments = ["perf", "--name", "x", "--runs", "2", "-e", list];
    let run = |more: &[&str]| {
        fake.set("log", "");
        let all = [&arguments[..], &["--replace"], more, &["--", "sh", "-c", ":"]].concat();
        fake.succeed(&all);
        events(&fake)
    };
    let faults = "page-faults/period=8,name=page-faults/";
    let one = format!("-F 997 cpu-cycles cache-misses cache-references instructions {faults}");
    let two = format!("-F 997 cpu-cycles instructions {faults} branch-misses");
    // Sets of events take turns, and the second round goes backwards.
    let expected = [one.clone(), two.clone(), two, one];
    // Found out by asking for groups, or said.
    fake.set("counters", "4");
    assert_eq!(run(&[]), expected);
    let opened = fake.manifest("x.json")["experiments"][0]["events"]["opened"].clone();
    let sets: Vec<String> =
        opened.as_array().unwrap().iter().map(|e| e["set"].to_string()).collect();
    assert_eq!(sets, ["null", "1", "1", "null", "null", "2"]);
    fake.set("counters", "99");
    assert_eq!(run(&["--counters", "4"]), expected);
    assert_eq!(run(&["--counters", "4", "--multiplex"]).len(), 2);
}

#[test]
fn counts_are_totals() {
    let fake = Fake::new();
    let arguments = ["perf", "--name", "x", "--count", "--count-interval", "50"];
    let more = ["-e", "cpu-cycles,page-faults", "--", "sh", "-c", "exit 4"];
    fake.fail(4, &[&arguments[..], &more].concat());
    let call = fake.recorded().remove(0);
    let start = "<stat><-x><;><-I><50><-e><cpu-cycles><-e><page-faults><-D><-1><--control><fifo:";
    assert!(call.starts_with(start) && call.contains("x-1.counts.csv><-p><"), "{call}");
    assert_eq!(fake.manifest("x.json")["experiments"][0]["runs"][0]["status"]["exit"], 4);
    let counts = &fake.manifest("x.json")["experiments"][0]["runs"][0]["counts"];
    assert_eq!(counts[0]["event"], "cpu-cycles");
    assert_eq!([&counts[1]["total"], &counts[1]["coverage"]], [&42.0, &0.5]);
}

#[test]
fn overhead_is_measured_in_between() {
    let fake = Fake::new();
    fake.set("work/count.sh", "echo x >>times");
    let arguments = ["perf", "--name", "x", "--runs", "2", "-e", "cpu-cycles", "--overhead", "2"];
    let more = ["--overhead-frequencies", "99,9999", "--", "sh", "count.sh"];
    fake.succeed(&[&arguments[..], &more].concat());
    assert_eq!(fs::read_to_string(fake.work().join("times")).unwrap().lines().count(), 8);
    let runs = fake.manifest("x.json")["experiments"][0]["runs"].clone();
    let kinds: Vec<&str> =
        runs.as_array().unwrap().iter().map(|run| run["kind"].as_str().unwrap()).collect();
    let round = ["unmeasured", "overhead", "overhead", "sampled"];
    let mut backwards = round;
    backwards.reverse();
    assert_eq!(kinds, [round, backwards].concat());
    let expected = ["count.sh", "times", "x-4.perf.data", "x-5.perf.data", "x.json"];
    assert_eq!(names(&fake.work()), expected);
    let (out, _) = fake.succeed(&["show", "x.json", "--format", "json"]);
    let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
    let costs = shown["costs"].as_array().unwrap();
    let kinds: Vec<String> =
        costs.iter().map(|cost| format!("{} {}", cost["kind"], cost["frequency"])).collect();
    let expected =
        ["\"unmeasured\" null", "\"overhead\" 99", "\"sampled\" 997", "\"overhead\" 9999"];
    assert_eq!(kinds, expected);
    assert!(costs.iter().all(|cost| cost["runs"] == 2 && cost["duration_ratio"].is_number()));
}

#[test]
fn a_dry_run_runs_nothing() {
    let fake = Fake::new();
    let arguments = ["perf", "--name", "x", "--runs", "3", "-e", "cpu-cycles", "--dry-run"];
    let more = ["--format", "json", "--perf", "--switch-events -m 64", "--", "touch", "ran"];
    let (out, _) = fake.succeed(&[&arguments[..], &more].concat());
    let plan: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(plan["rows"].as_array().unwrap().len(), 3);
    let words = plan["rows"][0]["arguments"].as_str().unwrap();
    assert!(words.ends_with("-e cpu-cycles --switch-events -m 64"), "{words}");
    assert!(plan["bytes_per_minute"].as_u64().unwrap() > 997 * 60 * 109 - 1);
    assert_eq!(names(&fake.work()), Vec::<String>::new());
    assert_eq!(fake.recorded(), Vec::<String>::new());
}

#[test]
fn threads_are_named_by_log_and_by_rules() {
    let fake = Fake::new();
    let script = "echo TID: a, b: c,7; echo plain; printf 'TID: end,8'";
    let names = ["--thread-names", "log", "--thread-name", "^comm=workers"];
    let start = ["perf", "--name", "x", "-e", "cpu-cycles"];
    let (out, _) = fake
        .succeed(&[&start[..], &names, &["--warm-up", "20", "--", "sh", "-c", script]].concat());
    assert_eq!(out, "TID: a, b: c,7\nplain\nTID: end,8");
    let run = &fake.manifest("x.json")["experiments"][0]["runs"][0];
    assert_eq!(run["threads"].to_string(), "[[7,\"a, b: c\"],[8,\"end\"],[40,\"workers\"]]");
    assert_eq!(run["course"]["warm_up"]["end_ns"], 1_020_000_000);
}

#[test]
fn events_are_listed_in_every_format() {
    let fake = Fake::new();
    fake.opens(&["cpu-cycles", "bus-cycles"]);
    fake.set("unsampled", "bus-cycles\n");
    let list = ["perf", "--list", "-e", "cpu-cycles,bus-cycles,instructions,x"];
    let listed = |format: &str| fake.succeed(&[&list[..], &["--format", format]].concat()).0;
    let json: serde_json::Value = serde_json::from_str(&listed("json")).unwrap();
    let works = |row: usize| {
        let row = &json["rows"][row];
        (row["counts"] == true, row["samples"] == true, row["reason"].is_string())
    };
    assert_eq!([works(0), works(1)], [(true, true, false), (true, false, true)]);
    assert_eq!([works(2), works(3)], [(false, false, true); 2]);
    assert!(listed("csv").starts_with("event,counts,samples,reason\r\ncpu-cycles,"));
    for format in ["text", "markdown"] {
        let listed = listed(format);
        assert!(listed.contains("bus-cycles") && listed.contains("2 of 4"), "{listed}");
    }
}

#[test]
fn the_kernel_is_left_out_by_name() {
    let fake = Fake::new();
    let known = ["cpu-cycles:u", "page-faults:u", "page-faults", "context-switches"];
    fake.opens(&known);
    fake.set("known", &known.join("\n"));
    let start = ["perf", "--name", "x", "--user-only", "-e"];
    let more = ["cpu-cycles,page-faults,context-switches", "--", "sh", "-c", ":"];
    let (_, err) = fake.succeed(&[&start[..], &more].concat());
    assert!(err.contains("left out: context-switches: it happens in the kernel"), "{err}");
    let faults = "page-faults/period=8,name=page-faults/u";
    assert_eq!(events(&fake), [format!("-F 997 cpu-cycles:u {faults}")]);
}
