//! The format, and what its forms share.

use hashbrown::HashMap;
use profile::{
    FunctionId, Label, LabelSetId, Location, LocationId, Metric, MetricId, ModuleId, Point, Points,
    Profile, ProfileBuilder, ThreadId,
};

use super::mappings::Mappings;
use super::{binary, text};
use crate::graph::id_index::IdIndex;
use crate::input::stream::Stream;
use crate::numbers::hexadecimal::{hexadecimal, is_hexadecimal};
use crate::text::lines::Lines;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "gperftools",
    title: "gperftools and Go's text profiles (before pprof's own format)",
    extensions: &["heap", "contention", "growth"],
    about: About {
        carries: "samples, time, objects, bytes, contentions, threads or goroutines; addresses, \
                  modules, and names where the file has them; sizes of blocks, states and labels",
        estimates: "sampled heaps and contentions are scaled to the whole as pprof does it",
        skips: "Go's statistics of memory",
        checked_against: "pprof, google-pprof",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if binary::Words::of(head).is_some() {
        return Sniff::Yes;
    }
    let start = &head[..head.len().min(4096)];
    let text = String::from_utf8_lossy(start);
    let first = text.lines().find(|line| !text::is_comment(line));
    match first {
        Some(line) if line.trim() == "--- symbol" || text::Section::new(line).is_some() => {
            Sniff::Yes
        }
        _ => Sniff::No,
    }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut reading = GperftoolsParser::default();
    let mut lines = Lines::new(stream, FORMAT.name)?;
    if lines.peek(10)?.starts_with(b"--- symbol") {
        symbols(&mut lines, &mut reading, options)?;
    }
    let words = binary::Words::of(lines.peek(binary::HEADER)?);
    match words {
        Some(words) => {
            let mut stream = lines.into_stream();
            binary::read(&mut stream, words, &mut reading, options, warnings)?;
            let mut lines = Lines::new(stream, FORMAT.name)?;
            while let Some(line) = lines.next_line()? {
                if words.java {
                    text::java_location(line.text, &mut reading)
                } else {
                    reading.mappings.line(line.text)
                }
            }
            reading.tidy_processor_stacks(words.java);
        }
        None => text::read(&mut lines, &mut reading, options, warnings)?,
    }
    reading.finish(options, warnings)
}

/// The part before a profile in which google-pprof names addresses, inlined functions joined by
/// `--`.
fn symbols(
    lines: &mut Lines<'_>,
    reading: &mut GperftoolsParser,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    while let Some(line) = lines.next_line()? {
        let text = line.text.trim();
        if let Some(binary) = text.strip_prefix("binary=") {
            reading.builder.origin.comments.push(format!("binary: {binary}"));
        } else if let Some((address, names)) = text.split_once(' ')
            && let Some(address) = address.strip_prefix("0x")
            && let Some(address) = hexadecimal(address)
        {
            let frames = names.split("--").map(|name| {
                // The address of the symbol itself follows its name.
                let name = match name.rsplit_once('<') {
                    Some((name, start)) if start.strip_suffix('>').is_some_and(is_hexadecimal) => {
                        name
                    }
                    _ => name,
                };
                (reading.builder.function(name, "", 0), 0)
            });
            let frames = frames.collect();
            reading.symbols.insert(address, frames);
        } else if text.starts_with("--- ") && text != "--- symbol" {
            break;
        }
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    Ok(())
}

/// What is collected of a file, whichever kind it is.
#[derive(Default)]
pub(super) struct GperftoolsParser {
    pub(super) builder: ProfileBuilder,
    pub(super) metrics: Vec<Metric>,
    /// Numbers of addresses, which locations get at the end when modules are known.
    addresses: IdIndex,
    /// Names by address, outermost first.
    pub(super) symbols: HashMap<u64, Vec<(FunctionId, u32)>>,
    pub(super) samples: Vec<Sample>,
    /// Stacks of samples one after the other, innermost first.
    stacks: Vec<u32>,
    /// Values of samples, as many as there are metrics.
    pub(super) values: Vec<i64>,
    pub(super) mappings: Mappings,
    /// Addresses are but numbers of names.
    pub(super) without_addresses: bool,
}

pub(super) struct Sample {
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) labels: Vec<Label>,
    pub(super) thread: Option<ThreadId>,
}

