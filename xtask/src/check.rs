//! `cargo xtask check`: everything about the sources that is not a test.

use std::thread;

use anyhow::anyhow;

use crate::setup::{self, wasm};
use crate::{build, command, page, test, tidy};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Install and build meanwhile what the tests need.
    #[arg(long)]
    setup: bool,
}

/// Formatting, lints, the rules of `tidy`, and the web's own checks. Whether generated code is fresh
/// is a test.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    command::run(&mut command::cargo(&["fmt", "--all", "--check"]))?;
    tidy::run()?;
    // The binary carries the web UI inside, so linting it needs one.
    build::web()?;
    command::run(&mut command::in_root("npm", &["run", "--silent", "check"]))?;
    thread::scope(|scope| {
        let rest = scope.spawn(move || {
            if options.setup {
                setup::everything()?;
                // That compiles the engine for WebAssembly, too.
                return page::build().map(drop);
            }
            for_webassembly()
        });
        command::run(&mut test::compiled()?)?;
        rest.join().map_err(|_| anyhow!("the thread of the rest died"))?
    })
}

/// The engine compiles for WebAssembly; where the compiler is another, in a folder of its own. Parquet
/// needs a library that does not compile.
fn for_webassembly() -> anyhow::Result<()> {
    let toolchain = wasm::toolchain()?;
    let mut cargo = wasm::cargo(toolchain.as_deref());
    command::run(cargo.args(["check", "--package", "wasm"]))
}
