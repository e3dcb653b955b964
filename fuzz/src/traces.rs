//! Recorded accesses.

use locality::{
    Access, Cache, Caches, Container, Lackey, Line, Recording, Regions, Replacement, Split,
    Tracing, Wanted, is_lackey,
};

/// Reads a recording, and simulates what there is before its first error.
pub(super) fn read(bytes: &[u8]) {
    let mut lackey = Lackey::new(bytes);
    let level = |size, ways| Cache { size, ways, replacement: Replacement::Lru };
    let caches = Caches::new(vec![level(1024, Some(2)), level(8192, None)]);
    let range = Container { base: Some(0x40_3000), ..Container::rows("range", 8, &[12, 3, 9]) };
    let mut tracing = Tracing::new(
        std::slice::from_ref(&range),
        64,
        &caches,
        Wanted { watched: Some(0), ..Wanted::default() },
    )
    .expect("it can be built");
    let mut accesses = 0u64;
    let mut recording = Recording::default();
    while let Ok(Some(line)) = lackey.next() {
        let _ = recording.push(line);
        match line {
            Line::Instruction(_) => {}
            Line::Data(access) | Line::Modify(access) => {
                accesses += 1;
                tracing.access(access).expect("it has few lines");
                if line == Line::Modify(access) {
                    accesses += 1;
                    tracing.access(Access { is_write: true, ..access }).expect("its line is known");
                }
            }
        }
    }
    let _ = is_lackey(bytes);
    let found = Regions::new(&recording, std::slice::from_ref(&range)).expect("nothing overlaps");
    let mut regions =
        Tracing::new(&found.containers, 64, &caches, Wanted { is_each: true, ..Wanted::default() })
            .expect("regions are few, and do not overlap");
    recording.accesses().for_each(|access| regions.access(access).expect("it has few lines"));
    let each = regions.finish(64).each.expect("it was wanted");
    assert_eq!(each.replay.references.len() as u64, recording.touches(64));
    let traced = tracing.finish(64);
    assert_eq!(traced.seen.accesses, accesses);
    let [first, second]: [Split; 2] = [0, 1].map(|level| traced.outcome.sum(level, 0..4));
    assert!(first.accesses >= accesses);
    assert_eq!(second.accesses, first.misses());
    assert_eq!(first.cold, second.cold);
    let elements = traced.watched.expect("it was watched").elements;
    let own = traced.outcome.sum(0, 0..2);
    assert!(elements.iter().map(|one| one.cold).sum::<u64>() <= own.cold);
}
