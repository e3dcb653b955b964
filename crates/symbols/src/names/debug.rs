//! What debug information says of an address: the function, what was inlined into it, and lines.

use std::sync::Arc;

use gimli::{AttributeValue, UnitOffset};
use rustc_hash::{FxHashMap, FxHashSet};

use super::debug_file::{Bytes, Damaged, DebugFile, Root};
use super::extent::Code;
use super::frame::Frame;
use super::functions::{Functions, InlinedCall, Inlines};
use super::lines::{Lines, Place};
use super::split::Splits;
use super::unit_ranges::UnitRanges;
use crate::budget::Budget;
use crate::debug_files::{self, Found};
use crate::files::Files;

/// An entry points to another for its name, and that to a third; there are no more steps than these.
const MAX_STEPS: usize = 16;
/// About how many bytes of what was read of units are kept.
const MAX_KEPT: usize = 24 << 20;
/// How often what is kept may be thrown away and read again. Whoever asks for addresses in their order
/// needs each unit once.
const MAX_AGAIN: u32 = 64;

/// The debug information of one binary.
pub(super) struct Debug {
    main: DebugFile,
    supplementary: Option<DebugFile>,
    splits: Splits,
    code: Code,
    units: Option<UnitRanges>,
    parts: FxHashMap<usize, Part>,
    named: FxHashMap<Entry, Named>,
    texts: FxHashSet<Arc<str>>,
    work: Work,
    /// What did not hold.
    damaged: FxHashSet<Entry>,
}

/// How much was done, and is kept of it.
struct Work {
    budget: Budget,
    kept: usize,
    again: u32,
}

/// What was read of a unit.
struct Part {
    /// Which file has the entries, and the unit there.
    source: Source,
    unit: usize,
    skeleton: Arc<Root>,
    functions: Option<Functions>,
    inlines: FxHashMap<UnitOffset, Option<Arc<Inlines>>>,
    lines: Option<Lines>,
}

/// The files that have entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    Main,
    Supplementary,
    /// The file of a split unit, by the number of its skeleton.
    Split(usize),
}

/// An entry of a unit of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entry {
    source: Source,
    unit: usize,
    offset: UnitOffset,
}

/// Stand for a unit and its lines among what is damaged: no entry stands there.
const UNIT: UnitOffset = UnitOffset(0);
const LINES: UnitOffset = UnitOffset(1);

/// What a function is called.
#[derive(Clone, Default)]
pub(super) struct Named {
    /// By the linker.
    pub(super) linkage: Option<Arc<str>>,
    /// In the source.
    pub(super) plain: Option<Arc<str>>,
    /// Where it is declared.
    declared: Option<Declared>,
}

/// Where the source has the head of a function.
#[derive(Clone, Copy, Default)]
struct Declared {
    /// The unit whose table of files numbers the file.
    of: Option<(Source, usize)>,
    /// A number in that table.
    file: u64,
    /// From 1; 0 as long as none is told.
    line: u32,
}

impl Debug {
    /// Of a file with debug information; `binary` is whose code it is of.
    pub(super) fn open(files: &Arc<dyn Files>, found: &Found, binary: &Found) -> Self {
        let supplementary = debug_files::supplementary(&**files, found);
        let main = DebugFile::load(&found.elf, supplementary.as_ref().map(|other| &other.elf));
        let supplementary = main.dwarf.sup.clone().map(DebugFile::new);
        let size = main.size() + supplementary.as_ref().map_or(0, DebugFile::size);
        let splits = Splits::new(files.clone(), [&binary.path, &found.path]);
        Self {
            main,
            supplementary,
            splits,
            code: Code::new(&binary.elf),
            units: None,
            parts: FxHashMap::default(),
            named: FxHashMap::default(),
            texts: FxHashSet::default(),
            work: Work { budget: Budget::for_bytes(size), kept: 0, again: 0 },
            damaged: FxHashSet::default(),
        }
    }

    /// Split units whose files are not here.
    pub(super) fn missing_splits(&self) -> u64 {
        self.splits.missing.len() as u64
    }

    /// How many units, tables of lines and functions did not hold.
    pub(super) fn damaged(&self) -> u64 {
        self.damaged.len() as u64
    }

    /// Appends the frames at an address, outermost first, and gives the names of the first. None if
    /// nothing is known.
    pub(super) fn at(&mut self, address: u64, out: &mut Vec<Frame>) -> Option<Named> {
        self.forget_if_much();
        let Self { main, code, units, work, damaged, .. } = self;
        let units = units.get_or_insert_with(|| {
            UnitRanges::read(main, code, &mut work.budget, |unit| {
                damaged.insert(Entry { source: Source::Main, unit, offset: UNIT });
            })
        });
        let candidates: Vec<usize> = units.at(address).collect();
        let mut without_function = None;
        for unit in candidates {
            self.ensure_part(unit);
            let Some(part) = self.parts.get(&unit) else { continue };
            let place = part.lines.as_ref().and_then(|lines| lines.at(address));
            let function = part.functions.as_ref().and_then(|functions| functions.at(address));
            match function {
                Some(function) => return Some(self.frames(unit, function, address, place, out)),
                None => without_function = without_function.or(place.map(|place| (unit, place))),
            }
        }
        let (unit, place) = without_function?;
        let frame = self.frame(unit, &Named::default(), Some(place));
        out.push(frame);
        Some(Named::default())
    }

