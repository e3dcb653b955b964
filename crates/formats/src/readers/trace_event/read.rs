//! Reading a trace: spans and samples by thread, or the profiles of DevTools.

use hashbrown::HashMap;
use profile::{
    Label, LabelSetId, LabelValue, LocationId, LocationKind, Metric, Place, Points, Profile,
    ProfileBuilder, StringId, ThreadId,
};

use super::event::{Event, text};
use super::profiles::Profiles;
use super::samples::{self, Sample, StackFrames};
use super::tracks::{self, Happening, Record, Target};
use super::{CHROME, FORMAT};
use crate::json::{Json, Kind};
use crate::readers::cpuprofile;
use crate::stream::Stream;
use crate::{ReadError, ReadOptions, Warnings};

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?.lenient();
    let mut trace = Trace::default();
    let mut is_one = false;
    let mut event = Event::default();
    match json.kind()? {
        Kind::Array => {
            is_one = true;
            trace.events(&mut json, &mut event, options, warnings)?;
        }
        _ => {
            json.object()?;
            while let Some(key) = json.next_key()? {
                match key {
                    "traceEvents" => {
                        is_one = true;
                        trace.events(&mut json, &mut event, options, warnings)?;
                    }
                    "samples" => trace.samples(&mut json, &mut event, options)?,
                    "stackFrames" => {
                        let read = |json: &mut Json| {
                            trace.frames.read(json, &mut trace.builder, sample_place, options)
                        };
                        json.whole(read)?;
                    }
                    "viztracer_metadata" => trace.viztracer(&mut json)?,
                    "otherData" => trace.notes(&mut json)?,
                    "systemTraceEvents" => warnings.add("system", || {
                        "events of the system's own tracer are not shown".to_owned()
                    }),
                    _ => {}
                }
            }
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "list of \"traceEvents\"")?;
    if let Some(place) = json.cut_short() {
        warnings.add("cut", || format!("the file ends at {place}, before its end"));
    }
    Ok(trace.finish(warnings))
}

/// What is collected of a trace.
/// Time and calls, asynchronous time, sampled time and samples.
pub(super) const MOST_METRICS: usize = 5;

#[derive(Default)]
struct Trace {
    builder: ProfileBuilder,
    processes: HashMap<StringId, u32>,
    process_list: Vec<Named>,
    threads: HashMap<(u32, StringId), u32>,
    thread_list: Vec<Thread>,
    /// The thread of the event before.
    last: Option<(String, String, u32)>,
    /// Asynchronous spans by process, category and identifier.
    tracks: HashMap<(u32, StringId, StringId), usize>,
    track_list: Vec<(u32, Vec<Record>)>,
    records: usize,
    places: HashMap<(StringId, StringId, u32, u32, bool), LocationId>,
    categories: HashMap<StringId, LabelSetId>,
    samples: Vec<Sample>,
    frames: StackFrames,
    profiles: Profiles,
    first: Option<i64>,
    end: i64,
    others: u64,
}

/// Names and order of a process or thread.
#[derive(Default)]
struct Named {
    id: StringId,
    name: StringId,
    sort_index: i64,
}

struct Thread {
    named: Named,
    process: u32,
    records: Vec<Record>,
    /// Whether any point will stand on it.
    is_used: bool,
}

impl Trace {
    fn events(
        &mut self,
        json: &mut Json,
        event: &mut Event,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        while json.next_element()? {
            match json.whole(|json| event.read(json, &mut self.builder, options))? {
                Some(true) => self.event(event, warnings),
                Some(false) => {
                    warnings.add("no events", || "entries that are no events".to_owned());
                }
                None => {}
            }
            self.check(options)?;
        }
        Ok(())
    }

    fn samples(
        &mut self,
        json: &mut Json,
        event: &mut Event,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        while json.next_element()? {
            if json.whole(|json| event.read(json, &mut self.builder, options))? == Some(true) {
                self.sample(event);
                self.check(options)?;
            }
        }
        Ok(())
    }

