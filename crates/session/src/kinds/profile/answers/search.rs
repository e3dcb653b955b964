//! [`protocol::Request::Search`] and [`protocol::Request::Filters`].

use analysis::{Filtered, Pattern, Search};
use protocol::{
    FilterEffect, FiltersResult, NamedKey, ProtocolError, Reply, SearchColumns, SearchParams,
    SearchResult, ViewParams,
};

use super::metric_of;
use crate::kinds::profile::convert;
use crate::{ProfileDocument, ViewOptions};

/// Most functions that a search names.
const MOST_TOP: usize = 300;

pub(crate) fn search(
    document: &ProfileDocument,
    params: &SearchParams,
) -> Result<Reply<SearchResult, SearchColumns>, ProtocolError> {
    let options = document.options(&params.view)?;
    let pattern = Pattern::new(&params.pattern).map_err(convert::pattern_error)?;
    let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
    let keys = document.keys(options.granularity);
    let metric = filtered.base_metric(metric_of(&params.view));
    let search = Search::new(&filtered, &keys, &pattern, metric);
    let options = ViewOptions { metric, ..options };
    let flat = document.flat(&options).map_err(convert::filter_error)?;
    let present = |key: u32| {
        search.keys[key as usize]
            && (flat.total_value[key as usize] != 0 || flat.self_value[key as usize] != 0)
    };
    let mut found: Vec<u32> = (0..keys.len() as u32).filter(|&key| present(key)).collect();
    found.sort_by_key(|&key| {
        (std::cmp::Reverse(flat.total_value[key as usize].saturating_abs()), key)
    });
    let matches = found.len() as u32;
    found.truncate(MOST_TOP);
    let name = |key: u32| keys.label(document.profile(), key).into_owned();
    let columns = SearchColumns {
        matched: vec![search.matched, filtered.program_total(metric)],
        top: found.iter().map(|&key| flat.total_value[key as usize]).collect(),
    };
    let top = found.into_iter().map(|key| NamedKey { key, name: name(key) }).collect();
    Ok(Reply { result: SearchResult { matches, top }, columns })
}

pub(crate) fn filters(
    document: &ProfileDocument,
    params: &ViewParams,
) -> Result<Reply<FiltersResult>, ProtocolError> {
    let options = document.options(&params.view)?;
    let effects = Filtered::effects(
        document.profile(),
        &options.filters,
        options.drop_frames,
        document.base_metric(options.metric),
        options.role.is_some(),
    )
    .map_err(convert::filter_error)?;
    let filters = effects
        .into_iter()
        .map(|effect| FilterEffect { kept: effect.kept, matched: effect.matched })
        .collect();
    Ok(Reply::from(FiltersResult { filters }))
}
