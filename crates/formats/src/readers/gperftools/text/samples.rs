//! Lines that are a stack each: of heaps, contentions and counts.

use std::collections::BTreeMap;

use super::java_location;
use super::parser::{Parser, State, addresses, four_numbers};

impl Parser<'_> {
    pub(super) fn heap_line(
        &mut self,
        text: &str,
        allocated: bool,
        rate: Option<i64>,
    ) -> Option<()> {
        let (numbers, stack) = text.split_once('@')?;
        let [objects, bytes, all_objects, all_bytes] = four_numbers(numbers)?;
        let scaled = |objects, bytes| match rate {
            Some(rate) => scale(objects, bytes, rate),
            None => (objects, bytes),
        };
        let in_use = scaled(objects, bytes);
        let all = scaled(all_objects, all_bytes);
        let values = [all.0, all.1, in_use.0, in_use.1];
        let values = if allocated { &values[..] } else { &values[2..] };
        let size = |objects: i64, bytes: i64| bytes.checked_div(objects);
        let block = size(objects, bytes).or(size(all_objects, all_bytes).filter(|_| allocated));
        let label = self.number("bytes", block.unwrap_or(0), "bytes");
        let sample = self.reading.push(addresses(stack).map(|a| a.wrapping_sub(1)), values);
        sample.labels.push(label);
        Some(())
    }

    /// Heaps and contentions of Java, and contentions: `delay count @ stack` below attributes.
    pub(super) fn timed_line(&mut self, text: &str) -> Option<()> {
        if text.starts_with("---") {
            self.state = State::Mappings;
            return Some(());
        }
        let Some((numbers, stack)) = text.split_once('@') else {
            if self.java && text.starts_with("0x") {
                self.state = State::JavaNames;
                java_location(text, self.reading);
                return Some(());
            }
            let (key, value) = text.split_once('=')?;
            return self.attribute(key.trim(), value.trim());
        };
        let mut words = numbers.split_ascii_whitespace().map(str::parse::<i64>);
        let (first, second) = (words.next()?.ok()?, words.next()?.ok()?);
        let adjust = u64::from(!self.java);
        let stack = addresses(stack).map(|address| address.wrapping_sub(adjust));
        match self.state {
            State::HeapZ => {
                /// The distance of samples in Java heaps.
                const RATE: i64 = 512 << 10;
                let (objects, bytes) = scale(second, first, RATE);
                let label = self.number("bytes", first.checked_div(second).unwrap_or(0), "bytes");
                self.reading.push(stack, &[objects, bytes]).labels.push(label);
            }
            State::Contention { cycles_a_second, period } if period > 0 => {
                let delay = match cycles_a_second {
                    1.. if !self.java => {
                        let cycles_a_nanosecond = cycles_a_second as f64 / 1e9;
                        (first as f64 * period as f64 / cycles_a_nanosecond) as i64
                    }
                    _ if self.java => first.saturating_mul(period),
                    _ => first,
                };
                self.reading.push(stack, &[second.saturating_mul(period), delay]);
            }
            _ => drop(self.reading.push(stack, &[second, first])),
        }
        Some(())
    }

    fn attribute(&mut self, key: &str, value: &str) -> Option<()> {
        match (key, &mut self.state) {
            ("cycles/second", State::Contention { cycles_a_second, .. }) => {
                *cycles_a_second = value.parse().ok()?;
            }
            ("sampling period", State::Contention { period, .. }) => {
                *period = value.parse().ok()?;
                let period = *period;
                self.reading.set_period(period, "contentions", "count");
            }
            ("ms since reset", _) => {
                let milliseconds: i64 = value.parse().ok()?;
                self.reading.builder.origin.duration_ns = milliseconds.saturating_mul(1_000_000);
            }
            ("format", _) => self.set_java(),
            ("resolution", _) => value.clone_into(&mut self.reading.metrics[1].unit),
            ("discarded samples", _) => {}
            _ => return None,
        }
        Some(())
    }

    pub(super) fn count_line(&mut self, text: &str) -> Option<()> {
        if text.starts_with("---") {
            self.state = State::Mappings;
            return Some(());
        }
        let (count, stack) = text.split_once('@')?;
        let count = count.trim().parse().ok()?;
        self.reading.push(addresses(stack).map(|address| address.wrapping_sub(1)), &[count]);
        Some(())
    }

    /// Go's address, `function+0x28` and `file:line` behind a `#`, with tabs between; and labels.
    pub(super) fn go_comment(&mut self, text: &str) {
        if let Some(labels) = text.strip_prefix("# labels: ") {
            let labels: BTreeMap<String, String> = serde_json::from_str(labels).unwrap_or_default();
            for (key, value) in labels {
                let label = self.text(&key, &value);
                if let Some(sample) = self.reading.samples.last_mut() {
                    sample.labels.push(label);
                }
            }
            return;
        }
        let mut columns = text.split('\t').filter(|column| !column.is_empty()).skip(1);
        let (Some(address), Some(name), Some(place)) =
            (columns.next(), columns.next(), columns.next())
        else {
            return;
        };
        let Some(address) = addresses(address).next() else { return };
        let name = name.rsplit_once("+0x").map_or(name, |(name, _)| name);
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let function = self.reading.builder.function(name, file, 0);
        let frame = (function, line.parse().unwrap_or(0));
        let frames = self.reading.symbols.entry(address).or_default();
        // The same address again in other stacks says the same.
        if !frames.contains(&frame) && frames.is_empty() {
            frames.push(frame);
        }
    }
}

/// What a sample of a heap stands for, where one byte in `rate` is sampled: as pprof computes it.
fn scale(objects: i64, bytes: i64, rate: i64) -> (i64, i64) {
    if objects == 0 || bytes == 0 {
        return (0, 0);
    }
    if rate <= 1 {
        return (objects, bytes);
    }
    let mean = bytes as f64 / objects as f64;
    let scale = 1.0 / (1.0 - (-mean / rate as f64).exp());
    ((objects as f64 * scale) as i64, (bytes as f64 * scale) as i64)
}
