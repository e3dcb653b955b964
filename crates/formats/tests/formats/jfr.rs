//! Chunks of JFR, and the JDK's `jfr` as the measure.

use std::collections::BTreeMap;

use crate::measured::{
    corpus, metric, names, profile, read, sample, self_values, text, total_values, warnings,
};
use profile::{LabelValue, MetricId, Profile};

const SAMPLES: [&str; 4] = ["plain.jfr", "tlab.jfr", "chunks.jfr.gz", "killed.jfr"];

/// What `report.py` says of a kind of event.
struct Kind<'r> {
    name: &'r str,
    events: i64,
    threads: BTreeMap<String, i64>,
    sums: BTreeMap<String, f64>,
    /// Self, total, function.
    rows: Vec<(i64, i64, String)>,
}

fn report(text: &str) -> (BTreeMap<&str, i64>, Vec<Kind<'_>>) {
    let counts = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?.parse().ok()?))
    });
    let dictionary = |line: &str| -> BTreeMap<String, f64> {
        let inner = line.split_once('{').unwrap().1.trim_end_matches('}');
        let entries = inner.split(", ").filter_map(|entry| entry.rsplit_once(": "));
        entries
            .map(|(key, value)| (key.trim_matches('\'').to_owned(), value.parse().unwrap()))
            .collect()
    };
    let mut found = vec![];
    for part in text.split("\n\n").filter(|part| part.contains(" events, ")) {
        let part = &part[part.rfind("\n\n").map_or(0, |at| at + 2)..];
        let mut lines = part.lines().skip_while(|line| !line.contains(" events, "));
        let head = lines.next().unwrap();
        let (name, rest) = head.split_once(": ").unwrap();
        let threads = dictionary(lines.next().unwrap());
        let sums = dictionary(lines.next().unwrap());
        let rows = lines.skip(1).map(|line| {
            let mut words = line.splitn(3, ' ');
            let mut number = || words.next().unwrap().parse().unwrap();
            (number(), number(), words.next().unwrap().to_owned())
        });
        found.push(Kind {
            name,
            events: rest.split(' ').next().unwrap().parse().unwrap(),
            threads: threads.into_iter().map(|(key, value)| (key, value as i64)).collect(),
            sums,
            rows: rows.collect(),
        });
    }
    (counts.collect(), found)
}

/// `java/lang/Thread.run()V` as we have it, without parameters.
fn plain(name: &str) -> String {
    name.split('(').next().unwrap().replace('/', ".")
}

fn without_parameters(values: BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (name, value) in values {
        *sums.entry(plain(&name)).or_default() += value;
    }
    sums
}

#[test]
fn events_threads_and_functions_are_those_of_jfr_print() {
    for file in SAMPLES {
        let found = sample(&format!("jfr/{file}"));
        let text = text(&format!("jfr/reports/{}.txt", file.trim_end_matches(".gz")));
        let (counts, kinds) = report(&text);
        assert!(!kinds.is_empty() && !counts.is_empty(), "{file}");
        for kind in kinds {
            let index = metric(&found, kind.name);
            assert_eq!(found.metric_total(index).0, kind.events, "{file}: {}", kind.name);
            assert_eq!(counts[kind.name], kind.events);
            let mut threads = BTreeMap::new();
            for row in 0..found.points.len() {
                let name = found.points.thread(row).map_or(String::new(), |thread| {
                    found.text(found.threads[thread.index()].name).to_owned()
                });
                *threads.entry(name).or_default() += found.points.value(row, index);
            }
            threads.retain(|_, count| *count > 0);
            if let Some(unnamed) = threads.remove("") {
                threads.insert("None".to_owned(), unnamed);
            }
            assert_eq!(threads, kind.threads, "{file}: {}", kind.name);
            for (field, sum) in &kind.sums {
                // The report's key for durations is `duration, s`, of which the split keeps `s`.
                let (field, unit) =
                    if field == "s" { ("duration", 1e9) } else { (field.as_str(), 1.0) };
                let total = found.metric_total(metric(&found, &format!("{} {field}", kind.name))).0;
                assert!(
                    (total as f64 / unit - sum).abs() < 2e-6 * unit.recip().max(1.0),
                    "{file}: {field} {total} {sum}"
                );
            }
            let (own, totals) = (self_values(&found, index), total_values(&found, index));
            let (own, totals) = (without_parameters(own), without_parameters(totals));
            let mut expected = BTreeMap::<String, i64>::new();
            for (own, _, name) in &kind.rows {
                *expected.entry(plain(name)).or_default() += own;
            }
            for (name, count) in expected {
                assert!(
                    own.get(&name).copied().unwrap_or(0) >= count,
                    "{file}: {} {name}",
                    kind.name
                );
            }
            for (_, total, name) in &kind.rows {
                assert!(totals[&plain(name)] >= *total, "{file}: {} {name}", kind.name);
            }
        }
    }
    check_a_real_file();
}

