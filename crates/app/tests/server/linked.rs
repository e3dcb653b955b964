//! Views of contexts that points join.

use protocol::*;

use super::page::{Page, flame, rows, view};
use super::{Server, sample};

/// The view of a role of the reuse sample, narrowed by nodes of other roles.
fn at_role(role: u32, chosen: &[(u32, &[u32])]) -> ViewSpec {
    let chosen = chosen.iter().map(|&(role, path)| ChosenNode {
        role,
        shape: Shape::TopDown {},
        path: path.to_vec(),
    });
    ViewSpec { role: Some(RoleView { role, chosen: chosen.collect() }), ..view(0) }
}

/// The names from below the program down to the first leaf of a view, and their keys.
fn first_path(page: &mut Page, view: &ViewSpec) -> (Vec<String>, Vec<u32>) {
    let first = NodeParams { view: view.clone(), instance: None, node: 0 };
    let (path, _) = page.call::<NodesResult>(ProfileRequest::HottestPath(first));
    let params =
        NodeParams { view: view.clone(), instance: Some(path.instance), node: path.nodes[3] };
    let (details, _) = page.call::<DetailsResult>(ProfileRequest::Details(params));
    details.path.into_iter().map(|node| (node.name, node.key)).unzip()
}

#[test]
fn linked_views_narrow_each_other() {
    let server = Server::start(&[sample("ezview/reuse.ezview")]);
    let mut page = server.page();
    assert_eq!(page.summary(0).0.roles, ["allocation", "use", "reuse"]);

    let (names, sweep) = first_path(&mut page, &at_role(1, &[]));
    assert_eq!(names, ["THREAD[0]", "main", "sweep"]);
    let total = |page: &mut Page, view: ViewSpec| {
        page.call::<FlameResult>(ProfileRequest::Flame(flame(view))).1.i64("scale")[0]
    };
    assert_eq!(total(&mut page, at_role(2, &[])), 138);
    assert_eq!(total(&mut page, at_role(2, &[(1, &sweep)])), 130, "what sweep used");
    assert_eq!(total(&mut page, at_role(2, &[(1, &[])])), 138, "the whole program");
    assert_eq!(total(&mut page, at_role(2, &[(1, &[sweep[0], 999])])), 0, "no such node");
    let bottom_up = RoleView {
        role: 2,
        chosen: vec![ChosenNode { role: 1, shape: Shape::BottomUp {}, path: vec![sweep[2]] }],
    };
    assert_eq!(total(&mut page, ViewSpec { role: Some(bottom_up), ..view(0) }), 130);

    // Every method goes by the role.
    let narrowed = at_role(2, &[(1, &sweep)]);
    let (found, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(narrowed.clone())));
    assert_eq!((found.rows[0].name.as_str(), values.i64("scale")), ("THREAD[0]", &[130, 7240][..]));
    let search = SearchParams { view: narrowed.clone(), pattern: "relax".to_owned() };
    let (_, values) = page.call::<SearchResult>(ProfileRequest::Search(search));
    assert_eq!(values.i64("matched"), [90, 130]);
    let (names, _) = first_path(&mut page, &narrowed);
    assert_eq!(names, ["THREAD[0]", "main", "relax"]);
    let focus = Filter { kind: FilterKind::Focus, pattern: "norm".to_owned() };
    let filtered = ViewSpec { filters: vec![focus], ..at_role(0, &[]) };
    assert_eq!(total(&mut page, filtered.clone()), 8, "what norm reuses, where it was allocated");
    let (effects, _) =
        page.call::<FiltersResult>(ProfileRequest::Filters(ViewParams { view: filtered }));
    assert!((effects.filters[0].kept - 8.0 / 138.0).abs() < 1e-9);
}

#[test]
fn pairs_are_ranked_with_their_least_common_ancestor() {
    let server = Server::start(&[sample("ezview/reuse.ezview"), sample("pprof/cpu.pb.gz")]);
    let mut page = server.page();
    let pairs = |view: ViewSpec, first: u32, second: u32, count: u32| {
        ProfileRequest::Pairs(PairsParams { view, first, second, count })
    };
    let (found, values) = page.call::<PairsResult>(pairs(view(0), 1, 2, 2));
    assert_eq!((found.total_pairs, found.pairs.len()), (3, 2));
    assert_eq!(values.i64("value"), [90, 7200, 40, 40], "a metric after the other");
    assert_eq!(values.i64("pairs_total"), [138, 103_240]);
    assert_eq!(values.i64("program_total"), [138, 103_240]);
    let PairInfo { first, second, ancestor, .. } = &found.pairs[0];
    assert_eq!((first.name.as_str(), first.line), ("sweep", 41));
    assert_eq!((second.name.as_str(), second.line), ("relax", 58));
    let ancestor = ancestor.as_ref().unwrap();
    assert_eq!((ancestor.name.as_str(), ancestor.first_line), ("main", 12));

    // The path of a context is that of its node, and narrows another ranking.
    let (nodes, _) = page.call::<LocateResult>(ProfileRequest::Locate(LocateParams {
        view: at_role(1, &[]),
        path: first.path.clone(),
    }));
    assert_eq!(nodes.nodes.last().unwrap().name, "sweep");
    let narrowed = at_role(0, &[(1, &first.path)]);
    let (found, _) = page.call::<PairsResult>(pairs(narrowed, 0, 2, 10));
    assert_eq!(found.total_pairs, 2);

    let twice = at_role(1, &[(0, &[1]), (0, &[2])]);
    for request in [
        pairs(view(0), 1, 1, 10),
        pairs(view(0), 0, 3, 10),
        pairs(view(1), 0, 1, 10),
        ProfileRequest::Flame(flame(at_role(3, &[]))),
        ProfileRequest::Flame(flame(at_role(1, &[(1, &[1])]))),
        ProfileRequest::Flame(flame(twice)),
        ProfileRequest::Flame(flame(ViewSpec { document: 1, ..at_role(0, &[]) })),
    ] {
        let error = page.try_call::<serde_json::Value>(request, vec![]).err().unwrap();
        assert_eq!(error.code, ErrorCode::BadRequest);
        assert!(!error.hint.is_empty(), "{error}");
    }
}
