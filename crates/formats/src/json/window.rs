//! The bytes at the cursor, more of which are asked for where a token does not end.

use super::reader::Json;
use crate::ReadError;

/// How much is asked for when a token does not end in the window.
const MORE: usize = 4096;

impl<'a> Json<'a> {
    /// The next bytes: at least `wanted`, or all that are left.
    #[inline]
    pub(super) fn window(&mut self, wanted: usize) -> Result<&[u8], ReadError> {
        if self.stream.window().len() < wanted {
            self.refill(wanted)?;
        }
        Ok(self.stream.window())
    }

    /// Makes the window longer than `seen`; says no if there is no more.
    pub(super) fn look_beyond(&mut self, seen: usize) -> Result<bool, ReadError> {
        // Twice as far each time, so that long tokens are not looked through too often.
        Ok(self.window((seen * 2).max(MORE))?.len() > seen)
    }

    /// The next byte that is not white space, which is not consumed; none at the end.
    #[inline(always)]
    pub(super) fn byte(&mut self) -> Result<Option<u8>, ReadError> {
        match self.stream.window() {
            [byte, ..] if *byte > b' ' => Ok(Some(*byte)),
            _ => self.skip_white_space(),
        }
    }

    /// The first byte of the value at the cursor.
    #[inline(always)]
    pub(super) fn value(&mut self) -> Result<u8, ReadError> {
        match self.byte()? {
            Some(byte) if self.pending => Ok(byte),
            _ => Err(self.no_value()),
        }
    }

    #[cold]
    fn refill(&mut self, wanted: usize) -> Result<(), ReadError> {
        match self.stream.peek(wanted).map(drop) {
            // A container that was cut short.
            Err(ReadError::Truncated { .. }) if self.lenient => {
                self.stream.end_here();
                Ok(())
            }
            result => result,
        }
    }

    #[inline(never)]
    fn skip_white_space(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            let window = self.window(1)?;
            let space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            match window.iter().position(|byte| !space(byte)) {
                Some(at) => {
                    let byte = window[at];
                    self.stream.consume(at);
                    return Ok(Some(byte));
                }
                None if window.is_empty() => return Ok(None),
                None => {
                    let len = window.len();
                    self.stream.consume(len);
                }
            }
        }
    }
}
