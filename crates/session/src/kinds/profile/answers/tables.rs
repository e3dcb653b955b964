//! Whole tables, for programs that work on columns.

use std::borrow::Cow;
use std::collections::HashMap;

use analysis::{NodeId, Tree};
use formats::format_named;
use profile::{ContextId, FrameId, LabelSetId, LabelValue, LocationId, MetricId, Profile, Warned};
use protocol::{
    BytesColumns, DoneResult, ErrorCode, ProfileTablesColumns, ProfileTablesResult, ProtocolError,
    Reply, TreeTableColumns, TreeTableParams, TreeTableResult,
};
use work::{Progress, steps};

use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// Nodes between two looks at who waits.
const BETWEEN_LOOKS: usize = 1 << 12;

/// Most totals by member in an answer, eight bytes each.
const MOST_CELLS: usize = 1 << 26;

/// Stands for no row.
const NONE: u32 = u32::MAX;

/// A tree with all its nodes.
pub(crate) fn tree_table(
    document: &ProfileDocument,
    params: &TreeTableParams,
) -> Result<Reply<TreeTableResult, TreeTableColumns>, ProtocolError> {
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let nodes = all_nodes(&mut tree, params.most)?;
    let metrics: Vec<MetricId> = document.metric_ids().collect();
    let mut columns = TreeTableColumns::default();
    let mut places = Places::default();
    let mut number = vec![NONE; nodes.iter().map(|node| node.0 as usize + 1).max().unwrap_or(1)];
    for (row, &node) in (0u32..).zip(&nodes) {
        number[node.0 as usize] = row;
        columns.parent.push(number[tree.node(node).parent.0 as usize]);
        let place = places.of(&tree, node, &mut columns);
        columns.place.push(place);
    }
    for &metric in &metrics {
        for &node in steps("adding up nodes", nodes.iter()) {
            let (own, total) = tree.values(node, metric);
            columns.self_value.push(own);
            columns.total_value.push(total);
        }
    }
    let mut members = vec![];
    if let Some(metric) = params.members_of {
        members = parts(&tree);
        columns.member_total = member_totals(&mut tree, &nodes, MetricId(metric), members.len())?;
    }
    (columns.text_end, columns.text) = places.texts.finish();
    let (nodes, metrics) = (nodes.len() as u32, metrics.len() as u32);
    let result = TreeTableResult { nodes, metrics, members };
    Ok(Reply { result, columns })
}

/// The members that filters leave, by name.
fn parts(tree: &Tree) -> Vec<String> {
    let profile = tree.filtered().profile();
    let name = |member: &profile::MemberId| match profile.members.get(member.index()) {
        Some(member) => member.name.clone(),
        None => String::new(),
    };
    tree.filtered().parts().iter().map(name).collect()
}

fn member_totals(
    tree: &mut Tree,
    nodes: &[NodeId],
    metric: MetricId,
    parts: usize,
) -> Result<Vec<i64>, ProtocolError> {
    let metrics = tree.filtered().profile().metrics.len();
    if metric.index() >= metrics {
        let message =
            format!("{} is not a measured metric, of which there are {metrics}", metric.0);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let cells = nodes.len().saturating_mul(parts);
    if cells > MOST_CELLS {
        let message = format!("{} nodes of {parts} members are too many", nodes.len());
        return Err(ProtocolError::new(ErrorCode::Limit, message)
            .with_hint("Filter the view, or take members apart."));
    }
    let mut totals = vec![0; cells];
    for (row, &node) in steps("adding up members", nodes.iter()).enumerate() {
        let sums = tree.member_sums(node, &[metric]);
        for (part, total) in sums.total.into_iter().enumerate().take(parts) {
            totals[part * nodes.len() + row] = total;
        }
    }
    Ok(totals)
}

/// The nodes in preorder.
fn all_nodes(tree: &mut Tree, most: u32) -> Result<Vec<NodeId>, ProtocolError> {
    let mut nodes = vec![];
    let mut open = vec![NodeId::ROOT];
    while let Some(node) = open.pop() {
        if nodes.len().is_multiple_of(BETWEEN_LOOKS) {
            let total = nodes.len() + open.len();
            work::see(Progress { phase: "unfolding", done: nodes.len(), total });
        }
        if nodes.len() as u32 == most {
            let message = format!("the tree has more than {most} nodes");
            return Err(ProtocolError::new(ErrorCode::Limit, message)
                .with_hint("Ask for more nodes, or filter the view."));
        }
        open.extend(tree.children(node).rev().map(NodeId));
        nodes.push(node);
    }
    Ok(nodes)
}

/// What nodes stand for, each once.
#[derive(Default)]
struct Places {
    numbers: HashMap<(u32, Option<u32>, bool), u32>,
    texts: Texts,
}

impl Places {
    fn of(&mut self, tree: &Tree, node: NodeId, columns: &mut TreeTableColumns) -> u32 {
        let is_frame = tree.is_frame(node);
        let entry = tree.node(node);
        let frame = entry.frame;
        // Outer levels of a flat tree have keys of their own.
        let key = if is_frame { (entry.key.0, None, true) } else { (entry.depth, frame, false) };
        *self.numbers.entry(key).or_insert_with(|| {
            let profile = tree.filtered().profile();
            let frame = frame.map(FrameId).filter(|_| is_frame);
            let place = tree.place(node);
            columns.place_name.push(self.texts.add(&tree.name(node)));
            let function = frame.map_or_else(String::new, |frame| profile.frame_name(frame).into());
            columns.place_function.push(self.texts.add(&function));
            columns.place_file.push(self.texts.add(place.file));
            columns.place_module.push(self.texts.add(place.module));
            columns.place_line.push(place.line);
            columns.place_is_frame.push(is_frame.into());
            columns.place_name.len() as u32 - 1
        })
    }
}

/// Texts, each once, by number.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, u32>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Texts {
    fn add(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len() as u32);
        let number = self.ends.len() as u32 - 1;
        self.numbers.insert(text.to_owned(), number);
        number
    }

    fn finish(self) -> (Vec<u32>, Vec<u8>) {
        (self.ends, self.bytes)
    }
}

