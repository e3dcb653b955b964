//! `cargo xtask check`: everything about the sources that is not a test.

use crate::{build, command, tidy};

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
    Ok(())
}
