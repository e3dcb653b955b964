//! Values of fields, whatever wire type a writer chose for them.

use std::borrow::Cow;

use crate::wire::Payload;

/// An integer; 0 of what is none.
pub(super) fn number(payload: Payload<'_>) -> u64 {
    match payload {
        Payload::Varint(value) | Payload::Fixed64(value) => value,
        Payload::Fixed32(value) => value.into(),
        Payload::Bytes(_) => 0,
    }
}

/// A number with decimals.
pub(super) fn double(payload: Payload<'_>) -> f64 {
    match payload {
        Payload::Fixed64(bits) => f64::from_bits(bits),
        Payload::Fixed32(bits) => f32::from_bits(bits).into(),
        Payload::Varint(value) => value as i64 as f64,
        Payload::Bytes(_) => f64::NAN,
    }
}

/// A text, with what is not UTF-8 replaced.
pub(super) fn text_of(payload: Payload<'_>) -> Option<Cow<'_, str>> {
    match payload {
        Payload::Bytes(bytes) => Some(String::from_utf8_lossy(bytes)),
        _ => None,
    }
}

/// The bytes of a message; those of what is none are empty.
pub(super) fn message(payload: Payload<'_>) -> &[u8] {
    match payload {
        Payload::Bytes(bytes) => bytes,
        _ => &[],
    }
}

/// Numbers of eight bytes each, packed or not.
pub(super) fn fixed(payload: Payload<'_>, mut each: impl FnMut(u64)) {
    match payload {
        Payload::Bytes(bytes) => {
            bytes.as_chunks::<8>().0.iter().for_each(|chunk| each(u64::from_le_bytes(*chunk)));
        }
        one => each(number(one)),
    }
}
