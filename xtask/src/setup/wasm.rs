//! A toolchain that compiles for WebAssembly.
//!
//! `rustup` adds the standard library for it where its server can be reached. Elsewhere the
//! distribution's own compiler and library sources make one, once, linked as the toolchain
//! `wasm-fallback` below `target/tools`: it takes the same command lines. The distribution's version
//! moves, so none is named here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use super::debian;
use crate::{command, workspace};

/// What is compiled for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

const FALLBACK: &str = "wasm-fallback";
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";

/// The argument for cargo that chooses the toolchain; none where the ordinary one will do.
pub(crate) fn toolchain() -> anyhow::Result<Option<String>> {
    if has_target(None) {
        return Ok(None);
    }
    if command::installed(&["rustup"]).is_some() {
        // Where there is no network this takes its time to fail.
        let mut add = command::in_root("timeout", &["60", "rustup", "target", "add", TARGET]);
        let is_added = add.output().is_ok_and(|output| output.status.success());
        if is_added && has_target(None) {
            return Ok(None);
        }
    }
    let argument = format!("+{FALLBACK}");
    if !has_target(Some(&argument)) {
        make()?;
    }
    if !has_target(Some(&argument)) {
        bail!("no toolchain here compiles for {TARGET}: run `rustup target add {TARGET}`");
    }
    Ok(Some(argument))
}

/// A cargo that compiles for WebAssembly, with the toolchain that [`toolchain`] gave.
pub(crate) fn cargo(toolchain: Option<&str>) -> Command {
    let mut cargo = command::in_root("cargo", &[]);
    // The cargo that runs this program would choose its own toolchain.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    cargo.args(toolchain).env("CARGO_BUILD_TARGET", TARGET);
    cargo.env("CARGO_TARGET_DIR", target_folder(toolchain));
    cargo
}

/// Where that builds: another compiler has a folder of its own.
pub(crate) fn target_folder(toolchain: Option<&str>) -> PathBuf {
    match toolchain {
        Some(_) => workspace::target().join("wasm"),
        None => workspace::target(),
    }
}

fn has_target(toolchain: Option<&str>) -> bool {
    let mut rustc = command::in_root("rustc", &[]);
    rustc.args(toolchain).args(["--print", "target-libdir", "--target", TARGET]);
    let folder = rustc.output().ok().filter(|output| output.status.success());
    let folder = folder.and_then(|output| String::from_utf8(output.stdout).ok());
    let files = folder.and_then(|folder| fs::read_dir(folder.trim()).ok());
    files.is_some_and(|mut files| files.next().is_some())
}

/// Makes the toolchain of the distribution's packages.
fn make() -> anyhow::Result<()> {
    let root = workspace::target().join("tools/wasm");
    fs::create_dir_all(root.join("packages"))?;
    unpack(&root)?;
    let rustc = wrappers(&root)?;
    standard_library(&root, &rustc)?;
    let toolchain = root.join("toolchain");
    let mut link = command::in_root("rustup", &["toolchain", "link", FALLBACK]);
    command::run(link.arg(toolchain))
}

/// Downloads the packages and unpacks them below `root`; nothing is installed.
fn unpack(root: &Path) -> anyhow::Result<()> {
    debian::update()?;
    let about = command::output(&mut command::in_root("apt-cache", &["show", "rustc-web"]))?;
    let version = about.lines().find_map(|line| line.strip_prefix("Version: "));
    let version = version.context("the distribution has no package rustc-web")?;
    let mut parts = version.splitn(3, '.');
    let (Some(major), Some(minor)) = (parts.next(), parts.next()) else {
        bail!("rustc-web has the version {version}, which was not expected");
    };
    let library = format!("libstd-rust-web-{major}.{minor}");
    let about = command::output(&mut command::in_root("apt-cache", &["show", &library]))?;
    let words = about.split(|letter: char| !letter.is_ascii_alphanumeric());
    let llvm = words
        .into_iter()
        .find(|word| word.strip_prefix("libllvm").is_some_and(|rest| rest.parse::<u32>().is_ok()));
    let llvm = llvm.with_context(|| format!("{library} needs no LLVM, which was not expected"))?;
    let names = [
        format!("rustc-web={version}"),
        library,
        format!("libstd-rust-web-dev={version}"),
        format!("rust-web-src={version}"),
        llvm.to_owned(),
    ];
    let packages = root.join("packages");
    let mut download = Command::new("apt-get");
    download.args(["download", "-qq"]).args(names).current_dir(&packages);
    command::run(&mut download)?;
    for entry in fs::read_dir(&packages)? {
        let package = entry?.path();
        if package.extension().is_some_and(|extension| extension == "deb") {
            command::run(Command::new("dpkg").arg("-x").arg(package).arg(root))?;
        }
    }
    Ok(())
}

/// Lays out a toolchain whose compiler finds its libraries; gives the compiler.
fn wrappers(root: &Path) -> anyhow::Result<PathBuf> {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let bin = root.join("toolchain/bin");
    fs::create_dir_all(&bin)?;
    let ours = command::output(&mut command::in_root("rustc", &["--print", "sysroot"]))?;
    let ours = PathBuf::from(ours.trim());
    for name in ["rustc", "rustdoc"] {
        let libraries = root.join(LIBRARIES);
        let program = root.join("usr/bin").join(name);
        let (libraries, program) = (libraries.display(), program.display());
        let text = format!("#!/bin/sh\nLD_LIBRARY_PATH='{libraries}' exec '{program}' \"$@\"\n");
        let file = bin.join(name);
        fs::write(&file, text)?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    for (to, link) in [
        (PathBuf::from("../usr/lib"), root.join("toolchain/lib")),
        (ours.join("bin/cargo"), bin.join("cargo")),
    ] {
        if fs::symlink_metadata(&link).is_err() {
            symlink(to, link)?;
        }
    }
    // The linker for WebAssembly and what it loads come with the ordinary toolchain.
    let host = "lib/rustlib/x86_64-unknown-linux-gnu";
    let mut copy = Command::new("cp");
    copy.arg("-r").arg(ours.join(host).join("bin")).arg(root.join("usr").join(host));
    command::run(&mut copy)?;
    for entry in fs::read_dir(ours.join("lib"))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("libLLVM") {
            fs::copy(entry.path(), root.join("usr/lib").join(entry.file_name()))?;
        }
    }
    Ok(bin.join("rustc"))
}

/// Compiles the standard library into the toolchain.
fn standard_library(root: &Path, rustc: &Path) -> anyhow::Result<()> {
    let empty = root.join("empty");
    fs::create_dir_all(empty.join("src"))?;
    let manifest =
        "[package]\nname = \"empty\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    fs::write(empty.join("Cargo.toml"), manifest)?;
    fs::write(empty.join("src/lib.rs"), "#![no_std]\n")?;
    let mut build = Command::new(root.join("toolchain/bin/cargo"));
    build
        .args(["build", "--release", "--target", TARGET, "--target-dir", "target"])
        .args(["-Zbuild-std=std,panic_abort,proc_macro,test", "-Zbuild-std-features=panic-unwind"])
        .current_dir(&empty)
        .env("RUSTC", rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env_remove("RUSTUP_TOOLCHAIN");
    command::run(&mut build)?;
    let built = empty.join("target").join(TARGET).join("release/deps");
    let library = root.join("usr/lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&library)?;
    for entry in fs::read_dir(built)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            fs::copy(entry.path(), library.join(name))?;
        }
    }
    Ok(())
}
