//! Sampled stacks in a trace: `stackFrames` and the samples that name them.

use hashbrown::HashMap;
use profile::{LocationId, Point, ProfileBuilder, ThreadId};

use super::event::{Event, position, text};
use crate::graph::parents;
use crate::graph::parents::NONE;
use crate::json::Json;
use crate::{ReadError, ReadOptions, Warnings};

/// The table of stack frames.
#[derive(Default)]
pub(super) struct StackFrames {
    rows: HashMap<String, u32>,
    parents: Vec<u32>,
    /// None for a frame that was only named yet.
    locations: Vec<Option<LocationId>>,
}

/// A sample.
pub(super) struct Sample {
    /// Row of its innermost frame.
    pub(super) frame: u32,
    /// Nanoseconds.
    pub(super) time: i64,
    /// Row of its thread.
    pub(super) thread: u32,
    pub(super) weight: i64,
    pub(super) cpu: Option<u32>,
}

/// The samples of a trace.
#[derive(Default)]
pub(super) struct Sampled {
    pub(super) list: Vec<Sample>,
    /// The name of all; empty where they have several, or none.
    pub(super) weights_of: Option<String>,
    pub(super) frames: StackFrames,
}

impl StackFrames {
    /// The row of an identifier; none for the empty one.
    pub(super) fn row(&mut self, id: &str) -> u32 {
        if id.is_empty() {
            return NONE;
        }
        if let Some(&row) = self.rows.get(id) {
            return row;
        }
        let row = self.parents.len() as u32;
        self.rows.insert(id.to_owned(), row);
        self.parents.push(NONE);
        self.locations.push(None);
        row
    }

    /// Reads the table at the cursor.
    pub(super) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        mut place: impl FnMut(&mut ProfileBuilder, &Event) -> LocationId,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        let (mut event, mut parent) = (Event::default(), String::new());
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            let row = self.row(key);
            if row == NONE || !json.try_object()? {
                continue;
            }
            event.clear();
            parent.clear();
            while let Some(key) = json.next_key()? {
                match key {
                    "name" => text(json, &mut event.name)?,
                    "parent" => text(json, &mut parent)?,
                    // As our writer tells places.
                    "filename" => {
                        event.has_place = true;
                        text(json, &mut event.file)?;
                    }
                    "line" => event.line = position(json)?.unwrap_or(0),
                    "column" => event.column = position(json)?.unwrap_or(0),
                    _ => {}
                }
            }
            self.parents[row as usize] = self.row(&parent);
            self.locations[row as usize] = Some(place(builder, &event));
            if self.parents.len().is_multiple_of(1024) {
                options.check_memory(builder.heap_bytes() + self.heap_bytes())?;
            }
        }
        Ok(())
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.capacity() * 56 + self.parents.capacity() * 12
    }
}

/// The metrics of samples: how long they last, how many they are, and what they weigh where they are told to
/// weigh other than 1.
pub(super) struct Places {
    pub(super) time: usize,
    pub(super) count: usize,
    pub(super) weight: Option<usize>,
}

/// Pushes a point a sample; each lasts until the next of its thread.
pub(super) fn push_points(
    Sampled { list: mut samples, frames, .. }: Sampled,
    threads: &[Option<ThreadId>],
    places: Places,
    clock: i64,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let contexts = parents::contexts(
        &frames.parents,
        |row| frames.locations[row],
        &mut builder.contexts,
        || warnings.add("circles", || "stack frames are their own ancestors".to_owned()),
    );
    samples.sort_by_key(|sample| (sample.thread, sample.time));
    let mut values = vec![0; builder.metrics.len()];
    for (row, sample) in samples.iter().enumerate() {
        let next = samples.get(row + 1).filter(|next| next.thread == sample.thread);
        let known = contexts.get(sample.frame as usize);
        let context = known.copied().unwrap_or(profile::ContextId::ROOT);
        if context == profile::ContextId::ROOT && sample.frame != NONE {
            warnings.add("frames", || "samples whose stack frames are not in the table".to_owned());
        }
        match places.weight {
            Some(weight) => (values[places.count], values[weight]) = (1, sample.weight),
            None => values[places.count] = sample.weight,
        }
        values[places.time] = next.map_or(0, |next| next.time.saturating_sub(sample.time));
        let point = Point {
            context,
            time: Some(sample.time.saturating_sub(clock)),
            thread: threads.get(sample.thread as usize).copied().flatten(),
            cpu: sample.cpu,
            ..Point::default()
        };
        builder.points.push_point(point, &values);
    }
}
