//! Samples of stacks that weigh what their profiler counted: time, bytes, misses.

use profile::{ContextId, Place, ProfileBuilder};

use super::fields::{message, number, text_of};
use super::lines::Key;
use super::samples::Sample;
use super::trace::{Packet, Trace};
use super::weights::{Counter, counter};
use crate::Warnings;
use crate::wire::{Fields, WireError, repeated};

/// Whose sample it is.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Task {
    pid: Option<i64>,
    tid: Option<i64>,
}

impl Task {
    fn key(self) -> Key {
        match (self.pid, self.tid) {
            (Some(pid), Some(tid)) => Key::Thread(pid, tid),
            (None, Some(tid)) => Key::Task(tid),
            (Some(pid), None) => Key::Process(pid),
            (None, None) => Key::Track(0),
        }
    }
}

/// Reads `TaskContext`; its number and whose it is.
pub(super) fn task(bytes: &[u8]) -> Result<(u64, Task), WireError> {
    let (mut id, mut task) = (0, Task::default());
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        let value = number(payload);
        match field {
            1 => id = value,
            2 => task.pid = Some(i64::from(value as u32)),
            3 => task.tid = Some(i64::from(value as u32)),
            _ => {}
        }
    }
    Ok((id, task))
}

/// Reads `ExecutionContext`; its number and the processor.
pub(super) fn execution(bytes: &[u8]) -> Result<(u64, Option<u32>), WireError> {
    let (mut id, mut cpu) = (0, None);
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        match field {
            1 => id = number(payload),
            2 => cpu = u32::try_from(number(payload)).ok(),
            _ => {}
        }
    }
    Ok((id, cpu))
}

/// What one sample says, its references followed.
#[derive(Default)]
struct Read {
    task: Task,
    cpu: Option<u32>,
    stack: Option<ContextId>,
    /// The number of a stack that the sequence knows.
    stack_id: Option<u64>,
    counter: Option<Counter>,
    weight: Option<u64>,
    others: Vec<Option<Counter>>,
    other_weights: Vec<u64>,
    is_cut: bool,
    /// What refers to nothing that was told.
    unknown: u64,
}

impl Trace {
    /// Reads `StackSample`.
    pub(super) fn stack_sample(
        &mut self,
        packet: &Packet<'_>,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let mut read = self.read_stack_sample(packet.sequence, bytes)?;
        if read.is_cut {
            warnings.add("unwound", || {
                "samples whose stacks their profiler could not follow to the end".to_owned()
            });
        }
        if read.unknown > 0 {
            warnings.add("references", || {
                "samples that refer to something no earlier packet has".to_owned()
            });
        }
        let Some(time) = self.time_of(packet, None, warnings) else { return Ok(()) };
        let context = match read.stack {
            Some(context) => context,
            None => self.stack(packet.sequence, read.stack_id, warnings),
        };
        let sequence = self.sequences.entry(packet.sequence).or_default();
        if read.counter.is_none() {
            read.counter = sequence.defaults.weight;
        }
        if read.others.is_empty() {
            read.others = sequence.defaults.other_weights.iter().copied().map(Some).collect();
        }
        let is_untold = read.counter.is_none() && read.weight.is_some_and(|weight| weight != 1);
        if is_untold || read.other_weights.len() > read.others.len() {
            warnings.add("unnamed weights", || {
                "weights of samples of which nothing says what they count are left out".to_owned()
            });
        }
        let first = read.counter.zip(read.weight);
        let others = read.others.iter().zip(&read.other_weights);
        let others = others.filter_map(|(counter, &weight)| Some(((*counter)?, weight)));
        let weights = self.weights.add(first.into_iter().chain(others), warnings);
        if let Task { pid: Some(pid), tid: Some(tid) } = read.task {
            self.lines.process_of.entry(tid).or_insert(pid);
        }
        self.sample(Sample { weights, ..Sample::new(time, read.task.key(), read.cpu, context) });
        Ok(())
    }

    fn read_stack_sample(&mut self, sequence: u32, bytes: &[u8]) -> Result<Read, WireError> {
        let mut read = Read::default();
        let Trace { sequences, builder, .. } = self;
        let tables = &sequences.entry(sequence).or_default().tables;
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let id = number(payload);
            match field {
                1 => read.task = task(message(payload))?.1,
                2 => match tables.tasks.get(&id) {
                    Some(known) => read.task = *known,
                    None => read.unknown += 1,
                },
                3 => read.cpu = execution(message(payload))?.1,
                4 => match tables.executions.get(&id) {
                    Some(known) => read.cpu = *known,
                    None => read.unknown += 1,
                },
                5 => read.stack = Some(inline(message(payload), builder)?),
                6 => read.stack_id = Some(id),
                7 | 8 => read.is_cut = true,
                9 => read.counter = Some(counter(message(payload), builder)?.1),
                10 => {
                    read.counter = tables.counters.get(&id).copied();
                    read.unknown += u64::from(read.counter.is_none());
                }
                11 => read.weight = Some(id),
                12 => read.others.push(Some(counter(message(payload), builder)?.1)),
                13 => repeated(payload, |id| {
                    let known = tables.counters.get(&id).copied();
                    read.unknown += u64::from(known.is_none());
                    read.others.push(known);
                })?,
                14 => repeated(payload, |weight| read.other_weights.push(weight))?,
                _ => {}
            }
        }
        Ok(read)
    }
}

/// Reads `InlineCallstack`: frames with their names, the outermost first.
fn inline(bytes: &[u8], builder: &mut ProfileBuilder) -> Result<ContextId, WireError> {
    let mut context = ContextId::ROOT;
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        if field != 1 {
            continue;
        }
        let (mut function, mut file, mut line) = (None, None, 0);
        let mut fields = Fields::new(message(payload));
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => function = text_of(payload),
                2 => file = text_of(payload),
                3 => line = u32::try_from(number(payload)).unwrap_or(0),
                _ => {}
            }
        }
        let (function, file) = (function.unwrap_or_default(), file.unwrap_or_default());
        let place = Place { function: &function, file: &file, line, ..Place::default() };
        let location = builder.place(&place);
        context = builder.contexts.child(context, location);
    }
    Ok(context)
}
