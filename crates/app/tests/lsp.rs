//! The language server as an editor talks to it: the real binary over standard input and output.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail by panicking")]

#[path = "lsp/base.rs"]
mod base;
#[path = "lsp/changed_files.rs"]
mod changed_files;
#[path = "lsp/changes.rs"]
mod changes;
#[cfg(target_os = "linux")]
#[path = "lsp/failed_runs.rs"]
mod failed_runs;
#[cfg(target_os = "linux")]
#[path = "lsp/frames.rs"]
mod frames;
#[path = "lsp/graphs.rs"]
mod graphs;
#[path = "lsp/heads.rs"]
mod heads;
#[cfg(unix)]
#[path = "lsp/instructions.rs"]
mod instructions;
#[path = "lsp/notebook.rs"]
mod notebook;
#[path = "lsp/notes.rs"]
mod notes;
#[path = "lsp/places.rs"]
mod places;
#[path = "lsp/questions.rs"]
mod questions;
#[cfg(unix)]
#[path = "lsp/reading.rs"]
mod reading;
#[path = "lsp/settings.rs"]
mod settings;
#[path = "lsp/symbols.rs"]
mod symbols;
#[path = "lsp/uncommitted.rs"]
mod uncommitted;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/runs/before-1.pb.gz");
const SOURCE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/runs/record/before/main.go");

/// An editor with a workspace that holds the sample's source.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: TempDir,
    /// What came and was not awaited.
    others: Vec<Value>,
    last_id: u64,
}

