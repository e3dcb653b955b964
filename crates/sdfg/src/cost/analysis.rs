//! What the passes share: the program, what is known of it, and what they found.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::certainty::AtMost;
use super::costs::{Cost, Movement};
use super::found::{Around, Inputs, Iterations, LoopBetween, Read};
use super::roots::Roots;
use super::rules::Rules;
use super::unknown::Unknown;
use crate::expr::{Expr, Facts, TooLarge};
use crate::model::{BlockIndex, NodeIndex, Program, Region, RegionIndex, RegionKind, StateIndex};

pub(super) struct Analysis<'p> {
    pub(super) program: &'p Program,
    pub(super) rules: Rules,
    pub(super) facts: Facts,
    /// By graph: its states.
    pub(super) states_of: Vec<Vec<StateIndex>>,
    /// Where the memory of containers is.
    pub(super) roots: Roots,
    /// What decides the ranges of maps while the program runs.
    pub(super) dynamic: HashMap<(StateIndex, NodeIndex), Inputs<'p>>,
    pub(super) symbols: Symbols,
    pub(super) costs: PartCosts,
    pub(super) flow: Flow,
    pub(super) report: Report,
}

/// What symbols are, by graph.
#[derive(Default)]
pub(super) struct Symbols {
    /// Those that have one value each time that the graph runs, in terms of others.
    pub(super) defined: Vec<HashMap<Arc<str>, Expr>>,
    /// Those that are read from data, with where from.
    pub(super) read: Vec<HashMap<Arc<str>, Read>>,
    /// All in terms of the outermost graph's.
    pub(super) outside: Vec<HashMap<Arc<str>, Expr>>,
}

/// What parts cost each time that they are reached.
pub(super) struct PartCosts {
    pub(super) nodes: Vec<Vec<Cost>>,
    pub(super) edges: Vec<Vec<Option<Movement>>>,
    pub(super) states: Vec<Cost>,
    pub(super) regions: Vec<Cost>,
}

/// Loops and branches.
pub(super) struct Flow {
    /// The loops between blocks around each block, by region and block: a place in `loops`.
    pub(super) loop_of: Vec<Vec<Around>>,
    /// By region: loops between blocks.
    pub(super) loops: Vec<Vec<LoopBetween>>,
    /// By region: how often a branch is reached each time that its conditional is; nothing where it
    /// is none, or data decides.
    pub(super) branch_weights: Vec<Option<Expr>>,
    /// See [`times::left_before`].
    pub(super) left_before: Vec<Vec<bool>>,
    /// What they cost each time.
    pub(super) conditionals: HashMap<(RegionIndex, BlockIndex), Cost>,
}

/// What is said beside the costs.
#[derive(Default)]
pub(super) struct Report {
    pub(super) unknowns: BTreeMap<Arc<str>, Unknown>,
    /// What unknowns of one name stand for.
    pub(super) meanings: HashMap<String, Vec<String>>,
    pub(super) notes: BTreeMap<String, u64>,
}

impl<'p> Analysis<'p> {
    pub(super) fn note(&mut self, message: &str) {
        *self.report.notes.entry(message.to_owned()).or_default() += 1;
    }

    /// A named unknown: one for all that has the name.
    pub(super) fn unknown(&mut self, name: &str, unknown: Unknown) -> Expr {
        self.unknown_of(name, "", unknown)
    }

    /// A named unknown: one for each meaning; of others with the name the second one has a number.
    pub(super) fn unknown_of(&mut self, name: &str, meaning: &str, unknown: Unknown) -> Expr {
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let meanings = self.report.meanings.entry(plain.clone()).or_default();
        let place = meanings.iter().position(|known| known == meaning).unwrap_or_else(|| {
            meanings.push(meaning.to_owned());
            meanings.len() - 1
        });
        let symbol = if place == 0 { plain } else { format!("{plain}_{}", place + 1) };
        let known = self.report.unknowns.get(symbol.as_str());
        let unknown = known.into_iter().fold(unknown, Unknown::or);
        self.report.unknowns.insert(symbol.as_str().into(), unknown);
        Expr::symbol(&symbol)
    }

    /// Whether something that is not known is in it.
    pub(super) fn has_unknown(&self, expr: &Expr) -> bool {
        expr.symbols().into_iter().any(|name| self.report.unknowns.contains_key(name))
    }

    /// The value, or an unknown in its place where it leaves exact arithmetic.
    pub(super) fn or_unknown(&mut self, made: Result<Expr, TooLarge>, name: &str) -> Expr {
        made.unwrap_or_else(|error| self.unknown(name, Unknown::new(error.to_string())))
    }

    pub(super) fn cost_or_unknown(&mut self, made: Result<Cost, TooLarge>, name: &str) -> Cost {
        made.unwrap_or_else(|error| {
            let too_large = Unknown::new(error.to_string());
            let mut part = |what: &str| self.unknown(&format!("{name}_{what}"), too_large.clone());
            let (work, depth, moved) = (part("work"), part("depth"), part("bytes"));
            Cost { work, depth, moved, at_most: AtMost::default() }
        })
    }

    /// The loop that a region is, where it is one.
    pub(super) fn region_iterations(&mut self, region: &Region) -> Option<Iterations> {
        match &region.kind {
            RegionKind::Loop(header) => Some(self.loop_region(region, header)),
            RegionKind::Graph | RegionKind::Plain => None,
        }
    }
}
