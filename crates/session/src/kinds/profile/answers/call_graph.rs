//! Functions and their calls as a drawn graph.

use std::cmp::Reverse;

use analysis::{CallGraph, Edge, FlatValues, FrameKey, NO_VALUE};
use layout::CallNode;
use protocol::{
    CallGraphColumns, CallGraphParams, CallGraphResult, ErrorCode, ProtocolError, Reply,
};

use super::functions::info;
use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::lists::functions::Changes;
use crate::kinds::profile::pictures::appearance::appearance;
use crate::kinds::profile::pictures::colours::Measured;
use crate::kinds::profile::trees::values::is_measured;
use crate::kinds::profile::trees::views::{filtered_by, flat_by, frame_keys, view_options};

/// Most functions that are drawn: more cannot be read, and take long to place.
const MOST_NODES: u32 = 300;
/// Most calls that are drawn.
const MOST_EDGES: usize = 2_000;

pub(crate) fn call_graph(
    document: &ProfileDocument,
    params: &CallGraphParams,
) -> Result<Reply<CallGraphResult, CallGraphColumns>, ProtocolError> {
    let shares = [params.least_node, params.least_edge];
    if !shares.iter().all(|share| (0.0..=1.0).contains(share)) {
        let message = "the least shares of functions and calls are from 0 to 1";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let options = view_options(document, &params.view)?;
    if document.is_derived(options.metric) {
        let name = &document.metrics()[options.metric.index()].name;
        let message = format!("Values of {name} do not add up over calls.");
        let hint = "Choose a metric that was measured and adds up.";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint));
    }
    let keys = frame_keys(document, options.granularity);
    let flat = flat_by(document, &options).map_err(convert::filter_error)?;
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    let whole = filtered.program_total(options.metric);
    let cut = Cut::new(&flat, keys.all(), whole, params);
    let graph = CallGraph::new(&filtered, &keys, options.metric, None);
    let calls = Calls::between(&graph, &cut, keys.len(), params.least_edge);

    let changes = Changes::new(document, &options)?;
    let mut rows: Vec<_> =
        cut.shown.iter().map(|&key| info(document, &keys, key, changes.as_ref())).collect();
    let mut columns = CallGraphColumns::default();
    for (row, &key) in rows.iter_mut().zip(&cut.shown) {
        let (own, total) = flat.of(key);
        let change = changes.as_ref().and_then(|of| Some((of.tag(document, key)?, of.change(key))));
        let measured = Measured { own, total, change };
        let appearance = appearance(document);
        row.colours = appearance.of_measured_key(document.profile(), &keys, key, measured).0;
        columns.self_value.push(own);
        columns.total_value.push(total);
    }
    let nodes: Vec<CallNode> = (rows.iter().zip(&columns.self_value))
        .map(|(row, &own)| {
            let name = row.label.as_ref().unwrap_or(&row.name);
            CallNode { letters: name.chars().count(), own: size(own) / cut.whole }
        })
        .collect();
    let drawing = layout::draw_call_graph(&nodes, &calls.ends);
    for (rect, scale) in drawing.nodes.iter().zip(&drawing.scales) {
        columns.x.push(rect.x);
        columns.y.push(rect.y);
        columns.width.push(rect.width);
        columns.height.push(rect.height);
        columns.size.push(*scale);
    }
    for ((&(caller, callee), &value), route) in
        calls.ends.iter().zip(&calls.values).zip(&drawing.routes)
    {
        columns.caller.push(caller);
        columns.callee.push(callee);
        columns.value.push(value);
        columns.route_x.extend(route.iter().map(|point| point.0));
        columns.route_y.extend(route.iter().map(|point| point.1));
        columns.route_end.push(columns.route_x.len() as u32);
    }
    columns.scale = vec![whole, cut.self_below, cut.self_beyond];
    let result = CallGraphResult {
        total_rows: (cut.shown.len() as u32) + cut.below + cut.beyond,
        below: cut.below,
        beyond: cut.beyond,
        calls_below: calls.below,
        calls_apart: calls.apart,
        estimated: document.profile().origin.estimated_paths,
        rows,
        size: drawing.size.into(),
    };
    Ok(Reply { result, columns })
}

/// Which functions are drawn, and what of the others is told.
struct Cut {
    /// The largest total first.
    shown: Vec<FrameKey>,
    below: u32,
    beyond: u32,
    self_below: i64,
    self_beyond: i64,
    /// What shares are of, above 0: the program, or all magnitudes where values cancel each other.
    whole: f64,
}

impl Cut {
    fn new(
        flat: &FlatValues,
        keys: impl Iterator<Item = FrameKey>,
        program: i64,
        params: &CallGraphParams,
    ) -> Cut {
        let mut found: Vec<FrameKey> = keys.filter(|&key| is_measured(flat.of(key))).collect();
        found.sort_by_key(|&key| (Reverse(flat.of(key).1.unsigned_abs()), key));
        let magnitudes: f64 = found.iter().map(|&key| size(flat.of(key).0)).sum();
        let whole = size(program).max(magnitudes).max(1.0);
        let least = whole * params.least_node;
        let above = found.partition_point(|&key| size(flat.of(key).1) >= least);
        let below = found.split_off(above);
        let most = params.most.min(MOST_NODES) as usize;
        let beyond = found.split_off(found.len().min(most));
        let own = |keys: &[FrameKey]| {
            let own = keys.iter().map(|&key| flat.of(key).0);
            own.filter(|&own| own != NO_VALUE).fold(0, i64::saturating_add)
        };
        Cut {
            self_below: own(&below),
            self_beyond: own(&beyond),
            below: below.len() as u32,
            beyond: beyond.len() as u32,
            shown: found,
            whole,
        }
    }
}

/// The calls between drawn functions.
struct Calls {
    /// Caller and callee, as places among the drawn functions.
    ends: Vec<(u32, u32)>,
    values: Vec<i64>,
    below: u32,
    apart: u32,
}

impl Calls {
    fn between(graph: &CallGraph, cut: &Cut, keys: usize, least: f64) -> Calls {
        let mut places = vec![None; keys];
        for (place, key) in (0u32..).zip(&cut.shown) {
            places[key.index()] = Some(place);
        }
        let mut calls = Calls { ends: vec![], values: vec![], below: 0, apart: 0 };
        for &Edge { caller, callee, value } in graph.edges().iter().filter(|edge| edge.value != 0) {
            let (Some(from), Some(to)) = (places[caller.index()], places[callee.index()]) else {
                calls.apart += 1;
                continue;
            };
            if size(value) < cut.whole * least || calls.ends.len() == MOST_EDGES {
                calls.below += 1;
                continue;
            }
            calls.ends.push((from, to));
            calls.values.push(value);
        }
        calls
    }
}

fn size(value: i64) -> f64 {
    if value == NO_VALUE { 0.0 } else { value.unsigned_abs() as f64 }
}
