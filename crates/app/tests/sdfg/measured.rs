//! Reports of DaCe beside what is worked out.

use std::path::Path;

use serde_json::{Value, json};

use crate::run;

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sdfg");
    folder.join(name).to_str().unwrap().to_owned()
}

/// Standard output of a command that succeeds.
fn succeed(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments, "");
    assert_eq!(code, Some(0), "{err}");
    out
}

fn parsed(arguments: &[&str]) -> Value {
    let all = [arguments, &["--format", "json"]].concat();
    serde_json::from_str(&succeed(&all)).unwrap()
}

#[test]
fn times_stand_beside_costs() {
    let (graph, report) = (sample("square.sdfg"), sample("reports/square.json"));
    let arguments = ["sdfg", "cost", &graph, "--measured", &report, "--set", "N=1000"];
    let told = parsed(&arguments);
    let totals = &told["totals"];
    // 16 kB and 2,000 operations in 20 us.
    for (name, value, certainty) in [
        ("measured_time", json!(20000), "measured"),
        ("bandwidth", json!(8e8), "measured"),
        ("rate", json!(1e8), "measured"),
    ] {
        assert_eq!(
            (&totals[name]["value"], &totals[name]["certainty"]),
            (&value, &json!(certainty))
        );
    }
    let map = &told["measured"][1];
    assert_eq!((&map["id"], &map["measured_time"]), (&json!("0/0/1/-1"), &json!(12500)));
    assert_eq!((&map["bandwidth"], &map["rate"]), (&json!(1.28e9), &json!(1.6e8)));
    assert_eq!(map["counters"], json!([{"name": "PAPI_TOT_INS", "value": 4000}]));
    assert_eq!(told["warnings"], json!([]));

    let text = succeed(&arguments);
    assert!(text.contains("costs of a run, at N = 1000"), "{text}");
    let line = text.lines().find(|line| line.contains("0/0/1/-1  15.6 KiB; 2 kop")).unwrap();
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    assert_eq!(words, ["12.5", "µs", "1.19", "GiB/s", "160", "Mop/s"]);
    let csv = |table| succeed(&[&arguments[..], &["--format", "csv", "--table", table]].concat());
    assert_eq!(csv("counters"), "id,counter,value\r\n0/0/1/-1,PAPI_TOT_INS,4000\r\n");
    let row =
        "0/0/1/-1,m[i=0:N],map entry,12500,1,12500,12500,12500,2000,2*N,exact,16000,16*N,exact";
    assert!(csv("measured").contains(row), "{}", csv("measured"));
    assert!(succeed(&[&arguments[..], &["--format", "markdown"]].concat()).contains("| 12.5 µs |"));
}

#[test]
fn sizes_that_are_not_set_are_not_made_up() {
    let (graph, report) = (sample("square.sdfg"), sample("reports/square.json"));
    let arguments = ["sdfg", "cost", &graph, "--measured", &report];
    let told = parsed(&arguments);
    assert_eq!(told["measured"][0]["measured_time"], 20000);
    assert_eq!(told["measured"][0]["bandwidth"], json!(null));
    assert_eq!(told["totals"]["bandwidth"]["value"], json!(null));
    assert!(succeed(&arguments).contains("costs of a run, with no size set"));
}

#[test]
fn reports_several_runs_as_their_mean() {
    let graph = sample("dace-1.0.2/heat.timed.sdfgz");
    let reports = [0, 1].map(|run| sample(&format!("reports/heat.timed-{run}.json")));
    let of = |set: &str| {
        let both = ["--measured", &reports[0], "--measured", &reports[1], "--set", set];
        parsed(&[&["sdfg", "cost", &graph][..], &both].concat())
    };
    let told = of("N=200,T=2");
    // 204,776 and 203,101 us.
    assert_eq!(told["totals"]["measured_time"]["value"], 203_938_500);
    let map = &told["measured"][1];
    assert_eq!((&map["id"], &map["count"]), (&json!("0/3/0/-1"), &json!(4)));
    assert!(map["bandwidth"].as_f64().unwrap() > 1e6);
    assert_eq!(told["warnings"], json!([]));
    // Maps of a run with T=2 were timed twice: it was no run with T=3.
    let told = of("N=200,T=3");
    let warning = told["warnings"][0].as_str().unwrap();
    let said = "0/3/0/-1 was timed 4 times and at N = 200, T = 3 is reached 6 times and 11 others";
    assert!(warning.starts_with(said), "{warning}");
    assert!(told["measured"].as_array().unwrap().iter().all(|one| one["bandwidth"].is_null()));
    assert_eq!(told["totals"]["rate"]["value"], json!(null));
    assert_eq!(told["totals"]["measured_time"]["value"], 203_938_500);
}

#[test]
fn reports_what_belongs_to_no_element() {
    let folder = tempfile::tempdir().unwrap();
    let event = |region: i64, node: i64| {
        let args = json!({"cfg_id": region, "state_id": 0, "id": node});
        json!({"name": "Map m", "ph": "X", "dur": 5, "args": args})
    };
    let report = folder.path().join("report.json");
    let events = json!({"traceEvents": [event(0, 1), event(0, 99), event(7, 0), event(7, 1)]});
    std::fs::write(&report, events.to_string()).unwrap();
    let (graph, report) = (sample("square.sdfg"), report.to_str().unwrap());
    let told = parsed(&["sdfg", "cost", &graph, "--measured", report]);
    assert_eq!(told["measured"].as_array().unwrap().len(), 1);
    assert_eq!(told["totals"]["measured_time"]["value"], json!(null));
    let expected = [
        "reports: events of a graph or region that is not there (2 times)",
        "reports: events of a node that is not there",
    ];
    assert_eq!(told["warnings"], json!(expected));
    let arguments =
        ["sdfg", "cost", &graph, "--measured", report, "--fail-if", "measured_time > 1 s"];
    let (code, _, err) = run(&arguments, "");
    assert!(code == Some(1) && err.contains("do not time the graph as a whole"), "{err}");
}

