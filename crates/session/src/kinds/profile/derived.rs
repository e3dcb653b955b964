//! What was derived from an open profile, kept for the next request.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock};

use analysis::advice::AdviceRule;
use analysis::{
    Collapse, Filter, FilterError, Filtered, FlatValues, FrameKeys, Granularity, NodeId, Shape,
    Significance, Tree, flat_values,
};
use lru::LruCache;
use profile::{MetricId, Profile};
use protocol::{ErrorCode, ProtocolError, ViewSpec};

use crate::kinds::profile::advised::AllAdvised;
use crate::kinds::profile::convert;
use crate::kinds::profile::correlate::RoleOptions;
use crate::kinds::profile::document::{ProfileDocument, ViewOptions};
use crate::kinds::profile::source_index::SourceIndex;
use crate::kinds::profile::source_places::SourcePlaces;
use crate::lock;

/// What was used last stays.
#[derive(Debug)]
pub(super) struct Caches {
    keys: Vec<Arc<FrameKeys>>,
    filtered: LruCache<(Vec<Filter>, bool), Arc<Filtered>>,
    linked: LruCache<LinkedKey, Arc<Filtered>>,
    flat: LruCache<FlatKey, Arc<FlatValues>>,
    sources: LruCache<MetricId, Arc<SourceIndex>>,
    views: LruCache<ViewSpec, View>,
    /// Advice over all of the profile, with the rules that it is by.
    advised: LruCache<MetricId, (Vec<AdviceRule>, Arc<AllAdvised>)>,
    next_instance: u32,
}

impl Default for Caches {
    fn default() -> Caches {
        Caches {
            keys: vec![],
            filtered: holding(4),
            linked: holding(12),
            flat: holding(8),
            sources: holding(16),
            views: holding(16),
            advised: holding(4),
            // Numbers of another process are of other trees.
            next_instance: (crate::session::random() >> 33) as u32,
        }
    }
}

fn holding<K: std::hash::Hash + Eq, V>(most: usize) -> LruCache<K, V> {
    LruCache::new(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN))
}

type FlatKey = (Vec<Filter>, bool, Granularity, MetricId, Option<(RoleOptions, Collapse)>);

/// What decides which points a view of linked contexts counts, and where; without a role only the
/// filters do. What is chosen depends on granularity and recursion too.
type LinkedKey = (Vec<Filter>, bool, Option<RoleOptions>, Granularity, Collapse);

/// A tree with the number of its build.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) instance: u32,
    pub(crate) tree: Arc<Mutex<Tree>>,
    pub(super) significance: Arc<OnceLock<Option<Tests>>>,
}

/// By node, what tests of a comparison's runs gave.
pub(crate) type Tests = HashMap<NodeId, Significance>;

impl ProfileDocument {
    /// Advice that is known already.
    pub(super) fn advised(&self, metric: MetricId, by: &[AdviceRule]) -> Option<Arc<AllAdvised>> {
        let mut derived = lock(&self.derived);
        let (rules, advised) = derived.advised.get(&metric)?;
        (rules == by).then(|| advised.clone())
    }

    pub(super) fn keep_advised(
        &self,
        metric: MetricId,
        by: &[AdviceRule],
        advised: Arc<AllAdvised>,
    ) {
        lock(&self.derived).advised.put(metric, (by.to_vec(), advised));
    }

    /// The frames grouped.
    pub(crate) fn keys(&self, granularity: Granularity) -> Arc<FrameKeys> {
        let mut derived = lock(&self.derived);
        if let Some(known) = derived.keys.iter().find(|keys| keys.granularity() == granularity) {
            return known.clone();
        }
        let keys = Arc::new(FrameKeys::new(&self.profile, granularity));
        derived.keys.push(keys.clone());
        keys
    }

    /// The profile filtered.
    pub(crate) fn filtered(
        &self,
        filters: &[Filter],
        drop_frames: bool,
    ) -> Result<Arc<Filtered>, FilterError> {
        let key = (filters.to_vec(), drop_frames);
        if let Some(known) = lock(&self.derived).filtered.get(&key).cloned() {
            return Ok(known);
        }
        let mut filtered = Filtered::new(self.profile.clone(), filters, drop_frames)?;
        if let Some(profile) = self.means_of(&filtered) {
            filtered = Filtered::new(profile, filters, drop_frames)?;
        }
        let filtered = Arc::new(filtered.deriving(self.metrics.clone()));
        lock(&self.derived).filtered.put(key, filtered.clone());
        Ok(filtered)
    }

    /// Self and total by key.
    pub(crate) fn flat(&self, options: &ViewOptions) -> Result<Arc<FlatValues>, FilterError> {
        let ViewOptions { metric, granularity, filters, drop_frames, role, .. } = options;
        let role = role.clone().map(|role| (role, options.collapse));
        let key = (filters.clone(), *drop_frames, *granularity, *metric, role);
        if let Some(known) = lock(&self.derived).flat.get(&key).cloned() {
            return Ok(known);
        }
        let filtered = self.filtered_by(options)?;
        let keys = self.keys(*granularity);
        let flat = Arc::new(flat_values(&filtered, keys.keys(), keys.len(), *metric));
        lock(&self.derived).flat.put(key, flat.clone());
        Ok(flat)
    }

