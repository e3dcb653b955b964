//! Runs against runs: whatever side is shown, the same is said of them.

use std::path::PathBuf;

use protocol::*;

use super::page::{Page, flame, view};
use super::{Server, sample};

/// Five runs before and five after; gives the comparison.
fn compared(page: &mut Page, normalise: Normalise) -> (u32, ComparisonInfo) {
    let compare = CompareParams {
        base: (0..5).collect(),
        new: (5..10).collect(),
        by_age: false,
        normalise,
        noise: 0.0,
        filters: None,
    };
    let (opened, _) = page.call::<serde_json::Value>(ProfileRequest::Compare(compare));
    let document = opened["document"].as_u64().unwrap() as u32;
    (document, page.summary(document).0.comparison.unwrap())
}

fn server() -> Server {
    let runs = |side: &'static str| (1..=5).map(move |run| format!("runs/{side}-{run}.pb.gz"));
    let files: Vec<PathBuf> =
        runs("before").chain(runs("after")).map(|name| sample(&name)).collect();
    Server::start(&files)
}

fn sides(metric: &ComparedMetric) -> [u32; 4] {
    [metric.both, metric.base, metric.new, metric.change]
}

#[test]
fn the_difference_of_runs_is_the_same_whatever_side_is_shown() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Absolute {});
    for metric in &info.metrics {
        let mut told = vec![];
        for side in sides(metric) {
            let view = ViewSpec { metric: side, ..view(document) };
            let asked = NodeParams { view, instance: None, node: 0 };
            let (spread, columns) =
                page.call::<DistributionResult>(ProfileRequest::Distribution(asked));
            assert!(columns.i64("total_value").iter().all(|&total| total > 0), "a side is missing");
            told.push((spread.metric, spread.interval));
        }
        assert!(told.windows(2).all(|two| two[0] == two[1]), "{told:?}");
        let interval = told.swap_remove(0).1.unwrap();
        assert!(interval.low < interval.estimate && interval.high < 0.0, "{interval:?}");
    }
}

#[test]
fn a_function_is_judged_alike_in_the_list_and_on_its_own() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Absolute {});
    let metric = info.metrics[0].both;
    let view = ViewSpec { metric, ..view(document) };
    let list = FunctionsParams {
        view: view.clone(),
        metrics: vec![info.metrics[0].change],
        sort: Sort { by: SortBy::TotalValue, metric: info.metrics[0].change, reverse: false },
        filter: String::new(),
        direction: None,
        first: 0,
        count: 40,
    };
    let (list, _) = page.call::<FunctionsResult>(ProfileRequest::Functions(list));
    let mut tested = 0;
    for row in list.rows {
        let shape = Shape::Callees { key: row.key };
        let view = ViewSpec { shape, ..view.clone() };
        let asked = NodeParams { view, instance: None, node: 0 };
        let (alone, _) = page.call::<DetailsResult>(ProfileRequest::Details(asked));
        let change = alone.change.unwrap();
        assert_eq!((Some(change.tag), change.adjusted), (row.tag, row.adjusted), "{}", row.name);
        assert_eq!(row.interval.is_some(), row.adjusted.is_some(), "{}", row.name);
        tested += usize::from(change.adjusted.is_some());
    }
    assert!((5..40).contains(&tested), "{tested} were tested");
}

#[test]
fn pictures_tell_both_sides_in_their_own_unit() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Absolute {});
    let titles: Vec<String> = sides(&info.metrics[0])
        .into_iter()
        .map(|metric| {
            let picture = ExportSvgParams {
                view: ViewSpec { metric, ..view(document) },
                instance: None,
                root: 0,
                width: 1_200.0,
                theme: ThemeName::Light,
                colour: ColourBy::Change,
                search: String::new(),
                labels: LabelBy::Function,
            };
            let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(picture));
            let title = svg.text.split("<title>").nth(1).unwrap();
            title.lines().nth(1).unwrap().to_owned()
        })
        .collect();
    assert!(titles.windows(2).all(|two| two[0] == two[1]), "{titles:?}");
    assert!(titles[0].contains(" to "), "{titles:?}");
}

