//! Whether a command can be run, told before anything of it runs.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::{Error, RecordOptions};

/// Refuses a command that is not there, as shells do.
pub(crate) fn check_command(asked: &RecordOptions) -> Result<(), Error> {
    let Some(program) = asked.command.first() else {
        return Err(Error::BadOptions(format!("'{}' has no command", asked.name)));
    };
    let folder = asked.folder.as_deref().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() && !folder.is_dir() {
        return Err(Error::BadOptions(format!("{} is not a folder to run in", folder.display())));
    }
    let found: Vec<PathBuf> = if program.contains('/') {
        vec![folder.join(program)]
    } else {
        let paths = asked.environment.get("PATH").map(OsString::from);
        let paths = paths.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
        std::env::split_paths(&paths).map(|path| folder.join(path).join(program)).collect()
    };
    let files: Vec<&PathBuf> = found.iter().filter(|path| path.exists()).collect();
    let runs = |path: &Path| {
        fs::metadata(path).is_ok_and(|found| found.is_file())
            && access(path, Access::EXEC_OK).is_ok()
    };
    if files.iter().any(|path| runs(path)) {
        return Ok(());
    }
    if files.is_empty() {
        let what = match folder.join(program).is_file() {
            // As the shell, it looks in PATH alone.
            true if program.ends_with(".py") => {
                format!("{program} is a script, not a program: write python3 {program}")
            }
            true => format!("{program} is in this folder and not in PATH: write ./{program}"),
            false => format!("there is no program {program}"),
        };
        return Err(Error::Command { what, code: 127 });
    }
    Err(Error::Command { what: format!("{program} cannot be run"), code: 126 })
}
