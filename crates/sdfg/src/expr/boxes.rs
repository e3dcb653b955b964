//! How many elements boxes of indices have together.

use super::evaluate::{Unknown, Value};
use super::{Expr, Function, Number, TooLarge};

/// First, last and step of each dimension, and numbers of which one that is not above 0 says that there
/// is nothing in the box.
pub(crate) type Bounds = (Vec<[Expr; 3]>, Vec<Expr>);

/// How many indices are in at least one of some boxes of the same number of dimensions: an expression
/// that has a value once its symbols have theirs.
pub(crate) fn elements_of_boxes(boxes: Vec<Bounds>) -> Result<Expr, TooLarge> {
    let dimensions = boxes.first().map_or(0, |(spans, _)| spans.len());
    let mut arguments = vec![];
    for (spans, guards) in boxes {
        let least = match &guards[..] {
            [] => Expr::integer(1),
            _ => Expr::call(Function::Min, guards)?,
        };
        arguments.push(least);
        arguments.extend(spans.into_iter().flatten());
    }
    Expr::call(Function::Elements(dimensions as u32), arguments)
}

/// The value of [`Function::Elements`].
pub(super) fn count_elements(dimensions: usize, values: &[Value]) -> Result<Value, Unknown> {
    /// Cells between the ends of boxes.
    const MOST_CELLS: usize = 4_000_000;
    let number = |value: &Value| value.to_integer().ok_or(Unknown::NotANumber);
    let mut boxes: Vec<Vec<[i128; 3]>> = vec![];
    for one in values.chunks(1 + 3 * dimensions) {
        let mut spans = vec![];
        for span in one[1..].chunks(3) {
            let [first, last, step] = [number(&span[0])?, number(&span[1])?, number(&span[2])?];
            if step <= 0 {
                return Err(Unknown::NotANumber);
            }
            // The last one that is one of them.
            let last = first + (last - first).div_euclid(step) * step;
            spans.push([first, last, step]);
        }
        let is_empty = spans.iter().any(|[first, last, _]| last < first);
        if number(&one[0])? > 0 && !is_empty {
            boxes.push(spans);
        }
    }
    if boxes.is_empty() {
        return Ok(Value::Exact(Number::from_integer(0)));
    }
    // Where each dimension's boxes begin and end.
    let mut cuts: Vec<Vec<i128>> = vec![];
    let mut cells = 1usize;
    for dimension in 0..dimensions {
        let mut ends: Vec<i128> =
            boxes.iter().flat_map(|one| [one[dimension][0], one[dimension][1] + 1]).collect();
        // Boxes with gaps are cut at each index.
        if boxes.iter().any(|one| one[dimension][2] != 1) {
            let (low, high) = (ends.iter().min().copied(), ends.iter().max().copied());
            let (Some(low), Some(high)) = (low, high) else { continue };
            if high - low > MOST_CELLS as i128 {
                return Err(Unknown::TooLong);
            }
            ends.extend(low..high);
        }
        ends.sort_unstable();
        ends.dedup();
        cells = cells.checked_mul(ends.len()).ok_or(Unknown::TooLong)?;
        cuts.push(ends);
    }
    if cells.saturating_mul(boxes.len()) > MOST_CELLS {
        return Err(Unknown::TooLong);
    }
    let mut sum: i128 = 0;
    let mut at = vec![0usize; dimensions];
    'cells: loop {
        let mut size: i128 = 1;
        let mut is_cell = true;
        for (dimension, &place) in at.iter().enumerate() {
            match cuts[dimension].get(place + 1) {
                Some(next) => size = size.saturating_mul(next - cuts[dimension][place]),
                None => is_cell = false,
            }
        }
        let holds = |one: &Vec<[i128; 3]>| {
            one.iter().zip(&at).enumerate().all(|(dimension, ([first, last, step], &place))| {
                let index = cuts[dimension][place];
                (*first..=*last).contains(&index) && (index - first) % step == 0
            })
        };
        if is_cell && boxes.iter().any(holds) {
            sum = sum.checked_add(size).ok_or(Unknown::TooLarge)?;
        }
        for dimension in 0..dimensions {
            at[dimension] += 1;
            if at[dimension] + 1 < cuts[dimension].len() {
                continue 'cells;
            }
            at[dimension] = 0;
        }
        break;
    }
    Ok(Value::Exact(Number::from_integer(sum)))
}
