//! Building an environment where it stays.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{FlockOperation, flock};

use super::tool::{self, Installer};
use super::{EnvironmentSpec, programs};
use crate::{Error, Folders, Interpreter};

/// An environment that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Built {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// Whether it was there before.
    pub(crate) is_known: bool,
}

/// Written last: an environment without it is not whole.
const WHOLE: &str = "hotframe-environment";

/// Builds an environment, unless it is there. Whoever wants the same meanwhile waits.
pub(crate) fn build(
    spec: &EnvironmentSpec,
    interpreter: &Interpreter,
    installer: &Installer,
    folders: &Folders,
) -> Result<Built, Error> {
    let parent = folders.environments();
    let folder = parent.join(&spec.key(interpreter).to_string()[..32]);
    let whole = folder.join(WHOLE);
    if whole.exists() {
        return Ok(Built { folder, is_known: true });
    }
    fs::create_dir_all(&parent).map_err(Error::writing(&parent))?;
    let lock = folder.with_extension("lock");
    let held = File::create(&lock).map_err(Error::writing(&lock))?;
    // Until this process lets go of it, also by dying.
    flock(&held, FlockOperation::LockExclusive).map_err(|e| Error::writing(&lock)(e.into()))?;
    if whole.exists() {
        return Ok(Built { folder, is_known: true });
    }
    remove(&folder)?;
    let made = make(spec, interpreter, installer, &folder);
    if made.is_err() {
        remove(&folder)?;
    }
    made?;
    let told = format!("{}\n{}", interpreter.title(), spec.lock);
    fs::write(&whole, told).map_err(Error::writing(&whole))?;
    set_read_only(&folder)?;
    Ok(Built { folder, is_known: false })
}

fn make(
    spec: &EnvironmentSpec,
    interpreter: &Interpreter,
    installer: &Installer,
    folder: &Path,
) -> Result<(), Error> {
    let python = &interpreter.program;
    let mut create = match installer {
        Installer::Uv(uv) => {
            let mut command = Command::new(uv);
            command.args(["venv", "--quiet", "--no-project", "--python"]).arg(python);
            command
        }
        Installer::Pip => {
            let mut command = tool::python(python, "venv");
            if spec.lock.is_empty() {
                command.arg("--without-pip");
            }
            command
        }
    };
    tool::run(
        create.arg(folder),
        "cannot create an environment (is python3-venv, or uv, installed?)",
    )?;
    if spec.lock.is_empty() {
        return Ok(());
    }
    let lock = folder.join("lock.txt");
    fs::write(&lock, &spec.lock).map_err(Error::writing(&lock))?;
    let own = programs(folder).join("python");
    let mut install = match installer {
        Installer::Uv(uv) => {
            let mut command = Command::new(uv);
            command.args(["pip", "install", "--quiet", "--no-deps", "--require-hashes"]);
            // By itself uv would compile in an interpreter that does what packages have it do when it
            // begins (`.pth` files).
            command.args(["--no-compile-bytecode", "--python"]).arg(own);
            command
        }
        Installer::Pip => {
            let mut command = tool::python(&own, "pip");
            command.args(["install", "--quiet", "--no-deps", "--require-hashes", "--no-compile"]);
            command
        }
    };
    if spec.wheels_only {
        tool::check_wheels(spec.lock.lines())?;
        tool::wheels_only(&mut install);
    }
    tool::links(&mut install, &spec.find_links);
    let what = "locked packages cannot be installed";
    tool::run(install.arg("-r").arg(lock), what)?;
    compile(python, folder)
}

/// Compiles modules, since nobody may write there later. The interpreter is not that of the environment and
/// knows no sites, so that it reads packages and runs none.
fn compile(python: &Path, folder: &Path) -> Result<(), Error> {
    let libraries = folder.join("lib");
    for entry in fs::read_dir(&libraries).map_err(Error::reading(&libraries))? {
        let packages = entry.map_err(Error::reading(&libraries))?.path().join("site-packages");
        if !packages.is_dir() {
            continue;
        }
        let mut compile = Command::new(python);
        compile.args(["-I", "-S", "-m", "compileall", "-q"]).arg(packages);
        // Templates and files of other versions do not compile: whoever imports them is told.
        let _ = tool::run(&mut compile, "packages cannot be compiled");
    }
    Ok(())
}

/// Nothing that runs may change it; files that it shares with others keep what they may.
fn set_read_only(folder: &Path) -> Result<(), Error> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
            let entry = entry.map_err(Error::reading(&folder))?;
            if entry.file_type().map_err(Error::reading(&folder))?.is_dir() {
                folders.push(entry.path());
            }
        }
        fs::set_permissions(&folder, Permissions::from_mode(0o555))
            .map_err(Error::writing(&folder))?;
    }
    Ok(())
}

/// Also what may not be written into.
fn remove(folder: &Path) -> Result<(), Error> {
    beneath::remove_folder(folder).map_err(Error::writing(folder))
}
