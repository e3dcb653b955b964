//! What if a program were laid out or run otherwise: nothing of the graph is changed.

use std::collections::BTreeMap;

use locality::{Loop, Step};

use super::{LowerError, Lowered};

/// Changes that a part is lowered with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// By container.
    pub layouts: BTreeMap<String, Layout>,
    /// Parameters of maps in another order, outermost first.
    pub orders: Vec<Vec<String>>,
}

/// Another layout of a container.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Dimensions (from 0) in the order in which they stand in memory, outermost first.
    pub order: Option<Vec<usize>>,
    /// Rows (of the innermost dimension) take a multiple of so many elements.
    pub row_multiple: Option<u64>,
    /// The base is a multiple of so many bytes.
    pub alignment: Option<u64>,
    /// Bytes of an element.
    pub element: Option<u64>,
}

impl Changes {
    /// Adds a change that is written down: `permute NAME 2,0,1`, `pad NAME 8`, `align NAME 64`,
    /// `element NAME 4`, `order k,i,j`.
    pub fn add(&mut self, text: &str) -> Result<(), LowerError> {
        let wrong = || {
            LowerError::Change(format!(
                "'{text}' is no change: permute NAME 2,0,1; pad NAME 8; align NAME 64; element NAME 4; \
                 order k,i,j"
            ))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        if let ["order", parameters] = words[..] {
            self.orders.push(parameters.split(',').map(|one| one.trim().to_owned()).collect());
            return Ok(());
        }
        let [what, name, value] = words[..] else { return Err(wrong()) };
        let layout = self.layouts.entry(name.to_owned()).or_default();
        let number = || value.parse::<u64>().ok().filter(|number| *number > 0).ok_or_else(wrong);
        match what {
            "permute" => {
                let order: Result<Vec<usize>, _> =
                    value.split(',').map(|one| one.trim().parse()).collect();
                layout.order = Some(order.map_err(|_| wrong())?);
            }
            "pad" => layout.row_multiple = Some(number()?),
            "align" => layout.alignment = Some(number()?),
            "element" => layout.element = Some(number()?),
            _ => return Err(wrong()),
        }
        Ok(())
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.layouts.is_empty() && self.orders.is_empty()
    }
}

impl Layout {
    /// Strides of a shape in this layout; `old` tells the order of dimensions where this does not.
    pub(super) fn strides(&self, shape: &[i64], old: &[i64]) -> Result<Vec<i64>, String> {
        let count = shape.len();
        let order = match &self.order {
            Some(order) => order.clone(),
            None => {
                let mut order: Vec<usize> = (0..count).collect();
                // Larger strides stand further out; those of dimensions of one element say nothing.
                order.sort_by_key(|&dimension| std::cmp::Reverse(old[dimension].abs()));
                order
            }
        };
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != (0..count).collect::<Vec<usize>>() {
            return Err(format!(
                "an order of {count} dimensions has each from 0 to {} once",
                count.max(1) - 1
            ));
        }
        let mut strides = vec![0; count];
        let mut stride = 1i64;
        for (place, &dimension) in order.iter().rev().enumerate() {
            strides[dimension] = stride;
            let size = match (place, self.row_multiple) {
                (0, Some(multiple)) => {
                    let size = u64::try_from(shape[dimension]).unwrap_or(0);
                    size.checked_next_multiple_of(multiple).and_then(|size| size.try_into().ok())
                }
                _ => Some(shape[dimension]),
            };
            stride = size.and_then(|size| stride.checked_mul(size)).ok_or("it gets too large")?;
        }
        Ok(strides)
    }
}

impl Lowered {
    /// Puts the loops of maps with these parameters into this order. The iterations of a map may run in any.
    pub(super) fn reorder(&mut self, order: &[String]) -> Result<(), LowerError> {
        let mut body = std::mem::take(&mut self.nest.body);
        let mut found = 0;
        let result = body.iter_mut().try_for_each(|step| self.reordered(step, order, &mut found));
        self.nest.body = body;
        result?;
        if found == 0 {
            let order = order.join(",");
            return Err(LowerError::Change(format!("no map has the parameters {order}")));
        }
        Ok(())
    }

    fn reordered(
        &self,
        step: &mut Step,
        order: &[String],
        found: &mut usize,
    ) -> Result<(), LowerError> {
        let Step::Loop(outer) = step else { return Ok(()) };
        let mut chain: Vec<Loop> = vec![];
        let mut next = outer.clone();
        let name = |one: &Loop| self.variables[one.variable as usize].as_str();
        let is_of = |one: &Loop| order.iter().any(|own| own == name(one));
        while is_of(&next) && chain.len() < order.len() {
            let body = std::mem::take(&mut next.body);
            chain.push(next);
            match &body[..] {
                [Step::Loop(inner)] if chain.len() < order.len() => next = inner.clone(),
                _ => {
                    next = Loop { body, ..Loop::over(0, 1, vec![]) };
                    break;
                }
            }
        }
        let mut names: Vec<&str> = chain.iter().map(name).collect();
        let mut wanted: Vec<&str> = order.iter().map(String::as_str).collect();
        names.sort_unstable();
        wanted.sort_unstable();
        if names != wanted {
            return outer.body.iter_mut().try_for_each(|step| self.reordered(step, order, found));
        }
        let variables: Vec<u32> = chain.iter().map(|one| one.variable).collect();
        let bounds = chain.iter().flat_map(|one| one.begin.iter().chain(&one.end));
        if bounds.into_iter().any(|bound| variables.iter().any(|&own| bound.factor(own) != 0)) {
            return Err(LowerError::Change(format!(
                "{} cannot be reordered: a range depends on another parameter",
                order.join(",")
            )));
        }
        let mut body = next.body;
        for wanted in order.iter().rev() {
            let one = chain.iter().find(|one| name(one) == wanted);
            let Some(one) = one else { return Ok(()) };
            body = vec![Step::Loop(Loop { body, ..one.clone() })];
        }
        *found += 1;
        if let Some(first) = body.pop() {
            *step = first;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_as_they_are_written() {
        let mut changes = Changes::default();
        for text in ["permute a 2,0,1", "pad a 8", "align b 64", "element b 4", "order k,i,j"] {
            changes.add(text).expect(text);
        }
        assert_eq!(changes.layouts["a"].order, Some(vec![2, 0, 1]));
        assert_eq!(changes.layouts["a"].row_multiple, Some(8));
        assert_eq!(changes.orders, [["k", "i", "j"]]);
        for text in ["", "permute a", "pad a 0", "pad a x", "turn a 1", "permute a 1,x"] {
            assert!(changes.clone().add(text).is_err(), "{text}");
        }
    }

    #[test]
    fn strides_are_packed_in_the_order_and_rows_padded() {
        let layout = |order, row_multiple| Layout { order, row_multiple, ..Layout::default() };
        let of = |layout: Layout| layout.strides(&[12, 12, 5], &[60, 5, 1]);
        assert_eq!(of(layout(Some(vec![2, 0, 1]), None)), Ok(vec![12, 1, 144]));
        assert_eq!(of(layout(Some(vec![2, 0, 1]), Some(8))), Ok(vec![16, 1, 192]));
        assert_eq!(of(layout(None, Some(8))), Ok(vec![96, 8, 1]));
        assert!(of(layout(Some(vec![0, 1]), None)).is_err());
        assert!(of(layout(Some(vec![0, 1, 1]), None)).is_err());
    }
}
