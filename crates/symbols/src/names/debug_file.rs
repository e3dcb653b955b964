//! One file's DWARF: its sections, its units, and what their first entries say.

use std::borrow::Cow;
use std::sync::Arc;

use gimli::{
    Abbreviations, AttributeValue, DebugAbbrev, DebugAbbrevOffset, DebugLine, DebugLineOffset,
    Dwarf, IncompleteLineProgram, Reader as _, RunTimeEndian, Section as _, SectionId, Unit,
    UnitHeader, UnitOffset, UnitType,
};
use rustc_hash::FxHashMap;

use super::extent::Extent;
use crate::budget::{Budget, Exhausted};
use crate::elf::Elf;
use crate::stored::Stored;

/// The bytes of a section, shared by all that point into it.
pub(super) type Bytes = gimli::EndianArcSlice<RunTimeEndian>;

/// Debug information that does not hold, or asks for too much work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damaged;

impl From<gimli::Error> for Damaged {
    fn from(_: gimli::Error) -> Self {
        Self
    }
}

impl From<Exhausted> for Damaged {
    fn from(_: Exhausted) -> Self {
        Self
    }
}

/// More units than the largest programs have.
const MAX_UNITS: usize = 1 << 20;

/// The debug information of one file.
pub(super) struct DebugFile {
    pub(super) dwarf: Arc<Dwarf<Bytes>>,
    /// By offset.
    pub(super) units: Vec<UnitHeader<Bytes>>,
    /// Where tables of abbreviations begin; each ends before the next.
    tables: Vec<usize>,
    roots: FxHashMap<usize, Result<Arc<Root>, Damaged>>,
    /// Sections that stay in the file: the largest, of which little is needed. Those of `dwarf` are empty
    /// then.
    strings: Option<Stored>,
    lines: Option<Stored>,
}

/// Longer texts are neither names nor paths.
const MAX_TEXT: usize = 1 << 20;

/// What the first entry of a unit says of all.
pub(super) struct Root {
    /// Without its line program.
    pub(super) unit: Unit<Bytes>,
    pub(super) lines_at: Option<DebugLineOffset>,
    pub(super) extent: Extent,
    /// The folder of the compilation.
    pub(super) folder: Option<AttributeValue<Bytes>>,
    /// The file that holds the rest of the unit.
    pub(super) dwo_name: Option<AttributeValue<Bytes>>,
}

impl Root {
    /// True for units of types, which have no code.
    fn is_types(&self) -> bool {
        let kind = self.unit.header.type_();
        matches!(kind, UnitType::Type { .. } | UnitType::SplitType { .. })
    }
}

/// A section of no bytes.
pub(super) fn empty(big_endian: bool) -> Bytes {
    Bytes::new(Arc::from([]), endian(big_endian))
}

pub(super) fn endian(big_endian: bool) -> RunTimeEndian {
    if big_endian { RunTimeEndian::Big } else { RunTimeEndian::Little }
}

impl DebugFile {
    /// The sections of a file that names and lines need, and those of what it shares with others.
    pub(super) fn load(elf: &Elf, supplementary: Option<&Elf>) -> Self {
        let stays = |id| matches!(id, SectionId::DebugStr | SectionId::DebugLine);
        let mut dwarf = sections(elf, |id| (!stays(id)).then(|| id.name()));
        if let Some(supplementary) = supplementary {
            dwarf.set_sup(sections(supplementary, |id| Some(id.name())));
        }
        let mut file = Self::new(Arc::new(dwarf));
        file.strings = elf.named_stored(".debug_str");
        file.lines = elf.named_stored(".debug_line");
        file
    }

    /// The sections of a file of split units.
    pub(super) fn load_split(elf: &Elf, parent: &Dwarf<Bytes>) -> Self {
        let mut dwarf = sections(elf, SectionId::dwo_name);
        dwarf.make_dwo(parent);
        Self::new(Arc::new(dwarf))
    }

    pub(super) fn new(dwarf: Arc<Dwarf<Bytes>>) -> Self {
        let mut units = vec![];
        let mut headers = dwarf.units();
        // A header that does not hold hides those after it.
        while let Ok(Some(header)) = headers.next() {
            if units.len() == MAX_UNITS {
                break;
            }
            units.push(header);
        }
        let mut tables: Vec<usize> =
            units.iter().map(|header| header.debug_abbrev_offset().0).collect();
        tables.sort_unstable();
        tables.dedup();
        Self { dwarf, units, tables, roots: FxHashMap::default(), strings: None, lines: None }
    }

