//! Events: what is done with each type of them, and what is kept of those that are shown.

use super::fields::Argument;
use super::format::JfrParser;
use super::happenings::{OnTimeline, Series};
use super::{names, slot};
use profile::{ContextId, Label, LabelSetId, LabelValue, StringId, ThreadId};

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

/// The place of durations among them.
pub(super) const DURATION: usize = 0;

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
    /// Those that can have a stack, with their kind.
    Show(u32, Layout),
    /// Others that tell of a time.
    Happen(Layout),
    Setting(Program),
    Machine(Program),
    Count(String),
}

/// How events of a type are read, and what of them goes onto the timeline.
pub(super) struct Layout {
    pub(super) program: Program,
    pub(super) name: StringId,
    pub(super) place: OnTimeline,
    pub(super) arguments: Vec<Argument>,
    pub(super) series: Vec<Series>,
}

impl JfrParser {
    pub(super) fn action(&mut self, id: i64, classes: &Classes) -> Action {
        let Some(class) = classes.by_id.get(&id) else {
            return Action::Count(format!("type {id}"));
        };
        let short = class.name.rsplit('.').next().unwrap_or_default();
        let has = |name: &str| class.fields.iter().any(|field| field.name == name);
        let is_size = class.name == "profiler.Malloc";
        let measures: Vec<usize> = (0..MEASURES.len())
            .filter(|&index| has(MEASURES[index].0))
            .take(MOST_MEASURES)
            .collect();
        let place = OnTimeline::new(&class.name);
        let mut arguments = match place {
            OnTimeline::Event => Argument::all(class, classes),
            _ => vec![],
        };
        let mut series = Series::new(class, classes);
        let thread = if place == OnTimeline::Series && !has("eventThread") { "thread" } else { "" };
        let known = |path: &str| match path {
            "startTime" => slot::START,
            "eventThread" => slot::THREAD,
            path if path == thread => slot::THREAD,
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
            "duration" => slot::DURATION,
            "size" if is_size => slot::MEASURE,
            path => {
                let known = measures.iter().position(|&index| MEASURES[index].0 == path);
                known.map_or(IGNORED, |index| slot::MEASURE + index as u8)
            }
        };
        // What is wanted for the timeline alone has slots behind the others.
        let paths = arguments.iter().map(|argument| argument.key().to_owned());
        let paths: Vec<String> = paths.chain(series.iter().flat_map(Series::paths)).collect();
        let slot = |path: &str| match (known(path), paths.iter().position(|one| one == path)) {
            (IGNORED, Some(place)) => (slot::COUNT + place) as u8,
            (slot, _) => slot,
        };
        let program = classes.program(id, &slot);
        arguments.iter_mut().for_each(|argument| argument.slot = slot(argument.key()));
        series.iter_mut().for_each(|series| series.set_slots(slot));
        let Some(program) = program else {
            return Action::Count(class.name.clone());
        };
        let name = self.builder.strings.intern(&class.name);
        let layout = |program| Layout { program, name, place, arguments, series };
        match short {
            "ActiveSetting" => Action::Setting(program),
            "JVMInformation" => Action::Machine(program),
            _ if has("stackTrace") => {
                // `size` stands for the first measure in bytes.
                let measures = if is_size { vec![MEASURES.len()] } else { measures.clone() };
                let kind = self.kind(&class.name, measures);
                Action::Show(kind, layout(program))
            }
            _ if matches!(place, OnTimeline::Event | OnTimeline::Series) => {
                Action::Happen(layout(program))
            }
            _ => Action::Count(class.name.clone()),
        }
    }

    fn kind(&mut self, name: &str, measures: Vec<usize>) -> u32 {
        let known = self.kinds.iter().position(|kind| kind.name == name);
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(Kind {
                name: name.to_owned(),
                measures,
                measured: [false; MOST_MEASURES],
                events: 0,
                with_stack: 0,
            });
            self.kinds.len() - 1
        });
        kind as u32
    }

    /// An event that can have a stack.
    pub(super) fn show(
        &mut self,
        kind: u32,
        layout: &Layout,
        values: &[Value],
        chunk: &mut Chunk<'_>,
    ) {
        let value = |slot: u8| values.get(usize::from(slot)).copied().unwrap_or_default();
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
        let thread = self.thread_of(values, chunk);
        let labels = self.builder.labels.add(&self.labels);
        let time = self.time_of(values, chunk);
        let of = &mut self.kinds[kind as usize];
        of.events += 1;
        of.with_stack += u64::from(stack.is_some());
        let mut measures = [0; MOST_MEASURES];
        for (index, place) in measures.iter_mut().enumerate().take(of.measures.len()) {
            let is_duration = of.measures[index] == DURATION;
            *place = if is_duration {
                chunk.header.nanoseconds(int(slot::DURATION))
            } else {
                int(slot::MEASURE + index as u8)
            };
            of.measured[index] |= *place != 0;
        }
        let count = match value(slot::SAMPLES) {
            Value::Int(samples) => samples,
            _ => 1,
        };
        let context = stack.map_or(ContextId::ROOT, |found| found.context);
        self.records.push(Record { time, context, labels, thread, kind, count, measures });
        self.happen(layout, context, values, chunk);
    }

    /// When an event was, in nanoseconds after the start of the first chunk.
    pub(super) fn time_of(&self, values: &[Value], chunk: &Chunk<'_>) -> i64 {
        let ticks = match values.get(usize::from(slot::START)) {
            Some(&Value::Int(ticks)) => ticks,
            _ => 0,
        };
        let since = chunk.header.nanoseconds(ticks.saturating_sub(chunk.header.start_ticks));
        let start = self.start.unwrap_or(0);
        chunk.header.start.saturating_add(since).saturating_sub(start)
    }

    pub(super) fn thread_of(
        &mut self,
        values: &[Value],
        chunk: &mut Chunk<'_>,
    ) -> Option<ThreadId> {
        let value = |slot: u8| values.get(usize::from(slot)).copied().unwrap_or_default();
        match (value(slot::SAMPLED), value(slot::THREAD)) {
            (Value::Reference(key), _) | (_, Value::Reference(key)) => self.thread(key, chunk),
            _ => None,
        }
    }

    fn label(&mut self, key: &str, text: &str) {
        let key = self.builder.strings.intern(key);
        let value = LabelValue::Text(self.builder.strings.intern(text));
        self.labels.push(Label { key, value });
    }
}
