//! What is asked for.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Guard, InForce};

/// How programs are to be isolated.
#[derive(Debug, Clone, Default)]
pub struct Isolation {
    /// What can be read besides `/usr` and a few files of `/etc`: interpreters, environments.
    pub readable: Vec<Bind>,
    /// A folder of this machine for what watches the program from inside. The program sees an empty
    /// folder in memory at its path, which it may write into. When the program has ended, the regular
    /// files directly in that are brought to the folder of this machine. Nothing in them is to be trusted:
    /// names and contents are the program's.
    pub exchange: Option<PathBuf>,
    /// The one folder of the program, `/work`.
    pub folder: Folder,
    /// What it may take.
    pub limits: Limits,
    /// The network of this machine, its loopback included. Otherwise there is none at all, and
    /// sockets other than Unix's are refused.
    pub network: bool,
    /// The whole environment, besides `PATH`, `HOME=/work`, `LANG=C.UTF-8` and `TMPDIR=/tmp`,
    /// which stand in it unless they are told here.
    pub variables: BTreeMap<String, String>,
    /// Names of variables that are taken over from the environment in which the wrapped command
    /// is run, if they are there: for who runs it and has something to say to what it starts.
    /// Where both have one, this is taken.
    pub passed: Vec<String>,
}

/// A file or folder that is seen inside, and cannot be written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    /// Where it is, absolute.
    pub from: PathBuf,
    /// Where it is seen, absolute.
    pub to: PathBuf,
}

impl Bind {
    /// Seen where it is.
    pub fn same(path: impl Into<PathBuf>) -> Bind {
        let from = path.into();
        Bind { to: from.clone(), from }
    }
}

/// The folder that the program runs in and may write to. It is in memory, has limits of its own
/// ([`Limits::folder_bytes`], [`Limits::folder_files`]) and is gone with the run.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    /// A folder whose content is copied into it before the program starts.
    pub source: Option<PathBuf>,
    /// What is brought out of it once every process of the run has ended.
    pub bring: Option<Bring>,
}

/// What a run leaves: regular files, whose names are UTF-8 without control characters. What else
/// the patterns fit is counted as refused, not followed and not copied.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Bring {
    /// Where they are put, under the same names; a folder that is there. Nothing in it is
    /// overwritten. The program never sees it.
    pub into: PathBuf,
    /// Which ones, relative to `/work`: `result.json`, `out/*.csv`, `**/*.prof`. [`Bring::exactly`] makes
    /// one of a name.
    pub patterns: Vec<String>,
    /// At most so much in all, in bytes.
    pub bytes: u64,
    /// At most so many.
    pub files: u64,
}

impl Bring {
    /// The pattern that fits one file alone.
    pub fn exactly(name: &str) -> String {
        glob::Pattern::escape(name)
    }
}

/// What a run may take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Memory of all processes with what they write into `/work` and `/tmp`, in bytes. Without a
    /// cgroup: address space of each process, or 64 MiB more than we need ourselves; and of all
    /// what is counted now and then.
    pub memory_bytes: u64,
    /// Time on processors, of each process; where there is a cgroup, also of all together.
    pub processor_seconds: u64,
    /// Processes and threads at a time.
    pub processes: u64,
    /// Open files of each process; 16 at least.
    pub open_files: u64,
    /// The largest file, in bytes.
    pub file_bytes: u64,
    /// All files of `/work`, in bytes; those of `/tmp`, of `/dev/shm` and of [`Isolation::exchange`] each
    /// as much again.
    pub folder_bytes: u64,
    /// The files and folders of `/work`, of `/tmp`, of `/dev/shm`, and of [`Isolation::exchange`].
    pub folder_files: u64,
    /// From the start of the program. Then it gets SIGTERM.
    pub wall: Duration,
    /// From there on. Then every process of the run is killed.
    pub grace: Duration,
}

impl Default for Limits {
    /// 2 GiB, one minute on processors, 256 processes, 1,024 open files, files of 256 MiB in a
    /// folder of 512 MiB and 20,000 files, two minutes in all.
    fn default() -> Limits {
        Limits {
            memory_bytes: 2 << 30,
            processor_seconds: 60,
            processes: 256,
            open_files: 1024,
            file_bytes: 256 << 20,
            folder_bytes: 512 << 20,
            folder_files: 20_000,
            wall: Duration::from_secs(120),
            grace: Duration::from_secs(2),
        }
    }
}

impl Limits {
    /// The same for all that can be there, without what the kernel would not take for a number.
    pub(crate) fn possible(&self) -> Limits {
        const BYTES: u64 = 1 << 50;
        const NUMBER: u64 = 4_000_000;
        const TIME: Duration = Duration::from_secs(1 << 32);
        Limits {
            memory_bytes: self.memory_bytes.min(BYTES),
            processor_seconds: self.processor_seconds.clamp(1, TIME.as_secs()),
            processes: self.processes.min(NUMBER),
            open_files: self.open_files.clamp(16, NUMBER),
            file_bytes: self.file_bytes.min(BYTES),
            folder_bytes: self.folder_bytes.clamp(4096, BYTES),
            folder_files: self.folder_files.min(BYTES),
            wall: self.wall.min(TIME),
            grace: self.grace.min(TIME),
        }
    }
}

/// Our own binary and its hidden sub-command, which does nothing but call
/// [`launch`](crate::launch) with the arguments that follow.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Launcher {
    /// The binary: [`std::env::current_exe`]. Its libraries must stand in `/usr`.
    pub program: PathBuf,
    /// The sub-command.
    pub arguments: Vec<String>,
}

/// A command that runs a program isolated.
#[derive(Debug)]
pub struct Wrapped {
    /// To be run as it is, once at a time; it ends when the process that runs it does. Its environment and folder do not matter to the
    /// program; standard input, output and error are the program's. It ends as the program ends,
    /// with the same exit code or by the same signal: 127 where the program is not there, 126
    /// where it cannot be executed, 125 where it was not isolated and so did not run, and after
    /// SIGTERM (SIGKILL) where the wall time was over. Signals that can be caught go on to the
    /// program.
    pub command: Vec<OsString>,
    /// What holds the program.
    pub in_force: InForce,
    /// Must live as long as the command runs.
    pub guard: Guard,
}
