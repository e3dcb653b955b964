//! The writer of processed profiles, version 55: the last whose tables stand in each thread.

mod markers;

use std::collections::BTreeMap;
use std::io::Write;

use hashbrown::HashMap;
use profile::{FrameId, Metric, Profile, ThreadId, TrackId, TrackKind};
use serde_json::{Value, json};

use crate::WriteError;
use crate::graph::frame_tree::{FrameTree, nanoseconds_of, points_in_time};
pub(super) use markers::besides;
use markers::{Markers, Stretch, number_keys};

pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let tree = FrameTree::new(profile);
    let head = json!({
        "interval": interval(profile),
        "startTime": profile.origin.time_ns as f64 / 1e6,
        "abi": "", "misc": "", "oscpu": "", "platform": "", "processType": 0,
        "extensions": {"id": [], "name": [], "baseURL": [], "length": 0},
        "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}],
        "product": "Hotframe", "stackwalk": 1, "toolkit": "", "version": 27,
        "preprocessedProfileVersion": 55, "symbolicated": true, "debug": false,
        "presymbolicated": true, "markerSchema": markers::schema(profile), "importedFrom": profile.origin.format,
        "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns"},
        "usesOnlyOneStackType": true, "sourceCodeIsNotOnSearchfox": true,
    });
    write!(out, "{{\"meta\":{head},\"libs\":{},\"threads\":[", libs(profile))?;
    // Spans of threads are samples at their times, where the metric is a time.
    let is_timed = has_time(profile);
    let mut of_spans = vec![false; if is_timed { profile.points.len() } else { 0 }];
    if is_timed {
        let spans = &profile.timeline.spans;
        (0..spans.len()).for_each(|row| of_spans[spans.point(row).index()] = true);
    }
    let mut by_owner = BTreeMap::<Owner, Held>::new();
    for point in points_in_time(profile) {
        if !of_spans.get(point).is_some_and(|&is_of| is_of) {
            let owner = Owner::Thread(profile.points.thread(point));
            by_owner.entry(owner).or_default().points.push(point);
        }
    }
    for (row, track) in profile.timeline.tracks.iter().enumerate() {
        let id = TrackId(row as u32);
        let timeline = &profile.timeline;
        if timeline.spans.of_track(id).is_empty() && timeline.marks.of_track(id).is_empty() {
            continue;
        }
        let owner = match track.thread {
            Some(thread) => Owner::Thread(Some(thread)),
            None => Owner::Track(id),
        };
        by_owner.entry(owner).or_default().tracks.push(id);
    }
    let numbers = number_keys(profile);
    let mut pids = vec![];
    for (row, (owner, held)) in by_owner.iter().enumerate() {
        if row > 0 {
            write!(out, ",")?;
        }
        let mut thread = Thread::new(profile, &tree, &held.points);
        let mut stretches = vec![];
        for &track in &held.tracks {
            thread.happened(track, &numbers);
            if is_timed && profile.timeline.tracks[track.index()].kind == TrackKind::Thread {
                stretches.extend(markers::stretches(profile, track));
            }
        }
        stretches.sort_by_key(|stretch| stretch.start);
        thread.stretches(&stretches);
        let written = thread.finish(*owner, row == 0);
        pids.push((written["pid"].as_str().unwrap_or("0").to_owned(), row));
        serde_json::to_writer(&mut *out, &written).map_err(|error| WriteError::Io(error.into()))?;
    }
    write!(out, "],\"counters\":{},\"pages\":[]}}", markers::counters(profile, &pids))?;
    Ok(())
}

/// What a thread of the file stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Thread(Option<ThreadId>),
    /// A track that is of no thread.
    Track(TrackId),
}

/// What a thread of the file has.
#[derive(Default)]
struct Held {
    points: Vec<usize>,
    tracks: Vec<TrackId>,
}

