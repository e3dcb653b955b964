//! OpenTelemetry profiles against what OpenTelemetry's own classes decode.

use crate::encode::Message;
use crate::measured::{folded, profile, read, sample, text};
use formats::format_named;
use profile::{LabelValue, MetricId};
use serde_json::Value;

#[test]
fn values_by_stack_are_those_of_opentelemetry() {
    let found = sample("otlp/mill.otlp");
    let report = text("otlp/reports/mill.otlp.opentelemetry-proto.json");
    let report: Value = serde_json::from_str(&report).unwrap();
    for (index, expected) in report.as_array().unwrap().iter().enumerate() {
        assert_eq!(found.metrics[index].name, expected["metric"].as_str().unwrap());
        let expected: Vec<String> = (expected["stacks"].as_object().unwrap().iter())
            .map(|(stack, value)| format!("{stack} {value}"))
            .collect();
        assert_eq!(folded(&found, MetricId(index as u32)), expected);
    }
}

#[test]
fn threads_times_labels_and_modules() {
    let found = sample("otlp/mill.otlp");
    let threads: Vec<_> =
        (0..2).map(|thread| found.thread_name(profile::ThreadId(thread))).collect();
    assert_eq!(threads, ["miller 0 (1)", "miller 1 (2)"]);
    assert_eq!(found.process_name(profile::ProcessId(0)), "4711");
    assert!((0..found.points.len()).all(|point| found.points.time(point).is_some()));
    assert!(found.points.first_time().unwrap() >= 0);
    assert_eq!(found.text(found.modules[0].build_id), "a1b2c3");
    let labels: Vec<_> = found.label_sets.get(found.points.labels(0)).collect();
    assert_eq!(found.text(labels[0].key), "service.name");
    assert!(matches!(labels[1].value, LabelValue::Number(3 | 4, _)));
    assert_eq!(found.origin.period, 5_000_000);
    assert_eq!(found.origin.producer, "record.py 1");
}

#[test]
fn what_is_written_reads_the_same() {
    for path in ["otlp/mill.otlp", "pprof/labels.pb.gz", "pprof/cpu.pb.gz", "tau/field"] {
        let root = crate::measured::testdata(path);
        let first = if root.is_dir() { continue } else { sample(path) };
        let mut bytes = vec![];
        format_named("otlp").unwrap().write(&first, &mut bytes).unwrap();
        let again = profile(&bytes);
        for (id, metric) in first.metric_ids().zip(&first.metrics) {
            let same = again.metric_ids().find(|&id| again.metric(id).name == metric.name).unwrap();
            assert_eq!(folded(&again, same), folded(&first, id), "{path} {}", metric.name);
        }
        assert_eq!(again.metrics[0].name, first.metric(first.origin.default_metric).name);
        assert_eq!(again.modules.len(), first.modules.len());
        assert_eq!(again.threads.len(), first.threads.len());
    }
}

/// A file with a dictionary of these strings, one function, and this sample.
fn file(sample: Message, with_stacks: bool) -> Vec<u8> {
    let kind = Message::default().int(1, 1).int(2, 2);
    let inner = Message::default().message(1, kind).message(2, sample);
    let scope = Message::default().message(2, inner);
    let resource = Message::default().message(2, scope);
    let line = Message::default().int(1, 1).int(2, 7);
    let mut tables = Message::default()
        .bytes(1, b"")
        .bytes(2, b"")
        .message(2, Message::default().int(2, 64).message(3, line))
        .bytes(3, b"")
        .message(3, Message::default().int(1, 3).int(3, 4));
    for text in ["", "cpu", "ns", "main", "a.c"] {
        tables = tables.bytes(5, text.as_bytes());
    }
    if with_stacks {
        tables = tables.bytes(7, b"").message(7, Message::default().packed(1, &[1]));
    }
    Message::default().message(1, resource).message(2, tables).0
}

#[test]
fn reports_indices_that_lead_nowhere() {
    let sample = Message::default().int(1, 9).packed(2, &[5]).packed(4, &[12]);
    let opened = read(file(sample, true)).unwrap();
    let found: Vec<_> = opened.warnings.iter().map(|warning| warning.message.clone()).collect();
    assert!(found.iter().any(|w| w.contains("stack 9")), "{found:?}");
    assert!(found.iter().any(|w| w.contains("attribute 5")), "{found:?}");
    assert_eq!(opened.profile.metric_total(MetricId(0)).0, 12);
}

#[test]
fn older_versions_are_named_as_too_old() {
    let sample = Message::default().int(1, 0).int(2, 1).packed(3, &[12]);
    let error = read(file(sample, false)).unwrap_err().to_string();
    assert!(error.contains("before OTLP 1.8"), "{error}");
}
