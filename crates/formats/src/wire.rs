//! The protobuf wire format, as far as profiles need it.

use crate::input::stream::Stream;
use crate::{Place, ReadError};

/// A field's payload.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Payload<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    Fixed32(u32),
    Fixed64(u64),
}

/// Why bytes are not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WireError {
    /// Offset in the message.
    pub(crate) offset: usize,
    pub(crate) reason: &'static str,
}

/// Walks the fields of a message.
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Fields { bytes, position: 0 }
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Steps over the next field; its length, if it is sound.
    pub(crate) fn skip(mut self) -> Option<usize> {
        self.next().ok().flatten().map(|_| self.position)
    }

    /// The next field's number and payload.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Payload<'a>)>, WireError> {
        if self.position == self.bytes.len() {
            return Ok(None);
        }
        let start = self.position;
        let error = |reason| WireError { offset: start, reason };
        let tag =
            varint(self.bytes, &mut self.position).ok_or(error("a field tag is cut short"))?;
        let cut = error("a field is cut short");
        let payload = match tag & 7 {
            0 => Payload::Varint(varint(self.bytes, &mut self.position).ok_or(cut)?),
            2 => {
                let len = varint(self.bytes, &mut self.position).ok_or(cut)?;
                let rest = &self.bytes[self.position..];
                let bytes = usize::try_from(len).ok().and_then(|len| rest.get(..len)).ok_or(cut)?;
                self.position += bytes.len();
                Payload::Bytes(bytes)
            }
            1 => Payload::Fixed64(u64::from_le_bytes(self.fixed().ok_or(cut)?)),
            5 => Payload::Fixed32(u32::from_le_bytes(self.fixed().ok_or(cut)?)),
            _ => return Err(error("a field has an invalid wire type")),
        };
        match tag >> 3 {
            0 => Err(error("a field has the number 0")),
            number => Ok(Some((number, payload))),
        }
    }

    fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.bytes.get(self.position..)?.first_chunk()?;
        self.position += N;
        Some(*bytes)
    }
}

/// The varint at `position`; none if it is cut short or longer than ten bytes. Bits above the
/// 64th are dropped, as the specification has it.
#[inline]
pub(crate) fn varint(bytes: &[u8], position: &mut usize) -> Option<u64> {
    let first = *bytes.get(*position)?;
    *position += 1;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let byte = *bytes.get(*position)?;
        *position += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// A repeated integer field, packed or not: calls `each` for every element.
pub(crate) fn repeated(payload: Payload<'_>, mut each: impl FnMut(u64)) -> Result<(), WireError> {
    match payload {
        Payload::Varint(value) => each(value),
        Payload::Bytes(bytes) => {
            let mut position = 0;
            while position < bytes.len() {
                let offset = position;
                let reason = "a packed number is cut short";
                each(varint(bytes, &mut position).ok_or(WireError { offset, reason })?);
            }
        }
        Payload::Fixed32(value) => each(value.into()),
        Payload::Fixed64(value) => each(value),
    }
    Ok(())
}

/// Number and wire type of the stream's next field, where its payload starts, and the payload's length.
pub(crate) fn next_field(
    stream: &mut Stream,
    format: &'static str,
) -> Result<Option<(u64, u64, usize, usize)>, ReadError> {
    /// A tag, and a length or an integer, at ten bytes each.
    const MOST_BYTES: usize = 20;
    let place = stream.place();
    let head = stream.peek(MOST_BYTES)?;
    if head.is_empty() {
        return Ok(None);
    }
    let malformed =
        |reason: &str| ReadError::Malformed { format, place, reason: reason.to_owned() };
    let cut = || {
        if head.len() < MOST_BYTES {
            ReadError::Truncated {
                format,
                place: Place(place.0 + head.len() as u64),
                reason: "in the middle of a field".to_owned(),
            }
        } else {
            malformed("a number longer than ten bytes")
        }
    };
    let mut start = 0;
    let tag = varint(head, &mut start).ok_or_else(cut)?;
    let (field, wire) = (tag >> 3, tag & 7);
    if field == 0 {
        return Err(malformed("a field has the number 0"));
    }
    let len = match wire {
        0 => {
            let mut end = start;
            varint(head, &mut end).ok_or_else(cut)?;
            end - start
        }
        1 => 8,
        2 => {
            let len = varint(head, &mut start).ok_or_else(cut)?;
            let most = (usize::MAX / 2) as u64;
            if len > most {
                return Err(malformed("a length of more than 2^63 bytes"));
            }
            len as usize
        }
        5 => 4,
        _ => return Err(malformed("a field has an invalid wire type")),
    };
    Ok(Some((field, wire, start, len)))
}

/// A signed number as protobuf's sint types write it: small magnitudes are small.
pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The number that [`zigzag`] wrote.
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Writes messages.
#[derive(Debug, Default)]
pub(crate) struct MessageWriter {
    pub(crate) bytes: Vec<u8>,
}

impl MessageWriter {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn put_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// An integer field; zero is the default and is left out.
    pub(crate) fn integer(&mut self, field: u64, value: u64) {
        if value != 0 {
            self.put_varint(field << 3);
            self.put_varint(value);
        }
    }

    /// A signed integer field in zigzag form; zero is left out.
    pub(crate) fn signed(&mut self, field: u64, value: i64) {
        self.integer(field, zigzag(value));
    }

    /// A field of eight bytes.
    pub(crate) fn fixed64(&mut self, field: u64, value: u64) {
        self.put_varint(field << 3 | 1);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// A text field; the empty text is left out.
    pub(crate) fn text(&mut self, field: u64, value: &str) {
        if !value.is_empty() {
            self.bytes(field, value.as_bytes());
        }
    }

    pub(crate) fn bytes(&mut self, field: u64, value: &[u8]) {
        self.put_varint(field << 3 | 2);
        self.put_varint(value.len() as u64);
        self.bytes.extend_from_slice(value);
    }

    pub(crate) fn packed(&mut self, field: u64, values: impl Iterator<Item = u64>) {
        let mut inner = MessageWriter::default();
        values.for_each(|value| inner.put_varint(value));
        if !inner.bytes.is_empty() {
            self.bytes(field, &inner.bytes);
        }
    }
}
