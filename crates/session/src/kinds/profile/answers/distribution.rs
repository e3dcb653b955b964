//! [`protocol::Request::Distribution`].

use analysis::statistics::{
    Bins, Direction, Fences, Figure, Histogram, Interval, Sample, Shift, Times, kept,
};
use analysis::{Facet, MemberSums, NO_VALUE, Side};
use protocol::{
    DistributionColumns, DistributionResult, ErrorCode, Figures, IntervalInfo, MemberInfo,
    NodeParams, ProtocolError, Reply, TrendInfo,
};

use super::details::facet_share;
use super::nodes::{metric_of, node_of};
use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// By how much outliers may widen a histogram.
const MOST_STRETCH: u64 = 4;

pub(crate) fn distribution(
    document: &ProfileDocument,
    params: &NodeParams,
) -> Result<Reply<DistributionResult, DistributionColumns>, ProtocolError> {
    let profile = document.profile();
    if profile.members.is_empty() {
        let message = format!("{} is one profile, not several", document.title());
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let id = node_of(&view, &tree, params.instance, params.node)?;
    let shown = metric_of(&params.view);
    // The runs of both sides are there together whatever side is shown.
    let metric = match document.comparison() {
        Some(_) => Side::Both.of(document.compared_metric(shown)),
        None => document.base_metric(shown),
    };
    let MemberSums { mut own, mut total } = tree.member_sums(id, &[metric]);
    // A member that lacks the node has nothing of it, whatever the metric.
    for value in own.iter_mut().chain(&mut total).filter(|value| **value == NO_VALUE) {
        *value = 0;
    }

    let parts = tree.filtered().parts();
    let groups = document.comparison().map(|comparing| &comparing.groups);
    let groups = groups.filter(|groups| groups.are_members());
    if let Some(groups) = groups {
        // What a run had, and not what it adds to a mean.
        let compared = document.compared_metric(metric);
        own = groups.of_runs(parts, compared, &own);
        total = groups.of_runs(parts, compared, &total);
    }

    let sample = Sample::new(total.clone(), 0);
    let fences = Fences::new(&sample);
    let outliers = fences.map(|fences| fences.outliers(&total)).unwrap_or_default();
    let shown = within(&total, &outliers);
    let beyond = (total.len() - shown.len()) as u32;
    let histogram = Histogram::new(&Sample::new(shown, 0), Bins::Automatic);
    let times: Vec<i64> = parts.iter().map(|part| profile.members[part.index()].time_ns).collect();
    let timed = times.iter().all(|&time| time != 0) && times.is_sorted();
    let order = tree.filtered().order().filter(|_| document.comparison().is_none());
    let trend = order.and_then(|order| trend_info(order, &total));
    let interval = groups.filter(|groups| groups.can_test(parts)).and_then(|groups| {
        let values: Vec<f64> = total.iter().map(|&value| value as f64).collect();
        let (base, new) = values.split_at(groups.base_parts(parts));
        difference(base, new)
    });
    let members = parts.iter().map(|&member| {
        let share = facet_share(profile, Facet::Member(member));
        let time_ns = profile.members[member.index()].time_ns;
        MemberInfo {
            name: share.value,
            pattern: share.pattern,
            time_s: (time_ns != 0).then_some(time_ns as f64 / 1e9),
        }
    });
    let result = DistributionResult {
        instance: view.instance,
        metric: metric.0,
        members: members.collect(),
        timed,
        base_members: groups.map(|groups| groups.base_parts(parts) as u32),
        beyond,
        figures: figures(&sample),
        outliers: outliers.into_iter().map(|member| member as u32).collect(),
        trend,
        interval,
    };
    let (edges, counts) =
        histogram.map(|histogram| (histogram.edges, histogram.counts)).unwrap_or_default();
    let counts = counts.into_iter().map(|count| count as u32).collect();
    let columns = DistributionColumns { self_value: own, total_value: total, edges, counts };
    Ok(Reply { result, columns })
}

/// How totals change from member to member; none where members have no order or a trend cannot be tested.
fn trend_info(order: &Times, total: &[i64]) -> Option<TrendInfo> {
    let values: Vec<f64> = total.iter().map(|&value| value as f64).collect();
    let present: Vec<(u32, f64)> = (0..).zip(values.iter().copied()).collect();
    let trend = order.trend(&present)?;
    Some(TrendInfo {
        direction: match trend.direction(Figure::SIGNIFICANCE) {
            Direction::Rising => protocol::Direction::Rising,
            Direction::Steady => protocol::Direction::Steady,
            Direction::Falling => protocol::Direction::Falling,
        },
        slope: order.slope(&trend, &values)?,
        p_value: trend.p_value,
        kept: kept(total).map(|kept| kept.least),
    })
}

/// By how much the runs on either side differ.
fn difference(base: &[f64], new: &[f64]) -> Option<IntervalInfo> {
    let Interval { estimate, low, high } = Shift::new(base, new)?.difference;
    Some(IntervalInfo { estimate, low, high })
}

/// The values that a histogram shows: without those that stand apart, where these would leave the
/// others no more than a fraction of the width.
fn within(values: &[i64], outliers: &[usize]) -> Vec<i64> {
    let width = |values: &[i64]| {
        let (low, high) = (values.iter().min(), values.iter().max());
        low.zip(high).map_or(0, |(low, high)| high.abs_diff(*low))
    };
    let inner: Vec<i64> = (values.iter().enumerate())
        .filter(|(index, _)| !outliers.contains(index))
        .map(|(_, value)| *value)
        .collect();
    let is_squeezed = width(values) > width(&inner).saturating_mul(MOST_STRETCH);
    if is_squeezed && !inner.is_empty() { inner } else { values.to_vec() }
}

fn figures(sample: &Sample) -> Option<Figures> {
    let summary = sample.summary()?;
    Some(Figures {
        present: summary.present as u32,
        min: summary.min as f64,
        max: summary.max as f64,
        mean: summary.mean,
        median: summary.median,
        deviation: summary.deviation,
        p95: sample.percentile(95.0)?,
    })
}
