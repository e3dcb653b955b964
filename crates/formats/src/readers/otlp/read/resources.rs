//! Resources with their profiles and samples.

use super::raw::{Attribute, Raw, RawProfile, RawSample, Text};
use super::value::{any_value_of, lossy};
use crate::readers::otlp::schema::{
    key_value, profile as fields, resource, resource_profiles, sample, scope, scope_profiles,
    value_type,
};
use crate::wire::{Fields, Payload, WireError, repeated};

impl Raw {
    pub(super) fn resource_profiles(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        self.resources.push(vec![]);
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (resource_profiles::RESOURCE, Payload::Bytes(bytes)) => {
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        if let (resource::ATTRIBUTES, Payload::Bytes(bytes)) = (field, payload) {
                            let attribute = self.key_value(bytes)?;
                            let last = self.resources.len() - 1;
                            self.resources[last].push(attribute);
                        }
                    }
                }
                (resource_profiles::SCOPE_PROFILES, Payload::Bytes(bytes)) => {
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        match (field, payload) {
                            (scope_profiles::SCOPE, Payload::Bytes(bytes)) => self.scope(bytes)?,
                            (scope_profiles::PROFILES, Payload::Bytes(bytes)) => {
                                self.profile(bytes)?;
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn scope(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut name, mut version) = (String::new(), String::new());
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (scope::NAME, Payload::Bytes(text)) => name = lossy(text),
                (scope::VERSION, Payload::Bytes(text)) => version = lossy(text),
                _ => {}
            }
        }
        if self.producer.is_empty() {
            self.producer = format!("{name} {version}").trim().to_owned();
        }
        Ok(())
    }

    fn profile(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut raw = RawProfile { resource: self.resources.len() - 1, ..RawProfile::default() };
        raw.samples.0 = self.samples.len();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (fields::SAMPLE_TYPE, Payload::Bytes(bytes)) => {
                    (raw.kind, raw.unit) = self.value_type(bytes)?;
                }
                (fields::PERIOD_TYPE, Payload::Bytes(bytes)) => {
                    raw.period_type = self.value_type(bytes)?;
                }
                (fields::SAMPLES, Payload::Bytes(bytes)) => self.sample(bytes)?,
                (fields::TIME_UNIX_NANO, Payload::Fixed64(time)) => raw.time = time,
                (fields::DURATION_NANO, Payload::Varint(duration)) => raw.duration = duration,
                (fields::PERIOD, Payload::Varint(period)) => raw.period = period as i64,
                (fields::ORIGINAL_PAYLOAD, Payload::Bytes(_)) => self.skipped.payloads += 1,
                (fields::ATTRIBUTE_INDICES, payload) => {
                    repeated(payload, |index| raw.attributes.push(index))?;
                }
                _ => {}
            }
        }
        raw.samples.1 = self.samples.len();
        self.profiles.push(raw);
        Ok(())
    }

    fn value_type(&mut self, bytes: &[u8]) -> Result<(u64, u64), WireError> {
        let [kind, unit] = self.integers(bytes, [value_type::TYPE, value_type::UNIT])?;
        Ok((kind, unit))
    }

    #[inline]
    fn sample(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut raw = RawSample::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (sample::STACK_INDEX, Payload::Varint(index)) => raw.stack = index,
                (sample::LINK_INDEX, Payload::Varint(index)) => raw.link = index,
                (sample::ATTRIBUTE_INDICES, payload) => {
                    repeated(payload, |index| self.attributes.push(index))?;
                }
                (sample::VALUES, payload) => {
                    repeated(payload, |value| self.values.push(value as i64))?;
                }
                (sample::TIMESTAMPS, Payload::Bytes(packed)) => {
                    let times = packed.chunks_exact(8);
                    if !times.remainder().is_empty() {
                        let reason = "packed times are cut short";
                        return Err(WireError { offset: 0, reason });
                    }
                    let time =
                        |chunk: &[u8]| chunk.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
                    self.times.extend(times.map(time));
                }
                (sample::TIMESTAMPS, Payload::Fixed64(time)) => self.times.push(time),
                _ => self.skipped.fields += 1,
            }
        }
        self.bytes += size_of::<RawSample>() + 16;
        raw.attributes = self.attributes.len();
        raw.values = self.values.len();
        raw.times = self.times.len();
        self.samples.push(raw);
        Ok(())
    }

    /// A `KeyValue` of a resource.
    fn key_value(&mut self, bytes: &[u8]) -> Result<Attribute, WireError> {
        let mut found = Attribute::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (key_value::KEY, Payload::Bytes(text)) => found.key = Text::Own(lossy(text)),
                (key_value::VALUE, Payload::Bytes(bytes)) => found.value = any_value_of(bytes)?,
                _ => self.skipped.fields += 1,
            }
        }
        Ok(found)
    }
}
