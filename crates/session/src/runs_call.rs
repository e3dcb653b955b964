//! Answers about experiments that are begun from the page.

use std::sync::Mutex;

use formats::ReadOptions;
use protocol::{
    Column, DoneResult, ErrorCode, NoParams, OpenedResult, ProtocolError, QueueResult, Reply,
    RunInterpretersResult, RunListParams, RunListResult, RunLogParams, RunLogResult, RunParams,
    RunPlanParams, RunPlanResult, RunStartParams, RunStatusResult, RunUploadResult, RunsMethods,
    UploadParams,
};

use crate::call::Call;
use crate::lock;
use crate::runs::Runs;
use crate::session::Session;

/// Answers about experiments to one call.
pub(crate) struct RunsCall<'a> {
    pub(crate) session: &'a Session,
    pub(crate) columns: Mutex<Vec<Column>>,
    pub(crate) call: &'a dyn Call,
}

impl RunsCall<'_> {
    fn runs(&self) -> Result<&dyn Runs, ProtocolError> {
        self.session.host.runs().ok_or_else(|| {
            let message = "this page may not run programs";
            ProtocolError::new(ErrorCode::NotAllowed, message)
                .with_hint("Start it with `hotframe open --allow-run`.")
        })
    }
}

impl RunsMethods for RunsCall<'_> {
    fn run_interpreters(&self, _: NoParams) -> Result<Reply<RunInterpretersResult>, ProtocolError> {
        Ok(self.runs()?.interpreters()?.into())
    }

    fn run_upload(&self, params: UploadParams) -> Result<Reply<RunUploadResult>, ProtocolError> {
        let runs = self.runs()?;
        let columns = std::mem::take(&mut *lock(&self.columns));
        let options = &self.session.options;
        let max_size = options.max_size.min(runs.most_upload_bytes());
        let options = ReadOptions { max_size, ..options.clone() };
        let (taken, complete) =
            lock(&self.session.programs).take(params, columns, &options, self.call)?;
        let upload = complete.map(|(name, bytes)| runs.keep(&name, &bytes)).transpose()?;
        Ok(RunUploadResult { received: taken.received, upload }.into())
    }

    fn run_plan(&self, params: RunPlanParams) -> Result<Reply<RunPlanResult>, ProtocolError> {
        Ok(self.runs()?.plan(&params)?.into())
    }

    fn run_start(&self, params: RunStartParams) -> Result<Reply<RunParams>, ProtocolError> {
        Ok(self.runs()?.start(&params)?.into())
    }

    fn run_status(&self, params: RunParams) -> Result<Reply<RunStatusResult>, ProtocolError> {
        Ok(self.runs()?.status(&params.run)?.into())
    }

    fn run_log(&self, params: RunLogParams) -> Result<Reply<RunLogResult>, ProtocolError> {
        Ok(self.runs()?.log(&params)?.into())
    }

    fn run_cancel(&self, params: RunParams) -> Result<Reply<DoneResult>, ProtocolError> {
        self.runs()?.cancel(&params.run)?;
        Ok(DoneResult {}.into())
    }

    fn run_list(&self, params: RunListParams) -> Result<Reply<RunListResult>, ProtocolError> {
        Ok(self.runs()?.list(&params)?.into())
    }

    fn run_open(&self, params: RunParams) -> Result<Reply<OpenedResult>, ProtocolError> {
        let name = self.runs()?.result(&params.run)?;
        Ok(OpenedResult { document: self.session.open_anew(&name) }.into())
    }

    fn queue(&self, _: NoParams) -> Result<Reply<QueueResult>, ProtocolError> {
        Ok(self.runs()?.queue()?.into())
    }
}
