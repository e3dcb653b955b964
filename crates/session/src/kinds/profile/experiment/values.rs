//! The values of all functions in each run.

use std::sync::Arc;

use analysis::experiment::{GroupValues, RunQuantity};
use analysis::{Collapse, Order};
use protocol::{ErrorCode, ProtocolError};

use super::runs::runs_of_experiment;
use crate::kept::Question;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::trees::views::{filtered_by, frame_keys};

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
pub(super) fn values_of_functions(
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
