//! `hotframe mcp`, asked by the client of the protocol's own Python package: its answers are those of
//! the command line, as far as they fit.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").canonicalize().unwrap()
}

/// The Python that has the package `mcp`.
fn python() -> Option<OsString> {
    let named = std::env::var_os("HOTFRAME_MCP_PYTHON");
    if named.is_none() {
        eprintln!("notice: no client here (HOTFRAME_MCP_PYTHON): the server is not asked");
    }
    named
}

/// Names of the tools, and an answer for each question.
fn ask_server(options: &[&str], questions: &[(&str, Value)]) -> Option<(Vec<String>, Vec<Answer>)> {
    ask_server_with("none", options, questions).map(|(tools, answers, _)| (tools, answers))
}

/// The same, with a user who is asked and answers `accept` or `decline`, or cannot be asked (`none`); also
/// what the user was asked.
fn ask_server_with(
    user: &str,
    options: &[&str],
    questions: &[(&str, Value)],
) -> Option<(Vec<String>, Vec<Answer>, String)> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("questions");
    let lines: String =
        questions.iter().map(|question| json!(question).to_string() + "\n").collect();
    fs::write(&file, lines).unwrap();
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.py");
    let output = Command::new(python()?)
        .arg(client)
        .arg(&file)
        .arg(user)
        .args([env!("CARGO_BIN_EXE_hotframe"), "mcp"])
        .args(options)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    let mut lines = out.lines();
    let tools: Vec<String> = serde_json::from_str(lines.next().unwrap()).unwrap();
    let answers = lines.map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = line["text"].as_str().unwrap().to_owned();
        Answer { failed: line["failed"].as_bool().unwrap(), text }
    });
    let ask_server = String::from_utf8_lossy(&output.stderr).into_owned();
    Some((tools, answers.collect(), ask_server))
}

struct Answer {
    failed: bool,
    text: String,
}

impl Answer {
    fn report(&self) -> Value {
        assert!(!self.failed, "{}", self.text);
        serde_json::from_str(&self.text).unwrap()
    }

    fn refusal(&self) -> &str {
        assert!(self.failed, "{}", self.text);
        &self.text
    }
}

/// What the command line says.
fn said(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output = command.args(arguments).args(["--format", "json"]).current_dir(testdata());
    let output = output.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Tools say what they answer by themselves.
    assert!(answer.as_object_mut().unwrap().remove("version").is_some());
    answer
}

#[test]
fn answers_are_those_of_the_command_line() {
    let root = format!("--root={}", testdata().display());
    let cpu = "pprof/cpu.pb.gz";
    let trace = "trace-event/default.trace.json";
    let experiment = "hotframe/experiment.hotframe";
    let few = json!({ "files": [cpu], "focus": ["main"], "granularity": "name", "limit": 1000 });
    let Some((tools, answers)) = ask_server(
        &[&root, "--max-answer=1000000"],
        &[
            ("open", json!({ "files": [cpu] })),
            ("hottest", few),
            (
                "hottest",
                json!({ "files": [cpu], "view": "top-down", "focus": ["work"], "granularity": "module", "limit": 1000, "sort": "name" }),
            ),
            ("callers", json!({ "files": [cpu], "function": "main", "limit": 1000 })),
            (
                "diff",
                json!({ "base": ["runs/before-1.pb.gz"], "new": ["runs/after-1.pb.gz"], "limit": 1000 }),
            ),
            ("timeline", json!({ "files": [trace], "view": "spans", "limit": 1000 })),
            ("experiment", json!({ "file": experiment })),
            (
                "experiment",
                json!({
                    "file": experiment, "report": "compare", "limit": 1000,
                    "base": ["interpreter=3.9"], "new": ["interpreter=3.12"],
                }),
            ),
        ],
    ) else {
        return;
    };
    let all = "advice callers diff experiment graph_cost hottest open record simulate timeline";
    assert_eq!(tools.join(" "), all);
    let compare = ["--base", "interpreter=3.9", "--new", "interpreter=3.12"];
    for (answer, command) in answers.iter().zip([
        &["info", cpu][..],
        &["show", cpu, "--focus", "main", "--granularity", "name"],
        &[
            "show",
            cpu,
            "--view",
            "top-down",
            "--sort",
            "name",
            "--focus",
            "work",
            "--granularity",
            "module",
        ],
        &["show", cpu, "--peek", "main"],
        &["diff", "--base", "runs/before-1.pb.gz", "--new", "runs/after-1.pb.gz"],
        &["show", trace, "--view", "spans"],
        &["experiment", "summary", experiment],
        &[&["experiment", "compare", experiment][..], &compare].concat(),
    ]) {
        let wanted = said(command);
        assert!(wanted.as_object().unwrap().values().any(|list| list.is_array()), "{command:?}");
        assert!(
            answer.report() == wanted,
            "{command:?}: {:.2000} {:.2000}",
            answer.text,
            wanted.to_string()
        );
    }
}

