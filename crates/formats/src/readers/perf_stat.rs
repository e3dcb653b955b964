//! What `perf stat` writes with a separator (`-x`): what each event counted, or with `-I` what it counted from one
//! reading to the next, as `hotframe record perf --count` has it.
//!
//! ```text
//! # started on Tue Nov 24 09:40:50 2026
//!
//!      0.100127870;CPU0;59.23;msec;cpu-clock;59252914;100.00;0.592;CPUs utilized
//! ```
//! The time ends the interval and is there with `-I` alone, the processor with `-A` alone. Behind the event are
//! how much runs differed (with `-r`), how long it was counted, the share of the time in which it was wanted, and
//! what perf makes of it.

use hashbrown::HashMap;
use profile::{Metric, Point, Points, Profile, ProfileBuilder, Timing};

use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::text::lines::Lines;
use crate::text::separated::{Record, Records};
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "perf-stat",
    title: "counts of perf stat (-x ';'), also by interval (-I)",
    extensions: &["counts.csv"],
    about: About {
        carries: "every event with its counts, by interval (-I) and by processor (-A) where it has them",
        estimates: "counts of events that shared counters, which perf scales up (the file says so)",
        skips: "what perf makes of counts (events per second, instructions per cycle), which follows \
                from them; when it began, which has no zone of time. Counts by core, socket or thread \
                are not read",
        checked_against: "sums of the rows by event, and by processor",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// Files with more events are none of perf's.
const MOST_EVENTS: usize = 4096;

/// More processors than any machine has.
const MOST_CPUS: u32 = 1 << 14;

/// Separators that people choose, since events hold commas and colons.
const SEPARATORS: [u8; 4] = *b";,|\t";

/// What is wrong with counts that are neither of all nor of a processor.
const OTHER_PLACES: &str = "it is of a core, a socket or a thread";

/// The name of the metric that says how long counts took.
const INTERVAL: &str = "interval";

fn sniff(head: &[u8], _: &str) -> Sniff {
    match separator(head) {
        Some(_) => Sniff::Yes,
        None => Sniff::No,
    }
}

/// What stands between fields, if bytes begin such a table.
fn separator(head: &[u8]) -> Option<u8> {
    let text = String::from_utf8_lossy(head);
    let line = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'))?;
    SEPARATORS.into_iter().find(|&separator| {
        let fields: Vec<&str> = line.split(char::from(separator)).map(str::trim).collect();
        let is_known = || text.starts_with("# started on") || Fields::of(&fields[1..]).is_ok();
        if has_time(&fields) {
            fields.len() > 5 && is_known()
        } else {
            Fields::of(&fields).is_ok_and(|fields| fields.is_sure)
        }
    })
}

/// Whether a line begins with a time: perf writes nine digits of it.
fn has_time(fields: &[&str]) -> bool {
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = fields.first().and_then(|first| first.split_once(['.', ',']));
    parts.is_some_and(|(whole, part)| {
        !whole.is_empty() && part.len() == 9 && are_digits(whole) && are_digits(part)
    })
}

/// What a line tells.
struct Fields<'a> {
    cpu: Option<u32>,
    value: &'a str,
    unit: &'a str,
    event: &'a str,
    /// How much of the time in which it was wanted it was counted, in percent.
    share: Decimal,
    /// Whether nothing but perf would write them.
    is_sure: bool,
}

