//! The lines of a profile.

use profile::{Label, LabelValue};

use super::threads::Open;
use crate::numbers::hexadecimal::leading;
use crate::readers::gperftools::format::GperftoolsParser;
use crate::text::lines::{Line, Lines};
use crate::{ReadError, ReadOptions, Warnings};

/// What the first line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::readers::gperftools) enum Section<'l> {
    /// Whether it has allocations beside what is in use, and the mean distance of samples.
    Heap {
        allocated: bool,
        rate: Option<i64>,
        period: i64,
    },
    /// A Java heap.
    HeapZ,
    Contention,
    Threads,
    /// Go's goroutines, threads and own kinds.
    Count(&'l str),
    /// Go's stacks of goroutines in full.
    Goroutines,
}

impl<'l> Section<'l> {
    pub(in crate::readers::gperftools) fn new(line: &'l str) -> Option<Section<'l>> {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("heap profile:") {
            return heap_section(rest);
        }
        if line.starts_with("--- heapz ") {
            return Some(Section::HeapZ);
        }
        if ["--- contentionz ", "--- mutex:", "--- contention:"].iter().any(|s| line.starts_with(s))
        {
            return Some(Section::Contention);
        }
        if line.starts_with("--- threadz ") || thread_of(line).is_some() {
            return Some(Section::Threads);
        }
        if goroutine_of(line).is_some() {
            return Some(Section::Goroutines);
        }
        let (kind, total) = line.split_once(" profile: total ")?;
        let is_count = total.bytes().all(|byte| byte.is_ascii_digit()) && !total.is_empty();
        (is_count && !kind.contains(char::is_whitespace)).then_some(Section::Count(kind))
    }
}

/// `objects: bytes [objects: bytes] @ kind/rate`.
fn heap_section(rest: &str) -> Option<Section<'_>> {
    let (numbers, kind) = rest.split_once('@')?;
    let numbers = four_numbers(numbers)?;
    let kind = kind.trim();
    let (kind, rate) = kind.split_once('/').unwrap_or((kind, ""));
    let rate = match rate {
        "" => 0,
        rate => rate.parse().ok()?,
    };
    let [objects, bytes, allocated_objects, allocated_bytes] = numbers;
    let differs = |a: i64, b: i64| b != a && b != 0;
    let allocated = differs(objects, allocated_objects) || differs(bytes, allocated_bytes);
    match kind {
        "heapz_v2" | "heap_v2" => Some(Section::Heap { allocated, rate: Some(rate), period: rate }),
        // Go writes twice its rate.
        "heap" => Some(Section::Heap { allocated, rate: Some(rate / 2), period: rate / 2 }),
        "heapprofile" => Some(Section::Heap { allocated, rate: None, period: 1 }),
        "growth" | "growthz" | "fragmentation" | "fragmentationz" => {
            Some(Section::Heap { allocated: false, rate: None, period: 1 })
        }
        _ => None,
    }
}

/// `a: b [c: d]`.
pub(super) fn four_numbers(text: &str) -> Option<[i64; 4]> {
    let mut words = text.split([':', '[', ']', ' ', '\t']).filter(|word| !word.is_empty());
    let mut number = || words.next()?.parse().ok();
    let numbers = [number()?, number()?, number()?, number()?];
    words.next().is_none().then_some(numbers)
}

pub(in crate::readers::gperftools) fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn is_map_mark(line: &str) -> bool {
    line.contains("--- Memory map: ---") || line.contains("MAPPED_LIBRARIES:")
}

/// Address and name and number of `--- Thread 7f (name: main/25) stack: ---`.
pub(super) fn thread_of(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("--- Thread ")?.strip_suffix(" stack: ---")?;
    let (_, name) = rest.split_once(" (name: ")?;
    name.strip_suffix(')')?.rsplit_once('/')
}

/// Number and state of `goroutine 7 [chan receive, 2 minutes]:`.
pub(super) fn goroutine_of(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("goroutine ")?.strip_suffix("]:")?;
    let (number, state) = rest.split_once(" [")?;
    // Newer versions put more before the bracket.
    let number = number.split(' ').next()?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((number, state))
}

/// The numbers `0x…` of a text.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = u64> {
    text.split("0x").skip(1).filter_map(|rest| Some(leading(rest)?.0))
}

