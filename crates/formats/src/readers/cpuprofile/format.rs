//! The format, and how its profiles are read.

use profile::{Metric, Points, Profile, ProfileBuilder, Timing};

use super::write;
use crate::graph::v8_nodes::{NodeTree, Samples};
use crate::input::stream::Stream;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::{
    About, Carries, Feature, Format, Part, ReadError, ReadOptions, Reader, Sniff, Warnings, Writer,
};

pub(crate) const FORMAT: Format = Format {
    name: "cpuprofile",
    title: "V8 CPU profile (Node, Chrome DevTools)",
    extensions: &["cpuprofile"],
    about: About {
        carries: "samples with their times, stacks, scripts, lines, columns; hits by line",
        estimates: "which of a node's samples was on which of the lines that it has hits on, among \
                    which V8 counts those of functions that it inlined, wherever they stand: lines \
                    before the function begins are not believed; \
                    garbage collection and (program) stand on the stack that ran before, as \
                    Chrome draws them; a sample lasts until the next one",
        skips: "why functions were deoptimised",
        checked_against: "sums by the protocol's definition",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Fractions,
                Feature::Stackless,
                Feature::CallPaths,
                Feature::Files,
                Feature::Lines,
                Feature::Columns,
                Feature::Starts,
                Feature::StartColumns,
                Feature::Separators,
            ],
            as_labels: &[],
            besides: Carries::nothing,
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};

/// Time and samples, the metrics of sampled profiles of V8.
pub(crate) fn metrics() -> Vec<Metric> {
    // A sample lasts from its time until that of the next one.
    let time = Metric { timing: Timing::Length, ..Metric::new("time", "nanoseconds") };
    vec![time, Metric::new("samples", "count")]
}

/// Microseconds as nanoseconds.
fn nanoseconds(microseconds: Decimal) -> i64 {
    let limit = if microseconds.mantissa < 0 { i64::MIN } else { i64::MAX };
    microseconds.to_scaled(3).unwrap_or(limit)
}

/// The profile at the cursor, an object with `nodes` or `head`.
#[derive(Default)]
pub(crate) struct CpuProfile {
    pub(crate) nodes: NodeTree,
    pub(crate) samples: Samples,
    /// In microseconds.
    pub(crate) start: Option<Decimal>,
    pub(crate) end: Option<Decimal>,
    /// Whether the nodes are a tree, as before 2016; then start and end are in seconds.
    is_old: bool,
    /// Times of samples on the producer's clock.
    timestamps: Vec<i64>,
}

