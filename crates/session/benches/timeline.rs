//! How long the engine takes to answer what a person does in the timeline and the heat map, on ten million
//! events: `cargo xtask bench-data --recordings && cargo bench -p session --bench timeline`.
//!
//! Prints the first answer on a freshly opened document, the median and the slowest of those after it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints and fails by panicking"
)]

use std::time::Instant;

use protocol::{
    DocumentParams, Filter, FilterKind, FlameParams, Granularity, HeatParams, LabelBy, LanesParams,
    LanesWanted, Order, ProfileRequest, Progress, Shape, ViewSpec,
};
use session::{Call, Host, Input, ReadOptions, Session};

struct Files;

impl Host for Files {
    fn open(&self, path: &str) -> std::io::Result<Input> {
        Ok(Input::File(Box::new(std::fs::File::open(path)?), None))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

struct Silent;

impl Call for Silent {
    fn progress(&self, _: Progress) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}

fn view(range: Option<[f64; 2]>) -> ViewSpec {
    let filters = range.map(|[from, to]| Filter {
        kind: FilterKind::Time,
        pattern: format!("{}ns..{}ns", from as i64, to as i64),
    });
    ViewSpec {
        document: 0,
        metric: 0,
        shape: Shape::TopDown {},
        granularity: Granularity::Function,
        filters: filters.into_iter().collect(),
        order: Order::Value,
        collapse_recursion: protocol::Collapse::None,
        role: None,
    }
}

fn flame(range: [f64; 2]) -> ProfileRequest {
    ProfileRequest::Flame(FlameParams {
        view: view(Some(range)),
        instance: None,
        root: 0,
        from: 0.0,
        to: 1.0,
        width: 1400.0,
        first_row: 0,
        rows: 60,
        search: String::new(),
        labels: LabelBy::Function,
    })
}

/// Where a person looks: all of it, then closer and closer at several places.
fn windows(length: f64) -> Vec<[f64; 2]> {
    let mut windows = vec![];
    for zoom in 0..9 {
        let wide = length / 4f64.powi(zoom);
        for place in [0.1, 0.37, 0.63, 0.9] {
            let from = (length - wide) * place;
            windows.push([from, from + wide]);
        }
    }
    windows
}

fn measure(name: &str, session: &Session, requests: impl IntoIterator<Item = ProfileRequest>) {
    let mut times: Vec<f64> = requests
        .into_iter()
        .map(|request| {
            let started = Instant::now();
            session.answer(request, vec![], &Silent).unwrap();
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("| {name} | {first:.1} | {median:.1} | {slowest:.1} |");
}

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench-data");
    println!("| answer | first, ms | median, ms | slowest, ms |");
    println!("|---|---:|---:|---:|");
    for file in ["trace-10m.json", "samples-10m.perf"] {
        let path = format!("{folder}/{file}");
        if !std::path::Path::new(&path).exists() {
            println!("no {file}: run `cargo xtask bench-data --recordings` first");
            continue;
        }
        let session = Session::new(Box::new(Files), ReadOptions::default());
        session.add(&path);
        session.load(0);
        let request = ProfileRequest::Tracks(DocumentParams { document: 0 });
        let started = Instant::now();
        let answer = session.answer(request, vec![], &Silent).unwrap();
        println!("| {file}: tracks | {:.1} | | |", started.elapsed().as_secs_f64() * 1e3);
        let result = serde_json::to_value(&answer.result).unwrap();
        let length = result["length"].as_f64().unwrap();
        let origin = result["origin"].as_f64().unwrap();
        let tracks: Vec<u32> = (0..result["tracks"].as_array().unwrap().len() as u32).collect();
        let lanes = |rows: u32, [from, to]: [f64; 2]| {
            let wanted = |&track| LanesWanted { track, first_row: 0, rows, group: false };
            ProfileRequest::Lanes(LanesParams {
                view: view(None),
                from,
                to,
                width: 2400.0,
                tracks: tracks.iter().map(wanted).collect(),
                search: String::new(),
            })
        };
        let all = || windows(length);
        measure(
            &format!("{file}: folded tracks, zooming in"),
            &session,
            all().into_iter().map(|window| lanes(0, window)),
        );
        measure(
            &format!("{file}: all rows of all tracks"),
            &session,
            all().into_iter().map(|window| lanes(200, window)),
        );
        let from_start = |[from, to]: [f64; 2]| [origin + from, origin + to];
        measure(
            &format!("{file}: flame graph of a range"),
            &session,
            all().into_iter().skip(4).step_by(3).map(|window| flame(from_start(window))),
        );
        let heat = |cells: u32| {
            let cell = (length / f64::from(cells)).ceil().max(1.0);
            ProfileRequest::Heat(HeatParams { view: view(None), from: 0.0, cell, cells })
        };
        measure(&format!("{file}: heat map"), &session, [5_000, 6_000, 10_000].map(heat));
    }
}
