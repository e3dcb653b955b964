//! What just-in-time compilers write into `jit-PID.dump` while they run: code that was loaded and moved,
//! its lines, and how to unwind it.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use crate::fields::Fields;
use crate::unwind::CodeUnwind;

/// The header's size, before what later versions add.
const HEADER: usize = 40;
/// The head of every record: kind, size and time.
const RECORD: usize = 16;
/// Larger records are not kept: no function has as much code.
const MAX_RECORD: u64 = 64 << 20;
/// A line with this for its file is of the same file as the one before.
const SAME_FILE: &[u8] = b"\xff";

/// What a compiler wrote down.
#[derive(Debug, Default)]
pub struct JitDump {
    /// The number of the processor, as in ELF files.
    pub machine: u32,
    /// The process that compiled.
    pub process: u32,
    /// In the order of the file.
    pub events: Vec<Event>,
    /// Records that do not hold, are too large, or are of no known kind.
    pub bad_records: u64,
    /// True if the file ends within a record.
    pub is_cut: bool,
}

/// Something that happened to code, at a time of the recording's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// New code stands at its address.
    Load(Code),
    /// Code stands somewhere else from now on.
    Move {
        /// When.
        time: u64,
        /// The number of the code.
        index: u64,
        /// Where it stood.
        from: u64,
        /// Where it stands.
        to: u64,
        /// How large it is.
        size: u64,
    },
}

/// A compiled function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// When it was loaded.
    pub time: u64,
    /// The number that the compiler gave it.
    pub index: u64,
    /// The address of its first instruction.
    pub address: u64,
    /// Its size.
    pub size: u64,
    /// What it is called.
    pub name: Arc<str>,
    /// Its lines, by address, as where it was loaded.
    pub lines: Vec<Line>,
    /// How to unwind it.
    pub unwind: Option<CodeUnwind>,
}

/// The code from an address on comes from a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The address.
    pub address: u64,
    /// The line, from 1.
    pub line: u32,
    /// The path of the file.
    pub file: Arc<str>,
}

/// Why a file is not a jitdump.
#[derive(Debug, thiserror::Error)]
pub enum JitDumpError {
    /// It begins as something else.
    #[error("it is not a jitdump: it does not begin with JiTD")]
    NotJitDump,
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// Why a record was not taken.
struct Bad;

impl JitDump {
    /// Reads `from`, and keeps at most about `max_bytes` of it.
    pub fn read(mut from: impl Read, max_bytes: usize) -> Result<Self, JitDumpError> {
        let mut head = vec![];
        from.by_ref().take(HEADER as u64).read_to_end(&mut head)?;
        let big_endian = match head.get(..4) {
            Some(b"DTiJ") => false,
            Some(b"JiTD") => true,
            _ => return Err(JitDumpError::NotJitDump),
        };
        let mut dump = Self::default();
        let Some(rest) = dump.header(&head, big_endian) else {
            dump.is_cut = true;
            return Ok(dump);
        };
        skip(&mut from, rest)?;
        let mut state = Pending::default();
        let mut body = vec![];
        loop {
            head.clear();
            from.by_ref().take(RECORD as u64).read_to_end(&mut head)?;
            if head.is_empty() {
                break;
            }
            let mut fields = Fields::new(&head, big_endian);
            let (kind, size, time) = (fields.u32(), fields.u32(), fields.u64());
            let (Some(kind), Some(size), Some(time)) = (kind, size, time) else {
                dump.is_cut = true;
                break;
            };
            // A record that is smaller than its head hides where the next one begins.
            let Some(size) = u64::from(size).checked_sub(RECORD as u64) else {
                dump.bad_records += 1;
                dump.is_cut = true;
                break;
            };
            if size > MAX_RECORD || state.bytes > max_bytes {
                dump.bad_records += 1;
                skip(&mut from, size)?;
                continue;
            }
            body.clear();
            from.by_ref().take(size).read_to_end(&mut body)?;
            if (body.len() as u64) < size {
                dump.is_cut = true;
                break;
            }
            let fields = Fields::new(&body, big_endian);
            match state.record(kind, time, fields) {
                Ok(event) => dump.events.extend(event),
                Err(Bad) => dump.bad_records += 1,
            }
        }
        Ok(dump)
    }

    /// Takes what the header says; how much of it is left.
    fn header(&mut self, head: &[u8], big_endian: bool) -> Option<u64> {
        let mut fields = Fields::new(head, big_endian);
        fields.bytes(8)?;
        let size = fields.u32()?;
        self.machine = fields.u32()?;
        fields.u32()?;
        self.process = fields.u32()?;
        fields.bytes(16)?;
        u64::from(size).checked_sub(HEADER as u64)
    }
}

/// What stands before the code that it is for.
#[derive(Default)]
struct Pending {
    lines: Option<(u64, Vec<Line>)>,
    unwind: Option<(Arc<[u8]>, usize)>,
    /// About how much is kept so far.
    bytes: usize,
}

impl Pending {
    fn record(&mut self, kind: u32, time: u64, fields: Fields<'_>) -> Result<Option<Event>, Bad> {
        match kind {
            0 => self.load(time, fields).ok_or(Bad).map(Some),
            1 => moved(time, fields).ok_or(Bad).map(Some),
            2 => self.lines(fields).ok_or(Bad).map(|()| None),
            3 => Ok(None),
            4 => self.unwind(fields).ok_or(Bad).map(|()| None),
            _ => Err(Bad),
        }
    }

