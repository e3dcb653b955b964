//! Where functions of a profile start in a text that is not the one that was measured.

use std::collections::HashMap;

use super::fit::{Function, Measured};
use super::headers::Words;
use super::line_map::LineMap;

/// Lines from 1, by number of the function; several where the profile has several functions as one.
#[derive(Debug, Default)]
pub(super) struct Starts {
    lines: HashMap<u32, Vec<u32>>,
}

impl Starts {
    /// Where functions are in the text `now`. `then` is the text that was measured, if that is
    /// known; `lines` is where its lines are now.
    pub(super) fn new(
        measured: &Measured,
        then: Option<&str>,
        now: &str,
        lines: &LineMap,
    ) -> Starts {
        let words_now = measured.words(now);
        let words_then = then.map(|then| measured.words(then));
        let start = |function: &Function| {
            let word = function.word.as_deref()?;
            match &words_then {
                Some(then) => {
                    let was = start_then(function, word, then);
                    let moved = lines.now(was).filter(|&line| line > 0);
                    let rewritten = || rewritten(function, word, &words_now, lines);
                    moved.or_else(rewritten).or_else(|| lines.near(was))
                }
                // Only a name tells, and only where it is that of one function.
                None => match words_now.heads(word)[..] {
                    [line] => Some(line),
                    _ => None,
                },
            }
        };
        let anywhere = |function: &Function| {
            // A function without a name stands where the rest of it is.
            then.and_then(|_| function.lines.iter().find_map(|&line| lines.now(line)))
        };
        let several = |function: &Function| -> Option<Vec<u32>> {
            let heads = heads_then(measured, function, words_then.as_ref()?);
            let now: Vec<u32> = heads.into_iter().filter_map(|was| lines.now(was)).collect();
            (now.len() > 1).then_some(now)
        };
        let lines_of = measured.functions.iter().filter_map(|function| {
            if let Some(all) = several(function) {
                return Some((function.id, all));
            }
            // Code that V8 has thrown away is said to be on line 0.
            let found = start(function).filter(|&line| line > 0);
            let is_lost = || lines.near(function.start).is_none();
            let line = found.or_else(|| is_lost().then(|| anywhere(function)).flatten())?;
            Some((function.id, vec![line]))
        });
        Starts { lines: lines_of.collect() }
    }

    /// Where a function starts, from the top: nothing if that is where its lines are.
    pub(super) fn of(&self, function: u32) -> &[u32] {
        self.lines.get(&function).map_or(&[], Vec::as_slice)
    }
}

/// The heads in the text that was measured whose functions the profile does not tell apart: it has one
/// name for them, no line where they start, and lines that were measured below each.
fn heads_then(measured: &Measured, function: &Function, then: &Words<'_>) -> Vec<u32> {
    let Some(word) = function.word.as_deref().filter(|_| !function.tells_start) else {
        return vec![];
    };
    // Lines of others with the word may be what was inlined.
    if measured.functions.iter().any(|other| other.id != function.id && other.names(word)) {
        return vec![];
    }
    let heads = then.heads(word);
    let above = |&line: &u32| heads[..heads.partition_point(|&head| head <= line)].last().copied();
    let mut found: Vec<u32> = function.lines.iter().filter_map(above).collect();
    found.dedup();
    found
}

/// Where a function began in the text that was measured.
fn start_then(function: &Function, word: &str, then: &Words<'_>) -> u32 {
    if function.tells_start {
        return function.start;
    }
    let heads = then.heads(word);
    let above = heads.iter().rev().find(|&&line| line <= function.start);
    // What was measured first of it may be another function's, which was inlined.
    let only = || <[u32; 1]>::try_from(&heads[..]).ok().map(|[line]| line);
    above.copied().or_else(only).unwrap_or(function.start)
}

/// Where the head of a function is whose own was rewritten: the one above what is left of it.
fn rewritten(function: &Function, word: &str, now: &Words<'_>, lines: &LineMap) -> Option<u32> {
    let heads = now.heads(word);
    let rest = function.lines.iter().find_map(|&line| lines.now(line));
    let above = rest.and_then(|rest| heads.iter().rev().find(|&&line| line <= rest));
    above.or_else(|| heads.first()).copied()
}
