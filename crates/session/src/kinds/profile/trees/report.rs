//! Reports for the command line.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use analysis::{
    CallGraph, FrameKey, FrameKeys, Granularity, GroupPlace, NO_VALUE, Node, NodeId, Order,
    Pattern, Shape, Tree, matching_frames, matching_keys,
};
use profile::{FrameId, MetricId, Profile, SwitchedOff};
use protocol::{ErrorCode, ProtocolError, Sort, SortBy};

use crate::kinds::pattern_error;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::switched_off;
use crate::kinds::profile::lists::functions::{List, Wanted, functions};
use crate::kinds::profile::trees::values::{is_measured, magnitude};
use crate::kinds::profile::trees::views::{
    filtered_by, filtered_profile, flat_by, frame_keys, tree_of,
};
use crate::units::count_text;
use crate::{ProfileDocument, ViewOptions};

/// Which shape a report has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportShape {
    /// Callers above callees.
    TopDown,
    /// Innermost frames first, their callers below.
    BottomUp,
    /// Every function with its total, its callers below.
    AllCallers,
    /// A list without calls.
    Flat,
}

impl From<ReportShape> for Shape {
    fn from(shape: ReportShape) -> Shape {
        match shape {
            ReportShape::TopDown => Shape::TopDown,
            ReportShape::BottomUp => Shape::BottomUp,
            ReportShape::AllCallers => Shape::AllCallers,
            ReportShape::Flat => Shape::Flat,
        }
    }
}

/// One row of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRow {
    /// Function name, or what stands for it at the view's granularity.
    pub name: String,
    /// Name, with its place where another function has the same name.
    pub label: String,
    /// Where it is.
    pub place: ReportPlace,
    /// A frame of it, if it is of frames.
    pub frame: Option<FrameId>,
    /// Self value.
    pub self_value: i64,
    /// Total value.
    pub total_value: i64,
    /// Self and total values in [`ViewOptions::more_metrics`].
    pub more_values: Vec<(i64, i64)>,
    /// 0 for the outermost rows.
    pub depth: u32,
    /// Whether its total is an estimate, as call paths are: see [`profile::Origin::estimated_paths`].
    pub is_estimated: bool,
    /// How far its function is exact; none where it is to the end.
    pub exactness: Option<Box<Exactness>>,
    /// Children that the limit leaves out, and their total; [`NO_VALUE`] in a derived metric, whose
    /// values do not add up.
    pub more: (usize, i64),
}

/// How far a function was measured call by call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exactness {
    /// Calls that are exact.
    pub calls: u64,
    /// Nanoseconds in it and in what it called that were estimated then, and by how much they may differ; none
    /// where nothing was.
    pub estimated_ns: Option<(i64, i64)>,
    /// All of it in words.
    pub text: String,
}

impl Exactness {
    /// The same without figures of the estimate.
    pub fn short(&self) -> String {
        let then = if self.estimated_ns.is_some() { "estimated" } else { "not measured" };
        format!("exact to call {}, then {then}", count_text(self.calls))
    }

    fn new(one: &SwitchedOff) -> Exactness {
        let estimate = one.estimate.as_ref();
        Exactness {
            calls: one.exact_calls,
            estimated_ns: estimate.map(|estimate| (estimate.time_ns, estimate.plus_minus_ns())),
            text: switched_off::sentence(one),
        }
    }
}

/// Where the function of a row is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportPlace {
    /// Source file; may be empty, as it is where the row merges functions of several files.
    pub file: String,
    /// How many source files the row merges, where that is more than one; else 0.
    pub files: usize,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Where the function starts in its line, which tells functions of one line apart; 0 if
    /// unknown.
    pub column: u32,
    /// Module; may be empty.
    pub module: String,
}

/// Who calls a function and whom it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallReport {
    /// The function.
    pub row: ReportRow,
    /// Its callers, largest first.
    pub callers: Vec<Called>,
    /// What it calls, largest first.
    pub callees: Vec<Called>,
}

/// The other end of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Its number among all functions of the profile.
    pub key: u32,
    /// Name.
    pub name: String,
    /// Name, with its place where another function has the same name.
    pub label: String,
    /// Source file; may be empty.
    pub file: String,
    /// Value of the samples with the call on their stack.
    pub value: i64,
}

/// What of a tree is cut off, with all below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pruning {
    /// What a call has at least of the whole program, from 0 to 1.
    pub least: f64,
    /// Rows below the whole program.
    pub depth: u32,
}

impl Pruning {
    /// Nothing is cut off.
    pub const NONE: Pruning = Pruning { least: 0.0, depth: u32::MAX };

    fn least_of(self, everything: i64) -> f64 {
        self.least * everything.unsigned_abs() as f64
    }
}

/// Sum of the metric over what filters leave.
pub fn total_of(document: &ProfileDocument, options: &ViewOptions) -> Result<i64, ProtocolError> {
    let filtered = filtered_by(document, options);
    Ok(filtered.map_err(convert::filter_error)?.program_total(options.metric))
}