    /// How many bytes there are to look at.
    pub(super) fn size(&self) -> u64 {
        let dwarf = &self.dwarf;
        let sections = [dwarf.debug_info.reader(), dwarf.debug_line.reader()];
        let sections = sections.into_iter().chain([dwarf.debug_abbrev.reader()]);
        let loaded: u64 = sections.map(|section| section.len() as u64).sum();
        loaded + self.lines.as_ref().map_or(0, Stored::len)
    }

    /// The text that an attribute of a unit is.
    pub(super) fn text(&self, unit: &Unit<Bytes>, value: &AttributeValue<Bytes>) -> Option<String> {
        let offset = match value {
            AttributeValue::DebugStrRef(offset) => Some(*offset),
            AttributeValue::DebugStrOffsetsIndex(index) => {
                Some(self.dwarf.string_offset(unit, *index).ok()?)
            }
            _ => None,
        };
        if let (Some(offset), Some(strings)) = (offset, &self.strings) {
            let text = strings.text(offset.0 as u64)?;
            return Some(String::from_utf8_lossy(&text).into_owned());
        }
        let text = self.dwarf.attr_string(unit, value.clone()).ok()?;
        let fits = text.len() <= MAX_TEXT;
        fits.then(|| text.to_string_lossy().ok().map(Cow::into_owned)).flatten()
    }

    /// The line program at an offset, with nothing of what is behind it.
    pub(super) fn line_program(
        &self,
        offset: DebugLineOffset,
        address_size: u8,
    ) -> Result<IncompleteLineProgram<Bytes>, Damaged> {
        let Some(lines) = &self.lines else {
            return Ok(self.dwarf.debug_line.program(offset, address_size, None, None)?);
        };
        let at = offset.0 as u64;
        let endian = self.dwarf.debug_info.reader().endian();
        let head = lines.bytes(at, 12.min(lines.len().saturating_sub(at))).ok_or(Damaged)?;
        let mut head = Bytes::new(head, endian);
        let (size, format) = head.read_initial_length()?;
        let size = u64::from(format.initial_length_size()) + size as u64;
        let bytes = Bytes::new(lines.bytes(at, size).ok_or(Damaged)?, endian);
        let start = DebugLineOffset(0);
        Ok(DebugLine::from(bytes).program(start, address_size, None, None)?)
    }

    /// The first entry of a unit, kept for the next who asks.
    pub(super) fn root(&mut self, unit: usize, budget: &mut Budget) -> Result<Arc<Root>, Damaged> {
        if let Some(root) = self.roots.get(&unit) {
            return root.clone();
        }
        let root = self.read_root(unit, budget).map(Arc::new);
        self.roots.insert(unit, root.clone());
        root
    }

    /// Forgets the first entries of units.
    pub(super) fn forget_roots(&mut self) {
        self.roots = FxHashMap::default();
    }

    /// The first entry of a unit, which is not kept.
    pub(super) fn read_root(&self, unit: usize, budget: &mut Budget) -> Result<Root, Damaged> {
        let header = self.units.get(unit).ok_or(Damaged)?.clone();
        let abbreviations = self.abbreviations(header.debug_abbrev_offset(), budget)?;
        read_root(&self.dwarf, header, abbreviations, budget)
    }

    /// The first entry of the split unit that belongs to `skeleton`, which has what the linker knows.
    pub(super) fn split_root(
        &mut self,
        skeleton: &Unit<Bytes>,
        budget: &mut Budget,
    ) -> Result<(usize, Arc<Root>), Damaged> {
        for index in 0..self.units.len() {
            let mut root = self.read_root(index, budget)?;
            if root.unit.dwo_id == skeleton.dwo_id && !root.is_types() {
                root.unit.copy_relocated_attributes(skeleton);
                let root = Arc::new(root);
                self.roots.insert(index, Ok(root.clone()));
                return Ok((index, root));
            }
        }
        Err(Damaged)
    }

    /// The unit that holds an offset of `.debug_info`, and the offset in it.
    pub(super) fn unit_at(&self, offset: gimli::DebugInfoOffset) -> Option<(usize, UnitOffset)> {
        let begins = |header: &UnitHeader<Bytes>| header.debug_info_offset().map_or(0, |one| one.0);
        let after = self.units.partition_point(|header| begins(header) <= offset.0);
        let unit = after.checked_sub(1)?;
        Some((unit, offset.to_unit_offset(&self.units[unit])?))
    }

