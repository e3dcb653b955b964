//! Sums over columns that are 0 or more, and what follows from all of them: columns are eliminated by
//! adding up each lower and each upper bound (Fourier and Motzkin), rounded to whole numbers.

use std::cell::Cell;
use std::collections::BTreeMap;

/// More are not told apart.
const MOST_ROWS: usize = 256;

/// Sums that may be built for one nest.
const MOST_WORK: u64 = 1 << 21;

/// Points that are tried to find one.
const MOST_POINTS: u32 = 256;

/// Ends that are tried to find one that is reached.
const MOST_TRIES: u32 = 32;

/// A constant and a factor by column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) factors: Vec<i128>,
    pub(crate) constant: i128,
}

/// Why nothing follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Numbers are too large.
    Large,
    /// There are too many rows.
    Many,
}

/// What is left of rows; none if they contradict each other.
pub(crate) type Left = Option<Vec<Row>>;

/// The least and the largest value, where there is one.
pub(crate) type Range = [Option<i128>; 2];

/// From where to where a sum goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) low: i128,
    pub(crate) high: i128,
    /// Whether both are reached; otherwise nothing is known to be beyond them, that is all.
    pub(crate) is_exact: bool,
}

impl Row {
    pub(crate) fn constant(columns: usize, constant: i128) -> Row {
        Row { factors: vec![0; columns], constant }
    }

    pub(crate) fn column(columns: usize, column: usize) -> Row {
        let mut row = Row::constant(columns, 0);
        row.factors[column] = 1;
        row
    }

    pub(crate) fn plus(&self, other: &Row, times: i128) -> Result<Row, Stop> {
        let add = |one: i128, other: i128| {
            let sum = other.checked_mul(times).and_then(|other| one.checked_add(other));
            // Far from the ends of numbers, so that what is done with them fits, too.
            sum.filter(|sum| sum.unsigned_abs() < 1 << 100).ok_or(Stop::Large)
        };
        let factors = self.factors.iter().zip(&other.factors).map(|(&one, &other)| add(one, other));
        Ok(Row {
            factors: factors.collect::<Result<_, _>>()?,
            constant: add(self.constant, other.constant)?,
        })
    }

    pub(crate) fn minus(&self, other: &Row) -> Result<Row, Stop> {
        self.plus(other, -1)
    }

    pub(crate) fn negated(&self) -> Result<Row, Stop> {
        Row::constant(self.factors.len(), 0).plus(self, -1)
    }

    /// One less.
    pub(crate) fn less(mut self) -> Row {
        self.constant -= 1;
        self
    }

    /// The last column that counts.
    pub(crate) fn last(&self) -> Option<usize> {
        self.factors.iter().rposition(|factor| *factor != 0)
    }

    /// Factors have no common divisor, which whole numbers do not notice.
    fn rounded(mut self) -> Row {
        let divisor = self.factors.iter().fold(0u128, |all, one| gcd(all, one.unsigned_abs()));
        if divisor > 1 {
            let divisor = divisor as i128;
            self.factors.iter_mut().for_each(|factor| *factor /= divisor);
            self.constant = self.constant.div_euclid(divisor);
        }
        self
    }
}

