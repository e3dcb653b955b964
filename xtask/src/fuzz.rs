//! `cargo xtask fuzz`: throws made-up bytes at the readers.

use std::process::{Command, Stdio};

use anyhow::bail;

use crate::{command, setup, workspace};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The target to run, a format or `sdfg`, `sdfg-report`, `hpctoolkit-database`; all of them if
    /// none is named.
    target: Option<String>,
    /// How long to run each target.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Runs the targets one after the other until one finds a fault.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let list = command::output(&mut command::cargo(&[
        "run",
        "--quiet",
        "--package",
        "fuzz",
        "--bin",
        "targets",
    ]))?;
    let targets: Vec<(&str, &str)> =
        list.lines().filter_map(|line| line.split_once('\t')).collect();
    let is_wanted = |name| options.target.as_deref().is_none_or(|target| target == name);
    let wanted: Vec<_> = targets.iter().filter(|(name, _)| is_wanted(*name)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = targets.iter().map(|&(name, _)| name).collect();
        bail!("no such target; there are {}", names.join(", "));
    }
    check_nightly()?;
    setup::cpp_compiler()?;
    install_cargo_fuzz()?;
    for (name, seeds) in wanted {
        // What libFuzzer finds goes into the first folder, the second is only read.
        let found = workspace::root().join("fuzz/corpus").join(name);
        std::fs::create_dir_all(&found)?;
        let mut fuzz = nightly_cargo(&["fuzz", "run", "--features", "libfuzzer", "target"]);
        fuzz.env("HOTFRAME_FUZZ_TARGET", name);
        fuzz.arg(&found).arg(workspace::root().join("testdata").join(seeds));
        fuzz.arg("--").arg(format!("-max_total_time={}", options.seconds));
        // A quarter of a megabyte holds every sample; ten seconds are a hang.
        fuzz.args(["-max_len=262144", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]);
        command::run(&mut fuzz)?;
    }
    Ok(())
}

/// A nightly cargo that finds the tools in `target/tools`.
fn nightly_cargo(arguments: &[&str]) -> Command {
    let mut cargo = command::in_root("rustup", &["run", "nightly", "cargo"]);
    let mut path = vec![workspace::target().join("tools/bin")];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    if let Ok(path) = std::env::join_paths(path) {
        cargo.env("PATH", path);
    }
    // Cargo sets these for the programs that it runs, and they are about that cargo.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").args(arguments);
    cargo
}

fn check_nightly() -> anyhow::Result<()> {
    let mut version = nightly_cargo(&["--version"]);
    let status = version.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !status.is_ok_and(|status| status.success()) {
        bail!("fuzzing needs a nightly toolchain: run `rustup toolchain install nightly`");
    }
    Ok(())
}

fn install_cargo_fuzz() -> anyhow::Result<()> {
    let tools = workspace::target().join("tools");
    if tools.join("bin/cargo-fuzz").exists() {
        return Ok(());
    }
    let mut install = command::cargo(&["install", "cargo-fuzz", "--locked", "--root"]);
    command::run(install.arg(tools))
}
