//! Control flow, followed as it runs.

use locality::{Affine, Loop, Nest, Step};

use super::places::Places;
use super::{LowerError, Lowering, Names};
use crate::cost::assigned_value;
use crate::expr::{Expr, Number, parse};
use crate::model::{BlockIndex, BlockKind, Code, ElementId, Region, RegionIndex, RegionKind};

/// How blocks end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Next,
    Break,
    Continue,
    Return,
}

/// How many references and variables there are.
#[derive(Debug, Clone, Copy)]
struct Made {
    references: usize,
    variables: usize,
}

/// An iteration, or several that are the same.
struct Body {
    steps: Vec<Step>,
    count: i64,
    /// What there was before it.
    made: Made,
}

/// Compares iterations that have variables and references of their own.
struct Same<'a> {
    nest: &'a Nest,
    /// The first variable of the one.
    first: u32,
    /// By how much the numbers of the other's are larger.
    shift: u32,
}

impl Same<'_> {
    fn steps(&self, one: &[Step], other: &[Step]) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|pair| match pair {
                (Step::Access(one), Step::Access(other)) => {
                    let of = |number: &u32| &self.nest.references[*number as usize];
                    let (one, other) = (of(one), of(other));
                    one.container == other.container
                        && one.is_write == other.is_write
                        && self.sums(&one.element, &other.element)
                }
                (Step::Loop(one), Step::Loop(other)) => {
                    let all = |one: &[Affine], other: &[Affine]| {
                        one.len() == other.len()
                            && one.iter().zip(other).all(|(one, other)| self.sums(one, other))
                    };
                    self.is_variable(one.variable, other.variable)
                        && one.step == other.step
                        && all(&one.begin, &other.begin)
                        && all(&one.end, &other.end)
                        && self.steps(&one.body, &other.body)
                }
                _ => false,
            })
    }

    fn sums(&self, one: &Affine, other: &Affine) -> bool {
        one.constant == other.constant
            && one.terms.len() == other.terms.len()
            && one
                .terms
                .iter()
                .zip(&other.terms)
                .all(|(one, other)| one.1 == other.1 && self.is_variable(one.0, other.0))
    }

    fn is_variable(&self, one: u32, other: u32) -> bool {
        other == if one < self.first { one } else { one + self.shift }
    }
}

