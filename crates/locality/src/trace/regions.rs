//! Containers of recorded accesses: those that have names, and regions of memory around everything else.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::ranges::Ranges;
use super::{Access, Recording};
use crate::{Container, Error};

/// Regions are made wider where there would be more.
const MANY: usize = 32;

/// Elements of a region are made larger where there would be more.
pub(super) const MOST_ELEMENTS: u64 = 1 << 22;

/// Bytes that nothing accesses part two regions, if there are so many; a power of two.
const LEAST_GAP: u64 = 4096;

/// A region begins at a multiple of so many bytes, as lines of most machines do, and its rows have no fewer.
const ROW: u64 = 64;

/// Sizes of accesses that elements may have: 1, 2, 4 and so on.
const SIZES: usize = 7;

/// What recorded accesses touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    /// Those with names first, each by address; each access begins in one of them.
    pub containers: Vec<Container>,
    /// How many of them are regions without a name.
    pub unnamed: usize,
    /// Two regions have at least so many bytes between them that nothing accesses.
    pub gap: u64,
    /// Names of ranges that nothing accesses; they are not among the containers.
    pub untouched: Vec<String>,
}

/// What is accessed without a gap.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// How many ranges begin before it.
    slot: usize,
    begin: u64,
    end: u64,
}

impl Regions {
    /// Finds them in a recording. Ranges are containers with a base, none of which overlap.
    pub fn new(recording: &Recording, ranges: &[Container]) -> Result<Regions, Error> {
        let mut known = Ranges::new(ranges)?;
        let mut is_touched = vec![false; ranges.len()];
        let pages = outside(recording, &mut known, &mut is_touched);
        let (extents, gap) = joined(&pages);
        let elements = elements(recording, &extents)?;
        let named = |is_it: bool| {
            let its = ranges.iter().zip(&is_touched).filter(move |(_, touched)| **touched == is_it);
            its.map(|(range, _)| range)
        };
        let mut containers: Vec<Container> = named(true).cloned().collect();
        let mut before = 0;
        for (place, (extent, element)) in extents.iter().zip(elements).enumerate() {
            let free = known.free_around(extent.slot);
            let next = extents.get(place + 1).map_or(u64::MAX, |next| next.begin / ROW * ROW);
            let room = [free[0].max(before), free[1].min(next.max(extent.end))];
            let own = region(*extent, element, room);
            before = extent.end;
            containers.push(own);
        }
        let named_count = containers.len() - extents.len();
        containers[..named_count].sort_by_key(|own| own.base);
        let untouched = named(false).map(|range| range.name.clone()).collect();
        Ok(Regions { containers, unnamed: extents.len(), gap, untouched })
    }
}

/// What accesses outside of ranges touch, page by page.
fn outside(recording: &Recording, known: &mut Ranges, is_touched: &mut [bool]) -> Vec<Extent> {
    let mut pages: FxHashMap<(usize, u64), [u64; 2]> = FxHashMap::default();
    for access in recording.accesses() {
        if let Some(range) = known.of(access.address) {
            is_touched[range] = true;
            continue;
        }
        let slot = known.slot(access.address);
        let end = access.end().min(known.free_around(slot)[1]);
        let page = pages.entry((slot, access.address / LEAST_GAP)).or_insert([u64::MAX, 0]);
        *page = [page[0].min(access.address), page[1].max(end)];
    }
    let sorted: BTreeMap<(usize, u64), [u64; 2]> = pages.into_iter().collect();
    sorted.into_iter().map(|((slot, _), [begin, end])| Extent { slot, begin, end }).collect()
}

/// Neighbours with less than a gap between them, and the least gap with which there are not too many.
fn joined(pages: &[Extent]) -> (Vec<Extent>, u64) {
    let mut gap = LEAST_GAP;
    let mut regions = join(pages, gap);
    while regions.len() > MANY && gap < 1 << 52 {
        gap *= 2;
        regions = join(&regions, gap);
    }
    (regions, gap)
}

fn join(extents: &[Extent], gap: u64) -> Vec<Extent> {
    let mut all: Vec<Extent> = vec![];
    for extent in extents {
        match all.last_mut() {
            Some(last)
                if last.slot == extent.slot && extent.begin < last.end.saturating_add(gap) =>
            {
                last.end = last.end.max(extent.end);
            }
            _ => all.push(*extent),
        }
    }
    all
}

