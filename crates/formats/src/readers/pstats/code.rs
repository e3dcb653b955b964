//! Code objects, which Python's own `profile` has for a name where it ran compiled code: as
//! `python -m profile` does.

use std::rc::Rc;

use super::marshal::{Marshal, REFERENCED, Value, malformed};
use crate::ReadError;

/// No function has more bytes of code than this; what claims to have is something else.
const MOST_CODE: i32 = 1 << 24;

impl Marshal<'_> {
    /// Reads a code object behind its type, and gives what it is called.
    ///
    /// Files do not tell their version of Python. The first is a number of 32-bit integers: 4 up to
    /// Python 2.7, 5 up to 3.7 and from 3.11, 6 between. The code behind them is bytes, whose length
    /// tells it from an integer. From 3.11 there are kinds of variables, as bytes, where there
    /// were names of free ones before.
    pub(super) fn code(&mut self, depth: usize) -> Result<Value, ReadError> {
        let place = self.stream.place();
        let unknown = || malformed(place, "a code object is of no known version of Python");
        let head = self.stream.peek(6 * 4 + 5)?;
        let is_code = |integers: &usize| {
            let Some([kind, length @ ..]) =
                head.get(integers * 4..).and_then(|rest| rest.first_chunk::<5>())
            else {
                return false;
            };
            kind & !REFERENCED == b's' && (0..MOST_CODE).contains(&i32::from_le_bytes(*length))
        };
        let integers = (4..=6).find(is_code).ok_or_else(unknown)?;
        self.stream.consume(integers * 4);
        // Code, constants, names, names of variables.
        for _ in 0..4 {
            self.value(depth + 1)?;
        }
        // Kinds of variables; or the free ones, and then those that functions within use.
        let is_new = matches!(self.value(depth + 1)?, Value::Text(_));
        if !is_new {
            self.value(depth + 1)?;
        }
        let _file = self.value(depth + 1)?;
        let Value::Text(name) = self.value(depth + 1)? else { return Err(unknown()) };
        if is_new {
            let _qualified = self.value(depth + 1)?;
        }
        let _first_line: [u8; 4] = self.take()?;
        // Lines of instructions; where exceptions lead.
        for _ in 0..if is_new { 2 } else { 1 } {
            self.value(depth + 1)?;
        }
        Ok(Value::Text(Rc::from(format!("<code object {name}>"))))
    }
}
