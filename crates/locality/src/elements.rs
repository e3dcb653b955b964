//! What happens at each element of a container.

use crate::change::run;
use crate::{Affine, Container, Error, LruStack, Nest, Space};

/// Containers of more elements are refused.
pub(crate) const MOST_ELEMENTS: u128 = 1 << 24;

/// Of more accesses than these, not each is looked at by itself: a distance is kept for each.
pub(crate) const MOST_EACH: u128 = 1 << 25;

/// More lines are refused: each takes some 5 bytes.
const MOST_LINES: u64 = 1 << 26;

/// So often it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 16;

/// What happens at an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AtElement {
    /// How often it is read or written.
    pub accesses: u64,
    /// How many of those are the first touch of their line.
    pub cold: u64,
    /// How many of the others are at a distance of so many lines as the cache has, or further.
    pub capacity: u64,
    /// The smallest, the median (the lower of the two in the middle) and the largest stack distance, first
    /// touches of a line aside; none where there are no others.
    pub distances: Option<[u64; 3]>,
}

/// What happens at the elements of a container in a cache of so many lines, in row-major order of their
/// indices, however they stand in memory. Each access is simulated by itself; `goes_on` is asked now and then
/// with the accesses so far, and false stops.
pub fn elements(
    nest: &Nest,
    space: &Space,
    container: u32,
    lines: u64,
    goes_on: &dyn Fn(u128) -> bool,
) -> Result<Vec<AtElement>, Error> {
    nest.check(space)?;
    let Some(own) = space.containers.get(container as usize) else {
        return Err(Error::Missing(format!("container {container}")));
    };
    let places = Places::of(own)?;
    let count = nest.accesses();
    if count > MOST_EACH {
        return Err(Error::TooMany { count, most: MOST_EACH });
    }
    if space.lines > MOST_LINES {
        let [bytes, most] =
            [space.lines, MOST_LINES].map(|lines| u128::from(lines) * u128::from(space.line));
        return Err(Error::Room { bytes, most });
    }
    let mut all = vec![AtElement::default(); places.count];
    let mut stack = LruStack::new(space.lines as usize, space.lines as usize);
    // Element and distance of each access of the container that is no first touch.
    let mut near: Vec<(u32, u32)> = vec![];
    let mut outcome = Ok(());
    let mut done = 0u64;
    let mut values = vec![0; nest.variables as usize];
    run(&nest.body, &mut values, &mut |number, values| {
        if outcome.is_err() {
            return;
        }
        done += 1;
        if done.is_multiple_of(ASK_EVERY) && !goes_on(done.into()) {
            outcome = Err(Error::Stopped);
            return;
        }
        let reference = &nest.references[number as usize];
        let of = reference.container as usize;
        let element = reference.element.value(values);
        let at = space.bases[of] + element * space.containers[of].element as i64;
        let distance = match u32::try_from(at >> space.shift()) {
            Ok(line) if u64::from(line) < space.lines => stack.touch(line),
            _ => {
                outcome = Err(outside(&space.containers[of], element));
                return;
            }
        };
        if reference.container != container {
            return;
        }
        let Some(place) = places.of_access(reference.indices.as_deref(), values, element) else {
            outcome = Err(outside(own, element));
            return;
        };
        let told = &mut all[place];
        told.accesses += 1;
        match distance {
            None => told.cold += 1,
            Some(distance) => {
                told.capacity += u64::from(distance >= lines);
                near.push((place as u32, distance as u32));
            }
        }
    });
    outcome?;
    summarize(&mut all, &mut near);
    Ok(all)
}

/// Tells elements their distances, of which each is given with its element.
pub(crate) fn summarize(all: &mut [AtElement], near: &mut [(u32, u32)]) {
    near.sort_unstable();
    for own in near.chunk_by(|one, other| one.0 == other.0) {
        let at = |place: usize| u64::from(own[place].1);
        let last = own.len() - 1;
        all[own[0].0 as usize].distances = Some([at(0), at(last / 2), at(last)]);
    }
}

fn outside(container: &Container, at: i64) -> Error {
    let [first, last] = container.extent().unwrap_or([0, -1]);
    Error::Outside {
        container: container.name.clone(),
        first: first as i64,
        last: last as i64,
        at: at.into(),
    }
}

/// Which element, in row-major order of indices, stands where.
struct Places<'a> {
    container: &'a Container,
    count: usize,
    /// Dimensions from the largest stride to the smallest.
    order: Vec<usize>,
}

impl Places<'_> {
    fn of(container: &Container) -> Result<Places<'_>, Error> {
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
    fn of_access(&self, indices: Option<&[Affine]>, values: &[i64], element: i64) -> Option<usize> {
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
    use crate::{Loop, Placement, Step};

    /// Indices and places tell the same element, whichever way it stands.
    #[test]
    fn elements_are_found_by_where_they_stand() {
        for strides in [vec![20, 5, 1], vec![1, 3, 12], vec![-20, 5, -1], vec![32, 8, 1]] {
            let plain = Container::rows("a", 8, &[3, 4, 5]).strided(&strides);
            let before: i64 =
                (0..3).map(|one| (strides[one] * (plain.shape[one] as i64 - 1)).min(0)).sum();
            let own = Container { offset: -before, ..plain };
            let places = Places::of(&own).expect("it is small");
            for place in 0..60i64 {
                let indices = [place / 20, place / 5 % 4, place % 5];
                let to: i64 = indices.iter().zip(&strides).map(|(index, by)| index * by).sum();
                assert_eq!(places.of_element(own.offset + to), Some(place as usize), "{strides:?}");
            }
            assert_eq!(places.of_element(-1), None);
        }
    }

    #[test]
    fn a_row_is_new_line_by_line() {
        let own = Container::rows("a", 8, &[2, 8]);
        let mut nest = Nest { variables: 2, ..Nest::default() };
        let both = [Affine::variable(0), Affine::variable(1)];
        let step = nest.refer(std::slice::from_ref(&own), 0, &both, false);
        nest.body =
            vec![Step::Loop(Loop::over(0, 2, vec![Step::Loop(Loop::over(1, 8, vec![step]))]))];
        let space = Space::new(vec![own], Placement::OwnLines, 64).expect("it fits");
        let told = elements(&nest, &space, 0, 1, &|_| true).expect("it is small");
        let cold: Vec<u64> = told.iter().map(|one| one.cold).collect();
        assert_eq!(cold, [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(told[0].distances, None);
        assert_eq!(told[1].distances, Some([0, 0, 0]));
        assert!(elements(&nest, &space, 1, 1, &|_| true).is_err());
    }
}
