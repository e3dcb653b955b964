//! Values of attributes.

use super::raw::{Text, Value};
use crate::readers::otlp::schema::any_value;
use crate::wire::{Fields, Payload, WireError};

pub(super) fn any_value_of(bytes: &[u8]) -> Result<Value, WireError> {
    let mut found = Value::Empty;
    let mut walk = Fields::new(bytes);
    while let Some((field, payload)) = walk.next()? {
        found = match (field, payload) {
            (any_value::STRING, Payload::Bytes(text)) => Value::Text(Text::Own(lossy(text))),
            (any_value::STRING_INDEX, Payload::Varint(index)) => Value::Text(Text::Index(index)),
            (any_value::BOOL, Payload::Varint(value)) => {
                Value::Text(Text::Own((value != 0).to_string()))
            }
            (any_value::INT, Payload::Varint(value)) => Value::Number(value as i64),
            (any_value::DOUBLE, Payload::Fixed64(bits)) => {
                Value::Text(Text::Own(f64::from_bits(bits).to_string()))
            }
            (any_value::BYTES, Payload::Bytes(bytes)) => Value::Text(Text::Own(hexadecimal(bytes))),
            _ => Value::Text(Text::Own("(nested value)".to_owned())),
        };
    }
    Ok(found)
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
