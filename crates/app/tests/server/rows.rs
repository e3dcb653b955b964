//! Rows, paths, details and searches.

use protocol::*;

use super::page::{Numbers, Page, filtered, flame, rows, view};
use super::{Server, cpu, sample};

#[test]
fn rows_unfold() {
    let server = cpu();
    let mut page = server.page();
    let metrics = page.summary(0).0.metrics.len();
    let (top, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view(0))));
    assert_eq!((top.metrics as usize, top.total_rows as usize), (metrics, top.rows.len()));
    assert_eq!(values.i64("total_value").len(), top.rows.len() * metrics);
    assert!(top.rows.iter().all(|row| row.depth == 0 && !row.expanded));
    let total = |numbers: &Numbers, row: usize| numbers.i64("total_value")[row * metrics];
    let own = |numbers: &Numbers, row: usize| numbers.i64("self_value")[row * metrics];
    let sum: i64 = (0..top.rows.len()).map(|row| total(&values, row)).sum();
    assert_eq!(sum, values.i64("scale")[0]);
    assert_eq!(values.i64("scale"), page.summary(0).1.i64("total"));
    assert!((1..top.rows.len()).all(|row| total(&values, row - 1) >= total(&values, row)));

    // Unfold the heaviest child again and again, down to a leaf.
    let mut expanded = vec![];
    let mut at = 0;
    let mut shown = top.clone();
    while shown.rows[at].has_children {
        let parent = shown.rows[at].clone();
        expanded.push(parent.node);
        let params = RowsParams {
            expanded: expanded.clone(),
            instance: Some(top.instance),
            ..rows(view(0))
        };
        let (next, values) = page.call::<RowsResult>(ProfileRequest::Rows(params));
        assert_eq!(next.instance, top.instance);
        let more = next.rows.len() - shown.rows.len();
        assert!(more > 0, "{parent:?} unfolds to nothing");
        assert_eq!(next.rows[at], RowInfo { expanded: true, ..parent });
        let children = at + 1..at + 1 + more;
        let depth = shown.rows[at].depth + 1;
        assert!(next.rows[children.clone()].iter().all(|row| row.depth == depth));
        let parts: i64 = children.map(|row| total(&values, row)).sum();
        assert_eq!(parts + own(&values, at), total(&values, at), "{:?}", next.rows[at]);
        shown = next;
        at += 1;
    }
    assert!(expanded.len() > 5, "{expanded:?}");
    let hottest = NodeParams { view: view(0), instance: None, node: 0 };
    let (hottest, _) = page.call::<NodesResult>(ProfileRequest::HottestPath(hottest));
    assert_eq!(hottest.instance, top.instance);
    assert_eq!(hottest.nodes[..2], [0, top.rows[0].node]);

    // A window of the rows, and the rows turned round.
    let window =
        RowsParams { expanded, instance: Some(top.instance), first: 3, count: 2, ..rows(view(0)) };
    let (part, _) = page.call::<RowsResult>(ProfileRequest::Rows(window));
    assert_eq!(part.rows[..], shown.rows[3..5]);
    assert_eq!(part.total_rows as usize, shown.rows.len());
    let sort = |by| Sort { by, metric: 0, reverse: true };
    let turned = RowsParams { sort: sort(SortBy::TotalValue), ..rows(view(0)) };
    let (turned, values) = page.call::<RowsResult>(ProfileRequest::Rows(turned));
    assert_eq!(turned.rows.len(), top.rows.len());
    assert!((1..top.rows.len()).all(|row| total(&values, row - 1) <= total(&values, row)));

    // A filter keeps what matches and what leads to it.
    let pattern = "mapaccess2_faststr";
    let params = RowsParams { filter: pattern.to_owned(), ..rows(view(0)) };
    let (kept, _) = page.call::<RowsResult>(ProfileRequest::Rows(params));
    assert!(!kept.rows.is_empty() && kept.rows.len() < top.rows.len());
    for row in &kept.rows {
        assert_eq!(row.matched, row.name.contains(pattern), "{row:?}");
        assert!(row.matched || row.has_children, "{row:?}");
    }
}

/// The heaviest row and its heaviest child.
pub(super) fn two_levels(page: &mut Page) -> (u32, [RowInfo; 2], Numbers) {
    let (top, _) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view(0))));
    let expanded = vec![top.rows[0].node];
    let params = RowsParams { expanded, instance: Some(top.instance), ..rows(view(0)) };
    let (both, values) = page.call::<RowsResult>(ProfileRequest::Rows(params));
    (both.instance, [both.rows[0].clone(), both.rows[1].clone()], values)
}

#[test]
fn locate_finds_the_node_of_a_path() {
    let server = cpu();
    let mut page = server.page();
    let (instance, [outer, inner], _) = two_levels(&mut page);
    let mut locate = |path: &[u32]| {
        let params = LocateParams { view: view(0), path: path.to_vec() };
        let (result, _) = page.call::<LocateResult>(ProfileRequest::Locate(params));
        assert_eq!(result.instance, instance);
        result.nodes
    };
    let name = |row: &RowInfo| NodeName { node: row.node, key: row.key, name: row.name.clone() };
    assert_eq!(locate(&[outer.key, inner.key]), [name(&outer), name(&inner)]);
    assert_eq!(locate(&[outer.key, inner.key, u32::MAX]), [name(&outer), name(&inner)]);
    assert_eq!(locate(&[outer.key, u32::MAX, inner.key]), [name(&outer)]);
    assert_eq!(locate(&[]), []);
}

