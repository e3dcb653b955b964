//! Functions in expressions, and what can be said of them without values.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_traits::{One, Signed, ToPrimitive as _, Zero};

use super::terms::{Atom, Product};
use super::{Expr, Number, TooLarge};

/// A function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// The largest whole number that is not larger.
    Floor,
    /// The smallest whole number that is not smaller.
    Ceiling,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// What is left of a division that rounds down: it has the sign of the divisor.
    Modulo,
    /// What is left of a division that rounds to zero, as in C.
    Remainder,
    /// Without its sign.
    Absolute,
    /// To the base 2.
    Log2,
    /// Natural.
    Log,
    /// The exponential.
    Exp,
    /// How many powers of a whole base, from 1 on, are not larger than a number.
    Powers,
    /// Of (value, condition) pairs the value of the first whose condition holds.
    Piecewise,
    /// 1 where it holds, else 0.
    Equal,
    /// The opposite.
    NotEqual,
    /// Strictly.
    Less,
    /// Or equal.
    LessOrEqual,
    /// 1 where all are not 0.
    And,
    /// 1 where one is not 0.
    Or,
    /// 1 where it is 0.
    Not,
    /// How many indices of so many dimensions are in at least one of some boxes: of each box a number
    /// that is above 0 if there is anything in it, and first, last and step of each dimension.
    Elements(u32),
    /// One that has no meaning here: its value is unknown.
    Other(Arc<str>),
}

/// The function that stands for an element of an array: the array and its indices.
pub(super) const SUBSCRIPT: &str = "subscript";
/// Words that stand for something without a number: infinity, and what is not known.
pub(super) const CONSTANTS: [&str; 3] = ["oo", "None", "$?"];

impl Function {
    /// The function that DaCe and sympy write so.
    pub(super) fn named(name: &str) -> Function {
        // `math.sqrt` and `dace.math.exp` are their last parts.
        match name.rsplit('.').next().unwrap_or(name) {
            "floor" => Function::Floor,
            "ceiling" | "ceil" => Function::Ceiling,
            "Min" | "min" => Function::Min,
            "Max" | "max" => Function::Max,
            "Mod" => Function::Modulo,
            "CMod" => Function::Remainder,
            "Abs" | "abs" => Function::Absolute,
            "log2" => Function::Log2,
            "log" => Function::Log,
            "exp" => Function::Exp,
            "count_powers" => Function::Powers,
            "Piecewise" => Function::Piecewise,
            "Eq" => Function::Equal,
            "Ne" => Function::NotEqual,
            "Lt" => Function::Less,
            "Le" => Function::LessOrEqual,
            "And" | "AND" => Function::And,
            "Or" | "OR" => Function::Or,
            "Not" | "NOT" => Function::Not,
            other => Function::Other(other.into()),
        }
    }

    /// As it is written.
    pub(super) fn name(&self) -> &str {
        match self {
            Function::Floor => "floor",
            Function::Ceiling => "ceiling",
            Function::Min => "Min",
            Function::Max => "Max",
            Function::Modulo => "Mod",
            Function::Remainder => "CMod",
            Function::Absolute => "Abs",
            Function::Log2 => "log2",
            Function::Log => "log",
            Function::Exp => "exp",
            Function::Powers => "count_powers",
            Function::Piecewise => "Piecewise",
            Function::Equal => "Eq",
            Function::NotEqual => "Ne",
            Function::Less => "Lt",
            Function::LessOrEqual => "Le",
            Function::And => "And",
            Function::Or => "Or",
            Function::Not => "Not",
            Function::Elements(_) => "elements",
            Function::Other(name) => name,
        }
    }

    pub(super) fn is_whole(&self, arguments: &[Expr]) -> bool {
        match self {
            Function::Floor
            | Function::Ceiling
            | Function::Equal
            | Function::NotEqual
            | Function::Less
            | Function::LessOrEqual
            | Function::And
            | Function::Or
            | Function::Elements(_)
            | Function::Powers
            | Function::Not => true,
            Function::Min
            | Function::Max
            | Function::Modulo
            | Function::Remainder
            | Function::Absolute => arguments.iter().all(Expr::is_whole),
            Function::Piecewise => arguments.iter().step_by(2).all(Expr::is_whole),
            Function::Log2 | Function::Log | Function::Exp | Function::Other(_) => false,
        }
    }
}

