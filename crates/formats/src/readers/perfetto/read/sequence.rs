//! What a sequence of packets has told so far: its tables of numbered strings and frames, its defaults.

use hashbrown::HashMap;
use profile::{ContextId, LocationId, Place, ProfileBuilder, StringId};

use super::fields::{message, number, text_of};
use super::stack_samples::{Task, execution, task};
use super::weights::{Counter, counter};
use crate::readers::perfetto::schema::{event, interned, packet};
use crate::wire::{Fields, WireError, repeated};

/// The packets of one writer, which build on each other.
#[derive(Default)]
pub(super) struct Sequence {
    /// Packets were lost: nothing builds on what was told until all is told anew.
    pub(super) is_lost: bool,
    pub(super) tables: Tables,
    pub(super) defaults: Defaults,
    /// The thread that packets are of which name none, by the older descriptors.
    pub(super) thread: Option<(i64, i64)>,
    /// The time that older events count on from, in microseconds.
    pub(super) reference_us: i64,
    /// The last values of counters that tell differences.
    pub(super) last_values: HashMap<u64, f64>,
    /// Whole heap profiles so far.
    pub(super) heap_profiles: u64,
}

#[derive(Default, Clone)]
pub(super) struct Defaults {
    pub(super) clock: Option<u32>,
    pub(super) track: Option<u64>,
    pub(super) extra_tracks: Vec<u64>,
    pub(super) extra_double_tracks: Vec<u64>,
    /// What stack samples weigh: the first of each, then the others.
    pub(super) weight: Option<Counter>,
    pub(super) other_weights: Vec<Counter>,
}

/// A place in source code.
#[derive(Default, Clone, Copy)]
pub(super) struct Source {
    pub(super) file: StringId,
    pub(super) function: StringId,
    pub(super) line: u32,
}

#[derive(Default)]
pub(super) struct Tables {
    /// By the field of the table and the number in it.
    strings: HashMap<(u64, u64), StringId>,
    sources: HashMap<u64, Source>,
    mappings: HashMap<u64, StringId>,
    frames: HashMap<u64, LocationId>,
    stacks: HashMap<u64, ContextId>,
    pub(super) tasks: HashMap<u64, Task>,
    /// Processors.
    pub(super) executions: HashMap<u64, Option<u32>>,
    pub(super) counters: HashMap<u64, Counter>,
}

impl Sequence {
    /// Forgets what was told.
    pub(super) fn clear(&mut self) {
        self.is_lost = false;
        self.tables = Tables::default();
        self.defaults = Defaults::default();
        self.last_values.clear();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let tables = &self.tables;
        tables.strings.capacity() * 24
            + tables.sources.capacity() * 24
            + (tables.mappings.capacity() + tables.frames.capacity() + tables.stacks.capacity())
                * 16
            + (tables.tasks.capacity() + tables.executions.capacity()) * 40
            + tables.counters.capacity() * 32
            + self.last_values.capacity() * 16
    }

