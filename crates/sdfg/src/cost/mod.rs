//! What a program moves and computes, symbolically.
//!
//! Definitions follow DaCe's `work_depth` analysis. **Work** is the number of operations that [`Rules`] count;
//! **depth** the longest chain of them, where maps run in parallel and write conflicts one after the
//! other; **movement** the bytes of all accesses to containers that live outside of scopes, counted at
//! the innermost edges, so that nesting and old volumes on outer edges change nothing. Loops multiply
//! (or sum, where iterations differ; what has no iteration counts as none), of branches the largest
//! counts. What data decides is an unknown with a name of its own.

mod allocated;
mod certainty;
pub(crate) mod components;
mod control_reads;
mod cpp;
mod decided;
mod defined;
mod distinct;
mod dominance;
mod flow;
pub(crate) mod in_all;
mod induction;
mod iterations;
mod library;
mod python;
mod reach;
pub(crate) mod roots;
mod scalars;
mod state;
mod times;
mod unknown;
mod values;
mod while_loops;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub use certainty::{AtMost, Certainty, Excess};
pub use distinct::{Amount, Distinct};
pub use in_all::{Conditional, Differing};
pub(crate) use iterations::assigned_value;
pub(crate) use state::movement::passage;
pub(crate) use state::topological_order;
pub use times::Times;
pub use unknown::Unknown;
pub use values::{CostPlan, CostValues, EdgeValues, FreeSymbol, NodeValues, SymbolKind};

use crate::expr::{Expr, Facts, Progression, TooLarge};
use crate::model::{
    BlockIndex, Edge, EdgeIndex, NodeIndex, Program, Region, RegionIndex, RegionKind, State,
    StateIndex,
};
use flow::LoopBetween;

/// Whose counting rules.
///
/// | operations | `Exact` | `Dace1` | `Dace2` | `Every` |
/// |---|---|---|---|---|
/// | `+ - * / // % ** & \| ^ << >>`, `-a`, `~a`, `not a` | 1 | 1 | 1 | 1 |
/// | `exp`, `tanh`, `sin`, `cos`, `sqrt`, `atan2` | 1 | 1 | 1 | 1 |
/// | other roots, powers, logarithms, angles, `int_floor`, `int_ceil` | 1 | 0 | 1 | 1 |
/// | `min`, `max` of so many | 0 | 0 | 0 | 1 fewer |
/// | `abs`, `floor`, `ceiling` | 0 | 0 | 0 | 1 |
/// | other functions of numbers (`erf`, `round`, `hypot`) | 0 | 0 | 0 | 1 |
/// | any other function, which may do anything | unknown | 0 | 0 | unknown |
/// | an operation of vectors | its lanes | 1 | 1 | its lanes |
/// | comparisons, each of a chain | 0 | 0 | 0 | 1 |
/// | `and`, `or`, each of a chain | 0 | 0 | 0 | 1 |
/// | `a if c else b`, besides `a`, `b` and `c` | 0 | 0 | 0 | 1 |
/// | casts, subscripts, assignments | 0 | 0 | 0 | 0 |
/// | C++ | as these | its volume | 1 | as these |
/// | combining writes, and an element of a reduction | its function | its function | its function | its function |
///
/// In C++ `Exact` counts no comparison, no `&&`, `||`, `?:` and no function but those of the second and
/// third line, `Every` all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// Ours: as DaCe 2.x where it is exact; C++ is counted, a consume scope has an unknown number of
    /// iterations, what is not known is an unknown.
    #[default]
    Exact,
    /// DaCe 1.x: a C++ tasklet is as many operations as it writes elements, a tasklet is as deep as it
    /// has operations, maps multiply even where iterations differ.
    Dace1,
    /// DaCe 2.x: a C++ tasklet is one operation.
    Dace2,
    /// Every operation: as [`Rules::Exact`], but minima, comparisons and choices count, so that a
    /// rectifier or the search for a maximum is no program without operations.
    Every,
}

impl Rules {
    /// What moves, and how often, is ours rather than DaCe's.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Rules::Exact | Rules::Every)
    }
}

/// What something costs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cost {
    /// Arithmetic operations.
    pub work: Expr,
    /// Operations on the longest chain.
    pub depth: Expr,
    /// Bytes of all accesses.
    pub moved: Expr,
    /// Which of these are bounds, and why.
    pub at_most: AtMost,
}

