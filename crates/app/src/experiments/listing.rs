//! What a plan would run.

use experiment::cells;
use protocol::{ProtocolError, RunPlanParams, RunPlanResult};

use super::allowed::allowed;
use super::errors::refused;
use super::form::text_of;
use super::interpreters::interpreters;
use super::places::{AboutUpload, UploadId, about};
use super::runner::Experiments;

/// Most cells that are told one by one.
const MOST_TOLD: usize = 200;

impl Experiments {
    pub(super) fn planned(&self, asked: &RunPlanParams) -> Result<RunPlanResult, ProtocolError> {
        let upload = UploadId::read(&asked.upload)?;
        if about::<AboutUpload>(&upload.folder(&self.folders)).is_none() {
            return Err(refused("there is no such upload", "Send the file again."));
        }
        let mut told = RunPlanResult {
            text: asked.text.clone(),
            problem: String::new(),
            cells: vec![],
            cell_count: 0,
            run_count: 0,
        };
        if let Some(form) = &asked.form {
            match text_of(form) {
                Ok(text) => told.text = text,
                Err(error) => {
                    told.problem = error.message;
                    return Ok(told);
                }
            }
        }
        match allowed(&told.text, &upload.source(&self.folders), &interpreters()) {
            Err(problem) => told.problem = problem,
            Ok(experiment) => {
                let all = cells(&experiment.matrix);
                told.cell_count = all.len() as u32;
                told.run_count = told.cell_count.saturating_mul(experiment.asked.runs);
                let shown = all.iter().take(MOST_TOLD);
                told.cells = shown.map(|cell| cell.title(&experiment.matrix)).collect();
            }
        }
        Ok(told)
    }
}