/// Whether the default metric is the time of spans, and not of samples beside them.
fn has_time(profile: &Profile) -> bool {
    let id = profile.origin.default_metric;
    let is_time =
        |metric: &Metric| metric.name == "time" && nanoseconds_of(&metric.unit) == Some(1.0);
    let spans = &profile.timeline.spans;
    profile.metrics.get(id.index()).is_some_and(is_time)
        && (0..spans.len()).any(|row| profile.points.value(spans.point(row).index(), id) != 0)
}

fn libs(profile: &Profile) -> Value {
    let libs = profile.modules.iter().map(|module| {
        let (path, id) = (profile.text(module.name), profile.text(module.build_id));
        let name = profile::base_name(path);
        json!({
            "arch": null, "name": name, "path": path, "debugName": name, "debugPath": path,
            "breakpadId": id, "codeId": id,
        })
    });
    libs.collect()
}

/// The mean time between samples in milliseconds; the page wants one.
fn interval(profile: &Profile) -> f64 {
    let (first, last) = (profile.points.first_time(), profile.points.last_time());
    match (first, last) {
        (Some(first), Some(last)) if last > first => {
            (last - first) as f64 / 1e6 / profile.points.len() as f64
        }
        _ => 1.0,
    }
}

/// The tables of a thread; only what its samples use.
struct Thread<'a> {
    profile: &'a Profile,
    tree: &'a FrameTree,
    strings: Vec<String>,
    string_rows: HashMap<String, usize>,
    /// Rows of stacks by node of the tree, of frames, of functions by name and file.
    stacks: HashMap<u32, usize>,
    stack_table: [Vec<Value>; 2],
    frames: HashMap<FrameId, usize>,
    frame_table: [Vec<Value>; 5],
    functions: HashMap<(usize, Option<usize>, Option<usize>), usize>,
    function_table: [Vec<Value>; 4],
    resources: HashMap<usize, usize>,
    resource_table: [Vec<Value>; 2],
    samples: [Vec<Value>; 3],
    markers: Markers,
}

impl<'a> Thread<'a> {
    fn new(profile: &'a Profile, tree: &'a FrameTree, points: &[usize]) -> Self {
        let mut thread = Thread {
            profile,
            tree,
            strings: vec![],
            string_rows: HashMap::new(),
            stacks: HashMap::new(),
            stack_table: Default::default(),
            frames: HashMap::new(),
            frame_table: Default::default(),
            functions: HashMap::new(),
            function_table: Default::default(),
            resources: HashMap::new(),
            resource_table: Default::default(),
            samples: Default::default(),
            markers: Markers::default(),
        };
        let metric = profile.origin.default_metric;
        let scale = thread.scale();
        let mut passed = 0.0;
        for &point in points {
            let value = profile.points.row(point).get(metric.index()).copied().unwrap_or(0);
            if value == 0 {
                continue;
            }
            let weight = value as f64 * scale;
            // Samples without times follow each other for as long as they last.
            let time = profile.points.time(point).map_or(passed, |time| time as f64 / 1e6);
            passed += weight.abs().max(1e-6);
            let node = tree.node[profile.points.context[point].index()];
            let stack = thread.stack(node).map_or(Value::Null, Value::from);
            let [stacks, times, weights] = &mut thread.samples;
            stacks.push(stack);
            times.push(time.into());
            weights.push(if weight.fract() == 0.0 && weight.abs() < 9e15 {
                (weight as i64).into()
            } else {
                weight.into()
            });
        }
        thread
    }

    /// Appends what spans did, each while as one sample that lasts as long.
    fn stretches(&mut self, stretches: &[Stretch]) {
        for stretch in stretches {
            let node = self.tree.node[stretch.context.index()];
            let stack = self.stack(node).map_or(Value::Null, Value::from);
            let [stacks, times, weights] = &mut self.samples;
            stacks.push(stack);
            times.push((stretch.start as f64 / 1e6).into());
            weights.push((stretch.length as f64 / 1e6).into());
        }
    }