impl Lowering<'_> {
    /// A region as often as it runs.
    pub(super) fn region(
        &mut self,
        index: RegionIndex,
        names: &mut Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<Ends, LowerError> {
        let region = self.program.region(index);
        let RegionKind::Loop(header) = &region.kind else {
            return self.once(index, names, places, out);
        };
        let id = region.id();
        let set = |names: &mut Names, code: Option<&Code>| {
            if let Some(code) = code {
                let value = assigned_value(code, &header.variable);
                let value = value.and_then(|value| names.get(&value));
                names.set(&header.variable, value);
            }
        };
        set(names, header.init.as_ref());
        let mut bodies: Vec<Body> = vec![];
        let mut is_first = true;
        loop {
            self.step()?;
            if !(header.is_inverted && is_first) {
                if header.is_inverted && header.updates_before_condition {
                    set(names, header.update.as_ref());
                }
                match self.holds(header.condition.as_ref(), names) {
                    Some(true) => {}
                    Some(false) => break,
                    None => {
                        self.leave_out(id, "data decides how often this loop runs");
                        break;
                    }
                }
                if header.is_inverted && !header.updates_before_condition {
                    set(names, header.update.as_ref());
                }
            }
            is_first = false;
            let (before, mut body) = (self.made(), vec![]);
            let ends = self.once(index, names, places, &mut body)?;
            self.add(body, before, &mut bodies);
            match ends {
                Ends::Break => break,
                Ends::Return => {
                    self.put(bodies, &region.label, out);
                    return Ok(Ends::Return);
                }
                Ends::Next | Ends::Continue => {}
            }
            if !header.is_inverted {
                set(names, header.update.as_ref());
            }
        }
        self.put(bodies, &region.label, out);
        Ok(Ends::Next)
    }

    /// Puts iterations one after the other; those that are the same are a loop.
    fn put(&mut self, bodies: Vec<Body>, label: &str, out: &mut Vec<Step>) {
        for Body { steps, count, .. } in bodies {
            if count == 1 || steps.is_empty() {
                out.extend(steps);
            } else {
                let variable = self.new_variable(label);
                out.push(Step::Loop(Loop::over(variable, count, steps)));
            }
        }
    }

    /// Adds an iteration; one that is as the last counts there, and what was made for it is forgotten.
    fn add(&mut self, steps: Vec<Step>, before: Made, bodies: &mut Vec<Body>) {
        if let Some(last) = bodies.last_mut() {
            let shift = before.variables - last.made.variables;
            let same = Same {
                nest: &self.done.nest,
                first: last.made.variables as u32,
                shift: shift as u32,
            };
            let origins = |made: Made, count: usize| {
                self.done.origins.get(made.references..made.references + count)
            };
            let own = self.done.nest.references.len() - before.references;
            if origins(last.made, own) == origins(before, own) && same.steps(&last.steps, &steps) {
                last.count += 1;
                self.done.nest.references.truncate(before.references);
                self.done.origins.truncate(before.references);
                self.done.variables.truncate(before.variables);
                return;
            }
        }
        bodies.push(Body { steps, count: 1, made: before });
    }

    fn made(&self) -> Made {
        Made { references: self.done.nest.references.len(), variables: self.done.variables.len() }
    }

    /// The blocks of a region, once.
    fn once(
        &mut self,
        index: RegionIndex,
        names: &mut Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<Ends, LowerError> {
        let region = self.program.region(index);
        let mut next = region.start;
        while let Some(block) = next {
            self.step()?;
            let ends = self.block(region, block, names, places, out)?;
            if ends != Ends::Next {
                return Ok(ends);
            }
            next = self.behind(region, block, names);
        }
        Ok(Ends::Next)
    }

    fn block(
        &mut self,
        region: &Region,
        block: BlockIndex,
        names: &mut Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<Ends, LowerError> {
        let id = ElementId::block(region.list_id, block);
        match &region.block(block).kind {
            BlockKind::State(state) => self.state(*state, names, places, out)?,
            BlockKind::Region(inner) => return self.region(*inner, names, places, out),
            BlockKind::Conditional { branches, .. } => {
                for (condition, branch) in branches {
                    match self.holds(condition.as_ref(), names) {
                        Some(true) => return self.region(*branch, names, places, out),
                        Some(false) => {}
                        None => {
                            self.leave_out(id, "data decides which branch runs");
                            return Ok(Ends::Next);
                        }
                    }
                }
            }
            BlockKind::Break => return Ok(Ends::Break),
            BlockKind::Continue => return Ok(Ends::Continue),
            BlockKind::Return => return Ok(Ends::Return),
            BlockKind::Opaque(name) => self.leave_out(id, format!("{name} is not known")),
        }
        Ok(Ends::Next)
    }

    /// The block behind one, with what is assigned on the way.
    fn behind(
        &mut self,
        region: &Region,
        block: BlockIndex,
        names: &mut Names,
    ) -> Option<BlockIndex> {
        let id = ElementId::block(region.list_id, block);
        for edge in region.edges.iter().filter(|edge| edge.source == block) {
            let is_taken = match &edge.condition {
                None => Some(true),
                Some(condition) => truth(condition, names),
            };
            match is_taken {
                Some(true) => {
                    let old = names.clone();
                    for (name, value) in &edge.assignments {
                        names.set(name, old.get(value));
                    }
                    return Some(edge.target);
                }
                Some(false) => {}
                None => {
                    self.leave_out(id, "data decides which state is next");
                    return None;
                }
            }
        }
        None
    }

    fn holds(&self, condition: Option<&Code>, names: &Names) -> Option<bool> {
        match condition {
            None => Some(true),
            Some(code) => truth(&parse(&code.text).ok()?, names),
        }
    }
}

/// Whether a condition holds; none if that is not known.
fn truth(condition: &Expr, names: &Names) -> Option<bool> {
    let told = names.get(condition)?;
    let value = told.evaluate(&crate::expr::Bindings::new()).ok()?;
    match value {
        crate::expr::Value::Exact(number) => Some(number != Number::from_integer(0)),
        crate::expr::Value::About(number) => Some(number != 0.0),
    }
}
