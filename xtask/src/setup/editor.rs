//! The editor that the tests drive: VS Code in the browser.
//!
//! code-server is VS Code's own workbench behind a local address. It runs on one major
//! version of Node.js only, so that comes along, as a package as well; the tool that packs
//! extensions runs on it too.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::{command, workspace};

const NODE_VERSION: &str = "24.21.0";
const CODE_SERVER: &str = "code-server@4.139.1";

/// Installs Node.js if it is not there, and gives the program's path.
pub(super) fn node() -> anyhow::Result<PathBuf> {
    let package = format!("node-{}", workspace::platform());
    let wanted = format!("{package}@{NODE_VERSION}");
    let folder = workspace::target().join("tools/node");
    once(&folder, &wanted, || install(None, &folder, &[&wanted]))?;
    Ok(folder.join("node_modules").join(package).join("bin/node"))
}

/// Installs VS Code if it is not there, and gives the program to run in Node.js.
pub(super) fn vscode() -> anyhow::Result<PathBuf> {
    let node = node()?;
    let folder = workspace::target().join("tools/code-server");
    let package = folder.join("node_modules/code-server");
    once(&folder, CODE_SERVER, || {
        install(Some(&node), &folder, &[CODE_SERVER])?;
        // What its scripts would do: install, and compile modules that nothing here needs.
        let workbench = package.join("lib/vscode");
        install(Some(&node), &workbench, &["--omit=dev"])?;
        install(Some(&node), &workbench.join("extensions"), &["--omit=dev"])
    })?;
    Ok(package.join("out/node/entry.js"))
}

/// Has a folder filled with what is wanted, unless it is already.
fn once(
    folder: &Path,
    wanted: &str,
    fill: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // Written last, so that what was interrupted is done again.
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    // Without a manifest of its own, npm would install into the repository's packages.
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join("package.json"), "{ \"private\": true }\n"))
        .with_context(|| format!("cannot write {}", folder.display()))?;
    fill()?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
}

/// Runs `npm install` in a folder, on a Node.js or on the machine's own; a second time if
/// the first fails: hundreds of packages from a network now and then do.
fn install(node: Option<&Path>, folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let path = path_with(node.and_then(Path::parent))?;
    let npm = || {
        let mut npm = Command::new("npm");
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"])
            .args(arguments)
            .current_dir(folder)
            .env("PATH", &path);
        npm
    };
    command::run(&mut npm()).or_else(|_first| command::run(&mut npm()))
}

/// The PATH, with a folder before all others.
fn path_with(first: Option<&Path>) -> anyhow::Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = first.map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).context("cannot set the PATH")
}
