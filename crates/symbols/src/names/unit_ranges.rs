//! Which unit has the code at an address.

use super::debug_file::{Damaged, DebugFile};
use super::extent::Code;
use super::lines::Lines;
use crate::budget::Budget;

/// How many units are asked for one address.
const MAX_CANDIDATES: usize = 8;

struct UnitRange {
    begin: u64,
    end: u64,
    /// The largest end of this and all before it.
    reach: u64,
    unit: usize,
}

/// The code of all units, by where it begins.
pub(super) struct UnitRanges {
    ranges: Vec<UnitRange>,
}

impl UnitRanges {
    /// From the first entry of every unit; from its lines where that does not say.
    pub(super) fn read(
        file: &DebugFile,
        code: &Code,
        budget: &mut Budget,
        mut damaged: impl FnMut(usize),
    ) -> Self {
        let mut ranges: Vec<UnitRange> = vec![];
        for unit in 0..file.units.len() {
            if Self::read_unit(file, unit, code, budget, &mut ranges).is_err() {
                damaged(unit);
            }
        }
        ranges.sort_unstable_by_key(|range| (range.begin, range.end, range.unit));
        let mut reach = 0;
        for range in &mut ranges {
            reach = reach.max(range.end);
            range.reach = reach;
        }
        Self { ranges }
    }

    fn read_unit(
        file: &DebugFile,
        unit: usize,
        code: &Code,
        budget: &mut Budget,
        ranges: &mut Vec<UnitRange>,
    ) -> Result<(), Damaged> {
        let root = file.read_root(unit, budget)?;
        let before = ranges.len();
        let mut add = |begin: u64, end: u64| {
            if code.holds(begin) {
                ranges.push(UnitRange { begin, end, reach: 0, unit });
            }
        };
        root.extent.each_range(&file.dwarf, &root.unit, budget, &mut add)?;
        if let Some(offset) = root.lines_at
            && root.extent.is_empty()
        {
            let lines = Lines::read(file, &root, offset, code, budget)?;
            lines.ranges().for_each(|(begin, end)| add(begin, end));
        }
        // Ranges that follow each other are one.
        let mut kept = before;
        for index in before..ranges.len() {
            let (begin, end) = (ranges[index].begin, ranges[index].end);
            if kept > before && ranges[kept - 1].end == begin {
                ranges[kept - 1].end = end;
            } else {
                ranges.swap(kept, index);
                kept += 1;
            }
        }
        ranges.truncate(kept);
        Ok(())
    }

    /// The units that say they have the address, the nearest begin first.
    pub(super) fn at(&self, address: u64) -> impl Iterator<Item = usize> {
        let after = self.ranges.partition_point(|range| range.begin <= address);
        let before = self.ranges[..after].iter().rev();
        let reaching = before.take_while(move |range| address < range.reach);
        let holding = reaching.filter(move |range| address < range.end);
        holding.take(MAX_CANDIDATES).map(|range| range.unit)
    }
}
