//! What a manifest says of a recording.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::check;
use crate::{Error, Finding, HostLoad, Machine, RecordOptions, files};

/// Of all manifests; another shape gets another number.
pub(super) const VERSION: u32 = 1;

/// One or several experiments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the shape: 1.
    pub hotframe_recording: u32,
    /// In the order in which they were recorded or merged.
    pub experiments: Vec<Experiment>,
}

/// A command that was recorded once or several times in the same way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What people call it.
    pub name: String,
    /// What was asked for.
    pub asked: RecordOptions,
    /// Who recorded.
    pub recorder: Tool,
    /// Where it ran.
    pub machine: Machine,
    /// What was measured.
    pub events: Events,
    /// One execution each.
    pub runs: Vec<Run>,
    /// What is to be known of all of it.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

/// A program that records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// `perf`.
    pub name: String,
    /// `6.1.187`.
    pub version: String,
}

/// What was measured, and what could not be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// Those that opened here.
    pub opened: Vec<Event>,
    /// Those that were asked for and do not open here.
    #[serde(default)]
    pub not_supported: Vec<NotSupported>,
}

/// An event that opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// As perf calls it.
    pub name: String,
    /// When samples are taken; none where events are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
    /// Which runs measure it: those of this set; none where all do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<u32>,
    /// It is a clock, no counter of the processor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_time: bool,
}

/// When samples are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// So many a second; the kernel adapts the period.
    Frequency(u32),
    /// After so many events.
    Period(u64),
    /// As perf does it by default.
    Default,
    /// Never; samples of the first of its group tell its count.
    Read,
}

/// An event that does not open here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotSupported {
    /// As it was asked for.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// One execution of the command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// From 1.
    pub number: u32,
    /// What was done besides running it.
    pub kind: RunKind,
    /// What was recorded, beside the manifest or with its whole path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Its bytes.
    #[serde(default)]
    pub size: u64,
    /// Names of the events that were measured.
    pub events: Vec<String>,
    /// How the command ended; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// When it ran, and what that took.
    #[serde(default)]
    pub course: Course,
    /// What is in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<Holds>,
    /// Totals, where events were counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Count>,
    /// What threads are called, by the command's log: thread and name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<(u32, String)>,
    /// What is to be known of it.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

/// When a run was, and what it took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// When it began: RFC 3339; empty where it is not known.
    pub started: String,
    /// From the start of the recorder to its end.
    pub duration_ns: u64,
    /// Processor time of the command; where it was recorded, in steps of the kernel's accounts,
    /// mostly 10 ms.
    pub cpu_ns: u64,
    /// Processor time of the recorder.
    #[serde(default)]
    pub recorder_cpu_ns: u64,
    /// The most bytes of memory that the command, or one of its children, had at a time; none where
    /// that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// The most files that the recorder had open.
    pub descriptors: u64,
    /// What else the machine did.
    #[serde(default, skip_serializing_if = "HostLoad::is_unknown")]
    pub host: HostLoad,
    /// Samples a second that were asked for, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<u32>,
    /// Where the warm-up ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<Warmup>,
    /// Somebody stopped it; it is run again by `--resume`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stopped: bool,
}

/// What is in a recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holds {
    /// Samples by event.
    pub samples: BTreeMap<String, u64>,
    /// Threads of the command that began or have samples.
    pub threads: u64,
    /// Records that were lost.
    #[serde(default)]
    pub lost: u64,
    /// How often the kernel held events back.
    #[serde(default)]
    pub throttled: u64,
    /// When the first sample was taken, on the clock of the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ns: Option<u64>,
    /// When the last one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_ns: Option<u64>,
}

/// What was done besides running the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// Samples were taken.
    Sampled,
    /// Events were counted.
    Counted,
    /// Nothing, to know what measuring costs.
    Unmeasured,
    /// Samples were taken to know what that costs.
    Overhead,
    /// A recording that was made before.
    Added,
}

impl RunKind {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            RunKind::Sampled => "sampled",
            RunKind::Counted => "counted",
            RunKind::Unmeasured => "unmeasured",
            RunKind::Overhead => "overhead",
            RunKind::Added => "added",
        }
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// By itself, with a code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
}

impl Status {
    /// Why a run that ended so failed; none where it did not.
    pub fn failure(self) -> Option<String> {
        match self {
            Status::Exit(0) => None,
            Status::Exit(code) => Some(format!("it ended with code {code}")),
            Status::Signal(signal) => Some(format!("it was ended by signal {signal}")),
        }
    }
}

/// The beginning of a run that is not to be counted, though it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warmup {
    /// How long it is, from the first sample.
    pub length_ns: u64,
    /// When it ends on the clock of the recording; none where the file does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_ns: Option<u64>,
}

/// How often an event happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// As perf calls it.
    pub event: String,
    /// Processor; none where all are together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u32>,
    /// The sum over all intervals, in the unit.
    pub total: f64,
    /// `msec` for clocks, empty for counts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Intervals that were counted.
    pub intervals: u64,
    /// The least share of an interval in which the event had a counter: below 1, the total is an
    /// estimate.
    pub coverage: f64,
}

impl Manifest {
    /// A manifest of this version.
    pub fn new(experiments: Vec<Experiment>) -> Manifest {
        Manifest { hotframe_recording: VERSION, experiments }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// The file cannot be read, is not a manifest, or says what cannot be.
    pub fn read(file: &Path) -> Result<Manifest, Error> {
        /// More than any manifest has.
        const MOST_BYTES: u64 = 256 << 20;
        let mut text = String::new();
        let opened = File::open(file).map_err(Error::reading(file))?;
        opened.take(MOST_BYTES).read_to_string(&mut text).map_err(Error::reading(file))?;
        let mut json = serde_json::Deserializer::from_str(&text);
        let wrong = |place: &str, what: String| Error::Document {
            file: file.to_owned(),
            place: if place == "." { String::new() } else { format!("{place}: ") },
            what,
        };
        let manifest: Manifest = serde_path_to_error::deserialize(&mut json)
            .map_err(|error| wrong(&error.path().to_string(), error.inner().to_string()))?;
        json.end().map_err(|error| wrong(".", error.to_string()))?;
        match check::first_fault(&manifest) {
            Some((place, what)) => Err(wrong(&place, what)),
            None => Ok(manifest),
        }
    }

    /// Writes it as a whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), Error> {
        files::write(file, &self.bytes())
    }

    /// Its bytes as they stand in a file.
    pub fn bytes(&self) -> Vec<u8> {
        // No map of it has keys that are not text.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}
