//! Places in code as Firefox itself writes them: texts.

use hashbrown::HashMap;
use profile::{ProfileBuilder, StringId};

use super::frames::Frame;
use super::libs::Lib;
use super::table::Table;
use crate::numbers::hexadecimal::hexadecimal;

/// Libraries by where they are and by name.
pub(super) struct MappedLibs<'a> {
    /// By start.
    sorted: Vec<&'a Lib>,
    named: HashMap<&'a str, &'a Lib>,
}

impl<'a> MappedLibs<'a> {
    pub(super) fn new(libs: &'a [Lib]) -> Self {
        let mut sorted: Vec<_> = libs.iter().collect();
        sorted.sort_by_key(|lib| lib.start);
        MappedLibs { sorted, named: libs.iter().map(|lib| (lib.name.as_str(), lib)).collect() }
    }

    fn at(&self, address: u64) -> Option<&'a Lib> {
        let after = self.sorted.partition_point(|lib| lib.start <= address);
        let lib = *self.sorted.get(after.checked_sub(1)?)?;
        (address < lib.end).then_some(lib)
    }
}

/// The frame of a row, from the text that names its place.
pub(super) fn place(
    frames: &Table<4>,
    row: usize,
    strings: &[StringId],
    libs: &MappedLibs,
    builder: &mut ProfileBuilder,
) -> Frame {
    let location = frames.row(0, row).and_then(|id| strings.get(id)).copied();
    let text = builder.strings.get(location.unwrap_or(StringId::EMPTY)).to_owned();
    let mut frame = Frame {
        line: frames.position(1, row),
        column: frames.position(2, row),
        category: frames.row(3, row),
        ..Frame::default()
    };
    if let Some(address) = text.strip_prefix("0x").and_then(hexadecimal) {
        let lib = libs.at(address);
        frame.address = lib.map_or(address, |lib| address - lib.start);
        frame.module = lib.and_then(|lib| lib.module);
        return frame;
    }
    if let Some((name, lib)) = in_library(&text) {
        let known = libs.named.get(lib);
        frame.module = known.map_or_else(|| builder.module(lib), |known| known.module);
        frame.function = Some(builder.function(name, "", 0));
        return frame;
    }
    match script(&text) {
        Some(Script { name, file, line, column }) => {
            let name = match name {
                "" => format!("(root scope) {file}"),
                name => name.to_owned(),
            };
            frame.function = Some(builder.function_at(&name, file, line, column));
            if frame.line == 0 {
                (frame.line, frame.column) = (line, column);
            }
        }
        None => frame.function = (!text.is_empty()).then(|| builder.function(&text, "", 0)),
    }
    frame
}

/// The parts of `name (in library) + 12`.
fn in_library(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(" (in ")?;
    let (lib, rest) = rest.split_once(')')?;
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with(['+', '('])).then_some((name, lib))
}

struct Script<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

/// The parts of `name (file:line:column)[source]` or `file:line`.
fn script(text: &str) -> Option<Script<'_>> {
    let text = match text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((rest, source))
            if !source.is_empty() && source.bytes().all(|b| b.is_ascii_digit()) =>
        {
            rest
        }
        _ => text,
    };
    let (name, place) = match text.strip_suffix(')').and_then(|rest| rest.split_once(" (")) {
        Some((name, place)) => (name, place),
        None => ("", text.trim_matches(['(', ')'])),
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let (file, last) = place.rsplit_once(':')?;
    let last = number(last)?;
    let (file, line, column) = match file.rsplit_once(':').and_then(|(f, n)| Some((f, number(n)?)))
    {
        Some((file, line)) => (file, line, last),
        None => (file, last, 0),
    };
    // A script that loads another is named before it.
    let file = file.rsplit(" -> ").next().unwrap_or(file);
    (!file.is_empty() || !name.is_empty()).then_some(Script { name, file, line, column })
}
