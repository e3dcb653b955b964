//! What a search finds, and what filters keep.

use analysis::{FrameKey, Pattern, Search, matching_frames, matching_keys};
use protocol::{
    FilterEffect, FiltersResult, FindColumns, FindParams, FindResult, NamedKey, ProtocolError,
    Reply, SearchColumns, SearchParams, SearchResult, ViewParams,
};

use super::nodes::{metric_of, node_of};
use crate::kinds::pattern_error;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::filter_effects::{effects, filter_notes};
use crate::kinds::profile::trees::views::{
    filtered_by, flat_by, frame_keys, view_of, view_options,
};
use crate::{ProfileDocument, ViewOptions, lock};

/// Most functions that a search names.
const MOST_TOP: usize = 300;

pub(crate) fn search(
    document: &ProfileDocument,
    params: &SearchParams,
) -> Result<Reply<SearchResult, SearchColumns>, ProtocolError> {
    let options = view_options(document, &params.view)?;
    let pattern = Pattern::search(&params.pattern).map_err(pattern_error)?;
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    let keys = frame_keys(document, options.granularity);
    let metric = filtered.base_metric(metric_of(&params.view));
    let search = Search::new(&filtered, &keys, &pattern, metric);
    let options = ViewOptions { metric, ..options };
    let flat = flat_by(document, &options).map_err(convert::filter_error)?;
    let total = |key: FrameKey| flat.of(key).1;
    let present = |key: &FrameKey| search.keys[key.index()] && flat.of(*key) != (0, 0);
    let mut found: Vec<FrameKey> = keys.all().filter(present).collect();
    found.sort_by_key(|&key| (std::cmp::Reverse(total(key).saturating_abs()), key));
    let matches = found.len() as u32;
    found.truncate(MOST_TOP);
    let name = |key: FrameKey| keys.label(document.profile(), key).into_owned();
    let columns = SearchColumns {
        matched: vec![search.matched, filtered.program_total(metric)],
        top: found.iter().map(|&key| total(key)).collect(),
    };
    let top = found.into_iter().map(|key| NamedKey { key: key.0, name: name(key) }).collect();
    let whole = columns.matched[1];
    let has_share = whole != 0 && document.profile().adds_up(document.profile().metric(metric));
    let share = has_share.then(|| search.matched as f64 / (whole as f64).abs());
    let (list_metric, estimated) = (metric.0, search.is_estimated);
    let result = SearchResult { matches, top, list_metric, share, estimated };
    Ok(Reply { result, columns })
}

/// Most frames that one question finds.
const MOST_FOUND: u32 = 10_000;

/// Where the frames that match stand in the flame graph; those of `frames`, by frame, where it is given.
pub(crate) fn find(
    document: &ProfileDocument,
    params: &FindParams,
    frames: Option<Vec<bool>>,
) -> Result<Reply<FindResult, FindColumns>, ProtocolError> {
    let pattern = Pattern::search(&params.pattern).map_err(pattern_error)?;
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let root = node_of(&view, &tree, params.instance, params.root)?;
    let frames = frames.unwrap_or_else(|| matching_frames(tree.filtered(), &pattern));
    let matching = matching_keys(tree.keys(), &frames);
    let marks = tree.mark_frames(frames);
    let most = params.limit.min(MOST_FOUND) as usize;
    let found = layout::find(&mut tree, root, &marks, most, |tree, node| {
        node != root && tree.is_frame(node) && matching[tree.node(node).key.index()]
    });
    let columns = FindColumns {
        node: found.places.iter().map(|place| place.node.0).collect(),
        row: found.places.iter().map(|place| place.row).collect(),
        x: found.places.iter().map(|place| place.x).collect(),
        width: found.places.iter().map(|place| place.width).collect(),
    };
    Ok(Reply { result: FindResult { instance: view.instance, more: found.more }, columns })
}

pub(crate) fn filters(
    document: &ProfileDocument,
    params: &ViewParams,
) -> Result<Reply<FiltersResult>, ProtocolError> {
    let options = view_options(document, &params.view)?;
    let filters = effects(document, &options)?
        .into_iter()
        .map(|effect| FilterEffect { kept: effect.kept, matched: effect.matched })
        .collect();
    let groups = document.comparison().map(|comparing| &comparing.groups);
    let runs = match groups.filter(|groups| groups.are_members()) {
        Some(groups) => {
            let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
            Some(groups.kept(filtered.parts()).map(|runs| runs as u32))
        }
        None => None,
    };
    let notes = filter_notes(document, &options)?;
    Ok(Reply::from(FiltersResult { filters, runs, notes }))
}
