//! Variables of a binary that stand at one address as long as it runs, by debug information.

use std::sync::Arc;

use gimli::{AttributeValue, DebugInfoOffset, EntriesRaw, Operation, UnitOffset, UnitType};

use super::debug_file::{Bytes, Damaged, DebugFile, Root};
use crate::budget::Budget;
use crate::debug_files::{self, Binary, Found};
use crate::files::Files;
use crate::missing::Missing;

/// More variables than programs have.
const MAX_VARIABLES: usize = 1 << 20;
/// Types of types: names of names of arrays.
const MAX_TYPES: u32 = 64;
/// More dimensions than arrays have.
const MAX_DIMENSIONS: usize = 64;
/// Languages whose arrays stand with the first index innermost.
const FORTRAN: [gimli::DwLang; 5] = [
    gimli::DW_LANG_Fortran77,
    gimli::DW_LANG_Fortran90,
    gimli::DW_LANG_Fortran95,
    gimli::DW_LANG_Fortran03,
    gimli::DW_LANG_Fortran08,
];

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// What the source calls it; one that a function has for itself with the function before, as `main.seen`.
    pub name: String,
    /// Where it is, as the file states it.
    pub address: u64,
    /// Bytes of an element; of the whole where it is not an array.
    pub element: u64,
    /// Elements by dimension as they stand in memory, outermost first; empty where it is not an array.
    pub shape: Vec<u64>,
}

/// Variables of a binary.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    /// By address.
    pub all: Vec<Variable>,
    /// Whether the binary may be loaded anywhere, so that addresses are what is added to where it is.
    pub is_movable: bool,
    /// The address of its first instruction.
    pub entry: u64,
    /// Whether it has debug information.
    pub has_debug: bool,
    /// Variables whose size is not told.
    pub without_size: u64,
    /// Units that are damaged or whose debug information stands in other files.
    pub unread: u64,
}

impl Variables {
    /// Looks for a binary and its debug information.
    pub fn open(files: &Arc<dyn Files>, binary: &Binary) -> Result<Variables, Missing> {
        let found = debug_files::binary(&**files, binary)?;
        let has_debug = |found: &Found| found.elf.has(".debug_info");
        let separate =
            if has_debug(&found) { None } else { debug_files::separate(&**files, &found) };
        let of = [Some(&found), separate.as_ref()].into_iter().flatten().find(|one| has_debug(one));
        let mut variables = Variables {
            is_movable: found.elf.is_movable,
            entry: found.elf.entry,
            has_debug: of.is_some(),
            ..Variables::default()
        };
        let Some(of) = of else { return Ok(variables) };
        let mut file = DebugFile::load(&of.elf, None);
        let mut budget = Budget::for_bytes(file.size());
        for unit in 0..file.units.len() {
            let mut reading =
                VariableReader { file: &mut file, budget: &mut budget, variables: &mut variables };
            if reading.unit(unit).is_err() {
                variables.unread += 1;
            }
            file.forget_roots();
        }
        variables.all.sort_by(|one, other| {
            (one.address, &one.name, &one.shape).cmp(&(other.address, &other.name, &other.shape))
        });
        // Units that include the same declaration say the same.
        variables.all.dedup();
        Ok(variables)
    }
}

struct VariableReader<'a> {
    file: &'a mut DebugFile,
    budget: &'a mut Budget,
    variables: &'a mut Variables,
}

/// What an entry says of a variable, a function or a type.
#[derive(Default)]
struct Entry {
    name: Option<AttributeValue<Bytes>>,
    kind: Option<AttributeValue<Bytes>>,
    location: Option<AttributeValue<Bytes>>,
    specification: Option<AttributeValue<Bytes>>,
    bytes: Option<u64>,
    count: Option<u64>,
    lower: Option<i64>,
    upper: Option<i64>,
}

fn read_entry(
    entries: &mut EntriesRaw<'_, Bytes>,
    attributes: &[gimli::AttributeSpecification],
) -> Result<Entry, Damaged> {
    let mut entry = Entry::default();
    for specification in attributes {
        let attribute = entries.read_attribute(*specification)?;
        match attribute.name() {
            gimli::DW_AT_name => entry.name = Some(attribute.value()),
            gimli::DW_AT_type => entry.kind = Some(attribute.value()),
            gimli::DW_AT_location => entry.location = Some(attribute.value()),
            gimli::DW_AT_specification => entry.specification = Some(attribute.value()),
            gimli::DW_AT_byte_size => entry.bytes = attribute.udata_value(),
            gimli::DW_AT_count => entry.count = attribute.udata_value(),
            gimli::DW_AT_lower_bound => entry.lower = signed(&attribute),
            gimli::DW_AT_upper_bound => entry.upper = signed(&attribute),
            _ => {}
        }
    }
    Ok(entry)
}

