//! `cargo xtask codegen`: writes the TypeScript types of the protocol, colours and the list of formats.

use crate::{command, workspace};

/// The tests that compare the generated files also write them.
const FRESHNESS_TESTS: [[&str; 4]; 2] = [
    ["test", "--package", "protocol", "generated_typescript_is_fresh"],
    ["test", "--package", "session", "are_fresh"],
];

/// Writes what `crates/protocol` says into `web/engine`, the colours of frames into `web/ui`, and
/// what the formats say of themselves into `docs/formats.md`.
pub(crate) fn run() -> anyhow::Result<()> {
    for test in &FRESHNESS_TESTS {
        command::run(command::cargo(test).env("UPDATE_GENERATED", "1"))?;
    }
    let mut list = command::cargo(&["run", "--quiet", "--package", "hotframe", "--"]);
    let output = list.args(["formats", "--format", "markdown"]).output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(workspace::root().join("docs/formats.md"), output.stdout)?;
    Ok(())
}
