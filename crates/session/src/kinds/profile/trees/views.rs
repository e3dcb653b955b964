//! What was derived from an open profile, kept for the next request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use analysis::{
    Collapse, Filter, FilterError, Filtered, FlatValues, FrameKeys, Granularity, NodeId, Shape,
    Significance, Tree, flat_values,
};
use profile::{MetricId, Profile};
use protocol::{ErrorCode, ProtocolError, ViewSpec};

use crate::kept::Question;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::{RoleOptions, ViewOptions};
use crate::kinds::profile::trees::linked::{linked_at, role_options};

#[derive(PartialEq, Eq, Hash)]
struct KeysBy(Granularity);

impl Question for KeysBy {
    type Answer = FrameKeys;
    const KEPT: usize = 16;
}

#[derive(PartialEq, Eq, Hash)]
struct FilteredBy {
    filters: Vec<Filter>,
    drop_frames: bool,
}

impl Question for FilteredBy {
    type Answer = Filtered;
    const KEPT: usize = 4;
}

/// What decides which points a view of linked contexts counts, and where; without a role only the
/// filters do. What is chosen depends on granularity and recursion too.
#[derive(PartialEq, Eq, Hash)]
struct LinkedBy {
    filters: Vec<Filter>,
    drop_frames: bool,
    role: Option<RoleOptions>,
    granularity: Granularity,
    collapse: Collapse,
}

impl Question for LinkedBy {
    type Answer = Filtered;
    const KEPT: usize = 12;
}

#[derive(PartialEq, Eq, Hash)]
struct FlatBy {
    filters: Vec<Filter>,
    drop_frames: bool,
    granularity: Granularity,
    metric: MetricId,
    role: Option<(RoleOptions, Collapse)>,
}

impl Question for FlatBy {
    type Answer = FlatValues;
    const KEPT: usize = 8;
}

#[derive(PartialEq, Eq, Hash)]
struct ViewBy(ViewSpec);

impl Question for ViewBy {
    type Answer = View;
    const KEPT: usize = 16;
}

/// A tree with the number of its build.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) instance: u32,
    pub(crate) tree: Arc<Mutex<Tree>>,
    pub(in crate::kinds::profile) significance: Arc<OnceLock<Option<Tests>>>,
}

