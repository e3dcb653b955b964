//! Reading speedscope's JSON.
//!
//! Met in the wild and read: frames after the profiles, the type and the unit of a profile after
//! its events, times of events that go back, spans that overlap or never end, weights that are not
//! whole, profiles that are other metrics of the same samples (memray, austin, Hotframe itself).

use profile::{
    ContextId, LocationId, Metric, Point, Points, Profile, ProfileBuilder, StringId, ThreadId,
};

use super::{EXPORTER, FORMAT};
use crate::decimal::Decimal;
use crate::id_index::IdIndex;
use crate::json::{Json, Kind};
use crate::path::Path;
use crate::scale::Scale;
use crate::spans::{Spans, Stretch};
use crate::stream::Stream;
use crate::{ReadError, ReadOptions, Warnings};

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut file = File::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "shared" => {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    if key == "frames" {
                        file.frames(&mut json, options)?;
                    }
                }
            }
            "profiles" => {
                json.array()?;
                while json.next_element()? {
                    let series = Series::read(&mut json, &mut file, options, warnings)?;
                    file.series.push(series);
                }
            }
            "name" => file.name = text(&mut json)?,
            "exporter" => file.exporter = text(&mut json)?,
            "activeProfileIndex" => file.active = json.optional(Json::u64)?,
            _ => {}
        }
    }
    json.finish()?;
    file.finish(warnings)
}

/// Digits after the point that are kept.
const MOST_DECIMALS: u8 = 9;

/// What is collected of the file.
#[derive(Default)]
struct File {
    builder: ProfileBuilder,
    frames: Vec<Frame>,
    /// Numbers of the frames that stacks name; locations are made of them in the end.
    used: IdIndex,
    path: Path,
    series: Vec<Series>,
    name: String,
    exporter: String,
    active: Option<u64>,
}

#[derive(Clone, Copy, Default)]
struct Frame {
    name: StringId,
    file: StringId,
    line: u32,
    column: u32,
}

/// One of the file's profiles.
#[derive(Default)]
struct Series {
    name: String,
    unit: String,
    start: Option<Decimal>,
    end: Option<Decimal>,
    scale: Option<Scale>,
    contexts: Vec<ContextId>,
    values: Vec<i64>,
    /// Whether it has events; then contexts and values are those of stretches.
    evented: bool,
    spans: Spans,
    starts: Vec<i64>,
    calls: Vec<bool>,
}

/// Series that are metrics of the same samples.
struct Group {
    series: Vec<Series>,
    /// Metric of each.
    metrics: Vec<usize>,
    thread: Option<ThreadId>,
}

