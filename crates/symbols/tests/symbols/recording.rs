//! The few records of a perf recording that these tests need, found by a scan of their own.

use symbols::{Architecture, Mapping, Registers, Unwinder};

/// `PERF_RECORD_MMAP2` and `PERF_RECORD_SAMPLE`, `_FORK`, `_COMM`.
const MMAP2: u32 = 10;
const SAMPLE: u32 = 9;
const FORK: u32 = 7;
const COMM: u32 = 3;

/// A sample with registers and stack.
pub(crate) struct Sample {
    pub(crate) process: u32,
    pub(crate) registers: Registers,
    pub(crate) stack: Vec<u8>,
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Feeds the mappings to `unwinder` and gives the samples, in the order of the file.
pub(crate) fn read(data: &[u8], unwinder: &mut Unwinder) -> Vec<Sample> {
    // The header: attributes, then data.
    let attributes = u64_at(data, 24) as usize;
    let (begin, size) = (u64_at(data, 40) as usize, u64_at(data, 48) as usize);
    let sample_type = u64_at(data, attributes + 24);
    let read_format = u64_at(data, attributes + 32);
    let registers_mask = u64_at(data, attributes + 80);
    let mut records = &data[begin..begin + size];
    let mut samples = vec![];
    while records.len() >= 8 {
        let size = usize::from(u16::from_le_bytes(records[6..8].try_into().unwrap()));
        let (kind, misc) = (u32_at(records, 0), u32_at(records, 4) as u16);
        let body = &records[8..size];
        match kind {
            MMAP2 => {
                let path = body[64..].split(|byte| *byte == 0).next().unwrap();
                // Bit 14: a build id stands where device and inode do otherwise.
                let has_id = misc & 1 << 14 != 0;
                let build_id = has_id.then(|| &body[36..36 + usize::from(body[32])]);
                let start = u64_at(body, 8);
                let mapping = Mapping {
                    start,
                    end: start + u64_at(body, 16),
                    file_offset: u64_at(body, 24),
                    path: std::str::from_utf8(path).unwrap(),
                    build_id,
                };
                unwinder.map(u32_at(body, 0), &mapping);
            }
            FORK => unwinder.fork(u32_at(body, 4), u32_at(body, 0)),
            // Bit 13: the name is that of a program that was started.
            COMM if misc & 1 << 13 != 0 => unwinder.exec(u32_at(body, 0)),
            SAMPLE => samples.extend(sample(body, sample_type, read_format, registers_mask)),
            _ => {}
        }
        records = &records[size..];
    }
    samples
}

fn sample(body: &[u8], kind: u64, read_format: u64, mask: u64) -> Option<Sample> {
    let has = |bit: u32| kind & 1 << bit != 0;
    let mut at = 0;
    let mut skip_if = |is_there: bool| at += if is_there { 8 } else { 0 };
    // Identifier, instruction.
    skip_if(has(16));
    skip_if(has(0));
    let mut process = 0;
    if has(1) {
        process = u32_at(body, at);
        at += 8;
    }
    // Time, address, id, stream, cpu, period.
    [2, 3, 6, 9, 7, 8].into_iter().for_each(|bit| at += if has(bit) { 8 } else { 0 });
    if has(4) {
        assert_eq!(read_format & 8, 0, "no groups here");
        at += 8 + 8 * (read_format & 7).count_ones() as usize;
    }
    if has(5) {
        at += 8 + 8 * u64_at(body, at) as usize;
    }
    assert!(!has(10) && !has(11), "no raw data, no branches here");
    let mut registers = None;
    if has(12) {
        let abi = u64_at(body, at);
        at += 8;
        if abi != 0 {
            let count = mask.count_ones() as usize;
            let values: Vec<u64> = (0..count).map(|index| u64_at(body, at + 8 * index)).collect();
            registers = Registers::from_perf(Architecture::X86_64, mask, &values);
            at += 8 * count;
        }
    }
    let mut stack = vec![];
    if has(13) {
        let size = u64_at(body, at) as usize;
        at += 8;
        if size > 0 {
            let filled = u64_at(body, at + size) as usize;
            stack = body[at..at + filled].to_vec();
        }
    }
    Some(Sample { process, registers: registers?, stack })
}
