//! The Python package as a wheel for this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::{copy, fresh_folder, license, unpacked};
use crate::notices::{self, Thing};
use crate::{command, setup, workspace};

/// Builds the wheel; gives its path.
pub(super) fn wheel() -> anyhow::Result<PathBuf> {
    let root = workspace::root();
    let stage = fresh_folder("python")?;
    for part in ["README.md", "src/hotframe"] {
        let to = stage.join(part);
        fs::create_dir_all(to.parent().context("a part has a folder")?)?;
        copy(&root.join("python").join(part), &to)?;
    }
    let manifest = fs::read_to_string(root.join("python/pyproject.toml"))?;
    fs::write(stage.join("pyproject.toml"), staged(&manifest, root))?;
    // Names by which maturin knows what belongs to the package's licence.
    fs::write(stage.join("LICENSE"), license()?)?;
    notices::write(Thing::Python, None, &stage)?;
    let out = fresh_folder("wheel")?;
    let mut maturin = Command::new(setup::maturin()?);
    maturin.args(["build", "--release", "--out"]).arg(&out).current_dir(&stage);
    command::run(maturin.env("CARGO_TARGET_DIR", std::path::absolute(workspace::target())?))?;
    let wheel = fs::read_dir(&out)?.next().context("maturin built no wheel")??.path();
    let text = unpacked(&wheel, &format!(".dist-info/licenses/{}", notices::FILE))?;
    notices::expect(&wheel, &text, &["std", "pyo3-ffi", "zstd-sys"])?;
    Ok(wheel)
}

/// The manifest, where its folder is elsewhere.
fn staged(manifest: &str, root: &Path) -> String {
    manifest.replace("\"../", &format!("\"{}/", root.display()))
}
