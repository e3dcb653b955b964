//! How often loops run: regions with a header, and guard states with edges that lead back.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use num_traits::{One as _, Signed as _};

use super::reach::is_opposite;
use crate::cost::analysis::Analysis;
use crate::cost::found::Iterations;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, Function, Number, Progression, TooLarge, parse};
use crate::model::{
    Block, BlockKind, Code, InterstateEdge, Loop, Program, Region, RegionIndex, RegionKind,
};

pub(super) const NOT_UNDERSTOOD: &str =
    "how often a loop runs depends on data, or its header is not understood";

impl Analysis<'_> {
    /// With the value that the variable has behind the last iteration.
    pub(super) fn behind_last(&self, expr: &Expr, over: &Iterations) -> Result<Expr, TooLarge> {
        if !expr.symbols().contains(&*over.variable) {
            return Ok(expr.clone());
        }
        let count = self.facts.at_least_zero(&over.values.count)?;
        let last = over.values.first.plus(&over.values.step.times(&count)?)?;
        expr.substituted(&|name| (name == &*over.variable).then(|| last.clone()))
    }

    /// How often a loop runs that is understood, if data does not decide it.
    pub(super) fn known_iterations(
        &mut self,
        region: &Region,
        found: Iterations,
        label: &str,
    ) -> Result<Iterations, TooLarge> {
        let mut found = self.resolved_iterations(region, found)?;
        if found.values.step.as_symbol() == Some(FACTOR) {
            let why = Unknown::new(format!("{} changes by a factor", found.variable));
            found.values.step = self.unknown(&format!("{label}_step"), why);
        }
        match self.read_in(&found.values.count, region.graph, label) {
            None => Ok(found),
            Some((name, why)) => {
                let count = self.unknown(&name, Unknown::count(why));
                Ok(Iterations { values: Progression { count, ..found.values }, ..found })
            }
        }
    }

    fn resolved_iterations(
        &self,
        region: &Region,
        mut found: Iterations,
    ) -> Result<Iterations, TooLarge> {
        for part in [&mut found.values.first, &mut found.values.step, &mut found.values.count] {
            *part = self.resolved(part, region.graph)?;
        }
        Ok(found)
    }

    /// A loop region's header.
    pub(super) fn loop_region(&mut self, region: &Region, header: &Loop) -> Iterations {
        let changed = set_in_blocks(self.program, region, &|_| true);
        let found = header_iterations(header, &changed);
        let found = found.or_else(|| self.while_iterations(region, header));
        let resolved =
            found.and_then(|found| self.known_iterations(region, found, &region.label).ok());
        match resolved {
            Some(iterations) => iterations,
            None => {
                let why = match header_iterations(header, &BTreeSet::new()) {
                    Some(_) => "what a loop's header asks for changes as the program runs",
                    None => NOT_UNDERSTOOD,
                };
                // The body comes before the condition.
                let least = i128::from(header.is_inverted);
                self.unknown_iterations((&region.label, why), &header.variable, least)
            }
        }
    }

    pub(super) fn unknown_iterations(
        &mut self,
        (label, why): (&str, &str),
        variable: &str,
        least: i128,
    ) -> Iterations {
        let count = self.unknown(&format!("{label}_iterations"), Unknown::new(why).at_least(least));
        let (first, step) = (Expr::default(), Expr::integer(1));
        Iterations { variable: variable.into(), values: Progression { first, step, count } }
    }
}

/// A loop between blocks, to be understood.
pub(super) struct GuardLoop<'a> {
    pub(super) program: &'a Program,
    pub(super) region: &'a Region,
    pub(super) is_inside: &'a dyn Fn(usize) -> bool,
    pub(super) header: usize,
    /// Whether what a block costs depends on a name.
    pub(super) depends: &'a dyn Fn(usize, &str) -> bool,
}

/// Names that are looked at for whether they are a loop's variable; each costs a walk through the loop.
const MOST_CANDIDATES: usize = 64;

