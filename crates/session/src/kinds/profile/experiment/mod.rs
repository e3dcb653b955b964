//! Experiments: profiles whose members ran in several conditions.
//!
//! ```text
//! Runs, found once a document --+-- matrix       what a quantity was in each cell
//! a quantity, a value a run ----+-- effects      what factors do, apart and together
//!                               +-- differences  which functions make the difference
//!                               \-- history      a quantity by the levels of one factor
//! ```
//! A quantity is a figure of whole runs, a metric of what filters leave of them, or a function in that
//! metric. Filters say nothing about figures of whole runs.

mod differences;
mod effects;
mod failures;
mod history;
mod matrix;
mod quantity;
mod sides;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock};

use analysis::experiment::{GroupValues, RunQuantity, Runs};
use analysis::{Filter, Granularity};
use lru::LruCache;
use profile::MetricId;
use protocol::{ErrorCode, ProtocolError};

use super::convert;
use super::correlate::RoleOptions;
use super::document::{ProfileDocument, ViewOptions};
use crate::lock;

pub use differences::{DifferenceReport, DifferenceRow, OnlyRow};
pub use effects::EffectReport;
pub use failures::{Trouble, TroubledRun};
pub use history::{HistoryLine, HistoryReport, HistoryStep};
pub use matrix::{Matrix, MatrixCell};
pub use quantity::{Measured, Quantity, ratio_interval, ratio_text};

/// A difference is believed if at most this share of those that are is there by chance.
pub const BELIEVED: f64 = 0.05;

/// What was worked out of a document's runs.
#[derive(Debug, Default)]
pub(super) struct Known {
    runs: OnceLock<Option<Runs>>,
    groups: Mutex<Option<LruCache<GroupsKey, Arc<GroupValues>>>>,
}

/// What values of functions depend on.
type GroupsKey = (Vec<Filter>, Option<RoleOptions>, bool, Granularity, MetricId, bool);

/// Values of functions that are kept, by what they depend on.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::new(4).unwrap();

impl ProfileDocument {
    /// The runs, if the document is an experiment; a comparison is none.
    pub fn experiment_runs(&self) -> Option<&Runs> {
        let find = || if self.comparing.is_some() { None } else { Runs::of(&self.profile) };
        self.experiment.runs.get_or_init(find).as_ref()
    }

    /// The runs.
    ///
    /// # Errors
    /// The document is no experiment.
    pub fn experiment(&self) -> Result<&Runs, ProtocolError> {
        self.experiment_runs().ok_or_else(|| {
            let message = format!("{} is not the result of an experiment", self.title);
            let hint = "Its members would tell what they ran with: `hotframe experiment run` makes \
                        such profiles.";
            ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
        })
    }

    /// The values of all functions in each run.
    fn values_of_functions(
        &self,
        options: &ViewOptions,
        which: RunQuantity,
    ) -> Result<Arc<GroupValues>, ProtocolError> {
        let runs = self.experiment()?;
        let ViewOptions { metric, filters, role, drop_frames, granularity, .. } = options.clone();
        if self.is_derived(metric) {
            let name = self.metrics().swap_remove(metric.index()).name;
            let message = format!("values of {name} do not add up, so functions have none");
            return Err(ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint("Choose a metric that was measured and adds up."));
        }
        let key = (filters, role, drop_frames, granularity, metric, which == RunQuantity::Own);
        let kept = |cache: &mut Option<LruCache<_, _>>| {
            cache.get_or_insert_with(|| LruCache::new(MOST_KEPT)).get(&key).cloned()
        };
        if let Some(known) = kept(&mut lock(&self.experiment.groups)) {
            return Ok(known);
        }
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let keys = self.keys(granularity);
        let values = runs.groups(&filtered, keys.keys(), keys.len(), metric, which);
        let values = Arc::new(values);
        if let Some(cache) = lock(&self.experiment.groups).as_mut() {
            cache.put(key, values.clone());
        }
        Ok(values)
    }
}