/// What an edge moves, each time its state runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Movement {
    /// Elements: those that what is inside accesses, worked out from the innermost edges outwards.
    pub elements: Expr,
    /// Bytes.
    pub bytes: Expr,
    /// Outside of all scopes of its state. By our own rules the seam between a view and its data is
    /// not: DaCe tells a volume there, and nothing moves.
    pub is_outermost: bool,
    /// Why it may be less.
    pub excess: Option<Excess>,
    /// Elements as the file has them, where that is something else.
    pub told: Option<Expr>,
}

/// The costs of a program and of all its parts.
#[derive(Debug, Clone)]
pub struct Costs {
    /// Of the whole.
    pub total: Cost,
    /// Of each node each time that its state reaches it, by state and node; an entry has its scope's.
    /// The bytes are those of the node's own outer edges.
    pub nodes: Vec<Vec<Cost>>,
    /// By state and edge; nothing for edges that order only.
    pub edges: Vec<Vec<Option<Movement>>>,
    /// Of each state each time that it runs.
    pub states: Vec<Cost>,
    /// How often each state runs each time that its graph does, at most.
    pub executions: Vec<Expr>,
    /// How often everything is reached in the whole run.
    pub times: Times,
    /// Bytes that move where each element that is accessed moves once.
    pub distinct: Distinct,
    /// What elements cost in the whole run where the times that they are reached differ.
    pub differing: Differing,
    /// Bytes of all accesses in the whole run, by the container that has the memory; those of inner
    /// graphs with the graph's name before theirs. Where programs branch all branches count.
    pub moved_by_container: BTreeMap<Arc<str>, Expr>,
    /// Elements that containers have, by graph and in the order of their names: those that are
    /// allocated, or else those of the shape. A view or a reference repeats another's.
    pub allocated: Vec<Vec<Expr>>,
    /// Of each region each time that it is reached, with all its iterations.
    pub regions: Vec<Cost>,
    /// What stands for something that is not known. Bounds are in terms of what costs are told in.
    pub unknowns: BTreeMap<Arc<str>, Unknown>,
    /// What was left out or assumed, with how often.
    pub notes: BTreeMap<String, u64>,
}

impl Costs {
    /// Works them out.
    pub fn of(program: &Program, rules: Rules) -> Costs {
        let mut analysis = Analysis::new(program, rules);
        for region in work::long_steps("working out costs", (0..program.regions.len()).rev()) {
            analysis.region(RegionIndex(region as u32));
        }
        analysis.finish()
    }

    /// Operations for each byte that a node's outer edges move; nothing where none moves.
    pub fn intensity(&self, state: StateIndex, node: NodeIndex) -> Option<Expr> {
        self.nodes[state.place()][node.place()].intensity()
    }
}

impl Cost {
    /// Operations for each byte; nothing where none moves.
    pub fn intensity(&self) -> Option<Expr> {
        (!self.moved.is_zero()).then(|| self.work.quotient(&self.moved).ok()).flatten()
    }

    /// Operations that can run at once, on average; nothing where there are none.
    pub fn parallelism(&self) -> Option<Expr> {
        (!self.depth.is_zero()).then(|| self.work.quotient(&self.depth).ok()).flatten()
    }

    /// Both, one after the other; an error where that is too long to be told.
    pub fn plus(&self, other: &Cost) -> Result<Cost, TooLarge> {
        Ok(Cost {
            work: self.work.plus(&other.work)?,
            depth: self.depth.plus(&other.depth)?,
            moved: self.moved.plus(&other.moved)?,
            at_most: self.at_most.or(other.at_most),
        })
    }

    /// The same, each by a rule of its own.
    fn each(&self, mut by: impl FnMut(&Expr) -> Result<Expr, TooLarge>) -> Result<Cost, TooLarge> {
        let (work, depth) = (by(&self.work)?, by(&self.depth)?);
        Ok(Cost { work, depth, moved: by(&self.moved)?, at_most: self.at_most })
    }

    /// The most of each that one of several costs.
    pub fn largest<'c>(all: impl Iterator<Item = &'c Cost> + Clone) -> Result<Cost, TooLarge> {
        let largest = |part: fn(&Cost) -> &Expr| {
            Expr::largest_cost(all.clone().map(|cost| part(cost).clone()).collect())
        };
        Ok(Cost {
            work: largest(|cost| &cost.work)?,
            depth: largest(|cost| &cost.depth)?,
            moved: largest(|cost| &cost.moved)?,
            at_most: AtMost::of_branches(all.clone()),
        })
    }
}

