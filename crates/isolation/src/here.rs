//! What of it works on this machine.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::cgroup::{self, Place};
use crate::{Error, InForce, Isolation, Launcher, Limits, landlocked, measures, room};

/// Runs a small program isolated, once in a process, and tells what held it. Refused, with what to
/// do, where programs cannot be isolated here.
pub fn here(launcher: &Launcher) -> Result<InForce, Error> {
    let machine = machine(launcher)?;
    Ok(measures::of(&Isolation::default(), &machine))
}

/// What it needs to know of a machine.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) bubblewrap: PathBuf,
    pub(crate) place: Place,
    /// The version of Landlock; 0 where there is none.
    pub(crate) landlock: u32,
}

impl Machine {
    /// The kernel's limit does not hold its superuser, who may run this.
    pub(crate) fn counts_processes(&self) -> bool {
        self.place.of_processes().is_none() && rustix::process::getuid().is_root()
    }
}

/// Prints what holds it: a namespace a line, then the kernel's account of the process.
const TELLS: &str = "readlink /proc/self/ns/user /proc/self/ns/mnt /proc/self/ns/pid \
                     /proc/self/ns/net /proc/self/ns/ipc /proc/self/ns/uts /proc/self/ns/cgroup; \
                     cat /proc/self/status";

const NAMESPACES: [&str; 7] = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"];

/// What must stand in the account.
const ACCOUNT: [(&str, &str); 8] = [
    ("Uid:", "65534\t65534\t65534\t65534"),
    ("Gid:", "65534\t65534\t65534\t65534"),
    ("NoNewPrivs:", "1"),
    ("Seccomp:", "2"),
    ("CapPrm:", "0000000000000000"),
    ("CapEff:", "0000000000000000"),
    ("CapBnd:", "0000000000000000"),
    ("CapAmb:", "0000000000000000"),
];

const INSTALL: &str = "install bubblewrap 0.8 or newer (on Debian and Ubuntu: \
                       `sudo apt-get install bubblewrap`)";

/// Kept: it does not change while we run.
pub(crate) fn machine(launcher: &Launcher) -> Result<Arc<Machine>, Error> {
    static KNOWN: Mutex<Option<(Launcher, Arc<Machine>)>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, machine)) = &*known
        && of == launcher
    {
        return Ok(Arc::clone(machine));
    }
    room::sweep();
    let machine = Arc::new(find(launcher)?);
    *known = Some((launcher.clone(), Arc::clone(&machine)));
    Ok(machine)
}

fn find(launcher: &Launcher) -> Result<Machine, Error> {
    let bubblewrap = bubblewrap().ok_or_else(|| {
        Error::refused("programs cannot be isolated: `bwrap` is not there", INSTALL)
    })?;
    let mut machine =
        Machine { bubblewrap, place: cgroup::find(), landlock: landlocked::version() };
    cgroup::sweep(&machine.place);
    let Err(error) = probe(&machine, launcher) else { return Ok(machine) };
    if machine.place.why_not.is_none() {
        // Cgroups may look as if they could be made.
        machine.place = machine.place.without(&error.to_string());
        if probe(&machine, launcher).is_ok() {
            return Ok(machine);
        }
    }
    Err(error)
}

/// In the folders of programs; who asks for isolation does not want another one of the user's.
fn bubblewrap() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/bin", "/bin"].map(PathBuf::from).into_iter();
    let folders = system.chain(std::env::split_paths(&path).filter(|path| path.is_absolute()));
    folders.map(|folder| folder.join("bwrap")).find(|file| file.is_file())
}

fn probe(machine: &Machine, launcher: &Launcher) -> Result<(), Error> {
    let limits = Limits { wall: Duration::from_secs(20), ..Limits::default() };
    let isolation = Isolation { limits, ..Isolation::default() };
    let tells = ["sh", "-c", TELLS].map(str::to_owned);
    let wrapped = isolation.wrap_on(machine, launcher, &tells)?;
    let program = &wrapped.command[0];
    let ran = Command::new(program)
        .args(&wrapped.command[1..])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::Start { program: program.display().to_string(), error })?;
    let said = String::from_utf8_lossy(&ran.stderr);
    if !ran.status.success() {
        let what = format!("programs cannot be isolated here: {}", said.trim());
        return Err(Error::refused(what, advice(&said)));
    }
    let text = String::from_utf8_lossy(&ran.stdout);
    match wrong(&text) {
        None => Ok(()),
        Some(what) => Err(Error::refused(
            format!("programs cannot be isolated here: {what} is as outside"),
            INSTALL,
        )),
    }
}

/// What of the account of an isolated program is not as it must be.
fn wrong(text: &str) -> Option<String> {
    let mut lines = text.lines();
    for name in NAMESPACES {
        let outside = fs::read_link(format!("/proc/self/ns/{name}")).unwrap_or_default();
        let inside = lines.next().unwrap_or_default();
        if !inside.starts_with(name) || Path::new(inside) == outside {
            return Some(format!("the namespace `{name}`"));
        }
    }
    let account: Vec<&str> = lines.collect();
    let has = |name: &str, value: &str| {
        let mut values = account.iter().filter_map(|line| line.strip_prefix(name));
        values.next().is_some_and(|found| found.trim() == value)
    };
    let missing = ACCOUNT.iter().find(|(name, value)| !has(name, value));
    missing.map(|(name, _)| name.trim_end_matches(':').to_owned())
}

/// What may be in the way, by what bubblewrap says and the kernel's settings.
fn advice(said: &str) -> String {
    let setting = |path: &str| fs::read_to_string(format!("/proc/sys/{path}")).unwrap_or_default();
    if setting("kernel/unprivileged_userns_clone").trim() == "0" {
        return "users may make no namespaces here: `sudo sysctl \
                kernel.unprivileged_userns_clone=1` allows it"
            .to_owned();
    }
    if setting("user/max_user_namespaces").trim() == "0" {
        return "no user namespaces may be made here: `sudo sysctl \
                user.max_user_namespaces=10000` allows some"
            .to_owned();
    }
    if setting("kernel/apparmor_restrict_unprivileged_userns").trim() == "1" {
        return "AppArmor restricts user namespaces here: give bwrap a profile that allows \
                `userns`, or allow all programs with `sudo sysctl \
                kernel.apparmor_restrict_unprivileged_userns=0`"
            .to_owned();
    }
    if said.contains("Unknown option") || said.contains("unknown option") {
        return INSTALL.to_owned();
    }
    "bubblewrap needs user namespaces; containers often forbid them (docker: `--security-opt \
     seccomp=unconfined`): run it outside of one"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_as_outside_is_no_isolation() {
        let inside = |name: &str| format!("{name}:[1]\n");
        let namespaces: String = NAMESPACES.into_iter().map(inside).collect();
        let account: String =
            ACCOUNT.iter().map(|(name, value)| format!("{name}\t{value}\n")).collect();
        assert_eq!(wrong(&format!("{namespaces}{account}")), None);
        let ours = fs::read_link("/proc/self/ns/net").unwrap();
        let shared = namespaces.replace("net:[1]", &ours.display().to_string());
        assert_eq!(wrong(&format!("{shared}{account}")).unwrap(), "the namespace `net`");
        let capable = account.replace("CapEff:\t0", "CapEff:\tf");
        assert_eq!(wrong(&format!("{namespaces}{capable}")).unwrap(), "CapEff");
        assert!(wrong("").is_some());
    }
}
