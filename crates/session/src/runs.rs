//! Experiments that are begun from the page: the session hands on what is asked, and starts nothing.

use protocol::{
    ProtocolError, QueueResult, RunInterpretersResult, RunListParams, RunListResult, RunLogParams,
    RunLogResult, RunParams, RunPlanParams, RunPlanResult, RunStartParams, RunStatusResult,
    RunUpload,
};

/// Who runs experiments, where somebody does. What comes from the page is hostile input: whoever
/// implements this sees to it that nothing runs but isolated.
pub trait Runs: Send + Sync {
    /// See [`RunsMethods::run_interpreters`].
    fn interpreters(&self) -> Result<RunInterpretersResult, ProtocolError>;
    /// Most bytes of a program that is sent.
    fn most_upload_bytes(&self) -> u64;
    /// Keeps a program.
    fn keep(&self, name: &str, bytes: &[u8]) -> Result<RunUpload, ProtocolError>;
    /// See [`RunsMethods::run_plan`].
    fn plan(&self, asked: &RunPlanParams) -> Result<RunPlanResult, ProtocolError>;
    /// See [`RunsMethods::run_start`].
    fn start(&self, asked: &RunStartParams) -> Result<RunParams, ProtocolError>;
    /// See [`RunsMethods::run_status`].
    fn status(&self, run: &str) -> Result<RunStatusResult, ProtocolError>;
    /// See [`RunsMethods::run_log`].
    fn log(&self, asked: &RunLogParams) -> Result<RunLogResult, ProtocolError>;
    /// See [`RunsMethods::run_cancel`].
    fn cancel(&self, run: &str) -> Result<(), ProtocolError>;
    /// See [`RunsMethods::run_list`].
    fn list(&self, asked: &RunListParams) -> Result<RunListResult, ProtocolError>;
    /// The name under which the host opens the result of an experiment.
    fn result(&self, run: &str) -> Result<String, ProtocolError>;
    /// See [`RunsMethods::queue`].
    fn queue(&self) -> Result<QueueResult, ProtocolError>;
}
