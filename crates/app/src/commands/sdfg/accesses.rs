//! What is simulated: a graph, or loops of C that Polly exported.

use std::collections::{BTreeSet, HashSet};
use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use locality::Program;
use scop::{Limits, Scop, Size};
use sdfg::cost::{Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, Part, Wanted, lower};
use sdfg::model::{NodeKind, Program as Graph};

use super::cost::check_symbols;
use super::{bytes_of, from};
use crate::arguments::SdfgSimulate;

/// A graph or loops.
pub(super) enum Input {
    Graph(Box<Graph>),
    Loops(Scop),
}

/// Loops around accesses, of whatever.
pub(super) struct Accesses {
    pub(super) program: Program,
    /// By reference, where it is and what it does.
    pub(super) origins: Vec<String>,
    /// What is left out, and why.
    pub(super) left_out: Vec<(String, String)>,
    pub(super) notes: Vec<String>,
}

impl Input {
    /// Reads a file, or standard input; what it is is told by what is in it.
    pub(super) fn open(path: &Path, max_size: u64) -> Result<Input> {
        let limits = Limits::default();
        let mut bytes = bytes_of(path)?;
        // No loops that are read are longer; a graph that is goes on behind.
        let cannot_read = || format!("cannot read {}", path.display());
        let most = (limits.max_size as u64).min(max_size).saturating_add(1);
        let mut start = vec![];
        bytes.by_ref().take(most).read_to_end(&mut start).with_context(cannot_read)?;
        if scop::is_scop(&start) {
            return Ok(Input::Loops(scop::read(&start, &limits).with_context(cannot_read)?));
        }
        let whole = Box::new(Cursor::new(start).chain(bytes));
        Ok(Input::Graph(Box::new(from(whole, path, max_size, sdfg::read)?)))
    }

    /// Refuses what is asked of graphs alone.
    pub(super) fn check(&self, arguments: &SdfgSimulate) -> Result<()> {
        if let Input::Graph(program) = self {
            return check_names(program, arguments);
        }
        if arguments.combining_reads {
            bail!("--combining-reads is for graphs: loops say themselves what they read");
        }
        let Input::Loops(loops) = self else { return Ok(()) };
        let of_sizes = loops.arrays.iter().flat_map(|array| &array.sizes).flat_map(|size| {
            let terms = if let Size::Sum { terms, .. } = size { &terms[..] } else { &[] };
            terms.iter().map(|(name, _)| name)
        });
        let known: BTreeSet<&String> = loops.parameters.iter().chain(of_sizes).collect();
        if let Some((name, _)) = arguments.set.iter().find(|(name, _)| !known.contains(name)) {
            let known: Vec<&str> = known.into_iter().map(|name| &**name).collect();
            bail!("the loops have no parameter {name}; they have {}", known.join(", "));
        }
        Ok(())
    }

    /// What places of accesses are called.
    pub(super) fn origins(&self) -> &'static str {
        match self {
            Input::Graph(_) => "edges",
            Input::Loops(_) => "statements",
        }
    }

    /// The part that is asked for, at the sizes that are given.
    pub(super) fn accesses(&self, arguments: &SdfgSimulate) -> Result<Accesses> {
        self.accesses_at(arguments, &arguments.set)
    }

    /// The same part at sizes so small that it has no more accesses than some, if there are any.
    pub(super) fn smaller(&self, arguments: &SdfgSimulate, most: u128) -> Option<Program> {
        (1..64).find_map(|halvings| {
            let less = |value: i128| if value > 6 { (value >> halvings).max(6) } else { value };
            let set: Vec<(String, i128)> =
                arguments.set.iter().map(|(name, value)| (name.clone(), less(*value))).collect();
            let program = self.accesses_at(arguments, &set).ok()?.program;
            (program.nest.accesses() <= most).then_some(program)
        })
    }

    fn accesses_at(&self, arguments: &SdfgSimulate, set: &[(String, i128)]) -> Result<Accesses> {
        let at = set.iter().cloned().collect();
        let way = |is_write: bool| if is_write { "writes" } else { "reads" };
        match self {
            Input::Graph(program) => {
                let part = Part::of(program, &arguments.scope)?;
                let combining =
                    if arguments.combining_reads { Combining::ReadWrite } else { Combining::Write };
                let own = lower(program, part, &Wanted { at, combining })?;
                let origins = own.origins.iter().zip(&own.nest.references).map(|(origin, one)| {
                    format!("{} {} {}", origin.edge, way(one.is_write), origin.data)
                });
                let left_out = own.left_out.iter().map(|(id, why)| (id.to_string(), why.clone()));
                Ok(Accesses {
                    origins: origins.collect(),
                    left_out: left_out.collect(),
                    program: own.program(),
                    notes: own.notes,
                })
            }
            Input::Loops(loops) => {
                let statement = Some(&*arguments.scope).filter(|name| !name.is_empty());
                let own = loops.nest(&at, statement)?;
                let origins = own.origins.iter().zip(&own.nest.references).map(|(origin, one)| {
                    let statement = &loops.statements[origin.statement as usize].name;
                    let array = &own.containers[one.container as usize].name;
                    format!("{statement} {} {array}", way(one.is_write))
                });
                Ok(Accesses {
                    origins: origins.collect(),
                    program: own.program(),
                    left_out: own.left_out,
                    notes: own.notes,
                })
            }
        }
    }
}

/// Values are for symbols of the graph, whose sizes are not below 0, or for parameters of its maps.
fn check_names(program: &Graph, arguments: &SdfgSimulate) -> Result<()> {
    let nodes = program.states.iter().flat_map(|state| &state.nodes);
    let parameters: HashSet<&str> = nodes
        .filter_map(|node| match &node.kind {
            NodeKind::MapEntry(map) => Some(map.parameters.iter().map(|name| &**name)),
            _ => None,
        })
        .flatten()
        .collect();
    let is_symbol = |name: &str| program.root().is_some_and(|root| root.symbols.contains_key(name));
    let mut at: Bindings = arguments.set.iter().cloned().collect();
    at.retain(|name, value| {
        let is_parameter = !is_symbol(name) && parameters.contains(&**name);
        !(is_parameter || (is_symbol(name) && *value >= 0))
    });
    if at.is_empty() {
        return Ok(());
    }
    // What files do not declare may be free all the same.
    check_symbols(program, &Costs::of(program, Rules::Exact), &at)
}
