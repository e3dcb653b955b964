//! Whether a function's total rises or falls from member to member.

use super::{Annotate, Function, Note};
use crate::NO_VALUE;
use crate::statistics::{Direction, Figure};

/// Changes by less, in per cent of the mean over all members, are of no interest.
const LEAST: f64 = 1.0;

pub(super) struct TrendOverMembers;

impl Annotate for TrendOverMembers {
    fn note(&self, function: &Function<'_>) -> Option<Note> {
        let order = function.filtered.order()?;
        let sums = function.places.sums(function.filtered, function.key, &[function.metric]);
        let values: Vec<f64> = (sums.total.iter())
            .map(|&value| if value == NO_VALUE { 0.0 } else { value as f64 })
            .collect();
        let present: Vec<(u32, f64)> = (0..).zip(values.iter().copied()).collect();
        let trend = order.trend(&present)?;
        let verb = match trend.direction(Figure::SIGNIFICANCE) {
            Direction::Rising => "Rises",
            Direction::Falling => "Falls",
            Direction::Steady => return None,
        };
        let members = values.len();
        let mean = values.iter().sum::<f64>() / members as f64;
        let a_member = order.slope(&trend, &values)?;
        let percent = a_member / mean.abs() * 100.0;
        if !percent.is_finite() || percent.abs() * (members as f64 - 1.0) < LEAST {
            return None;
        }
        let how = match trend.tau.abs() {
            tau if tau >= 1.0 => "with every one of".to_owned(),
            _ => format!("(p = {:.1e}) over", trend.p_value),
        };
        Some(Note {
            title: "Trend".to_owned(),
            text: format!(
                "{verb} {how} {members} members, by {:.1} % of its mean a member.",
                percent.abs()
            ),
        })
    }
}
