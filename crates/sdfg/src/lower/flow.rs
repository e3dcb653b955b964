//! Control flow, followed as it runs.

use locality::Step;

use super::LowerError;
use super::iterations::{Iterations, Made};
use super::lowering::{Lowering, Names};
use super::places::Places;
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

/// A block as it is gone through, and iterations of a loop that it begins that are over.
struct Visit {
    block: BlockIndex,
    before: Iterations,
    steps: Vec<Step>,
    /// What there was when the iteration began.
    made: Made,
    value: Option<i128>,
}

impl Visit {
    fn new(block: BlockIndex, variable: &str, made: Made) -> Visit {
        Visit { block, before: Iterations::new(variable), steps: vec![], made, value: None }
    }
}

/// By block, what is assigned on several of the ways to it, which is the variable of a loop that it begins.
fn variables(region: &Region) -> Vec<&str> {
    let mut once = vec![""; region.blocks.len()];
    let mut variables = once.clone();
    for edge in &region.edges {
        let at = edge.target.place();
        for (name, _) in &edge.assignments {
            if variables[at].is_empty() && once[at] == &**name {
                variables[at] = name;
            }
        }
        if let Some((name, _)) = edge.assignments.first() {
            once[at] = name;
        }
    }
    variables
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
        // Read once, however often it runs.
        let read = |code: &Code| assigned_value(code, &header.variable);
        let [init, update] = [&header.init, &header.update].map(|code| code.as_ref().map(read));
        let condition = header.condition.as_ref().map(|code| parse(&code.text).ok());
        let set = |names: &mut Names, code: Option<&Option<Expr>>| {
            if let Some(value) = code {
                let value = value.as_ref().and_then(|value| names.get(value));
                names.set(&header.variable, value);
            }
        };
        let holds = |names: &Names| match &condition {
            None => Some(true),
            Some(condition) => truth(condition.as_ref()?, names),
        };
        set(names, init.as_ref());
        let mut bodies = Iterations::new(&header.variable);
        let mut is_first = true;
        loop {
            self.step()?;
            if !(header.is_inverted && is_first) {
                if header.is_inverted && header.updates_before_condition {
                    set(names, update.as_ref());
                }
                match holds(names) {
                    Some(true) => {}
                    Some(false) => break,
                    None => {
                        self.leave_out(id, "data decides how often this loop runs");
                        break;
                    }
                }
                if header.is_inverted && !header.updates_before_condition {
                    set(names, update.as_ref());
                }
            }
            is_first = false;
            let (before, mut body) = (self.made(), vec![]);
            let value = names.number(&Expr::symbol(&header.variable));
            let ends = self.once(index, names, places, &mut body)?;
            self.add(body, before, value, &mut bodies);
            match ends {
                Ends::Break => break,
                Ends::Return => {
                    self.put(bodies, out);
                    return Ok(Ends::Return);
                }
                Ends::Next | Ends::Continue => {}
            }
            if !header.is_inverted {
                set(names, update.as_ref());
            }
        }
        self.put(bodies, out);
        Ok(Ends::Next)
    }

    /// The blocks of a region, once. A block that comes again ends an iteration of a loop that it begins;
    /// whatever conditions and assignments say, iterations are compared as they are.
    fn once(
        &mut self,
        index: RegionIndex,
        names: &mut Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<Ends, LowerError> {
        let region = self.program.region(index);
        let mut next = region.start;
        let mut visits: Vec<Visit> = vec![];
        // By block, its place among the visits, plus one.
        let mut known = vec![0; region.blocks.len()];
        let variables = variables(region);
        let mut ends = Ends::Next;
        while let Some(block) = next {
            self.step()?;
            match known[block.place()] {
                0 => visits.push(Visit::new(block, variables[block.place()], self.made())),
                at => {
                    let behind = visits.split_off(at);
                    for visit in &behind {
                        known[visit.block.place()] = 0;
                    }
                    if let Some(own) = visits.last_mut() {
                        let mut steps = std::mem::take(&mut own.steps);
                        for visit in behind {
                            self.put(visit.before, &mut steps);
                            steps.extend(visit.steps);
                        }
                        self.add(steps, own.made, own.value, &mut own.before);
                        own.made = self.made();
                    }
                }
            }
            known[block.place()] = visits.len();
            let Some(own) = visits.last_mut() else { break };
            let variable = own.before.name.clone();
            own.value = names.number(&Expr::symbol(&variable));
            let mut steps = vec![];
            ends = self.block(region, block, names, places, &mut steps)?;
            own.steps = steps;
            if ends != Ends::Next {
                break;
            }
            next = self.behind(region, block, names);
        }
        for visit in visits {
            self.put(visit.before, out);
            out.extend(visit.steps);
        }
        Ok(ends)
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
