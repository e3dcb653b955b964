//! The text profiles: a head that says which kind it is, a line a stack, and mappings.

use std::collections::BTreeMap;

use profile::{Label, LabelValue, ThreadId};

use super::{Reading, Sample};
use crate::lines::{Line, Lines};
use crate::{ReadError, ReadOptions, Warnings};

/// What the first line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section<'l> {
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
    pub(super) fn of(line: &'l str) -> Option<Section<'l>> {
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
fn four_numbers(text: &str) -> Option<[i64; 4]> {
    let mut words = text.split([':', '[', ']', ' ', '\t']).filter(|word| !word.is_empty());
    let mut number = || words.next()?.parse().ok();
    let numbers = [number()?, number()?, number()?, number()?];
    words.next().is_none().then_some(numbers)
}

pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn is_map_mark(line: &str) -> bool {
    line.contains("--- Memory map: ---") || line.contains("MAPPED_LIBRARIES:")
}

/// Address and name and number of `--- Thread 7f (name: main/25) stack: ---`.
fn thread_of(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("--- Thread ")?.strip_suffix(" stack: ---")?;
    let (_, name) = rest.split_once(" (name: ")?;
    name.strip_suffix(')')?.rsplit_once('/')
}

/// Number and state of `goroutine 7 [chan receive, 2 minutes]:`.
fn goroutine_of(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("goroutine ")?.strip_suffix("]:")?;
    let (number, state) = rest.split_once(" [")?;
    // Newer versions put more before the bracket.
    let number = number.split(' ').next()?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((number, state))
}

/// The numbers `0x…` of a text.
fn addresses(text: &str) -> impl Iterator<Item = u64> {
    text.split("0x").skip(1).filter_map(|rest| {
        let len = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        u64::from_str_radix(&rest[..len], 16).ok()
    })
}

pub(super) fn read(
    lines: &mut Lines<'_>,
    reading: &mut Reading,
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

struct Parser<'r> {
    reading: &'r mut Reading,
    state: State,
    /// Whether addresses are numbers of names that follow.
    java: bool,
}

enum State {
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

/// A thread whose stack is read.
#[derive(Default)]
struct Open {
    thread: Option<ThreadId>,
    addresses: Vec<u64>,
    labels: Vec<Label>,
    same: bool,
    function: Option<String>,
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
        self.state = match Section::of(text)? {
            Section::Heap { allocated, rate, period } => {
                self.reading.set_period(period, "space", "bytes");
                self.reading.set_metrics(match allocated {
                    true => &[
                        ("alloc_objects", "count"),
                        ("alloc_space", "bytes"),
                        ("inuse_objects", "count"),
                        ("inuse_space", "bytes"),
                    ],
                    false => &[("objects", "count"), ("space", "bytes")],
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

    fn set_java(&mut self) {
        self.java = true;
        self.reading.without_addresses = true;
    }

    fn heap_line(&mut self, text: &str, allocated: bool, rate: Option<i64>) -> Option<()> {
        let (numbers, stack) = text.split_once('@')?;
        let [objects, bytes, all_objects, all_bytes] = four_numbers(numbers)?;
        let scaled = |objects, bytes| match rate {
            Some(rate) => scale(objects, bytes, rate),
            None => (objects, bytes),
        };
        let in_use = scaled(objects, bytes);
        let all = scaled(all_objects, all_bytes);
        let values = [all.0, all.1, in_use.0, in_use.1];
        let values = if allocated { &values[..] } else { &values[2..] };
        let size = |objects: i64, bytes: i64| bytes.checked_div(objects);
        let block = size(objects, bytes).or(size(all_objects, all_bytes).filter(|_| allocated));
        let label = self.number("bytes", block.unwrap_or(0), "bytes");
        let sample = self.reading.push(addresses(stack).map(|a| a.wrapping_sub(1)), values);
        sample.labels.push(label);
        Some(())
    }

    /// Heaps and contentions of Java, and contentions: `delay count @ stack` below attributes.
    fn timed_line(&mut self, text: &str) -> Option<()> {
        if text.starts_with("---") {
            self.state = State::Mappings;
            return Some(());
        }
        let Some((numbers, stack)) = text.split_once('@') else {
            if self.java && text.starts_with("0x") {
                self.state = State::JavaNames;
                java_location(text, self.reading);
                return Some(());
            }
            let (key, value) = text.split_once('=')?;
            return self.attribute(key.trim(), value.trim());
        };
        let mut words = numbers.split_ascii_whitespace().map(str::parse::<i64>);
        let (first, second) = (words.next()?.ok()?, words.next()?.ok()?);
        let adjust = u64::from(!self.java);
        let stack = addresses(stack).map(|address| address.wrapping_sub(adjust));
        match self.state {
            State::HeapZ => {
                /// The distance of samples in Java heaps.
                const RATE: i64 = 512 << 10;
                let (objects, bytes) = scale(second, first, RATE);
                let label = self.number("bytes", first.checked_div(second).unwrap_or(0), "bytes");
                self.reading.push(stack, &[objects, bytes]).labels.push(label);
            }
            State::Contention { cycles_a_second, period } if period > 0 => {
                let delay = match cycles_a_second {
                    1.. if !self.java => {
                        let cycles_a_nanosecond = cycles_a_second as f64 / 1e9;
                        (first as f64 * period as f64 / cycles_a_nanosecond) as i64
                    }
                    _ if self.java => first.saturating_mul(period),
                    _ => first,
                };
                self.reading.push(stack, &[second.saturating_mul(period), delay]);
            }
            _ => drop(self.reading.push(stack, &[second, first])),
        }
        Some(())
    }

    fn attribute(&mut self, key: &str, value: &str) -> Option<()> {
        match (key, &mut self.state) {
            ("cycles/second", State::Contention { cycles_a_second, .. }) => {
                *cycles_a_second = value.parse().ok()?;
            }
            ("sampling period", State::Contention { period, .. }) => {
                *period = value.parse().ok()?;
                let period = *period;
                self.reading.set_period(period, "contentions", "count");
            }
            ("ms since reset", _) => {
                let milliseconds: i64 = value.parse().ok()?;
                self.reading.builder.origin.duration_ns = milliseconds.saturating_mul(1_000_000);
            }
            ("format", _) => self.set_java(),
            ("resolution", _) => value.clone_into(&mut self.reading.metrics[1].unit),
            ("discarded samples", _) => {}
            _ => return None,
        }
        Some(())
    }

    fn count_line(&mut self, text: &str) -> Option<()> {
        if text.starts_with("---") {
            self.state = State::Mappings;
            return Some(());
        }
        let (count, stack) = text.split_once('@')?;
        let count = count.trim().parse().ok()?;
        self.reading.push(addresses(stack).map(|address| address.wrapping_sub(1)), &[count]);
        Some(())
    }

    /// Go's address, `function+0x28` and `file:line` behind a `#`, with tabs between; and labels.
    fn go_comment(&mut self, text: &str) {
        if let Some(labels) = text.strip_prefix("# labels: ") {
            let labels: BTreeMap<String, String> = serde_json::from_str(labels).unwrap_or_default();
            for (key, value) in labels {
                let label = self.text(&key, &value);
                if let Some(sample) = self.reading.samples.last_mut() {
                    sample.labels.push(label);
                }
            }
            return;
        }
        let mut columns = text.split('\t').filter(|column| !column.is_empty()).skip(1);
        let (Some(address), Some(name), Some(place)) =
            (columns.next(), columns.next(), columns.next())
        else {
            return;
        };
        let Some(address) = addresses(address).next() else { return };
        let name = name.rsplit_once("+0x").map_or(name, |(name, _)| name);
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let function = self.reading.builder.function(name, file, 0);
        let frame = (function, line.parse().unwrap_or(0));
        let frames = self.reading.symbols.entry(address).or_default();
        // The same address again in other stacks says the same.
        if !frames.contains(&frame) && frames.is_empty() {
            frames.push(frame);
        }
    }

    fn thread_line(&mut self, text: &str) -> Option<()> {
        let State::Threads(open) = &mut self.state else { return None };
        if text.starts_with("---") {
            let thread = thread_of(text).map(|(name, number)| {
                let id = self.reading.builder.thread(None, number);
                self.reading.builder.threads[id.index()].name =
                    self.reading.builder.strings.intern(name);
                id
            });
            self.end_thread();
            if let State::Threads(open) = &mut self.state {
                open.thread = thread;
            }
            return Some(());
        }
        if text.contains("same as previous thread") {
            open.same = true;
            return Some(());
        }
        let before = open.addresses.len();
        open.addresses.extend(addresses(text));
        // Only the leaf is no return address.
        for (index, address) in open.addresses.iter_mut().enumerate().skip(before) {
            *address = address.wrapping_sub(u64::from(index > 0));
        }
        if let Some((_, name)) =
            text.split_once(": ").filter(|_| open.addresses.len() == before + 1)
        {
            let name = name
                .split_once("0x")
                .map_or(name, |(_, rest)| rest.split_once(": ").map_or("", |(_, name)| name));
            let name = name.trim();
            if !name.is_empty() {
                let function = self.reading.builder.function(name, "", 0);
                let frames = self.reading.symbols.entry(open.addresses[before]).or_default();
                if frames.is_empty() {
                    frames.push((function, 0));
                }
            }
        }
        Some(())
    }

    /// Puts the open thread on record.
    fn end_thread(&mut self) {
        let (State::Threads(open) | State::Goroutines(open)) = &mut self.state else { return };
        let Open { thread, addresses, labels, same, .. } = std::mem::take(open);
        if same {
            let Some(&Sample { start, len, .. }) = self.reading.samples.last() else { return };
            self.reading.values.push(1);
            self.reading.samples.push(Sample { start, len, labels, thread });
        } else if !addresses.is_empty() {
            let sample = self.reading.push(addresses, &[1]);
            (sample.labels, sample.thread) = (labels, thread);
        }
    }

    /// `function(arguments)`, then `file:line +0x1b`, below a goroutine's head.
    fn goroutine_line(&mut self, text: &str) -> Option<()> {
        if let Some((number, state)) = goroutine_of(text.trim_end()) {
            self.end_thread();
            let (state, rest) = state.split_once(", ").unwrap_or((state, ""));
            let mut labels = vec![self.text("state", state)];
            if !rest.is_empty() {
                labels.push(self.text("for", rest));
            }
            let thread = Some(self.reading.builder.thread(None, number));
            self.state = State::Goroutines(Open { thread, labels, ..Open::default() });
            return Some(());
        }
        let State::Goroutines(open) = &mut self.state else { return None };
        if text.trim().is_empty() {
            return Some(());
        }
        if !text.starts_with(['\t', ' ']) {
            let name = match text.strip_prefix("created by ") {
                Some(creator) => {
                    creator.split_once(" in goroutine").map_or(creator, |(name, _)| name)
                }
                None if text.ends_with(')') => text.rfind('(').map_or(text, |at| &text[..at]),
                None => text,
            };
            open.function = Some(name.to_owned());
            return Some(());
        }
        let name = open.function.take()?;
        let place = text.trim();
        let place = place.split_once(" +0x").map_or(place, |(place, _)| place);
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let line: u32 = line.parse().unwrap_or(0);
        let function = self.reading.builder.function(&name, file, 0);
        // A place stands for its address, which is not known.
        let key = u64::from(function.0) << 32 | u64::from(line);
        open.addresses.push(key);
        self.reading.symbols.insert(key, vec![(function, line)]);
        Some(())
    }

    fn text(&mut self, key: &str, text: &str) -> Label {
        let strings = &mut self.reading.builder.strings;
        Label { key: strings.intern(key), value: LabelValue::Text(strings.intern(text)) }
    }

    fn number(&mut self, key: &str, number: i64, unit: &str) -> Label {
        let strings = &mut self.reading.builder.strings;
        Label { key: strings.intern(key), value: LabelValue::Number(number, strings.intern(unit)) }
    }
}

/// A line `0x4 com.example.Main.run (Main.java:7)` below a Java profile.
pub(super) fn java_location(text: &str, reading: &mut Reading) {
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

/// What a sample of a heap stands for, where one byte in `rate` is sampled: as pprof computes it.
fn scale(objects: i64, bytes: i64, rate: i64) -> (i64, i64) {
    if objects == 0 || bytes == 0 {
        return (0, 0);
    }
    if rate <= 1 {
        return (objects, bytes);
    }
    let mean = bytes as f64 / objects as f64;
    let scale = 1.0 / (1.0 - (-mean / rate as f64).exp());
    ((objects as f64 * scale) as i64, (bytes as f64 * scale) as i64)
}
