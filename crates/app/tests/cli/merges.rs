//! Profiles that become one, whose members they are.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::conversions::{report, values};
use super::{assert_close, fail, json, number, rows, sample, stdout, succeed, write};

fn members(info: &Value) -> Vec<(&str, Vec<f64>)> {
    let member = |member: &'_ Value| -> Vec<f64> {
        member["totals"].as_array().unwrap().iter().map(number).collect()
    };
    let list = info["members"].as_array().unwrap();
    list.iter().map(|m| (m["name"].as_str().unwrap(), member(m))).collect()
}

#[test]
fn many_profiles_become_members_of_one() {
    let folder = TempDir::new().unwrap();
    let paths = ["cpu", "labels", "heap"].map(|name| sample(&format!("pprof/{name}.pb.gz")));
    let output = folder.path().join("all.hotframe");
    let (out, err) = succeed(&[&"convert", &paths[0], &paths[1], &paths[2], &"-o", &output]);
    assert_eq!(out, "");
    assert!(err.contains("3 profiles are one: 3 members, 6 metrics (0 in every profile)"), "{err}");
    assert!(err.contains("1 of 3 profiles do not have the metric cpu"), "{err}");

    let info = json(&[&"info", &output, &"--format", &"json"]);
    let metrics = info["metrics"].as_array().unwrap();
    let mut sums = vec![0.0; metrics.len()];
    for (path, (name, totals)) in paths.iter().zip(members(&info)) {
        assert_eq!(path.file_name().unwrap(), name);
        let own = json(&[&"info", path, &"--format", &"json"]);
        let own = own["metrics"].as_array().unwrap();
        for ((metric, total), sum) in metrics.iter().zip(totals).zip(&mut sums) {
            let own = own.iter().find(|own| own["name"] == metric["name"]);
            assert_close(total, own.map_or(0.0, |own| number(&own["total"])), name);
            *sum += total;
        }
        let own_rows = report(path, "flat", "0");
        let metric = own_rows["metric"]["name"].as_str().unwrap();
        let filter = format!("member=^{}$", name.replace('.', "\\."));
        let filtered = json(&[
            &"show",
            &output,
            &"--metric",
            &metric,
            &"--label-focus",
            &filter,
            &"--format",
            &"json",
        ]);
        assert!(values(&filtered) == values(&own_rows), "{name}");
    }
    for (metric, sum) in metrics.iter().zip(sums) {
        assert_close(number(&metric["total"]), sum, "the members add up");
    }

    // Several inputs mean the same wherever they stand.
    let converted = folder.path().join("converted.hotframe");
    succeed(&[&"convert", &paths[0], &paths[1], &paths[2], &"-o", &converted]);
    assert!(std::fs::read(&output).unwrap() == std::fs::read(&converted).unwrap());
    let direct = json(&[&"info", &paths[0], &paths[1], &paths[2], &"--format", &"json"]);
    assert_eq!(direct["members"], info["members"]);
    let direct = stdout(&[&"show", &paths[0], &paths[1], &paths[2], &"--metric", &"cpu"]);
    let merged = stdout(&[&"show", &output, &"--metric", &"cpu"]);
    assert_eq!(
        direct.lines().skip(1).collect::<Vec<_>>(),
        merged.lines().skip(1).collect::<Vec<_>>()
    );
    assert!(direct.starts_with("cpu.pb.gz and 2 more  cpu"), "{direct}");
    let text = stdout(&[&"info", &output]);
    assert!(text.contains("3 members (cpu)\n    cpu.pb.gz "), "{text}");
}