    /// Forgets what was read of units, if that is much.
    fn forget_if_much(&mut self) {
        let Self { main, splits, parts, work, .. } = self;
        if work.kept > MAX_KEPT {
            parts.clear();
            main.forget_roots();
            splits.forget();
            work.kept = 0;
            work.again += 1;
            if work.again <= MAX_AGAIN {
                work.budget = work.budget.and(main.size());
            }
        }
    }

    /// The function and what was inlined into it there.
    fn frames(
        &mut self,
        unit: usize,
        function: UnitOffset,
        address: u64,
        place: Option<Place>,
        out: &mut Vec<Frame>,
    ) -> Named {
        let inlines = self.inlines(unit, function);
        let calls: Vec<InlinedCall> =
            inlines.iter().flat_map(|inlines| inlines.at(address)).cloned().collect();
        let Some(part) = self.parts.get(&unit) else { return Named::default() };
        let own = Entry { source: part.source, unit: part.unit, offset: function };
        let outer = self.named(own);
        let mut function = outer.clone();
        for call in calls {
            let at = Place { file: call.file, line: call.line, column: call.column };
            let frame = self.frame(unit, &function, Some(at));
            out.push(frame);
            let callee = call.origin.and_then(|origin| self.entry_of(own, &origin));
            function = callee.map(|callee| self.named(callee)).unwrap_or_default();
        }
        let frame = self.frame(unit, &function, place);
        out.push(frame);
        outer
    }

    fn frame(&mut self, unit: usize, function: &Named, place: Option<Place>) -> Frame {
        let name = function.linkage.clone().or_else(|| function.plain.clone());
        let Some(place) = place else { return Frame { name, ..Frame::default() } };
        let Self { main, parts, texts, .. } = self;
        let Some(part) = parts.get_mut(&unit) else {
            return Frame { name, line: place.line, column: place.column, ..Frame::default() };
        };
        let of = (part.source, part.unit);
        let mut file = |number| part.lines.as_mut()?.file(main, &part.skeleton, number, texts);
        let own = file(place.file);
        let declared = function.declared.filter(|declared| {
            declared.of == Some(of)
                && (declared.file == place.file || (own.is_some() && file(declared.file) == own))
        });
        let start_line = declared.map_or(0, |declared| declared.line);
        Frame { name, file: own, line: place.line, column: place.column, start_line }
    }

    /// Reads what a unit has, the first time that someone asks.
    fn ensure_part(&mut self, unit: usize) {
        if self.parts.contains_key(&unit) {
            return;
        }
        match self.read_part(unit) {
            Ok(part) => {
                let lines = part.lines.as_ref().map_or(0, Lines::size);
                let functions = part.functions.as_ref().map_or(0, Functions::size);
                self.work.kept += size_of::<Part>() + lines + functions;
                self.parts.insert(unit, part);
            }
            Err(Damaged) => {
                self.damaged.insert(Entry { source: Source::Main, unit, offset: UNIT });
            }
        }
    }

    fn read_part(&mut self, unit: usize) -> Result<Part, Damaged> {
        let Self { main, splits, code, work, .. } = self;
        let budget = &mut work.budget;
        let skeleton = main.root(unit, budget)?;
        let lines =
            skeleton.lines_at.map(|offset| Lines::read(main, &skeleton, offset, code, budget));
        let split = splits.open(unit, &skeleton, main, budget);
        let (source, index, functions) = match split {
            Some((file, index, root)) => {
                let functions = Functions::read(&file.dwarf, &root, code, budget);
                (Source::Split(unit), index, functions)
            }
            None => (Source::Main, unit, Functions::read(&main.dwarf, &skeleton, code, budget)),
        };
        if functions.is_err() {
            self.damaged.insert(Entry { source, unit: index, offset: UNIT });
        }
        if let Some(Err(_)) = lines {
            self.damaged.insert(Entry { source: Source::Main, unit, offset: LINES });
        }
        Ok(Part {
            source,
            unit: index,
            skeleton,
            functions: functions.ok(),
            inlines: FxHashMap::default(),
            lines: lines.and_then(Result::ok),
        })
    }

