//! [`protocol::Request::Heat`].

use analysis::HeatGrid;
use protocol::{ErrorCode, HeatColumns, HeatParams, HeatResult, ProtocolError, Reply};

use super::lanes::untimed;
use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::pictures::charts::extent;
use crate::kinds::profile::trees::views::{filtered_by, view_options};

/// Most stretches in an answer.
const MOST_CELLS: u32 = 1_000_000;

pub(crate) fn heat(
    document: &ProfileDocument,
    params: &HeatParams,
) -> Result<Reply<HeatResult, HeatColumns>, ProtocolError> {
    let bad = |message: String| ProtocolError::new(ErrorCode::BadRequest, message);
    let sound = params.from.is_finite() && params.cell.is_finite();
    if !sound || params.cell < 1.0 || params.cells == 0 || params.cells > MOST_CELLS {
        let message = "a heat map needs 1 to a million stretches of a nanosecond at least";
        return Err(bad(message.into()));
    }
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let options = view_options(document, &params.view)?;
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    let begin = origin.saturating_add(params.from.round() as i64);
    let grid = HeatGrid { begin, cell: params.cell.round() as i64, cells: params.cells as usize };
    let Some(heat) = analysis::heat(&filtered, options.metric, grid) else {
        let metric = &document.metrics()[options.metric.index()].name;
        return Err(bad(format!(
            "values of {metric} do not add up over time: choose another metric"
        )));
    };
    let result = HeatResult { outside: heat.outside, untimed: heat.untimed };
    Ok(Reply { result, columns: HeatColumns { value: heat.values } })
}
