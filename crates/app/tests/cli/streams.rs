//! Standard input and output.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use super::{VIEWS, command, json, sample, texts, write};

#[test]
fn standard_input_gives_the_same_as_the_file() {
    for name in ["pprof/cpu.pb.gz", "pprof/unsymbolised.pb", "collapsed/perf.collapsed"] {
        let path = sample(name);
        for view in VIEWS {
            let mut command = command(&[&"show", &"-", &"--view", &view, &"--format", &"json"]);
            let output = command.stdin(std::fs::File::open(&path).unwrap()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", texts(&output).1);
            let mut piped: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(piped["profile"]["title"], "standard input");
            let named = json(&[&"show", &path, &"--view", &view, &"--format", &"json"]);
            piped["profile"]["title"] = named["profile"]["title"].clone();
            assert!(piped == named, "{view} of {name} differs");
        }
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = TempDir::new().unwrap();
    // More than any pipe holds.
    let lines: String = (0..50_000).map(|index| format!("main;function{index} 1\n")).collect();
    let path = write(&folder, "many.collapsed", lines);
    for format in ["text", "json", "csv"] {
        let mut child = command(&[&"show", &path, &"--limit", &"0", &"--format", &format])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
        let mut start = vec![];
        match format {
            "json" => out.by_ref().take(32).read_to_end(&mut start).unwrap(),
            _ => out.read_until(b'\n', &mut start).unwrap(),
        };
        assert!(!start.is_empty());
        drop(out);
        let output = child.wait_with_output().unwrap();
        let (_, err) = texts(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{format}");
    }
}

#[test]
fn piped_output_has_no_escape_codes() {
    let path = sample("pprof/cpu.pb.gz");
    let runs: [&[&dyn AsRef<OsStr>]; 6] = [
        &[&"info", &path],
        &[&"show", &path],
        &[&"show", &path, &"--view", &"top-down"],
        &[&"show", &path, &"--peek", &"runtime"],
        &[&"formats"],
        &[&"info", &"missing"],
    ];
    for arguments in runs {
        for no_color in [None, Some("1")] {
            let mut command = command(arguments);
            command.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR").env("TERM", "xterm");
            command.envs(no_color.map(|value| ("NO_COLOR", value)));
            let (out, err) = texts(&command.stdin(Stdio::null()).output().unwrap());
            assert!(!(out.is_empty() && err.is_empty()));
            assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{command:?}");
        }
    }
}
