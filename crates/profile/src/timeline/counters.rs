//! Series of values.

use crate::{StringId, TrackId};

/// A series of values on a track. A value holds until the next one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Counter {
    /// The track.
    pub track: TrackId,
    /// Name.
    pub name: StringId,
    /// Unit; may be empty.
    pub unit: StringId,
    /// When, in nanoseconds; none before the one in front of it.
    pub times: Vec<i64>,
    /// What it was then; finite numbers.
    pub values: Vec<f64>,
}

impl Counter {
    /// Appends a value.
    pub fn push(&mut self, time: i64, value: f64) {
        self.times.push(time);
        self.values.push(value);
    }

    /// The value at a time; none before the first.
    pub fn at(&self, time: i64) -> Option<f64> {
        let behind = self.times.partition_point(|&known| known <= time);
        behind.checked_sub(1).map(|place| self.values[place])
    }

    /// Brings values into the order of their times; those of one time stay as they stand.
    pub(super) fn sort(&mut self) {
        if self.times.is_sorted() {
            return;
        }
        let mut rows: Vec<(i64, f64)> = self.times.drain(..).zip(self.values.drain(..)).collect();
        rows.sort_by_key(|(time, _)| *time);
        (self.times, self.values) = rows.into_iter().unzip();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Counter>() + self.times.capacity() * 8 + self.values.capacity() * 8
    }
}
