//! Comparisons for the command line.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use analysis::{Change, Comparison, Match, Merged, NodeId, Rules, Side, Tree};
use formats::Warnings;
use profile::{FrameId, Metric};
use protocol::ProtocolError;

use crate::{Document, ReportRow, ReportShape, ViewOptions, convert};

/// A base and a new profile, compared.
#[derive(Debug)]
pub struct Compared {
    /// The union of both; its metrics are those of both, in threes: see [`Side`].
    pub document: Document,
    /// The metrics that both have in all.
    pub metrics: Vec<Metric>,
    /// How many profiles the base and the new one are, whose values are added up.
    pub inputs: [usize; 2],
    /// Functions of the base that are functions of the new profile, by their new name and place.
    pub(crate) matches: Vec<Match>,
}

/// One row of a comparison.
#[derive(Debug, Clone)]
pub struct ChangeRow {
    /// Name and place; its values are those of both sides together.
    pub row: ReportRow,
    /// Self values.
    pub own: Change,
    /// Total values.
    pub total: Change,
}

impl Compared {
    /// Compares two open profiles, whose functions `rules` match.
    pub fn new(base: &Document, new: &Document, rules: Rules) -> Compared {
        let Comparison { profile, metrics, notes, mut matches } =
            Comparison::matched(base.profile(), new.profile(), rules);
        matches.sort_by(|a, b| a.new.cmp(&b.new));
        let title = format!("{} → {}", base.title(), new.title());
        let inputs = [base, new].map(|side| side.profile().members.len().max(1));
        let merged = Merged { profile, inputs: inputs.iter().sum(), notes };
        let document = Document::new(&title, merged, Warnings::default());
        Compared { document, metrics, inputs, matches }
    }

    /// The totals of both, as filtered; `options.metric` is a metric of both.
    pub fn total(&self, options: &ViewOptions) -> Result<Change, ProtocolError> {
        let of = |side: Side| self.document.total(&sided(options, side));
        Ok(Change { base: of(Side::Base)?, new: of(Side::New)? })
    }

    /// Functions by the size of the change of their self values (then of their totals, then by self
    /// value and name), at most `limit` of them; also how many there are.
    pub fn flat_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<ChangeRow>, usize), ProtocolError> {
        let flat = |side| self.document.flat(&sided(options, side)).map_err(convert::filter_error);
        let (base, new) = (flat(Side::Base)?, flat(Side::New)?);
        let keys = self.document.keys(options.granularity);
        let profile = self.document.profile();
        let own = |key: usize| Change { base: base.self_value[key], new: new.self_value[key] };
        let total = |key: usize| Change { base: base.total_value[key], new: new.total_value[key] };
        let is_empty = |change: Change| change == Change::default();
        let mut found: Vec<usize> =
            (0..keys.len()).filter(|&key| !is_empty(own(key)) || !is_empty(total(key))).collect();
        let size = |change: Change| Reverse(change.difference().unsigned_abs());
        found.sort_by_cached_key(|&key| {
            let (own, total) = (own(key), total(key));
            (size(own), size(total), Reverse(both(own)), keys.name(profile, key as u32))
        });
        let count = found.len();
        found.truncate(limit);
        let rows = found.into_iter().map(|key| {
            let name = keys.name(profile, key as u32).into_owned();
            let frame = Some(keys.representative(key as u32));
            let (own, total) = (own(key), total(key));
            let row = self.document.row(name, frame, both(own), both(total), 0);
            ChangeRow { row, own, total }
        });
        Ok((rows.collect(), count))
    }

    /// The nodes of a tree with the largest changes, at most `limit`, siblings in the order of the
    /// size of their change: each row is given with the names from the outermost down to it.
    pub fn tree_report(
        &self,
        shape: ReportShape,
        options: &ViewOptions,
        limit: usize,
        mut each: impl FnMut(&ChangeRow, &[String]) -> std::io::Result<()>,
    ) -> Result<std::io::Result<()>, ProtocolError> {
        let tree = self.document.tree(shape.into(), &sided(options, Side::Both));
        let mut tree = tree.map_err(convert::filter_error)?;
        let metric = options.metric;
        let chosen = (limit < usize::MAX).then(|| most_changed(&mut tree, metric, limit));
        let mut path: Vec<String> = vec![];
        let mut open = vec![NodeId::ROOT];
        while let Some(node) = open.pop() {
            let children = tree.children(node).map(NodeId);
            let mut kept: Vec<NodeId> = children
                .filter(|child| chosen.as_ref().is_none_or(|chosen| chosen.contains(&child.0)))
                .collect();
            if node != NodeId::ROOT {
                let depth = tree.node(node).depth - 1;
                path.truncate(depth as usize);
                path.push(tree.name(node).into_owned());
                let (own, total) = changes(&mut tree, metric, node);
                let frame = tree.node(node).frame.map(FrameId);
                let name = tree.name(node).into_owned();
                let row = self.document.row(name, frame, both(own), both(total), depth);
                if let Err(error) = each(&ChangeRow { row, own, total }, &path) {
                    return Ok(Err(error));
                }
            }
            // The last is taken first.
            kept.sort_by_cached_key(|&child| {
                let (_, total) = changes(&mut tree, metric, child);
                (total.difference().unsigned_abs(), both(total), Reverse(child.0))
            });
            open.extend(kept);
        }
        Ok(Ok(()))
    }
}

/// The options for one side of the metric.
fn sided(options: &ViewOptions, side: Side) -> ViewOptions {
    ViewOptions { metric: side.of(options.metric), ..options.clone() }
}

fn both(change: Change) -> i64 {
    change.base.saturating_add(change.new)
}

/// Changes of self and total.
fn changes(tree: &mut Tree, metric: usize, node: NodeId) -> (Change, Change) {
    let (base, base_total) = tree.values(node, Side::Base.of(metric));
    let (new, new_total) = tree.values(node, Side::New.of(metric));
    (Change { base, new }, Change { base: base_total, new: new_total })
}

/// The `limit` nodes with the largest changes that are found from the root, always with the nodes
/// above them.
fn most_changed(tree: &mut Tree, metric: usize, limit: usize) -> HashSet<u32> {
    let mut chosen = HashSet::new();
    let mut open = BinaryHeap::new();
    let mut node = NodeId::ROOT;
    loop {
        for child in tree.children(node) {
            let (_, total) = changes(tree, metric, NodeId(child));
            open.push((total.difference().unsigned_abs(), both(total), Reverse(child)));
        }
        match open.pop() {
            Some((.., Reverse(next))) if chosen.len() < limit => {
                chosen.insert(next);
                node = NodeId(next);
            }
            _ => return chosen,
        }
    }
}
