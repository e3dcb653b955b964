//! The boxes of a tree as columns: of flame graphs and treemaps.

use std::collections::HashMap;

use analysis::{GroupPlace, NodeId, Pattern, Tree, matching_frames, matching_keys};
use layout::FlameBox;
use profile::{FrameId, MetricId};
use protocol::{FlameColumns, FlameFlag, FlameResult, LabelBy, NameLabel, ProtocolError};

use crate::ProfileDocument;
use crate::kinds::pattern_error;
use crate::kinds::profile::compare::tests_of_runs::{compared_sides, significance};
use crate::kinds::profile::convert;
use crate::kinds::profile::pictures::appearance::{Painter, label_of};
use crate::kinds::profile::trees::views::View;

/// What is told of boxes beside where they are.
pub(in crate::kinds::profile) struct Boxes<'a> {
    document: &'a ProfileDocument,
    painter: Painter<'a>,
    matching: Vec<bool>,
    labels: LabelBy,
    names: Names,
    modules: Indexed,
    files: Indexed,
    columns: FlameColumns,
}

impl<'a> Boxes<'a> {
    /// Of a tree in `metric`, with what `search` finds marked.
    pub(in crate::kinds::profile) fn new(
        document: &'a ProfileDocument,
        tree: &Tree,
        painter: Painter<'a>,
        search: &str,
        labels: LabelBy,
    ) -> Result<Boxes<'a>, ProtocolError> {
        let matching = match search {
            "" => vec![],
            text => {
                let pattern = Pattern::search(text).map_err(pattern_error)?;
                matching_keys(tree.keys(), &matching_frames(tree.filtered(), &pattern))
            }
        };
        let (mut modules, mut files) = (Indexed::default(), Indexed::default());
        modules.index("");
        files.index("");
        let columns = FlameColumns::default();
        let names = Names::default();
        Ok(Boxes { document, painter, matching, labels, names, modules, files, columns })
    }

    /// The next box.
    pub(in crate::kinds::profile) fn push(&mut self, tree: &mut Tree, entry: &FlameBox) {
        let columns = &mut self.columns;
        let is_merged = entry.merged > 0;
        let shown = self.painter.show(tree, entry.node, entry.self_value, entry.total_value);
        if let Some((tag, change)) = shown.change {
            columns.tag.push(if is_merged { 0 } else { 1 + convert::tag(tag) as u32 });
            if self.document.comparison().is_some() {
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
            columns.name.push(self.names.index("", ""));
            columns.module.push(0);
            columns.file.push(0);
            columns.flags.push(0);
            return;
        }
        let label = label_of(tree, entry.node, self.labels);
        columns.name.push(self.names.index(&tree.name(entry.node), &label));
        let GroupPlace { file, module, .. } = tree.place(entry.node);
        columns.module.push(self.modules.index(module));
        columns.file.push(self.files.index(file));
        let pale = if shown.is_pale { FlameFlag::PALE } else { 0 };
        let unsure = if shown.is_unsure { FlameFlag::UNSURE } else { 0 };
        columns.flags.push(pale | unsure | flags(tree, entry.node, &self.matching));
    }

    /// Where the next box stands in height; only treemaps tell that.
    pub(in crate::kinds::profile) fn push_height(&mut self, y: f64, height: f64) {
        self.columns.y.push(y);
        self.columns.height.push(height);
    }

    /// The boxes around a root. What its layout tells and the way to the root are still to be said.
    pub(in crate::kinds::profile) fn finish(
        mut self,
        tree: &Tree,
        instance: u32,
        root: NodeId,
    ) -> (FlameResult, FlameColumns) {
        let parent = tree.node(root).parent;
        self.columns.scale = [NodeId::ROOT, root, parent].map(|node| tree.node(node).total).into();
        let result = FlameResult {
            instance,
            merged_frames: 0.0,
            total_rows: 0,
            narrowest: 0.0,
            names: self.names.list.list,
            labels: self.names.labels,
            modules: self.modules.list,
            files: self.files.list,
            breadcrumb: vec![],
        };
        (result, self.columns)
    }
}

/// What paints the boxes of a view's tree.
pub(in crate::kinds::profile) fn painter<'a>(
    document: &'a ProfileDocument,
    view: &'a View,
    tree: &mut Tree,
    metric: MetricId,
) -> Painter<'a> {
    let tests = significance(document, view, tree, compared_sides(document, metric));
    Painter::new(document, metric, tests)
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
