//! Statements as conditions on time: each of their iterations is a point in the dimensions of the
//! schedule.

use crate::isl;
use crate::system::{Row, Solver, Stop};
use crate::{Access, Scop};

use super::values::{Failed, MOST, Values};

/// A statement, where it is one set of conditions.
pub(super) struct Piece {
    pub(super) statement: usize,
    /// Sums over time that are 0 or more.
    pub(super) rows: Vec<Row>,
    /// By dimension of time, the number that it always is.
    pub(super) fixed: Vec<Option<i128>>,
    /// By dimension of time, its least and its largest number.
    pub(super) ranges: Vec<[i128; 2]>,
    pub(super) accesses: Vec<Touched>,
}

/// An access of a piece.
pub(super) struct Touched {
    /// Its number in the statement.
    pub(super) access: u32,
    pub(super) array: u32,
    pub(super) is_write: bool,
    /// By dimension of the array.
    pub(super) indices: Vec<Row>,
    /// What must hold besides.
    pub(super) rows: Vec<Row>,
}

impl Piece {
    /// How many dimensions time has.
    pub(super) fn times(&self) -> usize {
        self.fixed.len()
    }
}

/// Conditions and sums over iterators, in columns.
struct Bound<'a> {
    values: &'a Values<'a>,
    solver: &'a Solver,
}

impl Bound<'_> {
    /// Conditions of a piece at the parameters.
    fn conditions(&self, piece: &isl::Piece, parameters: &[String]) -> Result<Vec<Row>, Failed> {
        let names = &piece.input.free;
        let row = |condition| self.values.row(condition, names, parameters);
        piece.conditions.iter().map(row).collect()
    }

    fn output(&self, piece: &isl::Piece, parameters: &[String]) -> Result<Vec<Row>, Failed> {
        let entries = piece.output.iter().flat_map(|tuple| &tuple.entries);
        entries.map(|entry| self.values.row(entry, &piece.input.free, parameters)).collect()
    }

    /// Refuses pieces that share something: it would be done twice.
    fn check_apart(&self, pieces: &[Vec<Row>], what: &str) -> Result<(), Failed> {
        for (place, one) in pieces.iter().enumerate() {
            for other in &pieces[..place] {
                let both: Vec<Row> = one.iter().chain(other).cloned().collect();
                if !self.solver.is_empty(&both)? {
                    return Err(Failed::Left(format!("{what} has pieces that may overlap")));
                }
            }
        }
        Ok(())
    }
}

/// The pieces of a statement that are done at all.
pub(super) fn pieces(
    scop: &Scop,
    number: usize,
    values: &Values<'_>,
    solver: &Solver,
    left_out: &mut Vec<(String, String)>,
) -> Result<Vec<Piece>, Failed> {
    let statement = &scop.statements[number];
    let left = |what: &str| {
        let what = what.to_owned();
        move |why: &String| Failed::Left(format!("its {what}: {why}"))
    };
    let domain = statement.domain.as_ref().map_err(left("domain"))?;
    let schedule = statement.schedule.as_ref().map_err(left("schedule"))?;
    let bound = Bound { values, solver };
    let mut all = vec![];
    for own in &domain.pieces {
        let dimensions = own.input.free.len();
        let rows = bound.conditions(own, &domain.parameters)?;
        for timed in &schedule.pieces {
            if timed.input.free.len() != dimensions || timed.input.name != own.input.name {
                return Err(Failed::Left("its schedule is of other iterations".to_owned()));
            }
            let more = bound.conditions(timed, &schedule.parameters)?;
            let rows: Vec<Row> = rows.iter().cloned().chain(more).collect();
            let is_true = |row: &Row| row.last().is_none() && row.constant >= 0;
            let rows: Vec<Row> = rows.into_iter().filter(|row| !is_true(row)).collect();
            if !solver.is_empty(&rows)? {
                all.push((rows, bound.output(timed, &schedule.parameters)?, dimensions));
            }
        }
    }
    let rows: Vec<Vec<Row>> = all.iter().map(|(rows, ..)| rows.clone()).collect();
    bound.check_apart(&rows, "its domain")?;
    let mut pieces = vec![];
    for (rows, times, dimensions) in all {
        let (fixed, iterators, mut timed) = inverse(&times, &rows, dimensions, solver)?;
        for row in &rows {
            timed.push(substituted(row, &iterators, times.len())?);
        }
        let Some(rows) = solver.simplified(&timed)? else { continue };
        let Some(ranges) = ranges(&rows, &fixed, solver)? else { continue };
        let mut accesses = vec![];
        for (place, access) in statement.accesses.iter().enumerate() {
            let Some(array) = access.array else { continue };
            match touched(&bound, access, &iterators, &rows, times.len()) {
                Ok(own) => accesses.extend(own.into_iter().map(|(indices, rows)| Touched {
                    access: place as u32,
                    array,
                    is_write: access.is_write,
                    indices,
                    rows,
                })),
                Err(Failed::Left(why)) => {
                    let way = if access.is_write { "writes" } else { "reads" };
                    let name = &scop.arrays[array as usize].name;
                    let entry = (format!("{} {way} {name}", statement.name), why);
                    if !left_out.contains(&entry) {
                        left_out.push(entry);
                    }
                }
                Err(other) => return Err(other),
            }
        }
        pieces.push(Piece { statement: number, rows, fixed, ranges, accesses });
    }
    Ok(pieces)
}

