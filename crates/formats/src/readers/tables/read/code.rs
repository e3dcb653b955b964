//! The table of frames.

use profile::{FunctionId, Location, LocationKind, Module, ModuleFlags, ModuleId};

use super::assemble::Assembly;
use super::rows::Row;
use crate::readers::tables::code::{KINDS, SYMBOLISED, named};

impl Assembly {
    pub(super) fn frame(&mut self, row: &Row<'_>) -> Result<(), String> {
        let number = row.needed::<u32>("location")?;
        let before = self.code.open.as_ref().map(|&(number, ..)| number);
        let function = self.function(row)?;
        let frame = (function, row.whole("line")?.unwrap_or(0), row.whole("column")?.unwrap_or(0));
        let location = self.location(row)?;
        match &mut self.code.open {
            Some((open, outermost, frames)) if *open == number => {
                // What is inlined into a loop or a region is code.
                let location = Location { kind: outermost.kind, ..location };
                if location != *outermost {
                    return Err(format!(
                        "it says something else of location {number} than the row before"
                    ));
                }
                frames.push(frame);
                return Ok(());
            }
            _ => {}
        }
        let expected = before.map_or(0, |before| before + 1);
        if number != expected {
            return Err(format!(
                "location is {number}, expected {expected}: rows must be complete and sorted by \
                 frame"
            ));
        }
        self.close_location();
        self.code.open = Some((number, location, vec![frame]));
        Ok(())
    }

    /// Takes the location whose frames came.
    pub(super) fn close_location(&mut self) {
        if let Some((_, location, frames)) = self.code.open.take() {
            self.builder.push_location(location, &frames);
        }
    }

    fn location(&mut self, row: &Row<'_>) -> Result<Location, String> {
        let kind = row.text("kind");
        let kind = KINDS
            .iter()
            .position(|&word| word == kind)
            .ok_or_else(|| format!("kind is \"{kind}\", not one of {}", KINDS.join(", ")))?;
        Ok(Location {
            kind: LocationKind::ALL[kind],
            module: self.module(row)?,
            address: row.whole("address")?.unwrap_or(0),
            folded: match row.needed::<u8>("folded")? {
                0 => false,
                1 => true,
                other => return Err(format!("folded is {other}, not 0 or 1")),
            },
            instruction: self.builder.strings.intern(row.text("instruction")),
        })
    }

    fn function(&mut self, row: &Row<'_>) -> Result<Option<FunctionId>, String> {
        let name = match row.text("named") {
            named::FUNCTION => row.text("function"),
            named::LINKER | named::PLACE => "",
            other => {
                return Err(format!(
                    "named is \"{other}\", not one of {}, {}, {}",
                    named::FUNCTION,
                    named::LINKER,
                    named::PLACE
                ));
            }
        };
        let texts = [name, row.text("linker_name"), row.text("file")];
        let start_line = row.whole("start_line")?.unwrap_or(0);
        let start_column = row.whole("start_column")?.unwrap_or(0);
        if texts == [""; 3] && start_line == 0 && start_column == 0 {
            return Ok(None);
        }
        let texts = texts.map(|text| self.builder.strings.intern(text));
        let functions = &mut self.builder.functions;
        let key = (texts, [start_line, start_column]);
        Ok(Some(*self.code.functions.entry(key).or_insert_with(|| {
            let function = functions.push(texts[0], texts[1], texts[2], start_line);
            functions.start_column[function.index()] = start_column;
            function
        })))
    }

    fn module(&mut self, row: &Row<'_>) -> Result<Option<ModuleId>, String> {
        let mapping = [
            row.whole("mapping_start")?.unwrap_or(0),
            row.whole("mapping_limit")?.unwrap_or(0),
            row.whole("mapping_offset")?.unwrap_or(0),
        ];
        let mut flags = [false; 4];
        for word in row.text("symbolised").split_whitespace() {
            let Some(flag) = SYMBOLISED.iter().position(|&known| known == word) else {
                return Err(format!("symbolised is \"{word}\", not of {}", SYMBOLISED.join(", ")));
            };
            flags[flag] = true;
        }
        let texts = [row.text("module"), row.text("build_id")];
        if texts == [""; 2] && mapping == [0; 3] && flags == [false; 4] {
            return Ok(None);
        }
        let [name, build_id] = texts.map(|text| self.builder.strings.intern(text));
        let modules = &mut self.builder.modules;
        let key = (name, build_id, mapping, flags);
        Ok(Some(*self.code.modules.entry(key).or_insert_with(|| {
            let [functions, file_names, line_numbers, inline_frames] = flags;
            let [memory_start, memory_limit, file_offset] = mapping;
            let flags = ModuleFlags { functions, file_names, line_numbers, inline_frames };
            modules.push(Module { name, build_id, memory_start, memory_limit, file_offset, flags });
            ModuleId(modules.len() as u32 - 1)
        })))
    }
}
