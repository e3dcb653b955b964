//! pyinstrument's files: their oddities, and its own text as the measure.

use crate::measured::{
    corpus, folded, metric, profile, sample, self_values, stacks, text, total_values,
};
use profile::MetricId;

#[test]
fn totals_are_those_of_the_text() {
    for name in ["thread", "tasks"] {
        let report = text(&format!("pyinstrument/reports/{name}.text.txt"));
        let root = report.lines().find(|line| line.contains("<module>")).unwrap();
        let root: f64 = root.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
        for ending in ["json", "pyisession"] {
            let found = sample(&format!("pyinstrument/{name}.{ending}"));
            let total = total_values(&found, MetricId(0))["<module>"] as f64 / 1e9;
            assert!((total - root).abs() < 0.011, "{name}.{ending}: {total} and {root}");
        }
    }
    check_real_files();
}

#[test]
fn functions_are_those_of_the_flat_text() {
    let found = sample("pyinstrument/thread.pyisession");
    let report = text("pyinstrument/reports/thread.flat.txt");
    let own = self_values(&found, MetricId(0));
    let mut compared = 0;
    for (function, place) in
        [("rake", "meadow.py:18"), ("mow", "meadow.py:13"), ("Barn.bale", "meadow.py:26")]
    {
        let row =
            report.lines().find(|line| line.contains(&format!(" {function}  {place}"))).unwrap();
        let expected: f64 = row.split_whitespace().next().unwrap().parse().unwrap();
        let found = own.get(function).copied().unwrap_or(0) as f64 / 1e9;
        assert!((found - expected).abs() < 0.001, "{function}: {found} and {expected}");
        compared += 1;
    }
    assert_eq!(compared, 3);
}

#[test]
fn times_of_the_tree_hold_those_of_its_children() {
    let found = profile(
        r#"{"start_time":1.5,"duration":2,"sample_count":4,"program":"a.py","cpu_time":1,
        "root_frame":{"children":[{"function":"b","file_path_short":"b.py","file_path":null,"line_no":4,"time":0.7,
        "await_time":0.2,"children":[]},{"function":"c","file_path":"c.py","line_no":5,"time":0.1,"await_time":0,"children":[]}],
        "function":"<module>","file_path":"a.py","line_no":1,"time":1.0,"await_time":0.2}}"#,
    );
    assert_eq!(
        folded(&found, MetricId(0)),
        ["<module> 200000000", "<module>;b 700000000", "<module>;c 100000000"]
    );
    assert_eq!(folded(&found, metric(&found, "await time")), ["<module>;b 200000000"]);
    assert_eq!((found.origin.time_ns, found.origin.duration_ns), (1_500_000_000, 2_000_000_000));
}

#[test]
fn sessions_keep_samples_threads_lines_and_classes() {
    let found = profile(
        "{\"start_time\":0,\"duration\":1,\"sample_count\":2,\"start_call_stack\":[],\"frame_records\":[\
        [[\"MainThread\\u0000<thread>\\u000042\",\"run\\u0000a.py\\u00003\\u0001l8\\u0001cBarn\"],0.25],\
        [[\"MainThread\\u0000<thread>\\u000042\",\"run\\u0000a.py\\u00003\"],0.5]]}",
    );
    let rows: Vec<_> =
        stacks(&found).into_iter().map(|(stack, values)| (stack, values[0])).collect();
    assert_eq!(rows, [("Barn.run".to_owned(), 250_000_000), ("run".to_owned(), 500_000_000)]);
    assert_eq!(found.frames.line, [8, 3]);
    assert_eq!(found.thread_name(profile::ThreadId(0)), "MainThread (42)");
    assert_eq!(found.points.time(1), Some(250_000_000));
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, total) in [
        ("pyinstrument/hatchet.json", 478_150_000),
        ("python/recurse.pyinstrument.json", 7_697_803_000),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        assert_eq!(profile(bytes).metric_total(MetricId(0)).0, total, "{path}");
    }
    let Some(bytes) = corpus("python/recurse.pyinstrument.pyisession") else { return };
    assert!(profile(bytes).metric_total(MetricId(1)).0 > 10);
}
