//! stackprof's JSON (Ruby): stacks in the order of their samples where they were kept (`raw`), else
//! the frames and which called which, from which call paths are estimated.

#![allow(
    clippy::collapsible_match,
    reason = "a guard cannot borrow the reader that the key is borrowed from"
)]

use hashbrown::HashMap;
use profile::{
    ContextId, ContextTreeBuilder, LocationId, Metric, Place, Point, Points, Profile,
    ProfileBuilder,
};

use crate::graph::call_graph::CallGraph;
use crate::graph::id_index::IdIndex;
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "stackprof",
    title: "stackprof JSON (Ruby)",
    extensions: &["stackprof.json"],
    about: About {
        carries: "samples with times, stacks, files and first lines of methods; where stacks were \
                  not kept, self samples by line and who called whom",
        estimates: "call paths, where stacks were not kept",
        skips: "lines, where stacks were kept",
        checked_against: "stackprof --text",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// A method.
#[derive(Default)]
struct Frame {
    id: u64,
    name: String,
    file: String,
    line: u32,
    samples: i64,
    /// Line and its own samples.
    lines: Vec<(u32, i64)>,
    /// Called method and the samples in it.
    edges: Vec<(u64, i64)>,
}

#[derive(Default)]
struct StackprofParser {
    builder: ProfileBuilder,
    frames: Vec<Frame>,
    used: IdIndex,
    /// Stacks that were kept, and how many samples follow each other in them.
    stacks: Vec<(ContextId, u64)>,
    /// Microseconds.
    times: Vec<i64>,
    deltas: Vec<i64>,
    mode: String,
}

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    if outline.has(&["mode", "interval", "samples"]) || outline.has(&["raw", "gc_samples"]) {
        Sniff::Yes
    } else {
        Sniff::No
    }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut is_one = false;
    let mut reading = StackprofParser::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "mode" => reading.mode = json.any_text()?,
            "missed_samples" => {
                let missed = json.any_number()?.and_then(|n| n.to_whole()).unwrap_or(0);
                if missed > 0 {
                    let count = missed.unsigned_abs();
                    warnings.add_many("missed", count, || "stackprof missed samples".to_owned());
                }
            }
            "metadata" => {
                if json.try_object()? {
                    while let Some(key) = json.next_key()? {
                        let key = key.to_owned();
                        let value = json.any_text()?;
                        reading.builder.origin.comments.push(format!("{key}: {value}"));
                    }
                }
            }
            "frames" => {
                is_one = true;
                if json.try_object()? {
                    while let Some(key) = json.next_key()? {
                        let id = key.parse().unwrap_or(u64::MAX);
                        if json.try_object()? {
                            let frame = frame(&mut json, id)?;
                            reading.frames.push(frame);
                        }
                        options.check_memory(reading.frames.capacity() * size_of::<Frame>())?;
                    }
                }
            }
            "raw" => {
                is_one = true;
                reading.raw(&mut json, options, warnings)?;
            }
            "raw_sample_timestamps" => numbers(&mut json, &mut reading.times, options)?,
            "raw_timestamp_deltas" => numbers(&mut json, &mut reading.deltas, options)?,
            _ => {}
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "table of \"frames\" and no \"raw\" stacks")?;
    Ok(reading.finish(warnings))
}

fn numbers(json: &mut Json, list: &mut Vec<i64>, options: &ReadOptions) -> Result<(), ReadError> {
    if !json.try_array()? {
        return Ok(());
    }
    while json.next_element()? {
        list.push(json.any_number()?.and_then(|number| number.to_scaled(0)).unwrap_or(0));
        if list.len().is_multiple_of(1024) {
            options.check_memory(list.capacity() * 8)?;
        }
    }
    Ok(())
}

