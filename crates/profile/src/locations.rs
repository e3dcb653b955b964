//! Code: modules, functions, locations and their frames.

use std::ops::Range;

use crate::ids::{NONE, optional};
use crate::sparse::SparseColumn;
use crate::{FrameId, FunctionId, LocationId, ModuleId, StringId};

/// A binary or library, or the part of one that was mapped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Module {
    /// Path.
    pub name: StringId,
    /// Build id; may be empty.
    pub build_id: StringId,
    /// First address of the mapping.
    pub memory_start: u64,
    /// First address after the mapping.
    pub memory_limit: u64,
    /// Offset in the file of the first mapped byte.
    pub file_offset: u64,
    /// How far it is symbolised.
    pub flags: ModuleFlags,
}

/// How far a module is symbolised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModuleFlags {
    /// Functions are known.
    pub functions: bool,
    /// Files are known.
    pub file_names: bool,
    /// Lines are known.
    pub line_numbers: bool,
    /// Inlined frames are known.
    pub inline_frames: bool,
}

/// Functions, as columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Functions {
    /// Name for people.
    pub name: Vec<StringId>,
    /// The linker's name.
    pub system_name: Vec<StringId>,
    /// Source file.
    pub file: Vec<StringId>,
    /// Line where the function starts; 0 if unknown.
    pub start_line: Vec<u32>,
    /// Column where the function starts, from 1; 0 if unknown. It tells apart functions of one line,
    /// as in minified JavaScript.
    pub start_column: Vec<u32>,
}

impl Functions {
    /// Appends a function.
    pub fn push(
        &mut self,
        name: StringId,
        system_name: StringId,
        file: StringId,
        start_line: u32,
    ) -> FunctionId {
        self.name.push(name);
        self.system_name.push(system_name);
        self.file.push(file);
        self.start_line.push(start_line);
        self.start_column.push(0);
        FunctionId(self.name.len() as u32 - 1)
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.name.truncate(len);
        self.system_name.truncate(len);
        self.file.truncate(len);
        self.start_line.truncate(len);
        self.start_column.truncate(len);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.name.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }
}

/// Places in code, as columns. The frames of one location follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frames {
    function: Vec<u32>,
    /// Line; 0 if unknown.
    pub line: Vec<u32>,
    /// Column; 0 if unknown.
    pub column: Vec<u32>,
    /// The location that the frame belongs to.
    pub location: Vec<LocationId>,
}

impl Frames {
    /// The function, where the place is symbolised.
    pub fn function(&self, frame: FrameId) -> Option<FunctionId> {
        optional(self.function[frame.index()]).map(FunctionId)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.function.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.function.is_empty()
    }

    fn push(&mut self, function: u32, line: u32, column: u32, location: LocationId) {
        self.function.push(function);
        self.line.push(line);
        self.column.push(column);
        self.location.push(location);
    }
}

/// What a location is: its first frame, for what is inlined into that is code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LocationKind {
    /// Code of a function.
    #[default]
    Code = 0,
    /// A loop of the function around it.
    Loop = 1,
    /// A data object: a variable by its name, or the memory that its parent context allocated.
    Data = 2,
    /// A region that somebody named: a phase, an annotation, an event, a cycle of a call graph.
    Region = 3,
    /// A basic block of the function around it: instructions that run one after the other.
    Block = 4,
}

impl LocationKind {
    /// Every kind; the position is its number.
    pub const ALL: [LocationKind; 5] = [
        LocationKind::Code,
        LocationKind::Loop,
        LocationKind::Data,
        LocationKind::Region,
        LocationKind::Block,
    ];
}

/// A location without its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Location {
    /// What it is.
    pub kind: LocationKind,
    /// The module, if known.
    pub module: Option<ModuleId>,
    /// Address; 0 if unknown.
    pub address: u64,
    /// Whether the linker folded several identical functions into this code.
    pub folded: bool,
    /// The instruction at the address, as a disassembler writes it; empty if unknown.
    pub instruction: StringId,
}

/// Code addresses, as columns. Formats without addresses use one location a place in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locations {
    /// What each is.
    pub kind: Vec<LocationKind>,
    module: Vec<u32>,
    /// Address; 0 if unknown.
    pub address: Vec<u64>,
    /// Whether the linker folded several identical functions into this code, so that the names are
    /// one choice among several.
    pub folded: Vec<bool>,
    /// Strings of instructions.
    instruction: SparseColumn<u32>,
    frame_starts: Vec<u32>,
}

