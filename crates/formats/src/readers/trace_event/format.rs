//! Both formats, and which of them a file is.

use super::{read, write};
use crate::json::Kind;
use crate::json::outline::Outline;
use crate::{About, Format, Part, Reader, Sniff, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "trace-event",
    title: "Trace Event JSON (Chromium tracing, VizTracer, py-spy)",
    extensions: &["trace.json"],
    about: About {
        carries: "spans with their times and arguments, also as self times and calls; instants, \
                  counters and flows; processes and threads with their names and order, categories \
                  as labels, asynchronous spans as a metric of their own, samples with their \
                  stacks, source places where tools write them",
        estimates: "a sample lasts until the next one of its thread; an end is of the nearest open \
                    span of its name",
        skips: "objects (counted), arguments that are lists or objects, thread clocks",
        checked_against: "sums by the specification; what is written reads back the same",
    },
    reader: Some(Reader { sniff, read: read::read }),
    folder: None,
    writer: Some(Writer {
        carries: write::CARRIES,
        parts: &[Part { name: "", write: write::write }],
    }),
};

pub(crate) const CHROME: Format = Format {
    name: "chrome-trace",
    title: "Chrome DevTools performance trace",
    extensions: &[],
    about: About {
        carries: "the sampled profile of every thread and worker: times, stacks, scripts, lines, \
                  columns; beside it, as metrics of their own, all that the plain format carries: \
                  tasks and other spans, instants, counters, flows, on the tracks of their \
                  processes and threads",
        estimates: "garbage collection and (program) stand on the stack that ran before, as \
                    Chrome draws them; a sample lasts until the next one; a profile whose clock is \
                    far from that of all events begins with them",
        skips: "screenshots and objects (counted), arguments that are lists or objects inside of \
                others",
        checked_against: "sums by the protocol's definition",
    },
    reader: Some(Reader { sniff: sniff_chrome, read: read::read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if is_trace(head) && !has_profile(head) { Sniff::Yes } else { Sniff::No }
}

fn sniff_chrome(head: &[u8], _: &str) -> Sniff {
    if is_trace(head) && has_profile(head) { Sniff::Yes } else { Sniff::No }
}

fn is_trace(head: &[u8]) -> bool {
    let Some(outline) = Outline::new(head) else { return false };
    match outline.kind {
        Kind::Array => match outline.at(&["0"]) {
            Some(first) if first.kind == Kind::Object => {
                first.at(&["ph"]).is_some()
                    || (first.keys().next().is_none() && contains(head, "\"ph\""))
            }
            _ => false,
        },
        _ => {
            outline.at(&["traceEvents"]).is_some_and(|events| events.kind == Kind::Array)
                || is_event(head)
        }
    }
}

/// Whether an event comes first: one behind the other without a list around them.
pub(super) fn is_event(head: &[u8]) -> bool {
    Outline::new(head).is_some_and(|outline| {
        outline.kind == Kind::Object
            && outline.string(&["ph"]).is_some()
            && ["ts", "name", "pid"].iter().any(|key| outline.at(&[key]).is_some())
    })
}

/// Whether the head shows a sampled profile. One that starts later is found while reading.
fn has_profile(head: &[u8]) -> bool {
    ["\"ProfileChunk\"", "\"CpuProfile\""].into_iter().any(|name| contains(head, name))
        || (contains(head, "\"Profile\"") && contains(head, "v8.cpu_profiler"))
}

fn contains(head: &[u8], text: &str) -> bool {
    memchr::memmem::find(head, text.as_bytes()).is_some()
}
