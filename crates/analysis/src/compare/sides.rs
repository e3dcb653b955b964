//! Every metric three times: of the base, of the new profile, and of both.

use profile::{Combining, FunctionTotals, MemberId, Metric, MetricId, Points, Profile};

/// Which values of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those of the base.
    Base,
    /// Those of the new profile.
    New,
    /// Their sum, which is wide wherever either is: for widths and orders.
    Both,
}

impl Side {
    /// The column of this side of a metric of the merge.
    pub fn of(self, metric: MetricId) -> MetricId {
        MetricId(3 * metric.0 + self as u32)
    }

    /// The metric of the merge that a column is of.
    pub fn metric_of(column: MetricId) -> MetricId {
        MetricId(column.0 / 3)
    }
}

/// Splits every metric by whether the member of a point comes before `first_new`.
pub(super) fn side_by_side(mut profile: Profile, first_new: MemberId) -> Profile {
    let old = std::mem::take(&mut profile.points);
    let mut points = Points::new(3 * profile.metrics.len());
    points.reserve(old.len());
    let mut row = vec![0; 3 * profile.metrics.len()];
    for index in 0..old.len() {
        let point = old.get(index);
        let side = side_of(point.member, first_new);
        row.fill(0);
        for (metric, &value) in profile.metric_ids().zip(old.row(index)) {
            row[side.of(metric).index()] = value;
            row[Side::Both.of(metric).index()] = value;
        }
        points.push_point(point, &row);
    }
    profile.points = points;
    let named = |metric: &Metric, side: Side, word: &str| {
        let weight = metric.combining.weight.map(|weight| side.of(weight));
        let combining = Combining { weight, ..metric.combining };
        Metric { name: format!("{} ({word})", metric.name), combining, ..metric.clone() }
    };
    let sides = [(Side::Base, "base"), (Side::New, "new"), (Side::Both, "both")];
    profile.metrics = (profile.metrics.iter())
        .flat_map(|metric| sides.map(|(side, word)| named(metric, side, word)))
        .collect();
    profile.function_totals = sided_totals(&profile.function_totals, first_new);
    profile.origin.default_metric = Side::Both.of(profile.origin.default_metric);
    profile
}

/// The side that a member belongs to.
fn side_of(member: MemberId, first_new: MemberId) -> Side {
    if member < first_new { Side::Base } else { Side::New }
}

/// Stored totals with three columns for each metric: those of base, new and both.
fn sided_totals(totals: &FunctionTotals, first_new: MemberId) -> FunctionTotals {
    let sides = [Side::Base, Side::New, Side::Both];
    let metrics = totals.metrics.iter().flat_map(|&metric| sides.map(|side| side.of(metric)));
    let mut sided = FunctionTotals::new(metrics.collect());
    let width = totals.metrics.len();
    for (row, (&function, &member)) in totals.function.iter().zip(&totals.member).enumerate() {
        let own = side_of(member, first_new);
        let of_sides = |value: i64| {
            sides.map(|side| if [own, Side::Both].contains(&side) { value } else { 0 })
        };
        let values = &totals.values[row * width..][..width];
        let values: Vec<i64> = values.iter().flat_map(|&value| of_sides(value)).collect();
        sided.push(function, member, &values);
    }
    sided
}
