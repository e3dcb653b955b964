//! VisPerf's CSV: sums of the rows, taken by their quotes alone, are the measure.

use std::collections::BTreeMap;

use formats::ReadOptions;

use crate::folders::{HeldFolder, held};
use crate::measured::{profile, read, sample, stacks, text};
use profile::MetricId;

const SAMPLE: &str = "visperf/pipeline.csv";

/// The fields of the rows, which have no quotes inside.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.trim_matches('"').split("\",\"").collect()).collect()
}

#[test]
fn counts_samples_and_processors_are_those_of_the_rows() {
    let found = sample(SAMPLE);
    let text = text(SAMPLE);
    let rows = rows(&text);
    assert_eq!(found.points.len(), rows.len());
    let mut sums = BTreeMap::<&str, i64>::new();
    for row in &rows {
        *sums.entry(row[2]).or_default() += row[3].parse::<i64>().unwrap();
    }
    assert!(sums.len() > 1);
    for (event, sum) in sums {
        let metric = found.metrics.iter().position(|metric| metric.name == event).unwrap();
        assert_eq!(found.metric_total(MetricId(metric as u32)), (sum, false), "{event}");
    }
    for (point, row) in rows.iter().enumerate() {
        assert_eq!(found.points.cpu(point), Some(row[4].parse().unwrap()));
        let thread = found.threads[found.points.thread(point).unwrap().index()];
        assert_eq!(found.text(thread.id), row[1]);
    }
}

const HEAD: &str = "\"time\",\"tid\",\"event\",\"counter\",\"cpu\",\"stack\"\n";

#[test]
fn stacks_begin_with_the_innermost_function() {
    let text = format!("{HEAD}\"1.5\",\"7\",\"cycles\",\"40\",\"011\",\"leaf|middle|root\"\n");
    let found = profile(text.as_bytes());
    let (stack, values) = &stacks(&found)[0];
    assert_eq!((stack.as_str(), &values[..]), ("root;middle;leaf", &[40, 1][..]));
    assert_eq!(found.points.cpu(0), Some(11));
    assert_eq!((found.points.time(0), found.origin.clock_ns), (Some(0), 1_500_000_000));
}

#[test]
fn what_is_no_row_is_skipped_and_counted() {
    let good = "\"1.000000001\",\"7\",\"cycles\",\"1\",\"0\",\"f\"\n".repeat(8);
    let bad = "\"x\",\"7\",\"cycles\",\"1\",\"0\",\"f\"\n\"1\",\"7\",\"cycles\",\"1.5\",\"0\",\"f\"\n\
               \"1\",\"7\"\n\"1\",\"7\",\"cycles\",\"1\",\"-1\",\"f\"\n";
    let text = format!("{HEAD}{good}{bad}\"2\",\"7\",\"cycles\",\"3\",\"0\",\"\"\n");
    let opened = read(text.as_bytes()).unwrap();
    assert_eq!(opened.profile.points.len(), 9);
    let told = |word: &str| {
        let found = opened.warnings.iter().find(|warning| warning.message.contains(word));
        found.map(|warning| warning.count)
    };
    assert_eq!((told("skipped"), told("no stack")), (Some(4), Some(1)));
    assert!(read(format!("{HEAD}{bad}")).is_err());
}

