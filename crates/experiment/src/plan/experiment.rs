//! Plans as they are written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::RecordOptions;
use serde::{Deserialize, Serialize};

use super::file;
use crate::{Error, FactorKind, Matrix, cells};

/// More runs than this are not planned: who wants more, plans twice.
const MOST_RUNS: usize = 1_000_000;

/// With less memory what isolates a command ends before it can tell why.
const LEAST_MEMORY_MIB: u64 = 16;

/// Files of systems have names of 255 bytes; ours add endings and numbers.
const LONGEST_NAME: usize = 100;

/// What a plan file says.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFile {
    /// Folder for all results.
    pub output: PathBuf,
    /// In the order in which they run.
    pub experiments: Vec<Experiment>,
    /// What the file says, as it is.
    pub text: String,
}

/// One command in several conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// The command, and how it is recorded.
    pub asked: RecordOptions,
    /// What is varied.
    pub matrix: Matrix,
    /// Packages that are there in every cell, as pip writes requirements.
    pub requirements: Vec<String>,
    /// Folders of packages that are looked into besides the index, from that of the plan.
    pub find_links: Vec<PathBuf>,
    /// What is run.
    pub source: SourceOptions,
    /// How it is run.
    pub manner: Manner,
}

/// Which files the command needs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SourceOptions {
    /// Their folder, from that of the plan; that of the plan by default.
    pub folder: PathBuf,
    /// Only these and what is below them, from the folder; without any: what git tracks or would
    /// track, or where it knows nothing of the folder, all files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// They are run where they are, and not copied: for what is too large. Nothing is known of what
    /// they are then, so that such runs are never taken for the same.
    pub in_place: bool,
    /// The plan, where it lies in the folder: it is not a part of what is run.
    #[serde(skip)]
    pub plan: Option<PathBuf>,
}

/// How runs are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manner {
    /// How often each cell runs before what is measured, on each machine.
    pub warm_up_runs: u32,
    /// A run that takes longer, in seconds, is ended and has failed.
    pub timeout_s: f64,
    /// How often a run during which the machine was disturbed is repeated.
    pub repeats: u32,
    /// The command can read nothing but its files, reaches no network and does not outlive its
    /// limits.
    pub isolated: bool,
    /// What an isolated command may use.
    pub limits: LimitOptions,
}

/// What an isolated command may use at most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitOptions {
    /// MiB of memory.
    pub memory_mib: u64,
    /// Seconds on processors.
    pub processor_s: u64,
    /// Processes and threads.
    pub processes: u64,
    /// MiB in the folder that it may write into.
    pub folder_mib: u64,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner {
            warm_up_runs: 0,
            timeout_s: 600.0,
            repeats: 2,
            isolated: false,
            limits: LimitOptions::default(),
        }
    }
}

impl Manner {
    /// What may make a run another one. Bounds, and how often what was disturbed is repeated, say
    /// nothing of a run that ended within them.
    pub(crate) fn without_bounds(&self) -> Manner {
        let Manner { warm_up_runs, isolated, .. } = *self;
        Manner { warm_up_runs, isolated, ..Manner::default() }
    }

    /// Whether it bounds runs as another one does.
    pub(crate) fn has_bounds_of(&self, other: &Manner) -> bool {
        self.timeout_s == other.timeout_s
            && (self.limits == other.limits || !self.isolated && !other.isolated)
    }
}

impl Default for LimitOptions {
    fn default() -> LimitOptions {
        LimitOptions { memory_mib: 2048, processor_s: 600, processes: 256, folder_mib: 512 }
    }
}

impl PlanFile {
    /// Reads a plan. Folders in it are told from that of the plan.
    ///
    /// # Errors
    /// The file cannot be read, or is not a plan: where it is wrong is told.
    pub fn read(path: &Path) -> Result<PlanFile, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::reading(path))?;
        PlanFile::new(text, path)
    }

    /// The plan of a text that is, or would be, in a file.
    ///
    /// # Errors
    /// It is not a plan: where it is wrong is told.
    pub fn new(text: String, path: &Path) -> Result<PlanFile, Error> {
        file::read(text, path)
    }
}

impl Experiment {
    /// A command that runs in one cell.
    pub fn new(asked: RecordOptions) -> Experiment {
        Experiment {
            asked,
            matrix: Matrix::default(),
            requirements: vec![],
            find_links: vec![],
            source: SourceOptions::default(),
            manner: Manner::default(),
        }
    }

