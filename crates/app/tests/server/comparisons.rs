//! Comparisons and merged documents.

use protocol::*;
use tempfile::TempDir;

use super::page::{flame, rows, view};
use super::{Server, sample};

/// A comparison answers everything that a profile does, and says of every node how it changed.
#[test]
fn a_comparison_answers_like_a_profile() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let compare = |base: Vec<u32>, new: Vec<u32>, normalise: Normalise| {
        ProfileRequest::Compare(CompareParams {
            base,
            new,
            by_age: false,
            normalise,
            noise: 0.0,
            filters: None,
        })
    };
    let opened = page.call::<OpenedResult>(compare(vec![0], vec![1], Normalise::Absolute {})).0;
    assert_eq!(opened.document, 2);
    let (summary, totals) = page.summary(2);
    let comparison = summary.comparison.unwrap();
    assert_eq!((&*comparison.base, &*comparison.new), ("before-1.pb.gz", "after-1.pb.gz"));
    assert!(comparison.swaps);
    assert!(!comparison.tested, "one run on a side says nothing of noise");
    let time = comparison.metrics.iter().find(|metric| metric.name == "cpu").unwrap();
    let of = |metric: u32| totals.i64("total")[metric as usize];
    let [alone, other] = [0, 1].map(|document| page.summary(document).1.i64("total")[1]);
    assert_eq!((of(time.base), of(time.new), of(time.both)), (alone, other, alone + other));

    for metric in [time.base, time.new, time.both, time.change, time.ratio] {
        let compared = ViewSpec { metric, ..view(2) };
        let (boxes, columns) =
            page.call::<FlameResult>(ProfileRequest::Flame(flame(compared.clone())));
        assert!(!boxes.names.is_empty());
        let tags = columns.u32("tag");
        assert_eq!(tags.len(), columns.u32("node").len());
        for (index, tag) in tags.iter().enumerate() {
            let (base, new) = (columns.i64("base_value")[index], columns.i64("new_value")[index]);
            let expected = match (base, new) {
                _ if columns.u32("merged")[index] > 0 => 0,
                (base, new) if base == new => 5,
                (0, _) => 1,
                (_, 0) => 2,
                (base, new) if new > base => 3,
                _ => 4,
            };
            assert_eq!(*tag, expected, "{base} and {new}");
        }
        let (table, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(compared.clone())));
        assert!(table.rows.iter().all(|row| row.tag.is_some()));
        let stride = table.metrics as usize;
        for row in values.i64("total_value").chunks(stride) {
            let of = |metric: u32| row[metric as usize];
            assert_eq!(of(time.both), of(time.base) + of(time.new));
            // Formulas of times are told to a thousandth.
            assert_eq!(of(time.change), (of(time.new) - of(time.base)) * 1000);
        }
        let node = NodeParams { view: compared.clone(), instance: None, node: 0 };
        let (details, _) = page.call::<DetailsResult>(ProfileRequest::Details(node.clone()));
        assert_eq!(details.change.unwrap().tag, ChangeTag::Smaller);
        let pattern = "memeqbody".to_owned();
        let search = SearchParams { view: compared.clone(), pattern };
        assert_eq!(page.call::<SearchResult>(ProfileRequest::Search(search)).0.matches, 1);
        let (csv, _) = page.call::<TextResult>(ProfileRequest::ExportCsv(rows(compared.clone())));
        assert!(csv.text.starts_with("depth,name,file,line,module,change,"), "{}", csv.text);
        assert!(csv.text.contains(",[-],") && !csv.text.contains("-9223372036854775808"));
    }
    // At equal totals nothing is lost or won in all.
    let equal = page.call::<OpenedResult>(compare(vec![0], vec![1], Normalise::Total {})).0;
    let (_, totals) = page.summary(equal.document);
    let [base, new] = [time.base, time.new].map(|metric| totals.i64("total")[metric as usize]);
    assert!((base - new).abs() < 1_000_000, "{base} and {new}");
    assert_eq!(
        page.refused(compare(vec![], vec![1], Normalise::Absolute {})),
        ErrorCode::BadRequest
    );
    // Another scale of the same comparison: made once, and back is where one came from.
    let rescale = |document: u32, normalise: Normalise| {
        ProfileRequest::Normalise(NormaliseParams { document, normalise })
    };
    let total = page.call::<OpenedResult>(rescale(2, Normalise::Total {})).0.document;
    assert_eq!(page.call::<OpenedResult>(rescale(2, Normalise::Total {})).0.document, total);
    assert_eq!(page.call::<OpenedResult>(rescale(total, Normalise::Absolute {})).0.document, 2);
    let totals = page.summary(total).1;
    let [base, new] = [time.base, time.new].map(|metric| totals.i64("total")[metric as usize]);
    assert!((base - new).abs() < 1_000_000, "{base} and {new}");
    let frame = || Normalise::Frame { pattern: "^main.archive$".to_owned() };
    let framed = page.call::<OpenedResult>(rescale(total, frame())).0.document;
    assert_eq!(page.summary(framed).0.comparison.unwrap().normalise, frame());
    let archive = Filter { kind: FilterKind::Focus, pattern: "^main.archive$".to_owned() };
    let mut of = |metric: u32| {
        let view = ViewSpec { metric, filters: vec![archive.clone()], ..view(framed) };
        page.call::<FlameResult>(ProfileRequest::Flame(flame(view))).1.i64("total_value")[0]
    };
    let (base, new) = (of(time.base), of(time.new));
    assert!((base - new).abs() as f64 <= 1e-6 * base as f64, "{base} and {new}");
    assert_eq!(page.refused(rescale(0, Normalise::Total {})), ErrorCode::BadRequest);
    let bad = Normalise::Frame { pattern: r"(\w{1000}){1000}".to_owned() };
    assert_eq!(page.refused(compare(vec![0], vec![1], bad)), ErrorCode::BadPattern);
}

