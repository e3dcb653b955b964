//! The list of functions, and where what is searched for stands.

use std::collections::{BTreeSet, HashMap};

use protocol::*;

use super::page::{Numbers, Page, flame, rows, view};
use super::{Server, sample};

fn functions(view: ViewSpec, by: SortBy) -> FunctionsParams {
    let metric = view.metric;
    FunctionsParams {
        view,
        metrics: vec![metric],
        sort: Sort { by, metric, reverse: false },
        filter: String::new(),
        direction: None,
        first: 0,
        count: 10_000,
    }
}

fn find(view: ViewSpec, pattern: &str) -> FindParams {
    let pattern = pattern.to_owned();
    FindParams { view, instance: None, root: 0, pattern, function: None, limit: 10_000 }
}

/// All boxes of a flame graph, none merged, by node.
fn boxes(page: &mut Page, view: ViewSpec, search: &str) -> (FlameResult, Numbers) {
    let search = search.to_owned();
    let all = FlameParams { width: 1e9, rows: 4_000, search, ..flame(view) };
    page.call(ProfileRequest::Flame(all))
}

#[test]
fn what_is_found_stands_where_it_is_drawn() {
    let server = Server::start(&[sample("pprof/cpu.pb.gz")]);
    let mut page = server.page();
    for shape in [Shape::TopDown {}, Shape::BottomUp {}] {
        let view = ViewSpec { shape, ..view(0) };
        let (_, drawn) = boxes(&mut page, view.clone(), "runtime");
        assert!(drawn.u32("merged").iter().all(|&merged| merged == 0));
        let mut wanted: Vec<(u32, u32, f64, f64)> = (0..drawn.u32("node").len())
            .filter(|&index| drawn.u32("flags")[index] & FlameFlag::MATCHES != 0)
            .map(|index| {
                let [node, row] = ["node", "row"].map(|name| drawn.u32(name)[index]);
                (node, row, drawn.f64("x")[index], drawn.f64("width")[index])
            })
            .collect();
        wanted.sort_by(|a, b| b.3.total_cmp(&a.3).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2)));
        assert!(wanted.len() > 300, "{} matches", wanted.len());
        let (result, found) =
            page.call::<FindResult>(ProfileRequest::Find(find(view.clone(), "runtime")));
        let places: Vec<(u32, u32, f64, f64)> = (0..found.u32("node").len())
            .map(|index| {
                let [node, row] = ["node", "row"].map(|name| found.u32(name)[index]);
                (node, row, found.f64("x")[index], found.f64("width")[index])
            })
            .collect();
        assert!(!result.more);
        assert_eq!(places, wanted);
        // The widest come first, and it is told that there are more.
        let few = FindParams { limit: 7, ..find(view, "runtime") };
        let (result, found) = page.call::<FindResult>(ProfileRequest::Find(few));
        assert!(result.more);
        let nodes: Vec<u32> = wanted.iter().take(7).map(|place| place.0).collect();
        assert_eq!(found.u32("node"), nodes);
    }
}

/// The nodes of a view that stand for a function of `document`.
fn nodes_of(page: &mut Page, view: ViewSpec, document: u32, key: u32) -> BTreeSet<u32> {
    let function = Some(FunctionRef { document, key });
    let asked = FindParams { function, ..find(view, "") };
    let (result, found) = page.call::<FindResult>(ProfileRequest::Find(asked));
    assert!(!result.more);
    found.u32("node").iter().copied().collect()
}

/// The nodes of a view by their function.
fn drawn_by_key(page: &mut Page, view: ViewSpec) -> HashMap<u32, BTreeSet<u32>> {
    let (_, drawn) = boxes(page, view, "");
    let mut nodes = HashMap::<u32, BTreeSet<u32>>::new();
    for (&key, (&node, &row)) in
        drawn.u32("key").iter().zip(drawn.u32("node").iter().zip(drawn.u32("row")))
    {
        if row > 0 {
            nodes.entry(key).or_default().insert(node);
        }
    }
    nodes
}

