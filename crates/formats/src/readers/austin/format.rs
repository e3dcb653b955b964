//! The format, and the samples that both of its forms tell of.

use hashbrown::HashMap;
use profile::{
    ContextId, Label, LabelValue, LocationId, Metric, Place, Point, Points, Profile,
    ProfileBuilder, StringId, ThreadId, Timing,
};

use super::clocks::Clocks;
use super::{mojo, text};
use crate::input::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "austin",
    title: "austin (text and MOJO)",
    extensions: &["austin", "mojo", "aprof"],
    about: About {
        carries: "wall or processor time, idle samples, memory; stacks with files, lines and \
                  columns, native and kernel frames, processes, threads, sub-interpreters",
        estimates: "when samples were, where wall time was measured: what those of a process tell of each \
                    other is added up; a process begins where those before it are",
        skips: "where a line ends, tasks of asyncio (counted); times of recordings of processor time or \
                memory, which lack samples or lengths",
        checked_against: "mojo2austin",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(mojo::MAGIC)
        && head.get(3).is_some_and(|&version| (1..0x40).contains(&version))
    {
        return Sniff::Yes;
    }
    let text = String::from_utf8_lossy(&head[..head.len().min(16 << 10)]);
    if text.starts_with("# austin: ") {
        return Sniff::Yes;
    }
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    match first.and_then(text::Head::new) {
        Some(_) => Sniff::Yes,
        None => Sniff::No,
    }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut samples = Samples::default();
    if stream.peek(mojo::MAGIC.len())?.starts_with(mojo::MAGIC) {
        mojo::read(stream, &mut samples, options, warnings)?
    } else {
        text::read(stream, &mut samples, options, warnings)?
    }
    Ok(samples.finish(warnings))
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Wall,
    Cpu,
    Memory,
    /// Time, whether the thread was idle, and memory.
    Full,
}

impl Mode {
    /// Whether all samples are there: those of processor time lack idle ones.
    fn is_whole(self) -> bool {
        matches!(self, Mode::Wall | Mode::Full)
    }

    fn metrics(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Mode::Wall => &[WALL, SAMPLES],
            Mode::Cpu => &[("cpu time", "microseconds"), SAMPLES],
            Mode::Memory => &[("memory", "bytes"), SAMPLES],
            Mode::Full => &[WALL, ("cpu time", "microseconds"), ("memory", "bytes"), SAMPLES],
        }
    }
}

const WALL: (&str, &str) = ("wall time", "microseconds");

const SAMPLES: (&str, &str) = ("samples", "count");

/// A sample's numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) time: i64,
    pub(super) idle: bool,
    pub(super) memory: i64,
}

/// Collects samples, from either form.
#[derive(Default)]
pub(super) struct Samples {
    pub(super) builder: ProfileBuilder,
    pub(super) mode: Option<Mode>,
    /// By process, interpreter and thread as the file has them.
    threads: HashMap<(i64, i64, StringId), ThreadId>,
    /// The recording says how it was made: its samples stand as they were taken.
    has_head: bool,
    clocks: Clocks,
}

impl Samples {
    /// A line of metadata.
    pub(super) fn metadata(&mut self, key: &str, value: &str) {
        let origin = &mut self.builder.origin;
        match key {
            "austin" => origin.producer = format!("austin {value}"),
            "mode" => {
                self.has_head = true;
                let mode = match value {
                    "cpu" => Mode::Cpu,
                    "memory" => Mode::Memory,
                    "full" => Mode::Full,
                    _ => Mode::Wall,
                };
                if self.mode.is_none() {
                    self.set_mode(mode);
                }
            }
            "interval" => {
                origin.period = value.parse().unwrap_or(0);
                origin.period_type = Some(("time".to_owned(), "microseconds".to_owned()));
            }
            "duration" => {
                origin.duration_ns = value.parse::<i64>().unwrap_or(0).saturating_mul(1000);
            }
            _ => {
                const MOST_COMMENTS: usize = 100;
                if origin.comments.len() < MOST_COMMENTS {
                    origin.comments.push(format!("{key}: {value}"));
                }
            }
        }
    }

    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.mode = Some(mode);
        let metric = |&(name, unit): &(&str, &str)| Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            timing: if name == WALL.0 { Timing::Length } else { Timing::Instant },
            ..Metric::default()
        };
        self.builder.metrics = mode.metrics().iter().map(metric).collect();
        self.builder.points = Points::new(self.builder.metrics.len());
    }

    /// A thread by its number, with the interpreter before it where that is not the main one.
    pub(super) fn thread(&mut self, process: i64, interpreter: i64, thread: &str) -> ThreadId {
        let key = (process, interpreter, self.builder.strings.intern(thread));
        if let Some(&known) = self.threads.get(&key) {
            return known;
        }
        let id = match interpreter {
            0 => thread.to_owned(),
            interpreter => format!("{interpreter}:{thread}"),
        };
        let process = self.builder.process(&process.to_string());
        let id = self.builder.thread(Some(process), &id);
        self.threads.insert(key, id);
        id
    }

    /// A frame; what is unknown is empty or 0.
    pub(super) fn location(
        &mut self,
        file: &str,
        function: &str,
        line: u32,
        column: u32,
    ) -> LocationId {
        self.builder.place(&Place { function, file, line, column, ..Place::default() })
    }

    pub(super) fn push(&mut self, context: ContextId, thread: Option<ThreadId>, numbers: Numbers) {
        let mode = self.mode.unwrap_or_else(|| {
            self.set_mode(Mode::Wall);
            Mode::Wall
        });
        let Numbers { time, idle, memory } = numbers;
        let values = [time, if idle { 0 } else { time }, memory, 1];
        let values = match mode {
            Mode::Full => &values[..],
            Mode::Memory => &values[2..],
            Mode::Wall | Mode::Cpu => &[time, 1],
        };
        let labels = if idle {
            let strings = &mut self.builder.strings;
            let key = strings.intern("idle");
            let value = LabelValue::Text(strings.intern("true"));
            self.builder.labels.add(&[Label { key, value }])
        } else {
            profile::LabelSetId(0)
        };
        let is_timed = self.has_head && mode.is_whole();
        let time = thread.filter(|_| is_timed).map(|thread| {
            let process = self.builder.threads[thread.index()].process;
            self.clocks.time_of(process, thread, time)
        });
        let point = Point { context, labels, time, thread, ..Point::default() };
        self.builder.points.push_point(point, values);
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        if self.mode.is_none() {
            self.set_mode(Mode::Wall);
        }
        if self.builder.points.is_empty() {
            warnings.add("no samples", || "the file holds no samples".to_owned());
        }
        let duration = &mut self.builder.origin.duration_ns;
        *duration = (*duration).max(self.clocks.latest);
        self.builder.origin.format = FORMAT.name.to_owned();
        if self.builder.origin.producer.is_empty() {
            self.builder.origin.producer = "austin".to_owned();
        }
        self.builder.finish()
    }
}
