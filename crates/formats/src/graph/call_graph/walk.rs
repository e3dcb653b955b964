//! The paths of a call graph, written as points.

use std::collections::BinaryHeap;

use profile::{ContextId, LocationKind, Place, Point, ProfileBuilder};

use crate::Warnings;
use crate::graph::call_graph::graph::{CallGraph, Counts, Node, add};
use crate::graph::call_graph::split::{Split, clamped};

/// Tree nodes that are made at most, so that no graph fills memory; the largest come first.
const MOST_CONTEXTS: usize = 400_000;

/// The walk down from the roots, the costliest path first.
pub(crate) struct Walk<'a, 'p> {
    graph: &'a CallGraph,
    builder: &'a mut ProfileBuilder,
    like: Point<'p>,
    /// How each function's cost is divided: by function and metric, over its lines and then its
    /// calls. Made when a function is first reached.
    splits: Vec<Vec<Split>>,
    spent: Spent,
    /// Where each function was reached first.
    first: Vec<Option<ContextId>>,
    /// Functions that cost nothing with all they call, and those that were reached.
    is_free: Vec<bool>,
    is_reached: Vec<bool>,
    heap: BinaryHeap<(i128, std::cmp::Reverse<usize>)>,
    waiting: Vec<Waiting>,
    contexts: usize,
}

/// How many calls paths have so far.
struct Spent {
    /// Of each call, and of each function's recursive ones.
    calls: Vec<i64>,
    recursive: Vec<i64>,
    /// Primitive calls of each function that no path has yet.
    primitive_left: Vec<i64>,
}

/// A path that was not followed yet.
struct Waiting {
    node: Node,
    context: ContextId,
    amount: Vec<i64>,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(crate) fn new(
        graph: &'a CallGraph,
        builder: &'a mut ProfileBuilder,
        like: Point<'p>,
    ) -> Self {
        let count = graph.functions.len();
        Walk {
            graph,
            builder,
            like,
            splits: (0..count).map(|_| vec![]).collect(),
            spent: Spent {
                calls: vec![0; graph.arcs.len()],
                recursive: vec![0; count],
                primitive_left: graph.functions.iter().map(|of| of.primitive_calls).collect(),
            },
            first: vec![None; count],
            is_free: (graph.functions.iter())
                .map(|function| {
                    let calls = function.calls.iter().map(|&arc| &graph.arcs[arc].inclusive);
                    let lines = function.lines.iter().map(|(_, values)| values);
                    lines.chain(calls).flatten().all(|&value| value == 0)
                })
                .collect(),
            is_reached: vec![false; count],
            heap: BinaryHeap::new(),
            waiting: vec![],
            contexts: 0,
        }
    }

    pub(crate) fn run(mut self, roots: &[(Node, Vec<i64>)], warnings: &mut Warnings) {
        for (node, amount) in roots {
            let calls = self.graph.functions[node.0 as usize].calls_from_outside;
            self.enter(*node, ContextId::ROOT, amount.clone(), calls);
        }
        while self.contexts < MOST_CONTEXTS {
            let Some((_, std::cmp::Reverse(row))) = self.heap.pop() else { break };
            let taken = Waiting { node: Node(0), context: ContextId::ROOT, amount: vec![] };
            let path = std::mem::replace(&mut self.waiting[row], taken);
            self.follow(&path);
        }
        self.settle_calls();
        if !self.heap.is_empty() {
            self.give_up(warnings);
        }
    }

    /// Calls that no path got, since times of callers and callees do not always add up, go where their function
    /// was reached first: how often it was called stays exact.
    fn settle_calls(&mut self) {
        let graph = self.graph;
        for (row, function) in graph.functions.iter().enumerate() {
            let recursive = function.recursive_calls - self.spent.recursive[row];
            let calls = function.calls.iter().map(|&arc| {
                let call = &graph.arcs[arc];
                (call.callee, call.calls - self.spent.calls[arc])
            });
            let left: Vec<_> = calls.chain([(Node(row as u32), recursive)]).collect();
            for (node, left) in left.into_iter().filter(|(_, left)| *left > 0) {
                let at = self.first[node.0 as usize].unwrap_or(ContextId::ROOT);
                self.count_calls(node, at, left);
            }
        }
    }

    /// A function is reached from `context` with some of its cost.
    fn enter(&mut self, node: Node, context: ContextId, amount: Vec<i64>, calls: i64) {
        self.first[node.0 as usize].get_or_insert(context);
        if calls != 0 {
            self.count_calls(node, context, calls);
        }
        // A function without any cost still makes calls to count: its one path is followed.
        let is_first_free = self.is_free[node.0 as usize]
            && !std::mem::replace(&mut self.is_reached[node.0 as usize], true);
        if is_first_free || amount.iter().any(|&value| value != 0) {
            let size = amount.iter().map(|&value| i128::from(value).abs()).max().unwrap_or(0);
            self.waiting.push(Waiting { node, context, amount });
            self.heap.push((size, std::cmp::Reverse(self.waiting.len() - 1)));
        }
    }