impl File {
    fn frames(&mut self, json: &mut Json, options: &ReadOptions) -> Result<(), ReadError> {
        json.array()?;
        while json.next_element()? {
            let mut frame = Frame::default();
            if json.kind()? == Kind::Object {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    match key {
                        "name" => frame.name = self.text(json)?,
                        "file" => frame.file = self.text(json)?,
                        "line" => frame.line = position(json)?,
                        "col" => frame.column = position(json)?,
                        _ => {}
                    }
                }
            }
            self.frames.push(frame);
            if self.frames.len().is_multiple_of(1024) {
                options.check_memory(self.heap_bytes())?;
            }
        }
        Ok(())
    }

    fn text(&mut self, json: &mut Json) -> Result<StringId, ReadError> {
        Ok(match json.kind()? {
            Kind::String | Kind::Number => {
                self.builder.strings.intern(json.string_or_number_text()?)
            }
            _ => StringId::EMPTY,
        })
    }

    fn location(&mut self, frame: u64) -> LocationId {
        LocationId(self.used.number(frame))
    }

    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.frames.len() * size_of::<Frame>()
            + self.used.heap_bytes()
            + self.series.iter().map(Series::heap_bytes).sum::<usize>()
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        self.push_locations(warnings);
        let active = self.active.and_then(|active| usize::try_from(active).ok());
        let active = active.filter(|&active| active < self.series.len());
        let is_ours = self.exporter == EXPORTER;
        let mut groups: Vec<Vec<Series>> = vec![];
        let mut active_group = (0, 0);
        let count = self.series.len();
        for (row, series) in std::mem::take(&mut self.series).into_iter().enumerate() {
            match groups.last_mut().filter(|group| joins(group, &series, is_ours)) {
                Some(group) => group.push(series),
                None => groups.push(vec![series]),
            }
            if active == Some(row) {
                active_group = (groups.len() - 1, groups[groups.len() - 1].len() - 1);
            }
        }
        let has_threads = groups.len() > 1;
        let has_calls = groups.iter().flatten().any(|series| series.evented);
        let mut metrics: Vec<Metric> = vec![];
        let mut placed: Vec<Group> = vec![];
        for group in groups {
            let mut group = Group { series: group, metrics: vec![], thread: None };
            let several = group.series.len() > 1;
            for series in &group.series {
                let metric = metric_of(series, several, is_ours);
                let same = |m: &Metric| m.name == metric.name && m.unit == metric.unit;
                let known = metrics.iter_mut().position(|known| same(known));
                let index = known.unwrap_or(metrics.len());
                match known {
                    Some(known) => {
                        let known = &mut metrics[known];
                        known.decimals = known.decimals.max(metric.decimals);
                    }
                    None => metrics.push(metric),
                }
                group.metrics.push(index);
            }
            if has_threads || thread_in(&group.series[0].name).is_some() {
                group.thread = Some(self.thread(&group.series[0].name));
            }
            placed.push(group);
        }
        tell_units_apart(&mut metrics);
        let default_metric = placed.get(active_group.0).map_or(0, |g| g.metrics[active_group.1]);
        if has_calls {
            metrics.push(Metric {
                name: "calls".into(),
                unit: "count".into(),
                decimals: 0,
                ..Metric::default()
            });
        }
        if metrics.is_empty() {
            metrics.push(Metric {
                name: "weight".into(),
                unit: "count".into(),
                decimals: 0,
                ..Metric::default()
            });
            warnings.add("no profiles", || "the file holds no profiles".to_owned());
        }

        let builder = &mut self.builder;
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        let origin = &mut builder.origin;
        FORMAT.name.clone_into(&mut origin.format);
        origin.default_metric = default_metric;
        origin.default_metric_named = active.is_some() && builder.metrics.len() > 1;
        let names = [&self.name].into_iter().filter(|name| !name.is_empty());
        origin.comments = names.cloned().collect();
        if count == 1 {
            let only = &placed[0].series[0].name;
            if !only.is_empty() && *only != self.name {
                origin.comments.push(only.clone());
            }
        }
        origin.producer = self.exporter;
        // Times are counted from the earliest start.
        let timed = || placed.iter().flat_map(|group| &group.series).filter(|s| s.is_timed());
        let clock = if is_ours { 0 } else { timed().map(Series::start_ns).min().unwrap_or(0) };
        let end = timed().filter_map(|series| nanoseconds(series.end?, &series.unit)).max();
        origin.clock_ns = clock;
        origin.duration_ns = end.filter(|_| !is_ours).map_or(0, |end| end.saturating_sub(clock));
        for group in placed {
            group.push_points(builder, clock, is_ours, warnings);
        }
        Ok(self.builder.finish())
    }

    /// Makes the locations that stacks name already.
    fn push_locations(&mut self, warnings: &mut Warnings) {
        for &id in self.used.ids() {
            let frame = usize::try_from(id).ok().and_then(|id| self.frames.get(id));
            let missing = frame.is_none();
            let Frame { name, file, line, column } = frame.copied().unwrap_or_default();
            if missing {
                warnings.add("frames", || format!("frame {id} is not in the table of frames"));
            }
            let builder = &mut self.builder;
            let name = match missing {
                true => format!("frame {id}"),
                false => builder.strings.get(name).to_owned(),
            };
            let file = builder.strings.get(file).to_owned();
            let named = !(name.is_empty() && file.is_empty());
            let function = named.then(|| builder.function(&name, &file, 0));
            builder.push_location(profile::Location::default(), &[(function, line, column)]);
        }
    }

    fn thread(&mut self, name: &str) -> ThreadId {
        match thread_in(name) {
            Some(InName { process, thread, name }) => {
                let process = process.map(|id| self.builder.process(id));
                let thread = self.builder.thread(process, thread);
                self.builder.threads[thread.index()].name = self.builder.strings.intern(name);
                thread
            }
            None => {
                let name = split_metric(name).map_or(name, |(_, thread)| thread);
                self.builder.thread(None, name)
            }
        }
    }
}

