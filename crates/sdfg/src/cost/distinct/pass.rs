//! Sets of elements, gathered from the innermost scopes to the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::touched::{Shape, Span, Touched, together};
use crate::cost::certainty::Excess;
use crate::cost::context::Context;
use crate::cost::control_reads::control_reads;
use crate::cost::costs::{Amount, Distinct};
use crate::cost::found::{Flow, Iterations};
use crate::cost::iterations::region_iterations;
use crate::cost::steps::set_in_blocks;
use crate::cost::symbols::is_read_in;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, BlockKind, Dimension, GraphIndex, RegionIndex, StateIndex, Subset};

/// What is touched of containers, by the names that their graphs have for them.
pub(super) type Print = BTreeMap<(GraphIndex, Arc<str>), Vec<Touched>>;

/// The pass, with what it found so far.
pub(super) struct Pass<'a, 'c, 'p> {
    pub(super) context: &'a mut Context<'c, 'p>,
    flow: &'a Flow,
    pub(super) states: Vec<Print>,
    pub(super) regions: Vec<Print>,
    pub(super) result: Distinct,
}

/// Bytes that move where each element that is accessed moves once.
pub(in crate::cost) fn distinct(context: &mut Context<'_, '_>, flow: &Flow) -> Distinct {
    let program = context.known.program;
    let mut pass = Pass {
        states: vec![Print::new(); program.states.len()],
        regions: vec![Print::new(); program.regions.len()],
        result: Distinct {
            states: vec![Amount::default(); program.states.len()],
            regions: vec![Amount::default(); program.regions.len()],
            nodes: vec![vec![]; program.states.len()],
            edges: vec![vec![]; program.states.len()],
            ..Distinct::default()
        },
        context,
        flow,
    };
    for region in work::long_steps("counting distinct bytes", (0..program.regions.len()).rev()) {
        pass.region(RegionIndex(region as u32));
    }
    if let Some(root) = program.root() {
        pass.result.total = pass.result.regions[root.region.place()].clone();
    }
    pass.result
}

