//! Events of the kernel: what ran on which processor, wake-ups, frequencies, prints of programs.

use hashbrown::HashMap;
use profile::{Label, LabelValue, Mark, StringId, TrackId};

use super::clocks::BOOTTIME;
use super::fields::{message, number, text_of};
use super::lines::Key;
use super::trace::Trace;
use crate::Warnings;
use crate::wire::{Fields, WireError, repeated};

/// What the scheduler did, by processor.
#[derive(Default)]
pub(super) struct Kernel {
    pub(super) switches: HashMap<u32, Vec<Switch>>,
    pub(super) wakings: Vec<Waking>,
    count: usize,
}

/// A processor goes on with another thread.
#[derive(Clone, Copy)]
pub(super) struct Switch {
    pub(super) time: i64,
    /// The thread before, where it is told.
    pub(super) before: Option<i64>,
    /// What became of it.
    pub(super) state: i64,
    pub(super) next: i64,
    pub(super) priority: i64,
    pub(super) name: StringId,
}

/// A thread is woken by what runs on a processor.
pub(super) struct Waking {
    pub(super) time: i64,
    pub(super) cpu: u32,
    pub(super) thread: i64,
}

impl Kernel {
    pub(super) fn heap_bytes(&self) -> usize {
        self.count * size_of::<Switch>() * 2 + self.wakings.capacity() * size_of::<Waking>()
    }

    fn switch(&mut self, cpu: u32, switch: Switch) {
        self.switches.entry(cpu).or_default().push(switch);
        self.count += 1;
    }
}

impl Trace {
    pub(super) fn ftrace(
        &mut self,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let (mut cpu, mut clock, mut own, mut boot) = (0, 0, None, None);
        let mut is_lost = false;
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => cpu = number(payload) as u32,
                3 => is_lost |= number(payload) != 0,
                5 => clock = number(payload),
                6 => own = Some(number(payload) as i64),
                7 => boot = Some(number(payload) as i64),
                _ => {}
            }
        }
        if is_lost {
            warnings.add("lost", || "times that events of the kernel were lost".to_owned());
        }
        // Other clocks of the kernel's tracer are told with that since the boot.
        let offset = match (clock, own, boot) {
            (0, ..) => 0,
            (_, Some(own), Some(boot)) => boot.saturating_sub(own),
            _ => {
                warnings.add("kernel clock", || {
                    "events of the kernel by a clock of its own are taken as if since the boot"
                        .to_owned()
                });
                0
            }
        };
        let at = |trace: &mut Trace, time: u64, warnings: &mut Warnings| {
            let time = i64::try_from(time).ok()?.checked_add(offset)?;
            let found = trace.clocks.time(0, Some(BOOTTIME), time);
            if found.is_none() {
                warnings.add("clock", || {
                    "events by clocks that no snapshot before relates to the trace's are left out"
                        .to_owned()
                });
            }
            found
        };
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                2 => {
                    let (time, thread, kind, event) = kernel_event(message(payload))?;
                    let Some(time) = at(self, time, warnings) else { continue };
                    self.kernel_event(cpu, (time, thread), kind, event, warnings)?;
                }
                4 => {
                    let compact = Compact::read(message(payload), self)?;
                    for (time, mut switch) in compact.switches() {
                        if let Some(time) = at(self, time, warnings) {
                            switch.time = time;
                            self.lines.kernel_name(Key::Task(switch.next), switch.name);
                            self.kernel.switch(cpu, switch);
                        }
                    }
                    for (time, thread, target) in compact.wakings() {
                        if let Some(time) = at(self, time, warnings) {
                            self.waking(cpu, time, thread, target);
                        }
                    }
                }
                8 => warnings.add("kernel errors", || {
                    "events of the kernel that its tracer could not read".to_owned()
                }),
                _ => {}
            }
        }
        Ok(())
    }

    fn kernel_event(
        &mut self,
        cpu: u32,
        (time, thread): (i64, i64),
        kind: u64,
        event: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let mut numbers = [0i64; 8];
        let mut texts = [StringId::EMPTY; 8];
        let mut text = None;
        let mut fields = Fields::new(event);
        while let Some((field, payload)) = fields.next()? {
            let Some(row) = usize::try_from(field).ok().filter(|&row| row < numbers.len()) else {
                continue;
            };
            numbers[row] = number(payload) as i64;
            if let (Some(own), 3 | 4 | 17 | 20 | 114) = (text_of(payload), kind) {
                if kind == 3 {
                    text = Some(own);
                } else {
                    texts[row] = self.builder.strings.intern(&own);
                }
            }
        }
        match kind {
            3 => self.print(thread, time, &text.unwrap_or_default(), warnings),
            4 => {
                self.lines.kernel_name(Key::Task(numbers[2]), texts[1]);
                self.lines.kernel_name(Key::Task(numbers[6]), texts[5]);
                let switch = Switch {
                    time,
                    before: Some(numbers[2]),
                    state: numbers[4],
                    next: numbers[6],
                    priority: numbers[7],
                    name: texts[5],
                };
                self.kernel.switch(cpu, switch);
            }
            11 => {
                let names = ["frequency", "kilohertz"];
                let names = names.map(|name| self.builder.strings.intern(name));
                let of = Key::Processor(numbers[2] as u32);
                self.lines.value(of, names, time, numbers[1] as u32 as f64);
            }
            // A new thread wakes up otherwise.
            20 | 114 => {
                self.lines.kernel_name(Key::Task(numbers[2]), texts[1]);
                self.waking(cpu, time, numbers[2], numbers[5]);
            }
            _ => warnings.add("kernel", || "other events of the kernel are not shown".to_owned()),
        }
        Ok(())
    }

    fn waking(&mut self, cpu: u32, time: i64, thread: i64, target: i64) {
        self.kernel.wakings.push(Waking { time, cpu, thread });
        let strings = &mut self.builder.strings;
        let mut label = |key: &str, number: i64| {
            let value = LabelValue::Number(number, StringId::EMPTY);
            Label { key: strings.intern(key), value }
        };
        let fields = [label("thread", thread), label("processor", target)];
        let fields = self.builder.labels.add(&fields);
        let kind = self.builder.strings.intern("waking");
        self.lines.mark(Key::Processor(cpu), Mark { track: TrackId(0), time, kind, fields });
    }
}

