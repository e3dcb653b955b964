//! `hotframe record merge`: several manifests as one.

use std::path::Path;

use anyhow::Result;
use record::Manifest;

use super::series::folder_of;
use crate::arguments::MergeRecordings;
use crate::commands::output::write_output;

pub(super) fn merge(arguments: &MergeRecordings) -> Result<()> {
    // That of `-` is where this runs.
    let folder = folder_of(arguments.output.parent().unwrap_or(Path::new("")));
    let merged = Manifest::merged(&arguments.manifests, &folder)?;
    write_output(&arguments.output, |out| Ok(out.write_all(&merged.bytes())?))
}