#[test]
fn a_function_is_found_by_its_number_where_others_have_its_name() {
    // Most functions of this program have no name.
    let server = Server::start(&[sample("cpuprofile/main.cpuprofile")]);
    let mut page = server.page();
    let asked = functions(view(0), SortBy::SelfValue);
    let (listed, _) = page.call::<FunctionsResult>(ProfileRequest::Functions(asked));
    let names: BTreeSet<&str> = listed.rows.iter().map(|row| &*row.name).collect();
    assert!(names.len() < listed.rows.len(), "names tell all functions apart");
    for shape in [Shape::TopDown {}, Shape::BottomUp {}] {
        let view = ViewSpec { shape, ..view(0) };
        let drawn = drawn_by_key(&mut page, view.clone());
        for row in &listed.rows {
            let found = nodes_of(&mut page, view.clone(), 0, row.key);
            assert_eq!(found, drawn[&row.key], "{}", row.name);
        }
    }
    // A number that no function has.
    assert_eq!(nodes_of(&mut page, view(0), 0, u32::MAX), BTreeSet::new());
    // A document that the shown one knows nothing of.
    let function = Some(FunctionRef { document: 7, key: 0 });
    let asked = FindParams { function, ..find(view(0), "") };
    page.refused(ProfileRequest::Find(asked));
}

#[test]
fn a_function_of_a_side_is_found_in_the_comparison() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let compare = CompareParams {
        base: vec![0],
        new: vec![1],
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: None,
    };
    let compared = page.call::<OpenedResult>(ProfileRequest::Compare(compare)).0.document;
    let (summary, _) = page.summary(compared);
    let metrics = summary.comparison.unwrap().metrics;
    let cpu = metrics.iter().find(|metric| metric.name == "cpu").unwrap();
    let (own_summary, _) = page.summary(0);
    let own = own_summary.metrics.iter().position(|metric| metric.name == "cpu").unwrap() as u32;
    let both = ViewSpec { metric: cpu.both, ..view(compared) };
    let drawn = drawn_by_key(&mut page, both.clone());
    for (side, total_there) in [(0, cpu.base), (1, cpu.new)] {
        let of_side = functions(ViewSpec { metric: own, ..view(side) }, SortBy::Name);
        let (listed, values) = page.call::<FunctionsResult>(ProfileRequest::Functions(of_side));
        let all =
            FunctionsParams { metrics: vec![total_there], ..functions(both.clone(), SortBy::Name) };
        let (united, there) = page.call::<FunctionsResult>(ProfileRequest::Functions(all));
        let totals: HashMap<u32, i64> =
            united.rows.iter().map(|row| row.key).zip(there.i64("total_value").to_vec()).collect();
        let mut seen = BTreeSet::new();
        for (row, &total) in listed.rows.iter().zip(values.i64("total_value")) {
            let found = nodes_of(&mut page, both.clone(), side, row.key);
            let [(key, _)] =
                drawn.iter().filter(|(_, nodes)| **nodes == found).collect::<Vec<_>>()[..]
            else {
                panic!("{} is not one function of the comparison", row.name)
            };
            assert_eq!(totals[key], total, "{}", row.name);
            assert!(seen.insert(*key), "{} is found as another function", row.name);
        }
        assert!(seen.len() > 20);
    }
}

