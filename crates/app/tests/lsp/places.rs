//! Where files of a profile are in the workspace.

use super::*;

/// An editor with these empty files and a profile that names these.
fn editor(here: &[&str], named: [&str; 2]) -> Editor {
    let mut editor = Editor::start(&[]);
    for file in here {
        let path = editor.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "1\n2\n3\n").unwrap();
        touch(&path, 1_000_000_000);
    }
    std::fs::create_dir(editor.path("profiles")).unwrap();
    std::fs::write(editor.path("profiles/p.cpuprofile"), cpu_profile(named)).unwrap();
    let window = json!({ "window": { "showMessage": {}, "showDocument": { "support": true } } });
    editor.initialize_as(json!({ "profiles": ["profiles/p.cpuprofile"] }), window);
    editor
}

/// The function that has a lens in a file, if one has.
fn function_in(editor: &mut Editor, file: &str) -> Option<String> {
    let params = json!({ "textDocument": { "uri": editor.uri(file) } });
    let lenses = editor.result("textDocument/codeLens", params);
    lenses[0]["command"]["arguments"][0].as_str().map(str::to_owned)
}

fn requests(editor: &mut Editor, method: &str) -> Vec<Value> {
    let (found, others) = editor.others.drain(..).partition(|one| one["method"] == method);
    editor.others = others;
    found
}

fn questions(editor: &mut Editor) -> Vec<Value> {
    requests(editor, "window/showMessageRequest")
}

/// Clicks on a frame of a file.
fn click(editor: &mut Editor, file: &str) -> Value {
    let profile = editor.path("profiles/p.cpuprofile");
    let params = json!({ "command": "hotframe.openSource", "arguments": [profile, file, 2] });
    editor.request("workspace/executeCommand", params)
}

fn answer(editor: &mut Editor, to: &Value, result: Value) {
    editor.write(&framed(&json!({ "jsonrpc": "2.0", "id": to["id"], "result": result })));
    editor.result("hotframe/profiles", json!({}));
}

#[test]
fn a_name_alone_is_believed_where_it_is_the_only_one() {
    let mut one = editor(&["deep/er/main.py"], ["main.py", "other.py"]);
    assert_eq!(function_in(&mut one, "deep/er/main.py").as_deref(), Some("first"));
    assert_eq!(questions(&mut one), [Value::Null; 0]);
    let mut two = editor(&["a/main.py", "b/main.py"], ["main.py", "other.py"]);
    assert_eq!(function_in(&mut two, "a/main.py"), None);
    assert_eq!(questions(&mut two).len(), 1);
    // From where the profile was made.
    let mut at_root = editor(&["main.py", "b/main.py"], ["main.py", "other.py"]);
    assert_eq!(function_in(&mut at_root, "main.py").as_deref(), Some("first"));
    assert_eq!(function_in(&mut at_root, "b/main.py"), None);
    assert_eq!(questions(&mut at_root), [Value::Null; 0]);
}

#[test]
fn a_frame_asks_once_where_its_file_is() {
    let files = ["/app/main.py", "/app/lib/util.py"];
    let mut editor = editor(&["a/main.py", "b/main.py", "b/lib/util.py"], files);
    let refused = click(&mut editor, files[0]);
    assert!(refused["error"]["message"].as_str().unwrap().contains("asks for it"), "{refused}");
    let question = questions(&mut editor).remove(0);
    let titles = json!([
        { "title": editor.path("a/main.py") }, { "title": editor.path("b/main.py") },
        { "title": "Locate…" },
    ]);
    let mut actions = question["params"]["actions"].as_array().unwrap().clone();
    actions.sort_by_key(Value::to_string);
    assert_eq!(json!(actions), titles);
    let chosen = json!({ "title": editor.path("b/main.py") });
    answer(&mut editor, &question, chosen);
    let shown = requests(&mut editor, "window/showDocument");
    assert_eq!(shown[0]["params"]["uri"], editor.uri("b/main.py"));
    assert_eq!(function_in(&mut editor, "b/main.py").as_deref(), Some("first"));
    assert_eq!(function_in(&mut editor, "a/main.py"), None);
    // The rest of the folder is beside it.
    assert_eq!(function_in(&mut editor, "b/lib/util.py").as_deref(), Some("second"));
    assert!(click(&mut editor, files[0]).get("error").is_none());
    assert!(click(&mut editor, files[1]).get("error").is_none());
    assert_eq!(questions(&mut editor), [Value::Null; 0]);
}

