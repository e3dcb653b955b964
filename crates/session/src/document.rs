//! An open profile with what was derived from it.

use std::sync::{Arc, Mutex};

use analysis::{
    Filter, FilterError, Filtered, FlatValues, FrameKeys, Granularity, MergeNote, Merged, Order,
    Shape, Tree, flat_values,
};
use formats::Warnings;
use profile::Profile;
use protocol::{ErrorCode, ProtocolError, ViewSpec};

use crate::{convert, lock};

/// An open profile.
#[derive(Debug)]
pub struct Document {
    title: String,
    profile: Arc<Profile>,
    warnings: Warnings,
    inputs: usize,
    notes: Vec<MergeNote>,
    opened_s: Option<f64>,
    derived: Mutex<Derived>,
}

/// How to look at a profile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ViewOptions {
    /// Index of the metric.
    pub metric: usize,
    /// What makes frames equal.
    pub granularity: Granularity,
    /// Filters, in order.
    pub filters: Vec<Filter>,
    /// Order of siblings.
    pub order: Order,
    /// Whether direct recursion is one frame.
    pub collapse_recursion: bool,
    /// Whether the profile's own `drop_frames` counts.
    pub drop_frames: bool,
}

impl Default for ViewOptions {
    fn default() -> Self {
        ViewOptions {
            metric: 0,
            granularity: Granularity::Function,
            filters: vec![],
            order: Order::Value,
            collapse_recursion: false,
            drop_frames: true,
        }
    }
}

/// Most recently used last.
#[derive(Debug, Default)]
struct Derived {
    keys: Vec<Arc<FrameKeys>>,
    filtered: Vec<((Vec<Filter>, bool), Arc<Filtered>)>,
    flat: Vec<(FlatKey, Arc<FlatValues>)>,
    views: Vec<(ViewSpec, View)>,
    next_instance: u32,
}

type FlatKey = (Vec<Filter>, bool, Granularity, usize);

/// A tree with the number of its build.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) instance: u32,
    pub(crate) tree: Arc<Mutex<Tree>>,
}

/// Derived things kept for the next request.
const MOST_FILTERED: usize = 4;
const MOST_FLAT: usize = 8;
const MOST_VIEWS: usize = 16;

impl Document {
    /// `merged` may be one profile as it was read.
    pub(crate) fn new(title: &str, merged: Merged, warnings: Warnings) -> Document {
        Document {
            title: title.to_owned(),
            profile: Arc::new(merged.profile),
            warnings,
            inputs: merged.inputs,
            notes: merged.notes,
            opened_s: None,
            derived: Mutex::default(),
        }
    }

    pub(crate) fn set_opened_s(&mut self, seconds: f64) {
        self.opened_s = Some(seconds);
    }

    pub(crate) fn opened_s(&self) -> Option<f64> {
        self.opened_s
    }

    /// File name without folders.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The profile.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// How many profiles became this one; 1 for a profile that came alone.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// What the merge could not reconcile, where several profiles became one.
    pub fn merge_notes(&self) -> &[MergeNote] {
        &self.notes
    }

    /// What readers repaired or skipped and what a merge left out, as message and count.
    pub fn warnings(&self) -> Vec<(String, u64)> {
        let mut list: Vec<_> = self.warnings.iter().map(|w| (w.message.clone(), w.count)).collect();
        list.extend(self.notes.iter().map(|note| (note.to_string(), note.count())));
        for (index, metric) in self.profile.metrics.iter().enumerate() {
            if self.profile.metric_total(index).1 {
                let text = format!(
                    "the values of {} add up to more than 64 bits hold; sums stop at the limit",
                    metric.name
                );
                list.push((text, 1));
            }
        }
        if self.profile.origin.estimated_paths {
            let text = format!(
                "call paths are estimates: {} records callers and callees, so a function's cost is \
                 divided among its callers' paths in proportion",
                self.profile.origin.format
            );
            list.push((text, 1));
        }
        if !self.profile.origin.drop_frames.is_empty()
            && let Ok(filtered) = self.filtered(&[], true)
        {
            let pattern = &self.profile.origin.drop_frames;
            match (filtered.drop_frames_error(), filtered.hidden_contexts()) {
                (Some(error), _) => list.push((format!("drop_frames is ignored: {error}"), 1)),
                (None, 0) => {}
                (None, hidden) => list.push((
                    format!(
                        "the profile asks to fold frames that match {pattern} into their callers \
                         (drop_frames)"
                    ),
                    hidden as u64,
                )),
            }
        }
        list
    }

