//! A trace, event by event.

use hashbrown::HashMap;
use profile::{LabelSetId, Profile, ProfileBuilder, StringId};

use super::happenings::Happenings;
use super::spans::sample_place;
use crate::input::stream::Stream;
use crate::json::{Json, Kind};
use crate::readers::trace_event::FORMAT;
use crate::readers::trace_event::event::{Event, text};
use crate::readers::trace_event::format::is_event;
use crate::readers::trace_event::profiles::Profiles;
use crate::readers::trace_event::samples::{Sample, Sampled};
use crate::time::span_records::{Begins, Records};
use crate::{ReadError, ReadOptions, Warnings};

pub(in crate::readers::trace_event) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?.lenient();
    let mut trace = Trace::default();
    let mut is_one = false;
    let mut event = Event::default();
    // Events one behind the other, and traces that were put behind each other.
    let are_events = is_event(json.head()?);
    loop {
        match json.kind()? {
            Kind::Array => {
                is_one = true;
                trace.events(&mut json, &mut event, options, warnings)?;
            }
            _ if are_events => {
                is_one = true;
                trace.next_event(&mut json, &mut event, options, warnings)?;
            }
            _ => is_one |= trace.document(&mut json, &mut event, options, warnings)?,
        }
        if !json.next_document()? {
            break;
        }
    }
    trace.check(options)?;
    if event.arguments.left_out > 0 {
        warnings.add_many("arguments", event.arguments.left_out, || {
            "arguments beyond 64 of one event are left out".to_owned()
        });
    }
    ReadError::unless(is_one, FORMAT.name, "list of \"traceEvents\"")?;
    if let Some(place) = json.cut_short() {
        warnings.add("cut", || format!("the file ends at {place}, before its end"));
    }
    Ok(trace.finish(warnings))
}

/// After how many bytes of events it is looked at what is held.
const CHECKED: u64 = 16 << 10;

/// What is collected of a trace.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) builder: ProfileBuilder,
    pub(super) threads: Threads,
    /// Asynchronous spans by process, category and identifier.
    pub(super) tracks: HashMap<(Option<u32>, StringId, StringId), usize>,
    pub(super) track_list: Vec<(u32, Records)>,
    /// Bytes of all records.
    pub(super) held: usize,
    /// Where in the file it was looked at what is held.
    checked: u64,
    pub(super) kinds: Kinds,
    pub(super) sampled: Sampled,
    pub(super) happenings: Happenings,
    pub(super) profiles: Profiles,
    pub(super) first: Option<i64>,
    pub(super) end: i64,
}

/// Processes and threads, by their identifiers.
#[derive(Default)]
pub(super) struct Threads {
    pub(super) process_of: HashMap<StringId, u32>,
    pub(super) processes: Vec<Named>,
    pub(super) of: HashMap<(u32, StringId), u32>,
    pub(super) list: Vec<Thread>,
    /// The thread of the event before.
    pub(super) last: Option<(String, String, u32)>,
}

/// The kinds of spans by what events tell of them.
#[derive(Default)]
pub(super) struct Kinds {
    pub(super) known: HashMap<SpanStart, u32>,
    pub(super) begins: Begins,
    pub(super) categories: HashMap<StringId, LabelSetId>,
    /// The category of the event before.
    pub(super) category: (String, StringId),
}

/// What an event tells of a span that begins.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct SpanStart {
    pub(super) name: StringId,
    pub(super) category: StringId,
    pub(super) file: StringId,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) is_async: bool,
    pub(super) name_is_whole: bool,
}

/// Names and order of a process or thread.
#[derive(Default)]
pub(super) struct Named {
    pub(super) id: StringId,
    pub(super) name: StringId,
    pub(super) sort_index: i64,
}

pub(super) struct Thread {
    pub(super) named: Named,
    pub(super) process: u32,
    pub(super) records: Records,
    /// When the last of its instants and flows was.
    pub(super) end: Option<i64>,
    /// Whether any point will stand on it.
    pub(super) is_used: bool,
    /// It stands for asynchronous spans.
    pub(super) is_lane: bool,
}

impl Trace {
    /// Reads an object with a list of events; whether it has one.
    fn document(
        &mut self,
        json: &mut Json,
        event: &mut Event,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<bool, ReadError> {
        let mut is_one = false;
        json.object()?;
        while let Some(key) = json.next_key()? {
            match key {
                "traceEvents" => {
                    is_one = true;
                    self.events(json, event, options, warnings)?;
                }
                "samples" => self.samples(json, event, options)?,
                "stackFrames" => {
                    let read = |json: &mut Json| {
                        self.sampled.frames.read(json, &mut self.builder, sample_place, options)
                    };
                    json.whole(read)?;
                }
                "viztracer_metadata" => self.viztracer(json)?,
                "otherData" => self.notes(json)?,
                "systemTraceEvents" => warnings
                    .add("system", || "events of the system's own tracer are not shown".to_owned()),
                _ => {}
            }
        }
        Ok(is_one)
    }

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
            self.next_event(json, event, options, warnings)?;
        }
        self.check(options)
    }

    #[inline]
    fn next_event(
        &mut self,
        json: &mut Json,
        event: &mut Event,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        match json.whole(|json| event.read(json, &mut self.builder, options))? {
            Some(true) => self.event(event, warnings),
            Some(false) => {
                warnings.add("no events", || "entries that are not events".to_owned());
            }
            None => {}
        }
        // Adding up what is held takes longer than an event that is as short as most are.
        let place = json.place().0;
        if place.saturating_sub(self.checked) >= CHECKED {
            self.checked = place;
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
            + self.held
            + self.kinds.begins.heap_bytes()
            + self.kinds.known.capacity() * size_of::<SpanStart>()
            + self.happenings.heap_bytes()
            + self.sampled.list.capacity() * size_of::<Sample>()
            + self.track_list.capacity() * 200
            + self.sampled.frames.heap_bytes()
            + self.profiles.heap_bytes();
        options.check_memory(held)
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
}
