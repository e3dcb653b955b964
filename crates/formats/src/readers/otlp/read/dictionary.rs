//! The dictionary: tables that samples of all profiles point into.

use super::raw::{Attribute, Raw, RawLocation, Text};
use super::value::{any_value_of, hexadecimal, lossy};
use crate::readers::otlp::schema::{
    attribute, dictionary, function, line, link, location, mapping, stack,
};
use crate::wire::{Fields, Payload, WireError, repeated};

impl Raw {
    pub(super) fn dictionary(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        self.tables.is_there = true;
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let Payload::Bytes(bytes) = payload else {
                self.skipped.fields += 1;
                continue;
            };
            self.bytes += bytes.len() + 24;
            match field {
                dictionary::STRING => self.tables.strings.push(lossy(bytes)),
                dictionary::MAPPING => self.mapping(bytes)?,
                dictionary::LOCATION => self.location(bytes)?,
                dictionary::FUNCTION => {
                    let numbers = [
                        function::NAME,
                        function::SYSTEM_NAME,
                        function::FILENAME,
                        function::START_LINE,
                    ];
                    let row = self.integers(bytes, numbers)?;
                    self.tables.functions.push(row);
                }
                dictionary::LINK => {
                    let (mut trace, mut span) = (String::new(), String::new());
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        match (field, payload) {
                            (link::TRACE_ID, Payload::Bytes(id)) => trace = hexadecimal(id),
                            (link::SPAN_ID, Payload::Bytes(id)) => span = hexadecimal(id),
                            _ => self.skipped.fields += 1,
                        }
                    }
                    self.tables.links.push((trace, span));
                }
                dictionary::ATTRIBUTE => {
                    let attribute = self.attribute(bytes)?;
                    self.tables.attribute_table.push(attribute);
                }
                dictionary::STACK => {
                    let before = self.tables.stacks.locations.len();
                    let locations = &mut self.tables.stacks.locations;
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        match field {
                            stack::LOCATION_INDICES => {
                                repeated(payload, |index| locations.push(index))?;
                            }
                            _ => self.skipped.fields += 1,
                        }
                    }
                    self.bytes += (self.tables.stacks.locations.len() - before) * 8;
                    self.tables.stacks.ends.push(self.tables.stacks.locations.len());
                }
                _ => self.skipped.fields += 1,
            }
        }
        Ok(())
    }

    fn mapping(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut numbers, mut attributes) = ([0; 4], vec![]);
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (mapping::MEMORY_START..=mapping::FILENAME, Payload::Varint(value)) => {
                    numbers[field as usize - 1] = value;
                }
                (mapping::ATTRIBUTE_INDICES, payload) => {
                    repeated(payload, |index| attributes.push(index))?;
                }
                _ => self.skipped.fields += 1,
            }
        }
        self.tables.mappings.push((numbers, attributes));
        Ok(())
    }

    fn location(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut raw = RawLocation::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (location::MAPPING_INDEX, Payload::Varint(index)) => raw.mapping = index,
                (location::ADDRESS, Payload::Varint(address)) => raw.address = address,
                (location::LINES, Payload::Bytes(bytes)) => {
                    let numbers = [line::FUNCTION_INDEX, line::LINE, line::COLUMN];
                    let row = self.integers(bytes, numbers)?;
                    raw.lines.push(row);
                }
                (location::ATTRIBUTE_INDICES, _) => self.skipped.location_attributes += 1,
                _ => self.skipped.fields += 1,
            }
        }
        self.tables.locations.push(raw);
        Ok(())
    }

    /// A `KeyValueAndUnit` of the dictionary.
    fn attribute(&mut self, bytes: &[u8]) -> Result<Attribute, WireError> {
        let mut found = Attribute::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (attribute::KEY, Payload::Varint(index)) => found.key = Text::Index(index),
                (attribute::VALUE, Payload::Bytes(bytes)) => found.value = any_value_of(bytes)?,
                (attribute::UNIT, Payload::Varint(index)) => found.unit = index,
                _ => self.skipped.fields += 1,
            }
        }
        Ok(found)
    }
}
