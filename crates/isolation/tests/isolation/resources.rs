//! What programs may take.

use std::time::{Duration, Instant};

use isolation::{Cause, Isolation, Kind, Limits, Status};

use crate::run::{AS_ANOTHER, can_isolate, code, elsewhere, is_root, python, run, small};

/// At most 768 MiB, where 256 are allowed.
const FILLS: &str = r#"
kept = []
try:
    for number in range(768):
        kept.append(bytearray(os.urandom(64)) * (1 << 14))
except MemoryError:
    print("held MemoryError", flush=True)
else:
    print("done", flush=True)
"#;

#[test]
fn memory_is_bounded() {
    let Some(ran) = python(&small(), FILLS) else { return };
    if ran.in_force.has(Kind::Memory) {
        assert_eq!(ran.end().cause, Some(Cause::Memory), "{} {}", ran.out, ran.error);
        assert_eq!(ran.end().status, Some(Status::Signal(9)), "the first process inside told it");
        let peak = ran.end().peak_bytes.unwrap();
        assert!((200 << 20..=256 << 20).contains(&peak), "{peak}");
    } else {
        ran.says(&["held MemoryError"]);
    }
}

#[test]
fn memory_of_another_user_is_bounded() {
    if !is_root() {
        return;
    }
    let program = code(FILLS);
    let program = ["python3", "-c", &program];
    let Some((status, _, in_force, out)) = elsewhere(&AS_ANOTHER, &small().limits, &program) else {
        return;
    };
    assert!(!in_force.has(Kind::Memory), "{in_force}");
    assert_eq!(out.trim(), "held MemoryError");
    assert!(status.success());
}

/// Many of which each stays below: at most 512 MiB in all.
const FILL_TOGETHER: &str = r#"
for number in range(8):
    if os.fork() == 0:
        kept = bytearray(os.urandom(64)) * (1 << 20)
        time.sleep(10)
        os._exit(0)
    time.sleep(0.1)
time.sleep(10)
"#;

#[test]
fn memory_of_all_processes_together_is_bounded() {
    let Some(ran) = python(&small(), FILL_TOGETHER) else { return };
    if ran.in_force.has(Kind::Memory) {
        let peak = ran.end().peak_bytes.unwrap();
        assert!((200 << 20..=256 << 20).contains(&peak), "{peak}");
    } else {
        assert_eq!(ran.end().cause, Some(Cause::Memory), "{:?}", ran.end);
    }
    if is_root() {
        let program = code(FILL_TOGETHER);
        let program = ["python3", "-c", &program];
        let (_, end, ..) = elsewhere(&AS_ANOTHER, &small().limits, &program).unwrap();
        assert_eq!(end.unwrap().cause, Some(Cause::Memory));
    }
}

/// The same in memory that processes share, which is not a process's own.
const FILL_SHARED: &str = r#"
import mmap
for number in range(8):
    if os.fork() == 0:
        kept = mmap.mmap(-1, 64 << 20)
        kept.write(bytes(64 << 20))
        time.sleep(10)
        os._exit(0)
    time.sleep(0.1)
time.sleep(10)
"#;

#[test]
fn memory_that_is_shared_is_counted() {
    if !is_root() || !can_isolate() {
        return;
    }
    let ends = |text: &str| {
        let program = code(text);
        let program = ["python3", "-c", &program];
        let (status, end, in_force, out) =
            elsewhere(&AS_ANOTHER, &small().limits, &program).unwrap();
        assert!(!in_force.has(Kind::Memory), "{in_force}");
        (status.success(), end.unwrap().cause, out)
    };
    assert_eq!(ends(FILL_SHARED).1, Some(Cause::Memory));
    // Many who share the same have it once.
    let once = "import mmap\nkept = mmap.mmap(-1, 64 << 20)\nkept.write(bytes(64 << 20))\n\
                for number in range(8):\n    if os.fork() == 0:\n        kept[:1]\n        \
                time.sleep(1)\n        os._exit(0)\ntime.sleep(1)\n";
    assert_eq!(ends(once).1, None);
    // What waits in sockets is counted where they are many, and they hold what the kernel lets them hold by
    // default.
    let sockets = "import socket\nkept = [socket.socketpair() for _ in range(COUNT)]\n\
                   ours = kept[0][0]\nbefore = ours.getsockopt(1, socket.SO_SNDBUF)\n\
                   ours.setsockopt(1, socket.SO_SNDBUF, 1 << 20)\n\
                   print(before == ours.getsockopt(1, socket.SO_SNDBUF))\ntime.sleep(1)\n";
    let (ok, cause, out) = ends(&sockets.replace("COUNT", "20"));
    assert_eq!((ok, cause, out.trim()), (true, None, "True"));
    let many = format!("for _ in range(30):\n    if os.fork() == 0: break\n{sockets}");
    assert_eq!(ends(&many.replace("COUNT", "25")).1, Some(Cause::Memory));
    // Nothing could count it.
    let (ok, cause, out) = ends("attempt(os.memfd_create, 'x')\n");
    assert_eq!((ok, cause, out.trim()), (true, None, "held ENOSYS"));
}

