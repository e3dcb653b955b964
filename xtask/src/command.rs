//! Running other programs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};

use crate::workspace;

/// `-D warnings`, in the form in which `cargo clippy` hands its arguments on.
const CLIPPY_ARGS: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// A command that runs in the root of the repository.
pub(crate) fn in_root(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace::root());
    // What `cargo run` says of this program would be taken for what is compiled: build scripts that
    // ask for it run again, and what depends on them, each time that `cargo build` and a chore alternate.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_of_this_program) {
            command.env_remove(name);
        }
    }
    command
}

/// Whether `cargo run` sets this variable for the program that it runs.
fn is_of_this_program(variable: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
        .iter()
        .any(|start| variable.starts_with(start))
        || ["CARGO_PRIMARY_PACKAGE", "OUT_DIR"].contains(&variable)
}

/// The cargo that runs this program, in the root of the repository. In continuous integration our own
/// packages are compiled under the lints of clippy, which are errors: linting by itself would read all
/// dependencies a second time.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    compiling(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
}

/// The same with a program that calls cargo.
pub(crate) fn compiling(program: &str, arguments: &[&str]) -> Command {
    let mut command = in_root(program, arguments);
    if is_ci() {
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", CLIPPY_ARGS);
    }
    command
}

/// Whether this is continuous integration.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The path of this program, for those that call it back. Linux tells where a file was that has been
/// compiled anew since.
pub(crate) fn own_program() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe()?;
    let text = path.to_string_lossy();
    Ok(text.strip_suffix(" (deleted)").map_or(path.clone(), PathBuf::from))
}

/// Says what runs, runs it, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    println!("$ {}", line(command));
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !status.success() {
        bail!("`{}` failed: {status}", line(command));
    }
    Ok(())
}

/// What a program prints; fails if it fails.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", line(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` printed no text", line(command)))
}

/// The command as one would type it.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The first of these programs that is installed.
pub(crate) fn installed(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names
        .iter()
        .find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_this_program_are_not_handed_on() {
        assert!(
            is_of_this_program("CARGO_PKG_VERSION") && is_of_this_program("CARGO_MANIFEST_DIR")
        );
        assert!(!is_of_this_program("CARGO_TARGET_DIR") && !is_of_this_program("PATH"));
        // Cargo sets this one for tests, too.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let handed_on = output(&mut in_root("env", &[])).unwrap();
        assert!(!handed_on.contains("CARGO_MANIFEST_DIR="), "{handed_on}");
    }

    /// What `cargo` relies on: the compiler of the lints takes its arguments from there.
    #[test]
    fn a_lint_fails_what_is_compiled() {
        let folder = std::env::temp_dir().join(format!("linting-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let compiles = |source: &str| {
            let file = folder.join("lib.rs");
            std::fs::write(&file, source).unwrap();
            let mut driver = Command::new("clippy-driver");
            driver.env("CLIPPY_ARGS", CLIPPY_ARGS).current_dir(&folder);
            driver.args(["rustc", "--crate-type", "lib", "--edition", "2024"]).arg(file);
            driver.output().unwrap().status.success()
        };
        assert!(compiles("pub fn none(text: &str) -> bool { text.is_empty() }"));
        assert!(!compiles("pub fn none(text: &str) -> bool { text.len() == 0 }"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
