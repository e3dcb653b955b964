//! Past what nobody reads: only quotes and brackets are looked at.

use super::reader::{Json, MOST_NESTED};
use super::scan;
use crate::ReadError;

impl<'a> Json<'a> {
    /// Skips a value of any kind.
    pub(crate) fn skip(&mut self) -> Result<(), ReadError> {
        match self.value()? {
            b'"' => {
                self.stream.consume(1);
                self.skip_string()?;
            }
            b'{' => {
                self.stream.consume(1);
                self.skip_nested(b'}')?;
            }
            b'[' => {
                self.stream.consume(1);
                self.skip_nested(b']')?;
            }
            _ => {
                self.kind()?;
                let len = self.word_len()?;
                self.stream.consume(len);
            }
        }
        self.pending = false;
        Ok(())
    }

    /// Skips the rest of a string.
    fn skip_string(&mut self) -> Result<(), ReadError> {
        loop {
            let window = self.window(1)?;
            let (passed, ended) = scan::string_rest(window);
            self.stream.consume(passed);
            if ended {
                return Ok(());
            }
            // Nothing is left, or a backslash whose escaped byte is still to come.
            let left = self.stream.window().len();
            if !self.look_beyond(left)? {
                return Err(self.truncated());
            }
        }
    }

    /// Skips up to and including the bracket that closes what `close` closes.
    pub(super) fn skip_nested(&mut self, close: u8) -> Result<(), ReadError> {
        let mut closers = std::mem::take(&mut self.closers);
        closers.clear();
        closers.push(close);
        let result = self.skip_closers(&mut closers);
        self.closers = closers;
        result
    }

    fn skip_closers(&mut self, closers: &mut Vec<u8>) -> Result<(), ReadError> {
        loop {
            let window = self.window(1)?;
            if window.is_empty() {
                return Err(self.truncated());
            }
            let mut at = 0;
            let mut open_string = false;
            while let Some(step) = scan::quote_or_bracket(&window[at..]) {
                let byte = window[at + step];
                at += step + 1;
                match byte {
                    b'"' => {
                        let (passed, ended) = scan::string_rest(&window[at..]);
                        at += passed;
                        if !ended {
                            open_string = true;
                            break;
                        }
                    }
                    b'{' | b'[' if closers.len() == MOST_NESTED => {
                        self.stream.consume(at);
                        return Err(self.too_nested());
                    }
                    b'{' => closers.push(b'}'),
                    b'[' => closers.push(b']'),
                    _ if closers.pop() != Some(byte) => {
                        self.stream.consume(at - 1);
                        return Err(self.unexpected("another bracket"));
                    }
                    _ if closers.is_empty() => {
                        self.stream.consume(at);
                        return Ok(());
                    }
                    _ => {}
                }
            }
            if open_string {
                self.stream.consume(at);
                self.skip_string()?;
            } else {
                let len = window.len();
                self.stream.consume(len);
            }
        }
    }
}