    fn viztracer(&mut self, json: &mut Json) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            if key == "version" {
                let mut version = String::new();
                text(json, &mut version)?;
                self.builder.origin.producer = format!("VizTracer {version}");
            }
        }
        Ok(())
    }

    fn check(&mut self, options: &ReadOptions) -> Result<(), ReadError> {
        let held = self.builder.heap_bytes()
            + self.records * size_of::<Record>()
            + self.samples.capacity() * size_of::<Sample>()
            + self.track_list.capacity() * 32
            + self.frames.heap_bytes()
            + self.profiles.heap_bytes();
        options.check_memory(held)
    }

    fn event(&mut self, event: &mut Event, warnings: &mut Warnings) {
        let thread = self.thread(&event.pid, &event.tid);
        if self.profiles.take(event, thread, &mut self.builder) {
            if self.records > 0 {
                // A trace of DevTools: its profiles are what is shown.
                self.others += self.records as u64;
                self.records = 0;
                self.thread_list.iter_mut().for_each(|thread| thread.records = Vec::new());
                self.track_list = Vec::new();
                self.tracks.clear();
            }
            return;
        }
        let untimed = |warnings: &mut Warnings| {
            warnings.add("untimed", || "events without a time are left out".to_owned());
        };
        match event.phase {
            b'M' => self.metadata(event, thread),
            _ if !self.profiles.is_empty() => self.others += 1,
            b'B' | b'E' | b'X' | b'b' | b'e' | b'S' | b'F' => match event.time {
                Some(time) => self.span(event, time, thread),
                None => untimed(warnings),
            },
            b'P' if !event.stack_frame.is_empty() => self.sample(event),
            phase => {
                let (kind, message) = unshown(phase);
                warnings.add(kind, || message.to_owned());
            }
        }
    }

    fn metadata(&mut self, event: &Event, thread: u32) {
        let process = self.thread_list[thread as usize].process as usize;
        let name = self.builder.strings.intern(&event.new_name);
        let (process, thread) =
            (&mut self.process_list[process], &mut self.thread_list[thread as usize]);
        match event.name.as_str() {
            "process_name" if !event.new_name.is_empty() => process.name = name,
            "thread_name" if !event.new_name.is_empty() => thread.named.name = name,
            "process_sort_index" => process.sort_index = event.sort_index.unwrap_or(0),
            "thread_sort_index" => thread.named.sort_index = event.sort_index.unwrap_or(0),
            _ => {}
        }
    }

    fn span(&mut self, event: &Event, time: i64, thread: u32) {
        let is_async = !matches!(event.phase, b'B' | b'E' | b'X');
        let happening = match event.phase {
            b'X' => Happening::Complete(event.length()),
            b'B' | b'b' | b'S' => Happening::Begin,
            _ => Happening::End,
        };
        let name = self.builder.strings.intern(&event.name);
        let category = self.builder.strings.intern(&event.category);
        let (location, labels) = match happening {
            Happening::End => (LocationId(0), LabelSetId(0)),
            _ => (self.location(event, name, is_async), self.labels(category)),
        };
        let length = if let Happening::Complete(length) = happening { length } else { 0 };
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.end = self.end.max(time.saturating_add(length));
        self.records += 1;
        let record = Record { time, happening, location, name, labels };
        if !is_async {
            let thread = &mut self.thread_list[thread as usize];
            thread.is_used = true;
            thread.records.push(record);
            return;
        }
        let id = self.builder.strings.intern(&event.id);
        let process = self.thread_list[thread as usize].process;
        let track = match self.tracks.get(&(process, category, id)) {
            Some(&track) => track,
            None => {
                let lane = self.lane(process, category);
                self.track_list.push((lane, vec![]));
                self.tracks.insert((process, category, id), self.track_list.len() - 1);
                self.track_list.len() - 1
            }
        };
        self.track_list[track].1.push(record);
    }

    /// The thread that stands for the asynchronous spans of a category.
    fn lane(&mut self, process: u32, category: StringId) -> u32 {
        let name = match self.builder.strings.get(category) {
            "" => "asynchronous".to_owned(),
            category => format!("asynchronous: {category}"),
        };
        let name = self.builder.strings.intern(&name);
        let lane = self.thread_of(process, name);
        self.thread_list[lane as usize].is_used = true;
        lane
    }

    fn sample(&mut self, event: &Event) {
        let frame = self.frames.row(&event.stack_frame);
        let thread = self.thread(&event.pid, &event.tid);
        self.thread_list[thread as usize].is_used = true;
        let time = event.time.unwrap_or(0);
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.end = self.end.max(time);
        let weight = event.weight.unwrap_or(1);
        self.samples.push(Sample { frame, time, thread, weight, cpu: event.cpu });
    }

    fn thread(&mut self, pid: &str, tid: &str) -> u32 {
        if let Some((last_pid, last_tid, thread)) = &self.last
            && last_pid == pid
            && last_tid == tid
        {
            return *thread;
        }
        let id = self.builder.strings.intern(pid);
        let list = &mut self.process_list;
        let process = *self.processes.entry(id).or_insert_with(|| {
            list.push(Named { id, ..Named::default() });
            list.len() as u32 - 1
        });
        let tid_text = self.builder.strings.intern(tid);
        let thread = self.thread_of(process, tid_text);
        self.last = Some((pid.to_owned(), tid.to_owned(), thread));
        thread
    }

    fn thread_of(&mut self, process: u32, id: StringId) -> u32 {
        let list = &mut self.thread_list;
        *self.threads.entry((process, id)).or_insert_with(|| {
            let named = Named { id, ..Named::default() };
            list.push(Thread { named, process, records: vec![], is_used: false });
            list.len() as u32 - 1
        })
    }

    fn location(&mut self, event: &Event, name: StringId, is_async: bool) -> LocationId {
        let file = self.builder.strings.intern(&event.file);
        let key = (name, file, event.line, event.column, is_async);
        if let Some(&known) = self.places.get(&key) {
            return known;
        }
        let mut place = place_in(&event.name);
        if !event.file.is_empty() || event.line > 0 {
            let (file, line, column) = (event.file.as_str(), event.line, event.column);
            place = Place { function: &event.name, file, line, column, ..Place::default() };
        }
        if is_async {
            place.kind = LocationKind::Region;
        }
        if place.function.is_empty() {
            place.function = "(unnamed)";
        }
        let location = self.builder.place(&place);
        self.places.insert(key, location);
        location
    }

    fn labels(&mut self, category: StringId) -> LabelSetId {
        if category == StringId::EMPTY {
            return LabelSetId(0);
        }
        let builder = &mut self.builder;
        *self.categories.entry(category).or_insert_with(|| {
            let key = builder.strings.intern("category");
            builder.labels.add(&[Label { key, value: LabelValue::Text(category) }])
        })
    }

    /// What the producer notes, as comments.
    fn notes(&mut self, json: &mut Json) -> Result<(), ReadError> {
        const MOST_NOTES: usize = 30;
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            let key = key.to_owned();
            let mut value = String::new();
            text(json, &mut value)?;
            let comments = &mut self.builder.origin.comments;
            if !value.is_empty() && comments.len() < MOST_NOTES {
                comments.push(format!("{key}: {value}"));
            }
        }
        Ok(())
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let is_chrome = !self.profiles.is_empty();
        for thread in self.profiles.threads().collect::<Vec<_>>() {
            self.thread_list[thread as usize].is_used = true;
        }
        if is_chrome {
            self.samples.clear();
        }
        let threads = self.make_threads(is_chrome);
        let Trace { mut builder, thread_list, track_list, samples, frames, profiles, .. } = self;
        let format = if is_chrome { CHROME } else { FORMAT };
        format.name.clone_into(&mut builder.origin.format);
        if is_chrome {
            warnings.add_many("others", self.others, || "other events are not shown".to_owned());
            builder.metrics = cpuprofile::metrics();
            builder.points = Points::new(builder.metrics.len());
            profiles.push_points(&threads, &mut builder, warnings);
            return builder.finish();
        }
        let clock = self.first.unwrap_or(0);
        builder.origin.clock_ns = clock;
        builder.origin.duration_ns = self.end.saturating_sub(clock).max(0);
        let metric = |name: &str, unit: &str| Metric {
            name: name.into(),
            unit: unit.into(),
            decimals: 0,
            ..Metric::default()
        };
        let has_spans = thread_list.iter().any(|thread| !thread.records.is_empty());
        let (has_async, has_samples) = (!track_list.is_empty(), !samples.is_empty());
        let mut metrics = vec![];
        if has_spans || has_async || !has_samples {
            metrics = vec![metric("time", "nanoseconds"), metric("calls", "count")];
        }
        if has_async {
            metrics.push(metric("asynchronous time", "nanoseconds"));
        }
        let sampled = metrics.len();
        if has_samples {
            let time = if metrics.is_empty() { "time" } else { "sampled time" };
            metrics.push(metric(time, "nanoseconds"));
            metrics.push(metric("samples", "count"));
        }
        builder.origin.default_metric = if has_async && !has_spans { 2 } else { 0 };
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        for (row, thread) in thread_list.into_iter().enumerate() {
            let target = Target { thread: threads[row], time_metric: 0, clock };
            tracks::push_points(thread.records, target, &mut builder, warnings);
        }
        for (lane, records) in track_list {
            let target = Target { thread: threads[lane as usize], time_metric: 2, clock };
            tracks::push_points(records, target, &mut builder, warnings);
        }
        let metrics = (sampled + 1, sampled);
        if has_samples {
            samples::push_points(
                samples,
                &frames,
                &threads,
                metrics,
                clock,
                &mut builder,
                warnings,
            );
        }
        builder.finish()
    }

    /// Makes the threads that have points, in the order that the trace wants.
    fn make_threads(&mut self, is_chrome: bool) -> Vec<Option<ThreadId>> {
        let with_profile: Vec<u32> = self.profiles.threads().collect();
        let mut order: Vec<u32> = (0..self.thread_list.len() as u32).collect();
        order.sort_by_key(|&row| {
            let thread = &self.thread_list[row as usize];
            let process = &self.process_list[thread.process as usize];
            (process.sort_index, thread.process, thread.named.sort_index, row)
        });
        let mut made = vec![None; self.thread_list.len()];
        for row in order {
            let thread = &self.thread_list[row as usize];
            if !thread.is_used || (is_chrome && !with_profile.contains(&row)) {
                continue;
            }
            let builder = &mut self.builder;
            let process = &self.process_list[thread.process as usize];
            let pid = builder.strings.get(process.id).to_owned();
            let tid = builder.strings.get(thread.named.id).to_owned();
            let process_id = builder.process(&pid);
            builder.processes[process_id.index()].name = process.name;
            let id = builder.thread(Some(process_id), &tid);
            builder.threads[id.index()].name = thread.named.name;
            made[row as usize] = Some(id);
        }
        made
    }
}

