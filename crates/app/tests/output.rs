//! Where results are written, and what is there before and after.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// `hotframe convert` of a small profile to `-o output`, with more arguments.
fn convert(output: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.arg("convert").arg(sample("pprof/cpu.pb.gz")).arg("-o").arg(output).args(more);
    command
}

fn run(mut command: Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output
}

/// What the conversion gives on standard output.
fn expected() -> Vec<u8> {
    let bytes = run(convert(Path::new("-"), &["--to", "collapsed"])).stdout;
    assert!(bytes.len() > 100);
    bytes
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_behind_a_link_is_replaced_and_keeps_its_mode() {
    let folder = TempDir::new().unwrap();
    let (file, link) = (folder.path().join("real.collapsed"), folder.path().join("link.collapsed"));
    fs::write(&file, "before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.collapsed", &link).unwrap();
    run(convert(&link, &[]));
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), expected());
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);

    // A link to what does not exist yet, in another folder.
    fs::create_dir(folder.path().join("sub")).unwrap();
    let dangling = folder.path().join("new.collapsed");
    symlink("sub/made.collapsed", &dangling).unwrap();
    run(convert(&dangling, &[]));
    assert_eq!(fs::read(folder.path().join("sub/made.collapsed")).unwrap(), expected());
    assert_eq!(names(folder.path()), ["link.collapsed", "new.collapsed", "real.collapsed", "sub"]);
}

#[test]
fn a_pipe_is_written_into_and_stays() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || {
            let mut bytes = vec![];
            fs::File::open(pipe).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        })
    };
    run(convert(&pipe, &["--to", "collapsed"]));
    assert_eq!(reader.join().unwrap(), expected());
    assert_eq!(names(folder.path()), ["pipe"]);
    assert!(!fs::metadata(&pipe).unwrap().is_file());
}

#[test]
fn standard_output_by_name_is_no_file() {
    let piped = run(convert(Path::new("/dev/stdout"), &["--to", "collapsed"])).stdout;
    assert_eq!(piped, expected());

    // A shell redirected it into a file, after what is there.
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("all.txt");
    for output in ["/dev/stdout", "/proc/self/fd/1"] {
        fs::write(&file, "before\n").unwrap();
        let before = fs::metadata(&file).unwrap().ino();
        let mut command = convert(Path::new(output), &["--to", "collapsed"]);
        command.stdout(fs::OpenOptions::new().append(true).open(&file).unwrap());
        assert!(command.status().unwrap().success());
        assert_eq!(fs::read(&file).unwrap(), [b"before\n", &*expected()].concat(), "{output}");
        assert_eq!(fs::metadata(&file).unwrap().ino(), before, "{output}");
    }
    assert_eq!(names(folder.path()), ["all.txt"]);
}

#[test]
fn what_a_shell_substitutes_is_written_into() {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let script = format!(
        "'{}' convert '{}' --to collapsed -o >(cat > {copy}); wait $!; for i in 1 2 3 4 5 6 7 8 9; do \
         [ -s {copy} ] && break; sleep 0.2; done",
        env!("CARGO_BIN_EXE_hotframe"),
        sample("pprof/cpu.pb.gz").display(),
        copy = copy.display()
    );
    let Ok(status) = Command::new("bash").args(["-c", &script]).status() else {
        return eprintln!("not checked: there is no bash");
    };
    assert!(status.success());
    assert_eq!(fs::read(copy).unwrap(), expected());
}

#[test]
fn nothing_is_left_of_what_could_not_be_written() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("kept.collapsed");
    fs::write(&file, "before").unwrap();
    let mut command = convert(&file, &["--metric", "no such metric"]);
    assert!(!command.output().unwrap().status.success());
    assert_eq!(fs::read(&file).unwrap(), b"before");
    let output =
        convert(folder.path().join("no/such/folder/x.pb").as_path(), &[]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("cannot write") && text.contains("x.pb"), "{text}");
    assert_eq!(names(folder.path()), ["kept.collapsed"]);
}

