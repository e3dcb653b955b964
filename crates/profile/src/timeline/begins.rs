//! When things began, of which those beside each other are mostly near.

/// Rows of a block.
const BLOCK: usize = 64;
/// Stands for a time that is too far from the first of its block.
const FAR: u32 = u32::MAX;

/// Times as what they are after the earliest of their block, about 4 bytes each.
///
/// ```text
/// block        0                  1
/// base         1,000              9,000
/// after        0, 20, 70, ...     0, FAR, 31, ...
/// far                             (65, 5,000,000,000)
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Begins {
    base: Vec<i64>,
    after: Vec<u32>,
    /// Rows and times of those that are far, by row.
    far: Vec<(u32, i64)>,
    /// The last ones, whose block is not full. Empty in finished columns.
    pending: Vec<i64>,
}

impl Begins {
    #[inline]
    pub(super) fn get(&self, row: usize) -> i64 {
        match self.after.get(row) {
            Some(&FAR) => {
                let place = self.far.partition_point(|&(known, _)| (known as usize) < row);
                self.far[place].1
            }
            Some(&after) => self.base[row / BLOCK] + i64::from(after),
            None => self.pending[row - self.after.len()],
        }
    }

    pub(super) fn push(&mut self, time: i64) {
        self.pending.push(time);
        if self.pending.len() == BLOCK {
            self.pack();
        }
    }

    /// All but the first so many are gone.
    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.after.len() {
            let block = len / BLOCK * BLOCK;
            let pending = (block..len).map(|row| self.get(row)).collect();
            self.pending = pending;
            self.base.truncate(len / BLOCK);
            self.after.truncate(block);
            self.far.truncate(self.far.partition_point(|&(row, _)| (row as usize) < block));
        } else {
            self.pending.truncate(len - self.after.len());
        }
    }

    /// Nothing more comes.
    pub(super) fn finish(&mut self) {
        self.pack();
        self.pending = vec![];
    }

    pub(super) fn reserve_exact(&mut self, more: usize) {
        self.after.reserve_exact(more);
        self.base.reserve_exact(more.div_ceil(BLOCK));
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.base.capacity() + self.pending.capacity()) * 8
            + self.after.capacity() * 4
            + self.far.capacity() * 16
    }

    fn pack(&mut self) {
        let Some(&base) = self.pending.iter().min() else { return };
        self.base.push(base);
        for &time in &self.pending {
            let after = time.checked_sub(base).and_then(|after| u32::try_from(after).ok());
            let after = after.unwrap_or(FAR);
            if after == FAR {
                self.far.push((self.after.len() as u32, time));
            }
            self.after.push(after);
        }
        self.pending.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn times() -> impl Strategy<Value = Vec<i64>> {
        let far = i64::from(FAR);
        let one = prop_oneof![
            0..1_000i64,
            far - 2..far + 2,
            any::<i64>(),
            Just(i64::MIN),
            Just(i64::MAX)
        ];
        let few = prop::collection::vec(one.clone(), 0..3 * BLOCK);
        let near = prop::collection::vec(0..100_000i64, 0..5 * BLOCK);
        prop_oneof![few, near]
    }

    fn of(times: impl IntoIterator<Item = i64>) -> Begins {
        let mut begins = Begins::default();
        times.into_iter().for_each(|time| begins.push(time));
        begins.finish();
        begins
    }

    fn length(begins: &Begins) -> usize {
        begins.after.len() + begins.pending.len()
    }

    proptest! {
        /// Whatever the times, they come back, also while more come.
        #[test]
        fn times_come_back(times in times(), cut in 0..400usize) {
            let mut begins = Begins::default();
            for (row, &time) in times.iter().enumerate() {
                begins.push(time);
                prop_assert_eq!((begins.get(row), begins.get(0)), (time, times[0]));
            }
            begins.truncate(cut);
            let kept = &times[..cut.min(times.len())];
            let told: Vec<i64> = (0..length(&begins)).map(|row| begins.get(row)).collect();
            prop_assert_eq!(&told[..], kept);
            kept.iter().for_each(|&time| begins.push(time));
            let more: Vec<i64> = (0..length(&begins)).map(|row| begins.get(row)).collect();
            prop_assert_eq!(more, [kept, kept].concat());
            begins.finish();
            prop_assert_eq!(begins, of([kept, kept].concat()));
        }
    }

    #[test]
    fn near_times_take_four_bytes() {
        let begins = of((0..64_000i64).map(|time| time * 1_000));
        assert!(begins.after.len() * 4 + begins.base.len() * 8 < 64_000 * 42 / 10);
        assert!(begins.far.is_empty());
    }
}