/// Time, thread, kind and message of an event.
fn kernel_event(bytes: &[u8]) -> Result<(u64, i64, u64, &[u8]), WireError> {
    let mut read = (0, 0, 0, &[][..]);
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        match field {
            1 => read.0 = number(payload),
            2 => read.1 = i64::from(number(payload) as u32),
            _ => (read.2, read.3) = (field, message(payload)),
        }
    }
    Ok(read)
}

/// Switches and wake-ups as columns, with times as differences.
#[derive(Default)]
struct Compact {
    names: Vec<StringId>,
    switch_times: Vec<u64>,
    states: Vec<i64>,
    next: Vec<i64>,
    priorities: Vec<i64>,
    next_names: Vec<u64>,
    waking_times: Vec<u64>,
    woken: Vec<i64>,
    targets: Vec<i64>,
}

impl Compact {
    fn read(bytes: &[u8], trace: &mut Trace) -> Result<Compact, WireError> {
        let mut read = Compact::default();
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => repeated(payload, |value| read.switch_times.push(value))?,
                2 => repeated(payload, |value| read.states.push(value as i64))?,
                3 => repeated(payload, |value| read.next.push(value as i64))?,
                4 => repeated(payload, |value| read.priorities.push(value as i64))?,
                5 => {
                    let name = text_of(payload).unwrap_or_default();
                    read.names.push(trace.builder.strings.intern(&name));
                }
                6 => repeated(payload, |value| read.next_names.push(value))?,
                7 => repeated(payload, |value| read.waking_times.push(value))?,
                8 => repeated(payload, |value| read.woken.push(value as i64))?,
                9 => repeated(payload, |value| read.targets.push(value as i64))?,
                _ => {}
            }
        }
        Ok(read)
    }

    fn switches(&self) -> impl Iterator<Item = (u64, Switch)> {
        let mut time = 0u64;
        let rows = self.switch_times.iter().zip(&self.next).enumerate();
        rows.map(move |(row, (&passed, &next))| {
            time = time.wrapping_add(passed);
            let name = self.next_names.get(row).and_then(|&at| self.names.get(at as usize));
            let switch = Switch {
                time: 0,
                before: None,
                state: self.states.get(row).copied().unwrap_or(0),
                next,
                priority: self.priorities.get(row).copied().unwrap_or(0),
                name: name.copied().unwrap_or_default(),
            };
            (time, switch)
        })
    }

    fn wakings(&self) -> impl Iterator<Item = (u64, i64, i64)> {
        let mut time = 0u64;
        let rows = self.waking_times.iter().zip(&self.woken).enumerate();
        rows.map(move |(row, (&passed, &thread))| {
            time = time.wrapping_add(passed);
            (time, thread, self.targets.get(row).copied().unwrap_or(-1))
        })
    }
}