    /// Keys of labels, in the order of first use.
    pub fn label_keys(&self) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        let labels = self.profile.label_sets.all_labels();
        let keys = labels.map(|label| label.key).filter(|key| seen.insert(*key));
        keys.map(|key| self.profile.text(key).to_owned()).collect()
    }

    /// How many threads the profile tells apart, by its threads or else by its labels; 0 where
    /// neither tells anything.
    pub fn threads(&self) -> u32 {
        if !self.profile.threads.is_empty() {
            return self.profile.threads.len() as u32;
        }
        const KEYS: [&str; 5] = ["thread_id", "tid", "thread", "thread id", "thread_name"];
        let known = self.label_keys();
        let Some(key) = KEYS.iter().find(|key| known.iter().any(|known| known == *key)) else {
            return 0;
        };
        let labels = self.profile.label_sets.all_labels();
        let of_key = labels.filter(|label| self.profile.text(label.key) == *key);
        of_key.map(|label| label.value).collect::<std::collections::HashSet<_>>().len() as u32
    }

    /// The metric of a name or number, as pprof takes them: `inuse_space` also means `space`.
    pub fn metric_named(&self, name: &str) -> Option<usize> {
        let metrics = &self.profile.metrics;
        if let Ok(number) = name.parse::<usize>() {
            return (number < metrics.len()).then_some(number);
        }
        let short = name.strip_prefix("inuse_").unwrap_or(name);
        let exact = metrics.iter().position(|metric| metric.name == name);
        exact.or_else(|| metrics.iter().position(|metric| metric.name == short))
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
        if let Some(known) = recall(&mut lock(&self.derived).filtered, &key) {
            return Ok(known);
        }
        let filtered = Arc::new(Filtered::new(self.profile.clone(), filters, drop_frames)?);
        remember(&mut lock(&self.derived).filtered, MOST_FILTERED, key, filtered.clone());
        Ok(filtered)
    }

    /// Self and total by key.
    pub(crate) fn flat(&self, options: &ViewOptions) -> Result<Arc<FlatValues>, FilterError> {
        let ViewOptions { metric, granularity, filters, drop_frames, .. } = options;
        let key = (filters.clone(), *drop_frames, *granularity, *metric);
        if let Some(known) = recall(&mut lock(&self.derived).flat, &key) {
            return Ok(known);
        }
        let filtered = self.filtered(filters, *drop_frames)?;
        let keys = self.keys(*granularity);
        let flat = Arc::new(flat_values(&filtered, keys.keys(), keys.len(), *metric));
        remember(&mut lock(&self.derived).flat, MOST_FLAT, key, flat.clone());
        Ok(flat)
    }

    /// A new tree.
    pub(crate) fn tree(&self, shape: Shape, options: &ViewOptions) -> Result<Tree, FilterError> {
        let filtered = self.filtered(&options.filters, options.drop_frames)?;
        let keys = self.keys(options.granularity);
        let ViewOptions { metric, order, collapse_recursion, .. } = *options;
        Ok(Tree::new(filtered, keys, shape, metric, order, collapse_recursion))
    }

    /// The view of a spec, as it was built before or new.
    pub(crate) fn view(&self, spec: &ViewSpec) -> Result<View, ProtocolError> {
        if let Some(known) = recall(&mut lock(&self.derived).views, spec) {
            return Ok(known);
        }
        let options = self.options(spec)?;
        if let protocol::Shape::Callees { key } | protocol::Shape::Callers { key } = spec.shape
            && key as usize >= self.keys(options.granularity).len()
        {
            let message = format!("no function has the key {key}");
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        let shape = convert::shape(spec.shape);
        let tree = self.tree(shape, &options).map_err(convert::filter_error)?;
        let mut derived = lock(&self.derived);
        derived.next_instance += 1;
        let view = View { instance: derived.next_instance, tree: Arc::new(Mutex::new(tree)) };
        remember(&mut derived.views, MOST_VIEWS, spec.clone(), view.clone());
        Ok(view)
    }

    /// The options of a spec; an error where its metric does not exist.
    pub(crate) fn options(&self, spec: &ViewSpec) -> Result<ViewOptions, ProtocolError> {
        let metrics = self.profile.metrics.len();
        if spec.metric as usize >= metrics {
            let message = match metrics {
                0 => format!("{} has no metrics: nothing was measured", self.title),
                _ => format!("{} has {metrics} metrics, not number {}", self.title, spec.metric),
            };
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        Ok(ViewOptions {
            metric: spec.metric as usize,
            granularity: convert::granularity(spec.granularity),
            filters: convert::filters(&spec.filters),
            order: convert::order(spec.order),
            collapse_recursion: spec.collapse_recursion,
            drop_frames: true,
        })
    }
}

fn recall<K: PartialEq, V: Clone>(list: &mut Vec<(K, V)>, key: &K) -> Option<V> {
    let index = list.iter().position(|(known, _)| known == key)?;
    let entry = list.remove(index);
    let value = entry.1.clone();
    list.push(entry);
    Some(value)
}

fn remember<K, V>(list: &mut Vec<(K, V)>, most: usize, key: K, value: V) {
    if list.len() >= most {
        list.remove(0);
    }
    list.push((key, value));
}
