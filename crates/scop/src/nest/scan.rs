//! Pieces in the order of time.
//!
//! A loop goes as far as any of what is in it does. Conditions that its bounds do not keep are asked
//! by loops within, which run once or not at all, as soon as all that they are about is known and
//! all that is in them has them.

use std::collections::BTreeMap;
use std::sync::Arc;

use locality::{Affine, Loop, MOST_ACCESSES, Reference, Step};

use crate::system::{Row, Solver, Stop};
use crate::{NestError, Scop};

use super::arrays::Layout;
use super::bounds::{Bound, Bounds, bounds};
use super::nested::{Nested, Origin};
use super::pieces::{Piece, Touched};
use super::values::MOST;

/// A piece, and conditions that nothing keeps yet.
#[derive(Clone)]
struct Member {
    piece: usize,
    open: Vec<Row>,
}

struct Scan<'a> {
    scop: &'a Scop,
    pieces: &'a [Piece],
    bounds: Vec<Bounds>,
    layouts: &'a BTreeMap<u32, Layout>,
    /// Containers by array.
    numbers: &'a BTreeMap<u32, u32>,
    done: &'a mut Nested,
    /// By dimension of time, the variable of its loop.
    variables: Vec<Option<u32>>,
    /// Iterations of the loops around.
    count: i128,
}

/// Appends loops around all pieces.
pub(super) fn scan(
    scop: &Scop,
    solver: &Solver,
    pieces: &[Piece],
    layouts: &BTreeMap<u32, Layout>,
    numbers: &BTreeMap<u32, u32>,
    done: &mut Nested,
) -> Result<(), NestError> {
    let name = |piece: &Piece| scop.statements[piece.statement].name.clone();
    let bounds: Result<Vec<Bounds>, NestError> = pieces
        .iter()
        .map(|piece| bounds(piece, solver).map_err(|stop| stop.of(&name(piece))))
        .collect();
    let times = pieces.first().map_or(0, Piece::times);
    let variables = vec![None; times];
    let bounds = bounds?;
    let mut scan = Scan { scop, pieces, bounds, layouts, numbers, done, variables, count: 1 };
    let members = (0..pieces.len()).map(|piece| Member { piece, open: vec![] }).collect();
    let mut body = vec![];
    scan.group(members, 0, &mut body)?;
    scan.done.nest.body = body;
    Ok(())
}

