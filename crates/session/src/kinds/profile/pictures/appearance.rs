//! How the nodes of a profile look: what pictures, boxes and rows have in common.

use std::borrow::Cow;
use std::sync::Arc;

use analysis::{Change, FrameKey, FrameKeys, GroupPlace, NodeId, Tag, Tree};
use profile::{FrameId, MetricId, Profile, base_name};
use protocol::LabelBy;

use crate::ProfileDocument;
use crate::kept::Question;
use crate::kinds::profile::compare::tests_of_runs::{change_of, compared_sides};
use crate::kinds::profile::document::comparing::{Runs, Sides};
use crate::kinds::profile::pictures::colours::{Look, Looks, Measured, Names, of_sign};
use crate::kinds::profile::trees::views::Tests;

/// What of a whole profile decides how its parts look.
#[derive(Debug)]
pub(crate) struct Appearance {
    looks: Looks,
    /// Whether any frame has a source file: where none has, it says nothing of one to have none.
    has_sources: bool,
    /// By measured metric, whether any value is below 0.
    falls: Vec<bool>,
}

/// How a node looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    pub(crate) look: Look,
    /// Of a comparison, or of a metric whose values are changes.
    pub(crate) change: Option<(Tag, Change)>,
    /// Its source is not known though that of others is.
    pub(crate) is_pale: bool,
    /// There are several runs, and they do not show whether it changed.
    pub(crate) is_unsure: bool,
}

/// Tells how the nodes of a tree look in its metric.
pub(crate) struct Painter<'a> {
    document: &'a ProfileDocument,
    appearance: Arc<Appearance>,
    tests: Option<&'a Tests>,
    sides: Sides,
    is_signed: bool,
}

impl Appearance {
    pub(crate) fn new(profile: &Profile) -> Appearance {
        let has_file = |frame| !profile.frame_file(frame).is_empty();
        let metrics = (0..profile.metrics.len() as u32).map(MetricId);
        Appearance {
            looks: Looks::new(profile),
            has_sources: (0..profile.frames.len() as u32).map(FrameId).any(has_file),
            falls: metrics
                .map(|metric| profile.points.values(metric).any(|value| value < 0))
                .collect(),
        }
    }

    /// The look of a group of frames by its names alone: what stands beside its row.
    pub(crate) fn of_key(&self, profile: &Profile, keys: &FrameKeys, key: FrameKey) -> Look {
        self.of_measured_key(profile, keys, key, Measured { own: 0, total: 0, change: None })
    }

    /// The same with something measured of it.
    pub(crate) fn of_measured_key(
        &self,
        profile: &Profile,
        keys: &FrameKeys,
        key: FrameKey,
        measured: Measured,
    ) -> Look {
        self.looks.look(
            names(profile, &keys.name(profile, key), Some(keys.representative(key))),
            measured,
        )
    }

    /// The same of a node.
    pub(crate) fn of_node(&self, tree: &Tree, node: NodeId) -> Look {
        let measured = Measured { own: 0, total: 0, change: None };
        let profile = tree.filtered().profile();
        self.looks.look(names(profile, &tree.name(node), frame_of(tree, node)), measured)
    }
}

impl<'a> Painter<'a> {
    /// For a tree in `metric`; `tests` are those of a comparison's runs.
    pub(crate) fn new(
        document: &'a ProfileDocument,
        metric: MetricId,
        tests: Option<&'a Tests>,
    ) -> Painter<'a> {
        let sides = compared_sides(document, metric);
        let appearance = appearance(document);
        Painter { document, appearance, tests, sides, is_signed: is_signed(document, metric) }
    }

    /// Whether runs were tested.
    pub(crate) fn is_tested(&self) -> bool {
        self.tests.is_some()
    }

    /// Whether nodes have changes.
    pub(crate) fn tells_changes(&self) -> bool {
        self.is_signed || self.document.comparison().is_some()
    }

    /// How a node with these values looks.
    pub(crate) fn show(&self, tree: &mut Tree, node: NodeId, own: i64, total: i64) -> Shown {
        let mut is_unsure = false;
        let change = match self.document.comparison() {
            Some(comparing) => {
                let change = change_of(tree, node, self.sides);
                let runs = Runs::new(self.tests, &node);
                let tag = comparing.tag(change, runs);
                is_unsure = tag != Tag::Unchanged && comparing.verdict(runs).is_undecided();
                Some((tag, change))
            }
            None => self.is_signed.then(|| of_sign(total)),
        };
        let appearance = &self.appearance;
        let profile = self.document.profile();
        let frame = frame_of(tree, node);
        let name = tree.name(node);
        let names = names(profile, &name, frame);
        let is_pale = appearance.has_sources && tree.is_frame(node) && names.file.is_empty();
        let look = appearance.looks.look(names, Measured { own, total, change });
        Shown { look, change, is_pale, is_unsure }
    }
}

#[derive(PartialEq, Eq, Hash)]
struct HowItLooks;

impl Question for HowItLooks {
    type Answer = Appearance;
    const KEPT: usize = 1;
}

/// How its parts look.
pub(crate) fn appearance(document: &ProfileDocument) -> Arc<Appearance> {
    document.kept().made(HowItLooks, || Appearance::new(document.profile()))
}

/// Whether the values of a metric are changes: widths are their magnitudes, colours their signs.
pub(crate) fn is_signed(document: &ProfileDocument, metric: MetricId) -> bool {
    if let Some(&falls) = appearance(document).falls.get(metric.index()) {
        return falls;
    }
    let place = metric.index() - document.profile().metrics.len();
    let derived = document.metrics.get(place);
    let formula = derived.as_ref().and_then(|derived| derived.formula());
    document.is_change(metric) || formula.is_some_and(|formula| formula.is_change())
}

/// What a node is called in a picture.
pub(crate) fn label_of(tree: &Tree, node: NodeId, by: LabelBy) -> Cow<'_, str> {
    let label = tree.label(node);
    if !tree.is_frame(node) {
        return label;
    }
    let GroupPlace { file, line, module, .. } = tree.place(node);
    let module = base_name(module);
    match by {
        LabelBy::Module if !module.is_empty() => format!("{} {module}", tree.name(node)).into(),
        LabelBy::Place if !file.is_empty() => match line {
            0 => base_name(file).to_owned().into(),
            line => format!("{}:{line}", base_name(file)).into(),
        },
        _ => label,
    }
}

/// The frame that stands for a node: the same for every node of a function, so that it looks the
/// same everywhere. What is not a function has that of its first.
fn frame_of(tree: &Tree, node: NodeId) -> Option<FrameId> {
    if tree.is_frame(node) {
        return Some(tree.keys().representative(tree.node(node).key));
    }
    tree.node(node).frame.map(FrameId)
}

fn names<'a>(profile: &'a Profile, name: &'a str, frame: Option<FrameId>) -> Names<'a> {
    let of = |text: fn(&Profile, FrameId) -> &str| match frame {
        Some(frame) => text(profile, frame),
        None => "",
    };
    Names { name, module: of(Profile::frame_module), file: of(Profile::frame_file) }
}
