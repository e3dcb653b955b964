//! Who called whom, at what cost.

use hashbrown::HashMap;
use profile::LocationId;

/// A function of a [`CallGraph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(pub(super) u32);

/// Who called whom, at what cost.
#[derive(Debug)]
pub(crate) struct CallGraph {
    /// Metrics that costs have. The number of calls is not among them.
    pub(super) metrics: usize,
    pub(super) functions: Vec<Function>,
    pub(super) arcs: Vec<Arc>,
    /// Lines of all functions.
    rows: usize,
    /// What is counted of calls, each a metric after the others.
    pub(super) counts: Counts,
}

/// What is counted of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    Nothing = 0,
    Calls = 1,
    /// Calls, and those of them that began while the function was not running yet.
    WithPrimitive = 2,
}

#[derive(Debug)]
pub(super) struct Function {
    /// Where its calls are counted and where it shows without a line.
    pub(super) entry: LocationId,
    /// Cost of its own lines.
    pub(super) lines: Vec<(LocationId, Vec<i64>)>,
    line_rows: HashMap<LocationId, usize>,
    /// Calls that it makes, as rows of `arcs`.
    pub(super) calls: Vec<usize>,
    call_rows: HashMap<(LocationId, Node), usize>,
    /// Calls that nobody in the graph made.
    pub(super) calls_from_outside: i64,
    /// Calls while it was running already, which are not followed.
    pub(super) recursive_calls: i64,
    /// Whether it can call itself, over others or at once.
    pub(super) is_recursive: bool,
    /// Calls that were no recursion, where that is counted.
    pub(super) primitive_calls: i64,
    /// Its total as the file has it, where it does.
    pub(super) total: Option<Vec<i64>>,
}

#[derive(Debug)]
pub(super) struct Arc {
    pub(super) caller: Node,
    /// Where in the caller.
    pub(super) site: LocationId,
    pub(super) callee: Node,
    pub(super) calls: i64,
    /// Cost of the callee with all it called.
    pub(super) inclusive: Vec<i64>,
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
}

pub(super) fn add(sum: &mut [i64], values: &[i64]) {
    for (sum, &value) in sum.iter_mut().zip(values) {
        *sum = sum.saturating_add(value);
    }
}
