//! What each line says.

use std::collections::BTreeMap;

use profile::{
    ContextId, FunctionId, LabelSetId, Location, LocationId, Metric, MetricId, Points, Profile,
    ProfileBuilder,
};

use super::FORMAT;
use super::allocations::{Allocations, Cost};
use super::modules::Modules;
use super::suppressions::Suppressions;
use crate::text::lines::Line;
use crate::{ReadError, Warnings, numbers};

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

/// How lines are to be read.
#[derive(Clone, Copy, Default)]
pub(super) struct Form {
    pub(super) version: u64,
    /// Whether addresses have no names, and pointers stand for allocations.
    pub(super) is_raw: bool,
}

/// What was measured of the whole process.
#[derive(Default)]
struct Measured {
    milliseconds: u64,
    page_size: u64,
    peak_pages: u64,
}

#[derive(Default)]
pub(super) struct HeaptrackParser {
    builder: ProfileBuilder,
    form: Form,
    executable: String,
    strings: Vec<String>,
    locations: Vec<LocationId>,
    modules: Modules,
    allocations: Allocations,
    measured: Measured,
    suppressions: Suppressions,
    frames: Vec<(Option<FunctionId>, u32, u32)>,
}

impl HeaptrackParser {
    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.strings.len() * size_of::<String>()
            + self.locations.len() * 4
            + self.modules.heap_bytes()
            + self.allocations.heap_bytes()
    }

    pub(super) fn line(
        &mut self,
        line: Line<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let text = line.text;
        let Some(&mode) = text.as_bytes().first() else { return Ok(()) };
        let rest = text.get(2..).unwrap_or_default();
        let sound = match mode {
            b'+' => self.allocations.allocate(rest, self.form),
            b'-' => self.allocations.free(rest, self.form),
            b't' => self.trace(rest, warnings),
            b'a' => self.allocations.kind(rest),
            b'i' => self.address(rest),
            b's' => {
                self.strings.push(self.counted(rest).to_owned());
                Some(())
            }
            b'v' => self.set_version(rest)?,
            b'm' => self.module(rest),
            b'x' => {
                self.form.is_raw = true;
                self.counted(rest).clone_into(&mut self.executable);
                Some(())
            }
            b'c' => hexadecimal(rest).map(|time| self.measured.milliseconds = time),
            b'R' => hexadecimal(rest)
                .map(|pages| self.measured.peak_pages = self.measured.peak_pages.max(pages)),
            b'X' => {
                self.builder.origin.comments.push(format!("command: {rest}"));
                Some(())
            }
            b'A' => {
                self.builder.origin.comments.push("attached to a running program".to_owned());
                self.allocations.begin();
                Some(())
            }
            b'I' => rest
                .split(' ')
                .next()
                .and_then(hexadecimal)
                .map(|size| self.measured.page_size = size),
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
        self.form.version = words.next().flatten().unwrap_or(0);
        let (major, minor, patch) = (heaptrack >> 16, heaptrack >> 8 & 0xff, heaptrack & 0xff);
        self.builder.origin.producer = format!("heaptrack {major}.{minor}.{patch}");
        if self.form.version > NEWEST {
            return Err(ReadError::Unsupported {
                found: format!("version {} of heaptrack's files", self.form.version),
                instead: "versions 0 to 3 are: `heaptrack_print -F stacks.txt` writes collapsed \
                          stacks",
            });
        }
        Ok(Some(()))
    }

    /// A text, with its length before it since version 3.
    fn counted<'l>(&self, rest: &'l str) -> &'l str {
        match rest.split_once(' ') {
            Some((_, text)) if self.form.version >= 3 => text,
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
        self.form.is_raw = true;
        self.modules.by_address.clear();
        let (name, rest) = if self.form.version >= 3 {
            let (len, rest) = rest.split_once(' ')?;
            let len = usize::try_from(hexadecimal(len)?).ok()?;
            (rest.get(..len)?, rest.get(len..)?.trim())
        } else {
            rest.split_once(' ').unwrap_or((rest, ""))
        };
        if name == "-" {
            self.modules.parts.clear();
            return Some(());
        }
        let mut numbers = rest.split_ascii_whitespace().map(hexadecimal);
        let base = numbers.next()??;
        let name = if name == "x" { &self.executable } else { name };
        let module = self.builder.module(name)?;
        while let (Some(Some(offset)), Some(Some(size))) = (numbers.next(), numbers.next()) {
            let start = base.saturating_add(offset);
            self.modules.parts.push((start, start.saturating_add(size), module));
        }
        self.modules.is_sorted = false;
        Some(())
    }

    fn trace(&mut self, rest: &str, warnings: &mut Warnings) -> Option<()> {
        let (address, parent) = rest.split_once(' ')?;
        let (address, parent) = (hexadecimal(address)?, hexadecimal(parent)?);
        let location = if self.form.is_raw {
            Some(self.modules.location(address, &mut self.builder))
        } else {
            address
                .checked_sub(1)
                .and_then(|index| self.locations.get(usize::try_from(index).ok()?).copied())
        };
        let caller = match usize::try_from(parent).ok()?.checked_sub(1) {
            None => Some(ContextId::ROOT),
            Some(index) => self.allocations.traces.get(index).map(|&(context, _)| context),
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
        self.allocations.traces.push((context, 0));
        Some(())
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
        let costs = std::mem::take(&mut self.allocations).into_costs();
        for (context, cost) in &costs {
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

    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.push_costs(warnings);
        if self.builder.points.is_empty() {
            warnings.add("no allocations", || "the file holds no allocations".to_owned());
        }
        if self.form.is_raw {
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
            i64::try_from(self.measured.milliseconds).map_or(0, |ms| ms.saturating_mul(1_000_000));
        let resident = self.measured.peak_pages.saturating_mul(self.measured.page_size);
        if resident > 0 {
            origin.comments.push(format!("peak resident memory: {resident} bytes"));
        }
        self.builder.finish()
    }
}

/// A number, which may have blanks behind it.
pub(super) fn hexadecimal(text: &str) -> Option<u64> {
    numbers::hexadecimal::hexadecimal(text.trim_ascii_end())
}
