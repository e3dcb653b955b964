//! Texts of source files: which are sent to a page, and which are not.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use protocol::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::page::{Numbers, filtered, view};
use super::{Server, sample};

/// A profile that names these files, each with one sample on line 2.
fn profile(folder: &Path, files: &[&str]) -> std::path::PathBuf {
    let frames: Vec<Value> = files
        .iter()
        .enumerate()
        .map(|(index, file)| json!({ "name": format!("f{index}"), "file": file, "line": 2 }))
        .collect();
    let samples: Vec<[usize; 1]> = (0..files.len()).map(|index| [index]).collect();
    let profile = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": { "frames": frames },
        "profiles": [{
            "type": "sampled", "name": "p", "unit": "none", "startValue": 0,
            "endValue": files.len(), "samples": samples, "weights": vec![1; files.len()],
        }],
    });
    let path = folder.join("p.speedscope.json");
    fs::write(&path, profile.to_string()).unwrap();
    path
}

/// A folder with sources, one outside of it, and a server that may read the first.
struct Sources {
    folder: TempDir,
    server: Server,
}

const NAMED: [&str; 12] = [
    "/build/7/app/src/io.c",
    "src/../src/io.c",
    "../../secret.txt",
    "/build/link.c",
    "/build/linked/secret.txt",
    "/build/7/core/main.c",
    "/build/7/more/main.c",
    "/build/7/lib.c",
    "gone.c",
    "/build/app.bin",
    "/build/large.c",
    "src",
];

impl Sources {
    fn new() -> Sources {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/io.c"), "int x;\nint y;\n").unwrap();
        fs::write(root.join("main.c"), "int main;\n").unwrap();
        fs::write(root.join("lib.c"), "int lib;\n").unwrap();
        fs::write(root.join("app.bin"), b"\x7fELF\0").unwrap();
        fs::write(root.join("large.c"), vec![b'\n'; (8 << 20) + 1]).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        symlink(folder.path().join("secret.txt"), root.join("link.c")).unwrap();
        symlink(folder.path(), root.join("linked")).unwrap();
        let profile = profile(folder.path(), &NAMED);
        let server = Server::start_with(&[profile], &["--source", &root.to_string_lossy()]);
        Sources { folder, server }
    }

    fn ask(&self, file: &str) -> Result<SourceTextResult, String> {
        ask(&self.server, file).map_err(|error| error.message)
    }
}

fn ask(server: &Server, file: &str) -> Result<SourceTextResult, ProtocolError> {
    let wanted = SourceTextParams { document: 0, file: file.to_owned() };
    let answer = server.page().try_call(SessionRequest::SourceText(wanted), vec![]);
    let answer = answer.map(|(told, _)| told);
    if let Err(error) = &answer {
        assert_eq!(error.code, ErrorCode::NoSource);
        assert!(!error.hint.is_empty(), "{error}");
    }
    answer
}

#[test]
fn the_longest_end_that_is_there_is_the_file() {
    let sources = Sources::new();
    let told = sources.ask("/build/7/app/src/io.c").unwrap();
    assert_eq!(told.text, "int x;\nint y;\n");
    assert!(told.path.ends_with("/work/src/io.c"), "{}", told.path);
    // It was written before the profile.
    assert!(told.notes.is_empty(), "{:?}", told.notes);
    let told = sources.ask("/build/7/lib.c").unwrap();
    assert_eq!(told.notes, ["Only the name of this file is that of /build/7/lib.c."]);
}

#[test]
fn a_file_that_was_written_since_says_so() {
    let sources = Sources::new();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let path = sources.folder.path().join("work/src/io.c");
    fs::File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
    let told = sources.ask("/build/7/app/src/io.c").unwrap();
    let note = &told.notes[0];
    assert!(note.starts_with("The file changed after the recording"), "{note}");
}

#[test]
fn nothing_outside_of_the_folders_is_read() {
    let sources = Sources::new();
    let refused = |file: &str, because: &str| {
        let error = sources.ask(file).unwrap_err();
        assert!(error.contains(because), "{file}: {error}");
    };
    refused("../../secret.txt", "is not below");
    refused("/build/link.c", "which is outside of the source folders");
    refused("/build/linked/secret.txt", "which is outside of the source folders");
    refused("gone.c", "is not below");
    refused("src", "is not below");
}

#[test]
fn only_what_the_document_names_is_read() {
    let sources = Sources::new();
    let root = sources.folder.path().join("work");
    for file in ["main.c", "lib.c", "", "/etc/passwd", &root.join("main.c").to_string_lossy()] {
        let error = sources.ask(file).unwrap_err();
        assert!(error.contains("names no source file"), "{file}: {error}");
    }
}

#[test]
fn what_cannot_be_shown_says_why() {
    let sources = Sources::new();
    let refused = |file: &str, because: &str| {
        let error = sources.ask(file).unwrap_err();
        assert!(error.contains(because), "{file}: {error}");
    };
    refused("/build/7/core/main.c", "may be /build/7/core/main.c or /build/7/more/main.c");
    refused("/build/app.bin", "is not text");
    refused("/build/large.c", "is larger than 8 MiB");
}

#[test]
fn two_folders_may_have_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("x.c"), name).unwrap();
    }
    let profile = profile(folder.path(), &["x.c"]);
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let server = Server::start_with(&[profile], &["--source", &a, "--source", &b]);
    let error = ask(&server, "x.c").unwrap_err();
    assert!(error.message.contains("/a/x.c or "), "{error}");
}

#[test]
fn lines_have_values_of_the_view() {
    let server = Server::start(&[sample("runs/before-1.pb.gz")]);
    let lines = |view: ViewSpec| {
        let view = ViewSpec { metric: 1, ..view };
        let params = SourceLinesParams { view, file: "logsummary/main.go".to_owned() };
        let asked = ProfileRequest::SourceLines(params);
        let (_, numbers): (SourceLinesResult, Numbers) = server.page().call(asked);
        let at = numbers.u32("line").iter().position(|&line| line == 42).unwrap();
        (numbers.i64("self_value")[at], numbers.i64("total_value")[at], numbers.i64("scale")[1])
    };
    assert_eq!(lines(view(0)), (124_000_000, 1_368_000_000, 2_240_000_000));
    let (own, total, scale) = lines(filtered(FilterKind::Ignore, "addVisitor"));
    assert_eq!((own, total), (0, 0));
    assert!(scale < 2_240_000_000);
}

#[test]
fn graphs_name_files_too() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sharpen.py"), "import dace\n").unwrap();
    let root = folder.path().to_string_lossy().into_owned();
    let server = Server::start_with(&[sample("sdfg/sharpen.sdfg")], &["--source", &root]);
    assert_eq!(ask(&server, "record/sharpen.py").unwrap().text, "import dace\n");
}
