//! Runs against runs: whatever side is shown, the same is said of them.

use std::path::PathBuf;

use protocol::*;

use super::page::{Page, view};
use super::{Server, sample};

/// Five runs before and five after; gives the comparison.
fn compared(page: &mut Page, normalise: Normalise) -> (u32, ComparisonInfo) {
    let compare = CompareParams {
        base: (0..5).collect(),
        new: (5..10).collect(),
        by_age: false,
        normalise,
        noise: 0.0,
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
fn what_is_brought_to_one_total_has_not_changed_in_all() {
    let server = server();
    let mut page = server.page();
    let (document, info) = compared(&mut page, Normalise::Total {});
    let view = ViewSpec { metric: info.metrics[0].both, ..view(document) };
    let asked = NodeParams { view, instance: None, node: 0 };
    let (whole, _) = page.call::<DetailsResult>(ProfileRequest::Details(asked));
    assert_eq!(whole.change.unwrap().tag, ChangeTag::Unchanged);
}
