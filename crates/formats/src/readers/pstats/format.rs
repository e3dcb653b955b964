//! The format, and how its files are known.

use hashbrown::HashMap;
use profile::{MemberId, Metric, Point, Profile, ProfileBuilder};

use super::entries::Entries;
use super::graph::Graph;
use super::marshal::REFERENCED;
use crate::graph::call_graph::{CallGraph, Totals};
use crate::input::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

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
