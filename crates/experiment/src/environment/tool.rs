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

/// Has wheels taken alone, as both installers take it: to build a package is to run it.
pub(super) fn wheels_only(command: &mut Command) {
    command.args(["--only-binary", ":all:"]);
}

/// Refuses lines of requirements by which an installer would build or run a package in spite of
/// [`wheels_only`]: options of a file go before those of a command line.
pub(super) fn check_wheels<'a>(lines: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    for line in lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let place = line.split_once('@').map_or(line, |(_, place)| place.trim_start());
        let place = place.split([';', '#', ' ']).next().unwrap_or_default();
        let is_place = place.contains('/') || place.starts_with('.') && place.len() > 1;
        // What a question mark is followed by is not a part of the name.
        let is_wheel = place.ends_with(".whl") && !place.contains('?');
        // Installers put variables of the environment into lines.
        if has_options(line) || line.contains("${") || is_place && !is_wheel {
            return Err(Error::refused(
                format!("{line}: an isolated program has wheels installed alone, and no options"),
                "make a wheel of it (`pip wheel`) and name its folder in `find_links`",
            ));
        }
    }
    Ok(())
}

/// Whether a line has options but those that change nothing: hashes, wheels alone, versions before a
/// release. One whole line is looked at: an option may follow another.
fn has_options(line: &str) -> bool {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let is_harmless = match word {
            "--pre" | "--only-binary=:all:" => true,
            "--only-binary" => words.next() == Some(":all:"),
            _ => {
                let is_hash =
                    |hash: &str| hash.chars().all(|c| c.is_ascii_alphanumeric() || c == ':');
                !word.starts_with('-') || word.strip_prefix("--hash=").is_some_and(is_hash)
            }
        };
        if !is_harmless {
            return true;
        }
    }
    false
}

/// A command of an interpreter that ignores who runs it.
pub(super) fn python(program: &Path, module: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["-I", "-m", module]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_build_or_run_a_package_is_refused() {
        for line in [
            "--only-binary=:none:",
            "--only-binary :none:",
            "--only-binary=six",
            "--pre --no-binary=:all:",
            "--hash=sha256:0 --no-binary=:all:",
            "--prefer-binary",
            "six==1.16.0 --config-settings=x",
            "evil @ file:///tmp/ev.tar.gz?x=.whl",
            "evil @ file:///tmp/ev.tar.gz#x.whl",
            "evil@file:///tmp/ev.tar.gz",
            "./evil",
            "six==${VERSION}",
            "-e .",
        ] {
            assert!(check_wheels([line].into_iter()).is_err(), "{line}");
        }
        let lines = [
            "# a comment",
            "--only-binary :all:",
            "--only-binary=:all:",
            "--pre",
            "six==1.16.0 ; python_version > '3' \\\\",
            "    --hash=sha256:8abb2f1d",
            "own @ file:///tmp/own-1-py3-none-any.whl",
            "attrs",
        ];
        assert!(check_wheels(lines.into_iter()).is_ok());
    }
}
