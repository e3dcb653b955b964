//! The writer: the tree summed up to a call graph.

use std::collections::BTreeMap;
use std::io::Write;

use hashbrown::HashMap;
use profile::{FrameId, Profile};

use crate::WriteError;
use crate::graph::frame_tree::FrameTree;

/// What tells functions apart: name, file, module.
type Function = (String, String, String);

/// What a function costs and whom it calls.
#[derive(Default)]
struct Costs {
    /// Own cost by line.
    lines: BTreeMap<u32, Vec<i64>>,
    /// By line, callee and its first line: how many paths, and their cost in all.
    calls: BTreeMap<(u32, usize, u32), (u64, Vec<i64>)>,
}

pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let tree = FrameTree::new(profile);
    let metrics = profile.metrics.len();
    let nodes = tree.parent.len();
    let mut own = vec![0i64; nodes * metrics];
    for (row, context) in profile.points.context.iter().enumerate() {
        let node = tree.node[context.index()] as usize;
        add(&mut own[node * metrics..][..metrics], profile.points.row(row));
    }
    let mut total = own.clone();
    for node in (1..nodes).rev() {
        let (before, after) = total.split_at_mut(node * metrics);
        let parent = tree.parent[node] as usize;
        add(&mut before[parent * metrics..][..metrics], &after[..metrics]);
    }

    let mut functions = Functions::default();
    let rows: Vec<usize> = (tree.frame.iter())
        .map(|frame| frame.map_or(usize::MAX, |frame| functions.row(profile, frame)))
        .collect();
    let line = |node: usize| tree.frame[node].map_or(0, |frame| profile.place_line(frame));
    let mut costs: Vec<Costs> = functions.list.iter().map(|_| Costs::default()).collect();
    for node in 1..nodes {
        let own = &own[node * metrics..][..metrics];
        if own.iter().any(|&value| value != 0) {
            let sums =
                costs[rows[node]].lines.entry(line(node)).or_insert_with(|| vec![0; metrics]);
            add(sums, own);
        }
        let caller = tree.parent[node] as usize;
        if caller != 0 {
            let key = (line(caller), rows[node], line(node));
            let call = costs[rows[caller]].calls.entry(key);
            let call = call.or_insert_with(|| (0, vec![0; metrics]));
            call.0 += 1;
            add(&mut call.1, &total[node * metrics..][..metrics]);
        }
    }
    put(profile, &functions.list, &costs, &total[..metrics], out)
}

#[derive(Default)]
struct Functions {
    list: Vec<Function>,
    known: HashMap<Function, usize>,
}

impl Functions {
    fn row(&mut self, profile: &Profile, frame: FrameId) -> usize {
        let clean = |text: &str| text.replace(['\n', '\r'], " ");
        let function = (
            clean(&profile.frame_name(frame)),
            clean(profile.frame_file(frame)),
            clean(profile.frame_module(frame)),
        );
        *self.known.entry(function).or_insert_with_key(|function| {
            self.list.push(function.clone());
            self.list.len() - 1
        })
    }
}

fn add(sums: &mut [i64], values: &[i64]) {
    for (sum, &value) in sums.iter_mut().zip(values) {
        *sum = sum.saturating_add(value);
    }
}

/// Numbers that stand for names: the first time with the name.
#[derive(Default)]
struct Names<'a> {
    known: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn put(&mut self, key: &str, name: &'a str, out: &mut dyn Write) -> Result<(), WriteError> {
        let name = if name.is_empty() { "???" } else { name };
        let next = self.known.len() + 1;
        let number = *self.known.entry(name).or_insert(next);
        if number == next {
            writeln!(out, "{key}=({number}) {name}")?
        } else {
            writeln!(out, "{key}=({number})")?
        }
        Ok(())
    }
}

fn put(
    profile: &Profile,
    functions: &[Function],
    costs: &[Costs],
    totals: &[i64],
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    writeln!(out, "# callgrind format\nversion: 1\ncreator: hotframe\npositions: line")?;
    // Events are words; a unit goes into the name as xdebug writes it.
    let events = profile.metrics.iter().map(|metric| {
        let name: String =
            metric.name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        match &*metric.unit {
            "" | "count" => name,
            unit => format!("{name}_({})", unit.replace(char::is_whitespace, "_")),
        }
    });
    writeln!(out, "events: {}", events.collect::<Vec<_>>().join(" "))?;
    let (mut files, mut names, mut objects) = <(Names, Names, Names)>::default();
    let units: Vec<i64> = profile.metrics.iter().map(|m| 10i64.pow(m.decimals.into())).collect();
    let line_of = |line: u32, values: &[i64], out: &mut dyn Write| -> Result<(), WriteError> {
        write!(out, "{line}")?;
        for (value, unit) in values.iter().zip(&units) {
            // Costs are whole and not negative.
            write!(out, " {}", (value.max(&0) + unit / 2) / unit)?;
        }
        writeln!(out)?;
        Ok(())
    };
    for ((name, file, module), costs) in functions.iter().zip(costs) {
        writeln!(out)?;
        objects.put("ob", module, out)?;
        files.put("fl", file, out)?;
        names.put("fn", name, out)?;
        for (&line, values) in &costs.lines {
            line_of(line, values, out)?;
        }
        for (&(line, callee, callee_line), (calls, values)) in &costs.calls {
            let (name, file, module) = &functions[callee];
            objects.put("cob", module, out)?;
            files.put("cfi", file, out)?;
            names.put("cfn", name, out)?;
            writeln!(out, "calls={calls} {callee_line}")?;
            line_of(line, values, out)?;
        }
    }
    write!(out, "\ntotals:")?;
    for (total, unit) in totals.iter().zip(&units) {
        write!(out, " {}", (total.max(&0) + unit / 2) / unit)?;
    }
    writeln!(out)?;
    Ok(())
}
