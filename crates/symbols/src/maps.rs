//! What is mapped where in a process.

use std::collections::BTreeMap;

/// What a range of addresses holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mapped {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Where the file stands at `start`.
    pub(crate) file_offset: u64,
    /// What it is: an index into modules or names.
    pub(crate) module: u32,
}

/// The mappings of one process, by where they begin. They do not overlap: what is mapped later takes
/// the place of what was there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Maps {
    by_start: BTreeMap<u64, Mapped>,
}

impl Maps {
    pub(crate) fn insert(&mut self, new: Mapped) {
        if new.start >= new.end {
            return;
        }
        let below = self.by_start.range(..new.start).next_back().map(|(_, old)| *old);
        let inside: Vec<Mapped> =
            self.by_start.range(new.start..new.end).map(|(_, old)| *old).collect();
        for old in below.into_iter().filter(|old| old.end > new.start).chain(inside) {
            self.by_start.remove(&old.start);
            if old.start < new.start {
                self.by_start.insert(old.start, Mapped { end: new.start, ..old });
            }
            if old.end > new.end {
                let file_offset = old.file_offset.wrapping_add(new.end - old.start);
                self.by_start.insert(new.end, Mapped { start: new.end, file_offset, ..old });
            }
        }
        self.by_start.insert(new.start, new);
    }

    pub(crate) fn find(&self, address: u64) -> Option<Mapped> {
        let (_, mapped) = self.by_start.range(..=address).next_back()?;
        (address < mapped.end).then_some(*mapped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(start: u64, end: u64, module: u32) -> Mapped {
        Mapped { start, end, file_offset: start * 10, module }
    }

    #[test]
    fn the_later_mapping_takes_the_place() {
        let mut maps = Maps::default();
        maps.insert(mapped(10, 50, 0));
        maps.insert(mapped(20, 30, 1));
        maps.insert(mapped(5, 12, 2));
        maps.insert(mapped(45, 60, 3));
        maps.insert(mapped(70, 70, 4));
        let modules: Vec<_> =
            [4, 5, 11, 12, 19, 20, 29, 30, 44, 45, 59, 60, 70].map(|at| maps.find(at)).to_vec();
        let modules: Vec<_> = modules.iter().map(|found| found.map(|one| one.module)).collect();
        let expected = [9, 2, 2, 0, 0, 1, 1, 0, 0, 3, 3, 9, 9];
        let expected: Vec<_> = expected.iter().map(|one| (*one != 9).then_some(*one)).collect();
        assert_eq!(modules, expected);
        // What is left of a mapping keeps its place in the file.
        assert_eq!(maps.find(30).unwrap().file_offset, 10 * 10 + 20);
    }

    #[test]
    fn random_mappings_agree_with_painting() {
        use proptest::prelude::*;
        let ranges = proptest::collection::vec((0..60_u64, 0..20_u64), 0..40);
        proptest!(|(ranges in ranges)| {
            let mut maps = Maps::default();
            let mut painted = [None; 100];
            for (module, (start, length)) in ranges.into_iter().enumerate() {
                let module = module as u32;
                maps.insert(mapped(start, start + length, module));
                painted[start as usize..(start + length) as usize].fill(Some(module));
            }
            for (at, module) in painted.iter().enumerate() {
                let found = maps.find(at as u64);
                prop_assert_eq!(found.map(|one| one.module), *module);
            }
        });
    }
}