#[test]
fn a_folder_of_profiles_is_all_of_them() {
    let folder = TempDir::new().unwrap();
    let runs = folder.path().join("runs");
    std::fs::create_dir_all(runs.join("late")).unwrap();
    std::fs::write(runs.join("b.collapsed"), "main;f 2\n").unwrap();
    std::fs::write(runs.join("late/a.collapsed"), "main;f 3\nmain;g 4\n").unwrap();
    std::fs::write(runs.join("readme.bin"), b"\0\0").unwrap();
    let info = json(&[&"info", &runs, &"--format", &"json"]);
    let named = [("runs/b.collapsed", vec![2.0]), ("runs/late/a.collapsed", vec![7.0])];
    assert_eq!(members(&info), named);
    assert!(info["warnings"][0].as_str().unwrap().contains("readme.bin"), "{info}");
    let single = write(&folder, "c.collapsed", "main 1\n");
    let output = folder.path().join("out.collapsed");
    let (_, err) = succeed(&[&"convert", &runs, &single, &"-o", &output]);
    assert!(err.contains("cannot hold: which of several profiles"), "{err}");
    let mut lines: Vec<_> =
        std::fs::read_to_string(&output).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["main 1", "main;f 5", "main;g 4"]);

    // Names that folders tell apart keep as many of these as do.
    let other = folder.path().join("b.collapsed");
    std::fs::write(&other, "main 5\n").unwrap();
    let info = json(&[&"info", &runs.join("b.collapsed"), &other, &"--format", &"json"]);
    let parent = folder.path().file_name().unwrap().to_str().unwrap();
    let told = format!("{parent}/b.collapsed");
    assert_eq!(members(&info), [("runs/b.collapsed", vec![2.0]), (told.as_str(), vec![5.0])]);
}

#[test]
fn merges_that_cannot_be_are_refused() {
    let folder = TempDir::new().unwrap();
    let paths = [write(&folder, "a.collapsed", "main 1\n"), write(&folder, "b.collapsed", "f 2\n")];
    let err = fail(1, &[&"convert", &"--one", &paths[0], &paths[1], &"-o", &folder.path()]);
    assert!(err.contains("is a folder"), "{err}");
    let err = fail(1, &[&"convert", &paths[0], &paths[1], &"-o", &paths[1]]);
    assert!(err.contains("b.collapsed is both input and output"), "{err}");
    let output = folder.path().join("out.collapsed");
    let err = fail(1, &[&"convert", &paths[0], &paths[1], &"-o", &output, &"--strict"]);
    assert!(err.contains("--strict") && !output.exists(), "{err}");
    let err = fail(1, &[&"convert", &paths[0], &folder.path().join("no"), &"-o", &output]);
    assert!(err.contains("no") && !output.exists(), "{err}");
    let err = fail(1, &[&"info", &paths[0], &paths[1], &"--max-memory", &"1"]);
    assert!(err.contains("--max-memory"), "{err}");
    // Into a folder each is written by itself.
    succeed(&[&"convert", &paths[0], &paths[1], &"-o", &folder.path(), &"--to", &"pprof"]);
    assert_eq!(members_of(&folder.path().join("b.pb.gz")), 0);
}

fn members_of(path: &Path) -> usize {
    let info = json(&[&"info", &path, &"--format", &"json"]);
    info["members"].as_array().map_or(0, Vec::len)
}

/// Recordings on one axis: what the command line moves is told, and ranges are of the moved times.
#[test]
fn recordings_are_aligned() {
    let folder = TempDir::new().unwrap();
    let trace = |name: &str, start: u64| {
        let span = |name: &str, at: u64, lasts: u64| {
            format!(
                "{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"{name}\",\"ts\":{at},\"dur\":{lasts}}}"
            )
        };
        let all = [span("wait", 0, start), span("phase", start, 10), span("phase", start + 50, 10)];
        write(&folder, name, format!("[{}]", all.join(",")))
    };
    let (one, two) = (trace("one.json", 30), trace("two.json", 100));
    let calls = |range: &str, align: &str| {
        let how: &[&dyn AsRef<std::ffi::OsStr>] =
            &[&"--time", &range, &"--metric", &"calls", &"--format", &"json"];
        let moved: &[&dyn AsRef<std::ffi::OsStr>] = &[&"--align", &align];
        let moved = if align.is_empty() { &[] } else { moved };
        let report = json(&[&[&"show", &one as &dyn AsRef<_>, &two], how, moved].concat());
        rows(&report).iter().map(|row| number(&row["self"])).sum::<f64>()
    };
    // Of both recordings both phases begin 30 and 80 microseconds after the start of the first.
    assert_close(calls("30us..31us", ""), 1.0, "as recorded");
    assert_close(calls("30us..31us", "at:phase"), 2.0, "the first phase");
    assert_close(calls("80us..81us", "at:phase"), 2.0, "the second phase");
    assert_close(calls("30us..31us", "#2=-70us"), 2.0, "by hand");
    let (_, told) = succeed(&[&"show", &one, &two, &"--align", &"at:phase"]);
    let expected = "times are moved to align by at:phase: one.json by 0ns (its first of 2), \
                    two.json by -70us (its first of 2)";
    assert!(told.contains(expected), "{told}");
    let (_, told) = succeed(&[&"show", &one, &two, &"--align", &"at:nothing"]);
    assert!(
        told.contains("recordings stay as they are: no span and no mark of 'one.json'"),
        "{told}"
    );
}

