//! Where elements stand, and which stands where.

use crate::{Affine, Container, Error};

/// Containers of more elements are refused.
pub(crate) const MOST_ELEMENTS: u128 = 1 << 24;

/// An access that finds no element.
pub(crate) fn outside(container: &Container, at: i64) -> Error {
    let [first, last] = container.extent().unwrap_or([0, -1]);
    Error::Outside {
        container: container.name.clone(),
        first: first as i64,
        last: last as i64,
        at: at.into(),
    }
}

/// Which element, in row-major order of indices, stands where.
pub(crate) struct Places<'a> {
    container: &'a Container,
    /// Elements.
    pub(crate) count: usize,
    /// Dimensions from the largest stride to the smallest.
    order: Vec<usize>,
}

impl Places<'_> {
    pub(crate) fn new(container: &Container) -> Result<Places<'_>, Error> {
        let product =
            container.shape.iter().try_fold(1u128, |all, &size| all.checked_mul(size.into()));
        let count = product.unwrap_or(u128::MAX);
        if count > MOST_ELEMENTS {
            return Err(Error::Elements {
                container: container.name.clone(),
                count,
                most: MOST_ELEMENTS,
            });
        }
        let mut order: Vec<usize> = (0..container.shape.len()).collect();
        order.sort_by_key(|&dimension| {
            std::cmp::Reverse(container.strides[dimension].unsigned_abs())
        });
        Ok(Places { container, count: count as usize, order })
    }

    /// By the indices where they are known; else by where it is.
    pub(crate) fn of_access(
        &self,
        indices: Option<&[Affine]>,
        values: &[i64],
        element: i64,
    ) -> Option<usize> {
        match indices {
            Some(indices) => self.place(indices.iter().map(|index| index.value(values))),
            None => self.of_element(element),
        }
    }

    fn place(&self, indices: impl Iterator<Item = i64>) -> Option<usize> {
        let mut place = 0usize;
        for (index, &size) in indices.zip(&self.container.shape) {
            let index = u64::try_from(index).ok().filter(|index| *index < size)?;
            place = place * size as usize + index as usize;
        }
        Some(place)
    }

    /// Takes the largest strides out first; none where no element stands.
    fn of_element(&self, element: i64) -> Option<usize> {
        let Container { shape, strides, .. } = self.container;
        let mut rest = element.checked_sub(i64::try_from(self.container.extent()?[0]).ok()?)?;
        let mut indices = vec![0i64; shape.len()];
        for &dimension in &self.order {
            let last = shape[dimension] as i64 - 1;
            let stride = strides[dimension].saturating_abs();
            let far = if stride == 0 { 0 } else { (rest / stride).clamp(0, last) };
            rest -= far * stride;
            indices[dimension] = if strides[dimension] < 0 { last - far } else { far };
        }
        if rest == 0 { self.place(indices.into_iter()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indices and places tell the same element, whichever way it stands.
    #[test]
    fn elements_are_found_by_where_they_stand() {
        for strides in [vec![20, 5, 1], vec![1, 3, 12], vec![-20, 5, -1], vec![32, 8, 1]] {
            let plain = Container::rows("a", 8, &[3, 4, 5]).strided(&strides);
            let before: i64 =
                (0..3).map(|one| (strides[one] * (plain.shape[one] as i64 - 1)).min(0)).sum();
            let own = Container { offset: -before, ..plain };
            let places = Places::new(&own).expect("it is small");
            for place in 0..60i64 {
                let indices = [place / 20, place / 5 % 4, place % 5];
                let to: i64 = indices.iter().zip(&strides).map(|(index, by)| index * by).sum();
                assert_eq!(places.of_element(own.offset + to), Some(place as usize), "{strides:?}");
            }
            assert_eq!(places.of_element(-1), None);
        }
    }
}
