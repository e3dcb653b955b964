//! What is not known, and what is known of it all the same.

use std::collections::BTreeSet;
use std::fmt;

use crate::cost::costs::Costs;
use crate::expr::{Expr, Function};
use crate::model::Program;

/// What stands for something that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Why it is not known.
    pub why: String,
    /// It is not less; nothing where no bound is known.
    pub least: Option<Expr>,
    /// It is no more; nothing where no bound is known.
    pub most: Option<Expr>,
}

impl Unknown {
    /// Without bounds.
    pub(super) fn new(why: impl Into<String>) -> Unknown {
        Unknown { why: why.into(), least: None, most: None }
    }

    /// How many there are of something.
    pub(super) fn count(why: impl Into<String>) -> Unknown {
        Unknown::new(why).at_least(0)
    }

    pub(super) fn at_least(self, least: i128) -> Unknown {
        Unknown { least: Some(Expr::integer(least)), ..self }
    }

    pub(super) fn at_most(self, most: Option<Expr>) -> Unknown {
        Unknown { most, ..self }
    }

    /// What bounds both of two that have one name.
    pub(super) fn or(self, other: &Unknown) -> Unknown {
        let bound = |function: Function, a: Option<Expr>, b: &Option<Expr>| {
            Expr::call(function, vec![a?, b.clone()?]).ok()
        };
        Unknown {
            why: self.why,
            least: bound(Function::Min, self.least, &other.least),
            most: bound(Function::Max, self.most, &other.most),
        }
    }
}

impl Costs {
    /// Symbols that the program sets and that are left in totals: nobody can set them, and what they
    /// hold is another thing at each place.
    pub(super) fn tell_changing(&mut self, program: &Program) {
        let Some(root) = program.root() else { return };
        let parts = [&self.total.work, &self.total.depth, &self.total.moved];
        let parts = parts.into_iter().chain([&self.distinct.total.bytes]);
        let left: BTreeSet<&str> = parts.flat_map(Expr::symbols).collect();
        let mut found = vec![];
        for region in &program.regions {
            let is_root = program.graph(region.graph).region == root.region;
            for (name, value) in region.edges.iter().flat_map(|edge| &edge.assignments) {
                // Another graph may call something else so.
                let is_free = !is_root && root.symbols.contains_key(name);
                if left.contains(&**name) && !is_free && !self.unknowns.contains_key(name) {
                    let why = format!("{name} changes as the program runs: it is set to {value}");
                    found.push((name.clone(), Unknown::new(why)));
                }
            }
        }
        for (name, unknown) in found {
            self.unknowns.entry(name).or_insert(unknown);
        }
    }

    /// Leaves out unknowns that nothing depends on.
    pub(super) fn forget_unused(&mut self) {
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut use_all = |expr: &Expr| used.extend(expr.symbols().into_iter().map(str::to_owned));
        let costs = std::iter::once(&self.total)
            .chain(self.nodes.iter().flatten())
            .chain(&self.states)
            .chain(&self.regions);
        for cost in costs {
            [&cost.work, &cost.depth, &cost.moved].into_iter().for_each(&mut use_all);
        }
        for movement in self.edges.iter().flatten().flatten().chain(self.differing.edges.values()) {
            [&movement.elements, &movement.bytes].into_iter().for_each(&mut use_all);
        }
        let differing = &self.differing;
        let sums = differing.nodes.values().chain(differing.states.values());
        let conditionals = differing.conditionals.values();
        let conditionals =
            conditionals.flat_map(|one| std::iter::once(&one.each).chain(&one.in_all));
        for cost in sums.chain(differing.regions.values()).chain(conditionals) {
            [&cost.work, &cost.depth, &cost.moved].into_iter().for_each(&mut use_all);
        }
        let times = self.times.states.iter().chain(self.times.insides.iter().flatten());
        let times = times.chain(&self.times.regions).flatten();
        let rest = times
            .chain(&self.executions)
            .chain(self.distinct.amounts().map(|amount| &amount.bytes))
            .chain(self.moved_by_container.values())
            .chain(self.allocated.iter().flatten());
        rest.for_each(&mut use_all);
        self.unknowns.retain(|name, _| used.contains(&**name));
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.why)?;
        match (&self.least, &self.most) {
            (None, None) => Ok(()),
            (Some(least), None) => write!(f, "; at least {least}"),
            (None, Some(most)) => write!(f, "; at most {most}"),
            (Some(least), Some(most)) => write!(f, "; from {least} to {most}"),
        }
    }
}
