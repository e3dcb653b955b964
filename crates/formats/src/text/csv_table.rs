//! Tables as comma-separated values (RFC 4180), for programs and spreadsheets.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use csv::{ErrorKind, Terminator, Writer, WriterBuilder};

/// Writes cells from left to right and rows from the top. All tables go through here, so that no
/// text of a profile becomes a formula in a spreadsheet.
#[derive(Debug)]
pub struct CsvTable<W: Write> {
    out: Writer<W>,
}

impl<W: Write> CsvTable<W> {
    /// A table that is written as it comes.
    pub fn new(out: W) -> CsvTable<W> {
        CsvTable { out: WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out) }
    }

    /// A text of whatever origin, quoted where it must be. One that a spreadsheet would take for a
    /// formula gets a quote mark before it, which [`unguarded`] takes away.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.field(&guarded(text))
    }

    /// A number or word of ours.
    pub fn exact(&mut self, value: impl Display) -> io::Result<()> {
        self.field(&value.to_string())
    }

    /// A cell without a value.
    pub fn empty(&mut self) -> io::Result<()> {
        self.field("")
    }

    /// Ends a row; all rows have the same number of cells.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.out.write_record(None::<&[u8]>).map_err(io_error)
    }

    /// Writes what is pending and gives back what the table went to.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        self.out.into_inner().map_err(|error| error.into_error())
    }

    fn field(&mut self, text: &str) -> io::Result<()> {
        self.out.write_field(text).map_err(io_error)
    }
}

/// A closed pipe stays one.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// What spreadsheets take for a formula begins so.
const SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text that looks guarded itself is guarded too, so that each comes back as it was.
fn guarded(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(SIGNS) {
        return format!("'{text}").into();
    }
    text.into()
}

/// The text of a cell that a table has.
pub(crate) fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.trim_start_matches('\'').starts_with(SIGNS) => text,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut table = CsvTable::new(vec![]);
        table.text("x").unwrap();
        table.text(text).unwrap();
        table.end_row().unwrap();
        assert_eq!(
            String::from_utf8(table.finish().unwrap()).unwrap(),
            format!("x,{expected}\r\n")
        );
    }

    #[test]
    fn texts_are_quoted_where_they_must_be() {
        check("plain name", "plain name");
        check("", "");
        check("a,b", "\"a,b\"");
        check("say \"so\"", "\"say \"\"so\"\"\"");
        check("two\r\nlines", "\"two\r\nlines\"");
    }

    #[test]
    fn no_text_is_a_formula() {
        for sign in ["=", "+", "-", "@"] {
            check(&format!("{sign}SUM(A1)"), &format!("'{sign}SUM(A1)"));
        }
        check("=A1,B1", "\"'=A1,B1\"");
        check("\tx", "'\tx");
        check("a=b", "a=b");
        check("'quoted'", "'quoted'");
    }

    #[test]
    fn texts_come_back_as_they_were() {
        for text in ["", "x", "'", "''", "'x", "=1", "'=1", "''=1", "-[NSObject init]", "'-", "\t"]
        {
            assert_eq!(unguarded(&guarded(text)), text);
        }
    }

    #[test]
    fn numbers_keep_their_signs() {
        let mut table = CsvTable::new(vec![]);
        table.exact(-5).unwrap();
        table.empty().unwrap();
        table.exact(i64::MAX).unwrap();
        table.end_row().unwrap();
        assert_eq!(table.finish().unwrap(), b"-5,,9223372036854775807\r\n");
    }

    #[test]
    fn nothing_is_an_empty_table() {
        assert_eq!(CsvTable::new(vec![]).finish().unwrap(), b"");
    }

    #[test]
    fn reports_a_closed_pipe_as_one() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut table = CsvTable::new(Closed);
        table.text("x").unwrap();
        table.end_row().unwrap();
        let error = table.finish().err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
