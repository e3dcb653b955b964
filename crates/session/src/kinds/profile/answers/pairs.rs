//! [`protocol::Request::Pairs`].

use protocol::{ErrorCode, PairsColumns, PairsParams, PairsResult, ProtocolError, Reply};

use crate::kinds::profile::convert;
use crate::kinds::profile::trees::linked::{pairs_report, role_numbered};
use crate::kinds::profile::trees::views::{linked_base, view_options};
use crate::{PairsReport, ProfileDocument};

/// Most pairs in an answer.
const MOST_PAIRS: u32 = 1_000;

pub(crate) fn pairs(
    document: &ProfileDocument,
    params: &PairsParams,
) -> Result<Reply<PairsResult, PairsColumns>, ProtocolError> {
    let options = view_options(document, &params.view)?;
    let roles = [role_numbered(document, params.first)?, role_numbered(document, params.second)?];
    if roles[0] == roles[1] {
        let message = "a pair needs two different roles";
        let hint = "The summary lists the roles of a document.";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint));
    }
    let limit = params.count.min(MOST_PAIRS) as usize;
    let PairsReport { pairs, all, totals, metric } =
        pairs_report(document, &options, roles, limit)?;
    let whole = linked_base(document, &options).map_err(convert::filter_error)?;
    let measured = totals.len() as u32;
    let columns = PairsColumns {
        value: pairs.iter().flat_map(|pair| pair.values.iter().copied()).collect(),
        pairs_total: totals,
        program_total: document
            .profile()
            .metric_ids()
            .map(|metric| whole.program_total(metric))
            .collect(),
    };
    let result = PairsResult {
        pairs: pairs.into_iter().map(|pair| pair.info).collect(),
        total_pairs: all as u32,
        metrics: measured,
        metric: metric.0,
    };
    Ok(Reply { result, columns })
}
