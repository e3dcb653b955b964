//! [`protocol::Request::Details`].

use std::collections::HashMap;

use analysis::{
    CallGraph, Facet, FrameKey, Granularity, Match, NodeId, Shape, Tree, facet_shares, line_shares,
};
use profile::{FrameId, Label, LabelValue, MetricId, Profile};
use protocol::{
    ChangeInfo, DetailsColumns, DetailsResult, FacetKind, FacetShare, LineShare, LocationKind,
    MatchInfo, NamedKey, NodeParams, ProtocolError, Reply,
};

use super::nodes::{label_of, metric_of, node_name, node_of};
use super::only::Only;
use crate::kinds::profile::compare::tests_of_runs::{change_of, compared_sides, significance};
use crate::kinds::profile::convert;
use crate::kinds::profile::document::comparing::{Comparing, Runs};
use crate::kinds::profile::lists::functions::Changes;
use crate::kinds::profile::trees::report::unfiltered_total;
use crate::kinds::profile::trees::views::{View, filtered_profile, flat_by, view_of, view_options};
use crate::{ProfileDocument, ViewOptions, lock};

/// Most entries of each list.
const MOST_CALLS: usize = 30;
const MOST_LABELS_OF_A_KEY: usize = 1000;
const MOST_LINES: usize = 40;

pub(crate) fn details(
    document: &ProfileDocument,
    params: &NodeParams,
) -> Result<Reply<DetailsResult, DetailsColumns>, ProtocolError> {
    let options = view_options(document, &params.view)?;
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let id = node_of(&view, &tree, params.instance, params.node)?;
    let metric = document.base_metric(metric_of(&params.view));
    let options = ViewOptions { metric, ..options };
    let mut columns = DetailsColumns::default();
    // Callers and callees hang below the function itself, whose values are those of the function list.
    let itself = match tree.shape() {
        Shape::Callers(key) | Shape::Callees(key) if id == NodeId::ROOT => Some(key),
        _ => None,
    };
    let estimated = values(document, &options, (&mut tree, id, itself), &mut columns)?;
    let key = tree.node(id).key;
    let is_frame = tree.is_frame(id);
    let mut result = describe(&tree, id);
    result.instance = view.instance;
    result.estimated = estimated;
    result.list_metric = metric.0;
    if let Some(comparing) = document.comparison() {
        result.change =
            Some(change(comparing, document, &options, (&view, &mut tree, id, itself))?);
    }
    result.path = tree.path(id).into_iter().skip(1).map(|node| node_name(&tree, node)).collect();
    if is_frame {
        let flat = flat_by(document, &options).map_err(convert::filter_error)?;
        let (own, total) = flat.of(key);
        columns.function = vec![own, total];
    }
    // Lists are shares of a sum.
    if document.is_derived(metric) {
        return Ok(Reply { result, columns });
    }
    if is_frame {
        calls(document, (&tree, key), metric, &mut result, &mut columns);
    }
    labels(document, &tree, id, metric, &mut result, &mut columns);
    lines(&tree, id, metric, &mut result, &mut columns);
    Ok(Reply { result, columns })
}

/// The values of a node in every metric; by metric, whether they are estimates.
fn values(
    document: &ProfileDocument,
    options: &ViewOptions,
    (tree, id, itself): (&mut Tree, NodeId, Option<FrameKey>),
    columns: &mut DetailsColumns,
) -> Result<Vec<bool>, ProtocolError> {
    let parent = tree.node(id).parent;
    let mut estimated = vec![];
    for metric in document.metric_ids() {
        let (mut own, mut total) = tree.values(id, metric);
        let mut is_estimated = document.profile().origin.estimated_paths && id != NodeId::ROOT;
        if let Some(key) = itself {
            let flat = flat_by(document, &ViewOptions { metric, ..options.clone() });
            let flat = flat.map_err(convert::filter_error)?;
            (own, total) = flat.of(key);
            is_estimated = flat.is_estimated(key);
        }
        estimated.push(is_estimated);
        columns.self_value.push(own);
        columns.total_value.push(total);
        columns.parent_total.push(tree.values(parent, metric).1);
        columns.program_total.push(tree.filtered().program_total(metric));
    }
    Ok(estimated)
}

