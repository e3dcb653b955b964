//! `trace.db`: in which context each thread was when.
//!
//! A sample says where its thread is from then on, until the next one; context 0 that it does
//! nothing. Each becomes a point with its time and the time that it lasts.

use std::ops::Range;

use profile::{ContextId, LabelSetId, Point, ProfileBuilder};

use super::bytes::{self, Array, View, malformed};
use super::meta::Meta;
use super::values::Line;
use crate::input::folder;
use crate::input::folder::Folder;
use crate::input::stream::Stream;
use crate::time::thread_tracks::ThreadTracks;
use crate::{ReadError, ReadOptions, Warnings};

/// Metrics of the traces.
pub(super) const TIME: &str = "trace time";
pub(super) const SAMPLES: &str = "trace samples";

/// What is traced.
#[derive(Debug)]
struct Traces {
    lines: Vec<TraceLine>,
    /// The earliest and the latest time, in nanoseconds since 1970.
    time: Range<u64>,
}

#[derive(Debug)]
struct TraceLine {
    profile: u32,
    samples: Range<u64>,
}

/// Bytes of a sample: time, context.
const SAMPLE: u64 = 12;

/// Appends the points of the traces. Their metrics are the last two of the builder.
pub(super) fn read(
    folder: &dyn Folder,
    path: &str,
    meta: &Meta,
    lines: &[Option<Line>],
    builder: &mut ProfileBuilder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let mut traces = match list(folder, path, options, warnings) {
        Ok(traces) => traces,
        // The values are worth showing without them.
        Err(error) if !error.is_limit() && !builder.points.is_empty() => {
            warnings.add("trace.db", || format!("the traces are left out: {error}"));
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    builder.origin.time_ns = i64::try_from(traces.time.start).unwrap_or(i64::MAX);
    builder.origin.clock_ns = builder.origin.time_ns;
    let length = traces.time.end.saturating_sub(traces.time.start);
    builder.origin.duration_ns = i64::try_from(length).unwrap_or(i64::MAX);

    traces.lines.sort_by_key(|line| line.samples.start);
    folder::read_file(folder, path, options, |stream| {
        let row = vec![0; builder.metrics.len()];
        let mut reader = TraceReader { stream, origin: traces.time.start, meta, options, row };
        for trace in traces.lines.iter().filter(|trace| !trace.samples.is_empty()) {
            if !bytes::skip_to(&mut reader.stream, trace.samples.start)? {
                warnings.add("trace", || {
                    format!(
                        "the trace of profile {} is not where trace.db says, or overlaps another",
                        trace.profile
                    )
                });
                continue;
            }
            let line = lines.get(trace.profile as usize).copied().flatten().unwrap_or_else(|| {
                let thread = builder.thread(None, &format!("profile {}", trace.profile));
                Line { thread, labels: LabelSetId::default() }
            });
            reader.read(trace, line, builder, warnings)?;
        }
        Ok(())
    })?;
    // Times start at 0 even where the header names a later beginning.
    if let Some(first) = builder.points.first_time().filter(|&first| first < 0) {
        builder.points.shift_times(first.saturating_neg());
        builder.origin.time_ns = builder.origin.time_ns.saturating_add(first);
        builder.origin.clock_ns = builder.origin.time_ns;
        builder.origin.duration_ns = builder.origin.duration_ns.saturating_sub(first);
    }
    ThreadTracks::make(builder);
    Ok(())
}

fn list(
    folder: &dyn Folder,
    path: &str,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Traces, ReadError> {
    folder::read_file(folder, path, options, |mut stream| {
        let size = bytes::header_size(1);
        let held = stream.peek(size)?.len().min(size);
        let sections = bytes::header(stream.take(held), "trce", 1, warnings)?;
        let section = &sections[0];
        let start = section.start;
        let bytes = bytes::take(&mut stream, section)?.unwrap_or_default();
        let view = View::new(bytes, start);
        let header = || {
            let at = |field: u64| start.checked_add(field);
            let array = Array {
                start: view.u64(start)?,
                count: view.u32(at(0x08)?)?.into(),
                stride: view.u8(at(0x0c)?)?.into(),
            };
            Some((array, view.u64(at(0x10)?)?..view.u64(at(0x18)?)?))
        };
        let header = header();
        let (array, time) = header.ok_or_else(|| malformed(start, "its list is not there"))?;
        let mut lines = vec![];
        for offset in array.at_least(0x18, "traces", start)?.offsets() {
            let record = || {
                let at = |field: u64| offset.checked_add(field);
                let samples = view.u64(at(0x08)?)?..view.u64(at(0x10)?)?;
                Some(TraceLine { profile: view.u32(offset)?, samples })
            };
            let Some(line) = record() else {
                warnings.add("traces", || {
                    format!("the list of traces goes beyond its section at byte {offset}")
                });
                break;
            };
            lines.push(line);
        }
        options.check_memory(lines.capacity() * size_of::<TraceLine>())?;
        Ok(Traces { lines, time })
    })
}

struct TraceReader<'a> {
    stream: Stream<'a>,
    /// Time 0 of the points.
    origin: u64,
    meta: &'a Meta,
    options: &'a ReadOptions,
    /// Values of a point; the last two are those of traces.
    row: Vec<i64>,
}

impl TraceReader<'_> {
    /// Reads the samples of one thread.
    fn read(
        &mut self,
        trace: &TraceLine,
        Line { thread, labels }: Line,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        /// How often memory is looked at.
        const CHECKED: u64 = 1 << 12;
        let count = (trace.samples.end - trace.samples.start) / SAMPLE;
        let mut next = self.next()?;
        for number in 0..count {
            let Some((time, id)) = next else {
                warnings.add("cut trace", || {
                    format!("trace.db ends in the trace of profile {}", trace.profile)
                });
                break;
            };
            next = if number + 1 < count { self.next()? } else { None };
            let until = next.map_or(time, |(until, _)| until);
            if until < time {
                warnings.add("backwards", || {
                    format!("times of the trace of profile {} go backwards", trace.profile)
                });
            }
            if id == 0 {
                continue;
            }
            let row = self.meta.rows.find(id.into());
            if row.is_none() {
                warnings.add("unknown trace context", || {
                    format!("samples in contexts that are not in the tree, such as {id}")
                });
            }
            let context =
                row.map_or(ContextId::ROOT, |row| self.meta.contexts[row as usize].context);
            if let [.., lasts, samples] = &mut self.row[..] {
                *lasts = i64::try_from(until.saturating_sub(time)).unwrap_or(i64::MAX);
                *samples = 1;
            }
            let time = i128::from(time) - i128::from(self.origin);
            let time = Some(time.clamp((i64::MIN + 1).into(), i64::MAX.into()) as i64);
            let point = Point { context, time, thread: Some(thread), labels, ..Point::default() };
            builder.points.push_point(point, &self.row);
            if number % CHECKED == 0 {
                self.options.check_memory(builder.heap_bytes() + self.meta.heap_bytes())?;
            }
        }
        Ok(())
    }

    /// The next sample: its time and context.
    fn next(&mut self) -> Result<Option<(u64, u32)>, ReadError> {
        let view = View::new(self.stream.peek(SAMPLE as usize)?, 0);
        let sample = view.u64(0).zip(view.u32(8));
        if sample.is_some() {
            self.stream.consume(SAMPLE as usize);
        }
        Ok(sample)
    }
}
