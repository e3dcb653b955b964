//! Records of spans.

use hashbrown::HashMap;
use profile::{LabelSetId, LocationId, StringId};

use crate::time::span_records::runs::{BEGIN, Merged, Rank, Row, Run, rank};
use crate::time::span_tracks::{Happening, Record, Rows};

/// Bytes of a span once it is one.
const SPAN: usize = 13;

/// Rows of a run where they are out of order.
const SHORT: usize = 1 << 16;

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

    fn record(&self, row: &Row) -> Record {
        let &Row { time, length, number, ends, arguments } = row;
        if ends {
            let name = StringId(number);
            let begin = Begin { location: LocationId(0), name, labels: LabelSetId(0) };
            return Record { time, happening: Happening::End, begin, arguments };
        }
        let happening = match length {
            BEGIN => Happening::Begin,
            length => Happening::Complete(length),
        };
        Record { time, happening, begin: self.list[number as usize], arguments }
    }

    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        (self.known.capacity() * 2 + self.list.capacity()) * size_of::<Begin>()
    }
}

/// The rows of a line of execution.
#[derive(Debug, Default)]
pub(crate) struct Records {
    runs: Vec<Run>,
    /// What rows are ordered by, of the last one of the last run.
    last: Option<Rank>,
    /// Whether rows came out of order. Runs are short then, and each is put in order.
    is_out_of_order: bool,
    /// Of the last run alone.
    run_is_in_order: bool,
    has_begins: bool,
    end: Option<i64>,
}

impl Records {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// A span begins; it ends with a row of its own, or after a length. Gives the bytes that it takes, those
    /// of the span that it will be included.
    pub(crate) fn begin(
        &mut self,
        time: i64,
        begin: u32,
        length: Option<i64>,
        arguments: LabelSetId,
    ) -> usize {
        self.has_begins |= length.is_none();
        // The one length that stands for none is negative, and negative ones are all the same.
        let length = length.map_or(BEGIN, |length| length.max(BEGIN + 1));
        SPAN + self.push(&Row { time, length, number: begin, ends: false, arguments })
    }

    /// A span of a name ends, the innermost where it is empty. Gives the bytes that it takes.
    pub(crate) fn end(&mut self, time: i64, name: StringId, arguments: LabelSetId) -> usize {
        self.push(&Row { time, length: BEGIN, number: name.0, ends: true, arguments })
    }

    fn push(&mut self, row: &Row) -> usize {
        let end = match row.length {
            BEGIN => row.time,
            length => row.time.saturating_add(length.max(0)),
        };
        self.end = self.end.max(Some(end));
        let rank = row.rank();
        let is_behind = self.last.replace(rank).is_none_or(|last| last <= rank);
        let begins_one = match self.runs.last() {
            None => true,
            // All runs are in order, up to here.
            Some(_) if !is_behind && !self.is_out_of_order => {
                self.is_out_of_order = true;
                true
            }
            Some(run) => run.is_full() || self.is_out_of_order && run.rows() >= SHORT,
        };
        if begins_one {
            self.close();
            let is_large = self.runs.last().is_some_and(Run::is_full);
            self.runs.push(if is_large { Run::large() } else { Run::default() });
            self.run_is_in_order = true;
        } else {
            self.run_is_in_order &= is_behind;
        }
        self.runs.last_mut().map_or(0, |run| run.push(row))
    }

    fn close(&mut self) {
        if let Some(run) = self.runs.last_mut() {
            run.close(self.run_is_in_order);
        }
    }

    /// The last time of all rows, or of the end of those that tell their length.
    pub(crate) fn end_of_all(&self) -> Option<i64> {
        self.end
    }

    /// The rows by time.
    pub(crate) fn in_order(mut self, begins: &Begins) -> Ordered<'_> {
        self.close();
        Ordered { records: self, begins }
    }
}

/// Rows by time.
pub(crate) struct Ordered<'a> {
    records: Records,
    begins: &'a Begins,
}

impl Rows for Ordered<'_> {
    fn has_begins(&self) -> bool {
        self.records.has_begins
    }

    fn look(&self) -> impl Iterator<Item = Record> {
        let runs = self.records.runs.as_slice();
        let (out_of_order, in_order) =
            if self.records.is_out_of_order { (runs, &[][..]) } else { (&[][..], runs) };
        let rows = Merged::new(out_of_order).chain(in_order.iter().flatten());
        rows.map(|row| self.begins.record(&row))
    }

    /// Each run is given back behind its last row.
    fn take(self) -> impl Iterator<Item = Record> {
        let Ordered { records: Records { runs, is_out_of_order, .. }, begins } = self;
        let (out_of_order, in_order) =
            if is_out_of_order { (runs, vec![]) } else { (vec![], runs) };
        let rows = Merged::new(out_of_order).chain(in_order.into_iter().flatten());
        rows.map(|row| begins.record(&row))
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

    /// More than a run in and out of order is what a plain list is that is sorted.
    #[test]
    fn rows_come_back_in_order() {
        for step in [1, -1, 7, 50_003] {
            let (mut records, mut begins, mut plain) =
                (Records::default(), Begins::default(), vec![]);
            for number in 0..SHORT as i64 * 2 + 5 {
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
            let ordered = records.in_order(&begins);
            let looked: Vec<Record> = ordered.look().collect();
            let told: Vec<Record> = ordered.take().collect();
            assert_eq!(looked, told);
            assert_eq!(told, plain);
        }
    }

    #[test]
    fn rows_take_what_they_need() {
        let (mut records, mut begins) = (Records::default(), Begins::default());
        let begin = Begin { location: LocationId(1), name: StringId(1), labels: LabelSetId(1) };
        let code = begins.of(begin);
        assert_eq!(begins.of(begin), code);
        assert_eq!(records.begin(7, code, None, LabelSetId(0)), SPAN + 2);
        assert_eq!(records.end(20_007, StringId(1), LabelSetId(0)), 4);
        assert_eq!(records.begin(20_008, code, Some(200), LabelSetId(1)), SPAN + 6);
        assert_eq!(records.end_of_all(), Some(20_208));
        assert_eq!(records.in_order(&begins).take().count(), 3);
    }

    #[test]
    fn rows_as_far_apart_as_can_be_come_back() {
        let begin = Begin { location: LocationId(1), name: StringId(1), labels: LabelSetId(1) };
        let far = [i64::MIN, -1, 0, 1, i64::MAX];
        let (mut records, mut begins, mut plain) = (Records::default(), Begins::default(), vec![]);
        let code = begins.of(begin);
        for time in far.into_iter().chain(far.into_iter().rev()) {
            for length in far {
                records.begin(time, code, Some(length), LabelSetId(u32::MAX));
                let happening = Happening::Complete(length.max(i64::MIN + 1));
                plain.push(Record { time, happening, begin, arguments: LabelSetId(u32::MAX) });
            }
            records.end(time, StringId(u32::MAX), LabelSetId(0));
            let name =
                Begin { location: LocationId(0), name: StringId(u32::MAX), labels: LabelSetId(0) };
            plain.push(Record {
                time,
                happening: Happening::End,
                begin: name,
                arguments: LabelSetId(0),
            });
        }
        sort(&mut plain);
        assert_eq!(records.in_order(&begins).take().collect::<Vec<_>>(), plain);
    }
}
