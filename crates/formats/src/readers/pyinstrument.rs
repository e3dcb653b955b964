//! pyinstrument's files: sessions (`.pyisession`), which hold every sample, and what its JSON
//! renderer makes of them, a tree with times.

#![allow(
    clippy::collapsible_match,
    reason = "a guard cannot borrow the reader that the key is borrowed from"
)]

use hashbrown::HashMap;
use profile::{
    ContextId, LabelSetId, LocationId, Metric, Place, Point, Points, Profile, ProfileBuilder,
    ThreadId,
};

use crate::graph::parents;
use crate::graph::parents::NONE;
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "pyinstrument",
    title: "pyinstrument session or JSON",
    extensions: &["pyisession"],
    about: About {
        carries: "sessions: every sample with its time, stack, files and lines, threads; JSON: \
                  times and await times by call path",
        skips: "which frames are grouped or hidden",
        checked_against: "pyinstrument's text",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_session = outline.has(&["frame_records"])
        || (outline.has(&["start_call_stack"]) && outline.has(&["sample_count"]));
    let is_tree = outline.has(&["root_frame"]) && outline.has(&["sample_count"]);
    if is_session || is_tree { Sniff::Yes } else { Sniff::No }
}

/// What is collected.
#[derive(Default)]
struct PyinstrumentParser {
    builder: ProfileBuilder,
    /// Identifiers of frames, with the thread where they name one.
    frames: HashMap<String, Result<LocationId, ThreadId>>,
    /// Samples: context, thread, nanoseconds.
    samples: Vec<(ContextId, Option<ThreadId>, i64)>,
    nodes: Vec<Node>,
    has_await: bool,
}

/// A frame of the renderer's tree. Times are those of the frame with all it called.
#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    location: LocationId,
    time: i64,
    awaited: i64,
}

/// A frame that is being read.
#[derive(Default)]
struct Open {
    row: usize,
    function: String,
    class: String,
    file: String,
    line: u32,
    time: i64,
    awaited: i64,
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut is_one = false;
    let mut reading = PyinstrumentParser::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "start_time" => reading.builder.origin.time_ns = seconds(json.any_number()?),
            "duration" => reading.builder.origin.duration_ns = seconds(json.any_number()?),
            "program" | "target_description" => {
                let comment = json.any_text()?;
                reading.builder.origin.comments.push(comment);
            }
            "frame_records" => {
                is_one = true;
                reading.records(&mut json, options)?;
            }
            "root_frame" => {
                is_one = true;
                if json.kind()? == Kind::Object {
                    reading.tree(&mut json, options)?;
                }
            }
            _ => {}
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "\"frame_records\" and no \"root_frame\"")?;
    Ok(reading.finish(warnings))
}

/// Seconds as nanoseconds; 0 if unknown.
fn seconds(number: Option<Decimal>) -> i64 {
    number.and_then(|number| number.to_scaled(9)).unwrap_or(0)
}

impl PyinstrumentParser {
    fn records(&mut self, json: &mut Json, options: &ReadOptions) -> Result<(), ReadError> {
        let mut path = Path::default();
        json.array()?;
        while json.next_element()? {
            // A pair of the stack, root first, and the time.
            let (mut time, mut thread) = (0, None);
            path.start();
            json.array()?;
            while json.next_element()? {
                match json.kind()? {
                    Kind::Array => {
                        json.array()?;
                        while json.next_element()? {
                            match self.frame(json)? {
                                Ok(location) => path.step(&mut self.builder.contexts, location),
                                Err(found) => thread = Some(found),
                            }
                        }
                    }
                    _ => time = seconds(json.any_number()?),
                }
            }
            self.samples.push((path.context(), thread, time));
            if self.samples.len().is_multiple_of(1024) {
                options.check_memory(self.builder.heap_bytes() + self.samples.capacity() * 24)?;
            }
        }
        Ok(())
    }

    /// The location or thread of an identifier: function, file, line, and attributes behind bytes 1
    /// (`l` the line, `c` the class).
    fn frame(&mut self, json: &mut Json) -> Result<Result<LocationId, ThreadId>, ReadError> {
        let text = match json.kind()? {
            Kind::String => json.string()?,
            _ => {
                json.skip()?;
                ""
            }
        };
        if let Some(&known) = self.frames.get(text) {
            return Ok(known);
        }
        let mut attributes = text.split('\u{1}');
        let mut parts = attributes.next().unwrap_or_default().split('\0');
        let name = parts.next().unwrap_or_default();
        let file = parts.next().unwrap_or_default();
        let number = parts.next().unwrap_or_default();
        let found = if file == "<thread>" {
            let thread = self.builder.thread(None, number);
            self.builder.threads[thread.index()].name = self.builder.strings.intern(name);
            Err(thread)
        } else {
            let start_line = number.parse().unwrap_or(0);
            let (mut line, mut class) = (start_line, "");
            for attribute in attributes {
                match attribute.split_at_checked(1) {
                    Some(("l", text)) => line = text.parse().unwrap_or(line),
                    Some(("c", text)) => class = text,
                    _ => {}
                }
            }
            let function = qualified(class, name);
            let place = Place { function: &function, file, start_line, line, ..Place::default() };
            Ok(self.builder.place(&place))
        };
        self.frames.insert(text.to_owned(), found);
        Ok(found)
    }

