//! Functions with their callers, entry by entry.

use std::rc::Rc;

use super::marshal::{Marshal, Value, malformed};
use crate::input::stream::Stream;
use crate::{Place, ReadError, ReadOptions, Warnings};

/// A function as the file names it.
pub(super) type Key = (Rc<str>, i64, Rc<str>);

/// The figures of a function.
pub(super) struct Function {
    pub(super) key: Key,
    /// Two counts: with and without recursive calls, in whichever order. Of a sampling profiler:
    /// samples of the function's own, and of all that it called.
    pub(super) counts: [i64; 2],
    pub(super) own_ns: i64,
    pub(super) cumulative_ns: i64,
    pub(super) callers: Vec<(Key, Caller)>,
}

pub(super) struct Caller {
    pub(super) calls: i64,
    pub(super) cumulative_ns: i64,
}

/// What is in a file.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) functions: Vec<Function>,
    /// Python's sampling profiler marks its files: counts are samples then.
    pub(super) is_sampled: bool,
    bytes: usize,
}

impl Entries {
    pub(super) fn read(
        &mut self,
        stream: Stream,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let mut marshal = Marshal { stream, references: vec![], texts: vec![], bytes: 0 };
        marshal.dictionary()?;
        loop {
            let place = marshal.stream.place();
            // A cut file keeps the functions that are whole.
            let entry = match marshal.entry() {
                Err(ReadError::Truncated { place, .. }) if !self.functions.is_empty() => {
                    warnings.add("cut", || {
                        format!("the file is cut short at {place}: the functions before are shown")
                    });
                    return Ok(());
                }
                entry => entry?,
            };
            let Some((key, value)) = entry else { break };
            match (function_key(&key), &key) {
                (Some(key), _) => {
                    let function = self.function(key, &value, place, warnings)?;
                    self.bytes +=
                        size_of::<Function>() + function.callers.len() * size_of::<(Key, Caller)>();
                    self.functions.push(function);
                }
                (None, Value::Tuple(parts)) if is_sampled_mark(parts) => self.is_sampled = true,
                (None, _) if self.functions.is_empty() => {
                    return Err(malformed(place, "a key is not a (file, line, function)"));
                }
                (None, _) => warnings.add("key", || {
                    format!("an entry at {place} is skipped: its key is not a function")
                }),
            }
            options.check_memory(self.bytes + marshal.bytes)?;
        }
        if !marshal.stream.peek(1)?.is_empty() {
            warnings.add("rest", || "what follows the profile in the file is skipped".to_owned());
        }
        Ok(())
    }

    fn function(
        &self,
        key: Key,
        value: &Value,
        place: Place,
        warnings: &mut Warnings,
    ) -> Result<Function, ReadError> {
        let Value::Tuple(parts) = value else {
            return Err(malformed(place, "a function has no tuple of figures"));
        };
        let [Value::Int(first), Value::Int(second), own, cumulative, Value::Dictionary(callers)] =
            &parts[..]
        else {
            return Err(malformed(
                place,
                "a function has other figures than two counts, two times and callers",
            ));
        };
        let time =
            |value| nanoseconds(value).ok_or_else(|| malformed(place, "a time is not a number"));
        let (own_ns, cumulative_ns) = (time(own)?, time(cumulative)?);
        let mut known = vec![];
        for (caller, figures) in callers.iter() {
            match (function_key(caller), caller_figures(figures)) {
                (Some(key), Some(figures)) => known.push((key, figures)),
                _ => warnings.add("caller", || {
                    format!("a caller at {place} has figures that are not understood")
                }),
            }
        }
        Ok(Function { key, counts: [*first, *second], own_ns, cumulative_ns, callers: known })
    }
}

fn is_sampled_mark(parts: &[Value]) -> bool {
    matches!(parts, [Value::Text(mark)] if &**mark == "__sampled__")
}

fn caller_figures(figures: &Value) -> Option<Caller> {
    match figures {
        // The module `profile` counts the calls only.
        Value::Int(calls) => Some(Caller { calls: *calls, cumulative_ns: 0 }),
        Value::Tuple(figures) => match &figures[..] {
            [Value::Int(a), Value::Int(b), _, cumulative] => {
                Some(Caller { calls: *a.max(b), cumulative_ns: nanoseconds(cumulative)? })
            }
            _ => None,
        },
        _ => None,
    }
}

/// `(file, line, function)`.
fn function_key(value: &Value) -> Option<Key> {
    let Value::Tuple(parts) = value else { return None };
    match &parts[..] {
        [Value::Text(file), Value::Int(line), Value::Text(name)] => {
            Some((file.clone(), *line, name.clone()))
        }
        _ => None,
    }
}

/// Seconds as nanoseconds, which is what the clocks count.
fn nanoseconds(seconds: &Value) -> Option<i64> {
    match *seconds {
        Value::Float(seconds) if seconds.is_finite() => Some((seconds * 1e9).round() as i64),
        Value::Int(seconds) => Some(seconds.saturating_mul(1_000_000_000)),
        _ => None,
    }
}
