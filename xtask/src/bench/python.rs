//! `cargo xtask bench-python`: what tracing and sampling programs of Python costs, side by side with viztracer,
//! cProfile, py-spy, memray and tracemalloc, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

use crate::{build, command, workspace};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The interpreters, such as ~/.pyenv/versions/3.12.1/bin/python3.
    #[arg(long = "interpreter", default_value = "python3")]
    interpreters: Vec<PathBuf>,
    /// A hotframe that is built already, with libhotframe_native.so beside it.
    #[arg(long)]
    hotframe: Option<PathBuf>,
}

/// Peers, and what one of the programs needs.
const PACKAGES: [&str; 4] = ["numpy", "viztracer==1.1.1", "py-spy==0.4.3", "memray==1.20.0"];

/// Prints a table in Markdown for each interpreter.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let hotframe = match &options.hotframe {
        Some(hotframe) => hotframe.canonicalize()?,
        None => build::distributed(None)?,
    };
    let folder = workspace::target().join("bench-python");
    let package = folder.join("package");
    lay_out(&hotframe, &package)?;
    let script = workspace::root().join("xtask/src/bench/python_peers.py");
    for interpreter in &options.interpreters {
        let python = environment(interpreter, &folder)?;
        command::run(Command::new(python).arg(&script).arg(&hotframe).env("PYTHONPATH", &package))?;
    }
    Ok(())
}

/// The package with its compiled part.
fn lay_out(hotframe: &Path, package: &Path) -> anyhow::Result<()> {
    let compiled = hotframe.with_file_name("libhotframe_native.so");
    if !compiled.is_file() {
        bail!("{} is not there: build hotframe-python, too", compiled.display());
    }
    let to = package.join("hotframe");
    fs::create_dir_all(&to)?;
    for file in fs::read_dir(workspace::root().join("python/src/hotframe"))? {
        let file = file?;
        if file.path().extension().is_some_and(|ending| ending == "py") {
            fs::copy(file.path(), to.join(file.file_name()))?;
        }
    }
    fs::copy(compiled, to.join("_native.abi3.so"))?;
    Ok(())
}

/// The interpreter of an environment that has the peers, as far as there are any for it.
fn environment(interpreter: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let asks = "import sys; print(*sys.version_info[:3], sep='.')";
    let told = Command::new(interpreter).args(["-c", asks]).output()?;
    let version = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    if version.is_empty() {
        bail!("{} is not Python", interpreter.display());
    }
    let environment = folder.join(version);
    let python = environment.join("bin/python");
    if !python.exists() {
        command::run(Command::new(interpreter).args(["-m", "venv"]).arg(&environment))?;
        for package in PACKAGES {
            let mut install = Command::new(&python);
            install.args(["-m", "pip", "install", "--quiet", package]);
            if let Err(error) = command::run(&mut install) {
                println!("left out: {error:#}");
            }
        }
    }
    Ok(python)
}
