//! Recursion is cut and costs are balanced; then the paths are walked.

use profile::{Point, ProfileBuilder};

use super::graph::{Arc, CallGraph, Function, Node, add};
use super::split::{Split, clamped};
use super::walk::Walk;
use crate::Warnings;

/// A root's cost below this share of a function that has callers is rounding.
const ROUNDING_SHARE: i64 = 1000;

impl CallGraph {
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