/// How a node changed, in a comparison.
fn change(
    comparing: &Comparing,
    document: &ProfileDocument,
    options: &ViewOptions,
    (view, tree, id, itself): (&View, &mut Tree, NodeId, Option<FrameKey>),
) -> Result<ChangeInfo, ProtocolError> {
    let sides = compared_sides(document, options.metric);
    // A function on its own is one of all functions, as in their list.
    let of_functions = match itself {
        Some(key) => {
            Some((Changes::new(document, options)?.and_then(|changes| changes.tests), key))
        }
        None => None,
    };
    let runs = match &of_functions {
        Some((tests, key)) => Runs::new(tests.as_ref(), key),
        None => Runs::new(significance(document, view, tree, sides), &id),
    };
    let tag = comparing.tag(change_of(tree, id, sides), runs);
    let test = if let Runs::Tested(test) = runs { test } else { None };
    let is_function = tree.is_frame(id) && options.granularity == Granularity::Function;
    Ok(ChangeInfo {
        tag: convert::tag(tag),
        p_value: test.map(|test| test.shift.p_value),
        verdict: Some(convert::verdict(comparing.verdict(runs))),
        adjusted: test.map(|test| test.adjusted),
        matched: (tree.node(id).frame)
            .and_then(|frame| comparing.match_of(document.profile(), FrameId(frame)))
            .filter(|_| is_function)
            .map(match_info),
    })
}

/// Who calls a function and whom it calls, the largest first.
fn calls(
    document: &ProfileDocument,
    (tree, key): (&Tree, FrameKey),
    metric: MetricId,
    result: &mut DetailsResult,
    columns: &mut DetailsColumns,
) {
    let graph = CallGraph::new(tree.filtered(), tree.keys(), metric, Some(key));
    let label = |key: FrameKey| tree.keys().label(document.profile(), key).into_owned();
    let named = |key: FrameKey| NamedKey { key: key.0, name: label(key) };
    let callers: Vec<_> = graph.callers(key).collect();
    let callees: Vec<_> = graph.callees(key).collect();
    result.more_callers = callers.len().saturating_sub(MOST_CALLS) as u32;
    result.more_callees = callees.len().saturating_sub(MOST_CALLS) as u32;
    for edge in callers.into_iter().take(MOST_CALLS) {
        result.callers.push(named(edge.caller));
        columns.callers.push(edge.value);
    }
    for edge in callees.into_iter().take(MOST_CALLS) {
        result.callees.push(named(edge.callee));
        columns.callees.push(edge.value);
    }
}

/// The shares of threads, processes, labels and so on.
fn labels(
    document: &ProfileDocument,
    tree: &Tree,
    id: NodeId,
    metric: MetricId,
    result: &mut DetailsResult,
    columns: &mut DetailsColumns,
) {
    let within = tree.contains_context(id);
    let shares = facet_shares(tree.filtered(), metric, &within);
    drop(within);
    let profile = tree.filtered().profile();
    let only = Only::of_document(document);
    let threads = shares.iter().filter_map(|share| match share.facet {
        Facet::Thread(thread) => Some(profile.thread_name(thread)),
        _ => None,
    });
    let mut names: HashMap<String, usize> = HashMap::new();
    threads.for_each(|name| *names.entry(name).or_default() += 1);
    let mut of_key = 0;
    let mut last_key = None;
    for share in shares {
        let key = share.facet.key(profile);
        of_key = if last_key == Some(key) { of_key + 1 } else { 0 };
        last_key = Some(key);
        if of_key >= MOST_LABELS_OF_A_KEY {
            result.more_labels += 1;
            continue;
        }
        let mut found = facet_share(profile, share.facet);
        match share.facet {
            Facet::Thread(thread) => {
                found.only = only.of_thread(profile, thread, None);
                // Of several with one name, the process says which it is.
                let process = profile.threads[thread.index()].process;
                if let Some(process) = process.filter(|_| names[&found.value] > 1) {
                    found.value = format!("{} of {}", found.value, profile.process_name(process));
                }
            }
            Facet::Process(process) => found.only = only.of_process(profile, process, None),
            _ => {}
        }
        result.labels.push(found);
        columns.labels.push(share.value);
    }
}

/// The source lines with the largest values.
fn lines(
    tree: &Tree,
    id: NodeId,
    metric: MetricId,
    result: &mut DetailsResult,
    columns: &mut DetailsColumns,
) {
    let within = tree.contains_context(id);
    let lines = tree.line_totals(id, metric).unwrap_or_else(|| {
        line_shares(tree.filtered(), metric, &within, |frame| tree.contains_frame(id, frame))
    });
    let profile = tree.filtered().profile();
    let mut by_place = HashMap::<(&str, u32), i64>::new();
    for (frame, value) in lines {
        let frame = FrameId(frame);
        let file = profile.frame_file(frame);
        if !file.is_empty() {
            let sum = by_place.entry((file, profile.frames.line[frame.index()])).or_default();
            *sum = sum.saturating_add(value);
        }
    }
    let mut merged: Vec<_> = by_place.into_iter().collect();
    merged.sort_by_key(|&(place, value)| (std::cmp::Reverse(value.saturating_abs()), place));
    result.more_lines = merged.len().saturating_sub(MOST_LINES) as u32;
    for ((file, line), value) in merged.into_iter().take(MOST_LINES) {
        result.lines.push(LineShare { file: file.to_owned(), line });
        columns.lines.push(value);
    }
}

