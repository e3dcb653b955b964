//! How much work a file may ask for.

/// Counts steps, so that a file of a few bytes cannot ask for hours: entries that share a list, units
/// that share a table. Honest files stay far below.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: u64,
}

/// The file asks for more work than a file of its size should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

impl Budget {
    /// For debug information of so many bytes. Every byte is looked at a few times: when functions are
    /// listed, when one is read, when its lines are.
    pub(crate) fn for_bytes(bytes: u64) -> Self {
        Self { left: bytes.saturating_mul(16).saturating_add(1 << 20) }
    }

    /// With what another file of so many bytes may ask for.
    pub(crate) fn and(&self, bytes: u64) -> Self {
        Self { left: self.left.saturating_add(bytes.saturating_mul(16)) }
    }

    /// Takes `steps`, if there are as many.
    pub(crate) fn take(&mut self, steps: u64) -> Result<(), Exhausted> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Exhausted)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_and_stays_so() {
        let mut budget = Budget { left: 3 };
        assert_eq!(budget.take(2), Ok(()));
        assert_eq!(budget.take(2), Err(Exhausted));
        assert_eq!(budget.take(1), Err(Exhausted));
    }
}
