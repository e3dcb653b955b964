//! Filters that cannot be understood.

use crate::label_filter::LabelFilterError;
use crate::pattern::PatternError;
use crate::time::{AroundError, TimeRangeError};

/// An error in a filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// The regular expression does not compile.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The label filter cannot be understood.
    #[error(transparent)]
    Label(#[from] LabelFilterError),
    /// The range of time cannot be understood.
    #[error(transparent)]
    Time(#[from] TimeRangeError),
    /// The marks with a margin cannot be understood.
    #[error(transparent)]
    Around(#[from] AroundError),
    /// Arguments of spans, which members that are parts do not have.
    #[error(
        "spans have labels that match {0}, and these members have no spans: choose one of the members, or \
         filter without members"
    )]
    NoSpans(String),
}
