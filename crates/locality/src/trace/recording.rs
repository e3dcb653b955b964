//! Recorded accesses that are kept, to be gone through again and again.

use rustc_hash::FxHashMap;

use super::{Access, Line};

/// More accesses are not kept: each takes 8 bytes. One that reads and then writes is one.
pub const MOST_RECORDED: u64 = 1 << 25;

/// More pages of memory are not told apart: 16 GiB.
const MOST_PAGES: usize = 1 << 22;

/// Addresses beyond are not a program's.
const MOST_ADDRESS: u64 = 1 << 52;

/// Bits of an address within a page of 4 KiB.
const PAGE_BITS: u32 = 12;
const IN_PAGE: u64 = (1 << PAGE_BITS) - 1;

/// Why accesses are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// There are too many.
    #[error(
        "it has {0} accesses to data, and {MOST_RECORDED} are kept at most; record a shorter run, or count it by \
         `hotframe sdfg simulate`, which keeps none"
    )]
    Long(u64),
    /// They are too far apart.
    #[error(
        "it touches more than {MOST_PAGES} pages of 4 KiB, too many to tell apart; record a smaller run, or \
         count it by `hotframe sdfg simulate`"
    )]
    Wide,
    /// An address that no program has.
    #[error(
        "it accesses {0:#x}: addresses up to {MOST_ADDRESS:#x} can be told apart here; `hotframe sdfg simulate` \
         takes others"
    )]
    Far(u64),
}

/// Accesses in their order, 8 bytes each.
#[derive(Debug, Default)]
pub struct Recording {
    /// From the highest bits: the number of its page, 12 bits of where in that, 12 of its bytes less one, and
    /// whether it reads (0), writes (1), or does both (2).
    packed: Vec<u64>,
    /// By number, the page.
    pages: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
    /// The page that was accessed last.
    last: Option<(u64, u32)>,
    /// All accesses, kept or not.
    count: u64,
    instructions: u64,
}

impl Recording {
    /// Takes the next line. What is too long is counted to its end, and refused there by
    /// [`Recording::check`].
    pub fn push(&mut self, line: Line) -> Result<(), RecordingError> {
        let (access, kind) = match line {
            Line::Instruction(_) => {
                self.instructions += 1;
                return Ok(());
            }
            Line::Data(access) => (access, u64::from(access.is_write)),
            Line::Modify(access) => (access, 2),
        };
        self.count += 1;
        if self.count > MOST_RECORDED {
            self.packed = vec![];
            return Ok(());
        }
        if access.address.saturating_add(access.bytes.into()) > MOST_ADDRESS {
            return Err(RecordingError::Far(access.address));
        }
        let page = access.address >> PAGE_BITS;
        let number = match self.last {
            Some((last, number)) if last == page => number,
            _ => {
                let next = self.pages.len() as u32;
                let number = *self.numbers.entry(page).or_insert(next);
                if number == next {
                    if self.pages.len() == MOST_PAGES {
                        return Err(RecordingError::Wide);
                    }
                    self.pages.push(page);
                }
                self.last = Some((page, number));
                number
            }
        };
        let bytes = u64::from(access.bytes.clamp(1, 1 << 12) - 1);
        self.packed
            .push(u64::from(number) << 26 | (access.address & IN_PAGE) << 14 | bytes << 2 | kind);
        Ok(())
    }

    /// Refuses what is too long, once it was gone through.
    pub fn check(&self) -> Result<(), RecordingError> {
        if self.count > MOST_RECORDED { Err(RecordingError::Long(self.count)) } else { Ok(()) }
    }

    /// Bytes of memory that it takes.
    pub fn heap_bytes(&self) -> usize {
        self.packed.capacity() * 8 + self.pages.capacity() * 8 + self.numbers.capacity() * 17
    }

    /// Accesses to data; one that reads and then writes is one.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Fetches of instructions, which are not kept.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Accesses in their order.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.packed.iter().map(|&packed| {
            let page = self.pages[(packed >> 26) as usize];
            let access = Access {
                address: page << PAGE_BITS | packed >> 14 & IN_PAGE,
                bytes: (packed >> 2 & IN_PAGE) as u32 + 1,
                is_write: packed & 3 == 1,
            };
            if packed & 3 == 2 { Line::Modify(access) } else { Line::Data(access) }
        })
    }

    /// How often lines of so many bytes are touched: an access over two touches both.
    pub fn touches(&self, line: u64) -> u64 {
        let shift = line.trailing_zeros();
        self.accesses().map(|one| ((one.end() - 1) >> shift) - (one.address >> shift) + 1).sum()
    }

    /// Reads and writes in their order, what does both as two.
    pub fn accesses(&self) -> impl Iterator<Item = Access> + '_ {
        self.lines().flat_map(Line::accesses)
    }
}

impl Line {
    /// What is done to data, in turn.
    pub fn accesses(self) -> impl Iterator<Item = Access> {
        let (first, then) = match self {
            Line::Instruction(_) => (None, None),
            Line::Data(access) => (Some(access), None),
            Line::Modify(access) => (Some(access), Some(Access { is_write: true, ..access })),
        };
        first.into_iter().chain(then)
    }
}

impl Access {
    /// The address behind its last byte.
    pub(super) fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes.max(1).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_was_recorded() {
        let access = |address, bytes, is_write| Access { address, bytes, is_write };
        let all = [
            Line::Data(access(0x403_fff, 4096, true)),
            Line::Modify(access(0, 1, false)),
            Line::Data(access(0x1f_ff00_0778, 8, false)),
            Line::Data(access(MOST_ADDRESS - 8, 8, false)),
        ];
        let mut recording = Recording::default();
        recording.push(Line::Instruction(1)).expect("it is counted");
        for line in all {
            recording.push(line).expect("it fits");
        }
        assert_eq!(recording.lines().collect::<Vec<_>>(), all);
        assert_eq!((recording.count(), recording.instructions()), (4, 1));
        assert_eq!(recording.accesses().filter(|one| one.is_write).count(), 2);
        // 4096 bytes from the last of a line on are 65 lines.
        assert_eq!(recording.touches(64), 65 + 2 + 1 + 1);
        let far = Line::Data(access(MOST_ADDRESS - 7, 8, false));
        assert_eq!(recording.push(far), Err(RecordingError::Far(MOST_ADDRESS - 7)));
    }

    #[test]
    fn what_is_too_long_is_counted_and_refused() {
        let mut recording = Recording { count: MOST_RECORDED - 1, ..Recording::default() };
        let one = Line::Data(Access { address: 64, bytes: 8, is_write: true });
        recording.push(one).expect("it is the last that is kept");
        assert_eq!(recording.check(), Ok(()));
        for _ in 0..3 {
            recording.push(one).expect("it is counted");
        }
        let error = recording.check().expect_err("it is too long");
        assert_eq!(error, RecordingError::Long(MOST_RECORDED + 3));
        assert!(error.to_string().starts_with("it has 33554435 accesses to data, and 33554432"));
    }
}
