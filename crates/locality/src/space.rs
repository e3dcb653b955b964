//! Containers in one address space.

use crate::Error;

/// More bytes are not placed: every address fits an `i64` with room for what goes astray.
const MOST_BYTES: u128 = 1 << 60;

/// An array of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// What people call it.
    pub name: String,
    /// Bytes of an element.
    pub element: u64,
    /// Elements by dimension, outermost first; a scalar has none.
    pub shape: Vec<u64>,
    /// By dimension, elements from one to the next.
    pub strides: Vec<i64>,
    /// Elements from the base to the one whose indices are all 0.
    pub offset: i64,
    /// Its base is a multiple of so many bytes; at least 1.
    pub alignment: u64,
    /// Where its base is; none to be placed after those before.
    pub base: Option<u64>,
}

impl Container {
    /// A container in row-major order.
    pub fn rows(name: &str, element: u64, shape: &[u64]) -> Container {
        let mut strides = vec![1i64; shape.len()];
        for dimension in (1..shape.len()).rev() {
            let below = i64::try_from(shape[dimension]).unwrap_or(i64::MAX);
            strides[dimension - 1] = strides[dimension].saturating_mul(below);
        }
        Container {
            name: name.to_owned(),
            element,
            shape: shape.to_vec(),
            strides,
            offset: 0,
            alignment: 1,
            base: None,
        }
    }

    /// The same with other strides.
    pub fn strided(self, strides: &[i64]) -> Container {
        Container { strides: strides.to_vec(), ..self }
    }

    /// Where its first and its last element are, in elements from its base; none if it has no element.
    pub fn extent(&self) -> Option<[i128; 2]> {
        let mut ends = [i128::from(self.offset); 2];
        for (&size, &stride) in self.shape.iter().zip(&self.strides) {
            let far = i128::from(size.checked_sub(1)?) * i128::from(stride);
            ends[usize::from(far > 0)] += far;
        }
        Some(ends)
    }
}

/// How containers without a base are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// Each begins with a line of its own, so that no line is shared.
    #[default]
    OwnLines,
    /// Each right after the one before, as its alignment allows.
    Packed,
}

/// Containers that were placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// In their order.
    pub containers: Vec<Container>,
    /// By container, the address of its base.
    pub bases: Vec<i64>,
    /// Bytes of a cache line.
    pub line: u64,
    /// One more than the number of the last line.
    pub lines: u64,
    /// Whether no line has bytes of two containers.
    pub is_apart: bool,
}

impl Space {
    /// Places containers, one after the other.
    pub fn new(
        containers: Vec<Container>,
        placement: Placement,
        line: u64,
    ) -> Result<Space, Error> {
        if !line.is_power_of_two() || line > 1 << 16 {
            return Err(Error::Line(line));
        }
        let mut bases = Vec::with_capacity(containers.len());
        let mut taken: Vec<[u128; 2]> = vec![];
        let mut free = 0u128;
        for container in &containers {
            let element = u128::from(container.element);
            let [first, last] = container.extent().unwrap_or([0, -1]);
            // What is before the base is placed behind what is there, too.
            let before = u128::try_from(-first).unwrap_or(0).saturating_mul(element);
            let after = u128::try_from(last + 1).unwrap_or(0).saturating_mul(element);
            let base = match container.base {
                Some(base) => u128::from(base),
                None => {
                    let least = free.saturating_add(before);
                    let alignment = match placement {
                        Placement::OwnLines => container.alignment.max(line),
                        Placement::Packed => container.alignment,
                    };
                    least.next_multiple_of(u128::from(alignment.max(1)))
                }
            };
            let end = base.saturating_add(after);
            if end > MOST_BYTES || base < before {
                return Err(Error::Room { bytes: end, most: MOST_BYTES });
            }
            if last >= first {
                let lines = u128::from(line);
                taken.push([(base - before) / lines, end.div_ceil(lines)]);
            }
            bases.push(base as i64);
            free = free.max(end);
        }
        let lines = taken.iter().map(|[_, end]| *end).max().unwrap_or(0) as u64;
        taken.sort_unstable();
        let is_apart = taken.windows(2).all(|pair| pair[0][1] <= pair[1][0]);
        Ok(Space { containers, bases, line, lines, is_apart })
    }

    /// The first and the last line of an element at an address; they differ where it crosses a line, and
    /// then its access touches each of them.
    #[inline]
    pub(crate) fn lines_of(&self, container: usize, address: i64) -> [i64; 2] {
        let last = address.wrapping_add(self.containers[container].element.max(1) as i64 - 1);
        [address >> self.shift(), last >> self.shift()]
    }

    /// In how many lines an element of a container may be.
    pub(crate) fn most_lines_of(&self, container: usize) -> u64 {
        let element =
            self.containers.get(container).map_or(1, |container| container.element.max(1));
        if self.crosses(container) { (element - 1) / self.line + 2 } else { 1 }
    }

    /// Whether an element of a container may cross a line.
    fn crosses(&self, container: usize) -> bool {
        let Some(container_of) = self.containers.get(container) else { return false };
        let element = container_of.element.max(1);
        !self.line.is_multiple_of(element) || self.bases[container].rem_euclid(element as i64) != 0
    }

    /// How many bits of an address are those within a line.
    pub(crate) fn shift(&self) -> u32 {
        self.line.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_stand_on_their_own_lines_or_packed() {
        let containers = || vec![Container::rows("a", 8, &[3]), Container::rows("b", 4, &[2, 5])];
        let own = Space::new(containers(), Placement::OwnLines, 64).unwrap();
        assert_eq!((own.bases, own.lines, own.is_apart), (vec![0, 64], 2, true));
        let packed = Space::new(containers(), Placement::Packed, 64).unwrap();
        assert_eq!((packed.bases, packed.lines, packed.is_apart), (vec![0, 24], 1, false));
    }

    #[test]
    fn strides_may_go_down() {
        let down = Container { offset: 4, ..Container::rows("a", 8, &[5]).strided(&[-1]) };
        assert_eq!(down.extent(), Some([0, 4]));
        let before = Container::rows("a", 8, &[5]).strided(&[-1]);
        let space = Space::new(vec![before], Placement::OwnLines, 64).unwrap();
        assert_eq!(space.bases, [64], "what is before the base has room");
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let huge = Container::rows("a", 8, &[1 << 40, 1 << 40]);
        assert!(matches!(Space::new(vec![huge], Placement::OwnLines, 64), Err(Error::Room { .. })));
        assert_eq!(Space::new(vec![], Placement::OwnLines, 48), Err(Error::Line(48)));
    }
}
