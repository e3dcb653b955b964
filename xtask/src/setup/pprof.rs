//! The newest `go tool pprof`: what it says of a profile, the readers must say too.
//!
//! Go's sources contain pprof and all that pprof depends on.

use std::path::PathBuf;

use super::go;
use crate::{command, workspace};

/// Builds `target/tools/pprof` if it is not there, and gives its path.
pub(super) fn build() -> anyhow::Result<PathBuf> {
    let pprof = workspace::target().join("tools/pprof");
    if pprof.exists() {
        return Ok(pprof);
    }
    let root = go::root()?;
    // pprof's dependencies are in the folder `vendor` beside it: no network.
    let mut build = go::command(&root);
    build
        .args(["build", "-o"])
        .arg(&pprof)
        .arg("./pprof")
        .current_dir(root.join("src/cmd"))
        .env("GOFLAGS", "-mod=vendor");
    command::run(&mut build)?;
    Ok(pprof)
}