impl<'a> GuardLoop<'a> {
    fn inside(&self) -> impl Iterator<Item = &'a InterstateEdge> {
        let is_inside = self.is_inside;
        let edges = self.region.edges.iter();
        edges.filter(|edge| is_inside(edge.source.place()) && is_inside(edge.target.place()))
    }

    /// The variable, its values and its end, from assignments and conditions on edges, and whether the
    /// condition is asked before each iteration.
    pub(super) fn iterations(&self) -> Option<(Iterations, bool)> {
        // A variable that changes at one place, by a fixed step.
        let mut changes: HashMap<&Arc<str>, Vec<(&InterstateEdge, &Expr)>> = HashMap::new();
        for edge in self.inside() {
            for (name, value) in &edge.assignments {
                changes.entry(name).or_default().push((edge, value));
            }
        }
        let stepped = changes.into_iter().filter_map(|(name, values)| match values[..] {
            [(edge, value)] => Step::new(name, value).map(|step| (name, edge, step)),
            _ => None,
        });
        let mut stepped: Vec<_> = stepped.collect();
        stepped.sort_by(|a, b| a.0.cmp(b.0));
        let ends = [
            (self.inside().filter(|edge| edge.source.place() == self.header).collect(), false),
            (self.inside().filter(|edge| edge.target.place() == self.header).collect(), true),
        ];
        let ways = self.ways();
        let set_inside = set_inside_blocks(self.program, self.region, self.is_inside);
        let changed = set_in_blocks(self.program, self.region, self.is_inside);
        for (name, edge, step) in stepped.into_iter().take(MOST_CANDIDATES) {
            let Some(first) = self.first_of(name) else { continue };
            if !self.is_once_each(edge, name, &ways) || set_inside.contains(&**name) {
                continue;
            }
            for (asking, is_asked_after) in &ends {
                let asking: &Vec<&InterstateEdge> = asking;
                let [asking] = asking[..] else { continue };
                let Some(condition) = asking.condition.as_deref() else { continue };
                let Some(count) = iteration_count(condition, name, first, &step) else { continue };
                let symbols = condition.symbols().into_iter().chain(step.symbols());
                let symbols: BTreeSet<&str> = symbols.filter(|symbol| *symbol != &**name).collect();
                if !self.leaves_by(asking) || symbols.iter().any(|name| changed.contains(name)) {
                    continue;
                }
                let at_least = vec![count.clone(), Expr::integer(1)];
                let count =
                    if *is_asked_after { Expr::call(Function::Max, at_least).ok()? } else { count };
                let values = step.clone().values(first.clone(), count);
                return Some((Iterations { variable: name.clone(), values }, !is_asked_after));
            }
        }
        None
    }

    /// The value of a name on all ways into the loop, where it is one.
    fn first_of(&self, name: &str) -> Option<&'a Expr> {
        let mut first = None;
        if self.region.start.is_some_and(|start| start.place() == self.header) {
            return None;
        }
        for edge in self.region.edges.iter().filter(|edge| edge.target.place() == self.header) {
            if (self.is_inside)(edge.source.place()) {
                continue;
            }
            let (_, value) = edge.assignments.iter().find(|(known, _)| **known == *name)?;
            if first.is_some_and(|first| first != &**value) {
                return None;
            }
            first = Some(&**value);
        }
        first
    }

    /// The edges inside by the block that they come from.
    fn ways(&self) -> Ways<'a> {
        let mut ways = HashMap::<usize, Vec<&InterstateEdge>>::new();
        for edge in self.inside() {
            ways.entry(edge.source.place()).or_default().push(edge);
        }
        ways
    }

    /// Whether an edge is taken once in each iteration, with nothing behind it that depends on the name
    /// that it sets.
    fn is_once_each(&self, edge: &InterstateEdge, name: &str, ways: &Ways<'a>) -> bool {
        let is_other = |one: &&InterstateEdge| !std::ptr::eq(*one, edge);
        // Without it there is no way back to the header.
        let without = reached(self.header, ways, |one| is_other(&one));
        let mut back =
            self.inside().filter(is_other).filter(|one| one.target.place() == self.header);
        if back.any(|one| without.contains(&one.source.place())) {
            return false;
        }
        if edge.target.place() == self.header {
            return true;
        }
        // What is behind it, up to the header.
        let header = self.header;
        let behind = reached(edge.target.place(), ways, |one| one.target.place() != header);
        !behind.contains(&edge.source.place())
            && behind.iter().all(|&block| !(self.depends)(block, name))
    }

    /// Whether the loop goes on by an edge if its condition holds, and is left there if not.
    fn leaves_by(&self, asking: &InterstateEdge) -> bool {
        let leaving = self.region.edges.iter().filter(|edge| edge.source == asking.source);
        let mut leaving = leaving.filter(|edge| !std::ptr::eq(*edge, asking));
        leaving.all(|edge| {
            let is_rest = edge.condition.is_none() && asking.condition.is_some();
            !(self.is_inside)(edge.target.place())
                && (is_rest || is_opposite(asking.condition.as_deref(), edge.condition.as_deref()))
        })
    }
}