    /// What a value is multiplied by to give a weight.
    fn scale(&self) -> f64 {
        let metric = self.profile.metrics.get(self.profile.origin.default_metric.index());
        metric.map_or(1.0, |metric| {
            nanoseconds_of(&metric.unit).map_or(1.0, |ns| ns / 1e6)
                / 10f64.powi(metric.decimals.into())
        })
    }

    fn weight_type(&self) -> &'static str {
        let metric = self.profile.metrics.get(self.profile.origin.default_metric.index());
        match metric.map_or("", |metric| &*metric.unit) {
            unit if nanoseconds_of(unit).is_some() => "tracing-ms",
            "bytes" => "bytes",
            _ => "samples",
        }
    }

    fn string(&mut self, text: &str) -> usize {
        if let Some(&row) = self.string_rows.get(text) {
            return row;
        }
        self.strings.push(text.to_owned());
        self.string_rows.insert(text.to_owned(), self.strings.len() - 1);
        self.strings.len() - 1
    }

    /// The row of a node's stack; none for the root.
    fn stack(&mut self, node: u32) -> Option<usize> {
        let mut path = vec![];
        let mut at = node;
        while at != 0 && !self.stacks.contains_key(&at) {
            path.push(at);
            at = self.tree.parent[at as usize];
        }
        let mut prefix = self.stacks.get(&at).copied();
        while let Some(node) = path.pop() {
            let frame = self.tree.frame[node as usize]?;
            let frame = self.frame(frame);
            let [frames, prefixes] = &mut self.stack_table;
            frames.push(frame.into());
            prefixes.push(prefix.map_or(Value::Null, Value::from));
            prefix = Some(frames.len() - 1);
            self.stacks.insert(node, frames.len() - 1);
        }
        prefix
    }

    fn frame(&mut self, frame: FrameId) -> usize {
        if let Some(&row) = self.frames.get(&frame) {
            return row;
        }
        let profile = self.profile;
        let function = self.function(frame);
        let location = profile.frames.location[frame.index()];
        let depth = frame.0 - profile.locations.frames(location).start;
        // Addresses are relative to the library's first byte.
        let module = profile.locations.module(location).map(|m| &profile.modules[m.index()]);
        let address = match (profile.locations.address[location.index()], module) {
            (address @ 1.., Some(module)) => {
                let start = module.memory_start.saturating_sub(module.file_offset);
                address.checked_sub(start).map_or(Value::from(-1), Value::from)
            }
            _ => Value::from(-1),
        };
        let known = |number: u32| if number == 0 { Value::Null } else { number.into() };
        let row = [
            address,
            depth.into(),
            function.into(),
            known(profile.frames.line[frame.index()]),
            known(profile.frames.column[frame.index()]),
        ];
        self.frame_table.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
        let row = self.frame_table[0].len() - 1;
        self.frames.insert(frame, row);
        row
    }

    fn function(&mut self, frame: FrameId) -> usize {
        let profile = self.profile;
        let name = self.string(&profile.frame_name(frame));
        let file = Some(profile.frame_file(frame)).filter(|file| !file.is_empty());
        let file = file.map(|file| self.string(file));
        let location = profile.frames.location[frame.index()];
        let module = profile.locations.module(location).map(|module| module.index());
        if let Some(&row) = self.functions.get(&(name, file, module)) {
            return row;
        }
        let resource = module.map(|module| self.resource(module));
        let line = profile
            .frames
            .function(frame)
            .map_or(0, |function| profile.functions.start_line[function.index()]);
        let row = [
            name.into(),
            resource.map_or(Value::from(-1), Value::from),
            file.map_or(Value::Null, Value::from),
            if line == 0 { Value::Null } else { line.into() },
        ];
        self.function_table.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
        let row = self.function_table[0].len() - 1;
        self.functions.insert((name, file, module), row);
        row
    }

    fn resource(&mut self, module: usize) -> usize {
        if let Some(&row) = self.resources.get(&module) {
            return row;
        }
        let name = self.profile.text(self.profile.modules[module].name);
        let name = self.string(profile::base_name(name));
        let [libs, names] = &mut self.resource_table;
        libs.push(module.into());
        names.push(name.into());
        self.resources.insert(module, libs.len() - 1);
        libs.len() - 1
    }

    fn finish(self, owner: Owner, is_main: bool) -> Value {
        let profile = self.profile;
        let (thread, track) = match owner {
            Owner::Thread(id) => (id.map(|id| profile.threads[id.index()]), None),
            Owner::Track(id) => (None, Some(profile.timeline.tracks[id.index()])),
        };
        let of_track = track.and_then(|track| track.process);
        let process = thread.and_then(|thread| thread.process).or(of_track);
        let process = process.map(|p| profile.processes[p.index()]);
        let text = |id: Option<profile::StringId>, other: &str| -> String {
            let text = id.map_or("", |id| profile.text(id));
            if text.is_empty() { other.to_owned() } else { text.to_owned() }
        };
        // Lanes are called by their identifiers, which are not numbers.
        let named = |thread: profile::Thread| match profile.text(thread.name) {
            "" if profile.text(thread.id).parse::<i64>().is_err() => thread.id,
            _ => thread.name,
        };
        // Tracks of no thread are told apart: two processors are not one.
        let other_tid = match owner {
            Owner::Track(id) => format!("track {}", id.0),
            Owner::Thread(_) => "0".to_owned(),
        };
        let weight_type = self.weight_type();
        let [stacks, times, weights] = self.samples;
        let [frames, prefixes] = self.stack_table;
        let [addresses, depths, functions, lines, columns] = self.frame_table;
        let [names, function_resources, files, start_lines] = self.function_table;
        let [libs, resource_names] = self.resource_table;
        let nulls = |len: usize| vec![Value::Null; len];
        let all = |value: Value, len: usize| vec![value; len];
        let (frame_count, function_count) = (addresses.len(), names.len());
        json!({
            "name": text(
                thread.map(named).or(track.map(|track| track.name)),
                track.map_or("samples", |track| track.kind.name()),
            ),
            "processName": text(process.map(|process| process.name), ""),
            "pid": text(process.map(|process| process.id), "0"),
            "tid": text(thread.map(|thread| thread.id), &other_tid),
            "processType": "default", "processStartupTime": 0, "processShutdownTime": null,
            "registerTime": 0, "unregisterTime": null, "isMainThread": is_main,
            "pausedRanges": [], "showMarkersInTimeline": false,
            "samples": {
                "length": stacks.len(), "weightType": weight_type, "stack": stacks,
                "time": times, "weight": weights,
            },
            "markers": self.markers.finish(),
            "stackTable": {"length": frames.len(), "frame": frames, "prefix": prefixes},
            "frameTable": {
                "length": frame_count, "address": addresses, "inlineDepth": depths,
                "category": all(0.into(), frame_count), "subcategory": all(0.into(), frame_count),
                "func": functions, "nativeSymbol": nulls(frame_count),
                "innerWindowID": nulls(frame_count), "line": lines, "column": columns,
            },
            "funcTable": {
                "length": function_count, "name": names,
                "isJS": all(false.into(), function_count),
                "relevantForJS": all(false.into(), function_count),
                "resource": function_resources, "fileName": files, "lineNumber": start_lines,
                "columnNumber": nulls(function_count),
            },
            "resourceTable": {
                "length": libs.len(), "host": nulls(libs.len()), "name": resource_names,
                "type": all(1.into(), libs.len()), "lib": libs,
            },
            "nativeSymbols": {
                "length": 0, "libIndex": [], "address": [], "name": [], "functionSize": [],
            },
            "stringArray": self.strings,
        })
    }
}