/// By region, as many bytes as most of its accesses have: a power of two, the smaller of two that are as many.
fn elements(recording: &Recording, extents: &[Extent]) -> Result<Vec<u64>, Error> {
    let bytes = |one: &Extent| Container {
        base: Some(one.begin),
        ..Container::rows("", 1, &[one.end - one.begin])
    };
    let mut regions = Ranges::new(&extents.iter().map(bytes).collect::<Vec<_>>())?;
    let mut counts = vec![[0u64; SIZES]; extents.len()];
    for Access { address, bytes, .. } in recording.accesses() {
        let size = bytes.trailing_zeros() as usize;
        if bytes.is_power_of_two()
            && size < SIZES
            && let Some(own) = regions.of(address)
        {
            counts[own][size] += 1;
        }
    }
    let most = |own: &[u64; SIZES]| {
        let best = (0..SIZES).rev().max_by_key(|&size| own[size]).filter(|&size| own[size] > 0);
        1 << best.unwrap_or(0)
    };
    Ok(counts.iter().map(most).collect())
}

/// A region as a container: rows of powers of two, about as many as a row has elements.
fn region(extent: Extent, element: u64, [from, to]: [u64; 2]) -> Container {
    let Extent { begin, end, .. } = extent;
    let base = [ROW, element].map(|by| begin / by * by).into_iter().find(|base| *base >= from);
    let base = base.unwrap_or(begin);
    let mut element = element;
    while (end - base).div_ceil(element) > MOST_ELEMENTS {
        element *= 2;
    }
    let fits = |bytes: u64| base.checked_add(bytes).is_some_and(|last| last <= to);
    while element > 1 && !fits((end - base).next_multiple_of(element)) {
        element /= 2;
    }
    let count = (end - base).div_ceil(element);
    let least = (ROW / element).max(1);
    let mut columns = least;
    while count.div_ceil(columns) > 2 * columns {
        columns *= 2;
    }
    while columns >= least && !fits(count.next_multiple_of(columns) * element) {
        columns /= 2;
    }
    let shape = if columns < least || count <= columns {
        vec![count]
    } else {
        vec![count.div_ceil(columns), columns]
    };
    Container { base: Some(base), ..Container::rows(&format!("{base:#x}"), element, &shape) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn recorded(all: &[(u64, u32)]) -> Recording {
        let mut recording = Recording::default();
        for &(address, bytes) in all {
            let access = Access { address, bytes, is_write: false };
            recording.push(Line::Data(access)).expect("it fits");
        }
        recording
    }

    fn labelled(all: &[(u64, u32)], ranges: &[Container]) -> Vec<(String, u64, Vec<u64>)> {
        let found = Regions::new(&recorded(all), ranges).expect("nothing overlaps");
        let labelled = |own: Container| (own.name, own.element, own.shape);
        found.containers.into_iter().map(labelled).collect()
    }

    #[test]
    fn what_is_near_is_a_region_and_what_is_far_another() {
        let near = [(0x1008, 8), (0x1010, 4), (0x1018, 8), (0x1ff8, 8), (0x2ff7, 4)];
        // 4,095 bytes between two are not a gap, and 4,096 are one.
        let row = |rows| vec![rows, 32];
        let first = ("0x1000".to_owned(), 8, row(32));
        assert_eq!(labelled(&near, &[])[..], [first.clone()][..]);
        let far = [&near[..4], &[(0x3000, 4)][..]].concat();
        let second = ("0x3000".to_owned(), 4, vec![1]);
        assert_eq!(labelled(&far, &[]), [("0x1000".to_owned(), 8, vec![32, 16]), second]);
    }

    #[test]
    fn ranges_keep_what_is_theirs_and_part_what_is_around_them() {
        let range = Container { base: Some(0x1010), ..Container::rows("a", 4, &[5]) };
        let idle = Container { base: Some(0x9000), ..Container::rows("idle", 4, &[5]) };
        let all = [(0x1008, 16), (0x1010, 4), (0x1024, 8), (0x102c, 8)];
        let ranges = [idle, range];
        let found = Regions::new(&recorded(&all), &ranges).expect("nothing overlaps");
        assert_eq!(found.untouched, ["idle"]);
        assert_eq!(found.unnamed, 2);
        let own = |one: &Container| (one.name.clone(), one.base, one.element, one.shape.clone());
        let labelled: Vec<_> = found.containers.iter().map(own).collect();
        assert_eq!(
            labelled,
            [
                ("a".to_owned(), Some(0x1010), 4, vec![5]),
                ("0x1000".to_owned(), Some(0x1000), 16, vec![1]),
                ("0x1024".to_owned(), Some(0x1024), 8, vec![2]),
            ]
        );
    }

    #[test]
    fn many_regions_are_joined_and_large_ones_have_large_elements() {
        let all: Vec<(u64, u32)> = (0..100).map(|at| (at * 0x10_0000, 8)).collect();
        let found = Regions::new(&recorded(&all), &[]).expect("nothing overlaps");
        assert_eq!((found.containers.len(), found.gap), (1, 1 << 20));
        let own = &found.containers[0];
        let elements = own.shape.iter().product::<u64>();
        assert!(elements <= 2 * MOST_ELEMENTS, "{own:?}");
        assert!(own.element * elements >= 99 * 0x10_0000 + 8, "{own:?}");
    }
}
