//! Frames of the sample that is read become locations and its stack.

use profile::{FunctionId, Location, LocationId, LocationKind, ModuleId, Place, StringId};

use super::line::{Frame, Header};
use super::reading::{ScriptParser, is_source};
use crate::Warnings;
use crate::text::lines::Line;

/// What a frame's line says, interned.
#[derive(Clone, Copy)]
pub(super) struct RawFrame {
    address: u64,
    function: Option<(StringId, u32)>,
    module: Option<ModuleId>,
    inlined: bool,
    /// The location, where the frame stands alone and without a source line.
    location: Option<LocationId>,
}

/// A frame of the sample that is read, with the line below it.
#[derive(Clone, Copy)]
pub(super) struct StackFrame {
    pub(super) raw: u32,
    pub(super) inlined: bool,
    pub(super) source: Option<(StringId, u32)>,
}

impl ScriptParser {
    pub(super) fn frame(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        if let Some(name) = self.name_only.take() {
            let header = Header { comm: &name, ..Header::default() };
            self.sample.record = Some(self.start(&header, warnings));
        } else if self.sample.record.is_none() {
            // Only stacks were printed.
            self.sample.record = Some(self.start(&Header::default(), warnings));
        }
        let text = line.text.trim();
        let raw = match self.known.texts.find(text) {
            Some(raw) => raw,
            None => match Frame::parse(text) {
                Some(frame) => self.raw_frame(text, frame),
                None => {
                    if self.sample.stack.last().is_some() && is_source(line.text) {
                        return;
                    }
                    warnings.add("frame", || {
                        let start: String = text.chars().take(40).collect();
                        format!("line {} is skipped, it is not a frame: {start}", line.number)
                    });
                    return;
                }
            },
        };
        self.sample.stack.push(StackFrame {
            raw,
            inlined: self.known.raw[raw as usize].inlined,
            source: None,
        });
    }

    pub(super) fn raw_frame(&mut self, text: &str, frame: Frame<'_>) -> u32 {
        if let Some(known) = self.known.texts.find(text) {
            return known;
        }
        let module = self.builder.module(frame.module);
        let function = (!frame.symbol.is_empty()).then(|| {
            let function = self.builder.function(frame.symbol, "", 0);
            (self.builder.functions.name[function.index()], function.0)
        });
        let Frame { address, inlined, .. } = frame;
        self.known.raw.push(RawFrame { address, function, module, inlined, location: None });
        self.known.texts.push(text);
        self.known.raw.len() as u32 - 1
    }

    /// Puts the open sample on record.
    pub(super) fn end_sample(&mut self) {
        let Some(mut record) = self.sample.record.take() else { return };
        let stack = std::mem::take(&mut self.sample.stack);
        self.known.path.clear();
        let mut start = 0;
        while start < stack.len() {
            let address = self.known.raw[stack[start].raw as usize].address;
            let mut end = start + 1;
            // Inlined frames come before the one that holds them.
            while stack[end - 1].inlined
                && end < stack.len()
                && self.known.raw[stack[end].raw as usize].address == address
            {
                end += 1;
            }
            let location = self.location(&stack[start..end]);
            self.known.path.push(location);
            start = end;
        }
        if self.known.path.is_empty() {
            self.bare += usize::from(!self.sample.is_frame);
            let place =
                Place { kind: LocationKind::Region, function: "(no stack)", ..Place::default() };
            self.known.path.push(self.builder.place(&place));
        }
        record.context = self.builder.stack(self.known.path.iter().rev().copied());
        record.labels = self.builder.labels.add(&self.sample.labels);
        self.sample.labels.clear();
        self.records.push(record);
        self.sample.stack = stack;
        self.sample.stack.clear();
    }

    /// The location of frames at one address, innermost first.
    fn location(&mut self, frames: &[StackFrame]) -> LocationId {
        let outer = frames[frames.len() - 1];
        let raw = self.known.raw[outer.raw as usize];
        let is_plain = frames.len() == 1 && outer.source.is_none();
        if is_plain && let Some(known) = raw.location {
            return known;
        }
        self.known.frames.clear();
        for frame in frames.iter().rev() {
            let function = self.known.raw[frame.raw as usize].function;
            let (file, line) = frame.source.unwrap_or_default();
            let function = match function {
                Some((name, _)) if file != StringId::EMPTY => {
                    let builder = &mut self.builder;
                    let name = builder.strings.get(name).to_owned();
                    let file = builder.strings.get(file).to_owned();
                    Some(builder.function(&name, &file, 0))
                }
                Some((_, function)) => Some(FunctionId(function)),
                None if file != StringId::EMPTY => {
                    let file = self.builder.strings.get(file).to_owned();
                    Some(self.builder.function("", &file, 0))
                }
                None => None,
            };
            self.known.frames.push((function, line, 0));
        }
        let location = Location { module: raw.module, address: raw.address, ..Location::default() };
        let id = self.builder.location(location, &self.known.frames);
        if is_plain {
            self.known.raw[outer.raw as usize].location = Some(id);
        }
        id
    }
}