/// Sum of the metric over the whole profile.
pub fn unfiltered_total(
    document: &ProfileDocument,
    metric: MetricId,
) -> Result<i64, ProtocolError> {
    let filtered = filtered_profile(document, &[], false).map_err(convert::filter_error)?;
    Ok(filtered.program_total(metric))
}

/// Functions by self value (then total, then name), at most `limit` of them; also how many
/// there are. The largest come first, whatever their sign; of a derived metric, whose sign says
/// which way something goes, the highest.
pub fn flat_report(
    document: &ProfileDocument,
    options: &ViewOptions,
    limit: usize,
) -> Result<(Vec<ReportRow>, usize), ProtocolError> {
    let metrics = [std::slice::from_ref(&options.metric), &options.more_metrics].concat();
    let by = match options.order {
        Order::Value | Order::Own => SortBy::SelfValue,
        Order::Total => SortBy::TotalValue,
        Order::Name => SortBy::Name,
    };
    let sort = Sort { by, metric: options.metric.0, reverse: false };
    let wanted = Wanted { metrics: &metrics, sort, filter: "", direction: None };
    let List { keys, flats, found, .. } = functions(document, options, &wanted)?;
    let rows = found.iter().take(limit).map(|&key| {
        let (own, total) = flats[0].of(key);
        let row = row_of_key(document, &keys, key, own, total);
        let is_estimated = flats[0].is_estimated(key);
        let more_values = flats[1..].iter().map(|flat| flat.of(key));
        ReportRow { is_estimated, more_values: more_values.collect(), ..row }
    });
    Ok((rows.collect(), found.len()))
}

/// The nodes of a tree with the largest totals, at most `limit`, of those that are not cut off, in the
/// order of the options: each row is given with the names from the outermost down to it.
pub fn tree_report(
    document: &ProfileDocument,
    shape: ReportShape,
    options: &ViewOptions,
    limit: usize,
    pruning: Pruning,
    mut each: impl FnMut(&ReportRow, &[String]) -> std::io::Result<()>,
) -> Result<std::io::Result<TreeLeftOut>, ProtocolError> {
    let mut tree = tree_of(document, shape.into(), options).map_err(convert::filter_error)?;
    let chosen = (limit < usize::MAX).then(|| heaviest(&mut tree, limit));
    if tree.is_derived() && pruning.least > 0.0 {
        let message = "--prune needs shares of the program, and values of a formula are not";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Choose a measured metric with --metric, or cut by --depth."));
    }
    let least = pruning.least_of(tree.node(NodeId::ROOT).total);
    let is_cut = |tree: &Tree, node: u32| {
        let Node { total, depth, .. } = *tree.node(NodeId(node));
        depth > pruning.depth || (total.unsigned_abs() as f64) < least
    };
    let keeps = |tree: &Tree, node: u32| {
        chosen.as_ref().is_none_or(|chosen| chosen.contains(&node)) && !is_cut(tree, node)
    };
    // Whatever the limit leaves out besides.
    let mut cut = 0;
    let mut uncut = if pruning == Pruning::NONE { vec![] } else { vec![NodeId::ROOT] };
    while let Some(node) = uncut.pop() {
        for child in tree.children(node) {
            if is_cut(&tree, child) {
                cut += 1;
            } else {
                uncut.push(NodeId(child));
            }
        }
    }
    let mut path: Vec<String> = vec![];
    let mut open = vec![NodeId::ROOT];
    let mut root_more = (0, 0);
    while let Some(node) = open.pop() {
        let children = tree.children(node);
        let left_out = children.clone().filter(|&child| !keeps(&tree, child));
        let more = left_out.fold((0usize, 0i64), |(count, sum), child| {
            (count + 1, sum.saturating_add(tree.node(NodeId(child)).total))
        });
        let more = (more.0, if tree.totals_add_up(node) { more.1 } else { NO_VALUE });
        if node == NodeId::ROOT {
            root_more = more;
        } else {
            let depth = tree.node(node).depth - 1;
            path.truncate(depth as usize);
            path.push(tree.name(node).into_owned());
            let (own, total) = tree.values(node, options.metric);
            let frame = tree.node(node).frame.map(FrameId);
            let name = tree.name(node).into_owned();
            let more_values = options.more_metrics.iter();
            let more_values = more_values.map(|&metric| tree.values(node, metric)).collect();
            let row = row_of(document, name, frame, own, total, depth);
            let label = tree.label(node).into_owned();
            let place = ReportPlace::from(tree.place(node));
            let row = ReportRow { more, more_values, label, place, ..row };
            if let Err(error) = each(&row, &path) {
                return Ok(Err(error));
            }
        }
        let mut kept: Vec<NodeId> =
            children.rev().filter(|&child| keeps(&tree, child)).map(NodeId).collect();
        if options.order == Order::Own {
            let is_derived = tree.is_derived();
            // The last is taken first; of equal ones the first stays before the others.
            kept.sort_by_cached_key(|&child| {
                let (own, _) = tree.values(child, options.metric);
                if is_derived { own } else { magnitude(own) }
            });
        }
        open.extend(kept);
    }
    Ok(Ok(TreeLeftOut { more: root_more, cut }))
}

