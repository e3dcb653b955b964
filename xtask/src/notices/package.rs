//! A package of others, and its licences.

/// A package of others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression.
    pub(super) license: String,
    /// Where its sources are.
    pub(super) repository: String,
    pub(super) texts: Vec<Text>,
}

/// A licence, or whatever else a package wants to be handed on with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Text {
    /// The file's name, or where else the text is from.
    pub(super) from: String,
    pub(super) text: String,
}
