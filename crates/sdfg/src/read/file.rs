//! Files, packed or not, up to their JSON.

use std::borrow::Cow;
use std::io::Read;

use super::{lower, raw};
use crate::model::Program;

/// How much a file may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most bytes of JSON, unpacked. Memory stays within about 20 times as much, and usually at
    /// twice.
    pub max_size: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_size: 1 << 30 }
    }
}

/// Why a file is not an SDFG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes did not come.
    #[error("the file cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// The packed file is broken.
    #[error("the file is packed with gzip, and damaged: {0}")]
    Gzip(std::io::Error),
    /// More JSON than is allowed.
    #[error("the file has more than {limit} bytes of JSON")]
    TooLarge {
        /// [`Limits::max_size`].
        limit: u64,
    },
    /// Not JSON, or not of an SDFG's shape, or nested too deep.
    #[error("no SDFG: {error}{}", place_of(.within))]
    Json {
        /// What and where.
        error: serde_json::Error,
        /// The label of the node that holds this graph as a text.
        within: Option<String>,
    },
    /// Not JSON, or not of an instrumentation report's shape.
    #[error("no instrumentation report: {0}")]
    Report(serde_json::Error),
    /// JSON of something else.
    #[error("an object of type \"{found}\" where an SDFG should be{}", place_of(.within))]
    NotAGraph {
        /// Its type.
        found: String,
        /// The label of the node that holds it.
        within: Option<String>,
    },
    /// Graphs in texts in texts.
    #[error("SDFGs as texts in SDFGs as texts, more than {limit} deep")]
    TooDeep {
        /// The most.
        limit: usize,
    },
    /// An edge ends nowhere.
    #[error("edge {edge} of \"{of}\" {end} \"{found}\", and there are {count} nodes")]
    NoSuchNode {
        /// The edge's index.
        edge: usize,
        /// The label of the state or region.
        of: String,
        /// Which end it is.
        end: &'static str,
        /// What the file says.
        found: String,
        /// How many there are.
        count: usize,
    },
    /// More than an index can count.
    #[error("the SDFG has more elements than can be numbered")]
    TooMany,
}

fn place_of(label: &Option<String>) -> String {
    label.as_ref().map(|label| format!(", in the node \"{label}\"")).unwrap_or_default()
}

/// Whether a file is an SDFG, by its first few thousand bytes and its name.
pub fn is_sdfg(head: &[u8], file_name: &str) -> bool {
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    if matches!(extension.as_deref(), Some("sdfg" | "sdfgz")) {
        return true;
    }
    let text = beginning(head);
    let mut words = text.split(|c: char| c.is_whitespace() || ":{,\u{feff}".contains(c));
    let mut next = || words.find(|word| !word.is_empty());
    next() == Some("\"type\"") && next() == Some("\"SDFG\"")
}

/// The text that a file begins with, unpacked as far as it goes.
pub(crate) fn beginning(head: &[u8]) -> String {
    let packed = if head.starts_with(GZIP_AS_TEXT) {
        Cow::Owned(from_base64(head))
    } else {
        Cow::Borrowed(head)
    };
    let mut text = vec![];
    if packed.starts_with(GZIP) {
        // The head ends in the middle of it.
        let _ = flate2::read::GzDecoder::new(&packed[..]).take(4096).read_to_end(&mut text);
    } else {
        text.extend_from_slice(&packed);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Reads an SDFG, plain, packed with gzip, or that as base64.
pub fn read(bytes: impl Read, limits: &Limits) -> Result<Program, ReadError> {
    let json = read_text(bytes, limits)?;
    let root: raw::Element =
        from_json(&json).map_err(|error| ReadError::Json { error, within: None })?;
    lower::lower(root)
}

/// Reads JSON that may be deep: nine calls in each other are more levels than serde_json follows.
pub(super) fn from_json<T: serde::de::DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    /// So deep it is read on a stack that grows; what is deeper is refused, unless nobody looks at it.
    const DEEPEST: usize = 2000;
    let depth = depth_of(json);
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let value = if depth <= DEEPEST {
        deserializer.disable_recursion_limit();
        T::deserialize(serde_stacker::Deserializer::new(&mut deserializer))?
    } else {
        T::deserialize(&mut deserializer)?
    };
    deserializer.end()?;
    Ok(value)
}

/// How many brackets are in each other, but for those in texts.
fn depth_of(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut in_text, mut is_escaped) = (false, false);
    for &byte in json {
        match (in_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b'[' | b'{') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The first bytes of a gzip.
const GZIP: &[u8] = b"\x1f\x8b";

/// The same as base64.
const GZIP_AS_TEXT: &[u8] = b"H4sI";

/// Unpacked, and without a byte order mark.
pub(crate) fn read_text(bytes: impl Read, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let packed = read_all(bytes, limits, ReadError::Io)?;
    if packed.is_empty() {
        return Err(ReadError::Empty);
    }
    let mut text = unpack(packed, limits)?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    Ok(text)
}

fn unpack(bytes: Vec<u8>, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let packed = if bytes.starts_with(GZIP_AS_TEXT) {
        Cow::Owned(from_base64(&bytes))
    } else {
        Cow::Borrowed(&bytes)
    };
    if packed.starts_with(GZIP) {
        read_all(flate2::read::MultiGzDecoder::new(&packed[..]), limits, ReadError::Gzip)
    } else {
        Ok(bytes)
    }
}

fn read_all(
    bytes: impl Read,
    limits: &Limits,
    error: fn(std::io::Error) -> ReadError,
) -> Result<Vec<u8>, ReadError> {
    let mut all = vec![];
    bytes.take(limits.max_size.saturating_add(1)).read_to_end(&mut all).map_err(error)?;
    if all.len() as u64 > limits.max_size {
        Err(ReadError::TooLarge { limit: limits.max_size })
    } else {
        Ok(all)
    }
}

/// What is not a digit is left out: line ends, and the `=` at the end.
fn from_base64(text: &[u8]) -> Vec<u8> {
    let digit = |c: &u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0u32, 0);
    for six in text.iter().filter_map(digit) {
        held = (held << 6) | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}
