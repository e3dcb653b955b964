//! The runner of Rust's tests.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::{command, workspace};

const NAME: &str = "cargo-nextest";
const VERSION: &str = "0.9.143";

/// The path of an installed cargo-nextest; compiles it into `target/tools` where there is none.
pub(super) fn install() -> anyhow::Result<PathBuf> {
    if let Some(path) = command::installed(&[NAME]) {
        return Ok(path);
    }
    let root = workspace::target().join("tools/nextest");
    let path = root.join("bin").join(NAME);
    if !path.exists() {
        let mut install = command::in_root("cargo", &["install", NAME, "--locked", "--quiet"]);
        // The toolchain is that of the user, not that of this workspace's builds.
        install.env_remove("CARGO").args(["--version", VERSION, "--root"]).arg(&root);
        command::run(&mut install)?;
    }
    std::path::absolute(&path).with_context(|| format!("no {NAME} at {}", path.display()))
}
