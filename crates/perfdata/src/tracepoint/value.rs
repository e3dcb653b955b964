//! Values of fields.

use std::borrow::Cow;
use std::fmt;

use super::format::{Field, Kind};
use crate::bytes::{ByteOrder, Bytes};

/// What a field says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number.
    Signed(i64),
    /// A number that is never negative.
    Unsigned(u64),
    /// An address.
    Pointer(u64),
    /// A text.
    Text(Cow<'a, str>),
    /// Several numbers.
    Numbers(Vec<u64>),
}

impl Value<'_> {
    /// The number that it is, if it is one.
    pub fn number(&self) -> Option<i64> {
        match *self {
            Value::Signed(number) => Some(number),
            Value::Unsigned(number) => i64::try_from(number).ok(),
            Value::Pointer(_) | Value::Text(_) | Value::Numbers(_) => None,
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Signed(number) => write!(out, "{number}"),
            Value::Unsigned(number) => write!(out, "{number}"),
            Value::Pointer(number) => write!(out, "0x{number:x}"),
            Value::Text(text) => out.write_str(text),
            Value::Numbers(numbers) => {
                let (mut first, mut rest) = (true, numbers.iter());
                rest.try_for_each(|number| {
                    let between = if std::mem::take(&mut first) { "" } else { ", " };
                    write!(out, "{between}0x{number:x}")
                })
            }
        }
    }
}

/// More numbers of one field are left out.
const MOST_NUMBERS: usize = 64;

pub(super) fn value<'a>(field: &Field, raw: &'a [u8], order: ByteOrder) -> Option<Value<'a>> {
    let bytes = raw.get(field.offset..)?.get(..field.size)?;
    Some(match field.kind {
        Kind::Number => {
            if field.is_signed {
                Value::Signed(signed(bytes, order)?)
            } else {
                Value::Unsigned(unsigned(bytes, order)?)
            }
        }
        Kind::Pointer => Value::Pointer(unsigned(bytes, order)?),
        Kind::Text => text(bytes),
        Kind::Numbers(count) => numbers(bytes, bytes.len() / count, order)?,
        Kind::Elsewhere { is_relative, is_text, element } => {
            let place = Bytes::new(bytes, order).u32()?;
            let (start, length) = ((place & 0xffff) as usize, (place >> 16) as usize);
            let start = start + if is_relative { field.offset + field.size } else { 0 };
            let bytes = raw.get(start..)?.get(..length)?;
            if is_text { text(bytes) } else { numbers(bytes, element, order)? }
        }
    })
}

fn text(bytes: &[u8]) -> Value<'_> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    Value::Text(String::from_utf8_lossy(&bytes[..end]))
}

fn numbers(bytes: &[u8], size: usize, order: ByteOrder) -> Option<Value<'static>> {
    let each = bytes.chunks_exact(size.max(1)).take(MOST_NUMBERS);
    Some(Value::Numbers(each.map(|bytes| unsigned(bytes, order)).collect::<Option<_>>()?))
}

fn unsigned(bytes: &[u8], order: ByteOrder) -> Option<u64> {
    let mut all = Bytes::new(bytes, order);
    match bytes.len() {
        1 => all.u8().map(u64::from),
        2 => all.u16().map(u64::from),
        4 => all.u32().map(u64::from),
        8 => all.u64(),
        _ => None,
    }
}

fn signed(bytes: &[u8], order: ByteOrder) -> Option<i64> {
    let unused = 64 - 8 * bytes.len() as u32;
    Some(unsigned(bytes, order)?.cast_signed() << unused >> unused)
}
