//! gprof2dot's graphs against the files that they were made from.

use crate::measured::{
    corpus, folded, profile, read, sample, self_values, stored_totals, total_values, warnings,
};
use profile::MetricId;

/// Shares differ by what two decimals round away.
fn near(share: i64, exact: f64) -> bool {
    (share as f64 / 100.0 - exact).abs() < 0.02
}

#[test]
fn own_shares_are_those_of_gprof() {
    let (drawn, source) = (sample("gprof2dot/gprof-all.dot"), sample("gprof/default.gprof.txt"));
    let total = source.metric_total(MetricId(0)).0 as f64;
    let own = self_values(&drawn, MetricId(0));
    for (name, value) in self_values(&source, MetricId(0)) {
        assert!(near(own[&name], value as f64 * 100.0 / total), "{name}: {}", own[&name]);
    }
    let (drawn, source) = (self_values(&drawn, MetricId(1)), self_values(&source, MetricId(1)));
    assert_eq!(drawn["ferment"], source["ferment"]);
    assert_eq!(drawn["bottle"], 400);
    check_real_files();
}

#[test]
fn own_shares_and_files_are_those_of_cprofile() {
    let (drawn, source) = (sample("gprof2dot/pstats-all.dot"), sample("pstats/cprofile.prof"));
    let total = source.metric_total(MetricId(0)).0 as f64;
    let own = self_values(&drawn, MetricId(0));
    let exact = self_values(&source, MetricId(0));
    for name in ["sort", "title", "visit", "acquire"] {
        assert!(near(own[name], exact[name] as f64 * 100.0 / total), "{name}: {}", own[name]);
    }
    let sort =
        (0..drawn.functions.len()).find(|&row| drawn.text(drawn.functions.name[row]) == "sort");
    let sort = sort.unwrap();
    assert_eq!(drawn.text(drawn.functions.file[sort]), "/opt/demo/library.py");
    assert_eq!(drawn.functions.start_line[sort], 22);
}

#[test]
fn modules_are_the_first_line_of_a_label() {
    let found = sample("gprof2dot/callgrind.dot");
    let modules: Vec<_> = found.modules.iter().map(|module| found.text(module.name)).collect();
    assert!(modules.contains(&"mill") && modules.contains(&"libc.so.6"), "{modules:?}");
    let totals = total_values(&found, MetricId(0));
    assert!(totals["miller"] > 0);
}

#[test]
fn the_language_in_all_its_ways() {
    let found = profile(
        "/* graph */ digraph \"x\" {\n graph [label=\"a call graph\"]; // comment\n tooltip=\" \"\n\
         a -> \"b c\" [label=\"60.00%\\n3×\"\n color=red]\n\
         a [label=\"main\\n100.00%\\n(40.00%)\\n1×\"]; \"b c\" [label=\"lib.so\\nwork \\\"fast\\\"\\n60.00%\\n(60.00%)\\n3×\"];\n}\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["main 4000", "main;work \"fast\" 6000"]);
    assert_eq!(folded(&found, MetricId(1)), ["main 1", "main;work \"fast\" 3"]);
    assert_eq!(found.text(found.modules[0].name), "lib.so");
}

#[test]
fn stored_totals_are_the_shares_of_the_nodes() {
    let found = profile(
        "digraph { a [label=\"main\\n100.00%\\n(40.00%)\"] b [label=\"fib\\n60.00%\\n(60.00%)\\n9×\"]
         a -> b [label=\"60.00%\"] b -> b [label=\"55.00%\"] }",
    );
    let name = |name: &str| (String::new(), name.to_owned());
    let expected = [(name("fib"), 6000), (name("main"), 10_000)];
    assert_eq!(stored_totals(&found, MetricId(0)).into_iter().collect::<Vec<_>>(), expected);
    // What gprof2dot drew of gprof's table, against the table.
    let (drawn, source) = (sample("gprof2dot/gprof-all.dot"), sample("gprof/default.gprof.txt"));
    let total = source.metric_total(MetricId(0)).0 as f64;
    let (drawn, source) = (stored_totals(&drawn, MetricId(0)), stored_totals(&source, MetricId(0)));
    for name in ["taste", "ferment", "main", "bottle"].map(name) {
        // The table has two decimals of seconds, of 0.23 in all.
        let share = source[&name] as f64 * 100.0 / total;
        assert!((drawn[&name] as f64 / 100.0 - share).abs() < 1.0, "{name:?}");
    }
}

#[test]
fn what_is_no_call_graph_is_refused() {
    assert!(read("digraph { a -> b }").is_err());
    let text =
        "digraph { a [label=\"x\\n1.00%\\n(1.00%)\"] b [label=\"note\"] a -> c [label=\"1.00%\"] }";
    let found = warnings(text);
    assert!(found.iter().any(|warning| warning.contains("\"b\"")), "{found:?}");
    assert!(found.iter().any(|warning| warning.contains("leads nowhere")), "{found:?}");
    assert!(read(&text[..30]).is_err());
}

/// The same of real files, where they are.
fn check_real_files() {
    for path in ["gprof2dot/cpi.dot", "python/recurse.gprof2dot.dot"] {
        let Some(bytes) = corpus(path) else { continue };
        let found = profile(bytes);
        let share = found.metric_total(MetricId(0)).0;
        assert!((9000..=10_100).contains(&share), "{path}: {share}");
    }
}

#[test]
fn drawings_of_pprof_have_the_shares_of_its_list() {
    for name in ["cpu", "heap"] {
        let profile = sample(&format!("gprof2dot/pprof-{name}.dot"));
        let report = crate::measured::text(&format!("gprof2dot/reports/pprof-{name}.top.txt"));
        let hundredths = |text: &str| {
            (text.strip_suffix('%').unwrap_or(text).parse::<f64>().unwrap() * 100.0).round() as i64
        };
        let rows = report.lines().filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [_, flat, _, _, cum, names @ ..] = &words[..] else { return None };
            let name = names.join(" ").replace(" (inline)", "").replace(" (partial-inline)", "");
            (flat.ends_with('%') && cum.ends_with('%') && !name.is_empty())
                .then(|| (name, (hundredths(flat), hundredths(cum))))
        });
        let listed: std::collections::BTreeMap<_, _> = rows.collect();
        let share = crate::measured::metric(&profile, "share");
        let own = crate::measured::self_values(&profile, share);
        let count = profile.functions.len();
        let mut found = 0;
        for (function, value) in &own {
            let Some(&(flat, _)) = listed.get(function) else { continue };
            assert_eq!(*value, flat, "{name} {function}");
            found += 1;
        }
        assert!(found * 2 > own.len(), "{found} of {}", own.len());
        let mut found = 0;
        for (function, _, value) in profile.function_totals.of_metric(MetricId(0)) {
            let name = profile.text(profile.functions.name[function.index()]);
            let Some(&(_, cum)) = listed.get(name) else { continue };
            assert_eq!(value, cum, "{name} in all");
            found += 1;
        }
        assert!(found * 2 > count, "{found} of {count}");
    }
}
