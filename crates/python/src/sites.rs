//! Places in the code that call, and how often each called what is not a function of C.
//!
//! Such a call is an event that tells nothing, and costs as much as one that does. Where a trace is bounded, a
//! place that made many is switched off, which is counted: a function of C that is called from it later is not
//! seen.

/// Places that are looked at; one takes the row of another where both have the same.
const ROWS: usize = 1 << 14;

/// Counts by place.
pub(crate) struct Sites(Box<[(usize, u32); ROWS]>);

impl Sites {
    pub(crate) fn new() -> Sites {
        Sites(Box::new([(0, 0); ROWS]))
    }

    /// Counts a call from an offset in a code object, and gives how many there were.
    #[inline]
    pub(crate) fn count(&mut self, code: usize, offset: usize) -> u32 {
        let key = code.wrapping_add(offset.wrapping_mul(0x9e37_79b9));
        let row = &mut self.0[(key ^ key >> 17) >> 1 & (ROWS - 1)];
        if row.0 != key {
            *row = (key, 0);
        }
        row.1 = row.1.saturating_add(1);
        row.1
    }
}
