//! What passes meet that is not known, and what they leave out.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::certainty::AtMost;
use super::costs::Cost;
use super::roots::Roots;
use super::unknown::Unknown;
use crate::expr::{Expr, TooLarge};
use crate::model::Container;

/// What is said beside the costs.
#[derive(Default)]
pub(super) struct Report {
    pub(super) unknowns: BTreeMap<Arc<str>, Unknown>,
    /// What unknowns of one name stand for.
    meanings: HashMap<String, Vec<String>>,
    pub(super) notes: BTreeMap<String, u64>,
}

impl Report {
    /// Notes views of which only one container counts.
    pub(super) fn new(roots: &Roots) -> Report {
        let mut report = Report::default();
        for view in roots.ambiguous() {
            report.note(&format!(
                "one state binds the view {view} to several containers: its accesses count as those of the first"
            ));
        }
        report
    }

    pub(super) fn note(&mut self, message: &str) {
        *self.notes.entry(message.to_owned()).or_default() += 1;
    }

    /// A named unknown: one for all that has the name.
    pub(super) fn unknown(&mut self, name: &str, unknown: Unknown) -> Expr {
        self.unknown_of(name, "", unknown)
    }

    /// A named unknown: one for each meaning; of others with the name the second one has a number.
    pub(super) fn unknown_of(&mut self, name: &str, meaning: &str, unknown: Unknown) -> Expr {
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let meanings = self.meanings.entry(plain.clone()).or_default();
        let place = meanings.iter().position(|known| known == meaning).unwrap_or_else(|| {
            meanings.push(meaning.to_owned());
            meanings.len() - 1
        });
        let symbol = if place == 0 { plain } else { format!("{plain}_{}", place + 1) };
        let known = self.unknowns.get(symbol.as_str());
        let unknown = known.into_iter().fold(unknown, Unknown::or);
        self.unknowns.insert(symbol.as_str().into(), unknown);
        Expr::symbol(&symbol)
    }

    /// Whether something that is not known is in it.
    pub(super) fn has_unknown(&self, expr: &Expr) -> bool {
        expr.symbols().into_iter().any(|name| self.unknowns.contains_key(name))
    }

    /// The value, or an unknown in its place where it leaves exact arithmetic.
    pub(super) fn or_unknown(&mut self, made: Result<Expr, TooLarge>, name: &str) -> Expr {
        made.unwrap_or_else(|error| self.unknown(name, Unknown::new(error.to_string())))
    }

    pub(super) fn cost_or_unknown(&mut self, made: Result<Cost, TooLarge>, name: &str) -> Cost {
        made.unwrap_or_else(|error| {
            let too_large = Unknown::new(error.to_string());
            let mut part = |what: &str| self.unknown(&format!("{name}_{what}"), too_large.clone());
            let (work, depth, moved) = (part("work"), part("depth"), part("bytes"));
            Cost { work, depth, moved, at_most: AtMost::default() }
        })
    }

    /// Comparing many with each other takes too long: then an unknown stands for them.
    pub(super) fn largest(&mut self, all: Vec<Expr>, of: &str) -> Result<Expr, TooLarge> {
        /// Different ones.
        const MOST: usize = 128;
        let all = Expr::candidates(all);
        match all.len() {
            0..=MOST => Expr::largest_cost(all),
            _ => {
                Ok(self.unknown(&format!("{of}_largest"), Unknown::new("the largest of too many")))
            }
        }
    }

    /// How often a consume scope runs.
    pub(super) fn consumed(&mut self, label: &str) -> Expr {
        let why = "how often a consume scope runs depends on its stream";
        self.unknown(&format!("{label}_iterations"), Unknown::count(why))
    }

    /// The bytes of an element of a container.
    pub(super) fn element_bytes(&mut self, container: Option<&Container>, name: &str) -> Expr {
        match container.and_then(|container| container.element.size) {
            Some(size) => Expr::integer(size.into()),
            None => {
                let why = "bytes of an element of a container whose type has no known size";
                self.unknown(&format!("{name}_element_bytes"), Unknown::count(why))
            }
        }
    }
}