#[test]
fn tables_tell_which_files_they_are() {
    let folder = TempDir::new().unwrap();
    let output = run(convert(&folder.path().join("run.csv"), &[]));
    let told = String::from_utf8(output.stderr).unwrap();
    let files = names(folder.path());
    assert_eq!(files.len(), 7);
    for file in files {
        assert!(told.contains(&file), "{file} is not in {told}");
    }
    let refused = convert(Path::new("/dev/stdout"), &["--to", "csv"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(refused.stdout.is_empty());
}

#[test]
fn any_table_opens_its_profile() {
    let folder = TempDir::new().unwrap();
    run(convert(&folder.path().join("a.b.csv.gz"), &[]));
    // Another profile beside it, and what is none.
    run(convert(&folder.path().join("other.csv"), &[]));
    fs::write(folder.path().join("notes.links.csv"), "a,b\n").unwrap();
    let show = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        command.args(["show", "--format", "csv"]).arg(path);
        command
    };
    let expected = run(show(&sample("pprof/cpu.pb.gz"))).stdout;
    for table in ["contexts", "frames", "values", "links", "metrics", "threads", "members"] {
        let path = folder.path().join(format!("a.b.{table}.csv.gz"));
        assert_eq!(run(show(&path)).stdout, expected, "{table}");
    }
    let refused = |path: &Path| {
        let output = show(path).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let told = refused(folder.path());
    assert!(told.contains("2 profiles") && told.contains("other.contexts.csv"), "{told}");
    let told = refused(&folder.path().join("notes.links.csv"));
    assert!(told.contains("no known profile format"), "{told}");
    fs::remove_file(folder.path().join("other.frames.csv")).unwrap();
    let told = refused(&folder.path().join("other.values.csv"));
    assert!(told.contains("other.frames.csv is missing"), "{told}");
}

#[test]
fn a_folder_that_nobody_may_look_into_does_not_fail_the_others() {
    let folder = TempDir::new().unwrap();
    let (open, closed) = (folder.path().join("open"), folder.path().join("closed"));
    for path in [&open, &closed] {
        fs::create_dir(path).unwrap();
        fs::write(path.join("run.collapsed"), "main;work 3\n").unwrap();
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // Root may look everywhere.
    let binary = folder.path().join("hotframe");
    fs::copy(env!("CARGO_BIN_EXE_hotframe"), &binary).unwrap();
    let mut command = Command::new(&binary);
    command.args(["info", "--format", "json"]).arg(folder.path().join("open")).arg(folder.path());
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        command.uid(65_534).gid(65_534).env("HOME", folder.path());
    }
    let output = command.output().unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let warnings = info["warnings"].to_string();
    assert!(warnings.contains("left out: closed (Permission denied"), "{warnings}");
}

#[test]
fn names_do_not_control_a_terminal_whatever_the_format() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("hostile.collapsed");
    fs::write(&file, "main;\u{1b}]0;title\u{7}work 1\n").unwrap();
    let show = |format: &str, before: &[&str]| {
        let program = env!("CARGO_BIN_EXE_hotframe");
        let words = [before, &[program, "show", "--view", "flat", "--format", format]].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(&file);
        String::from_utf8(run(command).stdout).unwrap()
    };
    let terminal = ["python3", "-c", "import pty, sys; pty.spawn(sys.argv[1:])"];
    for format in ["text", "csv", "json", "markdown"] {
        let seen = show(format, &terminal);
        assert!(seen.contains("title"), "{seen}");
        assert!(!seen.contains("\u{1b}]") && !seen.contains('\u{7}'), "{seen:?}");
    }
    // Programs get what is there.
    assert!(show("csv", &[]).contains("\u{1b}]0"));
}

#[test]
fn what_a_killed_process_left_is_removed_by_the_next_and_nothing_else_is() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let left = format!("out.collapsed.{}-0.partial", gone.id());
    let living = format!("out.collapsed.{}-0.partial", std::process::id());
    let other = format!("other.collapsed.{}-0.partial", gone.id());
    for name in [&left, &living, &other] {
        fs::write(at(name), "half").unwrap();
    }
    run(convert(&at("out.collapsed"), &[]));
    let mut expected = [other, living, "out.collapsed".to_owned()];
    expected.sort();
    assert_eq!(names(folder.path()), expected);
}
