//! Programs that do what they should not, isolated: each ends once, and says what held it.

use std::time::Instant;

use crate::Trial;

fn isolated(test: &str, script: &str, more: &str) -> Option<Trial> {
    let trial = Trial::shell(
        test,
        script,
        &format!(
            "command = [\"sh\", \"p.sh\"]\nruns = 2\nrecorder = \"time\"\nisolated = true\n{more}\n\
             limits = {{ memory_mib = 128, processes = 32, folder_mib = 16, processor_s = 20 }}\n"
        ),
    );
    let told = crate::said(&std::process::Command::new("bwrap").arg("--version").output().ok()?);
    if !told.contains("bubblewrap") {
        eprintln!("left out: bubblewrap is not here");
        assert!(std::env::var_os("CI").is_none());
        return None;
    }
    Some(trial)
}

/// Runs it; how its runs failed.
fn ends(trial: &Trial) -> Vec<Option<String>> {
    let start = Instant::now();
    let (_, told) = trial.experiment(&[]);
    assert!(start.elapsed().as_secs() < 90, "{told}");
    let found = trial.found();
    found.holds(&["all"], 2);
    for (_, facts) in &found.runs {
        let held = facts.get("isolation").map(String::as_str).unwrap_or_default();
        assert!(held.contains("network namespace") && held.contains("memory"), "{held} {told}");
    }
    found.runs.iter().map(|(_, facts)| facts.get("failure").cloned()).collect()
}

fn failed(class: &str) -> Vec<Option<String>> {
    vec![Some(class.to_owned()); 2]
}

#[test]
fn what_behaves_is_run_in_its_own_folder_alone() {
    // What everybody here can read, but is not in the folder of the plan.
    let secret = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hotframe-secret");
    std::fs::write(&secret, "secret").unwrap();
    let script = format!(
        "set -e\n[ $(pwd) = /work ]\n[ ! -e '{}' ]\n[ -z \"$HOTFRAME_STORE\" ]\n\
         [ $(cat data) = given ]\necho left > left\n",
        secret.display()
    );
    let Some(trial) = isolated("behaves", &script, "") else { return };
    trial.write("data", "given\n");
    assert_eq!(ends(&trial), [None, None]);
    assert!(!trial.path("left").exists());
}

#[test]
fn forks_without_end_are_stopped() {
    let script = "f() { f | f & }; f; sleep 2; exit 9\n";
    let Some(trial) = isolated("forks", script, "timeout_s = 8") else { return };
    let ended = ends(&trial);
    assert!(ended.iter().all(Option::is_some), "{ended:?}");
}

#[test]
fn a_folder_has_so_much_room() {
    let script = "head -c 100000000 /dev/zero > big || exit 5\n";
    let Some(trial) = isolated("room", script, "") else { return };
    assert_eq!(ends(&trial), failed("user"));
}

#[test]
fn who_ignores_signals_is_killed() {
    let script = "trap '' TERM INT HUP\nwhile :; do sleep 1; done\n";
    let Some(trial) = isolated("ignores", script, "timeout_s = 1") else { return };
    assert_eq!(ends(&trial), failed("timeout"));
}

#[test]
fn a_gigabyte_of_output_is_counted_and_not_kept() {
    let script = "head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 4\n";
    let Some(trial) = isolated("prints", script, "") else { return };
    assert_eq!(ends(&trial), failed("user"));
    let found = trial.found();
    let output = found.fact("all #1", "output").unwrap();
    assert!(output.len() < 8000 && output.ends_with("the end\n"), "{}", output.len());
    let size = std::fs::metadata(trial.path("p.hotframe")).unwrap().len();
    assert!(size < 100_000, "{size}");
}

#[test]
fn memory_has_a_limit() {
    let script = "head -c 2000000000 /dev/zero | tail > hole\n";
    let Some(trial) = isolated("memory", script, "") else { return };
    let ended = ends(&trial);
    assert!(ended.iter().all(Option::is_some), "{ended:?}");
}

#[test]
fn variables_of_the_command_do_not_reach_what_isolates_it() {
    // The dynamic loader of whoever has these writes files.
    let loaded = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("experiment/loaded");
    let more = format!(
        "environment = {{ LD_DEBUG = \"libs\", LD_DEBUG_OUTPUT = \"{}\", OWN = \"7\" }}",
        loaded.display()
    );
    let Some(trial) = isolated("variables", "[ \"$OWN\" = 7 ]\n", &more) else { return };
    assert_eq!(ends(&trial), [None, None]);
    let folder = std::fs::read_dir(loaded.parent().unwrap()).unwrap();
    let written = folder.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let written: Vec<String> = written.filter(|name| name.starts_with("loaded.")).collect();
    assert_eq!(written, Vec::<String>::new());
}