#[test]
fn details_agree_with_the_rows() {
    let server = cpu();
    let mut page = server.page();
    let (instance, [outer, inner], values) = two_levels(&mut page);
    let metrics = page.summary(0).0.metrics.len();
    let params = NodeParams { view: view(0), instance: Some(instance), node: inner.node };
    let (details, numbers) = page.call::<DetailsResult>(ProfileRequest::Details(params));
    assert_eq!((details.instance, details.key), (instance, inner.key));
    assert_eq!((&details.name, &details.file), (&inner.name, &inner.file));
    assert_eq!(details.module, inner.module);
    let path: Vec<u32> = details.path.iter().map(|node| node.node).collect();
    assert_eq!(path, [outer.node, inner.node]);
    let of_row = |name: &str, row: usize| values.i64(name)[row * metrics..][..metrics].to_vec();
    assert_eq!(numbers.i64("self_value"), of_row("self_value", 1));
    assert_eq!(numbers.i64("total_value"), of_row("total_value", 1));
    assert_eq!(numbers.i64("parent_total"), of_row("total_value", 0));
    assert_eq!(numbers.i64("program_total"), values.i64("scale"));
    for (list, column) in [
        (details.callers.len(), "callers"),
        (details.callees.len(), "callees"),
        (details.labels.len(), "labels"),
        (details.lines.len(), "lines"),
    ] {
        assert_eq!(numbers.i64(column).len(), list, "{column}");
        if column != "labels" {
            assert!(numbers.i64(column).is_sorted_by(|a, b| a >= b), "{column}");
        }
    }
    assert!(details.callers.iter().any(|caller| caller.name == outer.name));
    let [own, total] = numbers.i64("function") else { panic!("function") };
    assert!(own <= total && *total >= numbers.i64("total_value")[0]);
    // A function above its callers, and below its callees, is the function.
    for shape in [Shape::Callers { key: inner.key }, Shape::Callees { key: inner.key }] {
        let params = NodeParams { view: ViewSpec { shape, ..view(0) }, instance: None, node: 0 };
        let (_, numbers) = page.call::<DetailsResult>(ProfileRequest::Details(params));
        let shown = ["self_value", "total_value"].map(|name| numbers.i64(name)[0]);
        assert_eq!(shown, [*own, *total]);
    }

    // The whole program has no function, but labels.
    let server = Server::start(&[sample("pprof/labels.pb.gz")]);
    let mut page = server.page();
    let params = NodeParams { view: view(0), instance: None, node: 0 };
    let (details, numbers) = page.call::<DetailsResult>(ProfileRequest::Details(params));
    assert!(details.path.is_empty());
    assert_eq!(numbers.i64("total_value"), page.summary(0).1.i64("total"));
    let label = details.labels.iter().position(|label| label.key == "tenant").unwrap();
    // Its pattern selects as much as it says.
    let focused = filtered(FilterKind::LabelFocus, &details.labels[label].pattern);
    let (_, kept) = page.call::<FlameResult>(ProfileRequest::Flame(flame(focused)));
    assert_eq!(kept.i64("total_value")[0], numbers.i64("labels")[label]);
}

#[test]
fn search_and_filters_agree() {
    let server = cpu();
    let mut page = server.page();
    let whole = page.summary(0).1.i64("total")[0];
    for pattern in ["mapaccess2_faststr", "^orderdesk/", "no such function"] {
        let params = SearchParams { view: view(0), pattern: pattern.to_owned() };
        let (found, numbers) = page.call::<SearchResult>(ProfileRequest::Search(params));
        let [matched, total] = numbers.i64("matched") else { panic!("matched") };
        assert_eq!(*total, whole);
        assert_eq!(numbers.i64("top").len(), found.top.len());
        assert!(numbers.i64("top").iter().all(|top| top <= matched));
        assert_eq!((found.matches == 0, *matched == 0), (found.top.is_empty(), found.matches == 0));
        let params = ViewParams { view: filtered(FilterKind::Focus, pattern) };
        let (effect, _) = page.call::<FiltersResult>(ProfileRequest::Filters(params));
        let [effect] = &effect.filters[..] else { panic!("{effect:?}") };
        assert_eq!(effect.matched, found.matches > 0, "{pattern}");
        let share = *matched as f64 / whole as f64;
        assert!((effect.kept - share).abs() < 1e-9, "{pattern}: {} and {share}", effect.kept);
    }
    let params = SearchParams { view: view(0), pattern: "mapaccess2_faststr".to_owned() };
    let (found, _) = page.call::<SearchResult>(ProfileRequest::Search(params));
    assert!(found.top.iter().all(|top| top.name.contains("mapaccess2_faststr")), "{found:?}");
    // What focus keeps and what ignore keeps is the whole.
    let mut kept = |kind| {
        let params = ViewParams { view: filtered(kind, "mapaccess2_faststr") };
        page.call::<FiltersResult>(ProfileRequest::Filters(params)).0.filters[0].kept
    };
    let sum = kept(FilterKind::Focus) + kept(FilterKind::Ignore);
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn filters_tell_what_they_leave_out_for_want_of_a_time() {
    let server = cpu();
    let mut page = server.page();
    let mut notes = |kind, pattern| {
        let params = ViewParams { view: filtered(kind, pattern) };
        page.call::<FiltersResult>(ProfileRequest::Filters(params)).0.notes
    };
    assert_eq!(notes(FilterKind::Focus, "main"), [""; 0]);
    let [told] = &notes(FilterKind::Time, "1s..2s")[..] else { panic!("one note") };
    assert!(told.contains("samples has a time: all of them are left out"), "{told}");
    assert_eq!(notes(FilterKind::Around, "GC=5ms")[1], "no mark is of a kind that GC=5ms matches");
}