#[test]
fn graphs_are_reported_and_simulated() {
    let root = format!("--root={}", testdata().display());
    let graph = "sdfg/sharpen.sdfg";
    let small = json!({ "file": graph, "set": ["H=8", "W=8"], "limit": 1000 });
    let Some((_, answers)) = ask_server(
        &[&root, "--max-answer=1000000"],
        &[
            ("graph_cost", small.clone()),
            ("simulate", small),
            ("simulate", json!({ "file": "sdfg/programs.py" })),
        ],
    ) else {
        return;
    };
    let set = "--set=H=8,W=8";
    assert!(
        answers[0].report() == said(&["sdfg", "cost", graph, set]),
        "{:.2000}",
        answers[0].text
    );
    assert!(
        answers[1].report() == said(&["sdfg", "simulate", graph, set]),
        "{:.2000}",
        answers[1].text
    );
    assert!(answers[2].refusal().contains("is neither .sdfg"), "{}", answers[2].text);
}

#[test]
fn answers_are_small_and_say_what_they_leave_out() {
    let root = format!("--root={}", testdata().display());
    let cpu = "pprof/cpu.pb.gz";
    let Some((_, answers)) = ask_server(
        &[&root, "--max-answer=3000"],
        &[
            ("hottest", json!({ "files": [cpu], "limit": 3 })),
            ("hottest", json!({ "files": [cpu], "view": "top-down", "limit": 900 })),
        ],
    ) else {
        return;
    };
    let [three, many] = &answers[..] else { panic!("two answers") };
    let whole = said(&["show", cpu]);
    let three = three.report();
    assert_eq!(three["rows"].as_array().unwrap()[..], whole["rows"].as_array().unwrap()[..3]);
    let all = whole["rows"].as_array().unwrap().len();
    assert_eq!(three["left_out"]["at_least"], json!({ "rows": all - 3 }));
    assert!(many.text.len() < 3500, "{}", many.text.len());
    let whole = said(&["show", cpu, "--view", "top-down"])["rows"].as_array().unwrap().len() as u64;
    let many = many.report();
    let kept = many["rows"].as_array().unwrap().len() as u64;
    assert_eq!(many["left_out"]["at_least"]["rows"], json!(whole - kept));
}

#[test]
fn reports_what_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("garbage"), "garbage").unwrap();
    let root = format!("--root={}", folder.path().display());
    let outside = testdata().join("pprof/cpu.pb.gz");
    let Some((_, answers)) = ask_server(
        &[&root],
        &[
            ("open", json!({ "files": [outside] })),
            ("open", json!({ "files": ["garbage"] })),
            ("open", json!({ "files": ["-"] })),
            ("open", json!({ "files": [] })),
            ("hottest", json!({ "files": ["garbage"], "view": "--output=x" })),
            ("diff", json!({ "base": ["garbage"], "new": [] })),
            ("timeline", json!({ "files": ["garbage"], "view": "flat" })),
            ("experiment", json!({ "file": "garbage", "report": "run" })),
        ],
    ) else {
        return;
    };
    for (answer, what) in answers.iter().zip([
        "is not below",
        "garbage: ",
        "-: No such file",
        "no file is named",
        "invalid value '--output=x'",
        "both `base` and `new` need a file",
        "there is no list flat, there are spans, longest-spans,",
        "there is no report run",
    ]) {
        assert!(answer.refusal().contains(what), "{}", answer.text);
    }
    assert_eq!(answers.len(), 8);
}

