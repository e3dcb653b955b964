//! Open dataflow graphs, and one answer a method on them.

mod drawing;
mod folds;
mod summary;
mod wording;

use std::sync::{Arc, Mutex};

use formats::ReadOptions;
use protocol::{ErrorCode, GraphView, ProtocolError};
use sdfg::cost::{Costs, Rules};
use sdfg::model::Program;
use sdfg::outline::Outline;

pub(crate) use drawing::drawing;
pub(crate) use summary::summary;

use crate::load::{Input, Watch};
use drawing::Drawing;
use folds::Tree;

/// An open dataflow graph with what was derived from it.
#[derive(Debug)]
pub struct GraphDocument {
    title: String,
    program: Program,
    outline: Outline,
    tree: Tree,
    costs: Costs,
    opened_s: Option<f64>,
    /// Most recently used last.
    drawings: Mutex<Vec<(GraphView, Arc<Drawing>)>>,
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
        let Some(outline) = Outline::of(&program) else {
            let message = format!("{title} has more elements than can be numbered");
            return Err(ProtocolError::new(ErrorCode::Limit, message));
        };
        Ok(GraphDocument {
            title: title.to_owned(),
            tree: Tree::of(&program),
            costs: Costs::of(&program, Rules::Exact),
            outline,
            program,
            opened_s: None,
            drawings: Mutex::default(),
        })
    }

    /// File name without folders.
    pub fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn set_opened_s(&mut self, seconds: f64) {
        self.opened_s = Some(seconds);
    }
}
