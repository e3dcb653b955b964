//! What is said of a document that is not what was asked for, with the path to the place.

use super::reader::{Json, MOST_NESTED};
use crate::input::stream::Stream;
use crate::{Place, ReadError};

impl<'a> Json<'a> {
    #[cold]
    pub(super) fn no_value(&self) -> ReadError {
        debug_assert!(self.pending || self.cut.is_some(), "the value{} was read", self.path());
        self.truncated()
    }

    /// The value at the cursor is of another kind.
    #[cold]
    pub(super) fn mismatch(&mut self, expected: &str) -> ReadError {
        match self.kind() {
            Ok(found) => {
                let (path, found) = (self.path(), found.name());
                self.malformed(format!("expected {expected}{path}, found {found}"))
            }
            Err(error) => error,
        }
    }

    /// The byte at the cursor cannot stand there.
    #[cold]
    pub(super) fn unexpected(&mut self, expected: &str) -> ReadError {
        match self.stream.window() {
            [] => self.truncated(),
            [byte, ..] => {
                let (path, byte) = (self.path(), *byte);
                let found = match byte {
                    b'!'..=b'~' => format!("`{}`", char::from(byte)),
                    _ => format!("the byte {byte:#04x}"),
                };
                self.malformed(format!("expected {expected}{path}, found {found}"))
            }
        }
    }

    #[cold]
    pub(super) fn too_nested(&self) -> ReadError {
        self.malformed(format!("objects and arrays more than {MOST_NESTED} deep"))
    }

    pub(super) fn malformed(&self, reason: String) -> ReadError {
        ReadError::Malformed { format: self.format, place: self.place(), reason }
    }

    #[cold]
    pub(super) fn truncated(&self) -> ReadError {
        let reason = match self.path() {
            path if path.is_empty() => "inside the document".to_owned(),
            path => format!("before the end of the value{path}"),
        };
        ReadError::Truncated { format: self.format, place: end_of(&self.stream), reason }
    }

    /// ` for "profiles[3].weights[12]"`, or nothing at the root.
    pub(super) fn path(&self) -> String {
        use std::fmt::Write;
        /// The innermost steps say most.
        const STEPS: usize = 8;
        let hidden = self.open.len().saturating_sub(STEPS);
        let mut path = String::new();
        for (depth, open) in self.open.iter().enumerate().skip(hidden) {
            let end = self.open.get(depth + 1).map_or(self.keys.len(), |inner| inner.key);
            let key = &self.keys[open.key..end];
            // Writing to a string cannot fail.
            let _ = match open.close {
                b']' => write!(path, "[{}]", open.members.saturating_sub(1)),
                _ if key.len() > SHOWN => {
                    write!(path, ".{}…", &key[..key.floor_char_boundary(SHOWN)])
                }
                _ if key.is_empty() => Ok(()),
                _ => write!(path, ".{key}"),
            };
        }
        match (hidden, path.strip_prefix('.').unwrap_or(&path)) {
            (_, "") => String::new(),
            (0, path) => format!(" for \"{path}\""),
            (_, path) => format!(" for \"….{path}\""),
        }
    }
}

/// How much of a word is shown in an error.
pub(super) const SHOWN: usize = 60;

pub(super) fn end_of(stream: &Stream) -> Place {
    Place(stream.place().0 + stream.window().len() as u64)
}
