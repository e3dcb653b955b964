//! Views of linked contexts: roles, what is chosen in them, and the ranking of pairs.

use std::sync::Arc;

use analysis::{
    Collapse, FilterError, Filtered, FrameKeys, LinkedRole, NodeId, Order, Pair, Tree,
    linked_pairs, meeting, merged_pairs, path_groups,
};
use std::borrow::Cow;

use profile::{ContextId, FrameId, MetricId};
use protocol::{CommonAncestor, ErrorCode, LinkedContext, PairInfo, ProtocolError, RoleView};

use crate::kinds::profile::convert;
use crate::kinds::profile::document::facts::roles;
use crate::kinds::profile::document::view::ChosenRole;
use crate::kinds::profile::document::view::RoleOptions;
use crate::kinds::profile::trees::views::{filtered_by, frame_keys, linked_base, tree_of};
use crate::{ProfileDocument, ViewOptions};

/// A ranking of pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct PairsReport {
    /// Largest first.
    pub pairs: Vec<PairRow>,
    /// How many pairs there are.
    pub all: usize,
    /// Sums over all pairs, one a measured metric.
    pub totals: Vec<i64>,
    /// The measured metric that ranks them: that of the options, or the one that stands for it.
    pub metric: MetricId,
}

/// Two contexts that points join, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRow {
    /// What they are called, and where their paths part.
    pub info: PairInfo,
    /// Sums over the points that join them, one a metric.
    pub values: Vec<i64>,
}

/// The role of a name, such as `reuse`.
pub fn role_named(document: &ProfileDocument, name: &str) -> Option<LinkedRole> {
    roles(document).iter().copied().find(|role| role.name(document.profile()) == name)
}

/// The pairs of contexts that points join in two roles, one where they are equal at the options'
/// granularity, largest first, at most `limit`.
pub fn pairs_report(
    document: &ProfileDocument,
    options: &ViewOptions,
    roles: [LinkedRole; 2],
    limit: usize,
) -> Result<PairsReport, ProtocolError> {
    // Any of the roles will do: what counts is what is chosen.
    let chosen = options.role.as_ref().map_or(vec![], |role| role.chosen.clone());
    let role = Some(RoleOptions { role: roles[0], chosen });
    let options = ViewOptions { role, ..options.clone() };
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    let keys = frame_keys(document, options.granularity);
    let groups = path_groups(&filtered, &keys, options.collapse);
    let metric = filtered.base_metric(options.metric);
    let pairs = linked_pairs(&filtered, roles, metric);
    let pairs = merged_pairs(pairs, &groups, metric);
    let mut totals = vec![0i64; document.profile().metrics.len()];
    for pair in &pairs {
        for (sum, value) in totals.iter_mut().zip(&pair.values) {
            *sum = sum.saturating_add(*value);
        }
    }
    let words = Words { filtered: &filtered, keys: &keys, collapse: options.collapse };
    let all = pairs.len();
    let rows = pairs.into_iter().take(limit).map(|pair| words.row(pair));
    Ok(PairsReport { pairs: rows.collect(), all, totals, metric })
}

/// The role of a number.
pub(crate) fn role_numbered(
    document: &ProfileDocument,
    role: u32,
) -> Result<LinkedRole, ProtocolError> {
    roles(document).get(role as usize).copied().ok_or_else(|| {
        let roles = roles(document).len();
        let message = match roles {
            0 => format!("the points of {} join no contexts: it has no roles", document.title()),
            _ => format!("{} has {roles} roles, not number {role}", document.title()),
        };
        let hint = "The summary lists the roles of a document.";
        ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
    })
}

/// A role view, checked.
pub(crate) fn role_options(
    document: &ProfileDocument,
    view: &RoleView,
) -> Result<RoleOptions, ProtocolError> {
    let role = role_numbered(document, view.role)?;
    let mut chosen: Vec<ChosenRole> = vec![];
    for node in &view.chosen {
        let other = role_numbered(document, node.role)?;
        if other == role || chosen.iter().any(|known| known.role == other) {
            let name = other.name(document.profile());
            let message = format!("the role {name} is shown or chosen twice");
            let hint = "Choose one node in each role but the shown one.";
            return Err(ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint));
        }
        let shape = convert::shape(node.shape);
        chosen.push(ChosenRole { role: other, shape, path: convert::path(&node.path) });
    }
    Ok(RoleOptions { role, chosen })
}

