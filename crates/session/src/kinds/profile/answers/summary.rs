//! [`protocol::Request::Summary`].

use analysis::{MembersBy, Side};
use profile::{MemberId, Metric, MetricId};
use protocol::{
    ChosenSide, ComparedMetric, ComparisonInfo, MemberSplit, MetricInfo, ProtocolError, Reply,
    SummaryColumns, SummaryResult, WarningInfo,
};

use crate::kinds::profile::convert;
use crate::kinds::profile::document::facts::{label_keys, roles, threads};
use crate::kinds::profile::experiment::experiment_runs;
use crate::kinds::profile::pictures::appearance::is_signed;
use crate::kinds::profile::reading::split::splits;
use crate::kinds::profile::trees::views::filtered_profile;
use crate::kinds::profile::warnings::warnings;
use crate::{Comparing, ProfileDocument};

pub(crate) fn summary(
    document: &ProfileDocument,
    opened_s: Option<f64>,
) -> Result<Reply<SummaryResult, SummaryColumns>, ProtocolError> {
    let profile = document.profile();
    let metrics = document.metrics();
    let origin = &profile.origin;
    let nanoseconds = |ns: i64| (ns != 0).then_some(ns as f64 / 1e9);
    let doc_url = if origin.doc_url.starts_with("http://") || origin.doc_url.starts_with("https://")
    {
        origin.doc_url.clone()
    } else {
        String::new()
    };
    let filtered = filtered_profile(document, &[], false).map_err(convert::filter_error)?;
    let result = SummaryResult {
        title: document.title().to_owned(),
        format: origin.format.clone(),
        producer: origin.producer.clone(),
        time_s: nanoseconds(origin.time_ns),
        duration_s: nanoseconds(origin.duration_ns),
        metrics: (metrics.iter().zip(document.formulas()))
            .zip(document.metric_ids())
            .map(|((metric, formula), id)| MetricInfo {
                name: metric.name.clone(),
                unit: metric.unit.clone(),
                decimals: metric.decimals.into(),
                adds_up: formula.is_none() && profile.adds_up(metric),
                signed: is_signed(document, id),
                combine: metric.combining.contexts.word().to_owned(),
                formula,
            })
            .collect(),
        default_metric: origin.default_metric.0,
        contexts: (profile.contexts.len() - 1) as f64,
        frames: profile.frames.len() as f64,
        functions: profile.functions.len() as f64,
        points: profile.points.len() as f64,
        threads: threads(document),
        label_keys: label_keys(document),
        tracks: profile.timeline.tracks.len() as u32,
        is_experiment: experiment_runs(document).is_some(),
        has_processors: profile.points.has_cpus(),
        spans: profile.timeline.spans.len() as f64,
        roles: roles(document).iter().map(|role| role.name(profile)).collect(),
        comments: origin.comments.clone(),
        doc_url,
        warnings: (warnings(document).into_iter())
            .map(|(message, count)| WarningInfo { message, count: count as f64 })
            .collect(),
        opened_s,
        members: profile.members.len() as u32,
        is_aligned: !profile.timeline.clocks.is_empty()
            || profile.members.iter().any(|member| member.moved_ns != 0),
        splits: splits(document).iter().map(split).collect(),
        estimated_paths: origin.estimated_paths,
        switched_off: profile.switched_off.len() as u32,
        comparison: document
            .comparison()
            .map(|comparing| comparison_info(document, comparing, filtered.parts())),
    };
    let total = (0..metrics.len() as u32)
        .map(MetricId)
        .map(|metric| filtered.program_total(metric))
        .collect();
    Ok(Reply { result, columns: SummaryColumns { total } })
}

fn split(by: &MembersBy) -> MemberSplit {
    let title = match by {
        MembersBy::Process => "process or rank".to_owned(),
        MembersBy::Thread => "thread".to_owned(),
        MembersBy::Processor => "processor".to_owned(),
        MembersBy::Label(_) => by.to_string(),
    };
    MemberSplit { by: by.argument(), title }
}

fn chosen_side(side: &crate::ChosenSide) -> ChosenSide {
    ChosenSide {
        filters: side.filters.clone(),
        length_s: side.time.length as f64 / 1e9,
        of_threads: side.time.is_of_threads,
        spans: side.time.spans as f64,
        chosen_by: side.time.chosen_by.map(|count| count as f64),
    }
}

fn comparison_info(
    document: &ProfileDocument,
    comparing: &Comparing,
    parts: &[MemberId],
) -> ComparisonInfo {
    let derived = document.profile().metrics.len();
    let [base, new] = comparing.sides.clone();
    let metric = |(id, metric): (MetricId, &Metric)| {
        let of = |side: Side| side.of(id).0;
        let change = derived as u32 + 2 * id.0;
        ComparedMetric {
            name: metric.name.clone(),
            base: of(Side::Base),
            new: of(Side::New),
            both: of(Side::Both),
            change,
            ratio: change + 1,
        }
    };
    ComparisonInfo {
        base,
        new,
        swaps: comparing.made_of.is_some(),
        runs: comparing.groups.runs.map(|runs| runs as u32),
        tested: comparing.groups.can_test(parts),
        normalise: convert::normalise_to_proto(&comparing.normalise),
        chosen: comparing.chosen.as_ref().map(|sides| sides.each_ref().map(chosen_side)),
        metrics: (0..)
            .map(MetricId)
            .zip(&comparing.metrics)
            .filter(|(id, _)| comparing.is_common[id.index()])
            .map(metric)
            .collect(),
    }
}