type Ways<'a> = HashMap<usize, Vec<&'a InterstateEdge>>;

/// Blocks on ways of some edges from one of them on, with it.
fn reached(from: usize, ways: &Ways<'_>, by: impl Fn(&InterstateEdge) -> bool) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        for edge in ways.get(&block).into_iter().flatten().filter(|edge| by(edge)) {
            if reached.insert(edge.target.place()) {
                open.push(edge.target.place());
            }
        }
    }
    reached
}

/// How a loop's variable changes.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// By a number, or a symbol.
    By(Expr),
    /// Times a whole number of at least 2.
    Times(Number),
    /// Divided by one, and rounded down.
    Over(Number),
}

impl Step {
    /// That of `name = value`.
    pub(super) fn new(name: &str, value: &Expr) -> Option<Step> {
        let is_factor = |number: &Number| number.is_integer() && *number > Number::one();
        if let Some(divisor) = value.as_part_of(name) {
            return Some(divisor).filter(is_factor).map(Step::Over);
        }
        let (slope, step) = value.linear_in(name)?;
        match (slope.is_one(), step.is_zero()) {
            (true, false) => Some(Step::By(step)),
            (false, true) => Some(slope).filter(is_factor).map(Step::Times),
            _ => None,
        }
    }

    pub(super) fn symbols(&self) -> BTreeSet<&str> {
        match self {
            Step::By(step) => step.symbols(),
            Step::Times(_) | Step::Over(_) => BTreeSet::new(),
        }
    }

    /// The values of a variable that changes so.
    pub(super) fn values(self, first: Expr, count: Expr) -> Progression {
        let step = match self {
            Step::By(step) => step,
            Step::Times(_) | Step::Over(_) => Expr::symbol(FACTOR),
        };
        Progression { first, step, count }
    }
}

/// Stands for the step of a variable that changes by a factor: no sum over its values is told.
const FACTOR: &str = "(a factor)";

/// Names that edges between blocks set, and those that are set inside of these blocks.
pub(super) fn set_in_blocks<'p>(
    program: &'p Program,
    region: &'p Region,
    is_inside: &dyn Fn(usize) -> bool,
) -> BTreeSet<&'p str> {
    let between = region.edges.iter();
    let between =
        between.filter(|edge| is_inside(edge.source.place()) && is_inside(edge.target.place()));
    let mut names: BTreeSet<&str> =
        between.flat_map(|edge| &edge.assignments).map(|(name, _)| &**name).collect();
    names.extend(set_inside_blocks(program, region, is_inside));
    names
}

/// Names that edges and loops inside of some blocks set.
pub(super) fn set_inside_blocks<'p>(
    program: &'p Program,
    region: &'p Region,
    is_inside: &dyn Fn(usize) -> bool,
) -> BTreeSet<&'p str> {
    let mut names = BTreeSet::new();
    let inner = |block: &Block| match &block.kind {
        BlockKind::Region(inner) => vec![*inner],
        BlockKind::Conditional { branches, .. } => {
            branches.iter().map(|(_, branch)| *branch).collect()
        }
        _ => vec![],
    };
    let blocks = region.blocks.iter().enumerate().filter(|(place, _)| is_inside(*place));
    let mut open: Vec<RegionIndex> = blocks.flat_map(|(_, block)| inner(block)).collect();
    while let Some(index) = open.pop() {
        let region = program.region(index);
        let assigned = region.edges.iter().flat_map(|edge| &edge.assignments);
        names.extend(assigned.map(|(name, _)| &**name));
        if let RegionKind::Loop(header) = &region.kind {
            names.insert(&*header.variable);
        }
        open.extend(region.blocks.iter().flat_map(inner));
    }
    names
}

