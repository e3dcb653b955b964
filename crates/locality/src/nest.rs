//! Loops around accesses.

use std::sync::Arc;

use crate::{Container, Error, Space};

/// Programs have fewer loops within each other.
pub(crate) const MOST_DEPTH: usize = 64;

/// An element takes about this many lines at most.
const MOST_LINES_OF_ELEMENT: u64 = 64;

/// More accesses are not simulated.
pub const MOST_ACCESSES: u128 = 1 << 40;

/// More iterations are not gone through where most access nothing: nobody would be asked whether to go on.
const MOST_EMPTY: u128 = 1 << 28;

/// Loops by whose variable others are bound are gone through so far to count what is in them; beyond, the
/// mean of the first and the last iteration counts.
const MOST_COUNTED: u64 = 1 << 12;

/// A constant and multiples of variables of loops.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Affine {
    /// What is added.
    pub constant: i64,
    /// Variables and what each is multiplied by; none twice.
    pub terms: Vec<(u32, i64)>,
}

impl Affine {
    /// A number.
    pub fn constant(constant: i64) -> Affine {
        Affine { constant, terms: vec![] }
    }

    /// A variable.
    pub fn variable(variable: u32) -> Affine {
        Affine { constant: 0, terms: vec![(variable, 1)] }
    }

    /// The same and another.
    pub fn plus(mut self, other: &Affine) -> Affine {
        self.constant = self.constant.saturating_add(other.constant);
        for &(variable, factor) in &other.terms {
            match self.terms.iter_mut().find(|(own, _)| *own == variable) {
                Some((_, own)) => *own = own.saturating_add(factor),
                None => self.terms.push((variable, factor)),
            }
        }
        self.terms.retain(|(_, factor)| *factor != 0);
        self
    }

    /// So many times the same.
    pub fn times(mut self, factor: i64) -> Affine {
        self.constant = self.constant.saturating_mul(factor);
        for (_, own) in &mut self.terms {
            *own = own.saturating_mul(factor);
        }
        self.terms.retain(|(_, factor)| *factor != 0);
        self
    }

    /// The same with something else in the place of a variable.
    pub fn with(&self, variable: u32, other: &Affine) -> Affine {
        let factor = self.factor(variable);
        if factor == 0 {
            return self.clone();
        }
        let mut rest = self.clone();
        rest.terms.retain(|(own, _)| *own != variable);
        rest.plus(&other.clone().times(factor))
    }

    /// What a variable is multiplied by.
    pub fn factor(&self, variable: u32) -> i64 {
        self.terms.iter().find(|(own, _)| *own == variable).map_or(0, |(_, factor)| *factor)
    }

    /// Its value for values of the variables.
    pub fn value(&self, values: &[i64]) -> i64 {
        let all = self.terms.iter().fold(i128::from(self.constant), |sum, &(variable, factor)| {
            sum.saturating_add(i128::from(values[variable as usize]) * i128::from(factor))
        });
        all.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

/// A loop, an access, or what is done in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A reference, by its number, touches an element.
    Access(u32),
    /// What is done again.
    Loop(Loop),
}

/// A loop. Its variable goes from the largest of its begins to the smallest of its ends, which is not
/// reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Its variable, a number below [`Nest::variables`]; no loop around it has the same.
    pub variable: u32,
    /// Where it begins; at least one.
    pub begin: Vec<Affine>,
    /// Where it ends; at least one.
    pub end: Vec<Affine>,
    /// How far it goes each time; with one below 0, `begin` is the first value still and `end` is below.
    pub step: i64,
    /// What is done each time.
    pub body: Vec<Step>,
    /// Whether its source says that iterations may be done in any order, as those of a map may.
    pub is_free: bool,
    /// What it writes that is not memory here and that others may read: scalars in registers, by name.
    pub unseen: Vec<Arc<str>>,
    /// Containers of which each iteration has its own, though they are one here.
    pub private: Vec<u32>,
}

impl Loop {
    /// A loop from 0 to a number.
    pub fn over(variable: u32, count: i64, body: Vec<Step>) -> Loop {
        Loop {
            variable,
            begin: vec![Affine::constant(0)],
            end: vec![Affine::constant(count)],
            step: 1,
            body,
            is_free: false,
            unseen: vec![],
            private: vec![],
        }
    }

