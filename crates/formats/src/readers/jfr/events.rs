//! Events: what is done with each type of them, and what is kept of those that are shown.

use super::names;
use super::slot;
use profile::{ContextId, Label, LabelSetId, LabelValue, ThreadId};

use super::Reading;
use super::chunk::Chunk;
use super::classes::{Classes, IGNORED, Program, Value};
use super::pools::Pool;

/// Fields whose values are metrics of their own, and their units. Durations are ticks in the file.
pub(super) const MEASURES: [(&str, &str); 7] = [
    ("duration", "nanoseconds"),
    ("weight", "bytes"),
    ("allocationSize", "bytes"),
    ("tlabSize", "bytes"),
    ("objectSize", "bytes"),
    ("bytesRead", "bytes"),
    ("bytesWritten", "bytes"),
];

/// How many of them an event may have; none has more.
pub(super) const MOST_MEASURES: usize = 2;

/// A kind of event that is shown.
pub(super) struct Kind {
    pub(super) name: String,
    /// Which of [`MEASURES`] it has.
    pub(super) measures: Vec<usize>,
    /// Which of those were ever more than 0.
    pub(super) measured: [bool; MOST_MEASURES],
    pub(super) events: u64,
    pub(super) with_stack: u64,
}

/// An event that is shown.
pub(super) struct Record {
    pub(super) time: i64,
    pub(super) context: ContextId,
    pub(super) labels: LabelSetId,
    pub(super) thread: Option<ThreadId>,
    pub(super) kind: u32,
    pub(super) count: i64,
    pub(super) measures: [i64; MOST_MEASURES],
}

/// What is done with events of a type.
pub(super) enum Action {
    Show(u32, Program),
    Setting(Program),
    Machine(Program),
    Count(String),
}

impl Reading {
    pub(super) fn action(&mut self, id: i64, classes: &Classes) -> Action {
        let Some(class) = classes.by_id.get(&id) else {
            return Action::Count(format!("type {id}"));
        };
        let short = class.name.rsplit('.').next().unwrap_or_default();
        let has_stack = class.fields.iter().any(|field| field.name == "stackTrace");
        let has = |name: &str| class.fields.iter().any(|field| field.name == name);
        let is_size = class.name == "profiler.Malloc";
        let measures: Vec<usize> = (0..MEASURES.len())
            .filter(|&index| has(MEASURES[index].0))
            .take(MOST_MEASURES)
            .collect();
        let slot = |path: &str| match path {
            "startTime" => slot::START,
            "eventThread" => slot::THREAD,
            "sampledThread" => slot::SAMPLED,
            "stackTrace" => slot::STACK,
            "state" => slot::STATE,
            "objectClass" | "monitorClass" | "parkedClass" => slot::CLASS,
            "samples" => slot::SAMPLES,
            "id" => slot::ID,
            "name" => slot::NAME,
            "value" => slot::VALUE,
            "jvmName" => slot::JVM_NAME,
            "jvmVersion" => slot::JVM_VERSION,
            "jvmArguments" => slot::JVM_ARGUMENTS,
            "javaArguments" => slot::JAVA_ARGUMENTS,
            "size" if is_size => slot::MEASURE,
            path => {
                let known = measures.iter().position(|&index| MEASURES[index].0 == path);
                known.map_or(IGNORED, |index| slot::MEASURE + index as u8)
            }
        };
        let Some(program) = classes.program(id, &slot) else {
            return Action::Count(class.name.clone());
        };
        match short {
            "ActiveSetting" => Action::Setting(program),
            "JVMInformation" => Action::Machine(program),
            _ if has_stack => {
                let known = self.kinds.iter().position(|kind| kind.name == class.name);
                let kind = known.unwrap_or_else(|| {
                    // `size` stands for the first measure in bytes.
                    let measures = if is_size { vec![MEASURES.len()] } else { measures };
                    self.kinds.push(Kind {
                        name: class.name.clone(),
                        measures,
                        measured: [false; MOST_MEASURES],
                        events: 0,
                        with_stack: 0,
                    });
                    self.kinds.len() - 1
                });
                Action::Show(kind as u32, program)
            }
            _ => Action::Count(class.name.clone()),
        }
    }

    pub(super) fn show(&mut self, kind: u32, values: &[Value; slot::COUNT], chunk: &mut Chunk<'_>) {
        let value = |slot: u8| values[usize::from(slot)];
        let int = |slot: u8| if let Value::Int(int) = value(slot) { int } else { 0 };
        let stack = match value(slot::STACK) {
            Value::Reference(key) => self.context(key, chunk),
            _ => None,
        };
        self.labels.clear();
        if let Value::Reference(_) = value(slot::STATE) {
            let state = chunk.pools.name(chunk.cursor, Pool::ThreadState, value(slot::STATE));
            self.label("state", &state);
        }
        let class = chunk.pools.name(chunk.cursor, Pool::Class, value(slot::CLASS));
        if !class.is_empty() {
            self.label("class", &names::class(&class));
        }
        match stack {
            None => {}
            Some(found) => {
                let frame = self.builder.strings.get(found.kind).to_owned();
                if !frame.is_empty() {
                    self.label("frame type", &frame);
                }
                if found.truncated {
                    self.truncated += 1;
                    self.label("truncated", "true");
                }
            }
        }
        let thread = match (value(slot::SAMPLED), value(slot::THREAD)) {
            (Value::Reference(key), _) | (_, Value::Reference(key)) => self.thread(key, chunk),
            _ => None,
        };
        let labels = self.builder.labels.add(&self.labels);
        let start = self.start.unwrap_or(0);
        let since =
            chunk.header.nanoseconds(int(slot::START).saturating_sub(chunk.header.start_ticks));
        let time = chunk.header.start.saturating_add(since).saturating_sub(start);
        let of = &mut self.kinds[kind as usize];
        of.events += 1;
        of.with_stack += u64::from(stack.is_some());
        let mut measures = [0; MOST_MEASURES];
        for (index, place) in measures.iter_mut().enumerate().take(of.measures.len()) {
            let raw = int(slot::MEASURE + index as u8);
            let is_duration = of.measures[index] == 0;
            *place = if is_duration { chunk.header.nanoseconds(raw) } else { raw };
            of.measured[index] |= *place != 0;
        }
        let count = match value(slot::SAMPLES) {
            Value::Int(samples) => samples,
            _ => 1,
        };
        let context = stack.map_or(ContextId::ROOT, |found| found.context);
        self.records.push(Record { time, context, labels, thread, kind, count, measures });
    }

    fn label(&mut self, key: &str, text: &str) {
        let key = self.builder.strings.intern(key);
        let value = LabelValue::Text(self.builder.strings.intern(text));
        self.labels.push(Label { key, value });
    }
}