    /// The frames by line and function of their files; worked out once.
    pub(crate) fn source_places(
        &self,
        make: impl FnOnce() -> Arc<SourcePlaces>,
    ) -> Arc<SourcePlaces> {
        self.source_places.get_or_init(make).clone()
    }

    /// What is known of source files in a metric.
    pub(crate) fn known_sources(&self, metric: MetricId) -> Option<Arc<SourceIndex>> {
        lock(&self.derived).sources.get(&metric).cloned()
    }

    /// Keeps what was worked out of source files in a metric.
    pub(crate) fn keep_sources(&self, metric: MetricId, index: Arc<SourceIndex>) {
        lock(&self.derived).sources.put(metric, index);
    }

    /// The profile filtered, at the role of the options.
    pub(crate) fn filtered_by(&self, options: &ViewOptions) -> Result<Arc<Filtered>, FilterError> {
        let Some(role) = &options.role else {
            return self.filtered(&options.filters, options.drop_frames);
        };
        self.linked(options, Some(role), |document| document.at_role(options, role))
    }

    /// The profile filtered for linked views, before any role is looked at.
    pub(crate) fn linked_base(&self, options: &ViewOptions) -> Result<Arc<Filtered>, FilterError> {
        self.linked(options, None, |document| {
            let profile = document.profile.clone();
            let mut linked = Filtered::linked(profile, &options.filters, options.drop_frames)?;
            if let Some(profile) = document.means_of(&linked) {
                linked = Filtered::linked(profile, &options.filters, options.drop_frames)?;
            }
            Ok(linked.deriving(document.metrics.clone()))
        })
    }

    /// Of a comparison of runs: the profile whose values are means of the runs that filters left;
    /// none where they are so already.
    fn means_of(&self, filtered: &Filtered) -> Option<Arc<Profile>> {
        let groups = &self.comparison()?.groups;
        analysis::means_of(&self.profile, groups, filtered.parts()).map(Arc::new)
    }

    fn linked(
        &self,
        options: &ViewOptions,
        role: Option<&RoleOptions>,
        make: impl FnOnce(&ProfileDocument) -> Result<Filtered, FilterError>,
    ) -> Result<Arc<Filtered>, FilterError> {
        let ViewOptions { filters, drop_frames, granularity, collapse, .. } = options;
        let role = role.cloned();
        let key = (filters.clone(), *drop_frames, role, *granularity, *collapse);
        if let Some(known) = lock(&self.derived).linked.get(&key).cloned() {
            return Ok(known);
        }
        let filtered = Arc::new(make(self)?);
        lock(&self.derived).linked.put(key, filtered.clone());
        Ok(filtered)
    }

    /// A new tree.
    pub(crate) fn tree(&self, shape: Shape, options: &ViewOptions) -> Result<Tree, FilterError> {
        let filtered = self.filtered_by(options)?;
        let keys = self.keys(options.granularity);
        let ViewOptions { metric, order, collapse, .. } = *options;
        Ok(Tree::new(filtered, keys, shape, metric, order, collapse))
    }

    /// The view of a spec, as it was built before or new.
    pub(crate) fn view(&self, spec: &ViewSpec) -> Result<View, ProtocolError> {
        if let Some(known) = lock(&self.derived).views.get(spec).cloned() {
            return Ok(known);
        }
        let options = self.options(spec)?;
        let shape = convert::shape(spec.shape);
        if let Shape::Callees(key) | Shape::Callers(key) = shape
            && key.index() >= self.keys(options.granularity).len()
        {
            let message = format!("no function has the key {}", key.0);
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        let tree = self.tree(shape, &options).map_err(convert::filter_error)?;
        let mut derived = lock(&self.derived);
        // Another request may have built it meanwhile: two builds would have each other's numbers.
        if let Some(known) = derived.views.get(spec).cloned() {
            return Ok(known);
        }
        derived.next_instance += 1;
        let view = View {
            instance: derived.next_instance,
            tree: Arc::new(Mutex::new(tree)),
            significance: Arc::default(),
        };
        derived.views.put(spec.clone(), view.clone());
        Ok(view)
    }

    /// The options of a spec; an error where its metric does not exist.
    pub(crate) fn options(&self, spec: &ViewSpec) -> Result<ViewOptions, ProtocolError> {
        let metrics = self.metrics().len();
        if spec.metric as usize >= metrics {
            let message = match metrics {
                0 => format!("{} has no metrics: nothing was measured", self.title),
                _ => format!("{} has {metrics} metrics, not number {}", self.title, spec.metric),
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
            role: spec.role.as_ref().map(|role| self.role_options(role)).transpose()?,
        })
    }
}
