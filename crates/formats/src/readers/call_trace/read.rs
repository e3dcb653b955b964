//! Sections to processes, and processes to a profile.

use std::collections::HashMap;

use calltrace::memory::Step;
use calltrace::{Event, MOST_PAYLOAD, Section, SectionError, SectionReader, Unpacker};
use profile::{CALLS_AT_LEAST, Metric, MetricId, Points, Profile, ProfileBuilder, Timing};
use ruzstd::decoding::FrameDecoder;

use super::calls::Calls;
use super::clock::Clock;
use super::estimate::{Estimate, Estimating};
use super::format::FORMAT;
use super::functions::Functions;
use super::logged;
use super::lost::Lost;
use super::process::{End, Memory, Part, Process};
use super::tasks::Tasks;
use crate::input::stream::Stream;
use crate::time::spans::SpanPoints;
use crate::{Place as At, ReadError, ReadOptions, Warnings};

/// Metrics, in this order; the last one where there are tasks.
pub(super) const TIME: usize = 0;
pub(super) const CALLS: usize = 1;
pub(super) const CORRECTED: usize = 2;
pub(super) const TASK_TIME: usize = 3;

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let processes = sections(stream, FORMAT.name, options, warnings)?;
    let has_tasks = processes.iter().any(|process| !process.tasks.is_empty());
    let mut builder = ProfileBuilder::default();
    metrics(&mut builder, has_tasks);
    FORMAT.name.clone_into(&mut builder.origin.format);
    "Hotframe".clone_into(&mut builder.origin.producer);
    let (clocks, zero) = Clock::of_all(&processes, &mut builder);
    let mut end = zero;
    for (process, clock) in processes.into_iter().zip(clocks) {
        end = end.max(profile_of(process, &clock, zero, &mut builder, options, warnings)?);
    }
    builder.origin.duration_ns = end.saturating_sub(zero);
    if !builder.switched_off.is_empty() {
        // Beyond the limit nothing is counted.
        builder.metrics[CALLS].name = CALLS_AT_LEAST.to_owned();
    }
    Ok(builder.finish())
}

fn metrics(builder: &mut ProfileBuilder, has_tasks: bool) {
    let time = |name: &str| Metric::new(name, "nanoseconds");
    let mut metrics = vec![
        time("time"),
        Metric { timing: Timing::Begins, ..Metric::new("calls", "count") },
        time("corrected time"),
    ];
    if has_tasks {
        metrics.push(time("task time"));
    }
    metrics_of(builder, metrics, TIME);
}

/// Gives a profile that has no points yet its metrics.
pub(super) fn metrics_of(builder: &mut ProfileBuilder, metrics: Vec<Metric>, default: usize) {
    builder.points = Points::new(metrics.len());
    builder.metrics = metrics;
    builder.origin.default_metric = MetricId(default as u32);
}

/// The processes of a file of a format.
pub(super) fn sections(
    stream: Stream,
    format: &'static str,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Vec<Process>, ReadError> {
    let mut reader = SectionReader::new(stream);
    let mut processes: Vec<Process> = vec![];
    loop {
        let section = match reader.section() {
            Ok(Some(section)) => section,
            Ok(None) => break,
            Err(SectionError::Cut(place)) if !processes.is_empty() => {
                warnings
                    .add("cut", || format!("the file ends at byte {place}, inside of a section"));
                break;
            }
            Err(SectionError::Damaged { at, what }) if processes.len() > 1 => {
                warnings.add("damaged", || {
                    format!("the section at byte {at} is damaged, and what is behind it is left out: {what}")
                });
                break;
            }
            Err(error) => return Err(refused(error, format)),
        };
        take(section, &mut processes, warnings);
        let held: usize = processes.iter().map(|process| process.held).sum();
        options.check_memory(held)?;
    }
    for process in &processes {
        ended(process, warnings);
    }
    Ok(processes)
}

fn refused(error: SectionError, format: &'static str) -> ReadError {
    let malformed =
        |place, reason: String| ReadError::Malformed { format, place: At(place), reason };
    match error {
        SectionError::Magic => malformed(0, "it begins otherwise".to_owned()),
        SectionError::Cut(place) => ReadError::Truncated {
            format,
            place: At(place),
            reason: "inside of its first section".to_owned(),
        },
        SectionError::Damaged { at, what } => malformed(at, what.to_owned()),
        SectionError::Io(error) => match error.downcast::<ReadError>() {
            Ok(error) => error,
            Err(error) => crate::input::container::read_error(error, At(0)),
        },
    }
}

