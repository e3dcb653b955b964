//! Columns that take no memory where nothing is told.

/// A column that stays empty until a row differs from the default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SparseColumn<T> {
    pub(crate) raw: Vec<T>,
}

impl<T: Copy + PartialEq> SparseColumn<T> {
    #[inline]
    pub(crate) fn push(&mut self, row: usize, value: T, default: T) {
        if self.raw.is_empty() {
            if value == default {
                return;
            }
            self.raw.resize(row, default);
        }
        self.raw.push(value);
    }

    /// Another value for a row of `len`.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, value: T, default: T, len: usize) {
        if self.raw.is_empty() && value != default {
            self.raw.resize(len, default);
        }
        if let Some(known) = self.raw.get_mut(row) {
            *known = value;
        }
    }

    pub(crate) fn truncate(&mut self, len: usize, default: T) {
        self.raw.truncate(len);
        if self.raw.iter().all(|&value| value == default) {
            self.raw.clear();
        }
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<T> {
        self.raw.get(row).copied()
    }
}
