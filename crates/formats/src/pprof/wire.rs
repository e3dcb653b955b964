//! The protobuf wire format, as far as profiles need it.

/// A field's payload.
#[derive(Debug, Clone, Copy)]
pub(super) enum Payload<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    /// Fixed 32- or 64-bit: profile.proto has none, so it can only be an unknown field.
    Fixed,
}

/// Why bytes are not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WireError {
    /// Offset in the message.
    pub(super) offset: usize,
    pub(super) reason: &'static str,
}

/// Walks the fields of a message.
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Fields { bytes, position: 0 }
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Steps over the next field; its length, if it is sound.
    pub(super) fn skip(mut self) -> Option<usize> {
        self.next().ok().flatten().map(|_| self.position)
    }

    /// The next field's number and payload.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(u64, Payload<'a>)>, WireError> {
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
            wire @ (1 | 5) => {
                self.position += if wire == 1 { 8 } else { 4 };
                if self.position > self.bytes.len() {
                    return Err(cut);
                }
                Payload::Fixed
            }
            _ => return Err(error("a field has an invalid wire type")),
        };
        match tag >> 3 {
            0 => Err(error("a field has the number 0")),
            number => Ok(Some((number, payload))),
        }
    }
}

/// The varint at `position`; none if it is cut short or longer than ten bytes. Bits above the
/// 64th are dropped, as the specification has it.
#[inline]
pub(super) fn varint(bytes: &[u8], position: &mut usize) -> Option<u64> {
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
pub(super) fn repeated(payload: Payload<'_>, mut each: impl FnMut(u64)) -> Result<(), WireError> {
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
        Payload::Fixed => {}
    }
    Ok(())
}

/// Writes messages.
#[derive(Debug, Default)]
pub(super) struct MessageWriter {
    pub(super) bytes: Vec<u8>,
}

impl MessageWriter {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(super) fn put_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// An integer field; zero is the default and is left out.
    pub(super) fn integer(&mut self, field: u64, value: u64) {
        if value != 0 {
            self.put_varint(field << 3);
            self.put_varint(value);
        }
    }

    pub(super) fn bytes(&mut self, field: u64, value: &[u8]) {
        self.put_varint(field << 3 | 2);
        self.put_varint(value.len() as u64);
        self.bytes.extend_from_slice(value);
    }

    pub(super) fn packed(&mut self, field: u64, values: impl Iterator<Item = u64>) {
        let mut inner = MessageWriter::default();
        values.for_each(|value| inner.put_varint(value));
        if !inner.bytes.is_empty() {
            self.bytes(field, &inner.bytes);
        }
    }
}