#[test]
fn functions_have_the_self_of_their_frames_and_the_total_of_their_stacks() {
    let server = Server::start(&[sample("pprof/cpu.pb.gz")]);
    let mut page = server.page();
    let asked = functions(view(0), SortBy::SelfValue);
    let (listed, values) = page.call::<FunctionsResult>(ProfileRequest::Functions(asked));
    assert_eq!(listed.total_rows as usize, listed.rows.len());
    let own: HashMap<u32, i64> =
        listed.rows.iter().map(|row| row.key).zip(values.i64("self_value").to_vec()).collect();
    let sum: i64 = own.values().sum();
    assert_eq!(sum, values.i64("scale")[0]);
    // By self, the largest first.
    assert!(values.i64("self_value").is_sorted_by(|a, b| a >= b));
    // The first level of the tree from the innermost frames on has what functions do themselves.
    let view_up = ViewSpec { shape: Shape::BottomUp {}, ..view(0) };
    let level = RowsParams { count: 10_000, ..rows(view_up) };
    let (level, columns) = page.call::<RowsResult>(ProfileRequest::Rows(level));
    let metrics = level.metrics as usize;
    for (index, row) in level.rows.iter().enumerate() {
        assert_eq!(own[&row.key], columns.i64("total_value")[index * metrics], "{}", row.name);
    }
    assert_eq!(own.values().filter(|&&own| own != 0).count(), level.rows.len());
    // The outermost boxes of a function in the drawing have its total.
    let (_, drawn) = boxes(&mut page, view(0), "");
    let count = drawn.u32("node").len();
    let place_of: HashMap<u32, usize> =
        drawn.u32("node").iter().enumerate().map(|(place, &node)| (node, place)).collect();
    let mut totals = HashMap::<u32, i64>::new();
    for index in 0..count {
        let key = drawn.u32("key")[index];
        let mut at = index;
        let mut is_outermost = drawn.u32("row")[index] > 0;
        while is_outermost && drawn.u32("row")[at] > 1 {
            at = place_of[&drawn.u32("parent")[at]];
            is_outermost = drawn.u32("key")[at] != key;
        }
        if is_outermost {
            *totals.entry(key).or_default() += drawn.i64("total_value")[index];
        }
    }
    for (index, row) in listed.rows.iter().enumerate() {
        assert_eq!(totals[&row.key], values.i64("total_value")[index], "{}", row.name);
    }
    // The same as a file.
    let asked = functions(view(0), SortBy::SelfValue);
    let (csv, _) = page.call::<TextResult>(ProfileRequest::ExportFunctionsCsv(asked));
    let mut lines = csv.text.lines();
    assert!(lines.next().unwrap().starts_with("function,file,line,module,samples self (count),"));
    assert_eq!(lines.clone().count(), listed.rows.len());
    for (index, (line, row)) in lines.zip(&listed.rows).enumerate() {
        let [own, total] = ["self_value", "total_value"].map(|name| values.i64(name)[index]);
        assert!(line.ends_with(&format!(",{own},{total}")), "{} {line}", row.name);
    }
    // Memory has bounds: no metric is told again and again.
    let again = FunctionsParams { metrics: vec![0; 100], ..functions(view(0), SortBy::Name) };
    assert_eq!(page.refused(ProfileRequest::Functions(again)), ErrorCode::BadRequest);
    // A part of the list, by total, of what matches.
    let filter = "(*Regexp)".to_owned();
    let part =
        FunctionsParams { filter, first: 1, count: 2, ..functions(view(0), SortBy::TotalValue) };
    let (part, _) = page.call::<FunctionsResult>(ProfileRequest::Functions(part));
    assert_eq!(part.rows.len(), 2);
    assert!(part.total_rows > 3 && part.rows.iter().all(|row| row.name.contains("(*Regexp)")));
}

#[test]
fn changes_come_with_their_sign_and_the_older_is_the_base() {
    let server = Server::start(&[sample("runs/after-1.pb.gz"), sample("runs/before-1.pb.gz")]);
    let mut page = server.page();
    let compare = CompareParams {
        base: vec![0],
        new: vec![1],
        by_age: true,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: None,
    };
    let opened = page.call::<OpenedResult>(ProfileRequest::Compare(compare)).0;
    let (summary, totals) = page.summary(opened.document);
    let comparison = summary.comparison.unwrap();
    assert_eq!((&*comparison.base, &*comparison.new), ("before-1.pb.gz", "after-1.pb.gz"));
    let listed = page.documents();
    let Some(MadeBy::Compare(made_by)) = &listed[2].made_by else { panic!("{listed:?}") };
    assert_eq!((&made_by.base, &made_by.new), (&vec![1], &vec![0]));
    let time = comparison.metrics.iter().find(|metric| metric.name == "cpu").unwrap();
    let metrics = vec![time.change, time.base, time.new];
    let sort = Sort { by: SortBy::TotalValue, metric: time.change, reverse: false };
    let finer = 10i64.pow(
        summary.metrics[time.change as usize].decimals
            - summary.metrics[time.base as usize].decimals,
    );
    let all = |direction| FunctionsParams {
        metrics: metrics.clone(),
        sort,
        direction,
        ..functions(ViewSpec { metric: time.both, ..view(opened.document) }, SortBy::Name)
    };
    let mut rows_of = |direction| {
        let (listed, values) =
            page.call::<FunctionsResult>(ProfileRequest::Functions(all(direction)));
        let changes: Vec<i64> = values.i64("total_value").chunks(3).map(|row| row[0]).collect();
        for row in values.i64("total_value").chunks(3) {
            assert_eq!(row[0], (row[2] - row[1]) * finer);
        }
        assert_eq!(changes.len(), listed.rows.len());
        assert!(changes.is_sorted_by(|a, b| a.abs() >= b.abs()), "the largest change first");
        changes
    };
    let every = rows_of(None);
    let grew = rows_of(Some(ChangeDirection::Growth));
    let fell = rows_of(Some(ChangeDirection::Fall));
    assert!(grew.iter().all(|&change| change > 0) && fell.iter().all(|&change| change < 0));
    assert!(!grew.is_empty() && !fell.is_empty());
    let unchanged = every.iter().filter(|&&change| change == 0).count();
    assert_eq!(grew.len() + fell.len() + unchanged, every.len());
    assert!(totals.i64("total")[time.base as usize] > totals.i64("total")[time.new as usize]);
}
