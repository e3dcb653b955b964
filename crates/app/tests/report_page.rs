//! Pages that have profiles inside.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

/// Whether the binary has the viewer inside: builds without WebAssembly do not.
fn has_viewer() -> bool {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ui/dist-page/index.html");
    Path::new(page).exists()
}

fn export(words: &[&str], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.arg("export").args(words).arg("-o").arg(out).output().unwrap()
}

/// What is in the element of a page.
fn element<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.rfind(&format!(" id=\"{id}\">")).unwrap();
    let text = &page[start..];
    let text = &text[text.find('>').unwrap() + 1..];
    &text[..text.find("</script>").unwrap()]
}

#[test]
fn a_report_has_the_bytes_of_its_files_and_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.html");
    let sample = samples::testdata("pprof/cpu.pb.gz");
    let file = sample.to_str().unwrap();
    let output = export(&[file, "--view", "bottom-up", "--focus", ".|</script>&=b"], &out);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if !has_viewer() {
        assert!(!output.status.success());
        assert!(told.contains("cargo xtask page"), "{told}");
        return;
    }
    assert!(output.status.success(), "{told}");
    let page = fs::read_to_string(&out).unwrap();
    let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
    assert_eq!(report["view"], "d=0&shape=bottom_up&f=focus:.%7C%3C/script%3E%26%3Db");
    let step = &report["steps"][0];
    assert_eq!(step["request"]["params"]["name"], "cpu.pb.gz");
    assert_eq!(step["files"][0]["gzip"], false);
    let bytes = STANDARD.decode(element(&page, "hotframe-data-0")).unwrap();
    assert!(bytes == fs::read(&sample).unwrap(), "the bytes are those of the file");
    let notices = element(&page, "hotframe-notices");
    for package in ["serde", "preact"] {
        assert!(notices.contains(&format!("\n{package} ")), "no notice of {package}");
    }
}

/// The lists of the timeline, each by the name that the page and the engine have for it.
#[test]
fn a_report_opens_with_a_list() {
    if !has_viewer() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let sample = samples::testdata("time/requests.json.gz");
    for (view, address) in [
        ("timeline", "d=0&view=timeline"),
        ("gaps", "d=0&view=timeline&tb=gaps"),
        ("states", "d=0&view=timeline&tb=thread_states"),
        ("longest-spans", "d=0&view=timeline&tb=longest_spans"),
    ] {
        let out = folder.path().join(format!("{view}.html"));
        let output = export(&[sample.to_str().unwrap(), "--view", view], &out);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = fs::read_to_string(&out).unwrap();
        let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
        assert_eq!(report["view"], address);
    }
    // Of a comparison, spans are their changes, as `hotframe diff --view spans` has them.
    let out = folder.path().join("compared.html");
    let [before, after] =
        ["before", "after"].map(|side| samples::testdata(format!("time/imports-{side}.json.gz")));
    let (before, after) = (before.to_str().unwrap(), after.to_str().unwrap());
    let output = export(&[after, "--base", before, "--view", "spans"], &out);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&out).unwrap();
    let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
    let view = report["view"].as_str().unwrap();
    assert!(view.ends_with("&view=timeline&tb=span_changes"), "{view}");
    // Without times there is nothing to list.
    let untimed = samples::testdata("callgrind/plain.callgrind");
    let output = export(&[untimed.to_str().unwrap(), "--view", "gaps"], &out);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("has no timestamps"), "{error}");
}

#[test]
fn a_report_has_python_where_it_was_requested() {
    let folder = tempfile::tempdir().unwrap();
    let sample = samples::testdata("collapsed/perf.collapsed");
    let file = sample.to_str().unwrap();
    let picture = folder.path().join("picture.svg");
    let output = export(&[file, "--with-python"], &picture);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("are for reports"));
    let parts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ui/dist-python/worker.js.gz");
    if !has_viewer() || !Path::new(parts).exists() {
        return;
    }
    let out = folder.path().join("report.html");
    let told = export(&[file, "--with-python"], &out);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let page = fs::read_to_string(&out).unwrap();
    let worker = STANDARD.decode(element(&page, "hotframe-python-worker.js")).unwrap();
    assert!(worker == fs::read(parts).unwrap(), "the part is that of the build");
    let interpreter = STANDARD.decode(element(&page, "hotframe-python-interpreter.wasm")).unwrap();
    let mut unpacked = vec![];
    GzDecoder::new(&*interpreter).read_to_end(&mut unpacked).unwrap();
    let built =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ui/dist-interpreter/interpreter.wasm");
    assert!(unpacked == fs::read(built).unwrap(), "the interpreter is that of the build");
    for name in ["editor.js", "library.zip", "sources.json"] {
        assert!(!element(&page, &format!("hotframe-python-{name}")).is_empty());
    }
    let told = export(&[file], &out);
    assert!(told.status.success());
    assert!(!fs::read_to_string(&out).unwrap().contains("id=\"hotframe-python-worker.js\""));
}

