//! Python programs, every call of them: the package's tracer runs inside, in each process that the command
//! starts, and writes a file there; the files are put together. Where it switches functions off, samples from
//! outside ([`samples`], by [`crate::python`]'s sampler) see what they do then.

mod files;
mod package;
mod prepare;
mod recording;
mod samples;

use std::path::Path;

use crate::manifest::{Run, Tool};
use crate::plan::{Plan, PlannedRun};
use crate::process::Watch;
use crate::recorder::{Origin, Recorder, Unavailable};
use crate::{Asked, Error, Finding};

/// Records with the package `hotframe`.
#[derive(Debug)]
pub(crate) struct PythonTrace;

const NAME: &str = "python-trace";

/// As manifests call what is traced.
const EVENT: &str = "calls";

impl Recorder for PythonTrace {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ending(&self, asked: &Asked, _: &PlannedRun) -> &'static str {
        if asked.trace.counts { "prof" } else { "calls" }
    }

    fn available(&self) -> Result<Tool, Unavailable> {
        Ok(Tool { name: "hotframe".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
    }

    fn prepare(&self, asked: &Asked, _: &Path) -> Result<Plan, Error> {
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

    fn verify(&self, _: &Plan, run: &mut Run, file: &Path) -> Result<Vec<Finding>, Error> {
        recording::read_back(run, file)
    }
}
