//! What stands as a message each: the origin, metrics, modules, processes, threads, members.

use profile::{
    Combine, MachineId, Member, Metric, MetricId, Module, NamedFormula, Origin, Points, Process,
    ProcessId, StringId, Thread, Timing, Warned,
};

use super::columns::{Fault, fault, optional_row};
use super::read::Tables;
use super::schema::{formula, member, metric, module, origin, process, thread, warning};
use crate::wire::{Fields, Payload, unzigzag};

/// Most warnings that are read.
const MOST_WARNINGS: usize = 1000;

impl Tables {
    pub(super) fn origin(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let Origin { period_type, .. } = &mut self.builder.origin;
        let (mut kind, mut unit) = period_type.take().unzip();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let to = &mut self.builder.origin;
            match payload {
                Payload::Varint(number) => match field {
                    origin::DEFAULT_METRIC => to.default_metric = metric_id(number),
                    origin::DEFAULT_METRIC_NAMED => to.default_metric_named = number != 0,
                    origin::TIME_NS => to.time_ns = unzigzag(number),
                    origin::DURATION_NS => to.duration_ns = unzigzag(number),
                    origin::CLOCK_NS => to.clock_ns = unzigzag(number),
                    origin::PERIOD => to.period = unzigzag(number),
                    origin::ESTIMATED_PATHS => to.estimated_paths = number != 0,
                    _ => self.unknown += 1,
                },
                Payload::Bytes(bytes) => {
                    match field {
                        origin::FORMULA => {
                            self.formula(bytes)?;
                            continue;
                        }
                        origin::WARNING => {
                            self.warning(bytes)?;
                            continue;
                        }
                        _ => {}
                    }
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    match field {
                        origin::FORMAT => to.format = text,
                        origin::PRODUCER => to.producer = text,
                        origin::PERIOD_TYPE => kind = Some(text),
                        origin::PERIOD_UNIT => unit = Some(text),
                        origin::DROP_FRAMES => to.drop_frames = text,
                        origin::KEEP_FRAMES => to.keep_frames = text,
                        origin::COMMENT => to.comments.push(text),
                        origin::DOC_URL => to.doc_url = text,
                        _ => self.unknown += 1,
                    }
                }
                Payload::Fixed32(_) | Payload::Fixed64(_) => self.unknown += 1,
            }
        }
        if kind.is_some() || unit.is_some() {
            let period_type = (kind.unwrap_or_default(), unit.unwrap_or_default());
            self.builder.origin.period_type = Some(period_type);
        }
        Ok(())
    }

    fn warning(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut found = Warned::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (warning::KIND, Payload::Bytes(text)) => {
                    found.kind = String::from_utf8_lossy(text).into_owned();
                }
                (warning::MESSAGE, Payload::Bytes(text)) => {
                    found.message = String::from_utf8_lossy(text).into_owned();
                }
                (warning::COUNT, Payload::Varint(count)) => found.count = count,
                _ => self.unknown += 1,
            }
        }
        // Each is looked for among the others: no reader has as many kinds.
        if self.builder.origin.warnings.len() < MOST_WARNINGS {
            self.builder.origin.warnings.push(found);
        } else {
            self.unknown += 1;
        }
        Ok(())
    }

    fn formula(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut found = NamedFormula::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (formula::NAME, Payload::Bytes(text)) => {
                    found.name = String::from_utf8_lossy(text).into_owned();
                }
                (formula::TEXT, Payload::Bytes(text)) => {
                    found.formula = String::from_utf8_lossy(text).into_owned();
                }
                _ => self.unknown += 1,
            }
        }
        self.builder.origin.formulas.push(found);
        Ok(())
    }

    pub(super) fn metric(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        /// More decimals would leave nothing of 64 bits.
        const MOST_DECIMALS: u64 = 18;
        if !self.builder.points.is_empty() {
            return fault("a metric stands after the first point");
        }
        let mut entry = Metric::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (metric::NAME, Payload::Bytes(text)) => entry.name = lossy(text),
                (metric::UNIT, Payload::Bytes(text)) => entry.unit = lossy(text),
                (metric::DECIMALS, Payload::Varint(decimals @ 0..=MOST_DECIMALS)) => {
                    entry.decimals = decimals as u8;
                }
                (metric::DECIMALS, Payload::Varint(decimals)) => {
                    return fault(format!(
                        "a metric has {decimals} decimals, at most 18 are possible"
                    ));
                }
                (metric::OVER_CONTEXTS, Payload::Varint(combine)) => {
                    entry.combining.contexts = combine_of(combine)?;
                }
                (metric::OVER_TIME, Payload::Varint(combine)) => {
                    entry.combining.time = combine_of(combine)?;
                }
                (metric::OVER_MEMBERS, Payload::Varint(combine)) => {
                    entry.combining.members = combine_of(combine)?;
                }
                (metric::TIMING, Payload::Varint(number)) => {
                    entry.timing = timing_of(number)?;
                }
                (metric::IS_COUNTED, Payload::Varint(is_counted)) => {
                    entry.is_counted = is_counted != 0;
                }
                (metric::WEIGHT_PLUS_1, Payload::Varint(plus_1)) => {
                    entry.combining.weight = plus_1.checked_sub(1).map(metric_id);
                }
                _ => self.unknown += 1,
            }
        }
        self.builder.metrics.push(entry);
        self.builder.points = Points::new(self.builder.metrics.len());
        Ok(())
    }

    pub(super) fn module(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Module::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let Payload::Varint(number) = payload else {
                self.unknown += 1;
                continue;
            };
            match field {
                module::NAME => entry.name = self.string(number)?,
                module::BUILD_ID => entry.build_id = self.string(number)?,
                module::MEMORY_START => entry.memory_start = number,
                module::MEMORY_LIMIT => entry.memory_limit = number,
                module::FILE_OFFSET => entry.file_offset = number,
                module::HAS_FUNCTIONS => entry.flags.functions = number != 0,
                module::HAS_FILE_NAMES => entry.flags.file_names = number != 0,
                module::HAS_LINE_NUMBERS => entry.flags.line_numbers = number != 0,
                module::HAS_INLINE_FRAMES => entry.flags.inline_frames = number != 0,
                _ => self.unknown += 1,
            }
        }
        self.builder.modules.push(entry);
        Ok(())
    }

    pub(super) fn process(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Process::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (process::ID, Payload::Varint(number)) => entry.id = self.string(number)?,
                (process::NAME, Payload::Varint(number)) => entry.name = self.string(number)?,
                _ => self.unknown += 1,
            }
        }
        self.builder.processes.push(entry);
        Ok(())
    }

    pub(super) fn thread(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Thread::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (thread::PROCESS_PLUS_1, Payload::Varint(number)) => {
                    let processes = self.builder.processes.len();
                    entry.process = optional_row(number, processes, "processes")?.map(ProcessId);
                }
                (thread::ID, Payload::Varint(number)) => entry.id = self.string(number)?,
                (thread::NAME, Payload::Varint(number)) => entry.name = self.string(number)?,
                _ => self.unknown += 1,
            }
        }
        self.builder.threads.push(entry);
        Ok(())
    }

    pub(super) fn member(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Member::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (member::NAME, Payload::Bytes(text)) => entry.name = lossy(text),
                (member::PRODUCER, Payload::Bytes(text)) => entry.producer = lossy(text),
                (member::HOST, Payload::Bytes(text)) => entry.host = lossy(text),
                (member::TIME_NS, Payload::Varint(number)) => entry.time_ns = unzigzag(number),
                (member::DURATION_NS, Payload::Varint(ns)) => entry.duration_ns = unzigzag(ns),
                (member::MOVED_NS, Payload::Varint(ns)) => entry.moved_ns = unzigzag(ns),
                (member::MACHINE_PLUS_1, Payload::Varint(number)) => {
                    let machines = self.builder.machines.len();
                    entry.machine = optional_row(number, machines, "machines")?.map(MachineId);
                }
                (member::FACT, Payload::Bytes(fact)) => {
                    let start = walk.position() - fact.len();
                    let fact = self.fact(fact);
                    let fact = fact.map_err(|f| Fault { offset: f.offset + start, ..f })?;
                    entry.facts.push(fact);
                }
                _ => self.unknown += 1,
            }
        }
        let mut names: Vec<StringId> = entry.facts.iter().map(|fact| fact.name).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = profile::visible(self.builder.strings.get(twice[0])).into_owned();
            return fault(format!("a member has the fact '{name}' twice"));
        }
        self.builder.members.push(entry);
        Ok(())
    }

    pub(super) fn role(&mut self, number: u64) -> Result<(), Fault> {
        let role = self.string(number)?;
        self.builder.roles.push(role);
        Ok(())
    }
}

/// Walks through an origin, so that reading it will not end in the middle.
pub(super) fn check_origin(bytes: &[u8]) -> Result<(), Fault> {
    let mut walk = Fields::new(bytes);
    while let Some((field, payload)) = walk.next()? {
        if let (origin::FORMULA, Payload::Bytes(bytes)) = (field, payload) {
            let mut inner = Fields::new(bytes);
            while inner.next()?.is_some() {}
        }
    }
    Ok(())
}

fn combine_of(number: u64) -> Result<Combine, Fault> {
    match Combine::ALL.get(number as usize) {
        Some(&combine) => Ok(combine),
        None => fault(format!("a metric combines in way {number}, of which nothing is known")),
    }
}

fn timing_of(number: u64) -> Result<Timing, Fault> {
    match Timing::ALL.get(number as usize) {
        Some(&timing) => Ok(timing),
        None => fault(format!("a metric has timing {number}, of which nothing is known")),
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A metric by its number. One that leaves 32 bits is none of the file either way.
fn metric_id(number: u64) -> MetricId {
    MetricId(u32::try_from(number).unwrap_or(u32::MAX))
}
