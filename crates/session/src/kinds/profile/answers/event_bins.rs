//! [`protocol::Request::EventBins`].

use analysis::{BinAxis, EventsBy};
use protocol::{
    ErrorCode, EventBinsColumns, EventBinsParams, EventBinsResult, ProtocolError, Reply,
};

use super::lanes::untimed;
use crate::ProfileDocument;
use crate::kinds::profile::events::{BinsQuery, Division, event_timeline};
use crate::kinds::profile::pictures::charts::extent;
use crate::kinds::profile::trees::views::view_options;

pub(crate) fn event_bins(
    document: &ProfileDocument,
    params: &EventBinsParams,
) -> Result<Reply<EventBinsResult, EventBinsColumns>, ProtocolError> {
    let by: EventsBy =
        params.by.parse().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error))?;
    let sets =
        params.sets.parse().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error))?;
    let options = view_options(document, &params.view)?;
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let bins = params.bins as usize;
    let asked = BinsQuery {
        by,
        event: params.event.clone(),
        division: if params.is_progress { Division::MostParts(bins) } else { Division::Most(bins) },
        sets,
        most_groups: params.groups as usize,
    };
    let timeline = event_timeline(document, &options, &asked)?;
    let (begin, width) = match timeline.axis {
        BinAxis::Time(grid) => (grid.begin.saturating_sub(origin) as f64, grid.cell as f64),
        BinAxis::Progress(bins) => (0.0, 1.0 / bins as f64),
    };
    let cells = &timeline.cells;
    let columns = EventBinsColumns {
        value: cells.iter().map(|cell| cell.value.unwrap_or(f64::NAN)).collect(),
        samples: cells.iter().map(|cell| cell.samples).collect(),
        error: cells.iter().map(|cell| cell.error.unwrap_or(f64::NAN)).collect(),
        enough: cells.iter().map(|cell| u8::from(cell.is_enough)).collect(),
    };
    let bins = timeline.axis.bins() as u32;
    let (groups, places): (Vec<String>, Vec<_>) = timeline.groups.into_iter().unzip();
    let result = EventBinsResult {
        name: timeline.name,
        unit: timeline.unit.as_ref().map(|unit| unit.unit.clone()),
        decimals: timeline.unit.as_ref().map_or(0, |unit| unit.decimals),
        better: timeline.better.map(|better| better.name().to_owned()),
        groups,
        places: places.into_iter().map(|place| place.map(|(_, number)| number)).collect(),
        sets: timeline.sets,
        runs: timeline.runs,
        begin,
        width,
        bins,
        notes: timeline.notes,
    };
    Ok(Reply { result, columns })
}