/// What is said of events that are not shown.
fn unshown(phase: u8) -> (&'static str, &'static str) {
    match phase {
        b'C' => ("counters", "counters are not shown"),
        b'I' | b'i' | b'R' | b'n' | b'T' | b'p' => ("instants", "instant events are not shown"),
        b's' | b't' | b'f' => ("flows", "flows between spans are not shown"),
        b'N' | b'O' | b'D' => ("objects", "life and snapshots of objects are not shown"),
        _ => ("others", "other events are not shown"),
    }
}

fn sample_place(builder: &mut ProfileBuilder, name: &str) -> LocationId {
    builder.place(&place_in(name))
}

/// The place in `name (file:line)` or `name(file:line:column)`, as VizTracer and Hermes write it.
fn place_in(name: &str) -> Place<'_> {
    let plain = Place { function: name, ..Place::default() };
    let Some((function, inside)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('('))
    else {
        return plain;
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let Some((file, last)) = inside.rsplit_once(':').and_then(|(f, n)| Some((f, number(n)?)))
    else {
        return plain;
    };
    let (file, line, column) = match file.rsplit_once(':').and_then(|(f, n)| Some((f, number(n)?)))
    {
        Some((file, line)) => (file, line, last),
        None => (file, last, 0),
    };
    let function = function.trim_end();
    if function.is_empty() || !file.contains(['/', '\\', '.', '<']) {
        return plain;
    }
    Place { function, file, line, column, ..Place::default() }
}
