//! A function has the numbers of the function list wherever a page shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use protocol::{
    BarsResult, Collapse, Column, ColumnData, DetailsResult, DocumentParams, FunctionsParams,
    FunctionsResult, Granularity, NodeParams, Order, ProfileRequest, RowsParams, RowsResult,
    ScatterOf, ScatterParams, ScatterResult, SearchParams, SearchResult, Shape, Sort, SortBy,
    SummaryResult, ViewSpec,
};
use serde::de::DeserializeOwned;
use session::{Host, Input, ReadOptions, Session, Silent};

/// Functions that call themselves, directly and through others.
const RECURSIVE: &str = "main;f;g;f 3
main;f 2
main;f;f;f 7
main;a;b;a;b;a 5
main;b;a 4
main;g;f;g 1
other;f 6
";

/// Files by their paths, and the recursive functions.
struct Files;

impl Host for Files {
    fn open(&self, name: &str) -> io::Result<Input> {
        if name == "recursive.collapsed" {
            return Ok(Input::File(Box::new(RECURSIVE.as_bytes()), None));
        }
        Ok(Input::File(Box::new(std::fs::File::open(name)?), None))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

/// The answer of a method.
struct Answer<R> {
    result: R,
    columns: Vec<Column>,
}

impl<R> Answer<R> {
    fn column(&self, name: &str) -> &[i64] {
        let column = self.columns.iter().find(|column| column.name == name).unwrap();
        let ColumnData::I64(numbers) = &column.data else { panic!("{name} has other numbers") };
        numbers
    }
}

fn view(document: u32, shape: Shape, granularity: Granularity) -> ViewSpec {
    ViewSpec {
        document,
        metric: 0,
        shape,
        granularity,
        filters: vec![],
        order: Order::Value,
        collapse_recursion: Collapse::None,
        role: None,
    }
}

/// A page that shows a document.
struct Page<'a> {
    session: &'a Session,
    name: String,
    view: ViewSpec,
    metrics: usize,
    /// Whether the file tells no call paths.
    is_estimated: bool,
}

impl Page<'_> {
    fn ask<R: DeserializeOwned>(&self, request: ProfileRequest) -> Answer<R> {
        let answer = self.session.answer(request, vec![], &Silent);
        let answer = answer.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let columns = answer.columns.clone();
        Answer { result: answer.into_result().unwrap(), columns }
    }

    fn shaped(&self, shape: Shape) -> ViewSpec {
        ViewSpec { shape, ..self.view.clone() }
    }

    fn functions(&self) -> FunctionsParams {
        FunctionsParams {
            view: self.view.clone(),
            metrics: (0..self.metrics as u32).collect(),
            sort: Sort { by: SortBy::TotalValue, metric: 0, reverse: false },
            filter: String::new(),
            direction: None,
            first: 0,
            count: 100_000,
        }
    }

    /// By function: its name, and self and total, a pair a metric.
    fn listed(&self) -> BTreeMap<u32, (String, Vec<[i64; 2]>)> {
        let list = self.ask::<FunctionsResult>(ProfileRequest::Functions(self.functions()));
        let [own, total] = ["self_value", "total_value"].map(|name| list.column(name));
        let of_row = |row: usize| {
            let metrics = row * self.metrics..(row + 1) * self.metrics;
            metrics.map(|at| [own[at], total[at]]).collect()
        };
        assert_eq!(list.result.rows.len(), list.result.total_rows as usize);
        let rows = list.result.rows.iter().enumerate();
        rows.map(|(row, told)| (told.key, (told.name.clone(), of_row(row)))).collect()
    }

    fn rows(&self, shape: Shape, of: Option<u32>, expanded: Vec<u32>) -> Answer<RowsResult> {
        self.ask(ProfileRequest::Rows(RowsParams {
            view: self.shaped(shape),
            instance: of,
            root: 0,
            expanded,
            sort: Sort { by: SortBy::TotalValue, metric: 0, reverse: false },
            filter: String::new(),
            first: 0,
            count: 100_000,
        }))
    }

    fn details(&self, shape: Shape, instance: Option<u32>, node: u32) -> Answer<DetailsResult> {
        let view = self.shaped(shape);
        self.ask(ProfileRequest::Details(NodeParams { view, instance, node }))
    }
}

