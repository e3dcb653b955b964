//! Operations in C++ tasklets: operators and known functions, counted from the text.

use super::python::{FREE, Operations, is_cast};
use crate::cost::rules::Rules;

/// Functions that are one operation.
const FUNCTIONS: &[&str] = &[
    "exp", "exp2", "tanh", "sinh", "cosh", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "sqrt", "cbrt", "log", "log2", "log10", "pow",
];
/// Words before a bracket that call nothing.
const NO_CALLS: &[&str] =
    &["if", "switch", "return", "sizeof", "else", "case", "decltype", "alignof", "defined"];
/// Operators that only [`Rules::Every`] counts; the longest first.
const CHOICES: &[&str] = &["&&", "||", "==", "!=", "<=", ">=", "<", ">", "?"];
/// The longest first.
const OPERATORS: &[(&str, u32)] = &[
    ("<<=", 1),
    (">>=", 1),
    ("->", 0),
    ("++", 1),
    ("--", 1),
    ("+=", 1),
    ("-=", 1),
    ("*=", 1),
    ("/=", 1),
    ("%=", 1),
    ("&=", 1),
    ("|=", 1),
    ("^=", 1),
    ("<<", 1),
    (">>", 1),
    ("&&", 0),
    ("||", 0),
    ("==", 0),
    ("!=", 0),
    ("<=", 0),
    (">=", 0),
    ("+", 1),
    ("-", 1),
    ("*", 1),
    ("/", 1),
    ("%", 1),
    ("^", 1),
    ("&", 1),
    ("|", 1),
    ("~", 1),
    ("!", 1),
];

/// Counts; nothing if there are loops. All branches count. The depth is the count at most: chains are
/// not looked for.
pub(super) fn count_cpp(code: &str, rules: Rules) -> Option<Operations> {
    let mut count = 0u32;
    let mut rest = code;
    // Whether a value stands before, so that `*` multiplies and does not point.
    let mut is_after_value = false;
    let mut chooses = false;
    let mut is_opaque = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = rest.trim_start();
        } else if let Some(after) = rest.strip_prefix("//").or(rest.strip_prefix('#')) {
            rest = after.find('\n').map_or("", |end| &after[end..]);
        } else if let Some(after) = rest.strip_prefix("/*") {
            rest = after.find("*/").map_or("", |end| &after[end + 2..]);
        } else if first == '"' || first == '\'' {
            rest = behind_quote(&rest[1..], first);
            is_after_value = true;
        } else if first.is_ascii_digit() {
            rest = behind_number(rest);
            is_after_value = true;
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if matches!(word, "for" | "while" | "do" | "goto") {
                return None;
            }
            chooses |= matches!(word, "if" | "switch" | "return" | "and" | "or");
            let types = template_arguments(rest);
            rest = &rest[types..];
            let is_call = rest.trim_start().starts_with('(');
            let is_counted = match rules {
                Rules::Every => {
                    let makes_another_type = word.ends_with("_cast") || is_cast(word);
                    !makes_another_type && !NO_CALLS.contains(&word)
                }
                _ => FUNCTIONS.contains(&word),
            };
            count += u32::from(is_call && is_counted);
            let is_free = FREE.contains(&word) || NO_CALLS.contains(&word) || is_cast(word);
            let is_known = is_free || FUNCTIONS.contains(&word) || word.ends_with("_cast");
            is_opaque |= is_call && !is_known;
            is_after_value =
                !matches!(word, "return" | "auto" | "const" | "double" | "float" | "int");
        } else if first == '[' && !is_after_value && !rest.starts_with("[[") {
            // A lambda: how often it is called is not looked for.
            return None;
        } else if let (Rules::Every, Some(operator)) = (rules, choice(rest)) {
            count += 1;
            chooses |= matches!(operator, "&&" | "||" | "?");
            rest = &rest[operator.len()..];
            is_after_value = false;
        } else if let Some((operator, operations)) =
            OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator))
        {
            chooses |= matches!(*operator, "&&" | "||");
            let points = matches!(*operator, "*" | "&" | "+") && !is_after_value;
            count += if points { 0 } else { *operations };
            rest = &rest[operator.len()..];
            is_after_value = is_after_value && matches!(*operator, "++" | "--");
        } else {
            chooses |= first == '?';
            is_after_value = matches!(first, ')' | ']');
            rest = &rest[first.len_utf8()..];
        }
    }
    let (may_be_less, may_be_shallower) = (chooses && count > 0, count > 1);
    Some(Operations { count, depth: count, is_opaque, may_be_less, may_be_shallower })
}

/// The operator that a text begins with, if it compares or chooses.
fn choice(rest: &str) -> Option<&'static str> {
    let shifts = ["<<", ">>"].iter().any(|shift| rest.starts_with(shift));
    let found = CHOICES.iter().find(|operator| rest.starts_with(**operator));
    found.filter(|_| !shifts).copied()
}

/// How long `<double, 4>` is that stands behind a name and before a bracket or a name of what is in it;
/// 0 where there is none.
fn template_arguments(rest: &str) -> usize {
    let Some(inside) = rest.strip_prefix('<') else { return 0 };
    let mut depth = 1;
    let end = inside.find("&&").unwrap_or(inside.len());
    let inside = &inside[..end];
    for (place, c) in inside.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if c.is_alphanumeric() || "_:,*& ".contains(c) => {}
            _ => return 0,
        }
        if depth == 0 {
            let end = place + 2;
            let behind = rest[end..].trim_start();
            return if behind.starts_with('(') || behind.starts_with("::") { end } else { 0 };
        }
    }
    0
}

fn behind_quote(mut rest: &str, quote: char) -> &str {
    while let Some(end) = rest.find([quote, '\\']) {
        let is_end = rest[end..].starts_with(quote);
        rest = &rest[end + 1..];
        if is_end {
            return rest;
        }
        rest = rest.chars().next().map_or("", |escaped| &rest[escaped.len_utf8()..]);
    }
    ""
}

/// Also of `1.5e-3f` and `0x1F`.
fn behind_number(rest: &str) -> &str {
    let mut before = ' ';
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let end = rest.find(|c: char| {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !is_hexadecimal;
        before = c;
        !(c.is_alphanumeric() || c == '.' || c == '\'' || is_sign)
    });
    &rest[end.unwrap_or(rest.len())..]
}
