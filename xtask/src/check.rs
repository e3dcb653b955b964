//! `cargo xtask check`: everything about the sources that is not a test.

use anyhow::bail;

use crate::setup::{self, wasm};
use crate::{build, command, licenses, tidy};

/// Formatting, lints, the rules of `tidy`, licences, and the web's own checks. Whether generated code is fresh
/// is a test.
pub(crate) fn run() -> anyhow::Result<()> {
    command::run(&mut command::cargo(&["fmt", "--all", "--check"]))?;
    tidy::run()?;
    licenses::check()?;
    setup::web()?;
    command::run(&mut command::in_root("npm", &["run", "--silent", "check"]))?;
    if command::installed(&["clippy-driver"]).is_none() {
        bail!("clippy is missing: run `rustup component add clippy`");
    }
    if command::is_ci() {
        // The tests are compiled under its lints.
        return Ok(());
    }
    // The binary carries the web UI inside, so linting it needs one.
    build::web()?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    command::run(&mut command::cargo(&clippy))?;
    for_webassembly()
}

/// The engine compiles for WebAssembly; where the compiler is another, in a folder of its own. Parquet
/// needs a library that does not compile.
fn for_webassembly() -> anyhow::Result<()> {
    let toolchain = wasm::toolchain()?;
    let mut cargo = wasm::cargo(toolchain.as_deref());
    command::run(cargo.args(["check", "--package", "wasm"]))
}
