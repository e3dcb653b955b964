//! `hotframe experiment init`: a plan to begin with.

use anyhow::{Context as _, Result, bail};
use experiment::TEMPLATE;

use crate::arguments::ExperimentInit;

/// Writes a plan to begin with, unless there is something.
pub(super) fn init(arguments: &ExperimentInit) -> Result<()> {
    use std::io::Write as _;
    let file = &arguments.file;
    if file.as_os_str() == "-" {
        return Ok(crate::text::stdout().write_all(TEMPLATE.as_bytes())?);
    }
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(file);
    match made {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} exists already: name another file, or remove it", file.display())
        }
        made => {
            let mut made = made.with_context(|| format!("cannot write {}", file.display()))?;
            made.write_all(TEMPLATE.as_bytes())?;
        }
    }
    let mut out = crate::text::stderr();
    writeln!(out, "hotframe: {} is written: hotframe experiment run {0}", file.display())?;
    Ok(())
}
