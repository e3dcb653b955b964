//! How often functions were called, and how often from outside of themselves.

use profile::{CALLS, CALLS_AT_LEAST, ContextId, Metric, MetricId, PRIMITIVE_CALLS, Profile};
use work::steps;

use crate::{Filtered, FrameGroup};

/// Calls by group of frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionCalls {
    /// Calls of the group, one inside of another one each: the sum of the metric over the contexts
    /// whose innermost frame is in the group.
    pub all: Vec<i64>,
    /// Those of them that began while the group was not on the stack yet, which is what pstats calls
    /// primitive calls. None where call paths are estimated, as an estimate does not tell recursion, and
    /// the profile has no metric [`profile::PRIMITIVE_CALLS`] of the functions.
    pub primitive: Option<Vec<i64>>,
}

/// Whether a metric counts calls: it has that name, and calls of a function are added up.
pub fn counts_calls(profile: &Profile, metric: &Metric) -> bool {
    (metric.name == CALLS || metric.name == CALLS_AT_LEAST) && is_count(profile, metric)
}

/// Whether a metric counts, by function, the calls that [`profile::PRIMITIVE_CALLS`] tells of.
pub fn counts_primitive_calls(profile: &Profile, metric: &Metric) -> bool {
    metric.name == PRIMITIVE_CALLS && is_count(profile, metric)
}

fn is_count(profile: &Profile, metric: &Metric) -> bool {
    matches!(&*metric.unit, "" | "count") && profile.adds_up(metric)
}

/// Calls of `groups` groups as `metric` counts them; `group_of_frame` gives each frame's group.
///
/// Where call paths are estimated, primitive calls are those that `stored` counts, if the profile has such a
/// metric and groups are functions.
///
/// A call belongs to its innermost frame. Where that is hidden, it is nobody's: what a function that
/// is not shown was called is not a call of its caller.
pub fn function_calls(
    filtered: &Filtered,
    group_of_frame: &[impl FrameGroup],
    groups: usize,
    metric: MetricId,
    stored: Option<MetricId>,
) -> FunctionCalls {
    let profile = filtered.profile();
    let is_estimated = profile.origin.estimated_paths;
    let stored = stored.filter(|_| is_estimated);
    let mut all = vec![0i64; groups];
    let mut primitive = vec![0i64; groups];
    let mut on_path = vec![0u32; groups];
    // Contexts whose descendants are being visited.
    let mut open: Vec<ContextId> = vec![];
    let mut calls = filtered.self_values().iter().peekable();
    let contexts = 1..profile.contexts.len() as u32;
    for context in steps("counting calls", contexts).map(ContextId) {
        while let Some(&last) = open.last() {
            if profile.contexts.end(last) > context.0 {
                break;
            }
            open.pop();
            for group in shown_groups(filtered, group_of_frame, last) {
                on_path[group] -= 1;
            }
        }
        open.push(context);
        while calls.next_if(|&(of, _)| of < context).is_some() {}
        let counted = calls.next_if(|&(of, _)| of == context).map(|(_, row)| row);
        let innermost = profile.frames_of(context).next_back();
        let mut is_outermost = false;
        for group in shown_groups(filtered, group_of_frame, context) {
            is_outermost = on_path[group] == 0;
            on_path[group] += 1;
        }
        let shown = innermost.filter(|&frame| filtered.shows(context, frame));
        let (Some(frame), Some(row)) = (shown, counted) else { continue };
        let count = row[metric.index()];
        let group = group_of_frame[frame as usize].index();
        all[group] = all[group].saturating_add(count);
        let counted_primitive = match stored {
            Some(stored) => row[stored.index()],
            None if is_outermost => count,
            None => 0,
        };
        primitive[group] = primitive[group].saturating_add(counted_primitive);
    }
    let is_known = !is_estimated || stored.is_some();
    FunctionCalls { all, primitive: is_known.then_some(primitive) }
}

/// The groups of the frames that a context shows, from the outermost in.
fn shown_groups(
    filtered: &Filtered,
    group_of_frame: &[impl FrameGroup],
    context: ContextId,
) -> impl Iterator<Item = usize> {
    let frames = filtered.profile().frames_of(context);
    frames
        .filter(move |&frame| filtered.shows(context, frame))
        .map(|frame| group_of_frame[frame as usize].index())
}
