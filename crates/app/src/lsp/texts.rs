//! The texts of open files.

use std::collections::HashMap;

use lsp_types::{Position, Range};

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
    /// Where each line starts, in bytes.
    starts: Vec<usize>,
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
        let starts = std::iter::once(0).chain(line_starts(&text, 0)).collect();
        self.changes += 1;
        self.open.insert(uri, Text { text, version: self.changes, starts });
    }

    /// A part of an open file has another text. Places past an end are at the end.
    pub(super) fn edit(&mut self, uri: &str, range: Range, new: &str) {
        let Some(text) = self.open.get_mut(uri) else { return };
        self.changes += 1;
        text.version = self.changes;
        text.replace(range, new);
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

    /// The open files by address, with their texts.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.open.iter().map(|(uri, text)| (uri.as_str(), text.text.as_str()))
    }

    /// Length of a line from 0: the file may be unknown, or shorter.
    pub(super) fn line_length(&self, uri: &str, line: u32) -> LineLength {
        match self.get(uri).map(|text| text.line(line)) {
            None => LineLength::Unknown,
            Some(None) => LineLength::NoLine,
            Some(Some(line)) => LineLength::Of(line.encode_utf16().count() as u32),
        }
    }
}

impl Text {
    /// A line from 0, without its end.
    fn line(&self, line: u32) -> Option<&str> {
        let start = *self.starts.get(line as usize)?;
        let rest = match self.starts.get(line as usize + 1) {
            Some(&end) => &self.text[start..end - 1],
            None => &self.text[start..],
        };
        Some(rest.trim_end_matches('\r'))
    }

    fn replace(&mut self, range: Range, new: &str) {
        let start = self.offset(range.start);
        let end = self.offset(range.end).max(start);
        // Lines that start in what goes, or right behind it.
        let first = self.starts.partition_point(|&line| line <= start);
        let last = self.starts.partition_point(|&line| line <= end);
        self.text.replace_range(start..end, new);
        for line in &mut self.starts[last..] {
            *line = *line - end + start + new.len();
        }
        self.starts.splice(first..last, line_starts(new, start));
    }

    /// Where a position is, in bytes.
    fn offset(&self, position: Position) -> usize {
        let Some(line) = self.line(position.line) else { return self.text.len() };
        let mut units = 0;
        let is_before = |c: &char| {
            units += c.len_utf16() as u32;
            units <= position.character
        };
        let bytes: usize = line.chars().take_while(is_before).map(char::len_utf8).sum();
        self.starts[position.line as usize] + bytes
    }
}

/// Where lines start in a text that begins at `base`, but for the first.
fn line_starts(text: &str, base: usize) -> impl Iterator<Item = usize> {
    text.match_indices('\n').map(move |(end, _)| base + end + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(start: (u32, u32), end: (u32, u32)) -> Range {
        let position = |(line, character)| Position::new(line, character);
        Range::new(position(start), position(end))
    }

    #[test]
    fn edits_are_in_utf16() {
        let mut texts = Texts::default();
        texts.set("x".to_owned(), "a😀b\r\nc".to_owned());
        assert_eq!(texts.line_length("x", 0), LineLength::Of(4));
        texts.edit("x", range((0, 3), (1, 0)), "\n\n");
        let text = texts.get("x").expect("a text");
        assert_eq!((text.text.as_str(), &text.starts[..]), ("a😀\n\nc", &[0, 6, 7][..]));
        assert_eq!(texts.line_length("x", 2), LineLength::Of(1));
        assert_eq!(texts.line_length("x", 3), LineLength::NoLine);
        // Past the ends, backwards, and within a pair.
        texts.edit("x", range((7, 7), (9, 9)), "!");
        texts.edit("x", range((2, 1), (0, 9)), "?");
        texts.edit("x", range((0, 2), (0, 2)), "|");
        assert_eq!(texts.get("x").map(|text| text.text.as_str()), Some("a|😀\n\nc?!"));
        texts.edit("y", range((0, 0), (0, 0)), "?");
        assert_eq!(texts.line_length("y", 0), LineLength::Unknown);
    }

    proptest! {
        /// After any edits a text is what it would be if it were told as a whole.
        #[test]
        fn edits_leave_what_the_whole_would_be(
            text in "[a😀\r\n]{0,20}",
            edits in prop::collection::vec(((0u32..6, 0u32..6), (0u32..6, 0u32..6), "[b\r\n]{0,4}"), 0..6),
        ) {
            let mut texts = Texts::default();
            texts.set("x".to_owned(), text);
            for (start, end, new) in edits {
                texts.edit("x", range(start, end), &new);
                let edited = texts.get("x").expect("a text");
                let (text, starts) = (edited.text.clone(), edited.starts.clone());
                texts.set("x".to_owned(), text);
                prop_assert_eq!(&texts.get("x").expect("a text").starts, &starts);
            }
        }
    }
}
