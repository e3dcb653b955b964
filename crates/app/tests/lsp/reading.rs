//! What happens while a profile is read: one that is a pipe is read for as long as nobody writes.

use super::*;

fn pipe(path: &Path) {
    let _ = std::fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Another time for a pipe, which is not opened for it.
fn touch_pipe(path: &Path, seconds: u32) {
    let time = format!("--date=@{seconds}");
    assert!(Command::new("touch").args(["-c", &time]).arg(path).status().unwrap().success());
}

/// Sends a request whose answer is awaited later.
fn ask(editor: &mut Editor, method: &str, params: Value) -> Value {
    editor.last_id += 1;
    let id = editor.last_id;
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    editor.write(&framed(&message));
    json!(id)
}

fn ask_for_lenses(editor: &mut Editor) -> Value {
    let document = editor.document();
    ask(editor, "textDocument/codeLens", document)
}

fn document_of(opened: &Value) -> u64 {
    opened["documents"][0]["document"].as_u64().unwrap()
}

#[test]
fn a_profile_is_closed_while_it_is_read() {
    let mut editor = Editor::with(&[], Value::Null);
    let path = editor.path("cpu.pb.gz");
    pipe(&path);
    editor.run("hotframe.open", json!([path]));
    let waits = ask_for_lenses(&mut editor);
    let close = json!({ "command": "hotframe.close", "arguments": [path] });
    let closing = ask(&mut editor, "workspace/executeCommand", close);
    assert_eq!(editor.answer(&waits)["result"], json!([]));
    assert_eq!(editor.answer(&closing)["result"], 1);
    assert_eq!(editor.result("hotframe/profiles", json!({}))["profiles"], json!([]));
    assert_eq!(editor.run("hotframe.close", json!([path])), 0);
    assert_eq!(editor.messages(), [""; 0]);
}

#[test]
fn a_profile_that_changes_all_the_time_is_read_once_at_a_time() {
    let mut editor = Editor::with(&[], Value::Null);
    let path = editor.path("cpu.pb.gz");
    std::fs::copy(SAMPLE, &path).unwrap();
    let first = document_of(&editor.run("hotframe.open", json!([path])));
    editor.open_source();
    let document = editor.document();
    let lenses = editor.result("textDocument/codeLens", document);
    pipe(&path);
    let mut waiting = vec![];
    for time in 1..4 {
        touch_pipe(&path, time);
        waiting.push(ask_for_lenses(&mut editor));
    }
    let under_way = document_of(&editor.run("hotframe.open", json!([path])));
    assert_eq!(under_way, first + 1);
    // And what waits does not wait for the next change.
    std::fs::write(&path, std::fs::read(SAMPLE).unwrap()).unwrap();
    for id in waiting {
        assert_eq!(editor.answer(&id)["result"], lenses);
    }
}

#[test]
fn what_waits_is_refused_at_the_end() {
    let mut editor = Editor::with(&[], Value::Null);
    let path = editor.path("cpu.pb.gz");
    pipe(&path);
    editor.run("hotframe.open", json!([path]));
    let waits = ask_for_lenses(&mut editor);
    let shutdown = ask(&mut editor, "shutdown", Value::Null);
    assert_eq!(editor.answer(&waits)["error"]["code"], -32600);
    assert_eq!(editor.answer(&shutdown)["result"], Value::Null);
}

#[test]
fn a_profile_that_was_not_whole_yet_is_read_when_it_is() {
    let mut editor = Editor::start(&[]);
    let path = editor.path("cpu.pb.gz");
    let whole = std::fs::read(SAMPLE).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    touch(&path, 1_000_000_000);
    editor.initialize(json!({ "profiles": ["cpu.pb.gz"] }));
    let document = editor.document();
    assert_eq!(editor.result("textDocument/codeLens", document.clone()), json!([]));
    assert!(editor.has_message("cannot be used"));
    std::fs::write(&path, whole).unwrap();
    touch(&path, 1_000_000_001);
    assert_ne!(editor.result("textDocument/codeLens", document), json!([]));
}

#[test]
fn a_profile_that_is_recorded_again_raises_no_error() {
    let mut editor = Editor::start(&[]);
    let path = editor.path("cpu.pb.gz");
    let whole = std::fs::read(SAMPLE).unwrap();
    std::fs::write(&path, &whole).unwrap();
    touch(&path, 1_000_000_000);
    editor.initialize(json!({ "profiles": ["cpu.pb.gz"] }));
    let document = editor.document();
    let before = editor.result("textDocument/codeLens", document.clone());
    assert_ne!(before, json!([]));
    let again = std::fs::read(SAMPLE.replace("before-1", "before-2")).unwrap();
    for part in [0, again.len() / 3, again.len() / 2] {
        let _ = std::fs::remove_file(&path);
        assert_eq!(editor.result("textDocument/codeLens", document.clone()), before);
        std::fs::write(&path, &again[..part]).unwrap();
        assert_eq!(editor.result("textDocument/codeLens", document.clone()), before, "{part}");
    }
    std::fs::write(&path, &again).unwrap();
    assert_ne!(editor.result("textDocument/codeLens", document), before);
    let told = editor.messages();
    assert!(told.iter().all(|told| told.contains("changed and was read again")), "{told:?}");
}

#[test]
fn reports_what_stays_unreadable_once_nobody_writes_it() {
    let mut editor = Editor::start(&[]);
    std::fs::write(editor.path("cpu.pb.gz"), "nothing of the kind \x00").unwrap();
    editor.initialize(json!({ "profiles": ["cpu.pb.gz"] }));
    let document = editor.document();
    assert_eq!(editor.result("textDocument/codeLens", document.clone()), json!([]));
    assert_eq!(editor.messages(), [""; 0]);
    std::thread::sleep(Duration::from_millis(3500));
    for _ in 0..2 {
        editor.result("textDocument/codeLens", document.clone());
    }
    let told = editor.messages();
    assert_eq!(told.iter().filter(|told| told.contains("cannot be used")).count(), 1, "{told:?}");
}

#[test]
fn addresses_get_names_from_binaries_as_in_other_hosts() {
    let mut editor = Editor::start(&["--binaries", "."]);
    let code = "__attribute__((noinline)) int work(int n) { return n * 3; }\n\
                int main(int n, char **words) { return work(n); }\n";
    std::fs::write(editor.path("work.c"), code).unwrap();
    let folder = editor.path(".");
    let run = |program: &str, arguments: &[&str]| {
        let done =
            std::process::Command::new(program).args(arguments).current_dir(&folder).output();
        let done = done.unwrap();
        assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    run("cc", &["-g", "-pie", "-fPIE", "-o", "work", "work.c"]);
    let symbols = run("nm", &["work"]);
    let work = symbols.lines().find(|line| line.ends_with(" work")).unwrap();
    let (address, _) = work.split_once(' ').unwrap();
    let binary = folder.join("work");
    let sample = format!(
        "work 7 1.5: 1000 cpu-clock:\n\t{address} [unknown] ({})\n\n",
        binary.to_string_lossy()
    );
    std::fs::write(editor.path("work.perf-script"), sample).unwrap();
    editor.initialize(json!({ "profiles": ["work.perf-script"] }));
    let summary = editor.run("hotframe.summary", json!([]));
    let summary = summary.as_str().unwrap();
    assert!(summary.contains("| work | ") && summary.contains("work.c:1 |"), "{summary}");
}
