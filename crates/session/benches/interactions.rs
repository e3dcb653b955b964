//! How long the engine takes to answer what a person does, on a profile of a million contexts:
//! `cargo xtask bench-data --sizes million && cargo bench -p session`.
//!
//! Prints the median of several documents opened anew (from data to derive) and of repeated
//! requests (from data already derived), in milliseconds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints and fails by panicking"
)]

use std::io::Cursor;
use std::time::Instant;

use protocol::{
    Filter, FilterKind, FlameParams, Granularity, LabelBy, NodeParams, Order, ProfileRequest,
    Progress, RowsParams, SearchParams, Shape, Sort, SortBy, ViewSpec,
};
use session::{Call, CompareOptions, Host, Input, ReadOptions, Session};

struct File(Vec<u8>);

impl Host for File {
    fn open(&self, _: &str) -> std::io::Result<Input> {
        Ok(Input::File(Box::new(Cursor::new(self.0.clone())), None))
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

/// Time, and in a comparison both sides' time.
const TIME: u32 = 1;
const TIME_OF_BOTH: u32 = 5;

fn view(shape: Shape, filters: Vec<Filter>) -> ViewSpec {
    ViewSpec {
        document: 0,
        metric: TIME,
        shape,
        granularity: Granularity::Function,
        filters,
        order: Order::Value,
        collapse_recursion: protocol::Collapse::None,
        role: None,
    }
}

fn flame(
    shape: Shape,
    filters: Vec<Filter>,
    (from, to): (f64, f64),
    search: &str,
) -> ProfileRequest {
    ProfileRequest::Flame(FlameParams {
        view: view(shape, filters),
        instance: None,
        root: 0,
        from,
        to,
        width: 1400.0,
        first_row: 0,
        rows: 60,
        search: search.to_owned(),
        labels: LabelBy::Function,
    })
}

fn main() {
    const ROUNDS: usize = 5;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench-data/million.pb.gz");
    let Ok(bytes) = std::fs::read(path) else {
        println!("no bench data: run `cargo xtask bench-data --sizes million` first");
        return;
    };
    let whole = (0.0, 1.0);
    let focus = || vec![Filter { kind: FilterKind::Focus, pattern: "alloc|json".to_owned() }];
    let rows = |shape| {
        ProfileRequest::Rows(RowsParams {
            view: view(shape, vec![]),
            instance: None,
            root: 0,
            expanded: vec![],
            sort: Sort { by: SortBy::TotalValue, metric: 1, reverse: false },
            filter: String::new(),
            first: 0,
            count: 60,
        })
    };
    let compared = |shape| {
        let ProfileRequest::Flame(mut flame) = flame(shape, vec![], whole, "") else {
            unreachable!()
        };
        flame.view.metric = TIME_OF_BOTH;
        ProfileRequest::Flame(flame)
    };
    let cases: Vec<(&str, ProfileRequest)> = vec![
        ("flame graph, top-down", flame(Shape::TopDown {}, vec![], whole, "")),
        ("flame graph, bottom-up", flame(Shape::BottomUp {}, vec![], whole, "")),
        ("flame graph, flat", flame(Shape::Flat {}, vec![], whole, "")),
        ("flame graph, focus filter", flame(Shape::TopDown {}, focus(), whole, "")),
        ("flame graph, a tenth of the width", flame(Shape::TopDown {}, vec![], (0.3, 0.4), "")),
        ("flame graph, highlighted", flame(Shape::TopDown {}, vec![], whole, "alloc")),
        (
            "search with its share",
            ProfileRequest::Search(SearchParams {
                view: view(Shape::TopDown {}, vec![]),
                pattern: "alloc".to_owned(),
            }),
        ),
        ("table, top-down", rows(Shape::TopDown {})),
        ("table, flat", rows(Shape::Flat {})),
        (
            "details of the program",
            ProfileRequest::Details(NodeParams {
                view: view(Shape::TopDown {}, vec![]),
                instance: None,
                node: 0,
            }),
        ),
        ("comparison with itself, top-down", compared(Shape::TopDown {})),
        ("comparison with itself, bottom-up", compared(Shape::BottomUp {})),
        ("comparison with itself, flat", compared(Shape::Flat {})),
    ];
    let mut first = vec![vec![]; cases.len()];
    let mut again = vec![vec![]; cases.len()];
    for _ in 0..ROUNDS {
        for (case, (name, request)) in cases.iter().enumerate() {
            let session = Session::new(Box::new(File(bytes.clone())), ReadOptions::default());
            let file = || vec!["million.pb.gz".to_owned()];
            if name.starts_with("comparison") {
                session.add_compared(&file(), &file(), CompareOptions::default())
            } else {
                session.add("million.pb.gz")
            };
            session.load(0);
            let answer = |into: &mut Vec<f64>| {
                let request = request.clone();
                let started = Instant::now();
                session.answer(request, vec![], &Silent).unwrap();
                into.push(started.elapsed().as_secs_f64() * 1e3);
            };
            answer(&mut first[case]);
            answer(&mut again[case]);
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    println!("| interaction | to derive, ms | derived, ms |");
    println!("|---|---:|---:|");
    for (case, (name, _)) in cases.iter().enumerate() {
        println!("| {name} | {:.1} | {:.1} |", median(&mut first[case]), median(&mut again[case]));
    }
}
