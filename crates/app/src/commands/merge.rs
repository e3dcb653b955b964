//! `hotframe merge`.

use anyhow::{Result, bail};

use super::convert;
use crate::arguments::Merge;

/// Writes many profiles as one.
pub(crate) fn merge(arguments: &Merge) -> Result<()> {
    let Merge { files, output, writing, limits } = arguments;
    if output.is_dir() {
        bail!("{} is a folder; name a file to write", output.display());
    }
    convert::write(files, output, convert::target(output, writing)?, writing, limits)
}
