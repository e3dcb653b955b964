//! Events by function, line, file or module.
//!
//! There may be a hundred thousand functions, ten runs and twenty events, so that a table of all would
//! be a gigabyte: [`frame_sums`] ranks them in one metric, and [`EventTable::of_frames`] adds up those
//! that are told.

use profile::{ContextId, MemberId, MetricId};
use work::steps;

use super::context_sums::ContextSums;
use super::groups::Grouping;
use super::index::Source;
use super::{Columns, EventTable};
use crate::flat::outermost;
use crate::{Filtered, FrameKey, FrameKeys, flat_values};

/// Groups of frames whose events are told.
#[derive(Debug)]
pub struct FrameEvents<'a> {
    /// How frames are grouped.
    pub keys: &'a FrameKeys,
    /// Those that are told, in their order, with what they are called; none is what has no frame that
    /// shows.
    pub chosen: &'a [(Option<FrameKey>, String)],
    /// Whether a sample counts in each group on its stack, once, and not in its innermost alone.
    pub is_total: bool,
}

/// What groups of frames have of a metric, in all runs.
#[derive(Debug)]
pub struct FrameSums {
    /// By key.
    pub of_key: Vec<i64>,
    /// What has no frame that shows.
    pub elsewhere: i64,
}

/// What groups of frames have of a metric: of samples whose innermost frame is in them, or which have
/// any frame in them.
pub fn frame_sums(
    source: &Source<'_>,
    keys: &FrameKeys,
    metric: MetricId,
    is_total: bool,
) -> FrameSums {
    let filtered = source.filtered();
    let own = match source.index() {
        // What a producer stored of functions is not in their samples.
        Some(_) if !filtered.profile().origin.estimated_paths => own_values(source, metric),
        _ => {
            let flat = flat_values(filtered, keys.keys(), keys.len(), metric);
            let own = flat.self_value.iter().fold(0i64, |sum, value| sum.saturating_add(*value));
            let elsewhere = filtered.program_total(metric).saturating_sub(own);
            let of_key = if is_total { flat.total_value } else { flat.self_value };
            return FrameSums { of_key, elsewhere };
        }
    };
    let mut self_values = vec![0i64; keys.len()];
    let mut elsewhere = 0i64;
    for (context, &value) in (0..).zip(&own).filter(|(_, value)| **value != 0) {
        let sum = match filtered.innermost_shown(ContextId(context), None) {
            Some((_, frame)) => &mut self_values[keys.keys()[frame as usize].index()],
            None => &mut elsewhere,
        };
        *sum = sum.saturating_add(value);
    }
    if !is_total {
        return FrameSums { of_key: self_values, elsewhere };
    }
    let mut totals = own;
    let parents = filtered.profile().contexts.parents();
    for context in steps("adding up contexts", (1..totals.len()).rev()) {
        let parent = parents[context] as usize;
        totals[parent] = totals[parent].saturating_add(totals[context]);
    }
    let mut of_key = vec![0i64; keys.len()];
    outermost(filtered, keys.keys(), keys.len(), |context, _, key| {
        let sum: &mut i64 = &mut of_key[key.index()];
        *sum = sum.saturating_add(totals[context.index()]);
    });
    FrameSums { of_key, elsewhere }
}

/// By context, what its samples have of a metric.
fn own_values(source: &Source<'_>, metric: MetricId) -> Vec<i64> {
    let filtered = source.filtered();
    let mut own = vec![0i64; filtered.profile().contexts.len()];
    if let Some(sums) = ContextSums::new(source, &[metric]) {
        for member in 0..filtered.profile().members.len().max(1) {
            for (context, own) in own.iter_mut().enumerate() {
                *own = own.saturating_add(sums.get(member, context, metric).value);
            }
        }
    } else {
        for kept in source.segments() {
            let column = kept.column(metric);
            kept.each(column, |entry| {
                let sum = &mut own[column.contexts[entry] as usize];
                *sum = sum.saturating_add(column.value(entry));
            });
        }
    }
    let contexts = filtered.point_contexts();
    for point in source.rest().filter(|&point| filtered.keeps_point(point)) {
        let sum = &mut own[contexts[point].index()];
        *sum = sum.saturating_add(filtered.row(point)[metric.index()]);
    }
    own
}

/// No group that is told.
const NONE: u32 = u32::MAX;

impl EventTable {
    /// Adds up metrics of a profile over `runs`, which are members, by groups of frames.
    pub fn of_frames(
        source: &Source<'_>,
        frames: &FrameEvents<'_>,
        runs: &[MemberId],
        columns: &Columns,
    ) -> EventTable {
        let names = frames.chosen.iter().map(|(_, name)| name.clone()).collect();
        let groups = (names, vec![None; frames.chosen.len()]);
        let of_contexts = ContextGroups::new(source.filtered(), frames, false);
        let grouping = Grouping::of_contexts(source, of_contexts);
        EventTable::summed(source, groups, runs, columns, &grouping)
    }
}

/// By context, the groups of frames that its points are in.
pub(super) struct ContextGroups {
    /// By context, where its groups end in the list.
    ends: Vec<u32>,
    groups: Vec<u32>,
}