/// See [`Function::Powers`]; nothing for a base that is not a whole number of at least 2.
pub(super) fn powers_up_to(number: Number, base: Number) -> Option<i128> {
    let base = Some(base).filter(|base| base.is_integer())?.to_integer();
    if base < 2 {
        return None;
    }
    let (mut power, mut count) = (1i128, 0);
    while Number::from_integer(power) <= number {
        count += 1;
        match power.checked_mul(base) {
            Some(next) => power = next,
            None => break,
        }
    }
    Some(count)
}

impl Expr {
    /// A function of expressions, worked out as far as that goes without values.
    pub fn call(function: Function, arguments: Vec<Expr>) -> Result<Expr, TooLarge> {
        match (&function, &arguments[..]) {
            (Function::Floor | Function::Ceiling, [one]) => round(function, one),
            (Function::Min | Function::Max, _) => extreme(function, arguments),
            (Function::Modulo, [a, b]) => {
                match (a.as_number(), b.as_number().filter(|b| !b.is_zero())) {
                    (Some(a), Some(b)) => modulo(a, b).map(Expr::number).ok_or(TooLarge),
                    _ if a.is_whole() && b.as_number().is_some_and(|b| b.is_one()) => {
                        Ok(Expr::default())
                    }
                    _ => Expr::atom(Atom::Call(function, arguments)).bounded(),
                }
            }
            (Function::Absolute, [one]) => match one.as_number() {
                Some(number) => Ok(Expr::number(number.abs())),
                None => Expr::atom(Atom::Call(function, arguments)).bounded(),
            },
            (Function::Log2, [one]) => match one.as_number().and_then(exact_log2) {
                Some(log) => Ok(Expr::integer(log)),
                None => Expr::atom(Atom::Call(function, arguments)).bounded(),
            },
            (Function::Powers, [one, base]) => {
                let both = one.as_number().zip(base.as_number());
                match both.and_then(|(one, base)| powers_up_to(one, base)) {
                    Some(count) => Ok(Expr::integer(count)),
                    None => Expr::atom(Atom::Call(function, arguments)).bounded(),
                }
            }
            (
                Function::Equal | Function::NotEqual | Function::Less | Function::LessOrEqual,
                [a, b],
            ) => match a.minus(b)?.as_number() {
                Some(difference) => {
                    let holds = match function {
                        Function::Equal => difference.is_zero(),
                        Function::NotEqual => !difference.is_zero(),
                        Function::Less => difference.is_negative(),
                        _ => !difference.is_positive(),
                    };
                    Ok(Expr::integer(holds.into()))
                }
                None => match condition_compared(&function, a, b) {
                    Some(condition) => condition,
                    None => Expr::atom(Atom::Call(function, arguments)).bounded(),
                },
            },
            (Function::And | Function::Or, _) => junction(function, arguments),
            (Function::Not, [one]) => opposite(one),
            (Function::Piecewise, _) => piecewise(arguments).bounded(),
            _ => Expr::atom(Atom::Call(function, arguments)).bounded(),
        }
    }

    /// Whether it is 0 or 1 and nothing else.
    pub(super) fn is_condition(&self) -> bool {
        if let Some(number) = self.as_number() {
            return number.is_zero() || number.is_one();
        }
        match &self.terms[..] {
            [(product, one)] if one.is_one() => match &product.factors[..] {
                [(Atom::Call(function, _), 1)] => matches!(
                    function,
                    Function::Equal
                        | Function::NotEqual
                        | Function::Less
                        | Function::LessOrEqual
                        | Function::And
                        | Function::Or
                        | Function::Not
                ),
                _ => false,
            },
            _ => false,
        }
    }

    /// The largest whole number that is not larger than the quotient.
    pub fn floor_divided(&self, by: &Expr) -> Result<Expr, TooLarge> {
        Expr::call(Function::Floor, vec![self.divided_by(by)?])
    }

    /// The smallest whole number that is not smaller than the quotient.
    pub fn ceiling_divided(&self, by: &Expr) -> Result<Expr, TooLarge> {
        Expr::call(Function::Ceiling, vec![self.divided_by(by)?])
    }
}

