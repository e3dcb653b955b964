//! Counters: series of values of a process.

use profile::{ProfileBuilder, StringId, TrackId};

use super::processed::text;
use super::table::Table;
use crate::json::Json;
use crate::{ReadError, ReadOptions, Warnings};

/// A counter as the file has it.
#[derive(Default)]
pub(super) struct Counter {
    name: String,
    category: String,
    pub(super) pid: String,
    /// The row of a thread of its process.
    pub(super) thread: Option<usize>,
    groups: Vec<Table<3>>,
}

/// Columns: milliseconds, and what was counted.
const COLUMNS: [(&str, u8); 3] = [("time", 6), ("timeDeltas", 6), ("count", 6)];

const TIME: usize = 0;
const DELTA: usize = 1;
const COUNT: usize = 2;

/// Counts are kept with six decimals.
const SCALE: i128 = 1_000_000;

impl Counter {
    /// Reads the list at the cursor.
    pub(super) fn read_all(
        json: &mut Json,
        all: &mut Vec<Counter>,
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        while json.next_element()? {
            if json.try_object()? {
                let held: usize = all.iter().map(Counter::heap_bytes).sum();
                options.check_memory(builder.heap_bytes() + held)?;
                all.push(Counter::read(json, builder, options)?);
            }
        }
        Ok(())
    }

    fn read(
        json: &mut Json,
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<Counter, ReadError> {
        let mut counter = Counter::default();
        while let Some(key) = json.next_key()? {
            match key {
                "name" => counter.name = text(json)?,
                "category" => counter.category = text(json)?,
                "pid" => counter.pid = text(json)?,
                "mainThreadIndex" => counter.thread = json.any_position()?.try_into().ok(),
                "samples" => counter.group(json, builder, options)?,
                "sampleGroups" | "sample_groups" => {
                    if !json.try_array()? {
                        continue;
                    }
                    while json.next_element()? {
                        if !json.try_object()? {
                            continue;
                        }
                        while let Some(key) = json.next_key()? {
                            if key == "samples" {
                                counter.group(json, builder, options)?;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(counter)
    }

    fn group(
        &mut self,
        json: &mut Json,
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        let mut table = Table::default();
        table.read(json, &COLUMNS, builder, options)?;
        if table.len() > 0 {
            self.groups.push(table);
        }
        Ok(())
    }

    pub(super) fn heap_bytes(&self) -> usize {
        // Twice: as it is read, and on the timeline.
        self.groups.iter().map(|group| 2 * group.heap_bytes()).sum::<usize>() + 128
    }

    /// Whether it has no values.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Puts its values onto a track, with times later by `offset`.
    pub(super) fn push(
        &self,
        track: TrackId,
        offset: i64,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        // Memory is told as what came and went since the value before.
        let is_sum = self.category == "Memory";
        let unit = match self.category.as_str() {
            "Memory" | "Bandwidth" => "bytes",
            "power" => "picowatt hours",
            _ => "",
        };
        let unit = builder.strings.intern(unit);
        for (number, group) in self.groups.iter().enumerate() {
            let name = match number {
                0 => self.name.clone(),
                number => format!("{} [{number}]", self.name),
            };
            let name = if name.is_empty() { "(unnamed)" } else { &name };
            let name = builder.strings.intern(name);
            push_group(group, (track, name, unit), offset, is_sum, builder, warnings);
        }
    }
}

fn push_group(
    group: &Table<3>,
    (track, name, unit): (TrackId, StringId, StringId),
    offset: i64,
    is_sum: bool,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let series = builder.timeline.counter(track, name, unit);
    let has_deltas = group.has(DELTA);
    let (mut clock, mut sum) = (0i64, 0i128);
    let mut last = None;
    for row in 0..group.len() {
        clock = clock.saturating_add(group.get(DELTA, row).unwrap_or(0));
        let time = if has_deltas { Some(clock) } else { group.get(TIME, row) };
        let (Some(time), Some(count)) = (time, group.get(COUNT, row)) else {
            warnings.add("values", || {
                "values of counters without a time or a number are left out".to_owned()
            });
            continue;
        };
        if last.is_some_and(|last| time < last) {
            warnings.add("backwards", || {
                "values of counters before the one in front of them are put in order".to_owned()
            });
        }
        last = Some(time);
        sum = if is_sum { sum + i128::from(count) } else { i128::from(count) };
        let (whole, rest) = (sum / SCALE, sum % SCALE);
        series.push(time.saturating_add(offset), whole as f64 + rest as f64 / SCALE as f64);
    }
}
