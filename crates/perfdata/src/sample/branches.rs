//! Branches that the processor remembers.

use crate::attr::branch;
use crate::bytes::{ByteOrder, Bytes};

/// A branch that the processor remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Branch {
    /// Where it stands.
    pub from: u64,
    /// Where it went.
    pub to: u64,
    /// Whether it was predicted wrongly; none where the processor does not tell.
    pub mispredicted: Option<bool>,
    /// Cycles since the branch before; 0 if unknown.
    pub cycles: u16,
}

/// Branches, the latest first.
#[derive(Debug, Clone, Copy)]
pub struct Branches<'a>(Bytes<'a>);

impl<'a> Branches<'a> {
    pub(super) fn parse(bytes: &mut Bytes<'a>, kind: u64) -> Option<Branches<'a>> {
        let count = bytes.u64()?;
        if kind & branch::HW_INDEX != 0 {
            let _index = bytes.u64()?;
        }
        let entries = bytes.take_u64(count.checked_mul(24)?)?;
        if kind & branch::COUNTERS != 0 {
            bytes.take_u64(count.checked_mul(8)?)?;
        }
        Some(Branches(Bytes::new(entries, bytes.order())))
    }

    /// The branches.
    pub fn iter(&self) -> impl Iterator<Item = Branch> + use<'a> {
        let mut bytes = self.0;
        std::iter::from_fn(move || {
            let (from, to, flags) = (bytes.u64()?, bytes.u64()?, bytes.flags()?);
            let mispredicted = match flags & 0b11 {
                0b01 => Some(true),
                0b10 => Some(false),
                _ => None,
            };
            let cycles = (flags >> 4) as u16;
            let is_little = bytes.order() == ByteOrder::Little;
            let cycles = if is_little { cycles } else { cycles.reverse_bits() };
            Some(Branch { from, to, mispredicted, cycles })
        })
    }
}
