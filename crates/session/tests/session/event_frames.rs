//! Events by function and module, of recordings whose every figure is known.

use session::{
    Collector, EventReport, EventsBy, Filter, FilterKind, FrameLimits, Input, ProfileDocument,
    ReadOptions, ViewOptions, Watch, compare_events, events, events_of_both, events_of_frames,
};
use std::io::Read;

struct Unseen;

impl Watch for Unseen {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

/// Samples: event, period, and functions from the innermost out, with their modules.
fn document(samples: &[(&str, u64, &[&str])]) -> ProfileDocument {
    let mut text = String::new();
    for (number, (event, period, stack)) in (1..).zip(samples) {
        text += &format!("prog    8 [000]     1.{number:06}:    {period} {event}: \n");
        for function in *stack {
            text += &format!("\t            1000 {function}\n");
        }
        text += "\n";
    }
    let options = ReadOptions::default();
    let mut collector = Collector::new(&options);
    let input = Input::File(Box::new(std::io::Cursor::new(text.into_bytes())), None);
    collector.add(input, &Unseen, "run").unwrap();
    collector.finish("run")
}

const MAIN: &str = "main (/bin/prog)";
const WALK: &str = "walk (/bin/prog)";
const COPY: &str = "copy (/bin/prog)";
const OTHER_COPY: &str = "copy (/lib/other.so)";

fn recording() -> ProfileDocument {
    document(&[
        ("cycles", 100, &[WALK, WALK, MAIN]),
        ("cycles", 200, &[COPY, WALK, WALK, MAIN]),
        ("cycles", 700, &[OTHER_COPY, MAIN]),
        ("instructions", 300, &[WALK, WALK, MAIN]),
        ("instructions", 100, &[COPY, WALK, MAIN]),
        ("instructions", 70, &[OTHER_COPY, MAIN]),
    ])
}

fn limits(by: &str, is_total: bool, limit: usize) -> FrameLimits {
    let by: EventsBy = by.parse().unwrap();
    let EventsBy::Frames(by) = (if is_total { by.total() } else { by }) else { panic!("{by}") };
    FrameLimits { by, limit }
}

fn values_by_frame<'r>(report: &'r EventReport, name: &str) -> Vec<(&'r str, f64)> {
    let rows = report.rows.iter().filter(|row| row.name == name);
    rows.map(|row| (&*row.group, row.median().unwrap())).collect()
}

fn report(document: &ProfileDocument, limits: FrameLimits) -> EventReport {
    events_of_frames(document, &ViewOptions::default(), limits).unwrap()
}

#[test]
fn functions_are_in_the_order_of_the_first_event() {
    let document = recording();
    let own = report(&document, limits("function", false, usize::MAX));
    let first = [("copy [other.so]", 700.0), ("copy [prog]", 200.0), ("walk", 100.0)];
    assert_eq!(values_by_frame(&own, "cycles"), first);
    let ratios = [("copy [other.so]", 0.1), ("copy [prog]", 0.5), ("walk", 3.0)];
    assert_eq!(values_by_frame(&own, "IPC"), ratios);
    let default = events(&document, &ViewOptions::default(), "function".parse().unwrap()).unwrap();
    assert_eq!(values_by_frame(&default, "cycles"), first);
    let modules = report(&document, limits("module", false, usize::MAX));
    assert_eq!(values_by_frame(&modules, "cycles"), [("other.so", 700.0), ("prog", 300.0)]);
}

#[test]
fn a_sample_counts_once_in_each_function_on_its_stack() {
    let all = report(&recording(), limits("function", true, usize::MAX));
    let cycles =
        [("main", 1000.0), ("copy [other.so]", 700.0), ("walk", 300.0), ("copy [prog]", 200.0)];
    assert_eq!(values_by_frame(&all, "cycles"), cycles);
    assert_eq!(values_by_frame(&all, "IPC")[2], ("walk", 400.0 / 300.0));
}

#[test]
fn what_a_limit_leaves_out_is_counted_and_filters_apply() {
    let document = recording();
    let largest = report(&document, limits("function", true, 2));
    assert_eq!(values_by_frame(&largest, "cycles"), [("main", 1000.0), ("copy [other.so]", 700.0)]);
    assert_eq!(largest.left_out, 2);
    let options = |kind, pattern: &str| ViewOptions {
        filters: vec![Filter { kind, pattern: pattern.into() }],
        ..ViewOptions::default()
    };
    let all = limits("function", false, usize::MAX);
    let focused = events_of_frames(&document, &options(FilterKind::Focus, "walk"), all).unwrap();
    assert_eq!(values_by_frame(&focused, "cycles"), [("copy [prog]", 200.0), ("walk", 100.0)]);
    let hidden = events_of_frames(&document, &options(FilterKind::Hide, "copy"), all).unwrap();
    assert_eq!(values_by_frame(&hidden, "cycles"), [("main", 700.0), ("walk", 300.0)]);
}

#[test]
fn reports_what_has_no_stack() {
    let document = document(&[("cycles", 100, &[WALK, MAIN]), ("cycles", 900, &[])]);
    for is_total in [false, true] {
        let all = report(&document, limits("function", is_total, usize::MAX));
        assert_eq!(values_by_frame(&all, "cycles")[0], ("(no stack)", 900.0));
        assert!(values_by_frame(&all, "cycles").contains(&("walk", 100.0)));
    }
}

#[test]
fn both_sides_tell_the_same_functions() {
    let base = document(&[("cycles", 500, &[WALK]), ("cycles", 10, &[COPY])]);
    let new = document(&[
        ("cycles", 5, &[WALK]),
        ("cycles", 400, &[COPY]),
        ("cycles", 300, &[OTHER_COPY]),
        ("cycles", 1, &[MAIN]),
    ]);
    let options = ViewOptions::default();
    let asked = limits("function", false, 2);
    let [one, other] = events_of_both((&base, &options), (&new, &options), asked).unwrap();
    assert_eq!(values_by_frame(&one, "cycles"), [("walk", 500.0), ("copy [prog]", 10.0)]);
    assert_eq!(values_by_frame(&other, "cycles"), [("walk", 5.0), ("copy [prog]", 400.0)]);
    assert_eq!((one.left_out, other.left_out), (2, 2));
    let changes = compare_events(&one, &other);
    let ratios: Vec<_> = changes.rows.iter().map(|change| change.ratio.unwrap()).collect();
    assert_eq!(ratios, [0.01, 40.0]);
}