#[test]
fn several_files_are_merged_or_compared() {
    if !has_viewer() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.html");
    let names = ["before-1", "before-2", "after-1"]
        .map(|name| samples::testdata(format!("runs/{name}.pb.gz")).to_str().unwrap().to_owned());
    let [one, two, new] = names.each_ref().map(String::as_str);
    let last = |words: &[&str]| -> Value {
        let output = export(words, &out);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = fs::read_to_string(&out).unwrap();
        let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
        report["steps"].as_array().unwrap().last().unwrap()["request"].clone()
    };
    let merged = last(&[one, two]);
    assert_eq!(merged["method"], "merge");
    let compared = last(&[new, "--base", one, two]);
    assert_eq!(compared["method"], "compare");
    assert_eq!(compared["params"]["base"], serde_json::json!([0, 1]));
    assert_eq!(compared["params"]["new"], serde_json::json!([2]));
}

/// A profile that a report has inside, as a file.
fn inside(page: &str, id: &str, folder: &Path) -> String {
    let file = folder.join(format!("{id}.hotframe.gz"));
    fs::write(&file, STANDARD.decode(element(page, id)).unwrap()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn said(words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output = command.args(words).args(["--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The same numbers in the same order, whatever they are called.
fn values(report: &Value) -> Vec<[Option<i64>; 2]> {
    let rows = report["rows"].as_array().unwrap().iter();
    let mut values: Vec<_> =
        rows.map(|row| ["self", "total"].map(|name| row[name].as_i64())).collect();
    values.sort_unstable();
    values
}

#[test]
fn anonymous_reports_have_the_same_numbers_and_nobodys_names() {
    if !has_viewer() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.html");
    let sample = samples::testdata("pprof/cpu.pb.gz");
    let file = sample.to_str().unwrap();
    for what in ["paths", "names"] {
        let output = export(&[file, file, &format!("--anonymize={what}")], &out);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = fs::read_to_string(&out).unwrap();
        assert!(!element(&page, "hotframe-report").contains("cpu.pb"));
        let [one, two] =
            ["hotframe-data-0", "hotframe-data-1"].map(|id| inside(&page, id, folder.path()));
        for view in ["flat", "top-down", "bottom-up"] {
            let [was, is, other] =
                [file, &one, &two].map(|file| said(&["show", file, "--view", view]));
            assert_eq!(values(&is), values(&was), "{view}");
            // The same names in both, so that they can be compared.
            assert_eq!(is["rows"], other["rows"]);
            let text = is.to_string();
            assert!(!text.contains("/opt/orderdesk"), "a folder is named");
            assert_eq!(text.contains("mapaccess2_faststr"), what == "paths");
            assert_eq!(text.contains("report.go"), what == "paths");
        }
    }
    let experiment = samples::testdata("hotframe/experiment.hotframe");
    let output = export(&[experiment.to_str().unwrap(), "--anonymize"], &out);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&out).unwrap();
    let file = inside(&page, "hotframe-data-0", folder.path());
    let [was, is] =
        [experiment.to_str().unwrap(), &file].map(|file| said(&["experiment", "summary", file]));
    assert_eq!(was["cells"], is["cells"]);
    let mut bytes = vec![];
    let packed = fs::File::open(&file).unwrap();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed), &mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for path in ["/home/", "/tmp/", "/usr/", "/root/"] {
        let at = text.find(path);
        assert!(at.is_none(), "{:?}", at.map(|at| text[at..].chars().take(60).collect::<String>()));
    }
    let trace = folder.path().join("trace.json");
    fs::write(
        &trace,
        r#"[{"name":"process_name","ph":"M","pid":7,"args":{"name":"TOKEN=SECRET5 python3 prog.py SECRET1"}},
            {"name":"thread_name","ph":"M","pid":7,"tid":8,"args":{"name":"tool --key SECRET2"}},
            {"name":"work","ph":"X","pid":7,"tid":8,"ts":1,"dur":5,"args":{"run":"sh -c SECRET3"}},
            {"name":"gcc -DSECRET4 -c x","ph":"X","pid":7,"tid":8,"ts":9,"dur":5}]"#,
    )
    .unwrap();
    let output = export(&[trace.to_str().unwrap(), "--anonymize"], &out);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&out).unwrap();
    let packed = fs::File::open(inside(&page, "hotframe-data-0", folder.path())).unwrap();
    let mut bytes = vec![];
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed), &mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("python3 command-") && text.contains("gcc command-"), "{text}");
    assert!(!text.contains("SECRET"), "{text}");
    let graph = samples::testdata("sdfg/sharpen.sdfg");
    let output = export(&[graph.to_str().unwrap(), "--anonymize"], &out);
    assert!(String::from_utf8_lossy(&output.stderr).contains("only profiles can be anonymized"));
}

