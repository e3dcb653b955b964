//! Call paths estimated from a call graph.
//!
//! Callgrind, gprof, cProfile and others record which function called which, not along which
//! paths. A tree is estimated as their own viewers do it: a function that costs T and is reached
//! over several paths gives each of them the same mixture of its own lines and its callees, in
//! proportion to what the path brings.
//!
//! What holds exactly: the self values of every line, and so all flat figures; the sum of the
//! tree; the total of every function outside of recursion. Recursion has no paths of finite
//! length, so calls that lead back into a function that is still running are not followed.

mod split;
#[cfg(test)]
mod tests;
mod totals;
mod walk;

use hashbrown::HashMap;
use profile::{LocationId, Point, ProfileBuilder};

use crate::Warnings;
use split::{Split, clamped};
use walk::Walk;

pub(crate) use totals::Totals;

/// Tree nodes that are made at most, so that no graph fills memory; the largest come first.
const MOST_CONTEXTS: usize = 400_000;

/// A root's cost below this share of a function that has callers is rounding.
const ROUNDING_SHARE: i64 = 1000;

/// A function of a [`CallGraph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

/// Who called whom, at what cost.
#[derive(Debug)]
pub(crate) struct CallGraph {
    /// Metrics that costs have. The number of calls is not among them.
    metrics: usize,
    functions: Vec<Function>,
    arcs: Vec<Arc>,
    /// Lines of all functions.
    rows: usize,
    /// What is counted of calls, each a metric after the others.
    counts: Counts,
}

/// What is counted of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counts {
    Nothing = 0,
    Calls = 1,
    /// Calls, and those of them that began while the function was not running yet.
    WithPrimitive = 2,
}

#[derive(Debug)]
struct Function {
    /// Where its calls are counted and where it shows without a line.
    entry: LocationId,
    /// Cost of its own lines.
    lines: Vec<(LocationId, Vec<i64>)>,
    line_rows: HashMap<LocationId, usize>,
    /// Calls that it makes, as rows of `arcs`.
    calls: Vec<usize>,
    call_rows: HashMap<(LocationId, Node), usize>,
    /// Calls that nobody in the graph made.
    calls_from_outside: i64,
    /// Calls while it was running already, which are not followed.
    recursive_calls: i64,
    /// Whether it can call itself, over others or at once.
    is_recursive: bool,
    /// Calls that were no recursion, where that is counted.
    primitive_calls: i64,
    /// Its total as the file has it, where it does.
    total: Option<Vec<i64>>,
}

#[derive(Debug)]
struct Arc {
    caller: Node,
    /// Where in the caller.
    site: LocationId,
    callee: Node,
    calls: i64,
    /// Cost of the callee with all it called.
    inclusive: Vec<i64>,
}

impl CallGraph {
    pub(crate) fn new(metrics: usize) -> Self {
        CallGraph { metrics, functions: vec![], arcs: vec![], rows: 0, counts: Counts::Calls }
    }

    /// Leaves out the number of calls, for files that do not tell it.
    pub(crate) fn without_calls(mut self) -> Self {
        self.counts = Counts::Nothing;
        self
    }

    /// Counts primitive calls, too, as a metric after the calls; see
    /// [`CallGraph::add_primitive_calls`].
    pub(crate) fn with_primitive_calls(mut self) -> Self {
        self.counts = Counts::WithPrimitive;
        self
    }

    /// Adds a function.
    pub(crate) fn function(&mut self, entry: LocationId) -> Node {
        self.functions.push(Function {
            entry,
            lines: vec![],
            line_rows: HashMap::new(),
            calls: vec![],
            call_rows: HashMap::new(),
            calls_from_outside: 0,
            recursive_calls: 0,
            is_recursive: false,
            primitive_calls: 0,
            total: None,
        });
        Node(self.functions.len() as u32 - 1)
    }

    /// Adds the cost of a line of a function, without what it called.
    ///
    /// # Panics
    /// If `values` has not one entry a metric.
    pub(crate) fn add_self(&mut self, node: Node, line: LocationId, values: &[i64]) {
        assert_eq!(values.len(), self.metrics, "one value a metric");
        let function = &mut self.functions[node.0 as usize];
        let row = *function.line_rows.entry(line).or_insert_with(|| {
            self.rows += 1;
            function.lines.push((line, vec![0; values.len()]));
            function.lines.len() - 1
        });
        add(&mut function.lines[row].1, values);
    }