#[test]
fn a_formula_over_what_both_sides_have_is_one_of_either_and_its_change() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let compare = || CompareParams {
        base: vec![0],
        new: vec![1],
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: None,
    };
    let compared = page.call::<OpenedResult>(ProfileRequest::Compare(compare())).0.document;
    let define = |name: &str, formula: &str| {
        let (name, formula) = (name.to_owned(), formula.to_owned());
        ProfileRequest::DefineMetric(DefineMetricParams { document: compared, name, formula })
    };
    let change = page.call::<MetricResult>(define("", "1000 * cpu / samples")).0.metric as usize;
    let (summary, totals) = page.summary(compared);
    let totals = totals.i64("total");
    let totals_of = |metric: usize| totals[metric];
    let number =
        |metric: usize| totals[metric] as f64 / 10f64.powi(summary.metrics[metric].decimals as i32);
    let of = |name: &str| {
        let place = summary.metrics.iter().position(|metric| metric.name == name);
        number(place.unwrap_or_else(|| panic!("no {name} in {:?}", summary.metrics)))
    };
    let expected =
        |side: &str| 1000.0 * of(&format!("cpu ({side})")) / of(&format!("samples ({side})"));
    for side in ["base", "new"] {
        let worked_out = of(&format!("1000 * cpu / samples ({side})"));
        assert!((worked_out - expected(side)).abs() < 1.0, "{side}: {worked_out}");
    }
    assert_eq!(summary.metrics[change].name, "1000 * cpu / samples (change)");
    let difference = expected("new") - expected("base");
    assert!((number(change) - difference).abs() < 1.0, "{} and {difference}", number(change));
    // Once: again it is the same, and its own text means the same.
    let text = summary.metrics[change].formula.clone().unwrap();
    for formula in ["1000 * cpu / samples", &*text] {
        let again = page.call::<MetricResult>(define("", formula)).0.metric as usize;
        assert_eq!(again, change, "{formula}");
    }
    // Changes are of the formula, and not of what it names first.
    let base = (change - 2) as u32;
    for metric in [base, base + 1, base + 2] {
        let spec = ViewSpec { metric, ..view(compared) };
        let (table, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(spec.clone())));
        let totals = values.i64("total_value").chunks(table.metrics as usize);
        for (row, totals) in table.rows.iter().zip(totals) {
            let expected = match [base, base + 1].map(|side| totals[side as usize].max(0)) {
                [base, new] if base == new => ChangeTag::Unchanged,
                [0, _] => ChangeTag::Added,
                [_, 0] => ChangeTag::Deleted,
                [base, new] if new > base => ChangeTag::Larger,
                _ => ChangeTag::Smaller,
            };
            assert_eq!(row.tag, Some(expected), "{totals:?}");
        }
        let columns = page.call::<FlameResult>(ProfileRequest::Flame(flame(spec))).1;
        let of = |side: &str| columns.i64(side)[0];
        assert_eq!(of("base_value"), totals_of(base as usize), "{metric}");
        assert_eq!(of("new_value"), totals_of(base as usize + 1), "{metric}");
    }
    // So does the text of either in a comparison that nothing was defined in, as after a restart.
    let new = change - 1;
    let texts = [new, change].map(|metric| summary.metrics[metric].formula.clone().unwrap());
    for (place, formula) in [new, change].into_iter().zip(texts) {
        let fresh = page.call::<OpenedResult>(ProfileRequest::Compare(compare())).0.document;
        let define = DefineMetricParams { document: fresh, name: String::new(), formula };
        let again = page.call::<MetricResult>(ProfileRequest::DefineMetric(define)).0.metric;
        assert_eq!(again as usize, place);
        assert_eq!(page.summary(fresh).0.metrics, summary.metrics);
    }
    // Sides may still be named, and what neither knows is refused.
    let sided = page.call::<MetricResult>(define("sided", "`cpu (base)` / `cpu (new)`")).0.metric;
    assert_eq!(page.summary(compared).0.metrics[sided as usize].name, "sided");
    assert_eq!(page.refused(define("sided", "`cpu (new)` / `cpu (base)`")), ErrorCode::BadFormula);
    assert_eq!(page.refused(define("cpu (new)", "2 * `cpu (new)`")), ErrorCode::BadFormula);
    assert_eq!(page.refused(define("", "cpu / nothing")), ErrorCode::BadFormula);
    // Both are there, but do not go together.
    let asked = define("", "per_thousand(cpu, samples)");
    let units = page.try_call::<MetricResult>(asked, vec![]);
    let message = units.err().unwrap().message;
    assert!(message.contains("nanoseconds and count cannot be put in a ratio"), "{message}");
    assert_eq!(page.refused(define("", "cpu")), ErrorCode::BadFormula);
}