/// The profile as it was read.
pub(crate) fn profile_tables(
    document: &ProfileDocument,
) -> Reply<ProfileTablesResult, ProfileTablesColumns> {
    let profile = document.profile();
    let mut texts = Texts::default();
    let mut columns = ProfileTablesColumns::default();
    let contexts = profile.contexts.len() as u32;
    for context in (0..contexts).map(ContextId) {
        columns.context_parent.push(profile.contexts.parent(context).unwrap_or(context).0);
        let location = profile.contexts.location(context);
        columns.context_location.push(location.map_or(NONE, |location| location.0));
    }
    for location in (0..profile.locations.len() as u32).map(LocationId) {
        columns.location_frame.push(profile.locations.frames(location).start);
        let module = profile.locations.module(location);
        let module = module.map_or("", |module| profile.text(profile.modules[module.index()].name));
        columns.location_module.push(texts.add(module));
        columns.location_address.push(profile.locations.address[location.index()].cast_signed());
    }
    for frame in (0..profile.frames.len() as u32).map(FrameId) {
        columns.frame_function.push(profile.frames.function(frame).map_or(NONE, |one| one.0));
        columns.frame_line.push(profile.frames.line[frame.index()]);
    }
    for function in (0..profile.functions.len() as u32).map(profile::FunctionId) {
        columns.function_name.push(texts.add(profile.function_name(function).unwrap_or_default()));
        columns
            .function_file
            .push(texts.add(profile.text(profile.functions.file[function.index()])));
        columns.function_line.push(profile.functions.start_line[function.index()]);
    }
    points(profile, &mut texts, &mut columns);
    labels(profile, &mut texts, &mut columns);
    (columns.text_end, columns.text) = texts.finish();
    let result = ProfileTablesResult {
        contexts,
        points: profile.points.len() as u32,
        metrics: profile.metrics.len() as u32,
    };
    Reply { result, columns }
}

fn points(profile: &Profile, texts: &mut Texts, columns: &mut ProfileTablesColumns) {
    let points = &profile.points;
    columns.point_context = points.context.iter().map(|context| context.0).collect();
    columns.point_labels = (0..points.len()).map(|point| points.labels(point).0).collect();
    for metric in profile.metric_ids() {
        columns.point_value.extend(points.values(metric));
    }
    if points.has_times() {
        let time = |point| points.time(point).unwrap_or(i64::MIN);
        columns.point_time = (0..points.len()).map(time).collect();
    }
    if points.has_threads() {
        let names: Vec<u32> = (0..profile.threads.len() as u32)
            .map(|thread| texts.add(&profile.thread_name(profile::ThreadId(thread))))
            .collect();
        let thread = |point| points.thread(point).map_or(NONE, |thread| names[thread.index()]);
        columns.point_thread = (0..points.len()).map(thread).collect();
    }
    if !profile.members.is_empty() {
        columns.point_member = (0..points.len()).map(|point| points.member(point).0).collect();
    }
}

fn labels(profile: &Profile, texts: &mut Texts, columns: &mut ProfileTablesColumns) {
    for set in (0..profile.label_sets.len() as u32).map(LabelSetId) {
        for label in profile.label_sets.get(set) {
            columns.label_key.push(texts.add(profile.text(label.key)));
            let value = match label.value {
                LabelValue::Text(text) => texts.add(profile.text(text)),
                LabelValue::Number(number, unit) => {
                    texts.add(format!("{number} {}", profile.text(unit)).trim_end())
                }
            };
            columns.label_value.push(value);
        }
        columns.labels_end.push(columns.label_key.len() as u32);
    }
}

/// The profile in Hotframe's own format.
pub(crate) fn write_profile(
    document: &ProfileDocument,
) -> Result<Reply<DoneResult, BytesColumns>, ProtocolError> {
    let failed = |why: String| {
        let message = format!("the profile cannot be written: {why}");
        ProtocolError::new(ErrorCode::BadRequest, message)
    };
    let Some(format) = format_named("hotframe") else {
        return Err(failed("its format is not built in".to_owned()));
    };
    let mut bytes = vec![];
    let mut profile = Cow::Borrowed(&**document.profile());
    let defined = document.defined();
    if !defined.is_empty() {
        profile.to_mut().origin.formulas.extend(defined);
    }
    if document.comparison().is_some() {
        profile.to_mut().origin.warnings.push(Warned {
            kind: "comparison".to_owned(),
            message:
                "this was a comparison when it was saved: it has the values of both sides; compare the profiles again to see changes"
                    .to_owned(),
            count: 1,
        });
    }
    format.write(&profile, &mut bytes).map_err(|error| failed(error.to_string()))?;
    Ok(Reply { result: DoneResult {}, columns: BytesColumns { bytes } })
}
