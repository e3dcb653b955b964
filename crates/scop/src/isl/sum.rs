//! A constant and multiples of names.

use std::collections::BTreeMap;

/// A constant and multiples of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub(crate) constant: i128,
    pub(crate) terms: BTreeMap<String, i128>,
}

impl Sum {
    pub(crate) fn constant(constant: i128) -> Sum {
        Sum { constant, ..Sum::default() }
    }

    pub(crate) fn name(name: &str) -> Sum {
        Sum { constant: 0, terms: [(name.to_owned(), 1)].into() }
    }

    /// This and so many times another; none if numbers are too large.
    pub(crate) fn plus(mut self, other: &Sum, times: i128) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (name, factor) in &other.terms {
            let own = self.terms.entry(name.clone()).or_default();
            *own = own.checked_add(factor.checked_mul(times)?)?;
        }
        self.terms.retain(|_, factor| *factor != 0);
        Some(self)
    }
}
