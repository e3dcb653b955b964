//! Iterations of control flow, as they come: those that are the same, or the same elsewhere, are a loop.

use std::sync::Arc;

use locality::{Affine, Loop, Nest, Step};

use super::lowering::Lowering;

/// How many references, variables and registers there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    references: usize,
    variables: usize,
    unseen: usize,
}

/// Iterations of a loop so far.
pub(super) struct Iterations {
    /// What the variable of the loop is called.
    pub(super) name: Arc<str>,
    bodies: Vec<Body>,
}

/// An iteration, or several that are the same or move on evenly.
struct Body {
    steps: Vec<Step>,
    count: i64,
    /// What there was before it.
    made: Made,
    /// What the variable was in the first, and how much it grows each time.
    value: Option<i128>,
    step: Option<i128>,
    /// By sum in it, in their order, how much its constant grows each time; none while there is one iteration.
    moves: Option<Vec<i64>>,
    unseen: Vec<Arc<str>>,
}

impl Iterations {
    pub(super) fn new(name: &str) -> Iterations {
        Iterations { name: name.into(), bodies: vec![] }
    }
}

/// Compares iterations that have variables and references of their own.
struct Same<'a> {
    nest: &'a Nest,
    /// The first variable of the one.
    first: u32,
    /// By how much the numbers of the other's are larger.
    shift: u32,
    /// How much constants of sums are larger.
    moves: Vec<i64>,
}

impl Same<'_> {
    fn steps(&mut self, one: &[Step], other: &[Step]) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|pair| match pair {
                (Step::Access(one), Step::Access(other)) => {
                    let nest = self.nest;
                    let of = |number: &u32| &nest.references[*number as usize];
                    let (one, other) = (of(one), of(other));
                    one.container == other.container
                        && one.is_write == other.is_write
                        && one.combines == other.combines
                        && self.sum(&one.element, &other.element)
                        && match (&one.indices, &other.indices) {
                            (Some(one), Some(other)) => self.sums(one, other),
                            (one, other) => one.is_none() && other.is_none(),
                        }
                }
                (Step::Loop(one), Step::Loop(other)) => {
                    self.is_variable(one.variable, other.variable)
                        && one.step == other.step
                        && self.sums(&one.begin, &other.begin)
                        && self.sums(&one.end, &other.end)
                        && one.is_free == other.is_free
                        && one.unseen == other.unseen
                        && one.private == other.private
                        && self.steps(&one.body, &other.body)
                }
                _ => false,
            })
    }

    fn sums(&mut self, one: &[Affine], other: &[Affine]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.sum(one, other))
    }

    fn sum(&mut self, one: &Affine, other: &Affine) -> bool {
        let Some(by) = other.constant.checked_sub(one.constant) else { return false };
        self.moves.push(by);
        one.terms.len() == other.terms.len()
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
    pub(super) fn made(&self) -> Made {
        Made {
            references: self.done.nest.references.len(),
            variables: self.done.variables.len(),
            unseen: self.unseen.len(),
        }
    }

    /// Adds an iteration; one that is as the last, or moves on from it as the last did, counts there, and what
    /// was made for it is forgotten.
    pub(super) fn add(
        &mut self,
        steps: Vec<Step>,
        before: Made,
        value: Option<i128>,
        all: &mut Iterations,
    ) {
        let unseen = self.unseen_since(before.unseen);
        if let Some(last) = all.bodies.last_mut()
            && last.unseen == unseen
        {
            let shift = before.variables - last.made.variables;
            let mut same = Same {
                nest: &self.done.nest,
                first: last.made.variables as u32,
                shift: shift as u32,
                moves: vec![],
            };
            let origins = |made: Made, count: usize| {
                self.done.origins.get(made.references..made.references + count)
            };
            let own = self.done.nest.references.len() - before.references;
            if origins(last.made, own) == origins(before, own) && same.steps(&last.steps, &steps) {
                let moves = same.moves;
                let step = value.zip(last.value).map(|(new, old)| new - old);
                let goes_on = match &last.moves {
                    None => true,
                    // As far from the first as all of those before together.
                    Some(known) => known
                        .iter()
                        .zip(&moves)
                        .all(|(each, by)| each.checked_mul(last.count) == Some(*by)),
                };
                if goes_on {
                    if last.moves.is_none() {
                        last.moves = Some(moves);
                        last.step = step;
                    } else if step != last.step.and_then(|each| each.checked_mul(last.count.into()))
                    {
                        last.step = None;
                    }
                    last.count += 1;
                    self.done.nest.references.truncate(before.references);
                    self.done.origins.truncate(before.references);
                    self.done.variables.truncate(before.variables);
                    return;
                }
            }
        }
        all.bodies.push(Body {
            steps,
            count: 1,
            made: before,
            value,
            step: None,
            moves: None,
            unseen,
        });
    }

    /// Puts iterations one after the other; those that go on evenly are a loop.
    pub(super) fn put(&mut self, all: Iterations, out: &mut Vec<Step>) {
        for body in all.bodies {
            let Body { mut steps, count, value, step, moves, unseen, .. } = body;
            let Some(moves) = moves.filter(|_| !steps.is_empty()) else {
                out.extend(steps);
                continue;
            };
            let variable = self.new_variable(&all.name);
            // The variable as the program has it, where sums move by multiples of its step.
            let told = value.zip(step).and_then(|(value, step)| {
                let (value, step) = (i64::try_from(value).ok()?, i64::try_from(step).ok()?);
                let is_whole = |by: &i64| by.checked_rem(step) == Some(0);
                let end = step.checked_mul(count)?.checked_add(value)?;
                (step != 0 && moves.iter().all(is_whole)).then_some((value, step, end))
            });
            let (begin, step, end) = told.unwrap_or((0, 1, count));
            let mut moves = moves.into_iter();
            self.grow(&mut steps, &mut |sum| {
                let each = moves.next().unwrap_or(0) / step;
                let own = Affine::variable(variable).plus(&Affine::constant(-begin)).times(each);
                *sum = std::mem::take(sum).plus(&own);
            });
            let own = Loop { step, unseen, ..Loop::over(variable, end, steps) };
            out.push(Step::Loop(Loop { begin: vec![Affine::constant(begin)], ..own }));
        }
    }

    /// Changes all sums of steps, in the order in which they are compared.
    fn grow(&mut self, steps: &mut [Step], change: &mut impl FnMut(&mut Affine)) {
        for step in steps {
            match step {
                Step::Access(number) => {
                    let one = &mut self.done.nest.references[*number as usize];
                    change(&mut one.element);
                    one.indices.iter_mut().flatten().for_each(&mut *change);
                }
                Step::Loop(one) => {
                    one.begin.iter_mut().chain(&mut one.end).for_each(&mut *change);
                    self.grow(&mut one.body, change);
                }
            }
        }
    }
}