    fn count_calls(&mut self, node: Node, context: ContextId, calls: i64) {
        if self.graph.counts == Counts::Nothing {
            return;
        }
        let entry = self.graph.functions[node.0 as usize].entry;
        let at = self.builder.contexts.child(context, entry);
        let mut values = vec![0; self.graph.metrics];
        values.push(calls);
        if self.graph.counts == Counts::WithPrimitive {
            let left = &mut self.spent.primitive_left[node.0 as usize];
            let primitive = calls.min(*left);
            *left -= primitive;
            values.push(primitive);
        }
        self.push(at, &values);
    }

    fn push(&mut self, context: ContextId, values: &[i64]) {
        self.contexts += 1;
        self.builder.points.push_point(Point { context, ..self.like }, values);
    }

    /// Divides what a path brings among the function's lines and calls.
    fn follow(&mut self, path: &Waiting) {
        let graph = self.graph;
        let row = path.node.0 as usize;
        let function = &graph.functions[row];
        if self.splits[row].is_empty() {
            self.splits[row] = (0..graph.metrics)
                .map(|metric| {
                    let lines = function.lines.iter().map(|(_, values)| values[metric]);
                    let calls = function.calls.iter().map(|&arc| graph.arcs[arc].inclusive[metric]);
                    Split::new(lines.chain(calls).collect())
                })
                .collect();
        }
        let parts: Vec<Vec<i64>> = (path.amount.iter().zip(&mut self.splits[row]))
            .map(|(&amount, split)| split.next(amount))
            .collect();
        let values = |part: usize| parts.iter().map(move |parts| parts[part]);
        for (part, &(line, _)) in function.lines.iter().enumerate() {
            if values(part).any(|value| value != 0) {
                let at = self.builder.contexts.child(path.context, line);
                let mut own: Vec<i64> = values(part).collect();
                own.resize(graph.metrics + graph.counts as usize, 0);
                self.push(at, &own);
            }
        }
        // Calls go with the first metric that the function has.
        let lead = self.splits[row].iter().position(|split| split.total != 0);
        let share = lead.map(|metric| {
            let split = &self.splits[row][metric];
            (split.divided, split.total)
        });
        let due = |calls: i64, given: &mut i64| {
            let target = match share {
                Some((divided, total)) => {
                    clamped(i128::from(calls).saturating_mul(divided) / total)
                }
                None => calls,
            };
            let due = target.saturating_sub(*given).max(0);
            *given = given.saturating_add(due);
            due
        };
        let recursive = due(function.recursive_calls, &mut self.spent.recursive[row]);
        if recursive != 0 {
            self.count_calls(path.node, path.context, recursive);
        }
        for (index, &arc) in function.calls.iter().enumerate() {
            let call = &graph.arcs[arc];
            let calls = due(call.calls, &mut self.spent.calls[arc]);
            let amount: Vec<i64> = values(function.lines.len() + index).collect();
            if calls != 0 || amount.iter().any(|&value| value != 0) {
                let site = self.builder.contexts.child(path.context, call.site);
                self.contexts += 1;
                self.enter(call.callee, site, amount, calls);
            }
        }
    }

    /// Puts the rest of every function under one region, so that self values stay exact.
    fn give_up(self, warnings: &mut Warnings) {
        let graph = self.graph;
        let place = Place {
            kind: LocationKind::Region,
            function: "(paths not estimated)",
            ..Place::default()
        };
        let region = self.builder.place(&place);
        let region = self.builder.contexts.child(ContextId::ROOT, region);
        let mut rest = vec![0i64; graph.metrics];
        for (row, function) in graph.functions.iter().enumerate() {
            for (part, (line, values)) in function.lines.iter().enumerate() {
                let given = |metric: usize| {
                    self.splits[row].get(metric).map_or(0, |split| split.given[part])
                };
                let mut left: Vec<i64> = values
                    .iter()
                    .enumerate()
                    .map(|(m, &value)| value.saturating_sub(given(m)))
                    .collect();
                if left.iter().any(|&value| value != 0) {
                    add(&mut rest, &left);
                    left.resize(graph.metrics + graph.counts as usize, 0);
                    let at = self.builder.contexts.child(region, *line);
                    self.builder.points.push_point(Point { context: at, ..self.like }, &left);
                }
            }
        }
        let names: Vec<String> = (self.builder.metrics.iter().zip(&rest))
            .filter(|&(_, &value)| value != 0)
            .map(|(metric, &value)| {
                format!("{} {}", profile::decimal_text(value, metric.decimals), metric.name)
            })
            .collect();
        warnings.add("paths", || {
            format!(
                "the call graph has more than {MOST_CONTEXTS} paths; {} stand under \
                 \"(paths not estimated)\"",
                names.join(", ")
            )
        });
    }
}