/// By member, processor, second and thread's name: sums of an event.
fn sums(found: &profile::Profile, event: &str) -> BTreeMap<(String, u32, i64, String), i64> {
    let metric = crate::measured::metric(found, event);
    let mut sums = BTreeMap::new();
    for point in 0..found.points.len() {
        let thread = found.threads[found.points.thread(point).unwrap().index()];
        let member = &found.members[found.points.member(point).0 as usize];
        let second = found.points.time(point).unwrap() / 1_000_000_000;
        let name = found.text(thread.name).to_owned();
        let key = (member.name.clone(), found.points.cpu(point).unwrap(), second, name);
        *sums.entry(key).or_default() += found.points.value(point, metric);
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

fn runs() -> formats::Opened {
    let folder = HeldFolder::new(&samples::testdata("visperf/runs"));
    formats::read_folder(&folder, &ReadOptions::default()).unwrap()
}

#[test]
fn runs_are_members_with_the_names_of_their_threads() {
    let opened = runs();
    let found = &opened.profile;
    let members: Vec<_> = found.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(members, ["apart/Run 1", "apart/Run 2", "free/Run 1", "free/Run 2"]);
    assert!(found.members.iter().all(|member| member.machine.is_some() && member.duration_ns > 0));
    assert_eq!(found.machines[0].cpus.len(), 2);
    assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
    for (member, path) in ["apart/1", "apart/2", "free/1", "free/2"].into_iter().enumerate() {
        let text = text(&format!("visperf/runs/{path}.csv"));
        let rows = rows(&text);
        let of = |point: &usize| found.points.member(*point).0 as usize == member;
        let points: Vec<usize> = (0..found.points.len()).filter(of).collect();
        assert_eq!(points.len(), rows.len());
        assert_eq!(found.points.time(points[0]), Some(0));
        let names =
            crate::measured::text(&format!("visperf/runs/{}.txt", path.replace('/', "/tids-")));
        for (&point, row) in points.iter().zip(&rows) {
            let thread = found.threads[found.points.thread(point).unwrap().index()];
            let line = format!("{},{}", found.text(thread.name), row[1]);
            assert!(names.lines().any(|known| known == line), "{line}");
        }
    }
}

#[test]
fn the_pages_counts_are_those_of_the_samples() {
    let (runs, page) = (runs().profile, sample("visperf/pipeline.visperf.json"));
    for event in ["cpu-clock", "page-faults"] {
        let (runs, page) = (sums(&runs, event), sums(&page, event));
        assert!(page.len() > 10, "{page:?}");
        assert_eq!(runs, page, "{event}");
    }
    assert_eq!(page.machines[0].cpus.len(), 2);
    let names: Vec<_> = page.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let wanted = ["cpu-clock", "page-faults", "interval"];
    assert_eq!(names, wanted, "no mean and no grid passes for a count");
    let interval = crate::measured::metric(&page, "interval");
    assert!(page.points.values(interval).all(|length| length == 1_000_000_000));
    assert_eq!(page.metric(interval).timing, profile::Timing::Length);
}

#[test]
fn reports_what_is_missing_of_a_run() {
    let mut folder = HeldFolder::new(&samples::testdata("visperf/runs"));
    folder.files.retain(|file| !["free/1.csv", "free/tids-2.txt"].contains(&file.path.as_str()));
    let opened = formats::read_folder(&folder, &ReadOptions::default()).unwrap();
    assert_eq!(opened.profile.members.len(), 3);
    let told: Vec<_> = opened.warnings.iter().map(|one| one.message.as_str()).collect();
    assert!(told.iter().any(|text| text.contains("free/1.csv of free/Run 1")), "{told:?}");
    assert!(told.iter().any(|text| text.contains("those of free/Run 2")), "{told:?}");
    // The list by itself says what to do.
    let list = text("visperf/runs/config.json");
    let error = read(list.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("open the folder"), "{error}");
}

#[test]
fn the_list_of_one_call_and_old_paths_are_understood() {
    let list = r#"{"mine": {"title": "Mine", "runs": [
        {"title": "Run 1", "path": "C:\\out\\a\\1.txt", "tids": "/out/a/tids-1.txt"},
        {"title": "Run 2", "path": "/out/none.csv"}]}}"#;
    let row = "\"1.5\",\"7\",\"cycles\",\"40\",\"0\",\"leaf\"\n";
    let samples = format!("{HEAD}{row}");
    let other = format!("{HEAD}{row}{row}");
    let folder = held(&[
        ("config.json", list.as_bytes()),
        ("a/1.csv", samples.as_bytes()),
        ("b/1.csv", other.as_bytes()),
        ("a/tids-1.txt", b"a, b,7\nno number\n"),
    ]);
    let opened = formats::read_folder(&folder, &ReadOptions::default()).unwrap();
    let found = &opened.profile;
    assert_eq!((found.members.len(), found.points.len()), (1, 1));
    assert_eq!(found.members[0].name, "Mine/Run 1");
    assert_eq!(found.text(found.threads[0].name), "a, b");
    assert_eq!(opened.warnings.iter().len(), 2, "{:?}", opened.warnings);
}

