//! The functions of a profile: which are listed, in which order, and how those of a comparison changed.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use analysis::statistics::{Interval, Verdict};
use analysis::{
    Change, FlatValues, FrameKey, FrameKeys, Pattern, Significance, Tag, matching_frames,
    matching_keys,
};
use profile::MetricId;
use protocol::{ChangeDirection, IntervalInfo, ProtocolError, Sort, SortBy};

use crate::kinds::pattern_error;
use crate::kinds::profile::compare::tests_of_runs::{compared_sides, function_tests};
use crate::kinds::profile::convert;
use crate::kinds::profile::document::comparing::Runs;
use crate::kinds::profile::trees::values::{is_measured, magnitude};
use crate::kinds::profile::trees::views::{filtered_by, flat_by, frame_keys};
use crate::{Comparing, ProfileDocument, ViewOptions};

/// Which functions are wanted.
#[derive(Debug, Clone, Copy)]
pub(in crate::kinds::profile) struct Wanted<'a> {
    /// A function is listed if it has a value in any of these metrics.
    pub(in crate::kinds::profile) metrics: &'a [MetricId],
    /// What they are sorted by. The largest come first, whatever their sign; in a derived metric, whose sign
    /// says which way something goes, the highest, but for a change.
    pub(in crate::kinds::profile) sort: Sort,
    /// Keeps functions that match; empty for all.
    pub(in crate::kinds::profile) filter: &'a str,
    /// Of a comparison: keeps those whose total grew or fell.
    pub(in crate::kinds::profile) direction: Option<ChangeDirection>,
}

/// The functions of a list, in its order.
pub(in crate::kinds::profile) struct List {
    pub(in crate::kinds::profile) keys: Arc<FrameKeys>,
    /// By asked metric.
    pub(in crate::kinds::profile) flats: Vec<Arc<FlatValues>>,
    pub(in crate::kinds::profile) changes: Option<Changes>,
    pub(in crate::kinds::profile) found: Vec<FrameKey>,
}

/// The functions that are wanted of a view.
///
/// # Errors
/// A filter cannot be understood.
pub(in crate::kinds::profile) fn functions(
    document: &ProfileDocument,
    view: &ViewOptions,
    wanted: &Wanted<'_>,
) -> Result<List, ProtocolError> {
    let keys = frame_keys(document, view.granularity);
    let flats = wanted.metrics.iter().map(|&metric| flat_of(document, view, metric));
    let flats = flats.collect::<Result<Vec<_>, _>>()?;
    let changes = Changes::new(document, view)?;
    let matching = matching(document, view, &keys, wanted.filter)?;
    let is_row = |&key: &FrameKey| {
        matching.as_ref().is_none_or(|matching| matching[key.index()])
            && flats.iter().any(|flat| is_measured(flat.of(key)))
            && wanted.direction.is_none_or(|direction| {
                let compared = changes.as_ref().zip(document.comparison());
                compared.is_some_and(|(changes, of)| changes.goes(of, key, direction))
            })
    };
    let mut found: Vec<FrameKey> = keys.all().filter(is_row).collect();
    sort_functions(document, view, wanted.sort, &keys, &mut found)?;
    sort_by_runs(wanted.sort, changes.as_ref(), &mut found);
    Ok(List { keys, flats, changes, found })
}

fn flat_of(
    document: &ProfileDocument,
    view: &ViewOptions,
    metric: MetricId,
) -> Result<Arc<FlatValues>, ProtocolError> {
    flat_by(document, &ViewOptions { metric, ..view.clone() }).map_err(convert::filter_error)
}

/// Whether functions match, by key; none where all do.
fn matching(
    document: &ProfileDocument,
    options: &ViewOptions,
    keys: &FrameKeys,
    filter: &str,
) -> Result<Option<Vec<bool>>, ProtocolError> {
    if filter.is_empty() {
        return Ok(None);
    }
    let pattern = Pattern::search(filter).map_err(pattern_error)?;
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    Ok(Some(matching_keys(keys, &matching_frames(&filtered, &pattern))))
}

