//! Conditions, as all of these or all of those; sums.

use super::sets::Wrong;
use super::sum::Sum;
use super::text::{Reader, Token};

/// More of them are not a condition that anybody wrote.
const MOST_CHOICES: usize = 64;

const MOST_CONDITIONS: usize = 256;

/// How deep parentheses are followed.
const MOST_DEPTH: usize = 32;

/// All of some sums are 0 or more; any of several such.
type Choices = Vec<Vec<Sum>>;

/// Reads a condition.
pub(super) fn formula(reader: &mut Reader<'_>) -> Result<Choices, Wrong> {
    any(reader, 0)
}

/// Reads a sum.
pub(super) fn sum(reader: &mut Reader<'_>) -> Result<Sum, Wrong> {
    total(reader, 0)
}

fn any(reader: &mut Reader<'_>, depth: usize) -> Result<Choices, Wrong> {
    let mut choices = all(reader, depth)?;
    while reader.word("or") {
        choices.extend(all(reader, depth)?);
        few(choices.len(), MOST_CHOICES)?;
    }
    Ok(choices)
}

fn all(reader: &mut Reader<'_>, depth: usize) -> Result<Choices, Wrong> {
    let mut choices = one(reader, depth)?;
    while reader.word("and") {
        choices = both(&choices, &one(reader, depth)?)?;
    }
    Ok(choices)
}

/// What holds where both do.
fn both(left: &Choices, right: &Choices) -> Result<Choices, Wrong> {
    few(left.len() * right.len(), MOST_CHOICES)?;
    let mut choices = Vec::with_capacity(left.len() * right.len());
    for one in left {
        for other in right {
            few(one.len() + other.len(), MOST_CONDITIONS)?;
            choices.push(one.iter().chain(other).cloned().collect());
        }
    }
    Ok(choices)
}

fn few(count: usize, most: usize) -> Result<(), Wrong> {
    if count <= most {
        return Ok(());
    }
    Err(Wrong::Unexpressed(format!("more than {most} conditions")))
}

fn one(reader: &mut Reader<'_>, depth: usize) -> Result<Choices, Wrong> {
    if depth > MOST_DEPTH {
        return Err(Wrong::Unexpressed("parentheses that deep".to_owned()));
    }
    if reader.peek() == Token::Name("exists") || reader.peek() == Token::Name("not") {
        let Token::Name(word) = reader.peek() else { return Ok(vec![]) };
        return Err(Wrong::Unexpressed(format!("'{word}'")));
    }
    if reader.word("true") {
        return Ok(vec![vec![]]);
    }
    if reader.word("false") {
        return Ok(vec![]);
    }
    if reader.peek() == Token::Sign("(") && holds_condition(reader) {
        reader.at += 1;
        let choices = any(reader, depth + 1)?;
        reader.expect(")")?;
        return Ok(choices);
    }
    compared(reader, depth)
}

/// Whether a comparison is in the parenthesis that begins here.
fn holds_condition(reader: &Reader<'_>) -> bool {
    let mut open = 0usize;
    for by in 0.. {
        match reader.ahead(by) {
            Token::Sign("(") => open += 1,
            Token::Sign(")") => open -= 1,
            Token::Sign("<" | "<=" | ">" | ">=" | "=" | "!=") => return true,
            Token::Name("true" | "false" | "exists") => return true,
            Token::End => return false,
            _ => {}
        }
        if open == 0 {
            return false;
        }
    }
    false
}

/// Sums that are compared, several in a row.
fn compared(reader: &mut Reader<'_>, depth: usize) -> Result<Choices, Wrong> {
    let mut left = total(reader, depth)?;
    let mut choices = vec![vec![]];
    let mut count = 0;
    loop {
        let sign = match reader.peek() {
            Token::Sign(sign @ ("<" | "<=" | ">" | ">=" | "=" | "!=")) => sign,
            _ if count > 0 => return Ok(choices),
            _ => return Err(reader.wrong("a comparison")),
        };
        reader.at += 1;
        let right = total(reader, depth)?;
        // That one is so much more than the other.
        let more = |one: &Sum, other: &Sum, by: i128| {
            let by = Sum::constant(-by);
            one.clone().plus(other, -1).and_then(|sum| sum.plus(&by, 1)).ok_or_else(large)
        };
        let own = match sign {
            "<" => vec![vec![more(&right, &left, 1)?]],
            "<=" => vec![vec![more(&right, &left, 0)?]],
            ">" => vec![vec![more(&left, &right, 1)?]],
            ">=" => vec![vec![more(&left, &right, 0)?]],
            "=" => vec![vec![more(&left, &right, 0)?, more(&right, &left, 0)?]],
            _ => vec![vec![more(&left, &right, 1)?], vec![more(&right, &left, 1)?]],
        };
        choices = both(&choices, &own)?;
        left = right;
        count += 1;
    }
}

fn large() -> Wrong {
    Wrong::Unexpressed("numbers that are too large".to_owned())
}

fn total(reader: &mut Reader<'_>, depth: usize) -> Result<Sum, Wrong> {
    let mut sum = Sum::default();
    let mut sign = 1;
    if reader.take("-") {
        sign = -1;
    }
    loop {
        let term = product(reader, depth)?;
        sum = sum.plus(&term, sign).ok_or_else(large)?;
        sign = match reader.peek() {
            Token::Sign("+") => 1,
            Token::Sign("-") => -1,
            _ => return Ok(sum),
        };
        reader.at += 1;
    }
}

/// Factors, at most one of which is not a number; a number may stand right before it.
fn product(reader: &mut Reader<'_>, depth: usize) -> Result<Sum, Wrong> {
    let mut product = factor(reader, depth)?;
    loop {
        if matches!(reader.peek(), Token::Name("mod") | Token::Sign("/")) {
            return Err(Wrong::Unexpressed("divisions and remainders".to_owned()));
        }
        let is_beside = product.terms.is_empty()
            && match reader.peek() {
                Token::Name(name) => !matches!(name, "and" | "or"),
                Token::Sign("(") => true,
                _ => false,
            };
        if !reader.take("*") && !is_beside {
            return Ok(product);
        }
        let next = factor(reader, depth)?;
        let (number, other) =
            if product.terms.is_empty() { (product, next) } else { (next, product) };
        if !number.terms.is_empty() {
            return Err(Wrong::Unexpressed("products of names".to_owned()));
        }
        product = Sum::default().plus(&other, number.constant).ok_or_else(large)?;
    }
}

fn factor(reader: &mut Reader<'_>, depth: usize) -> Result<Sum, Wrong> {
    if depth > MOST_DEPTH {
        return Err(Wrong::Unexpressed("parentheses that deep".to_owned()));
    }
    match reader.peek() {
        Token::Number(number) => {
            reader.at += 1;
            Ok(Sum::constant(number))
        }
        Token::Name(name @ ("floor" | "ceil" | "floord" | "ceild" | "min" | "max")) => {
            Err(Wrong::Unexpressed(format!("'{name}'")))
        }
        Token::Name("and" | "or") => Err(reader.wrong("a number or a name")),
        Token::Name(name) => {
            reader.at += 1;
            Ok(Sum::name(name))
        }
        Token::Sign("(") => {
            reader.at += 1;
            let sum = total(reader, depth + 1)?;
            reader.expect(")")?;
            Ok(sum)
        }
        Token::Sign("-") => {
            reader.at += 1;
            let inner = factor(reader, depth + 1)?;
            Sum::default().plus(&inner, -1).ok_or_else(large)
        }
        _ => Err(reader.wrong("a number or a name")),
    }
}
