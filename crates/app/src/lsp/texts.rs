//! The texts of open files.

use std::collections::HashMap;

/// The open files by address.
#[derive(Debug, Default)]
pub(super) struct Texts {
    open: HashMap<String, Text>,
    changes: u64,
}

/// The text of an open file.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    /// Another number for every text.
    pub(super) version: u64,
    /// Of each line, in UTF-16 units.
    lengths: Vec<u32>,
}

/// What is known of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineLength {
    /// The file is not open.
    Unknown,
    /// The file is shorter.
    NoLine,
    /// In UTF-16 units.
    Of(u32),
}

impl Texts {
    /// A file is open, or has another text.
    pub(super) fn set(&mut self, uri: String, text: String) {
        let length = |line: &str| line.trim_end_matches('\r').encode_utf16().count() as u32;
        let lengths = text.split('\n').map(length).collect();
        self.changes += 1;
        self.open.insert(uri, Text { text, version: self.changes, lengths });
    }

    /// A file is closed.
    pub(super) fn remove(&mut self, uri: &str) {
        self.open.remove(uri);
    }

    /// The text of a file, if it is open.
    pub(super) fn get(&self, uri: &str) -> Option<&Text> {
        self.open.get(uri)
    }

    /// Addresses of the open files.
    pub(super) fn uris(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// Length of a line from 0: the file may be unknown, or shorter.
    pub(super) fn line_length(&self, uri: &str, line: u32) -> LineLength {
        match self.get(uri).map(|text| text.lengths.get(line as usize)) {
            None => LineLength::Unknown,
            Some(None) => LineLength::NoLine,
            Some(Some(&length)) => LineLength::Of(length),
        }
    }
}
