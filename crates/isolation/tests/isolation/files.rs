//! Files of this machine.

use std::fs;

use isolation::{Bind, Cause, Isolation};

use crate::run::{python, run, run_with, small};

#[test]
fn the_users_files_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("isolation-secret-of-a-test");
    fs::write(&secret, "secret").unwrap();
    let home = std::env::home_dir().unwrap();
    let text = format!(
        r#"
attempt(open, {secret:?})
for folder in {home:?}, "/root", "/home", "/var", "/run", "/sys", "/srv", "/mnt", "/opt":
    attempt(os.listdir, folder)
# What isolates has a folder there until the program starts.
print(os.listdir("/.isolation"))
# Nor anywhere else, by whatever path.
for folder in "/", "/proc/1/root", "/proc/self/root":
    for at, folders, files in os.walk(folder):
        if {secret:?}.split("/")[-1] in files + folders:
            print("found", at)
"#
    );
    let Some(ran) = python(&small(), &text) else { return };
    ran.says(&[&["held ENOENT"; 10][..], &["[]"]].concat());
}

#[test]
fn the_environment_of_the_caller_is_not_there() {
    let text = r#"
print(sorted(set(os.environ) - {"LC_CTYPE"}))
print(os.environ["ASKED"], os.environ["HANDED"], os.environ["PATH"], os.environ["LD_PRELOAD"])
for name in os.listdir("/proc"):
    try:
        if b"isolation-secret" in open(f"/proc/{name}/environ", "rb").read():
            print("found", name)
    except OSError:
        pass
"#;
    let mut isolation = small();
    // What is loaded into programs is not loaded into what isolates them.
    let variables = [("ASKED", "as asked"), ("PATH", "/usr/bin"), ("LD_PRELOAD", "/work/no.so")];
    isolation.variables = variables.map(|(name, value)| (name.into(), value.into())).into();
    isolation.passed = vec!["HANDED".into(), "NOT_THERE".into()];
    let program = crate::run::code(text);
    let ran = run_with(&isolation, &["python3", "-c", &program], |command| {
        command.env("HOTFRAME_TEST_SECRET", "isolation-secret").env("HANDED", "over");
    });
    let Some(ran) = ran else { return };
    ran.says(&[
        "['ASKED', 'HANDED', 'HOME', 'LANG', 'LD_PRELOAD', 'PATH', 'TMPDIR']",
        "as asked over /usr/bin /work/no.so",
    ]);
    // By the loader of the program, once for each process.
    assert_eq!(ran.error.matches("no.so").count(), 1, "{}", ran.error);
}

#[test]
fn nothing_but_its_folders_can_be_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let bound = folder.path().join("environment");
    fs::create_dir(&bound).unwrap();
    fs::write(bound.join("file"), "as it was").unwrap();
    let text = format!(
        r#"
def write(path):
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    os.unlink(path)
for at, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if (at, name) != ("/", "proc")]
    try:
        write(at + "/isolation-test")
    except OSError as error:
        assert error.errno in (errno.EROFS, errno.EACCES), error
    else:
        print(at)
file = {file:?}
attempt(os.open, file, os.O_WRONLY)
attempt(os.unlink, file)
attempt(os.rename, file, file + "2")
attempt(os.chmod, file, 0o777)
attempt(os.utime, file)
attempt(os.link, file, "/work/link")
attempt(os.symlink, "x", file + "3")
attempt(os.open, "/proc/sys/kernel/core_pattern", os.O_WRONLY)
attempt(os.open, "/proc/sys/vm/drop_caches", os.O_WRONLY)
attempt(os.open, "/proc/sysrq-trigger", os.O_WRONLY)
attempt(os.open, "/dev/mem", os.O_RDWR)
"#,
        file = "/opt/environment/file"
    );
    let mut isolation = small();
    isolation.readable = vec![Bind { from: bound.clone(), to: "/opt/environment".into() }];
    let Some(ran) = python(&isolation, &text) else { return };
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(ran.status.success(), "{}", ran.error);
    let mut folders = lines[..3].to_vec();
    folders.sort_unstable();
    assert_eq!(folders, ["/dev/shm", "/tmp", "/work"]);
    let held = &lines[3..];
    assert_eq!(held.len(), 11, "{held:?}");
    for line in held {
        // Mounts say EROFS, Landlock EACCES, links between mounts EXDEV.
        let by = line.strip_prefix("held ").unwrap_or_else(|| panic!("{held:?}"));
        assert!(["EROFS", "EACCES", "EXDEV", "EPERM", "ENOENT"].contains(&by), "{held:?}");
    }
    assert_eq!(fs::read_to_string(bound.join("file")).unwrap(), "as it was");
    assert_eq!(fs::read_dir(&bound).unwrap().count(), 1);
}

