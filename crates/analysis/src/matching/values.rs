//! What the functions of a profile cost, and which calls which.

use std::collections::HashMap;

use profile::{ContextId, FrameId, Profile};

use super::functions::Functions;

/// Values of a profile's default metric, by function.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) own: Vec<i64>,
    /// Of the stacks with the function, each counted once.
    pub(super) total: Vec<i64>,
    pub(super) program: i64,
}

/// Stands for the whole program as a caller.
pub(super) const PROGRAM: u32 = u32::MAX;

impl Values {
    pub(super) fn new(profile: &Profile, functions: &Functions<'_>) -> Values {
        let count = functions.list.len();
        let mut values = Values { own: vec![0; count], total: vec![0; count], program: 0 };
        if profile.metrics.is_empty() {
            return values;
        }
        let points = profile.points.values(profile.origin.default_metric);
        for (&context, value) in profile.points.context.iter().zip(points) {
            let innermost = profile.frames_of(context).last().map(FrameId);
            if let Some(function) = innermost.and_then(|f| functions.of_frame(profile, f)) {
                let own = &mut values.own[function as usize];
                *own = own.saturating_add(value);
            }
        }
        let totals = context_totals(profile);
        values.program = totals[0];
        let mut depth = vec![0u32; count];
        let mut open: Vec<(u32, ContextId)> = vec![];
        let of = |context| {
            profile.frames_of(context).filter_map(|f| functions.of_frame(profile, FrameId(f)))
        };
        for context in (1..totals.len() as u32).map(ContextId) {
            while let Some((_, closed)) = open.pop_if(|(end, _)| *end <= context.0) {
                of(closed).for_each(|function| depth[function as usize] -= 1);
            }
            for function in of(context) {
                let function = function as usize;
                if depth[function] == 0 {
                    let total = &mut values.total[function];
                    *total = total.saturating_add(totals[context.index()]);
                }
                depth[function] += 1;
            }
            open.push((profile.contexts.end(context), context));
        }
        values
    }
}

/// By context, the default metric of it and all below.
fn context_totals(profile: &Profile) -> Vec<i64> {
    let mut totals = vec![0i64; profile.contexts.len()];
    if profile.metrics.is_empty() {
        return totals;
    }
    let points = profile.points.values(profile.origin.default_metric);
    for (&context, value) in profile.points.context.iter().zip(points) {
        totals[context.index()] = totals[context.index()].saturating_add(value);
    }
    let parents = profile.contexts.parents();
    for row in (1..totals.len()).rev() {
        let parent = parents[row] as usize;
        totals[parent] = totals[parent].saturating_add(totals[row]);
    }
    totals
}

/// The value of every call, by caller and callee; [`PROGRAM`] calls the outermost. Places without a
/// name call nothing and are called by nothing. Calls within each other count every time.
pub(super) fn calls(profile: &Profile, functions: &Functions<'_>) -> HashMap<(u32, u32), i64> {
    let of = |frame| functions.of_frame(profile, FrameId(frame));
    let innermost = |context: ContextId| match profile.frames_of(context).last() {
        None => Some(PROGRAM),
        Some(frame) => of(frame),
    };
    let totals = context_totals(profile);
    let mut calls = HashMap::<_, i64>::new();
    for (row, &parent) in profile.contexts.parents().iter().enumerate().skip(1) {
        let mut caller = innermost(ContextId(parent));
        for callee in profile.frames_of(ContextId(row as u32)).map(of) {
            if let Some(call) = caller.zip(callee).filter(|_| totals[row] != 0) {
                let value = calls.entry(call).or_default();
                *value = value.saturating_add(totals[row]);
            }
            caller = callee;
        }
    }
    calls
}
