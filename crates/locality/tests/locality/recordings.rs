//! Recorded accesses that are kept, and the regions that they are in.

use locality::{
    Access, Cache, Caches, Container, Line, Recording, Regions, Replacement, Tracing, Wanted,
};
use proptest::prelude::*;

/// Accesses that crowd at some places of the address space, and are scattered over all of it.
fn trace() -> impl Strategy<Value = Vec<Line>> {
    let place = prop_oneof![
        0x4000u64..0x4300,
        0x4000u64..0x9000,
        0x1f_ff00_0000u64..0x1f_ff00_4000,
        0u64..(1 << 52) - 4096,
    ];
    let bytes = prop::sample::select(vec![1u32, 2, 4, 8, 12, 16, 32, 200, 4096]);
    let one = (place, bytes, any::<bool>(), any::<bool>());
    let one = one.prop_map(|(address, bytes, is_write, is_both)| {
        let access = Access { address, bytes, is_write: is_write && !is_both };
        if is_both { Line::Modify(access) } else { Line::Data(access) }
    });
    prop::collection::vec(one, 1..200)
}

/// Ranges one behind the other, with gaps or without.
fn ranges() -> impl Strategy<Value = Vec<Container>> {
    let one = (0u64..0x900, prop::sample::select(vec![1u64, 2, 8, 24]), 1u64..60);
    prop::collection::vec(one, 0..6).prop_map(|all| {
        let mut free = 0x3f00;
        let own = |(gap, element, count): (u64, u64, u64)| {
            let base = free + gap;
            free = base + element * count;
            Container {
                base: Some(base),
                ..Container::rows(&format!("at {base}"), element, &[count])
            }
        };
        all.into_iter().map(own).collect()
    })
}

fn extent(own: &Container) -> [u64; 2] {
    let base = own.base.unwrap();
    [base, base + own.element * own.shape.iter().product::<u64>()]
}

proptest! {
    #[test]
    fn every_access_begins_in_one_container(trace in trace(), ranges in ranges()) {
        let mut recording = Recording::default();
        trace.iter().for_each(|&line| recording.push(line).unwrap());
        prop_assert_eq!(recording.lines().collect::<Vec<Line>>(), trace.clone());
        let found = Regions::new(&recording, &ranges).unwrap();
        let mut extents: Vec<[u64; 2]> = found.containers.iter().map(extent).collect();
        extents.sort_unstable();
        prop_assert!(extents.windows(2).all(|pair| pair[0][1] <= pair[1][0]), "{:?}", extents);
        for access in recording.accesses() {
            let holds = |[begin, end]: &&[u64; 2]| *begin <= access.address && access.address < *end;
            prop_assert_eq!(extents.iter().filter(holds).count(), 1, "{:x} {:?}", access.address, extents);
        }
        // Ranges keep their names and shapes, or nothing accesses them.
        for range in &ranges {
            let is_there = found.containers.contains(range);
            prop_assert_ne!(is_there, found.untouched.contains(&range.name));
        }
        prop_assert_eq!(found.containers.len(), found.unnamed + ranges.len() - found.untouched.len());
        for own in &found.containers {
            prop_assert!(own.shape.iter().product::<u64>() <= 1 << 23, "{:?}", own);
        }
        // Nothing is elsewhere, and lines are touched as often as was told.
        let caches = Caches::new(vec![Cache { size: 512, ways: None, replacement: Replacement::Lru }]);
        let wanted = Wanted { is_each: true, ..Wanted::default() };
        let mut tracing = Tracing::new(&found.containers, 64, &caches, wanted).unwrap();
        recording.accesses().for_each(|access| tracing.access(access).unwrap());
        let traced = tracing.finish(64);
        let each = traced.each.unwrap().replay;
        prop_assert_eq!(each.references.len() as u64, recording.touches(64));
        let elsewhere = found.containers.len() * 2;
        prop_assert_eq!(traced.outcome.sum(0, elsewhere..elsewhere + 2).accesses, 0);
        prop_assert_eq!(traced.outcome.sum(0, 0..elsewhere).accesses, recording.touches(64));
    }
}