#[test]
fn samples_are_in_the_order_of_time_and_labelled() {
    let found = sample("jfr/plain.jfr");
    // Points of spans have no time.
    let times: Vec<_> = (0..found.points.len()).filter_map(|row| found.points.time(row)).collect();
    assert_eq!(times.len(), 123);
    assert!(times.is_sorted() && times[0] >= 0);
    assert!(*times.last().unwrap() <= found.origin.duration_ns);
    assert!(labels(&found, "state").contains(&"STATE_RUNNABLE".to_owned()));
    assert!(labels(&found, "frame type").contains(&"JIT compiled".to_owned()));
    assert_eq!(
        (found.origin.period, found.metrics[found.origin.default_metric.index()].name.as_str()),
        (10_000_000, "jdk.ExecutionSample")
    );
    // 2026-11-21 05:35:57 UTC, as `jfr summary` says.
    assert_eq!(found.origin.time_ns / 1_000_000_000, 1_795_239_357);
}

fn labels(found: &Profile, key: &str) -> Vec<String> {
    let all = found.label_sets.all_labels();
    let values = all.filter(|label| found.text(label.key) == key).map(|label| match label.value {
        LabelValue::Text(text) => found.text(text).to_owned(),
        LabelValue::Number(..) => String::new(),
    });
    values.collect()
}

#[test]
fn reports_cut_stacks() {
    let bytes = std::fs::read(crate::measured::testdata("jfr/tlab.jfr")).unwrap();
    let told = warnings(bytes);
    assert!(told.iter().any(|message| message.contains("outermost frames")), "{told:?}");
    let found = sample("jfr/tlab.jfr");
    assert!(labels(&found, "truncated").contains(&"true".to_owned()));
    let deepest = found.points.context.iter().map(|&at| names(&found, at).len()).max();
    assert_eq!(deepest, Some(5));
}

#[test]
fn chunks_are_read_one_by_one_and_unfinished_ones_as_far_as_they_go() {
    let bytes = std::fs::read(crate::measured::testdata("jfr/plain.jfr")).unwrap();
    let once = profile(&bytes);
    let twice = profile([&bytes[..], &bytes].concat());
    // The same spans once more are inside of themselves: their time counts once.
    let is_doubled = |metric: &MetricId| once.metric(*metric).name != "event time";
    for metric in once.metric_ids().filter(is_doubled) {
        assert_eq!(twice.metric_total(metric).0, 2 * once.metric_total(metric).0);
    }
    assert_eq!(twice.contexts.len(), once.contexts.len());
    assert_eq!(twice.threads, once.threads);
    // Size 0: nobody finished the chunk.
    let mut open = bytes.clone();
    open[8..16].fill(0);
    let found = profile([&open[..], &bytes].concat());
    assert_eq!(found.metric_total(MetricId(0)).0, twice.metric_total(MetricId(0)).0);
    let cut = read([&bytes[..], &bytes[..bytes.len() / 2]].concat()).unwrap();
    assert!(!cut.warnings.is_empty());
    let nothing = read(&bytes[..bytes.len() / 2]).unwrap_err().to_string();
    assert!(nothing.contains("the chunk at byte 0 is cut short"), "{nothing}");
    let error = read(&bytes[..40]).unwrap_err().to_string();
    assert!(error.contains("header"), "{error}");
    let mut old = bytes;
    old[5] = 0;
    old[4] = 9;
    assert!(read(&old).unwrap_err().to_string().contains("version"));
}

/// The same of real files, where they are.
fn check_a_real_file() {
    let Some(bytes) = corpus("jfr/heavy.jfr") else { return };
    let found = profile(bytes);
    // As `jfr summary` has it.
    for (name, count) in [
        ("jdk.ExecutionSample", 346),
        ("jdk.NativeMethodSample", 44),
        ("jdk.ObjectAllocationSample", 25),
    ] {
        assert_eq!(found.metric_total(metric(&found, name)).0, count, "{name}");
    }
}

/// A recording without any stack has as many events as one with them.
#[test]
fn events_count_without_stacks() {
    let mut bytes = std::fs::read(crate::measured::testdata("jfr/plain.jfr")).unwrap();
    let (known, other) = (b"jdk.types.StackTrace", b"jdk.types.StackTracX");
    let places: Vec<usize> =
        (0..bytes.len() - known.len()).filter(|at| bytes[*at..].starts_with(known)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + known.len()].copy_from_slice(other);
    }
    let (usual, found) = (sample("jfr/plain.jfr"), profile(&bytes));
    let mut counted = 0;
    for (number, metric) in usual.metrics.iter().enumerate() {
        let total = usual.metric_total(MetricId(number as u32)).0;
        assert_eq!(
            found.metric_total(self::metric(&found, &metric.name)).0,
            total,
            "{}",
            metric.name
        );
        counted += total;
    }
    assert!(counted > 0 && found.contexts.len() < usual.contexts.len());
}
