//! A program on its way to loops.

use std::collections::HashMap;
use std::sync::Arc;

use locality::{Affine, Nest, Step};

use super::places::Places;
use crate::expr::{Bindings, Expr, Function};
use crate::model::{ElementId, NodeIndex, NodeKind, Program, RegionIndex, StateIndex};

/// More steps are not a program that anybody looks at closely.
const MOST_STEPS: usize = 1 << 20;

/// A part of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// A region: a loop, a branch.
    Region(RegionIndex),
    /// A state.
    State(StateIndex),
    /// A scope, by its entry, or a nested graph, a tasklet, an operation.
    Node(StateIndex, NodeIndex),
}

/// How a combining write touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combining {
    /// Once, as the paper counts.
    #[default]
    Write,
    /// It reads, then writes.
    ReadWrite,
}

/// Where a reference is in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The edge whose data moves.
    pub edge: ElementId,
    /// The container, as the part's graph calls it.
    pub data: Arc<str>,
}

/// A part of a program as loops and accesses.
#[derive(Debug, Clone, Default)]
pub struct Lowered {
    /// What is accessed, in the order of first use, rows of which are elements.
    pub containers: Vec<locality::Container>,
    /// Loops and accesses.
    pub nest: Nest,
    /// By reference.
    pub origins: Vec<Origin>,
    /// By variable of loops, what it is called.
    pub variables: Vec<String>,
    /// What is left out, and why.
    pub left_out: Vec<(ElementId, String)>,
    /// What was taken for granted.
    pub notes: Vec<String>,
}

/// Why a part is not loops.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// No element has this name.
    #[error("there is no map, loop, state or graph {0}: `hotframe sdfg info FILE` lists them")]
    NoPart(String),
    /// Symbols without a value.
    #[error("{0} has no value: --set {0}=NUMBER")]
    Unset(String),
    /// More than is followed.
    #[error("control flow has more than {0} steps at these sizes: choose smaller ones, or a part")]
    TooLong(usize),
}

impl Part {
    /// The part of a name: `cfg_list_id/state/node`, `cfg_list_id/state`, the label of a state, or
    /// parameters of a map (`i,j,k`); nothing is the whole.
    pub fn new(program: &Program, name: &str) -> Result<Part, LowerError> {
        if name.is_empty() {
            return Ok(Part::Whole);
        }
        let mut found = vec![];
        for (place, state) in program.states.iter().enumerate() {
            let index = StateIndex(place as u32);
            let id = program.id_of_state(index);
            let is_called = |id: ElementId| {
                let text = id.to_string();
                text == name || text.strip_prefix(name).is_some_and(is_nothing)
            };
            if is_called(id) || &*state.label == name {
                found.push(Part::State(index));
            }
            for (place, node) in state.nodes.iter().enumerate() {
                let node_index = NodeIndex(place as u32);
                let is_map = match &node.kind {
                    NodeKind::MapEntry(map) => map.parameters.join(",") == name,
                    kind => matches!(kind, NodeKind::Nested { .. }) && &*node.label == name,
                };
                if is_called(id.with_node(node_index)) || is_map {
                    found.push(Part::Node(index, node_index));
                }
            }
        }
        for (place, region) in program.regions.iter().enumerate() {
            if region.id().to_string() == name || (place > 0 && &*region.label == name) {
                found.push(Part::Region(RegionIndex(place as u32)));
            }
        }
        // An exact name of an element is believed, several that are called alike are none.
        found.into_iter().next().ok_or_else(|| LowerError::NoPart(name.to_owned()))
    }
}

/// Whether what is left of an element's name says nothing.
fn is_nothing(rest: &str) -> bool {
    rest.starts_with('/') && rest.split('/').skip(1).all(|part| part == "-1")
}

/// How a part is lowered.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Values of symbols.
    pub at: Bindings,
    /// How a combining write touches.
    pub combining: Combining,
}

/// Lowers a part with values for symbols.
pub fn lower(program: &Program, part: Part, wanted: &Wanted) -> Result<Lowered, LowerError> {
    let mut lowering = Lowering {
        program,
        wanted,
        viewing: vec![],
        done: Lowered::default(),
        known: HashMap::new(),
        steps: 0,
        unseen: vec![],
        combining: vec![],
    };
    let mut body = vec![];
    lowering.part(part, &wanted.at, &mut body)?;
    let mut done = lowering.done;
    done.nest.body = body;
    done.nest.variables = done.variables.len() as u32;
    Ok(done)
}

/// What names stand for: numbers, or sums of variables of loops.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(HashMap<String, Expr>);

/// How the variable of a loop is called in expressions.
pub(super) fn variable(number: u32) -> Expr {
    Expr::symbol(&format!("\u{1}{number}"))
}

pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) wanted: &'p Wanted,
    /// Views whose place is being looked for, which may show each other.
    pub(super) viewing: Vec<Arc<str>>,
    pub(super) done: Lowered,
    /// Containers that have memory, by graph and name.
    pub(super) known: HashMap<(usize, Arc<str>), u32>,
    steps: usize,
    /// Data in registers that was written, and whether that leaves a scope.
    pub(super) unseen: Vec<(Arc<str>, bool)>,
    /// How writes combine, by number.
    pub(super) combining: Vec<String>,
}

