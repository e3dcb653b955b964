//! What goes into the folder and comes out of it.

use std::fs;
use std::path::Path;

use isolation::{Bring, Folder, Isolation};

use crate::run::{Ran, python, small};

fn bring(into: &Path, patterns: &[&str]) -> Bring {
    let patterns = patterns.iter().map(|pattern| pattern.to_string()).collect();
    Bring { into: into.to_owned(), patterns, bytes: 4 << 20, files: 20 }
}

fn run(bring: Bring, text: &str) -> Option<Ran> {
    python(&Isolation { folder: Folder { source: None, bring: Some(bring) }, ..small() }, text)
}

#[test]
fn a_source_goes_in_and_results_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let (source, into) = (folder.path().join("source"), folder.path().join("into"));
    fs::create_dir_all(source.join("package/deep")).unwrap();
    fs::create_dir(&into).unwrap();
    fs::write(source.join("main.py"), "original").unwrap();
    fs::write(source.join("package/deep/data"), "42").unwrap();
    std::os::unix::fs::symlink("main.py", source.join("link")).unwrap();
    std::os::unix::fs::symlink("/etc/shadow", source.join("out")).unwrap();
    let isolation = Isolation {
        folder: Folder {
            source: Some(source.clone()),
            bring: Some(bring(&into, &["result.json", "out/**/*.csv"])),
        },
        ..small()
    };
    let text = r#"
print(sorted(os.listdir("/work")), open("link").read(), open("package/deep/data").read())
attempt(open, "out")
os.unlink("out")
open("main.py", "w").write("changed")
open("package/more", "w").write("more")
open("result.json", "w").write("{}")
os.makedirs("out/a/b")
open("out/1.csv", "w").write("1")
open("out/a/b/2.csv", "w").write("2")
open("out/a/b/2.txt", "w").write("2")
"#;
    let Some(ran) = python(&isolation, text) else { return };
    ran.says(&["['link', 'main.py', 'out', 'package'] original 42", "held ENOENT"]);
    assert_eq!(fs::read_to_string(source.join("main.py")).unwrap(), "original");
    assert_eq!(fs::read_dir(source.join("package")).unwrap().count(), 1);
    let brought = &ran.end().brought;
    assert_eq!(brought.files, ["out/1.csv", "out/a/b/2.csv", "result.json"]);
    assert_eq!((brought.bytes, brought.refusals), (4, 0));
    assert_eq!(fs::read_to_string(into.join("out/a/b/2.csv")).unwrap(), "2");
    assert!(!into.join("out/a/b/2.txt").exists());
}

#[test]
fn a_source_that_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("large"), vec![0; 40 << 20]).unwrap();
    let source = Some(folder.path().to_owned());
    let isolation = Isolation { folder: Folder { source, bring: None }, ..small() };
    let Some(ran) = python(&isolation, "print('ran')") else { return };
    assert_eq!((ran.status.code(), ran.out.as_str()), (Some(125), ""));
    assert!(ran.error.contains("copying the source into /work: large: No space"), "{}", ran.error);
}

#[test]
fn tricks_bring_nothing_out() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("into");
    fs::create_dir(&into).unwrap();
    fs::write(into.join("there"), "as it was").unwrap();
    let text = r#"
import socket
open("good", "w").write("good")
os.symlink("/etc/passwd", "passwd")
os.symlink("good", "link")
os.symlink("/", "root")
os.symlink("..", "up")
os.mkfifo("pipe")
socket.socket(socket.AF_UNIX).bind("socket")
open("a\nb", "w").write("x")
open("a\x1b[31mb", "w").write("x")
open(b"a\xffb", "w").write("x")
open("a\\b", "w").write("x")
open("there", "w").write("changed")
open("secret", "w").write("x")
os.chmod("secret", 0)
os.link("good", "hard")
with open("sparse", "w") as file:
    file.truncate(8 << 20)
