//! The binary processor profile: words of the machine that wrote it.
//!
//! ```text
//! 0 3 version period-in-microseconds 0
//! count depth address...                 innermost first, any number of times
//! 0 1 0                                  the end; text follows
//! ```

use super::FORMAT;
use super::format::GperftoolsParser;
use crate::input::stream::Stream;
use crate::{ReadError, ReadOptions, Warnings};

/// How words are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    wide: bool,
    big_endian: bool,
    pub(super) java: bool,
    period: u64,
}

/// Length of the longest header.
pub(super) const HEADER: usize = 5 * 8;

impl Words {
    /// What a header says, if it is one.
    pub(super) fn of(head: &[u8]) -> Option<Words> {
        [(false, false), (false, true), (true, false), (true, true)].into_iter().find_map(
            |(wide, big_endian)| {
                let words = Words { wide, big_endian, java: false, period: 0 };
                let word = |index: usize| words.word(head.get(index * words.len()..)?);
                match [word(0)?, word(1)?, word(2)?, word(3)?, word(4)?] {
                    [0, 3, kind @ 0..=1, period, 0] if period > 0 => {
                        Some(Words { java: kind == 1, period, ..words })
                    }
                    _ => None,
                }
            },
        )
    }

    fn len(self) -> usize {
        if self.wide { 8 } else { 4 }
    }

    fn word(self, bytes: &[u8]) -> Option<u64> {
        Some(match (self.wide, self.big_endian) {
            (false, false) => u32::from_le_bytes(*bytes.first_chunk()?).into(),
            (false, true) => u32::from_be_bytes(*bytes.first_chunk()?).into(),
            (true, false) => u64::from_le_bytes(*bytes.first_chunk()?),
            (true, true) => u64::from_be_bytes(*bytes.first_chunk()?),
        })
    }

    fn next(self, stream: &mut Stream<'_>) -> Result<Option<u64>, ReadError> {
        let word = self.word(stream.peek(self.len())?);
        if word.is_some() {
            stream.consume(self.len());
        }
        Ok(word)
    }
}

pub(super) fn read(
    stream: &mut Stream<'_>,
    words: Words,
    reading: &mut GperftoolsParser,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let period = i64::try_from(words.period).unwrap_or(i64::MAX).saturating_mul(1000);
    reading.set_metrics(&[("samples", "count"), ("cpu", "nanoseconds")]);
    reading.set_period(period, "cpu", "nanoseconds");
    reading.without_addresses = words.java;
    stream.consume(5 * words.len());
    let mut addresses = vec![];
    loop {
        let place = stream.place();
        let (Some(count), Some(depth)) = (words.next(stream)?, words.next(stream)?) else {
            break warnings.add("end", || format!("the profile has no mark of its end at {place}"));
        };
        addresses.clear();
        for index in 0..depth {
            let Some(address) = words.next(stream)? else {
                return Err(ReadError::Truncated {
                    format: FORMAT.name,
                    place: stream.place(),
                    reason: format!("in a stack of {depth} frames"),
                });
            };
            // What is not the leaf is a return address.
            let caller = index > 0 && !words.java;
            addresses.push(address.wrapping_sub(u64::from(caller)));
            if index.is_multiple_of(4096) {
                options.check_memory(reading.heap_bytes() + addresses.len() * 8)?;
            }
        }
        if count == 0 && addresses == [0] {
            break;
        }
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        reading.push(addresses.iter().copied(), &[count, count.saturating_mul(period)]);
    }
    Ok(())
}