fn take(section: Section, processes: &mut Vec<Process>, warnings: &mut Warnings) {
    if let Section::Process(facts) = section {
        processes.push(Process { facts, held: size_of::<Process>(), ..Process::default() });
        return;
    }
    if let Section::Holder { facts, mean } = section {
        let memory = Some(Memory { mean, ..Memory::default() });
        let held = size_of::<Process>();
        processes.push(Process { facts, memory, held, ..Process::default() });
        return;
    }
    let Some(process) = processes.last_mut() else { return };
    let mut is_sound = true;
    match section {
        Section::Process(_) | Section::Holder { .. } => {}
        Section::Steps(steps) => {
            let memory = process.memory.get_or_insert_default();
            // And as many bytes for the contexts that they become.
            process.held += steps.len() * (size_of::<Step>() + 32);
            memory.steps.extend(steps);
        }
        Section::Snapshot(snapshot) => {
            process.held += size_of_val(&snapshot) + snapshot.frame.len();
            process.memory.get_or_insert_default().snapshots.push(snapshot);
        }
        Section::Most(most) => {
            process.held += size_of_val(&most);
            let memory = process.memory.get_or_insert_default();
            memory.most.push((memory.snapshots.len(), most));
        }
        Section::Functions(functions) => {
            for function in functions {
                process.held += 150 + function.name.len() + function.file.len();
                process.functions.insert(function.number, function);
            }
        }
        Section::Thread { number: u32::MAX, id, name } => process.name(id, name),
        Section::Thread { number, id, name } => match process.thread(number) {
            Some(thread) => (thread.id, thread.name) = (id, name),
            None => is_sound = false,
        },
        Section::Events { thread, start, events, length, frame } => {
            is_sound = process.push(thread, Part::Events { start, events, length, frame });
        }
        Section::Gap(gap) => is_sound = process.push(gap.thread, Part::Gap(gap)),
        Section::Anchor(anchor) => {
            process.held += size_of_val(&anchor);
            process.anchors.push(anchor);
        }
        Section::Demoted(demotion) => {
            process.held += size_of_val(&demotion);
            process.demotions.push(demotion);
        }
        Section::Tasks(tasks) => {
            process.held += tasks.iter().map(|(_, name)| 64 + name.len()).sum::<usize>();
            process.tasks.extend(tasks);
        }
        Section::Logged(logged, lost) => {
            process.held += logged.iter().map(|one| 150 + one.values.len()).sum::<usize>();
            process.logged.0.extend(logged);
            process.logged.1 = process.logged.1.saturating_add(lost);
        }
        Section::End { reason, events, sites } => {
            let is_replaced = reason == calltrace::REPLACED;
            process.end = Some(End { is_replaced, events, sites });
        }
        Section::Stacks(stacks) => process.held += process.samples.stacks(stacks),
        Section::Rounds(rounds) => process.held += process.samples.rounds(rounds),
        Section::Seen(seen) => process.held += process.samples.seen(seen),
        Section::Unknown(kind) => warnings.add("newer", || {
            format!("sections of kind {kind}, which this version does not know, are left out")
        }),
    }
    if !is_sound {
        warnings.add("threads", || "threads of impossible numbers are left out".to_owned());
    }
}

/// Tells whether all is there.
fn ended(process: &Process, warnings: &mut Warnings) {
    let pid = process.facts.pid;
    if process.end.as_ref().is_some_and(|end| end.is_replaced) {
        warnings.add("replaced", || {
            format!(
                "process {pid}: another profiler (cProfile, sys.setprofile) took the tracer's place: calls after \
                 that, on that thread, are not in the trace; Python from 3.12 on lets both run"
            )
        });
    }
    let parts = process.threads.iter().flat_map(|thread| &thread.parts);
    let events: u64 = parts
        .map(|part| if let Part::Events { events, .. } = part { *events } else { 0 })
        .fold(0, u64::saturating_add);
    match &process.end {
        None if process.memory.is_some() => warnings.add("process not ended", || {
            format!(
                "process {pid} was ended from outside or by itself at once: its last moments, a twentieth of a \
                 second or a thousandth of its time, are not in the recording, and its end is not known: \
                 leaked is what it held then"
            )
        }),
        None => warnings.add("process not ended", || {
            format!(
                "process {pid} was ended from outside or by itself at once: its last moments, a twentieth of a \
                 second at most, are not in the trace"
            )
        }),
        _ if process.memory.is_some() => {}
        Some(end) if end.events != events => warnings.add("missing", || {
            format!("process {pid} wrote {} events, and the file has {events}", end.events)
        }),
        Some(end) if end.sites > 0 => warnings.add_many("sites", end.sites, || {
            "places that called a function of C which was switched off: calls of other functions of C from there \
             are not counted after that"
                .to_owned()
        }),
        Some(_) => {}
    }
}