impl Default for Locations {
    fn default() -> Self {
        Locations {
            kind: Vec::new(),
            module: Vec::new(),
            address: Vec::new(),
            folded: Vec::new(),
            instruction: SparseColumn::default(),
            frame_starts: vec![0],
        }
    }
}

impl Locations {
    /// The module, if known.
    pub fn module(&self, location: LocationId) -> Option<ModuleId> {
        optional(self.module[location.index()]).map(ModuleId)
    }

    /// A location without its frames.
    pub fn get(&self, location: LocationId) -> Location {
        Location {
            kind: self.kind[location.index()],
            module: self.module(location),
            address: self.address[location.index()],
            folded: self.folded[location.index()],
            instruction: self.instruction(location),
        }
    }

    /// The instruction at its address; empty if unknown.
    pub fn instruction(&self, location: LocationId) -> StringId {
        StringId(self.instruction.get(location.index()).unwrap_or(0))
    }

    /// Whether the instruction of any is known.
    pub fn has_instructions(&self) -> bool {
        !self.instruction.raw.is_empty()
    }

    /// The strings of instructions, to be replaced.
    pub(crate) fn instructions_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.instruction.raw.iter_mut()
    }

    /// The frames, outermost first; never empty.
    pub fn frames(&self, location: LocationId) -> Range<u32> {
        self.frame_starts[location.index()]..self.frame_starts[location.index() + 1]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.module.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.module.is_empty()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.module.capacity() * 4
            + self.kind.capacity()
            + self.address.capacity() * 8
            + self.folded.capacity()
            + self.instruction.raw.capacity() * 4
            + self.frame_starts.capacity() * 4
    }

    /// Forgets all locations from number `len` on, with their frames.
    pub(crate) fn truncate(&mut self, frames: &mut Frames, len: usize) {
        self.kind.truncate(len);
        self.module.truncate(len);
        self.address.truncate(len);
        self.folded.truncate(len);
        self.instruction.truncate(len, 0);
        self.frame_starts.truncate(len + 1);
        let frame_count = self.frame_starts[len] as usize;
        frames.function.truncate(frame_count);
        frames.line.truncate(frame_count);
        frames.column.truncate(frame_count);
        frames.location.truncate(frame_count);
    }

    /// Gives locations other frames (function, line, column).
    pub(crate) fn rename<'a>(
        &mut self,
        frames: &mut Frames,
        named: impl Fn(LocationId) -> Option<&'a Vec<(FunctionId, u32, u32)>>,
    ) {
        let old = std::mem::take(frames);
        let starts = std::mem::replace(&mut self.frame_starts, vec![0]);
        for (row, range) in starts.windows(2).enumerate() {
            let id = LocationId(row as u32);
            match named(id) {
                Some(lines) => {
                    for &(function, line, column) in lines {
                        frames.push(function.0, line, column, id);
                    }
                }
                None => {
                    for row in range[0] as usize..range[1] as usize {
                        frames.push(old.function[row], old.line[row], old.column[row], id);
                    }
                }
            }
            self.frame_starts.push(frames.len() as u32);
        }
    }

    /// Appends a location with its frames (function, line, column), outermost first. Without
    /// frames it gets one that names no function: an unsymbolised place.
    pub(crate) fn push(
        &mut self,
        frames: &mut Frames,
        location: Location,
        lines: &[(Option<FunctionId>, u32, u32)],
    ) -> LocationId {
        let id = LocationId(self.module.len() as u32);
        self.kind.push(location.kind);
        self.module.push(location.module.map_or(NONE, |m| m.0));
        self.address.push(location.address);
        self.folded.push(location.folded);
        self.instruction.push(id.index(), location.instruction.0, 0);
        let unsymbolised = [(None, 0, 0)];
        for &(function, line, column) in if lines.is_empty() { &unsymbolised } else { lines } {
            frames.push(function.map_or(NONE, |f: FunctionId| f.0), line, column, id);
        }
        self.frame_starts.push(frames.len() as u32);
        id
    }
}
