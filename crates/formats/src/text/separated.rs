//! Separated values: a line a record; a field that holds the separator, a quote or an end of line
//! stands in quotes.

use memchr::memchr;

use crate::text::lines::Lines;
use crate::{ReadError, Warnings};

/// The records of a text.
pub(crate) struct Records<'a> {
    lines: Lines<'a>,
    separator: u8,
    fields: Fields,
}

/// The fields of a record, without their quotes.
#[derive(Debug, Default)]
struct Fields {
    text: String,
    /// Where each ends in `text`.
    ends: Vec<usize>,
    /// Whether a quote is still to come.
    open: bool,
}

/// One record, until the next is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<'r> {
    fields: &'r Fields,
    /// The line that it starts in, counted from 1.
    pub(crate) line: u64,
    /// Whether the quotes of its last field are closed.
    pub(crate) is_whole: bool,
}

/// A quoted field that goes on for longer is taken as one that nobody closed.
const LONGEST: usize = 16 << 20;

impl<'a> Records<'a> {
    /// Stands before the first record; `separator` is of ASCII.
    pub(crate) fn new(lines: Lines<'a>, separator: u8) -> Self {
        debug_assert!(separator.is_ascii());
        Records { lines, separator, fields: Fields::default() }
    }

    /// The next record; none at the end. Empty lines are not records.
    pub(crate) fn next_record(&mut self) -> Result<Option<Record<'_>>, ReadError> {
        let first = loop {
            let Some(line) = self.lines.next_line()? else { return Ok(None) };
            if !line.text.is_empty() {
                self.fields.start();
                self.fields.push(line.text, self.separator);
                break line.number;
            }
        };
        while self.fields.open && self.fields.text.len() < LONGEST {
            let Some(line) = self.lines.next_line()? else { break };
            self.fields.text.push('\n');
            self.fields.push(line.text, self.separator);
        }
        let is_whole = !self.fields.open;
        if !is_whole {
            self.fields.end();
        }
        Ok(Some(Record { fields: &self.fields, line: first, is_whole }))
    }
}

impl<'a> Records<'a> {
    /// Refuses a text most of whose lines were skipped; see [`Lines::check_skipped`].
    pub(crate) fn check_skipped(
        &self,
        warnings: &Warnings,
        kinds: &[&str],
    ) -> Result<(), ReadError> {
        self.lines.check_skipped(warnings, kinds)
    }
}

impl<'r> Record<'r> {
    /// A field; empty if there is none.
    pub(crate) fn get(&self, index: usize) -> &'r str {
        let Fields { text, ends, .. } = self.fields;
        let start = match index.checked_sub(1) {
            Some(before) => ends.get(before).copied().unwrap_or(text.len()),
            None => 0,
        };
        ends.get(index).map_or("", |&end| &text[start..end])
    }

    /// How many fields there are.
    pub(crate) fn len(&self) -> usize {
        self.fields.ends.len()
    }
}

impl Fields {
    fn start(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.open = false;
    }

    fn end(&mut self) {
        self.ends.push(self.text.len());
        self.open = false;
    }

    /// Takes a line, which begins inside quotes if a field is open.
    fn push(&mut self, line: &str, separator: u8) {
        let mut rest = line;
        loop {
            if !self.open {
                // Trees are drawn with spaces, which some writers leave before the quotes.
                let quoted = rest.trim_start_matches(' ');
                if let Some(quoted) = quoted.strip_prefix('"') {
                    self.text.push_str(&rest[..rest.len() - quoted.len() - 1]);
                    (rest, self.open) = (quoted, true);
                }
            }
            if self.open {
                let Some(quote) = memchr(b'"', rest.as_bytes()) else {
                    self.text.push_str(rest);
                    return;
                };
                self.text.push_str(&rest[..quote]);
                rest = &rest[quote + 1..];
                if let Some(after) = rest.strip_prefix('"') {
                    self.text.push('"');
                    rest = after;
                    continue;
                }
            }
            // What follows a quote is part of the field.
            let Some(at) = memchr(separator, rest.as_bytes()) else {
                self.text.push_str(rest);
                return self.end();
            };
            self.text.push_str(&rest[..at]);
            self.end();
            rest = &rest[at + 1..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::stream::Stream;

    fn records(text: &str, separator: u8) -> Vec<(Vec<String>, u64, bool)> {
        let lines = Lines::new(Stream::in_pieces(text.as_bytes(), 5), "test").unwrap();
        let mut records = Records::new(lines, separator);
        let mut all = vec![];
        while let Some(record) = records.next_record().unwrap() {
            let fields = (0..record.len()).map(|index| record.get(index).to_owned()).collect();
            assert_eq!(record.get(record.len()), "");
            all.push((fields, record.line, record.is_whole));
        }
        all
    }

    #[test]
    fn fields_are_split_and_freed_of_quotes() {
        for (text, separator, expected) in [
            ("a,b,", b',', vec!["a", "b", ""]),
            ("\"a,\"\"b\"\"\",c", b',', vec!["a,\"b\"", "c"]),
            ("  \"f(a;b)\";1", b';', vec!["  f(a;b)", "1"]),
            ("say \"x\",2", b',', vec!["say \"x\"", "2"]),
            ("\"a\"b,c", b',', vec!["ab", "c"]),
            ("\"\",\"\"\"\"", b',', vec!["", "\""]),
            ("\"a\nb\",c", b',', vec!["a\nb", "c"]),
            ("ä\tö", b'\t', vec!["ä", "ö"]),
        ] {
            let found = records(text, separator);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].0, expected, "{text}");
            assert!(found[0].2, "{text}");
        }
    }

    #[test]
    fn records_know_their_lines_and_whether_they_are_whole() {
        let found = records("a\r\n\r\n\"b\nc\"\nd,\"e", b',');
        let lines: Vec<_> = found.iter().map(|&(_, line, is_whole)| (line, is_whole)).collect();
        assert_eq!(lines, [(1, true), (3, true), (5, false)]);
        assert_eq!(found[2].0, ["d", "e"]);
    }
}
