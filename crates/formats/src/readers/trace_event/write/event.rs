//! The texts of events.

use std::fmt;
use std::io::Write;

use profile::{ContextId, FrameId, LabelSetId, LabelValue, Profile};

use super::ids::Home;
use crate::WriteError;
use crate::readers::trace_event::read::has_place_in;

/// Writes a list of events, one a line. An event is begun, gets its members, and is ended.
pub(super) struct Events<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) profile: &'a Profile,
    is_first: bool,
    has_arguments: bool,
}

/// Nanoseconds, as microseconds with up to three decimals.
pub(super) struct Micros(pub(super) i128);

impl fmt::Display for Micros {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / 1000, self.0.unsigned_abs() % 1000);
        if self.0 < 0 {
            write!(out, "-")?;
        }
        write!(out, "{whole}")?;
        if rest > 0 {
            write!(out, ".{}", format!("{rest:03}").trim_end_matches('0'))?;
        }
        Ok(())
    }
}

impl<'a> Events<'a> {
    pub(super) fn new(profile: &'a Profile, out: &'a mut dyn Write) -> Events<'a> {
        Events { out, profile, is_first: true, has_arguments: false }
    }

    /// Begins an event of a place; without a thread it is of the process.
    pub(super) fn begin(&mut self, phase: char, home: &Home) -> Result<(), WriteError> {
        let comma = if self.is_first { "" } else { "," };
        self.is_first = false;
        self.has_arguments = false;
        write!(self.out, "{comma}\n{{\"ph\":\"{phase}\"")?;
        if !home.pid.is_empty() {
            write!(self.out, ",\"pid\":")?;
            self.identifier(&home.pid)?;
        }
        if !home.tid.is_empty() {
            write!(self.out, ",\"tid\":")?;
            self.identifier(&home.tid)?;
        }
        Ok(())
    }

    pub(super) fn text(&mut self, key: &str, text: &str) -> Result<(), WriteError> {
        write!(self.out, ",\"{key}\":")?;
        self.json(text)
    }

    pub(super) fn time(&mut self, key: &str, time: i128) -> Result<(), WriteError> {
        Ok(write!(self.out, ",\"{key}\":{}", Micros(time))?)
    }

    pub(super) fn argument(
        &mut self,
        key: &str,
        value: impl FnOnce(&mut Self) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        write!(self.out, "{}", if self.has_arguments { "," } else { ",\"args\":{" })?;
        self.has_arguments = true;
        self.json(key)?;
        write!(self.out, ":")?;
        value(self)
    }

    /// Labels as arguments, but for those of a key.
    pub(super) fn labels(
        &mut self,
        labels: LabelSetId,
        but: Option<&str>,
    ) -> Result<(), WriteError> {
        let profile = self.profile;
        for label in profile.label_sets.get(labels) {
            let key = profile.text(label.key);
            if Some(key) == but {
                continue;
            }
            self.argument(key, |events| match label.value {
                LabelValue::Text(text) => events.json(profile.text(text)),
                LabelValue::Number(number, _) => Ok(write!(events.out, "{number}")?),
            })?;
        }
        Ok(())
    }

    /// Where the code of a frame is, as arguments before those of a span, which may have the same names.
    pub(super) fn place(&mut self, frame: FrameId, own: LabelSetId) -> Result<(), WriteError> {
        let profile = self.profile;
        let file = profile.frame_file(frame);
        let row = frame.index();
        let (line, column) = (profile.frames.line[row], profile.frames.column[row]);
        let mut others = profile.label_sets.get(own);
        let is_told = |key: &str| matches!(key, "filename" | "url");
        if file.is_empty()
            && line == 0
            && !has_place_in(&profile.frame_name(frame))
            && !others.any(|label| is_told(profile.text(label.key)))
        {
            return Ok(());
        }
        self.argument("filename", |events| events.json(file))?;
        for (key, number) in [("line", line), ("column", column)] {
            let mut others = profile.label_sets.get(own);
            if number > 0 || others.any(|label| profile.text(label.key) == key) {
                self.argument(key, |events| Ok(write!(events.out, "{number}")?))?;
            }
        }
        Ok(())
    }

    pub(super) fn end(&mut self) -> Result<(), WriteError> {
        Ok(write!(self.out, "{}", if self.has_arguments { "}}" } else { "}" })?)
    }

    pub(super) fn json(&mut self, text: &str) -> Result<(), WriteError> {
        serde_json::to_writer(&mut *self.out, text).map_err(|error| WriteError::Io(error.into()))
    }

    /// A number where it is one, else a text.
    fn identifier(&mut self, text: &str) -> Result<(), WriteError> {
        match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Ok(write!(self.out, "{number}")?),
            _ => self.json(text),
        }
    }
}

/// The innermost frame of a context.
pub(crate) fn frame_of(profile: &Profile, context: ContextId) -> Option<FrameId> {
    profile.frames_of(context).next_back().map(FrameId)
}