impl Pass<'_, '_, '_> {
    fn region(&mut self, index: RegionIndex) {
        let program = self.context.known.program;
        let region = program.region(index);
        let mut all = Print::new();
        for (place, block) in region.blocks.iter().enumerate() {
            let block_index = BlockIndex(place as u32);
            let print = match &block.kind {
                BlockKind::State(state) => {
                    self.state(*state);
                    self.states[state.place()].clone()
                }
                BlockKind::Region(inner) => self.regions[inner.place()].clone(),
                BlockKind::Conditional { branches, .. } => {
                    let mut all = Print::new();
                    for (_, branch) in branches {
                        let print = self.regions[branch.place()].clone();
                        add(&mut all, print.into_iter().map(|(key, sets)| (key, or_less(sets))));
                    }
                    all
                }
                _ => continue,
            };
            add(&mut all, self.over_loops(print, index, block_index));
            let asked = self.control_reads(index, block_index);
            add(&mut all, self.over_loops(asked, index, block_index));
        }
        let iterations = region_iterations(self.context, region);
        if let Some(iterations) = iterations {
            if self.context.report.has_unknown(&iterations.values.count) {
                all = all.into_iter().map(|(key, sets)| (key, or_less(sets))).collect();
            }
            all = self.each(all, |pass, one| pass.over(one, &iterations));
            let changed = set_in_blocks(program, region, &|_| true);
            all = self.without(&changed, all, region.graph);
        }
        self.result.regions[index.place()] = self.amount(&all, region.graph);
        self.regions[index.place()] = all;
    }

    fn over(&self, set: &Touched, iterations: &Iterations) -> Result<Touched, TooLarge> {
        let facts = &self.context.known.facts;
        if self.context.report.has_unknown(&iterations.values.step) {
            return set.over_unknown(iterations, facts);
        }
        set.over(iterations, facts)
    }

    /// What control flow reads where a block runs: one element each, any of the container where data decides which.
    fn control_reads(&mut self, index: RegionIndex, block: BlockIndex) -> Print {
        let graph = self.context.known.program.region(index).graph;
        let reads = control_reads(self.context, index, block).unwrap_or_default();
        let mut print = Print::new();
        for read in reads {
            let name = self.context.known.roots.in_graph(graph, &read.data);
            let name = name.cloned().unwrap_or_else(|| read.data.clone());
            if self.context.known.roots.named(graph, &name).is_none() {
                continue;
            }
            let whole = self.whole(graph, &name);
            let is_one = whole.size().is_ok_and(|size| size == Expr::integer(1));
            // A loop asks with another value each time.
            let is_once = read.elements == Expr::integer(1);
            let is_plain = read.data == name && read.indices.len() == whole.spans.len() && is_once;
            let at = |index: &Expr| {
                let index = self.context.symbols.resolved(index, graph).ok()?;
                let step = Expr::integer(1);
                let known = !index.has_unknown_function();
                known.then(|| Span { first: index.clone(), last: index, step })
            };
            let spans: Option<Vec<Span>> = read.indices.iter().map(at).collect();
            let set = match spans {
                _ if is_one => whole,
                Some(spans) if is_plain => Touched::of_box(spans),
                _ => whole.or_less(),
            };
            let set = if read.excess.is_none() { set } else { set.or_less() };
            add(&mut print, Print::from([((graph, name), vec![set])]));
        }
        print
    }

    /// In all iterations of the loops between blocks around a block.
    fn over_loops(&mut self, print: Print, region: RegionIndex, block: BlockIndex) -> Print {
        let around = self.flow.around(region, block).clone();
        if !around.is_reached {
            return Print::new();
        }
        let mut print = print;
        let is_sure = |weight: &Option<Expr>| {
            weight.as_ref().is_some_and(|weight| *weight == Expr::integer(1))
        };
        let mut certain =
            is_sure(&around.weight) && !self.context.known.may_be_left_before(region, block);
        let mut inner = around.innermost;
        let mut is_header = around.is_header;
        while let Some(index) = inner {
            let mut one = self.flow.loops[region.place()].loops[index].clone();
            certain &= is_sure(&one.weight)
                && !self.context.report.has_unknown(&one.iterations.values.count);
            // The block that asks runs once more, and at least once.
            if std::mem::take(&mut is_header) && one.asks_first {
                let facts = &self.context.known.facts;
                let count = facts.at_least_zero(&one.iterations.values.count);
                let more = count.and_then(|count| count.plus(&Expr::integer(1)));
                one.iterations.values.count = self.context.report.or_unknown(more, "iterations");
            }
            print = self.each(print, |pass, set| pass.over(set, &one.iterations));
            inner = one.around;
        }
        if around.innermost.is_some() {
            let region = self.context.known.program.region(region);
            let changed = region.edges.iter().flat_map(|edge| &edge.assignments);
            let changed: BTreeSet<&str> = changed.map(|(name, _)| &**name).collect();
            print = self.without(&changed, print, region.graph);
        }
        if certain {
            return print;
        }
        print.into_iter().map(|(key, sets)| (key, or_less(sets))).collect()
    }

    /// Of what an iteration names by symbols that a loop changes, nothing is known: it may be all.
    fn without(&mut self, changed: &BTreeSet<&str>, print: Print, graph: GraphIndex) -> Print {
        let defined = &self.context.symbols.defined[graph.place()];
        let changed: BTreeSet<&str> =
            changed.iter().copied().filter(|name| !defined.contains_key(*name)).collect();
        self.each(
            print,
            |_, set| {
                if set.mentions(&changed) { Err(TooLarge) } else { Ok(set.clone()) }
            },
        )
    }

    pub(super) fn each(
        &mut self,
        print: Print,
        mut by: impl FnMut(&mut Self, &Touched) -> Result<Touched, TooLarge>,
    ) -> Print {
        let mut all = Print::new();
        for (key, sets) in print {
            let facts = &self.context.known.facts;
            let sets: Vec<Touched> =
                sets.into_iter().filter(|set| !set.is_nothing(facts)).collect();
            let made = sets.iter().map(|set| {
                by(self, set).unwrap_or(Touched {
                    spans: vec![],
                    shape: Shape::AtMost,
                    guards: vec![],
                })
            });
            let mut made: Vec<Touched> = made.collect();
            made.sort();
            made.dedup();
            all.insert(key, made);
        }
        all
    }

    pub(super) fn amount(&mut self, print: &Print, graph: GraphIndex) -> Amount {
        let mut excess = None;
        let mut all = vec![];
        for (key, sets) in print {
            let one = self.amount_of(key, sets);
            excess = excess.or(one.excess);
            all.push(one.bytes);
        }
        let bytes = Expr::sum(all)
            .and_then(|bytes| self.context.symbols.resolved_in_outermost(&bytes, graph));
        Amount { bytes: self.context.report.or_unknown(bytes, "distinct_bytes"), excess }
    }

    /// In the symbols of the graph of the container.
    fn amount_of(&mut self, (graph, name): &(GraphIndex, Arc<str>), sets: &[Touched]) -> Amount {
        let whole = self.whole(*graph, name);
        let rank = whole.spans.len();
        let sets: Vec<Touched> = sets
            .iter()
            .map(|one| if one.spans.len() == rank { one.clone() } else { whole.clone().or_less() })
            .collect();
        let made = together(&sets, &self.context.known.facts);
        let (elements, is_exact) = match made {
            Ok(made) => made,
            Err(error) => {
                let why = Unknown::count(error.to_string());
                (self.context.report.unknown(&format!("{name}_distinct"), why), true)
            }
        };
        let container = self.context.known.program.graph(*graph).containers.get(name);
        let size = self.context.report.element_bytes(container, name);
        let bytes = elements.times(&size);
        let bytes = self.context.report.or_unknown(bytes, &format!("{name}_distinct"));
        Amount { bytes, excess: (!is_exact).then_some(Excess::Overlap) }
    }

    /// All elements of a container.
    pub(super) fn whole(&self, graph: GraphIndex, name: &str) -> Touched {
        let container = self.context.known.program.graph(graph).containers.get(name);
        let shape = container.map_or(&[][..], |container| &container.shape);
        let spans = shape.iter().filter_map(|size| {
            let last = size.minus(&Expr::integer(1)).ok()?;
            let last = self.context.symbols.resolved(&last, graph).ok()?;
            Some(Span { first: Expr::default(), last, step: Expr::integer(1) })
        });
        Touched::of_box(spans.collect())
    }

    /// What a subset names; nothing where data decides which elements those are.
    pub(super) fn of_subset(&self, subset: &Subset, index: StateIndex) -> Option<Vec<Touched>> {
        let program = self.context.known.program;
        let graph = program.region(program.state(index).region).graph;
        let boxes = std::iter::once(&subset.dimensions).chain(&subset.further);
        let span = |one: &Dimension| -> Option<Span> {
            let of = |expr: &Expr| {
                let expr = self.context.symbols.resolved(expr, graph).ok()?;
                (!is_read_in(self.context.known, self.context.symbols, &expr, index))
                    .then_some(expr)
            };
            let (first, mut last, step) = (of(&one.start)?, of(&one.end)?, of(&one.step)?);
            let mut step = step;
            if one.tile.as_number() != Some(1.into()) {
                // Tiles without gaps between them are one span.
                if one.step != one.tile {
                    return None;
                }
                last = last.plus(&of(&one.tile)?).ok()?.minus(&Expr::integer(1)).ok()?;
                step = Expr::integer(1);
            }
            Some(Span { first, last, step })
        };
        boxes
            .map(|dimensions| {
                Some(Touched::of_box(dimensions.iter().map(span).collect::<Option<_>>()?))
            })
            .collect()
    }
}

pub(super) fn or_less(sets: Vec<Touched>) -> Vec<Touched> {
    sets.into_iter().map(Touched::or_less).collect()
}

pub(super) fn add(
    all: &mut Print,
    more: impl IntoIterator<Item = ((GraphIndex, Arc<str>), Vec<Touched>)>,
) {
    for (key, sets) in more {
        let known = all.entry(key).or_default();
        known.extend(sets);
        known.sort();
        known.dedup();
    }
}