impl ContextGroups {
    /// With `has_rest` what is in none of those that are told is in one behind them.
    pub(super) fn new(
        filtered: &Filtered,
        frames: &FrameEvents<'_>,
        has_rest: bool,
    ) -> ContextGroups {
        let rest = if has_rest { frames.chosen.len() as u32 } else { NONE };
        // The last is what has no frame that shows.
        let mut group_of_key = vec![NONE; frames.keys.len() + 1];
        for (group, (key, _)) in (0..).zip(frames.chosen) {
            group_of_key[key.map_or(frames.keys.len(), FrameKey::index)] = group;
        }
        let count = filtered.profile().contexts.len();
        let mut all = ContextGroups { ends: Vec::with_capacity(count), groups: vec![] };
        let mut open =
            frames.is_total.then(|| OpenGroups::new(filtered, frames.keys, &group_of_key));
        let own = match open {
            Some(_) => vec![],
            None => innermost(filtered, frames.keys, &group_of_key),
        };
        for context in steps("finding functions", 0..count) {
            let before = all.groups.len();
            match &mut open {
                Some(open) => {
                    open.advance(ContextId(context as u32));
                    open.groups(&mut all.groups);
                }
                None => all.groups.extend(Some(own[context]).filter(|group| *group != NONE)),
            }
            if all.groups.len() == before && rest != NONE {
                all.groups.push(rest);
            }
            all.ends.push(all.groups.len() as u32);
        }
        all
    }

    /// In how many groups a context is at most.
    pub(super) fn most(&self) -> usize {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| (end - start) as usize).max().unwrap_or(0)
    }

    /// The groups of a context.
    #[inline]
    pub(super) fn get(&self, context: ContextId) -> &[u32] {
        let start = context.index().checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
        &self.groups[start..self.ends[context.index()] as usize]
    }
}

/// By context, the group of its innermost frame that shows.
fn innermost(filtered: &Filtered, keys: &FrameKeys, group_of_key: &[u32]) -> Vec<u32> {
    let profile = filtered.profile();
    let mut key_of = vec![keys.len() as u32; profile.contexts.len()];
    for context in (0..profile.contexts.len() as u32).map(ContextId) {
        let shown = profile.frames_of(context).rev().find(|&f| filtered.shows(context, f));
        let parent = profile.contexts.parent(context);
        key_of[context.index()] = match (shown, parent) {
            (Some(frame), _) => keys.keys()[frame as usize].0,
            (None, Some(parent)) => key_of[parent.index()],
            (None, None) => keys.len() as u32,
        };
    }
    key_of.into_iter().map(|key| group_of_key[key as usize]).collect()
}

/// The groups on the stack of a context, while one goes through the contexts in their order.
struct OpenGroups<'a> {
    filtered: &'a Filtered,
    keys: &'a FrameKeys,
    group_of_key: &'a [u32],
    /// The contexts from the program to the one that is looked at.
    path: Vec<ContextId>,
    next: u32,
    /// By group, how many frames of it are on the path.
    counts: Vec<u32>,
    /// Groups that are on the path, the outermost first.
    groups: Vec<u32>,
    /// How many frames show on the path.
    shown: usize,
}

impl<'a> OpenGroups<'a> {
    fn new(filtered: &'a Filtered, keys: &'a FrameKeys, group_of_key: &'a [u32]) -> OpenGroups<'a> {
        let groups = group_of_key.iter().filter(|group| **group != NONE).count();
        OpenGroups {
            filtered,
            keys,
            group_of_key,
            path: vec![],
            next: 0,
            counts: vec![0; groups],
            groups: vec![],
            shown: 0,
        }
    }

    /// Goes on to a context that is not before the last one.
    fn advance(&mut self, to: ContextId) {
        while self.next <= to.0 {
            let context = ContextId(self.next);
            self.next += 1;
            while let Some(&last) = self.path.last() {
                if self.filtered.profile().contexts.end(last) > context.0 {
                    break;
                }
                self.path.pop();
                // What leaves the path with a context is what came with it: the last ones.
                self.each_group(last, |open, group| {
                    open.counts[group as usize] -= 1;
                    if open.counts[group as usize] == 0 {
                        open.groups.pop();
                    }
                });
                self.shown -= self.shown_of(last);
            }
            self.path.push(context);
            self.shown += self.shown_of(context);
            self.each_group(context, |open, group| {
                open.counts[group as usize] += 1;
                if open.counts[group as usize] == 1 {
                    open.groups.push(group);
                }
            });
        }
    }

    fn shown_of(&self, context: ContextId) -> usize {
        let frames = self.filtered.profile().frames_of(context);
        frames.filter(|&frame| self.filtered.shows(context, frame)).count()
    }

    fn each_group(&mut self, context: ContextId, mut each: impl FnMut(&mut Self, u32)) {
        for frame in self.filtered.profile().frames_of(context) {
            if self.filtered.shows(context, frame) {
                match self.group_of_key[self.keys.keys()[frame as usize].index()] {
                    NONE => {}
                    group => each(self, group),
                }
            }
        }
    }

    fn groups(&self, groups: &mut Vec<u32>) {
        groups.extend(&self.groups);
        let elsewhere = self.group_of_key[self.keys.len()];
        groups.extend((self.shown == 0 && elsewhere != NONE).then_some(elsewhere));
    }
}