    /// Adds calls from a place in one function to another, with what they cost in all.
    ///
    /// # Panics
    /// If `inclusive` has not one entry a metric.
    pub(crate) fn add_calls(
        &mut self,
        caller: Node,
        site: LocationId,
        callee: Node,
        calls: i64,
        inclusive: &[i64],
    ) {
        assert_eq!(inclusive.len(), self.metrics, "one value a metric");
        let arcs = &mut self.arcs;
        let function = &mut self.functions[caller.0 as usize];
        let row = *function.call_rows.entry((site, callee)).or_insert_with(|| {
            arcs.push(Arc { caller, site, callee, calls: 0, inclusive: vec![0; inclusive.len()] });
            function.calls.push(arcs.len() - 1);
            arcs.len() - 1
        });
        arcs[row].calls = arcs[row].calls.saturating_add(calls);
        add(&mut arcs[row].inclusive, inclusive);
    }

    /// Multiplies all that was told of a metric so far.
    pub(crate) fn scale(&mut self, metric: usize, factor: i64) {
        let lines = self.functions.iter_mut().flat_map(|function| {
            let totals = function.total.iter_mut();
            function.lines.iter_mut().map(|(_, values)| values).chain(totals)
        });
        for values in lines.chain(self.arcs.iter_mut().map(|arc| &mut arc.inclusive)) {
            values[metric] = values[metric].saturating_mul(factor);
        }
    }

    /// Stores the function's total, which the paths need not add up to; see [`Totals`].
    ///
    /// # Panics
    /// If `values` has not one entry a metric.
    pub(crate) fn set_total(&mut self, node: Node, values: &[i64]) {
        assert_eq!(values.len(), self.metrics, "one value a metric");
        self.functions[node.0 as usize].total = Some(values.to_vec());
    }

    /// Adds calls that come from outside of the graph.
    pub(crate) fn add_calls_from_outside(&mut self, node: Node, calls: i64) {
        let function = &mut self.functions[node.0 as usize];
        function.calls_from_outside = function.calls_from_outside.saturating_add(calls);
    }

    /// Tells how many of a function's calls began while it was not running yet. They go to its paths
    /// as far as those have calls, the costliest first: their sum is exact.
    pub(crate) fn add_primitive_calls(&mut self, node: Node, calls: i64) {
        let function = &mut self.functions[node.0 as usize];
        function.primitive_calls = function.primitive_calls.saturating_add(calls);
    }

    /// Bytes held, roughly.
    pub(crate) fn heap_bytes(&self) -> usize {
        let values = self.metrics * size_of::<i64>();
        self.functions.len() * (size_of::<Function>() + 100)
            + self.rows * (values + 60)
            + self.arcs.len() * (size_of::<Arc>() + values + 60)
    }

    /// Appends the estimated paths as points like `like`. Values are the metrics of the graph,
    /// followed by the number of calls (unless [`CallGraph::without_calls`]) and of primitive ones (if
    /// [`CallGraph::with_primitive_calls`]).
    pub(crate) fn estimate(
        mut self,
        builder: &mut ProfileBuilder,
        like: Point<'_>,
        warnings: &mut Warnings,
    ) {
        builder.origin.estimated_paths = true;
        let order = self.cut_recursion(warnings);
        let roots = self.balance(&order);
        Walk::new(&self, builder, like).run(&roots, warnings);
    }

    /// Takes away the calls that lead back to a function that is still running, starting from the
    /// functions that nobody calls and following the costliest calls first. Gives the functions
    /// in an order with callees before callers.
    ///
    /// The walk is Tarjan's (SIAM J. Comput. 1, 1972), so it finds on the way which functions are
    /// recursive at all.
    fn cut_recursion(&mut self, warnings: &mut Warnings) -> Vec<Node> {
        const NEW: u32 = u32::MAX;
        let count = self.functions.len();
        let arcs = &self.arcs;
        for function in &mut self.functions {
            function.calls.sort_by_key(|&arc| std::cmp::Reverse(largest(&arcs[arc].inclusive)));
        }
        let mut number = vec![NEW; count];
        let mut lowest = vec![NEW; count];
        let mut is_running = vec![false; count];
        let mut is_open = vec![false; count];
        let (mut open, mut order, mut cut) = (vec![], vec![], vec![]);
        let mut visited = 0;
        for start in self.starts() {
            if number[start] != NEW {
                continue;
            }
            let mut path = vec![(start, 0)];
            while let Some(&mut (row, ref mut next)) = path.last_mut() {
                if number[row] == NEW {
                    number[row] = visited;
                    visited += 1;
                    lowest[row] = number[row];
                    (is_running[row], is_open[row]) = (true, true);
                    open.push(row);
                }
                if let Some(&arc) = self.functions[row].calls.get(*next) {
                    *next += 1;
                    let callee = arcs[arc].callee.0 as usize;
                    if number[callee] == NEW {
                        path.push((callee, 0));
                        continue;
                    }
                    if is_open[callee] {
                        lowest[row] = lowest[row].min(number[callee]);
                    }
                    if is_running[callee] {
                        cut.push(arc);
                    }
                    continue;
                }
                path.pop();
                is_running[row] = false;
                order.push(Node(row as u32));
                if let Some(&(caller, _)) = path.last() {
                    lowest[caller] = lowest[caller].min(lowest[row]);
                }
                if lowest[row] == number[row] {
                    let at = open.iter().rposition(|&other| other == row).unwrap_or(0);
                    let component = open.split_off(at);
                    for &member in &component {
                        is_open[member] = false;
                        self.functions[member].is_recursive = component.len() > 1;
                    }
                }
            }
        }
        if !cut.is_empty() {
            let mutual = cut.iter().filter(|&&arc| arcs[arc].caller != arcs[arc].callee).count();
            warnings.add("recursion", || {
                format!(
                    "{} recursive calls, {mutual} of them over other functions, are not followed \
                     in the estimated paths; self values are exact",
                    cut.len()
                )
            });
        }
        let mut is_cut = vec![false; self.arcs.len()];
        for arc in cut {
            is_cut[arc] = true;
            let Arc { callee, calls, .. } = self.arcs[arc];
            let function = &mut self.functions[callee.0 as usize];
            function.recursive_calls = function.recursive_calls.saturating_add(calls);
            function.is_recursive = true;
        }
        for function in &mut self.functions {
            function.calls.retain(|&arc| !is_cut[arc]);
        }
        order
    }

