//! One event of a trace.

use super::arguments::Arguments;
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::readers::cpuprofile::CpuProfile;
use crate::{ReadError, ReadOptions};
use profile::ProfileBuilder;

/// What of an event is read. It is used again for every event.
#[derive(Default)]
pub(super) struct Event {
    pub(super) phase: u8,
    pub(super) name: String,
    pub(super) category: String,
    pub(super) pid: String,
    pub(super) tid: String,
    pub(super) id: String,
    /// Whether the id is one of its process alone.
    pub(super) id_is_local: bool,
    /// Nanoseconds.
    pub(super) time: Option<i64>,
    pub(super) duration: Option<i64>,
    thread_duration: Option<i64>,
    /// The argument `name` of metadata.
    pub(super) new_name: String,
    pub(super) sort_index: Option<i64>,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// Whether the file is told, be it empty: the name is nothing but a name then.
    pub(super) has_place: bool,
    /// Stack of a sample.
    pub(super) stack_frame: String,
    pub(super) weight: Option<i64>,
    pub(super) cpu: Option<u32>,
    /// `t`, `p` or `g`: an instant is of its thread, its process, or all.
    pub(super) scope: u8,
    pub(super) arguments: Arguments,
    /// A part of a sampled profile.
    pub(super) profile: CpuProfile,
    pub(super) has_profile: bool,
}

impl Event {
    /// Reads the event at the cursor; false if it is not an object.
    pub(super) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<bool, ReadError> {
        self.clear();
        if !json.try_object()? {
            return Ok(false);
        }
        while let Some(key) = json.next_key()? {
            match key {
                "ph" => self.phase = letter(json)?,
                "s" => self.scope = letter(json)?,
                "name" => text(json, &mut self.name)?,
                "cat" => text(json, &mut self.category)?,
                "pid" => text(json, &mut self.pid)?,
                "tid" => text(json, &mut self.tid)?,
                "id" => text(json, &mut self.id)?,
                "id2" => self.read_id(json)?,
                "ts" => self.time = nanoseconds(json)?,
                "dur" => self.duration = nanoseconds(json)?,
                "tdur" => self.thread_duration = nanoseconds(json)?,
                "sf" => text(json, &mut self.stack_frame)?,
                "weight" => self.weight = number(json)?.and_then(|n| n.to_scaled(0)),
                "cpu" => self.cpu = position(json)?,
                ".file" => text(json, &mut self.file)?,
                ".line" => self.line = position(json)?.unwrap_or(0),
                "args" => self.read_arguments(json, builder, options)?,
                _ => {}
            }
        }
        Ok(true)
    }

    /// How long a complete event lasts, if that is told.
    pub(super) fn length(&self) -> Option<i64> {
        self.duration.or(self.thread_duration)
    }

