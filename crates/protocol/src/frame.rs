//! The frame codec.
//!
//! ```text
//! offset 0   "HOTF"                     magic
//!        4   u32 little-endian          length of the header in bytes
//!        8   header                     JSON, UTF-8
//!            zero padding               up to a multiple of 8
//!            columns                    each starts at a multiple of 8 from the frame's start
//! ```
//! The header lists the columns with name, element type, offset and element count.

use serde::{Deserialize, Serialize};

use crate::columns::{Column, ColumnData, ColumnKind};
use crate::{ProtocolError, Request};

const MAGIC: [u8; 4] = *b"HOTF";
const PREAMBLE_BYTES: usize = 8;
const ALIGNMENT: usize = 8;

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What the message is.
    pub header: Header,
    /// Its bulk numbers.
    pub columns: Vec<Column>,
}

/// The JSON part of a frame. `id` joins an answer, its progress and a cancellation to the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Header {
    /// From the page: call a method.
    Request {
        /// Chosen by the caller, unique among its open requests.
        id: u32,
        /// Method and parameters.
        request: Request,
    },
    /// From the page: the answer to `id` is no longer wanted.
    Cancel {
        /// The request to stop.
        id: u32,
    },
    /// From the engine: the result of a method.
    Response {
        /// The request it answers.
        id: u32,
        /// The method's result type.
        result: serde_json::Value,
    },
    /// From the engine: the method failed.
    Error {
        /// The request it answers; 0 where the request could not be read.
        id: u32,
        /// What went wrong.
        error: ProtocolError,
    },
    /// From the engine: how far a long request has come.
    Progress {
        /// The request it speaks of.
        id: u32,
        /// How far.
        progress: Progress,
    },
}

/// How far a long request has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress {
    /// What is being done, for people, such as `reading`.
    pub phase: String,
    /// Bytes done.
    pub done: f64,
    /// Bytes in all; 0 when unknown.
    pub total: f64,
}

#[derive(Serialize)]
struct WireHeader<'a> {
    #[serde(flatten)]
    header: &'a Header,
    columns: Vec<ColumnEntry>,
}

#[derive(Deserialize)]
struct WireHeaderOwned {
    #[serde(flatten)]
    header: Header,
    #[serde(default)]
    columns: Vec<ColumnEntry>,
}

/// Where a column lies; `offset` counts from the first byte after the padded header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ColumnEntry {
    name: String,
    kind: ColumnKind,
    offset: u32,
    count: u32,
}

/// Why bytes are not a frame.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// Too short, or the magic is missing.
    #[error("not a frame: it does not start with the four bytes HOTF and a length")]
    NotAFrame,
    /// The header or a column reaches past the end.
    #[error("frame cut short: {what} needs {needed} bytes, {available} are there")]
    Truncated {
        /// The part that is cut.
        what: String,
        /// Bytes that it needs.
        needed: usize,
        /// Bytes that are there.
        available: usize,
    },
    /// The header is not the JSON of a [`Header`].
    #[error("the request cannot be read: {error}")]
    Header {
        /// The request that it is of, where that can be told.
        id: Option<u32>,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

/// The bytes of a frame.
pub fn encode(frame: &Frame) -> Vec<u8> {
    let mut entries = Vec::with_capacity(frame.columns.len());
    let mut offset = 0;
    for column in &frame.columns {
        let count = column.data.len();
        entries.push(ColumnEntry {
            name: column.name.clone(),
            kind: column.data.kind(),
            offset: offset as u32,
            count: count as u32,
        });
        offset = (offset + count * column.data.kind().width()).next_multiple_of(ALIGNMENT);
    }
    let header = serde_json::to_vec(&WireHeader { header: &frame.header, columns: entries })
        .expect("headers are plain data, which JSON can always hold");
    let mut out = Vec::with_capacity(PREAMBLE_BYTES + header.len() + ALIGNMENT + offset);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&(header.len() as u32).to_le_bytes());
    out.extend_from_slice(&header);
    for column in &frame.columns {
        out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
        column.data.write_to(&mut out);
    }
    out
}

/// The request that a header is of, though the rest of it cannot be read.
fn id_of(header: &[u8]) -> Option<u32> {
    let header: serde_json::Value = serde_json::from_slice(header).ok()?;
    header.get("id")?.as_u64()?.try_into().ok()
}

/// Reads a frame.
pub fn decode(bytes: &[u8]) -> Result<Frame, DecodeError> {
    if bytes.len() < PREAMBLE_BYTES || bytes[..4] != MAGIC {
        return Err(DecodeError::NotAFrame);
    }
    let header_len = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    let body = &bytes[PREAMBLE_BYTES..];
    let header = body.get(..header_len).ok_or_else(|| DecodeError::Truncated {
        what: "the header".to_owned(),
        needed: header_len,
        available: body.len(),
    })?;
    let wire: WireHeaderOwned = serde_json::from_slice(header)
        .map_err(|error| DecodeError::Header { id: id_of(header), error })?;
    let start = (PREAMBLE_BYTES + header_len).next_multiple_of(ALIGNMENT);
    let data = bytes.get(start..).unwrap_or(&[]);
    let columns = wire
        .columns
        .into_iter()
        .map(|entry| {
            let from = entry.offset as usize;
            let len = entry.count as usize * entry.kind.width();
            let slice =
                from.checked_add(len).and_then(|to| data.get(from..to)).ok_or_else(|| {
                    DecodeError::Truncated {
                        what: format!("column {}", entry.name),
                        needed: from.saturating_add(len),
                        available: data.len(),
                    }
                })?;
            Ok(Column { data: ColumnData::read_from(entry.kind, slice), name: entry.name })
        })
        .collect::<Result<_, DecodeError>>()?;
    Ok(Frame { header: wire.header, columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, NoParams, SessionRequest};

    fn sample() -> Frame {
        Frame {
            header: Header::Request { id: 7, request: SessionRequest::Formats(NoParams {}).into() },
            columns: vec![
                Column { name: "bytes".into(), data: ColumnData::U8(vec![1, 2, 3]) },
                Column { name: "node".into(), data: ColumnData::U32(vec![u32::MAX, 0]) },
                Column { name: "total".into(), data: ColumnData::I64(vec![i64::MIN, i64::MAX]) },
                Column { name: "x".into(), data: ColumnData::F64(vec![0.1, -0.0]) },
            ],
        }
    }

    #[test]
    fn a_frame_survives_the_wire() {
        let frame = sample();
        assert_eq!(decode(&encode(&frame)).unwrap(), frame);
    }

    #[test]
    fn columns_start_at_multiples_of_eight() {
        let bytes = encode(&sample());
        let position = bytes.windows(8).position(|w| w == i64::MIN.to_le_bytes()).unwrap();
        assert_eq!(position % 8, 0);
    }

    #[test]
    fn a_cut_frame_is_an_error_at_every_length() {
        let bytes = encode(&sample());
        for len in 0..bytes.len() {
            assert!(decode(&bytes[..len]).is_err(), "a frame cut to {len} bytes was accepted");
        }
    }

    #[test]
    fn errors_carry_code_and_hint() {
        let error =
            ProtocolError::new(ErrorCode::BadPattern, "unclosed group").with_hint("close it");
        let frame = Frame { header: Header::Error { id: 1, error }, columns: vec![] };
        assert_eq!(decode(&encode(&frame)).unwrap(), frame);
    }
}
