//! Begins and ends of spans as they are read, before they are put in order: 12 bytes each, and what a
//! length or arguments take where there are any.
//!
//! They lie in blocks, so that growing moves nothing, and what was taken is given back as one goes on.

use std::cmp::Reverse;

use hashbrown::HashMap;
use profile::{LabelSetId, LocationId, StringId};

use crate::span_tracks::{Happening, Record};

/// Rows of a block.
const BLOCK: usize = 1 << 16;
/// Marks a row that ends a span; the other bits are its name.
const END: u32 = 1 << 31;
/// Stands for a length where a span begins whose end is a row of its own.
const BEGIN: i64 = i64::MIN;

/// What a span is that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Begin {
    pub(crate) location: LocationId,
    pub(crate) name: StringId,
    pub(crate) labels: LabelSetId,
}

/// The different spans that begin, each once.
#[derive(Debug, Default)]
pub(crate) struct Begins {
    known: HashMap<Begin, u32>,
    list: Vec<Begin>,
}

impl Begins {
    /// The number of a span's kind.
    pub(crate) fn of(&mut self, begin: Begin) -> u32 {
        *self.known.entry(begin).or_insert_with(|| {
            self.list.push(begin);
            self.list.len() as u32 - 1
        })
    }

    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        (self.known.capacity() * 2 + self.list.capacity()) * size_of::<Begin>()
    }
}

/// The rows of a line of execution.
#[derive(Debug, Default)]
pub(crate) struct Records {
    blocks: Vec<Block>,
    /// What rows are ordered by, of the last one.
    last: Option<Rank>,
    is_out_of_order: bool,
}

/// At the same time, begins and ends keep the order of the file, and of complete spans the longer are
/// around the shorter.
type Rank = (i64, bool, Reverse<i64>);

#[derive(Debug, Default)]
struct Block {
    times: Vec<i64>,
    /// A number of [`Begins`], or [`END`] and a name.
    whats: Vec<u32>,
    /// Empty where no span is told with its length.
    lengths: Vec<i64>,
    /// Empty where no row has any.
    arguments: Vec<LabelSetId>,
}

impl Records {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// A span begins; it ends with a row of its own, or after a length. Gives the bytes that it takes.
    pub(crate) fn begin(
        &mut self,
        time: i64,
        begin: u32,
        length: Option<i64>,
        arguments: LabelSetId,
    ) -> usize {
        // The one length that stands for none is negative, and negative ones are all the same.
        let length = length.map_or(BEGIN, |length| length.max(BEGIN + 1));
        self.push(time, begin, length, arguments)
    }

    /// A span of a name ends, the innermost where it is empty. Gives the bytes that it takes.
    pub(crate) fn end(&mut self, time: i64, name: StringId, arguments: LabelSetId) -> usize {
        self.push(time, END | name.0, BEGIN, arguments)
    }

    fn push(&mut self, time: i64, what: u32, length: i64, arguments: LabelSetId) -> usize {
        let rank = rank(time, length);
        self.is_out_of_order |= self.last.replace(rank).is_some_and(|last| last > rank);
        if self.blocks.last().is_none_or(|block| block.times.len() == BLOCK) {
            self.blocks.push(Block::default());
        }
        let Some(block) = self.blocks.last_mut() else { return 0 };
        let rows = block.times.len();
        let mut bytes = 12;
        if length != BEGIN && block.lengths.is_empty() {
            block.lengths.resize(rows, BEGIN);
        }
        if arguments != LabelSetId(0) && block.arguments.is_empty() {
            block.arguments.resize(rows, LabelSetId(0));
        }
        if length != BEGIN || !block.lengths.is_empty() {
            block.lengths.push(length);
            bytes += 8;
        }
        if arguments != LabelSetId(0) || !block.arguments.is_empty() {
            block.arguments.push(arguments);
            bytes += 4;
        }
        block.times.push(time);
        block.whats.push(what);
        bytes
    }

    /// The last time of all rows, or of the end of those that tell their length.
    pub(crate) fn end_of_all(&self) -> Option<i64> {
        let ends = self.blocks.iter().flat_map(|block| {
            block.times.iter().enumerate().map(|(row, time)| match block.length(row) {
                BEGIN => *time,
                length => time.saturating_add(length.max(0)),
            })
        });
        ends.max()
    }

