//! Two profiles, point by point and place by place.

use std::cmp::Ordering;

use profile::{Combine, FrameId, LocationId, MemberId, Metric, MetricId, Profile};

use super::sides::side_by_side;
use super::significance::Groups;
use crate::matching::Matching;
use crate::{Match, Merge, MergeNote, NO_VALUE, Rules};

/// A base and a new profile as one, with their metrics side by side, so that every shape and every
/// filter works on both at once.
#[derive(Debug)]
pub struct Comparison {
    /// The union of both: of each metric of the merge, three in the order of [`Side`].
    pub profile: Profile,
    /// The metrics of the merge.
    pub metrics: Vec<Metric>,
    /// What the merge of both left out or could not reconcile.
    pub notes: Vec<MergeNote>,
    /// The members of either side.
    pub groups: Groups,
    /// Which function of the base is which of the new profile; the union has both under the new
    /// one's name.
    pub matches: Vec<Match>,
    /// By frame of the base and of the new profile, which frame of the union it is.
    pub frames: [Vec<FrameId>; 2],
}

impl Comparison {
    /// Compares two profiles, whose functions the default rules match.
    pub fn new(base: &Profile, new: &Profile) -> Comparison {
        Comparison::matched(base, new, Rules::default())
    }

    /// Compares two profiles. Contexts are the same as [`Merge`] has it, once the base has the new
    /// names of functions that `rules` match; at coarser granularities than a line, views match
    /// them by function, file or module. Both ways round, contexts and frames have the same numbers.
    pub fn matched(base: &Profile, new: &Profile, rules: Rules) -> Comparison {
        let matching = Matching::new(base, new, rules);
        let rewritten = matching.rewritten_base();
        // Which functions are the same is for the rules to say.
        let mut merge = Merge::default().without_joining_names();
        let mut sides = [("base", rewritten.as_ref().unwrap_or(base)), ("new", new)];
        let is_turned = by_content(base, new).is_gt();
        if is_turned {
            sides.reverse();
        }
        let mut places = sides.map(|(name, side)| merge.add(name, side));
        if is_turned {
            places.reverse();
        }
        let mut merged = merge.finish();
        let [of_base, of_new] = &places;
        let frames = [(base, of_base), (new, of_new)]
            .map(|(side, places)| frames_of(&merged.profile, side, places));
        // What is compared with itself counts once on each side.
        merged.notes.retain(|note| !matches!(note, MergeNote::Again { .. }));
        // What a comparison begins with is for the base to say, in whichever order they were added.
        if let Some(metric) = default_of(base, &merged.profile.metrics) {
            merged.profile.origin.default_metric = metric;
        }
        if is_turned {
            first_members_last(&mut merged.profile, new.members.len().max(1));
        }
        let first_new = MemberId(base.members.len().max(1) as u32);
        let metrics = merged.profile.metrics.clone();
        let profile = side_by_side(merged.profile, first_new);
        let members = [first_new.index(), new.members.len().max(1)];
        let rounding = vec![0.0; metrics.len()];
        let is_mean = metrics.iter().map(is_divided).collect();
        let finer = vec![0; metrics.len()];
        let groups = Groups { members, runs: [1, 1], rounding, is_mean, finer };
        let (notes, matches) = (merged.notes, matching.matches());
        Comparison { profile, metrics, notes, groups, matches, frames }
    }
}

/// By frame of an input, the one of the merge: an input's location has the frames of that of the
/// merge, in the same order.
fn frames_of(merged: &Profile, input: &Profile, places: &[LocationId]) -> Vec<FrameId> {
    let mut frames = Vec::with_capacity(input.frames.len());
    for &place in places {
        frames.extend(merged.locations.frames(place).map(FrameId));
    }
    frames
}

/// The default metric of a profile, among metrics of which it has some.
fn default_of(profile: &Profile, metrics: &[Metric]) -> Option<MetricId> {
    let own = profile.metrics.get(profile.origin.default_metric.index())?;
    let named = |metric: &Metric| metric.name == own.name;
    let exact = metrics.iter().position(|metric| named(metric) && metric.unit == own.unit);
    let place = exact.or_else(|| metrics.iter().position(named))?;
    Some(MetricId(place as u32))
}

/// An order of profiles that has nothing to do with which of them is the base.
fn by_content(one: &Profile, other: &Profile) -> Ordering {
    let size = |profile: &Profile| {
        let Profile { points, contexts, frames, functions, metrics, members, .. } = profile;
        let sizes = [points.len(), contexts.len(), frames.len(), functions.len()];
        (sizes, metrics.len(), members.len())
    };
    fn names(profile: &Profile) -> impl Iterator<Item = &str> {
        profile.functions.name.iter().map(|&name| profile.text(name))
    }
    fn rows(profile: &Profile) -> impl Iterator<Item = &[i64]> {
        (0..profile.points.len()).map(|point| profile.points.row(point))
    }
    size(one)
        .cmp(&size(other))
        .then_with(|| rows(one).cmp(rows(other)))
        .then_with(|| one.points.context.cmp(&other.points.context))
        .then_with(|| names(one).cmp(names(other)))
}

/// Puts the first so many members behind the others.
fn first_members_last(profile: &mut Profile, first: usize) {
    profile.members.rotate_left(first);
    let all = profile.members.len();
    let moved = |member: MemberId| MemberId(((member.index() + all - first) % all) as u32);
    let members: Vec<MemberId> =
        (0..profile.points.len()).map(|point| moved(profile.points.member(point))).collect();
    profile.points.set_members(&members);
    profile.function_totals.member.iter_mut().for_each(|member| *member = moved(*member));
    profile.timeline.tracks.iter_mut().for_each(|track| track.member = moved(track.member));
}

/// Whether the values of several runs have a mean that is their sum divided by their number.
pub(super) fn is_divided(metric: &Metric) -> bool {
    metric.combining.members == Combine::Sum
}

/// A value, or 0 where there is none.
pub(super) fn measured(value: i64) -> i64 {
    if value == NO_VALUE { 0 } else { value }
}
