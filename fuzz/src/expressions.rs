//! Symbolic expressions: what is read is printed, simplified, evaluated, summed and divided as well,
//! and says the same afterwards.

use std::collections::HashSet;
use std::fmt::Write as _;

use sdfg::expr::{Bindings, Expr, Facts, Progression, Value, parse};

use crate::mutate::Random;

/// Lines of an input that are read; each is an expression, behind the last tab.
const MOST_LINES: usize = 8;

/// Made-up expressions beside those of an input.
const MADE_UP: usize = 2;

/// No expression prints longer, whatever its names.
const LONGEST_PRINT: usize = 64 << 20;

/// The symbol that sums go up to.
const COUNT: &str = "a_count";

/// Reads expressions, and asks for all that costs ask of them.
pub(super) fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().take(MOST_LINES) {
        work_on(line.rsplit('\t').next().unwrap_or(line));
    }
    let seed = bytes.iter().fold(1u64, |seed, &byte| seed.rotate_left(9) ^ u64::from(byte));
    let mut random = Random::new(seed);
    for _ in 0..MADE_UP {
        let mut made = String::new();
        make_up(&mut made, &mut random, 4);
        work_on(&made);
    }
}

/// Whether it was an expression.
fn work_on(text: &str) -> bool {
    let Ok(expr) = parse(text) else { return false };
    let at = |value: i128| -> Bindings {
        expr.symbols().into_iter().map(|name| (name.to_owned(), value)).collect()
    };
    let printed = expr.to_string();
    assert!(printed.len() < LONGEST_PRINT, "{} bytes are printed", printed.len());
    if let Ok(again) = parse(&printed) {
        same(&expr, &again, &at(3), &printed);
        assert!(!again.to_string().is_empty());
    }
    if let Ok(settled) = Facts::all_sizes_but(HashSet::new()).settled(&expr) {
        for value in [0, 1, 7] {
            same(&expr, &settled, &at(value), "settled");
        }
        assert!(!settled.to_string().is_empty());
    }
    if let Ok(nothing) = expr.minus(&expr) {
        assert!(expr.evaluate(&at(3)).is_err() || nothing.evaluate(&at(3)) == zero(), "{printed}");
    }
    for derived in [expr.times(&expr), expr.divided_by(&expr), expr.power(&Expr::integer(3))] {
        let Ok(derived) = derived else { continue };
        // It has a value or none, in time.
        let _ = derived.evaluate(&at(2));
        assert!(derived.to_string().len() < LONGEST_PRINT);
    }
    sum(&expr, &at(3));
    true
}

fn zero() -> Result<Value, sdfg::expr::Unknown> {
    Expr::default().evaluate(&Bindings::new())
}

/// Both have the same value, where both have an exact one.
fn same(one: &Expr, other: &Expr, at: &Bindings, what: &str) {
    if let (Ok(a @ Value::Exact(_)), Ok(b @ Value::Exact(_))) =
        (one.evaluate(at), other.evaluate(at))
    {
        assert_eq!(a, b, "{one} is not {other}: {what}");
    }
}

/// Sums over a symbol, and checks the sum of four values against these.
fn sum(expr: &Expr, at: &Bindings) {
    const TERMS: i128 = 4;
    let symbols = expr.symbols();
    let Some(&name) = symbols.first() else { return };
    if symbols.contains(COUNT) {
        return;
    }
    let count = Expr::symbol(COUNT);
    let values = Progression { first: Expr::default(), step: Expr::integer(1), count };
    let Ok(sum) = expr.sum_over(name, &values, &Facts::all_sizes_but(HashSet::new())) else {
        return;
    };
    assert!(sum.to_string().len() < LONGEST_PRINT);
    let mut at = at.clone();
    at.insert(COUNT.to_owned(), TERMS);
    let Ok(Value::Exact(told)) = sum.evaluate(&at) else { return };
    let mut all = vec![];
    for value in 0..TERMS {
        at.insert(name.to_owned(), value);
        let Ok(Value::Exact(one)) = expr.evaluate(&at) else { return };
        all.push(Expr::number(one));
    }
    let Some(all) = Expr::sum(all).ok().and_then(|all| all.as_number()) else { return };
    assert_eq!(told, all, "the sum of {expr} over {name} is {sum}");
}

/// An expression as both dialects have them.
fn make_up(text: &mut String, random: &mut Random, depth: usize) {
    const NAMES: [&str; 5] = ["N", "M", "K", "i", "$N"];
    const BINARY: [&str; 9] = [" + ", " - ", "*", "/", " // ", " % ", " < ", " >= ", " and "];
    const CALLS: [&str; 9] =
        ["Max", "Min", "int_floor", "int_ceil", "Mod", "ceiling", "floor", "Abs", "sqrt"];
    // Writing to a string cannot fail.
    let _ = match random.below(if depth == 0 { 2 } else { 8 }) {
        0 => write!(text, "{}", NAMES[random.below(NAMES.len())]),
        1 => write!(text, "{}", random.below(70)),
        2..=4 => {
            text.push('(');
            make_up(text, random, depth - 1);
            text.push_str(BINARY[random.below(BINARY.len())]);
            make_up(text, random, depth - 1);
            write!(text, ")")
        }
        5 => {
            text.push('(');
            make_up(text, random, depth - 1);
            write!(text, ")**{}", random.below(6))
        }
        6 => {
            let place = random.below(CALLS.len());
            let _ = write!(text, "{}(", CALLS[place]);
            make_up(text, random, depth - 1);
            if place < 5 {
                text.push_str(", ");
                make_up(text, random, depth - 1);
            }
            write!(text, ")")
        }
        _ => {
            text.push_str("Piecewise((");
            make_up(text, random, depth - 1);
            text.push_str(", ");
            make_up(text, random, 0);
            text.push_str(" > ");
            make_up(text, random, 0);
            text.push_str("), (");
            make_up(text, random, depth - 1);
            write!(text, ", True))")
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_expressions_are_expressions() {
        let mut random = Random::new(11);
        let made = (0..300).map(|_| {
            let mut text = String::new();
            make_up(&mut text, &mut random, 3);
            text
        });
        let read = made.filter(|text| work_on(text)).count();
        assert!(read > 250, "{read}");
    }
}
