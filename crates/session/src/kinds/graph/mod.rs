//! Open dataflow graphs, and one answer a method on them.

mod colours;
mod compare;
mod copies;
mod costs;
mod drawing;
mod element;
mod folds;
mod fusions;
mod labels;
mod measured;
mod memory;
mod methods;
mod network;
mod overlay;
mod quantity;
mod roofline;
mod room;
mod scale;
mod scaling;
mod search;
mod simulated;
mod sum;
mod summary;
mod svg;
mod wording;

use std::sync::{Arc, Mutex};

use protocol::{CountedOperations, ErrorCode, GraphView, ProtocolError};
use sdfg::cost::{CostPlan, CostValues, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::model::{EdgeIndex, ElementId, Program, StateIndex};
use sdfg::network::Network;
use sdfg::outline::{Element, Outline};

pub(crate) use colours::ramp_texts;
pub(crate) use methods::Asked;
pub(crate) use summary::suggested_sizes;
pub(crate) use wording::label_of;

use super::accesses::KnownSizes;
use super::{Kind, KindOf, OpenDocument};
use crate::opening::Opening;
use crate::{Input, lock};
use compare::KnownPartners;
use costs::Teller;
use drawing::Drawing;
use folds::Tree;
use measured::Joined;
use quantity::OuterEdges;
use simulated::KnownSimulation;

/// Dataflow graphs, as DaCe writes them.
pub(crate) const KIND: Kind = Kind {
    name: "graph",
    noun: "dataflow graph",
    recognises: sdfg::is_sdfg,
    read: |input, opening| Ok(Arc::new(GraphDocument::read(input, opening)?)),
};

impl OpenDocument for GraphDocument {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn title(&self) -> &str {
        self.title()
    }

    fn source_files(&self) -> Vec<String> {
        self.source_files().to_vec()
    }
}

impl KindOf for GraphDocument {
    const KIND: Kind = KIND;
}

/// An open dataflow graph with what was derived from it.
#[derive(Debug)]
pub struct GraphDocument {
    title: String,
    program: Arc<Program>,
    outline: Outline,
    tree: Tree,
    outer_edges: OuterEdges,
    /// By graph, in order.
    container_names: Vec<Vec<Arc<str>>>,
    operations: CountedOperations,
    costs: Costs,
    plan: CostPlan,
    network: Network,
    measurements: Mutex<Vec<Joined>>,
    answered: Answered,
}

/// What was worked out to answer with, and is likely to be asked for again.
#[derive(Debug, Default)]
struct Answered {
    /// For the setting of symbols that was asked for last.
    values: Mutex<Option<(Bindings, Arc<CostValues>)>>,
    partners: Mutex<KnownPartners>,
    simulated: Mutex<KnownSimulation>,
    /// Most recently used last.
    drawings: Mutex<Vec<(GraphView, Arc<Drawing>)>>,
    accesses_sizes: KnownSizes,
}

impl GraphDocument {
    fn read(input: Input, opening: &Opening<'_>) -> Result<GraphDocument, ProtocolError> {
        let title = opening.title();
        let Input::File(bytes, _) = input else {
            let message = format!("{title} is a folder, and a dataflow graph is a file");
            return Err(ProtocolError::new(ErrorCode::Unreadable, message));
        };
        let limits = sdfg::Limits { max_size: opening.options().max_size };
        let program = sdfg::read(opening.watch().watch(bytes), &limits).map_err(|error| {
            let code = match error {
                sdfg::ReadError::TooLarge { .. } => ErrorCode::Limit,
                _ => ErrorCode::Unreadable,
            };
            ProtocolError::new(code, format!("{title}: {error}"))
        })?;
        GraphDocument::counting(title.to_owned(), Arc::new(program), CountedOperations::Dace)
    }

    fn counting(
        title: String,
        program: Arc<Program>,
        operations: CountedOperations,
    ) -> Result<GraphDocument, ProtocolError> {
        let Some(outline) = Outline::of(&program) else {
            let message = format!("{title} has more elements than can be numbered");
            return Err(ProtocolError::new(ErrorCode::Limit, message));
        };
        let costs = Costs::of(
            &program,
            match operations {
                CountedOperations::Dace => Rules::Exact,
                CountedOperations::Every => Rules::Every,
            },
        );
        Ok(GraphDocument {
            title,
            operations,
            tree: Tree::of(&program),
            outer_edges: OuterEdges::of_program(&program),
            container_names: program
                .graphs
                .iter()
                .map(|graph| graph.containers.keys().cloned().collect())
                .collect(),
            plan: CostPlan::new(&program, &costs),
            network: Network::of(&program, &costs),
            costs,
            measurements: Mutex::default(),
            answered: Answered::default(),
            outline,
            program,
        })
    }

    /// The same graph where other operations count, with what was measured.
    fn recounted(&self, operations: CountedOperations) -> Result<GraphDocument, ProtocolError> {
        let every = ", every operation";
        let plain = self.title.strip_suffix(every).unwrap_or(&self.title);
        let title = match operations {
            CountedOperations::Dace => plain.to_owned(),
            CountedOperations::Every => format!("{plain}{every}"),
        };
        let document = GraphDocument::counting(title, self.program.clone(), operations)?;
        lock(&document.measurements).clone_from(&lock(&self.measurements));
        Ok(document)
    }

    /// Whether it is the same graph where these operations count.
    fn is_counting(&self, program: &Arc<Program>, operations: CountedOperations) -> bool {
        Arc::ptr_eq(&self.program, program) && self.operations == operations
    }

    /// All costs where the symbols are as told.
    fn teller<'a>(&'a self, at: &'a Bindings) -> Teller<'a> {
        Teller { costs: &self.costs, at }
    }

    /// All costs as numbers.
    fn values(&self, at: &Bindings) -> Arc<CostValues> {
        let mut known = lock(&self.answered.values);
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
    pub(crate) fn element(&self, number: u32) -> Result<Element, ProtocolError> {
        self.outline.element(number).ok_or_else(|| {
            let message = format!("{} has no element {number}", self.title);
            ProtocolError::new(ErrorCode::BadRequest, message)
        })
    }

    /// The number of an element.
    pub(crate) fn number(&self, element: Element) -> u32 {
        self.outline.number(element)
    }

    /// The number of an edge of dataflow that DaCe names so; none where several are named so, or none is.
    pub(crate) fn edge_number(&self, id: ElementId) -> Option<u32> {
        let mut states = (0u32..).map(StateIndex).zip(&self.program.states);
        let (state, inside) = states.find(|(state, _)| {
            let own = self.program.id_of_state(*state);
            (own.region, own.block) == (id.region, id.block)
        })?;
        let place = usize::try_from(id.edge).ok().filter(|&edge| edge < inside.edges.len())?;
        Some(self.outline.number(Element::Edge(state, EdgeIndex(place as u32))))
    }

    /// Sizes that accesses of parts are looked at first.
    pub(crate) fn accesses_sizes(&self) -> &KnownSizes {
        &self.answered.accesses_sizes
    }

    /// The graph itself.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// The source files that elements were written in.
    pub fn source_files(&self) -> &[String] {
        &self.program.source_files
    }

    /// File name without folders.
    pub fn title(&self) -> &str {
        &self.title
    }
}
