//! V8's heap profiles, and sums by the protocol's definition as the measure.

use crate::measured::{both, profile, sample, stacks, text};
use profile::MetricId;

#[test]
fn sums_are_those_of_the_protocol() {
    for name in ["main", "worker", "collected", "browser"] {
        let found = sample(&format!("heapprofile/{name}.heapprofile"));
        let report = text(&format!("heapprofile/reports/{name}.heapprofile.report.txt"));
        let number = |line: &str| -> i64 { line.rsplit(' ').next().unwrap().parse().unwrap() };
        let mut lines = report.lines();
        assert_eq!(found.metric_total(MetricId(0)).0, number(lines.next().unwrap()), "{name}");
        let samples = lines.next().unwrap();
        assert_eq!(found.metric_total(MetricId(1)).0, number(samples), "{name}");
        assert_eq!(
            found.metric_total(MetricId(2)).0.to_string(),
            samples.split(' ').nth(1).unwrap()
        );
        let totals = crate::measured::total_values(&found, MetricId(0));
        let mut compared = 0;
        for row in lines.skip(1).filter(|row| row.split(' ').count() == 4) {
            let mut words = row.splitn(3, ' ');
            let total: i64 = words.nth(1).unwrap().parse().unwrap();
            let function = words.next().unwrap().split(' ').next().unwrap();
            let unique = report.lines().filter(|l| l.split(' ').nth(2) == Some(function)).count();
            if unique == 1 && function != "get" {
                assert_eq!(totals.get(function).copied().unwrap_or(0), total, "{name}: {function}");
                compared += 1;
            }
        }
        assert!(compared > 1, "{name}: {compared}");
    }
}

#[test]
fn samples_stand_in_the_order_of_their_allocation() {
    let found = profile(
        r#"{"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},
        "selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"a","url":"a.js","lineNumber":1,
        "columnNumber":2},"selfSize":30,"id":2,"children":[]}]},
        "samples":[{"size":20,"nodeId":2,"ordinal":9},{"size":11,"nodeId":2,"ordinal":3}]}"#,
    );
    let expected = [[30, 0, 0], [0, 11, 1], [0, 20, 1]];
    assert_eq!(stacks(&found), expected.map(|values| ("a".to_owned(), values.to_vec())));
}

#[test]
fn real_files_open() {
    let ours = ["heapprofile/main.heapprofile", "heapprofile/collected.heapprofile"];
    for (path, bytes) in both(&ours, &["heapprofile/node-10.heapprofile"]) {
        let text = String::from_utf8(bytes).unwrap();
        let sizes = text.split("\"selfSize\":").skip(1).map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<i64>().unwrap()
        });
        let sum: i64 = sizes.sum();
        let found = profile(&text);
        assert_eq!(found.metric_total(MetricId(0)).0, sum, "{path}");
        // Those of before samples were kept have their sizes alone.
        let is_old = !text.contains("\"samples\"");
        assert_eq!(found.metrics.len() == 1, is_old, "{path}");
    }
}
