//! What fusing maps would save, or what is in its way.

use std::sync::Arc;

use super::neighbours;
use super::ranges::Ranges;
use crate::cost::{Certainty, Costs, Excess};
use crate::expr::{Bindings, Expr};
use crate::model::{EdgeIndex, NodeIndex, Program, StateIndex};

/// Two maps of a state, one of which reads what the other writes.
#[derive(Debug, Clone)]
pub struct Fusion {
    /// Where both are.
    pub state: StateIndex,
    /// The entry of the map that writes.
    pub first: NodeIndex,
    /// The entry of the map that reads.
    pub second: NodeIndex,
    /// How their ranges compare.
    pub ranges: Ranges,
    /// Why they cannot be one map as they are, the plainest reason; none where they can.
    pub obstacle: Option<Obstacle>,
    /// What is written by the first and read by the second.
    pub between: Vec<Intermediate>,
    /// Bytes of accesses that go away, each time that the maps are reached: of all that is between.
    pub saved: Saved,
    /// The same in the whole run; none where it is not known how often the maps are reached.
    pub saved_in_all: Option<Saved>,
}

/// A container between two maps.
#[derive(Debug, Clone)]
pub struct Intermediate {
    /// Its name in the graph.
    pub data: Arc<str>,
    /// The access node between the maps.
    pub access: NodeIndex,
    /// Nothing but the two maps uses it, so that it need not be written at all. Else the second's reads
    /// go away alone.
    pub is_private: bool,
    /// The edges whose accesses go away.
    pub edges: Vec<EdgeIndex>,
}

/// Bytes that need not move.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// So many: reads and writes both count.
    pub bytes: Expr,
    /// What can be said of them.
    pub certainty: Certainty,
    /// At the sizes that were asked for; none where symbols have no value there.
    pub value: Option<f64>,
}

/// Why two maps cannot become one as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// Their ranges differ: see [`Fusion::ranges`].
    Ranges,
    /// They run in different ways, such as on different devices.
    Schedule,
    /// Something else has to run behind the first and before the second; fusing that with one of them may
    /// take it out of the way.
    Between,
    /// One of them adds up what both touch: only its last iteration has the result.
    Reduction,
    /// An iteration of the first does not write all elements that the second reads, or it cannot be seen
    /// that it does: the others have to come from memory.
    Partial,
    /// An iteration of the second touches elements of another iteration of the first, or it cannot be
    /// seen that it does not. Fusing would have to compute them again.
    Elements,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Obstacle::Ranges => "their ranges differ",
            Obstacle::Schedule => "they have different schedules",
            Obstacle::Between => "something else runs between them",
            Obstacle::Reduction => "one of them adds up what both touch",
            Obstacle::Partial => "the first may leave elements as they are that the second reads",
            Obstacle::Elements => {
                "an iteration of the second may touch elements of other iterations of the first"
            }
        })
    }
}

/// All pairs of neighbouring maps: those that can be one map first, and of these and of the others those
/// that save the most bytes in the whole run first. Pairs whose bytes have no value at these sizes come
/// last of their kind. Costs have to be of the same program. Of a state no more than 65,536 pairs are
/// looked at.
pub fn rank(program: &Program, costs: &Costs, at: &Bindings) -> Vec<Fusion> {
    let mut all = neighbours::find(program, costs);
    for fusion in &mut all {
        let own = std::iter::once(&mut fusion.saved).chain(&mut fusion.saved_in_all);
        own.for_each(|saved| saved.evaluate(at));
    }
    let value = |fusion: &Fusion| {
        let saved = fusion.saved_in_all.as_ref().unwrap_or(&fusion.saved);
        saved.value.unwrap_or(f64::NEG_INFINITY)
    };
    all.sort_by(|a, b| {
        let (cannot, by_value) = (a.obstacle.is_some(), value(b).total_cmp(&value(a)));
        cannot.cmp(&b.obstacle.is_some()).then(by_value)
    });
    all
}

impl Fusion {
    /// The labels of both maps.
    pub fn labels<'p>(&self, program: &'p Program) -> [&'p Arc<str>; 2] {
        let nodes = &program.state(self.state).nodes;
        [self.first, self.second].map(|node| &nodes[node.place()].label)
    }
}

impl Saved {
    pub(super) fn new(costs: &Costs, bytes: Expr, excess: Option<Excess>) -> Saved {
        let certainty = costs.certainty(&bytes, excess);
        Saved { bytes, certainty, value: None }
    }

    fn evaluate(&mut self, at: &Bindings) {
        self.value = self.bytes.evaluate(at).ok().map(|value| value.to_f64());
    }
}
