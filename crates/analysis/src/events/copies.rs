//! What runs have, whatever filters leave: recordings that are there twice, and events that were
//! measured.

use profile::{MemberId, MetricId, Profile};
use work::steps;

use super::Columns;
use super::index::Source;

/// What tells recordings apart, whatever filters leave.
#[derive(Clone, Copy, Default)]
struct Mark {
    points: u64,
    /// Sum of times as they were recorded.
    times: i64,
    values: f64,
}

/// By member, the one before it that is the same recording, where that is there twice: of several
/// measurements of one host, never are as many samples at the same nanoseconds. Of members without
/// times nothing is known. `metrics` are those whose values are compared.
pub fn copies(profile: &Profile, metrics: &[MetricId]) -> Vec<Option<MemberId>> {
    let members = &profile.members;
    let mut marks = vec![Mark::default(); members.len()];
    if members.len() < 2 {
        return vec![None; members.len()];
    }
    let points = &profile.points;
    for point in steps("telling recordings apart", 0..points.len()) {
        let member = points.member(point);
        let Some(mark) = marks.get_mut(member.index()) else { continue };
        let own = |time: i64| time.wrapping_sub(members[member.index()].moved_ns);
        mark.points += 1;
        mark.times = mark.times.wrapping_add(points.time(point).map_or(0, own));
        let row = points.row(point);
        mark.values += metrics.iter().map(|metric| row[metric.index()] as f64).sum::<f64>();
    }
    let is_same = |one: usize, other: usize| {
        let [a, b] = [marks[one], marks[other]];
        // Values that were brought to scale are rounded.
        let rounding = (a.points as f64) * metrics.len() as f64;
        a.points == b.points
            && a.times == b.times
            && a.times != 0
            && (a.values - b.values).abs() <= rounding
            && members[one].host == members[other].host
    };
    (0..members.len())
        .map(|run| (0..run).find(|&known| is_same(known, run)).map(|known| MemberId(known as u32)))
        .collect()
}

/// By member, whether it has samples of all of some columns; those that are measured together are there
/// where one of them is.
pub fn measured(source: &Source<'_>, columns: &Columns, own: &[usize]) -> Vec<bool> {
    let profile = source.filtered().profile();
    let of = |&column: &usize| -> Vec<MetricId> {
        let all = columns.together.contains(&column).then_some(&columns.together);
        let all = all.map_or(&[][..], Vec::as_slice).iter().chain([&column]);
        all.map(|&column| columns.metrics[column]).collect()
    };
    let own: Vec<Vec<MetricId>> = own.iter().map(of).collect();
    let members = profile.members.len().max(1);
    let mut found = vec![vec![false; own.len()]; members];
    let points = &profile.points;
    if let Some(index) = source.index() {
        for (number, metrics) in own.iter().enumerate() {
            for column in metrics.iter().map(|&metric| index.column(metric)) {
                for (segment, place) in index.segments.iter().enumerate() {
                    let has_any = !column.of_segment(segment).is_empty();
                    found[place.member.index()][number] |= has_any;
                }
            }
        }
    }
    for point in steps("looking for events", source.rest()) {
        let row = points.row(point);
        let found = &mut found[points.member(point).index()];
        for (found, metrics) in found.iter_mut().zip(&own) {
            *found = *found || metrics.iter().any(|metric| row[metric.index()] != 0);
        }
    }
    found.into_iter().map(|found| found.into_iter().all(|found| found)).collect()
}