fn gcd(one: u128, other: u128) -> u128 {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Works out what follows from rows, as long as it is worth it.
pub(crate) struct Solver {
    left: Cell<u64>,
}

impl Solver {
    pub(crate) fn new() -> Solver {
        Solver { left: Cell::new(MOST_WORK) }
    }

    /// Each direction once, with its tightest constant.
    pub(crate) fn simplified(&self, rows: &[Row]) -> Result<Left, Stop> {
        let left = self.left.get().checked_sub(rows.len() as u64 + 1).ok_or(Stop::Many)?;
        self.left.set(left);
        let mut tightest: BTreeMap<Vec<i128>, i128> = BTreeMap::new();
        for row in rows {
            let Row { factors, constant } = row.clone().rounded();
            if factors.iter().all(|factor| *factor == 0) {
                if constant < 0 {
                    return Ok(None);
                }
                continue;
            }
            let own = tightest.entry(factors).or_insert(constant);
            *own = constant.min(*own);
        }
        if tightest.len() > MOST_ROWS {
            return Err(Stop::Many);
        }
        let row = |(factors, constant)| Row { factors, constant };
        Ok(Some(tightest.into_iter().map(row).collect()))
    }

    /// What follows without a column.
    pub(crate) fn without(&self, rows: &[Row], column: usize) -> Result<Left, Stop> {
        let of = |sign: i128| rows.iter().filter(move |row| row.factors[column].signum() == sign);
        let mut left: Vec<Row> = of(0).cloned().collect();
        for lower in of(1) {
            for upper in of(-1) {
                let (above, below) = (lower.factors[column], -upper.factors[column]);
                let zero = Row::constant(lower.factors.len(), 0);
                left.push(zero.plus(lower, below)?.plus(upper, above)?);
                if left.len() > MOST_ROWS * MOST_ROWS / 4 {
                    return Err(Stop::Many);
                }
            }
        }
        self.simplified(&left)
    }

    /// Whether nothing fulfils rows; what is not known to be so may still be.
    pub(crate) fn is_empty(&self, rows: &[Row]) -> Result<bool, Stop> {
        let Some(mut left) = self.simplified(rows)? else { return Ok(true) };
        let columns = rows.first().map_or(0, |row| row.factors.len());
        for column in 0..columns {
            match self.without(&left, column)? {
                Some(next) => left = next,
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Whether rows imply that another is 0 or more; what is not known to be so may still be.
    pub(crate) fn implies(&self, rows: &[Row], row: &Row) -> Result<bool, Stop> {
        let mut rows = rows.to_vec();
        rows.push(row.negated()?.less());
        self.is_empty(&rows)
    }

    /// What a column may be; none if nothing fulfils the rows.
    pub(crate) fn range(&self, rows: &[Row], column: usize) -> Result<Option<Range>, Stop> {
        let Some(mut left) = self.simplified(rows)? else { return Ok(None) };
        let columns = rows.first().map_or(0, |row| row.factors.len());
        for other in (0..columns).filter(|other| *other != column) {
            match self.without(&left, other)? {
                Some(next) => left = next,
                None => return Ok(None),
            }
        }
        let mut range = [None, None];
        for row in left {
            // It was rounded: the factor is 1 or -1.
            match row.factors.get(column) {
                Some(1) => range[0] = range[0].max(Some(-row.constant)),
                Some(-1) => {
                    range[1] =
                        Some(range[1].map_or(row.constant, |own: i128| own.min(row.constant)));
                }
                _ => {}
            }
        }
        match range {
            [Some(low), Some(high)] if low > high => Ok(None),
            range => Ok(Some(range)),
        }
    }

    /// From where to where a sum goes; none if nothing fulfils the rows, or there is no end.
    pub(crate) fn extent(&self, rows: &[Row], sum: &Row) -> Result<Option<Extent>, Stop> {
        let columns = sum.factors.len();
        let wide = |row: &Row, own: i128| {
            let mut row = row.clone();
            row.factors.push(own);
            row
        };
        let mut all: Vec<Row> = rows.iter().map(|row| wide(row, 0)).collect();
        all.push(wide(sum, -1));
        all.push(wide(&sum.negated()?, 1));
        let Some([Some(mut low), Some(mut high)]) = self.range(&all, columns)? else {
            return Ok(None);
        };
        // Bounds that follow may be reached by fractions alone.
        let reaches = |value: i128| {
            let own = sum.minus(&Row::constant(columns, value))?;
            let mut all = rows.to_vec();
            all.push(own.negated()?);
            all.push(own);
            let mut left = MOST_POINTS;
            self.has_point(all, 0, columns, &mut left)
        };
        let mut is_exact = true;
        for (end, by) in [(&mut low, 1), (&mut high, -1)] {
            let mut tries = MOST_TRIES;
            is_exact &= loop {
                match reaches(*end)? {
                    Some(true) => break true,
                    Some(false) if tries > 0 => *end += by,
                    _ => break false,
                }
                tries -= 1;
            };
        }
        Ok(Some(Extent { low, high, is_exact }))
    }

    /// Whether whole numbers fulfil rows; nothing if it takes too long to find out.
    fn has_point(
        &self,
        rows: Vec<Row>,
        column: usize,
        columns: usize,
        left: &mut u32,
    ) -> Result<Option<bool>, Stop> {
        let Some(rows) = self.simplified(&rows)? else { return Ok(Some(false)) };
        let Some(next) = (column..columns).find(|at| rows.iter().any(|row| row.factors[*at] != 0))
        else {
            return Ok(Some(true));
        };
        let (low, high) = match self.range(&rows, next)? {
            None => return Ok(Some(false)),
            Some([Some(low), Some(high)]) => (low, high),
            Some(_) => return Ok(None),
        };
        let mut value = low;
        while value <= high {
            let Some(less) = left.checked_sub(1) else { return Ok(None) };
            *left = less;
            let number = Row::constant(columns, value);
            let at = rows.iter().map(|row| {
                let mut own = row.clone();
                own.factors[next] = 0;
                own.plus(&number, row.factors[next])
            });
            match self.has_point(at.collect::<Result<_, _>>()?, next + 1, columns, left)? {
                Some(false) => value += 1,
                other => return Ok(other),
            }
        }
        Ok(Some(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(factors: &[i128], constant: i128) -> Row {
        Row { factors: factors.to_vec(), constant }
    }

    #[test]
    fn ranges_follow() {
        // 0 <= x < 10, x < y, 2 y <= 11.
        let rows = [row(&[1, 0], 0), row(&[-1, 0], 9), row(&[-1, 1], -1), row(&[0, -2], 11)];
        let solver = Solver::new();
        assert_eq!(solver.range(&rows, 0), Ok(Some([Some(0), Some(4)])));
        assert_eq!(solver.range(&rows, 1), Ok(Some([Some(1), Some(5)])));
        let extent = Extent { low: 4, high: 16, is_exact: true };
        assert_eq!(solver.extent(&rows, &row(&[-2, 3], 1)), Ok(Some(extent)));
        assert_eq!(solver.implies(&rows, &row(&[-1, 0], 4)), Ok(true));
        assert_eq!(solver.implies(&rows, &row(&[-1, 0], 3)), Ok(false));
        assert_eq!(solver.is_empty(&[row(&[2], -1), row(&[-2], 1)]), Ok(true), "2 x = 1");
    }

    #[test]
    fn reports_what_is_too_large() {
        let huge = row(&[1 << 99], 0);
        assert_eq!(huge.plus(&huge, 2), Err(Stop::Large));
    }
}
