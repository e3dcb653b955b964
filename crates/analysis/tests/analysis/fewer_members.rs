//! Profiles without some of their members.

use analysis::without_members;
use profile::{
    Counter, LabelSetId, Member, MemberId, Metric, MetricId, Place, Point, Profile, ProfileBuilder,
    Span, Track, TrackId,
};

/// Three members with a point, a track, a span and a series each.
fn three() -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    for number in 0..3_u32 {
        let member = MemberId(number);
        builder.members.push(Member { name: format!("run {number}"), ..Member::default() });
        let place = builder.place(&Place { function: "f", ..Place::default() });
        let context = builder.stack([place]);
        let point = Point { context, labels: LabelSetId(0), member, ..Point::default() };
        let point = builder.points.push_point(point, &[10_i64.pow(number)]);
        let track = builder.timeline.track(Track { member, ..Track::default() });
        let span = Span { begin: number.into(), length: 1, point, ..Span::default() };
        builder.timeline.spans.push(track, span);
        let (times, values) = (vec![0], vec![f64::from(number)]);
        builder.timeline.counters.push(Counter { track, times, values, ..Counter::default() });
    }
    builder.finish()
}

#[test]
fn what_is_left_is_what_the_other_members_have() {
    let all = three();
    let left = without_members(&all, &[false, true, false]);
    assert_eq!(left.check(), []);
    let names: Vec<&str> = left.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["run 0", "run 2"]);
    assert_eq!(left.metric_total(MetricId(0)).0, 101);
    assert_eq!(left.points.member(1), MemberId(1));
    let spans = &left.timeline.spans;
    let begins: Vec<i64> = (0..2)
        .map(TrackId)
        .flat_map(|track| spans.of_track(track).map(|row| spans.get(row).begin))
        .collect();
    assert_eq!(begins, [0, 2]);
    let values: Vec<f64> = left.timeline.counters.iter().map(|of| of.values[0]).collect();
    assert_eq!(values, [0.0, 2.0]);
    let same = without_members(&all, &[false; 3]);
    assert_eq!((same.points.len(), same.members.len()), (3, 3));
}
