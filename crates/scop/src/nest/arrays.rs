//! How large arrays are.

use std::collections::{BTreeMap, BTreeSet};

use locality::Container;

use crate::isl::Sum;
use crate::system::{Extent, Solver};
use crate::{Array, NestError, Scop, Size};

use super::pieces::Piece;
use super::values::{MOST, Values};

/// Where elements of an array stand.
pub(super) struct Layout {
    pub(super) container: Container,
    /// The outermost index that stands first.
    pub(super) first: i128,
    pub(super) notes: Vec<String>,
}

/// The layouts of arrays that are accessed, by their numbers.
pub(super) fn layouts(
    scop: &Scop,
    pieces: &[Piece],
    values: &Values<'_>,
    solver: &Solver,
) -> Result<BTreeMap<u32, Layout>, NestError> {
    let mut loose: BTreeSet<u32> = BTreeSet::new();
    let mut extents: BTreeMap<u32, Vec<[i128; 2]>> = BTreeMap::new();
    for piece in pieces {
        for access in &piece.accesses {
            let name = &scop.arrays[access.array as usize].name;
            let rows: Vec<_> = piece.rows.iter().chain(&access.rows).cloned().collect();
            for (dimension, index) in access.indices.iter().enumerate() {
                let extent = solver.extent(&rows, index).map_err(|stop| stop.of(name))?;
                let Some(Extent { low, high, is_exact }) = extent else {
                    return Err(NestError::Complicated(name.clone()));
                };
                if !is_exact && dimension == 0 {
                    loose.insert(access.array);
                }
                if low.abs() > MOST || high.abs() > MOST {
                    return Err(NestError::Large(name.clone()));
                }
                let own = extents
                    .entry(access.array)
                    .or_insert_with(|| vec![[i128::MAX, i128::MIN]; access.indices.len()]);
                own[dimension] = [own[dimension][0].min(low), own[dimension][1].max(high)];
            }
        }
    }
    let layout = |(number, extents): (u32, Vec<[i128; 2]>)| {
        let array = &scop.arrays[number as usize];
        let mut layout = layout(array, &extents, values)?;
        if loose.contains(&number) {
            layout.notes.push(format!("{}: its indices may not go that far", array.name));
        }
        Ok((number, layout))
    };
    extents.into_iter().map(layout).collect()
}

fn layout(array: &Array, extents: &[[i128; 2]], values: &Values<'_>) -> Result<Layout, NestError> {
    let [low, high] = extents.first().copied().unwrap_or_default();
    let mut notes = vec![];
    let mut shape = vec![];
    let first = low.min(0);
    for (dimension, size) in array.sizes.iter().enumerate() {
        let size = match size {
            Size::Unknown if dimension == 0 => {
                let size = high - first + 1;
                notes.push(format!(
                    "{}: its outermost size is not in the file; {size} is taken, by the largest index \
                     that is accessed",
                    array.name
                ));
                size
            }
            Size::Unknown => unnamed(array, "*", values)?,
            Size::Other(text) => unnamed(array, text, values)?,
            Size::Sum { constant, terms } => {
                let mut size = Sum::constant(*constant);
                for (name, factor) in terms {
                    let value = unnamed(array, name, values)?;
                    let large = || NestError::Large(array.name.clone());
                    size = size.plus(&Sum::constant(value), *factor).ok_or_else(large)?;
                }
                size.constant
            }
        };
        if !(1..=MOST).contains(&size) {
            return Err(NestError::Size { array: array.name.clone(), size });
        }
        shape.push(size as u64);
    }
    if first < 0 {
        notes.push(format!(
            "{}: indices from {first} on are accessed, which is taken to be its first element",
            array.name
        ));
    }
    // Every address is told apart, also one that leaves the array.
    let mut bytes = i128::from(array.element);
    for (size, [low, high]) in shape.iter().zip(extents).rev() {
        let most = i128::from(*size).max(low.abs()).max(high.abs()) + 1;
        bytes = bytes.saturating_mul(most);
    }
    if bytes > MOST << 4 {
        return Err(NestError::Large(array.name.clone()));
    }
    let container = Container::rows(&array.name, array.element, &shape);
    Ok(Layout { container, first, notes })
}

/// A value that is known by its name alone.
fn unnamed(array: &Array, name: &str, values: &Values<'_>) -> Result<i128, NestError> {
    if values.at.contains_key(name) {
        return values.get(name);
    }
    Err(NestError::UnknownSize { array: array.name.clone(), name: name.to_owned() })
}
