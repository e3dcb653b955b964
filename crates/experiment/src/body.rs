//! What a job says to its worker, and what the worker tells of it.

use std::path::PathBuf;

use jobs::Hash;
use record::{Finding, HostLoad, Machine, RecordOptions, Status};
use serde::{Deserialize, Serialize};

use crate::revision::Revision;
use crate::{EnvironmentSpec, Interpreter, Manner};

/// Something for a worker to do, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// The experiment's name.
    pub experiment: String,
    /// Factors with their kinds and levels, in the order of the plan.
    pub cell: Vec<(String, String, String)>,
    /// Which run of the cell it is, from 1; 0 only builds the environment.
    pub run: u32,
    /// How often it was asked for anew.
    pub again: u32,
    /// The command as it runs in the cell.
    pub asked: RecordOptions,
    /// Archive of the files that it needs; none where it runs where they are.
    pub source: Option<Hash>,
    /// The environment; none where the command runs with what is on PATH.
    pub environment: Option<EnvironmentSpec>,
    /// Why there is no such environment: the run fails with this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// The commit that is run.
    pub revision: Option<Revision>,
    /// How it is run.
    pub manner: Manner,
    /// Where its user has the source: what is measured is told to be there. No part of what a job is.
    pub home: PathBuf,
}

impl Body {
    /// For people: `interpreter=3.12 seconds=0.5`.
    pub fn title(&self) -> String {
        let pairs = self.cell.iter().map(|(name, _, level)| format!("{name}={level}"));
        match pairs.collect::<Vec<_>>() {
            pairs if pairs.is_empty() => "all".to_owned(),
            pairs => pairs.join(" "),
        }
    }

    /// What tells the job from others: all but where it is shown and how long it may take.
    pub(crate) fn identity(&self) -> String {
        let broken = self.broken.as_ref().map(|_| String::new());
        let manner = self.manner.without_bounds();
        let other = Body { home: PathBuf::new(), broken, manner, ..self.clone() };
        // No map of it has keys that are not text.
        serde_json::to_string(&other).unwrap_or_default()
    }
}

/// What is known of one execution.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFacts {
    /// When it began: nanoseconds since 1970.
    pub started_ns: i64,
    /// From the start of the command to its end.
    pub wall_ns: u64,
    /// Time of the command on processors.
    pub cpu_ns: u64,
    /// Time of the recorder on processors.
    pub recorder_cpu_ns: u64,
    /// The most memory that one of its processes had; none where that is not known.
    pub peak_memory_bytes: Option<u64>,
    /// The most memory that its cgroup had: all processes of an isolated command together, with the
    /// files that they wrote and those of the system that it read first; none where there is none.
    #[serde(default)]
    pub cgroup_peak_memory_bytes: Option<u64>,
    /// How it ended; none where that is not known.
    pub status: Option<Status>,
    /// What else the machine did.
    #[serde(default)]
    pub host: HostLoad,
    /// Why its figures are not to be trusted; empty where they are.
    pub disturbed: String,
    /// What the recorder found.
    pub findings: Vec<Finding>,
    /// Which piece of the result it recorded.
    pub piece: Option<usize>,
}

/// What is known of a job that ended, as JSON. Stores keep what earlier versions told besides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobFacts {
    /// Where it ran.
    pub machine: Machine,
    /// How the kernel chooses the frequency of processors; empty where it does not tell.
    pub governor: String,
    /// The interpreter, where there is one.
    pub interpreter: Option<Interpreter>,
    /// What kept the command in; empty where nothing did.
    pub isolation: String,
    /// One after the other; all but the last were disturbed.
    pub runs: Vec<RunFacts>,
}
