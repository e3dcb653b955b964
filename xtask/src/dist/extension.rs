//! The extension for VS Code, with the program inside, and the one for VS Code in a browser, without.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::platform::platform;
use super::program::Program;
use super::stage::{copy, folder, for_trial, fresh_folder, license, unpacked};
use crate::notices::{self, Thing};
use crate::{command, page, setup, workspace};

/// Folders and files of `web/vscode` that go into the package.
const PARTS: [&str; 6] =
    ["package.json", "README.md", "CHANGELOG.md", "dist", "media", "walkthrough"];

/// Packages a binary for this machine, for tests; gives the `.vsix`.
pub(crate) fn extension_of(hotframe: &Path) -> anyhow::Result<PathBuf> {
    for_trial();
    extension(&Program::new(hotframe, platform(None)?, true)?)
}

/// Packages a binary for a platform; gives the `.vsix`.
pub(super) fn extension(program: &Program) -> anyhow::Result<PathBuf> {
    build_scripts()?;
    let stage = stage(program)?;
    notices::write(Thing::Extension, Some(program.platform.rust), &stage)?;
    pack(&stage, program.platform.node, &["serde", "clap", "preact", "vscode-languageclient"])
}

/// Builds what the extensions run.
fn build_scripts() -> anyhow::Result<()> {
    let arguments = ["run", "--silent", "build", "--workspace", "web/vscode"];
    command::run(&mut command::in_root("npm", &arguments))
}

/// Packages the extension for VS Code in a browser, where no binary runs; gives the `.vsix`.
pub(crate) fn web_extension() -> anyhow::Result<PathBuf> {
    build_scripts()?;
    let page = page::build()?.folder.join("index.html");
    let root = workspace::root().join("web/vscode");
    let stage = fresh_folder("vscode-web")?;
    for part in ["README.md", "CHANGELOG.md", "media", "dist/web.cjs"] {
        fs::create_dir_all(stage.join(part).parent().context("a part has a folder")?)?;
        copy(&root.join(part), &stage.join(part))?;
    }
    fs::create_dir_all(stage.join("page"))?;
    copy(&page, &stage.join("page/index.html"))?;
    fs::write(stage.join("LICENSE"), license()?)?;
    let manifest = fs::read_to_string(root.join("package.json"))?;
    fs::write(stage.join("package.json"), web_manifest(&manifest)?)?;
    notices::write(Thing::WebExtension, None, &stage)?;
    pack(&stage, "web", &["serde", "preact"])
}

/// What of the manifest holds where the page has its own engine.
fn web_manifest(manifest: &str) -> anyhow::Result<String> {
    /// Commands that need no binary.
    const COMMANDS: [&str; 5] = [
        "hotframe.open",
        "hotframe.openWith",
        "hotframe.toggleHeat",
        "hotframe.toggleMarks",
        "hotframe.clearHighlight",
    ];
    /// Settings that have something to decide there.
    const SETTINGS: [&str; 3] = ["hotframe.hotLinePercent", "hotframe.heat", "hotframe.marks"];
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let commands = manifest["contributes"]["commands"].as_array().context("no commands")?;
    let is_there = |entry: &&Value| COMMANDS.iter().any(|name| entry["command"] == *name);
    let commands: Vec<Value> = commands.iter().filter(is_there).cloned().collect();
    let in_explorer = manifest["contributes"]["menus"]["explorer/context"].as_array();
    let in_explorer: Vec<Value> =
        in_explorer.into_iter().flatten().filter(is_there).cloned().collect();
    let editors = manifest["contributes"]["customEditors"].clone();
    let mut configuration = manifest["contributes"]["configuration"].clone();
    let settings = configuration["properties"].as_object_mut().context("no settings")?;
    settings.retain(|name, _| SETTINGS.contains(&name.as_str()));
    let colours = manifest["contributes"]["colors"].clone();
    manifest["contributes"] = json!({
        "colors": colours,
        "commands": commands,
        "configuration": configuration,
        "menus": { "explorer/context": in_explorer },
        "customEditors": editors,
    });
    manifest["browser"] = json!("./dist/web.cjs");
    manifest["activationEvents"] = json!([]);
    manifest["capabilities"] =
        json!({ "untrustedWorkspaces": { "supported": true }, "virtualWorkspaces": true });
    let fields = manifest.as_object_mut().context("the manifest is not an object")?;
    // Without a kind it is one for browsers, also where there is a machine behind them.
    for field in ["main", "extensionKind", "scripts", "devDependencies"] {
        fields.remove(field);
    }
    Ok(serde_json::to_string_pretty(&manifest)?)
}

/// Lays out what goes into the package in a fresh folder.
fn stage(program: &Program) -> anyhow::Result<PathBuf> {
    let root = workspace::root();
    let stage = fresh_folder("vscode")?;
    fs::create_dir_all(stage.join("bin"))?;
    for part in PARTS {
        let from = root.join("web/vscode").join(part);
        if from.exists() {
            copy(&from, &stage.join(part))?;
        }
    }
    fs::write(stage.join("LICENSE"), license()?)?;
    let name = program.path.file_name().context("the program has no name")?;
    copy(&program.path, &stage.join("bin").join(name))?;
    if program.platform.is_linux() {
        copy(&program.usr.join("lib"), &stage.join("lib"))?;
    }
    // The package is built already, and vsce would build it again.
    let mut manifest = command::in_root("npm", &["pkg", "delete", "scripts", "devDependencies"]);
    command::run(manifest.current_dir(&stage))?;
    Ok(stage)
}

/// Packs a folder, which has notices of these packages among others.
fn pack(stage: &Path, target: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let package = folder().join(format!("hotframe-{target}.vsix"));
    let vsce = workspace::root().join("node_modules/@vscode/vsce/vsce");
    let mut pack = Command::new(setup::node()?);
    pack.arg(vsce)
        .args(["package", "--no-dependencies", "--allow-missing-repository"])
        .args(["--target", target, "--out"])
        .arg(&package)
        .current_dir(stage);
    command::run(&mut pack)?;
    let text = unpacked(&package, &format!("extension/{}", notices::FILE))?;
    notices::expect(&package, &text, packages)?;
    Ok(package)
}
