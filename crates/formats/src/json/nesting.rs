//! Into objects and arrays, from member to member, and out of them.

use super::kind::Kind;
use super::reader::{Json, MOST_NESTED, Open};
use super::scan;
use crate::ReadError;

impl<'a> Json<'a> {
    /// Enters an object.
    pub(crate) fn object(&mut self) -> Result<(), ReadError> {
        self.enter(b'{', b'}', Kind::Object)
    }

    /// The key of the next member of the object, or none where the object ends, which is then
    /// left. A value that was not read is skipped.
    pub(crate) fn next_key(&mut self) -> Result<Option<&str>, ReadError> {
        if self.pending {
            self.skip()?;
        }
        // Mostly, it is all here and plain.
        if let Some(open) = self.open.last_mut()
            && open.close == b'}'
            && let Some((raw, len)) = scan::plain_key(self.stream.window(), open.members == 0)
            && let Ok(key) = std::str::from_utf8(raw)
        {
            self.keys.truncate(open.key);
            self.keys.push_str(key);
            open.members += 1;
            self.stream.consume(len);
            self.pending = true;
            return Ok(Some(&self.keys[open.key..]));
        }
        self.any_key()
    }

    /// Enters an array.
    pub(crate) fn array(&mut self) -> Result<(), ReadError> {
        self.enter(b'[', b']', Kind::Array)
    }

    /// Enters an object, if one comes next; else skips what comes and says no.
    pub(crate) fn try_object(&mut self) -> Result<bool, ReadError> {
        self.try_enter(Kind::Object, Json::object)
    }

    /// Enters an array, if one comes next; else skips what comes and says no.
    pub(crate) fn try_array(&mut self) -> Result<bool, ReadError> {
        self.try_enter(Kind::Array, Json::array)
    }

    /// Goes to the next element of the array, or leaves the array and says no where it ends. An
    /// element that was not read is skipped.
    pub(crate) fn next_element(&mut self) -> Result<bool, ReadError> {
        if self.pending {
            self.skip()?;
        }
        if let Some(open) = self.open.last_mut()
            && open.close == b']'
            && let Some(len) = scan::element(self.stream.window(), open.members == 0)
        {
            open.members += 1;
            self.stream.consume(len);
            self.pending = true;
            return Ok(true);
        }
        self.pending = self.next_member(b']')?;
        Ok(self.pending)
    }

    /// Leaves the object or array at the cursor, skipping what is left of it.
    pub(crate) fn leave(&mut self) -> Result<(), ReadError> {
        if self.pending {
            self.skip()?;
        }
        let Some(open) = self.open.last() else { return Ok(()) };
        if self.cut.is_none() {
            let close = open.close;
            self.skip_nested(close)?;
        }
        self.close();
        Ok(())
    }

    #[inline(never)]
    fn any_key(&mut self) -> Result<Option<&str>, ReadError> {
        if !self.next_member(b'}')? {
            return Ok(None);
        }
        if self.byte()? != Some(b'"') {
            return Err(self.unexpected("a key"));
        }
        let (end, escaped) = self.string_end()?;
        let key = self.open.last().map_or(0, |open| open.key);
        self.keys.truncate(key);
        let raw = &self.stream.take(end + 1)[1..end];
        match std::str::from_utf8(raw) {
            Ok(text) if !escaped => self.keys.push_str(text),
            _ => scan::decode_string(raw, &mut self.keys),
        }
        if self.byte()? != Some(b':') {
            return Err(self.unexpected("a colon"));
        }
        self.stream.consume(1);
        self.pending = true;
        Ok(Some(&self.keys[key..]))
    }

    fn try_enter(
        &mut self,
        wanted: Kind,
        enter: fn(&mut Self) -> Result<(), ReadError>,
    ) -> Result<bool, ReadError> {
        if self.kind()? == wanted {
            enter(self)?;
            return Ok(true);
        }
        self.skip()?;
        Ok(false)
    }

    fn enter(&mut self, open: u8, close: u8, kind: Kind) -> Result<(), ReadError> {
        if self.value()? != open {
            return Err(self.mismatch(kind.name()));
        }
        if self.open.len() == MOST_NESTED {
            return Err(self.too_nested());
        }
        self.stream.consume(1);
        self.open.push(Open { close, key: self.keys.len(), members: 0 });
        self.pending = false;
        Ok(())
    }

    /// Goes to the next member of what `close` closes, or leaves it and says no.
    #[inline(never)]
    fn next_member(&mut self, close: u8) -> Result<bool, ReadError> {
        let Some(open) = self.open.last_mut().filter(|open| open.close == close) else {
            debug_assert!(false, "asked for members outside of their object or array");
            return Err(self.unexpected("another nesting"));
        };
        let first = open.members == 0;
        open.members += 1;
        if self.cut.is_some() {
            self.close();
            return Ok(false);
        }
        let mut next = self.byte()?;
        let mut separated = first;
        // Some writers put the comma before each element, the first included.
        if next == Some(b',') && (!first || self.lenient && close == b']') {
            self.stream.consume(1);
            next = self.byte()?;
            separated = true;
        }
        match next {
            Some(byte) if byte == close && (first || !separated || self.lenient) => {
                self.stream.consume(1);
                self.close();
                Ok(false)
            }
            Some(byte) if separated && byte != close => Ok(true),
            Some(_) if separated => Err(self.unexpected("another member after the comma")),
            Some(_) => Err(self.unexpected(match close {
                b'}' => "a comma or a closing brace",
                _ => "a comma or a closing bracket",
            })),
            None if self.lenient && (close == b']' || self.open.len() == 1) => {
                self.cut_here();
                self.close();
                Ok(false)
            }
            None => Err(self.truncated()),
        }
    }

    /// Forgets the innermost of what is open.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.keys.truncate(open.key);
        }
        self.pending = false;
    }
}