    /// Reads `TracePacketDefaults`.
    pub(super) fn read_defaults(
        &mut self,
        bytes: &[u8],
        builder: &mut ProfileBuilder,
    ) -> Result<(), WireError> {
        let mut read = Defaults::default();
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                packet::CLOCK => read.clock = Some(number(payload) as u32),
                packet::TRACK_EVENT => {
                    let mut fields = Fields::new(message(payload));
                    while let Some((field, payload)) = fields.next()? {
                        match field {
                            event::TRACK => read.track = Some(number(payload)),
                            event::EXTRA_TRACKS => {
                                repeated(payload, |uuid| read.extra_tracks.push(uuid))?;
                            }
                            event::EXTRA_DOUBLE_TRACKS => {
                                repeated(payload, |uuid| read.extra_double_tracks.push(uuid))?;
                            }
                            _ => {}
                        }
                    }
                }
                packet::STACK_SAMPLE_DEFAULTS => {
                    let mut fields = Fields::new(message(payload));
                    while let Some((field, payload)) = fields.next()? {
                        match field {
                            2 => read.weight = Some(counter(message(payload), builder)?.1),
                            3 => read.other_weights.push(counter(message(payload), builder)?.1),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        self.defaults = read;
        Ok(())
    }
}

impl Tables {
    pub(super) fn string(&self, table: u64, id: u64) -> Option<StringId> {
        self.strings.get(&(table, id)).copied()
    }

    pub(super) fn source(&self, id: u64) -> Option<Source> {
        self.sources.get(&id).copied()
    }

    pub(super) fn stack(&self, id: u64) -> Option<ContextId> {
        self.stacks.get(&id).copied()
    }

    /// Reads `InternedData`: strings, then what is made of them, whatever their order.
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        builder: &mut ProfileBuilder,
    ) -> Result<(), WireError> {
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            if interned::STRINGS.contains(&field) {
                let (mut id, mut text) = (0, None);
                let mut fields = Fields::new(message(payload));
                while let Some((field, payload)) = fields.next()? {
                    match field {
                        1 => id = number(payload),
                        2 => text = text_of(payload),
                        _ => {}
                    }
                }
                let text = builder.strings.intern(&text.unwrap_or_default());
                self.strings.insert((field, id), text);
            } else if field == interned::SOURCE_LOCATIONS {
                let (id, source) = source(message(payload), builder)?;
                self.sources.insert(id, source);
            } else if field == interned::TASKS {
                let (id, task) = task(message(payload))?;
                self.tasks.insert(id, task);
            } else if field == interned::EXECUTIONS {
                let (id, cpu) = execution(message(payload))?;
                self.executions.insert(id, cpu);
            } else if field == interned::COUNTERS {
                let (id, counter) = counter(message(payload), builder)?;
                self.counters.insert(id, counter);
            }
        }
        for wanted in [interned::MAPPINGS, interned::FRAMES, interned::CALLSTACKS] {
            let mut fields = Fields::new(bytes);
            while let Some((field, payload)) = fields.next()? {
                if field == wanted {
                    match field {
                        interned::MAPPINGS => self.mapping(message(payload), builder)?,
                        interned::FRAMES => self.frame(message(payload), builder)?,
                        _ => self.callstack(message(payload), builder)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// A mapping's path is told in parts.
    fn mapping(&mut self, bytes: &[u8], builder: &mut ProfileBuilder) -> Result<(), WireError> {
        let (mut id, mut path) = (0, String::new());
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => id = number(payload),
                7 => repeated(payload, |part| {
                    if let Some(part) = self.string(interned::MAPPING_PATHS, part) {
                        path.push('/');
                        path.push_str(builder.strings.get(part).trim_start_matches('/'));
                    }
                })?,
                _ => {}
            }
        }
        self.mappings.insert(id, builder.strings.intern(&path));
        Ok(())
    }

    fn frame(&mut self, bytes: &[u8], builder: &mut ProfileBuilder) -> Result<(), WireError> {
        let (mut id, mut function, mut file, mut module) = (0, None, None, None);
        let (mut address, mut line) = (0, 0);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let value = number(payload);
            match field {
                1 => id = value,
                2 => function = self.string(interned::FUNCTION_NAMES, value),
                3 => module = self.mappings.get(&value).copied(),
                4 => address = value,
                5 => file = self.string(interned::SOURCE_PATHS, value),
                6 => line = u32::try_from(value).unwrap_or(0),
                _ => {}
            }
        }
        let [function, file, module] = [function, file, module]
            .map(|id| builder.strings.get(id.unwrap_or_default()).to_owned());
        let place = Place {
            function: &function,
            file: &file,
            module: &module,
            line,
            address,
            ..Place::default()
        };
        self.frames.insert(id, builder.place(&place));
        Ok(())
    }

    /// A stack, its outermost frame first. Frames that are not known are left out of it.
    fn callstack(&mut self, bytes: &[u8], builder: &mut ProfileBuilder) -> Result<(), WireError> {
        let (mut id, mut context) = (0, ContextId::ROOT);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => id = number(payload),
                2 => repeated(payload, |frame| {
                    let unknown = || builder.place(&Place::default());
                    let frame = self.frames.get(&frame).copied();
                    let frame = frame.unwrap_or_else(unknown);
                    context = builder.contexts.child(context, frame);
                })?,
                _ => {}
            }
        }
        self.stacks.insert(id, context);
        Ok(())
    }
}

/// Reads `SourceLocation`; its number and the place.
pub(super) fn source(
    bytes: &[u8],
    builder: &mut ProfileBuilder,
) -> Result<(u64, Source), WireError> {
    let (mut id, mut read) = (0, Source::default());
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        let mut text = || builder.strings.intern(&text_of(payload).unwrap_or_default());
        match field {
            1 => id = number(payload),
            2 => read.file = text(),
            3 => read.function = text(),
            4 => read.line = u32::try_from(number(payload)).unwrap_or(0),
            _ => {}
        }
    }
    Ok((id, read))
}