/// From where to where time goes; nothing if it is nowhere.
fn ranges(
    rows: &[Row],
    fixed: &[Option<i128>],
    solver: &Solver,
) -> Result<Option<Vec<[i128; 2]>>, Failed> {
    let mut ranges = vec![];
    for (time, fixed) in fixed.iter().enumerate() {
        let range = match fixed {
            Some(number) => [*number; 2],
            None => match solver.range(rows, time)? {
                None => return Ok(None),
                Some([Some(low), Some(high)]) => [low, high],
                Some(_) => return Err(Failed::Left("a loop around it has no end".to_owned())),
            },
        };
        if range.iter().any(|end| end.abs() > MOST) {
            return Err(Failed::Stop(Stop::Large));
        }
        ranges.push(range);
    }
    Ok(Some(ranges))
}

/// What an access touches, and on which conditions.
fn touched(
    bound: &Bound<'_>,
    access: &Access,
    iterators: &[Row],
    rows: &[Row],
    times: usize,
) -> Result<Vec<(Vec<Row>, Vec<Row>)>, Failed> {
    let relation = access.relation.as_ref().map_err(|why| Failed::Left(why.clone()))?;
    let mut all = vec![];
    for piece in &relation.pieces {
        if piece.output.as_ref().is_some_and(|tuple| !tuple.free.is_empty()) {
            let why = "it touches several elements, or one that is not a sum of iterators";
            return Err(Failed::Left(why.to_owned()));
        }
        if piece.input.free.len() != iterators.len() {
            return Err(Failed::Left("it is of other iterations".to_owned()));
        }
        let own = bound.conditions(piece, &relation.parameters)?;
        let mut more = vec![];
        for row in own {
            let row = substituted(&row, iterators, times)?;
            if !bound.solver.implies(rows, &row)? {
                more.push(row);
            }
        }
        let whole: Vec<Row> = rows.iter().chain(&more).cloned().collect();
        if bound.solver.is_empty(&whole)? {
            continue;
        }
        let mut indices = vec![];
        for index in bound.output(piece, &relation.parameters)? {
            indices.push(substituted(&index, iterators, times)?);
        }
        all.push((indices, more));
    }
    let conditions: Vec<Vec<Row>> =
        all.iter().map(|(_, more)| rows.iter().chain(more).cloned().collect()).collect();
    bound.check_apart(&conditions, "it")?;
    Ok(all)
}

/// Numbers of dimensions of time that are such, iterators as sums over time, and what holds of time.
type Inverse = (Vec<Option<i128>>, Vec<Row>, Vec<Row>);

/// Solves a schedule for its iterators, each of which must be the only new one of some dimension, or
/// have one value alone.
fn inverse(
    times: &[Row],
    domain: &[Row],
    dimensions: usize,
    solver: &Solver,
) -> Result<Inverse, Failed> {
    let fixed = times.iter().map(|row| row.last().is_none().then_some(row.constant)).collect();
    let mut iterators: Vec<Option<Row>> = vec![None; dimensions];
    let mut used = vec![false; times.len()];
    loop {
        let mut is_further = false;
        for (time, row) in times.iter().enumerate().filter(|(_, row)| row.last().is_some()) {
            let new = |at: &usize| row.factors[*at] != 0 && iterators[*at].is_none();
            let mut new = (0..dimensions).filter(new);
            let (Some(one), None) = (new.next(), new.next()) else { continue };
            let factor = row.factors[one];
            if used[time] || factor.abs() != 1 {
                continue;
            }
            // factor * iterator = time - all others.
            let mut rest = row.clone();
            rest.factors[one] = 0;
            let rest = known(&rest, &iterators, times.len())?;
            let own = Row::column(times.len(), time).minus(&rest)?;
            iterators[one] = Some(if factor < 0 { own.negated()? } else { own });
            used[time] = true;
            is_further = true;
        }
        if is_further {
            continue;
        }
        for one in (0..dimensions).filter(|_| !domain.is_empty()) {
            if iterators[one].is_none()
                && let Some([Some(low), Some(high)]) = solver.range(domain, one)?
                && low == high
            {
                iterators[one] = Some(Row::constant(times.len(), low));
                is_further = true;
            }
        }
        if !is_further {
            break;
        }
    }
    let solved: Option<Vec<Row>> = iterators.iter().cloned().collect();
    let Some(solved) = solved else {
        let why = "its schedule does not tell its iterations apart by sums of them";
        return Err(Failed::Left(why.to_owned()));
    };
    let mut rows = vec![];
    for (time, row) in times.iter().enumerate() {
        if row.last().is_some() && !used[time] {
            let same =
                Row::column(times.len(), time).minus(&known(row, &iterators, times.len())?)?;
            rows.push(same.negated()?);
            rows.push(same);
        }
    }
    Ok((fixed, solved, rows))
}

fn known(row: &Row, iterators: &[Option<Row>], times: usize) -> Result<Row, Failed> {
    let mut sum = Row::constant(times, row.constant);
    for (factor, iterator) in row.factors.iter().zip(iterators) {
        if let Some(iterator) = iterator.as_ref().filter(|_| *factor != 0) {
            sum = sum.plus(iterator, *factor)?;
        }
    }
    Ok(sum)
}

/// A sum over iterators as one over time.
fn substituted(row: &Row, iterators: &[Row], times: usize) -> Result<Row, Failed> {
    let mut sum = Row::constant(times, row.constant);
    for (factor, iterator) in row.factors.iter().zip(iterators) {
        sum = sum.plus(iterator, *factor)?;
    }
    Ok(sum)
}
