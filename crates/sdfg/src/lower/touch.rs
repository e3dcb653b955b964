//! What edges move, as accesses.

use std::sync::Arc;

use locality::{Affine, Loop, Reference, Step};

use super::lowering::{Lowering, Names};
use super::places::{Named, Place, Places};
use super::{Combining, Origin};
use crate::expr::Function;
use crate::model::{
    Dimension, EdgeIndex, ElementId, Memlet, NodeIndex, NodeKind, StateIndex, Subset,
};

/// A dimension of a subset: where it begins and ends, how far its indices are apart, how many at each.
#[derive(Debug, Clone)]
pub(super) struct Span {
    begin: Vec<Affine>,
    end: Vec<Affine>,
    pub(super) step: i64,
    tile: i64,
    /// Whether it is written as one index, and not as a size that happens to be 1.
    is_one: bool,
}

impl Span {
    /// The first index.
    pub(super) fn first(&self) -> Affine {
        self.begin[0].clone()
    }

    /// Whether it is one index, and no dimension of what is meant.
    pub(super) fn is_one(&self) -> bool {
        self.is_one
    }

    /// Counts as a dimension, whatever it is written as.
    pub(super) fn keep(&mut self) {
        self.is_one = false;
    }

    /// How many indices it has, if that does not depend on loops.
    pub(super) fn count(&self) -> Option<i64> {
        let ([begin], [end]) = (&self.begin[..], &self.end[..]) else { return None };
        let length = end.clone().plus(&begin.clone().times(-1));
        (length.terms.is_empty() && self.tile == 1 && self.step > 0)
            .then(|| (length.constant + self.step - 1) / self.step)
    }
}

