//! Values by member.

use std::ops::Range;

use profile::{ContextId, MemberId, MetricId, Profile};
use work::steps;

use crate::combine::PartFolds;
use crate::derived::Pair;
use crate::filter::{Filter, FilterKind};
use crate::filters::{Filters, Looks};
use crate::flat::outermost;
use crate::label_filter::LabelFilter;
use crate::shown::Hidden;
use crate::time::Cut;
use crate::{FilterError, Filtered, FrameGroup};

/// The kept points, sorted by context: the points of a subtree follow each other.
#[derive(Debug)]
pub(crate) struct PointsOfContexts {
    /// By context, where its points start; one more entry than contexts.
    starts: Vec<u32>,
    points: Vec<u32>,
    /// By member, which part it is; `NO_PART` for one that label filters leave out.
    part_of_member: Vec<u32>,
    parts: usize,
    /// What counts in part.
    cut: Cut,
}

const NO_PART: u32 = u32::MAX;

/// The values of a node by part (see [`Filtered::parts`]): a row a part, in each an entry a metric that was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberSums {
    /// Self values.
    pub own: Vec<i64>,
    /// Total values.
    pub total: Vec<i64>,
}

impl MemberSums {
    /// As formulas take them.
    pub(crate) fn pairs(self) -> Vec<Pair> {
        self.own.into_iter().zip(self.total).map(|(own, total)| Pair { own, total }).collect()
    }
}

impl PointsOfContexts {
    pub(crate) fn new(filtered: &Filtered) -> PointsOfContexts {
        let profile = filtered.profile();
        let contexts = filtered.point_contexts();
        let mut starts = vec![0u32; profile.contexts.len() + 1];
        let kept = || (0..contexts.len()).filter(|&point| filtered.keeps_point(point));
        for point in kept() {
            starts[contexts[point].index() + 1] += 1;
        }
        for context in 1..starts.len() {
            starts[context] += starts[context - 1];
        }
        let mut next = starts.clone();
        let mut points = vec![0; starts.last().map_or(0, |&count| count as usize)];
        for point in kept() {
            let place = &mut next[contexts[point].index()];
            points[*place as usize] = point as u32;
            *place += 1;
        }
        let mut part_of_member = vec![NO_PART; profile.members.len().max(1)];
        for (part, member) in filtered.parts().iter().enumerate() {
            part_of_member[member.index()] = part as u32;
        }
        let (parts, cut) = (filtered.parts().len(), filtered.cut().clone());
        PointsOfContexts { starts, points, part_of_member, parts, cut }
    }

    /// The values that count of a point.
    fn row<'a>(&'a self, profile: &'a Profile, point: usize) -> &'a [i64] {
        self.cut.row(point).unwrap_or_else(|| profile.points.row(point))
    }

    /// The points of a range of contexts.
    fn points(&self, contexts: Range<u32>) -> &[u32] {
        let start = self.starts[contexts.start as usize] as usize;
        &self.points[start..self.starts[contexts.end as usize] as usize]
    }

    /// Sums of `metrics` over the points of ranges of contexts, or what values are together that do
    /// not add up (`NO_VALUE` where there is none): a row a part, in each an entry a metric.
    pub(crate) fn sums(
        &self,
        profile: &Profile,
        metrics: &[MetricId],
        ranges: impl IntoIterator<Item = Range<u32>>,
    ) -> Vec<i64> {
        let ranges: Vec<Range<u32>> = ranges.into_iter().collect();
        let mut sums = vec![0i64; self.parts * metrics.len()];
        for (point, part) in
            ranges.iter().cloned().flat_map(|contexts| self.parts_of(profile, contexts))
        {
            let row = self.row(profile, point);
            let start = part as usize * metrics.len();
            for (sum, &metric) in sums[start..].iter_mut().zip(metrics) {
                *sum = sum.saturating_add(row[metric.index()]);
            }
        }
        for (column, &metric) in metrics.iter().enumerate() {
            if !profile.metric(metric).combining.is_sum() {
                let values = self.combined(profile, metric, &ranges);
                for (part, value) in values.into_iter().enumerate() {
                    sums[part * metrics.len() + column] = value;
                }
            }
        }
        sums
    }

    /// The points of a range of contexts that count, each with its part.
    fn parts_of(
        &self,
        profile: &Profile,
        contexts: Range<u32>,
    ) -> impl Iterator<Item = (usize, u32)> {
        let parts = self.points(contexts).iter().map(|&point| {
            let member = profile.points.member(point as usize);
            (point as usize, self.part_of_member[member.index()])
        });
        parts.filter(|&(_, part)| part != NO_PART)
    }

