//! timemory's JSON, list and tree.

use crate::measured::{metric, sample, self_values};

/// Own nanoseconds of what the samples' README says.
const OWN: [(&str, i64); 4] =
    [("grind", 750_000_000), ("main", 500_000_000), ("pack", 500_000_000), ("sift", 750_000_000)];

#[test]
fn inclusive_values_become_own_ones() {
    for (path, name, factor) in [
        ("timemory/wall.tree.json", "WALL_CLOCK", 1),
        ("timemory/several.timemory.json", "wall_clock", 1),
        // Two ranks, the second twice as slow.
        ("timemory/wall_clock.timemory.json", "wall_clock", 3),
    ] {
        let profile = sample(path);
        let index = metric(&profile, name);
        let own = self_values(&profile, index);
        for (function, nanoseconds) in OWN {
            assert_eq!(own[function], nanoseconds * factor, "{path} {function}");
        }
        assert_eq!(profile.metric_total(index).0, 2_500_000_000 * factor, "{path}");
    }
}

#[test]
fn what_does_not_add_up_stays_as_it_is() {
    let profile = sample("timemory/several.timemory.json");
    let own = self_values(&profile, metric(&profile, "cpu_util"));
    assert_eq!((own["main"], own["grind"]), (975, 990));
    let rss = metric(&profile, "peak_rss");
    // 3.5 MB, which are decimal ones.
    assert_eq!(self_values(&profile, rss)["main"], 3_500_000);
    assert_eq!(profile.metrics[rss.index()].unit, "bytes");
    let laps = self_values(&profile, metric(&profile, "laps"));
    assert_eq!((laps["main"], laps["grind"], laps["sift"]), (1, 3, 8));
}
