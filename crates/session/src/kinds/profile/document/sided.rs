//! Formulas over what is compared: of either side, and their change.

use analysis::formula::{self, Formula, FormulaError};
use analysis::{Side, distinct_names};
use profile::{MetricId, Profile};

use crate::kinds::profile::document::comparing::{Comparing, Sides};
use crate::kinds::profile::document::profile_document::ProfileDocument;

/// What stands between the sides of a change in its formula.
const MINUS: &str = " - ";

/// A formula of a comparison by side.
pub(in crate::kinds::profile) struct Sided {
    /// Names and formulas of base, new and change.
    pub(in crate::kinds::profile) defined: [(String, String); 3],
    /// Which of them was asked for.
    pub(in crate::kinds::profile) asked: usize,
}

impl Comparing {
    /// A formula over the metrics that are compared as two over those of `profile`, the comparison:
    /// of the base and of the new profile.
    pub(crate) fn sides_of(
        &self,
        formula: &str,
        profile: &Profile,
    ) -> Result<(Formula, [String; 2]), FormulaError> {
        let formula = Formula::new(formula, &distinct_names(&self.metrics))?;
        let sided = distinct_names(&profile.metrics);
        let of =
            |side: Side| formula.text_over(|metric| sided[side.of(metric).index()].name.clone());
        let sides = [of(Side::Base), of(Side::New)];
        Ok((formula, sides))
    }

    /// A formula by side: one over the metrics that are compared, or without a name of its own the text of
    /// one of its sides or of its change over those of the comparison, `profile`. None for any other.
    pub(in crate::kinds::profile) fn by_side(
        &self,
        name: &str,
        formula: &str,
        profile: &Profile,
    ) -> Option<Sided> {
        let sided = distinct_names(&profile.metrics);
        let Ok(own) = Formula::new(formula, &sided) else {
            let defined = self.defined_by_side(name, formula, profile)?;
            return Some(Sided { asked: defined.len() - 1, defined });
        };
        if !name.is_empty() {
            return None;
        }
        // The new side stands before the minus of a change, of which a formula may have several.
        let text = own.to_string();
        let before_minus = text.match_indices(MINUS).map(|(at, _)| &text[..at]);
        std::iter::once(&*text).chain(before_minus).find_map(|side| {
            let compared = distinct_names(&self.metrics);
            let over = |metric| compared[Side::metric_of(metric).index()].name.clone();
            let over = Formula::new(side, &sided).ok()?.text_over(over);
            let defined = self.defined_by_side("", &over, profile)?;
            let same = |(_, one): &(_, String)| {
                Formula::new(one, &sided).is_ok_and(|one| one.to_string() == text)
            };
            let asked = defined.iter().position(same)?;
            Some(Sided { defined, asked })
        })
    }

    /// The metrics of both sides of a formula of the comparison, `document`, that has them.
    pub(in crate::kinds::profile) fn formula_sides(
        &self,
        formula: &str,
        document: &ProfileDocument,
    ) -> Option<Sides> {
        let Sided { defined: [base, new, _], .. } =
            self.by_side("", formula, document.profile())?;
        let known = document.formulas();
        let names = distinct_names(&document.profile().metrics);
        let find = |(_, formula): (String, String)| {
            let text = Formula::new(&formula, &names).ok()?.to_string();
            let place = known.iter().position(|known| known.as_ref() == Some(&text))?;
            Some(MetricId(place as u32))
        };
        Some(Sides { base: find(base)?, new: find(new)?, compared: None })
    }

    /// Names and formulas of base, new and change of a formula over the metrics that are compared.
    fn defined_by_side(
        &self,
        name: &str,
        formula: &str,
        profile: &Profile,
    ) -> Option<[(String, String); 3]> {
        let (formula, [base, new]) = self.sides_of(formula, profile).ok()?;
        // A metric alone is there already, under three names.
        let text = formula.to_string();
        if self.metrics.iter().any(|metric| formula::quoted(&metric.name) == text) {
            return None;
        }
        let name = if name.is_empty() { text } else { name.to_owned() };
        let change = format!("({new}){MINUS}({base})");
        let sides = [("base", base), ("new", new), ("change", change)];
        Some(sides.map(|(side, text)| (format!("{name} ({side})"), text)))
    }
}
