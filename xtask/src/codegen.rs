//! `cargo xtask codegen`: writes the TypeScript types of the protocol and the list of formats.

use crate::{command, workspace};

/// The test that compares the generated files also writes them.
const FRESHNESS_TEST: [&str; 4] =
    ["test", "--package", "protocol", "generated_typescript_is_fresh"];

/// Writes what `crates/protocol` says into `web/engine`, and what the formats say of themselves
/// into `docs/formats.md`.
pub(crate) fn run() -> anyhow::Result<()> {
    command::run(command::cargo(&FRESHNESS_TEST).env("UPDATE_GENERATED", "1"))?;
    let mut list = command::cargo(&["run", "--quiet", "--package", "hotframe", "--"]);
    let output = list.args(["formats", "--format", "markdown"]).output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(workspace::root().join("docs/formats.md"), output.stdout)?;
    Ok(())
}