/// Two recordings of the same steps, the second with a slow one: the change is where that is.
#[test]
fn recordings_are_compared_by_their_progress() {
    let folder = TempDir::new().unwrap();
    let trace = |name: &str, slow: u64, has_old: bool| {
        let mut at = 7 * slow;
        let mut all = vec![];
        let mut span = |name: &str, at: u64, lasts: u64| {
            all.push(format!(
                "{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"{name}\",\"ts\":{at},\"dur\":{lasts}}}"
            ));
        };
        for frame in 0..10 {
            let load = if frame == 4 { 100 * slow } else { 100 };
            span("frame", at, load + 250);
            span("load", at + 10, load);
            span("draw", at + load + 20, 200);
            if has_old {
                span("old", at + load + 222, 5);
            }
            at += load + 300;
        }
        write(&folder, name, format!("[{}]", all.join(",")))
    };
    let (one, two) = (trace("one.json", 1, true), trace("two.json", 3, false));
    let changed = |more: &[&dyn AsRef<std::ffi::OsStr>]| {
        let how: &[&dyn AsRef<std::ffi::OsStr>] = &[&"diff", &one, &two, &"--format", &"json"];
        json(&[how, more].concat())
    };
    let spans = changed(&[&"--view", &"spans"]);
    let row = |name: &str| rows(&spans).iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(row("load")["total"]["difference"], 200_000);
    assert_eq!(row("load")["new"]["longest_ns"], 300_000);
    assert_eq!(row("load")["base"]["longest_ns"], 100_000);
    assert_eq!(row("old")["total"]["tag"], "[D]");
    assert_eq!(
        (&row("old")["base"]["count"], &row("old")["new"]["count"]),
        (&10.into(), &0.into())
    );
    // As they were recorded everything behind the slow frame is in other stretches, too.
    let of = |more: &[&dyn AsRef<std::ffi::OsStr>]| {
        let report =
            changed(&[&[&"--view" as &dyn AsRef<_>, &"timeline", &"-n", &"10"], more].concat());
        let of = |row: &serde_json::Value, key: &str| number(&row["value"][key]);
        let sum = |key: &str| rows(&report).iter().map(|row| of(row, key)).sum::<f64>();
        assert_close(sum("base"), 3_500_000.0, "all of the base");
        assert_close(sum("new"), 3_700_000.0, "all of the new side");
        let has_changed = |row: &&serde_json::Value| of(row, "difference").abs() > 1.0;
        rows(&report)
            .iter()
            .filter(has_changed)
            .map(|row| of(row, "difference"))
            .collect::<Vec<_>>()
    };
    assert!(of(&[]).len() > 3);
    assert_eq!(of(&[&"--align", &"progress"]), [200_000.0]);
    // A phase of both, chosen by its time in the base: the fifth frame.
    let phase =
        changed(&[&"--align", &"progress", &"--time", &"1.6ms..1.95ms", &"--view", &"spans"]);
    let row = |name: &str| rows(&phase).iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(
        (&row("load")["total"]["base"], &row("load")["total"]["new"]),
        (&100_000.into(), &300_000.into())
    );
    let output = folder.path().join("both.json");
    let (_, told) = succeed(&[
        &"convert",
        &"--to",
        &"trace-event",
        &one,
        &two,
        &"--align",
        &"progress",
        &"-o",
        &output,
    ]);
    assert!(told.contains("how recordings are stretched"), "{told}");
}

