//! The parts of a recording, as far as they are needed to put it together again.

use std::ops::Range;

/// A recording: what is before its records, them, and what its header tells behind them.
pub(crate) struct Recording {
    /// Of a file the header with the events; of a pipe its few bytes.
    pub(crate) front: Vec<u8>,
    pub(crate) records: Vec<Vec<u8>>,
    /// Features, in the order of their bits.
    pub(crate) features: Vec<Vec<u8>>,
    pub(crate) is_pipe: bool,
}

/// Places in the header of a file: where records are and how many bytes they take, bits of features.
const DATA: usize = 40;
const BITS: usize = 72;

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
}

impl Recording {
    /// Takes a sound one apart.
    pub(crate) fn new(bytes: &[u8]) -> Recording {
        let is_pipe = word(bytes, 8) == 16;
        let start = if is_pipe { 16 } else { word(bytes, DATA) as usize };
        let size = if is_pipe { bytes.len() - 16 } else { word(bytes, DATA + 8) as usize };
        let end = start + size;
        let records = records(bytes, start..end);
        let features = if is_pipe { vec![] } else { features(bytes, end) };
        Recording { front: bytes[..start].to_vec(), records, features, is_pipe }
    }

    /// The bytes of a recording with these records and features.
    pub(crate) fn put<'r>(&self, records: impl Iterator<Item = &'r [u8]>) -> Vec<u8> {
        let mut out = self.front.clone();
        records.for_each(|record| out.extend_from_slice(record));
        if self.is_pipe {
            return out;
        }
        let size = (out.len() - self.front.len()) as u64;
        out[DATA + 8..DATA + 16].copy_from_slice(&size.to_le_bytes());
        let mut at = out.len() + self.features.len() * 16;
        for feature in &self.features {
            out.extend((at as u64).to_le_bytes());
            out.extend((feature.len() as u64).to_le_bytes());
            at += feature.len();
        }
        self.features.iter().for_each(|feature| out.extend_from_slice(feature));
        out
    }
}

/// Records with what stands behind their size (data of tracepoints, of trace units), which begins no
/// record itself.
fn records(bytes: &[u8], place: Range<usize>) -> Vec<Vec<u8>> {
    const TRACING_DATA: u8 = 66;
    let mut records = vec![];
    let mut at = place.start;
    while at + 8 <= place.end {
        let mut size = usize::from(u16::from_le_bytes([bytes[at + 6], bytes[at + 7]]));
        if bytes[at] == TRACING_DATA {
            size += (word(bytes, at + 8) as u32 as usize).next_multiple_of(8);
        }
        let end = (at + size.max(8)).min(place.end);
        records.push(bytes[at..end].to_vec());
        at = end;
    }
    records
}

fn features(bytes: &[u8], table: usize) -> Vec<Vec<u8>> {
    let bits: u32 = bytes[BITS..BITS + 32].iter().map(|byte| byte.count_ones()).sum();
    let of = |number: u32| {
        let entry = table + number as usize * 16;
        let (at, size) = (word(bytes, entry) as usize, word(bytes, entry + 8) as usize);
        bytes.get(at..at + size).unwrap_or_default().to_vec()
    };
    (0..bits).map(of).collect()
}