#[test]
fn a_file_is_located_in_a_dialog() {
    let mut editor = editor(&["x/renamed.py"], ["/gone/main.py", "/gone/other.py"]);
    click(&mut editor, "/gone/main.py");
    let question = questions(&mut editor).remove(0);
    assert_eq!(question["params"]["actions"], json!([{ "title": "Locate…" }]));
    answer(&mut editor, &question, json!({ "title": "Locate…" }));
    let dialog = requests(&mut editor, "hotframe/locate").remove(0);
    assert_eq!(dialog["params"]["file"], "/gone/main.py");
    let chosen = json!(editor.uri("x/renamed.py"));
    answer(&mut editor, &dialog, chosen);
    let shown = requests(&mut editor, "window/showDocument");
    assert_eq!(shown[0]["params"]["uri"], editor.uri("x/renamed.py"));
    assert_eq!(function_in(&mut editor, "x/renamed.py").as_deref(), Some("first"));
}

#[test]
fn one_of_several_folders_alike_is_requested_and_the_one_more_alike_is_it() {
    let mut alike = editor(&["api/src/x.py", "web/src/x.py"], ["/app/src/x.py", "/y.py"]);
    assert_eq!(function_in(&mut alike, "api/src/x.py"), None);
    assert_eq!(questions(&mut alike).len(), 1);
    let mut more = editor(&["api/src/x.py", "web/src/x.py"], ["/build/api/src/x.py", "/y.py"]);
    assert_eq!(function_in(&mut more, "api/src/x.py").as_deref(), Some("first"));
    assert_eq!(function_in(&mut more, "web/src/x.py"), None);
    assert_eq!(questions(&mut more), [Value::Null; 0]);
    let symbols = more.result("workspace/symbol", json!({ "query": "first" }));
    assert_eq!(symbols[0]["location"]["uri"], more.uri("api/src/x.py"));
}

#[test]
fn paths_of_go_modules_are_found() {
    let files = ["example.org/team/server/main.go", "example.org/other/v2@v2.1.0/main.go"];
    let mut editor = editor(&["backend/main.go", "tool/main.go"], files);
    let module = "module example.org/team/server\n";
    std::fs::write(editor.path("backend/go.mod"), module).unwrap();
    assert_eq!(function_in(&mut editor, "backend/main.go").as_deref(), Some("first"));
    assert!(click(&mut editor, files[0]).get("error").is_none());
    let shown = requests(&mut editor, "window/showDocument");
    assert_eq!(shown[0]["params"]["uri"], editor.uri("backend/main.go"));
}

/// Runs git in a folder at a time.
fn git_in(folder: &Path, date: &str, arguments: &[&str]) {
    let ended = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_COMMITTER_DATE", date)
        .env("GIT_AUTHOR_DATE", date)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(ended.unwrap().success(), "{arguments:?}");
}

const BEFORE: &str = "2001-01-01T00:00:00Z";
const AFTER: &str = "2030-01-01T00:00:00Z";

/// A repository with a commit of two files.
fn repository(folder: &Path) {
    for file in ["src/main.py", "src/util.py"] {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("# {}\n2\n3\n", folder.display())).unwrap();
    }
    git_in(folder, BEFORE, &["init", "--quiet"]);
    git_in(folder, BEFORE, &["add", "."]);
    git_in(folder, BEFORE, &["commit", "--quiet", "-m", "first"]);
}

