//! `cargo xtask codegen`: writes the TypeScript types of the protocol.

use crate::command;

/// The test that compares the generated files also writes them.
pub(crate) const FRESHNESS_TEST: [&str; 4] =
    ["test", "--package", "protocol", "generated_typescript_is_fresh"];

/// Writes what `crates/protocol` says into `web/engine`.
pub(crate) fn run() -> anyhow::Result<()> {
    command::run(command::cargo(&FRESHNESS_TEST).env("UPDATE_GENERATED", "1"))
}