#[test]
fn documents_add_up_to_one_whose_members_they_are() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let node = |document: u32, metric: u32| NodeParams {
        view: ViewSpec { metric, ..view(document) },
        instance: None,
        node: 0,
    };
    // One profile is not a distribution.
    assert_eq!(page.refused(ProfileRequest::Distribution(node(0, 1))), ErrorCode::BadRequest);
    let merge = ProfileRequest::Merge(MergeParams { documents: vec![0, 1] });
    let merged = page.call::<OpenedResult>(merge).0.document;
    let made_by = MadeBy::Merge(MergeParams { documents: vec![0, 1] });
    assert_eq!(page.documents()[2].made_by, Some(made_by));
    let [first, second] = [0, 1].map(|document| page.summary(document).1.i64("total")[1]);
    let (spread, values) =
        page.call::<DistributionResult>(ProfileRequest::Distribution(node(merged, 1)));
    assert_eq!(values.i64("total_value"), [first, second]);
    assert_eq!(spread.members.len(), 2);
    assert_eq!(values.u32("counts").iter().sum::<u32>() + spread.beyond, 2);
    let figures = spread.figures.unwrap();
    assert_eq!(figures.mean, (first + second) as f64 / 2.0);

    // A formula is a metric of every view, once it is defined; the same one is defined once.
    let define = |formula: &str| {
        let (name, formula) = (String::new(), formula.to_owned());
        ProfileRequest::DefineMetric(DefineMetricParams { document: merged, name, formula })
    };
    let metric = page.call::<MetricResult>(define("max_of(cpu)")).0.metric;
    assert_eq!(page.call::<MetricResult>(define("max_of( cpu )")).0.metric, metric);
    let (summary, totals) = page.summary(merged);
    assert_eq!(summary.metrics[metric as usize].formula.as_deref(), Some("max_of(cpu)"));
    assert_eq!(totals.i64("total")[metric as usize], first.max(second) * 1000);
    let by_formula = ViewSpec { metric, ..view(merged) };
    let (_, boxes) = page.call::<FlameResult>(ProfileRequest::Flame(flame(by_formula.clone())));
    assert_eq!(boxes.i64("total_value")[0], first.max(second) * 1000);
    assert!(boxes.u32("tag").is_empty(), "nothing is compared");
    page.call::<RowsResult>(ProfileRequest::Rows(rows(by_formula.clone())));
    let svg = ExportSvgParams {
        view: by_formula,
        instance: None,
        root: 0,
        width: 900.0,
        theme: ThemeName::Light,
        colour: ColourBy::Change,
        search: String::new(),
        labels: LabelBy::Function,
    };
    page.call::<TextResult>(ProfileRequest::ExportSvg(svg));
    assert_eq!(page.refused(define("max_of(cpu")), ErrorCode::BadFormula);
    let beyond = ViewSpec { metric: metric + 1, ..view(merged) };
    assert_eq!(page.refused(ProfileRequest::Flame(flame(beyond.clone()))), ErrorCode::BadRequest);
    assert_eq!(page.refused(ProfileRequest::Rows(rows(beyond))), ErrorCode::BadRequest);
}

