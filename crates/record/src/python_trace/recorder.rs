//! The recorder.

use std::path::Path;

use super::{prepare, recording, verify};
use crate::manifest::{Run, Tool};
use crate::plan::{Plan, PlannedRun};
use crate::process::Watch;
use crate::recorder::{Origin, Recorder, Unavailable};
use crate::{Error, Finding, RecordOptions};

/// Records with the package `hotframe`.
#[derive(Debug)]
pub(crate) struct PythonTrace;

const NAME: &str = "python-trace";

/// What is recorded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// As manifests call it.
    pub(super) event: &'static str,
    /// What files of it are called.
    pub(super) ending: &'static str,
    /// What is said of a process that goes on, and of one that was killed.
    pub(super) goes_on: &'static str,
}

impl Kind {
    pub(super) fn new(asked: &RecordOptions) -> Kind {
        match &asked.trace {
            options if options.memory.is_some() => Kind {
                event: "allocations",
                ending: "memory",
                goes_on: "its memory is recorded up to here",
            },
            options if options.counts => {
                Kind { event: "calls", ending: "prof", goes_on: "its calls are not counted" }
            }
            _ => Kind {
                event: "events",
                ending: "calls",
                goes_on: "its trace is recorded up to here",
            },
        }
    }
}

impl Recorder for PythonTrace {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ending(&self, asked: &RecordOptions, _: &PlannedRun) -> &'static str {
        Kind::new(asked).ending
    }

    fn is_inside(&self) -> bool {
        true
    }

    fn available(&self) -> Result<Tool, Unavailable> {
        Ok(Tool { name: "hotframe".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
    }

    fn prepare(&self, asked: &RecordOptions, _: &Path) -> Result<Plan, Error> {
        prepare::prepare(asked, self.available()?)
    }

    fn run(
        &self,
        plan: &Plan,
        planned: &PlannedRun,
        into: &Path,
        watch: &dyn Watch,
    ) -> Result<Run, Error> {
        recording::run(plan, planned, into, watch)
    }

    fn origin(&self, file: &Path) -> Result<Origin, Error> {
        Err(Error::refused(
            format!("{} joins no other recordings", file.display()),
            "traces open together as they are: `hotframe open a.calls b.calls`",
        ))
    }

    fn verify(&self, plan: &Plan, run: &mut Run, file: &Path) -> Result<Vec<Finding>, Error> {
        verify::verify(run, &plan.asked, file)
    }
}
