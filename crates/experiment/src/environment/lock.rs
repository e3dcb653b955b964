//! From requirements to every package with its version and its hashes.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use jobs::Key;
use serde::Deserialize;

use super::tool::{self, Installer};
use crate::folders::Scratch;
use crate::interpreter::bounded_output;
use crate::{Error, Folders, Interpreter};

/// What requirements became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Locked {
    /// As pip writes requirements.
    pub(crate) text: String,
    /// Whether it was known before.
    pub(crate) is_known: bool,
}

/// A package in a version as a matrix says it; none where it is left out.
pub(crate) fn requirement(package: &str, level: &str) -> Option<String> {
    match level.trim() {
        "" | "none" => None,
        level if level.starts_with(['<', '>', '=', '!', '~']) => Some(format!("{package}{level}")),
        level if level.contains('/') => Some(format!("{package} @ {level}")),
        level => Some(format!("{package}=={level}")),
    }
}

/// What is to be locked.
pub(crate) struct Wanted<'a> {
    /// As pip writes them.
    pub(crate) requirements: &'a [String],
    /// Folders with packages, besides the index.
    pub(crate) find_links: &'a [PathBuf],
    /// See [`EnvironmentSpec::wheels_only`](super::EnvironmentSpec::wheels_only).
    pub(crate) wheels_only: bool,
}

/// Locks requirements for an interpreter. What was locked before stays so: delete the file in the
/// folder `locks` to have newer versions.
pub(crate) fn lock(
    &Wanted { requirements, find_links, wheels_only }: &Wanted<'_>,
    interpreter: &Interpreter,
    installer: &Installer,
    folders: &Folders,
) -> Result<Locked, Error> {
    if requirements.is_empty() {
        return Ok(Locked { text: String::new(), is_known: true });
    }
    if wheels_only {
        tool::check_wheels(requirements.iter().flat_map(|text| text.lines()))?;
    }
    let minor: Vec<&str> = interpreter.version.split('.').take(2).collect();
    let links: Vec<_> = find_links.iter().map(|folder| folder.to_string_lossy()).collect();
    let parts = [
        "lock 1".to_owned(),
        requirements.join("\n"),
        links.join("\n"),
        interpreter.implementation.clone(),
        minor.join("."),
        std::env::consts::ARCH.to_owned(),
        if wheels_only { "wheels".to_owned() } else { String::new() },
    ];
    let name = Key::new(parts.join("\0").as_bytes());
    let file = folders.locks().join(format!("{name}.txt"));
    if let Ok(text) = fs::read_to_string(&file) {
        return Ok(Locked { text, is_known: true });
    }
    fs::create_dir_all(folders.locks()).map_err(Error::writing(&folders.locks()))?;
    let scratch = Scratch::below(&folders.locks(), &format!("{name}.{}", std::process::id()))?;
    let asked = scratch.path().join("requirements.txt");
    fs::write(&asked, requirements.join("\n")).map_err(Error::writing(&asked))?;
    let what = format!(
        "{} is not available for Python {}",
        requirements.join(" with "),
        interpreter.version
    );
    let text = match installer {
        Installer::Uv(uv) => {
            let mut command = Command::new(uv);
            command.args(["pip", "compile", "--quiet", "--generate-hashes", "--no-header"]);
            command.args(["--no-annotate", "--python"]).arg(&interpreter.program);
            if wheels_only {
                tool::wheels_only(&mut command);
            }
            tool::links(&mut command, find_links);
            let text = tool::run(command.arg(&asked), &what)?;
            String::from_utf8_lossy(&text).into_owned()
        }
        Installer::Pip => {
            let mut command = tool::python(&interpreter.program, "pip");
            command.args([
                "install",
                "--dry-run",
                "--ignore-installed",
                "--quiet",
                "--report",
                "-",
            ]);
            if wheels_only {
                tool::wheels_only(&mut command);
            }
            tool::links(&mut command, find_links);
            let report = tool::run(command.arg("-r").arg(&asked), &what)?;
            of_report(&report, interpreter)?
        }
    };
    let partial = scratch.path().join("lock.txt");
    fs::write(&partial, &text).map_err(Error::writing(&partial))?;
    fs::rename(&partial, &file).map_err(Error::writing(&file))?;
    Ok(Locked { text, is_known: false })
}

