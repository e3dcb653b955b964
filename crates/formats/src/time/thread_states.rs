//! What becomes of a thread that leaves a processor, as the kernel's scheduler tells it: by letters in
//! texts (`prev_state=S`), by bits in binary traces (`TASK_*` of Linux).

/// The label of a span of what ran on a processor that says what became of the thread then.
pub(crate) const THEN: &str = "then";

/// The label of a span of no length, of which the recording has one end alone.
pub(crate) const RECORDED: &str = "recorded";
/// It came to the processor.
pub(crate) const BEGIN_ALONE: &str = "begin alone";
/// It left it.
pub(crate) const END_ALONE: &str = "end alone";

/// It will not come back.
pub(crate) const ENDED: &str = "ended";

/// It still ran when the recording ended.
pub(crate) const RUNNING: &str = "running when the recording ended";

/// It could have gone on.
pub(crate) const RUNNABLE: &str = "runnable";

/// Letters with their bits and words.
const STATES: [(&str, i64, &str); 8] = [
    ("S", 0x01, "sleeping"),
    ("D", 0x02, "sleeping, not interruptible"),
    ("T", 0x04, "stopped"),
    ("t", 0x08, "stopped by a tracer"),
    ("X", 0x10, ENDED),
    ("Z", 0x20, ENDED),
    ("P", 0x40, "parked"),
    ("I", 0x80, "idle"),
];

/// A state in words: what is preempted (`R+`) may go on; of several letters, as `D|W`, the first that
/// is known counts.
pub(crate) fn of_letters(text: &str) -> Option<&'static str> {
    if text.starts_with('R') {
        return Some(RUNNABLE);
    }
    let of = |letter: &str| STATES.iter().find(|(known, ..)| *known == letter);
    text.trim_end_matches('+').split('|').find_map(of).map(|(.., words)| *words)
}

/// The same of bits; what was preempted has one above those of states, whichever the kernel's version
/// has for it.
pub(crate) fn of_bits(state: i64) -> Option<&'static str> {
    match state & 0xff {
        0 if state == 0 || state.count_ones() == 1 => Some(RUNNABLE),
        low => STATES.iter().find(|(_, bit, _)| low & bit != 0).map(|(.., words)| *words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_bits_are_the_same_states() {
        for (letters, bits, words) in [
            ("R", 0, "runnable"),
            ("R+", 0x100, "runnable"),
            ("S", 1, "sleeping"),
            ("D", 2, "sleeping, not interruptible"),
            ("D|W", 0x82, "sleeping, not interruptible"),
            ("X", 0x10, ENDED),
            ("I", 0x80, "idle"),
        ] {
            assert_eq!((of_letters(letters), of_bits(bits)), (Some(words), Some(words)));
        }
        assert_eq!((of_letters("?"), of_bits(0x300), of_letters("")), (None, None, None));
    }
}
