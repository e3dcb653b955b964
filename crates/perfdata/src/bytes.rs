//! Numbers in the byte order of the machine that recorded.

/// Which byte of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteOrder {
    /// The lowest.
    #[default]
    Little,
    /// The highest.
    Big,
}

/// Bytes that are taken from the front; `None` says that there are too few.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    order: ByteOrder,
}

impl<'a> Bytes<'a> {
    /// Bytes with numbers in `order`.
    pub(crate) fn new(rest: &'a [u8], order: ByteOrder) -> Self {
        Bytes { rest, order }
    }

    /// What was not taken yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The byte order.
    pub(crate) fn order(&self) -> ByteOrder {
        self.order
    }

    /// The next `count` bytes.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// The next `count` bytes, where the count came from the file.
    pub(crate) fn take_u64(&mut self, count: u64) -> Option<&'a [u8]> {
        self.take(usize::try_from(count).ok()?)
    }

    /// The same from another place.
    pub(crate) fn after(&self, skipped: usize) -> Option<Bytes<'a>> {
        Some(Bytes { rest: self.rest.get(skipped..)?, order: self.order })
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }

    /// 8 bits.
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// 16 bits.
    pub(crate) fn u16(&mut self) -> Option<u16> {
        let bytes = self.array()?;
        Some(match self.order {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        })
    }

    /// 32 bits.
    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        let bytes = self.array()?;
        Some(match self.order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        })
    }

    /// 32 bits with a sign.
    pub(crate) fn i32(&mut self) -> Option<i32> {
        self.u32().map(u32::cast_signed)
    }

    /// 64 bits.
    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        let bytes = self.array()?;
        Some(match self.order {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        })
    }

    /// 64 bits of flags, the first declared as bit 0: compilers for big-endian machines fill bit
    /// fields from the other end of each byte.
    pub(crate) fn flags(&mut self) -> Option<u64> {
        let bytes: [u8; 8] = self.array()?;
        Some(match self.order {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_le_bytes(bytes.map(u8::reverse_bits)),
        })
    }

    /// Text up to a NUL, which is taken with it, or up to the end.
    pub(crate) fn text(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(|&byte| byte == 0);
        let text = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = &self.rest[end.map_or(self.rest.len(), |end| end + 1)..];
        text
    }

    /// A text of the header: its length with padding, then the text, which NULs fill up.
    pub(crate) fn header_text(&mut self) -> Option<String> {
        let length = self.u32()?;
        let bytes = self.take_u64(length.into())?;
        Some(lossy(Bytes::new(bytes, self.order).text()))
    }

    /// How many entries of at least `size` bytes there may be, where the file says `count`.
    pub(crate) fn at_most(&self, count: u32, size: usize) -> Option<usize> {
        let count = count as usize;
        (count.checked_mul(size)? <= self.rest.len()).then_some(count)
    }

    /// Texts of the header with their number before them.
    pub(crate) fn header_texts(&mut self) -> Option<Vec<String>> {
        let count = self.u32()?;
        (0..self.at_most(count, 4)?).map(|_| self.header_text()).collect()
    }
}

/// Text of a file, repaired where it is not UTF-8.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
