//! Runs that are read, and what is told of them.

use std::path::PathBuf;

use anyhow::Result;
use session::{EventReport, ProfileDocument, ViewOptions, filter_notes, without_failed};

use crate::arguments::{EventView, Limits, ViewArguments};
use crate::commands::filters::check_names;
use crate::commands::notes::{tell_notes, tell_warnings, view_warnings};
use crate::{reading, settings};

/// Runs that were read, and what is to be known of it.
pub(super) struct Runs {
    pub(super) document: ProfileDocument,
    pub(super) options: ViewOptions,
    pub(super) warnings: Vec<String>,
}

pub(super) fn read(files: &[PathBuf], view: &EventView) -> Result<Runs> {
    let runs = read_by(files, &view.limits, &view.view_options, None)?;
    check_names(&[&runs.document], &runs.options.filters, "--")?;
    Ok(runs)
}

/// The same; as a side of a comparison without runs that failed, which is told.
pub(super) fn read_by(
    files: &[PathBuf],
    limits: &Limits,
    view: &ViewArguments,
    side: Option<&str>,
) -> Result<Runs> {
    let mut document = reading::read(files, limits)?;
    tell_warnings(&document)?;
    let mut notes = vec![];
    if let Some(side) = side
        && let Some(left) = without_failed(&document, side)?
    {
        document = left.document;
        document.define_fitting(&settings::formulas()?);
        notes.push(left.note);
    }
    tell_notes(&notes)?;
    let mut options = reading::view_options(&document, view)?;
    options.role = None;
    tell_notes(&filter_notes(&document, &options)?)?;
    let warnings = [view_warnings(&document, &options)?, notes].concat();
    Ok(Runs { document, options, warnings })
}

/// Tells what is to be known of reports.
pub(super) fn tell_notes_of<'a>(
    reports: impl IntoIterator<Item = &'a EventReport>,
) -> Result<Vec<String>> {
    let notes: Vec<String> = reports.into_iter().flat_map(|one| one.notes.clone()).collect();
    tell_notes(&notes)?;
    Ok(notes)
}
