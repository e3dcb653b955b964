//! Numbers and texts as a chunk writes them.

use std::borrow::Cow;

/// Reads a chunk from somewhere in it. Everything is none where the bytes end.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
    /// Whether integers are written in as few bytes as they need.
    pub(super) compressed: bool,
}

/// A text, or the number of one in the pool of texts.
pub(super) enum Text<'b> {
    Here(Cow<'b, str>),
    Pooled(i64),
}

impl<'b> Cursor<'b> {
    pub(super) fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(bytes)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.fixed::<1>().map(|[byte]| byte)
    }

    pub(super) fn short(&mut self) -> Option<i64> {
        if self.compressed {
            return self.varint();
        }
        self.fixed().map(|bytes| i16::from_be_bytes(bytes).into())
    }

    pub(super) fn int(&mut self) -> Option<i64> {
        if self.compressed {
            return self.varint().map(|value| (value as i32).into());
        }
        self.fixed().map(|bytes| i32::from_be_bytes(bytes).into())
    }

    pub(super) fn long(&mut self) -> Option<i64> {
        if self.compressed {
            return self.varint();
        }
        self.fixed().map(i64::from_be_bytes)
    }

    /// Seven bits a byte, lowest first; the ninth byte holds eight.
    #[inline]
    fn varint(&mut self) -> Option<i64> {
        let mut value = 0u64;
        for index in 0..8 {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << (index * 7);
            if byte < 0x80 {
                return Some(value as i64);
            }
        }
        let last = *self.bytes.get(self.at)?;
        self.at += 1;
        Some((value | u64::from(last) << 56) as i64)
    }

    /// A number of things to come.
    pub(super) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.int()?).ok()
    }

    /// A text; none inside where it is null.
    pub(super) fn text(&mut self) -> Option<Option<Text<'b>>> {
        let text = match self.byte()? {
            0 => return Some(None),
            1 => Cow::Borrowed(""),
            2 => return self.long().map(|key| Some(Text::Pooled(key))),
            3 => String::from_utf8_lossy(self.run()?),
            4 => {
                let mut units = vec![];
                for _ in 0..self.count()? {
                    let unit = if self.compressed {
                        self.varint()? as u16
                    } else {
                        u16::from_be_bytes(self.fixed()?)
                    };
                    units.push(unit);
                }
                Cow::Owned(String::from_utf16_lossy(&units))
            }
            5 => Cow::Owned(self.run()?.iter().map(|&byte| char::from(byte)).collect()),
            _ => return None,
        };
        Some(Some(Text::Here(text)))
    }

    /// Steps over a text.
    pub(super) fn skip_text(&mut self) -> Option<()> {
        match self.byte()? {
            0 | 1 => {}
            2 => drop(self.long()?),
            3 | 5 => drop(self.run()?),
            4 => {
                for _ in 0..self.count()? {
                    if self.compressed {
                        self.varint()?;
                    } else {
                        self.fixed::<2>()?;
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn run(&mut self) -> Option<&'b [u8]> {
        let len = self.count()?;
        let bytes = self.bytes.get(self.at..)?.get(..len)?;
        self.at += len;
        Some(bytes)
    }
}
