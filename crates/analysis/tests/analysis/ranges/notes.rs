//! What is told of filters of time.

use std::sync::Arc;

use analysis::{Filter, FilterKind, Filtered, time_notes};
use profile::{Point, Profile, ProfileBuilder};

use super::{Nest, Recording, context, marked, metrics, untimed};

#[test]
fn reports_what_filters_of_time_cannot_do() {
    let leaf = |name, own| Nest { name, before: 0, own, inside: vec![] };
    let recording = Recording {
        threads: vec![vec![leaf(1, 9)], vec![]],
        operations: vec![],
        samples: vec![(2, 0, 20, 0, 1)],
    };
    let told = |profile: &Arc<Profile>, filters: &[(FilterKind, &str)]| -> Vec<String> {
        let filters: Vec<Filter> = filters
            .iter()
            .map(|(kind, pattern)| Filter { kind: *kind, pattern: (*pattern).to_owned() })
            .collect();
        let filtered = Filtered::new(profile.clone(), &filters, false).unwrap();
        let notes = time_notes(&filtered, &filters).unwrap();
        notes.iter().map(ToString::to_string).collect()
    };
    let profile = marked(&recording, &[(0, 4, 0)]);
    let nothing: [&str; 0] = [];
    assert_eq!(told(&profile, &[(FilterKind::Focus, "f9")]), nothing);
    assert_eq!(told(&profile, &[(FilterKind::Time, "2ns..9ns")]), nothing);
    // The last instant of the recording is in a range from it on; the next one is not.
    assert_eq!(told(&profile, &[(FilterKind::Time, "20ns..")]), nothing);
    let outside = "nothing was recorded in 21ns..: the recording is 0ns..20ns";
    assert_eq!(told(&profile, &[(FilterKind::Time, "21ns..")]), [outside]);
    let outside = "nothing was recorded in ..-1ns: the recording is 0ns..20ns";
    assert_eq!(
        told(&profile, &[(FilterKind::Time, "..-1ns"), (FilterKind::Time, "1ns..")]),
        [outside]
    );
    assert_eq!(
        told(&profile, &[(FilterKind::During, "f2")]),
        ["no span has a frame that matches f2"]
    );
    let instant = Recording {
        threads: vec![vec![leaf(1, 9), leaf(2, 0)], vec![]],
        operations: vec![],
        samples: vec![],
    };
    let instant = marked(&instant, &[]);
    // The instant at which a span ends is not in it.
    assert_eq!(
        told(&instant, &[(FilterKind::During, "f2")]),
        ["spans with a frame that matches f2 have no length"]
    );
    let during = [Filter { kind: FilterKind::During, pattern: "f1".to_owned() }];
    let filtered = Filtered::new(instant.clone(), &during, false).unwrap();
    let names: Vec<_> = analysis::span_statistics(&filtered)
        .iter()
        .map(|one| instant.text(one.name).to_owned())
        .collect();
    assert_eq!(names, ["f1"]);
    let no_mark = "no mark is of a kind that frame=5ns matches";
    assert_eq!(told(&profile, &[(FilterKind::Around, "frame=5ns")]), [no_mark]);
    let both = [(FilterKind::Time, "20ns.."), (FilterKind::Around, "GC=5ns")];
    assert_eq!(told(&profile, &both), ["nothing is left in the chosen time"]);
    assert_eq!(
        told(&profile, &[(FilterKind::Time, "10ns..20ns")]),
        ["nothing is left in the chosen time"]
    );

    let mut builder = ProfileBuilder::new(metrics());
    let context = context(&mut builder, &[1]);
    builder.points.push_point(Point { context, ..Point::default() }, &[1; 6]);
    builder.points.push_point(Point { context, time: Some(5), ..Point::default() }, &[1; 6]);
    let some = Arc::new(builder.finish());
    assert_eq!(
        told(&some, &[(FilterKind::Time, "..")]),
        ["1 of 2 samples have no time and are left out"]
    );
    let untimed = untimed();
    let all = "none of 1 samples has a time: all of them are left out";
    assert_eq!(told(&untimed, &[(FilterKind::Time, "1s..")]), [all]);
}
