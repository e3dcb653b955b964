//! Unwind information of one module, as compilers write it into `.eh_frame` and `.debug_frame`.

use std::sync::Arc;

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, CommonInformationEntry, DebugFrame, EhFrame, EndianSlice,
    LittleEndian, RegisterRule, UnwindContext, UnwindExpression, UnwindOffset, UnwindSection,
};
use rustc_hash::FxHashMap;

use super::registers::Architecture;
use super::rule::{Frame, Rule, Saved};
use crate::budget::Budget;
use crate::elf::Elf;
use crate::fields::Fields;

/// Entries of so many bytes are free; larger ones count.
const USUAL_ENTRY: u64 = 4096;
/// The longest expression that is kept.
const MAX_EXPRESSION: usize = 256;

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The sections of a module that say how to unwind.
pub(super) struct Cfi {
    tables: Vec<Table>,
}

struct Table {
    bytes: Arc<[u8]>,
    is_eh_frame: bool,
    bases: BaseAddresses,
    /// Where the section stands in memory.
    address: u64,
    index: Index,
    budget: Budget,
}

/// Finds the entry of an address.
enum Index {
    /// The table of `.eh_frame_hdr`: pairs of a function and its entry, both from `base`.
    Header { table: Arc<[u8]>, base: u64 },
    /// Where functions begin, and the offsets of their entries; by the former.
    Scanned(Vec<(u64, u32)>),
}

/// What stands before the pairs in `.eh_frame_hdr`.
const HEADER_SIZE: usize = 12;

/// Unwind information that belongs to code without a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeUnwind {
    /// An `.eh_frame` for code at address 0, followed by an `.eh_frame_hdr`.
    pub bytes: Arc<[u8]>,
    /// The size of the latter.
    pub header_size: usize,
    /// Where the former stands: after the code, at the next 8 bytes.
    pub address: u64,
}

impl Cfi {
    /// From the binary, and from the separate debug information that `separate` finds where the binary
    /// has none. None where neither has any.
    pub(super) fn of_elf(elf: &Elf, separate: impl FnOnce() -> Option<Elf>) -> Option<Self> {
        let address_of = |name: &[u8]| elf.section(name).map_or(0, |section| section.address);
        let bases = BaseAddresses::default()
            .set_eh_frame(address_of(b".eh_frame"))
            .set_eh_frame_hdr(address_of(b".eh_frame_hdr"))
            .set_text(address_of(b".text"))
            .set_got(address_of(b".got"));
        let mut tables = vec![];
        let eh_frame = elf.section(b".eh_frame");
        if let Some((section, bytes)) = eh_frame.and_then(|one| Some((one, elf.bytes(one)?))) {
            let header = elf.section(b".eh_frame_hdr");
            let header = header.and_then(|one| Some((one.address, elf.bytes(one)?)));
            tables.push(Table::new(bytes, true, bases.clone(), section.address, header));
        }
        let debug_frame = elf.named_bytes(".debug_frame");
        let debug_frame = if tables.is_empty() {
            debug_frame.or_else(|| separate()?.named_bytes(".debug_frame"))
        } else {
            debug_frame
        };
        if let Some(bytes) = debug_frame {
            tables.push(Table::new(bytes, false, bases, 0, None));
        }
        (!tables.is_empty()).then_some(Self { tables })
    }

    /// From what a just-in-time compiler wrote down.
    pub(super) fn of_code(unwind: &CodeUnwind) -> Option<Self> {
        let size = unwind.bytes.len().checked_sub(unwind.header_size)?;
        let bytes: Arc<[u8]> = unwind.bytes[..size].into();
        let bases = BaseAddresses::default()
            .set_eh_frame(unwind.address)
            .set_eh_frame_hdr(unwind.address.wrapping_add(size as u64))
            .set_text(0);
        Some(Self { tables: vec![Table::new(bytes, true, bases, unwind.address, None)] })
    }

    /// What the information says at an address; none if it says nothing.
    pub(super) fn rule_at(
        &mut self,
        architecture: Architecture,
        address: u64,
        context: &mut UnwindContext<usize>,
    ) -> Option<Rule> {
        self.tables.iter_mut().find_map(|table| table.rule_at(architecture, address, context))
    }
}

impl Table {
    fn new(
        bytes: Arc<[u8]>,
        is_eh_frame: bool,
        bases: BaseAddresses,
        address: u64,
        header: Option<(u64, Arc<[u8]>)>,
    ) -> Self {
        let mut budget = Budget::for_bytes(bytes.len() as u64);
        let header = header.and_then(|(base, table)| usable(base, table));
        let index = header.unwrap_or_else(|| {
            Index::Scanned(if is_eh_frame {
                scan(&eh_frame(&bytes), &bases, &mut budget)
            } else {
                scan(&debug_frame(&bytes), &bases, &mut budget)
            })
        });
        Self { bytes, is_eh_frame, bases, address, index, budget }
    }

    fn rule_at(
        &mut self,
        architecture: Architecture,
        address: u64,
        context: &mut UnwindContext<usize>,
    ) -> Option<Rule> {
        let offset = match &self.index {
            Index::Scanned(entries) => {
                let after = entries.partition_point(|(begin, _)| *begin <= address);
                entries[..after].last()?.1 as usize
            }
            Index::Header { table, base } => {
                let entry = find_in_header(table, *base, address)?;
                usize::try_from(entry.wrapping_sub(self.address)).ok()?
            }
        };
        if self.is_eh_frame {
            let section = eh_frame(&self.bytes);
            rule(&section, &self.bases, offset, address, architecture, context, &mut self.budget)
        } else {
            let section = debug_frame(&self.bytes);
            rule(&section, &self.bases, offset, address, architecture, context, &mut self.budget)
        }
    }
}

