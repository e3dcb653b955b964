//! [`protocol::ProfileRequest::Estimates`].

use protocol::{EstimateInfo, EstimatesResult, ProtocolError, Reply, ViewParams};

use crate::ProfileDocument;
use crate::kinds::profile::document::switched_off;
use crate::kinds::profile::trees::views::{frame_keys, view_options};

pub(crate) fn estimates(
    document: &ProfileDocument,
    params: &ViewParams,
) -> Result<Reply<EstimatesResult>, ProtocolError> {
    let options = view_options(document, &params.view)?;
    let keys = frame_keys(document, options.granularity);
    let found = switched_off::of_keys(document.profile(), &keys);
    let rows = found.iter().map(|(key, one)| EstimateInfo {
        key: key.0,
        measured: one.estimate.is_some(),
        text: switched_off::sentence(one),
    });
    Ok(Reply::from(EstimatesResult { rows: rows.collect() }))
}
