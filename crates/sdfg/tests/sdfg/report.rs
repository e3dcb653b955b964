//! What a run measured, on the graph that ran.

use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;
use sdfg::model::{NodeIndex, Program, RegionIndex, StateIndex};
use sdfg::report::{Durations, Measured, Measurement, Place, Report};
use sdfg::{Limits, ReadError, read};
use serde_json::{Value as Json, json};

use crate::graphs;

fn graph() -> Program {
    let text = json!({
        "type": "SDFG", "sdfg_list_id": 0,
        "attributes": {"name": "g", "hash": "abc"}, "edges": [],
        "nodes": [{"type": "SDFGState", "label": "s", "edges": [], "nodes": [
            {"type": "Tasklet", "label": "work[i=0:N]"}, {"type": "Tasklet", "label": "rest"},
        ]}],
    });
    read(text.to_string().as_bytes(), &Limits::default()).expect("a graph")
}

fn report(events: &[Json], hash: &str) -> Report {
    let text = json!({"traceEvents": events, "sdfgHash": hash}).to_string();
    Report::read(text.as_bytes(), &Limits::default()).expect("a report")
}

fn duration(name: &str, duration: Json, args: Json) -> Json {
    json!({"name": name, "cat": "Timer", "ph": "X", "ts": 5, "dur": duration, "pid": 1, "tid": 2,
        "args": args})
}

fn counter(name: &str, value: Json, mut args: Json) -> Json {
    args[name] = value;
    json!({"name": name, "cat": "papi", "ph": "C", "ts": 5, "pid": 1, "tid": 2, "args": args})
}

const NODE: Place = Place::Node(StateIndex(0), NodeIndex(0));

#[test]
fn old_and_new_reports_are_joined() {
    let program = graph();
    let old = report(
        &[
            duration("Map work", json!(3), json!({"sdfg_id": 0, "state_id": 0, "id": 0})),
            duration("Map work", json!(10), json!({"sdfg_id": 0, "state_id": 0, "id": 0})),
            duration("SDFG g", json!(20), json!({"sdfg_id": 0, "state_id": -1, "id": null})),
            counter("PAPI_TOT_INS", json!(40), json!({"sdfg_id": 0, "state_id": 0, "id": 0})),
        ],
        "abc",
    );
    let new = report(
        &[
            duration("Map work", json!(4.5), json!({"cfg_id": 0, "state_id": 0, "id": 0})),
            duration("State s", json!(7), json!({"cfg_id": 0, "state_id": 0})),
            counter("PAPI_TOT_INS", json!(2), json!({"cfg_id": 0, "state_id": 0, "id": 0})),
        ],
        "abc",
    );
    let told = Measured::new(&program, [&old, &new]);
    assert!(told.warnings.is_empty(), "{:?}", told.warnings);
    let one = |ns: u64| Some(Durations { count: 1, sum: ns, min: ns, median: ns, max: ns });
    let work = Durations { count: 3, sum: 17_500, min: 3000, median: 4500, max: 10_000 };
    let counters = [("PAPI_TOT_INS".into(), 42)].into();
    let timed = |durations| Measurement { durations, counters: [].into() };
    let expected = [
        (Place::Region(RegionIndex(0)), timed(one(20_000))),
        (Place::State(StateIndex(0)), timed(one(7000))),
        (NODE, Measurement { durations: Some(work), counters }),
    ];
    assert_eq!(told.elements, expected.into());
}

#[test]
fn what_does_not_fit_is_counted() {
    let program = graph();
    let told = report(
        &[
            duration("a", json!(1), json!({})),
            duration("a", json!(1), json!({"cfg_id": 7})),
            duration("a", json!(1), json!({"cfg_id": 0, "state_id": 1})),
            duration("a", json!(1), json!({"cfg_id": 0, "state_id": 0, "id": 2})),
            duration("a", json!(1), json!({"cfg_id": 0, "id": 0})),
            duration("a", json!(null), json!({"cfg_id": 0})),
            duration("a", json!(-3), json!({"cfg_id": 0})),
            duration("Map other", json!(1), json!({"cfg_id": 0, "state_id": 0, "id": 0})),
            counter("x", json!("y"), json!({"cfg_id": 0})),
            json!({"ph": "B"}),
            json!(3),
        ],
        "def",
    );
    let told = Measured::new(&program, [&told]);
    let expected = [
        ("counters that are not a whole number", 1),
        ("events of a graph or region that is not there", 1),
        ("events of a node that is not there", 1),
        ("events of a state that is not there", 1),
        ("events that are neither durations nor counters", 2),
        ("events that name a node without its state", 1),
        ("events that name no graph", 1),
        ("events with another name than their element", 1),
        ("events without a duration", 2),
        ("reports whose fingerprint is not the graph's: another version of it may have run", 1),
    ];
    let expected = expected.map(|(what, count)| (what.to_owned(), count));
    assert_eq!(told.warnings, expected.into());
    assert_eq!(told.elements.len(), 1);
}

/// The durations of reports by the ids of what took them, in nanoseconds, from their own text.
fn durations_of(reports: &[PathBuf]) -> BTreeMap<[i64; 3], Vec<u64>> {
    let mut all = BTreeMap::<_, Vec<u64>>::new();
    for path in reports {
        let text = std::fs::read(path).expect("a report");
        let told: Json = serde_json::from_slice(&text).expect("JSON");
        for event in told["traceEvents"].as_array().expect("events") {
            let ids =
                ["cfg_id", "state_id", "id"].map(|id| event["args"][id].as_i64().unwrap_or(-1));
            let nanoseconds = event["dur"].as_f64().expect("a duration") * 1000.0;
            all.entry(ids).or_default().push(nanoseconds.round() as u64);
        }
    }
    all.values_mut().for_each(|times| times.sort_unstable());
    all
}

