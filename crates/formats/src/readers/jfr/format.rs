//! The format, chunk by chunk.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use profile::{ContextId, Label, Profile, ProfileBuilder, StringId, ThreadId};

use super::chunk::{Chunk, Events, HEADER, Header, MAGIC};
use super::classes::{Classes, Value};
use super::cursor::Cursor;
use super::events::{Action, Kind, Record};
use super::happenings::Happenings;
use super::pools::Pools;
use crate::input::stream::Stream;
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "jfr",
    title: "Java Flight Recorder",
    extensions: &["jfr"],
    about: About {
        carries: "every event that has a stack: how many, how long, how many bytes; stacks with \
                  inlined frames and lines, threads, times, thread states, classes of objects and \
                  monitors, the sampling period; events with a duration (collections, locks, \
                  waits, input and output) as spans, others as instants, both with their fields; \
                  loads, memory and numbers of threads as counters",
        estimates: "ticks become nanoseconds with a rounding each; spans of a thread that overlap, \
                    and those of none, stand beside it",
        skips: "settings and lists of the machine (counted), byte code indices, fields that are \
                made of others; recordings of JDK 7 and 8 (version 0) are refused",
        checked_against: "jfr summary, jfr print",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(MAGIC) { Sniff::Yes } else { Sniff::No }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut reading = JfrParser::default();
    loop {
        let place = stream.place();
        let head = stream.peek(HEADER)?;
        if head.is_empty() {
            break;
        }
        let Some(header) = Header::parse(head) else {
            if place.0 > 0 {
                // What a program wrote after its last flush before it was killed.
                warnings.add("rest", || {
                    format!("what follows the last finished chunk at {place} is left out")
                });
                break;
            }
            let left = Place(place.0 + head.len() as u64);
            let reason = "inside of the header of its first chunk".to_owned();
            return Err(ReadError::Truncated { format: FORMAT.name, place: left, reason });
        };
        if !(1..=2).contains(&header.major) {
            return Err(ReadError::Unsupported {
                found: format!("version {} of JFR", header.major),
                instead: "versions 1 and 2 are, which JDK 9 and later write",
            });
        }
        let size = match usize::try_from(header.size) {
            Ok(size) if size >= HEADER => size,
            _ => {
                warnings.add("unfinished", || {
                    format!(
                        "the chunk at {place} was never finished; what can be read of it is shown"
                    )
                });
                usize::MAX
            }
        };
        // Metadata stand at the end of a chunk, so all of it must be there.
        let mut have = stream.peek(HEADER)?.len();
        while have < size {
            options.check_memory(have + reading.heap_bytes())?;
            let now = stream.peek(size.min(have.saturating_mul(2)))?.len();
            if now == have {
                break;
            }
            have = now;
        }
        let bytes = stream.peek(HEADER)?;
        if bytes.len() < size && size < usize::MAX {
            warnings.add("cut", || {
                format!("the chunk at {place} is cut short; what can be read of it is shown")
            });
        }
        let bytes = &bytes[..bytes.len().min(size)];
        let used = reading.chunk(&header, bytes, place, options, warnings)?;
        let used = if size < usize::MAX { bytes.len() } else { used };
        stream.consume(used);
    }
    let bytes = reading.records.len().saturating_mul(8 * reading.metric_count());
    options.check_memory(reading.heap_bytes().saturating_add(bytes))?;
    Ok(reading.finish(warnings))
}

#[derive(Default)]
pub(super) struct JfrParser {
    pub(super) builder: ProfileBuilder,
    pub(super) kinds: Vec<Kind>,
    pub(super) records: Vec<Record>,
    pub(super) threads: HashMap<(i64, i64, StringId), ThreadId>,
    /// Start of the first chunk, and end of the last, in nanoseconds since 1970.
    pub(super) start: Option<i64>,
    pub(super) end: i64,
    pub(super) others: BTreeMap<String, u64>,
    pub(super) truncated: u64,
    pub(super) without_stack: u64,
    pub(super) labels: Vec<Label>,
    pub(super) happenings: Happenings,
}

