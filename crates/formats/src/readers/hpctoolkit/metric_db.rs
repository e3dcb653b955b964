//! `*.metric-db`: the values of one rank and thread, big-endian, for every node and metric.

use super::FORMAT;
use crate::{Place, ReadError};

/// Which rank and thread a file is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankThread {
    pub(super) rank: u32,
    pub(super) thread: u32,
}

/// Values by node, then metric.
pub(super) struct MetricDb {
    pub(super) metrics: usize,
    pub(super) values: Vec<f64>,
}

impl MetricDb {
    /// The value of a node, whose ids count from 1.
    pub(super) fn get(&self, node: u64, metric: usize) -> f64 {
        let row = usize::try_from(node).ok().and_then(|node| node.checked_sub(1));
        let cell = row.and_then(|row| row.checked_mul(self.metrics)).map(|start| start + metric);
        cell.and_then(|cell| self.values.get(cell)).copied().unwrap_or(0.0)
    }
}

/// Reads `1.<program>-<rank>-<thread>-<host>-<process>-<generation>.metric-db`.
pub(super) fn place(name: &str) -> Option<RankThread> {
    let stem = name.strip_suffix(".metric-db")?;
    let mut parts = stem.rsplit('-').skip(3);
    let (thread, rank) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(RankThread { rank, thread })
}

const MAGIC: &[u8] = b"HPCPROF-metricdb__";
/// Magic, version (5 bytes), byte order, number of nodes and of metrics.
const HEADER: usize = 32;

pub(super) fn read(bytes: &[u8]) -> Result<MetricDb, ReadError> {
    let malformed = |offset: u64, reason: &str| ReadError::Malformed {
        format: FORMAT.name,
        place: Place(offset),
        reason: reason.to_owned(),
    };
    if !bytes.starts_with(MAGIC) {
        return Err(malformed(0, "it does not start with HPCPROF-metricdb"));
    }
    let (Some(order), Some(metrics)) = (bytes.get(23), bytes.get(28..HEADER)) else {
        return Err(ReadError::Truncated {
            format: FORMAT.name,
            place: Place(bytes.len() as u64),
            reason: "in its header".to_owned(),
        });
    };
    if *order != b'b' {
        return Err(malformed(23, "its numbers are not big-endian"));
    }
    let metrics = metrics.iter().fold(0usize, |number, &byte| number << 8 | usize::from(byte));
    if metrics == 0 {
        return Err(malformed(28, "it has no metrics"));
    }
    let cells = bytes[HEADER..].chunks_exact(8);
    let number = |cell: &[u8]| f64::from_be_bytes(cell.try_into().unwrap_or_default());
    Ok(MetricDb { metrics, values: cells.map(number).collect() })
}