/// What a graph and its reports tell together is what the reports' text says.
fn check_reports(program: &Program, paths: &[PathBuf]) -> Measured {
    let reports: Vec<Report> = paths
        .iter()
        .map(|path| {
            let file = std::fs::File::open(path).expect("a report");
            Report::read(file, &Limits::default()).expect("a report")
        })
        .collect();
    let told = Measured::new(program, &reports);
    assert_eq!(told.warnings, [].into());
    let mut expected = durations_of(paths);
    for (place, measured) in &told.elements {
        let id = match *place {
            Place::Region(region) => program.region(region).id(),
            Place::State(state) => program.id_of_state(state),
            Place::Node(state, node) => program.id_of_state(state).with_node(node),
        };
        let text = id.to_string();
        let ids: Vec<i64> = text.split('/').map(|id| id.parse().expect("a number")).collect();
        let times = expected.remove(&[ids[0], ids[1], ids[2]]).expect("it has events");
        let one = measured.durations.expect("a duration");
        assert_eq!((one.count, one.sum), (times.len() as u64, times.iter().sum()), "{text}");
        assert_eq!((Some(&one.min), Some(&one.max)), (times.first(), times.last()), "{text}");
    }
    assert!(expected.is_empty(), "{expected:?} is nowhere");
    told
}

#[test]
fn reports_of_dace_fit_their_graph() {
    let ours = samples::testdata("sdfg");
    let of_heat = [0, 1].map(|run| ours.join(format!("reports/heat.timed-{run}.json")));
    let told = check_reports(&graphs::ours("dace-1.0.2/heat.timed"), &of_heat);
    let whole = &told.elements[&Place::Region(RegionIndex(0))].durations.expect("a duration");
    assert_eq!(whole.count, 2);
    let told = check_reports(&graphs::ours("sharpen"), &[ours.join("reports/sharpen.json")]);
    assert_eq!(told.elements.len(), 7);

    let Some(folder) = samples::corpus("sdfg") else { return };
    let program = graphs::open(&folder, "reports/hdiff_numpy_prof");
    let paths =
        [0, 1].map(|run| folder.join(format!("reports/hdiff_numpy_prof.report-{run}.json")));
    let told = check_reports(&program, &paths);
    let whole = &told.elements[&Place::Region(RegionIndex(0))].durations.expect("a duration");
    assert_eq!((whole.count, whole.min, whole.max), (2, 1_925_397_000, 2_233_702_000));
    let nodes = told.elements.iter().filter(|(place, _)| matches!(place, Place::Node(..)));
    let sum: u64 = nodes.map(|(_, one)| one.durations.expect("a duration").sum).sum();
    assert_eq!(sum, (1_745_499 + 2_088_028) * 1000);
}

#[test]
fn what_is_no_report_is_refused() {
    for text in ["", "[]", "{}", "{\"traceEvents\": 3}", "{\"traceEvents\": [{]}"] {
        assert!(Report::read(text.as_bytes(), &Limits::default()).is_err(), "{text}");
    }
    let deep = format!("{{\"traceEvents\": [{}", "[".repeat(1 << 20));
    assert!(Report::read(deep.as_bytes(), &Limits::default()).is_err());
    let long = Report::read(deep.as_bytes(), &Limits { max_size: 100 });
    assert!(matches!(long, Err(ReadError::TooLarge { limit: 100 })));
}

fn any_json() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        (-2i64..4).prop_map(Json::from),
        Just(json!("x")),
        Just(json!({"id": 0})),
    ]
}

proptest! {
    #[test]
    fn no_event_breaks_it(
        events in proptest::collection::vec((any_json(), any_json(), any_json(), any_json(), any::<bool>()), 0..8),
    ) {
        let events: Vec<Json> = events.into_iter().map(|(dur, region, state, node, is_counter)| {
            let args = json!({"cfg_id": region, "state_id": state, "id": node});
            if is_counter { counter("c", dur, args) } else { duration("d", dur, args) }
        }).collect();
        let told = Measured::new(&graph(), [&report(&events, "abc")]);
        prop_assert!(told.elements.len() <= events.len());
    }
}

#[test]
fn a_number_that_several_regions_have_names_none() {
    let state = json!({"type": "SDFGState", "label": "s", "edges": [], "nodes": []});
    let region = |label: &str| {
        json!({"type": "LoopRegion", "label": label, "cfg_list_id": 1, "attributes": {},
            "nodes": [state], "edges": []})
    };
    let text = json!({
        "type": "SDFG", "cfg_list_id": 0, "attributes": {"name": "g"}, "edges": [],
        "nodes": [region("one"), region("other")],
    });
    let program = read(text.to_string().as_bytes(), &Limits::default()).expect("a graph");
    let report = report(&[duration("State s", json!(3), json!({"cfg_id": 1, "state_id": 0}))], "");
    let measured = Measured::new(&program, [&report]);
    assert!(measured.elements.is_empty());
    let why = "events of a graph or region whose number several have";
    assert_eq!(measured.warnings, BTreeMap::from([(why.to_owned(), 1)]));
}
