//! The tree of contexts in `meta.db`.
//!
//! ```text
//! entry point        how the operating system came to call the program
//!   function         called from the context around it, or inlined into it
//!     loop           of the function
//!       line         of what is around it
//!         instruction
//! ```
//! A line is a place in the function or loop around it, so it does not become a context inside of
//! it but one beside it, with a line.

use std::ops::Range;

use profile::{
    ContextId, FunctionId, Location, LocationId, LocationKind, Place, ProfileBuilder, base_name,
};

use super::bytes::{Array, View};
use super::meta::{FunctionInfo, Meta, Node, Tables, UNKNOWN, no_tree};
use crate::{ReadError, ReadOptions, Warnings};

/// A frame: function, line, column.
type Frame = (Option<FunctionId>, u32, u32);

/// A context as the file has it.
#[derive(Debug, Clone, Copy)]
struct Record {
    id: u32,
    children: u64,
    size: u64,
    relation: u8,
    kind: u8,
    propagation: u16,
    /// Pointer to the function.
    function: Option<u64>,
    /// Pointer to the source file, and line.
    source: Option<(u64, u32)>,
    /// Pointer to the load module, and offset in it.
    point: Option<(u64, u64)>,
    /// Offset of the next context.
    next: u64,
}

impl Record {
    /// Its kind; that of what it names where version 4.0 does not have it.
    fn known_kind(&self, warnings: &mut Warnings) -> u8 {
        if self.kind > INSTRUCTION || self.relation > INLINED {
            warnings.add("kind", || {
                format!(
                    "context {} is of a kind that version 4.0 does not have (lexical type {}, \
                     relation {}): it is shown by what it names",
                    self.id, self.kind, self.relation
                )
            });
        }
        match self.kind {
            known @ ..=INSTRUCTION => known,
            _ if self.function.is_some() => FUNCTION,
            _ if self.source.is_some() => LINE,
            _ => INSTRUCTION,
        }
    }

    /// The function that it stands for, called from the context around it or inlined into `owner`.
    fn owner(&self, function: &FunctionInfo, owner: Option<&Owner>, around: &Cursor) -> Owner {
        let &FunctionInfo { id, module, offset } = function;
        match owner {
            Some(owner) if self.relation == INLINED && owner.around.len() < MOST_INLINED => Owner {
                function: id,
                around: [&owner.around[..], &[around.frame]].concat(),
                ..*owner
            },
            _ => {
                // An offset tells functions without names apart.
                let address = if id.is_none() { offset } else { 0 };
                let location = Location { module, address, ..Location::default() };
                Owner { caller: around.within, location, around: vec![], function: id }
            }
        }
    }
}

/// A function or loop: what lines inside of it belong to.
#[derive(Debug, Clone, Default)]
struct Owner {
    /// The context that it was called from.
    caller: ContextId,
    location: Location,
    /// Frames that it is inlined into.
    around: Vec<Frame>,
    function: Option<FunctionId>,
}

/// Where the contexts inside of a context are read.
struct Cursor {
    next: u64,
    end: u64,
    /// Row of the context around them.
    parent: u32,
    /// Its context.
    within: ContextId,
    owner: Option<Owner>,
    /// Its innermost frame.
    frame: Frame,
}

/// Deeper inlining is shown as calls.
const MOST_INLINED: usize = 200;

const CALL: u8 = 1;
const INLINED: u8 = 2;

const FUNCTION: u8 = 0;
const LOOP: u8 = 1;
const LINE: u8 = 2;
const INSTRUCTION: u8 = 3;

/// Bytes of a context without its changing part.
const RECORD: u64 = 0x20;