    /// What was inlined into a function, kept for its other addresses.
    fn inlines(&mut self, unit: usize, function: UnitOffset) -> Option<Arc<Inlines>> {
        let part = self.parts.get(&unit)?;
        if let Some(known) = part.inlines.get(&function) {
            return known.clone();
        }
        let (source, index) = (part.source, part.unit);
        let read = self.root(source, index).and_then(|root| {
            let dwarf = self.file(source).ok_or(Damaged)?.dwarf.clone();
            Inlines::read(&dwarf, &root, function, &mut self.work.budget)
        });
        if read.is_err() {
            self.damaged.insert(Entry { source, unit: index, offset: function });
        }
        let read = read.ok().map(Arc::new);
        self.work.kept += read.as_ref().map_or(0, |read| read.size());
        self.parts.get_mut(&unit)?.inlines.insert(function, read.clone());
        read
    }

    fn file(&self, source: Source) -> Option<&DebugFile> {
        match source {
            Source::Main => Some(&self.main),
            Source::Supplementary => self.supplementary.as_ref(),
            Source::Split(unit) => self.splits.file(unit),
        }
    }

    fn root(&mut self, source: Source, unit: usize) -> Result<Arc<Root>, Damaged> {
        let Self { main, supplementary, splits, work, .. } = self;
        let file = match source {
            Source::Main => Some(main),
            Source::Supplementary => supplementary.as_mut(),
            Source::Split(unit) => splits.file_mut(unit),
        };
        file.ok_or(Damaged)?.root(unit, &mut work.budget)
    }

    /// What a function is called: by its entry, or by the one that its entry points to.
    fn named(&mut self, entry: Entry) -> Named {
        if let Some(known) = self.named.get(&entry) {
            return known.clone();
        }
        let mut named = Named::default();
        let mut next = Some(entry);
        for _ in 0..MAX_STEPS {
            let Some(entry) = next else { break };
            match self.names_in(entry, &mut named) {
                Ok(origin) => next = origin.and_then(|origin| self.entry_of(entry, &origin)),
                Err(Damaged) => {
                    self.damaged.insert(entry);
                    break;
                }
            }
            if named.linkage.is_some() && named.declared.is_some() {
                break;
            }
        }
        self.named.insert(entry, named.clone());
        named
    }

    /// Fills in the names that an entry has itself; gives the entry that it points to.
    fn names_in(
        &mut self,
        entry: Entry,
        named: &mut Named,
    ) -> Result<Option<AttributeValue<Bytes>>, Damaged> {
        let root = self.root(entry.source, entry.unit)?;
        let unit = &root.unit;
        let mut entries = unit.header.entries_raw(&unit.abbreviations, Some(entry.offset))?;
        let abbreviation = entries.read_abbreviation()?.ok_or(Damaged)?;
        self.work.budget.take(1 + abbreviation.attributes().len() as u64)?;
        let mut origin = None;
        let mut declared = Declared { of: Some((entry.source, entry.unit)), ..Declared::default() };
        for specification in abbreviation.attributes() {
            let attribute = entries.read_attribute(*specification)?;
            let slot = match attribute.name() {
                gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => &mut named.linkage,
                gimli::DW_AT_name => &mut named.plain,
                gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => {
                    origin = Some(attribute.value());
                    continue;
                }
                gimli::DW_AT_decl_file => {
                    declared.file = file_number(&attribute);
                    continue;
                }
                gimli::DW_AT_decl_line => {
                    let line = attribute.udata_value();
                    declared.line = line.and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
                    continue;
                }
                _ => continue,
            };
            if slot.is_none()
                && let Some(file) = self.file(entry.source)
                && let Some(text) = file.text(unit, &attribute.value())
            {
                self.work.budget.take(text.len() as u64)?;
                *slot = Some(shared(&text, &mut self.texts));
            }
        }
        if named.declared.is_none() && declared.line != 0 {
            named.declared = Some(declared);
        }
        Ok(origin)
    }

    /// The entry that an attribute of another one points to.
    fn entry_of(&self, from: Entry, value: &AttributeValue<Bytes>) -> Option<Entry> {
        match *value {
            AttributeValue::UnitRef(offset) => Some(Entry { offset, ..from }),
            AttributeValue::DebugInfoRef(offset) => {
                let (unit, offset) = self.file(from.source)?.unit_at(offset)?;
                Some(Entry { unit, offset, ..from })
            }
            AttributeValue::DebugInfoRefSup(offset) => {
                let source = Source::Supplementary;
                let (unit, offset) = self.file(source)?.unit_at(offset)?;
                Some(Entry { source, unit, offset })
            }
            _ => None,
        }
    }
}

/// The number of a file in a unit's table; 0 if it is none.
pub(super) fn file_number(attribute: &gimli::Attribute<Bytes>) -> u64 {
    match attribute.value() {
        AttributeValue::FileIndex(index) => index,
        _ => attribute.udata_value().unwrap_or(0),
    }
}

/// The same text as before, if it is there.
pub(super) fn shared(text: &str, texts: &mut FxHashSet<Arc<str>>) -> Arc<str> {
    if let Some(known) = texts.get(text) {
        return known.clone();
    }
    let new: Arc<str> = text.into();
    texts.insert(new.clone());
    new
}
