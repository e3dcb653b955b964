//! What is asked of a recorder: by options of a command, or by a plan.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A command, and how it is to be measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordOptions {
    /// What the recording is called; files are named after it.
    pub name: String,
    /// The program and its arguments. No shell comes in between.
    pub command: Vec<String>,
    /// Where the command runs; where it was asked for by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Variables of the command, besides those that are there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Who measures.
    #[serde(default = "perf")]
    pub recorder: String,
    /// The file that the command leaves, from the folder where it runs; for the recorder `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// How often the command runs for each set of events.
    #[serde(default = "one")]
    pub runs: u32,
    /// The first milliseconds are recorded and marked as warm-up.
    #[serde(default)]
    pub warm_up_ms: u64,
    /// How threads get their names.
    #[serde(default)]
    pub threads: ThreadNames,
    /// How much measuring costs is measured, too.
    #[serde(default)]
    pub overhead: Overhead,
    /// What is asked of perf.
    #[serde(default)]
    pub perf: PerfOptions,
    /// What is asked of the sampler of Python.
    #[serde(default, skip_serializing_if = "PythonOptions::is_default")]
    pub python: PythonOptions,
    /// What is asked of the tracer of Python.
    #[serde(default, skip_serializing_if = "TraceOptions::is_default")]
    pub trace: TraceOptions,
}

fn perf() -> String {
    "perf".to_owned()
}

fn one() -> u32 {
    1
}

impl RecordOptions {
    /// A command that runs once, with everything else as it is by default.
    pub fn new(name: impl Into<String>, command: Vec<String>) -> RecordOptions {
        RecordOptions {
            name: name.into(),
            command,
            folder: None,
            environment: BTreeMap::new(),
            recorder: perf(),
            file: None,
            runs: 1,
            warm_up_ms: 0,
            threads: ThreadNames::default(),
            overhead: Overhead::default(),
            perf: PerfOptions::default(),
            python: PythonOptions::default(),
            trace: TraceOptions::default(),
        }
    }
}

/// How threads get names besides those that they give themselves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ThreadNames {
    /// The command tells them on standard output, in lines `TID: name,tid`.
    pub log: bool,
    /// `REGEX=NAME`: threads whose own name matches are called so, the first rule that matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// Runs that tell what measuring costs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Overhead {
    /// How often the command runs without being measured, in between the other runs.
    pub runs: u32,
    /// Frequencies at which it is measured besides, as often.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frequencies: Vec<u32>,
}

/// What is asked of perf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PerfOptions {
    /// Samples a second, for each event and processor.
    pub frequency: u32,
    /// A sample after so many events instead, for all events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    /// Events as perf writes them; groups in braces. Without any: those of `events`' default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// Where none of the events opens, take samples of time instead.
    pub or_time: bool,
    /// How call stacks are found.
    pub call_graph: CallGraph,
    /// How many counters the processor has; found out where it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<u32>,
    /// All events in each run, even where counters are then shared and figures are estimates.
    pub multiplex: bool,
    /// Count, and take no samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Counting>,
    /// Leave the kernel out.
    pub user_only: bool,
    /// A process that runs already, in place of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Of such a process: recording ends after so many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Options of perf that are passed on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
}

impl Default for PerfOptions {
    fn default() -> PerfOptions {
        PerfOptions {
            // A prime, so that samples do not keep step with what the command does regularly.
            frequency: 997,
            period: None,
            events: vec![],
            or_time: false,
            call_graph: CallGraph::Auto,
            counters: None,
            multiplex: false,
            count: None,
            user_only: false,
            pid: None,
            duration_ms: None,
            more: vec![],
        }
    }
}

/// What is asked of the sampler of Python.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PythonOptions {
    /// Samples a second of each thread; as many as cost little where it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<u32>,
    /// Whether the program is stopped while its stacks are read.
    pub pausing: Pausing,
    /// Recording ends after so many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// A process that runs already, in place of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The process alone, without those that it starts.
    pub without_children: bool,
}

impl PythonOptions {
    fn is_default(&self) -> bool {
        *self == PythonOptions::default()
    }
}

/// What is asked of the tracer of Python.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TraceOptions {
    /// After so many calls a function is no longer traced; 0 for never.
    pub limit: u64,
    /// Functions that are written in C are left out.
    pub without_c_functions: bool,
    /// Calls are added up by caller and callee, and none is traced.
    pub counts: bool,
    /// Functions whose arguments and results are told, `NAME` or `NAME:VARIABLE,VARIABLE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// Allocations are sampled in place of calls: bytes from one sample to the next on average, 0 for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions {
            limit: 10_000,
            without_c_functions: false,
            counts: false,
            log: vec![],
            memory: None,
        }
    }
}

impl TraceOptions {
    /// Whether functions are switched off after some calls.
    pub(crate) fn is_bounded(&self) -> bool {
        self.limit > 0 && !self.counts && self.memory.is_none()
    }

    fn is_default(&self) -> bool {
        *self == TraceOptions::default()
    }
}

/// Whether a program is held while its stacks are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pausing {
    /// Where stacks cannot be read on the program's own processor, where it does not run meanwhile.
    #[default]
    Auto,
    /// Always, all of its threads.
    Always,
    /// Never.
    Never,
}

/// How call stacks are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallGraph {
    /// By copies of the stack, or by frame pointers where copies do not help or are too large.
    Auto,
    /// None.
    None,
    /// By frame pointers: small, and wrong where code is compiled without.
    Fp,
    /// By copies of the stack, unwound later: right with debug information, and large.
    Dwarf,
    /// By the processor's last branches: Intel, a few frames.
    Lbr,
}

/// Counting without samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counting {
    /// Counts are told every so many milliseconds.
    #[serde(default = "tenth_of_a_second")]
    pub interval_ms: u64,
    /// Each processor by itself, with everything that runs there.
    #[serde(default)]
    pub by_cpu: bool,
}

fn tenth_of_a_second() -> u64 {
    100
}

impl Default for Counting {
    fn default() -> Counting {
        Counting { interval_ms: tenth_of_a_second(), by_cpu: false }
    }
}