impl Series {
    fn read(
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
        series.end_spans(warnings);
        Ok(series)
    }

    /// A number on the scale of the series.
    fn fit(&mut self, number: Option<Decimal>, warnings: &mut Warnings) -> Option<i64> {
        let scale = self.scale.get_or_insert(Scale::up_to(MOST_DECIMALS));
        let Some(scaled) = number.and_then(|number| scale.fit(number, warnings)) else {
            warnings.add("numbers", || {
                format!("\"{}\": values that are no numbers of 64 bits are left out", self.name)
            });
            return None;
        };
        if let Some(factor) = scaled.grown {
            self.spans.rescale(factor);
            let known = self.values.iter_mut().chain(&mut self.starts);
            known.for_each(|value| *value = value.saturating_mul(factor));
        }
        Some(scaled.value)
    }

    fn events(
        &mut self,
        json: &mut Json,
        file: &mut File,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        self.evented = true;
        let mut count = 0u64;
        json.array()?;
        while json.next_element()? {
            let (mut opens, mut frame, mut at) = (None, None, None);
            json.object()?;
            while let Some(key) = json.next_key()? {
                match key {
                    "type" => {
                        opens = match json.string()? {
                            "O" => Some(true),
                            "C" => Some(false),
                            _ => None,
                        }
                    }
                    "frame" => frame = json.optional(Json::u64)?,
                    "at" => at = json.finite()?,
                    _ => {}
                }
            }
            let at = self.fit(at, warnings);
            let Some(opens) = opens else {
                warnings.add("events", || "events that neither open nor close".to_owned());
                continue;
            };
            self.event(opens, frame, at, file, warnings);
            count += 1;
            if count.is_multiple_of(1024) {
                options.check_memory(file.heap_bytes() + self.heap_bytes())?;
            }
        }
        Ok(())
    }

    fn event(
        &mut self,
        opens: bool,
        frame: Option<u64>,
        at: Option<i64>,
        file: &mut File,
        warnings: &mut Warnings,
    ) {
        let last = self.spans.last();
        let is_first = self.contexts.is_empty() && self.spans.depth() == 0;
        let mut at = at.unwrap_or(last);
        if at < last && !is_first {
            warnings.add("backwards", || {
                format!("\"{}\": times that go back are taken as the time before", self.name)
            });
            at = last;
        }
        self.advance(at);
        match (opens, frame.map(|frame| file.location(frame))) {
            (true, Some(location)) => {
                let context = file.builder.contexts.child(self.spans.context(), location);
                self.spans.begin(context, location.0);
            }
            (true, None) => {
                warnings.add("no frame", || "events that open no frame are left out".to_owned());
            }
            (false, Some(location)) if !self.spans.is_open(location.0) => {
                warnings.add("never opened", || {
                    format!("\"{}\": frames that close but were not open", self.name)
                });
            }
            (false, location) => {
                // What was opened later ends with it.
                while let Some(key) = self.spans.key() {
                    self.advance(at);
                    self.spans.end();
                    if location.is_none_or(|location| location.0 == key) {
                        break;
                    }
                    warnings.add("overlap", || {
                        format!("\"{}\": frames still open end with the one around them", self.name)
                    });
                }
            }
        }
    }

