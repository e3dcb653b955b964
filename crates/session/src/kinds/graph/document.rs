//! Open dataflow graphs.

use std::sync::{Arc, Mutex};

use protocol::{CountedOperations, ErrorCode, ProtocolError};
use sdfg::cost::{CostPlan, CostValues, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::model::{EdgeIndex, ElementId, Program, StateIndex};
use sdfg::network::Network;
use sdfg::outline::{Element, Outline};

use super::costs::Teller;
use super::folds::Tree;
use super::joined::Joined;
use crate::kept::{Kept, Question};
use crate::kinds::{Kind, KindOf, OpenDocument};
use crate::opening::Opening;
use crate::{Input, lock};

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

#[derive(PartialEq, Eq, Hash)]
struct ValuesAt(Vec<(String, i128)>);

impl Question for ValuesAt {
    type Answer = CostValues;
    const KEPT: usize = 1;
}

/// Values of symbols in the order of their names.
pub(super) fn sorted(at: &Bindings) -> Vec<(String, i128)> {
    let mut all: Vec<(String, i128)> = at.iter().map(|(name, &at)| (name.clone(), at)).collect();
    all.sort_unstable();
    all
}

/// An open dataflow graph.
#[derive(Debug)]
pub struct GraphDocument {
    pub(super) title: String,
    pub(super) program: Arc<Program>,
    pub(super) outline: Outline,
    pub(super) tree: Tree,
    /// By graph, in order.
    pub(super) container_names: Vec<Vec<Arc<str>>>,
    pub(super) operations: CountedOperations,
    pub(super) costs: Costs,
    pub(super) plan: CostPlan,
    pub(super) network: Network,
    pub(super) measurements: Mutex<Vec<Joined>>,
    pub(super) kept: Kept,
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
        let Some(outline) = Outline::new(&program) else {
            let message = format!("{title} has more elements than can be numbered");
            return Err(ProtocolError::new(ErrorCode::Limit, message));
        };
        let costs = Costs::new(
            &program,
            match operations {
                CountedOperations::Dace => Rules::Exact,
                CountedOperations::Every => Rules::Every,
            },
        );
        Ok(GraphDocument {
            title,
            operations,
            tree: Tree::new(&program),
            container_names: program
                .graphs
                .iter()
                .map(|graph| graph.containers.keys().cloned().collect())
                .collect(),
            plan: CostPlan::new(&program, &costs),
            network: Network::new(&program, &costs),
            costs,
            measurements: Mutex::default(),
            kept: Kept::default(),
            outline,
            program,
        })
    }

    /// The same graph where other operations count, with what was measured.
    pub(super) fn recounted(
        &self,
        operations: CountedOperations,
    ) -> Result<GraphDocument, ProtocolError> {
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
    pub(super) fn is_counting(
        &self,
        program: &Arc<Program>,
        operations: CountedOperations,
    ) -> bool {
        Arc::ptr_eq(&self.program, program) && self.operations == operations
    }

    /// All costs where the symbols are as told.
    pub(super) fn teller<'a>(&'a self, at: &'a Bindings) -> Teller<'a> {
        Teller { costs: &self.costs, at }
    }

    /// All costs as numbers.
    pub(super) fn values(&self, at: &Bindings) -> Arc<CostValues> {
        self.kept.made(ValuesAt(sorted(at)), || self.plan.values(at))
    }

    /// Answers about it that are kept.
    pub(crate) fn kept(&self) -> &Kept {
        &self.kept
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
