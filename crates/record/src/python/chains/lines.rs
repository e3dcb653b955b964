//! From a place in the code to a line (CPython's `InternalDocs/code_objects.md`, "The location table").

/// The line of an instruction, by its distance from the code's begin in bytes; none where the table tells none.
pub(super) fn line(first: u32, table: &[u8], instruction: u64) -> Option<u32> {
    let mut line = i64::from(first);
    let (mut at, mut end) = (0, 0u64);
    while at < table.len() {
        let head = table[at];
        at += 1;
        end += (u64::from(head & 7) + 1) * 2;
        let code = head >> 3 & 15;
        let mut has_line = true;
        match code {
            0..=9 => at += 1,
            10..=12 => {
                line += i64::from(code) - 10;
                at += 2;
            }
            13 | 14 => {
                let coded = number(table, &mut at)?;
                let distance = (coded >> 1) as i64;
                line += if coded & 1 == 1 { -distance } else { distance };
                if code == 14 {
                    // The end, and both columns.
                    for _ in 0..3 {
                        number(table, &mut at)?;
                    }
                }
            }
            _ => has_line = false,
        }
        if end > instruction {
            return if has_line { u32::try_from(line).ok() } else { None };
        }
    }
    None
}

/// Six bits a byte, the lowest first.
fn number(table: &[u8], at: &mut usize) -> Option<u64> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = *table.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 63).checked_shl(shift)?;
        shift += 6;
        if byte & 64 == 0 {
            return Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_instructions() {
        // Two instructions in the first line with columns, one two lines on, one without a line, one three
        // lines back with all of its columns.
        let table = [0x81, 0x00, 0x80 | 12 << 3, 0, 0, 0x80 | 15 << 3, 0x80 | 14 << 3, 7, 0, 1, 2];
        let told = [0, 2, 4, 6, 8, 10].map(|at| line(10, &table, at));
        assert_eq!(told, [Some(10), Some(10), Some(12), None, Some(9), None]);
        assert_eq!(line(10, &[0x80 | 13 << 3, 0x40 | 63], 0), None, "a number without an end");
    }
}
