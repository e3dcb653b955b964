//! Runs of programs that tests isolate.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use isolation::{End, InForce, Isolation, Launcher, Limits, Wrapped, here};

/// What became of a run.
pub(crate) struct Ran {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) error: String,
    pub(crate) end: Option<End>,
    pub(crate) in_force: InForce,
}

impl Ran {
    #[track_caller]
    pub(crate) fn end(&self) -> &End {
        self.end.as_ref().unwrap_or_else(|| panic!("no end: {}", self.error))
    }

    /// It said so and ended well.
    #[track_caller]
    pub(crate) fn says(&self, lines: &[&str]) {
        let said: Vec<&str> = self.out.lines().collect();
        assert_eq!(said, lines, "{} {}", self.status, self.error);
        assert!(self.status.success(), "{} {}", self.status, self.error);
    }
}

pub(crate) fn launcher() -> Launcher {
    Launcher { program: env!("CARGO_BIN_EXE_isolation-launcher").into(), arguments: vec![] }
}

/// Whether programs can be isolated here. Where they must be (`CI`), failing to is a failure.
pub(crate) fn can_isolate() -> bool {
    match here(&launcher()) {
        Ok(_) => true,
        Err(error) if std::env::var_os("CI").is_some_and(|ci| ci == "true") => panic!("{error}"),
        Err(error) => {
            left_out(&error.to_string());
            false
        }
    }
}

/// Told beside what runners keep of passing tests.
pub(crate) fn left_out(what: &str) {
    use std::io::Write as _;
    let test = std::thread::current();
    let name = test.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "left out: {name}: {what}");
}

pub(crate) fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

/// Small and short, so that attacks hit the limits soon.
pub(crate) fn small() -> Isolation {
    let limits = Limits {
        memory_bytes: 256 << 20,
        processor_seconds: 20,
        processes: 64,
        open_files: 64,
        file_bytes: 16 << 20,
        folder_bytes: 32 << 20,
        folder_files: 500,
        wall: Duration::from_secs(30),
        grace: Duration::from_millis(500),
    };
    Isolation { limits, ..Isolation::default() }
}

/// The test's own limits around everything: what a program that gets out may take.
pub(crate) fn outer(command: &mut Command) -> &mut Command {
    command
        .args(["--as=8589934592", "--fsize=268435456", "--cpu=120", "--nofile=4096", "--core=0"])
        .args(if is_root() { &[][..] } else { &["--nproc=4000"] })
}

pub(crate) fn command(wrapped: &Wrapped) -> Command {
    let mut command = Command::new("prlimit");
    outer(&mut command).args(&wrapped.command).stdin(Stdio::null());
    command
}

/// Runs a program, none where nothing can be isolated here.
pub(crate) fn run(isolation: &Isolation, program: &[&str]) -> Option<Ran> {
    run_with(isolation, program, |_| ())
}

/// The same, with something that is done to the command before it starts.
pub(crate) fn run_with(
    isolation: &Isolation,
    program: &[&str],
    change: impl FnOnce(&mut Command),
) -> Option<Ran> {
    if !can_isolate() {
        return None;
    }
    let program: Vec<String> = program.iter().map(|part| part.to_string()).collect();
    let wrapped = isolation.wrap(&launcher(), &program).unwrap();
    let mut command = command(&wrapped);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    change(&mut command);
    let mut child = command.spawn().unwrap();
    let out = child.stdout.take().map(beginning);
    let error = child.stderr.take().map(beginning);
    let limits = &isolation.limits;
    let longest = limits.wall.saturating_add(limits.grace).min(Duration::from_secs(120));
    let longest = longest + Duration::from_secs(60);
    let status = wait(&mut child, longest);
    let end = wrapped.guard.end().unwrap();
    let in_force = wrapped.in_force.clone();
    let text =
        |read: Option<JoinHandle<String>>| read.map_or(String::new(), |read| read.join().unwrap());
    let (out, error) = (text(out), text(error));
    Some(Ran { status, out, error, end, in_force })
}