impl JfrParser {
    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.records.len() * size_of::<Record>()
            + self.happenings.heap_bytes()
    }

    fn metric_count(&self) -> usize {
        self.kinds.iter().map(|kind| 1 + kind.measures.len()).sum()
    }

    /// Reads a chunk; how many of its bytes are events.
    fn chunk(
        &mut self,
        header: &Header,
        bytes: &[u8],
        place: Place,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<usize, ReadError> {
        let cursor = Cursor { bytes, at: HEADER, compressed: header.compressed };
        let mut metadata = None;
        let mut checkpoints = vec![];
        let mut events = Events { cursor };
        while let Some((kind, body)) = events.next() {
            match kind {
                0 => metadata = Some(body),
                1 => checkpoints.push(body),
                _ => {}
            }
        }
        let used = events.cursor.at;
        if used < bytes.len() && header.size > 0 {
            warnings.add("events", || {
                let at = place.0 + used as u64;
                format!("the events of a chunk are damaged from byte {at} on")
            });
        }
        self.start.get_or_insert(header.start);
        self.end = self.end.max(header.start.saturating_add(header.duration));
        let Some(classes) = metadata.and_then(Classes::read) else {
            warnings.add("metadata", || {
                format!("the chunk at {place} has no metadata, so that its events cannot be read")
            });
            return Ok(used);
        };
        let mut pools = Pools::default();
        let mut programs = HashMap::new();
        for body in checkpoints {
            if pools.read(body, &classes, &mut programs).is_none() {
                warnings
                    .add("constants", || format!("constants of the chunk at {place} are damaged"));
            }
            options.check_memory(self.heap_bytes() + pools.heap_bytes() + bytes.len())?;
        }
        let mut chunk = Chunk {
            header,
            cursor,
            pools,
            contexts: HashMap::new(),
            methods: HashMap::new(),
            threads: HashMap::new(),
            path: vec![],
            frames: vec![],
        };
        let mut actions = HashMap::new();
        let mut events = Events { cursor };
        let mut count = 0u32;
        let mut values = vec![Value::None; usize::from(u8::MAX)];
        while let Some((kind, body)) = events.next() {
            if kind < 2 {
                continue;
            }
            let action = actions.entry(kind).or_insert_with(|| self.action(kind, &classes));
            if self.event(action, body, &mut values, &classes, &mut chunk).is_none() {
                warnings.add("event", || format!("events of the chunk at {place} are damaged"));
                continue;
            }
            count += 1;
            if count.is_multiple_of(4096) {
                options.check_memory(self.heap_bytes() + chunk.pools.heap_bytes() + bytes.len())?;
            }
        }
        Ok(used)
    }

    /// Does with an event what is done with its type; none if it is damaged.
    #[inline]
    fn event(
        &mut self,
        action: &mut Action,
        mut body: Cursor<'_>,
        values: &mut [Value],
        classes: &Classes,
        chunk: &mut Chunk<'_>,
    ) -> Option<()> {
        values.fill(Value::None);
        let program = match action {
            Action::Show(_, layout) | Action::Happen(layout) => Some(&layout.program),
            Action::Setting(program) | Action::Machine(program) => Some(&*program),
            Action::Count(_) => None,
        };
        if let Some(program) = program {
            program.run(&mut body, |slot, value| {
                if let Some(place) = values.get_mut(usize::from(slot)) {
                    *place = value;
                }
            })?;
        }
        match action {
            Action::Show(kind, layout) => self.show(*kind, layout, values, chunk),
            Action::Happen(layout) => {
                self.happen(layout, ContextId::ROOT, values, chunk);
            }
            Action::Setting(_) => self.setting(values, classes, chunk),
            Action::Machine(_) => self.machine(values, chunk),
            Action::Count(name) => match self.others.get_mut(name) {
                Some(count) => *count += 1,
                None => drop(self.others.insert(name.clone(), 1)),
            },
        }
        Some(())
    }
}
