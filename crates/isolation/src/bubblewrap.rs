//! What bubblewrap is asked for.

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]

use std::path::{Component, Path, PathBuf};

use crate::room::{
    ALTERNATIVES, CERTIFICATES, ETC, EXCHANGED, INTO, LAUNCHER, NOTHING, PROCESSES, SEEN, SOURCE,
};
use crate::{Error, Isolation, Launcher};

/// Beside `/usr`; links into it on most systems.
const SYSTEM: [&str; 7] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/libexec"];

pub(crate) const DEVICES: [&str; 3] = ["null", "zero", "urandom"];

const DEVICE_LINKS: [(&str, &str); 5] = [
    ("random", "urandom"),
    ("fd", "/proc/self/fd"),
    ("stdin", "fd/0"),
    ("stdout", "fd/1"),
    ("stderr", "fd/2"),
];

/// Inside, nothing is mounted over these, and nothing in the first of them.
const TAKEN: [&str; 4] = [SEEN, "/proc", "/dev", "/work"];

/// Folders in memory, that programs may write to: with their permissions.
pub(crate) const IN_MEMORY: [(&str, &str); 3] =
    [("/work", "0755"), ("/tmp", "1777"), ("/dev/shm", "1777")];

/// The arguments up to the command inside, which is our own.
pub(crate) fn arguments(
    isolation: &Isolation,
    launcher: &Launcher,
    room: &Path,
) -> Result<Vec<String>, Error> {
    let mut arguments = Arguments(vec![]);
    for option in ["user", "pid", "ipc", "uts", "cgroup"] {
        arguments.add([&format!("--unshare-{option}")]);
    }
    if !isolation.network {
        arguments.add(["--unshare-net"]);
    }
    // The first process drops the last two, when it has said how many files a folder may have.
    arguments.add(["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SETPCAP"]);
    arguments.add(["--uid", "65534", "--gid", "65534", "--hostname", "isolated"]);
    arguments.add(["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv"]);
    system(&mut arguments);
    etc(&mut arguments, isolation.network, room)?;
    // Whoever runs this may be the owner of what stands in `/proc/sys`.
    arguments.add(["--proc", "/proc", "--remount-ro", "/proc", "--dir", "/dev"]);
    for file in files_of_root() {
        arguments.bind("--ro-bind", &room.join(NOTHING), &file)?;
    }
    for device in DEVICES {
        let device = format!("/dev/{device}");
        arguments.add(["--dev-bind", &device, &device]);
    }
    for (name, to) in DEVICE_LINKS {
        arguments.add(["--symlink", to, &format!("/dev/{name}")]);
    }
    let bytes = isolation.limits.possible().folder_bytes.to_string();
    for (folder, mode) in IN_MEMORY {
        arguments.add(["--perms", mode, "--size", &bytes, "--tmpfs", folder]);
    }
    for bind in &isolation.readable {
        fits(&bind.from, &bind.to)?;
        if let Ok(below) = bind.to.strip_prefix("/etc") {
            stand_in(&bind.from, &room.join(ETC).join(below))?;
        }
        arguments.bind("--ro-bind", &bind.from, &bind.to)?;
    }
    let seen = Path::new(SEEN);
    arguments.bind("--bind", &room.join(crate::room::INSIDE), seen)?;
    if let Some(folder) = &isolation.exchange {
        fits(folder, folder)?;
        is_folder(folder)?;
        arguments.add(["--perms", "0700", "--size", &bytes, "--tmpfs", text(folder)?]);
        arguments.bind("--bind", folder, &seen.join(EXCHANGED))?;
    }
    arguments.bind("--ro-bind", &launcher.program, &seen.join(LAUNCHER))?;
    arguments.add(["--proc", text(&seen.join(PROCESSES))?]);
    if let Some(source) = &isolation.folder.source {
        is_folder(source)?;
        arguments.bind("--ro-bind", source, &seen.join(SOURCE))?;
    }
    if let Some(bring) = &isolation.folder.bring {
        is_folder(&bring.into)?;
        arguments.bind("--bind", &bring.into, &seen.join(INTO))?;
    }
    arguments.add(["--remount-ro", "/", "--chdir", "/work", "--"]);
    Ok(arguments.0)
}

