//! Running other programs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};

use crate::workspace;

/// A command that runs in the root of the repository.
pub(crate) fn in_root(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace::root());
    command
}

/// The cargo that runs this program, in the root of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    in_root(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
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
