//! [`protocol::ProfileRequest::FindMark`].

use profile::TrackId;
use protocol::{ErrorCode, FindMarkParams, FindMarkResult, ProtocolError};
use work::steps;

use super::lanes::untimed;
use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::lists::after;
use crate::kinds::profile::pictures::charts::extent;
use crate::kinds::profile::trees::views::filtered_profile;

pub(crate) fn find_mark(
    document: &ProfileDocument,
    params: &FindMarkParams,
) -> Result<FindMarkResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let filters = convert::filters(&params.view.filters);
    let filtered = filtered_profile(document, &filters, true).map_err(convert::filter_error)?;
    let timeline = &profile.timeline;
    let mut found: Vec<(i64, u32)> = vec![];
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        let of = &timeline.tracks[track.index()];
        for row in steps("finding marks", timeline.marks.of_track(track)) {
            let mark = timeline.marks.get(track, row);
            if profile.text(mark.kind) == params.kind && filtered.keeps_time(of, mark.time) {
                found.push((timeline.track_on_axis(track, mark.time), track.0));
            }
        }
    }
    found.sort_unstable();
    let count = found.len() as f64;
    let from = origin.saturating_add(params.from.round() as i64);
    let next = match (params.behind, params.back) {
        (Some(track), false) => found.partition_point(|&one| one <= (from, track)),
        (None, false) => found.partition_point(|&(time, _)| time < from),
        (Some(track), true) => {
            (found.partition_point(|&one| one < (from, track)) + found.len()).saturating_sub(1)
        }
        (None, true) => {
            (found.partition_point(|&(time, _)| time < from) + found.len()).saturating_sub(1)
        }
    };
    let next = next % found.len().max(1);
    let Some(&(time, track)) = found.get(next) else {
        let message = format!("there is no mark {} that the filters keep", params.kind);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    };
    Ok(FindMarkResult { count, at: next as f64, track, time: after(origin, time) })
}
