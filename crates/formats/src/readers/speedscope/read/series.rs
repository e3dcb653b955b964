//! One of the file's profiles.

use profile::{ContextId, LocationId};

use super::calls::Calls;
use super::file::{File, text};
use crate::json::Json;
use crate::numbers::decimal::Decimal;
use crate::numbers::scale::Scale;
use crate::{ReadError, ReadOptions, Warnings};

/// Digits after the point that are kept.
const MOST_DECIMALS: u8 = 9;

/// One of the file's profiles.
#[derive(Default)]
pub(super) struct Series {
    pub(super) name: String,
    pub(super) unit: String,
    start: Option<Decimal>,
    pub(super) end: Option<Decimal>,
    scale: Option<Scale>,
    pub(super) contexts: Vec<ContextId>,
    pub(super) values: Vec<i64>,
    /// Whether it has events; then it has calls and no samples.
    pub(super) evented: bool,
    pub(super) calls: Calls,
}

impl Series {
    pub(super) fn read(
        json: &mut Json,
        file: &mut File,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<Series, ReadError> {
        let mut series = Series::default();
        let (mut samples, mut weights) = (0u64, 0u64);
        json.object()?;
        while let Some(key) = json.next_key()? {
            match key {
                "name" => series.name = text(json)?,
                "unit" => series.unit = text(json)?,
                "type" => {
                    let kind = text(json)?;
                    if kind != "sampled" && kind != "evented" {
                        warnings.add("type", || format!("a profile of type \"{kind}\""));
                    }
                }
                "startValue" => series.start = json.finite()?,
                "endValue" => series.end = json.finite()?,
                "samples" => {
                    json.array()?;
                    while json.next_element()? {
                        let context = stack(json, file, warnings)?;
                        series.contexts.push(context);
                        samples += 1;
                        if samples.is_multiple_of(1024) {
                            options.check_memory(file.heap_bytes() + series.heap_bytes())?;
                        }
                    }
                }
                "weights" => {
                    let held = file.heap_bytes();
                    json.numbers(|number| {
                        let value = series.fit(number, warnings);
                        series.values.push(value.unwrap_or(0));
                        weights += 1;
                        match weights % 1024 {
                            0 => options.check_memory(held + series.heap_bytes()),
                            _ => Ok(()),
                        }
                    })?;
                }
                "events" => series.events(json, file, options, warnings)?,
                _ => {}
            }
        }
        if samples != weights {
            warnings.add_many("weights", samples.abs_diff(weights), || {
                format!("\"{}\" has {samples} samples but {weights} weights", series.name)
            });
            let sound = series.contexts.len().min(series.values.len());
            series.contexts.truncate(sound);
            series.values.truncate(sound);
        }
        series.end_calls(warnings);
        Ok(series)
    }

    /// A number on the scale of the series.
    pub(super) fn fit(&mut self, number: Option<Decimal>, warnings: &mut Warnings) -> Option<i64> {
        let scale = self.scale.get_or_insert(Scale::up_to(MOST_DECIMALS));
        let Some(scaled) = number.and_then(|number| scale.fit(number, warnings)) else {
            warnings.add("numbers", || {
                format!("\"{}\": values that are not numbers of 64 bits are left out", self.name)
            });
            return None;
        };
        if let Some(factor) = scaled.grown {
            self.calls.rescale(factor);
            self.values.iter_mut().for_each(|value| *value = value.saturating_mul(factor));
        }
        Some(scaled.value)
    }

    pub(super) fn decimals(&self) -> u8 {
        self.scale.map_or(0, |scale| scale.decimals)
    }

    /// Whether values are times that follow each other.
    pub(super) fn is_timed(&self) -> bool {
        nanosecond_decimals(&self.unit).is_some()
    }

    /// When it starts, on the producer's clock.
    pub(super) fn start_ns(&self) -> i64 {
        let first = || {
            let mantissa = self.calls.all.first()?.begin;
            Some(Decimal { mantissa, exponent: -i32::from(self.decimals()) })
        };
        self.start.or_else(first).and_then(|start| nanoseconds(start, &self.unit)).unwrap_or(0)
    }

    /// A value of the series in nanoseconds, held at the limits of 64 bits.
    pub(super) fn nanoseconds(&self, value: i64) -> i64 {
        let decimal = Decimal { mantissa: value, exponent: -i32::from(self.decimals()) };
        let limit = if value < 0 { i64::MIN } else { i64::MAX };
        nanoseconds(decimal, &self.unit).unwrap_or(limit)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.contexts.capacity() * 4 + self.values.capacity() * 8 + self.calls.heap_bytes()
    }
}

/// The context of a list of frames, root first.
fn stack(
    json: &mut Json,
    file: &mut File,
    warnings: &mut Warnings,
) -> Result<ContextId, ReadError> {
    let File { path, used, builder, .. } = file;
    path.start();
    let mut sound = true;
    json.numbers(|number| {
        match number.and_then(Decimal::to_whole).and_then(|frame| u64::try_from(frame).ok()) {
            Some(frame) => path.step(&mut builder.contexts, LocationId(used.number(frame))),
            None => sound = false,
        }
        Ok(())
    })?;
    if !sound {
        warnings.add("stacks", || "stacks with frames that are not whole numbers".to_owned());
    }
    Ok(path.context())
}

/// How many decimals of a unit of time are nanoseconds.
pub(super) fn nanosecond_decimals(unit: &str) -> Option<u8> {
    Some(match unit {
        "nanoseconds" => 0,
        "microseconds" => 3,
        "milliseconds" => 6,
        "seconds" => 9,
        _ => return None,
    })
}

pub(super) fn nanoseconds(number: Decimal, unit: &str) -> Option<i64> {
    number.to_scaled(nanosecond_decimals(unit)?)
}