#[test]
fn changes_that_runs_do_not_show_are_hatched() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Absolute {});
    let view = ViewSpec { metric: info.metrics[0].both, ..view(document) };
    let (drawn, boxes) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view.clone())));
    let (mut unsure, mut shown) = (0, 0);
    for at in 0..boxes.u32("node").len() {
        if boxes.u32("merged")[at] > 0 {
            continue;
        }
        let node = boxes.u32("node")[at];
        let asked = NodeParams { view: view.clone(), instance: Some(drawn.instance), node };
        let (details, _) = page.call::<DetailsResult>(ProfileRequest::Details(asked));
        let change = details.change.unwrap();
        let is_open = change.verdict.unwrap().verdict == ChangeVerdict::Unknown;
        let is_unsure = is_open && change.tag != ChangeTag::Unchanged;
        let is_hatched = boxes.u32("flags")[at] & FlameFlag::UNSURE != 0;
        assert_eq!(is_hatched, is_unsure, "{}", details.name);
        unsure += usize::from(is_unsure);
        shown += usize::from(!is_open);
    }
    assert!(unsure > 3 && shown > 3, "{unsure} {shown}");
    // And in a saved picture.
    let picture = ExportSvgParams {
        view: view.clone(),
        instance: None,
        root: 0,
        width: 1e6,
        theme: ThemeName::Light,
        colour: ColourBy::Change,
        search: String::new(),
        labels: LabelBy::Function,
    };
    let by_module = ExportSvgParams { colour: ColourBy::Module, ..picture.clone() };
    let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(picture));
    let hatched = svg.text.matches("url(#unsure)").count();
    assert!(hatched >= unsure, "{hatched} of {unsure}");
    assert!(svg.text.contains("[+?] unknown") && svg.text.contains(">[-?] "));
    let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(by_module));
    assert!(!svg.text.contains("url(#unsure)"));
    // One run a side shows what was measured.
    let compare = CompareParams {
        base: vec![0],
        new: vec![5],
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: None,
    };
    let single = page.call::<OpenedResult>(ProfileRequest::Compare(compare)).0.document;
    let (_, boxes) =
        page.call::<FlameResult>(ProfileRequest::Flame(flame(super::page::view(single))));
    assert!(boxes.u32("flags").iter().all(|flags| flags & FlameFlag::UNSURE == 0));
}

#[test]
fn what_is_brought_to_one_total_has_not_changed_in_all() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Total {});
    let view = ViewSpec { metric: info.metrics[0].both, ..view(document) };
    let asked = NodeParams { view, instance: None, node: 0 };
    let (whole, _) = page.call::<DetailsResult>(ProfileRequest::Details(asked));
    assert_eq!(whole.change.unwrap().tag, ChangeTag::Unchanged);
}

#[test]
fn functions_are_sorted_and_written_by_what_runs_say() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Absolute {});
    let metric = &info.metrics[0];
    let asked = |by, reverse| FunctionsParams {
        view: ViewSpec { metric: metric.both, ..view(document) },
        metrics: vec![metric.change, metric.base, metric.new, metric.ratio],
        sort: Sort { by, metric: metric.change, reverse },
        filter: String::new(),
        direction: None,
        first: 0,
        count: 1_000,
    };
    let mut list = |by, reverse| -> Vec<(Option<f64>, Option<f64>)> {
        let asked = asked(by, reverse);
        let (list, _) = page.call::<FunctionsResult>(ProfileRequest::Functions(asked));
        let least = |interval: IntervalInfo| interval.low.max(0.0) - interval.high.min(0.0);
        list.rows.into_iter().map(|row| (row.adjusted, row.interval.map(least))).collect()
    };
    for reverse in [false, true] {
        let by_verdict = list(SortBy::Verdict, reverse);
        let tested = by_verdict.iter().take_while(|row| row.0.is_some()).count();
        assert!(tested > 5 && by_verdict[tested..].iter().all(|row| row.0.is_none()));
        let p: Vec<f64> = by_verdict[..tested].iter().filter_map(|row| row.0).collect();
        assert!(p.first() != p.last(), "all are alike");
        assert!(p.is_sorted_by(|a, b| if reverse { a >= b } else { a <= b }), "{p:?}");
        let by_interval = list(SortBy::Interval, reverse);
        let least: Vec<f64> = by_interval[..tested].iter().map(|row| row.1.unwrap()).collect();
        assert!(least.first() != least.last(), "all are alike");
        assert!(least.is_sorted_by(|a, b| if reverse { a <= b } else { a >= b }), "{least:?}");
    }
    let asked = asked(SortBy::Interval, false);
    let (csv, _) = page.call::<TextResult>(ProfileRequest::ExportFunctionsCsv(asked));
    let mut lines = csv.text.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |head: &str| heads.iter().position(|known| *known == head).unwrap();
    let of =
        |head: &str, line: &str| -> String { line.split(',').nth(at(head)).unwrap().to_owned() };
    for side in ["base", "new", "change", "ratio"] {
        assert!(heads.iter().any(|head| head.contains(&format!("({side}) total"))), "{heads:?}");
    }
    let unit = "(count)";
    let first = lines.next().unwrap();
    let [low, high] = ["low", "high"]
        .map(|end| of(&format!("interval {end} {unit}"), first).parse::<f64>().unwrap());
    assert!(low < high && (low > 0.0) == (high > 0.0), "{first}");
    assert!(["more", "less"].contains(&&*of("verdict", first)), "{first}");
    assert!(of("p", first).parse::<f64>().unwrap() <= 0.05);
    let last = csv.text.lines().last().unwrap();
    assert_eq!((of("verdict", last), of("p", last)), ("unknown".to_owned(), String::new()));
}
