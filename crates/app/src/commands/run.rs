//! `hotframe run`: Python scripts over profiles.

#[cfg(target_os = "linux")]
mod handed_on;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};

use crate::arguments::Run;
use crate::{host, python_package};

/// Runs a script; its exit code is this one's.
pub(crate) fn run(arguments: &Run) -> Result<ExitCode> {
    host::check(&arguments.files)?;
    let script = &arguments.script;
    if !script.is_file() {
        bail!("cannot open {}: it is not a file", script.display());
    }
    if let Some(output) = &arguments.output {
        check_name(output)?;
    }
    if let Some(output) = &arguments.output
        && output.exists()
        && !output.is_file()
    {
        bail!("cannot write {}: it is not a file", output.display());
    }
    let folder = tempfile::Builder::new().prefix("hotframe-run-").tempdir()?;
    python_package::lay_out(folder.path())?;
    let shown = folder.path().join("shown.hotframe");
    let code = start(arguments, folder.path(), &shown)?;
    let was_shown = shown.is_file();
    if code == ExitCode::SUCCESS && !was_shown && (arguments.output.is_some() || arguments.open) {
        bail!("{} has shown nothing: a script shows a profile by .show()", script.display());
    }
    if code != ExitCode::SUCCESS || !was_shown {
        return Ok(code);
    }
    if let Some(output) = &arguments.output {
        fs::copy(&shown, output).with_context(|| format!("cannot write {}", output.display()))?;
    } else if arguments.open {
        return open(&shown);
    }
    Ok(code)
}

/// What is shown is written in Hotframe's own format: a name of another one would tell a lie.
fn check_name(output: &Path) -> Result<()> {
    let name = output.to_string_lossy();
    if let Some(format) = session::format_for_file_name(&name)
        && format.name != "hotframe"
    {
        bail!(
            "{} is a name of {} files, and what scripts show is written as .hotframe: bring it into the \
             other format by `hotframe convert`",
            session::visible(&name),
            format.title
        );
    }
    Ok(())
}

fn start(arguments: &Run, folder: &Path, shown: &Path) -> Result<ExitCode> {
    let program = std::env::current_exe().context("this program is not to be found")?;
    let paths = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let paths = std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty());
    let paths = std::env::join_paths([folder.to_owned()].into_iter().chain(paths))?;
    let mut python = Command::new(&arguments.python);
    python.args(["-m", "hotframe._run"]).arg(shown).arg(&arguments.script);
    python.args(&arguments.files).env("PYTHONPATH", paths).env("HOTFRAME_ENGINE", program);
    if !(arguments.open || arguments.output.is_some()) {
        python.env("HOTFRAME_RUN_KEEPS", "0");
    }
    let mut python = python.spawn().with_context(|| {
        let python = arguments.python.display();
        format!("cannot start {python}: --python names an interpreter")
    })?;
    #[cfg(target_os = "linux")]
    let _told = handed_on::to(&python)?;
    let status = python.wait()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Serves what was shown, which is there as long as that takes.
fn open(shown: &Path) -> Result<ExitCode> {
    let program = std::env::current_exe().context("this program is not to be found")?;
    let status = Command::new(program).arg("open").arg(PathBuf::from(shown)).status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
