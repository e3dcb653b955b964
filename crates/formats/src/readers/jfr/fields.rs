//! What events tell besides, as labels.

use profile::{Label, LabelSetId, LabelValue, StringId};

use super::chunk::Chunk;
use super::classes::{Class, Classes, Field, Value};
use super::format::JfrParser;
use super::names;
use super::pools::Pool;

/// A field of a type of events, and the slot that has its value.
pub(super) struct Argument {
    key: String,
    form: Form,
    pub(super) slot: u8,
}

/// What a value is.
#[derive(Debug, Clone, Copy)]
enum Form {
    Number(&'static str),
    /// So many nanoseconds each.
    Time(i64),
    Ticks,
    Address,
    /// Of so many bits, without a sign.
    Unsigned(u32),
    Truth,
    Text,
    Constant(Pool),
}

/// More fields of a type are left out.
pub(super) const MOST_ARGUMENTS: usize = 48;

/// Fields that are told otherwise.
const TOLD: [&str; 5] = ["startTime", "duration", "eventThread", "sampledThread", "stackTrace"];

impl Argument {
    /// Those of a type, without their slots.
    pub(super) fn all(class: &Class, classes: &Classes) -> Vec<Argument> {
        let fields = class.fields.iter().filter(|field| !TOLD.contains(&&*field.name));
        let arguments = fields.filter_map(|field| {
            let form = Form::new(field, classes)?;
            Some(Argument { key: field.name.clone(), form, slot: 0 })
        });
        arguments.take(MOST_ARGUMENTS).collect()
    }

    /// Its name in the file.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    fn value(
        &self,
        value: Value,
        chunk: &Chunk<'_>,
        reading: &mut JfrParser,
    ) -> Option<LabelValue> {
        let strings = &mut reading.builder.strings;
        let number = |number: i64, unit: &str, strings: &mut profile::StringsBuilder| {
            Some(LabelValue::Number(number, strings.intern(unit)))
        };
        let text = match (self.form, value) {
            (_, Value::None | Value::End) => return None,
            (Form::Truth, Value::Int(truth)) => {
                if truth == 0 { "false" } else { "true" }.to_owned()
            }
            (Form::Number(unit), Value::Int(int)) => return number(int, unit, strings),
            (Form::Time(size), Value::Int(int)) => {
                return number(int.saturating_mul(size), "nanoseconds", strings);
            }
            (Form::Ticks, Value::Int(int)) => {
                return number(chunk.header.nanoseconds(int), "nanoseconds", strings);
            }
            (Form::Address, Value::Int(int)) => format!("{int:#x}"),
            (Form::Unsigned(bits), Value::Int(int)) => {
                let unsigned = int as u64 & (u64::MAX >> (64 - bits));
                match i64::try_from(unsigned) {
                    Ok(int) => return number(int, "", strings),
                    Err(_) => unsigned.to_string(),
                }
            }
            (Form::Constant(Pool::Thread), Value::Reference(key)) => {
                let [os_name, _, name, _] = *chunk.pools.get(Pool::Thread, key)?;
                match chunk.pools.text(chunk.cursor, name) {
                    name if name.is_empty() => chunk.pools.text(chunk.cursor, os_name).into_owned(),
                    name => name.into_owned(),
                }
            }
            (Form::Constant(Pool::Class), value) => {
                names::class(&chunk.pools.name(chunk.cursor, Pool::Class, value))
            }
            (Form::Constant(pool), value) => {
                chunk.pools.name(chunk.cursor, pool, value).into_owned()
            }
            // The shortest text that means the number, of 32 bits where it is one of them.
            (_, Value::Float(float)) => match float as f32 {
                narrow if f64::from(narrow) == float => narrow.to_string(),
                _ => float.to_string(),
            },
            (_, value) => chunk.pools.text(chunk.cursor, value).into_owned(),
        };
        (!text.is_empty()).then(|| LabelValue::Text(reading.builder.strings.intern(&text)))
    }
}

impl Form {
    /// Of arrays, instants and what is made of several values there is none.
    fn new(field: &Field, classes: &Classes) -> Option<Form> {
        if field.array {
            return None;
        }
        if field.pooled {
            let pool = Pool::of_class(field.class, classes)?;
            let is_name = !matches!(pool, Pool::Trace | Pool::Method | Pool::Package);
            return is_name.then_some(Form::Constant(pool));
        }
        let note = |name: &str| classes.note(field, name);
        Some(match classes.by_id.get(&field.class)?.name.as_str() {
            "boolean" => Form::Truth,
            "java.lang.String" => Form::Text,
            "float" | "double" => Form::Number(""),
            number @ ("byte" | "char" | "short" | "int" | "long") => match note("jdk.jfr.Timespan")
            {
                Some("TICKS") => Form::Ticks,
                Some("NANOSECONDS") => Form::Time(1),
                Some("MICROSECONDS") => Form::Time(1_000),
                Some("MILLISECONDS") => Form::Time(1_000_000),
                Some("SECONDS") => Form::Time(1_000_000_000),
                Some(_) => return None,
                None if note("jdk.jfr.Timestamp").is_some() => return None,
                None if note("jdk.jfr.MemoryAddress").is_some() => Form::Address,
                None => match note("jdk.jfr.DataAmount") {
                    Some("BITS") => Form::Number("bits"),
                    Some(_) => Form::Number("bytes"),
                    None if note("jdk.jfr.Unsigned").is_some() => Form::Unsigned(match number {
                        "byte" => 8,
                        "char" | "short" => 16,
                        "int" => 32,
                        _ => 64,
                    }),
                    None => Form::Number(""),
                },
            },
            _ => return None,
        })
    }
}

impl JfrParser {
    /// What an event tells besides.
    pub(super) fn arguments(
        &mut self,
        arguments: &[Argument],
        values: &[Value],
        chunk: &Chunk<'_>,
    ) -> LabelSetId {
        let mut labels: Vec<Label> = vec![];
        for argument in arguments {
            let value = values.get(usize::from(argument.slot)).copied().unwrap_or_default();
            if let Some(value) = argument.value(value, chunk, self) {
                let key: StringId = self.builder.strings.intern(&argument.key);
                labels.push(Label { key, value });
            }
        }
        self.builder.labels.add(&labels)
    }
}
