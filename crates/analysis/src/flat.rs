//! Self and total by group of frames, over the whole program.

use hashbrown::HashMap;
use profile::{ContextId, FrameId, FunctionId, MetricId};
use work::steps;

use crate::derived::Pair;
use crate::formula::Which;
use crate::members::GroupPlaces;
use crate::{Derived, Filtered, FrameGroup};

/// Self and total values by group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlatValues {
    /// Value of samples whose innermost shown frame is in the group.
    pub self_value: Vec<i64>,
    /// Value of samples with a shown frame in the group, each counted once however often the group
    /// is on its stack. Where call paths are estimated, what the producer stored of the function.
    pub total_value: Vec<i64>,
    /// Whether the total is an estimate; empty where none is.
    pub is_estimated: Vec<bool>,
}

impl FlatValues {
    /// Self and total of a group.
    pub fn of(&self, group: impl FrameGroup) -> (i64, i64) {
        (self.self_value[group.index()], self.total_value[group.index()])
    }

    /// Whether the total of a group is an estimate.
    pub fn is_estimated(&self, group: impl FrameGroup) -> bool {
        self.is_estimated.get(group.index()).copied().unwrap_or(false)
    }
}

/// Self and total of `groups` groups in a metric; `group_of_frame` gives each frame's group.
pub fn flat_values(
    filtered: &Filtered,
    group_of_frame: &[impl FrameGroup],
    groups: usize,
    metric: MetricId,
) -> FlatValues {
    match filtered.derived(metric) {
        Some(derived) => derived_values(filtered, group_of_frame, groups, &derived),
        None => summed_values(filtered, group_of_frame, groups, metric),
    }
}

fn summed_values(
    filtered: &Filtered,
    group_of_frame: &[impl FrameGroup],
    groups: usize,
    metric: MetricId,
) -> FlatValues {
    let mut self_value = vec![0i64; groups];
    let mut total_value = vec![0i64; groups];
    for (context, row) in steps("adding up functions", filtered.self_values().iter()) {
        if let Some((_, frame)) = filtered.innermost_shown(context, None) {
            let sum = &mut self_value[group_of_frame[frame as usize].index()];
            *sum = sum.saturating_add(row[metric.index()]);
        }
    }
    let totals = filtered.totals(metric);
    outermost(filtered, group_of_frame, groups, |context, _, group| {
        let sum = &mut total_value[group.index()];
        *sum = sum.saturating_add(totals.total(context));
    });
    let mut is_estimated = vec![];
    if filtered.profile().origin.estimated_paths {
        is_estimated = vec![true; groups];
        for (group, total) in stored_totals(filtered, group_of_frame, groups, metric) {
            total_value[group] = total;
            is_estimated[group] = false;
        }
    }
    FlatValues { self_value, total_value, is_estimated }
}

