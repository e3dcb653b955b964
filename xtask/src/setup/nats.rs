//! A NATS server for the tests of the queue: one program.
//!
//! Distributions keep old ones for long, and the client needs a server that is newer than those. So the
//! package of a later release is downloaded with lists of packages of its own and unpacked; nothing is
//! installed, and the system's own lists stay as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::debian;
use crate::{command, workspace};

const NAME: &str = "nats-server";
/// Major and minor version.
const OLDEST: (u32, u32) = (2, 10);
/// The release of Debian whose server is new enough.
const RELEASE: &str = "trixie";
/// The keys of Debian's releases, where they are kept.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The path of a server that is new enough; gets one into `target/tools` where that is possible.
pub(super) fn server() -> anyhow::Result<PathBuf> {
    // Tests run in folders of their own.
    let ours = std::path::absolute(workspace::target().join("tools").join(NAME))?;
    for program in [Some(ours.clone()), command::installed(&[NAME])].into_iter().flatten() {
        if is_new_enough(&program) {
            return Ok(program);
        }
    }
    let (major, minor) = OLDEST;
    if ["apt-get", "dpkg"].iter().any(|tool| command::installed(&[tool]).is_none()) {
        bail!("{NAME} is missing: install version {major}.{minor} or later");
    }
    let folder = ours.with_file_name("nats");
    let package = download(&folder).with_context(|| {
        format!("{NAME} {major}.{minor} or later is missing, and cannot be had from {RELEASE}")
    })?;
    command::run(Command::new("dpkg").arg("-x").arg(package).arg(&folder))?;
    // Whole or not at all: the next run looks for it.
    fs::rename(folder.join("usr/sbin").join(NAME), &ours)?;
    fs::remove_dir_all(&folder)?;
    if !is_new_enough(&ours) {
        bail!("the {NAME} of {RELEASE} does not run here: install {major}.{minor} or later");
    }
    Ok(ours)
}

/// Whether this is a server, and not too old.
fn is_new_enough(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").output();
    let output = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    output.as_deref().and_then(version).is_some_and(|version| version >= OLDEST)
}

/// Major and minor number of `nats-server: v2.10.27`.
fn version(output: &str) -> Option<(u32, u32)> {
    let mut numbers = output.trim().rsplit_once('v')?.1.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Downloads the package into a new folder; gives its file.
fn download(folder: &Path) -> anyhow::Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for part in ["state/lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(folder.join(part))?;
    }
    // apt takes relative names for names below the root.
    let folder = fs::canonicalize(folder)?;
    let signed =
        if Path::new(KEYS).exists() { format!(" [signed-by={KEYS}]") } else { String::new() };
    let sources = folder.join("sources.list");
    fs::write(&sources, format!("deb{signed} {} {RELEASE} main\n", mirror()?))?;
    let apt_get = || {
        let mut apt_get = Command::new("apt-get");
        apt_get.current_dir(&folder).arg("-qq");
        let places = [
            ("Dir::Etc::sourcelist", sources.as_path()),
            ("Dir::Etc::sourceparts", Path::new("/dev/null")),
            ("Dir::State", &folder.join("state")),
            ("Dir::Cache", &folder.join("cache")),
        ];
        for (option, place) in places {
            apt_get.arg("-o").arg(format!("{option}={}", place.display()));
        }
        // The user that apt downloads as may not write here.
        apt_get.args(["-o", "APT::Sandbox::User=root"]);
        apt_get
    };
    command::run(apt_get().arg("update"))?;
    command::run(apt_get().args(["download", NAME]))?;
    for entry in fs::read_dir(&folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "deb") {
            return Ok(file);
        }
    }
    bail!("apt-get downloaded no package")
}

/// Where this machine gets Debian's packages from.
fn mirror() -> anyhow::Result<String> {
    let targets = || {
        let wanted =
            ["--format", "$(RELEASE) $(REPO_URI)", "Origin: Debian", "Created-By: Packages"];
        let mut list = Command::new("apt-get");
        command::output(list.arg("indextargets").args(wanted))
    };
    let find = |targets: &str| {
        // Releases with more words are of updates alone.
        let mut lines = targets.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(release, _)| !release.contains('-')).map(|(_, place)| place.to_owned())
    };
    if let Some(mirror) = find(&targets()?) {
        return Ok(mirror);
    }
    // Where no list was ever downloaded, apt knows no origins.
    debian::update()?;
    find(&targets()?).context("this machine gets no packages of Debian")
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_read() {
        assert_eq!(super::version("nats-server: v2.10.27\n"), Some((2, 10)));
        assert_eq!(super::version("nats-server: v2.9.10"), Some((2, 9)));
        assert_eq!(super::version("something else"), None);
    }
}