    /// The rows by time. Each block is given back behind its last row, where they were in order.
    pub(crate) fn in_order(self, begins: &Begins) -> impl Iterator<Item = Record> {
        let mut order: Vec<u32> = vec![];
        let mut blocks = self.blocks;
        let mut in_file = vec![];
        if self.is_out_of_order {
            let rows = blocks.iter().map(|block| block.times.len()).sum::<usize>();
            order = (0..rows as u32).collect();
            order.sort_by_key(|&row| {
                let (block, row) = (&blocks[row as usize / BLOCK], row as usize % BLOCK);
                rank(block.times[row], block.length(row))
            });
        } else {
            in_file = std::mem::take(&mut blocks);
        }
        let sorted = order
            .into_iter()
            .map(move |row| blocks[row as usize / BLOCK].record(row as usize % BLOCK, begins));
        let as_read = in_file.into_iter().flat_map(move |block| {
            (0..block.times.len()).map(move |row| block.record(row, begins))
        });
        sorted.chain(as_read)
    }
}

impl Block {
    fn length(&self, row: usize) -> i64 {
        self.lengths.get(row).copied().unwrap_or(BEGIN)
    }

    fn record(&self, row: usize, begins: &Begins) -> Record {
        let (time, what, length) = (self.times[row], self.whats[row], self.length(row));
        let arguments = self.arguments.get(row).copied().unwrap_or_default();
        if what & END != 0 {
            let begin = Begin {
                location: LocationId(0),
                name: StringId(what & !END),
                labels: LabelSetId(0),
            };
            return Record { time, happening: Happening::End, begin, arguments };
        }
        let happening = match length {
            BEGIN => Happening::Begin,
            length => Happening::Complete(length),
        };
        Record { time, happening, begin: begins.list[what as usize], arguments }
    }
}

fn rank(time: i64, length: i64) -> Rank {
    match length {
        BEGIN => (time, false, Reverse(0)),
        length => (time, true, Reverse(length)),
    }
}

/// Puts rows in order.
pub(crate) fn sort(records: &mut [Record]) {
    records.sort_by_key(|record| match record.happening {
        Happening::Complete(length) => rank(record.time, length.max(BEGIN + 1)),
        _ => rank(record.time, BEGIN),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than a block in and out of order is what a plain list is that is sorted.
    #[test]
    fn rows_come_back_in_order() {
        for step in [1, -1, 7] {
            let (mut records, mut begins, mut plain) =
                (Records::default(), Begins::default(), vec![]);
            for number in 0..BLOCK as i64 * 2 + 5 {
                let time = number * step % 100_003;
                let begin = Begin {
                    location: LocationId(number as u32 % 5),
                    name: StringId(number as u32 % 7),
                    labels: LabelSetId(0),
                };
                let arguments = LabelSetId((number % 1_000 == 999).into());
                let code = begins.of(begin);
                let happening = match number % 3 {
                    0 => Happening::Begin,
                    1 => Happening::Complete(number % 11 - 2),
                    _ => Happening::End,
                };
                match happening {
                    Happening::Begin => records.begin(time, code, None, arguments),
                    Happening::Complete(length) => {
                        records.begin(time, code, Some(length), arguments)
                    }
                    Happening::End => records.end(time, begin.name, arguments),
                };
                let none = Begin { location: LocationId(0), labels: LabelSetId(0), ..begin };
                let begin = if happening == Happening::End { none } else { begin };
                plain.push(Record { time, happening, begin, arguments });
            }
            sort(&mut plain);
            let told: Vec<Record> = records.in_order(&begins).collect();
            assert_eq!(told, plain);
        }
    }

    #[test]
    fn rows_take_what_they_need() {
        let (mut records, mut begins) = (Records::default(), Begins::default());
        let begin = Begin { location: LocationId(1), name: StringId(1), labels: LabelSetId(1) };
        let code = begins.of(begin);
        assert_eq!(begins.of(begin), code);
        assert_eq!(records.begin(0, code, None, LabelSetId(0)), 12);
        assert_eq!(records.end(1, StringId(1), LabelSetId(0)), 12);
        assert_eq!(records.begin(2, code, Some(i64::MIN), LabelSetId(0)), 20);
        let last = records.in_order(&begins).last().unwrap();
        assert_eq!(last.happening, Happening::Complete(i64::MIN + 1));
    }
}