#[test]
fn isolated_programs_are_sampled_from_their_beginning() {
    let Some(trial) = isolated("sampled", "", "") else { return };
    trial.write("p.py", "import time\nend = time.time() + 5\nwhile time.time() < end: pass\n");
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\nisolated = true\ncommand = [\"python3\", \"p.py\"]\nruns = 1\n\
         recorder = \"python\"\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let profile = trial.found().profile;
    let wall = profile.metrics.iter().position(|metric| metric.name == "wall time").unwrap();
    let (total, _) = profile.metric_total(profile::MetricId(wall as u32));
    // Where nothing else runs it is nearly all of them.
    assert!(total > 1_000_000_000, "{total}");
}

/// What the program does in the folder that the tracer writes into, and all around it. Each name that
/// anything here uses is replaced by each kind of file, before, while and after it is written.
const ESCAPE: &str = r#"
import json, os, shutil, socket, sys, time
folder = json.loads(os.environ.get("HOTFRAME_TRACE", "{}")).get("folder", "/work/traces")
above = os.path.dirname(folder)
victim = sys.argv[1]
what, when = sys.argv[2:4]

def attempt(action, *arguments):
    try:
        action(*arguments)
    except (OSError, shutil.Error):
        pass

def plant(path):
    if os.path.isdir(path) and not os.path.islink(path):
        attempt(shutil.rmtree, path)
    attempt(os.unlink, path)
    if what == "file":
        attempt(os.symlink, victim + "/file", path)
    elif what == "folder":
        attempt(os.symlink, victim + "/folder", path)
    elif what == "dangling":
        attempt(os.symlink, victim + "/new", path)
    elif what == "hard":
        attempt(os.link, victim + "/file", path)
        attempt(os.link, folder + "/../site/sitecustomize.py", path)
    elif what == "pipe":
        attempt(os.mkfifo, path)
    elif what == "socket":
        attempt(lambda: socket.socket(socket.AF_UNIX).bind(path))
    elif what == "directory":
        attempt(os.makedirs, path + "/deeper")
    elif what == "huge":
        def huge():
            with open(path, "wb") as file:
                file.write(b"HFTRACE")
                file.truncate(12 << 20)
        attempt(huge)

def around():
    names = {"run-0", "run-0.hotframe", "run-1", "run-1.hotframe", "left", "told", "site", "begin.py", "end.py"}
    names |= {f"{os.getpid()}-{time.time_ns()}.{ending}" for ending in ("calls", "prof", "memory")}
    for place in (folder, above, os.path.dirname(above)):
        there = set()
        attempt(lambda: there.update(os.listdir(place)))
        for name in names | there:
            if place == folder or name != os.path.basename(folder):
                plant(os.path.join(place, name))
        if when == "after":
            attempt(os.rename, place, place + ".moved")
            attempt(os.symlink, victim + "/folder", place)

def work(n):
    return sum(i * i for i in range(n))

if when == "before":
    around()
work(1000)
if when == "during":
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        around()
        work(1000)
if when == "after":
    import atexit
    atexit.register(around)
    os.register_at_fork(after_in_child=around)
    if os.fork() == 0:
        around()
        time.sleep(60)
"#;

#[test]
fn nothing_that_a_traced_program_plants_is_followed() {
    let victim = tempfile::tempdir().unwrap();
    let folder = victim.path().join("folder");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("kept"), "kept").unwrap();
    std::fs::write(victim.path().join("file"), "kept").unwrap();
    let untouched = || {
        let names = |folder: &std::path::Path| {
            let entries = std::fs::read_dir(folder).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(victim.path()), ["file", "folder"]);
        assert_eq!(names(&folder), ["kept"]);
        for file in [folder.join("kept"), victim.path().join("file")] {
            assert_eq!(std::fs::read_to_string(file).unwrap(), "kept");
        }
    };
    for recorder in ["python-trace", "python", "time", "file"] {
        let Some(trial) = isolated("escape", "", "") else { return };
        let store = tempfile::tempdir().unwrap();
        let trial = trial.stored_in(&store);
        trial.write("p.py", ESCAPE);
        let (file, is_trace) = match recorder {
            "file" => ("file = \"run-0\"\n", false),
            recorder => ("", recorder == "python-trace"),
        };
        let words = |name: &str, all: &[&str], few: usize| {
            let all: Vec<String> = all.iter().map(|word| format!("\"{word}\"")).collect();
            let levels = if is_trace { &all[..] } else { &all[..few] };
            format!("{name} = [{}]\n", levels.join(", "))
        };
        let whats = ["file", "folder", "dangling", "hard", "pipe", "socket", "directory", "huge"];
        trial.write(
            "plan.toml",
            &format!(
                "name = \"p\"\nrepeats = 0\nisolated = true\ntimeout_s = 20\nruns = 1\nrecorder = \"{recorder}\"\n{file}\
                 command = [\"python3\", \"p.py\", \"{}\", \"{{what}}\", \"{{when}}\"]\n\
                 limits = {{ folder_mib = 16, processor_s = 20 }}\n[matrix]\n{}{}",
                victim.path().display(),
                words("what", &whats, 5),
                words("when", &["before", "during", "after"], 1),
            ),
        );
        let start = Instant::now();
        let (_, told) = trial.experiment(&[]);
        assert!(start.elapsed().as_secs() < 240, "{told}");
        untouched();
        assert!(!told.contains("cannot be isolated"), "{told}");
        let found = trial.found();
        assert!(!found.runs.is_empty(), "{told}");
        // None is ended for being late: no pipe holds anybody up.
        let late = found
            .runs
            .iter()
            .filter(|(_, facts)| facts.get("failure").is_some_and(|class| class == "timeout"));
        assert_eq!(late.count(), 0, "{told}");
    }
}