fn eh_frame(bytes: &[u8]) -> EhFrame<Slice<'_>> {
    let mut section = EhFrame::from(EndianSlice::new(bytes, LittleEndian));
    section.set_address_size(8);
    section
}

fn debug_frame(bytes: &[u8]) -> DebugFrame<Slice<'_>> {
    let mut section = DebugFrame::from(EndianSlice::new(bytes, LittleEndian));
    section.set_address_size(8);
    section
}

/// The header's table if it is written as linkers do: numbers of four bytes, relative to the header.
fn usable(base: u64, header: Arc<[u8]>) -> Option<Index> {
    let mut fields = Fields::new(&header, false);
    let is_usual = fields.bytes(4)? == [1, 0x1b, 0x03, 0x3b];
    fields.u32()?;
    let pairs = fields.u32()? as usize;
    let fits = pairs.checked_mul(8).is_some_and(|size| size <= fields.rest().len());
    (is_usual && fits && pairs > 0).then_some(Index::Header { table: header, base })
}

/// The address of the entry whose function begins last before `address`.
fn find_in_header(header: &[u8], base: u64, address: u64) -> Option<u64> {
    let count = Fields::new(header.get(8..)?, false).u32()? as usize;
    let pair = |index: usize| {
        let mut fields = Fields::new(header.get(HEADER_SIZE + index * 8..)?, false);
        let relative = |value: u32| base.wrapping_add_signed(i64::from(value.cast_signed()));
        Some((relative(fields.u32()?), relative(fields.u32()?)))
    };
    let (mut begin, mut end) = (0, count);
    while begin < end {
        let middle = begin + (end - begin) / 2;
        if pair(middle)?.0 <= address {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    Some(pair(begin.checked_sub(1)?)?.1)
}

/// All entries, by where their functions begin. Ends at the first that does not hold.
fn scan<'a, S: UnwindSection<Slice<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    budget: &mut Budget,
) -> Vec<(u64, u32)> {
    let mut shared: FxHashMap<usize, CommonInformationEntry<Slice<'a>>> = FxHashMap::default();
    let mut found = vec![];
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let parsed = partial.parse(|section, bases, offset| {
            let place: usize = UnwindOffset::into(offset);
            if let Some(known) = shared.get(&place) {
                return Ok(known.clone());
            }
            let parsed = section.cie_from_offset(bases, offset)?;
            // As many as there are bytes could be named, each with a name as long as the section.
            let size = parsed.entry_len() as u64;
            budget.take(size).map_err(|_| gimli::Error::NoUnwindInfoForAddress)?;
            shared.insert(place, parsed.clone());
            Ok(parsed)
        });
        if let (Ok(entry), Ok(offset)) = (parsed, u32::try_from(partial.offset()))
            && entry.len() > 0
        {
            found.push((entry.initial_address(), offset));
        }
    }
    found.sort_unstable();
    found
}

/// The rule that the entry at `offset` has for an address.
fn rule<'a, S: UnwindSection<Slice<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    offset: usize,
    address: u64,
    architecture: Architecture,
    context: &mut UnwindContext<usize>,
    budget: &mut Budget,
) -> Option<Rule> {
    let entry = section.fde_from_offset(bases, S::Offset::from(offset), S::cie_from_offset).ok()?;
    if !entry.contains(address) {
        return None;
    }
    let size = entry.entry_len().saturating_add(entry.cie().entry_len()) as u64;
    budget.take(size.saturating_sub(USUAL_ENTRY)).ok()?;
    let is_signal = entry.is_signal_trampoline();
    let return_address = entry.cie().return_address_register();
    let row = entry.unwind_info_for_address(section, bases, context, address).ok()?;
    let expression = |expression: &UnwindExpression<usize>| {
        let bytes = expression.get(section).ok()?.0;
        (bytes.len() <= MAX_EXPRESSION).then(|| Box::from(bytes.slice()))
    };
    let number = |register: gimli::Register| u8::try_from(register.0).ok().filter(|one| *one < 32);
    let saved = |rule: &RegisterRule<usize>| {
        Some(match rule {
            RegisterRule::SameValue => Saved::Same,
            RegisterRule::Offset(offset) => Saved::At(*offset),
            RegisterRule::ValOffset(offset) => Saved::Is(*offset),
            RegisterRule::Register(other) => Saved::Register(number(*other)?),
            RegisterRule::Expression(bytes) => Saved::AtExpression(expression(bytes)?),
            RegisterRule::ValExpression(bytes) => Saved::IsExpression(expression(bytes)?),
            RegisterRule::Undefined => Saved::Undefined,
            _ => return None,
        })
    };
    let frame = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            Frame::Register(number(*register)?, *offset)
        }
        CfaRule::Expression(bytes) => Frame::Expression(expression(bytes)?),
    };
    let registers = row.registers().filter(|(register, _)| *register != return_address);
    let registers = registers.filter_map(|(register, rule)| {
        Some((number(*register)?, saved(rule).unwrap_or(Saved::Undefined)))
    });
    let return_address = match (row.register(return_address), architecture) {
        (Some(rule), _) => saved(&rule)?,
        // Only a call writes it on the stack.
        (None, Architecture::X86_64) => Saved::Undefined,
        (None, Architecture::Aarch64) => Saved::Same,
    };
    Some(Rule { frame, return_address, registers: registers.collect(), is_signal })
}
