//! What is made of every profile that is read.

use std::sync::Arc;

use ::profile::NamedFormula;
use analysis::advice::AdviceRule;
use analysis::{AlignBy, MembersBy};

use super::demangle::Demangle;
use crate::Binaries;

/// What is made of every profile that a session reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProfileSettings {
    /// Metrics for the profiles whose own they are worked out from.
    pub(crate) formulas: Vec<NamedFormula>,
    pub(crate) reading_as: ReadSettings,
    /// Rules of advice of a user or a team, besides those that come along.
    pub(crate) rules: Arc<[AdviceRule]>,
}

/// What is made of profiles once they are read.
#[derive(Debug, Clone, Default)]
pub struct ReadSettings {
    /// What members are made of, if not of files.
    pub members_by: Option<MembersBy>,
    /// What of several recordings stands together in time, if not the start of each.
    pub align: Option<AlignBy>,
    /// What of mangled names is shown.
    pub demangle: Demangle,
    /// Where binaries come from, for stacks that were copied and addresses without names.
    pub binaries: Option<Binaries>,
}

impl ReadSettings {
    /// Whether profiles stay what they are.
    pub(crate) fn is_plain(&self) -> bool {
        let ReadSettings { members_by, align, demangle, binaries } = self;
        members_by.is_none()
            && align.is_none()
            && *demangle == Demangle::None
            && !binaries.as_ref().is_some_and(|binaries| binaries.are_named)
    }

    /// The binaries, where the build can read them. Inlined, so that a build without has no code that does.
    #[inline]
    pub(crate) fn binaries(&self) -> Option<&Binaries> {
        if cfg!(feature = "binaries") { self.binaries.as_ref() } else { None }
    }
}
