//! JsonSlabs (`.jslb`): JSON whose arrays of numbers, and whatever else, stand outside of it.
//!
//! ```text
//! magic, version, slabs, root    then a line a slab: type, start, length    then the slabs
//! {"frame":{"$s":3}, …}          in the JSON of the slab `root`, and in that of others
//! ```
//! The container is held, its slabs are written into their places as they are asked for: to the
//! reader, it is the JSON that it stands for.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::ops::Range;

use memchr::memchr2;

use super::FORMAT;
use crate::input::stream::Stream;
use crate::{Place, ReadError, ReadOptions};

/// How a container starts.
pub(super) const MAGIC: &[u8] = b"\xdc\xdfJSLB\x01\x00";

/// Magic, version, number of slabs, number of the root.
const HEADER: usize = 20;

/// What the header has of a slab.
const ENTRY: usize = 12;

const VERSION: u32 = 1;

/// A type of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
    I64,
    U64,
    Json,
}

impl Kind {
    /// The position is the number in a file.
    const ALL: [Kind; 11] = [
        Kind::I8,
        Kind::U8,
        Kind::I16,
        Kind::U16,
        Kind::I32,
        Kind::U32,
        Kind::F32,
        Kind::F64,
        Kind::I64,
        Kind::U64,
        Kind::Json,
    ];

    fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 | Kind::Json => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 | Kind::I64 | Kind::U64 => 8,
        }
    }

    /// Writes an element, which has its size.
    fn write(self, element: &[u8], out: &mut VecDeque<u8>) -> io::Result<()> {
        let bits = element.iter().rev().fold(0, |bits: u64, &byte| bits << 8 | u64::from(byte));
        match self {
            Kind::I8 => write!(out, "{}", bits as i8),
            Kind::I16 => write!(out, "{}", bits as i16),
            Kind::I32 => write!(out, "{}", bits as i32),
            Kind::I64 => write!(out, "{}", bits as i64),
            Kind::F32 => {
                float(f32::from_bits(bits as u32).is_finite(), f32::from_bits(bits as u32), out)
            }
            Kind::F64 => float(f64::from_bits(bits).is_finite(), f64::from_bits(bits), out),
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 | Kind::Json => write!(out, "{bits}"),
        }
    }
}

/// The shortest text that means the number; JSON has none for what is not finite.
fn float(
    is_finite: bool,
    number: impl std::fmt::LowerExp,
    out: &mut VecDeque<u8>,
) -> io::Result<()> {
    if is_finite { write!(out, "{number:e}") } else { out.write_all(b"null") }
}

/// The JSON that a container stands for; a stream that is none stays as it is.
pub(super) fn unrolled<'a>(
    mut stream: Stream<'a>,
    options: &ReadOptions,
) -> Result<Stream<'a>, ReadError> {
    if !stream.peek(MAGIC.len())?.starts_with(MAGIC) {
        return Ok(stream);
    }
    let bytes = stream.read_to_end(options)?;
    let truncated = |reason: &str| ReadError::Truncated {
        format: FORMAT.name,
        place: Place(bytes.len() as u64),
        reason: reason.to_owned(),
    };
    let word = |at: usize| {
        let bytes = bytes.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let (Some(version), Some(count), Some(root)) = (word(8), word(12), word(16)) else {
        return Err(truncated("inside the header of its slabs"));
    };
    if version != VERSION {
        return Err(ReadError::Unsupported {
            found: format!("version {version} of JsonSlabs"),
            instead: "version 1 is, and the profile saved as JSON",
        });
    }
    let mut slabs = vec![];
    // As many as there are bytes for, whatever the file says.
    for index in 0..count as usize {
        let at = HEADER + index * ENTRY;
        let (Some(kind), Some(start), Some(len)) = (word(at), word(at + 4), word(at + 8)) else {
            return Err(truncated("inside the table of its slabs"));
        };
        let malformed = |reason: String| malformed(at, reason);
        let Some(&kind) = Kind::ALL.get(kind as usize) else {
            return Err(malformed(format!("slab {index} has the unknown type {kind}")));
        };
        let (start, len) = (start as usize, len as usize);
        if !len.is_multiple_of(kind.size()) {
            return Err(malformed(format!("slab {index} of {len} bytes ends inside an element")));
        }
        let range = start..start.saturating_add(len);
        if range.end > bytes.len() {
            return Err(truncated("before the end of its slabs"));
        }
        slabs.push(Slab { kind, range, is_used: false });
        options.check_memory(bytes.len() + slabs.capacity() * size_of::<Slab>())?;
    }
    let mut unrolling =
        Unrolling { bytes, slabs, open: vec![], numbers: None, text: VecDeque::new() };
    match unrolling.slabs.get(root as usize) {
        Some(Slab { kind: Kind::Json, .. }) => unrolling.enter(root as usize, 16)?,
        _ => return Err(malformed(16, format!("slab {root} is not JSON to begin with"))),
    }
    Ok(Stream::new(Box::new(unrolling), options.max_size))
}

