//! Values that hold those of the contexts below, made into each context's own.

use profile::{ContextId, PointId, Profile};

use crate::Warnings;

/// What a value without a context is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    /// That of the whole program.
    HoldsAll,
    /// That of what ran in no context.
    IsApart,
}

/// Takes from every point, in each of `metrics`, what the nearest points below it have of the same
/// labels, thread, processor and member: what is left is the context's own, so that totals are
/// what was stored. Own values below 0 come from rounding, or from files that contradict
/// themselves; they are kept, and told.
pub(crate) fn make_exclusive(
    profile: &mut Profile,
    metrics: &[usize],
    outside: Outside,
    warnings: &mut Warnings,
) {
    if metrics.is_empty() {
        return;
    }
    let points = &profile.points;
    let group =
        |row: usize| (points.member(row), points.thread(row), points.cpu(row), points.labels(row));
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    // Contexts stand in preorder: what is below one follows it.
    order.sort_by_key(|&row| (group(row as usize), points.context[row as usize]));
    let stored: Vec<i64> = (0..points.len())
        .flat_map(|row| metrics.iter().map(move |&metric| (row, metric)))
        .map(|(row, metric)| points.row(row)[metric])
        .collect();
    let mut taken = vec![];
    let mut open: Vec<(usize, ContextId)> = vec![];
    for (place, &row) in order.iter().enumerate() {
        let row = row as usize;
        if place > 0 && group(order[place - 1] as usize) != group(row) {
            open.clear();
        }
        let context = points.context[row];
        while open
            .last()
            .is_some_and(|&(_, at)| context == at || context.0 >= profile.contexts.end(at))
        {
            open.pop();
        }
        taken.extend(open.last().map(|&(above, _)| (above, row)));
        if context != ContextId::ROOT || outside == Outside::HoldsAll {
            open.push((row, context));
        }
    }
    for (above, row) in taken {
        for (column, &metric) in metrics.iter().enumerate() {
            let own = &mut profile.points.row_mut(PointId(above as u32))[metric];
            *own = own.saturating_sub(stored[row * metrics.len() + column]);
        }
    }
    let is_below = |row: usize| {
        let mut columns = metrics.iter().enumerate();
        columns.any(|(column, &metric)| {
            profile.points.row(row)[metric] < 0 && stored[row * metrics.len() + column] >= 0
        })
    };
    let below = (0..profile.points.len()).filter(|&row| is_below(row)).count() as u64;
    if below > 0 {
        warnings.add_many("inclusive", below, || {
            "inclusive values are smaller than those of what was called together: own values are \
             below 0 there"
                .to_owned()
        });
    }
}