/// Compares all places where a page shows a function's numbers with the list; gives how many
/// functions it compared.
fn compare(page: &Page<'_>) -> usize {
    let listed = page.listed();
    let name = &page.name;
    // The widest and some others; every one of a small profile.
    let mut chosen: Vec<u32> = listed.keys().copied().collect();
    chosen.sort_by_key(|key| std::cmp::Reverse(listed[key].1[0][1].saturating_abs()));
    let every = (chosen.len() / 12).max(1);
    let chosen: Vec<u32> = chosen.iter().copied().step_by(every).collect();
    for key in &chosen {
        let (function, values) = &listed[key];
        for shape in [Shape::Callers { key: *key }, Shape::Callees { key: *key }] {
            let details = page.details(shape, None, 0);
            assert_eq!(details.result.key, *key);
            let [own, total] = ["self_value", "total_value"].map(|name| details.column(name));
            let pairs: Vec<[i64; 2]> = own.iter().zip(total).map(|(a, b)| [*a, *b]).collect();
            assert_eq!(&pairs, values, "{name}: details of {function}, {shape:?}");
            assert_eq!(details.column("function"), values[0], "{name}: {function}, {shape:?}");
            if page.is_estimated {
                continue;
            }
            for edge in details.column("callers") {
                assert!(edge.abs() <= values[0][1].abs(), "{name}: a caller of {function}");
            }
            let callees = details.result.callees.iter().zip(details.column("callees"));
            for (callee, edge) in callees {
                let whole = listed.get(&callee.key).map_or(0, |(_, values)| values[0][1]);
                assert!(edge.abs() <= whole.abs(), "{name}: {} of {function}", callee.name);
            }
        }
    }
    // Whatever node is selected, the function's own numbers stand beside it.
    let roots = page.rows(Shape::TopDown {}, None, vec![]);
    let instance = Some(roots.result.instance);
    let expanded = roots.result.rows.iter().take(4).map(|row| row.node).collect();
    let rows = page.rows(Shape::TopDown {}, instance, expanded);
    for row in rows.result.rows.iter().take(12) {
        let details = page.details(Shape::TopDown {}, instance, row.node);
        // What has no value at all is not listed.
        let told = listed.get(&details.result.key).map_or([0, 0], |(_, values)| values[0]);
        assert!(details.result.estimated.iter().all(|estimated| *estimated == page.is_estimated));
        assert_eq!(details.column("function"), told, "{name}: {}", details.result.name);
    }
    for shape in [Shape::AllCallers {}, Shape::BottomUp {}] {
        let rows = page.rows(shape, None, vec![]);
        let [own, total] = ["self_value", "total_value"].map(|name| rows.column(name));
        for (at, row) in rows.result.rows.iter().enumerate() {
            let told = listed.get(&row.key).map_or([0, 0], |(_, values)| values[0]);
            let mut pair = [own, total].map(|column| column[at * page.metrics]);
            let mut wanted = told;
            if shape == (Shape::BottomUp {}) {
                wanted[1] = wanted[0];
            } else if page.is_estimated {
                // Widths of paths, which the page calls estimates.
                (pair[1], wanted[1]) = (0, 0);
            }
            assert_eq!(pair, wanted, "{name}: row of {}, {shape:?}", row.name);
        }
    }
    let bars = page.ask::<BarsResult>(ProfileRequest::Bars(FunctionsParams {
        metrics: vec![0],
        ..page.functions()
    }));
    for (at, row) in bars.result.rows.iter().enumerate() {
        let pair = ["self_value", "total_value"].map(|name| bars.column(name)[at]);
        assert_eq!(pair, listed[&row.key].1[0], "{name}: bar of {}", row.name);
    }
    let calls = ScatterParams { view: page.view.clone(), of: ScatterOf::OwnValue, most: 1000 };
    let calls = ProfileRequest::Scatter(calls);
    // Without calls there are no points.
    if page.session.answer(calls.clone(), vec![], &Silent).is_ok() {
        let points = page.ask::<ScatterResult>(calls);
        for (at, row) in points.result.rows.iter().enumerate() {
            let pair = ["self_value", "total_value"].map(|name| points.column(name)[at]);
            assert_eq!(pair, listed[&row.key].1[0], "{name}: point of {}", row.name);
        }
    }
    chosen.len()
}

