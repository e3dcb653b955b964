//! Many expressions for which the unknowns have the same values.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::terms::Atom;
use super::{Bindings, Expr, Function, Number, Value};

/// Expressions that are evaluated together: what is equal, or in several of them, is worked out
/// once, and symbols are looked up once.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Each stands behind those that it needs.
    steps: Vec<Step>,
    known: HashMap<Step, Slot>,
}

/// A place in the answer of [`Batch::evaluate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

/// How a slot gets its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Step {
    Symbol(Arc<str>),
    Sum(Box<[Term]>),
    Power(Slot, Slot),
    Call(Function, Box<[Slot]>),
    /// Worked out as a whole.
    Series(Box<Expr>),
}

/// A number times powers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Term {
    number: Number,
    factors: Box<[(Slot, i32)]>,
}

/// A value, with a short way for small whole numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    Whole(i64),
    Other(Value),
    /// There is no value.
    None,
}

impl Batch {
    /// Takes an expression in, and gives where its value will be.
    pub fn add(&mut self, expr: &Expr) -> Slot {
        if let [(product, number)] = &expr.terms[..]
            && let ([(atom, 1)], true) = (&product.factors[..], *number == Number::ONE)
        {
            return self.atom(atom);
        }
        let terms = expr.terms.iter().map(|(product, number)| {
            let factors = product.factors.iter();
            let factors = factors.map(|(atom, exponent)| (self.atom(atom), *exponent));
            Term { factors: factors.collect(), number: *number }
        });
        let sum = Step::Sum(terms.collect());
        self.step(sum)
    }

    /// The unknowns of all expressions, by name.
    pub fn symbols(&self) -> BTreeSet<&str> {
        let symbols = self.steps.iter().flat_map(|step| match step {
            Step::Symbol(name) => BTreeSet::from([&**name]),
            Step::Series(series) => series.symbols(),
            _ => BTreeSet::new(),
        });
        symbols.collect()
    }

    /// The values of all slots, as [`Expr::evaluate`] and [`Value::to_f64`] tell them; not a number
    /// where there is none.
    pub fn evaluate(&self, at: &Bindings) -> Values {
        let mut cells: Vec<Cell> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            cells.push(step.value(&cells, at));
        }
        Values(cells.into_iter().map(Cell::to_f64).collect())
    }

    fn atom(&mut self, atom: &Atom) -> Slot {
        let step = match atom {
            Atom::Symbol(name) => Step::Symbol(name.clone()),
            Atom::Sum(sum) => return self.add(sum),
            Atom::Power(power) => Step::Power(self.add(&power.0), self.add(&power.1)),
            Atom::Call(function, arguments) => {
                let arguments = arguments.iter().map(|one| self.add(one)).collect();
                Step::Call(function.clone(), arguments)
            }
            Atom::Series(_) => Step::Series(Box::new(Expr::atom(atom.clone()))),
        };
        self.step(step)
    }

    fn step(&mut self, step: Step) -> Slot {
        if let Some(&slot) = self.known.get(&step) {
            return slot;
        }
        let slot = Slot(self.steps.len() as u32);
        self.steps.push(step.clone());
        self.known.insert(step, slot);
        slot
    }
}

/// The values of a [`Batch`].
#[derive(Debug, Clone)]
pub struct Values(Vec<f64>);

impl Values {
    /// The value of an expression; not a number where it has none.
    pub fn of(&self, slot: Slot) -> f64 {
        self.0[slot.place()]
    }
}

impl Slot {
    fn place(self) -> usize {
        self.0 as usize
    }
}

impl Step {
    fn value(&self, cells: &[Cell], at: &Bindings) -> Cell {
        match self {
            Step::Series(series) => series.evaluate(at).map_or(Cell::None, Cell::from),
            Step::Symbol(name) => match at.get(&**name) {
                Some(&value) => Cell::from(Value::Exact(Number::from_integer(value))),
                None => Cell::None,
            },
            Step::Sum(terms) => {
                let mut sum = Cell::Whole(0);
                for Term { number, factors } in terms {
                    let mut term = Cell::from(Value::Exact(*number));
                    for &(slot, exponent) in factors {
                        term = term.times(cells[slot.place()].to_the(exponent));
                    }
                    sum = sum.plus(term);
                }
                sum
            }
            Step::Power(base, exponent) => Cell::of_values(
                [cells[base.place()], cells[exponent.place()]],
                |[base, exponent]| base.power(exponent).ok(),
            ),
            Step::Call(Function::Piecewise, pairs) => {
                for pair in pairs.chunks_exact(2) {
                    match cells[pair[1].place()].value() {
                        None => return Cell::None,
                        Some(condition) if condition.is_zero() => {}
                        Some(_) => return cells[pair[0].place()],
                    }
                }
                Cell::None
            }
            Step::Call(function, arguments) => {
                let arguments = arguments.iter().map(|slot| cells[slot.place()].value());
                let arguments: Option<Vec<Value>> = arguments.collect();
                let value = arguments.and_then(|arguments| function.value(&arguments).ok());
                value.map_or(Cell::None, Cell::from)
            }
        }
    }
}

impl Cell {
    fn value(self) -> Option<Value> {
        match self {
            Cell::Whole(number) => Some(Value::Exact(Number::from_integer(number.into()))),
            Cell::Other(value) => Some(value),
            Cell::None => None,
        }
    }

    fn to_f64(self) -> f64 {
        self.value().map_or(f64::NAN, Value::to_f64)
    }

    fn of_values<const N: usize>(
        cells: [Cell; N],
        with: impl FnOnce([Value; N]) -> Option<Value>,
    ) -> Cell {
        let mut values = [Value::About(f64::NAN); N];
        for (value, cell) in values.iter_mut().zip(cells) {
            let Some(known) = cell.value() else { return Cell::None };
            *value = known;
        }
        with(values).map_or(Cell::None, Cell::from)
    }

    fn plus(self, other: Cell) -> Cell {
        if let (Cell::Whole(a), Cell::Whole(b)) = (self, other)
            && let Some(sum) = a.checked_add(b)
        {
            return Cell::Whole(sum);
        }
        Cell::of_values([self, other], |[a, b]| a.plus(b).ok())
    }

    fn times(self, other: Cell) -> Cell {
        if let (Cell::Whole(a), Cell::Whole(b)) = (self, other)
            && let Some(product) = a.checked_mul(b)
        {
            return Cell::Whole(product);
        }
        Cell::of_values([self, other], |[a, b]| a.times(b).ok())
    }

    fn to_the(self, exponent: i32) -> Cell {
        match exponent {
            1 => self,
            _ => Cell::of_values([self], |[base]| base.to_the(exponent.into()).ok()),
        }
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Cell {
        match value.to_integer().and_then(|whole| whole.to_i64()) {
            Some(whole) => Cell::Whole(whole),
            None => Cell::Other(value),
        }
    }
}
