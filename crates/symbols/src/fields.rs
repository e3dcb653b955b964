//! Numbers out of bytes, in the order and width that a header states.

/// A cursor over bytes. Every read says whether the bytes are there.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    big_endian: bool,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8], big_endian: bool) -> Self {
        Self { rest: bytes, big_endian }
    }

    /// The next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(head)
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        let bytes = self.bytes(2)?.try_into().ok()?;
        Some(if self.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        let bytes = self.bytes(4)?.try_into().ok()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        let bytes = self.bytes(8)?.try_into().ok()?;
        Some(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A number that is 64 bits wide in files of 64 bits, else 32.
    pub(crate) fn word(&mut self, is_64: bool) -> Option<u64> {
        if is_64 { self.u64() } else { self.u32().map(u64::from) }
    }
}

/// The text from `offset` to the next NUL in a table of strings.
pub(crate) fn string_at(table: &[u8], offset: usize) -> Option<&[u8]> {
    let rest = table.get(offset..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(&rest[..end])
}
