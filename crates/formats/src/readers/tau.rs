//! TAU's profiles, as its user guide describes them: a file `profile.<node>.<context>.<thread>` a
//! thread, in a folder `MULTI__<METRIC>` a metric where there are several.
//!
//! ```text
//! 23 templated_functions_MULTI_TIME
//! # Name Calls Subrs Excl Incl ProfileCalls # <metadata>…</metadata>
//! "main" 1 7 449 51781 0 GROUP="TAU_DEFAULT"
//! "main => MPI_Init()  " 1 0 17983 17983 0 GROUP="TAU_CALLPATH|MPI"
//! ```
//! A function has a row of its own, and rows for its call paths with the same time again: the
//! paths are taken, and of the function's own row only what they do not explain. Paths have a
//! limited length (`TAU_CALLPATH_DEPTH`); where they do not reach the root, callers above are
//! estimated (see `call_graph`).

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use profile::{
    LocationId, LocationKind, MemberId, Metric, MetricId, Place as CodePlace, Point, Points,
    Profile, ProfileBuilder, ThreadId,
};
use quick_xml::events::Event;

use crate::graph::call_graph::{CallGraph, Totals};
use crate::input::folder;
use crate::input::folder::{Folder, FolderFile};
use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::text::lines::Lines;
use crate::{About, FolderReader, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "tau",
    title: "TAU profile.n.c.t, a file or a folder with all ranks, threads and metrics",
    extensions: &[],
    about: About {
        carries: "every metric, calls, call paths, ranks and threads, source places, what sampling \
                  found (as metrics of its own), command and host",
        estimates: "callers above the recorded depth of call paths; own values are exact",
        skips: "user events and aggregates (counted), groups",
        checked_against: "Hatchet",
    },
    reader: Some(Reader { sniff, read }),
    folder: Some(FolderReader {
        sniff: sniff_folder,
        read: read_folder,
        is_part: |_| false,
        siblings: |_| vec![],
    }),
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let is_head = lines.next().is_some_and(|line| header(line).is_some())
        && lines.next().is_some_and(|line| line.starts_with("# Name Calls Subrs Excl Incl"));
    if is_head { Sniff::Yes } else { Sniff::No }
}

fn sniff_folder(files: &[FolderFile]) -> Sniff {
    let has_profiles = files.iter().any(|file| numbers(file.name()).is_some());
    if has_profiles { Sniff::Yes } else { Sniff::No }
}

/// Node, context and thread in a file's name.
fn numbers(name: &str) -> Option<[u32; 3]> {
    let mut parts = name.strip_prefix("profile.")?.split('.').map(str::parse);
    let numbers = [parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?];
    parts.next().is_none().then_some(numbers)
}

/// The number of rows and the metric of a first line.
fn header(line: &str) -> Option<(u64, &str)> {
    let (count, rest) = line.trim().split_once(' ')?;
    let metric = rest.trim().strip_prefix("templated_functions")?;
    let metric = metric.strip_prefix("_MULTI_").unwrap_or("TIME");
    Some((count.parse().ok()?, metric))
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut trial = Trial::default();
    trial.file(stream, None, options, warnings)?;
    Ok(trial.finish(warnings))
}

fn read_folder(
    folder: &dyn Folder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut files: Vec<([u32; 3], &FolderFile)> =
        folder.files().iter().filter_map(|file| Some((numbers(file.name())?, file))).collect();
    files.sort();
    let mut trial = Trial::default();
    for (numbers, file) in files {
        let read = |stream: Stream| trial.file(stream, Some(numbers), options, warnings);
        folder::read_file(folder, &file.path, options, read)?;
    }
    Ok(trial.finish(warnings))
}

/// All files together.
#[derive(Default)]
struct Trial {
    builder: ProfileBuilder,
    /// Names of metrics; those of samples are told apart by the flag.
    metrics: Vec<(String, bool)>,
    /// Rows by thread.
    threads: BTreeMap<Option<[u32; 3]>, Thread>,
    bytes: usize,
}

#[derive(Default)]
struct Thread {
    rows: HashMap<Vec<LocationId>, Row>,
}

/// What a thread measured of a function or of a call path.
#[derive(Default)]
struct Row {
    calls: i64,
    /// Own and inclusive values, by metric.
    values: Vec<(usize, Decimal, Decimal)>,
}

