//! Registers of a moment.

use crate::bytes::Bytes;

/// Registers by their numbers in a mask.
#[derive(Debug, Clone, Copy)]
pub struct Registers<'a> {
    /// Whether they are those of a 64-bit program.
    pub is_64_bit: bool,
    mask: u64,
    words: Bytes<'a>,
}

impl<'a> Registers<'a> {
    /// The registers, none where the thread had none, as in the kernel.
    #[expect(clippy::option_option, reason = "the outer one says that bytes are missing")]
    pub(super) fn parse(bytes: &mut Bytes<'a>, mask: u64) -> Option<Option<Registers<'a>>> {
        let abi = bytes.u64()?;
        if abi == 0 {
            return Some(None);
        }
        let words = bytes.take(mask.count_ones() as usize * 8)?;
        let words = Bytes::new(words, bytes.order());
        Some(Some(Registers { is_64_bit: abi == 2, mask, words }))
    }

    /// Which registers there are, by bits of their numbers.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// Their values, in the order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = u64> + use<'a> {
        let mut words = self.words;
        std::iter::from_fn(move || words.u64())
    }

    /// A register by its number in `enum perf_event_*_regs` of the architecture.
    pub fn get(&self, number: u32) -> Option<u64> {
        let bit = 1u64.checked_shl(number)?;
        let before = (self.mask & (bit - 1)).count_ones() as usize;
        (self.mask & bit != 0).then(|| self.words.after(before * 8)?.u64()).flatten()
    }
}