/// A variable that runs through values.
#[derive(Debug, Clone)]
struct Iterations {
    variable: Arc<str>,
    values: Progression,
}

struct Analysis<'p> {
    program: &'p Program,
    rules: Rules,
    facts: Facts,
    /// By graph: its states.
    states_of: Vec<Vec<StateIndex>>,
    /// Where the memory of containers is.
    roots: roots::Roots,
    /// What decides the ranges of maps while the program runs.
    dynamic: HashMap<(StateIndex, NodeIndex), state::Inputs<'p>>,
    /// By graph: symbols that have one value each time that the graph runs, in terms of others.
    defined: Vec<HashMap<Arc<str>, Expr>>,
    /// By graph: symbols that are read from data, with where from.
    read: Vec<HashMap<Arc<str>, defined::Read>>,
    /// By graph: its symbols in terms of the outermost graph's.
    outside: Vec<HashMap<Arc<str>, Expr>>,
    nodes: Vec<Vec<Cost>>,
    edges: Vec<Vec<Option<Movement>>>,
    states: Vec<Cost>,
    regions: Vec<Cost>,
    /// The loops between blocks around each block, by region and block: a place in `loops`.
    loop_of: Vec<Vec<flow::Around>>,
    /// By region: loops between blocks.
    loops: Vec<Vec<LoopBetween>>,
    /// By region: how often a branch is reached each time that its conditional is; nothing where it
    /// is none, or data decides.
    branch_weights: Vec<Option<Expr>>,
    /// See [`times::left_before`].
    left_before: Vec<Vec<bool>>,
    /// What they cost each time.
    conditionals: HashMap<(RegionIndex, BlockIndex), Cost>,
    unknowns: BTreeMap<Arc<str>, Unknown>,
    /// What unknowns of one name stand for.
    meanings: HashMap<String, Vec<String>>,
    notes: BTreeMap<String, u64>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, rules: Rules) -> Analysis<'p> {
        let mut states_of = vec![vec![]; program.graphs.len()];
        for (place, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            states_of[graph.place()].push(StateIndex(place as u32));
        }
        let changing = in_all::changing_names(program).into_iter().map(Arc::from).collect();
        let mut analysis = Analysis {
            program,
            rules,
            facts: Facts::all_sizes_but(changing),
            roots: roots::Roots::of(program),
            dynamic: state::dynamic_inputs(program),
            states_of,
            defined: vec![],
            read: vec![],
            outside: vec![],
            nodes: vec![vec![]; program.states.len()],
            edges: vec![vec![]; program.states.len()],
            states: vec![Cost::default(); program.states.len()],
            regions: vec![Cost::default(); program.regions.len()],
            loop_of: vec![vec![]; program.regions.len()],
            loops: vec![vec![]; program.regions.len()],
            branch_weights: vec![None; program.regions.len()],
            left_before: times::left_before(program),
            conditionals: HashMap::new(),
            unknowns: BTreeMap::new(),
            meanings: HashMap::new(),
            notes: BTreeMap::new(),
        };
        for view in analysis.roots.ambiguous().cloned().collect::<Vec<_>>() {
            analysis.note(&format!(
                "one state binds the view {view} to several containers: its accesses count as those of the first"
            ));
        }
        analysis.defined = analysis.find_definitions();
        analysis.read = analysis.find_read();
        analysis.outside = analysis.outside_names();
        analysis
    }

    fn note(&mut self, message: &str) {
        *self.notes.entry(message.to_owned()).or_default() += 1;
    }

    /// A named unknown: one for all that has the name.
    fn unknown(&mut self, name: &str, unknown: Unknown) -> Expr {
        self.unknown_of(name, "", unknown)
    }

    /// A named unknown: one for each meaning; of others with the name the second one has a number.
    fn unknown_of(&mut self, name: &str, meaning: &str, unknown: Unknown) -> Expr {
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let meanings = self.meanings.entry(plain.clone()).or_default();
        let place = meanings.iter().position(|known| known == meaning).unwrap_or_else(|| {
            meanings.push(meaning.to_owned());
            meanings.len() - 1
        });
        let symbol = if place == 0 { plain } else { format!("{plain}_{}", place + 1) };
        let known = self.unknowns.get(symbol.as_str());
        let unknown = known.into_iter().fold(unknown, Unknown::or);
        self.unknowns.insert(symbol.as_str().into(), unknown);
        Expr::symbol(&symbol)
    }

    /// Whether something that is not known is in it.
    fn has_unknown(&self, expr: &Expr) -> bool {
        expr.symbols().into_iter().any(|name| self.unknowns.contains_key(name))
    }

    /// The value, or an unknown in its place where it leaves exact arithmetic.
    fn or_unknown(&mut self, made: Result<Expr, TooLarge>, name: &str) -> Expr {
        made.unwrap_or_else(|error| self.unknown(name, Unknown::new(error.to_string())))
    }

    fn cost_or_unknown(&mut self, made: Result<Cost, TooLarge>, name: &str) -> Cost {
        made.unwrap_or_else(|error| {
            let too_large = Unknown::new(error.to_string());
            let mut part = |what: &str| self.unknown(&format!("{name}_{what}"), too_large.clone());
            let (work, depth, moved) = (part("work"), part("depth"), part("bytes"));
            Cost { work, depth, moved, at_most: AtMost::default() }
        })
    }

    fn finish(mut self) -> Costs {
        let program = self.program;
        let mut executions = vec![];
        for state in work::long_steps("counting executions", &program.states) {
            let count = self.executions_of(state.region, state.block);
            executions.push(self.or_unknown(count, &format!("{}_executions", state.label)));
        }
        let times = self.times();
        let differing = self.differing();
        let moved_by_container = self.moved_by_container();
        let distinct = self.distinct();
        let outside = std::mem::take(&mut self.outside);
        let allocated = self.allocated(&outside);
        for (index, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            let names = &outside[graph.place()];
            if names.is_empty() {
                continue;
            }
            // What gets too large in terms of the outermost symbols stays in those of its graph.
            let renamed = |expr: &mut Expr| {
                if let Ok(new) = expr.substituted(&|name| names.get(name).cloned()) {
                    *expr = new;
                }
            };
            let rename_cost = |cost: &mut Cost| {
                [&mut cost.work, &mut cost.depth, &mut cost.moved].into_iter().for_each(renamed);
            };
            self.nodes[index].iter_mut().for_each(rename_cost);
            rename_cost(&mut self.states[index]);
            renamed(&mut executions[index]);
            for movement in self.edges[index].iter_mut().flatten() {
                renamed(&mut movement.elements);
                renamed(&mut movement.bytes);
            }
        }
        for (region, cost) in program.regions.iter().zip(&mut self.regions) {
            let names = &outside[region.graph.place()];
            if let Ok(new) = cost.each(|part| part.substituted(&|name| names.get(name).cloned())) {
                *cost = new;
            }
        }
        let total = match program.root() {
            Some(root) => self.regions[root.region.place()].clone(),
            None => Cost::default(),
        };
        let mut costs = Costs {
            total,
            nodes: self.nodes,
            edges: self.edges,
            states: self.states,
            executions,
            times,
            distinct,
            differing,
            moved_by_container,
            allocated,
            regions: self.regions,
            unknowns: self.unknowns,
            notes: self.notes,
        };
        costs.tell_changing(program);
        costs.forget_unused();
        costs
    }

    /// The loop that a region is, where it is one.
    fn region_iterations(&mut self, region: &Region) -> Option<Iterations> {
        match &region.kind {
            RegionKind::Loop(header) => Some(self.loop_region(region, header)),
            RegionKind::Graph | RegionKind::Plain => None,
        }
    }
}

/// The edges of a state by the nodes at their ends.
pub(crate) struct Adjacency {
    pub(crate) incoming: Vec<Vec<EdgeIndex>>,
    pub(crate) outgoing: Vec<Vec<EdgeIndex>>,
}

impl Adjacency {
    pub(crate) fn of(state: &State) -> Adjacency {
        let mut incoming = vec![vec![]; state.nodes.len()];
        let mut outgoing = vec![vec![]; state.nodes.len()];
        for (place, Edge { source, target, .. }) in state.edges.iter().enumerate() {
            outgoing[source.place()].push(EdgeIndex(place as u32));
            incoming[target.place()].push(EdgeIndex(place as u32));
        }
        Adjacency { incoming, outgoing }
    }
}
