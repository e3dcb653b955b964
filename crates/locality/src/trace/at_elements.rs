//! What recorded accesses do at each element of a range.

use crate::elements::{AtElement, MOST_EACH};
use crate::places::MOST_ELEMENTS;
use crate::{Container, Error};

/// Elements of a range.
pub struct Watched {
    /// By element, in row-major order. An access counts for each element that it touches.
    pub elements: Vec<AtElement>,
}

/// A range whose elements are watched.
pub(super) struct Watching {
    range: usize,
    lines: u64,
    elements: Vec<AtElement>,
    /// Element and distance of each access that is not a first touch.
    near: Vec<(u32, u32)>,
}

impl Watching {
    pub(super) fn new(number: usize, range: &Container, lines: u64) -> Result<Watching, Error> {
        let count = range.shape.iter().fold(1u128, |all, &size| all.saturating_mul(size.into()));
        if count > MOST_ELEMENTS {
            let container = range.name.clone();
            return Err(Error::Elements { container, count, most: MOST_ELEMENTS });
        }
        let elements = vec![AtElement::default(); count as usize];
        Ok(Watching { range: number, lines, elements, near: vec![] })
    }

    /// Some elements of a line are touched at once; once the first was, the line is near for the others.
    pub(super) fn touch(
        &mut self,
        range: usize,
        [first, last]: [u64; 2],
        distance: Option<u64>,
    ) -> Result<(), Error> {
        if range != self.range {
            return Ok(());
        }
        for place in first..=last {
            let told = &mut self.elements[place as usize];
            told.accesses += 1;
            match if place == first { distance } else { Some(0) } {
                None => told.cold += 1,
                Some(distance) => {
                    told.capacity += u64::from(distance >= self.lines);
                    self.near.push((place as u32, distance.min(u32::MAX.into()) as u32));
                }
            }
        }
        if self.near.len() as u128 > MOST_EACH {
            return Err(Error::TooMany { count: self.near.len() as u128, most: MOST_EACH });
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Watched {
        crate::elements::summarize(&mut self.elements, &mut self.near);
        Watched { elements: self.elements }
    }
}
