//! An event in memory.

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Happened {
    /// A call began.
    Call = 0,
    /// It returned.
    Return = 1,
    /// An exception left it.
    Unwind = 2,
    /// A generator or coroutine yielded: its call is not over.
    Suspend = 3,
    /// It goes on.
    Resume = 4,
    /// The word before the event of a generator or coroutine: which of its calls it is.
    Activation = 5,
    /// The word before an event that is further from the one before than a word can tell: the upper
    /// half of the distance.
    Far = 6,
}

/// An event: the distance from the event before in its lower half, what happened in the three bits on top,
/// the number of a function (or of what the kind says) between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word(pub u64);

/// Functions have numbers below.
pub const MOST_FUNCTIONS: u32 = 1 << 29;

impl Word {
    /// An event; the number is cut to 29 bits.
    #[inline]
    #[must_use]
    pub const fn new(happened: Happened, number: u32, ticks: u32) -> Word {
        let upper = (happened as u64) << 29 | (number & (MOST_FUNCTIONS - 1)) as u64;
        Word(upper << 32 | ticks as u64)
    }

    /// What happened; none for what is not a word.
    #[must_use]
    pub const fn happened(self) -> Option<Happened> {
        Happened::new((self.0 >> 61) as u8)
    }

    /// The number of the function, the activation or the distance.
    #[must_use]
    pub const fn number(self) -> u32 {
        (self.0 >> 32) as u32 & (MOST_FUNCTIONS - 1)
    }

    /// Ticks since the event before.
    #[must_use]
    pub const fn ticks(self) -> u32 {
        self.0 as u32
    }
}

impl Happened {
    pub(crate) const fn new(code: u8) -> Option<Happened> {
        Some(match code {
            0 => Happened::Call,
            1 => Happened::Return,
            2 => Happened::Unwind,
            3 => Happened::Suspend,
            4 => Happened::Resume,
            5 => Happened::Activation,
            6 => Happened::Far,
            _ => return None,
        })
    }

    /// Whether it ends or leaves a call.
    #[must_use]
    pub const fn leaves(self) -> bool {
        matches!(self, Happened::Return | Happened::Unwind | Happened::Suspend)
    }
}
