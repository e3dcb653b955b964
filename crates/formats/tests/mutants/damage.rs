//! Damage to recordings: of values, and of structure.

use crate::recording::Recording;

/// Random numbers that are the same for the same seed (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }

    /// A number that sizes, counts, times and offsets do not like.
    fn extreme(&mut self) -> u64 {
        match self.below(7) {
            0 => 0,
            1 => u64::MAX,
            2 => i64::MAX as u64,
            3 => 1 << self.below(64),
            4 => (1u64 << self.below(64)).wrapping_sub(1),
            5 => self.number() % 4096,
            _ => self.number(),
        }
    }
}

/// A recording with some of the records of another, and some damage.
pub(crate) fn mutant(
    of: &Recording,
    other: &Recording,
    part: usize,
    random: &mut Random,
) -> Vec<u8> {
    let mut records = excerpt(of, part, random);
    let rounds = 1 + random.below(3);
    // Half of them are damaged in records, which readers come to when all before was sound.
    let is_structured = random.below(2) == 0;
    if is_structured {
        for _ in 0..rounds {
            damage_records(&mut records, other, random);
        }
    }
    let mut bytes = of.put(records.iter().map(Vec::as_slice));
    if !is_structured {
        for _ in 0..rounds {
            damage_bytes(&mut bytes, of.front.len(), random);
        }
    }
    bytes
}

/// The first records, which say what is mapped and who runs, and some behind them.
fn excerpt(of: &Recording, part: usize, random: &mut Random) -> Vec<Vec<u8>> {
    let all = &of.records;
    let size: usize = all.iter().map(Vec::len).sum();
    if size <= part * 2 {
        return all.clone();
    }
    let up_to = |from: usize| {
        let mut left = part;
        let taken = all[from..].iter().take_while(move |record| {
            let fits = left >= record.len();
            left = left.saturating_sub(record.len());
            fits
        });
        from + taken.count().max(1)
    };
    let first = up_to(0).min(all.len());
    let start = first + random.below(all.len() - first);
    let behind = if start < all.len() { up_to(start).min(all.len()) } else { start };
    all[..first].iter().chain(&all[start..behind]).cloned().collect()
}

fn damage_records(records: &mut Vec<Vec<u8>>, other: &Recording, random: &mut Random) {
    let at = random.below(records.len());
    let Some(record) = records.get_mut(at) else { return };
    let words = record.len() / 8;
    match random.below(10) {
        // The kind, what it says of itself, and the size.
        0 => record[0] = random.below(90) as u8,
        1 => record[4..6].copy_from_slice(&(random.extreme() as u16).to_le_bytes()),
        2 => record[6..8].copy_from_slice(&(random.extreme() as u16).to_le_bytes()),
        // Fields.
        3 | 4 if words > 1 => {
            let place = 8 * (1 + random.below(words - 1));
            record[place..place + 8].copy_from_slice(&random.extreme().to_le_bytes());
        }
        5 if words > 2 => {
            let [one, two] = [(); 2].map(|()| 8 * (1 + random.below(words - 1)));
            for byte in 0..8 {
                record.swap(one + byte, two + byte);
            }
        }
        // One that is shorter or longer than its fields, and says so.
        6 => {
            let size = (8 * random.below(words + 4)).max(8);
            record.resize(size, random.number() as u8);
            record[6..8].copy_from_slice(&(size as u16).to_le_bytes());
        }
        // Some are gone, in another order, there twice, or of another recording.
        7 => drop(records.drain(at..(at + random.below(4)).min(records.len()))),
        8 => {
            let to = random.below(records.len());
            records.swap(at, to);
            let again = records[random.below(records.len())].clone();
            records.insert(to, again);
        }
        _ => {
            let from = random.below(other.records.len());
            let until = (from + 1 + random.below(8)).min(other.records.len());
            records.splice(at..at, other.records[from..until].iter().cloned());
        }
    }
}

fn damage_bytes(bytes: &mut Vec<u8>, front: usize, random: &mut Random) {
    // The header and its events are where structure is, and what is behind records.
    let at = match random.below(3) {
        0 => random.below(front.min(bytes.len())),
        1 => bytes.len() - 1 - random.below((bytes.len() / 4).min(4096)),
        _ => random.below(bytes.len()),
    };
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes.truncate(at.max(24)),
        2 | 3 => {
            let width = [2, 4, 8][random.below(3)];
            let at = at / width * width;
            let end = (at + width).min(bytes.len());
            let value = random.extreme().to_le_bytes();
            bytes[at..end].copy_from_slice(&value[..end - at]);
        }
        _ => {
            let from = random.below(bytes.len());
            let piece = bytes[from..(from + random.below(200)).min(bytes.len())].to_vec();
            let end = (at + random.below(100)).min(bytes.len());
            bytes.splice(at..end, piece);
        }
    }
    if bytes.len() < 24 {
        bytes.resize(24, 0);
    }
}
