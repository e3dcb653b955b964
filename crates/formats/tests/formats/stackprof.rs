//! stackprof's JSON, and its own report as the measure.

use crate::measured::{corpus, folded, profile, sample, self_values, text, total_values};
use profile::MetricId;

#[test]
fn self_values_are_those_of_the_report() {
    let mut compared = 0;
    for name in ["cpu", "wall", "object"] {
        let found = sample(&format!("stackprof/{name}.stackprof.json"));
        let report = text(&format!("stackprof/reports/{name}.stackprof.json.stackprof.txt"));
        let (own, all) = (self_values(&found, MetricId(0)), total_values(&found, MetricId(0)));
        let rows: Vec<_> =
            report.lines().skip_while(|line| !line.contains("TOTAL")).skip(1).collect();
        for row in &rows {
            let words: Vec<_> = row.split_whitespace().collect();
            let [total, _, samples, _, ..] = words[..] else { continue };
            let function = words[4..].join(" ");
            // Methods of one name in several files are rows of their own.
            if rows.iter().filter(|row| row.ends_with(&format!("  {function}"))).count() > 1 {
                continue;
            }
            assert_eq!(
                own.get(&function).copied().unwrap_or(0).to_string(),
                samples,
                "{name}: {function}"
            );
            if name != "wall" {
                assert_eq!(all[&function].to_string(), total, "{name}: {function}");
            }
            compared += 1;
        }
        assert_eq!(found.origin.estimated_paths, name == "wall");
    }
    assert!(compared > 20, "only {compared} functions were compared");
    check_real_files();
}

#[test]
fn stacks_that_were_kept_stand_in_their_order() {
    let found = profile(
        r#"{"version":1.2,"mode":"wall","interval":1000,"samples":3,"gc_samples":0,"missed_samples":0,
        "frames":{"7":{"name":"a","file":"a.rb","line":3,"total_samples":3,"samples":1,"edges":{"9":2}},
        "9":{"name":"b","file":"a.rb","line":null,"total_samples":2,"samples":2}},
        "raw":[2,7,9,2,1,7,1],"raw_sample_timestamps":[100,200,350],"raw_timestamp_deltas":[50,100,150]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), ["a 1", "a;b 2"]);
    assert_eq!(folded(&found, MetricId(1)), ["a 150000", "a;b 150000"]);
    let times: Vec<_> = (0..3).map(|row| found.points.time(row).unwrap()).collect();
    assert_eq!(times, [0, 100_000, 250_000]);
}

/// The same of real files, where they are.
fn check_real_files() {
    let Some(bytes) = corpus("stackprof/object.json") else { return };
    let found = profile(bytes);
    assert_eq!(
        (found.metrics[0].name.as_str(), found.metric_total(MetricId(0)).0),
        ("objects", 103)
    );
}

/// Counts at the limits of 64 bits, and stacks that are cut before the first is whole.
#[test]
fn damaged_counts_end() {
    let frames = r#""frames":{"1":{"name":"a","file":"a.rb","line":1,"samples":-9223372036854775808,
        "edges":{"2":9223372036854775807},"lines":{"1":[1,1]}},"2":{"name":"b","line":2,"samples":1}}"#;
    let text = format!(r#"{{"version":1.2,"mode":"wall","interval":1000,"samples":1,{frames}}}"#);
    assert_eq!(crate::measured::profile(text).check(), []);
    let cut = r#"{"gc_samples":0,"mode":"wall","raw":[99,1,2,3]}"#;
    let nothing = crate::measured::read(cut).unwrap_err().to_string();
    assert!(nothing.contains("the last stack is cut"), "{nothing}");
}
