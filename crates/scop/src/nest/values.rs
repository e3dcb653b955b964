//! Values of parameters.

use std::collections::HashMap;

use crate::NestError;
use crate::isl::Sum;
use crate::system::{Row, Stop};

/// Larger parameters and constants are not sizes.
pub(crate) const MOST: i128 = 1 << 56;

/// Values of parameters.
pub(super) struct Values<'a> {
    pub(super) at: &'a HashMap<String, i128>,
}

impl Values<'_> {
    pub(super) fn get(&self, name: &str) -> Result<i128, NestError> {
        let value = self.at.get(name).ok_or_else(|| NestError::Unset(name.to_owned()))?;
        if value.unsigned_abs() > MOST as u128 {
            Err(NestError::Large(name.to_owned()))
        } else {
            Ok(*value)
        }
    }

    /// A sum over columns; `names` are those of the columns.
    pub(super) fn row(
        &self,
        sum: &Sum,
        names: &[String],
        parameters: &[String],
    ) -> Result<Row, Failed> {
        // Added, so that it is known to be small.
        let mut row = Row::constant(names.len(), 0);
        row = row.plus(&Row::constant(names.len(), sum.constant), 1)?;
        for (name, &factor) in &sum.terms {
            let own = if let Some(column) = names.iter().position(|own| own == name) {
                Row::column(names.len(), column)
            } else if parameters.contains(name) {
                Row::constant(names.len(), self.get(name)?)
            } else {
                return Err(Failed::Left(format!("{name} is known by conditions alone")));
            };
            row = row.plus(&own, factor)?;
        }
        Ok(row)
    }
}

/// Why something is not a loop.
pub(super) enum Failed {
    /// It is left out.
    Left(String),
    Stop(Stop),
    Nest(NestError),
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Stop(stop)
    }
}

impl From<NestError> for Failed {
    fn from(error: NestError) -> Failed {
        Failed::Nest(error)
    }
}
