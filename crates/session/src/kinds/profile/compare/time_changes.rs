//! A metric of both sides of a comparison by stretches of time.

use analysis::{Filtered, HeatGrid, Side, heat, recorded_time};
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::convert;
use crate::kinds::profile::trees::views::filtered_by;
use crate::{Compared, ViewOptions};

/// How much of a metric was in a stretch of time, on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StretchChange {
    /// Begin and end in nanoseconds; the end is not a part of it but of the last one.
    pub times: [i64; 2],
    /// In whole units of the metric, which add up to what all stretches have: base and new side.
    pub values: [i64; 2],
}

/// A metric by stretches of time.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchChanges {
    /// One behind the other, of one length.
    pub rows: Vec<StretchChange>,
    /// What has no time: base and new side.
    pub untimed: [f64; 2],
}

/// Most stretches.
const MOST_STRETCHES: usize = 1_000_000;

impl Compared {
    /// A metric of both by `stretches` stretches of the time that both recordings have together.
    ///
    /// # Errors
    /// If nothing has a time, the metric does not add up, or a filter cannot be understood.
    pub fn stretch_changes(
        &self,
        options: &ViewOptions,
        stretches: usize,
    ) -> Result<StretchChanges, ProtocolError> {
        let filtered = filtered_by(&self.document, options).map_err(convert::filter_error)?;
        let stretches = stretches.clamp(1, MOST_STRETCHES);
        let nothing = StretchChanges { rows: vec![], untimed: [0.0; 2] };
        let recorded = recorded_time(filtered.profile()).ok_or_else(|| {
            let message = format!("{} has no timestamps", self.document.title());
            ProtocolError::new(ErrorCode::BadRequest, message)
        })?;
        let Some((grid, last)) = grid_of(&filtered, recorded, stretches) else {
            return Ok(nothing);
        };
        let of = |side: Side| {
            let metric = self.side(options.metric, side);
            heat(&filtered, metric, grid).ok_or_else(|| {
                let name = &self.metrics[options.metric.index()].name;
                let message = format!("values of {name} do not add up over time");
                ProtocolError::new(ErrorCode::BadRequest, message)
                    .with_hint("Choose a measured metric that is a sum, by --metric.")
            })
        };
        let [base, new] = [of(Side::Base)?, of(Side::New)?];
        let edge = |cell: usize| {
            let behind = grid.cell.saturating_mul(i64::try_from(cell).unwrap_or(i64::MAX));
            grid.begin.saturating_add(behind)
        };
        let [base_values, new_values] = [&base.values, &new.values].map(|all| whole_parts(all));
        let values = base_values.into_iter().zip(new_values).enumerate();
        let row = |(cell, (base, new))| StretchChange {
            times: [edge(cell), edge(cell + 1).min(last)],
            values: [base, new],
        };
        let untimed = [base.untimed, new.untimed];
        Ok(StretchChanges { rows: values.map(row).collect(), untimed })
    }
}

/// Values in whole units, rounded so that any of them behind each other add up to their sum.
fn whole_parts(values: &[f64]) -> Vec<i64> {
    let (mut sum, mut told) = (0.0, 0i64);
    let part = |value: &f64| {
        sum += value;
        let up_to = sum.round() as i64;
        let own = up_to.saturating_sub(told);
        told = up_to;
        own
    };
    values.iter().map(part).collect()
}

/// So many stretches over all the time that counts, with its end; the last holds the very last instant, too.
/// Nothing where nothing counts.
fn grid_of(
    filtered: &Filtered,
    [first, last]: [i64; 2],
    stretches: usize,
) -> Option<(HeatGrid, i64)> {
    let window = filtered.window().map(|window| window.on_any(filtered.profile()));
    let inside: Vec<[i64; 2]> = match &window {
        Some(window) => window.between(first, last.saturating_add(1)).collect(),
        None => vec![[first, last.saturating_add(1)]],
    };
    let (begin, end) = (inside.first()?[0], inside.last()?[1]);
    let length = (i128::from(end) - i128::from(begin)).max(1);
    let cells = stretches as i128;
    let cell = i64::try_from(rounded_up((length + cells - 1) / cells)).unwrap_or(i64::MAX);
    // No stretch begins behind the end.
    let cells = ((length + i128::from(cell) - 1) / i128::from(cell)) as usize;
    Some((HeatGrid { begin, cell, cells }, end.min(last).max(begin)))
}

/// The next number of two digits and zeros: lengths that people can read.
fn rounded_up(number: i128) -> i128 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    (number + unit - 1) / unit * unit
}
