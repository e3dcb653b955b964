//! What tracing costs, measured on calls of one function that does nothing.

use calltrace::{Anchor, Happened};

use crate::clock;

/// Times between the stamps of calls and returns.
pub(crate) struct Probe {
    begun: Anchor,
    call: u64,
    sum: u64,
    count: u64,
}

impl Probe {
    pub(crate) fn new() -> Probe {
        Probe { begun: clock::anchor(), call: 0, sum: 0, count: 0 }
    }

    /// An event was stamped.
    pub(crate) fn event(&mut self, happened: Happened, at: u64) {
        match happened {
            Happened::Call => self.call = at,
            _ if self.call > 0 => {
                self.sum += at.saturating_sub(self.call);
                self.count += 1;
                self.call = 0;
            }
            _ => {}
        }
    }

    /// Picoseconds between the stamps of a call and its return, on average since this was asked last; 0 before
    /// there are any.
    pub(crate) fn inside(&mut self) -> u64 {
        let now = clock::anchor();
        let ticks = now.ticks.saturating_sub(self.begun.ticks);
        let nanoseconds = now.monotonic_ns.saturating_sub(self.begun.monotonic_ns);
        if self.count == 0 || ticks == 0 {
            return 0;
        }
        let average = std::mem::take(&mut self.sum) as f64 / std::mem::take(&mut self.count) as f64;
        (average * nanoseconds as f64 / ticks as f64 * 1000.0) as u64
    }
}