#[test]
#[cfg(target_os = "linux")]
fn commands_are_recorded_where_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let program =
        "import time\nend = time.time() + 1.5\nwhile time.time() < end: sum(range(999))\n";
    fs::write(folder.path().join("p.py"), program).unwrap();
    let root = format!("--root={}", folder.path().display());
    let command = json!({ "command": ["python3", "p.py"], "recorder": "python-trace" });
    let Some((tools, answers)) = ask_server(
        &[&root, "--allow-record"],
        &[
            ("record", command),
            ("hottest", json!({ "files": ["recording-1.calls"], "metric": "calls" })),
            ("record", json!({ "command": ["python3"], "output": "../x" })),
            ("record", json!({ "command": ["no-such-program"] })),
        ],
    ) else {
        return;
    };
    assert!(tools.contains(&"record".to_owned()));
    let told = answers[0].report();
    assert_eq!((&told["file"], &told["exit_code"]), (&json!("recording-1.calls"), &json!(0)));
    let total = |name: &str| {
        let metrics = told["info"]["metrics"].as_array().unwrap();
        // Where the limit of tracing is reached, the name says that there are more.
        let is_it = |metric: &&Value| metric["name"].as_str().unwrap().starts_with(name);
        let found = metrics.iter().find(is_it).unwrap();
        found["total"].as_i64().unwrap()
    };
    assert!(total("calls") > 1000);
    let rows = answers[1].report();
    let is_sum = |row: &&Value| row["function"].as_str().unwrap().contains("sum");
    assert!(rows["rows"].as_array().unwrap().iter().any(|row| is_sum(&row)), "{rows}");
    assert!(answers[2].refusal().contains("is not a file below"));
    assert!(answers[3].refusal().contains("no-such-program"), "{}", answers[3].text);
    assert!(!folder.path().parent().unwrap().join("x").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_recorded_unless_the_user_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = format!("--root={}", folder.path().display());
    let touch = "open('ran', 'w').close(); import time; time.sleep(1)";
    let record = json!({ "command": ["python3", "-c", touch], "recorder": "python-trace" });
    let ran = folder.path().join("ran");
    for (user, why) in [("none", "--allow-record"), ("decline", "declined to run")] {
        let Some((tools, answers, _)) =
            ask_server_with(user, &[&root], &[("record", record.clone())])
        else {
            return;
        };
        assert!(tools.contains(&"record".to_owned()));
        assert!(answers[0].refusal().contains(why), "{}", answers[0].text);
        assert!(!ran.exists(), "{user}");
    }
    let (_, answers, ask_server) =
        ask_server_with("accept", &[&root], &[("record", record)]).unwrap();
    assert_eq!(answers[0].report()["exit_code"], 0);
    assert!(ran.exists());
    // The user sees the words, and where each begins and ends.
    let ask_server: Value = serde_json::from_str(ask_server.lines().next().unwrap()).unwrap();
    let ask_server = ask_server["asked"].as_str().unwrap();
    assert!(
        ask_server.contains("python3 -c \"open('ran', 'w').close(); import time"),
        "{ask_server}"
    );
    assert!(ask_server.contains(folder.path().to_str().unwrap()), "{ask_server}");
}

#[test]
fn advice_is_that_of_the_command_line() {
    let file = testdata().join("pprof/cpu.pb.gz");
    let root = format!("--root={}", testdata().display());
    let question = json!({ "files": [file], "limit": 1000 });
    let Some((tools, answers)) =
        ask_server(&[&root, "--max-answer=1000000"], &[("advice", question)])
    else {
        return;
    };
    assert!(tools.contains(&"advice".to_owned()));
    let file = file.to_str().unwrap();
    assert_eq!(answers[0].report()["rows"], said(&["advice", file])["rows"]);
}

#[test]
fn an_argument_that_a_tool_does_not_have_is_refused() {
    let file = testdata().join("pprof/cpu.pb.gz");
    let root = format!("--root={}", testdata().display());
    let question = json!({ "files": [file], "hides": ["runtime"] });
    let Some((_, answers)) = ask_server(&[&root], &[("hottest", question)]) else { return };
    let told = answers[0].refusal();
    assert!(told.contains("hottest has no argument hides") && told.contains("focus"), "{told}");
}