#[test]
fn what_was_recorded_in_another_copy_of_the_project_is_offered() {
    let home = tempfile::tempdir().unwrap();
    let [main, worktree, copy, other] =
        ["main", "worktree", "copy", "other"].map(|name| home.path().join(name));
    repository(&main);
    git_in(&main, BEFORE, &["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
    git_in(home.path(), BEFORE, &["clone", "--quiet", "main", "copy"]);
    repository(&other);
    // From which folder to which, and whether they are copies of each other.
    for (here, there, is_copy) in [
        (&main, &worktree, true),
        (&worktree, &main, true),
        (&main, &copy, true),
        (&copy, &worktree, true),
        (&main, &other, false),
    ] {
        let mut editor = Editor::start(&[]);
        let files = ["src/main.py", "src/util.py"].map(|file| there.join(file));
        let named = files.each_ref().map(|file| file.to_str().unwrap());
        std::fs::write(editor.path("p.cpuprofile"), cpu_profile(named)).unwrap();
        let window =
            json!({ "window": { "showMessage": {}, "showDocument": { "support": true } } });
        let profile = editor.path("p.cpuprofile");
        editor.initialize_in(here, json!({ "profiles": [profile] }), window);
        let function = |editor: &mut Editor, file: &str| {
            let uri = format!("file://{}", here.join(file).display());
            let params = json!({ "textDocument": { "uri": uri } });
            let lenses = editor.result("textDocument/codeLens", params);
            lenses[0]["command"]["arguments"][0].as_str().map(str::to_owned)
        };
        for file in ["src/main.py", "src/util.py"] {
            assert_eq!(function(&mut editor, file), None);
        }
        let requests = questions(&mut editor);
        assert_eq!(requests.len(), usize::from(is_copy), "{here:?} {there:?} {requests:?}");
        let Some(question) = requests.first() else { continue };
        let message = question["params"]["message"].as_str().unwrap();
        let said = format!("recorded in another copy of this project, {}.", there.display());
        assert!(message.ends_with(&said), "{message}");
        answer(&mut editor, question, json!({ "title": "Show It Here" }));
        assert_eq!(function(&mut editor, "src/main.py").as_deref(), Some("first"));
        assert_eq!(function(&mut editor, "src/util.py").as_deref(), Some("second"));
        // A click leads to this copy.
        let shown =
            json!({ "command": "hotframe.openSource", "arguments": [profile, named[0], 2] });
        editor.others.clear();
        editor.request("workspace/executeCommand", shown);
        let uri = editor.others[0]["params"]["uri"].as_str().unwrap();
        assert_eq!(uri, format!("file://{}", here.join("src/main.py").display()));
        assert_eq!(questions(&mut editor), [Value::Null; 0]);
    }
}

#[test]
fn files_that_git_moved_are_followed() {
    for is_committed in [true, false] {
        let mut editor = Editor::start(&[]);
        let folder = editor.path("");
        repository(&folder);
        let named = ["src/main.py", "src/util.py"].map(|file| editor.path(file));
        let named = named.each_ref().map(|file| file.to_str().unwrap());
        std::fs::write(editor.path("p.cpuprofile"), cpu_profile(named)).unwrap();
        std::fs::create_dir(editor.path("lib")).unwrap();
        git_in(&folder, BEFORE, &["mv", "src/main.py", "lib/core.py"]);
        if is_committed {
            git_in(&folder, AFTER, &["commit", "--quiet", "-m", "moved"]);
            git_in(&folder, AFTER, &["mv", "lib/core.py", "lib/start.py"]);
            git_in(&folder, AFTER, &["commit", "--quiet", "-m", "moved again"]);
        }
        let now = if is_committed { "lib/start.py" } else { "lib/core.py" };
        editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
        assert_eq!(function_in(&mut editor, now).as_deref(), Some("first"));
        assert_eq!(function_in(&mut editor, "src/util.py").as_deref(), Some("second"));
        // And from a frame to its file.
        let profile = editor.path("p.cpuprofile");
        let shown =
            json!({ "command": "hotframe.openSource", "arguments": [profile, named[0], 2] });
        editor.others.clear();
        let said = editor.request("workspace/executeCommand", shown);
        assert_eq!(editor.others[0]["params"]["uri"], editor.uri(now), "{said}");
    }
}

/// A repository with three files whose functions are their names, and a profile of all.
fn of_three() -> Editor {
    let editor = Editor::start(&[]);
    let folder = editor.path("");
    std::fs::create_dir(editor.path("x")).unwrap();
    for (name, line) in [("a", "one"), ("b", "two"), ("x/c", "three")] {
        // Git takes small files for the same ones, changed.
        let text: String = (0..40).map(|at| format!("{line} is {line} at {at}\n")).collect();
        std::fs::write(editor.path(&format!("{name}.js")), text).unwrap();
    }
    git_in(&folder, BEFORE, &["init", "--quiet"]);
    git_in(&folder, BEFORE, &["add", "."]);
    git_in(&folder, BEFORE, &["commit", "--quiet", "-m", "first"]);
    let frame = |(id, name, file): (u32, &str, &str)| {
        let url = editor.uri(file);
        let call = json!({
            "functionName": name, "scriptId": "1", "url": url, "lineNumber": 1, "columnNumber": 0,
        });
        json!({ "id": id, "callFrame": call })
    };
    let files = [(2, "one", "a.js"), (3, "two", "b.js"), (4, "three", "x/c.js")].map(frame);
    let root = json!({ "functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": -1,
        "columnNumber": -1 });
    let mut nodes = vec![json!({ "id": 1, "callFrame": root, "children": [2, 3, 4] })];
    nodes.extend(files);
    let profile = json!({
        "nodes": nodes, "samples": [2, 3, 4], "timeDeltas": [10, 10, 10], "startTime": 0,
        "endTime": 40,
    });
    std::fs::write(editor.path("p.cpuprofile"), profile.to_string()).unwrap();
    editor
}

#[test]
fn files_whose_names_went_round_are_distinguished() {
    /// Moves of a commit: from where, to where.
    type Moves = &'static [(&'static str, &'static str)];
    /// Commits, and the function of each file after them; none of what is new.
    type Case = (&'static [Moves], &'static [(&'static str, Option<&'static str>)]);
    let cases: [Case; 5] = [
        // The name stays.
        (&[&[("a.js", "app/a.js")]], &[("app/a.js", Some("one"))]),
        (&[&[("x/c.js", "y/c.js")]], &[("y/c.js", Some("three"))]),
        // They change places.
        (
            &[&[("a.js", "t"), ("b.js", "a.js"), ("t", "b.js")]],
            &[("a.js", Some("two")), ("b.js", Some("one"))],
        ),
        (&[&[("a.js", "d.js"), ("b.js", "a.js")]], &[("a.js", Some("two")), ("d.js", Some("one"))]),
        (
            &[&[("a.js", "d.js")], &[("b.js", "a.js")], &[("d.js", "b.js")]],
            &[("a.js", Some("two")), ("b.js", Some("one"))],
        ),
    ];
    for is_committed in [true, false] {
        for (commits, wanted) in &cases {
            if !is_committed && commits.len() > 1 {
                continue;
            }
            let mut editor = of_three();
            let folder = editor.path("");
            for moves in *commits {
                for (from, to) in *moves {
                    let to = editor.path(to);
                    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
                    std::fs::rename(editor.path(from), to).unwrap();
                }
                let own = ["add", "--all", "--", ".", ":!p.cpuprofile"];
                git_in(&folder, AFTER, &own);
                if is_committed {
                    git_in(&folder, AFTER, &["commit", "--quiet", "-m", "moved"]);
                }
            }
            editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
            for (file, function) in *wanted {
                let found = function_in(&mut editor, file);
                assert_eq!(found.as_deref(), *function, "{file} after {commits:?}, {is_committed}");
            }
        }
    }
}

#[test]
fn a_new_file_that_has_an_old_name_has_no_values() {
    let mut editor = of_three();
    let folder = editor.path("");
    git_in(&folder, AFTER, &["mv", "a.js", "d.js"]);
    git_in(&folder, AFTER, &["commit", "--quiet", "-m", "moved"]);
    std::fs::write(editor.path("a.js"), "another\n".repeat(40)).unwrap();
    editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
    assert_eq!(function_in(&mut editor, "d.js").as_deref(), Some("one"));
    assert_eq!(function_in(&mut editor, "a.js"), None);
}