impl CpuProfile {
    /// Reads the members of the object, which was entered.
    pub(crate) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        while let Some(key) = json.next_key()? {
            match key {
                "nodes" => {
                    json.array()?;
                    while json.next_element()? {
                        self.nodes.read(json, builder, options)?;
                    }
                }
                "head" => {
                    self.is_old = true;
                    self.nodes.read(json, builder, options)?;
                }
                "samples" => self.read_samples(json, builder, options)?,
                "timeDeltas" => self.read_deltas(json, builder, options)?,
                "timestamps" => {
                    let held = self.heap_bytes();
                    times(json, &mut self.timestamps, builder, held, options)?;
                }
                "lines" => self.read_lines(json)?,
                "startTime" => self.start = json.finite()?,
                "endTime" => self.end = json.finite()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Numbers of the nodes of samples.
    pub(crate) fn read_samples(
        &mut self,
        json: &mut Json,
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if json.kind()? != Kind::Array {
            return Ok(());
        }
        let held = builder.heap_bytes();
        json.numbers(|id| {
            // No node has the largest number.
            let id = id.and_then(Decimal::to_whole).and_then(|id| u64::try_from(id).ok());
            self.samples.nodes.push(self.nodes.number(id.unwrap_or(u64::MAX)));
            match self.samples.nodes.len() % 1024 {
                0 => options.check_memory(held + self.heap_bytes()),
                _ => Ok(()),
            }
        })
    }

    /// Times between samples, in microseconds.
    pub(crate) fn read_deltas(
        &mut self,
        json: &mut Json,
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !self.samples.deltas.is_empty() {
            // Some tools write them twice, inside of the profile and beside it.
            return Ok(());
        }
        let held = self.heap_bytes();
        times(json, &mut self.samples.deltas, builder, held, options)
    }

    /// Lines of samples.
    pub(crate) fn read_lines(&mut self, json: &mut Json) -> Result<(), ReadError> {
        if json.kind()? != Kind::Array {
            return Ok(());
        }
        json.numbers(|line| {
            let line = line.and_then(Decimal::to_whole).and_then(|line| u32::try_from(line).ok());
            self.samples.lines.push(line.unwrap_or(0));
            Ok(())
        })
    }

    /// Adds a later part of the same profile.
    pub(crate) fn absorb(&mut self, part: CpuProfile) {
        let numbers = self.nodes.absorb(part.nodes);
        let samples = part.samples;
        self.samples.nodes.extend(samples.nodes.into_iter().map(|node| numbers[node as usize]));
        self.samples.deltas.extend(samples.deltas);
        self.samples.lines.extend(samples.lines);
        self.timestamps.extend(part.timestamps);
        // A head without a start says 0.
        self.start = self.start.filter(|start| start.mantissa != 0).or(part.start).or(self.start);
        self.end = part.end.or(self.end);
    }

    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.nodes.heap_bytes() + self.samples.heap_bytes() + self.timestamps.capacity() * 8
    }

    /// Puts times in their place, once all is read.
    pub(crate) fn settle(&mut self) {
        let time = |number: Option<Decimal>| {
            number.map(|number| {
                if self.is_old {
                    number.to_scaled(9).unwrap_or(i64::MAX)
                } else {
                    nanoseconds(number)
                }
            })
        };
        let (start, end) = (time(self.start), time(self.end));
        let samples = &mut self.samples;
        samples.end = end;
        if let Some(start) = start {
            samples.start = start;
        }
        if samples.deltas.is_empty() && !self.timestamps.is_empty() {
            samples.start = start.unwrap_or(self.timestamps[0]);
            let mut last = samples.start;
            samples.deltas = std::mem::take(&mut self.timestamps);
            for time in &mut samples.deltas {
                let delta = time.saturating_sub(last);
                last = *time;
                *time = delta;
            }
        }
        if samples.deltas.is_empty() && !samples.nodes.is_empty() {
            // Without times, the samples divide the whole among them.
            let count = samples.nodes.len() as i64;
            let whole = end.unwrap_or(samples.start).saturating_sub(samples.start).max(0);
            samples.deltas.resize(samples.nodes.len(), whole / count);
            samples.deltas[0] = 0;
        }
    }
}

fn times(
    json: &mut Json,
    times: &mut Vec<i64>,
    builder: &ProfileBuilder,
    held: usize,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    if json.kind()? != Kind::Array {
        return Ok(());
    }
    let held = held + builder.heap_bytes();
    json.numbers(|time| {
        times.push(time.map_or(0, nanoseconds));
        match times.len() % 1024 {
            0 => options.check_memory(held + times.capacity() * 8),
            _ => Ok(()),
        }
    })
}

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_new = outline.at(&["nodes", "0", "callFrame"]).is_some();
    let is_timed = ["timeDeltas", "samples", "startTime"].iter().any(|key| outline.has(&[key]));
    let is_old = outline.at(&["head", "functionName"]).is_some()
        && outline.at(&["head", "selfSize"]).is_none();
    if is_new || is_old {
        Sniff::Yes
    } else if is_timed && outline.at(&["nodes", "0", "hitCount"]).is_some() {
        Sniff::Maybe
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
    let mut builder = ProfileBuilder::new(metrics());
    let mut profile = CpuProfile::default();
    json.object()?;
    profile.read(&mut json, &mut builder, options)?;
    json.finish()?;
    profile.settle();
    let CpuProfile { nodes, samples, .. } = profile;
    FORMAT.name.clone_into(&mut builder.origin.format);
    "V8".clone_into(&mut builder.origin.producer);
    let has_nodes = !nodes.is_empty() || samples.nodes.is_empty();
    ReadError::unless(has_nodes, FORMAT.name, "list of \"nodes\" for its samples")?;
    if nodes.is_empty() {
        warnings.add("no nodes", || "the profile has no nodes".to_owned());
    }
    let clock = samples.start;
    builder.origin.clock_ns = clock;
    builder.origin.duration_ns = samples.last().saturating_sub(clock);
    let mut nodes = nodes.resolve(&mut builder, warnings);
    if samples.nodes.is_empty() {
        builder.metrics.remove(0);
        builder.points = Points::new(1);
        nodes.hits(&mut builder, |builder, context, hits| {
            builder.points.push(context, profile::LabelSetId(0), &[hits]);
        });
    } else {
        samples.push_points(&mut nodes, &mut builder, clock, None, warnings);
    }
    Ok(builder.finish())
}
