//! The Python package as a wheel: the package, its compiled tracer, and the program.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::checksum::sha256_of;
use super::program::Program;
use super::stage::{copy, folder, fresh_folder, license, unpacked};
use super::{platform, version};
use crate::notices::{self, Thing};
use crate::{command, setup, workspace};

/// Builds the wheel with a program inside; gives its path.
pub(super) fn wheel(program: &Program) -> anyhow::Result<PathBuf> {
    let built = tracer(program)?;
    let mut old = ZipArchive::new(File::open(&built)?)?;
    let native = fresh_folder("wheel-native")?.join("native.so");
    let glibc = {
        let name = old.file_names().flatten().find(|name| name.ends_with(".so"));
        let name = name.context("the wheel has no compiled part")?.into_owned();
        let mut bytes = vec![];
        old.by_name(&name)?.read_to_end(&mut bytes)?;
        fs::write(&native, bytes)?;
        newest(&Program::glibc(&native)?, &Program::glibc(&program.path)?)
    };
    let tag =
        format!("cp38-abi3-manylinux_{}_{}", glibc.replace('.', "_"), program.platform.machine());
    let version = version();
    let path = folder().join(format!("hotframe-{version}-{tag}.whl"));
    let level = if program.is_trial { 1 } else { 9 };
    let mut new =
        Wheel { archive: ZipWriter::new(File::create(&path)?), record: String::new(), level };
    let info = format!("hotframe-{version}.dist-info");
    for at in 0..old.len() {
        let mut file = old.by_index(at)?;
        let name = file.name()?.into_owned();
        if name == format!("{info}/RECORD") || file.is_dir() {
            continue;
        }
        let mode = file.unix_mode().unwrap_or(0o644);
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        if name == format!("{info}/WHEEL") {
            let text = String::from_utf8(bytes)?;
            let kept = text.lines().filter(|line| !line.starts_with("Tag: "));
            bytes = kept.map(|line| format!("{line}\n")).collect::<String>().into_bytes();
            writeln!(bytes, "Tag: {tag}")?;
        }
        new.add(&name, mode, &bytes)?;
    }
    let data = format!("hotframe-{version}.data");
    new.add(&format!("{data}/scripts/hotframe"), 0o755, &fs::read(&program.path)?)?;
    for part in ["lib", "share/man"] {
        for (name, bytes) in files_below(&program.usr.join(part))? {
            new.add(&format!("{data}/data/{part}/{name}"), 0o644, &bytes)?;
        }
    }
    new.finish(&info)?;
    Ok(path)
}

/// A wheel that is written, and the list of what is in it.
struct Wheel {
    archive: ZipWriter<File>,
    record: String,
    /// How hard to compress, from 1 to 9.
    level: i64,
}

impl Wheel {
    fn add(&mut self, name: &str, mode: u32, bytes: &[u8]) -> anyhow::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(self.level))
            .unix_permissions(mode);
        self.archive.start_file(name, options)?;
        self.archive.write_all(bytes)?;
        let hash = URL_SAFE_NO_PAD.encode(sha256_of(bytes));
        Ok(writeln!(self.record, "{name},sha256={hash},{}", bytes.len())?)
    }

    fn finish(mut self, info: &str) -> anyhow::Result<()> {
        let name = format!("{info}/RECORD");
        writeln!(self.record, "{name},,")?;
        self.archive.start_file(name, SimpleFileOptions::default())?;
        self.archive.write_all(self.record.as_bytes())?;
        self.archive.finish()?;
        Ok(())
    }
}

/// Builds the package with its tracer alone; gives the path of that wheel.
fn tracer(program: &Program) -> anyhow::Result<PathBuf> {
    let root = workspace::root();
    let stage = fresh_folder("python")?;
    for part in ["README.md", "src/hotframe"] {
        let to = stage.join(part);
        fs::create_dir_all(to.parent().context("a part has a folder")?)?;
        copy(&root.join("python").join(part), &to)?;
    }
    let readme = stage.join("README.md");
    fs::write(&readme, with_whole_links(&fs::read_to_string(&readme)?))?;
    let manifest = fs::read_to_string(root.join("python/pyproject.toml"))?;
    fs::write(stage.join("pyproject.toml"), staged(&manifest, root))?;
    // Names by which maturin knows what belongs to the package's licence.
    fs::write(stage.join("LICENSE"), license()?)?;
    copy(&program.usr.join("share/doc/hotframe").join(notices::FILE), &stage.join(notices::FILE))?;
    append_notices_of_the_tracer(&stage)?;
    let out = fresh_folder("wheel")?;
    let mut maturin = Command::new(setup::maturin()?);
    maturin.args(["build", "--release", "--compatibility", "linux", "--out"]).arg(&out);
    if program.platform.node != platform::platform(None)?.node {
        maturin.args(["--target", program.platform.rust]);
    }
    maturin.current_dir(&stage);
    command::run(maturin.env("CARGO_TARGET_DIR", std::path::absolute(workspace::target())?))?;
    let wheel = fs::read_dir(&out)?.next().context("maturin built no wheel")??.path();
    let text = unpacked(&wheel, &format!(".dist-info/licenses/{}", notices::FILE))?;
    notices::expect(&wheel, &text, &["std", "pyo3-ffi", "zstd-sys", "preact"])?;
    Ok(wheel)
}

/// The program's notices say nothing of what the tracer alone has inside.
fn append_notices_of_the_tracer(stage: &Path) -> anyhow::Result<()> {
    let file = stage.join(notices::FILE);
    let program = fs::read_to_string(&file)?;
    notices::write(Thing::Python, None, stage)?;
    let tracer = fs::read_to_string(&file)?;
    let text =
        format!("In the program:\n\n{program}\n\nIn the compiled part of the package:\n\n{tracer}");
    Ok(fs::write(file, text)?)
}

/// The manifest, where its folder is elsewhere.
fn staged(manifest: &str, root: &Path) -> String {
    manifest.replace("\"../", &format!("\"{}/", root.display()))
}

/// A text of the folder `python` whose links lead to the repository.
fn with_whole_links(text: &str) -> String {
    let files = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main");
    text.replace("](../", &format!("]({files}/"))
        .replace("](examples", &format!("]({files}/python/examples"))
}

/// The newer of two versions of glibc.
fn newest(one: &str, other: &str) -> String {
    let minor =
        |version: &str| version.rsplit('.').next().and_then(|text| text.parse::<u32>().ok());
    if minor(one) >= minor(other) { one.to_owned() } else { other.to_owned() }
}

/// All files below a folder, by their paths in it, sorted.
fn files_below(folder: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = vec![];
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name =
                    path.strip_prefix(folder)?.to_str().context("a name that is not text")?;
                files.push((name.to_owned(), fs::read(&path)?));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{newest, with_whole_links};

    #[test]
    fn links_lead_to_the_repository() {
        let readme = with_whole_links(include_str!("../../../python/README.md"));
        let links: Vec<&str> = readme.split("](").skip(1).collect();
        assert!(!links.is_empty());
        assert!(links.iter().all(|link| link.starts_with("https://")), "{links:?}");
    }

    #[test]
    fn versions_are_numbers() {
        assert_eq!(newest("2.9", "2.34"), "2.34");
        assert_eq!(newest("2.28", "2.17"), "2.28");
    }
}