impl Scan<'_> {
    /// What is left to do from a dimension of time on.
    fn group(
        &mut self,
        mut members: Vec<Member>,
        time: usize,
        out: &mut Vec<Step>,
    ) -> Result<(), NestError> {
        let Some(first) = members.first() else { return Ok(()) };
        let common: Vec<Row> = first
            .open
            .iter()
            .filter(|row| members.iter().all(|member| member.open.contains(row)))
            .cloned()
            .collect();
        if common.is_empty() {
            return self.inside(members, time, out);
        }
        for member in &mut members {
            member.open.retain(|row| !common.contains(row));
        }
        let name = self.name(&members[0]);
        let mut body = vec![];
        self.inside(members, time, &mut body)?;
        out.push(self.guarded(&common, body, &name)?);
        Ok(())
    }

    fn inside(
        &mut self,
        members: Vec<Member>,
        time: usize,
        out: &mut Vec<Step>,
    ) -> Result<(), NestError> {
        if time == self.variables.len() {
            return match &members[..] {
                [one] if one.open.is_empty() => self.accesses(one.piece, out),
                _ => members.into_iter().try_for_each(|one| self.group(vec![one], time, out)),
            };
        }
        for cluster in self.clusters(members, time) {
            let first = self.range(&cluster[0], time);
            if cluster.iter().all(|one| self.pieces[one.piece].fixed[time] == Some(first[0])) {
                self.group(cluster, time + 1, out)?;
            } else {
                self.iterate(cluster, time, out)?;
            }
        }
        Ok(())
    }

    fn range(&self, member: &Member, time: usize) -> [i128; 2] {
        self.pieces[member.piece].ranges[time]
    }

    /// Members whose ranges meet, in the order of time.
    fn clusters(&self, mut members: Vec<Member>, time: usize) -> Vec<Vec<Member>> {
        members.sort_by_key(|member| self.range(member, time)[0]);
        let mut clusters: Vec<Vec<Member>> = vec![];
        let mut end = i128::MIN;
        for member in members {
            let [low, high] = self.range(&member, time);
            match clusters.last_mut().filter(|_| low <= end) {
                Some(cluster) => cluster.push(member),
                None => clusters.push(vec![member]),
            }
            end = end.max(high);
        }
        for cluster in &mut clusters {
            cluster.sort_by_key(|member| member.piece);
        }
        clusters
    }

    /// A loop around members.
    fn iterate(
        &mut self,
        mut members: Vec<Member>,
        time: usize,
        out: &mut Vec<Step>,
    ) -> Result<(), NestError> {
        let name = self.name(&members[0]);
        let of: Vec<(&Bound, [i128; 2])> = members
            .iter()
            .map(|one| (&self.bounds[one.piece][time], self.range(one, time)))
            .collect();
        let bound = Bound::around(&of, self.variables.len());
        let low = of.iter().map(|(_, range)| range[0]).min().unwrap_or(0);
        let high = of.iter().map(|(_, range)| range[1]).max().unwrap_or(0);
        let outer = self.count;
        self.count = self.count.saturating_mul(high - low + 1);
        if self.count > MOST_ACCESSES as i128 {
            let most = MOST_ACCESSES as i128;
            return Err(NestError::TooLong { name, count: self.count, most });
        }
        let stopped = |stop: Stop| stop.of(&name);
        let affine = |rows: &[Row], more: i64| {
            rows.iter().map(|row| self.affine(row, more)).collect::<Option<Vec<Affine>>>()
        };
        let large = || NestError::Large(name.clone());
        let begin = affine(&bound.least, 0).ok_or_else(large)?;
        let end = affine(&bound.most, 1).ok_or_else(large)?;
        for member in &mut members {
            let piece = &self.pieces[member.piece];
            let mut rows: Vec<Row> =
                piece.rows.iter().filter(|row| row.last() == Some(time)).cloned().collect();
            if let Some(number) = piece.fixed[time] {
                let number = Row::constant(piece.times(), number);
                let own = Row::column(piece.times(), time).minus(&number).map_err(stopped)?;
                rows.push(own.negated().map_err(stopped)?);
                rows.push(own);
            }
            for row in rows {
                if !bound.covers(&row, time).map_err(stopped)? {
                    member.open.push(row);
                }
            }
        }
        let depth = self.variables.iter().flatten().count();
        let variable = self.variable(format!("i{depth}"));
        self.variables[time] = Some(variable);
        let mut body = vec![];
        let unseen = self.scalars(&members);
        self.group(members, time + 1, &mut body)?;
        self.variables[time] = None;
        self.count = outer;
        out.push(Step::Loop(Loop { begin, end, body, unseen, ..Loop::over(variable, 0, vec![]) }));
        Ok(())
    }

    /// Steps that are done where rows are 0 or more.
    fn guarded(&mut self, rows: &[Row], body: Vec<Step>, name: &str) -> Result<Step, NestError> {
        let mut end = vec![Affine::constant(1)];
        for row in rows {
            let bound = self.affine(row, 1).ok_or_else(|| NestError::Large(name.to_owned()))?;
            end.push(bound);
        }
        let variable = self.variable("if".to_owned());
        Ok(Step::Loop(Loop { end, ..Loop::over(variable, 1, body) }))
    }

    fn accesses(&mut self, piece: usize, out: &mut Vec<Step>) -> Result<(), NestError> {
        let piece = &self.pieces[piece];
        let name = self.scop.statements[piece.statement].name.clone();
        for access in &piece.accesses {
            let element = self.element(access).map_err(|stop| stop.of(&name))?;
            let large = || NestError::Large(name.clone());
            let element = self.affine(&element, 0).ok_or_else(large)?;
            let container = self.numbers[&access.array];
            let number = self.done.nest.references.len() as u32;
            let is_write = access.is_write;
            let indices = self.indices(access).map_err(|stop| stop.of(&name))?;
            let reference = Reference { container, element, is_write, indices, combines: None };
            self.done.nest.references.push(reference);
            let statement = piece.statement as u32;
            self.done.origins.push(Origin { statement, access: access.access });
            let step = Step::Access(number);
            if access.rows.is_empty() {
                out.push(step);
            } else {
                out.push(self.guarded(&access.rows, vec![step], &name)?);
            }
        }
        Ok(())
    }

    /// Which element is touched, as a sum over time.
    fn element(&self, access: &Touched) -> Result<Row, Stop> {
        let layout = &self.layouts[&access.array];
        let mut sum = Row::constant(self.variables.len(), 0);
        for (dimension, index) in access.indices.iter().enumerate() {
            let stride = i128::from(layout.container.strides[dimension]);
            sum = sum.plus(index, stride)?;
            if dimension == 0 {
                sum = sum.plus(&Row::constant(self.variables.len(), layout.first), -stride)?;
            }
        }
        Ok(sum)
    }

    /// The indices, from the first that stands there on; none if numbers are too large.
    fn indices(&self, access: &Touched) -> Result<Option<Vec<Affine>>, Stop> {
        let first = Row::constant(self.variables.len(), self.layouts[&access.array].first);
        let mut all = vec![];
        for (dimension, index) in access.indices.iter().enumerate() {
            let own = if dimension == 0 { index.minus(&first)? } else { index.clone() };
            all.push(self.affine(&own, 0));
        }
        Ok(all.into_iter().collect())
    }

    fn name(&self, member: &Member) -> String {
        self.scop.statements[self.pieces[member.piece].statement].name.clone()
    }

    /// Statements that write to scalars, which are not memory here.
    fn scalars(&self, members: &[Member]) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = members
            .iter()
            .map(|member| &self.scop.statements[self.pieces[member.piece].statement])
            .filter(|own| own.accesses.iter().any(|one| one.array.is_none() && one.is_write))
            .map(|own| format!("a scalar of {}", own.name).into())
            .collect();
        names.dedup();
        names
    }

    fn variable(&mut self, name: String) -> u32 {
        self.done.variables.push(name);
        self.done.nest.variables += 1;
        self.done.nest.variables - 1
    }

    /// A sum over time as one over variables; none if numbers are too large.
    fn affine(&self, row: &Row, more: i64) -> Option<Affine> {
        let small = |number: i128| i64::try_from(number).ok().filter(|_| number.abs() <= MOST);
        let mut affine = Affine::constant(small(row.constant)?.checked_add(more)?);
        for (factor, variable) in row.factors.iter().zip(&self.variables) {
            if *factor != 0 {
                affine.terms.push(((*variable)?, small(*factor)?));
            }
        }
        Some(affine)
    }
}
