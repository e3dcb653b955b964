//! Recorded accesses one by one, for who wants to see them all.

use crate::cache::Hierarchy;
use crate::replay::{COLD, NO_LINE, Replay};
use crate::walk::Touch;

/// Every access of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EachTraced {
    /// The accesses, one for each line that is touched; steps are its iterations. Lines have numbers in the
    /// order in which they are touched first.
    pub replay: Replay,
    /// By access, how many elements it touches, from its own on; 0 where it is behind the end of its range.
    pub counts: Vec<u32>,
    /// By number of a line, which line of the address space it is.
    pub lines: Vec<u64>,
}

/// Tells accesses while they are simulated.
#[derive(Default)]
pub(super) struct Following {
    told: EachTraced,
    /// By level, how often the reference that accesses now had missed before.
    misses: Vec<u64>,
}

impl Following {
    pub(super) fn begin_step(&mut self) {
        let replay = &mut self.told.replay;
        let next = replay.references.len() as u32;
        if replay.starts.last() != Some(&next) {
            replay.starts.push(next);
        }
    }

    pub(super) fn add_line(&mut self, line: u64) {
        self.told.lines.push(line);
    }

    /// A reference is about to access.
    pub(super) fn before(&mut self, reference: u32, hierarchy: &Hierarchy) {
        self.misses.clear();
        self.misses.extend(misses(hierarchy, reference));
    }

    /// An access that went through caches just now.
    pub(super) fn touch(
        &mut self,
        Touch { reference, line }: Touch,
        elements: Option<[u64; 2]>,
        distance: Option<u64>,
        hierarchy: &Hierarchy,
    ) {
        let [first, count] = elements.map_or([0, 0], |[first, last]| [first, last - first + 1]);
        let replay = &mut self.told.replay;
        replay.references.push(reference);
        replay.elements.push(first as u32);
        replay.lines.push(line);
        replay.distances.push(distance.map_or(COLD, |distance| distance as u32));
        let now = misses(hierarchy, reference).zip(&self.misses).take(8).enumerate();
        replay.missed.push(now.fold(
            0,
            |bits, (level, (now, before))| {
                if now > *before { bits | 1 << level } else { bits }
            },
        ));
        replay.victims.push(hierarchy.driven_out().unwrap_or(NO_LINE));
        self.told.counts.push(count as u32);
    }

    pub(super) fn finish(self) -> EachTraced {
        self.told
    }
}

fn misses(hierarchy: &Hierarchy, reference: u32) -> impl Iterator<Item = u64> + '_ {
    hierarchy.counts().levels.iter().map(move |level| level.misses[reference as usize])
}