    /// The first value, and how many there are.
    pub(crate) fn range(&self, values: &[i64]) -> (i64, u64) {
        let all = |bounds: &[Affine]| bounds.iter().map(|bound| bound.value(values)).collect();
        let (begins, ends): (Vec<i64>, Vec<i64>) = (all(&self.begin), all(&self.end));
        let up = self.step > 0;
        let of = |bounds: Vec<i64>, is_largest: bool| {
            let mut bounds = bounds.into_iter();
            let first = bounds.next().unwrap_or(0);
            bounds
                .fold(first, |one, other| if is_largest { one.max(other) } else { one.min(other) })
        };
        let (begin, end) = (of(begins, up), of(ends, !up));
        let length = i128::from(end) - i128::from(begin);
        let length = if up { length } else { -length };
        if length <= 0 || self.step == 0 {
            return (begin, 0);
        }
        let count = (length as u128).div_ceil(u128::from(self.step.unsigned_abs()));
        (begin, count.min(u64::MAX.into()) as u64)
    }
}

/// A place in the program that touches elements of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Number of the container in the space.
    pub container: u32,
    /// Which element, counted from its base.
    pub element: Affine,
    /// Whether it writes.
    pub is_write: bool,
    /// The indices, by dimension of the container; none where it is seen as something else.
    pub indices: Option<Vec<Affine>>,
    /// Accesses of the same number combine what is there with something, in an order that does not matter.
    pub combines: Option<u32>,
}

/// A program of loops and accesses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nest {
    /// How many variables loops have.
    pub variables: u32,
    /// Its references.
    pub references: Vec<Reference>,
    /// What is done, in order.
    pub body: Vec<Step>,
}

impl Nest {
    /// A reference to an element of a container by its indices, outermost first.
    pub fn refer(
        &mut self,
        space: &[Container],
        container: u32,
        indices: &[Affine],
        is_write: bool,
    ) -> Step {
        let of = &space[container as usize];
        let start = Affine::constant(of.offset);
        let element = indices
            .iter()
            .zip(&of.strides)
            .fold(start, |sum, (index, &stride)| sum.plus(&index.clone().times(stride)));
        let indices = Some(indices.to_vec());
        self.references.push(Reference { container, element, is_write, indices, combines: None });
        Step::Access(self.references.len() as u32 - 1)
    }

    /// How many accesses there are; about so many, where long loops bound others.
    pub fn accesses(&self) -> u128 {
        self.work().accesses
    }

    /// No more lines than this are touched: an element that crosses lines touches each of them.
    pub fn most_touches(&self, space: &Space) -> u128 {
        let references = self.references.iter();
        let widest = references.map(|one| space.most_lines_of(one.container as usize)).max();
        self.accesses().saturating_mul(widest.unwrap_or(1).into())
    }

    /// By reference, the variables of loops around it, outermost first.
    pub fn loops_around(&self) -> Vec<Vec<u32>> {
        let mut paths = vec![vec![]; self.references.len()];
        crate::change::path(&self.body, &mut vec![], &mut paths);
        paths
    }

    fn work(&self) -> Work {
        work(&self.body, &mut vec![0; self.variables as usize])
    }

    /// Refuses what does not name what is there, or goes on for ever.
    pub(crate) fn check(&self, space: &Space) -> Result<(), Error> {
        for reference in &self.references {
            if reference.container as usize >= space.containers.len() {
                return Err(Error::Missing(format!("container {}", reference.container)));
            }
            self.check_variables(&reference.element)?;
            let container = &space.containers[reference.container as usize];
            if container.element / MOST_LINES_OF_ELEMENT > space.line {
                return Err(Error::Element {
                    line: space.line,
                    container: container.name.clone(),
                    element: container.element,
                });
            }
        }
        self.check_steps(&self.body, 0)?;
        let Work { accesses, turns } = self.work();
        if accesses > MOST_ACCESSES {
            return Err(Error::TooMany { count: accesses, most: MOST_ACCESSES });
        }
        if turns > MOST_EMPTY && turns / 64 > accesses {
            return Err(Error::Empty { turns, accesses });
        }
        Ok(())
    }

    fn check_variables(&self, affine: &Affine) -> Result<(), Error> {
        match affine.terms.iter().find(|(variable, _)| *variable >= self.variables) {
            Some((variable, _)) => Err(Error::Missing(format!("variable {variable}"))),
            None => Ok(()),
        }
    }

