//! The runs of a document.

use std::sync::Arc;

use analysis::experiment::Runs;
use protocol::{ErrorCode, ProtocolError};

use crate::kept::Question;
use crate::kinds::profile::document::profile_document::ProfileDocument;

#[derive(PartialEq, Eq, Hash)]
struct RunsOf;

impl Question for RunsOf {
    type Answer = Option<Arc<Runs>>;
    const KEPT: usize = 1;
}

/// The runs, if the document is an experiment; a comparison is none.
pub fn experiment_runs(document: &ProfileDocument) -> Option<Arc<Runs>> {
    let runs = document.kept().made(RunsOf, || match document.comparison() {
        Some(_) => None,
        None => Runs::new(document.profile()).map(Arc::new),
    });
    (*runs).clone()
}

/// The runs.
///
/// # Errors
/// The document is not an experiment.
pub fn runs_of_experiment(document: &ProfileDocument) -> Result<Arc<Runs>, ProtocolError> {
    experiment_runs(document).ok_or_else(|| {
        let message = format!("{} is not the result of an experiment", document.title());
        let hint = "Its members do not say what they ran with. `hotframe experiment run` makes profiles that do.";
        ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
    })
}
