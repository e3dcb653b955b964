//! Whether memory was taken and never given back.

use super::{Annotate, Function, Note};
use crate::statistics::kept;
use profile::{UnitKind, unit_scale};

/// Functions with a smaller share of the last member are of no interest.
const LEAST_SHARE: f64 = 0.01;

pub(super) struct NeverGivenBack;

impl Annotate for NeverGivenBack {
    fn note(&self, function: &Function<'_>) -> Option<Note> {
        let profile = function.filtered.profile();
        let metric = profile.metric(function.metric);
        // Time cannot be given back. What was allocated in all since the start only rises, and is
        // high late.
        if unit_scale(&metric.unit).1 != UnitKind::Bytes || !metric.combining.is_sum() {
            return None;
        }
        let sums = function.places.sums(function.filtered, function.key, &[function.metric]);
        let found = kept(&sums.total)?;
        let everything = function.filtered.program_total(function.metric) as f64;
        let own: f64 = sums.total.iter().map(|&value| value as f64).sum();
        if own < everything * LEAST_SHARE {
            return None;
        }
        Some(Note {
            title: "Never given back".to_owned(),
            text: format!(
                "High since member {} of {} and never below {:.0} % of its highest value after \
                 that.",
                found.since + 1,
                sums.total.len(),
                found.least * 100.0
            ),
        })
    }
}
