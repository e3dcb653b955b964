//! The format, and the fields of its messages.

use profile::Profile;

use super::join::Joined;
use super::tables::Tables;
use crate::input::stream::Stream;
use crate::wire::{Fields, Payload, WireError, next_field};
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "ezview",
    title: "EasyView and DrCCTProf",
    extensions: &["ezview", "drcctprof"],
    about: About {
        carries: "every metric, call paths with files and lines, threads, and the contexts that a \
                  record relates, each with its role",
        skips: "records that repeat another one for one of its roles (counted)",
        checked_against: "sums and paths of an independent script",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// What its messages hold and pprof's do not: several values a sample, types of metrics with three
/// texts, contexts with lists of children, locations with a message in the second field, a table
/// of texts in field 7. Where there are samples with one value only, whose bytes mean something in
/// either, many of them tell.
pub(crate) fn sniff(head: &[u8], _: &str) -> Sniff {
    let mut walk = Fields::new(head);
    /// Samples with one context and one message each, which pprof's would be by chance.
    const ENOUGH: usize = 16;
    let (mut is_own, mut samples) = (false, 0);
    let has_message = |bytes: &[u8], wanted: u64| {
        let mut inner = Fields::new(bytes);
        let mut found = false;
        while let Ok(Some((field, payload))) = inner.next() {
            found |= field == wanted && matches!(payload, Payload::Bytes(_));
        }
        found
    };
    while let Ok(Some((field, payload))) = walk.next() {
        let Payload::Bytes(bytes) = payload else { return Sniff::No };
        match field {
            2 => match sample_values(bytes) {
                Some(values) => {
                    is_own |= values > 1;
                    samples += usize::from(values == 1);
                }
                None => return Sniff::No,
            },
            1 => match metric_fields(bytes) {
                Some(fields) => is_own |= fields >= 3,
                None => return Sniff::No,
            },
            3 => is_own |= has_message(bytes, 4),
            4 => is_own |= has_message(bytes, 2),
            7 => is_own = true,
            5 | 6 => {}
            _ => return Sniff::No,
        }
    }
    if is_own || samples >= ENOUGH { Sniff::Yes } else { Sniff::No }
}

/// The highest field of a type of metrics; none if it is no such type, which has small numbers of
/// integers alone.
fn metric_fields(bytes: &[u8]) -> Option<u64> {
    let mut walk = Fields::new(bytes);
    let mut highest = 0;
    while let Some((field, payload)) = walk.next().ok()? {
        if field > 5 || !matches!(payload, Payload::Varint(_)) {
            return None;
        }
        highest = highest.max(field);
    }
    Some(highest)
}

/// How many metrics a sample has; none if it is not a sample of this format.
fn sample_values(bytes: &[u8]) -> Option<usize> {
    let mut walk = Fields::new(bytes);
    let (mut contexts, mut values) = (0, 0);
    while let Some((field, payload)) = walk.next().ok()? {
        match (field, payload) {
            (1, Payload::Varint(_)) => contexts += 1,
            (2, Payload::Bytes(value)) => {
                let mut inner = Fields::new(value);
                while let Some((field, _)) = inner.next().ok()? {
                    if field > 3 {
                        return None;
                    }
                }
                values += 1;
            }
            _ => return None,
        }
    }
    (contexts == 1).then_some(values)
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut tables = Tables::default();
    loop {
        let place = stream.place();
        let Some((field, wire, start, len)) = next_field(&mut stream, FORMAT.name)? else { break };
        let total = start + len;
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            return Err(ReadError::Truncated {
                format: FORMAT.name,
                place: Place(place.0 + bytes.len() as u64),
                reason: format!("in field {field} at {place}"),
            });
        }
        if wire == 2 {
            tables.message(field, &bytes[start..total]).map_err(|error: WireError| {
                ReadError::Malformed {
                    format: FORMAT.name,
                    place: Place(place.0 + (start + error.offset) as u64),
                    reason: error.reason.to_owned(),
                }
            })?;
        } else {
            tables.unknown += 1;
        }
        stream.consume(total);
        options.check_memory(tables.bytes)?;
    }
    Ok(Joined::new(tables, warnings).finish(warnings))
}