    /// A table of abbreviations: only its own bytes are looked at, up to where the next begins.
    fn abbreviations(
        &self,
        offset: DebugAbbrevOffset,
        budget: &mut Budget,
    ) -> Result<Arc<Abbreviations>, Damaged> {
        let mut bytes = self.dwarf.debug_abbrev.reader().clone();
        let size = bytes.len();
        let next = self.tables.partition_point(|table| *table <= offset.0);
        let end = self.tables.get(next).copied().unwrap_or(size).min(size);
        bytes.skip(offset.0)?;
        bytes.truncate(end.saturating_sub(offset.0))?;
        budget.take(bytes.len() as u64)?;
        let table = DebugAbbrev::from(bytes).abbreviations(DebugAbbrevOffset(0))?;
        Ok(Arc::new(table))
    }
}

/// The sections of a file by the names that `name_of` has for them; others are empty.
fn sections(elf: &Elf, name_of: impl Fn(SectionId) -> Option<&'static str>) -> Dwarf<Bytes> {
    let load = |id: SectionId| {
        let is_needed = matches!(
            id,
            SectionId::DebugAbbrev
                | SectionId::DebugAddr
                | SectionId::DebugInfo
                | SectionId::DebugLine
                | SectionId::DebugLineStr
                | SectionId::DebugRanges
                | SectionId::DebugRngLists
                | SectionId::DebugStr
                | SectionId::DebugStrOffsets
        );
        let bytes = name_of(id).filter(|_| is_needed).and_then(|name| elf.named_bytes(name));
        let bytes = bytes.unwrap_or_else(|| Arc::from([]));
        Ok::<_, std::convert::Infallible>(Bytes::new(bytes, endian(elf.big_endian)))
    };
    let Ok(dwarf) = Dwarf::load(load);
    dwarf
}

fn read_root(
    dwarf: &Dwarf<Bytes>,
    header: UnitHeader<Bytes>,
    abbreviations: Arc<Abbreviations>,
    budget: &mut Budget,
) -> Result<Root, Damaged> {
    use gimli::AttributeValue as Value;
    let encoding = header.encoding();
    let file = dwarf.file_type;
    let mut unit = Unit {
        abbreviations,
        name: None,
        comp_dir: None,
        low_pc: 0,
        str_offsets_base: gimli::DebugStrOffsetsBase::default_for_encoding_and_file(encoding, file),
        addr_base: gimli::DebugAddrBase(0),
        loclists_base: gimli::DebugLocListsBase::default_for_encoding_and_file(encoding, file),
        rnglists_base: gimli::DebugRngListsBase::default_for_encoding_and_file(encoding, file),
        line_program: None,
        dwo_id: match header.type_() {
            UnitType::Skeleton(id) | UnitType::SplitCompilation(id) => Some(id),
            _ => None,
        },
        header,
    };
    let (mut extent, mut lines_at) = (Extent::default(), None);
    let (mut folder, mut dwo_name) = (None, None);
    {
        let mut entries = unit.header.entries_raw(&unit.abbreviations, None)?;
        let abbreviation = entries.read_abbreviation()?.ok_or(Damaged)?;
        budget.take(1 + abbreviation.attributes().len() as u64)?;
        for specification in abbreviation.attributes() {
            let attribute = entries.read_attribute(*specification)?;
            extent.note(&attribute);
            match (attribute.name(), attribute.value()) {
                (gimli::DW_AT_comp_dir, value) => folder = Some(value),
                (gimli::DW_AT_dwo_name | gimli::DW_AT_GNU_dwo_name, value) => {
                    dwo_name = Some(value)
                }
                (gimli::DW_AT_stmt_list, Value::DebugLineRef(offset)) => lines_at = Some(offset),
                (gimli::DW_AT_str_offsets_base, Value::DebugStrOffsetsBase(base)) => {
                    unit.str_offsets_base = base;
                }
                (
                    gimli::DW_AT_addr_base | gimli::DW_AT_GNU_addr_base,
                    Value::DebugAddrBase(base),
                ) => unit.addr_base = base,
                (
                    gimli::DW_AT_rnglists_base | gimli::DW_AT_GNU_ranges_base,
                    Value::DebugRngListsBase(base),
                ) => unit.rnglists_base = base,
                (gimli::DW_AT_GNU_dwo_id, Value::DwoId(id)) if unit.dwo_id.is_none() => {
                    unit.dwo_id = Some(id);
                }
                _ => {}
            }
        }
    }
    // What this is may depend on bases that stand after it.
    if let Some(low) = extent.low(dwarf, &unit) {
        unit.low_pc = low;
    }
    Ok(Root { unit, lines_at, extent, folder, dwo_name })
}