#[test]
fn a_file_that_two_runs_may_mean_is_neithers() {
    let list = r#"{"a": {"title": "a", "runs": [{"title": "1", "path": "/out/a/1.csv"}]},
        "b": {"title": "b", "runs": [{"title": "1", "path": "/out/b/1.csv"}]}}"#;
    let samples = format!("{HEAD}\"1.5\",\"7\",\"cycles\",\"40\",\"0\",\"leaf\"\n");
    let files = [
        ("config.json", list.as_bytes()),
        ("1.csv", samples.as_bytes()),
        ("tids-1.txt", &b"x,7\n"[..]),
    ];
    let told = formats::read_folder(&held(&files), &ReadOptions::default()).unwrap_err();
    assert!(told.to_string().contains("whose it is is not known"), "{told}");
}

#[test]
fn grids_alone_are_reported_to_be_one_threads() {
    let text = r#"{"cpus": 3, "cpu_setup": [[0, 0], [0, 0]], "cpu_labels": [["CPU0", "CPU1"], ["CPU2", "CPU3"]],
        "events_captured": ["cycles"], "experiments": {"a": {"r": {"time_series": {"cycles":
        {"times": [0, 2], "captures": {"0": [[5.0, 0], [7, 0]], "2": [[0, 1.5], [0, 0]]}}}}}}}"#;
    let opened = read(text.as_bytes()).unwrap();
    let found = &opened.profile;
    assert_eq!(found.metrics[0].name, "cycles (one thread's)");
    let cpus: Vec<_> = (0..2).map(|point| found.points.cpu(point).unwrap()).collect();
    assert_eq!((found.points.len(), cpus), (2, vec![0, 2]));
    let told: Vec<_> = opened.warnings.iter().map(|one| one.message.as_str()).collect();
    assert!(told.iter().any(|text| text.contains("less than all")), "{told:?}");
    assert!(told.iter().any(|text| text.contains("not whole numbers")), "{told:?}");
}

#[test]
fn a_second_without_samples_is_one_of_the_run() {
    let text = r#"{"cpus": 2, "cpu_setup": [[0, 0]], "cpu_labels": [["CPU0", "CPU1"]], "events_captured": ["cycles"],
        "experiments": {"a": {"r": {"threads": {"time_series":
        {"cycles": {"0": {"CPU0": {"w": 5}}, "2": {"CPU1": {"w": 7}}, "9000": {"CPU1": {"w": 1}}}}}}}}}"#;
    let found = profile(text.as_bytes());
    let told =
        |point: usize| (found.points.time(point).unwrap() / 1_000_000_000, found.points.row(point));
    let all: Vec<_> = (0..found.points.len()).map(told).collect();
    let second = 1_000_000_000;
    assert_eq!(
        all,
        [(0, &[5, second][..]), (1, &[0, second]), (2, &[7, second]), (9000, &[1, second])]
    );
}

#[test]
fn other_json_is_not_taken() {
    for text in [
        r#"{"cpus": 4, "experiments": {"a": {"title": "x", "runs": [{"path": "y"}]}}}"#,
        r#"{"a": {"title": "x", "runs": [{"path": "y"}]}}"#,
        r#"{"runs": [{"title": "Run 1"}]}"#,
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert!(matches!(error, formats::ReadError::UnknownFormat { .. }), "{error}");
    }
}