    /// By part, what the values of a metric that does not add up are together.
    fn combined(&self, profile: &Profile, metric: MetricId, ranges: &[Range<u32>]) -> Vec<i64> {
        let mut folds = PartFolds::new(profile, metric, self.parts);
        for context in ranges.iter().cloned().flatten() {
            for (point, part) in self.parts_of(profile, alone(ContextId(context))) {
                folds.add(self.row(profile, point), profile.points.time(point), part);
            }
            folds.end_context();
        }
        folds.values().collect()
    }
}

/// Where the values of groups of frames are.
#[derive(Debug)]
pub struct GroupPlaces {
    own: Grouped,
    outer: Grouped,
}

#[derive(Debug)]
struct Grouped {
    starts: Vec<u32>,
    contexts: Vec<ContextId>,
}

impl Grouped {
    fn new(groups: usize, mut places: Vec<(u32, ContextId)>) -> Grouped {
        // Contexts come in order: the sort must keep it.
        places.sort_by_key(|&(group, _)| group);
        let mut starts = vec![0u32; groups + 1];
        places.iter().for_each(|&(group, _)| starts[group as usize + 1] += 1);
        (1..starts.len()).for_each(|group| starts[group] += starts[group - 1]);
        Grouped { starts, contexts: places.into_iter().map(|(_, context)| context).collect() }
    }

    fn of_group(&self, group: impl FrameGroup) -> &[ContextId] {
        let group = group.index();
        &self.contexts[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

impl GroupPlaces {
    /// The places of `groups` groups; `group_of_frame` gives each frame's group.
    pub fn new(
        filtered: &Filtered,
        group_of_frame: &[impl FrameGroup],
        groups: usize,
    ) -> GroupPlaces {
        let innermost = |context| match filtered.innermost_shown(context, None) {
            Some((_, frame)) => group_of_frame[frame as usize].index() as u32,
            None => groups as u32,
        };
        let own = filtered.self_values().iter();
        let own = own.map(|(context, _)| (innermost(context), context)).collect();
        let mut outer = vec![];
        outermost(filtered, group_of_frame, groups, |context, _, group| {
            outer.push((group.index() as u32, context));
        });
        GroupPlaces { own: Grouped::new(groups + 1, own), outer: Grouped::new(groups, outer) }
    }

    /// Values of a group by member.
    pub fn sums(
        &self,
        filtered: &Filtered,
        group: impl FrameGroup,
        metrics: &[MetricId],
    ) -> MemberSums {
        let (profile, points) = (filtered.profile(), filtered.points_of_contexts());
        MemberSums {
            own: points.sums(profile, metrics, self.own(group)),
            total: points.sums(profile, metrics, self.reach(profile, group)),
        }
    }

    /// Contexts with a frame of the group that is the outermost of it on its stack.
    pub(crate) fn outermost(&self, group: impl FrameGroup) -> &[ContextId] {
        self.outer.of_group(group)
    }

    /// Contexts whose innermost shown frame is in the group.
    pub(crate) fn own(&self, group: impl FrameGroup) -> impl Iterator<Item = Range<u32>> {
        self.own.of_group(group).iter().map(|&context| alone(context))
    }

    /// Contexts without a shown frame.
    pub(crate) fn of_program(&self) -> impl Iterator<Item = Range<u32>> {
        self.own(self.own.starts.len() as u32 - 2)
    }

    /// What the outermost frames of the group reach.
    pub(crate) fn reach(
        &self,
        profile: &Profile,
        group: impl FrameGroup,
    ) -> impl Iterator<Item = Range<u32>> {
        self.outer.of_group(group).iter().map(|&context| profile.contexts.subtree(context))
    }
}

/// The members that label filters leave a point of, and those that never had one, unless they are not
/// among those that are asked for: in a view of a few members the others are not zeros.
pub(crate) fn parts(profile: &Profile, labels: &[Filter]) -> Result<Vec<MemberId>, FilterError> {
    let count = profile.members.len().max(1);
    let left = Filters::new(profile, labels, Looks::Own, &mut Hidden::default())?;
    let left = left.points(profile, &mut |_, _| ());
    let (mut has, mut keeps) = (vec![false; count], vec![false; count]);
    for point in steps("counting members", 0..profile.points.len()) {
        let member = profile.points.member(point).index();
        has[member] = true;
        keeps[member] |= !left.drops(point);
    }
    let mut is_asked = vec![true; count];
    for filter in labels {
        let Some(matches) = LabelFilter::new(&filter.pattern)?.matching_members(profile) else {
            continue;
        };
        let keep = filter.kind == FilterKind::LabelFocus;
        for (is_asked, matches) in is_asked.iter_mut().zip(matches) {
            *is_asked &= matches == keep;
        }
    }
    let members = (0..count).filter(|&member| keeps[member] || !has[member] && is_asked[member]);
    Ok(members.map(|member| MemberId(member as u32)).collect())
}

/// A context alone.
pub(crate) fn alone(context: ContextId) -> Range<u32> {
    context.0..context.0 + 1
}