/// What the node's frame tells of itself.
fn describe(tree: &Tree, id: NodeId) -> DetailsResult {
    let node = tree.node(id);
    let profile = tree.filtered().profile();
    let mut result = DetailsResult {
        name: tree.name(id).into_owned(),
        label: label_of(tree, id),
        key: node.key.0,
        ..DetailsResult::default()
    };
    let Some(frame) = node.frame.map(FrameId).filter(|_| tree.is_frame(id)) else {
        return result;
    };
    let location = profile.frames.location[frame.index()];
    if let Some(function) = profile.frames.function(frame) {
        let system_name = profile.text(profile.functions.system_name[function.index()]);
        if system_name != result.name {
            result.system_name = system_name.to_owned();
        }
        result.start_line = profile.functions.start_line[function.index()];
    }
    result.kind = match profile.locations.kind[location.index()] {
        profile::LocationKind::Code => LocationKind::Code,
        profile::LocationKind::Loop => LocationKind::Loop,
        profile::LocationKind::Data => LocationKind::Data,
        profile::LocationKind::Region => LocationKind::Region,
        profile::LocationKind::Block => LocationKind::Block,
    };
    let place = tree.place(id);
    result.file = place.file.to_owned();
    result.module = place.module.to_owned();
    if place.file.is_empty() {
        result.start_line = 0;
    } else {
        result.line = profile.frames.line[frame.index()];
    }
    if let Some(module) = profile.locations.module(location) {
        result.build_id = profile.text(profile.modules[module.index()].build_id).to_owned();
    }
    if let address @ 1.. = profile.locations.address[location.index()] {
        result.address = format!("{address:#x}");
    }
    result.inlined = profile.is_inlined(frame);
    result
}

fn match_info(found: &Match) -> MatchInfo {
    MatchInfo {
        was: found.base.name.clone(),
        was_in: found.base.place.clone(),
        rule: found.rule.name().to_owned(),
        score: found.score,
    }
}

/// The value of everything in what [`facets`] tells of a metric; none if it does not add up.
pub fn facet_total(document: &ProfileDocument, metric: MetricId) -> Option<i64> {
    let is_measured =
        !document.is_derived(metric) && document.profile().metric(metric).combining.is_sum();
    is_measured.then(|| unfiltered_total(document, metric).ok()).flatten()
}

/// How a measured metric spreads over members, processes, threads, processors and labels: largest first
/// within a key.
pub fn facets(
    document: &ProfileDocument,
    metric: MetricId,
) -> Result<Vec<(FacetShare, i64)>, ProtocolError> {
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    let shares = facet_shares(&filtered, document.base_metric(metric), |_| true);
    let told =
        |share: analysis::FacetShare| (facet_share(document.profile(), share.facet), share.value);
    Ok(shares.into_iter().map(told).collect())
}

/// What a facet is called.
pub(super) fn facet_value(profile: &Profile, facet: Facet) -> String {
    match facet {
        Facet::Process(process) => profile.process_name(process),
        Facet::Thread(thread) => profile.thread_name(thread),
        Facet::Cpu(cpu) => cpu.to_string(),
        Facet::Member(member) => profile.members[member.index()].name.clone(),
        Facet::Label(_, LabelValue::Text(text)) => profile.text(text).to_owned(),
        Facet::Label(id, value @ LabelValue::Number(number, _)) => {
            let unit = analysis::label_unit(profile, Label { key: id, value });
            if unit == facet.key(profile) { number.to_string() } else { format!("{number} {unit}") }
        }
    }
}

/// A label filter that keeps what has a facet.
pub(super) fn facet_pattern(profile: &Profile, facet: Facet) -> String {
    let key = facet.key(profile);
    match facet {
        Facet::Cpu(cpu) => format!("{key}={cpu}"),
        Facet::Label(_, LabelValue::Number(number, _)) => format!("{key}={number}"),
        // A comma would separate two expressions.
        _ => {
            let value = analysis::Pattern::escape(&facet_value(profile, facet));
            format!("{key}=(?-i)^{}$", value.replace(',', "\\x2c"))
        }
    }
}

pub(super) fn facet_share(profile: &Profile, facet: Facet) -> FacetShare {
    let kind = match facet {
        Facet::Process(_) => FacetKind::Process,
        Facet::Thread(_) => FacetKind::Thread,
        Facet::Cpu(_) => FacetKind::Cpu,
        Facet::Member(_) => FacetKind::Member,
        Facet::Label(..) => FacetKind::Label,
    };
    FacetShare {
        kind,
        key: facet.key(profile).to_owned(),
        value: facet_value(profile, facet),
        pattern: facet_pattern(profile, facet),
        only: vec![],
    }
}
