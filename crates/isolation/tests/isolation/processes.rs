//! Other processes, and those that a program makes.

use std::fs::{self, File};
use std::process::Command;
use std::time::{Duration, Instant};

use isolation::{Isolation, Kind, Limits, Status};

use crate::run::{
    AS_ANOTHER, Outside, can_isolate, cgroups, code, command, elsewhere, is_root, launcher,
    open_folder, outer, python, run, small, until,
};

#[test]
fn processes_outside_are_out_of_reach() {
    let mut outside = Outside::start(&["sleep", "60"]);
    let text = format!(
        r#"
pid = {pid}
attempt(os.kill, pid, signal.SIGKILL)
attempt(open, f"/proc/{{pid}}/mem")
attempt(call, 101, 16, pid, 0, 0)
attempt(call, 310, pid, 0, 0, 0, 0, 0)
# Nor the process that isolates, which is another of the same user.
attempt(os.kill, 1, signal.SIGKILL)
attempt(os.kill, 1, signal.SIGTERM)
attempt(open, "/proc/1/mem", "rb")
attempt(open, "/proc/1/environ")
attempt(os.listdir, "/proc/1/cwd/")
attempt(os.listdir, "/proc/1/root/")
attempt(os.readlink, "/proc/1/exe")
attempt(open, "/proc/1/maps")
# The numbers of its files may be seen, and nothing else of them.
for folder in "/proc/1/fd", "/proc/1/task/1/fd":
    try:
        names = os.listdir(folder)
    except OSError:
        names = range(20)
    for name in names:
        for way in os.open, lambda path, flags: os.listdir(path), lambda path, flags: os.readlink(path):
            try:
                way(folder + "/" + str(name), os.O_RDONLY)
            except OSError as error:
                assert error.errno in (errno.EACCES, errno.ENOENT), error
            else:
                print("done", folder, name)
attempt(os.pidfd_open, pid)
print(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()) == [1, os.getpid()])
"#,
        pid = outside.0.id()
    );
    let Some(ran) = python(&small(), &text) else { return };
    let landlock = ran.in_force.measure(Kind::Landlock).unwrap().how.clone();
    let first: Vec<&str> = ran.out.lines().take(4).collect();
    assert_eq!(first, ["held ESRCH", "held ENOENT", "held EPERM", "held EPERM"], "{}", ran.error);
    let first_inside: Vec<&str> = ran.out.lines().skip(4).take(2).collect();
    if landlock.contains("signals") {
        assert_eq!(first_inside, ["held EPERM"; 2]);
    }
    let rest: Vec<&str> = ran.out.lines().skip(6).collect();
    let held = ["held EACCES"; 6];
    assert_eq!(rest, [&held[..], &["held ESRCH", "True"]].concat(), "{}", ran.error);
    assert!(ran.status.success(), "it still told the end");
    assert!(outside.is_running());
    // All that it may send signals to is itself.
    let Some(ran) = run(&small(), &["sh", "-c", "kill -9 -1; kill -9 0; kill -9 $$"]) else {
        return;
    };
    assert_eq!(ran.end().status, Some(Status::Signal(9)));
    assert!(outside.is_running());
}

/// At most 1,500 processes, for ten seconds each.
const FORKS: &str = r#"
made = 0
try:
    for made in range(1500):
        if os.fork() == 0:
            time.sleep(10)
            os._exit(0)
except OSError as error:
    print("held", errno.errorcode[error.errno], made)
else:
    print("done", made)
"#;

fn is_held_at(out: &str, limit: u64) {
    let (held, made) = out.trim().rsplit_once(' ').unwrap_or_default();
    assert_eq!(held, "held EAGAIN", "{out}");
    // Our own processes are counted with it; programs get what they were told.
    let made: u64 = made.parse().unwrap();
    assert!((limit - 2..limit + 8).contains(&made), "{made} of {limit}");
}

#[test]
fn forks_without_end_are_stopped() {
    let Some(ran) = python(&small(), FORKS) else { return };
    assert!(ran.in_force.has(Kind::Processes), "{}", ran.in_force);
    is_held_at(&ran.out, 64);
}

#[test]
fn forks_without_end_of_another_user_are_stopped() {
    if !is_root() {
        return;
    }
    let program = code(FORKS);
    let program = ["python3", "-c", &program];
    let Some((status, _, in_force, out)) = elsewhere(&AS_ANOTHER, &small().limits, &program) else {
        return;
    };
    assert!(status.success(), "{status}");
    let how = &in_force.measure(Kind::Processes).unwrap().how;
    assert!(how.contains("by the kernel's limit"), "{how}");
    is_held_at(&out, 64);
}

