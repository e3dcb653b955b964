//! The file, message by message, and what is wrong with it.

use profile::Profile;

use super::raw::RawProfile;
use crate::input::stream::Stream;
use crate::readers::pprof::stacks::Overlong;
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
    let mut unchecked = 0;
    loop {
        let place = stream.place();
        let Some((field, wire, start, len)) = next_field(&mut stream, NAME)? else { break };
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
    options.check_memory(raw.heap_bytes())?;
    raw.join(stream.place(), warnings)
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

impl From<Overlong> for Fault {
    fn from(Overlong: Overlong) -> Self {
        let reason = "one of the last samples has a location id of more than ten bytes".to_owned();
        Fault::At { offset: 0, reason }
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
