//! The format, and how its files are known.

use super::{read, write};
use crate::wire::Fields;
use crate::{About, Carries, Feature, Format, Part, Reader, Sniff, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "otlp",
    title: "OpenTelemetry profiles (OTLP v1development, protobuf)",
    extensions: &["otlp", "otlp.pb"],
    about: About {
        carries: "every profile's sample type as a metric, stacks with inlined frames, modules \
                  with build ids, times, threads, processes, attributes of samples and resources \
                  as labels, links to spans as labels",
        skips: "attributes of locations, embedded original payloads (counted)",
        checked_against: "what the classes of opentelemetry-proto decode",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read: read::read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Nanoseconds,
                Feature::Decimals,
                Feature::Stackless,
                Feature::Negatives,
                Feature::Metrics,
                Feature::Labels,
                Feature::Times,
                Feature::Threads,
                Feature::Processors,
                Feature::Modules,
                Feature::Addresses,
                Feature::CallPaths,
                Feature::Units,
                Feature::Files,
                Feature::Lines,
                Feature::Columns,
                Feature::Starts,
                Feature::Separators,
                Feature::Inlining,
                Feature::LinkerNames,
            ],
            as_labels: &[Feature::Members],
            besides: Carries::nothing,
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};

/// The attributes that OpenTelemetry's conventions name for where a sample was taken.
pub(super) const THREAD_ID: &str = "thread.id";

pub(super) const THREAD_NAME: &str = "thread.name";

pub(super) const PROCESS_ID: &str = "process.pid";

pub(super) const PROCESS_NAME: &str = "process.executable.name";

pub(super) const CPU: &str = "cpu.logical_number";

pub(super) const BUILD_ID: &str = "process.executable.build_id.gnu";

/// The first fields, as far as they are visible: messages in messages, where pprof has integers.
fn sniff(head: &[u8], _: &str) -> Sniff {
    let mut walk = Visible { bytes: head };
    let known = match walk.next() {
        Some((1, resource)) => is_resource_profiles(resource),
        Some((2, dictionary)) => {
            let mut tables = Visible { bytes: dictionary };
            let mut seen = [false; 8];
            while let Some((table @ 1..=7, _)) = tables.next() {
                seen[table as usize] = true;
            }
            // A pprof sample has no more than three fields.
            seen[4..].iter().any(|&seen| seen)
        }
        _ => false,
    };
    if known { Sniff::Yes } else { Sniff::No }
}

/// `resource`, then `scope_profiles` that begin with a scope or a profile.
fn is_resource_profiles(bytes: &[u8]) -> bool {
    let mut walk = Visible { bytes };
    let mut field = walk.next();
    if let Some((1, resource)) = field {
        // A resource holds attributes: messages.
        let mut inner = Fields::new(resource);
        if inner.next().is_err() {
            return false;
        }
        field = walk.next();
    }
    match field {
        Some((2, scope)) => matches!(Visible { bytes: scope }.next(), Some((1 | 2, _))),
        _ => false,
    }
}

/// Length-delimited fields of a message whose end may not be visible.
struct Visible<'a> {
    bytes: &'a [u8],
}

impl<'a> Visible<'a> {
    fn next(&mut self) -> Option<(u64, &'a [u8])> {
        let mut position = 0;
        let tag = crate::wire::varint(self.bytes, &mut position)?;
        if tag & 7 != 2 {
            return None;
        }
        let len = usize::try_from(crate::wire::varint(self.bytes, &mut position)?).ok()?;
        let rest = &self.bytes[position..];
        let inner = &rest[..len.min(rest.len())];
        self.bytes = &rest[inner.len()..];
        Some((tag >> 3, inner))
    }
}
