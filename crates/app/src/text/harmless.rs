//! The last look at what goes to a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use session::visible;

/// Writes text for people: whatever a profile says, nothing but our own colours and ends of lines
/// controls the terminal. Names are made [`visible`] where they are put into a line, because a
/// line break in one would begin a line of its own; this holds for what was forgotten.
pub(crate) struct Harmless<W: Write> {
    out: W,
    /// An escape sequence of which the end is yet to come.
    pending: String,
}

/// Bold, dim, their end, and the colours that we use.
const STYLES: [&str; 9] = ["0", "1", "2", "22", "31", "32", "33", "36", "39"];
/// Longer ones are none of ours.
const LONGEST_SEQUENCE: usize = 8;

impl<W: Write> Harmless<W> {
    pub(crate) fn new(out: W) -> Harmless<W> {
        Harmless { out, pending: String::new() }
    }

    fn push(&mut self, c: char) -> io::Result<()> {
        if self.pending.is_empty() {
            return match c {
                '\u{1b}' => {
                    self.pending.push(c);
                    Ok(())
                }
                '\n' => self.out.write_all(b"\n"),
                c => self.out.write_all(visible(c.encode_utf8(&mut [0; 4])).as_bytes()),
            };
        }
        let goes_on = match self.pending.len() {
            1 => c == '[',
            len => len < LONGEST_SEQUENCE && (c.is_ascii_digit() || c == 'm'),
        };
        if !goes_on {
            self.give_up()?;
            return self.push(c);
        }
        self.pending.push(c);
        if c == 'm' {
            let sequence = std::mem::take(&mut self.pending);
            let code = &sequence[2..sequence.len() - 1];
            return if STYLES.contains(&code) {
                self.out.write_all(sequence.as_bytes())
            } else {
                self.out.write_all(visible(&sequence).as_bytes())
            };
        }
        Ok(())
    }

    /// What began like an escape sequence of ours is none.
    fn give_up(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.out.write_all(visible(&pending).as_bytes())
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Texts come whole: no character is cut.
        for c in String::from_utf8_lossy(bytes).chars() {
            self.push(c)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.give_up()?;
        self.out.flush()
    }
}

/// A message of several lines, harmless but for their ends.
pub(crate) fn visible_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<Cow<'_, str>>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[&str], expected: &str) {
        let mut out = Harmless::new(vec![]);
        for piece in pieces {
            write!(out, "{piece}").unwrap();
        }
        out.flush().unwrap();
        assert_eq!(String::from_utf8(out.out).unwrap(), expected);
    }

    #[test]
    fn our_own_styles_pass_in_any_pieces() {
        let styled = console::style("total").bold().dim().force_styling(true).to_string();
        assert!(styled.starts_with('\u{1b}'));
        check(&[&styled, "\n"], &format!("{styled}\n"));
        check(&["\u{1b}", "[", "1", "m", "x", "\u{1b}[", "0m"], "\u{1b}[1mx\u{1b}[0m");
    }

    #[test]
    fn nothing_else_passes() {
        check(&["a\u{1b}]0;owned\u{7}\r\u{9b}2J"], "a\\u{1b}]0;owned\\u{7}\\r\\u{9b}2J");
        check(&["\u{1b}[8mhidden", "\u{1b}[2J", "\u{1b}"], "\\u{1b}[8mhidden\\u{1b}[2J\\u{1b}");
        check(&["\u{1b}[1\u{1b}[1mx"], "\\u{1b}[1\u{1b}[1mx");
        check(&["é 漢 🦀\u{202e}"], "é 漢 🦀\\u{202e}");
    }
}
