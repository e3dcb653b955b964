//! Damaged recordings: none panics, takes much memory, or never ends.

use std::path::PathBuf;

use perfdata::{Body, Reader};

/// What a reader may hold until records that may be earlier have come.
const MOST: usize = 64 << 20;
/// Mutants of each file.
const TRIES: u64 = 1500;

/// Reads all that there is and looks at every field.
fn exhaust(bytes: &[u8]) {
    let Ok(mut reader) = Reader::open(bytes) else { return };
    let (mut most, mut sum) = (0, 0u64);
    loop {
        most = most.max(reader.heap_bytes());
        let Ok(Some((head, record))) = reader.next() else { break };
        if let Body::Sample(sample) = record.body {
            sum += sample.callchain.map_or(0, |chain| chain.links().count() as u64);
            sum += sample.branches.map_or(0, |branches| branches.iter().count() as u64);
            sum += sample.read.map_or(0, |read| read.counters().count() as u64);
            sum += sample.regs_user.map_or(0, |registers| registers.values().count() as u64);
            if let (Some(raw), Some(tracing)) = (sample.raw, &head.features.tracing) {
                for format in tracing.formats.values() {
                    let values = format.fields.iter().map(|field| field.value(raw, tracing.order));
                    sum +=
                        values.flatten().map(|value| value.to_string().len() as u64).sum::<u64>();
                }
            }
        }
    }
    assert!(most < MOST, "{most} bytes are held");
    std::hint::black_box(sum);
}

/// A small generator of numbers, the same on every machine (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

/// Values that lengths, counts and offsets do not like.
fn number(random: &mut Random) -> u64 {
    match random.below(6) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << random.below(64),
        3 => (1u64 << random.below(64)).wrapping_sub(1),
        4 => random.next() % 4096,
        _ => random.next(),
    }
}

fn mutant(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=random.below(3) {
        // Headers and the beginnings of records are where structure is.
        let at = if random.below(3) == 0 {
            random.below(256.min(out.len()))
        } else {
            random.below(out.len())
        };
        match random.below(5) {
            0 => out[at] = random.next() as u8,
            1 => out.truncate(at.max(8)),
            2 => {
                let width = [2, 4, 8][random.below(3)];
                let at = at / width * width;
                let bytes = number(random).to_le_bytes();
                let end = (at + width).min(out.len());
                out[at..end].copy_from_slice(&bytes[..end - at]);
            }
            3 => {
                let (from, count) = (random.below(out.len()), random.below(200));
                let piece = out[from..(from + count).min(out.len())].to_vec();
                out.splice(at..at, piece);
            }
            _ => {
                let end = (at + random.below(100)).min(out.len());
                out.drain(at..end);
            }
        }
        if out.len() < 16 {
            break;
        }
    }
    out
}

#[test]
fn damage_is_survived() {
    let mut files: Vec<PathBuf> = vec![];
    let folders = [
        Some(samples::testdata("perf-data")),
        samples::corpus("perf"),
        samples::corpus("perf-data"),
    ];
    for folder in folders.into_iter().flatten() {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.extend(
            entries.filter(|path| path.is_file() && path.to_string_lossy().ends_with(".data")),
        );
    }
    files.sort();
    assert!(files.len() >= 8, "samples are missing");
    for (number, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        exhaust(&bytes);
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ number as u64);
        // Large ones have fewer, for their mutants are alike.
        let tries = if bytes.len() > 100_000 { TRIES / 10 } else { TRIES };
        for _ in 0..tries {
            exhaust(&mutant(&bytes, &mut random));
        }
    }
}
