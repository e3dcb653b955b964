//! Builds of what people use.

use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};
use std::time::SystemTime;

use anyhow::anyhow;

use crate::page::{self, Effort, Page};
use crate::{command, notices, setup, workspace};

/// Builds the web UI, which the binary carries inside, if its sources have changed: a new UI makes cargo
/// compile the binary again.
pub(crate) fn web() -> anyhow::Result<()> {
    setup::web()?;
    let built = modified(&workspace::root().join("web/ui/dist/index.html"))?;
    // The page brings the Python package along.
    let sources = ["package-lock.json", "web/engine", "web/ui", "python/src"];
    let newest = newest_of(&sources.map(Path::new))?;
    if built.is_some() && built >= newest {
        return Ok(());
    }
    command::run(&mut command::in_root("npm", &["run", "--silent", "build"]))
}

/// The packages of the program: the binary, and the compiled part of the Python package beside it.
const PROGRAM: [&str; 4] = ["--package", "hotframe", "--package", "hotframe-python"];

/// Builds the web UI, the page that needs no server, and the binary with both inside; gives the page and the
/// binary's path.
pub(crate) fn program() -> anyhow::Result<(Page, PathBuf)> {
    let page = thread::scope(|scope| {
        // The binary's crate embeds the pages and little else: all else is compiled meanwhile.
        let libraries =
            scope.spawn(|| command::run(command::cargo(&["build", "--lib"]).args(PROGRAM)));
        // Packages come from a network while compilers keep the processors busy.
        let web = scope.spawn(web);
        let modules = page::modules()?;
        joined(web)?;
        let page = page::assemble(modules)?;
        notices::embed(None)?;
        joined(libraries)?;
        anyhow::Ok(page)
    })?;
    command::run(command::cargo(&["build"]).args(PROGRAM))?;
    Ok((page, workspace::target().join("debug/hotframe")))
}

/// What a thread came to.
fn joined<T>(thread: ScopedJoinHandle<'_, anyhow::Result<T>>) -> anyhow::Result<T> {
    thread.join().map_err(|_| anyhow!("a thread of the build died"))?
}

/// Builds the web UI and the binary that is distributed, for this machine or for another kind; gives its
/// path.
pub(crate) fn distributed(target: Option<&str>) -> anyhow::Result<PathBuf> {
    web()?;
    page::archive(&page::build()?, Effort::Most)?;
    notices::embed(target)?;
    let mut build = command::cargo(&["build", "--release"]);
    command::run(
        build.args(PROGRAM).args(target.map(|target| ["--target", target]).iter().flatten()),
    )?;
    let folder = target.map_or_else(workspace::target, |target| workspace::target().join(target));
    let windows = target.is_some_and(|target| target.contains("windows"));
    Ok(folder.join("release").join(if windows { "hotframe.exe" } else { "hotframe" }))
}

/// Folders of what npm installs and builds.
pub(crate) const BUILT: [&str; 7] = [
    "node_modules",
    "dist",
    "dist-archives",
    "dist-interpreter",
    "dist-page",
    "dist-parts",
    "dist-python",
];

/// When the newest of some files and folders was changed.
pub(crate) fn newest_of(sources: &[&Path]) -> io::Result<Option<SystemTime>> {
    let mut newest = None;
    for source in sources {
        newest = newest.max(newest_under(&workspace::root().join(source))?);
    }
    Ok(newest)
}

/// When a file was changed; `None` if there is none.
pub(crate) fn modified(file: &Path) -> io::Result<Option<SystemTime>> {
    match file.metadata() {
        Ok(metadata) => metadata.modified().map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// When a file, or the newest source in a folder, was changed.
fn newest_under(path: &Path) -> io::Result<Option<SystemTime>> {
    let mut newest = None;
    if path.is_dir() {
        for entry in path.read_dir()? {
            let entry = entry?;
            if !BUILT.iter().any(|built| entry.file_name() == *built) {
                newest = newest.max(newest_under(&entry.path())?);
            }
        }
        return Ok(newest);
    }
    modified(path)
}
