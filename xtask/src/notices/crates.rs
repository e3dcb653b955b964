//! The crates of others that are linked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;

use super::files;
use super::package::Package;
use crate::command;

/// The crates that a package of ours is linked with on a target: no macros, no build scripts, no tests.
pub(super) fn linked(package: &str, target: Option<&str>) -> anyhow::Result<Vec<Package>> {
    let host;
    let target = if let Some(target) = target {
        target
    } else {
        host = host_target()?;
        &host
    };
    let mut tree = command::cargo(&["tree", "--locked", "--package", package, "--target", target]);
    tree.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    let tree = command::output(&mut tree)?;
    let names: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
    let mut metadata = command::cargo(&["metadata", "--locked", "--format-version", "1"]);
    let metadata = command::output(metadata.args(["--filter-platform", target]))?;
    let metadata: Metadata = serde_json::from_str(&metadata).context("cargo metadata")?;
    let is_linked = |one: &&Described| {
        one.source.is_some() && names.contains(&(one.name.as_str(), one.version.as_str()))
    };
    let mut packages = vec![standard_library()?];
    for one in metadata.packages.iter().filter(is_linked) {
        packages.push(one.package().with_context(|| format!("{} {}", one.name, one.version))?);
    }
    Ok(packages)
}

/// Of a line `name v1.0.0`, behind which stands whatever else is to be known.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

fn host_target() -> anyhow::Result<String> {
    let version = command::output(&mut command::in_root("rustc", &["--version", "--verbose"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say what it runs on")?.to_owned())
}

/// What all crates are linked with.
fn standard_library() -> anyhow::Result<Package> {
    let license = "MIT OR Apache-2.0".to_owned();
    Ok(Package {
        name: "std".to_owned(),
        version: "(Rust's standard library)".to_owned(),
        texts: files::standard(&license, "the Rust Project contributors")?,
        license,
        repository: "https://github.com/rust-lang/rust".to_owned(),
    })
}

/// What `cargo metadata` says.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    version: String,
    source: Option<String>,
    license: Option<String>,
    license_file: Option<PathBuf>,
    repository: Option<String>,
    homepage: Option<String>,
    authors: Vec<String>,
    manifest_path: PathBuf,
}

impl Described {
    fn package(&self) -> anyhow::Result<Package> {
        let folder = self.manifest_path.parent().unwrap_or(Path::new(""));
        let license = self.license.clone().context("it names no licence")?;
        let named = self.license_file.as_deref();
        Ok(Package {
            name: self.name.clone(),
            version: self.version.clone(),
            texts: files::of_package(folder, named, &license, &self.authors)?,
            license,
            repository: self.repository.clone().or(self.homepage.clone()).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_has_what_it_links_and_no_more() {
        let packages = linked("hotframe-python", None).unwrap();
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        for linked in ["std", "pyo3-ffi", "zstd-sys", "libc"] {
            assert!(names.contains(&linked), "{linked}: {names:?}");
        }
        // For build scripts, for other crates, and our own.
        assert!(
            !names.contains(&"cc") && !names.contains(&"clap") && !names.contains(&"calltrace")
        );
        let zstd = packages.iter().find(|package| package.name == "zstd-sys").unwrap();
        // The C code that it brings has a licence of its own.
        assert!(!zstd.texts.iter().any(|text| text.text.contains("GNU GENERAL")));
        assert!(zstd.texts.iter().any(|text| text.text.contains("Meta Platforms")));
        assert!(packages.iter().all(|package| !package.texts.is_empty()));
    }
}
