//! Snapshots of a series, which EasyView keeps as sample types.

use profile::{Member, MemberId, Metric, MetricId, Point, Points, ProfileBuilder};

/// EasyView keeps the snapshots of a series as so many sample types of one profile, of which only
/// one has a name: they become members.
pub(super) fn split_snapshots(builder: &mut ProfileBuilder) {
    let is_named = |metric: &Metric| !metric.name.is_empty() || !metric.unit.is_empty();
    let mut named = builder.metrics.iter().filter(|metric| is_named(metric));
    let (Some(metric), None) = (named.next().cloned(), named.next()) else { return };
    if builder.metrics.len() < 2 {
        return;
    }
    let all = std::mem::replace(&mut builder.points, Points::new(1));
    for point in 0..all.len() {
        for (member, &value) in all.row(point).iter().enumerate() {
            if value != 0 {
                let member = MemberId(member as u32);
                builder.points.push_point(Point { member, ..all.get(point) }, &[value]);
            }
        }
    }
    builder.members = (1..=builder.metrics.len())
        .map(|number| Member { name: format!("snapshot {number}"), ..Member::default() })
        .collect();
    builder.metrics = vec![metric];
    builder.origin.default_metric = MetricId(0);
}
