//! What Hotframe hands out, and its notices.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use flate2::{Compression, GzBuilder};

use super::package::Package;
use super::{crates, npm, text};
use crate::setup::wasm;
use crate::workspace;

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// What is handed out; it must have been built.
    thing: Thing,
    /// The Rust target that it is for; this machine's by default.
    #[arg(long)]
    target: Option<String>,
}

/// Something that is handed out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Thing {
    /// The page without a server, and reports, which are made of it.
    Page,
    /// The binary.
    Program,
    /// The VS Code extension with the binary inside.
    Extension,
    /// The VS Code extension for browsers.
    WebExtension,
    /// The Python package.
    Python,
}

/// What the file is called in packages.
pub(crate) const FILE: &str = "NOTICES.txt";

/// What the binary has inside, among the parts of the page.
const EMBEDDED: &str = "web/ui/dist-parts/notices.txt.gz";

/// A part of the page that is built only with WebAssembly.
const PAGE: &str = "web/ui/dist-parts/page.html.gz";

/// Prints the notices.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let text = notices(options.thing, options.target.as_deref())?;
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// The notices of a thing that was built.
fn notices(thing: Thing, target: Option<&str>) -> anyhow::Result<String> {
    let packages = match thing {
        Thing::Page => page()?,
        Thing::Program => program(target)?,
        Thing::Extension => [program(target)?, npm::bundled(&["extension", "panel"])?].concat(),
        Thing::WebExtension => [page()?, npm::bundled(&["web-extension"])?].concat(),
        Thing::Python => crates::linked("hotframe-python", target)?,
    };
    Ok(text::text(&packages.into_iter().collect()))
}

fn page() -> anyhow::Result<Vec<Package>> {
    let mut packages = crates::linked("wasm", Some(wasm::TARGET))?;
    packages.extend(npm::bundled(&["page", "page-worker", "python", "editor"])?);
    Ok(packages)
}

fn program(target: Option<&str>) -> anyhow::Result<Vec<Package>> {
    let mut packages = crates::linked("hotframe", target)?;
    packages.extend(npm::bundled(&["served", "notebook", "python", "editor"])?);
    if workspace::root().join(PAGE).exists() {
        packages.extend(page()?);
    }
    Ok(packages)
}

/// Puts the notices of the binary where it is compiled from, unless they are there.
pub(crate) fn embed(target: Option<&str>) -> anyhow::Result<()> {
    let text = notices(Thing::Program, target)?;
    let mut gzip = GzBuilder::new().write(vec![], Compression::best());
    gzip.write_all(text.as_bytes())?;
    let packed = gzip.finish()?;
    let file = workspace::root().join(EMBEDDED);
    // A new file links the binary again.
    if fs::read(&file).is_ok_and(|old| old == packed) {
        return Ok(());
    }
    println!("notices of the program: {} kB, gzip {} kB", text.len() / 1000, packed.len() / 1000);
    fs::create_dir_all(file.parent().context("a file has a folder")?)?;
    fs::write(&file, packed).with_context(|| format!("cannot write {}", file.display()))
}

/// Writes the notices into a folder that is packed.
pub(crate) fn write(thing: Thing, target: Option<&str>, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join(FILE);
    fs::write(&file, notices(thing, target)?)
        .with_context(|| format!("cannot write {}", file.display()))
}

/// Fails unless the text of something that was packed has notices of these packages.
pub(crate) fn expect(packed: &Path, text: &str, packages: &[&str]) -> anyhow::Result<()> {
    let has = |name: &&&str| text.lines().any(|line| line.starts_with(&format!("{name} ")));
    if let Some(missing) = packages.iter().find(|name| !has(name)) {
        bail!("{} has no notice of {missing}: see xtask/src/notices", packed.display());
    }
    Ok(())
}
