//! Unwind information written by hand: what compilers write seldom, and for another processor.

use std::sync::Arc;

use symbols::unwind::CodeUnwind;
use symbols::{Architecture, End, Mapping, Registers, Unwinder, Walked};

use crate::disk::Disk;

const CODE: u64 = 0x10_0000;
const CALLER: u64 = 0x20_0040;
const STACK: u64 = 0x7fff_0000;

/// An `.eh_frame` with one function of 64 bytes at address 0.
fn eh_frame(augmentation: &str, ra: u8, alignment: u8, initial: &[u8], rules: &[u8]) -> Vec<u8> {
    let entry = |body: Vec<u8>| {
        let mut body = body;
        body.resize(body.len().next_multiple_of(4), 0);
        [&(body.len() as u32).to_le_bytes()[..], &body].concat()
    };
    // Version 1, code by `alignment` and data by -8; absolute addresses of 4 bytes.
    let augmentation = [augmentation.as_bytes(), &[0]].concat();
    let shared = [&[0; 4], &[1][..], &augmentation, &[alignment, 0x78, ra, 1, 0x03], initial];
    let shared = entry(shared.concat());
    let back = (shared.len() as u32 + 4).to_le_bytes();
    let function = [&back[..], &0_u32.to_le_bytes(), &64_u32.to_le_bytes(), &[0], rules];
    [shared, entry(function.concat())].concat()
}

/// Walks from code with that information; callers have none.
fn walk(
    architecture: Architecture,
    eh_frame: Vec<u8>,
    offset: u64,
    more: &[(u8, u64)],
    stack: &[u64],
) -> (Vec<u64>, Walked) {
    let mut unwinder = Unwinder::new(Arc::new(Disk::default()), architecture);
    let unwind = CodeUnwind { bytes: eh_frame.into(), header_size: 0, address: 64 };
    unwinder.map_code(1, CODE, 64, Some(&unwind));
    let (start, end) = (0x20_0000, 0x20_1000);
    let caller = Mapping { start, end, file_offset: 0, path: "//anon", build_id: None };
    unwinder.map(1, &caller);
    let mut registers = Registers::new(architecture, CODE + offset, STACK, 0);
    more.iter().for_each(|(register, value)| registers.set(*register, *value));
    let stack: Vec<u8> = stack.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut out = vec![];
    let walked = unwinder.walk(1, &registers, &stack, &mut out);
    (out, walked)
}

const DEF_CFA: u8 = 0x0c;
const DEF_CFA_OFFSET: u8 = 0x0e;
const DEF_CFA_EXPRESSION: u8 = 0x0f;
const UNDEFINED: u8 = 0x07;
const ADVANCE: u8 = 0x40;
const OFFSET: u8 = 0x80;

/// The frame is above the stack pointer's word, and the return address below it.
const X86: [u8; 5] = [DEF_CFA, 7, 8, OFFSET | 16, 1];

#[test]
fn functions_of_arm_return_by_a_register_until_they_keep_it() {
    // stp x29, x30, [sp, #-16]!
    let rules = [ADVANCE | 1, DEF_CFA_OFFSET, 16, OFFSET | 29, 2, OFFSET | 30, 1];
    let table = || eh_frame("zR", 30, 4, &[DEF_CFA, 31, 0], &rules);
    let arm = Architecture::Aarch64;
    let (frames, walked) = walk(arm, table(), 0, &[(30, CALLER)], &[0, 0]);
    assert_eq!((frames, walked.by_frame_pointer), (vec![CODE, CALLER - 1], 0));
    // Pointer authentication signs addresses in the bits that none has.
    let signed = CALLER | 0xab5a << 48;
    let (frames, _) = walk(arm, table(), 8, &[(30, 1)], &[0, signed]);
    assert_eq!(frames, [CODE + 8, CALLER - 1]);
    // A leaf that returns to itself ends.
    let (frames, walked) = walk(arm, table(), 0, &[(30, CODE)], &[0, 0]);
    assert_eq!((frames.len(), walked.is_truncated()), (1, true));
}

#[test]
fn registers_other_than_the_frame_pointer_lead_to_frames() {
    // A realigned stack: the frame is where r10 points.
    let rules = [DEF_CFA, 10, 0];
    let table = || eh_frame("zR", 16, 1, &X86, &rules);
    let x86 = Architecture::X86_64;
    let (frames, _) = walk(x86, table(), 4, &[(10, STACK + 32)], &[1, 2, 3, CALLER]);
    assert_eq!(frames, [CODE + 4, CALLER - 1]);
    // Not recorded, and below the stack.
    for more in [&[][..], &[(10, STACK - 8)]] {
        let (frames, walked) = walk(x86, table(), 4, more, &[1, 2, 3, CALLER]);
        assert!(frames.len() == 1 && matches!(walked.end, End::Misread { .. }), "{walked:?}");
    }
}

#[test]
fn expressions_are_followed_and_end() {
    let x86 = Architecture::X86_64;
    // As linkers write it for stubs: rsp + 8 + ((rip & 15) >= 11) << 3.
    let stub = [0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
    let rules =
        |expression: &[u8]| [&[DEF_CFA_EXPRESSION, expression.len() as u8], expression].concat();
    let table = |expression: &[u8]| eh_frame("zR", 16, 1, &X86, &rules(expression));
    let (frames, _) = walk(x86, table(&stub), 3, &[], &[CALLER, 0]);
    assert_eq!(frames, [CODE + 3, CALLER - 1]);
    let (frames, _) = walk(x86, table(&stub), 12, &[], &[7, CALLER]);
    assert_eq!(frames, [CODE + 12, CALLER - 1]);
    // Jumps backwards, more values than there is room for, too few, and nothing.
    let jump = [0x2f, 0xfd, 0xff];
    for expression in [&jump[..], &[0x31; 100], &[0x22], &[]] {
        let (frames, walked) = walk(x86, table(expression), 3, &[], &[CALLER, 0]);
        assert!(frames.len() == 1 && matches!(walked.end, End::Misread { .. }), "{walked:?}");
    }
}

#[test]
fn who_was_interrupted_by_a_signal_is_at_an_instruction_and_not_after_a_call() {
    let x86 = Architecture::X86_64;
    let (frames, _) = walk(x86, eh_frame("zRS", 16, 1, &X86, &[]), 0, &[], &[CALLER]);
    assert_eq!(frames, [CODE, CALLER]);
}

#[test]
fn who_has_no_return_address_was_called_by_nobody() {
    let x86 = Architecture::X86_64;
    let table = eh_frame("zR", 16, 1, &X86, &[UNDEFINED, 16]);
    let (frames, walked) = walk(x86, table, 0, &[], &[CALLER]);
    assert_eq!((frames, walked.end), (vec![CODE], End::Whole));
    let (frames, walked) = walk(x86, eh_frame("zR", 16, 1, &X86, &[]), 0, &[], &[0]);
    assert_eq!((frames, walked.end), (vec![CODE], End::Whole));
    // A return address that is not code, and none in the copy.
    let table = || eh_frame("zR", 16, 1, &X86, &[]);
    let (_, walked) = walk(x86, table(), 0, &[], &[5]);
    assert!(matches!(walked.end, End::Misread { .. }));
    let (_, walked) = walk(x86, table(), 0, &[], &[]);
    assert_eq!(walked.end, End::StackTooShort);
}