/// Maps a library that it may write to, and has a link to somebody else's file stand in its place again and
/// again, so that whoever looks twice sees two things.
const SWAPS: &str = r#"
import ctypes, mmap, os, shutil, sys, time
with open("/proc/self/maps") as maps:
    paths = [line.split()[-1] for line in maps if " r-xp " in line and "/" in line]
own = [path for path in paths if "libpython" in path] or [os.path.realpath(sys.executable)]
name = b"/work/libpython3.9.so"
shutil.copy(own[0], name)
file = os.open(name, os.O_RDONLY)
mapped = mmap.mmap(file, 0, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE)
os.symlink(sys.argv[1], b"/work/link")
libc = ctypes.CDLL(None)
if os.fork() == 0:
    while True:
        libc.renameat2(-100, name, -100, b"/work/link", 2)
        time.sleep(0.0001)
# Each process is looked into anew.
for _ in range(30):
    if os.fork() == 0:
        end = time.time() + 0.1
        while time.time() < end:
            pass
        os._exit(0)
    os.wait()
"#;

#[test]
fn a_library_that_is_swapped_leads_nobody_out() {
    let outside = tempfile::tempdir().unwrap();
    let pipe = outside.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let Some(trial) = isolated("swaps", "", "") else { return };
    trial.write("p.py", SWAPS);
    trial.write(
        "plan.toml",
        &format!(
            "name = \"p\"\nrepeats = 0\nisolated = true\nruns = 1\nrecorder = \"python\"\ntimeout_s = 60\n\
             command = [\"python3\", \"p.py\", \"{}\"]\nlimits = {{ folder_mib = 64 }}\n",
            pipe.display()
        ),
    );
    let mut running = trial.start(&["experiment", "run", "plan.toml"]);
    while running.try_wait().unwrap().is_none() {
        // It can be opened for writing while somebody opens it for reading.
        let opened = rustix::fs::open(
            &pipe,
            rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::NONBLOCK,
            rustix::fs::Mode::empty(),
        );
        assert_eq!(opened.err(), Some(rustix::io::Errno::NXIO), "somebody opened it");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let told = crate::said(&running.wait_with_output().unwrap());
    assert!(!told.contains("cannot be isolated"), "{told}");
}

/// Becomes a program that says of itself that it has 32 TiB of variables, which py-spy wants to read.
const LARGE: &str = r#"
import os, shutil, struct, sys, time
if sys.argv[1] == "large":
    with open(shutil.which("sleep"), "rb") as file:
        program = bytearray(file.read())
    sections, = struct.unpack_from("<Q", program, 0x28)
    size, count = struct.unpack_from("<HH", program, 0x3a)
    for at in range(sections, sections + size * count, size):
        # Those that take no room in the file.
        if struct.unpack_from("<I", program, at + 4)[0] == 8:
            struct.pack_into("<Q", program, at + 0x20, 1 << 45)
    with open("large", "wb") as file:
        file.write(program)
    os.chmod("large", 0o755)
    os.execv("large", ["large", "2"])
end = time.time() + 1
while time.time() < end:
    pass
"#;

#[test]
fn what_breaks_its_recorder_fails_alone() {
    let Some(trial) = isolated("large", "", "") else { return };
    trial.write("p.py", LARGE);
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\nisolated = true\nruns = 1\nrecorder = \"python\"\n\
         command = [\"python3\", \"p.py\", \"{what}\"]\n[matrix]\nwhat = [\"large\", \"small\"]\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("its recorder ended with signal: 6 (SIGABRT)"), "{told}");
    let found = trial.found();
    assert_eq!(found.fact("what=large #1", "failure"), Some("user"), "{told}");
    assert_eq!(found.fact("what=small #1", "failure"), None, "{told}");
    assert_eq!(found.fact("what=large #1", "attempt"), found.fact("what=small #1", "attempt"));
}
