//! [`protocol::Request::Flame`].

use std::collections::HashMap;

use analysis::{NodeId, Pattern, Tree, matching_frames, matching_keys};
use layout::FlameView;
use profile::{FrameId, MetricId};
use protocol::{
    ErrorCode, FlameColumns, FlameFlag, FlameParams, FlameResult, NameLabel, ProtocolError, Reply,
};

use super::{node_name, node_of};
use crate::kinds::pattern_error;
use crate::kinds::profile::appearance::{Painter, label_of};
use crate::kinds::profile::convert;
use crate::{ProfileDocument, lock};

/// Most boxes in an answer: what a page draws at 60 frames a second without a GPU.
const MOST_BOXES: usize = 20_000;

/// Most rows of an answer: a stack that is deeper than there may be boxes must not use them up.
const MOST_ROWS: u32 = 4_000;

pub(crate) fn flame(
    document: &ProfileDocument,
    params: &FlameParams,
) -> Result<Reply<FlameResult, FlameColumns>, ProtocolError> {
    let sound = [params.from, params.to, params.width].iter().all(|x| x.is_finite());
    if !sound || params.to <= params.from || params.width < 1.0 {
        let message = "a flame graph needs a left edge, a right edge beyond it and a width";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let view = document.view(&params.view)?;
    let mut tree = lock(&view.tree);
    let root = node_of(&view, &tree, params.instance, params.root)?;
    let layout = layout::flame(
        &mut tree,
        &FlameView {
            root,
            from: params.from,
            to: params.to,
            width: params.width,
            first_row: params.first_row,
            rows: params.rows.min(MOST_ROWS),
            most_boxes: MOST_BOXES,
        },
    );

    let matching = match params.search.as_str() {
        "" => vec![],
        text => {
            let pattern = Pattern::typed(text).map_err(pattern_error)?;
            matching_keys(tree.keys(), &matching_frames(tree.filtered(), &pattern))
        }
    };
    let mut names = Names::default();
    let mut modules = Indexed::default();
    let mut files = Indexed::default();
    modules.index("");
    files.index("");
    let mut columns = FlameColumns::default();
    let profile = document.profile();
    let is_comparison = document.comparison().is_some();
    let metric = MetricId(params.view.metric);
    let tests = document.significance(&view, &mut tree, document.compared_metric(metric));
    let painter = Painter::new(document, metric, tests);
    for entry in &layout.boxes {
        let is_merged = entry.merged > 0;
        let shown = painter.show(&mut tree, entry.node, entry.self_value, entry.total_value);
        if let Some((tag, change)) = shown.change {
            columns.tag.push(if is_merged { 0 } else { 1 + convert::tag(tag) as u32 });
            if is_comparison {
                columns.base_value.push(change.base);
                columns.new_value.push(change.new);
            }
        }
        columns.colours.push(if is_merged { 0 } else { shown.look.0 });
        let node = tree.node(entry.node);
        columns.node.push(entry.node.0);
        columns.parent.push(node.parent.0);
        columns.row.push(entry.row);
        columns.x.push(entry.x);
        columns.width.push(entry.width);
        columns.key.push(node.key.0);
        columns.merged.push(entry.merged);
        columns.self_value.push(entry.self_value);
        columns.total_value.push(entry.total_value);
        if is_merged {
            columns.name.push(names.index("", ""));
            columns.module.push(0);
            columns.file.push(0);
            columns.flags.push(0);
            continue;
        }
        let label = label_of(&tree, entry.node, params.labels);
        columns.name.push(names.index(&tree.name(entry.node), &label));
        let frame = node.frame.map(FrameId);
        let (module, file) = match frame {
            Some(frame) => (profile.frame_module(frame), profile.frame_file(frame)),
            None => ("", ""),
        };
        columns.module.push(modules.index(module));
        columns.file.push(files.index(file));
        let pale = if shown.is_pale { FlameFlag::PALE } else { 0 };
        columns.flags.push(pale | flags(&tree, entry.node, &matching));
    }
    let parent = tree.node(root).parent;
    columns.scale = [NodeId::ROOT, root, parent].iter().map(|&n| tree.node(n).total).collect();
    let breadcrumb = tree.path(root).into_iter().map(|node| node_name(&tree, node)).collect();
    let result = FlameResult {
        instance: view.instance,
        merged_frames: layout.merged as f64,
        total_rows: layout.total_rows,
        narrowest: layout.narrowest,
        names: names.list.list,
        labels: names.labels,
        modules: modules.list,
        files: files.list,
        breadcrumb,
    };
    Ok(Reply { result, columns })
}

fn flags(tree: &Tree, id: NodeId, matching: &[bool]) -> u32 {
    let node = tree.node(id);
    let Some(frame) = node.frame.map(FrameId) else { return 0 };
    let profile = tree.filtered().profile();
    let mut flags = 0;
    if tree.is_frame(id) && matching.get(node.key.index()).copied().unwrap_or(false) {
        flags |= FlameFlag::MATCHES;
    }
    if profile.frame_file(frame).is_empty() {
        flags |= FlameFlag::NO_SOURCE;
    }
    if profile.is_inlined(frame) {
        flags |= FlameFlag::INLINED;
    }
    if node.recursive {
        flags |= FlameFlag::RECURSIVE;
    }
    flags
}

/// Distinct names in the order of first use. Functions that share a name have an entry each.
#[derive(Default)]
struct Names {
    list: Indexed,
    labels: Vec<NameLabel>,
    labelled: HashMap<(String, String), u32>,
}

impl Names {
    fn index(&mut self, name: &str, label: &str) -> u32 {
        if name == label {
            return self.list.index(name);
        }
        let key = (name.to_owned(), label.to_owned());
        *self.labelled.entry(key).or_insert_with_key(|(name, label)| {
            let index = self.list.list.len() as u32;
            self.list.list.push(name.clone());
            self.labels.push(NameLabel { name: index, label: label.clone() });
            index
        })
    }
}

/// Distinct texts in the order of first use.
#[derive(Default)]
struct Indexed {
    list: Vec<String>,
    known: HashMap<String, u32>,
}

impl Indexed {
    fn index(&mut self, text: &str) -> u32 {
        if let Some(&index) = self.known.get(text) {
            return index;
        }
        let index = self.list.len() as u32;
        self.list.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        index
    }
}