#[test]
fn reports_that_are_none_are_refused() {
    let (graph, report) = (sample("square.sdfg"), sample("reports/square.json"));
    let refused = |more: &[&str], said: &str| {
        let (code, _, err) = run(&[&["sdfg", "cost", &graph], more].concat(), "");
        assert!(code == Some(1) && err.contains(said), "{err}");
    };
    refused(&["--measured", "there-is-none.json"], "cannot open there-is-none.json");
    refused(&["--measured", &graph], "cannot read");
    refused(&["--measured", &report, "--measured", &report], "given twice");
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.json");
    std::fs::write(&trace, r#"{"traceEvents":[{"ph":"X","name":"a","dur":1,"args":{}}]}"#).unwrap();
    refused(&["--measured", trace.to_str().unwrap()], "it is not a report of DaCe");
}

#[test]
fn reports_changes_of_times() {
    let graph = sample("dace-1.0.2/heat.timed.sdfgz");
    let reports = [0, 1].map(|run| sample(&format!("reports/heat.timed-{run}.json")));
    let sides = ["sdfg", "compare", &graph, &graph, "--measured", &reports[0], &reports[1]];
    let told = parsed(&sides);
    let time = &told["totals"]["measured_time"];
    assert_eq!(
        (&time["base"]["value"], &time["new"]["value"]),
        (&json!(204_776_000), &json!(203_101_000))
    );
    let rows = told["measured"].as_array().unwrap();
    assert_eq!(rows.len(), 13);
    let row = rows.iter().find(|row| row["base_id"] == "0/3/5/-1").unwrap();
    assert_eq!((&row["new_id"], &row["metric"]), (&json!("0/3/5/-1"), &json!("measured_time")));
    assert_eq!((&row["base"], &row["new"]), (&json!(19_789_000), &json!(20_192_000)));
    let text = succeed(&sides);
    assert!(text.contains("-0.8 %  measured time (nanoseconds of a run)"), "{text}");

    let gate = |limit: &str| run(&[&sides[..], &["--fail-if", limit]].concat(), "");
    assert_eq!(gate("measured_time > 5%").0, Some(0));
    let (code, _, err) = gate("measured_time > -5%");
    let said = "measured_time grew by -0.8 %, more than -5 % of the base: 204,776,000 ns to 203";
    assert!(code == Some(3) && err.contains(said), "{err}");
    let one = ["sdfg", "compare", &graph, &graph, "--measured", &reports[0]];
    let (code, _, err) = run(&one, "");
    assert!(code == Some(1) && err.contains("--measured takes two reports"), "{err}");
}

#[test]
fn reports_elements_of_one_side_as_such() {
    let (base, new) = (sample("sharpen.sdfg"), sample("square.sdfg"));
    let reports = [sample("reports/sharpen.json"), sample("reports/square.json")];
    let told = parsed(&["sdfg", "compare", &base, &new, "--measured", &reports[0], &reports[1]]);
    let rows = told["measured"].as_array().unwrap();
    let only = |side: &str| rows.iter().filter(|row| row[side].is_null()).count();
    // Seven maps of the one, and of the other the whole, which alone has a partner.
    assert!(only("new") >= 6 && only("base") >= 1, "{rows:?}");
    assert!(rows.iter().all(|row| !row["base"].is_null() || !row["new"].is_null()));
    assert_eq!(told["totals"]["measured_time"]["base"]["value"], json!(null));
}

#[test]
fn pictures_have_what_was_measured() {
    let (graph, report) = (sample("square.sdfg"), sample("reports/square.json"));
    let sides = ["sdfg", "draw", &graph, "-o", "-", "--measured", &report];
    let draw = |more: &[&str]| succeed(&[&sides[..], more].concat());
    let picture = draw(&[]);
    assert!(picture.contains("time, measured, nanoseconds") && picture.contains("12.5 µs"));
    let picture = draw(&["--nodes", "bandwidth", "--set", "N=1000"]);
    assert!(picture.contains("bandwidth reached") && picture.contains("1.19 GiB/s"));
    assert!(picture.contains(">square.sdfg, at N = 1000<"));
    assert!(!draw(&["--nodes", "bandwidth"]).contains("GiB/s"));
    assert!(draw(&["--metric", "PAPI_TOT_INS"]).contains("PAPI_TOT_INS, measured"));
    let refused = |arguments: &[&str], said: &str| {
        let (code, _, err) = run(arguments, "");
        assert!(code == Some(1) && err.contains(said), "{err}");
    };
    refused(&[&sides[..], &["--metric", "x"]].concat(), "there are: PAPI_TOT_INS, time");
    refused(&["sdfg", "draw", &graph, "-o", "-", "--nodes", "rate"], "with --measured");
    let (graph, report) =
        (sample("dace-1.0.2/heat.timed.sdfgz"), sample("reports/heat.timed-0.json"));
    let sides = ["sdfg", "draw", &graph, "-o", "-", "--measured", &report, "--nodes", "rate"];
    let of_steps = |set: &str| succeed(&[&sides[..], &["--set", set]].concat());
    assert!(of_steps("N=200,T=2").contains("op/s"));
    let other = of_steps("N=200,T=3");
    assert!(!other.contains("op/s") && other.contains("are the sizes those of the run?"));
}
