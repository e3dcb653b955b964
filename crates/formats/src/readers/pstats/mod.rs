//! Python's `.prof` files: what `cProfile`, `profile` and yappi dump for the module `pstats`.
//!
//! The file is one dictionary in Python's marshal format: `(file, line, function)` to `(primitive
//! calls, calls, own seconds, cumulative seconds, callers)`, and callers again a dictionary from
//! functions to the same four numbers. Marshal is read here value by value; nothing of it is ever
//! executed. Versions 0 to 5 of marshal (Python 2.7 to 3.15) are known, see `Python/marshal.c` of
//! CPython.
//!
//! Call paths are not recorded: they are estimated (see `call_graph`).

mod code;
mod entries;
mod graph;
mod marshal;

use hashbrown::HashMap;
use profile::{MemberId, Metric, Point, Profile, ProfileBuilder};

use crate::graph::call_graph::{CallGraph, Totals};
use crate::input::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};
use entries::Entries;
use graph::Graph;
use marshal::REFERENCED;

pub(crate) const FORMAT: Format = Format {
    name: "pstats",
    title: "Python cProfile, profile and yappi (.prof, .pstat)",
    extensions: &["prof", "pstat", "pstats", "cprof"],
    about: About {
        carries: "own and cumulative time, calls, primitive calls, functions with file and first line",
        estimates: "call paths, from callers and callees; own times are exact, and cumulative \
                    ones those that pstats shows",
        skips: "",
        checked_against: "pstats of Python 2.7, 3.6, 3.8, 3.11 and 3.13",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

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
    let (counts, graph) = if entries.is_sampled {
        (&["samples"][..], CallGraph::new(2).without_calls())
    } else {
        (&["calls", profile::PRIMITIVE_CALLS][..], CallGraph::new(1).with_primitive_calls())
    };
    let counts = counts.iter().map(|name| metric(name, "count"));
    let builder =
        ProfileBuilder::new([metric("time", "nanoseconds")].into_iter().chain(counts).collect());
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