/// Threads of equal identifiers stay those of their recordings.
#[test]
fn recordings_of_equal_identifiers_stay_apart_in_perfetto_traces() {
    let folder = TempDir::new().unwrap();
    let trace = |name: &str, first: u64| {
        let span = |name: &str, at: u64, lasts: u64| {
            format!(
                "{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"{name}\",\"ts\":{at},\"dur\":{lasts}}}"
            )
        };
        write(&folder, name, format!("[{},{}]", span("load", 0, first), span("run", first, 150)))
    };
    let (one, two) = (trace("one.json", 50), trace("two.json", 200));
    let output = folder.path().join("both.pftrace");
    succeed(&[&"convert", &"--to", &"perfetto", &one, &two, &"-o", &output]);
    let report = json(&[&"show", &output, &"--format", &"json"]);
    let own = |name: &str| {
        let row = rows(&report).iter().find(|row| row["function"] == name).unwrap();
        number(&row["self"])
    };
    assert_close(own("load"), 250_000.0, "load");
    assert_close(own("run"), 300_000.0, "run");
    let info = json(&[&"info", &output, &"--format", &"json"]);
    assert_eq!(
        info["threads"]
            .as_array()
            .map_or_else(|| info["threads"].as_u64(), |all| Some(all.len() as u64)),
        Some(2)
    );
}

/// What runs on processors is theirs, and a filter that nothing has is told.
#[test]
fn processors_have_what_ran_on_them() {
    let trace = sample("perfetto/bakery.perfetto-trace");
    let ran = |cpus: &[&str]| {
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"show", &trace, &"--metric", &"running time", &"--format", &"json"];
        for cpu in cpus {
            arguments.extend([&"--cpu" as &dyn AsRef<std::ffi::OsStr>, cpu]);
        }
        rows(&json(&arguments)).iter().map(|row| number(&row["self"])).sum::<f64>()
    };
    let all = ran(&[]);
    assert!(all > 0.0);
    assert_close(ran(&["0"]) + ran(&["1"]), all, "both processors");
    assert!(ran(&["0"]) > 0.0 && ran(&["1"]) > 0.0);
    assert_close(ran(&["0", "1"]), all, "both at once");
    let told = fail(1, &[&"show", &trace, &"--thread", &"nobody"]);
    assert!(told.contains("--thread nobody matches nothing in bakery.perfetto-trace"), "{told}");
}

/// An operation that never ends goes on to the end of its lane, as the warning says.
#[test]
fn operations_that_never_end_have_no_length() {
    let folder = TempDir::new().unwrap();
    let event = |phase: &str, id: u64, at: u64| {
        format!(
            "{{\"ph\":\"{phase}\",\"cat\":\"net\",\"id\":{id},\"pid\":1,\"tid\":1,\"name\":\"get {id}\",\"ts\":{at}}}"
        )
    };
    let events = [event("b", 1, 0), event("b", 2, 10), event("e", 2, 50)].join(",");
    let trace = write(&folder, "operations.json", format!("[{events}]"));
    let report = json(&[&"show", &trace, &"--view", &"spans", &"--format", &"json"]);
    let mut lasts: Vec<(&str, Option<f64>, f64)> = rows(&report)
        .iter()
        .map(|row| {
            let unfinished = number(&row["unfinished"]);
            (row["name"].as_str().unwrap(), row["longest_ns"].as_f64(), unfinished)
        })
        .collect();
    lasts.sort_by(|one, other| one.0.cmp(other.0));
    assert_eq!(lasts, [("get 1", None, 1.0), ("get 2", Some(40_000.0), 0.0)]);
}