pub(in crate::readers::gperftools) fn read(
    lines: &mut Lines<'_>,
    reading: &mut GperftoolsParser,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let mut parser = Parser { reading, state: State::Start, java: false };
    while let Some(line) = lines.next_line()? {
        parser.line(line, warnings);
        if line.number.is_multiple_of(1024) {
            options.check_memory(parser.reading.heap_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["line"])?;
    parser.end_thread();
    if matches!(parser.state, State::Threads(_)) {
        parser.reading.drop_doubled_leaves();
    }
    Ok(())
}

pub(super) struct Parser<'r> {
    pub(super) reading: &'r mut GperftoolsParser,
    pub(super) state: State,
    /// Whether addresses are numbers of names that follow.
    pub(super) java: bool,
}

pub(super) enum State {
    Start,
    Heap { allocated: bool, rate: Option<i64> },
    HeapZ,
    Contention { cycles_a_second: i64, period: i64 },
    Count,
    Threads(Open),
    Goroutines(Open),
    Mappings,
    JavaNames,
}

impl Parser<'_> {
    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text;
        if is_map_mark(text) {
            self.end_thread();
            if matches!(self.state, State::Threads(_)) {
                self.reading.drop_doubled_leaves();
            }
            self.state = State::Mappings;
            return;
        }
        let sound = match &mut self.state {
            State::Start if is_comment(text) => Some(()),
            State::Start => self.start(text),
            State::Mappings => {
                self.reading.mappings.line(text);
                Some(())
            }
            State::JavaNames => {
                java_location(text, self.reading);
                Some(())
            }
            State::Threads(_) => self.thread_line(text.trim()),
            State::Goroutines(_) => self.goroutine_line(text),
            _ if text.trim_start().starts_with('#') => {
                self.go_comment(text.trim_start());
                Some(())
            }
            _ if text.trim().is_empty() => Some(()),
            State::Heap { allocated, rate } => {
                let (allocated, rate) = (*allocated, *rate);
                self.heap_line(text, allocated, rate)
            }
            State::HeapZ | State::Contention { .. } => self.timed_line(text.trim()),
            State::Count => self.count_line(text),
        };
        if sound.is_none() {
            warnings.add("line", || {
                let start: String = text.chars().take(40).collect();
                format!("line {} at {} is skipped: {start}", line.number, line.place)
            });
        }
    }

    fn start(&mut self, text: &str) -> Option<()> {
        self.state = match Section::new(text)? {
            Section::Heap { allocated, rate, period } => {
                self.reading.set_period(period, "space", "bytes");
                self.reading.set_metrics(if allocated {
                    &[
                        ("alloc_objects", "count"),
                        ("alloc_space", "bytes"),
                        ("inuse_objects", "count"),
                        ("inuse_space", "bytes"),
                    ]
                } else {
                    &[("objects", "count"), ("space", "bytes")]
                });
                State::Heap { allocated, rate }
            }
            Section::HeapZ => {
                self.set_java();
                self.reading.set_metrics(&[("inuse_objects", "count"), ("inuse_space", "bytes")]);
                State::HeapZ
            }
            Section::Contention => {
                self.reading.set_metrics(&[("contentions", "count"), ("delay", "nanoseconds")]);
                self.reading.set_period(1, "contentions", "count");
                State::Contention { cycles_a_second: 0, period: 1 }
            }
            Section::Threads => {
                self.reading.set_metrics(&[("thread", "count")]);
                self.reading.set_period(1, "thread", "count");
                self.state = State::Threads(Open::default());
                return self.thread_line(text.trim());
            }
            Section::Count(kind) => {
                self.reading.set_metrics(&[(kind, "count")]);
                self.reading.set_period(1, kind, "count");
                State::Count
            }
            Section::Goroutines => {
                self.reading.set_metrics(&[("goroutine", "count")]);
                self.reading.set_period(1, "goroutine", "count");
                self.reading.without_addresses = true;
                self.state = State::Goroutines(Open::default());
                return self.goroutine_line(text);
            }
        };
        Some(())
    }

    pub(super) fn set_java(&mut self) {
        self.java = true;
        self.reading.without_addresses = true;
    }

    pub(super) fn text(&mut self, key: &str, text: &str) -> Label {
        let strings = &mut self.reading.builder.strings;
        Label { key: strings.intern(key), value: LabelValue::Text(strings.intern(text)) }
    }

    pub(super) fn number(&mut self, key: &str, number: i64, unit: &str) -> Label {
        let strings = &mut self.reading.builder.strings;
        Label { key: strings.intern(key), value: LabelValue::Number(number, strings.intern(unit)) }
    }
}

/// A line `0x4 com.example.Main.run (Main.java:7)` below a Java profile.
pub(in crate::readers::gperftools) fn java_location(text: &str, reading: &mut GperftoolsParser) {
    let text = text.trim();
    let Some((address, name)) = text.split_once([' ', '\t']) else { return };
    let Some(address) = addresses(address).next() else { return };
    let name = name.trim();
    let place = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    let (name, file, line) = match place {
        Some((name, place)) => match place.rsplit_once(':') {
            Some((file, line))
                if line.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit()) =>
            {
                (name.trim(), file, line.parse().unwrap_or(0))
            }
            _ => (name.trim(), profile::base_name(place), 0),
        },
        None if name.contains("generated stub/JIT") => ("STUB", "", 0),
        None => (name, "", 0),
    };
    let function = reading.builder.function(name, file, 0);
    reading.symbols.insert(address, vec![(function, line)]);
}