/// What a search for exactly one name finds is that name's total.
fn compare_searches(page: &Page<'_>) {
    let listed = page.listed();
    // An address without a name is not text that a search looks at.
    let is_searched = |(function, values): &&(String, Vec<[i64; 2]>)| {
        values[0] != [0, 0] && !function.contains("+0x")
    };
    for (function, values) in listed.values().filter(is_searched).take(20) {
        let view = page.view.clone();
        let pattern = format!("(?-i)^{}$", analysis::Pattern::escape(function));
        let search = SearchParams { view, pattern };
        let found = page.ask::<SearchResult>(ProfileRequest::Search(search));
        let top = found.result.top.iter().zip(found.column("top"));
        let own = top.filter(|(top, _)| &top.name == function).map(|(_, total)| *total);
        assert_eq!(own.collect::<Vec<_>>(), [values[0][1]], "{}: {function}", page.name);
        if found.result.matches == 1 {
            assert_eq!(found.column("matched")[0], values[0][1], "{}: {function}", page.name);
        }
    }
}

fn open<'a>(session: &'a Session, name: &str, granularity: Granularity) -> Option<Page<'a>> {
    let document = session.add(name);
    let summary = ProfileRequest::Summary(DocumentParams { document });
    let summary = session.answer(summary, vec![], &Silent).ok()?;
    let summary = summary.into_result::<SummaryResult>().unwrap();
    let (metrics, is_estimated) = (summary.metrics.len(), summary.estimated_paths);
    let view = view(document, Shape::TopDown {}, granularity);
    (metrics > 0).then(|| Page { session, name: name.to_owned(), view, metrics, is_estimated })
}

/// Files of the samples and of the corpus; of folders with many the first.
fn files_of_every_format() -> Vec<PathBuf> {
    const MOST_BYTES: u64 = 4 << 20;
    let sorted = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<BTreeSet<_>>()
    };
    let below = |folder: &Path, most: usize| {
        let folders = sorted(folder).into_iter().filter(|path| path.is_dir());
        let is_small = |path: &PathBuf| {
            path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES)
        };
        let files = |folder: PathBuf| sorted(&folder).into_iter().filter(is_small).take(most);
        folders.flat_map(files).collect::<Vec<_>>()
    };
    let most = |few| samples::cases(few, 1000) as usize;
    let corpus = samples::corpus("").map(|corpus| below(&corpus, most(2)));
    below(&samples::testdata(""), most(6)).into_iter().chain(corpus.into_iter().flatten()).collect()
}

#[test]
fn recursive_functions_have_the_numbers_that_their_stacks_tell() {
    let session = Session::new(Box::new(Files), ReadOptions::default());
    let page = open(&session, "recursive.collapsed", Granularity::Function).unwrap();
    let mut wanted = BTreeMap::<&str, [i64; 2]>::new();
    for line in RECURSIVE.lines() {
        let (stack, value) = line.split_once(' ').unwrap();
        let value: i64 = value.parse().unwrap();
        let frames: Vec<&str> = stack.split(';').collect();
        wanted.entry(frames[frames.len() - 1]).or_default()[0] += value;
        for frame in frames.into_iter().collect::<BTreeSet<_>>() {
            wanted.entry(frame).or_default()[1] += value;
        }
    }
    let listed = page.listed();
    let told = listed.values().map(|(name, values)| (name.as_str(), values[0])).collect();
    assert_eq!(wanted, told);
    assert_eq!(compare(&page), wanted.len());
    compare_searches(&page);
}

#[test]
fn functions_have_the_same_numbers_wherever_they_are_shown() {
    let mut compared = BTreeMap::new();
    for path in files_of_every_format() {
        let session = Session::new(Box::new(Files), ReadOptions::default());
        let Some(by_function) = open(&session, path.to_str().unwrap(), Granularity::Function)
        else {
            continue;
        };
        let functions = compare(&by_function);
        let view = ViewSpec { granularity: Granularity::Name, ..by_function.view.clone() };
        compare_searches(&Page { view, ..by_function });
        let folder = path.parent().unwrap().file_name().unwrap().to_owned();
        *compared.entry(folder).or_insert(0) += functions;
    }
    compared.retain(|_, functions| *functions > 0);
    assert!(compared.len() > 25, "profiles of {} folders", compared.len());
}
