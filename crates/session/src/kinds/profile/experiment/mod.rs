//! Experiments: profiles whose members ran in several conditions.
//!
//! ```text
//! Runs, found once a document --+-- matrix       what a quantity was in each cell
//! a quantity, a value a run ----+-- effects      what factors do, apart and together
//!                               +-- differences  which functions make the difference
//!                               \-- history      a quantity by the levels of one factor
//! ```
//! A quantity is a figure of whole runs, a metric of what filters leave of them, or a function in that
//! metric. Filters say nothing about figures of whole runs.

mod differences;
mod effects;
mod failures;
mod history;
mod matrix;
mod quantity;
mod sides;

use std::sync::Arc;

use analysis::experiment::{GroupValues, RunQuantity, Runs};
use analysis::{Collapse, Order};
use protocol::{ErrorCode, ProtocolError};

use super::convert;
use crate::kept::Question;
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::trees::views::{filtered_by, frame_keys};

pub use differences::{DifferenceReport, DifferenceRow, OnlyRow, differences};
pub use effects::{EffectReport, factor_effects};
pub use failures::{Trouble, TroubledRun, troubled_runs};
pub use history::{HistoryLine, HistoryReport, HistoryStep, history};
pub use matrix::{Matrix, MatrixCell, matrix};
pub use quantity::{
    Measured, Quantity, function_named, measured, ratio_interval, ratio_text, usual_quantity,
    zero_note,
};

/// A difference is believed if at most this share of those that are is there by chance.
pub const BELIEVED: f64 = 0.05;

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

/// What values of functions in each run depend on.
#[derive(PartialEq, Eq, Hash)]
struct ValuesOfFunctions {
    view: ViewOptions,
    is_own: bool,
}

impl Question for ValuesOfFunctions {
    type Answer = GroupValues;
    const KEPT: usize = 4;
}

/// The values of all functions in each run.
fn values_of_functions(
    document: &ProfileDocument,
    options: &ViewOptions,
    which: RunQuantity,
) -> Result<Arc<GroupValues>, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    if document.is_derived(options.metric) {
        let name = document.metrics().swap_remove(options.metric.index()).name;
        let message = format!("values of {name} do not add up, so functions have none");
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Choose a metric that was measured and adds up."));
    }
    // Neither order nor recursion matters to a value.
    let view = ViewOptions {
        order: Order::Value,
        collapse: Collapse::None,
        more_metrics: vec![],
        ..options.clone()
    };
    let question = ValuesOfFunctions { view, is_own: which == RunQuantity::Own };
    document.kept().answer(question, || {
        let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
        let keys = frame_keys(document, options.granularity);
        Ok(runs.groups(&filtered, keys.keys(), keys.len(), options.metric, which))
    })
}
