//! Containers that are laid out otherwise.

use super::{Change, ChangeError, Program};
use crate::nest::Affine;
use crate::walk::{interval, ranges};

/// So many accesses are gone through to see whether indices stay in their dimensions.
const MOST_SEEN: u128 = 1 << 22;

/// What is asked of a container; the last of a kind counts.
#[derive(Debug, Default)]
pub(super) struct Layout {
    order: Option<(Vec<usize>, Change)>,
    row: Option<(u64, Change)>,
    alignment: Option<u64>,
    element: Option<u64>,
}

impl Layout {
    pub(super) fn add(&mut self, change: &Change) {
        match change {
            Change::Permute { order, .. } => self.order = Some((order.clone(), change.clone())),
            Change::Pad { multiple, .. } => self.row = Some((*multiple, change.clone())),
            Change::Align { bytes, .. } => self.alignment = Some(*bytes),
            Change::Element { bytes, .. } => self.element = Some(*bytes),
            _ => {}
        }
    }

    /// Strides of a shape in this layout; `old` tells the order of dimensions where this does not.
    fn strides(&self, shape: &[u64], old: &[i64]) -> Result<Vec<i64>, String> {
        let order = match &self.order {
            Some((order, _)) => order.clone(),
            None => order_of(old),
        };
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != (0..shape.len()).collect::<Vec<usize>>() {
            return Err(match shape.len() {
                0 => "it has no dimension".to_owned(),
                count => {
                    format!("an order of {count} dimensions has each from 0 to {} once", count - 1)
                }
            });
        }
        let mut strides = vec![0; shape.len()];
        let mut stride = 1i64;
        for (place, &dimension) in order.iter().rev().enumerate() {
            strides[dimension] = stride;
            let size = match (place, &self.row) {
                (0, Some((multiple, _))) => shape[dimension].checked_next_multiple_of(*multiple),
                _ => Some(shape[dimension]),
            };
            let size = size.and_then(|size| i64::try_from(size).ok());
            stride = size.and_then(|size| stride.checked_mul(size)).ok_or("it gets too large")?;
        }
        Ok(strides)
    }
}

/// Dimensions in the order in which strides say that they stand in memory, outermost first.
pub(crate) fn order_of(strides: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..strides.len()).collect();
    // Larger strides stand further out; those of dimensions of one element say nothing.
    order.sort_by_key(|&dimension| std::cmp::Reverse(strides[dimension].abs()));
    order
}

/// Lays out containers of a name, and tells references where their elements are.
pub(super) fn lay_out(
    program: &mut Program,
    name: &str,
    layout: &Layout,
) -> Result<(), ChangeError> {
    let change = match (&layout.order, &layout.row) {
        (Some((_, change)), _) | (None, Some((_, change))) => Some(change),
        (None, None) => None,
    };
    for number in 0..program.containers.len() {
        if program.containers[number].name != name {
            continue;
        }
        if let Some(change) = change {
            let refused = |why: String| ChangeError::Refused { change: change.clone(), why };
            let own = &program.containers[number];
            let strides = layout.strides(&own.shape, &own.strides).map_err(refused)?;
            check_indices(program, number).map_err(refused)?;
            let own = &mut program.containers[number];
            own.strides = strides;
            own.offset = 0;
            let own = own.clone();
            let references = program.nest.references.iter_mut();
            for one in references.filter(|one| one.container as usize == number) {
                let indices = one.indices.iter().flatten().zip(&own.strides);
                one.element = indices.fold(Affine::constant(0), |sum, (index, &stride)| {
                    sum.plus(&index.clone().times(stride))
                });
            }
        }
        let own = &mut program.containers[number];
        own.alignment = layout.alignment.unwrap_or(own.alignment);
        own.element = layout.element.unwrap_or(own.element);
    }
    Ok(())
}

/// Refuses what is seen as something else, or whose indices leave their dimension: elsewhere, that would be
/// another element.
fn check_indices(program: &Program, number: usize) -> Result<(), String> {
    let container = &program.containers[number];
    let nest = &program.nest;
    let own = |reference: u32| {
        Some(&nest.references[reference as usize]).filter(|one| one.container as usize == number)
    };
    let of_it = nest.references.iter().filter(|one| one.container as usize == number);
    if of_it
        .clone()
        .any(|one| one.indices.as_ref().is_none_or(|all| all.len() != container.shape.len()))
    {
        return Err(format!(
            "{} is seen as something of other dimensions somewhere, so where an element goes is not known",
            container.name
        ));
    }
    let ranges = ranges(&nest.body, nest.variables);
    let fits = |[low, high]: [i128; 2], size: u64| low >= 0 && high < i128::from(size);
    let are_inside = of_it.into_iter().all(|one| {
        let indices = one.indices.iter().flatten().zip(&container.shape);
        indices.into_iter().all(|(index, &size)| fits(interval(index, &ranges), size))
    });
    if are_inside {
        return Ok(());
    }
    let leaves = || format!("indices of {} go beyond a dimension", container.name);
    if nest.accesses() > MOST_SEEN {
        return Err(format!("{}, or may: choose smaller sizes to see", leaves()));
    }
    let mut goes_beyond = false;
    super::run(&nest.body, &mut vec![0; nest.variables as usize], &mut |reference, values| {
        let Some(one) = own(reference) else { return };
        let mut indices = one.indices.iter().flatten().zip(&container.shape);
        goes_beyond |= indices.any(|(index, &size)| {
            let at = i128::from(index.value(values));
            !fits([at, at], size)
        });
    });
    if goes_beyond { Err(leaves()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_packed_in_the_order_and_rows_padded() {
        let of = |changes: &[&str]| {
            let mut layout = Layout::default();
            for change in changes {
                layout.add(&change.parse().expect(change));
            }
            layout.strides(&[12, 12, 5], &[60, 5, 1])
        };
        assert_eq!(of(&["permute a 2,0,1"]), Ok(vec![12, 1, 144]));
        assert_eq!(of(&["permute a 2,0,1", "pad a 8"]), Ok(vec![16, 1, 192]));
        assert_eq!(of(&["pad a 8"]), Ok(vec![96, 8, 1]));
        assert!(of(&["permute a 0,1"]).is_err());
        assert!(of(&["permute a 0,1,1"]).is_err());
    }
}
