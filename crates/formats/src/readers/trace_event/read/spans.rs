//! Events, each to its thread, track or list of samples.

use profile::{
    Label, LabelSetId, LabelValue, LocationId, LocationKind, Place, ProfileBuilder, StringId,
};

use super::happenings::Place as Where;
use super::trace::{Named, SpanStart, Thread, Trace};
use crate::Warnings;
use crate::readers::trace_event::event::Event;
use crate::readers::trace_event::samples::Sample;
use crate::readers::trace_event::write::lane_name;
use crate::time::span_records::{Begin, Records};

impl Trace {
    pub(super) fn event(&mut self, event: &mut Event, warnings: &mut Warnings) {
        let thread = self.thread(&event.pid, &event.tid);
        if self.profiles.take(event, thread, &mut self.builder) {
            return;
        }
        let untimed = |warnings: &mut Warnings| {
            warnings.add("untimed", || "events without a time are left out".to_owned());
        };
        match event.phase {
            b'M' => self.metadata(event, thread),
            // Pictures are large, and nobody shows them.
            _ if event.name == "Screenshot" => {
                warnings.add("screenshots", || "screenshots are not shown".to_owned());
            }
            b'B' | b'E' | b'X' | b'b' | b'e' | b'S' | b'F' => match event.time {
                Some(time) => self.span(event, time, thread, warnings),
                None => untimed(warnings),
            },
            b'C' | b'I' | b'i' | b'R' | b'n' | b'T' | b'p' | b's' | b't' | b'f' => match event.time
            {
                Some(time) => self.happening(event, time, thread),
                None => untimed(warnings),
            },
            b'P' if !event.stack_frame.is_empty() => self.sample(event),
            phase => {
                let (kind, message) = unshown(phase);
                warnings.add(kind, || message.to_owned());
            }
        }
    }