os.mkdir("folder")
os.makedirs("closed/in")
os.chmod("closed", 0)
attempt(os.link, "/usr/bin/env", "env")
"#;
    let Some(ran) = run(bring(&into, &["*", "root/etc/*", "up/*", "../*", "/etc/passwd"]), text)
    else {
        return;
    };
    assert!(ran.status.success(), "{}", ran.error);
    let brought = &ran.end().brought;
    let refused = brought.refused.join("\n");
    let is_in = |name: &str| refused.lines().any(|line| line.starts_with(&format!("{name}: ")));
    for name in ["passwd", "link", "root", "up"] {
        assert!(refused.contains(&format!("{name}: a symbolic link")), "{refused}");
    }
    for name in ["pipe", "socket"] {
        assert!(refused.contains(&format!("{name}: not a regular file")), "{refused}");
    }
    for name in ["a\\nb", "a\\u{1b}[31mb", "a\u{fffd}b", "a\\\\b", "there", "sparse"] {
        assert!(is_in(name), "{name}: {refused}");
    }
    // What the program alone could not read may be refused or not, but nothing else is brought.
    let kept: Vec<&str> =
        brought.files.iter().map(String::as_str).filter(|name| *name != "secret").collect();
    assert_eq!(kept, ["good", "hard"]);
    assert_eq!(fs::read_to_string(into.join("there")).unwrap(), "as it was");
    let mut names: Vec<_> =
        fs::read_dir(&into).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.retain(|name| name != "secret");
    names.sort();
    assert_eq!(names, ["good", "hard", "there"]);
    assert!(fs::symlink_metadata(into.join("good")).unwrap().is_file());
}

#[test]
fn what_is_brought_out_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("into");
    fs::create_dir(&into).unwrap();
    let text = r#"
for number in range(30):
    open(f"{number:02}", "w").write("x" * 300_000)
"#;
    let Some(ran) = run(bring(&into, &["*"]), text) else { return };
    // 4 MiB: 13 files; at most 20.
    assert_eq!((ran.end().brought.files.len(), ran.end().brought.refusals), (13, 17));
    let into = folder.path().join("other");
    fs::create_dir(&into).unwrap();
    let ran = run(bring(&into, &["*"]), &text.replace("300_000", "1")).unwrap();
    assert_eq!((ran.end().brought.files.len(), ran.end().brought.refusals), (20, 10));
    assert_eq!(fs::read_dir(&into).unwrap().count(), 20);
}

#[test]
fn nobody_changes_what_is_brought_out_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("into");
    fs::create_dir(&into).unwrap();
    // Children that go on swapping a folder with a link when the program has ended.
    let text = r#"
os.mkdir("a"); open("a/passwd", "w").write("own")
os.symlink("/etc", "b")
for number in range(8):
    if os.fork() == 0:
        os.setsid()
        while True:
            try:
                os.rename("a", "c"); os.rename("b", "a"); os.rename("c", "b")
            except OSError:
                pass
time.sleep(0.3)
"#;
    let mut bring = bring(&into, &["**/passwd"]);
    bring.files = 100;
    let Some(ran) = run(bring, text) else { return };
    assert!(ran.status.success(), "{}", ran.error);
    for name in &ran.end().brought.files {
        assert_eq!(fs::read_to_string(into.join(name)).unwrap(), "own", "{name}");
    }
    assert_eq!(ran.end().brought.files.len(), 1);
}

#[test]
fn what_was_left_comes_out_after_a_limit_too() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("into");
    fs::create_dir(&into).unwrap();
    let mut isolation = small();
    isolation.folder.bring = Some(bring(&into, &["part"]));
    isolation.limits.wall = std::time::Duration::from_millis(500);
    let text = r#"
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("part", "w").write("so far")
time.sleep(60)
"#;
    let Some(ran) = python(&isolation, text) else { return };
    assert_eq!(ran.end().cause, Some(isolation::Cause::Wall));
    assert_eq!(fs::read_to_string(into.join("part")).unwrap(), "so far");
}