impl Thread {
    /// Whether there are functions alone: no call paths, and nothing that sampling found.
    fn is_flat(&self) -> bool {
        self.rows.keys().all(|path| path.len() == 1)
    }
}

impl Row {
    /// Own and inclusive values by metric, in units of so many decimals.
    fn scaled(&self, decimals: &[u8]) -> (Vec<i64>, Vec<i64>) {
        let (mut own, mut inclusive) = (vec![0i64; decimals.len()], vec![0i64; decimals.len()]);
        for &(metric, own_value, inclusive_value) in &self.values {
            let add = |sum: &mut i64, value: Decimal| {
                *sum = sum.saturating_add(value.to_scaled(decimals[metric]).unwrap_or(i64::MAX));
            };
            add(&mut own[metric], own_value);
            add(&mut inclusive[metric], inclusive_value);
        }
        (own, inclusive)
    }
}

impl Trial {
    fn file(
        &mut self,
        stream: Stream,
        numbers: Option<[u32; 3]>,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let mut lines = Lines::new(stream, FORMAT.name)?;
        let malformed = |place, reason: &str| ReadError::Malformed {
            format: FORMAT.name,
            place,
            reason: reason.to_owned(),
        };
        let Some(first) = lines.next_line()? else {
            warnings.add("empty", || "files without content are skipped".to_owned());
            return Ok(());
        };
        let Some((count, name)) = header(first.text) else {
            return Err(malformed(first.place, "the first line counts no templated_functions"));
        };
        let metric = self.metric(name, false);
        let sampled_metric_name = name.to_owned();
        let mut left = count;
        // Of this file alone: a folder has many.
        let mut skipped = Warnings::default();
        while let Some(line) = lines.next_line()? {
            let text = line.text.trim();
            if let Some((_, metadata)) = text.strip_prefix('#').and_then(|t| t.split_once('<')) {
                self.metadata(&format!("<{metadata}"));
                continue;
            }
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if left == 0 {
                self.after_rows(text, warnings);
                continue;
            }
            left -= 1;
            let Some(row) = parse_row(text) else {
                skipped.add("row", || {
                    let start: String = text.chars().take(60).collect();
                    format!("line {} is skipped, it is not a row: {start}", line.number)
                });
                continue;
            };
            let is_sampled = row.name.contains("[CONTEXT]");
            let metric = if is_sampled { self.metric(&sampled_metric_name, true) } else { metric };
            let path: Vec<LocationId> =
                row.name.split(" => ").map(|part| place(&mut self.builder, part)).collect();
            self.bytes += path.len() * 4 + 120;
            let entry = self.threads.entry(numbers).or_default().rows.entry(path).or_default();
            // Every metric's file has the calls again.
            entry.calls = entry.calls.max(row.calls);
            entry.values.push((metric, row.own, row.inclusive));
            if line.number.is_multiple_of(1024) {
                options.check_memory(self.bytes + self.builder.heap_bytes())?;
            }
        }
        lines.check_skipped(&skipped, &["row"])?;
        warnings.append(&skipped);
        if left > 0 {
            warnings.add("cut", || format!("{left} of {count} rows of a file are missing"));
        }
        Ok(())
    }

    fn metric(&mut self, name: &str, sampled: bool) -> usize {
        let known = self.metrics.iter().position(|(n, s)| n == name && *s == sampled);
        known.unwrap_or_else(|| {
            self.metrics.push((name.to_owned(), sampled));
            self.metrics.len() - 1
        })
    }

    /// Aggregates and user events follow the rows.
    fn after_rows(&mut self, text: &str, warnings: &mut Warnings) {
        let counted = text.split_once(' ').and_then(|(count, what)| {
            let count: u64 = count.parse().ok()?;
            ["aggregates", "userevents"].contains(&what.trim()).then_some((count, what))
        });
        if let Some((count, what)) = counted
            && count > 0
        {
            let kind = if what.trim() == "userevents" { "user events" } else { "aggregates" };
            warnings.add_many(kind, count, || format!("{kind} are not shown"));
        }
    }