    fn load(&mut self, time: u64, mut fields: Fields<'_>) -> Option<Event> {
        fields.bytes(8)?;
        fields.u64()?;
        let (address, size, index) = (fields.u64()?, fields.u64()?, fields.u64()?);
        let rest = fields.rest();
        let name = &rest[..rest.iter().position(|byte| *byte == 0)?];
        address.checked_add(size)?;
        let lines = self.lines.take().filter(|(of, _)| *of == address);
        let unwind = self.unwind.take().map(|(bytes, header_size)| CodeUnwind {
            bytes,
            header_size,
            address: size.next_multiple_of(8),
        });
        self.bytes += size_of::<Event>() + name.len();
        Some(Event::Load(Code {
            time,
            index,
            address,
            size,
            name: String::from_utf8_lossy(name).into(),
            lines: lines.map(|(_, lines)| lines).unwrap_or_default(),
            unwind,
        }))
    }

    fn lines(&mut self, mut fields: Fields<'_>) -> Option<()> {
        let (of, count) = (fields.u64()?, fields.u64()?);
        let mut lines: Vec<Line> = vec![];
        for _ in 0..count {
            let (address, line) = (fields.u64()?, fields.u32()?);
            fields.u32()?;
            let rest = fields.rest();
            let path = fields.bytes(rest.iter().position(|byte| *byte == 0)?)?;
            fields.bytes(1)?;
            let last = lines.last().map(|last| last.file.clone());
            let is_same = |last: &Arc<str>| path == SAME_FILE || path == last.as_bytes();
            let file = last.filter(is_same).unwrap_or_else(|| {
                self.bytes += path.len();
                String::from_utf8_lossy(path).into()
            });
            self.bytes += size_of::<Line>();
            lines.push(Line { address, line, file });
        }
        lines.sort_by_key(|line| line.address);
        self.lines = Some((of, lines));
        Some(())
    }

    fn unwind(&mut self, mut fields: Fields<'_>) -> Option<()> {
        let (size, header_size) = (fields.u64()?, fields.u64()?);
        fields.u64()?;
        let bytes = fields.bytes(usize::try_from(size).ok()?)?;
        let header_size = usize::try_from(header_size).ok().filter(|size| *size <= bytes.len())?;
        self.bytes += bytes.len();
        // The compiler may say that there is nothing to unwind by.
        self.unwind = (!bytes.is_empty()).then(|| (bytes.into(), header_size));
        Some(())
    }
}

fn moved(time: u64, mut fields: Fields<'_>) -> Option<Event> {
    fields.bytes(8)?;
    fields.u64()?;
    let (from, to, size) = (fields.u64()?, fields.u64()?, fields.u64()?);
    to.checked_add(size)?;
    Some(Event::Move { time, index: fields.u64()?, from, to, size })
}

/// Passes so many bytes, or what there is of them.
fn skip(from: &mut impl Read, size: u64) -> io::Result<()> {
    io::copy(&mut from.take(size), &mut io::sink()).map(|_| ())
}

/// The code that stands in a process at one time. Events are applied in their order.
#[derive(Clone, Debug, Default)]
pub struct CodeMap {
    by_start: BTreeMap<u64, (u64, Arc<Code>)>,
}

impl CodeMap {
    /// What happened next.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Load(code) => self.put(code.address, code.size, Arc::new(code.clone())),
            Event::Move { from, to, size, index, .. } => {
                let is_it = |(_, code): &(u64, Arc<Code>)| code.index == *index;
                if let Some((_, code)) = self.by_start.get(from).filter(|one| is_it(one)).cloned() {
                    self.by_start.remove(from);
                    self.put(*to, *size, code);
                }
            }
        }
    }

    /// Where code is put, older code is gone.
    fn put(&mut self, start: u64, size: u64, code: Arc<Code>) {
        let Some(end) = start.checked_add(size).filter(|_| size > 0) else { return };
        let below = self.by_start.range(..start).next_back();
        let below = below.filter(|(begin, (size, _))| start - **begin < *size);
        let below = below.map(|(begin, _)| *begin);
        let inside: Vec<u64> = self.by_start.range(start..end).map(|(begin, _)| *begin).collect();
        for gone in below.into_iter().chain(inside) {
            self.by_start.remove(&gone);
        }
        self.by_start.insert(start, (size, code));
    }

    /// The code at an address, and where that was when it was loaded.
    pub fn at(&self, address: u64) -> Option<(&Arc<Code>, u64)> {
        let (start, (size, code)) = self.by_start.range(..=address).next_back()?;
        let offset = address - start;
        (offset < *size).then(|| (code, code.address.wrapping_add(offset)))
    }
}

impl Code {
    /// The line of an address, as where the code was loaded.
    pub fn line_at(&self, address: u64) -> Option<&Line> {
        self.lines[..self.lines.partition_point(|line| line.address <= address)].last()
    }
}
