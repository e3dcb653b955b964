//! The format, and its lines one after the other.

use profile::Profile;

use super::reading::ScriptParser;
use super::sniff::sniff;
use crate::input::stream::Stream;
use crate::text::lines::Lines;
use crate::{About, Format, ReadError, ReadOptions, Reader, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "perf-script",
    title: "text of Linux' perf script",
    extensions: &["perf-script", "perf"],
    about: About {
        carries: "every event with its periods, samples, stacks with inlined frames, addresses, \
                  modules, source lines, threads, processors, times, fields of tracepoints, the \
                  header; tracepoints as instants, what ran on each processor between two \
                  sched:sched_switch as spans, wake-ups and migrations as flows; off-CPU time where \
                  its thread left the processor, with the roles blocked and waker, run-queue time \
                  and migrations",
        estimates: "of a thread whose switch to or from a processor was not recorded, a span \
                    without a length that says so; a wake-up goes to where the thread runs next; \
                    without sched:sched_waking the waker is whoever ran where the thread was queued",
        skips: "branch stacks, registers and records other than samples (counted); offsets in \
                functions",
        checked_against: "perf report",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = ScriptParser::default();
    while let Some(line) = lines.next_line()? {
        if line.repaired {
            warnings.add("utf8", || {
                format!("line {} is not UTF-8: bad bytes show as \u{fffd}", line.number)
            });
        }
        reading.line(line, warnings);
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    reading.end_sample();
    reading.skip_name(warnings);
    lines.check_skipped(warnings, &["line", "frame"])?;
    let is_frame = reading.bare == 0 || reading.bare * 2 <= reading.records.len();
    let missing = "event, time, process or stack in most of what could be its samples";
    ReadError::unless(is_frame, FORMAT.name, missing)?;
    let bytes = reading.records.len().saturating_mul(8 * (reading.events.len() + 1));
    options.check_memory(reading.heap_bytes().saturating_add(bytes))?;
    Ok(reading.finish(warnings))
}
