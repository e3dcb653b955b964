//! `cargo xtask check`: everything about the sources that is not a test.

use anyhow::bail;

use crate::test::count::Dialect;
use crate::test::runner::Runner;
use crate::{build, codegen, command, tidy};

/// Formatting, lints, the rules of `tidy`, generated code, and the web's own checks.
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
    let fresh = Runner {
        name: "generated TypeScript",
        command: command::cargo(&codegen::FRESHNESS_TEST),
        dialect: Dialect::Cargo,
    };
    if !fresh.run()?.is_success() {
        bail!("the generated TypeScript is not fresh: run `cargo xtask codegen` and commit it");
    }
    Ok(())
}
