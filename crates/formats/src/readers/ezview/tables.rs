//! The tables as they stand in the file.

use hashbrown::HashMap;

use crate::wire::{Fields, Payload, WireError};

/// The tables as they stand in the file.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) metrics: Vec<RawMetric>,
    pub(super) samples: Vec<RawSample>,
    /// Values of all samples, one after the other.
    pub(super) values: Vec<Value>,
    pub(super) contexts: HashMap<u64, RawContext>,
    pub(super) locations: HashMap<u64, Vec<(u64, u64)>>,
    pub(super) functions: HashMap<u64, RawFunction>,
    pub(super) files: HashMap<u64, (u64, u64)>,
    strings: Vec<String>,
    pub(super) unknown: u64,
    pub(super) bytes: usize,
}

#[derive(Default)]
pub(super) struct RawMetric {
    pub(super) unit: u64,
    pub(super) name: u64,
}

pub(super) struct RawSample {
    pub(super) context: u64,
    /// Where its values start and end.
    pub(super) values: (usize, usize),
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Value {
    pub(super) number: i64,
    /// A string, or 0.
    pub(super) text: u64,
}

#[derive(Default)]
pub(super) struct RawContext {
    pub(super) location: u64,
    pub(super) parent: u64,
}

#[derive(Default)]
pub(super) struct RawFunction {
    pub(super) name: u64,
    pub(super) file: u64,
    pub(super) start_line: u64,
}

impl Tables {
    pub(super) fn message(&mut self, field: u64, bytes: &[u8]) -> Result<(), WireError> {
        self.bytes += 48 + bytes.len();
        match field {
            1 => {
                let [_, unit, name, ..] = self.numbers(bytes)?;
                self.metrics.push(RawMetric { unit, name });
            }
            2 => self.sample(bytes)?,
            3 => {
                let [id, location, parent, ..] = self.numbers(bytes)?;
                self.contexts.insert(id, RawContext { location, parent });
            }
            4 => {
                let (mut id, mut lines) = (0, vec![]);
                let mut walk = Fields::new(bytes);
                while let Some((field, payload)) = walk.next()? {
                    match (field, payload) {
                        (1, Payload::Varint(number)) => id = number,
                        (2, Payload::Bytes(line)) => {
                            let [function, line, ..] = self.numbers(line)?;
                            lines.push((function, line));
                        }
                        _ => self.unknown += 1,
                    }
                }
                self.locations.insert(id, lines);
            }
            5 => {
                let [id, name, _, file, start_line] = self.numbers(bytes)?;
                self.functions.insert(id, RawFunction { name, file, start_line });
            }
            6 => {
                let [id, name, path, ..] = self.numbers(bytes)?;
                self.files.insert(id, (name, path));
            }
            7 => self.strings.push(String::from_utf8_lossy(bytes).into_owned()),
            _ => self.unknown += 1,
        }
        Ok(())
    }

    fn sample(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let start = self.values.len();
        let mut context = 0;
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (1, Payload::Varint(id)) => context = id,
                (2, Payload::Bytes(metric)) => {
                    let [int, unsigned, text, ..] = self.numbers(metric)?;
                    let unsigned = i64::try_from(unsigned).unwrap_or(i64::MAX);
                    let number = if int == 0 { unsigned } else { int as i64 };
                    self.values.push(Value { number, text });
                    self.bytes += size_of::<Value>();
                }
                _ => self.unknown += 1,
            }
        }
        self.samples.push(RawSample { context, values: (start, self.values.len()) });
        Ok(())
    }

    /// The integers in fields 1 to 5 of a message.
    fn numbers(&mut self, bytes: &[u8]) -> Result<[u64; 5], WireError> {
        let mut numbers = [0; 5];
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (numbers.get_mut(field as usize - 1), payload) {
                (Some(number), Payload::Varint(value)) => *number = value,
                // The children of a context; its parent says the same.
                (Some(_), Payload::Bytes(_)) => {}
                _ => self.unknown += 1,
            }
        }
        Ok(numbers)
    }

    pub(super) fn text(&self, index: u64) -> &str {
        let text = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        text.map_or("", |text| text.trim())
    }
}
