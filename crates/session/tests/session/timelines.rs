//! Timelines, asked for as a page asks for them.

use std::io;

use protocol::{Answer, Column, ColumnData, ErrorCode, Request, UploadResult};
use serde_json::{Value, json};
use session::{Host, Input, ReadOptions, Session, Silent};

struct Nothing;

impl Host for Nothing {
    fn open(&self, _: &str) -> io::Result<Input> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

/// The lists that a profile may have rows of.
fn lists(session: &Session, document: u32) -> Vec<String> {
    let tracks = result(session, "tracks", json!({"document": document}));
    let lists = tracks["lists"].as_array().unwrap().iter();
    let had = lists.filter(|one| one["may_have_rows"] == true);
    had.map(|one| one["list"].as_str().unwrap().to_owned()).collect()
}

/// Two threads of a process, times in microseconds: `a` around `b` on one, `a` alone on the other,
/// which is busy for half of the recording.
fn trace() -> Value {
    let span = |thread: u32, name: &str, ts: u32, dur: u32| {
        json!({"ph": "X", "pid": 1, "tid": thread, "name": name, "ts": ts, "dur": dur,
               "args": {"cell": format!("{name}{ts}")}})
    };
    let mark = |thread: u32, name: &str, ts: u32| json!({"ph": "i", "s": "t", "pid": 1, "tid": thread, "name": name, "ts": ts});
    json!({"traceEvents": [
        {"ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "hive"}},
        {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "one"}},
        {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "two"}},
        span(1, "a", 0, 100),
        span(1, "b", 10, 30),
        span(1, "b", 50, 10),
        span(2, "a", 0, 50),
        mark(1, "tick", 20),
        mark(2, "tick", 60),
        mark(2, "tock", 70),
        mark(1, "tick", 90),
    ]})
}

fn open() -> (Session, u32) {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let document = upload(&session, "hive.json", serde_json::to_vec(&trace()).unwrap());
    (session, document)
}

fn upload(session: &Session, name: &str, bytes: Vec<u8>) -> u32 {
    let column = Column { name: "bytes".to_owned(), data: ColumnData::U8(bytes) };
    let upload = json!({"method": "upload", "params": {"upload": 1, "name": name,
        "offset": 0.0, "last": true, "format": null}});
    let request: Request = serde_json::from_value(upload).unwrap();
    let answer = session.answer(request, vec![column], &Silent).unwrap();
    let result: UploadResult = answer.into_result().unwrap();
    result.document.unwrap()
}

fn view(document: u32, filters: Value) -> Value {
    json!({"document": document, "metric": 0, "shape": {"kind": "top_down"},
        "granularity": "function", "filters": filters, "order": "value",
        "collapse_recursion": "none", "role": null})
}

fn ask(session: &Session, method: &str, params: Value) -> Result<Answer, ErrorCode> {
    let request = json!({"method": method, "params": params});
    let request: Request = serde_json::from_value(request).unwrap();
    session.answer(request, vec![], &Silent).map_err(|error| error.code)
}

fn result(session: &Session, method: &str, params: Value) -> Value {
    ask(session, method, params).unwrap().result
}

fn column(answer: &Answer, name: &str) -> Vec<f64> {
    let column = answer.columns.iter().find(|column| column.name == name).unwrap();
    match &column.data {
        ColumnData::U32(values) => values.iter().map(|&value| f64::from(value)).collect(),
        ColumnData::F64(values) => values.clone(),
        other => panic!("{other:?}"),
    }
}

fn number(session: &Session, document: u32, name: &str) -> u32 {
    let tracks = result(session, "tracks", json!({"document": document}));
    let tracks = tracks["tracks"].as_array().unwrap();
    let found = tracks.iter().find(|track| track["name"].as_str().unwrap().contains(name));
    found.unwrap()["track"].as_u64().unwrap() as u32
}

