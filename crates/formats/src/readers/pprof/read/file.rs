//! The file, message by message, and what is wrong with it.

use profile::Profile;

use super::raw::RawProfile;
use crate::input::stream::Stream;
use crate::readers::pprof::stack_worker::{OverlongId, Stopped};
use crate::wire::{WireError, next_field, varint};
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(super) const NAME: &str = "pprof";

/// Bytes of the file between two looks at the memory in use.
const BYTES_BETWEEN_CHECKS: usize = 64 << 10;

pub(in crate::readers::pprof) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut raw = RawProfile::new();
    let read = read_messages(&mut stream, options, warnings, &mut raw);
    let contexts = std::mem::take(&mut raw.stacks).finish();
    // Of two faults the first in the file counts: stacks stand before what the reader has reached.
    let contexts = contexts.map_err(OverlongId::into_error)?;
    read?;
    // What was looked up late is counted here: a limit decides alike, however fast the thread was.
    options.check_memory(raw.heap_bytes() + contexts.heap_bytes())?;
    raw.join(*contexts, stream.place(), warnings)
}

fn read_messages(
    stream: &mut Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
    raw: &mut RawProfile,
) -> Result<(), ReadError> {
    let mut unchecked = 0;
    loop {
        let place = stream.place();
        let Some((field, wire, start, len)) = next_field(stream, NAME)? else { return Ok(()) };
        let total = start + len;
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            return Err(ReadError::Truncated {
                format: NAME,
                place: Place(place.0 + bytes.len() as u64),
                reason: format!(
                    "{} bytes of field {field} at {place} are missing",
                    total - bytes.len()
                ),
            });
        }
        let payload = &bytes[start..total];
        let result = match wire {
            0 => raw.integer(field, varint(payload, &mut 0).unwrap_or_default(), place),
            2 => raw.message(field, payload, Place(place.0 + start as u64), warnings),
            _ => Ok(()),
        };
        result.map_err(|fault| fault.into_error(Place(place.0 + start as u64)))?;
        stream.consume(total);
        unchecked += total;
        if unchecked >= BYTES_BETWEEN_CHECKS {
            unchecked = 0;
            options.check_memory(raw.heap_bytes())?;
        }
    }
}

/// What is wrong inside a field.
pub(super) enum Fault {
    Wire(WireError),
    At { offset: usize, reason: String },
}

impl From<WireError> for Fault {
    fn from(error: WireError) -> Self {
        Fault::Wire(error)
    }
}

impl From<Stopped> for Fault {
    fn from(Stopped: Stopped) -> Self {
        // The worker says why.
        Fault::At { offset: 0, reason: String::new() }
    }
}

impl OverlongId {
    fn into_error(self) -> ReadError {
        let reason = "a sample has a location id of more than ten bytes".to_owned();
        ReadError::Malformed { format: NAME, place: self.sample, reason }
    }
}

impl Fault {
    pub(super) fn into_error(self, start: Place) -> ReadError {
        let (offset, reason) = match self {
            Fault::Wire(error) => (error.offset, error.reason.to_owned()),
            Fault::At { offset, reason } => (offset, reason),
        };
        ReadError::Malformed { format: NAME, place: Place(start.0 + offset as u64), reason }
    }
}
