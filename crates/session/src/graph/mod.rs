//! Open dataflow graphs, and one answer a method on them.

mod colours;
mod compare;
mod costs;
mod drawing;
mod element;
mod folds;
mod measured;
mod overlay;
mod quantity;
mod roofline;
mod scale;
mod scaling;
mod search;
mod summary;
mod svg;
mod wording;

use std::sync::{Arc, Mutex};

use formats::ReadOptions;
use protocol::{ErrorCode, GraphView, ProtocolError};
use sdfg::cost::{CostPlan, CostValues, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::model::Program;
use sdfg::outline::{Element, Outline};

pub(crate) use compare::compare;
pub(crate) use drawing::drawing;
pub(crate) use element::element;
pub(crate) use measured::measure;
pub(crate) use overlay::overlay;
pub(crate) use roofline::roofline;
pub(crate) use scaling::scaling;
pub(crate) use search::search;
pub(crate) use summary::summary;
pub(crate) use svg::svg;

use crate::load::{Input, Watch};
use crate::lock;
use compare::KnownPartners;
use drawing::Drawing;
use folds::Tree;
use measured::Joined;
use quantity::OuterEdges;

/// An open dataflow graph with what was derived from it.
#[derive(Debug)]
pub struct GraphDocument {
    title: String,
    program: Program,
    outline: Outline,
    tree: Tree,
    outer_edges: OuterEdges,
    /// By graph, in order.
    container_names: Vec<Vec<Arc<str>>>,
    costs: Costs,
    plan: CostPlan,
    /// For the setting of symbols that was asked for last.
    values: Mutex<Option<(Bindings, Arc<CostValues>)>>,
    partners: Mutex<KnownPartners>,
    measurements: Mutex<Vec<Joined>>,
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
        let costs = Costs::of(&program, Rules::Exact);
        Ok(GraphDocument {
            title: title.to_owned(),
            tree: Tree::of(&program),
            outer_edges: OuterEdges::of_program(&program),
            container_names: program
                .graphs
                .iter()
                .map(|graph| graph.containers.keys().cloned().collect())
                .collect(),
            plan: CostPlan::new(&program, &costs),
            costs,
            values: Mutex::default(),
            partners: Mutex::default(),
            measurements: Mutex::default(),
            outline,
            program,
            opened_s: None,
            drawings: Mutex::default(),
        })
    }

    /// All costs where the symbols are as told.
    fn values(&self, at: &Bindings) -> Arc<CostValues> {
        let mut known = lock(&self.values);
        match &*known {
            Some((bindings, values)) if bindings == at => values.clone(),
            _ => {
                let values = Arc::new(self.plan.values(at));
                *known = Some((at.clone(), values.clone()));
                values
            }
        }
    }

    /// The element of a number.
    fn element(&self, number: u32) -> Result<Element, ProtocolError> {
        self.outline.element(number).ok_or_else(|| {
            let message = format!("{} has no element {number}", self.title);
            ProtocolError::new(ErrorCode::BadRequest, message)
        })
    }

    /// The source files that elements were written in.
    pub fn source_files(&self) -> &[String] {
        &self.program.source_files
    }

    /// File name without folders.
    pub fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn set_opened_s(&mut self, seconds: f64) {
        self.opened_s = Some(seconds);
    }
}
