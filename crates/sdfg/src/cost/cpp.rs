//! Operations in C++ tasklets: operators and known functions, counted from the text.

use super::python::Operations;

/// Functions that are one operation.
const FUNCTIONS: &[&str] = &[
    "exp", "exp2", "tanh", "sinh", "cosh", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "sqrt", "cbrt", "log", "log2", "log10", "pow",
];
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

/// Counts; nothing if there are loops. The depth is the count: chains are not looked for.
pub(super) fn count_cpp(code: &str) -> Option<Operations> {
    let mut count = 0u32;
    let mut rest = code;
    // Whether a value stands before, so that `*` multiplies and does not point.
    let mut is_after_value = false;
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
            let is_call = rest.trim_start().starts_with('(');
            count += u32::from(is_call && FUNCTIONS.contains(&word));
            is_after_value =
                !matches!(word, "return" | "auto" | "const" | "double" | "float" | "int");
        } else if let Some((operator, operations)) =
            OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator))
        {
            let points = matches!(*operator, "*" | "&" | "+") && !is_after_value;
            count += if points { 0 } else { *operations };
            rest = &rest[operator.len()..];
            is_after_value = is_after_value && matches!(*operator, "++" | "--");
        } else {
            is_after_value = matches!(first, ')' | ']');
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(Operations { count, depth: count, unknown_calls: 0 })
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