#[test]
fn what_reports_alone_have_is_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let sample = samples::testdata("pprof/cpu.pb.gz");
    let words = [sample.to_str().unwrap(), "--address", "#view=table"];
    let output = export(&words, &folder.path().join("flame.svg"));
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("end in .html"));
}

#[test]
fn a_graph_brings_what_measured_it() {
    if !has_viewer() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.html");
    let [graph, times] = ["sdfg/dace-1.0.2/heat.timed.sdfgz", "sdfg/reports/heat.timed-0.json"]
        .map(|name| samples::testdata(name).to_str().unwrap().to_owned());
    let output = export(&[&graph, "--measured", &times], &out);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&out).unwrap();
    let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
    let steps = report["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 3);
    let asked = serde_json::json!({ "document": 0, "measured": 1 });
    assert_eq!(steps[2]["request"]["method"], "graph_measure");
    assert_eq!(steps[2]["request"]["params"], asked);
    let profile = samples::testdata("pprof/cpu.pb.gz");
    let output = export(&[profile.to_str().unwrap(), "--measured", &times], &out);
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("needs one dataflow graph, and no profile")
    );
}

#[test]
fn a_report_has_a_note_and_scripts() {
    if !has_viewer() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.html");
    let script = folder.path().join("clean up.py");
    let text = "print('</script>')\nprofile.show()\n";
    fs::write(&script, text).unwrap();
    let sample = samples::testdata("pprof/cpu.pb.gz");
    let note = "Look at <b>parse</b>.\nThen at </script>.";
    let words = [sample.to_str().unwrap(), "--note", note, "--script", script.to_str().unwrap()];
    let output = export(&words, &out);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&out).unwrap();
    let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
    assert_eq!(report["about"]["note"], note);
    assert_eq!(report["scripts"], serde_json::json!([{ "name": "clean up", "text": text }]));
    let contains = report["about"]["contains"].to_string();
    assert!(contains.contains("cpu.pb.gz: the file as it is") && contains.contains("clean up"));
    let picture = folder.path().join("x.svg");
    let told = export(&[sample.to_str().unwrap(), "--note", "x"], &picture);
    assert!(String::from_utf8_lossy(&told.stderr).contains("are for reports"));
}

#[test]
fn rules_go_along_unless_names_are_replaced() {
    if !has_viewer() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let rules = "[[rule]]\ntitle = \"Ours\"\nname = \"secret\"\ntext = \"x\"\n";
    fs::write(folder.path().join("hotframe-rules.toml"), rules).unwrap();
    let sample = samples::testdata("pprof/cpu.pb.gz");
    for (more, count) in [(&[][..], 1), (&["--anonymize"][..], 0)] {
        let out = folder.path().join("report.html");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        command.arg("export").arg(&sample).args(more).arg("-o").arg(&out);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = fs::read_to_string(&out).unwrap();
        let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
        assert_eq!(report["rules"].as_array().unwrap().len(), count, "{more:?}");
    }
}

/// What a command prints, as text.
fn printed(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hotframe")).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_comment_has_the_tables_of_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("comment.md");
    let [old, new] = ["before-1", "after-1"]
        .map(|name| samples::testdata(format!("runs/{name}.pb.gz")).to_str().unwrap().to_owned());
    let written = |words: &[&str]| {
        let output = export(words, &out);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(&out).unwrap()
    };
    let compared = written(&[&new, "--base", &old, "--view", "flat"]);
    assert_eq!(compared, printed(&["diff", &old, &new, "--format", "markdown"]));
    assert!(compared.lines().any(|line| line.starts_with("|---")), "{compared}");
    let shown = written(&[&new, "--view", "flat"]);
    assert_eq!(shown, printed(&["show", &new, "--format", "markdown"]));
}
