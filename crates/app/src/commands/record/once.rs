//! One run, which is opened.

use std::io::IsTerminal as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use record::{Before, Place, RecordOptions, Series, Status};

use super::ending::Signals;
use super::series::folder_of;
use super::{ask, messages};
use crate::arguments::QuickRecording;

/// A command under perf, to be looked at.
pub(super) fn quick(arguments: &QuickRecording) -> Result<Option<Status>> {
    let asked = ask::quick(arguments, ask::name_of(&arguments.command, arguments.process.pid)?);
    once(&asked, arguments.output.as_deref(), "perf.data", !arguments.no_open)
}

/// One run, which is opened.
pub(super) fn once(
    asked: &RecordOptions,
    output: Option<&Path>,
    ending: &str,
    is_opened: bool,
) -> Result<Option<Status>> {
    let file = match output {
        Some(file) if file.as_os_str() == "-" => {
            bail!("a recording is a file, and standard output is the command's: name one with -o")
        }
        Some(file) => file.to_owned(),
        None => record::free_name(Path::new(""), &asked.name, ending),
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let place = Place { folder: folder_of(folder), file: Some(file), before: Before::Replace };
    let signals = Signals::new()?;
    let mut series = Series::new(asked, place)?;
    messages::findings(&series.plan().findings)?;
    let status = series.run(&signals)?;
    messages::recorded(&series)?;
    let is_seen = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    if is_seen && is_opened {
        for file in series.recordings() {
            open(&file)?;
        }
    }
    Ok(status)
}

/// A process of its own serves the page, so that Ctrl+C ends it as always.
fn open(file: &Path) -> Result<()> {
    let own = std::env::current_exe().context("cannot find this program")?;
    Command::new(own).arg("open").arg("--").arg(file).status().context("cannot open the page")?;
    Ok(())
}