impl<'a> Fields<'a> {
    /// Those behind the time.
    fn of(fields: &[&'a str]) -> Result<Fields<'a>, &'static str> {
        let is_value = |text: &str| text.starts_with('<') || number(text).is_some();
        let [first, others @ ..] = fields else { return Err("it has no fields") };
        let cpu = first.strip_prefix("CPU");
        let cpu = cpu.map(|cpu| cpu.parse().ok().filter(|&cpu| cpu < MOST_CPUS));
        let told = match cpu {
            Some(None) => return Err("its processor is not a number"),
            Some(Some(_)) => others,
            None if is_value(first) => fields,
            None => return Err(OTHER_PLACES),
        };
        let [value, unit, event, rest @ ..] = told else { return Err("it has too few fields") };
        let rest = match rest {
            [differs, rest @ ..] if differs.ends_with('%') => rest,
            rest => rest,
        };
        let [counted, share, ..] = rest else { return Err("it has too few fields") };
        if !is_value(value) {
            return Err("its count is not a number");
        }
        let share = number(share).ok_or("the share of time that it was counted is not a number")?;
        let is_sure = counted.bytes().all(|byte| byte.is_ascii_digit())
            && !counted.is_empty()
            && event.bytes().any(|byte| byte.is_ascii_alphabetic())
            && (0.0..=100.0).contains(&(share.mantissa as f64 * 10f64.powi(share.exponent)));
        Ok(Fields { cpu: cpu.flatten(), value, unit, event, share, is_sure })
    }
}

/// A number, with the point of any language.
fn number(text: &str) -> Option<Decimal> {
    Decimal::parse(text.replacen(',', ".", 1).as_bytes())
}

/// A count until all events are known, which decide how many values a point has.
struct Row {
    begin: i64,
    end: i64,
    cpu: Option<u32>,
    event: usize,
    count: i64,
}

#[derive(Default)]
struct Counts {
    /// Whether lines begin with a time.
    has_times: bool,
    /// Events by name, and by how many of that name come before in an interval.
    numbers: HashMap<(String, usize), usize>,
    metrics: Vec<Metric>,
    rows: Vec<Row>,
    /// What the interval that is read has had.
    seen: HashMap<(Option<u32>, String), usize>,
    begin: i64,
    end: i64,
    not_counted: u64,
    /// Counts that perf scaled up, and the least share of the time that one was counted.
    scaled: u64,
    least_share: f64,
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let head = stream.peek(crate::SNIFF_BYTES)?;
    let separator = separator(head).unwrap_or(b';');
    let has_times = String::from_utf8_lossy(head).lines().any(|line| {
        has_time(&line.split(char::from(separator)).map(str::trim).collect::<Vec<_>>())
    });
    let mut records = Records::new(Lines::new(stream, FORMAT.name)?, separator);
    let mut counts = Counts { has_times, least_share: 100.0, ..Counts::default() };
    while let Some(record) = records.next_record()? {
        let line = record.line;
        if record.get(0).trim_start().starts_with('#') || record.get(0).trim().is_empty() {
            continue;
        }
        if let Err(reason) = counts.push(&record, warnings) {
            if reason == OTHER_PLACES {
                return Err(ReadError::Unsupported {
                    found: "counts by core, socket or thread".to_owned(),
                    instead: "count by processor (perf stat -A -a), or everything together",
                });
            }
            warnings.add("row", || format!("line {line} is skipped: {reason}"));
        }
        if line.is_multiple_of(1024) {
            options.check_memory(counts.rows.capacity() * size_of::<Row>())?;
        }
    }
    records.check_skipped(warnings, &["row"])?;
    Ok(counts.finish(warnings))
}

impl Counts {
    /// Keeps a count; or tells what is wrong with it.
    fn push(&mut self, record: &Record<'_>, warnings: &mut Warnings) -> Result<(), &'static str> {
        let fields: Vec<&str> = (0..record.len()).map(|at| record.get(at).trim()).collect();
        let (time, fields) = match fields.split_first() {
            Some((first, rest)) if self.has_times => {
                let time = number(first).and_then(|time| time.to_scaled(9));
                let time = time.filter(|&time| time >= 0);
                (time.ok_or("its time is not a number of seconds")?, rest)
            }
            _ => (0, &*fields),
        };
        // What perf makes of other counts stands behind them, or on a line without any.
        if fields.iter().take(3).all(|field| field.is_empty()) {
            return Ok(());
        }
        let Fields { cpu, value, unit, event, share, .. } = Fields::of(fields)?;
        if time < self.end {
            return Err("its time is before that of the line before");
        }
        if time > self.end {
            (self.begin, self.end) = (self.end, time);
            self.seen.clear();
        }
        let twin = self.seen.entry((cpu, event.to_owned())).or_default();
        let key = (event.to_owned(), *twin);
        *twin += 1;
        if value.starts_with('<') {
            if value.contains("supported") {
                warnings.add("not supported", || {
                    format!("{event} is not supported where this was counted")
                });
            } else {
                self.not_counted += 1;
            }
            return Ok(());
        }
        let value = number(value).ok_or("its count is not a number")?;
        let event = match self.numbers.get(&key) {
            Some(&known) => known,
            None if self.metrics.len() == MOST_EVENTS => return Err("there are too many events"),
            None => {
                self.metrics.push(metric(event, unit));
                self.numbers.insert(key, self.metrics.len() - 1);
                self.metrics.len() - 1
            }
        };
        // perf has times as parts of a second, and other fractions with two digits.
        let decimals = if unit == "msec" { 6 } else { self.metrics[event].decimals };
        let count = value.to_scaled(decimals).ok_or("its count is too large")?;
        let share = share.mantissa as f64 * 10f64.powi(share.exponent);
        if share < 100.0 && count != 0 {
            self.scaled += 1;
            self.least_share = self.least_share.min(share);
        }
        self.rows.push(Row { begin: self.begin, end: self.end, cpu, event, count });
        Ok(())
    }

    fn finish(self, warnings: &mut Warnings) -> Profile {
        let Counts { has_times, mut metrics, rows, end, not_counted, scaled, least_share, .. } =
            self;
        let (events, mut builder) = (metrics.len(), ProfileBuilder::new(vec![]));
        let interval = Metric::new(INTERVAL, "nanoseconds");
        metrics.extend(has_times.then_some(Metric { timing: Timing::Length, ..interval }));
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        let mut values = vec![0; builder.metrics.len()];
        // A point has all that was counted in an interval on a processor.
        let mut points = HashMap::new();
        for Row { begin, end, cpu, event, count } in rows {
            let point = *points.entry((begin, cpu)).or_insert_with(|| {
                values.iter_mut().skip(events).for_each(|value| *value = end - begin);
                let time = has_times.then_some(begin);
                let point = Point { time, cpu, ..Point::default() };
                builder.points.push_point(point, &values)
            });
            let value = &mut builder.points.row_mut(point)[event];
            *value = value.saturating_add(count);
        }
        if not_counted > 0 {
            warnings.add_many("not counted", not_counted, || {
                "counters were not counted from one reading to the next: how many events there were \
                 then is not known"
                    .to_owned()
            });
        }
        if scaled > 0 {
            warnings.add_many("multiplexed", scaled, || {
                format!(
                    "events shared the processor's counters and were counted a part of the time \
                     (down to {least_share:.1} %): their counts are estimates, which perf scaled up"
                )
            });
        }
        if builder.points.is_empty() {
            warnings.add("no samples", || "the file holds no counts".to_owned());
        }
        builder.origin.duration_ns = end;
        builder.origin.format = FORMAT.name.to_owned();
        builder.origin.producer = "perf stat".to_owned();
        builder.finish()
    }
}

fn metric(event: &str, unit: &str) -> Metric {
    match unit {
        "" => Metric::new(event, "count"),
        "msec" => Metric::new(event, "nanoseconds"),
        unit => Metric { decimals: 2, ..Metric::new(event, unit) },
    }
}