impl Editor {
    /// Starts the server; nothing is said yet.
    fn start(arguments: &[&str]) -> Editor {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("logsummary")).unwrap();
        let source = folder.path().join("logsummary/main.go");
        std::fs::copy(SOURCE, &source).unwrap();
        // Before the sample was recorded.
        touch(&source, 1_000_000_000);
        Editor::in_folder(folder, arguments)
    }

    /// Another editor in the same folder, once this one has left.
    fn again(mut self, arguments: &[&str]) -> Editor {
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        drop(self);
        Editor::in_folder(folder, arguments)
    }

    fn in_folder(folder: TempDir, arguments: &[&str]) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_hotframe"))
            .arg("lsp")
            .args(arguments)
            .current_dir(&folder)
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        Editor { server, input, output, folder, others: vec![], last_id: 0 }
    }

    /// Starts the server and opens the workspace.
    fn with(arguments: &[&str], options: Value) -> Editor {
        let mut editor = Editor::start(arguments);
        let result = editor.initialize(options);
        assert_eq!(result["serverInfo"]["name"], "hotframe");
        editor.notify("initialized", json!({}));
        editor
    }

    fn with_sample() -> Editor {
        let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
        editor.open_source();
        editor
    }

    fn initialize(&mut self, options: Value) -> Value {
        self.initialize_as(options, json!({}))
    }

    /// Opens the workspace as an editor that can do more.
    fn initialize_as(&mut self, options: Value, more: Value) -> Value {
        let folder = self.folder.path().to_owned();
        self.initialize_in(&folder, options, more)
    }

    /// Opens another folder as the workspace.
    fn initialize_in(&mut self, folder: &Path, options: Value, more: Value) -> Value {
        let folder = format!("file://{}", folder.display());
        let mut capabilities = json!({
            "workspace": {
                "codeLens": { "refreshSupport": true },
                "inlayHint": { "refreshSupport": true },
            },
            "window": { "showDocument": { "support": true } },
            "experimental": { "hotframe": true },
        });
        capabilities.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let params = json!({
            "processId": null,
            "rootUri": folder,
            "workspaceFolders": [{ "uri": folder, "name": "work" }],
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        self.request("initialize", params)["result"].clone()
    }

    fn open_source(&mut self) {
        self.open_text(&std::fs::read_to_string(SOURCE).unwrap());
    }

    fn open_text(&mut self, text: &str) {
        let document =
            json!({ "uri": self.source(), "languageId": "go", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change_text(&mut self, text: &str) {
        let document = json!({ "uri": self.source(), "version": 2 });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    fn source(&self) -> String {
        self.uri("logsummary/main.go")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn document(&self) -> Value {
        json!({ "textDocument": { "uri": self.source() } })
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.write(&framed(&json!({ "jsonrpc": "2.0", "method": method, "params": params })));
    }

    /// Sends a request and gives the whole answer.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(&framed(&message));
        self.answer(&json!(id))
    }

    fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn run(&mut self, command: &str, arguments: Value) -> Value {
        let params = json!({ "command": command, "arguments": arguments });
        self.result("workspace/executeCommand", params)
    }

    /// The lenses of the source that lead to functions: line from 0 and title.
    fn lenses(&mut self) -> Vec<(u64, String)> {
        let document = self.document();
        let mut lenses = self.result("textDocument/codeLens", document);
        let of_function = |lens: &Value| lens["command"]["command"] == "hotframe.showFunction";
        lenses.as_array_mut().unwrap().retain(of_function);
        let title = |lens: &Value| lens["command"]["title"].as_str().unwrap().to_owned();
        let line = |lens: &Value| lens["range"]["start"]["line"].as_u64().unwrap();
        lenses.as_array().unwrap().iter().map(|lens| (line(lens), title(lens))).collect()
    }

    /// The hints of the source: line from 0 and label.
    fn hints(&mut self) -> Vec<(u64, String)> {
        let mut params = self.document();
        params["range"] = json!({
            "start": { "line": 0, "character": 0 },
            "end": { "line": u32::MAX, "character": 0 },
        });
        let hints = self.result("textDocument/inlayHint", params);
        let label = |hint: &Value| hint["label"].as_str().unwrap().to_owned();
        let line = |hint: &Value| hint["position"]["line"].as_u64().unwrap();
        hints.as_array().unwrap().iter().map(|hint| (line(hint), label(hint))).collect()
    }

    /// What a hover on a line from 0 says; empty where it says nothing.
    fn hover_text(&mut self, line: u32) -> String {
        self.hover(line)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    fn hover(&mut self, line: u32) -> Value {
        let uri = self.source();
        let position = json!({ "line": line, "character": 3 });
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        self.result("textDocument/hover", params)
    }

    /// The answer to a request; what comes before it is kept.
    fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.receive().unwrap_or_else(|| panic!("no answer to {id}"));
            if message.get("method").is_none() && message["id"] == *id {
                return message;
            }
            self.others.push(message);
        }
    }

    fn receive(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                _ if line == "\r\n" => break,
                _ => panic!("not a header: {line}"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    /// What the user was told.
    fn messages(&self) -> Vec<String> {
        let messages = self.others.iter().filter(|m| m["method"] == "window/showMessage");
        messages.map(|m| m["params"]["message"].as_str().unwrap().to_owned()).collect()
    }

    fn has_message(&self, text: &str) -> bool {
        self.messages().iter().any(|messages| messages.contains(text))
    }

    /// Takes leave and gives the exit code.
    fn leave(mut self) -> Option<i32> {
        assert_eq!(self.request("shutdown", Value::Null)["result"], Value::Null);
        self.notify("exit", Value::Null);
        self.server.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // The server ends with its input.
        drop(self.input.take());
        let _ = self.server.wait();
    }
}

fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn touch(path: &Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Line from 0 of the source's first line that holds `text`.
fn line_of(text: &str) -> u32 {
    let source = std::fs::read_to_string(SOURCE).unwrap();
    source.lines().position(|line| line.contains(text)).unwrap() as u32
}

#[test]
fn a_conversation_begins_and_ends() {
    let mut editor = Editor::start(&[]);
    let early = editor.request("textDocument/hover", json!({}));
    assert_eq!(early["error"]["code"], -32002);
    let capabilities = editor.initialize(Value::Null)["capabilities"].clone();
    for provider in ["hoverProvider", "inlayHintProvider", "workspaceSymbolProvider"] {
        assert_eq!(capabilities[provider], true, "{provider}");
    }
    assert!(capabilities["codeLensProvider"].is_object());
    let commands = capabilities["executeCommandProvider"]["commands"].as_array().unwrap();
    for command in ["hotframe.open", "hotframe.summary", "hotframe.showFunction"] {
        assert!(commands.contains(&json!(command)), "{command} in {commands:?}");
    }
    editor.notify("initialized", json!({}));
    editor.notify("$/setTrace", json!({ "value": "off" }));
    let document = editor.document();
    assert_eq!(editor.request("textDocument/rename", document)["error"]["code"], -32601);
    assert_eq!(editor.request("initialize", json!({}))["error"]["code"], -32600);
    assert_eq!(editor.messages(), [""; 0]);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn an_editor_that_crashes_ends_the_server() {
    let mut editor = Editor::with_sample();
    drop(editor.input.take());
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
}

#[test]
fn functions_have_lenses() {
    let mut editor = Editor::with_sample();
    let document = editor.document();
    let lenses = editor.result("textDocument/codeLens", document);
    let at = line_of("func (p *page) addVisitor");
    let lens = lenses.as_array().unwrap().iter().find(|one| one["range"]["start"]["line"] == at);
    let lens = &lens.unwrap()["command"];
    // As `go tool pprof -top` has it.
    assert_eq!(lens["title"], "self 11.1 % (248 ms) · total 66.8 % (1.5 s)");
    assert_eq!(lens["command"], "hotframe.showFunction");
    let arguments = lens["arguments"].as_array().unwrap();
    assert_eq!(arguments[..2], [json!("main.(*page).addVisitor"), json!(SAMPLE)]);
    let key = arguments[2].clone();
    let mut here =
        lenses.as_array().unwrap().iter().filter(|one| one["range"]["start"]["line"] == at);
    let of_instructions = &here.nth(1).unwrap()["command"];
    assert_eq!(of_instructions["title"], "11 instructions");
    assert_eq!(of_instructions["command"], "hotframe.showInstructions");
    let uri = of_instructions["arguments"][0].clone();
    assert_eq!(of_instructions["arguments"][1], key);
    let asked = json!({ "uri": uri, "key": key });
    let listed = editor.result("hotframe/instructions", asked);
    let listed = listed["instructions"].as_array().unwrap();
    assert_eq!(listed.len(), 11);
    // As they stand in memory.
    assert!(listed.is_sorted_by_key(|one| one["address"].as_str().unwrap().to_owned()));
    let gone = json!({ "uri": uri, "key": u32::MAX });
    assert_eq!(editor.result("hotframe/instructions", gone), Value::Null);
    let methods: Vec<&Value> = editor.others.iter().map(|message| &message["method"]).collect();
    assert!(methods.contains(&&json!("workspace/codeLens/refresh")), "{methods:?}");
    assert!(methods.contains(&&json!("workspace/inlayHint/refresh")), "{methods:?}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_function_that_tells_no_start_has_its_lens_at_its_head() {
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/editor/rust");
    let profile = format!("{project}/gazetteer.perf-script.gz");
    let mut editor = Editor::with(&["--profile", &profile], Value::Null);
    std::fs::create_dir(editor.path("src")).unwrap();
    std::fs::copy(format!("{project}/src/tree.rs"), editor.path("src/tree.rs")).unwrap();
    let params = json!({ "textDocument": { "uri": editor.uri("src/tree.rs") } });
    let lenses = editor.result("textDocument/codeLens", params);
    let on_line = |line: u64| -> Vec<&str> {
        let all = lenses.as_array().unwrap().iter();
        let here = all.filter(|lens| lens["range"]["start"]["line"] == line - 1);
        here.map(|lens| lens["command"]["title"].as_str().unwrap()).collect()
    };
    // The first line that was measured of it is that of the closure in it.
    assert_eq!(on_line(29).len(), 2, "{:?}", on_line(29));
    assert!(on_line(34)[0].starts_with("self 0 · total 0.32 %"), "{:?}", on_line(34));
    assert!(on_line(40)[0].starts_with("self 44.9 %"), "{:?}", on_line(40));
}

#[test]
fn functions_of_one_line_have_their_names() {
    let mut editor = Editor::start(&[]);
    let one_line =
        cpu_profile(["file:///x/app.js"; 2]).replace(r#""lineNumber":2"#, r#""lineNumber":1"#);
    std::fs::write(editor.path("p.cpuprofile"), one_line).unwrap();
    editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
    let params = json!({ "textDocument": { "uri": "file:///x/app.js" } });
    let lenses = editor.result("textDocument/codeLens", params);
    let titles: Vec<_> =
        lenses.as_array().unwrap().iter().map(|lens| &lens["command"]["title"]).collect();
    assert_eq!(titles.len(), 2);
    assert!(titles[0].as_str().unwrap().starts_with("first: self "), "{titles:?}");
    assert!(titles[1].as_str().unwrap().starts_with("second: self "), "{titles:?}");
}

#[test]
fn hot_lines_have_hints_at_their_end() {
    let options = json!({ "profiles": [SAMPLE], "metric": "samples", "hotLinePercent": 30 });
    let mut editor = Editor::with(&[], options);
    editor.open_source();
    let hints = |editor: &mut Editor, first: u32, last: u32| {
        let mut params = editor.document();
        params["range"] = json!({
            "start": { "line": first, "character": 0 },
            "end": { "line": last, "character": 0 },
        });
        editor.result("textDocument/inlayHint", params).as_array().unwrap().clone()
    };
    let hot = line_of("if known == visitor");
    let found = hints(&mut editor, hot, hot);
    let source = std::fs::read_to_string(SOURCE).unwrap();
    let length = source.lines().nth(hot as usize).unwrap().len();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["position"], json!({ "line": hot, "character": length }));
    let label = found[0]["label"].as_str().unwrap();
    assert!(label.starts_with("total 6") && label.contains(" · self "), "{label}");
    // VS Code cuts what is longer.
    assert!(label.chars().count() <= 43, "{label}");
    let tooltip = found[0]["tooltip"].as_str().unwrap();
    assert!(tooltip.starts_with("self ") && tooltip.contains(" · total 6"), "{tooltip}");
    let all = hints(&mut editor, 0, u32::MAX);
    let lines: Vec<u64> =
        all.iter().map(|hint| hint["position"]["line"].as_u64().unwrap()).collect();
    assert!(lines.len() > 1 && lines.len() < 10 && lines.is_sorted(), "{lines:?}");
    assert!(hints(&mut editor, hot + 1, hot).is_empty());
    // What is hot at a line that an edit removed has no place.
    editor.change_text("package main\n");
    assert!(hints(&mut editor, 0, u32::MAX).is_empty());
}

#[test]
fn a_line_tells_all_metrics_and_calls() {
    let mut editor = Editor::with_sample();
    let hover = editor.hover(line_of("if known == visitor"));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with(r"**main.(\*page).addVisitor**"), "{text}");
    for part in [
        "| cpu |",
        "| samples |",
        "| 5.5 % (124 ms) | 61.1 % (1.37 s) | 11.1 % (248 ms) | 66.8 % (1.5 s) |",
        // As the flat view by address has it.
        "**Instructions**\n\n| address | module | self | total |\n|---|---|--:|--:|\n\
         | 0x4dc315 | logsummary | 2.5 % (56 ms) | 2.5 % (56 ms) |\n\
         | 0x4dc32f | logsummary | 1.2 % (28 ms) |",
        &format!("**Callers**\n\n- [main.summarize]({}#L75) 66.8", editor.source()),
        "**Callees**\n\n- memeqbody",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // A function tells of itself where it starts, and a comment of nothing.
    let start = editor.hover(line_of("func (p *page) addVisitor"));
    assert!(start["contents"]["value"].as_str().unwrap().contains("addVisitor"));
    assert_eq!(editor.hover(0), Value::Null);
}

#[test]
fn a_link_holds_any_address() {
    let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
    let file = editor.path("odd)/logsummary/main.go");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::rename(editor.path("logsummary/main.go"), &file).unwrap();
    // As some editors write it.
    let uri = editor.uri("odd)/logsummary/main.go");
    let text = std::fs::read_to_string(SOURCE).unwrap();
    let document = json!({ "uri": uri, "languageId": "go", "version": 1, "text": text });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let position = json!({ "line": line_of("if known == visitor"), "character": 3 });
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    let hover = editor.result("textDocument/hover", params).to_string();
    assert!(hover.contains("/odd%29/logsummary/main.go#L75)"), "{hover}");
}

#[test]
fn functions_are_found_by_heat() {
    let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
    let all = editor.result("workspace/symbol", json!({ "query": "" }));
    let all = all.as_array().unwrap();
    assert_eq!(all[0]["name"], "main.(*page).addVisitor");
    assert_eq!(all[0]["location"]["uri"], editor.source());
    let at = line_of("func (p *page) addVisitor");
    assert_eq!(all[0]["location"]["range"]["start"]["line"], at);
    assert!(all[0]["containerName"].as_str().unwrap().starts_with("self 11.1 %"));
    let some = editor.result("workspace/symbol", json!({ "query": "SUMMARIZE" }));
    assert_eq!(some.as_array().unwrap().len(), 1);
    assert_eq!(some[0]["name"], "main.summarize");
}

#[test]
fn commands_open_and_sum_up() {
    let mut editor = Editor::with(&[], Value::Null);
    assert_eq!(editor.run("hotframe.summary", json!([])), "No profile is loaded.\n");
    std::fs::copy(SAMPLE, editor.path("cpu.pb.gz")).unwrap();
    let opened = editor.run("hotframe.open", json!(["cpu.pb.gz"]));
    let path = editor.path("cpu.pb.gz");
    assert_eq!(opened, json!({ "documents": [{ "path": path, "document": 0 }] }));
    let summary = editor.run("hotframe.summary", json!([]));
    let summary = summary.as_str().unwrap();
    for part in [
        "# cpu.pb.gz\n",
        "- Format: pprof\n",
        "- Duration: 2.31 s\n",
        "| cpu | 2.24 s |",
        "| 51.4 % (1.15 s) |",
        "memeqbody",
    ] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
    let refused = [
        json!({ "command": "hotframe.open", "arguments": [] }),
        json!({ "command": "hotframe.open", "arguments": [7] }),
        json!({ "command": "rm", "arguments": [] }),
    ];
    for params in refused {
        let answer = editor.request("workspace/executeCommand", params);
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[test]
fn loaded_profiles_are_listed_and_changed() {
    let mut editor = Editor::with_sample();
    editor.result("textDocument/codeLens", editor.document());
    let loaded = editor.result("hotframe/profiles", json!({}));
    let profile = &loaded["profiles"][0];
    assert_eq!(profile["path"], SAMPLE);
    assert_eq!((&profile["state"], &profile["metric"]), (&json!("ready"), &json!(1)));
    let cpu = json!({ "name": "cpu", "unit": "nanoseconds", "total": "2.24 s", "runs": 1 });
    assert_eq!(profile["metrics"][1], cpu);
    let functions = profile["functions"].as_array().unwrap();
    // As `go tool pprof -top` has them.
    assert_eq!(functions[0]["name"], "memeqbody");
    assert_eq!(functions[0]["self"], "51.4 % (1.15 s)");
    let visitor = functions.iter().find(|one| one["name"] == "main.(*page).addVisitor").unwrap();
    assert_eq!(visitor["uri"], editor.source());
    editor.others.clear();
    editor.run("hotframe.setMetric", json!([SAMPLE, "samples"]));
    let methods: Vec<&Value> = editor.others.iter().map(|message| &message["method"]).collect();
    assert!(methods.contains(&&json!("hotframe/changed")), "{methods:?}");
    let loaded = editor.result("hotframe/profiles", json!({}));
    assert_eq!(loaded["profiles"][0]["metric"], 0);
    assert_eq!(editor.run("hotframe.close", json!([SAMPLE, "other.pb.gz"])), 1);
    assert_eq!(
        editor.result("hotframe/profiles", json!({})),
        json!({ "profiles": [], "base_is_chosen": false, "graphs": [] })
    );
    assert_eq!(editor.result("textDocument/codeLens", editor.document()), json!([]));
}

#[test]
fn lines_have_their_shares() {
    let mut editor = Editor::with_sample();
    let messages = editor.result("hotframe/lines", editor.document());
    assert_eq!(
        (&messages["title"], &messages["metric"]),
        (&json!("before-1.pb.gz"), &json!("cpu"))
    );
    let at = line_of("if known == visitor");
    let lines = messages["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["line"] == at).unwrap();
    // 124 ms and 1,368 ms of 2,240 ms, as `go tool pprof -list` has them.
    assert_eq!(line["self"], 124.0 / 2240.0);
    assert_eq!(line["total"], 1368.0 / 2240.0);
    assert_eq!(line["text"], "self 5.5 % (124 ms) · total 61.1 % (1.37 s)");
    let other = json!({ "textDocument": { "uri": "file:///nowhere.go" } });
    assert_eq!(editor.result("hotframe/lines", other), Value::Null);
}

#[test]
fn an_editor_that_turns_to_another_profile_asks_again() {
    let mut editor = Editor::with_sample();
    let other = SAMPLE.replace("before-1", "before-2");
    editor.run("hotframe.open", json!([other]));
    editor.result("textDocument/codeLens", editor.document());
    let mut asks_again = |path: &str| {
        editor.others.clear();
        editor.run("hotframe.open", json!([path]));
        let refreshes = ["workspace/inlayHint/refresh", "workspace/codeLens/refresh"];
        let asked = |method: &str| editor.others.iter().any(|message| message["method"] == method);
        refreshes.into_iter().all(asked)
    };
    assert!(asks_again(SAMPLE));
    assert!(!asks_again(SAMPLE));
    assert!(asks_again(&other));
}

#[test]
fn a_place_belongs_to_a_function() {
    let mut editor = Editor::with_sample();
    let uri = editor.source();
    let mut at = |line: u32| {
        let position = json!({ "line": line, "character": 0 });
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        editor.result("hotframe/function", params)
    };
    let visitor = at(line_of("if known == visitor"));
    assert_eq!(visitor["name"], "main.(*page).addVisitor");
    assert_eq!(visitor["path"], SAMPLE);
    assert!(visitor["key"].is_u64(), "{visitor}");
    assert_eq!(at(line_of("func (p *page) addVisitor")), visitor);
    assert_eq!(at(0), Value::Null);
}

#[test]
fn a_frame_leads_to_its_line_and_a_function_to_its_picture() {
    let mut editor = Editor::with_sample();
    editor.result("textDocument/codeLens", editor.document());
    editor.others.clear();
    editor.run("hotframe.openSource", json!([SAMPLE, "logsummary/main.go", 42]));
    let shown = &editor.others[0];
    assert_eq!(shown["method"], "window/showDocument");
    assert_eq!(shown["params"]["uri"], editor.source());
    assert_eq!(shown["params"]["takeFocus"], true);
    assert_eq!(shown["params"]["selection"]["start"], json!({ "line": 41, "character": 0 }));
    editor.others.clear();
    editor.run("hotframe.showFunction", json!(["main.(*page).addVisitor", SAMPLE]));
    let shown = editor.others[0]["params"].clone();
    assert_eq!(shown["external"], true);
    let page = editor.run("hotframe.page", json!([]))["address"].as_str().unwrap().to_owned();
    assert_eq!(shown["uri"], format!("{page}#d=0&at=main.%28%2Apage%29.addVisitor"));
    editor.others.clear();
    editor.run("hotframe.showFunction", json!(["main.(*page).addVisitor", SAMPLE, 7]));
    let shown = editor.others[0]["params"].clone();
    assert_eq!(shown["uri"], format!("{page}#d=0&at=main.%28%2Apage%29.addVisitor&key=7"));
    let refused = [
        json!({ "command": "hotframe.openSource", "arguments": [SAMPLE, "none.go", 1] }),
        json!({ "command": "hotframe.openSource", "arguments": ["none.pb.gz", "main.go", 1] }),
        json!({ "command": "hotframe.openSource", "arguments": [SAMPLE, "main.go", 1e18 as u64] }),
        json!({ "command": "hotframe.showFunction", "arguments": [] }),
        json!({ "command": "hotframe.setMetric", "arguments": [SAMPLE, "watts"] }),
    ];
    for params in refused {
        let answer = editor.request("workspace/executeCommand", params);
        assert_ne!(answer["error"]["code"], Value::Null, "{answer}");
    }
}

#[test]
fn broken_profiles_are_reported_and_no_end() {
    let options = json!({ "profiles": ["none.pb.gz", "broken.pb.gz"], "metric": "watts" });
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    std::fs::write(editor.path("broken.pb.gz"), b"\x1f\x8b no profile").unwrap();
    touch(&editor.path("broken.pb.gz"), 1_000_000_000);
    editor.initialize(options);
    let document = editor.document();
    let lenses = editor.result("textDocument/codeLens", document);
    assert!(!lenses.as_array().unwrap().is_empty());
    for text in ["none.pb.gz cannot be used", "broken.pb.gz cannot be used", "no metric watts"] {
        assert!(editor.has_message(text), "{text} in {:?}", editor.messages());
    }
    assert_eq!(editor.run("hotframe.open", json!(["-"])), json!({ "documents": [] }));
    assert!(editor.has_message("standard input is the editor's"));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn broken_settings_are_reported_and_no_end() {
    let mut editor = Editor::with(&["--profile", SAMPLE], json!({ "hotLinePercent": "many" }));
    assert_ne!(editor.hover(line_of("if known == visitor")), Value::Null);
    assert!(editor.has_message("the settings are not used"));
}

#[test]
fn a_profile_is_watched() {
    let mut editor = Editor::start(&[]);
    let path = editor.path("cpu.pb.gz");
    std::fs::copy(SAMPLE, &path).unwrap();
    touch(&path, 1_000_000_000);
    editor.initialize(json!({ "profiles": ["cpu.pb.gz"] }));
    let hot = line_of("if known == visitor");
    let before = editor.hover(hot);
    assert_ne!(before, Value::Null);
    assert_eq!(editor.messages(), [""; 0]);
    std::fs::copy(SAMPLE.replace("before-1", "before-2"), &path).unwrap();
    touch(&path, 1_000_000_001);
    let after = editor.hover(hot);
    assert_ne!(after, before);
    assert!(editor.has_message("changed and was read again"));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(editor.hover(hot), after);
    assert!(!editor.has_message("is gone"), "it may be written anew");
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(editor.hover(hot), after);
    assert_eq!(editor.hover(hot), after);
    let gone = editor.messages().iter().filter(|messages| messages.contains("is gone")).count();
    assert_eq!(gone, 1);
    std::fs::write(&path, "nothing of the kind \x00").unwrap();
    touch(&path, 1_000_000_005);
    assert_eq!(editor.hover(hot), after);
    assert!(editor.has_message("cannot be used"));
    std::fs::copy(SAMPLE, &path).unwrap();
    touch(&path, 1_000_000_002);
    assert_eq!(editor.hover(hot), before);
}

/// A CPU profile of JavaScript with a function in each of two files.
fn cpu_profile(files: [&str; 2]) -> String {
    let frame = |name: &str, url: &str, line: i32| {
        json!({
            "functionName": name, "scriptId": "1", "url": url, "lineNumber": line,
            "columnNumber": 0,
        })
    };
    let nodes = json!([
        { "id": 1, "callFrame": frame("(root)", "", -1), "children": [2, 3] },
        { "id": 2, "callFrame": frame("first", files[0], 1) },
        { "id": 3, "callFrame": frame("second", files[1], 2) },
    ]);
    let (samples, deltas) = (json!([2, 3]), json!([10, 10]));
    let times = json!({ "nodes": nodes, "samples": samples, "timeDeltas": deltas });
    let mut profile = times;
    profile["startTime"] = json!(0);
    profile["endTime"] = json!(30);
    profile.to_string()
}

#[test]
fn what_might_be_several_files_is_reported_once_and_decided_by_a_rule() {
    let files = ["file:///build/a/src/app.js", "file:///build/b%20c/src/app.js"];
    let ask = |has_rule: bool| {
        let mut editor = Editor::start(&[]);
        std::fs::write(editor.path("p.cpuprofile"), cpu_profile(files)).unwrap();
        let rule = json!({ "from": "/build/b c", "to": editor.path("my work") });
        let rules = if has_rule { json!([rule]) } else { json!([]) };
        editor.initialize(json!({ "profiles": ["p.cpuprofile"], "paths": rules }));
        let uri = editor.uri("my%20work/src/app.js");
        let params = json!({ "textDocument": { "uri": uri } });
        let lenses = editor.result("textDocument/codeLens", params.clone());
        assert_eq!(editor.result("textDocument/codeLens", params), lenses);
        (lenses, editor.messages())
    };
    let (lenses, messages) = ask(false);
    assert_eq!(lenses, json!([]));
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("/build/a/src/app.js or /build/b c/src/app.js"), "{messages:?}");
    assert!(messages[0].contains("\"paths\""), "{messages:?}");
    let (lenses, messages) = ask(true);
    assert_eq!(messages, [""; 0]);
    assert_eq!(lenses[0]["command"]["arguments"][0], "second");
}

#[test]
fn hostile_input_is_survived() {
    let mut editor = Editor::with_sample();
    let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
    let most = json!({ "line": u32::MAX, "character": u32::MAX });
    for position in [far, most] {
        let uri = editor.source();
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        assert_eq!(editor.result("textDocument/hover", params), Value::Null);
    }
    let params = json!({ "textDocument": { "uri": "x" }, "position": { "line": 1e20 } });
    assert_eq!(editor.request("textDocument/hover", params)["error"]["code"], -32602);
    for uri in ["untitled:Untitled-1", "file:///no/such/file.go", "file:", "git:/a?b#c"] {
        let params = json!({ "textDocument": { "uri": uri } });
        assert_eq!(editor.result("textDocument/codeLens", params), json!([]), "{uri}");
    }
    let broken: [&[u8]; 5] = [
        b"\x00\xff garbage \r\n\r\n",
        b"Content-Length: 7\r\n\r\n{nope!}",
        b"Content-Length: 9\r\n\r\n{\"id\":1,\"method\":\"too short\"}",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: 99999999999999\r\n\r\n",
    ];
    let hot = line_of("if known == visitor");
    for bytes in broken {
        editor.write(bytes);
        assert_ne!(editor.hover(hot), Value::Null);
        let errors =
            editor.others.iter().filter(|m| m["id"].is_null() && m["error"]["code"] == -32700);
        assert!(errors.count() > 0, "{}", String::from_utf8_lossy(bytes));
        editor.others.clear();
    }
    for message in [json!([]), json!(7), json!({ "id": {} }), json!({ "jsonrpc": "2.0" })] {
        editor.write(&framed(&message));
        assert_ne!(editor.hover(hot), Value::Null);
        let refused = editor.others.iter().any(|m| m["error"]["code"] == -32600);
        assert!(refused, "{message}");
        editor.others.clear();
    }
    // Answers to requests that nobody sent.
    editor.write(&framed(&json!({ "id": "hotframe-99", "result": null })));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn cancelled_requests_are_answered_as_such() {
    let mut editor = Editor::with(&[], Value::Null);
    let open = json!({ "command": "hotframe.open", "arguments": [SAMPLE] });
    let message = |id: u64, method: &str, params: &Value| {
        framed(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    };
    let mut bytes = message(100, "workspace/executeCommand", &open);
    bytes.extend(message(101, "workspace/symbol", &json!({ "query": "" })));
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": 101 } });
    bytes.extend(framed(&cancel));
    editor.write(&bytes);
    assert!(editor.answer(&json!(100)).get("result").is_some());
    let answer = editor.answer(&json!(101));
    // It may have been answered before anybody heard that it is not wanted.
    assert!(answer["error"]["code"] == -32800 || answer["result"].is_array(), "{answer}");
    editor.notify("$/cancelRequest", json!({ "id": 5000 }));
    assert_eq!(editor.leave(), Some(0));
}
