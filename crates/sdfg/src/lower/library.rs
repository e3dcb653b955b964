//! Operations by name, by the loops that their definition says.
//!
//! A product goes over rows, columns and what is summed, in this order; it reads both operands each time
//! and writes an element once its sum, which is in a register, is there. A transposition goes through what
//! it reads. A reduction goes through what it reads and touches the result each time. An implementation
//! may block and reorder: what it misses is its own affair.

use std::sync::Arc;

use locality::{Affine, Loop, Step};

use super::Combining;
use super::lowering::{Lowering, Names};
use super::places::{Named, Place, Places};
use super::touch::Span;
use crate::model::{EdgeIndex, ElementId, Library, NodeIndex, StateIndex};

/// What an operation reads or writes.
struct Operand {
    place: Place,
    spans: Vec<Span>,
    data: Arc<str>,
    edge: ElementId,
}

impl Operand {
    /// The same with so many dimensions at least: of those that are one index the last are kept.
    fn of_dimensions(mut self, least: usize) -> Operand {
        let long = self.spans.iter().filter(|span| !span.is_one()).count();
        let missing = least.saturating_sub(long);
        let ones = self.spans.iter_mut().rev().filter(|span| span.is_one());
        ones.take(missing).for_each(Span::keep);
        self
    }

    /// How many indices its dimensions have, those of one left out.
    fn sizes(&self) -> Option<Vec<i64>> {
        self.spans.iter().filter(|span| !span.is_one()).map(Span::count).collect()
    }

    /// What it is called, and its sizes: `A 3 x 4`.
    fn text(&self) -> String {
        let sizes = self.spans.iter().map(|span| match span.count() {
            Some(count) => count.to_string(),
            None => "?".to_owned(),
        });
        format!("{} {}", self.data, sizes.collect::<Vec<_>>().join(" x "))
    }

    /// The element of indices of dimensions that have more than one.
    fn at(&self, indices: &[Affine]) -> Vec<Affine> {
        let mut indices = indices.iter();
        let mut next = |span: &Span| match indices.next() {
            Some(index) => span.first().plus(&index.clone().times(span.step)),
            None => span.first(),
        };
        let of = |span: &Span| if span.is_one() { span.first() } else { next(span) };
        self.spans.iter().map(of).collect()
    }
}

/// Why an operation is not lowered.
type Refusal = String;