pub(super) fn read(
    view: View,
    section: &Range<u64>,
    tables: &Tables,
    builder: &mut ProfileBuilder,
    meta: &mut Meta,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let start = section.start;
    let header = || {
        Some(Array {
            start: view.u64(start)?,
            count: view.u16(start.checked_add(8)?)?.into(),
            stride: view.u8(start.checked_add(10)?)?.into(),
        })
    };
    let entries = header().ok_or_else(|| no_tree(start))?;
    let entries = entries.at_least(0x20, "entry points", start)?;

    let mut tree = Tree { builder, tables, meta, loops: hashbrown::HashMap::new() };
    tree.add(0, u32::MAX, ContextId::ROOT, 0, warnings);
    // No context takes less, so more of them can only be the same ones again.
    let mut left = (section.end - start) / RECORD + entries.count;
    for offset in entries.offsets() {
        let Some(mut open) = tree.entry(view, offset, warnings).map(|cursor| vec![cursor]) else {
            warnings.add("entry point", || {
                format!("an entry point goes beyond meta.db at byte {offset}")
            });
            break;
        };
        while let Some(cursor) = open.last_mut() {
            if cursor.next >= cursor.end {
                open.pop();
                continue;
            }
            let at = cursor.next;
            let Some(record) = record(view, at) else {
                warnings.add("cut context", || {
                    format!("a context goes beyond meta.db at byte {at}: what follows is left out")
                });
                open.pop();
                continue;
            };
            cursor.next = record.next;
            if left == 0 {
                warnings.add("circle", || {
                    format!("the contexts at byte {at} stand in the tree already: left out")
                });
                break;
            }
            left -= 1;
            let inner = tree.open(cursor, &record, warnings);
            if inner.next < inner.end {
                open.push(inner);
            }
            let held = open.len() * size_of::<Cursor>() + tree.meta.heap_bytes();
            options.check_memory(held + tree.builder.heap_bytes())?;
        }
    }
    Ok(())
}

fn record(view: View, offset: u64) -> Option<Record> {
    let at = |field: u64| offset.checked_add(field);
    let flags = view.u8(at(0x14)?)?;
    let words = u64::from(view.u8(at(0x17)?)?);
    let mut word = 0;
    let mut next = || {
        word += 1;
        let inside = word <= words;
        at(RECORD + (word - 1) * 8).filter(|_| inside)
    };
    let function = match flags & 1 {
        0 => None,
        _ => Some(view.u64(next()?)?),
    };
    let source = match flags & 2 {
        0 => None,
        _ => Some((view.u64(next()?)?, view.u32(next()?)?)),
    };
    let point = match flags & 4 {
        0 => None,
        _ => Some((view.u64(next()?)?, view.u64(next()?)?)),
    };
    Some(Record {
        size: view.u64(offset)?,
        children: view.u64(at(0x08)?)?,
        id: view.u32(at(0x10)?)?,
        relation: view.u8(at(0x15)?)?,
        kind: view.u8(at(0x16)?)?,
        propagation: view.u16(at(0x18)?)?,
        function,
        source,
        point,
        next: at(RECORD + words * 8)?,
    })
}

struct Tree<'a> {
    builder: &'a mut ProfileBuilder,
    tables: &'a Tables,
    meta: &'a mut Meta,
    /// Names of loops by file, line and point.
    loops: hashbrown::HashMap<(u64, u32, u64, u64), FunctionId>,
}

