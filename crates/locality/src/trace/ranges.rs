//! Which addresses belong to which array.

use std::str::FromStr;

use crate::{Container, Error};

/// More dimensions than arrays have.
const MOST_DIMENSIONS: usize = 64;

/// An array at an address, as people write it: `a=0x4040:8:100x50`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range(pub Container);

/// Why something is not a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a range ({why}): NAME=ADDRESS:BYTES:SHAPE, as in a=0x4040:8:100x50 for 100 rows of 50 \
     elements of 8 bytes; without a shape it is one element"
)]
pub struct RangeError {
    text: String,
    why: &'static str,
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Range, RangeError> {
        let wrong = |why| RangeError { text: text.to_owned(), why };
        let (name, rest) = text.rsplit_once('=').ok_or_else(|| wrong("it has no ="))?;
        if name.is_empty() {
            return Err(wrong("it has no name"));
        }
        let mut parts = rest.split(':');
        let address = parts.next().unwrap_or_default();
        let base = match address.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => address.parse().ok(),
        };
        let base = base.ok_or_else(|| wrong("its address is not a number"))?;
        let element = parts.next().unwrap_or_default().parse().ok().filter(|bytes| *bytes > 0);
        let element = element.ok_or_else(|| wrong("its elements have no bytes"))?;
        let shape = match parts.next() {
            None => vec![],
            Some(shape) => shape
                .split('x')
                .map(|size| size.parse().ok().filter(|size| *size > 0))
                .collect::<Option<Vec<u64>>>()
                .ok_or_else(|| wrong("its shape is not a list of sizes"))?,
        };
        if parts.next().is_some() {
            return Err(wrong("it has more parts than three"));
        }
        if shape.len() > MOST_DIMENSIONS {
            return Err(wrong("it has too many dimensions"));
        }
        let own = Container { base: Some(base), ..Container::rows(name, element, &shape) };
        if end(&own).is_none() {
            return Err(wrong("it does not end within the addresses that there are"));
        }
        Ok(Range(own))
    }
}

/// The address behind a container in row-major order.
fn end(container: &Container) -> Option<u64> {
    let count = container.shape.iter().try_fold(1u64, |all, &size| all.checked_mul(size))?;
    let bytes = count.checked_mul(container.element)?;
    container.base?.checked_add(bytes)
}

#[derive(Debug, Clone, Copy)]
struct Own {
    begin: u64,
    end: u64,
    number: usize,
    element: u64,
}

/// Ranges by address.
#[derive(Debug)]
pub(super) struct Ranges {
    sorted: Vec<Own>,
    /// The one that was found last.
    last: usize,
    /// By number, its place.
    places: Vec<usize>,
}

impl Ranges {
    pub(super) fn new(ranges: &[Container]) -> Result<Ranges, Error> {
        let own = |(number, range): (usize, &Container)| {
            let missing = || Error::Missing(format!("the address of {}", range.name));
            let (begin, end) = range.base.zip(end(range)).ok_or_else(missing)?;
            Ok(Own { begin, end, number, element: range.element.max(1) })
        };
        let mut sorted: Vec<Own> =
            ranges.iter().enumerate().map(own).collect::<Result<_, Error>>()?;
        sorted.retain(|own| own.end > own.begin);
        sorted.sort_unstable_by_key(|own| (own.begin, own.number));
        for pair in sorted.windows(2) {
            if pair[1].begin < pair[0].end {
                let [first, second] = [pair[0], pair[1]].map(|own| ranges[own.number].name.clone());
                return Err(Error::Overlap { first, second });
            }
        }
        let mut places = vec![usize::MAX; ranges.len()];
        for (place, own) in sorted.iter().enumerate() {
            places[own.number] = place;
        }
        Ok(Ranges { sorted, last: 0, places })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The range that holds an address.
    pub(super) fn of(&mut self, address: u64) -> Option<usize> {
        let holds = |own: &Own| own.begin <= address && address < own.end;
        if let Some(own) = self.sorted.get(self.last).filter(|own| holds(own)) {
            return Some(own.number);
        }
        let next = self.sorted.partition_point(|own| own.begin <= address);
        let place = next.checked_sub(1)?;
        let own = self.sorted[place];
        holds(&own).then(|| {
            self.last = place;
            own.number
        })
    }

    /// How many ranges begin at an address or before.
    pub(super) fn slot(&self, address: u64) -> usize {
        self.sorted.partition_point(|own| own.begin <= address)
    }

    /// What is free behind as many ranges: from the end of the last of them to the next.
    pub(super) fn free_around(&self, slot: usize) -> [u64; 2] {
        let before = slot.checked_sub(1).map_or(0, |last| self.sorted[last].end);
        [before, self.sorted.get(slot).map_or(u64::MAX, |next| next.begin)]
    }

    /// The first and the last element of a range that have bytes between two addresses.
    pub(super) fn elements(&self, range: usize, first: u64, last: u64) -> Option<[u64; 2]> {
        let own = self.sorted[self.places[range]];
        let (first, last) = (first.max(own.begin), last.min(own.end - 1));
        (first <= last).then(|| [first, last].map(|at| (at - own.begin) / own.element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let Range(own) = "a.b=0x40:8:3x5".parse().expect("it is one");
        assert_eq!((&*own.name, own.base, own.element), ("a.b", Some(64), 8));
        assert_eq!((own.shape, own.strides), (vec![3, 5], vec![5, 1]));
        let Range(one) = "n=64:4".parse().expect("it is one");
        assert_eq!(one.shape, [] as [u64; 0]);
        for bad in ["a", "=1:8:2", "a=x:8:2", "a=1:0:2", "a=1:8:2x", "a=1:8:0", "a=1:8:2:3", "a=1"]
        {
            assert!(bad.parse::<Range>().is_err(), "{bad}");
        }
        for bad in ["a=0xffffffffffffffff:8:2", "a=0:8:4294967296x4294967296"] {
            assert!(bad.parse::<Range>().is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_are_in_one_range_or_elsewhere() {
        let of = |text: &str| text.parse::<Range>().expect("it is one").0;
        let mut ranges = Ranges::new(&[of("b=100:4:5"), of("a=40:8:2x3")]).expect("they fit");
        let found: Vec<Option<usize>> =
            [39, 40, 87, 88, 99, 100, 119, 120].map(|at| ranges.of(at)).into();
        let expected = [None, Some(1), Some(1), None, None, Some(0), Some(0), None];
        assert_eq!(found, expected);
        assert_eq!(ranges.elements(1, 47, 48), Some([0, 1]));
        assert_eq!(ranges.elements(0, 116, 200), Some([4, 4]));
        assert_eq!(ranges.elements(0, 120, 200), None);
        let overlap = Ranges::new(&[of("a=40:8:2"), of("b=55:1")]);
        assert!(matches!(overlap, Err(Error::Overlap { .. })));
    }
}