fn frame(json: &mut Json, id: u64) -> Result<Frame, ReadError> {
    let mut frame = Frame { id, ..Frame::default() };
    while let Some(key) = json.next_key()? {
        match key {
            "name" => frame.name = json.any_text()?,
            "file" => frame.file = json.any_text()?,
            "line" => frame.line = json.any_position()?,
            "samples" => {
                frame.samples = json.any_number()?.and_then(|n| n.to_scaled(0)).unwrap_or(0)
            }
            "edges" => {
                if json.try_object()? {
                    while let Some(key) = json.next_key()? {
                        let callee = key.parse().unwrap_or(u64::MAX);
                        let samples = json.any_number()?.and_then(|n| n.to_scaled(0)).unwrap_or(0);
                        frame.edges.push((callee, samples));
                    }
                }
            }
            "lines" => {
                if json.try_object()? {
                    while let Some(key) = json.next_key()? {
                        let line = key.parse().unwrap_or(0);
                        // Samples in all, and its own.
                        let mut own = 0;
                        if json.try_array()? {
                            while json.next_element()? {
                                own = json.any_number()?.and_then(|n| n.to_scaled(0)).unwrap_or(0);
                            }
                        }
                        frame.lines.push((line, own));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(frame)
}

impl StackprofParser {
    /// Lengths, that many frames from the root, and how many samples.
    fn raw(
        &mut self,
        json: &mut Json,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        let mut path = Path::default();
        while json.next_element()? {
            let mut left = json.u64()?;
            path.start();
            let mut is_whole = true;
            while left > 0 && is_whole {
                is_whole = json.next_element()?;
                if is_whole {
                    let location = LocationId(self.used.number(json.u64()?));
                    path.step(&mut self.builder.contexts, location);
                    left -= 1;
                }
            }
            if !is_whole || !json.next_element()? {
                warnings.add("raw", || "the last stack is cut".to_owned());
                return Ok(());
            }
            self.stacks.push((path.context(), json.u64()?));
            if self.stacks.len().is_multiple_of(1024) {
                options.check_memory(self.builder.heap_bytes() + self.stacks.capacity() * 16)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let builder = &mut self.builder;
        FORMAT.name.clone_into(&mut builder.origin.format);
        builder.origin.producer = match self.mode.as_str() {
            "" => "stackprof".to_owned(),
            mode => format!("stackprof ({mode})"),
        };
        let name = if self.mode == "object" { "objects" } else { "samples" };
        let metric = |name: &str, unit: &str| Metric {
            name: name.into(),
            unit: unit.into(),
            decimals: 0,
            ..Metric::default()
        };
        builder.metrics = vec![metric(name, "count")];
        if self.stacks.is_empty() {
            // Of a stack that was cut nothing is left.
            builder.contexts = ContextTreeBuilder::default();
            builder.points = Points::new(1);
            self.estimate(warnings);
            return self.builder.finish();
        }
        let by_id: HashMap<u64, &Frame> = self.frames.iter().map(|f| (f.id, f)).collect();
        for &id in self.used.ids() {
            let unknown = Frame { name: format!("frame {id}"), ..Frame::default() };
            let frame = *by_id.get(&id).unwrap_or(&&unknown);
            if frame.id != id {
                warnings.add("frames", || format!("frame {id} is not in the table of frames"));
            }
            let function = builder.function(&frame.name, &frame.file, frame.line);
            builder.push_location(profile::Location::default(), &[(Some(function), frame.line, 0)]);
        }
        let is_timed = !self.deltas.is_empty() && self.mode != "object";
        if is_timed {
            builder.metrics.push(metric("time", "nanoseconds"));
        }
        let metrics = builder.metrics.len();
        builder.points = Points::new(metrics);
        let clock = self.times.first().copied().unwrap_or(0);
        builder.origin.clock_ns = clock.saturating_mul(1000);
        let has_times = !self.times.is_empty() || !self.deltas.is_empty();
        let (mut row, mut passed) = (0, 0i64);
        for (context, count) in std::mem::take(&mut self.stacks) {
            let mut left = count;
            while left > 0 {
                let delta = self.deltas.get(row).copied();
                passed = passed.saturating_add(delta.unwrap_or(0));
                let time = self.times.get(row).map(|time| time.saturating_sub(clock));
                let is_known = time.is_some() || delta.is_some();
                // Without times, samples are no more than a number.
                let samples = if has_times && is_known { 1 } else { left };
                let time = time.or(delta.map(|_| passed)).map(|time| time.saturating_mul(1000));
                let point = Point { context, time, ..Point::default() };
                let held = i64::try_from(samples).unwrap_or(i64::MAX);
                let values = [held, delta.unwrap_or(0).saturating_mul(1000)];
                builder.points.push_point(point, &values[..metrics]);
                row += 1;
                left -= samples;
            }
        }
        self.builder.finish()
    }

    fn estimate(&mut self, warnings: &mut Warnings) {
        let builder = &mut self.builder;
        builder.origin.estimated_paths = true;
        let mut graph = CallGraph::new(1).without_calls();
        let mut nodes = HashMap::new();
        let mut places = HashMap::new();
        for frame in &self.frames {
            let Frame { name, file, line, .. } = frame;
            let place =
                Place { function: name, file, start_line: *line, line: *line, ..Place::default() };
            let location = builder.place(&place);
            nodes.insert(frame.id, graph.function(location));
            places.insert(frame.id, location);
        }
        for frame in &self.frames {
            let (node, entry) = (nodes[&frame.id], places[&frame.id]);
            let mut left = frame.samples;
            for &(line, own) in frame.lines.iter().filter(|&&(_, own)| own != 0) {
                let Frame { name, file, line: start_line, .. } = frame;
                let place = Place {
                    function: name,
                    file,
                    start_line: *start_line,
                    line,
                    ..Place::default()
                };
                let location = builder.place(&place);
                graph.add_self(node, location, &[own]);
                left = left.saturating_sub(own);
            }
            if left != 0 {
                graph.add_self(node, entry, &[left]);
            }
            for (callee, samples) in &frame.edges {
                match nodes.get(callee) {
                    Some(&callee) => graph.add_calls(node, entry, callee, *samples, &[*samples]),
                    None => warnings
                        .add("frames", || format!("frame {callee} is not in the table of frames")),
                }
            }
        }
        graph.estimate(builder, Point::default(), warnings);
    }
}