/// A process with its threads, as events.
fn process(pid: u32, name: &str, threads: &[(u32, &str)]) -> Vec<Value> {
    let mut events = vec![
        json!({"ph": "M", "pid": pid, "tid": 0, "name": "process_name", "args": {"name": name}}),
    ];
    for &(tid, thread) in threads {
        events.push(json!({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": thread}}));
        events.push(json!({"ph": "X", "pid": pid, "tid": tid, "name": format!("{name} {tid}"), "ts": 0, "dur": 10}));
    }
    events
}

/// How many spans are left where the filters of a track keep its thread or process alone, by its title.
fn spans_left_by_only(session: &Session, document: u32) -> Vec<(String, u64)> {
    let tracks = result(session, "tracks", json!({"document": document}));
    let listed = table(session, document, json!([]), Wanted("tracks", None, false, ""), 100);
    let rows = tracks["tracks"].as_array().unwrap().iter().enumerate();
    rows.filter(|(_, track)| !track["only"].as_array().unwrap().is_empty())
        .map(|(row, track)| {
            let patterns = track["only"].as_array().unwrap().iter();
            let filters: Vec<Value> =
                patterns.map(|one| json!({"kind": "label_focus", "pattern": one})).collect();
            let wanted = Wanted("longest_spans", None, false, "");
            let kept = table(session, document, json!(filters), wanted, 100);
            (
                cells(&listed, row, ["name"])[0].as_str().unwrap().to_owned(),
                kept["total"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn a_track_says_which_filters_keep_its_thread_alone() {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let events = [
        process(1, "hive, (a)", &[(1, "bee"), (2, "bee")]),
        process(2, "hive, (b)", &[(1, "bee"), (3, "queen")]),
    ];
    let trace = json!({"traceEvents": events.concat()});
    let document = upload(&session, "two.json", serde_json::to_vec(&trace).unwrap());
    let left: Vec<u64> =
        spans_left_by_only(&session, document).into_iter().map(|(_, left)| left).collect();
    // Two processes with two threads each.
    assert_eq!(left, [2, 1, 1, 2, 1, 1]);
}

#[test]
fn threads_of_two_recordings_are_kept_apart() {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let documents: Vec<u32> = ["one.json", "two.json"]
        .into_iter()
        .map(|name| {
            let trace = json!({"traceEvents": process(1, "hive", &[(1, "bee")])});
            upload(&session, name, serde_json::to_vec(&trace).unwrap())
        })
        .collect();
    let merged = result(&session, "merge", json!({"documents": documents}));
    let merged = merged["document"].as_u64().unwrap() as u32;
    let left = spans_left_by_only(&session, merged);
    assert_eq!(left.len(), 4, "{left:?}");
    assert!(left.iter().all(|(_, left)| *left == 1), "{left:?}");
}

#[test]
fn a_label_that_is_called_like_a_thread_leaves_no_filter_for_it() {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let span = |tid: u32, args: Value| json!({"ph": "X", "pid": 1, "tid": tid, "name": "s", "ts": 0, "dur": 9, "args": args});
    let trace = json!({"traceEvents": [span(8, json!({"thread": "9"})), span(9, json!({}))]});
    let document = upload(&session, "labels.json", serde_json::to_vec(&trace).unwrap());
    let left = spans_left_by_only(&session, document);
    assert!(left.iter().all(|(name, _)| name != "9"), "{left:?}");
    assert!(left.contains(&("8".to_owned(), 1)), "{left:?}");
}

/// How a list is asked for: its kind, the column to sort by, whether the other way round, and what rows match.
struct Wanted(&'static str, Option<&'static str>, bool, &'static str);

/// A list of at most `limit` rows, of what filters keep.
fn table(
    session: &Session,
    document: u32,
    filters: Value,
    Wanted(list, sort, reverse, filter): Wanted,
    limit: u32,
) -> Value {
    let params = json!({"view": view(document, filters), "list": list, "filter": filter,
        "sort": sort, "reverse": reverse, "limit": limit, "reader": "page"});
    result(session, "list", params)
}

/// The cells of a row, in the order of keys; of names the text.
fn cells<const N: usize>(table: &Value, row: usize, keys: [&str; N]) -> [Value; N] {
    keys.map(|key| {
        let mut columns = table["columns"].as_array().unwrap().iter();
        let column = columns.find(|column| column["key"] == key).expect(key);
        let cell = &column["cells"]["values"][row];
        cell.get("text").unwrap_or(cell).clone()
    })
}

fn height(table: &Value) -> usize {
    table["ids"].as_array().unwrap().len()
}

#[test]
fn a_group_is_as_busy_as_its_tracks_are_in_the_mean() {
    let (session, document) = open();
    let group = number(&session, document, "hive");
    let lanes = |group_too: bool| {
        let wanted = json!({"track": group, "first_row": 0, "rows": 0, "group": group_too});
        let params = json!({"view": view(document, json!([])), "from": 0.0, "to": 100_000.0,
            "width": 4.0, "tracks": [wanted], "search": ""});
        column(&ask(&session, "lanes", params).unwrap(), "busy_share")
    };
    assert_eq!(lanes(true), [1.0, 1.0, 0.5, 0.5]);
    // Nothing happened on the process itself.
    assert!(lanes(false).is_empty());
}

#[test]
fn spans_by_name_are_sorted_narrowed_and_clipped() {
    let (session, document) = open();
    let rows = |filters: Value, wanted: Wanted, limit: u32| {
        let table = table(&session, document, filters, wanted, limit);
        let keys = ["name", "count", "total_ns", "self_ns", "longest_ns"];
        let rows: Vec<Value> =
            (0..height(&table)).map(|row| json!(cells(&table, row, keys))).collect();
        (rows, table["total"].as_u64().unwrap())
    };
    let of = |sort, reverse, filter| Wanted("spans", sort, reverse, filter);
    let a = json!(["a", 2, 150_000, 110_000, 100_000]);
    let b = json!(["b", 2, 40_000, 40_000, 30_000]);
    let none = || json!([]);
    assert_eq!(rows(none(), of(None, false, ""), 9), (vec![a.clone(), b.clone()], 2));
    assert_eq!(rows(none(), of(Some("total_ns"), true, ""), 9).0, [b.clone(), a.clone()]);
    assert_eq!(rows(none(), of(Some("name"), true, ""), 1), (vec![b.clone()], 2));
    assert_eq!(rows(none(), of(Some("median_ns"), false, "^b"), 9), (vec![b], 1));
    let range = json!([{"kind": "time", "pattern": "20us..60us"}]);
    let clipped =
        [json!(["a", 2, 70_000, 40_000, 40_000]), json!(["b", 2, 30_000, 30_000, 20_000])];
    assert_eq!(rows(range, of(Some("longest_ns"), false, ""), 9).0, clipped);
}

#[test]
fn a_list_says_what_it_can_be_sorted_by() {
    let (session, document) = open();
    let params = |sort: &str| {
        json!({"view": view(document, json!([])), "list": "spans", "filter": "", "sort": sort,
            "reverse": false, "limit": 9, "reader": "page"})
    };
    let result = result(&session, "list", params("count"));
    assert_eq!((&result["sort"], &result["noun"]), (&json!("count"), &json!("name")));
    // Every column that says so can be sorted by, and no other.
    for column in result["columns"].as_array().unwrap() {
        let key = column["key"].as_str().unwrap();
        let sorted = ask(&session, "list", params(key));
        let same_key = |other: &&Value| other["key"] == key && !other["order"].is_null();
        let can_be = result["columns"].as_array().unwrap().iter().find(same_key).is_some();
        assert_eq!(sorted.is_ok(), can_be, "{key}");
    }
    assert_eq!(ask(&session, "list", params("no_such")).unwrap_err(), ErrorCode::BadRequest);
}

#[test]
fn marks_are_listed_by_kind_and_found_in_order() {
    let (session, document) = open();
    let listed = table(&session, document, json!([]), Wanted("marks", None, false, ""), 9);
    let keys = ["name", "count", "tracks", "first_ns", "last_ns"];
    assert_eq!(json!(cells(&listed, 0, keys)), json!(["tick", 3, 2, 20_000, 90_000]));
    assert_eq!(json!(cells(&listed, 1, keys)), json!(["tock", 1, 1, 70_000, 70_000]));
    assert_eq!((height(&listed), &listed["total"]), (2, &json!(2)));
    let next = |behind: Option<u32>, from: f64, back: bool, filters: Value| {
        let params = json!({"view": view(document, filters), "kind": "tick", "behind": behind,
            "from": from, "back": back});
        let found = result(&session, "find_mark", params);
        [found["at"].as_f64().unwrap(), found["time"].as_f64().unwrap()]
    };
    let [one, two] = ["one", "two"].map(|name| number(&session, document, name));
    let all = || json!([]);
    assert_eq!(next(None, 30_000.0, false, all()), [1.0, 60_000.0]);
    assert_eq!(next(Some(two), 60_000.0, false, all()), [2.0, 90_000.0]);
    assert_eq!(next(Some(one), 90_000.0, false, all()), [0.0, 20_000.0]);
    assert_eq!(next(Some(one), 20_000.0, true, all()), [2.0, 90_000.0]);
    assert_eq!(
        next(None, 0.0, false, json!([{"kind": "time", "pattern": "80us.."}])),
        [0.0, 90_000.0]
    );
    let params = json!({"view": view(document, all()), "kind": "none", "behind": null,
        "from": 0.0, "back": false});
    assert_eq!(ask(&session, "find_mark", params).unwrap_err(), ErrorCode::BadRequest);
}

#[test]
fn a_table_of_spans_has_what_the_filters_keep() {
    let (session, document) = open();
    let csv = |filters: Value| {
        let params = json!({"view": view(document, filters)});
        let result = result(&session, "export_spans_csv", params);
        result["text"].as_str().unwrap().to_owned()
    };
    let all = csv(json!([]));
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows.len(), 5);
    assert!(rows[0].starts_with("name,track,begin (nanoseconds),length (nanoseconds)"));
    assert!(
        rows[1].starts_with("a,") && rows[1].contains(",0,100000,100000,60000,"),
        "{}",
        rows[1]
    );
    assert!(rows[1].ends_with("cell=a0"), "{}", rows[1]);
    let part = csv(json!([{"kind": "time", "pattern": "45us..55us"}]));
    let kept: Vec<&str> = part.lines().skip(1).collect();
    assert_eq!(kept.len(), 3, "{part}");
    assert!(
        kept[1].starts_with("b,") && kept[1].contains(",50000,10000,5000,10000,"),
        "{}",
        kept[1]
    );
}

#[test]
fn a_picture_of_tracks_has_their_names_spans_and_marks() {
    let (session, document) = open();
    let [group, one, two] = ["hive", "one", "two"].map(|name| number(&session, document, name));
    let wanted = |track: u32, rows: u32, group: bool| json!({"track": track, "first_row": 0, "rows": rows, "group": group});
    let picture = |upwards: bool| {
        let lanes = json!({"view": view(document, json!([])), "from": 0.0, "to": 100_000.0,
            "width": 1000.0, "search": "",
            "tracks": [wanted(group, 0, true), wanted(one, 9, false), wanted(two, 0, false)]});
        let params =
            json!({"lanes": lanes, "theme": "light", "colour": "module", "upwards": upwards});
        result(&session, "export_timeline_svg", params)["text"].as_str().unwrap().to_owned()
    };
    let svg = picture(false);
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"));
    // The spans of the unfolded track, its two marks and the two of the other.
    assert_eq!(svg.matches("<g><title>").count(), 3);
    assert_eq!(svg.matches("<title>tick at").count() + svg.matches("<title>tock at").count(), 4);
    assert!(svg.contains("<title>b\n30 µs at 10 µs</title>"), "{svg}");
    // The other way round the outermost stands below.
    let top_of = |svg: &str, name: &str| -> f64 {
        let at = svg.find(&format!("<g><title>{name}\n")).unwrap();
        let y = svg[at..].split(" y=\"").nth(1).unwrap();
        y.split('"').next().unwrap().parse().unwrap()
    };
    assert!(top_of(&svg, "a") < top_of(&svg, "b"));
    let up = picture(true);
    assert!(top_of(&up, "a") > top_of(&up, "b"));
}

#[test]
fn idle_time_is_where_nothing_is_on_the_tracks() {
    let (session, document) = open();
    let [one, two] = ["one", "two"].map(|name| number(&session, document, name));
    let idle = |tracks: Value, limit: u32| {
        let params = json!({"document": document, "tracks": tracks, "limit": limit});
        result(&session, "idle", params)["stretches"].clone()
    };
    assert_eq!(idle(json!([one, two]), 9), json!([]));
    // Its span ends at 50 µs, its marks are at 60 and 70.
    let stretches = json!([[50_000.0, 60_000.0], [60_000.0, 70_000.0], [70_000.0, 100_000.0]]);
    assert_eq!(idle(json!([two]), 9), stretches);
    assert_eq!(idle(json!([two]), 1), json!([[70_000.0, 100_000.0]]));
    assert_eq!(idle(json!([]), 9), json!([[0.0, 100_000.0]]));
    let params = json!({"document": document, "tracks": [99], "limit": 9});
    assert_eq!(ask(&session, "idle", params).unwrap_err(), ErrorCode::BadRequest);
}

#[test]
fn gaps_by_name_lead_to_the_longest_and_the_span_that_ends_it() {
    let (session, document) = open();
    let rows =
        |filters: Value| table(&session, document, filters, Wanted("gaps", None, false, ""), 9);
    let found = rows(json!([]));
    assert_eq!(found["total"], 1);
    let row = cells(&found, 0, ["name", "count", "total_ns", "longest_ns"]);
    assert_eq!(row, [json!("b"), json!(1), json!(10_000), json!(10_000)]);
    let one = number(&session, document, "one");
    let [place] = cells(&found, 0, ["place"]);
    assert_eq!((&place["track"], &place["row"]), (&json!(one), &json!(1)));
    assert_eq!((&place["begin"], &place["length"]), (&json!(40_000.0), &json!(10_000.0)));
    let span = place["span"].as_u64().unwrap() - 1;
    let params = json!({"view": view(document, json!([])), "span": span});
    assert_eq!(result(&session, "span", params)["begin"], 50_000.0);
    // A gap that the range cuts is none.
    assert_eq!(rows(json!([{"kind": "time", "pattern": "45us.."}]))["total"], 0);
}

#[test]
fn concurrency_has_a_chart_of_every_row() {
    let (session, document) = open();
    let found = table(&session, document, json!([]), Wanted("concurrency", None, false, ""), 9);
    let texts: Vec<_> = (0..3).map(|row| cells(&found, row, ["kind", "name", "peak"])).collect();
    let expected = [
        [json!("threads"), json!("hive (1)"), json!(2)],
        [json!("spans"), json!("a"), json!(2)],
        [json!("spans"), json!("b"), json!(1)],
    ];
    assert_eq!((texts.as_slice(), height(&found)), (&expected[..], 3));
    assert_eq!(cells(&found, 0, ["mean"]), [json!(1.5)]);
    let chart = |row: &Value, cells: u32| {
        let params = json!({"view": view(document, json!([])), "row": row, "from": 0.0,
            "to": 100_000.0, "cells": cells});
        ask(&session, "concurrency_chart", params)
    };
    let ids = &found["ids"];
    let of_threads = chart(&ids[0], 4).unwrap();
    assert_eq!(column(&of_threads, "most"), [2.0, 2.0, 1.0, 1.0]);
    assert_eq!(of_threads.result["most"], 2.0);
    assert_eq!(of_threads.result["title"], "threads of hive (1)");
    // b runs from 10 to 40 and from 50 to 60 µs.
    assert_eq!(column(&chart(&ids[2], 4).unwrap(), "mean"), [0.6, 0.6, 0.4, 0.0]);
    assert_eq!(chart(&ids[0], 5000).unwrap_err(), ErrorCode::BadRequest);
    assert_eq!(chart(&json!("lane 4000000"), 2).unwrap_err(), ErrorCode::BadRequest);
}

#[test]
fn the_critical_path_is_listed_and_drawn() {
    let (session, document) = open();
    let drawn = |filters: Value| {
        ask(&session, "critical_path", json!({"view": view(document, filters)})).unwrap()
    };
    let path = |sort: Option<&'static str>, filter| {
        let wanted = Wanted("critical_path", sort, false, filter);
        table(&session, document, json!([]), wanted, 2)
    };
    let found = drawn(json!([]));
    assert_eq!(found.result["span"]["name"], "a");
    assert_eq!(found.result["stretches"], 5);
    assert_eq!(column(&found, "begin"), [0.0, 10_000.0, 40_000.0, 50_000.0, 60_000.0]);
    assert_eq!(column(&found, "row"), [0.0, 1.0, 0.0, 1.0, 0.0]);
    let longest = path(Some("time_ns"), "");
    assert_eq!((height(&longest), &longest["total"]), (2, &json!(5)));
    let [name, begin, place] = cells(&longest, 0, ["name", "begin_ns", "place"]);
    assert_eq!((name, begin, &longest["ids"][0]), (json!("a"), json!(60_000), &json!("4")));
    assert_eq!(place["begin"], 60_000.0);
    let notes = longest["notes"].as_array().unwrap();
    assert!(notes[0].as_str().unwrap().contains("no flow events"), "{notes:?}");
    assert_eq!(path(None, "^b$")["total"], 2);
    let none = drawn(json!([{"kind": "focus", "pattern": "nothing"}]));
    assert_eq!((&none.result["span"], column(&none, "begin").len()), (&Value::Null, 0));
}

/// Two threads take turns on a processor, times in microseconds.
#[test]
fn states_of_threads_add_up_to_the_time_that_counts() {
    let session = Session::new(Box::new(Nothing), ReadOptions::default());
    let switch = |at: u32, (from, id, state): (&str, u32, &str), (to, next): (&str, u32)| {
        format!(
            "{from} {id} [000] 5.{at:06}: sched:sched_switch: prev_comm={from} prev_pid={id} \
             prev_prio=120 prev_state={state} ==> next_comm={to} next_pid={next} next_prio=120\n"
        )
    };
    let text = [
        switch(0, ("swapper", 0, "R"), ("a", 1)),
        switch(10, ("a", 1, "R+"), ("b", 2)),
        switch(40, ("b", 2, "S"), ("a", 1)),
        switch(100, ("a", 1, "S"), ("swapper", 0)),
    ];
    let document = upload(&session, "switched.perf-script", text.concat().into_bytes());
    assert!(lists(&session, document).contains(&"thread_states".to_owned()));
    let states = |filters: Value, sort, filter| {
        table(&session, document, filters, Wanted("thread_states", sort, false, filter), 2)
    };
    let bars = |filters: Value, filter: &str| {
        let params = json!({"view": view(document, filters), "filter": filter});
        result(&session, "thread_bars", params)
    };
    let all = states(json!([]), Some("time_ns"), "");
    assert_eq!(height(&all), 2);
    let [thread, state, time, share, count, place] =
        cells(&all, 0, ["name", "state", "time_ns", "share", "count", "place"]);
    assert_eq!((thread, state), (json!("a (1)"), json!("running")));
    assert_eq!((time, share, count), (json!(70_000), json!(0.7), json!(2)));
    assert_eq!(place["begin"], 40_000.0);
    let all = bars(json!([]), "");
    assert_eq!((&all["total"], all["threads"].as_array().unwrap().len()), (&json!(2), 2));
    for bar in all["threads"].as_array().unwrap() {
        let parts = bar["parts"].as_array().unwrap();
        let sum: f64 = parts.iter().map(|part| part["time"].as_f64().unwrap()).sum();
        assert_eq!(sum, 100_000.0, "{bar}");
    }
    let range = || json!([{"kind": "time", "pattern": "5us..25us"}]);
    let part = states(range(), None, "^a");
    let parts = [0, 1].map(|row| cells(&part, row, ["time_ns"]));
    assert_eq!(parts, [[json!(15_000)], [json!(5_000)]]);
    assert_eq!(bars(range(), "^a")["total"], 1);
    // Spans alone tell nothing of states.
    let (session, document) = open();
    assert!(!lists(&session, document).contains(&"thread_states".to_owned()));
    let nothing = table(&session, document, json!([]), Wanted("thread_states", None, false, ""), 9);
    assert_eq!(nothing["total"], 0);
}