#[test]
fn what_watches_a_program_has_a_folder_whose_files_are_brought_out() {
    let folder = tempfile::tempdir().unwrap();
    let exchange = folder.path().join("parts");
    fs::create_dir(&exchange).unwrap();
    fs::write(folder.path().join("beside"), "as it was").unwrap();
    let text = format!(
        r#"
open({exchange:?} + "/part", "w").write("said")
attempt(open, {exchange:?} + "/../beside")
os.symlink("../beside", {exchange:?} + "/link")
attempt(open, {exchange:?} + "/link")
os.mkfifo({exchange:?} + "/pipe")
os.mkdir({exchange:?} + "/folder")
open({exchange:?} + "/folder/file", "w").write("deeper")
"#
    );
    let isolation = Isolation { exchange: Some(exchange.clone()), ..small() };
    let Some(ran) = python(&isolation, &text) else { return };
    ran.says(&["held ENOENT", "held ENOENT"]);
    assert_eq!(fs::read_to_string(exchange.join("part")).unwrap(), "said");
    assert_eq!(fs::read_dir(&exchange).unwrap().count(), 1);
    let mut notes = ran.end().notes.clone();
    notes.sort();
    assert_eq!(notes, ["link: a symbolic link", "pipe: not a regular file"]);
}

#[test]
fn the_folder_of_what_watches_a_program_has_so_much_room() {
    for files in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let exchange = folder.path().join("parts");
        fs::create_dir(&exchange).unwrap();
        // At most 128 MiB, or 20,000 files: names, and what has none.
        let text = format!(
            r#"
held = []
for number in range(20_000 if {files} else 16):
    path = {exchange:?} + "/" + str(number)
    held.append(os.open(path, os.O_CREAT | os.O_WRONLY))
    if {files}:
        os.close(held.pop())
    else:
        os.posix_fallocate(held[-1], 0, 8 << 20)
        os.unlink(path)
"#,
            files = if files { "True" } else { "False" }
        );
        let isolation = Isolation { exchange: Some(exchange.clone()), ..small() };
        let Some(ran) = python(&isolation, &text) else { return };
        assert!(!ran.status.success() && ran.error.contains("No space left"), "{}", ran.error);
        // Room that nobody takes any more is there again.
        assert_eq!(ran.end().cause, files.then_some(Cause::Exchange), "{}", ran.error);
    }
}

#[test]
fn files_are_shown_elsewhere_in_etc_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings");
    fs::write(&file, "as they are").unwrap();
    let bind = |to: &str| Bind { from: file.clone(), to: to.into() };
    let readable = vec![bind("/etc/some/settings"), bind("/etc/hosts"), bind("/srv/a/b")];
    let isolation = Isolation { readable, ..small() };
    let program = ["cat", "/etc/some/settings", "/etc/hosts", "/srv/a/b"];
    let Some(ran) = run(&isolation, &program) else { return };
    assert_eq!(ran.out, "as they are".repeat(3), "{}", ran.error);
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let wrong = |isolation: &Isolation| {
        crate::run::can_isolate().then(|| {
            isolation.wrap(&crate::run::launcher(), &["true".to_owned()]).unwrap_err().to_string()
        })
    };
    let bind = |from: &str, to: &str| Isolation {
        readable: vec![Bind { from: from.into(), to: to.into() }],
        ..small()
    };
    let Some(text) = wrong(&bind("/not/there", "/not/there")) else { return };
    assert!(text.starts_with("/not/there: not there"), "{text}");
    assert!(wrong(&bind("/usr", "/work/usr")).unwrap().contains("something of their own"));
    let isolation = Isolation { exchange: Some("/not/there".into()), ..small() };
    assert!(wrong(&isolation).unwrap().starts_with("/not/there: not there"));
    assert!(run(&small(), &["true"]).unwrap().status.success());
}
