//! `hotframe convert`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{VIEWS, assert_close, fail, json, number, rows, sample, samples, succeed, write};

/// The report of a file without its title.
pub(super) fn report(path: &Path, view: &str, metric: &str) -> Value {
    let arguments: [&dyn AsRef<OsStr>; 8] =
        [&"show", &path, &"--view", &view, &"--metric", &metric, &"--format", &"json"];
    let mut report = json(&arguments);
    report["profile"]["title"] = Value::Null;
    report
}

#[test]
fn pprof_survives_a_conversion_to_itself() {
    let folder = TempDir::new().unwrap();
    for (path, _) in samples("pprof") {
        for name in ["out.pb.gz", "out.pb"] {
            let output = folder.path().join(name);
            let (_, err) = succeed(&[&"convert", &path, &"-o", &output]);
            assert_eq!(err, "", "{}", path.display());
            let packed = std::fs::read(&output).unwrap().starts_with(&[0x1f, 0x8b]);
            assert_eq!(packed, name.ends_with(".gz"));
            let info = json(&[&"info", &path, &"--format", &"json"]);
            assert_eq!(json(&[&"info", &output, &"--format", &"json"]), info);
            for metric in info["metrics"].as_array().unwrap() {
                let metric = metric["name"].as_str().unwrap();
                for view in VIEWS {
                    let same = report(&path, view, metric) == report(&output, view, metric);
                    assert!(same, "{view} of {metric} of {} differs", path.display());
                }
            }
        }
    }
}

#[test]
fn collapsed_stacks_come_back_from_pprof() {
    let folder = TempDir::new().unwrap();
    // Lines of equal stacks may be one or several.
    let stacks = |path: &Path| -> BTreeMap<String, i64> {
        let mut stacks = BTreeMap::new();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let (stack, count) = line.rsplit_once(' ').unwrap();
            *stacks.entry(stack.to_owned()).or_default() += count.parse::<i64>().unwrap();
        }
        stacks
    };
    for (name, metric) in [("pprof/cpu.pb.gz", "samples"), ("collapsed/perf.collapsed", "samples")]
    {
        let path = sample(name);
        let first = folder.path().join("first.collapsed");
        let middle = folder.path().join("middle.pb.gz");
        let second = folder.path().join("second.collapsed");
        succeed(&[&"convert", &path, &"-o", &first, &"--metric", &metric]);
        succeed(&[&"convert", &first, &"-o", &middle]);
        succeed(&[&"convert", &middle, &"-o", &second]);
        assert!(stacks(&first).len() > 10);
        assert!(stacks(&first) == stacks(&second), "{name} changed on its way");
        let total = |path: &Path| report(path, "flat", metric)["total"].clone();
        assert_eq!(total(&path), total(&second));
    }
}

#[test]
fn a_conversion_tells_what_it_loses() {
    let folder = TempDir::new().unwrap();
    let path = sample("pprof/labels.pb.gz");
    let collapsed = folder.path().join("out.collapsed");
    let (_, err) = succeed(&[&"convert", &path, &"-o", &collapsed, &"--metric", &"samples"]);
    assert!(err.contains("labels") && err.contains("default one: cpu"), "{err}");
    let speedscope = folder.path().join("out.speedscope.json");
    let (_, err) = succeed(&[&"convert", &path, &"-o", &speedscope]);
    assert!(err.contains("labels") && err.contains("modules"), "{err}");
    let (_, err) = succeed(&[&"convert", &path, &"-o", &folder.path().join("out.pb.gz")]);
    assert_eq!(err, "");
    let (_, err) =
        succeed(&[&"convert", &path, &"-o", &folder.path().join("a.hotframe"), &"--strict"]);
    assert_eq!(err, "");
}

#[test]
fn a_strict_conversion_writes_all_or_nothing() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("out.collapsed");
    let path = sample("pprof/labels.pb.gz");
    let err = fail(1, &[&"convert", &path, &"-o", &target, &"--strict"]);
    assert!(err.contains("labels") && err.contains("--strict"), "{err}");
    assert!(!target.exists());
}

