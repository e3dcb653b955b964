//! Columns back to events.

use crate::pack::MOST_OPEN;
use crate::varint;
use crate::word::{Happened, MOST_FUNCTIONS};

/// An event of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// When, in units of the file after the chunk's start.
    pub at: u64,
    /// What happened.
    pub happened: Happened,
    /// To which function.
    pub function: u32,
    /// Which call of a generator or coroutine it is; none for others.
    pub activation: Option<u32>,
}

/// Why a chunk is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// The columns end before the events do, or the reverse.
    #[error("its columns do not have the {0} events that it announces")]
    Events(u64),
    /// A code that means nothing.
    #[error("event {0} has an unknown code")]
    Unknown(u64),
    /// A return where no call is open, without its function.
    #[error("event {0} ends a call that is not open")]
    NotOpen(u64),
    /// Times beyond 64 bits.
    #[error("event {0} is too late for the format")]
    Time(u64),
}

/// Unpacks the events of one thread, chunk by chunk in the order of time; the twin of [`crate::Packer`].
#[derive(Debug, Default)]
pub struct Unpacker {
    open: Vec<u32>,
}

impl Unpacker {
    /// Gives the events of a chunk, one by one.
    ///
    /// # Errors
    /// The bytes are no such chunk. Events before were given.
    pub fn unpack(
        &mut self,
        bytes: &[u8],
        events: u64,
        mut give: impl FnMut(Event),
    ) -> Result<(), UnpackError> {
        let wrong = UnpackError::Events(events);
        let mut rest = bytes;
        let length = varint::take(&mut rest).ok_or(wrong.clone())?;
        let length = usize::try_from(length).ok().filter(|&length| length <= rest.len());
        let (mut what, mut when) = rest.split_at(length.ok_or(wrong.clone())?);
        let (mut at, mut activation) = (0u64, None);
        let mut done = 0;
        while let Some(code) = varint::take(&mut what) {
            let happened = Happened::new((code & 7) as u8).ok_or(UnpackError::Unknown(done))?;
            let number = u32::try_from(code >> 3).ok().filter(|&one| one <= MOST_FUNCTIONS);
            let number = number.ok_or(UnpackError::Unknown(done))?;
            match happened {
                Happened::Activation => {
                    activation = Some(number);
                    continue;
                }
                Happened::Far => return Err(UnpackError::Unknown(done)),
                _ => {}
            }
            let function = self.function(happened, number).ok_or(UnpackError::NotOpen(done))?;
            let since = varint::take(&mut when).ok_or(wrong.clone())?;
            at = at.checked_add(since).ok_or(UnpackError::Time(done))?;
            give(Event { at, happened, function, activation: activation.take() });
            done += 1;
        }
        if what.is_empty() && when.is_empty() && done == events { Ok(()) } else { Err(wrong) }
    }

    fn function(&mut self, happened: Happened, number: u32) -> Option<u32> {
        if !happened.leaves() {
            if self.open.len() >= MOST_OPEN {
                self.open.clear();
            }
            self.open.push(number);
            return Some(number);
        }
        let innermost = self.open.pop();
        match number.checked_sub(1) {
            None => innermost,
            told => {
                self.open.clear();
                told
            }
        }
    }

    /// Forgets what is open: events were lost.
    pub fn lost(&mut self) {
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Packer, Word};
    use proptest::prelude::*;

    fn happened() -> impl Strategy<Value = Happened> {
        (0u8..5).prop_map(|code| Happened::new(code).unwrap())
    }

    proptest! {
        /// Whatever happens in whatever order comes back as it was, over several chunks.
        #[test]
        fn events_come_back(
            chunks in prop::collection::vec(
                prop::collection::vec(
                    (happened(), 0u32..6, any::<u32>(), prop::option::of(0u32..9), prop::option::of(0u32..3)),
                    0..40,
                ),
                1..4,
            ),
            shift in 0u32..4,
        ) {
            let (mut packer, mut unpacker) = (Packer::default(), Unpacker::default());
            for chunk in chunks {
                let (mut words, mut plain, mut at) = (vec![], vec![], 0u64);
                for (happened, function, ticks, activation, far) in chunk {
                    words.extend(activation.map(|one| Word::new(Happened::Activation, one, 0)));
                    words.extend(far.map(|one| Word::new(Happened::Far, one, 0)));
                    words.push(Word::new(happened, function, ticks));
                    at += (u64::from(far.unwrap_or(0)) << 32) + u64::from(ticks);
                    plain.push(Event { at: at >> shift, happened, function, activation });
                }
                let packed = packer.pack(words.into_iter(), shift);
                let mut told = vec![];
                unpacker.unpack(&packed.bytes, packed.events, |event| told.push(event)).unwrap();
                prop_assert_eq!(told, plain);
                prop_assert_eq!(packed.ticks, at);
            }
        }

        #[test]
        fn no_bytes_stop_the_unpacker(bytes in prop::collection::vec(any::<u8>(), 0..200), events in 0u64..50) {
            let mut count = 0u64;
            let result = Unpacker::default().unpack(&bytes, events, |_| count += 1);
            prop_assert!(result.is_err() || count == events);
        }
    }

    #[test]
    fn a_call_and_its_return_take_four_bytes() {
        let words = (0..1000)
            .flat_map(|_| [Word::new(Happened::Call, 7, 100), Word::new(Happened::Return, 7, 50)]);
        assert_eq!(Packer::default().pack(words, 0).bytes.len(), 2 + 4 * 1000);
    }
}
