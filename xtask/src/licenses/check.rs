//! The checks of crates and of npm packages.

use std::process::Command;

use anyhow::Context as _;

use super::{advisories, npm};
use crate::{command, setup};

/// Checks all crates and the npm packages that are not mere tools.
pub(crate) fn check() -> anyhow::Result<()> {
    advisories::lay_out()?;
    // cargo-deny does not: it would look for advisories, too.
    command::run(&mut command::cargo(&["fetch", "--locked", "--quiet"]))?;
    command::run(deny()?.args(["--locked", "check"]).args(CHECKS)).context(
        "a crate is refused, see above: use another, update it (`cargo update -p NAME`), or allow it in \
         deny.toml with the reason",
    )?;
    npm::check()
}

pub(super) const CHECKS: [&str; 4] =
    ["--hide-inclusion-graph", "licenses", "sources", "advisories"];

/// cargo-deny, which fetches nothing.
pub(super) fn deny() -> anyhow::Result<Command> {
    Ok(command::in_root(&setup::deny()?.display().to_string(), &["--offline"]))
}
