//! The recorder.

use std::path::Path;

use super::{prepare, recording};
use crate::manifest::{Run, RunKind, Tool};
use crate::plan::{Plan, PlannedRun};
use crate::process::Watch;
use crate::recorder::{Origin, Recorder, Unavailable};
use crate::{Error, Finding, RecordOptions};

/// Records with the library py-spy.
#[derive(Debug)]
pub(crate) struct Python;

const NAME: &str = "python";

/// As manifests call what is sampled.
pub(super) const EVENT: &str = "wall time";

impl Recorder for Python {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ending(&self, _: &RecordOptions, _: &PlannedRun) -> &'static str {
        "hotframe"
    }

    fn available(&self) -> Result<Tool, Unavailable> {
        /// As `Cargo.toml` has it; the library does not tell.
        const VERSION: &str = "0.4.3";
        Ok(Tool { name: "py-spy".to_owned(), version: VERSION.to_owned() })
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
            "exchange files open together as they are: `hotframe open a.hotframe b.hotframe`",
        ))
    }

    fn verify(&self, _: &Plan, run: &mut Run, file: &Path) -> Result<Vec<Finding>, Error> {
        let mut findings = std::mem::take(&mut run.findings);
        if run.kind == RunKind::Sampled {
            findings.extend(recording::read_back(run, file)?);
        }
        Ok(findings)
    }
}
