//! What the session asks.

use std::path::PathBuf;
use std::sync::OnceLock;

use isolation::Launcher;
use protocol::{
    ProtocolError, QueueResult, RunInterpreter, RunInterpretersResult, RunLimits, RunListParams,
    RunListResult, RunLogParams, RunLogResult, RunParams, RunPlanParams, RunPlanResult,
    RunStartParams, RunStatusResult, RunUpload,
};
use session::Runs;

use super::errors::{failed, refused};
use super::interpreters::{interpreters, level_of};
use super::limits::{MOST_RUNS, MOST_SECONDS, MOST_UPLOAD_BYTES};
use super::places::RunId;
use super::runner::Experiments;
use crate::commands;
use crate::host::RunsHere;

/// How the host is asked for a result: what follows is an experiment, and then its file's name.
const RESULTS: &str = "run ";

impl Experiments {
    /// What holds programs here, once; else why nothing can.
    pub(super) fn isolates(&self) -> Result<String, ProtocolError> {
        static HERE: OnceLock<String> = OnceLock::new();
        if let Some(known) = HERE.get() {
            return Ok(known.clone());
        }
        let words = commands::launcher();
        let Some((program, arguments)) = words.split_first() else {
            return Err(refused("this program is not found", "Install it anew."));
        };
        let launcher = Launcher { program: PathBuf::from(program), arguments: arguments.to_vec() };
        let found = isolation::here(&launcher).map_err(|error| failed(&error))?;
        Ok(HERE.get_or_init(|| found.to_string()).clone())
    }
}

impl RunsHere for Experiments {
    fn result_file(&self, name: &str) -> Option<PathBuf> {
        let (run, _) = name.strip_prefix(RESULTS)?.split_once('/')?;
        let id = RunId::read(run).ok()?;
        Some(self.about(&id).ok()?.result(&id.folder(&self.folders)))
    }
}

impl Runs for Experiments {
    fn interpreters(&self) -> Result<RunInterpretersResult, ProtocolError> {
        let all = interpreters();
        let told = all.iter().map(|one| RunInterpreter {
            level: level_of(one, &all),
            title: format!("{} {}", one.implementation, one.version),
            build: [one.compiler.clone()].into_iter().chain(one.flags.clone()).collect(),
            path: one.program.to_string_lossy().into_owned(),
        });
        let (in_force, obstacle) = match self.isolates() {
            Ok(in_force) => (in_force, String::new()),
            Err(error) => (String::new(), format!("{}. {}", error.message, error.hint)),
        };
        Ok(RunInterpretersResult {
            interpreters: told.collect(),
            obstacle,
            in_force,
            most: RunLimits {
                runs: MOST_RUNS,
                timeout_s: MOST_SECONDS,
                upload_bytes: MOST_UPLOAD_BYTES as f64,
            },
        })
    }

    fn most_upload_bytes(&self) -> u64 {
        MOST_UPLOAD_BYTES
    }

    fn keep(&self, name: &str, bytes: &[u8]) -> Result<RunUpload, ProtocolError> {
        self.kept(name, bytes)
    }

    fn plan(&self, asked: &RunPlanParams) -> Result<RunPlanResult, ProtocolError> {
        self.planned(asked)
    }

    fn start(&self, asked: &RunStartParams) -> Result<RunParams, ProtocolError> {
        self.begin(asked)
    }

    fn status(&self, run: &str) -> Result<RunStatusResult, ProtocolError> {
        self.status_result(&RunId::read(run)?)
    }

    fn log(&self, asked: &RunLogParams) -> Result<RunLogResult, ProtocolError> {
        self.log_result(asked)
    }

    fn cancel(&self, run: &str) -> Result<(), ProtocolError> {
        self.stop(&RunId::read(run)?)
    }

    fn list(&self, asked: &RunListParams) -> Result<RunListResult, ProtocolError> {
        Ok(self.found(asked))
    }

    fn result(&self, run: &str) -> Result<String, ProtocolError> {
        let id = RunId::read(run)?;
        let told = self.about(&id)?;
        if !told.result(&id.folder(&self.folders)).is_file() {
            return Err(refused("no run has ended yet", "Wait for the first one."));
        }
        Ok(format!("{RESULTS}{id}/{}.hotframe", told.name))
    }

    fn queue(&self) -> Result<QueueResult, ProtocolError> {
        self.queue_result()
    }
}
