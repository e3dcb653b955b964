//! Positions: which columns of a line they are, absolute or relative.

use crate::numbers::hexadecimal::number;

pub(super) struct Positions {
    pub(super) address: Option<usize>,
    pub(super) line: Option<usize>,
    pub(super) count: usize,
    /// Those of the line before.
    pub(super) last: [u64; 2],
}

impl Default for Positions {
    fn default() -> Self {
        Positions { address: None, line: Some(0), count: 1, last: [0; 2] }
    }
}

impl Positions {
    pub(super) fn set(&mut self, value: &str) {
        let names: Vec<&str> = value.split_whitespace().take(2).collect();
        self.address = names.iter().position(|&name| name == "instr");
        self.line = names.iter().position(|&name| name == "line");
        self.count = names.len().max(1);
    }
}

/// A position: absolute, or relative to the one before in its column.
pub(super) fn position(word: &str, last: u64) -> Option<u64> {
    match word.as_bytes() {
        [b'*'] => Some(last),
        [b'+', ..] => last.checked_add(number(&word[1..])?),
        [b'-', ..] => last.checked_sub(number(&word[1..])?),
        _ => number(word),
    }
}
