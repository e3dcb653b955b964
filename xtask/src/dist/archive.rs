//! The program as an archive, and as a package for Debian.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::program::Program;
use super::stage::{copy, folder, fresh_folder};
use super::version;
use crate::{command, notices, workspace};

/// All times in archives, so that the same files give the same archive.
const TIME: &str = "@1767225600";

/// Makes `hotframe-VERSION-TARGET.tar.xz`; gives its path.
pub(super) fn archive(program: &Program) -> anyhow::Result<PathBuf> {
    let name = format!("hotframe-{}-{}", version(), program.platform.rust);
    let stage = fresh_folder("archive")?;
    let top = stage.join(&name);
    fs::create_dir_all(top.join("bin"))?;
    let file = program.path.file_name().context("the program has no name")?;
    copy(&program.path, &top.join("bin").join(file))?;
    copy(&program.usr, &top)?;
    copy(&workspace::root().join("CHANGELOG.md"), &top.join("share/doc/hotframe/CHANGELOG.md"))?;
    let archive = folder().join(format!("{name}.tar.xz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime", TIME])
        .args(["--mode=u+rwX,go+rX,go-w", "-cJf"])
        .arg(&archive)
        .arg(&name);
    command::run(
        tar.env("XZ_OPT", if program.is_trial { "-0" } else { "-9e" }).current_dir(&stage),
    )?;
    Ok(archive)
}

/// Makes `hotframe_VERSION_PROCESSOR.deb`; gives its path, or nothing for a processor that Debian has not.
pub(super) fn deb(program: &Program) -> anyhow::Result<Option<PathBuf>> {
    let Some(processor) = program.platform.debian() else { return Ok(None) };
    let stage = fresh_folder("deb")?;
    fs::create_dir_all(stage.join("usr/bin"))?;
    copy(&program.path, &stage.join("usr/bin/hotframe"))?;
    copy(&program.usr, &stage.join("usr"))?;
    let docs = stage.join("usr/share/doc/hotframe");
    fs::write(docs.join("copyright"), copyright(&docs)?)?;
    fs::remove_file(docs.join("LICENSE-MIT"))?;
    fs::remove_file(docs.join("LICENSE-APACHE"))?;
    copy(&workspace::root().join("CHANGELOG.md"), &docs.join("changelog"))?;
    let manuals = stage.join("usr/share/man/man1");
    command::run(Command::new("gzip").args(["-9nrf"]).arg(manuals))?;
    command::run(
        Command::new("gzip").arg("-9nf").arg(docs.join("changelog")).arg(docs.join(notices::FILE)),
    )?;
    let size = size_of(&stage)?.div_ceil(1024);
    let sums = "mkdir DEBIAN && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums";
    command::run(Command::new("sh").args(["-euc", sums]).current_dir(&stage))?;
    let (version, glibc) = (version(), Program::glibc(&program.path)?);
    let control = format!(
        "Package: hotframe\nVersion: {version}\nArchitecture: {processor}\n\
         Maintainer: The Hotframe authors <hotframe@users.noreply.github.com>\n\
         Installed-Size: {size}\nDepends: libc6 (>= {glibc}), libgcc-s1\nSuggests: linux-perf, bubblewrap, valgrind\n\
         Section: devel\nPriority: optional\nHomepage: https://github.com/hotframe/hotframe\n\
         Description: viewer for profiles and traces\n \
         Hotframe opens what profilers measured, in 46 formats, and shows where a\n \
         program spends its time and memory: in the browser, in the terminal and\n \
         beside the code.\n"
    );
    fs::write(stage.join("DEBIAN/control"), control)?;
    command::run(Command::new("chmod").args(["-R", "u+rwX,go+rX,go-w"]).arg(&stage))?;
    let package = folder().join(format!("hotframe_{version}_{processor}.deb"));
    let mut build = Command::new("dpkg-deb");
    build
        .args(["--root-owner-group", "-Zxz"])
        .arg(if program.is_trial { "-z0" } else { "-z9" })
        .args(["-Sextreme", "--build"])
        .arg(&stage)
        .arg(&package);
    // Times in the package, so that the same files give the same package.
    command::run(build.env("SOURCE_DATE_EPOCH", TIME.trim_start_matches('@')))?;
    Ok(Some(package))
}

/// The licences, in the form of Debian.
fn copyright(docs: &Path) -> anyhow::Result<String> {
    let mut text = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
                    Upstream-Name: Hotframe\nSource: https://github.com/hotframe/hotframe\n\
                    Comment: NOTICES.txt.gz has the licences of the packages inside.\n\n\
                    Files: *\nCopyright: 2026 The Hotframe authors\nLicense: MIT or Apache-2.0\n"
        .to_owned();
    for (name, file) in [("MIT", "LICENSE-MIT"), ("Apache-2.0", "LICENSE-APACHE")] {
        text += &format!("\nLicense: {name}\n");
        for line in fs::read_to_string(docs.join(file))?.lines() {
            text += &format!(" {}\n", if line.trim().is_empty() { "." } else { line });
        }
    }
    Ok(text)
}

/// Bytes of all files of a folder.
fn size_of(folder: &Path) -> anyhow::Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        size += if metadata.is_dir() { size_of(&entry.path())? } else { metadata.len() };
    }
    Ok(size)
}