    /// Moves on to `at` and keeps the stretch up to there.
    fn advance(&mut self, at: i64) {
        if let Some(Stretch { context, start, length, calls }) = self.spans.advance(at) {
            self.contexts.push(context);
            self.values.push(length);
            self.starts.push(start);
            self.calls.push(calls > 0);
        }
    }

    /// Ends the spans that nothing ended.
    fn end_spans(&mut self, warnings: &mut Warnings) {
        let open = self.spans.depth() as u64;
        if open == 0 {
            return;
        }
        warnings.add_many("never closed", open, || {
            format!("\"{}\": frames that never close end with the profile", self.name)
        });
        let end = self.end.and_then(|end| self.fit(Some(end), warnings));
        let end = end.unwrap_or(0).max(self.spans.last());
        while self.spans.depth() > 0 {
            self.advance(end);
            self.spans.end();
        }
    }

    fn decimals(&self) -> u8 {
        self.scale.map_or(0, |scale| scale.decimals)
    }

    /// Whether values are times that follow each other.
    fn is_timed(&self) -> bool {
        nanosecond_decimals(&self.unit).is_some()
    }

    /// When it starts, on the producer's clock.
    fn start_ns(&self) -> i64 {
        let first = || {
            Decimal { mantissa: *self.starts.first()?, exponent: -i32::from(self.decimals()) }
                .into()
        };
        self.start.or_else(first).and_then(|start| nanoseconds(start, &self.unit)).unwrap_or(0)
    }

    fn heap_bytes(&self) -> usize {
        self.contexts.capacity() * 4
            + (self.values.capacity() + self.starts.capacity()) * 8
            + self.calls.capacity()
            + self.spans.heap_bytes()
    }
}

impl Group {
    fn push_points(
        self,
        builder: &mut ProfileBuilder,
        clock: i64,
        untimed: bool,
        warnings: &mut Warnings,
    ) {
        let mut values = vec![0; builder.metrics.len()];
        let factors: Vec<i64> = (self.series.iter().zip(&self.metrics))
            .map(|(series, &metric)| {
                10i64.pow(u32::from(builder.metrics[metric].decimals - series.decimals()))
            })
            .collect();
        let timed = self.series.iter().find(|series| series.is_timed());
        let clocked = timed.unwrap_or(&self.series[0]);
        let to_ns = |value: i64| {
            let decimal = Decimal { mantissa: value, exponent: -i32::from(clocked.decimals()) };
            nanoseconds(decimal, &clocked.unit).unwrap_or(i64::MAX)
        };
        let is_timed = clocked.is_timed() && !untimed;
        let mut passed = 0i64;
        let start = clocked.start_ns().saturating_sub(clock);
        for (row, &context) in self.series[0].contexts.iter().enumerate() {
            values.fill(0);
            for ((series, &metric), &factor) in self.series.iter().zip(&self.metrics).zip(&factors)
            {
                let value = series.values[row];
                values[metric] = value.checked_mul(factor).unwrap_or_else(|| {
                    warnings
                        .add("scale", || "values too large for the decimals of others".to_owned());
                    value.saturating_mul(factor)
                });
            }
            let time = match clocked.starts.get(row) {
                Some(&at) => to_ns(at).saturating_sub(clock),
                None => start.saturating_add(to_ns(passed)),
            };
            passed = passed.saturating_add(clocked.values[row]);
            if let (Some(&called), Some(calls)) = (clocked.calls.get(row), values.last_mut()) {
                *calls = called.into();
            }
            let time = is_timed.then_some(time);
            builder.points.push_point(
                Point { context, time, thread: self.thread, ..Point::default() },
                &values,
            );
        }
    }
}

