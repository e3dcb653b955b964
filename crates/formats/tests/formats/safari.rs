//! Safari's timelines.

use crate::measured::{corpus, folded, profile, warnings};
use profile::MetricId;

const TEXT: &str = r#"{"version":1,"recording":{"displayName":"Timeline","startTime":4.5,"endTime":5,
        "instrumentTypes":[],"records":[{"type":"cpu"}],
        "sampleStackTraces":[{"timestamp":4.6,"stackFrames":[
        {"name":"b","line":20,"column":5,"url":"a.js","expressionLocation":{"line":22,"column":3}},
        {"name":"","line":1,"column":1,"url":"a.js"}]}],"sampleDurations":[0.0015]}}"#;

#[test]
fn samples_have_durations_and_places() {
    let found = profile(TEXT);
    assert_eq!(folded(&found, MetricId(0)), ["(anonymous);b 1500000"]);
    assert_eq!(found.points.time(0), Some(100_000_000));
    assert!(found.frames.line.contains(&22) && found.functions.start_line.contains(&20));
    assert!(warnings(TEXT)[0].contains("other records"));
}

#[test]
fn durations_add_up() {
    for bytes in std::iter::once(TEXT.into()).chain(corpus("safari/simple.json")) {
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let durations = json["recording"]["sampleDurations"].as_array().unwrap();
        let sum: i64 = durations.iter().map(|d| (d.as_f64().unwrap() * 1e9).round() as i64).sum();
        let found = profile(bytes);
        assert_eq!(found.metric_total(MetricId(0)).0, sum);
        assert_eq!(found.metric_total(MetricId(1)).0, durations.len() as i64);
    }
}
