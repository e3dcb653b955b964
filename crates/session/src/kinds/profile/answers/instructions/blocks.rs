//! Basic blocks: code that is entered at its first instruction and left after its last (F. E. Allen,
//! *Control Flow Analysis*, 1970), as far as jumps name where they lead.

use std::collections::HashSet;

/// Of instructions by address, the number of the block of each, from 0.
pub(super) fn numbers(instructions: &[(u64, &str)]) -> Vec<u32> {
    let targets: HashSet<u64> = instructions
        .iter()
        .filter(|(_, text)| leaves(text))
        .filter_map(|(_, text)| target(text))
        .collect();
    let mut block = 0;
    let mut is_after_jump = false;
    let number = |(at, &(address, text)): (usize, &(u64, &str))| {
        if at > 0 && (is_after_jump || targets.contains(&address)) {
            block += 1;
        }
        is_after_jump = leaves(text);
        block
    };
    instructions.iter().enumerate().map(number).collect()
}

/// Whether what follows may be something else: jumps and returns of x86 and 64-bit ARM. Calls come back.
fn leaves(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_prefix = |word: &&str| matches!(*word, "bnd" | "notrack" | "rep" | "repz" | "repz,pt");
    let Some(name) = words.find(|word| !is_prefix(word)) else { return false };
    let of_x86 = name.starts_with('j') || name.starts_with("ret") || name.starts_with("loop");
    let of_arm = matches!(name, "b" | "br" | "cbz" | "cbnz" | "tbz" | "tbnz" | "eret")
        || name.starts_with("b.");
    of_x86 || of_arm || matches!(name, "ud2" | "hlt" | "udf")
}

/// Where a jump leads: the number before the name in `jne 401136 <main+0x10>`.
fn target(text: &str) -> Option<u64> {
    let before = text.split('<').next()?.trim_end();
    let number = before.rsplit([' ', ',']).next()?;
    u64::from_str_radix(number.strip_prefix("0x").unwrap_or(number), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_begin_where_jumps_lead_and_after_jumps() {
        let x86 = [
            (0x10, "push %rbp"),
            (0x11, "jmp 1a <f+0xa>"),
            (0x13, "call 80 <g>"),
            (0x18, "add %eax,%ebx"),
            (0x1a, "cmp $0x9,%eax"),
            (0x1d, "jle 13 <f+0x3>"),
            (0x1f, "ret"),
        ];
        assert_eq!(numbers(&x86), [0, 0, 1, 1, 2, 2, 3]);
        let arm = [
            (0x10, "cbz w0, 18 <f+0x8>"),
            (0x14, "bl 80 <g>"),
            (0x18, "b.ne 10 <f>"),
            (0x1c, "ret"),
        ];
        assert_eq!(numbers(&arm), [0, 1, 2, 3]);
    }

    #[test]
    fn jumps_through_registers_lead_nowhere_that_is_known() {
        assert_eq!(target("jmp *%rax"), None);
        assert!(leaves("notrack jmp *%rax") && leaves("bnd ret") && !leaves("call 80 <g>"));
    }
}
