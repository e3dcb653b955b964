//! Tables of markers as they are written: columns, or rows with a schema, with an object for what
//! each marker tells besides.

use std::ops::Range;

use profile::{ProfileBuilder, StringId};

use super::causes;
use super::table::{NULL, scaled};
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions};

/// Columns, each with the decimals that are kept. Times are milliseconds.
const COLUMNS: [(&str, u8); 6] =
    [("name", 0), ("startTime", 6), ("endTime", 6), ("phase", 0), ("category", 0), ("time", 6)];

const NAME: usize = 0;
const START: usize = 1;
const END: usize = 2;
const PHASE: usize = 3;
const CATEGORY: usize = 4;
/// The only time in the oldest files.
const TIME: usize = 5;

/// Places in a row beyond this are not looked at.
const MOST_PLACES: usize = 16;

/// More fields of one marker are left out.
const MOST_FIELDS: usize = 64;

/// What a marker tells besides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) key: StringId,
    pub(super) value: FieldValue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldValue {
    Text(StringId),
    Number(i64),
}

/// When a marker was, or of which part of it this row tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Instant,
    Interval,
    Begin,
    End,
}

impl Phase {
    /// Both ends of what a row tells; none without the time that it must have.
    pub(super) fn ends(self, begin: Option<i64>, end: Option<i64>) -> Option<[i64; 2]> {
        match self {
            Phase::Instant | Phase::Begin => begin.map(|begin| [begin; 2]),
            Phase::End => end.map(|end| [end; 2]),
            Phase::Interval => begin.zip(end).map(|(begin, end)| [begin, end]),
        }
    }
}

/// Markers as the file has them.
#[derive(Debug, Default)]
pub(super) struct MarkerTable {
    columns: [Vec<i64>; COLUMNS.len()],
    fields: Vec<Field>,
    /// By row, where its fields end.
    ends: Vec<u32>,
    /// Begin and end that a row tells among its fields, by row.
    own_times: Vec<(u32, [i64; 2])>,
    /// Stacks that markers tell of, by row.
    causes: Vec<(u32, u32)>,
    /// Fields beyond the most that are kept.
    pub(super) left_out: u64,
}

