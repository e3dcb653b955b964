//! What a recorder is.

use std::path::Path;

use crate::manifest::{Events, Run, Tool};
use crate::plan::{Plan, PlannedRun};
use crate::process::Watch;
use crate::{Error, Finding, Machine, RecordOptions};

/// What measures a command.
pub trait Recorder: Sync {
    /// What people and plans call it.
    fn name(&self) -> &'static str;
    /// What recordings are called: `perf.data`, `hotframe`.
    fn ending(&self, asked: &RecordOptions, planned: &PlannedRun) -> &'static str;
    /// Whether it works here.
    ///
    /// # Errors
    /// Why not, and what to do.
    fn available(&self) -> Result<Tool, Unavailable>;
    /// Whether it puts something into the command, which writes what it sees into an [`Exchange`].
    ///
    /// [`Exchange`]: crate::Exchange
    fn is_inside(&self) -> bool {
        false
    }
    /// Looks what works here and plans the runs. Nothing of the command runs yet.
    ///
    /// # Errors
    /// What was asked for cannot be done here, which is said with what to do.
    fn prepare(&self, asked: &RecordOptions, folder: &Path) -> Result<Plan, Error>;
    /// Runs the command once, recorded into a file.
    ///
    /// # Errors
    /// Nothing was recorded.
    fn run(
        &self,
        plan: &Plan,
        run: &PlannedRun,
        into: &Path,
        watch: &dyn Watch,
    ) -> Result<Run, Error>;
    /// What a recording that was made before tells of itself.
    ///
    /// # Errors
    /// The file cannot be read.
    fn origin(&self, file: &Path) -> Result<Origin, Error>;
    /// What is to be known of a recording, told while the machine is still there.
    ///
    /// # Errors
    /// The file cannot be read.
    fn verify(&self, plan: &Plan, run: &mut Run, file: &Path) -> Result<Vec<Finding>, Error>;
}

/// Where a recording comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Who recorded it.
    pub tool: Tool,
    /// What was measured.
    pub events: Events,
    /// Where.
    pub machine: Machine,
}

/// Why a recorder does not work here.
#[derive(Debug, Clone, PartialEq)]
pub struct Unavailable {
    /// What is in the way.
    pub reason: String,
    /// What to do.
    pub advice: String,
}

impl From<Unavailable> for Error {
    fn from(unavailable: Unavailable) -> Error {
        Error::refused(unavailable.reason, unavailable.advice)
    }
}