#[derive(Deserialize)]
struct Report {
    install: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    metadata: Metadata,
    download_info: Download,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    version: String,
}

#[derive(Deserialize)]
struct Download {
    url: String,
    archive_info: Option<Archive>,
}

#[derive(Deserialize)]
struct Archive {
    #[serde(default)]
    hashes: BTreeMap<String, String>,
}

/// From pip's installation report (<https://pip.pypa.io/en/stable/reference/installation-report/>).
fn of_report(report: &[u8], interpreter: &Interpreter) -> Result<String, Error> {
    let report: Report = serde_json::from_slice(report).map_err(|error| Error::Tool {
        program: "pip install --report".to_owned(),
        output: error.to_string(),
        what: "this pip writes no reports: 22.2 or newer does, and uv is faster".to_owned(),
    })?;
    let mut lines: Vec<String> = vec![];
    for Item { metadata, download_info } in report.install {
        let hashes = download_info.archive_info.map(|archive| archive.hashes).unwrap_or_default();
        // Older ones leave out those of files of this machine.
        let hash = match hashes.get("sha256") {
            Some(hash) => Some(hash.clone()),
            None => hash_of(&download_info.url, interpreter),
        };
        let Some(hash) = hash else {
            return Err(Error::refused(
                format!("{} comes from {} and has no hash", metadata.name, download_info.url),
                "what is not an archive cannot be locked: name a version, or a wheel",
            ));
        };
        let Metadata { name, version } = metadata;
        lines.push(format!("{name}=={version} --hash=sha256:{hash}"));
    }
    lines.sort();
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// The SHA-256 of a file of this machine, as the interpreter tells it.
fn hash_of(url: &str, interpreter: &Interpreter) -> Option<String> {
    const ASK: &str = "import sys, hashlib, urllib.parse\n\
        path = urllib.parse.unquote(urllib.parse.urlparse(sys.argv[1]).path)\n\
        print(hashlib.sha256(open(path, 'rb').read()).hexdigest())";
    url.strip_prefix("file://")?;
    let mut command = Command::new(&interpreter.program);
    command.args(["-I", "-S", "-c", ASK, url]);
    let told = bounded_output(&mut command, Duration::from_secs(60)).ok()?;
    Some(String::from_utf8_lossy(&told).trim().to_owned()).filter(|hash| hash.len() == 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_become_requirements() {
        let of = |level| requirement("numpy", level);
        assert_eq!(of("2.2.1").as_deref(), Some("numpy==2.2.1"));
        assert_eq!(of(">=2,<3").as_deref(), Some("numpy>=2,<3"));
        assert_eq!(of("file:///x.whl").as_deref(), Some("numpy @ file:///x.whl"));
        assert_eq!((of("none"), of("")), (None, None));
    }

    #[test]
    fn reports_of_pip_become_locks() {
        let report = br#"{"version": "1", "install": [
            {"metadata": {"name": "b", "version": "2"}, "download_info": {"url": "u", "archive_info": {"hashes": {"sha256": "cd"}}}},
            {"metadata": {"name": "a", "version": "1.0"}, "download_info": {"url": "u", "archive_info": {"hashes": {"sha256": "ab"}}}}]}"#;
        let python = Interpreter::meant("python3", std::path::Path::new("")).unwrap();
        assert_eq!(
            of_report(report, &python).unwrap(),
            "a==1.0 --hash=sha256:ab\nb==2 --hash=sha256:cd\n"
        );
        let folder = br#"{"install": [{"metadata": {"name": "b", "version": "2"}, "download_info": {"url": "file:///b"}}]}"#;
        assert!(of_report(folder, &python).unwrap_err().to_string().contains("has no hash"));
        assert!(of_report(b"x", &python).is_err());
    }
}