    fn check_steps(&self, steps: &[Step], depth: usize) -> Result<(), Error> {
        if depth > MOST_DEPTH {
            return Err(Error::Deep(MOST_DEPTH));
        }
        for step in steps {
            match step {
                Step::Access(reference) if *reference as usize >= self.references.len() => {
                    return Err(Error::Missing(format!("reference {reference}")));
                }
                Step::Access(_) => {}
                Step::Loop(one) => {
                    if one.variable >= self.variables {
                        return Err(Error::Missing(format!("variable {}", one.variable)));
                    }
                    if one.step == 0 {
                        return Err(Error::NoStep(format!("variable {}", one.variable)));
                    }
                    one.begin.iter().chain(&one.end).try_for_each(|at| self.check_variables(at))?;
                    self.check_steps(&one.body, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}

/// How much steps do.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    accesses: u128,
    /// Iterations of loops.
    turns: u128,
}

impl Work {
    fn and(self, other: Work) -> Work {
        Work {
            accesses: self.accesses.saturating_add(other.accesses),
            turns: self.turns.saturating_add(other.turns),
        }
    }

    fn times(self, count: u128) -> Work {
        Work {
            accesses: self.accesses.saturating_mul(count),
            turns: self.turns.saturating_mul(count),
        }
    }
}

/// What some steps do; a loop whose variable bounds none of those in it counts once for all.
fn work(steps: &[Step], values: &mut Vec<i64>) -> Work {
    let of = |step: &Step, values: &mut Vec<i64>| match step {
        Step::Access(_) => Work { accesses: 1, turns: 0 },
        Step::Loop(one) => {
            let (begin, count) = one.range(values);
            let variable = one.variable as usize;
            let outer = values[variable];
            let mut at = |number: u64| {
                values[variable] = begin.wrapping_add((number as i64).wrapping_mul(one.step));
                work(&one.body, values)
            };
            let is_bound = is_bound(&one.body, one.variable);
            let sum = if count > MOST_COUNTED && is_bound {
                let Work { accesses, turns } = at(0).and(at(count - 1)).times(count.into());
                Work { accesses: accesses / 2, turns: turns / 2 }
            } else if is_bound {
                (0..count).fold(Work::default(), |sum, number| sum.and(at(number)))
            } else if count == 0 {
                Work::default()
            } else {
                at(0).times(count.into())
            };
            values[variable] = outer;
            sum.and(Work { accesses: 0, turns: count.into() })
        }
    };
    steps.iter().fold(Work::default(), |sum, step| sum.and(of(step, values)))
}

/// Whether bounds of loops are by a variable.
pub(crate) fn is_bound(steps: &[Step], variable: u32) -> bool {
    steps.iter().any(|step| match step {
        Step::Access(_) => false,
        Step::Loop(one) => {
            let mut bounds = one.begin.iter().chain(&one.end);
            bounds.any(|bound| bound.factor(variable) != 0) || is_bound(&one.body, variable)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever goes through it would not come back soon.
    #[test]
    fn loops_that_access_nothing_are_refused() {
        let own = [Container::rows("a", 8, &[4])];
        let mut nest = Nest { variables: 2, ..Nest::default() };
        let access = nest.refer(&own, 0, &[Affine::constant(0)], false);
        let none = Step::Loop(Loop::over(1, 0, vec![access]));
        nest.body = vec![Step::Loop(Loop::over(0, 1 << 40, vec![none]))];
        let space = Space::new(own.into(), crate::Placement::OwnLines, 64).expect("it fits");
        assert_eq!(nest.check(&space), Err(Error::Empty { turns: 1 << 40, accesses: 0 }));
    }

    #[test]
    fn ranges_are_those_of_loops() {
        let of = |begin: i64, end: i64, step: i64| {
            let mut one = Loop::over(0, end, vec![]);
            one.begin = vec![Affine::constant(begin)];
            one.step = step;
            one.range(&[])
        };
        assert_eq!(of(0, 10, 3), (0, 4));
        assert_eq!(of(0, 9, 3), (0, 3));
        assert_eq!(of(5, 5, 1), (5, 0));
        assert_eq!(of(9, -1, -1), (9, 10));
        assert_eq!(of(0, 5, -1), (0, 0));
        assert_eq!(of(i64::MIN, i64::MAX, 1).1, u64::MAX);
    }
}