    /// An instant, a value of a counter, or an end of a flow.
    fn happening(&mut self, event: &Event, time: i64, thread: u32) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.end = self.end.max(time);
        let process = self.threads.list[thread as usize].process;
        match event.phase {
            // DevTools has counters among its instants.
            b'C' | b'I' | b'i' if event.phase == b'C' || event.name == "UpdateCounters" => {
                self.happenings.counter(event, (process, time), &mut self.builder);
            }
            b's' | b't' | b'f' => {
                let of_process = event.tid.is_empty();
                let at = if of_process { Where::Process(process) } else { Where::Thread(thread) };
                if !of_process {
                    self.happens_on(thread, time);
                }
                self.happenings.flow(event, (at, time), &mut self.builder);
            }
            phase => {
                let kind = self.builder.strings.intern(&event.name);
                let place = match (phase, event.scope) {
                    (b'n' | b'T' | b'p', _) => {
                        let category = self.builder.strings.intern(&event.category);
                        Where::Thread(self.lane(process, category))
                    }
                    (_, b'p' | b'g') => Where::Process(process),
                    _ => Where::Thread(thread),
                };
                if let Where::Thread(row) = place {
                    self.happens_on(row, time);
                }
                let fields = event.arguments.labels(&mut self.builder);
                self.happenings.mark(place, time, kind, fields);
            }
        }
    }

    /// An instant, or an end of a flow.
    fn happens_on(&mut self, thread: u32, time: i64) {
        let thread = &mut self.threads.list[thread as usize];
        thread.is_used = true;
        thread.end = thread.end.max(Some(time));
    }

    fn metadata(&mut self, event: &Event, thread: u32) {
        let process = self.threads.list[thread as usize].process as usize;
        let name = self.builder.strings.intern(&event.new_name);
        let (process, thread) =
            (&mut self.threads.processes[process], &mut self.threads.list[thread as usize]);
        match event.name.as_str() {
            "process_name" if !event.new_name.is_empty() => process.name = name,
            "thread_name" if !event.new_name.is_empty() => thread.named.name = name,
            "process_sort_index" => process.sort_index = event.sort_index.unwrap_or(0),
            "thread_sort_index" => thread.named.sort_index = event.sort_index.unwrap_or(0),
            _ => {}
        }
    }

    fn span(&mut self, event: &mut Event, time: i64, thread: u32, warnings: &mut Warnings) {
        event.take_place();
        let event = &*event;
        let is_async = !matches!(event.phase, b'B' | b'E' | b'X');
        let length = (event.phase == b'X').then(|| {
            event.length().unwrap_or_else(|| {
                warnings.add("duration", || {
                    "spans whose duration is missing or no time are taken as 0 long".to_owned()
                });
                0
            })
        });
        let ends = matches!(event.phase, b'E' | b'e' | b'F');
        let name = self.builder.strings.intern(&event.name);
        let category = self.category(&event.category);
        let kind = if ends { 0 } else { self.kind(event, [name, category], is_async) };
        let arguments = event.arguments.labels(&mut self.builder);
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.end = self.end.max(time.saturating_add(length.unwrap_or(0)));
        let records = if is_async {
            let track = self.operation(thread, category, event);
            &mut self.track_list[track].1
        } else {
            let thread = &mut self.threads.list[thread as usize];
            thread.is_used = true;
            &mut thread.records
        };
        self.held += if ends {
            records.end(time, name, arguments)
        } else {
            records.begin(time, kind, length, arguments)
        };
    }

    /// The spans of an asynchronous operation, which stand with the process that they begin in. An id is known to
    /// all processes, unless it says that it is local.
    fn operation(&mut self, thread: u32, category: StringId, event: &Event) -> usize {
        let id = self.builder.strings.intern(&event.id);
        let process = self.threads.list[thread as usize].process;
        let of_process = event.id_is_local.then_some(process);
        if let Some(&track) = self.tracks.get(&(of_process, category, id)) {
            return track;
        }
        let lane = self.lane(process, category);
        self.threads.list[lane as usize].is_used = true;
        self.track_list.push((lane, Records::default()));
        self.tracks.insert((of_process, category, id), self.track_list.len() - 1);
        self.track_list.len() - 1
    }

    /// Mostly that of the event before.
    fn category(&mut self, text: &str) -> StringId {
        // Comparing two texts that are empty and own no memory is slow: it reads, masked, where nothing is.
        if text.is_empty() {
            return StringId::EMPTY;
        }
        if self.kinds.category.0 != text {
            self.kinds.category = (text.to_owned(), self.builder.strings.intern(text));
        }
        self.kinds.category.1
    }

    /// The thread that stands for the asynchronous spans of a category.
    fn lane(&mut self, process: u32, category: StringId) -> u32 {
        let name = lane_name(self.builder.strings.get(category));
        let name = self.builder.strings.intern(&name);
        let lane = self.thread_of(process, name);
        self.threads.list[lane as usize].is_lane = true;
        lane
    }

    pub(super) fn sample(&mut self, event: &Event) {
        let frame = self.sampled.frames.row(&event.stack_frame);
        let thread = self.thread(&event.pid, &event.tid);
        self.threads.list[thread as usize].is_used |=
            !(event.pid.is_empty() && event.tid.is_empty());
        let time = event.time.unwrap_or(0);
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.end = self.end.max(time);
        let weight = event.weight.unwrap_or(1);
        match &mut self.sampled.weights_of {
            None => self.sampled.weights_of = Some(event.name.clone()),
            Some(name) if *name != event.name => name.clear(),
            Some(_) => {}
        }
        self.sampled.list.push(Sample { frame, time, thread, weight, cpu: event.cpu });
    }

    fn thread(&mut self, pid: &str, tid: &str) -> u32 {
        if let Some((last_pid, last_tid, thread)) = &self.threads.last
            && last_pid == pid
            && last_tid == tid
        {
            return *thread;
        }
        let id = self.builder.strings.intern(pid);
        let list = &mut self.threads.processes;
        let process = *self.threads.process_of.entry(id).or_insert_with(|| {
            list.push(Named { id, ..Named::default() });
            list.len() as u32 - 1
        });
        let tid_text = self.builder.strings.intern(tid);
        let thread = self.thread_of(process, tid_text);
        self.threads.last = Some((pid.to_owned(), tid.to_owned(), thread));
        thread
    }

    fn thread_of(&mut self, process: u32, id: StringId) -> u32 {
        let list = &mut self.threads.list;
        *self.threads.of.entry((process, id)).or_insert_with(|| {
            let named = Named { id, ..Named::default() };
            let (is_used, is_lane) = (false, false);
            let records = Records::default();
            list.push(Thread { named, process, records, end: None, is_used, is_lane });
            list.len() as u32 - 1
        })
    }

    /// The kind of span that an event begins.
    fn kind(&mut self, event: &Event, [name, category]: [StringId; 2], is_async: bool) -> u32 {
        let file = self.builder.strings.intern(&event.file);
        let (line, column, name_is_whole) = (event.line, event.column, event.has_place);
        let told = SpanStart { name, category, file, line, column, is_async, name_is_whole };
        if let Some(&known) = self.kinds.known.get(&told) {
            return known;
        }
        let mut place = place_in(&event.name);
        if name_is_whole {
            let file = event.file.as_str();
            place = Place { function: &event.name, file, line, column, ..Place::default() };
        }
        if is_async {
            place.kind = LocationKind::Region;
        }
        if place.function.is_empty() {
            place.function = "(unnamed)";
        }
        let location = self.builder.place(&place);
        let labels = self.labels(category);
        let kind = self.kinds.begins.of(Begin { location, name, labels });
        self.kinds.known.insert(told, kind);
        kind
    }

    fn labels(&mut self, category: StringId) -> LabelSetId {
        if category == StringId::EMPTY {
            return LabelSetId(0);
        }
        let builder = &mut self.builder;
        *self.kinds.categories.entry(category).or_insert_with(|| {
            let key = builder.strings.intern("category");
            builder.labels.add(&[Label { key, value: LabelValue::Text(category) }])
        })
    }
}

/// What is said of events that are not shown.
fn unshown(phase: u8) -> (&'static str, &'static str) {
    match phase {
        b'N' | b'O' | b'D' => ("objects", "life and snapshots of objects are not shown"),
        _ => ("others", "other events are not shown"),
    }
}

/// The place of a stack frame: as it tells, or as its name does.
pub(super) fn sample_place(builder: &mut ProfileBuilder, event: &Event) -> LocationId {
    if event.has_place {
        let (file, line, column) = (event.file.as_str(), event.line, event.column);
        let place = Place { function: &event.name, file, line, column, ..Place::default() };
        return builder.place(&place);
    }
    builder.place(&place_in(&event.name))
}

/// Whether a name is read as more than a name.
pub(in crate::readers::trace_event) fn has_place_in(name: &str) -> bool {
    place_in(name).function.len() < name.len()
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
