//! Rows of begins and ends, packed.
//!
//! ```text
//! number, whether it ends, whether more is told    a varint
//! more: what goes back or is below 0, what is told  a byte
//! time after the row before                         a varint
//! length, arguments                                 a varint each, where they are told
//! ```

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use profile::LabelSetId;

use crate::wire::varint;

/// Stands for a length where a span begins whose end is a row of its own.
pub(crate) const BEGIN: i64 = i64::MIN;

/// What a run takes at most. Allocators give what is larger than 32 MiB back to the system at once.
const MOST_BYTES: usize = 40 << 20;
/// More than a row takes.
const ROW: usize = 32;

const ENDS: u64 = 1;
const MORE: u64 = 2;
const GOES_BACK: u8 = 1;
const HAS_LENGTH: u8 = 2;
const BELOW_0: u8 = 4;
const HAS_ARGUMENTS: u8 = 8;

/// A begin or an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) time: i64,
    /// [`BEGIN`] where none is told.
    pub(crate) length: i64,
    /// What begins, or the name of what ends.
    pub(crate) number: u32,
    pub(crate) ends: bool,
    pub(crate) arguments: LabelSetId,
}

/// At the same time, begins and ends keep the order of the file, and of complete spans the longer are
/// around the shorter.
pub(crate) type Rank = (i64, bool, Reverse<i64>);

pub(crate) fn rank(time: i64, length: i64) -> Rank {
    match length {
        BEGIN => (time, false, Reverse(0)),
        length => (time, true, Reverse(length)),
    }
}

impl Row {
    pub(crate) fn rank(&self) -> Rank {
        rank(self.time, self.length)
    }
}

/// Rows one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Run {
    bytes: Vec<u8>,
    rows: u32,
    /// When the last one was.
    last: i64,
}

impl Run {
    pub(crate) fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Whether no more has room.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes.len() + ROW > MOST_BYTES
    }

    /// One for much more than what a full one held.
    pub(crate) fn large() -> Run {
        Run { bytes: Vec::with_capacity(MOST_BYTES), ..Run::default() }
    }

    /// Appends a row, and gives the bytes that it takes.
    pub(crate) fn push(&mut self, row: &Row) -> usize {
        let before = self.bytes.len();
        let room = self.bytes.capacity();
        if room - before < ROW {
            self.bytes.reserve_exact(room.clamp(ROW, MOST_BYTES.saturating_sub(room).max(ROW)));
        }
        let mut more = 0;
        if row.time < self.last {
            more |= GOES_BACK;
        }
        if row.length != BEGIN {
            more |= HAS_LENGTH | if row.length < 0 { BELOW_0 } else { 0 };
        }
        if row.arguments != LabelSetId(0) {
            more |= HAS_ARGUMENTS;
        }
        let ends = if row.ends { ENDS } else { 0 };
        let number = u64::from(row.number) << 2 | ends;
        self.varint(number | if more == 0 { 0 } else { MORE });
        if more != 0 {
            self.bytes.push(more);
        }
        self.varint(row.time.abs_diff(self.last));
        if more & HAS_LENGTH != 0 {
            self.varint(row.length.unsigned_abs());
        }
        if more & HAS_ARGUMENTS != 0 {
            self.varint(row.arguments.0.into());
        }
        self.last = row.time;
        self.rows += 1;
        self.bytes.len() - before
    }

    #[inline]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// No more comes: puts the rows in order where they are not.
    pub(crate) fn close(&mut self, is_in_order: bool) {
        if !is_in_order {
            let mut rows: Vec<Row> = std::mem::take(self).into_iter().collect();
            rows.sort_by_key(Row::rank);
            rows.iter().for_each(|row| {
                self.push(row);
            });
        }
        self.bytes.shrink_to_fit();
    }
}

impl IntoIterator for Run {
    type Item = Row;
    type IntoIter = Rows<Vec<u8>>;

    fn into_iter(self) -> Rows<Vec<u8>> {
        Rows { bytes: self.bytes, at: 0, last: 0 }
    }
}

impl<'a> IntoIterator for &'a Run {
    type Item = Row;
    type IntoIter = Rows<&'a [u8]>;

    fn into_iter(self) -> Rows<&'a [u8]> {
        Rows { bytes: &self.bytes, at: 0, last: 0 }
    }
}

/// The rows of a run.
pub(crate) struct Rows<B> {
    bytes: B,
    at: usize,
    last: i64,
}

impl<B: AsRef<[u8]>> Iterator for Rows<B> {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        let Rows { bytes, at, last } = self;
        let bytes = bytes.as_ref();
        let head = varint(bytes, at)?;
        let mut more = 0;
        if head & MORE != 0 {
            more = *bytes.get(*at)?;
            *at += 1;
        }
        let distance = varint(bytes, at)?;
        *last = match more & GOES_BACK {
            0 => last.wrapping_add_unsigned(distance),
            _ => last.wrapping_sub_unsigned(distance),
        };
        let mut length = BEGIN;
        if more & HAS_LENGTH != 0 {
            let told = varint(bytes, at)? as i64;
            length = if more & BELOW_0 == 0 { told } else { told.wrapping_neg() };
        }
        let mut arguments = LabelSetId(0);
        if more & HAS_ARGUMENTS != 0 {
            arguments = LabelSetId(varint(bytes, at)? as u32);
        }
        let (number, ends) = ((head >> 2) as u32, head & ENDS != 0);
        Some(Row { time: *last, length, number, ends, arguments })
    }
}

/// The rows of several runs, each of which is in order; of equal ones those of the first run first.
pub(crate) struct Merged<B> {
    heads: BinaryHeap<Reverse<Head<B>>>,
}

struct Head<B> {
    row: Row,
    run: usize,
    rest: Rows<B>,
}

impl<B> Head<B> {
    fn key(&self) -> (Rank, usize) {
        (self.row.rank(), self.run)
    }
}

impl<B> Ord for Head<B> {
    fn cmp(&self, other: &Head<B>) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl<B> PartialOrd for Head<B> {
    fn partial_cmp(&self, other: &Head<B>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<B> PartialEq for Head<B> {
    fn eq(&self, other: &Head<B>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<B> Eq for Head<B> {}

impl<B: AsRef<[u8]>> Merged<B> {
    pub(crate) fn new(
        runs: impl IntoIterator<Item: IntoIterator<IntoIter = Rows<B>>>,
    ) -> Merged<B> {
        let heads = runs.into_iter().enumerate().filter_map(|(run, rows)| {
            let mut rest = rows.into_iter();
            rest.next().map(|row| Reverse(Head { row, run, rest }))
        });
        Merged { heads: heads.collect() }
    }
}

impl<B: AsRef<[u8]>> Iterator for Merged<B> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let mut head = self.heads.peek_mut()?;
        let row = head.0.row;
        match head.0.rest.next() {
            Some(next) => head.0.row = next,
            None => drop(PeekMut::pop(head)),
        }
        Some(row)
    }
}
