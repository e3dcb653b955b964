//! What happens at elements, where accesses are too many to be told one by one.

use locality::{AtElement, elements};
use protocol::*;

use super::part::{Source, not_simulated};
use super::run::goes_on;
use crate::Call;

/// No more cells are told at once.
const MOST_CELLS: u32 = 1 << 20;

/// The answer to [`protocol::AccessesRequest::AccessesElements`].
pub(super) fn told(
    source: &Source,
    params: &AccessesElementsParams,
    call: &dyn Call,
) -> Result<Reply<AccessesElementsResult, AccessesElementsColumns>, ProtocolError> {
    let (own, space) = source.accesses(&params.program)?;
    let nest = &own.program.nest;
    let count = nest.accesses();
    let lines = params.lines.max(1.0) as u64;
    let goes_on = |done: u128| goes_on(call, done, count);
    let all = elements(nest, &space, params.container, lines, &goes_on).map_err(not_simulated)?;
    let from = (params.from.max(0.0) as usize).min(all.len());
    let cells = params.cells.clamp(1, MOST_CELLS) as usize;
    let each = (all.len() - from).div_ceil(cells).max(1);
    let mut columns = AccessesElementsColumns::default();
    for cell in all[from..].chunks(each) {
        push(&mut columns, cell);
    }
    let result = AccessesElementsResult {
        each: each as f64,
        elements: all.len() as f64,
        touched: all.iter().filter(|one| one.accesses > 0).count() as f64,
    };
    Ok(Reply { result, columns })
}

fn push(columns: &mut AccessesElementsColumns, cell: &[AtElement]) {
    let sum = |pick: fn(&AtElement) -> u64| cell.iter().map(pick).sum::<u64>() as f64;
    columns.accesses.push(sum(|one| one.accesses));
    columns.cold.push(sum(|one| one.cold));
    columns.capacity.push(sum(|one| one.capacity));
    let distances = || cell.iter().filter_map(|one| one.distances);
    let told = |value: Option<u64>| value.map_or(-1.0, |value| value as f64);
    columns.minimum.push(told(distances().map(|all| all[0]).min()));
    columns.median.push(told(distances().map(|all| all[1]).max()));
    columns.maximum.push(told(distances().map(|all| all[2]).max()));
}
