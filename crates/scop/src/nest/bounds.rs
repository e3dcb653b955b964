//! Where loops begin and end.

use crate::system::{Row, Solver, Stop};

use super::pieces::Piece;

/// Bounds of a piece by dimension of time: sums over the dimensions before.
pub(super) type Bounds = Vec<Bound>;

/// What a number is at least and at most.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    pub(super) least: Vec<Row>,
    pub(super) most: Vec<Row>,
}

/// The bounds of a piece; those that are not sums with whole factors are not part of them.
pub(super) fn bounds(piece: &Piece, solver: &Solver) -> Result<Bounds, Stop> {
    let mut bounds = vec![Bound::default(); piece.times()];
    let mut rows = piece.rows.clone();
    for time in (0..piece.times()).rev() {
        if let Some(number) = piece.fixed[time] {
            let number = Row::constant(piece.times(), number);
            bounds[time] = Bound { least: vec![number.clone()], most: vec![number] };
            continue;
        }
        for row in rows.iter().filter(|row| row.last() == Some(time)) {
            bounds[time].add(row, time)?;
        }
        rows = solver.without(&rows, time)?.unwrap_or_default();
    }
    Ok(bounds)
}

impl Bound {
    fn add(&mut self, row: &Row, time: usize) -> Result<(), Stop> {
        let mut rest = row.clone();
        rest.factors[time] = 0;
        match row.factors[time] {
            1 => self.least.push(rest.negated()?),
            -1 => self.most.push(rest),
            _ => {}
        }
        Ok(())
    }

    /// Whether a loop with these bounds does nothing for which a row does not hold.
    pub(super) fn covers(&self, row: &Row, time: usize) -> Result<bool, Stop> {
        let mut own = Bound::default();
        own.add(row, time)?;
        let is_tight = |one: &Row, other: &Row, sign: i128| {
            one.factors == other.factors && one.constant * sign >= other.constant * sign
        };
        let least = own.least.iter().any(|row| self.least.iter().any(|one| is_tight(one, row, 1)));
        let most = own.most.iter().any(|row| self.most.iter().any(|one| is_tight(one, row, -1)));
        Ok(least || most)
    }

    /// Bounds that leave out nothing that one of some pieces does.
    pub(super) fn around(of: &[(&Bound, [i128; 2])], times: usize) -> Bound {
        let least: Vec<&[Row]> = of.iter().map(|(bound, _)| &*bound.least).collect();
        let most: Vec<&[Row]> = of.iter().map(|(bound, _)| &*bound.most).collect();
        let low = of.iter().map(|(_, range)| range[0]).min().unwrap_or(0);
        let high = of.iter().map(|(_, range)| range[1]).max().unwrap_or(-1);
        Bound {
            least: loosest(&least, i128::min, Row::constant(times, low)),
            most: loosest(&most, i128::max, Row::constant(times, high)),
        }
    }
}

/// Bounds that all have, as loose as the loosest; a number where there is none.
fn loosest(of: &[&[Row]], looser: fn(i128, i128) -> i128, number: Row) -> Vec<Row> {
    let Some((first, others)) = of.split_first() else { return vec![number] };
    let mut bounds = vec![];
    for row in *first {
        let same = |others: &&[Row]| {
            others.iter().find(|other| other.factors == row.factors).map(|other| other.constant)
        };
        let constants: Option<Vec<i128>> = others.iter().map(same).collect();
        if let Some(constants) = constants {
            let constant = constants.into_iter().fold(row.constant, looser);
            bounds.push(Row { factors: row.factors.clone(), constant });
        }
    }
    if bounds.is_empty() {
        bounds.push(number);
    }
    bounds
}