    /// Where to start: the functions that nobody else calls, then those with calls from outside,
    /// then whatever only recursion reaches; costliest first.
    fn starts(&self) -> Vec<usize> {
        let mut is_called = vec![false; self.functions.len()];
        for arc in self.arcs.iter().filter(|arc| arc.caller != arc.callee) {
            is_called[arc.callee.0 as usize] = true;
        }
        let cost = |function: &Function| -> i128 {
            let calls = function.calls.iter().map(|&arc| largest(&self.arcs[arc].inclusive));
            calls.chain(function.lines.iter().map(|(_, values)| largest(values))).sum()
        };
        let mut starts: Vec<usize> = (0..self.functions.len()).collect();
        starts.sort_by_cached_key(|&row| {
            let function = &self.functions[row];
            let is_inner = is_called[row] && function.calls_from_outside == 0;
            (is_inner, std::cmp::Reverse(cost(function)))
        });
        starts
    }

    /// Makes costs consistent: what the callers of a function are charged is what it costs.
    /// Gives the functions that have cost of their own accord, with that cost.
    fn balance(&mut self, callees_first: &[Node]) -> Vec<(Node, Vec<i64>)> {
        let mut callers = vec![vec![]; self.functions.len()];
        for function in &self.functions {
            for &arc in &function.calls {
                callers[self.arcs[arc].callee.0 as usize].push(arc);
            }
        }
        let mut roots = vec![];
        for &node in callees_first {
            let function = &self.functions[node.0 as usize];
            let mut total = vec![0i64; self.metrics];
            for (_, values) in &function.lines {
                add(&mut total, values);
            }
            for &arc in &function.calls {
                add(&mut total, &self.arcs[arc].inclusive);
            }
            let incoming = &callers[node.0 as usize];
            // Where only calls are counted, cost goes with them.
            let only_calls = incoming.iter().all(|&arc| largest(&self.arcs[arc].inclusive) == 0);
            let mut own = vec![0i64; self.metrics];
            for metric in 0..self.metrics {
                let charge = |&arc: &usize| {
                    if only_calls { self.arcs[arc].calls } else { self.arcs[arc].inclusive[metric] }
                };
                let charged: Vec<i64> = incoming.iter().map(charge).collect();
                let sum: i128 = charged.iter().map(|&value| i128::from(value)).sum();
                let missing = i128::from(total[metric]) - sum;
                let rounding = i128::from(total[metric] / ROUNDING_SHARE);
                let is_rounding = if rounding < 0 || sum < 0 {
                    missing.abs() <= rounding.abs()
                } else {
                    missing <= rounding
                };
                if sum == 0 {
                    own[metric] = total[metric];
                } else if is_rounding || function.is_recursive || only_calls {
                    let parts = Split::new(charged).next(total[metric]);
                    for (&arc, part) in incoming.iter().zip(parts) {
                        self.arcs[arc].inclusive[metric] = part;
                    }
                } else {
                    own[metric] = clamped(missing);
                }
            }
            if own.iter().any(|&value| value != 0)
                || function.calls_from_outside > 0
                || incoming.is_empty()
            {
                roots.push((node, own));
            }
        }
        roots.reverse();
        roots
    }
}

/// The largest of a place's values, to rank costs by.
fn largest(values: &[i64]) -> i128 {
    values.iter().map(|&value| i128::from(value)).max().unwrap_or(0)
}

fn add(sum: &mut [i64], values: &[i64]) {
    for (sum, &value) in sum.iter_mut().zip(values) {
        *sum = sum.saturating_add(value);
    }
}