/// Totals that the producer stored, by group, for the groups that are one function: those of
/// several do not add up, for one may call the other. None once filters take something away, or
/// where a member has none.
fn stored_totals(
    filtered: &Filtered,
    group_of_frame: &[impl FrameGroup],
    groups: usize,
    metric: MetricId,
) -> Vec<(usize, i64)> {
    let profile = filtered.profile();
    if !filtered.is_whole() {
        return vec![];
    }
    let mut has_totals = vec![false; profile.members.len().max(1)];
    let mut totals = HashMap::<FunctionId, i64>::new();
    for (function, member, value) in profile.function_totals.of_metric(metric) {
        has_totals[member.index()] = true;
        let sum = totals.entry(function).or_default();
        *sum = sum.saturating_add(value);
    }
    let is_covered = |point: usize| has_totals[profile.points.member(point).index()];
    if totals.is_empty() || !(0..profile.points.len()).all(is_covered) {
        return vec![];
    }
    // The function of each group, and the group of each function, as long as there is one only.
    let mut function_of_group = vec![Only::Nothing; groups];
    let mut group_of_function = vec![Only::Nothing; profile.functions.len()];
    for (frame, &group) in group_of_frame.iter().enumerate() {
        match profile.frames.function(FrameId(frame as u32)) {
            None => function_of_group[group.index()] = Only::Several,
            Some(function) => {
                function_of_group[group.index()].add(function.index());
                group_of_function[function.index()].add(group.index());
            }
        }
    }
    let stored = |(group, function): (usize, &Only)| match *function {
        Only::One(function) if group_of_function[function] == Only::One(group) => {
            totals.get(&FunctionId(function as u32)).map(|&total| (group, total))
        }
        _ => None,
    };
    function_of_group.iter().enumerate().filter_map(stored).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Only {
    Nothing,
    One(usize),
    Several,
}

impl Only {
    fn add(&mut self, number: usize) {
        *self = match *self {
            Only::Nothing => Only::One(number),
            Only::One(known) if known == number => Only::One(known),
            _ => Only::Several,
        }
    }
}

fn derived_values(
    filtered: &Filtered,
    group_of_frame: &[impl FrameGroup],
    groups: usize,
    derived: &Derived,
) -> FlatValues {
    let summed = |metric| summed_values(filtered, group_of_frame, groups, metric);
    let of_inputs: Vec<Option<FlatValues>> =
        derived.summed_inputs().map(|metric| metric.map(summed)).collect();
    let places = derived.needs_parts().then(|| GroupPlaces::new(filtered, group_of_frame, groups));
    let is_estimated = if filtered.profile().origin.estimated_paths {
        // A formula is as sure as the least sure of what it is of.
        (0..groups)
            // What needs its members' values gets them from the tree.
            .map(|group| {
                let is_estimated = |flat: &FlatValues| flat.is_estimated(group as u32);
                derived.needs_parts() || of_inputs.iter().flatten().any(is_estimated)
            })
            .collect()
    } else {
        vec![]
    };
    let zeros = vec![0; groups];
    let mut values = FlatValues { self_value: zeros.clone(), total_value: zeros, is_estimated };
    for group in 0..groups {
        let pair = |flat: &Option<FlatValues>| match flat {
            Some(flat) => Pair { own: flat.self_value[group], total: flat.total_value[group] },
            None => Pair::default(),
        };
        let sums: Vec<Pair> = of_inputs.iter().map(pair).collect();
        let of_group =
            |places: &GroupPlaces| places.sums(filtered, group as u32, derived.metrics()).pairs();
        let parts = places.as_ref().map(of_group).unwrap_or_default();
        values.self_value[group] = derived.value(Which::SelfValue, &sums, &parts, filtered.order());
        values.total_value[group] = derived.value(Which::Total, &sums, &parts, filtered.order());
    }
    values
}

/// Calls `each` with context, frame and group of every shown frame that is the outermost of its
/// group on its stack.
pub(crate) fn outermost<G: FrameGroup>(
    filtered: &Filtered,
    group_of_frame: &[G],
    groups: usize,
    mut each: impl FnMut(ContextId, u32, G),
) {
    let profile = filtered.profile();
    let mut on_path = vec![0u32; groups];
    // Contexts whose descendants are being visited.
    let mut open: Vec<ContextId> = vec![];
    let contexts = 1..profile.contexts.len() as u32;
    for context in steps("adding up functions", contexts).map(ContextId) {
        while let Some(&last) = open.last() {
            if profile.contexts.end(last) > context.0 {
                break;
            }
            open.pop();
            for frame in profile.frames_of(last) {
                if filtered.shows(last, frame) {
                    on_path[group_of_frame[frame as usize].index()] -= 1;
                }
            }
        }
        open.push(context);
        for frame in profile.frames_of(context) {
            if filtered.shows(context, frame) {
                let group = group_of_frame[frame as usize];
                let count = &mut on_path[group.index()];
                if *count == 0 {
                    each(context, frame, group);
                }
                *count += 1;
            }
        }
    }
}
