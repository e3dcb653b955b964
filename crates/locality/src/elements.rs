//! What happens at each element of a container.

use crate::change::run;
use crate::places::{Places, outside};
use crate::{Error, LruStack, Nest, Space};

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
    let places = Places::new(own)?;
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
    // Element and distance of each access of the container that is not a first touch.
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
        let [first, last] = space.lines_of(of, at);
        for line in first..=last {
            let distance = match u32::try_from(line) {
                Ok(line) if u64::from(line) < space.lines => stack.touch(line),
                _ => {
                    outcome = Err(outside(&space.containers[of], element));
                    return;
                }
            };
            if reference.container != container {
                continue;
            }
            let Some(place) = places.of_access(reference.indices.as_deref(), values, element)
            else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Affine, Container, Loop, Placement, Step};

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
