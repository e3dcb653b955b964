//! `hotframe info`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{assert_close, json, keys, number, sample, samples, stdout};

#[test]
fn info_tells_what_the_golden_files_hold() {
    for (path, golden) in samples("pprof").into_iter().chain(samples("collapsed")) {
        let info = json(&[&"info", &path, &"--format", &"json"]);
        let name = path.display();
        let wanted = [
            "format",
            "producer",
            "duration_ns",
            "metrics",
            "contexts",
            "frames",
            "functions",
            "stacks",
            "samples",
            "threads",
            "version",
            "warnings",
        ];
        assert_eq!(keys(&info), BTreeSet::from(wanted), "{name}");
        assert!(info["producer"].is_string() && info["duration_ns"].is_i64(), "{name}");
        assert!(info["threads"].is_u64(), "{name}");
        assert!(info["warnings"].as_array().unwrap().iter().all(Value::is_string), "{name}");
        let format = golden[0].split(' ').nth(1).unwrap();
        assert_eq!(info["format"], format, "{name}");

        let metrics = info["metrics"].as_array().unwrap();
        let known: Vec<&String> =
            golden.iter().filter(|line| line.starts_with("metric ")).collect();
        assert_eq!(metrics.len(), known.len(), "{name}");
        for (metric, line) in metrics.iter().zip(known) {
            assert_eq!(keys(metric), BTreeSet::from(["name", "unit", "total"]), "{name}");
            let (head, total) = line.split_once(" total ").unwrap();
            let (head, decimals) = head.rsplit_once(" e-").unwrap();
            let own = format!(
                "metric {} {}",
                metric["name"].as_str().unwrap(),
                metric["unit"].as_str().unwrap()
            );
            assert_eq!(head.trim_end(), own.trim_end(), "{name}");
            let total: f64 = total.split(' ').next().unwrap().parse().unwrap();
            let scale = 10f64.powi(decimals.parse().unwrap());
            assert_close(number(&metric["total"]), total / scale, &name.to_string());
        }

        let counts = golden.iter().find(|line| line.starts_with("contexts ")).unwrap();
        let count = |word: &str| -> u64 {
            let at = counts.find(&format!("{word} ")).unwrap() + word.len() + 1;
            counts[at..].split(' ').next().unwrap().parse().unwrap()
        };
        // The golden files count the root.
        assert_eq!(info["contexts"], count("contexts") - 1, "{name}");
        assert_eq!(info["frames"], count("frames"), "{name}");
        assert_eq!(info["functions"], count("functions"), "{name}");
        assert_eq!(info["stacks"], count("points"), "{name}");
        // Several samples may have one stack.
        let samples = metrics.iter().find(|metric| metric["name"] == "samples");
        let is_whole = |metric: &&Value| metric["total"].is_u64();
        let samples = samples.filter(|metric| metric["unit"] == "count").filter(is_whole);
        let samples = samples.map_or(&info["stacks"], |metric| &metric["total"]);
        assert_eq!(&info["samples"], samples, "{name}");
    }
}

#[test]
fn info_as_text_names_format_metrics_and_warnings() {
    let path = sample("pprof/heap.pb.gz");
    let text = stdout(&[&"info", &path]);
    let info = json(&[&"info", &path, &"--format", &"json"]);
    assert_eq!(text.lines().next(), Some("heap.pb.gz"));
    assert!(text.lines().any(|line| line.split_whitespace().eq(["format", "pprof"])), "{text}");
    let metrics = info["metrics"].as_array().unwrap();
    assert!(metrics.len() > 1);
    for metric in metrics {
        let name = metric["name"].as_str().unwrap();
        let unit = metric["unit"].as_str().unwrap();
        let is_line = |line: &str| line.split_whitespace().take(2).eq([name, unit]);
        assert!(text.lines().any(is_line), "{name} is missing in {text}");
    }
    assert_eq!(text.matches("(default)").count(), 1, "{text}");

    let path = sample("collapsed/bad-lines.collapsed");
    let text = stdout(&[&"info", &path]);
    let info = json(&[&"info", &path, &"--format", &"json"]);
    let warnings = info["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty());
    for warning in warnings {
        assert!(text.contains(warning.as_str().unwrap()), "{warning} is missing in {text}");
    }
    let text = stdout(&[&"info", &sample("pprof/labels.pb.gz")]);
    let labels = text.lines().find(|line| line.starts_with("  labels")).unwrap();
    assert!(["batch", "step", "tenant"].iter().all(|key| labels.contains(key)), "{labels}");
}
