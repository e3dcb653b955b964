//! Events as columns.

use crate::varint;
use crate::word::{Happened, Word};

/// Packs the events of one thread. Returns tell no function where it is that of the innermost call, so that
/// they take a byte; what is open is remembered from chunk to chunk.
#[derive(Debug, Default)]
pub struct Packer {
    /// Functions of calls that are open, innermost last.
    open: Vec<u32>,
}

/// Deeper calls are not remembered: their returns tell their function.
pub(crate) const MOST_OPEN: usize = 1 << 20;

/// A chunk of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The number of bytes of the first column as a varint, what happened, when.
    pub bytes: Vec<u8>,
    /// Events, without the words that belong to others.
    pub events: u64,
    /// Ticks from the start of the chunk to its last event.
    pub ticks: u64,
}

impl Packer {
    /// Packs words in order. `shift` divides ticks by a power of two; what is cut off is carried on, so that
    /// it does not add up.
    pub fn pack(&mut self, words: impl Iterator<Item = Word>, shift: u32) -> Packed {
        let (mut what, mut when) = (vec![], vec![]);
        let (mut ticks, mut told, mut events, mut far) = (0u64, 0u64, 0, 0u64);
        for word in words {
            let number = word.number();
            match word.happened() {
                Some(Happened::Far) => far = u64::from(number) << 32,
                Some(Happened::Activation) => code(&mut what, Happened::Activation, number),
                Some(happened) => {
                    ticks = ticks.wrapping_add(far | u64::from(word.ticks()));
                    far = 0;
                    let at = ticks >> shift;
                    varint::put(&mut when, at.wrapping_sub(told));
                    told = at;
                    events += 1;
                    self.event(&mut what, happened, number);
                }
                None => {}
            }
        }
        let mut bytes = Vec::with_capacity(what.len() + when.len() + 10);
        varint::put(&mut bytes, what.len() as u64);
        bytes.extend(what);
        bytes.extend(when);
        Packed { bytes, events, ticks }
    }

    fn event(&mut self, what: &mut Vec<u8>, happened: Happened, function: u32) {
        if happened.leaves() {
            // A number of 0 stands for the innermost one: others are told one higher.
            let is_innermost = self.open.pop() == Some(function);
            if !is_innermost {
                self.open.clear();
            }
            code(what, happened, if is_innermost { 0 } else { function + 1 });
        } else {
            if self.open.len() >= MOST_OPEN {
                self.open.clear();
            }
            self.open.push(function);
            code(what, happened, function);
        }
    }

    /// Forgets what is open: events were lost.
    pub fn lost(&mut self) {
        self.open.clear();
    }
}

fn code(what: &mut Vec<u8>, happened: Happened, number: u32) {
    varint::put(what, u64::from(number) << 3 | happened as u64);
}