/// Reads to the end, and keeps 64 KiB.
fn beginning(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut kept = vec![];
        let _ = pipe.by_ref().take(1 << 16).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        String::from_utf8_lossy(&kept).into_owned()
    })
}

/// Does not wait longer than that: a run that does not end is a failure that ends.
pub(crate) fn wait(child: &mut Child, longest: Duration) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > longest {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the run did not end in {longest:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// In front of attacks in Python.
const TELLING: &str = r#"
import ctypes, errno, os, signal, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(what, *arguments):
    """Says what held it, or that nothing did."""
    try:
        done = what(*arguments)
    except OSError as error:
        print("held", errno.errorcode[error.errno], flush=True)
    else:
        print("done", done, flush=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    done = libc.syscall(ctypes.c_long(number), *[
        argument if isinstance(argument, bytes) else ctypes.c_long(argument)
        for argument in arguments])
    if done == -1:
        raise OSError(ctypes.get_errno(), "")
    return done
"#;

pub(crate) fn code(text: &str) -> String {
    format!("{TELLING}{text}")
}

/// Runs a program in Python of `/usr`.
pub(crate) fn python(isolation: &Isolation, text: &str) -> Option<Ran> {
    run(isolation, &["python3", "-c", &code(text)])
}

/// A program of the test's own outside, which attacks are aimed at.
pub(crate) struct Outside(pub(crate) Child);

impl Outside {
    pub(crate) fn start(program: &[&str]) -> Outside {
        let mut command = Command::new(program[0]);
        Outside(command.args(&program[1..]).stdin(Stdio::null()).spawn().unwrap())
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A run by another program, as another user or under conditions: `before` comes before it. What
/// it brings back: how it ended, in force, and standard output.
pub(crate) fn elsewhere(
    before: &[&str],
    limits: &Limits,
    program: &[&str],
) -> Option<(ExitStatus, Option<End>, InForce, String)> {
    // Tests may run side by side, and these runs are many processes.
    static ONE: Mutex<()> = Mutex::new(());
    if !can_isolate() {
        return None;
    }
    let _one = ONE.lock();
    let folder = open_folder();
    let limits = serde_json::to_string(limits).unwrap();
    // Where anybody may execute it.
    let binary = folder.path().join("launcher");
    std::fs::copy(launcher().program, &binary).unwrap();
    let shared = folder.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    everyone(&shared);
    let mut command = Command::new("prlimit");
    outer(&mut command).args(before).arg(&binary).arg("try").arg(limits).arg(&shared);
    let ran = command.args(program).stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    let read = |name: &str| std::fs::read(shared.join(name));
    let error = String::from_utf8_lossy(&ran.stderr).into_owned();
    let in_force = read("in_force.json").unwrap_or_else(|_| panic!("{}: {error}", ran.status));
    let end = serde_json::from_slice(&read("end.json").unwrap()).unwrap();
    Some((ran.status, end, serde_json::from_slice(&in_force).unwrap(), out))
}

/// A folder that other users can enter.
pub(crate) fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    everyone(folder.path());
    folder
}

fn everyone(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
}

/// What makes another user of the superuser, who alone can.
pub(crate) const AS_ANOTHER: [&str; 4] =
    ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"];

/// Until something is so, or for too long.
pub(crate) fn until(is: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is() {
        if start.elapsed() > Duration::from_secs(20) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// The cgroups of runs that are there, by all tests that run now.
pub(crate) fn cgroups() -> Vec<PathBuf> {
    let own = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let paths = own.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controller, path) = (parts.next()?, parts.next()?);
        Some(Path::new("/sys/fs/cgroup").join(controller).join(path.trim_start_matches('/')))
    });
    let entries = paths.filter_map(|path| std::fs::read_dir(path).ok()).flatten().flatten();
    let ours = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hotframe-"))
    };
    entries.map(|entry| entry.path()).filter(ours).collect()
}
