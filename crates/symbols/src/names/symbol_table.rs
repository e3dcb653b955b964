//! The symbols of a binary: where functions begin, and the linker's names for them.

use std::cmp::Reverse;
use std::ops::Range;

use crate::elf::{Elf, SHF_EXECINSTR, SHT_DYNSYM, SHT_SYMTAB};
use crate::fields::{Fields, string_at};
use crate::stored::Stored;

/// Kinds and bindings of symbols.
const STT_NOTYPE: u8 = 0;
const STT_FUNC: u8 = 2;
const STT_GNU_IFUNC: u8 = 10;
const STB_LOCAL: u8 = 0;
const STB_WEAK: u8 = 2;
const SHN_UNDEF: u16 = 0;
/// From here on, numbers of sections mean something else.
const SHN_LORESERVE: u16 = 0xff00;

/// The functions of one binary, by address. Each address has one: of several names the best.
pub(super) struct SymbolTable {
    functions: Vec<Function>,
    names: Stored,
}

/// A function from `begin` to before `end`.
struct Function {
    begin: u64,
    end: u64,
    /// Where its name stands.
    name: u32,
}

struct Candidate {
    begin: u64,
    size: u64,
    name: u32,
    binding: u8,
    is_function: bool,
    /// Where its section ends.
    limit: u64,
}

impl SymbolTable {
    /// The full table if the file has it, else that of the dynamic linker; none if there is neither.
    pub(super) fn new(elf: &Elf) -> Option<Self> {
        let of_kind = |kind: u32| {
            let section = elf.sections.iter().find(|section| section.kind == kind)?;
            let symbols = elf.bytes(section)?;
            let names = elf.sections.get(section.link as usize)?;
            let functions = functions(elf, &symbols, &elf.bytes(names)?);
            Some(Self { functions, names: elf.stored(names)? })
        };
        of_kind(SHT_SYMTAB).or_else(|| of_kind(SHT_DYNSYM))
    }

    /// True for those that have all functions, and not the exported ones alone.
    pub(super) fn is_full(elf: &Elf) -> bool {
        elf.sections.iter().any(|section| section.kind == SHT_SYMTAB)
    }

    /// The linker's name of the function that holds an address.
    pub(super) fn at(&self, address: u64) -> Option<Vec<u8>> {
        let function = self.function_at(address)?;
        self.names.text(u64::from(function.name)).filter(|name| !name.is_empty())
    }

    /// Where the function that holds an address begins, and where it has ended.
    pub(super) fn extent(&self, address: u64) -> Option<Range<u64>> {
        self.function_at(address).map(|function| function.begin..function.end)
    }

    fn function_at(&self, address: u64) -> Option<&Function> {
        let after = self.functions.partition_point(|function| function.begin <= address);
        // A function may stand inside of another one, which goes on after it.
        self.functions[..after].iter().rev().take(4).find(|function| address < function.end)
    }
}

/// The functions that symbols tell of, by address.
fn functions(elf: &Elf, symbols: &[u8], names: &[u8]) -> Vec<Function> {
    let width = if elf.is_64 { 24 } else { 16 };
    let candidates = symbols.chunks_exact(width);
    let mut candidates: Vec<Candidate> =
        candidates.filter_map(|bytes| candidate(elf, bytes)).collect();
    let better = |one: &Candidate| {
        let name = string_at(names, one.name as usize).unwrap_or_default();
        let underscores = name.iter().take_while(|byte| **byte == b'_').count();
        // A function before a label, one of a known size, one that others may call, and of those
        // the name that is not an alias for the implementation's own use.
        let quality = (one.is_function, one.size > 0, one.binding != STB_WEAK);
        (Reverse(quality), one.binding == STB_LOCAL, underscores, Reverse(name.len()))
    };
    let name = |one: &Candidate| string_at(names, one.name as usize).unwrap_or_default();
    candidates.sort_unstable_by(|one, other| {
        let by_quality = || better(one).cmp(&better(other));
        let by_name = || name(one).cmp(name(other));
        one.begin.cmp(&other.begin).then_with(by_quality).then_with(by_name)
    });
    candidates.dedup_by_key(|one| one.begin);
    let mut functions: Vec<Function> = vec![];
    for (index, one) in candidates.iter().enumerate() {
        let next = candidates.get(index + 1).map_or(u64::MAX, |next| next.begin);
        let end = match one.size {
            0 => next.min(one.limit),
            size => one.begin.saturating_add(size),
        };
        // Labels inside of a function are not functions.
        let is_inside = functions.last().is_some_and(|last| one.begin < last.end);
        if one.is_function || !is_inside {
            functions.push(Function { begin: one.begin, end, name: one.name });
        }
    }
    functions
}

/// A symbol that is a function, or a label in code.
fn candidate(elf: &Elf, bytes: &[u8]) -> Option<Candidate> {
    let mut fields = Fields::new(bytes, elf.big_endian);
    let name = fields.u32()?;
    let (info, section, value, size);
    if elf.is_64 {
        info = fields.u8()?;
        fields.u8()?;
        section = fields.u16()?;
        (value, size) = (fields.u64()?, fields.u64()?);
    } else {
        (value, size) = (u64::from(fields.u32()?), u64::from(fields.u32()?));
        info = fields.u8()?;
        fields.u8()?;
        section = fields.u16()?;
    }
    let kind = info & 0xf;
    let is_function = kind == STT_FUNC || kind == STT_GNU_IFUNC;
    if name == 0 || section == SHN_UNDEF || !(is_function || kind == STT_NOTYPE) {
        return None;
    }
    let section = elf.sections.get(usize::from(section)).filter(|_| section < SHN_LORESERVE);
    let in_code = section.is_some_and(|one| one.flags & SHF_EXECINSTR != 0);
    if !in_code && !is_function {
        return None;
    }
    let limit = section.map_or(u64::MAX, |one| one.address.saturating_add(one.size));
    // 32-bit ARM marks Thumb code in the lowest bit.
    let begin = if elf.machine == 40 && is_function { value & !1 } else { value };
    Some(Candidate { begin, size, name, binding: info >> 4, is_function, limit })
}
