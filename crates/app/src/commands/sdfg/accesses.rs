//! What is simulated: a graph, or loops of C that Polly exported.

use std::collections::{BTreeSet, HashSet};
use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use locality::ChangeError;
use scop::{Limits, Scop, Size};
use sdfg::cost::{Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, Part};
use sdfg::model::{NodeKind, Program as Graph};
use session::{Loops, Setting};

use super::cost::check_symbols;
use crate::arguments::SdfgSimulate;
use crate::commands::sdfg::files::from;

/// A graph or loops.
pub(super) enum Input {
    Graph(Box<Graph>),
    Loops(Scop),
}

impl Input {
    /// Reads bytes of a path; what they are is told by what is in them.
    pub(super) fn read(mut bytes: Box<dyn Read>, path: &Path, max_size: u64) -> Result<Input> {
        let limits = Limits::default();
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

    /// The part that is asked for.
    pub(super) fn loops<'a>(&'a self, arguments: &'a SdfgSimulate) -> Result<Loops<'a>> {
        match self {
            Input::Graph(program) => {
                Ok(Loops::Graph(program, Part::new(program, &arguments.scope)?))
            }
            Input::Loops(loops) => {
                let statement = Some(&*arguments.scope).filter(|name| !name.is_empty());
                Ok(Loops::Scop(loops, statement))
            }
        }
    }
}

/// How they are run, all changes included.
pub(super) fn setting(arguments: &SdfgSimulate) -> Result<Setting> {
    let changes = arguments.what_if.iter().map(|change| change.parse());
    Ok(Setting {
        at: arguments.set.iter().cloned().collect(),
        combining: if arguments.combining_reads { Combining::ReadWrite } else { Combining::Write },
        changes: changes.collect::<Result<_, ChangeError>>()?,
        schedule: arguments.schedule,
        private: arguments.private,
    })
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
    check_symbols(program, &Costs::new(program, Rules::Exact), &at)
}
