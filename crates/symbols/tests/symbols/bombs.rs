//! Small files that ask for much: each would take hours or all memory if it were believed.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use symbols::{
    Architecture, Binary, End, Files, Frame, Mapping, Names, Registers, Sources, Unwinder,
};

use crate::disk::Disk;

const CODE: u64 = 0x1000;
const CODE_SIZE: u64 = 0x1000;

const PROGBITS: u32 = 1;
const EXECUTABLE: u64 = 6;
const COMPRESSED: u64 = 0x800;

/// An ELF file of those sections, and code.
fn elf(sections: &[(&str, u64, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![0; 64 + 56];
    let mut names = b"\0".to_vec();
    let mut headers = vec![0; 64];
    let mut add = |bytes: &mut Vec<u8>,
                   name: &str,
                   flags: u64,
                   address: u64,
                   size: Option<u64>,
                   body: &[u8]| {
        let kind = if size.is_some() { 8 } else { PROGBITS };
        headers.extend((names.len() as u32).to_le_bytes());
        headers.extend(kind.to_le_bytes());
        let size = size.unwrap_or(body.len() as u64);
        for word in [flags, address, bytes.len() as u64, size, 0, 0, 0] {
            headers.extend(word.to_le_bytes());
        }
        names.extend(name.as_bytes());
        names.push(0);
        bytes.extend(body);
    };
    add(&mut bytes, ".text", EXECUTABLE, CODE, Some(CODE_SIZE), &[]);
    for (name, flags, body) in sections {
        add(&mut bytes, name, *flags, 0, None, body);
    }
    // The names of sections are the last one, whose own name is nowhere.
    let names_at = bytes.len() as u64;
    bytes.extend(&names);
    headers.extend([0; 4]);
    headers.extend(3_u32.to_le_bytes());
    for word in [0, 0, names_at, names.len() as u64, 0, 0, 0] {
        headers.extend(word.to_le_bytes());
    }
    let headers_at = bytes.len() as u64;
    let count = (headers.len() / 64) as u16;
    bytes.extend(headers);
    let mut put = |at: usize, new: &[u8]| bytes[at..at + new.len()].copy_from_slice(new);
    put(0, b"\x7fELF\x02\x01\x01");
    put(16, &[2, 0, 62, 0, 1, 0, 0, 0]);
    put(32, &64_u64.to_le_bytes());
    put(40, &headers_at.to_le_bytes());
    put(52, &[64, 0, 56, 0, 1, 0, 64, 0]);
    put(60, &[count.to_le_bytes(), (count - 1).to_le_bytes()].concat());
    // One segment: the code, from offset 0.
    put(64, &[1, 0, 0, 0, 5, 0, 0, 0]);
    for (index, word) in [0, CODE, CODE, CODE_SIZE, CODE_SIZE, 1].into_iter().enumerate() {
        put(72 + 8 * index, &u64::to_le_bytes(word));
    }
    bytes
}

/// A unit of version 4 with that table of abbreviations.
fn unit(abbreviations: u32, entries: &[u8]) -> Vec<u8> {
    let size = entries.len() as u32 + 7;
    [&size.to_le_bytes()[..], &[4, 0], &abbreviations.to_le_bytes(), &[8], entries].concat()
}

/// An entry with begin and size of the code.
fn with_code(code: u8) -> Vec<u8> {
    [&[code][..], &CODE.to_le_bytes(), &CODE_SIZE.to_le_bytes()].concat()
}

/// Attributes: begin and size, 8 bytes each.
const EXTENT: [u8; 6] = [0x11, 0x01, 0x12, 0x07, 0, 0];
/// A unit, a function and an inlined call, all with children.
fn abbreviations() -> Vec<u8> {
    let one = |code: u8, tag: u8| [&[code, tag, 1][..], &EXTENT].concat();
    [one(1, 0x11), one(2, 0x2e), one(3, 0x1d)].concat()
}

/// The frames at one address of the code.
fn ask(sections: &[(&str, u64, Vec<u8>)]) -> (Vec<Frame>, Sources) {
    let in_memory = HashMap::from([("/x".to_owned(), elf(sections))]);
    let files: Arc<dyn Files> = Arc::new(Disk { in_memory, ..Disk::default() });
    let binary = Binary { path: "/x".to_owned(), build_id: None };
    let mut names = Names::open(&files, &binary).unwrap();
    let mut frames = vec![];
    for address in CODE..CODE + 64 {
        frames.clear();
        names.at_address(address, &mut frames);
    }
    (frames, names.sources())
}

fn sections(info: Vec<u8>, abbreviations: Vec<u8>) -> Vec<(&'static str, u64, Vec<u8>)> {
    vec![(".debug_info", 0, info), (".debug_abbrev", 0, abbreviations)]
}

#[test]
fn calls_inside_of_calls_without_end() {
    let nested = |depth: usize| {
        let mut entries = [with_code(1), with_code(2)].concat();
        (0..depth).for_each(|_| entries.extend(with_code(3)));
        ask(&sections(unit(0, &entries), [abbreviations(), vec![0]].concat()))
    };
    let (frames, sources) = nested(100);
    assert_eq!((frames.len(), sources.damaged), (101, 0));
    let (frames, sources) = nested(300_000);
    assert_eq!((frames.len(), sources.damaged), (1, 1));
    // An entry of a byte, inside of the one before, and so on.
    let mut entries = [with_code(1), with_code(2)].concat();
    entries.extend(vec![4; 2_000_000]);
    let (frames, _) =
        ask(&sections(unit(0, &entries), [abbreviations(), vec![4, 0x0b, 1, 0, 0, 0]].concat()));
    assert_eq!(frames.len(), 1);
}

#[test]
fn entries_that_share_one_long_list_of_ranges() {
    // A function whose ranges are a list: 5 bytes.
    let functions = [4, 0, 0, 0, 0].repeat(100_000);
    let table = [abbreviations(), vec![4, 0x2e, 0, 0x55, 0x17, 0, 0, 0]].concat();
    let list: Vec<u8> =
        (1..200_000_u64).flat_map(|at| [at * 2, at * 2 + 1]).flat_map(u64::to_le_bytes).collect();
    let mut all = sections(unit(0, &[with_code(1), functions].concat()), table);
    all.push((".debug_ranges", 0, list));
    let (frames, sources) = ask(&all);
    assert!(frames.is_empty() && sources.damaged > 0);
}

#[test]
fn entries_of_a_byte_with_many_attributes() {
    // A flag that takes no bytes, 100,000 times.
    let mut table = abbreviations();
    table.extend([4, 0x34, 0]);
    table.extend([0x3f, 0x19].repeat(100_000));
    table.extend([0, 0, 0]);
    let entries = [with_code(1), vec![4; 1_000_000]].concat();
    let (frames, sources) = ask(&sections(unit(0, &entries), table));
    assert!(frames.is_empty() && sources.damaged > 0);
}

#[test]
fn units_that_share_one_long_table() {
    // Each unit begins at another byte of the table.
    let mut table = abbreviations();
    (4..60_000_u32).for_each(|_| table.extend([5, 0x34, 0, 0, 0]));
    let units = (0..40_000_u32).flat_map(|at| unit(at * 5, &[5])).collect();
    let (frames, _) = ask(&sections(units, table));
    assert!(frames.is_empty());
}

#[test]
fn units_that_share_one_long_table_of_lines() {
    // A unit that says nothing of its code, but where its lines are.
    let table = vec![1, 0x11, 0, 0x10, 0x17, 0, 0, 0];
    let units = (0..20_000).flat_map(|_| unit(0, &[1, 0, 0, 0, 0])).collect();
    let mut program = vec![0, 9, 2];
    program.extend(CODE.to_le_bytes());
    program.extend(vec![1; 1_000_000]);
    let header = [1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0];
    let mut lines = (6 + header.len() as u32 + program.len() as u32).to_le_bytes().to_vec();
    lines.extend([4, 0]);
    lines.extend((header.len() as u32).to_le_bytes());
    lines.extend(header);
    lines.extend(program);
    let mut all = sections(units, table);
    all.push((".debug_line", 0, lines));
    let (frames, sources) = ask(&all);
    assert!(frames.is_empty() && sources.damaged > 0);
}

#[test]
fn packed_sections_that_are_much_larger_than_the_file() {
    let packed = |claimed: u64, real: usize| {
        let mut encoder = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
        encoder.write_all(&vec![0; real]).unwrap();
        let packed = encoder.finish().unwrap();
        [
            &1_u32.to_le_bytes()[..],
            &[0; 4],
            &claimed.to_le_bytes(),
            &[1, 0, 0, 0, 0, 0, 0, 0],
            &packed,
        ]
        .concat()
    };
    for (claimed, real) in [(64 << 20, 64 << 20), (u64::MAX, 100), (1 << 40, 100), (10, 1 << 20)] {
        let mut all = sections(unit(0, &with_code(1)), abbreviations());
        all[0] = (".debug_info", COMPRESSED, packed(claimed, real));
        let (frames, _) = ask(&all);
        assert!(frames.is_empty());
    }
}

#[test]
fn unwind_entries_that_share_one_long_one() {
    // Many functions, each with instructions as long as the section: those of another one.
    let entry = |body: Vec<u8>| [&(body.len() as u32).to_le_bytes()[..], &body].concat();
    let name = [&[0; 4][..], &[1], b"zR", &vec![b'x'; 500_000], &[0, 1, 0x78, 16, 1, 3]].concat();
    let mut table = entry(name);
    for function in 0..40_000_u32 {
        let back = (table.len() as u32 + 4).to_le_bytes();
        table.extend(entry(
            [&back[..], &function.to_le_bytes(), &1_u32.to_le_bytes(), &[0; 4]].concat(),
        ));
    }
    let in_memory = HashMap::from([("/x".to_owned(), elf(&[(".eh_frame", 2, table)]))]);
    let files = Arc::new(Disk { in_memory, ..Disk::default() });
    let mut unwinder = Unwinder::new(files, Architecture::X86_64);
    let mapping = Mapping { start: 0, end: 1 << 20, file_offset: 0, path: "/x", build_id: None };
    unwinder.map(1, &mapping);
    for address in CODE..CODE + 64 {
        let registers = Registers::new(Architecture::X86_64, address, 0x1000, 0);
        let walked = unwinder.walk(1, &registers, &[0; 64], &mut vec![]);
        assert!(matches!(walked.end, End::NoUnwindInfo { .. }), "{walked:?}");
    }
}
