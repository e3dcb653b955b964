//! What samples weigh: values of counters, each by its name and unit.

use std::ops::Range;

use hashbrown::HashMap;
use profile::{ProfileBuilder, StringId};

use super::fields::{number, text_of};
use crate::Warnings;
use crate::wire::{Fields, WireError};

/// What a value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counter {
    pub(super) name: StringId,
    pub(super) unit: StringId,
    /// What a value of 1 stands for, in the unit.
    pub(super) multiplier: u64,
}

/// The values of all samples, and what they count.
#[derive(Default)]
pub(super) struct Weights {
    /// Name and unit of each metric, as they were met.
    pub(super) metrics: Vec<(StringId, StringId)>,
    of: HashMap<(StringId, StringId), usize>,
    /// Metric and value.
    pub(super) values: Vec<(usize, i64)>,
}

impl Weights {
    pub(super) fn heap_bytes(&self) -> usize {
        self.values.capacity() * 16 + self.metrics.capacity() * 48
    }

    /// Adds the values of one sample; where they are. A value beyond 63 bits is held there.
    pub(super) fn add(
        &mut self,
        values: impl IntoIterator<Item = (Counter, u64)>,
        warnings: &mut Warnings,
    ) -> Range<usize> {
        let start = self.values.len();
        for (counter, value) in values {
            let metrics = &mut self.metrics;
            let metric = *self.of.entry((counter.name, counter.unit)).or_insert_with(|| {
                metrics.push((counter.name, counter.unit));
                metrics.len() - 1
            });
            let scaled = value.checked_mul(counter.multiplier);
            let scaled = scaled.and_then(|value| i64::try_from(value).ok());
            if scaled.is_none() {
                warnings.add("weights", || {
                    "weights of samples beyond 63 bits are held at the largest number".to_owned()
                });
            }
            self.values.push((metric, scaled.unwrap_or(i64::MAX)));
        }
        start..self.values.len()
    }
}

/// Reads `StackSample.CounterDescriptor`; its number and what it says.
pub(super) fn counter(
    bytes: &[u8],
    builder: &mut ProfileBuilder,
) -> Result<(u64, Counter), WireError> {
    let (mut id, mut name, mut unit, mut own_unit, mut multiplier) = (0, None, 0, None, 1);
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        match field {
            1 => id = number(payload),
            2 => name = text_of(payload),
            3 => unit = number(payload),
            4 => own_unit = text_of(payload),
            5 => multiplier = number(payload),
            _ => {}
        }
    }
    let (known_name, known_unit) = match unit {
        1 => ("time", "nanoseconds"),
        2 => ("cycles", "count"),
        3 => ("bytes", "bytes"),
        5 => ("page faults", "count"),
        4 => ("instructions", "count"),
        6 => ("cache misses", "count"),
        7 => ("cache references", "count"),
        8 => ("branch misses", "count"),
        _ => ("weight", "count"),
    };
    let name = name.filter(|name| !name.is_empty()).unwrap_or(known_name.into());
    let unit = own_unit.filter(|unit| !unit.is_empty()).unwrap_or(known_unit.into());
    let [name, unit] = [name, unit].map(|text| builder.strings.intern(&text));
    Ok((id, Counter { name, unit, multiplier: multiplier.max(1) }))
}