/// Whole terms are not rounded.
fn round(function: Function, one: &Expr) -> Result<Expr, TooLarge> {
    let (whole, rest): (Vec<_>, Vec<_>) =
        one.terms.iter().cloned().partition(|(product, number)| {
            number.is_integer() && product.is_whole() && !product.factors.is_empty()
        });
    let (whole, mut rest) = (Expr { terms: whole }, Expr { terms: rest });
    // Of a constant, the whole part goes out as well.
    let constant = rest.terms.iter().find(|(product, _)| product.factors.is_empty());
    let mut constant = constant.map_or_else(Number::zero, |&(_, number)| number.floor());
    rest = rest.minus(&Expr::number(constant))?;
    // `floor((n + q - 1)/q)` is `ceiling(n/q)` of a whole `n`, and `ceiling((n + 1)/q)` is
    // `floor(n/q) + 1`.
    let mut function = function;
    if let Some(unit) = rest.unit_of_fractions() {
        let mut without = rest.clone();
        let fraction = without.take_constant();
        if function == Function::Floor && fraction + unit == Number::one() {
            (function, rest) = (Function::Ceiling, without);
        } else if function == Function::Ceiling && fraction == unit {
            (function, rest) = (Function::Floor, without);
            constant += Number::one();
        }
    }
    let rounded = match rest.as_number() {
        Some(number) if matches!(function, Function::Floor) => Expr::number(number.floor()),
        Some(number) => Expr::number(number.ceil()),
        None => Expr::atom(Atom::Call(function, vec![rest])).bounded()?,
    };
    whole.plus(&Expr::number(constant))?.plus(&rounded)
}

fn extreme(function: Function, arguments: Vec<Expr>) -> Result<Expr, TooLarge> {
    let is_min = function == Function::Min;
    let mut kept: Vec<Expr> = vec![];
    let mut number: Option<Number> = None;
    for argument in arguments {
        // One in another is as good as all of it.
        let nested = match &argument.terms[..] {
            [(product, one)] if one.is_one() => match &product.factors[..] {
                [(Atom::Call(inner, inside), 1)] if *inner == function => Some(inside.clone()),
                _ => None,
            },
            _ => None,
        };
        for one in nested.unwrap_or_else(|| vec![argument]) {
            match (one.as_number(), number) {
                (None, _) => kept.push(one),
                (Some(new), None) => number = Some(new),
                (Some(new), Some(old)) => {
                    number = Some(if is_min { new.min(old) } else { new.max(old) });
                }
            }
        }
    }
    kept.extend(number.map(Expr::number));
    // Of those that differ by a number one is enough.
    let mut best: BTreeMap<Vec<(Product, Number)>, Number> = BTreeMap::new();
    for mut one in kept {
        let constant = one.take_constant();
        let known = best.entry(one.terms).or_insert(constant);
        *known = if is_min { constant.min(*known) } else { constant.max(*known) };
    }
    let all =
        best.into_iter().map(|(terms, constant)| Expr { terms }.plus(&Expr::number(constant)));
    let mut needed: Vec<Expr> = all.collect::<Result<_, TooLarge>>()?;
    needed.sort();
    match &needed[..] {
        [one] => Ok(one.clone()),
        _ => Expr::atom(Atom::Call(function, needed)).bounded(),
    }
}

impl Expr {
    /// `1/q` where this times `q` is whole, and more than a number.
    fn unit_of_fractions(&self) -> Option<Number> {
        let denominator = self.terms.iter().map(|(_, number)| *number.denom()).max()?;
        let is_number = self.as_number().is_some();
        let whole = self.scaled(Number::from_integer(denominator)).ok()?;
        (!is_number && denominator > 1 && whole.is_whole()).then(|| Number::new(1, denominator))
    }

    /// Takes the number out that is added to the rest.
    pub(super) fn take_constant(&mut self) -> Number {
        match self.terms.iter().position(|(product, _)| product.factors.is_empty()) {
            Some(place) => self.terms.remove(place).1,
            None => Number::zero(),
        }
    }
}

