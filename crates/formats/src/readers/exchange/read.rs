//! The reader: one block at a time.

use hashbrown::HashSet;
use profile::{ContextId, FunctionId, MemberId, MetricId, Profile, ProfileBuilder, StringId};

use super::FORMAT;
use super::columns::{Columns, Fault, row};
use super::format::{MAGIC, VERSION};
use super::messages::check_origin;
use super::schema::{
    block, contexts, counter_values, counters, file, flows, function_totals, functions, label_sets,
    locations, marks, notes, points, spans, switched_off, tracks,
};
use crate::input::stream::Stream;
use crate::wire::{Fields, Payload, next_field, repeated, varint};
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(super) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut tables = Tables::default();
    loop {
        let place = stream.place();
        let next = match next_field(&mut stream, FORMAT.name) {
            Err(error @ (ReadError::Malformed { .. } | ReadError::Truncated { .. }))
                if tables.read_any =>
            {
                left_out(warnings, &error.to_string());
                break;
            }
            next => next?,
        };
        let Some((field, wire, start, len)) = next else { break };
        let total = start + len;
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            let end = Place(place.0 + bytes.len() as u64);
            if !tables.read_any {
                let reason = "before the end of its first block".to_owned();
                return Err(ReadError::Truncated { format: FORMAT.name, place: end, reason });
            }
            warnings.add("cut", || {
                format!("the file is cut short at {end}: the blocks before are shown")
            });
            break;
        }
        let payload = &bytes[start..total];
        match (field, wire) {
            (file::MAGIC, 2) if payload == MAGIC.as_bytes() => {}
            (file::MAGIC, 2) => {
                return Err(malformed(place, "the magic is not \"hotframe profile\""));
            }
            (file::VERSION, 0) => {
                let version = varint(payload, &mut 0).unwrap_or_default();
                if version > VERSION {
                    return Err(ReadError::Unsupported {
                        found: format!("version {version} of the Hotframe exchange file"),
                        instead: "a newer Hotframe reads it",
                    });
                }
            }
            (file::BLOCK, 2) => {
                let at = Place(place.0 + start as u64);
                let mark = tables.builder.checkpoint();
                match tables.block(payload) {
                    Ok(()) => tables.read_any = true,
                    Err(fault) => {
                        let error = malformed(Place(at.0 + fault.offset as u64), &fault.reason);
                        if !tables.read_any {
                            return Err(error);
                        }
                        tables.builder.rewind(&mark);
                        left_out(warnings, &error.to_string());
                        break;
                    }
                }
            }
            _ => tables.unknown += 1,
        }
        stream.consume(total);
        options.check_memory(tables.builder.heap_bytes())?;
    }
    Ok(tables.finish(warnings))
}

/// Blocks build on those before them, so that nothing can be read after a bad one.
fn left_out(warnings: &mut Warnings, reason: &str) {
    warnings.add("bad block", || {
        format!("{reason}: the blocks before are shown, this one and all after it are left out")
    });
}

fn malformed(place: Place, reason: &str) -> ReadError {
    ReadError::Malformed { format: FORMAT.name, place, reason: reason.to_owned() }
}

/// What the blocks so far hold.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) builder: ProfileBuilder,
    /// The builder's string of each string row after row 0.
    pub(super) strings: Vec<StringId>,
    /// The builder's context of each context row after row 0.
    pub(super) contexts: Vec<ContextId>,
    pub(super) label_sets: usize,
    /// Which functions have a stored total, by member.
    pub(super) totals_seen: HashSet<(FunctionId, MemberId)>,
    read_any: bool,
    pub(super) unknown: u64,
    columns: Columns,
}

