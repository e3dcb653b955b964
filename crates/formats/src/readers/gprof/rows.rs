//! Rows of gprof's tables.

use crate::numbers::decimal::Decimal;

/// In the place of the caller of what nobody called.
pub(super) const SPONTANEOUS: &str = "<spontaneous>";

/// A row of the call graph.
pub(super) struct Row {
    /// Whether it is the function that the entry is about.
    pub(super) is_primary: bool,
    /// Numbers with a decimal point.
    pub(super) times: Vec<Decimal>,
    /// Calls, without those of a function to itself.
    pub(super) calls: i64,
    pub(super) name: String,
    pub(super) index: Option<u64>,
}

impl Row {
    /// A row, unless the text is none.
    pub(super) fn new(text: &str) -> Option<Row> {
        // VTune's delimited form has the same columns.
        let spaced = text.replace(';', " ");
        let mut rest = spaced.trim();
        let mut is_primary = false;
        if let Some((index, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']'))
            && index.bytes().all(|byte| byte.is_ascii_digit())
        {
            is_primary = true;
            rest = after.trim_start();
        }
        let mut index = None;
        if let Some((before, number)) = rest.strip_suffix(']').and_then(|r| r.rsplit_once('['))
            && let Ok(number) = number.parse()
        {
            index = Some(number);
            rest = before.trim_end();
        }
        let mut times = vec![];
        let mut calls = 0;
        loop {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if word.contains(['.', ','])
                && let Some(time) = Decimal::parse_local(word)
            {
                times.push(time);
            } else if let Some(count) = calls_of(word) {
                calls = count;
                rest = after.trim_start();
                break;
            } else {
                break;
            }
            rest = after.trim_start();
        }
        let name = match rest.rsplit_once(" <cycle ") {
            Some((name, number)) if number.ends_with('>') && !number.contains(' ') => name,
            _ => rest,
        };
        let name = name.trim();
        // VTune numbers what nobody called, too.
        let index = index.filter(|_| name != SPONTANEOUS);
        let is_row = !name.is_empty() && (index.is_some() || name == SPONTANEOUS);
        let name = name.to_owned();
        is_row.then_some(Row { is_primary, times, calls, name, index })
    }
}

/// Calls as gprof writes them: `400`, `400/400` (of all), `400+479200` (and to itself, which is a
/// row of its own).
fn calls_of(word: &str) -> Option<i64> {
    let digits = word.split(['/', '+']).next()?;
    let rest = &word[digits.len()..];
    let is_count = rest.is_empty() || rest[1..].bytes().all(|byte| byte.is_ascii_digit());
    if is_count { digits.parse().ok() } else { None }
}

/// A row of the flat profile.
pub(super) struct FlatRow {
    pub(super) own: Decimal,
    pub(super) calls: i64,
    pub(super) name: String,
    /// Its number in the call graph, where the table tells it.
    pub(super) index: Option<u64>,
}

impl FlatRow {
    /// `% cumulative self [calls self/call total/call] name`; on BSD systems with the number in the
    /// call graph behind the name, between parentheses where the graph leaves the function out.
    pub(super) fn new(text: &str) -> Option<FlatRow> {
        let mut rest = text;
        let mut next = || {
            let (word, after) = rest.split_once(char::is_whitespace)?;
            let number = Decimal::parse_local(word)?;
            rest = after.trim_start();
            Some((word, number))
        };
        next()?;
        next()?;
        let (_, own) = next()?;
        let calls = match next() {
            Some((word, calls)) if !word.contains(['.', ',']) => {
                next()?;
                next()?;
                calls.to_whole()?
            }
            _ => 0,
        };
        let (name, index) = numbered(rest, '[', ']').or(numbered(rest, '(', ')')).unzip();
        let name = name.unwrap_or(rest).to_owned();
        (!rest.is_empty()).then_some(FlatRow { own, calls, name, index })
    }
}

/// A name and the number behind it.
fn numbered(text: &str, open: char, close: char) -> Option<(&str, u64)> {
    let (name, number) = text.strip_suffix(close)?.rsplit_once(open)?;
    Some((name.strip_suffix(' ')?.trim_end(), number.parse().ok()?))
}