    /// Whether it is nothing but a recording: one cell and nothing that only experiments have.
    pub fn is_plain(&self) -> bool {
        let SourceOptions { folder, plan, .. } = self.source.clone();
        let source = SourceOptions { folder, plan, ..SourceOptions::default() };
        *self == Experiment { source, ..Experiment::new(self.asked.clone()) }
    }

    /// What is wrong with it: where, and what.
    pub(crate) fn fault(&self) -> Option<(String, String)> {
        let at = |place: &str, what: String| Some((place.to_owned(), what));
        let asked = &self.asked;
        if asked.command.is_empty() {
            return at("command", format!("experiment '{}' has no command", asked.name));
        }
        if asked.name.is_empty()
            || asked.name.contains(['/', '\0', '\n'])
            || asked.name.starts_with('.')
        {
            return at("name", format!("'{}' cannot name files", asked.name));
        }
        if asked.name.len() > LONGEST_NAME {
            let length = asked.name.len();
            let what = format!("it has {length} bytes and names files: at most {LONGEST_NAME}");
            return at("name", what);
        }
        if asked.runs == 0 {
            return at("runs", "nothing is to run: ask for one run or more".to_owned());
        }
        if let Err(error) = record::recorder(&asked.recorder) {
            return at("recorder", error.to_string());
        }
        if asked.overhead != record::Overhead::default() {
            let what = "`hotframe record` measures overhead, experiments do not";
            return at("overhead", what.to_owned());
        }
        if !(self.manner.timeout_s > 0.0 && self.manner.timeout_s <= 1e7) {
            return at("timeout_s", "it is a number of seconds above 0".to_owned());
        }
        let LimitOptions { memory_mib, .. } = self.manner.limits;
        if self.manner.isolated && memory_mib < LEAST_MEMORY_MIB {
            let what =
                format!("what isolates the command needs {LEAST_MEMORY_MIB} MiB (memory_mib)");
            return at("limits", what);
        }
        let runs = cells::count(&self.matrix).saturating_mul(asked.runs as usize);
        if runs > MOST_RUNS {
            let what = format!("the matrix has {runs} runs, and may have {MOST_RUNS}");
            return at("matrix", what);
        }
        if cells(&self.matrix).is_empty() {
            return at("exclude", "it leaves no combination that could run".to_owned());
        }
        if asked.recorder != "file" && asked.file.is_some() {
            let what = "it is what recorder = \"file\" reads, and no other one does";
            return at("file", what.to_owned());
        }
        if asked.recorder == "file"
            && asked.file.as_ref().is_none_or(|file| file.as_os_str().is_empty())
        {
            let what = "it needs the name of what the command leaves: file = \"out.prof\"";
            return at("recorder", what.to_owned());
        }
        if asked.file.as_deref().is_some_and(|file| !record::is_below(file)) {
            let what = "it is relative to the folder of the command, and must not leave it";
            return at("file", what.to_owned());
        }
        self.fault_of_placeholders()
    }

    /// Every parameter stands somewhere, and everything in braces is one.
    fn fault_of_placeholders(&self) -> Option<(String, String)> {
        let mut texts: Vec<&str> = self.asked.command.iter().map(String::as_str).collect();
        texts.extend(self.asked.environment.values().map(String::as_str));
        let unused = self.matrix.factors.iter().find(|factor| {
            let placeholder = format!("{{{}}}", factor.name);
            factor.kind == FactorKind::Parameter
                && !texts.iter().any(|text| text.contains(&placeholder))
        })?;
        let what = format!("nothing uses '{}': write {{{}}} in command", unused.name, unused.name);
        Some((format!("matrix.{}", unused.name), what))
    }

    /// The command in a cell, and the variables of its environment.
    pub fn command_in(&self, levels: &BTreeMap<&str, &str>) -> RecordOptions {
        let fill = |text: &String| {
            let mut text = text.clone();
            for (name, level) in levels {
                text = text.replace(&format!("{{{name}}}"), level);
            }
            text
        };
        let environment = self.asked.environment.iter();
        RecordOptions {
            command: self.asked.command.iter().map(fill).collect(),
            environment: environment.map(|(name, text)| (name.clone(), fill(text))).collect(),
            ..self.asked.clone()
        }
    }
}