/// Sorts functions; of equal ones the larger in the other column comes first, then by name.
fn sort_functions(
    document: &ProfileDocument,
    view: &ViewOptions,
    sort: Sort,
    keys: &FrameKeys,
    found: &mut [FrameKey],
) -> Result<(), ProtocolError> {
    let profile = document.profile();
    if matches!(sort.by, SortBy::Name | SortBy::Interval | SortBy::Verdict) {
        found.sort_by_cached_key(|&key| keys.name(profile, key).into_owned());
    } else {
        let metric = MetricId(sort.metric);
        let flat = flat_of(document, view, metric)?;
        let is_derived = document.is_derived(metric);
        let is_change = document.is_change(metric);
        let size = |value| if is_derived && !is_change { value } else { magnitude(value) };
        found.sort_by_cached_key(|&key| {
            let (own, total) = flat.of(key);
            let (own, total) = (size(own), size(total));
            let values = if sort.by == SortBy::SelfValue { (own, total) } else { (total, own) };
            (Reverse(values), keys.name(profile, key).into_owned())
        });
    }
    if sort.reverse {
        found.reverse();
    }
    Ok(())
}

/// Sorts functions by what runs say of their change, where that is asked for.
fn sort_by_runs(sort: Sort, changes: Option<&Changes>, found: &mut [FrameKey]) {
    let known: HashMap<FrameKey, f64> = match sort.by {
        SortBy::Interval => {
            let intervals = intervals(changes, found).into_iter();
            // An interval that holds 0 tells no change.
            let least = |IntervalInfo { low, high, .. }| f64::max(low, 0.0) - f64::min(high, 0.0);
            intervals.map(|(key, interval)| (key, -least(interval))).collect()
        }
        SortBy::Verdict => {
            let tests = changes.and_then(|changes| changes.tests.as_ref());
            tests.into_iter().flatten().map(|(&key, test)| (key, test.adjusted)).collect()
        }
        SortBy::Name | SortBy::SelfValue | SortBy::TotalValue => return,
    };
    found.sort_by(|a, b| match (known.get(a), known.get(b)) {
        (Some(a), Some(b)) if sort.reverse => b.total_cmp(a),
        (Some(a), Some(b)) => a.total_cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
}

/// By how much the totals of a run differ, for those of some functions that were tested.
pub(in crate::kinds::profile) fn intervals(
    changes: Option<&Changes>,
    wanted: &[FrameKey],
) -> HashMap<FrameKey, IntervalInfo> {
    let known = wanted.iter().filter_map(|&key| {
        let Interval { estimate, low, high } = changes?.test(key)?.shift.difference;
        Some((key, IntervalInfo { estimate, low, high }))
    });
    known.collect()
}

/// The changes of a comparison's functions.
pub(in crate::kinds::profile) struct Changes {
    base: Arc<FlatValues>,
    new: Arc<FlatValues>,
    /// None where there are no runs to test.
    pub(in crate::kinds::profile) tests: Option<HashMap<FrameKey, Significance>>,
}

impl Changes {
    /// Those in the metric that is compared; none where nothing is.
    pub(in crate::kinds::profile) fn new(
        document: &ProfileDocument,
        options: &ViewOptions,
    ) -> Result<Option<Changes>, ProtocolError> {
        if document.comparison().is_none() {
            return Ok(None);
        }
        let sides = compared_sides(document, options.metric);
        let flat = |metric: MetricId| {
            let of = ViewOptions { metric, ..options.clone() };
            flat_by(document, &of).map_err(convert::filter_error)
        };
        let (base, new) = (flat(sides.base)?, flat(sides.new)?);
        let total = |key: FrameKey| Change { base: base.of(key).1, new: new.of(key).1 };
        let tests = match sides.compared {
            Some(compared) => function_tests(document, options, compared, &total)?,
            None => None,
        };
        Ok(Some(Changes { base, new, tests: tests.map(|tests| tests.total) }))
    }

    pub(in crate::kinds::profile) fn test(&self, key: FrameKey) -> Option<&Significance> {
        self.tests.as_ref()?.get(&key)
    }

    pub(in crate::kinds::profile) fn change(&self, key: FrameKey) -> Change {
        Change { base: self.base.of(key).1, new: self.new.of(key).1 }
    }

    fn goes(&self, comparing: &Comparing, key: FrameKey, wanted: ChangeDirection) -> bool {
        let change = self.change(key);
        let difference = if comparing.is_rounding(change) { 0 } else { change.difference() };
        match wanted {
            ChangeDirection::Growth => difference > 0,
            ChangeDirection::Fall => difference < 0,
        }
    }

    pub(in crate::kinds::profile) fn verdict(
        &self,
        document: &ProfileDocument,
        key: FrameKey,
    ) -> Option<Verdict> {
        Some(document.comparison()?.verdict(Runs::new(self.tests.as_ref(), &key)))
    }

    pub(in crate::kinds::profile) fn tag(
        &self,
        document: &ProfileDocument,
        key: FrameKey,
    ) -> Option<Tag> {
        let comparing = document.comparison()?;
        Some(comparing.tag(self.change(key), Runs::new(self.tests.as_ref(), &key)))
    }
}