/// Whether a process runs; one that has ended and nobody asked for does not.
#[cfg(target_os = "linux")]
fn runs(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = state.rsplit_once(") ").map(|(_, rest)| rest.starts_with('Z'));
    state == Some(false)
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_recorded_ends_with_the_client() {
    use std::io::{BufRead as _, Write as _};
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let program = "import os\nwith open('pid', 'w') as file: file.write(str(os.getpid()))\nwhile True: pass\n";
    fs::write(folder.path().join("p.py"), program).unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_hotframe"))
        .args(["mcp", "--allow-record"])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut say = |message: Value| writeln!(input, "{message}").unwrap();
    say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    }}));
    let mut answers = std::io::BufReader::new(server.stdout.take().unwrap()).lines();
    assert!(answers.next().unwrap().unwrap().contains("serverInfo"));
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "record",
        "arguments": { "command": ["python3", "p.py"], "recorder": "python-trace" },
    }}));
    let waiting = Instant::now();
    let within = |what: &str, happened: &dyn Fn() -> bool| {
        while !happened() {
            assert!(waiting.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let file = folder.path().join("pid");
    let pid = || fs::read_to_string(&file).unwrap_or_default();
    within("the command has begun", &|| !pid().is_empty());
    assert!(runs(&pid()));
    drop(input);
    within("the command has ended", &|| !runs(&pid()));
    server.wait().unwrap();
}

/// Nothing that an argument or a file names is read where it is not below a root.
#[test]
fn files_outside_of_the_roots_are_not_read() {
    let place = tempfile::tempdir().unwrap();
    let (root, outside) = (place.path().join("root"), place.path().join("outside"));
    for folder in [&root, &outside, &root.join("runs"), &root.join("linked")] {
        fs::create_dir(folder).unwrap();
    }
    let secret = outside.join("secret.collapsed");
    fs::write(&secret, "main;secret 5\n").unwrap();
    fs::write(root.join("runs/own.collapsed"), "main;own 5\n").unwrap();
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, root.join(name)).unwrap();
    link(&secret, "runs/link.collapsed");
    link(&secret, "file.collapsed");
    link(&outside, "folder");
    link(Path::new("runs/own.collapsed"), "inside.collapsed");
    let manifest = |name: &str, file: &Path| {
        let run = json!({
            "number": 1, "kind": "sampled", "file": file, "size": 1, "events": ["task-clock"],
            "status": { "exit": 0 }, "findings": [],
            "course": { "started": "2026-11-28T15:54:48Z", "duration_ns": 1, "cpu_ns": 1, "descriptors": 1 },
        });
        let ask_server = json!({ "name": "m", "command": ["true"], "recorder": "perf" });
        let opened =
            json!([{ "name": "task-clock", "sampling": { "frequency": 997 }, "is_time": true }]);
        let experiment = json!({
            "name": "m", "asked": ask_server, "recorder": { "name": "perf", "version": "6.1" },
            "machine": { "host": "vm", "kernel": "6.1", "architecture": "x86_64", "cpus": 2 },
            "events": { "opened": opened, "not_supported": [] }, "runs": [run], "findings": [],
        });
        let text = json!({ "hotframe_recording": 1, "experiments": [experiment] }).to_string();
        fs::write(root.join(name), text).unwrap();
    };
    manifest("up.json", Path::new("../outside/secret.collapsed"));
    manifest("whole.json", &secret);
    manifest("link.json", Path::new("file.collapsed"));
    let option = format!("--root={}", root.display());
    let of = |file: &str| ("hottest", json!({ "files": [file] }));
    let whole = secret.to_str().unwrap().to_owned();
    let files = [
        "../outside/secret.collapsed",
        &whole,
        "file.collapsed",
        "folder/secret.collapsed",
        "folder",
        "up.json",
        "whole.json",
        "link.json",
        "inside.collapsed",
        "runs",
    ];
    let questions: Vec<_> = files.into_iter().map(of).collect();
    let Some((_, answers)) = ask_server(&[&option], &questions) else { return };
    for (file, answer) in files.iter().zip(&answers) {
        assert!(!answer.text.contains("\"secret\""), "{file}: {}", answer.text);
    }
    for (file, answer) in files.iter().zip(&answers).take(8) {
        let refusal = answer.refusal();
        let is_told = refusal.contains("is not below") || refusal.contains("leads out");
        assert!(is_told, "{file}: {refusal}");
    }
    assert!(answers[8].report().to_string().contains("\"own\""));
    // The rest of a folder is read, and what is left out is told.
    let runs = &answers[9].text;
    assert!(runs.contains("link.collapsed") && runs.contains("is not below"), "{runs}");
}
