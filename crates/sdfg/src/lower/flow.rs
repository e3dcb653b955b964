//! Control flow, followed as it runs.

use locality::{Loop, Step};

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
        let mut bodies: Vec<Vec<Step>> = vec![];
        let mut is_first = true;
        loop {
            self.step()?;
            if !(header.is_inverted && is_first) {
                if header.is_inverted && header.updates_before_condition {
                    set(names, header.update.as_ref());
                }
                match self.holds(header.condition.as_ref(), names, id) {
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
            let mut body = vec![];
            let ends = self.once(index, names, places, &mut body)?;
            bodies.push(body);
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

    /// Iterations one after the other; those that are the same are a loop.
    fn put(&mut self, bodies: Vec<Vec<Step>>, label: &str, out: &mut Vec<Step>) {
        let mut bodies = bodies.into_iter().peekable();
        while let Some(body) = bodies.next() {
            let mut count = 1;
            while bodies.next_if(|next| self.is_same(next, &body)).is_some() {
                count += 1;
            }
            if count == 1 || body.is_empty() {
                out.extend(body);
            } else {
                let variable = self.new_variable(label);
                out.push(Step::Loop(Loop::over(variable, count, body)));
            }
        }
    }

    /// Whether two bodies do the same, with variables and references of their own.
    fn is_same(&self, one: &[Step], other: &[Step]) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|pair| match pair {
                (Step::Access(one), Step::Access(other)) => {
                    let nest = &self.done.nest.references;
                    let (one, other) = (*one as usize, *other as usize);
                    nest[one].element.terms.is_empty()
                        && nest[one] == nest[other]
                        && self.done.origins[one] == self.done.origins[other]
                }
                (Step::Loop(_), Step::Loop(_)) => false,
                _ => false,
            })
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
                    match self.holds(condition.as_ref(), names, id) {
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

    fn holds(&self, condition: Option<&Code>, names: &Names, _id: ElementId) -> Option<bool> {
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