impl MarkerTable {
    /// Reads the table at the cursor.
    pub(super) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        // By place in a row, the column; rows may come before it.
        let mut schema = [None; MOST_PLACES];
        let mut rows: Vec<[i64; MOST_PLACES]> = vec![];
        while let Some(key) = json.next_key()? {
            match key {
                "schema" => {
                    if !json.try_object()? {
                        continue;
                    }
                    while let Some(key) = json.next_key()? {
                        let column = COLUMNS.iter().position(|&(name, _)| name == key);
                        if let Some(place) = json.any_number()?.and_then(Decimal::to_whole)
                            && let Ok(place) = usize::try_from(place)
                            && let Some(known) = schema.get_mut(place)
                        {
                            *known = column;
                        }
                    }
                }
                "data" => {
                    if !json.try_array()? {
                        continue;
                    }
                    while json.next_element()? {
                        if json.kind()? == Kind::Array {
                            rows.push(self.read_row(json, builder)?);
                        } else {
                            self.read_fields(json, builder)?;
                        }
                        self.ends.push(self.fields.len() as u32);
                        if self.ends.len().is_multiple_of(1024) {
                            let held = rows.capacity() * size_of::<[i64; MOST_PLACES]>();
                            let held = held + self.heap_bytes() + builder.heap_bytes();
                            options.check_memory(held)?;
                        }
                    }
                }
                key => {
                    let Some(column) = COLUMNS.iter().position(|&(name, _)| name == key) else {
                        continue;
                    };
                    if json.kind()? != Kind::Array {
                        continue;
                    }
                    let held = builder.heap_bytes() + self.heap_bytes();
                    let (cells, decimals) = (&mut self.columns[column], COLUMNS[column].1);
                    json.numbers(|number| {
                        cells.push(scaled(number, decimals));
                        match cells.len() % 4096 {
                            0 => options.check_memory(held + cells.capacity() * size_of::<i64>()),
                            _ => Ok(()),
                        }
                    })?;
                }
            }
        }
        for row in rows {
            self.columns.iter_mut().for_each(|column| column.push(NULL));
            for (cell, column) in row.into_iter().zip(schema) {
                if let Some(column) = column
                    && let Some(last) = self.columns[column].last_mut()
                {
                    *last = in_column(cell, COLUMNS[column].1);
                }
            }
        }
        Ok(())
    }

    /// Cells of the longest column.
    pub(super) fn len(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Bytes held, with those of the spans and marks that come of it.
    pub(super) fn heap_bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(|column| column.capacity() * 8).sum();
        let fields = self.fields.capacity() * size_of::<Field>() + self.ends.capacity() * 4;
        let spans = self.len() * (2 * size_of::<profile::Span>() + 16);
        columns + fields + self.own_times.capacity() * 24 + self.causes.capacity() * 8 + spans
    }

    /// The place of a marker's name in the table of texts.
    pub(super) fn name(&self, row: usize) -> Option<usize> {
        self.get(NAME, row).and_then(|name| usize::try_from(name).ok())
    }

    pub(super) fn category(&self, row: usize) -> Option<usize> {
        self.get(CATEGORY, row).and_then(|category| usize::try_from(category).ok())
    }

    /// What a row is, with its begin and its end as far as it has them, in nanoseconds. `is_part`
    /// says what the field `interval` says.
    pub(super) fn times(&self, row: usize, is_part: impl Fn(&str) -> bool) -> Times {
        let [start, end, time] = [START, END, TIME].map(|column| self.get(column, row));
        let phase = match self.get(PHASE, row) {
            Some(0) => Phase::Instant,
            Some(1) => Phase::Interval,
            Some(2) => Phase::Begin,
            Some(3) => Phase::End,
            // The oldest files tell it among the fields.
            _ if is_part("start") => Phase::Begin,
            _ if is_part("end") => Phase::End,
            _ => match self.own_times.binary_search_by_key(&(row as u32), |&(row, _)| row) {
                Ok(found) if start.is_none() => {
                    let [begin, end] = self.own_times[found].1.map(Some);
                    return Times { phase: Phase::Interval, begin, end };
                }
                _ if start.is_some() && end.is_some() && time.is_none() => Phase::Interval,
                _ => Phase::Instant,
            },
        };
        Times { phase, begin: start.or(time), end: end.or(time) }
    }

    /// What a marker tells besides.
    pub(super) fn fields(&self, row: usize) -> &[Field] {
        let end = self.ends.get(row).copied().unwrap_or(self.fields.len() as u32);
        let start = match row.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).copied().unwrap_or(end),
        };
        self.fields.get(Range { start: start as usize, end: end as usize }).unwrap_or_default()
    }

    /// The place of the stack that a marker tells of.
    pub(super) fn cause(&self, row: usize) -> Option<u32> {
        let place = self.causes.binary_search_by_key(&(row as u32), |&(row, _)| row).ok()?;
        Some(self.causes[place].1)
    }

    fn get(&self, column: usize, row: usize) -> Option<i64> {
        self.columns[column].get(row).copied().filter(|&cell| cell != NULL)
    }

    /// Numbers of a row, with the decimals of times.
    fn read_row(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
    ) -> Result<[i64; MOST_PLACES], ReadError> {
        let mut cells = [NULL; MOST_PLACES];
        let mut place = 0;
        json.array()?;
        while json.next_element()? {
            if json.kind()? == Kind::Object {
                self.read_fields(json, builder)?;
            } else if let Some(cell) = cells.get_mut(place) {
                *cell = scaled(json.any_number()?, TIME_DECIMALS);
            }
            place += 1;
        }
        Ok(cells)
    }

    /// Texts, numbers and truths of the object at the cursor.
    fn read_fields(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
    ) -> Result<(), ReadError> {
        if json.kind()? != Kind::Object || !json.try_object()? {
            return Ok(());
        }
        let first = self.fields.len();
        let mut own_times = [None; 2];
        while let Some(key) = json.next_key()? {
            let time = ["startTime", "endTime"].iter().position(|&name| name == key);
            let is_cause = matches!(key, "cause" | "stack");
            let key = builder.strings.intern(key);
            if is_cause && json.kind()? == Kind::Object {
                if let Some(stack) = causes::read(json)? {
                    self.causes.push((self.ends.len() as u32, stack));
                }
                continue;
            }
            let value = match json.kind()? {
                Kind::Number => {
                    let text = json.string_or_number_text()?;
                    let number = Decimal::parse(text.as_bytes());
                    if let Some(time) = time {
                        own_times[time] = number.and_then(|number| number.to_scaled(TIME_DECIMALS));
                    }
                    match number.and_then(Decimal::to_whole) {
                        Some(whole) => FieldValue::Number(whole),
                        None => FieldValue::Text(builder.strings.intern(text)),
                    }
                }
                Kind::String => FieldValue::Text(builder.strings.intern(json.string()?)),
                Kind::Bool => {
                    let text = if json.bool()? { "true" } else { "false" };
                    FieldValue::Text(builder.strings.intern(text))
                }
                Kind::Object | Kind::Array | Kind::Null => continue,
            };
            if self.fields.len() - first < MOST_FIELDS {
                self.fields.push(Field { key, value });
            } else {
                self.left_out += 1;
            }
        }
        if let [Some(begin), Some(end)] = own_times {
            self.own_times.push((self.ends.len() as u32, [begin, end]));
        }
        Ok(())
    }
}

/// The times of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) phase: Phase,
    pub(super) begin: Option<i64>,
    pub(super) end: Option<i64>,
}

/// Decimals of milliseconds in nanoseconds.
const TIME_DECIMALS: u8 = 6;

/// A number with the decimals of times, with those of its column.
fn in_column(cell: i64, decimals: u8) -> i64 {
    match (cell, decimals) {
        (NULL, _) => NULL,
        (cell, TIME_DECIMALS) => cell,
        (cell, _) => cell / 1_000_000,
    }
}
