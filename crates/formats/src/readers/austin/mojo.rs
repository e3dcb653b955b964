//! MOJO: events of a byte and what belongs to it. Names and frames are defined once a process and
//! then named by their keys.

use hashbrown::HashMap;
use profile::{ContextId, LocationId, StringId, ThreadId};

use super::FORMAT;
use super::format::{Numbers, Samples};
use crate::input::stream::Stream;
use crate::numbers::hexadecimal::hexadecimal;
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(super) const MAGIC: &[u8] = b"MOJ";

/// The newest version that is known.
const NEWEST: i64 = 4;

/// A longer text is damage.
const LONGEST: usize = 1 << 20;

/// Key of the name `<unknown>`, which is never defined.
const UNKNOWN: i64 = 1;

pub(super) fn read(
    stream: Stream,
    samples: &mut Samples,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let mut events = Events { stream, text: String::new() };
    events.stream.consume(MAGIC.len());
    let version = events.number()?.unwrap_or(0);
    if !(1..=NEWEST).contains(&version) {
        return Err(ReadError::Unsupported {
            found: format!("version {version} of austin's MOJO"),
            instead: "versions 1 to 4 are",
        });
    }
    let mut reading = MojoParser {
        samples,
        version,
        processes: HashMap::new(),
        process: 0,
        thread: None,
        frames: vec![],
        previous: HashMap::new(),
        numbers: Numbers::default(),
        task_frames: 0,
        bytes: 0,
    };
    let mut count = 0u64;
    loop {
        let place = events.stream.place();
        let Some(&event) = events.stream.peek(1)?.first() else { break };
        events.stream.consume(1);
        if reading.event(event, &mut events, place, warnings)?.is_none() {
            warnings.add("cut", || format!("the file is cut short in the event at {place}"));
            break;
        }
        count += 1;
        if count.is_multiple_of(4096) {
            options.check_memory(reading.samples.builder.heap_bytes() + reading.bytes)?;
        }
    }
    reading.end_sample();
    Ok(())
}

/// The next number; nothing is returned where the file ends in it.
macro_rules! number {
    ($events:ident) => {
        match $events.number()? {
            Some(number) => number,
            None => return Ok(None),
        }
    };
}

/// What a process has defined.
#[derive(Default)]
struct Process {
    strings: HashMap<i64, StringId>,
    frames: HashMap<i64, (LocationId, bool)>,
}

struct MojoParser<'s> {
    samples: &'s mut Samples,
    version: i64,
    processes: HashMap<i64, Process>,
    process: i64,
    /// The thread of the sample that is read.
    thread: Option<ThreadId>,
    /// Its frames, outermost first, and whether they are native ones.
    frames: Vec<(LocationId, bool)>,
    /// The frames of each thread's sample before.
    previous: HashMap<ThreadId, Vec<(LocationId, bool)>>,
    numbers: Numbers,
    /// How many frames to come are those of a task.
    task_frames: i64,
    /// Roughly held by the maps.
    bytes: usize,
}

