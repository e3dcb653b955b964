//! `hotframe record`, against a perf that only writes down what it is asked, and against the one of
//! this machine.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]
#![cfg(target_os = "linux")]

mod canned;
mod documents;
mod fake;
mod here;
mod manifests;
mod plans;
mod python;
mod quick;
mod refusals;
mod signals;

use std::path::Path;
use std::process::Output;

fn texts(output: &Output) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr];
    (String::from_utf8_lossy(out).into_owned(), String::from_utf8_lossy(err).into_owned())
}

fn json(file: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