    fn read_arguments(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            let is_data = key == "data";
            self.arguments.begin(key);
            if is_data && json.kind()? == Kind::Object {
                self.arguments.end(false);
                self.read_data(json, builder, options)?;
                continue;
            }
            if self.arguments.read(json)? {
                self.know_last();
                self.arguments.end(true);
            }
        }
        Ok(())
    }

    /// What the last argument says of a process or thread, or may say of the event's place.
    fn know_last(&mut self) {
        match self.arguments.last() {
            Some(("name", value)) => value.clone_into(&mut self.new_name),
            Some(("sort_index", value)) => {
                self.sort_index = Decimal::parse(value.as_bytes()).and_then(|n| n.to_scaled(0));
            }
            Some(("filename" | "url" | "line" | "column", _)) => self.arguments.last_is_place(),
            _ => {}
        }
    }

    /// Takes the place in code out of the arguments, as py-spy and Hermes tell it: a file with a
    /// line and a column. Without a file these may be anything, and so they may where the event tells
    /// its place otherwise.
    pub(super) fn take_place(&mut self) {
        let (file, line, column) = (&mut self.file, &mut self.line, &mut self.column);
        let position = |value: &str| {
            let whole = Decimal::parse(value.as_bytes()).and_then(Decimal::to_whole);
            whole.and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
        };
        self.has_place = !file.is_empty() || *line > 0;
        if self.has_place {
            return;
        }
        self.has_place = self.arguments.has_place(|key| matches!(key, "filename" | "url"));
        if !self.has_place {
            return;
        }
        // The first of each: what follows is an argument of that name.
        let mut taken = [false; 3];
        self.arguments.take_places(|key, value| {
            let place = match key {
                "filename" | "url" => 0,
                "line" => 1,
                "column" => 2,
                _ => return false,
            };
            if std::mem::replace(&mut taken[place], true) {
                return false;
            }
            match place {
                0 => value.clone_into(file),
                1 => *line = position(value),
                _ => *column = position(value),
            }
            true
        });
    }

    fn read_data(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            match key {
                "cpuProfile" => self.read_profile(json, builder, options)?,
                "timeDeltas" => {
                    self.has_profile = true;
                    self.profile.read_deltas(json, builder, options)?;
                }
                "lines" => {
                    self.has_profile = true;
                    self.profile.read_lines(json)?;
                }
                "startTime" => self.profile.start = number(json)?,
                "endTime" => self.profile.end = number(json)?,
                key => {
                    self.arguments.begin(key);
                    if self.arguments.read(json)? {
                        self.arguments.end(true);
                    }
                }
            }
        }
        Ok(())
    }

    fn read_profile(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if json.try_object()? {
            self.has_profile = true;
            self.profile.read(json, builder, options)?;
        }
        Ok(())
    }

    /// Reads `{"local": "0x1"}` or `{"global": "0x1"}`.
    fn read_id(&mut self, json: &mut Json) -> Result<(), ReadError> {
        if json.try_object()? {
            while let Some(key) = json.next_key()? {
                self.id_is_local = key == "local";
                text(json, &mut self.id)?;
            }
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.phase = 0;
        let texts = [
            &mut self.name,
            &mut self.category,
            &mut self.pid,
            &mut self.tid,
            &mut self.id,
            &mut self.new_name,
            &mut self.file,
            &mut self.stack_frame,
        ];
        texts.into_iter().for_each(String::clear);
        self.time = None;
        self.duration = None;
        self.thread_duration = None;
        self.sort_index = None;
        self.line = 0;
        self.column = 0;
        self.has_place = false;
        self.id_is_local = false;
        self.weight = None;
        self.cpu = None;
        self.scope = 0;
        self.arguments.clear();
        if self.has_profile || self.profile.start.is_some() || self.profile.end.is_some() {
            self.profile = CpuProfile::default();
            self.has_profile = false;
        }
    }
}

/// Reads a text or a number as it is written; others are empty.
pub(super) fn text(json: &mut Json, text: &mut String) -> Result<(), ReadError> {
    text.clear();
    if let Some(read) = json.text()? {
        text.push_str(read);
    }
    Ok(())
}

/// The first letter of a text; 0 where it is none.
fn letter(json: &mut Json) -> Result<u8, ReadError> {
    Ok(match json.kind()? {
        Kind::String => json.string()?.bytes().next().unwrap_or(0),
        _ => 0,
    })
}

/// A number, also one in quotes.
fn number(json: &mut Json) -> Result<Option<Decimal>, ReadError> {
    if let Some(number) = json.plain_number() {
        return Ok(Some(number));
    }
    Ok(match json.kind()? {
        Kind::Number => json.finite()?,
        Kind::String => Decimal::parse(json.string()?.as_bytes()),
        _ => None,
    })
}

pub(super) fn position(json: &mut Json) -> Result<Option<u32>, ReadError> {
    Ok(number(json)?.and_then(Decimal::to_whole).and_then(|number| u32::try_from(number).ok()))
}

/// Microseconds as nanoseconds.
fn nanoseconds(json: &mut Json) -> Result<Option<i64>, ReadError> {
    Ok(number(json)?.and_then(|number| number.to_scaled(3)))
}