fn junction(function: Function, arguments: Vec<Expr>) -> Result<Expr, TooLarge> {
    let decides = |number: &Number| number.is_zero() == (function == Function::And);
    let mut open = vec![];
    for one in arguments {
        match (one.as_number(), one.as_call()) {
            (Some(number), _) if decides(&number) => {
                return Ok(Expr::integer((function == Function::Or).into()));
            }
            (Some(_), _) => {}
            // One in another is as good as all of it.
            (None, Some((inner, inside))) if *inner == function => open.extend_from_slice(inside),
            (None, _) => open.push(one),
        }
    }
    match &open[..] {
        [] => Ok(Expr::integer((function == Function::And).into())),
        [one] if one.is_condition() => Ok(one.clone()),
        [one] => Expr::call(Function::NotEqual, vec![one.clone(), Expr::default()]),
        _ => Expr::atom(Atom::Call(function, open)).bounded(),
    }
}

/// A condition that is compared with 0 or 1 is itself or its opposite.
fn condition_compared(function: &Function, a: &Expr, b: &Expr) -> Option<Result<Expr, TooLarge>> {
    let (condition, number) = match (a.as_number(), b.as_number()) {
        (None, Some(number)) => (a, number),
        (Some(number), None) => (b, number),
        _ => return None,
    };
    let is_truth = number.is_zero() || number.is_one();
    let is_itself = match function {
        Function::Equal => number.is_one(),
        Function::NotEqual => number.is_zero(),
        _ => return None,
    };
    (is_truth && condition.is_condition())
        .then(|| if is_itself { Ok(condition.clone()) } else { opposite(condition) })
}

/// 1 where it is 0: of a comparison the opposite one.
fn opposite(one: &Expr) -> Result<Expr, TooLarge> {
    if let Some(number) = one.as_number() {
        return Ok(Expr::integer(number.is_zero().into()));
    }
    let swapped = |a: &Expr, b: &Expr| vec![b.clone(), a.clone()];
    match one.as_call() {
        Some((Function::Less, [a, b])) => Expr::call(Function::LessOrEqual, swapped(a, b)),
        Some((Function::LessOrEqual, [a, b])) => Expr::call(Function::Less, swapped(a, b)),
        Some((Function::Equal, both)) => Expr::call(Function::NotEqual, both.to_vec()),
        Some((Function::NotEqual, both)) => Expr::call(Function::Equal, both.to_vec()),
        Some((Function::Not, [inner])) if inner.is_condition() => Ok(inner.clone()),
        _ => Expr::atom(Atom::Call(Function::Not, vec![one.clone()])).bounded(),
    }
}

fn piecewise(arguments: Vec<Expr>) -> Expr {
    let mut kept = vec![];
    for pair in arguments.chunks_exact(2) {
        match pair[1].as_number() {
            Some(number) if number.is_zero() => {}
            Some(_) => {
                if kept.is_empty() {
                    return pair[0].clone();
                }
                kept.extend([pair[0].clone(), Expr::integer(1)]);
                break;
            }
            None => kept.extend_from_slice(pair),
        }
    }
    if kept.is_empty() {
        // No case holds, which is told when it is evaluated.
        kept = vec![Expr::default(); 2];
    }
    Expr::atom(Atom::Call(Function::Piecewise, kept))
}

/// What is left of a division that rounds down; nothing where numbers get too large.
pub(super) fn modulo(a: Number, b: Number) -> Option<Number> {
    use num_traits::{CheckedDiv as _, CheckedMul as _, CheckedSub as _};
    let whole = a.checked_div(&b)?.floor();
    a.checked_sub(&b.checked_mul(&whole)?)
}

/// What is left of a division that rounds to zero.
pub(super) fn remainder(a: Number, b: Number) -> Option<Number> {
    use num_traits::{CheckedDiv as _, CheckedMul as _, CheckedSub as _};
    let whole = a.checked_div(&b)?.trunc();
    a.checked_sub(&b.checked_mul(&whole)?)
}

pub(super) fn exact_log2(number: Number) -> Option<i128> {
    let whole = number.is_integer().then(|| number.to_integer()).filter(|&whole| whole > 0)?;
    (whole.count_ones() == 1).then(|| whole.trailing_zeros().to_i128()).flatten()
}