/// What was made of open documents says how it is made again; the sides change places, and back.
#[test]
fn a_comparison_is_swapped_and_made_again() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let compare = CompareParams {
        base: vec![0],
        new: vec![1],
        by_age: false,
        normalise: Normalise::Total {},
        noise: 0.25,
        filters: None,
    };
    let made = page.call::<OpenedResult>(ProfileRequest::Compare(compare.clone())).0;
    assert_eq!(page.documents()[2].made_by, Some(MadeBy::Compare(compare.clone())));
    assert_eq!(page.documents()[0].made_by, None);
    let swap = |document| ProfileRequest::Swap(DocumentParams { document });
    let swapped = page.call::<OpenedResult>(swap(made.document)).0;
    let there = CompareParams { base: vec![1], new: vec![0], ..compare };
    assert_eq!(page.documents()[3].made_by, Some(MadeBy::Compare(there)));
    let info = page.summary(swapped.document).0.comparison.unwrap();
    assert_eq!((&*info.base, &*info.new), ("after-1.pb.gz", "before-1.pb.gz"));
    assert_eq!(info.normalise, Normalise::Total {});
    // No further document for one that is open.
    assert_eq!(page.call::<OpenedResult>(swap(swapped.document)).0, made);
    assert_eq!(page.refused(swap(0)), ErrorCode::BadRequest);
}