#[test]
fn forks_without_end_are_stopped_by_counting_where_nothing_else_does() {
    // Without cgroups, where the superuser runs it.
    if !is_root() {
        return;
    }
    let script = "for at in /sys/fs/cgroup/*; do umount -l $at; done; exec \"$@\"";
    let before = ["unshare", "--mount", "sh", "-c", script, "sh"];
    let program = code(&format!("{FORKS}\ntime.sleep(20)\n"));
    let start = Instant::now();
    let Some((_, end, in_force, _)) =
        elsewhere(&before, &small().limits, &["python3", "-c", &program])
    else {
        return;
    };
    let how = &in_force.measure(Kind::Processes).unwrap().how;
    assert!(how.contains("counted every 50 ms"), "{in_force}");
    assert!(!in_force.has(Kind::Cgroup) && !in_force.has(Kind::Memory));
    assert_eq!(end.unwrap().cause, Some(isolation::Cause::Processes));
    assert!(start.elapsed() < Duration::from_secs(8));
}

#[test]
fn nothing_lives_longer_than_the_program() {
    let text = r#"
told, end = os.pipe()
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        print("early", flush=True)
        os.write(end, b"x")
        time.sleep(1)
        print("late", flush=True)
        time.sleep(60)
    os._exit(0)
os.read(told, 1)
"#;
    let start = Instant::now();
    // Who lives on has standard output open, and is waited for.
    let Some(ran) = python(&small(), text) else { return };
    assert!(ran.status.success(), "{}", ran.error);
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(ran.out, "early\n");
}

/// Says that it lives, ten times a second.
const ALIVE: [&str; 3] =
    ["sh", "-c", "trap '' TERM HUP INT; while :; do date +%N || exit; sleep 0.1; done"];

/// Runs [`ALIVE`] as told, which gives what ends it; then it must be silent.
fn ends(run: impl FnOnce(&Isolation, &[String], File) -> Box<dyn FnOnce()>) {
    if !can_isolate() {
        return;
    }
    let folder = open_folder();
    let file = folder.path().join("alive");
    let exchange = folder.path().join("exchange");
    fs::create_dir(&exchange).unwrap();
    let isolation = Isolation { exchange: Some(exchange), ..small() };
    let end = run(&isolation, &ALIVE.map(str::to_owned), File::create(&file).unwrap());
    assert!(until(|| fs::metadata(&file).unwrap().len() > 0));
    end();
    let is_silent = || {
        let before = fs::read(&file).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        before == fs::read(&file).unwrap()
    };
    assert!(until(is_silent));
}

#[test]
fn it_ends_with_the_guard() {
    ends(|isolation, program, out| {
        let wrapped = isolation.wrap(&launcher(), program).unwrap();
        let mut child = command(&wrapped).stdout(out).spawn().unwrap();
        Box::new(move || {
            drop(wrapped);
            assert!(child.wait().unwrap().code() != Some(0));
        })
    });
}

#[test]
fn it_ends_with_who_holds_the_guard() {
    ends(|isolation, program, out| {
        let mut other = Command::new("prlimit");
        let limits = serde_json::to_string(&Limits::default()).unwrap();
        outer(&mut other).arg(launcher().program).args(["try", &limits]);
        let folder = isolation.exchange.as_ref().unwrap();
        let mut other = Outside(other.arg(folder).args(program).stdout(out).spawn().unwrap());
        Box::new(move || {
            // Without a chance to do anything about it.
            other.0.kill().unwrap();
            other.0.wait().unwrap();
        })
    });
}

#[test]
fn it_ends_with_who_runs_it() {
    ends(|isolation, program, out| {
        let wrapped = isolation.wrap(&launcher(), program).unwrap();
        // As a profiler may stand between.
        let mut between = Command::new("prlimit");
        outer(&mut between).args(["sh", "-c", "\"$@\"; exit", "sh"]).args(&wrapped.command);
        let mut between = Outside(between.stdout(out).spawn().unwrap());
        Box::new(move || {
            between.0.kill().unwrap();
            between.0.wait().unwrap();
            // Long enough that it is not the guard that ends it.
            std::thread::sleep(Duration::from_secs(1));
            assert!(wrapped.guard.end().unwrap().is_some());
        })
    });
}

#[test]
fn cgroups_are_gone_with_their_runs() {
    let Some(_) = run(&small(), &["true"]) else { return };
    let of_this = |path: &std::path::PathBuf| {
        // `hotframe-NAMESPACE-PID-START`, where PID is that of the stage before bubblewrap.
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let pid = name.split('-').nth(2).unwrap_or_default().to_owned();
        !std::path::Path::new("/proc").join(pid).exists()
    };
    // Those of runs that are under way in other tests stay.
    let left: Vec<_> = cgroups().into_iter().filter(of_this).collect();
    assert!(until(|| left.iter().all(|path| !path.exists())), "{left:?}");
}
