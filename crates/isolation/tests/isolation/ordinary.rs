//! Programs that mean no harm, and must run.

use std::path::PathBuf;
use std::time::Duration;

use isolation::{Bind, Isolation, Limits};

use crate::run::{can_isolate, run, small};

const WORKS: &str = r#"
import concurrent.futures, hashlib, json, multiprocessing, os, random, sqlite3, subprocess
import sys, tempfile, threading, time

def square(number):
    return number * number

def main():
    assert os.getcwd() == "/work" and os.path.expanduser("~") == "/work"
    counted = []
    threads = [threading.Thread(target=counted.append, args=(number,)) for number in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(counted) == list(range(8))
    assert subprocess.check_output(["echo", "said"]) == b"said\n"
    assert subprocess.check_output([sys.executable, "-c", "print(6 * 7)"]).strip() == b"42"
    for way in "fork", "spawn", "forkserver":
        with multiprocessing.get_context(way).Pool(2) as pool:
            assert pool.map(square, range(10)) == [square(number) for number in range(10)]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert list(pool.map(square, [3])) == [9]
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
        assert file.name.startswith("/tmp/")
    with open("/work/file", "w") as file:
        json.dump({"a": random.random()}, file)
    os.rename("/work/file", "/work/other")
    base = sqlite3.connect("/work/base")
    base.execute("create table t (a)")
    base.commit()
    assert os.urandom(4) and time.localtime() and hashlib.sha256(b"x").hexdigest()
    open("/dev/null", "w").write("x")
    try:
        import numpy
        a = numpy.random.rand(300, 300)
        assert numpy.linalg.solve(a, a).shape == (300, 300)
        print("numpy", numpy.__version__)
    except ImportError:
        print("no numpy")

if __name__ == "__main__":
    main()
"#;

/// Those of this machine: of `/usr`, and of pyenv, from 3.8 on. And what they need to be seen.
fn interpreters() -> Vec<(PathBuf, Vec<Bind>)> {
    let mut found = vec![(PathBuf::from("/usr/bin/python3"), vec![])];
    let versions = std::env::home_dir().unwrap_or_default().join(".pyenv/versions");
    let is_new = |name: &str| {
        let minor = name.strip_prefix("3.").and_then(|rest| rest.split('.').next()?.parse().ok());
        minor.is_some_and(|minor: u32| minor >= 8)
    };
    for entry in std::fs::read_dir(versions).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_new) {
            found.push((entry.path().join("bin/python3"), vec![Bind::same(entry.path())]));
        }
    }
    // Environments that somebody made for this, with numpy: `HOTFRAME_ENVIRONMENTS=a:b`.
    let made = std::env::var_os("HOTFRAME_ENVIRONMENTS").unwrap_or_default();
    for environment in std::env::split_paths(&made).filter(|path| path.is_absolute()) {
        let python = environment.join("bin/python3");
        let real = std::fs::canonicalize(&python).unwrap();
        let root = real.parent().and_then(|bin| bin.parent()).unwrap().to_owned();
        found.push((python, vec![Bind::same(environment), Bind::same(root)]));
    }
    found
}

#[test]
fn python_works() {
    if !can_isolate() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.py"), WORKS).unwrap();
    let found = interpreters();
    if found.len() == 1 {
        crate::run::left_out("versions of Python in ~/.pyenv/versions, of which there is none");
    }
    for (python, readable) in found {
        let limits = Limits { wall: Duration::from_secs(120), ..Limits::default() };
        let mut isolation = Isolation { readable, limits, ..Isolation::default() };
        isolation.folder.source = Some(folder.path().to_owned());
        let program = [python.to_str().unwrap(), "program.py"];
        let ran = run(&isolation, &program).unwrap();
        assert!(ran.status.success(), "{}: {} {}", python.display(), ran.status, ran.error);
        println!("{}: {}", python.display(), ran.out.trim());
    }
}

#[test]
fn reports_what_holds() {
    let Some(ran) = run(&small(), &["true"]) else { return };
    let text = ran.in_force.to_string();
    for line in
        ["network namespace: its own, without any network", "open files: 64 of each process"]
    {
        assert!(text.lines().any(|told| told == line), "{text}");
    }
    let json = serde_json::to_string(&ran.in_force).unwrap();
    let read: isolation::InForce = serde_json::from_str(&json).unwrap();
    assert_eq!(read, ran.in_force);
    for missing in ran.in_force.missing() {
        assert!(!missing.missing.as_ref().unwrap().is_empty());
    }
}
