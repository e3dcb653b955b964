//! The addresses that an entry stands for.

use gimli::{Attribute, AttributeValue, Dwarf, Unit};

use super::debug_file::{Bytes, Damaged};
use crate::budget::Budget;
use crate::elf::{Elf, SHF_EXECINSTR, Section};

/// Where a binary has code. Linkers leave what they say of code that they threw away, at addresses such
/// as 0.
pub(super) struct Code {
    /// None where the file has no sections that tell.
    ranges: Vec<(u64, u64)>,
}

impl Code {
    pub(super) fn new(elf: &Elf) -> Self {
        let sections = elf.sections.iter().filter(|one| one.flags & SHF_EXECINSTR != 0);
        let end = |one: &Section| one.address.saturating_add(one.size);
        Self { ranges: sections.map(|one| (one.address, end(one))).collect() }
    }

    /// True for addresses of code.
    pub(super) fn holds(&self, address: u64) -> bool {
        let mut ranges = self.ranges.iter();
        self.ranges.is_empty() || ranges.any(|(begin, end)| (*begin..*end).contains(&address))
    }
}

/// The attributes that tell addresses: a first and a last one or a size, or a list of ranges.
#[derive(Clone, Default)]
pub(super) struct Extent {
    low: Option<AttributeValue<Bytes>>,
    high: Option<AttributeValue<Bytes>>,
    list: Option<AttributeValue<Bytes>>,
}

impl Extent {
    /// Keeps an attribute that is one of them.
    pub(super) fn note(&mut self, attribute: &Attribute<Bytes>) {
        match attribute.name() {
            gimli::DW_AT_low_pc => self.low = Some(attribute.value()),
            gimli::DW_AT_high_pc => self.high = Some(attribute.value()),
            gimli::DW_AT_ranges => self.list = Some(attribute.value()),
            _ => {}
        }
    }

    /// True if there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.low.is_none() && self.list.is_none()
    }

    /// The first address, which a unit's ranges are relative to.
    pub(super) fn low(&self, dwarf: &Dwarf<Bytes>, unit: &Unit<Bytes>) -> Option<u64> {
        dwarf.attr_address(unit, self.low.clone()?).ok()?
    }

    /// Calls `each` with begin and end of every range that holds something.
    pub(super) fn each_range(
        &self,
        dwarf: &Dwarf<Bytes>,
        unit: &Unit<Bytes>,
        budget: &mut Budget,
        mut each: impl FnMut(u64, u64),
    ) -> Result<(), Damaged> {
        let mut each = |begin: u64, end: u64| {
            if begin < end {
                each(begin, end);
            }
        };
        if let Some(list) = self.list.clone()
            && let Some(mut ranges) = dwarf.attr_ranges(unit, list)?
        {
            while let Some(raw) = ranges.next_raw()? {
                budget.take(1)?;
                if let Some(range) = ranges.convert_raw(raw)? {
                    each(range.begin, range.end);
                }
            }
            return Ok(());
        }
        let Some(low) = self.low(dwarf, unit) else { return Ok(()) };
        let end = match self.high.clone() {
            None => None,
            Some(AttributeValue::Udata(size)) => low.checked_add(size),
            Some(value) => dwarf.attr_address(unit, value)?,
        };
        if let Some(end) = end {
            each(low, end);
        }
        Ok(())
    }
}