fn system(arguments: &mut Arguments) {
    arguments.add(["--ro-bind", "/usr", "/usr"]);
    for path in SYSTEM {
        match std::fs::read_link(path) {
            Ok(to) => arguments.add(["--symlink", &to.to_string_lossy(), path]),
            Err(_) if Path::new(path).is_dir() => arguments.add(["--ro-bind", path, path]),
            Err(_) => {}
        }
    }
}

/// Files of the kernel that the superuser alone may read: programs are the superuser's where that runs them.
fn files_of_root() -> Vec<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    if !rustix::process::geteuid().is_root() {
        return vec![];
    }
    let is_roots = |entry: &std::fs::DirEntry| {
        let told = entry.metadata().ok();
        told.is_some_and(|told| told.is_file() && told.permissions().mode() & 0o004 == 0)
    };
    let files = OF_ROOT.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    files.flatten().flatten().filter(is_roots).map(|entry| entry.path()).collect()
}

/// Where such files are that tell of the machine, and not of namespaces that programs have for themselves.
const OF_ROOT: [&str; 4] =
    ["/proc", "/proc/sys/kernel", "/proc/sys/kernel/usermodehelper", "/proc/sys/vm"];

/// Its files are copies or made up. Each mount costs a third of a millisecond.
fn etc(arguments: &mut Arguments, network: bool, room: &Path) -> Result<(), Error> {
    let etc = Path::new("/etc");
    arguments.bind("--ro-bind", &room.join(ETC), etc)?;
    let more = [Some(ALTERNATIVES), network.then_some(CERTIFICATES)];
    for folder in more.into_iter().flatten().map(|name| etc.join(name)) {
        if folder.is_dir() {
            arguments.bind("--ro-bind", &folder, &folder)?;
        }
    }
    Ok(())
}

/// Something to mount on, where nothing is yet.
fn stand_in(for_what: &Path, path: &Path) -> Result<(), Error> {
    let folder = if for_what.is_dir() { Some(path) } else { path.parent() };
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(Error::file("make", folder))?;
    }
    if !path.exists() {
        std::fs::write(path, "").map_err(Error::file("make", path))?;
    }
    Ok(())
}

struct Arguments(Vec<String>);

impl Arguments {
    fn add<const N: usize>(&mut self, arguments: [&str; N]) {
        self.0.extend(arguments.map(str::to_owned));
    }

    fn bind(&mut self, how: &str, from: &Path, to: &Path) -> Result<(), Error> {
        self.add([how, text(from)?, text(to)?]);
        Ok(())
    }
}

fn text(path: &Path) -> Result<&str, Error> {
    path.to_str().ok_or_else(|| {
        Error::Asked(format!("{}: paths of isolated programs must be UTF-8", path.display()))
    })
}

/// Whether something of this machine can be seen there.
fn fits(from: &Path, to: &Path) -> Result<(), Error> {
    let asked = |what: &str| Err(Error::Asked(format!("{}: {what}", to.display())));
    if !from.is_absolute() || !from.exists() {
        return Err(Error::Asked(format!(
            "{}: not there, or no absolute path, so that isolated programs cannot be shown it",
            from.display()
        )));
    }
    let is_plain =
        to.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    if !to.is_absolute() || !is_plain || to.parent().is_none() {
        return asked("isolated programs see files at absolute paths without `.` and `..`");
    }
    // A folder of what is taken would be covered; what stands in `/work` is not a folder of theirs.
    if TAKEN.iter().any(|taken| to.starts_with(taken) || Path::new(taken).starts_with(to)) {
        return asked("isolated programs have something of their own there");
    }
    Ok(())
}

fn is_folder(path: &Path) -> Result<(), Error> {
    if path.is_absolute() && path.is_dir() {
        return Ok(());
    }
    Err(Error::Asked(format!("{}: no absolute path of a folder", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_shown_over_what_programs_have() {
        for path in ["/", "/proc", "/proc/1", "/dev/shm", "/work/a", "/.isolation", "/a/../b", "a"]
        {
            assert!(fits(Path::new("/usr"), Path::new(path)).is_err(), "{path}");
        }
        for path in ["/root/env", "/tmp/x", "/usr/local/lib", "/workshop", "/home/a/.pyenv"] {
            fits(Path::new("/usr"), Path::new(path)).unwrap();
        }
        assert!(fits(Path::new("/not/there"), Path::new("/not/there")).is_err());
        assert!(fits(Path::new("usr"), Path::new("/usr")).is_err());
    }
}
