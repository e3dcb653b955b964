//! Self and total by group of frames, over the whole program.

use profile::ContextId;

use crate::derived::Pair;
use crate::formula::Which;
use crate::members::GroupPlaces;
use crate::{Derived, Filtered};

/// Self and total values by group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlatValues {
    /// Value of samples whose innermost shown frame is in the group.
    pub self_value: Vec<i64>,
    /// Value of samples with a shown frame in the group, each counted once however often the group
    /// is on its stack.
    pub total_value: Vec<i64>,
}

/// Self and total of `groups` groups in a metric; `group_of_frame` gives each frame's group.
pub fn flat_values(
    filtered: &Filtered,
    group_of_frame: &[u32],
    groups: usize,
    metric: usize,
) -> FlatValues {
    if let Some(derived) = filtered.derived(metric) {
        return derived_values(filtered, group_of_frame, groups, &derived);
    }
    let mut self_value = vec![0i64; groups];
    let mut total_value = vec![0i64; groups];
    for (context, row) in filtered.self_values().iter() {
        if let Some((_, frame)) = filtered.innermost_shown(context, None) {
            let sum = &mut self_value[group_of_frame[frame as usize] as usize];
            *sum = sum.saturating_add(row[metric]);
        }
    }
    let totals = filtered.totals(metric);
    outermost(filtered, group_of_frame, groups, |context, _, group| {
        let sum = &mut total_value[group as usize];
        *sum = sum.saturating_add(totals.total(context));
    });
    FlatValues { self_value, total_value }
}

fn derived_values(
    filtered: &Filtered,
    group_of_frame: &[u32],
    groups: usize,
    derived: &Derived,
) -> FlatValues {
    let formula = derived.formula();
    let metrics: Vec<usize> = formula.inputs().iter().map(|input| input.metric).collect();
    let of_inputs: Vec<FlatValues> = (metrics.iter())
        .map(|&metric| flat_values(filtered, group_of_frame, groups, metric))
        .collect();
    let places = formula.needs_parts().then(|| GroupPlaces::of(filtered, group_of_frame, groups));
    let mut values = FlatValues { self_value: vec![0; groups], total_value: vec![0; groups] };
    for group in 0..groups {
        let pair = |flat: &FlatValues| Pair {
            own: flat.self_value[group],
            total: flat.total_value[group],
        };
        let sums: Vec<Pair> = of_inputs.iter().map(pair).collect();
        let of_group = |places: &GroupPlaces| places.sums(filtered, group as u32, &metrics).pairs();
        let parts = places.as_ref().map(of_group).unwrap_or_default();
        values.self_value[group] = derived.value(Which::SelfValue, &sums, &parts, filtered.order());
        values.total_value[group] = derived.value(Which::Total, &sums, &parts, filtered.order());
    }
    values
}

/// Calls `each` with context, frame and group of every shown frame that is the outermost of its
/// group on its stack.
pub(crate) fn outermost(
    filtered: &Filtered,
    group_of_frame: &[u32],
    groups: usize,
    mut each: impl FnMut(ContextId, u32, u32),
) {
    let profile = filtered.profile();
    let mut on_path = vec![0u32; groups];
    // Contexts whose descendants are being visited.
    let mut open: Vec<ContextId> = vec![];
    for context in (1..profile.contexts.len() as u32).map(ContextId) {
        while let Some(&last) = open.last() {
            if profile.contexts.end(last) > context.0 {
                break;
            }
            open.pop();
            for frame in profile.frames_of(last) {
                if filtered.shows(last, frame) {
                    on_path[group_of_frame[frame as usize] as usize] -= 1;
                }
            }
        }
        open.push(context);
        for frame in profile.frames_of(context) {
            if filtered.shows(context, frame) {
                let group = group_of_frame[frame as usize];
                let count = &mut on_path[group as usize];
                if *count == 0 {
                    each(context, frame, group);
                }
                *count += 1;
            }
        }
    }
}