/// A number for a build of a view: no other build of this process has it, and hardly one of another.
fn next_instance() -> u32 {
    static LAST: LazyLock<AtomicU32> =
        LazyLock::new(|| AtomicU32::new((crate::random::random() >> 33) as u32));
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// By node, what tests of a comparison's runs gave.
pub(crate) type Tests = HashMap<NodeId, Significance>;

/// The frames grouped.
pub(crate) fn frame_keys(document: &ProfileDocument, granularity: Granularity) -> Arc<FrameKeys> {
    document.kept().made(KeysBy(granularity), || FrameKeys::new(&document.profile, granularity))
}

/// The profile filtered.
pub(crate) fn filtered_profile(
    document: &ProfileDocument,
    filters: &[Filter],
    drop_frames: bool,
) -> Result<Arc<Filtered>, FilterError> {
    document.kept().answer(FilteredBy { filters: filters.to_vec(), drop_frames }, || {
        let mut filtered = Filtered::new(document.profile.clone(), filters, drop_frames)?;
        if let Some(profile) = means_of(document, &filtered) {
            filtered = Filtered::new(profile, filters, drop_frames)?;
        }
        Ok(filtered.deriving(document.metrics.clone()))
    })
}

/// Self and total by key.
pub(crate) fn flat_by(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<Arc<FlatValues>, FilterError> {
    let ViewOptions { metric, granularity, filters, drop_frames, role, .. } = options.clone();
    let role = role.map(|role| (role, options.collapse));
    document.kept().answer(FlatBy { filters, drop_frames, granularity, metric, role }, || {
        let filtered = filtered_by(document, options)?;
        let keys = frame_keys(document, granularity);
        Ok(flat_values(&filtered, keys.keys(), keys.len(), metric))
    })
}

/// The profile filtered, at the role of the options.
pub(crate) fn filtered_by(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<Arc<Filtered>, FilterError> {
    let Some(role) = &options.role else {
        return filtered_profile(document, &options.filters, options.drop_frames);
    };
    linked(document, options, Some(role), |document| linked_at(document, options, role))
}

/// The profile filtered for linked views, before any role is looked at.
pub(crate) fn linked_base(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<Arc<Filtered>, FilterError> {
    linked(document, options, None, |document| {
        let profile = document.profile.clone();
        let mut linked = Filtered::linked(profile, &options.filters, options.drop_frames)?;
        if let Some(profile) = means_of(document, &linked) {
            linked = Filtered::linked(profile, &options.filters, options.drop_frames)?;
        }
        Ok(linked.deriving(document.metrics.clone()))
    })
}

/// Of a comparison of runs: the profile whose values are means of the runs that filters left;
/// none where they are so already.
fn means_of(document: &ProfileDocument, filtered: &Filtered) -> Option<Arc<Profile>> {
    let groups = &document.comparison()?.groups;
    analysis::means_of(&document.profile, groups, filtered.parts()).map(Arc::new)
}

fn linked(
    document: &ProfileDocument,
    options: &ViewOptions,
    role: Option<&RoleOptions>,
    make: impl FnOnce(&ProfileDocument) -> Result<Filtered, FilterError>,
) -> Result<Arc<Filtered>, FilterError> {
    let ViewOptions { filters, drop_frames, granularity, collapse, .. } = options.clone();
    let role = role.cloned();
    let question = LinkedBy { filters, drop_frames, role, granularity, collapse };
    document.kept().answer(question, || make(document))
}

/// A new tree.
pub(crate) fn tree_of(
    document: &ProfileDocument,
    shape: Shape,
    options: &ViewOptions,
) -> Result<Tree, FilterError> {
    let filtered = filtered_by(document, options)?;
    let keys = frame_keys(document, options.granularity);
    let ViewOptions { metric, order, collapse, .. } = *options;
    Ok(Tree::new(filtered, keys, shape, metric, order, collapse))
}

/// The view of a spec, as it was built before or new.
pub(crate) fn view_of(document: &ProfileDocument, spec: &ViewSpec) -> Result<View, ProtocolError> {
    let view = document.kept().answer(ViewBy(spec.clone()), || {
        let options = view_options(document, spec)?;
        let shape = convert::shape(spec.shape);
        if let Shape::Callees(key) | Shape::Callers(key) = shape
            && key.index() >= frame_keys(document, options.granularity).len()
        {
            let message = format!("no function has the key {}", key.0);
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        let tree = tree_of(document, shape, &options).map_err(convert::filter_error)?;
        Ok(View {
            instance: next_instance(),
            tree: Arc::new(Mutex::new(tree)),
            significance: Arc::default(),
        })
    })?;
    Ok((*view).clone())
}

/// The options of a spec; an error where its metric does not exist.
pub(crate) fn view_options(
    document: &ProfileDocument,
    spec: &ViewSpec,
) -> Result<ViewOptions, ProtocolError> {
    let metrics = document.metrics().len();
    if spec.metric as usize >= metrics {
        let message = match metrics {
            0 => format!("{} has no metrics: nothing was measured", document.title),
            _ => format!("{} has {metrics} metrics, not number {}", document.title, spec.metric),
        };
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    Ok(ViewOptions {
        metric: MetricId(spec.metric),
        more_metrics: vec![],
        granularity: convert::granularity(spec.granularity),
        filters: convert::filters(&spec.filters),
        order: convert::order(spec.order),
        collapse: convert::collapse(spec.collapse_recursion),
        drop_frames: true,
        role: spec.role.as_ref().map(|role| role_options(document, role)).transpose()?,
    })
}
