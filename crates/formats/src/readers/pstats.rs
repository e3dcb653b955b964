//! Python's `.prof` files: what `cProfile`, `profile` and yappi dump for the module `pstats`.
//!
//! The file is one dictionary in Python's marshal format: `(file, line, function)` to `(primitive
//! calls, calls, own seconds, cumulative seconds, callers)`, and callers again a dictionary from
//! functions to the same four numbers. Marshal is read here value by value; nothing of it is ever
//! executed. Versions 0 to 5 of marshal (Python 2.7 to 3.15) are known, see `Python/marshal.c` of
//! CPython.
//!
//! Call paths are not recorded: they are estimated (see `call_graph`).

use std::rc::Rc;

use hashbrown::HashMap;
use profile::{LocationId, MemberId, Metric, Place as CodePlace, Point, Profile, ProfileBuilder};

use crate::call_graph::{CallGraph, Node, Totals};
use crate::stream::Stream;
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "pstats",
    title: "Python cProfile, profile and yappi (.prof, .pstat)",
    extensions: &["prof", "pstat", "pstats", "cprof"],
    about: About {
        carries: "own and cumulative time, calls, functions with file and first line",
        estimates: "call paths, from callers and callees; own times are exact, and cumulative \
                    ones those that pstats shows",
        skips: "how many calls were primitive",
        checked_against: "pstats of Python 2.7, 3.6, 3.11 and 3.13",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// Flag of a type byte: the object is named again later.
const REFERENCED: u8 = 0x80;

fn sniff(head: &[u8], _: &str) -> Sniff {
    let kind = |at: usize| head.get(at).map(|byte| byte & !REFERENCED);
    if kind(0) != Some(b'{') {
        return Sniff::No;
    }
    if head.len() == 2 && head[1] == b'0' {
        return Sniff::Maybe;
    }
    // The first key: a tuple of three that starts with a text.
    let text = match (kind(1), head.get(2..6)) {
        (Some(b')'), Some([3, ..])) => kind(3),
        (Some(b'('), Some([3, 0, 0, 0])) => kind(6),
        _ => return Sniff::No,
    };
    if text.is_some_and(|text| b"zZaAutsR".contains(&text)) { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut entries = Entries::default();
    entries.read(stream, options, warnings)?;
    let metric = |name: &str, unit: &str| Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        decimals: 0,
        ..Metric::default()
    };
    let (count, graph) = match entries.is_sampled {
        true => (metric("samples", "count"), CallGraph::new(2).without_calls()),
        false => (metric("calls", "count"), CallGraph::new(1)),
    };
    let builder = ProfileBuilder::new(vec![metric("time", "nanoseconds"), count]);
    let mut graph = Graph { builder, graph, functions: HashMap::new() };
    for function in &entries.functions {
        graph.add(function, entries.is_sampled);
    }
    let Graph { mut builder, mut graph, .. } = graph;
    FORMAT.name.clone_into(&mut builder.origin.format);
    let mut totals = Totals::default();
    totals.take_stored(&mut graph, MemberId(0), &builder, warnings);
    totals.finish(if entries.is_sampled { 2 } else { 1 }, &mut builder);
    graph.estimate(&mut builder, Point::default(), warnings);
    Ok(builder.finish())
}

/// A function as the file names it.
type Key = (Rc<str>, i64, Rc<str>);

/// The figures of a function.
struct Function {
    key: Key,
    /// Two counts: with and without recursive calls, in whichever order. Of a sampling profiler:
    /// samples of the function's own, and of all that it called.
    counts: [i64; 2],
    own_ns: i64,
    cumulative_ns: i64,
    callers: Vec<(Key, Caller)>,
}

struct Caller {
    calls: i64,
    cumulative_ns: i64,
}

/// What is in a file.
#[derive(Default)]
struct Entries {
    functions: Vec<Function>,
    /// Python's sampling profiler marks its files: counts are samples then.
    is_sampled: bool,
    bytes: usize,
}

impl Entries {
    fn read(
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
                    format!("an entry at {place} is skipped: its key is no function")
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
            |value| nanoseconds(value).ok_or_else(|| malformed(place, "a time is no number"));
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

struct Graph {
    builder: ProfileBuilder,
    graph: CallGraph,
    functions: HashMap<Key, (Node, LocationId)>,
}

impl Graph {
    fn add(&mut self, function: &Function, is_sampled: bool) {
        let (node, entry) = self.node(&function.key);
        let [first, second] = function.counts;
        if is_sampled {
            self.graph.add_self(node, entry, &[function.own_ns, first]);
            self.graph.set_total(node, &[function.cumulative_ns, second]);
        } else {
            self.graph.add_self(node, entry, &[function.own_ns]);
            self.graph.set_total(node, &[function.cumulative_ns]);
        }
        // cProfile and yappi disagree which count includes recursive calls: it is the larger one.
        let mut from_outside = first.max(second);
        for (key, caller) in &function.callers {
            let Caller { calls, cumulative_ns } = *caller;
            from_outside = from_outside.saturating_sub(calls);
            let (caller, site) = self.node(key);
            let inclusive: &[i64] =
                if is_sampled { &[cumulative_ns, calls] } else { &[cumulative_ns] };
            self.graph.add_calls(caller, site, node, calls, inclusive);
        }
        if from_outside > 0 && !is_sampled {
            self.graph.add_calls_from_outside(node, from_outside);
        }
    }

    fn node(&mut self, key: &Key) -> (Node, LocationId) {
        if let Some(&known) = self.functions.get(key) {
            return known;
        }
        let (file, line, name) = key;
        let place = CodePlace {
            function: name,
            file,
            start_line: u32::try_from(*line).unwrap_or(0),
            ..CodePlace::default()
        };
        // Built-ins have the file `~`; pstats shows their names in braces.
        let location = match (&**file, name.strip_prefix('<').and_then(|n| n.strip_suffix('>'))) {
            ("~", Some(inner)) => {
                let name = format!("{{{inner}}}");
                self.builder.place(&CodePlace { function: &name, file: "", ..place })
            }
            ("~", None) => self.builder.place(&CodePlace { file: "", ..place }),
            _ => self.builder.place(&place),
        };
        let node = self.graph.function(location);
        self.functions.insert(key.clone(), (node, location));
        (node, location)
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

fn malformed(place: Place, reason: &str) -> ReadError {
    ReadError::Malformed { format: FORMAT.name, place, reason: reason.to_owned() }
}

/// A value of the kinds that profiles are made of.
#[derive(Debug, Clone)]
enum Value {
    None,
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    Tuple(Rc<[Value]>),
    Dictionary(Rc<[(Value, Value)]>),
}

/// Reads marshalled values.
struct Marshal<'a> {
    stream: Stream<'a>,
    /// Objects that later ones name by number; none while one is being read.
    references: Vec<Option<Value>>,
    /// Python 2's own table of interned texts.
    texts: Vec<Rc<str>>,
    /// Bytes that the tables hold, roughly.
    bytes: usize,
}

/// Values inside values; profiles have four.
const MOST_NESTED: usize = 8;

impl Marshal<'_> {
    /// Steps into the dictionary that the file is.
    fn dictionary(&mut self) -> Result<(), ReadError> {
        let kind = self.byte()?;
        if kind & REFERENCED != 0 {
            self.references.push(None);
        }
        match kind & !REFERENCED {
            b'{' => Ok(()),
            _ => Err(malformed(self.stream.place(), "it is no dictionary")),
        }
    }

    /// The next key and value of a dictionary; none at its end.
    fn entry(&mut self) -> Result<Option<(Value, Value)>, ReadError> {
        if self.stream.peek(1)?.first() == Some(&b'0') {
            self.stream.consume(1);
            return Ok(None);
        }
        let key = self.value(1)?;
        Ok(Some((key, self.value(1)?)))
    }

    fn value(&mut self, depth: usize) -> Result<Value, ReadError> {
        let place = self.stream.place();
        let kind = self.byte()?;
        if depth > MOST_NESTED {
            return Err(malformed(place, "values are nested deeper than in any profile"));
        }
        // Numbers are given out in the order in which objects start.
        let reference = (kind & REFERENCED != 0).then(|| {
            self.references.push(None);
            self.bytes += size_of::<Option<Value>>();
            self.references.len() - 1
        });
        let value = match kind & !REFERENCED {
            b'N' | b'F' => Value::None,
            b'T' => Value::Int(1),
            b'i' => Value::Int(i32::from_le_bytes(self.take()?).into()),
            b'I' => Value::Int(i64::from_le_bytes(self.take()?)),
            b'l' => Value::Int(self.long(place)?),
            b'g' => Value::Float(f64::from_le_bytes(self.take()?)),
            b'f' => {
                let len = usize::from(self.byte()?);
                let text = self.text(len)?;
                let number = text.trim().parse();
                Value::Float(number.map_err(|_| malformed(place, "a number is not one"))?)
            }
            b'z' | b'Z' => {
                let len = usize::from(self.byte()?);
                Value::Text(self.text(len)?)
            }
            b'a' | b'A' | b'u' | b's' => {
                let len = self.length(place)?;
                Value::Text(self.text(len)?)
            }
            b't' => {
                let len = self.length(place)?;
                let text = self.text(len)?;
                self.texts.push(text.clone());
                Value::Text(text)
            }
            b'R' => {
                let number = self.length(place)?;
                let known = self.texts.get(number).cloned();
                Value::Text(known.ok_or_else(|| malformed(place, "a text is not defined"))?)
            }
            b'r' => {
                let number = self.length(place)?;
                let known = self.references.get(number).cloned().flatten();
                return known.ok_or_else(|| malformed(place, "a reference leads nowhere"));
            }
            b')' => {
                let len = usize::from(self.byte()?);
                self.tuple(len, depth)?
            }
            b'(' => {
                let len = self.length(place)?;
                self.tuple(len, depth)?
            }
            b'{' => {
                let mut entries = vec![];
                while self.stream.peek(1)?.first() != Some(&b'0') {
                    let key = self.value(depth + 1)?;
                    entries.push((key, self.value(depth + 1)?));
                }
                self.stream.consume(1);
                Value::Dictionary(entries.into())
            }
            other => {
                let reason = format!("the type {:?} is in no profile", char::from(other));
                return Err(malformed(place, &reason));
            }
        };
        if let Some(reference) = reference {
            self.references[reference] = Some(value.clone());
        }
        Ok(value)
    }

    fn tuple(&mut self, len: usize, depth: usize) -> Result<Value, ReadError> {
        let mut parts = vec![];
        for _ in 0..len {
            parts.push(self.value(depth + 1)?);
        }
        Ok(Value::Tuple(parts.into()))
    }

    fn length(&mut self, place: Place) -> Result<usize, ReadError> {
        let len = i32::from_le_bytes(self.take()?);
        usize::try_from(len).map_err(|_| malformed(place, "a length is negative"))
    }

    /// Digits of 15 bits, lowest first; their number is negative for a negative integer.
    fn long(&mut self, place: Place) -> Result<i64, ReadError> {
        let len = i32::from_le_bytes(self.take()?);
        let mut magnitude = 0i128;
        for digit in 0..len.unsigned_abs() {
            let bits = i128::from(u16::from_le_bytes(self.take()?) & 0x7fff);
            if digit * 15 < 75 {
                magnitude |= bits << (digit * 15);
            } else if bits != 0 {
                return Err(malformed(place, "an integer has more than 64 bits"));
            }
        }
        let value = if len < 0 { -magnitude } else { magnitude };
        i64::try_from(value).map_err(|_| malformed(place, "an integer has more than 64 bits"))
    }

    fn text(&mut self, len: usize) -> Result<Rc<str>, ReadError> {
        let bytes = self.stream.peek(len)?;
        let Some(bytes) = bytes.get(..len) else { return Err(self.cut()) };
        let text = String::from_utf8_lossy(bytes).into();
        self.stream.consume(len);
        self.bytes += len + 40;
        Ok(text)
    }

    fn byte(&mut self) -> Result<u8, ReadError> {
        let [byte] = self.take()?;
        Ok(byte)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let Some(&bytes) = self.stream.peek(N)?.first_chunk() else { return Err(self.cut()) };
        self.stream.consume(N);
        Ok(bytes)
    }

    fn cut(&mut self) -> ReadError {
        let place = self.stream.place();
        let left = self.stream.peek(1).map_or(0, <[u8]>::len);
        ReadError::Truncated {
            format: FORMAT.name,
            place: Place(place.0 + left as u64),
            reason: "in the middle of a value".to_owned(),
        }
    }
}