    /// Takes what is worth knowing from `<metadata><attribute><name>…</name><value>…</value>…`.
    fn metadata(&mut self, xml: &str) {
        let mut reader = quick_xml::Reader::from_str(xml);
        let (mut text, mut name) = (String::new(), String::new());
        // Damaged metadata end the list; the measurements do not depend on them.
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(_) => text.clear(),
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(part) => {
                    let known = quick_xml::escape::resolve_predefined_entity(&part);
                    text.push_str(known.unwrap_or_default());
                }
                Event::End(end) => match end.name().as_ref() {
                    "name" => name.clone_from(&text),
                    "value" => self.fact(&name, &text),
                    _ => {}
                },
                Event::Eof => break,
                _ => {}
            }
        }
    }

    fn fact(&mut self, name: &str, value: &str) {
        let origin = &mut self.builder.origin;
        match name {
            "TAU Version" => origin.producer = format!("TAU {value}"),
            "Starting Timestamp" if origin.time_ns == 0 => {
                let microseconds: i64 = value.parse().unwrap_or(0);
                origin.time_ns = microseconds.saturating_mul(1000);
            }
            "Command Line" | "Executable" | "Hostname" | "CPU Type" | "OS Release" => {
                let comment = format!("{name}: {value}");
                if !origin.comments.contains(&comment) {
                    origin.comments.push(comment);
                }
            }
            _ => {}
        }
    }

    fn finish(self, warnings: &mut Warnings) -> Profile {
        let Trial { mut builder, metrics, threads, .. } = self;
        FORMAT.name.clone_into(&mut builder.origin.format);
        let mut decimals = vec![0u8; metrics.len()];
        for (metric, own, inclusive) in
            threads.values().flat_map(|thread| thread.rows.values()).flat_map(|row| &row.values)
        {
            let most = own.decimals().max(inclusive.decimals()).min(6);
            decimals[*metric] = decimals[*metric].max(most);
        }
        for ((name, sampled), &decimals) in metrics.iter().zip(&decimals) {
            let is_time = name.contains("TIME") || name == "LINUX_TIMERS";
            let unit = if is_time { "microseconds" } else { "count" }.to_owned();
            let name = if *sampled { format!("{name} of samples") } else { name.clone() };
            builder.metrics.push(Metric { name, unit, decimals, ..Metric::default() });
        }
        let calls = Metric {
            name: "calls".to_owned(),
            unit: "count".to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        builder.metrics.push(calls);
        builder.points = Points::new(builder.metrics.len());
        let time = metrics.iter().position(|(name, sampled)| name == "TIME" && !sampled);
        builder.origin.default_metric = MetricId(time.unwrap_or(0) as u32);
        let mut totals = Totals::default();
        let has_rows = threads.values().any(|thread| !thread.rows.is_empty());
        if has_rows && threads.values().all(Thread::is_flat) {
            for (path, row) in threads.values().flat_map(|thread| &thread.rows) {
                if let Some(function) = builder.function_of(path[0]) {
                    let (_, inclusive) = row.scaled(&decimals);
                    totals.add(MemberId(0), function, &inclusive);
                }
            }
            // Every function is a root, which it was not.
            builder.origin.estimated_paths = true;
            warnings.add("flat", || {
                "there is a flat profile only: who called whom is not known".to_owned()
            });
        }
        totals.finish(decimals.len(), &mut builder);
        for (numbers, thread) in threads {
            let id = numbers.map(|[node, context, thread]| {
                let process = builder.process(&node.to_string());
                builder.processes[process.index()].name =
                    builder.strings.intern(&format!("node {node}"));
                let id =
                    if context == 0 { thread.to_string() } else { format!("{context}.{thread}") };
                let id = builder.thread(Some(process), &id);
                builder.threads[id.index()].name =
                    builder.strings.intern(&format!("node {node} thread {thread}"));
                id
            });
            add_thread(&mut builder, thread, id, &decimals, warnings);
        }
        builder.finish()
    }
}

