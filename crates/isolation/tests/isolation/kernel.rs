//! Parts of the kernel.

use std::process::Command;

use isolation::{Bind, Isolation, Status};

use crate::run::{can_isolate, code, is_root, launcher, outer, python, run, small};

/// Numbers of calls, which differ by processor, and what holds them.
#[cfg(target_arch = "x86_64")]
const CALLS: &[(&str, i64, &str)] = &[
    ("unshare", 272, "EPERM"),
    ("clone3", 435, "ENOSYS"),
    ("mount", 165, "EPERM"),
    ("umount2", 166, "EPERM"),
    ("pivot_root", 155, "EPERM"),
    ("chroot", 161, "EPERM"),
    ("setns", 308, "EPERM"),
    ("fsopen", 430, "EPERM"),
    ("open_tree", 428, "EPERM"),
    ("mount_setattr", 442, "EPERM"),
    ("open_by_handle_at", 304, "EPERM"),
    ("ptrace", 101, "EPERM"),
    ("process_vm_readv", 310, "EPERM"),
    ("process_vm_writev", 311, "EPERM"),
    ("pidfd_getfd", 438, "EPERM"),
    ("io_uring_setup", 425, "EPERM"),
    ("bpf", 321, "EPERM"),
    ("perf_event_open", 298, "EPERM"),
    ("userfaultfd", 323, "EPERM"),
    ("keyctl", 250, "EPERM"),
    ("add_key", 248, "EPERM"),
    ("request_key", 249, "EPERM"),
    ("kexec_load", 246, "EPERM"),
    ("kexec_file_load", 320, "EPERM"),
    ("init_module", 175, "EPERM"),
    ("finit_module", 313, "EPERM"),
    ("delete_module", 176, "EPERM"),
    ("reboot", 169, "EPERM"),
    ("swapon", 167, "EPERM"),
    ("quotactl", 179, "EPERM"),
    ("quotactl_fd", 443, "EPERM"),
    ("acct", 163, "EPERM"),
    ("personality", 135, "EPERM"),
    ("inotify_init", 253, "EPERM"),
    ("inotify_init1", 294, "EPERM"),
    ("inotify_add_watch", 254, "EPERM"),
    ("modify_ldt", 154, "EPERM"),
    ("iopl", 172, "EPERM"),
    ("syslog", 103, "EPERM"),
    ("getpid of x32", 0x4000_0000 + 39, "ENOSYS"),
];

#[cfg(not(target_arch = "x86_64"))]
const CALLS: &[(&str, i64, &str)] = &[("io_uring_setup", 425, "EPERM")];

#[test]
fn calls_that_programs_do_not_need_are_refused() {
    // With flags that ask for a namespace where they are flags, and make no sense elsewhere.
    let text: String = CALLS
        .iter()
        .map(|(_, number, _)| format!("attempt(call, {number}, 0x10000000, 0, 0, 0, 0, 0)\n"))
        .collect();
    let Some(ran) = python(&small(), &text) else { return };
    assert!(ran.status.success(), "{} {}", ran.status, ran.error);
    for ((name, _, by), line) in CALLS.iter().zip(ran.out.lines()) {
        assert_eq!(line, format!("held {by}"), "{name}");
    }
    assert_eq!(ran.out.lines().count(), CALLS.len());
}

#[test]
fn devices_cannot_be_changed() {
    // Nothing is done to them here: they are this machine's.
    let text = r#"
mounts = {}
for line in open("/proc/self/mountinfo"):
    number, _, _, _, place, options = line.split()[:6]
    mounts[place] = number, options.split(",")
for name in "null", "zero", "urandom":
    print("ro" in mounts["/dev/" + name][1])
told = dict(line.split(":", 1) for line in open("/proc/self/fdinfo/0"))
print(told["mnt_id"].strip() == mounts["/dev/null"][0])
open("/dev/null", "wb").close()
"#;
    let Some(ran) = python(&small(), text) else { return };
    assert!(ran.status.success(), "{}", ran.error);
    ran.says(&["True"; 4]);
}

#[test]
fn does_not_report_files_of_the_superuser() {
    let text = r#"
for name in sorted(os.listdir("/proc")):
    path = "/proc/" + name
    if os.path.isfile(path) and not os.stat(path).st_mode & 0o004:
        print(name)
for name in "kpagecount", "slabinfo", "timer_list", "vmallocinfo", "sys/kernel/cad_pid", "sys/vm/mmap_rnd_bits":
    try:
        print(open("/proc/" + name).read(1), end="")
    except (OSError, FileNotFoundError):
        pass
"#;
    let Some(ran) = python(&small(), text) else { return };
    assert!(ran.status.success(), "{}", ran.error);
    // Whoever is not a superuser may not read them in any case.
    assert!(!is_root() || ran.out.is_empty(), "{}", ran.out);
}