/// The filtered profile at a role, narrowed by what is chosen in others.
pub(crate) fn linked_at(
    document: &ProfileDocument,
    options: &ViewOptions,
    wanted: &RoleOptions,
) -> Result<Filtered, FilterError> {
    let trees = (wanted.chosen.iter())
        .map(|chosen| chosen_node(document, options, chosen))
        .collect::<Result<Vec<_>, _>>()?;
    type Holds<'a> = Box<dyn Fn(ContextId) -> bool + 'a>;
    let holds: Vec<Holds<'_>> = (trees.iter())
        .map(|(tree, node)| match node {
            Some(node) => tree.contains_context(*node),
            None => Box::new(|_| false),
        })
        .collect();
    let chosen: Vec<(LinkedRole, &dyn Fn(ContextId) -> bool)> =
        wanted.chosen.iter().zip(&holds).map(|(chosen, holds)| (chosen.role, &**holds)).collect();
    Ok(linked_base(document, options)?.at_role(wanted.role, &chosen))
}

/// The tree of a chosen node and the node; none where the tree has no such node.
fn chosen_node(
    document: &ProfileDocument,
    options: &ViewOptions,
    chosen: &ChosenRole,
) -> Result<(Tree, Option<NodeId>), FilterError> {
    // Not narrowed itself: of the points that count at last, the node holds the same either way.
    let role = Some(RoleOptions { role: chosen.role, chosen: vec![] });
    let options = ViewOptions { role, order: Order::Value, ..options.clone() };
    let mut tree = tree_of(document, chosen.shape, &options)?;
    let found = tree.locate(&chosen.path);
    let node = if chosen.path.is_empty() { Some(NodeId::ROOT) } else { found.last().copied() };
    Ok((tree, node.filter(|_| found.len() == chosen.path.len())))
}

/// What contexts are called.
struct Words<'a> {
    filtered: &'a Arc<Filtered>,
    keys: &'a FrameKeys,
    collapse: Collapse,
}

impl Words<'_> {
    fn row(&self, pair: Pair) -> PairRow {
        let [first, second] = pair.contexts;
        let profile = self.filtered.profile();
        let ancestor = meeting(self.filtered, first, second).frames.map(|[on_first, on_second]| {
            CommonAncestor {
                name: profile.frame_name(on_first).into_owned(),
                file: profile.frame_file(on_first).to_owned(),
                first_line: profile.place_line(on_first),
                second_line: profile.place_line(on_second),
            }
        });
        let info = PairInfo {
            first: self.context(first),
            second: self.context(second),
            ancestor,
            points: pair.points as f64,
            merged: pair.merged as f64,
        };
        PairRow { info, values: pair.values }
    }

    fn context(&self, context: ContextId) -> LinkedContext {
        let profile = self.filtered.profile();
        let frame = self.filtered.innermost_shown(context, None).map(|(_, frame)| FrameId(frame));
        let name = frame.map(|frame| profile.frame_name(frame));
        let label = frame.map(|frame| self.keys.label(profile, self.keys.key(frame)));
        LinkedContext {
            label: label.filter(|label| name.as_ref() != Some(label)).map(Cow::into_owned),
            name: frame.map_or(String::new(), |frame| profile.frame_name(frame).into_owned()),
            file: frame.map_or("", |frame| profile.frame_file(frame)).to_owned(),
            line: frame.map_or(0, |frame| profile.place_line(frame)),
            path: self.path(context),
        }
    }

    /// The keys of a context's node in the top-down tree.
    fn path(&self, context: ContextId) -> Vec<u32> {
        let profile = self.filtered.profile();
        let mut path = vec![];
        let mut at = Some(context);
        while let Some(context) = at {
            let frames = profile.frames_of(context).rev();
            let shown = frames.filter(|&frame| self.filtered.shows(context, frame));
            path.extend(shown.map(|frame| self.keys.key(FrameId(frame))));
            at = profile.contexts.parent(context);
        }
        let mut folded = vec![];
        path.into_iter().rev().for_each(|key| self.collapse.extend(&mut folded, key));
        folded.into_iter().map(|key| key.0).collect()
    }
}
