//! What the page of VisPerf shows: counts of each event by second, processor and thread.
//!
//! ```text
//! {"cpus": 2, "cpu_setup": [[0, 0]], "cpu_labels": [["CPU0", "CPU1"]], "experiments": {
//!    "pinned": {"Run 1": {
//!        "threads": {"time_series": {"cycles": {"0": {"CPU0": {"worker": 5000}}}}},
//!        "time_series": {"cycles": {"times": [0], "captures": {"0": [[5000, 0]]}}}}}}}
//! ```
//! Counts by thread are sums. A grid has one cell for a processor, in which the tool puts the count of
//! the first of the threads that ran there in that second: less than all where there are several.

use hashbrown::HashMap;
use profile::{
    ContextId, LocationKind, Member, MemberId, Metric, MetricId, Place, Point, Points, Profile,
    ProfileBuilder, StringId, Thread, ThreadId, Timing,
};

use super::FORMAT;
use super::format::machine;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions, Warnings};

const SECOND: i64 = 1_000_000_000;

/// Files with more events are none of perf's.
const MOST_EVENTS: usize = 256;

/// A count: of whom and when, then of which metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    member: u32,
    second: i64,
    cpu: u32,
    thread: Option<ThreadId>,
    metric: u32,
    value: i64,
}

#[derive(Default)]
struct SummaryParser {
    builder: ProfileBuilder,
    /// Metrics, as they came up.
    metrics: Vec<String>,
    threads: HashMap<String, ThreadId>,
    counts: Vec<Count>,
    /// Those of the run's grids.
    grids: Vec<Count>,
    cpus: i64,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut reading = SummaryParser::default();
    json.object()?;
    while let Some(key) = json.next_key()?.map(str::to_owned) {
        match key.as_str() {
            "cpus" => {
                let cpus = json.any_number()?.and_then(Decimal::to_whole);
                reading.cpus = cpus.unwrap_or(0);
            }
            "experiments" if json.try_object()? => {
                while let Some(experiment) = json.next_key()?.map(str::to_owned) {
                    reading.experiment(&experiment, &mut json, options, warnings)?;
                }
            }
            _ => {}
        }
    }
    json.finish()?;
    reading.finish(options, warnings)
}

impl SummaryParser {
    fn experiment(
        &mut self,
        experiment: &str,
        json: &mut Json,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(run) = json.next_key()?.map(str::to_owned) {
            let name = format!("{experiment}/{run}");
            self.builder.members.push(Member { name: name.clone(), ..Member::default() });
            if !json.try_object()? {
                continue;
            }
            let before = self.counts.len();
            while let Some(key) = json.next_key()?.map(str::to_owned) {
                match key.as_str() {
                    "threads" if json.try_object()? => {
                        while let Some(key) = json.next_key()? {
                            if key == "time_series" {
                                self.series(json, false, options, warnings)?;
                            }
                        }
                    }
                    "time_series" => self.series(json, true, options, warnings)?,
                    _ => {}
                }
            }
            let mut grids = std::mem::take(&mut self.grids);
            if self.counts.len() == before && !grids.is_empty() {
                warnings.add("one thread", || {
                    format!(
                        "runs have no counts by thread, and their grids show one thread of a \
                         processor in each second, which is less than all: {name}"
                    )
                });
                self.counts.append(&mut grids);
            }
        }
        Ok(())
    }

    /// Events, with their counts by second.
    fn series(
        &mut self,
        json: &mut Json,
        is_grid: bool,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(event) = json.next_key()?.map(str::to_owned) {
            if !json.try_object()? {
                continue;
            }
            if !is_grid {
                self.seconds(json, &event, is_grid, options, warnings)?;
                continue;
            }
            while let Some(key) = json.next_key()? {
                if key == "captures" && json.try_object()? {
                    self.seconds(json, &event, is_grid, options, warnings)?;
                }
            }
        }
        Ok(())
    }