    fn tree(&mut self, json: &mut Json, options: &ReadOptions) -> Result<(), ReadError> {
        json.object()?;
        let mut open = vec![self.open(NONE)];
        while let Some(frame) = open.last_mut() {
            let child = match json.next_key()? {
                Some("function") => {
                    frame.function = json.any_text()?;
                    false
                }
                Some("class_name") => {
                    frame.class = json.any_text()?;
                    false
                }
                Some("file_path") => {
                    let file = json.any_text()?;
                    if !file.is_empty() {
                        frame.file = file;
                    }
                    false
                }
                Some("file_path_short") => {
                    if frame.file.is_empty() {
                        frame.file = json.any_text()?;
                    }
                    false
                }
                Some("line_no") => {
                    frame.line = json.any_position()?;
                    false
                }
                Some("time") => {
                    frame.time = seconds(json.any_number()?);
                    false
                }
                Some("await_time") => {
                    frame.awaited = seconds(json.any_number()?);
                    self.has_await = true;
                    false
                }
                Some("children") => json.try_array()? && next_object(json)?,
                Some(_) => false,
                None => {
                    if let Some(frame) = open.pop() {
                        self.close(frame);
                    }
                    if self.nodes.len().is_multiple_of(1024) {
                        options.check_memory(
                            self.builder.heap_bytes() + self.nodes.capacity() * size_of::<Node>(),
                        )?;
                    }
                    !open.is_empty() && next_object(json)?
                }
            };
            if child && let Some(parent) = open.last() {
                let parent = parent.row as u32;
                open.push(self.open(parent));
            }
        }
        Ok(())
    }

    fn open(&mut self, parent: u32) -> Open {
        self.nodes.push(Node { parent, location: LocationId(NONE), time: 0, awaited: 0 });
        Open { row: self.nodes.len() - 1, ..Open::default() }
    }

    fn close(&mut self, open: Open) {
        let Open { row, function, class, file, line, time, awaited } = open;
        let function = qualified(&class, &function);
        let location = self.builder.place(&Place {
            function: &function,
            file: &file,
            start_line: line,
            line,
            ..Place::default()
        });
        let parent = self.nodes[row].parent;
        self.nodes[row] = Node { parent, location, time, awaited };
    }

    fn finish(self, warnings: &mut Warnings) -> Profile {
        let PyinstrumentParser { mut builder, samples, mut nodes, has_await, .. } = self;
        let metric = |name: &str, unit: &str| Metric {
            name: name.into(),
            unit: unit.into(),
            decimals: 0,
            ..Metric::default()
        };
        builder.metrics = vec![metric("time", "nanoseconds")];
        match (samples.is_empty(), has_await) {
            (false, _) => builder.metrics.push(metric("samples", "count")),
            (true, true) => builder.metrics.push(metric("await time", "nanoseconds")),
            (true, false) => {}
        }
        let metrics = builder.metrics.len();
        builder.points = Points::new(metrics);
        FORMAT.name.clone_into(&mut builder.origin.format);
        "pyinstrument".clone_into(&mut builder.origin.producer);
        let mut at = 0i64;
        for (context, thread, time) in samples {
            let point = Point { context, thread, time: Some(at), ..Point::default() };
            builder.points.push_point(point, &[time, 1][..metrics]);
            at = at.saturating_add(time);
        }
        let parents: Vec<u32> = nodes.iter().map(|node| node.parent).collect();
        let location = |row: usize| Some(nodes[row].location);
        let contexts = parents::contexts(&parents, location, &mut builder.contexts, || {
            warnings.add("circles", || "frames are their own ancestors".to_owned());
        });
        // From times with what was called to times without. Parents stand before their children,
        // so a child's time is still whole when its parent loses it.
        for row in 0..nodes.len() {
            let Node { parent, time, awaited, .. } = nodes[row];
            if let Some(parent) = nodes.get_mut(parent as usize) {
                parent.time = parent.time.saturating_sub(time);
                parent.awaited = parent.awaited.saturating_sub(awaited);
            }
        }
        for (node, context) in nodes.iter().zip(contexts) {
            if node.time != 0 || node.awaited != 0 {
                builder.points.push(context, LabelSetId(0), &[node.time, node.awaited][..metrics]);
            }
        }
        builder.finish()
    }
}

/// Goes to the next element that is an object, and into it.
fn next_object(json: &mut Json) -> Result<bool, ReadError> {
    while json.next_element()? {
        if json.try_object()? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn qualified(class: &str, function: &str) -> String {
    match class {
        "" => function.to_owned(),
        class if function.starts_with(&format!("{class}.")) => function.to_owned(),
        class => format!("{class}.{function}"),
    }
}
