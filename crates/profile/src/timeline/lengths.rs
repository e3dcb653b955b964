//! How long things lasted.

/// Stands for a length that has no room in 32 bits.
const LONG: u32 = u32::MAX;

/// Lengths of 4 bytes, or 20 where they are longer than four seconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lengths {
    short: Vec<u32>,
    /// Rows and lengths of the others, by row.
    long: Vec<(u32, i64)>,
}

impl Lengths {
    #[inline]
    pub(super) fn get(&self, row: usize) -> i64 {
        match self.short[row] {
            LONG => {
                let place = self.long.partition_point(|&(known, _)| (known as usize) < row);
                self.long[place].1
            }
            length => length.into(),
        }
    }

    pub(super) fn push(&mut self, length: i64) {
        self.short.push(u32::try_from(length).unwrap_or(LONG));
        if self.short.last() == Some(&LONG) {
            self.long.push((self.short.len() as u32 - 1, length));
        }
    }

    /// Another length for a row, which [`Lengths::get`] tells once all is finished.
    pub(super) fn set(&mut self, row: usize, length: i64) {
        self.short[row] = u32::try_from(length).unwrap_or(LONG);
        if self.short[row] == LONG {
            self.long.push((row as u32, length));
        }
    }

    /// Nothing more comes.
    pub(super) fn finish(&mut self) {
        if !self.long.is_sorted_by(|one, next| one.0 < next.0) {
            // Of several lengths of a row, the last one stands first.
            self.long.reverse();
            self.long.sort_by_key(|&(row, _)| row);
            self.long.dedup_by_key(|(row, _)| *row);
        }
        let Lengths { short, long } = self;
        long.retain(|&(row, _)| short[row as usize] == LONG);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.short.truncate(len);
        self.long.retain(|&(row, _)| (row as usize) < len);
    }

    pub(super) fn reserve_exact(&mut self, more: usize) {
        self.short.reserve_exact(more);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.short.capacity() * 4 + self.long.capacity() * 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_length_of_a_row_stays() {
        let long = i64::from(LONG);
        let mut lengths = Lengths::default();
        (0..5).for_each(|_| lengths.push(0));
        for (row, length) in
            [(3, long), (1, i64::MAX), (3, long + 7), (4, long), (4, 9), (0, long - 1)]
        {
            lengths.set(row, length);
        }
        lengths.push(long);
        lengths.finish();
        let told: Vec<i64> = (0..6).map(|row| lengths.get(row)).collect();
        assert_eq!(told, [long - 1, i64::MAX, 0, long + 7, 9, long]);
        lengths.truncate(2);
        assert_eq!((lengths.get(0), lengths.get(1)), (long - 1, i64::MAX));
    }
}
