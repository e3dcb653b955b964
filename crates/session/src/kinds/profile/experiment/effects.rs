//! What factors do, apart and together.

use analysis::experiment::{FactorEffect, Interaction, effects};
use protocol::ProtocolError;

use super::differences::BELIEVED;
use super::{Measured, Quantity};
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::experiment::measured;
use crate::kinds::profile::experiment::runs::runs_of_experiment;

/// What factors do to a quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectReport {
    /// The quantity.
    pub measured: Measured,
    /// Each level of each factor against its first.
    pub single: Vec<FactorEffect>,
    /// What two levels do that neither does alone; the surest first.
    pub together: Vec<Interaction>,
}

impl EffectReport {
    /// Effects that are believed.
    pub fn believed(&self) -> impl Iterator<Item = &FactorEffect> {
        self.single.iter().filter(|one| one.q <= BELIEVED)
    }

    /// Interactions that are believed.
    pub fn believed_together(&self) -> impl Iterator<Item = &Interaction> {
        self.together.iter().filter(|one| one.q <= BELIEVED)
    }
}

/// What each factor does to a quantity, within the levels of all others.
///
/// # Errors
/// As [`measured`].
pub fn factor_effects(
    document: &ProfileDocument,
    options: &ViewOptions,
    quantity: &Quantity,
) -> Result<EffectReport, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    let measured = measured(document, options, quantity)?;
    let found = effects(runs, &measured.values);
    let mut together = found.together;
    together.sort_by(|a, b| a.q.total_cmp(&b.q).then(a.p.total_cmp(&b.p)));
    Ok(EffectReport { measured, single: found.single, together })
}