fn malformed(at: usize, reason: String) -> ReadError {
    ReadError::Malformed { format: FORMAT.name, place: Place(at as u64), reason }
}

struct Slab {
    kind: Kind,
    range: Range<usize>,
    /// JSON is used once, so that none can be inside itself, nor many times in many.
    is_used: bool,
}

struct Unrolling {
    bytes: Vec<u8>,
    slabs: Vec<Slab>,
    /// What is left of the JSON that is being written, outermost first.
    open: Vec<Range<usize>>,
    /// What is left of the numbers that are being written.
    numbers: Option<(Kind, Range<usize>)>,
    /// What was not asked for yet.
    text: VecDeque<u8>,
}

/// Bytes of JSON, or of numbers, that are written at a time.
const PIECE: usize = 16 << 10;

impl Unrolling {
    /// Goes into a slab, which is asked for at the byte `at`.
    fn enter(&mut self, index: usize, at: usize) -> Result<(), ReadError> {
        let Some(slab) = self.slabs.get_mut(index) else {
            return Err(malformed(at, format!("there is no slab {index}")));
        };
        if slab.kind != Kind::Json {
            self.text.push_back(b'[');
            self.numbers = Some((slab.kind, slab.range.clone()));
        } else if std::mem::replace(&mut slab.is_used, true) {
            return Err(malformed(at, format!("the JSON of slab {index} is used twice")));
        } else {
            self.open.push(slab.range.clone());
        }
        Ok(())
    }

    /// Writes what comes next; says no where all is written.
    fn write_more(&mut self) -> io::Result<bool> {
        if let Some((kind, mut left)) = self.numbers.take() {
            let piece = left.start..left.end.min(left.start + PIECE);
            left.start = piece.end;
            for element in self.bytes[piece].chunks_exact(kind.size()) {
                kind.write(element, &mut self.text)?;
                self.text.push_back(b',');
            }
            if left.start == left.end {
                // The bracket takes the place of the last comma.
                if self.text.back() == Some(&b',') {
                    self.text.pop_back();
                }
                self.text.push_back(b']');
            } else {
                self.numbers = Some((kind, left));
            }
            return Ok(true);
        }
        let Some(json) = self.open.last_mut() else { return Ok(false) };
        let all = &self.bytes[json.clone()];
        let window = &all[..all.len().min(PIECE)];
        let mut at = 0;
        // Strings are stepped over: what stands in them means nothing.
        let placeholder = loop {
            match memchr2(b'"', b'{', &window[at..]) {
                None => break None,
                Some(step) if window[at + step] == b'{' => {
                    at += step;
                    if let Some(found) = placeholder(&all[at..]) {
                        break Some(found);
                    }
                    at += 1;
                }
                Some(step) => at = string_end(all, at + step + 1),
            }
            if at >= window.len() {
                break None;
            }
        };
        let written = if placeholder.is_some() { at } else { at.max(window.len()) };
        self.text.extend(&all[..written]);
        let start = json.start + written;
        json.start = start;
        if let Some((slab, len)) = placeholder {
            json.start += len;
            self.enter(slab, start).map_err(io::Error::other)?;
        } else if start == json.end {
            self.open.pop();
        }
        Ok(true)
    }
}

impl Read for Unrolling {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.text.len() < out.len() && self.write_more()? {}
        self.text.read(out)
    }
}

/// Where the string that `at` is in ends, behind its quote.
fn string_end(json: &[u8], mut at: usize) -> usize {
    while let Some(step) = json.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        if json[at + step] == b'"' {
            return at + step + 1;
        }
        at += step + 2;
    }
    json.len()
}

/// The number of the slab for which the object at the start of `json` stands, and its length.
fn placeholder(json: &[u8]) -> Option<(usize, usize)> {
    let rest = json.strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"$s\"")?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii_start().strip_prefix(b"}")?;
    Some((number, json.len() - rest.len()))
}