/// Adds a process to the profile and gives the last time of it.
fn profile_of(
    process: Process,
    clock: &Clock,
    zero: i64,
    builder: &mut ProfileBuilder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<i64, ReadError> {
    if process.memory.is_some() {
        warnings.add("memory", || "recordings of memory in between are left out".to_owned());
        return Ok(zero);
    }
    let facts = &process.facts;
    if !clock.is_known() && facts.clock != "monotonic" && !process.threads.is_empty() {
        warnings.add("clock", || {
            "the trace is too short to compute the length of a tick: one is taken for a nanosecond"
                .to_owned()
        });
    }
    let (pid, own) = process.tell(builder);
    let after_start = |ticks: u64| clock.nanoseconds(ticks).saturating_sub(zero);
    let functions = Functions::of(&process, after_start, builder);
    let mut tasks = Tasks::new(&process.tasks);
    let mut lost = Lost::default();
    let mut points = SpanPoints::default();
    let mut estimate = Estimate::new(&process, &functions, zero);
    let mut end = 0;
    let mut tracks = HashMap::new();
    let numbered = (0u32..).zip(&process.threads);
    for (number, thread) in numbered.filter(|(_, thread)| !thread.parts.is_empty()) {
        let (id, track) = thread.tell(pid, own, builder);
        tracks.insert(number, track);
        let of_thread = estimate.as_mut().map(|estimate| Estimating::new(estimate, thread.id));
        let mut calls = Calls::new(builder, &mut points, (id, track), facts.cost, of_thread);
        let mut unpacker = Unpacker::default();
        for part in &thread.parts {
            match part {
                Part::Gap(gap) => {
                    unpacker.lost();
                    calls.gap(clock.nanoseconds(gap.first) - zero, gap.events, &mut lost);
                }
                Part::Events { start, events, length, frame } => {
                    let time = |at: u64| {
                        let ticks = start.wrapping_add(at.wrapping_shl(facts.shift));
                        clock.nanoseconds(ticks).saturating_sub(zero)
                    };
                    let done = unpacked(frame, *length).and_then(|bytes| {
                        let give = |event: Event| {
                            let (at, met) = (time(event.at), functions.met(event.function));
                            calls.event(&event, at, &met, &mut lost);
                            tasks.event(&event, at, &met);
                        };
                        unpacker.unpack(&bytes, *events, give).map_err(|error| error.to_string())
                    });
                    if let Err(why) = done {
                        warnings.add("chunk", || {
                            format!("events that are damaged are left out: {why}")
                        });
                        unpacker.lost();
                    }
                    options.check_memory(calls.heap_bytes() + process.held)?;
                }
            }
        }
        end = end.max(calls.finish(&mut lost));
    }
    let self_times_by_path = estimate.map(|estimate| {
        let (self_times_by_path, doubts) = estimate.finish();
        doubts.tell(warnings);
        self_times_by_path
    });
    functions.tell(&process, self_times_by_path.as_deref(), builder, warnings);
    tasks.finish(pid, own, builder);
    logged::marks(&process, &tracks, (clock, zero), builder, warnings);
    lost.tell(warnings);
    builder.origin.comments.extend(lost.correction());
    Ok(end.saturating_add(zero))
}

pub(super) fn unpacked(frame: &[u8], length: u32) -> Result<Vec<u8>, String> {
    let length = length as usize;
    if length > MOST_PAYLOAD {
        return Err(format!("{length} bytes in one chunk"));
    }
    let mut bytes = Vec::with_capacity(length);
    let mut decoder = FrameDecoder::new();
    decoder.decode_all_to_vec(frame, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