impl Tables {
    fn block(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        // The order of fields is free, but tables refer to earlier ones.
        let mut messages: Vec<(u64, Payload<'_>, usize)> = vec![];
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (block::STRING, Payload::Bytes(text)) => {
                    let text = String::from_utf8_lossy(text);
                    self.strings.push(self.builder.strings.intern(&text));
                }
                (1..=block::NOTES, payload) => messages.push((field, payload, walk.position())),
                _ => self.unknown += 1,
            }
        }
        messages.sort_by_key(|&(field, ..)| match field {
            // Members name machines, threads processes; all else stands in the order of the numbers.
            block::MACHINE => 0,
            block::POINTS => u64::MAX - 1,
            // What it says is not taken back, so it is read once all else was sound.
            block::ORIGIN => u64::MAX,
            field => field,
        });
        for &(field, payload, end) in &messages {
            if let (block::ORIGIN, Payload::Bytes(bytes)) = (field, payload) {
                let start = end - bytes.len();
                check_origin(bytes)
                    .map_err(|fault| Fault { offset: fault.offset + start, ..fault })?;
            }
        }
        for (field, payload, end) in messages {
            let mut start = 0;
            let read = match payload {
                Payload::Bytes(bytes) => {
                    start = end - bytes.len();
                    self.table(field, bytes)
                }
                Payload::Varint(role) if field == block::ROLE => self.role(role),
                _ => {
                    self.unknown += 1;
                    Ok(())
                }
            };
            read.map_err(|fault| Fault { offset: fault.offset + start, ..fault })?;
        }
        Ok(())
    }

    fn table(&mut self, field: u64, bytes: &[u8]) -> Result<(), Fault> {
        let last_field = match field {
            block::ORIGIN => return self.origin(bytes),
            block::METRIC => return self.metric(bytes),
            block::MODULE => return self.module(bytes),
            block::PROCESS => return self.process(bytes),
            block::THREAD => return self.thread(bytes),
            block::MEMBER => return self.member(bytes),
            block::MACHINE => return self.machine(bytes),
            block::ROLE => {
                let mut roles = vec![];
                repeated(Payload::Bytes(bytes), |role| roles.push(role))?;
                return roles.into_iter().try_for_each(|role| self.role(role));
            }
            block::FUNCTIONS => functions::START_COLUMN,
            block::LOCATIONS => locations::INSTRUCTION,
            block::CONTEXTS => contexts::LOCATION,
            block::LABEL_SETS => label_sets::VALUE,
            block::FUNCTION_TOTALS => function_totals::VALUE,
            block::SWITCHED_OFF => switched_off::OF_SAMPLES,
            block::NOTES => notes::LINK,
            block::TRACKS => tracks::MEMBER,
            block::SPANS => spans::OPERATION,
            block::MARKS => marks::FIELDS,
            block::COUNTERS => counters::UNIT,
            block::COUNTER_VALUES => counter_values::VALUE,
            block::FLOWS => flows::DURATION,
            _ => points::CONTEXT_PLACE,
        };
        let mut columns = std::mem::take(&mut self.columns);
        let doubles = (field == block::COUNTER_VALUES).then_some(counter_values::VALUE);
        let fields = (last_field, doubles);
        let read = columns.read(bytes, fields, &mut self.unknown).and_then(|()| match field {
            block::FUNCTIONS => self.functions(&columns),
            block::LOCATIONS => self.locations(&columns),
            block::CONTEXTS => self.contexts(&columns),
            block::LABEL_SETS => self.label_sets(&columns),
            block::FUNCTION_TOTALS => self.function_totals(&columns),
            block::SWITCHED_OFF => self.switched_off(&columns),
            block::NOTES => self.notes(&columns),
            block::TRACKS => self.tracks(&columns),
            block::SPANS => self.spans(&columns),
            block::MARKS => self.marks(&columns),
            block::COUNTERS => self.counters(&columns),
            block::COUNTER_VALUES => self.counter_values(&columns),
            block::FLOWS => self.flows(&columns),
            _ => self.points(&columns),
        });
        self.columns = columns;
        read
    }

    fn finish(self, warnings: &mut Warnings) -> Profile {
        if self.unknown > 0 {
            warnings.add("unknown", || {
                format!("{} fields of a later version of the format were skipped", self.unknown)
            });
        }
        let mut builder = self.builder;
        for warned in std::mem::take(&mut builder.origin.warnings) {
            warnings.add_kept(warned);
        }
        if !builder.metrics.is_empty()
            && builder.origin.default_metric.index() >= builder.metrics.len()
        {
            warnings.add("default metric", || {
                format!(
                    "the default metric is number {}, but there are {}",
                    builder.origin.default_metric.0,
                    builder.metrics.len()
                )
            });
            builder.origin.default_metric = MetricId(0);
        }
        let metrics = builder.metrics.len();
        for metric in &mut builder.metrics {
            if metric.combining.weight.is_some_and(|weight| weight.index() >= metrics) {
                metric.combining.weight = None;
                warnings.add("weight", || {
                    format!("the mean {} is weighted by a metric that does not exist", metric.name)
                });
            }
        }
        if builder.origin.format.is_empty() {
            FORMAT.name.clone_into(&mut builder.origin.format);
        }
        builder.finish()
    }

    /// How many label sets there are, with set 0.
    pub(super) fn label_set_count(&self) -> usize {
        self.label_sets + 1
    }

    pub(super) fn string(&self, number: u64) -> Result<StringId, Fault> {
        match number {
            0 => Ok(StringId::EMPTY),
            number => {
                let index = row(number, self.strings.len() + 1, "strings")?;
                Ok(self.strings[index as usize - 1])
            }
        }
    }

    pub(super) fn context(&self, number: u64) -> Result<ContextId, Fault> {
        match number {
            0 => Ok(ContextId::ROOT),
            number => {
                let index = row(number, self.contexts.len() + 1, "contexts")?;
                Ok(self.contexts[index as usize - 1])
            }
        }
    }
}
