//! `cargo xtask demo`: builds everything and opens a profile.

use std::path::PathBuf;
use std::process::Command;

use crate::{build, command, workspace};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The profile to open instead of the sample.
    file: Option<PathBuf>,
}

/// Opens the profile in a browser, or prints the address where there is no display.
pub(crate) fn run(options: Options) -> anyhow::Result<()> {
    let sample = || workspace::root().join("testdata/pprof/cpu.pb.gz");
    let file = options.file.unwrap_or_else(sample);
    let (_, hotframe) = build::program()?;
    let mut hotframe = Command::new(hotframe);
    hotframe.arg("open");
    if !has_display() {
        hotframe.arg("--no-browser");
    }
    command::run(hotframe.arg(file))
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
