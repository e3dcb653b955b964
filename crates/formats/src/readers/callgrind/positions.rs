//! Positions: which columns of a line they are, absolute or relative.

use crate::numbers::hexadecimal::number;

#[derive(Clone, Copy)]
pub(super) struct Positions {
    pub(super) address: Option<usize>,
    pub(super) line: Option<usize>,
    pub(super) count: usize,
}

impl Default for Positions {
    fn default() -> Self {
        Positions { address: None, line: Some(0), count: 1 }
    }
}

impl Positions {
    pub(super) fn of(value: &str) -> Positions {
        let names: Vec<&str> = value.split_whitespace().take(2).collect();
        Positions {
            address: names.iter().position(|&name| name == "instr"),
            line: names.iter().position(|&name| name == "line"),
            count: names.len().max(1),
        }
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