impl Lowered {
    /// The same as it is changed in `locality`.
    pub fn program(&self) -> locality::Program {
        locality::Program {
            containers: self.containers.clone(),
            nest: self.nest.clone(),
            variables: self.variables.clone(),
            is_whole: self.left_out.is_empty(),
        }
    }
}

impl Names {
    fn new(at: &Bindings) -> Names {
        Names(at.iter().map(|(name, value)| (name.clone(), Expr::integer(*value))).collect())
    }

    pub(super) fn get(&self, expr: &Expr) -> Option<Expr> {
        expr.substituted(&|name| self.0.get(name).cloned()).ok()
    }

    /// A number that does not depend on loops.
    pub(super) fn number(&self, expr: &Expr) -> Option<i128> {
        let value = self.get(expr)?.evaluate(&Bindings::new()).ok()?;
        value.to_integer()
    }

    /// A sum of variables.
    pub(super) fn affine(&self, expr: &Expr) -> Option<Affine> {
        affine_of(&self.get(expr)?)
    }

    /// Sums whose minimum (or maximum) an expression is.
    pub(super) fn bounds(&self, expr: &Expr, of: &Function) -> Option<Vec<Affine>> {
        self.get(expr)?.alternatives(of).iter().map(affine_of).collect()
    }

    pub(super) fn set(&mut self, name: &str, value: Option<Expr>) {
        match value {
            Some(value) => self.0.insert(name.to_owned(), value),
            None => self.0.remove(name),
        };
    }
}

fn affine_of(expr: &Expr) -> Option<Affine> {
    let (constant, terms) = expr.linear()?;
    let terms: Option<Vec<(u32, i64)>> = terms
        .into_iter()
        .map(|(name, factor)| {
            let number = name.strip_prefix('\u{1}')?.parse().ok()?;
            Some((number, i64::try_from(factor).ok()?))
        })
        .collect();
    Some(Affine { constant: i64::try_from(constant).ok()?, terms: terms? })
}

impl<'p> Lowering<'p> {
    fn part(&mut self, part: Part, at: &Bindings, out: &mut Vec<Step>) -> Result<(), LowerError> {
        let program = self.program;
        let graph = match part {
            Part::Whole => program.graphs.first().map(|graph| graph.region),
            Part::Region(region) => Some(region),
            Part::State(state) | Part::Node(state, _) => Some(program.state(state).region),
        };
        let Some(region) = graph else { return Ok(()) };
        let graph = program.region(region).graph;
        let mut names = Names::new(at);
        for (name, value) in &program.graph(graph).constants {
            names.set(name, Some((**value).clone()));
        }
        let places = Places::default();
        match part {
            Part::Whole | Part::Region(_) => {
                self.region(region, &mut names, &places, out)?;
            }
            Part::State(state) => self.state(state, &names, &places, out)?,
            Part::Node(state, node) => {
                self.fix_around(state, node, &mut names)?;
                self.node(state, node, &names, &places, out)?;
            }
        }
        Ok(())
    }

    /// Parameters of scopes around a node have their first value, unless they are given one.
    fn fix_around(
        &mut self,
        state: StateIndex,
        node: NodeIndex,
        names: &mut Names,
    ) -> Result<(), LowerError> {
        let nodes = &self.program.state(state).nodes;
        let mut around = vec![];
        let mut next = nodes[node.place()].scope;
        while let Some(entry) = next {
            around.push(entry);
            next = nodes[entry.place()].scope;
        }
        for entry in around.into_iter().rev() {
            let NodeKind::MapEntry(map) = &nodes[entry.place()].kind else { continue };
            for (parameter, range) in map.parameters.iter().zip(&map.range) {
                if names.0.contains_key(&**parameter) {
                    continue;
                }
                let first =
                    names.number(&range.start).ok_or_else(|| self.unset(&range.start, names))?;
                self.done.notes.push(format!(
                    "{parameter} of a map around it is {first}, its first value; --set \
                     {parameter}=NUMBER takes another"
                ));
                names.set(parameter, Some(Expr::integer(first)));
            }
        }
        Ok(())
    }

    /// The symbol that has no value in an expression that should be a number.
    fn unset(&self, expr: &Expr, names: &Names) -> LowerError {
        let left = names.get(expr).unwrap_or_else(|| expr.clone());
        let name = left.symbols().into_iter().next().unwrap_or_default().to_owned();
        LowerError::Unset(if name.is_empty() { expr.to_string() } else { name })
    }

    pub(super) fn leave_out(&mut self, id: ElementId, why: impl Into<String>) {
        let entry = (id, why.into());
        if !self.done.left_out.contains(&entry) {
            self.done.left_out.push(entry);
        }
    }

    pub(super) fn step(&mut self) -> Result<(), LowerError> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(LowerError::TooLong(MOST_STEPS)) } else { Ok(()) }
    }

    pub(super) fn new_variable(&mut self, name: &str) -> u32 {
        self.done.variables.push(name.to_owned());
        self.done.variables.len() as u32 - 1
    }
}
