//! The file, message by message.

use profile::Profile;

use super::raw::Raw;
use crate::input::stream::Stream;
use crate::readers::otlp::FORMAT;
use crate::readers::otlp::schema::data;
use crate::wire::next_field;
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(in crate::readers::otlp) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut raw = Raw::default();
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
        let payload = &bytes[start..total];
        let result = match (field, wire) {
            (data::RESOURCE_PROFILES, 2) => raw.resource_profiles(payload),
            (data::DICTIONARY, 2) => raw.dictionary(payload),
            _ => {
                raw.skipped.fields += 1;
                Ok(())
            }
        };
        result.map_err(|error| ReadError::Malformed {
            format: FORMAT.name,
            place: Place(place.0 + (start + error.offset) as u64),
            reason: error.reason.to_owned(),
        })?;
        stream.consume(total);
        options.check_memory(raw.bytes)?;
    }
    raw.join(stream.place(), options, warnings)
}
