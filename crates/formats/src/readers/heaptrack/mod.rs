//! What heaptrack records of a program's allocations, as it is (raw) or after
//! `heaptrack_interpret`; versions 0 to 3.
//!
//! ```text
//! v 10400 3            heaptrack 1.4.0, version 3 of the format; numbers are hexadecimal
//! s 4 main             string 1
//! i 55d6dcab 1 4 5 5a  address: module, function, file, line; further triples hold it inlined
//! t 8 7                trace 1: address 8, called from trace 7
//! a 140 b              kind of allocation 0: size and trace
//! + 0                  allocated, and freed: - 0
//! ```
//! Raw files have `+ size trace pointer`, `- pointer`, `t address parent` and modules (`m`) in place
//! of names.

mod suppressions;

use std::collections::BTreeMap;

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, LabelSetId, Location, LocationId, Metric, MetricId, ModuleId, Points,
    Profile, ProfileBuilder,
};

use crate::input::stream::Stream;
use crate::text::lines::{Line, Lines};
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings, numbers};
use suppressions::Suppressions;

pub(crate) const FORMAT: Format = Format {
    name: "heaptrack",
    title: "heaptrack",
    extensions: &["heaptrack", "heaptrack.raw"],
    about: About {
        carries: "allocations, temporary allocations, bytes at the peak, leaked and allocated in \
                  all; leaks that the program or heaptrack suppresses, apart from the others; \
                  stacks with inlined frames, files, lines, modules and addresses; the command",
        estimates: "",
        skips: "how memory grew over time; names in raw files, which only heaptrack_interpret can \
                find",
        checked_against: "heaptrack_print",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// The newest version of the format that is known.
const NEWEST: u64 = 3;

const METRICS: [(&str, &str); 5] = [
    ("allocations", "count"),
    ("temporary allocations", "count"),
    ("peak", "bytes"),
    ("leaked", "bytes"),
    ("allocated", "bytes"),
];
const PEAK: usize = 2;
/// The metric of leaks that are suppressed. A file without any does not have it.
const SUPPRESSED: &str = "suppressed leaks";

fn sniff(head: &[u8], _: &str) -> Sniff {
    let mut lines = head.split(|&byte| byte == b'\n');
    let version = lines.next().and_then(|line| line.strip_prefix(b"v "));
    let is_version = version.is_some_and(|line| {
        !line.is_empty()
            && line.len() < 40
            && line.iter().all(|&b| b.is_ascii_hexdigit() || b == b' ' || b == b'\r')
    });
    let is_line = |line: &[u8]| {
        matches!(
            line,
            [b'X' | b'x' | b'I' | b's' | b'm' | b'A' | b'c' | b'S', b' ', ..] | [b'#' | b'A', ..]
        )
    };
    match lines.next() {
        Some(next) if is_version && (is_line(next) || next.is_empty()) => Sniff::Yes,
        _ => Sniff::No,
    }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = Reading::default();
    while let Some(line) = lines.next_line()? {
        reading.line(line, warnings)?;
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["line"])?;
    Ok(reading.finish(warnings))
}

/// What was allocated from one trace.
#[derive(Clone, Copy, Default)]
struct Cost {
    allocations: i64,
    temporary: i64,
    allocated: i64,
    leaked: i64,
    /// What was in use at the peak numbered `seen`. Where a later peak was reached since, `leaked`
    /// is what was in use then, as it would else have been put down.
    peak: i64,
    seen: u64,
}

/// Allocations of one size from one trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    size: i64,
    trace: u32,
}

#[derive(Default)]
struct Reading {
    builder: ProfileBuilder,
    version: u64,
    /// Whether addresses have no names, and pointers stand for allocations.
    raw: bool,
    executable: String,
    strings: Vec<String>,
    locations: Vec<LocationId>,
    /// By trace: its context, and which costs it has (plus one).
    traces: Vec<(ContextId, u32)>,
    costs: Vec<(ContextId, Cost)>,
    kinds: Vec<Kind>,
    /// Numbers of kinds, where the file gives none.
    kind_numbers: HashMap<Kind, u32>,
    pointers: HashMap<u64, u32>,
    /// Raw files: mapped parts of modules, and what was found in them.
    parts: Vec<(u64, u64, ModuleId)>,
    parts_sorted: bool,
    by_address: HashMap<u64, LocationId>,
    /// In use now and at most, and how many peaks there were.
    leaked: i64,
    peak: i64,
    peaks: u64,
    /// The kind or pointer allocated last, 0 after it was freed.
    last: u64,
    milliseconds: u64,
    page_size: u64,
    peak_pages: u64,
    suppressions: Suppressions,
    frames: Vec<(Option<FunctionId>, u32, u32)>,
}

impl Reading {
    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.strings.len() * size_of::<String>()
            + self.locations.len() * 4
            + self.traces.len() * size_of::<(ContextId, u32)>()
            + self.costs.len() * size_of::<(ContextId, Cost)>()
            + self.kinds.len() * size_of::<Kind>()
            + (self.kind_numbers.len() + self.pointers.len() + self.by_address.len()) * 24
            + self.parts.len() * 24
    }

    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) -> Result<(), ReadError> {
        let text = line.text;
        let Some(&mode) = text.as_bytes().first() else { return Ok(()) };
        let rest = text.get(2..).unwrap_or_default();
        let sound = match mode {
            b'+' => self.allocate(rest),
            b'-' => self.free(rest),
            b't' => self.trace(rest, warnings),
            b'a' => self.kind(rest),
            b'i' => self.address(rest),
            b's' => {
                self.strings.push(self.counted(rest).to_owned());
                Some(())
            }
            b'v' => self.set_version(rest)?,
            b'm' => self.module(rest),
            b'x' => {
                self.raw = true;
                self.counted(rest).clone_into(&mut self.executable);
                Some(())
            }
            b'c' => hexadecimal(rest).map(|time| self.milliseconds = time),
            b'R' => hexadecimal(rest).map(|pages| self.peak_pages = self.peak_pages.max(pages)),
            b'X' => {
                self.builder.origin.comments.push(format!("command: {rest}"));
                Some(())
            }
            b'A' => {
                self.builder.origin.comments.push("attached to a running program".to_owned());
                (self.leaked, self.peak) = (0, 0);
                Some(())
            }
            b'I' => rest.split(' ').next().and_then(hexadecimal).map(|size| self.page_size = size),
            b'S' => self.suppressions.add(rest),
            b'#' => Some(()),
            _ => None,
        };
        if sound.is_none() {
            warnings.add("line", || {
                let start: String = text.chars().take(40).collect();
                format!("line {} at {} is skipped: {start}", line.number, line.place)
            });
        }
        Ok(())
    }

    fn set_version(&mut self, rest: &str) -> Result<Option<()>, ReadError> {
        let mut words = rest.split_ascii_whitespace().map(hexadecimal);
        let Some(Some(heaptrack)) = words.next() else { return Ok(None) };
        self.version = words.next().flatten().unwrap_or(0);
        let (major, minor, patch) = (heaptrack >> 16, heaptrack >> 8 & 0xff, heaptrack & 0xff);
        self.builder.origin.producer = format!("heaptrack {major}.{minor}.{patch}");
        if self.version > NEWEST {
            return Err(ReadError::Unsupported {
                found: format!("version {} of heaptrack's files", self.version),
                instead: "versions 0 to 3 are: `heaptrack_print -F stacks.txt` writes collapsed \
                          stacks",
            });
        }
        Ok(Some(()))
    }

    /// A text, with its length before it since version 3.
    fn counted<'l>(&self, rest: &'l str) -> &'l str {
        match rest.split_once(' ') {
            Some((_, text)) if self.version >= 3 => text,
            _ => rest,
        }
    }

    fn address(&mut self, rest: &str) -> Option<()> {
        let mut numbers = rest.split_ascii_whitespace().map(hexadecimal);
        let address = numbers.next()??;
        let module = numbers.next().flatten().unwrap_or(0);
        let module = self.string(module).to_owned();
        let module = self.builder.module(&module);
        // Function, file and line, where the last one may be cut short; innermost first.
        self.frames.clear();
        while let Some(Some(function)) = numbers.next() {
            let file = numbers.next().flatten().unwrap_or(0);
            let line = numbers.next().flatten().unwrap_or(0);
            let text = |index: u64| {
                let index = usize::try_from(index).ok().and_then(|index| index.checked_sub(1));
                index.and_then(|index| self.strings.get(index)).map_or("", String::as_str)
            };
            let (function, file) = (text(function), text(file));
            let named = !(function.is_empty() && file.is_empty());
            let function = named.then(|| self.builder.function(function, file, 0));
            self.frames.push((function, u32::try_from(line).unwrap_or(0), 0));
        }
        self.frames.reverse();
        let location = Location { module, address, ..Location::default() };
        self.locations.push(self.builder.location(location, &self.frames));
        Some(())
    }

    fn string(&self, number: u64) -> &str {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| self.strings.get(index)).map_or("", String::as_str)
    }

    /// Raw files: a module with its address, and offset and size of its mapped parts.
    fn module(&mut self, rest: &str) -> Option<()> {
        self.raw = true;
        self.by_address.clear();
        let (name, rest) = if self.version >= 3 {
            let (len, rest) = rest.split_once(' ')?;
            let len = usize::try_from(hexadecimal(len)?).ok()?;
            (rest.get(..len)?, rest.get(len..)?.trim())
        } else {
            rest.split_once(' ').unwrap_or((rest, ""))
        };
        if name == "-" {
            self.parts.clear();
            return Some(());
        }
        let mut numbers = rest.split_ascii_whitespace().map(hexadecimal);
        let base = numbers.next()??;
        let name = if name == "x" { &self.executable } else { name };
        let module = self.builder.module(name)?;
        while let (Some(Some(offset)), Some(Some(size))) = (numbers.next(), numbers.next()) {
            let start = base.saturating_add(offset);
            self.parts.push((start, start.saturating_add(size), module));
        }
        self.parts_sorted = false;
        Some(())
    }

    /// The place of an address of a raw file.
    fn raw_location(&mut self, address: u64) -> LocationId {
        if let Some(&known) = self.by_address.get(&address) {
            return known;
        }
        if !std::mem::replace(&mut self.parts_sorted, true) {
            self.parts.sort_unstable();
        }
        let after = self.parts.partition_point(|&(start, ..)| start <= address);
        let part = after.checked_sub(1).map(|index| self.parts[index]);
        let module = part.filter(|&(_, end, _)| address < end).map(|(.., module)| module);
        let location = Location { module, address, ..Location::default() };
        let location = self.builder.location(location, &[]);
        self.by_address.insert(address, location);
        location
    }

    fn trace(&mut self, rest: &str, warnings: &mut Warnings) -> Option<()> {
        let (address, parent) = rest.split_once(' ')?;
        let (address, parent) = (hexadecimal(address)?, hexadecimal(parent)?);
        let location = if self.raw {
            Some(self.raw_location(address))
        } else {
            address
                .checked_sub(1)
                .and_then(|index| self.locations.get(usize::try_from(index).ok()?).copied())
        };
        let caller = match usize::try_from(parent).ok()?.checked_sub(1) {
            None => Some(ContextId::ROOT),
            Some(index) => self.traces.get(index).map(|&(context, _)| context),
        };
        let context = match (caller, location) {
            (Some(caller), Some(location)) => self.builder.contexts.child(caller, location),
            _ => {
                warnings.add("trace", || {
                    format!("trace {rest} names an address or a caller that is not there")
                });
                caller.unwrap_or(ContextId::ROOT)
            }
        };
        self.traces.push((context, 0));
        Some(())
    }

    fn kind(&mut self, rest: &str) -> Option<()> {
        let (size, trace) = rest.split_once(' ')?;
        let kind = Kind {
            size: size_of_allocation(size)?,
            trace: u32::try_from(hexadecimal(trace)?).ok()?,
        };
        self.kinds.push(kind);
        Some(())
    }

    fn allocate(&mut self, rest: &str) -> Option<()> {
        let kind = match rest.split_once(' ') {
            None if !self.raw && self.version > 0 => {
                let kind = hexadecimal(rest)?;
                self.last = kind;
                *self.kinds.get(usize::try_from(kind).ok()?)?
            }
            words => {
                let (size, rest) = words?;
                let (trace, pointer) = rest.split_once(' ')?;
                let trace = u32::try_from(hexadecimal(trace)?).ok()?;
                let kind = Kind { size: size_of_allocation(size)?, trace };
                let pointer = hexadecimal(pointer)?;
                let number = *self.kind_numbers.entry(kind).or_insert_with(|| {
                    self.kinds.push(kind);
                    self.kinds.len() as u32 - 1
                });
                self.pointers.insert(pointer, number);
                self.last = if self.version > 0 { number.into() } else { pointer };
                kind
            }
        };
        let peaks = self.peaks;
        let cost = self.cost(kind.trace);
        put_down_peak(cost, peaks);
        cost.allocations += 1;
        cost.allocated = cost.allocated.saturating_add(kind.size);
        cost.leaked = cost.leaked.saturating_add(kind.size);
        self.leaked = self.leaked.saturating_add(kind.size);
        if self.leaked > self.peak {
            self.peak = self.leaked;
            self.peaks += 1;
        }
        Some(())
    }

    fn free(&mut self, rest: &str) -> Option<()> {
        let number = hexadecimal(rest)?;
        let (kind, mark) = if self.raw || self.version == 0 {
            // Pointers from before the recording are freed too.
            let Some(kind) = self.pointers.remove(&number) else { return Some(()) };
            (kind as usize, if self.version > 0 { kind.into() } else { number })
        } else {
            (usize::try_from(number).ok()?, number)
        };
        let kind = *self.kinds.get(kind)?;
        let temporary = std::mem::take(&mut self.last) == mark;
        let peaks = self.peaks;
        let cost = self.cost(kind.trace);
        put_down_peak(cost, peaks);
        cost.leaked = cost.leaked.saturating_sub(kind.size);
        cost.temporary += i64::from(temporary);
        self.leaked = self.leaked.saturating_sub(kind.size);
        Some(())
    }

    /// The costs of a trace; those of no trace belong to the whole program.
    fn cost(&mut self, trace: u32) -> &mut Cost {
        if self.traces.is_empty() {
            self.traces.push((ContextId::ROOT, 0));
        }
        let known = (trace as usize).checked_sub(1).filter(|&index| index < self.traces.len());
        let Some(index) = known else {
            // Rare: found again by its context.
            let found = self.costs.iter().position(|&(context, _)| context == ContextId::ROOT);
            let index = found.unwrap_or_else(|| {
                self.costs.push((ContextId::ROOT, Cost::default()));
                self.costs.len() - 1
            });
            return &mut self.costs[index].1;
        };
        let (context, slot) = &mut self.traces[index];
        if *slot == 0 {
            self.costs.push((*context, Cost::default()));
            *slot = self.costs.len() as u32;
        }
        &mut self.costs[*slot as usize - 1].1
    }

    /// Makes points of the costs. Leaks that are suppressed have a metric of their own.
    fn push_costs(&mut self, warnings: &mut Warnings) {
        if self.suppressions.left_out > 0 {
            let left_out = self.suppressions.left_out;
            warnings.add("suppressions", || {
                format!("{left_out} suppressions of leaks are not applied: the file has too many")
            });
        }
        let suppressed_by = self.suppressions.by_context(&self.builder);
        let mut by_pattern = BTreeMap::<u16, i64>::new();
        let peaks = self.peaks;
        let mut costs = std::mem::take(&mut self.costs);
        for (context, cost) in &mut costs {
            put_down_peak(cost, peaks);
            if let Some(pattern) = suppressed_by[context.index()].filter(|_| cost.leaked != 0) {
                let bytes = by_pattern.entry(pattern).or_default();
                *bytes = bytes.saturating_add(cost.leaked);
            }
        }
        let mut metrics = METRICS.to_vec();
        if !by_pattern.is_empty() {
            metrics.push((SUPPRESSED, "bytes"));
        }
        self.builder.metrics =
            metrics.iter().map(|&(name, unit)| Metric::new(name, unit)).collect();
        self.builder.points = Points::new(metrics.len());
        for (context, cost) in costs {
            let Cost { allocations, temporary, allocated, leaked, peak, .. } = cost;
            let (leaked, suppressed) = match suppressed_by[context.index()] {
                Some(_) => (0, leaked),
                None => (leaked, 0),
            };
            let values = [allocations, temporary, peak, leaked, allocated, suppressed];
            self.builder.points.push(context, LabelSetId(0), &values[..metrics.len()]);
        }
        for (pattern, bytes) in by_pattern {
            let pattern = self.suppressions.pattern(pattern);
            let comment = format!("leaks suppressed by '{pattern}': {bytes} bytes");
            self.builder.origin.comments.push(comment);
        }
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.push_costs(warnings);
        if self.builder.points.is_empty() {
            warnings.add("no allocations", || "the file holds no allocations".to_owned());
        }
        if self.raw {
            warnings.add("raw", || {
                "functions have no names in a raw file, and leaks are not suppressed by them: \
                 heaptrack_interpret adds names on the machine that recorded it"
                    .to_owned()
            });
        }
        let origin = &mut self.builder.origin;
        origin.format = FORMAT.name.to_owned();
        origin.default_metric = MetricId(PEAK as u32);
        origin.duration_ns =
            i64::try_from(self.milliseconds).map_or(0, |ms| ms.saturating_mul(1_000_000));
        let resident = self.peak_pages.saturating_mul(self.page_size);
        if resident > 0 {
            origin.comments.push(format!("peak resident memory: {resident} bytes"));
        }
        self.builder.finish()
    }
}

/// Puts down what was in use at the last peak, before that changes.
fn put_down_peak(cost: &mut Cost, peaks: u64) {
    if cost.seen < peaks {
        cost.peak = cost.leaked;
        cost.seen = peaks;
    }
}

fn size_of_allocation(text: &str) -> Option<i64> {
    hexadecimal(text).and_then(|size| i64::try_from(size).ok())
}

/// A number, which may have blanks behind it.
fn hexadecimal(text: &str) -> Option<u64> {
    numbers::hexadecimal::hexadecimal(text.trim_ascii_end())
}
