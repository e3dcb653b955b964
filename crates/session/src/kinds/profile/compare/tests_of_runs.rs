//! What runs say of changes: tests of the nodes of a view, and of functions.

use std::collections::HashMap;

use analysis::{Change, FrameKey, GroupPlaces, MemberSums, NodeId, Side, Significance, Tag, Tree};
use profile::MetricId;
use protocol::ProtocolError;

use crate::kinds::profile::convert;
use crate::kinds::profile::document::comparing::{Runs, Sides};
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::trees::views::{Tests, View, filtered_profile, frame_keys};

/// The metrics in which the changes that a metric of a comparison shows are: both sides of a formula
/// by side, otherwise of the metric that it is a side of, or that its formula names first.
pub(crate) fn compared_sides(document: &ProfileDocument, metric: MetricId) -> Sides {
    let compared = Sides::new(document.compared_metric(metric));
    if metric.index() < document.made_metrics() {
        return compared;
    }
    let formula = document.formulas().get(metric.index()).cloned().flatten();
    let sides = document
        .comparing
        .as_ref()
        .zip(formula)
        .and_then(|(of, formula)| of.formula_sides(&formula, document));
    sides.unwrap_or(Sides { compared: None, ..compared })
}

/// The kinds of change of nodes of a view, if it is one of a comparison; by the sides of `metric`.
pub(crate) fn tags(
    document: &ProfileDocument,
    view: &View,
    tree: &mut Tree,
    metric: MetricId,
    nodes: impl Iterator<Item = NodeId>,
) -> Option<Vec<Tag>> {
    let comparing = document.comparing.as_ref()?;
    let sides = compared_sides(document, metric);
    let tests = significance(document, view, tree, sides);
    let tag = |node: NodeId| comparing.tag(change_of(tree, node, sides), Runs::new(tests, &node));
    Some(nodes.map(tag).collect())
}

/// The tests of the nodes of a comparison's view; none where there are no runs to test, and of formulas.
pub(crate) fn significance<'a>(
    document: &ProfileDocument,
    view: &'a View,
    tree: &mut Tree,
    sides: Sides,
) -> Option<&'a Tests> {
    let metric = sides.compared?;
    let groups = &document.comparing.as_ref()?.groups;
    view.significance.get_or_init(|| groups.significance(tree, metric)).as_ref()
}

/// What the tests of runs gave, by function or node.
pub(crate) struct Tested<T> {
    /// Those of self values. Runs are asked for functions, not for the nodes of trees.
    pub(crate) own: Option<HashMap<T, Significance>>,
    /// Those of totals.
    pub(crate) total: HashMap<T, Significance>,
}

/// Tests the functions that are large enough, by key, in a metric of the comparison; none where
/// there are no runs to test. `total` tells the change of a function.
pub(crate) fn function_tests(
    document: &ProfileDocument,
    options: &ViewOptions,
    metric: MetricId,
    total: &dyn Fn(FrameKey) -> Change,
) -> Result<Option<Tested<FrameKey>>, ProtocolError> {
    let Some(comparing) = document.comparison() else { return Ok(None) };
    let groups = &comparing.groups;
    let filtered = filtered_profile(document, &options.filters, options.drop_frames);
    let filtered = filtered.map_err(convert::filter_error)?;
    if !groups.can_test(filtered.parts()) {
        return Ok(None);
    }
    let keys = frame_keys(document, options.granularity);
    let both = Side::Both.of(metric);
    let least = filtered.program_total(both) as f64 * Significance::LEAST_SHARE;
    let is_large = |key: &FrameKey| total(*key).both() as f64 >= least;
    let places = GroupPlaces::new(&filtered, keys.keys(), keys.len());
    let large = keys.all().filter(is_large);
    let sums = large.map(|key| (key, places.sums(&filtered, key, &[both])));
    let (own, total): (Vec<_>, Vec<_>) =
        sums.map(|(key, MemberSums { own, total })| ((key, own), (key, total))).unzip();
    let parts = filtered.parts();
    // Self values that are next to nothing would only be further tests to adjust for.
    let of_own = |(_, own): &(FrameKey, Vec<i64>)| {
        own.iter().map(|&value| value as f64).sum::<f64>() >= least
    };
    let own: Vec<_> = own.into_iter().filter(of_own).collect();
    Ok(Some(Tested {
        own: Some(groups.test(parts, metric, own.into_iter())),
        total: groups.test(parts, metric, total.into_iter()),
    }))
}

/// The totals of a node on either side.
pub(crate) fn change_of(tree: &mut Tree, node: NodeId, sides: Sides) -> Change {
    let base = tree.values(node, sides.base).1;
    Change { base, new: tree.values(node, sides.new).1 }
}
