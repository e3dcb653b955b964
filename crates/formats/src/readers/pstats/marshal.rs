//! Python's `marshal`, as far as these files use it.

use std::rc::Rc;

use super::FORMAT;
use crate::input::stream::Stream;
use crate::{Place, ReadError};

/// Flag of a type byte: the object is named again later.
pub(super) const REFERENCED: u8 = 0x80;

/// A value of the kinds that profiles are made of.
#[derive(Debug, Clone)]
pub(super) enum Value {
    None,
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    Tuple(Rc<[Value]>),
    Dictionary(Rc<[(Value, Value)]>),
}

/// Reads marshalled values.
pub(super) struct Marshal<'a> {
    pub(super) stream: Stream<'a>,
    /// Objects that later ones name by number; none while one is being read.
    pub(super) references: Vec<Option<Value>>,
    /// Python 2's own table of interned texts.
    pub(super) texts: Vec<Rc<str>>,
    /// Bytes that the tables hold, roughly.
    pub(super) bytes: usize,
}

/// Values inside values; profiles have four, and code has that of all functions within.
const MOST_NESTED: usize = 64;

impl Marshal<'_> {
    /// Steps into the dictionary that the file is.
    pub(super) fn dictionary(&mut self) -> Result<(), ReadError> {
        let kind = self.byte()?;
        if kind & REFERENCED != 0 {
            self.references.push(None);
        }
        match kind & !REFERENCED {
            b'{' => Ok(()),
            _ => Err(malformed(self.stream.place(), "it is not a dictionary")),
        }
    }

    /// The next key and value of a dictionary; none at its end.
    pub(super) fn entry(&mut self) -> Result<Option<(Value, Value)>, ReadError> {
        if self.stream.peek(1)?.first() == Some(&b'0') {
            self.stream.consume(1);
            return Ok(None);
        }
        let key = self.value(1)?;
        Ok(Some((key, self.value(1)?)))
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<Value, ReadError> {
        let place = self.stream.place();
        let kind = self.byte()?;
        if depth > MOST_NESTED {
            return Err(malformed(place, "values are nested deeper than in any profile"));
        }
        // Numbers are given out in the order in which objects start.
        let reference = (kind & REFERENCED != 0).then(|| {
            self.references.push(None);
            self.bytes += size_of::<Option<Value>>();
            self.references.len() - 1
        });
        let value = match kind & !REFERENCED {
            b'N' | b'F' | b'.' | b'S' => Value::None,
            b'T' => Value::Int(1),
            b'i' => Value::Int(i32::from_le_bytes(self.take()?).into()),
            b'I' => Value::Int(i64::from_le_bytes(self.take()?)),
            b'l' => self.long()?.map_or(Value::None, Value::Int),
            b'g' => Value::Float(f64::from_le_bytes(self.take()?)),
            b'f' => {
                let number = self.short_text()?.trim().parse();
                Value::Float(number.map_err(|_| malformed(place, "a number is not one"))?)
            }
            b'x' => {
                drop((self.short_text()?, self.short_text()?));
                Value::None
            }
            b'y' => {
                drop((self.text(8)?, self.text(8)?));
                Value::None
            }
            b'z' | b'Z' => Value::Text(self.short_text()?),
            b'a' | b'A' | b'u' | b's' => {
                let len = self.length(place)?;
                Value::Text(self.text(len)?)
            }
            b't' => {
                let len = self.length(place)?;
                let text = self.text(len)?;
                self.texts.push(text.clone());
                Value::Text(text)
            }
            b'R' => {
                let number = self.length(place)?;
                let known = self.texts.get(number).cloned();
                Value::Text(known.ok_or_else(|| malformed(place, "a text is not defined"))?)
            }
            b'r' => {
                let number = self.length(place)?;
                let known = self.references.get(number).cloned().flatten();
                return known.ok_or_else(|| malformed(place, "a reference leads nowhere"));
            }
            b')' => {
                let len = usize::from(self.byte()?);
                self.tuple(len, depth)?
            }
            b'(' | b'[' | b'<' | b'>' => {
                let len = self.length(place)?;
                self.tuple(len, depth)?
            }
            b'{' => {
                let mut entries = vec![];
                while self.stream.peek(1)?.first() != Some(&b'0') {
                    let key = self.value(depth + 1)?;
                    entries.push((key, self.value(depth + 1)?));
                }
                self.stream.consume(1);
                Value::Dictionary(entries.into())
            }
            b'c' => self.code(depth)?,
            other => {
                let reason = format!("the type {:?} is in no profile", char::from(other));
                return Err(malformed(place, &reason));
            }
        };
        if let Some(reference) = reference {
            self.references[reference] = Some(value.clone());
        }
        Ok(value)
    }

    fn tuple(&mut self, len: usize, depth: usize) -> Result<Value, ReadError> {
        let mut parts = vec![];
        for _ in 0..len {
            parts.push(self.value(depth + 1)?);
        }
        Ok(Value::Tuple(parts.into()))
    }

    fn length(&mut self, place: Place) -> Result<usize, ReadError> {
        let len = i32::from_le_bytes(self.take()?);
        usize::try_from(len).map_err(|_| malformed(place, "a length is negative"))
    }

    /// Digits of 15 bits, lowest first; their number is negative for a negative integer. None of more
    /// than 64 bits, as only constants of code are.
    fn long(&mut self) -> Result<Option<i64>, ReadError> {
        let len = i32::from_le_bytes(self.take()?);
        let mut magnitude = Some(0i128);
        for digit in 0..len.unsigned_abs() {
            let bits = i128::from(u16::from_le_bytes(self.take()?) & 0x7fff);
            if digit * 15 < 75 {
                magnitude = magnitude.map(|low| low | bits << (digit * 15));
            } else if bits != 0 {
                magnitude = None;
            }
        }
        let value = magnitude.map(|magnitude| if len < 0 { -magnitude } else { magnitude });
        Ok(value.and_then(|value| i64::try_from(value).ok()))
    }

    fn short_text(&mut self) -> Result<Rc<str>, ReadError> {
        let len = usize::from(self.byte()?);
        self.text(len)
    }

    fn text(&mut self, len: usize) -> Result<Rc<str>, ReadError> {
        let bytes = self.stream.peek(len)?;
        let Some(bytes) = bytes.get(..len) else { return Err(self.cut()) };
        let text = String::from_utf8_lossy(bytes).into();
        self.stream.consume(len);
        self.bytes += len + 40;
        Ok(text)
    }

    fn byte(&mut self) -> Result<u8, ReadError> {
        let [byte] = self.take()?;
        Ok(byte)
    }

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let Some(&bytes) = self.stream.peek(N)?.first_chunk() else { return Err(self.cut()) };
        self.stream.consume(N);
        Ok(bytes)
    }

    fn cut(&mut self) -> ReadError {
        let place = self.stream.place();
        let left = self.stream.peek(1).map_or(0, <[u8]>::len);
        ReadError::Truncated {
            format: FORMAT.name,
            place: Place(place.0 + left as u64),
            reason: "in the middle of a value".to_owned(),
        }
    }
}

pub(super) fn malformed(place: Place, reason: &str) -> ReadError {
    ReadError::Malformed { format: FORMAT.name, place, reason: reason.to_owned() }
}