/// Turns the rows of a thread into points.
fn add_thread(
    builder: &mut ProfileBuilder,
    thread: Thread,
    id: Option<ThreadId>,
    decimals: &[u8],
    warnings: &mut Warnings,
) {
    let width = decimals.len();
    let values = |row: &Row| row.scaled(decimals);
    let mut rows: Vec<(Vec<LocationId>, Row)> = thread.rows.into_iter().collect();
    rows.sort_by(|(a, _), (b, _)| a.cmp(b));

    // What the paths that end in a function explain of it.
    let mut explained = HashMap::<LocationId, (Vec<i64>, i64)>::new();
    for (path, row) in rows.iter().filter(|(path, _)| path.len() > 1) {
        let (own, _) = values(row);
        let sum = explained.entry(path[path.len() - 1]).or_insert_with(|| (vec![0; width], 0));
        sum.0.iter_mut().zip(own).for_each(|(sum, own)| *sum = sum.saturating_add(own));
        sum.1 = sum.1.saturating_add(row.calls);
    }
    let called: HashSet<LocationId> = explained.keys().copied().collect();
    let is_truncated = rows.iter().any(|(path, _)| path.len() > 1 && called.contains(&path[0]));
    let like = Point { thread: id, ..Point::default() };
    let mut graph = CallGraph::new(width);
    let mut nodes = HashMap::new();
    for (path, row) in &rows {
        let leaf = path[path.len() - 1];
        let (mut own, inclusive) = values(row);
        let mut calls = row.calls;
        if path.len() == 1
            && let Some((known, known_calls)) = explained.get(&leaf)
        {
            own.iter_mut().zip(known).for_each(|(own, known)| *own = (*own - known).max(0));
            calls = (calls - known_calls).max(0);
        }
        if !is_truncated {
            own.push(calls);
            if own.iter().any(|&value| value != 0) {
                let context = builder.stack(path.iter().copied());
                builder.points.push_point(Point { context, ..like }, &own);
            }
            continue;
        }
        let mut node = |at: LocationId| *nodes.entry(at).or_insert_with(|| graph.function(at));
        let callee = node(leaf);
        let caller = (path.len() > 1).then(|| path[path.len() - 2]).map(|at| (node(at), at));
        graph.add_self(callee, leaf, &own);
        match caller {
            Some((caller, site)) => graph.add_calls(caller, site, callee, calls, &inclusive),
            None => graph.add_calls_from_outside(callee, calls),
        }
    }
    if is_truncated {
        graph.estimate(builder, like, warnings);
    }
}

struct ParsedRow<'a> {
    name: &'a str,
    calls: i64,
    own: Decimal,
    inclusive: Decimal,
}

/// `"name" calls subrs excl incl profcalls GROUP="…"`
fn parse_row(text: &str) -> Option<ParsedRow<'_>> {
    let body = text.strip_prefix('"')?;
    let body = body.rsplit_once("GROUP=").map_or(body, |(body, _)| body);
    let (name, numbers) = body.rsplit_once('"')?;
    let mut numbers = numbers.split_whitespace().map(|word| Decimal::parse(word.as_bytes()));
    let calls = numbers.next()??.to_scaled(0)?;
    numbers.next()??;
    let (own, inclusive) = (numbers.next()??, numbers.next()??);
    Some(ParsedRow { name, calls, own, inclusive })
}

/// The place that a name means: `main [{/src/a.c} {12,1}-{40,1}]`, `[SAMPLE] work [{a.c} {17}]`.
fn place(builder: &mut ProfileBuilder, text: &str) -> LocationId {
    let text = text.trim();
    let mut place = CodePlace { function: text, ..CodePlace::default() };
    if let Some((function, source)) = text.strip_suffix(']').and_then(|t| t.rsplit_once("[{"))
        && let Some((file, lines)) = source.split_once('}')
    {
        let line = lines.trim_start().strip_prefix('{').map(|line| line.trim_end_matches('}'));
        let digits =
            |line: &str| -> Option<u32> { line.split([',', '}', '-']).next()?.parse().ok() };
        let line = line.and_then(digits).unwrap_or(0);
        place.function = function.trim();
        place.file = file;
        // A sample knows its line, a timer the first one of its function.
        if function.starts_with("[SAMPLE]") { place.line = line } else { place.start_line = line }
    }
    if let Some(inner) = place.function.strip_prefix("[CONTEXT] ") {
        place.function = inner;
        place.kind = LocationKind::Region;
    }
    for tag in ["[SAMPLE] ", "[UNWIND] ", "[SUMMARY] "] {
        place.function = place.function.strip_prefix(tag).unwrap_or(place.function);
    }
    builder.place(&place)
}
