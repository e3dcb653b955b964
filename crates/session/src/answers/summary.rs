//! [`protocol::Request::Summary`].

use protocol::{MetricInfo, ProtocolError, SummaryColumns, SummaryResult, WarningInfo};

use crate::{Answer, Document};

pub(crate) fn summary(document: &Document) -> Result<Answer, ProtocolError> {
    let profile = document.profile();
    let origin = &profile.origin;
    let nanoseconds = |ns: i64| (ns != 0).then_some(ns as f64 / 1e9);
    let doc_url =
        match origin.doc_url.starts_with("http://") || origin.doc_url.starts_with("https://") {
            true => origin.doc_url.clone(),
            false => String::new(),
        };
    let result = SummaryResult {
        title: document.title().to_owned(),
        format: origin.format.clone(),
        producer: origin.producer.clone(),
        time_s: nanoseconds(origin.time_ns),
        duration_s: nanoseconds(origin.duration_ns),
        metrics: (profile.metrics.iter())
            .map(|metric| MetricInfo {
                name: metric.name.clone(),
                unit: metric.unit.clone(),
                decimals: metric.decimals.into(),
            })
            .collect(),
        default_metric: origin.default_metric as u32,
        contexts: (profile.contexts.len() - 1) as f64,
        frames: profile.frames.len() as f64,
        functions: profile.functions.len() as f64,
        points: profile.points.len() as f64,
        threads: document.threads(),
        label_keys: document.label_keys(),
        comments: origin.comments.clone(),
        doc_url,
        warnings: (document.warnings().into_iter())
            .map(|(message, count)| WarningInfo { message, count: count as f64 })
            .collect(),
        opened_s: document.opened_s(),
    };
    let total = (0..profile.metrics.len()).map(|metric| profile.metric_total(metric).0).collect();
    Ok(Answer::new(result).with(SummaryColumns { total }))
}
