//! What files hold of memory.

use crate::varint;

/// A context: what is below its parent. Contexts are numbered as they come, parents first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// The context above, or [`super::NO_PARENT`].
    pub parent: u32,
    /// The number of a function, or one of those from [`super::FIRST_OTHER`] on.
    pub function: u32,
    /// The line that it is at.
    pub line: u32,
}

/// What changed since the snapshot before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// When.
    pub ticks: u64,
    /// Bytes of the process that are in memory, by the kernel's account.
    pub resident: u64,
    /// When most was held up to now.
    pub peak_ticks: u64,
    /// How many bytes the rows are unpacked.
    pub length: u32,
    /// Rows ([`pack`]) in a frame of zstd.
    pub frame: Vec<u8>,
}

/// The most that was held between two snapshots. It stands before the second one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Most {
    /// Bytes.
    pub held: u64,
    /// When; 0 where it is what was held at the first one.
    pub ticks: u64,
}

/// What changed of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Row {
    /// Its number.
    pub context: u32,
    /// Bytes that were allocated.
    pub allocated: u64,
    /// [`super::PARTS`] of the blocks that were.
    pub allocations: u64,
    /// Bytes that were given back.
    pub freed: u64,
    /// Bytes that it held when most was held in all, where that is no longer what was told last.
    pub peak: Option<u64>,
}

/// Rows in the order of their contexts, as bytes.
#[must_use]
pub fn pack(rows: &[Row]) -> Vec<u8> {
    let mut bytes = vec![];
    varint::put(&mut bytes, rows.len() as u64);
    let mut before = 0;
    for row in rows {
        let peak = row.peak.map_or(0, |peak| peak.saturating_add(1));
        let context = u64::from(row.context.wrapping_sub(before));
        for number in [context, row.allocated, row.allocations, row.freed, peak] {
            varint::put(&mut bytes, number);
        }
        before = row.context;
    }
    bytes
}

/// The rows that bytes are; none where they are none.
#[must_use]
pub fn unpack(mut bytes: &[u8]) -> Option<Vec<Row>> {
    let rest = &mut bytes;
    let count = varint::take(rest)?;
    // Five bytes a row or more.
    let mut rows = Vec::with_capacity(usize::try_from(count).ok()?.min(rest.len() / 5));
    let mut before = 0u32;
    for _ in 0..count {
        let context = before.checked_add(varint::take(rest)?.try_into().ok()?)?;
        before = context;
        let (allocated, allocations) = (varint::take(rest)?, varint::take(rest)?);
        let (freed, peak) = (varint::take(rest)?, varint::take(rest)?.checked_sub(1));
        rows.push(Row { context, allocated, allocations, freed, peak });
    }
    rest.is_empty().then_some(rows)
}

impl Step {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        for number in [self.parent.wrapping_add(1), self.function.wrapping_add(8), self.line] {
            varint::put(bytes, number.into());
        }
    }

    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Step> {
        let mut number = || u32::try_from(varint::take(bytes)?).ok();
        let (parent, function, line) = (number()?, number()?, number()?);
        Some(Step { parent: parent.wrapping_sub(1), function: function.wrapping_sub(8), line })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_come_back_and_what_is_cut_is_none(
            values in prop::collection::vec(
                (any::<u32>(), any::<u64>(), any::<u64>(), any::<u64>(), any::<Option<u32>>()), 0..20),
            cut in any::<prop::sample::Index>(),
        ) {
            let row = |(context, allocated, allocations, freed, peak): (_, _, _, _, Option<u32>)| {
                Row { context, allocated, allocations, freed, peak: peak.map(u64::from) }
            };
            let mut rows: Vec<Row> = values.into_iter().map(row).collect();
            rows.sort_by_key(|row| row.context);
            let bytes = pack(&rows);
            prop_assert_eq!(unpack(&bytes), Some(rows));
            prop_assert_eq!(unpack(&bytes[..cut.index(bytes.len())]), None);
        }
    }
}
