//! From statements to loops.

use std::collections::{BTreeMap, HashMap};

use super::nested::Nested;
use super::values::{Failed, Values};
use super::{arrays, pieces, scan};
use crate::isl::Sum;
use crate::system::{Solver, Stop};
use crate::{NestError, Scop};

impl Stop {
    pub(super) fn of(self, name: &str) -> NestError {
        match self {
            Stop::Large => NestError::Large(name.to_owned()),
            Stop::Many => NestError::Complicated(name.to_owned()),
        }
    }
}

impl Scop {
    /// The loops with values for parameters; of all statements, or of one.
    pub fn nest(
        &self,
        at: &HashMap<String, i128>,
        statement: Option<&str>,
    ) -> Result<Nested, NestError> {
        let values = Values { at };
        let solver = Solver::new();
        for name in &self.parameters {
            values.get(name)?;
        }
        self.check_context(&values)?;
        if let Some(name) = statement
            && !self.statements.iter().any(|own| own.name == name)
        {
            let known: Vec<&str> = self.statements.iter().map(|own| &*own.name).collect();
            let (name, known) = (name.to_owned(), known.join(", "));
            return Err(NestError::NoStatement { name, known });
        }
        let mut done = Nested::default();
        let mut pieces = vec![];
        let mut scalars = 0;
        for (number, own) in self.statements.iter().enumerate() {
            scalars += own.accesses.iter().filter(|access| access.array.is_none()).count();
            let mut left_out = vec![];
            match pieces::pieces(self, number, &values, &solver, &mut left_out) {
                Ok(own) => pieces.extend(own),
                Err(Failed::Left(why)) => left_out.push((own.name.clone(), why)),
                Err(Failed::Stop(stop)) => return Err(stop.of(&own.name)),
                Err(Failed::Nest(error)) => return Err(error),
            }
            // The others still tell how large arrays are.
            if statement.is_none_or(|name| name == own.name) {
                done.left_out.extend(left_out);
            }
        }
        if let Some(pair) = pieces.windows(2).find(|pair| pair[0].times() != pair[1].times()) {
            let name = |piece: &pieces::Piece| self.statements[piece.statement].name.clone();
            return Err(NestError::Dimensions(name(&pair[1]), name(&pair[0])));
        }
        let layouts = arrays::layouts(self, &pieces, &values, &solver)?;
        pieces.retain(|piece| {
            statement.is_none_or(|name| self.statements[piece.statement].name == name)
        });
        if scalars > 0 {
            done.notes.push(format!("{scalars} accesses of scalars are taken to be of registers"));
        }
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for access in pieces.iter().flat_map(|piece| &piece.accesses) {
            numbers.insert(access.array, 0);
        }
        for (array, number) in &mut numbers {
            *number = done.containers.len() as u32;
            let layout = &layouts[array];
            done.containers.push(layout.container.clone());
            done.notes.extend(layout.notes.iter().cloned());
        }
        scan::scan(self, &solver, &pieces, &layouts, &numbers, &mut done)?;
        Ok(done)
    }

    /// Refuses parameters for which the loops were not exported: what holds by them is not written down.
    fn check_context(&self, values: &Values<'_>) -> Result<(), NestError> {
        let Some(context) = &self.context else { return Ok(()) };
        let mut broken = vec![];
        for piece in &context.pieces {
            let mut holds = true;
            for condition in &piece.conditions {
                // A parameter that nothing else has needs no value.
                if condition.terms.keys().any(|name| !values.at.contains_key(name)) {
                    continue;
                }
                let row = match values.row(condition, &[], &context.parameters) {
                    Ok(row) => row,
                    Err(Failed::Left(_)) => continue,
                    Err(Failed::Stop(stop)) => return Err(stop.of("context")),
                    Err(Failed::Nest(error)) => return Err(error),
                };
                if row.constant < 0 {
                    holds = false;
                    broken.push(condition_text(condition));
                }
            }
            if holds {
                return Ok(());
            }
        }
        broken.truncate(3);
        Err(NestError::Context(broken.join(", ")))
    }
}

/// A condition as people write it.
fn condition_text(condition: &Sum) -> String {
    let mut text = String::new();
    for (name, factor) in &condition.terms {
        let sign = if *factor < 0 { "-" } else { "+" };
        let number = factor.unsigned_abs();
        let number = if number == 1 { String::new() } else { format!("{number} ") };
        match (text.is_empty(), sign) {
            (true, "+") => text += &format!("{number}{name}"),
            (true, _) => text += &format!("-{number}{name}"),
            _ => text += &format!(" {sign} {number}{name}"),
        }
    }
    if text.is_empty() {
        text.push('0');
    }
    format!("{text} >= {} must hold", condition.constant.wrapping_neg())
}
