//! Counters that are read with a sample or at the end of a thread.

use crate::attr::read;
use crate::bytes::Bytes;

/// Counters that were read at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Read<'a> {
    /// Nanoseconds for which the events were wanted.
    pub time_enabled: Option<u64>,
    /// Nanoseconds for which they were counted: less, where they shared a counter with others.
    pub time_running: Option<u64>,
    format: u64,
    counters: Bytes<'a>,
}

/// One of the counters of a [`Read`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counter {
    /// Events since it was opened.
    pub value: u64,
    /// Which it is.
    pub id: Option<u64>,
    /// Samples of it that were lost.
    pub lost: Option<u64>,
}

impl<'a> Read<'a> {
    pub(crate) fn parse(bytes: &mut Bytes<'a>, format: u64) -> Option<Read<'a>> {
        let has = |bit: u64| format & bit != 0;
        let times = [read::TIME_ENABLED, read::TIME_RUNNING].map(has);
        let words = 1 + u64::from(has(read::ID)) + u64::from(has(read::LOST));
        let mut ahead = *bytes;
        let first = ahead.u64()?;
        let [enabled, running] = times.map(|is_there| if is_there { ahead.u64() } else { None });
        let times = times.into_iter().filter(|&is_there| is_there).count() as u64;
        let counters = if has(read::GROUP) {
            bytes.take_u64(8 * (1 + times))?;
            bytes.take_u64(first.checked_mul(words * 8)?)?
        } else {
            bytes.take_u64(8 * (words + times))?
        };
        let counters = Bytes::new(counters, bytes.order());
        Some(Read { time_enabled: enabled, time_running: running, format, counters })
    }

    /// The counters: one, or those of the group with its leader first.
    pub fn counters(&self) -> impl Iterator<Item = Counter> + use<'a> {
        let has = |bit: u64| self.format & bit != 0;
        let (is_group, has_id, has_lost) = (has(read::GROUP), has(read::ID), has(read::LOST));
        let times = usize::from(has(read::TIME_ENABLED)) + usize::from(has(read::TIME_RUNNING));
        let mut bytes = self.counters;
        std::iter::from_fn(move || {
            let value = bytes.u64()?;
            if !is_group {
                bytes.take(8 * times)?;
            }
            let id = if has_id { Some(bytes.u64()?) } else { None };
            let lost = if has_lost { Some(bytes.u64()?) } else { None };
            Some(Counter { value, id, lost })
        })
    }
}
