//! Open dataflow graphs, and one answer a method on them.

use protocol::{ErrorCode, ProtocolError, Request};

use formats::ReadOptions;
use sdfg::model::Program;

use crate::Answer;
use crate::load::{Input, Watch};

/// An open dataflow graph with what was derived from it.
#[derive(Debug)]
pub struct GraphDocument {
    title: String,
    program: Program,
    opened_s: Option<f64>,
}

impl GraphDocument {
    pub(crate) fn read(
        input: Input,
        watch: &dyn Watch,
        title: &str,
        options: &ReadOptions,
    ) -> Result<GraphDocument, ProtocolError> {
        let Input::File(bytes, _) = input else {
            let message = format!("{title} is a folder, and a dataflow graph is a file");
            return Err(ProtocolError::new(ErrorCode::Unreadable, message));
        };
        let limits = sdfg::Limits { max_size: options.max_size };
        let program = sdfg::read(watch.watch(bytes), &limits).map_err(|error| {
            let code = match error {
                sdfg::ReadError::TooLarge { .. } => ErrorCode::Limit,
                _ => ErrorCode::Unreadable,
            };
            ProtocolError::new(code, format!("{title}: {error}"))
        })?;
        Ok(GraphDocument { title: title.to_owned(), program, opened_s: None })
    }

    pub(crate) fn set_opened_s(&mut self, seconds: f64) {
        self.opened_s = Some(seconds);
    }
}
