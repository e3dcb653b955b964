//! From text to tokens.

use std::ops::Range;

use super::{Formula, FormulaError, Problem};

/// A number, a name, an operator or a bracket.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Name {
        text: String,
        quoted: bool,
    },
    /// An operator, a bracket or a comma.
    Sign(&'static str),
    End,
}

/// Longer signs before those they begin with.
const SIGNS: [&str; 13] = ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "(", ")", ","];

/// All tokens with their places; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, FormulaError> {
    let error = |place, problem| FormulaError { place, problem };
    if text.len() > Formula::MAX_BYTES {
        return Err(error(Formula::MAX_BYTES..text.len(), Problem::TooLong));
    }
    let mut tokens = vec![];
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        if tokens.len() == Formula::MAX_TOKENS {
            return Err(error(start..text.len(), Problem::TooLong));
        }
        let (token, len) = if let Some(len) = number_len(rest) {
            let number = rest[..len].parse().ok().filter(|number: &f64| number.is_finite());
            let too_large = || error(start..start + len, Problem::Number(rest[..len].to_owned()));
            (Token::Number(number.ok_or_else(too_large)?), len)
        } else if first == '`' || first == '"' {
            let quoted = quoted(rest);
            let unclosed = || error(start..text.len(), Problem::Quote(first));
            let (text, len) = quoted.ok_or_else(unclosed)?;
            (Token::Name { text, quoted: true }, len)
        } else if let len @ 1.. = bare_len(rest) {
            (Token::Name { text: rest[..len].to_owned(), quoted: false }, len)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let place = start..start + first.len_utf8();
            return Err(error(place, Problem::Character(first)));
        };
        tokens.push((token, start..start + len));
        start += len;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}

/// Length of the number that a text begins with.
fn number_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if whole == 0 && end < 2 {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = (end + 1 + sign).min(bytes.len());
        if digits(exponent) > exponent {
            end = digits(exponent);
        }
    }
    Some(end)
}

/// Length of the unquoted name that a text begins with; 0 if it begins with none.
fn bare_len(text: &str) -> usize {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    match text.chars().next() {
        Some(first) if within(first) && !first.is_numeric() => {
            text.find(|c: char| !within(c)).unwrap_or(text.len())
        }
        _ => 0,
    }
}

/// The name in the quotes that a text begins with, and the length of all of it.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    let mut name = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => name.push(chars.next()?.1),
            c if c == quote => return Some((name, at + c.len_utf8())),
            c => name.push(c),
        }
    }
    None
}

/// A name as it is written in a formula: between ` where it has to be.
pub fn quoted_name(name: &str) -> String {
    if !name.is_empty() && bare_len(name) == name.len() {
        return name.to_owned();
    }
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}
