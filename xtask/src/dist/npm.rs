//! Packages for npm: one with the program for each kind of machine, and `hotframe`, which starts the one that
//! fits and has the builder for JavaScript.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::platform::PLATFORMS;
use super::program::Program;
use super::stage::{copy, folder, fresh_folder};
use super::version;
use crate::notices;
use crate::{command, workspace};

/// Packs the program for its kind of machine, then `hotframe`, which names all that were packed.
pub(super) fn packages(program: &Program) -> anyhow::Result<Vec<PathBuf>> {
    let platform = program.platform.node;
    let stage = fresh_folder(&format!("npm-{platform}"))?;
    let file = program.path.file_name().context("the program has no name")?;
    fs::create_dir_all(stage.join("bin"))?;
    copy(&program.path, &stage.join("bin").join(file))?;
    if program.platform.is_linux() {
        copy(&program.usr.join("lib"), &stage.join("lib"))?;
    }
    let docs = program.usr.join("share/doc/hotframe");
    for name in ["LICENSE-MIT", "LICENSE-APACHE", notices::FILE] {
        copy(&docs.join(name), &stage.join(name))?;
    }
    let (system, processor) = platform.split_once('-').context("a platform has two parts")?;
    let mut manifest = manifest(&format!("@hotframe/{platform}"));
    manifest["description"] = json!(format!("The program hotframe for {platform}"));
    manifest["os"] = json!([system]);
    manifest["cpu"] = json!([processor]);
    if system == "linux" {
        manifest["libc"] = json!(["glibc"]);
    }
    // npm gives files in `bin` the right to execute. The name is not `hotframe`, which the other package has.
    manifest["bin"] =
        json!({ format!("hotframe-{platform}"): format!("bin/{}", file.to_string_lossy()) });
    let own = pack(&stage, &manifest)?;
    Ok(vec![own, starter()?])
}

/// Packs `hotframe` for the machines whose packages are there.
fn starter() -> anyhow::Result<PathBuf> {
    let root = workspace::root();
    let stage = fresh_folder("npm-hotframe")?;
    fs::create_dir_all(stage.join("bin"))?;
    copy(&root.join("packaging/npm/hotframe.mjs"), &stage.join("bin/hotframe.mjs"))?;
    copy(&root.join("packaging/npm/README.md"), &stage.join("README.md"))?;
    for builder in ["hotframe.mjs", "hotframe.d.mts"] {
        copy(&root.join("builders/javascript").join(builder), &stage.join(builder))?;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root.join(name), &stage.join(name))?;
    }
    let version = version();
    let there = PLATFORMS
        .iter()
        .map(|platform| platform.node)
        .filter(|platform| folder().join(format!("hotframe-{platform}-{version}.tgz")).is_file());
    let optional: Map<String, Value> =
        there.map(|platform| (format!("@hotframe/{platform}"), json!(version))).collect();
    let mut manifest = manifest("hotframe");
    manifest["description"] =
        json!("Viewer for profiles and traces: in the browser, the terminal and the editor");
    manifest["keywords"] = json!([
        "profiler",
        "profiling",
        "flame graph",
        "performance",
        "cpuprofile",
        "pprof",
        "perf",
        "trace"
    ]);
    manifest["type"] = json!("module");
    manifest["bin"] = json!({ "hotframe": "bin/hotframe.mjs" });
    // The types lie beside, under the same name.
    manifest["exports"] = json!("./hotframe.mjs");
    manifest["types"] = json!("./hotframe.d.mts");
    manifest["engines"] = json!({ "node": ">=18" });
    manifest["optionalDependencies"] = Value::Object(optional);
    pack(&stage, &manifest)
}

/// What the manifests of all packages say.
fn manifest(name: &str) -> Value {
    let repository = env!("CARGO_PKG_REPOSITORY");
    json!({
        "name": name,
        "version": version(),
        "license": "MIT OR Apache-2.0",
        "repository": { "type": "git", "url": format!("git+{repository}.git") },
        "homepage": repository,
        "bugs": format!("{repository}/issues"),
    })
}

fn pack(stage: &Path, manifest: &Value) -> anyhow::Result<PathBuf> {
    fs::write(stage.join("package.json"), serde_json::to_string_pretty(manifest)?)?;
    let destination = std::path::absolute(folder())?;
    let destination = destination.to_str().context("the folder's name is not text")?;
    let mut pack =
        command::in_root("npm", &["pack", "--silent", "--pack-destination", destination]);
    let name = command::output(pack.current_dir(stage))?;
    Ok(folder().join(name.trim()))
}
