//! A chunk: its header, its events, and what was looked up in it.

use std::borrow::Cow;

use hashbrown::HashMap;
use profile::{ContextId, FunctionId, LocationId, ModuleId, StringId, ThreadId};

use super::classes::Value;
use super::cursor::Cursor;
use super::pools::{Pool, Pools};

pub(super) const MAGIC: &[u8] = b"FLR\0";
pub(super) const HEADER: usize = 68;

/// The header of a chunk.
pub(super) struct Header {
    pub(super) major: u16,
    pub(super) size: i64,
    /// Nanoseconds since 1970.
    pub(super) start: i64,
    pub(super) duration: i64,
    pub(super) start_ticks: i64,
    ticks_a_second: i64,
    pub(super) compressed: bool,
}

impl Header {
    pub(super) fn parse(head: &[u8]) -> Option<Header> {
        let head = head.first_chunk::<HEADER>()?;
        let long =
            |at: usize| head[at..].first_chunk().map_or(0, |&bytes| i64::from_be_bytes(bytes));
        head.starts_with(MAGIC).then(|| Header {
            major: u16::from_be_bytes([head[4], head[5]]),
            size: long(8),
            start: long(32),
            duration: long(40),
            start_ticks: long(48),
            ticks_a_second: long(56).max(1),
            compressed: head[67] & 1 != 0,
        })
    }

    /// A number of ticks in nanoseconds.
    pub(super) fn nanoseconds(&self, ticks: i64) -> i64 {
        let nanoseconds = i128::from(ticks) * 1_000_000_000 / i128::from(self.ticks_a_second);
        nanoseconds.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

/// Walks the events of a chunk.
pub(super) struct Events<'b> {
    pub(super) cursor: Cursor<'b>,
}

impl<'b> Events<'b> {
    /// The type of the next event, and its body; none where the events end or are damaged.
    pub(super) fn next(&mut self) -> Option<(i64, Cursor<'b>)> {
        let start = self.cursor.at;
        let mut body = self.cursor;
        if body.bytes[start..].starts_with(MAGIC) {
            return None;
        }
        let size = body.count().filter(|&size| size > 0)?;
        let kind = body.long()?;
        let end =
            start.checked_add(size).filter(|&end| end <= body.bytes.len() && end >= body.at)?;
        body.bytes = &body.bytes[..end];
        self.cursor.at = end;
        Some((kind, body))
    }
}

/// What was looked up in the chunk that is read.
pub(super) struct Chunk<'b> {
    pub(super) header: &'b Header,
    /// Stands at its start.
    pub(super) cursor: Cursor<'b>,
    pub(super) pools: Pools,
    pub(super) contexts: HashMap<i64, Found>,
    pub(super) methods: HashMap<i64, (FunctionId, Option<ModuleId>)>,
    pub(super) threads: HashMap<i64, Option<ThreadId>>,
    pub(super) path: Vec<LocationId>,
    pub(super) frames: Vec<(Option<FunctionId>, u32, u32)>,
}

impl<'b> Chunk<'b> {
    /// Whether a frame was interpreted, compiled, inlined, …
    pub(super) fn frame_kind(&self, frame: usize) -> Cow<'b, str> {
        let kind = Value::Reference(self.pools.frames[frame].kind);
        self.pools.name(self.cursor, Pool::FrameType, kind)
    }
}

/// A stack that was looked up.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) context: ContextId,
    pub(super) truncated: bool,
    /// What the innermost frame is.
    pub(super) kind: StringId,
}
