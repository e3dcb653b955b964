//! What happens at elements, where accesses are too many to be told one by one.

use locality::{AtElement, elements};
use protocol::*;

use super::part::{Source, not_simulated};
use super::run::goes_on;
use crate::Call;

/// No more cells are told at once.
const MOST_CELLS: usize = 1 << 20;

/// The answer to [`protocol::AccessesRequest::AccessesElements`].
pub(super) fn elements_result(
    source: &Source,
    params: &AccessesElementsParams,
    call: &dyn Call,
) -> Result<Reply<AccessesElementsResult, AccessesElementsColumns>, ProtocolError> {
    let lines = params.lines.max(1.0) as u64;
    let (all, shape) = match source {
        Source::Recorded(document) => document.elements(params, lines, call)?,
        _ => of_loops(source, params, lines, call)?,
    };
    let bins: Vec<u64> = match &params.bins[..] {
        [] => vec![1; shape.len()],
        bins => bins.iter().map(|&bin| u64::from(bin.max(1))).collect(),
    };
    if bins.len() != shape.len() {
        let message = format!("{} bins for {} dimensions", bins.len(), shape.len());
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let cells: Vec<u64> = shape.iter().zip(&bins).map(|(size, bin)| size.div_ceil(*bin)).collect();
    let count = cells.iter().product::<u64>() as usize;
    if count > MOST_CELLS {
        let message = format!("{count} cells: {MOST_CELLS} is the limit; choose larger bins");
        return Err(ProtocolError::new(ErrorCode::Limit, message));
    }
    let mut sums = vec![AtElement::default(); count];
    for (place, own) in all.iter().enumerate() {
        let mut rest = place as u64;
        let (mut cell, mut step) = (0, 1);
        for ((size, bin), cells) in shape.iter().zip(&bins).zip(&cells).rev() {
            cell += rest % size / bin * step;
            rest /= size;
            step *= cells;
        }
        add(&mut sums[cell as usize], own);
    }
    let result = AccessesElementsResult {
        cells: cells.iter().map(|&size| size as f64).collect(),
        elements: all.len() as f64,
        touched: all.iter().filter(|one| one.accesses > 0).count() as f64,
    };
    Ok(Reply { result, columns: columns(&sums) })
}

/// By element, and the shape of the container.
fn of_loops(
    source: &Source,
    params: &AccessesElementsParams,
    lines: u64,
    call: &dyn Call,
) -> Result<(Vec<AtElement>, Vec<u64>), ProtocolError> {
    let (own, space) = source.accesses(&params.program, 0)?;
    let nest = &own.program.nest;
    let count = nest.accesses();
    let goes_on = |done: u128| goes_on(call, done, count);
    let all = elements(nest, &space, params.container, lines, &goes_on).map_err(not_simulated)?;
    Ok((all, space.containers[params.container as usize].shape.clone()))
}

fn add(sum: &mut AtElement, own: &AtElement) {
    sum.accesses += own.accesses;
    sum.cold += own.cold;
    sum.capacity += own.capacity;
    sum.distances = match (sum.distances, own.distances) {
        (Some([least, median, most]), Some(own)) => {
            Some([least.min(own[0]), median.max(own[1]), most.max(own[2])])
        }
        (one, other) => one.or(other),
    };
}

fn columns(cells: &[AtElement]) -> AccessesElementsColumns {
    let elements_result =
        |pick: fn(&AtElement) -> u64| cells.iter().map(|cell| pick(cell) as f64).collect();
    let distance = |at: usize| {
        let elements_result = |cell: &AtElement| cell.distances.map_or(-1.0, |all| all[at] as f64);
        cells.iter().map(elements_result).collect()
    };
    AccessesElementsColumns {
        accesses: elements_result(|cell| cell.accesses),
        cold: elements_result(|cell| cell.cold),
        capacity: elements_result(|cell| cell.capacity),
        minimum: distance(0),
        median: distance(1),
        maximum: distance(2),
    }
}
