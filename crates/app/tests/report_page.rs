//! Pages that have profiles inside.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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
    let output = export(&[file, "--view", "bottom-up", "--focus", "a</script>&=b"], &out);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if !has_viewer() {
        assert!(!output.status.success());
        assert!(told.contains("cargo xtask page"), "{told}");
        return;
    }
    assert!(output.status.success(), "{told}");
    let page = fs::read_to_string(&out).unwrap();
    let report: Value = serde_json::from_str(element(&page, "hotframe-report")).unwrap();
    assert_eq!(report["view"], "d=0&shape=bottom_up&f=focus:a%3C/script%3E%26%3Db");
    let step = &report["steps"][0];
    assert_eq!(step["request"]["params"]["name"], "cpu.pb.gz");
    assert_eq!(step["files"][0]["gzip"], false);
    let bytes = STANDARD.decode(element(&page, "hotframe-data-0")).unwrap();
    assert!(bytes == fs::read(&sample).unwrap(), "the bytes are those of the file");
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

#[test]
fn what_reports_alone_have_is_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let sample = samples::testdata("pprof/cpu.pb.gz");
    let words = [sample.to_str().unwrap(), "--address", "#view=table"];
    let output = export(&words, &folder.path().join("flame.svg"));
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("end in .html"));
}