#[test]
fn nobody_outside_waits_for_a_file_and_process_1_keeps_its_limits() {
    let text = r#"
import fcntl, resource
file = open("/usr/bin/env")
attempt(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
attempt(fcntl.fcntl, file, fcntl.F_NOTIFY, 1)
print(fcntl.fcntl(file, fcntl.F_GETFD))
attempt(resource.prlimit, 1, resource.RLIMIT_CPU, (5, 5))
print(resource.prlimit(0, resource.RLIMIT_CORE, (0, 0)) is not None)
"#;
    let Some(ran) = python(&small(), text) else { return };
    ran.says(&["held EPERM", "held EPERM", "1", "held EPERM", "True"]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn processes_with_new_namespaces_and_calls_of_another_processor_are_refused() {
    // One at a time, for each flag; SIGCHLD is 17.
    let text = r#"
for flag in 0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000:
    attempt(call, 56, flag | 17, 0, 0, 0, 0)
print(call(135, 0xffffffff))
"#;
    let Some(ran) = python(&small(), text) else { return };
    ran.says(&[&["held EPERM"; 7][..], &["0"]].concat());
    // mov eax, 20 (getpid); int 0x80; ret
    let text = r#"
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")
at = ctypes.addressof(ctypes.c_char.from_buffer(page))
print(ctypes.CFUNCTYPE(ctypes.c_int)(at)())
"#;
    let ran = python(&small(), text).unwrap();
    assert_eq!(ran.end().status, Some(Status::Signal(31)), "{} {}", ran.out, ran.error);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn there_is_no_way_to_other_rights() {
    let folder = tempfile::tempdir().unwrap();
    let set_user = folder.path().join("id");
    std::fs::copy("/usr/bin/id", &set_user).unwrap();
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(&set_user, std::fs::Permissions::from_mode(0o6755)).unwrap();
    let text = format!(
        r#"
import subprocess
print(subprocess.run([{set_user:?}], capture_output=True, text=True).stdout.strip())
attempt(os.setuid, 0)
attempt(os.setgid, 0)
attempt(os.setgroups, [0])
attempt(os.mknod, "/work/disk", 0o60600, os.makedev(8, 0))
# Who runs this would own them, where a folder outside may be written to.
own = os.open("/work/own", os.O_CREAT | os.O_RDWR, 0o777)
for bits in 0o4755, 0o2755:
    attempt(os.chmod, "/work/own", bits)
    attempt(os.fchmod, own, bits)
    attempt(call, 268, -100, b"/work/own", bits)
    attempt(call, 452, -100, b"/work/own", bits, 0)
    attempt(os.open, "/work/new", os.O_CREAT, bits)
    attempt(os.open, "/work", os.O_TMPFILE | os.O_RDWR, bits)
    attempt(call, 2, b"/work/new", os.O_CREAT, bits)
    attempt(call, 85, b"/work/new", bits)
    attempt(os.mknod, "/work/new", bits | 0o100000)
    attempt(call, 437, -100, b"/work/new", bytes(24), 24)
print(os.listdir("/work"), oct(os.stat("/work/own").st_mode))
os.chmod("/work/own", 0o1777)
attempt(call, 170, b"x", 1)
attempt(os.nice, -5)
for line in open("/proc/self/status"):
    if line.startswith(("Cap", "NoNewPrivs", "Seccomp:")):
        print(*line.split())
"#
    );
    let isolation = Isolation { readable: vec![Bind::same(&set_user)], ..small() };
    let Some(ran) = python(&isolation, &text) else { return };
    let none = "0000000000000000";
    let sets = ["Inh", "Prm", "Eff", "Bnd", "Amb"].map(|set| format!("Cap{set}: {none}"));
    let mut lines = vec![
        "uid=65534(isolated) gid=65534(isolated) groups=65534(isolated)",
        // There is no other user.
        "held EINVAL",
        "held EINVAL",
        "held EPERM",
        "held EPERM",
    ];
    let bits = [&["held EPERM"; 9][..], &["held ENOSYS"]].concat();
    lines.extend(bits.repeat(2));
    lines.extend(["['own'] 0o100755", "held EPERM", "held EPERM"]);
    lines.extend(sets.iter().map(String::as_str));
    lines.extend(["NoNewPrivs: 1", "Seccomp: 2"]);
    ran.says(&lines);
}

#[test]
fn nothing_is_typed_into_a_terminal() {
    if !can_isolate() {
        return;
    }
    let text = r#"
import fcntl
print(os.isatty(0))
for request in 0x5412, 0x541c, 0x100005412:
    ctypes.set_errno(0)
    done = libc.ioctl(0, ctypes.c_ulong(request), b"\x06x")
    print("held" if done else "done", errno.errorcode.get(ctypes.get_errno()))
attempt(open, "/dev/tty")
"#;
    let program = ["python3", "-c", &code(text)].map(str::to_owned);
    let wrapped = small().wrap(&launcher(), &program).unwrap();
    // At a terminal of the test's own.
    let spawn = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))";
    let mut terminal = Command::new("prlimit");
    outer(&mut terminal).args(["python3", "-c", spawn]).args(&wrapped.command);
    let ran = terminal.output().unwrap();
    let out = String::from_utf8_lossy(&ran.stdout).replace('\r', "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines, ["True", "held EPERM", "held EPERM", "held EPERM", "held ENOENT"], "{out}");
}

#[test]
fn another_user_can_isolate_too() {
    if !is_root() {
        return;
    }
    let program = ["sh", "-c", "id -u; cat /proc/self/uid_map; touch /usr/x /work/x; ls /work"];
    let limits = small().limits;
    let Some((_, _, _, out)) = crate::run::elsewhere(&crate::run::AS_ANOTHER, &limits, &program)
    else {
        return;
    };
    let words: Vec<&str> = out.split_whitespace().collect();
    assert_eq!(words, ["65534", "65534", "54321", "1", "x"]);
    let Some(ran) = run(&small(), &["id", "-u"]) else { return };
    ran.says(&["65534"]);
}
