//! The file as it is read.

use profile::{LocationId, Profile, ProfileBuilder, StringId};

use super::series::Series;
use crate::graph::id_index::IdIndex;
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::readers::speedscope::FORMAT;
use crate::{ReadError, ReadOptions, Warnings};

pub(in crate::readers::speedscope) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut file = File::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "shared" => {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    if key == "frames" {
                        file.frames(&mut json, options)?;
                    }
                }
            }
            "profiles" => {
                json.array()?;
                while json.next_element()? {
                    let series = Series::read(&mut json, &mut file, options, warnings)?;
                    file.series.push(series);
                }
            }
            "name" => file.name = text(&mut json)?,
            "exporter" => file.exporter = text(&mut json)?,
            "activeProfileIndex" => file.active = json.optional(Json::u64)?,
            _ => {}
        }
    }
    json.finish()?;
    file.finish(warnings)
}

/// What is collected of the file.
#[derive(Default)]
pub(super) struct File {
    pub(super) builder: ProfileBuilder,
    pub(super) frames: Vec<Frame>,
    /// Numbers of the frames that stacks name; locations are made of them in the end.
    pub(super) used: IdIndex,
    pub(super) path: Path,
    pub(super) series: Vec<Series>,
    pub(super) name: String,
    pub(super) exporter: String,
    pub(super) active: Option<u64>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) name: StringId,
    pub(super) file: StringId,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl File {
    fn frames(&mut self, json: &mut Json, options: &ReadOptions) -> Result<(), ReadError> {
        json.array()?;
        while json.next_element()? {
            let mut frame = Frame::default();
            if json.kind()? == Kind::Object {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    match key {
                        "name" => frame.name = self.text(json)?,
                        "file" => frame.file = self.text(json)?,
                        "line" => frame.line = position(json)?,
                        "col" => frame.column = position(json)?,
                        _ => {}
                    }
                }
            }
            self.frames.push(frame);
            if self.frames.len().is_multiple_of(1024) {
                options.check_memory(self.heap_bytes())?;
            }
        }
        Ok(())
    }

    fn text(&mut self, json: &mut Json) -> Result<StringId, ReadError> {
        Ok(match json.kind()? {
            Kind::String | Kind::Number => {
                self.builder.strings.intern(json.string_or_number_text()?)
            }
            _ => StringId::EMPTY,
        })
    }

    pub(super) fn location(&mut self, frame: u64) -> LocationId {
        LocationId(self.used.number(frame))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.frames.len() * size_of::<Frame>()
            + self.used.heap_bytes()
            + self.series.iter().map(Series::heap_bytes).sum::<usize>()
    }
}

/// A text; empty for `null` and the like.
pub(super) fn text(json: &mut Json) -> Result<String, ReadError> {
    Ok(match json.kind()? {
        Kind::String => json.string()?.to_owned(),
        _ => String::new(),
    })
}

/// A line or column; 0 if it is none.
fn position(json: &mut Json) -> Result<u32, ReadError> {
    let number = if json.kind()? == Kind::Number { json.finite()? } else { None };
    Ok(number.and_then(Decimal::to_whole).and_then(|line| u32::try_from(line).ok()).unwrap_or(0))
}