/// Values of two recordings of one program stay two series, and samples and processes stay apart.
#[test]
fn counters_of_two_recordings_stay_apart_in_trace_events() {
    let folder = TempDir::new().unwrap();
    let trace = |name: &str, value: u64| {
        let counter = |at: u64| {
            format!(
                "{{\"ph\":\"C\",\"pid\":1,\"name\":\"mem\",\"ts\":{at},\"args\":{{\"value\":{value}}}}}"
            )
        };
        let all: Vec<String> = (0..4).map(|at| counter(at * 10)).collect();
        write(&folder, name, format!("[{}]", all.join(",")))
    };
    let (one, two) = (trace("one.json", 1), trace("two.json", 100));
    let output = folder.path().join("both.json");
    succeed(&[&"convert", &"--to", &"trace-event", &one, &two, &"-o", &output]);
    let info = json(&[&"info", &output, &"--format", &"json"]);
    let counters = info["timeline"]["counters"].as_array().unwrap();
    let of: Vec<_> =
        counters.iter().map(|one| (&one["name"], &one["values"], &one["sum"])).collect();
    assert_eq!(of.len(), 2, "{of:?}");
    let output = folder.path().join("both.firefox.json");
    let (_, told) = succeed(&[&"convert", &"--to", &"firefox", &one, &two, &"-o", &output]);
    assert!(told.contains("which of several recordings the values of counters"), "{told}");
}

/// What is chosen of both sides leaves nothing, or stands in places that are told.
#[test]
fn comparisons_over_time_tell_what_they_cannot() {
    let folder = TempDir::new().unwrap();
    let trace = |name: &str, lasts: u64| {
        let span = format!(
            "[{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"work\",\"ts\":0,\"dur\":{lasts}}},\
             {{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"tick\",\"ts\":{lasts},\"dur\":0}}]"
        );
        write(&folder, name, span)
    };
    let (one, two, none) = (trace("one.json", 100), trace("two.json", 300), trace("none.json", 0));
    let (printed, told) =
        succeed(&[&"diff", &one, &two, &"--view", &"timeline", &"--time", &"900us..1000us"]);
    assert!(!told.contains("does not tell when"), "{told}{printed}");
    // Parts are rounded so that they add up, however many there are.
    for align in ["start", "progress"] {
        let how: &[&dyn AsRef<std::ffi::OsStr>] = &[&"--align", &align, &"--format", &"json"];
        let report = json(
            &[&[&"diff", &one as &dyn AsRef<_>, &two, &"--view", &"timeline", &"-n", &"999"], how]
                .concat(),
        );
        let sum =
            |key: &str| rows(&report).iter().map(|row| number(&row["value"][key])).sum::<f64>();
        assert_close(sum("base"), 100_000.0, "all of the base");
        assert_close(sum("new"), 300_000.0, "all of the new side");
    }
    // Spans that last for no time are there.
    let report = json(&[&"diff", &none, &one, &"--view", &"spans", &"--format", &"json"]);
    let tag = |name: &str| {
        let row = rows(&report).iter().find(|row| row["name"] == name).unwrap();
        row["total"]["tag"].clone()
    };
    assert_eq!((tag("work"), tag("tick")), ("[+]".into(), "[=]".into()));
    let by_name = json(&[
        &"diff",
        &one,
        &two,
        &"--view",
        &"timeline",
        &"-n",
        &"1",
        &"--align",
        &"two.json=1ms",
        &"--format",
        &"json",
    ]);
    assert_close(number(&rows(&by_name)[0]["end_ns"]), 1_300_000.0, "the second stands later");
    for wrong in
        [["--view", "timeline", "--sort", "name"], ["--view", "spans", "--metric", "calls"]]
    {
        let wrong: Vec<&dyn AsRef<std::ffi::OsStr>> =
            wrong.iter().map(|one| one as &dyn AsRef<std::ffi::OsStr>).collect();
        fail(1, &[&[&"diff", &one as &dyn AsRef<_>, &two], &wrong[..]].concat());
    }
}

#[test]
fn reports_one_recording_in_two_formats() {
    let folder = TempDir::new().unwrap();
    let cpu = sample("pprof/cpu.pb.gz");
    let [same, other] = ["cpu.folded", "other.folded"].map(|name| folder.path().join(name));
    for path in [&same, &other] {
        succeed(&[&"convert", &cpu, &"--to", &"collapsed", &"-o", path]);
    }
    let told = |second: &Path| succeed(&[&"show", &cpu, &second]).1;
    let err = told(&same);
    assert!(err.contains("cpu.folded look like one recording in two formats"), "{err}");
    // Another name, and another total.
    assert!(!told(&other).contains("in two formats"));
    write(&folder, "cpu.folded", "main;work 3\n");
    assert!(!told(&same).contains("in two formats"));
}
