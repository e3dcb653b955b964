//! `P<process>;T<interpreter>:<thread>;<file>:<function>:<line>;… <numbers>`, outermost frame first.

use hashbrown::HashMap;
use profile::{ContextId, LocationId};

use super::FORMAT;
use super::format::{Mode, Numbers, Samples};
use crate::input::stream::Stream;
use crate::text::lines::Lines;
use crate::{ReadError, ReadOptions, Warnings};

/// The start of a sample.
pub(super) struct Head<'l> {
    process: i64,
    interpreter: i64,
    thread: &'l str,
    frames: &'l str,
    numbers: &'l str,
}

impl<'l> Head<'l> {
    pub(super) fn new(line: &'l str) -> Option<Head<'l>> {
        let (stack, numbers) = line.trim_end().rsplit_once(' ')?;
        let is_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b'-');
        if numbers.is_empty() || !numbers.bytes().all(is_number) {
            return None;
        }
        let (process, rest) = stack.strip_prefix('P')?.split_once(";T")?;
        let process = process.parse().ok()?;
        let (thread, frames) = rest.split_once(';').unwrap_or((rest, ""));
        let (interpreter, thread) = thread.split_once(':').unwrap_or(("0", thread));
        let is_id = |byte: u8| byte.is_ascii_hexdigit() || byte == b'x';
        if thread.is_empty() || !thread.bytes().all(is_id) {
            return None;
        }
        let interpreter = interpreter.parse().ok()?;
        Some(Head { process, interpreter, thread, frames, numbers })
    }
}

pub(super) fn read(
    stream: Stream,
    samples: &mut Samples,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut frames = HashMap::<String, LocationId>::new();
    while let Some(line) = lines.next_line()? {
        let text = line.text.trim_end();
        if line.number.is_multiple_of(4096) {
            options.check_memory(samples.builder.heap_bytes() + frames.len() * 64)?;
        }
        if text.is_empty() {
            continue;
        }
        if let Some(metadata) = text.strip_prefix('#') {
            if let Some((key, value)) = metadata.split_once(':') {
                samples.metadata(key.trim(), value.trim());
            }
            continue;
        }
        let sample = Head::new(text).and_then(|head| {
            let numbers = numbers(head.numbers, samples.mode_or(head.numbers))?;
            Some((head, numbers))
        });
        let Some((head, numbers)) = sample else {
            warnings.add("line", || {
                let start: String = text.chars().take(40).collect();
                format!("line {} is skipped, it is not a sample: {start}", line.number)
            });
            continue;
        };
        let thread = samples.thread(head.process, head.interpreter, head.thread);
        let mut context = ContextId::ROOT;
        for frame in head.frames.split(';').filter(|frame| !frame.is_empty()) {
            let location = match frames.get(frame) {
                Some(&known) => known,
                None => {
                    let (file, function, line) = split_frame(frame);
                    let location = samples.location(file, function, line, 0);
                    frames.insert(frame.to_owned(), location);
                    location
                }
            };
            context = samples.builder.contexts.child(context, location);
        }
        samples.push(context, Some(thread), numbers);
    }
    lines.check_skipped(warnings, &["line"])
}

impl Samples {
    /// The mode; where no head says so, what the first sample's numbers tell.
    fn mode_or(&mut self, numbers: &str) -> Mode {
        if self.mode.is_none() {
            self.set_mode(if numbers.contains(',') { Mode::Full } else { Mode::Wall });
        }
        self.mode.unwrap_or(Mode::Wall)
    }
}

/// One number, or time, idleness and memory.
fn numbers(text: &str, mode: Mode) -> Option<Numbers> {
    let mut words = text.split(',').map(|word| word.parse::<i64>().ok());
    let first = words.next()??;
    let numbers = match mode {
        Mode::Full => {
            let idle = words.next()?? != 0;
            Numbers { time: first, idle, memory: words.next()?? }
        }
        Mode::Memory => Numbers { memory: first, ..Numbers::default() },
        Mode::Wall | Mode::Cpu => Numbers { time: first, ..Numbers::default() },
    };
    words.next().is_none().then_some(numbers)
}

/// `file:function:line`; the file may hold colons. Frames such as `:GC:` have a name only.
fn split_frame(frame: &str) -> (&str, &str, u32) {
    let parts = frame.rsplit_once(':').and_then(|(rest, line)| {
        let line = if line.is_empty() { 0 } else { line.parse().ok()? };
        let (file, function) = rest.rsplit_once(':')?;
        Some((file, function, line))
    });
    parts.unwrap_or(("", frame, 0))
}