    /// What is in an object by second.
    fn seconds(
        &mut self,
        json: &mut Json,
        event: &str,
        is_grid: bool,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let name = if is_grid { format!("{event} (one thread's)") } else { event.to_owned() };
        let known = self.metrics.iter().position(|known| *known == name);
        let metric = known.unwrap_or(self.metrics.len());
        if metric >= 2 * MOST_EVENTS {
            warnings.add("events", || "there are too many events".to_owned());
            return json.leave();
        }
        if known.is_none() {
            self.metrics.push(name);
        }
        while let Some(second) = json.next_key()?.map(str::to_owned) {
            let number = second.parse::<u32>().map(i64::from);
            let Ok(second) = number else {
                warnings.add("seconds", || format!("seconds that are not numbers: {second}"));
                continue;
            };
            let member = self.builder.members.len() as u32 - 1;
            let (cpu, thread, value, metric) = (0, None, 0, metric as u32);
            let count = Count { member, second, cpu, thread, metric, value };
            if is_grid {
                self.grid(json, count, warnings)?;
            } else {
                self.processors(json, count, warnings)?;
            }
            let counts = self.counts.capacity() + self.grids.capacity();
            options.check_memory(self.builder.heap_bytes() + counts * size_of::<Count>())?;
        }
        Ok(())
    }

    /// `{"CPU0": {"worker": 5000}}`
    fn processors(
        &mut self,
        json: &mut Json,
        count: Count,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(label) = json.next_key()?.map(str::to_owned) {
            let Some(Ok(cpu)) = label.strip_prefix("CPU").map(str::parse) else {
                warnings.add("labels", || format!("processors without a number: {label}"));
                continue;
            };
            if !json.try_object()? {
                continue;
            }
            while let Some(label) = json.next_key()?.map(str::to_owned) {
                let value = value_of(json, warnings)?;
                let thread = Some(self.thread(&label));
                self.counts.extend(value.map(|value| Count { cpu, thread, value, ..count }));
            }
        }
        Ok(())
    }

    /// `[[5000, 0], [0, 0]]`: rows of processors, all as long as the first.
    fn grid(
        &mut self,
        json: &mut Json,
        count: Count,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        let mut cpu = 0;
        while json.next_element()? {
            if !json.try_array()? {
                continue;
            }
            while json.next_element()? {
                let value = value_of(json, warnings)?.filter(|&value| value != 0);
                self.grids.extend(value.map(|value| Count { cpu, value, ..count }));
                cpu += 1;
            }
        }
        Ok(())
    }

    /// A thread by its number, or by the name that several may have.
    fn thread(&mut self, label: &str) -> ThreadId {
        if let Some(&known) = self.threads.get(label) {
            return known;
        }
        let text = self.builder.strings.intern(label);
        let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
        let (id, name) = if is_number { (text, StringId::EMPTY) } else { (StringId::EMPTY, text) };
        self.builder.threads.push(Thread { process: None, id, name });
        let thread = ThreadId(self.builder.threads.len() as u32 - 1);
        self.threads.insert(label.to_owned(), thread);
        thread
    }