impl Tree<'_> {
    /// Puts a context into the table; its row.
    fn add(
        &mut self,
        id: u32,
        parent: u32,
        context: ContextId,
        propagation: u16,
        warnings: &mut Warnings,
    ) -> u32 {
        let row = self.meta.contexts.len() as u32;
        if self.meta.rows.find(id.into()).is_some() {
            warnings.add("twice", || {
                format!("the context number {id} stands for several: its values go to the first")
            });
            // A row of its own, for what is inside of it.
            self.meta.rows.number(TWICE | u64::from(row));
        } else {
            self.meta.rows.number(id.into());
        }
        self.meta.contexts.push(Node { parent, context, propagation });
        row
    }

    fn entry(&mut self, view: View, offset: u64, warnings: &mut Warnings) -> Option<Cursor> {
        let at = |field: u64| offset.checked_add(field);
        let (size, next) = (view.u64(offset)?, view.u64(at(0x08)?)?);
        let (id, kind) = (view.u32(at(0x10)?)?, view.u16(at(0x14)?)?);
        let name = view.text(view.u64(at(0x18)?)?).map(String::from_utf8_lossy);
        let name = match (name.as_deref(), kind) {
            (Some(name), _) if !name.is_empty() => name,
            (_, 1) => "main thread",
            (_, 2) => "application thread",
            _ => "unknown entry",
        };
        let place = Place { kind: LocationKind::Region, function: name, ..Place::default() };
        let location = self.builder.place(&place);
        let within = self.builder.contexts.child(ContextId::ROOT, location);
        let parent = self.add(id, 0, within, 0, warnings);
        let end = next.saturating_add(size);
        Some(Cursor { next, end, parent, within, owner: None, frame: (None, 0, 0) })
    }

    /// Makes the context of a record; where those inside of it are.
    fn open(&mut self, around: &Cursor, record: &Record, warnings: &mut Warnings) -> Cursor {
        let function = record.function.and_then(|at| self.tables.function(at, warnings));
        let (file, line) = match record.source {
            Some((file, line)) => (self.tables.file(file, warnings), line),
            None => ("", 0),
        };
        let (module, offset) = match record.point {
            Some((module, offset)) => (self.tables.module(module, warnings), offset),
            None => (None, 0),
        };
        let kind = record.known_kind(warnings);
        let inside = around.owner.as_ref().filter(|_| record.relation != CALL);
        let (owner, place, frame) = match (kind, inside) {
            (FUNCTION, owner) => {
                let function = function.unwrap_or_else(|| FunctionInfo {
                    id: Some(self.builder.function(UNKNOWN, "", 0)),
                    module,
                    offset: 0,
                });
                let id = function.id;
                let owner = record.owner(&function, owner, around);
                let frame = (id, 0, 0);
                let place = self.place(&owner, frame, None);
                (owner, place, frame)
            }
            (LOOP, owner) => {
                let function = self.loop_name(record, file, line, module);
                let module = module.or_else(|| owner.and_then(|owner| owner.location.module));
                let location = Location { kind: LocationKind::Loop, module, ..Location::default() };
                let function = Some(function);
                let owner = Owner { caller: around.within, location, around: vec![], function };
                let frame = (function, 0, 0);
                let address = Some(offset).filter(|&offset| offset != 0);
                let place = self.place(&owner, frame, address);
                (owner, place, frame)
            }
            (LINE, Some(owner)) => {
                let frame = (self.function_in(owner.function, file), line, 0);
                (owner.clone(), self.place(owner, frame, None), frame)
            }
            (LINE, None) => {
                let function = Some(self.builder.function(UNKNOWN, file, 0));
                let owner = Owner { caller: around.within, function, ..Owner::default() };
                let frame = (function, line, 0);
                let place = self.place(&owner, frame, None);
                (owner, place, frame)
            }
            (_, Some(owner)) => {
                let mut owner = owner.clone();
                owner.location.module = module.or(owner.location.module);
                let place = self.place(&owner, around.frame, Some(offset));
                (owner, place, around.frame)
            }
            (_, None) => {
                // All that is known of the function is that this instruction is in it.
                let location = Location { module, address: offset, ..Location::default() };
                let owner = Owner { caller: around.within, location, ..Owner::default() };
                let frame = (None, 0, 0);
                let place = self.place(&owner, frame, None);
                (owner, place, frame)
            }
        };
        let within = self.builder.contexts.child(owner.caller, place);
        let parent = self.add(record.id, around.parent, within, record.propagation, warnings);
        let end = record.children.saturating_add(record.size);
        Cursor { next: record.children, end, parent, within, owner: Some(owner), frame }
    }

    /// The location of a frame in its owner.
    fn place(&mut self, owner: &Owner, frame: Frame, address: Option<u64>) -> LocationId {
        let location =
            Location { address: address.unwrap_or(owner.location.address), ..owner.location };
        if owner.around.is_empty() {
            self.builder.location(location, &[frame])
        } else {
            self.builder.location(location, &[&owner.around[..], &[frame]].concat())
        }
    }

    /// The function as it stands in a file: lines of macros and included files are in others.
    fn function_in(&mut self, function: Option<FunctionId>, file: &str) -> Option<FunctionId> {
        let id = function?;
        let (strings, functions) = (&self.builder.strings, &self.builder.functions);
        if file.is_empty() || strings.get(functions.file[id.index()]) == file {
            return function;
        }
        let name = strings.get(functions.name[id.index()]).to_owned();
        Some(self.builder.function(&name, file, 0))
    }

    fn loop_name(
        &mut self,
        record: &Record,
        file: &str,
        line: u32,
        module: Option<profile::ModuleId>,
    ) -> FunctionId {
        let (source, point) = (record.source.unwrap_or_default(), record.point.unwrap_or_default());
        let key = (source.0, source.1, point.0, point.1);
        if let Some(&known) = self.loops.get(&key) {
            return known;
        }
        let name = match module {
            Some(module) if file.is_empty() => {
                let module = self.builder.strings.get(self.builder.modules[module.index()].name);
                format!("loop at {}+{:#x}", base_name(module), point.1)
            }
            _ => format!("loop at {}:{line}", base_name(file)),
        };
        let function = self.builder.function(&name, file, line);
        self.loops.insert(key, function);
        function
    }
}

/// Beyond the numbers of contexts, which have 32 bits.
const TWICE: u64 = 1 << 40;