fn signed(attribute: &gimli::Attribute<Bytes>) -> Option<i64> {
    attribute.sdata_value().or_else(|| attribute.udata_value()?.try_into().ok())
}

impl Entry {
    /// How many elements a dimension has.
    fn size(&self) -> Option<u64> {
        let between = || {
            let upper = i128::from(self.upper?);
            u64::try_from(upper - i128::from(self.lower.unwrap_or(0)) + 1).ok()
        };
        self.count.or_else(between)
    }
}

impl VariableReader<'_> {
    /// All variables of a unit.
    fn unit(&mut self, unit: usize) -> Result<(), Damaged> {
        let root = self.file.root(unit, self.budget)?;
        let has_more =
            root.dwo_name.is_some() || matches!(root.unit.header.type_(), UnitType::Skeleton(_));
        if has_more {
            return Err(Damaged);
        }
        let mut entries = root.unit.header.entries_raw(&root.unit.abbreviations, None)?;
        let mut is_fortran = false;
        // Functions that the next entry is in, with their depths.
        let mut inside: Vec<(isize, Option<String>)> = vec![];
        while !entries.is_empty() {
            let depth = entries.next_depth();
            let Some(abbreviation) = entries.read_abbreviation()? else {
                self.budget.take(1)?;
                continue;
            };
            self.budget.take(1 + abbreviation.attributes().len() as u64)?;
            inside.retain(|(outer, _)| *outer < depth);
            match abbreviation.tag() {
                gimli::DW_TAG_compile_unit | gimli::DW_TAG_partial_unit => {
                    for specification in abbreviation.attributes() {
                        let attribute = entries.read_attribute(*specification)?;
                        if let AttributeValue::Language(language) = attribute.value() {
                            is_fortran = FORTRAN.contains(&language);
                        }
                    }
                }
                gimli::DW_TAG_subprogram => {
                    let entry = read_entry(&mut entries, abbreviation.attributes())?;
                    inside.push((depth, self.text(&root, entry.name.as_ref())));
                }
                gimli::DW_TAG_variable => {
                    let entry = read_entry(&mut entries, abbreviation.attributes())?;
                    let function = inside.last().and_then(|(_, name)| name.as_deref());
                    self.variable(unit, &root, &entry, (function, is_fortran))?;
                }
                _ => entries.skip_attributes(abbreviation.attributes())?,
            }
        }
        Ok(())
    }

    fn text(&self, root: &Root, value: Option<&AttributeValue<Bytes>>) -> Option<String> {
        self.file.text(&root.unit, value?).filter(|text| !text.is_empty())
    }

    fn variable(
        &mut self,
        unit: usize,
        root: &Arc<Root>,
        entry: &Entry,
        (function, is_fortran): (Option<&str>, bool),
    ) -> Result<(), Damaged> {
        let Some(address) = self.address(root, entry.location.as_ref())? else { return Ok(()) };
        // What is declared elsewhere in the unit has its name, and perhaps its type, there.
        let declared = match &entry.specification {
            Some(value) => self.entry_at(unit, root, value)?,
            None => None,
        };
        let own = entry.name.as_ref();
        let Some(name) =
            self.text(root, own.or(declared.as_ref().and_then(|one| one.name.as_ref())))
        else {
            return Ok(());
        };
        let kinds = [entry.kind.clone(), declared.and_then(|one| one.kind)];
        let mut found = None;
        for kind in kinds.into_iter().flatten() {
            found = self.layout(unit, root, kind)?;
            if found.is_some() {
                break;
            }
        }
        let Some((element, mut shape)) = found else {
            self.variables.without_size += 1;
            return Ok(());
        };
        if is_fortran {
            shape.reverse();
        }
        if self.variables.all.len() == MAX_VARIABLES {
            return Err(Damaged);
        }
        let name = function.map_or(name.clone(), |function| format!("{function}.{name}"));
        self.variables.all.push(Variable { name, address, element, shape });
        Ok(())
    }

    /// The address of a location that is one; none of what stands in registers, on the stack or by thread.
    fn address(
        &mut self,
        root: &Root,
        location: Option<&AttributeValue<Bytes>>,
    ) -> Result<Option<u64>, Damaged> {
        let Some(AttributeValue::Exprloc(expression)) = location else { return Ok(None) };
        let mut operations = expression.clone().operations(root.unit.encoding());
        let address = match operations.next()? {
            Some(Operation::Address { address }) => address,
            Some(Operation::AddressIndex { index }) => {
                self.file.dwarf.address(&root.unit, index)?
            }
            _ => return Ok(None),
        };
        Ok(operations.next()?.is_none().then_some(address))
    }

    /// The entry that an attribute points at.
    fn entry_at(
        &mut self,
        unit: usize,
        root: &Arc<Root>,
        value: &AttributeValue<Bytes>,
    ) -> Result<Option<Entry>, Damaged> {
        let Some((_, root, offset)) = self.place(unit, root, value)? else { return Ok(None) };
        let mut entries = root.unit.header.entries_raw(&root.unit.abbreviations, Some(offset))?;
        let Some(abbreviation) = entries.read_abbreviation()? else { return Ok(None) };
        self.budget.take(1 + abbreviation.attributes().len() as u64)?;
        Ok(Some(read_entry(&mut entries, abbreviation.attributes())?))
    }

    fn place(
        &mut self,
        unit: usize,
        root: &Arc<Root>,
        value: &AttributeValue<Bytes>,
    ) -> Result<Option<(usize, Arc<Root>, UnitOffset)>, Damaged> {
        match value {
            AttributeValue::UnitRef(offset) => Ok(Some((unit, root.clone(), *offset))),
            AttributeValue::DebugInfoRef(DebugInfoOffset(offset)) => {
                let Some((unit, offset)) = self.file.unit_at(DebugInfoOffset(*offset)) else {
                    return Ok(None);
                };
                Ok(Some((unit, self.file.root(unit, self.budget)?, offset)))
            }
            _ => Ok(None),
        }
    }

    /// Bytes of an element, and elements by dimension, of a type; none where that is not told.
    fn layout(
        &mut self,
        unit: usize,
        root: &Arc<Root>,
        kind: AttributeValue<Bytes>,
    ) -> Result<Option<(u64, Vec<u64>)>, Damaged> {
        let (mut unit, mut root, mut kind) = (unit, root.clone(), kind);
        let mut shape = vec![];
        for _ in 0..MAX_TYPES {
            let Some((next, own, offset)) = self.place(unit, &root, &kind)? else {
                return Ok(None);
            };
            (unit, root) = (next, own);
            let mut entries =
                root.unit.header.entries_raw(&root.unit.abbreviations, Some(offset))?;
            let top = entries.next_depth();
            let Some(abbreviation) = entries.read_abbreviation()? else { return Ok(None) };
            self.budget.take(1 + abbreviation.attributes().len() as u64)?;
            let (tag, has_children) = (abbreviation.tag(), abbreviation.has_children());
            let entry = read_entry(&mut entries, abbreviation.attributes())?;
            match tag {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_atomic_type => {}
                gimli::DW_TAG_array_type => {
                    if !has_children || !self.dimensions(&mut entries, top, &mut shape)? {
                        return Ok(None);
                    }
                }
                gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => {
                    let width = root.unit.encoding().address_size;
                    return Ok(Some((entry.bytes.unwrap_or(width.into()), shape)));
                }
                _ => {
                    return Ok(entry.bytes.filter(|bytes| *bytes > 0).map(|bytes| (bytes, shape)));
                }
            }
            let Some(next) = entry.kind else { return Ok(None) };
            kind = next;
        }
        Ok(None)
    }

    /// Reads the dimensions below an array; tells whether all have sizes.
    fn dimensions(
        &mut self,
        entries: &mut EntriesRaw<'_, Bytes>,
        top: isize,
        shape: &mut Vec<u64>,
    ) -> Result<bool, Damaged> {
        let before = shape.len();
        while !entries.is_empty() && entries.next_depth() > top {
            let Some(abbreviation) = entries.read_abbreviation()? else {
                self.budget.take(1)?;
                continue;
            };
            self.budget.take(1 + abbreviation.attributes().len() as u64)?;
            if abbreviation.tag() != gimli::DW_TAG_subrange_type {
                entries.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            let entry = read_entry(entries, abbreviation.attributes())?;
            match entry.size().filter(|size| *size > 0) {
                Some(size) if shape.len() < MAX_DIMENSIONS => shape.push(size),
                _ => return Ok(false),
            }
        }
        Ok(shape.len() > before)
    }
}