/// A thread as py-spy names it.
struct InName<'a> {
    process: Option<&'a str>,
    thread: &'a str,
    name: &'a str,
}

/// The parts of `Process 12 Thread 34 "name"`, as py-spy writes it.
fn thread_in(text: &str) -> Option<InName<'_>> {
    let (process, rest) = match text.strip_prefix("Process ") {
        Some(rest) => rest.split_once(' ').map(|(id, rest)| (Some(id), rest))?,
        None => (None, text),
    };
    let (thread, name) = rest.strip_prefix("Thread ")?.split_once(' ')?;
    let name = name.strip_prefix('"')?.strip_suffix('"')?;
    Some(InName { process, thread, name })
}

/// The metric and the thread of `CPU time profile for 12:0:34`, as austin names profiles.
fn split_metric(name: &str) -> Option<(&str, &str)> {
    name.split_once(" profile for ").filter(|(metric, _)| {
        ["CPU time", "Wall time", "Memory allocation", "Memory deallocation"].contains(metric)
    })
}

/// Whether `series` is one more metric of the samples of `group`.
fn joins(group: &[Series], series: &Series, is_ours: bool) -> bool {
    let may = |known: &Series| {
        let metrics = (split_metric(&known.name), split_metric(&series.name));
        match metrics {
            (Some((metric, thread)), Some((other, others))) => metric != other && thread == others,
            _ => known.unit != series.unit || (is_ours && known.name != series.name),
        }
    };
    let is_sampled = |series: &Series| !series.evented && !series.contexts.is_empty();
    is_sampled(series)
        && group.iter().all(|known| is_sampled(known) && may(known))
        && group[0].contexts == series.contexts
}

/// The metric of a series; `several` if it is one of several of the same samples.
fn metric_of(series: &Series, several: bool, is_ours: bool) -> Metric {
    let unit = match series.unit.as_str() {
        "none" | "" => "count",
        unit => unit,
    };
    let name = match (split_metric(&series.name), series.unit.as_str()) {
        (Some((metric, _)), _) => metric,
        _ if (several || is_ours) && !series.name.is_empty() => &series.name,
        (None, "bytes") => "memory",
        (None, unit) if nanosecond_decimals(unit).is_some() => "time",
        _ => "weight",
    };
    Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        decimals: series.decimals(),
        ..Metric::default()
    }
}

/// Adds the unit to names that stand for several metrics.
fn tell_units_apart(metrics: &mut [Metric]) {
    let names: Vec<String> = metrics.iter().map(|metric| metric.name.clone()).collect();
    for metric in metrics {
        if names.iter().filter(|name| **name == metric.name).count() > 1 {
            metric.name = format!("{} ({})", metric.name, metric.unit);
        }
    }
}

/// How many decimals of a unit of time are nanoseconds.
fn nanosecond_decimals(unit: &str) -> Option<u8> {
    Some(match unit {
        "nanoseconds" => 0,
        "microseconds" => 3,
        "milliseconds" => 6,
        "seconds" => 9,
        _ => return None,
    })
}

fn nanoseconds(number: Decimal, unit: &str) -> Option<i64> {
    number.to_scaled(nanosecond_decimals(unit)?)
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
        warnings.add("stacks", || "stacks with frames that are no whole numbers".to_owned());
    }
    Ok(path.context())
}

/// A text; empty for `null` and the like.
fn text(json: &mut Json) -> Result<String, ReadError> {
    Ok(match json.kind()? {
        Kind::String => json.string()?.to_owned(),
        _ => String::new(),
    })
}

/// A line or column; 0 if it is none.
fn position(json: &mut Json) -> Result<u32, ReadError> {
    let number = if json.kind()? == Kind::Number { json.finite()? } else { None };
    Ok(number.and_then(Decimal::to_whole).and_then(|line| u32::try_from(line).ok()).unwrap_or(0))
}
