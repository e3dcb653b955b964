//! What installs packages.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Error;
use crate::interpreter::bounded_output;

/// uv where it is there, pip otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installer {
    /// The program.
    Uv(PathBuf),
    /// The interpreter's own pip and venv.
    Pip,
}

/// Packages may have to be built.
const LONGEST: Duration = Duration::from_secs(1800);

impl Installer {
    /// What is there.
    pub fn here() -> Installer {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let mut found = std::env::split_paths(&paths).map(|path| path.join("uv"));
        found.find(|path| path.is_file()).map_or(Installer::Pip, Installer::Uv)
    }

    /// For people.
    pub fn name(&self) -> &'static str {
        match self {
            Installer::Uv(_) => "uv",
            Installer::Pip => "pip",
        }
    }
}

/// Runs a program to its end, and gives what it wrote.
pub(super) fn run(command: &mut Command, what: &str) -> Result<Vec<u8>, Error> {
    // Interpreters are never downloaded; what configures an installer elsewhere stays so.
    command.env("UV_PYTHON_DOWNLOADS", "never").env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    command.env_remove("VIRTUAL_ENV").env_remove("PYTHONPATH").env_remove("PYTHONHOME");
    command.stdin(Stdio::null());
    bounded_output(command, LONGEST).map_err(|error| {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        Error::Tool { program: words.join(" "), output: error.to_string(), what: what.to_owned() }
    })
}

/// Folders with packages, as both installers take them.
pub(super) fn links(command: &mut Command, find_links: &[PathBuf]) {
    for folder in find_links {
        command.arg("--find-links").arg(folder);
    }
}

/// A command of an interpreter that ignores who runs it.
pub(super) fn python(program: &Path, module: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["-I", "-m", module]);
    command
}