    fn finish(self, options: &ReadOptions, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        let SummaryParser { mut builder, metrics, mut counts, cpus, .. } = self;
        let machine = machine(cpus, &mut builder);
        if machine.is_none() && cpus != 0 {
            warnings.add("processors", || format!("{cpus} is not a number of processors"));
        }
        counts.sort_unstable();
        let mut used = vec![false; metrics.len()];
        counts.iter().for_each(|count| used[count.metric as usize] = true);
        let is_used = |&(_, used): &(&String, &bool)| *used;
        let names = metrics.iter().zip(&used).filter(is_used).map(|(name, _)| name);
        builder.metrics = names
            .map(|name| {
                let is_clock = ["cpu-clock", "task-clock"].contains(&name.as_str());
                Metric::new(name, if is_clock { "nanoseconds" } else { "count" })
            })
            .collect();
        let columns: Vec<usize> = used
            .iter()
            .scan(0, |next, &used| Some(std::mem::replace(next, *next + usize::from(used))))
            .collect();
        let interval = builder.metrics.len();
        if !counts.is_empty() {
            // What is told of a second lasts for it.
            let interval = Metric::new("interval", "nanoseconds");
            builder.metrics.push(Metric { timing: Timing::Length, ..interval });
        }
        let all = counts.len() * (builder.metrics.len() * 8 + size_of::<Count>() + 32);
        options.check_memory(builder.heap_bytes() + all)?;
        builder.points = Points::new(builder.metrics.len());
        let mut values = vec![0i64; builder.metrics.len()];
        let of = |count: &Count| (count.member, count.second, count.cpu, count.thread);
        let mut last = None;
        for same in counts.chunk_by(|one, other| of(one) == of(other)) {
            values.fill(0);
            for count in same {
                let value = &mut values[columns[count.metric as usize]];
                *value = value.saturating_add(count.value);
            }
            let Count { member, second, cpu, thread, .. } = same[0];
            values[interval] = SECOND;
            push_pause(&mut last, (member, second), interval, &mut builder);
            let context = thread.map_or(ContextId::ROOT, |thread| context(thread, &mut builder));
            let (time, cpu, of) = (Some(second * SECOND), Some(cpu), MemberId(member));
            let point = Point { context, time, thread, cpu, member: of, ..Point::default() };
            builder.points.push_point(point, &values);
            // The last second is over when the next would begin.
            let length = &mut builder.members[member as usize].duration_ns;
            *length = (*length).max((second + 1) * SECOND);
        }
        // The one that is told most often; the order of keys says nothing.
        let told =
            |metric: MetricId| builder.points.values(metric).filter(|&value| value != 0).count();
        let metrics = (0..interval as u32).map(MetricId);
        let leading = metrics.max_by_key(|&metric| {
            (told(metric), std::cmp::Reverse(&builder.metrics[metric.index()].name))
        });
        builder.origin.default_metric = leading.unwrap_or_default();
        for member in &mut builder.members {
            (member.machine, member.producer) = (machine, "VisPerf".to_owned());
        }
        let lengths = builder.members.iter().map(|member| member.duration_ns);
        builder.origin.duration_ns = lengths.max().unwrap_or(0);
        builder.origin.format = FORMAT.name.to_owned();
        builder.origin.producer = "VisPerf".to_owned();
        Ok(builder.finish())
    }
}

/// Seconds in the middle of a run of which nothing is told had no samples: these are counts of 0.
fn push_pause(
    last: &mut Option<(u32, i64)>,
    (member, second): (u32, i64),
    interval: usize,
    builder: &mut ProfileBuilder,
) {
    /// A longer pause is none of a run.
    const MOST: i64 = 3600;
    let before = last.replace((member, second)).filter(|(of, _)| *of == member);
    let first = before.map(|(_, before)| before + 1);
    let Some(first) = first.filter(|first| second - first <= MOST) else { return };
    let mut values = vec![0; builder.metrics.len()];
    values[interval] = SECOND;
    for second in first..second {
        let (time, member) = (Some(second * SECOND), MemberId(member));
        builder.points.push_point(Point { time, member, ..Point::default() }, &values);
    }
}

/// A region by the name of a thread, for which no function is known.
fn context(thread: ThreadId, builder: &mut ProfileBuilder) -> ContextId {
    let Thread { id, name, .. } = builder.threads[thread.index()];
    let name = if name == StringId::EMPTY { id } else { name };
    let function = builder.strings.get(name).to_owned();
    let place = Place { kind: LocationKind::Region, function: &function, ..Place::default() };
    let location = builder.place(&place);
    builder.contexts.child(ContextId::ROOT, location)
}

/// A count; none, which is told, if it is not a whole number.
fn value_of(json: &mut Json, warnings: &mut Warnings) -> Result<Option<i64>, ReadError> {
    let number = json.any_number()?;
    let whole = number.and_then(Decimal::to_whole);
    if whole.is_none() {
        warnings.add("counts", || "counts that are not whole numbers are left out".to_owned());
    }
    Ok(whole)
}
