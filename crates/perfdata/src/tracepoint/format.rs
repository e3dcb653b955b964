//! The format of a tracepoint, as `events/SYSTEM/NAME/format` of tracefs prints it.
//!
//! ```text
//! name: sched_wakeup
//! ID: 318
//! format:
//!         field:char comm[16];    offset:8;       size:16;        signed:0;
//!
//! print fmt: "comm=%s pid=%d", REC->comm, REC->pid
//! ```

use super::Names;
use super::value::{Value, value};
use crate::bytes::ByteOrder;

/// The format of a tracepoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Format {
    /// Such as `sched`.
    pub system: String,
    /// Such as `sched_switch`.
    pub name: String,
    /// Its number: the `config` of its events.
    pub id: u64,
    /// What it tells, without what all tracepoints tell.
    pub fields: Vec<Field>,
}

/// A field of a tracepoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// From the start of the raw bytes.
    pub(super) offset: usize,
    pub(super) size: usize,
    pub(super) is_signed: bool,
    pub(super) kind: Kind,
    /// What its numbers mean, where the format tells.
    pub names: Option<Names>,
}

/// How the bytes of a field are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    #[default]
    Number,
    /// An address or a mask, which people read in hexadecimal.
    Pointer,
    /// Text up to a NUL.
    Text,
    /// So many numbers.
    Numbers(usize),
    /// Where the bytes are, and how many: from the start of the raw bytes, or from behind this.
    Elsewhere { is_relative: bool, is_text: bool, element: usize },
}

impl Format {
    /// The format that a text tells; none if it has no name or number.
    pub fn parse(system: &str, text: &str) -> Option<Format> {
        let mut format = Format { system: system.to_owned(), ..Format::default() };
        let mut id = None;
        let mut print = "";
        for line in text.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("name:") {
                format.name = name.trim().to_owned();
            } else if let Some(number) = line.strip_prefix("ID:") {
                id = number.trim().parse().ok();
            } else if line.starts_with("field:") {
                format.fields.extend(Field::parse(line));
            } else if let Some(rest) = line.strip_prefix("print fmt:") {
                print = rest;
            }
        }
        format.id = id?;
        for (field, names) in Names::all(print) {
            let named = format.fields.iter_mut().find(|known| known.name == field);
            if let Some(named) = named {
                named.names.get_or_insert(names);
            }
        }
        (!format.name.is_empty()).then_some(format)
    }

    /// Its name with the system before it.
    pub fn full_name(&self) -> String {
        format!("{}:{}", self.system, self.name)
    }

    /// A field.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl Field {
    fn parse(line: &str) -> Option<Field> {
        let mut parts = line.split(';').map(str::trim);
        let declaration = parts.next()?.strip_prefix("field:")?;
        let mut field = Field::default();
        for part in parts {
            match part.split_once(':') {
                Some(("offset", number)) => field.offset = number.parse().ok()?,
                Some(("size", number)) => field.size = number.parse().ok()?,
                Some(("signed", number)) => field.is_signed = number != "0",
                _ => {}
            }
        }
        let is_elsewhere = declaration.starts_with("__data_loc");
        let is_relative = declaration.starts_with("__rel_loc");
        // `char comm[16]`, `__data_loc char[] name`, `unsigned long args[6]`
        let (kind, name) = declaration.rsplit_once([' ', '\t', '*'])?;
        let (name, length) = match name.split_once('[') {
            Some((name, length)) => (name, length.trim_end_matches(']').parse::<usize>().ok()),
            None => (name, None),
        };
        let is_array = declaration.contains('[');
        let words = kind.trim_start_matches("__data_loc").trim_start_matches("__rel_loc").trim();
        let element = words.trim_end_matches("[]").trim();
        let is_text = matches!(element, "char" | "const char");
        field.name = name.to_owned();
        field.kind = if is_elsewhere || is_relative {
            let element = size_of_kind(element);
            Kind::Elsewhere { is_relative, is_text, element }
        } else if is_array && is_text {
            Kind::Text
        } else if is_array {
            Kind::Numbers(length.unwrap_or(0).max(1))
        } else if declaration.contains('*') {
            Kind::Pointer
        } else {
            Kind::Number
        };
        (!field.name.starts_with("common_")).then_some(field)
    }

    /// What the field says in the raw bytes of a sample; none if they end before it.
    pub fn value<'a>(&self, raw: &'a [u8], order: ByteOrder) -> Option<Value<'a>> {
        value(self, raw, order)
    }
}

/// Bytes of a number of this type, as C has it on 64-bit machines.
fn size_of_kind(kind: &str) -> usize {
    match kind {
        kind if kind.contains("64") || kind.contains("long") || kind.contains('*') => 8,
        kind if kind.contains("16") || kind.contains("short") => 2,
        kind if kind.contains("u8") || kind.contains("s8") || kind.contains("char") => 1,
        _ => 4,
    }
}
