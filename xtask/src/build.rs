//! Builds of what people use.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::{command, setup, workspace};

/// What people get that tests of single crates need not build: queues of several machines.
const FEATURES: [&str; 2] = ["--features", "hotframe/nats"];

/// Builds the web UI, which the binary carries inside, if its sources have changed:
/// a new UI makes cargo link the binary again, which takes a minute.
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

/// Builds the web UI and then the binary, with the compiled part of the Python package beside it; gives the
/// binary's path.
pub(crate) fn hotframe() -> anyhow::Result<PathBuf> {
    web()?;
    let packages = ["--package", "hotframe", "--package", "hotframe-python"];
    command::run(command::cargo(&["build", "--release"]).args(packages).args(FEATURES))?;
    Ok(workspace::target().join("release/hotframe"))
}

/// Builds the web UI and the binary for another kind of machine; gives the binary's path.
pub(crate) fn hotframe_for(target: &str) -> anyhow::Result<PathBuf> {
    web()?;
    let build = ["build", "--release", "--package", "hotframe", "--target", target];
    command::run(command::cargo(&build).args(FEATURES))?;
    let name = if target.contains("windows") { "hotframe.exe" } else { "hotframe" };
    Ok(workspace::target().join(target).join("release").join(name))
}

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
            if !["node_modules", "dist", "dist-page", "dist-python"]
                .iter()
                .any(|built| entry.file_name() == *built)
            {
                newest = newest.max(newest_under(&entry.path())?);
            }
        }
        return Ok(newest);
    }
    modified(path)
}
