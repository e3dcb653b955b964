//! What a run needs on this machine, in a folder that only its user can enter.
//!
//! ```text
//! hotframe-isolated-XXXXXX/
//!   held        locked while the guard lives
//!   alive       locked while outer lives
//!   hold        a pipe that the guard has open: outer ends when it does not
//!   plan.json   for outer
//!   end.json    from outer
//!   etc/        passwd and the like, made up
//!   nothing     an empty file
//!   inside/     seen by the first process inside until the program starts
//!     plan.json, passed.json (variables), end.json (a pipe), and where the launcher, `/proc`, the source and the folders to
//!                 bring to are mounted
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, FlockOperation, Mode, OFlags, flock, mknodat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::cgroup::Place;
use crate::end::{Brought, Cause, Status};
use crate::{Bring, Error, Limits};

/// Where `inside/` is seen inside.
pub(crate) const SEEN: &str = "/.isolation";

pub(crate) const PLAN: &str = "plan.json";
pub(crate) const PASSED: &str = "passed.json";
pub(crate) const END: &str = "end.json";
pub(crate) const HOLD: &str = "hold";
pub(crate) const ALIVE: &str = "alive";
pub(crate) const INSIDE: &str = "inside";
/// What the first process inside says when it listens for signals, before the end, which is JSON.
pub(crate) const LISTENS: &[u8] = b"\n";
pub(crate) const LAUNCHER: &str = "launcher";
/// `/proc` as it can be written to.
pub(crate) const PROCESSES: &str = "proc";
pub(crate) const SOURCE: &str = "source";
pub(crate) const INTO: &str = "into";
/// The folder of this machine for what watches the program.
pub(crate) const EXCHANGED: &str = "exchanged";

const HELD: &str = "held";
const PREFIX: &str = "hotframe-isolated-";

/// An empty file, which is seen in the place of others.
pub(crate) const NOTHING: &str = "nothing";

/// What is seen as `/etc`.
pub(crate) const ETC: &str = "etc";

/// Files that programs look into, instead of this machine's.
const MADE_UP: [(&str, &str); 4] = [
    ("passwd", "isolated:x:65534:65534:isolated:/work:/bin/sh\n"),
    ("group", "isolated:x:65534:\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    ("hosts", "127.0.0.1 localhost isolated\n::1 localhost\n"),
];

/// Files of this machine that the loader and libraries need: what is not here is not there.
const COPIED: [&str; 2] = ["ld.so.cache", "localtime"];

/// One more, where the network is there.
const NAMES: &str = "resolv.conf";

/// Folders of this machine that are mounted there, if they are here.
pub(crate) const MOUNTED: [&str; 2] = [ALTERNATIVES, CERTIFICATES];

/// Where links of `/usr/bin` lead through, on Debian.
pub(crate) const ALTERNATIVES: &str = "alternatives";

/// To know others by, on the network.
pub(crate) const CERTIFICATES: &str = "ssl/certs";

/// What outer does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) bubblewrap: PathBuf,
    /// All of its arguments, the command inside included.
    pub(crate) arguments: Vec<String>,
    pub(crate) place: Place,
    pub(crate) limits: Limits,
    /// Names of variables of its own environment that go inside.
    pub(crate) passed: Vec<String>,
}

/// What the first process inside does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Inside {
    pub(crate) command: Vec<String>,
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) limits: Limits,
    pub(crate) network: bool,
    pub(crate) exchange: Option<PathBuf>,
    pub(crate) has_source: bool,
    pub(crate) bring: Option<Bring>,
    /// No cgroup holds memory: address space is limited instead.
    pub(crate) limits_addresses: bool,
    /// Neither a cgroup nor the kernel's limit holds processes: they are counted instead.
    pub(crate) counts_processes: bool,
    /// The version of Landlock, 0 for none.
    pub(crate) landlock: u32,
}

/// What the first process inside says at the end.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct InsideEnd {
    pub(crate) status: Option<Status>,
    /// The wall time was over.
    pub(crate) is_late: bool,
    /// It had its time on processors.
    pub(crate) has_used_time: bool,
    /// What was found by counting.
    pub(crate) exceeded: Option<Cause>,
    pub(crate) brought: Brought,
    pub(crate) notes: Vec<String>,
    /// It was not isolated, or not started: with the exit code.
    pub(crate) failed: Option<u8>,
}

/// The folder, removed when dropped.
#[derive(Debug)]
pub(crate) struct Room {
    folder: TempDir,
    _held: File,
}

impl Room {
    pub(crate) fn make(network: bool) -> Result<Room, Error> {
        let above = std::env::temp_dir();
        let folder =
            TempDir::with_prefix_in(PREFIX, &above).map_err(Error::file("make", &above))?;
        let path = folder.path();
        let held = path.join(HELD);
        let held = File::create(&held).map_err(Error::file("make", &held))?;
        lock(&held).map_err(Error::file("lock", path))?;
        let hold = path.join(HOLD);
        mknodat(CWD, &hold, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .map_err(|error| Error::file("make", &hold)(error.into()))?;
        for folder in [ETC, INSIDE] {
            let folder = path.join(folder);
            fs::create_dir(&folder).map_err(Error::file("make", &folder))?;
        }
        for name in [ALIVE.to_owned(), NOTHING.to_owned(), format!("{INSIDE}/{LAUNCHER}")] {
            let file = path.join(name);
            File::create(&file).map_err(Error::file("make", &file))?;
        }
        fill(&path.join(ETC), network)?;
        Ok(Room { folder, _held: held })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn fill(etc: &Path, network: bool) -> Result<(), Error> {
    for name in MOUNTED {
        let folder = etc.join(name);
        fs::create_dir_all(&folder).map_err(Error::file("make", &folder))?;
    }
    for (name, text) in MADE_UP {
        let file = etc.join(name);
        fs::write(&file, text).map_err(Error::file("write", &file))?;
    }
    for name in COPIED.into_iter().chain(network.then_some(NAMES)) {
        let file = etc.join(name);
        if let Ok(bytes) = fs::read(Path::new("/etc").join(name)) {
            fs::write(&file, bytes).map_err(Error::file("write", &file))?;
        }
    }
    Ok(())
}

/// Removes the folders of runs whose guards are gone without having been dropped.
pub(crate) fn sweep() {
    let user = rustix::process::getuid().as_raw();
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let is_ours = || rustix::fs::lstat(entry.path()).is_ok_and(|stat| stat.st_uid == user);
        if !is_named || !is_ours() {
            continue;
        }
        // One that is being made has no such file yet.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let held = rustix::fs::open(entry.path().join(HELD), flags, Mode::empty());
        if held.is_ok_and(|held| lock(&File::from(held)).is_ok()) {
            let _ = beneath::remove_folder(&entry.path());
        }
    }
}

fn lock(file: &File) -> std::io::Result<()> {
    Ok(flock(file, FlockOperation::NonBlockingLockExclusive)?)
}

pub(crate) fn read<T: DeserializeOwned>(file: &Path) -> Result<T, Error> {
    let bytes = fs::read(file).map_err(Error::file("read", file))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::file("read", file)(error.into()))
}

pub(crate) fn write<T: Serialize>(file: &Path, value: &T) -> Result<(), Error> {
    let bytes =
        serde_json::to_vec(value).map_err(|error| Error::file("write", file)(error.into()))?;
    fs::write(file, bytes).map_err(Error::file("write", file))
}