/// Callers and callees of the functions that match `pattern` (of all without one), largest
/// total first, at most `limit`; also how many there are. The values of calls are those of
/// [`ProfileDocument::base_metric`].
pub fn call_report(
    document: &ProfileDocument,
    options: &ViewOptions,
    pattern: Option<&str>,
    limit: usize,
) -> Result<(Vec<CallReport>, usize), ProtocolError> {
    let base = document.base_metric(options.metric);
    if document.is_derived(base) {
        let name = &document.profile().metric(base).name;
        let message = format!("values of {name} do not add up, so calls have none");
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Choose another metric with --metric, or another view."));
    }
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    let keys = frame_keys(document, options.granularity);
    let flat = flat_by(document, options).map_err(convert::filter_error)?;
    let profile = document.profile();
    let wanted = match pattern {
        None => vec![true; keys.len()],
        Some(text) => {
            let pattern = Pattern::search(text).map_err(pattern_error)?;
            matching_keys(&keys, &matching_frames(&filtered, &pattern))
        }
    };
    let values = |key: FrameKey| flat.of(key);
    let mut found: Vec<FrameKey> =
        keys.all().filter(|&key| wanted[key.index()] && is_measured(values(key))).collect();
    found.sort_by_cached_key(|&key| {
        let (own, total) = values(key);
        (Reverse(magnitude(total)), Reverse(magnitude(own)), keys.name(profile, key))
    });
    let count = found.len();
    found.truncate(limit);
    let graph = CallGraph::new(&filtered, &keys, document.base_metric(options.metric), None);
    let called = |key: FrameKey, value: i64| Called::new(profile, &keys, key, value);
    let reports = found.into_iter().map(|key| {
        let (own, total) = values(key);
        CallReport {
            row: ReportRow {
                is_estimated: flat.is_estimated(key),
                ..row_of_key(document, &keys, key, own, total)
            },
            callers: graph.callers(key).map(|e| called(e.caller, e.value)).collect(),
            callees: graph.callees(key).map(|e| called(e.callee, e.value)).collect(),
        }
    });
    Ok((reports.collect(), count))
}

/// The number of the function of a frame among all functions of the profile, as the editor and
/// pictures by function have it.
pub fn function_of(document: &ProfileDocument, frame: FrameId) -> u32 {
    frame_keys(document, Granularity::Function).key(frame).0
}

/// The row of a group of frames: where it merges several files it names none of them.
pub(crate) fn row_of_key(
    document: &ProfileDocument,
    keys: &FrameKeys,
    key: FrameKey,
    self_value: i64,
    total_value: i64,
) -> ReportRow {
    let name = keys.name(document.profile(), key).into_owned();
    let row = row_of(document, name, Some(keys.representative(key)), self_value, total_value, 0);
    let label = keys.label(document.profile(), key).into_owned();
    let place = ReportPlace::from(keys.place(document.profile(), key));
    ReportRow { label, place, ..row }
}

/// Without a place.
pub(crate) fn row_of(
    document: &ProfileDocument,
    name: String,
    frame: Option<FrameId>,
    self_value: i64,
    total_value: i64,
    depth: u32,
) -> ReportRow {
    let profile = document.profile();
    let exactness = frame.and_then(|frame| switched_off::of_frame(profile, frame, &name));
    ReportRow {
        exactness: exactness.map(|one| Box::new(Exactness::new(one))),
        label: name.clone(),
        name,
        place: ReportPlace::default(),
        frame,
        self_value,
        total_value,
        more_values: vec![],
        depth,
        is_estimated: profile.origin.estimated_paths,
        more: (0, 0),
    }
}

impl From<GroupPlace<'_>> for ReportPlace {
    fn from(place: GroupPlace<'_>) -> ReportPlace {
        let GroupPlace { file, files, line, column, module } = place;
        ReportPlace { file: file.to_owned(), files, line, column, module: module.to_owned() }
    }
}

impl Called {
    pub(crate) fn new(profile: &Profile, keys: &FrameKeys, key: FrameKey, value: i64) -> Called {
        Called {
            key: key.0,
            name: keys.name(profile, key).into_owned(),
            label: keys.label(profile, key).into_owned(),
            file: keys.place(profile, key).file.to_owned(),
            value,
        }
    }
}

/// What a report on a tree has no rows of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLeftOut {
    /// How many children of the program are left out, and their total.
    pub more: (usize, i64),
    /// How many nodes are cut off, whatever the limit; those below them do not count.
    pub cut: usize,
}

/// The `limit` heaviest of the nodes that are found from the root, always with the nodes above them:
/// in a derived metric a node may be heavier than its parent.
fn heaviest(tree: &mut Tree, limit: usize) -> HashSet<u32> {
    let mut chosen = HashSet::new();
    let mut open = BinaryHeap::new();
    let mut node = NodeId::ROOT;
    loop {
        for child in tree.children(node) {
            open.push((tree.node(NodeId(child)).weight, Reverse(child)));
        }
        match open.pop() {
            Some((_, Reverse(next))) if chosen.len() < limit => {
                chosen.insert(next);
                node = NodeId(next);
            }
            _ => return chosen,
        }
    }
}
