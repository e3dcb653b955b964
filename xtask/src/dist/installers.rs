//! What downloads the archives: the install script, the formula for Homebrew, and the file for containers.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};

use super::checksum::sha256;
use super::program::Program;
use super::stage::folder;
use super::version;
use crate::workspace;

/// Fills in the templates of `packaging`; gives the files.
pub(super) fn installers(program: &Program) -> anyhow::Result<Vec<PathBuf>> {
    let glibc = Program::glibc(&program.path)?;
    let readme = fs::read_to_string(workspace::root().join("README.md"))?;
    ensure!(
        program.is_trial || readme.contains(&format!("glibc {glibc} or later")),
        "the program needs glibc {glibc}, and README.md names another"
    );
    ["install.sh", "hotframe.rb", "Containerfile"]
        .into_iter()
        .map(|name| {
            let template = fs::read_to_string(workspace::root().join("packaging").join(name))?;
            let path = folder().join(name);
            fs::write(&path, filled(&template, &glibc)?)?;
            Ok(path)
        })
        .collect()
}

/// A template with the version and the hashes of archives. One that is not there yet keeps its mark.
fn filled(template: &str, glibc: &str) -> anyhow::Result<String> {
    let mut text = template.replace("@VERSION@", version()).replace("@GLIBC@", glibc);
    // One that is not there yet keeps its mark, which the script takes for none.
    let marks: Vec<String> = text
        .split("@SHA256:")
        .skip(1)
        .map(|rest| rest.split_once('@').map(|(target, _)| target.to_owned()))
        .collect::<Option<_>>()
        .context("a mark has no end")?;
    for target in marks {
        let archive = folder().join(format!("hotframe-{}-{target}.tar.xz", version()));
        if archive.is_file() {
            text = text.replace(&format!("@SHA256:{target}@"), &sha256(&archive)?);
        }
    }
    if text.contains("@VERSION@") {
        bail!("a template is not filled in");
    }
    Ok(text)
}