#[test]
fn files_and_folders_are_bounded() {
    // Files of at most 16 MiB in folders of 32 MiB and 500 files; it tries 100 MiB and 2,000.
    let text = r#"
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def fill(path, size):
    with open(path, "wb", buffering=0) as file:
        for number in range(size):
            written = file.write(bytes(1 << 20))
            if written < 1 << 20:
                file.write(bytes(1 << 20))
def large(folder):
    for number in range(10):
        fill(f"{folder}/{number}", 10)
def many(folder):
    for number in range(2000):
        os.close(os.open(f"{folder}/{number}", os.O_CREAT))
def clear(folder):
    for name in os.listdir(folder):
        os.unlink(f"{folder}/{name}")
for folder in "/work", "/tmp", "/dev/shm":
    attempt(fill, folder + "/one", 100)
    clear(folder)
    attempt(large, folder)
    clear(folder)
    attempt(many, folder)
    print(len(os.listdir(folder)))
"#;
    let Some(ran) = python(&small(), text) else { return };
    let folder = ["held EFBIG", "held ENOSPC", "held ENOSPC", "500"];
    ran.says(&folder.repeat(3));
}

#[test]
fn limits_may_be_as_wide_or_narrow_as_numbers() {
    let all = |number: u64, time: Duration| Limits {
        memory_bytes: number,
        processor_seconds: number,
        processes: number,
        open_files: number,
        file_bytes: number,
        folder_bytes: number,
        folder_files: number,
        wall: time,
        grace: time,
    };
    let isolation = Isolation { limits: all(u64::MAX, Duration::MAX), ..small() };
    let Some(ran) = run(&isolation, &["sh", "-c", "echo x > x; cat x"]) else { return };
    assert_eq!(ran.out, "x\n", "{}", ran.error);
    // With nothing at all nothing runs, and that is told.
    let isolation = Isolation { limits: all(0, Duration::ZERO), ..small() };
    let ran = run(&isolation, &["true"]).unwrap();
    assert!(!ran.status.success());
}

#[test]
fn open_files_are_bounded() {
    let text = r#"
import resource
kept = []
def many():
    for number in range(100_000):
        kept.append(os.open("/dev/null", os.O_RDONLY))
attempt(many)
print(len(kept) + 3)
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (1000, 1000))
except ValueError:
    print("held")
"#;
    let Some(ran) = python(&small(), text) else { return };
    ran.says(&["held EMFILE", "64", "held"]);
}

#[test]
fn time_on_processors_is_bounded() {
    let limits = Limits { processor_seconds: 1, ..small().limits };
    let isolation = Isolation { limits, ..small() };
    let Some(ran) = python(&isolation, "while True: pass") else { return };
    assert_eq!(ran.end().cause, Some(Cause::Processor), "{:?}", ran.end);
    let ignores = "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass";
    let ran = python(&isolation, ignores).unwrap();
    assert_eq!(ran.end().cause, Some(Cause::Processor), "{:?}", ran.end);
    // Several that take it together, where a cgroup counts it.
    let text = "
for number in range(200):
    if os.fork() == 0:
        end = time.process_time() + 0.1
        while time.process_time() < end: pass
        os._exit(0)
    os.wait()
";
    let start = Instant::now();
    let ran = python(&isolation, text).unwrap();
    if !ran.in_force.has(Kind::Cgroup) {
        crate::run::left_out("time of several processes, without a cgroup");
        return;
    }
    assert_eq!(ran.end().cause, Some(Cause::Processor), "{:?}", ran.end);
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_signal_that_a_program_sends_itself_is_no_limit() {
    for signal in ["XCPU", "KILL"] {
        let Some(ran) = run(&small(), &["sh", "-c", &format!("kill -{signal} $$")]) else { return };
        let number = if signal == "XCPU" { 24 } else { 9 };
        let end = ran.end();
        assert_eq!((end.status, end.cause), (Some(Status::Signal(number)), None), "{end:?}");
    }
}

#[test]
fn the_wall_time_is_over_for_who_ignores_it_and_for_who_does_not() {
    let limits = Limits { wall: Duration::from_millis(700), ..small().limits };
    let isolation = Isolation { limits, ..small() };
    let start = Instant::now();
    let ignores = "trap '' TERM INT HUP; while :; do sleep 1; done";
    let Some(ran) = run(&isolation, &["sh", "-c", ignores]) else { return };
    assert_eq!(ran.end().cause, Some(Cause::Wall));
    assert_eq!(ran.end().status, Some(Status::Signal(9)));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let ends = "trap 'echo asked; exit 3' TERM; while :; do sleep 0.05; done";
    let ran = run(&isolation, &["sh", "-c", ends]).unwrap();
    assert_eq!(ran.end().cause, Some(Cause::Wall));
    assert_eq!((ran.end().status, ran.out.as_str()), (Some(Status::Exit(3)), "asked\n"));
}