impl MojoParser<'_> {
    /// Reads what belongs to an event; none if it is cut short.
    fn event(
        &mut self,
        event: u8,
        events: &mut Events<'_>,
        place: Place,
        warnings: &mut Warnings,
    ) -> Result<Option<()>, ReadError> {
        match event {
            // Nothing is written as 0, but streams are padded with it.
            0 => {}
            1 => {
                let Some(key) = events.text()?.map(str::to_owned) else { return Ok(None) };
                let Some(value) = events.text()? else { return Ok(None) };
                self.samples.metadata(&key, value);
            }
            2 => {
                self.end_sample();
                self.process = number!(events);
                let interpreter = if self.version >= 3 { number!(events) } else { 0 };
                let Some(thread) = events.text()? else { return Ok(None) };
                // The text has it in decimal digits.
                let decimal = hexadecimal(thread).map(|id| id.to_string());
                let thread = decimal.as_deref().unwrap_or(thread);
                self.thread = Some(self.samples.thread(self.process, interpreter, thread));
            }
            3 => return self.frame(events),
            4 => self.special("INVALID", ""),
            5 => {
                let key = number!(events);
                let Some(&frame) = self.defined().frames.get(&key) else {
                    warnings.add("frame", || format!("the frame {key} at {place} is not defined"));
                    self.special("<unknown>", "");
                    return Ok(Some(()));
                };
                match self.task_frames {
                    0 => self.frames.push(frame),
                    _ => self.task_frames -= 1,
                }
            }
            6 => {
                let Some(name) = events.text()?.map(str::to_owned) else { return Ok(None) };
                self.special(&name, "kernel");
            }
            7 => self.special("GC", ""),
            8 => self.numbers.idle = true,
            9 => self.numbers.time = number!(events),
            10 => self.numbers.memory = number!(events),
            11 => {
                let key = number!(events);
                let Some(text) = events.text()? else { return Ok(None) };
                let text = self.samples.builder.strings.intern(text);
                self.bytes += 24;
                self.defined().strings.insert(key, text);
            }
            12 => drop(number!(events)),
            13 => self.keep_outer_frames(),
            14 => {
                let (_task, _name, frames) = (number!(events), number!(events), number!(events));
                self.task_frames = frames.max(0);
                warnings.add("tasks", || "tasks of asyncio are not shown".to_owned());
            }
            15 => drop((number!(events), number!(events))),
            16 => drop(number!(events)),
            event => {
                return Err(ReadError::Malformed {
                    format: FORMAT.name,
                    place,
                    reason: format!("an unknown event {event}"),
                });
            }
        }
        Ok(Some(()))
    }

    /// Defines a frame.
    fn frame(&mut self, events: &mut Events<'_>) -> Result<Option<()>, ReadError> {
        let (key, file, function, line) =
            (number!(events), number!(events), number!(events), number!(events));
        let column = if self.version >= 2 {
            let (_line_end, column, _column_end) =
                (number!(events), number!(events), number!(events));
            column
        } else {
            0
        };
        let (file, function) = (self.string(file), self.string(function));
        let builder = &self.samples.builder;
        let file = builder.strings.get(file).to_owned();
        let function = builder.strings.get(function).to_owned();
        let small = |number: i64| u32::try_from(number).unwrap_or(0);
        let location = self.samples.location(&file, &function, small(line), small(column));
        let is_python = file.ends_with(".py") || (file.starts_with('<') && file.ends_with('>'));
        self.bytes += 32;
        self.defined().frames.insert(key, (location, !is_python));
        Ok(Some(()))
    }

    /// The sample before holds what is outside of this one's frames.
    fn keep_outer_frames(&mut self) {
        if let Some(thread) = self.thread
            && let Some(before) = self.previous.get(&thread)
        {
            let native = before.iter().rev().take_while(|&&(_, native)| native).count();
            let kept = &before[..before.len() - native];
            self.frames.splice(0..0, kept.iter().copied());
        }
    }

    fn defined(&mut self) -> &mut Process {
        self.processes.entry(self.process).or_default()
    }

    fn string(&mut self, key: i64) -> StringId {
        if key == UNKNOWN {
            return self.samples.builder.strings.intern("<unknown>");
        }
        self.defined().strings.get(&key).copied().unwrap_or(StringId::EMPTY)
    }

    fn special(&mut self, name: &str, file: &str) {
        let location = self.samples.location(file, name, 0, 0);
        self.frames.push((location, false));
    }

    fn end_sample(&mut self) {
        self.task_frames = 0;
        let numbers = std::mem::take(&mut self.numbers);
        let Some(thread) = self.thread.take() else { return };
        let stack = self.frames.iter().map(|&(location, _)| location);
        let context: ContextId = self.samples.builder.stack(stack);
        self.samples.push(context, Some(thread), numbers);
        let previous = self.previous.entry(thread).or_default();
        std::mem::swap(previous, &mut self.frames);
        self.frames.clear();
    }
}

/// Numbers and texts of events; none where the file ends in them.
struct Events<'a> {
    stream: Stream<'a>,
    text: String,
}

impl Events<'_> {
    /// Six bits and a sign in the first byte, seven bits in each further one.
    fn number(&mut self) -> Result<Option<i64>, ReadError> {
        const MOST_BYTES: usize = 10;
        let bytes = self.stream.peek(MOST_BYTES)?;
        let Some(&first) = bytes.first() else { return Ok(None) };
        let mut value = u64::from(first & 0x3f);
        let (mut last, mut len) = (first, 1);
        while last & 0x80 != 0 {
            let Some(&byte) = bytes.get(len) else { return Ok(None) };
            let shift = 6 + 7 * (len as u32 - 1);
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            last = byte;
            len += 1;
        }
        self.stream.consume(len);
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        Ok(Some(if first & 0x40 != 0 { -value } else { value }))
    }

    /// A text that ends with a zero.
    fn text(&mut self) -> Result<Option<&str>, ReadError> {
        let mut wanted = 64;
        let len = loop {
            let window = self.stream.peek(wanted)?;
            if let Some(len) = memchr::memchr(0, window) {
                break len;
            }
            if window.len() < wanted || wanted > LONGEST {
                return Ok(None);
            }
            wanted = window.len() + 1;
        };
        self.text.clear();
        let bytes = self.stream.take(len + 1);
        crate::input::encoding::push_lossy(&bytes[..len], &mut self.text);
        Ok(Some(&self.text))
    }
}
