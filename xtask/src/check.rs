//! `cargo xtask check`: everything about the sources that is not a test.

use crate::setup::wasm;
use crate::{build, command, tidy, workspace};

/// Formatting, lints, the rules of `tidy`, and the web's own checks. Whether generated code is fresh
/// is a test.
pub(crate) fn run() -> anyhow::Result<()> {
    command::run(&mut command::cargo(&["fmt", "--all", "--check"]))?;
    let fuzz = ["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"];
    command::run(&mut command::cargo(&fuzz))?;
    tidy::run()?;
    // The binary carries the web UI inside, so linting it needs one.
    build::web()?;
    command::run(&mut command::in_root("npm", &["run", "--silent", "check"]))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    command::run(&mut command::cargo(&clippy))?;
    for_webassembly()
}

/// The engine compiles for WebAssembly; where the compiler is another, in a folder of its own. Parquet
/// needs a library that does not compile.
fn for_webassembly() -> anyhow::Result<()> {
    let toolchain = wasm::toolchain()?;
    let mut cargo = command::in_root("cargo", &[]);
    // The cargo that runs this program would choose its own toolchain.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    cargo.args(&toolchain).args(["check", "--package", "session", "--no-default-features"]);
    cargo.args(["--target", wasm::TARGET]);
    if toolchain.is_some() {
        cargo.arg("--target-dir").arg(workspace::target().join("wasm"));
    }
    command::run(&mut cargo)
}