pub(super) fn header_iterations(header: &Loop, changed: &BTreeSet<&str>) -> Option<Iterations> {
    let name = &header.variable;
    let first = assigned_value(header.init.as_ref()?, name)?;
    let step = Step::new(name, &assigned_value(header.update.as_ref()?, name)?)?;
    let condition = parse(&header.condition.as_ref()?.text).ok()?;
    let symbols = [&first, &condition].into_iter().flat_map(|expr| expr.symbols());
    let symbols = symbols.chain(step.symbols());
    if symbols.chain([&**name]).any(|symbol| changed.contains(symbol)) {
        // What the body changes may change how often it runs.
        return None;
    }
    let count = iteration_count(&condition, name, &first, &step)?;
    let one = Expr::integer(1);
    let count = match (header.is_inverted, header.updates_before_condition) {
        (false, _) => count,
        (true, true) => Expr::call(Function::Max, vec![count, one]).ok()?,
        (true, false) => count.plus(&one).ok()?,
    };
    Some(Iterations { variable: name.clone(), values: step.values(first, count) })
}

/// The right side of `name = value`, also of `name += value` and the like.
pub(crate) fn assigned_value(code: &Code, name: &str) -> Option<Expr> {
    let rest = code.text.trim().trim_end_matches(';').strip_prefix(name)?.trim_start();
    let symbol = Expr::symbol(name);
    if let Some(value) = rest.strip_prefix("+=") {
        return symbol.plus(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("-=") {
        return symbol.minus(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("*=") {
        return symbol.times(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("//=") {
        let quotient = symbol.divided_by(&parse(value).ok()?).ok()?;
        return Expr::call(Function::Floor, vec![quotient]).ok();
    }
    let value = rest.strip_prefix('=').filter(|value| !value.starts_with('='))?;
    parse(value).ok()
}

/// How often a condition holds, from the first value on.
pub(super) fn iteration_count(
    condition: &Expr,
    name: &str,
    first: &Expr,
    step: &Step,
) -> Option<Expr> {
    if condition.has_unknown_function() {
        return None;
    }
    if let Some(all) = condition.as_conjunction() {
        // Each of them holds up to some value, and for none behind it.
        let each = |one: &Expr| {
            let ends = one.as_inequality().is_none();
            ends.then(|| iteration_count(one, name, first, step)).flatten()
        };
        let counts: Option<Vec<Expr>> = all.iter().map(each).collect();
        return Expr::call(Function::Min, counts?).ok();
    }
    if let (Some(difference), Step::By(step)) = (condition.as_inequality(), step) {
        let (slope, rest) = difference.linear_in(name)?;
        let end = rest.scaled(-slope.recip()).ok()?;
        let is_one = step.as_number().is_some_and(|step| step.abs().is_one());
        return is_one.then(|| end.minus(first).and_then(|span| span.divided_by(step)).ok())?;
    }
    let (difference, is_strict) = condition.as_comparison()?;
    let (slope, rest) = difference.linear_in(name)?;
    let end = rest.scaled(-slope.recip()).ok()?;
    match step {
        Step::By(step) => {
            // A step that is a symbol goes the way that the condition asks for.
            let number = step.as_number();
            if number.is_some_and(|step| step.is_positive() != slope.is_positive()) {
                return None;
            }
            let span = end.minus(first).ok()?;
            if is_strict {
                span.ceiling_divided(step).ok()
            } else {
                span.floor_divided(step).ok()?.plus(&Expr::integer(1)).ok()
            }
        }
        Step::Times(factor) => {
            // `first * factor**k < end` from `k = 0` on.
            let first = first.as_number().filter(|first| first.is_positive())?;
            let mut most = end.scaled(first.recip()).ok()?;
            if is_strict {
                let above = Expr::call(Function::Ceiling, vec![most]).ok()?;
                most = above.minus(&Expr::integer(1)).ok()?;
            }
            slope.is_positive().then(|| powers(most, *factor))?
        }
        Step::Over(divisor) => {
            // `floor(first / divisor**k) >= end`, which is the same without rounding.
            let mut end = end.as_number().filter(Number::is_integer)?;
            if is_strict {
                end += Number::one();
            }
            let is_falling = slope.is_negative() && end.is_positive() && first.is_whole();
            is_falling.then(|| powers(first.scaled(end.recip()).ok()?, *divisor))?
        }
    }
}

fn powers(most: Expr, base: Number) -> Option<Expr> {
    Expr::call(Function::Powers, vec![most, Expr::number(base)]).ok()
}