impl Lowering<'_> {
    /// A tasklet: what goes into it, then what comes out.
    pub(super) fn edges_of(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        names: &Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) {
        let state = self.program.state(index);
        let id = self.program.id_of_state(index);
        for is_write in [false, true] {
            for (place, edge) in state.edges.iter().enumerate() {
                let is_own = if is_write { edge.source == node } else { edge.target == node };
                let Some(memlet) = edge.memlet.as_ref().filter(|_| is_own) else { continue };
                let id = id.with_edge(EdgeIndex(place as u32));
                let graph = self.program.region(state.region).graph;
                let own = match self.place(graph, &memlet.data, names, places) {
                    Named::Memory(own) => own,
                    Named::Register => {
                        if is_write {
                            let target = &state.nodes[edge.target.place()];
                            self.unseen(&memlet.data, target.kind.is_exit());
                        }
                        continue;
                    }
                    Named::Other(why) => {
                        self.leave_out(id, why);
                        continue;
                    }
                };
                if let Some(spans) = self.spans(memlet.subset.as_ref(), memlet, &own, names, id) {
                    let combines = is_write && memlet.wcr.is_some();
                    let writes: &[bool] = match (combines, self.wanted.combining) {
                        (true, Combining::ReadWrite) => &[false, true],
                        _ => &[is_write],
                    };
                    let first = self.done.nest.references.len();
                    self.touch(&own, &spans, writes, (&memlet.data, id), out);
                    if let Some(wcr) = memlet.wcr.as_ref().filter(|_| combines) {
                        self.combine(first, wcr);
                    }
                }
            }
        }
    }

    /// Data that goes from a container into another, at the one that it goes to; out of a scope, at the one
    /// that it comes from.
    pub(super) fn copies(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        names: &Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) {
        let state = self.program.state(index);
        let graph = self.program.region(state.region).graph;
        let NodeKind::Access { data } = &state.nodes[node.place()].kind else { return };
        for (place, edge) in state.edges.iter().enumerate() {
            let Some(memlet) = edge.memlet.as_ref().filter(|_| !edge.binds_view()) else {
                continue;
            };
            let kind_of = |end: NodeIndex| &state.nodes[end.place()].kind;
            let id = self.program.id_of_state(index).with_edge(EdgeIndex(place as u32));
            // What code moves was counted there.
            let (from, to, is_of_scope) = if edge.target == node {
                match kind_of(edge.source) {
                    NodeKind::Access { data: other } => (other, data, false),
                    kind if kind.is_entry() => (&memlet.data, data, true),
                    _ => continue,
                }
            } else if edge.source == node && kind_of(edge.target).is_exit() {
                (data, &memlet.data, true)
            } else {
                continue;
            };
            if is_of_scope && from == to {
                self.leave_out(id, "the edge does not say what is on the other side of the scope");
                continue;
            }
            let [source, target] = [from, to].map(|name| self.place(graph, name, names, places));
            let is_of_source = memlet.data == *from;
            let subsets = [memlet.subset.as_ref(), memlet.other_subset.as_ref()];
            let [of_source, of_target] =
                if is_of_source { subsets } else { [subsets[1], subsets[0]] };
            match (source, target) {
                (Named::Other(why), _) | (_, Named::Other(why)) => self.leave_out(id, why),
                (Named::Memory(one), Named::Memory(other)) => {
                    let sides = [(&one, of_source, from), (&other, of_target, to)];
                    self.copy(sides, memlet, names, id, out);
                }
                (Named::Memory(one), Named::Register) => {
                    self.unseen(to, is_of_scope && kind_of(edge.target).is_exit());
                    if let Some(spans) = self.spans(of_source, memlet, &one, names, id) {
                        self.touch(&one, &spans, &[false], (from, id), out);
                    }
                }
                (Named::Register, Named::Memory(one)) => {
                    if let Some(spans) = self.spans(of_target, memlet, &one, names, id) {
                        self.touch(&one, &spans, &[true], (to, id), out);
                    }
                }
                (Named::Register, Named::Register) => {
                    self.unseen(to, is_of_scope && kind_of(edge.target).is_exit());
                }
            }
        }
    }

    fn copy(
        &mut self,
        [(from, of_source, source), (to, of_target, target)]: [(&Place, Option<&Subset>, &Arc<str>);
            2],
        memlet: &Memlet,
        names: &Names,
        id: ElementId,
        out: &mut Vec<Step>,
    ) {
        let Some(reads) = self.spans(of_source, memlet, from, names, id) else { return };
        let Some(mut writes) = self.spans(of_target, memlet, to, names, id) else { return };
        let long = |spans: &[Span]| -> Vec<usize> {
            (0..spans.len()).filter(|&place| !spans[place].is_one()).collect()
        };
        let read_long = long(&reads);
        if of_target.is_none() {
            // As much as comes, from the first element on.
            let counts: Option<Vec<i64>> = read_long.iter().map(|&at| reads[at].count()).collect();
            let Some(counts) = counts.filter(|counts| counts.len() <= writes.len()) else {
                return self.leave_out(id, "how much is copied depends on loops");
            };
            let free = writes.len() - counts.len();
            for (place, span) in writes.iter_mut().enumerate() {
                let count = place.checked_sub(free).map_or(1, |at| counts[at]);
                span.end = vec![Affine::constant(count)];
            }
        }
        let write_long = long(&writes);
        let counts = |spans: &[Span], places: &[usize]| -> Option<Vec<i64>> {
            places.iter().map(|&place| spans[place].count()).collect()
        };
        let (Some(one), Some(other)) = (counts(&reads, &read_long), counts(&writes, &write_long))
        else {
            return self.leave_out(id, "how much is copied depends on loops");
        };
        if one != other {
            return self.leave_out(id, "what is copied is shaped anew");
        }
        let mut read_at: Vec<Affine> = reads.iter().map(|span| span.begin[0].clone()).collect();
        let mut write_at: Vec<Affine> = writes.iter().map(|span| span.begin[0].clone()).collect();
        let mut loops = vec![];
        for ((&read, &write), &count) in read_long.iter().zip(&write_long).zip(&one) {
            let number = self.new_variable("copied");
            let at =
                |start: &Affine, step| start.clone().plus(&Affine::variable(number).times(step));
            read_at[read] = at(&read_at[read], reads[read].step);
            write_at[write] = at(&write_at[write], writes[write].step);
            loops.push(Loop::over(number, count, vec![]));
        }
        let mut body = vec![
            self.access(from, &read_at, false, (source, id)),
            self.access(to, &write_at, true, (target, id)),
        ];
        for one in loops.into_iter().rev() {
            body = vec![Step::Loop(Loop { body, ..one })];
        }
        out.extend(body);
    }

    /// All elements of spans, the last dimension fastest.
    fn touch(
        &mut self,
        own: &Place,
        spans: &[Span],
        writes: &[bool],
        origin: (&Arc<str>, ElementId),
        out: &mut Vec<Step>,
    ) {
        let (mut at, mut loops) = (vec![], vec![]);
        for span in spans {
            if span.is_one() {
                at.push(span.begin[0].clone());
                continue;
            }
            let number = self.new_variable("element");
            let mut index = Affine::variable(number);
            loops.push(Loop {
                begin: span.begin.clone(),
                end: span.end.clone(),
                step: span.step,
                ..Loop::over(number, 0, vec![])
            });
            if span.tile > 1 {
                let inner = self.new_variable("element");
                index = index.plus(&Affine::variable(inner));
                loops.push(Loop::over(inner, span.tile, vec![]));
            }
            at.push(index);
        }
        let accesses = writes.iter().map(|&is_write| self.access(own, &at, is_write, origin));
        let mut body: Vec<Step> = accesses.collect();
        for one in loops.into_iter().rev() {
            body = vec![Step::Loop(Loop { body, ..one })];
        }
        out.extend(body);
    }

    pub(super) fn access(
        &mut self,
        own: &Place,
        at: &[Affine],
        is_write: bool,
        (data, edge): (&Arc<str>, ElementId),
    ) -> Step {
        let reference = Reference {
            container: own.container,
            element: own.at(at),
            is_write,
            indices: own.outer_at(at),
            combines: None,
        };
        self.done.nest.references.push(reference);
        self.done.origins.push(Origin { edge, data: data.clone() });
        Step::Access(self.done.nest.references.len() as u32 - 1)
    }

    /// A subset's dimensions; all of the container where there is none.
    pub(super) fn spans(
        &mut self,
        subset: Option<&Subset>,
        memlet: &Memlet,
        own: &Place,
        names: &Names,
        id: ElementId,
    ) -> Option<Vec<Span>> {
        if memlet.is_dynamic {
            self.leave_out(id, format!("data decides how much of {} moves", memlet.data));
            return None;
        }
        let Some(subset) = subset else {
            let whole = |&size: &i64| Span {
                begin: vec![Affine::constant(0)],
                end: vec![Affine::constant(size)],
                step: 1,
                tile: 1,
                is_one: false,
            };
            return Some(own.shape.iter().map(whole).collect());
        };
        // Code that gets a box and touches some of it: which, only it knows.
        let count = subset.element_count().ok().and_then(|count| names.number(&count));
        let moved = names.number(&memlet.volume);
        if let (Some(count), Some(moved)) = (count, moved)
            && moved < count
            && moved >= 0
        {
            let why =
                format!("data decides which {moved} of {count} elements of {} move", memlet.data);
            self.leave_out(id, why);
            return None;
        }
        if subset.is_union() || subset.dimensions.len() != own.strides.len() {
            self.leave_out(id, format!("the part of {} is not a box of it", memlet.data));
            return None;
        }
        let spans: Option<Vec<Span>> =
            subset.dimensions.iter().map(|one| span(one, names)).collect();
        if spans.is_none() {
            self.leave_out(id, format!("indices of {} are not sums of variables", memlet.data));
        }
        spans
    }
}

fn span(dimension: &Dimension, names: &Names) -> Option<Span> {
    let number = |expr| names.number(expr).and_then(|number| i64::try_from(number).ok());
    let step = number(&dimension.step).filter(|step| *step != 0)?;
    let (first, last) =
        if step > 0 { (Function::Max, Function::Min) } else { (Function::Min, Function::Max) };
    let begin = names.bounds(&dimension.start, &first)?;
    let behind = Affine::constant(step.signum());
    let end = names.bounds(&dimension.end, &last)?;
    Some(Span {
        begin,
        end: end.into_iter().map(|end| end.plus(&behind)).collect(),
        step,
        tile: number(&dimension.tile)?,
        is_one: dimension.start == dimension.end && number(&dimension.tile) == Some(1),
    })
}
