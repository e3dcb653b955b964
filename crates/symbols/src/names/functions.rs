//! The functions of a unit, and what was inlined into one of them.

use gimli::{AttributeValue, EntriesRaw, UnitOffset};

use super::debug::file_number;
use super::debug_file::{Bytes, Damaged, Root};
use super::extent::{Code, Extent};
use crate::budget::Budget;

/// How many functions that begin before an address are looked at: ranges may overlap where code was
/// folded.
const OVERLAPPING: usize = 8;
/// Calls inside of calls: compilers stop long before.
const MAX_DEPTH: u32 = 512;

/// A range of addresses and the entry of its function.
struct FunctionRange {
    begin: u64,
    end: u64,
    entry: UnitOffset,
}

/// The functions of a unit that have code, by address.
pub(super) struct Functions {
    ranges: Vec<FunctionRange>,
}

impl Functions {
    /// Goes over all entries of a unit once.
    pub(super) fn read(
        dwarf: &gimli::Dwarf<Bytes>,
        root: &Root,
        code: &Code,
        budget: &mut Budget,
    ) -> Result<Self, Damaged> {
        let unit = &root.unit;
        let mut ranges = vec![];
        let mut entries = unit.header.entries_raw(&unit.abbreviations, None)?;
        while !entries.is_empty() {
            let entry = entries.next_offset();
            let Some(abbreviation) = entries.read_abbreviation()? else {
                budget.take(1)?;
                continue;
            };
            budget.take(1 + abbreviation.attributes().len() as u64)?;
            if abbreviation.tag() != gimli::DW_TAG_subprogram {
                entries.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            let mut extent = Extent::default();
            for specification in abbreviation.attributes() {
                extent.note(&entries.read_attribute(*specification)?);
            }
            extent.each_range(dwarf, unit, budget, |begin, end| {
                if code.holds(begin) {
                    ranges.push(FunctionRange { begin, end, entry });
                }
            })?;
        }
        ranges
            .sort_unstable_by_key(|range: &FunctionRange| (range.begin, range.end, range.entry.0));
        Ok(Self { ranges })
    }

    /// About how many bytes this takes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.ranges)
    }

    /// The entry of the function that holds an address.
    pub(super) fn at(&self, address: u64) -> Option<UnitOffset> {
        let after = self.ranges.partition_point(|range| range.begin <= address);
        let mut near = self.ranges[..after].iter().rev().take(OVERLAPPING);
        near.find(|range| address < range.end).map(|range| range.entry)
    }
}

/// A call that was inlined.
#[derive(Clone, Debug)]
pub(super) struct InlinedCall {
    /// The function that was called.
    pub(super) origin: Option<AttributeValue<Bytes>>,
    /// Where it was called: a number in the unit's table of files, a line, a column.
    pub(super) file: u64,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A range of addresses of a call, and how many calls it is inside of.
struct CallRange {
    depth: u32,
    begin: u64,
    end: u64,
    call: u32,
}

/// What was inlined into one function.
pub(super) struct Inlines {
    calls: Vec<InlinedCall>,
    /// By depth, then by begin: those of one depth do not overlap.
    ranges: Vec<CallRange>,
}

impl Inlines {
    /// Goes over the entries below a function's. Calls inside of calls stand below each other; only
    /// their depths are kept, so that no nesting is too deep.
    pub(super) fn read(
        dwarf: &gimli::Dwarf<Bytes>,
        root: &Root,
        function: UnitOffset,
        budget: &mut Budget,
    ) -> Result<Self, Damaged> {
        let unit = &root.unit;
        let mut inlines = Self { calls: vec![], ranges: vec![] };
        let mut entries = unit.header.entries_raw(&unit.abbreviations, Some(function))?;
        let top = entries.next_depth();
        // The depths of the calls that the next entry is inside of.
        let mut inside: Vec<isize> = vec![];
        // The depth of a function inside of the function, whose entries are its own.
        let mut other: Option<isize> = None;
        let mut is_first = true;
        while !entries.is_empty() {
            let depth = entries.next_depth();
            if !is_first && depth <= top {
                break;
            }
            let Some(abbreviation) = entries.read_abbreviation()? else {
                budget.take(1)?;
                continue;
            };
            budget.take(1 + abbreviation.attributes().len() as u64)?;
            while inside.last().is_some_and(|outer| depth <= *outer) {
                inside.pop();
            }
            if other.is_some_and(|outer| depth <= outer) {
                other = None;
            }
            let is_call = abbreviation.tag() == gimli::DW_TAG_inlined_subroutine;
            if is_call && other.is_none() {
                let level = u32::try_from(inside.len()).map_err(|_| Damaged)?;
                if level == MAX_DEPTH {
                    return Err(Damaged);
                }
                let attributes = abbreviation.attributes();
                let (call, extent) = call(&mut entries, attributes)?;
                if inlines.add(call, &extent, dwarf, root, level, budget)? {
                    inside.push(depth);
                }
            } else {
                let is_function = abbreviation.tag() == gimli::DW_TAG_subprogram;
                if is_function && !is_first && other.is_none() {
                    other = Some(depth);
                }
                entries.skip_attributes(abbreviation.attributes())?;
            }
            is_first = false;
        }
        inlines.ranges.sort_by_key(|range| (range.depth, range.begin));
        Ok(inlines)
    }

    fn add(
        &mut self,
        call: InlinedCall,
        extent: &Extent,
        dwarf: &gimli::Dwarf<Bytes>,
        root: &Root,
        depth: u32,
        budget: &mut Budget,
    ) -> Result<bool, Damaged> {
        let index = u32::try_from(self.calls.len()).map_err(|_| Damaged)?;
        let before = self.ranges.len();
        extent.each_range(dwarf, &root.unit, budget, |begin, end| {
            self.ranges.push(CallRange { depth, begin, end, call: index });
        })?;
        let has_code = self.ranges.len() > before;
        if has_code {
            self.calls.push(call);
        }
        Ok(has_code)
    }

    /// About how many bytes this takes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.calls) + size_of_val(&*self.ranges)
    }

    /// The calls that an address is inside of, outermost first.
    pub(super) fn at(&self, address: u64) -> impl Iterator<Item = &InlinedCall> {
        (0..).map_while(move |depth| {
            let after =
                self.ranges.partition_point(|range| (range.depth, range.begin) <= (depth, address));
            let last = self.ranges[..after].last()?;
            let holds = last.depth == depth && address < last.end;
            holds.then(|| &self.calls[last.call as usize])
        })
    }
}

/// The attributes of a call.
fn call(
    entries: &mut EntriesRaw<'_, Bytes>,
    attributes: &[gimli::AttributeSpecification],
) -> Result<(InlinedCall, Extent), Damaged> {
    let mut call = InlinedCall { origin: None, file: 0, line: 0, column: 0 };
    let mut extent = Extent::default();
    for specification in attributes {
        let attribute = entries.read_attribute(*specification)?;
        extent.note(&attribute);
        let number = || u32::try_from(attribute.udata_value().unwrap_or(0)).unwrap_or(0);
        match attribute.name() {
            gimli::DW_AT_abstract_origin => call.origin = Some(attribute.value()),
            gimli::DW_AT_call_file => call.file = file_number(&attribute),
            gimli::DW_AT_call_line => call.line = number(),
            gimli::DW_AT_call_column => call.column = number(),
            _ => {}
        }
    }
    Ok((call, extent))
}
