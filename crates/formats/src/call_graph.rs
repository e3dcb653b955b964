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

use std::collections::BinaryHeap;

use hashbrown::HashMap;
use profile::{ContextId, LocationId, LocationKind, Place, Point, ProfileBuilder};

use crate::Warnings;

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
    /// Whether calls become a metric after the others.
    counts_calls: bool,
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
        CallGraph { metrics, functions: vec![], arcs: vec![], rows: 0, counts_calls: true }
    }

    /// Leaves out the number of calls, for files that do not tell it.
    pub(crate) fn without_calls(mut self) -> Self {
        self.counts_calls = false;
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

    /// Adds calls that come from outside of the graph.
    pub(crate) fn add_calls_from_outside(&mut self, node: Node, calls: i64) {
        let function = &mut self.functions[node.0 as usize];
        function.calls_from_outside = function.calls_from_outside.saturating_add(calls);
    }

    /// Bytes held, roughly.
    pub(crate) fn heap_bytes(&self) -> usize {
        let values = self.metrics * size_of::<i64>();
        self.functions.len() * (size_of::<Function>() + 100)
            + self.rows * (values + 60)
            + self.arcs.len() * (size_of::<Arc>() + values + 60)
    }

    /// Appends the estimated paths as points like `like`. Values are the metrics of the graph,
    /// followed by the number of calls (unless [`CallGraph::without_calls`]).
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
                let charge = |&arc: &usize| match only_calls {
                    true => self.arcs[arc].calls,
                    false => self.arcs[arc].inclusive[metric].max(0),
                };
                let charged: Vec<i64> = incoming.iter().map(charge).collect();
                let sum: i128 = charged.iter().map(|&value| i128::from(value)).sum();
                let missing = i128::from(total[metric]) - sum;
                let is_rounding = missing <= i128::from(total[metric] / ROUNDING_SHARE);
                if sum == 0 {
                    own[metric] = total[metric];
                } else if is_rounding || function.is_recursive || only_calls {
                    let parts = Split::new(charged).next(total[metric]);
                    for (&arc, part) in incoming.iter().zip(parts) {
                        self.arcs[arc].inclusive[metric] = part;
                    }
                } else {
                    own[metric] = missing as i64;
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

/// Divides amounts, one after the other, in fixed proportions. Every division is exact, and once
/// amounts add up to the sum of the weights each part has got exactly its weight.
#[derive(Debug)]
struct Split {
    weights: Vec<i64>,
    given: Vec<i64>,
    total: i128,
    divided: i128,
}

impl Split {
    fn new(weights: Vec<i64>) -> Self {
        let total = weights.iter().map(|&weight| i128::from(weight)).sum();
        Split { given: vec![0; weights.len()], weights, total, divided: 0 }
    }

    /// The parts of the next amount.
    fn next(&mut self, amount: i64) -> Vec<i64> {
        let mut parts = vec![0i64; self.weights.len()];
        if self.total == 0 || amount == 0 {
            return parts;
        }
        self.divided += i128::from(amount);
        let mut left = i128::from(amount);
        // Rounded down first; what is left goes to those that are furthest behind.
        let mut behind = vec![];
        for (part, (&weight, given)) in
            parts.iter_mut().zip(self.weights.iter().zip(&mut self.given))
        {
            let exact = i128::from(weight) * self.divided;
            let target = exact.div_euclid(self.total);
            let step = (target - i128::from(*given)).clamp(0, left.max(0)) as i64;
            *part = step;
            left -= i128::from(step);
            *given += step;
            behind.push(exact - i128::from(*given) * self.total);
        }
        if left != 0 {
            let mut rows: Vec<usize> = (0..parts.len()).filter(|&r| self.weights[r] != 0).collect();
            rows.sort_by_key(|&row| std::cmp::Reverse(behind[row]));
            for row in rows.into_iter().cycle().take(left.unsigned_abs() as usize) {
                parts[row] += 1;
                self.given[row] += 1;
            }
        }
        parts
    }
}

/// The walk down from the roots, the costliest path first.
struct Walk<'a, 'p> {
    graph: &'a CallGraph,
    builder: &'a mut ProfileBuilder,
    like: Point<'p>,
    /// How each function's cost is divided: by function and metric, over its lines and then its
    /// calls. Made when a function is first reached.
    splits: Vec<Vec<Split>>,
    /// How many of each call's calls are spent, and of each function's recursive ones.
    calls_given: Vec<i64>,
    recursive_given: Vec<i64>,
    /// Functions that cost nothing with all they call, and those that were reached.
    is_free: Vec<bool>,
    is_reached: Vec<bool>,
    heap: BinaryHeap<(i128, std::cmp::Reverse<usize>)>,
    waiting: Vec<Waiting>,
    contexts: usize,
}

/// A path that was not followed yet.
struct Waiting {
    node: Node,
    context: ContextId,
    amount: Vec<i64>,
}

impl<'a, 'p> Walk<'a, 'p> {
    fn new(graph: &'a CallGraph, builder: &'a mut ProfileBuilder, like: Point<'p>) -> Self {
        let count = graph.functions.len();
        Walk {
            graph,
            builder,
            like,
            splits: (0..count).map(|_| vec![]).collect(),
            calls_given: vec![0; graph.arcs.len()],
            recursive_given: vec![0; count],
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

    fn run(mut self, roots: &[(Node, Vec<i64>)], warnings: &mut Warnings) {
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
        if !self.heap.is_empty() {
            self.give_up(warnings);
        }
    }

    /// A function is reached from `context` with some of its cost.
    fn enter(&mut self, node: Node, context: ContextId, amount: Vec<i64>, calls: i64) {
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
        if !self.graph.counts_calls {
            return;
        }
        let entry = self.graph.functions[node.0 as usize].entry;
        let at = self.builder.contexts.child(context, entry);
        let mut values = vec![0; self.graph.metrics];
        values.push(calls);
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
                own.extend(self.graph.counts_calls.then_some(0));
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
                Some((divided, total)) => (i128::from(calls) * divided / total) as i64,
                None => calls,
            };
            let due = (target - *given).max(0);
            *given += due;
            due
        };
        let recursive = due(function.recursive_calls, &mut self.recursive_given[row]);
        if recursive != 0 {
            self.count_calls(path.node, path.context, recursive);
        }
        for (index, &arc) in function.calls.iter().enumerate() {
            let call = &graph.arcs[arc];
            let calls = due(call.calls, &mut self.calls_given[arc]);
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
                let mut left: Vec<i64> =
                    values.iter().enumerate().map(|(m, &value)| value - given(m)).collect();
                if left.iter().any(|&value| value != 0) {
                    add(&mut rest, &left);
                    left.extend(graph.counts_calls.then_some(0));
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

#[cfg(test)]
mod tests {
    use super::*;
    use profile::{Metric, Profile};

    #[test]
    fn every_division_is_exact_and_all_add_up_to_the_weights() {
        let mut split = Split::new(vec![10, 0, 1, 89]);
        let mut sums = vec![0; 4];
        for amount in [1, 1, 7, 41, 50] {
            let parts = split.next(amount);
            assert_eq!(parts.iter().sum::<i64>(), amount);
            assert!(parts.iter().all(|&part| part >= 0), "{parts:?}");
            add(&mut sums, &parts);
        }
        assert_eq!(sums, [10, 0, 1, 89]);
    }

    /// Functions by name with self cost; calls with count and inclusive cost. Gives the stacks.
    fn stacks(functions: &[(&str, i64)], calls: &[(&str, &str, i64, i64)]) -> Vec<String> {
        let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
        let mut builder = ProfileBuilder::new(vec![metric("cost"), metric("calls")]);
        let mut graph = CallGraph::new(1);
        let mut nodes = HashMap::new();
        for &(name, cost) in functions {
            let at = builder.place(&Place { function: name, ..Place::default() });
            let node = graph.function(at);
            graph.add_self(node, at, &[cost]);
            nodes.insert(name, (node, at));
        }
        for &(caller, callee, count, cost) in calls {
            let (from, site) = nodes[caller];
            graph.add_calls(from, site, nodes[callee].0, count, &[cost]);
        }
        graph.estimate(&mut builder, Point::default(), &mut Warnings::default());
        let profile = builder.finish();
        assert_eq!(profile.check(), []);
        let mut found = std::collections::BTreeMap::<String, (i64, i64)>::new();
        for (row, &context) in profile.points.context.iter().enumerate() {
            let entry = found.entry(path(&profile, context)).or_default();
            entry.0 += profile.points.row(row)[0];
            entry.1 += profile.points.row(row)[1];
        }
        found.into_iter().map(|(path, (cost, calls))| format!("{path} {cost} {calls}")).collect()
    }

    fn path(profile: &Profile, context: ContextId) -> String {
        let up = std::iter::successors(Some(context), |&at| profile.contexts.parent(at));
        let mut names: Vec<_> = up
            .flat_map(|at| profile.frames_of(at))
            .map(|frame| profile.frame_name(profile::FrameId(frame)).into_owned())
            .collect();
        names.reverse();
        names.join(";")
    }

    #[test]
    fn shared_callees_are_divided_in_proportion() {
        let found = stacks(
            &[("main", 10), ("a", 20), ("b", 30), ("leaf", 40)],
            &[
                ("main", "a", 1, 50),
                ("main", "b", 1, 40),
                ("a", "leaf", 3, 30),
                ("b", "leaf", 1, 10),
            ],
        );
        let expected =
            ["main 10 0", "main;a 20 1", "main;a;leaf 30 3", "main;b 30 1", "main;b;leaf 10 1"];
        assert_eq!(found, expected);
    }

    #[test]
    fn recursion_ends_and_self_values_stay() {
        let found = stacks(
            &[("main", 1), ("even", 10), ("odd", 5)],
            &[
                ("main", "even", 1, 15),
                ("even", "odd", 5, 14),
                ("odd", "even", 4, 12),
                ("even", "even", 2, 3),
            ],
        );
        assert_eq!(found, ["main 1 0", "main;even 10 7", "main;even;odd 5 5"]);
    }

    #[test]
    fn what_callers_do_not_explain_is_a_root() {
        let found = stacks(&[("main", 1), ("signal", 100)], &[("main", "signal", 1, 40)]);
        assert_eq!(found, ["main 1 0", "main;signal 40 1", "signal 60 0"]);
    }

    #[test]
    fn a_graph_of_countless_paths_stops_and_keeps_the_sum() {
        let names: Vec<String> = (0..200).map(|row| format!("f{row}")).collect();
        let functions: Vec<_> = names.iter().map(|name| (name.as_str(), 1_000_000)).collect();
        let mut calls = vec![];
        for level in (0..198).step_by(2) {
            for (from, to) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
                let (from, to) = (&names[level + from], &names[level + to]);
                calls.push((from.as_str(), to.as_str(), 1, 1_000_000));
            }
        }
        let found = stacks(&functions, &calls);
        let sum: i64 = (found.iter())
            .map(|line| line.rsplit(' ').nth(1).unwrap().parse::<i64>().unwrap())
            .sum();
        assert_eq!(sum, 200_000_000);
        assert!(found.iter().any(|line| line.starts_with("(paths not estimated);")));
    }
}
