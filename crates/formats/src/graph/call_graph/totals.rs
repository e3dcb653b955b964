//! Totals of functions as the producer's own tool shows them, which estimated paths may miss.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use profile::{FunctionId, FunctionTotals, MemberId, MetricId, ProfileBuilder};

use crate::Warnings;
use crate::graph::call_graph::graph::{CallGraph, Node, add};

/// Totals by function and member, while they are collected.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    rows: HashMap<(MemberId, FunctionId), Vec<i64>>,
}

impl Totals {
    /// Takes the totals that [`CallGraph::set_total`] stored. Where several nodes are one function
    /// nobody knows how much of their totals is the same time, so it gets none.
    pub(crate) fn take_stored(
        &mut self,
        graph: &mut CallGraph,
        member: MemberId,
        builder: &ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        let mut several = vec![];
        for row in 0..graph.functions.len() {
            let Some(total) = graph.functions[row].total.take() else { continue };
            let Some(function) = builder.function_of(graph.functions[row].entry) else { continue };
            match self.rows.entry((member, function)) {
                Entry::Vacant(entry) => drop(entry.insert(total)),
                Entry::Occupied(entry) => several.push(*entry.key()),
            }
        }
        several.sort_unstable();
        several.dedup();
        for key in &several {
            self.rows.remove(key);
        }
        if let Some(&(_, first)) = several.first() {
            warnings.add_many("same", several.len() as u64, || {
                format!(
                    "several functions are called {}: the file's totals of each may overlap, so \
                     theirs together is estimated",
                    builder.strings.get(builder.functions.name[first.index()])
                )
            });
        }
    }

    /// Adds up what a graph says: the total of a function is what its callers were charged for it,
    /// recursive calls too; of one that nobody calls, or that was inlined, it is its own cost with that
    /// of its calls.
    /// Equal functions in several graphs are different time, such as that of threads.
    pub(crate) fn add_charged(
        &mut self,
        graph: &CallGraph,
        member: MemberId,
        builder: &ProfileBuilder,
    ) {
        let function_of = |node: Node| builder.function_of(graph.functions[node.0 as usize].entry);
        let mut charged: HashMap<FunctionId, Vec<i64>> = HashMap::new();
        for arc in &graph.arcs {
            if let Some(callee) = function_of(arc.callee) {
                let sum = charged.entry(callee).or_insert_with(|| vec![0; graph.metrics]);
                add(sum, &arc.inclusive);
            }
        }
        let mut own: HashMap<FunctionId, Vec<i64>> = HashMap::new();
        for row in 0..graph.functions.len() {
            let Some(function) = function_of(Node(row as u32)) else { continue };
            if !charged.contains_key(&function) {
                let sum = own.entry(function).or_insert_with(|| vec![0; graph.metrics]);
                graph.functions[row].lines.iter().for_each(|(_, values)| add(sum, values));
                let calls = &graph.functions[row].calls;
                calls.iter().for_each(|&arc| add(sum, &graph.arcs[arc].inclusive));
            }
        }
        let inlined = inlined(graph, builder);
        for (function, values) in charged.into_iter().chain(own).chain(inlined) {
            let sum = self.rows.entry((member, function)).or_insert_with(|| vec![0; values.len()]);
            add(sum, &values);
        }
    }

    /// Adds to the total of a function, as the file has it.
    pub(crate) fn add(&mut self, member: MemberId, function: FunctionId, values: &[i64]) {
        let row = self.rows.entry((member, function)).or_insert_with(|| vec![0; values.len()]);
        add(row, values);
    }

    /// Writes the totals of the first `metrics` metrics to the profile.
    pub(crate) fn finish(self, metrics: usize, builder: &mut ProfileBuilder) {
        let mut rows: Vec<_> = self.rows.into_iter().collect();
        if rows.is_empty() {
            return;
        }
        rows.sort_unstable_by_key(|&(key, _)| key);
        let mut totals = FunctionTotals::new((0..metrics as u32).map(MetricId).collect());
        for ((member, function), values) in rows {
            totals.push(function, member, &values);
        }
        builder.function_totals = totals;
    }
}

/// What stands in functions that were inlined, with the calls from there.
fn inlined(graph: &CallGraph, builder: &ProfileBuilder) -> HashMap<FunctionId, Vec<i64>> {
    let mut inlined: HashMap<FunctionId, Vec<i64>> = HashMap::new();
    for function in &graph.functions {
        let outer = builder.function_of(function.entry);
        let lines = function.lines.iter().map(|(line, values)| (*line, values));
        let calls = function.calls.iter().map(|&arc| &graph.arcs[arc]);
        let calls = calls.map(|arc| (arc.site, &arc.inclusive));
        for (place, values) in lines.chain(calls) {
            if let Some(inner) = builder.function_of(place).filter(|&inner| outer != Some(inner)) {
                add(inlined.entry(inner).or_insert_with(|| vec![0; graph.metrics]), values);
            }
        }
    }
    inlined
}
