//! The format: a file, or the files of a folder.

use std::io::Read;

use perfdata::{Parts, is_recording};
use profile::Profile;

use super::reading::PerfParser;
use crate::input::stream::Stream;
use crate::{
    About, Folder, FolderFile, FolderReader, Format, Place, ReadError, ReadOptions, Reader, Sniff,
    Warnings,
};

pub(crate) const FORMAT: Format = Format {
    name: "perf-data",
    title: "Linux' perf record (perf.data)",
    extensions: &["perf.data"],
    about: About {
        carries: "every event with its periods or, of groups that are read together (`:S`), the \
                  differences of its counters; samples, stacks by frame pointers and by the \
                  processor's branch records, modules with build ids, addresses, threads, \
                  processes, processors, times, costs and levels of memory accesses, control \
                  groups; branches as a metric with the roles from and to; tracepoints as instants \
                  with their fields, what ran on each processor as spans, wake-ups and migrations as \
                  flows; off-CPU time where its thread left the processor, with the roles blocked \
                  and waker, run-queue time and migrations; \
                  counters of `perf stat record`, each reading with the time since the one before; \
                  the machine, what its processors share, and the command",
        estimates: "of a thread whose switch to or from a processor was not recorded, a span \
                    without a length that says so; what still runs when the recording ends runs \
                    until its last record; a wake-up goes to where the thread runs next; \
                    records of switches have no stacks, so that without sched:sched_switch \
                    off-CPU time is at the thread's name; without sched:sched_waking the waker is \
                    whoever ran where the thread was queued",
        skips: "names of functions where the binaries are not at hand; stacks that were copied for \
                unwinding, then (counted); how long threads were away whose coming back was not \
                recorded (counted); times on and off processors where switches were sampled, or \
                some records were lost (said); what counters had while they were not counted \
                (counted); data of trace units (Intel PT, counted); physical \
                addresses and registers",
        checked_against: "perf script and perf report",
    },
    reader: Some(Reader { sniff, read }),
    folder: Some(FolderReader {
        sniff: sniff_folder,
        read: read_folder,
        is_part: |_| false,
        siblings: |_| vec![],
    }),
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if is_recording(head) { Sniff::Yes } else { Sniff::No }
}

/// `data`, `data.0`, `data.1`, ...
fn sniff_folder(files: &[FolderFile]) -> Sniff {
    let has = |name: &str| files.iter().any(|file| file.path == name);
    if has("data") && has("data.0") { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let parts = Parts::open(Box::new(stream) as Box<dyn Read>, vec![]).map_err(error)?;
    let (profile, is_spread) = read_parts(parts, options, warnings)?;
    if is_spread {
        warnings.add("folder", || {
            "this is the first file of a folder: the samples are in data.0, data.1, ...; open the \
             folder"
                .to_owned()
        });
    }
    Ok(profile)
}

fn read_folder(
    folder: &dyn Folder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let open = |name: &str| -> Result<Box<dyn Read>, ReadError> {
        let bytes = folder.open(name).map_err(ReadError::Io)?;
        Ok(Box::new(Stream::new(bytes, options.max_size).within(options)))
    };
    let names = (0..).map(|number| format!("data.{number}"));
    let is_there = |name: &String| folder.files().iter().any(|file| file.path == *name);
    let others = names.take_while(is_there).map(|name| open(&name)).collect::<Result<_, _>>()?;
    let parts = Parts::open(open("data")?, others).map_err(error)?;
    Ok(read_parts(parts, options, warnings)?.0)
}

/// The profile, and whether the header says that the records are elsewhere.
fn read_parts(
    mut parts: Parts<Box<dyn Read + '_>>,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(Profile, bool), ReadError> {
    let mut reading = PerfParser::new(options);
    let mut count = 0u64;
    while let Some(taken) =
        parts.next_to(|head, record| reading.record(head, &record)).map_err(error)?
    {
        taken?;
        count += 1;
        if count.is_multiple_of(1024) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    options.check_memory(reading.heap_bytes())?;
    let head = parts.into_head();
    let is_spread = head.features.is_directory;
    Ok((reading.finish(&head, options, warnings)?, is_spread))
}

fn error(error: perfdata::Error) -> ReadError {
    match error {
        perfdata::Error::Io(error) => match error.downcast::<ReadError>() {
            Ok(error) => error,
            Err(error) => ReadError::Io(error),
        },
        perfdata::Error::Malformed { offset, reason } => {
            ReadError::Malformed { format: FORMAT.name, place: Place(offset), reason }
        }
        perfdata::Error::Unsupported { found, instead } => {
            ReadError::Unsupported { found: found.to_owned(), instead }
        }
    }
}
