//! Where things happen: tracks by their identifiers, threads, processors, asynchronous operations.

use hashbrown::HashMap;
use profile::{Mark, ProfileBuilder, StringId};

use super::fields::{self, number, text_of};
use crate::readers::perfetto::schema::track;
use crate::time::span_tracks::Record;
use crate::wire::{Fields, WireError};

/// What a line is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A track with a descriptor, or that is to have one.
    Track(u64),
    /// A thread of a process.
    Thread(i64, i64),
    /// A thread whose process is told elsewhere.
    Task(i64),
    Process(i64),
    Processor(u32),
    /// A queue of a GPU, by its name.
    Queue(StringId),
    /// An asynchronous operation of a process: what it is called, and what it is told apart by.
    Async(i64, StringId, Operation),
}

/// What one asynchronous operation is told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    /// The kind of its identifier, its scope, and itself.
    Legacy(u64, StringId, u64),
    /// The cookie of `atrace`.
    Cookie(i64),
    /// All of a name, where nothing overlaps.
    Name,
}

/// What happened on a line.
#[derive(Default)]
pub(super) struct Line {
    pub(super) records: Vec<Record>,
    pub(super) marks: Vec<Mark>,
    /// What begins once more while it is open is the same, not one inside of it.
    pub(super) does_not_nest: bool,
    /// Whether anything else happened there.
    pub(super) is_used: bool,
}

/// Kinds of identifiers of flows from here on are those of Chrome's older events.
pub(super) const OLDER: u64 = 4;

/// A place on the way of a flow.
pub(super) struct FlowStep {
    /// The kind of its identifier, and itself.
    pub(super) id: (u64, u64),
    pub(super) time: i64,
    pub(super) line: usize,
    pub(super) is_last: bool,
    pub(super) name: StringId,
}

/// A series of values.
pub(super) struct Series {
    pub(super) of: Key,
    pub(super) name: StringId,
    pub(super) unit: StringId,
    pub(super) values: Vec<(i64, f64)>,
}

#[derive(Default)]
pub(super) struct Lines {
    of: HashMap<Key, usize>,
    pub(super) keys: Vec<Key>,
    pub(super) list: Vec<Line>,
    pub(super) descriptors: HashMap<u64, Descriptor>,
    pub(super) records: usize,
    series_of: HashMap<(Key, StringId, StringId), usize>,
    pub(super) series: Vec<Series>,
    pub(super) values: usize,
    pub(super) flows: Vec<FlowStep>,
    /// Names and order of threads and processes.
    pub(super) names: HashMap<Key, (StringId, i64)>,
    /// The process of a thread.
    pub(super) process_of: HashMap<i64, i64>,
    /// The processes of asynchronous operations of any, by category.
    pub(super) homes: HashMap<(StringId, Operation), i64>,
}

