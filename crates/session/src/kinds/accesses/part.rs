//! Which loops a request is about.

use std::sync::Arc;

use locality::{Change, Placement, Schedule, Space};
use protocol::{AccessesProgram, ErrorCode, ProtocolError};
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, Part};
use sdfg::model::{BlockKind, NodeKind, Program, RegionIndex};
use sdfg::outline::Element;

use super::document::LoopsDocument;
use super::recorded::{NO_LOOPS, RecordedDocument};
use super::sizes::{Sizes, sizes};
use super::{Accesses, Loops, LoopsError, Setting};
use crate::kinds::OpenDocument;
use crate::kinds::graph::GraphDocument;

/// A document that has accesses: those of loops, or recorded ones.
#[derive(Clone)]
pub(super) enum Source {
    Graph(Arc<GraphDocument>),
    Loops(Arc<LoopsDocument>),
    Recorded(Arc<RecordedDocument>),
}

/// A part of it, by the element that it is.
#[derive(Clone, Copy)]
pub(super) struct Whereabouts<'a> {
    pub(super) loops: Loops<'a>,
    /// None for all.
    pub(super) element: Option<Element>,
}

impl Source {
    pub(super) fn title(&self) -> &str {
        match self {
            Source::Graph(graph) => graph.title(),
            Source::Loops(loops) => &loops.title,
            Source::Recorded(recorded) => recorded.title(),
        }
    }

    /// The loops around an element.
    pub(super) fn part(&self, element: Option<u32>) -> Result<Whereabouts<'_>, ProtocolError> {
        match self {
            Source::Loops(document) => {
                Ok(Whereabouts { loops: Loops::Scop(&document.loops, None), element: None })
            }
            Source::Recorded(_) => Err(bad(NO_LOOPS)),
            Source::Graph(document) => {
                let program = document.program();
                let element = element.map(|number| document.element(number)).transpose()?;
                let (element, part) = match element {
                    Some(element) => part_around(program, element),
                    None => (None, Part::Whole),
                };
                Ok(Whereabouts { loops: Loops::Graph(program, part), element })
            }
        }
    }

    /// The accesses of a request, placed, of which each thread has so many levels of caches of its own.
    pub(super) fn accesses(
        &self,
        program: &AccessesProgram,
        private: usize,
    ) -> Result<(Accesses, Space), ProtocolError> {
        let whereabouts = self.part(program.element)?;
        let setting = setting(&*sizes(self, &whereabouts)?, program)?;
        let setting = Setting { private, ..setting };
        let own = whereabouts.loops.accesses(&setting).map_err(refused)?;
        let space = placed(&own, program)?;
        Ok((own, space))
    }
}

/// How a request wants its loops run.
pub(super) fn setting(sizes: &Sizes, program: &AccessesProgram) -> Result<Setting, ProtocolError> {
    let mut at: Bindings = sizes.small.clone();
    for symbol in &program.symbols {
        if at.contains_key(&symbol.name) {
            at.insert(symbol.name.clone(), symbol.value as i128);
        }
    }
    let changes: Vec<Change> = program
        .changes
        .iter()
        .map(|change| change.parse())
        .collect::<Result<_, locality::ChangeError>>()
        .map_err(bad)?;
    let schedule = match &*program.schedule {
        "" => Schedule::Sequential,
        text => text.parse().map_err(bad::<String>)?,
    };
    let combining = if program.combining_reads { Combining::ReadWrite } else { Combining::Write };
    Ok(Setting { at, combining, changes, schedule, private: 0 })
}

pub(super) fn placed(own: &Accesses, program: &AccessesProgram) -> Result<Space, ProtocolError> {
    let placement = if program.packed { Placement::Packed } else { Placement::OwnLines };
    Space::new(own.program.containers.clone(), placement, program.line.into())
        .map_err(not_simulated)
}

pub(super) fn bad<E: ToString>(error: E) -> ProtocolError {
    ProtocolError::new(ErrorCode::BadRequest, error.to_string())
}

pub(super) fn refused(error: LoopsError) -> ProtocolError {
    bad(error)
}

pub(super) fn not_simulated(error: locality::Error) -> ProtocolError {
    let code = match error {
        locality::Error::Stopped => ErrorCode::Cancelled,
        locality::Error::TooMany { .. }
        | locality::Error::Elements { .. }
        | locality::Error::References { .. }
        | locality::Error::Room { .. } => ErrorCode::Limit,
        _ => ErrorCode::BadRequest,
    };
    ProtocolError::new(code, error.to_string())
}

/// The smallest part that an element is, or is in.
fn part_around(program: &Program, element: Element) -> (Option<Element>, Part) {
    let mut inside = Some(element);
    while let Some(own) = inside {
        if let Some(part) = part_of(program, own) {
            let element = (part != Part::Whole).then_some(own);
            return (element, part);
        }
        inside = program.container_of(own);
    }
    (None, Part::Whole)
}

fn part_of(program: &Program, element: Element) -> Option<Part> {
    match element {
        Element::Region(RegionIndex(0)) => Some(Part::Whole),
        Element::Region(region) => Some(Part::Region(region)),
        Element::Block(region, block) => match program.region(region).block(block).kind {
            BlockKind::State(state) => Some(Part::State(state)),
            BlockKind::Region(inner) => Some(Part::Region(inner)),
            _ => None,
        },
        Element::Node(state, node) => match &program.state(state).nodes[node.place()].kind {
            NodeKind::MapEntry(_) | NodeKind::Nested { .. } | NodeKind::Library(_) => {
                Some(Part::Node(state, node))
            }
            _ => None,
        },
        Element::Edge(..) | Element::Transition(..) => None,
    }
}
