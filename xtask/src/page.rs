//! `cargo xtask page`: the engine as WebAssembly, and the page that has it inside and needs no server.
//! It is there twice: what a page begins with leaves out what is rarely needed.

mod archives;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

pub(crate) use self::archives::{Effort, write as archive};
use crate::notices::{self, Thing};
use crate::setup::wasm;
use crate::{build, command, setup, workspace};

/// Where npm builds the page.
const BUILT: &str = "web/ui/dist-page";

/// The last file that npm writes: a part that is built into the binary, which makes reports of it.
const LAST: &str = "web/ui/dist-parts/page.html.gz";

/// What was built.
pub(crate) struct Page {
    /// The whole engine as WebAssembly.
    pub(crate) module: PathBuf,
    /// The one that a page begins with.
    pub(crate) first_module: PathBuf,
    /// The page with both inside, and what stands beside it.
    pub(crate) folder: PathBuf,
}

/// Builds the page and puts it where it can be taken from.
pub(crate) fn run() -> anyhow::Result<()> {
    let Page { folder, .. } = build()?;
    let out = workspace::target().join("dist/page");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("cannot remove {}", out.display()))?;
    }
    fs::create_dir_all(&out)?;
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        fs::copy(entry.path(), out.join(entry.file_name()))?;
    }
    notices::write(Thing::Page, None, &out)?;
    let page = out.join("index.html");
    notices::expect(&page, &fs::read_to_string(&page)?, &["serde", "preact", "pyodide"])?;
    println!("\n{}: any web server serves it, and browsers open it as a file", out.display());
    Ok(())
}

/// Builds the page, if what it is made of has changed.
pub(crate) fn build() -> anyhow::Result<Page> {
    setup::web()?;
    assemble(modules()?)
}

/// Compiles both engines: the whole one, and the one that a page begins with.
pub(crate) fn modules() -> anyhow::Result<[PathBuf; 2]> {
    Ok([module("wasm")?, module("wasm-first")?])
}

/// Builds the page of the engines, if what it is made of has changed.
pub(crate) fn assemble([module, first_module]: [PathBuf; 2]) -> anyhow::Result<Page> {
    let folder = workspace::root().join(BUILT);
    let built = build::modified(&workspace::root().join(LAST))?;
    let sources = build::newest_of(&[
        Path::new("package-lock.json"),
        Path::new("web/engine"),
        Path::new("web/ui"),
        Path::new("python"),
        &module,
        &first_module,
    ])?;
    if built.is_none() || built < sources {
        let mut npm = command::in_root("npm", &["run", "--silent", "build:page"]);
        npm.env("HOTFRAME_WASM", &module).env("HOTFRAME_WASM_FIRST", &first_module);
        // The page has notices inside, of which this program knows when the bundle is known.
        npm.env("HOTFRAME_XTASK", command::own_program()?);
        command::run(&mut npm)?;
    }
    let page = Page { module, first_module, folder };
    archive(&page, Effort::Little)?;
    Ok(page)
}

/// Compiles an engine; gives the module.
fn module(package: &str) -> anyhow::Result<PathBuf> {
    let toolchain = wasm::toolchain()?;
    let target = wasm::target_folder(toolchain.as_deref());
    let mut cargo = wasm::cargo(toolchain.as_deref());
    // Tests link the same crate as a library.
    cargo.args(["rustc", "--profile", "page", "--package", package, "--crate-type", "cdylib"]);
    command::run(&mut cargo)?;
    let file = format!("page/{}.wasm", package.replace('-', "_"));
    Ok(target.join(wasm::TARGET).join(file))
}