impl Lowering<'_> {
    /// The loops of an operation.
    pub(super) fn library(
        &mut self,
        (index, node): (StateIndex, NodeIndex),
        library: &Library,
        names: &Names,
        places: &Places,
    ) -> Result<Vec<Step>, Refusal> {
        let class = library.class().to_owned();
        let of_lowering = &mut *self;
        let mut operand = |is_output: bool, connector: Option<&str>| {
            of_lowering.operand((index, node), (is_output, connector), names, places).ok_or_else(
                || format!("an operand of {class} is not a box in memory of a known size"),
            )
        };
        match &*class {
            "MatMul" | "Gemm" => {
                let operands = [
                    operand(false, Some("_a"))?,
                    operand(false, Some("_b"))?,
                    operand(true, Some("_c"))?,
                ];
                self.product(library, operands)
            }
            "Transpose" => {
                let (from, to) = (operand(false, None)?, operand(true, None)?);
                self.transposed(library, &from, &to)
            }
            "Reduce" => {
                let (from, to) = (operand(false, None)?, operand(true, None)?);
                self.reduced(library, &from, &to)
            }
            _ => Err(format!("{class} is not lowered to loops: expand it in DaCe")),
        }
    }

    fn operand(
        &mut self,
        (index, node): (StateIndex, NodeIndex),
        (is_output, connector): (bool, Option<&str>),
        names: &Names,
        places: &Places,
    ) -> Option<Operand> {
        let state = self.program.state(index);
        let graph = self.program.region(state.region).graph;
        let (place, edge) = state.edges.iter().enumerate().find(|(_, edge)| {
            let (end, own) = if is_output {
                (edge.source, &edge.source_connector)
            } else {
                (edge.target, &edge.target_connector)
            };
            end == node
                && edge.memlet.is_some()
                && (connector.is_none() || own.as_deref() == connector)
        })?;
        let memlet = edge.memlet.as_ref()?;
        let id = self.program.id_of_state(index).with_edge(EdgeIndex(place as u32));
        let Named::Memory(own) = self.place(graph, &memlet.data, names, places) else {
            return None;
        };
        let spans = self.spans(memlet.subset.as_ref(), memlet, &own, names, id)?;
        Some(Operand { place: own, spans, data: memlet.data.clone(), edge: id })
    }

    fn product(
        &mut self,
        library: &Library,
        [a, b, c]: [Operand; 3],
    ) -> Result<Vec<Step>, Refusal> {
        let told = [&a, &b, &c].map(Operand::text).join(", ");
        let odd = || {
            format!(
                "the sizes of the product's operands do not fit each other at these sizes: {told}"
            )
        };
        let sizes = |operand: &Operand| operand.sizes().ok_or_else(odd);
        // A matrix may have one row or column.
        let [a, b, c] = [a, b, c].map(|operand| operand.of_dimensions(2));
        let (of_a, of_b, of_c) = (sizes(&a)?, sizes(&b)?, sizes(&c)?);
        // A batch of products has it in front.
        let batch = of_c.len().checked_sub(2).ok_or_else(odd)?;
        let (rows, columns) = (of_c[batch], of_c[batch + 1]);
        let pair = |of: &[i64], turned: bool| -> Option<[i64; 2]> {
            let [.., one, other] = of else { return None };
            Some(if turned { [*other, *one] } else { [*one, *other] })
        };
        let [left, shared] = pair(&of_a, library.is_transposed).ok_or_else(odd)?;
        let [summed, right] = pair(&of_b, library.is_second_transposed).ok_or_else(odd)?;
        let fits = |of: &[i64]| of.len() == 2 || of[..of.len() - 2] == of_c[..batch];
        if left != rows || right != columns || summed != shared || !fits(&of_a) || !fits(&of_b) {
            return Err(odd());
        }
        let mut loops: Vec<Loop> = vec![];
        let mut variable = |lowering: &mut Self, name: &str, count: i64| {
            let number = lowering.new_variable(name);
            loops.push(Loop::over(number, count, vec![]));
            Affine::variable(number)
        };
        let batches: Vec<Affine> =
            of_c[..batch].iter().map(|&count| variable(self, "batch", count)).collect();
        let (i, j) = (variable(self, "row", rows), variable(self, "column", columns));
        let k = self.new_variable("summed");
        let k_index = Affine::variable(k);
        let at = |of: &[i64], one: &Affine, other: &Affine, turned: bool| {
            let mut all = if of.len() == 2 { vec![] } else { batches.clone() };
            let pair = if turned { [other, one] } else { [one, other] };
            all.extend(pair.map(Clone::clone));
            all
        };
        let reads = vec![
            self.of_operand(&a, &at(&of_a, &i, &k_index, library.is_transposed), false),
            self.of_operand(&b, &at(&of_b, &k_index, &j, library.is_second_transposed), false),
        ];
        let mut body = vec![Step::Loop(Loop::over(k, shared, reads))];
        let place = at(&of_c, &i, &j, false);
        if !library.beta.is_zero() {
            body.push(self.of_operand(&c, &place, false));
        }
        body.push(self.of_operand(&c, &place, true));
        Ok(around(loops, body))
    }

    fn transposed(
        &mut self,
        library: &Library,
        from: &Operand,
        to: &Operand,
    ) -> Result<Vec<Step>, Refusal> {
        let odd = || "what is transposed has other sizes than the result".to_owned();
        let (sizes, result) = (from.sizes().ok_or_else(odd)?, to.sizes().ok_or_else(odd)?);
        let count = sizes.len() as i64;
        let axes: Vec<usize> = match &library.axes {
            Some(axes) => axes.iter().map(|axis| axis.rem_euclid(count.max(1)) as usize).collect(),
            None => (0..sizes.len()).rev().collect(),
        };
        let turned: Option<Vec<i64>> = axes.iter().map(|&axis| sizes.get(axis).copied()).collect();
        if turned.as_ref() != Some(&result) {
            return Err(odd());
        }
        let (loops, indices) = self.over(&sizes);
        let to_indices: Vec<Affine> = axes.iter().map(|&axis| indices[axis].clone()).collect();
        let body =
            vec![self.of_operand(from, &indices, false), self.of_operand(to, &to_indices, true)];
        Ok(around(loops, body))
    }

    fn reduced(
        &mut self,
        library: &Library,
        from: &Operand,
        to: &Operand,
    ) -> Result<Vec<Step>, Refusal> {
        let odd = || "what is reduced has other sizes than the result".to_owned();
        // Dimensions count as they are written, those of one, too.
        let all: Option<Vec<i64>> = from.spans.iter().map(Span::count).collect();
        let (all, result) = (all.ok_or_else(odd)?, to.sizes().ok_or_else(odd)?);
        let count = all.len() as i64;
        let gone: Vec<usize> = match &library.axes {
            Some(axes) => axes.iter().map(|axis| axis.rem_euclid(count.max(1)) as usize).collect(),
            None => (0..all.len()).collect(),
        };
        let long: Vec<usize> =
            (0..all.len()).filter(|&place| !from.spans[place].is_one()).collect();
        let sizes: Vec<i64> = long.iter().map(|&place| all[place]).collect();
        let (loops, indices) = self.over(&sizes);
        let kept: Vec<usize> = (0..long.len()).filter(|&at| !gone.contains(&long[at])).collect();
        let left: Vec<i64> = kept.iter().map(|&at| sizes[at]).collect();
        if left != result {
            return Err(odd());
        }
        let to_indices: Vec<Affine> = kept.iter().map(|&at| indices[at].clone()).collect();
        let mut body = vec![self.of_operand(from, &indices, false)];
        let first = self.done.nest.references.len();
        if self.wanted.combining == Combining::ReadWrite {
            body.push(self.of_operand(to, &to_indices, false));
        }
        body.push(self.of_operand(to, &to_indices, true));
        self.combine(first, library.wcr.as_deref().unwrap_or_default());
        Ok(around(loops, body))
    }

    /// Loops over sizes, and their variables.
    fn over(&mut self, sizes: &[i64]) -> (Vec<Loop>, Vec<Affine>) {
        let one = |&count: &i64| {
            let number = self.new_variable("element");
            (Loop::over(number, count, vec![]), Affine::variable(number))
        };
        sizes.iter().map(one).unzip()
    }

    fn of_operand(&mut self, operand: &Operand, indices: &[Affine], is_write: bool) -> Step {
        let at = operand.at(indices);
        self.access(&operand.place, &at, is_write, (&operand.data, operand.edge))
    }
}

/// Loops around what is done in them, the first outermost.
fn around(loops: Vec<Loop>, body: Vec<Step>) -> Vec<Step> {
    loops.into_iter().rev().fold(body, |body, one| vec![Step::Loop(Loop { body, ..one })])
}
