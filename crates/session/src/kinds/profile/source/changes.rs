//! What changed in the functions of source files, as the comparison of two profiles has it.
//!
//! ```text
//! function of the new profile's index --> its frames --> function of the comparison --> change
//! function of the base's index        --> its frames --> the same, or another
//! ```
//! Which functions are one is for the comparison alone to say: nothing here looks at a name.

use std::collections::{HashMap, HashSet};

use analysis::{FrameKey, FrameKeys, Granularity};
use profile::{FrameId, MetricId};
use protocol::ProtocolError;

use crate::kinds::profile::source::index::all_source_places;
use crate::kinds::profile::trees::views::frame_keys;
use crate::{ChangeOrder, ChangeRow, Compared, ProfileDocument, ViewOptions};

/// Changes by the functions of both profiles' source files, in one metric.
#[derive(Debug)]
pub struct SourceChanges {
    changes: Vec<ChangeRow>,
    /// By function of the index of the new profile.
    of_new: Vec<Found>,
    /// By function of the index of the base.
    of_base: Vec<Found>,
    /// Functions of the index of the base that the new profile does not have, and their changes.
    gone: Vec<(u32, u32)>,
}

/// What the comparison has for a function of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// The change with this number.
    Change(u32),
    /// It has no value on either side.
    Nothing,
    /// Several functions of one side are one function of the comparison, or the other way round: the values of
    /// the comparison are not those of the function.
    Unclear,
}

/// How a function changed, of source files or of all.
#[derive(Debug, Clone, Copy)]
pub enum FunctionChange<'a> {
    /// As the comparison has it.
    Known(&'a ChangeRow),
    /// Both sides have nothing of it.
    Nothing,
    /// Other functions count as this one on a side.
    Unclear,
}

impl Compared {
    /// The metric of the comparison, among [`Compared::metrics`], that a metric of one of its sides is; a
    /// formula is defined. None where the other side does not have it.
    pub fn metric_of(&mut self, side: &ProfileDocument, metric: MetricId) -> Option<MetricId> {
        if let Some(formula) = side.formulas().get(metric.index())?.as_deref() {
            return self.define_metric("", formula).ok();
        }
        let wanted = &side.profile().metrics[metric.index()];
        let ids = || (0..self.metrics.len() as u32).map(MetricId).filter(|&id| self.is_common(id));
        let of = |id: MetricId| &self.metrics[id.index()];
        let mut named = ids().filter(|&id| of(id).name == wanted.name);
        named.clone().find(|&id| of(id).unit == wanted.unit).or_else(|| {
            // Both sides are told in the finer of their units.
            let first = named.next()?;
            named.next().is_none().then_some(first)
        })
    }

    /// The changes of the functions of source files; `base` and `new` are what is compared, and
    /// `metric` is one of [`Compared::metrics`].
    pub fn source_changes(
        &self,
        base: &ProfileDocument,
        new: &ProfileDocument,
        metric: MetricId,
    ) -> Result<SourceChanges, ProtocolError> {
        let comparing = self.document.comparison().ok_or_else(|| self.document.no_comparison())?;
        let options = ViewOptions { metric, ..ViewOptions::default() };
        let (rows, _) = self.flat_rows(&options, ChangeOrder::Name, usize::MAX)?;
        let (keys_of_rows, changes): (Vec<FrameKey>, Vec<ChangeRow>) = rows.into_iter().unzip();
        let numbers: HashMap<FrameKey, u32> = keys_of_rows.into_iter().zip(0..).collect();
        let keys = frame_keys(&self.document, Granularity::Function);
        let is_new: HashSet<FrameKey> =
            comparing.frames[1].iter().map(|&frame| keys.key(frame)).collect();
        let of = |side: &ProfileDocument, frames: &[FrameId]| -> Vec<Option<FrameKey>> {
            let met = keys_met(&frame_keys(side, Granularity::Function), &keys, frames);
            let functions = all_source_places(side);
            functions.functions.iter().map(|(_, key)| met[key.index()]).collect()
        };
        let found = |key: &Option<FrameKey>| match key {
            None => Found::Unclear,
            Some(key) => numbers.get(key).map_or(Found::Nothing, |&row| Found::Change(row)),
        };
        let keys_of_base = of(base, &comparing.frames[0]);
        let gone = (0..).zip(&keys_of_base).filter_map(|(function, key)| {
            let key = (*key).filter(|key| !is_new.contains(key))?;
            Some((function, *numbers.get(&key)?))
        });
        Ok(SourceChanges {
            gone: gone.collect(),
            of_base: keys_of_base.iter().map(found).collect(),
            of_new: of(new, &comparing.frames[1]).iter().map(found).collect(),
            changes,
        })
    }
}

/// By function of one side, the function of the comparison that is this one and no other of its side.
fn keys_met(own: &FrameKeys, all: &FrameKeys, frames: &[FrameId]) -> Vec<Option<FrameKey>> {
    let mut met = vec![None; own.len()];
    let mut is_clear = vec![true; own.len()];
    let mut owner = HashMap::<FrameKey, FrameKey>::new();
    let mut shared = vec![];
    for (frame, &in_all) in (0..).map(FrameId).zip(frames) {
        let (key, of_all) = (own.key(frame), all.key(in_all));
        let known = *met[key.index()].get_or_insert(of_all);
        is_clear[key.index()] &= known == of_all;
        let first = *owner.entry(of_all).or_insert(key);
        if first != key {
            shared.extend([first, key]);
        }
    }
    for key in shared {
        is_clear[key.index()] = false;
    }
    met.into_iter().zip(is_clear).map(|(met, is_clear)| met.filter(|_| is_clear)).collect()
}

impl SourceChanges {
    /// How a function of the new profile's index changed.
    pub fn of(&self, function: u32) -> FunctionChange<'_> {
        self.to_change(self.of_new.get(function as usize).copied())
    }

    /// The function of the base's index, and of the same file in it, that a function of the new profile's
    /// index is; none where that is not one.
    pub fn in_base(&self, function: u32) -> Option<u32> {
        let wanted = self.of_new.get(function as usize)?;
        let Found::Change(_) = wanted else { return None };
        let mut same = (0..).zip(&self.of_base).filter(|(_, found)| *found == wanted);
        let (first, _) = same.next()?;
        same.next().is_none().then_some(first)
    }

    /// The functions of the base's index that the new profile does not have.
    pub fn gone(&self) -> impl Iterator<Item = (u32, &ChangeRow)> {
        self.gone.iter().map(|&(function, row)| (function, &self.changes[row as usize]))
    }

    fn to_change(&self, found: Option<Found>) -> FunctionChange<'_> {
        match found {
            Some(Found::Change(row)) => FunctionChange::Known(&self.changes[row as usize]),
            Some(Found::Nothing) => FunctionChange::Nothing,
            Some(Found::Unclear) | None => FunctionChange::Unclear,
        }
    }
}
