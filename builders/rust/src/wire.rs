// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026 The Hotframe authors
//! Protobuf's wire format.

/// A message under construction.
#[derive(Debug, Default)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// An integer field, even if it is 0: it may replace an earlier one.
    pub(crate) fn set(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    /// An integer field; 0 is left out.
    pub(crate) fn integer(&mut self, field: u64, value: u64) {
        if value != 0 {
            self.set(field, value);
        }
    }

    /// Integer fields whose numbers follow each other.
    pub(crate) fn integers(&mut self, first: u64, values: &[u64]) {
        for (field, &value) in (first..).zip(values) {
            self.integer(field, value);
        }
    }

    pub(crate) fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    /// A text field; the empty text is left out.
    pub(crate) fn text(&mut self, field: u64, value: &str) {
        if !value.is_empty() {
            self.bytes(field, value.as_bytes());
        }
    }

    /// A message of integers.
    pub(crate) fn row(&mut self, field: u64, cells: &[u64]) {
        let mut inner = Message::default();
        inner.integers(1, cells);
        self.bytes(field, &inner.0);
    }

    pub(crate) fn packed(&mut self, field: u64, values: impl Iterator<Item = u64>) {
        let mut inner = Message::default();
        values.for_each(|value| inner.varint(value));
        self.bytes(field, &inner.0);
    }

    /// A column; left out if every cell is 0.
    pub(crate) fn column(&mut self, field: u64, cells: &[u64]) {
        if cells.iter().any(|&cell| cell != 0) {
            self.packed(field, cells.iter().copied());
        }
    }

    /// A table of columns after its count; left out if it has no rows.
    pub(crate) fn table(&mut self, field: u64, count: usize, put: impl FnOnce(&mut Message)) {
        if count > 0 {
            let mut inner = Message::default();
            inner.integer(1, count as u64);
            put(&mut inner);
            self.bytes(field, &inner.0);
        }
    }
}

pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// Differences between neighbours, modulo 2^64.
pub(crate) fn deltas(values: &[u64]) -> impl Iterator<Item = u64> + '_ {
    let before = std::iter::once(0).chain(values.iter().copied());
    values.iter().zip(before).map(|(&value, before)| zigzag(value.wrapping_sub(before) as i64))
}