#[test]
fn speedscope_files_hold_every_metric() {
    for name in ["pprof/labels.pb.gz", "pprof/heap.pb.gz", "collapsed/py-spy.collapsed"] {
        let path = sample(name);
        let file = json(&[&"convert", &path, &"--to", &"speedscope", &"-o", &"-"]);
        assert!(file["$schema"].as_str().unwrap().contains("speedscope"), "{name}");
        let frames = file["shared"]["frames"].as_array().unwrap();
        let info = json(&[&"info", &path, &"--format", &"json"]);
        let metrics = info["metrics"].as_array().unwrap();
        let profiles = file["profiles"].as_array().unwrap();
        assert_eq!(profiles.len(), metrics.len(), "{name}");
        assert!(frames.iter().all(|frame| frame["name"].is_string()), "{name}");
        for (profile, metric) in profiles.iter().zip(metrics) {
            assert_eq!(profile["type"], "sampled", "{name}");
            let samples = profile["samples"].as_array().unwrap();
            let weights = profile["weights"].as_array().unwrap();
            assert_eq!(samples.len(), weights.len(), "{name}");
            let indexes = samples.iter().flat_map(|sample| sample.as_array().unwrap());
            let mut indexes = indexes.map(|index| index.as_u64().unwrap() as usize);
            assert!(indexes.all(|index| index < frames.len()), "{name}");
            let sum: f64 = weights.iter().map(number).sum();
            let extent = number(&profile["endValue"]) - number(&profile["startValue"]);
            assert_close(sum, extent, name);
            // speedscope knows a few units; bytes, counts and nanoseconds are among them.
            assert_close(sum, number(&metric["total"]), name);
        }
    }
}

#[test]
fn conversions_that_cannot_be_are_refused() {
    let folder = TempDir::new().unwrap();
    let bytes = std::fs::read(sample("pprof/cpu.pb.gz")).unwrap();
    let path = write(&folder, "same.pb.gz", &bytes);
    let output = folder.path().join("out.xyz");
    let err = fail(1, &[&"convert", &path, &"-o", &output, &"--to", &"nonsense"]);
    for word in ["nonsense", "pprof", "collapsed", "speedscope"] {
        assert!(err.contains(word), "no {word} in {err}");
    }
    let err = fail(1, &[&"convert", &path, &"-o", &output]);
    assert!(err.contains("out.xyz") && err.contains("--to"), "{err}");
    let err = fail(1, &[&"convert", &path, &"-o", &output, &"--to", &"pprof", &"--metric", &"no"]);
    assert!(err.contains("cpu") && err.contains("samples"), "{err}");
    let nowhere = folder.path().join("nowhere/out.pb.gz");
    assert!(fail(1, &[&"convert", &path, &"-o", &nowhere]).contains("out.pb.gz"));

    let mut same = vec![path.clone(), folder.path().join("./same.pb.gz")];
    #[cfg(unix)]
    {
        let link = folder.path().join("link.pb.gz");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        same.push(link);
    }
    for output in same {
        let err = fail(1, &[&"convert", &path, &"-o", &output]);
        assert!(err.contains(output.file_name().unwrap().to_str().unwrap()), "{err}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "the input was touched");
    let left = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name());
    let left: BTreeSet<_> = left.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(left.is_subset(&["same.pb.gz", "link.pb.gz"].map(str::to_owned).into()), "{left:?}");
}

/// Self and total by function and module.
pub(super) fn values(report: &Value) -> BTreeMap<(String, String), (f64, f64)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |row: &Value| {
        let key = (text(&row["function"]), text(&row["module"]));
        (key, (number(&row["self"]), number(&row["total"])))
    };
    rows(report).iter().map(row).filter(|(_, values)| *values != (0.0, 0.0)).collect()
}

#[test]
fn what_was_said_of_a_file_is_said_of_what_it_became() {
    let folder = TempDir::new().unwrap();
    let (path, output) = (sample("calls/bounded.calls"), folder.path().join("out.hotframe"));
    succeed(&[&"convert", &path, &"-o", &output]);
    let warnings = |path: &Path| json(&[&"info", &path, &"--format", &"json"])["warnings"].clone();
    assert!(warnings(&path).as_array().is_some_and(|all| all.len() == 4));
    assert_eq!(warnings(&output), warnings(&path));
}