/// What a descriptor says of a track.
#[derive(Clone, Copy, Default)]
pub(super) struct Descriptor {
    pub(super) name: StringId,
    pub(super) parent: u64,
    pub(super) process: Option<i64>,
    pub(super) thread: Option<(i64, i64)>,
    pub(super) counter: Option<CounterOf>,
    pub(super) order: i64,
    /// What the kernel tells of the thread is not to be on the track.
    is_apart: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct CounterOf {
    kind: u64,
    pub(super) unit: StringId,
    pub(super) multiplier: i64,
    pub(super) is_incremental: bool,
}

impl Lines {
    pub(super) fn line(&mut self, key: Key) -> usize {
        *self.of.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.list.push(Line::default());
            self.list.len() - 1
        })
    }

    pub(super) fn push(&mut self, key: Key, record: Record) {
        let line = self.line(key);
        self.list[line].records.push(record);
        self.records += 1;
    }

    /// Operations of the key do not nest.
    pub(super) fn does_not_nest(&mut self, key: Key) {
        let line = self.line(key);
        self.list[line].does_not_nest = true;
    }

    pub(super) fn mark(&mut self, key: Key, mark: Mark) {
        let line = self.line(key);
        self.list[line].marks.push(mark);
        self.records += 1;
    }

    pub(super) fn value(&mut self, of: Key, [name, unit]: [StringId; 2], time: i64, value: f64) {
        let series = &mut self.series;
        let row = *self.series_of.entry((of, name, unit)).or_insert_with(|| {
            series.push(Series { of, name, unit, values: vec![] });
            series.len() - 1
        });
        self.series[row].values.push((time, value));
        self.values += 1;
    }

    /// The thread of a track that is not its own: the kernel tells of that thread too, by other clocks, so that
    /// their spans cross.
    pub(super) fn apart(&self, descriptor: &Descriptor) -> Option<(i64, i64)> {
        let (pid, tid) = descriptor.thread.filter(|_| descriptor.is_apart)?;
        let has_records =
            |key: Key| self.of.get(&key).is_some_and(|line| !self.list[*line].records.is_empty());
        (has_records(Key::Task(tid)) || has_records(Key::Thread(pid, tid))).then_some((pid, tid))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.list.capacity() * (size_of::<Line>() + 48)
            + self.records * size_of::<Record>()
            + self.descriptors.capacity() * (size_of::<Descriptor>() + 16)
            + self.series.capacity() * 96
            + self.values * 16
            + self.flows.capacity() * size_of::<FlowStep>()
            + (self.names.capacity() + self.process_of.capacity() + self.homes.capacity()) * 48
    }

    /// The name of a thread or process.
    pub(super) fn name(&mut self, key: Key, name: StringId) {
        if name != StringId::EMPTY {
            self.names.entry(key).or_default().0 = name;
        }
    }

    /// What the kernel calls a thread or process, which may be told better.
    pub(super) fn kernel_name(&mut self, key: Key, name: StringId) {
        let known = self.names.entry(key).or_default();
        if known.0 == StringId::EMPTY {
            known.0 = name;
        }
    }

    /// Reads a track's descriptor. A later one of the same track adds to it.
    pub(super) fn descriptor(
        &mut self,
        bytes: &[u8],
        builder: &mut ProfileBuilder,
    ) -> Result<(), WireError> {
        let mut uuid = 0;
        let mut read = Descriptor::default();
        let (mut name, mut own) = (None, None);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                track::UUID => uuid = number(payload),
                track::PARENT => read.parent = number(payload),
                track::NAME | track::STATIC_NAME | track::ATRACE_NAME => name = text_of(payload),
                track::IS_APART => read.is_apart = number(payload) != 0,
                track::ORDER => read.order = i64::from(number(payload) as i32),
                track::PROCESS => own = Some((true, fields::message(payload))),
                track::THREAD => own = Some((false, fields::message(payload))),
                track::COUNTER => {
                    read.counter = Some(counter(fields::message(payload), builder)?);
                }
                _ => {}
            }
        }
        if let Some(name) = name {
            read.name = builder.strings.intern(&name);
        }
        match own {
            Some((true, bytes)) => read.process = Some(self.process(bytes, builder)?),
            Some((false, bytes)) => read.thread = Some(self.thread(bytes, builder)?),
            None => {}
        }
        if read.order != 0 {
            let key = match read {
                Descriptor { thread: Some((pid, tid)), .. } => Some(Key::Thread(pid, tid)),
                Descriptor { process: Some(pid), .. } => Some(Key::Process(pid)),
                _ => None,
            };
            if let Some(key) = key {
                self.names.entry(key).or_default().1 = read.order;
            }
        }
        let known = self.descriptors.entry(uuid).or_default();
        if read.name != StringId::EMPTY {
            known.name = read.name;
        }
        if read.parent != 0 {
            known.parent = read.parent;
        }
        if read.order != 0 {
            known.order = read.order;
        }
        known.is_apart |= read.is_apart;
        known.process = read.process.or(known.process);
        known.thread = read.thread.or(known.thread);
        if let Some(mut counter) = read.counter {
            let of_kind = match counter.kind {
                1 => Some(("thread time", "nanoseconds")),
                2 => Some(("thread instruction count", "count")),
                _ => None,
            };
            if let Some((name, unit)) = of_kind {
                if known.name == StringId::EMPTY {
                    known.name = builder.strings.intern(name);
                }
                counter.unit = builder.strings.intern(unit);
            }
            known.counter = Some(counter);
        }
        Ok(())
    }

    /// Reads a process's descriptor; its number.
    pub(super) fn process(
        &mut self,
        bytes: &[u8],
        builder: &mut ProfileBuilder,
    ) -> Result<i64, WireError> {
        let (mut pid, mut name, mut first, mut order) = (0, None, None, 0);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => pid = number(payload) as i64,
                2 if first.is_none() => first = text_of(payload),
                3 => order = i64::from(number(payload) as i32),
                6 => name = text_of(payload),
                _ => {}
            }
        }
        let name = builder.strings.intern(&name.or(first).unwrap_or_default());
        self.name(Key::Process(pid), name);
        if order != 0 {
            self.names.entry(Key::Process(pid)).or_default().1 = order;
        }
        Ok(pid)
    }

    /// Reads a thread's descriptor; the numbers of its process and of itself.
    pub(super) fn thread(
        &mut self,
        bytes: &[u8],
        builder: &mut ProfileBuilder,
    ) -> Result<(i64, i64), WireError> {
        let (mut pid, mut tid, mut name, mut order) = (0, 0, None, 0);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => pid = number(payload) as i64,
                2 => tid = number(payload) as i64,
                3 => order = i64::from(number(payload) as i32),
                5 => name = text_of(payload),
                _ => {}
            }
        }
        let name = builder.strings.intern(&name.unwrap_or_default());
        self.name(Key::Thread(pid, tid), name);
        if order != 0 {
            self.names.entry(Key::Thread(pid, tid)).or_default().1 = order;
        }
        self.process_of.entry(tid).or_insert(pid);
        Ok((pid, tid))
    }
}

fn counter(bytes: &[u8], builder: &mut ProfileBuilder) -> Result<CounterOf, WireError> {
    let mut read = CounterOf { multiplier: 1, ..CounterOf::default() };
    let (mut unit, mut unit_name) = (0, None);
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        match field {
            1 => read.kind = number(payload),
            3 => unit = number(payload),
            4 => read.multiplier = number(payload) as i64,
            5 => read.is_incremental = number(payload) != 0,
            6 => unit_name = text_of(payload),
            _ => {}
        }
    }
    let unit = match unit {
        1 => "nanoseconds",
        2 => "count",
        3 => "bytes",
        _ => "",
    };
    read.unit = builder.strings.intern(&unit_name.unwrap_or(unit.into()));
    if read.multiplier == 0 {
        read.multiplier = 1;
    }
    Ok(read)
}
