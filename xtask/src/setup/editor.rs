//! The editors that the tests drive: VS Code in the browser, and Neovim.
//!
//! code-server is VS Code's own workbench behind a local address. It runs on one major
//! version of Node.js only, so that comes along, as a package as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use super::debian;
use crate::{command, workspace};

const NODE_VERSION: &str = "24.21.0";
const CODE_SERVER: &str = "code-server@4.139.1";

/// Installs VS Code if it is not there, and gives the folder that holds the packages.
pub(super) fn vscode() -> anyhow::Result<PathBuf> {
    let folder = workspace::target().join("tools/code-server");
    // Written last, so that what was interrupted is done again.
    let stamp = folder.join("installed");
    let wanted = format!("{}\n{CODE_SERVER}\n", node());
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("package.json"), "{ \"private\": true }\n"))
        .with_context(|| format!("cannot write {}", folder.display()))?;
    let server = folder.join("node_modules/code-server/lib/vscode");
    install(&folder, &folder, &[&node()])?;
    install(&folder, &folder, &[CODE_SERVER])?;
    // What these scripts would do: install, and compile modules that nothing here needs.
    install(&folder, &server, &["--omit=dev"])?;
    install(&folder, &server.join("extensions"), &["--omit=dev"])?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(folder)
}

/// The path of an installed Neovim; installs it where that is possible.
pub(super) fn neovim() -> anyhow::Result<PathBuf> {
    if let Some(path) = command::installed(&["nvim"]) {
        return Ok(path);
    }
    debian::install("Neovim", &["neovim"])?;
    command::installed(&["nvim"]).context("Neovim was installed, but is not on the PATH")
}

/// Runs `npm install` in a folder with the installed Node.js, a second time if the first
/// fails: hundreds of packages from a network now and then do.
fn install(tools: &Path, folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let npm = || -> anyhow::Result<Command> {
        let mut npm = Command::new("npm");
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"])
            .args(arguments)
            .current_dir(folder)
            .env("PATH", path_with(&tools.join("node_modules").join(node_package()).join("bin"))?);
        Ok(npm)
    };
    command::run(&mut npm()?).or_else(|_first| command::run(&mut npm()?))
}

/// The PATH with a folder before all others.
fn path_with(first: &Path) -> anyhow::Result<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(first.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).context("cannot set the PATH")
}

fn node() -> String {
    format!("{}@{NODE_VERSION}", node_package())
}

/// The package that holds Node.js for this machine.
fn node_package() -> String {
    format!("node-{}", workspace::platform())
}
