//! VisPerf's CSV: sums of the rows, taken by their quotes alone, are the measure.

use std::collections::BTreeMap;

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