impl GperftoolsParser {
    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.addresses.heap_bytes()
            + self.samples.len() * size_of::<Sample>()
            + self.stacks.len() * 4
            + self.values.len() * 8
            + self.symbols.len() * 64
            + self.mappings.heap_bytes()
    }

    pub(super) fn set_metrics(&mut self, metrics: &[(&str, &str)]) {
        let metric = |&(name, unit): &(&str, &str)| Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        self.metrics = metrics.iter().map(metric).collect();
    }

    pub(super) fn set_period(&mut self, period: i64, kind: &str, unit: &str) {
        self.builder.origin.period = period;
        self.builder.origin.period_type = Some((kind.to_owned(), unit.to_owned()));
    }

    /// Adds a sample; addresses innermost first.
    pub(super) fn push(
        &mut self,
        addresses: impl IntoIterator<Item = u64>,
        values: &[i64],
    ) -> &mut Sample {
        let start = self.stacks.len();
        self.stacks.extend(addresses.into_iter().map(|address| self.addresses.number(address)));
        let len = self.stacks.len() - start;
        self.values.extend_from_slice(values);
        self.samples.push(Sample { start, len, labels: vec![], thread: None });
        let last = self.samples.len() - 1;
        &mut self.samples[last]
    }

    /// Takes off what the profiler's signal handler left on the stacks: a second frame that is
    /// the same in nearly all of them, twice at most, and a leaf that stands there twice.
    fn tidy_processor_stacks(&mut self, java: bool) {
        if java {
            return;
        }
        let margin = self.samples.len() / 32;
        for _ in 0..2 {
            let mut seconds = HashMap::<u32, usize>::new();
            for sample in self.samples.iter().filter(|sample| sample.len > 1) {
                *seconds.entry(self.stacks[sample.start + 1]).or_default() += 1;
            }
            let most = seconds.into_iter().max_by_key(|&(_, count)| count);
            if let Some((second, count)) = most
                && count >= self.samples.len() - margin
            {
                for index in 0..self.samples.len() {
                    let Sample { start, len, .. } = self.samples[index];
                    if len > 1 && self.stacks[start + 1] == second {
                        self.drop_second(index);
                    }
                }
            }
        }
        self.drop_doubled_leaves();
    }

    /// A handler gets the leaf from the stack and from the signal; the former is a caller's.
    pub(super) fn drop_doubled_leaves(&mut self) {
        for index in 0..self.samples.len() {
            let Sample { start, len, .. } = self.samples[index];
            let address = |at: usize| self.addresses.ids()[self.stacks[at] as usize];
            if len > 1 && address(start) == address(start + 1).wrapping_add(1) {
                self.drop_second(index);
            }
        }
    }

    fn drop_second(&mut self, index: usize) {
        let sample = &mut self.samples[index];
        // The leaf moves up over it.
        self.stacks[sample.start + 1] = self.stacks[sample.start];
        sample.start += 1;
        sample.len -= 1;
    }

    fn finish(
        mut self,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<Profile, ReadError> {
        let mut builder = self.builder;
        builder.metrics = self.metrics;
        builder.points = Points::new(builder.metrics.len());
        let modules = self.mappings.modules(&mut builder);
        for (number, &address) in self.addresses.ids().iter().enumerate() {
            let module: Option<ModuleId> = self.mappings.find(address).and_then(|at| modules[at]);
            // A return address is named by the call before it, by some.
            let symbols = &self.symbols;
            let named = symbols.get(&address).or_else(|| symbols.get(&address.wrapping_add(1)));
            let frames: Vec<_> = named
                .into_iter()
                .flatten()
                .map(|&(function, line)| (Some(function), line, 0))
                .collect();
            let address = if self.without_addresses { 0 } else { address };
            let location = Location { module, address, ..Location::default() };
            let id = builder.push_location(location, &frames);
            debug_assert_eq!(id.index(), number);
        }
        let metrics = builder.metrics.len();
        for (index, sample) in std::mem::take(&mut self.samples).into_iter().enumerate() {
            let stack = &self.stacks[sample.start..][..sample.len];
            let context = builder.stack(stack.iter().rev().map(|&number| LocationId(number)));
            let labels = if sample.labels.is_empty() {
                LabelSetId(0)
            } else {
                builder.labels.add(&sample.labels)
            };
            let point = Point { context, labels, thread: sample.thread, ..Point::default() };
            builder.points.push_point(point, &self.values[index * metrics..][..metrics]);
            if index.is_multiple_of(4096) {
                options.check_memory(builder.heap_bytes())?;
            }
        }
        if builder.points.is_empty() {
            warnings.add("no samples", || "the file holds no samples".to_owned());
        }
        builder.origin.format = FORMAT.name.to_owned();
        // As pprof has it.
        builder.origin.default_metric = MetricId(builder.metrics.len().saturating_sub(1) as u32);
        Ok(builder.finish())
    }
}