/// What scaling alone makes different is not: here one of 10 thousand million in all, and one of the
/// second function.
#[test]
fn what_scaling_rounds_apart_is_equal() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let base = file("base.folded", "main;a 4285714286\nmain;b 4285714285\nmain;c 1428571429\n");
    let new = file("new.folded", "main;a 3\nmain;b 3\nmain;c 1\n");
    let apart = "main;a 4285714286\nmain;b 4285714286\nmain;c 1428571429\n";
    let server = Server::start(&[base, new, file("apart.folded", apart)]);
    let mut page = server.page();
    let mut seen = |new: u32, normalise: Normalise| {
        let (base, new) = (vec![0], vec![new]);
        let compare =
            CompareParams { base, new, by_age: false, normalise, noise: 0.0, filters: None };
        let compared = page.call::<OpenedResult>(ProfileRequest::Compare(compare)).0.document;
        let (summary, totals) = page.summary(compared);
        let metric = summary.comparison.unwrap().metrics[0].clone();
        let of = |metric: u32| totals.i64("total")[metric as usize];
        let decimals = |metric: u32| summary.metrics[metric as usize].decimals;
        let finer = 10i64.pow(decimals(metric.change) - decimals(metric.base));
        let sides = of(metric.new) - of(metric.base);
        let view = ViewSpec { metric: metric.change, ..view(compared) };
        let (_, columns) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view.clone())));
        let (table, _) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view)));
        let tags: Vec<_> = table.rows.iter().map(|row| row.tag.unwrap()).collect();
        let drawn = columns.u32("tag").to_vec();
        (sides * finer, of(metric.change), drawn, tags)
    };
    let (sides, change, drawn, tags) = seen(1, Normalise::Total {});
    assert!(
        sides > 0 && change == 0,
        "scaling has rounded, and it is not a change: {sides} {change}"
    );
    assert!(drawn.iter().all(|tag| *tag == 5), "{drawn:?}");
    assert!(tags.iter().all(|tag| *tag == ChangeTag::Unchanged), "{tags:?}");
    // As values are, one is one.
    let (sides, change, drawn, tags) = seen(2, Normalise::Absolute {});
    assert!(sides > 0 && sides == change, "{sides} {change}");
    assert!(drawn.contains(&3) && tags.contains(&ChangeTag::Larger), "{drawn:?} {tags:?}");
}

/// Two threads of one recording, whose values are those that a filter leaves of each.
#[test]
fn parts_of_one_document_are_compared() {
    let server = Server::start(&[sample("trace-event/default.trace.json")]);
    let mut page = server.page();
    let filter = |kind, pattern: &str| vec![Filter { kind, pattern: pattern.to_owned() }];
    let parts =
        [filter(FilterKind::LabelFocus, "thread=bee two"), filter(FilterKind::Time, "..100ms")];
    let compare = |filters: [Vec<Filter>; 2]| CompareParams {
        base: vec![0],
        new: vec![0],
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: Some(filters),
    };
    let params = compare(parts.clone());
    let made = page.call::<OpenedResult>(ProfileRequest::Compare(params.clone())).0.document;
    assert_eq!(page.documents()[1].made_by, Some(MadeBy::Compare(params)));
    let (summary, totals) = page.summary(made);
    let info = summary.comparison.unwrap();
    let name = "default.trace.json";
    assert_eq!(info.base, format!("{name}, thread=bee two"));
    assert_eq!(info.new, format!("{name}, ..100ms"));
    let chosen = info.chosen.unwrap();
    assert_eq!(chosen[0].spans, 44.0);
    assert!(chosen[1].length_s <= 0.1 && chosen[1].spans > 0.0, "{chosen:?}");
    for metric in &info.metrics {
        let number = page.summary(0).0.metrics.iter().position(|one| one.name == metric.name);
        for (side, filters) in [(metric.base, &parts[0]), (metric.new, &parts[1])] {
            let metric = number.unwrap() as u32;
            let spec = ViewSpec { metric, filters: filters.clone(), ..view(0) };
            let (_, scale) = page.call::<FlameResult>(ProfileRequest::Flame(flame(spec)));
            assert_eq!(totals.i64("total")[side as usize], scale.i64("scale")[1]);
        }
    }
    let swap = ProfileRequest::Swap(DocumentParams { document: made });
    let swapped = page.call::<OpenedResult>(swap).0.document;
    let info = page.summary(swapped).0.comparison.unwrap();
    assert_eq!(info.new, format!("{name}, thread=bee two"));
    assert_eq!(info.chosen.unwrap()[1], chosen[0]);
    let hidden = compare([filter(FilterKind::Hide, "main"), vec![]]);
    assert_eq!(page.refused(ProfileRequest::Compare(hidden)), ErrorCode::BadRequest);
    let broken = compare([filter(FilterKind::Time, "soon"), vec![]]);
    assert_eq!(page.refused(ProfileRequest::Compare(broken)), ErrorCode::BadPattern);
}
